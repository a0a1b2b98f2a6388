"""The Unicode forms of texts: é is one character in NFC, and e with an accent behind it in NFD."""

from __future__ import annotations

from typing import Literal, get_args
from unicodedata import is_normalized, normalize

Form = Literal["NFC", "NFD"]
FORMS: tuple[Form, ...] = get_args(Form)


def form_of(text: str) -> str:
    """Return the form of a text in which not all characters are the same in both.

    >>> form_of("caf\u00e9"), form_of("cafe\u0301")
    ('NFC', 'NFD')
    """
    return next((form for form in FORMS if is_normalized(form, text)), "neither NFC nor NFD")


def differs_in_form(one: str, other: str) -> bool:
    """Tell two texts that differ in nothing but their Unicode forms.

    >>> differs_in_form("caf\u00e9", "cafe\u0301"), differs_in_form("caf\u00e9", "cafe")
    (True, False)
    """
    return one != other and normalize("NFC", one) == normalize("NFC", other)


def forms_of(one: str, other: str) -> dict[str, str]:
    """Return the forms of two texts, as the words of problems have them."""
    return {"form": form_of(one), "other": form_of(other)}


def form_with(text: str, start: int, end: int, own: str) -> str:
    """Return the form of a document in which a span's own text stands at its offsets; nothing where it is none."""
    if text.isascii():
        return ""
    return next((form for form in FORMS if normalize(form, text)[start:end] == own), "")
