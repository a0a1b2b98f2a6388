"""From a result to what the page shows: plain data, in which nothing is left to be scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from spanscope.jsonable import JsonObject, finite
from spanscope.report import render
from spanscope.report.tables.sure import interval_note
from spanscope.results.result import Result
from spanscope.viewer import passages, segments, slices, spans

FORM = 2  # version of the payload
BUDGET = 25_000_000  # bytes of a page: documents beyond are left out, those without errors first
PAGES: dict[str, Callable[[Result, float], JsonObject]] = {
    "spans": spans.page_data,
    "segments": segments.page_data,
    "passages": passages.page_data,
}


def payload(result: Result, title: str | None = None, budget: float = BUDGET) -> JsonObject:
    """Return all that the page shows; `budget` limits the bytes of the documents that are in it."""
    from spanscope import __version__

    result.needs("spans", "the page")
    settings = result.settings
    signatures = [result.signature(measure) for measure in result.measures]
    return {
        "form": FORM,
        "spanscope": __version__,
        "family": settings.family.name,
        "title": title or title_of(result),
        "meta": result.meta,
        "text": settings.text,
        "inputs": [
            {"side": side, **asdict(one)} for side, one in zip(("gold", "pred"), result.inputs, strict=True)
        ],
        "documents": result.documents,
        "settings": settings.plain(),
        "line": result.signature(),
        "signatures": signatures,
        "problems": [
            {"kind": kind, "number": n, "first": result.problems.first.get(kind, [])}
            for kind, n in result.problems.number.items()
        ],
        "ci": None if settings.ci is None else asdict(settings.ci),
        "sure": interval_note(result),
        "measures": [_measure(result, at) for at in range(len(result.measures))],
        "headline": result.index(settings.headline.measure),
        "explained": settings.explained,
        "rows": _rows(result),
        "slices": slices.lines(result),
        "exports": {
            name: render(result, form)
            for name, form in (("json", "json"), ("csv", "csv"), ("md", "markdown"), ("tex", "latex"))
        },
        "home": None,
        **PAGES[settings.family.page](result, budget),
    }


def title_of(result: Result) -> str:
    """Return the names of the two inputs, where they have some."""
    gold, pred = (one.path for one in result.inputs)
    if gold is None or pred is None:
        return "Spanscope report"
    names = [Path(pred).name, Path(gold).name]
    return f"{names[0]} against {names[1]}" if gold != pred else names[0]


def _measure(result: Result, at: int) -> JsonObject:
    measure = result.measures[at]
    rates = [{"name": rate.name, "best": finite(rate.best)} for rate in result.settings.rates(measure)]
    lead = result.settings.lead(measure)
    leads = {"rate": lead.rate.name, "average": lead.average}
    return {"form": str(measure), "short": measure.short, "rates": rates, "lead": leads}


def _rows(result: Result) -> list[list[Any]]:
    """Return the score rows, the measure by its number."""
    number = {str(measure): at for at, measure in enumerate(result.measures)}
    out = []
    for row in result.rows:
        values = [finite(value) for value in (row.value, row.low, row.high)]
        out.append([number[row.measure], row.rate, row.average, row.label, *values, row.documents, row.undefined])
    return out
