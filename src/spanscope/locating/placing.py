"""Which occurrence a repeated quote means: order of mention, count and the model's offsets, weighed together.

One assignment a document, by dynamic programming along the order that the model kept. Its cost grows with the
number of candidates, for only the least cost up to a place is carried on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from spanscope.locating.candidates import Candidate

Order = Literal["auto", "text", "label", "none"]
BACKWARDS = 2.0  # what a step backwards in the text costs
DISORDER = 0.15  # share of steps backwards up to which a list counts as kept in order
FAR, EACH = 2.7, 0.018  # what a distance to the offsets given costs at most, and a character of it
EVEN = 1e-9


class Wanted(NamedTuple):
    """An item: its candidates by place, what must not share a place, and the places its offsets may mean."""

    candidates: Sequence[Candidate]
    same: Hashable
    label: str
    hints: tuple[int, ...] = ()


class Chosen(NamedTuple):
    """The candidate of an item, or None where all are taken; and what decided."""

    candidate: Candidate | None
    place: str


NOWHERE = Chosen(None, "")


def choose(items: Sequence[Wanted], order: Order = "auto") -> list[Chosen]:
    """Return a candidate for each item, none twice for the same folded quote and label."""
    if all(len(item.candidates) < 2 for item in items):  # nothing to choose between
        alone = [Chosen(item.candidates[0], "only") if item.candidates else NOWHERE for item in items]
        return _one_to_one(items, alone)
    out: list[Chosen | None] = [None] * len(items)
    for chain in _chains(items, order):
        for at, one in zip(chain, _cheapest_chain([items[at] for at in chain]), strict=True):
            out[at] = one
    return _one_to_one(items, [one or NOWHERE for one in out])


def _chains(items: Sequence[Wanted], order: Order) -> list[list[int]]:
    """Return the items that are placed together, in the order that the model kept."""
    rows = [at for at, item in enumerate(items) if item.candidates]
    if order == "text" or (order == "auto" and _in_order(items, rows)):
        return [rows]
    by_label: dict[Hashable, list[int]] = defaultdict(list)
    for at in rows:
        by_label[items[at].label].append(at)
    steps = [_steps(items, own) for own in by_label.values()]
    kept = sum(back for back, _ in steps) <= DISORDER * sum(number for _, number in steps)
    if order == "label" or (order == "auto" and kept and any(number for _, number in steps)):
        return list(by_label.values())
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for at in rows:
        groups[items[at].same].append(at)
    return list(groups.values())


def _steps(items: Sequence[Wanted], rows: Sequence[int]) -> tuple[int, int]:
    """Return how many steps between items with one candidate go backwards, and how many there are."""
    places = [items[at].candidates[0].start for at in rows if len(items[at].candidates) == 1]
    return sum(b < a for a, b in pairwise(places)), max(len(places) - 1, 0)


def _in_order(items: Sequence[Wanted], rows: Sequence[int]) -> bool:
    back, steps = _steps(items, rows)
    return back <= DISORDER * steps


def _own_cost(item: Wanted, one: Candidate) -> float:
    if not item.hints:
        return one.cost
    return one.cost + min(FAR, EACH * min(abs(one.start - hint) for hint in item.hints))


def _cheapest_chain(chain: Sequence[Wanted]) -> list[Chosen]:
    """Return the candidates with the least sum of costs along a chain."""
    if all(len(item.candidates) == 1 for item in chain):
        return [Chosen(item.candidates[0], "only") for item in chain]
    costs = [[_own_cost(item, one) for one in item.candidates] for item in chain]
    ahead = _sums(chain, costs)
    turned = list(reversed(chain))
    behind = _sums(turned, list(reversed(costs)), backwards=True)[::-1]
    out = []
    for row, item in enumerate(chain):
        totals = [a + b - c for a, b, c in zip(ahead[row], behind[row], costs[row], strict=True)]
        least = min(totals)
        best = [at for at, total in enumerate(totals) if total <= least + EVEN]
        out.append(Chosen(item.candidates[best[0]], _why(chain, row, costs[row], len(best))))
    return _consistent(chain, costs, ahead, out)


def _sums(chain: Sequence[Wanted], costs: list[list[float]], *, backwards: bool = False) -> list[list[float]]:
    """Return for every candidate the least cost of a chain that ends with it."""
    out: list[list[float]] = []
    for row, item in enumerate(chain):
        if not row:
            out.append(costs[0])
            continue
        before = chain[row - 1]
        strict = before.same == item.same
        if backwards:
            reach = _least_from(before.candidates, out[-1], item.candidates, strict=strict)
        else:
            reach = _least_up_to(before.candidates, out[-1], item.candidates, strict=strict)
        anywhere = min(out[-1]) + BACKWARDS
        out.append([cost + min(step, anywhere) for cost, step in zip(costs[row], reach, strict=True)])
    return out


def _least_up_to(
    before: Sequence[Candidate], sums: Sequence[float], after: Sequence[Candidate], *, strict: bool
) -> list[float]:
    """Return for every later candidate the least sum of those that start no later."""
    starts, least, low = [one.start for one in before], [], float("inf")
    for total in sums:
        low = min(low, total)
        least.append(low)
    out = []
    for one in after:
        at = bisect_right(starts, one.start - strict)
        out.append(least[at - 1] if at else float("inf"))
    return out


def _least_from(
    before: Sequence[Candidate], sums: Sequence[float], after: Sequence[Candidate], *, strict: bool
) -> list[float]:
    """Return for every earlier candidate the least sum of those that start no earlier."""
    starts, least, low = [one.start for one in before], [], float("inf")
    for total in reversed(sums):
        low = min(low, total)
        least.append(low)
    least.reverse()
    out = []
    for one in after:
        at = bisect_right(starts, one.start - (not strict))
        out.append(least[at] if at < len(least) else float("inf"))
    return out


def _why(chain: Sequence[Wanted], row: int, costs: Sequence[float], even: int) -> str:
    """Return what decided between the candidates of an item."""
    item = chain[row]
    if len(item.candidates) == 1:
        return "only"
    if even > 1:
        return "open"
    if item.hints and sorted(costs)[0] < sorted(costs)[1] - EVEN:
        return "offset"
    return "count" if sum(one.same == item.same for one in chain) == len(item.candidates) else "order"


def _consistent(
    chain: Sequence[Wanted], costs: list[list[float]], sums: list[list[float]], chosen: list[Chosen]
) -> list[Chosen]:
    """Return the earliest of equally good chains: each item on its own might take a place of another chain."""
    if all(one.place != "open" for one in chosen):
        return chosen
    out: list[Chosen] = [*chosen]
    wanted = min(sums[-1])
    later: int | None = None
    for row in range(len(chain) - 1, -1, -1):
        item = chain[row]
        strict = row + 1 < len(chain) and chain[row + 1].same == item.same
        at = _step_back(item.candidates, sums[row], wanted, later, strict=strict)
        own = item.candidates[at]
        out[row] = Chosen(own, chosen[row].place)
        if row:
            before = chain[row - 1]
            rest = sums[row][at] - costs[row][at]
            reach = _least_up_to(before.candidates, sums[row - 1], [own], strict=before.same == item.same)[0]
            forward = reach <= rest + EVEN
            wanted, later = (reach, own.start) if forward else (min(sums[row - 1]), None)
    return out


def _step_back(
    candidates: Sequence[Candidate], sums: Sequence[float], wanted: float, later: int | None, *, strict: bool
) -> int:
    """Return the first candidate with a sum, among those before the item that follows where there is one."""
    fit = [at for at, total in enumerate(sums) if total <= wanted + EVEN]
    near = [at for at in fit if later is None or candidates[at].start <= later - strict]
    return (near or fit)[0]


def _one_to_one(items: Sequence[Wanted], chosen: list[Chosen]) -> list[Chosen]:
    """Return the choices with collisions resolved: items with offsets first, then the order of the list."""
    rows = zip(items, chosen, strict=True)
    places = [(item.same, *one.candidate[:2]) for item, one in rows if one.candidate is not None]
    if len({*places}) == len(places):
        return chosen
    taken: dict[Hashable, set[tuple[int, int]]] = defaultdict(set)
    out = [*chosen]
    for at in sorted(range(len(items)), key=lambda row: (not items[row].hints, row)):
        own, mine = chosen[at].candidate, taken[items[at].same]
        if own is None:
            continue
        if (own.start, own.end) in mine:
            free = [one for one in items[at].candidates if (one.start, one.end) not in mine]
            at_first = own.start
            own = min(free, key=lambda one: (abs(one.start - at_first), one.start), default=None)
            out[at] = Chosen(own, chosen[at].place if own else "")
        if own is not None:
            mine.add((own.start, own.end))
    return out
