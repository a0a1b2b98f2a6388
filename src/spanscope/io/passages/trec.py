"""Judgements and runs by identifier: TREC's qrels and runs, and numbers by query and document."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import numpy as np

from spanscope.data.corpus import Corpus, Queries, Spans
from spanscope.data.problems import Problem, problem_at
from spanscope.errors import InputError, named, shown
from spanscope.io.opening import open_source
from spanscope.io.passages.grades import note_fractions, plain_grade
from spanscope.io.passages.judged import HEAD, is_number
from spanscope.io.passages.rows import Sides
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import Source
from spanscope.io.surrogates import any_half, has_half, refuse_half

QRELS, RUN = "query 0 document grade", "query Q0 document rank score tag"
ASK = "[[input=qrels]] or [[input=run]]"
GRADE = re.compile(rb"[+-]?(?:\d{1,9}(?:\.\d*)?|\.\d+)")
LARGEST_GRADE = 2.0**63  # no grade is larger


def read_trec(source: Any, options: ReadOptions) -> Sides:
    """Return the judgements (gold) or the run of a file, by query; they have no places in a library."""
    wanted = {"gold": "qrels", "pred": "run"}.get(options.side, "")
    corpus = corpus_of_lines(open_source(source), wanted)
    return {corpus.queries.kind.replace("retrieved", "pred"): corpus}


def corpus_of_lines(file: Source, wanted: str) -> Corpus:
    """Return the judgements or the run that the lines of a file are."""
    found, at, problems, kind = _parse(file.data, file.name, wanted)
    numbers, side = list(at.values()), "gold" if kind == "qrels" else "pred"
    corpus = corpus_of_lists(found, file.name, lambda row: f"{file.name}:{numbers[row]}", side)
    corpus.sha256, corpus.problems = file.sha256, [*problems, *_fractions(found.values(), file.name, side)]
    return corpus


def _parse(
    data: bytes, name: str, wanted: str
) -> tuple[dict[str, dict[str, float]], dict[str, int], list[Problem], str]:
    """Return numbers by query and document, the line of each query, repeated documents, and what they are.

    Nothing is `wanted` of a source that is read alone: its first line says whether it is qrels or a run.
    """
    found: dict[str, dict[str, float]] = {}
    at: dict[str, int] = {}
    problems: list[Problem] = []
    kind = ""
    lines = data.split(b"\n")
    head = HEAD.match(lines[0])
    parted = next((one for one in (b"\t", b",") if head and one in lines[0]), None)  # BEIR's may have spaces
    for number, line in enumerate(lines, start=1):
        fields = [part.strip() for part in line.split(parted)] if line.strip() else []
        if not fields or (number == 1 and head):
            continue
        if not kind:
            kind = {3: "qrels", 4: "qrels", 5: "run", 6: "run"}.get(len(fields), wanted or "run")
            _right_kind(name, kind, wanted or kind)
        try:
            query, document, value = _line(fields, kind)
        except (IndexError, ValueError):
            text = line.decode("utf-8", "replace").rstrip("\r")
            _wrong(f"{name}:{number}", f"the line is {shown(text)}", QRELS if kind == "qrels" else RUN)
        if query not in found:
            found[query], at[query] = {}, number
        if document in found[query]:
            problems.append(
                problem_at("repeated document", f"{name}:{number}", {"name": document, "query": query})
            )
        found[query][document] = value
    return found, at, problems, kind or wanted


def _line(fields: list[bytes], kind: str) -> tuple[str, str, float]:
    """Return query, document and number of a line; ValueError or IndexError where it is none of its kind."""
    if kind == "qrels":
        if len(fields) not in (3, 4) or not GRADE.fullmatch(fields[-1]):
            raise ValueError
        return fields[0].decode(), fields[-2].decode(), plain_grade(float(fields[-1]))
    score = float(fields[4])
    if math.isnan(score):  # words after the tag are let be, as trec_eval does
        raise ValueError
    return fields[0].decode(), fields[2].decode(), score


def _right_kind(name: str, kind: str, wanted: str) -> None:
    if kind != wanted:
        what = "the gold side holds a run" if wanted == "qrels" else "the pred side holds judgements"
        _wrong(name, what, f"gold first ({QRELS}), then the run ({RUN})", "the two swapped")


def corpus_of_dicts(source: Mapping[Any, Any], side: str, name: str) -> Corpus:
    """Return numbers by query and document that are in memory, as they are where they can be."""
    found: dict[str, Mapping[str, float]] = {}
    odd: list[Mapping[str, float]] = []  # numbers that were looked at one by one: only these may have fractions
    halves = any_half(list(source))
    for query, own in source.items():
        if type(own) is not dict and not isinstance(own, Mapping):
            _wrong(f"{name}[{query!r}]", f"the query has {shown(own)}", "numbers by document")
        if halves:
            refuse_half(query, "the query", name)
        sound = _is_sound(own, whole=side == "gold")
        if str(query) in found:
            _wrong(f"{name}[{query!r}]", "another query has the same name as text", "different queries")
        found[str(query)] = own if sound else _numbers(own, f"{name}[{query!r}]", whole=side == "gold")
        if not sound:
            odd.append(found[str(query)])
    names = list(source)
    corpus = corpus_of_lists(found, name, lambda row: f"{name}[{names[row]!r}]", side)
    corpus.problems = _fractions(odd, name, side)
    return corpus


def _fractions(found: Iterable[Mapping[str, float]], name: str, side: str) -> list[Problem]:
    """Note grades with fractions; scores may have any."""
    return note_fractions(name, (grade for own in found for grade in own.values())) if side == "gold" else []


def _is_sound(own: Mapping[Any, Any], *, whole: bool) -> bool:
    """Tell numbers by names that need no second look. One pass over a run: more take as long as scoring it."""
    if whole and not set(map(type, own.values())) <= {int}:
        return False
    try:
        names = "".join(own)  # fails on names that are no strings
        if not names.isascii() and has_half(names):
            return False
        return type(next(iter(own.values()), 0)) is not bool and not math.isnan(sum(own.values()))
    except (TypeError, OverflowError):
        return False


def _numbers(own: Mapping[Any, Any], where: str, *, whole: bool) -> dict[str, float]:
    """Return grades or scores of any number type, checked one by one."""
    out: dict[str, float] = {}
    for document, value in own.items():
        refuse_half(document, "a document's name", where)
        if not is_number(value) or math.isnan(_double(value)):
            _wrong(where, f"the value of {named(document)} is {shown(value)}", "a grade or a score")
        if whole and not abs(float(value)) < LARGEST_GRADE:
            _wrong(where, f"the grade of {named(document)} is {shown(value)}", "a number that is finite")
        if str(document) in out:
            _wrong(where, f"two documents are {shown(str(document))} as text", "different documents")
        out[str(document)] = plain_grade(value) if whole else float(value)
    return out


def _double(value: float) -> float:
    """Return a number as a double; NaN for whole numbers that are too large for one."""
    try:
        return float(value)
    except OverflowError:
        return math.nan


def corpus_of_lists(found: Mapping[str, Mapping[str, float]], name: str, locate: Any, side: str) -> Corpus:
    """Return queries whose documents are known by identifier alone: a mapping each, no spans.

    Numbers of gold are grades, of predictions scores; what those of a source that is read alone are, is open.
    """
    none = np.zeros(0, dtype=np.int64)
    corpus = Corpus(name, list(found), (), Spans(none, none, none, none, none), locate=locate)
    kind = {"gold": "gold", "pred": "retrieved"}.get(side, "")
    corpus.queries, corpus.n_documents = Queries(list(found.values()), kind=kind), len(found)
    return corpus


def _wrong(where: str, what: str, expected: str = "", hint: str = "") -> NoReturn:
    raise InputError(what, where=where, expected=expected, hint=hint)
