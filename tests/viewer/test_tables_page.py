"""The page of a leaderboard: tables that can be sorted, intervals drawn, on every width, light and dark."""

from collections.abc import Callable
from pathlib import Path

import spanscope
from spanscope.report import report_of
from spanscope.report.html import page
from spanscope.report.leaderboard_page import page_of
from tests.cli import GOLD, PRED, run
from tests.viewer.conftest import Opened, axe


def test_the_page_of_a_leaderboard(in_both: Callable[..., Opened], tmp_path: Path) -> None:
    path = tmp_path / "board.html"
    asked = ("leaderboard", GOLD, f"a={PRED}", f"b={GOLD}", "-m", "spans.exact", "-m", "spans.characters")
    assert run(*asked, "--trials", "50", "--html", path).code == 0
    opened = in_both(path).go(testid=None)
    table = opened.page.get_by_role("table", name="Leaderboard: spans.exact")
    assert table.locator("tbody tr td:nth-child(2)").all_inner_texts() == ["b", "a"]
    for width in opened.at_widths():
        assert opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    assert table.get_by_role("columnheader").all_inner_texts()[-1] == "characters f1"  # of another measure
    assert opened.page.get_by_role("img").get_attribute("alt") == (
        "Critical-difference diagram: systems are told apart in 1 of 1 pair"
    )
    head = table.get_by_role("columnheader", name="recall")
    for key, way, order in (("Enter", "descending", "ba"), ("Space", "ascending", "ab"), ("Enter", None, "ba")):
        head.get_by_role("button").press(key)
        assert head.get_attribute("aria-sort") == way
        assert "".join(table.locator("tbody tr td:nth-child(2)").all_inner_texts()) == order
    for scheme in ("light", "dark"):
        opened.page.emulate_media(color_scheme=scheme)
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
    assert ranks.endswith('<td data-sort="1">')  # the interval of ranks is none of shares


def test_one_system_has_no_rank_and_no_letter() -> None:
    board = spanscope.leaderboard(str(GOLD), ("a", [str(PRED), str(GOLD)]), measures="spans.exact", trials=20)
    first = next(line for line in str(board).splitlines() if line.startswith("System"))
    assert not {"Rank", "Ranks", "Letters"} & {*first.split()}
    assert "<img" not in page_of(board)
