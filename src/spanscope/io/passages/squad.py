"""SQuAD: its articles, its questions as rows, and the answers that a system gives to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from spanscope.data.problems import Problem, problem_at
from spanscope.errors import shown
from spanscope.io.documents import documents_of
from spanscope.io.passages.names import CONTAINERS
from spanscope.io.passages.queries import read_translated, translate_queries
from spanscope.io.passages.rows import PassageRows, Sides, wrong
from spanscope.io.read_options import ReadOptions
from spanscope.io.strict import Report

IMPOSSIBLE = "is_impossible"  # what only questions of SQuAD 2.0 have
SHAPE = "SQuAD's data: paragraphs, qas, id, answers, text"


def squad_protocol(value: Any) -> str | None:
    """Return the protocol of SQuAD's own JSON by its version; None for everything else.

    The files of 1.1 have their version at the end, which a look at their beginning may not reach: questions of
    2.0 say whether they are impossible.
    """
    articles = value.get("data") if isinstance(value, Mapping) else None
    if not isinstance(articles, (list, tuple)) or not articles:
        return None
    if not (isinstance(articles[0], Mapping) and "paragraphs" in articles[0]):
        return None
    if version := re.search("[0-9]", str(value.get("version", ""))):
        return "squad" if version[0] == "1" else "squad2"
    questions = list(_questions(articles))
    unanswered = any(IMPOSSIBLE in one or not one.get("answers", True) for one in questions)
    return "squad2" if unanswered else "squad"


def _questions(articles: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the questions of SQuAD's articles, as far as they are some."""
    for article in articles:
        own = article.get("paragraphs") if isinstance(article, Mapping) else None
        for paragraph in own if isinstance(own, (list, tuple)) else ():
            asked = paragraph.get("qas") if isinstance(paragraph, Mapping) else None
            yield from (
                one for one in (asked if isinstance(asked, (list, tuple)) else ()) if isinstance(one, Mapping)
            )


def read_squad(source: Any, options: ReadOptions) -> Sides:
    """Return the questions of articles with their answers, wordings of one, each at its place in its context."""
    return _note(options, source, _flatten)


def read_squad_rows(source: Any, options: ReadOptions) -> Sides:
    """Return questions that are rows: `answers` has columns of texts and of starts."""
    return _note(options, source, None)


def _note(options: ReadOptions, source: Any, unwrap: Any) -> Sides:
    shifted: list[str] = []

    def translate(one: Any, where: str) -> dict[str, dict[str, Any]]:
        return {"gold": _query(one, where, shifted)}

    if unwrap is None:
        out = read_translated(source, options, translate)
    else:
        found = documents_of(source, options.side, unwrap, CONTAINERS, Report())
        out = translate_queries(found._replace(where=lambda _: found.name), options, translate)
    for rows in out.values():
        if isinstance(rows, PassageRows):
            rows.problems += _note_shifted(shifted)
    return out


def _note_shifted(places: Sequence[str]) -> list[Problem]:
    if not places:
        return []
    values = {"why": "the context has another text at answer_start"}
    return [problem_at("no place", places[0], values, number=len(places))]


def _flatten(value: Any, name: str) -> list[Any]:
    """Return the questions of SQuAD's articles as rows."""
    own = value if isinstance(value, Mapping) else {}
    articles: list[Any] | None = next((own[key] for key in CONTAINERS if isinstance(own.get(key), list)), None)
    if articles is None:
        wrong(name, f"the input is {shown(value)}", "an object with SQuAD's articles under data")
    out = []
    for number, article in enumerate(articles):
        try:
            title = {"title": article["title"]} if article.get("title") is not None else {}
            for paragraph in article["paragraphs"]:
                about = title | {key: paragraph[key] for key in ("context",) if key in paragraph}
                for question in paragraph["qas"]:
                    texts = [one["text"] for one in question["answers"]]
                    starts = [one.get("answer_start") for one in question["answers"]]
                    own = {"id": question["id"], "question": question.get("question")}
                    out.append({**own, **about, "answers": {"text": texts, "answer_start": starts}})
        except (KeyError, TypeError, AttributeError) as error:
            lacks = f"lacks {error}" if isinstance(error, KeyError) else f"is {shown(article)}"
            wrong(name, f"data[{number}] {lacks}", SHAPE)
    return out


def _query(one: Any, where: str, shifted: list[str]) -> dict[str, Any]:
    """Return a question in our form; a start at which the context has another text is no place."""
    if not isinstance(one, Mapping):
        wrong(where, f"a question is {shown(one)}", "an object with id, context and answers")
    answers = one["answers"] if isinstance(one.get("answers"), Mapping) else {}
    texts, starts = answers.get("text"), answers.get("answer_start")
    if not isinstance(texts, (list, tuple)) or not all(isinstance(text, str) for text in texts):
        wrong(where, f"answers.text is {shown(texts)}", "a list of texts")
    if not isinstance(starts, (list, tuple)) or len(starts) != len(texts):
        starts = [None] * len(texts)
    context = one.get("context")
    spans = [_place(text, start, context, where, shifted) for text, start in zip(texts, starts, strict=True)]
    meta = {key: one[key] for key in ("title", "context") if one.get(key)}
    snippets = [{"answer": list(texts), "spans": spans}] if texts else []
    return {"id": one.get("id"), "query": one.get("question") or None, "snippets": snippets, "meta": meta}


def _place(text: str, start: Any, context: Any, where: str, shifted: list[str]) -> list[int] | None:
    if type(start) is not int or start < 0:
        return None
    end = start + len(text)
    if isinstance(context, str) and context[start:end] != text:
        shifted.append(where)
        return None
    return [start, end]


def is_answers(value: Any) -> bool:
    """Tell answers by the ids of their questions: an object of strings, none of them a field that others know."""
    return isinstance(value, Mapping) and bool(value) and all(isinstance(one, str) for one in value.values())


def read_answers(source: Any, options: ReadOptions) -> Sides:
    """Return a system's answers, each under the id of its question; an empty one says that there is none."""

    def unwrap(value: Any, name: str) -> list[Any]:
        if not is_answers(value):
            wrong(name, f"the input is {shown(value)}", 'answers by id, such as {"q1": "New York"}')
        return list(value.items())

    def translate(one: Any, where: str) -> dict[str, dict[str, Any]]:
        if not isinstance(one, tuple):
            wrong(where, f"the line is {shown(one)}", "one object with the answers by id")
        return {"pred": {"id": one[0], "retrieved_passages": [one[1]]}}

    return read_translated(source, options, translate, unwrap)
