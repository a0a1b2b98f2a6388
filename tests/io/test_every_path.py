"""What a corpus holds counts on every path: fragments, other names of fields, repeated ids, texts."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spanscope import Running, Scoring
from spanscope.commands.evaluate import evaluate
from spanscope.engines import streaming
from spanscope.errors import DocumentError, InputError
from spanscope.io import line_blocks as blocks
from spanscope.io.reading import read
from spanscope.settings.options import grouped
from tests.differential import table
from tests.streaming_support import documents, put, refusal, same_rows, small, whole

__all__ = ["small"]  # a fixture
Json = dict[str, Any]
TEXT = "one two three"
WHOLE = {"start": 0, "end": 13, "label": "X"}
PIECES = {**WHOLE, "fragments": [[0, 3], [8, 13]]}


def lines(folder: Path, name: str, found: list[Json]) -> str:
    return put(folder / f"{name}.jsonl", found)


def array(folder: Path, name: str, found: list[Json]) -> str:
    path = folder / f"{name}.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    return str(path)


def objects(_folder: Path, _name: str, found: list[Json]) -> list[Json]:
    return found


def parquet(folder: Path, name: str, found: list[Json]) -> str:
    import pyarrow.parquet as pq

    pq.write_table(table(found), folder / f"{name}.parquet")
    return str(folder / f"{name}.parquet")


def columns(_folder: Path, _name: str, found: list[Json]) -> dict[str, list[Any]]:
    rows = [{"doc": one["id"], **span} for one in found for span in one["spans"]]
    return {name: [row.get(name) for row in rows] for name in ("doc", "start", "end", "label", "fragments")}


def frame(folder: Path, name: str, found: list[Json]) -> Any:
    """Return a data frame read from Parquet, whose fragments are arrays of arrays."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table(columns(folder, name, found)), folder / f"{name}.flat.parquet")
    return pd.read_parquet(folder / f"{name}.flat.parquet")


def rows(folder: Path, name: str, found: list[Json]) -> str:
    frame(folder, name, found)
    return str(folder / f"{name}.flat.parquet")


PATHS = [lines, array, objects, parquet, columns, frame, rows]


@pytest.mark.parametrize("path", PATHS)
def test_fragments_count(path: Callable[..., Any], tmp_path: Path) -> None:
    """Gold is in two pieces in both documents, the predictions in one of them: a half of everything is found."""
    gold = [{"id": f"d{n}", "text": TEXT, "spans": [PIECES]} for n in range(2)]
    pred = [{"id": f"d{n}", "text": TEXT, "spans": [[PIECES, WHOLE][n]]} for n in range(2)]
    found = evaluate(path(tmp_path, "gold", gold), path(tmp_path, "pred", pred), "spans.exact", ci=False)
    assert found.counts() == {"X": {"tp": 1, "pred": 2, "gold": 2}}


@pytest.mark.parametrize("odd", [False, True])
def test_an_odd_line_changes_nothing_about_fragments(odd: bool, tmp_path: Path) -> None:
    """A span that needs the careful reader stands in another document."""
    more: Json = {"text": "two"} if odd else {"start": 4, "end": 7}
    other = {"id": "e", "text": TEXT, "spans": [{"label": "X", **more}]}
    gold = lines(tmp_path, "gold", [{"id": "d", "text": TEXT, "spans": [PIECES]}, other])
    pred = lines(tmp_path, "pred", [{"id": "d", "text": TEXT, "spans": [WHOLE]}, other])
    found = evaluate(gold, pred, "spans.text(normalise=none)", ci=False)
    assert found.counts()["X"]["tp"] == 1  # "one three" is not "one two three"


@pytest.mark.parametrize("path", [lines, array, objects, parquet])
@pytest.mark.parametrize(
    ("first", "later", "message"),
    [
        ({"text": "ab"}, {"full_text": "ab"}, "spans[0].end is 4, past the end of the text (2 characters)"),
        ({"full_text": "ab"}, {"text": "ab"}, "spans[0].end is 4, past the end of the text (2 characters)"),
        ({"text": "ab"}, {"text": None, "full_text": "ab"}, "spans[0].end is 4, past the end of the text"),
    ],
)
def test_a_text_under_another_name_bounds_its_spans(
    path: Callable[..., Any], first: Json, later: Json, message: str, tmp_path: Path
) -> None:
    found = [
        {"id": "a", **first, "spans": [{"start": 0, "end": 1, "label": "X"}]},
        {"id": "b", **later, "spans": [{"start": 0, "end": 4, "label": "X"}]},
    ]
    with pytest.raises(InputError) as caught:
        read(path(tmp_path, "gold", found), name="gold")
    assert message in str(caught.value)


@pytest.mark.parametrize("path", [lines, array, objects, parquet])
def test_a_quote_under_another_name_is_compared(path: Callable[..., Any], tmp_path: Path) -> None:
    """The quote of the second span stands under Presidio's name, and is not what the text has there."""
    spans = [{"start": 0, "end": 3, "label": "X", "text": "one"}, {"start": 4, "end": 7, "label": "X"}]
    spans[1]["entity_value"] = "six"
    found = [{"id": "a", "text": TEXT, "spans": spans}]
    corpus = read(path(tmp_path, "gold", found), name="gold")
    assert [problem.kind for problem in corpus.problems] == ["text mismatch"]
    assert "'six', the document has 'two' at 4..7" in corpus.problems[0].what


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("memory", ["counts", "totals"])
def test_repeated_ids_are_refused_where_documents_are_dealt(memory: str, tmp_path: Path) -> None:
    """Three documents of one block share an id; the files are in different orders."""
    gold, pred = documents("spans")
    for side in (gold, pred):
        side[1]["id"] = side[2]["id"] = side[0]["id"]
    ours = put(tmp_path / "gold.jsonl", gold)
    theirs = put(tmp_path / "pred.jsonl", random.Random(5).sample(pred, len(pred)))
    kind, words = refusal(ours, theirs, memory=memory)
    assert kind is DocumentError
    assert words.startswith(f"{ours}:2: the id 'd0' is repeated (first at {ours}:1)")
    assert (kind, words) == refusal(ours, theirs, memory="spans")


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("options", [{}, {"missing": "empty", "extra": "skip"}])
@pytest.mark.parametrize("jobs", [1, 2])
def test_repeated_ids_are_numbered_where_documents_are_dealt(options: Json, jobs: int, tmp_path: Path) -> None:
    """Predictions are gold in another order, but for the copies of one id, which keep theirs: all is right."""
    gold, _ = documents("spans")
    for row in (1, 2, 40):
        gold[row]["id"] = gold[0]["id"]
    gold[3]["id"] = "d0#2"  # what the second copy would be called
    rest = [one for one in gold if one["id"] != "d0"]
    random.Random(5).shuffle(rest)
    ours = put(tmp_path / "gold.jsonl", gold)
    theirs = put(tmp_path / "pred.jsonl", [*(one for one in gold if one["id"] == "d0"), *rest])
    found = evaluate(
        ours, theirs, score=Scoring(repeated="number"), run=Running(memory="counts", jobs=jobs), **grouped(options)
    )
    assert found.value("f1") == 1.0
    same_rows(found, whole(ours, theirs, repeated="number", **options))


@pytest.mark.parametrize("missing", ["error", "empty", "skip"])
@pytest.mark.parametrize("again", [0, 256_000_000])
def test_missing_documents_are_counted_in_all_files_they_were_dealt_into(
    missing: str, again: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: None
) -> None:
    monkeypatch.setattr(streaming, "AGAIN", again)  # bytes up to which files are read again to say what is wrong
    gold, pred = documents("spans")
    ours = put(tmp_path / "gold.jsonl", gold)
    theirs = put(tmp_path / "pred.jsonl", [*pred[:20:-1], {**pred[0], "id": "x"}])
    options: Json = {"missing": missing, "extra": "error" if missing == "error" else "skip"}
    if missing == "error":
        kind, words = refusal(ours, theirs, memory="counts", **options)
        assert kind is DocumentError
        assert words.startswith(f"{theirs} has no document 'd0' (and 20 more of 60)")
        return
    found, expected = (
        evaluate(ours, theirs, run=Running(memory="counts"), **grouped(options)),
        whole(ours, theirs, **options),
    )
    same_rows(found, expected)
    for kind in ("missing document", "extra document"):
        assert found.problems.first[kind] == expected.problems.first[kind]
        assert found.problems.number[kind] == expected.problems.number[kind] == (21 if kind[0] == "m" else 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_keys_of_documents_without_ids_do_not_depend_on_their_block(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first documents have a text, the later ones, in blocks of their own, have none."""
    monkeypatch.setattr(blocks, "LINES", 5)
    gold, pred = documents("spans", 40, ids=False)
    for one in (*gold[20:], *pred):
        one.pop("text", None)
    ours, theirs = put(tmp_path / "gold.jsonl", gold), put(tmp_path / "pred.jsonl", pred)
    found = evaluate(ours, theirs, "spans.exact", run=Running(memory="counts", jobs=jobs))
    same_rows(found, whole(ours, theirs, measures="spans.exact"))


def test_texts_of_some_spans_beside_texts_of_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a file in which texts are cut from documents, and one in which spans bring theirs along."""
    monkeypatch.setattr("spanscope.io.spans.lines.CHUNK", 60)
    span = {**WHOLE, "end": 3, "text": "one"}
    gold = [{"text": TEXT, "spans": [span]}, {"spans": [span]}]
    path = lines(tmp_path, "gold", gold * 3)
    assert evaluate(path, path, "spans.relaxed", ci=False).value("f1") == 1.0


@pytest.mark.parametrize("path", [lines, parquet])
def test_words_and_numbers_of_json_are_no_judgements(path: Callable[..., Any], tmp_path: Path) -> None:
    """Without blanks between the fields of a document, its text could look like a line of a run."""
    found = [{"id": "a", "spans": [{**WHOLE, "end": 4, "text": "x 42 kWh, e 7 more"}]}]
    text = json.dumps(found[0], separators=(",", ":"))
    source = path(tmp_path, "gold", [text] if path is lines else found)
    assert evaluate(source, source, ci=False).settings.family.name == "spans"


def test_repeated_ids_of_tokens_cut_otherwise_are_paired_in_their_order() -> None:
    """Both documents are called d; the predictions cut the second one into other tokens."""
    gold = [{"id": "d", "tokens": ["Ann"], "tags": ["B-PER"]}, {"id": "d", "tokens": ["a-b"], "tags": ["B-LOC"]}]
    pred = [gold[0], {"id": "d", "tokens": ["a", "-", "b"], "tags": ["B-LOC", "I-LOC", "I-LOC"]}]
    assert evaluate(gold, pred, "spans.exact", score=Scoring(repeated="number"), ci=False).value("f1") == 1.0


@pytest.mark.parametrize("path", PATHS)
def test_fragments_that_contradict_start_and_end_count_and_are_noted(
    path: Callable[..., Any], tmp_path: Path
) -> None:
    odd = {**PIECES, "start": 1, "end": 2}
    gold = path(tmp_path, "gold", [{"id": "d", "text": TEXT, "spans": [PIECES]}])
    pred = path(tmp_path, "pred", [{"id": "d", "text": TEXT, "spans": [odd]}])
    found = evaluate(gold, pred, "spans.exact", ci=False)
    assert (found.value("f1"), found.problems.number) == (1.0, {"other place": 1})
    assert "spans[0] has start and end 1..2, but its fragments are 0..13" in found.problems.first["other place"][0]


@pytest.mark.parametrize("path", [lines, array, objects])
def test_no_fragments_are_a_span_in_one_piece(path: Callable[..., Any], tmp_path: Path) -> None:
    """Exporters write an empty list."""
    gold = path(tmp_path, "gold", [{"id": "d", "text": TEXT, "spans": [{**WHOLE, "fragments": []}]}])
    pred = path(tmp_path, "pred", [{"id": "d", "text": TEXT, "spans": [WHOLE]}])
    assert evaluate(gold, pred, "spans.exact", ci=False).value("f1") == 1.0


def test_spans_that_are_null_under_one_name_may_stand_under_another() -> None:
    """Null is nothing, in an empty document too."""
    plain = {"id": "a", "ents": [{"start": 0, "end": 1, "label": "A"}]}
    empty: Json = {"id": "b", "spans": None, "ents": []}
    for found in ([plain, empty], [empty]):
        assert read(found).n_documents == len(found)
