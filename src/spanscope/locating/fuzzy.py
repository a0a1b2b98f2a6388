"""Places that nearly read like a quote: least edit distance on skeletons, at word edges, past every guard."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from spanscope.arithmetic import ratio
from spanscope.locating.additions import without_additions
from spanscope.locating.candidates import FUZZY, Candidate, Document, Refusal, _marks, _with_marks
from spanscope.locating.distances import breaks, distance, distances
from spanscope.locating.edges import is_edge
from spanscope.locating.folding import Folded, fold_quote
from spanscope.locating.guards import why_not
from spanscope.locating.seeds import Window
from spanscope.locating.words import words_of

BLOCK = 256  # characters of a long quote that are searched at once
LONG = 600  # quotes beyond it are searched in blocks
PIECE = 4  # characters of a piece that an edit may break
MORE = 2  # edits more than the fewest, which better ends may save
JUDGED = 12  # different places of a quote that guards are asked about
TRIES = 4  # stretches that are tried where none is within the limit
NEAREST = 0.5  # the least score of a passage that is shown beside a quote that was not found
LOST = 6  # what it costs at most to lose the first or last word of a quote
SPARE = 2 * LOST  # edits more than the fewest with which a stretch may still have the better ends


class Near(NamedTuple):
    """A stretch of the skeleton that reads nearly like a quote."""

    edits: int
    first: int
    last: int


def limit_of(size: int, share: float = 0.25) -> int:
    """Return how many edits a quote of so many folded characters may be away.

    >>> [limit_of(size) for size in (5, 6, 11, 12, 100)]
    [0, 1, 1, 3, 25]
    """
    return 0 if size < 6 else 1 if size < 12 else int(size * share)


def nearly_in(document: Document, quote: str, share: float = 0.25) -> tuple[list[Candidate], Refusal]:
    """Return the nearest places that pass the guards, or why there are none."""
    quote = without_additions(quote)
    skeleton = fold_quote(quote)
    most = limit_of(len(skeleton), share)
    if not most or len(skeleton) - most > len(document.folded.skeleton):
        return [], Refusal("nowhere")
    search = _Search(document.folded, quote, skeleton, most)
    for window in document.seeds.windows(
        skeleton[:BLOCK] if search.long else skeleton, max(min(most, BLOCK), 8) + 8
    ):
        if window.least > search.worth + MORE or (search.tried >= TRIES and search.best > most):
            break
        search.look(window)
    least = min((one.edits for one in search.found), default=0)
    return sorted({one for one in search.found if one.edits == least}), search.refusal()


Ends = tuple[str, str]


def _ends(quote: str) -> Ends:
    """Return the first and the last word of a quote, folded."""
    parts = quote.split()
    first = next((words[0].key for part in parts if (words := words_of(part))), "")  # none where all are symbols
    last = next((words[-1].key for part in reversed(parts) if (words := words_of(part))), "")
    return fold_quote(first), fold_quote(last)


class _Search:
    """The search for one quote: what was found so far decides which stretches are still worth a look."""

    def __init__(self, folded: Folded, quote: str, skeleton: str, most: int) -> None:
        self.folded, self.quote, self.skeleton, self.most = folded, quote, skeleton, most
        self.ends, self.marks = _ends(quote), _marks(quote)
        self.long = len(skeleton) > LONG
        step = max(PIECE, len(skeleton) // 24)
        self.pieces = [skeleton[at : at + step] for at in range(0, len(skeleton) - step + 1, step)]
        self.tried, self.best = 0, 2 * most  # stretches that were looked at, and the fewest edits there
        self.worth = self.best + MORE  # edits with which a stretch may still matter
        self.found: list[Candidate] = []
        self.refused: list[tuple[int, tuple[int, int], str]] = []
        self.reasons: dict[str, str] = {}  # by the words of a place, which texts repeat

    def look(self, window: Window) -> None:
        """Look for the quote in a stretch of the text."""
        self.tried += 1
        if self.long:
            for near in _search_blocks(self.folded, self.skeleton, window, self.most, self.ends):
                self.judge(near)
                self.worth = min((one.edits for one in self.found), default=self.worth)
            return
        text = self.folded.skeleton[window.first : window.last]
        broken = sum([piece not in text for piece in self.pieces])  # each takes an edit of its own at least
        if broken > self.worth or (
            2 * broken > self.worth and breaks(self.skeleton, text, self.worth) > self.worth
        ):
            return
        scores = distances(self.skeleton, text, anywhere=True, most=self.worth)
        least = min(scores)
        if least > self.worth:
            return
        self.best = min(self.best, least)
        for number, at in enumerate(_lowest(scores, least, len(self.skeleton))):
            end = window.first + at
            alone = not number and 2 * least < min(at, len(text) - at)  # nowhere near reads like it as much
            self.judge(_settle_ends(self.folded, self.skeleton, end, self.most, self.ends, least, alone=alone))
        self.worth = min((one.edits for one in self.found), default=self.best + MORE)  # as few as passed, or more

    def judge(self, near: Near) -> None:
        """Keep a place as a candidate, or with the reason why it is none."""
        text = self.folded.text
        place = _with_marks(text, *self.folded.place(near.first, near.last), *self.marks)
        own = text[slice(*place)]
        score = self.score(near.edits)
        if own not in self.reasons and len(self.reasons) < JUDGED:
            loose = self.folded.loose
            bare = own if loose is None else loose.words(*place)
            self.reasons[own] = why_not(self.quote, own, bare) if score >= NEAREST else "nowhere"
        reason = self.reasons.get(own, "word")
        if near.edits > self.most:  # then the guards only say what differs
            reason = reason or "unlike"
        if not reason:
            self.found.append(Candidate(*place, FUZZY + 1 - score, "fuzzy", score, near.edits))
        elif reason != "nowhere":
            self.refused.append((near.edits, place, reason))

    def score(self, edits: int) -> float:
        return _score(edits, len(self.skeleton))

    def refusal(self) -> Refusal:
        """Return the nearest passage that was refused."""
        if not self.refused:
            return Refusal("nowhere")
        edits, place, reason = min(self.refused)
        return Refusal(reason, place, self.score(edits))


@lru_cache(1024)
def _score(edits: int, size: int) -> float:
    return max(0.0, 1 - float(ratio(edits, size)))


def _lowest(scores: list[int], least: int, size: int) -> list[int]:
    """Return where the fewest edits are reached, once for each occurrence."""
    out: list[int] = []
    for at, score in enumerate(scores):
        if score == least and (not out or at - out[-1] > size // 2):
            out.append(at)
    return out


def _search_blocks(folded: Folded, skeleton: str, window: Window, most: int, ends: Ends) -> list[Near]:
    """Follow a long quote through the text block by block, so that the work grows with its length only."""
    at = begin = -1
    edits = 0
    low, high = window.first, window.last
    for number in range(0, len(skeleton), BLOCK):
        block = skeleton[number : number + BLOCK]
        scores = distances(block, folded.skeleton[low:high], anywhere=True)
        least = min(scores)
        end = low + scores.index(least)
        if begin < 0:
            begin = _settle_ends(folded, block, end, most, (ends[0], block[-LOST:])).first
        edits += least
        at = end if least < len(block) // 2 else max(at, low) + len(block)
        if edits > most:
            return []
        low, high = max(at - 32, 0), at + BLOCK + BLOCK // 2
    tail = skeleton[-BLOCK:]
    scores = distances(tail, folded.skeleton[max(at - 2 * BLOCK, 0) : at], anywhere=True)
    last = _end_of(folded, tail, max(at - len(tail) - scores[-1], 0), at, most, ends[1])
    return [Near(edits, begin, last)]


def _settle_ends(
    folded: Folded,
    skeleton: str,
    end: int,
    most: int,
    ends: Ends,
    least: int | None = None,
    *,
    alone: bool = False,
) -> Near:
    """Return a stretch that ends about here with its ends moved to word edges.

    least   how many edits away the quote is there, where that is known;
    alone   no stretch around is fewer edits away, and none as few that ends before.
    """
    reach = len(skeleton) + most + LOST
    within = least + SPARE if least is not None and least <= most + LOST else None
    low = max(end - (reach if within is None else min(reach, len(skeleton) + within)), 0)  # farther is too far off
    back = distances(skeleton[::-1], folded.skeleton[low:end][::-1], anywhere=False, most=within)
    first = _best(folded, back, end, ends[0], starts=True)
    if alone and back[end - first] == least and _loses(folded, end, ends[1], starts=False) == 0:
        return Near(least, first, end)
    within = back[end - first] + SPARE
    high = min(first + min(reach, len(skeleton) + within), len(folded.skeleton))
    ahead = distances(skeleton, folded.skeleton[first:high], anywhere=False, most=within)
    last = _best(folded, ahead, first, ends[1], starts=False)
    return Near(ahead[last - first], first, last)


def _end_of(folded: Folded, tail: str, first: int, end: int, most: int, edge: str) -> int:
    high = min(end + min(most, BLOCK) + LOST, len(folded.skeleton))
    return _best(folded, distances(tail, folded.skeleton[first:high], anywhere=False), first, edge, starts=False)


def _best(folded: Folded, costs: list[int], origin: int, edge: str, *, starts: bool) -> int:
    """Return the word edge with the fewest edits, by the edits of stretches that begin or end at an origin.

    Losing the first or last word of the quote costs more.
    """
    least, step = min(costs), -1 if starts else 1
    near = [(cost, origin + step * at) for at, cost in enumerate(costs) if cost <= least + SPARE]
    near.sort()  # the fewest edits first, so that few places are looked at
    best: tuple[int, int, int] | None = None
    for cost, at in near:
        if best and cost > best[0]:
            break
        lost = _loses(folded, at, edge, starts=starts)
        if lost is not None:
            key = (cost + lost, cost, at)
            best = min(best or key, key)
    return best[2] if best else origin + step * costs.index(least)


def _loses(folded: Folded, at: int, wanted: str, *, starts: bool) -> int | None:
    """Return what it costs that a place does not begin or end with the quote's first or last word.

    None where no place may begin or end: within a word, or within what one character of the text stands for.
    """
    size = len(folded.skeleton)
    if at >= size if starts else at <= 0:
        return None
    where = int(folded.start[at]) if starts else int(folded.end[at - 1])
    inside = 0 < at < size and folded.start[at - 1] == folded.start[at]
    if inside or not is_edge(folded.text, where):
        return None
    own = folded.skeleton[at : at + len(wanted)] if starts else folded.skeleton[max(at - len(wanted), 0) : at]
    if own == wanted or (len(wanted) > 3 and distance(own, wanted) <= 2):
        return 0
    return min(2 * len(wanted), LOST)
