"""Long values, and options that ask for something that is not there: exit code 2 and a short sentence."""

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.settings.options import grouped
from tests.cli import LONGEST, refused, run, write
from tests.io.test_bad_input import CUT_OFF, LINE, TEXT, document, raw, said, spanned

USAGE = "Usage: spanscope eval [OPTIONS] [GOLD] [PRED]\nTry 'spanscope eval -h' for help.\n\nError: Invalid value"
FORM = "  expected  a form such as spans.relaxed(threshold=0.8)\n"
LIST = "  try       spanscope measures   to list them\n"
SHARE = "  expected  a number from 0 to 1\n"
GATE = "  expected  a form such as micro_f1=0.75\n"
TOOLS = "reqflow-csv, conlleval, seqeval, trec_eval, squad, trec-run, qrels"
FORMATS = f"(table, json, csv, markdown, latex, github, junit, {TOOLS})\n"
PROTOCOLS = f"  expected  {', '.join(spanscope.PROTOCOLS)}\n"
JSON_ONLY = ": --matches, --documents and --keep add to the JSON: add --format json\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with good files, so that messages name short paths."""
    monkeypatch.chdir(tmp_path)
    write(Path("gold.jsonl"), LINE)
    write(Path("pred.jsonl"), LINE)


OPTIONS = {
    "-m spans.exat": f"no measure is called 'spans.exat'; did you mean 'spans.exact'?\n{LIST}",
    "-m exact": f"no measure is called 'exact'; did you mean 'spans.exact'?\n{LIST}",
    "-m tokens.f1": f"no measure is called 'tokens.f1'; did you mean 'tokens.tags'?\n{LIST}",
    "-m spans.relaxed(treshold=0.5)": "spans.relaxed has no parameter 'treshold'; did you mean 'threshold'?\n"
    "  expected  threshold, iou_weight, assignment, text, rules\n  try       spanscope measures spans.relaxed\n",
    "-m spans.exact(x=1)": "spans.exact has no parameter 'x'\n  expected  duplicates\n"
    "  try       spanscope measures spans.exact\n",
    "-m spans.relaxed(threshold=2)": f"threshold of spans.relaxed is 2\n{SHARE}",
    "-m spans.relaxed(threshold=-0.1)": f"threshold of spans.relaxed is -0.1\n{SHARE}",
    "-m spans.relaxed(threshold=1e999)": f"threshold of spans.relaxed is inf\n{SHARE}",
    "-m spans.relaxed(threshold=true)": f"threshold of spans.relaxed is True\n{SHARE}",
    "-m spans.relaxed(threshold=high)": f"threshold of spans.relaxed is 'high'\n{SHARE}",
    "-m spans.exact(duplicates=st)": "duplicates of spans.exact is 'st'; did you mean 'set'?\n"
    "  expected  list or set\n",
    "-m spans.relaxed(0.5)": f"cannot read the measure 'spans.relaxed(0.5)'\n{FORM}",
    "-m spans.relaxed(": f"cannot read the measure 'spans.relaxed('\n{FORM}",
    "-m os.system('x')": f"cannot read the measure \"os.system('x')\"\n{FORM}",
    "-m ": f"cannot read the measure ''\n{FORM}",
    "-p reqflw": f"no protocol is called 'reqflw'; did you mean 'reqflow'?\n{PROTOCOLS}",
    "-p ": f"no protocol is called ''\n{PROTOCOLS}",
    "-f tabel": f"{USAGE}: no format is called 'tabel'; did you mean 'table'? {FORMATS}",
    "-f xml": f"{USAGE}: no format is called 'xml' {FORMATS}",
    "-f reqflow-csv": "reqflow-csv is the file of ReqFlow itself\n"
    "  expected  --protocol reqflow-v1 or --protocol reqflow-v2\n",
    "--field lable=x": "no field is called 'lable'; did you mean 'label'?\n"
    "  expected  id, text, spans, start, end, label, span_text, span_score\n  try       --field label=category\n",
    "--field label": f"{USAGE}: --field 'label' is not of the form key=value\n",
    "--field =x": f"{USAGE}: --field '=x' is not of the form key=value\n",
    "--meta x": f"{USAGE}: --meta 'x' is not of the form key=value\n",
    "--missing skp": "missing is 'skp'\n  expected  error or empty or skip\n",
    "--extra empty": "extra is 'empty'\n  expected  error or skip\n",
    "--repeated skip": "repeated is 'skip'\n  expected  error or number\n",
    "--undefined 2": "undefined is '2'\n  expected  null, 0 or 1\n",
    "--offsets bytes": "offsets are in 'bytes'\n  expected  codepoints or utf16 or utf8\n",
    "--beta 0": "beta is 0.0\n  expected  a number above 0\n",
    "--beta nan": "beta is nan\n  expected  a number above 0\n",
    "--labels PER,PER": "labels are ['PER', 'PER']\n  expected  a list of different names\n",
    "--matches": f"{USAGE}{JSON_ONLY}",
    "--documents": f"{USAGE}{JSON_ONLY}",
    "-o nowhere/x.json": "nowhere/x.json: cannot be written (No such file or directory)\n",
    "-o .": ".: cannot be written (Is a directory)\n",
}
STARTS = {
    "--beta x": f"{USAGE} for '--beta': ",
    "--digits 99": f"{USAGE} for '--digits': ",
    "--digits -1": f"{USAGE} for '--digits': ",
    "--examples -1": f"{USAGE} for '--examples' / '-n': ",
    "-o ": "",
    "--labels ": "",
    "--labels *": "",
    "--nope ": USAGE.replace("Invalid value", "No such option: --nope"),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_options(option: str) -> None:
    name, _, value = option.partition(" ")
    done = run("eval", "gold.jsonl", "pred.jsonl", name, *([value] if " " in option else []))
    assert refused(done) == OPTIONS[option]


@pytest.mark.parametrize("option", STARTS)
def test_options_by_the_start_of_the_message(option: str) -> None:
    assert refused(run("eval", "gold.jsonl", "pred.jsonl", *option.split(" "))).startswith(STARTS[option])


def test_an_unfinished_report_leaves_nothing_behind() -> None:
    Path("folder").mkdir()
    assert refused(run("eval", "gold.jsonl", "pred.jsonl", "-o", "folder")) == (
        "folder: cannot be written (Is a directory)\n"
    )
    assert sorted(path.name for path in Path().iterdir()) == ["folder", "gold.jsonl", "pred.jsonl"]


def test_standard_input_twice() -> None:
    assert refused(run("eval", "-", "-", stdin=LINE.encode())) == (
        f"{USAGE}: GOLD and PRED cannot both be standard input\n"
    )


def test_standard_input_is_named_in_messages() -> None:
    assert refused(run("eval", "-", "pred.jsonl", stdin=b"{]\n" * 2)).startswith(
        "<stdin>:1: not JSON at column 2: "
    )
    assert refused(run("eval", "gold.jsonl", "-", stdin=b"")).startswith("<stdin>: is empty\n")


@pytest.mark.parametrize("args", [(), ("eval",), ("evl",), ("check",), ("protocols", "x"), ("--nope",)])
def test_incomplete_commands(args: tuple[str, ...]) -> None:
    done = run(*args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Usage: spanscope")


def test_measures_of_a_wrong_name() -> None:
    assert refused(run("measures", "spans.exat")) == OPTIONS["-m spans.exat"]


@pytest.mark.parametrize("text", ["spans.relaxed(zzz", "spans.relaxed(treshold=1)"])
def test_measures_of_a_wrong_form(text: str) -> None:
    """`measures` explains what `-m` would run, so it refuses what `-m` refuses."""
    assert refused(run("measures", text)) == refused(run("eval", "gold.jsonl", "pred.jsonl", "-m", text))


@pytest.mark.parametrize(
    "text", ["x" * 10_000, "(" * 300, "a" + ".a" * 5000, f"spans.iou(threshold={'9' * 5000})"]
)
def test_endless_measures(text: str) -> None:
    refused(run("eval", "gold.jsonl", "pred.jsonl", "-m", text))


@pytest.mark.parametrize("option", ["-p", "-f", "--missing", "--undefined", "--offsets", "--fail-under"])
def test_endless_options(option: str) -> None:
    refused(run("eval", "gold.jsonl", "pred.jsonl", "-o", "x.txt", option, "x" * 10_000))


# ---------------------------------------------------------------- long values


def test_ten_megabytes_on_a_line() -> None:
    """A long line is no reason to fail; where it is wrong, not all of it is shown."""
    long = document(text="x" * 10_000_000)
    write(Path("pred.jsonl"), LINE.replace(f'"text": "{TEXT}", ', ""))
    assert run("eval", write(Path("gold.jsonl"), long), "pred.jsonl", "-m", "spans.exact").code == 0
    assert said("gold.jsonl", long[:-5]) == f"gold.jsonl:1: {CUT_OFF}"
    shown = "'" + "y" * 60 + "'... (10,000,000 long)"
    assert said("gold.jsonl", document(spans=["y" * 10_000_000])) == (
        f"gold.jsonl:1: spans[0] is {shown}\n  expected  an object with start, end and label\n"
    )


LONG = "k" * 10_000
ENDLESS = {
    "a field of a document": document().replace('"spans"', f'"{LONG}"'),
    "a field of a span": document(spans=[{"start": 0, "end": 1, LONG: 1}]),
    "fields of a span": document(spans=[{f"key{n}": n for n in range(1000)}]),
    "an id": document(id=LONG, text="Other words than the predictions have."),
    "an id, twice": document(id=LONG) * 2,
    "an id that only one side has": LINE + document(id=LONG),
    "keys of an object": json.dumps({LONG: 1}),
    "an answer": document(answer=LONG, _task_hash=1),
    "a text": document(text=[LONG]),
    "a label": spanned(label=[LONG]),
    "a label of a span past the end": spanned(label=LONG, end=99),
    "a whole number": raw("9" * 4000),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_messages_are_short(name: str) -> None:
    assert 0 < len(said("gold.jsonl", ENDLESS[name])) <= LONGEST


def test_one_file_of_spans_needs_predictions() -> None:
    said = refused(run("eval", "gold.jsonl"))
    assert said.endswith(
        "Invalid value: PRED is missing: gold.jsonl contains only one side, so it needs a second file "
        "with predictions, on the command line or under [runs] of the configuration\n"
    )
    assert refused(run("eval", "a")) == "a: there is no such file\n"


# ---------------------------------------------------------------- what nothing would read is refused

SPANS = [{"id": 1, "text": "Ann saw", "spans": [{"start": 0, "end": 3, "label": "A"}]}]
TOKENS = [{"id": 1, "tokens": ["Ann"], "tags": ["B-A"]}]
CUT = [{"id": 1, "masses": [2, 3]}]
ASKED = [{"query": "q", "snippets": ["a"]}]
FOUND = [{"query": "q", "retrieved_passages": ["a"]}]
UNREAD: list[tuple[Any, Any, dict[str, Any]]] = [
    (CUT, CUT, {"labels": ["A"]}),
    (CUT, CUT, {"thresholds": [0.5]}),
    (CUT, CUT, {"mapping": {"A": "B"}}),
    (ASKED, FOUND, {"labels": ["A"]}),
    (ASKED, FOUND, {"thresholds": [0.5]}),
    (ASKED, FOUND, {"mapping": {"A": "B"}}),
    (ASKED, FOUND, {"offsets": "utf16"}),
    (ASKED, FOUND, {"fields": {"id": "query"}}),
    (TOKENS, TOKENS, {"offsets": "utf16"}),
    (TOKENS, TOKENS, {"fields": {"id": "name"}}),
    (TOKENS, TOKENS, {"scheme": "IOB2", "protocol": "presidio"}),
    (TOKENS, TOKENS, {"scheme": "IOBES", "protocol": "seqeval"}),
    (TOKENS, TOKENS, {"repair": "seqeval", "scheme": "IOBES"}),
    (SPANS, SPANS, {"scheme": "IOB2"}),
    (SPANS, SPANS, {"k": 3}),
]


@pytest.mark.parametrize(
    ("gold", "pred", "options"),
    UNREAD,
    ids=[",".join(options) + str(at) for at, (_, _, options) in enumerate(UNREAD)],
)
def test_options_that_nothing_would_read_are_refused(gold: Any, pred: Any, options: dict[str, Any]) -> None:
    with pytest.raises(spanscope.SpanscopeError):
        spanscope.evaluate(gold, pred, **grouped(options))


def test_whole_tags_that_are_no_labels_are_refused() -> None:
    """presidio-evaluator takes a tag for a type: read by another scheme, types would be lost."""
    with pytest.raises(spanscope.MeasureError, match="'B-A' is a type to presidio-evaluator"):
        spanscope.evaluate(TOKENS, TOKENS, "tokens.presidio_evaluator", read=spanscope.Reading(scheme="IOB2"))


CHECKED: list[tuple[Any, dict[str, Any]]] = [
    (ASKED, {"labels": ["A"]}),
    (ASKED, {"scheme": "IO"}),
    (TOKENS, {"offsets": "utf16"}),
    (CUT, {"labels": ["A"]}),
    (SPANS, {"scheme": "IO"}),
    (SPANS, {"corpus": "."}),
]


@pytest.mark.parametrize(
    ("source", "options"), CHECKED, ids=[",".join(o) + str(n) for n, (_, o) in enumerate(CHECKED)]
)
def test_check_refuses_what_it_would_not_read(source: Any, options: dict[str, Any]) -> None:
    with pytest.raises(spanscope.MeasureError, match="has no effect on"):
        spanscope.check(source, **grouped(options))


COMMANDS = [
    (("eval", "q.json", "r.json", "--examples", "2"), "passages do not have any"),
    (("eval", "gold.jsonl", "pred.jsonl", "--no-ci", "--seed", "3"), "--no-ci turns them off"),
    (("report", "gold.jsonl", "pred.jsonl", "--no-ci", "--level", "0.9"), "--no-ci turns them off"),
    (("agree", "gold.jsonl", "pred.jsonl", "--no-ci", "--resamples", "9"), "--no-ci turns them off"),
    (("agree", "gold.jsonl", "pred.jsonl", "-m", "f1", "--samples", "9"), "for gamma, which was not asked for"),
]


@pytest.mark.parametrize(("args", "words"), COMMANDS, ids=[" ".join(args) for args, _ in COMMANDS])
def test_commands_refuse_what_they_would_not_read(args: tuple[str, ...], words: str) -> None:
    Path("q.json").write_text(json.dumps(ASKED), encoding="utf-8")
    Path("r.json").write_text(json.dumps(FOUND), encoding="utf-8")
    assert words in " ".join(refused(run(*args)).split())
