"""What a careful look at the pages found: columns under their heads, names in full, patterns that differ."""

import base64
from collections.abc import Callable
from typing import Any

import pytest

import spanscope
from tests.cli import GOLD, PRED, TRACES, run
from tests.support import documents
from tests.viewer.conftest import Opened, axe, resize, settle
from tests.viewer.test_queries_payload import small
from tests.viewer.test_suspects_page import runs

Open = Callable[..., Opened]

# How far a head stands from its column: [its left or right edge, that of the cells below], for each of a list.
EDGES = """heads => heads.map(([head, cell, edge]) => {
    const side = where => document.querySelector(where).getBoundingClientRect()[edge];
    return [head, Math.abs(side(head) - side(cell))];
}).filter(([, away]) => away > 1)"""

STYLES = "(all, name) => all.map(one => getComputedStyle(one)[name])"

# The share of the pixels of a picture that are no paper.
INKED = """async source => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), {width: image.width, height: image.height});
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const {data} = pen.getImageData(0, 0, image.width, image.height);
    let ink = 0;
    for (let at = 0; at < data.length; at += 4) ink += data[at] + data[at + 1] + data[at + 2] < 720;
    return ink / (data.length / 4);
}"""


@pytest.fixture(scope="module")
def scored() -> spanscope.Result:
    return spanscope.evaluate(GOLD, PRED, ci=False)


@pytest.fixture(scope="module")
def several() -> spanscope.Compared:
    return spanscope.compare(GOLD, *runs(), measures="spans.exact", trials=20)


def astray(page: Opened, *heads: tuple[str, str, str]) -> Any:
    return page.page.evaluate(EDGES, [list(one) for one in heads])


# ---------------------------------------------------------------- heads and columns


def test_heads_stand_over_their_columns(
    in_both: Open, scored: spanscope.Result, several: spanscope.Compared
) -> None:
    page = in_both(scored).go("#/errors?sort=alike")
    sizes = page.page.locator(".heads button").evaluate_all(STYLES, "fontSize")
    assert set(sizes) == {"12px"}
    own = [(".heads .doc", ".row .doc", "left"), (".heads .labels", ".row .pair", "left")]
    for width in (1280, 1920, 2560):
        resize(page.page, width)
        assert astray(page, *own) == [], width
    page.go("#/documents")
    columns = [f".docrows {row} > :nth-child({n})" for n in (2, 9) for row in (".heads", "[role=option]")]
    last = [(columns[0], columns[1], "right"), (columns[2], columns[3], "right")]
    for width in (1280, 1920, 2560):
        resize(page.page, width)
        assert astray(page, *last) == [], width
    page = in_both(several).go("#/suspects", "suspect")
    own = [(f".heads .{name}", f"[data-testid=suspect] .{name}", "left") for name in ("agree", "kind")]
    assert astray(page, *own) == []
    page.go("#/by-document", "item")
    assert astray(page, (".itemhead > :nth-child(3)", ".item .num", "right")) == []
    page = in_both(small()).go("#/queries", "recall")
    assert astray(page, (".heads > :nth-child(2)", ".queries .row > :nth-child(2)", "left")) == []
    page = in_both(spanscope.panel(TRACES, ci=False)).go("#/segments", "method-1")
    assert astray(page, (".boundaries .heads > :nth-child(2)", ".boundaries [role=option] > .cell", "left")) == []


def test_a_table_of_documents_fits_a_laptop(in_both: Open, scored: spanscope.Result) -> None:
    """All of its columns, with what their signs mean above them."""
    page = in_both(scored).go("#/documents")
    assert page.page.locator(".sideways").count() == 0
    assert "↔ boundary · ≠ type" in page.page.locator("main").inner_text()
    resize(page.page, 390)
    page.page.locator(".sideways").wait_for()


def test_settings_are_read_a_line_each(in_both: Open, scored: spanscope.Result) -> None:
    page = in_both(scored).go("#/about")
    lines = page.page.locator(".pairs dd > div")
    heights = lines.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert len(heights) > 20
    assert max(heights) < 30
    assert "{" not in page.page.locator(".pairs").inner_text()
    for width in page.at_widths():
        assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


# ---------------------------------------------------------------- names and words


def test_names_are_whole_where_there_is_room(in_both: Open, scored: spanscope.Result) -> None:
    """System_response in the table of labels; what is cut in the list ends with a sign, and not with a gap."""
    page = in_both(scored).go("#/errors")
    name = page.page.locator(".labels tbody button", has_text="System_response")
    for width in page.at_widths():
        assert name.evaluate("one => one.scrollWidth <= one.clientWidth"), width
        cut = page.page.locator(".kwic").evaluate_all(
            """all => all.filter(one => one.querySelector(".hit").getBoundingClientRect().right
                > one.getBoundingClientRect().right + 1).length"""
        )
        assert cut == 0, width
    displays = page.page.locator(".hit span").evaluate_all(STYLES, "display")
    assert set(displays) == {"inline"}  # what is a box of its own is cut away whole


def test_a_span_over_a_line_end_is_one_piece_a_line(in_both: Open) -> None:
    """The blank at the end of a line is no piece of its own, and the first piece has the name."""
    text = "word " * 60
    spans = [{"start": 0, "end": 299, "label": "Condition"}]
    page = in_both(spanscope.evaluate(*[[{"id": "a", "text": text, "spans": spans}]] * 2, "spans.exact", ci=False))
    page.go("#/errors?kind=correct")
    for width in page.at_widths():
        boxes = page.page.locator(".mark.gold").evaluate_all(
            "all => all.map(one => [Math.round(one.getBoundingClientRect().top), one.offsetWidth])"
        )
        assert len({top for top, _ in boxes}) == len(boxes), width
        assert page.page.locator(".mark.gold").first.inner_text().strip().startswith("Condition")


def test_nothing_is_headed_where_there_is_nothing(in_both: Open) -> None:
    perfect = spanscope.evaluate(documents("A[0,4]"), documents("A[0,4]"), "spans.exact", ci=False)
    page = in_both(perfect).go()
    assert page.page.locator(".wrong").count() == 0
    assert "No errors: every span matches." in page.page.locator("main").inner_text()
    page = in_both(spanscope.evaluate(documents(""), documents(""), ci=False)).go()
    heads = page.page.locator("main h3").all_inner_texts()
    assert not {"Labels", "Over thresholds"} & {*heads}
    page = in_both(spanscope.compare(GOLD, ("a", PRED), ("b", PRED), measures="spans.exact", trials=20))
    page.go("#/differences", "same")
    assert "no intervals" not in page.page.locator("main").inner_text()


def test_a_problem_that_there_is_once_is_told(in_both: Open) -> None:
    """In full, above the page and in the verdict, instead of `1 x same file`."""
    page = in_both(spanscope.evaluate(GOLD, GOLD, "spans.exact", ci=False)).go()
    says = f"{GOLD}: gold and predictions are the same file"
    loud = page.page.get_by_role("complementary", name="Data problems").inner_text()
    assert loud.strip() == f"The figures are in doubt: {says} (50 documents scored)"
    assert f"1 problem in the data: {says}; the cases." in page.page.locator(".verdict").inner_text()


def test_an_open_query_stands_beside_the_list_on_a_wide_screen(in_both: Open) -> None:
    page = in_both(small()).go("#/queries", "recall")
    for width, beside in ((1280, False), (2560, True)):
        resize(page.page, width)
        boxes = [page.page.locator(".queries > section").nth(n).bounding_box() for n in (0, 1)]
        assert (boxes[1]["x"] > boxes[0]["x"] + boxes[0]["width"]) == beside, width
        assert boxes[1]["x"] + boxes[1]["width"] > width - 60, width


def test_withheld_texts_are_headed_by_what_stands_there(in_both: Open, scored: spanscope.Result) -> None:
    page = in_both(scored, text="none").go("#/errors")
    assert page.page.locator(".heads .text").inner_text() == "Offsets"


def test_every_kind_has_the_key_that_it_shows(in_both: Open, scored: spanscope.Result) -> None:
    page = in_both(scored).go("#/errors")
    kinds = page.page.locator(".chips .chip")
    assert kinds.count() == 10
    for n in range(kinds.count()):
        chip = kinds.nth(n)
        was = chip.get_attribute("aria-pressed")
        page.page.keyboard.press(chip.locator("kbd").inner_text())
        settle(page.page)
        assert chip.get_attribute("aria-pressed") != was, n


# ---------------------------------------------------------------- patterns and shades


@pytest.mark.parametrize(("pattern", "share"), [("dashed", 5 / 8), ("hatched", 3 / 7)])
def test_patterns_are_drawn(in_both: Open, scored: spanscope.Result, pattern: str, share: float) -> None:
    """Five of eight pixels of a dashed bar have its colour, three of seven of a hatched one."""
    page = in_both(scored).go("#/errors")
    page.page.get_by_test_id("help").click()
    swatch = page.page.locator(f".swatch.{pattern}").first
    drawn = base64.b64encode(swatch.screenshot()).decode()
    assert page.page.evaluate(INKED, f"data:image/png;base64,{drawn}") == pytest.approx(share, abs=0.15)


def test_the_matrix_of_segmentations_is_shaded_and_lettered(in_both: Open) -> None:
    page = in_both(spanscope.panel(TRACES, ci=False)).go("#/overview", "ranked")
    matrix = page.page.locator("table.heat")
    assert matrix.locator("thead .letter").all_inner_texts() == ["a", "b", "c", "d"]
    grounds = matrix.locator("tbody td").evaluate_all(STYLES, "backgroundColor")
    assert len(set(grounds)) > 3
    bias = page.page.get_by_role("table").filter(has_text="Bias").first.inner_text()
    assert "−0.2438" in bias
    page.go("#/segments", "method-1")
    resize(page.page, 2560)
    assert page.page.locator(".segments").evaluate("one => one.offsetWidth") > 2400


def test_a_header_of_many_figures_is_one_row(in_both: Open) -> None:
    result = spanscope.evaluate(GOLD, PRED, protocol="pii", ci=False)
    page = in_both(result).go("#/errors", "f2")
    assert page.page.locator("header .bar").evaluate("one => one.offsetHeight") < 60
    page.go("#/leaks", "f2")
    resize(page.page, 390)
    label = page.page.locator(".lines td:nth-child(2)").first
    assert label.evaluate("one => one.getClientRects().length && getComputedStyle(one).overflowWrap") == "normal"


def test_the_page_of_a_leaderboard_says_that_it_scrolls(in_both: Open, tmp_path: Any) -> None:
    path = tmp_path / "board.html"
    assert run("leaderboard", GOLD, f"a={PRED}", f"b={GOLD}", "--trials", "20", "--html", path).code == 0
    page = in_both(path).go(testid=None).page
    says = page.get_by_text("Scroll sideways for more columns").first
    for width, scrolls in ((390, True), (2560, False)):
        resize(page, width)
        says.wait_for(state="visible" if scrolls else "hidden")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_newest_states_are_accessible(in_both: Open, several: spanscope.Compared, scheme: str) -> None:
    """Doubts above the page, nothing to list, offsets, groups, a shaded matrix, suspects that are sorted."""
    look = {"color_scheme": scheme}
    perfect = spanscope.evaluate(GOLD, GOLD, "spans.exact", ci=False)
    scored = spanscope.evaluate(GOLD, PRED, "spans.exact", ci=False)
    hidden = {"text": "none"}
    for made, places, first, options in (
        (perfect, ("#/overview", "#/errors"), "f1", {}),
        (scored, ("#/errors", "#/about"), "f1", hidden),
        (scored, ("#/errors?group=text", "#/errors?slice=none&q=xyzzy"), "f1", {}),
        (spanscope.panel(TRACES, ci=False), ("#/overview",), "ranked", {}),
        (several, ("#/suspects?rank=-kind",), "suspect", {}),
    ):
        page = in_both(made, look, **options)
        for place in places:
            page.go(place, first)
            axe(page.page)
        assert page.complaints == []
