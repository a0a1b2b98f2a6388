"""Real browsers, and a page opened in it from a file, as people open it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import viewer
from tests.support import lacking, needs
from tests.viewer.contrast import unexplained

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FIREFOX = ("firefox-esr", "firefox")
WIDTHS = (390, 768, 1280, 1920, 2560)  # a phone, a tablet, a laptop, and two screens
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


# What follows an action in an effect or an observer comes with a frame, which a busy machine draws late.
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
STILL = "() => document.getAnimations().every(one => one.playState !== 'running')"
BACK = "() => new Promise(done => { addEventListener('hashchange', () => done(), {once: true}); history.back(); })"


def settle(page: Any) -> None:
    """Wait until what was done to a page has been drawn."""
    page.evaluate(DRAWN)


def resize(page: Any, width: int, height: int = 900) -> None:
    """Give a page another window, and wait until it is laid out for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("width => innerWidth === width", arg=width)
    settle(page)


def axe(page: Any) -> None:
    """Hold a page, once no colour fades, against axe-core's rules: it finds nothing wrong, and has looked."""
    if not AXE.is_file():
        lacking("axe-core is not installed: make viewer")
    settle(page)
    page.wait_for_function(STILL)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
    assert {one["id"]: [node["html"][:200] for node in one["nodes"]][:3] for one in found["violations"]} == {}
    assert len(found["passes"]) > 10
    assert unexplained(page, found["incomplete"]) == []


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
            settle(self.page)
        return self

    def back(self) -> None:
        """Go back, and wait until the page has followed: its address changes before it hears of it."""
        self.page.evaluate(BACK)
        settle(self.page)

    def text(self, testid: str) -> str:
        return str(self.page.get_by_test_id(testid).first.inner_text())

    def at_widths(self) -> Iterator[int]:
        """Give the page each of the widths that people have."""
        for width in WIDTHS:
            resize(self.page, width)
            yield width

    def set_step(self, step: int) -> None:
        """Move the slider as a hand does: the value, and the event."""
        moved = "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})) }"
        self.page.get_by_test_id("slider").evaluate(moved, str(step))


@pytest.fixture(scope="package")
def play() -> Iterator[Any]:
    """Return what drives browsers; a package of tests starts each of them at most once."""
    with needs("playwright.sync_api").sync_playwright() as play:
        yield play


@pytest.fixture(scope="package")
def browser(play: Any) -> Iterator[Any]:
    """Return Debian's chromium; where it is missing skip, but in CI fail."""
    chromium = play.chromium.launch(executable_path=installed("chromium", CHROMIUM), args=QUIET)
    yield chromium
    chromium.close()


@pytest.fixture(scope="package")
def firefox(play: Any) -> Iterator[Any]:
    """Return Debian's Firefox, spoken to by WebDriver BiDi; where it is missing skip, but in CI fail."""
    path = installed("firefox-esr", FIREFOX)
    try:
        firefox = play.firefox.launch(channel="moz-firefox", executable_path=path)
    except Exception as error:
        if "unknown command" not in str(error):
            raise
        lacking(f"{path} is too old for Playwright: apt-get update && apt-get install firefox-esr")
    yield firefox
    firefox.close()


def installed(package: str, names: tuple[str, ...]) -> str:
    path = next((found for name in names if (found := shutil.which(name))), None)
    return path or lacking(f"the page is tested in {package}, which is not installed: apt-get install {package}")


def opening(browser: Any, tmp_path: Path, **usual: Any) -> Iterator[Callable[..., Opened]]:
    """Give a function that writes the page of a result and opens it; what it opened is closed after the test."""
    contexts = []

    def open_(result: spanscope.Result | Path, /, context: dict[str, Any] | None = None, **options: Any) -> Opened:
        path = result if isinstance(result, Path) else tmp_path / "report.html"
        if not isinstance(result, Path):
            viewer.write(result, path, **options)
        contexts.append(browser.new_context(viewport={"width": 1280, "height": 900}, **usual, **(context or {})))
        contexts[-1].set_default_timeout(30_000)
        return Opened(contexts[-1].new_page(), path)

    yield open_
    for one in contexts:
        one.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Return a function that writes the page of a result and opens it in chromium without a network."""
    yield from opening(browser, tmp_path, offline=True)


# One process runs what needs Firefox, so that it is started once: it takes three seconds.
BOTH = ["chromium", pytest.param("firefox", marks=pytest.mark.xdist_group("firefox"))]


@pytest.fixture(params=BOTH)
def in_both(request: pytest.FixtureRequest, play: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Return what `opened` does, once in chromium and once in Firefox."""
    if request.param == "firefox":  # which cannot be told by BiDi to be offline
        yield from opening(request.getfixturevalue("firefox"), tmp_path)
    else:
        yield from opening(request.getfixturevalue("browser"), tmp_path, offline=True)
