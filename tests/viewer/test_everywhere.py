"""What must hold in every browser and at every width."""

from collections.abc import Callable

import pytest

import spanscope
from tests.cli import GOLD, PRED
from tests.viewer.conftest import Opened, axe


@pytest.fixture(scope="module")
def result() -> spanscope.Result:
    return spanscope.evaluate(GOLD, PRED, "spans.exact", ci=False)


def test_every_tab_opens_at_every_width(in_both: Callable[..., Opened], result: spanscope.Result) -> None:
    """The whole page is as wide as the window, nothing is asked of a network, and nobody complains."""
    page = in_both(result).go()
    assert page.text("f1") == f"{result.value():.4f}"
    for tab in ("Errors", "About", "Overview"):
        page.page.get_by_role("navigation").get_by_role("link", name=tab).click()
        for width in page.at_widths():
            assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (tab, width)
    axe(page.page)
    assert page.complaints == []
    assert [url for url in page.requests if not url.startswith(("file:", "about:", "data:", "blob:"))] == []
