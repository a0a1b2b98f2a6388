"""Files read in blocks: the same figures as read whole, whatever the blocks, the order and the processes."""

import gzip
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.commands.evaluate import evaluate
from spanscope.engines import streaming
from spanscope.errors import DocumentError, InputError
from spanscope.io import line_blocks as blocks
from spanscope.io.line_stream import Stream
from spanscope.settings.options import grouped
from tests.streaming_support import (
    FAMILIES,
    SIZE,
    documents,
    files,
    put,
    refusal,
    same,
    same_rows,
    small,
    told,
    whole,
)

PROTOCOLS = {"spans": "spans", "segments": "segments", "tokens": "spans", "passages": "passages"}

__all__ = ["small"]  # a fixture


# ---------------------------------------------------------------- the same figures


@pytest.mark.parametrize("lines", [1, 2, 7, 59, 60, 1000])
@pytest.mark.parametrize("family", FAMILIES)
def test_any_block_size(family: str, lines: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "LINES", lines)
    gold, pred = files(tmp_path, family)
    found = evaluate(gold, pred, run=spanscope.Running(memory="counts"))
    assert (found.kept, found.documents, found.settings.protocol.name) == ("counts", SIZE, PROTOCOLS[family])
    same(whole(gold, pred), found)
    assert any(row.low is not None and row.low < row.value for row in found.rows)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.usefixtures("small")
def test_several_processes(family: str, tmp_path: Path) -> None:
    gold, pred = files(tmp_path, family)
    same(whole(gold, pred), evaluate(gold, pred, run=spanscope.Running(jobs=2)))


@pytest.mark.usefixtures("small")
def test_three_processes_in_another_order(tmp_path: Path) -> None:
    gold, theirs = documents("spans")
    ours = put(tmp_path / "gold.jsonl", gold)
    pred = put(tmp_path / "pred.jsonl", random.Random(1).sample(theirs, len(theirs)))
    found = evaluate(ours, pred, run=spanscope.Running(jobs=3))
    same_rows(found, whole(ours, pred))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.usefixtures("small")
def test_another_order(family: str, tmp_path: Path) -> None:
    gold, theirs = documents(family)
    ours = put(tmp_path / "gold.jsonl", gold)
    pred = put(tmp_path / "pred.jsonl", random.Random(1).sample(theirs, len(theirs)))
    expected, found = whole(ours, pred), evaluate(ours, pred, run=spanscope.Running(memory="counts"))
    same_rows(found, expected)
    assert list(found.comparison.names) == [f"d{row}" for row in range(SIZE)]  # as in gold, however it was dealt
    assert repr(found.by_document()) == repr(expected.by_document())
    assert told(found, without=["problems"]) == told(expected, without=["problems"])
    (sentence,) = found.problems.first["other order"]
    assert sentence.startswith(f"{pred}: not in the order of {ours}: the documents were dealt into ")
    assert int(sentence.split("dealt into ")[1].split()[0]) > 1


@pytest.mark.usefixtures("small")
def test_bytes_end_a_block_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long lines make small blocks, and a line that is longer than a block is a block."""
    monkeypatch.setattr(blocks, "BYTES", 300)
    monkeypatch.setattr("spanscope.io.line_stream.READ", 100)
    gold, pred = documents("spans", 20)
    gold[4]["note"] = "x" * 1000
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred)
    with blocks_of(ours, theirs) as pairs:
        sizes = [len(pair.gold.data) for pair in pairs]
    assert max(sizes) > 1000
    assert sorted(sizes)[-2] <= 300
    same(whole(ours, theirs), evaluate(ours, theirs, run=spanscope.Running(memory="counts")))


class blocks_of:  # noqa: N801
    """The blocks of two files."""

    def __init__(self, gold: str, pred: str) -> None:
        self.streams = Stream(gold), Stream(pred)

    def __enter__(self) -> list[blocks.Pair]:
        return list(blocks.pair_in_order(*self.streams))

    def __exit__(self, *_error: object) -> None:
        for stream in self.streams:
            stream.close()


def test_blocks_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blank lines count for nothing but the numbers of lines; the last line may lack its end."""
    monkeypatch.setattr(blocks, "LINES", 2)
    gold, pred = tmp_path / "g.jsonl", tmp_path / "p.jsonl"
    gold.write_bytes(b"\xef\xbb\xbf{1}\n\n  \n{2}\n{3}\n\n")
    pred.write_bytes(b"{1}\n {2}\r\n\t\n{3}")
    with blocks_of(str(gold), str(pred)) as pairs:
        found = [[(side.data, side.first_line) for side in pair[:2]] for pair in pairs]
        assert [pair.first for pair in pairs] == [0, 2]
    assert found == [
        [(b"{1}\n\n  \n{2}\n", 1), (b"{1}\n {2}\r\n", 1)],
        [(b"{3}\n", 5), (b"\t\n{3}", 3)],
    ]


def test_a_document_without_tokens_at_the_start_of_a_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message is that for the whole file, wherever blocks begin."""
    monkeypatch.setattr(blocks, "LINES", 2)
    rows = [{"id": n, "tokens": ["a", "b"], "tags": ["B-A", "O"]} for n in range(6)]
    paths = [tmp_path / "g.jsonl", tmp_path / "p.jsonl"]
    for path, own in zip(paths, (rows, [*rows[:2], {"id": 2, "other": 1}, *rows[3:]]), strict=True):
        path.write_text("".join(json.dumps(row) + "\n" for row in own))
    for memory in ("spans", "counts"):
        with pytest.raises(InputError, match=r"p\.jsonl:3: a document has no tokens"):
            spanscope.evaluate(*paths, run=spanscope.Running(memory=memory))


@pytest.mark.parametrize("name", ["gold.jsonl.gz", "gold.jsonl"])
@pytest.mark.usefixtures("small")
def test_gzip(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanscope.io.line_stream.READ", 50)
    gold, theirs = documents("spans")
    ours = put(tmp_path / name, gold)
    pred = tmp_path / "pred.jsonl.gz"
    lines = [json.dumps(one).encode() + b"\n" for one in theirs]
    pred.write_bytes(gzip.compress(b"".join(lines[:30])) + gzip.compress(b"".join(lines[30:])))  # two members
    found = evaluate(ours, pred, run=spanscope.Running(memory="counts"))
    same(whole(ours, str(pred)), found)
    assert found.inputs[1].sha256 is not None


@pytest.mark.usefixtures("small")
def test_a_cut_gzip_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanscope.io.line_stream.READ", 200)
    gold, theirs = documents("spans")
    ours, pred = put(tmp_path / "gold.jsonl", gold), Path(put(tmp_path / "pred.jsonl.gz", theirs))
    pred.write_bytes(pred.read_bytes()[:-200])
    kind, words = refusal(ours, str(pred), memory="counts")
    assert kind is InputError
    assert words.startswith(f"{pred}: is not a whole gzip file")


# ---------------------------------------------------------------- documents that do not fit


def without(rows: list[Any], *gone: int) -> list[Any]:
    return [one for row, one in enumerate(rows) if row not in gone]


POLICIES = [
    ({}, (), (3, 40)),
    ({"missing": "empty"}, (), (3, 40)),
    ({"missing": "skip"}, (), (3, 40)),
    ({}, (3, 40), ()),
    ({"extra": "skip"}, (3, 40), ()),
    ({"missing": "skip", "extra": "skip"}, (3, 40), (5, 50)),
]


@pytest.mark.parametrize(("options", "gone_gold", "gone_pred"), POLICIES)
def test_missing_and_extra(
    options: Any,
    gone_gold: tuple[int, ...],
    gone_pred: tuple[int, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(blocks, "LINES", 7)
    gold, pred = documents("spans")
    ours = put(tmp_path / "gold.jsonl", without(gold, *gone_gold))
    theirs = put(tmp_path / "pred.jsonl", without(pred, *gone_pred))
    if not options:
        kind, words = refusal(ours, theirs, memory="counts")
        assert kind is DocumentError
        assert (kind, words) == refusal(ours, theirs, memory="spans")
        return
    expected, found = (
        whole(ours, theirs, **options),
        evaluate(ours, theirs, run=spanscope.Running(memory="counts"), **grouped(options)),
    )
    assert told(found, without=["problems"]) == told(expected, without=["problems"])
    kinds = {key: value for key, value in found.problems.first.items() if key != "other order"}
    assert kinds == expected.problems.first


@pytest.mark.parametrize("repeated", ["error", "number"])
@pytest.mark.usefixtures("small")
def test_an_id_repeated_in_another_block(repeated: str, tmp_path: Path) -> None:
    gold, pred = documents("spans")
    for side in (gold, pred):
        side[50]["id"] = "d2"
    ours, theirs = put(tmp_path / "gold.jsonl", gold), put(tmp_path / "pred.jsonl", pred)
    options: Any = {"repeated": repeated}
    if repeated == "error":
        kind, words = refusal(ours, theirs, memory="counts", **options)
        assert kind is DocumentError
        assert words.startswith(f"{ours}:51: the id 'd2' is repeated (first at {ours}:3)")
        return
    expected, found = (
        whole(ours, theirs, **options),
        evaluate(ours, theirs, run=spanscope.Running(memory="counts"), **grouped(options)),
    )
    same_rows(found, expected)
    assert list(found.comparison.names)[50] == "d2#2"
    assert repr(found.by_document()) == repr(expected.by_document())
    assert "repeated" in found.problems.first["other order"][0]


@pytest.mark.parametrize("side", [0, 1, None])
@pytest.mark.usefixtures("small")
def test_blank_lines(side: int | None, tmp_path: Path) -> None:
    """Blank lines on either side change nothing, with ids or without, and lines keep their numbers."""
    for ids in (True, False):
        both: Any = list(documents("spans", ids=ids))
        for at in (0, 1) if side is None else (side,):
            both[at] = ["", "", *both[at][:8], " \t", *both[at][8:], "", ""]
        both[0][20]["spans"] = [{"start": 0, "end": 3, "label": "A", "text": "not so"}]
        ours, theirs = put(tmp_path / "g.jsonl", both[0]), put(tmp_path / "p.jsonl", both[1])
        found = evaluate(ours, theirs, run=spanscope.Running(memory="counts"))
        same(whole(ours, theirs), found)
        assert found.problems.first["text mismatch"][0].startswith(f"{ours}:21: spans[0].text is 'not so'")


@pytest.mark.usefixtures("small")
def test_without_ids(tmp_path: Path) -> None:
    """Documents with the same content in different blocks keep draws of their own."""
    gold, pred = documents("spans", ids=False)
    ours, theirs = put(tmp_path / "g.jsonl", gold * 2), put(tmp_path / "p.jsonl", pred * 2)
    same(whole(ours, theirs), evaluate(ours, theirs, run=spanscope.Running(memory="counts")))


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("rows", [SIZE, 5])
@pytest.mark.usefixtures("small")
def test_ids_on_one_side_only(side: int, rows: int, tmp_path: Path) -> None:
    """Whether no document of one side has an id, or only the last ones have none: the words are the usual."""
    both = documents("spans")
    for one in both[side][-rows:]:
        del one["id"]
    both[side].pop()  # as many lists of spans as documents would be paired by position
    ours, theirs = put(tmp_path / "g.jsonl", both[0]), put(tmp_path / "p.jsonl", both[1])
    assert refusal(ours, theirs, memory="counts") == refusal(ours, theirs, memory="spans")


@pytest.mark.usefixtures("small")
def test_documents_paired_by_their_texts(tmp_path: Path) -> None:
    """A block may not pair by texts, because they may come again: the files are read whole."""
    gold, pred = documents("spans")
    texts = {one["id"]: f"{one['text']} {one['id']}" for one in gold}
    for number, side in enumerate((gold, pred)):
        for one in side:
            one |= {"text": texts[one["id"]], "id": f"{number}-{one['id']}"}
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred[::-1])
    found = evaluate(ours, theirs, run=spanscope.Running(memory="counts"))
    same(whole(ours, theirs), found)
    assert found.problems.number["paired by"] == 1
    repeated = put(tmp_path / "r.jsonl", [*pred, {**pred[0], "id": "again"}])
    again = put(tmp_path / "a.jsonl", [*gold, {**gold[0], "id": "more"}])
    assert refusal(again, repeated, memory="counts") == refusal(again, repeated, memory="spans")


@pytest.mark.usefixtures("small")
def test_other_numbers_of_documents_without_ids(tmp_path: Path) -> None:
    gold, pred = documents("spans", ids=False)
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred[:-1])
    kind, words = refusal(ours, theirs, memory="counts")
    assert kind is DocumentError
    assert words.startswith(f"{theirs}: has lists of spans for 59 texts, and {ours} has 60 documents")


# ---------------------------------------------------------------- anything


@given(
    number=st.integers(1, 14),
    lines=st.integers(1, 6),
    seed=st.integers(0, 10**6),
    family=st.sampled_from(FAMILIES),
    shuffled=st.booleans(),
    ids=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_whatever_the_blocks(number: int, lines: int, seed: int, family: str, shuffled: bool, ids: bool) -> None:
    gold, pred = documents(family, number, seed, ids=ids)
    if shuffled and ids:
        pred = random.Random(seed).sample(pred, len(pred))
    with tempfile.TemporaryDirectory() as room, pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "LINES", lines)
        patch.setattr(streaming, "ROOM", 500)
        ours, theirs = put(Path(room, "g.jsonl"), gold), put(Path(room, "p.jsonl"), pred)
        options: Any = {"ci": spanscope.Ci(resamples=20), "protocol": PROTOCOLS[family]}
        expected, found = (
            whole(ours, theirs, **options),
            evaluate(ours, theirs, run=spanscope.Running(memory="counts"), **grouped(options)),
        )
    same_rows(found, expected)
    assert told(found, without=["problems"]) == told(expected, without=["problems"])


def test_the_corpora_are_not_trivial() -> None:
    """The tests above say something only where predictions differ from gold."""
    for family in FAMILIES:
        gold, pred = documents(family)
        assert sum(one != other for one, other in zip(gold, pred, strict=True)) > SIZE // 2
