"""Files in blocks: the same figures and the same words as from files that are read whole."""

import gzip
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from spanscope import streaming
from spanscope.engines import processes
from spanscope.errors import DocumentError, EngineError, InputError, MeasureError
from spanscope.evaluate import evaluate
from spanscope.io import blocks
from tests.streaming_support import FAMILIES, SIZE, documents, files, put, refusal, same, same_rows, told, whole

Lines = Any
PROTOCOLS = {"spans": "reqflow", "segments": "segments", "tokens": "tokens", "passages": "passages"}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make blocks and temporary files so small that there are several."""
    monkeypatch.setattr(blocks, "LINES", 7)
    monkeypatch.setattr(streaming, "ROOM", 2000)


# ---------------------------------------------------------------- the same figures


@pytest.mark.parametrize("lines", [1, 2, 7, 59, 60, 1000])
@pytest.mark.parametrize("family", FAMILIES)
def test_any_block_size(family: str, lines: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "LINES", lines)
    gold, pred = files(tmp_path, family)
    found = evaluate(gold, pred, memory="counts")
    assert (found.kept, found.documents, found.settings.protocol.name) == ("counts", SIZE, PROTOCOLS[family])
    same(whole(gold, pred), found)
    assert any(row.low is not None and row.low < row.value for row in found.rows)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.usefixtures("small")
def test_several_processes(family: str, tmp_path: Path) -> None:
    gold, pred = files(tmp_path, family)
    same(whole(gold, pred), evaluate(gold, pred, jobs=2))


@pytest.mark.usefixtures("small")
def test_three_processes_in_another_order(tmp_path: Path) -> None:
    gold, theirs = documents("spans")
    ours = put(tmp_path / "gold.jsonl", gold)
    pred = put(tmp_path / "pred.jsonl", random.Random(1).sample(theirs, len(theirs)))
    found = evaluate(ours, pred, jobs=3)
    same_rows(found, whole(ours, pred))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.usefixtures("small")
def test_another_order(family: str, tmp_path: Path) -> None:
    gold, theirs = documents(family)
    ours = put(tmp_path / "gold.jsonl", gold)
    pred = put(tmp_path / "pred.jsonl", random.Random(1).sample(theirs, len(theirs)))
    expected, found = whole(ours, pred), evaluate(ours, pred, memory="counts")
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
    monkeypatch.setattr(blocks, "READ", 100)
    gold, pred = documents("spans", 20)
    gold[4]["note"] = "x" * 1000
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred)
    with blocks_of(ours, theirs) as pairs:
        sizes = [len(pair.gold.data) for pair in pairs]
    assert max(sizes) > 1000
    assert sorted(sizes)[-2] <= 300
    same(whole(ours, theirs), evaluate(ours, theirs, memory="counts"))


class blocks_of:  # noqa: N801
    """The blocks of two files."""

    def __init__(self, gold: str, pred: str) -> None:
        self.streams = blocks.Stream(gold), blocks.Stream(pred)

    def __enter__(self) -> list[blocks.Pair]:
        return list(blocks.in_order(*self.streams))

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


@pytest.mark.parametrize("name", ["gold.jsonl.gz", "gold.jsonl"])
@pytest.mark.usefixtures("small")
def test_gzip(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "READ", 50)
    gold, theirs = documents("spans")
    ours = put(tmp_path / name, gold)
    pred = tmp_path / "pred.jsonl.gz"
    lines = [json.dumps(one).encode() + b"\n" for one in theirs]
    pred.write_bytes(gzip.compress(b"".join(lines[:30])) + gzip.compress(b"".join(lines[30:])))  # two members
    found = evaluate(ours, pred, memory="counts")
    same(whole(ours, str(pred)), found)
    assert found.inputs[1].sha256 is not None


@pytest.mark.usefixtures("small")
def test_a_cut_gzip_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "READ", 200)
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
    expected, found = whole(ours, theirs, **options), evaluate(ours, theirs, memory="counts", **options)
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
    expected, found = whole(ours, theirs, **options), evaluate(ours, theirs, memory="counts", **options)
    same_rows(found, expected)
    assert list(found.comparison.names)[50] == "d2#2"
    assert repr(found.by_document()) == repr(expected.by_document())
    assert "repeated" in found.problems.first["other order"][0]


@pytest.mark.parametrize("side", [0, 1, None])
@pytest.mark.usefixtures("small")
def test_blank_lines(side: int | None, tmp_path: Path) -> None:
    """Blank lines on either side change nothing, with ids or without, and lines keep their numbers."""
    for ids in (True, False):
        both: Lines = list(documents("spans", ids=ids))
        for at in (0, 1) if side is None else (side,):
            both[at] = ["", "", *both[at][:8], " \t", *both[at][8:], "", ""]
        both[0][20]["spans"] = [{"start": 0, "end": 3, "label": "A", "text": "not so"}]
        ours, theirs = put(tmp_path / "g.jsonl", both[0]), put(tmp_path / "p.jsonl", both[1])
        found = evaluate(ours, theirs, memory="counts")
        same(whole(ours, theirs), found)
        assert found.problems.first["text mismatch"][0].startswith(f"{ours}:21: spans[0].text is 'not so'")


@pytest.mark.usefixtures("small")
def test_without_ids(tmp_path: Path) -> None:
    """Documents with the same content in different blocks keep draws of their own."""
    gold, pred = documents("spans", ids=False)
    ours, theirs = put(tmp_path / "g.jsonl", gold * 2), put(tmp_path / "p.jsonl", pred * 2)
    same(whole(ours, theirs), evaluate(ours, theirs, memory="counts"))


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("rows", [SIZE, 5])
@pytest.mark.usefixtures("small")
def test_ids_on_one_side_only(side: int, rows: int, tmp_path: Path) -> None:
    """Whether no document of one side has an id, or only the last ones have none: the words are the usual."""
    both = documents("spans")
    for one in both[side][-rows:]:
        del one["id"]
    ours, theirs = put(tmp_path / "g.jsonl", both[0]), put(tmp_path / "p.jsonl", both[1])
    assert refusal(ours, theirs, memory="counts") == refusal(ours, theirs, memory="spans")


@pytest.mark.usefixtures("small")
def test_other_numbers_of_documents_without_ids(tmp_path: Path) -> None:
    gold, pred = documents("spans", ids=False)
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred[:-1])
    kind, words = refusal(ours, theirs, memory="counts")
    assert kind is DocumentError
    assert words.startswith(f"{ours} has 60 documents, {theirs} has 59, and neither has ids")


# ---------------------------------------------------------------- what is said


BAD = [
    '{"id": "d16", "spans": [',
    '{"id": "d16", "spans": [{"start": 5, "end": 2, "label": "A"}]}',
    '{"id": "d16", "spans": 3}',
]


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bad_line_in_the_third_block(
    bad: str, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if jobs > 1 and bad != BAD[0]:
        pytest.skip("one bad line is enough for several processes")
    monkeypatch.setattr(blocks, "LINES", 7)
    gold, pred = documents("spans", 30)
    lines: Lines = [*pred[:16], bad, *pred[17:]]
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", lines)
    kind, words = refusal(ours, theirs, memory="counts", jobs=jobs)
    assert words.startswith(f"{theirs}:17: ")
    assert (kind, words) == refusal(ours, theirs, memory="spans")


@pytest.mark.usefixtures("small")
def test_a_bad_line_of_dealt_files(tmp_path: Path) -> None:
    gold, pred = documents("spans", 30)
    lines: Lines = [*reversed(pred)]
    lines[16] = '{"id": "d13", "spans": [{"start": 5, "end": 2, "label": "A"}]}'
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", lines)
    assert refusal(ours, theirs, memory="counts")[1].startswith(f"{theirs}:17: spans[0]")


@pytest.mark.usefixtures("small")
def test_labels(tmp_path: Path) -> None:
    """Labels that only late blocks have, labels asked for, labels that no span has."""
    ours, theirs = files(tmp_path, "spans")
    found = evaluate(ours, theirs, memory="counts")
    assert "Late" in {row.label for row in found.rows}
    chosen: Any = {"labels": ["Late", "A", "Lat"]}
    found = evaluate(ours, theirs, memory="counts", **chosen)
    same(whole(ours, theirs, **chosen), found)
    assert found.problems.number["unseen label"] == 1
    assert "other label" in found.problems.number
    assert len(found.problems.first["other label"]) == 2  # once a side, however many blocks


@pytest.mark.usefixtures("small")
def test_texts_that_do_not_agree(tmp_path: Path) -> None:
    gold, pred = documents("spans")
    for row in (2, 33, 58):
        gold[row]["spans"] = [{"start": 0, "end": 3, "label": "A", "text": "not so"}]
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred)
    found = evaluate(ours, theirs, memory="counts")
    assert [case.split(": ")[0] for case in found.problems.first["text mismatch"]] == [
        f"{ours}:{line}" for line in (3, 34, 59)
    ]
    same(whole(ours, theirs), found)
    kind, words = refusal(ours, theirs, memory="counts", strict=True)
    assert kind is InputError
    assert words.startswith(f"{ours}:3: spans[0].text is 'not so'")


@pytest.mark.usefixtures("small")
def test_nothing_in_common(tmp_path: Path) -> None:
    gold, pred = documents("spans")
    for one in pred:
        one["id"] = f"other {one['id']}"
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred)
    for policy in ("empty", "skip"):
        options: Any = {"missing": policy, "extra": "skip"}
        expected, found = whole(ours, theirs, **options), evaluate(ours, theirs, memory="counts", **options)
        assert found.problems.first["nothing in common"] == expected.problems.first["nothing in common"]
        assert found.totals() == expected.totals()


@pytest.mark.usefixtures("small")
def test_tags_that_fit_other_schemes_in_some_blocks(tmp_path: Path) -> None:
    """A block of nothing but O has no scheme; the scheme is that of all documents."""
    gold, pred = documents("tokens", 20)
    for side in (gold, pred):
        for one in side[14:]:
            one["tags"] = ["O"] * 10
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred)
    found = evaluate(ours, theirs, memory="counts")
    assert found.settings.tags.scheme == "IOB2"
    same(whole(ours, theirs), found)


# ---------------------------------------------------------------- what was not kept


@pytest.mark.usefixtures("small")
def test_what_counts_can_tell(tmp_path: Path) -> None:
    ours, theirs = files(tmp_path, "spans")
    found, expected = evaluate(ours, theirs, memory="counts"), whole(ours, theirs)
    assert found.curve(grid="exact") == expected.curve(grid="exact")
    assert repr(found.by_document(worst=True)) == repr(expected.by_document(worst=True))
    kept = found.to_dict(kept=True)["kept"]
    assert kept["keys"] == expected.to_dict(kept=True)["kept"]["keys"]
    with pytest.raises(MeasureError, match="the list of matches needs the spans"):
        next(found.matches())
    assert "counts of every document were kept" in str(found)


@pytest.mark.usefixtures("small")
def test_optimal_matching_has_no_curve(tmp_path: Path) -> None:
    ours, theirs = files(tmp_path, "spans")
    found = evaluate(ours, theirs, "spans.relaxed(assignment=optimal)", memory="counts")
    assert found.to_dict()["curve"] == []
    assert "Over thresholds" not in str(found)
    same_rows(found, whole(ours, theirs, measures="spans.relaxed(assignment=optimal)"))
    with pytest.raises(MeasureError, match="curve"):
        found.curve()


def test_inputs_without_lines() -> None:
    gold, pred = documents("spans", 12)
    same(evaluate(list(gold), list(pred)), evaluate(list(gold), list(pred), memory="counts"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"jobs": 0}, "jobs=0"),
        ({"memory": "all"}, "memory='all'"),
        ({"jobs": 2, "memory": "spans"}, "several processes give back counts, not spans"),
    ],
)
def test_options_that_cannot_be(options: Any, words: str, tmp_path: Path) -> None:
    assert words in refusal(*files(tmp_path, "spans", 3), **options)[1]


def test_several_processes_need_lines(tmp_path: Path) -> None:
    gold, pred = documents("spans", 3)
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(list(gold)))
    words = refusal(str(path), put(tmp_path / "p.jsonl", pred), jobs=2)[1]
    assert words.startswith(f"{path}: cannot be read by several processes")


def test_huge_json_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, pred = documents("spans", 20)
    path, lines = tmp_path / "gold.json", put(tmp_path / "p.jsonl", pred)
    path.write_text(json.dumps(list(gold), indent=1))
    evaluate(str(path), lines)
    monkeypatch.setattr(streaming, "WHOLE", 1000)
    for memory in (None, "spans", "counts", "totals"):
        words = refusal(str(path), lines, memory=memory)[1]
        assert words.startswith(f"{path}: is one JSON value of {path.stat().st_size:,} bytes")
        assert f"jq -c '.[]' {path} > FILE.jsonl" in words
    evaluate(lines, lines, "spans.exact")  # lines may be of any size


# ---------------------------------------------------------------- processes and temporary files


def die(batch: int) -> int:
    """End the process in the middle of its work, as one that is killed does."""
    if batch == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return batch


def double(batch: int) -> int:
    return 2 * batch


def test_a_process_that_dies() -> None:
    with pytest.raises(EngineError, match="a process ended before its work was done"):
        list(processes.run(die, range(6), lambda: None, 2))
    assert multiprocessing.active_children() == []


def test_order_and_number_of_batches_on_their_way() -> None:
    taken = 0

    def batch(number: int) -> int:
        nonlocal taken
        taken = number
        return number

    found = []
    for one in processes.run(double, map(batch, range(1, 21)), lambda: None, 2):
        found.append(one)
        assert taken <= len(found) + 4
    assert found == [2 * n for n in range(1, 21)]


def test_an_interrupt_leaves_no_processes() -> None:
    running = processes.run(double, range(1000), lambda: None, 2)
    assert next(running) == 0
    assert len(multiprocessing.active_children()) == 2
    with pytest.raises(KeyboardInterrupt):
        running.throw(KeyboardInterrupt())
    assert multiprocessing.active_children() == []


FOREVER = """
import itertools, time
from spanscope.engines import processes
if __name__ == "__main__":
    for _ in processes.run(time.sleep, itertools.repeat(0.05), lambda: None, 2):
        print("one", flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_processes_end_with_the_program(how: signal.Signals) -> None:
    """Ctrl-c reaches all processes at once; a program that is killed takes its processes with it."""
    program = subprocess.Popen(
        [sys.executable, "-c", FOREVER], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert program.stdout is not None
    assert program.stdout.readline() == b"one\n"
    if how is signal.SIGINT:
        os.killpg(program.pid, how)
    else:
        program.kill()
    said = program.communicate(timeout=60)[1]
    assert program.returncode != 0
    assert said.count(b"Traceback") == (how is signal.SIGINT)  # of the program alone
    for _ in range(600):
        try:
            os.killpg(program.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(program.pid, signal.SIGKILL)
    pytest.fail("processes are left")


@pytest.mark.usefixtures("small")
def test_temporary_files_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    gold, pred = documents("spans")
    lines: Lines = list(reversed(pred))
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", lines)
    seen = []
    real = blocks._read

    def look(*args: Any) -> Any:
        seen.extend(room.iterdir())
        return real(*args)

    monkeypatch.setattr(blocks, "_read", look)
    evaluate(ours, theirs, memory="counts")
    assert seen
    assert list(room.iterdir()) == []
    bad = put(tmp_path / "bad.jsonl", [*lines[:-1], '{"id": "d0", "spans": 3}'])
    seen.clear()
    refusal(ours, bad, memory="counts")
    assert seen
    assert list(room.iterdir()) == []


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
        expected, found = whole(ours, theirs, **options), evaluate(ours, theirs, memory="counts", **options)
    same_rows(found, expected)
    assert told(found, without=["problems"]) == told(expected, without=["problems"])


def test_the_corpora_are_not_trivial() -> None:
    """The tests above say something only where predictions differ from gold."""
    for family in FAMILIES:
        gold, pred = documents(family)
        assert sum(one != other for one, other in zip(gold, pred, strict=True)) > SIZE // 2
