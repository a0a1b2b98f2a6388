"""What the pages say first: the verdict, the ranking, better and worse; every tab at every width."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import Ci
from tests.cli import GOLD, PRED, TRACES
from tests.commands.test_compare import GOLD as SPANS
from tests.commands.test_compare import STRONG, WEAK
from tests.viewer.conftest import Opened, axe
from tests.viewer.test_queries_payload import small

Open = Callable[..., Opened]
COMMAND = "spanscope report gold.jsonl pred.jsonl"
WIDE = """() => [...document.querySelectorAll('body, body *')]
    .filter(one => one.getBoundingClientRect().right > innerWidth + 1)
    .filter(one => !one.closest('.scroll, .strip, .list, nav, .scores, .chips, .hidden, .boundaries, svg'))
    .map(one => one.outerHTML.slice(0, 120))"""


def compared() -> spanscope.Compared:
    return spanscope.compare(SPANS, ("base", WEAK), ("new", STRONG), measures="spans.exact", trials=200)


def worse() -> spanscope.Compared:
    return spanscope.compare(SPANS, ("new", STRONG), ("base", WEAK), measures="spans.exact", trials=200)


@pytest.fixture(scope="module")
def scored() -> spanscope.Result:
    return spanscope.evaluate(GOLD, PRED, ["spans.exact", "spans.relaxed"], ci=Ci(resamples=50))


@pytest.fixture(scope="module")
def panel() -> spanscope.Panel:
    return spanscope.panel(TRACES, ci=False)


def test_the_verdict_is_pythons(in_both: Open, scored: spanscope.Result) -> None:
    """The figure with its interval, the largest problem and what fixing it would bring, and where all is from."""
    page = in_both(scored, command=COMMAND).go()
    said = page.page.get_by_role("region", name="Verdict").inner_text()
    row = next(one for one in scored.rows if (one.rate, one.average, one.label) == ("f1", "micro", None))
    kind, worst = max(scored.errors().items(), key=lambda one: one[1]["gain"] or 0)
    totals = scored.totals()
    for part in (
        f"{row.value:.4f}",
        f"95 % interval {row.low:.4f} to {row.high:.4f}",
        f"{totals['tp']} of {totals['gold']} gold spans are found, with {totals['pred']} predicted spans.",
        f"{kind} (",
        f"{worst['count']} of {sum(one['count'] for one in scored.errors().values())} errors.",
        f"If these alone were right, F1 would be {worst['f1_if_fixed']:.4f}.",
        "3 problems in the data: 3 × duplicate",
        GOLD.name,
        PRED.name,
        COMMAND,
        f"UTC, Spanscope {spanscope.__version__}",
    ):
        assert part in said, part
    for width in page.at_widths():  # the figure leads: it is seen without scrolling
        box = page.page.get_by_test_id("f1").first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 260, width
    page.page.get_by_role("link", name="the cases").click()
    page.page.get_by_role("heading", name="Data problems").wait_for()


def test_the_ranking_and_its_letters(in_both: Open, panel: spanscope.Panel) -> None:
    """The best stands first, and a letter means one segmentation on every tab."""
    page = in_both(panel).go("#/overview", "ranked")
    ranked = page.page.get_by_test_id("ranked").all()
    rows = [[str(row.locator("td").nth(1).inner_text()), letter(row), name(row)] for row in ranked]
    values = [float(value) for value, _, _ in rows]
    assert values == sorted(values, reverse=True)
    letters = {row[2]: row[1] for row in rows}
    assert sorted(letters.items()) == [("Lines", "c"), ("Sentences", "b"), ("Whole", "d")]  # gold is a
    assert f"{rows[0][2]} is nearest to Gold, before {rows[1][2]}" in page.page.locator("main").inner_text()
    page.go("#/segments", "method-1")
    for side in (1, 2, 3):
        row = page.page.get_by_test_id(f"method-{side}")
        assert letters[name(row)] == letter(row)


def letter(row: Any) -> str:
    return str(row.locator(".letter").first.inner_text())


def name(row: Any) -> str:
    return str(row.locator("bdi").first.inner_text())


@pytest.mark.parametrize(("made", "glyph"), [(compared, "▲"), (worse, "▼")])
def test_better_and_worse_without_colour(in_both: Open, made: Callable[[], Any], glyph: str) -> None:
    """A sign, a word, a shape, and a line that is dashed where it is worse: in greys they are still told apart."""
    page = in_both(made()).go("", "difference")
    word = "better" if glyph == "▲" else "worse"
    row = page.page.get_by_test_id("figure").filter(has_text=word).first
    assert row.locator(".reading").inner_text() == f"{glyph}{word}"
    assert f"is {word} than" in page.page.get_by_role("region", name="Verdict").inner_text()
    corners = row.locator("path.way").evaluate("path => [0, 12].map(at => path.getPointAtLength(at).y)")
    assert (corners[0] == corners[1] > 0) is (word == "better")  # the base of a triangle that points up
    dashes = row.locator(".reach").evaluate("line => getComputedStyle(line).strokeDasharray")
    assert (dashes == "none") is (word == "better")
    page.go("#/by-document", "tally")
    bar = page.page.locator(f".diverge .{'up' if word == 'better' else 'down'}").first
    ground = bar.evaluate("bar => getComputedStyle(bar).backgroundImage")
    assert (ground == "none") is (word == "better")


def few(path: Path) -> list[Any]:
    """Return the first documents: axe takes its time with each row of a table."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[:8]]


KINDS = {
    "spans": lambda: spanscope.evaluate(few(GOLD), few(PRED), "spans.exact", ci=False, by=["@length"]),
    "leaks": lambda: spanscope.evaluate(few(GOLD), few(PRED), protocol="pii", ci=False),
    "compare": compared,
    "segments": lambda: spanscope.panel(TRACES, ci=False),
    "queries": small,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_tab_fits_every_width(opened: Open, kind: str) -> None:
    """No tab is wider than its window, nothing runs out of it, and axe is content on a phone."""
    page = opened(KINDS[kind]()).go("", None)
    here = page.page
    tabs = here.locator("nav a")
    tabs.first.wait_for()
    for at in range(tabs.count()):
        tabs.nth(at).click()
        for width in page.at_widths():
            assert here.evaluate("document.documentElement.scrollWidth <= innerWidth"), (at, width)
            assert here.evaluate(WIDE) == [], (at, width)
        here.set_viewport_size({"width": 390, "height": 844})
        box = here.locator("header").bounding_box()
        assert box is not None
        assert box["height"] < 100
        axe(here)
    assert page.complaints == []
