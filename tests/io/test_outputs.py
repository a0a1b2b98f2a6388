"""What is written never destroys what is read, and what cannot be written is said before the work."""

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import InputError, evaluate
from spanscope.io.target import put
from spanscope.viewer import write as write_page
from tests.cli import GOLD, PRED, TRACES, Done, environment, refused, run, write
from tests.support import needs

COMMAND = [sys.executable, "-c", "from spanscope.cli import main; main()"]
QUERIES = [{"query": "q", "snippets": [{"file_path": "a.txt", "span": [0, 5], "answer": "alpha"}]}]
FOUND = [{"query": "q", "retrieved": [{"file_path": "a.txt", "span": [0, 5], "text": "alpha"}]}]


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with gold and predictions, of spans and of passages, in which commands run."""
    monkeypatch.chdir(tmp_path)
    for name, source in (("g.jsonl", GOLD), ("p.jsonl", PRED), ("t.jsonl", TRACES)):
        write(tmp_path / name, source.read_bytes())
    write(tmp_path / "gold.json", json.dumps({"tests": QUERIES}))
    write(tmp_path / "found.json", json.dumps(FOUND))
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


OVER = [
    ("eval", "g.jsonl", "p.jsonl", "-f", "json", "-o", "g.jsonl"),
    ("eval", "g.jsonl", "p.jsonl", "-f", "json", "-o", "p.jsonl"),
    ("eval", "g.jsonl", "p.jsonl", "--html", "p.jsonl"),
    ("eval", "t.jsonl", "-f", "json", "-o", "t.jsonl"),
    ("eval", "t.jsonl", "--html", "t.jsonl"),
    ("compare", "g.jsonl", "p.jsonl", "b=p.jsonl", "-f", "json", "-o", "g.jsonl"),
    ("compare", "g.jsonl", "p.jsonl", "b=p.jsonl", "--html", "p.jsonl"),
    ("agree", "g.jsonl", "p.jsonl", "-f", "json", "-o", "p.jsonl"),
    ("score", "found.json", "gold.json", "-o", "gold.json"),
    ("report", "g.jsonl", "p.jsonl", "-o", "g.jsonl"),
]


@pytest.mark.parametrize("args", OVER, ids=" ".join)
def test_an_output_over_an_input_is_refused(room: Path, args: tuple[str, ...]) -> None:
    before = contents(room)
    assert "would overwrite it" in refused(run(*args))
    assert contents(room) == before


@pytest.mark.parametrize("link", ["link", "hard", "path"])
def test_links_to_an_input_are_seen_through(room: Path, link: str) -> None:
    name = "other.json"
    if link == "link":
        Path(name).symlink_to("g.jsonl")
    elif link == "hard":
        os.link("g.jsonl", name)
    else:
        name = f"../{room.name}/./g.jsonl"
    said = refused(run("eval", "g.jsonl", "p.jsonl", "-f", "json", "-o", name))
    assert said.startswith(f"{name}: is the input 'g.jsonl', and -o would overwrite it\n")
    assert Path("g.jsonl").read_bytes() == GOLD.read_bytes()


def test_a_figure_over_an_input_is_refused(room: Path) -> None:
    needs("matplotlib")
    write(room / "g.svg", GOLD.read_bytes())
    assert "would overwrite it" in refused(run("plot", "labels", "g.svg", "p.jsonl", "-o", "g.svg"))
    assert Path("g.svg").read_bytes() == GOLD.read_bytes()


def test_two_outputs_on_one_path_are_refused(room: Path) -> None:
    Path("y.html").symlink_to("x.html")
    for name in ("x.html", "y.html"):
        said = refused(run("eval", "g.jsonl", "p.jsonl", "-f", "json", "-o", "x.html", "--html", name))
        assert "-o and --html would both write it" in said
    assert not (room / "x.html").exists()


@pytest.mark.parametrize("args", [("eval", "g.jsonl", "p.jsonl"), ("check", "g.jsonl", "p.jsonl")])
def test_standard_output_that_is_an_input_is_refused(room: Path, args: tuple[str, ...]) -> None:
    with Path("g.jsonl").open("ab") as out:
        done = subprocess.run(
            [*COMMAND, *args],
            stdout=out,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"g.jsonl: is an input, and standard output would overwrite it\n")
    assert Path("g.jsonl").read_bytes() == GOLD.read_bytes()


def test_standard_input_from_the_output_is_refused(room: Path) -> None:
    with Path("g.jsonl").open("rb") as source:
        done = subprocess.run(
            [*COMMAND, "eval", "-", "p.jsonl", "-o", "g.jsonl", "-f", "json"],
            stdin=source,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )
    assert (done.returncode, b"would overwrite it" in done.stderr) == (2, True)
    assert Path("g.jsonl").read_bytes() == GOLD.read_bytes()


def test_texts_of_the_corpus_are_not_overwritten(room: Path) -> None:
    """A file of the folder that passages name is an input; one that no passage names is not."""
    folder = room / "texts"
    folder.mkdir()
    write(folder / "a.txt", "alpha beta")
    write(folder / "old.json", "{}")
    command = ("score", "found.json", "gold.json", "--corpus", "texts", "-o")
    assert "would overwrite it" in refused(run(*command, "texts/a.txt"))
    assert (folder / "a.txt").read_text() == "alpha beta"
    assert run(*command, "texts/old.json").code == 0
    assert (folder / "old.json").read_text() != "{}"


@pytest.mark.parametrize("said", ["AT\\u0026T.txt", "AT&T.txt"])
def test_texts_of_the_corpus_are_known_however_their_names_are_written(said: str, room: Path) -> None:
    """JSON may write any letter as a number, and other languages do so with other letters."""
    folder = room / "texts"
    folder.mkdir()
    text = write(folder / "AT&T.txt", "alpha beta")
    place = f'{{"file_path": "{said}", "span": [0, 5], "answer": "alpha", "text": "alpha"}}'
    write(room / "q.json", f'[{{"query": "?", "snippets": [{place}]}}]')
    write(room / "r.json", f'[{{"query": "?", "retrieved_passages": [{place}]}}]')
    refused(run("score", "r.json", "q.json", "--corpus", "texts", "-o", "texts/AT&T.txt"))
    assert text.read_text() == "alpha beta"


@pytest.mark.parametrize("mode", ["<>", ">>"])
def test_an_open_file_that_is_an_input_is_not_written(mode: str, room: Path) -> None:
    gold = write(room / "g.jsonl", GOLD.read_bytes())
    line = f"{sys.executable} -m spanscope eval g.jsonl {PRED} -f json -o /dev/fd/3 3{mode}g.jsonl"
    done = subprocess.run(["bash", "-c", line], capture_output=True, env=environment(), check=False)
    assert (done.returncode, b"would overwrite it" in done.stderr) == (2, True)
    assert gold.read_bytes() == GOLD.read_bytes()


def test_a_page_and_a_table_in_one_file_are_refused(room: Path) -> None:
    line = f"{sys.executable} -m spanscope eval {GOLD} {PRED} --html t.html > t.html"
    done = subprocess.run(["bash", "-c", line], capture_output=True, env=environment(), check=False)
    assert done.returncode == 2
    assert b"--html and standard output would both write it" in done.stderr


def test_files_of_an_input_folder_are_not_overwritten(room: Path) -> None:
    (room / "beir" / "qrels").mkdir(parents=True)
    judged = write(room / "beir" / "qrels" / "test.tsv", "query-id\tcorpus-id\tscore\nq\td\t1\n")
    write(room / "run.txt", "q Q0 d 1 0.5 tag\n")
    assert "would overwrite it" in refused(run("eval", "beir", "run.txt", "-f", "csv", "-o", judged))
    assert judged.read_text().startswith("query-id")


def test_the_page_of_a_result_is_not_written_over_what_was_read(room: Path) -> None:
    result = evaluate("g.jsonl", "p.jsonl")
    with pytest.raises(InputError, match="would overwrite it"):
        write_page(result, "g.jsonl")
    compared = spanscope.compare("g.jsonl", "p.jsonl", ("b", "p.jsonl"), trials=10)
    with pytest.raises(InputError, match="would overwrite it"):
        write_page(compared, "p.jsonl")
    with pytest.raises(InputError, match="would overwrite it"):
        write_page(spanscope.panel("t.jsonl", ci=False), "t.jsonl")
    assert Path("g.jsonl").read_bytes() == GOLD.read_bytes()


# ---------------------------------------------------------------- what cannot be written


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("loop", "Too many levels of symbolic links"),
        ("x" * 300, "File name too long"),
        ("nowhere/x", "No such file or directory"),
        ("folder", "Is a directory"),
        ("new/", "Is a directory"),
    ],
)
def test_what_cannot_be_written_is_said_before_the_work(room: Path, name: str, reason: str) -> None:
    """Gold is no JSON: whoever reads it first complains about it."""
    Path("loop").symlink_to("loop")
    Path("folder").mkdir()
    write(room / "bad.jsonl", "no JSON")
    for option in ("-o", "--html"):
        said = refused(run("eval", "bad.jsonl", "p.jsonl", "-f", "json", option, name))
        assert f"cannot be written ({reason})" in said
    assert f"cannot be written ({reason})" in refused(run("report", "bad.jsonl", "p.jsonl", "-o", name))
    assert f"cannot be written ({reason})" in refused(
        run("agree", "bad.jsonl", "p.jsonl", "-f", "json", "-o", name)
    )


def test_a_folder_that_cannot_be_written_is_said(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path) != room)
    said = refused(run("eval", "g.jsonl", "p.jsonl", "-o", "x.json"))
    assert said == "x.json: cannot be written (Permission denied in its folder)\n"


def test_a_name_as_long_as_may_be(room: Path) -> None:
    name = "x" * 250 + ".json"
    assert run("eval", "g.jsonl", "p.jsonl", "-o", name).code == 0
    assert json.loads(Path(name).read_text())["form"] == 1


# ---------------------------------------------------------------- modes, pipes and devices


def test_an_overwritten_file_keeps_its_mode(room: Path) -> None:
    for mode in (0o600, 0o640):
        Path("x.json").write_text("")
        Path("x.json").chmod(mode)
        assert run("eval", "g.jsonl", "p.jsonl", "-o", "x.json").code == 0
        assert stat.S_IMODE(Path("x.json").stat().st_mode) == mode
        assert Path("x.json").read_text().startswith("{")


def test_a_new_file_follows_the_umask(room: Path) -> None:
    before = os.umask(0o027)
    try:
        put("text", "new.txt")
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path("new.txt").stat().st_mode) == 0o640


def test_nothing_is_left_where_writing_fails(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(room / "x.txt", "old")

    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stopped)
    before = contents(room)
    with pytest.raises(KeyboardInterrupt):
        put("new", "x.txt")
    assert contents(room) == before


def test_a_named_pipe_is_written_to(room: Path) -> None:
    os.mkfifo("pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(Path("pipe").read_bytes()), daemon=True)
    reader.start()
    assert run("eval", "g.jsonl", "p.jsonl", "-f", "json", "-o", "pipe").code == 0
    reader.join(60)
    assert json.loads(got[0])["form"] == 1
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)


def finished(*args: str, **streams: Any) -> Done:
    done = subprocess.run([*COMMAND, *args], env=environment(), check=False, timeout=120, **streams)
    out, err = ((one or b"").decode() for one in (done.stdout, done.stderr))
    return Done(done.returncode, out, err)


def test_dev_stdout_is_what_standard_output_is(room: Path) -> None:
    """What was in the file before, as after `(echo first; spanscope ...) > out.txt`, stays."""
    with Path("out.txt").open("wb") as out:
        out.write(b"first\n")
        out.flush()
        done = finished("eval", "g.jsonl", "p.jsonl", "-o", "/dev/stdout", stdout=out, stderr=subprocess.PIPE)
    assert done.code == 0
    assert Path("out.txt").read_text().startswith("first\nGold  ")


def test_dev_null_stays_a_device(room: Path) -> None:
    both = ("-o", "/dev/null", "--html", "/dev/null")
    assert finished("eval", "g.jsonl", "p.jsonl", *both, stderr=subprocess.PIPE).code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


# ---------------------------------------------------------------- standard streams


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "args",
    [("eval", "g.jsonl", "p.jsonl"), ("eval", "g.jsonl", "p.jsonl", "-f", "csv"), ("measures",), ("--help",)],
)
def test_standard_output_that_is_full(room: Path, args: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = finished(*args, stdout=full, stderr=subprocess.PIPE)
    assert done.code == 2
    assert done.err.splitlines()[-1] == "<stdout>: cannot be written (No space left on device)"
    assert "Traceback" not in done.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_standard_error_that_is_full(room: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        assert finished("eval", "nothing.jsonl", "p.jsonl", stderr=full).code == 2
        done = finished("eval", "g.jsonl", "p.jsonl", "-f", "csv", stdout=subprocess.PIPE, stderr=full)
    assert (done.code, done.out.partition(",")[0]) == (0, "measure")


def closed(number: int) -> Any:
    return lambda: os.close(number)


def test_closed_standard_output(room: Path) -> None:
    done = finished("eval", "g.jsonl", "p.jsonl", preexec_fn=closed(1), stderr=subprocess.PIPE)
    assert (done.code, done.err) == (2, "<stdout>: cannot be written (Bad file descriptor)\n")
    done = finished("eval", "g.jsonl", "p.jsonl", "-o", "x.txt", preexec_fn=closed(1), stderr=subprocess.PIPE)
    assert done.code == 0
    assert Path("x.txt").read_text().startswith("Gold  ")


def test_closed_standard_input(room: Path) -> None:
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": closed(0)}
    done = finished("eval", "g.jsonl", "-", **streams)
    assert (done.code, done.err.splitlines()[0]) == (2, "<stdin>: is closed")
    assert finished("eval", "g.jsonl", "p.jsonl", **streams).code == 0


def test_closed_standard_error(room: Path) -> None:
    done = finished("eval", "g.jsonl", "p.jsonl", preexec_fn=closed(2), stdout=subprocess.PIPE)
    assert (done.code, done.out[:4]) == (0, "Gold")
    assert finished("eval", "nothing.jsonl", "p.jsonl", preexec_fn=closed(2)).code == 2


# ---------------------------------------------------------------- temporary files


LIMITED = """
import resource, sys
from spanscope.engines import streaming
from spanscope.io import line_blocks as blocks
blocks.LINES = 10
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))  # as a full folder: no file can grow
from spanscope.cli import main
main()
"""


def test_a_full_folder_for_temporary_files(room: Path) -> None:
    lines = PRED.read_text().splitlines(keepends=True)
    write(room / "back.jsonl", "".join(reversed(lines)))
    temp = room / "temp"
    temp.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "eval", "g.jsonl", "back.jsonl", "--memory", "counts"],
        env={**environment(), "TMPDIR": str(temp)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("temporary files cannot be written (File too large)\n")
    assert "TMPDIR" in done.stderr
    assert list(temp.iterdir()) == []


def test_no_folder_for_temporary_files(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(room / "nowhere"))
    write(room / "back.jsonl", "".join(reversed(PRED.read_text().splitlines(keepends=True))))
    said = refused(run("eval", "g.jsonl", "back.jsonl", "--memory", "counts"))
    assert said.startswith("temporary files cannot be written (No such file or directory)\n")
    assert refused(run("view", "g.jsonl", "p.jsonl")).startswith("temporary files cannot be written")
