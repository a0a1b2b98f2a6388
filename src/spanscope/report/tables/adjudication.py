"""The table of what two annotators disagree on: every kind, how often, and where first."""

from __future__ import annotations

from spanscope.commands.adjudicate import Adjudication
from spanscope.errors import plural
from spanscope.report.table import Column, Report, Table, row_name

ABOUT = {
    "type": "same place, different labels",
    "boundary": "same label, overlapping places",
    "boundary+type": "different labels, overlapping places",
    "split": "another part of a span that is already paired",
    "merge": "another span inside one that is already paired",
    "duplicate": "a repetition of a span that is already paired",
    "text": "same place and label, different texts",
}


def report(found: Adjudication) -> Report:
    """Return the kinds of disagreement, the most frequent first."""
    first, second = found.names
    own = {**ABOUT, "only first": f"marked only by {first}", "only second": f"marked only by {second}"}
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
    return f"{first} and {second}: {spans} identical, {open_} {of}"
