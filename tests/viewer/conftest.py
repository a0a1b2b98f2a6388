"""A real browser, and a page opened in it from a file, as people open it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import viewer
from tests.support import lacking, needs

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


AXE = Path(__file__).parents[2] / "viewer" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe(page: Any) -> None:
    """Hold a page against axe-core's rules: it finds nothing wrong, and has looked."""
    if not AXE.is_file():
        lacking("axe-core is not installed: make viewer")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
    assert {one["id"]: [node["html"][:200] for node in one["nodes"]][:3] for one in found["violations"]} == {}
    assert len(found["passes"]) > 10


class Opened:
    """A page in the browser, and what it asked of the network and complained of."""

    def __init__(self, page: Any, path: Path) -> None:
        self.page, self.path = page, path
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda said: said.type in ("error", "warning") and self.complaints.append(said.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))

    def go(self, place: str = "", testid: str | None = "f1") -> "Opened":
        """Open a place of the page, from nothing, and wait until it shows figures."""
        self.page.goto("about:blank")
        self.page.goto(self.path.as_uri() + place)
        if testid:
            self.page.get_by_test_id(testid).first.wait_for()
        return self

    def text(self, testid: str) -> str:
        return str(self.page.get_by_test_id(testid).first.inner_text())

    def set_step(self, step: int) -> None:
        """Move the slider as a hand does: the value, and the event."""
        moved = "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})) }"
        self.page.get_by_test_id("slider").evaluate(moved, str(step))


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Return Debian's chromium; where it is missing skip, but in CI fail."""
    api = needs("playwright.sync_api")
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        lacking("the page is tested in chromium, which is not installed: apt-get install chromium")
    with api.sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=path, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Return a function that writes the page of a result and opens it without a network."""
    contexts = []

    def open_(result: spanscope.Result | Path, /, context: dict[str, Any] | None = None, **options: Any) -> Opened:
        path = result if isinstance(result, Path) else tmp_path / "report.html"
        if not isinstance(result, Path):
            viewer.write(result, path, **options)
        contexts.append(
            browser.new_context(viewport={"width": 1280, "height": 900}, offline=True, **(context or {}))
        )
        contexts[-1].set_default_timeout(30_000)
        return Opened(contexts[-1].new_page(), path)

    yield open_
    for one in contexts:
        one.close()
