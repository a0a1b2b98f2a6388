"""The options that the form has, out of those that are declared: all that concern reading, joining and scoring.

Options that name a file or a folder are not offered, for no path from a browser is opened; nor are those that
say how much of the machine is used.
"""

from __future__ import annotations

from dataclasses import Field
from typing import Any, get_args

from spanscope.jsonable import JsonObject
from spanscope.settings.declaring import Form
from spanscope.settings.options import ALL, about, options_of
from spanscope.settings.reading import Reading
from spanscope.settings.value_types import TYPES

NAMES = (
    "protocol",
    "measures",
    "labels",
    "text",
    "missing",
    "extra",
    "repeated",
    "join",
    "k",
    "beta",
    "min_score",
    "group",
    "input",
    "fields",
    "offsets",
    "ends",
    "annotator",
    "layer",
    "split",
    "columns",
    "label_names",
    "tag_names",
    "keep_fields",
    "mapping",
    "scheme",
    "repair",
    "scores",
    "normalise",
    "locate",
    "repair_json",
    "strict",
    "allow_different_texts",
)
OWN = ("protocol", "measures", "labels", "text", "locate")  # which have places of their own in the form
SIDES = ("gold", "pred")
TITLES = {"k": "Cutoff (k)", "repair_json": "Repair JSON", "mapping": "Mapping of labels"}
DECLARED: dict[str, tuple[Field[Any], type]] = {
    name: (one, group) for group in ALL for name, one in options_of(group).items()
}
BY_SIDE = tuple(name for name in NAMES if about(DECLARED[name][0]).by_side)
OF_SIDES = {f"{side}_{name}": (side, name) for name in BY_SIDE for side in SIDES}
OFFERED = (*NAMES, *OF_SIDES)


def form_of(name: str) -> Form:
    """Return the form of an option, also of one of a side."""
    return about(DECLARED[OF_SIDES.get(name, ("", name))[1]][0]).form


def types_of(name: str) -> tuple[type, ...] | None:
    """Return the types that JSON may give an option; None where it is not offered."""
    if name == "threshold":
        return (int, float)
    if name == "ci":
        return (bool,)
    return TYPES[form_of(name)] if name in OFFERED else None


def further() -> list[JsonObject]:
    """Return the options that the form shows on request, as they are declared."""
    return [_offer(name) for name in NAMES if name not in OWN]


def _offer(name: str) -> JsonObject:
    one, group = DECLARED[name]
    said = about(one)
    return {
        "name": name,
        "title": TITLES.get(name, name.replace("_", " ").capitalize()),
        "says": said.help,
        "form": said.form,
        "usual": said.usual or ("" if one.default in (None, False) else str(one.default)),
        "example": said.example.partition(" ")[2].partition(" --")[0],
        "choices": list(_choices(name)),
        "families": list(said.families),
        "sides": said.by_side,
        "group": "reading" if group is Reading else "scoring",
    }


def _choices(name: str) -> tuple[str, ...]:
    """Return the values of an option that has few."""
    from spanscope.io.offsets import Offsets
    from spanscope.measures.passages.evidence import BY
    from spanscope.sides.pairing import Extra, Missing, Repeated

    known = {"missing": Missing, "extra": Extra, "repeated": Repeated, "offsets": Offsets}
    if name in known:
        return get_args(known[name])
    more = {
        "ends": ("exclusive", "inclusive"),
        "repair": ("conlleval", "discard", "strict", "seqeval"),
        "scores": ("similarities", "distances"),
        "join": tuple(BY),
    }
    return more.get(name, ())
