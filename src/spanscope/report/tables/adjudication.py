"""The table of what two annotators disagree on: every kind, how often, and where first."""

from __future__ import annotations

from spanscope.commands.adjudicate import Adjudication
from spanscope.errors import plural
from spanscope.report.table import Column, Report, Table, row_name

ABOUT = {
    "type": "one place, two labels",
    "boundary": "one label, places that overlap",
    "boundary+type": "two labels, places that overlap",
    "split": "a further piece of a span that is paired",
    "merge": "a further span under one that is paired",
    "duplicate": "a span that repeats one that is paired",
    "text": "one place and label, two texts",
}


def report(found: Adjudication) -> Report:
    """Return the kinds of disagreement, the most frequent first."""
    first, second = found.names
    own = {**ABOUT, "only first": f"a span of {first} alone", "only second": f"a span of {second} alone"}
    where = {one.kind: one.document for one in reversed(found.disagreements)}
    rows = [(kind, number, own[kind], where[kind]) for kind, number in found.kinds.items()]
    columns = (
        row_name("Kind"),
        Column("Number"),
        Column("Meaning", left=True),
        Column("First in", left=True, priority=2, longest=40),
    )
    return Report("Adjudication", [Table(summary(found), columns, rows)] if rows else [], "")


def summary(found: Adjudication) -> str:
    """Return in one line how much two annotators agree and disagree on."""
    first, second = found.names
    spans = plural(found.agreed, "span")
    open_ = plural(len(found.disagreements), "disagreement")
    of = f"in {len(found.documents):,} of {plural(found.compared, 'document')}"
    return f"{first} and {second}: {spans} alike, {open_} {of}"
