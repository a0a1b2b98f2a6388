"""A server that is killed at any moment: what was finished is there and whole, what was not is nowhere."""

import asyncio
import hashlib
import http.client
import json
import os
import random
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.serve import Served
from tests.serve.test_command import begun, port_of
from tests.support import needs

needs("uvicorn")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
IN_PROCESS, SERVERS = 94, int(os.environ.get("SPANSCOPE_KILLS", "6"))  # a hundred in all; `make long` kills more
LINES = b'{"id": 1, "text": "Anna pays", "spans": [{"start": 0, "end": 4, "label": "P"}]}\n'


# ---------------------------------------------------------------- the store, in a child that is killed


async def _work(root: Path, tell: Any, seed: int) -> None:
    """Upload, finish jobs, rename, delete, undo and drop, in turns for ever; tell what is promised when it is."""
    from spanscope.serve import jobs, uploads
    from spanscope.serve.durable import flush_tree
    from spanscope.serve.limits import Limits
    from spanscope.serve.state import Job, remember
    from spanscope.serve.store import Store

    state, draw = remember(root, Store(root), Limits(uploads=10**6)), random.Random(seed)

    async def parts(data: bytes) -> AsyncIterator[bytes]:
        for at in range(0, len(data), 4000):
            yield data[at : at + 4000]

    for number in range(10**6):
        data = draw.randbytes(draw.randrange(1, 30_000))
        sent = await uploads.take(state, "a.bin", parts(data), len(data))
        tell("upload", sent.id, hashlib.sha256(data).hexdigest())
        job = Job(f"{seed:06x}{number:06x}", "score", "run")
        folder = state.folder("jobs", job.id)
        for place in ("in", "out"):
            folder.joinpath(place).mkdir(parents=True)
        folder.joinpath("in", "gold").write_bytes(data)
        sums = {"gold": hashlib.sha256(data).hexdigest()}
        head = {"name": "run", "opens": True, "text": "full", "sums": sums}
        folder.joinpath("out", "head.json").write_text(json.dumps(head))
        jobs._move_in(state, job, {}, flush_tree(folder))
        tell("run", job.id, sums["gold"])
        what = draw.randrange(4)
        if what == 0:
            jobs.change(state, job.id, {"note": sums["gold"]})
            tell("note", job.id, sums["gold"])
        elif what == 1:
            tell("deleting", job.id, "")
            jobs.remove(state, job.id)
            tell("deleted", job.id, "")
            if draw.random() < 0.5:
                jobs.change(state, job.id, {"deleted": False})
                tell("restored", job.id, "")
        elif what == 2:
            from spanscope.serve import room

            tell("dropping", sent.id, "")
            room.drop_uploads(state, [sent.id])
            tell("dropped", sent.id, "")


def _child(root: Path, out: int, seed: int) -> NoReturn:
    def tell(*said: str) -> None:
        os.write(out, (" ".join(said) + "\n").encode())

    with suppress(BaseException):
        asyncio.run(_work(root, tell, seed))
    os._exit(3)  # it never comes to an end by itself


def _killed(root: Path, draw: random.Random, seed: int) -> list[list[str]]:
    """Let a child work in a folder, kill it at some moment, and return what it had promised."""
    from spanscope.serve import jobs, room, uploads  # noqa: F401  # before the fork: the child begins at once

    there, out = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the child uses none of theirs
        child = os.fork()
    if child == 0:
        os.close(there)
        _child(root, out, seed)
    os.close(out)
    select.select([there], [], [], 30)  # it works
    time.sleep(draw.random() ** 2 * 0.4)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the child ended by itself"
    with os.fdopen(there, "rb") as file:
        return [line.decode().split(" ") for line in file.read().splitlines()]


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_whatever_was_promised_is_there_and_nothing_half_made_is_listed(tmp_path: Path) -> None:
    from spanscope.serve.limits import Limits
    from spanscope.serve.state import remember
    from spanscope.serve.store import Store

    draw, seen = random.Random(5), set[str]()
    promised: dict[str, dict[str, str]] = {"upload": {}, "run": {}, "note": {}}
    out: set[str] = set()  # deleted or dropped; while that was not yet promised, either may be found
    open_: set[str] = set()
    for seed in range(IN_PROCESS):
        for what, own, value in ([*line, ""][:3] for line in _killed(tmp_path, draw, seed)):
            seen.add(what)
            if what in promised:
                promised[what][own] = value
            open_ = open_ | {own} if what in ("deleting", "dropping", "deleted") else open_ - {own}
            out = out | {own} if what in ("deleted", "dropped") else out - {own}
        store = Store(tmp_path)
        state = remember(tmp_path, store, Limits())
        for own, digest in promised["run"].items():
            held = state.runs.keys() | (state.deleted.keys() if own in out | open_ else set())
            assert own in held, "a finished run is gone"
            assert own not in out - open_ or own in state.deleted
            assert _sum(store.place("run", own) / "in" / "gold") == digest
        for own, head in (state.runs | state.deleted).items():  # whole, also those that were not promised yet
            assert _sum(store.place("run", own) / "in" / "gold") == head["sums"]["gold"]
            assert head["note"] in ("", head["sums"]["gold"])
        for own, value in promised["note"].items():
            assert (state.runs | state.deleted)[own]["note"] == value
        for own, digest in promised["upload"].items():
            if own in out:
                assert own not in state.uploads
            elif own not in open_:
                assert _sum(store.place("upload", own) / "a.bin") == digest
        for own, file in state.uploads.items():
            assert (store.place("upload", own) / "a.bin").stat().st_size == file.size
        runs, files = ({path.name for path in (tmp_path / name).iterdir()} for name in ("runs", "uploads"))
        assert runs == state.runs.keys() | state.deleted.keys()
        assert files == state.uploads.keys()
        assert [*(tmp_path / "coming").iterdir()] == [*(tmp_path / "jobs").iterdir()] == []
        store.drop("run", list(promised["run"])[:-20])  # else there are ever more of them to look at
        store.drop("upload", list(promised["upload"])[:-20])
        for held_ in promised.values():
            for own in [*held_][:-20]:
                del held_[own]
        promised["note"] = {own: value for own, value in promised["note"].items() if own in promised["run"]}
        store.close()
    assert seen == {"upload", "run", "note", "deleting", "deleted", "restored", "dropping", "dropped"}


# ---------------------------------------------------------------- the server itself


def _busy(served: Served, done: list[str], gone: list[str]) -> None:
    """Upload, score and delete until the server is gone; note what it answered."""
    options = {"measures": ["spans.exact"], "ci": False}
    cut_off = (OSError, http.client.HTTPException)  # also in the middle of an answer
    with suppress(*cut_off, AssertionError, ValueError, KeyError):
        while True:
            sent = served.upload("pred.jsonl", LINES)
            own = served.submit(gold="gold.jsonl", pred=sent["id"], options=options)
            if served.until(own, "done", "failed")["state"] == "done":
                done.append(own)
            if len(done) % 2 == 0:
                gone.append(own)  # from here on it may be gone
                served.ask("DELETE", f"/api/runs/{own}")


def test_the_server_killed_while_it_works(tmp_path: Path) -> None:
    data, kept, draw = tmp_path / "data", tmp_path / "kept", random.Random(3)
    data.mkdir()
    (data / "gold.jsonl").write_bytes(LINES)
    done: list[str] = []
    gone: list[str] = []
    for round_ in range(SERVERS):
        process, lines = begun(data, kept, "--port", "0")
        served = Served(port_of(lines), data, kept)
        listed = {*served.listed()}
        assert listed >= {*done} - {*gone}
        assert served.left("jobs") == served.left("coming") == []
        for own in listed:
            assert served.ask("GET", f"/runs/{own}/data").status == 200
            assert served.ask("GET", f"/runs/{own}/report.html").body.rstrip().endswith(b"</html>")
            assert json.loads(served.ask("GET", f"/runs/{own}/result.json").body)["kept"]["documents"] == ["1"]
        files = served.ask("GET", "/api/files").json["uploads"]
        assert sorted(one["id"] for one in files) == served.left("uploads")
        assert all(one["size"] == len(LINES) for one in files)
        worker = threading.Thread(target=_busy, args=(served, done, gone))
        worker.start()
        before, end = len(done), time.monotonic() + 60
        while round_ % 2 and len(done) == before and time.monotonic() < end:
            time.sleep(0.02)  # some moments are after a run was finished, whatever the machine is busy with
        time.sleep(draw.random() * 1.5)
        process.send_signal(signal.SIGKILL)
        process.wait()
        worker.join(60)
        assert process.stderr is not None
        process.stderr.close()
    assert done


def test_a_job_that_died_with_the_server_is_told_and_done_again(
    folder: Path, tmp_path: Path, browser: Any
) -> None:
    """The one that ran and the one that waited, each once; the page fills the form as it was."""
    kept = tmp_path / "kept"
    for number in range(3):
        process, lines = begun(folder, kept, "--port", "0")
        served = Served(port_of(lines), folder, kept)
        jobs = served.ask("GET", "/api/runs").json["jobs"]
        if number == 0:
            options = {"measures": ["spans.exact"], "labels": ["Action"], "ci": False}
            asked = [served.submit(gold="gold.jsonl", pred="pred.jsonl", options=options) for _ in range(2)]
        elif number == 1:
            assert sorted(one["id"] for one in jobs) == sorted(asked)
            assert {one["error"]["what"].partition(";")[0] for one in jobs} == {
                "the server was killed before this was done"
            }
            page = browser.new_page()
            page.goto(served.origin)
            page.get_by_test_id("try").first.click()
            page.get_by_test_id("run").wait_for()
            assert page.get_by_test_id("wrong").count() == 1
            assert page.get_by_label("Labels", exact=True).input_value() == "Action"
            page.close()
        else:
            assert jobs == []  # told once
            assert len(served.listed()) == 1
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
