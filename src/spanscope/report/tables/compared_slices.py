"""The table of slices of runs beside each other, and their rows for programs."""

from __future__ import annotations

import math

from spanscope.errors import plural
from spanscope.report.table import MAIN, Cell, Column, Table, row_name
from spanscope.report.tables import MOST_ROWS
from spanscope.report.tables.slices import LONGEST, MOST_SMALL, TOO_FEW, left_out, too_few
from spanscope.results.compared import Compared
from spanscope.results.slice_difference import SliceDifference
from spanscope.stats.slices import FEW, FEWEST

OF_SLICES = ("by", "slice")  # columns that only slices have


def slices(compared: Compared, digits: int) -> Table:
    """Return one row per slice and run, largest loss first."""
    several, lead = len(compared.names) > 2, compared.headline
    nouns = plural(2, compared.first.settings.family.document).removeprefix("2 ")
    large = [one for one in compared.sliced if one.units >= FEWEST][:MOST_ROWS]
    small = [one for one in compared.sliced if one.units < FEWEST][:MOST_SMALL]
    columns = (
        *(row_name("By"), row_name("Slice", longest=LONGEST)),
        *((row_name("Run"),) if several else ()),
        Column(nouns.capitalize(), style="count", priority=2),
        *difference_columns(compared, digits),
        Column("p", style="p", priority=1),
        Column("Verdict", left=True, priority=1),
    )
    rows = [_cells(one, several=several) for one in (*large, *small)]
    over = f"mean over {nouns}" if lead.average == "document" else lead.average
    title = f"By slice: {over} {lead.rate.name} of {lead.measure.short}, largest loss first"
    said = (note_of(compared), left_out(len(compared.sliced) - len(rows)))
    return Table(title, columns, rows, " ".join(filter(None, said)))


def difference_columns(compared: Compared, digits: int) -> tuple[Column, ...]:
    """Return the columns of a figure of the baseline, the same of another run, and their difference."""
    baseline, *others = compared.names
    return (
        Column(baseline, digits, priority=3),
        Column("Value" if len(others) > 1 else others[0], digits, priority=3),
        Column("Difference", digits, style="signed", priority=MAIN),
        Column("Interval", digits, style="signed", priority=MAIN),
    )


def _cells(one: SliceDifference, *, several: bool) -> tuple[Cell, ...]:
    bounds: Cell = TOO_FEW if one.units < FEW else None if math.isnan(one.low) else (one.low, one.high)
    tested: tuple[Cell, Cell] = (TOO_FEW, None) if one.units < FEWEST else (one.adjusted, one.reading)
    run = (one.run,) if several else ()
    return one.by, one.name, *run, one.documents, one.base, one.value, one.difference, bounds, *tested


def note_of(compared: Compared) -> str:
    """Return for how many tests p is adjusted, and what is left out because too little stands behind it."""
    nouns = plural(2, compared.first.settings.family.document).removeprefix("2 ")
    tested = sum(not math.isnan(one.p) for one in compared.sliced)
    said = f"p is adjusted by Holm's method for {plural(tested, 'test')}: all slices{_runs(compared)}."
    if all(one.units >= FEW for one in compared.sliced):
        return said
    return f"{said} {too_few(compared.first.settings.group, nouns)}"


def _runs(compared: Compared) -> str:
    return " and runs" if len(compared.names) > 2 else ""


def with_slices(table: Table, compared: Compared) -> Table:
    """Return the table of differences, one row per slice, run and rate, with the columns that only slices have."""
    if not compared.sliced:
        return table
    names = (*(column.name for column in table.columns), *OF_SLICES)
    rows: list[tuple[Cell, ...]] = [(*row, *(None for _ in OF_SLICES)) for row in table.rows]
    for one in compared.sliced:
        for rate, value in one.rates.items():
            own = _row(one, compared, rate, value)
            rows.append(tuple(own.get(name) for name in names))
    return table._replace(columns=tuple(map(Column, names)), rows=rows)


def _row(one: SliceDifference, compared: Compared, rate: str, value: float) -> dict[str, Cell]:
    """Return the row of a rate in a slice: only the one that leads was tested."""
    base = one.base_rates[rate]
    out: dict[str, Cell] = {"measure": str(compared.headline.measure), "rate": rate, "average": "slice"}
    out |= {"run": one.run, "base": base, "value": value, "difference": value - base, "by": one.by}
    out |= {"slice": one.name, "base_documents": one.documents, "documents": one.documents}
    if rate == compared.headline.rate.name:
        out |= {name: getattr(one, name) for name in ("low", "high", "p", "adjusted", "reading")}
    return out
