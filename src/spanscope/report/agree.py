"""Views of agreement: coefficients with what they mean, labels, pairs, who disagrees on what."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import Any

from rich.console import Console, RenderableType

from spanscope.errors import MeasureError, did_you_mean, plural
from spanscope.families import family_of
from spanscope.report.names import visible
from spanscope.report.problems import BLANK, doubts
from spanscope.report.tables import DASH, MOST_ROWS, Table, beyond, number, percent
from spanscope.report.terminal import grid, head, plain, put, styled
from spanscope.report.written import markdown_table
from spanscope.results.agreement import Agreement, Figure

FORMATS = ("table", "json", "csv", "markdown")
WORDS = {
    "f1_exact": "F1, exact",
    "f1_relaxed": "F1, relaxed",
    "b_score": "Boundary F1 (3)",
    "b": "Fournier B",
    "cohen_kappa": "Cohen's kappa",
    "cohen_kappa_inside": "  without outside",
    "fleiss_kappa": "Fleiss' kappa",
    "fleiss_kappa_inside": "  without outside",
    "alpha": "Krippendorff's alpha",
    "alpha_inside": "  without outside",
    "alpha_u": "alpha_U",
    "u_alpha": "u-alpha",
    "bar_u_alpha": "|u-alpha",
    "cu_alpha": "cu-alpha",
    "gamma": "gamma",
    "gamma_cat": "gamma-cat",
}
BY_LABEL = ("f1_exact", "f1_relaxed", "cohen_kappa", "cohen_kappa_inside", "alpha_u", "cu_alpha", "gamma_cat")
BY_PAIR = ("f1_exact", "f1_relaxed", "b_score", "b", "cohen_kappa", "cohen_kappa_inside")
SHORT = {
    "cohen_kappa": "Kappa",
    "cohen_kappa_inside": "Kappa inside",
    "cu_alpha": "(k)u-alpha",
    "gamma_cat": "gamma-k",
}
SHOWN = 15  # disagreements in a table; the JSON has all
FEW = 20  # documents below which an interval is not to be trusted


def render(found: Agreement, form: str = "table", *, digits: int = 4, documents: bool = False, **_: Any) -> str:
    """Return the agreement as text in one of the formats."""
    if form == "json":
        return found.to_json(documents=documents) + "\n"
    if form == "csv":
        return _csv(found)
    if form == "table":
        return plain(lambda console, room: show(found, console, digits, room))
    if form == "markdown":
        parts = [f"**{line}**" for line in doubts(found)]
        parts += [_section(table) for table in tables(found, digits)]
        parts += [f"## Notes\n\n{_listed(found)}"] if found.noted else []
        return "# Agreement\n\n" + "\n\n".join(parts) + f"\n\n`{found.signature()}`\n"
    raise MeasureError(f"no format is called {form!r}{did_you_mean(form, FORMATS)}", expected=", ".join(FORMATS))


def _section(table: Table) -> str:
    """Return a table for Markdown under its title, with its note below."""
    return "\n\n".join(
        [f"## {table.title}", "\n".join(markdown_table(table)), *([table.note] if table.note else [])]
    )


def _listed(found: Agreement) -> str:
    return "\n".join(f"- {visible(str(problem))}" for problem in found.noted[:SHOWN])


def tables(found: Agreement, digits: int = 4) -> list[Table]:
    """Return the tables of a report, without those that have nothing to say."""
    made = [overall(found, digits), by_label(found, digits), by_pair(found, digits), disagreements(found)]
    return [table for table in made if table.rows]


def overall(found: Agreement, digits: int) -> Table:
    """Return every coefficient over all labels and annotators, with its interval and what it means."""
    rows = [
        (WORDS[row.coefficient], number(row.value, digits), _interval(row, digits), found.meaning(row.coefficient))
        for row in found.rows
        if row.label is None and row.pair is None
    ]
    level = f"{100 * found.settings['level']:g} % interval"
    note = "1 is perfect; kappa, alpha and gamma are 0 where agreement is what chance would give."
    if len(found.names) > 2:
        note += " F1 and Cohen's kappa are means over pairs."
    if found.settings["ci"] and found.documents < FEW:
        note += f" Intervals from {found.documents} documents say little: they want {FEW} and more."
    heads = ("Coefficient", "Value", level, "What it means")
    return Table("Agreement", heads, rows, frozenset({0, 3}), note, last=(1, 2), prose=True)


def _interval(row: Figure, digits: int) -> str:
    if row.low is None or row.high is None:
        return DASH
    return f"{number(row.low, digits)} to {number(row.high, digits)}"


def by_label(found: Agreement, digits: int) -> Table:
    """Return the figures of every label."""
    values = {
        (row.label, row.coefficient): row for row in found.rows if row.label is not None and row.pair is None
    }
    columns = [name for name in BY_LABEL if any(name == key for _, key in values)]
    rows = []
    for label in found.labels:
        own = [values.get((label, name)) for name in columns]
        if any(own):
            users = next(row.documents for row in own if row is not None)
            cells = [DASH if row is None else number(row.value, digits) for row in own]
            rows.append((visible(label), *cells, f"{users:,}"))
    heads = ("Label", *(SHORT.get(name, WORDS[name]) for name in columns), "Documents")
    note = "Kappa is the label against all the rest; documents are those in which somebody used it."
    more = beyond(len(rows))
    return Table("By label", heads, rows[:MOST_ROWS] if columns else [], note=f"{note} {more}" if more else note)


def by_pair(found: Agreement, digits: int) -> Table:
    """Return the figures of every pair of annotators, where there are several."""
    values = {(row.pair, row.coefficient): row for row in found.rows if row.pair is not None}
    columns = [name for name in BY_PAIR if any(name == key for _, key in values)]
    pairs = list(dict.fromkeys(pair for pair, _ in values if pair is not None))
    rows = [
        (visible(one), visible(two), *(number(values[(one, two), name].value, digits) for name in columns))
        for one, two in pairs
    ]
    heads = ("A", "B", *(SHORT.get(name, WORDS[name]) for name in columns))
    return Table("By pair", heads, rows, frozenset({0, 1}), names=2)


def disagreements(found: Agreement) -> Table:
    """Return who disagrees with whom on what, most first."""
    met = found.disagreements()
    rows = [
        (
            visible(row["first"]),
            visible(row["label"]),
            visible(row["second"]),
            visible(row["other"]),
            f"{row['number']:,}",
            percent(row["share"], 1),
        )
        for row in met[:SHOWN]
    ]
    unit = "gap" if family_of(found.family).partitions else found.settings["unit"]
    note = f"Counted in {unit}s; the share is of all on which the two differ."
    if len(met) > SHOWN:
        note += f" {len(met) - SHOWN:,} more in the JSON."
    heads = ("Annotator", "says", "Annotator", "says", "Number", "Share")
    return Table("Who disagrees with whom on what", heads, rows, frozenset({0, 1, 2, 3}), note, names=4)


def show(found: Agreement, console: Console | None = None, digits: int = 4, room: float | None = None) -> None:
    """Print the agreement, on the terminal unless told where."""
    console = console or Console()
    noun = "segment" if family_of(found.family).partitions else "span"
    known = [
        (visible(name), f"{plural(one.documents, 'document')}, {plural(one.spans, noun)}")
        for name, one in zip(found.names, found.inputs, strict=True)
    ]
    above = [line for words in doubts(found) for line in ((words, "bold red"), BLANK)]
    parts: list[RenderableType] = [*styled(above), head(known)]
    for table in tables(found, digits):
        parts += ["", grid(table, room or console.width)]
    notes = [(f"  {visible(str(problem))}", "") for problem in found.noted[:SHOWN]]
    below = [BLANK, ("Notes", "bold yellow"), *notes] if notes else []
    put(console, [*parts, *styled(below)], found.signature())


def _csv(found: Agreement) -> str:
    """Return every figure as CSV, unrounded; what is undefined is an empty cell."""
    out = io.StringIO()
    heads = ["coefficient", "label", "first", "second", "value", "low", "high", "documents"]
    writer = csv.DictWriter(out, heads, lineterminator="\n")
    writer.writeheader()
    for row in found.rows:
        record = asdict(row)
        first, second = record.pop("pair") or ("", "")
        cells = record | {"first": first, "second": second}
        empty = {key: "" for key, value in cells.items() if value is None or value != value}  # noqa: PLR0124  NaN
        writer.writerow(cells | empty)
    return out.getvalue()
