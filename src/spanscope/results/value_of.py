"""One figure out of score rows, by what is said of it; what is not said is as in the headline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from spanscope.errors import MeasureError, did_you_mean, shown
from spanscope.measures.registry import Measure
from spanscope.settings.run_settings import Settings
from spanscope.stats.averages import Score

Key: TypeAlias = tuple[str, str, str, str | None]  # measure, rate, average, label


class Scored(Protocol):
    """What has score rows: a result, or one as it was written."""

    @property
    def settings(self) -> Settings:
        """Return the settings."""

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Return the measures, headline first."""

    @property
    def rows(self) -> Sequence[Score]:
        """Return the score rows."""

    @property
    def figures(self) -> Mapping[Key, float]:
        """Return every figure by what it is."""

    def index(self, measure: str | Measure | None) -> int:
        """Return which of the measures is meant."""


def values_by_key(rows: Iterable[Score]) -> dict[Key, float]:
    """Return every figure by what it is."""
    return {(row.measure, row.rate, row.average, row.label): row.value for row in rows}


def index_of(
    measures: Sequence[Measure], measure: str | Measure | None, read: Callable[[str | Measure], Measure]
) -> int:
    """Return which of the measures is meant; the first where none is named.

    A name alone is the measure that was run under it, if it was one; any other form is what `read` makes of it.
    """
    if measure is None:
        return 0
    alike = [at for at, one in enumerate(measures) if measure in (one, one.name)]
    if len(alike) == 1:
        return alike[0]
    wanted = read(measure)
    if wanted not in measures:
        raise MeasureError(f"{wanted.short} was not run", expected=", ".join(one.short for one in measures))
    return measures.index(wanted)


def value_of(
    result: Scored, rate: str | None, measure: str | Measure | None, average: str | None, label: str | None
) -> float:
    """Return one figure, as `Result.value` says; one that there is not is refused."""
    chosen = result.measures[result.index(measure)]
    wanted = str(chosen)
    if label is not None:
        if average not in (None, "micro", "label"):
            raise MeasureError(f"average={average!r} is over all labels", hint="without label, or without average")
        average = "label"
    if rate is None or average is None:
        lead = result.settings.lead(chosen)
        rate = lead.rate.name if rate is None else rate
        average = lead.average if average is None else average
    found = result.figures.get((wanted, rate, average, label))
    if found is not None:
        return found
    mine = [row for row in result.rows if row.measure == wanted]
    if average == "label" and label is None:
        raise MeasureError("average='label' needs a label", hint="label=NAME")
    for name, value, known in (
        ("rate", rate, {row.rate for row in mine}),
        ("label", label, {row.label for row in mine}),
        ("average", average, {row.average for row in mine}),
    ):
        if value not in known:
            names = sorted(str(one) for one in known if one is not None)
            near = did_you_mean(value, names)
            raise MeasureError(
                f"{wanted} has no {name} {shown(value)}{near}",
                expected=" or ".join(names) or f"no {name}",
            )
    raise MeasureError(f"{wanted} has no such figure")
