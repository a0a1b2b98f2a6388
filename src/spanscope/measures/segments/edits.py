"""Segmentations compared by the edits that turn one into the other, and agreement built on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Annotated, Literal

import numpy as np

from spanscope.arithmetic import Bools, Floats, Ints, ratio
from spanscope.counts import STAR, make
from spanscope.errors import MeasureError
from spanscope.match.boundaries import Cuts, cuts, lengths, no_distance, stride
from spanscope.match.boundary_edits import (
    Edits,
    Prices,
    TypedEdits,
    cheapest_edits,
    edit_typed,
    move_nearest_first,
)
from spanscope.measures.registry import Outcome, Range, measure
from spanscope.measures.segments.boundaries import by_document
from spanscope.rates import NamedRates, Rate, Sums, mean
from spanscope.sides.comparison import Comparison

Reach = Annotated[int, Range(1, 100_000)]
Cost = Annotated[float, Range(0, 1e9)]
Costs = Literal["scaled", "unit"]
Typing = Literal["none", "nominal", "ordinal"]


def _cost(s: Sums) -> Floats:
    return np.asarray(s["additions"] + s["transposed"] + s["substituted"])


def _edit_similarity(s: Sums) -> Floats:
    return np.asarray(s["additions"] + s["transpositions"] + s["substitutions"] + s["matches"])


EDITS = NamedRates(
    (
        Rate("b", lambda s: 1 - ratio(_cost(s), _edit_similarity(s)), trials=_edit_similarity),
        Rate("s", lambda s: 1 - ratio(_cost(s), s["gaps"])),
    )
)


@measure(
    "segments.edit_distance",
    EDITS,
    matches=False,
    breaks={"rename": "types=ordinal: the names are numbers, and their differences are costs"},
)
def edit_distance(
    c: Comparison,
    *,
    n_t: Reach = 2,
    edits: Literal["greedy", "optimal"] = "greedy",
    costs: Costs = "scaled",
    types: Typing = "none",
) -> Outcome:
    """Turn one segmentation into the other by adding boundaries and moving them a little.

        b = 1 - (A + wT + wS) / (A + T + S + M),   s = 1 - (A + wT + wS) / ((N - 1) * types)

    A, T, S and M are the numbers of additions, transpositions (moves by less than `n_t` units), substitutions of
    types, and matches; wT and wS are the costs of transpositions and substitutions. costs=scaled: a move by d
    units costs d / n_t, a substitution 1 (types=ordinal: |difference| / (largest - smallest + 1)); costs=unit:
    each costs 1. edits=greedy chooses the shortest moves first, then from left to right, as segeval does, which
    does not always have the lowest cost if n_t is 3 or more; edits=optimal has the lowest cost of all edits in
    which boundaries that both sides have are matched (and of these the fewest moves). types=nominal gives each
    boundary the label of the segment that ends there: only boundaries of the same type match or move;
    types=ordinal takes the labels as numbers. b and s are Fournier's boundary similarity B and segmentation
    similarity S; the micro average pools edits, as segeval's actual agreement does.

    Counts     additions, transpositions, transposed (cost), substitutions, substituted (cost), matches, gaps.
    Undefined  b without boundaries on either side, s for texts of one unit; such documents count as 1.
    Source     Fournier and Inkpen (2012); Fournier (2013); segeval 2.0.11.
    Differs    segeval raises an error if neither side has a boundary, and with several types multiplies the
               denominator of S by their number twice. Its confusion matrix swaps precision and recall.
    Checked    segeval live; tests/oracles/segeval_random200.json, segeval_builtin.json, segeval_multitype.json;
               tests/twins/segments.py.
    """
    if edits == "optimal" and types != "none":
        raise MeasureError("edits=optimal goes with types=none: only moves of one type have a known optimum")
    found = _edits(c, "gold", "pred", n_t, edits, costs, types)
    return by_document(c, {**_columns(found), "gaps": _gaps(c, types), **_numbers(c, types)})


@measure(
    "segments.ghd",
    NamedRates((mean("ghd", "ghd", "documents", best=0.0),)),
    matches=False,
)
def ghd(c: Comparison, *, insert: Cost = 2.0, delete: Cost = 2.0, shift: Cost = 1.0) -> Outcome:
    """Turn gold boundaries into the predicted ones at the least cost (generalised Hamming).

    A boundary that only the prediction has costs `insert`, one that only gold has costs `delete`, and moving one
    by d units costs `shift` * d. It is the mean over documents in every average, and has no upper bound.

    Counts     ghd (sum of costs), documents (with a boundary on either side).
    Undefined  only for texts without boundaries on either side, which count as 0.
    Source     Bookstein, Kulyukin and Raita (2002); NLTK's ghd.
    Differs    NLTK edits the prediction into gold, so its ins_cost is `delete` here, and its del_cost `insert`;
               it fills a table of all pairs of boundaries, of which only those within reach are used here.
    Checked    NLTK live; tests/oracles/segeval_random200.json; tests/twins/segments.py.
    """
    gold, pred = cuts(c, "gold"), cuts(c, "pred")
    cost = np.zeros(c.documents)
    for doc, one, other in _by_document(gold, pred):
        cost[doc] = cheapest_edits(one, other, Prices(0.0, shift, delete, insert))[0]
    return by_document(c, {"ghd": cost, "documents": (gold.number > 0) | (pred.number > 0)})


def _agreement(s: Sums) -> Floats:
    return ratio(s["agreed"], s["compared"])


def _chance_pi(s: Sums) -> Floats:
    return np.asarray(ratio(s["share"], s["annotations"]) ** 2)


def _chance_kappa(s: Sums) -> Floats:
    """Return the mean over pairs of annotators of the product of their shares of boundaries."""
    names = [name.removeprefix("boundaries_") for name in s if name.startswith("boundaries_")]
    shares = [ratio(s[f"boundaries_{name}"], s[f"gaps_{name}"]) for name in names]
    products = [one * other for one, other in combinations(shares, 2)]
    return ratio(sum(products), len(products))


def _correct_for_chance(chance: Callable[[Sums], Floats]) -> Callable[[Sums], Floats]:
    return lambda s: ratio(_agreement(s) - chance(s), 1 - chance(s))


AGREEMENT = NamedRates(
    (
        Rate("agreement", _agreement),
        Rate("pi", _correct_for_chance(_chance_pi)),
        Rate("kappa", _correct_for_chance(_chance_kappa)),
        Rate("bias", lambda s: _chance_pi(s) - _chance_kappa(s), 0.0),
    )
)


@measure(
    "segments.agreement",
    AGREEMENT,
    matches=False,
    breaks={
        "perfect": "pi averages the shares of boundaries and kappa pools them, so bias is not 0 for the best",
        "rename": "types=ordinal: the names are numbers, and their differences are costs",
    },
)
def agreement(
    c: Comparison, *, of: Literal["b", "s"] = "b", n_t: Reach = 2, costs: Costs = "scaled", types: Typing = "none"
) -> Outcome:
    """Measure how far annotators agree on boundaries, beyond what chance would give.

        agreement = pooled similarity of all pairs of annotators (B or S of segments.edit_distance)
        pi    = (agreement - e) / (1 - e),   e = (mean over annotators and documents of boundaries / gaps)²
        kappa = the same with e = mean over pairs of annotators of the product of their shares of boundaries
        bias  = e of pi - e of kappa

    It is for two sides (evaluate) or any number of them (spanscope.panel). `of` selects B or S; `n_t`, `costs`
    and `types` are those of segments.edit_distance, with greedy edits.

    Counts     agreed, compared (sums of the similarity's numerator and denominator), share, annotations, and
               boundaries and gaps of each annotator.
    Undefined  agreement, pi and kappa of B without any boundary. Documents in which no annotator has a boundary
               count as 1 (bias 0) in the mean over documents; in pooled figures their gaps are gaps without
               boundaries.
    Source     Fournier and Inkpen (2012); segeval's actual_agreement, fleiss_pi, fleiss_kappa, bias.
    Checked    tests/oracles/segeval_builtin.json; tests/twins/segments.py.
    """
    agreed, compared = np.zeros(c.documents), np.zeros(c.documents)
    for one, other in combinations(c.sides, 2):
        s = {
            name: np.asarray(column, dtype=np.float64)
            for name, column in _columns(_edits(c, one, other, n_t, "greedy", costs, types)).items()
        }
        whole = _edit_similarity(s) if of == "b" else _gaps(c, types)
        compared += whole
        agreed += whole - _cost(s)
    gaps = _gaps(c, types)
    columns: dict[str, Ints | Floats] = {"agreed": agreed, "compared": compared}
    own = {name: cuts(c, name, labelled=types != "none").number for name in c.sides}
    columns["share"] = sum(
        (ratio(number, gaps, empty=0.0) for number in own.values()), start=np.zeros(c.documents)
    )
    columns["annotations"] = np.where(gaps > 0, len(own), 0)
    for at, number in enumerate(own.values(), start=1):
        columns |= {f"boundaries_{at}": number, f"gaps_{at}": gaps}
    columns |= {"gold": sum(own.values(), start=0 * gaps), "pred": 0 * gaps}
    stars = np.full(c.documents, STAR)
    return Outcome(make(c.documents, c.labels, np.arange(c.documents), stars, columns))


def _edits(c: Comparison, one: str, other: str, n_t: int, edits: str, costs: Costs, types: Typing) -> Edits:
    key = ("edits", one, other, n_t, edits, costs, types)
    return c.cached(key, lambda: _edit_anew(c, one, other, n_t, edits, costs, types))


def _edit_anew(c: Comparison, one: str, other: str, n_t: int, edits: str, costs: Costs, types: Typing) -> Edits:
    a, b = (cuts(c, side, labelled=types != "none") for side in (one, other))
    if types != "none":
        return _edit_typed(c, a, b, n_t, costs, types)
    reach = min(n_t - 1, no_distance(c))  # beyond, the boundaries of other documents would be in reach
    docs, apart, matched = move_nearest_first(a, b, reach, stride(c))
    matches = np.bincount(matched, minlength=c.documents)
    moves = np.bincount(docs, minlength=c.documents)
    moved = np.bincount(docs, weights=apart, minlength=c.documents)
    cost = ratio(moved, n_t) if costs == "scaled" else moves.astype(np.float64)
    if edits == "optimal":
        scaled = costs == "scaled"
        prices = Prices(0.0 if scaled else 1.0, float(ratio(1, n_t)) if scaled else 0.0, reach=n_t - 1)
        for doc, places, others in _by_document(a, b):
            _, moves[doc], cost[doc] = cheapest_edits(places, others, prices)
    nothing = np.zeros(c.documents, dtype=np.int64)
    additions = a.number + b.number - 2 * (matches + moves)
    return Edits(additions, moves, cost, nothing, nothing.astype(np.float64), matches)


def _edit_typed(c: Comparison, a: Cuts, b: Cuts, n_t: int, costs: Costs, types: Typing) -> Edits:
    """Edit documents one by one: what may move depends on all types at a place."""
    out = {
        name: np.zeros(c.documents)
        for name in ("additions", "moves", "moved", "substitutions", "substituted", "matches")
    }
    value = _values(c, a, b) if types == "ordinal" else np.arange(len(c.labels))
    edges = a.first, b.first
    for doc in np.flatnonzero(a.number + b.number).tolist():
        sides: list[dict[int, set[int]]] = []
        for side, first in zip((a, b), edges, strict=True):
            own = slice(first[doc], first[doc + 1])
            places: dict[int, set[int]] = {}
            for place, label in zip(side.at[own].tolist(), value[side.label[own]].tolist(), strict=True):
                places.setdefault(place, set()).add(label)
            sides.append(places)
        found = edit_typed(sides[0], sides[1], n_t - 1, ordinal=types == "ordinal")
        seen = [kind for side in sides for kinds in side.values() for kind in kinds]
        for name, number in _price_typed(found, n_t, costs, types, max(seen) - min(seen) + 1).items():
            out[name][doc] = number
    whole = {name: out[name].astype(np.int64) for name in ("additions", "moves", "substitutions", "matches")}
    return Edits(**whole, moved=out["moved"], substituted=out["substituted"])


def _price_typed(found: TypedEdits, n_t: int, costs: Costs, types: Typing, spread: int) -> dict[str, float]:
    moves, swaps = len(found.distances), len(found.substitutions)
    scaled = costs == "scaled"
    apart = sum(abs(one - other) for one, other in found.substitutions)
    return {
        "additions": found.additions,
        "moves": moves,
        "moved": float(ratio(sum(found.distances), n_t)) if scaled else moves,
        "substitutions": swaps,
        "substituted": float(ratio(apart, spread)) if scaled and types == "ordinal" else swaps,
        "matches": found.matches,
    }


def _values(c: Comparison, a: Cuts, b: Cuts) -> Ints:
    """Return the labels as numbers; those that no boundary has need not be any."""
    used = {*a.label.tolist(), *b.label.tolist()}
    try:
        numbers = [int(label) if code in used else 0 for code, label in enumerate(c.labels)]
        return np.array(numbers, dtype=np.int64)
    except ValueError:
        raise MeasureError("types=ordinal needs labels that are whole numbers", hint="types=nominal") from None


def _columns(found: Edits) -> dict[str, Ints | Floats]:
    return {
        "additions": found.additions,
        "transpositions": found.moves,
        "transposed": found.moved,
        "substitutions": found.substitutions,
        "substituted": found.substituted,
        "matches": found.matches,
    }


def _numbers(c: Comparison, types: Typing) -> dict[str, Ints]:
    return {side: cuts(c, side, labelled=types != "none").number for side in ("gold", "pred")}


def _gaps(c: Comparison, types: Typing) -> Ints:
    """Return how many boundaries each document could have: a place for each type seen in it."""
    places = np.maximum(lengths(c) - 1, 0)
    if types == "none":
        return places
    width = max(len(c.labels), 1)
    keys = np.unique(
        np.concatenate(
            [side.doc * width + side.label for side in (cuts(c, name, labelled=True) for name in c.sides)]
        )
    )
    kinds = np.bincount(keys // width, minlength=c.documents)
    return np.asarray(places * np.maximum(kinds, 1))


def _by_document(one: Cuts, other: Cuts) -> Iterator[tuple[int, Ints, Ints]]:
    """Return the places of both sides of each document in which they differ at all."""
    first, second = one.first, other.first
    todo: Bools = (one.number > 0) | (other.number > 0)
    for doc in np.flatnonzero(todo).tolist():
        yield doc, one.at[first[doc] : first[doc + 1]], other.at[second[doc] : second[doc + 1]]
