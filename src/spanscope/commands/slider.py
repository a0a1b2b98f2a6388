"""What is said at every step of the slider: the figures, and the verdict on every span.

The slider moves the threshold of the measure that errors are explained by. Where that is spans.exact, which has
none, it moves the threshold of the measure beside it that has one, and its end, 1, is the exact match itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Ints
from spanscope.counts import STAR, Counts, Numbers, make, merge, sums_by_document
from spanscope.families import SPANS
from spanscope.findings import taxonomy
from spanscope.jsonable import finite, plain
from spanscope.match.verdicts import CORRECT, KINDS, NONE, Verdicts
from spanscope.measures.registry import Measure, Outcome
from spanscope.rates import COUNTED, hits_and_errors
from spanscope.results.result import Result
from spanscope.sides.comparison import Comparison
from spanscope.stats.averages import GRID, Policy, label_figures, scores
from spanscope.stats.bootstrap import intervals_of_all
from spanscope.stats.cells import deal, fold

EXACT = "spans.exact(duplicates=list)"
BATCH = SPANS.batch  # documents that are walked through at once
BANDED = 2_500_000  # documents times steps of the band: beyond, it is worked out at every so many steps only
Small = NDArray[np.int8]
RowsBySide = Mapping[str, Ints]  # the rows of spans


@dataclass(frozen=True)
class Walk:
    """The figures at every step, over all documents, and the verdicts on the spans that are shown.

    `gold` and `pred` hold one line per step and one column per span: the kind of its verdict, -1 where it has none
    (a prediction that belongs to a gold span's verdict, a span that the measure does not count). `partner` is
    the predicted row of a gold span's verdict, as a row among those that are shown, or -1. `band` is the interval
    of the rate that leads at some steps: `at`, `low` and `high`; None without intervals.
    """

    steps: tuple[float, ...]
    at: int
    whole: list[dict[str, Any]]
    by_label: list[list[list[Any]]]
    gold: Small
    partner: Ints
    pred: Small
    band: dict[str, list[Any]] | None = None


def steps_of(result: Result) -> tuple[tuple[float, ...], int]:
    """Return the thresholds of the slider, in order, and which of them was asked for.

    The thresholds of the evaluation, else 21 from 0 to 1 (also for "exact", which can be very many); the one that
    was asked for is always among them. A measure without threshold has one step, at 1.
    """
    moved = slid(result)
    if moved is None or moved.threshold is None:
        return (1.0,), 0
    asked = 1.0 if ends_exactly(result) else moved.threshold
    given = result.settings.thresholds
    steps = tuple(sorted({*(given if isinstance(given, tuple) else GRID), moved.threshold, asked}))
    return steps, steps.index(asked)


def ends_exactly(result: Result) -> bool:
    """Tell whether the end of the slider is spans.exact, and the other steps are of another measure."""
    return slid(result) not in (None, result.measures[result.settings.explained])


def slid(result: Result) -> Measure | None:
    """Return the measure whose threshold is moved, where there is one."""
    settings = result.settings
    explained, curved = (result.measures[at] for at in (settings.explained, settings.curved))
    if explained != curved and str(explained) != EXACT:
        return None  # other spans match: its figures would not go on where the curve ends
    return curved if curved.threshold is not None else None


def walk(result: Result, shown: RowsBySide) -> Walk:
    """Return what is said at every step; `shown` are the rows whose verdicts are wanted.

    The measure itself is asked, batch by batch as `evaluate` does, so every count is the library's own.
    """
    steps, at = steps_of(result)
    place = {side: _places(len(result.comparison.sides[side]), rows) for side, rows in shown.items()}
    gold, pred = (np.full((len(steps), len(shown[side])), NONE, dtype=np.int8) for side in ("gold", "pred"))
    partner = np.full(gold.shape, NONE)
    kinds = np.zeros((len(steps), len(KINDS)), dtype=np.int64)
    found = np.zeros((len(steps), len(result.comparison.labels)), dtype=np.int64)
    by_doc: list[list[Ints]] = [[] for _ in steps]
    tables: list[list[Counts]] = [[] for _ in steps]
    for batch in result.comparison.batches(BATCH):
        for step, (view, outcome) in enumerate(_outcomes(result, batch, steps, at)):
            verdicts = taxonomy.classify(view, outcome) if outcome.verdicts is None else outcome.verdicts
            kinds[step] += np.bincount(verdicts.kind, minlength=len(KINDS))
            right = verdicts.gold[(verdicts.kind == CORRECT) & (verdicts.gold != NONE)]
            found[step] += np.bincount(view.gold.label[right], minlength=found.shape[1])
            by_doc[step].append(np.bincount(view.gold.doc[right], minlength=batch.documents))
            tables[step].append(outcome.counts)
            _place(verdicts, view, batch, place, (gold[step], partner[step], pred[step]))
    if result.measures[result.settings.explained].definition.rate_set is COUNTED:
        whole, by_label = _figures_of_counts(result, steps, at, found)
        sums = [partial(_with_tp, result, parts) for parts in by_doc]
    else:
        merged = [merge(parts) for parts in tables]
        whole, by_label = _figures_of_tables(result, merged)
        sums = [partial(sums_by_document, one) for one in merged]
    whole = [{**one, "kinds": row} for one, row in zip(whole, kinds.tolist(), strict=True)]
    return Walk(steps, at, whole, by_label, gold, partner, pred, band(result, at, sums))


def band(result: Result, at: int, sums: Sequence[Callable[[], Numbers]]) -> dict[str, list[Any]] | None:
    """Return the interval of the rate that leads at some steps, the one asked for among them; None without any.

    `sums` give the columns of every document at each step. All steps are resampled at once with the same weights,
    which are those of the figures: the draws cost more than the sums.
    """
    settings, documents, steps = result.settings, result.documents, len(sums)
    if settings.ci is None or steps < 2 or documents < 2:
        return None
    chosen = range(at % (every := -(-steps * documents // BANDED)), steps, every)
    measure = result.measures[settings.explained]
    rate = settings.lead(measure).rate
    how = (rate,), measure.definition.rate_set, Policy(None, settings.policy.undefined)
    columns, every_one = result.tables[settings.explained].columns, np.arange(documents)
    dealt = deal(result.comparison.drawn_keys())
    cells = []
    for step in chosen:
        named = dict(zip(columns, sums[step]().T, strict=True))
        cells.append(fold(make(documents, (), every_one, np.full(documents, STAR), named), *how, dealt))
    found = intervals_of_all(cells, [how] * len(cells), [0] * len(cells), **asdict(settings.ci))
    own = [one[0] for one in found]  # the micro average comes first
    return {
        "at": list(chosen),
        "low": [finite(one.low) for one in own],
        "high": [finite(one.high) for one in own],
    }


def _with_tp(result: Result, found: Sequence[Ints]) -> Numbers:
    """Return the columns of every document, so many gold spans of each being found."""
    counts = result.tables[result.settings.explained]
    out = sums_by_document(counts).copy()
    out[:, counts.columns.index("tp")] = np.concatenate(found)
    return out


def _places(number: int, rows: Ints) -> Ints:
    """Return for every row of a side its place among those that are shown, -1 for the others."""
    out = np.full(number, NONE)
    out[rows] = np.arange(len(rows))
    return out


def _outcomes(
    result: Result, batch: Comparison, steps: Sequence[float], at: int
) -> Iterator[tuple[Comparison, Outcome]]:
    """Return what is found in a batch at every step; `at` is the step asked for.

    Greedy matching is done once: the match at a threshold is the part of the ladder that reaches it.
    """
    explained = result.measures[result.settings.explained]
    measure = slid(result) or explained
    view = result.settings.protocol.view(measure, batch)
    first = measure(view)
    for number, step in enumerate(steps):
        if number == at and measure != explained:
            own = result.settings.protocol.view(explained, batch)
            yield own, explained(own)
        elif measure.threshold is None or step == measure.threshold:
            yield view, first
        elif first.ladder is not None:
            yield view, replace(first, match=first.ladder.at_least(step))
        else:
            yield view, measure.replace(threshold=step)(view)


def _place(
    verdicts: Verdicts, view: Comparison, batch: Comparison, place: RowsBySide, into: tuple[Small, Ints, Small]
) -> None:
    """Write the verdicts of a batch where their spans are shown."""
    at = {}
    for side, spans in view.sides.items():
        own = view.origin.get(side, np.arange(len(spans))) + batch.rows.get(side, 0)
        at[side] = np.append(place[side][own] if len(own) else own, NONE)  # the last is for no row
    gold, pred = at["gold"][verdicts.gold], at["pred"][verdicts.pred]
    into[0][gold[gold >= 0]] = verdicts.kind[gold >= 0]
    into[1][gold[gold >= 0]] = pred[gold >= 0]
    alone = (verdicts.gold == NONE) & (pred >= 0)
    into[2][pred[alone]] = verdicts.kind[alone]


def _figures_of_counts(
    result: Result, steps: Sequence[float], at: int, found: Ints
) -> tuple[list[dict[str, Any]], list[list[list[Any]]]]:
    """Return the figures of a measure that counts matches: those of the curve, and the same by label."""
    head, settings = result.settings.explained, result.settings
    measure, table = result.measures[head], result.tables[head]
    moved = slid(result)
    points = result.curve(measure) if moved is None else result.curve(moved, steps)
    if ends_exactly(result):
        points[at] = result.curve(measure)[0]
    whole = [{key: finite(value) for key, value in asdict(point).items()} for point in points]
    precision, recall, _, lead = settings.curve_rates(measure)
    rates = (precision, recall, lead)
    at_steps = (label_figures(row, table, rates, settings.policy) for row in found)
    return whole, [
        _lines(result, {name: (*own, own[1] - own[0], own[2] - own[0]) for name, own in lines.items()})
        for lines in at_steps
    ]


def _figures_of_tables(
    result: Result, tables: Sequence[Counts]
) -> tuple[list[dict[str, Any]], list[list[list[Any]]]]:
    """Return the figures of a measure with counts of its own; `tp` are the gold spans found."""
    settings = result.settings
    measure = result.measures[settings.explained]
    whole, by_label = [], []
    names = ("precision", "recall", settings.lead(measure).rate.name)
    for table in tables:
        rows = scores(str(measure), table, settings.rates(measure), measure.definition.rate_set, settings.policy)
        value = {(row.rate, row.average, row.label): finite(row.value) for row in rows}
        at_step = replace(result, found=replace(result.found, counts=_with_table(result, table)))
        total = _sums(at_step.totals(measure))
        rates = {
            key: value.get((rate, "micro", None))
            for key, rate in zip(("precision", "recall", "value"), names, strict=True)
        }
        whole.append({**total, **rates, "macro": value.get((names[-1], "macro", None))})
        lines = {
            name: (
                *_sums(sums).values(),
                *(value.get((rate, "label", name)) for rate in names),
                *_wrong(measure, sums),
            )
            for name, sums in at_step.counts(measure).items()
        }
        by_label.append(_lines(result, lines))
    return whole, by_label


def _with_table(result: Result, table: Counts) -> tuple[Counts, ...]:
    head = result.settings.explained
    return tuple(table if at == head else one for at, one in enumerate(result.tables))


def _sums(columns: Mapping[str, int | float]) -> dict[str, int | float]:
    tp = columns.get("tp", columns.get("tp_gold", 0))
    return {"tp": tp, "pred": columns.get("pred", 0), "gold": columns.get("gold", 0)}


def _wrong(measure: Measure, columns: Mapping[str, int | float]) -> Sequence[float]:
    """Return false positives and false negatives."""
    found = hits_and_errors(measure.definition.rate_set, columns)
    return (0, 0) if found is None else found[1:]


def _lines(result: Result, lines: Mapping[str, Sequence[Any]]) -> list[list[Any]]:
    """Return one line per label, in the order of their codes; zeros and nothing where a label has no figures.

    A line is: tp, predicted, gold, the three rates, false positives, false negatives.
    """
    if not lines:
        return []
    nothing = (0, 0, 0, None, None, None, 0, 0)
    out = []
    for name in result.comparison.labels:
        line = lines.get(name, nothing)
        out.append(
            [*(plain(n) for n in line[:3]), *(finite(value) for value in line[3:6]), *(plain(n) for n in line[6:])]
        )
    return out


def runs(*columns: NDArray[Any]) -> tuple[Ints, Ints, list[Ints]]:
    """Return columns of lines by step as runs: where each span's runs start, from which step, with which values.

    The value of span s at a step is that of its last run whose first step is not after it.

    >>> first, start, (kind,) = runs(np.array([[0, 5], [0, 5], [1, 5]]))
    >>> first, start, kind
    (array([0, 2, 3]), array([0, 2, 0]), array([0, 1, 5]))
    """
    new = np.ones(columns[0].shape, dtype=bool)
    new[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    span, step = np.nonzero(new.T)
    first = np.append(0, np.cumsum(new.sum(axis=0)))
    return first, step, [np.asarray(column.T[span, step]) for column in columns]
