"""Jobs and what they leave: a queue, a process for each job, and folders that move only when a job is complete."""

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
from spanscope.serve.limits import Refused, error_as_json
from spanscope.serve.state import Job, State

# -P: a file that someone calls json.py and drops here must not be what Python imports
COMMAND = (sys.executable, "-P", "-m", "spanscope.serve.work")
GONE = "a run was deleted meanwhile"
LINE = 1 << 20  # bytes of one line a job may write


def submit(state: State, kind: str, name: str, asked: JsonObject) -> Job:
    """Put a job into the queue."""
    limits = state.limits
    if sum(not job.over for job in state.jobs.values()) >= limits.jobs + limits.queue:
        what = f"{limits.jobs + limits.queue} jobs are running or waiting"
        raise Refused(429, what, expected="fewer", hint="cancel one, or wait until one is done")
    job = Job(secrets.token_hex(6), kind, name)
    folder = state.folder("jobs", job.id)
    for part in ("in", "out"):
        folder.joinpath(part).mkdir(mode=0o700, parents=True)
    asked = {"kind": kind, "name": name, "folder": str(folder), "most": limits.upload, **asked}
    folder.joinpath("asked.json").write_text(json.dumps(asked), encoding="utf-8")
    state.jobs[job.id] = job
    state.needs[job.id] = {one["id"] for one in (asked.get("gold"), asked.get("pred")) if one}
    state.tasks[job.id] = asyncio.create_task(_run(state, job, asked))
    return job


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
        if not _has_all(state, asked):
            raise Refused(0, GONE)
        _move_in(state, job, asked)
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
    _forget(state)
    state.tell()


async def _work(state: State, job: Job, asked: JsonObject) -> None:
    """Run the process of a job and follow what it tells; it is killed whatever ends the wait."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=None if os.environ.get("SPANSCOPE_DEBUG") else asyncio.subprocess.DEVNULL,
        cwd=state.temp,
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


def _move_in(state: State, job: Job, asked: JsonObject) -> None:
    """Move what a job made to where it is served from: one rename, so it is there whole or not at all."""
    folder = state.folder("jobs", job.id)
    if job.kind == "report":
        folder.joinpath("out", "report.html").rename(Path(asked["run"], "out", "report.html"))
        return
    head = json.loads(folder.joinpath("out", "head.json").read_text(encoding="utf-8"))
    folder.rename(state.folder("runs", job.id))
    head |= {"id": job.id, "when": time.time()}
    if job.kind == "compare":
        key = "-".join(asked["ids"])
        if (old := state.compared.pop(key, None)) is not None:
            shutil.rmtree(state.folder("runs", old["id"]), ignore_errors=True)
        state.compared[key] = head
        job.page = f"compare/{key}/"
    else:
        state.runs[job.id] = head
        job.page = f"runs/{job.id}/" if head["opens"] else None


def _forget(state: State) -> None:
    """Drop what is beyond the limits, the oldest first."""
    while len(state.runs) > state.limits.runs:
        remove(state, next(iter(state.runs)))
    while len(state.compared) > state.limits.runs:
        head = state.compared.pop(next(iter(state.compared)))
        shutil.rmtree(state.folder("runs", head["id"]), ignore_errors=True)
    over = [own for own, job in state.jobs.items() if job.over]
    for own in over[: max(0, len(over) - state.limits.failures)]:
        del state.jobs[own]


def remove(state: State, own: str) -> None:
    """Delete a run, and the comparisons it is in."""
    gone = [
        state.runs.pop(own),
        *(state.compared.pop(key) for key in list(state.compared) if own in key.split("-")),
    ]
    for head in gone:
        shutil.rmtree(state.folder("runs", head["id"]), ignore_errors=True)
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
