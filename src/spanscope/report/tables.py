"""The tables of a report as plain rows of text: what the terminal, Markdown and LaTeX all show.

Rounding happens here and in `csv` only. An undefined figure is a dash.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from spanscope.errors import plural
from spanscope.measures.registry import Measure
from spanscope.rates import SEMEVAL, Found, Reading
from spanscope.report.names import cut, shortened, visible
from spanscope.results.result import Result
from spanscope.settings.settle import Input
from spanscope.stats.averages import Point, Score

GUIDE = (0.3, 0.5, 0.7, 0.8, 1.0)  # the steps of ReqFlow's guide to thresholds
MATRIX = 12  # labels up to which a confusion matrix is drawn; beyond, its largest cells are listed
LEAKS = 15  # missed texts that are shown
QUOTE = 60  # columns of such a text
DASH = "–"
NAME = 70  # columns of the name of a document: queries are named by what they ask
MOST_ROWS = 1_000  # of labels and of thresholds
WIDTH = 110  # columns of the sentences of a report that is no terminal's; tables have as many as they need
BAR = 16
PRIMARY = "▸ primary figure"  # behind the title of the table whose first row it is
FEW = 20  # documents below which an interval can hardly be trusted


@dataclass(frozen=True)
class Table:
    """A title, column heads (those of text columns are left-aligned) and rows of text."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    left: frozenset[int] = frozenset({0})
    note: str = ""
    bars: list[float] = field(default_factory=list)  # a length from 0 to 1 for each row, where that helps
    bar_head: str = ""
    names: int = 1  # columns from the left that say which row it is
    last: tuple[int, ...] = ()  # columns that a narrow page keeps longest, the most important first
    prose: bool = False  # the last column is a sentence, which may be broken


def number(value: float | None, digits: int = 4) -> str:
    """Return a figure rounded for reading."""
    if value is None or math.isnan(value):
        return DASH
    text = "∞" if math.isinf(value) else f"{value:.{digits}f}"
    return text.removeprefix("-") if text.strip("-0.") == "" else text  # no minus before what rounds to nothing


def noun(result: Result) -> str:
    """Return what the family calls a document."""
    return result.settings.family.document


def sizes(result: Result, side: str, one: Input) -> str:
    """Return what was read on a side, in the words of the family."""
    family = result.settings.family
    item = family.gold_item if side.lower() == "gold" else family.pred_item
    return f"{plural(one.documents, noun(result))}, {plural(one.spans, item)}"


def facts(result: Result) -> list[tuple[str, str]]:
    """Return what stands above the tables: words of the caller, what was read, by which protocol."""
    out = [(visible(key).capitalize(), visible(value)) for key, value in result.meta.items()]
    for side, one in zip(("Gold", "Predicted"), result.inputs, strict=True):
        out.append((side, f"{visible(one.path or 'in memory')}   {sizes(result, side, one)}"))
    if result.settings.protocol.name:
        scored = plural(result.documents, noun(result))
        out.append(("Protocol", f"{result.settings.protocol.name}   {scored} scored"))
    if result.kept != "spans":
        left = "counts of every document" if result.kept == "counts" else "totals of all documents"
        out.append(("Memory", f"{result.kept}   {left} were kept, no spans"))
    return out


def has_primary(result: Result, table: Table) -> bool:
    """Tell whether the first row of the first table is marked: one of several that can be compared."""
    return len(table.rows) > 1 and result.settings.family.labelled


def marked(row: tuple[str, ...], *, first: bool) -> tuple[str, ...]:
    """Return a row of the table with the primary figure, which is the first."""
    return (f"{'▸' if first else ' '} {row[0]}", *row[1:])


def percent(part: float, whole: float) -> str:
    """Return a share in percent."""
    return f"{100 * part / whole:.1f} %" if whole else DASH


def tables(result: Result, digits: int = 4, *, worst: int = 0) -> list[Table]:
    """Return all tables of a report, in reading order, without those that have nothing to say."""
    made = [
        headline(result, digits),
        *cutoffs(result, digits),
        others(result, digits),
        outcomes(result),
        by_label(result, digits),
        thresholds(result, digits),
        kinds(result, digits),
        confusion(result),
        leaks(result),
        worst_documents(result, worst, digits) if worst else None,
    ]
    return [table for table in made if table is not None and table.rows]


def beyond(rows: int) -> str:
    """Say how many rows are left out of a table that nobody could read."""
    return f"{plural(rows - MOST_ROWS, 'more row')}: --format json has them all." if rows > MOST_ROWS else ""


def headline(result: Result, digits: int = 4) -> Table:
    """Return one row a measure; the first is the primary figure."""
    if not result.settings.family.labelled:
        return by_rate(result, digits)
    rates = [rate.name for rate in result.settings.rates(result.measures[0])]
    f = rates[-1]
    averages = [("macro", "Macro"), ("weighted", "Weighted"), ("document", "Document")]
    sure = intervals_head(result)
    if len(rates) > 3 or sure:  # F-beta beside F1, or an interval, takes the room of one average
        averages = [one for one in averages if one[0] != "weighted"]
    has = {row.average for row in result.rows}
    shown = [(key, word) for key, word in averages if key in has]
    found = {(row.measure, row.rate, row.average): row for row in result.rows if row.label is None}
    values_of = {key: row.value for key, row in found.items()}
    rows = []
    for measure in _alike(result):
        values = [number(values_of.get((str(measure), rate, "micro")), digits) for rate in rates]
        if sure:
            values.append(interval_of(found[str(measure), f, "micro"], digits))
        means = [number(values_of.get((str(measure), f, key)), digits) for key, _ in shown]
        rows.append((measure.short, *values, *means))
    heads = ("Measure", *(_word(rate) for rate in rates), *sure, *(f"{word} {_word(f)}" for _, word in shown))
    title = "Overall: micro precision, recall and F; F by other averages" if shown else "Overall: micro"
    return Table(title, heads, rows, note=sure_note(result), last=main_columns(len(rates), sure))


def main_columns(at: int, sure: Sequence[str]) -> tuple[int, ...]:
    """Return which columns a narrow page keeps longest: the figure, and its interval behind it."""
    return (at, *range(at + 1, at + 1 + len(sure)))


def intervals_head(result: Result) -> tuple[str, ...]:
    """Return the head of the column of intervals, where there are any."""
    ci = result.settings.ci
    return () if ci is None or result.documents < 2 else (f"{100 * ci.level:g} % interval",)


def interval_of(row: Score, digits: int = 4) -> str:
    """Return the interval of a score, or a dash."""
    return DASH if row.low is None else f"[{number(row.low, digits)}, {number(row.high, digits)}]"


def sure_note(result: Result) -> str:
    """Return how far intervals can be trusted."""
    if not intervals_head(result):
        return ""
    few = f"Fewer than {FEW} {plural(2, noun(result)).removeprefix('2 ')}: an interval says little."
    return few if result.documents < FEW else ""


def _alike(result: Result) -> list[Measure]:
    """Return the measures that have the rates of the first."""
    names = [rate.name for rate in result.settings.rates(result.measures[0])]
    return [one for one in result.measures if [rate.name for rate in result.settings.rates(one)] == names]


def others(result: Result, digits: int = 4) -> Table | None:
    """Return the figures of measures that have other rates than the first."""
    left = [one for one in result.measures if one not in _alike(result)]
    if not result.settings.family.labelled or not left:
        return None
    return replace(by_rate(result, digits, left), title="Other figures", note="")


def by_rate(result: Result, digits: int = 4, measures: Sequence[Measure] | None = None) -> Table:
    """Return one row a rate, for measures that have different ones: the mean over documents, and pooled."""
    found = {(row.measure, row.rate, row.average): row for row in result.rows if row.label is None}
    rows = []
    sure = intervals_head(result)
    curves = {measure for _, own in result.cutoffs() for _, measure in own}
    for measure in [one for one in result.measures if one not in curves] if measures is None else measures:
        for rate in result.settings.rates(measure):
            mean, pooled = (found[str(measure), rate.name, average] for average in ("document", "micro"))
            aim = DASH if math.isnan(rate.best) else f"{rate.best:g}"
            rows.append(
                (
                    measure.short,
                    rate.name,
                    number(mean.value, digits),
                    *((interval_of(mean, digits),) if sure else ()),
                    number(mean.std, digits),
                    number(pooled.value, digits),
                    f"{mean.documents - mean.undefined:,}",
                    aim,
                )
            )
    many = plural(2, noun(result)).removeprefix("2 ")
    heads = ("Measure", "Rate", "Mean", *sure, "SD", "Pooled", many.capitalize(), "Best")
    note = f"Mean and SD are over {many}; pooled is from the sums of all. {sure_note(result)}".rstrip()
    if result.settings.family.partitions:
        note += " A document without boundaries is perfect."
    return Table("Overall", heads, rows, frozenset({0, 1}), note, names=2, last=main_columns(2, sure))


def cutoffs(result: Result, digits: int = 4) -> list[Table]:
    """Return a table for each measure at several cutoffs: a row a cutoff, means over queries."""
    means = {(row.measure, row.rate): row.value for row in result.rows if row.average == "document"}
    out = []
    for name, own in result.cutoffs():
        rates = [rate.name for rate in result.settings.rates(own[0][1])]
        rows = [(str(k), *(number(means[str(one), rate], digits) for rate in rates)) for k, one in own]
        shown = "recall" if "recall" in rates else rates[0]
        bars = [means[str(one), shown] for _, one in own]
        out.append(
            Table(
                f"Over cutoffs: {name}",
                ("k", *rates),
                rows,
                frozenset(),
                "Means over queries.",
                bars=[0.0 if math.isnan(value) else min(max(value, 0.0), 1.0) for value in bars],
                bar_head=f"{shown} from 0 to 1",
                last=(1 + rates.index(shown),),
            )
        )
    return out


def worst_documents(result: Result, most: int, digits: int = 4) -> Table:
    """Return the documents that the first measure finds worst."""
    measure = result.measures[0]
    rates = [rate.name for rate in result.settings.rates(measure)]
    rows = [
        (visible(record["document"]), *(number(record[rate], digits) for rate in rates))
        for record in result.by_document(measure, worst=True)[:most]
    ]
    called = shortened((row[0], NAME) for row in rows)
    rows = [(called[row[0]], *row[1:]) for row in rows]
    many = plural(2, noun(result)).removeprefix("2 ")
    heads = (noun(result).capitalize(), *rates)
    return Table(f"Worst {many}: {measure.short}", heads, rows, last=(len(rates),))


def outcomes(result: Result) -> Table | None:
    """Return the five outcomes of SemEval measures."""
    rows = []
    for measure in result.measures:
        if measure.definition.reading is SEMEVAL:
            sums = result.totals(measure)
            rows.append((measure.short, *(f"{sums[name]:,}" for name in ("cor", "inc", "par", "mis", "spu"))))
    return Table("Outcomes", ("Measure", "COR", "INC", "PAR", "MIS", "SPU"), rows) if rows else None


def by_label(result: Result, digits: int = 4) -> Table | None:
    """Return the figures of every label for the headline measure, largest support first."""
    measure = result.measures[0]
    mine = [row for row in result.rows if row.measure == result.rows[0].measure]
    names = list(dict.fromkeys(row.label for row in mine if row.label is not None))
    if not names:
        return None
    counts = result.counts(measure)
    reading = measure.definition.reading
    rates = [rate.name for rate in result.settings.rates(measure)]
    support, predicted = (
        {name: _size(reading, side, counts[name]) for name in names} for side in ("gold", "pred")
    )
    whole = sum(support.values())
    own = {row.label: row for row in mine if row.rate == rates[-1]}
    sure = intervals_head(result)
    rows = [
        (
            visible(name),
            *(number(result.value(rate, measure, label=name), digits) for rate in rates),
            *((interval_of(own[name], digits),) if sure else ()),
            f"{support[name]:,.0f}",
            percent(support[name], whole),
            f"{predicted[name]:,.0f}",
        )
        for name in sorted(names, key=lambda name: (-support[name], name))[:MOST_ROWS]
    ]
    heads = ("Label", *(_word(rate) for rate in rates), *sure, "Support", "Share", "Predicted")
    kept = main_columns(len(rates), sure)
    return Table(f"By label: {measure.short}", heads, rows, note=beyond(len(names)), last=kept)


def _size(reading: Reading, side: str, counts: dict[str, Any]) -> float:
    """Return how many gold or predicted spans there are: a column, or what the reading makes of several."""
    if isinstance(reading, Found):
        return float((reading.gold if side == "gold" else reading.pred)(counts))
    return float(counts.get(side, 0))


def thresholds(result: Result, digits: int = 4, grid: Sequence[float] | None = None) -> Table | None:
    """Return the curve at the thresholds asked for, else at the steps people report; JSON has the whole curve."""
    measure = result.measures[result.settings.headline]
    if measure.threshold is None or not result.has_curve:
        return None
    points = result.curve(measure, result.settings.thresholds or grid or GUIDE)
    return Table(
        f"Over thresholds: {measure.name}",
        ("Threshold", "Precision", "Recall", "F1", "Macro F1"),
        [point_row(point, digits) for point in points[:MOST_ROWS]],
        note=beyond(len(points)),
        bars=[0.0 if math.isnan(point.f1) else point.f1 for point in points[:MOST_ROWS]],
        bar_head="F1 from 0 to 1",
        last=(3,),
    )


def point_row(point: Point, digits: int = 4) -> tuple[str, ...]:
    """Return one threshold of a curve as a row."""
    values = (point.precision, point.recall, point.f1, point.macro_f1)
    return (f"{point.threshold:.2f}", *(number(value, digits) for value in values))


def kinds(result: Result, digits: int = 4) -> Table | None:
    """Return the kinds of error, the one whose repair would bring most first."""
    errors = result.errors()
    whole = sum(int(row["count"]) for row in errors.values())
    if not whole:
        return None
    gain = {kind: 0.0 if math.isnan(row["gain"]) else row["gain"] for kind, row in errors.items()}
    shown = [kind for kind in sorted(errors, key=lambda kind: -gain[kind]) if errors[kind]["count"]]
    most = max(gain[kind] for kind in shown) or 1.0
    rows = [
        (
            kind,
            f"{int(errors[kind]['count']):,}",
            percent(errors[kind]["count"], whole),
            number(errors[kind]["f1_if_fixed"], digits),
            DASH if math.isnan(errors[kind]["gain"]) else f"{gain[kind]:+.{digits}f}",
        )
        for kind in shown
    ]
    measure = result.measures[result.settings.headline]
    return Table(
        f"Errors: {measure.short}",
        ("Kind", "Number", "Share", "F1 if fixed", "Gain"),
        rows,
        bars=[max(gain[kind], 0.0) / most for kind in shown],
        bar_head="of the largest gain",
        last=(4,),
    )


def confusion(result: Result) -> Table | None:
    """Return the confusion matrix, columns lettered like the rows; its largest cells where it is too wide."""
    cells = result.confusion()
    if not any(n for row in cells.values() for n in row.values()):
        return None
    none = list(cells)[-1]
    seen = {name for name, row in cells.items() if row} | {name for row in cells.values() for name in row} | {none}
    used = [name for name in cells if name in seen]
    if len(used) > MATRIX + 1:
        return _largest(cells)
    letters = {name: DASH if name == none else chr(ord("a") + i) for i, name in enumerate(used)}
    rows = [(letters[name], visible(name), *(str(cells[name].get(other, "·")) for other in used)) for name in used]
    heads = ("", "gold \\ predicted", *(letters[name] for name in used))
    note = "Each span stands where its gold and its predicted label meet; – is no partner on that side."
    return Table("Confusion", heads, rows, frozenset({0, 1}), note, names=2)


def leaks(result: Result) -> Table | None:
    """Return what was missed most often, for PII: the texts that would get out."""
    if result.settings.protocol.name not in ("pii", "presidio") and result.measures[0].name != "tokens.presidio":
        return None
    if result.kept != "spans":
        return None
    found = result.leaks()
    rows = [
        (visible(one["label"]), one["kind"], _quoted(one["text"]), f"{one['number']:,}") for one in found[:LEAKS]
    ]
    note = f"{len(found) - LEAKS:,} more in the JSON (--matches)" if len(found) > LEAKS else ""
    return Table("Leaks", ("Label", "Kind", "Text", "Number"), rows, frozenset({0, 1, 2}), note, names=3)


def _quoted(text: str | None) -> str:
    return DASH if text is None else cut(visible(" ".join(text.split())), QUOTE)


def _largest(cells: dict[str, dict[str, int]]) -> Table:
    pairs = [(n, gold, pred) for gold, row in cells.items() for pred, n in row.items() if n and gold != pred]
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    rows = [(visible(gold), visible(pred), f"{n:,}") for n, gold, pred in pairs[:15]]
    return Table("Largest confusions", ("Gold", "Predicted", "Number"), rows, frozenset({0, 1}), names=2)


def _word(rate: str) -> str:
    return rate.upper() if rate.startswith("f") else rate.capitalize()
