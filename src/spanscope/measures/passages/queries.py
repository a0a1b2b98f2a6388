"""What the passages measures share: queries as lists, and which passage holds which gold answer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from spanscope.arithmetic import Floats, Ints
from spanscope.counts import STAR, make
from spanscope.data.corpus import NOWHERE, Spans
from spanscope.errors import MeasureError
from spanscope.match import ranking as ranks
from spanscope.match.gold_ranking import Held, PassageMatch
from spanscope.measures.passages import answer_texts
from spanscope.measures.passages.places import Place, shared_characters
from spanscope.measures.registry import Outcome
from spanscope.rates import NamedRates, share
from spanscope.sides.comparison import Comparison

By = Literal["auto", "id", "substring", "exact", "fuzzy", "overlap"]
NAN = float("nan")
V = TypeVar("V")


class Item(NamedTuple):
    """One gold answer or one passage."""

    text: str | None
    file: str | None
    start: int
    end: int
    name: str | None
    score: float
    grade: float
    group: int


class Query(NamedTuple):
    """What was wanted, and what was retrieved, best first."""

    gold: list[list[Item]]  # the relevant answers, each in its wordings
    passages: list[Item]
    judged: list[Item]  # what is relevant, and what was judged not to be

    @property
    def wordings(self) -> list[Item]:
        """Return all gold answers in all their wordings."""
        return [one for group in self.gold for one in group]


def queries(c: Comparison) -> list[Query]:
    """Return every query of a comparison."""
    return c.cached(
        "queries", lambda: [_query(*pair) for pair in zip(*(_items(c, s) for s in SIDES), strict=True)]
    )


SIDES = ("gold", "pred")


def queries_at(c: Comparison, docs: Sequence[int]) -> Iterator[Query]:
    """Return some queries, in the order asked for; of judgements and runs only these are made, to save room."""
    if set(c.lists) == set(SIDES):
        for doc in docs:
            yield _query(*(_items_of_list(c.lists[side][doc], side) for side in SIDES))
        return
    everything = queries(c)
    for doc in docs:
        yield everything[doc]


def drop_repeats(query: Query) -> Query:
    """Return a query with each identifier once, the first time, as trec_eval takes them."""
    first: dict[str | None, Item] = {}
    for one in query.passages:
        first.setdefault(one.name, one)
    return query._replace(passages=list(first.values()))


def _query(judged: list[Item], passages: list[Item]) -> Query:
    groups: dict[int, list[Item]] = {}
    for one in judged:
        if one.grade > 0:
            groups.setdefault(one.group, []).append(one)
    return Query(list(groups.values()), passages, judged)


def _items(c: Comparison, side: str) -> list[list[Item]]:
    """Return the rows of each query in the order of retrieval: by score where all have one, else as given."""
    if side in c.lists:
        return [_items_of_list(own, side) for own in c.lists[side]]
    spans = c.sides[side]
    if "rank" not in spans.extra:
        raise MeasureError("spans are not passages", expected="queries with snippets, and with retrieved_passages")
    rows = list(map(Item._make, zip(*_columns(c, spans), strict=True)))
    edges = np.searchsorted(spans.doc, np.arange(c.documents + 1)).tolist()
    return [rows[first:last] for first, last in pairwise(edges)]


def _items_of_list(own: Mapping[str, float], side: str) -> list[Item]:
    """Return judgements or a run as items: a run in trec_eval's order."""
    if side == "gold":
        pairs = enumerate(own.items())
        return [Item(None, None, NOWHERE, NOWHERE, name, NAN, grade, at) for at, (name, grade) in pairs]
    return [Item(None, None, NOWHERE, NOWHERE, name, own[name], 1, 0) for name in ranks.trec_order(own)]


def _columns(c: Comparison, spans: Spans) -> tuple[list[Any], ...]:
    """Return the columns of the items as lists, in order."""
    extra, score = spans.extra, spans.extra["score"]
    lacking = np.zeros(c.documents, dtype=bool)
    lacking[spans.doc[np.isnan(score)]] = True
    with np.errstate(over="ignore"):  # what is too large is infinite, as trec_eval has it
        falling = score if has_distances(spans) else -score
        single = np.where(lacking[spans.doc], 0.0, falling).astype(np.float32)
    ties = np.where(lacking[spans.doc], 0, _by_name(extra["name"]))
    order = np.lexsort((extra["rank"], ties, single, spans.doc))
    labels = np.array([*c.labels, None], dtype=object)[:-1]
    texts = np.full(len(spans), None) if spans.text is None else spans.text
    own = (extra[name] for name in ("name", "score", "relevance", "alternative"))
    return tuple(column[order].tolist() for column in (texts, labels[spans.label], spans.start, spans.end, *own))


def has_distances(spans: Spans) -> bool:
    """Tell whether the scores of passages were said to be distances: the lowest is best."""
    return bool(np.any(spans.extra.get("distance", False)))


def _by_name(names: NDArray[np.object_]) -> Ints:
    """Return what orders equal scores as trec_eval does, the last identifier first; 0 where some have none."""
    if not len(names) or any(name is None for name in names.tolist()):
        return np.zeros(len(names), dtype=np.int64)
    return -np.unique(names.astype(str), return_inverse=True)[1]


def lists(c: Comparison, side: str) -> list[Mapping[str, float]]:
    """Return grades (gold) or scores by identifier of every query."""
    if side in c.lists:
        return c.lists[side]
    if side == "gold":
        return [{_name(one): one.grade for one in query.judged} for query in queries(c)]
    sign = -1 if has_distances(c.pred) else 1
    return [_scores(query.passages, sign) for query in queries(c)]


def _scores(passages: list[Item], sign: int) -> dict[str, float]:
    """Return the scores of a run; of one without, numbers that keep its order. Of repeats the first counts."""
    size = len(passages)
    lacking = any(one.score != one.score for one in passages)
    pairs = [(_name(one), size - at if lacking else sign * one.score) for at, one in enumerate(passages)]
    return dict(reversed(pairs))


def per_query(c: Comparison, columns: Mapping[str, Sequence[float]], match: PassageMatch | None = None) -> Outcome:
    """Return one row per query, and which passage holds which answer."""
    own = {name: np.asarray(values, dtype=np.float64) for name, values in columns.items()}
    own |= {side: _size_column(c, side) for side in SIDES}
    counts = make(c.documents, c.labels, np.arange(c.documents), np.full(c.documents, STAR), own)
    return Outcome(counts, passages=match)


def _size_column(c: Comparison, side: str) -> Floats:
    return c.cached(("size", side), lambda: np.array(_sizes(c, side), dtype=np.float64))


def _sizes(c: Comparison, side: str) -> list[int]:
    if side in c.lists:
        return (
            list(map(len, c.lists[side]))
            if side == "pred"
            else [sum(grade > 0 for grade in own.values()) for own in c.lists[side]]
        )
    return [len(query.gold if side == "gold" else query.passages) for query in queries(c)]


def means_over_queries(*names: str, best: float = 1.0) -> NamedRates:
    """Return rates that are means over the queries that count."""
    return NamedRates(tuple(share(name, name, "queries", best=best) for name in names), perfect=False)


def has_gold(c: Comparison) -> list[float]:
    """Return 1 for every query that has gold: the others are left out of means."""
    return [float(bool(query.gold)) for query in queries(c)]


# ---------------------------------------------------------------- which passage holds which answer


def decide_by(c: Comparison, by: str) -> str:
    """Return how passages are held against answers: as asked, or by what all of both sides have."""
    if by != "auto":
        return by
    if set(c.lists) == set(SIDES):
        return "id"
    items = [item for query in queries(c) for side in (query.judged, query.passages) for item in side]
    for what, rule in (("name", "id"), ("place", "overlap")):
        if items and all(item.name is not None if what == "name" else item.start != NOWHERE for item in items):
            return rule
    return "substring"


def match_lazily(c: Comparison, rule: str, holds: Callable[[Query], Held]) -> PassageMatch:
    """Return a match whose queries are looked at one by one, when they are asked for."""
    return PassageMatch(rule, c.documents, lambda doc: holds(next(queries_at(c, [doc]))))


def match_all(
    c: Comparison, by: str, coverage: float, similarity: float, *, of: Callable[[Query], Query] | None = None
) -> list[Held]:
    """Return for every query and passage the gold answers that the passage holds.

    `of` makes queries with other gold answers of them.
    """
    rule = decide_by(c, by)
    key, held = ("matched", rule, coverage, similarity, of), _rule(c, rule, coverage, similarity)
    return c.cached(key, lambda: [_match_query(of(query) if of else query, held) for query in queries(c)])


def settle_by(c: Comparison, by: str) -> dict[str, str]:
    """Return how passages are held against answers in all that there is."""
    return {"by": decide_by(c, by)}


class Rule(NamedTuple):
    """How passages are held against gold answers: by what is made of each, once."""

    made: Callable[[Item], Any]
    held: Callable[[list[Any], list[list[Any]]], Held]


def _match_query(query: Query, rule: Rule) -> Held:
    found = list(map(rule.made, query.passages))
    return rule.held(found, [list(map(rule.made, group)) for group in query.gold])


def _match_one_by_one(holds: Callable[[Any, Any], bool], found: list[Any], groups: list[list[Any]]) -> Held:
    return [[at for at, golds in enumerate(groups) if any(holds(one, gold) for gold in golds)] for one in found]


def _match_inside(found: list[str], groups: list[list[str]]) -> Held:
    """Return which passages have a gold text inside, or are inside one.

    A gold text is looked for in all passages at once: normalised texts have no line ends, which part them.
    """
    out: Held = [[] for _ in found]
    whole, starts = "\n".join(found), list(accumulate((len(one) + 1 for one in found), initial=0))
    shortest = min((len(one) for one in found if one), default=0)
    for at, golds in enumerate(groups):
        held: set[int] = set()
        for gold in filter(None, golds):
            place = whole.find(gold)
            while place >= 0:
                number = bisect_right(starts, place) - 1
                held.add(number)
                place = whole.find(gold, starts[number + 1])
            if len(gold) > shortest:
                held |= {number for number, one in enumerate(found) if one and one in gold}
        for number in held:
            out[number].append(at)
    return out


def _rule(c: Comparison, by: str, coverage: float, similarity: float) -> Rule:
    if by == "id":
        same = partial(_match_one_by_one, lambda passage, gold: passage == gold)
        return Rule(_name, same)
    if by == "overlap":
        return Rule(place, partial(_match_one_by_one, partial(_covers, coverage)))
    if by == "exact":
        equal = partial(_match_one_by_one, lambda passage, gold: passage == gold != "")
        return Rule(lambda item: text(item).strip().lower(), equal)
    flat = remember(c, "normalised", answer_texts.normalise)
    if by == "fuzzy":
        alike = partial(_read_alike, _fuzzy(), similarity * 100)
        return Rule(lambda item: flat(text(item)), partial(_match_one_by_one, alike))
    return Rule(lambda item: flat(text(item)), _match_inside)


def remember(c: Comparison, key: str, make: Callable[[str], V]) -> Callable[[str], V]:
    """Return the function with what it made of each value kept: texts come back with other queries."""
    known: dict[str, V] = c.cached(("once", key), dict)

    def look(value: str) -> V:
        if value not in known:
            known[value] = make(value)
        return known[value]

    return look


def _fuzzy() -> Callable[..., float]:
    try:
        from rapidfuzz.fuzz import partial_ratio
    except ImportError:
        raise ImportError("by=fuzzy compares texts with RapidFuzz: pip install 'spanscope[fuzzy]'") from None
    found: Callable[..., float] = partial_ratio
    return found


def _read_alike(ratio: Callable[..., float], least: float, passage: str, gold: str) -> bool:
    return bool(passage and gold) and ratio(passage, gold, score_cutoff=least) >= max(least, 1e-9)


def _covers(coverage: float, passage: Place, gold: Place) -> bool:
    both = shared_characters(passage, gold)
    return both > 0 and both >= coverage * (gold.end - gold.start)


def text(item: Item) -> str:
    """Return the text of an item, or say what is missing."""
    if item.text is None:
        by = "'passages.ranking(by=id)'" if item.name is not None else "passages.ranking -m passages.characters"
        hint = f"-m {by}"
        hint += ", or [[corpus=FOLDER]] to take texts from the files" if item.start != NOWHERE else ""
        raise MeasureError("some passages have no text", expected="texts on both sides", hint=hint)
    return item.text


def place(item: Item) -> Place:
    """Return where an item is, or say what is missing."""
    if item.start == NOWHERE:
        expected = "file_path and span on both sides"
        raise MeasureError("some passages have no place", expected=expected, hint="-m passages.ranking")
    return Place(str(item.file), item.start, item.end)


def _name(item: Item) -> str:
    if item.name is None:
        expected, hint = "ids on both sides", "-m passages.ranking"
        raise MeasureError("some passages have no identifier", expected=expected, hint=hint)
    return item.name
