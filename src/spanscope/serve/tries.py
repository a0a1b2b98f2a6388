"""What an error says to try, as changes of the form: options that it names, with the values that it proposes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from spanscope.errors import OPTION, DocumentError, SpanscopeError, say_options
from spanscope.jsonable import JsonObject
from spanscope.serve.offered import OF_SIDES, OFFERED, form_of

PLACEHOLDER = re.compile(r"\b(NAME|FILE|FOLDER|KEY|A)\b")
MOST_BUTTONS = 8  # buttons under one error


def tries_of(error: SpanscopeError, files: Mapping[str, str]) -> list[JsonObject]:
    """Return what the form can do about an error: each says what it is called, and the option and the value.

    An option whose value only the reader knows is opened instead of set. Where the error is in the file of one
    side (`files` has their names), an option that sides can have of their own is that of this side.
    """
    out: list[JsonObject] = []
    side = next((side for side, name in files.items() if error.where.partition(":")[0] == name), None)
    for general, proposed in _options_named(error):
        name = f"{side}_{general}" if side and f"{side}_{general}" in OF_SIDES else general
        value = proposed if name in OFFERED and form_of(name) != "flag" else "" if proposed == "False" else "1"
        if name not in OFFERED or any(one["option"] == name and one["value"] == value for one in out):
            continue
        own = value if value and not PLACEHOLDER.search(value) else None
        begun = value.partition("=")[0] + "=" if own is None and "=" in value else ""
        said = say_options(f"[[{name}={value}]]" if own not in (None, "", "1") else f"[[{name}]]")
        out.append({"say": said.rstrip(": "), "option": name, "value": own, "begun": begun})
    if isinstance(error, DocumentError) or "swapped" in error.hint:
        out.append({"say": "swap gold and predictions", "option": "swap", "value": None, "begun": ""})
    return out[:MOST_BUTTONS]


def _options_named(error: SpanscopeError) -> Iterator[tuple[str, str]]:
    """Yield the options that an error names, of what to try before what was expected."""
    for text in (error.hint, error.expected):
        for found in OPTION.finditer(text):
            name, value = found[1], found[2] or ""
            if name == "input" and ", " in value:  # several to choose from
                yield from ((name, one) for one in value.split(", "))
            else:
                yield name, value
