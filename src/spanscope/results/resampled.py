"""What intervals and tests resample: documents or groups of them, how many, and whether these are too few."""

from __future__ import annotations

from spanscope.jsonable import JsonObject

FEW = 20  # documents, or groups of them, below which an interval can hardly be trusted


def resampled(group: str | None, units: int | None) -> JsonObject:
    """Return what intervals and tests resample; None where they are so many that cells of them are."""
    return {
        "what": "documents" if group is None else "groups",
        "number": units,
        "few": units is not None and units < FEW,
    }
