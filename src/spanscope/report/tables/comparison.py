"""The tables of runs beside each other: differences, labels, several files of a system, what changed."""

from __future__ import annotations

from collections.abc import Sequence

from spanscope.errors import plural
from spanscope.measures.registry import Measure
from spanscope.report.problems import BLANK, doubts, other_phrases, phrases_by_run
from spanscope.report.table import MAIN, Cell, Column, Report, Section, Table, row_name
from spanscope.report.tables import drawn_groups
from spanscope.report.tables.compared_slices import difference_columns, slices, with_slices
from spanscope.results.compared import Compared, Difference
from spanscope.results.leaderboard import Leaderboard
from spanscope.results.resampled import FEW
from spanscope.results.runs import Run
from spanscope.stats.bootstrap import FEWEST_WITH_LABEL
from spanscope.stats.significance import FEWEST

SHOWN = 10  # changes that are shown of each kind


def report(compared: Compared, digits: int) -> Report:
    """Return the report of a comparison."""
    about = _title(compared), signature(compared)
    return report_of_runs(compared, about, tables(compared, digits), _notes(compared))


def report_of_runs(
    found: Compared | Leaderboard, about: tuple[str, str], tables: Sequence[Table], notes: Sequence[str]
) -> Report:
    """Return the report of several runs, about which `about` has title and signature."""
    title, line_below = about
    doubt, said = doubts(found), [f"{key}: {value}" for key, value in found.meta.items()]
    above = [*((line, "bold red") for line in doubt), *([BLANK] if doubt else [])]
    above += [*((line, "") for line in said), (title, "bold")]
    return Report(
        title,
        tables,
        line_below,
        above=[[line] for line in above],
        below=[[], *([(line, "dim")] for line in notes)],
        opening=[Section("", [*(f"**{line}**" for line in doubt), *said, *notes])],
    )


def _title(compared: Compared) -> str:
    runs = ", ".join(
        f"{name} ({plural(len(own), 'file')})" if len(own) > 1 else name for name, own in compared.runs.items()
    )
    return f"{runs}: {documents_of(compared)}, the first is the baseline"


def signature(compared: Compared) -> str:
    """Return the line that says how the differences were tested."""
    return signature_of_run(compared.first, f"{tests_of(compared)}|{compared.ci}", ("ci:",))


def tests_of(found: Compared | Leaderboard) -> str:
    """Return how runs were tested: by swaps of documents, by t for documents and files, or both."""
    files = {len(own) > 1 for own in found.runs.values()}
    how = "exact" if found.exact else f"trials:{found.trials}"
    swaps = [f"randomisation,{how}"] if found.trials else []
    return "|".join([*swaps, *(["t,satterthwaite,documents+files"] if True in files else [])])


def signature_of_run(run: Run, tested: str, without: tuple[str, ...]) -> str:
    """Return the signature of a run with how runs were tested instead of some of its parts."""
    from spanscope import __version__

    own = run.signature.rpartition("|")[0]
    own = "|".join(part for part in own.split("|") if not part.startswith(without))
    return f"{own}|{tested}|spanscope:{__version__}"


def documents_of(found: Compared | Leaderboard) -> str:
    """Return over how many documents runs are compared, and how many were left out because some run lacks them."""
    documents = plural(len(found.first.documents), found.first.settings.family.document)
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
        out.append(f"Fewer than {FEW} documents: intervals and p-values are unreliable.")
    return out


def _notes(compared: Compared) -> list[str]:
    out = [
        f"Intervals ({100 * compared.ci.level:g} %) and p are paired by document; p is adjusted (Holm) over the "
        "runs, and over the labels in the table of labels.",
        "Better and worse: p below 0.05. Detectable: the smallest true difference that this number of documents "
        "would detect with 80 % power, in a single unadjusted test.",
        *_note_unvaried(compared),
        *files_notes(compared),
        *_not_worse(compared),
    ]
    return [*out, *problem_notes(compared)]


def _note_unvaried(compared: Compared) -> list[str]:
    """Say why differences have no interval that no resample changes."""
    none = [row for row in compared.rows if row.low is None and row.p is not None and min(row.documents) > 1]
    rare = [row for row in none if row.label is not None and max(row.documents) < FEWEST_WITH_LABEL]
    out = []
    if len(none) > len(rare):
        out.append(
            "No interval (–): the difference is the same whichever documents are drawn, as where runs agree in "
            "all of them; how far it may be from it in others, resampling cannot say."
        )
    if rare:
        out.append(f"No interval (–) for labels in fewer than {FEWEST_WITH_LABEL} documents.")
    if any(row.smallest is None and row.p is not None for row in compared.rows):
        out.append(
            f"Detectable is a dash (–) where fewer than {FEWEST} documents, or none that differ, leave no p below "
            "0.05 within reach."
        )
    return out


def _not_worse(compared: Compared) -> list[str]:
    """Say of which runs it is shown that their headline is not worse than the first's by more than the margin."""
    if compared.margin is None:
        return []
    said = {True: "not worse by more than", False: "not shown to be not worse by more than"}
    own = [f"{name} is {said[shown]} {compared.margin:g}" for name, shown in compared.not_worse.items()]
    lead = compared.headline
    words = "; ".join(own) or "there is no interval to decide by"
    return [f"Judged by the interval of the difference in {lead.average} {lead.rate.name}: {words}."]


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
    table = Table("Differences", tuple(map(Column, (*names, "base_documents", "documents"))), rows)
    return with_slices(table, compared)


def tables(compared: Compared, digits: int = 4) -> list[Table]:
    """Return the tables of a comparison, without those that have nothing to say."""
    head = [row for row in compared.rows if row.measure == str(compared.measures[0])]
    rate = compared.headline.rate.name
    made = [_overall(compared, measure, digits, whole=at == 0) for at, measure in enumerate(compared.measures)]
    labels = [(str(row.label), row) for row in head if row.label is not None and row.rate == rate]
    if labels:
        title = f"By label: {rate} of {compared.measures[0].short}"
        made.append(_differences(title, "Label", labels, compared, digits))
    made += [slices(compared, digits)] if compared.sliced else []
    made.append(_documents(compared))
    made += [*_errors(compared, digits), *files_tables(compared, digits, compared.averages(compared.measures[0]))]
    return [table for table in [*made, _changes(compared, digits)] if table.rows]


def _overall(compared: Compared, measure: Measure, digits: int, *, whole: bool) -> Table:
    """Return the averages of a measure; of those after the first, and of several runs, only the main rate."""
    own = [row for row in compared.rows if row.measure == str(measure) and row.label is None]
    lead = compared.first.settings.lead(measure)
    if (not whole or len(compared.names) > 2) and lead.sums_up:
        own = [row for row in own if row.rate == lead.rate.name]
    own = [row for average in compared.averages(measure) for row in own if row.average == average]
    named = [(_name_of(row.average, row.rate), row) for row in own]
    main = compared.headline
    leads = [at for at, row in enumerate(own) if (row.average, row.rate) == (main.average, main.rate.name)]
    made = _differences(f"Overall: {measure.short}", "Figure", named, compared, digits)
    return made._replace(leads=tuple(leads)) if measure == main.measure else made


def _differences(
    title: str, head: str, rows: Sequence[tuple[str, Difference]], compared: Compared, digits: int
) -> Table:
    several = len(compared.names) > 2
    columns = (
        row_name(head),
        *((row_name("Run"),) if several else ()),
        *difference_columns(compared, digits),
        Column("p", style="p", priority=2),
        Column("Verdict", left=True, priority=1),
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


def files_tables(found: Compared | Leaderboard, digits: int, averages: Sequence[str]) -> list[Table]:
    """Return the figures of systems with several files, and what they vary by."""
    first = found.measures[0]
    rows = [
        (
            *(one.run, _name_of(one.average, one.rate), one.files, one.mean),
            None if one.low is None or one.high is None else (one.low, one.high),
            *(one.deviation, one.documents_error, one.files_error, one.lowest, one.highest),
        )
        for one in found.spreads
        if one.label is None and one.average in averages and one.measure == str(first)
    ]
    columns = (
        *(row_name("Run"), row_name("Figure"), Column("Files", style="code")),
        *(Column("Mean", digits, priority=MAIN), Column("Interval", digits, priority=MAIN)),
        *(Column("Std", digits, priority=2), Column("Error: documents", digits, priority=3)),
        *(Column("Error: files", digits, priority=3), Column("Lowest", digits), Column("Highest", digits)),
    )
    note = (
        "Std: standard deviation of the files' figures. Error: standard error of the mean, for the documents and "
        "for the files; the interval is for both."
    )
    return [Table(f"Several files: {first.short}", columns, rows, note)] if rows else []


def _errors(compared: Compared, digits: int) -> list[Table]:
    """Return what the differences vary by, where a system has several files."""
    rows: list[tuple[Cell, ...]] = [
        (
            _name_of(row.average, row.rate),
            row.run,
            row.difference,
            row.documents_error,
            row.files_error,
            row.degrees,
        )
        for row in compared.rows
        if row.files_error is not None and row.measure == str(compared.measures[0])
        if row.label is None and row.average in compared.averages(compared.measures[0])
    ]
    columns = (
        *(row_name("Figure"), row_name("Run"), Column("Difference", digits, style="signed", priority=MAIN)),
        *(Column("Error: documents", digits), Column("Error: files", digits), Column("Degrees", 1)),
    )
    note = "Degrees: degrees of freedom of Student's t (Satterthwaite), for both errors together."
    return [Table(f"Sources of variation:  {compared.measures[0].short}", columns, rows, note)] if rows else []


def _name_of(average: str, rate: str) -> str:
    return f"mean {rate}" if average == "document" else f"{average} {rate}"


def files_notes(found: Compared | Leaderboard) -> list[str]:
    """Say what of the files of systems intervals and p cover, and what they do not."""
    single = [name for name, own in found.runs.items() if len(own) == 1]
    two = [name for name, own in found.runs.items() if len(own) == 2]
    if len(single) == len(found.runs):
        return [
            "Not covered: variation from training or running a system again; NAME=FILE,FILE,... compares several "
            "files of one system."
        ]
    out = [
        "For systems with several files, intervals and p-values come from Student's t, over documents and files."
    ]
    if single:
        out.append(f"Not covered: variation between files of {', '.join(single)}, which has only one file.")
    if two:
        out.append(f"Two files are too few to estimate how much files vary: {', '.join(two)}.")
    return out


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
