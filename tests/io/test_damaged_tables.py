"""Damaged Parquet and Arrow files, and small ones that stand for gigabytes: a sentence that names the file."""

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spanscope
from tests.cli import environment, refused, run, write
from tests.support import needs

pa = needs("pyarrow")
pq = needs("pyarrow.parquet")
feather = needs("pyarrow.feather")
forks = pytest.mark.skipif(not hasattr(signal, "sigwaitinfo"), reason="a process can be watched on Linux only")
SPANS = [{"start": 0, "end": 3, "label": "A"}]
DOCUMENTS = [{"id": f"d{row}", "text": "abc def", "spans": SPANS} for row in range(4)]
SPAN_TYPE = pa.list_(pa.struct([("start", pa.int64()), ("end", pa.int64()), ("label", pa.string())]))


def stream(table: Any) -> bytes:
    """Return a table as Arrow's stream."""
    file = io.BytesIO()
    with pa.ipc.new_stream(file, table.schema) as out:
        out.write_table(table)
    return file.getvalue()


def far_offset() -> bytes:
    """Return a stream in which the second id ends two gigabytes behind its buffer."""
    good = np.array([0, 2, 4, 6, 8], np.int32).tobytes()
    data = stream(pa.Table.from_pylist(DOCUMENTS))
    assert data.count(good) == 1
    return data.replace(good, np.array([0, 2, 2**31 - 8, 6, 8], np.int32).tobytes())


def command(*args: object, before: str = "", **options: Any) -> "subprocess.Popen[str]":
    """Start the command line in a process of its own, after some code."""
    code = f"{before}\nfrom spanscope.cli import main\nmain()"
    line = [sys.executable, "-c", code, *map(str, args)]
    pipe = subprocess.PIPE
    return subprocess.Popen(line, stdout=pipe, stderr=pipe, text=True, env=environment(), **options)


def done(*args: object, before: str = "") -> tuple[int, str, str]:
    process = command(*args, before=before)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


# ---------------------------------------------------------------- offsets outside the buffers


@pytest.mark.parametrize("name", ["eval", "check"])
def test_an_offset_outside_its_buffer_is_refused(name: str, tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.arrow", far_offset())
    code, out, err = done(name, bad, *([write(tmp_path / "p.jsonl", DOCUMENTS)] if name == "eval" else []))
    assert (code, out) == (2, "")
    assert err.startswith(f"{bad}: is not a whole Arrow file (")


def test_a_damaged_table_in_memory_is_refused() -> None:
    table = pa.ipc.open_stream(far_offset()).read_all()
    with pytest.raises(spanscope.InputError, match=r"^gold: is not a sound table \("):
        spanscope.evaluate(table, DOCUMENTS)


def test_an_index_outside_its_dictionary_is_refused(tmp_path: Path) -> None:
    labels = pa.DictionaryArray.from_arrays(pa.array([0, 9], pa.int32()), pa.array(["A"]), safe=False)
    table = pa.table({"doc": ["a", "b"], "start": [0, 0], "end": [1, 1], "label": labels})
    err = refused(run("check", write(tmp_path / "bad.arrow", stream(table))))
    assert "bad.arrow: is not a whole Arrow file" in err


@forks
def test_damage_at_random_ends_in_a_sentence() -> None:
    script = Path(__file__).with_name("damaged_tables.py")
    found = subprocess.run(
        [sys.executable, str(script), "1", os.environ.get("SPANSCOPE_DAMAGED", "60")],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )
    assert (found.returncode, found.stdout) == (0, ""), found.stderr[-2000:]


# ---------------------------------------------------------------- crashes

CRASH = """
import os, signal, pyarrow.ipc
real = pyarrow.ipc.open_stream
def open_stream(source):
    if source.size() == {size} if hasattr(source, "size") else False:
        os.kill(os.getpid(), signal.{how})
    return real(source)
pyarrow.ipc.open_stream = open_stream
"""


@forks
@pytest.mark.parametrize("how", ["SIGSEGV", "SIGABRT", "SIGBUS"])
def test_a_crash_over_a_file_names_the_file(how: str, tmp_path: Path) -> None:
    """Two tables; whoever reads the second dies as Arrow would."""
    gold = write(tmp_path / "gold.arrow", stream(pa.Table.from_pylist(DOCUMENTS)))
    pred = write(tmp_path / "pred.arrow", stream(pa.Table.from_pylist(DOCUMENTS[:3])))
    before = CRASH.format(size=pred.stat().st_size, how=how)
    code, out, err = done("eval", gold, pred, before=before)
    assert (code, out) == (2, "")
    assert err == (
        f"{pred}: is damaged: the process that read it crashed ({how})\n"
        "  expected  a whole Parquet or Arrow file\n"
        "  try       write the file anew\n"
    )


@forks
def test_a_watched_command_says_and_ends_as_any_other(tmp_path: Path) -> None:
    other = [{**one, "spans": [] if row else one["spans"]} for row, one in enumerate(DOCUMENTS)]
    pairs = []
    for name, own in (("gold", DOCUMENTS), ("pred", other)):
        write(tmp_path / f"{name}.jsonl", own)
        pq.write_table(pa.Table.from_pylist(own, schema=_schema()), tmp_path / f"{name}.parquet")
    for ending in ("jsonl", "parquet"):
        sides = [tmp_path / f"{name}.{ending}" for name in ("gold", "pred")]
        pairs.append([done("eval", *sides, *more) for more in ((), ("--fail-under", "f1=0.9"), ("--nothing",))])
    assert [code for code, _, _ in pairs[0]] == [0, 1, 2]
    assert [code for code, _, _ in pairs[1]] == [0, 1, 2]
    assert pairs[1][0][1].replace(".parquet", ".jsonl").split() == pairs[0][0][1].split()


def _schema() -> Any:
    return pa.schema([("id", pa.string()), ("text", pa.string()), ("spans", SPAN_TYPE)])


@forks
def test_a_table_on_standard_input_is_watched(tmp_path: Path) -> None:
    data = stream(pa.Table.from_pylist(DOCUMENTS))
    before = CRASH.format(size=len(data), how="SIGSEGV")
    line = [sys.executable, "-c", f"{before}\nfrom spanscope.cli import main\nmain()", "check", "-"]
    found = subprocess.run(line, input=data, capture_output=True, check=False, env=environment())
    assert found.returncode == 2
    assert found.stderr.startswith(b"<stdin>: is damaged: the process that read it crashed (SIGSEGV)")


SLEEP = """
import os, time, pathlib, pyarrow.ipc
def open_stream(source):
    pathlib.Path({at!r}).write_text(str(os.getpid()))
    time.sleep(600)
pyarrow.ipc.open_stream = open_stream
"""


@forks
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGHUP])
def test_a_signal_ends_both_processes(how: signal.Signals, tmp_path: Path) -> None:
    """Sent to the one process that a shell knows; the other one is gone too, or soon."""
    at, gold = tmp_path / "pid", write(tmp_path / "gold.arrow", stream(pa.Table.from_pylist(DOCUMENTS)))
    process = command("check", gold, before=SLEEP.format(at=str(at)), preexec_fn=_usual)
    end = time.monotonic() + 60
    while not (at.exists() and at.read_text()) and time.monotonic() < end:
        time.sleep(0.02)
    try:
        worker = int(at.read_text())
        assert worker != process.pid
        process.send_signal(how)
        process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode in ((-how, 130) if how == signal.SIGINT else (-how, 128 + how))
    end = time.monotonic() + 60
    while _runs(worker) and time.monotonic() < end:
        time.sleep(0.02)
    assert not _runs(worker)


@forks
def test_a_command_ends_where_ends_of_processes_are_ignored(tmp_path: Path) -> None:
    """What a parent ignores, a program that it starts ignores too; this command waits for another process."""
    gold = write(tmp_path / "gold.arrow", stream(pa.Table.from_pylist(DOCUMENTS)))
    process = command("check", gold, preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    process.communicate(timeout=60)
    assert process.returncode == 0


@forks
def test_a_process_that_an_unnamed_signal_ends(tmp_path: Path) -> None:
    """Signals for real time have numbers only."""
    gold = write(tmp_path / "gold.arrow", stream(pa.Table.from_pylist(DOCUMENTS)))
    number = signal.SIGRTMIN + 1
    before = f"import os; os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), {number}))"
    process = command("check", gold, before=before)
    _, said = process.communicate(timeout=60)
    assert process.returncode in (-number, 128 + number)
    assert "Traceback" not in said


def _usual() -> None:
    for one in (signal.SIGHUP, signal.SIGINT):  # tests may run under nohup, or in the background of a shell
        signal.signal(one, signal.SIG_DFL)


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


# ---------------------------------------------------------------- far more than the file


def repeated(rows: int, size: int) -> Any:
    """Return a table whose documents all have the same text, which it holds once."""
    text = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["a" * size]))
    spans = pa.array([[]] * rows, SPAN_TYPE)
    return pa.table({"id": pa.array(range(rows)), "text": text, "spans": spans})


def test_a_dictionary_that_stands_for_gigabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.parquet"
    pq.write_table(repeated(20_000, 200_000), path, compression="zstd")
    assert path.stat().st_size < 100_000
    err = refused(run("check", path))
    assert err == (
        f"{path}: unpacks to more than 1,000 MB\n  expected  at most 1,000 times the file, or a gigabyte\n"
    )


def test_rows_of_nothing_count_too(tmp_path: Path) -> None:
    """Two columns of 2 billion nulls take no bytes in Arrow, and 32 gigabytes as values."""
    nothing = pa.nulls(2**31 - 1)
    data = stream(pa.table({"id": nothing, "spans": nothing}))
    assert len(data) < 1000
    assert "unpacks to more than 1,000 MB" in refused(run("check", write(tmp_path / "bomb.arrow", data)))


@pytest.mark.parametrize("schema", [True, False])
@pytest.mark.parametrize("rows", [900, 1200])
def test_what_a_table_takes_is_counted_as_it_is_unpacked(rows: int, schema: bool) -> None:
    """Texts of 10,000 letters: 900 take 9 MB, 1,200 take 12; ids and lists take little beside them."""
    from spanscope.io.tables import table_of

    file = io.BytesIO()
    pq.write_table(repeated(rows, 10_000), file, store_schema=schema)
    if rows == 900:
        assert table_of(file.getvalue(), "x.parquet", 10_000_000).num_rows == 900
    else:
        with pytest.raises(spanscope.InputError, match=r"^x.parquet: unpacks to more than 10 MB"):
            table_of(file.getvalue(), "x.parquet", 10_000_000)


@pytest.mark.parametrize("kind", ["list_view", "string_view", "nested dictionary", "list of nulls"])
def test_values_that_share_their_bytes_are_counted_each(kind: str) -> None:
    """3,000 rows that each stand for the same 10,000 letters, or for 10,000 nulls."""
    from spanscope.io.tables import size_unpacked

    rows, long = 3000, pa.array(["a" * 10_000])
    if kind == "string_view":
        _, views, letters = long.cast(pa.string_view()).buffers()
        column = pa.Array.from_buffers(pa.string_view(), rows, [None, pa.py_buffer(bytes(views) * rows), letters])
    elif kind == "list_view":
        ends = (pa.array([0] * rows, pa.int32()), pa.array([1000] * rows, pa.int32()))
        column = pa.ListViewArray.from_arrays(*ends, pa.array(range(1000)))
    elif kind == "nested dictionary":
        coded = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), long)
        column = pa.StructArray.from_arrays([coded], names=["label"])
    else:
        column = pa.ListArray.from_arrays(
            pa.array(range(0, 10_000 * rows + 1, 10_000), pa.int32()), pa.nulls(10_000 * rows)
        )
    assert column.nbytes < 1_000_000
    assert size_unpacked(column) > 20_000_000


def test_a_small_file_may_hold_much_of_the_same(tmp_path: Path) -> None:
    """A thousand times the file is fine below a gigabyte: 2,000 documents with one text of 10,000 letters."""
    path = tmp_path / "same.parquet"
    pq.write_table(repeated(2000, 10_000), path, compression="zstd")
    assert 1000 * path.stat().st_size < 2000 * 10_000
    corpus = spanscope.read(path)
    assert corpus.n_documents == 2000
    assert corpus.texts is not None
    assert set(corpus.texts.tolist()) == {"a" * 10_000}


# ---------------------------------------------------------------- strings that are none


def no_utf8(path: Path, documents: list[dict[str, Any]], was: bytes) -> Path:
    data = stream(pa.Table.from_pylist(documents))
    assert data.count(was) == 1
    return write(path, data.replace(was, b"\xff" * len(was)))


@pytest.mark.parametrize("column", ["id", "text", "label"])
@pytest.mark.parametrize("name", ["eval", "check"])
def test_bytes_that_are_not_utf8(column: str, name: str, tmp_path: Path) -> None:
    own = [
        {"id": "aa", "text": "abc", "spans": SPANS},
        {"id": "QQQ", "text": "TTT", "spans": [{**SPANS[0], "label": "LLL"}]},
    ]
    bad = no_utf8(tmp_path / "bad.arrow", own, {"id": b"QQQ", "text": b"TTT", "label": b"LLL"}[column])
    err = refused(run(name, bad, *([write(tmp_path / "p.jsonl", own)] if name == "eval" else [])))
    where = "spans" if column == "label" else column
    assert err == f"{bad}:2: byte 0xff in the column {where} is not UTF-8\n  expected  UTF-8\n"


def not_utf8(values: list[bytes]) -> Any:
    """Return a column of strings that nobody checked."""
    column = pa.array(values, pa.binary())
    return pa.Array.from_buffers(pa.string(), len(values), column.buffers())


def late(column: str) -> Any:
    """Return 33 documents, the last with a byte that is not UTF-8 in one column."""
    strings = {
        name: not_utf8([b"private %d" % row for row in range(32)] + [b"private \xff" if name == column else b"z"])
        for name in ("id", "text", "label", "span text")
    }
    numbers = pa.array([0] * 33, pa.int64()), pa.array([1] * 33, pa.int64())
    spans = pa.StructArray.from_arrays(
        [*numbers, strings["label"], strings["span text"]], names=["start", "end", "label", "text"]
    )
    lists = pa.ListArray.from_arrays(pa.array(range(34), pa.int32()), spans)
    return pa.table({"id": strings["id"], "text": strings["text"], "spans": lists})


@pytest.mark.parametrize("kind", ["parquet", "arrow", "feather"])
@pytest.mark.parametrize("column", ["id", "text", "label", "span text"])
@pytest.mark.parametrize("name", ["eval", "check", "agree", "report"])
def test_bytes_that_are_not_utf8_behind_the_first_rows(column: str, name: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"l.{kind}"
    if kind == "parquet":
        pq.write_table(late(column), path)
    elif kind == "arrow":
        write(path, stream(late(column)))
    else:
        feather.write_feather(late(column), str(path))
    others = {"eval": [path], "agree": [path], "check": [], "report": [path, "-o", tmp_path / "r.html"]}
    err = refused(run(name, path, *others[name]))
    where = column if column in ("id", "text") else "spans"
    assert err == f"{path}:33: byte 0xff in the column {where} is not UTF-8\n  expected  UTF-8\n"


def test_tokens_that_are_not_utf8(tmp_path: Path) -> None:
    own = [{"id": "a", "tokens": ["TTT"], "tags": ["O"]}]
    bad = no_utf8(tmp_path / "bad.arrow", own, b"TTT")
    assert "bad.arrow:1: byte 0xff in the column tokens is not UTF-8" in refused(
        run("eval", bad, bad, "-m", "tokens.accuracy")
    )


def test_the_name_of_a_column_that_is_not_utf8(tmp_path: Path) -> None:
    data = stream(pa.Table.from_pylist([{"ZZZ": 1, **DOCUMENTS[0]}])).replace(b"ZZZ", b"\xff\xff\xff")
    assert "bad.arrow: " in refused(run("check", write(tmp_path / "bad.arrow", data)))


def test_a_map_with_a_key_twice(tmp_path: Path) -> None:
    extra = pa.array([[("k", 1), ("k", 2)]], pa.map_(pa.string(), pa.int64()))
    table = pa.Table.from_pylist(DOCUMENTS[:1]).append_column("more", extra)
    err = refused(run("check", write(tmp_path / "bad.arrow", stream(table))))
    assert "bad.arrow:1: a map of the column more has a key twice" in err


def test_files_that_are_whole_are_still_read(tmp_path: Path) -> None:
    """Strings, large strings, views and dictionaries of them, lists of all kinds: the same documents."""
    usual = pa.Table.from_pylist(DOCUMENTS)
    for kind in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
        path = write(tmp_path / "good.arrow", stream(usual.set_column(1, "text", usual["text"].cast(kind))))
        corpus = spanscope.read(path)
        assert corpus.texts is not None
        assert (corpus.ids, corpus.texts.tolist()) == (["d0", "d1", "d2", "d3"], ["abc def"] * 4)
