"""The pages when the way to the server is bad: streams that break, servers that are silent or started anew."""

from typing import Any

import pytest

import spanscope
from tests.cli import GOLD, PRED, TRACES
from tests.serve import Served
from tests.serve.conftest import Start
from tests.serve.test_odd import QRELS, RUN
from tests.serve.test_runs_page import Open, opened, scored

__all__ = ["opened"]
TAGGED = "John B-PER B-PER\nsaw O O\nNew B-LOC B-LOC\nYork I-LOC O\n\nMary B-PER O\nran O O\n"


def test_a_stream_that_breaks_is_asked_instead(served: Served, opened: Open) -> None:
    page = opened(served, "/favicon")
    asked: list[str] = []
    page.route("**/events", lambda route: route.abort())
    page.on("request", lambda request: "/api/jobs/" in request.url and asked.append(request.url))
    page.goto(served.origin)
    files = {one["name"]: one["id"] for one in served.ask("GET", "/api/files").json["files"]}
    page.evaluate(f"location.hash = '#/runs?gold={files['gold.jsonl']}&pred={files['pred.jsonl']}'")
    scored(page)
    assert page.get_by_test_id("figure").inner_text() == f"{spanscope.evaluate(GOLD, PRED).value('f1'):.4f}"
    page.get_by_test_id("job").wait_for(state="detached")
    assert any(url.endswith("/events") for url in asked)
    assert any(not url.endswith("/events") for url in asked)


AS_IT_COMES = """(() => {
    const look = new MutationObserver(() => {
        if (!document.querySelector('[data-testid=score]')) return;
        look.disconnect();
        location.hash = '%s';
    });
    look.observe(document, {childList: true, subtree: true});
})()"""


def test_a_link_that_changes_as_the_page_comes_is_followed(served: Served, opened: Open) -> None:
    """Between the first drawing and the next frame nobody listened: the link was lost, and written over."""
    page = opened(served, "/favicon")
    gold = next(one["id"] for one in served.ask("GET", "/api/files").json["files"] if one["name"] == "gold.jsonl")
    page.add_init_script(AS_IT_COMES % f"#/runs?gold={gold}")
    page.goto(served.origin)
    page.get_by_test_id("slot-gold").get_by_text("gold.jsonl").wait_for()


def test_a_comparison_opens_while_another_job_goes_on(
    start: Start, opened: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """Only one job is followed as it goes; the end of the others is told all the same."""
    import sys

    from spanscope.serve import jobs
    from tests.serve.test_jobs import SLOW

    served = start(jobs=2)
    runs = [served.score("gold.jsonl", "pred.jsonl", name=name) for name in ("a", "b")]
    (tmp_path / "slow.py").write_text(SLOW)
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "COMMAND", (sys.executable, str(tmp_path / "slow.py")))
        long = served.submit(gold="gold.jsonl", pred="pred.jsonl", name="long")
        served.until(long, "running")
    page = opened(served, f"/#/runs?pick={','.join(runs)}")
    page.get_by_text("Scoring long").wait_for()
    page.get_by_test_id("compare").click()
    page.wait_for_url(f"{served.origin}/compare/{'-'.join(runs)}/**")


def test_a_page_asks_again_when_its_data_do_not_come(served: Served, opened: Open) -> None:
    run = served.score("gold.jsonl", "pred.jsonl")
    page = opened(served, "/favicon")
    page.route("**/data", lambda route: route.abort())
    page.goto(f"{served.origin}/runs/{run}/")
    page.get_by_role("alert").get_by_text("The server does not answer; retrying.").wait_for()
    assert page.locator("#static table").count() > 0  # the plain figures are there meanwhile
    page.unroute("**/data")
    page.route("**/data", lambda route: route.fulfill(status=503, body="busy"), times=1)
    page.get_by_test_id("f1").wait_for()
    assert page.get_by_test_id("f1").inner_text() == f"{spanscope.evaluate(GOLD, PRED).value('f1'):.4f}"


def test_a_page_whose_run_is_gone_says_so(served: Served, opened: Open) -> None:
    run = served.score("gold.jsonl", "pred.jsonl")
    page = opened(served, "/favicon")
    page.route("**/data", lambda route: route.fulfill(status=404, body="{}"))
    page.goto(f"{served.origin}/runs/{run}/")
    page.get_by_text("The server has no such page any more").wait_for()


def test_texts_of_a_silent_server_are_asked_for_again(served: Served, opened: Open) -> None:
    run = served.score("gold.jsonl", "pred.jsonl")
    page = opened(served, "/favicon")
    page.route("**/texts?*", lambda route: route.fulfill(status=503, body="{}"))
    page.goto(f"{served.origin}/runs/{run}/#/errors")
    page.get_by_test_id("coming").get_by_text("does not answer; retrying").wait_for()
    with page.expect_request("**/texts?*"):
        page.unroute("**/texts?*")
    page.locator("[data-testid=row] .kwic").first.wait_for()
    page.get_by_test_id("coming").wait_for(state="detached")


def test_texts_that_are_gone_are_not_asked_for_again(served: Served, opened: Open) -> None:
    """A server that was started anew knows nothing of the run."""
    run = served.score("gold.jsonl", "pred.jsonl")
    page = opened(served, "/favicon")
    asked: list[str] = []
    page.on("request", lambda request: "texts?" in request.url and asked.append(request.url))
    page.route("**/texts?*", lambda route: route.fulfill(status=404, body="{}"))
    page.goto(f"{served.origin}/runs/{run}/#/errors")
    page.get_by_test_id("coming").get_by_text("has no such page any more").wait_for()
    before = len(asked)
    page.wait_for_timeout(2500)  # it would be asked again after two seconds
    assert len(asked) == before


def test_a_folder_that_is_dropped_is_told(served: Served, opened: Open) -> None:
    """The browser gives a folder as a file that cannot be read: that is no fault of the server."""
    page = opened(served)
    page.evaluate("""() => {
        const file = new File(['x'], 'folder');
        const broken = {arrayBuffer: () => Promise.reject(new DOMException('no', 'NotFoundError'))};
        File.prototype.slice = () => broken;
        const moved = new DataTransfer();
        moved.items.add(file);
        document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: moved, bubbles: true, cancelable: true}));
    }""")
    page.get_by_test_id("wrong").get_by_text("a file, not a folder").wait_for()
    assert served.left("uploads") == []


def test_every_family_opens(served: Served, opened: Open) -> None:
    """Tagged tokens in one file, a panel of segmentations, passages in TREC files."""
    (served.folder / "tagged.conll").write_text(TAGGED)
    (served.folder / "traces.jsonl").write_bytes(TRACES.read_bytes())
    (served.folder / "qrels.test").write_text(QRELS)
    (served.folder / "results.test").write_text(RUN)
    tokens = served.score("tagged.conll", None)
    page = opened(served, f"/runs/{tokens}/")
    assert page.get_by_test_id("f1").inner_text() == "0.4000"  # one of two is right, of three: 2 * 1 / (2 + 3)
    panel = served.score("traces.jsonl", None)
    page.goto(f"{served.origin}/runs/{panel}/")
    page.get_by_text("Headline against Gold, 8 documents").wait_for()
    wanted = ("Gold", "Sentences", "segments.b_score(tolerance=3)", "f1", "document", None)
    keys = ("gold", "pred", "measure", "rate", "average", "label")
    row = next(one for one in spanscope.panel(TRACES).rows if tuple(one[key] for key in keys) == wanted)
    lines = page.locator("tr", has_text="Sentences").all_inner_texts()
    assert any(f"{row['value']:.4f} ±{row['std']:.4f}" in line for line in lines)
    passages = served.score("qrels.test", "results.test")
    page.goto(f"{served.origin}/runs/{passages}/")
    page.get_by_test_id("card-0.map").wait_for()
    assert page.get_by_test_id("card-0.map").inner_text() == "0.6667"  # the mean of 5/6 and 1/2, by hand
    page.goto(served.origin)
    row = page.locator(f"[data-id='{passages}']")
    assert "0.6667 MAP mean" in row.inner_text().replace("\n", " ")
