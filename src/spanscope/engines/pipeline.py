"""From two sides that were read to counts and scores: join, count, merge, rate."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from operator import and_
from typing import TYPE_CHECKING, Any

import numpy as np

from spanscope.arithmetic import Keys
from spanscope.counts import Counts, merge, merge_tables
from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem
from spanscope.engines import local
from spanscope.engines.load import Progress
from spanscope.errors import InputError, MeasureError, did_you_mean, named, plural
from spanscope.findings import taxonomy
from spanscope.findings.found import Findings
from spanscope.match.verdicts import Confusion, Verdicts
from spanscope.measures.registry import Measure
from spanscope.rates import COUNTED
from spanscope.settings.settle import Settings
from spanscope.sides.join import Comparison, join
from spanscope.stats.averages import Ladder, Score, merge_ladders, scores
from spanscope.stats.bootstrap import MOST_LABELLED, Interval, intervals_of_all, labels_of

if TYPE_CHECKING:
    from spanscope.measures.passages.evidence import Evidence  # loaded where there are passages

ASKED = (
    "missing document",
    "extra document",
    "other label",
    "unseen label",
    "other order",
)  # left out because the caller said so


def beside(gold: Corpus, pred: Corpus, settings: Settings, *, strict: bool) -> tuple[Comparison, list[Problem]]:
    """Join the two sides, and refuse what cannot or shall not be scored."""
    comparison, noticed = join(
        gold,
        pred,
        labels=settings.policy.labels,
        missing=settings.missing,
        extra=settings.extra,
        repeated=settings.repeated,
    )
    if not comparison.documents:
        what = "no document is on both sides: every figure is 0 or undefined"
        noticed.append(Problem("nothing in common", pred.name, what))
    problems = [
        *gold.problems,
        *pred.problems,
        *noticed,
        *unseen(settings, {*gold.labels, *pred.labels}, gold.name),
    ]
    if strict:
        refuse(problems, told=settings.quotes)
    check_needs(comparison, settings.measures)
    return comparison, problems


def unseen(settings: Settings, known: Collection[str], where: str) -> list[Problem]:
    """Note labels that were asked for and that no span has: often a slip of the pen."""
    asked = () if settings.protocol.labels is not None else settings.policy.labels or ()
    return [
        Problem("unseen label", where, f"no span has the label {named(name)}{did_you_mean(name, known)}")
        for name in asked
        if name not in known
    ]


def refuse(problems: Sequence[Problem], *, told: bool = True) -> None:
    """Refuse data with problems, naming the first; what the caller asked to leave out is none.

    `told` lets the message quote the text.
    """
    bad = [problem for problem in problems if problem.kind not in ASKED]
    if bad:
        first = bad[0]
        more = f" (and {len(bad) - 1:,} more problems)" if len(bad) > 1 else ""
        raise InputError(
            f"{first.what if told else first.kind}{more}",
            where=first.where,
            expected="no data problems, as --strict asks",
            hint="spanscope check   to list them all",
        )


def check_needs(c: Comparison, measures: Sequence[Measure]) -> None:
    """Refuse measures that need offsets where spans came without."""
    for side, spans in c.sides.items():
        nowhere = int((~spans.located).sum())
        for measure in measures:
            if nowhere and "offsets" in measure.definition.needs:
                raise MeasureError(
                    f"{plural(nowhere, f'{side} span')} without offsets, and {measure.name} needs them",
                    expected="start and end in every span",
                    hint="-m spans.text   which compares label and text only",
                )


def settled(c: Comparison, settings: Settings) -> tuple[Settings, Evidence | None]:
    """Return the settings with what depends on the data decided, and what passages show of how they are read."""
    known = replace(settings, measures=tuple(one.settled(c) for one in settings.measures))
    if not settings.family.retrieves:
        return known, None
    from spanscope.measures.passages import evidence

    if not evidence.ours(settings.protocol.measures):  # a tool's rules leave nothing open
        return known, None
    by_ids = [dict(one.params).get("by") == "id" for one in known.measures]
    asked = [dict(one.params).get("by") == "auto" for one in settings.measures]
    return known, evidence.gathered(c, ids=any(map(and_, by_ids, asked)))


def refuse_unclear(shown: Evidence | None, settings: Settings, where: str) -> None:
    """Refuse passages whose ids or scores could be read in two ways."""
    if shown is None:
        return
    from spanscope.measures.passages import evidence

    mine = any(evidence.ours([one]) for one in settings.measures)
    evidence.refuse(shown, settings.scores, where, ordered=mine)


def count_all(c: Comparison, settings: Settings, errors: bool, told: Progress) -> Iterator[Findings]:
    """Count all documents, a batch at a time."""
    done, size = 0, settings.family.batch

    def tick() -> None:
        nonlocal done
        done = min(done + size, c.documents)
        told("scoring", done, c.documents)

    return local.run(partial(count, settings, errors), c.batches(size), tick)


def count(settings: Settings, errors: bool, c: Comparison) -> Findings:
    """Count one batch of documents: every measure, and the errors of the headline measure."""
    views = [settings.protocol.view(measure, c) for measure in settings.measures]
    outcomes = [measure(view) for measure, view in zip(settings.measures, views, strict=True)]
    counts = tuple(outcome.counts for outcome in outcomes)
    head = settings.headline
    view, outcome = views[head], outcomes[head]
    ladder = None
    if outcome.ladder is not None:
        ladder = Ladder(view.gold.label[outcome.ladder.gold], outcome.ladder.score)
    own = outcome.verdicts
    matched = outcome.match is not None and explains(settings.measures[head], view)
    if not errors or (own is None and not matched):
        return Findings(counts, ladder, None, outcome.confused if errors else None, None)
    verdicts = taxonomy.classify(view, outcome) if own is None else own
    confused = outcome.confused if outcome.confused is not None else taxonomy.confusion(view, verdicts)
    return Findings(counts, ladder, taxonomy.count_kinds(view, verdicts), confused, _in_whole(verdicts, view, c))


def explains(measure: Measure, c: Comparison) -> bool:
    """Tell whether errors can be named: the measure matches spans, and all of them have offsets."""
    matches = measure.definition.reading is COUNTED and measure.definition.matches
    return matches and all(bool(side.located.all()) for side in c.sides.values())


def _in_whole(verdicts: Verdicts, view: Comparison, c: Comparison) -> Verdicts:
    """Number the rows of a batch as in the whole comparison."""
    out = {}
    for side, rows in (("gold", verdicts.gold), ("pred", verdicts.pred)):
        known = rows.copy()
        here = rows >= 0
        known[here] = view.origin[side][rows[here]] if side in view.origin else rows[here]
        known[here] += c.rows.get(side, 0)
        out[side] = known
    return replace(verdicts, gold=out["gold"], pred=out["pred"])


def _concat(parts: Sequence[Verdicts]) -> Verdicts:
    return Verdicts(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("kind", "gold", "pred", "score"))
    )


def together(parts: Sequence[Findings]) -> Findings:
    """Merge what the batches gave."""
    return Findings(
        merge_tables([part.counts for part in parts]),
        _merged([part.ladder for part in parts], merge_ladders),
        _merged([part.kinds for part in parts], merge),
        _merged([part.confused for part in parts], _stacked),
        _merged([part.verdicts for part in parts], _concat),
    )


def _stacked(parts: Sequence[Confusion]) -> Confusion:
    gold, pred, number = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return gold, pred, number


def _merged(parts: Sequence[Any], how: Callable[[Sequence[Any]], Any]) -> Any:
    present = [part for part in parts if part is not None]
    return how(present) if present else None


def rated(settings: Settings, counts: Sequence[Counts], keys: Callable[[], Keys], told: Progress) -> list[Score]:
    """Read the rates of every measure from its counts, and how sure they are from resamples of the documents."""
    hows = [(settings.rates(one), one.definition.reading, settings.policy) for one in settings.measures]
    rows = [scores(str(one), table, *how) for one, table, how in zip(settings.measures, counts, hows, strict=True)]
    if settings.ci is not None and counts and counts[0].documents > 1:
        told("resampling", 0, len(counts))
        found = intervals_of_all(counts, hows, keys(), **asdict(settings.ci))
        rows = [with_intervals(own, one) for own, one in zip(rows, found, strict=True)]
        told("resampling", len(counts), len(counts))
    return [row for own in rows for row in own]


def unsure(settings: Settings, counts: Sequence[Counts]) -> list[Problem]:
    """Note intervals that are left out because there are too many labels."""
    if settings.ci is None or not counts or counts[0].documents < 2:
        return []
    number, resamples = max(labels_of(one, settings.policy) for one in counts), settings.ci.resamples
    if number * resamples <= MOST_LABELLED:
        return []
    many = f"{number:,} labels x {resamples:,} resamples, {MOST_LABELLED:,} at most"
    what = f"none of labels, macro and weighted averages: {many}"
    return [Problem("no intervals", "labels", what)]


def with_intervals(rows: Sequence[Score], found: Sequence[Interval]) -> list[Score]:
    """Return scores with their intervals, where they have one."""
    return [
        row if math.isnan(one.low) else replace(row, low=one.low, high=one.high)
        for row, one in zip(rows, found, strict=True)
    ]
