"""The token measures in plain Python, one document at a time: written from their definitions."""

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
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
    text: str | None = None


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


def skipped(token: Token, skip_words: str = "presidio", extra: str = "") -> bool:
    """Say whether a token is one of the 417 words, blanks among them, or one of some more, whatever its case."""
    low = token.text.lower()
    known = skip_words_of_presidio() if skip_words == "presidio" else frozenset[str]()
    return bool({low, low.strip()} & {*known, *extra.lower().split(" ")})


def characters(span: Span) -> frozenset[int]:
    return frozenset(at for start, end in span.places for at in range(start, end))


def covered(span: Span, doc: Doc, unit: str, skip_words: str, extra: str) -> frozenset[int]:
    """Return the numbers of the tokens, or the places of the characters, that count for a span."""
    skips = skip_words != "none" or bool(extra)
    if doc.tokens is None or (unit == "character" and not skips):
        if skips:
            raise ValueError("no tokens to leave out")
        return characters(span)
    if unit == "character":
        raise ValueError("skip words are tokens")
    own = characters(span)
    return frozenset(
        number
        for number, token in enumerate(doc.tokens)
        if own & set(range(token.start, token.end)) and not skipped(token, skip_words, extra)
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
    doc: Doc,
    *,
    threshold: float = 0.75,
    unit: str = "token",
    counting: str = "groups",
    skip_words: str = "none",
    extra_skip_words: str = "",
    generic: str = "",
) -> Found:
    """Find each gold span by predictions of its type: those that joined it (groups) or all that overlap it."""
    gold, pred = sorted(doc.gold, key=content), sorted(doc.pred, key=content)
    units = {span: covered(span, doc, unit, skip_words, extra_skip_words) for span in [*gold, *pred]}

    def agrees(one: str, other: str) -> bool:
        return one == other or bool({one, other} & names(generic))

    homes = [None] * len(pred) if counting == "two_sided" else joined(gold, pred, units, agrees)
    right, mistaken, explained = set[int](), set[int](), set[int]()
    verdicts = []
    for n, g in enumerate(gold):
        touching = [i for i, p in enumerate(pred) if meet(g, p, units)]
        own = [i for i in touching if agrees(g.label, pred[i].label)]
        met = [i for i in touching if i not in own or homes[i] in (None, n)]
        judged = [
            (KINDS.index(kind_of(g.label, label, one.score >= threshold, names(generic))), -one.score, one)
            for label, group in by_type(met, pred).items()
            for one in [judge(g, group, pred, units, threshold)]
        ]
        right |= {i for kind, _, one in judged if KINDS[kind] == "correct" for i in one.counted}
        best = min(judged, key=lambda one: (*one[:2], one[2].shown), default=None)
        if own and not set(own) & set(met) and (best is None or KINDS[best[0]] == "boundary+type"):
            verdicts.append(Verdict("merge", g, [], math.nan))
        elif best is None:
            verdicts.append(Verdict("missing", g, [], math.nan))
        else:
            kind, _, one = best
            others = [pred[i] for i in one.counted if i != one.shown]
            verdicts.append(Verdict(KINDS[kind], g, [pred[one.shown], *others], one.score))
            explained |= set(one.counted)
            if KINDS[kind] == "type":
                mistaken |= set(one.counted)
    numbers = numbered(homes, [p.label for p in pred], right)
    found_gold = [v.gold for v in verdicts if v.kind == "correct"]
    rows = by_label(gold, once(pred, range(len(pred)), numbers), found_gold, once(pred, right, numbers))
    if gold or pred:
        rows[STAR] = any_type(gold, pred, units, threshold, groups=counting == "groups")
    rest = set(range(len(pred))) - right
    cells = confusion(verdicts, once(pred, rest - mistaken, numbers))
    return Found(rows, verdicts, [pred[i] for i in sorted(rest - explained)], cells)


def any_type(gold: list[Span], pred: list[Span], units: Units, threshold: float, *, groups: bool) -> Row:
    """Count the same as if all spans were of one type."""
    anything = [*[g._replace(label="") for g in gold], *[p._replace(label="") for p in pred]]
    plain = {new: units[old] for new, old in zip(anything, [*gold, *pred], strict=True)}
    ours, theirs = anything[: len(gold)], anything[len(gold) :]
    homes = joined(ours, theirs, plain, lambda _one, _other: True) if groups else [None] * len(pred)
    found, right = [], set[int]()
    for n, g in enumerate(ours):
        met = [i for i, p in enumerate(theirs) if meet(g, p, plain) and homes[i] in (None, n)]
        if met and (one := judge(g, tuple(met), theirs, plain, threshold)).score >= threshold:
            found.append(g)
            right |= set(one.counted)
    numbers = numbered(homes, [""] * len(pred), right)
    return row(found, ours, once(theirs, right, numbers), once(theirs, range(len(theirs)), numbers))


def joined(
    gold: list[Span], pred: list[Span], units: Units, agrees: Callable[[str, str], bool]
) -> list[int | None]:
    """Return the gold span that each prediction joins: its twin, the n-th the n-th, else the best of its type."""
    out: list[int | None] = []
    for i, p in enumerate(pred):
        twins = [n for n, g in enumerate(gold) if g == p]
        before = sum(other == p for other in pred[:i])
        met = [n for n, g in enumerate(gold) if meet(g, p, units)]
        met = [n for n in met if agrees(gold[n].label, p.label)] or met
        key = {n: (iou(units[gold[n]], units[p]), gold[n].label == p.label, -n) for n in met}
        out.append(twins[before] if before < len(twins) else max(met, key=key.__getitem__) if met else -1 - i)
    return out


def numbered(homes: list[int | None], labels: list[str], right: set[int]) -> list[object]:
    """Name the prediction each span counts in: one for what is right of a group, one for what is wrong."""
    each = enumerate(zip(homes, labels, strict=True))
    return [i if home is None else (home, label, i in right) for i, (home, label) in each]


def once(pred: list[Span], chosen: Iterable[int], numbers: list[object]) -> list[Span]:
    """Return one of the chosen spans for each prediction they count in."""
    return list({numbers[i]: pred[i] for i in chosen}.values())


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


def tags(doc: Doc, *, skip_words: str = "none", extra_skip_words: str = "", generic: str = "") -> Found:
    """Compare the labels of tokens one by one; a generic label is taken for the one it meets."""
    cells: Counter[tuple[str | None, str | None]] = Counter()
    for number, token in enumerate(doc.tokens or []):
        gold, pred = (label_of(number, doc, side) for side in (doc.gold, doc.pred))
        if gold is not None and pred is not None:
            if pred in names(generic):
                pred = gold
            elif gold in names(generic):
                gold = pred
        if (gold, pred) != (None, None) and not skipped(token, skip_words, extra_skip_words):
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


# ---------------------------------------------------------------- leaks


def readable(places: set[int], text: str | None) -> set[int]:
    """Return places in runs of neighbours, without blanks and punctuation at the ends of a run."""
    out = set[int]()
    for first in (at for at in places if at - 1 not in places):
        run = [first]
        while run[-1] + 1 in places:
            run.append(run[-1] + 1)
        kept = [at for at in run if text is None or not mere(text[at])]
        out |= set(range(kept[0], kept[-1] + 1)) if kept else set()
    return out


def mere(character: str) -> bool:
    return character.isspace() or unicodedata.category(character).startswith("P")


def leaks(doc: Doc) -> Found:
    """Look at every character: of gold spans what no prediction covers, of predictions what is in no gold span."""

    def left(spans: list[Span], others: list[Span]) -> dict[int, set[int]]:
        cover = {at for span in others for at in characters(span)}
        pieces = {n: [set(range(a, b)) - cover for a, b in span.places] for n, span in enumerate(spans)}
        return {n: {at for piece in own for at in readable(piece, doc.text)} for n, own in pieces.items()}

    exposed, whole = left(doc.gold, doc.pred), left(doc.gold, [])
    beyond, redacted = left(doc.pred, doc.gold), left(doc.pred, [])
    hidden, pii = hits(doc.gold, doc.pred, doc.text), hits(doc.pred, doc.gold, doc.text)
    rows: Rows = {}
    for label in {span.label for span in [*doc.gold, *doc.pred]} | ({STAR} if doc.gold or doc.pred else set()):
        gold, pred = (
            [n for n, span in enumerate(side) if label in (STAR, span.label)] for side in (doc.gold, doc.pred)
        )
        rows[label] = {
            "leaked": len({at for n in gold for at in exposed[n]}),
            "characters": len({at for n in gold for at in whole[n]}),
            "uncovered": sum(bool(exposed[n]) and n not in hidden for n in gold),
            "partly": sum(bool(exposed[n]) and n in hidden for n in gold),
            "gold": len(gold),
            "over": len({at for n in pred for at in beyond[n]}),
            "redacted": len({at for n in pred for at in redacted[n]}),
            "over_wide": sum(bool(beyond[n]) and n in pii for n in pred),
            "pred": len(pred),
        }
    return Found(rows, [], [], Counter())


def hits(spans: list[Span], others: list[Span], text: str | None) -> set[int]:
    """Return the spans of which the others have a letter, a digit or a sign."""
    cover = {at for span in others for at in characters(span)}
    return {
        n
        for n, span in enumerate(spans)
        if any(text is None or not mere(text[at]) for at in characters(span) & cover)
    }


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
    if "leaked" in row:
        return {
            "leaked": over(row["leaked"], row["characters"]),
            "leaked_spans": over(row["uncovered"] + row["partly"], row["gold"]),
            "uncovered_spans": over(row["uncovered"], row["gold"]),
            "over_redacted": over(row["over"], row["redacted"]),
        }
    gold, pred = row.get("gold", 0), row.get("pred", 0)
    tp_pred, tp_gold = (row.get(name, row.get("tp", 0)) for name in ("tp_pred", "tp_gold"))
    p, r = over(tp_pred, pred), over(tp_gold, gold)
    out = {"precision": p, "recall": r}
    for b in (1.0, beta):
        p0, r0 = (0.0 if math.isnan(x) else x for x in (p, r))
        f = over((1 + b * b) * p0 * r0, b * b * p0 + r0, 0.0)
        out[f"f{b:g}"] = f if gold or pred else math.nan
    return out
