"""Packages that add to Spanscope: what they declare as entry points, found and loaded only where it is asked for.

To look through what is installed takes longer than to score a small corpus, so nobody does it before a name is
unknown, a source is in no format of our own, or everything there is shall be listed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from spanscope.errors import PluginError, SpanscopeError, may_quote_now, named

Kind = Literal["measures", "readers", "writers", "protocols", "columns"]
NOUNS: dict[Kind, str] = {
    "measures": "measure",
    "readers": "format",
    "writers": "form to write",
    "protocols": "protocol",
    "columns": "column",
}
Added = TypeVar("Added")


class Plugin(NamedTuple):
    """An entry point of a package: what it is, its name, where it is, and whose it is."""

    kind: Kind
    name: str
    target: str  # module, or module:attribute
    package: str
    version: str

    @property
    def origin(self) -> str:
        """Return the package and its version, as they stand in signatures."""
        return f"{self.package}/{self.version}"

    def refusal(self, why: str) -> PluginError:
        """Return the error that says why it cannot be used, and what can be done about the package."""
        what = f"the {NOUNS[self.kind]} {named(self.name)} of the package {self.package} {self.version}"
        hint = f"pip install --upgrade {self.package}, or pip uninstall {self.package}"
        return PluginError(f"{what} cannot be used: {why}", hint=hint)

    def failure(self, error: BaseException) -> PluginError:
        """Return the error for an exception in the package's own code; it may quote no more than ours may."""
        if isinstance(error, SpanscopeError):
            return self.refusal(error.what)
        return self.refusal(type(error).__name__ + (f": {error}" if may_quote_now() and str(error) else ""))

    def load(self) -> object:
        """Return what stands at the target; whatever goes wrong there is said of the package."""
        from importlib.metadata import EntryPoint

        try:
            return EntryPoint(self.name, self.target, f"spanscope.{self.kind}").load()
        except PluginError:
            raise
        except (Exception, SystemExit) as error:
            raise self.failure(error) from error


def declared(kind: Kind, name: str | None = None) -> list[Plugin]:
    """Return what installed packages declare of a kind, or what they do under one name."""
    return [one for one in _declared(kind, tuple(sys.path)) if name in (None, one.name)]


@lru_cache(maxsize=64)
def _declared(kind: Kind, _path: tuple[str, ...]) -> tuple[Plugin, ...]:
    from importlib.metadata import entry_points

    found = [
        Plugin(kind, one.name, one.value, one.dist.name, one.dist.version)
        for one in entry_points(group=f"spanscope.{kind}")
        if one.dist is not None
    ]
    return tuple(sorted(set(found)))


def the_only(kind: Kind, name: str) -> Plugin | None:
    """Return what goes by a name; where two packages have it, neither is taken."""
    found = declared(kind, name)
    if len(found) > 1:
        whose = " and ".join(f"{one.package} {one.version}" for one in found)
        raise PluginError(
            f"the {NOUNS[kind]} {named(name)} is of several packages: {whose}",
            hint=" or ".join(
                f"pip uninstall {package}" for package in dict.fromkeys(one.package for one in found)
            ),
        )
    return found[0] if found else None


def load_named(kind: Kind, name: str, check: Callable[[Plugin], Added]) -> Added | None:
    """Return what goes by a name, checked; None where no package has it."""
    one = the_only(kind, name)
    return None if one is None else check(one)


def load_all(kind: Kind, check: Callable[[Plugin], Added]) -> tuple[list[Added], list[PluginError]]:
    """Return all that packages add of a kind, checked, and what is wrong with those that cannot be used."""
    added: list[Added] = []
    refused: list[PluginError] = []
    for name in dict.fromkeys(one.name for one in declared(kind)):
        try:
            found = load_named(kind, name, check)
        except PluginError as error:
            refused.append(error)
        else:
            added += [] if found is None else [found]
    return added, refused


def of_module(kind: Kind, module: str) -> Plugin | None:
    """Return what a package declares of a kind in the package of a module; None for our own and for scripts."""
    top = module.partition(".")[0]
    if top == "spanscope":
        return None
    return next((one for one in declared(kind) if one.target.partition(":")[0].partition(".")[0] == top), None)


def in_words(refused: Iterable[PluginError]) -> str:
    """Return what is wrong with packages as an addition to another message."""
    return "; ".join(one.what for one in refused)
