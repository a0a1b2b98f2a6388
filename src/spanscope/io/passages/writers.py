"""The forms in which queries with passages or answers are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from spanscope.io import losses as of
from spanscope.io.losses import Document, Feature
from spanscope.io.passages.lacks import (
    FOUND,
    GOLD,
    GRADES,
    NO_ID,
    NO_PASSAGES,
    NO_QUESTION,
    QUERY_IDS,
    QUESTIONS,
    UNORDERED,
    UNSURE,
    fields,
    is_worded,
    named_only,
    one_answer,
    only,
    passages_of,
    passages_where,
    texts_of,
)
from spanscope.io.passages.write_data_sets import OF_DATA_SETS
from spanscope.io.passages.write_lists import OF_LIBRARIES
from spanscope.io.writer import Writer, json_lines, json_value

RUN = "spanscope"  # the name of a system, where nobody gave one


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
    texts = [text for item in document[GOLD] for text in texts_of(item)]
    answers = [{"text": text, "answer_start": 0} for text in texts]
    return {
        "id": document["id"],
        "question": document.get("query", ""),
        "answers": answers,
        "is_impossible": not answers,
    }


ONE_ANSWER = one_answer(
    "queries with several answers, or answers that are not plain text",
    "reduced to the text of the first",
    "text",
    "answer",
)


def _is_placed(item: Document) -> bool:
    return {"file_path", "span", "text"} <= item.keys()


def _identified(document: Document) -> Document:
    """Return a query whose passages all have identifiers, or none has: lists of both stand beside each other."""
    out = dict(document)
    for key in (GOLD, FOUND):
        items = passages_of(document, key)
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
            if items := passages_of(one, key):
                row[f"{called}_contexts"] = [item["text"] for item in items]
                if "id" in items[0]:
                    row[f"{called}_context_ids"] = [item["id"] for item in items]
        rows.append(row)
    return json_lines(rows)


def _writer_of_judgements(
    name: str, write: Callable[[Sequence[Document]], bytes], read: tuple[str, ...]
) -> Writer:
    lacks = (
        only(GOLD, FOUND, "queries with what was retrieved"),
        NO_ID,
        named_only(GOLD),
        fields(("id", "relevance"), GOLD),
        GRADES,
        QUESTIONS,
        UNSURE,
        of.META,
        NO_PASSAGES,
    )
    return Writer(name, "passages", write, lacks, (".qrels",) if name == "qrels" else (), read)


WRITERS: tuple[Writer, ...] = (
    Writer("passages", "passages", write_lines, (), (".jsonl", ".ndjson"), ("passages",)),
    _writer_of_judgements("qrels", write_qrels, ("trec", "qrels")),
    _writer_of_judgements("beir", write_beir, ("trec", "beir", "qrels")),
    Writer(
        "trec-run",
        "passages",
        write_run,
        (
            only(FOUND, GOLD, "queries with gold answers"),
            NO_ID,
            named_only(FOUND),
            fields(("id", "score"), FOUND),
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
        (only(GOLD, FOUND, "queries with what was retrieved"), of.META, UNSURE, ONE_ANSWER),
        reads_as=("passages", "squad"),
        needs_ids=True,
    ),
    Writer(
        "legalbench",
        "passages",
        write_legalbench,
        (
            only(GOLD, FOUND, "queries with what was retrieved"),
            NO_QUESTION,
            passages_where("passages without a file, a place and a text", _is_placed),
            fields(("file_path", "span", "text"), GOLD),
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
            passages_where("passages without a text", is_worded),
            fields(("id", "text"), GOLD, FOUND),
            SOME_IDS,
            NO_PASSAGES,
            QUERY_IDS,
            UNSURE,
            of.META,
        ),
        reads_as=("ragas",),
    ),
    *OF_LIBRARIES,
    *OF_DATA_SETS,
)
