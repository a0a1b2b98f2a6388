"""What stays readable of PII, in figures by label and text by text, and what was redacted beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from spanscope.counts import STAR_NAME
from spanscope.findings.findings import LEAKS
from spanscope.measures.registry import Measure
from spanscope.report.table import MAIN, Column, Table, row_name
from spanscope.report.tables import MOST_ROWS, rows_left_out
from spanscope.report.tables.errors import on_one_line
from spanscope.results.result import Result

if TYPE_CHECKING:
    from spanscope.results.written import WrittenResult

SHOWN = 15  # texts that leaked and are shown
QUOTE = 40  # columns of such a text
DOCUMENT = 24  # columns of the name of a document
ANY = "any"


def measure_of_leaks(result: Result | WrittenResult) -> Measure | None:
    """Return the measure that counts leaks, where it was run."""
    return next((one for one in result.measures if one.name == LEAKS), None)


def figures(result: Result, digits: int, sure: Sequence[Column]) -> Table | None:
    """Return leaked characters and spans, of any type and by label, those with most leaked characters first.

    `sure` is the column of intervals, where there are any: here of the share of characters that leaked.
    """
    measure = measure_of_leaks(result)
    if measure is None:
        return None
    counts = result.counts(measure)
    found = {
        row.label: row
        for row in result.rows
        if (row.measure, row.rate) == (str(measure), "leaked") and row.average in ("micro", "label")
    }
    names = [name for name in counts if name != STAR_NAME and counts[name]["gold"]]
    names.sort(key=lambda name: (-counts[name]["leaked"], -counts[name]["gold"], name))
    rows = []
    for label in [None, *names[:MOST_ROWS]]:
        own, score = counts.get(label or STAR_NAME, {}), found[label]
        bounds = (None if score.low is None else (score.low, score.high),) * len(sure)
        sums = [own.get(column, 0) for column in ("leaked", "characters")]
        spans = [own.get(column, 0) for column in ("uncovered", "partly", "gold")]
        rows.append((label or ANY, *sums, score.value, *bounds, *spans))
    columns = (
        *(row_name("Label"), Column("Leaked", style="count", priority=MAIN), Column("of", style="count")),
        *(Column("Share", digits, better="lower", priority=MAIN), *sure),
        *(Column("Uncovered", style="count"), Column("Partly", style="count"), Column("of spans", style="count")),
    )
    whole = counts.get(STAR_NAME, {})
    note = (
        "Characters of gold spans that no prediction covers, whatever its label; each is counted "
        "once. Uncovered, partly: "
        "spans of which nothing, or only a part, is covered. Redacted outside of PII (not a leak): "
        f"{whole.get('over', 0):,} of "
        f"{whole.get('redacted', 0):,} characters. {rows_left_out(len(names))}"
    )
    return Table("Leaks: characters that stay readable", columns, rows, note.strip())


def texts(result: Result) -> list[Table | None]:
    """Return what stays readable, most often first, and what was redacted beyond PII by what covers some."""
    if measure_of_leaks(result) is None or result.kept != "spans":
        return []
    leaks = _table_of("Leaks: texts that stay readable", result.leaks(), "exposed", "Still readable")
    wide = _table_of("Redacted outside of PII (not a leak)", result.over_wide(), "beyond", "Beyond PII")
    return [leaks, wide]


def _table_of(title: str, records: Sequence[dict[str, Any]], pieces: str, head: str) -> Table:
    """Return records by what they read, most often first."""
    from spanscope.findings.leaked import added_up  # with the measure, which most reports do not need

    found = added_up(records, pieces)
    rows = [
        (
            *(one["label"], one["kind"], on_one_line(one["text"]), on_one_line(one[pieces])),
            *(one["number"], one["document"]),
        )
        for one in found[:SHOWN]
    ]
    more = f"{len(found) - SHOWN:,} more in the JSON (--matches)" if len(found) > SHOWN else ""
    columns = (
        *(row_name("Label"), row_name("Kind")),
        *(row_name("Text", longest=QUOTE), row_name(head, longest=QUOTE)),
        *(Column("Number"), row_name("First in", longest=DOCUMENT)),
    )
    return Table(title, columns, rows, more)
