"""Systems to be compared: their files scored on the same gold, and held to be scored alike."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from spanscope.arithmetic import ratio
from spanscope.commands.common_documents import keep_common
from spanscope.commands.runs import run_of
from spanscope.counts import STAR, Counts, align_labels, name_of
from spanscope.engines.load import Progress
from spanscope.errors import InputError, MeasureError, shown
from spanscope.io.pipes import hold, refuse_pipe_twice
from spanscope.results.runs import Run
from spanscope.settings.by_side import split_source
from spanscope.settings.intervals import checked_ci
from spanscope.settings.options import Ci, Scoring
from spanscope.settings.run_settings import Settings
from spanscope.settings.tuning import refuse_tuning
from spanscope.stats.averages import Policy, Score
from spanscope.stats.bootstrap import METHOD, MOST_LABELLED, Method
from spanscope.stats.counted import RESAMPLES, How, Totals
from spanscope.stats.table import Table, table_of

SHOWN_ONLY = ("text", "corpus", "ci", "thresholds", "input", "by")  # settings that move no figure
TRIALS = 10_000  # of the randomisation test
MOST_TESTED = 100_000_000  # labels x trials of the randomisation test


class Systems(NamedTuple):
    """The runs of every system by its name, and how many documents were left out because some run lacks them."""

    runs: dict[str, list[Run]]
    left_out: int | None  # None where documents that all runs have were not asked for


def score_systems(
    gold: Any,
    named: Sequence[tuple[str, Any]],
    options: Mapping[str, Any],
    progress: Progress,
    *,
    alone: bool = False,
) -> Systems:
    """Return the runs by the names of their systems, all scored alike; runs of one name are of one system.

    `alone` says that one system of several files is enough.
    """
    if isinstance(score := options.get("score"), Scoring):
        refuse_tuning(score)
    gold, of_gold = split_source(gold)
    refuse_pipe_twice([gold, *(split_source(source)[0] for _, source in named)])
    gold = hold(gold)
    asked = options.get("missing")
    common = isinstance(asked, str) and asked == "common"
    given = {
        name: value for name, value in options.items() if value is not None and not (common and name == "missing")
    }
    systems: dict[str, list[Run]] = {}
    for done, (name, source) in enumerate(named, start=1):
        systems.setdefault(name, []).append(run_of(gold, of_gold, source, given, common=common))
        progress("scoring runs", done, len(named))
    left_out = None
    if common:
        systems, left_out = keep_common(systems)
    check_systems(systems, fewest=1 if alone else 2)
    return Systems(systems, left_out)


def intervals_asked(ci: Ci | None, what: str) -> Ci:
    """Return how the intervals of several runs are made: `what` says whose they are, and never goes without."""
    if ci is not None and not isinstance(ci, Ci):
        raise MeasureError(f"ci is {shown(ci)}", expected=f"a Ci: {what} always has intervals")
    return checked_ci(ci or Ci())


def refuse_few(gold: Any, runs: Sequence[Any]) -> None:
    """Refuse a comparison of nothing with nothing, and gold that could be read for one run only."""
    if len(runs) < 2:
        there = "there is 1 run" if runs else "there are no runs"
        raise InputError(there, expected="gold and two runs or more, or two result files")
    if isinstance(gold, str) and gold == "-":
        raise InputError("gold is read for every run, and standard input only once", expected="a file")


def check_systems(systems: Mapping[str, Sequence[Run]], fewest: int = 2) -> None:
    """Refuse runs of one name, and runs not scored alike: other gold, other settings, other documents."""
    if len(systems) < fewest:
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


def refuse_narrow(systems: Mapping[str, Sequence[Run]], at: int) -> None:
    """Refuse labels that totals have no sums of by cell, because there are too many of them."""
    for run in (run for own in systems.values() for run in own):
        if isinstance(run.counted, Totals) and run.counted.totals[at].narrow:
            labels = len(run.tables[at].labels)
            raise MeasureError(
                f"too many labels to test from totals: {labels:,}",
                expected=f"at most {MOST_LABELLED // RESAMPLES:,}",
                hint="[[labels=A,B,C]]   for some of them, or [[memory=counts]]",
            )


def refuse_many(labels: int, trials: int, resamples: int) -> None:
    """Refuse so many labels that testing them all would take minutes, and their intervals gigabytes."""
    if labels * trials > MOST_TESTED or labels * resamples > MOST_LABELLED:
        raise MeasureError(
            f"too many to test: {labels:,} labels x {trials:,} trials, x {resamples:,} resamples",
            expected=f"at most {MOST_TESTED:,} labels x trials, and {MOST_LABELLED:,} labels x resamples",
            hint="[[labels=A,B,C]]   for some of them, or fewer --trials and [[resamples]]",
        )


def tables_of_runs(runs: Sequence[Run], at: int, how: How) -> list[Table]:
    """Return the sums by cell of every file of a system, ready to be weighed."""
    return [table_of([run.counted.cells(at, how)], *how) for run in runs]


def refuse_method(systems: Mapping[str, Sequence[Run]], method: Method) -> None:
    """Refuse a method that knows of documents alone where there are several files of a system."""
    several = next((name for name, own in systems.items() if len(own) > 1), None)
    if several is not None and method != METHOD:
        raise MeasureError(
            f"method={method} resamples documents, and {shown(several)} has several files, which vary too",
            expected=f"no method, or {METHOD}, where a system has several files",
        )


def mean_scores(runs: Sequence[Run], at: int, measure: str, how: How) -> dict[tuple[Any, ...], Score]:
    """Return the scores of a system: of several files the means of those that are defined."""
    each = [{key_of(row): row for row in run.counted.scores(at, measure, how)} for run in runs]
    out: dict[tuple[Any, ...], Score] = {}
    for key, row in each[0].items():
        values = [one[key].value for one in each if not math.isnan(one[key].value)]
        mean = float(ratio(math.fsum(values), len(values))) if len(each) > 1 else row.value
        out[key] = replace(row, value=mean, undefined=max(one[key].undefined for one in each))
    return out


def how_of_all(runs: Sequence[Run], at: int) -> How:
    """Return how one measure of several runs is read: with the labels of all, so that all have the same rows."""
    settings = runs[0].settings
    rates, rate_set, _ = settings.how(settings.measures[at])
    return rates, rate_set, _policy_of_all(settings, [run.tables[at] for run in runs])


def _policy_of_all(settings: Settings, tables: Sequence[Counts]) -> Policy:
    policy = settings.policy
    seen = {name_of(one, int(code)) for one in tables for code in one.label_sums[0] if code != STAR}
    if policy.labels is not None or not seen:
        return policy
    return replace(policy, labels=tuple(sorted(seen)))


def key_of(row: Score) -> tuple[str, str, str | None]:
    """Return which figure of a measure a score is."""
    return row.rate, row.average, row.label
