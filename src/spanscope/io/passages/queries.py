"""Queries with gold answers or ranked passages, from objects: the legal scorer's, SQuAD's, lists of dicts."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from spanscope.arguments import identifier
from spanscope.data.corpus import FARTHEST
from spanscope.data.problems import Problem, problem_at, quote
from spanscope.errors import InputError, fields_of, named, shown
from spanscope.io.failed_calls import note_failed_call
from spanscope.io.json_lines import decode, is_lines, item_lines, lines
from spanscope.io.metadata import META, Meta, meta_of
from spanscope.io.opening import open_source
from spanscope.io.passages.grades import plain_grade
from spanscope.io.passages.library import Library, one_end
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import FILES
from spanscope.io.surrogates import any_half, refuse_half

Where = Callable[[int], str]
OTHERS = ("spans", "ents", "entities", "tokens", "words", "segments", "segmentations", "boundaries", "masses")
CONTAINERS = ("tests", "queries", "data", "items")
IDS, QUERIES = ("id", "query_id", "qid"), ("query", "question")
GOLD = ("snippets", "answers", "gold")
RETRIEVED = ("retrieved_passages", "retrieved", "passages", "results")
SAID = "prediction_text"  # an answer alone, as evaluation libraries have it
UNSURE = "no_answer_probability"
IMPOSSIBLE = "is_impossible"  # what only questions of SQuAD 2.0 have
MOST = 10**9  # no grade is larger
NAN = float("nan")
LARGEST = sys.float_info.max
UNKNOWN = "queries with snippets, or with retrieved_passages, or numbers by query and document"


@dataclass(eq=False)
class Rows:
    """Queries, and one row a passage or answer."""

    name: str
    where: Where
    ids: list[str | None] = field(default_factory=list)
    queries: list[str | None] = field(default_factory=list)
    places: list[int] = field(default_factory=list)  # the queries' rows in the input
    meta: list[Meta | None] = field(default_factory=list)  # what else is known of the queries
    no_answer: list[float] = field(default_factory=list)  # how sure a system is that a query has no answer
    doc: list[int] = field(default_factory=list)
    text: list[str | None] = field(default_factory=list)
    file: list[str | None] = field(default_factory=list)
    span: list[tuple[int, int] | None] = field(default_factory=list)
    called: list[str | None] = field(default_factory=list)  # identifiers of documents or passages
    score: list[float] = field(default_factory=list)
    grade: list[float] = field(default_factory=list)
    group: list[int] = field(default_factory=list)  # answers of one group are alternatives
    problems: list[Problem] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)  # gold, retrieved: what the fields say that this is
    library: Library | None = None
    sha256: str | None = None

    def add(
        self,
        text: str | None,
        file: str | None,
        span: tuple[int, int] | None,
        called: str | None,
        score: float,
        grade: float,
        group: int,
    ) -> None:
        """Take a row of the last query in."""
        self.doc.append(len(self.ids) - 1)
        self.text.append(text)
        self.file.append(file)
        self.span.append(span)
        self.called.append(called)
        self.score.append(score)
        self.grade.append(grade)
        self.group.append(group)

    def extend(self, texts: Sequence[str]) -> None:
        """Take texts of the last query in that have nothing else."""
        size = len(texts)
        self.doc += [len(self.ids) - 1] * size
        self.text += texts
        nothing = [None] * size
        self.file += nothing
        self.span += nothing
        self.called += nothing
        self.score += [NAN] * size
        self.grade += [1] * size
        self.group += range(size)

    def at(self, doc: int) -> str:
        """Return where a query is."""
        return self.where(self.places[doc])


def is_query(one: Any) -> bool:
    """Tell a query by its fields."""
    if not isinstance(one, Mapping) or any(key in one for key in OTHERS):
        return False
    return any(key in one for key in ("snippets", "answers", *RETRIEVED, "paragraphs", SAID))


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


def read_queries(source: Any, options: ReadOptions) -> Rows:
    """Return the queries of a file or of objects, gold on the side of gold."""
    side = options.side
    if not isinstance(source, FILES):
        documents, _ = _unwrapped(source, side)
        return _right_side(rows_of(documents, side, lambda row: f"{side}[{row}]", options), side)
    file = open_source(source)
    if is_lines(file):
        numbered = list(lines(file))
        at = [number for number, _ in numbered]
        found = [decode(line, file.name, number) for number, line in numbered]
        rows = rows_of(found, file.name, lambda row: f"{file.name}:{at[row]}", options)
    else:
        value = decode(file.data, file.name)
        documents, wrapped = _unwrapped(value, file.name)
        where = item_lines(file, value, CONTAINERS, whole=False) if wrapped else (lambda _: file.name)
        rows = rows_of(documents, file.name, where, options)
    rows.sha256 = file.sha256
    return _right_side(rows, side)


def _right_side(rows: Rows, side: str) -> Rows:
    """Refuse gold and predictions in each other's place; a source that is read alone may be either."""
    wanted = "gold" if side == "gold" else "retrieved"
    if side in ("gold", "pred") and rows.kinds and wanted not in rows.kinds:
        what = "holds what was retrieved" if side == "gold" else "holds gold answers"
        wrong(rows.name, f"the {side} side {what}", "gold first, then what was retrieved", "the two swapped")
    return rows


def _unwrapped(value: Any, name: str) -> tuple[list[Any], bool]:
    """Return the queries of a value, and whether each stands on its own there."""
    if isinstance(value, (list, tuple)):
        return list(value), True
    own = value if isinstance(value, Mapping) else {"": value}
    for key in CONTAINERS:
        if isinstance(own.get(key), list):
            found = own[key]
            if found and isinstance(found[0], Mapping) and "paragraphs" in found[0]:
                return _squad(found, name), False
            return list(found), True
    if is_query(own):
        return [own], False
    if own is not value or not all(isinstance(answer, str) for answer in own.values()):
        wrong(name, f"the input is {shown(value)}", UNKNOWN)
    return [{"id": key, "retrieved_passages": [answer]} for key, answer in own.items()], False  # SQuAD's


def _squad(articles: Sequence[Any], name: str) -> list[Any]:
    """Return SQuAD's questions, the answers of each as its gold; none where it is unanswerable."""
    out = []
    for number, article in enumerate(articles):
        try:
            for paragraph in article["paragraphs"]:
                for question in paragraph["qas"]:
                    texts = [one["text"] for one in question["answers"]]
                    out.append({"id": question["id"], "snippets": [{"answer": texts}] if texts else []})
        except (KeyError, TypeError) as error:
            lacks = f"lacks {error}" if isinstance(error, KeyError) else f"is {shown(article)}"
            wrong(name, f"data[{number}] {lacks}", "SQuAD's data: paragraphs, qas, id, answers, text")
    return out


def rows_of(documents: Sequence[Any], name: str, where: Where, options: ReadOptions) -> Rows:
    """Return the queries with their answers or passages, everything checked."""
    out = Rows(name, where, library=options.library)
    for row, document in enumerate(documents):
        here = where(row)
        if not isinstance(document, Mapping):
            wrong(here, f"a query is {shown(document)}", "an object with query and snippets or passages")
        out.places.append(row)
        out.ids.append(_named(document, IDS, here))
        out.queries.append(_named(document, QUERIES, here))
        if out.ids[-1] is None and out.queries[-1] is None:
            wrong(here, "a query has no name", "a string under query, or an id")
        out.problems += note_failed_call(document, here)
        out.meta.append(meta_of(document.get(META), document, options.keep_fields))
        key, found = _listed(document, here)
        gold = key in GOLD
        out.kinds.add("gold" if gold else "retrieved")
        out.no_answer.append(_number(document.get(UNSURE), UNSURE, here))
        if set(map(type, found)) == {str}:
            out.extend(found)
            continue
        for number, passage in enumerate(found):
            _passage(out, passage, f"{key}[{number}]", number, here, gold=gold)
    _refuse_halves(out)
    return out


def _refuse_halves(rows: Rows) -> None:
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


def _named(document: Mapping[str, Any], keys: Sequence[str], where: str) -> str | None:
    found = next(((key, document[key]) for key in keys if document.get(key) is not None), None)
    if found is None:
        return None
    name = identifier(found[1])
    if name is None:
        wrong(where, f"{found[0]} is {shown(found[1])}", "a string")
    return name


def _written(value: Any, called: str, where: str) -> str:
    """Return a name, whatever it is, as a text."""
    try:
        return str(value)
    except ValueError:  # a number of thousands of digits
        wrong(where, f"{called} is {shown(value)}", "a string")


def _listed(document: Mapping[str, Any], where: str) -> tuple[str, Sequence[Any]]:
    """Return the field that holds answers or passages, and these."""
    key = next((key for key in (*GOLD, *RETRIEVED, SAID) if key in document), None)
    found = None if key is None else document[key]
    if key is None or found is None:
        expected = f"{GOLD[0]} or {RETRIEVED[0]}, an empty list if none"
        wrong(where, f"a query has no passages (it has {fields_of(document)})", expected)
    if key == SAID:
        if not isinstance(found, str):
            wrong(where, f"{SAID} is {shown(found)}", "a string")
        return key, [found]
    if key == "answers" and isinstance(found, Mapping):  # columns of texts, as data set libraries have them
        texts = found.get("text")
        found = [{"answer": list(texts)}] if isinstance(texts, (list, tuple)) and texts else texts
    if not isinstance(found, (list, tuple)):
        wrong(where, f"{key} is {shown(found)}", "a list")
    return key, found


def _passage(out: Rows, passage: Any, at: str, number: int, where: str, *, gold: bool) -> None:
    """Take one answer or passage in; an answer that is a list is one in several wordings."""
    if isinstance(passage, str):
        out.add(passage, None, None, None, NAN, 1, number)
        return
    if not isinstance(passage, Mapping):
        wrong(where, f"{at} is {shown(passage)}", "a text, or an object with text, file_path, span or id")
    text = next((passage[key] for key in ("answer", "text", "content") if passage.get(key) is not None), None)
    texts = text if gold and isinstance(text, (list, tuple)) and text else [text]
    if text is not None and not all(isinstance(one, str) for one in texts):
        wrong(where, f"{at}.text is {shown(text)}", "a string")
    file, called = passage.get("file_path"), passage.get("id", passage.get("doc_id"))
    span = _span(passage.get("span"), at, where)
    if text is None and span is None and called is None:
        wrong(where, f"{at} has neither text, span nor id", "answer or text, file_path with span, or id")
    grade = passage.get("relevance", 1)
    if isinstance(grade, bool) or not isinstance(grade, (int, float)) or not abs(grade) <= MOST:
        wrong(where, f"{at}.relevance is {shown(grade)}", f"a number, at most {MOST:,}")
    score = NAN if gold else _number(passage.get("score"), f"{at}.score", where)
    file = None if file is None else _file(out, _written(file, f"{at}.file_path", where), where)
    called, grade = None if called is None else _written(called, f"{at}.id", where), plain_grade(grade)
    for one in texts:
        shown_text, placed = _checked(out, one, file, span, at, where)
        out.add(shown_text, file, placed, called, score, grade, number)


def _number(value: Any, what: str, where: str) -> float:
    if value is None:
        return NAN
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= LARGEST:
        wrong(where, f"{what} is {shown(value)}", "a number")
    return float(value)


def _file(out: Rows, name: str, where: str) -> str:
    """Return the name of a file in one Unicode form, whichever it was written in."""
    one = unicodedata.normalize("NFC", name)
    if one != name:
        out.problems.append(problem_at("file name", where, {"book": name}))
    return one


def _span(span: Any, at: str, where: str) -> tuple[int, int] | None:
    if span is None:
        return None
    fits = isinstance(span, (list, tuple)) and len(span) == 2 and all(type(end) is int for end in span)
    if not fits or not 0 <= span[0] <= span[1] <= FARTHEST:
        wrong(where, f"{at}.span is {shown(span)}", "[start, end], 0 <= start <= end")
    return span[0], span[1]


def _checked(
    out: Rows, text: str | None, file: str | None, span: tuple[int, int] | None, at: str, where: str
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
        values = {"at": at, "own": quote(text), "book": file, "there": quote(cut)}
        out.problems.append(problem_at("text mismatch", where, values))
    return cut if text is None else text, span


def wrong(where: str, what: str, expected: str = "", hint: str = "") -> NoReturn:
    """Refuse an input."""
    raise InputError(what, where=where, expected=expected, hint=hint)
