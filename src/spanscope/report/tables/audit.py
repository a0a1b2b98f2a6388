"""The table of gold under suspicion: a row for every span that most systems have and gold has not."""

from __future__ import annotations

from spanscope.errors import plural
from spanscope.report.table import MAIN, Cell, Column, Report, Table, row_name
from spanscope.results.audit import Audit, Suspect

MOST = 50  # rows of a table for reading: JSON and CSV have all


def report(found: Audit, _digits: int = 4) -> Report:
    """Return the suspects, what is most agreed on first."""
    columns = (
        row_name("Document"),
        Column("Kind", left=True, priority=MAIN),
        Column("Systems", left=True, priority=MAIN, longest=48),
        Column("Gold", left=True, longest=48, missing=""),
        Column("Agree", left=True, priority=MAIN),
        Column("With gold", priority=2),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            one.document,
            one.kind,
            _span_in_words(one.found),
            None if one.gold is None else _span_in_words(one.gold),
            _share(one),
            len(one.with_gold),
        )
        for one in found.suspects[:MOST]
    ]
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in found.kinds.items())
    more = f" The first {MOST} are listed." if len(found.suspects) > MOST else ""
    return Report(
        "Possible errors in gold",
        [Table(summary(found), columns, rows, f"{kinds}.{more}")] if rows else [],
        summary(found),
    )


def summary(found: Audit) -> str:
    """Return in one line what was found."""
    spans, systems = plural(len(found.suspects), "span"), plural(len(found.systems), "system")
    return (
        f"{spans} on which most of {systems} agree with each other but not with gold, in "
        f"{plural(found.documents, 'document')}"
    )


def every_row(found: Audit) -> Table:
    """Return all suspects, for programs to read."""
    sides = [f"{side}_{name}" for side in ("found", "gold") for name in ("start", "end", "label", "text")]
    names = ("document", "kind", *sides, "agree", "of", "with_gold", "systems")
    rows: list[tuple[Cell, ...]] = [
        (
            *(one.document, one.kind),
            *(
                (side or {}).get(name)
                for side in (one.found, one.gold)
                for name in ("start", "end", "label", "text")
            ),
            *(len(one.systems), one.of, len(one.with_gold), " ".join(one.systems)),
        )
        for one in found.suspects
    ]
    return Table("Possible errors in gold", tuple(map(Column, names)), rows)


def _share(one: Suspect) -> str:
    return f"{len(one.systems)} of {one.of}"


def _span_in_words(span: dict[str, object]) -> str:
    text = span["text"]
    return f"{span['label']} {span['start']}-{span['end']}" + (f" {text}" if text else "")
