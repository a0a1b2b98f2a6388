"""The table of a plan: how many documents it takes to see a difference, and what that rests on."""

from __future__ import annotations

from spanscope.report.rounding import round_number
from spanscope.report.table import MAIN, Column, Report, Table, row_name
from spanscope.results.planned import Planned

PLACES = 4  # digits of the pilot's figures


def report(planned: Planned, digits: int = PLACES) -> Report:
    """Return the report of a plan."""
    return Report("Plan", tables(planned, digits), _figure_name(planned))


def tables(planned: Planned, digits: int = PLACES) -> list[Table]:
    """Return what is needed, and what the pilot says."""
    own, figure = planned.found, _figure_name(planned)
    needed = (
        *(row_name("Figure"), Column("Documents", priority=MAIN), Column("Difference", None, priority=MAIN)),
        *(Column("Power", None), Column("Correlation", None)),
    )
    pilot = (
        *(row_name("Figure"), Column("Value", digits, priority=MAIN), Column("Standard error", digits)),
        *(Column("Documents"), Column("Expected", None), Column("Scaled by", 2), Column("Shows", digits)),
    )
    scale = None if planned.expect is None else own.scale
    return [
        Table(
            "Documents needed",
            needed,
            [(figure, own.documents, planned.detect, planned.power, own.correlation)],
            "Power is how often the difference is seen, with a two-sided test at 0.05.",
        ),
        Table(
            "The pilot",
            pilot,
            [(figure, own.value, own.error, own.pilot, planned.expect, scale, planned.smallest)],
            "Shows: the smallest difference that the pilot's own size shows.",
        ),
    ]


def every_row(planned: Planned) -> Table:
    """Return the plan in one row, for programs to read."""
    asked = {
        name: getattr(planned, name)
        for name in ("measure", "rate", "average", "label", "detect", "expect", "power")
    }
    row = {**asked, **planned.found._asdict(), "smallest": planned.smallest}
    return Table("Plan", tuple(map(Column, row)), [tuple(row.values())])


def _figure_name(planned: Planned) -> str:
    return f"{_figure(planned)} ({planned.measure})"


def _figure(planned: Planned) -> str:
    if planned.label is None:
        return f"{planned.average} {planned.rate}"
    return f"{planned.rate} of {planned.label}"


def sentences(planned: Planned) -> str:
    """Return a plan in words."""
    own = planned.found
    expected = planned.expect
    scaled = "" if expected is None else f", scaled by {round_number(own.scale, 2)} for a figure of {expected:g}"
    pilot = f"{round_number(own.value, PLACES)}, standard error {round_number(own.error, PLACES)}{scaled}"
    return (
        f"{own.documents:,} documents to see a difference of {planned.detect:g} in {_figure_name(planned)}\n"
        f"  {100 * planned.power:g} times in 100, with a two-sided test at 0.05\n"
        f"  from a pilot of {own.pilot:,} documents: {pilot}\n"
        f"  assuming that the two runs correlate by {own.correlation:g} from document to document\n"
        f"  the pilot's own size shows {round_number(planned.smallest, PLACES)}"
    )
