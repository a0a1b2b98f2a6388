"""What models add to a quote: bullets, tags, escapes, editors' brackets, the source behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

BULLET = re.compile(r"^\s*(?:[*•‣◦·–—-]\s+|#{1,6}\s+|>\s*|\(?\d{1,2}[.)]\s+)")
_CODE_POINT = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_ESCAPE = re.compile(r"\\[nrt]")
_ESCAPED = re.compile(r'\\(?=")')
_EDITED = re.compile(r"\[(\w)\](?=\w)")  # [T]he
_TAG = re.compile(r"</?[A-Za-z][\w-]{0,30}>")
_NOTE = re.compile(
    r"\s*[\[(]\s*(?:sic|(?:my |our )?emphasis(?: added| mine| ours| in (?:the )?original)?"
    r"|(?:internal )?(?:citations?|quotation marks?) omitted)\s*!?\s*[\])]",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"\s*(?:\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]|【[^】]{1,60}】|[\[(](?:source|sections?|sec\.|§|pp?\.|pages?|lines?"
    r"|para(?:graph|\.)?s?|doc(?:ument)?|chunk|ref(?:erence)?|art(?:icle|\.)|clause|abschnitt|seite|s\.|artikel)"
    r"(?![^\W\d_])[^\[\]()]{0,60}[\])])\s*$",
    re.IGNORECASE,
)
_STEPS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (_EDITED, r"\1"),
    (_CODE_POINT, lambda found: chr(int(found[1] or found[2], 16))),
    (_ESCAPE, " "),
    (_ESCAPED, ""),
    (_TAG, ""),
    (_NOTE, ""),
    (BULLET, ""),
)


def bare_forms(quote: str) -> Iterator[str]:
    """Yield a quote without what models add to it, one kind of addition after the other.

    >>> list(bare_forms("- the defendent [sic] left"))
    ['- the defendent left', 'the defendent left']
    """
    for pattern, instead in _STEPS:
        if (own := pattern.sub(instead, quote)) != quote:
            quote = own
            yield quote


def without_additions(quote: str) -> str:
    """Return a quote without all that models add to it, but for a source behind it."""
    *_, last = quote, *bare_forms(quote)
    return last


def without_source(quote: str) -> str:
    """Return a quote without the source that is named behind it in brackets.

    >>> without_source("The fee is due. [Section 4]"), without_source("The fee (5 EUR)")
    ('The fee is due.', 'The fee (5 EUR)')
    """
    return _SOURCE.sub("", quote)
