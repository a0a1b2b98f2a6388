"""What people see when the input is not what it should be: a sentence with a place, exit code 2, no traceback."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import spanscope
from tests.cli import refused, run, write

TEXT = "Anna met Bob."
SPAN = {"start": 0, "end": 4, "label": "PER"}
LINE = json.dumps({"id": 1, "text": TEXT, "spans": [SPAN]}) + "\n"
INSIDE = "  expected  0 <= start <= end <= 13\n"
UTF16 = "  try       --offsets utf16   if the offsets come from JavaScript or Java\n"
NO_SPANS = (
    "  expected  spans or ents or entities, an empty list if there are none\n"
    "  try       --field spans=NAME   if they stand under another name; are gold and predictions swapped?\n"
)
NO_LABEL = (
    "  expected  label or tag or type or entity_type\n"
    "  try       --field label=NAME   if it stands under another name\n"
)
CUT_OFF = "the JSON ends too early\n  expected  a complete JSON value (was the file cut off?)\n"
DOCUMENTS_WANTED = "  expected  a list of documents, or an object of them\n"
KEYED_WANTED = "  expected  documents under items, or documents keyed by id\n"
HALF = (
    "is half of a surrogate pair\n"
    "  expected  whole characters (a text was cut inside an emoji or rare character)\n"
)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with good predictions, so that messages name short paths."""
    monkeypatch.chdir(tmp_path)
    write(Path("pred.jsonl"), LINE)


def document(**fields: Any) -> str:
    """Return a line of JSON: a document with some fields changed."""
    return json.dumps({"id": 1, "text": TEXT, "spans": [SPAN], **fields}) + "\n"


def spanned(**fields: Any) -> str:
    """Return a line of JSON: a document with one span, some of its fields changed."""
    return document(spans=[{**SPAN, **fields}])


def raw(value: str) -> str:
    """Return a document whose span ends at some JSON that Python would not write."""
    return spanned(end=0).replace('"end": 0', f'"end": {value}')


def said(name: str, content: str | bytes) -> str:
    """Return what `spanscope eval` says about a gold file."""
    return refused(run("eval", write(Path(name), content), "pred.jsonl", "-m", "spans.exact"))


# ---------------------------------------------------------------- fields of a document

FIELDS = {
    "text a number": (document(text=5), "text is 5\n  expected  a string\n"),
    "spans null": (document(spans=None), "spans is None\n  expected  a list of spans, empty if there are none\n"),
    "spans a string": (
        document(spans="x"),
        "spans is 'x'\n  expected  a list of spans, empty if there are none\n",
    ),
    "no spans": ('{"id": 1, "text": "x"}\n', f"a document has no spans (it has id, text)\n{NO_SPANS}"),
    "nothing": ("{}\n{}\n", f"a document has no spans (it has nothing)\n{NO_SPANS}"),
    "id true": (document(id=True), "id is True\n  expected  a string or a whole number\n"),
    "id a fraction": (document(id=1.5), "id is 1.5\n  expected  a string or a whole number\n"),
    "id a list": (document(id=[1]), "id is [1]\n  expected  a string or a whole number\n"),
    "a span a string": (
        document(spans=["x"]),
        "spans[0] is 'x'\n  expected  an object with start, end and label\n",
    ),
    "a span a pair": (
        document(spans=[SPAN, [0, 1]]),
        "spans[1] is [0, 1]\n  expected  an object with start, end and label\n",
    ),
    "start a string": (spanned(start="0"), "spans[0].start is '0'\n  expected  a whole number\n"),
    "no start": (
        document(spans=[{"end": 1, "label": "A"}]),
        "spans[0] has no start\n  expected  start and end, or a text without them\n",
    ),
    "end null": (
        spanned(end=None),
        "spans[0] has no end\n  expected  start and end, or a text without them\n",
    ),
    "label a number": (spanned(label=3), "spans[0].label is 3\n  expected  a string\n"),
    "label null": (spanned(label=None), "spans[0].label is None\n  expected  a string\n"),
    "label reserved": (
        spanned(label="*"),
        "spans[0].label is '*'\n  expected  another name: '*' stands for all labels together\n",
    ),
    "no label": (
        document(spans=[{"start": 0, "end": 1}]),
        f"spans[0] has no label (it has start, end)\n{NO_LABEL}",
    ),
    "span text a number": (spanned(text=4), "spans[0].text is 4\n  expected  a string\n"),
}
OFFSETS = {
    "negative": (spanned(start=-3), f"spans[0].start is -3, before the start of the text\n{INSIDE}"),
    "minus one": (spanned(start=-1, end=-1), f"spans[0].start is -1, before the start of the text\n{INSIDE}"),
    "reversed": (spanned(start=5), f"spans[0] ends at 4, before it starts at 5\n{INSIDE}"),
    "reversed, no text": (
        document(text=None, spans=[[5, 4, "A"]]),
        "spans[0] ends at 4, before it starts at 5\n  expected  0 <= start <= end\n",
    ),
    "end too large": (
        spanned(end=14),
        f"spans[0].end is 14, past the end of the text (13 characters)\n{INSIDE}{UTF16}",
    ),
    "start too large": (
        spanned(start=20, end=30),
        f"spans[0].start is 20, past the end of the text (13 characters)\n{INSIDE}{UTF16}",
    ),
    "the third span": (
        document(spans=[SPAN, SPAN, {**SPAN, "end": 140}]),
        f"spans[2].end is 140, past the end of the text (13 characters)\n{INSIDE}{UTF16}",
    ),
    "NaN": (raw("NaN"), "NaN is not JSON\n  expected  a number or null\n"),
    "Infinity": (raw("Infinity"), "Infinity is not JSON\n  expected  a number or null\n"),
    "-Infinity": (raw("-Infinity"), "-Infinity is not JSON\n  expected  a number or null\n"),
    "a fraction": (spanned(end=4.5), "spans[0].end is 4.5\n  expected  a whole number\n"),
    "a whole float": (spanned(end=4.0), "spans[0].end is 4.0\n  expected  a whole number\n"),
    "true": (spanned(end=True), "spans[0].end is True\n  expected  a whole number\n"),
    "past 64 bits": (
        spanned(end=2**64),
        f"spans[0].end is {2**64}, past the end of the text (13 characters)\n{INSIDE}{UTF16}",
    ),
    "past 64 bits below": (
        spanned(start=-(2**70)),
        f"spans[0].start is {-(2**70)}, before the start of the text\n{INSIDE}",
    ),
    "past 64 bits, no text": (
        document(text=None, spans=[[0, 2**64, "A"]]),
        f"spans[0].end is {2**64}\n  expected  an offset into a text\n",
    ),
    "fragments empty": (
        document(spans=[{"label": "A", "fragments": []}]),
        "spans[0].fragments is []\n  expected  a list of [start, end], at least one\n",
    ),
    "a fragment of one number": (
        document(spans=[{"label": "A", "fragments": [[0, 2], [1]]}]),
        "spans[0].fragments[1] is [1]\n  expected  [start, end]\n",
    ),
    "fragments overlap": (
        document(spans=[{"label": "A", "fragments": [[2, 5], [0, 3]]}]),
        "spans[0].fragments overlap\n  expected  fragments that share no character\n",
    ),
    "a fragment too long": (
        document(spans=[{"label": "A", "fragments": [[0, 14]]}]),
        f"spans[0].fragments[0].end is 14, past the end of the text (13 characters)\n{INSIDE}{UTF16}",
    ),
}


@pytest.mark.parametrize("name", [*FIELDS, *OFFSETS])
def test_values(name: str) -> None:
    line, message = (FIELDS | OFFSETS)[name]
    good = LINE.replace('"id": 1', '"id": 0')
    if "\n{}" not in line:
        assert said("gold.jsonl", good + line) == f"gold.jsonl:2: {message}"
        if "is not JSON" not in message:
            assert said("gold.json", f"[\n{good},\n{line}]") == f"gold.json:4: {message}"
    assert said("gold.jsonl", line) == f"gold.jsonl:1: {message}"


def test_spans_that_are_one_span() -> None:
    """An object is read as groups of spans; where it is a span itself the message must not name spans[0]."""
    assert said("gold.jsonl", document(spans=SPAN)).startswith("gold.jsonl:1: spans is {'start': 0, 'end': 4, ")


def test_offsets_under_another_name_are_not_left_aside(tmp_path: Path) -> None:
    """Entities as stanza has them: without a word they would be quotes that stand nowhere."""
    entity = {"text": "Ann", "type": "PERSON", "start_char": 0, "end_char": 3}
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps({"id": "a", "text": "Ann met", "ents": [entity]}))
    said = refused(run("eval", path, path))
    assert "spans[0] has no start and end, but start_char and end_char" in said
    assert "--field start=start_char and --field end=end_char" in said
    (document,) = spanscope.read(path, fields={"start": "start_char", "end": "end_char"}).to_dicts()
    assert document["spans"] == [{"start": 0, "end": 3, "label": "PERSON"}]
    quote = {"text": "Ann", "label": "PERSON", "from": "page 3", "to": "page 4"}  # no numbers
    assert len(spanscope.read([{"id": "a", "spans": [quote]}]).spans) == 1


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000])
def test_a_number_of_5000_digits(number: str) -> None:
    assert said("gold.jsonl", raw(number)).startswith("gold.jsonl:1: ")


def test_a_number_no_float_can_hold() -> None:
    """1e400 is JSON, so the message must not say that it is not; it names the number."""
    assert "1e400" in said("gold.jsonl", raw("1e400"))


# ---------------------------------------------------------------- JSON

JSON = {
    "cut after a comma": ("gold.jsonl", LINE + '{"id": 2,', f"gold.jsonl:2: {CUT_OFF}"),
    "cut in a text": ("gold.jsonl", LINE + LINE[:25], f"gold.jsonl:2: {CUT_OFF}"),
    "cut in a text, lines after": ("gold.jsonl", LINE + LINE[:25] + "\n" + LINE, f"gold.jsonl:2: {CUT_OFF}"),
    "cut in a list": ("gold.json", f'[\n{LINE},\n{{"id": 2', f"gold.json:4: {CUT_OFF}"),
    "cut in a text in a list": ("gold.json", f"[\n{LINE},\n{LINE[:25]}", f"gold.json:4: {CUT_OFF}"),
    "first line cut": ("gold.jsonl", LINE[:-3] + "\n" + LINE, f"gold.jsonl:1: {CUT_OFF}"),
    "a comma too many": (
        "gold.json",
        f"[\n{LINE},\n]",
        "gold.json:4: not JSON at column 1: Expecting value, at ']'\n  expected  JSON\n",
    ),
    "two on a line": (
        "gold.jsonl",
        LINE + LINE.rstrip() + LINE,
        f"gold.jsonl:2: not JSON at column {len(LINE)}: "
        'Extra data, at \'{"id": 1, "text": "...\n  expected  JSON\n',
    ),
    "Python": (
        "gold.jsonl",
        "{'id': 1, 'spans': []}\n",
        "gold.jsonl:1: not JSON at column 2: Expecting property name enclosed in double quotes, "
        "at \"'id': 1, 'spans': [...\n  expected  JSON\n",
    ),
    "CSV": (
        "gold.csv",
        "doc,start,end\n",
        "gold.csv:1: not JSON at column 1: Expecting value, at 'doc,start,end\\n'\n  expected  JSON\n",
    ),
    "CSV of several rows": (
        "gold.csv",
        "doc,start,end\n1,0,4\n",
        "gold.csv:1: is neither JSON nor CoNLL: this line has no tag\n"
        "  expected  JSON, or a tag at the end of every line: O, or a prefix and a type such as B-PER\n"
        "  try       --input conll, or --columns token=0,tag=-1, for tokens with other tags or a header row\n",
    ),
    "a string": ("gold.json", '"hello"', f"gold.json:1: the input is 'hello'\n{DOCUMENTS_WANTED}"),
    "a number": ("gold.json", "3", f"gold.json:1: the input is 3\n{DOCUMENTS_WANTED}"),
    "null": ("gold.json", "null", f"gold.json:1: the input is None\n{DOCUMENTS_WANTED}"),
    "an object of numbers": ("gold.json", '{"a": 1, "b": 2}', f"gold.json:1: the object has a, b\n{KEYED_WANTED}"),
    "an empty object": ("gold.json", "{}", f"gold.json:1: the object has nothing\n{KEYED_WANTED}"),
    "a list of numbers": (
        "gold.json",
        "[1, 2]",
        "gold.json:1[0]: a document is 1\n  expected  an object with id, text and spans\n",
    ),
    "half a character": (
        "gold.jsonl",
        LINE + LINE.replace("Anna", "An\\ud83d"),
        f"gold.jsonl:2: \\ud83d {HALF}",
    ),
    "the other half": ("gold.json", "[\n" + LINE.replace("Anna", "\\uDE00") + "]", f"gold.json:2: \\uDE00 {HALF}"),
    "half in a label": ("gold.jsonl", LINE.replace("PER", "\\udc00"), f"gold.jsonl:1: \\udc00 {HALF}"),
    "deep": (
        "gold.jsonl",
        '{"id": 1, "spans": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "gold.jsonl:1: the JSON is nested too deeply\n",
    ),
    "deep in a field nobody reads": (
        "gold.json",
        '{"id": 1, "x": ' + "[" * 5000 + "]" * 5000 + ', "spans": []}',
        "gold.json:1: the JSON is nested too deeply\n",
    ),
    "no id in the second": (
        "gold.jsonl",
        LINE + '{"spans": []}\n',
        "gold.jsonl:2: has no id, other documents have\n  expected  an id in every document\n",
    ),
    "an id repeated": (
        "gold.jsonl",
        LINE + "\n" + LINE,
        "gold.jsonl:3: the id '1' is repeated (first at gold.jsonl:1)\n  expected  one document for each id\n"
        "  try       --repeated number   to pair repeated ids in their order\n",
    ),
    "passages": (
        "gold.jsonl",
        '{"query": "q", "retrieved_passages": [{"text": "x"}]}\n' * 2,
        f"gold.jsonl:1: a document has no spans (it has query, retrieved_passages)\n{NO_SPANS}",
    ),
}


@pytest.mark.parametrize("name", JSON)
def test_json(name: str) -> None:
    file, content, message = JSON[name]
    assert said(file, content) == message


def test_predictions_of_another_family() -> None:
    write(Path("gold.jsonl"), LINE)
    write(Path("ranked.jsonl"), '{"query": "q", "retrieved_passages": []}\n' * 2)
    assert refused(run("eval", "gold.jsonl", "ranked.jsonl")) == (
        f"ranked.jsonl:1: a document has no spans (it has query, retrieved_passages)\n{NO_SPANS}"
    )


# ---------------------------------------------------------------- files

WHOLE = "write or copy it again: it is damaged, or only a part of it\n"
EMPTY = "is empty\n  expected  JSON or JSON Lines with at least one document\n"
BINARY = "is a binary file\n  expected  JSON or JSON Lines in UTF-8, perhaps packed\n"
LATIN = "byte 0xe9 is not UTF-8\n  expected  UTF-8\n  try       iconv -f latin1 -t utf-8\n"
PACKED = gzip.compress(LINE.encode() * 50, mtime=0)
FILES: dict[str, tuple[str, str | bytes, str]] = {
    "empty": ("gold.jsonl", "", f"gold.jsonl: {EMPTY}"),
    "blank": ("gold.json", " \n\n\t\r\n", f"gold.json: {EMPTY}"),
    "a byte order mark": ("gold.json", b"\xef\xbb\xbf", f"gold.json: {EMPTY}"),
    "gzip of nothing": ("gold.jsonl.gz", gzip.compress(b""), f"gold.jsonl.gz: {EMPTY}"),
    "binary": ("gold.png", b"\x89PNG\r\n\x1a\n\0\0\0", f"gold.png: {BINARY}"),
    "UTF-16": (
        "gold.jsonl",
        LINE.encode("utf-16")[:-1],
        "gold.jsonl: is not whole text in UTF-16 (truncated data, after 0 characters)\n"
        "  expected  UTF-8, or whole UTF-16\n",
    ),
    "UTF-16 without a mark": ("gold.jsonl", LINE.encode("utf-16-le"), f"gold.jsonl: {BINARY}"),
    "Latin-1": (
        "gold.jsonl",
        (LINE + LINE.replace("Anna", "René")).encode("latin-1"),
        f"gold.jsonl:2: {LATIN}",
    ),
    "Latin-1 in a list": (
        "gold.json",
        f"[\n\n{LINE.replace('Anna', 'René')}]".encode("latin-1"),
        f"gold.json:3: {LATIN}",
    ),
    "gzip cut off": (
        "gold.jsonl.gz",
        PACKED[:-12],
        "gold.jsonl.gz: is not a whole gzip file (it ends too early)\n  try       " + WHOLE,
    ),
    "gzip of nonsense": (
        "gold.jsonl.gz",
        b"\x1f\x8bhello world",
        "gold.jsonl.gz: is not a whole gzip file (unknown compression method)\n  try       " + WHOLE,
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_files(name: str) -> None:
    file, content, message = FILES[name]
    assert said(file, content) == message


def test_no_such_file() -> None:
    write(Path("gold.jsonl"), LINE)
    for name, hint in (
        ("gold.jsnl", "  try       gold.jsonl, pred.jsonl\n"),
        ("zebra", ""),
        ("nowhere/gold.jsonl", ""),
    ):
        assert refused(run("eval", name, "pred.jsonl")) == f"{name}: there is no such file\n{hint}"
    assert refused(run("check", "gold.jsonl", "missing.txt")) == "missing.txt: there is no such file\n"


def test_a_folder() -> None:
    Path("folder").mkdir()
    message = "holds no file of data\n  expected  files of one format, or a folder of a known tool\n"
    assert refused(run("eval", "folder", "pred.jsonl")) == f"folder: {message}"
    assert refused(run("eval", "pred.jsonl", "folder")) == f"folder: {message}"
    write(Path("gold.jsonl"), LINE)
    assert refused(run("eval", "gold.jsonl/x", "pred.jsonl")) == "gold.jsonl/x: cannot be read (Not a directory)\n"


@pytest.mark.parametrize("name", ["", "gold\0.jsonl", "g" * 5000])
def test_names_that_cannot_be_files(name: str) -> None:
    assert ": " in refused(run("eval", name, "pred.jsonl"))


# ---------------------------------------------------------------- the real command


def test_the_installed_command() -> None:
    """Once through a real process: the same sentence on standard error, and nothing on standard output."""
    write(Path("gold.jsonl"), LINE + "{]")
    command = [sys.executable, "-c", "from spanscope.cli import main; main()", "eval", "gold.jsonl", "pred.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == refused(run("eval", "gold.jsonl", "pred.jsonl"))


def test_answers_of_a_model_are_refused_with_the_option_that_reads_them() -> None:
    write(Path("gold.jsonl"), LINE + document(id=2))
    said = [json.dumps({"id": one, "output": '[{"text": "Anna", "label": "PER"}]'}) for one in (1, 2)]
    message = refused(run("eval", "gold.jsonl", write(Path("said.jsonl"), "\n".join(said))))
    assert "said.jsonl:1: a document has no spans (it has id, output)\n" in message
    assert "  try       --locate   if output is what a language model answered" in message
    assert run("eval", "gold.jsonl", "said.jsonl", "--locate", "--no-ci").code == 0


def test_fields_that_are_null_say_nothing_of_what_a_file_is() -> None:
    """A sample of presidio-evaluator from a table with columns that only other rows fill."""
    sample = {"full_text": TEXT, "spans": [SPAN], "tokens": None, "tags": None}
    write(Path("gold.json"), json.dumps([sample]))
    assert run("eval", "gold.json", "pred.jsonl", "--no-ci").code == 0
