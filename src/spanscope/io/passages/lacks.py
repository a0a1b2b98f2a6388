"""What formats of queries may lack: answers or passages, and what is known of these."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from spanscope.io import losses as of
from spanscope.io.losses import Document, Feature

GOLD, FOUND = "snippets", "retrieved_passages"


def passages_of(document: Document, key: str) -> list[Document]:
    """Return the answers or passages of a query under a key."""
    found: list[Document] = document.get(key, [])
    return found


def only(key: str, other: str, what: str) -> Feature:
    """Return the feature that is queries that have another key than the one that a format holds."""
    return Feature(
        what,
        "left out",
        lambda one: int(other in one and key not in one),
        lambda one: one if key in one else None,
    )


def named_only(key: str) -> Feature:
    """Return the feature that is passages known by something else than an identifier that is one word."""

    def fits(item: Document) -> bool:
        name = item.get("id")
        return isinstance(name, str) and bool(name) and not any(map(str.isspace, name))

    return Feature(
        "passages without an identifier of one word",
        "left out",
        lambda one: sum(not fits(item) for item in passages_of(one, key)),
        lambda one: {**one, key: [item for item in passages_of(one, key) if fits(item)]},
    )


def changed(what: str, became: str, change: Callable[[Document], Document], *keys: str) -> Feature:
    """Return the feature that is passages, under one key or under both, that must be written otherwise."""
    return Feature(
        what,
        became,
        lambda one: sum(change(item) != item for key in keys for item in passages_of(one, key)),
        lambda one: {**one, **{key: [change(item) for item in one[key]] for key in keys if key in one}},
    )


def fields(names: tuple[str, ...], *keys: str) -> Feature:
    """Return the feature that is what passages have beside some fields."""

    def kept(item: Document) -> Document:
        return {name: item[name] for name in names if name in item}

    return changed(f"passages with more than {' and '.join(names)}", "reduced to these", kept, *keys)


def _order(document: Document) -> Document:
    """Return a query whose passages all have a score that falls: by their ranks, where they have not."""
    items = passages_of(document, FOUND)
    scores = [item["score"] for item in items if "score" in item]
    falls = len(scores) == len(items) and all(a > b for a, b in pairwise(scores))
    if falls:
        return document
    ranked = [{**item, "score": float(len(items) - at)} for at, item in enumerate(items)]
    return {**document, FOUND: ranked}


UNORDERED = Feature(
    "queries whose passages have no scores that fall",
    "scored by their ranks",
    lambda one: int(_order(one) != one),
    _order,
)
GRADES = Feature(
    "grades that are not whole numbers",
    "rounded down",
    lambda one: sum(not isinstance(item.get("relevance", 1), int) for item in passages_of(one, GOLD)),
    lambda one: {
        **one,
        GOLD: [{**item, "relevance": int(item.get("relevance", 1))} for item in passages_of(one, GOLD)],
    },
)
NO_PASSAGES = Feature(
    "queries without a passage",
    "left out",
    lambda one: int(not (passages_of(one, GOLD) or passages_of(one, FOUND))),
    lambda one: one if passages_of(one, GOLD) or passages_of(one, FOUND) else None,
)
QUESTIONS = of.without_field("the questions of queries", "query")
UNSURE = of.without_field("probabilities of no answer", "no_answer_probability")
NO_ID = Feature(
    "queries without an id of one word",
    "left out",
    lambda one: int(not _one_word(one)),
    lambda one: one if _one_word(one) else None,
)


def _one_word(document: Document) -> bool:
    name = document.get("id", "")
    return bool(name) and not any(map(str.isspace, name))


NO_QUESTION = Feature(
    "queries without a question",
    "left out",
    lambda one: int(not one.get("query")),
    lambda one: one if one.get("query") else None,
)
QUERY_IDS = of.without_field("ids of queries", "id")


def passages_where(what: str, fits: Callable[[Document], bool]) -> Feature:
    """Return the feature that is passages that a format has no place for: those that do not fit."""

    def without(one: Document) -> Document:
        return {**one, **{key: [item for item in one[key] if fits(item)] for key in (GOLD, FOUND) if key in one}}

    return Feature(
        what,
        "left out",
        lambda one: sum(not fits(item) for key in (GOLD, FOUND) for item in passages_of(one, key)),
        without,
    )


def is_worded(item: Document) -> bool:
    """Tell a passage with a text."""
    return isinstance(item.get("text"), str)


def one_answer(what: str, became: str, *names: str) -> Feature:
    """Return the feature that is more than some fields of the first answer that has a text."""

    def without(one: Document) -> Document:
        items = [item for item in passages_of(one, GOLD) if "text" in item or "answer" in item][:1]
        return {**one, GOLD: [{key: item[key] for key in names if key in item} for item in items]}

    return Feature(what, became, lambda one: int(without(one) != one), without)


def texts_of(item: Document) -> list[str]:
    """Return the wordings of an answer that has some."""
    texts: list[str] = item["answer"] if "answer" in item else [item["text"]]
    return texts
