"""Which coefficients are asked for, and what each of them counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from spanscope.arguments import listed
from spanscope.commands.agree.annotators import Annotators
from spanscope.commands.evaluate import score_sides
from spanscope.counts import Counts, beside, merge
from spanscope.data.problems import Problem, problem_at
from spanscope.engines.load import Progress
from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.families import Family
from spanscope.measures.agreement.coded import column_names
from spanscope.measures.agreement.reading import Coefficient, Together, of_scores
from spanscope.measures.registry import AGREEMENT, Measure, Value, known, parse
from spanscope.rates import Rate
from spanscope.settings.options import Scoring
from spanscope.settings.settle import Input, settle
from spanscope.stats.agreement import Figures

MOST_LABELS = 1_000  # whose tables, of every label with every other, are still small
DENSE = 4_000_000  # numbers that the tables of the u-alphas may take at a time
FEW, MANY = 50, 10_000  # documents that are counted at once: gamma takes its time
EXACT, RELAXED, LOOSE = "spans.exact", "spans.relaxed(threshold=0.5)", "spans.iou(threshold=0.5)"
B_SCORE, EDITS = "segments.b_score(tolerance=3)", "segments.edit_distance(n_t=2)"
GROUPS = ("kappa", "alpha", "alpha_u", "u_alpha", "gamma")  # the measures of agreement, as they are asked for


@dataclass(frozen=True)
class Wanted:
    """A measure, and which of its rates are asked for."""

    measure: Measure
    rates: tuple[str, ...]

    @property
    def is_agreement(self) -> bool:
        """Tell a measure of any number of annotators from one of two sides."""
        return self.measure.family == AGREEMENT


def chosen(
    measures: Sequence[str] | str | None, family: Family, defaults: Mapping[str, Mapping[str, Value]]
) -> list[Wanted]:
    """Return the measures asked for: groups, single coefficients, and measures of two sides by their text form."""
    if measures is None:
        return [one for name in ("f1", *GROUPS) for one in _named(name, family, defaults)]
    out: dict[Measure, list[str]] = {}
    for name in listed(measures):
        for one in _named(name, family, defaults):
            out.setdefault(one.measure, []).extend(one.rates)
    if not out:
        raise MeasureError("no coefficient was asked for", expected=", ".join(("f1", *GROUPS)))
    return [Wanted(measure, _in_order(measure, rates)) for measure, rates in out.items()]


def _in_order(measure: Measure, rates: Sequence[str]) -> tuple[str, ...]:
    return tuple(rate.name for rate in measure.definition.rate_set.rates() if rate.name in rates)


def _named(name: Any, family: Family, defaults: Mapping[str, Mapping[str, Value]]) -> Iterator[Wanted]:
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
    for one in wanted:
        if one.is_agreement and not many:
            name = one.measure.name.partition(".")[2]
            out += _refusable(partial(_together, found, one, progress), name, problems, asked=asked)
        elif not one.is_agreement:
            out.append(_pairwise(found, one))
    return out, problems


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


def _together(found: Annotators, wanted: Wanted, progress: Progress) -> list[Figures]:
    """Count what all annotators say; some documents at a time, as tables of all labels with all are dense."""
    c, measure, reading = found.comparison, wanted.measure, wanted.measure.definition.rate_set
    if not isinstance(reading, Together):
        raise MeasureError(f"{measure.name} is read as scores are", expected="a reading of agreement: Together")
    parts: list[Counts] = []
    done = 0
    size = FEW if measure.name == "agreement.gamma" else min(MANY, DENSE // (len(c.labels) + 1) ** 2)
    for batch in c.batches(max(1, size)):
        parts.append(measure(batch).counts)
        done += batch.documents
        progress(measure.name, done, c.documents)
    rates = tuple(rate for rate in reading.coefficients if rate.name in wanted.rates)
    return [Figures(str(measure), merge(parts), reading, rates, _labels_of(found, measure))]


def _labels_of(found: Annotators, measure: Measure) -> tuple[str, ...]:
    """Return the labels by which there are figures: those of segments only where they tell units apart."""
    labels = found.comparison.labels
    if not found.family.partitions:
        return labels
    return labels if measure.name == "agreement.u_alpha" and len(labels) > 1 else ()


def _pairwise(found: Annotators, wanted: Wanted) -> Figures:
    """Count with a measure of two sides for every pair of annotators, the first of the two as gold."""
    try:
        return _scored(found, wanted.measure, wanted.rates[0])
    except MeasureError:
        if str(wanted.measure) != str(parse(RELAXED)):
            raise
        return _scored(found, parse(LOOSE), wanted.rates[0])  # there is no text to compare


def _scored(found: Annotators, measure: Measure, rate: str) -> Figures:
    labels = found.comparison.labels
    alike = Scoring(allow_different_texts=True)  # what the texts are was looked at when annotators were joined
    settings = settle([measure], None, labels=None if found.family.partitions else labels or None, score=alike)
    inputs = [Input.of(None, corpus) for corpus in found.corpora]
    tables, names = [], []
    for one, two in combinations(range(len(found.names)), 2):
        sides = found.corpora[one], found.corpora[two]
        result = score_sides(*sides, settings, (inputs[one], inputs[two]), errors=False)
        tables.append(result.tables[0])
        measure = result.measures[0]
        pair = found.names[one], found.names[two]
        names.append(column_names(*pair, len(found.names), tables[-1].columns))
    own: Rate = next(each for each in settings.rates(measure) if each.name == rate)
    reading = of_scores(tables[0].columns, own)
    rates: tuple[Coefficient, ...] = reading.coefficients
    return Figures(str(measure), beside(tables, names), reading, rates, _labels_of(found, measure))
