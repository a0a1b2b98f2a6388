"""The files of a job: what it leaves in its folder when it is finished.

page.html     the page without data: it asks for `data` when it is opened
data.bin      the payload, compressed; of spans without the texts
texts.bin     the texts in chunks, each a compressed JSON list (`chunks` in head.json says where they are)
report.html   the page with its data: one file, as `spanscope report` writes it
kept.json     the result with its counts, for comparing
head.json     what the list of runs shows
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

from spanscope import viewer
from spanscope.commands.systems import SHOWN_ONLY
from spanscope.jsonable import JsonObject, finite
from spanscope.report.table import better_of
from spanscope.results.result import Result
from spanscope.results.runs import Run
from spanscope.settings.headline import Headline
from spanscope.stats.averages import Score
from spanscope.viewer import payload as payloads
from spanscope.viewer import spans
from spanscope.viewer.packing import compress, pack

POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')
DATA = re.compile(r'(id="data">)([^<]*)(</script>)')
FORM = 1  # version of head.json, and of what the page asks of the server
MOST_FIGURES = 24  # columns of a leaderboard
CHUNK, LENGTH = 500, 400_000  # documents and characters of one chunk of texts


def allow_own_server(page: str) -> tuple[str, str]:
    """Return a page that may ask its own server, and no one else, and the policy for the header beside it."""
    page = page.replace("connect-src 'none'", "connect-src 'self'", 1)
    found = POLICY.search(page)
    return page, f"{found[1] if found else ''}; frame-ancestors 'none'"


def put_page(page: str, out: Path, *, whole: bool = True) -> JsonObject:
    """Write a page that holds its data as one file, and apart for serving; return what the head needs of it."""
    found = DATA.search(page)
    data = found[2].strip() if found else ""
    if whole:
        out.joinpath("report.html").write_text(page, encoding="utf-8")
        out.joinpath("data.bin").write_bytes(base64.b64decode(data))
    empty, policy = allow_own_server(DATA.sub(r"\1\3", page, count=1))
    out.joinpath("page.html").write_text(empty, encoding="utf-8")
    return {"policy": policy, "opens": True}


def put_spans(result: Result, title: str, out: Path) -> JsonObject:
    """Write the page of spans: every document is in its data, and their texts are beside it.

    A report in one file would leave documents out of a large corpus, and takes as long again: it is made later,
    when someone asks for it.
    """
    found = payloads.payload(result, title, math.inf) | viewer.stamp()
    whole = bool(spans.choose_documents(result, payloads.BUDGET).all())
    name = result.settings.family.page
    data = pack(found) if whole else ""
    page = viewer.fill_page(name, title, viewer.static(result, title), data, viewer.warning(result))
    head = put_page(page, out, whole=whole)
    texts = found["corpus"]["texts"]
    if all(text is None for text in texts):  # withheld: there is nothing to send later
        out.joinpath("data.bin").write_bytes(compress(found))
        return head
    bounds, places = put_texts(texts, out.joinpath("texts.bin"))
    found["corpus"] |= {"texts": None, "served": bounds}
    out.joinpath("data.bin").write_bytes(compress(found))
    return {**head, "bounds": bounds, "chunks": places}


def put_texts(texts: Sequence[str | None], path: Path) -> tuple[list[int], list[int]]:
    """Write texts in chunks; return the first document of each and one more, and where each begins in the file."""
    bounds, places, size, begin = [0], [0], 0, 0
    with path.open("wb") as file:
        for at, text in enumerate(texts, start=1):
            size += len(text or "")
            if at < len(texts) and at - begin < CHUNK and size < LENGTH:
                continue
            file.write(gzip.compress(json.dumps(texts[begin:at]).encode(), 5, mtime=0))
            bounds.append(at)
            places.append(file.tell())
            begin, size = at, 0
    return bounds, places


def cut_texts(path: Path, bounds: list[int], places: list[int], first: int, last: int) -> bytes:
    """Return the texts of documents from `first` up to `last`, compressed; a whole chunk as it is on disk."""
    begin = max(at for at, bound in enumerate(bounds[:-1]) if bound <= first)
    end = min(at for at, bound in enumerate(bounds) if bound >= last)
    with path.open("rb") as file:
        file.seek(places[begin])
        parts = [file.read(places[at + 1] - places[at]) for at in range(begin, end)]
    if len(parts) == 1 and bounds[begin] == first and bounds[end] == last:
        return parts[0]
    texts = [text for part in parts for text in json.loads(gzip.decompress(part))]
    return gzip.compress(json.dumps(texts[first - bounds[begin] : last - bounds[begin]]).encode(), 5)


def put_head(head: JsonObject, out: Path) -> None:
    """Write what the list shows of a run, and which Spanscope made it."""
    from spanscope import __version__

    own = {"form": FORM, "spanscope": __version__}
    out.joinpath("head.json").write_text(json.dumps(own | head), encoding="utf-8")


def summary_of(run: Run, rows: Sequence[Score]) -> JsonObject:
    """Return what the list shows of a run: its headline figure, its documents, what it can be compared with."""
    alike = {key: value for key, value in run.plain.items() if key not in SHOWN_ONLY}
    key = json.dumps([run.gold, alike, list(run.documents)], sort_keys=True, default=str)
    return {
        "family": run.settings.family.name,
        "figure": _headline(rows, run.settings.headline),
        "figures": _figures(run, rows),
        "documents": len(run.documents),
        "line": run.signature,
        "gold": run.gold,
        "alike": hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:16],
    }


def _headline(rows: Sequence[Score], lead: Headline) -> JsonObject | None:
    """Return the figure that leads, with its interval."""
    wanted = tuple(lead.plain().values())
    row = next((row for row in rows if (row.measure, row.rate, row.average) == wanted), None)
    return None if row is None else _figure(row, lead.measure.short)


def _figures(run: Run, rows: Sequence[Score]) -> list[JsonObject]:
    """Return the figures of a leaderboard: the headline, what it sums up, and of each measure what leads it."""
    overall = {(row.measure, row.rate, row.average): row for row in rows if row.label is None}
    settings = run.settings
    out: dict[tuple[str, str, str], JsonObject] = {}
    for macro in (False, True):
        for measure in settings.measures:
            lead = settings.lead(measure)
            best = {rate.name: rate.best for rate in settings.rates(measure)}
            more = ("precision", "recall") if lead.sums_up and measure == settings.headline.measure else ()
            for rate in (lead.rate.name, *more):
                key = (str(measure), rate, "macro" if macro else lead.average)
                if key in overall:
                    out[key] = {**_figure(overall[key], measure.short), "better": better_of(best[rate])}
    return list(out.values())[:MOST_FIGURES]


def _figure(row: Score, measure: str) -> JsonObject:
    values = {name: finite(getattr(row, name)) for name in ("value", "low", "high")}
    return {"measure": measure, "rate": row.rate, "average": row.average, **values}
