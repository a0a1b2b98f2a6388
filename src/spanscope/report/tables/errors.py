"""What went wrong in a result: kinds of error, confused labels, examples."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from spanscope.errors import plural
from spanscope.jsonable import JsonObject, plain
from spanscope.rates import hits_and_errors
from spanscope.report.names import cut_middle
from spanscope.report.rounding import percentage
from spanscope.report.table import DASH, MAIN, Column, Line, Table, bar_column, row_name
from spanscope.results.result import Result

if TYPE_CHECKING:
    from spanscope.results.written import WrittenResult

MATRIX = 12  # labels up to which a confusion matrix is drawn; beyond, its largest cells are listed
LARGEST = 15  # cells that are then listed
RIGHT = ("correct", "exact", "found")  # kinds of match that are no error
LONGEST = 160  # columns of the words of a span or a passage among the worst errors
DIAGONAL = (
    "The diagonal counts all pairs with the same label, even with wrong boundaries; TP counts only "
    "accepted matches."
)
ACCEPTED = (
    "Only accepted matches are pairs here: the two spans of a boundary error stand under – on either side. The "
    "page counts them as pairs, on its diagonal."
)


def kinds(result: Result | WrittenResult, digits: int = 4) -> Table | None:
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
            int(errors[kind]["count"]),
            percentage(errors[kind]["count"], whole),
            errors[kind]["f1_if_fixed"],
            errors[kind]["gain"],
            max(gain[kind], 0.0) / most,
        )
        for kind in shown
    ]
    counted = (row_name("Kind"), Column("Number"), Column("Share", unit="%", digits=1))
    gained = (
        Column("F1 if fixed", digits, better="higher"),
        Column("Gain", digits, better="higher", style="gain", priority=MAIN),
        bar_column("relative gain"),
    )
    title = f"Errors: {result.measures[result.settings.explained].short}"
    if all(math.isnan(errors[kind]["gain"]) for kind in shown):  # no figure of spans to be raised
        return Table(title, counted, [row[:3] for row in rows])
    return Table(title, (*counted, *gained), rows)


def confusion(result: Result | WrittenResult) -> Table | None:
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
    found = accepted_matches(result)
    rows = [
        (letters[name], name, *(cells[name].get(other) for other in used), *([found.get(name)] if found else []))
        for name in used
    ]
    others = (Column(letters[name], style="code", missing="·", priority=MAIN) for name in used)
    apart = (Column("TP", missing="·"),) if found else ()
    columns = (row_name(""), row_name("gold \\ predicted"), *others, *apart)
    note = "Rows are gold labels, columns predicted labels; – means that a span has no counterpart on that side."
    said = DIAGONAL if found else ACCEPTED if result.errors().get("boundary", {}).get("count") else ""
    return Table("Confusion", columns, rows, f"{note} {said}".rstrip(), diagonal=True)


def accepted_matches(result: Result | WrittenResult) -> dict[str, int | float]:
    """Return the accepted matches of every label, where the diagonal of the confusion counts more than those."""
    measure, cells = result.measures[result.settings.explained], result.confusion()
    found = {
        label: plain(hits[0])
        for label, sums in result.counts(measure).items()
        if (hits := hits_and_errors(measure.definition.rate_set, sums)) is not None
    }
    alike = all(cells[label].get(label, 0) == number for label, number in found.items() if label in cells)
    return {} if alike else found


def _largest(cells: dict[str, dict[str, int]]) -> Table:
    pairs = [(n, gold, pred) for gold, row in cells.items() for pred, n in row.items() if n and gold != pred]
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    rows = [(gold, pred, n) for n, gold, pred in pairs[:LARGEST]]
    return Table("Largest confusions", (row_name("Gold"), row_name("Predicted"), Column("Number")), rows)


def on_one_line(text: str | None) -> str | None:
    """Return a text on one line."""
    return None if text is None else " ".join(text.split())


def examples(result: Result, most: int) -> list[Line]:
    """Return the first errors, spans of both sides in the words of the document."""
    lines = [line for record in islice(result.matches(list(result.errors())), most) for line in _lines(record)]
    return [[], [("Examples", "bold")], *lines] if lines else []


def worst_errors(result: Result, most: int) -> list[Line]:
    """Return errors of any family, from the documents with most errors on, and how many are left out."""
    records = [record for record in result.matches() if record["kind"] not in RIGHT]
    number = Counter(record["document"] for record in records)
    records.sort(key=lambda record: -number[record["document"]])  # stable: documents, and errors in them, in order
    lines = [line for record in records[:most] for line in _lines(record, LONGEST)]
    left = len(records) - most
    return [*lines, [(f"  and {plural(left, 'error')} more", "dim")]] if lines and left > 0 else lines


def _lines(record: JsonObject, longest: int | None = None) -> list[Line]:
    """Return an error: the document and the kind, then a line for each side that has something there."""
    detail = f" ({record['detail']})" if record.get("detail") else ""
    lines: list[Line] = [[(f"  {record['document']}  ", ""), (record["kind"], "bold red"), (detail, "dim")]]
    for side, style in (("gold", "green"), ("pred", "magenta")):
        if span := record[side]:
            lines.append([(f"      {side}  {'  '.join(_parts(span, longest))}", style)])
    return lines


def _parts(span: JsonObject, longest: int | None) -> Iterator[str]:
    """Return the label, the place and the words of a span, a boundary or a passage, as far as it has them."""
    yield from (f"{name} {span[name]}" for name in ("number", "rank", "at") if name in span)
    yield from (str(span[name]) for name in ("label", "id", "file") if span.get(name) is not None)
    if span.get("start") is not None:
        yield f"{span['start']}..{span['end']}"
    if "text" in span:
        words = on_one_line(span["text"]) or ""
        words = words if longest is None else cut_middle(words, longest)
        quote = f"  (quoted as {on_one_line(span['quote'])})" if span.get("quote") is not None else ""
        yield f"{words}{quote}"
