"""The tables of a report as plain rows of text: what the terminal, Markdown and LaTeX all show.

Rounding happens here and in `csv` only. An undefined figure is a dash.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from spanscope.aggregate import Point
from spanscope.measure import Measure
from spanscope.rates import COUNTED, SEMEVAL, Found, Reading
from spanscope.result import Result

GUIDE = (0.3, 0.5, 0.7, 0.8, 1.0)  # the steps of ReqFlow's guide to thresholds
MATRIX = 12  # labels up to which a confusion matrix is drawn; beyond, its largest cells are listed
LEAKS = 15  # missed texts that are shown
DASH = "–"


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


def number(value: float | None, digits: int = 4) -> str:
    """Return a figure rounded for reading."""
    if value is None or math.isnan(value):
        return DASH
    text = "∞" if math.isinf(value) else f"{value:.{digits}f}"
    return text.removeprefix("-") if text.strip("-0.") == "" else text  # no minus before what rounds to nothing


def visible(text: str) -> str:
    """Return a text from the data without what could move a cursor or break a row: such characters by name."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def percent(part: float, whole: float) -> str:
    """Return a share in percent."""
    return f"{100 * part / whole:.1f} %" if whole else DASH


def tables(result: Result, digits: int = 4, *, wide: bool = True) -> list[Table]:
    """Return all tables of a report, in reading order, without those that have nothing to say."""
    made = [
        headline(result, digits, wide=wide),
        others(result, digits),
        outcomes(result),
        by_label(result, digits),
        thresholds(result, digits),
        kinds(result, digits),
        confusion(result),
        leaks(result),
    ]
    return [table for table in made if table is not None and table.rows]


def headline(result: Result, digits: int = 4, *, wide: bool = True) -> Table:
    """Return one row a measure; the first is the primary figure. The averages beyond macro need a wide page."""
    if result.settings.family in ("segments", "passages"):
        return by_rate(result, digits)
    rates = [rate.name for rate in result.settings.rates(result.measures[0])]
    f = rates[-1]
    averages = [("macro", "Macro"), ("weighted", "Weighted"), ("document", "Document")][: 3 if wide else 1]
    if len(rates) > 3:  # F-beta beside F1 takes the room of one average
        averages = [one for one in averages if one[0] != "weighted"]
    has = {row.average for row in result.rows}
    shown = [(key, word) for key, word in averages if key in has]
    values_of = {(row.measure, row.rate, row.average): row.value for row in result.rows if row.label is None}
    rows = []
    for measure in _alike(result):
        values = [number(values_of.get((str(measure), rate, "micro")), digits) for rate in rates]
        means = [number(values_of.get((str(measure), f, key)), digits) for key, _ in shown]
        rows.append((measure.short, *values, *means))
    heads = ("Measure", *(_word(rate) for rate in rates), *(f"{word} {_word(f)}" for _, word in shown))
    title = "Overall: micro precision, recall and F; F by other averages" if shown else "Overall: micro"
    return Table(title, heads, rows)


def _alike(result: Result) -> list[Measure]:
    """Return the measures that have the rates of the first."""
    names = [rate.name for rate in result.settings.rates(result.measures[0])]
    return [one for one in result.measures if [rate.name for rate in result.settings.rates(one)] == names]


def others(result: Result, digits: int = 4) -> Table | None:
    """Return the figures of measures that have other rates than the first."""
    left = [one for one in result.measures if one not in _alike(result)]
    if result.settings.family in ("segments", "passages") or not left:
        return None
    return replace(by_rate(result, digits, left), title="Other figures", note="")


def by_rate(result: Result, digits: int = 4, measures: Sequence[Measure] | None = None) -> Table:
    """Return one row a rate, for measures that have different ones: the mean over documents, and pooled."""
    found = {(row.measure, row.rate, row.average): row for row in result.rows if row.label is None}
    rows = []
    for measure in result.measures if measures is None else measures:
        for rate in result.settings.rates(measure):
            mean, pooled = (found[str(measure), rate.name, average] for average in ("document", "micro"))
            aim = DASH if math.isnan(rate.best) else f"{rate.best:g}"
            rows.append(
                (
                    measure.short,
                    rate.name,
                    number(mean.value, digits),
                    number(mean.std, digits),
                    number(pooled.value, digits),
                    f"{mean.documents - mean.undefined:,}",
                    aim,
                )
            )
    heads = ("Measure", "Rate", "Mean", "SD", "Pooled", "Documents", "Best")
    note = "Mean and SD are over documents; pooled is from the sums of all."
    if result.settings.family == "segments":
        note += " A document without boundaries is perfect."
    return Table("Overall", heads, rows, frozenset({0, 1}), note)


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
    labels = [row.label for row in result.rows if row.label is not None and row.measure == str(measure)]
    names = list(dict.fromkeys(labels))
    if not names:
        return None
    counts = result.counts(measure)
    reading = measure.definition.reading
    rates = [rate.name for rate in result.settings.rates(measure)]
    support, predicted = (
        {name: _size(reading, side, counts[name]) for name in names} for side in ("gold", "pred")
    )
    whole = sum(support.values())
    rows = [
        (
            visible(name),
            *(number(result.value(rate, measure, label=name), digits) for rate in rates),
            f"{support[name]:,.0f}",
            percent(support[name], whole),
            f"{predicted[name]:,.0f}",
        )
        for name in sorted(names, key=lambda name: (-support[name], name))
    ]
    heads = ("Label", *(_word(rate) for rate in rates), "Support", "Share", "Predicted")
    return Table(f"By label: {measure.short}", heads, rows)


def _size(reading: Reading, side: str, counts: dict[str, Any]) -> float:
    """Return how many gold or predicted spans there are: a column, or what the reading makes of several."""
    if isinstance(reading, Found):
        return float((reading.gold if side == "gold" else reading.pred)(counts))
    return float(counts.get(side, 0))


def thresholds(result: Result, digits: int = 4, grid: Sequence[float] | None = None) -> Table | None:
    """Return the curve at the thresholds asked for, else at the steps people report; JSON has the whole curve."""
    measure = result.measures[result.settings.headline]
    if measure.threshold is None or measure.definition.reading is not COUNTED:
        return None
    points = result.curve(measure, result.settings.thresholds or grid or GUIDE)
    return Table(
        f"Over thresholds: {measure.name}",
        ("Threshold", "Precision", "Recall", "F1", "Macro F1"),
        [point_row(point, digits) for point in points],
        bars=[0.0 if math.isnan(point.f1) else point.f1 for point in points],
        bar_head="F1 from 0 to 1",
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
    return Table("Confusion", heads, rows, frozenset({0, 1}), note)


def leaks(result: Result) -> Table | None:
    """Return what was missed most often, for PII: the texts that would get out."""
    if result.settings.protocol.name not in ("pii", "presidio") and result.measures[0].name != "tokens.presidio":
        return None
    found = result.leaks()
    rows = [
        (visible(one["label"]), one["kind"], _quoted(one["text"]), f"{one['number']:,}") for one in found[:LEAKS]
    ]
    note = f"{len(found) - LEAKS:,} more in the JSON (--matches)" if len(found) > LEAKS else ""
    return Table("Leaks", ("Label", "Kind", "Text", "Number"), rows, frozenset({0, 1, 2}), note)


def _quoted(text: str | None) -> str:
    return DASH if text is None else visible(" ".join(text.split()))[:60]


def _largest(cells: dict[str, dict[str, int]]) -> Table:
    pairs = [(n, gold, pred) for gold, row in cells.items() for pred, n in row.items() if n and gold != pred]
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    rows = [(visible(gold), visible(pred), f"{n:,}") for n, gold, pred in pairs[:15]]
    return Table("Largest confusions", ("Gold", "Predicted", "Number"), rows, frozenset({0, 1}))


def _word(rate: str) -> str:
    return rate.upper() if rate.startswith("f") else rate.capitalize()
