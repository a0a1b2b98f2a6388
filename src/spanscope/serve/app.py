"""The server's addresses: what is asked for at each, and what is answered."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from html import escape
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from spanscope import viewer
from spanscope.errors import SpanscopeError
from spanscope.jsonable import JsonObject
from spanscope.report.names import visible
from spanscope.serve import asking, jobs, room, run_routes, uploads
from spanscope.serve.folder import File, list_files
from spanscope.serve.guard import Answer, Guard
from spanscope.serve.job_files import allow_own_server
from spanscope.serve.limits import Limits, Refused, error_as_json, size_in_words
from spanscope.serve.run_routes import state_of
from spanscope.serve.state import Job, State
from spanscope.viewer.packing import pack
from spanscope.viewer.payload import FORM

PATIENCE = 10.0  # seconds of silence after which a line shows that the connection is alive
MOST_RUNS = 8  # runs in one comparison


def app(state: State, host: str, port: int) -> ASGIApp:
    """Return the application; `host` and `port` are what it is reached under."""
    routes = [
        Route("/", _home),
        Route("/api/files", _files),
        Route("/api/runs", _runs),
        Route("/api/runs/{id}", _delete, methods=["DELETE"]),
        Route("/api/runs/{id}", _change, methods=["POST"]),
        Route("/api/upload", _upload, methods=["POST"]),
        Route("/api/uploads/{id}", _drop_upload, methods=["DELETE"]),
        Route("/api/jobs", _submit, methods=["POST"]),
        Route("/api/jobs", _dismiss, methods=["DELETE"]),
        Route("/api/jobs/{id}", _job),
        Route("/api/jobs/{id}", _cancel, methods=["DELETE"]),
        Route("/api/jobs/{id}/events", _events),
        Route("/{what}/{id}/", run_routes.page),
        Route("/{what}/{id}/data", run_routes.data),
        Route("/{what}/{id}/texts", run_routes.texts),
        Route("/{what}/{id}/report.html", run_routes.report),
        Route("/{what}/{id}/result.json", run_routes.result),
    ]
    handlers: dict[Any, Callable[..., Any]] = {
        Refused: _answer_refusal,
        SpanscopeError: _answer_bad_input,
        HTTPException: _answer_http_error,
        ClientDisconnect: _answer_disconnect,
        Exception: _answer_failure,
    }
    own = Starlette(routes=routes, exception_handlers=handlers)
    own.router.redirect_slashes = False
    own.state.held = state
    return Guard(own, host, port)


# ---------------------------------------------------------------- errors


def _answer_refusal(request: Request, error: Refused) -> Response:
    if request.url.path.endswith("/") and "text/html" in request.headers.get("accept", ""):  # someone reads it
        return _notice(request, error)
    return Answer({"error": error.error}, error.status)


def _notice(request: Request, error: Refused) -> Response:
    """Answer a page that says what there is to say, in the looks of the others."""
    state, own = state_of(request), request.path_params.get("id", "")
    back = own if request.path_params.get("what") == "runs" and own in state.deleted else None
    told = {**error.error, "restore": back}
    return _page(state, "Spanscope", f"<h1>Spanscope</h1><p>{escape(error.error['what'])}</p>", error.status, told)


def _answer_bad_input(_request: Request, error: SpanscopeError) -> Response:
    return Answer({"error": error_as_json(error)}, 400)


def _answer_http_error(request: Request, error: HTTPException) -> Response:
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return _notice(request, Refused(404, "there is no page at this address"))
    return Answer({"error": Refused(error.status_code, error.detail).error}, error.status_code)


def _answer_disconnect(_request: Request, _error: ClientDisconnect) -> Response:
    return Response(status_code=400)


def _answer_failure(_request: Request, error: Exception) -> Response:
    return Answer({"error": error_as_json(error)}, 500)


# ---------------------------------------------------------------- the Runs page and its lists


async def _home(request: Request) -> Response:
    state = state_of(request)
    plain = "<h1>Spanscope</h1><p>This page needs JavaScript. Without it: spanscope report GOLD PRED.</p>"
    return _page(state, f"Runs in {visible(state.root.name) or 'this folder'}", plain, 200, None)


def _page(state: State, title: str, plain: str, status: int, told: JsonObject | None) -> Response:
    """Answer the Runs page, or what is shown instead of a page that is not there."""
    from spanscope import __version__

    found = {
        "form": FORM,
        "spanscope": __version__,
        "family": "runs",
        "title": title,
        "line": visible(str(state.root)),
        "exports": {},
        "home": None,
        "told": told,
        "kept": visible(str(state.store.root)),
        **asking.choices(state.limits),
    }
    page, policy = allow_own_server(viewer.fill_page("runs", title, plain, pack(found)))
    return HTMLResponse(page, status, headers={"content-security-policy": policy})


def _file(file: File) -> JsonObject:
    return {**asdict(file), "name": visible(file.name)}


async def _files(request: Request) -> Response:
    state = state_of(request)
    found, more = await asyncio.to_thread(list_files, state.root, state.limits)
    uploads = [_file(file) for file in reversed(state.uploads.values())]
    there = os.access(state.root, os.R_OK | os.X_OK)
    return Answer({"files": [_file(file) for file in found], "more": more, "there": there, "uploads": uploads})


HIDDEN = ("policy", "chunks", "bounds", "form")


def _listed_head(head: JsonObject, limits: Limits) -> JsonObject:
    shown = {key: value for key, value in head.items() if key not in HIDDEN}
    closed = run_routes.why_closed(head, limits)
    return {
        **shown,
        "opens": head["opens"] and closed is None,
        "closed": None if closed is None else closed["what"],
        "name": visible(head["name"]),
        "inputs": [visible(str(one)) for one in head["inputs"] if one],
    }


async def _runs(request: Request) -> Response:
    state = state_of(request)
    room.tidy(state)
    return Answer(
        {
            "runs": [_listed_head(head, state.limits) for head in reversed(state.runs.values())],
            "deleted": [
                {"id": own, "name": visible(head["name"]), "gone": head["gone"]}
                for own, head in sorted(state.deleted.items(), key=lambda one: -one[1]["gone"])
            ],
            "used": size_in_words(state.store.size()),
            "jobs": [jobs.job_as_json(job) for job in state.jobs.values() if job.state != "done"],
        }
    )


async def _delete(request: Request) -> Response:
    state, own = state_of(request), request.path_params["id"]
    if own not in state.runs:
        raise Refused(404, "there is no such run")
    jobs.remove(state, own)
    return Answer({})


async def _change(request: Request) -> Response:
    """Change the name or the note of a run, or have back one that was deleted."""
    state, own = state_of(request), request.path_params["id"]
    asked = asking.changes(await asking.body(request.stream(), state.limits.body))
    if own not in state.runs and not (own in state.deleted and "deleted" in asked):
        raise Refused(404, "there is no such run: it was deleted for good, or never was")
    jobs.change(state, own, asked)
    return Answer(_listed_head(state.runs[own], state.limits))


# ---------------------------------------------------------------- uploads and jobs


async def _upload(request: Request) -> Response:
    name, length = request.query_params.get("name", ""), request.headers.get("content-length", "")
    size = int(length) if re.fullmatch(r"\d{1,15}", length) else None
    return Answer(_file(await uploads.take(state_of(request), name, request.stream(), size)))


async def _drop_upload(request: Request) -> Response:
    state, own = state_of(request), request.path_params["id"]
    if own not in state.uploads:
        raise Refused(404, "there is no such upload")
    if any(own in needed for needed in state.needs.values()):
        raise Refused(409, "a job has still to read it", where=state.uploads[own].name)
    room.drop_uploads(state, [own])
    return Answer({})


async def _dismiss(request: Request) -> Response:
    """Forget what jobs that have ended said."""
    state = state_of(request)
    for own in [own for own, job in state.jobs.items() if job.over]:
        del state.jobs[own]
    state.tell()
    return Answer({})


async def _submit(request: Request) -> Response:
    state = state_of(request)
    asked = await asking.body(request.stream(), state.limits.body)
    if "compare" in asked:
        job = _compare(state, asked)
    elif "result" in asked:
        source = await asyncio.to_thread(uploads.source, state, asked["result"])
        job = jobs.submit(state, "result", asking.name_of(asked.get("name"), source["name"]), {"gold": source})
    else:
        gold = await asyncio.to_thread(uploads.source, state, asked.get("gold"))
        pred = None if asked.get("pred") is None else await asyncio.to_thread(uploads.source, state, asked["pred"])
        wanted = {"gold": gold, "pred": pred, "options": asking.options(asked.get("options", {}), state.limits)}
        name = asking.name_of(asked.get("name"), (pred or gold)["name"].rpartition("/")[2])
        job = jobs.submit(state, "score", name, wanted)
    return Answer(jobs.job_as_json(job), 202)


def _compare(state: State, asked: JsonObject) -> Job:
    ids = asked["compare"]
    if not isinstance(ids, list) or not all(isinstance(own, str) and own in state.runs for own in ids):
        raise Refused(404, "there is no such run")
    if not 2 <= len(set(ids)) == len(ids) <= MOST_RUNS:
        raise Refused(400, f"{len(ids)} runs were chosen", expected=f"2 to {MOST_RUNS} different ones")
    if not all(state.runs[own]["alike"] for own in ids):
        raise Refused(
            400, "a page of several segmentations cannot be compared", expected="gold and predictions each"
        )
    folders = [str(state.folder("runs", own)) for own in ids]
    return jobs.submit(state, "compare", asking.name_of(asked.get("name"), ""), {"ids": ids, "runs": folders})


def _job_asked_for(request: Request) -> Job:
    found = state_of(request).jobs.get(request.path_params["id"])
    if found is None:
        raise Refused(404, "there is no such job")
    return found


async def _job(request: Request) -> Response:
    return Answer(jobs.job_as_json(_job_asked_for(request)))


async def _cancel(request: Request) -> Response:
    job = _job_asked_for(request)
    await jobs.cancel(state_of(request), job.id)
    return Answer(jobs.job_as_json(job))


async def _events(request: Request) -> Response:
    return StreamingResponse(_news(state_of(request), _job_asked_for(request)), media_type="text/event-stream")


async def _news(state: State, job: Job) -> AsyncIterator[str]:
    """Tell a job whenever it changes, until it is over or the server stops."""
    last = ""
    while not state.stopping:
        changed, now = state.changed, json.dumps(jobs.job_as_json(job))
        if now != last:
            yield f"data: {now}\n\n"
            last = now
        if job.over:
            return
        try:
            await asyncio.wait_for(changed.wait(), PATIENCE)
        except TimeoutError:
            yield ": still here\n\n"
