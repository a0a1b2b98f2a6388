"""Whatever names, types and missing fields a file mixes, every way of reading it is held to the strict reader."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError
from spanscope.io.builder import Builder
from spanscope.io.fields import fields
from spanscope.io.reading import Report, read
from spanscope.io.strict import Rules, read_documents
from tests.differential import table
from tests.generated import NAMES, Json

TEXT = "one two"
HOW = (*["first"] * 9, *["other"] * 3, "null before", "null after", "two values", "missing", "odd")
ODD: dict[str, list[Any]] = {
    "id": [1, 1.5, True, [], "", 10**30],
    "text": [5, "on", ""],
    "spans": [None, {}, "x", 5, {"group": []}, [["a"]], [None], [[0, 1, "A"]]],
    "start": [-1, "1", 1.5, True, 10**15, 2**70],
    "end": [0, -1, "1", 3.0, False, 10**15, 2**70],
    "label": [5, "*", "", ["A"]],
    "span_text": [5, "zz", ""],
    "score": ["high", True, 0, 1e300, 10**400],
}
FRAGMENTS = (*[None] * 3, [], [[0, 1], [2, 3]], [[0, 3]], [[1]], "x", [[2, 1]], [[0, 2], [1, 3]], [[0, 99]])


@st.composite
def records(draw: st.DrawFn, values: Json, oddities: bool) -> Json:
    """Draw what a document or a span may look like that has these values."""
    out: Json = {}
    for key, value in values.items():
        names, how = NAMES[key], draw(st.sampled_from(HOW if oddities else HOW[:12]))
        first, other = names[0], draw(st.sampled_from(names[1:]))
        odd = draw(st.sampled_from(ODD[key]))
        out |= {
            "first": {first: value},
            "other": {other: value},
            "null before": {first: None, other: value},
            "null after": {other: None, first: value},
            "two values": {first: value, other: odd},
            "missing": {},
            "odd": {draw(st.sampled_from(names)): odd},
        }[how]
    return out


@st.composite
def spans(draw: st.DrawFn, oddities: bool) -> Json:
    start = draw(st.integers(0, 3))
    values: Json = {"start": start, "end": draw(st.integers(start, 7)), "label": draw(st.sampled_from("AB"))}
    if draw(st.booleans()):
        values["span_text"] = TEXT[values["start"] : values["end"]]
    if draw(st.integers(0, 3)) == 0:
        values["score"] = 0.5
    out = draw(records(values, oddities))
    if draw(st.integers(0, 9)) == 0:
        out["fragments"] = draw(st.sampled_from(FRAGMENTS))
    return out


@st.composite
def corpora(draw: st.DrawFn) -> list[Json]:
    out = []
    for row in range(draw(st.integers(2, 4))):
        oddities = draw(st.integers(0, 2)) == 0
        values: Json = {"id": f"d{row}", "text": TEXT, "spans": draw(st.lists(spans(oddities), max_size=3))}
        if draw(st.integers(0, 3)) == 0:
            del values["text"]
        out.append(draw(records(values, oddities)))
    return out


# ---------------------------------------------------------------- what comes out


def content(corpus: Corpus) -> Any:
    """Return all that a corpus holds, and what was noticed, without its places."""
    own = corpus.spans
    pieces = own.pieces
    score = own.extra.get("score")
    return {
        "ids": corpus.ids,
        "texts": None if corpus.texts is None else corpus.texts.tolist(),
        "spans": [column.tolist() for column in (own.doc, own.start, own.end, own.label, own.position)],
        "labels": corpus.labels,
        "text": [text_of(corpus, row) for row in range(len(own))],
        "pieces": None if pieces is None else [pieces.span.tolist(), pieces.start.tolist(), pieces.end.tolist()],
        "score": None if score is None else [repr(one) for one in score.tolist()],
        "problems": sorted(f"{one.kind} {one}" for one in corpus.problems),
        "where": [corpus.where(row) for row in range(corpus.n_documents)],
    }


def text_of(corpus: Corpus, row: int) -> str | None:
    """Return the text of a span: its own, or else its document's at its offsets."""
    own = corpus.spans
    if own.text is not None and own.text[row] is not None:
        return str(own.text[row])
    whole = None if corpus.texts is None else corpus.texts[own.doc[row]]
    return None if whole is None or own.start[row] < 0 else own.cut(row, whole)


def outcome(ask: Callable[[], Corpus], documents: int, place: Callable[[int], str]) -> Any:
    """Return what a reader gives, or its words, with numbers of documents for the places where they stand."""
    try:
        found = json.dumps(content(ask()), ensure_ascii=False)
    except InputError as error:
        found = str(error)
    for row in range(documents):
        found = found.replace(place(row), f"<{row}>")
    return found


def strict(documents: Sequence[Any], *, collect: bool) -> Any:
    """Return what the strict reader gives, which says what is accepted."""

    def ask() -> Corpus:
        report = Report(collect)
        builder = Builder("a", lambda row: f"<{row}>")
        builder.add(read_documents(documents, builder.where, Rules(fields(None), "codepoints", report)))
        corpus = builder.corpus()
        corpus.problems[:0] = report.problems
        return corpus

    return outcome(ask, 0, str)


@given(corpora(), st.booleans(), st.sampled_from([1, 60, 1 << 16]))
def test_every_way_gives_what_the_strict_reader_gives(
    tmp_path_factory: pytest.TempPathFactory, documents: list[Json], collect: bool, size: int
) -> None:
    folder = tmp_path_factory.mktemp("a")
    lines, array = folder / "a.jsonl", folder / "a.json"
    lines.write_text("".join(json.dumps(one) + "\n" for one in documents))
    array.write_text("[\n" + ",\n".join(map(json.dumps, documents)) + "\n]")

    def ask(source: Any) -> Callable[[], Corpus]:
        return lambda: read(source, name="a", report=Report(collect))

    number, expected = len(documents), strict(documents, collect=collect)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("spanscope.io.spans.lines.CHUNK", size)
        patch.setattr("spanscope.io.spans.objects.BATCH", min(size, 3))
        assert outcome(ask(documents), number, "a[{}]".format) == expected
        assert outcome(ask(lines), number, lambda row: f"{lines}:{row + 1}") == expected
        assert outcome(ask(array), number, lambda row: f"{array}:{row + 2}") == expected
        patch.setattr("spanscope.io.spans.reading.LARGE", 0)
        assert outcome(ask(lines), number, lambda row: f"{lines}:{row + 1}") == expected
    of_arrow(documents, folder, collect=collect)


def of_arrow(documents: list[Json], folder: Path, *, collect: bool) -> None:
    """Hold tables to the strict reader, in memory and as Parquet: of what Arrow has made of the documents."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    made = table(documents)
    if made is None or not made.num_columns:
        return
    path, number = folder / "a.parquet", len(documents)
    try:
        pq.write_table(made, path)
    except pa.ArrowException:  # a struct without fields
        return
    expected = strict([without_nulls(row) for row in made.to_pylist()], collect=collect)
    for source, place in ((made, "a:{}"), (path, f"{path}:{{}}")):
        found = outcome(
            lambda source=source: read(source, name="a", report=Report(collect)),  # type: ignore[misc]
            number,
            lambda row, place=place: place.format(row + 1),  # type: ignore[misc]
        )
        assert found == expected


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.booleans().flatmap(spans)), min_size=1, max_size=5), st.booleans()
)
def test_rows_of_spans_give_what_the_strict_reader_gives(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, Json]], collect: bool
) -> None:
    """Columns, data frames, tables with one row per span; the rows need not be in the order of their documents."""
    import pandas as pd
    import pyarrow.parquet as pq

    names = list(dict.fromkeys(name for _, span in rows for name in span))
    if not all(any(name in names for name in NAMES[key]) for key in ("start", "end", "label")):
        return
    columns = {"doc": [key for key, _ in rows]} | {name: [span.get(name) for _, span in rows] for name in names}
    frame = pd.DataFrame({name: pd.Series(own, dtype=object) for name, own in columns.items()})
    assert of_rows(columns, collect=collect) == expected_of(columns, collect=collect)
    assert of_rows(frame, collect=collect) == expected_of(columns, collect=collect)
    made = table([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])
    if made is not None:
        path = tmp_path_factory.mktemp("a") / "a.parquet"
        pq.write_table(made, path)
        expected = expected_of({name: made[name].to_pylist() for name in columns}, collect=collect)
        assert of_rows(made, collect=collect) == expected
        assert of_rows(pq.read_table(path), collect=collect) == expected


def of_rows(source: Any, *, collect: bool) -> Any:
    found = outcome(lambda: read(source, name="a", report=Report(collect)), 2, "a[{}]".format)
    return found.replace("a document 'a'", "<a>").replace("a document 'b'", "<b>")


def expected_of(columns: dict[str, list[Any]], *, collect: bool) -> Any:
    """Return what the strict reader gives for the rows of each document."""
    documents: dict[str, list[Json]] = {}
    for key, *values in zip(*columns.values(), strict=True):
        documents.setdefault(key, []).append(dict(zip(list(columns)[1:], values, strict=True)))
    found = strict([{"id": key, "spans": own} for key, own in documents.items()], collect=collect)
    if found.startswith("{"):  # what is wrong with spans is told with the ids of their documents
        whole = json.loads(found)
        for row, key in enumerate(documents):
            whole["problems"] = sorted(one.replace(f"<{row}>", f"<{key}>") for one in whole["problems"])
        return json.dumps(whole, ensure_ascii=False)
    for row, key in enumerate(documents):
        found = found.replace(f"<{row}>", f"<{key}>")
    return found


def without_nulls(value: Any) -> Any:
    """Return a value as JSON would have it that leaves fields without a value out."""
    if isinstance(value, dict):
        return {key: without_nulls(one) for key, one in value.items() if one is not None}
    return [without_nulls(one) for one in value] if isinstance(value, list) else value
