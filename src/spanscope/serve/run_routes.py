"""The addresses of a run or a comparison: its page, the page's data and texts, files to be saved."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from spanscope.jsonable import JsonObject
from spanscope.serve import jobs
from spanscope.serve.job_files import cut_texts
from spanscope.serve.limits import Refused
from spanscope.serve.state import State

BYTES = "application/octet-stream"
MOST_TEXTS = 2000  # documents whose texts are asked for at once


def state_of(request: Request) -> State:
    """Return what the server holds."""
    found: State = request.app.state.held
    return found


def _run_files(request: Request) -> tuple[JsonObject, Path]:
    """Return the head of a run or comparison and the folder of its files."""
    state, what, own = state_of(request), request.path_params["what"], request.path_params["id"]
    head = {"runs": state.runs, "compare": state.compared}.get(what, {}).get(own)
    if head is None:
        raise Refused(
            404, "there is no such run: it may have been deleted, or be from before the server was started"
        )
    return head, state.folder("runs", head["id"], "out")


async def page(request: Request) -> Response:
    """Answer the page of a run or a comparison, without its data."""
    state, own = state_of(request), request.path_params["id"]
    known = own in state.compared or not all(one in state.runs for one in own.split("-"))
    if request.path_params["what"] == "compare" and not known:  # not compared yet: the Runs page offers it
        return RedirectResponse(f"/#/runs?pick={own.replace('-', ',')}", 303)
    head, folder = _run_files(request)
    if not head["opens"]:
        raise Refused(404, "a result file has no page: it can be compared")
    page = await asyncio.to_thread(folder.joinpath("page.html").read_text, encoding="utf-8")
    return HTMLResponse(page, headers={"content-security-policy": head["policy"]})


async def data(request: Request) -> Response:
    """Answer what the page shows, compressed."""
    return FileResponse(_run_files(request)[1].joinpath("data.bin"), media_type=BYTES)


async def report(request: Request) -> Response:
    """Answer the page with its data as a file to be saved; of a large run it is made first."""
    head, folder = _run_files(request)
    if head["opens"] and not folder.joinpath("report.html").exists():
        await jobs.make_report(state_of(request), head)
    return _saved_file(request, "report.html", ".html")


async def result(request: Request) -> Response:
    """Answer the result with its counts as a file to be saved, for comparing later."""
    return _saved_file(request, "kept.json", ".json")


def _saved_file(request: Request, name: str, ending: str) -> Response:
    head, folder = _run_files(request)
    path = folder.joinpath(name)
    if not path.exists():
        raise Refused(404, "there is no such file of this run")
    called = re.sub(r"[^A-Za-z0-9._-]+", "-", head["name"]).strip("-.")[:80] or "spanscope"
    return FileResponse(path, media_type=BYTES, filename=f"{called}{ending}")


async def texts(request: Request) -> Response:
    """Answer texts from one document up to another; whole chunks go out as they lie on the disk."""
    head, folder = _run_files(request)
    bounds, places = head.get("bounds", [0]), head.get("chunks", [0])
    given = [request.query_params.get(name, "") for name in ("from", "to")]
    if not all(re.fullmatch(r"\d{1,9}", one) for one in given) or not int(given[0]) < int(given[1]) <= bounds[-1]:
        raise Refused(400, "from and to are no range of documents", expected=f"0 <= from < to <= {bounds[-1]}")
    first, last = map(int, given)
    if last - first > MOST_TEXTS:
        raise Refused(400, f"{last - first} documents were asked for", expected=f"at most {MOST_TEXTS} at a time")
    data = await asyncio.to_thread(cut_texts, folder.joinpath("texts.bin"), bounds, places, first, last)
    return Response(data, media_type="application/json", headers={"content-encoding": "gzip"})
