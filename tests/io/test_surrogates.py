"""Half of a surrogate pair in a string of Python's: refused when it is read, as in JSON files, in every family."""

import copy
import sys
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.viewer import render
from spanscope.viewer import write as write_page
from tests.cli import refused, run, write

HALF = "x\ud83dy"
Json = dict[str, Any]
DOCUMENT: Json = {"id": "a", "text": "abcdef", "spans": [{"start": 0, "end": 3, "label": "A", "text": "abc"}]}
TOKENS: Json = {"id": "a", "text": "A b", "tokens": ["A", "b"], "tags": ["B-X", "O"]}
SEGMENTS: Json = {
    "id": "a",
    "text": "abcdef",
    "segments": [{"start": 0, "end": 3, "label": "p"}, {"start": 3, "end": 6, "label": "q"}],
}
GOLD: Json = {"id": "1", "query": "q", "snippets": [{"text": "abc", "file_path": "f", "span": [0, 3]}]}
PRED: Json = {"id": "1", "query": "q", "retrieved_passages": [{"text": "abc", "file_path": "f", "span": [0, 3]}]}
COLUMNS: Json = {"doc": ["a", "b"], "start": [0, 0], "end": [1, 1], "label": ["A", "A"], "text": ["a", "b"]}


def changed(value: Any, *path: Any, to: str = HALF) -> Any:
    """Return a copy with another string at the end of the path."""
    out = at = copy.deepcopy(value)
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return out


def first_line(gold: Any, pred: Any) -> str:
    with pytest.raises(spanscope.InputError) as caught:
        spanscope.evaluate(gold, pred)
    return str(caught.value).splitlines()[0]


IN_DOCUMENTS = [
    (DOCUMENT, ("id",), "id"),
    (DOCUMENT, ("text",), "text"),
    (DOCUMENT, ("spans", 0, "label"), "spans[0].label"),
    (DOCUMENT, ("spans", 0, "text"), "spans[0].text"),
    (TOKENS, ("id",), "id"),
    (TOKENS, ("text",), "text"),
    (TOKENS, ("tokens", 1), "tokens[1]"),
    (TOKENS, ("tags", 1), "tags[1]"),
    (SEGMENTS, ("id",), "id"),
    (SEGMENTS, ("text",), "text"),
    (SEGMENTS, ("segments", 1, "label"), "segments[1].label"),
]


@pytest.mark.parametrize(("document", "path", "what"), IN_DOCUMENTS)
def test_documents(document: Json, path: tuple[Any, ...], what: str) -> None:
    """The second document has it; the message says which one, and in which field."""
    both = [{**document, "id": "first"}, changed(document, *path)]
    assert first_line(both, both) == f"gold[1]: {what} has \\ud83d, half of a surrogate pair, at character 1"
    assert first_line([both[0]], both).startswith("pred[1]: ")


@pytest.mark.parametrize(
    ("column", "what"),
    [("doc", "'x\\ud83dy': id"), ("label", "'b': spans[0].label"), ("text", "'b': spans[0].text")],
)
def test_columns(column: str, what: str) -> None:
    own = changed(COLUMNS, column, 1)
    said = first_line(own, own)
    assert said == f"gold document {what} has \\ud83d, half of a surrogate pair, at character 1"


@pytest.mark.parametrize(
    ("gold", "pred", "where"),
    [
        (changed(GOLD, "id"), PRED, "gold[0]: id"),
        (changed(GOLD, "query"), PRED, "gold[0]: query"),
        (changed(GOLD, "snippets", 0, "text"), PRED, "gold[0]: the text of a passage"),
        (GOLD, changed(PRED, "retrieved_passages", 0, "text"), "pred[0]: the text of a passage"),
        (GOLD, changed(PRED, "retrieved_passages", 0, "file_path"), "pred[0]: the file_path of a passage"),
        (GOLD, changed(PRED, "retrieved_passages", 0, "id"), "pred[0]: the id of a passage"),
    ],
)
def test_passages(gold: Json, pred: Json, where: str) -> None:
    assert first_line([gold], [pred]) == f"{where} has \\ud83d, half of a surrogate pair, at character 1"


def test_numbers_by_query_and_document() -> None:
    assert first_line({"q": {HALF: 1}}, {"q": {"d": 0.5}}).startswith("gold['q']: a document's name has \\ud83d")
    assert first_line({"q": {"d": 1}}, {HALF: {"d": 0.5}}).startswith("pred: the query has \\ud83d")


def test_other_shapes() -> None:
    tags = [["O"], ["B-X", f"I-{HALF}"]]
    assert first_line(tags, tags).startswith("gold[1]: tags[1] has \\ud83d")
    frame = {"sentence_id": [0, 1], "token": ["a", HALF], "annotation": ["O", "O"], "prediction": ["O", "O"]}
    assert first_line(frame, None).startswith("gold: token[1] has \\ud83d")
    panel = [{"id": "a", "text": "abcdef", "segmentations": {"g": {"boundaries": [2]}, HALF: {"boundaries": [2]}}}]
    with pytest.raises(spanscope.InputError, match=r"a name in segmentations has \\ud83d"):
        spanscope.panel(panel)
    with pytest.raises(spanscope.InputError, match=r"^annotator 1\[0\]: id has \\ud83d"):
        spanscope.agree([changed(DOCUMENT, "id")], [DOCUMENT])
    keyed = {HALF: DOCUMENT["spans"]}
    assert first_line(keyed, keyed).startswith("gold[0]: id has \\ud83d")


@pytest.mark.parametrize("protocol", ["reqflow-v1", "reqflow-v2"])
@pytest.mark.parametrize(("path", "what"), [(("text",), "text"), (("spans", 0, "text"), "spans[0].text")])
def test_protocols_that_read_by_their_own_rules(protocol: str, path: tuple[Any, ...], what: str) -> None:
    own = {"id": 7, "text": "abcdef", "spans": [{"start": 0, "end": 3, "tag": "Action", "text": "abc"}]}
    with pytest.raises(spanscope.InputError) as caught:
        spanscope.evaluate([changed(own, *path)], [own], protocol=protocol)
    assert str(caught.value).startswith(f"gold id 7: {what} has \\ud83d, half of a surrogate pair")


def test_the_low_half_is_one_too() -> None:
    own = [changed(DOCUMENT, "text", to="abcde\ude00")]
    assert first_line(own, own) == "gold[0]: text has \\ude00, half of a surrogate pair, at character 5"


def test_check_lists_them() -> None:
    found = spanscope.check([DOCUMENT, changed(DOCUMENT, "id"), changed(DOCUMENT, "spans", 0, "label")])
    said = [(problem.kind, problem.what.split(" has ")[0]) for problem in found if "surrogate" in problem.what]
    assert said == [("bad document", "id"), ("bad span", "spans[0].label")]


@pytest.mark.parametrize("document", [DOCUMENT, TOKENS, SEGMENTS])
def test_whole_characters_are_read(document: Json) -> None:
    """A character that JSON and other languages write as two halves is one in Python."""
    own = [{**document, "id": "é😀"}]
    assert '"documents": 1' in spanscope.evaluate(own, own).to_json().replace('"documents":1', '"documents": 1')


def test_as_in_files(tmp_path: Any) -> None:
    """The words of the reader of JSON."""
    path = write(tmp_path / "half.json", b'[{"id": "\\ud83d", "spans": []}]')
    assert "\\ud83d is half of a surrogate pair" in refused(run("eval", path, path))


# ---------------------------------------------------------------- keywords and names of files

BOTH = [DOCUMENT, {**DOCUMENT, "id": "b"}]
KEYWORDS: dict[str, Any] = {
    "meta": lambda: spanscope.evaluate(BOTH, BOTH, meta={"a": HALF}),
    "the name in meta": lambda: spanscope.evaluate(BOTH, BOTH, meta={HALF: "a"}),
    "labels": lambda: spanscope.evaluate(BOTH, BOTH, labels=[HALF]),
    "mapping": lambda: spanscope.evaluate([TOKENS], [TOKENS], read=spanscope.Reading(mapping={"X": HALF})),
    "field": lambda: spanscope.evaluate(BOTH, BOTH, read=spanscope.Reading(fields={"label": HALF})),
    "the name of a run": lambda: spanscope.compare(BOTH, (HALF, BOTH), ("b", BOTH)),
    "names": lambda: spanscope.agree(BOTH, BOTH, names=[HALF, "b"]),
    "title": lambda: render(spanscope.evaluate(BOTH, BOTH), title=HALF),
}


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_keywords(keyword: str) -> None:
    """What is taken must be fit to be written."""
    with pytest.raises(
        spanscope.MeasureError, match=r"ha(s|ve) \\ud83d, half of a surrogate pair, at character 1"
    ):
        KEYWORDS[keyword]()


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("eval {0} {1} --field label=x\udcff", "field has"),
        ("eval {0} {1} --meta a=x\udcff", "meta has"),
        ("eval {0} {1} --meta x\udcff=a", "meta has"),
        ("eval {0} {1} --labels x\udcff", "labels have"),
        ("eval {0} {1} --map A=x\udcff", "mapping has"),
        ("report {0} {1} --title x\udcff", "title has"),
        ("compare {0} x\udcff={1} b={1}", "the name of a run has"),
        ("agree {0} {1} --names x\udcff,b", "names have"),
    ],
)
def test_typed_bytes_that_are_not_utf8(command: str, what: str, tmp_path: Path) -> None:
    """Python gives a program such bytes as halves of surrogate pairs."""
    files = [write(tmp_path / name, BOTH) for name in ("g.jsonl", "p.jsonl")]
    err = refused(run(*command.format(*files).split(" ")))
    assert err == f"{what} the byte 0xff at character 1\n  expected  UTF-8\n"


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are any bytes on Linux only")
@pytest.mark.parametrize(
    "command",
    [
        *(f"eval {{0}} {{1}} -f {form}" for form in ("table", "json", "csv", "markdown", "latex")),
        "eval {0} {1} -f json --memory totals",
        "eval {0} {1} -f json --html {out}",
        "report {0} {1} -o {out}",
        *(f"compare {{0}} {{1}} {{2}} -f {form}" for form in ("table", "json", "csv", "markdown")),
        "compare {0} a={1} b={2} -f json --html {out}",
        *(f"agree {{0}} {{1}} --no-ci -f {form}" for form in ("table", "json", "csv", "markdown")),
        "check {0} {1}",
    ],
)
def test_names_of_files_that_are_not_utf8(command: str, tmp_path: Path) -> None:
    """They are read as they are called, and written so that every file can hold them."""
    files = [write(tmp_path / f"{name}\udcff.jsonl", BOTH) for name in ("g", "p", "q")]
    done = run(*command.format(*files, out=tmp_path / "page\udcff.html").split(" "))
    assert (done.code, "error" in done.err) == (0, False)
    if " json" in command:
        assert r"p\\xff" in done.out
    if "{out}" in command:
        assert (tmp_path / "page\udcff.html").read_bytes().decode()


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are any bytes on Linux only")
def test_a_page_over_an_input_whose_name_is_not_utf8(tmp_path: Path) -> None:
    path = write(tmp_path / "g\udcff.jsonl", BOTH)
    with pytest.raises(spanscope.InputError, match="and the page would overwrite it"):
        write_page(spanscope.evaluate(path, BOTH), path)
