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
from spanscope.serve import asking, jobs, run_routes, uploads
from spanscope.serve.folder import File, list_files
from spanscope.serve.guard import Answer, Guard
from spanscope.serve.job_files import allow_own_server
from spanscope.serve.limits import Refused, error_as_json
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
        Route("/api/upload", _upload, methods=["POST"]),
        Route("/api/jobs", _submit, methods=["POST"]),
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
        return HTMLResponse(f'<p>{escape(error.error["what"])}</p><p><a href="/">Runs</a></p>', error.status)
    return Answer({"error": error.error}, error.status)


def _answer_bad_input(_request: Request, error: SpanscopeError) -> Response:
    return Answer({"error": error_as_json(error)}, 400)


def _answer_http_error(_request: Request, error: HTTPException) -> Response:
    return Answer({"error": Refused(error.status_code, error.detail).error}, error.status_code)


def _answer_disconnect(_request: Request, _error: ClientDisconnect) -> Response:
    return Response(status_code=400)


def _answer_failure(_request: Request, error: Exception) -> Response:
    return Answer({"error": error_as_json(error)}, 500)


# ---------------------------------------------------------------- the Runs page and its lists


async def _home(request: Request) -> Response:
    from spanscope import __version__

    state = state_of(request)
    title = f"Runs in {visible(state.root.name) or 'this folder'}"
    found = {
        "form": FORM,
        "spanscope": __version__,
        "family": "runs",
        "title": title,
        "line": visible(str(state.root)),
        "exports": {},
        "home": None,
        **asking.choices(state.limits),
    }
    plain = "<h1>Spanscope</h1><p>This page needs JavaScript. Without it: spanscope report GOLD PRED.</p>"
    page, policy = allow_own_server(viewer.fill_page("runs", title, plain, pack(found)))
    return HTMLResponse(page, headers={"content-security-policy": policy})


def _file(file: File) -> JsonObject:
    return {**asdict(file), "name": visible(file.name)}


async def _files(request: Request) -> Response:
    state = state_of(request)
    found, more = await asyncio.to_thread(list_files, state.root, state.limits)
    uploads = [_file(file) for file in reversed(state.uploads.values())]
    there = os.access(state.root, os.R_OK | os.X_OK)
    return Answer({"files": [_file(file) for file in found], "more": more, "there": there, "uploads": uploads})


HIDDEN = ("policy", "chunks", "bounds")


def _listed_head(head: JsonObject) -> JsonObject:
    shown = {key: value for key, value in head.items() if key not in HIDDEN}
    return {
        **shown,
        "name": visible(head["name"]),
        "inputs": [visible(str(one)) for one in head["inputs"] if one],
    }


async def _runs(request: Request) -> Response:
    state = state_of(request)
    runs = [_listed_head(head) for head in reversed(state.runs.values())]
    return Answer(
        {"runs": runs, "jobs": [jobs.job_as_json(job) for job in state.jobs.values() if job.state != "done"]}
    )


async def _delete(request: Request) -> Response:
    state, own = state_of(request), request.path_params["id"]
    if own not in state.runs:
        raise Refused(404, "there is no such run")
    jobs.remove(state, own)
    return Answer({})


# ---------------------------------------------------------------- uploads and jobs


async def _upload(request: Request) -> Response:
    name, length = request.query_params.get("name", ""), request.headers.get("content-length", "")
    size = int(length) if re.fullmatch(r"\d{1,15}", length) else None
    return Answer(_file(await uploads.take(state_of(request), name, request.stream(), size)))


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
