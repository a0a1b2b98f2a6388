"""Compare runs with the same gold: read, count, and test every difference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from spanscope.arguments import MOST_RESAMPLES, heading, listener, real, whole
from spanscope.arithmetic import ratio
from spanscope.commands.common_documents import MissingOfRuns
from spanscope.commands.runs import methods_as_runs, with_names
from spanscope.commands.systems import (
    key_of,
    labels_of_all,
    mean_scores,
    pairs_of_files,
    refuse_few,
    refuse_many,
    refuse_narrow,
    score_systems,
)
from spanscope.engines.load import Progress
from spanscope.errors import MeasureError, shown
from spanscope.rates import Rate
from spanscope.results.compared import Compared, Difference, Run, Spread, Verdict, direction
from spanscope.settings.intervals import checked_ci
from spanscope.settings.options import Ci, Running, Scoring, Text
from spanscope.settings.protocols import Protocol
from spanscope.settings.reading import Reading
from spanscope.settings.settle import Measures
from spanscope.sides.pairing import Extra
from spanscope.stats.averages import Score
from spanscope.stats.bootstrap import cells_behind, intervals_of_tables
from spanscope.stats.significance import FEWEST, holm, randomise_tables, smallest_difference
from spanscope.stats.table import table_of

ALPHA = 0.05
TRIALS = 10_000


def compare(
    gold: Any,
    *runs: Any,
    measures: Measures | None = None,
    protocol: str | Protocol | None = None,
    labels: Sequence[str] | None = None,
    missing: MissingOfRuns | None = None,
    extra: Extra | None = None,
    group: str | None = None,
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
               the same name are the files of one system, such as those of several seeds, and are pooled.
    measures   as in evaluate, and so are protocol, labels, extra, group, text, score, read and run.
    missing    as in evaluate, or "common": the documents that all runs have are compared, and those that some run
               lacks are left out of all of them, which is said.
    ci         how the intervals of differences are made; Ci() unless given.
    trials     of the paired randomisation test; fewer where all patterns of swaps can be tried.
    margin     for which runs it is shown that their headline is not worse by more than this.

    Every difference has a paired interval and a p-value by approximate randomisation over documents, adjusted by
    Holm's method over the runs, and over the labels where it is a label's.

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
    if ci is not None and not isinstance(ci, Ci):
        raise MeasureError(f"ci is {shown(ci)}", expected="a Ci: a comparison always has intervals")
    how = checked_ci(ci or Ci())
    options: dict[str, Any] = {"measures": measures, "protocol": protocol, "labels": labels, "missing": missing}
    options |= {"extra": extra, "group": group, "text": text, "score": score, "read": read, "run": run}
    systems, left_out = score_systems(gold, with_names(runs), options, listen)
    rows, number, exact = _differences(systems, how, trials, listen)
    return Compared(systems, rows, _spreads(systems), how, number, exact, about, left_out, margin)


Line = tuple[Score, Score, float, float, float, float, float]  # base, run, difference, low, high, p, error


def _differences(
    systems: Mapping[str, Sequence[Run]], ci: Ci, trials: int, progress: Progress
) -> tuple[list[Difference], int, bool]:
    """Return every difference to the first system, p-values adjusted over runs and labels."""
    base, *others = systems
    settings = systems[base][0].settings
    rows: list[Difference] = []
    number, exact = 0, True
    for at, measure in enumerate(settings.measures):
        policy = labels_of_all(settings, [run.tables[at] for own in systems.values() for run in own])
        refuse_many(len(policy.labels or ()), trials, ci.resamples)
        how = (*settings.how(measure)[:2], policy)
        refuse_narrow(systems, at)
        found: list[tuple[str, Line]] = []
        for name in others:
            ours, theirs = ([run.counted.cells(at, how) for run in systems[one]] for one in (base, name))
            held = [table_of(pair, *how) for pair in pairs_of_files(ours, theirs)]
            trial = randomise_tables(held, trials, ci.seed)
            between = intervals_of_tables(held, ci.resamples, ci.level, ci.seed, ci.method)
            known = [mean_scores(systems[one], at, str(measure), how) for one in (base, name)]
            behind = cells_behind(held[0]).tolist()
            for verdict, interval, cells in zip(trial.verdicts, between, behind, strict=True):
                pair = [one[tuple(verdict.row)] for one in known]
                error = interval.error if cells >= FEWEST else math.nan
                line = (verdict.difference, interval.low, interval.high, verdict.p, error)
                found.append((name, (pair[0], pair[1], *line)))
            number, exact = max(number, trial.trials), exact and trial.exact
        rows += _adjusted(found, {rate.name: rate for rate in how[0]})
        progress("testing", at + 1, len(settings.measures))
    return rows, number, exact


def _adjusted(found: Sequence[tuple[str, Line]], rates: Mapping[str, Rate]) -> list[Difference]:
    """Return the differences of one measure: averages adjusted over the runs, labels over runs and labels."""
    families: dict[tuple[str, str], list[int]] = {}
    for at, (_, line) in enumerate(found):
        families.setdefault((line[0].rate, line[0].average), []).append(at)
    adjusted: dict[int, float] = {}
    for members in families.values():
        adjusted |= dict(zip(members, holm([found[at][1][5] for at in members]), strict=True))
    return [_row(name, line, adjusted[at], rates[line[0].rate]) for at, (name, line) in enumerate(found)]


def _row(name: str, line: Line, adjusted: float, rate: Rate) -> Difference:
    base, own, difference, low, high, p, error = line
    return Difference(
        measure=base.measure,
        rate=base.rate,
        average=base.average,
        label=base.label,
        run=name,
        base=base.value,
        value=own.value,
        difference=difference,
        low=_or_none(low),
        high=_or_none(high),
        p=_or_none(p),
        adjusted=_or_none(adjusted),
        reading=_reading(base.value, own.value, adjusted, rate.best),
        smallest=_or_none(smallest_difference(error)) or None,
        documents=(_over(base), _over(own)),
    )


def _over(score: Score) -> int:
    """Return how many documents a figure is over; a mean leaves those out where it is undefined."""
    return score.documents - (score.undefined if score.average == "document" else 0)


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def _reading(base: float, value: float, p: float, best: float) -> Verdict:
    if math.isnan(p):
        return "undefined"
    return "no clear difference" if p >= ALPHA or base == value else direction(base, value, best)


def _spreads(systems: Mapping[str, Sequence[Run]]) -> list[Spread]:
    """Return mean, lowest and highest figure of every system that has several files."""
    out = []
    for name, runs in systems.items():
        settings = runs[0].settings
        for at, measure in enumerate(settings.measures) if len(runs) > 1 else ():
            tables = [run.tables[at] for run in runs]
            how = (*settings.how(measure)[:2], labels_of_all(settings, tables))
            each = [{key_of(row): row.value for row in run.counted.scores(at, str(measure), how)} for run in runs]
            for key in each[0]:
                values = [one[key] for one in each if not math.isnan(one[key])]
                if values:
                    mean = float(ratio(math.fsum(values), len(values)))
                    out.append(Spread(str(measure), *key, name, len(values), mean, min(values), max(values)))
    return out
