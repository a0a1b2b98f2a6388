"""Compare runs with the same gold: read, count, and test every difference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from spanscope.arguments import MOST_RESAMPLES, heading, listener, whole
from spanscope.arithmetic import ratio
from spanscope.commands.runs import methods_as_runs, run_of, with_names
from spanscope.counts import STAR, Counts, align_labels, name_of, sums_by_label
from spanscope.engines.load import Progress
from spanscope.errors import InputError, MeasureError, shown
from spanscope.io.pipes import hold, refuse_pipe_twice
from spanscope.rates import Rate
from spanscope.results.compared import Compared, Difference, Run, Spread, Verdict, direction
from spanscope.settings.by_side import split_source
from spanscope.settings.intervals import checked_ci
from spanscope.settings.options import Ci, Running, Scoring, Text
from spanscope.settings.protocols import Protocol
from spanscope.settings.reading import Reading
from spanscope.settings.settle import Measures, Settings
from spanscope.settings.tuning import refuse_tuning
from spanscope.sides.pairing import Extra, Missing
from spanscope.stats.averages import Policy, Score
from spanscope.stats.bootstrap import MOST_LABELLED, intervals_of_tables
from spanscope.stats.cells import CellSums, aligned
from spanscope.stats.counted import RESAMPLES, How, Totals
from spanscope.stats.significance import holm, randomise_tables, smallest_difference
from spanscope.stats.table import table_of

ALPHA = 0.05
TRIALS = 10_000
SHOWN_ONLY = ("text", "corpus", "ci", "thresholds", "input")  # settings that move no figure
MOST_PAIRS = 60
MOST_TESTED = 100_000_000  # labels x trials of the randomisation test


def compare(
    gold: Any,
    *runs: Any,
    measures: Measures | None = None,
    protocol: str | Protocol | None = None,
    labels: Sequence[str] | None = None,
    missing: Missing | None = None,
    extra: Extra | None = None,
    group: str | None = None,
    ci: Ci | None = None,
    trials: int = TRIALS,
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
    measures   as in evaluate, and so are protocol, labels, missing, extra, group, text, score, read and run.
    ci         how the intervals of differences are made; Ci() unless given.
    trials     of the paired randomisation test; fewer where all patterns of swaps can be tried.

    Every difference has a paired interval and a p-value by approximate randomisation over documents, adjusted by
    Holm's method over the runs, and over the labels where it is a label's.

    >>> spans = [{"id": n, "spans": [{"start": 0, "end": 4, "label": "A"}]} for n in range(9)]
    >>> compare(spans, spans, spans, measures="spans.exact").value("f1").reading
    'no clear difference'
    """
    listen, about = listener(progress), heading(meta)
    trials = whole("trials", trials, 1, MOST_RESAMPLES)
    gold, runs = methods_as_runs(gold, runs)
    _refuse_few(gold, runs)
    if ci is not None and not isinstance(ci, Ci):
        raise MeasureError(f"ci is {shown(ci)}", expected="a Ci: a comparison always has intervals")
    how, (gold, of_gold) = checked_ci(ci or Ci()), split_source(gold)
    named = with_names(runs)
    refuse_pipe_twice([gold, *(split_source(source)[0] for _, source in named)])
    gold = hold(gold)
    given: dict[str, Any] = {"measures": measures, "protocol": protocol, "labels": labels, "missing": missing}
    if isinstance(score, Scoring):
        refuse_tuning(score)
    given |= {"extra": extra, "group": group, "text": text, "score": score, "read": read, "run": run}
    options = {name: value for name, value in given.items() if value is not None}
    systems: dict[str, list[Run]] = {}
    for done, (name, source) in enumerate(named, start=1):
        systems.setdefault(name, []).append(run_of(gold, of_gold, source, options))
        listen("scoring runs", done, len(named))
    _check(systems)
    rows, number, exact = _differences(systems, how, trials, listen)
    return Compared(systems, rows, _spreads(systems), how, number, exact, about)


def _refuse_few(gold: Any, runs: Sequence[Any]) -> None:
    """Refuse a comparison of nothing with nothing, and gold that could be read for one run only."""
    if len(runs) < 2:
        there = "there is 1 run" if runs else "there are no runs"
        raise InputError(there, expected="gold and two runs or more, or two result files")
    if isinstance(gold, str) and gold == "-":
        raise InputError("gold is read for every run, and standard input only once", expected="a file")


def _check(systems: Mapping[str, Sequence[Run]]) -> None:
    """Refuse runs of one name, and runs not scored alike: other gold, other settings, other documents."""
    if len(systems) < 2:
        name = shown(next(iter(systems)))
        raise InputError(f"all runs are called {name}", expected="a name each, or files of two systems")
    runs = [run for own in systems.values() for run in own]
    first = runs[0]
    for run in runs[1:]:
        where = run.path or "a run"
        _check_gold(first, run, where)
        for key in {**first.plain, **run.plain}:
            ours, theirs = first.plain.get(key), run.plain.get(key)
            if key not in SHOWN_ONLY and ours != theirs:
                what = f"{key} is {_short(theirs, ours)}, for the first run {_short(ours, theirs)}"
                raise InputError(what, where=where, expected="runs scored with the same settings")
        if not (isinstance(run.counted, Totals) or isinstance(first.counted, Totals)):
            if run.documents != first.documents:
                _other_documents(first, run, where)
        elif len(run.documents) != len(first.documents) or run.content != first.content:
            what = "the documents or their gold spans are others than in the first run"
            raise InputError(what, where=where, expected="the same documents and the same gold in every run")
        same = (
            _same_gold(*align_labels([one, other])) for one, other in zip(run.tables, first.tables, strict=True)
        )
        if not all(same) or (None not in (run.content, first.content) and run.content != first.content):
            raise InputError("the gold spans are others", where=where, expected="runs with the same gold")


def _check_gold(first: Run, run: Run, where: str) -> None:
    """Refuse other files of gold; where both runs say what their gold is, a copy elsewhere is the same."""
    known = None not in (run.content, first.content)
    same = run.content == first.content if known else run.gold == first.gold
    if None not in (run.gold, first.gold) and run.gold != first.gold and not same:
        raise InputError("the run was scored against another gold file", where=where, expected="the same gold")


def _short(value: Any, other: Any) -> str:
    """Return a setting; of a list only what the other one has not."""
    if isinstance(value, list) and isinstance(other, list):
        value = [one for one in value if one not in other] or value
    return shown(value)


def _same_gold(one: Counts, other: Counts) -> bool:
    """Tell whether two tables count the same gold in every document and label."""
    if "gold" not in one.columns:
        return True
    sides = []
    for own in (one, other):
        number = own.column("gold")
        rows = np.flatnonzero(number)
        key = own.doc[rows] * (len(own.labels) + 1) + own.label[rows]
        order = np.argsort(key, kind="stable")
        sides.append((key[order], number[rows][order]))
    return all(np.array_equal(a, b) for a, b in zip(*sides, strict=True))


def _other_documents(first: Run, run: Run, where: str) -> None:
    for lacks, has, word in ((run, first, "is not scored"), (first, run, "is not scored in the first run")):
        missing = next((name for name in has.documents if name not in set(lacks.documents)), None)
        if missing is not None:
            what = f"the document {shown(missing)} {word}"
            raise InputError(
                what, where=where, expected="the same documents in every run", hint="[[missing=empty]]"
            )
    raise InputError("the order of documents differs", where=where, expected="the same order in every run")


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
        policy = _same_labels(settings, [run.tables[at] for own in systems.values() for run in own])
        _refuse_many(len(policy.labels or ()), trials, ci.resamples)
        how = (*settings.how(measure)[:2], policy)
        _refuse_narrow(systems, at)
        found: list[tuple[str, Line]] = []
        for name in others:
            ours, theirs = ([run.counted.cells(at, how) for run in systems[one]] for one in (base, name))
            held = [table_of(pair, *how) for pair in _pairs(ours, theirs)]
            trial = randomise_tables(held, trials, ci.seed)
            between = intervals_of_tables(held, ci.resamples, ci.level, ci.seed, ci.method)
            known = [_means(systems[one], at, str(measure), how) for one in (base, name)]
            for verdict, interval in zip(trial.verdicts, between, strict=True):
                pair = [one[tuple(verdict.row)] for one in known]
                line = (verdict.difference, interval.low, interval.high, verdict.p, interval.error)
                found.append((name, (pair[0], pair[1], *line)))
            number, exact = max(number, trial.trials), exact and trial.exact
        rows += _adjusted(found, {rate.name: rate for rate in how[0]})
        progress("testing", at + 1, len(settings.measures))
    return rows, number, exact


def _refuse_narrow(systems: Mapping[str, Sequence[Run]], at: int) -> None:
    """Refuse labels that totals have no sums of by cell, because there are too many of them."""
    for run in (run for own in systems.values() for run in own):
        if isinstance(run.counted, Totals) and run.counted.totals[at].narrow:
            labels = len(run.tables[at].labels)
            raise MeasureError(
                f"too many labels to test from totals: {labels:,}",
                expected=f"at most {MOST_LABELLED // RESAMPLES:,}",
                hint="[[labels=A,B,C]]   for some of them, or [[memory=counts]]",
            )


def _refuse_many(labels: int, trials: int, resamples: int) -> None:
    """Refuse so many labels that testing them all would take minutes, and their intervals gigabytes."""
    if labels * trials > MOST_TESTED or labels * resamples > MOST_LABELLED:
        raise MeasureError(
            f"too many to test: {labels:,} labels x {trials:,} trials, x {resamples:,} resamples",
            expected=f"at most {MOST_TESTED:,} labels x trials, and {MOST_LABELLED:,} labels x resamples",
            hint="[[labels=A,B,C]]   for some of them, or fewer --trials and [[resamples]]",
        )


def _pairs(ours: Sequence[CellSums], theirs: Sequence[CellSums]) -> list[list[CellSums]]:
    """Return pairs of files in which every file of a system occurs as often as every other one."""
    size = math.lcm(len(ours), len(theirs))
    if size > MOST_PAIRS:
        raise InputError(
            f"{len(ours)} files of one system and {len(theirs)} of the other make {size:,} pairs",
            expected=f"at most {MOST_PAIRS}: as many files of each",
        )
    both = aligned([*ours, *theirs])
    first, second = both[: len(ours)], both[len(ours) :]
    return [[first[at % len(first)], second[at % len(second)]] for at in range(size)]


def _means(runs: Sequence[Run], at: int, measure: str, how: How) -> dict[tuple[Any, ...], Score]:
    """Return the scores of a system: of several files the means of those that are defined."""
    each = [{_key(row): row for row in run.counted.scores(at, measure, how)} for run in runs]
    out: dict[tuple[Any, ...], Score] = {}
    for key, row in each[0].items():
        values = [one[key].value for one in each if not math.isnan(one[key].value)]
        mean = float(ratio(math.fsum(values), len(values))) if len(each) > 1 else row.value
        out[key] = replace(row, value=mean, undefined=max(one[key].undefined for one in each))
    return out


def _same_labels(settings: Settings, tables: Sequence[Counts]) -> Policy:
    """Return the policy with the labels of all runs, so that all have the same rows."""
    policy = settings.policy
    seen = {name_of(one, int(code)) for one in tables for code in sums_by_label(one)[0] if code != STAR}
    if policy.labels is not None or not seen:
        return policy
    return replace(policy, labels=tuple(sorted(seen)))


def _key(row: Score) -> tuple[str, str, str | None]:
    return row.rate, row.average, row.label


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
            how = (*settings.how(measure)[:2], _same_labels(settings, tables))
            each = [{_key(row): row.value for row in run.counted.scores(at, str(measure), how)} for run in runs]
            for key in each[0]:
                values = [one[key] for one in each if not math.isnan(one[key])]
                if values:
                    mean = float(ratio(math.fsum(values), len(values)))
                    out.append(Spread(str(measure), *key, name, len(values), mean, min(values), max(values)))
    return out
