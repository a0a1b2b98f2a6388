"""The tables of a panel: methods against gold, pairs, each against each, agreement of all, runtimes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from spanscope.errors import plural
from spanscope.measures.registry import Measure, parse
from spanscope.measures.tools.rt_seg import METRICS
from spanscope.rates import Rate
from spanscope.report.problems import BLANK, HEAD, doubts, other_phrases, phrases_by_run, pick_phrases
from spanscope.report.rounding import column_head
from spanscope.report.table import MAIN, Cell, Column, Mean, Report, Section, Table, better_of, row_name
from spanscope.report.tables import FIGURES, figure_name
from spanscope.report.tables.scores import worst_documents
from spanscope.results.panel import Panel
from spanscope.results.result import Result

HEADLINE = (
    "segments.b_score",
    "segments.soft",
    "segments.edit_distance",
    "segments.displacement",
    "segments.bias",
)
SEED = tuple(name for name in METRICS if not name.endswith(("Precision", "Recall")))  # the columns RT-SEG prints
SPREAD = " ± standard deviation"
FEWER = " (n: those where it is defined)"
FEW = 4  # segmentations up to which all pairs are listed beside the figures against gold
MATRIX = 12  # segmentations up to which a matrix is drawn; above that the consensus of each
OF_PAIRS = 6  # figures of a pair that are shown
Figure = tuple[Measure, Rate]


def report(panel: Panel, digits: int, *, worst: int = 0) -> Report:
    """Return the report of a panel."""
    lists = ("  spanscope check FILE lists them all.", "dim")
    above = [line for words in doubts(panel) for line in ((words, "bold red"), lists, BLANK)]
    words = ", ".join(other_phrases(phrases_by_run(panel)[""]))
    below = [BLANK, (f"Data problems: {words}", "bold yellow"), lists] if words else []
    return Report(
        "Segmentations",
        [*tables(panel, digits), *_worst(panel, worst, digits)],
        panel.signature(),
        above=[[line] for line in above],
        facts=_facts(panel),
        below=[[line] for line in below],
        opening=[_problems(panel, HEAD, doubtful=True)],
        closing=[_problems(panel, "Data problems", doubtful=False)],
    )


def _problems(panel: Panel, title: str, *, doubtful: bool) -> Section:
    """Return the data problems of one sort, with the first case of each kind where it is known."""
    noted = [problem for own in panel.noted.values() for problem in own]
    first = {problem.kind: f"; first: {problem}" for problem in reversed(noted)}
    found = pick_phrases(phrases_by_run(panel)[""], doubtful=doubtful)
    return Section(title, [f"{words}{first.get(kind, '')}" for kind, words in found.items()])


def _facts(panel: Panel) -> list[tuple[str, str]]:
    """Return what stands above the tables."""
    out = [(key.capitalize(), value) for key, value in panel.meta.items()]
    one = panel.source
    size = f"{plural(one.documents, 'document')}, {plural(len(panel.names), 'segmentation')}"
    out.append(("Input", f"{one.path or 'in memory'}   {size}"))
    out.append(("Gold", panel.gold or "none: pairs only (--gold NAME)"))
    name = panel.settings.protocol.name
    return [*out, ("Protocol", name)] if name else out


def every_row(panel: Panel) -> Table:
    """Return every score row, for programs to read; what is infinite has no place in a table of numbers."""
    rows = panel.rows
    cells = [tuple(None if _infinite(cell) else cell for cell in row.values()) for row in rows]
    return Table("Scores", tuple(map(Column, rows[0])), cells)


def _infinite(value: object) -> bool:
    return isinstance(value, float) and math.isinf(value)


def tables(panel: Panel, digits: int = 4) -> list[Table]:
    """Return the tables of a panel: headline and diagnostics by method, pairs, consensus, runtimes."""
    out = []
    if panel.results:
        shown = _figures(next(iter(panel.results.values())).settings.measures, panel)
        main = sorted(
            (one for one in shown if one[0].name in HEADLINE), key=lambda one: HEADLINE.index(one[0].name)
        )
        rest = [one for one in shown if one not in main]
        out += [_methods(panel, "Headline" if rest else "Methods", main, digits, spread=True)] if main else []
        out += [_methods(panel, "Diagnostics" if main else "Methods", rest, digits)] if rest else []
    few = panel.gold is None or len(panel.names) <= FEW
    out += [
        *([_pairs(panel, digits)] if few else []),
        *_matrix(panel, digits),
        _agreement(panel, digits),
        _runtimes(panel, digits),
    ]
    return [table for table in out if table.rows]


def _worst(panel: Panel, worst: int, digits: int) -> list[Table]:
    """Return so many documents of every method, the worst first."""
    names = panel.ranking() if worst else []
    found = [(name, worst_documents(panel.results[name], worst, digits)) for name in names]
    return [table._replace(title=f"{table.title}, {name}") for name, table in found]


def _figures(measures: tuple[Measure, ...], panel: Panel) -> list[Figure]:
    """Return the figures worth a column: those with a word of their own, else all of a measure's rates."""
    out: list[Figure] = []
    for measure in measures:
        rates = panel.settings.rates(measure)
        named = [rate for rate in rates if (measure.name, rate.name) in FIGURES or rate.name in SEED]
        out += [(measure, rate) for rate in named or rates]
    return out


def _column(figure: Figure, digits: int) -> Column:
    measure, rate = figure
    biased = rate.name in ("bias", "Segmentation_Bias")  # 0 is best, on both sides of it
    name = rate.name if measure.name == "segments.rt_seg" else figure_name(measure, rate.name)
    return Column(name, digits, better=None if biased else better_of(rate.best), about=str(measure))


def _means(rows: Sequence[tuple[Cell, ...]]) -> str:
    """Say what the figures of a table are, as far as it shows it."""
    cells = [cell for row in rows for cell in row if isinstance(cell, Mean)]
    spread = SPREAD if any(cell.std is not None for cell in cells) else ""
    return f"mean over documents{spread}{FEWER if any(cell.documents is not None for cell in cells) else ''}"


def _caption(figures: list[Figure], rows: Sequence[tuple[Cell, ...]] = ()) -> str:
    """Return every parameter of the measures shown, as a caption should have them."""
    return f"{_means(rows)}; {', '.join(map(str, dict.fromkeys(measure for measure, _ in figures)))}"


def _methods(panel: Panel, title: str, figures: list[Figure], digits: int, *, spread: bool = False) -> Table:
    """Return methods by figures, the best first; the number of documents stands in the title where it is one."""
    sizes = {result.documents for result in panel.results.values()}
    same = len(sizes) == 1
    ranked = {name: panel.results[name] for name in panel.ranking()}
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            *(_mean(result, one, spread=spread) for one in figures),
            *(() if same else (result.documents,)),
        )
        for name, result in ranked.items()
    ]
    documents = () if same else (Column("Documents", repeated=True),)
    columns = (row_name("Method"), *(_column(one, digits) for one in figures), *documents)
    where = f"{title} against {panel.gold}" + (f", {plural(min(sizes), 'document')}" if same else "")
    lead = panel.headline
    note = f"{_means(rows)}, ranked by {_column((lead.measure, lead.rate), digits).name}; "
    return Table(where, columns, rows, note if len(rows) > 1 else f"{_means(rows)}; ", paged=True)


def _mean(result: Result, figure: Figure, *, spread: bool = False) -> Mean:
    """Return a mean, with its spread where asked for, and on how many documents it rests where not on all."""
    measure, rate = figure
    key = (str(measure), rate.name, "document")
    row = next(row for row in result.rows if (row.measure, row.rate, row.average) == key)
    known = row.documents - row.undefined if row.undefined else None
    return Mean(row.value, row.std if spread else None, known)


def _pairs(panel: Panel, digits: int) -> Table:
    """Return one row per pair, the figures that are the same both ways round."""
    measures = next(iter(panel.pairs.values())).settings.measures
    figures = _figures(measures, panel)
    if measures == panel.settings.measures and panel.settings.protocol.as_given:
        symmetric = ("Boundary_Similarity", "Boundary_Density_JSD")
        figures = [one for one in figures if one[1].name in symmetric] or figures
    more, figures = len(figures[OF_PAIRS:]), figures[:OF_PAIRS]
    rows: list[tuple[Cell, ...]] = [
        (a, b, *(_mean(result, one) for one in figures), result.documents)
        for (a, b), result in panel.pairs.items()
        if panel.names.index(a) < panel.names.index(b)
    ]
    columns = (row_name("A"), row_name("B"), *(_column(one, digits) for one in figures), Column("Documents"))
    note = _caption(figures, rows) + "; A serves as gold"
    return Table("Pairs", columns, rows, note + (f"; {plural(more, 'more figure')} in the JSON" if more else ""))


def _matrix(panel: Panel, digits: int) -> list[Table]:
    """Return the matrix of the first pairwise figure with the consensus of each segmentation, or that alone."""
    size = len(panel.names)
    if size <= 2:
        return []
    figures = _figures(next(iter(panel.pairs.values())).settings.measures, panel)
    preferred = [one for one in figures if one[1].name == "Boundary_Similarity"]
    measure, rate = figure = (preferred or figures)[0]
    cells = {pair: _mean(result, figure) for pair, result in panel.pairs.items()}
    means = panel.consensus(rate.name, measure)
    consensus = {name: _consensus(name, value, cells) for name, value in means.items()}
    note = _caption([figure], [(*cells.values(),)])
    note += "; consensus is the mean of a segmentation's figures with all others"
    if panel.gold is not None and size > FEW:
        note += _left_out(f"the table of {plural(len(panel.pairs) // 2, 'pair')}", FEW)
    what = column_head(_column(figure, digits))
    if size > MATRIX:
        ranked = sorted(consensus, key=lambda name: _worst_last(consensus[name], rate))
        note += _left_out(f"the matrix of {size} x {size}", MATRIX)
        two = (row_name("Segmentation"), Column("Consensus", digits))
        return [Table(f"Consensus: {what}", two, [(name, consensus[name]) for name in ranked], note)]
    letters = {name: chr(ord("a") + at) for at, name in enumerate(panel.names)}
    rows = [(letters[a], a, *(cells.get((a, b)) for b in panel.names), consensus[a]) for a in panel.names]
    figures_of = (Column(name, digits, priority=MAIN) for name in (*letters.values(), "Consensus"))
    columns = (row_name(""), row_name("gold \\ predicted"), *figures_of)
    return [Table(f"All pairs: {what}", columns, rows, note)]


def _left_out(what: str, most: int) -> str:
    return f"; {what} is left out above {most} segmentations: --only A,B,C shows some of it, --format json all"


def _consensus(name: str, value: float, cells: Mapping[tuple[str, str], Mean]) -> Mean:
    """Return the consensus of a segmentation, with the fewest documents that one of its figures rests on."""
    known = [cell.documents for pair, cell in cells.items() if name in pair and cell.documents is not None]
    return Mean(value, None, min(known, default=None))


def _worst_last(found: Mean, rate: Rate) -> tuple[bool, bool, float]:
    away = -found.value if rate.best == 1.0 else found.value
    return (math.isnan(found.value), found.documents is not None, away)


def _agreement(panel: Panel, digits: int) -> Table:
    rows = [row for row in panel.agreement if row.average == "micro"]
    forms = list(dict.fromkeys(row.measure for row in rows))
    rates = list(dict.fromkeys(row.rate for row in rows))
    found = {(row.measure, row.rate): row.value for row in rows}
    body: list[tuple[Cell, ...]] = [(parse(form).short, *(found[form, rate] for rate in rates)) for form in forms]
    note = (
        "Agreement of all segmentations on boundaries, then corrected for chance: Fleiss' pi and "
        "kappa of boundary edits, not "
        "of single gaps as in spanscope agree; bias is the difference between the two; "
    )
    named = (figure_name(parse(forms[0]), rate) for rate in rates) if forms else ()
    columns = (row_name("Measure"), *(Column(name, digits) for name in named))
    return Table("Agreement", columns, body, note + ", ".join(forms))


def _runtimes(panel: Panel, digits: int) -> Table:
    rows = [(name, one.mean, one.p50, one.p95, one.documents) for name, one in panel.runtimes.items()]
    figures = (Column(name, digits) for name in ("Mean", "p50", "p95"))
    return Table("Seconds a document", (row_name("Method"), *figures, Column("Documents")), rows)
