"""What must hold in every browser and at every width."""

from collections.abc import Callable
from typing import Any

import pytest

import spanscope
from tests.cli import GOLD, PRED
from tests.viewer.conftest import Opened, axe
from tests.viewer.contrast import CONTRAST, unexplained


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


def test_contrast_is_measured_where_axe_cannot(browser: Any) -> None:
    """Worked by hand: #777 has 4.48 on white and 4.69 on black; of a gradient the worse end counts."""
    page = browser.new_page()
    styles = {"a": "color: #777", "b": "color: #767676", "c": "color: #000; opacity: 0.5"}
    styles |= {"d": "color: oklch(0 0 0)", "e": "color: #777; background: linear-gradient(#000, #fff)"}
    page.set_content("".join(f'<p id="{name}" style="{style}">text</p>' for name, style in styles.items()))
    found = dict(page.evaluate(CONTRAST, [f"#{name}" for name in styles]))
    want = {"#a": 4.48, "#b": 4.54, "#c": 4.0, "#d": 21, "#e": 4.48}
    assert {name: pytest.approx(value, abs=0.04) for name, value in found.items()} == want
    nodes = [{"target": [f"#{name}"], "html": "", "any": [{"message": "overlapped"}]} for name in "ab"]
    left = unexplained(page, [{"id": "color-contrast", "nodes": nodes}])
    assert [said[:13] for said in left] == ["contrast 4.48"]
    page.close()
