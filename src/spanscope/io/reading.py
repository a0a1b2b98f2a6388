"""Reading: one module a format, all of them giving a Corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from spanscope.arguments import of_type
from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, shown
from spanscope.io.arrow import Rows, as_rows
from spanscope.io.builder import Builder
from spanscope.io.fields import fields
from spanscope.io.json_lines import can_stream
from spanscope.io.offsets import unit_of
from spanscope.io.opening import open_source
from spanscope.io.pipes import byte_size
from spanscope.io.source import FILES, Source
from spanscope.io.spans.arrow import read_rows
from spanscope.io.spans.columns import is_columns, read_columns
from spanscope.io.spans.lines import read_json, read_stream
from spanscope.io.spans.objects import add_objects, unwrap
from spanscope.io.strict import Report, Rules

Offsets = Literal["codepoints", "utf16", "utf8"]
LARGE = 1 << 22  # bytes of a file that is not held in memory whole while it is read

__all__ = ["Offsets", "Report", "read"]


def read(
    source: Any,
    *,
    name: str = "",
    field: Mapping[str, str] | None = None,
    offsets: str = "codepoints",
    report: Report | None = None,
    progress: Callable[[int], None] | None = None,
    like: Corpus | None = None,
) -> Corpus:
    """Return the corpus of a path, of `-` (standard input), of Python objects or of columns.

    `field` names fields that stand under other names, `offsets` the unit of start and end. `report` collects
    what is wrong instead of stopping at it; `progress` is told how many bytes are done. Ids and texts that are
    the same in the corpus `like` are not kept a second time.
    """
    offsets, names = unit_of(offsets), fields(field)
    rules = Rules(names, offsets, of_type("report", report, Report, "a Report") or Report())
    of_type("name", name, str, "the name of the input")
    of_type("like", like, Corpus, "a Corpus")
    of_type("progress", progress, Callable, "a function of the bytes that are done")  # type: ignore[arg-type]
    if isinstance(source, Corpus):
        return source
    source, told = as_rows(source, name or "table"), progress or (lambda _: None)
    if isinstance(source, FILES):
        corpus = _read_file(source, rules, told, like)
    elif is_columns(source, names):
        corpus = read_columns(source, name or "columns", rules)
    elif isinstance(source, (list, tuple, Mapping)):
        corpus = _read_objects(source, name or "documents", rules)
    else:
        raise InputError(f"the input is {shown(source)}", expected="a path, a list of documents, or columns")
    corpus.problems[:0] = rules.report.problems
    return corpus


def _read_file(
    source: str | Path | Source, rules: Rules, told: Callable[[int], None], like: Corpus | None
) -> Corpus:
    """Read a file of a table, of JSON Lines, of JSON."""
    if not isinstance(source, Source) and _large(source) and can_stream(source):
        return read_stream(source, rules, told, like)
    file = open_source(source)
    if isinstance(file.held, Rows):
        return read_rows(file, file.held, rules, told)
    return read_json(file, rules, told, like)


def _large(path: str | Path) -> bool:
    """Tell files that are not held in memory whole while they are read."""
    try:
        return byte_size(path) >= LARGE
    except (OSError, ValueError):  # standard input, or a file that is not there
        return False


def _read_objects(source: Any, name: str, rules: Rules) -> Corpus:
    documents, schema = unwrap(source, rules.names, name)

    def where(row: int) -> str:
        return f"{name}[{row}]"

    builder = Builder(name, where)
    add_objects(builder, documents, where, rules)
    return builder.corpus(schema=schema)
