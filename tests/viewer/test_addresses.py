"""Addresses that last: ids and values, so that a link shows the same on the page of a corpus in another order."""

from collections.abc import Callable

import spanscope
from tests.cli import TRACES
from tests.commands.test_compare import GOLD, STRONG, WEAK
from tests.viewer.conftest import Opened

Open = Callable[..., Opened]
CHOSEN = "[role=option][aria-selected=true]"


def test_a_change_has_an_address_that_lasts(in_both: Open) -> None:
    """On the page of the same runs over documents in another order, beside a run more; Back undoes a filter."""
    first, other = (
        spanscope.compare(gold, ("base", weak), ("new", strong), measures="spans.exact", trials=20)
        for gold, weak, strong in (
            (GOLD, WEAK, STRONG),
            tuple(spanscope.read(one).to_dicts()[::-1] for one in (GOLD, WEAK, STRONG)),
        )
    )
    page = in_both(first).go("#/changes", "difference")
    total = page.page.locator(".hits").inner_text()
    page.page.get_by_test_id("row").nth(3).click()
    page.page.locator("#label").select_option(index=1)
    page.page.wait_for_function("() => /label=.*&in=.*&span=gold/.test(location.hash)")
    inside, chosen = page.page.locator(".hits").inner_text(), page.page.locator(CHOSEN).inner_text()
    address = "#" + page.page.url.partition("#")[2]
    page.page.go_back()
    page.page.wait_for_function("() => !location.hash.includes('label=')")
    assert page.page.locator(".hits").inner_text() == total != inside
    assert page.complaints == []
    there = in_both(other).go(address, "difference")
    for width in there.at_widths():
        assert there.page.locator(".hits").inner_text() == inside, width
        row = there.page.locator(CHOSEN).inner_text().splitlines()  # more of it where there is room
        assert row[:3] == chosen.splitlines()[:3], width
        assert there.page.url.endswith(address), width


def test_queries_and_figures_are_named_in_addresses(in_both: Open) -> None:
    gold = [{"id": name, "gold": [{"id": name}]} for name in ("alpha", "beta", "2")]
    pred = [{"id": name, "retrieved": [{"id": "x"}, {"id": name}]} for name in ("alpha", "beta", "2")]
    for turn in (1, -1):
        result = spanscope.evaluate(gold[::turn], pred[::turn], measures="passages.ranking(by=id)", ci=False)
        page = in_both(result).go("#/queries?sort=mrr&query=beta", testid="open")
        assert page.page.locator(".asked").inner_text() == "beta"
        assert page.page.locator(".head[aria-pressed=true]").inner_text().startswith("MRR")
        assert page.go("#/queries?query=2", testid="open").page.locator(".asked").inner_text() == "2"


def test_segmentations_are_named_in_addresses(in_both: Open) -> None:
    page = in_both(spanscope.panel(TRACES, ci=False))
    page.go("#/segments?doc=clock&by=Lines&in=Whole", testid="docname")
    assert page.text("docname") == "clock"
    assert page.page.get_by_test_id("by").evaluate("choice => choice.selectedOptions[0].text") == "Lines"
    marked = page.page.locator(".chip[aria-pressed=true] bdi").all_inner_texts()
    assert marked == ["Whole"]
    page.page.get_by_test_id("document-row").first.click()
    page.page.wait_for_function("() => /doc=[a-z]+&by=Lines&in=Whole/.test(location.hash)")
