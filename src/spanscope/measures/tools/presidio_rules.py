"""The counts of presidio-evaluator 0.3.2, exactly: its span and its token evaluator, a document at a time.

Documents do not touch each other in 0.3.2, so the counts of a corpus are the sums over its documents. What looks
odd here is what that tool does; a comment says so where it matters:

* spans are runs of equal tags, trimmed of skip words at their ends and joined over skip words; a span of skip
  words alone does not exist;
* a prediction may meet several gold spans and counts once for each; several predictions of one type that meet one
  gold span count once;
* everything happens twice, for the types and for PII, where every tag but O is the same.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from operator import attrgetter

from spanscope.errors import InputError

OUTSIDE, PII = "O", "PII"
TP, FP, FN, PREDICTED, ANNOTATED = range(5)  # places in a list of counts
FEW_SPANS = 8  # spans that are faster looked at one by one than searched
GENERIC = frozenset({"PII", "ID", "PHI", "ID_NUM", "NUMBER", "NUM", "GENERIC_PII"})

Cell = tuple[str, str]  # annotation and prediction
Share = tuple[int, int]  # how much two sides have in common, and how much they cover together


@dataclass(frozen=True)
class Document:
    """The tokens of a document, where each starts in the text, and their tags."""

    tokens: Sequence[str]
    starts: Sequence[int]
    gold: Sequence[str]
    pred: Sequence[str]

    def __post_init__(self) -> None:
        size = len(self.tokens)
        if not size == len(self.starts) == len(self.gold) == len(self.pred):
            found = {name: len(getattr(self, name)) for name in ("starts", "gold", "pred")}
            raise InputError(
                f"{size} tokens have " + ", ".join(f"{number} {name}" for name, number in found.items()),
                expected="a start, a gold tag and a predicted tag for every token",
            )


@dataclass
class Tally:
    """What a document counts; lists of counts hold TP, FP, FN, predicted and annotated."""

    per_type: dict[str, list[int]] = field(default_factory=dict)
    pii: list[int] = field(default_factory=lambda: [0] * 5)
    results: Counter[Cell] = field(default_factory=Counter)  # the confusion matrix, ("O", "PII") included
    errors: list[tuple[str, str, str]] = field(
        default_factory=list
    )  # FP, FN or WrongEntity; annotation; prediction


@cache
def default_skip_words() -> frozenset[str]:
    """Return the 417 words, punctuation marks and blanks that the tool skips unless told otherwise."""
    lines = (
        files("spanscope.measures.tools")
        .joinpath("words", "presidio.txt")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    return frozenset(json.loads(line) for line in lines)


def score_document(document: Document, *, threshold: float, char_based: bool, skip_words: frozenset[str]) -> Tally:
    """Return what the span evaluator counts for one document, for its types and for PII.

    >>> document = Document(["Ann", "Lee", "left"], [0, 4, 8], ["PER", "PER", "O"], ["PER", "O", "O"])
    >>> tally = score_document(document, threshold=0.5, char_based=False, skip_words=frozenset())
    >>> tally.per_type, tally.pii
    ({'PER': [1, 0, 0, 1, 1]}, [1, 0, 0, 1, 1])
    """
    known: _Known = {}
    gold, pred = (_pieces(document, tags, skip_words, known) for tags in (document.gold, document.pred))
    tally = Tally()
    if not gold and not pred:
        return tally
    typed = [_merge([piece for piece in side if piece.label], document, skip_words) for side in (gold, pred)]
    _count_types(typed[0], typed[1], threshold, char_based, tally)
    fused = [_merge(_fuse(side), document, skip_words, typed=False) for side in (gold, pred)]
    _count_pii(fused[0], fused[1], threshold, char_based, tally)
    return tally


def score_tokens(
    document: Document, *, skip_words: frozenset[str], generic: frozenset[str], keep: frozenset[str] | None
) -> Counter[Cell]:
    """Return how often the token evaluator counts each pair of a gold and a predicted tag in one document.

    Tags that are not in `keep` are outside (None or empty: all are kept). A skip word counts where its tags agree,
    not where they differ. A `generic` tag agrees with every tag but O, also on a skip word.

    >>> document = Document(["Ann", "Lee"], [0, 4], ["PER", "PER"], ["PII", "O"])
    >>> sorted(score_tokens(document, skip_words=frozenset(), generic=GENERIC, keep=None).items())
    [(('PER', 'O'), 1), (('PER', 'PER'), 1)]
    """
    gold, pred = document.gold, document.pred
    if keep:
        gold, pred = ([tag if tag in keep else OUTSIDE for tag in tags] for tags in (gold, pred))
    cells = Counter(zip(gold, pred, strict=True))
    unlike = [cell for cell in cells if cell[0] != cell[1]]
    if not unlike:
        return cells
    for annotation, prediction in unlike:
        agreed = None
        if prediction in generic and annotation != OUTSIDE:
            agreed = annotation
        elif annotation in generic and prediction != OUTSIDE:
            agreed = prediction
        if agreed is not None:
            cells[agreed, agreed] += cells.pop((annotation, prediction))
    for token, cell in zip(document.tokens, zip(gold, pred, strict=True), strict=True):
        if cell[0] != cell[1] and cell in cells and token.lower().strip() in skip_words:
            cells[cell] -= 1
    return +cells  # without those of which skip words left none


# ---------------------------------------------------------------- tags to spans


class _Span:
    """A span: its text from `start` to `end`, trimmed from `low` to `high`, tokens `first` to `last`."""

    __slots__ = ("end", "first", "high", "label", "last", "low", "start", "words")

    def __init__(
        self, label: str, first: int, last: int, start: int, end: int, words: set[tuple[int, str]]
    ) -> None:
        self.label = label
        self.first = first
        self.last = last
        self.start = start
        self.end = end
        self.words = words  # start and lower case of the tokens that are no skip words
        self.low = self.high = 0
        if words:
            self.low = min(words)[0]
            self.high = max([at + len(word) for at, word in words])  # of the lower case, which may be longer


_Known = dict[tuple[str, int, int], _Span]


def _pieces(document: Document, tags: Sequence[str], skip_words: frozenset[str], known: _Known) -> list[_Span]:
    """Return the runs of equal tags, those without words too: they are part of their neighbours for PII.

    Runs that both sides have are `known` the second time: most are, and to make them costs most of the time.
    """
    runs = []
    before, first = OUTSIDE, 0
    for place, tag in enumerate(tags):
        if tag != before:
            if before != OUTSIDE:
                runs.append((before, first, place))
            before, first = tag, place
    if before != OUTSIDE:
        runs.append((before, first, len(tags)))
    tokens, starts = document.tokens, document.starts
    pieces = []
    for run in runs:
        piece = known.get(run)
        if piece is None:
            label, first, last = run
            words = {(starts[k], low) for k in range(first, last) if (low := tokens[k].lower()) not in skip_words}
            end = starts[last - 1] + len(tokens[last - 1])
            piece = known[run] = _Span(label, first, last, starts[first], end, words)
        pieces.append(piece)
    return pieces


def _join(chain: list[_Span]) -> _Span:
    """Return spans as one, from the first to the end of the last; all at once, for chains can be long."""
    words = set[tuple[int, str]]().union(*[span.words for span in chain])
    return _Span(chain[0].label, chain[0].first, chain[-1].last, chain[0].start, chain[-1].end, words)


def _fuse(pieces: list[_Span]) -> list[_Span]:
    """Return the runs of tags other than O, whatever their types."""
    chains: list[list[_Span]] = []
    last = -1
    for piece in pieces:
        if last == piece.first:
            chains[-1].append(piece)
        else:
            chains.append([piece])
        last = piece.last
    return [_join(chain) if len(chain) > 1 else chain[0] for chain in chains]


def _merge(
    spans: list[_Span], document: Document, skip_words: frozenset[str], *, typed: bool = True
) -> list[_Span]:
    """Return the spans with words in order; neighbours with nothing but skip words between them are one."""
    chains: list[list[_Span]] = []
    tokens = document.tokens
    before: _Span | None = None
    for span in sorted(spans, key=_START):
        if not span.words:
            continue
        last, before = before, span
        if last and (not typed or last.label == span.label):
            for place in range(last.last, span.first):
                if tokens[place].lower().strip() not in skip_words:  # stripped only here, not when trimming
                    break
            else:
                chains[-1].append(span)
                continue
        chains.append([span])
    return [_join(chain) if len(chain) > 1 else chain[0] for chain in chains]


_START = attrgetter("start")


# ---------------------------------------------------------------- how much spans share


class _Index:
    """Predictions in order, and which of them meet a gold span."""

    def __init__(self, spans: list[_Span], char_based: bool) -> None:
        self.spans = spans
        self.char_based = char_based
        self.ordered = False
        if len(spans) > FEW_SPANS:
            self.lows = [span.low for span in spans]
            self.highs = [span.high for span in spans]
            self.ordered = self.lows == sorted(self.lows) and self.highs == sorted(self.highs)  # else starts jump

    def met(self, gold: _Span) -> list[_Span]:
        """Return the predictions that share characters, or tokens, with a gold span; of any type."""
        near, low, high = self.spans, gold.low, gold.high
        if self.ordered:
            near = near[bisect_left(self.highs, low) : bisect_right(self.lows, high)]
        if self.char_based:  # a span of empty tokens shares nothing, not even with itself
            return [p for p in near if p.low < high and low < p.high and p.low < p.high and low < high]
        return [p for p in near if not gold.words.isdisjoint(p.words)]


def _reaches(share: Share, threshold: float) -> bool:
    """Tell whether intersection over union is at least the threshold; spans that meet have a union."""
    return share[0] / share[1] >= threshold  # an array operation would cost more than all else for a document


def _share_of_one(gold: _Span, pred: _Span, char_based: bool) -> Share:
    """Return what a gold span and the only prediction that meets it share and cover."""
    if gold is pred:
        return 1, 1
    if not char_based:
        return _share_in_tokens(gold, [pred])
    shared = min(gold.high, pred.high) - max(gold.low, pred.low)
    return shared, max(gold.high, pred.high) - min(gold.low, pred.low)


def _share_of_several(gold: _Span, group: list[_Span], char_based: bool) -> Share:
    """Return what a gold span and predictions of one type share and cover, where several predictions meet it.

    The tool takes one character too many for each: after the end of the gold span and of the first prediction,
    before the start of every further one, whose last is right.
    """
    if not char_based:
        return _share_in_tokens(gold, group)
    ranges = [(span.low - 1, span.high) for span in group]
    ranges[0] = group[0].low, group[0].high + 1
    low, high = gold.low, gold.high + 1
    shared = length = 0
    reached: int | None = None
    for first, last in sorted(ranges):
        begin = first if reached is None else max(first, reached)
        if begin < last:
            length += last - begin
            shared += max(0, min(last, high) - max(begin, low))
            reached = last
    return shared, high - low + length - shared


def _share_in_tokens(gold: _Span, group: list[_Span]) -> Share:
    words = group[0].words.union(*[span.words for span in group[1:]])
    shared = len(gold.words & words)
    return shared, len(gold.words) + len(words) - shared


# ---------------------------------------------------------------- counting


def _count_types(gold: list[_Span], pred: list[_Span], threshold: float, char_based: bool, tally: Tally) -> None:
    """Count the spans of a document by type."""
    counts = tally.per_type = {span.label: [0] * 5 for side in (gold, pred) for span in side}
    index = _Index(pred, char_based)
    seen = set()
    for span in gold:
        label = span.label
        own = counts[label]
        own[ANNOTATED] += 1
        met = index.met(span)
        for other in met:
            seen.add((other.label, other.start, other.end))
        if len(met) > 1:
            _count_several(span, met, threshold, char_based, tally)
        elif not met:
            own[FN] += 1
            tally.results[label, OUTSIDE] += 1
            tally.errors.append(("FN", label, OUTSIDE))
        else:
            found = met[0].label
            counts[found][PREDICTED] += 1
            reached = _reaches(_share_of_one(span, met[0], char_based), threshold)
            if reached and found == label:
                own[TP] += 1
                tally.results[label, label] += 1
            else:
                _count_miss(label, found, reached, tally)
    for other in pred:
        if (other.label, other.start, other.end) not in seen:
            counts[other.label][FP] += 1
            counts[other.label][PREDICTED] += 1
            tally.results[OUTSIDE, other.label] += 1
            tally.errors.append(("FP", OUTSIDE, other.label))


def _count_miss(label: str, found: str, reached: bool, tally: Tally) -> None:
    """Count a gold span and the only prediction that meets it, of another type or too little of it."""
    tally.per_type[label][FN] += 1
    tally.per_type[found][FP] += 1
    if reached:
        tally.results[label, found] += 1
        tally.errors.append(("WrongEntity", label, found))
    else:
        tally.results[label, OUTSIDE] += 1
        tally.results[OUTSIDE, found] += 1
    tally.errors += [("FN", label, OUTSIDE), ("FP", OUTSIDE, found)]


def _count_several(span: _Span, met: list[_Span], threshold: float, char_based: bool, tally: Tally) -> None:
    """Count a gold span that several predictions meet: those of one type together, types from left to right."""
    label = span.label
    groups: dict[str, list[_Span]] = {}
    for other in met:
        groups.setdefault(other.label, []).append(other)
    counted = False
    for found, group in groups.items():
        counts = tally.per_type[found]
        counts[PREDICTED] += 1
        reached = _reaches(_share_of_several(span, group, char_based), threshold)
        if reached and found == label:
            counts[TP] += 1
            tally.results[label, label] += 1
            counted = True  # a miss counted for a type further left stays
            continue
        if not counted:
            tally.per_type[label][FN] += 1
            tally.errors.append(("FN", label, OUTSIDE))
        counts[FP] += 1
        tally.errors.append(("FP", OUTSIDE, found))
        if reached:
            tally.results[label, found] += 1
            tally.errors.append(("WrongEntity", label, found))
        else:
            tally.results[OUTSIDE, found] += 1
            if found != label or not counted:  # another type is a cell every time, even after a hit
                tally.results[label, OUTSIDE] += 1
        counted = True


def _count_pii(gold: list[_Span], pred: list[_Span], threshold: float, char_based: bool, tally: Tally) -> None:
    """Count the spans of a document as PII; of the cells and errors the tool writes only the strays here."""
    counts = tally.pii
    index = _Index(pred, char_based)
    seen = set()
    for span in gold:
        counts[ANNOTATED] += 1
        met = index.met(span)
        if not met:
            counts[FN] += 1
            continue
        for other in met:
            seen.add((other.start, other.end))
        counts[PREDICTED] += 1
        share = (
            _share_of_several(span, met, char_based) if len(met) > 1 else _share_of_one(span, met[0], char_based)
        )
        if _reaches(share, threshold):
            counts[TP] += 1
        else:
            counts[FN] += 1
            counts[FP] += 1
    strays = sum((other.start, other.end) not in seen for other in pred)
    if strays:
        counts[FP] += strays
        counts[PREDICTED] += strays
        tally.results[OUTSIDE, PII] += strays
        tally.errors += [("FP", OUTSIDE, PII)] * strays
