"""The page of several segmentations of the same texts: the panel's tables, and ribbons for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from string import ascii_lowercase

import numpy as np

from spanscope.arithmetic import Bools, Ints
from spanscope.commands.window_slider import tolerance_of, walk_windows, windows
from spanscope.data.problems import withhold
from spanscope.jsonable import JsonObject, finite
from spanscope.match.boundaries import cuts, lengths
from spanscope.report import render, report_of
from spanscope.report.names import visible
from spanscope.report.rounding import write_table
from spanscope.report.table import Table
from spanscope.report.tables import figure_name
from spanscope.report.tables.sure import interval_note
from spanscope.results.panel import Panel
from spanscope.results.result import Result
from spanscope.settings.run_settings import Settings
from spanscope.sides.comparison import Comparison
from spanscope.viewer.documents import Column
from spanscope.viewer.segments import (
    MEAN,
    Shown,
    Side,
    by_document,
    corpus,
    figure_of,
    figures,
    length_column,
    mean,
    side,
)

EXPORTS = (("json", "json"), ("csv", "csv"), ("md", "markdown"), ("tex", "latex"))


def payload(panel: Panel, form: int, title: str | None, budget: float) -> JsonObject:
    """Return all that the page of a panel shows."""
    from spanscope import __version__

    settings = panel.settings
    return {
        "form": form,
        "spanscope": __version__,
        "family": "segments",
        "title": title or title_of(panel),
        "meta": panel.meta,
        "text": settings.text,
        "inputs": [{"side": "segmentations", **asdict(panel.source)}],
        "documents": panel.source.documents,
        "settings": {"gold": panel.gold, "segmentations": list(panel.names), **settings.plain()},
        "line": panel.signature(),
        "signatures": [panel.signature(measure) for measure in next(_each(panel)).measures],
        "problems": _problems(panel),
        "ci": None if settings.ci is None else asdict(settings.ci),
        "sure": interval_note(next(_each(panel))),
        "measures": [],
        "headline": 0,
        "rows": [],
        "exports": {name: render(panel, how) for name, how in EXPORTS},
        "home": None,
        **_ranking(panel),
        "tables": [_table(one) for one in report_of(panel).tables],
        "corpus": corpus(_show(panel), budget),
    }


def _ranking(panel: Panel) -> JsonObject:
    """Return the segmentations, the best first, by the figure that leads, and the letters of the tables."""
    lead, names = panel.headline, _names(panel)
    key = (str(lead.measure), lead.rate.name, lead.average)
    found: list[list[int | float | None]] = []
    if panel.gold is not None:
        for name in panel.ranking():
            rows = panel.results[name].rows
            own = next(row for row in rows if (row.measure, row.rate, row.average) == key and row.label is None)
            found.append([names.index(name), *(finite(value) for value in (own.value, own.low, own.high))])
    else:
        shared = panel.consensus(lead.rate.name, lead.measure, lead.average)
        away = {name: np.inf if np.isnan(value) else abs(value - lead.rate.best) for name, value in shared.items()}
        ordered = sorted(shared, key=lambda name: (away[name], names.index(name)))
        found = [[names.index(name), finite(shared[name]), None, None] for name in ordered]
    letters = [ascii_lowercase[at] if at < 26 else str(at) for at in map(panel.names.index, names)]
    return {"ranking": found, "leading": figure_name(lead.measure, lead.rate.name), "letters": letters}


def _names(panel: Panel) -> tuple[str, ...]:
    """Return the segmentations in the order in which the page draws them."""
    return panel.names if panel.gold is None else (panel.gold, *panel.results)


def _table(table: Table) -> JsonObject:
    own = write_table(table)
    left = [at for at, column in enumerate(own.columns) if column.left]
    title, note = visible(table.title), visible(table.note)
    return {"title": title, "heads": own.heads, "rows": own.rows, "left": left, "note": note}


def withhold_texts(panel: Panel, settings: Settings) -> Panel:
    """Return the panel under settings that show less: what was noted while reading may quote texts, and goes."""
    if settings.quotes:
        return replace(panel, settings=settings)
    noted = {name: [withhold(one) for one in own] for name, own in panel.noted.items()}
    return replace(panel, settings=settings, noted=noted)


def title_of(panel: Panel) -> str:
    """Return the name of the file and what is on the page."""
    path = panel.source.path
    return "Spanscope report" if path is None else f"Segmentations of {Path(path).name}"


def _each(panel: Panel) -> Iterator[Result]:
    yield from panel.results.values()
    yield from panel.pairs.values()


def _problems(panel: Panel) -> list[JsonObject]:
    first: dict[str, list[str]] = {}
    for problem in (one for own in panel.noted.values() for one in own):
        first.setdefault(problem.kind, []).append(str(problem))
    return [{"kind": kind, "number": n, "first": first.get(kind, [])[:10]} for kind, n in panel.problems.items()]


def _show(panel: Panel) -> Shown:
    """Put the segmentations beside each other; a document that one of them lacks is empty there."""
    beside = _comparisons(panel)
    at: dict[str, int] = {}
    for _, c in beside:
        for name in c.names:
            at.setdefault(name, len(at))
    units, texts = np.zeros(len(at), dtype=np.int64), [None] * len(at)
    for _, c in beside:
        number = _numbers(c, at)
        units[number] = lengths(c)
        for row, text in zip(number.tolist(), [] if c.texts is None else c.texts.tolist(), strict=False):
            texts[row] = text
    sides = [_side(name, beside, at) for name in _names(panel)]
    offered = windows(tolerance_of(panel.settings.measures))
    found = _figures(panel, sides, at, offered)
    values, rate = _values(panel, at)
    labels = beside[0][1].labels
    columns = [*_columns(values, sides, rate), length_column(units)]
    return Shown(tuple(at), units, texts, labels, sides, panel.settings, offered, found, values, rate, columns)


def _columns(values: dict[str, list[float | None]], sides: list[Side], rate: JsonObject) -> list[Column]:
    """Return the figure that leads of every method, and their mean, as columns of the table of documents."""
    of = f"{rate['name']} of {rate['measure']}"
    names = {MEAN: "Mean", **{str(n): one.name for n, one in enumerate(sides)}}
    return [
        Column(names[key], of, "rate", np.array(own, dtype=np.float64), rate["best"])
        for key, own in values.items()
    ]


def _comparisons(panel: Panel) -> list[tuple[tuple[str, str], Comparison]]:
    """Return what stands beside what, each with gold where there is one, under labels that all share."""
    if panel.gold is not None:
        found = [((panel.gold, name), result.comparison) for name, result in panel.results.items()]
    else:
        found = [(pair, result.comparison) for pair, result in panel.pairs.items()]
    labels = tuple(sorted({label for _, c in found for label in c.labels}))
    return [(pair, _recode(c, labels)) for pair, c in found]


def _recode(c: Comparison, labels: tuple[str, ...]) -> Comparison:
    """Return the comparison with the labels of all of them; each knows only the labels of its two sides."""
    if c.labels == labels or not c.labels:
        return c
    code = np.array([labels.index(label) for label in c.labels])
    sides = {name: replace(spans, label=code[spans.label]) for name, spans in c.sides.items()}
    return replace(c, labels=labels, sides=sides, cache={})


def _numbers(c: Comparison, at: dict[str, int]) -> Ints:
    return np.array([at[name] for name in c.names], dtype=np.int64)


def _side(name: str, beside: list[tuple[tuple[str, str], Comparison]], at: dict[str, int]) -> Side:
    """Return one segmentation, put together from all comparisons that it is in: each may lack other documents."""
    seen: Bools = np.zeros(len(at), dtype=bool)
    parts: list[Side] = []
    for pair, c in beside:
        if name in pair:
            number = _numbers(c, at)
            new = ~seen[number]
            if new.any() or not parts:
                seen[number] = True
                parts.append(side(c, name, ("gold", "pred")[pair.index(name)], number, new, len(at)))
    if len(parts) == 1:
        return parts[0]
    doc, place = (np.concatenate(column) for column in zip(*((one.doc, one.at) for one in parts), strict=True))
    order = np.argsort(doc, kind="stable")
    return Side(name, seen, doc[order], place[order], None)  # of documents that some lack names are not drawn


def _figures(panel: Panel, sides: list[Side], at: dict[str, int], offered: list[int]) -> JsonObject:
    """Mark every method against gold, and return the figures at every window."""
    out = {}
    for n, result in enumerate(panel.results.values(), start=1):
        c, number = result.comparison, _numbers(result.comparison, at)
        found = walk_windows(c, offered, panel.settings)
        out[str(n)] = figures(found)
        ours, theirs = (np.argsort(number[cuts(c, of).doc], kind="stable") for of in ("gold", "pred"))
        place = np.empty(len(ours), dtype=np.int64)
        place[ours] = np.arange(len(ours))
        partner = found.partner[:, theirs]
        partner = np.where(partner < 0, -1, np.append(place, -1)[partner])
        moved = replace(found, gold=found.gold[:, ours], pred=found.pred[:, theirs], partner=partner)
        here = np.zeros(len(at), dtype=bool)
        here[number] = True
        sides[n] = replace(sides[n], marks=moved, missed=np.flatnonzero(here[sides[0].doc]))
    return out


def _values(panel: Panel, at: dict[str, int]) -> tuple[dict[str, list[float | None]], JsonObject]:
    """Return the headline figure of every document for every method and their mean; without gold the consensus."""
    if panel.gold is None:
        lead = next(iter(panel.pairs.values())).settings.headline
        records = panel.by_document(lead.rate.name, lead.measure)
        found = {one["document"]: finite(one["consensus"]) for one in records}
        return {MEAN: [found.get(name) for name in at]}, figure_of(lead)
    out: dict[str, list[float | None]] = {}
    what: JsonObject = {}
    for n, result in enumerate(panel.results.values(), start=1):
        values, what = by_document(result)
        own = dict(zip(result.comparison.names, values, strict=True))
        out[str(n)] = [own.get(name) for name in at]
    return (out if len(out) == 1 else {MEAN: mean(list(out.values())), **out}), what
