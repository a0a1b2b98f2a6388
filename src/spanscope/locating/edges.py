"""Word edges: whether a place begins or ends inside a word, a number or a symbol."""

from __future__ import annotations

import unicodedata

# Scripts whose words are not set apart by spaces: Thai, Lao, Burmese, Khmer, kana, Han, and their extensions.
_UNSPACED = (
    *((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3005, 0x3007), (0x3040, 0x30FF), (0x3400, 0x4DBF)),
    *((0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x20000, 0x323AF)),
)
_DASHES = "-\u2212\u2010\u2011\u2012\u2013"
_SIGNED = "+#"  # C++, C#, A+


def is_unspaced(character: str) -> bool:
    """Tell characters of scripts without spaces between words."""
    code = ord(character)
    return code >= 0x0E00 and any(low <= code <= high for low, high in _UNSPACED)


def is_edge(text: str, at: int) -> bool:
    """Tell whether a word, number or symbol may begin or end at a place of a text."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if before.isspace() or after.isspace():
        return True
    return not _are_joined(text, at, before, after)


def _are_joined(text: str, at: int, before: str, after: str) -> bool:
    if before.isalnum() and after.isalnum():
        both = before.isdecimal() and after.isdecimal()
        return both or not (is_unspaced(before) or is_unspaced(after))
    if after in "\u200d\ufe0f" or before == "\u200d" or unicodedata.combining(after):
        return True
    if before == after and unicodedata.category(after) == "So":  # two of three equal emoji
        return True
    if unicodedata.combining(before) and after.isalnum():
        base = at - 1
        while base > 0 and unicodedata.combining(text[base]):
            base -= 1
        return text[base].isalnum() and not is_unspaced(after)
    if after.isdecimal() and _is_sign(text, at - 1):
        return True
    if after == "_" or before == "_":
        own = at if after == "_" else at - 1
        return 0 < own < len(text) - 1 and text[own - 1].isalnum() and text[own + 1].isalnum()
    return (before.isalnum() and after in _SIGNED) or (before in _SIGNED and after in _SIGNED)


def is_stem(text: str, start: int, end: int) -> bool:
    """Tell a place that ends before the particle of a Korean word."""
    return (
        end - start > 1 and "\uac00" <= text[end - 1] <= "\ud7a3" and "\uac00" <= text[end : end + 1] <= "\ud7a3"
    )


def in_word(text: str, at: int) -> bool:
    """Tell a place between two letters or digits of a word."""
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


def cuts_number(text: str, start: int, end: int) -> bool:
    """Tell a place that begins or ends at a point or comma between two digits."""
    return _is_point(text, start - 1) or _is_point(text, end)


def _is_point(text: str, at: int) -> bool:
    if not 0 < at < len(text) - 1 or text[at] not in ".,":
        return False
    return text[at - 1].isdecimal() and text[at + 1].isdecimal()


def _is_sign(text: str, at: int) -> bool:
    """Tell a minus sign: a dash before a digit, with no word before it."""
    if text[at] not in _DASHES:
        return False
    return at == 0 or text[at - 1].isspace() or text[at - 1] in "([{<>=≤≥~±"


def widen(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a place with the words whole that it begins and ends in."""
    while start > 0 and not is_edge(text, start):
        start -= 1
    while end < len(text) and not is_edge(text, end):
        end += 1
    return start, end
