"""DPR and MS MARCO: questions with answers, and with passages that hold them or were retrieved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spanscope.data.problems import problem_at
from spanscope.errors import shown
from spanscope.io.passages.names import POSITIVES, RETRIEVED_BY_DPR, is_ms_marco_columns
from spanscope.io.passages.queries import read_translated
from spanscope.io.passages.rows import PassageRows, Sides, wrong
from spanscope.io.read_options import ReadOptions

NEGATIVES = ("negative_ctxs", "hard_negative_ctxs")
PASSAGE_IDS = ("passage_id", "psg_id", "id")
NO_ANSWER = "No Answer Present."  # what MS MARCO writes in place of an answer


def read_dpr(source: Any, options: ReadOptions) -> Sides:
    """Return DPR's questions: gold are the positive contexts where a file has them, else the answers, one of which
    will do; retrieved are `ctxs`.
    """
    aside = dict.fromkeys(NEGATIVES, 0)

    def translate(one: Any, where: str) -> dict[str, dict[str, Any]]:
        if not isinstance(one, Mapping):
            wrong(where, f"a question is {shown(one)}", "an object with question, answers and ctxs")
        for name in NEGATIVES:
            aside[name] += len(_list(one.get(name), name, where))
        return _question(one, options.fields, where)

    out = read_translated(source, options, translate)
    return _with_aside(out, {"negative contexts": sum(aside.values())})


def _question(one: Mapping[str, Any], own: Mapping[str, str], where: str) -> dict[str, dict[str, Any]]:
    query = {"id": one.get("id"), "query": one.get(own.get("query", "question"))}
    answers = _list(one.get(own.get("answers", "answers")), "answers", where)
    out: dict[str, dict[str, Any]] = {}
    if POSITIVES in one and "answers" not in own:
        passages = [_context(ctx, where) for ctx in _list(one[POSITIVES], POSITIVES, where)]
        for passage in passages:
            passage.pop("score", None)
        out["gold"] = {**query, "snippets": passages, "meta": {"answers": list(answers)} if answers else {}}
    elif own.get("answers", "answers") in one:
        out["gold"] = {**query, "snippets": [{"answer": list(answers)}] if answers else []}
    if (name := own.get("passages", RETRIEVED_BY_DPR)) in one:
        passages = [_context(ctx, where) for ctx in _list(one[name], name, where)]
        out["pred"] = {**query, "retrieved_passages": passages}
    return out


def _context(one: Any, where: str) -> dict[str, Any]:
    """Return a context as a passage; DPR writes its scores as strings."""
    if not isinstance(one, Mapping):
        wrong(where, f"a context is {shown(one)}", "an object with title and text")
    name = next((one[key] for key in PASSAGE_IDS if one.get(key) is not None), None)
    meta = {key: one[key] for key in ("title", "has_answer") if one.get(key) is not None}
    return {"text": one.get("text"), "id": name, "score": _score(one.get("score"), where), "meta": meta}


def _score(value: Any, where: str) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return float(value)
    except ValueError:
        wrong(where, f"score is {shown(value)}", "a number")


def _list(value: Any, called: str, where: str) -> Sequence[Any]:
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)):
        wrong(where, f"{called} is {shown(value)}", "a list")
    return value


def _with_aside(out: Sides, numbers: Mapping[str, int]) -> Sides:
    """Return what was read, with a note of what was left aside."""
    for rows in list(out.values())[:1]:
        noted = [
            problem_at("left aside", rows.name, {"kinds": what, "for": "queries"}, number=number)
            for what, number in numbers.items()
            if number
        ]
        if isinstance(rows, PassageRows):
            rows.problems += noted
    return out


# ---------------------------------------------------------------- MS MARCO


def read_ms_marco(source: Any, options: ReadOptions) -> Sides:
    """Return MS MARCO's queries as gold: a passage is relevant where somebody selected it for the answer.

    Its passages are the candidates of another system, in no order of their own: nothing in the file was retrieved.
    """

    def unwrap(value: Any, _: str) -> list[Any]:
        if is_ms_marco_columns(value):
            columns = {key: own for key, own in value.items() if isinstance(own, Mapping)}
            return [{key: own.get(row) for key, own in columns.items()} for row in value["query"]]
        return list(value) if isinstance(value, (list, tuple)) else [value]

    def translate(one: Any, where: str) -> dict[str, dict[str, Any]]:
        if not isinstance(one, Mapping):
            wrong(where, f"a query is {shown(one)}", "an object with query and passages")
        return {"gold": _select(one, options.fields, where)}

    return read_translated(source, options, translate, unwrap)


def _select(one: Mapping[str, Any], own: Mapping[str, str], where: str) -> dict[str, Any]:
    query = {"id": one.get("query_id", one.get("id")), "query": one.get("query", one.get("question"))}
    name = own.get("answers", "answers")
    if "passages" not in one and "answers" not in own:
        wrong(where, "a query has no passages", "passages, each with is_selected")
    answers = [text for text in _list(one.get(name), name, where) if text != NO_ANSWER]
    if "answers" in own:
        return {**query, "snippets": [{"answer": answers}] if answers else []}
    meta = {"answers": answers} if answers else {}
    return {**query, "snippets": [_candidate(passage, where) for passage in _passages(one, where)], "meta": meta}


def _passages(one: Mapping[str, Any], where: str) -> list[Any]:
    """Return the passages of a query, from columns where they stand in some."""
    found = one.get("passages")
    if not isinstance(found, Mapping):
        return list(_list(found, "passages", where))
    columns = {key: own for key, own in found.items() if isinstance(own, (list, tuple))}
    if len(set(map(len, columns.values()))) > 1:
        wrong(where, "the columns of passages have different lengths", "a value for every passage")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _candidate(one: Any, where: str) -> dict[str, Any]:
    selected = one.get("is_selected") if isinstance(one, Mapping) else None
    if selected not in (0, 1):
        wrong(where, f"is_selected is {shown(selected)}", "0 or 1 for every passage")
    name = next((one[key] for key in PASSAGE_IDS if one.get(key) is not None), None)
    meta = {"url": one["url"]} if one.get("url") is not None else {}
    text = one.get("passage_text", one.get("text"))
    return {"text": text, "id": name, "relevance": int(selected), "meta": meta}
