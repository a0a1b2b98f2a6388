"""The pages people annotate in Label Studio: a text, or HTML with perhaps the offsets of its clauses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any, NoReturn, TypeGuard

from spanscope.errors import InputError, fields_of, plural, shown
from spanscope.io.offsets import places

PATH = re.compile(r"/div\[(\d+)\](?:/div\[1\])?(/text\(\)\[1\])?")  # of an end, in the pages RT-SEG made
DIV = re.compile(r"<(/?)div\b[^<>]*>", re.IGNORECASE)
Offsets = list[tuple[int, int]]
QUOTE = '\\"'  # how those pages write a quote


def _wrong(where: str, what: str, expected: str = "") -> NoReturn:
    raise InputError(what, where=where, expected=expected)


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


class Page:
    """The text of a task, and how offsets into its page become offsets into the text."""

    def __init__(self, text: str | None, length: int, clauses: list[str], offsets: Offsets) -> None:
        self.text, self.length, self.clauses, self.offsets = text, length, clauses, offsets
        self.convert = None if text is None else places(text, "utf16")
        self.tables: dict[int, Callable[[int], int | None]] = {}

    @classmethod
    def of(cls, data: Mapping[str, Any], where: str) -> Page:
        """Return the page of a task: a text, or HTML with perhaps the offsets of its clauses."""
        html, given = data.get("html"), data.get("offsets")
        if isinstance(html, str):
            if given in (None, []):
                text = page_text(html, where)
                return cls(text, len(text), [], [])
            offsets = _offsets(given, where)
            parts = _divs(html)
            if len(parts) != len(offsets):
                what = f"data.html has {plural(len(parts), 'clause')}, data.offsets {len(offsets):,}"
                _wrong(where, what, "as many of both")
            sizes = [high - low for low, high in offsets]
            return cls(None, offsets[-1][1], [_write(*pair) for pair in zip(parts, sizes, strict=True)], offsets)
        plain = next((data[key] for key in ("text", "content") if isinstance(data.get(key), str)), None)
        if plain is None:
            _wrong(where, f"data has {fields_of(data)}", "a text under text, content or html")
        return cls(plain, len(plain), [], [])

    def ends(self, value: Mapping[str, Any], at: str, where: str) -> tuple[int, int]:
        """Return start and end of a result, in code points of the text."""
        if self.offsets:
            start, end = (self._clause(value, end, at, where) for end in ("start", "end"))
            return start, end
        given = value.get("globalOffsets")
        if given is not None and not isinstance(given, Mapping):
            _wrong(where, f"{at}.globalOffsets is {shown(given)}", "an object with start and end")
        found = given or value
        start, end = (self._plain(found.get(end), f"{at}.{end}", where) for end in ("start", "end"))
        return start, end

    def odd(self) -> list[dict[str, int]]:
        """Return every clause that is shorter or longer on the page than its offsets say, with both lengths."""
        return [
            {"clause": number, "written": len(written), "given": high - low}
            for number, (written, (low, high)) in enumerate(zip(self.clauses, self.offsets, strict=True), start=1)
            if high - low not in (len(written), len(written) - written.count(QUOTE))
        ]

    def _plain(self, offset: Any, at: str, where: str) -> int:
        moved = self.convert(offset) if self.convert and _is_whole(offset) else None
        if moved is None:
            _wrong(where, f"{at} is {shown(offset)}", "an offset into the text, in UTF-16 units")
        return moved

    def _clause(self, value: Mapping[str, Any], end: str, at: str, where: str) -> int:
        """Return an end given by its clause and the offset in it, undoing the escapes of the page."""
        found, offset = PATH.fullmatch(str(value.get(end))), value.get(f"{end}Offset")
        number = int(found[1]) - 1 if found else -1
        said = f"{at}.{end} is {shown(value.get(end))} with offset {shown(offset)}"
        if found is None or not 0 <= number < len(self.offsets) or not _is_whole(offset):
            _wrong(where, said, "/div[N]/... and an offset")
        written, (low, high) = self.clauses[number], self.offsets[number]
        inside = found[2] is not None or offset == 0  # else the offset counts elements, not characters
        moved = self._table(number)(offset) if inside else None
        escaped = QUOTE in written and len(written) - written.count(QUOTE) == high - low
        if moved is not None and escaped:
            between = written[max(moved - 1, 0) : moved + 1] == QUOTE
            moved = None if between else moved - written.count(QUOTE, 0, moved)
        if moved is None or moved > high - low:
            size = len(written.encode("utf-16-le", "surrogatepass")) // 2
            _wrong(where, said, f"an offset from 0 to {size} between two characters of clause {number + 1}")
        return low + moved

    def _table(self, number: int) -> Callable[[int], int | None]:
        if number not in self.tables:
            self.tables[number] = places(self.clauses[number], "utf16")
        return self.tables[number]


def _offsets(given: Any, where: str) -> Offsets:
    """Return where each clause starts and ends in the text."""
    if not isinstance(given, list):
        _wrong(where, f"data.offsets is {shown(given)}", "a list of [start, end], one for each clause")
    for number, pair in enumerate(given):
        sound = isinstance(pair, (list, tuple)) and len(pair) == 2 and all(map(_is_whole, pair))
        if not sound or not 0 <= pair[0] <= pair[1]:
            _wrong(where, f"data.offsets[{number}] is {shown(pair)}", "[start, end], 0 <= start <= end")
    for number, (one, other) in enumerate(pairwise(given), start=1):
        if other[0] < one[1]:
            _wrong(where, f"data.offsets[{number}] is {shown(other)}", f"a start from {one[1]} on")
    return [(pair[0], pair[1]) for pair in given]


def _divs(html: str) -> list[str]:
    """Return what stands in each div of the top level, as XPath counts them: in the first div inside, if any.

    Only divs count: white space between them is nothing, an empty one is one, and a `<` in a clause is text.
    """
    out: list[str] = []
    depth, inner, start = 0, 0, 0
    for tag in DIV.finditer(html):
        if not tag[1]:
            depth += 1
            if depth == 1:
                out.append("")
                inner, start = 0, tag.end()
            elif depth == 2:
                inner += 1
                start = tag.end() if inner == 1 else start
        elif depth:
            if (depth == 2 and inner == 1) or (depth == 1 and inner == 0):
                out[-1] = html[start : tag.start()]
            depth -= 1
    return out


def _write(part: str, size: int) -> str:
    """Return a clause as the page shows it; where only what was typed has the right size, a < is no tag."""
    typed = unescape(part)
    try:
        parsed = page_text(part, "")
    except InputError:
        return typed
    fits = [text for text in (parsed, typed) if size in (len(text), len(text) - text.count(QUOTE))]
    return fits[0] if fits else parsed


def page_text(html: str, where: str) -> str:
    """Return the text that a page shows."""
    reader = _Reader()
    try:
        reader.feed(html)
        reader.close()
    except AssertionError as error:  # what Python's parser raises at <![... that is not closed
        _wrong(where, f"data.html cannot be read ({error})", "HTML")
    return "".join(reader.pieces)


class _Reader(HTMLParser):
    """Collects the text of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)
