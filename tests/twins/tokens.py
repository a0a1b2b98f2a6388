"""The token measures in plain Python, one document at a time: written from their definitions."""

import math
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from tests.oracle import oracle

Places = tuple[tuple[int, int], ...]
Row = dict[str, int]
Rows = dict[str, Row]
Group = tuple[int, ...]  # predictions of one type, by number
STAR, OUTSIDE = "*", "O"
KINDS = ("correct", "type", "boundary", "boundary+type")  # what is said first of a gold span, if several hold


class Span(NamedTuple):
    """A labelled span of one or more half-open stretches of text."""

    label: str
    places: Places

    @property
    def hull(self) -> tuple[int, int]:
        return min(a for a, _ in self.places), max(b for _, b in self.places)


class Token(NamedTuple):
    """A token, where it stands, and its tags as given."""

    text: str
    start: int
    end: int
    gold: str = OUTSIDE
    pred: str = OUTSIDE


class Doc(NamedTuple):
    """A document: spans of both sides, and its tokens where it came as tagged tokens."""

    gold: list[Span]
    pred: list[Span]
    tokens: list[Token] | None = None


class Verdict(NamedTuple):
    """What became of a gold span: the kind, the predictions it is about and their IoU."""

    kind: str
    gold: Span
    preds: list[Span]
    score: float


class Found(NamedTuple):
    """What a measure counts in a document, and what it says of each span."""

    rows: Rows
    verdicts: list[Verdict]
    spurious: list[Span]
    confusion: Counter[tuple[str | None, str | None]]


Units = dict[Span, frozenset[int]]  # the tokens or characters that count for a span

# ---------------------------------------------------------------- what a span covers


@cache
def skip_words_of_presidio() -> frozenset[str]:
    return frozenset(oracle("presidio_default_skip_words")["skip_words"])


def skipped(token: Token) -> bool:
    """Say whether a token is one of the 417 words, blanks among them, whatever its case."""
    low = token.text.lower()
    return bool({low, low.strip()} & skip_words_of_presidio())


def characters(span: Span) -> frozenset[int]:
    return frozenset(at for start, end in span.places for at in range(start, end))


def covered(span: Span, doc: Doc, unit: str, skip_words: str) -> frozenset[int]:
    """Return the numbers of the tokens, or the places of the characters, that count for a span."""
    if doc.tokens is None or (unit == "character" and skip_words == "none"):
        if skip_words != "none":
            raise ValueError("no tokens to leave out")
        return characters(span)
    if unit == "character":
        raise ValueError("skip words are tokens")
    own = characters(span)
    return frozenset(
        number
        for number, token in enumerate(doc.tokens)
        if own & set(range(token.start, token.end)) and not (skip_words == "presidio" and skipped(token))
    )


def meet(one: Span, other: Span, units: Units) -> bool:
    """Say whether two spans overlap; with nothing to count in either, whether they share a place in the text."""
    if units[one] or units[other]:
        return bool(units[one] & units[other])
    return bool(characters(one) & characters(other)) or one.places == other.places


def iou(one: frozenset[int], other: frozenset[int]) -> float:
    return len(one & other) / len(one | other) if one | other else 1.0


def content(span: Span) -> tuple[object, ...]:
    """Order spans by place, then fragments, then label."""
    return (*span.hull, [a for a, _ in span.places] + [b for _, b in span.places], span.label)


# ---------------------------------------------------------------- spans


def names(generic: str) -> set[str]:
    return {name.strip() for name in generic.split(",")} - {""}


def presidio(
    doc: Doc, *, threshold: float = 0.75, unit: str = "token", skip_words: str = "none", generic: str = ""
) -> Found:
    """Find each gold span by the predictions of its type that overlap it: all together, or any one alone."""
    gold, pred = doc.gold, sorted(doc.pred, key=content)
    units = {span: covered(span, doc, unit, skip_words) for span in [*gold, *pred]}
    right, mistaken, explained, star_right = set[int](), set[int](), set[int](), set[int]()
    verdicts, star_found = [], []
    for g in gold:
        met = [i for i, p in enumerate(pred) if meet(g, p, units)]
        judged = [
            (KINDS.index(kind_of(g.label, label, one.score >= threshold, names(generic))), -one.score, one)
            for label, group in by_type(met, pred).items()
            for one in [judge(g, group, pred, units, threshold)]
        ]
        right |= {i for kind, _, one in judged if KINDS[kind] == "correct" for i in one.counted}
        best = min(judged, default=None)
        kind, found = ("missing", None) if best is None else (KINDS[best[0]], best[2])
        explained |= set(found.counted) if found else set()
        mistaken |= set(found.counted) if found and kind == "type" else set()
        preds = [pred[i] for i in (found.shown, *found.counted)] if found else []
        verdicts.append(Verdict(kind, g, preds, found.score if found else math.nan))
        if met and (whatever := judge(g, tuple(met), pred, units, threshold)).score >= threshold:
            star_found.append(g)
            star_right |= set(whatever.counted)
    found_gold = [v.gold for v in verdicts if v.kind == "correct"]
    rows = by_label(gold, pred, found_gold, [pred[i] for i in right])
    if gold or pred:
        rows[STAR] = row(star_found, gold, star_right, pred)
    rest = set(range(len(pred))) - right
    cells = confusion(verdicts, [pred[i] for i in rest - mistaken])
    return Found(rows, verdicts, [pred[i] for i in sorted(rest - explained)], cells)


class Judged(NamedTuple):
    """How well predictions cover a gold span, which one is shown for it, and which ones count for it."""

    shown: int
    counted: Group
    score: float


def judge(g: Span, group: Group, pred: list[Span], units: Units, threshold: float) -> Judged:
    """Take predictions together; those that reach the threshold alone count alone where all together do not."""
    whole = iou(units[g], together(group, pred, units))
    alone = {i: iou(units[g], units[pred[i]]) for i in group}
    best = max(alone.values())
    reaching = tuple(i for i in group if alone[i] >= threshold)
    counted = group if whole >= threshold or not reaching else reaching
    shown = group[0] if whole >= best else next(i for i in group if alone[i] == best)
    return Judged(shown, counted, max(whole, best))


def by_type(met: list[int], pred: list[Span]) -> dict[str, Group]:
    labels = {pred[i].label for i in met}
    return {label: tuple(i for i in met if pred[i].label == label) for label in labels}


def together(group: Iterable[int], pred: list[Span], units: Units) -> frozenset[int]:
    return frozenset(at for i in group for at in units[pred[i]])


def kind_of(gold: str, pred: str, reached: bool, loose: set[str]) -> str:
    if gold == pred or {gold, pred} & loose:
        return "correct" if reached else "boundary"
    return "type" if reached else "boundary+type"


def row(found: Iterable[object], gold: list[Span], right: Iterable[object], pred: list[Span]) -> Row:
    return {"tp_gold": len(list(found)), "gold": len(gold), "tp_pred": len(list(right)), "pred": len(pred)}


def by_label(gold: list[Span], pred: list[Span], found: list[Span], right: list[Span]) -> Rows:
    def of(label: str, side: list[Span]) -> list[Span]:
        return [span for span in side if span.label == label]

    labels = {span.label for span in [*gold, *pred]}
    return {x: row(of(x, found), of(x, gold), of(x, right), of(x, pred)) for x in labels}


def confusion(verdicts: list[Verdict], alone: list[Span]) -> Counter[tuple[str | None, str | None]]:
    """Count a gold span beside its label, beside the other type that has it, or beside nothing."""
    out: Counter[tuple[str | None, str | None]] = Counter()
    for kind, gold, preds, _ in verdicts:
        out[gold.label, {"correct": gold.label, "type": preds[0].label if preds else None}.get(kind)] += 1
    out.update((None, span.label) for span in alone)
    return out


# ---------------------------------------------------------------- tokens


def label_of(number: int, doc: Doc, side: list[Span]) -> str | None:
    """Return the label of the span a token is in."""
    tokens = doc.tokens or []
    place = set(range(tokens[number].start, tokens[number].end))
    return next((span.label for span in side if characters(span) & place), None)


def tags(doc: Doc, *, skip_words: str = "none", generic: str = "") -> Found:
    """Compare the labels of tokens one by one; a generic label is taken for the one it meets."""
    cells: Counter[tuple[str | None, str | None]] = Counter()
    for number, token in enumerate(doc.tokens or []):
        gold, pred = (label_of(number, doc, side) for side in (doc.gold, doc.pred))
        if gold is not None and pred is not None:
            if pred in names(generic):
                pred = gold
            elif gold in names(generic):
                gold = pred
        if (gold, pred) != (None, None) and not (skip_words == "presidio" and skipped(token)):
            cells[gold, pred] += 1
    rows: Rows = {}
    for (gold, pred), n in cells.items():
        for side, own in (("gold", gold), ("pred", pred)):
            for label in () if own is None else (own, STAR):
                rows.setdefault(label, {"tp": 0, "pred": 0, "gold": 0})[side] += n
        if gold is not None and gold == pred:
            rows[gold]["tp"] += n
        if gold is not None and pred is not None:
            rows[STAR]["tp"] += n
    return Found(rows, [], [], cells)


def accuracy(doc: Doc) -> Found:
    """Count the tokens whose tags, as given, are equal; O is a tag as any other."""
    tokens = doc.tokens or []
    equal = sum(token.gold == token.pred for token in tokens)
    size = len(tokens)
    rows = {STAR: {"right": equal, "tokens": size, "gold": size, "pred": size}} if tokens else {}
    return Found(rows, [], [], Counter())


# ---------------------------------------------------------------- rates


def added(rows: Iterable[Row]) -> Row:
    total: Counter[str] = Counter()
    for one in rows:
        total.update(one)
    return dict(total)


def rates(row: Row, beta: float = 2.0) -> dict[str, float]:
    """Return the rates of a row: NaN without a denominator, F only where there is nothing at all."""

    def over(part: float, whole: float, empty: float = math.nan) -> float:
        return part / whole if whole else empty

    if "tokens" in row:
        return {"accuracy": over(row["right"], row["tokens"])}
    gold, pred = row.get("gold", 0), row.get("pred", 0)
    tp_pred, tp_gold = (row.get(name, row.get("tp", 0)) for name in ("tp_pred", "tp_gold"))
    p, r = over(tp_pred, pred), over(tp_gold, gold)
    out = {"precision": p, "recall": r}
    for b in (1.0, beta):
        p0, r0 = (0.0 if math.isnan(x) else x for x in (p, r))
        f = over((1 + b * b) * p0 * r0, b * b * p0 + r0, 0.0)
        out[f"f{b:g}"] = f if gold or pred else math.nan
    return out
