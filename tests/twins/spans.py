"""The span measures in plain Python: slow, one document at a time, written from their definitions."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple


class Span(NamedTuple):
    """A labelled piece of text, offsets half-open."""

    label: str
    start: int
    end: int
    text: str


Row = dict[str, int]
Rows = dict[str, Row]
Pairs = list[tuple[int, int]]  # (gold index, pred index)
Score = Callable[[Span, Span], float]  # of (pred, gold)

# ---------------------------------------------------------------- two spans


def shared(a: Span, b: Span) -> int:
    """Count the characters both spans cover."""
    return max(0, min(a.end, b.end) - max(a.start, b.start))


def same_place(a: Span, b: Span) -> bool:
    """Say whether both spans have the same start and end."""
    return (a.start, a.end) == (b.start, b.end)


def overlaps(a: Span, b: Span) -> bool:
    """Say whether the spans share a character, or are both empty at one place."""
    return shared(a, b) > 0 or (same_place(a, b) and a.start == a.end)


def jaccard(a: Span, b: Span) -> float:
    """Divide the shared characters by all characters covered (IoU); 1 for identical empty spans."""
    if not overlaps(a, b):
        return 0.0
    if same_place(a, b):
        return 1.0
    return shared(a, b) / ((a.end - a.start) + (b.end - b.start) - shared(a, b))


def content(span: Span) -> tuple[int, int, str, str]:
    """Order spans by what they are, not by where they stand in a list."""
    return (span.start, span.end, span.label, span.text)


# ---------------------------------------------------------------- many spans


def by_label(gold: list[Span], pred: list[Span], count: Callable[[list[Span], list[Span]], Row]) -> Rows:
    """Count every label by itself, on the spans of that label only."""
    labels = sorted({s.label for s in [*gold, *pred]})
    return {x: count([g for g in gold if g.label == x], [p for p in pred if p.label == x]) for x in labels}


def common(gold: Sequence[Hashable], pred: Sequence[Hashable], duplicates: str) -> Row:
    """Count the keys both sides have, as multisets ("list") or as sets."""
    if duplicates not in ("list", "set"):
        raise ValueError(duplicates)
    if duplicates == "set":
        gold, pred = list(set(gold)), list(set(pred))
    return {"tp": sum((Counter(gold) & Counter(pred)).values()), "pred": len(pred), "gold": len(gold)}


def greedy(pairs: Iterable[tuple[int, int]]) -> Pairs:
    """Take the pairs in the order given, each span once."""
    taken: Pairs = []
    for g, p in pairs:
        if all(g != other_g and p != other_p for other_g, other_p in taken):
            taken.append((g, p))
    return taken


def optimal(scores: dict[tuple[int, int], float]) -> Pairs:
    """Take the most pairs, and among those the largest total score, by trying every assignment."""

    def best(preds: list[int], golds: frozenset[int]) -> tuple[int, float, Pairs]:
        if not preds:
            return (0, 0.0, [])
        first, rest = preds[0], preds[1:]
        options = [best(rest, golds)]
        for g in sorted(golds):
            if (g, first) in scores:
                number, total, taken = best(rest, golds - {g})
                options.append((number + 1, total + scores[g, first], [(g, first), *taken]))
        return max(options, key=lambda option: option[:2])

    return best(sorted({p for _, p in scores}), frozenset(g for g, _ in scores))[2]


def assign(
    gold: list[Span], pred: list[Span], score: Score, *, threshold: float, assignment: str, tool: bool = False
) -> Pairs:
    """Match same-label spans one to one by score; `tool` also pairs spans apart, and breaks ties by index."""
    scores = {
        (j, i): score(p, g)
        for i, p in enumerate(pred)
        for j, g in enumerate(gold)
        if p.label == g.label and (tool or overlaps(p, g)) and score(p, g) >= threshold
    }

    def earlier(pair: tuple[int, int]) -> tuple[Any, ...]:
        j, i = pair
        return (-scores[pair], i, j) if tool else (-scores[pair], content(pred[i]), content(gold[j]))

    if assignment not in ("greedy", "optimal"):
        raise ValueError(assignment)
    return optimal(scores) if assignment == "optimal" else greedy(sorted(scores, key=earlier))


def assigned(gold: list[Span], pred: list[Span], pairs: Pairs) -> Row:
    """Count the pairs as true positives."""
    return {"tp": len(pairs), "pred": len(pred), "gold": len(gold)}


# ---------------------------------------------------------------- precision and recall measures


def exact(gold: list[Span], pred: list[Span], *, duplicates: str = "list") -> Rows:
    """Count spans with the same label, start and end."""
    return by_label(gold, pred, lambda g, p: common([s[:3] for s in g], [s[:3] for s in p], duplicates))


def iou(gold: list[Span], pred: list[Span], *, threshold: float = 0.5, assignment: str = "greedy") -> Rows:
    """Match spans of one label whose IoU reaches the threshold."""
    return by_label(
        gold,
        pred,
        lambda g, p: assigned(g, p, assign(g, p, jaccard, threshold=threshold, assignment=assignment)),
    )


def overlap(gold: list[Span], pred: list[Span], *, assignment: str = "greedy") -> Rows:
    """Match spans of one label that overlap at all, best IoU first."""
    return iou(gold, pred, threshold=0.0, assignment=assignment)


def relaxed_score(*, iou_weight: float = 0.65, text: str = "gestalt", rules: str = "spanscope") -> Score:
    """Weigh IoU against the likeness of the texts; `rules="reqflow"` gives 0 without a shared character."""
    if text not in ("gestalt", "difflib") or rules not in ("spanscope", "reqflow"):
        raise ValueError((text, rules))

    def score(p: Span, g: Span) -> float:
        if rules == "reqflow" and shared(p, g) == 0:
            return 0.0
        ratio = SequenceMatcher(None, p.text, g.text, autojunk=text == "difflib").ratio()
        return iou_weight * jaccard(p, g) + (1 - iou_weight) * ratio

    return score


def relaxed(
    gold: list[Span],
    pred: list[Span],
    *,
    threshold: float = 0.5,
    iou_weight: float = 0.65,
    assignment: str = "greedy",
    text: str = "gestalt",
    rules: str = "spanscope",
) -> Rows:
    """Match spans with the same label that overlap and have similar texts."""
    if rules == "reqflow" and assignment != "greedy":
        raise ValueError("ReqFlow matches greedily")
    score, tool = relaxed_score(iou_weight=iou_weight, text=text, rules=rules), rules == "reqflow"
    return by_label(
        gold,
        pred,
        lambda g, p: assigned(g, p, assign(g, p, score, threshold=threshold, assignment=assignment, tool=tool)),
    )


def unlabelled(gold: list[Span], pred: list[Span], *, duplicates: str = "list") -> Rows:
    """Count spans with the same start and end, whatever their label."""
    if not gold and not pred:
        return {}
    return {"*": common([(s.start, s.end) for s in gold], [(s.start, s.end) for s in pred], duplicates)}


def normalised(string: str, normalise: str) -> str:
    """Leave a text as it is ("none"), collapse its whitespace ("space"), and fold its case too ("lower")."""
    if normalise not in ("none", "space", "lower"):
        raise ValueError(normalise)
    if normalise == "none":
        return string
    string = " ".join(string.split())
    return string.casefold() if normalise == "lower" else string


def text(gold: list[Span], pred: list[Span], *, normalise: str = "lower", duplicates: str = "list") -> Rows:
    """Count spans with the same label and normalised text, wherever they are."""
    return by_label(
        gold,
        pred,
        lambda g, p: common(
            [normalised(s.text, normalise) for s in g], [normalised(s.text, normalise) for s in p], duplicates
        ),
    )


def characters(gold: list[Span], pred: list[Span]) -> Rows:
    """Count the character positions covered by the spans of a label."""

    def covered(spans: list[Span]) -> set[int]:
        return {position for s in spans for position in range(s.start, s.end)}

    return by_label(gold, pred, lambda g, p: common(sorted(covered(g)), sorted(covered(p)), "set"))


# ---------------------------------------------------------------- SemEval-2013


def semeval(
    gold: list[Span],
    pred: list[Span],
    *,
    mode: str = "strict",
    matching: str = "best",
    ends: str = "exclusive",
) -> Rows:
    """Count correct, incorrect, partial, missing and spurious spans, overall and on each label alone."""
    if mode not in ("strict", "exact", "partial", "type") or ends not in ("exclusive", "inclusive"):
        raise ValueError((mode, ends))
    if matching not in ("best", "nervaluate") or (matching, ends) == ("best", "inclusive"):
        raise ValueError((matching, ends))

    def count(g: list[Span], p: list[Span]) -> Row:
        return semeval_best(g, p, mode) if matching == "best" else semeval_nervaluate(g, p, mode, ends)

    overall = {"*": count(gold, pred)} if gold or pred else {}
    return overall | by_label(gold, pred, count)


def semeval_best(gold: list[Span], pred: list[Span], mode: str) -> Row:
    """Take overlapping pairs best IoU first, identical ones of one label first (mode type: one label first)."""

    def earlier(pair: tuple[int, int]) -> tuple[Any, ...]:
        g, p = gold[pair[0]], pred[pair[1]]
        distance, other = -jaccard(p, g), p.label != g.label
        alike = (other, distance) if mode == "type" else (distance, other or not same_place(p, g))
        return (*alike, content(p), content(g))

    candidates = [(j, i) for j, g in enumerate(gold) for i, p in enumerate(pred) if overlaps(g, p)]
    pairs = greedy(sorted(candidates, key=earlier))
    row = {"cor": 0, "inc": 0, "par": 0, "mis": len(gold) - len(pairs), "spu": len(pred) - len(pairs)}
    for j, i in pairs:
        row["cor" if correct(gold[j], pred[i], mode) else "par" if mode == "partial" else "inc"] += 1
    return row


def correct(g: Span, p: Span, mode: str) -> bool:
    """Say whether a pair is correct in a mode of SemEval-2013."""
    place, label = same_place(g, p), g.label == p.label
    return {"strict": place and label, "exact": place, "partial": place, "type": label}[mode]


def semeval_nervaluate(gold: list[Span], pred: list[Span], mode: str, ends: str) -> Row:
    """Give each prediction, in list order, a correct free gold, else the first free gold it touches."""
    last = 1 if ends == "inclusive" else 0

    def touches(p: Span, g: Span) -> bool:
        both, length = min(p.end, g.end) - max(p.start, g.start) + last, g.end - g.start + last
        return same_place(p, g) or (both > 0 and both * 100 >= length)

    def distance(p: Span, g: Span) -> int:
        return abs(p.start - g.start) + abs(p.end - g.end) if mode == "type" else 0

    row, free = {"cor": 0, "inc": 0, "par": 0, "mis": 0, "spu": 0}, list(gold)
    for p in pred:
        touched = [j for j, g in enumerate(free) if touches(p, g)]
        right = [j for j in touched if correct(free[j], p, mode)]
        row["cor" if right else "spu" if not touched else "par" if mode == "partial" else "inc"] += 1
        if touched:
            del free[min(right, key=lambda j: (distance(p, free[j]), j)) if right else touched[0]]
    return row | {"mis": len(free)}


# ---------------------------------------------------------------- rates

Rates = tuple[float | None, float | None, float | None]


def prf(tp: float, pred: float, gold: float, beta: float = 1.0) -> Rates:
    """Give precision, recall and F-beta; None where undefined."""
    precision = tp / pred if pred else None
    recall = tp / gold if gold else None
    if pred == 0 and gold == 0:
        return precision, recall, None
    return precision, recall, (1 + beta**2) * tp / (beta**2 * gold + pred) if tp else 0.0


def semeval_prf(cor: int, inc: int, par: int, mis: int, spu: int, mode: str) -> Rates:
    """Give precision, recall and F1 of SemEval counts; a partial match is worth one half."""
    possible, actual = cor + inc + par + mis, cor + inc + par + spu
    return prf(cor + 0.5 * par if mode == "partial" else cor, actual, possible)


# ---------------------------------------------------------------- kinds of error


def taxonomy(gold: list[Span], pred: list[Span], matched: Pairs) -> tuple[list[str], list[str], dict[int, int]]:
    """Name what became of every gold and predicted span, and who is paired with whom (gold to pred)."""
    gold_kinds, pred_kinds = ["missing"] * len(gold), ["spurious"] * len(pred)
    partner: dict[int, int] = {}

    def pair(j: int, i: int, kind: str) -> None:
        gold_kinds[j] = pred_kinds[i] = kind
        partner[j] = i

    def earlier(jip: tuple[int, int]) -> tuple[Any, ...]:
        g, p = gold[jip[0]], pred[jip[1]]
        return (-jaccard(g, p), content(p), content(g), jip[1], jip[0])

    for j, i in matched:
        pair(j, i, "correct")
    for kind in ("text", "type", "boundary", "boundary+type"):
        free = [
            (j, i)
            for j, g in enumerate(gold)
            for i, p in enumerate(pred)
            if j not in partner and i not in partner.values() and pair_kind(g, p) == kind
        ]
        for j, i in greedy(sorted(free, key=earlier)):
            pair(j, i, kind)
    for i in set(range(len(pred))) - set(partner.values()):
        pred_kinds[i] = leftover_pred(pred[i], [(gold[j], pred[q]) for j, q in partner.items()])
    for j in set(range(len(gold))) - set(partner):
        gold_kinds[j] = leftover_gold(gold[j], [(gold[h], pred[i]) for h, i in partner.items()])
    return gold_kinds, pred_kinds, partner


def pair_kind(g: Span, p: Span) -> str | None:
    """Name the error that a gold and a predicted span make together, if they overlap."""
    if not overlaps(g, p):
        return None
    if g.label == p.label and same_place(g, p):
        return "text" if g.text != p.text else None
    if g.label == p.label:
        return "boundary"
    return "type" if same_place(g, p) else "boundary+type"


def leftover_pred(p: Span, used: list[tuple[Span, Span]]) -> str:
    """Name an unpaired prediction by the golds it overlaps, each used by a prediction q."""
    near = [(g, q) for g, q in used if overlaps(p, g)]
    if any(overlaps(p, q) and (same_place(p, g) or p.label == g.label) for g, q in near):
        return "duplicate"
    return "split" if any(not overlaps(p, q) for _, q in near) else "spurious"


def leftover_gold(g: Span, used: list[tuple[Span, Span]]) -> str:
    """Name an unpaired gold by the predictions it overlaps, each used by another gold h."""
    return "merge" if any(overlaps(g, p) and not overlaps(g, h) for h, p in used) else "missing"
