"""Uploads and jobs: what they give, their limits, and that nothing half-made is left of those that end badly."""

import gzip
import http.client
import json
import os
import sys
import time
from pathlib import Path

import pytest

import spanscope
from spanscope import viewer
from spanscope.viewer import packing
from tests.cli import GOLD, PRED
from tests.serve import Json, Served
from tests.serve.conftest import Start

BAD = b"""{"id": 1, "text": "abc", "spans": []}
{"id": 2, "text": "abc", "spans": [{"start": 0, "end": 9, "label": "A"}]}
"""
# Stands for a job that takes its time: it writes half of what it makes, tells its process, and goes on.
SLOW = """
import json, os, pathlib, sys, time
job = json.loads(sys.stdin.readline())
folder = pathlib.Path(job["folder"])
folder.joinpath("out", "head.json").write_text("half")
folder.parent.parent.joinpath("pid").write_text(str(os.getpid()))
print(json.dumps({"stage": "scoring", "at": 1, "of": 9}), flush=True)
time.sleep(600)
"""


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """Make every job slow, until undone."""
    from spanscope.serve import jobs

    script = tmp_path / "slow.py"
    script.write_text(SLOW)
    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, str(script)))
    return monkeypatch


def alive(pid: int) -> bool:
    """Tell whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# ---------------------------------------------------------------- what a job gives


def test_a_run_has_the_figures_of_python(served: Served) -> None:
    options = {"measures": ["spans.iou"], "threshold": 0.7, "labels": ["Action", "Entity"], "text": "masked"}
    run = served.score("gold.jsonl", "pred.jsonl", name="mine", options=options)
    result = spanscope.evaluate(GOLD, PRED, "spans.iou(threshold=0.7)", labels=["Action", "Entity"])
    (row,) = (r for r in result.rows if (r.rate, r.average, r.label) == ("f1", "micro", None))
    (shown,) = served.ask("GET", "/api/runs").json["runs"]
    assert shown["figure"] == {
        "measure": "spans.iou(threshold=0.7)",
        "rate": "f1",
        "average": "micro",
        "value": row.value,
        "low": row.low,
        "high": row.high,
    }
    assert (shown["id"], shown["name"], shown["family"], shown["documents"]) == (run, "mine", "spans", 50)
    assert shown["inputs"] == ["gold.jsonl", "pred.jsonl"]
    data = packing.expand(served.ask("GET", f"/runs/{run}/data").body)
    found = {(r[1], r[2], r[3]): r[4] for r in data["rows"]}
    assert found["f1", "micro", None] == row.value
    assert data["inputs"][0]["path"] == "gold.jsonl"  # as the folder names it, not where it was copied to
    assert str(served.kept) not in json.dumps(data)


def test_texts_come_apart_and_in_any_range(served: Served) -> None:
    run = served.score("gold.jsonl", "pred.jsonl")
    texts = [json.loads(line)["text"] for line in GOLD.read_text(encoding="utf-8").splitlines()]
    data = packing.expand(served.ask("GET", f"/runs/{run}/data").body)
    assert data["corpus"]["texts"] is None
    assert data["corpus"]["served"] == [0, 50]
    for first, last in ((0, 50), (3, 7), (49, 50)):
        done = served.ask("GET", f"/runs/{run}/texts?from={first}&to={last}")
        assert done.headers["content-encoding"] == "gzip"
        assert json.loads(gzip.decompress(done.body)) == texts[first:last]
    for query in ("from=0&to=51", "from=7&to=3", "from=-1&to=3", "from=0", "from=a&to=b", "from=1e1&to=20"):
        assert served.ask("GET", f"/runs/{run}/texts?{query}").status == 400


def test_chunks_of_texts() -> None:
    """Long documents make small chunks: a chunk is what a reader waits for."""
    from spanscope.serve.job_files import CHUNK, LENGTH, put_texts

    path = Path(os.devnull)
    assert put_texts(["a"] * (2 * CHUNK + 1), path)[0] == [0, CHUNK, 2 * CHUNK, 2 * CHUNK + 1]
    assert put_texts(["a" * LENGTH, "b", "c"], path)[0] == [0, 1, 3]


@pytest.mark.parametrize("text", ["masked", "none"])
def test_withheld_texts_are_nowhere(served: Served, text: str) -> None:
    run = served.score("gold.jsonl", "pred.jsonl", options={"text": text})
    words = [word for word in GOLD.read_text(encoding="utf-8").split() if len(word) > 11 and word.isalpha()]
    assert words
    told = json.dumps(packing.expand(served.ask("GET", f"/runs/{run}/data").body))
    if text == "masked":
        told += gzip.decompress(served.ask("GET", f"/runs/{run}/texts?from=0&to=50").body).decode()
    else:
        assert served.ask("GET", f"/runs/{run}/texts?from=0&to=50").status == 400
    assert [word for word in words if word in told] == []


def test_a_server_may_show_no_more_than_it_was_told(start: Start) -> None:
    served = start(text="masked")
    done = served.ask(
        "POST", "/api/jobs", {"gold": "gold.jsonl", "pred": "pred.jsonl", "options": {"text": "full"}}
    )
    assert (done.status, done.error["expected"]) == (400, "none or masked")
    run = served.score("gold.jsonl", "pred.jsonl")
    assert packing.expand(served.ask("GET", f"/runs/{run}/data").body)["text"] == "masked"


def test_the_report_is_one_file_with_everything(served: Served) -> None:
    run = served.score("gold.jsonl", "pred.jsonl", name="Run <7>")
    done = served.ask("GET", f"/runs/{run}/report.html")
    assert done.headers["content-disposition"] == 'attachment; filename="Run-7.html"'
    found = viewer.unpack(done.body.decode())
    assert len(found["corpus"]["texts"]) == 50
    assert b"connect-src 'none'" in done.body


def test_the_report_of_a_large_run_is_made_when_asked_for(served: Served) -> None:
    """A report that would leave documents out is not made with the run; asked for, it is made, and kept."""
    run = served.score("gold.jsonl", "pred.jsonl")
    report = served.kept / "runs" / run / "out" / "report.html"
    made = viewer.unpack(report.read_text(encoding="utf-8"))
    report.unlink()
    again = viewer.unpack(served.ask("GET", f"/runs/{run}/report.html").body.decode())
    assert report.exists()
    for found in (made, again):
        found["exports"].pop("json")  # holds how long it took
    assert again == made
    assert served.left("jobs") == []


def test_compare_two_runs(served: Served) -> None:
    lines = PRED.read_text(encoding="utf-8").splitlines(keepends=True)
    fewer = "".join(
        json.dumps({**json.loads(line), "spans": json.loads(line)["spans"][1:]}) + "\n" for line in lines
    )
    (served.folder / "fewer.jsonl").write_text(fewer)
    runs = [served.score("gold.jsonl", name) for name in ("pred.jsonl", "fewer.jsonl")]
    alike = {one["alike"] for one in served.ask("GET", "/api/runs").json["runs"]}
    assert len(alike) == 1
    early = served.ask("GET", f"/compare/{'-'.join(runs)}/")
    assert (early.status, early.headers["location"]) == (303, f"/#/runs?pick={','.join(runs)}")
    job = served.submit(compare=runs)
    assert served.until(job, "done", "failed")["page"] == f"compare/{'-'.join(runs)}/"
    data = packing.expand(served.ask("GET", f"/compare/{'-'.join(runs)}/data").body)
    here = served.folder
    own = spanscope.compare(
        here / "gold.jsonl", ("pred.jsonl", here / "pred.jsonl"), ("fewer.jsonl", here / "fewer.jsonl")
    )
    assert [one["name"] for one in data["runs"]] == ["pred.jsonl", "fewer.jsonl"]
    assert len(data["rows"]) == len(own.rows)
    assert repr(own.value("f1").difference) in json.dumps(data["rows"])
    assert served.ask("DELETE", f"/api/runs/{runs[0]}").status == 200
    assert served.ask("GET", f"/compare/{'-'.join(runs)}/").status == 404


def test_result_files_can_be_compared(served: Served) -> None:
    for name in ("a", "b"):
        result = spanscope.evaluate(GOLD, PRED, "spans.exact")
        (served.folder / f"{name}.json").write_text(result.to_json(kept=True))
    files = {one["name"]: one["looks"] for one in served.ask("GET", "/api/files").json["files"]}
    assert files == {"a.json": "result", "b.json": "result", "gold.jsonl": "gold", "pred.jsonl": "pred"}
    runs = []
    for name in ("a.json", "b.json"):
        job = served.submit(result=name)
        assert served.until(job, "done", "failed")["state"] == "done"
        runs.append(job)
    first = served.ask("GET", "/api/runs").json["runs"][0]
    assert (first["opens"], first["figure"]["value"]) == (False, result.value("f1"))
    assert served.until(served.submit(compare=runs), "done", "failed")["state"] == "done"
    assert served.ask("GET", f"/runs/{runs[0]}/").status == 404
    kept = served.ask("GET", f"/runs/{runs[0]}/result.json")
    assert json.loads(kept.body)["kept"]["documents"] == [str(n) for n in result.comparison.names]


def test_runs_that_cannot_be_compared(served: Served) -> None:
    run = served.score("gold.jsonl", "pred.jsonl")
    other = served.score("gold.jsonl", "pred.jsonl", options={"measures": ["spans.exact"]})
    for ids, status in (([run], 400), ([run, run], 400), ([run, "x"], 404), ("x", 404), ([], 400)):
        assert served.ask("POST", "/api/jobs", {"compare": ids}).status == status, ids
    done = served.until(served.submit(compare=[run, other]), "done", "failed")
    assert done["error"]["expected"] == "runs scored with the same settings"


# ---------------------------------------------------------------- jobs that end badly


def test_a_bad_file_is_told_as_the_library_tells_it(served: Served) -> None:
    bad = served.upload("bad.jsonl", BAD)
    done = served.until(served.submit(gold=bad["id"], pred="pred.jsonl"), "done", "failed")
    assert done["state"] == "failed"
    with pytest.raises(spanscope.InputError) as told:
        spanscope.evaluate([json.loads(line) for line in BAD.splitlines()], [], "spans.exact")
    assert done["error"]["where"] == "bad.jsonl:2"
    assert done["error"]["expected"] == told.value.expected
    assert "past the end of the text" in done["error"]["what"]
    assert served.left("jobs") == served.left("runs") == []
    assert served.ask("GET", "/api/runs").json["runs"] == []


def test_a_cancelled_job_leaves_nothing_and_frees_its_slot(served: Served, slow: pytest.MonkeyPatch) -> None:
    job = served.submit(gold="gold.jsonl", pred="pred.jsonl")
    end = time.monotonic() + 60
    while served.ask("GET", f"/api/jobs/{job}").json["stage"] != "scoring" and time.monotonic() < end:
        time.sleep(0.02)
    pid = int((served.kept / "pid").read_text())
    assert alive(pid)
    assert served.ask("DELETE", f"/api/jobs/{job}").json["state"] == "cancelled"
    assert not alive(pid)
    assert served.left("jobs") == served.left("runs") == []
    assert served.ask("GET", "/api/runs").json["runs"] == []
    slow.undo()
    served.score("gold.jsonl", "pred.jsonl")


def test_too_many_jobs(start: Start, slow: pytest.MonkeyPatch) -> None:
    served = start(jobs=1, queue=2)
    held = [served.submit(gold="gold.jsonl", pred="pred.jsonl") for _ in range(3)]
    full = served.ask("POST", "/api/jobs", {"gold": "gold.jsonl", "pred": "pred.jsonl"})
    assert (full.status, full.error["what"]) == (429, "3 jobs are running or waiting")
    served.until(held[0], "running")
    assert [served.until(job, "waiting")["state"] for job in held[1:]] == ["waiting", "waiting"]
    served.ask("DELETE", f"/api/jobs/{held[2]}")  # one that waits
    held[2] = served.submit(gold="gold.jsonl", pred="pred.jsonl")
    for job in held:
        assert served.ask("DELETE", f"/api/jobs/{job}").json["state"] == "cancelled"
    assert served.left("jobs") == []


def test_a_job_that_takes_too_long(start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from spanscope.serve import jobs

    forever = (
        f"echo $$ > {tmp_path}/pid; exec sleep 600"  # a shell begins sooner than Python, however busy it is here
    )
    monkeypatch.setattr(jobs, "COMMAND", ("sh", "-c", forever))
    served = start(seconds=2.0)
    done = served.until(served.submit(gold="gold.jsonl", pred="pred.jsonl"), "failed")
    assert done["error"]["what"] == "the job took more than 2 seconds"
    assert not alive(int((tmp_path / "pid").read_text()))
    assert served.left("jobs") == []


@pytest.mark.parametrize("end", ["os.kill(os.getpid(), 9)", "sys.exit(0)", "sys.exit(3)"])
def test_a_job_that_dies(served: Served, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    """Where memory runs out the process is killed; one that ends without a word has no result either."""
    from spanscope.serve import jobs

    monkeypatch.setattr(jobs, "COMMAND", (sys.executable, "-c", f"import os, sys; {end}"))
    done = served.until(served.submit(gold="gold.jsonl", pred="pred.jsonl"), "failed")
    assert done["error"]["what"] == "the job ended without a result"
    assert served.left("jobs") == served.left("runs") == []
    assert served.ask("GET", "/api/files").status == 200


def test_no_dropped_file_is_ever_imported(served: Served) -> None:
    """Python looks for modules where it is started; a file called json.py that lies there must stay data."""
    for place in (served.kept, served.folder):
        (place / "json.py").write_text("raise SystemExit(7)")
    served.score("gold.jsonl", served.upload("json.py", PRED.read_bytes())["id"])


# ---------------------------------------------------------------- limits of requests


def test_an_upload_over_the_limit(start: Start) -> None:
    served = start(upload=1000)
    assert served.upload("fits.jsonl", b"x" * 1000)["size"] == 1000
    done = served.ask("POST", "/api/upload?name=big.jsonl", b"x" * 1001)
    assert (done.status, done.error["what"]) == (413, "the file has more than 1 KB")
    assert len(served.left("uploads")) == 1


def test_an_upload_that_does_not_say_its_size(start: Start) -> None:
    """The limit holds while the bytes come, whatever the headers say."""
    served = start(upload=100_000)
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    headers = {"Origin": served.origin, "Content-Type": "application/octet-stream"}
    parts = (b"x" * 10_000 for _ in range(40))
    connection.request("POST", "/api/upload?name=a", parts, headers, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()
    assert served.left("uploads") == []


def test_an_upload_that_is_cut_off(served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    connection.putrequest("POST", "/api/upload?name=a.jsonl")
    for name, value in (("Origin", served.origin), ("Content-Type", "application/octet-stream")):
        connection.putheader(name, value)
    connection.putheader("Content-Length", "5000")
    connection.endheaders(b"x" * 2000)
    end = time.monotonic() + 60
    while not served.left("coming") and time.monotonic() < end:
        time.sleep(0.02)
    assert served.left("coming")  # it has begun
    connection.close()
    while served.left("coming") and time.monotonic() < end:
        time.sleep(0.02)
    assert served.left("uploads") == served.left("coming") == []
    assert served.ask("GET", "/api/files").json["uploads"] == []


def test_old_uploads_go_and_runs_never_do(start: Start) -> None:
    served = start(uploads=2, runs=2)
    sent = [served.upload(f"{n}.jsonl", b"x")["id"] for n in range(3)]
    assert served.left("uploads") == sorted(sent[1:])
    runs = [
        served.score("gold.jsonl", "pred.jsonl", options={"measures": ["spans.exact"], "ci": False})
        for _ in range(2)
    ]
    full = served.ask("POST", "/api/jobs", {"gold": "gold.jsonl", "pred": "pred.jsonl"})
    assert (full.status, full.error["what"]) == (507, "2 runs are kept")
    assert served.listed() == [runs[1], runs[0]]
    assert served.ask("DELETE", f"/api/runs/{runs[0]}").status == 200
    served.score("gold.jsonl", "pred.jsonl", options={"measures": ["spans.exact"], "ci": False})


@pytest.mark.parametrize(
    "options",
    [
        {"nothing": 1},
        {"measures": "spans.exact"},
        {"measures": [1]},
        {"threshold": "x"},
        {"ci": 1},
        {"k": True},
        7,
        {"protocol": "none"},
        {"measures": ["none"]},
        {"threshold": 0.5},
        {"text": "all"},
        {"corpus": "/etc"},
        {"measures": ["spans.exact"], "threshold": 0.5},
        {"measures": ["spans.iou"], "threshold": 7},
    ],
)
def test_options_are_checked_before_a_job_begins(served: Served, options: Json) -> None:
    done = served.ask("POST", "/api/jobs", {"gold": "gold.jsonl", "pred": "pred.jsonl", "options": options})
    assert done.status == 400, done
    assert done.error["what"]
    assert served.left("jobs") == []


def test_bodies_that_are_no_requests(served: Served) -> None:
    for body, status in (
        (b"{", 400),
        (b"[]", 400),
        (b"", 400),
        (b"\xff", 400),
        (b"[" * 50_000, 400),
        (b" " * 70_000, 413),
    ):
        assert served.ask("POST", "/api/jobs", body, Content_Type="application/json").status == status


def test_events_tell_a_job_to_its_end(served: Served) -> None:
    job = served.submit(gold="gold.jsonl", pred="pred.jsonl")
    done = served.ask("GET", f"/api/jobs/{job}/events")
    assert done.headers["content-type"].startswith("text/event-stream")
    told = [
        json.loads(part.removeprefix("data: "))
        for part in done.body.decode().split("\n\n")
        if part.startswith("data")
    ]
    assert told[-1]["state"] == "done"
    assert {"reading gold", "scoring", "page"} <= set(told[-1]["stages"])
    assert served.ask("GET", "/api/jobs/none/events").status == 404


def test_quotes_are_placed_before_they_are_scored(served: Served) -> None:
    """One of two quotes is gold's, the other is invented: precision 1/2."""
    gold = {"id": "a", "text": "Bob pays in 30 days.", "spans": [{"start": 0, "end": 3, "label": "P"}]}
    said = {"id": "a", "output": '```json\n{"P": ["bob"], "T": ["in 45 days"]}\n```'}
    for name, one in (("quoted.gold.jsonl", gold), ("quoted.said.jsonl", said)):
        served.folder.joinpath(name).write_text(json.dumps(one), encoding="utf-8")
    options = {"measures": ["spans.exact"], "locate": True}
    run = served.score("quoted.gold.jsonl", "quoted.said.jsonl", options=options)
    data = packing.expand(served.ask("GET", f"/runs/{run}/data").body)
    found = {(r[1], r[2], r[3]): r[4] for r in data["rows"]}
    assert found["precision", "micro", None] == 0.5
    assert [(one["quote"], one["nearest"]) for one in data["quotes"]["lines"]] == [("in 45 days", [9, 19])]
