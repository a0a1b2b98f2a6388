"""One row per token, with a column that says of which sentence: data frames, CSV and TSV, Parquet, JSON Lines.

Names of columns are known in any spelling: `Sentence #`, `sentence_id` and `SentenceID` are one. A sentence that
stands on its first token only goes on until the next one; without such a column blank lines part sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import isnan
from typing import Any

from spanscope.arguments import as_whole, identifier
from spanscope.data.corpus import FARTHEST
from spanscope.errors import InputError, shown
from spanscope.io.arrow import TableRows
from spanscope.io.delimited import open_delimited
from spanscope.io.documents import documents_in
from spanscope.io.hugging_face import class_names
from spanscope.io.opening import open_source
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import FILES
from spanscope.io.spans.columns import column_values
from spanscope.io.strict import Report
from spanscope.io.surrogates import refuse_halves
from spanscope.io.tokens.recognise import NAMES, columns_of_tokens
from spanscope.io.tokens.sentences import Sentences
from spanscope.io.tokens.tag_numbers import Names


@dataclass(frozen=True, eq=False)
class _Table:
    """The columns that were found, by what they hold, and where each row stands."""

    name: str
    columns: Mapping[str, list[Any]]
    where: Callable[[int], str]
    blank_before: Sequence[bool] | None = None  # whether a blank line stands before a row
    sha256: str | None = None
    own: Mapping[str, Sequence[str]] | None = None  # names of classes, by column


def from_rows(source: Any, options: ReadOptions) -> Sentences:
    """Return a table with one row per token; documents are its sentences, in the order of their first rows."""
    side, both = options.side, options.both
    table = _table(source, side)
    if both and "pred" not in table.columns:
        expected = "columns of gold and of predictions, such as annotation and prediction"
        raise InputError("has no column prediction", where=table.name, expected=expected)
    order = _sentences(table)
    rows = [row for own in order.values() for row in own]
    wanted = "pred" if side == "pred" and not both and "pred" in table.columns else "gold"
    names = Names(options, table.own)
    tags = {"gold": _tags(table, wanted, rows, names)}
    if both:
        tags["pred"] = _tags(table, "pred", rows, names)
    refuse_halves(table.columns["token"], "token", table.name)
    sizes = [len(own) for own in order.values()]
    first = [0, *accumulate(sizes)]
    return Sentences(
        table.name,
        sizes,
        tags,
        [_token(table.columns["token"][row], table.where(row)) for row in rows],
        _starts(table, rows),
        ids=list(map(str, order)) if "sentence" in table.columns else None,
        where=lambda doc, token: table.where(rows[min(first[doc] + token, len(rows) - 1)]),
        sha256=table.sha256,
        names=names.known(),
    )


def _tags(table: _Table, field: str, rows: Sequence[int], names: Names) -> list[str]:
    values = [table.columns[field][row] for row in rows]
    refuse_halves(values, field, table.name)
    return names.tags(values, table.name, field)


def _table(source: Any, side: str) -> _Table:
    """Return the columns of a table in memory, of delimited text, of Parquet or of JSON."""
    if not isinstance(source, FILES):
        found = columns_of_tokens(list(getattr(source, "columns", source)))
        columns = {field: column_values(source[name], str(name), side) for field, name in found.items()}
        if len({len(values) for values in columns.values()}) > 1:
            raise InputError("the columns are of different lengths", where=side, expected="one row per token")
        return _Table(side, columns, lambda row: f"{side}[{row}]")
    file = open_source(source)
    if isinstance(file.held, bytes) and file.data.lstrip()[:1] not in (b"{", b"["):
        text = open_delimited(file)
        found = columns_of_tokens(text.header)
        _refuse_lacking(found, text.header, f"{text.name}:1")
        columns = {field: text.column(text.header.index(name)) for field, name in found.items()}
        lines = file.data.split(b"\n")
        blank = [not lines[max(number - 2, 0)].strip() for number in text.lines]
        return _Table(text.name, columns, text.where, blank, text.sha256)
    rows = documents_in(file, lambda value, _: value if isinstance(value, list) else [value], (), Report())
    header = list(dict.fromkeys(key for row in rows.values if isinstance(row, Mapping) for key in row))
    found = columns_of_tokens(header)
    _refuse_lacking(found, header, rows.where(0))
    for at, row in enumerate(rows.values):
        if not isinstance(row, Mapping) or any(found[field] not in row for field in ("token", "gold")):
            raise InputError(f"a row is {shown(row)}", where=rows.where(at), expected="a token and its tag")
    columns = {field: [row.get(name) for row in rows.values] for field, name in found.items()}
    classes = class_names(file.held.table) if isinstance(file.held, TableRows) else {}
    own = {field: classes[name] for field, name in found.items() if name in classes}
    return _Table(file.name, columns, rows.where, None, file.sha256, own)


def _refuse_lacking(found: Mapping[str, str], header: Sequence[str], where: str) -> None:
    if lacking := [field for field in ("token", "gold") if field not in found]:
        noun = "tokens" if lacking[0] == "token" else "tags"
        what = f"there is no column of {noun} (there are {', '.join(header)})"
        raise InputError(what, where=where, expected=", ".join(NAMES[lacking[0]]))


def _sentences(table: _Table) -> dict[Any, list[int]]:
    """Return the rows of each sentence: one that is said on its first token only goes on."""
    size = len(table.columns["token"])
    keys = table.columns.get("sentence")
    if keys is None and table.blank_before is not None:
        keys = list(accumulate(map(int, table.blank_before)))
    order: dict[Any, list[int]] = {}
    before: Any = None
    sparse = keys is not None and any(map(_is_absent, keys))
    for row, key in enumerate(keys if keys is not None else [0] * size):
        if not (sparse and _is_absent(key) and before is not None):
            own = _key(key, table.where(row))
            if sparse and own in order and own != before:
                what = f"the sentence {shown(own)} begins again"
                raise InputError(what, where=table.where(row), expected="its rows together")
            before = own
        order.setdefault(before, []).append(row)
    return order


def _is_absent(value: Any) -> bool:
    """Tell an empty cell: in CSV nothing at all, in data frames what is no number."""
    nan = isinstance(value, float) and isnan(value)
    return nan or value is None or value == "" or type(value).__name__ == "NAType"


def _key(value: Any, where: str) -> str:
    """Return the id of a sentence; 1.0, as data frames with gaps have it, is 1."""
    name = str(value) if isinstance(value, float) and not value.is_integer() else None
    name = name or identifier(int(value) if isinstance(value, float) else value)
    if name is None:
        raise InputError(f"id is {shown(value)}", where=where, expected="a string or a whole number")
    return name


def _token(value: Any, where: str) -> str:
    """Return a token; what is no text is written out, as data frames make numbers of tokens."""
    try:
        return str(value)
    except ValueError:  # a number of thousands of digits
        raise InputError(f"a token is {shown(value)}", where=where, expected="a string") from None


def _starts(table: _Table, rows: Sequence[int]) -> list[int] | None:
    if "start" not in table.columns:
        return None
    out = []
    for row in rows:
        value = table.columns["start"][row]
        start = int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 18 else as_whole(value)
        if start is None or not 0 <= start <= FARTHEST:
            raise InputError(f"start_indices has {shown(value)}", where=table.where(row), expected="whole numbers")
        out.append(int(start))
    return out
