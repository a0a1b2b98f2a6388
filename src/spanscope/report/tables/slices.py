"""The table of slices, and their rows for programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spanscope.errors import plural
from spanscope.report.table import MAIN, Cell, Column, Table, better_of, row_name
from spanscope.report.tables import MOST_ROWS, noun
from spanscope.results.result import Result
from spanscope.settings.options import Ci
from spanscope.sides.groups import MARKED
from spanscope.stats.slices import FEW, FEWEST, Slice, number_of_tests

if TYPE_CHECKING:
    from spanscope.results.written import WrittenResult

MOST_SMALL = 10  # slices too small for a test that are shown
LONGEST = 30  # columns of a value; fields may hold anything
TOO_FEW = "too few"
OF_SLICES = ("by", "slice", "rest", "difference", "p", "adjusted")  # columns that only slices have


def slices(result: Result | WrittenResult, digits: int) -> Table:
    """Return one row per slice, the worst first: its figures, and how it differs from the rest."""
    lead, ci = result.settings.headline, result.settings.ci
    rates = result.settings.rates(lead.measure)
    nouns = plural(2, noun(result)).removeprefix("2 ")
    shown = [*_large(result.sliced)[:MOST_ROWS], *_small(result.sliced)[:MOST_SMALL]]
    rows = [(*_names(one), *_figures(one, lead.rate.name), *_sure(one, ci)) for one in shown]
    sure = [] if ci is None else [Column(f"{100 * ci.level:g} % interval", digits, priority=MAIN)]
    test = [] if ci is None else [Column("p", style="p", priority=MAIN)]
    others = [one for one in rates if one.name != lead.rate.name]
    columns = (
        *(row_name("By"), row_name("Slice", longest=LONGEST)),
        Column(nouns.capitalize(), style="count", priority=2),
        *(Column(_word(rate.name), digits, better=better_of(rate.best), priority=3) for rate in others),
        Column(_word(lead.rate.name), digits, better=better_of(lead.rate.best), priority=MAIN),
        *sure,
        Column("Against rest", digits, style="signed", priority=1),
        *test,
    )
    average = f"mean over {nouns}" if lead.average == "document" else lead.average
    title = f"Slices: {lead.measure.short}, {average}, the worst first"
    said = (note_of(result), left_out(len(result.sliced) - len(shown)))
    return Table(title, columns, rows, " ".join(filter(None, said)))


def _large(found: Sequence[Slice]) -> list[Slice]:
    return [one for one in found if one.units >= FEWEST]


def _small(found: Sequence[Slice]) -> list[Slice]:
    """Return the slices that are too small for a test: they stand last, and there may be many."""
    return [one for one in found if one.units < FEWEST]


def left_out(number: int) -> str:
    """Say how many slices too small for a test are not shown."""
    return f"{plural(number, 'more slice')} of these: --format json has them." if number else ""


def _names(one: Slice) -> tuple[Cell, ...]:
    return one.by, one.name, one.documents


def _figures(one: Slice, lead: str) -> tuple[Cell, ...]:
    return (*(value for name, value in one.rates.items() if name != lead), one.value)


def _sure(one: Slice, ci: Ci | None) -> tuple[Cell, ...]:
    """Return the interval, the difference from the rest, and p, as far as they were asked for."""
    if ci is None:
        return (one.difference,)
    bounds: Cell = TOO_FEW if one.units < FEW else None if math.isnan(one.low) else (one.low, one.high)
    return bounds, one.difference, TOO_FEW if one.units < FEWEST else one.adjusted


def note_of(result: Result | WrittenResult) -> str:
    """Return what the columns are, and what is left out because too little stands behind it."""
    if result.settings.ci is None:
        return ""
    nouns = plural(2, noun(result)).removeprefix("2 ")
    tested = number_of_tests(result.sliced)
    said = f"p tests the difference from the rest, adjusted by Holm's method for {plural(tested, 'test')}."
    if any(one.units >= FEWEST and math.isnan(one.adjusted) for one in result.sliced):
        said += (
            f" No p (–): there is no rest, or the slice or the rest is in too few {nouns}, {FEWEST} where every "
            f"one is in one slice and {FEW} elsewhere."
        )
    if all(one.units >= FEW for one in result.sliced):
        return said
    return f"{said} {too_few(result.settings.group, nouns)}"


def too_few(group: str | None, nouns: str) -> str:
    """Say of slices of how few documents, or groups of them, nothing is told."""
    units = nouns if group is None else f"groups of {nouns}" + ("" if group == MARKED else f" by {group}")
    return (
        f"A slice in fewer than {FEW} {units} has no interval; in fewer than {FEWEST} it has no "
        "p either and is listed last."
    )


def _word(rate: str) -> str:
    return rate.upper() if rate.startswith("f") else rate.capitalize()


def with_slices(table: Table, result: Result | WrittenResult) -> Table:
    """Return the table of score rows with one row per slice and rate, and the columns that only slices have."""
    lead = result.settings.headline
    names = (*(column.name for column in table.columns), *OF_SLICES)
    rows = [(*row, *(None for _ in OF_SLICES)) for row in table.rows]
    for one in result.sliced:
        for rate, value in one.rates.items():
            own: dict[str, Cell] = {"measure": str(lead.measure), "rate": rate, "average": "slice", "value": value}
            own |= {"documents": one.documents, "by": one.by, "slice": one.name}
            if rate == lead.rate.name:
                own |= {name: getattr(one, name) for name in ("low", "high", *OF_SLICES[2:])}
            rows.append(tuple(own.get(name) for name in names))
    return table._replace(columns=tuple(map(Column, names)), rows=rows)
