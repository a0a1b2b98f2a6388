"""What the page of passages and answers shows: every query, its gold answers, and what was retrieved, in order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spanscope.arithmetic import Floats, Ints, ratio
from spanscope.data.dicts import PLAIN
from spanscope.jsonable import JsonObject, as_shown, finite
from spanscope.match.gold_ranking import Held
from spanscope.measures.passages import places, squad_texts
from spanscope.measures.passages.answers import taken_for_empty
from spanscope.measures.passages.queries import Item, Query, drop_repeats, place, queries_at
from spanscope.measures.registry import Measure
from spanscope.results.result import Result
from spanscope.stats.averages import document_sums, document_values
from spanscope.viewer import ranks
from spanscope.viewer.context import CONTEXT, hide_far
from spanscope.viewer.ranks import Holding, Link

MOST_PASSAGES = 100  # passages of a query that are in the page; of those beyond, as many that hold an answer
LONGEST, AROUND = 2000, 600  # characters of a passage that are shown; those before its first gold answer
PER_QUERY, PER_ITEM, PER_CHARACTER = 60, 14, 0.6  # bytes, as compressed
MAIN = {
    "passages.ranking": ("recall", "ndcg", "hit", "mrr"),
    "passages.exact_match": ("exact_match",),
    "passages.span_f1": ("span_f1",),
    "passages.characters": ("recall", "precision", "f1", "iou"),
    "passages.legalbench_rag": ("recall", "precision"),
    "passages.chroma": ("recall", "precision", "iou"),
    "passages.documents": ("recall", "mismatch"),
    "passages.squad": ("exact_match", "f1"),
    "passages.legal": ("recall", "ndcg", "exact_match", "span_f1"),
    "passages.trec": ("map", "recip_rank"),
    "passages.trec_cut": ("ndcg_cut", "P", "recall"),
}
EDGES = (1, 2, 3, 5, 10, 20, 50, 100)  # last ranks of the classes in which first answers are counted


def page_data(result: Result, budget: float) -> JsonObject:
    """Return what only this page shows; `budget` limits the bytes of the queries that are in it."""
    return {"queries": _queries(result, budget)}


def _queries(result: Result, budget: float) -> JsonObject:
    c = result.comparison
    held = ranks.first_match(result)
    table = result.by_document()
    squad = next((one for one in result.measures if one.name == "passages.squad"), None)
    exact = [row["exact_match"] for row in result.by_document(squad)] if held.rule == "squad" else None
    right = held.match.first if exact is None else [int(value == 1.0) for value in exact]
    first = np.array(right, dtype=np.int64)
    gold, pred = (np.array([row[side] for row in table], dtype=np.int64) for side in ("gold", "pred"))
    due = gold > 0 if exact is None else np.array([value is not None for value in exact], dtype=bool)
    docs = choose_queries(result, budget)
    cutoffs, at, columns = rates_over_cutoffs(result)
    rates = [rate.name for rate in result.settings.rates(result.measures[0])]
    return {
        "embedded": len(docs),
        "total": c.documents,
        "names": [result.names[doc] for doc in docs.tolist()],
        "asked": _query_texts(result, docs),
        "rule": held.words,
        "kind": held.rule,
        "hows": list(ranks.HOWS),
        "cutoffs": cutoffs,
        "at": at,
        "columns": columns,
        "head": rates.index(result.settings.headline.rate.name),  # as `Result.by_document(worst=True)` has it
        "figures": figures(result, docs),
        "gold_number": gold[docs],
        "pred_number": pred[docs],
        "first": first[docs],
        "due": due[docs].astype(np.int64),
        "firsts": None if exact is not None else _classes(first[due]),
        **items(result, held, docs, first),
    }


def _query_texts(result: Result, docs: Ints) -> list[str | None] | None:
    """Return what the queries ask, as it may be shown, where they have ids besides."""
    asked = result.comparison.questions
    if asked is None or result.settings.text == "none":
        return None
    return [as_shown(text, result.settings.text) for text in asked[docs].tolist()]


# ---------------------------------------------------------------- figures


def rates_over_cutoffs(result: Result) -> tuple[list[int], int, list[JsonObject]]:
    """Return the cutoffs, which of them is shown first, and the rates with their measure at each cutoff.

    The cutoffs are those of the first measure that has several; measures that lack one of them stay as they are.
    """
    groups = [dict(own) for _, own in result.cutoffs()]
    cutoffs = list(groups[0]) if groups else []
    number = {measure: at for at, measure in enumerate(result.measures)}
    head = float(dict(result.measures[0].params).get("k", 10))
    near = sorted(range(len(cutoffs)), key=lambda at: (abs(cutoffs[at] - head), at))
    columns: list[JsonObject] = []
    seen: set[Measure] = set()
    for measure in result.measures:
        group = next((own for own in groups if measure in own.values() and set(own) >= set(cutoffs)), None)
        if measure in seen:
            continue
        each = [measure] if group is None else [group[k] for k in cutoffs]
        seen.update(each)
        main = MAIN.get(measure.name, ())
        for rate in result.settings.rates(measure):
            entry = {"rate": rate.name, "main": main.index(rate.name) if rate.name in main else -1}
            single = dict(measure.params).get("k") if group is None else None
            columns.append({**entry, "k": single, "measures": [number[one] for one in each]})
    return cutoffs, near[0] if near else 0, columns


def figures(result: Result, docs: Ints) -> JsonObject:
    """Return the rates of the queries by measure and rate, as `Result.by_document` has them."""
    out = {}
    for at, measure in enumerate(result.measures):
        sums, rate_set = document_sums(result.tables[at]), measure.definition.rate_set
        for rate in result.settings.rates(measure):
            values = document_values(sums, rate, rate_set, result.settings.policy)[docs]
            out[f"{at}.{rate.name}"] = code_values(values, rate.best)
    return out


def code_values(values: Floats, best: float = 1.0) -> JsonObject:
    """Return values as the different ones there are and the number of each; -1 where it is undefined.

    `tier` orders them: the farther from the best value, the lower, as `Result.by_document(worst=True)` does.

    >>> code_values(np.array([1.0, 0.5, np.nan, 1.5, 0.0]))["values"]
    [0.0, 0.5, 1.0, 1.5]
    """
    known = np.isfinite(values)
    different, number = np.unique(values[known], return_inverse=True)
    at = np.full(len(values), -1, dtype=np.int64)
    at[known] = number
    tier = np.unique(-np.abs(different - (0.0 if math.isnan(best) else best)), return_inverse=True)[1]
    return {"values": different.tolist(), "tier": tier.astype(np.int64), "at": at}


def _classes(first: Ints) -> list[list[Any]]:
    """Return how many queries have their first answer at which ranks: lowest, highest, number; 0 is none."""
    out: list[list[Any]] = []
    low = 1
    most = int(first.max(initial=0))
    for high in (*EDGES, max(most, EDGES[-1] + 1)):
        if low <= most:
            out.append([low, high, int(((first >= low) & (first <= high)).sum())])
        low = high + 1
    return [*out, [0, 0, int((first == 0).sum())]]


# ---------------------------------------------------------------- which queries


def choose_queries(result: Result, budget: float) -> Ints:
    """Return the queries that are shown, in order: all that fit into the budget, the worst first."""
    c, everything = result.comparison, np.arange(result.documents)
    number = {name: at for at, name in enumerate(result.names)}
    order = [number[row["document"]] for row in result.by_document(worst=True)]
    quoted, known = result.settings.text != "none", set[str]()
    size, shown = 0.0, []
    for doc, query in zip(order, queries_at(c, order), strict=True):
        size += PER_QUERY + PER_ITEM * (
            min(len(query.judged), MOST_PASSAGES) + min(len(query.passages), 2 * MOST_PASSAGES)
        )
        if quoted and not c.lists:
            texts = {
                one.text for one in (*query.judged[:MOST_PASSAGES], *query.passages[:MOST_PASSAGES]) if one.text
            } - known
            size += PER_CHARACTER * sum(min(len(text), LONGEST) for text in texts)
            known |= texts
        if size > budget:
            break
        shown.append(doc)
    return everything if len(shown) == len(order) else np.sort(np.array(shown, dtype=np.int64))


# ---------------------------------------------------------------- gold answers and passages


class PassageTable(NamedTuple):
    """Columns that grow by rows, and texts by number: the same passage is retrieved by many queries."""

    strings: dict[str, int]
    golds: list[tuple[float, ...]]  # whole numbers, but for grades
    passages: list[tuple[float, ...]]
    links: list[tuple[float, ...]]
    scores: list[float | None]
    alike: list[float | None]
    edges: dict[str, list[int]]

    def put(self, text: str | None) -> int:
        """Return the number of a text; -1 for none."""
        return -1 if text is None else self.strings.setdefault(text, len(self.strings))


GOLD = ("text", "file", "start", "end", "name", "grade", "group", "normal")
PLACED = ("file", "start", "end", "name")
PASSAGE = ("rank", "state", "grade", "text", "from", "left", *PLACED, "normal", "shared", "wanted", "size")
LINK = ("gold", "how", "start", "end")


def items(result: Result, held: Holding, docs: Ints, first: Ints) -> JsonObject:
    """Return the gold answers and the passages of the chosen queries, and which passage holds which answer."""
    c, how = result.comparison, result.settings.text
    edges: dict[str, list[int]] = {"gold": [0], "passages": [0], "links": [0]}
    t = PassageTable({}, [], [], [], [], [], edges)
    for doc, found in zip(docs.tolist(), queries_at(c, docs.tolist()), strict=True):
        query = drop_repeats(found) if held.rule == "judged" else found
        _golds(t, query, held, how)
        right = held.rule == "squad" and bool(first[doc])
        _passages(t, query, held.match.held(doc), held, how, right)
        edges["gold"].append(len(t.golds))
        edges["passages"].append(len(t.passages))
    columns = {
        "gold": (t.golds, GOLD),
        "passages": (t.passages, PASSAGE),
        "links": (t.links, LINK),
    }
    out: JsonObject = {
        name: {"edges": np.array(edges[name], dtype=np.int64), **_columns(rows, heads)}
        for name, (rows, heads) in columns.items()
    }
    out["passages"]["score"] = t.scores
    out["passages"] |= (
        _rates(out["passages"]) if held.rule in ("overlap", "touch") else dict.fromkeys(("precision", "recall"))
    )
    out["links"]["alike"] = t.alike if held.rule == "fuzzy" else None
    return {**out, "strings": list(t.strings), **_no_answer(result, held, docs)}


def _columns(rows: Sequence[tuple[float, ...]], heads: Sequence[str]) -> JsonObject:
    """Return columns of whole numbers; one with a fraction, which only grades can have, as a list."""
    made = np.array(rows).reshape(-1, len(heads)).T
    columns = ([*map(finite, one.tolist())] if (one % 1).any() else one.astype(np.int64) for one in made)
    return dict(zip(heads, columns, strict=True))


def _rates(passages: JsonObject) -> JsonObject:
    """Return which share of a passage is in gold answers, and which share of these is in the passage."""
    parts = (("precision", "size"), ("recall", "wanted"))
    return {rate: code_values(ratio(passages["shared"], passages[whole])) for rate, whole in parts}


def _no_answer(result: Result, held: Holding, docs: Ints) -> JsonObject:
    """Return how sure a system is of no answer, and where SQuAD then takes the prediction for the empty one."""
    sure = result.comparison.no_answer
    if held.rule != "squad" or sure is None or not np.isfinite(sure).any():
        return {"no_answer": None, "emptied": np.zeros(len(docs), dtype=np.int64)}
    chances = sure[docs].tolist()
    own = taken_for_empty(result.comparison, held.params["version"], held.params["no_answer"])
    gone = np.array(own, dtype=np.int64)[docs]
    return {"no_answer": [finite(one) for one in chances], "emptied": gone}


def _golds(t: PassageTable, query: Query, held: Holding, how: str) -> None:
    for group, wordings in enumerate(query.gold[:MOST_PASSAGES]):
        for one in wordings:
            text = None if one.text is None else one.text[:LONGEST]
            t.golds.append(
                (t.put(as_shown(text, how)), *_where(t, one), one.grade, group, _normal(t, one, held, how))
            )


def _where(t: PassageTable, one: Item) -> tuple[int, int, int, int]:
    """Return file, place and name of an item."""
    file = None if one.file == PLAIN else one.file
    start, end = (one.start, one.end) if ranks.has_place(one) else (-1, -1)
    return t.put(file), start, end, t.put(one.name)


def _normal(t: PassageTable, one: Item, held: Holding, how: str) -> int:
    """Return the number of the text as SQuAD compares it."""
    if held.rule != "squad" or one.text is None:
        return -1
    return t.put(as_shown(squad_texts.squad_normalise(one.text)[:LONGEST], how))


def _passages(t: PassageTable, query: Query, matches: Held, held: Holding, how: str, right: bool) -> None:
    brought = ranks.contributions(query, matches, held.rule, right)
    golds = [place(group[0]) for group in query.gold] if held.rule in ("overlap", "touch") else None
    beyond = 0
    for rank, (one, own, found) in enumerate(zip(query.passages, matches, brought, strict=True), start=1):
        if rank > MOST_PASSAGES:
            beyond += bool(own)
            if not own or beyond > MOST_PASSAGES:
                continue
        links = [ranks.link(held, one, at, query.gold[at]) for at in own if at < MOST_PASSAGES]
        shown, start, left = _shown_part(one.text, links, how)
        whole = how != "context" or len(one.text or "") <= CONTEXT  # else its normal form would say what is hidden
        normal, common = _normal(t, one, held, how) if whole else -1, _shared_characters(golds, one)
        t.passages.append((rank, *found, t.put(shown), start, left, *_where(t, one), normal, *common))
        t.scores.append(None if math.isnan(one.score) else finite(float(f"{one.score:.6g}")))
        _links(t, links, shown, start)


def _shared_characters(golds: Sequence[places.Place] | None, one: Item) -> tuple[int, ...]:
    """Return the characters that a passage shares with all gold answers, theirs and its own."""
    return (0, 0, 0) if golds is None else places.characters(golds, [place(one)])


def _shown_part(text: str | None, links: Sequence[Link], how: str) -> tuple[str | None, int, int]:
    """Return what is shown of a passage, and how many characters are left out before and after it."""
    if text is None or how == "none":
        return None, 0, 0
    marks = [one.mark for one in links if one.mark is not None]
    if how == "context":
        text = hide_far(text, marks or [(0, 0)])
    around = CONTEXT if how == "context" else AROUND
    start, end = ranks.window(text, marks, LONGEST, around)
    return as_shown(text[start:end], how), start, len(text) - end


def _links(t: PassageTable, links: Sequence[Link], shown: str | None, start: int) -> None:
    units = ranks.utf16_counter(shown or "")
    for one in links:
        low, high = (-1, -1)
        if shown is not None and one.mark is not None:
            low, high = (units(min(max(at - start, 0), len(shown))) for at in one.mark)
        t.links.append((one.gold, one.how, low, high))
        t.alike.append(one.alike)
    t.edges["links"].append(len(t.links))
