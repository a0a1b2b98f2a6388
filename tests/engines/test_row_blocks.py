"""Parquet and Arrow in blocks: the figures of whole files, in memory that does not grow with them."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from spanscope import Running
from spanscope.commands.evaluate import evaluate
from spanscope.engines import streaming
from spanscope.errors import InputError
from spanscope.io import line_blocks as blocks
from tests.engines.test_totals import LINUX, peak
from tests.streaming_support import documents, files, put, refusal


@pytest.fixture(autouse=True)
def _small(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make blocks so small that there are several, but where memory is measured."""
    if "memory" not in request.node.name:
        monkeypatch.setattr(blocks, "LINES", 7)
        monkeypatch.setattr(streaming, "ROOM", 20_000)


def table_of(rows: list[dict[str, Any]], form: str) -> Any:
    """Return documents as a table with one row per document, or one row per span."""
    if form == "documents":
        return pa.Table.from_pylist(rows)
    return pa.Table.from_pylist(
        [
            {"Doc-ID": str(one["id"]), "begin": span["start"], "end": span["end"], "entity": span["label"]}
            for one in rows
            for span in one["spans"]
        ]
    )


def written(path: Path, table: Any, kind: str) -> str:
    """Write a table in several groups of rows or batches."""
    if kind == "parquet":
        pq.write_table(table, path, row_group_size=11)
    else:
        with pa.OSFile(str(path), "wb") as sink:
            new = pa.ipc.new_file if kind == "arrow" else pa.ipc.new_stream
            with new(sink, table.schema) as out:
                out.write_table(table, max_chunksize=11)
    return str(path)


def alike(one: Any, other: Any) -> None:
    """Check that two results have the same counts, figures and intervals; their files have other names."""
    assert one.counts() == other.counts()
    assert len(one.rows) == len(other.rows)
    for ours, theirs in zip(one.rows, other.rows, strict=True):
        assert (ours.rate, ours.average, ours.label) == (theirs.rate, theirs.average, theirs.label)
        for name in ("value", "std", "low", "high"):
            a, b = getattr(ours, name), getattr(theirs, name)
            assert (a is None) == (b is None)
            assert a is None or a == pytest.approx(b, abs=1e-11, nan_ok=True), (ours, name)


def plain(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return documents with offsets and labels alone, each with a span at least."""
    out = []
    for one in rows:
        spans = [{key: span[key] for key in ("start", "end", "label")} for span in one["spans"]]
        out.append({"id": str(one["id"]), "spans": spans or [{"start": 0, "end": 1, "label": "A"}]})
    return out


@pytest.mark.parametrize("kind", ["parquet", "arrow", "stream"])
@pytest.mark.parametrize("forms", [("documents", "documents"), ("rows", "rows"), ("documents", "rows")])
@pytest.mark.parametrize("shuffled", [False, True])
def test_the_same_figures(kind: str, forms: tuple[str, str], shuffled: bool, tmp_path: Path) -> None:
    """In the order of gold or in another one, by several processes too."""
    both = [plain(rows) for rows in documents("spans")]
    lines = [put(tmp_path / f"{n}.jsonl", rows) for n, rows in enumerate(both)]
    if shuffled:
        both[1] = random.Random(3).sample(both[1], len(both[1]))
    tables = [table_of(rows, form) for rows, form in zip(both, forms, strict=True)]
    if shuffled and forms[1] == "rows":  # not even the rows of a document stand together
        order = random.Random(4).sample(range(tables[1].num_rows), tables[1].num_rows)
        tables[1] = tables[1].take(order)
    gold, pred = (written(tmp_path / f"{n}.{kind}", one, kind) for n, one in enumerate(tables))
    expected = evaluate(*lines, "spans.exact")
    alike(expected, evaluate(gold, pred, "spans.exact"))
    for memory in ("counts", "totals"):
        found = evaluate(gold, pred, "spans.exact", run=Running(memory=memory))  # type: ignore[arg-type]
        assert found.kept == memory
        assert found.totals() == expected.totals()
        alike(expected, found)
        assert (found.problems.number.get("other order") is not None) == shuffled
    if kind == "parquet" and shuffled and forms == ("documents", "rows"):
        alike(expected, evaluate(gold, pred, "spans.exact", run=Running(memory="totals", jobs=2)))


def test_json_lines_beside_a_table_without_all_documents(tmp_path: Path) -> None:
    """Documents without spans have no row: the other side knows them."""
    gold, pred = (plain(rows) for rows in documents("spans"))
    pred[3]["spans"], pred[40]["spans"], gold[5]["spans"] = [], [], []
    lines = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred)
    rows = [
        written(tmp_path / f"{n}.parquet", table_of(own, "rows"), "parquet") for n, own in enumerate((gold, pred))
    ]
    expected = evaluate(*lines, "spans.exact")
    for ours, theirs in ((lines[0], rows[1]), (rows[0], lines[1])):
        for given in (Running(), Running(memory="totals"), Running(memory="counts")):
            found = evaluate(ours, theirs, "spans.exact", run=given)
            alike(expected, found)
            assert found.problems.number["no row"] == (2 if theirs == rows[1] else 1)


@pytest.mark.parametrize("family", ["segments", "tokens"])
def test_other_families_are_read_in_blocks(family: str, tmp_path: Path) -> None:
    lines = files(tmp_path, family)
    tables = []
    for path in lines:
        rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
        tables.append(written(Path(f"{path}.parquet"), pa.Table.from_pylist(rows), "parquet"))
    alike(evaluate(*lines), evaluate(*tables, run=Running(memory="totals")))


def test_annotators_are_not_cut_apart(tmp_path: Path) -> None:
    rows = [{"doc": f"d{n}", "start": 0, "end": 1, "label": "A", "rater": "ab"[n > 20]} for n in range(40)]
    path = written(tmp_path / "x.parquet", pa.Table.from_pylist(rows), "parquet")
    with pytest.raises(InputError, match=r"holds 2 annotators \(a: 21 documents, b: 19"):
        evaluate(path, path, "spans.exact", run=Running(memory="totals"))
    with pytest.raises(InputError, match="cannot be read by several processes"):
        evaluate(path, path, "spans.exact", run=Running(jobs=2))


def parts_of(folder: Path, table: Any, cuts: list[int]) -> str:
    """Write a table as several files, as Spark and Dask do."""
    folder.mkdir()
    for number, (first, last) in enumerate(zip([0, *cuts], [*cuts, table.num_rows], strict=True)):
        written(folder / f"part-{number}.parquet", table.slice(first, last - first), "parquet")
    (folder / "_SUCCESS").touch()
    return str(folder)


@pytest.mark.parametrize("form", ["documents", "rows"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_parts_in_a_folder(form: str, shuffled: bool, tmp_path: Path) -> None:
    """They are cut where documents end, and an archive or a pattern is as good as a folder."""
    both = [plain(rows) for rows in documents("spans")]
    lines = [put(tmp_path / f"{n}.jsonl", rows) for n, rows in enumerate(both)]
    if shuffled:
        both[1] = random.Random(3).sample(both[1], len(both[1]))
    folders = []
    for n, rows in enumerate(both):
        ends = [sum(len(one["spans"]) for one in rows[:at]) for at in (9, 31)]
        folders.append(parts_of(tmp_path / f"f{n}", table_of(rows, form), ends if form == "rows" else [9, 31]))
    archive = shutil.make_archive(f"{folders[1]}z", "zip", folders[1])
    expected = evaluate(*lines, "spans.exact")
    for pred in (folders[1], f"{folders[1]}/part-*", archive):
        alike(expected, evaluate(folders[0], pred, "spans.exact"))
    for pred in (folders[1], f"{folders[1]}/part-*"):  # tables in an archive are read whole
        for memory in ("counts", "totals"):
            found = evaluate(folders[0], pred, "spans.exact", run=Running(memory=memory))  # type: ignore[arg-type]
            assert found.kept == memory
            alike(expected, found)
            assert (found.problems.number.get("other order") is not None) == shuffled
    whole = evaluate(folders[0], folders[1], "spans.exact")
    assert [one.sha256 for one in found.inputs][:1] == [one.sha256 for one in whole.inputs][:1]
    if shuffled:
        alike(expected, evaluate(*folders, "spans.exact", run=Running(memory="totals", jobs=2)))
    alone = parts_of(tmp_path / "alone", table_of(both[1], form), [])
    assert evaluate(folders[0], alone, "spans.exact", run=Running(memory="totals")).totals() == expected.totals()


def test_a_document_in_two_parts_is_refused_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"doc": f"d{n // 2}", "start": n, "end": n + 1, "label": "A"} for n in range(40)]
    folder = parts_of(tmp_path / "f", pa.Table.from_pylist(rows), [21])  # between the spans of d10
    said = refusal(folder, folder, memory="spans")
    assert "the id 'd10' is repeated" in said[1]
    assert refusal(folder, folder, memory="totals") == said
    monkeypatch.setattr(streaming, "AGAIN", 0)  # too large to be read whole for its message
    assert "the id 'd10' is repeated in another file" in refusal(folder, folder, memory="totals")[1]


def test_tables_of_annotators_are_read_whole(tmp_path: Path) -> None:
    """Files that begin alike may be an annotator's each; files with other columns are no parts of one table."""
    both = [plain(rows) for rows in documents("spans")]
    (tmp_path / "f").mkdir()
    for n, rows in enumerate(both):
        written(
            tmp_path / f"f/{n}.parquet",
            table_of([{"id": one["id"], "spans": []} for one in rows[:1]] + rows[1:], "documents"),
            "parquet",
        )
    with pytest.raises(InputError, match=r"holds 2 annotators \(0: 60 documents, 1: 60"):
        evaluate(tmp_path / "f", tmp_path / "f", "spans.exact", run=Running(memory="totals"))
    table = table_of(both[0], "documents")
    parts_of(tmp_path / "g", table, [20])
    other = table.slice(20).append_column("more", pa.array([1] * (table.num_rows - 20)))
    written(tmp_path / "g/part-1.parquet", other, "parquet")
    found = evaluate(tmp_path / "g", tmp_path / "g", "spans.exact", run=Running(memory="totals"))
    assert found.value() == 1.0
    with pytest.raises(InputError, match="cannot be read by several processes"):
        evaluate(tmp_path / "g", tmp_path / "g", run=Running(jobs=2))


def test_what_is_wrong_is_told_alike(tmp_path: Path) -> None:
    rows = [{"doc": f"d{n}", "start": 5, "end": 3 if n == 30 else 9, "label": "A"} for n in range(40)]
    path = written(tmp_path / "x.parquet", pa.Table.from_pylist(rows), "parquet")
    assert refusal(path, path, memory="totals") == refusal(path, path, memory="spans")


@LINUX
@pytest.mark.parametrize("form", ["documents", "shuffled rows"])
def test_memory_does_not_grow_with_the_documents(form: str, tmp_path: Path) -> None:
    """Ten times the documents, less than 1.3 times the memory."""

    def sides(number: int) -> tuple[str, str]:
        ids = [f"doc-{row:08d}" for row in range(number)]
        starts = [row % 50 for row in range(number)]
        if form == "documents":
            texts = [f"{row} " + "word " * 12 for row in range(number)]
            spans = [[{"start": start, "end": start + 4, "label": "A"}] for start in starts]
            table = pa.table({"id": ids, "text": texts, "spans": spans})
        else:
            table = pa.table(
                {"doc_id": ids, "start": starts, "end": [one + 4 for one in starts], "label": ["A"] * number}
            )
        other = table
        if form == "shuffled rows":
            other = table.take(random.Random(1).sample(range(number), number))
        paths = str(tmp_path / f"{number}g.parquet"), str(tmp_path / f"{number}p.parquet")
        pq.write_table(table, paths[0])
        pq.write_table(other, paths[1])
        return paths

    few, many = (peak(*sides(number), "totals") for number in (20_000, 200_000))
    assert many < 1.3 * few
