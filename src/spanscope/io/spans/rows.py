"""CSV and TSV with one row per span: document, start, end or length, label, perhaps text, score, annotator."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from spanscope.data.corpus import Corpus
from spanscope.data.problems import problem_at
from spanscope.errors import InputError, did_you_mean, named, shown
from spanscope.io.builder import Builder
from spanscope.io.column_names import NEEDED, PIECES, ROWS, WHOLE, columns_of_spans, squashed
from spanscope.io.delimited import Delimited, open_delimited
from spanscope.io.head import head_of
from spanscope.io.metadata import META
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.batch import Batch
from spanscope.io.spans.columns import by_document, kept_columns
from spanscope.io.spans.row_texts import are_of_documents, refuse_other_lengths
from spanscope.io.spans.values import Unfit, confidence_column, number_column, text_column
from spanscope.io.strict import Report, Rules, read_documents
from spanscope.io.surrogates import any_half

if TYPE_CHECKING:
    from spanscope.io.document_texts import DocumentTexts

SPANS = ("start", "end", "length", "label")
USUAL = {"document": 0, "start": 1, "end": 2, "label": 3}  # the columns of a file without names that has four
INDEX = re.compile(r"(?:Unnamed: \d+)?")  # what pandas calls the numbers of rows
NO_TEXTS = "no texts beside them"
SHORT = {"doc": "document", "text": "span_text", "score": "span_score"}  # what --columns may call them


@dataclass(frozen=True, eq=False)
class SpanRows:
    """The rows of a table by column, every value of its type; and the documents, with the texts in their rows."""

    ids: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    labels: Sequence[str]
    given: Sequence[str | None]
    scores: Sequence[float | None]
    at: Sequence[int]  # the number of each row in the table
    documents: Mapping[str, tuple[int | None, str | None]]  # by id: the first row about it, and its text
    kept: Mapping[str, list[str | None]]  # columns that are metadata


def read_span_rows(source: Any, options: ReadOptions) -> dict[str, Corpus]:
    """Return the corpus of a table, or those of its annotators."""
    table, columns = _open_table(source, options)
    own = {field: table.column(number) for field, number in columns.items()}
    _refuse_no_document(table, own["document"])
    rules, before = options.translated_rules(), len(options.report.problems)
    if rules.texts is not None:
        rules = replace(rules, texts=rules.texts.for_ids(own["document"]))
    if "annotator" not in own:
        parts = {"": [*range(len(table.rows))]}
    else:
        names = own["annotator"]
        parts = {name: [at for at, one in enumerate(names) if one == name] for name in dict.fromkeys(names)}
    out = {}
    for name, at in parts.items():
        rows = _values_of(table, own, at, options, _kept_names(table, columns, options))
        if rules.texts is not None:
            rows = _with_texts(rows, table, rules.texts, rules.report)
        corpus = _corpus(rows, table, rules, unit_said=options.offsets is not None)
        corpus.problems[:0] = options.report.problems[before:]
        before = len(options.report.problems)
        if rules.texts is not None:
            corpus.problems.append(rules.texts.note(rows.ids, table.name))
        _note_row_ids(corpus, rows, table, columns)
        out[name] = corpus
    return out


# ---------------------------------------------------------------- which columns


def _open_table(source: Any, options: ReadOptions) -> tuple[Delimited, dict[str, int]]:
    """Return a table, and the number of the column of each field."""
    head = head_of(source)
    table = open_delimited(source, header=head.delimited is not None)
    where, asked = f"{table.name}:1", options.tags.columns or {}
    if table.header:
        found = columns_of_spans(table.header, options.fields)
        columns = {field: table.header.index(name) for field, name in found.items()}
        columns |= _columns_asked(asked, table, where)
        present = f"there are {', '.join(table.header)}"
    else:
        width = len(table.rows[0])
        columns = _columns_asked(asked, table, where) or (dict(USUAL) if width == len(USUAL) else {})
        present = f"there are {width} columns without names"
    wanted = [*NEEDED, *([] if "length" in columns else ["end"])]
    lacking = next((field for field in wanted if field not in columns), None)
    if lacking is not None:
        called = {"document": "doc"}.get(lacking, lacking)
        raise InputError(
            f"there is no column {called} ({present})",
            where=where,
            expected="columns doc, start, end (or length) and label",
            hint="[[columns=doc=0,start=1,end=2,label=3]]   with the numbers or the names of the columns",
        )
    return table, columns


def _columns_asked(given: Mapping[str, Any], table: Delimited, where: str) -> dict[str, int]:
    """Return the columns that somebody named, by their numbers or by names in the header."""
    out = {}
    for key, value in given.items():
        field = SHORT.get(key, key)
        if field not in ROWS:
            known = [*(short for short in SHORT), *(one for one in ROWS if one not in SHORT.values())]
            raise InputError(
                f"no column is called {named(key)}{did_you_mean(key, known)}", expected=", ".join(known)
            )
        if str(value) in table.header:
            out[field] = table.header.index(str(value))
            continue
        width = len(table.header or table.rows[0])
        try:
            number = int(value)
        except (TypeError, ValueError):
            number = width
        if not -width <= number < width:
            expected = f"a number from 0 to {width - 1}, or a name in the header"
            raise InputError(f"the column {key} is {named(value)}", where=where, expected=expected)
        out[field] = number % width
    return out


# ---------------------------------------------------------------- cells


def _values_of(
    table: Delimited,
    own: Mapping[str, Sequence[str]],
    at: Sequence[int],
    options: ReadOptions,
    keep: Sequence[str],
) -> SpanRows:
    """Return the cells of some rows as values; what is none is refused, or reported and left out."""
    report = options.report
    full = [row for row in at if any(own[field][row].strip() for field in SPANS if field in own)]
    starts, good = _wholes(table, own["start"], "start", full, report)
    ends, good = _wholes(table, own["end" if "end" in own else "length"], "end", good, report)
    if "end" not in own:
        ends = {row: starts[row] + ends[row] for row in good}
    scores: dict[int, float | None] = {}
    if "span_score" in own:
        scores, good = _scores(table, own["span_score"], good, report)
    first, last = [starts[row] for row in good], [ends[row] for row in good]
    given: list[str | None] = [None] * len(good)
    whole: dict[int, str] = {}
    if "span_text" in own:
        given = [own["span_text"][row] or None for row in good]
        if are_of_documents(given, first, last):
            whole = {row: own["span_text"][row] for row in at if own["span_text"][row]}
            given = [None] * len(good)
        elif "length" not in own or "end" in own:
            said = [name for name in ("offsets", "ends") if getattr(options, name) is not None]
            refuse_other_lengths(given, first, last, lambda one: table.where(good[one]), said)
    documents = _documents(table, own["document"], at, whole, report)
    ids = [own["document"][row] for row in good]
    labels = [own["label"][row] for row in good]
    kept = {name: _cells_of(table, name, good) for name in keep}
    return SpanRows(ids, first, last, labels, given, [scores.get(row) for row in good], good, documents, kept)


def _kept_names(table: Delimited, columns: Mapping[str, int], options: ReadOptions) -> list[str]:
    """Return the columns that are metadata: all that mean nothing else, and those that were to be kept."""
    used = {table.header[number] for number in columns.values()} if table.header else set()
    spare = [name for name in table.header if name not in used and not INDEX.fullmatch(name)]
    return list(dict.fromkeys([*spare, *(name for name in options.keep_fields if name in table.header)]))


def _cells_of(table: Delimited, name: str, rows: Sequence[int]) -> list[str | None]:
    """Return the cells of a column in some rows; an empty one says nothing."""
    at = table.header.index(name)
    return [table.rows[row][at] or None for row in rows]


def _documents(
    table: Delimited, ids: Sequence[str], at: Sequence[int], whole: Mapping[int, str], report: Report
) -> dict[str, tuple[int, str | None]]:
    """Return the first row about each document, and the text that its rows have, which must be one."""
    documents: dict[str, tuple[int, str | None]] = {}
    for row in at:
        key = ids[row]
        text = whole.get(row)
        if key not in documents or (documents[key][1] is None and text is not None):
            documents[key] = (row, text)
        elif text is not None and text != documents[key][1]:
            expected = "the same text in all rows of a document"
            error = InputError(
                "the row has another text than its document", where=table.where(row), expected=expected
            )
            report.bad(error, "bad document")
    return documents


def _with_texts(rows: SpanRows, table: Delimited, known: DocumentTexts, report: Report) -> SpanRows:
    """Return rows with all documents of a source of texts: what has a text and no row has no spans."""
    if any(text for _, text in rows.documents.values()):
        raise InputError("the rows have the texts of their documents", where=table.name, expected=NO_TEXTS)
    for key, (row, _) in rows.documents.items():
        known.refuse_unknown(key, table.where(row or 0), report)
    found: dict[str, tuple[int | None, str | None]] = {}
    for key, text in known.texts.items():
        found[key] = (rows.documents.get(key, (None, None))[0], text)
    return replace(
        rows, documents={**found, **{key: one for key, one in rows.documents.items() if key not in found}}
    )


def _refuse_no_document(table: Delimited, ids: Sequence[str]) -> None:
    """Refuse a row that is about no document."""
    if "" in ids:
        expected = "the id of a document in every row"
        raise InputError("there is no document in the row", where=table.where(ids.index("")), expected=expected)


def _wholes(
    table: Delimited, cells: Sequence[str], called: str, rows: Sequence[int], report: Report
) -> tuple[dict[int, int], list[int]]:
    """Return the whole numbers in some rows of a column, and the rows that have one."""
    out: dict[int, int] = {}
    for row in rows:
        found = WHOLE.fullmatch(cells[row])
        if found is None:
            several = PIECES.fullmatch(cells[row]) is not None
            expected = "JSON with fragments for a span of several pieces" if several else "a whole number"
            error = InputError(f"{called} is {shown(cells[row])}", where=table.where(row), expected=expected)
            report.bad(error, "bad span")
            continue
        out[row] = int(found[1])
    return out, [row for row in rows if row in out]


def _scores(
    table: Delimited, cells: Sequence[str], rows: Sequence[int], report: Report
) -> tuple[dict[int, float | None], list[int]]:
    """Return the confidences in some rows, none where a cell is empty, and the rows without a wrong one."""
    out: dict[int, float | None] = {}
    for row in rows:
        cell = cells[row].strip() if table.separator == "," else cells[row].strip().replace(",", ".")
        try:
            out[row] = float(cell) if cell else None
            if cell and not np.isfinite(float(cell)):
                raise ValueError
        except ValueError:
            hint = "[[fields=span_score=NAME]]   if the confidence stands under another name"
            what = f"score is {shown(cells[row])}"
            report.bad(InputError(what, where=table.where(row), expected="a number", hint=hint), "bad span")
            out.pop(row, None)
    return out, [row for row in rows if row in out]


# ---------------------------------------------------------------- the corpus


def _corpus(rows: SpanRows, table: Delimited, rules: Rules, *, unit_said: bool) -> Corpus:
    first = [(key, row) for key, (row, _) in rows.documents.items()]

    def where(number: int) -> str:
        key, row = first[number]
        return rules.texts.where(key) if row is None and rules.texts is not None else table.where(row or 0)

    if unit_said and rules.offsets != "codepoints" and not any(text for _, text in rows.documents.values()):
        what = "such offsets need the text of the documents, which no row has"
        hint = "[[texts=FILE]]   if the texts stand in a file of their own"
        raise InputError(what, where=table.name, expected="a column with the text of the document", hint=hint)
    try:
        builder = Builder(table.name, where)
        builder.add(_plain(rows, rules, builder))
    except Unfit:
        builder = Builder(table.name, where)
        builder.add(_strictly(rows, table, rules, builder))
    corpus = builder.corpus(sha256=table.sha256)
    corpus.ids = corpus.ids or []
    corpus.open_ended = rules.texts is None
    return corpus


def _plain(rows: SpanRows, rules: Rules, builder: Builder) -> Batch:
    """Return rows whose values are in order, by document."""
    if rules.offsets != "codepoints" or rules.inclusive or any_half(list(rows.documents)):
        raise Unfit
    starts, ends = number_column(rows.starts, typed=True), number_column(rows.ends, typed=True)
    scores, every = confidence_column(rows.scores, typed=True), range(len(rows.ids))
    return _by_document(rows, every, starts, ends, rows.labels, text_column(rows.given), scores, builder)


def _strictly(rows: SpanRows, table: Delimited, rules: Rules, builder: Builder) -> Batch:
    """Have the reader that explains look at the rows one by one, each at its own place."""
    names = rules.names
    keys = {field: names[field][0] for field in ("id", "text", "spans", "start", "end", "label")}
    text, score = names["span_text"][0], names["span_score"][0]
    found = []
    for at, key in enumerate(rows.ids):
        span = {
            keys["start"]: rows.starts[at],
            keys["end"]: rows.ends[at],
            keys["label"]: rows.labels[at],
            text: rows.given[at],
            score: rows.scores[at],
        }
        found.append({keys["id"]: key, keys["text"]: rows.documents[key][1], keys["spans"]: [span]})
    batch = read_documents(found, lambda row: table.where(rows.at[row]), rules)
    of_spans = [row for row, size in zip(batch.rows, batch.sizes.tolist(), strict=True) for _ in range(size)]
    known = _by_document(
        rows, of_spans, batch.starts, batch.ends, batch.labels, batch.given, batch.scores, builder
    )
    return replace(known, notes=batch.notes)


def _by_document(
    rows: SpanRows,
    at: Sequence[int],
    starts: Any,
    ends: Any,
    labels: Any,
    given: Sequence[str | None],
    scores: Any,
    builder: Builder,
) -> Batch:
    """Return spans in the order of their documents; `at` are the rows that they are from."""
    number = {key: place for place, key in enumerate(rows.documents)}
    texts = [text for _, text in rows.documents.values()]
    ids = [rows.ids[row] for row in at]
    columns: dict[str, list[Any]] = {}
    kept = {name: [values[row] for row in at] for name, values in rows.kept.items()}
    about = kept_columns(ids, columns, kept, META)
    document = np.fromiter(map(number.__getitem__, ids), np.int64, len(ids))
    codes, metas = builder.coded(labels), columns.get(META, ())
    batch = by_document(list(number), document, starts, ends, codes, given, scores, metas, texts=texts)
    batch.meta = [about.get(key) for key in number] if about else ()
    return batch


def _note_row_ids(corpus: Corpus, rows: SpanRows, table: Delimited, columns: Mapping[str, int]) -> None:
    """Note a column `id` that may be of rows and not of documents: no id comes twice, and starts fall back."""
    if not table.header or squashed(table.header[columns["document"]]) != "id" or len(rows.ids) < 3:
        return
    falls = any(other < one for one, other in zip(rows.starts, rows.starts[1:], strict=False))
    if falls and len(rows.documents) == len(rows.ids):
        corpus.problems.append(problem_at("ids of rows", table.name, {"rows": len(rows.ids)}))
