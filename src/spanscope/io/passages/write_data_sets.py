"""Questions with passages and answers as the data sets of open question answering have them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from spanscope.data.dicts import places_of_wordings
from spanscope.io.losses import Document, Feature
from spanscope.io.passages.dpr import NO_ANSWER
from spanscope.io.passages.lacks import (
    FOUND,
    GOLD,
    NO_QUESTION,
    UNSURE,
    changed,
    fields,
    is_worded,
    one_answer,
    only,
    passages_of,
    passages_where,
    texts_of,
)
from spanscope.io.passages.names import POSITIVES, RETRIEVED_BY_DPR
from spanscope.io.writer import Writer, json_lines, json_value

ANSWERS = "answers"
NO_TEXT = passages_where("passages without a text", is_worded)


def _but(one: Document, *names: str) -> Document:
    return {name: own for name, own in one.items() if name not in names}


def _with_meta(one: Document, meta: Document) -> Document:
    return {**_but(one, "meta"), **({"meta": meta} if meta else {})}


def _meta_of_passages(*names: str) -> Feature:
    """Return the feature that is what is known of passages under other names than some."""

    def kept(item: Document) -> Document:
        own = item.get("meta", {})
        return _with_meta(item, {name: own[name] for name in names if own.get(name) is not None})

    what = f"passages with metadata other than {' and '.join(names)}"
    return changed(what, "left without these", kept, GOLD, FOUND)


def _meta_of_queries(what: str, kept: Callable[[Document], Document]) -> Feature:
    """Return the feature that is what is known of queries beside some of it."""

    def without(one: Document) -> Document:
        return _with_meta(one, kept(one))

    return Feature(what, "left out", lambda one: int(without(one) != one), without)


def _answers(document: Document) -> Document:
    """Return the metadata that are answers of a query with gold passages."""
    found = document.get("meta", {}).get(ANSWERS)
    texts = isinstance(found, list) and all(isinstance(one, str) for one in found)
    return {ANSWERS: found} if GOLD in document and found and texts else {}


# ---------------------------------------------------------------- DPR


def write_dpr(documents: Sequence[Document]) -> bytes:
    """Return DPR's questions: with the passages that answer them, or with what its retriever found."""
    return json_value([_question_of_dpr(one) for one in documents])


def _question_of_dpr(document: Document) -> dict[str, Any]:
    out = {**({"id": document["id"]} if "id" in document else {}), "question": document["query"]}
    if FOUND in document:
        return {**out, RETRIEVED_BY_DPR: [_context(item, "id") for item in document[FOUND]]}
    answers = document.get("meta", {}).get(ANSWERS, [])
    return {**out, ANSWERS: answers, POSITIVES: [_context(item, "passage_id") for item in document[GOLD]]}


def _context(item: Document, called: str) -> dict[str, Any]:
    """Return a context; DPR has scores as strings."""
    meta = item.get("meta", {})
    known = {called: item.get("id"), "title": meta.get("title"), "text": item["text"]}
    known |= {"score": str(item["score"]) if "score" in item else None, "has_answer": meta.get("has_answer")}
    return {name: value for name, value in known.items() if value is not None}


# ---------------------------------------------------------------- MS MARCO


def write_ms_marco(documents: Sequence[Document]) -> bytes:
    """Return MS MARCO's lines: a query with its passages, each of which was selected for the answer or not."""
    return json_lines([_query_of_ms_marco(one) for one in documents])


def _query_of_ms_marco(document: Document) -> dict[str, Any]:
    return {
        **({"query_id": document["id"]} if "id" in document else {}),
        "query": document["query"],
        "passages": [_candidate(item) for item in document[GOLD]],
        ANSWERS: document.get("meta", {}).get(ANSWERS, [NO_ANSWER]),
    }


def _candidate(item: Document) -> dict[str, Any]:
    known = {"passage_id": item.get("id"), "url": item.get("meta", {}).get("url")}
    known = {name: value for name, value in known.items() if value is not None}
    return {"is_selected": item.get("relevance", 1), "passage_text": item["text"], **known}


def _selected(item: Document) -> Document:
    """Return a passage whose grade is 0 or 1."""
    grade = item.get("relevance", 1)
    return item if grade in (0, 1) else {**item, "relevance": int(grade > 0)}


def _answers_present(document: Document) -> Document:
    """Return the metadata that are answers, of which none says that there is none."""
    known = _answers(document)
    return {} if NO_ANSWER in known.get(ANSWERS, ()) else known


# ---------------------------------------------------------------- SQuAD's rows


def write_squad_rows(documents: Sequence[Document]) -> bytes:
    """Return SQuAD's questions as rows, as Hugging Face has them; the start is -1 where none is known."""
    return json_lines([_row_of_squad(one) for one in documents])


def _row_of_squad(document: Document) -> dict[str, Any]:
    texts = [text for item in document[GOLD] for text in texts_of(item)]
    starts = [-1 if place is None else place[0] for item in document[GOLD] for place in _places(item)]
    return {
        "id": document["id"],
        **document.get("meta", {}),
        "question": document.get("query", ""),
        ANSWERS: {"text": texts, "answer_start": starts},
    }


def _places(item: Document) -> list[list[int] | None]:
    """Return a place, or none, for every wording of an answer."""
    places: list[list[int] | None] = item.get("spans", [item.get("span")] * len(texts_of(item)))
    return places


def _about(document: Document) -> Document:
    """Return the metadata that are the title and the text to which a question belongs."""
    meta = document.get("meta", {})
    return {key: meta[key] for key in ("title", "context") if isinstance(meta.get(key), str) and meta[key]}


def _in_context(document: Document) -> Document:
    """Return a query without places at which its context has another text."""
    context = _about(document).get("context")

    def kept(text: str, place: list[int] | None) -> list[int] | None:
        if place is None or place[1] - place[0] != len(text):
            return None
        return place if context is None or context[place[0] : place[1]] == text else None

    items = []
    for item in passages_of(document, GOLD):
        places = [kept(*one) for one in zip(texts_of(item), _places(item), strict=True)]
        items.append({**_but(item, "span", "spans"), **places_of_wordings(places)})
    return {**document, GOLD: items}


OF_DATA_SETS = (
    Writer(
        "dpr",
        "passages",
        write_dpr,
        (
            NO_QUESTION,
            NO_TEXT,
            passages_where("passages of no relevance", lambda item: item.get("relevance", 1) > 0),
            fields(("text", "id", "score", "meta"), GOLD, FOUND),
            _meta_of_passages("title", "has_answer"),
            _meta_of_queries("queries with metadata other than the answers of gold", _answers),
            UNSURE,
        ),
        reads_as=("dpr",),
    ),
    Writer(
        "ms-marco",
        "passages",
        write_ms_marco,
        (
            only(GOLD, FOUND, "queries with what was retrieved"),
            NO_QUESTION,
            NO_TEXT,
            changed("passages of a grade other than 0 and 1", "written as 0 or 1", _selected, GOLD),
            fields(("text", "id", "relevance", "meta"), GOLD),
            _meta_of_passages("url"),
            _meta_of_queries("queries with metadata other than answers", _answers_present),
            UNSURE,
        ),
        reads_as=("ms-marco",),
    ),
    Writer(
        "squad-rows",
        "passages",
        write_squad_rows,
        (
            only(GOLD, FOUND, "queries with what was retrieved"),
            one_answer(
                "queries with several answers, or answers with more than text and place",
                "reduced to text and place of the first",
                *("text", "answer", "span", "spans"),
            ),
            _meta_of_queries("queries with metadata other than title and context", _about),
            Feature(
                "queries with places at which their context has another text",
                "left without these places",
                lambda one: int(_in_context(one) != one),
                _in_context,
            ),
            UNSURE,
        ),
        reads_as=("squad-rows",),
        needs_ids=True,
    ),
)
