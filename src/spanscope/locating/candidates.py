"""Where one quote may stand in a text: word for word, folded, in pieces around an ellipsis, or nearly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from spanscope.arithmetic import ratio
from spanscope.locating.additions import bare_forms
from spanscope.locating.distances import WORK
from spanscope.locating.edges import cuts_number, in_word, is_edge, is_stem, widen
from spanscope.locating.folding import FOLDS, Folded, fold_quote, fold_text, without_accents
from spanscope.locating.seeds import Seeds
from spanscope.locating.signs import same_signs

ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3,}|…)\s*\]|\(\s*(?:\.{3,}|…)\s*\)|\.{3,}|…|(?<=\s)\.(?:\s\.){2,})\s*")
_DIGIT = re.compile("[0-9]")
GAP = 1500  # folded characters between two pieces of a quote
WIDENED = 12  # folded characters of a quote that may be widened to whole words
FOLDED, PIECES, FUZZY, CUT, INSIDE = 0.1, 0.2, 0.3, 0.4, 0.6  # what candidates cost, beside 0 for the very words


class Candidate(NamedTuple):
    """A place where a quote may stand, what it costs, and how it was found."""

    start: int
    end: int
    cost: float
    status: str
    score: float = 1.0
    edits: int = 0


class Refusal(NamedTuple):
    """Why a quote was not placed, and the passage nearest to it."""

    reason: str
    nearest: tuple[int, int] | None = None
    score: float | None = None


@dataclass
class Document:
    """A text and what is made of it once: its skeleton, and the runs of characters in it."""

    text: str

    @cached_property
    def folded(self) -> Folded:
        return fold_text(self.text)

    @cached_property
    def seeds(self) -> Seeds:
        return Seeds(self.folded.skeleton)


def found_in(document: Document, quote: str) -> tuple[list[Candidate], str]:
    """Return the places where a quote stands, but for what folding takes away, and why others were refused."""
    found, why = _occurrences(document.folded, fold_quote(quote), quote)
    if found:  # most quotes
        return _prefer(found), ""
    for form in (quote, *bare_forms(quote)):
        for folded, skeleton in _skeletons(document, form):
            found, reason = _occurrences(folded, skeleton, form)
            why = why or reason
            if found:
                return _prefer(found), ""
        pieces = [piece for piece in ELLIPSIS.split(form) if fold_quote(piece)]
        if len(pieces) > 1 and (found := _in_pieces(document.folded, pieces)):
            return found, ""
    return _verbatim(document.text, quote), why


def _verbatim(text: str, quote: str) -> list[Candidate]:
    """Return the places of the very words of a quote that folding does not find: those that cut an entity."""
    out, at = [], text.find(quote)
    while at >= 0:
        if is_edge(text, at) and is_edge(text, at + len(quote)):
            out.append(Candidate(at, at + len(quote), CUT, "exact"))
        at = text.find(quote, at + 1)
    return out


def _skeletons(document: Document, quote: str) -> Iterator[tuple[Folded, str]]:
    """Yield the texts to search in, each with the skeleton to search for: the nearest to the words first."""
    skeleton = fold_quote(quote)
    if not skeleton:
        return
    yield document.folded, skeleton
    if document.folded.loose is not None:
        yield document.folded.loose, skeleton
    if without_accents(skeleton) == skeleton and document.folded.bare is not document.folded:
        yield document.folded.bare, skeleton


def _occurrences(folded: Folded, skeleton: str, quote: str) -> tuple[list[Candidate], str]:
    """Return all places of a skeleton, those inside words marked by what they cost."""
    out: list[Candidate] = []
    find, size, why = folded.skeleton.find, len(skeleton), ""
    at = find(skeleton)
    WORK[0] += len(folded.skeleton) // 64
    lead, trail = _marks(quote) if at >= 0 else ("", "")
    has_digits = at >= 0 and _DIGIT.search(skeleton) is not None
    while at >= 0:
        if folded.covers(at, at + size):
            start, end = folded.place(at, at + size)
            if lead or trail:
                start, end = _with_marks(folded.text, start, end, lead, trail)
            one, reason = _judge(folded, start, end, quote, size, has_digits)
            why = why or reason
            if one:
                out.append(one)
        at = find(skeleton, at + 1)
    return out, why


def _judge(
    folded: Folded, start: int, end: int, quote: str, size: int, has_digits: bool
) -> tuple[Candidate | None, str]:
    """Return a place of a skeleton as a candidate, unless numbers or signs differ."""
    text = folded.text
    found = text[start:end]
    if found != quote and (
        reason := same_signs(quote, folded.words(start, end) if folded.asides else found, has_digits=has_digits)
    ):
        return None, reason
    begins, ends = is_edge(text, start), is_edge(text, end)
    if begins and (ends or is_stem(text, start, end)):
        cut = CUT if not ends or cuts_number(text, start, end) else 0.0
        if found == quote:
            return Candidate(start, end, cut, "exact"), ""
        return Candidate(start, end, FOLDED + cut, "normalised"), ""
    if size < WIDENED or not ((begins or in_word(text, start)) and (ends or in_word(text, end))):
        return None, ""
    wide = widen(text, start, end)
    added = wide[1] - wide[0] - (end - start)
    score = 1 - float(ratio(added, size + added))
    if _in_digits(text, (start, end)):
        return None, "number"
    return Candidate(*wide, INSIDE + FUZZY, "fuzzy", score, added), ""


def _in_digits(text: str, place: tuple[int, int]) -> bool:
    """Tell a place that begins or ends inside a number."""
    start, end = place
    ahead = not is_edge(text, start) and text[start].isdecimal()
    return ahead or (not is_edge(text, end) and text[end - 1].isdecimal())


def _prefer(found: list[Candidate]) -> list[Candidate]:
    """Return the places at word edges, else those that cut a number, else those inside words."""
    for most in (CUT, INSIDE):
        whole = [one for one in found if one.cost < most]
        if whole:
            return whole
    return found


def _marks(quote: str) -> tuple[str, str]:
    """Return the punctuation that a quote begins and ends with, but for an ellipsis."""
    if FOLDS[ord(quote[0])] and FOLDS[ord(quote[-1])]:  # most quotes
        return "", ""
    bare = quote.replace("...", "…")
    first, last = 0, len(bare)
    while first < last and not FOLDS[ord(bare[first])]:
        first += 1
    while last > first and not FOLDS[ord(bare[last - 1])]:
        last -= 1
    return (bare[:first].strip(), bare[last:].strip()) if first < last else ("", "")


ENDED = re.compile(r"\s?(?:…|\.{3}|&hellip;)")
QUOTATION = "\"'“”„‟«»″＂‘’‚‛‹›「」『』《》〈〉〝〞〟"
_SAME = {
    **dict.fromkeys("“”„‟«»″＂「」『』《》〈〉〝〞〟", '"'),
    **dict.fromkeys("‘’‚‛‹›′`", "'"),
    **dict.fromkeys("‐‑‒–—−", "-"),
}
_SAME |= {"。": ".", "，": ",", "！": "!", "？": "?", "：": ":", "；": ";", "（": "(", "）": ")"}


def _with_marks(text: str, start: int, end: int, lead: str, trail: str) -> tuple[int, int]:
    """Return a place with the punctuation around it that the quote has too."""
    before, after = start, end
    for mark in trail:
        at = end
        while at < len(text) and text[at].isspace() and at - end < 2:
            at += 1
        if mark == "…":
            end = ended.end() if (ended := ENDED.match(text, end)) else end
        elif at < len(text) and _SAME.get(text[at], text[at]) == _SAME.get(mark, mark):
            end = at + 1
    for mark in reversed(lead):
        if start and _SAME.get(text[start - 1], text[start - 1]) == _SAME.get(mark, mark):
            start -= 1
    if lead[-1:] in QUOTATION and trail[-1:] in QUOTATION and lead and trail:
        marked = start < before, end > after and _SAME.get(text[end - 1], text[end - 1]) in QUOTATION
        if marked == (True, False):
            start = before
        if marked == (False, True):
            end = _with_marks(text, before, after, "", trail[:-1])[1]
    return start, end


def _in_pieces(folded: Folded, pieces: list[str]) -> list[Candidate]:
    """Return the shortest stretches that hold the pieces of a quote in order."""
    places = [_prefer(_occurrences(folded, fold_quote(piece), piece)[0]) for piece in pieces]
    if any(not own or own[0].cost >= INSIDE for own in places):
        return []
    reached = {one.end: one.start for one in places[0]}  # the latest start of a chain that ends there
    for own in places[1:]:
        chains: dict[int, int] = {}
        ends = sorted(reached)
        at, latest = 0, (-1, -1)
        for one in own:
            while at < len(ends) and ends[at] <= one.start:
                latest = max(latest, (reached[ends[at]], ends[at]))
                at += 1
            if latest[0] >= 0 and one.start - latest[1] <= GAP * 2:
                chains[one.end] = max(latest[0], chains.get(one.end, -1))
        reached = chains
    shortest: dict[int, int] = {}
    for end, start in reached.items():
        shortest[start] = min(end, shortest.get(start, end))
    return [Candidate(start, end, PIECES, "normalised") for start, end in sorted(shortest.items())]
