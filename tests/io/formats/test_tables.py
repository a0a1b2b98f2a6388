"""CSV and TSV, frames, Parquet and Arrow: one row per span or per document, under the names that people use."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope.errors import InputError
from spanscope.io import detect
from spanscope.io.detect import FORMATS, recognise
from spanscope.io.head import Head
from spanscope.io.read_options import ReadOptions
from tests.cli import refused, run, write
from tests.io.formats.expected import EXPECTED, SAMPLES, sides_of, spans_in

FORMAT = {
    "csv/gold.csv": "spans-tsv",
    "csv/pred.tsv": "spans-tsv",
    "csv/other_names.csv": "spans-tsv",
    "csv/documents.csv": "documents-tsv",
    "csv/literal.csv": "documents-tsv",
    "frames/spans.parquet": "spans",
    "frames/documents.parquet": "spans",
    "frames/documents.arrow": "spans",
    "frames/pred.feather": "spans",
}
ROWS = {name: one for name, one in FORMAT.items() if "documents" not in name and "literal" not in name}
Span = tuple[Any, ...]


def spans(source: Any, **options: Any) -> dict[str, list[Span]]:
    """Return starts, ends and labels by document."""
    documents = spanscope.read(source, **options).to_dicts()
    return {one["id"]: [(own["start"], own["end"], own["label"]) for own in one["spans"]] for one in documents}


# ---------------------------------------------------------------- the samples


@pytest.mark.parametrize("name", FORMAT)
def test_every_sample_is_claimed_by_one_format(name: str) -> None:
    path = SAMPLES / name
    assert recognise(path).name == recognise(str(path)).name == FORMAT[name]
    assert [one.name for one in detect._claims(Head(path), ReadOptions(), FORMATS)[0]] == [FORMAT[name]]


@pytest.mark.parametrize("name", FORMAT)
def test_every_sample_gives_its_spans(name: str) -> None:
    (expected,) = sides_of(name).values()
    corpus = spanscope.read(SAMPLES / name)
    assert spans_in(corpus) == expected
    texts = {one["id"]: one["text"] for one in corpus.to_dicts() if "text" in one}
    assert texts == ({} if name in ROWS else EXPECTED["documents"])
    assert corpus.open_ended == (name in ROWS)


@pytest.mark.parametrize("name", FORMAT)
def test_every_sample_is_scored(name: str) -> None:
    path, size = SAMPLES / name, sum(sum(own.values()) for own in next(iter(sides_of(name).values())).values())
    found = spanscope.evaluate(path, path, "spans.exact", ci=False)
    assert found.totals() == {"tp": size, "pred": size, "gold": size}
    assert run("eval", path, path, "-m", "spans.exact", "--no-ci").code == 0
    assert [one.kind for one in spanscope.check(path) if one.kind != "duplicate"] == []


def test_ends_that_are_the_last_character() -> None:
    path = SAMPLES / "csv/inclusive.csv"
    said = refused(run("eval", SAMPLES / "csv/gold.csv", path))
    assert (
        "inclusive.csv:2: 0 of 19 span texts are as long as their spans; 19 of 19 with its last character" in said
    )
    assert said.endswith("try       --ends inclusive\n")
    (expected,) = sides_of("csv/inclusive.csv").values()
    assert spans_in(spanscope.read(path, ends="inclusive")) == expected
    done = run(
        "eval", SAMPLES / "csv/gold.csv", path, "--pred-ends", "inclusive", "-m", "spans.exact", "-f", "json"
    )
    assert '"tp": 19' in done.out


def test_a_table_without_a_header() -> None:
    path = SAMPLES / "csv/no_header.tsv"
    for command in (["eval", path, path], ["check", path], ["eval", path, path, "-p", "conll2003"]):
        said = refused(run(*command))
        assert (
            "no_header.tsv:1: 'd1  0  11  ORG' looks like spans (document, start, end, label) or tagged tokens"
            in said
        )
        assert "--input spans-tsv (with --columns doc=0,start=1,end=2,label=3) or --input conll" in said
    expected = spans(SAMPLES / "csv/gold.csv")
    assert spans(path, input="spans-tsv") == expected
    assert spans(path, input="spans-tsv", columns={"doc": 0, "start": 1, "end": "2", "label": -1}) == expected
    flags = ["--input", "spans-tsv", "--columns", "doc=0,start=1,end=2,label=3"]
    assert run("eval", path, path, *flags, "-m", "spans.exact", "--no-ci").code == 0
    both = run("eval", SAMPLES / "csv/gold.csv", path, "--pred-input", "spans-tsv", "--pred-columns", flags[3])
    assert both.code == 0, both.err


def test_the_data_engineer() -> None:
    """Spans in Parquet, or in CSV: one command, and the figure that the same spans have in brat's files."""
    expected = spanscope.evaluate(
        SAMPLES / "frames/documents.parquet", SAMPLES / "brat/pred", "spans.exact", ci=False
    )
    assert expected.totals() == {"tp": 10, "pred": 16, "gold": 19}  # counted by hand in the README's table
    for gold in ("csv/gold.csv", "frames/spans.parquet", "csv/documents.csv", "frames/documents.arrow"):
        for pred in ("csv/pred.tsv", "frames/pred.feather"):
            done = run("eval", SAMPLES / gold, SAMPLES / pred, "-m", "spans.exact", "--no-ci")
            assert done.code == 0, done.err
            assert "0.6250   0.5263   0.5714" in done.out  # 10 of 16, 10 of 19
            assert "Predicted" in done.out


def test_documents_without_a_row_come_from_the_other_side() -> None:
    found = spanscope.evaluate(
        SAMPLES / "frames/documents.parquet", SAMPLES / "csv/gold.csv", "spans.exact", ci=False
    )
    assert len(found.by_document()) == 6
    (said,) = found.problems.first["no row"]
    assert ": 1 document of " in said
    assert said.endswith("documents.parquet has no row here: counted as documents without spans")


# ---------------------------------------------------------------- CSV as people write it

ONE = {"d1": [(0, 3, "PER"), (8, 11, "PER")], "d2": [(4, 8, "LOC")]}


@pytest.mark.parametrize(
    "text",
    [
        "doc,start,end,label\nd1,0,3,PER\nd1,8,11,PER\nd2,4,8,LOC\n",
        "\ufeffDoc ID;Start;End;Label\r\nd1;0;3;PER\r\nd1;8;11;PER\r\nd2;4;8;LOC\r\n",
        "file-name|begin|stop|Entity Type\nd1|0|3|PER\nd1|8|11|PER\nd2|4|8|LOC",
        "startOffset\tendOffset\ttag\tnote_id\n0\t3\tPER\td1\n8\t11\tPER\td1\n4\t8\tLOC\td2\n",
        "doc,offset,length,category\nd1,0,3,PER\nd1,8,3,PER\nd2,4,4,LOC\n",
        ",doc,start,end,label\n0,d1,0.0,3.0,PER\n1,d1,8.0,11.0,PER\n2,d2,4.0,8.0,LOC\n",
        '"doc","start","end","label","comment"\n"d1","0","3","PER","a, ""b""\nc"\nd1,8,11,PER,""\nd2,4,8,LOC,\n',
        "doc,start,end,label\n\nd1,0,3,PER\n,,,\nd2,4,8,LOC\nd1,8,11,PER\n",
        "doc,start,end,label,score\nd1,0,3,PER,0.5\nd1,8,11,PER,\nd2,4,8,LOC,1\n",
    ],
)
def test_what_people_write(text: str, tmp_path: Path) -> None:
    path = write(tmp_path / "x.dat", text)
    assert spans(path) == ONE
    assert spans(io.BytesIO(text.encode())) == ONE
    assert run("eval", "-", path, "-m", "spans.exact", "--no-ci", stdin=text.encode()).code == 0


def test_what_looks_like_nothing_is_a_label(tmp_path: Path) -> None:
    path = write(
        tmp_path / "x.csv", "doc,start,end,label,text\nNone,0,4,N/A,null\nnull,0,3,None,NaN\nnan,1,2,,b\n"
    )
    assert spans(path) == {"None": [(0, 4, "N/A")], "null": [(0, 3, "None")], "nan": [(1, 2, "")]}
    assert [one["spans"][0].get("text") for one in spanscope.read(path).to_dicts()] == ["null", "NaN", "b"]


def test_a_row_without_a_span_is_a_document_without_spans(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", "doc,start,end,label\nd1,0,3,PER\nd2,,,\n")
    assert spans(path) == {"d1": [(0, 3, "PER")], "d2": []}


def test_annotators_and_scores(tmp_path: Path) -> None:
    path = write(
        tmp_path / "x.csv", "doc,begin,end,label,rater,score\na,0,1,X,ann,0.5\na,2,3,Y,ben,\na,4,5,X,ann,1\n"
    )
    sides = spanscope.read_sides(path)
    assert [*sides] == ["ann", "ben"]
    assert [one.get("score") for one in sides["ann"].to_dicts()[0]["spans"]] == [0.5, 1.0]
    assert spans(path, annotator="ben") == {"a": [(2, 3, "Y")]}
    assert spanscope.agree(path, measures=["f1"], ci=False).names == ("ann", "ben")
    with pytest.raises(InputError, match=r"holds 2 annotators \(ann: 1 document, ben: 1"):
        spanscope.read(path)
    for other in (pl.read_csv(path), pd.read_csv(path), pl.read_csv(path).to_arrow()):
        assert [*spanscope.read_sides(other)] == ["ann", "ben"]
        assert spans(other, annotator="ann") == {"a": [(0, 1, "X"), (4, 5, "X")]}


def test_the_text_of_the_document_in_every_row(tmp_path: Path) -> None:
    path = write(
        tmp_path / "x.csv", "id,text,start,end,label\nd,Ann met 😀 Bob,0,3,PER\nd,Ann met 😀 Bob,11,14,PER\n"
    )
    with pytest.raises(InputError, match="past the end"):
        spanscope.read(path)
    assert spanscope.read(path, offsets="utf16").to_dicts()[0] == {
        "id": "d",
        "text": "Ann met 😀 Bob",
        "spans": [{"start": 0, "end": 3, "label": "PER"}, {"start": 10, "end": 13, "label": "PER"}],
    }
    path = write(tmp_path / "y.csv", "id,text,start,end,label\nd,Ann met Bob,0,3,PER\nd,Ann met Tom,8,11,PER\n")
    with pytest.raises(InputError, match=r"y.csv:3: the row has another text than its document"):
        spanscope.read(path)


def test_texts_are_held_against_the_other_side(tmp_path: Path) -> None:
    gold = [{"id": "d", "text": "x Ann met Bob", "spans": [{"start": 2, "end": 5, "label": "PER"}]}]
    path = write(tmp_path / "x.csv", "doc,start,end,label,text\nd,0,3,PER,Ann\nd,6,9,PER,met\nd,8,11,PER,Bob\n")
    with pytest.raises(InputError, match="2 of 4 spans have another text than their document"):
        spanscope.evaluate(gold, path, "spans.exact", ci=False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("doc,start,end,label\na,0,1,X\na,b,3,Y\na,4,5,Z\n", "x.csv:3: start is 'b'"),
        ("doc,start,end,label\na,0,1,X\na,1_0,12,Y\na,4,5,Z\n", "x.csv:3: start is '1_0'"),
        ("doc,start,end,label\na,0,1,X\na,5,3,Y\n", "x.csv:3: spans[0]"),
        ("doc,start,end,label\na,0,1,X\na,-1,3,Y\n", "x.csv:3: spans[0].start is -1"),
        ("doc,start,end,label\na,0,1,X\n,1,3,Y\n", "x.csv:3: there is no document in the row"),
        ("doc,start,end,label\na,0,1,X\na,1,3\n", "x.csv:3: the row has 3 cells, the first has 4"),
        ('doc,start,end,label\na,0,1,X\na,1,3,"Y\n', "x.csv:3: a quoted cell does not end"),
        ("doc,start,end,label,score\na,0,1,X,high\n", "x.csv:2: score is 'high'"),
        ("doc,start,end,label\na,0,1,X\na,0-4;15-38,3,Y\na,1,2,X\n", "JSON with fragments for a span of several"),
        ("doc,start,end,label\na,0,1,*\n", "'*' stands for all labels"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, words: str, tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", text)
    assert words in refused(run("eval", path, path, "--input", "spans-tsv"))


def test_check_lists_all_that_is_wrong(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", "doc,start,end,label\na,0,1,X\na,b,3,Y\na,4,2,Z\na,6,7,X\n")
    assert [one.line for one in spanscope.check(path)] == [3, 4]


def test_ids_of_rows_are_doubted(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", "id,start,end,label\n1,0,1,X\n2,5,7,Y\n3,2,4,X\n")
    assert [one.kind for one in spanscope.read(path).problems] == ["ids of rows"]


def test_columns_and_fields_by_name(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", "who,a,b,kind,label\nd1,0,3,PER,1\nd1,8,11,PER,2\nd2,4,8,LOC,3\n")
    assert spans(path, fields={"id": "who", "start": "a", "end": "b", "label": "kind"}) == ONE
    columns = {"doc": "who", "start": "a", "end": "b", "label": "kind"}
    assert spans(path, input="spans-tsv", columns=columns) == ONE
    with pytest.raises(InputError, match="the column start is 'c'"):
        spanscope.read(path, input="spans-tsv", columns={**columns, "start": "c"})
    with pytest.raises(InputError, match="no column is called 'begin'"):
        spanscope.read(path, input="spans-tsv", columns={"begin": 1})


@pytest.mark.parametrize("given", [{}, {"keep_fields": ["year", "page"]}])
def test_metadata_of_rows(given: dict[str, Any], tmp_path: Path) -> None:
    """Columns that mean nothing else are metadata, but not the numbers of rows that pandas writes."""
    rows = "0,a,0,1,X,1999,1,\n1,a,2,3,X,1999,2,\n"
    path = write(tmp_path / "x.csv", f"Unnamed: 0,doc,start,end,label,year,page,note\n{rows}")
    (document,) = spanscope.read(path, **given).to_dicts()
    assert document["meta"] == {"year": "1999"}
    assert [one["meta"] for one in document["spans"]] == [{"page": "1"}, {"page": "2"}]
    assert "csv cannot hold 1 document with metadata; 2 spans with metadata" in refused(
        run("convert", path, tmp_path / "y.csv")
    )


# ---------------------------------------------------------------- one row per document


@pytest.mark.parametrize(
    "cell",
    [
        '[{"begin": 0, "finish": 3, "type": "PER"}]',
        "[{'start': 0, 'end': 3, 'entity_group': 'PER', 'word': 'Ann', 'score': None}]",
        "[[0, 3, 'PER']]",
        "((0, 3, 'PER'),)",
    ],
)
def test_spans_in_a_cell(cell: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"doc_id": ["a", "b"], "full_text": ['Ann, "met"\nBob', "x"], "marks": [cell, "[]"]})
    frame.to_csv(tmp_path / "x.csv", index=False)
    if not cell.startswith("["):
        assert spanscope.read(tmp_path / "x.csv", input="documents-tsv", fields={"spans": "marks"}).ids == [
            "a",
            "b",
        ]
        return
    assert spans(tmp_path / "x.csv") == {"a": [(0, 3, "PER")], "b": []}
    assert spanscope.read(tmp_path / "x.csv").to_dicts()[0]["text"] == 'Ann, "met"\nBob'


def test_literals_are_never_run(tmp_path: Path) -> None:
    place = tmp_path / "made"
    cell = f"[(0, 3, 'PER'), __import__('pathlib').Path({str(place)!r}).touch()]"
    pd.DataFrame({"id": ["a"], "text": ["Ann"], "spans": [cell]}).to_csv(tmp_path / "x.csv", index=False)
    with pytest.raises(InputError, match=r"x.csv:2: spans is .* a list of spans|x.csv"):
        spanscope.read(tmp_path / "x.csv", input="documents-tsv", fields={"spans": "spans"})
    assert not place.exists()


@pytest.mark.parametrize("cells", ["d1,01-Feb,3,X", "d1,0;15,4;20,X", "d1,,03-Jan,X"])
def test_offsets_that_are_no_numbers_are_named(cells: str, tmp_path: Path) -> None:
    """Excel makes dates of some cells, and some tools put several places into one."""
    path = write(tmp_path / "x.csv", f"doc_id,start,end,label\n{cells}\n")
    odd = next(cell for cell in cells.split(",")[1:] if cell)
    said = refused(run("eval", path, path))
    assert f"has the columns of spans (doc_id, start, end, label), but row 1 has the offset '{odd}'" in said
    assert "whole numbers as offsets" in said


def test_a_workbook_is_named(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "x.xlsx", "w") as file:
        file.writestr("[Content_Types].xml", "<Types/>")
        file.writestr("xl/workbook.xml", "<workbook/>")
    said = refused(run("eval", tmp_path / "x.xlsx", tmp_path / "x.xlsx"))
    assert "save it as CSV UTF-8" in said


# ---------------------------------------------------------------- frames, generators, open files


def forms(table: Any, path: Path) -> Iterator[Any]:
    """Return a table as the real libraries hold and write it."""
    frame, own = table.to_pandas(), pl.from_arrow(table)
    assert isinstance(own, pl.DataFrame)
    yield from (table, frame, own, own.lazy(), table.to_batches()[0])
    frame.to_parquet(path / "pandas.parquet")
    frame.to_feather(path / "pandas.feather")
    own.write_parquet(path / "polars.parquet")
    own.write_ipc(path / "polars.arrow")
    own.write_ipc_stream(path / "stream.arrow")
    old = own.to_arrow(compat_level=pl.CompatLevel.oldest())  # Arrow cannot slice views of strings yet
    pyarrow.parquet.write_table(old, path / "x.parquet", row_group_size=4)
    pyarrow.feather.write_feather(table, str(path / "x.feather"), compression="uncompressed")
    yield from sorted(path.glob("*.*"))
    with (path / "x.parquet").open("rb") as file:
        yield file


@pytest.mark.parametrize("name", [name for name in FORMAT if name.startswith("frames")])
def test_what_real_libraries_hold_and_write(name: str, tmp_path: Path) -> None:
    path = SAMPLES / name
    read = pyarrow.parquet.read_table if name.endswith("parquet") else pyarrow.feather.read_table
    (expected,) = sides_of(name).values()
    for form in forms(read(path), tmp_path):
        assert spans_in(spanscope.read(form)) == expected, form


@pytest.mark.parametrize("name", ["csv/gold.csv", "csv/pred.tsv"])
def test_what_real_libraries_write_as_text(name: str, tmp_path: Path) -> None:
    (expected,) = sides_of(name).values()
    frame = pd.read_csv(SAMPLES / name, sep=None, engine="python", keep_default_na=False)
    frame.to_csv(tmp_path / "a.csv")
    frame.to_csv(tmp_path / "b.csv", sep=";", index=False, encoding="utf-8-sig", lineterminator="\r\n")
    pl.from_pandas(frame).write_csv(tmp_path / "c.csv", separator="|", quote_style="always")
    pl.from_pandas(frame).write_csv(tmp_path / "d.csv", separator="\t")
    for path in sorted(tmp_path.iterdir()):
        assert spans_in(spanscope.read(path)) == expected


def test_generators_and_open_files(tmp_path: Path) -> None:
    documents = [{"id": key, "spans": own} for key, own in ONE.items()]
    assert spans(one for one in documents) == ONE
    found = spanscope.evaluate((one for one in documents), iter(documents), "spans.exact", ci=False)
    assert found.totals() == {"tp": 3, "pred": 3, "gold": 3}
    path = write(tmp_path / "x.csv", "doc,start,end,label\nd1,0,3,PER\nd1,8,11,PER\nd2,4,8,LOC\n")
    for mode in ("r", "rb"):
        with path.open(mode) as file:
            assert spans(file) == ONE
    with path.open() as file:
        pass
    with pytest.raises(InputError, match="cannot be read"):
        spanscope.read(file)


CELLS = (
    st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=8).map(str.strip).filter(bool)
)


@given(st.lists(st.tuples(CELLS, st.integers(0, 50), st.integers(1, 9), CELLS), min_size=2, max_size=8))
def test_what_pandas_writes_is_read_back(tmp_path_factory: Any, rows: list[tuple[str, int, int, str]]) -> None:
    rows = [(key, start, start + size, label if label != "*" else "X") for key, start, size, label in rows]
    frame = pd.DataFrame(rows, columns=["doc", "start", "end", "label"])
    folder = tmp_path_factory.mktemp("rows")
    frame.to_csv(folder / "x.csv", index=False)
    frame.to_parquet(folder / "x.parquet")
    expected: dict[str, list[Span]] = {}
    for key, *span in rows:
        expected.setdefault(key, []).append(tuple(span))
    assert spans(folder / "x.csv") == spans(folder / "x.parquet") == spans(frame) == expected
