"""All quotes of one document placed in its text: a pure function of the text and the items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from spanscope.locating.additions import without_source
from spanscope.locating.candidates import Candidate, Document, Refusal, found_in
from spanscope.locating.folding import fold_quote
from spanscope.locating.fuzzy import nearly_in
from spanscope.locating.placing import Chosen, Order, Wanted, choose

Status = Literal["exact", "normalised", "fuzzy", "surplus", "not_found", "empty"]
FOUND = ("exact", "normalised", "fuzzy")
STATUSES: tuple[Status, ...] = ("exact", "normalised", "fuzzy", "surplus", "not_found", "empty")


@dataclass(frozen=True)
class Locating:
    """How quotes are placed."""

    fuzzy: float = 0.75  # the least score of a quote that is nearly in the text; 1 turns it off
    order: Order = "auto"
    offsets: Literal["hint", "ignore"] = "hint"


NOT_REFUSED = Refusal("")


class Placement(NamedTuple):
    """Where a quote stands, how it was found, and how its occurrence was chosen."""

    start: int | None
    end: int | None
    status: str
    place: str = ""
    score: float | None = None
    candidates: tuple[tuple[int, int], ...] = ()
    reason: str = ""
    nearest: tuple[int, int] | None = None
    moved: int | None = None  # how far the model's own start was off
    edits: int = 0


def place(text: str, items: Sequence[Mapping[str, Any]], how: Locating | None = None) -> list[Placement]:
    """Return a placement for every item: an object with `quote`, `label`, perhaps `start` and `end`."""
    how = how or Locating()
    document = Document(text)
    known: dict[str, tuple[list[Candidate], Refusal]] = {}
    wanted: list[Wanted] = []
    refused: list[Refusal] = []
    quotes = [_quote(item) for item in items]
    for item, quote in zip(items, quotes, strict=True):
        if quote not in known:
            known[quote] = _candidates(document, quote, how)
        found, refusal = known[quote]
        hints = _hints(text, item) if how.offsets == "hint" else ()
        if hints and (kept := _own_place(text, quote, item, found)) is not None:
            found = [kept]
        label = str(item.get("label", ""))
        # "The user" and "the user" are two mentions of one thing: they never share a place either.
        wanted.append(Wanted(found, (fold_quote(quote), label), label, hints))
        refused.append(refusal)
    chosen = choose(wanted, how.order)
    rows = zip(items, quotes, wanted, refused, chosen, strict=True)
    return [_placement(item, known[quote][0], one, why, own) for item, quote, one, why, own in rows]


def _quote(item: Mapping[str, Any]) -> str:
    quote = item.get("quote")
    return quote.strip() if isinstance(quote, str) else ""


def _candidates(document: Document, quote: str, how: Locating) -> tuple[list[Candidate], Refusal]:
    """Return where a quote may stand, or why it stands nowhere."""
    if not fold_quote(quote):
        return [], Refusal("empty")
    found, reason = found_in(document, quote)
    bare = quote if found else without_source(quote)
    if not found and bare != quote:
        found = _not_cited(document.text, found_in(document, bare)[0])
    if found:
        return sorted(set(found)) if len(found) > 1 else found, NOT_REFUSED
    if how.fuzzy >= 1:
        return [], Refusal(reason or "nowhere")
    near, refusal = nearly_in(document, quote, 1 - how.fuzzy)
    if not near and bare != quote:
        near = _not_cited(document.text, nearly_in(document, bare, 1 - how.fuzzy)[0])
    return sorted(near), refusal


def _not_cited(text: str, found: list[Candidate]) -> list[Candidate]:
    """Return the places behind which the text has no brackets: there the quote names another source."""
    return [one for one in found if text[one.end :].lstrip()[:1] not in ("[", "(", "【")]


def _hints(text: str, item: Mapping[str, Any]) -> tuple[int, ...]:
    """Return where the offset of an item may point, read as code points, UTF-16 units or bytes."""
    start = item.get("start")
    if not isinstance(start, int) or isinstance(start, bool) or start < 0:
        return ()
    if text.isascii() or (before := text[:start]).isascii():  # a character is a unit or a byte at least
        return (start,)
    as_bytes = len(before.encode("utf-8", "surrogatepass")[:start].decode("utf-8", "ignore"))
    as_units = len(before.encode("utf-16-le", "surrogatepass")[: 2 * start].decode("utf-16-le", "ignore"))
    return tuple(sorted({start, as_bytes, as_units}))


def _own_place(text: str, quote: str, item: Mapping[str, Any], found: Sequence[Candidate]) -> Candidate | None:
    """Return the place of an item's own offsets, where the text there is the quote."""
    start, end = item.get("start"), item.get("end")
    if not isinstance(end, int) or not isinstance(start, int) or not 0 <= start < end <= len(text):
        return None
    if text[start:end] == quote:
        return Candidate(start, end, 0.0, "exact")
    return next((one for one in found if (one.start, one.end) == (start, end)), None)


def _placement(
    item: Mapping[str, Any], every: Sequence[Candidate], wanted: Wanted, why: Refusal, own: Chosen
) -> Placement:
    """Return the decision about one item, in full."""
    places = tuple([one[:2] for one in every])
    if own.candidate is None:
        if wanted.candidates:
            return Placement(None, None, "surplus", candidates=places, reason="taken")
        status = "empty" if why.reason == "empty" else "not_found"
        return Placement(None, None, status, "", why.score, (), why.reason, why.nearest)
    one = own.candidate
    given = item.get("start")
    moved = one.start - given if isinstance(given, int) and not isinstance(given, bool) else None
    by = "offset" if len(places) > 1 and len(wanted.candidates) == 1 else own.place
    return Placement(one.start, one.end, one.status, by, one.score, places, "", None, moved or None, one.edits)
