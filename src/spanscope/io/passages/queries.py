"""Queries with gold answers or ranked passages in our own form, which all others are put into."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from spanscope.arguments import identifier
from spanscope.data.corpus import FARTHEST
from spanscope.data.problems import Problem, problem_at
from spanscope.data.unicode_forms import differs_in_form, forms_of
from spanscope.data.wording import quote
from spanscope.errors import fields_of, named, shown
from spanscope.io.documents import Documents, documents_of
from spanscope.io.failed_calls import note_failed_call
from spanscope.io.fields import ERROR, Fields, name_of, passage_fields, value_of
from spanscope.io.metadata import META, meta_of
from spanscope.io.passages.grades import plain_grade
from spanscope.io.passages.library import one_end
from spanscope.io.passages.names import CONTAINERS, CONTEXTS, SAID, first_of, has_both, is_query
from spanscope.io.passages.rows import NAN, PassageRows, Sides, Where, wrong
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import FILES
from spanscope.io.strict import Report
from spanscope.io.surrogates import any_half, refuse_half

UNSURE = "no_answer_probability"
LARGEST_GRADE = 10**9  # no grade is larger
LARGEST = sys.float_info.max
UNKNOWN = "queries with snippets, or with retrieved_passages, or numbers by query and document"
KINDS = {"gold": "gold", "pred": "retrieved"}
OF_PASSAGES = ("file_path", "passage_id", "span", "relevance", "score")  # besides the text
Translate = Callable[[Any, str], Mapping[str, Mapping[str, Any]]]  # a record's query in our form, by side


def read_queries(source: Any, options: ReadOptions) -> Sides:
    """Return the queries of a file or of objects: the side that was asked for, or both where it holds both."""
    if not isinstance(source, (*FILES, list, tuple, Mapping)):
        wrong(options.side, f"the input is {shown(source)}", UNKNOWN)
    found = documents_of(source, options.side, _unwrap, CONTAINERS, Report(), "a path, or queries")
    name = found.name or options.side
    for row, one in enumerate(() if options.fields else found.values):
        if (type(one) is dict or isinstance(one, Mapping)) and first_of(one, CONTEXTS):
            wrong(found.where(row), "the row has the fields of RAGAS", "", "[[input=ragas]]   to read it as such")
    names = passage_fields(options.fields)
    both = any(has_both(one, names) for one in found.values)
    wanted = _sides_wanted(options.side, {"gold", "pred"} if both else {options.side})
    out: Sides = {}
    for side in wanted:
        kind = KINDS.get(side, "")
        rows = rows_of(found.values, name, found.where, options, kind)
        rows.sha256 = found.sha256
        out[side] = _right_side(rows, side)
    return out


def read_translated(
    source: Any, options: ReadOptions, translate: Translate, unwrap: Callable[[Any, str], list[Any]] | None = None
) -> Sides:
    """Return the queries of documents in another form: `translate` puts each into ours, by side."""
    found = documents_of(source, options.side, unwrap or _listed_in, CONTAINERS, Report(), "a path, or queries")
    return translate_queries(found, options, translate)


def translate_queries(found: Documents, options: ReadOptions, translate: Translate) -> Sides:
    """Return the queries of documents that were opened already, by side."""
    made = [translate(value, found.where(row)) for row, value in enumerate(found.values)]
    there = {side for one in made for side in one}
    name, out = found.name or options.side, Sides()
    for side in _sides_wanted(options.side, there):
        lacking = next((row for row, one in enumerate(made) if side not in one), None)
        if side not in there and made:
            what = "holds what was retrieved" if side == "gold" else "holds gold answers"
            wrong(name, f"the {side} side {what}", "gold first, then what was retrieved", "the two swapped")
        if lacking is not None:
            what = "gold answers" if side == "gold" else "passages that were retrieved"
            wrong(found.where(lacking), f"the query has no {what}, and others have", f"{what} in every query")
        own = [_keep_fields(one[side], raw, options) for one, raw in zip(made, found.values, strict=True)]
        rows = rows_of(own, name, found.where, replace(options, fields={}, keep_fields=()), KINDS[side])
        rows.sha256 = found.sha256
        out[side] = rows
    return out


def _keep_fields(query: Mapping[str, Any], raw: Any, options: ReadOptions) -> Mapping[str, Any]:
    """Return a query with the fields of its record that somebody asked to keep."""
    kept = {name: raw[name] for name in options.keep_fields if isinstance(raw, Mapping) and name in raw}
    return {**query, "meta": {**(query.get("meta") or {}), **kept}} if kept else query


def _sides_wanted(side: str, there: set[str]) -> list[str]:
    """Return the sides to read: the one that was asked for, else all that are there."""
    return [side] if side in KINDS else [one if one in KINDS else "" for one in sorted(there)]


def _listed_in(value: Any, _: str) -> list[Any]:
    """Return the documents of a JSON value: those of a list, those in a container, or the only one."""
    if isinstance(value, (list, tuple)):
        return list(value)
    own = value if isinstance(value, Mapping) else {}
    return next((list(own[key]) for key in CONTAINERS if isinstance(own.get(key), list)), [value])


def _right_side(rows: PassageRows, side: str) -> PassageRows:
    """Refuse gold and predictions in each other's place; a source that is read alone may be either."""
    wanted = KINDS.get(side)
    if wanted is not None and rows.kinds and wanted not in rows.kinds:
        what = "holds what was retrieved" if side == "gold" else "holds gold answers"
        wrong(rows.name, f"the {side} side {what}", "gold first, then what was retrieved", "the two swapped")
    return rows


def _unwrap(value: Any, name: str) -> list[Any]:
    """Return the queries of a value."""
    if isinstance(value, (list, tuple)):
        return list(value)
    own = value if isinstance(value, Mapping) else {"": value}
    for key in CONTAINERS:
        if isinstance(own.get(key), list):
            return list(own[key])
    if is_query(own, {}) or not own:
        return [own] if own else []
    return wrong(name, f"the input is {shown(value)}", UNKNOWN)


def rows_of(
    documents: Sequence[Any], name: str, where: Where, options: ReadOptions, kind: str = ""
) -> PassageRows:
    """Return the queries with their answers (gold) or passages (retrieved), everything checked.

    Without a kind each query says what it has. `fields` are the user's names, unless the documents were put into
    our form by the reader of another.
    """
    out, names = PassageRows(name, where, library=options.library), passage_fields(options.fields)
    sought = _sought(names, kind)
    for row, document in enumerate(documents):
        here = where(row)
        if type(document) is not dict and not isinstance(document, Mapping):  # an abstract class is slow to ask
            wrong(here, f"a query is {shown(document)}", "an object with query and snippets or passages")
        out.places.append(row)
        out.ids.append(_name_in(document, names["id"], here))
        out.queries.append(_name_in(document, names["query"], here))
        if out.ids[-1] is None and out.queries[-1] is None:
            wrong(here, "a query has no name", "a string under query, or an id")
        if ERROR in document:
            out.problems += note_failed_call(document, here)
        key, found, gold = _find_list(document, names, kind, sought, here)
        out.kinds.add("gold" if gold else "retrieved")
        out.no_answer.append(_number(document.get(UNSURE), UNSURE, here))
        out.meta.append(meta_of(document.get(META), document, options.keep_fields))
        if set(map(type, found)) == {str}:
            out.extend(found)
            continue
        for number, passage in enumerate(found):
            if (text := _only_text(passage, sought.texts)) is not None:
                out.add(text, None, None, None, NAN, 1, number)
                continue
            _passage(out, passage, f"{key}[{number}]", number, here, names, gold=gold)
    _refuse_halves(out)
    return out


def _refuse_halves(rows: PassageRows) -> None:
    """Refuse halves of surrogate pairs, in columns because these are fast to look at."""
    of_queries, of_passages = (
        (("id", rows.ids), ("query", rows.queries)),
        (("text", rows.text), ("file_path", rows.file), ("id", rows.called)),
    )
    for what, values in of_queries:
        if any_half(values):
            for doc, value in enumerate(values):
                refuse_half(value, what, rows.at(doc))
    for what, values in of_passages:
        if any_half(values):
            for doc, value in zip(rows.doc, values, strict=True):
                refuse_half(value, f"the {what} of a passage", rows.at(doc))


def _name_in(document: Mapping[str, Any], keys: Sequence[str], where: str) -> str | None:
    key = name_of(document, keys)
    if key is None or document[key] is None:
        return None
    name = identifier(document[key])
    if name is None:
        wrong(where, f"{key} is {shown(document[key])}", "a string")
    return name


def _as_text(value: Any, called: str, where: str) -> str:
    """Return a name, whatever it is, as a text."""
    try:
        return str(value)
    except ValueError:  # a number of thousands of digits
        wrong(where, f"{called} is {shown(value)}", "a string")


class _Sought(NamedTuple):
    """Under which fields answers or passages are looked for, settled once for all queries of a source."""

    in_both: tuple[str, ...]  # in a query that has answers and passages
    in_one: tuple[str, ...]  # in any other
    texts: frozenset[str]  # which hold the text of an answer or a passage, and nothing else of it


def _sought(names: Fields, kind: str) -> _Sought:
    fields = {"gold": names["answers"], "retrieved": (*names["passages"], SAID)}
    every = (*fields["gold"], *fields["retrieved"])
    others = {name for key in OF_PASSAGES for name in names[key]}
    texts = frozenset(names["passage_text"]) - others
    return _Sought((*(fields[kind] if kind else every), "answer"), (*every, "answer"), texts)


def _only_text(passage: Any, texts: frozenset[str]) -> str | None:
    """Return the text of an answer or a passage that has nothing else, as most have; else None."""
    if type(passage) is not dict or len(passage) != 1:
        return None
    ((name, text),) = passage.items()
    return text if name in texts and type(text) is str else None


def _find_list(
    document: Mapping[str, Any], names: Fields, kind: str, sought: _Sought, where: str
) -> tuple[str, Sequence[Any], bool]:
    """Return the field that holds answers or passages, these, and whether they are gold.

    An `answer` alone is gold's or a system's, as the side says that is read.
    """
    both = names["answers"][0] in document and names["passages"][0] in document
    key = first_of(document, sought.in_both if both else sought.in_one)
    found = None if key is None else document[key]
    if key is None or found is None:
        expected = f"{names['answers'][0]} or {names['passages'][0]}, an empty list if none"
        wrong(where, f"a query has no passages (it has {fields_of(document)})", expected)
    gold = kind != "retrieved" if key == "answer" else key in names["answers"]
    if key in (SAID, "answer"):
        if not isinstance(found, str):
            wrong(where, f"{key} is {shown(found)}", "a string")
        return key, [found] if found or not gold else [], gold
    if isinstance(found, str) and len(names["answers" if gold else "passages"]) == 1:  # named by somebody
        found = [found]
    if not isinstance(found, (list, tuple)):
        wrong(where, f"{key} is {shown(found)}", "a list")
    return key, found, gold


def _passage(
    out: PassageRows, passage: Any, at: str, number: int, where: str, names: Fields, *, gold: bool
) -> None:
    """Take one answer or passage in; an answer that is a list is one in several wordings, perhaps a span each."""
    if isinstance(passage, str):
        out.add(passage, None, None, None, NAN, 1, number)
        return
    if type(passage) is not dict and not isinstance(passage, Mapping):
        wrong(where, f"{at} is {shown(passage)}", "a text, or an object with text, file_path, span or id")
    text = value_of(passage, names["passage_text"])
    texts = text if gold and isinstance(text, (list, tuple)) and text else [text]
    if text is not None and type(text) is not str and not all(isinstance(one, str) for one in texts):
        wrong(where, f"{at}.text is {shown(text)}", "a string")
    file, called = value_of(passage, names["file_path"]), value_of(passage, names["passage_id"])
    spans = [_span(one, at, where) for one in _spans_of(passage, len(texts), names)]
    if text is None and spans[0] is None and called is None:
        wrong(where, f"{at} has neither text, span nor id", "answer or text, file_path with span, or id")
    grade = passage[key] if (key := first_of(passage, names["relevance"])) is not None else 1
    if isinstance(grade, bool) or not isinstance(grade, (int, float)) or not abs(grade) <= LARGEST_GRADE:
        wrong(where, f"{at}.relevance is {shown(grade)}", f"a number, at most {LARGEST_GRADE:,}")
    score = NAN if gold else _number(value_of(passage, names["score"]), f"{at}.score", where)
    file = None if file is None else _file(out, _as_text(file, f"{at}.file_path", where), where)
    called, grade = None if called is None else _as_text(called, f"{at}.id", where), plain_grade(grade)
    sought = bool(passage.get("sought"))
    for one, span in zip(texts, spans, strict=True):
        own = _find_place(out, one, file, where) if span is None and sought else span
        shown_text, placed = _check_against_file(out, one, file, own, at, where)
        out.add(shown_text, file, placed, called, score, grade, number)
    meta = passage.get("meta")
    if isinstance(meta, Mapping) and meta:
        out.more[len(out.doc) - len(texts)] = dict(meta)


def _spans_of(passage: Mapping[str, Any], size: int, names: Fields) -> Sequence[Any]:
    """Return a span for every wording: one for all, or one each."""
    several = passage.get("spans")
    if isinstance(several, (list, tuple)) and len(several) == size:
        return several
    return [value_of(passage, names["span"])] * size


def _number(value: Any, what: str, where: str) -> float:
    if value is None:
        return NAN
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= LARGEST:
        wrong(where, f"{what} is {shown(value)}", "a number")
    return float(value)


def _file(out: PassageRows, name: str, where: str) -> str:
    """Return the name of a file in one Unicode form, whichever it was written in, without the library's folder."""
    one = unicodedata.normalize("NFC", name)
    if one != name:
        out.problems.append(problem_at("file name", where, {"book": name}))
    own = one if out.library is None else out.library.called(one)
    if own != one and not one.endswith(f"/{own}"):
        out.problems.append(problem_at("other path", where, {"book": one, "other": own}))
    return own


def _span(span: Any, at: str, where: str) -> tuple[int, int] | None:
    if span is None:
        return None
    fits = isinstance(span, (list, tuple)) and len(span) == 2 and all(type(end) is int for end in span)
    if not fits or not 0 <= span[0] <= span[1] <= FARTHEST:
        wrong(where, f"{at}.span is {shown(span)}", "[start, end], 0 <= start <= end")
    return span[0], span[1]


def _find_place(out: PassageRows, text: str | None, file: str | None, where: str) -> tuple[int, int] | None:
    """Return where a text stands that its tool did not find, if its file has it just once."""
    if out.library is None or file is None or not text:
        return None
    whole, flat = out.library.book(file, where).text, one_end(text)
    start = whole.find(flat)
    return None if start < 0 or whole.find(flat, start + 1) >= 0 else (start, start + len(flat))


def _check_against_file(
    out: PassageRows, text: str | None, file: str | None, span: tuple[int, int] | None, at: str, where: str
) -> tuple[str | None, tuple[int, int] | None]:
    """Return text and place of a passage, held against its file where the files are at hand."""
    if out.library is None or file is None or span is None:
        return text, span
    known = file in out.library.books
    book = out.library.book(file, where)
    if book.two and not known:
        out.problems.append(problem_at("line ends", where, {"book": file}))
    start, end = span
    flat = None if text is None else one_end(text)
    if flat is not None:
        placed, counted = book.place(flat, start, end)
        if counted:
            out.problems.append(problem_at("moved place", where, {"at": at, "counted": counted}))
            return flat, placed
    if end > len(book.text):
        whole = f"{len(book.text):,} characters"
        wrong(where, f"{at}.span ends at {end:,}, past the end of {named(file)}", f"at most {whole}")
    cut = book.text[start:end]
    if flat is not None and flat != cut:
        out.problems.append(_other_text(at, text or "", flat, cut, file, where))
    return cut if text is None else text, span


def _other_text(at: str, text: str, flat: str, there: str, book: str, where: str) -> Problem:
    """Return what is noted of a passage with another text than its file has at its place."""
    if differs_in_form(flat, there):
        return problem_at("Unicode form", where, {"at": at, "book": book, **forms_of(flat, there)})
    values = {"at": at, "own": quote(text), "book": book, "there": quote(there)}
    return problem_at("text mismatch", where, values)
