"""Views of a panel: methods side by side, pairs, consensus."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

from rich.console import Console, RenderableType

from spanscope.errors import MeasureError, did_you_mean, plural
from spanscope.measures.registry import Measure, parse
from spanscope.measures.tools.rt_seg import METRICS
from spanscope.rates import Rate
from spanscope.report.names import visible, width
from spanscope.report.problems import BLANK, HEAD, doubts, of_runs, only, others
from spanscope.report.tables import DASH, WIDTH, Table, number
from spanscope.report.terminal import grid, head, plain, put, styled
from spanscope.report.written import latex_table, markdown_table
from spanscope.results.panel import Panel
from spanscope.results.result import Result

FORMATS = ("table", "json", "csv", "markdown", "latex")
HEADLINE = (
    "segments.b_score",
    "segments.soft",
    "segments.edit_distance",
    "segments.displacement",
    "segments.bias",
)
SEED = tuple(name for name in METRICS if not name.endswith(("Precision", "Recall")))  # the columns RT-SEG prints
WORDS = {  # what a column is called, where the rate's own name says too little
    ("segments.b_score", "f1"): "B-score",
    ("segments.soft", "f1"): "Soft F1",
    ("segments.displacement", "displacement"): "Displacement",
    ("segments.bias", "bias"): "Bias",
    ("segments.pk", "pk"): "Pk",
    ("segments.window_diff", "window_diff"): "WindowDiff",
    ("segments.boundaries", "f1"): "Boundary F1",
    ("segments.overlap", "iou"): "IoU",
    ("segments.overlap", "dice"): "Dice",
    ("segments.density_jsd", "jsd"): "JSD",
    ("segments.cover", "cover"): "Cover",
    ("segments.edit_distance", "b"): "Fournier B",
}
FEW = 4  # segmentations up to which all pairs are listed beside the figures against gold
MATRIX = 12  # segmentations up to which a matrix is drawn
NAMES = 40  # columns of a name from which tables rather grow wider than a page than hold one figure each
Figure = tuple[Measure, Rate]


def render(panel: Panel, form: str = "table", *, digits: int = 4, **_: Any) -> str:
    """Return a panel as text in one of the formats."""
    if form == "json":
        return panel.to_json() + "\n"
    if form == "table":
        return plain(lambda console, room: show(panel, console, digits, room))
    if form == "csv":
        return _csv(panel)
    if form == "markdown":
        parts = [
            f"## {table.title}\n\n"
            + "\n".join(markdown_table(table))
            + (f"\n\n{table.note}" if table.note else "")
            for table in tables(panel, digits)
        ]
        parts = [
            *_problems(panel, HEAD, doubtful=True),
            *parts,
            *_problems(panel, "Data problems", doubtful=False),
        ]
        return "# Segmentations\n\n" + "\n\n".join(parts) + f"\n\n`{panel.signature()}`\n"
    if form == "latex":
        return "\n".join(latex_table(table, panel.signature()) for table in tables(panel, digits))
    raise MeasureError(f"no format is called {form!r}{did_you_mean(form, FORMATS)}", expected=", ".join(FORMATS))


def _problems(panel: Panel, title: str, *, doubtful: bool) -> list[str]:
    """Return a section of data problems for Markdown, with the first case of each kind where it is known."""
    noted = [problem for own in panel.noted.values() for problem in own]
    first = {problem.kind: f"; first: {visible(str(problem))}" for problem in reversed(noted)}
    found = only(of_runs(panel)[""], doubtful=doubtful)
    rows = [f"- {words}{first.get(kind, '')}" for kind, words in found.items()]
    return [f"## {title}\n\n" + "\n".join(rows)] if rows else []


def tables(panel: Panel, digits: int = 4) -> list[Table]:
    """Return the tables of a panel: headline and diagnostics by method, pairs, consensus, runtimes."""
    out = []
    if panel.results:
        shown = _figures(next(iter(panel.results.values())).settings.measures, panel)
        head = sorted(
            (one for one in shown if one[0].name in HEADLINE), key=lambda one: HEADLINE.index(one[0].name)
        )
        rest = [one for one in shown if one not in head]
        out += _methods(panel, "Headline" if rest else "Methods", head, digits, spread=True)
        out += _methods(panel, "Diagnostics" if head else "Methods", rest, digits)
    few = panel.gold is None or len(panel.names) <= FEW
    out += [
        *([_pairs(panel, digits)] if few else []),
        *_matrices(panel, digits),
        *_agreement(panel, digits),
        *_runtimes(panel, digits),
    ]
    return [table for table in out if table.rows]


def _figures(measures: tuple[Measure, ...], panel: Panel) -> list[Figure]:
    """Return the figures worth a column: those with a word of their own, else all of a measure's rates."""
    out: list[Figure] = []
    for measure in measures:
        rates = panel.settings.rates(measure)
        named = [rate for rate in rates if (measure.name, rate.name) in WORDS or rate.name in SEED]
        out += [(measure, rate) for rate in named or rates]
    return out


def _word(figure: Figure) -> str:
    measure, rate = figure
    arrow = "↓" if rate.best == 0.0 and rate.name not in ("bias", "Segmentation_Bias") else ""
    word = WORDS.get((measure.name, rate.name), rate.name if measure.name == "segments.rt_seg" else "")
    return (word or f"{measure.name.partition('.')[2]} {rate.name}") + arrow


def _caption(figures: list[Figure]) -> str:
    """Return every parameter of the measures shown, as a caption should have them."""
    seen = dict.fromkeys(measure for measure, _ in figures)
    return "mean over documents ± standard deviation (n: those where it is defined); " + ", ".join(map(str, seen))


def _methods(panel: Panel, title: str, figures: list[Figure], digits: int, *, spread: bool = False) -> list[Table]:
    """Return methods by figures; how many documents there are stands in the title where all have as many."""
    sizes = {result.documents for result in panel.results.values()}
    same = len(sizes) == 1
    where = f"{title} against {visible(str(panel.gold))}" + (f", {plural(min(sizes), 'document')}" if same else "")
    room = WIDTH - min(max(width(visible(name)) for name in panel.results), NAMES) - (4 if same else 16)
    out = []
    for own in _fitting(figures, digits, room, spread=spread):
        heads = ("Method", *map(_word, own), *(() if same else ("Documents",)))
        rows = [
            (
                visible(name),
                *(_figure(result, one, digits, spread=spread) for one in own),
                *(() if same else (f"{result.documents:,}",)),
            )
            for name, result in panel.results.items()
        ]
        out.append(Table(where, heads, rows, note=_caption(own)))
    return out


def _fitting(figures: list[Figure], digits: int, room: int, *, spread: bool) -> list[list[Figure]]:
    """Cut the figures into tables that fit a page."""
    out: list[list[Figure]] = []
    used = room
    for figure in figures:
        wide = max(len(_word(figure)), 2 * digits + 6 if spread else digits + 3) + 3
        if used + wide > room:
            out.append([])
            used = 0
        out[-1].append(figure)
        used += wide
    return out


def _figure(result: Result, figure: Figure, digits: int, *, spread: bool = False) -> str:
    """Return a mean, with its spread where asked for, and on how many documents it rests where not on all."""
    measure, rate = figure
    key = (str(measure), rate.name, "document")
    row = next(row for row in result.rows if (row.measure, row.rate, row.average) == key)
    value = number(row.value, digits)
    if spread and row.std is not None:
        value += f" ±{number(row.std, digits)}"
    return value + (f" (n={row.documents - row.undefined})" if row.undefined and value != DASH else "")


def _pairs(panel: Panel, digits: int) -> Table:
    """Return one row a pair, the figures that are the same both ways round."""
    measures = next(iter(panel.pairs.values())).settings.measures
    figures = (_fitting(_figures(measures, panel), digits, WIDTH - 40, spread=False) or [[]])[0]
    if measures == panel.settings.measures and panel.settings.protocol.as_given:
        symmetric = ("Boundary_Similarity", "Boundary_Density_JSD")
        figures = [one for one in _figures(measures, panel) if one[1].name in symmetric] or figures
    rows = []
    for (a, b), result in panel.pairs.items():
        if panel.names.index(a) < panel.names.index(b):
            values = [_figure(result, one, digits) for one in figures]
            rows.append((visible(a), visible(b), *values, f"{result.documents:,}"))
    heads = ("A", "B", *map(_word, figures), "Documents")
    note = _caption(figures) + "; A is taken as gold"
    return Table("Pairs", heads, rows, frozenset({0, 1}), note, names=2)


def _matrices(panel: Panel, digits: int) -> list[Table]:
    """Return the matrix of the first pairwise figure with the consensus of each segmentation."""
    if not 2 < len(panel.names) <= MATRIX:
        return []
    figures = _figures(next(iter(panel.pairs.values())).settings.measures, panel)
    preferred = [one for one in figures if one[1].name == "Boundary_Similarity"]
    measure, rate = (preferred or figures)[0]
    table, consensus = panel.matrix(rate.name, measure), panel.consensus(rate.name, measure)
    letters = {name: chr(ord("a") + at) for at, name in enumerate(panel.names)}
    rows = [
        (
            letters[a],
            visible(a),
            *(DASH if a == b else number(table[a][b], digits) for b in panel.names),
            number(consensus[a], digits),
        )
        for a in panel.names
    ]
    heads = ("", "as gold \\ against", *letters.values(), "Consensus")
    note = f"{_caption([(measure, rate)])}; consensus is the mean of a segmentation's figures with all others"
    title, last = f"Each against each: {_word((measure, rate))}", (len(heads) - 1,)
    return [Table(title, heads, rows, frozenset({0, 1}), note, names=2, last=last)]


def _agreement(panel: Panel, digits: int) -> list[Table]:
    rows = [row for row in panel.agreement if row.average == "micro"]
    forms = list(dict.fromkeys(row.measure for row in rows))
    rates = list(dict.fromkeys(row.rate for row in rows))
    found = {(row.measure, row.rate): row.value for row in rows}
    body = [(parse(form).short, *(number(found[form, rate], digits) for rate in rates)) for form in forms]
    note = "Agreement of all, then corrected for chance (Fleiss' pi, kappa); bias is how far the two differ; "
    note += ", ".join(forms)
    return [Table("Agreement", ("Measure", *(rate.capitalize() for rate in rates)), body, note=note)]


def _runtimes(panel: Panel, digits: int) -> list[Table]:
    rows = [
        (visible(name), *(number(value, digits) for value in (one.mean, one.p50, one.p95)), f"{one.documents:,}")
        for name, one in panel.runtimes.items()
    ]
    return [Table("Seconds a document", ("Method", "Mean", "p50", "p95", "Documents"), rows)]


def show(panel: Panel, console: Console | None = None, digits: int = 4, room: float | None = None) -> None:
    """Print the panel, on the terminal unless told where."""
    console = console or Console()
    lists = ("  spanscope check FILE lists them all.", "dim")
    above = [line for words in doubts(panel) for line in ((words, "bold red"), lists, BLANK)]
    words = ", ".join(others(of_runs(panel)[""]))
    below = [BLANK, (f"Data problems: {words}", "bold yellow"), lists] if words else []
    parts: list[RenderableType] = [*styled(above), head(_facts(panel))]
    for table in tables(panel, digits):
        parts += ["", grid(table, room or console.width)]
    put(console, [*parts, *styled(below)], panel.signature())


def _facts(panel: Panel) -> list[tuple[str, str]]:
    """Return what stands above the tables."""
    out = [(visible(key).capitalize(), visible(value)) for key, value in panel.meta.items()]
    one = panel.source
    size = f"{plural(one.documents, 'document')}, {plural(len(panel.names), 'segmentation')}"
    out.append(("Input", f"{visible(one.path or 'in memory')}   {size}"))
    out.append(("Gold", visible(panel.gold) if panel.gold else "none: pairs only (--gold NAME)"))
    name = panel.settings.protocol.name
    return [*out, ("Protocol", name)] if name else out


def _csv(panel: Panel) -> str:
    """Return every score row as CSV, unrounded; an undefined figure is an empty cell."""
    rows = panel.rows
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: "" if _nothing(value) else value for key, value in row.items()})
    return out.getvalue()


def _nothing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))
