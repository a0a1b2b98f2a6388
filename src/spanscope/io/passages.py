"""Queries with ranked passages and gold answers: the legal scorer's files, TREC, SQuAD, BEIR."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import numpy as np

from spanscope.data import FARTHEST, NOWHERE, Corpus, Problem, Spans, Texts
from spanscope.errors import InputError, shown
from spanscope.io.jsonl import decode, is_lines, item_lines, lines
from spanscope.io.source import open_source, peek
from spanscope.ranking import ranked

Where = Callable[[int], str]
KEYS = re.compile(rb'"(retrieved_passages|snippets|paragraphs)"\s*:')
BEGINS = re.compile(rb'\s*(\{\s*"(tests|version|data|queries)"|\[\s*\{\s*"(id|query|query_id|qid|question)")\s*:')
TREC = re.compile(
    rb"\s*\S+[ \t]+(\d+[ \t]+\S+[ \t]+-?\d+|Q0[ \t]+\S+[ \t]+\S+[ \t]+-?[\d.eE+-]+([ \t]+\S+)?)[ \t]*(\r?\n|$)"
)
OTHERS = ("spans", "ents", "entities", "tokens", "words", "segments", "segmentations", "boundaries", "masses")
CONTAINERS = ("tests", "queries", "data", "items")
QUERY = ("id", "query_id", "qid", "query", "question")
GOLD = ("snippets", "answers", "gold")
RETRIEVED = ("retrieved_passages", "retrieved", "passages", "results")
PLAIN = "passage"  # the label of passages that name no file


@dataclass
class Rows:
    """Queries, and one row a passage or answer."""

    name: str
    ids: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)  # the queries' rows in the input
    doc: list[int] = field(default_factory=list)
    text: list[str | None] = field(default_factory=list)
    file: list[str | None] = field(default_factory=list)
    span: list[tuple[int, int] | None] = field(default_factory=list)
    called: list[str | None] = field(default_factory=list)  # identifiers of documents or passages
    score: list[float] = field(default_factory=list)
    grade: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)  # gold, retrieved: what the fields say that this is

    def add(self, **values: Any) -> None:
        """Take one passage of the last query in."""
        self.doc.append(len(self.ids) - 1)
        self.text.append(values.get("text"))
        self.file.append(values.get("file"))
        self.span.append(values.get("span"))
        self.called.append(values.get("called"))
        self.score.append(values.get("score", float("nan")))
        self.grade.append(values.get("grade", 1))


def has_passages(source: Any) -> bool:
    """Tell whether a source holds queries with passages or answers, by the fields of its first query."""
    if isinstance(source, (str, Path)):
        if is_folder(source):
            return True
        head = peek(source)
        return bool(TREC.match(head)) or _shows(head)
    return _is_query(_first(source)) or is_judged(source)


def is_judged(source: Any) -> bool:
    """Tell judgements or runs: TREC's files, BEIR's folders, or dicts of dicts of numbers."""
    if isinstance(source, (str, Path)):
        return is_folder(source) or bool(TREC.match(peek(source)))
    if not isinstance(source, Mapping) or not source:
        return False
    own = next(iter(source.values()))
    return isinstance(own, Mapping) and bool(own) and all(type(value) in (int, float) for value in own.values())


def is_folder(source: str | Path) -> bool:
    """Tell a BEIR folder."""
    try:
        return Path(source).is_dir() and (Path(source) / "qrels").is_dir()
    except (OSError, ValueError):  # whoever opens it says what is wrong with the name
        return False


def _first(value: Any) -> Any:
    if isinstance(value, Mapping):
        inner = next((value[key] for key in CONTAINERS if isinstance(value.get(key), list) and value[key]), None)
        return value if inner is None else inner[0]
    return value[0] if isinstance(value, (list, tuple)) and value else None


def _is_query(one: Any) -> bool:
    if not isinstance(one, Mapping) or any(key in one for key in OTHERS):
        return False
    return any(key in one for key in ("snippets", "answers", *RETRIEVED, "paragraphs"))


def _shows(head: bytes) -> bool:
    """Tell queries in the first bytes of a file: decoded where they are whole, else by its first fields."""
    for part in (head.lstrip().partition(b"\n")[0], head):
        try:
            return _is_query(_first(msgspec.json.decode(part)))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
    return bool(BEGINS.match(head)) and bool(KEYS.search(head))


def read_passages(source: Any, side: str) -> Corpus:
    """Return queries with their gold answers, or with their passages in the order of retrieval."""
    if side == "gold" and is_judged(source) and isinstance(source, Mapping):
        _whole_grades(source)
    if isinstance(source, (str, Path)):
        path = Path(source) / "qrels" / "test.tsv" if is_folder(source) else source
        file = open_source(path)
        if TREC.match(file.data[: 1 << 16]) or str(path).endswith(".tsv"):
            rows, numbers = _trec(file.data, file.name)
            return _corpus(rows, side, lambda row: f"{file.name}:{numbers[row]}", file.sha256)
        if is_lines(file):
            numbered = list(lines(file.data))
            at = [number for number, _ in numbered]
            found = [decode(line, file.name, number) for number, line in numbered]
            rows = _rows(found, file.name, lambda row: f"{file.name}:{at[row]}")
            return _corpus(rows, side, lambda row: f"{file.name}:{at[row]}", file.sha256)
        value = decode(file.data, file.name)
        documents, wrapped = _unwrapped(value, file.name)
        where = item_lines(file, value, CONTAINERS, whole=False) if wrapped else (lambda _: file.name)
        return _corpus(_rows(documents, file.name, where), side, where, file.sha256)
    documents, _ = _unwrapped(source, side)

    def place(row: int) -> str:
        return f"{side}[{row}]"

    return _corpus(_rows(documents, side, place), side, place, None)


def _whole_grades(source: Any) -> None:
    """Refuse judgements whose grades are no whole numbers."""
    for query, own in source.items():
        bad = next((grade for grade in own.values() if not float(grade).is_integer()), None)
        if bad is not None:
            _wrong(f"gold[{query!r}]", f"a grade is {bad}", "a whole number")


def _right_side(rows: Rows, side: str) -> None:
    """Refuse gold and predictions in each other's place."""
    wanted = "gold" if side == "gold" else "retrieved"
    if rows.kinds and wanted not in rows.kinds:
        what = "holds what was retrieved" if side == "gold" else "holds gold answers"
        _wrong(rows.name, f"the {side} side {what}", "gold first, then what was retrieved", "the two swapped")


def _wrong(where: str, what: str, expected: str = "", hint: str = "") -> NoReturn:
    raise InputError(what, where=where, expected=expected, hint=hint)


def _unwrapped(value: Any, name: str) -> tuple[list[Any], bool]:
    """Return the queries of a value, and whether each stands on its own there."""
    if isinstance(value, (list, tuple)):
        return list(value), True
    if isinstance(value, Mapping):
        for key in CONTAINERS:
            if isinstance(value.get(key), list):
                found = value[key]
                if found and isinstance(found[0], Mapping) and "paragraphs" in found[0]:
                    return _squad(found, name), False
                return list(found), True
        if _is_query(value):
            return [value], False
        if value and all(isinstance(answer, str) for answer in value.values()):  # SQuAD's predictions
            return [{"id": key, "retrieved_passages": [answer]} for key, answer in value.items()], False
        if value and all(isinstance(own, Mapping) for own in value.values()):  # qrels or runs as dicts of dicts
            return [{"id": key, "judged": own} for key, own in value.items()], False
    _wrong(name, f"the input is {shown(value)}", "queries with snippets, or with retrieved_passages")


def _squad(articles: Sequence[Any], name: str) -> list[Any]:
    """Return SQuAD's questions, the answers of each as its gold; none where it is unanswerable."""
    try:
        return [
            {"id": question["id"], "answers": [{"answer": one["text"]} for one in question["answers"]]}
            for article in articles
            for paragraph in article["paragraphs"]
            for question in paragraph["qas"]
        ]
    except (KeyError, TypeError) as error:
        _wrong(name, f"an article lacks {error}", "SQuAD's data: paragraphs, qas, id, answers, text")


def _rows(documents: Sequence[Any], name: str, where: Where) -> Rows:
    out = Rows(name)
    for row, document in enumerate(documents):
        if not isinstance(document, Mapping):
            _wrong(
                where(row),
                f"a query is {shown(document)}",
                "an object with query and snippets or retrieved_passages",
            )
        query = next((document[key] for key in QUERY if document.get(key) is not None), None)
        if isinstance(query, bool) or not isinstance(query, (str, int)):
            _wrong(where(row), f"a query is {shown(query)}", "a string under query, or an id")
        out.ids.append(str(query))
        out.places.append(row)
        if isinstance(document.get("judged"), Mapping):
            _judged(out, document["judged"], where(row))
            continue
        key = next((key for key in (*GOLD, *RETRIEVED) if key in document), None)
        found = None if key is None else document[key]
        if found is None:
            keys = ", ".join(str(key)[:30] for key in list(document)[:8])
            _wrong(
                where(row),
                f"a query has no passages (it has {keys})",
                f"{GOLD[0]} or {RETRIEVED[0]}, an empty list if none",
            )
        if not isinstance(found, (list, tuple)):
            _wrong(where(row), f"{key} is {shown(found)}", "a list")
        out.kinds.add("gold" if key in GOLD else "retrieved")
        for number, passage in enumerate(found):
            _passage(out, passage, f"{key}[{number}]", where(row), gold=key in GOLD)
    return out


def _judged(out: Rows, own: Mapping[Any, Any], where: str) -> None:
    """Take grades or scores by document in: a grade is a whole number, in judgements all are."""
    for called, value in own.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
            _wrong(where, f"the value of {shown(called)} is {shown(value)}", "a grade or a score")
    scores = {str(called): float(value) for called, value in own.items()}
    for name in ranked(scores):
        grade = int(scores[name]) if scores[name].is_integer() and abs(scores[name]) < 1e9 else 1
        out.add(called=name, score=scores[name], grade=grade)


def _passage(out: Rows, passage: Any, at: str, where: str, *, gold: bool) -> None:
    if isinstance(passage, str):
        out.add(text=passage)
        return
    if not isinstance(passage, Mapping):
        _wrong(where, f"{at} is {shown(passage)}", "a text, or an object with text, file_path, span or id")
    text = next((passage[key] for key in ("answer", "text", "content") if passage.get(key) is not None), None)
    if text is not None and not isinstance(text, str):
        _wrong(where, f"{at}.text is {shown(text)}", "a string")
    file, called = passage.get("file_path"), passage.get("id", passage.get("doc_id"))
    span = _span(passage.get("span"), at, where)
    if text is None and span is None and called is None:
        _wrong(where, f"{at} has neither text, span nor id", "answer or text, file_path with span, or id")
    score = passage.get("score")
    grade = passage.get("relevance", 1)
    if isinstance(grade, bool) or not isinstance(grade, int) or abs(grade) > 10**9:
        _wrong(where, f"{at}.relevance is {shown(grade)}", "a whole number")
    if score is not None and (isinstance(score, bool) or not isinstance(score, (int, float))):
        _wrong(where, f"{at}.score is {shown(score)}", "a number")
    number = float("nan") if score is None else float(score)
    out.add(
        text=text,
        file=None if file is None else str(file),
        span=span,
        called=None if called is None else str(called),
        score=float("nan") if gold else number,
        grade=grade,
    )


def _span(span: Any, at: str, where: str) -> tuple[int, int] | None:
    if span is None:
        return None
    fits = isinstance(span, (list, tuple)) and len(span) == 2 and all(type(end) is int for end in span)
    if not fits or not 0 <= span[0] <= span[1] <= FARTHEST:
        _wrong(where, f"{at}.span is {shown(span)}", "[start, end], 0 <= start <= end")
    return span[0], span[1]


def _trec(data: bytes, name: str) -> tuple[Rows, list[int]]:
    """Return qrels (query 0 document grade; BEIR's without the 0) or a run (query Q0 document rank score tag)."""
    out, at, numbers = Rows(name), {}, []  # type: ignore[var-annotated]
    pending: dict[str, dict[str, dict[str, Any]]] = {}
    for number, line in lines(data.lstrip(b" \t")):
        fields = line.decode("utf-8", "replace").split()
        if number == 1 and fields[0] in ("query-id", "query_id"):
            continue
        try:
            if len(fields) in (3, 4):
                query, called, grade = fields[0], fields[-2], int(fields[-1])
                values: dict[str, Any] = {"called": called, "grade": grade}
                out.kinds.add("gold")
            else:
                query, called, score = fields[0], fields[2], float(fields[4])
                values = {"called": called, "score": score}
                out.kinds.add("retrieved")
        except (IndexError, ValueError):
            _wrong(
                f"{name}:{number}",
                f"the line is {shown(line.decode('utf-8', 'replace'))}",
                "query 0 document grade, or query Q0 document rank score tag",
            )
        if math.isnan(values.get("score", 0.0)):
            _wrong(f"{name}:{number}", "the score is not a number", "a number")
        at.setdefault(query, number)
        own = pending.setdefault(query, {})
        if called in own:
            what = f"the document {shown(called)} of query {shown(query)} is repeated: the last line counts"
            out.problems.append(Problem("repeated document", f"{name}:{number}", what))
        own[called] = values
    for query, own in pending.items():
        out.ids.append(query)
        out.places.append(len(numbers))
        numbers.append(at[query])
        for values in _in_order(list(own.values())):
            out.add(**values)
    return out, numbers


def _in_order(own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a run in trec_eval's order, whatever its ranks say; judgements as they are."""
    if not own or "score" not in own[0]:
        return own
    by_name = {values["called"]: values for values in own}
    return [by_name[name] for name in ranked({name: values["score"] for name, values in by_name.items()})]


def _corpus(rows: Rows, side: str, where: Where, sha256: str | None) -> Corpus:
    """Return the columns: a passage's label is its file, its rank the order in which it came."""
    _right_side(rows, side)
    labels = tuple(sorted({name or PLAIN for name in rows.file})) or (PLAIN,)
    code = {name: at for at, name in enumerate(labels)}
    ends = [span or (NOWHERE, NOWHERE) for span in rows.span]
    doc = np.array(rows.doc, dtype=np.int64)
    first = np.searchsorted(doc, np.arange(len(rows.ids)))
    spans = Spans(
        doc,
        np.array([a for a, _ in ends], dtype=np.int64),
        np.array([b for _, b in ends], dtype=np.int64),
        np.array([code[name or PLAIN] for name in rows.file], dtype=np.int64),
        np.arange(len(doc)),
        _objects(rows.text),
        extra={
            "rank": np.arange(len(doc)) - first[doc] if len(doc) else doc,
            "name": _objects(rows.called),
            "score": np.array(rows.score, dtype=np.float64),
            "grade": np.array(rows.grade, dtype=np.int64),
        },
    )
    corpus = Corpus(rows.name, rows.ids, labels, spans, None, lambda row: where(rows.places[row]))
    corpus.sha256, corpus.n_documents = sha256, len(rows.ids)
    corpus.problems = [*rows.problems, *_repeated(rows, where)]
    return corpus


def _repeated(rows: Rows, where: Where) -> list[Problem]:
    seen: set[str] = set()
    out = []
    for row, name in enumerate(rows.ids):
        if name in seen:
            what = f"the query {shown(name)} is repeated: paired with the other side's in order"
            out.append(Problem("repeated query", where(rows.places[row]), what))
        seen.add(name)
    return out


def _objects(values: Sequence[Any]) -> Texts:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out
