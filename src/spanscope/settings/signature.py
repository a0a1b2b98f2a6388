"""The part of a signature that says which settings are not the usual ones."""

from __future__ import annotations

import math

from spanscope.settings.settle import RETRIEVAL, Settings


def parts(settings: Settings, *, tagged: bool) -> list[str]:
    """Return the settings that can move a figure, as far as they are not the usual ones.

    `tagged` says that documents came as tagged tokens, whose scheme and repair always count.
    """
    out = []
    if settings.protocol.read is not None:
        out.append(f"rules:{settings.protocol.name}")
    out += [f"{name}:{own}" for name in RETRIEVAL if (own := getattr(settings, name)) is not None]
    if settings.normalise:
        out.append("normalised")
    if tagged:
        read_by = settings.tags.repair
        out += [] if read_by == "seqeval" else [f"scheme:{settings.tags.scheme}"]
        out.append(f"repair:{read_by}")
    out += [f"map:{old}={new}" for old, new in sorted(settings.tags.mapping.items())]
    if not math.isnan(settings.policy.undefined):
        out.append(f"undefined:{settings.policy.undefined:g}")
    out += [
        f"{name}:{value}"
        for name, value, usual in (
            ("missing", settings.missing, "error"),
            ("extra", settings.extra, "error"),
            ("repeated", settings.repeated, "error"),
            ("offsets", settings.offsets, "codepoints"),
        )
        if value != usual
    ]
    return out + [f"field:{name}={own}" for name, own in sorted(settings.field.items())]
