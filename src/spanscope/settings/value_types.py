"""Which values an option may be given as data, in a request or a file, by the form it is declared with."""

from __future__ import annotations

from spanscope.settings.declaring import Form

TYPES: dict[Form, tuple[type, ...]] = {
    "text": (str,),
    "list": (list,),
    "repeated": (list,),
    "pairs": (dict,),
    "pair list": (dict,),
    "cutoffs": (int, list),
    "steps": (list, str),
    "whole": (int,),
    "number": (int, float),
    "flag": (bool,),
}
WORDS = {
    str: "a text",
    list: "a list",
    dict: "a table of keys and values",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


def is_of(value: object, types: tuple[type, ...]) -> bool:
    """Tell whether a value is of one of the types; true and false are no numbers."""
    return isinstance(value, types) and not (isinstance(value, bool) and bool not in types)


def in_words(types: tuple[type, ...]) -> str:
    """Return what a value may be.

    >>> in_words((int, list))
    'a whole number or a list'
    """
    return " or ".join(WORDS[one] for one in types if not (one is int and float in types))
