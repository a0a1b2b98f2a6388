"""Parquet, Arrow and Feather files and Arrow tables: the corpus of the JSON of the same documents."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.data.corpus import Corpus
from spanscope.errors import InputError
from spanscope.io.reading import read
from tests.cli import refused, run, write
from tests.engines.conftest import FAMILIES, span_documents
from tests.support import needs

pa = needs("pyarrow")
pq = needs("pyarrow.parquet")
feather = needs("pyarrow.feather")
Json = dict[str, Any]
PROTOCOLS = {"spans": "spans", "segments": "segments", "tokens": "spans", "passages": "passages"}


def table(documents: list[Json], **options: Any) -> Any:
    return pa.Table.from_pylist(documents, **options)


def parquet(path: Path, documents: list[Json]) -> Path:
    pq.write_table(table(documents), path)
    return path


def same(one: Corpus, other: Corpus) -> None:
    """Check that two corpora hold the same, column by column."""
    assert one.ids == other.ids
    assert one.labels == other.labels
    assert one.n_documents == other.n_documents
    for name in ("doc", "start", "end", "label", "position"):
        assert getattr(one.spans, name).tolist() == getattr(other.spans, name).tolist(), name
    for mine, theirs in ((one.spans.text, other.spans.text), (one.texts, other.texts)):
        assert (mine is None) == (theirs is None)
        assert mine is None or mine.tolist() == theirs.tolist()
    assert (one.spans.pieces is None) == (other.spans.pieces is None)
    if one.spans.pieces is not None and other.spans.pieces is not None:
        assert np.array_equal(one.spans.pieces.span, other.spans.pieces.span)
        assert np.array_equal(one.spans.pieces.start, other.spans.pieces.start)
    assert [problem.what for problem in one.problems] == [problem.what for problem in other.problems]


# ---------------------------------------------------------------- the same as JSON


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("form", ["parquet", "feather", "arrow", "table"])
def test_every_family_scores_as_its_json(family: str, form: str, tmp_path: Path) -> None:
    gold, pred = FAMILIES[family]
    sides: list[Any] = [table(gold), table(pred)]
    if form != "table":
        paths = [tmp_path / f"{side}.{form}" for side in ("gold", "pred")]
        for path, own in zip(paths, sides, strict=True):
            if form == "parquet":
                pq.write_table(own, path, row_group_size=5)
            elif form == "feather":
                feather.write_feather(own, path)
            else:
                with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, own.schema) as stream:
                    stream.write_table(own)
        sides = list(paths)
    found = spanscope.evaluate(*sides, ci=False)
    wanted = spanscope.evaluate(write(tmp_path / "g.jsonl", gold), write(tmp_path / "p.jsonl", pred), ci=False)
    assert found.settings.protocol.name == PROTOCOLS[family]
    assert found.rows == wanted.rows


def test_figures_worked_by_hand(tmp_path: Path) -> None:
    """Gold has A[0,3] and B[4,6], predictions A[0,3] and C[4,6]: one of two is right on either side."""
    gold = [{"id": "x", "spans": [{"start": 0, "end": 3, "label": "A"}, {"start": 4, "end": 6, "label": "B"}]}]
    pred = [{"id": "x", "spans": [{"start": 0, "end": 3, "label": "A"}, {"start": 4, "end": 6, "label": "C"}]}]
    paths = [parquet(tmp_path / f"{name}.parquet", own) for name, own in (("g", gold), ("p", pred))]
    found = spanscope.evaluate(*paths, "spans.exact")
    assert found.totals() == {"tp": 1, "pred": 2, "gold": 2}
    assert found.value("f1") == 0.5
    assert [one.path for one in found.inputs] == [str(path) for path in paths]
    assert all(one.sha256 for one in found.inputs)


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
LABEL = st.sampled_from(["A", "B", "Ä", "per son"])


@st.composite
def document(draw: st.DrawFn, number: int) -> Json:
    text = draw(TEXT)
    spans = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, len(text)))
        span: Json = {"start": start, "end": end, "label": draw(LABEL)}
        if draw(st.booleans()):
            span["text"] = draw(st.sampled_from([text[start:end], "other"]))
        if draw(st.integers(0, 9)) == 0 and end - start > 2:
            span = {"label": span["label"], "fragments": [[start, start + 1], [end - 1, end]]}
        spans.append(span)
    out: Json = {"id": number, "spans": spans}
    return out | ({"text": text} if draw(st.booleans()) else {})


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(1, 5))
def test_any_documents_are_read_as_from_json(data: st.DataObject, number: int) -> None:
    documents = [data.draw(document(n)) for n in range(number)]
    kind = pa.struct(
        [
            ("start", pa.int32()),
            ("end", pa.int64()),
            ("label", pa.dictionary(pa.int8(), pa.string()) if data.draw(st.booleans()) else pa.string()),
            ("text", pa.large_string()),
            ("fragments", pa.list_(pa.list_(pa.int64()))),
        ]
    )
    lists = pa.large_list if data.draw(st.booleans()) else pa.list_
    schema = pa.schema([("id", pa.int64()), ("text", pa.string()), ("spans", lists(kind))])
    same(read(table(documents, schema=schema)), read(documents))


def test_a_row_a_span(tmp_path: Path) -> None:
    """Spans of a document need not stand together, and are those of the same columns."""
    columns = {
        "doc": ["b", "a", "b", "c"],
        "start": [4, 0, 0, 1],
        "end": [6, 3, 3, 2],
        "label": ["Y", "X", "X", "Y"],
        "text": ["de", None, "abc", "b"],
    }
    pq.write_table(pa.table(columns), tmp_path / "g.parquet")
    found = read(tmp_path / "g.parquet")
    same(found, read(columns))
    assert found.ids == ["b", "a", "c"]
    assert found.open_ended


# ---------------------------------------------------------------- what is refused


def bad(tmp_path: Path, documents: list[Json], *options: object) -> str:
    path = parquet(tmp_path / "gold.parquet", documents)
    return refused(run("eval", path, path, "--no-ci", *options)).replace(str(tmp_path), "")


def test_a_bad_row_is_named(tmp_path: Path) -> None:
    documents = span_documents(5)
    documents[3]["spans"][1]["end"] = 400
    said = bad(tmp_path, documents)
    assert said.startswith("/gold.parquet:4: spans[1].end is 400, past the end of the text")


def test_nulls_are_named(tmp_path: Path) -> None:
    documents = span_documents(3)
    documents[1]["spans"][0]["label"] = None
    assert "gold.parquet:2: spans[0] has no label (it has start, end)" in bad(tmp_path, documents)
    documents = span_documents(3)
    documents[2]["spans"] = None
    assert "gold.parquet:3: a document has no spans (it has id, text)" in bad(tmp_path, documents)
    documents = span_documents(3)
    documents[0]["spans"][1]["start"] = None
    assert "gold.parquet:1: spans[1] has no start" in bad(tmp_path, documents)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    said = bad(tmp_path, [{"id": 1, "text": "ab", "marks": [{"start": 0, "end": 1, "label": "A"}]}])
    assert "no format has documents with id, text, marks" in said
    pq.write_table(pa.table({"doc": [1], "start": [0], "end": [1]}), tmp_path / "flat.parquet")
    said = refused(run("eval", tmp_path / "flat.parquet", tmp_path / "flat.parquet", "--no-ci"))
    assert "there is no column label (there are doc, start, end)" in said


def test_wrong_types_are_named(tmp_path: Path) -> None:
    one = {"id": 1, "spans": [{"start": 0.5, "end": 1.0, "label": "A"}]}
    assert "gold.parquet:1: spans[0].start is 0.5" in bad(tmp_path, [one])
    assert "the column id is binary" in bad(tmp_path, [one | {"id": b"x"}])
    assert "spans[0].label is 3" in bad(tmp_path, [{"id": 1, "spans": [{"start": 0, "end": 1, "label": 3}]}])


def test_other_columns_are_left_alone(tmp_path: Path) -> None:
    documents = [one | {"embedding": b"\x00\x01", "made": None} for one in span_documents(4)]
    found = spanscope.evaluate(table(documents), table(documents), "spans.exact", ci=False)
    assert found.value("f1") == 1


@pytest.mark.parametrize("content", [b"PAR1 and then nothing", b"ARROW1\0\0 cut off", b"no table at all"])
def test_a_broken_file(content: bytes, tmp_path: Path) -> None:
    path = write(tmp_path / "gold.parquet", content)
    said = refused(run("eval", path, path, "--no-ci"))
    assert "gold.parquet: is not a whole " in said


def test_an_empty_table() -> None:
    documents = table(span_documents(1)).slice(0, 0)
    assert spanscope.evaluate(documents, documents, "spans.exact", ci=False).documents == 0


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = parquet(tmp_path / "gold.parquet", span_documents(2))
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert "pip install 'spanscope[arrow]'" in refused(run("eval", path, path))


def test_several_columns_of_one_name() -> None:
    twice = pa.table([pa.array([1]), pa.array([2])], names=["id", "id"])
    with pytest.raises(spanscope.InputError, match="there are two columns id"):
        spanscope.evaluate(twice, twice, "spans.exact")


@pytest.mark.parametrize("flat", [False, True])
def test_labels_that_are_lists_are_refused_in_words(flat: bool) -> None:
    """Arrow cannot number them; that must not end in an error of Arrow's."""
    span = {"start": 0, "end": 1, "label": ["A"]}
    rows = [{"doc": "d", **span}] if flat else [{"id": "d", "spans": [span]}]
    with pytest.raises(InputError, match=r"spans\[0\]\.label is .*\n  expected  a string"):
        read(pa.Table.from_pylist(rows))
