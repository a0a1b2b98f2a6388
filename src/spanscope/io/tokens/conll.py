"""CoNLL files: one token per line with its columns, a blank line between sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import msgspec

from spanscope.errors import InputError, shown
from spanscope.io.source import Source
from spanscope.io.tokens.remarks import DOCSTART, Remarks, remarks_of

TAG = re.compile('O|[BILOUSEM]-[^"]+')  # JSON and source code have quotes behind what looks like a tag
BLANKS = re.compile(" +")  # a no-break space is part of a token
ENDS = re.compile(r"\r+$", re.MULTILINE)  # what lines of other systems end with
HEAD = 1 << 16  # bytes in which every token has a tag, if a file is CoNLL
KNOWN = ("token", "tag", "gold", "pred")
LAST = (-1,)  # the column of tags, unless others are named
TAGGED = "a tag at the end of every line: O, or a prefix and a type such as B-PER"
SAY = "[[input=conll]], or [[columns=token=0,tag=-1]], for tokens with other tags or a header row"
# The names that a header row has, in the column of tokens and in those of tags.
TOKENS = {"token", "tokens", "word", "words", "form", "text"}
TAGS = {"tag", "tags", "label", "labels", "ner", "ner_tag", "ner_tags", "entity", "bio", "iob", "gold", "pred"}

Row = tuple[int, list[str]]  # the number of a line, and its columns: none where it is blank


@dataclass(eq=False)
class Lines:
    """The columns of a CoNLL file: one entry per token, and the number of tokens of each sentence."""

    sizes: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)  # the line of each token
    rows: list[list[str]] = field(default_factory=list)
    remarks: Remarks | None = None  # where the file has comments, or marks of documents

    def first(self) -> list[int]:
        """Return the first token of each sentence, and the number of all tokens."""
        return [0, *accumulate(self.sizes)]


def is_json(head: bytes) -> bool:
    """Tell the beginning of JSON documents."""
    return head.lstrip()[:1] in (b"{", b"[")


def is_document(head: bytes) -> bool:
    """Tell JSON by a first line that is a whole object or list: a bracket alone may be a token."""
    try:
        return isinstance(msgspec.json.decode(head.lstrip().partition(b"\n")[0]), (dict, list))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def is_conll(head: bytes, at: Sequence[int] = LAST) -> bool:
    """Tell a CoNLL file by its first bytes: every token has tags in these columns, O or a prefix and a type."""
    head = head[:HEAD]
    first = head.lstrip().partition(b"\n")[0]
    if is_json(head) and (b'"' in first or len(first.split(None, 1)) < 2):
        return False  # most files are JSON, and need no second look; else the first token is a bracket
    return _first_untagged(head, at) is None


def unread(data: bytes, name: str) -> InputError | None:
    """Say which line keeps a file that is no JSON from being CoNLL; nothing of what was meant to be JSON."""
    found = None if is_json(data) or len(data.split(None, 1)) < 2 else _first_untagged(data, LAST)
    if found is None:
        return None
    line, fields, before = found
    what, expected, hint = "is neither JSON nor CoNLL: this line has no tag", f"JSON, or {TAGGED}", SAY
    if before > 1 and len(fields) > 1:
        expected += f", as {before:,} lines before have"
        hint = f"[[input=conll]]   which reads {shown(fields[-1])} as its tag"
    return InputError(what, where=f"{name}:{line}", expected=expected, hint=hint)


def _first_untagged(data: bytes, at: Sequence[int]) -> tuple[int, Sequence[str], int] | None:
    """Return the first line of the head that is a token without tags, its fields, and how many before have some.

    None stands for a head in which all have.
    """
    head = data[:HEAD]
    text = (head[: head.rfind(b"\n") + 1] or head).decode("utf-8", "replace")
    tokens = [row for row in _tokens(_rows(text), at) if row[1]]
    if not tokens:
        return None if text.lstrip().startswith(DOCSTART) else (1, (), 0)
    if len(tokens) > 1 and _names_columns(tokens[0][1], 0, at):
        tokens = tokens[1:]
    return next(
        (
            (number, fields, before)
            for before, (number, fields) in enumerate(tokens)
            if len(fields) < 2 or not _are_tags(fields, at)
        ),
        None,
    )


def _names_columns(fields: Sequence[str], token: int, at: Sequence[int]) -> bool:
    """Tell a header row by the names of the columns of tokens and of tags."""
    own, word = _columns_at(fields, at), _columns_at(fields, [token])
    return {name.casefold() for name in own} <= TAGS and {name.casefold() for name in word} <= TOKENS


def _are_tags(fields: Sequence[str], at: Sequence[int], known: frozenset[str] = frozenset()) -> bool:
    """Tell whether all these columns hold tags, or values that are known to be some.

    Of two such columns in a line of two, the first is the token: whoever asks for both says that one is missing.
    """
    at = at[-1:] if len(fields) == len(at) else at
    own = _columns_at(fields, at)
    return len(own) == len(at) and all(tag in known or TAG.fullmatch(tag) for tag in own)


def _columns_at(fields: Sequence[str], at: Sequence[int]) -> list[str]:
    """Return the columns with these numbers, as far as there are such."""
    return [fields[number] for number in at if -len(fields) <= number < len(fields)]


def _rows(text: str, *, docstart: bool = False) -> list[Row]:
    """Return the lines, cut at tabs where the first token has one, else at blanks; not the marks of documents."""
    lines = (ENDS.sub("", text) if "\r" in text else text).split("\n")
    first = next((line for line in lines if line.strip() and not line.startswith(("#", DOCSTART))), text)
    tabs = "\t" in first
    cut = [line.split("\t" if tabs else " ") for line in lines]
    out = [
        (number, _fields(line, tabs=tabs) if len(fields) < 2 or "" in fields or line.isspace() else fields)
        for number, (line, fields) in enumerate(zip(lines, cut, strict=True), start=1)
    ]
    if DOCSTART not in text:
        return out
    return [row for row in out if not row[1] or row[1][0] != DOCSTART or (docstart and len(row[1]) > 1)]


def _fields(line: str, *, tabs: bool) -> list[str]:
    """Return the columns of a line that has one, or several blanks between two; none of a blank line."""
    if not line or line.isspace():
        return []
    return line.split("\t") if tabs else BLANKS.split(line.strip(" "))


def _tokens(rows: list[Row], at: Sequence[int]) -> list[Row]:
    """Return tokens and blank lines; a line with # is a token where it has the columns and tags of one.

    The number of columns, and tags without a prefix, are those of the other lines. Where there are none, all lines
    are tokens or all are comments.
    """
    hashes = {number: fields for number, fields in rows if fields and fields[0][:1] == "#"}
    if not hashes:
        return rows
    others = [fields for number, fields in rows if fields and number not in hashes]
    sizes = {len(fields) if len(fields) > 1 and _are_tags(fields, at) else 0 for fields in hashes.values()}
    width = len(others[0]) if others else max(sizes) if len(sizes) == 1 else 0
    known = frozenset(tag for fields in others for tag in _columns_at(fields, at))
    remarks = {n for n, fields in hashes.items() if len(fields) != width or not _are_tags(fields, at, known)}
    return [row for row in rows if row[0] not in remarks]


def read_lines(
    source: Source, at: Mapping[str, int], *, docstart: bool = False, said: bool = False, chosen: bool = False
) -> Lines:
    """Return tokens and sentences; every token must have as many columns as the first.

    `at` are the columns of tokens and tags; `chosen` tells that somebody named them. `docstart` keeps the lines
    that mark documents as tokens, as the conlleval script does. Where it was `said` that the file is CoNLL, its
    tags can be any words.
    """
    out = Lines()
    size = width = 0
    tags = [number for name, number in at.items() if name != "token"]
    text = decode(source)
    tokens = _tokens(_rows(text, docstart=docstart), tags)
    named = [row for row in tokens if row[1] and row[1][0] != DOCSTART]
    header = _header(named, at["token"], tags, source, chosen=chosen or not said)
    _refuse_again(named if header and not chosen else [], source)
    for number, fields in tokens:
        if not fields:
            if size:
                out.sizes.append(size)
            size = 0
            continue
        if number == header:
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
    if "#" in text or DOCSTART in text:
        first = [out.numbers[row] for row in out.first()[:-1]]
        out.remarks = remarks_of(text.split("\n"), first, {*out.numbers})
    return out


def _header(tokens: Sequence[Row], token: int, at: Sequence[int], source: Source, *, chosen: bool) -> int | None:
    """Return the line of a header row: the first, where it has the names of the columns and no other line has.

    A first line that alone has no tag may be a header with other names, or a mistake: it is refused, unless the
    columns were named.
    """
    if len(tokens) < 2:
        return None
    number, first = tokens[0]
    own = _columns_at(first, at)
    others = {tag for _, fields in tokens[1:] for tag in _columns_at(fields, at)}
    if _names_columns(first, token, at):
        again = any(fields == first for _, fields in tokens[1:])
        return None if others & {*own} and not again else number
    if not chosen and others != {"O"} and all(map(TAG.fullmatch, others)) and not all(map(TAG.fullmatch, own)):
        raise InputError(
            "only the first line has no tag, and it does not have the names of a header row",
            where=f"{source.name}:{number}",
            expected="token and tag as names of the columns, or no header row",
            hint="[[columns=token=0,tag=-1]]   if it is a token, or the numbers of other columns",
        )
    return None


def _refuse_again(tokens: Sequence[Row], source: Source) -> None:
    """Refuse a header row that stands there twice, as in files that were put behind each other."""
    first = tokens[0][1] if tokens else []
    if again := next((number for number, fields in tokens[1:] if fields == first), None):
        raise InputError(
            "the header row is repeated here",
            where=f"{source.name}:{again}",
            expected="a header row at the beginning alone",
            hint="[[columns=token=0,tag=-1]]   if both are tokens",
        )


def check_tags(lines: Lines, tags: Sequence[str], source: Source) -> None:
    """Refuse a token without a tag in a file that was taken for CoNLL because of its tags."""
    bad = {tag for tag in set(tags) if not TAG.fullmatch(tag)}
    if bad:
        number = next(number for number, tag in zip(lines.numbers, tags, strict=True) if tag in bad)
        raise InputError("has no tag", where=f"{source.name}:{number}", expected=TAGGED, hint=SAY)


def check_sides(tags: Mapping[str, Sequence[str]], source: Source) -> None:
    """Refuse two columns of tags that have no type in common: CoNLL-2003's are of phrases and of names."""
    gold, pred = ({tag.partition("-")[2] or tag for tag in set(own) if tag != "O"} for own in tags.values())
    if gold and pred and not gold & pred:
        raise InputError(
            "the last two columns have no type in common, so they may not be gold and predictions",
            where=source.name,
            expected="the columns of gold and of predictions, or predictions in a second file",
            hint="[[columns=gold=-2,pred=-1]]   if they are",
        )


def from_label_studio(lines: Lines) -> bool:
    """Tell what Label Studio writes: the same marks in the columns between every token and its tag."""
    return all(len(fields) == 4 and fields[1:3] == ["-X-", "_"] for fields in lines.rows)


def decode(source: Source) -> str:
    """Return a text; a byte that is none of UTF-8 is refused with its line."""
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
            hint="[[columns=token=0,tag=-1]]",
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
                hint="[[columns=token=0,gold=-2,pred=-1]]",
            )
        out[name] = number
    return out
