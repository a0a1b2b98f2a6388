"""What a file is: one table, the same answer in every command, and one look at the file."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope.errors import InputError, MeasureError, SpanscopeError
from spanscope.families import FAMILIES, family_of
from spanscope.io import detect
from spanscope.io.detect import FORMATS, NAMES, recognise
from spanscope.io.head import CUT, Head
from spanscope.io.passages.judged import DOCUMENT, NUMBER, QUERY
from spanscope.io.passages.names import FIELDS
from spanscope.io.pipes import hold
from spanscope.io.read_options import ReadOptions
from spanscope.io.tokens.tag_rules import TagRules
from tests.cli import GOLD, PRED, TRACES, environment, refused, run, write

FILES = Path(__file__).parents[1] / "samples"  # one small corpus as other tools write it
SPAN = {"start": 0, "end": 4, "label": "PER"}
SAMPLES: dict[str, tuple[str, str]] = {
    "spans.jsonl": ("spans", (json.dumps({"id": 1, "text": "Anna", "spans": [SPAN]}) + "\n") * 2),
    "list.json": ("spans", json.dumps([{"id": 1, "text": "Anna", "entities": [SPAN]}])),
    "document.json": ("spans", json.dumps({"id": 1, "text": "Anna", "ents": [SPAN]}, indent=1)),
    "keyed.json": ("spans", json.dumps({"d1": {"text": "Anna", "spans": [SPAN]}})),
    "keyed_lists.json": ("spans", json.dumps({"d1": [SPAN], "d2": []})),
    "wrapped.json": ("spans", json.dumps({"schema": ["PER"], "items": [{"text": "Anna", "spans": [SPAN]}]})),
    "pairs.jsonl": ("spans", '["Anna", {"entities": [[0, 4, "PER"]]}]\n["Bob", {"entities": []}]\n'),
    "lists.json": ("spans", json.dumps([[SPAN], []])),
    "no_spans.json": ("spans", json.dumps([[], []])),
    "nothing.json": ("spans", "[]"),
    "late.jsonl": ("spans", '{"id": 0}\n{"id": 1, "spans": []}\n'),
    "both.jsonl": ("spans", json.dumps({"text": "Anna", "spans": [SPAN], "segments": [[0, 4]]})),
    "segments.jsonl": ("segments", '{"id": 1, "masses": [3, 4]}\n{"id": 2, "masses": [7]}\n'),
    "traces.json": ("segments", json.dumps({"traces": [{"length": 4, "segmentations": {"A": [[0, 4]]}}]})),
    "task.json": ("labelstudio-spans", json.dumps([{"id": 1, "data": {"text": "a"}, "annotations": []}])),
    "tokens.jsonl": ("tokens", '{"tokens": ["a"], "tags": ["O"]}\n{"tokens": ["b"], "tags": ["O"]}\n'),
    "words.json": ("tokens", json.dumps({"data": [{"words": ["a"], "ner_tags": ["O"]}]})),
    "tags.json": ("tags", json.dumps([[], ["B-PER", "O"]])),
    "tags.jsonl": ("tags", '["B-PER", "O"]\n["O"]\n'),
    "one.json": ("tags", json.dumps(["B-PER", "O"])),
    "a.conll": ("conll", "Anna B-PER\nmet O\n\nBob B-PER\n"),
    "bracket.conll": ("conll", "[ O\nAnna B-PER\n] O\n"),
    "comment.conll": ("conll", "# text = Anna\nAnna\tB-PER\n"),
    "snippets.json": ("passages", json.dumps({"tests": [{"query": "q", "snippets": []}]})),
    "retrieved.jsonl": ("passages", '{"query": "q", "retrieved_passages": []}\n' * 2),
    "squad.json": ("squad", json.dumps({"version": "2", "data": [{"title": "t", "paragraphs": []}]})),
    "judged.json": ("judgements", json.dumps({"q1": {"d1": 1, "d2": 0}, "q2": {}})),
    "a.qrels": ("trec", "q1 0 d1 1\nq1 0 d2 0\n"),
    "a.run": ("trec", "q1 Q0 d1 1 2.5 B-25\n"),
    "beir.tsv": ("trec", "query-id\tcorpus-id\tscore\nq1\td1\t1\n"),
}


def samples(folder: Path) -> dict[str, Path]:
    return {name: write(folder / name, content) for name, (_, content) in SAMPLES.items()}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_is_claimed_by_one_format(name: str, tmp_path: Path) -> None:
    expected, content = SAMPLES[name]
    path = write(tmp_path / name, content)
    assert recognise(path).name == recognise(str(path)).name == recognise(hold(path)).name == expected
    found, _ = detect._claims(Head(path), ReadOptions(), FORMATS)
    assert [one.name for one in found] == [expected]


OBJECTS: list[tuple[Any, str]] = [
    ([{"spans": [SPAN]}], "spans"),
    ([[SPAN], []], "spans"),
    ([], "spans"),
    ({"doc": [1], "start": [0], "end": [4], "label": ["PER"]}, "columns"),
    ({"token": ["a"], "annotation": ["O"]}, "token-rows"),
    ([["O", "B-PER"]], "tags"),
    ([{"tokens": ["a"], "tags": ["O"]}], "tokens"),
    ([{"masses": [3]}], "segments"),
    ({"q1": {"d1": np.int64(1)}}, "judgements"),
    ([{"query": "q", "answers": ["a"]}], "passages"),
]


@pytest.mark.parametrize(("value", "expected"), OBJECTS)
def test_objects_are_recognised_as_files_are(value: Any, expected: str) -> None:
    assert recognise(value).name == expected


def test_names_of_columns_are_the_callers() -> None:
    columns = {"doc": [1], "from": [0], "to": [4], "label": ["PER"]}
    assert recognise(columns, {"start": "from", "end": "to"}).name == "columns"
    assert recognise([{"marks": [SPAN]}], {"spans": "marks"}).name == "spans"
    assert recognise([{"raw": {"A": [[0, 4]]}}], {"segmentations": "raw"}).name == "segments"


# ---------------------------------------------------------------- every command


def answer(call: Any) -> str:
    """Return the family that a command takes its sources for, or the first line of its refusal."""
    try:
        return str(call())
    except SpanscopeError as error:
        return str(error).partition("\n")[0]


@pytest.mark.parametrize(
    "name", [name for name, (kind, _) in SAMPLES.items() if not kind.startswith("labelstudio")]
)
def test_commands_give_the_same_answer(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / name, SAMPLES[name][1])
    family = FAMILIES[recognise(path).family]
    asked: list[str] = []
    true = detect.recognise

    def watched(source: Any, *given: Any, **more: Any) -> Any:
        found = true(source, *given, **more)
        asked.append(found.family)
        return found

    for module in (
        "spanscope.engines.load",
        "spanscope.engines.sources",
        "spanscope.io.passages.reading",
        "spanscope.io.tokens.reading",
    ):
        monkeypatch.setattr(f"{module}.recognise", watched)
    calls = {
        "eval": lambda: spanscope.evaluate(path, path, ci=False),
        "check": lambda: spanscope.check(path, path),
        "agree": lambda: spanscope.agree(path, path, measures=["f1"], ci=False),
        "compare": lambda: spanscope.compare(path, path, path),
    }
    for command, call in calls.items():
        asked.clear()
        answer(call)
        assert {*asked} == {family.name}, command


def test_what_load_and_check_took_for_different_things(tmp_path: Path) -> None:
    """Segments to eval, tokens to check, before there was one table."""
    document = {"id": 1, "text": "a b", "tokens": ["a", "b"], "tags": ["O", "O"], "segments": [[0, 3]]}
    path = write(tmp_path / "d.jsonl", [document, {**document, "id": 2}])
    want = (
        f"{path}:1: a document with id, text, tokens, tags, segments can be read in 2 ways: tokens, segments\n"
        "  expected  documents with tokens and tags; or documents with segmentations, segments, boundaries, "
        "masses or string\n"
        "  try       --input tokens or --input segments   to say which\n"
    )
    for command in (["eval", path, path], ["check", path], ["agree", path, path], ["compare", path, path, path]):
        assert " ".join(refused(run(*command)).split()) == " ".join(want.split()), command
    assert (
        spanscope.evaluate(path, path, read=spanscope.Reading(input="segments"), ci=False).settings.protocol.name
        == "segments"
    )
    assert (
        spanscope.evaluate(path, path, read=spanscope.Reading(input="tokens"), ci=False).settings.protocol.name
        == "spans"
    )
    assert (
        spanscope.check(path, read=spanscope.Reading(input="tokens"))
        == spanscope.check(path, read=spanscope.Reading(input="segments"))
        == []
    )
    assert spanscope.agree(path, path, read=spanscope.Reading(input="segments"), ci=False).family == "segments"
    assert "Protocol   segments" in run("eval", path, path, "--input", "segments").out


def test_what_nothing_claims(tmp_path: Path) -> None:
    path = write(tmp_path / "d.jsonl", [{"id": 1, "marks": []}] * 2)
    for command in (["eval", path, path], ["check", path], ["agree", path, path], ["eval", path]):
        message = " ".join(refused(run(*command)).split())
        assert message.startswith(
            f"{path}:1: no format has documents with id, marks expected documents with spans"
        )
        assert message.endswith(
            "--field spans=NAME if spans have another name, or --input NAME for the format; "
            "`spanscope formats` lists all"
        )
    assert (
        spanscope.check(path, read=spanscope.Reading(fields={"spans": "marks"})) != []
    )  # the ids are alike: it is read
    with pytest.raises(InputError, match="a document has no spans"):
        spanscope.evaluate(path, path, read=spanscope.Reading(input="spans"))
    with pytest.raises(InputError, match=r"^no format has documents with marks"):
        spanscope.evaluate([{"marks": []}], [])
    with pytest.raises(InputError, match=r"d\.jsonl:1: no format has documents with 2 fields"):
        spanscope.evaluate(path, path, text="masked")


@pytest.mark.parametrize(
    ("document", "nearest"),
    [
        (
            {"id": 1, "text": "good", "label": ["pos"]},
            "doccano's documents: a text, and label",
        ),
        ({"page_content": "abc", "metadata": {}, "type": "Document"}, "queries with LangChain's documents"),
        ({"sentences": ["a"], "headline": "b"}, "sentences with a label each"),
    ],
)
def test_the_nearest_formats_are_named(document: dict[str, Any], nearest: str) -> None:
    with pytest.raises(InputError, match=r"^no format has documents with") as refusal:
        spanscope.read([document])
    assert refusal.value.expected.startswith(nearest)
    assert refusal.value.expected in str(refusal.value)  # whole: a message that is too long is cut


@pytest.mark.parametrize(
    ("name", "near"), [("retrieved_passages", "passages"), ("snippets", "answers"), ("lable", "label")]
)
def test_names_of_fields_that_are_none_are_named_first(name: str, near: str) -> None:
    """Under another name for a field that is none, a document is in no format: that says less."""
    with pytest.raises(InputError, match=f"no field is called '{name}'; did you mean '{near}'"):
        spanscope.read([{"frage": "q", "chunks": ["a"]}], fields={"query": "frage", name: "chunks"})


def test_the_four_columns_of_conll2003_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "c.txt", "EU NNP B-NP B-ORG\nrejects VBZ B-VP O\n")
    assert recognise(path).name == "conll"
    assert "the last two columns have no type in common" in refused(run("eval", path))
    assert spanscope.evaluate(path, path, ci=False).value("f1") == 1


# ---------------------------------------------------------------- said


def test_every_name_is_taken(tmp_path: Path) -> None:
    assert {*FAMILIES} <= {*NAMES}
    for name, path in samples(tmp_path).items():
        kind = SAMPLES[name][0]
        assert recognise(path, tags=TagRules(input=kind)).name == kind


def test_an_input_of_another_family(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", SAMPLES["spans.jsonl"][1])
    with pytest.raises(MeasureError, match="input is segments, which holds segments, and spans are asked for"):
        spanscope.evaluate(path, path, protocol="reqflow", read=spanscope.Reading(input="segments"))
    with pytest.raises(MeasureError, match="input is trec, which holds passages, and segments are asked for"):
        spanscope.evaluate(path, path, protocol="segments", read=spanscope.Reading(input="trec"))


def test_a_panel_can_be_said(tmp_path: Path) -> None:
    assert (
        spanscope.panel(TRACES, read=spanscope.Reading(input="segments"), ci=False).names
        == spanscope.panel(TRACES, ci=False).names
    )
    assert "Protocol  segments" in run("eval", TRACES, "--input", "segments", "--no-ci").out


# ---------------------------------------------------------------- one look


def test_eval_opens_gold_once(tmp_path: Path) -> None:
    """Once to score it. The program itself looks at eight bytes before: may it crash over a table?"""
    code = (
        "import sys\n"
        "seen = []\n"
        "sys.addaudithook(lambda e, a: seen.append(str(a[0])) if e == 'open' else None)\n"
        "from spanscope.commands.evaluate import evaluate\n"
        "evaluate(*sys.argv[1:], ci=False)\n"
        "print([seen.count(name) for name in sys.argv[1:]])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(GOLD), str(PRED)],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    assert done.stdout == "[1, 1]\n"


def _as_rows(documents: list[dict[str, Any]]) -> list[tuple[str, int, int, str]]:
    return [(one["id"], span["start"], span["end"], span["label"]) for one in documents for span in one["spans"]]


@pytest.mark.parametrize("form", ["jsonl", "json", "csv", "conll", "parquet"])
def test_the_command_opens_every_input_once(tmp_path: Path, form: str) -> None:
    """That it may crash over a table is seen from the same opening as what it is, and as what it holds."""
    pandas = pytest.importorskip("pandas")
    files = [tmp_path / f"{side}.{form}" for side in ("gold", "pred")]
    for path, example in zip(files, (GOLD, PRED), strict=True):
        documents = [json.loads(line) for line in example.read_text(encoding="utf-8").splitlines()]
        frame = pandas.DataFrame(_as_rows(documents), columns=["doc", "start", "end", "label"])
        if form == "parquet":
            pytest.importorskip("pyarrow")
            frame.to_parquet(path)
        else:
            text = {
                "jsonl": example.read_text(encoding="utf-8"),
                "json": json.dumps(documents),
                "csv": frame.to_csv(index=False),
                "conll": "EU B-ORG\nrejects O\nGerman B-MISC\n\n" * 20,
            }
            path.write_text(text[form], encoding="utf-8")
    code = (
        "import sys\n"
        "seen = []\n"
        "sys.addaudithook(lambda e, a: seen.append(str(a[0])) if e == 'open' else None)\n"
        "from spanscope.cli import main\n"
        "sys.argv = ['spanscope', 'eval', *sys.argv[1:], '--no-ci', '-m', 'spans.exact', '--missing', 'skip']\n"
        "sys.argv += ['--extra', 'skip']\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as stop:\n"
        "    print(stop.code, [seen.count(name) for name in sys.argv[2:4]], file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, files)],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    assert "[1, 1]\n" in done.stderr.replace("0 [", "["), done.stderr


def test_a_file_is_looked_at_as_it_was_opened(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", SAMPLES["spans.jsonl"][1])
    source = hold(path)
    path.unlink()
    assert recognise(source).name == "spans"
    assert source == str(path)


def test_large_files_are_not_read_to_tell_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    line = json.dumps({"id": 1, "text": "x" * 10_000, "spans": []}).encode() + b"\n"
    path.write_bytes(line * 1_000)
    source = hold(path)
    recognise(source)
    assert len(source.kept) == 1 << 22 < path.stat().st_size


# ---------------------------------------------------------------- families


def test_a_familys_name_and_page() -> None:
    assert [one.page for one in FAMILIES.values()] == ["segments", "spans", "passages", "spans"]
    assert {one.family for one in FORMATS} == {*FAMILIES}
    assert family_of("mine").labelled
    assert family_of("mine").name == "mine"


def test_samples_of_other_tools() -> None:
    """What today's readers can read, by where it comes from."""
    expected = {
        **dict.fromkeys(("plain/gold.jsonl", "compressed/gold.jsonl.gz", "frames/documents.parquet"), "spans"),
        **dict.fromkeys(("folder_per_document/d1.json", "huggingface/gliner.json"), "spans"),
        **dict.fromkeys(("prodigy/gold.jsonl", "prodigy/review.jsonl"), "prodigy"),
        **dict.fromkeys(("doccano/gold.jsonl", "doccano/export.zip"), "doccano"),
        **dict.fromkeys(("spacy/tuples.json", "spacy/tuples.jsonl", "presidio/input_samples.json"), "spans"),
        **dict.fromkeys(("conll/both.conll", "conll/comments.conll", "conll/conll2003.txt"), "conll"),
        **dict.fromkeys(("trec/qrels.txt", "trec/run.txt", "beir/qrels/test.tsv"), "trec"),
        **dict.fromkeys(("ranx/qrels.json", "ranx/run.json", "beir/run.json"), "judgements"),
        **{"squad/squad2.json": "squad", "squad/hf_rows.jsonl": "squad-rows", "legalbench/bench.json": "passages"},
        **{"ragas/new.jsonl": "ragas", "langchain/retrieved.jsonl": "langchain", "beir": "beir"},
        **{"llamaindex/retrieved.jsonl": "llamaindex", "squad/predictions.json": "answers"},
        **dict.fromkeys(
            ("labelstudio/full.json", "labelstudio/two_annotators.json", "labelstudio/one.csv"),
            "labelstudio-spans",
        ),
    }
    assert {name: recognise(FILES / name).name for name in expected} == expected


@pytest.mark.parametrize("filler", [10, 10_000], ids=["short", "long"])
@pytest.mark.parametrize("blank", ["", "\n \n"], ids=["dense", "blank lines"])
def test_a_late_document_shows_the_format_however_long_those_before_it_are(
    tmp_path: Path, filler: int, blank: str
) -> None:
    plain = json.dumps({"id": "a", "text": "Anna" + " " * filler, "spans": []})
    late = json.dumps({"text": "Anna", "spans": [SPAN], "answer": "accept", "_input_hash": 1, "_task_hash": 1})
    others = [plain] * 10
    file = write(tmp_path / "late.jsonl", "\n".join([*others, late, *others, *others]).replace("\n", "\n" + blank))
    assert recognise(hold(str(file))).name == recognise(hold(str(write(tmp_path / "late.1", late)))).name


def test_what_nothing_shows_is_said_of_objects_too() -> None:
    """Token numbers with the last one included, and whole numbers by query: the caller knows, nobody else can."""
    spans = [[{"label": "PER", "start": 0, "end": 0}, {"label": "LOC", "start": 2, "end": 3}]]
    corpus = spanscope.read(spans, input="nervaluate")
    assert corpus.to_dicts()[0]["spans"] == [
        {"start": 0, "end": 1, "label": "PER"},
        {"start": 2, "end": 4, "label": "LOC"},
    ]
    with pytest.raises(spanscope.MeasureError, match="input says what a file is, and there is none"):
        spanscope.read(spans, input="brat")


ROWS = (  # what documents have under the fields that formats are known by
    *({"start": 0, "end": 4, "label": "PER", "score": 0.5}, {"entity": "PER", "index": 1, "start": 0, "end": 4}),
    *(
        {"start_offset": 0, "end_offset": 4, "label": "PER"},
        {"extraction_class": "PER"},
        {"offset": 0},
        [0, 4, "PER"],
    ),
    *({"is_selected": 1, "page_content": "a"}, {"start_char_idx": 0}, {"meta": {"split_idx_start": 0}}),
)
VALUES = st.one_of(
    st.sampled_from(
        ["Anna", 0, 1, None, {}, [], {"PER": []}, {"text": ["a"], "answer_start": [0]}, ["B-PER"], CUT]
    ),
    st.sampled_from(ROWS).map(lambda row: [row]),
)
KEYS = {str(key) for one in FORMATS if one.keys and not callable(one.keys) for key in one.keys}
NAMED = sorted(KEYS | FIELDS | {*QUERY, *DOCUMENT, *NUMBER})
NAMED += [
    "%FEATURE_STRUCTURES",
    "offset_type",
    "ner",
    "infons",
    "document_id",
    "index",
    "start",
    "end",
    "raw_text",
]
NAMED += ["token_annotation", "_task_hash", "lead_time", "Comments", "entity_group", "ctxs"]
NAMED += ["token", "word", "tag", "Tag", "ner", "sentence_id", "stop"]


@given(st.dictionaries(st.sampled_from(NAMED), VALUES, max_size=6))
def test_a_format_claims_only_objects_that_have_one_of_its_keys(document: dict[str, Any]) -> None:
    """What is not asked about a document would not have claimed it."""
    head, options = Head([document]), ReadOptions()
    asked = [one.name for one in FORMATS if one.record and one.may_claim(document)]
    claiming = [one.name for one in FORMATS if one.record and one.record(document, head, options)]
    assert set(claiming) <= {*asked}


def test_keys_say_which_formats_are_asked() -> None:
    """Few of the formats that documents show are asked about plain documents with spans."""
    rows = [one for one in FORMATS if one.record]
    asked = [one.name for one in rows if one.may_claim({"id": 1, "text": "Anna", "spans": [SPAN]})]
    assert "spans" in asked
    assert len(asked) * 2 < len(rows)
