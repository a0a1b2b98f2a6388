"""What a shell completes behind an option: protocols, measures, formats, words that are declared, and labels.

Everything is looked up when somebody presses the key; whatever goes wrong then offers nothing, for there is no
place to say it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

Offer = tuple[str, str]  # what is typed, and what it is
LARGEST = 20_000_000  # bytes of a file that is read while somebody waits for its labels
SOURCES = ("gold", "files", "source", "sources", "data")  # arguments of commands that name files with labels


def protocols() -> list[Offer]:
    """Return every protocol with its summary."""
    from spanscope.settings.protocols import known_protocols

    return [(one.name, one.summary) for one in known_protocols()[0].values()]


def measures() -> list[Offer]:
    """Return every measure with the first line of its definition."""
    from spanscope.measures.registry import known

    return [(name, one.summary) for name, one in known().items()]


def inputs() -> list[Offer]:
    """Return every format that a file may be said to be in."""
    from spanscope.commands.formats import formats
    from spanscope.io.detect import NAMES

    return [(one["name"], one["known"]) for one in formats() if one["name"] in NAMES or one["package"]]


def formats_explained() -> list[Offer]:
    """Return every format that can be explained."""
    from spanscope.commands.formats import formats

    return [(one["name"], one["known"]) for one in formats()]


def forms() -> list[Offer]:
    """Return every form that is written."""
    from spanscope.commands.formats import formats

    return [*{name: (name, one["family"]) for one in formats() for name in one["written"]}.values()]


def reports() -> list[Offer]:
    """Return every format of a report."""
    from spanscope.report import FORMATS

    return [(name, "") for name in FORMATS]


NAMED: dict[str, Callable[[], list[Offer]]] = {
    "protocol": protocols,
    "measures": measures,
    "input": inputs,
    "to": forms,
    "format": reports,
    "measure": measures,
    "form": formats_explained,
}


def completing(name: str) -> Callable[..., list[Offer]] | None:
    """Return what offers values of an option, by its name; None where there is nothing to offer."""
    if name == "labels":
        return _offer_labels
    if name in NAMED:
        return lambda incomplete: _offered(NAMED[name], incomplete)
    return lambda incomplete: _offered(lambda: [(word, "") for word in declared_words(name)], incomplete)


def declared_words(name: str) -> list[str]:
    """Return the words that an option may be, where its declaration lists them."""
    from spanscope.engines.choice import Spark
    from spanscope.results.result import Keeping
    from spanscope.settings.options import ALL, options_of
    from spanscope.sides.pairing import Extra, Missing, Repeated
    from spanscope.stats.bootstrap import Method

    types = {"Spark": Spark, "Keeping": Keeping, "Extra": Extra, "Missing": Missing, "Repeated": Repeated}
    types["Method"] = Method  # options are declared by the names of their types, which nobody else has to load
    group = next((one for one in ALL if name in options_of(one)), None)
    words = [] if group is None else _literals(get_type_hints(group, localns=types)[name])
    return [word for word in words if isinstance(word, str)]


def _literals(hint: Any) -> list[Any]:
    if get_origin(hint) is Literal:
        return [*get_args(hint)]
    return [word for part in get_args(hint) for word in _literals(part)]


def _offered(names: Callable[[], Iterable[Offer]], incomplete: str) -> list[Offer]:
    with suppress(Exception):
        return [(name, about) for name, about in names() if name.startswith(incomplete)]
    return []


def _offer_labels(ctx: Any, incomplete: str) -> list[Offer]:
    """Return the labels of the first file that was typed before, the last of a list behind its commas."""
    given = [path for name in SOURCES for path in _paths(ctx.params.get(name))]
    given += [word for word in ctx.args if not word.startswith("-")]  # where the option has no value yet
    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",")
    return [
        (f"{before}{comma}{label}", about)
        for label, about in _offered(lambda: _labels_of(given[0]) if given else [], last)
        if label not in taken
    ]


def _paths(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [one for one in value or () if isinstance(one, str)]


def _labels_of(path: str) -> list[Offer]:
    from spanscope.commands.read import read

    if not Path(path).is_file() or Path(path).stat().st_size > LARGEST:
        return []
    return [(label, "") for label in read(path).labels]
