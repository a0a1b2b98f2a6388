"""Jobs: a queue, a process for each job, and what comes of it, which is kept when a job is complete."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import signal
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from spanscope.jsonable import JsonObject
from spanscope.report.names import visible
from spanscope.serve import room
from spanscope.serve.durable import flush_tree, new_file, put_in_place
from spanscope.serve.limits import Refused, error_as_json
from spanscope.serve.state import Job, State, head_of
from spanscope.serve.store import ASKED, new_item

# -P: a file that someone calls json.py and drops here must not be what Python imports
COMMAND = (sys.executable, "-P", "-m", "spanscope.serve.work")
GONE = "a run was deleted in the meantime"
LISTED = ("id", "when")  # what the list has of a run besides its head
LINE = 1 << 20  # bytes of one line a job may write


def submit(state: State, kind: str, name: str, asked: JsonObject) -> Job:
    """Put a job into the queue."""
    limits = state.limits
    if sum(not job.over for job in state.jobs.values()) >= limits.jobs + limits.queue:
        what = f"{limits.jobs + limits.queue} jobs are running or waiting"
        raise Refused(429, what, expected="fewer", hint="cancel one, or wait until one is done")
    if kind in ("score", "result"):
        room.refuse_more_runs(state)
    room.make(state, 0)
    job = Job(secrets.token_hex(6), kind, name, asked=_form_of(asked))
    folder = state.folder("jobs", job.id)
    for part in ("", "in", "out"):
        folder.joinpath(part).mkdir(mode=0o700)
    own = {"kind": kind, "name": name, "folder": str(folder), "most": limits.upload, "keep": limits.keeps_texts}
    asked = {**own, "text": limits.text, **asked}
    with new_file(folder.joinpath(ASKED)) as file:
        file.write(json.dumps(asked).encode())
    state.jobs[job.id] = job
    state.needs[job.id] = {one["id"] for one in (asked.get("gold"), asked.get("pred")) if one}
    state.tasks[job.id] = asyncio.create_task(_run(state, job, asked))
    return job


def tell_interrupted(state: State) -> None:
    """List the jobs that the server did not live to end, which it can be asked to do again."""
    for own, asked in state.store.unfinished.items():
        job = Job(own, asked["kind"], asked["name"], "failed", asked=_form_of(asked), ended=time.time())
        job.error = Refused(0, "the server was killed before this was done; nothing of it was kept").error
        if job.asked:
            job.error["tries"] = [{"say": "again", "option": "again", "value": "", "begun": ""}]
        state.jobs[own] = job
    room.tidy(state)


def _form_of(asked: JsonObject) -> JsonObject:
    """Return what the form can be filled with again."""
    if "options" not in asked:
        return {}
    sides = {side: None if asked[side] is None else asked[side]["id"] for side in ("gold", "pred")}
    return {**sides, "options": asked["options"]}


async def _run(state: State, job: Job, asked: JsonObject) -> None:
    """Wait for a slot, do the job, and clear away what is left of it; a job that is cancelled ends here too."""
    if state.slots is None:
        state.slots = asyncio.Semaphore(state.limits.jobs)
    try:
        async with state.slots:
            job.state = "running"
            state.tell()
            async with asyncio.timeout(state.limits.seconds):
                await _work(state, job, asked)
        size = await asyncio.to_thread(flush_tree, state.folder("jobs", job.id))
        if not _has_all(state, asked):
            raise Refused(0, GONE)
        _move_in(state, job, asked, size)
        job.state = "done"
    except asyncio.CancelledError:
        job.state = "cancelled"
    except TimeoutError:
        job.state, job.error = (
            "failed",
            Refused(0, f"the job took more than {state.limits.seconds:g} seconds").error,
        )
    except Refused as refused:
        job.state, job.error = "failed", (refused if _has_all(state, asked) else Refused(0, GONE)).error
    except OSError as error:
        job.state, job.error = "failed", Refused(0, f"{error.strerror or error}").error
    except Exception as error:  # whatever it is, a job that has ended must not stay in the queue
        job.state, job.error = "failed", error_as_json(error)
    finally:
        _clear_away(state, job)


def _has_all(state: State, asked: JsonObject) -> bool:
    """Tell whether the runs that a job is about are still there: they can be deleted while it waits or works."""
    return all(own in state.runs for own in asked.get("ids", []))


def _clear_away(state: State, job: Job) -> None:
    """Clear away what is left of a job, whatever its end."""
    shutil.rmtree(state.folder("jobs", job.id), ignore_errors=True)
    state.needs.pop(job.id, None)
    state.tasks.pop(job.id, None)
    job.ended = time.time()
    room.tidy(state)
    state.tell()


async def _work(state: State, job: Job, asked: JsonObject) -> None:
    """Run the process of a job and follow what it tells; it is killed whatever ends the wait."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=None if os.environ.get("SPANSCOPE_DEBUG") else asyncio.subprocess.DEVNULL,
        cwd=state.folder("jobs"),
        start_new_session=True,  # Ctrl-C is for the server, which ends its jobs itself
        limit=LINE,
    )
    done = False
    try:
        if process.stdin is None or process.stdout is None:
            raise OSError("no pipe to the job")
        with suppress(ConnectionError):  # it has ended already: what that means is said below
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            await process.stdin.drain()
        async for line in process.stdout:
            news = json.loads(line)
            if "error" in news:
                refused = Refused(0, "")
                refused.error = news["error"]
                raise refused
            done = done or "done" in news
            job.stage, job.at, job.of = (news.get(key, getattr(job, key)) for key in ("stage", "at", "of"))
            if job.stage and job.stage not in job.stages:
                job.stages.append(job.stage)
            state.tell()
        code = await process.wait()
    finally:
        await asyncio.shield(_kill(process))
    if not done or code:
        raise Refused(0, "the job ended without a result", hint="perhaps memory ran out: a smaller corpus")


async def _kill(process: asyncio.subprocess.Process) -> None:
    """End a process and all it started."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
    if process.stdin is not None:
        process.stdin.close()
    await process.wait()


def _move_in(state: State, job: Job, asked: JsonObject, size: int) -> None:
    """Keep what a job made: it is there whole or not at all."""
    folder = state.folder("jobs", job.id)
    if job.kind == "report":
        put_in_place(folder.joinpath("out", "report.html"), Path(asked["run"], "out", "report.html"))
        state.store.measure("run", Path(asked["run"]).name)
        return
    head = json.loads(folder.joinpath("out", "head.json").read_text(encoding="utf-8"))
    if job.kind == "compare":
        head["key"] = key = "-".join(asked["ids"])
        room.drop_compared(state, [key] if key in state.compared else [])
        item = new_item(job.id, "compare", size, head)
        state.store.add(item, folder)
        state.compared[key] = head_of(item)
        job.page = f"compare/{key}/"
    else:
        item = new_item(job.id, "run", size, head)
        state.store.add(item, folder)
        state.runs[job.id] = head_of(item)
        job.page = f"runs/{job.id}/" if head["opens"] else None


def remove(state: State, own: str) -> None:
    """Delete a run, which can be undone for a while, and the comparisons it is in, which can be made again."""
    gone = time.time()
    state.store.set_gone(own, gone)
    state.deleted[own] = {**state.runs.pop(own), "gone": gone}
    room.drop_compared(state, [key for key in state.compared if own in key.split("-")])
    state.tell()


def change(state: State, own: str, changes: JsonObject) -> None:
    """Give a run another name or note, or have back one that was deleted."""
    if changes.pop("deleted", None) is False and own in state.deleted:
        room.refuse_more_runs(state)
        state.store.set_gone(own, None)
        head = state.deleted.pop(own)
        del head["gone"]
        state.runs = dict(sorted({**state.runs, own: head}.items(), key=lambda one: one[1]["when"]))
    if changes and own in state.runs:
        state.runs[own] |= changes
        state.store.set_head(
            own, {key: value for key, value in state.runs[own].items() if key not in ("id", "when")}
        )
    state.tell()


async def make_report(state: State, head: JsonObject) -> None:
    """Make the report of a large run in one file, and wait for it; asked for twice it is made once."""
    page = f"runs/{head['id']}/report.html"
    job = next((one for one in state.jobs.values() if one.page == page and not one.over), None)
    if job is None:
        ids = [head["id"]] if head["id"] in state.runs else []
        job = submit(state, "report", head["name"], {"ids": ids, "run": str(state.folder("runs", head["id"]))})
        job.page = page
    await asyncio.wait([state.tasks[job.id]])
    if job.error is not None or job.state != "done":
        raise Refused(500, (job.error or {}).get("what", "the job was cancelled"), where=head["name"])


async def cancel(state: State, own: str) -> None:
    """End a job; of one that is over, forget what it said."""
    task, job = state.tasks.get(own), state.jobs[own]
    if task is None:
        del state.jobs[own]
        state.tell()
        return
    task.cancel()
    await asyncio.wait([task])
    if not job.over:  # it had not begun: then nothing of it has run, not even its end
        job.state = "cancelled"
        _clear_away(state, job)


def job_as_json(job: Job) -> JsonObject:
    """Return a job as it is told."""
    return {**asdict(job), "name": visible(job.name)}
