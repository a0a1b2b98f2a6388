"""A corpus too large for a report in one file, with the limits turned down: texts in chunks, the report later."""

import gzip
import json
import re
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import spanscope
from spanscope import viewer
from spanscope.viewer import packing
from tests.cli import GOLD, PRED
from tests.serve import Served
from tests.serve.conftest import Start
from tests.serve.test_runs_page import Open, hold, let_go, opened

__all__ = ["opened"]
CHUNK = 7
TURNED = f"""
import sys; sys.path.pop(0)
from spanscope import viewer
from spanscope.serve import job_files, work
from spanscope.viewer import payload
payload.BUDGET = viewer.BUDGET = 5_000
job_files.CHUNK = {CHUNK}
sys.exit(work.main())
"""


@pytest.fixture
def large(served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Served:
    """Return a server whose jobs take the demo corpus for a large one."""
    from spanscope.serve import jobs

    script = tmp_path / "turned.py"
    script.write_text(TURNED)
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, str(script)))
    return served


def texts_of(path: Path) -> list[str]:
    return [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_document_is_served_and_the_report_is_made_later(large: Served) -> None:
    run = large.score("gold.jsonl", "pred.jsonl")
    report = large.kept / "runs" / run / "out" / "report.html"
    assert not report.exists()
    data = packing.expand(large.ask("GET", f"/runs/{run}/data").body)
    bounds = data["corpus"]["served"]
    assert bounds == [*range(0, 50, CHUNK), 50]
    assert len(data["corpus"]["names"]) == 50
    found: list[str] = []
    for first, last in pairwise(bounds):
        found += sent(large, run, first, last)
    assert found == texts_of(GOLD)
    assert sent(large, run, 5, 9) == texts_of(GOLD)[5:9]  # across two chunks
    page = large.ask("GET", f"/runs/{run}/").body.decode()
    assert re.search(r'id="data">\s*</script>', page)
    assert "connect-src 'self'" in page

    saved = large.ask("GET", f"/runs/{run}/report.html")
    own = viewer.unpack(saved.body.decode())
    assert 0 < len(own["corpus"]["names"]) < 50
    result = spanscope.evaluate(GOLD, PRED)
    whole = own["corpus"]["whole"][own["corpus"]["at"]]
    assert whole["f1"] == result.value("f1") == large.ask("GET", "/api/runs").json["runs"][0]["figure"]["value"]
    assert report.exists()
    assert large.left("jobs") == []


def sent(served: Served, run: str, first: int, last: int) -> list[str]:
    answer = served.ask("GET", f"/runs/{run}/texts?from={first}&to={last}")
    found: list[str] = json.loads(gzip.decompress(answer.body))
    return found


@pytest.mark.parametrize("text", ["none", "masked"])
def test_withheld_texts_are_not_in_the_chunks(large: Served, text: str) -> None:
    run = large.score("gold.jsonl", "pred.jsonl", options={"text": text})
    out = large.kept / "runs" / run / "out"
    if text == "none":
        assert not (out / "texts.bin").exists()
        assert large.ask("GET", f"/runs/{run}/texts?from=0&to=7").status == 400
    else:
        assert not re.search(r"[a-wyzA-Z]", "".join(sent(large, run, 0, 50)))


def test_inputs_beyond_the_limit_are_not_kept_and_runs_compare_by_counts(large: Served, start: Start) -> None:
    lines = PRED.read_text(encoding="utf-8").splitlines()
    fewer = [{**json.loads(line), "spans": json.loads(line)["spans"][1:]} for line in lines]
    (large.folder / "fewer.jsonl").write_text("".join(json.dumps(one) + "\n" for one in fewer))
    large.stop()  # one server at a time uses the folder
    small = start(upload=30_000)
    runs = [small.score("gold.jsonl", name) for name in ("pred.jsonl", "fewer.jsonl")]
    assert not (small.kept / "runs" / runs[0] / "in").exists()
    done = small.until(small.submit(compare=runs), "done", "failed")
    assert done["state"] == "done", done
    data = packing.expand(small.ask("GET", f"/{done['page']}data").body)
    here = small.folder
    own = spanscope.compare(here / "gold.jsonl", ("a", here / "pred.jsonl"), ("b", here / "fewer.jsonl"))
    assert repr(own.value("f1").difference) in json.dumps(data["rows"])
    refused = small.ask("GET", f"/runs/{runs[0]}/report.html")
    assert (refused.status, "no copies of the inputs were kept" in refused.error["what"]) == (500, True)


def test_search_while_texts_load(large: Served, opened: Open) -> None:
    """What is found grows as texts arrive, and is at the end what a page with all texts in it finds."""
    run = large.score("gold.jsonl", "pred.jsonl")
    whole = large.kept / "all.html"
    whole.write_text(viewer.render(spanscope.evaluate(GOLD, PRED)), encoding="utf-8")
    page = opened(large, "/favicon")
    held = hold(page, "**/texts?*")
    page.goto(f"{large.origin}/runs/{run}/#/errors?q=system")
    page.get_by_text("50 texts still loading; found so far").wait_for()
    assert page.get_by_test_id("row").count() == 0
    assert page.get_by_test_id("f1").inner_text() == f"{spanscope.evaluate(GOLD, PRED).value('f1'):.4f}"
    let_go(held)
    page.get_by_test_id("coming").wait_for(state="detached")
    found = page.locator(".chips").inner_text()
    assert re.search(r"[1-9]\d* listed", found)
    other = page.context.new_page()
    other.goto(f"{whole.as_uri()}#/errors?q=system")
    other.get_by_text("listed").first.wait_for()
    assert other.locator(".chips").inner_text() == found
