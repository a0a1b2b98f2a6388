"""The forms in which queries with passages or answers are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from spanscope.io import losses as of
from spanscope.io.losses import Document, Feature
from spanscope.io.writer import Writer, json_lines, json_value

RUN = "spanscope"  # the name of a system, where nobody gave one
GOLD, FOUND = "snippets", "retrieved_passages"


def _items(document: Document, key: str) -> list[Document]:
    items: list[Document] = document.get(key, [])
    return items


def _only(key: str, other: str, what: str) -> Feature:
    return Feature(
        what,
        "left out",
        lambda one: int(other in one and key not in one),
        lambda one: one if key in one else None,
    )


def _named_only(key: str) -> Feature:
    """Return the feature that is passages known by something else than an identifier that is one word."""

    def fits(item: Document) -> bool:
        name = item.get("id")
        return isinstance(name, str) and bool(name) and not any(map(str.isspace, name))

    return Feature(
        "passages without an identifier of one word",
        "left out",
        lambda one: sum(not fits(item) for item in _items(one, key)),
        lambda one: {**one, key: [item for item in _items(one, key) if fits(item)]},
    )


def _fields(names: tuple[str, ...], *keys: str) -> Feature:
    """Return the feature that is what passages, under one key or under both, have beside some fields."""

    def kept(item: Document) -> Document:
        return {name: item[name] for name in names if name in item}

    return Feature(
        f"passages with more than {' and '.join(names)}",
        "reduced to these",
        lambda one: sum(kept(item) != item for key in keys for item in _items(one, key)),
        lambda one: {**one, **{key: [kept(item) for item in one[key]] for key in keys if key in one}},
    )


def _order(document: Document) -> Document:
    """Return a query whose passages all have a score that falls: by their ranks, where they have not."""
    items = _items(document, FOUND)
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
    lambda one: sum(not isinstance(item.get("relevance", 1), int) for item in _items(one, GOLD)),
    lambda one: {
        **one,
        GOLD: [{**item, "relevance": int(item.get("relevance", 1))} for item in _items(one, GOLD)],
    },
)
NO_PASSAGES = Feature(
    "queries without a passage",
    "left out",
    lambda one: int(not (_items(one, GOLD) or _items(one, FOUND))),
    lambda one: one if _items(one, GOLD) or _items(one, FOUND) else None,
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


def write_lines(documents: Sequence[Document]) -> bytes:
    """Return our own form, one line per query."""
    return json_lines(documents)


def write_qrels(documents: Sequence[Document]) -> bytes:
    """Return TREC's judgements: query, 0, document, grade."""
    lines = [f"{one['id']} 0 {item['id']} {item.get('relevance', 1)}\n" for one in documents for item in one[GOLD]]
    return "".join(lines).encode()


def write_run(documents: Sequence[Document]) -> bytes:
    """Return TREC's run: query, Q0, document, rank, score, system."""
    lines = [
        f"{one['id']} Q0 {item['id']} {rank} {item['score']!r} {RUN}\n"
        for one in documents
        for rank, item in enumerate(one[FOUND], start=1)
    ]
    return "".join(lines).encode()


def write_beir(documents: Sequence[Document]) -> bytes:
    """Return BEIR's judgements: a header, then query, document and grade between tabs."""
    rows = [f"{one['id']}\t{item['id']}\t{item.get('relevance', 1)}\n" for one in documents for item in one[GOLD]]
    return "".join(["query-id\tcorpus-id\tscore\n", *rows]).encode()


def write_squad(documents: Sequence[Document]) -> bytes:
    """Return SQuAD's articles: every question in a paragraph of its own, without a context."""
    asked = [{"title": "", "paragraphs": [{"context": "", "qas": [_question(one)]}]} for one in documents]
    return json_value({"version": "v2.0", "data": asked})


def _question(document: Document) -> dict[str, Any]:
    texts = [text for item in document[GOLD] for text in (item["answer"] if "answer" in item else [item["text"]])]
    answers = [{"text": text, "answer_start": 0} for text in texts]
    return {
        "id": document["id"],
        "question": document.get("query", ""),
        "answers": answers,
        "is_impossible": not answers,
    }


def _answers_alone(document: Document) -> Document:
    items = [item for item in _items(document, GOLD) if "text" in item or "answer" in item][:1]
    return {**document, GOLD: [{key: item[key] for key in ("text", "answer") if key in item} for item in items]}


ONE_ANSWER = Feature(
    "queries with several answers, or answers that are not plain text",
    "reduced to the text of the first",
    lambda one: int(_answers_alone(one) != one),
    _answers_alone,
)


NO_QUESTION = Feature(
    "queries without a question",
    "left out",
    lambda one: int(not one.get("query")),
    lambda one: one if one.get("query") else None,
)
QUERY_IDS = of.without_field("ids of queries", "id")


def _passages_where(what: str, fits: Callable[[Document], bool]) -> Feature:
    """Return the feature that is passages that a format has no place for: those that do not fit."""

    def without(one: Document) -> Document:
        return {**one, **{key: [item for item in one[key] if fits(item)] for key in (GOLD, FOUND) if key in one}}

    return Feature(
        what,
        "left out",
        lambda one: sum(not fits(item) for key in (GOLD, FOUND) for item in _items(one, key)),
        without,
    )


def _is_placed(item: Document) -> bool:
    return {"file_path", "span", "text"} <= item.keys()


def _is_worded(item: Document) -> bool:
    return isinstance(item.get("text"), str)


def _identified(document: Document) -> Document:
    """Return a query whose passages all have identifiers, or none has: lists of both stand beside each other."""
    out = dict(document)
    for key in (GOLD, FOUND):
        items = _items(document, key)
        if items and not all("id" in item for item in items):
            out[key] = [{name: own for name, own in item.items() if name != "id"} for item in items]
    return out


SOME_IDS = Feature(
    "queries of which some passages have identifiers",
    "written without them",
    lambda one: int(_identified(one) != one),
    _identified,
)


def write_legalbench(documents: Sequence[Document]) -> bytes:
    """Return a benchmark of LegalBench-RAG: tests with snippets, each with its file, its place and its text."""
    tests = [
        {
            "query": one["query"],
            "snippets": [
                {"file_path": item["file_path"], "span": item["span"], "answer": item["text"]}
                for item in one[GOLD]
            ],
        }
        for one in documents
    ]
    return json_value({"tests": tests})


CONTEXTS_OF = {GOLD: "reference", FOUND: "retrieved"}  # what RAGAS calls the passages of either side


def write_ragas(documents: Sequence[Document]) -> bytes:
    """Return rows of RAGAS: a question with its contexts, and with their identifiers where these have some."""
    rows = []
    for one in documents:
        row: Document = {"user_input": one["query"]}
        for key, called in CONTEXTS_OF.items():
            if items := _items(one, key):
                row[f"{called}_contexts"] = [item["text"] for item in items]
                if "id" in items[0]:
                    row[f"{called}_context_ids"] = [item["id"] for item in items]
        rows.append(row)
    return json_lines(rows)


def _writer_of_judgements(
    name: str, write: Callable[[Sequence[Document]], bytes], read: tuple[str, ...]
) -> Writer:
    lacks = (
        _only(GOLD, FOUND, "queries with what was retrieved"),
        NO_ID,
        _named_only(GOLD),
        _fields(("id", "relevance"), GOLD),
        GRADES,
        QUESTIONS,
        UNSURE,
        of.META,
        NO_PASSAGES,
    )
    return Writer(name, "passages", write, lacks, (".qrels",) if name == "qrels" else (), read)


WRITERS = (
    Writer("passages", "passages", write_lines, (), (".jsonl", ".ndjson"), ("passages",)),
    _writer_of_judgements("qrels", write_qrels, ("trec", "qrels")),
    _writer_of_judgements("beir", write_beir, ("trec", "beir", "qrels")),
    Writer(
        "trec-run",
        "passages",
        write_run,
        (
            _only(FOUND, GOLD, "queries with gold answers"),
            NO_ID,
            _named_only(FOUND),
            _fields(("id", "score"), FOUND),
            UNORDERED,
            QUESTIONS,
            UNSURE,
            of.META,
            NO_PASSAGES,
        ),
        (".run", ".trec"),
        ("trec", "run"),
    ),
    Writer(
        "squad",
        "passages",
        write_squad,
        (_only(GOLD, FOUND, "queries with what was retrieved"), of.META, UNSURE, ONE_ANSWER),
        reads_as=("passages", "squad"),
        needs_ids=True,
    ),
    Writer(
        "legalbench",
        "passages",
        write_legalbench,
        (
            _only(GOLD, FOUND, "queries with what was retrieved"),
            NO_QUESTION,
            _passages_where("passages without a file, a place and a text", _is_placed),
            _fields(("file_path", "span", "text"), GOLD),
            QUERY_IDS,
            UNSURE,
            of.META,
        ),
        reads_as=("passages", "legalbench"),
    ),
    Writer(
        "ragas",
        "passages",
        write_ragas,
        (
            NO_QUESTION,
            _passages_where("passages without a text", _is_worded),
            _fields(("id", "text"), GOLD, FOUND),
            SOME_IDS,
            NO_PASSAGES,
            QUERY_IDS,
            UNSURE,
            of.META,
        ),
        reads_as=("ragas",),
    ),
)
