"""PII that stays readable: what predictions of any type together leave uncovered, in characters."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, ratio
from spanscope.counts import Counts, make
from spanscope.match.cover import Stretches, cut, trim
from spanscope.measures.registry import Outcome, measure
from spanscope.measures.spans.matching import covered_positions
from spanscope.measures.tally import count_each, labels_and_star
from spanscope.rates import NamedRates, Rate, Sums, share
from spanscope.sides.comparison import Comparison


def _leaked_spans(sums: Sums) -> Floats:
    return np.asarray(ratio(sums["uncovered"] + sums["partly"], sums["gold"]))


RATES = NamedRates(
    (
        share("leaked", "leaked", "characters", 0.0),
        Rate("leaked_spans", _leaked_spans, 0.0, itemgetter("gold")),
        share("uncovered_spans", "uncovered", "gold", 0.0),
        share("over_redacted", "over", "redacted", 0.0),
    )
)


@dataclass(frozen=True)
class Leaks:
    """What of every gold span stays readable, and what predictions cover that is no PII."""

    exposed: Stretches  # of gold spans: what nothing covers
    covered: Bools  # gold spans of which something is covered
    beyond: Stretches  # of predictions: what is no PII
    touching: Bools  # predictions that cover some PII


@measure("tokens.leaks", RATES, matches=False)
def leaks(c: Comparison) -> Outcome:
    """Count what stays readable: characters of gold spans that no prediction covers.

        leaked = characters of gold spans outside of all predictions / characters of gold spans
        leaked_spans = gold spans of which a character is leaked / gold spans
        uncovered_spans = gold spans of which nothing is covered / gold spans
        over_redacted = characters of predictions outside of all gold spans / characters of predictions

    Predictions of all types count together: a name found as a place is hidden. A character counts once, however
    many spans it is in; by label, once for each type of gold span it is in, and of predictions for each of theirs.
    A piece that is left of a span counts without white space and punctuation at its ends, and one of nothing else
    is no leak: of "Maria del Carmen Lopez" found as "Maria del Carmen" five characters leak. Whole spans, below
    the line, are counted in the same way. Spans may nest, overlap and repeat; a gold span of white space and
    punctuation alone cannot leak. Where there are no texts, all characters count.

    Predictions of labels that are not scored (--labels) hide what they cover all the same, and gold spans of such
    labels are PII. Over-wide redaction is no leak, and is counted apart: `over` are redacted characters that are
    no PII, `over_wide` the predictions that cover PII and more than that.

    Counts     leaked, characters, uncovered, partly, gold, over, redacted, over_wide, pred, by document and label,
               and under `*`; gold, uncovered, partly, pred and over_wide are spans, the others characters.
    Undefined  leaked without gold characters, leaked_spans and uncovered_spans without gold spans, over_redacted
               without predictions.
    Source     our own: what a reader of the redacted text can still read. Other evaluations of de-identification
               count tokens or spans, with or without their types.
    Checked    tests/twins/tokens.py; cases worked by hand in tests/measures/test_leaks.py.
    """
    return Outcome(_counts(c, find(c)))


def find(c: Comparison) -> Leaks:
    """Return what stays readable, and what is covered without need; asked for again, it is there."""
    return c.cached("leaks", lambda: _find(c))


def _find(c: Comparison) -> Leaks:
    sides = {side: [c.sides[side], *([c.unscored[side]] if side in c.unscored else [])] for side in c.sides}
    hidden, exposed = cut(c.gold, sides["pred"])
    pii, beyond = cut(c.pred, sides["gold"])
    hidden, exposed = (trim(part, c.gold.doc, c.texts) for part in (hidden, exposed))
    pii, beyond = (trim(part, c.pred.doc, c.texts) for part in (pii, beyond))
    return Leaks(exposed, _some(hidden, len(c.gold)), beyond, _some(pii, len(c.pred)))


def _some(part: Stretches, size: int) -> Bools:
    """Tell which rows have a stretch."""
    out = np.zeros(size, dtype=bool)
    out[part.row] = True
    return out


def _counts(c: Comparison, found: Leaks) -> Counts:
    rows = labels_and_star(c)
    size, cells = len(rows.doc), c.cells()
    of = {side: (own, rows.star[c.sides[side].doc]) for side, own in (("gold", cells.gold), ("pred", cells.pred))}

    def characters(side: str, part: Stretches) -> Ints:
        cell = np.concatenate([own[part.row] for own in of[side]])
        return covered_positions([cell, np.tile(part.start, 2), np.tile(part.end, 2)], size)

    def spans(side: str, chosen: Bools) -> Ints:
        return count_each(np.concatenate([own[chosen] for own in of[side]]), size)

    leaked, wide = _some(found.exposed, len(c.gold)), _some(found.beyond, len(c.pred))
    columns = {
        "leaked": characters("gold", found.exposed),
        "characters": characters("gold", _whole(c, "gold")),
        "uncovered": spans("gold", leaked & ~found.covered),
        "partly": spans("gold", leaked & found.covered),
        "gold": rows.gold,
        "over": characters("pred", found.beyond),
        "redacted": characters("pred", _whole(c, "pred")),
        "over_wide": spans("pred", wide & found.touching),
        "pred": rows.pred,
    }
    return make(c.documents, c.labels, rows.doc, rows.label, columns)


def _whole(c: Comparison, side: str) -> Stretches:
    """Return spans as they would leak, or be redacted, as a whole."""
    pieces = c.sides[side].fragments()
    return trim(Stretches(pieces.span, pieces.start, pieces.end), c.sides[side].doc, c.texts)
