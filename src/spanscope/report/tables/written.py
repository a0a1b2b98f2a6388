"""The tables of a result as it was written: its figures, and nothing of documents."""

from __future__ import annotations

from spanscope.report.problems import note_lines, warning_lines
from spanscope.report.table import Column, Report, Table
from spanscope.report.tables import ROW, errors, scores, slices
from spanscope.results.written import WrittenResult


def report(found: WrittenResult, digits: int) -> Report:
    """Return the report of a result file."""
    made = [*scores.figures(found, digits), slices.slices(found, digits) if found.sliced else None]
    made += [errors.kinds(found, digits), errors.confusion(found)]
    return Report(
        "Evaluation, as it was written",
        [table for table in made if table is not None and table.rows],
        found.signature(),
        above=[[line] for line in warning_lines(found)],
        facts=[(key.capitalize(), value) for key, value in found.meta.items()],
        below=[[line] for line in note_lines(found)],
        signatures=[found.signature(measure) for measure in found.measures],
    )


def every_row(found: WrittenResult) -> Table:
    """Return every score row, for programs to read."""
    rows = [tuple(getattr(row, name) for name in ROW) for row in found.rows]
    table = Table("Scores", tuple(map(Column, ROW)), rows)
    return slices.with_slices(table, found) if found.sliced else table
