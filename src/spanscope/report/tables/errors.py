"""What went wrong in a result: kinds of error, confused labels, examples."""

from __future__ import annotations

import math

from spanscope.jsonable import plain
from spanscope.rates import hits_and_errors
from spanscope.report.rounding import percentage
from spanscope.report.table import DASH, MAIN, Column, Line, Table, bar_column, row_name
from spanscope.results.result import Result
from spanscope.results.written import WrittenResult

MATRIX = 12  # labels up to which a confusion matrix is drawn; beyond, its largest cells are listed
LARGEST = 15  # cells that are then listed
DIAGONAL = (
    "The diagonal counts every pair of one label, also those with wrong boundaries; TP counts accepted matches."
)


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
            int(errors[kind]["count"]),
            percentage(errors[kind]["count"], whole),
            errors[kind]["f1_if_fixed"],
            errors[kind]["gain"],
            max(gain[kind], 0.0) / most,
        )
        for kind in shown
    ]
    columns = (
        *(row_name("Kind"), Column("Number"), Column("Share", unit="%", digits=1)),
        Column("F1 if fixed", digits, better="higher"),
        Column("Gain", digits, better="higher", style="gain", priority=MAIN),
        bar_column("of the largest gain"),
    )
    return Table(f"Errors: {result.measures[result.settings.explained].short}", columns, rows)


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
    found = accepted(result)
    rows = [
        (letters[name], name, *(cells[name].get(other) for other in used), *([found.get(name)] if found else []))
        for name in used
    ]
    others = (Column(letters[name], style="code", missing="·", priority=MAIN) for name in used)
    apart = (Column("TP", missing="·"),) if found else ()
    columns = (row_name(""), row_name("gold \\ predicted"), *others, *apart)
    note = "Each span stands where its gold and its predicted label meet; – is no partner on that side."
    return Table("Confusion", columns, rows, f"{note} {DIAGONAL}" if found else note, diagonal=True)


def accepted(result: Result | WrittenResult) -> dict[str, int | float]:
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


def quoted(text: str | None) -> str | None:
    """Return a text on one line."""
    return None if text is None else " ".join(text.split())


def examples(result: Result, most: int) -> list[Line]:
    """Return the first errors, spans of both sides in the words of the document."""
    lines: list[Line] = []
    for at, record in enumerate(result.matches(list(result.errors()))):
        if at == most:
            break
        detail = f" ({record['detail']})" if record.get("detail") else ""
        lines.append([(f"  {record['document']}  ", ""), (record["kind"], "bold red"), (detail, "dim")])
        for side, style in (("gold", "green"), ("pred", "magenta")):
            if span := record[side]:
                words = quoted(span["text"]) or ""
                place = "" if span["start"] is None else f"  {span['start']}..{span['end']}"
                quote = f"  (quoted as {quoted(span['quote'])})" if span.get("quote") is not None else ""
                lines.append([(f"      {side}  {span['label']}{place}  {words}{quote}", style)])
    return [[], [("Examples", "bold")], *lines] if lines else []
