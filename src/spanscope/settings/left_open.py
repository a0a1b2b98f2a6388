"""What a file may leave open, where somebody said it: whose annotations, which layer, where spans end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanscope.arguments import of_type, one_of, refuse_half, words
from spanscope.io.metadata import META
from spanscope.io.read_options import LEFT_OPEN
from spanscope.io.surrogates import path_of
from spanscope.settings.reading import Reading

ENDS = ("inclusive", "exclusive")


def said_of_source(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of a source as reports tell them: of texts where they are, and not the texts themselves."""
    told = {"texts": path_of(given["texts"]) or "in memory"} if given.get("texts") is not None else {}
    return {**given, **told}


def left_open(read: Reading) -> dict[str, Any]:
    """Return what was said, by the name of the option, everything of the type it should be."""
    said = {name: value for name in LEFT_OPEN if (value := getattr(read, name)) is not None}
    if "ends" in said:
        one_of("ends", said["ends"], ENDS)
    for name in ("annotator", "layer", "split"):
        of_type(name, said.get(name), str, "a name")
        refuse_half(name, said.get(name))
    if "label_names" in said:
        given = of_type("label_names", said["label_names"], Mapping, "names by number") or {}
        said["label_names"] = {str(number): str(name) for number, name in given.items()}
        words("label_names", list(said["label_names"].values()), "names by number")
    if "keep_fields" in said:
        said["keep_fields"] = tuple(
            name for name in words("keep_fields", said["keep_fields"], "names of fields") if name != META
        )
    return said
