"""The tables of a leaderboard: systems with their ranks, letters and figures, and the intervals of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from spanscope.errors import plural
from spanscope.measures.registry import Measure
from spanscope.report.rounding import round_number
from spanscope.report.table import MAIN, Cell, Column, Report, Table, better_of, row_name, without_columns
from spanscope.report.tables import FIGURES, figure_name
from spanscope.report.tables.comparison import (
    documents_of,
    files_notes,
    files_tables,
    problem_notes,
    report_of_runs,
    signature_of_run,
    tests_of,
)
from spanscope.results.leaderboard import Figure, Leaderboard, Standing, shown_figures

OTHERS = "Other measures"
AMONG_SYSTEMS = ("Rank", "Letters", "Ranks")  # columns that say how a system stands beside others
ROW = (  # of CSV: one row per figure, with what is known of the system
    *("system", "rank", "rank_low", "rank_high", "letters", "measure", "rate", "average"),
    *("value", "low", "high", "documents", "undefined"),
)


def report(found: Leaderboard, digits: int) -> Report:
    """Return the report of a leaderboard."""
    about = _title(found), signature(found)
    return report_of_runs(found, about, tables(found, digits), _notes(found))


def signature(found: Leaderboard) -> str:
    """Return the line that says how systems were ranked and tested."""
    tests = [f"all pairs,{len(found.pairs)},holm|{tests_of(found)}"] if found.pairs else []
    return signature_of_run(found.first, "|".join([*tests, str(found.ci)]), ("ci:",))


def _title(found: Leaderboard) -> str:
    return f"{plural(len(found.names), 'system')}, {documents_of(found)}"


def _notes(found: Leaderboard) -> list[str]:
    level, head = f"{100 * found.ci.level:g} %", _words(found)
    out = [
        f"Ranked by {head}. Systems that share a letter do not differ significantly: p of their "
        "difference, adjusted "
        f"(Holm) over {plural(len(found.pairs), 'pair')}, is {found.alpha:g} or more.",
        f"Intervals are {level}, by a bootstrap over documents; Ranks: the range of the system's "
        f"rank in {level} of the "
        "resamples.",
    ]
    if not found.pairs:
        out = [f"Intervals are {level}."]
    if found.trials and len(found.pairs) > found.alpha * (1 + found.trials) and not found.exact:
        out.append(
            f"With {found.trials:,} trials no p of {len(found.pairs):,} pairs can be below {found.alpha:g}: "
            "no pair can be significant without more --trials."
        )
    several = {name: len(own) for name, own in found.runs.items() if len(own) > 1}
    if several:
        words = ", ".join(f"{name} ({number})" for name, number in several.items())
        out.append(f"Means of several files: {words}.")
    out += files_notes(found)
    undefined = [one.name for one in found.standings if one.ranks is None]
    if undefined:
        out.append(f"Undefined, and not compared:  {', '.join(undefined)}.")
    return [*out, *problem_notes(found)]


def _words(found: Leaderboard) -> str:
    lead = found.headline
    over = "the mean over documents of " if lead.average == "document" else f"{lead.average} "
    return f"{over}{lead.rate.name} of {lead.measure.short}"


def every_row(found: Leaderboard) -> Table:
    """Return every figure of every system, for programs to read."""
    keys = list(found.standings[0].meta)
    rows = [
        (
            *(one.name, one.rank, *(one.ranks or (None, None)), one.letters or None),
            *own,
            *(one.meta[key] for key in keys),
        )
        for one in found.standings
        for own in one.figures
    ]
    return Table("Leaderboard", tuple(map(Column, (*ROW, *keys))), rows)


def tables(found: Leaderboard, digits: int = 4) -> list[Table]:
    """Return the ranking, the figures of other measures, and the intervals of all figures that do not rank."""
    return [
        _ranking(found, digits),
        *files_tables(found, digits, (found.headline.average,)),
        *_others(found, digits),
        *_intervals(found, digits),
    ]


def report_of_page(found: Leaderboard, digits: int = 4) -> Report:
    """Return the report for a page, where the figures of all measures are columns of one table."""
    head, *others = tables(found, digits)
    wide = _put_beside(head, [one for one in others if one.title == OTHERS])
    rest = [one for one in others if one.title != OTHERS]
    return report_of_runs(found, (_title(found), signature(found)), [wide, *rest], _notes(found))


def _put_beside(head: Table, others: Sequence[Table]) -> Table:
    """Return a table with the columns of others, whose rows are the same systems in the same order."""
    for one in others:
        rows = [(*own, *more[1:]) for own, more in zip(head.rows, one.rows, strict=True)]
        head = head._replace(columns=(*head.columns, *one.columns[1:]), rows=rows)
    return head


def _ranking(found: Leaderboard, digits: int) -> Table:
    """Return the systems in their order, with all figures of the measure that ranks.

    One system has no rank, and no letter, that would say anything.
    """
    head, *others = _of_first(found, found.standings[0], first=True)
    keys = list(found.standings[0].meta)
    columns = (
        Column("Rank", 0, priority=MAIN),
        row_name("System"),
        _column(head, found, digits)._replace(priority=MAIN),
        Column("Interval", digits, priority=MAIN),
        Column("Letters", left=True, priority=MAIN),
        *(Column(key, None, priority=1) for key in keys),
        Column("Ranks", 0, priority=1),
        *(_column(one, found, digits)._replace(priority=2) for one in others),
    )
    rows = []
    for one in found.standings:
        first, *rest = _of_first(found, one, first=True)
        own = [_cell(one.meta[key]) for key in keys]
        values = [figure.value for figure in rest]
        rows.append(
            (one.rank, one.name, first.value, _interval(first), one.letters or None, *own, one.ranks, *values)
        )
    table = Table(f"Leaderboard: {found.measures[0].short}", columns, rows)
    return table if len(found.standings) > 1 else without_columns(table, AMONG_SYSTEMS)


def _of_first(found: Leaderboard, one: Standing, *, first: bool) -> list[Figure]:
    """Return the figures of a system worth a column, by the first measure or by the others."""
    head = str(found.measures[0])
    return [own for own in shown_figures(found, one) if (own.measure == head) == first]


def _others(found: Leaderboard, digits: int) -> list[Table]:
    """Return what leads of every other measure, a column each."""
    figures = _of_first(found, found.standings[0], first=False)
    if not figures:
        return []
    named = zip(_heads(found, figures), figures, strict=True)
    columns = (row_name("System"), *(_column(one, found, digits)._replace(name=head) for head, one in named))
    rows: list[tuple[Cell, ...]] = [
        (one.name, *(figure.value for figure in _of_first(found, one, first=False))) for one in found.standings
    ]
    return [Table(OTHERS, columns, rows)]


def _cell(value: float | str | None) -> Cell:
    return round_number(value, None) if isinstance(value, float) else value


def _intervals(found: Leaderboard, digits: int) -> list[Table]:
    """Return the intervals of all figures but the one that ranks, a column each."""
    first = found.measures[0].short
    out = []
    for title, own, skipped in ((f"Intervals: {first}", True, 1), ("Intervals of other measures", False, 0)):
        figures = _of_first(found, found.standings[0], first=own)[skipped:]
        columns = (row_name("System"), *(Column(head, digits) for head in _heads(found, figures)))
        rows = [(one.name, *map(_interval, _of_first(found, one, first=own)[skipped:])) for one in found.standings]
        out += [Table(title, columns, rows)] if figures else []
    return out


def _interval(figure: Figure) -> tuple[float, float] | None:
    return None if figure.low is None or figure.high is None else (figure.low, figure.high)


def _heads(found: Leaderboard, figures: Sequence[Figure]) -> list[str]:
    """Return what figures are called above their columns; measures of one name show what tells them apart."""
    called = [_name_of(found, one) for one in figures]
    often = Counter(called)
    measures = [_measure(found, one) for one in figures]
    steps = [
        head if often[head] == 1 or own.threshold is None else f"{head} at {own.threshold:g}"
        for head, own in zip(called, measures, strict=True)
    ]
    still = Counter(steps)
    return [
        head if still[head] == 1 else f"{own.short.partition('.')[2]} {one.rate}"
        for head, own, one in zip(steps, measures, figures, strict=True)
    ]


def _name_of(found: Leaderboard, figure: Figure) -> str:
    """Return what a figure is called: of the first measure its rate alone says it."""
    measure = _measure(found, figure)
    alone = measure == found.measures[0] and (measure.name, figure.rate) not in FIGURES
    return figure.rate if alone else figure_name(measure, figure.rate)


def _measure(found: Leaderboard, figure: Figure) -> Measure:
    return next(one for one in found.measures if str(one) == figure.measure)


def _column(figure: Figure, found: Leaderboard, digits: int) -> Column:
    measure = _measure(found, figure)
    best = {rate.name: rate.best for rate in found.first.settings.rates(measure)}[figure.rate]
    return Column(_name_of(found, figure), digits, better=better_of(best))
