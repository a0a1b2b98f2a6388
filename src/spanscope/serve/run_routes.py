"""The addresses of a run or a comparison: its page, the page's data and texts, files to be saved."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from spanscope.jsonable import JsonObject
from spanscope.serve import jobs
from spanscope.serve.job_files import FORM, cut_texts
from spanscope.serve.limits import Limits, Refused
from spanscope.serve.state import State

BYTES = "application/octet-stream"
MOST_TEXTS = 2000  # documents whose texts are asked for at once


def state_of(request: Request) -> State:
    """Return what the server holds."""
    found: State = request.app.state.held
    return found


def why_closed(head: JsonObject, limits: Limits) -> JsonObject | None:
    """Return why a run that is kept cannot be opened: it shows more of texts than may be shown, or is too new."""
    if head.get("form", 0) > FORM:
        return Refused(
            409,
            f"it was made by Spanscope {head.get('spanscope')}, and this is an earlier one",
            where=head["name"],
            expected="the same or a later Spanscope",
            hint="pip install --upgrade spanscope",
        ).error
    if not limits.may_show(head["text"]):
        return Refused(
            403,
            f"the run shows texts ({head['text']}), and this server was started with --text {limits.text}",
            where=head["name"],
            expected=f"a run scored with no more than text: {limits.text}",
            hint=f"score it again, or spanscope serve --text {head['text']}",
        ).error
    return None


def _run_files(request: Request) -> tuple[JsonObject, Path]:
    """Return the head of a run or comparison and the folder of its files."""
    state, what, own = state_of(request), request.path_params["what"], request.path_params["id"]
    head = {"runs": state.runs, "compare": state.compared}.get(what, {}).get(own)
    if head is None:
        if what == "runs" and own in state.deleted:
            raise Refused(404, "the run was deleted", hint="have it back on the page with the list of runs")
        what = "there is no such run any more" if what == "runs" else "there is no such comparison any more"
        raise Refused(404, what, expected="one of those on the page with the list of runs")
    if (closed := why_closed(head, state.limits)) is not None:
        refused = Refused(403, "")
        refused.error = closed
        raise refused
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
    head, _ = _run_files(request)
    if not head["opens"] and not state_of(request).limits.keeps_texts:  # a file as somebody wrote it
        raise Refused(403, "a result file that was taken in may hold texts", hint="spanscope serve --text full")
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
        raise Refused(400, "from and to are not a range of documents", expected=f"0 <= from < to <= {bounds[-1]}")
    first, last = map(int, given)
    if last - first > MOST_TEXTS:
        raise Refused(400, f"{last - first} documents were asked for", expected=f"at most {MOST_TEXTS} at a time")
    data = await asyncio.to_thread(cut_texts, folder.joinpath("texts.bin"), bounds, places, first, last)
    return Response(data, media_type="application/json", headers={"content-encoding": "gzip"})
