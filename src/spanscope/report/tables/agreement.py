"""The tables of agreement: coefficients with what they mean, labels, pairs, who disagrees on what."""

from __future__ import annotations

import math

from spanscope.errors import plural
from spanscope.families import family_of
from spanscope.measures.registry import parse
from spanscope.report.problems import BLANK, doubts
from spanscope.report.rounding import percentage
from spanscope.report.table import MAIN, Cell, Column, Report, Section, Table, row_name
from spanscope.report.tables import MOST_ROWS, ROW, drawn_groups, figure_name, rows_left_out
from spanscope.results.agreement import Agreement
from spanscope.results.resampled import FEW
from spanscope.stats.agreement import SidedScore

WORDS = {  # what figures are called; the other measures of two sides by their own names
    "spans.exact f1": "F1, exact",
    "spans.relaxed f1": "F1, relaxed",
    "spans.iou f1": "F1, by place",
    "cohen_kappa": "Cohen's kappa",
    "cohen_kappa_inside": "  marked text only",
    "fleiss_kappa": "Fleiss' kappa",
    "fleiss_kappa_inside": "  marked text only",
    "alpha": "Krippendorff's alpha",
    "alpha_inside": "  marked text only",
    "alpha_u": "alpha_U",
    "u_alpha": "u-alpha",
    "bar_u_alpha": "|u-alpha",
    "cu_alpha": "cu-alpha",
    "gamma": "gamma",
    "gamma_cat": "gamma-cat",
}
OF_ALL = ("fleiss_kappa", "fleiss_kappa_inside", "alpha", "alpha_inside")  # by label much like Cohen's kappa
SHORT = {
    "cohen_kappa_inside": "Cohen, marked",
    "cu_alpha": "(k)u-alpha",
    "gamma_cat": "gamma-k",
}
Named = tuple[str, str]  # a measure and a rate
SHOWN = 15  # disagreements in a table; the JSON has all


def report(found: Agreement, digits: int) -> Report:
    """Return the report of agreement."""
    noun = "segment" if family_of(found.family).partitions else "span"
    doubt = doubts(found)
    notes = [str(problem) for problem in found.noted[:SHOWN]]
    below = [BLANK, ("Notes", "bold yellow"), *((f"  {note}", "") for note in notes)] if notes else []
    return Report(
        "Agreement",
        tables(found, digits),
        found.signature(),
        above=[[line] for words in doubt for line in ((words, "bold red"), BLANK)],
        facts=[
            (name, f"{plural(one.documents, 'document')}, {plural(one.spans, noun)}")
            for name, one in zip(found.names, found.inputs, strict=True)
        ],
        below=[[line] for line in below],
        opening=[Section("", [f"**{line}**" for line in doubt], listed=False)],
        closing=[Section("Notes", notes)],
    )


def every_row(found: Agreement) -> Table:
    """Return every score row, for programs to read; the two annotators in columns of their own."""
    rows = [(*(getattr(row, name) for name in ROW), *(row.sides or ("", ""))) for row in found.rows]
    return Table("Scores", tuple(map(Column, (*ROW, "first", "second"))), rows)


def _word(key: Named) -> str:
    """Return what a figure is called."""
    measure, rate = parse(key[0]), key[1]
    word = WORDS.get(f"{measure.name} {rate}") or WORDS.get(rate) if measure.family != "segments" else None
    return word or figure_name(measure, rate)


def tables(found: Agreement, digits: int = 4) -> list[Table]:
    """Return the tables of a report, without those that have nothing to say."""
    made = [overall(found, digits), by_label(found, digits), by_pair(found, digits), disagreements(found)]
    return [table for table in made if table.rows]


def overall(found: Agreement, digits: int) -> Table:
    """Return every coefficient over all labels and annotators, with its interval and what it means."""
    rows = [
        (
            _word((row.measure, row.rate)),
            row.value,
            None if row.low is None or row.high is None else (row.low, row.high),
            found.meaning(row.rate, row.measure),
        )
        for row in found.rows
        if row.label is None and row.sides is None
    ]
    note = "1 is perfect agreement; kappa, alpha and gamma are 0 when agreement is what chance would give."
    if len(found.names) > 2:
        pairs = "F1, Cohen's kappa and gamma" if found.has_gaps else "F1 and Cohen's kappa"
        note += f" {pairs} are means over pairs."
    if found.has_gaps:
        note += (
            f" {found.complete:,} of {plural(found.documents, 'document')} have all {len(found.names)} annotators;"
            " in the others those count who have them."
        )
    if found.settings["ci"] and "group" in found.settings:
        note += f" {drawn_groups(found.settings['group'], int(found.settings['groups']))}."
    elif found.settings["ci"] and found.documents < FEW:
        note += f" Intervals from {found.documents} documents are unreliable: at least {FEW} are needed."
    if found.settings["ci"] and any(own[2] is None and math.isfinite(own[1]) for own in rows):
        note += " No interval (–): the figure is the same whichever documents are drawn."
    columns = (
        row_name("Coefficient"),
        Column("Value", digits, better="higher", priority=MAIN),
        Column(f"{100 * found.settings['level']:g} % interval", digits, priority=MAIN),
        Column("What it means", left=True, style="sentence"),
    )
    return Table("Agreement", columns, rows, note)


def _coefficients(keys: list[Named], digits: int) -> list[Column]:
    return [Column(SHORT.get(key[1], _word(key)), digits, better="higher", about=key[0]) for key in keys]


def _figures_shown(rows: list[SidedScore]) -> list[Named]:
    """Return the figures worth a column."""
    return list(dict.fromkeys((row.measure, row.rate) for row in rows if row.rate not in OF_ALL))


def by_label(found: Agreement, digits: int) -> Table:
    """Return the figures of every label."""
    own = [row for row in found.rows if row.label is not None]
    values = {(row.label, row.measure, row.rate): row for row in own}
    shown, rows = _figures_shown(own), []
    for label in found.labels:
        line = [values.get((label, *key)) for key in shown]
        if any(line):
            users = next(row.documents for row in line if row is not None)
            rows.append((label, *(None if row is None else row.value for row in line), users))
    note = (
        "Cohen's kappa compares the label with all others together; documents are those in which anyone used it."
    )
    columns = (row_name("Label"), *_coefficients(shown, digits), Column("Documents"))
    if more := rows_left_out(len(rows)):
        note = f"{note} {more}"
    return Table("By label", columns, rows[:MOST_ROWS] if shown else [], note)


def by_pair(found: Agreement, digits: int) -> Table:
    """Return the figures of every pair of annotators, where there are several."""
    own = [row for row in found.rows if row.sides is not None]
    values = {(row.sides, row.measure, row.rate): row for row in own}
    shown = _figures_shown(own)
    if not own and not found.has_gaps:
        return Table("By pair", (row_name("A"), row_name("B")), [])
    rows: list[tuple[Cell, ...]] = []
    for both in found.shared():
        pair = both["first"], both["second"]
        figures = [values[pair, *key].value for key in shown]
        rows.append((*pair, *figures, *([both["documents"]] if found.has_gaps else [])))
    last = [Column("Documents", priority=MAIN)] if found.has_gaps else []
    note = "Documents: those that both annotators have." if found.has_gaps else ""
    return Table("By pair", (row_name("A"), row_name("B"), *_coefficients(shown, digits), *last), rows, note)


def disagreements(found: Agreement) -> Table:
    """Return who disagrees with whom on what, most first."""
    met = found.disagreements()
    rows = [
        (row["first"], row["label"], row["second"], row["other"], row["number"], percentage(row["share"], 1))
        for row in met[:SHOWN]
    ]
    unit = "gap" if family_of(found.family).partitions else found.settings["unit"]
    note = f"Counted in {unit}s; the share is of all on which the two annotators differ."
    if len(met) > SHOWN:
        note += f" {len(met) - SHOWN:,} more in the JSON."
    names = map(row_name, ("Annotator", "label", "Annotator", "label"))
    columns = (*names, Column("Number"), Column("Share", unit="%", digits=1))
    return Table("Disagreements by annotator and label", columns, rows, note)
