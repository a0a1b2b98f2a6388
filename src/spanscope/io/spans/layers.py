"""Layers of annotations, as UIMA and INCEpTION have them: which is read, and which feature of it is the label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from spanscope.errors import InputError, named, plural

LABEL = "value"  # the feature that tools of UIMA keep labels in
SCORES = ("score", "confidence")


class Layer(NamedTuple):
    """A layer: the view of the document that it is on, its type, and the feature that is the label, if any."""

    view: str
    kind: str  # with its package, such as `de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity`
    feature: str = ""

    @property
    def name(self) -> str:
        """Return what the type is called without its package."""
        return self.kind.rpartition(".")[2]

    def called(self, asked: str) -> bool:
        """Tell whether somebody may mean this one: by type, type and feature, or view, type and feature."""
        own = [f"{kind}{feature}" for kind in (self.kind, self.name) for feature in ("", f".{self.feature}")]
        return asked in own or asked in [f"{self.view}/{name}" for name in own]


def choose_layer(found: Mapping[Layer, int], asked: str | None, where: str) -> Layer | None:
    """Return the layer that is read: the one asked for, else the only one with annotations and a label.

    `found` has the number of annotations of every layer, once for each feature that can be a label. None where
    there is no annotation at all.
    """
    if asked is not None:
        return _the_one(_usual([one for one in found if one.called(asked)]), found, where, asked)
    if not any(found.values()):
        return None
    return _the_one(_usual([one for one in found if found[one] and one.feature]), found, where)


def _usual(layers: list[Layer]) -> list[Layer]:
    """Return layers without the other features of those that have the usual one."""
    with_label = {(one.view, one.kind) for one in layers if one.feature == LABEL}
    return [one for one in layers if one.feature == LABEL or (one.view, one.kind) not in with_label]


def _the_one(layers: list[Layer], found: Mapping[Layer, int], where: str, asked: str | None = None) -> Layer:
    if len(layers) == 1:
        return layers[0]
    names = _names(layers or [one for one in found if found[one]], found)
    what = f"holds {plural(len(names), 'layer')}{'' if layers else ' without a label'}"
    if asked is not None:
        what = f"has {'several layers' if layers else 'no layer'} called {named(asked)}"
    listed = ", ".join(f"{name} ({number:,})" for name, number in names.items())
    first = next(iter(names), "NAME")
    raise InputError(f"{what}: {listed}", where=where, expected="one layer", hint=f"[[layer={first}]]")


def _names(layers: list[Layer], found: Mapping[Layer, int]) -> dict[str, int]:
    """Return the shortest names that tell layers apart, with how many annotations each has."""
    several_views = len({one.view for one in layers}) > 1
    out = {}
    for one in sorted(layers, key=lambda layer: (layer.name, layer.feature, layer.view)):
        alike = [other for other in layers if other.name == one.name and other.view == one.view]
        name = one.kind if len({other.kind for other in alike}) > 1 else one.name
        name += f".{one.feature}" if len(alike) > 1 and one.feature else ""
        out[f"{one.view}/{name}" if several_views else name] = found[one]
    return out
