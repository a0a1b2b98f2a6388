"""Compare runs with the same gold: read, count, and test every difference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from spanscope.aggregate import Policy, Score, scores
from spanscope.arithmetic import ratio
from spanscope.compared import Compared, Difference, Run, Spread, Verdict, direction, pooled
from spanscope.counts import STAR, Counts, aligned, by_label, name_of
from spanscope.errors import InputError, plural, shown
from spanscope.evaluate import evaluate
from spanscope.io.results import is_result, read_result
from spanscope.kept import restored
from spanscope.load import Progress
from spanscope.rates import Rate
from spanscope.result import Result
from spanscope.settings import Ci, Measures, Settings, settle
from spanscope.significance import holm, paired_intervals, randomisation, smallest_difference

ALPHA = 0.05
TRIALS = 10_000
SETTINGS = ("labels", "beta", "undefined", "missing", "extra", "repeated", "mapping", "normalise")


def compare(
    gold: Any,
    *runs: Any,
    measures: Measures | None = None,
    ci: Ci | None = None,
    trials: int = TRIALS,
    meta: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Compared:
    """Compare runs on the same gold; the first run is the baseline.

    gold       as in evaluate; None where every run is a result file that kept its counts (eval --keep).
    runs       files or documents, named by (name, source) pairs, else by their paths or run 1, run 2, ...; runs of
               the same name are the files of one system, such as those of several seeds, and are pooled.
    measures   as in evaluate, and so are the other options (protocol, labels, missing, ...).
    ci         how the intervals of differences are made; Ci() unless given.
    trials     of the paired randomisation test; fewer where all patterns of swaps can be tried.

    Every difference has a paired interval and a p-value by approximate randomisation over documents, adjusted by
    Holm's method over the runs, and over the labels where it is a label's.

    >>> spans = [{"id": n, "spans": [{"start": 0, "end": 4, "label": "A"}]} for n in range(9)]
    >>> compare(spans, spans, spans, measures="spans.exact").value("f1").reading
    'no clear difference'
    """
    told = progress or (lambda _stage, _done, _total: None)
    if len(runs) < 2:
        raise InputError(f"there is {plural(len(runs), 'run')}", expected="two runs or more")
    how = ci or Ci()
    named = _named(runs)
    systems: dict[str, list[Run]] = {}
    for done, (name, source) in enumerate(named, start=1):
        systems.setdefault(name, []).append(_run(gold, source, measures, options))
        told("scoring runs", done, len(named))
    if len(systems) < 2:
        raise InputError(
            f"all runs are called {shown(named[0][0])}", expected="a name each, or files of two systems"
        )
    _check(systems)
    rows, number, exact = _differences(systems, how, trials, told)
    about = {str(key): str(value) for key, value in (meta or {}).items()}
    return Compared(systems, rows, _spreads(systems), how, number, exact, about)


def _named(runs: Sequence[Any]) -> list[tuple[str, Any]]:
    """Return the runs with their names."""
    out = []
    for number, run in enumerate(runs, start=1):
        if isinstance(run, tuple) and len(run) == 2 and isinstance(run[0], str):
            out.append((run[0], run[1]))
        else:
            out.append((run if isinstance(run, str) else f"run {number}", run))
    return out


def _run(gold: Any, source: Any, measures: Measures | None, options: Mapping[str, Any]) -> Run:
    """Score a run, or take what a result file kept of it."""
    if isinstance(source, Result):
        return of_result(source)
    if is_result(source):
        if measures is not None or options:
            raise InputError("a result file has its own measures and settings", expected="no others beside it")
        value, name = read_result(source)
        return of_file(value, name)
    if gold is None:
        raise InputError("there is no gold", expected="gold first, or result files alone (eval --keep)")
    return of_result(evaluate(gold, source, measures, ci=False, **options))


def of_result(result: Result) -> Run:
    """Return what a comparison needs of a result."""
    names = tuple(result.comparison.names)
    keys, settings = result.comparison.keys(), result.settings
    one, other = result.inputs
    return Run(other.path, names, keys, settings, result.tables, one.sha256, result)


def of_file(value: Any, name: str) -> Run:
    """Return what a comparison needs of the data of a result file."""
    kept = restored(value, name)
    own: dict[str, Any] = {key: kept.settings.get(key) for key in SETTINGS if key not in ("mapping", "normalise")}
    settings = settle(list(kept.measures), kept.settings.get("protocol"), **own)
    return Run(name, kept.documents, kept.keys, settings, kept.tables, kept.gold, None)


def _check(systems: Mapping[str, Sequence[Run]]) -> None:
    """Refuse runs that were not scored alike: other gold, other settings, other documents."""
    runs = [run for own in systems.values() for run in own]
    first = runs[0]
    ours = _plain(first.settings)
    for run in runs[1:]:
        where = run.path or "a run"
        if None not in (run.gold, first.gold) and run.gold != first.gold:
            raise InputError("the run was scored against another gold file", where=where, expected="the same gold")
        theirs = _plain(run.settings)
        differ = next((key for key in ours if ours[key] != theirs[key]), None)
        if differ is not None:
            what = f"{differ} is {shown(theirs[differ])}, for the first run {shown(ours[differ])}"
            raise InputError(what, where=where, expected="runs scored with the same settings")
        if run.documents != first.documents:
            _other_documents(first, run, where)
        for one, other in zip(run.tables, first.tables, strict=True):
            if "gold" in one.columns and one.column("gold").sum() != other.column("gold").sum():
                raise InputError("the gold spans are others", where=where, expected="runs with the same gold")


def _other_documents(first: Run, run: Run, where: str) -> None:
    lacking = next((name for name in first.documents if name not in set(run.documents)), None)
    what = "the order of documents differs" if lacking is None else f"the document {shown(lacking)} is not scored"
    raise InputError(what, where=where, expected="the same documents in every run", hint="--missing empty")


def _plain(settings: Settings) -> dict[str, Any]:
    own = settings.plain()
    return {key: own[key] for key in ("measures", "protocol", *SETTINGS)}


Line = tuple[Score, Score, float, float, float, float, float]  # base, run, difference, low, high, p, error


def _differences(
    systems: Mapping[str, Sequence[Run]], ci: Ci, trials: int, told: Progress
) -> tuple[list[Difference], int, bool]:
    """Return every difference to the first system, p-values adjusted over runs and labels."""
    base, *others = systems
    settings = systems[base][0].settings
    rows: list[Difference] = []
    number, exact = 0, True
    for at, measure in enumerate(settings.measures):
        policy = _same_labels(settings, [run.tables[at] for own in systems.values() for run in own])
        how = (settings.rates(measure), measure.definition.reading, policy)
        best = {rate.name: rate for rate in how[0]}
        found: list[tuple[str, Line]] = []
        for name in others:
            ours, theirs = aligned([pooled(systems[base], at), pooled(systems[name], at)])
            keys = systems[base][0].keys
            tested = randomisation(ours, theirs, *how, keys, trials=trials, seed=ci.seed)
            between = paired_intervals(ours, theirs, *how, keys, **asdict(ci))
            known = [{_key(row): row for row in scores(str(measure), one, *how)} for one in (ours, theirs)]
            for verdict, interval in zip(tested.verdicts, between, strict=True):
                rate, average, label = verdict.row
                lacking = Score(str(measure), rate, average, label, math.nan, None, None, 0, 1)
                pair = [one.get((rate, average, label), lacking) for one in known]
                line = (verdict.difference, interval.low, interval.high, verdict.p, interval.error)
                found.append((name, (pair[0], pair[1], *line)))
            number, exact = max(number, tested.trials), exact and tested.exact
        rows += _adjusted(found, best)
        told("testing", at + 1, len(settings.measures))
    return rows, number, exact


def _same_labels(settings: Settings, tables: Sequence[Counts]) -> Policy:
    """Return the policy with the labels of all runs, where a label that one of them lacks counts as 0 or 1."""
    policy = settings.policy
    seen = {name_of(table, int(code)) for table in tables for code in by_label(table)[0] if code != STAR}
    if math.isnan(policy.undefined) or policy.labels is not None or not seen:
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
    )


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
        for at, measure in enumerate(runs[0].settings.measures) if len(runs) > 1 else ():
            settings = runs[0].settings
            how = (settings.rates(measure), measure.definition.reading, settings.policy)
            each = [{_key(row): row.value for row in scores(str(measure), run.tables[at], *how)} for run in runs]
            for key in each[0]:
                values = [one[key] for one in each if key in one and not math.isnan(one[key])]
                if values:
                    mean = float(ratio(math.fsum(values), len(values)))
                    out.append(Spread(str(measure), *key, name, len(runs), mean, min(values), max(values)))
    return out
