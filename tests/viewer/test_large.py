"""Many findings and many documents: the page stays small and quick."""

from collections.abc import Callable

import spanscope
from tests.support import documents
from tests.viewer.conftest import Opened
from tests.viewer.test_page import listed

Open = Callable[..., Opened]
STEP = """() => new Promise(done => {
    const shown = () => document.querySelector('[data-testid=step]').textContent;
    const before = shown();
    const from = performance.now();
    dispatchEvent(new KeyboardEvent('keydown', {key: ']', bubbles: true}));
    const look = () => requestAnimationFrame(() => shown() === before ? look() : done(performance.now() - from));
    look();
})"""


def many(number: int) -> spanscope.Result:
    """Ten gold spans and ten predictions a document: one pair is half right, the others have nothing in common."""
    gold = "A[0,8] " + " ".join(f"B[{at},{at + 2}]" for at in range(10, 46, 4))
    pred = "A[0,4] " + " ".join(f"B[{at},{at + 2}]" for at in range(12, 48, 4))
    sides = (documents(*[gold] * number), documents(*[pred] * number))
    return spanscope.evaluate(*sides, "spans.iou", ci=False, text="none")


def test_hundreds_of_thousands_of_findings(opened: Open) -> None:
    """15,800 documents, 300,200 findings where a half is no match: fewer than 1,000 elements."""
    page = opened(many(15_800), force=True).go("#/errors?t=1.00")
    assert listed(page) == 15_800 * (1 + 2 * 9) == 300_200
    for key in ("End", "Home", "PageDown"):
        page.page.get_by_role("listbox").focus()
        page.page.keyboard.press(key)
        page.page.wait_for_timeout(100)
        assert page.page.locator("*").count() < 1000
        assert page.page.locator("[role=option][aria-selected=true]").count() == 1
    assert page.page.evaluate("performance.getEntriesByName('spanscope:ready')[0].startTime") < 10_000
    assert page.complaints == []


def test_the_slider_follows(opened: Open) -> None:
    """Steps of a page with 60,000 spans: a bound that only a page that grew slow by an order breaks."""
    page = opened(many(3000)).go("#/errors?t=0.00")
    times = sorted(page.page.evaluate(STEP) for _ in range(15))
    assert times[len(times) // 2] < 400
    assert page.text("step") == "0.75"
    assert page.text("tp") == "0"
