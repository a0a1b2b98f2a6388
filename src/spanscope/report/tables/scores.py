"""The tables of a result: overall figures, cutoffs, labels, thresholds, the worst documents."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from spanscope.errors import plural
from spanscope.jsonable import plain
from spanscope.measures.registry import Measure
from spanscope.rates import SEMEVAL, FoundRates, Rate, RateSet, hits_and_errors
from spanscope.report.names import visible
from spanscope.report.problems import HEAD, note_lines, phrases, pick_phrases, warning_lines
from spanscope.report.rounding import percentage, round_number
from spanscope.report.table import MAIN, Cell, Column, Report, Section, Table, bar_column, better_of, row_name
from spanscope.report.tables import MOST_ROWS, ROW, errors, leaks, noun, rows_left_out
from spanscope.report.tables.curve import GUIDE, thresholds, word_for
from spanscope.report.tables.sure import interval, interval_note, intervals, without_interval
from spanscope.results.result import Result
from spanscope.settings.run_settings import Input
from spanscope.stats.averages import GRID

if TYPE_CHECKING:
    from spanscope.results.written import WrittenResult

NAME = 70  # columns of the name of a document: queries are named by what they ask
SHARE = Column("Share", unit="%", digits=1, priority=4)
NAMED = 5  # labels without a figure that are named
NOT_COUNTED = (None, None, None)  # of a measure without true positives


def report(result: Result, digits: int, *, examples: int = 0, worst: int = 0, whole: bool = False) -> Report:
    """Return the report of a result; `whole` asks for every step of the curve over thresholds."""
    shown = errors.examples(result, examples) if examples else []
    opening = [f"{key}: {value}" for key, value in result.meta.items()]
    for side, one in zip(("gold", "predicted"), result.inputs, strict=True):
        opening.append(f"{side}: {one.path or 'in memory'} ({sizes(result, side, one)})")
    return Report(
        "Evaluation",
        tables(result, digits, worst=worst, whole=whole),
        result.signature(),
        above=[[line] for line in warning_lines(result)],
        facts=facts(result),
        below=[*shown, *([line] for line in note_lines(result))],
        opening=[_problems(result, HEAD, doubtful=True), Section("", opening)],
        closing=[_problems(result, "Data problems", doubtful=False)],
        signatures=[result.signature(measure) for measure in result.measures],
    )


def _problems(result: Result, title: str, *, doubtful: bool) -> Section:
    """Return the data problems that put the figures in doubt, or the others, each with its first case."""
    found = pick_phrases(phrases(result), doubtful=doubtful)
    return Section(title, [f"{words}; first: {result.problems.first[kind][0]}" for kind, words in found.items()])


def sizes(result: Result, side: str, one: Input) -> str:
    """Return what was read on a side, in the words of the family."""
    family = result.settings.family
    item = family.gold_item if side.lower() == "gold" else family.pred_item
    return f"{plural(one.documents, noun(result))}, {plural(one.spans, item)}"


def facts(result: Result) -> list[tuple[str, str]]:
    """Return what stands above the tables: words of the caller, what was read, by which protocol."""
    out = [(key.capitalize(), value) for key, value in result.meta.items()]
    for side, one in zip(("Gold", "Predicted"), result.inputs, strict=True):
        out.append((side, f"{one.path or 'in memory'}   {sizes(result, side, one)}"))
    if result.settings.protocol.name:
        scored = plural(result.documents, noun(result))
        out.append(("Protocol", f"{result.settings.protocol.name}   {scored} scored"))
    if result.settings.min_score is not None:
        out.append(("Scores", _lowest_score(result)))
    if result.kept != "spans":
        left = "counts of every document" if result.kept == "counts" else "totals of all documents"
        out.append(("Memory", f"{result.kept}   {left} were kept, no spans"))
    return out


def _lowest_score(result: Result) -> str:
    """Return from which score on predictions count, and where that was found."""
    said, tuned = f"from {result.settings.min_score!r} on", result.settings.tune
    if tuned is None:
        return said
    found = f"{tuned.rate} {round_number(tuned.value, 4)} of {plural(tuned.documents, noun(result))}"
    return f"{said}   tuned on {tuned.pred or 'other predictions'}: {found}"


def every_row(result: Result) -> Table:
    """Return every score row, for programs to read."""
    names = [*ROW]
    names += ["infinite"] if any(row.infinite is not None for row in result.rows) else []
    counted = {
        (str(measure), label): found_and_missed(measure.definition.rate_set, sums)
        for measure in result.measures
        for label, sums in [(None, result.totals(measure)), *result.counts(measure).items()]
    }
    rows = [
        (
            *(getattr(row, name) for name in names),
            *(counted[row.measure, row.label] if row.average in ("micro", "label") else NOT_COUNTED),
        )
        for row in result.rows
    ]
    if result.has_scores:
        more = result.confidence().rows
        rows += [(*(getattr(row, name) for name in names), *NOT_COUNTED) for row in more]
    table = Table("Scores", tuple(map(Column, (*names, "tp", "fp", "fn"))), rows)
    if not result.sliced:
        return table
    from spanscope.report.tables import slices

    return slices.with_slices(table, result)


def found_and_missed(rate_set: RateSet, sums: Mapping[str, float]) -> tuple[float | None, ...]:
    """Return true positives, false positives and false negatives as whole numbers, where they are."""
    found = hits_and_errors(rate_set, sums)
    return NOT_COUNTED if found is None else tuple(map(plain, found))


def tables(result: Result, digits: int = 4, *, worst: int = 0, whole: bool = False) -> list[Table]:
    """Return all tables of a report, in reading order, without those that have nothing to say."""
    made = [
        *_overall(result, digits),
        outcomes(result),
        by_label(result, digits),
        _slices(result, digits),
        thresholds(result, digits, GRID if whole else GUIDE),
        errors.kinds(result, digits),
        errors.confusion(result),
        *leaks.texts(result),
        *_quotes(result, digits),
        *_confidence(result, digits),
        worst_documents(result, worst, digits) if worst else None,
    ]
    return [table for table in made if table is not None and table.rows]


def _slices(result: Result, digits: int) -> Table | None:
    if not result.sliced:
        return None
    from spanscope.report.tables import slices  # what other runs need not wait for

    return slices.slices(result, digits)


def _quotes(result: Result, digits: int) -> list[Table]:
    if result.located is None:
        return []
    from spanscope.report.tables import located  # what other runs need not wait for

    return located.of_result(result, digits)


def _confidence(result: Result, digits: int) -> list[Table]:
    if not result.has_scores:
        return []
    from spanscope.report.tables import confidence  # what other runs need not wait for

    return confidence.of_result(result, digits, intervals(result, digits))


def main_tables(result: Result, digits: int = 4) -> list[Table]:
    """Return the figures alone, without what was wrong: overall, and by label."""
    made = [*_overall(result, digits), by_label(result, digits)]
    return [table for table in made if table is not None and table.rows]


def figures(result: Result | WrittenResult, digits: int) -> list[Table | None]:
    """Return the figures alone that are score rows."""
    return [
        headline(result, digits),
        *cutoffs(result, digits),
        other_measures(result, digits),
        by_label(result, digits),
    ]


def _overall(result: Result, digits: int) -> list[Table | None]:
    leaked = leaks.figures(result, digits, intervals(result, digits))
    return [headline(result, digits), leaked, *cutoffs(result, digits), other_measures(result, digits)]


def headline(result: Result | WrittenResult, digits: int = 4) -> Table:
    """Return one row per measure; the first has the primary figure."""
    if not result.settings.family.labelled:
        return by_rate(result, digits)
    rates = result.settings.rates(result.measures[0])
    main = result.settings.headline.rate
    sure = intervals(result, digits)
    averages = [("macro", "Macro"), ("weighted", "Weighted"), ("document", "Document")]
    if len(rates) > 3 or sure:  # F-beta beside F1, or an interval, takes the room of one average
        averages = [one for one in averages if one[0] != "weighted"]
    has = {row.average for row in result.rows}
    shown = [(key, word) for key, word in averages if key in has]
    found = {(row.measure, row.rate, row.average): row for row in result.rows if row.label is None}
    values = {key: row.value for key, row in found.items()}
    rows = []
    alike = _with_same_rates(result)
    for measure in alike:
        form = str(measure)
        own = [values.get((form, rate.name, "micro")) for rate in rates]
        means = [values.get((form, main.name, key)) for key, _ in shown]
        rows.append((measure.short, *own, *interval(found[form, main.name, "micro"], sure), *means))
    columns = (
        row_name("Measure"),
        *rate_columns(rates, digits, main),
        *sure,
        *(Column(f"{word} {word_for(main.name)}", digits, better="higher") for _, word in shown),
    )
    title = "Overall: micro-averaged precision, recall and F; other averages of F" if shown else "Overall: micro"
    said = (interval_note(result), _undefined_note(result, alike), about_overall(result.measures[0]))
    return Table(title, columns, rows, " ".join(filter(None, said)), leads=(0,) if len(rows) > 1 else ())


def about_overall(measure: Measure) -> str:
    """Return a sentence about what the overall figures of a measure are, where they are not those of labels."""
    said = measure.definition.overall
    return f"{measure.name} {said}." if said else ""


def _undefined_note(result: Result | WrittenResult, measures: Sequence[Measure]) -> str:
    """Return which labels are left out of macro averages, because the rate that leads is undefined for them."""
    words = []
    for measure in measures:
        led = str(measure), result.settings.lead(measure).rate.name
        labels = [row for row in result.rows if row.label is not None and (row.measure, row.rate) == led]
        gone = [visible(str(row.label)) for row in labels if math.isnan(row.value)]
        if gone and len(gone) < len(labels):
            names = ", ".join(gone[:NAMED]) + (", …" if len(gone) > NAMED else "")
            words.append(f"{len(gone):,} of {plural(len(labels), 'label')} for {measure.short} ({names})")
    word = word_for(result.settings.headline.rate.name)
    return f"Macro {word} leaves out labels where it is undefined: {'; '.join(words)}." if words else ""


def rate_columns(rates: Sequence[Rate], digits: int, main: Rate) -> list[Column]:
    """Return one column per rate, of which one is the main one."""
    return [
        Column(word_for(rate.name), digits, better="higher", priority=MAIN if rate.name == main.name else 1)
        for rate in rates
    ]


def _with_same_rates(result: Result | WrittenResult) -> list[Measure]:
    """Return the measures that have the rates of the first."""
    names = [rate.name for rate in result.settings.rates(result.measures[0])]
    return [one for one in result.measures if [rate.name for rate in result.settings.rates(one)] == names]


def other_measures(result: Result | WrittenResult, digits: int = 4) -> Table | None:
    """Return the figures of measures that have other rates than the first."""
    alike, leaking = _with_same_rates(result), leaks.measure_of_leaks(result)
    left = [one for one in result.measures if one not in alike and one != leaking]
    if not result.settings.family.labelled or not left:
        return None
    return by_rate(result, digits, left)._replace(title="Other figures", note="")


def by_rate(result: Result | WrittenResult, digits: int = 4, measures: Sequence[Measure] | None = None) -> Table:
    """Return one row per rate, for measures that have different ones: the mean over documents, and pooled."""
    found = {(row.measure, row.rate, row.average): row for row in result.rows if row.label is None}
    rows: list[tuple[Cell, ...]] = []
    lead = result.settings.headline
    leads: tuple[int, ...] = ()
    sure = intervals(result, digits)
    curves = {measure for _, own in result.cutoffs() for _, measure in own}
    for measure in [one for one in result.measures if one not in curves] if measures is None else measures:
        for rate in result.settings.rates(measure):
            leads = (len(rows),) if (measure, rate.name) == (lead.measure, lead.rate.name) else leads
            mean, pooled = (found[str(measure), rate.name, average] for average in ("document", "micro"))
            known = mean.documents - mean.undefined
            own = (mean.value, *interval(mean, sure), mean.std, pooled.value, known, rate.best)
            rows.append((measure.short, rate.name, *own))
    many = plural(2, noun(result)).removeprefix("2 ")
    columns = (
        *(row_name("Measure"), row_name("Rate")),
        *(Column("Mean", digits, priority=MAIN), *sure, Column("SD", digits), Column("Pooled", digits)),
        *(Column(many.capitalize()), Column("Best", None)),
    )
    note = (
        f"Mean and SD are over {many}; pooled is computed from the summed counts.  {interval_note(result)}"
    ).rstrip()
    if result.settings.family.partitions:
        note += " A document without boundaries on both sides counts as perfect."
    return Table("Overall", columns, rows, note, leads=leads)


def cutoffs(result: Result | WrittenResult, digits: int = 4) -> list[Table]:
    """Return a table for each measure at several cutoffs: one row per cutoff, means over queries."""
    means = {(row.measure, row.rate): row.value for row in result.rows if row.average == "document"}
    out = []
    for name, own in result.cutoffs():
        rates = result.settings.rates(own[0][1])
        names = [rate.name for rate in rates]
        shown = result.settings.lead(own[0][1]).rate.name
        bars = [means[str(one), shown] for _, one in own]
        rows = [
            (k, *(means[str(one), rate] for rate in names), 0.0 if math.isnan(bar) else min(max(bar, 0.0), 1.0))
            for (k, one), bar in zip(own, bars, strict=True)
        ]
        columns = (
            Column("k", names_row=True, style="code"),
            *plain_columns(rates, digits, shown),
            bar_column(f"{shown} from 0 to 1"),
        )
        leads = tuple(at for at, (_, one) in enumerate(own) if one == result.measures[0])[:1]
        out.append(Table(f"Over cutoffs: {name}", columns, rows, "Means over queries.", leads=leads))
    return out


def plain_columns(rates: Sequence[Rate], digits: int, main: str) -> list[Column]:
    """Return one column per rate under its own name, one of them the main one."""
    return [
        Column(rate.name, digits, better=better_of(rate.best), priority=MAIN if rate.name == main else 1)
        for rate in rates
    ]


def worst_documents(result: Result, most: int, digits: int = 4) -> Table:
    """Return the documents that the first measure finds worst."""
    measure, lead = result.measures[0], result.settings.headline.rate
    rates = result.settings.rates(measure)
    rows = [
        (record["document"], *(record[rate.name] for rate in rates))
        for record in result.by_document(measure, worst=True)[:most]
    ]
    columns = (row_name(noun(result).capitalize(), longest=NAME), *plain_columns(rates, digits, lead.name))
    return Table(f"Worst {plural(2, noun(result)).removeprefix('2 ')}: {measure.short}", columns, rows)


def outcomes(result: Result) -> Table | None:
    """Return the five outcomes of SemEval measures."""
    rows = []
    for measure in result.measures:
        if measure.definition.rate_set is SEMEVAL:
            sums = result.totals(measure)
            rows.append((measure.short, *(sums[name] for name in ("cor", "inc", "par", "mis", "spu"))))
    names = ("COR", "INC", "PAR", "MIS", "SPU")
    return Table("Outcomes", (row_name("Measure"), *map(Column, names)), rows) if rows else None


def by_label(result: Result | WrittenResult, digits: int = 4) -> Table | None:
    """Return the figures of every label for the headline measure, largest support first."""
    measure = result.measures[0]
    mine = [row for row in result.rows if row.measure == result.rows[0].measure]
    names = list(dict.fromkeys(row.label for row in mine if row.label is not None))
    if not names:
        return None
    counts = result.counts(measure)
    rate_set = measure.definition.rate_set
    rates = result.settings.rates(measure)
    support = {name: _support(rate_set, counts[name]) for name in names}
    whole = sum(support.values())
    main = result.settings.headline.rate
    own = {(row.label, row.rate): row for row in mine if row.label is not None}
    sure = intervals(result, digits)
    beside = [one for one in [result.settings.beside(measure)] if one is not None]
    leading = [(str(one), result.settings.lead(one).rate.name) for one in beside]
    rows = [
        (
            name,
            *(own[name, rate.name].value for rate in rates),
            *interval(own[name, main.name], sure),
            *(result.figures[form, rate, "label", name] for form, rate in leading),
            *(found_and_missed(rate_set, counts[name])),
            *(support[name], percentage(support[name], whole)),
        )
        for name in sorted(names, key=lambda name: (-support[name], name))[:MOST_ROWS]
    ]
    other = [Column(f"{_brief(one)} {word_for(main.name)}", digits, better="higher", priority=2) for one in beside]
    sides = (*_hits(rows, -5), Column("Support", style="count"), SHARE)
    columns = (row_name("Label"), *rate_columns(rates, digits, main), *sure, *other, *sides)
    led = [own[name, main.name] for name in names]
    note = " ".join(filter(None, (without_interval(result, led), rows_left_out(len(names)))))
    return Table(f"By label: {measure.short}", columns, rows, note)


def _hits(rows: Sequence[tuple[Cell, ...]], first: int) -> list[Column]:
    """Return columns for true and false positives and false negatives; partial matches count by half."""
    whole = all(isinstance(cell, int) for row in rows for cell in row[first : first + 3] if cell is not None)
    how = Column("", style="count", priority=2) if whole else Column("", 1, priority=2)
    return [how._replace(name=name) for name in ("TP", "FP", "FN")]


def _brief(measure: Measure) -> str:
    """Return a measure of spans in a word or two: Exact, Relaxed 0.5."""
    name = measure.name.partition(".")[2].capitalize()
    return name if measure.threshold is None else f"{name} {measure.threshold:g}"


def _support(rate_set: RateSet, counts: dict[str, Any]) -> float:
    """Return how many gold spans there are: a column, or what the rates make of several."""
    return float(rate_set.gold(counts) if isinstance(rate_set, FoundRates) else counts.get("gold", 0))
