"""What was written of several runs, annotators or segmentations: its records, as the JSON has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from spanscope.errors import InputError, plural
from spanscope.jsonable import JsonObject, json_text
from spanscope.results.frames import Records
from spanscope.results.written import OTHERS, UNSOUND


class _Kind(NamedTuple):
    """What a file of a kind holds, and where its figures are."""

    holder: str | None  # the list or mapping whose members have the figures; None: the file itself
    figures: str
    called: str  # the column that names a member


KINDS = {  # by the field that tells a kind of file, as in OTHERS
    "methods": _Kind("methods", "rows", "method"),
    "systems": _Kind("systems", "figures", "system"),
    "annotators": _Kind(None, "rows", ""),
    "spreads": _Kind(None, "rows", ""),
}
OF_A_SYSTEM = ("rank", "ranks", "letters")


@dataclass(frozen=True, repr=False)
class WrittenRecords:
    """A comparison, a leaderboard, agreement or a panel that was written: its figures, a record each.

    Nothing can be tested or drawn again from it; `data` is all that the file holds.
    """

    kind: str  # in words
    rows: Records  # every figure, as the JSON has it; of a leaderboard and a panel with the system or the method
    data: JsonObject

    def slices(self) -> Records:
        """Return one record per slice, where some were asked for."""
        return Records(self.data.get("slices", ()))

    def to_dict(self) -> JsonObject:
        """Return all that the file holds."""
        return self.data

    def to_json(self) -> str:
        """Return the JSON form."""
        return json_text(self.data)

    def to_pandas(self) -> Any:
        """Return the figures as a pandas data frame, a row each."""
        return self.rows.to_pandas()

    def to_polars(self) -> Any:
        """Return the figures as a polars data frame, a row each."""
        return self.rows.to_polars()

    def __repr__(self) -> str:  # one line
        return f"<WrittenRecords of {self.kind}: {plural(len(self.rows), 'figure')}>"


def restore_records(value: Any, name: str) -> WrittenRecords | None:
    """Return what a file holds that is not about one run; None where it is about one."""
    key = next((key for key in OTHERS if isinstance(value, Mapping) and key in value), None)
    if key is None:
        return None
    try:
        return WrittenRecords(OTHERS[key], Records(_figures(value, KINDS[key])), dict(value))
    except UNSOUND:
        raise InputError("the result cannot be read", where=name, expected="a file as it was written") from None


def _figures(value: Mapping[str, Any], kind: _Kind) -> list[JsonObject]:
    if kind.holder is None:
        return [dict(row) for row in value[kind.figures]]
    members = value[kind.holder]
    named = members.items() if isinstance(members, Mapping) else [(one["name"], one) for one in members]
    return [
        {kind.called: name, **{key: one[key] for key in OF_A_SYSTEM if key in one}, **row}
        for name, one in named
        for row in one[kind.figures]
    ]
