"""Which coefficients are asked for, and what each of them counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

from spanscope.arguments import as_list
from spanscope.commands.agree.annotators import Annotators
from spanscope.commands.evaluate import score_sides
from spanscope.counts import Counts, concat, merge, put_beside
from spanscope.data.problems import Problem, problem_at
from spanscope.engines.load import Progress
from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.families import Family
from spanscope.measures.agreement.coded import column_names
from spanscope.measures.agreement.gaps import (
    annotators_vary,
    by_pair,
    by_those_present,
    in_places_of,
    nothing_of,
    place_counts,
    widen_counts,
)
from spanscope.measures.agreement.reading import Coefficient, Together, of_scores
from spanscope.measures.registry import AGREEMENT, Measure, Value, known, parse
from spanscope.rates import Rate
from spanscope.settings.options import Scoring
from spanscope.settings.run_settings import Input
from spanscope.settings.settle import settle
from spanscope.sides.comparison import Comparison
from spanscope.stats.agreement import Figures

MOST_LABELS = 1_000  # whose tables, of every label with every other, are still small
DENSE = 4_000_000  # numbers that the tables of the u-alphas may take at a time
FEW, MANY = 50, 10_000  # documents that are counted at once: gamma takes its time
EXACT, RELAXED, LOOSE = "spans.exact", "spans.relaxed(threshold=0.5)", "spans.iou(threshold=0.5)"
B_SCORE, EDITS = "segments.b_score(tolerance=3)", "segments.edit_distance(n_t=2)"
GROUPS = ("kappa", "alpha", "alpha_u", "u_alpha", "gamma")  # the measures of agreement, as they are asked for
OF_ONE_NUMBER = ("fleiss_kappa", "fleiss_kappa_inside")
FLEISS = "Fleiss' kappa is not defined where documents have different numbers of annotators"


@dataclass(frozen=True)
class Wanted:
    """A measure, and which of its rates are asked for."""

    measure: Measure
    rates: tuple[str, ...]

    @property
    def is_agreement(self) -> bool:
        """Tell a measure of any number of annotators from one of two sides."""
        return self.measure.family == AGREEMENT


def choose(
    measures: Sequence[str] | str | None, family: Family, defaults: Mapping[str, Mapping[str, Value]]
) -> list[Wanted]:
    """Return the measures asked for: groups, single coefficients, and measures of two sides by their text form."""
    if measures is None:
        return [one for name in ("f1", *GROUPS) for one in _meanings_of(name, family, defaults)]
    out: dict[Measure, list[str]] = {}
    for name in as_list(measures):
        for one in _meanings_of(name, family, defaults):
            out.setdefault(one.measure, []).extend(one.rates)
    if not out:
        raise MeasureError("no coefficient was asked for", expected=", ".join(("f1", *GROUPS)))
    return [Wanted(measure, _in_order(measure, rates)) for measure, rates in out.items()]


def _in_order(measure: Measure, rates: Sequence[str]) -> tuple[str, ...]:
    return tuple(rate.name for rate in measure.definition.rate_set.rates() if rate.name in rates)


def _meanings_of(name: Any, family: Family, defaults: Mapping[str, Mapping[str, Value]]) -> Iterator[Wanted]:
    """Return what one name means."""
    if name == "f1":
        for form in (B_SCORE, EDITS) if family.partitions else (EXACT, RELAXED):
            yield _between_two(parse(form))
        return
    every = {group: parse(f"{AGREEMENT}.{group}", defaults) for group in GROUPS}
    owners = {rate.name: measure for measure in every.values() for rate in measure.definition.rate_set.rates()}
    if isinstance(name, str) and name in every:
        yield _all_rates(every[name])
    elif isinstance(name, str) and name in owners:
        yield Wanted(owners[name], (name,))
    elif isinstance(name, str) and "." in name.partition("(")[0]:
        measure = parse(name, defaults)
        yield _all_rates(measure) if measure.family == AGREEMENT else _between_two(measure)
    else:
        near = did_you_mean(name, ["f1", *every, *owners, *known()])
        raise MeasureError(
            f"no coefficient is called {shown(name)}{near}",
            expected=f"{', '.join(('f1', *GROUPS))}, one of their coefficients, or a measure such as {EXACT}",
        )


def _all_rates(measure: Measure) -> Wanted:
    return Wanted(measure, tuple(rate.name for rate in measure.definition.rate_set.rates()))


def _between_two(measure: Measure) -> Wanted:
    """Return a measure of two sides with the one rate that is the same both ways round: its F1, or its first."""
    names = [rate.name for rate in measure.definition.rate_set.rates()]
    return Wanted(measure, ("f1",) if "f1" in names else (names[0],))


def meaningful(wanted: Sequence[Wanted], found: Annotators) -> list[Wanted]:
    """Leave out what says nothing: about labels where there is one, about gaps where segments leave none.

    Of one label without outside only disagreement can be seen: kappa and alpha could never be above 0.
    """
    partitions, several = found.family.partitions, len(found.comparison.labels) > 1
    idle = {"bar_u_alpha"} if partitions else set()
    if not several:
        idle |= {"cu_alpha", "gamma_cat", *({"u_alpha"} if partitions else set())}
    if not several or partitions:
        idle |= {"cohen_kappa_inside", "fleiss_kappa_inside", "alpha_inside"}
    left = [(one.measure, tuple(rate for rate in one.rates if rate not in idle)) for one in wanted]
    out = [Wanted(measure, rates) for measure, rates in left if rates]
    if not out:
        raise MeasureError(
            f"{wanted[0].rates[0]} says nothing here: there is one label, or segments leave no gaps",
            expected="several labels, or another coefficient",
        )
    return out


def count(
    found: Annotators, wanted: Sequence[Wanted], progress: Progress, *, asked: bool
) -> tuple[list[Figures], list[Problem]]:
    """Return the figures of the measures wanted; what is refused is noted, or raised where it was asked for."""
    out: list[Figures] = []
    problems: list[Problem] = []
    labels = len(found.comparison.labels)
    rest = [one.measure.name.partition(".")[2] for one in wanted if one.is_agreement]
    many = labels > MOST_LABELS and not found.family.partitions
    if rest and many:
        _refusable(lambda: _refuse_many(labels), " ".join(rest), problems, asked=asked)
    wanted, without = _without_fleiss(found.comparison, wanted)
    problems += without
    for one in wanted:
        if one.is_agreement and not many:
            name = one.measure.name.partition(".")[2]
            out += _refusable(partial(_count_together, found, one, progress), name, problems, asked=asked)
        elif not one.is_agreement:
            out.append(_pairwise(found, one))
    return out, problems


def _without_fleiss(c: Comparison, wanted: Sequence[Wanted]) -> tuple[list[Wanted], list[Problem]]:
    """Leave out Fleiss' kappa, which is defined for the same number of annotators everywhere, where it is not."""
    if not annotators_vary(c):
        return list(wanted), []
    left = [replace(one, rates=tuple(rate for rate in one.rates if rate not in OF_ONE_NUMBER)) for one in wanted]
    if len(left) == 1 and not left[0].rates:
        raise MeasureError(
            FLEISS, expected="as many annotators in every document", hint="-m alpha   which allows gaps"
        )
    lost = any(len(one.rates) < len(before.rates) for one, before in zip(left, wanted, strict=True))
    noted = [problem_at("no fleiss_kappa", "all documents", {"what": FLEISS})] if lost else []
    return [one for one in left if one.rates], noted


def _refuse_many(labels: int) -> list[Figures]:
    raise MeasureError(
        f"too many labels: {labels:,}, {MOST_LABELS:,} at most, as every label is compared with every other",
        expected="fewer labels, or -m f1",
        hint="[[labels=A,B,C]]   to look at some of them",
    )


def _refusable(
    make: Callable[[], list[Figures]], name: str, problems: list[Problem], *, asked: bool
) -> list[Figures]:
    try:
        return make()
    except MeasureError as error:
        if asked:
            raise
        problems.append(problem_at(f"no {name}", error.where or "all documents", {"what": error.what}))
        return []


def _count_together(found: Annotators, wanted: Wanted, progress: Progress) -> list[Figures]:
    """Count what all annotators say; some documents at a time, as tables of all labels with all are dense."""
    c, measure, reading = found.comparison, wanted.measure, wanted.measure.definition.rate_set
    if not isinstance(reading, Together):
        raise MeasureError(f"{measure.name} is read as scores are", expected="a reading of agreement: Together")
    size = FEW if measure.name == "agreement.gamma" else min(MANY, DENSE // (len(c.labels) + 1) ** 2)
    done = 0

    def counted(own: Comparison) -> Counts:
        nonlocal done
        parts = []
        for batch in own.batches(max(1, size)):
            parts.append(measure(batch).counts)
            done += batch.documents
            progress(measure.name, min(done, c.documents), c.documents)
        return merge(parts)

    if not c.absent:
        table = counted(c)
    elif measure.name == "agreement.gamma":
        table, reading = _of_pairs(c, counted, reading), reading.of_pairs()
    else:
        parts = ((own, counted(own.comparison(c))) for own in by_those_present(c))
        table = concat(*(place_counts(widen_counts(part, own, c, reading), own, c) for own, part in parts))
    rates = tuple(rate for rate in reading.coefficients if rate.name in wanted.rates)
    return [Figures(str(measure), table, reading, rates, _labels_of(found, measure))]


def _of_pairs(c: Comparison, counted: Callable[[Comparison], Counts], reading: Together) -> Counts:
    """Count every pair of annotators on the documents that both have."""
    tables = [place_counts(counted(own.comparison(c)), own, c) for own in by_pair(c)]
    names = [column_names(*pair, len(c.sides), reading.columns) for pair in combinations(c.sides, 2)]
    return put_beside(tables, names)


def _labels_of(found: Annotators, measure: Measure) -> tuple[str, ...]:
    """Return the labels by which there are figures: those of segments only where they tell units apart."""
    labels = found.comparison.labels
    if not found.family.partitions:
        return labels
    return labels if measure.name == "agreement.u_alpha" and len(labels) > 1 else ()


def _pairwise(found: Annotators, wanted: Wanted) -> Figures:
    """Count with a measure of two sides for every pair of annotators, the first of the two as gold."""
    try:
        return _score(found, wanted.measure, wanted.rates[0])
    except MeasureError:
        if str(wanted.measure) != str(parse(RELAXED)):
            raise
        return _score(found, parse(LOOSE), wanted.rates[0])  # there is no text to compare


def _score(found: Annotators, measure: Measure, rate: str) -> Figures:
    c = found.comparison
    alike = Scoring(allow_different_texts=True)  # what the texts are was looked at when annotators were joined
    settings = settle([measure], None, labels=None if found.family.partitions else c.labels or None, score=alike)
    inputs = [Input.of(None, corpus) for corpus in found.corpora]
    tables: dict[tuple[int, ...], Counts] = {}
    for own in by_pair(c):
        if len(own.docs):
            one, two = own.sides
            sides = found.beside(one, two, own.docs)
            result = score_sides(*sides, settings, (inputs[one], inputs[two]), errors=False)
            tables[own.sides] = in_places_of(c, result.tables[0], result.comparison.names)
            measure = result.measures[0]
    some = next(iter(tables.values()))
    every = list(combinations(range(len(found.names)), 2))
    names = [column_names(found.names[a], found.names[b], len(found.names), some.columns) for a, b in every]
    table = put_beside([tables[pair] if pair in tables else nothing_of(some) for pair in every], names)
    own_rate: Rate = next(each for each in settings.rates(measure) if each.name == rate)
    reading = of_scores(some.columns, own_rate)
    rates: tuple[Coefficient, ...] = reading.coefficients
    return Figures(str(measure), table, reading, rates, _labels_of(found, measure))
