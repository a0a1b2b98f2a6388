"""Work that nobody means to ask for is bounded: by what is held at once, or by a limit that is said."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spanscope import Ci, EngineError, InputError, MeasureError, Running, Scoring, agree, compare, evaluate
from spanscope.engines import streaming
from spanscope.io import line_blocks as blocks
from spanscope.io import opening, source
from spanscope.io.builder import Builder
from spanscope.measures.agreement import alignment, coding
from spanscope.stats import averages as aggregate
from spanscope.stats import bootstrap as resample
from tests.cli import environment, run

PEAK = """
import sys
from spanscope import InputError, Running
from spanscope.commands.evaluate import evaluate
try:
    evaluate(sys.argv[1], sys.argv[1], "spans.exact", run=Running(memory=sys.argv[2] or None), ci=False)
except InputError as error:
    print(error, file=sys.stderr)
print(int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) * 1024)
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of one process by itself")


PART = 1 << 23  # bytes that are unpacked at once


def packed(path: Path, line: bytes, times: int, end: bytes = b"\n") -> Path:
    """Write the same bytes many times into a gzip file."""
    with gzip.open(path, "wb", compresslevel=9) as file:
        for _ in range(times // 1000):
            file.write((line + end) * 1000)
    return path


def peak(path: Path, memory: str) -> tuple[int, str]:
    """Return the most memory that a process takes for a file, in bytes, and what it says."""
    args = [sys.executable, "-c", PEAK, str(path), memory]
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}
    done = subprocess.run(args, capture_output=True, text=True, check=True, env=environment() | threads)
    return int(done.stdout), done.stderr


# ---------------------------------------------------------------- gzip


@LINUX
def test_a_small_file_that_unpacks_to_much(tmp_path: Path) -> None:
    """In blocks, 600 MB of a file of 0.6 MB take no more memory than a few blocks do."""
    line = b'{"text": "' + b" " * 60_000 + b'", "spans": []}'
    path = packed(tmp_path / "a.jsonl.gz", line, 10_000)
    assert path.stat().st_size < 1_000_000
    most, _ = peak(path, "totals")
    assert most < 500_000_000


def test_a_bomb_is_refused_where_it_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MOST_UNPACKED", 3 * PART)
    path = packed(tmp_path / "a.json.gz", b"[" + b" " * 60_000, 1000, b"]")
    size = path.stat().st_size
    with pytest.raises(InputError) as caught:
        opening.open_source(path)
    words = (
        f"{path}: {size:,} bytes unpack to more than {4 * PART:,}\n  expected  at most {3 * PART:,} bytes, or 100 "
    )
    assert str(caught.value).startswith(words)
    assert opening.open_source(packed(tmp_path / "b.json.gz", b"[]" + b" " * 20_000, 1000)).data.startswith(
        b"[]  "
    )


def test_lines_that_swell_are_refused_where_spans_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "MOST_UNPACKED", PART)
    monkeypatch.setattr("spanscope.io.spans.reading.LARGE", 1)  # so that it is not read whole
    path = packed(tmp_path / "a.jsonl.gz", b'{"text": "' + b" " * 60_000 + b'", "spans": []}', 1000)
    with pytest.raises(InputError, match="bytes unpack to more than"):
        evaluate(path, path, "spans.exact", ci=False)
    assert evaluate(path, path, "spans.exact", ci=False, run=Running(memory="totals")).documents == 1000


def test_unpacking_in_parts() -> None:
    """Members, zeros behind them and any cutting of the bytes give what gzip gives, PART at the most at once."""
    from spanscope.io.packed import Unpacker, packing_of

    data = [np.random.default_rng(1).bytes(1000), b"x" * (3 * PART + 5), b"", b"end"]
    raw = b"".join(gzip.compress(one) for one in data) + b"\0" * 99
    for step in (777, 5000, len(raw)):
        gunzip, out = Unpacker("a.gz", packing_of(raw)), []
        for at in range(0, len(raw), step):
            gunzip.feed(raw[at : at + step])
            while gunzip.waiting:
                out.append(gunzip.part())
        gunzip.finish()
        assert max(map(len, out)) <= PART
        assert b"".join(out) == b"".join(data)


def test_cut_files_are_refused_in_blocks_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": 1, "spans": []}\n' * 50)[:-9])
    for memory in ("spans", "totals"):
        with pytest.raises(InputError, match=r"is not a whole gzip file \(it ends too early\)"):
            evaluate(path, path, "spans.exact", run=Running(memory=memory))  # type: ignore[arg-type]


def test_a_packed_file_is_not_read_whole_to_say_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may hold far more than its size: the block in which the fault is met names it."""
    monkeypatch.setattr(streaming, "AGAIN", 20_000)
    path = tmp_path / "a.jsonl.gz"
    good = b'{"id": "%d", "text": "' + b" " * 5000 + b'", "spans": []}\n'
    path.write_bytes(gzip.compress(b"".join(good % n for n in range(100)) + b'{"id": "x", "spans": 5}\n'))
    assert path.stat().st_size < 20_000
    monkeypatch.setattr(source, "MOST_UNPACKED", 100_000)
    monkeypatch.setattr(source, "MOST_RATIO", 1)
    with pytest.raises(InputError, match=r"a.jsonl.gz:101: spans is 5"):
        evaluate(path, path, "spans.exact", run=Running(memory="totals"))


def test_a_full_folder_for_the_keys_of_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def write(self, data: bytes) -> None:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            pass

    seen = streaming.Seen()
    seen.close()
    monkeypatch.setattr(seen, "_file", Full())
    with pytest.raises(EngineError, match="temporary files cannot be written"):
        seen.add(np.arange(3, dtype=np.uint64))


def test_a_line_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanscope.io.line_stream.MOST_LINE", 1 << 21)
    monkeypatch.setattr(blocks, "BYTES", 1 << 20)
    monkeypatch.setattr(streaming, "AGAIN", 0)  # as if the file were too large to be read whole
    path = tmp_path / "a.jsonl"
    long = json.dumps({"id": 2, "text": "x" * (1 << 23), "spans": []})
    path.write_text('{"id": 1, "spans": []}\n' + long + "\n")
    with pytest.raises(InputError, match=r"a.jsonl:2: the line has more than 2,097,152 bytes"):
        evaluate(path, path, "spans.exact", run=Running(memory="totals"))
    assert evaluate(path, path, "spans.exact", ci=False, run=Running(memory="spans")).documents == 2


# ---------------------------------------------------------------- numbers of draws and of thresholds


GOLD: list[dict[str, Any]] = [{"id": n, "spans": [{"start": 0, "end": 4, "label": "A"}]} for n in range(4)]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: agree(GOLD, GOLD, ci=Ci(resamples=100_000_000)),
            "resamples is 100000000\n  expected  a whole number, 2 to 1,",
        ),
        (
            lambda: agree(GOLD, GOLD, samples=100_000_000),
            "samples is 100000000\n  expected  a whole number, 1 to 10,000",
        ),
        (lambda: evaluate(GOLD, GOLD, ci=Ci(100_000_000)), "expected  a whole number, 2 to 1,000,000"),
        (
            lambda: compare(GOLD, GOLD, GOLD, trials=100_000_000),
            "trials is 100000000\n  expected  a whole number, 1 to 1,",
        ),
        (lambda: compare(GOLD, GOLD, GOLD, ci=Ci(100_000_000)), "expected  a whole number, 2 to 1,000,000"),
        (
            lambda: evaluate(
                GOLD, GOLD, score=Scoring(thresholds=[step / 1_000_000 for step in range(1_000_000)])
            ),
            "there are 1,000,000 thresholds, each of them a row of the report\n  expected  at most 10,001",
        ),
    ],
)
def test_more_than_anybody_needs(call: Any, words: str) -> None:
    with pytest.raises(MeasureError) as caught:
        call()
    assert words in str(caught.value)


def test_the_command_says_the_most(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(GOLD))
    done = run("agree", path, path, "--resamples", "100000000")
    assert (done.code, done.err) == (
        2,
        "resamples is 100000000\n  expected  a whole number, 2 to 1,000,000\n",
    )


def test_curves_are_read_from_one_look_at_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The labels are summed once for all thresholds, and the pairs are looked through once for many."""
    summed, looked = [], []
    labels, sort = aggregate.label_sums, np.bincount
    monkeypatch.setattr(aggregate, "label_sums", lambda *given: summed.append(1) or labels(*given))
    monkeypatch.setattr(np, "bincount", lambda *given, **named: looked.append(1) or sort(*given, **named))
    pred = [{"id": n, "spans": [{"start": n % 4, "end": 4, "label": "A"}]} for n in range(4)]
    result = evaluate(
        GOLD, pred, "spans.iou", ci=False, score=Scoring(thresholds=[step / 5000 for step in range(5001)])
    )
    summed.clear()
    looked.clear()
    points = result.curve()
    assert len(points) == 5001
    assert len(summed) <= 2
    assert len(looked) <= 2
    assert [point.tp for point in points[::1250]] == [4, 4, 3, 2, 1]  # overlaps of 4, 3, 2 and 1 of 4


# ---------------------------------------------------------------- nested units


def test_gamma_of_many_nested_units_is_left_out_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "NEAR", 100 * 100)
    size = 110
    one, two = (
        [
            {
                "id": 1,
                "text": "x" * 999,
                "spans": [{"start": n, "end": 900 - n - more, "label": "A"} for n in range(size)],
            }
        ]
        for more in (0, 1)
    )
    found = agree(one, two, samples=2)
    assert [(problem.kind, problem.where) for problem in found.noted if problem.kind == "no gamma"] == [
        ("no gamma", "document '1'")
    ]
    assert {row.rate for row in found.rows} >= {"f1", "cohen_kappa", "u_alpha"}
    with pytest.raises(MeasureError, match="12,100 pairs that could be aligned, 10,000 at most"):
        agree(one, two, measures=["gamma"], samples=2)


def test_more_samples_leave_room_for_fewer_units() -> None:
    spans = [{"start": 2 * n, "end": 2 * n + 1, "label": "A"} for n in range(400)]
    one = [{"id": 1, "text": "x" * 900, "spans": spans}]
    with pytest.raises(
        MeasureError, match="400 x 400 pairs of two annotators, 30,000 at most with 10,000 samples"
    ):
        agree(one, one, measures=["gamma"], samples=10_000)


def test_nested_marks_are_walked_once() -> None:
    """Of nested marks the inner one counts; 40,000 of them, each inside the other, take no quadratic time."""
    size = 40_000
    at = np.arange(size)
    nothing = np.zeros(size, dtype=np.int64)
    alone, several = coding.without_overlaps(coding.Marks(nothing, at, 3 * size - at, at % 2))
    assert len(alone.doc) == 2 * size - 1
    assert several.sum() == 3 * size - 2  # all but the first and the last character, which only one mark covers
    assert (int(alone.start[size - 1]), int(alone.end[size - 1])) == (size - 1, 2 * size + 1)


# ---------------------------------------------------------------- labels


def labelled(number: int) -> list[dict[str, Any]]:
    """Return two documents, each with a span of every one of so many labels."""
    spans = [{"start": n, "end": n + 1, "label": f"L{n}"} for n in range(number)]
    return [{"id": n, "spans": spans[n:]} for n in range(2)]


@pytest.mark.parametrize("memory", ["spans", "counts", "totals"])
def test_many_labels(memory: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit only labels and averages over them lose their intervals; other bounds stay as they were."""
    monkeypatch.setattr(blocks, "LINES", 1)
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, labelled(30))))
    pred = tmp_path / "p.jsonl"
    pred.write_text("\n".join(json.dumps({**one, "spans": one["spans"][::2]}) for one in labelled(30)))
    before = evaluate(path, pred, "spans.exact", ci=Ci(50), run=Running(memory=memory))
    for limit in (30 * 50 - 1, 29 * 50 - 1):  # one document has all 30 labels, the other 29 of them
        monkeypatch.setattr(resample, "MOST_LABELLED", limit)
        for module in ("spanscope.engines.rating", "spanscope.stats.counted"):
            monkeypatch.setattr(f"{module}.MOST_LABELLED", limit)
        after = evaluate(path, pred, "spans.exact", ci=Ci(50), run=Running(memory=memory))
        assert [row.value for row in after.rows] == [row.value for row in before.rows]
        for was, now in zip(before.rows, after.rows, strict=True):
            kept = now.average in ("micro", "document")
            assert (now.low, now.high) == ((was.low, was.high) if kept else (None, None))
        assert after.problems.first["no intervals"] == [
            f"labels: none for labels, macro and weighted averages: 30 labels x 50 resamples, {limit:,} at most"
        ]
    assert "no intervals" not in before.problems.number


@pytest.mark.parametrize("memory", ["spans", "counts", "totals"])
def test_too_many_labels(memory: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every label has rows of its own; what nobody could read or hold is refused before it is made."""
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, labelled(30))))
    monkeypatch.setattr("spanscope.engines.rating.MOST_ROWS", 89)
    with pytest.raises(MeasureError, match=r"there are 30 labels, each with 3 figures\n.*at most 89 figures"):
        evaluate(path, path, "spans.exact", run=Running(memory=memory))
    few = evaluate(path, path, "spans.exact", labels=["L1", "L2"], run=Running(memory=memory))
    assert few.value("f1") == 1
    with pytest.raises(MeasureError, match="there are 30 labels"):
        agree(path, path)


def test_every_batch_of_new_labels_is_learned_in_time_of_its_own() -> None:
    """Looking through all labels for each batch took half a minute for a million of them."""
    builder = Builder("gold", str)
    builder.codes = Watched()
    builder.coded(["A", "B"])
    builder.coded(["C", "A"])
    assert (sorted(builder.codes), builder.codes["C"]) == (["A", "B", "C"], 2)


class Watched(dict[str, int]):
    """Labels that may be asked for, but not listed."""

    def keys(self) -> Any:
        raise AssertionError("all labels were looked through")


def test_who_disagrees_among_many_labels() -> None:
    """A table of all labels with all others would take 80 gigabytes."""
    number = 100_000
    one = [{"id": 1, "spans": [{"start": n, "end": n + 1, "label": f"L{n}"} for n in range(number)]}]
    two = [{"id": 1, "spans": [{"start": 0, "end": 2, "label": "L0"}, *one[0]["spans"][2:]]}]
    found = agree(one, two, measures=["f1"], ci=False)
    assert found.disagreements() == [
        {"first": "annotator 1", "second": "annotator 2", "label": "L1", "other": "L0", "number": 1, "share": 1.0}
    ]
    text = str(found)
    assert "99,000 more rows: --format json has them all." in " ".join(text.split())
    assert len(text.splitlines()) < 1_100


def test_many_labels_in_a_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["spanscope.commands.systems"], "MOST_TESTED", 299)
    documents = labelled(30)
    with pytest.raises(MeasureError, match="too many to test: 30 labels x 10 trials, x 5 resamples"):
        compare(documents, documents, documents, measures="spans.exact", trials=10, ci=Ci(5))


def test_many_labels_of_annotators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["spanscope.commands.agree.counting"], "MOST_LABELS", 29)
    monkeypatch.setattr(sys.modules["spanscope.commands.agree"], "MOST_DRAWN", 31 * 5 - 1)
    found = agree(labelled(30), labelled(30), ci=Ci(resamples=5))
    assert {row.measure for row in found.rows} == {str(one) for one in found.measures}
    assert [one.name for one in found.measures] == ["spans.exact", "spans.iou"]
    assert {"no kappa alpha alpha_u u_alpha gamma", "no intervals"} <= found.problems.keys()
    assert all(row.low is None for row in found.rows)
    with pytest.raises(MeasureError, match="too many labels: 30, 29 at most"):
        agree(labelled(30), labelled(30), measures=["kappa"])


def test_tables_end_where_nobody_reads_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("spanscope.report.tables", "spanscope.report.tables.scores"):
        monkeypatch.setattr(f"{module}.MOST_ROWS", 20)
    result = evaluate(labelled(30), labelled(30), "spans.exact", ci=False)
    text = str(result)
    assert "10 more rows: --format json has them all." in text
    assert sum(line.startswith("L") for line in text.splitlines()) == 21  # the head, and 20 labels
    assert len([row for row in json.loads(result.to_json())["rows"] if row["label"]]) == 90
