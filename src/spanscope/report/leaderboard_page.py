"""The page of a leaderboard: figures of all measures in a table that can be sorted, and what is told apart."""

from __future__ import annotations

import base64
from html import escape

from spanscope.errors import MeasureError, plural
from spanscope.report.html import page
from spanscope.report.tables.leaderboard import report_of_page
from spanscope.results.leaderboard import Leaderboard

WIDTH = 5.6  # inches of the figure, which the page makes no wider than itself


def page_of(found: Leaderboard) -> str:
    """Return the page; without matplotlib, or with one system, it has no figure."""
    return page(report_of_page(found), _figure(found))


def _figure(found: Leaderboard) -> str:
    """Return the critical-difference diagram: which systems are not told apart."""
    if not found.pairs:
        return ""
    try:
        from spanscope.report.figures import Look, critical_difference, to_bytes

        drawn, _ = to_bytes(critical_difference(found, look=Look(width=WIDTH)), ".svg")
    except (ImportError, MeasureError):  # the table says the same
        return ""
    told = sum(pair.told_apart for pair in found.pairs)
    says = f"Critical-difference diagram: systems are told apart in {told} of {plural(len(found.pairs), 'pair')}"
    data = base64.b64encode(drawn).decode()
    caption = f"{says}; bars join those that are not."
    return (
        f'<figure><img alt="{escape(says)}" src="data:image/svg+xml;base64,{data}">'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )
