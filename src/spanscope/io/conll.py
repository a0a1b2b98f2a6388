"""CoNLL files: a token a line with its columns, a blank line between sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO

from spanscope.errors import InputError, shown
from spanscope.io.source import Source

COMMENT = re.compile(r"#\s.*=")  # CoNLL-U's `# sent_id = 12`; a token that is # has no = behind it
DOCSTART = "-DOCSTART-"
TAG = re.compile("O|[A-Z](-.*)?")
BLANKS = re.compile(" +")  # a no-break space is part of a token
SUFFIXES = (".conll", ".conllu", ".bio", ".iob", ".iob2")
KNOWN = ("token", "tag", "gold", "pred")


@dataclass
class Lines:
    """The columns of a CoNLL file: one entry a token, and the number of tokens of each sentence."""

    sizes: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)  # the line of each token
    rows: list[list[str]] = field(default_factory=list)


def is_conll(head: bytes, name: str = "") -> bool:
    """Tell a CoNLL file from JSON: by its name, or by a first line of several columns that is no JSON."""
    if name.removesuffix(".gz").endswith(SUFFIXES):
        return True
    for line in BytesIO(head):  # mostly the first is enough
        text = line.strip()
        if text and not text.startswith((b"#", b"-DOCSTART-")):
            return text[:1] not in b"{[" and len(text.split()) >= 2
    return b"-DOCSTART-" in head


def read_lines(source: Source, *, docstart: bool = False) -> Lines:
    """Return tokens and sentences; every token must have as many columns as the first.

    `docstart` keeps the lines that mark documents as tokens, as the conlleval script does.
    """
    out = Lines()
    size = width = 0
    tabs = b"\t" in source.data
    for number, line in enumerate(_decoded(source).split("\n"), start=1):
        text = line.rstrip("\r")
        if not text.strip():
            if size:
                out.sizes.append(size)
            size = 0
            continue
        fields = text.split("\t") if tabs else BLANKS.split(text.strip(" "))
        marks = fields[0] == DOCSTART and not (docstart and len(fields) > 1)
        remark = text.startswith("#") and len(fields) != width and not TAG.fullmatch(fields[-1])
        if marks or COMMENT.match(text) or remark:
            continue
        width = width or len(fields)
        if len(fields) != width:
            raise InputError(
                f"a token has {len(fields)} columns, those before have {width}",
                where=f"{source.name}:{number}",
                expected="as many columns on every line, a blank line between sentences",
            )
        out.rows.append(fields)
        out.numbers.append(number)
        size += 1
    if size:
        out.sizes.append(size)
    if out.rows and width < 2:
        expected = "a token and its tags on every line"
        raise InputError("the lines have one column", where=f"{source.name}:{out.numbers[0]}", expected=expected)
    if not out.rows:
        raise InputError("has no tokens", where=source.name, expected="a token and its tags on every line")
    return out


def _decoded(source: Source) -> str:
    try:
        return source.data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = 1 + source.data.count(b"\n", 0, error.start)
        what = f"byte {source.data[error.start]:#04x} is not UTF-8"
        raise InputError(what, where=f"{source.name}:{line}", expected="UTF-8") from None


def column(lines: Lines, at: int, name: str, source: Source) -> list[str]:
    """Return one column, counted from 0, or from the end where it is negative."""
    width = len(lines.rows[0]) if lines.rows else 0
    if not -width <= at < width:
        raise InputError(
            f"there is no column {at} for {name}: the lines have {width}",
            where=source.name,
            expected=f"a number from 0 to {width - 1}, or from -{width} to -1",
            hint="--columns token=0,tag=-1",
        )
    return [row[at] for row in lines.rows]


def columns(given: Mapping[str, str | int] | None) -> dict[str, int]:
    """Return the column numbers that were asked for, by name."""
    out = {}
    for name, value in (given or {}).items():
        try:
            number = int(value)
        except (TypeError, ValueError):
            number = None
        if name not in KNOWN or number is None:
            raise InputError(
                f"the column {name!r} is {shown(value)}",
                expected=f"{', '.join(KNOWN)} with a number each",
                hint="--columns token=0,gold=-2,pred=-1",
            )
        out[name] = number
    return out
