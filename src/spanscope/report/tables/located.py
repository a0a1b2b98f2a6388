"""The tables of placed quotes: how many of each status, by label, and every decision that needs a look."""

from __future__ import annotations

from spanscope.errors import plural
from spanscope.report.table import MAIN, Cell, Column, Report, Table, row_name
from spanscope.results.located import ALL, SHARES, Located, LocatedRow
from spanscope.results.result import Result

WORDS = {  # of a reason, for people
    "number": "a number differs",
    "negation": "a negation differs",
    "word": "a word differs",
    "order": "names occur in another order",
    "unlike": "too far from the text",
    "nowhere": "nothing like it in the text",
    "taken": "all its places are taken by identical quotes",
    "empty": "no words in it",
}
SHOWN = 20  # decisions that a screen lists
LONGEST = 60


def report(located: Located, digits: int = 4) -> Report:
    """Return the report of placed quotes."""
    return Report("Located quotes", tables(located, digits), signature(located))


def tables(located: Located, digits: int = 4) -> list[Table]:
    """Return the shares by status, those not found by label, and the decisions that need a look."""
    made = [_statuses(located, digits), _labels(located, digits), _table_of_refused(located), _open(located)]
    return [table for table in made if table.rows]


def of_result(result: Result, digits: int) -> list[Table]:
    """Return the tables of the quotes that a result was scored from; the first has both headlines."""
    if result.located is None:
        return []
    first, *rest = tables(result.located, digits) or [_statuses(result.located, digits)]
    if result.as_given is not None:
        leads = result.settings.headline
        figure = f"{leads.average} {leads.rate.name} of {leads.measure.short}"
        both = (f"{value:.{digits}f}" for value in (result.value(), result.as_given))
        note = "{}: {} as located, {} with the offsets as given.".format(figure, *both)
        first = first._replace(note=f"{first.note} {note}")
    return [first, *rest]


def signature(located: Located) -> str:
    """Return how quotes were placed, in one line."""
    own = located.settings
    guards = "number+negation+word+order"
    fuzzy = f"fuzzy:{own['fuzzy']:g},guards:{guards}" if own["fuzzy"] < 1 else "fuzzy:off"
    return f"locate:fold,{fuzzy},order:{own['order']},offsets:{own['offsets']}|items:{len(located.rows)}"


def _interval(digits: int) -> Column:
    return Column("95 % interval", digits)


def _statuses(located: Located, digits: int) -> Table:
    columns = (row_name("Status"), Column("Items", priority=MAIN), Column("Share", digits, priority=MAIN))
    rows: list[tuple[Cell, ...]] = []
    for name in SHARES:
        one = located.share(name)
        rows.append((name.replace("_", " "), one.number, one.value, (one.low, one.high)))
    notes = [f"{plural(len(located.rows), 'item')} in {plural(len(located.documents), 'document')}."]
    notes += [f"JSON was repaired in {plural(len(located.repaired), 'output')}."] * bool(located.repaired)
    notes += [f"{plural(len(located.without), 'document')} without an output."] * bool(located.without)
    moved = sum(row.moved is not None for row in located.rows)
    notes += [f"{plural(moved, 'item')} moved from the model's own offsets."] * bool(moved)
    return Table("Quotes", (*columns, _interval(digits)), rows if located.rows else [], " ".join(notes))


def _labels(located: Located, digits: int) -> Table:
    columns = (row_name("Label"), Column("Items"), Column("Not found", priority=MAIN), Column("Share", digits))
    rows: list[tuple[Cell, ...]] = []
    for label in located.labels:
        one = located.share("not_found", label)
        rows.append((label or ALL, one.items, one.number, one.value, (one.low, one.high)))
    return Table("Not found, by label", (*columns, _interval(digits)), rows)


def _table_of_refused(located: Located) -> Table:
    columns = (
        *(row_name("Place"), Column("Label", left=True), Column("Why", left=True, style="sentence")),
        *(Column("Quote", left=True, longest=LONGEST), Column("Nearest passage", left=True, longest=LONGEST)),
    )
    lost = [row for row in located.rows if row.status in ("not_found", "surplus")]
    rows = [(_place(row), row.label, why(row), *_quotes_of(located, row)) for row in lost[:SHOWN]]
    note = f"The first {SHOWN} of {len(lost):,}; -o FILE.jsonl has all." if len(lost) > SHOWN else ""
    return Table("Not placed", columns, rows, note)


def _open(located: Located) -> Table:
    columns = (
        *(row_name("Place"), Column("Label", left=True), Column("Quote", left=True, longest=LONGEST)),
        *(Column("Chosen"), Column("Places")),
    )
    found = [row for row in located.rows if row.ambiguous]
    rows = [(_place(row), row.label, _quotes_of(located, row)[0], row.start, len(row.candidates)) for row in found]
    note = "The quote occurs in several places and nothing tells which is meant: the first free one was taken."
    return Table("Ambiguous", columns, rows[:SHOWN], note)


def _place(row: LocatedRow) -> str:
    return f"{row.where or row.document} [{row.item}]"


def _quotes_of(located: Located, row: LocatedRow) -> tuple[Cell, Cell]:
    if not located.quoted:
        return None, None
    return row.quote, row.nearest_text


def why(row: LocatedRow) -> str:
    """Return in words why an item was not placed."""
    return WORDS.get(row.reason, row.reason)


def every_row(located: Located) -> Table:
    """Return one row per item, for programs to read."""
    names = (
        "document",
        "item",
        "label",
        "status",
        "place",
        "score",
        "start",
        "end",
        "moved",
        "edits",
        "candidates",
    )
    more = ("reason", "nearest_start", "nearest_end", "normalised", "quote", "text")
    rows: list[tuple[Cell, ...]] = []
    for row in located.rows:
        near = row.nearest or (None, None)
        texts = (row.quote, row.text) if located.quoted else (None, None)
        head = (row.document, row.item, row.label, row.status, row.place, row.score, row.start, row.end)
        tail = (row.moved, row.edits, len(row.candidates), row.reason, *near, "; ".join(row.normalised), *texts)
        rows.append((*head, *tail))
    return Table("Items", tuple(map(Column, (*names, *more))), rows)
