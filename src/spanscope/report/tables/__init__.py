"""The tables of every kind of result, the most important first: columns and rows, and no layout."""

from __future__ import annotations

from spanscope.results.result import Result

FEW = 20  # documents below which an interval can hardly be trusted


def noun(result: Result) -> str:
    """Return what the family calls a document."""
    return result.settings.family.document
