"""The table of a plan: how many documents it takes to see a difference, and what that rests on."""

from __future__ import annotations

from spanscope.report.rounding import round_number
from spanscope.report.table import MAIN, Column, Report, Table, row_name
from spanscope.report.tables import drawn_groups
from spanscope.results.planned import Planned

PLACES = 4  # digits of the pilot's figures


def report(planned: Planned, digits: int = PLACES) -> Report:
    """Return the report of a plan."""
    return Report("Plan", tables(planned, digits), _figure_name(planned))


def tables(planned: Planned, digits: int = PLACES) -> list[Table]:
    """Return what is needed, and what the pilot says."""
    own, figure = planned.found, _figure_name(planned)
    needed = (
        *(row_name("Figure"), Column("Documents", priority=MAIN), Column("Between", 0, priority=MAIN)),
        *(Column("Difference", None, priority=MAIN), Column("Power", None), Column("Correlation", 2)),
    )
    pilot = (
        *(row_name("Figure"), Column("Value", digits, priority=MAIN), Column("Standard error", digits)),
        *(Column("Documents"), Column("Expected", None), Column("Scaled by", 2), Column("Detectable", digits)),
    )
    scale = None if planned.expect is None else own.scale
    runs = [(own.value, own.error), *([] if own.other is None else [own.other])]
    between = None if own.low is None or own.high is None else (own.low, own.high)
    return [
        Table(
            "Documents needed",
            needed,
            [(figure, own.documents, between, planned.detect, planned.power, own.correlation)],
            "Power: the probability that a two-sided test at 0.05 finds the difference. Between: "
            "the 95 % interval "
            f"of Documents, from the uncertainty of the pilot's standard error.  {_of_correlation(planned)}",
        ),
        Table(
            "The pilot",
            pilot,
            [(figure, *run, own.pilot, planned.expect, scale, planned.smallest) for run in runs],
            "Detectable: the smallest difference that a sample as large as the pilot would detect."
            + "".join(f" {said}." for said in _of_groups(planned)),
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
    runs = [(own.value, own.error), *([] if own.other is None else [own.other])]
    pilot = " and ".join(
        f"{round_number(value, PLACES)}, standard error {round_number(error, PLACES)}" for value, error in runs
    )
    if own.low is None or own.high is None:
        between = "too few documents differ to give an interval for this number"
    else:
        between = f"between {own.low:,} and {own.high:,}, from the uncertainty of the pilot's standard error"
    return (
        f"{own.documents:,} documents to see a difference of {planned.detect:g} in {_figure_name(planned)}\n"
        f"  {between}\n"
        f"  {100 * planned.power:g} times in 100, with a two-sided test at 0.05\n"
        f"  from {'a pilot' if own.other is None else 'two pilots'} of {own.pilot:,} documents: {pilot}{scaled}\n"
        f"  {_of_correlation(planned)}\n"
        f"  a sample as large as the pilot detects {round_number(planned.smallest, PLACES)}"
        + "".join(f"\n  {said}" for said in _of_groups(planned))
    )


def _of_groups(planned: Planned) -> list[str]:
    """Say what is drawn where documents come in groups, and whether these are too few."""
    return [] if planned.group is None else [drawn_groups(planned.group, planned.units)]


def _of_correlation(planned: Planned) -> str:
    """Say whether the runs' correlation is their own or was assumed."""
    own = planned.found
    value = round_number(own.correlation, 2)
    if own.other is not None:
        return f"the figures of the two runs have a correlation of {value} over documents"
    return f"assuming a correlation of {own.correlation:g} between the two runs over documents"
