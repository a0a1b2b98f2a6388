"""The page of a leaderboard: tables without a script, intervals drawn, on every width."""

from collections.abc import Callable
from pathlib import Path

import spanscope
from spanscope.report import report_of
from spanscope.report.html import page
from tests.cli import GOLD, PRED, run
from tests.viewer.conftest import Opened, axe


def test_the_page_of_a_leaderboard(in_both: Callable[..., Opened], tmp_path: Path) -> None:
    path = tmp_path / "board.html"
    asked = ("leaderboard", GOLD, f"a={PRED}", f"b={GOLD}", "-m", "spans.exact", "--trials", "50", "--html", path)
    assert run(*asked).code == 0
    opened = in_both(path).go(testid=None)
    table = opened.page.get_by_role("table", name="Leaderboard: spans.exact")
    assert table.locator("tbody tr td:nth-child(2)").all_inner_texts() == ["b", "a"]
    for width in opened.at_widths():
        assert opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    axe(opened.page)
    assert opened.complaints == []


def test_intervals_of_shares_are_drawn_and_differences_are_not() -> None:
    sides = (str(GOLD), ("a", str(PRED)), ("b", str(GOLD)))
    few = spanscope.Ci(resamples=20)
    board = spanscope.leaderboard(*sides, measures="spans.exact", ci=few, trials=20)
    figure = board.figure("a")
    assert figure.low is not None
    assert figure.high is not None
    drawn = f"#2f6fb0 {100 * figure.low:.1f}%,#2f6fb0 {100 * figure.high:.1f}%"
    assert drawn in page(report_of(board))
    ranks = page(report_of(board)).split("[1, 1]")[0]
    assert ranks.endswith("<td>")  # the interval of ranks is none of shares
