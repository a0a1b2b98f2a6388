"""What the page of labelled spans shows of placed quotes: shares not found, and every quote without a place."""

from __future__ import annotations

from spanscope.arithmetic import Bools, Ints
from spanscope.jsonable import JsonObject, finite
from spanscope.locating.changes import diff_words
from spanscope.report.tables.located import why
from spanscope.results.located import ALL, Located, LocatedRow
from spanscope.results.result import Result


def shown_quotes(result: Result, shown: Bools) -> JsonObject | None:
    """Return the figures, and a line for every quote that has no place, in the documents that are shown or not."""
    located = result.located
    if located is None:
        return None
    place = {name: int(at) for at, name in enumerate(_names(result, shown))}
    lost = [row for row in located.rows if row.start is None]
    return {
        "counts": located.counts(),
        "as_given": finite(result.as_given),
        "shares": [_share(located, label) for label in (ALL, *located.labels)],
        "lines": [_line(located, row, place.get(row.document, -1)) for row in lost],
    }


def quotes_without_place(result: Result, rows: Ints) -> dict[str, str | None]:
    """Return the words of predictions without a place, by their row among the predictions of the page."""
    pred = result.comparison.pred
    nowhere = ~pred.located[rows]
    quoted = result.settings.quotes and pred.text is not None
    return {
        str(at): str(pred.text[row]) if quoted and pred.text is not None else None
        for at, row in enumerate(rows.tolist())
        if nowhere[at]
    }


def _names(result: Result, shown: Bools) -> list[str]:
    names = result.comparison.names
    return [names[at] for at in shown.nonzero()[0].tolist()]


def _share(located: Located, label: str) -> JsonObject:
    one = located.share("not_found", label)
    numbers = {"number": one.number, "items": one.items}
    return {"label": None if label == ALL else label, **numbers, "share": [finite(n) for n in one[2:5]]}


def _line(located: Located, row: LocatedRow, doc: int) -> JsonObject:
    quoted = located.quoted
    near = row.nearest_text if row.nearest is not None else None
    return {
        "document": row.document,
        "doc": doc,
        "label": row.label,
        "status": row.status.replace("_", " "),
        "why": why(row),
        "quote": row.quote if quoted else None,
        "nearest": list(row.nearest) if row.nearest else None,
        "diff": diff_words(row.quote or "", near) if quoted and near is not None else None,
    }
