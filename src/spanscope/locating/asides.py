"""What stands in a text and not in a copy of it: tags, footnote marks, page breaks, targets of links."""

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
_RAISED_DIGITS = re.compile("[¹²³⁴-⁹⁰]")


def may_have_asides(text: str) -> bool:
    """Tell texts that need no search for asides, and quickly: every aside has one of these in it."""
    if "<" in text or "[" in text:
        return True
    if not text.isascii() and _RAISED_DIGITS.search(text):
        return True
    return ("\n" in text or "\f" in text) and _NUMBERED_LINE.search(text) is not None
