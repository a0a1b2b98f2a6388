"""The tables of every kind of result, the most important first: columns and rows, and no layout."""

from __future__ import annotations

from spanscope.errors import plural
from spanscope.results.result import Result

FEW = 20  # documents below which an interval can hardly be trusted
MOST_ROWS = 1_000  # of labels and of thresholds


def noun(result: Result) -> str:
    """Return what the family calls a document."""
    return result.settings.family.document


def rows_left_out(rows: int) -> str:
    """Say how many rows are left out of a table that nobody could read."""
    return f"{plural(rows - MOST_ROWS, 'more row')}: --format json has them all." if rows > MOST_ROWS else ""
