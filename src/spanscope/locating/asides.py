"""What stands in a text and not in a copy of it: tags, notes, page breaks, targets of links, numbers of lines."""

from __future__ import annotations

import re

TAG = (
    r"</?(?:a|b|i|u|em|strong|p|br|hr|span|div|sup|sub|t[dhr]|tbody|thead|table|li|ul|ol|h[1-6]|code|pre|font|small"
    r"|mark|s|del|ins|q|blockquote)(?:\s[^<>]{0,300})?/?>"
)
FOOTNOTE = (
    r"(?<=[^\W\d].)\[(?:\d{1,3}(?:\s?[,–-]\s?\d{1,3})*|[a-z])\](?!\w)"
    r"|(?<=[^\W\d])\[\d{1,3}\](?!\w)"
)
PAGE_BREAK = (
    r"[\n\f][\s\f]*[^\w\n]{0,6}(?:(?i:page|seite|pag\.?|p\.|s\.)\s*)?\d{1,4}"
    r"(?:\s*(?:of|von|de|sur|/)\s*\d{1,4})?[^\w\n]{0,6}[\n\f]"
)
LINK = r"(?<=\])\(https?://[^\s()]{1,300}\)"
RAISED = r"(?<=[^\W\d])[¹²³⁴-⁹⁰]{1,3}(?=[\s.,;:!?)]|$)"
ASIDE = re.compile(f"{TAG}|{FOOTNOTE}|{PAGE_BREAK}|{LINK}|{RAISED}")  # what stands in a text and not in a copy
_NUMBERED_LINE = re.compile(r"\d[^\w\n]{0,6}[\n\f]")
_MARKED_LINE = re.compile(r"[\n\f][ \t]*(?:\(?\d{1,4}[.)][ \t]|\d{1,4}[ \t]{2})")
_MARK = re.compile(r"^[ \t]*(?:(\(?)(\d{1,4})([.)])[ \t]+|(\d{1,4})[ \t]{2,})(?=\S)", re.MULTILINE)
_RAISED_DIGITS = re.compile("[¹²³⁴-⁹⁰]")


def asides_of(text: str) -> list[tuple[int, int]]:
    """Return where asides stand in a text, in order.

    Numbers at the beginning of lines are asides where they count from line to line, as those of lists and
    transcripts do; a sentence that happens to be cut before its `12.` keeps it.
    """
    found = [one.span() for one in ASIDE.finditer(text)] if _may_have_others(text) else []
    return sorted({*found, *_enumerated(text)}) if _MARKED_LINE.search(text) else found


def _enumerated(text: str) -> list[tuple[int, int]]:
    marks = list(_MARK.finditer(text))
    numbers = [int(one[2] or one[4]) for one in marks]
    kinds = [(one[1], one[3]) for one in marks]
    steps = [kinds[at] == kinds[at - 1] and numbers[at] == numbers[at - 1] + 1 for at in range(1, len(marks))]
    counts = zip([False, *steps], [*steps, False], strict=True)
    return [one.span() for one, (before, behind) in zip(marks, counts, strict=False) if before or behind]


def may_have_asides(text: str) -> bool:
    """Tell texts that need no search for asides, and quickly: every aside has one of these in it."""
    return _may_have_others(text) or ("\n" in text and _MARKED_LINE.search(text) is not None)


def _may_have_others(text: str) -> bool:
    if "<" in text or "[" in text:
        return True
    if not text.isascii() and _RAISED_DIGITS.search(text):
        return True
    return ("\n" in text or "\f" in text) and _NUMBERED_LINE.search(text) is not None
