"""A leaderboard: score every system, rank them, test all pairs, and say which of them are told apart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from spanscope.arguments import MOST_RESAMPLES, heading, listener, of_type, whole, words
from spanscope.arithmetic import Floats, ratio
from spanscope.commands.common_documents import MissingOfRuns
from spanscope.commands.runs import files_of_system, methods_as_runs, with_names
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
from spanscope.errors import InputError, MeasureError, plural, shown
from spanscope.io.run_files import files_of_runs, names_of_paths
from spanscope.io.surrogates import path_of
from spanscope.results.compared import ALPHA
from spanscope.results.leaderboard import Extra as OwnColumn
from spanscope.results.leaderboard import Figure, Leaderboard, Pair, Standing
from spanscope.results.runs import Run, first_run
from spanscope.settings.by_side import join_source, split_source
from spanscope.settings.options import Ci, Running, Scoring, Text
from spanscope.settings.protocols import Protocol
from spanscope.settings.reading import Reading
from spanscope.settings.settle import Measures
from spanscope.sides.pairing import Extra
from spanscope.stats.bootstrap import Interval, bounds, drawn_values, mean_of_arrays
from spanscope.stats.cells import CellSums, align, overall
from spanscope.stats.counted import How
from spanscope.stats.differences import differences
from spanscope.stats.letters import alike_sets, letters
from spanscope.stats.ranks import away_from_best, rank_intervals, ranks
from spanscope.stats.repeats import drawn_runs, intervals_of_mean, variation_of
from spanscope.stats.significance import holm
from spanscope.stats.slices import Sure
from spanscope.stats.table import Row, Table, table_of

MOST_SYSTEMS = 60  # whose pairs are tested: 1,770 of them

Own = Mapping[str, Sequence[CellSums]]  # the cells of every file of every system


class _Headline(NamedTuple):
    """What ranks the systems: how it is read, their cells, values, and values in the resamples."""

    how: How
    row: Row
    best: float
    cells: Own
    values: Mapping[str, float]
    drawn: Mapping[str, Floats]


def leaderboard(
    gold: Any,
    *runs: Any,
    names: Sequence[str] | None = None,
    name_by: str | None = None,
    show: Sequence[str] = (),
    measures: Measures | None = None,
    protocol: str | Protocol | None = None,
    labels: Sequence[str] | None = None,
    missing: MissingOfRuns | None = None,
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
) -> Leaderboard:
    """Rank systems by their headline on the same gold, and say which of them are told apart.

    gold       as in compare: None where every run is a result file that kept its counts.
    runs       as in compare, and folders and patterns that stand for several; all files of a (name, folder) pair
               are those of one system, which may be the only one. Without names they are called by the parts of
               their paths that differ.
    names      of the runs, one for each in order.
    name_by    a key in the meta of result files: systems are called by its values, and runs with the same value
               are the files of one system.
    show       keys in the meta of result files, such as "cost": a column each.
    trials     of the paired randomisation test of every pair.

    All else is as in compare. The p-values of all pairs are adjusted by Holm's method. Two systems that share a
    letter are not told apart (adjusted p of 0.05 or more); two that share none are.

    >>> spans = [{"id": n, "spans": [{"start": 0, "end": 4, "label": "A"}]} for n in range(9)]
    >>> worse = [one | {"spans": []} for one in spans]
    >>> found = leaderboard(spans, ("worse", worse), ("same", spans), measures="spans.exact")
    >>> [(one.name, one.rank, one.letters) for one in found.standings]
    [('same', 1, 'a'), ('worse', 2, 'b')]
    """
    listen, about = listener(progress), heading(meta)
    trials = whole("trials", trials, 1, MOST_RESAMPLES)
    gold, runs = methods_as_runs(gold, runs)
    how, keys = intervals_asked(ci, "a leaderboard"), words("show", show, "keys of the meta of result files")
    of_type("name_by", name_by, str, "a key of the meta of result files")
    named = _name_runs(runs, names)
    refuse_few(gold, named)
    options: dict[str, Any] = {"measures": measures, "protocol": protocol, "labels": labels, "missing": missing}
    options |= {"extra": extra, "group": group, "text": text, "score": score, "read": read, "run": run}
    systems, left_out = score_systems(gold, named, options, listen, alone=True)
    systems = systems if name_by is None else _by_meta(systems, name_by)
    refuse_method(systems, how.method)
    if len(systems) > MOST_SYSTEMS:
        raise InputError(f"there are {len(systems)} systems", expected=f"at most {MOST_SYSTEMS}")
    own = {name: _from_meta(runs, keys) for name, runs in systems.items()}
    _refuse_unknown(own, keys)
    return _rank(systems, own, how, trials, about, left_out, listen)


def _name_runs(runs: Sequence[Any], names: Sequence[str] | None) -> list[tuple[str, Any]]:
    """Return every run with its name: that which it was given, else the parts of its path that differ."""
    each = [(at, one) for at, run in enumerate(runs) for one in _files(run)]
    if names is not None:
        given = words("names", names, "a name for every run")
        if len(given) != len(each):
            raise MeasureError(
                f"{plural(len(given), 'name')} for {plural(len(each), 'run')}", expected="a name for every run"
            )
        return with_names(
            [(name, one[1] if _is_pair(one) else one) for name, (_, one) in zip(given, each, strict=True)]
        )
    paths = {
        at: path
        for at, (_, one) in enumerate(each)
        if not _is_pair(one) and (path := path_of(split_source(one)[0]))
    }
    called = dict(zip(paths, names_of_paths(list(paths.values())), strict=True))
    return with_names([(called[at], one) if at in called else one for at, (_, one) in enumerate(each)])


def _is_pair(run: Any) -> bool:
    return isinstance(run, tuple) and len(run) == 2 and isinstance(run[0], str)


def _files(run: Any) -> list[Any]:
    """Return the runs that a folder or pattern stands for, with the name that it was given."""
    name, held = run if _is_pair(run) else (None, run)
    found = []
    for own in files_of_system(held):
        source, given = split_source(own)
        found += [join_source(one, given) for one in files_of_runs(source)]
    return found if name is None else [(name, one) for one in found]


def _by_meta(systems: Mapping[str, Sequence[Run]], key: str) -> dict[str, list[Run]]:
    """Return the runs by what their result files have under a key of their meta."""
    out: dict[str, list[Run]] = {}
    for name, own in systems.items():
        for run in own:
            if key not in run.meta:
                raise InputError(
                    f"the run has no {shown(key)} in its meta",
                    where=run.path or name,
                    expected="result files that have it",
                    hint=f"spanscope eval GOLD PRED --keep --meta {key}=... -o FILE.json",
                )
            out.setdefault(run.meta[key], []).append(run)
    if len(out) < 2:
        raise InputError(f"all runs have the same {shown(key)}", expected="at least two systems")
    return out


def _from_meta(runs: Sequence[Run], keys: Sequence[str]) -> dict[str, OwnColumn]:
    """Return what stands in the meta of a system's files: the mean of numbers, else the texts."""
    out: dict[str, OwnColumn] = {}
    for key in keys:
        given = [run.meta[key] for run in runs if key in run.meta]
        numbers = [number for text in given if (number := _number(text)) is not None]
        if given and len(numbers) == len(given):
            out[key] = float(ratio(math.fsum(numbers), len(numbers)))
        else:
            out[key] = ", ".join(dict.fromkeys(given)) or None
    return out


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _refuse_unknown(own: Mapping[str, Mapping[str, OwnColumn]], keys: Sequence[str]) -> None:
    """Refuse a column that no run has anything for."""
    for key in keys:
        if all(one[key] is None for one in own.values()):
            raise InputError(
                f"no run has {shown(key)} in its meta",
                expected="result files that have it",
                hint=f"spanscope eval GOLD PRED --keep --meta {key}=... -o FILE.json",
            )


def _rank(
    systems: dict[str, list[Run]],
    shown: Mapping[str, dict[str, OwnColumn]],
    ci: Ci,
    trials: int,
    meta: dict[str, str],
    left_out: int | None,
    progress: Progress,
) -> Leaderboard:
    """Return the leaderboard of systems that have been scored."""
    settings = first_run(systems).settings
    figures: dict[str, list[Figure]] = {name: [] for name in systems}
    every = [_figures(systems, at, ci, trials) for at in range(len(settings.measures))]
    for _, found in every:
        for name, some in found.items():
            figures[name] += some
    head = every[0][0]
    order = _in_order(head)
    pairs, exact, number = _pairs(head, order, ci, trials, progress)
    defined = [name for name in order if not math.isnan(head.values[name])]
    place = {name: at for at, name in enumerate(defined)}
    sets = alike_sets(len(defined), [(place[one.first], place[one.second]) for one in pairs if one.told_apart])
    own_letters = dict(zip(defined, letters(len(defined), sets), strict=True))
    drawn = np.stack([head.drawn[name] for name in order])
    rank = ranks(np.array([[head.values[name]] for name in order]), head.best)[:, 0].tolist()
    between = rank_intervals(drawn, head.best, ci.level)
    standings = [
        Standing(
            name,
            rank[at],
            between[at] if name in place else None,
            own_letters.get(name, ""),
            tuple(figures[name]),
            shown[name],
            tuple(run.path for run in systems[name]),
        )
        for at, name in enumerate(order)
    ]
    alike = [tuple(defined[at] for at in own) for own in sets]
    spreads = spreads_of_files(systems, ci)
    return Leaderboard(systems, standings, pairs, alike, ci, number, exact, ALPHA, meta, left_out, spreads)


def _in_order(head: _Headline) -> list[str]:
    """Return the names of the systems, the best first, what is undefined last."""
    away = away_from_best(np.array(list(head.values.values())), head.best).tolist()
    keyed = sorted((math.isnan(far), 0.0 if math.isnan(far) else far, at) for at, far in enumerate(away))
    names = list(head.values)
    return [names[at] for *_, at in keyed]


def _figures(
    systems: Mapping[str, Sequence[Run]], at: int, ci: Ci, trials: int
) -> tuple[_Headline, dict[str, list[Figure]]]:
    """Return the figures of every system by one measure, over the average that leads, that which leads first."""
    settings = first_run(systems).settings
    measure = settings.measures[at]
    lead = settings.lead(measure)
    how = how_of_all([run for own in systems.values() for run in own], at)
    refuse_narrow(systems, at)
    by_label = lead.average not in ("micro", "document")
    refuse_many(len(how[2].labels or ()) if by_label else 1, trials, ci.resamples)
    rates = sorted((rate.name for rate in how[0]), key=lambda name: name != lead.rate.name)
    cells: dict[str, list[CellSums]] = {}
    out: dict[str, list[Figure]] = {}
    drawn: dict[str, Floats] = {}
    for name, runs in systems.items():
        own = align([run.counted.cells(at, how) for run in runs])
        cells[name] = own if by_label else [overall(one) for one in own]
        held = [table_of([one], *how) for one in cells[name]]
        place = {row: number for number, row in enumerate(held[0].rows())}
        rows = [Row(rate, lead.average, None) for rate in rates]
        between, drawn[name] = _intervals(name, held, ci, place[rows[0]])
        known = mean_scores(runs, at, str(measure), how)
        out[name] = [_figure(known[tuple(row)], between[place[row]]) for row in rows]
    values = {name: own[0].value for name, own in out.items()}
    return _Headline(how, Row(lead.rate.name, lead.average, None), lead.rate.best, cells, values, drawn), out


def _intervals(name: str, tables: Sequence[Table], ci: Ci, row: int) -> tuple[list[Interval], Floats]:
    """Return the intervals of a system's figures, and what one of them is in every resample, for its rank."""
    every = [drawn_values(held, ci.resamples, ci.seed) for held in tables]
    if len(tables) == 1:
        return bounds(tables[0], every[0], ci.level, ci.method), every[0][row]
    found = variation_of([tables], ci.resamples, ci.seed)
    off = drawn_runs(found, row, name, ci.resamples, ci.seed)
    return intervals_of_mean(found, tables, ci.level), mean_of_arrays([own[row] for own in every]) + off


def _figure(score: Any, interval: Interval) -> Figure:
    low, high = (None if math.isnan(end) else end for end in interval[:2])
    of = (score.measure, score.rate, score.average, score.value)
    return Figure(*of, low, high, score.documents, score.undefined)


def _pairs(
    head: _Headline, order: Sequence[str], ci: Ci, trials: int, progress: Progress
) -> tuple[list[Pair], bool, int]:
    """Return the test of every pair of systems, the better first; whether all were exact, and the most trials."""
    defined = [name for name in order if not math.isnan(head.values[name])]
    every = list(combinations(defined, 2))
    found, exact, number = [], True, 0
    for done, (one, other) in enumerate(every, start=1):
        tested = differences(head.cells[other], head.cells[one], head.how, trials, Sure(*astuple(ci)))
        at = tested.rows.index(head.row)
        found.append((float(tested.difference[at]), float(tested.p[at])))
        exact, number = exact and tested.exact, max(number, tested.trials)
        progress("testing pairs", done, len(every))
    adjusted = holm([p for _, p in found])
    return (
        [
            Pair(one, other, difference, p, own, own < ALPHA)
            for (one, other), (difference, p), own in zip(every, found, adjusted, strict=True)
        ],
        exact,
        number,
    )
