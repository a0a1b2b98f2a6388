"""What nobody asks for by accident: halves of characters, packed giants, deleted runs, processes that babble."""

import gzip
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.serve.folder import list_files
from spanscope.serve.limits import Limits
from tests.cli import GOLD, PRED, TRACES
from tests.serve import Json, Served
from tests.serve.conftest import Start
from tests.serve.test_jobs import slow

__all__ = ["slow"]
QRELS = "1 0 d1 1\n1 0 d2 0\n1 0 d3 1\n2 0 d1 1\n"
RUN = "1 Q0 d1 1 3.0 x\n1 Q0 d2 2 2.0 x\n1 Q0 d3 3 1.0 x\n2 Q0 d2 1 2.0 x\n2 Q0 d1 2 1.0 x\n"


def test_half_a_character_in_a_name_does_not_break_the_lists(served: Served, slow: pytest.MonkeyPatch) -> None:
    job = served.submit(gold="gold.jsonl", pred="pred.jsonl", name="\ud800\u202ex")
    lists = served.ask("GET", "/api/runs")
    assert (lists.status, lists.json["jobs"][0]["name"]) == (200, "\\ud800\\u202ex")
    assert served.ask("DELETE", f"/api/jobs/{job}").status == 200


def test_a_file_with_a_name_of_odd_bytes_that_goes_before_it_is_read(
    served: Served, slow: pytest.MonkeyPatch
) -> None:
    odd = Path(str(served.folder), "gold\udcff.jsonl")
    shutil.copy(GOLD, odd)
    first = served.submit(gold="gold.jsonl", pred="pred.jsonl")
    files = served.ask("GET", "/api/files").json["files"]
    own = next(one["id"] for one in files if "udcff" in one["name"])
    waiting = served.submit(gold=own, pred="pred.jsonl")
    odd.unlink()
    slow.undo()
    served.ask("DELETE", f"/api/jobs/{first}")
    assert "cannot be read" in served.until(waiting, "failed")["error"]["what"]
    assert served.ask("GET", "/api/runs").status == 200


@pytest.mark.parametrize(
    "options",
    [
        {"measures": ["spans.iou"], "threshold": 10**400},
        {"beta": 10**400},
        {"beta": -(10**12)},
        {"labels": ["\ud800"]},
        {"missing": "\ud800"},
    ],
)
def test_values_that_no_computer_holds_are_refused_at_once(served: Served, options: Json) -> None:
    answer = served.ask("POST", "/api/jobs", {"gold": "gold.jsonl", "pred": "pred.jsonl", "options": options})
    assert answer.status == 400
    assert "internal" not in answer.error["what"]


def test_an_upload_that_unpacks_to_more_than_the_limit(start: Start) -> None:
    served = start(upload=100_000)
    document = b'{"id": "a", "text": "' + b"a" * 200_000 + b'", "spans": []}\n'
    bomb = served.upload("gold.jsonl", gzip.compress(document))  # told by its bytes, not by its name
    assert bomb["size"] < 1000
    done = served.until(served.submit(gold=bomb["id"], pred=bomb["id"]), "done", "failed")
    assert done["error"]["what"] == "unpacks to more than 100 KB"
    assert served.until(served.submit(result=bomb["id"]), "done", "failed")["state"] == "failed"
    assert served.left("jobs") == []
    fits = served.upload("gold.jsonl.gz", gzip.compress(GOLD.read_bytes()))
    served.score(fits["id"], "pred.jsonl")
    broken = served.upload("gold.jsonl.gz", gzip.compress(GOLD.read_bytes())[:500])
    done = served.until(served.submit(gold=broken["id"], pred="pred.jsonl"), "done", "failed")
    assert "not a whole gzip file" in done["error"]["what"]


def test_a_run_deleted_while_its_comparison_waits(served: Served, slow: pytest.MonkeyPatch) -> None:
    slow.undo()
    runs = [served.score("gold.jsonl", "pred.jsonl", name=name) for name in ("a", "b")]
    script = served.folder.parent / "slow.py"
    from spanscope.serve import jobs

    slow.setattr(jobs, "COMMAND", (sys.executable, str(script)))
    first = served.submit(gold="gold.jsonl", pred="pred.jsonl")
    served.until(first, "running")
    compare = served.submit(compare=runs)
    slow.undo()
    assert served.ask("DELETE", f"/api/runs/{runs[0]}").status == 200
    served.ask("DELETE", f"/api/jobs/{first}")
    assert served.until(compare, "done", "failed")["error"]["what"] == "a run was deleted in the meantime"
    assert served.ask("GET", f"/compare/{'-'.join(runs)}/").status == 404
    assert served.listed() == [runs[1]]
    assert served.left("runs") == sorted(runs)  # the other can still be had back


@pytest.mark.parametrize("words", ["print('no JSON')", "print('[1]')", "print('x' * 3_000_000)"])
def test_a_job_that_babbles_fails_and_frees_its_slot(
    start: Start, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    from spanscope.serve import jobs

    served = start(jobs=1, queue=0)
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "COMMAND", (sys.executable, "-c", words))
        done = served.until(served.submit(gold="gold.jsonl", pred="pred.jsonl"), "done", "failed")
    assert done["state"] == "failed"
    assert done["error"]["what"]
    served.score("gold.jsonl", "pred.jsonl")


def _set(data: Any, at: list[Any], value: Any) -> None:
    for key in at[:-1]:
        data = data[key]
    data[at[-1]] = value


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (["inputs", "pred"], "x"),
        (["inputs", "gold"], {}),
        (["rows", 0, "value"], "x"),
        (["rows", 24, "low"], []),  # of micro F1
        (["rows"], 7),
        (["kept", "tables", "spans.exact(duplicates=list)", "document", 0], 10**400),
    ],
)
def test_a_result_file_that_was_tampered_with(served: Served, at: list[Any], value: Any) -> None:
    data = json.loads(spanscope.evaluate(GOLD, PRED, "spans.exact").to_json(kept=True))
    _set(data, at, value)
    (served.folder / "odd.json").write_text(json.dumps(data))
    done = served.until(served.submit(result="odd.json"), "done", "failed")
    assert done["state"] == "failed"
    assert "internal" not in done["error"]["what"]
    assert served.ask("GET", "/api/runs").json["runs"] == []


# ---------------------------------------------------------------- the folder


def test_folders_count_too(tmp_path: Path) -> None:
    """A folder of folders must not be walked through without end every few seconds."""
    for at in range(30):
        (tmp_path / f"{at:02}").mkdir()
    (tmp_path / "29" / "gold.jsonl").write_bytes(b"")
    assert list_files(tmp_path, Limits(entries=20)) == ([], True)
    assert [file.name for file in list_files(tmp_path, Limits(entries=40))[0]] == ["29/gold.jsonl"]


def test_a_folder_that_is_removed(served: Served) -> None:
    assert served.ask("GET", "/api/files").json["there"] is True
    shutil.rmtree(served.folder)
    gone = served.ask("GET", "/api/files")
    assert (gone.status, gone.json["there"], gone.json["files"]) == (200, False, [])
    assert served.ask("POST", "/api/jobs", {"gold": "gold.jsonl", "pred": "pred.jsonl"}).status == 404


def test_trec_files_are_listed_whatever_they_end_in(served: Served) -> None:
    (served.folder / "qrels.test").write_text(QRELS)
    (served.folder / "results.test").write_text(RUN)
    looks = {one["name"]: one["looks"] for one in served.ask("GET", "/api/files").json["files"]}
    assert (looks["qrels.test"], looks["results.test"]) == ("gold", "pred")
    served.score("qrels.test", "results.test")
    figure = served.ask("GET", "/api/runs").json["runs"][0]["figure"]
    mean = ((1 + 2 / 3) / 2 + 1 / 2) / 2  # average precision of the two queries, by hand
    assert (figure["rate"], figure["average"], figure["value"]) == ("map", "document", pytest.approx(mean))


@pytest.mark.parametrize("option", [{"labels": ["A"]}, {"k": 3}, {"scheme": "IO"}, {"strict": True}], ids=str)
def test_options_that_a_panel_does_not_read_are_refused(served: Served, option: Json) -> None:
    (served.folder / "traces.jsonl").write_bytes(TRACES.read_bytes())
    done = served.until(served.submit(gold="traces.jsonl", pred=None, options=option), "done", "failed")
    assert done["state"] == "failed"
    assert "is not for segmentations of one file" in json.dumps(done["error"])


def test_a_server_that_masks_texts_quotes_none_in_its_messages(start: Start) -> None:
    """Neither in a job that failed, nor in the list of runs and jobs."""
    served = start(text="masked")
    for name, gold in {
        "span.jsonl": {"id": 1, "text": "Zebulon Pike", "spans": ["Zebulon"]},
        "tokens.jsonl": {"id": 1, "text": "nobody", "tokens": ["Zebulon"], "tags": ["B-PER"]},
        "cut.jsonl": {"id": 1, "text": "Zebulon Pike", "segments": ["Zebulon"]},
    }.items():
        own = served.upload(name, (json.dumps(gold) + "\n").encode())["id"]
        job = served.submit(gold=own, pred=None if name == "cut.jsonl" else own)
        assert served.until(job, "failed")["error"]["what"]
    for place in ("/api/jobs", "/api/runs"):
        assert "Zebulon" not in served.ask("GET", place).body.decode()
    assert all("Zebulon" not in str(job) for job in served.ask("GET", "/api/runs").json["jobs"])
