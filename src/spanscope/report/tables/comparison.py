"""The tables of runs beside each other: differences, labels, several files of a system, what changed."""

from __future__ import annotations

from collections.abc import Sequence

from spanscope.errors import plural
from spanscope.measures.registry import Measure
from spanscope.report.problems import BLANK, doubts, other_phrases, phrases_by_run
from spanscope.report.table import MAIN, Cell, Column, Report, Section, Table, row_name
from spanscope.report.tables import FEW, drawn_groups
from spanscope.results.compared import Compared, Difference, Run
from spanscope.results.leaderboard import Leaderboard

SHOWN = 10  # changes that are shown of each kind


def report(compared: Compared, digits: int) -> Report:
    """Return the report of a comparison."""
    title, doubt, notes = _title(compared), doubts(compared), _notes(compared)
    about = [f"{key}: {value}" for key, value in compared.meta.items()]
    above = [*((line, "bold red") for line in doubt), *([BLANK] if doubt else [])]
    above += [*((line, "") for line in about), (title, "bold")]
    return Report(
        title,
        tables(compared, digits),
        signature(compared),
        above=[[line] for line in above],
        below=[[], *([(line, "dim")] for line in notes)],
        opening=[Section("", [*(f"**{line}**" for line in doubt), *about, *notes])],
    )


def _title(compared: Compared) -> str:
    runs = ", ".join(
        f"{name} ({plural(len(own), 'file')})" if len(own) > 1 else name for name, own in compared.runs.items()
    )
    return f"{runs}: {documents_of(compared)}, the first is the baseline"


def signature(compared: Compared) -> str:
    """Return the line that says how the differences were tested."""
    how = "exact" if compared.exact else f"trials:{compared.trials}"
    return signed(compared.first, f"randomisation,{how}|{compared.ci}", ("ci:", "avg:"))


def signed(run: Run, tested: str, without: tuple[str, ...]) -> str:
    """Return the signature of a run with how runs were tested instead of some of its parts."""
    from spanscope import __version__

    own = run.signature.rpartition("|")[0]
    own = "|".join(part for part in own.split("|") if not part.startswith(without))
    return f"{own}|{tested}|spanscope:{__version__}"


def documents_of(found: Compared | Leaderboard) -> str:
    """Return over how many documents runs are compared, and how many were left out because some run lacks them."""
    documents = plural(len(found.first.documents), "document")
    return documents if found.left_out is None else f"{documents} that all runs have ({found.left_out:,} left out)"


def problem_notes(found: Compared | Leaderboard) -> list[str]:
    """Return the data problems of every run that put no figure in doubt, and what intervals draw."""
    out = []
    for name, own in phrases_by_run(found).items():
        words = ", ".join(other_phrases(own))
        out += [f"Data problems of {name}: {words}"] if words else []
    if (group := found.first.settings.group) is not None:
        out.append(drawn_groups(group, found.first.counted.units) + ".")
    elif len(found.first.documents) < FEW:
        out.append(f"Fewer than {FEW} documents: intervals and p say little.")
    return out


def _notes(compared: Compared) -> list[str]:
    out = [
        f"Intervals ({100 * compared.ci.level:g} %) and p are paired by document; p is adjusted (Holm) over the "
        "runs, and over the labels in the table of labels.",
        "Better and worse: p below 0.05. Detectable: the smallest true difference that so many documents would "
        "show four times in five, in one test that needs no adjustment.",
        *_not_worse(compared),
    ]
    return [*out, *problem_notes(compared)]


def _not_worse(compared: Compared) -> list[str]:
    """Say of which runs it is shown that their headline is not worse than the first's by more than the margin."""
    if compared.margin is None:
        return []
    said = {True: "not worse by more than", False: "not shown to be not worse by more than"}
    own = [f"{name} is {said[shown]} {compared.margin:g}" for name, shown in compared.not_worse.items()]
    lead = compared.headline
    words = "; ".join(own) or "there is no interval to tell by"
    return [f"By the interval of the difference of {lead.average} {lead.rate.name}: {words}."]


def _documents(compared: Compared) -> Table:
    """Return in how many documents every run won against the first, tied and lost."""
    rows: list[tuple[Cell, ...]] = [(name, *own.values()) for name, own in compared.documents_won.items()]
    columns = (row_name("Run"), *(Column(name, style="count") for name in ("Won", "Tied", "Lost")))
    lead = compared.headline
    return Table(f"Documents: {lead.rate.name} of {lead.measure.short}", columns, rows)


def every_row(compared: Compared) -> Table:
    """Return every difference, for programs to read."""
    names = [name for name in Difference.__dataclass_fields__ if name != "documents"]
    rows = [(*(getattr(row, name) for name in names), *row.documents) for row in compared.rows]
    return Table("Differences", tuple(map(Column, (*names, "base_documents", "documents"))), rows)


def tables(compared: Compared, digits: int = 4) -> list[Table]:
    """Return the tables of a comparison, without those that have nothing to say."""
    head = [row for row in compared.rows if row.measure == str(compared.measures[0])]
    rate = compared.headline.rate.name
    made = [_overall(compared, measure, digits, whole=at == 0) for at, measure in enumerate(compared.measures)]
    labels = [(str(row.label), row) for row in head if row.label is not None and row.rate == rate]
    if labels:
        title = f"By label: {rate} of {compared.measures[0].short}"
        made.append(_differences(title, "Label", labels, compared, digits))
    made.append(_documents(compared))
    return [table for table in [*made, _spreads(compared, digits), _changes(compared, digits)] if table.rows]


def _overall(compared: Compared, measure: Measure, digits: int, *, whole: bool) -> Table:
    """Return the averages of a measure; of those after the first, and of several runs, only the main rate."""
    own = [row for row in compared.rows if row.measure == str(measure) and row.label is None]
    lead = compared.first.settings.lead(measure)
    if (not whole or len(compared.names) > 2) and lead.sums_up:
        own = [row for row in own if row.rate == lead.rate.name]
    own = [row for average in compared.averages(measure) for row in own if row.average == average]
    named = [
        (f"{row.average} {row.rate}" if row.average != "document" else f"mean {row.rate}", row) for row in own
    ]
    return _differences(f"Overall: {measure.short}", "Figure", named, compared, digits)


def _differences(
    title: str, head: str, rows: Sequence[tuple[str, Difference]], compared: Compared, digits: int
) -> Table:
    several = len(compared.names) > 2
    columns = (
        row_name(head),
        *((row_name("Run"),) if several else ()),
        Column(compared.names[0], digits, priority=3),
        Column("Value" if several else compared.names[1], digits, priority=3),
        Column("Difference", digits, style="signed", priority=MAIN),
        Column("Interval", digits, style="signed", priority=MAIN),
        Column("p", style="p", priority=2),
        Column("Reading", left=True, priority=1),
        Column("Detectable", digits, priority=3),
    )
    cells = [
        (
            *((name, row.run) if several else (name,)),
            *(row.base, row.value, row.difference),
            None if row.low is None or row.high is None else (row.low, row.high),
            *(row.adjusted, row.reading, row.smallest),
        )
        for name, row in rows
    ]
    return Table(title, columns, cells, _unequal(rows))


def _unequal(rows: Sequence[tuple[str, Difference]]) -> str:
    """Return which means are not over the same number of documents: where a figure is undefined in one run."""
    means = [(name, row) for name, row in rows if row.average == "document"]
    differ = [
        f"{name} over {row.documents[0]:,} and {row.documents[1]:,} documents"
        for name, row in means
        if row.documents[0] != row.documents[1]
    ]
    return f"Undefined for some: {'; '.join(differ[:3])}." if differ else ""


def _spreads(compared: Compared, digits: int) -> Table:
    rows = [
        (one.run, f"{one.average} {one.rate}", one.files, one.mean, one.lowest, one.highest)
        for one in compared.spreads
        if one.label is None and one.average != "weighted" and one.measure == str(compared.measures[0])
    ]
    columns = (
        *(row_name("Run"), row_name("Figure"), Column("Files", style="code")),
        *(Column("Mean", digits, priority=MAIN), Column("Lowest", digits), Column("Highest", digits)),
    )
    return Table(f"Several files: {compared.measures[0].short}", columns, rows)


def _changes(compared: Compared, digits: int) -> Table:
    """Return what was fixed and what broke, or else the documents that changed most."""
    rows = [
        (kind, one["document"], one["label"], (one["start"], one["end"]))
        for kind, own in compared.changes.items()
        for one in own[:SHOWN]
    ]
    if rows:
        sums = ", ".join(f"{len(own):,} {kind}" for kind, own in compared.changes.items())
        note = f"{sums}; the first {SHOWN} of each are shown, the JSON has all."
        names = map(row_name, ("Change", "Document", "Label"))
        return Table("What changed", (*names, Column("Place", style="place", left=True)), rows, note)
    changed = compared.documents_changed if len(compared.names) == 2 else []
    better = sum(one["reading"] in ("better", "higher") for one in changed)
    worse = sum(one["reading"] in ("worse", "lower") for one in changed)
    note = f"{better:,} documents better, {worse:,} worse, {len(changed) - better - worse:,} undefined in one run"
    return Table(
        f"Documents that changed: {changed[0]['rate']}" if changed else "",
        (row_name("Change"), row_name("Document"), *(Column(name, digits) for name in compared.names[:2])),
        [(one["reading"], one["document"], one["base"], one["value"]) for one in changed[:SHOWN]],
        note,
    )
