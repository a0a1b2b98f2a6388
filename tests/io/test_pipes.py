"""Pipes can be given wherever a file can: `<(zcat gold.jsonl.gz)`, and pipes that have a name."""

import gzip
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from spanscope import InputError, Running, agree, check, compare, evaluate, panel, plan, read
from spanscope.io.pipes import hold
from spanscope.settings.options import grouped
from spanscope.system.child_process import may_crash
from tests.cli import GOLD, PRED, TRACES, environment, refused, run, write
from tests.support import needs

CONLL = "EU B-ORG B-ORG\nrejects O O\nGerman B-MISC O\n\n"
COMMAND = f"{sys.executable} -c 'from spanscope.cli import main; main()'"


@contextmanager
def piped(folder: Path, **contents: bytes) -> Iterator[list[str]]:
    """Give named pipes into which some bytes are written, once, by a thread each."""
    writers = []
    for name, content in contents.items():
        os.mkfifo(folder / name)
        writers.append(threading.Thread(target=_fill, args=(folder / name, content), daemon=True))
        writers[-1].start()
    yield [str(folder / name) for name in contents]
    for writer in writers:
        writer.join(60)
        assert not writer.is_alive()


def _fill(path: Path, content: bytes) -> None:
    with path.open("wb") as out:
        out.write(content)


def in_bash(command: str) -> subprocess.CompletedProcess[str]:
    """Run the program as bash does, which opens pipes for `<(...)`."""
    return subprocess.run(
        ["bash", "-c", f"{COMMAND} {command}"],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        timeout=120,
    )


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


SHAPES = {
    "lines": (GOLD.read_bytes(), PRED.read_bytes()),
    "gzip": (gzip.compress(GOLD.read_bytes()), PRED.read_bytes()),
    "json": (json.dumps(lines(GOLD)).encode(), json.dumps(lines(PRED)).encode()),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_named_pipes_are_scored_as_files(tmp_path: Path, shape: str) -> None:
    gold, pred = SHAPES[shape]
    with piped(tmp_path, g=gold, p=pred) as both:
        found = evaluate(*both)
    assert found.rows == evaluate(GOLD, PRED).rows
    assert [one.path for one in found.inputs] == both


@pytest.mark.parametrize("options", [{"memory": "counts"}, {"memory": "totals"}, {"jobs": 2}])
def test_pipes_in_blocks_and_in_another_order(tmp_path: Path, options: dict[str, Any]) -> None:
    """Documents in another order are dealt into files, for which both sides are read again."""
    back = b"".join(reversed(PRED.read_bytes().splitlines(keepends=True)))
    with piped(tmp_path, g=GOLD.read_bytes(), p=back) as both:
        found = evaluate(*both, ci=False, **grouped(options))
    assert found.rows == evaluate(GOLD, PRED, ci=False).rows


def test_tagged_tokens_and_tables(tmp_path: Path) -> None:
    with piped(tmp_path, tags=CONLL.encode()) as (path,):
        assert evaluate(path).value("f1") == pytest.approx(2 / 3)  # 1 of 1 predicted, 1 of 2 gold
    pa, parquet = needs("pyarrow"), needs("pyarrow.parquet")
    table, buffer = pa.table({"doc": ["a"], "start": [0], "end": [1], "label": ["X"]}), pa.BufferOutputStream()
    parquet.write_table(table, buffer)
    content = buffer.getvalue().to_pybytes()
    with piped(tmp_path, g=content, p=content) as both:
        assert evaluate(*both, "spans.exact").totals() == {"tp": 1, "pred": 1, "gold": 1}


def test_commands_that_look_at_a_file_before_they_read_it(tmp_path: Path) -> None:
    """Every one of these looks into its files, some of them several times, before it reads them."""
    whole, half = GOLD.read_bytes(), PRED.read_bytes()
    with piped(tmp_path, a=whole, b=half) as both:
        assert run("check", *both).out.replace(both[1], "PRED") == run("check", GOLD, PRED).out.replace(
            str(PRED), "PRED"
        )
    with piped(tmp_path, c=whole, d=half) as both:
        assert agree(*both, measures="f1").value("f1") == agree(GOLD, PRED, measures="f1").value("f1")
    with piped(tmp_path, e=whole, f=half) as (gold, pred):
        done = run("compare", gold, f"one={pred}", f"two={PRED}", "-f", "json")
    assert (done.code, json.loads(done.out)["documents"]) == (0, 50)
    with piped(tmp_path, g=TRACES.read_bytes()) as (path,):
        assert run("eval", path, "-f", "csv").out == run("eval", TRACES, "-f", "csv").out
    with piped(tmp_path, h=TRACES.read_bytes()) as (path,):
        assert panel(path, ci=False).names == panel(TRACES, ci=False).names
    with piped(tmp_path, i=whole) as (path,):
        assert read(path).n_documents == 50


def test_three_annotators_of_tokens(tmp_path: Path) -> None:
    """The first is read beside each of the others."""
    one = "".join(line.rpartition(" ")[0] + "\n" for line in CONLL.splitlines())
    content = one.encode()
    with piped(tmp_path, a=content, b=content, c=content) as three:
        assert agree(*three, measures="f1", ci=False).value("f1") == 1


def test_result_files(tmp_path: Path) -> None:
    kept = run("eval", GOLD, PRED, "--keep", "-f", "json").out.encode()
    with piped(tmp_path, a=kept, b=kept) as both:
        assert compare(None, *both, trials=10).value("f1").difference == 0
    with piped(tmp_path, c=kept) as (path,):
        assert plan(path, detect=0.1).found.pilot == 50


@pytest.mark.parametrize(
    "command",
    [
        f"eval {GOLD} <(cat {PRED}) -f csv",
        f"eval <(gzip -c {GOLD}) <(cat {PRED}) -f csv",
        f"eval <(cat {GOLD}) {PRED} -f csv",
    ],
)
def test_process_substitution(command: str) -> None:
    done = in_bash(command)
    assert done.stdout == run("eval", GOLD, PRED, "-f", "csv").out
    assert done.returncode == 0


@pytest.mark.parametrize("shape", ["{g} {p}", "{g} one={p} two={q}"])
def test_curves_of_pipes_are_those_of_files(tmp_path: Path, shape: str) -> None:
    """Whether a file is a result that was written is seen from the bytes that are held, which are scored then."""
    needs("matplotlib")
    (tmp_path / "q").write_bytes(PRED.read_bytes())
    files = {"g": GOLD, "p": PRED, "q": tmp_path / "q"}
    drawn = []
    for name, form in (("files", "{}"), ("pipes", "<(cat {})")):
        given = shape.format(**{key: form.format(path) for key, path in files.items()})
        out = tmp_path / f"{name}.svg"
        done = in_bash(f"plot curve {given} -m 'spans.iou(threshold=0.5)' --no-title -o {out}")
        assert done.returncode == 0, done.stderr
        drawn.append(out.read_bytes())
    assert drawn[0] == drawn[1]


def test_a_path_with_a_pipe_of_its_name(tmp_path: Path) -> None:
    with piped(tmp_path, p=PRED.read_bytes()) as (path,):
        assert evaluate(GOLD, Path(path)).inputs[1].path == path


def test_a_pipe_without_a_byte(tmp_path: Path) -> None:
    with piped(tmp_path, p=b"") as (path,):
        assert refused(run("eval", GOLD, path)).startswith(f"{path}: is empty\n")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless device")
def test_devices_that_never_end() -> None:
    with pytest.raises(InputError, match="/dev/zero: is a device"):
        evaluate("/dev/zero", PRED)
    with pytest.raises(InputError, match="/dev/null: is empty"):
        check(os.devnull, PRED)


def test_spark_cannot_read_a_pipe(tmp_path: Path) -> None:
    """It would open the path a second time, from another process."""
    needs("pyspark")
    with (
        piped(tmp_path, p=PRED.read_bytes()) as (path,),
        pytest.raises(InputError, match="which Spark cannot read"),
    ):
        evaluate(path, GOLD, run=Running(engine="spark"))


def test_a_file_is_not_held(tmp_path: Path) -> None:
    """A file that changes between two runs is read anew."""
    path = write(tmp_path / "p.jsonl", PRED.read_bytes())
    before = evaluate(GOLD, path, ci=False).value("f1")
    write(path, GOLD.read_bytes())
    assert evaluate(GOLD, path, ci=False).value("f1") == 1 > before


@pytest.mark.parametrize("names", [("a", "a"), ("a", "b")], ids=["one name", "two names"])
@pytest.mark.parametrize(
    "command",
    [
        "eval {} {}",
        "report {} {} -o page.html",
        "check {} {}",
        "agree {} {}",
        "agree {gold} {} {}",
        "score {} {}",
        "compare {} {} {gold}",
        "compare {gold} {} {}",
        "compare {gold} one={} two={}",
        "plot compare {gold} one={} two={} -o x.svg",
        "plot labels {} {} -o x.svg",
    ],
)
def test_one_pipe_for_several_inputs(tmp_path: Path, command: str, names: tuple[str, str]) -> None:
    """Opening it a second time would wait for ever: its bytes have gone to the first who opened it."""
    if command.startswith("plot"):
        needs("matplotlib")
    os.mkfifo(tmp_path / "a")
    (tmp_path / "b").symlink_to("a")
    err = refused(run(*command.format(*(tmp_path / name for name in names), gold=GOLD).split()))
    where = tmp_path / names[0 if command.startswith("score") else 1]  # whose gold comes second
    what = f"{where}: is one pipe for several inputs, and can be read only once\n"
    assert err == f"{what}  expected  a file, or a pipe for each\n"


@pytest.mark.skipif(not hasattr(os, "preadv"), reason="files are not held open here")
def test_a_file_that_was_looked_into_is_not_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a file is a table is seen before anything is loaded; whoever reads it goes on with that."""
    path = str(write(tmp_path / "gold.jsonl", "first"))
    assert not may_crash([path])
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("opened again"))
    assert hold(path).first(5) == b"first"


@pytest.mark.skipif(not hasattr(os, "preadv"), reason="files are not held open here")
def test_a_file_that_was_replaced_since_is_the_new_one(tmp_path: Path) -> None:
    path, other = (str(write(tmp_path / name, name)) for name in ("first", "other"))
    assert not may_crash([path])
    Path(other).replace(path)
    assert hold(path).first(5) == b"other"
