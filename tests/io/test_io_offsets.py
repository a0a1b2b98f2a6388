"""What becomes of offsets: units, fragments, columns; and that the fast and the careful reader agree."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope.data.corpus import NOWHERE, Corpus
from spanscope.errors import InputError
from spanscope.io.offsets import places
from spanscope.io.reading import read
from spanscope.io.spans import lines as lines_module
from spanscope.io.spans import objects as objects_module
from spanscope.io.spans.values import Unfit
from tests.cli import write
from tests.io.test_io import DOCUMENTS, TEXTS, Content, content
from tests.strategies import corpora
from tests.support import Json, needs

# ---------------------------------------------------------------- fragments, spans without offsets


def fragments(corpus: Corpus) -> list[list[tuple[int, int]]]:
    pieces = corpus.spans.fragments()
    out: list[list[tuple[int, int]]] = [[] for _ in range(len(corpus.spans))]
    for span, start, end in zip(pieces.span, pieces.start, pieces.end, strict=True):
        out[span].append((int(start), int(end)))
    return out


def test_fragments(tmp_path: Path) -> None:
    spans: list[Any] = [
        {"fragments": [[9, 12], [0, 4]], "label": "PER"},
        {"start": 5, "end": 8, "label": "VERB"},
        {"fragments": [[0, 4]], "label": "PER"},
    ]
    value = [{"id": "a", "text": TEXTS["a"], "spans": spans}, DOCUMENTS[1]]
    for source in (value, write(tmp_path / "a.jsonl", value), write(tmp_path / "a.json", json.dumps(value))):
        corpus = read(source)
        assert fragments(corpus) == [[(0, 4), (9, 12)], [(5, 8)], [(0, 4)], [(16, 19)], [(3, 7)]]
        assert content(corpus)[0][2] == [(0, 12, "PER", "Anna Bob"), (5, 8, "VERB", "met"), (0, 4, "PER", "Anna")]


def test_fragments_match_by_all_their_parts() -> None:
    gold = [{"id": 1, "spans": [{"fragments": [[0, 4], [9, 12]], "label": "A"}]}]
    hull = [{"id": 1, "spans": [{"start": 0, "end": 12, "label": "A"}]}]
    assert spanscope.evaluate(gold, gold, "spans.exact").value() == 1.0
    assert spanscope.evaluate(gold, hull, "spans.exact").value() == 0.0
    assert spanscope.evaluate(gold, hull, "spans.characters").totals() == {"tp": 7, "pred": 12, "gold": 7}


def test_spans_without_offsets(tmp_path: Path) -> None:
    value = [{"id": "a", "text": TEXTS["a"], "spans": [{"label": "PER", "text": "Anna"}]}]
    for source in (value, write(tmp_path / "a.jsonl", value)):
        assert content(read(source))[0][2] == [(NOWHERE, NOWHERE, "PER", "Anna")]


# ---------------------------------------------------------------- columns


ROWS: list[tuple[Any, ...]] = [("a", 0, 4, "PER", "Anna"), ("b", 3, 7, "LOC", "Köln"), ("a", 9, 12, "PER", None)]
COLUMNS: dict[str, list[Any]] = {
    name: [row[at] for row in ROWS] for at, name in enumerate(("doc", "start", "end", "label", "text"))
}


def test_columns() -> None:
    pandas = needs("pandas")
    expected: Content = [
        ("a", None, [(0, 4, "PER", "Anna"), (9, 12, "PER", None)]),
        ("b", None, [(3, 7, "LOC", "Köln")]),
    ]
    arrays = {name: np.array(column) for name, column in COLUMNS.items()}
    frame = pandas.DataFrame(COLUMNS)
    for value in (COLUMNS, arrays, frame, frame.set_index(frame.index + 5), frame.rename(columns={"doc": "id"})):
        assert content(read(value)) == expected
    assert content(read(frame.drop(columns="text"))) == [
        (key, None, [(a, b, label, None) for a, b, label, _ in spans]) for key, _, spans in expected
    ]


def test_columns_by_other_names() -> None:
    pandas = needs("pandas")
    frame = pandas.DataFrame({"nr": [1, 1], "from": [0, 5], "to": [4, 8], "entity_type": ["A", "B"]})
    field = {"id": "nr", "start": "from", "end": "to"}
    assert content(read(frame, field=field)) == [("1", None, [(0, 4, "A", None), (5, 8, "B", None)])]


def test_a_document_without_rows_is_empty() -> None:
    """Columns cannot show documents without spans: one that only the other side has counts as empty."""
    gold = {"doc": ["a", "b"], "start": [0, 0], "end": [1, 1], "label": ["A", "A"]}
    pred = {"doc": ["c", "a"], "start": [0, 0], "end": [1, 1], "label": ["A", "A"]}
    result = spanscope.evaluate(gold, pred, "spans.exact")
    assert result.totals() == {"tp": 1, "pred": 2, "gold": 2}
    assert result.documents == 3


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"doc": [1], "start": [0], "end": [1]}, "gold: there is no column label (there are doc, start, end)"),
        ({"start": [0], "end": [1], "label": ["A"]}, "gold: there is no column doc"),
        ({"doc": [1, 2], "start": [0], "end": [1], "label": ["A"]}, "gold: the columns are not equally long"),
        ({"doc": [1], "start": [5], "end": [1], "label": ["A"]}, "gold document '1': spans[0] ends at 1, before"),
        ({"doc": [1], "start": [0.5], "end": [1], "label": ["A"]}, "gold document '1': spans[0].start is 0.5"),
        ({"doc": [1], "start": [0], "end": [1], "label": [None]}, "gold document '1': spans[0].label is None"),
    ],
)
def test_bad_columns(value: Json, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(value, name="gold")
    assert str(caught.value).startswith(message)


# ---------------------------------------------------------------- units of offsets

UNITS = {"codepoints": "utf-32-le", "utf16": "utf-16-le", "utf8": "utf-8"}
WIDTH = {"codepoints": 4, "utf16": 2, "utf8": 1}
MIXED = "a😀e\u0301ß👩\u200d👧 z"  # an emoji, a combining mark, a family of three code points


def in_unit(text: str, offset: int, unit: str) -> int:
    """Return an offset in code points in another unit, by encoding what stands before it."""
    return len(text[:offset].encode(UNITS[unit])) // WIDTH[unit]


@pytest.mark.parametrize("unit", ["codepoints", "utf16", "utf8"])
def test_every_offset_of_a_text(unit: str, tmp_path: Path) -> None:
    wanted = [(a, b, "X", MIXED[a:b]) for a in range(len(MIXED) + 1) for b in range(a, len(MIXED) + 1)]
    spans = [[in_unit(MIXED, a, unit), in_unit(MIXED, b, unit), "X"] for a, b, _, _ in wanted]
    value = [{"id": 1, "text": MIXED, "spans": spans}]
    for source in (value, write(tmp_path / "a.jsonl", value), write(tmp_path / "a.json", json.dumps(value))):
        assert content(read(source, offsets=unit)) == [("1", MIXED, wanted)]


def test_units_by_hand() -> None:
    """In `a😀z` the z is the third code point, the fourth UTF-16 unit and the sixth byte."""
    for unit, start in (("codepoints", 2), ("utf16", 3), ("utf8", 5)):
        value = [{"id": 1, "text": "a😀z", "spans": [{"start": start, "end": start + 1, "label": "X"}]}]
        assert content(read(value, offsets=unit)) == [("1", "a😀z", [(2, 3, "X", "z")])]


@pytest.mark.parametrize(("unit", "words"), [("utf16", "UTF-16 units"), ("utf8", "UTF-8 bytes")])
@pytest.mark.parametrize(("name", "start", "end"), [("start", 2, 3), ("end", 0, 2), ("end", 0, 99)])
def test_offsets_inside_a_character(
    unit: str, words: str, name: str, start: int, end: int, tmp_path: Path
) -> None:
    value = [{"id": 1, "text": "a😀z", "spans": [{"start": start, "end": end, "label": "X"}]}]
    path = write(tmp_path / "a.jsonl", value)
    for source, where in ((value, "documents[0]"), (path, f"{path}:1")):
        with pytest.raises(InputError) as caught:
            read(source, offsets=unit)
        bad = start if name == "start" else end
        assert str(caught.value) == (
            f"{where}: spans[0].{name} is {bad}, inside a character or past the end of the text\n"
            f"  expected  an offset in {words} between two characters"
        )


@pytest.mark.parametrize(("unit", "words"), [("utf16", "UTF-16 units"), ("utf8", "UTF-8 bytes")])
def test_units_need_a_text(unit: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read([{"id": 1, "spans": [[0, 1, "X"]]}], offsets=unit)
    assert str(caught.value) == (
        f"documents[0]: offsets in {words} need the text of the document\n  expected  a text"
    )
    assert content(read([{"id": 1, "spans": []}], offsets=unit)) == [("1", None, [])]


def test_units_of_columns() -> None:
    """Columns have no document text, so their offsets cannot be converted; that is said, not passed over."""
    columns = {"doc": [1], "start": [0], "end": [3], "label": ["X"], "text": ["a😀"]}
    with pytest.raises(InputError, match="UTF-16 units need the text of the document"):
        read(columns, offsets="utf16")


def test_unknown_unit() -> None:
    with pytest.raises(InputError) as caught:
        read([], offsets="bytes")
    assert str(caught.value) == "offsets are in 'bytes'\n  expected  codepoints or utf16 or utf8"


@given(st.text("aé😀\u0301\uffff\U00010000", max_size=12), st.sampled_from(["utf16", "utf8"]))
def test_places_are_where_encoding_cuts(text: str, unit: str) -> None:
    place = places(text, unit)
    known = {in_unit(text, at, unit): at for at in range(len(text) + 1)}
    for offset in range(in_unit(text, len(text), unit) + 3):
        assert place(offset) == known.get(offset)


# ---------------------------------------------------------------- the fast and the careful reader


def everything(corpus: Corpus) -> tuple[object, ...]:
    """Return all a corpus holds, as plain values."""
    spans = corpus.spans
    return (
        content(corpus),
        fragments(corpus),
        corpus.labels,
        spans.position.tolist(),
        [column.dtype.kind for column in (spans.doc, spans.start, spans.end, spans.label)],
        [corpus.where(row) for row in range(corpus.n_documents)],
        corpus.problems,
        corpus.n_documents,
    )


def unfit(*_: object) -> None:
    raise Unfit


def both_ways(source: Any, **options: Any) -> list[tuple[object, ...]]:
    """Read with the fast reader allowed, then with the careful one alone."""
    fast = everything(read(source, **options))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines_module, "_fast", unfit)
        patch.setattr(objects_module, "_columns", unfit)
        careful = everything(read(source, **options))
    return [fast, careful]


@given(corpora(), st.sampled_from(["utf16", "utf8"]))
def test_fast_and_careful_agree_in_other_units(sides: tuple[list[Json], list[Json]], unit: str) -> None:
    expected = content(read(sides[0]))
    moved = [
        {
            **d,
            "spans": [
                {**s, "start": in_unit(d["text"], s["start"], unit), "end": in_unit(d["text"], s["end"], unit)}
                for s in d["spans"]
            ],
        }
        for d in sides[0]
    ]
    fast, careful = both_ways(moved, offsets=unit)
    assert fast == careful
    assert fast[0] == expected


def test_chunks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file larger than a chunk is read in several; lines that do not fit are read carefully among the others."""
    documents = [
        {
            "id": n,
            "text": "Ann",
            "spans": [[0, 3, f"L{n % 3}"]] if n % 7 == 0 else [{"start": 0, "end": 3, "label": f"L{n % 3}"}],
        }
        for n in range(100)
    ]
    path = write(tmp_path / "a.jsonl", documents)
    whole = everything(read(path))
    for size in (1, 50, 300):
        monkeypatch.setattr(lines_module, "CHUNK", size)
        assert everything(read(path)) == whole
    assert whole[0] == content(read(documents))
    assert whole[5] == [f"{path}:{line}" for line in range(1, 101)]


@pytest.mark.parametrize("end", [2**48 + 1, 10**18, 2**62])
def test_both_refuse_offsets_no_text_can_have(end: int, tmp_path: Path) -> None:
    """Such numbers overflow further on: without a text to check them against they must be refused here."""
    value = [{"id": n, "spans": [{"start": 0, "end": end, "label": "A"}]} for n in range(20)]
    for source in (value, write(tmp_path / "a.jsonl", value)):
        with pytest.raises(InputError, match=rf"spans\[0\]\.end is {end}\n  expected  an offset into a text"):
            read(source)
