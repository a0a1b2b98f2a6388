"""Many findings and many documents: the page stays small and quick."""

from collections.abc import Callable
from typing import Any

import spanscope
from tests.support import documents
from tests.viewer.conftest import Opened, settle
from tests.viewer.test_page import listed

Open = Callable[..., Opened]
STEP = """() => new Promise(done => {
    const shown = () => document.querySelector('[data-testid=step]').textContent;
    const before = shown();
    dispatchEvent(new KeyboardEvent('keydown', {key: ']', bubbles: true}));
    const look = () => requestAnimationFrame(() => shown() === before ? look() : done());
    look();
})"""


def many(number: int) -> spanscope.Result:
    """Ten gold spans and ten predictions a document: one pair is half right, the others have nothing in common."""
    gold = "A[0,8] " + " ".join(f"B[{at},{at + 2}]" for at in range(10, 46, 4))
    pred = "A[0,4] " + " ".join(f"B[{at},{at + 2}]" for at in range(12, 48, 4))
    sides = (documents(*[gold] * number), documents(*[pred] * number))
    return spanscope.evaluate(*sides, "spans.iou", ci=False, text="none")


def work_of(page: Opened) -> Callable[[], float]:
    """Return what tells the seconds that the page has kept the processor busy, whatever else the machine does."""
    session = page.page.context.new_cdp_session(page.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked() -> float:
        figures: list[Any] = session.send("Performance.getMetrics")["metrics"]
        return next(float(one["value"]) for one in figures if one["name"] == "TaskDuration")

    return worked


def test_hundreds_of_thousands_of_findings(opened: Open) -> None:
    """15,800 documents, 300,200 findings where a half is no match: fewer than 1,000 elements."""
    page = opened(many(15_800), force=True)
    worked = work_of(page)
    page.go("#/errors?t=1.00")
    assert 0 < worked() < 3
    assert listed(page) == 15_800 * (1 + 2 * 9) == 300_200
    for key in ("End", "Home", "PageDown"):
        page.page.get_by_role("listbox").focus()
        page.page.keyboard.press(key)
        settle(page.page)
        assert page.page.locator("*").count() < 1000
        assert page.page.locator("[role=option][aria-selected=true]").count() == 1
    assert page.complaints == []


def test_the_slider_follows(opened: Open) -> None:
    """Steps of a page with 60,000 spans: a bound that only a page that grew slow by an order breaks."""
    page = opened(many(3000)).go("#/errors?t=0.00")
    worked = work_of(page)
    before = worked()
    for _ in range(15):
        page.page.evaluate(STEP)
    assert 0 < (worked() - before) / 15 < 0.1
    assert page.text("step") == "0.75"
    assert page.text("tp") == "0"
