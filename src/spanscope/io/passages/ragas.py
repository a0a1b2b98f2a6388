"""RAGAS' rows: a question, what was retrieved and what is right in one row, under names of three versions."""

from __future__ import annotations

import ast
import csv
import io
import tokenize
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from spanscope.errors import shown
from spanscope.io.documents import Documents, documents_of
from spanscope.io.fields import value_of
from spanscope.io.opening import open_source
from spanscope.io.passages.names import CONTAINERS, LISTED, RAGAS, first_of, is_ragas_columns, ragas_names
from spanscope.io.passages.queries import translate_queries
from spanscope.io.passages.rows import Sides, wrong
from spanscope.io.read_options import ReadOptions
from spanscope.io.strict import Report

LISTS = {key for name in LISTED for key in RAGAS[name]} | {"ground_truths"}


def read_ragas(source: Any, options: ReadOptions) -> Sides:
    """Return the rows of a file, of columns or of objects.

    Gold are the reference contexts where the file has some, by id where these have ids, else the right answer.
    Retrieved are the contexts, else the response alone. Response and reference are kept as metadata.
    """
    found = documents_of(source, options.side, _rows, CONTAINERS, Report(), "a path, or rows of RAGAS")
    return _translate(found, options)


def read_ragas_csv(source: Any, options: ReadOptions) -> Sides:
    """Return the rows of a CSV file, as pandas writes a result: its lists are literals in cells."""
    file = open_source(source)
    text = file.data.decode("utf-8", "replace")
    rows, lines, before = list[dict[str, Any]](), list[int](), 1
    reader = csv.reader(io.StringIO(text, newline=""))
    header = next(reader)
    before = reader.line_num + 1
    for cells in reader:
        if cells:
            where = f"{file.name}:{before}"
            if len(cells) != len(header):
                wrong(where, f"the row has {len(cells)} cells, the header {len(header)}", "one cell per column")
            rows.append({key: _cell(key, cell, where) for key, cell in zip(header, cells, strict=True)})
            lines.append(before)
        before = reader.line_num + 1
    return _translate(Documents(rows, lambda row: f"{file.name}:{lines[row]}", file.name, file.sha256), options)


def _rows(value: Any, name: str) -> list[Any]:
    """Return the rows of a value: columns turned into rows."""
    if is_ragas_columns(value):
        columns = {key: own for key, own in value.items() if isinstance(own, (list, tuple))}
        sizes = {key: len(own) for key, own in columns.items()}
        if len(set(sizes.values())) > 1:
            wrong(name, f"the columns have {', '.join(map(str, sizes.values()))} rows", "columns of one length")
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if isinstance(value, Mapping):
        return next((list(value[key]) for key in CONTAINERS if isinstance(value.get(key), list)), [value])
    return list(value)


def _cell(key: str, cell: str, where: str) -> Any:
    """Return the value of a cell: a list where its column has lists, None where it is empty."""
    if not cell or cell == "nan":
        return None
    if key not in LISTS:
        return cell
    try:
        value = msgspec.json.decode(cell)
    except msgspec.DecodeError:
        value = _literal(cell, f"{key} is {shown(cell)}", where)
    if not isinstance(value, list):
        wrong(where, f"{key} is {shown(cell)}", "a list of texts")
    return value


def _literal(cell: str, what: str, where: str) -> Any:
    """Return a Python literal; what numpy prints, without commas, would join its texts and is refused."""
    try:
        value = ast.literal_eval(cell)
        kinds = [one.type for one in tokenize.generate_tokens(io.StringIO(cell).readline) if one.string.strip()]
    except (ValueError, SyntaxError, RecursionError, MemoryError, tokenize.TokenError):
        wrong(where, what, "a list as JSON or as Python writes it")
    if any(one == other == tokenize.STRING for one, other in pairwise(kinds)):
        hint = "column.tolist()   before the frame is written: numpy prints arrays without commas"
        wrong(where, f"{what}, texts without commas between", "a list as JSON or as Python writes it", hint)
    return value


def _translate(found: Documents, options: ReadOptions) -> Sides:
    names = ragas_names(options.fields)
    records = [one for one in found.values if isinstance(one, Mapping)]
    wanted = [key for name in ("gold_passages", "gold_ids") for key in names[name]]
    by_passages = any(one.get(key) is not None for one in records for key in wanted)
    by_passages = by_passages and "answers" not in options.fields
    retrieves = any(first_of(one, (*names["passages"], *names["passage_ids"])) for one in records)

    def translate(one: Any, where: str) -> dict[str, dict[str, Any]]:
        if not isinstance(one, Mapping):
            wrong(where, f"a row is {shown(one)}", "an object with a question, contexts and a reference")
        return _row(one, names, where, by_passages=by_passages, retrieves=retrieves)

    return translate_queries(found, options, translate)


def _row(
    one: Mapping[str, Any], names: Mapping[str, Sequence[str]], where: str, *, by_passages: bool, retrieves: bool
) -> dict[str, dict[str, Any]]:
    value = {name: value_of(one, keys) for name, keys in names.items()}
    query = {"id": value.get("id"), "query": value["query"]}
    response, reference = value["response"], value["answers"]
    out: dict[str, dict[str, Any]] = {}
    for wanted, kinds in ((by_passages, ("gold_passages", "gold_ids")), (retrieves, ("passages", "passage_ids"))):
        keys = [key for kind in kinds for key in names[kind]]
        if wanted and not first_of(one, keys):
            wrong(where, f"the row has no {keys[0]}, which others have", "the same fields in every row")
    if by_passages:
        passages = _passages(value["gold_passages"], value["gold_ids"], "reference_contexts", where)
        meta = {} if reference is None else {"reference": reference}
        out["gold"] = {**query, "snippets": passages, "meta": meta}
    elif first_of(one, names["answers"]):
        texts = [] if reference in (None, "", []) else [{"answer": reference}]
        out["gold"] = {**query, "snippets": texts}
    if retrieves:
        passages = _passages(value["passages"], value["passage_ids"], "retrieved_contexts", where)
        meta = {} if response is None else {"response": response}
        out["pred"] = {**query, "retrieved_passages": passages, "meta": meta}
    elif first_of(one, names["response"]):
        out["pred"] = {**query, "retrieved_passages": [] if response is None else [response]}
    return out


def _passages(texts: Any, ids: Any, called: str, where: str) -> list[dict[str, Any]]:
    """Return passages of texts, of ids, or of both, one each."""
    for name, own in ((called, texts), (f"{called} by id", ids)):
        if own is not None and not isinstance(own, (list, tuple)):
            wrong(where, f"{name} is {shown(own)}", "a list")
    if texts is None:
        return [{"id": name} for name in ids or ()]
    if ids is None:
        return [{"text": text} for text in texts]
    if len(ids) != len(texts):
        wrong(where, f"{called} has {len(texts)} texts and {len(ids)} ids", "an id for every text")
    return [{"text": text, "id": name} for text, name in zip(texts, ids, strict=True)]
