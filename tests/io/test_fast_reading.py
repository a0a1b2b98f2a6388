"""What is read the fast way is held against texts and offsets all the same, also in pieces; exact sums."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope.arithmetic import summands, total
from spanscope.errors import InputError
from spanscope.io.json_lines import can_stream
from spanscope.io.reading import Report, read
from spanscope.io.spans import lines as reader


def write(path: Path, documents: list[dict[str, Any]]) -> Path:
    """Write JSON Lines."""
    path.write_text("".join(json.dumps(one) + "\n" for one in documents), encoding="utf-8")
    return path


def document(number: int, start: int = 0, end: int = 3, label: str = "A", **more: Any) -> dict[str, Any]:
    """Return a document with one span."""
    span = {"start": start, "end": end, "label": label, **more}
    return {"id": f"d{number}", "text": "the cat sat", "spans": [span]}


def test_an_end_past_the_text_is_refused_though_the_text_seems_to_agree(tmp_path: Path) -> None:
    """A slice that ends past the text is cut off, and then equals what stands there."""
    path = write(tmp_path / "a.jsonl", [document(1, text="the"), document(2, 8, 99, text="sat")])
    with pytest.raises(InputError, match=r"a\.jsonl:2.*past the end"):
        read(path)


@pytest.mark.parametrize("offsets", [(-3, -1), (-11, 3), (5, 2)])
def test_offsets_out_of_order_are_refused_though_the_text_seems_to_agree(
    tmp_path: Path, offsets: tuple[int, int]
) -> None:
    own = "the cat sat"[slice(*offsets)]
    with pytest.raises(InputError, match="start"):
        read(write(tmp_path / "a.jsonl", [document(1, *offsets, text=own)]))


@pytest.mark.parametrize("chunk", [1, 1 << 18])
def test_a_text_that_is_not_the_documents_is_noted_with_its_line(
    tmp_path: Path, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "CHUNK", chunk)
    rows = [document(1, text="the"), document(2, text="cat"), document(3), document(4, text="tha")]
    corpus = read(write(tmp_path / "a.jsonl", rows))
    assert [(one.kind, one.where.rsplit(":")[-1]) for one in corpus.problems] == [
        ("text mismatch", "2"),
        ("text mismatch", "4"),
    ]
    assert [corpus.where(row).rsplit(":")[-1] for row in range(4)] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("together", [1, 2, 3, 64])
@given(st.lists(st.sampled_from(["agrees", "other text", "no text", "past the end", "", "{"]), max_size=9))
def test_chunks_are_looked_at_together_as_they_are_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, together: int, kinds: list[str]
) -> None:
    lines = {
        "agrees": document(1, text="the"),
        "other text": document(2, text="cat"),
        "no text": document(3),
        "past the end": document(4, 8, 99, text="sat"),
    }
    data = [json.dumps(lines[kind]) if kind in lines else kind for kind in kinds]
    path = tmp_path_factory.mktemp("a") / "a.jsonl"
    path.write_text("\n".join(['{"id": "d0", "text": "", "spans": []}', *data]) + "\n")
    found = []
    for chunk, several in ((1, together), (1 << 18, 1)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reader, "CHUNK", chunk)
            patch.setattr(reader, "TOGETHER", several)
            corpus = read(path, report=Report(collect=True))
        own = corpus.spans
        rows = [own.doc.tolist(), own.start.tolist(), own.end.tolist(), own.label.tolist()]
        at = [corpus.where(row) for row in range(corpus.n_documents)]
        found.append((corpus.ids, corpus.labels, sorted(map(str, corpus.problems)), at, rows))
    assert found[0] == found[1]


def test_texts_that_both_sides_have_are_kept_once(tmp_path: Path) -> None:
    rows = [document(n, text="the") for n in range(5)]
    other = [*rows[:3], {**rows[3], "text": "the dog sat"}, rows[4]]
    gold = read(write(tmp_path / "gold.jsonl", rows))
    same, differs = read(tmp_path / "gold.jsonl", like=gold), read(write(tmp_path / "b.jsonl", other), like=gold)
    assert gold.texts is not None
    assert same.texts is not None
    assert differs.texts is not None
    assert same.ids is not None
    assert all(one is two for one, two in zip(same.texts, gold.texts, strict=True))
    assert all(one is two for one, two in zip(same.ids, gold.ids or [], strict=True))
    assert differs.texts.tolist() == [one["text"] for one in other]


def test_labels_of_a_chunk_that_was_refused_are_not_labels_of_the_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fast reader may have met them before it found an offset that does not fit."""
    monkeypatch.setattr(reader, "CHUNK", 1)
    path = write(tmp_path / "a.jsonl", [document(1), document(2, 9, 99, "B"), document(3, label="C")])
    report = Report(collect=True)
    corpus = read(path, report=report)
    assert corpus.labels == ("A", "C")
    assert corpus.spans.label.tolist() == [0, 1]


@pytest.fixture
def streamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read every file of JSON Lines in pieces of a few bytes."""
    monkeypatch.setattr("spanscope.io.spans.reading.LARGE", 1)
    monkeypatch.setattr(reader, "READ", 7)


ROWS = [document(1, text="the"), document(2, text="cat"), document(3), document(4, 4, 7, "B", text="cat")]
FORMS = {
    "plain": lambda lines: "\n".join(lines) + "\n",
    "no last line end": "\n".join,
    "blank lines": lambda lines: "\n\n" + "\n \n".join(lines) + "\n\n\n",
    "carriage returns": lambda lines: "\r\n".join(lines) + "\r\n",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_in_pieces_is_the_file(
    tmp_path: Path, form: str, packed: bool, request: pytest.FixtureRequest
) -> None:
    data = FORMS[form]([json.dumps(one, ensure_ascii=False) for one in ROWS]).encode()
    path = tmp_path / ("a.jsonl.gz" if packed else "a.jsonl")
    path.write_bytes(gzip.compress(data) if packed else data)
    whole = read(path)
    request.getfixturevalue("streamed")
    assert can_stream(path)
    pieces = read(path)
    assert pieces.sha256 == whole.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (pieces.ids, pieces.labels, pieces.problems) == (whole.ids, whole.labels, whole.problems)
    assert len(whole.problems) == 1
    assert [pieces.where(row) for row in range(4)] == [whole.where(row) for row in range(4)]
    for name in ("doc", "start", "end", "label", "position"):
        assert getattr(pieces.spans, name).tolist() == getattr(whole.spans, name).tolist()
    assert pieces.texts is not None
    assert whole.texts is not None
    assert pieces.texts.tolist() == whole.texts.tolist()


def test_names_are_chosen_from_long_lines_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document longer than a chunk says what its fields are called, and needs no careful reading."""

    def stop(*_arguments: object) -> None:
        raise AssertionError("read carefully")

    monkeypatch.setattr(reader, "_strict", stop)
    text = "the cat" + "." * 2 * reader.CHUNK
    long = {"id": "d", "text": text, "entities": [{"start": 0, "end": 3, "label": "A"}]}
    assert len(read(write(tmp_path / "a.jsonl", [long, long])).spans) == 2


@pytest.mark.usefixtures("streamed")
def test_a_bad_line_in_pieces_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", ROWS)
    path.write_text(path.read_text(encoding="utf-8") + '{"id": "x", "spans": [}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.jsonl:5.*not JSON"):
        read(path)
    write(path, [*ROWS, document(5, 9, 99)])
    with pytest.raises(InputError, match=r"a\.jsonl:5.*past the end"):
        read(path)


@pytest.mark.usefixtures("streamed")
def test_a_gzip_file_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    lines = "".join(json.dumps(document(number)) + "\n" for number in range(500))
    path.write_bytes(gzip.compress(lines.encode())[:-60])
    with pytest.raises(InputError, match="not a whole gzip file"):
        read(path)


@pytest.mark.usefixtures("streamed")
def test_gold_is_the_first_to_be_complained_of(tmp_path: Path) -> None:
    good, bad = write(tmp_path / "good.jsonl", [document(1)]), tmp_path / "bad.jsonl"
    bad.write_bytes(b"\xff\xfe{\x00}\x00")
    for gold, pred in ((bad, good), (good, bad), (bad, bad)):
        with pytest.raises(InputError, match=r"bad\.jsonl:1: the object has nothing"):
            spanscope.evaluate(gold, pred)
    with pytest.raises(InputError, match=r"gone\.jsonl.*no such file"):
        spanscope.evaluate(good, tmp_path / "gone.jsonl")


@pytest.mark.usefixtures("streamed")
@pytest.mark.parametrize("failures", [1, 2, 10_000])
def test_without_threads_files_are_read_all_the_same(
    failures: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a thread cannot be had, for a while or ever, nothing is read or hashed twice."""
    path = write(tmp_path / "a.jsonl", [document(n) for n in range(200)])
    whole, start, left = read(path), threading.Thread.start, [failures]

    def refuse(thread: threading.Thread) -> None:
        left[0] -= 1
        if left[0] >= 0:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    alone = read(path)
    assert alone.ids == whole.ids
    assert alone.sha256 == whole.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


FINITE = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e290, max_value=1e290)


@given(st.lists(FINITE, max_size=40))
def test_sums_are_those_of_fsum_to_the_digit(values: list[float]) -> None:
    assert total(np.array(values)) == math.fsum(values)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=300), st.randoms())
def test_the_order_of_numbers_does_not_change_their_sum(values: list[float], random: Any) -> None:
    other = list(values)
    random.shuffle(other)
    assert total(np.array(values)) == total(np.array(other)) == math.fsum(values)
    assert len(summands(np.array(values))) <= 40


def test_sums_of_numbers_that_are_none() -> None:
    assert total(np.array([])) == 0
    assert math.isnan(total(np.array([math.nan, 1.0])))
    assert total(np.array([math.inf, 1.0])) == math.inf
    assert total(np.array([1.6e308, 1e307, -1e308])) == math.fsum([1.6e308, 1e307, -1e308])
    assert total(np.array([5e-324] * 3)) == 1.5e-323
