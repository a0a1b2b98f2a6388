"""What is said of an option where it is declared."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal, NamedTuple

Form = Literal["text", "list", "repeated", "pairs", "pair list", "cutoffs", "steps", "whole", "number", "flag"]
SPANS, SEGMENTS, TOKENS, PASSAGES = "spans", "segments", "tokens", "passages"


class Option(NamedTuple):
    """What is said of an option besides its type and its default."""

    help: str
    form: Form = "text"
    flag: str = ""  # on the command line, where it is not --name
    short: str = ""
    example: str = ""
    usual: str = ""  # what holds where nothing is given, where the default does not say it
    families: tuple[str, ...] = ()  # those that read it; all where there are none
    by_side: bool = False  # gold and predictions may be read differently
    signed: int = 0  # its place in the signature; 0: it moves no figure, or the signature says it in another way
    least: int | None = None


def option(default: Any, help: str, form: Form = "text", **about: Any) -> Any:
    """Declare an option of a group."""
    return field(default=default, metadata={"option": Option(help, form, **about)})
