"""The tables of agreement: coefficients with what they mean, labels, pairs, who disagrees on what."""

from __future__ import annotations

from spanscope.errors import plural
from spanscope.families import family_of
from spanscope.report.problems import BLANK, doubts
from spanscope.report.rounding import percentage
from spanscope.report.table import MAIN, Cell, Column, Report, Section, Table, row_name
from spanscope.report.tables import FEW, MOST_ROWS, rows_left_out
from spanscope.results.agreement import Agreement

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
    """Return every figure, for programs to read."""
    names = ("coefficient", "label", "first", "second", "value", "low", "high", "documents")
    rows = [
        (row.coefficient, row.label, *(row.pair or ("", "")), row.value, row.low, row.high, row.documents)
        for row in found.rows
    ]
    return Table("Figures", tuple(map(Column, names)), rows)


def tables(found: Agreement, digits: int = 4) -> list[Table]:
    """Return the tables of a report, without those that have nothing to say."""
    made = [overall(found, digits), by_label(found, digits), by_pair(found, digits), disagreements(found)]
    return [table for table in made if table.rows]


def overall(found: Agreement, digits: int) -> Table:
    """Return every coefficient over all labels and annotators, with its interval and what it means."""
    rows = [
        (
            WORDS[row.coefficient],
            row.value,
            None if row.low is None or row.high is None else (row.low, row.high),
            found.meaning(row.coefficient),
        )
        for row in found.rows
        if row.label is None and row.pair is None
    ]
    note = "1 is perfect; kappa, alpha and gamma are 0 where agreement is what chance would give."
    if len(found.names) > 2:
        note += " F1 and Cohen's kappa are means over pairs."
    if found.settings["ci"] and found.documents < FEW:
        note += f" Intervals from {found.documents} documents say little: they want {FEW} and more."
    columns = (
        row_name("Coefficient"),
        Column("Value", digits, better="higher", priority=MAIN),
        Column(f"{100 * found.settings['level']:g} % interval", digits, priority=MAIN),
        Column("What it means", left=True, style="sentence"),
    )
    return Table("Agreement", columns, rows, note)


def _coefficients(names: list[str], digits: int) -> list[Column]:
    return [Column(SHORT.get(name, WORDS[name]), digits, better="higher") for name in names]


def by_label(found: Agreement, digits: int) -> Table:
    """Return the figures of every label."""
    values = {
        (row.label, row.coefficient): row for row in found.rows if row.label is not None and row.pair is None
    }
    shown = [name for name in BY_LABEL if any(name == key for _, key in values)]
    rows = []
    for label in found.labels:
        own = [values.get((label, name)) for name in shown]
        if any(own):
            users = next(row.documents for row in own if row is not None)
            rows.append((label, *(None if row is None else row.value for row in own), users))
    note = "Kappa is the label against all the rest; documents are those in which somebody used it."
    columns = (row_name("Label"), *_coefficients(shown, digits), Column("Documents"))
    if more := rows_left_out(len(rows)):
        note = f"{note} {more}"
    return Table("By label", columns, rows[:MOST_ROWS] if shown else [], note)


def by_pair(found: Agreement, digits: int) -> Table:
    """Return the figures of every pair of annotators, where there are several."""
    values = {(row.pair, row.coefficient): row for row in found.rows if row.pair is not None}
    shown = [name for name in BY_PAIR if any(name == key for _, key in values)]
    pairs = list(dict.fromkeys(pair for pair, _ in values if pair is not None))
    rows: list[tuple[Cell, ...]] = [(*pair, *(values[pair, name].value for name in shown)) for pair in pairs]
    return Table("By pair", (row_name("A"), row_name("B"), *_coefficients(shown, digits)), rows)


def disagreements(found: Agreement) -> Table:
    """Return who disagrees with whom on what, most first."""
    met = found.disagreements()
    rows = [
        (row["first"], row["label"], row["second"], row["other"], row["number"], percentage(row["share"], 1))
        for row in met[:SHOWN]
    ]
    unit = "gap" if family_of(found.family).partitions else found.settings["unit"]
    note = f"Counted in {unit}s; the share is of all on which the two differ."
    if len(met) > SHOWN:
        note += f" {len(met) - SHOWN:,} more in the JSON."
    names = map(row_name, ("Annotator", "says", "Annotator", "says"))
    columns = (*names, Column("Number"), Column("Share", unit="%", digits=1))
    return Table("Who disagrees with whom on what", columns, rows, note)
