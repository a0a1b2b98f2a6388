"""The page of segmentations: marks at every window are the library's, for two sides and for several methods."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import viewer
from spanscope.commands.window_slider import windows
from spanscope.settings.options import grouped
from tests.cli import TRACES, run, write
from tests.viewer.conftest import Opened, axe, resize, settle

Open = Callable[..., Opened]
Json = dict[str, Any]
KINDS = ("exact", "near", "extra", "missed")


def drawn(seed: int, number: int = 12, length: int = 90) -> list[Json]:
    """Return documents with crowded random boundaries; some have none, one has one character, one nothing."""
    chance = random.Random(seed)
    sizes = [length] * number + [1, 0]
    return [
        {"id": f"d{n}", "text": ("ab c" * size)[:size], "boundaries": sorted(chance.sample(range(1, size), n % 9))}
        if size > 1
        else {"id": f"d{n}", "text": "x" * size, "boundaries": []}
        for n, size in enumerate(sizes)
    ]


def two(form: str | None = None, **options: Any) -> spanscope.Result:
    protocol = None if form else "segments"
    return spanscope.evaluate(drawn(1), drawn(2), form, protocol=protocol, ci=False, **grouped(options))


def inside(found: spanscope.Result | spanscope.Panel, **options: Any) -> Json:
    """Return the data of a page as it is in the file."""
    data: Json = viewer.unpack(viewer.render(found, **options))
    return data


def shown(page: Opened, side: int = 1) -> list[str]:
    """Return the cells of a method: four counts of the document, four of the corpus, and the figures."""
    cells = page.page.get_by_test_id(f"method-{side}").locator("td").all_inner_texts()
    return [re.sub(r"\s", "", cell) for cell in cells]


def goto(page: Opened, step: int, window: int) -> None:
    page.set_step(step)
    page.page.wait_for_function(
        "want => document.querySelector('[data-testid=step]').textContent === want", arg=f"±{window}"
    )


# ---------------------------------------------------------------- size


def test_what_is_left_out_is_said(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanscope.viewer.BUDGET", 900)
    result = two("segments.b_score")
    corpus = inside(result)["corpus"]
    embedded = corpus["embedded"]
    assert 0 < embedded < 14
    worst = [one["f1"] for one in result.by_document(worst=True)]
    assert max(value for value in corpus["values"]["1"] if value is not None) <= worst[embedded]
    assert sum(corpus["marks"]["1"]["whole"][0][:3]) == result.totals()["pred"] > len(corpus["sides"]["1"]["at"])
    page = opened(result).go("#/segments")
    assert re.search(rf"\b{embedded} of 14 documents are in this file", page.page.locator("main").inner_text())


@pytest.mark.parametrize("long", [False, True])
def test_few_elements_however_much_there_is(opened: Open, long: bool) -> None:
    """5,000 documents, or one of 200,000 characters with 2,000 boundaries on both sides."""
    number, size, cuts = (1, 200_000, 2000) if long else (5000, 40, 3)
    chance = random.Random(5)

    def side() -> list[Json]:
        places = [sorted(chance.sample(range(1, size), cuts)) for _ in range(number)]
        return [{"id": f"n{n}", "text": "word " * (size // 5), "boundaries": own} for n, own in enumerate(places)]

    page = opened(spanscope.evaluate(side(), side(), "segments.b_score", ci=False)).go("#/segments")
    page.page.get_by_test_id("boundary").first.wait_for()
    assert page.page.locator("*").count() < 1000
    assert (page.page.get_by_test_id("document-row").count() > 8) is not long
    for _ in range(6):
        page.page.keyboard.press("+")
    page.page.keyboard.press("n")
    page.page.keyboard.press("j")
    settle(page.page)
    assert page.page.locator("*").count() < 1000
    assert page.complaints == []


# ---------------------------------------------------------------- in the browser


def test_counts_at_every_window_are_the_librarys(opened: Open) -> None:
    page = opened(two()).go("#/segments?doc=8")
    assert page.text("step") == "±3"
    for step, window in enumerate(windows(3)):
        goto(page, step, window)
        there = two(f"segments.boundaries(tolerance={window})")
        own, totals = there.by_document()[8], there.totals()
        exact = two("segments.boundaries").by_document()[8]["tp"] if window == 0 else None
        cells = shown(page)
        for counts, want in ((cells[:4], own), (cells[4:8], totals)):
            found = dict(zip(KINDS, map(int, counts), strict=True))
            assert found["exact"] + found["near"] == want["tp"]
            assert found["extra"] == want["pred"] - want["tp"]
            assert found["missed"] == want["gold"] - want["tp"]
        assert exact is None or cells[0] == str(exact)
        rates = [there.value(rate, average="micro") for rate in ("precision", "recall", "f1")]
        assert cells[8:] == [f"{value:.4f}" for value in (*rates, there.value("f1", average="document"))]
        # Every boundary is listed with its sign; the list is short enough to be drawn whole.
        rows = " ".join(page.page.get_by_test_id("boundary").all_inner_texts())
        assert [rows.count(kind) for kind in KINDS] == [int(n) for n in cells[:4]]


def test_a_panel_is_drawn_against_gold(opened: Open) -> None:
    found = spanscope.panel(TRACES, ci=False)
    page = opened(found).go("#/segments?w=6", testid="step")
    for side, name in enumerate(("Sentences", "Lines", "Whole"), start=1):
        there = spanscope.panel(TRACES, measures="segments.boundaries(tolerance=6)", ci=False).results[name]
        totals = there.totals()
        exact, near, extra, missed = map(int, shown(page, side)[4:8])
        assert [exact + near, extra, missed] == [
            totals["tp"],
            totals["pred"] - totals["tp"],
            totals["gold"] - totals["tp"],
        ]
    page.go("#/overview", testid="segmentations")
    text = page.page.locator("main").inner_text()
    assert f"{found.results['Lines'].value('f1', 'segments.b_score', 'document'):.4f}" in text
    assert "All pairs" in text


def test_a_panel_without_gold_has_no_marks(opened: Open) -> None:
    found = spanscope.panel(TRACES, only=["Sentences", "Lines", "Whole"], ci=False)
    page = opened(found).go("#/segments", testid="ribbons")
    assert page.page.locator(".halo, .mark, [data-testid=slider], [data-testid=counts]").count() == 0
    assert page.page.locator(".whose li").count() == 3
    name = page.text("docname")
    (row,) = (one for one in found.by_document("f1", "segments.b_score") if one["document"] == name)
    assert f"{row['consensus']:.3f}" in page.page.get_by_test_id("document-row").first.inner_text()
    page.go("#/overview", testid="segmentations")
    matrix = found.matrix("f1", "segments.b_score")
    assert f"{matrix['Sentences']['Lines']:.4f}" in page.page.locator(".heat").inner_text()


def test_keys_alone(opened: Open) -> None:
    page = opened(two()).go()
    keys = page.page.keyboard
    for key in ("g", "s"):
        keys.press(key)
    page.page.get_by_test_id("document-row").first.wait_for()
    first = page.text("docname")
    keys.press("]")
    page.page.wait_for_function("() => document.querySelector('[data-testid=step]').textContent === '±4'")
    keys.press("j")
    page.page.wait_for_function("() => location.hash.includes('doc=')")
    assert page.text("docname") != first
    keys.press("n")
    keys.press("+")
    page.page.wait_for_function("() => /at=.*zoom=1/.test(location.hash)")
    assert page.page.locator(".boundaries [aria-selected=true], .pilcrow.chosen").count() >= 1
    keys.press("x")
    page.page.wait_for_function("() => location.hash.includes('wrong=1')")
    keys.press("/")
    keys.type("d13")
    page.page.wait_for_function("() => document.querySelectorAll('[data-testid=document-row]').length === 1")
    keys.press("Escape")
    keys.press("Escape")
    page.page.wait_for_function("() => !/q=|wrong=/.test(location.hash)")
    page.page.get_by_role("listbox", name="Documents", exact=True).focus()
    keys.press("End")
    keys.press("Home")
    keys.press("Enter")
    assert page.page.evaluate("document.activeElement.getAttribute('role')") == "listbox"
    assert page.complaints == []


def test_a_link_shows_the_same_again(opened: Open) -> None:
    page = opened(spanscope.panel(TRACES, ci=False)).go("#/segments", testid="step")
    goto(page, 5, 5)
    page.page.get_by_test_id("side-2").click()
    page.page.get_by_test_id("sort").select_option("name")
    page.page.get_by_test_id("document-row").nth(2).click()
    page.page.get_by_test_id("boundary").nth(3).click()
    page.page.wait_for_function("() => /at=/.test(location.hash)")
    again = opened(page.path).go("#" + page.page.url.partition("#")[2], testid="step")
    for testid in ("step", "docname", "counts", "text"):
        assert again.text(testid) == page.text(testid)
    same = ".boundaries [aria-selected=true]"
    assert again.page.locator(same).inner_text() == page.page.locator(same).inner_text()


def test_ribbon_and_text_follow_each_other(opened: Open) -> None:
    """A boundary far away is brought into sight in both, from the list and from the ribbon."""
    text = "word " * 8000
    gold = [{"id": 1, "text": text, "boundaries": [*range(1000, 40_000, 1000)]}]
    page = opened(spanscope.evaluate(gold, gold, "segments.b_score", ci=False)).go("#/segments?zoom=4&at=30000")
    mark = page.page.locator("[data-at='30000']")
    mark.wait_for()
    inside_pane = "e => { const p = e.closest('.pane').getBoundingClientRect(), r = e.getBoundingClientRect();" + (
        " return r.top >= p.top && r.bottom <= p.bottom }"
    )
    assert mark.evaluate(inside_pane)
    strip = page.page.locator(".strip")
    assert strip.evaluate("e => e.scrollLeft") > 0
    strip.evaluate("e => { e.scrollLeft = 0 }")
    x = strip.evaluate("e => e.firstChild.getBoundingClientRect().width * 1000 / 40000")
    strip.click(position={"x": x + 3, "y": 10})
    page.page.wait_for_function("() => location.hash.includes('at=1000')")
    settle(page.page)
    assert page.page.locator("[data-at='1000']").evaluate(inside_pane)


def test_texts_of_all_kinds_are_text(opened: Open) -> None:
    text = "</script><b>x</b>😀 שלום עולם \u202eevil"
    gold = [{"id": "<i>", "text": text, "segments": [[0, 18, "<u>"], [18, len(text), "A"]]}]
    page = opened(spanscope.evaluate(gold, gold, protocol="segments", ci=False)).go("#/segments")
    pieces = page.page.locator(".seg").all_text_contents()
    assert pieces == [text[:18], text[18:]]
    assert page.page.locator("main b:not(.legend b), main i, main u").count() == 0
    assert page.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["overview", "segments?at=146", "about"])
def test_accessible(opened: Open, scheme: str, place: str) -> None:
    page = opened(spanscope.panel(TRACES, ci=False), {"color_scheme": scheme})
    page.go(f"#/{place}", testid="segmentations")
    axe(page.page)


# ---------------------------------------------------------------- commands


def untimed(text: str) -> str:
    """Return a report without what changes from run to run: the seconds it took."""
    return re.sub(r'"timings": \{[^}]*\}', '"timings": {}', text).strip()


def test_commands_write_the_page_of_one_file(tmp_path: Path) -> None:
    """Exports are what eval writes; --gold, --only and --text reach the page."""
    page = tmp_path / "page.html"
    done = run("report", TRACES, "--no-ci", "-o", page)
    assert (done.code, done.out) == (0, "")
    found = viewer.unpack(page.read_text(encoding="utf-8"))
    for name, form in (("json", "json"), ("csv", "csv"), ("md", "markdown"), ("tex", "latex")):
        written = run("eval", TRACES, "--no-ci", "--format", form).out
        assert untimed(found["exports"][name]) == untimed(written)
    asked = ("--gold", "Lines", "--only", "Lines,Whole", "--text", "none", "--no-ci")
    assert run("eval", TRACES, "--html", page, *asked).code == 0
    found = viewer.unpack(page.read_text(encoding="utf-8"))
    assert found["corpus"]["methods"] == ["Lines", "Whole"]
    assert set(found["corpus"]["texts"]) == {None}
    spans = write(tmp_path / "spans.jsonl", [{"id": 1, "text": "a b", "spans": []}])
    assert "PRED is missing" in " ".join(run("report", spans).err.split())
    assert "--gold and --only name segmentations" in " ".join(
        run("report", spans, spans, "--only", "A").err.split()
    )


def test_a_boundary_of_a_side_that_is_not_marked_is_still_found_in_the_text(opened: Open) -> None:
    page = opened(spanscope.panel(TRACES, ci=False)).go("#/segments?doc=1&in=0", testid="step")
    assert page.page.locator("[data-at='86']").count() == 0
    page.page.get_by_test_id("boundary").filter(has_text="86").first.click()
    assert page.page.locator("[data-at='86']").inner_text() == "c+"


def test_a_very_long_name_of_a_method_widens_no_page(opened: Open) -> None:
    traces = [{"id": "t", "text": "ab cd ef", "segmentations": {"Gold": [[0, 3], [3, 8]], "M" * 120: [[0, 8]]}}]
    page = opened(spanscope.panel(traces, ci=False)).go("#/segments", testid="step").page
    for width in (1280, 390):
        resize(page, width, 800)
        page.get_by_test_id("side-1").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
