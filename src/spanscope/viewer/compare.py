"""What the page of a comparison shows: differences, what changed, documents; nothing is left to be scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np

from spanscope.arithmetic import Floats, ratio
from spanscope.errors import MeasureError
from spanscope.families import PASSAGES
from spanscope.jsonable import JsonObject, finite
from spanscope.report import render
from spanscope.report.tables import drawn_groups
from spanscope.report.tables.compared_slices import note_of
from spanscope.report.tables.comparison import signature
from spanscope.results.compared import Compared, Difference, Verdict, by_document, direction
from spanscope.results.resampled import FEW
from spanscope.results.runs import Run
from spanscope.settings.options import Text
from spanscope.stats.slices import FEW as FEW_UNITS
from spanscope.stats.slices import FEWEST
from spanscope.viewer import changes, passages, suspects

READINGS: tuple[str, ...] = (*get_args(Verdict), "same")
SHOWN: tuple[Text, ...] = ("none", "masked", "context", "full")  # how much of a text may be shown, least first


def payload(compared: Compared, form: int, title: str | None, budget: float) -> JsonObject:
    """Return all that the page shows; `budget` limits the bytes of the documents that are in it."""
    from spanscope import __version__

    settings = compared.first.settings
    text = text_of(compared)
    return {
        "form": form,
        "spanscope": __version__,
        "family": settings.family.name,
        "title": title or title_of(compared),
        "line": signature(compared),
        "home": None,
        "meta": compared.meta,
        "text": text,
        "runs": _runs(compared),
        "gold": _gold(compared),
        "documents": len(compared.first.documents),
        "few": FEW,
        "sure": "" if settings.group is None else drawn_groups(settings.group, compared.first.counted.units) + ".",
        "settings": compared.settings if compared.first.result else compared.first.plain,
        "signatures": [signature(compared), compared.first.signature],
        "problems": _problems(compared),
        "ci": asdict(compared.ci),
        "trials": compared.trials,
        "exact": compared.exact,
        "readings": list(READINGS),
        "measures": [
            {"form": str(one), "short": one.short, "usual": compared.averages(one)} for one in compared.measures
        ],
        "head": {"rate": compared.headline.rate.name, "average": compared.headline.average},
        "rows": [_row(compared, row) for row in compared.rows],
        "slices": _slices(compared),
        "spreads": [[finite(value) for value in asdict(one).values()] for one in compared.spreads],
        "items": _items(compared),
        "exports": {
            name: render(compared, kind)
            for name, kind in (("json", "json"), ("csv", "csv"), ("md", "markdown"), ("tex", "latex"))
        },
        **_shown_in_documents(compared, text, budget),
    }  # fmt: skip


def title_of(compared: Compared) -> str:
    """Return the names of the runs, the baseline last: files without their folders."""
    base, *others = short_names(compared)
    return f"{', '.join(others)} against {base}"


def short_names(compared: Compared) -> list[str]:
    """Return the names of the runs, paths without their folders where that tells them apart."""
    short = [Path(name).name or name for name in compared.names]
    return short if len(set(short)) == len(short) else list(compared.names)


def check_text(text: str) -> Text:
    """Return how much of the texts is asked for; refuse what there is not."""
    for known in SHOWN:
        if text == known:
            return known
    raise MeasureError(f"text is {text!r}", expected=" or ".join(reversed(SHOWN)))


def text_of(compared: Compared) -> Text:
    """Return how much of the texts may be shown: the least that any run was asked for."""
    asked = [run.settings.text for own in compared.runs.values() for run in own if run.result is not None]
    return min(asked, key=SHOWN.index, default="none")


def withhold_texts(compared: Compared, text: str | None) -> Compared:
    """Return the comparison with no more of the texts than may be shown."""
    asked = text_of(compared)
    read = [one.settings.text for own in compared.runs.values() for one in own if one.result is not None]
    wanted = asked if text is None else check_text(text)
    if all(one == wanted for one in read):  # also where nothing was read, and there are no texts
        return compared
    if SHOWN.index(wanted) > SHOWN.index(asked):
        raise MeasureError(f"the comparison was asked for text={asked!r}", expected="as much or less in its page")
    runs = {name: [_withhold_run(one, wanted) for one in own] for name, own in compared.runs.items()}
    return replace(compared, runs=runs)


def _withhold_run(run: Run, text: Text) -> Run:
    settings = replace(run.settings, text=text)
    result = None if run.result is None else replace(run.result, settings=settings)
    return run._replace(settings=settings, result=result, plain={**run.plain, "text": text})


def _runs(compared: Compared) -> list[JsonObject]:
    """Return the systems and their files, the baseline first."""
    short = short_names(compared)
    return [
        {"name": name, "short": short[at], "files": _files(compared.runs[name])}
        for at, name in enumerate(compared.names)
    ]


def _problems(compared: Compared) -> list[JsonObject]:
    return [
        {"run": name, "kind": kind, "number": number}
        for name, own in compared.problems.items()
        for kind, number in own.items()
    ]


def _files(own: Sequence[Run]) -> list[JsonObject]:
    files = []
    for run in own:
        pred = None if run.result is None else run.result.inputs[1]
        files.append(
            {
                "path": run.path,
                "sha256": None if pred is None else pred.sha256,
                "documents": len(run.documents),
                "spans": None if pred is None else pred.spans,
                "read": pred is not None,
            }
        )
    return files


def _gold(compared: Compared) -> JsonObject:
    """Return what the runs were held against."""
    result = compared.first.result
    path = None if result is None else result.inputs[0].path
    spans = None if result is None else result.inputs[0].spans
    return {"path": path, "sha256": compared.first.gold, "spans": spans}


def _row(compared: Compared, row: Difference) -> list[Any]:
    """Return a difference: measure, run and reading by their numbers."""
    number = {str(one): at for at, one in enumerate(compared.measures)}
    figures = (row.base, row.value, row.difference, row.low, row.high, row.p, row.adjusted, row.smallest)
    return [
        number[row.measure],
        compared.names.index(row.run),
        row.rate,
        row.average,
        row.label,
        READINGS.index(row.reading),
        *(finite(value) for value in figures),
        *row.documents,
    ]


def _slices(compared: Compared) -> JsonObject | None:
    """Return the slices, what lost most first, and what is said under their table; None where nobody asked."""
    if not compared.sliced:
        return None
    lines = []
    for one in compared.sliced:
        own = {key: value for key, value in one.record().items() if key not in ("base_rates", "rates", "units")}
        known = {"bounded": one.units >= FEW_UNITS, "tested": one.units >= FEWEST}
        lines.append({**own, **known, "run": compared.names.index(one.run)})
    return {"lines": lines, "note": note_of(compared)}


def _items(compared: Compared) -> JsonObject:
    """Return the headline figure of every document in every run, and how it differs from the first run's."""
    if not compared.by_documents:
        raise MeasureError("the page needs the counts of documents, which were not kept", hint="[[memory=counts]]")
    rate = compared.headline.rate
    base, *others = (by_document(own, 0, rate) for own in compared.runs.values())
    with np.errstate(invalid="ignore"):  # infinite in both runs: the difference is undefined
        differences = [one - base for one in others]
    return {
        "names": list(compared.first.documents),
        "measure": compared.measures[0].short,
        "rate": rate.name,
        "best": finite(rate.best),
        "values": [_finite(one) for one in (base, *others)],
        "differences": [_finite(one) for one in differences],
        "readings": {str(at): _directions(base, one, rate.best) for at, one in enumerate(others, start=1)},
    }


def _shown_in_documents(compared: Compared, text: Text, budget: float) -> JsonObject:
    """Return what is shown in its document: changes, suspects, and the queries of passages."""
    runs = changes.two_runs(compared)
    changed = None if runs is None else changes.page_data(runs, text, budget)
    known = () if changed is None else changed["corpus"]["names"]
    audit = suspects.page_data(compared, text, known, budget)
    return {"changed": changed, "audit": audit, "queries": _queries(compared, budget)}


def _queries(compared: Compared, budget: float) -> JsonObject | None:
    """Return the queries of every run with what it retrieved, where all runs were read and are about passages."""
    read = [own[0].result for own in compared.runs.values() if len(own) == 1]
    found = [one for one in read if one is not None and one.kept == "spans" and one.settings.family is PASSAGES]
    if len(found) < len(compared.runs):
        return None
    each = float(ratio(budget, len(found)))
    return {str(at): passages.page_data(one, each)["queries"] for at, one in enumerate(found)}


def _directions(base: Floats, values: Floats, best: float) -> Any:
    """Return which way every document went, as the number of a reading."""
    same = (base == values) | (np.isnan(base) & np.isnan(values))
    told = [
        READINGS.index("same" if alike else direction(a, b, best))
        for a, b, alike in zip(base.tolist(), values.tolist(), same.tolist(), strict=True)
    ]
    return np.array(told, dtype=np.int64)


def _finite(values: Floats) -> list[float | None]:
    return [finite(value) for value in values.tolist()]
