"""The parts of a signature that all figures of a run share: what was scored, and by which settings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from spanscope.io.read_options import LEFT_OPEN
from spanscope.jsonable import list_or_hash
from spanscope.settings.left_open import said_of_source
from spanscope.settings.options import ALL, about, options_of
from spanscope.settings.run_settings import Settings

NAMES = {"fields": "field"}  # settings that stand under another name in the signature
SIGNED = sorted(  # options that are said where they are not the default, in their order
    (about(one).signed, name, "error" if one.default is None else one.default)
    for group in ALL
    for name, one in options_of(group).items()
    if about(one).signed
)
READING = 20  # where the order says how documents were read and what 0/0 is


def parts(settings: Settings, documents: int, labels: int, *, tagged: bool) -> list[str]:
    """Return how many labels were seen and documents scored, and the settings that can move a figure.

    Settings are said as far as they are not the usual ones. `tagged` says that documents came as tagged tokens,
    whose scheme and repair always count.
    """
    asked = settings.policy.labels
    first = [f"labels:{labels if asked is None else list_or_hash(asked)}", f"docs:{documents}"]
    first += [str(settings.ci)] if settings.ci is not None and documents > 1 else []
    first += [f"rules:{settings.protocol.name}"] if settings.protocol.read is not None else []
    before = [part for place, name, usual in SIGNED if place < READING for part in _part_of(settings, name, usual)]
    after = [part for place, name, usual in SIGNED if place > READING for part in _part_of(settings, name, usual)]
    own = [
        f"{side}_{NAMES.get(name, name)}:{_print(value)}"
        for side, (given, *_) in settings.sides.items()
        for name, value in said_of_source(given).items()
        if name != "scheme"  # which stands among what was found
    ]
    return [*first, *before, *_read(settings, tagged=tagged), *after, *own]


def _print(value: Any) -> str:
    pairs = value.items() if isinstance(value, Mapping) else ()
    return ",".join(f"{key}={own}" for key, own in sorted(pairs)) or str(value)


def _read(settings: Settings, *, tagged: bool) -> list[str]:
    """Return how documents were read, and what 0/0 is."""
    out = ["normalised"] if settings.normalise else []
    out += ["located:fold,fuzzy:0.75,guards"] if settings.locate else []
    if tagged:
        read_by = settings.tags.repair
        out += [] if read_by == "seqeval" else _schemes(settings)
        out.append(f"repair:{read_by}")
    out += [f"map:{old}={new}" for old, new in sorted(settings.tags.mapping.items())]
    undefined = settings.policy.undefined
    return out if math.isnan(undefined) else [*out, f"undefined:{undefined:g}"]


def _schemes(settings: Settings) -> list[str]:
    """Return the scheme of the tags, by side where they differ."""
    gold, pred = settings.tags.scheme, settings.tags.pred_scheme
    return [f"scheme:{gold}"] if pred is None else [f"gold_scheme:{gold}", f"pred_scheme:{pred}"]


def _part_of(settings: Settings, name: str, usual: Any) -> list[str]:
    """Return what a signature says of an option: nothing where it is the default."""
    name = NAMES.get(name, name)
    value = said_of_source(settings.left_open).get(name) if name in LEFT_OPEN else getattr(settings, name)
    if isinstance(value, Mapping):
        return [f"{name}:{key}={own}" for key, own in sorted(value.items())]
    return [] if value is None or value == usual else [f"{name}:{value}"]
