"""Compare runs with the same gold: read, count, and test every difference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any, NamedTuple

from spanscope.arguments import MOST_RESAMPLES, heading, listener, real, whole
from spanscope.commands.common_documents import MissingOfRuns
from spanscope.commands.compared_slices import compare_slices
from spanscope.commands.runs import methods_as_runs, with_names
from spanscope.commands.spreads import spreads_of_files
from spanscope.commands.systems import (
    TRIALS,
    how_of_all,
    intervals_asked,
    mean_scores,
    refuse_few,
    refuse_many,
    refuse_method,
    refuse_narrow,
    score_systems,
)
from spanscope.engines.load import Progress
from spanscope.rates import Rate
from spanscope.results.compared import Compared, Difference, read_difference
from spanscope.results.runs import Run
from spanscope.settings.options import Ci, Running, Scoring, Text
from spanscope.settings.protocols import Protocol
from spanscope.settings.reading import Reading
from spanscope.settings.settle import Measures
from spanscope.sides.pairing import Extra
from spanscope.stats.averages import Score
from spanscope.stats.counted import How
from spanscope.stats.differences import differences
from spanscope.stats.power import smallest_difference
from spanscope.stats.significance import FEWEST, holm
from spanscope.stats.slices import Sure


def compare(
    gold: Any,
    *runs: Any,
    measures: Measures | None = None,
    protocol: str | Protocol | None = None,
    labels: Sequence[str] | None = None,
    missing: MissingOfRuns | None = None,
    extra: Extra | None = None,
    group: str | None = None,
    by: Sequence[str] | None = None,
    train: Any = None,
    ci: Ci | None = None,
    trials: int = TRIALS,
    margin: float | None = None,
    text: Text | None = None,
    score: Scoring | None = None,
    read: Reading | None = None,
    run: Running | None = None,
    meta: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Compared:
    """Compare runs on the same gold; the first run is the baseline.

    gold       as in evaluate; None where every run is a result file that kept its counts (eval --keep). A Panel
               without runs, or its file alone, compares the methods of the panel with the first of them.
    runs       files or documents, named by (name, source) pairs, else by their paths or run 1, run 2, ...; runs of
               the same name, or ("base", ["seed1.jsonl", "seed2.jsonl"]), are the files of one system, such as
               those of several seeds: it is worth the mean of their figures.
    measures   as in evaluate, and so are protocol, labels, extra, group, train, text, score, read and run.
    by         as in evaluate: the headline of every run in each slice, and its difference to the first, tested and
               adjusted over all slices and runs, `Compared.slices()`.
    missing    as in evaluate, or "common": the documents that all runs have are compared, and those that some run
               lacks are left out of all of them, which is said.
    ci         how the intervals of differences are made; Ci() unless given.
    trials     of the paired randomisation test; fewer where all patterns of swaps can be tried.
    margin     for which runs it is shown that their headline is not worse by more than this.

    Every difference has a paired interval and a p-value by approximate randomisation over documents, adjusted by
    Holm's method over the runs, and over the labels where it is a label's. Where one of two systems has several
    files, both are by t instead, and include how much files of a system vary (`stats.repeats`).

    >>> spans = [{"id": n, "spans": [{"start": 0, "end": 4, "label": "A"}]} for n in range(9)]
    >>> compare(spans, spans, spans, measures="spans.exact").value("f1").reading
    'no clear difference'
    """
    listen, about = listener(progress), heading(meta)
    trials = whole("trials", trials, 1, MOST_RESAMPLES)
    if margin is not None:
        margin = real("margin", margin, "a difference of the headline, above 0", lambda value: value > 0)
    gold, runs = methods_as_runs(gold, runs)
    refuse_few(gold, runs)
    how = intervals_asked(ci, "a comparison")
    options: dict[str, Any] = {"measures": measures, "protocol": protocol, "labels": labels, "missing": missing}
    options |= {
        "extra": extra,
        "group": group,
        "by": by,
        "train": train,
        "text": text,
        "score": score,
        "read": read,
        "run": run,
    }
    systems, left_out = score_systems(gold, with_names(runs), options, listen)
    refuse_method(systems, how.method)
    rows, number, exact = _differences(systems, how, trials, listen)
    sliced = compare_slices(systems, how, trials, left_out)
    spreads = spreads_of_files(systems, how)
    return Compared(systems, rows, spreads, how, number, exact, about, left_out, margin, sliced)


class Line(NamedTuple):
    """The test of one figure of a run beside that of the first run."""

    base: Score
    own: Score
    difference: float
    low: float
    high: float
    p: float
    documents: float  # standard error for the documents
    runs: float  # standard error for the files of a system; NaN with one file each
    degrees: float  # of freedom of both; infinite with one file each
    cells: int


class Found(NamedTuple):
    """All differences of one measure, and how many patterns of swaps were tried: 0 where none had to be."""

    lines: list[tuple[str, Line]]
    trials: int
    exact: bool


def _differences(
    systems: Mapping[str, Sequence[Run]], ci: Ci, trials: int, progress: Progress
) -> tuple[list[Difference], int, bool]:
    """Return every difference to the first system, p-values adjusted over runs and labels."""
    runs = [run for own in systems.values() for run in own]
    measures = runs[0].settings.measures
    rows: list[Difference] = []
    number, exact = 0, True
    for at in range(len(measures)):
        how = how_of_all(runs, at)
        refuse_many(len(how[2].labels or ()), trials, ci.resamples)
        refuse_narrow(systems, at)
        found = _of_measure(systems, at, how, ci, trials)
        number, exact = max(number, found.trials), exact and found.exact
        rows += _adjust(found.lines, {rate.name: rate for rate in how[0]})
        progress("testing", at + 1, len(measures))
    return rows, number, exact


def _of_measure(systems: Mapping[str, Sequence[Run]], at: int, how: How, ci: Ci, trials: int) -> Found:
    """Return the differences of one measure: by swaps of documents, or for documents and files of systems."""
    base, *others = systems
    name = str(systems[base][0].settings.measures[at])
    out: list[tuple[str, Line]] = []
    number, exact = 0, True
    cells = {own: [run.counted.cells(at, how) for run in runs] for own, runs in systems.items()}
    scores = {own: mean_scores(runs, at, name, how) for own, runs in systems.items()}
    for other in others:
        found = differences(cells[base], cells[other], how, trials, Sure(*astuple(ci)))
        number, exact = max(number, found.trials), exact and found.exact
        for row, *line in zip(found.rows, *(column.tolist() for column in found[1:9]), strict=True):
            out.append((other, Line(scores[base][tuple(row)], scores[other][tuple(row)], *line)))
    return Found(out, number, exact)


def _adjust(found: Sequence[tuple[str, Line]], rates: Mapping[str, Rate]) -> list[Difference]:
    """Return the differences of one measure: averages adjusted over the runs, labels over runs and labels."""
    families: dict[tuple[str, str], list[int]] = {}
    for at, (_, line) in enumerate(found):
        families.setdefault((line.base.rate, line.base.average), []).append(at)
    adjusted: dict[int, float] = {}
    for members in families.values():
        adjusted |= dict(zip(members, holm([found[at][1].p for at in members]), strict=True))
    return [_row(name, line, adjusted[at], rates[line.base.rate]) for at, (name, line) in enumerate(found)]


def _row(name: str, line: Line, adjusted: float, rate: Rate) -> Difference:
    base, own = line.base, line.own
    several = not math.isnan(line.runs)
    error = math.hypot(line.documents, line.runs) if several else line.documents
    smallest = smallest_difference(error, degrees=line.degrees) if line.cells >= FEWEST else math.nan
    return Difference(
        measure=base.measure,
        rate=base.rate,
        average=base.average,
        label=base.label,
        run=name,
        base=base.value,
        value=own.value,
        difference=line.difference,
        low=_or_none(line.low),
        high=_or_none(line.high),
        p=_or_none(line.p),
        adjusted=_or_none(adjusted),
        reading=read_difference(base.value, own.value, adjusted, rate.best),
        smallest=_or_none(smallest) or None,
        documents=(_documents_behind(base), _documents_behind(own)),
        documents_error=_or_none(line.documents),
        files_error=_or_none(line.runs),
        degrees=line.degrees if several else None,
    )


def _documents_behind(score: Score) -> int:
    """Return how many documents a figure is over; a mean leaves those out where it is undefined."""
    return score.documents - (score.undefined if score.average == "document" else 0)


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
