"""The command: where it listens, what it says, and that it leaves nothing behind when it is stopped."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from spanscope.serve.limits import size_in_words, size_of
from tests.cli import environment, refused, run
from tests.engines.test_interrupts import heard
from tests.serve import Served
from tests.support import needs

needs("uvicorn")


def begun(folder: Path, kept: Path, *options: str) -> tuple["subprocess.Popen[str]", list[str]]:
    """Start the command and return its process and what it said, once it listens."""
    process = subprocess.Popen(
        [
            str(Path(sys.executable).with_name("spanscope")),
            "serve",
            str(folder),
            "--no-open",
            "--folder",
            str(kept),
            *options,
        ],
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        preexec_fn=heard,  # noqa: PLW1509  # where tests run under nohup or in the background, it would hear nothing
    )
    lines = []
    assert process.stderr is not None
    while not lines or "Ctrl-C" not in lines[-1]:
        line = process.stderr.readline()
        assert line, lines
        lines.append(line)
    return process, lines


def port_of(lines: list[str]) -> int:
    found = re.search(r"http://\S+:(\d+)/", lines[0])
    assert found
    return int(found[1])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_stops_cleanly(folder: Path, tmp_path: Path, number: signal.Signals) -> None:
    """Half of an upload and a running job go with the server; what was finished stays, and is told where."""
    kept = tmp_path / "new" / "kept"
    process, lines = begun(folder, kept, "--port", "0")
    try:
        assert any(str(kept) in line and "30 days" in line and "5 GB" in line for line in lines)
        served = Served(port_of(lines), folder, kept)
        served.upload("a.jsonl", b"x")
        run = served.score("gold.jsonl", "pred.jsonl")
        job = served.submit(gold="gold.jsonl", pred="pred.jsonl")
        here = ("127.0.0.1", served.port)
        with socket.create_connection(here, 10) as raw, socket.create_connection(here, 10) as half:
            asked = f"GET /api/jobs/{job}/events HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n"
            own = f"Host: 127.0.0.1:{served.port}\r\nOrigin: {served.origin}\r\n"
            own += "Content-Type: application/octet-stream\r\n"
            raw.sendall(asked.encode())
            raw.recv(100)
            half.sendall(f"POST /api/upload?name=b.jsonl HTTP/1.1\r\n{own}Content-Length: 9999\r\n\r\nx".encode())
            while not served.left("coming"):
                time.sleep(0.01)
            process.send_signal(number)
            assert process.wait(60) == 0  # while both connections are open
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        rest = process.stderr.read()
        process.stderr.close()
    assert "Traceback" not in rest
    assert served.left("jobs") == served.left("coming") == []
    assert served.left("runs") == [run]
    assert len(served.left("uploads")) == 1


def test_a_job_ends_with_a_server_that_is_killed(folder: Path, tmp_path: Path) -> None:
    """Nobody can clear up after SIGKILL, but no process goes on working for nobody."""
    script = "import sys; sys.path.pop(0)\nfrom spanscope.serve import work\n"
    script += "work.KINDS['wait'] = lambda job, tell: __import__('time').sleep(60)\nsys.exit(work.main())"
    process = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert process.stdin is not None
    process.stdin.write(b'{"kind": "wait"}\n')
    process.stdin.flush()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2)
    process.stdin.close()
    assert process.wait(60) == 1


def test_the_next_port_if_one_is_taken(folder: Path, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        process, lines = begun(folder, tmp_path / "kept", "--port", str(port))
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert process.stderr is not None
        process.stderr.close()
    assert port_of(lines) > port
    assert any(f"port {port} is taken" in line for line in lines)


def test_other_addresses_are_warned_of(folder: Path, tmp_path: Path) -> None:
    process, lines = begun(folder, tmp_path / "kept", "--port", "0", "--host", "0.0.0.0")
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert process.stderr is not None
    process.stderr.close()
    assert any("warning" in line and "other machines" in line for line in lines)


def test_two_servers_do_not_share_a_folder(folder: Path, tmp_path: Path) -> None:
    """The second is told where the first is reached."""
    process, lines = begun(folder, tmp_path / "kept", "--port", "0")
    said = refused(run("serve", str(folder), "--no-open", "--folder", tmp_path / "kept"))
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert process.stderr is not None
    process.stderr.close()
    assert "another server keeps its runs" in said
    assert f"http://127.0.0.1:{port_of(lines)}/" in said


def test_a_folder_for_something_else_is_refused(folder: Path, tmp_path: Path) -> None:
    said = refused(run("serve", str(folder), "--no-open", "--folder", folder))
    assert "holds files that are not of spanscope serve" in said
    assert sorted(path.name for path in folder.iterdir()) == ["gold.jsonl", "pred.jsonl"]


def test_without_a_browser_the_address_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from spanscope.serve.server import _browse

    said: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    _browse("http://127.0.0.1:8765/", said.append)
    assert said == ["no browser could be opened here; the address is http://127.0.0.1:8765/"]
    monkeypatch.setattr("webbrowser.open", lambda address: True)
    _browse("http://127.0.0.1:8765/", said.append)
    assert len(said) == 1


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["nowhere"], "is not a folder"),
        ([__file__], "is not a folder"),
        ([".", "--limit", "many"], "200MB"),
        ([".", "--limit", "0"], "200MB"),
        ([".", "--total", "much"], "200MB"),
        ([".", "--days", "0"], "days"),
        ([".", "--text", "some"], "--text"),
        ([".", "--port", "99999"], "port"),
        ([".", "--host", "no.such.host.invalid"], "cannot listen"),
    ],
)
def test_what_is_refused(args: list[str], word: str) -> None:
    assert word in refused(run("serve", "--no-open", *args))


@pytest.mark.parametrize("package", ["uvicorn", "starlette", "platformdirs"])
def test_without_the_extra(package: str, tmp_path: Path) -> None:
    """What is missing is said with the words that install it; in a fresh program, where nothing is loaded yet."""
    code = (
        f"import sys; sys.modules[{package!r}] = None; sys.argv[:] = ['spanscope', 'serve', '--port', '0', '.']\n"
    )
    code += "from spanscope.cli import main\nmain()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert f"serve needs {package}, which is not installed" in done.stderr
    assert "pip install 'spanscope[serve]'" in done.stderr


def test_help_does_not_load_the_server() -> None:
    code = "import sys; sys.argv = ['spanscope', 'serve', '--help']\nfrom spanscope.cli import main\n"
    code += "try:\n    main()\nexcept SystemExit:\n    print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert not {"starlette", "uvicorn", "numpy"} & set(done.stdout.split())


def test_sizes() -> None:
    assert [size_of(text) for text in ("1", "2KB", "1.5mb", " 3 GB ")] == [1, 2000, 1_500_000, 3_000_000_000]
    assert [size_in_words(size) for size in (1, 2000, 1_500_000, 3_000_000_000)] == [
        "1 bytes",
        "2 KB",
        "1.5 MB",
        "3 GB",
    ]
