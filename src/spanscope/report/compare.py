"""Runs beside each other as tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console, RenderableType

from spanscope.errors import MeasureError, plural
from spanscope.measures.registry import Measure
from spanscope.rates import Found
from spanscope.report.names import visible
from spanscope.report.problems import BLANK, doubts, of_runs, others
from spanscope.report.tables import DASH, Table, number
from spanscope.report.terminal import grid, plain, put, styled
from spanscope.report.written import latex_table, markdown_table
from spanscope.results.compared import Compared, Difference

FORMATS = ("table", "json", "csv", "markdown", "latex")
FEW = 20  # documents below which an interval says little
SHOWN = 10  # changes that are shown of each kind
AVERAGES = {"micro": 0, "macro": 1, "weighted": 2, "document": 3}


def render(compared: Compared, form: str = "table", *, digits: int = 4) -> str:
    """Return a comparison as text in one of the formats."""
    if form == "json":
        return compared.to_json() + "\n"
    if form == "csv":
        return _csv(compared)
    if form == "table":
        return plain(lambda console, room: show(compared, console, digits, room))
    made = tables(compared, digits)
    if form == "markdown":
        about = [f"{visible(key)}: {visible(value)}" for key, value in compared.meta.items()]
        lines = [*(f"**{line}**" for line in doubts(compared)), *about, *_notes(compared)]
        blocks = [f"# {_title(compared)}", "", *(f"- {line}" for line in lines)]
        for table in made:
            blocks += [
                "",
                f"## {table.title}",
                "",
                *markdown_table(table),
                *(["", table.note] if table.note else []),
            ]
        return "\n".join([*blocks, "", f"`{signature(compared)}`"]) + "\n"
    if form == "latex":
        return "\n".join(latex_table(table, signature(compared)) for table in made)
    raise MeasureError(f"no format of a comparison is called {form!r}", expected=", ".join(FORMATS))


def show(compared: Compared, console: Console, digits: int = 4, room: float | None = None) -> None:
    """Print a comparison."""
    above = [(line, "bold red") for line in doubts(compared)]
    above += [BLANK] if above else []
    above += [(f"{visible(key)}: {visible(value)}", "") for key, value in compared.meta.items()]
    parts: list[RenderableType] = styled([*above, (_title(compared), "bold")])
    for table in tables(compared, digits):
        parts += ["", grid(table, room or console.width)]
    put(console, [*parts, "", *styled((line, "dim") for line in _notes(compared))], signature(compared))


def _title(compared: Compared) -> str:
    runs = ", ".join(
        f"{name} ({plural(len(own), 'file')})" if len(own) > 1 else name for name, own in compared.runs.items()
    )
    return f"{visible(runs)}: {plural(len(compared.first.documents), 'document')}, the first is the baseline"


def signature(compared: Compared) -> str:
    """Return the line that says how the differences were tested."""
    from spanscope import __version__

    how = "exact" if compared.exact else f"trials:{compared.trials}"
    own = compared.first.signature.rpartition("|")[0]
    own = "|".join(part for part in own.split("|") if not part.startswith(("ci:", "avg:")))
    return f"{own}|randomisation,{how}|{compared.ci}|spanscope:{__version__}"


def _notes(compared: Compared) -> list[str]:
    out = [
        f"Intervals ({100 * compared.ci.level:g} %) and p are paired by document; p is adjusted (Holm) over the "
        "runs, and over the labels in the table of labels.",
        "Better and worse: p below 0.05. Shows: the smallest true difference that so many documents would show "
        "four times in five, in one test that needs no adjustment.",
    ]
    for name, own in of_runs(compared).items():
        words = ", ".join(others(own))
        out += [f"Data problems of {visible(name)}: {words}"] if words else []
    if len(compared.first.documents) < FEW:
        out.append(f"Fewer than {FEW} documents: intervals and p say little.")
    return out


def tables(compared: Compared, digits: int = 4) -> list[Table]:
    """Return the tables of a comparison: overall figures, labels, several files of a system, what changed."""
    head = [row for row in compared.rows if row.measure == str(compared.measures[0])]
    rate = "f1" if any(row.rate == "f1" for row in head) else head[0].rate
    made = [_overall(compared, measure, digits, whole=at == 0) for at, measure in enumerate(compared.measures)]
    labels = [row for row in head if row.label is not None and row.rate == rate]
    if labels:
        title = f"By label: {rate} of {compared.measures[0].short}"
        made.append(_table(title, "Label", [(visible(str(row.label)), row) for row in labels], compared, digits))
    return [table for table in [*made, _spreads(compared, digits), _changes(compared)] if table.rows]


def _overall(compared: Compared, measure: Measure, digits: int, *, whole: bool) -> Table:
    """Return the averages of a measure; of those after the first, and of several runs, only the main rate."""
    own = [row for row in compared.rows if row.measure == str(measure) and row.label is None]
    if (not whole or len(compared.names) > 2) and any(row.rate == "f1" for row in own):
        own = [row for row in own if row.rate == "f1"]
    if any(row.average == "macro" for row in own) or isinstance(measure.definition.reading, Found):
        own = [row for row in own if row.average != "weighted"]  # weighted averages are in the JSON
    else:
        own = [row for row in own if row.average == "document"]
    own.sort(key=lambda row: AVERAGES[row.average])
    named = [
        (f"{row.average} {row.rate}" if row.average != "document" else f"mean {row.rate}", row) for row in own
    ]
    return _table(f"Overall: {measure.short}", "Figure", named, compared, digits)


def _table(
    title: str, head: str, rows: Sequence[tuple[str, Difference]], compared: Compared, digits: int
) -> Table:
    several = len(compared.names) > 2
    heads = (
        head,
        *(("Run",) if several else ()),
        visible(compared.names[0]),
        "Value" if several else visible(compared.names[1]),
        "Difference",
        "Interval",
        "p",
        "Reading",
        "Shows",
    )
    cells = [
        (
            name,
            *((visible(row.run),) if several else ()),
            number(row.base, digits),
            number(row.value, digits),
            _signed(row.difference, digits),
            interval(row.low, row.high, digits, signed=True),
            _p(row.adjusted),
            row.reading,
            number(row.smallest, digits),
        )
        for name, row in rows
    ]
    words = {0, 1} if several else {0}
    names, difference = len(words), heads.index("Difference")
    left = frozenset(words | {len(heads) - 2})
    last = (difference, difference + 1, difference + 3, difference + 2)  # with its interval, its reading, p
    return Table(title, heads, cells, left, _unequal(rows), names=names, last=last)


def _unequal(rows: Sequence[tuple[str, Difference]]) -> str:
    """Return which means are not over the same number of documents: where a figure is undefined in one run."""
    means = [(name, row) for name, row in rows if row.average == "document"]
    differ = [
        f"{name} over {row.documents[0]:,} and {row.documents[1]:,} documents"
        for name, row in means
        if row.documents[0] != row.documents[1]
    ]
    return f"Undefined for some: {'; '.join(differ[:3])}." if differ else ""


def _signed(value: float, digits: int) -> str:
    text = number(value, digits)
    return text if text in (DASH,) or text.startswith("-") or text.strip("0.") == "" else f"+{text}"


def interval(low: float | None, high: float | None, digits: int = 4, *, signed: bool = False) -> str:
    """Return an interval as text, or a dash."""
    if low is None or high is None:
        return DASH
    return (
        f"[{_signed(low, digits)}, {_signed(high, digits)}]"
        if signed
        else f"[{number(low, digits)}, {number(high, digits)}]"
    )


def _p(value: float | None) -> str:
    return DASH if value is None else f"{value:.4f}" if value >= 0.0001 else "<0.0001"


def _spreads(compared: Compared, digits: int) -> Table:
    rows = [
        (
            visible(one.run),
            f"{one.average} {one.rate}",
            str(one.files),
            *(number(value, digits) for value in (one.mean, one.lowest, one.highest)),
        )
        for one in compared.spreads
        if one.label is None and one.average != "weighted" and one.measure == str(compared.measures[0])
    ]
    heads = ("Run", "Figure", "Files", "Mean", "Lowest", "Highest")
    return Table(
        f"Several files: {compared.measures[0].short}", heads, rows, frozenset({0, 1}), names=2, last=(3,)
    )


def _changes(compared: Compared) -> Table:
    """Return what was fixed and what broke, or else the documents that changed most."""
    rows = []
    for kind, own in compared.changes.items():
        for one in own[:SHOWN]:
            place = f"{one['start']}..{one['end']}"
            rows.append((kind, visible(one["document"]), visible(one["label"]), place))
    if rows:
        sums = ", ".join(f"{len(own):,} {kind}" for kind, own in compared.changes.items())
        note = f"{sums}; the first {SHOWN} of each are shown, the JSON has all."
        heads = ("Change", "Document", "Label", "Place")
        return Table("What changed", heads, rows, frozenset({0, 1, 2, 3}), note, names=3)
    changed = compared.documents_changed if len(compared.names) == 2 else []
    lines = [
        (one["reading"], visible(one["document"]), number(one["base"]), number(one["value"]))
        for one in changed[:SHOWN]
    ]
    better = sum(one["reading"] in ("better", "higher") for one in changed)
    worse = sum(one["reading"] in ("worse", "lower") for one in changed)
    note = f"{better:,} documents better, {worse:,} worse, {len(changed) - better - worse:,} undefined in one run"
    what = f"Documents that changed: {changed[0]['rate']}" if changed else ""
    runs = map(visible, compared.names[:2])
    return Table(what, ("Change", "Document", *runs), lines, frozenset({0, 1}), note, names=2)


def _csv(compared: Compared) -> str:
    out = io.StringIO()
    heads = list(Difference.__dataclass_fields__)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    for row in compared.rows:
        cells = asdict(row)
        writer.writerow(
            ["" if cells[head] is None or cells[head] != cells[head] else cells[head] for head in heads]
        )
    return out.getvalue()
