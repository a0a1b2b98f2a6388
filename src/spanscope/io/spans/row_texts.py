"""The texts in the rows of a table of spans: whose they are, and whether they are as long as their spans.

A row of a span has no document to hold its text against, until the other side has one. But a text that is longer
than its span by one in every row says that ends are those of the last characters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spanscope.errors import InputError, plural, shown
from spanscope.io.offsets import READINGS

FEWEST, TENTH = 2, 10  # rows of another length that are refused: so many at least, and more than one in ten
Texts = Sequence[str | None]
LENGTHS: dict[
    str, Callable[[str, int], bool]
] = {  # whether a text fits a span of a length, by how else it is read
    "ends=inclusive": lambda text, length: len(text) == length + 1,
    "offsets=utf16": lambda text, length: len(text.encode("utf-16-le", "surrogatepass")) // 2 == length,
    "offsets=utf8": lambda text, length: len(text.encode("utf-8", "surrogatepass")) == length,
}


def are_of_documents(texts: Texts, starts: Sequence[int], ends: Sequence[int]) -> bool:
    """Tell texts of documents from those of spans: in most rows they are longer than the span, and reach past it.

    >>> are_of_documents(["Ann met Bob"] * 2, [0, 8], [3, 11]), are_of_documents(["Ann", "Bob"], [0, 8], [3, 11])
    (True, False)
    """
    known = [(text, end, end - start) for text, start, end in zip(texts, starts, ends, strict=True) if text]
    longer = sum(len(text) > size + 1 and end <= len(text) + 1 for text, end, size in known)
    return 2 * longer > len(known)


def refuse_other_lengths(
    texts: Texts, starts: Sequence[int], ends: Sequence[int], where: Callable[[int], str], said: Sequence[str]
) -> None:
    """Refuse rows whose texts are not as long as their spans, where another reading fits them better.

    `said` are the options that somebody gave: who said how offsets are meant is not asked again.
    """
    if said:
        return
    known = [
        (row, text, end - start)
        for row, (text, start, end) in enumerate(zip(texts, starts, ends, strict=True))
        if text is not None
    ]
    odd = [row for row, text, size in known if len(text) != size]
    if len(odd) < FEWEST or TENTH * len(odd) <= len(known):
        return
    fitting = {option: sum(fits(text, size) for _, text, size in known) for option, fits in LENGTHS.items()}
    best = max(fitting, key=lambda option: fitting[option])
    number, rest = len(known) - len(odd), len(known) - fitting[best]
    if fitting[best] <= max(number, 1) or (rest > 1 and TENTH * rest > len(known)):
        return  # texts that were shortened or tidied: they are held against the documents where these are known
    row = odd[0]
    raise InputError(
        f"{number:,} of {plural(len(known), 'span text')} {'is' if number == 1 else 'are'} as long as "
        f"{'its span' if number == 1 else 'their spans'}; {fitting[best]:,} of {len(known):,} {READINGS[best]} "
        f"(this row: {starts[row]} to {ends[row]}, {shown(texts[row])})",
        where=where(row),
        expected="a start and an end with the text between them, the end after its last character",
        hint=f"[[{best}]]",
    )
