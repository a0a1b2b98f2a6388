"""The Runs page in a real browser: drop, score, look, compare; what goes wrong is told, and keys are enough."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import spanscope
from tests.cli import GOLD, PRED
from tests.serve import Served
from tests.serve.conftest import Start
from tests.viewer.conftest import axe

Open = Callable[..., Any]
DROP = """([files, selector]) => {
    const moved = new DataTransfer();
    for (const [name, text] of files) moved.items.add(new File([text], name));
    const target = selector ? document.querySelector(selector) : document.body;
    for (const kind of ['dragover', 'drop'])
        target.dispatchEvent(new DragEvent(kind, {dataTransfer: moved, bubbles: true, cancelable: true}));
}"""


@pytest.fixture
def opened(browser: Any) -> Iterator[Open]:
    """Return a function that opens a place of a server; what the page complains of fails the test."""
    yield from opening(browser)


def opening(browser: Any) -> Iterator[Open]:
    contexts, complaints = [], []

    def open_(served: Served, place: str = "/", **options: Any) -> Any:
        contexts.append(browser.new_context(viewport={"width": 1280, "height": 900}, **options))
        contexts[-1].set_default_timeout(60_000)
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: "Content Security" in said.text and complaints.append(said.text))
        page.on("request", lambda asked: asked.url.startswith(served.origin) or complaints.append(asked.url))
        page.goto(served.origin + place)
        if place.startswith("/#") or place == "/":  # what is dropped before the page listens is lost
            page.locator(".files .row, .files .empty .note").first.wait_for()
        return page

    yield open_
    for one in contexts:
        one.close()
    assert complaints == []


def dropped(path: Path, name: str | None = None) -> list[str]:
    return [name or path.name, path.read_text(encoding="utf-8")]


def hold(page: Any, pattern: str) -> list[Any]:
    """Hold requests back until they are let go; return those that wait, None for the first that need not."""
    held: list[Any] = []
    page.route(pattern, lambda route: route.continue_() if None in held else held.append(route))
    return held


def let_go(held: list[Any]) -> None:
    """Let held requests go, and those that are still on their way here."""
    waiting = held[:]
    held.append(None)
    for route in waiting:
        route.continue_()


def scored(page: Any, number: int = 1) -> None:
    """Press Score and wait until so many runs are listed."""
    page.get_by_test_id("score").click()
    page.get_by_test_id("run").nth(number - 1).wait_for()


def test_drop_score_and_open(served: Served, opened: Open) -> None:
    """Files dropped anywhere find their slots by name; the run's page shows Python's figures at every step."""
    page = opened(served)
    page.evaluate(DROP, [[dropped(PRED), dropped(GOLD)], None])
    page.get_by_test_id("slot-gold").get_by_text(GOLD.name).wait_for()
    page.get_by_test_id("slot-pred").get_by_text(PRED.name).wait_for()
    page.get_by_label("Measure").select_option("measure:spans.iou")
    page.get_by_label("Threshold").fill("70")
    page.get_by_label("Name").fill("my <b>run</b>")
    scored(page)
    result = spanscope.evaluate(GOLD, PRED, "spans.iou(threshold=0.7)")
    assert page.get_by_test_id("figure").inner_text() == f"{result.value('f1'):.4f}"
    page.get_by_role("link", name="my <b>run</b>", exact=True).click()
    page.get_by_test_id("f1").first.wait_for()
    assert page.url.startswith(f"{served.origin}/runs/")
    for name in ("f1", "precision", "recall"):
        assert page.get_by_test_id(name).first.inner_text() == f"{result.value(name):.4f}"
    page.goto(page.url.partition("#")[0] + "#/errors")
    page.locator("[data-testid=row] .kwic").first.wait_for()  # texts came after the page
    assert "loading" not in page.get_by_test_id("row").first.inner_text()
    kinds = {kind: row["count"] for kind, row in result.errors().items()}
    shown = {kind: page.get_by_test_id(f"chip-{kind.replace('+', '-')}").inner_text() for kind in kinds}
    assert {kind: int(re.findall(r"\d+", text)[-1]) for kind, text in shown.items()} == kinds
    page.get_by_role("link", name="← Runs").click()
    page.get_by_test_id("run").wait_for()


def test_drop_onto_a_slot_and_choose_by_hand(served: Served, opened: Open) -> None:
    page = opened(served)
    page.evaluate(DROP, [[dropped(PRED, "anything.jsonl")], "[data-testid=slot-pred]"])
    page.get_by_test_id("slot-pred").get_by_text("anything.jsonl").wait_for()
    assert page.get_by_test_id("score").is_disabled()
    page.get_by_test_id("file-gold").set_input_files(GOLD)
    page.get_by_test_id("slot-gold").get_by_text(GOLD.name).wait_for()
    scored(page)
    assert page.get_by_role("link", name="anything.jsonl", exact=True).is_visible()


def test_compare_and_delete(served: Served, opened: Open) -> None:
    lines = [json.loads(line) for line in PRED.read_text(encoding="utf-8").splitlines()]
    fewer = "".join(json.dumps({**one, "spans": one["spans"][1:]}) + "\n" for one in lines)
    (served.folder / "fewer.jsonl").write_text(fewer, encoding="utf-8")
    for name in ("pred.jsonl", "fewer.jsonl"):
        served.score("gold.jsonl", name)
    other = served.score("gold.jsonl", "pred.jsonl", name="other", options={"measures": ["spans.exact"]})
    page = opened(served)
    page.get_by_label("Pick pred.jsonl").check()
    page.get_by_label("Pick other").check()
    assert page.get_by_test_id("compare").is_disabled()
    assert "other settings" in page.locator("#why").inner_text()
    page.get_by_label("Pick other").uncheck()
    page.get_by_label("Pick fewer.jsonl").check()
    page.get_by_test_id("compare").click()
    page.wait_for_url("**/compare/**")
    page.get_by_role("link", name="← Runs").wait_for()
    here = served.folder
    own = spanscope.compare(
        here / "gold.jsonl", ("pred.jsonl", here / "pred.jsonl"), ("fewer.jsonl", here / "fewer.jsonl")
    )
    assert f"{abs(own.value('f1').difference):.4f}" in page.locator("body").inner_text()
    page.get_by_role("link", name="← Runs").click()
    page.get_by_label("Delete other").click()
    page.locator(f"[data-id='{other}']").wait_for(state="detached")
    assert page.get_by_test_id("run").count() == 2
    assert other not in served.listed()


def test_a_bad_file_shows_line_and_reason(served: Served, opened: Open) -> None:
    bad = '{"id": 1, "text": "abc", "spans": []}\n{"id": 2, "text": "abc", "spans": [{"start": 0, "end": 9}]}\n'
    page = opened(served)
    page.evaluate(DROP, [[["gold.jsonl", bad], dropped(PRED)], None])
    page.get_by_test_id("slot-pred").get_by_text(PRED.name).wait_for()
    page.get_by_test_id("score").click()
    told = page.get_by_test_id("wrong")
    told.wait_for()
    words = told.inner_text()
    assert "gold.jsonl:2" in words
    assert "expected" in words
    assert page.get_by_test_id("run").count() == 0
    told.get_by_role("button", name="Close this message").click()
    told.wait_for(state="detached")


def test_a_file_over_the_limit_is_refused_before_it_is_sent(start: Start, opened: Open) -> None:
    served = start(upload=100)
    page = opened(served)
    page.evaluate(DROP, [[dropped(GOLD)], None])
    page.get_by_test_id("wrong").wait_for()
    assert "more than 100 bytes" in page.get_by_test_id("wrong").inner_text()
    assert served.left("uploads") == []


def test_result_files_become_runs(served: Served, opened: Open, tmp_path: Path) -> None:
    result = spanscope.evaluate(GOLD, PRED, "spans.exact")
    kept = tmp_path / "kept.json"
    kept.write_text(result.to_json(kept=True), encoding="utf-8")
    page = opened(served)
    page.evaluate(DROP, [[dropped(kept)], None])
    page.get_by_test_id("run").wait_for()
    assert page.get_by_test_id("figure").inner_text() == f"{result.value('f1'):.4f}"
    assert "to compare" in page.get_by_test_id("run").inner_text()


def test_keys_are_enough(served: Served, opened: Open) -> None:
    """The files of the folder are chosen, scored and opened without a pointer."""
    page = opened(served)
    page.get_by_test_id("listed").first.wait_for()

    def to(label: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("() => document.activeElement.textContent.trim()") == label:
                return
        raise AssertionError(f"{label} cannot be reached")

    page.keyboard.press("/")
    page.keyboard.type("gold")
    page.get_by_test_id("listed").nth(1).wait_for(state="detached")
    for name, slot in (("gold", "gold"), ("pred", "pred")):
        page.keyboard.press("Control+a")
        page.keyboard.type(name)
        page.get_by_test_id("listed").get_by_text(f"{name}.jsonl").wait_for()
        for _ in range(4):  # to the list, past the buttons
            page.keyboard.press("Tab")
            if page.evaluate("() => document.activeElement.getAttribute('role')") == "listbox":
                break
        page.keyboard.press("ArrowDown")
        to("Use as gold" if slot == "gold" else "Use as predictions")
        page.keyboard.press("Enter")
        page.get_by_test_id(f"slot-{slot}").get_by_text(f"{name}.jsonl").wait_for()
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("/")
    page.keyboard.press("Escape")
    to("Score")
    page.keyboard.press("Enter")
    page.get_by_test_id("run").wait_for()
    to("pred.jsonl")
    page.keyboard.press("Enter")
    page.get_by_test_id("f1").first.wait_for()


def test_a_link_holds_what_was_chosen(served: Served, opened: Open) -> None:
    found = {one["name"]: one["id"] for one in served.ask("GET", "/api/files").json["files"]}
    how = f"#/runs?gold={found['gold.jsonl']}&how=measure%3Aspans.iou&t=35&labels=Action"
    page = opened(served, f"/{how}")
    page.get_by_test_id("slot-gold").get_by_text("gold.jsonl").wait_for()
    assert page.get_by_label("Threshold").input_value() == "35"
    assert page.get_by_label("Labels").input_value() == "Action"
    page.get_by_label("Name").fill("seven")
    page.wait_for_function("() => location.hash.includes('name=seven')")
    assert "t=35" in page.url


def test_hostile_names_stay_text(served: Served, opened: Open) -> None:
    (served.folder / "gold.jsonl").rename(served.folder / "<img src=x onerror=alert(1)>gold.jsonl")
    page = opened(served)
    page.get_by_test_id("listed").get_by_text("<img src=x onerror=alert(1)>gold.jsonl").wait_for()
    assert page.locator("#app img").count() == 0


def test_a_lost_server_is_told_and_what_was_chosen_is_kept(served: Served, opened: Open) -> None:
    page = opened(served)
    page.get_by_label("Name").fill("kept")
    page.context.set_offline(True)
    page.get_by_text("The server does not answer; retrying").wait_for()
    assert page.get_by_label("Name").input_value() == "kept"
    page.context.set_offline(False)
    page.get_by_text("The server does not answer; retrying").wait_for(state="detached")


def test_progress_is_shown_and_a_job_can_be_cancelled(
    served: Served, opened: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import sys

    from spanscope.serve import jobs
    from tests.serve.test_jobs import SLOW

    (tmp_path / "slow.py").write_text(SLOW)
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, str(tmp_path / "slow.py")))
    served.submit(gold="gold.jsonl", pred="pred.jsonl", name="long")
    page = opened(served)
    page.get_by_text("scoring, 1 of 9").wait_for()
    assert page.locator("progress").get_attribute("value") == "1"
    page.get_by_test_id("cancel").click()
    page.get_by_test_id("job").wait_for(state="detached")
    assert served.left("jobs") == []


def test_texts_that_are_on_their_way(served: Served, opened: Open) -> None:
    """Figures and rows are there before the texts; a row says that its text is loading, then shows it."""
    run = served.score("gold.jsonl", "pred.jsonl")
    page = opened(served, "/favicon")
    held = hold(page, "**/texts?*")
    page.goto(f"{served.origin}/runs/{run}/#/errors")
    page.get_by_test_id("coming").wait_for()
    assert "50 texts still loading" in page.get_by_test_id("coming").inner_text()
    assert "loading" in page.get_by_test_id("row").first.inner_text()
    let_go(held)
    page.locator("[data-testid=row] .kwic").first.wait_for()
    page.get_by_test_id("coming").wait_for(state="detached")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(served: Served, opened: Open, scheme: str) -> None:
    served.score("gold.jsonl", "pred.jsonl", name="one")
    bad = served.upload("bad.jsonl", b'{"id": 1}\n')
    served.until(served.submit(gold=bad["id"], pred="pred.jsonl"), "failed")
    page = opened(served, "/#/runs?how=measure:spans.iou", color_scheme=scheme)
    page.get_by_test_id("listed").first.click()
    page.get_by_label("Pick one").check()
    page.get_by_test_id("wrong").wait_for()
    axe(page)


def test_many_files_make_a_small_page(served: Served, opened: Open) -> None:
    for at in range(400):
        (served.folder / f"run-{at:03}.jsonl").write_bytes(b"")
    page = opened(served)
    page.get_by_test_id("listed").first.wait_for()
    assert page.evaluate("() => document.querySelectorAll('*').length") < 1000
