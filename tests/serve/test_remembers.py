"""What a server remembers after a restart: runs, uploads, names and notes; and what it removes, and when."""

import json
import sqlite3
import time
from pathlib import Path

import pytest

import spanscope
from tests.cli import GOLD, PRED
from tests.serve import Served
from tests.serve.conftest import Start

QUICK = {"measures": ["spans.exact"], "ci": False}


def score(served: Served, **more: object) -> str:
    return served.score("gold.jsonl", "pred.jsonl", **{"options": QUICK, **more})


def test_a_restart_loses_nothing(start: Start) -> None:
    served = start()
    sent = served.upload("mine.jsonl", PRED.read_bytes())
    runs = [score(served, name="first"), served.score("gold.jsonl", sent["id"], name="second", options=QUICK)]
    assert served.until(served.submit(compare=runs), "done", "failed")["state"] == "done"
    done = served.ask("POST", f"/api/runs/{runs[0]}", {"name": "renamed", "note": "two\nlines"})
    assert (done.json["name"], done.json["note"]) == ("renamed", "two\nlines")
    addresses = [
        f"/compare/{'-'.join(runs)}/data",
        *(f"/runs/{run}/{what}" for run in runs for what in ("", "data", "report.html")),
    ]
    listed = served.ask("GET", "/api/runs").json
    before = [served.ask("GET", address).body for address in addresses]
    files = served.ask("GET", "/api/files").json
    served.stop()
    again = start()
    assert [again.ask("GET", address).body for address in addresses] == before
    assert again.ask("GET", "/api/runs").json == listed
    assert again.ask("GET", "/api/files").json == files
    again.score("gold.jsonl", sent["id"], name="with the old upload", options=QUICK)


def test_a_run_that_was_deleted_can_be_had_back(start: Start) -> None:
    served = start()
    run, other = score(served, name="gone"), score(served)
    assert served.ask("DELETE", f"/api/runs/{run}").status == 200
    assert served.listed() == [other]
    assert served.ask("GET", f"/runs/{run}/data").status == 404
    served.stop()
    again = start()  # also after a restart
    (gone,) = again.ask("GET", "/api/runs").json["deleted"]
    assert (gone["id"], gone["name"]) == (run, "gone")
    assert again.ask("POST", f"/api/runs/{run}", {"deleted": False}).status == 200
    assert again.listed() == [other, run]  # where it was
    assert again.ask("GET", f"/runs/{run}/data").status == 200
    assert again.ask("GET", "/api/runs").json["deleted"] == []


def test_undo_ends(start: Start) -> None:
    served = start(undo=0.0)
    run = score(served)
    served.ask("DELETE", f"/api/runs/{run}")
    assert served.ask("GET", "/api/runs").json["deleted"] == []
    assert served.left("runs") == []
    assert served.ask("POST", f"/api/runs/{run}", {"deleted": False}).status == 404


@pytest.mark.parametrize("body", [{"name": " "}, {"deleted": True}, {"id": "x"}, {"note": 3}])
def test_what_cannot_be_changed(start: Start, body: dict[str, object]) -> None:
    served = start()
    run = score(served)
    assert served.ask("POST", f"/api/runs/{run}", body).status == 400
    assert served.ask("POST", "/api/runs/0123456789ab", {"name": "x"}).status == 404


def test_only_the_owner_can_read(start: Start) -> None:
    served = start()
    served.upload("a.jsonl", b"x")
    score(served)
    modes = {path.is_dir(): set[int]() for path in served.kept.rglob("*")}
    for path in (served.kept, *served.kept.rglob("*")):
        modes[path.is_dir()].add(path.stat().st_mode & 0o777)
    assert modes == {True: {0o700}, False: {0o600}}


def test_a_folder_that_others_can_read_is_closed(start: Start, tmp_path: Path) -> None:
    start().stop()
    (tmp_path / "kept").chmod(0o755)
    assert start().kept.stat().st_mode & 0o777 == 0o700


def test_uploads_end_with_their_age(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    served = start(days=1.0)
    old = served.upload("old.jsonl", b"x")
    served.held.uploads[old["id"]] = served.held.uploads[old["id"]].__class__(
        **{**old, "modified": time.time() - 86_401}
    )
    new = served.upload("new.jsonl", b"x")
    assert served.left("uploads") == [new["id"]]
    assert [one["id"] for one in served.ask("GET", "/api/files").json["uploads"]] == [new["id"]]


def test_an_upload_can_be_removed(start: Start) -> None:
    served = start()
    sent = served.upload("a.jsonl", b"x")
    assert served.ask("DELETE", f"/api/uploads/{sent['id']}").status == 200
    assert served.left("uploads") == []
    assert served.ask("DELETE", f"/api/uploads/{sent['id']}").status == 404
    assert served.ask("DELETE", "/api/uploads/..%2Fruns").status == 404


def test_where_room_is_lacking_uploads_go_and_runs_stay(start: Start) -> None:
    served = start()
    run = score(served)
    used = served.held.store.size()
    assert used == sum(path.stat().st_size for path in (served.kept / "runs").rglob("*") if path.is_file())
    served.stop()
    served = start(total=used + 100)
    _, second = (served.upload(name, b"x" * 60) for name in ("a", "b"))
    assert served.left("uploads") == [second["id"]]
    full = served.ask("POST", "/api/upload?name=c", b"x" * 101)
    assert (full.status, full.error["hint"]) == (507, "delete runs, or spanscope serve --total 20GB")
    assert served.listed() == [run]
    assert served.left("coming") == []


@pytest.mark.parametrize("text", ["masked", "none"])
def test_where_texts_are_withheld_none_stays_on_the_disk(start: Start, text: str) -> None:
    served = start(text=text)
    gold, pred = (served.upload(path.name, path.read_bytes())["id"] for path in (GOLD, PRED))
    run = served.score(gold, pred)
    served.ask("GET", f"/runs/{run}/report.html")
    served.stop()
    words = {word for word in GOLD.read_text(encoding="utf-8").split() if len(word) > 11 and word.isalpha()}
    assert words
    from spanscope.viewer import unpack

    report = json.dumps(unpack((served.kept / "runs" / run / "out" / "report.html").read_text(encoding="utf-8")))
    everything = [
        path.read_bytes().decode("utf-8", "replace") for path in served.kept.rglob("*") if path.is_file()
    ]
    assert [word for word in words if any(word in one for one in (*everything, report))] == []
    assert served.left("uploads") == []
    again = start(text=text)
    assert again.listed() == [run]
    assert again.ask("GET", f"/runs/{run}/data").status == 200


def test_uploads_of_a_killed_server_that_withholds_texts_go_when_it_starts(start: Start, tmp_path: Path) -> None:
    """It could not remove them itself: as if it had been killed, they are put back."""
    served = start()
    kept = served.upload("kept.jsonl", b"x")["id"]
    held = served.held.uploads[kept]
    head = {"name": "left.jsonl", "size": 1, "modified": held.modified, "looks": "data", "passing": True}
    from spanscope.serve.store import new_item

    coming = served.kept / "coming" / "u1"
    coming.mkdir()
    (coming / "left.jsonl").write_bytes(b"x")
    served.held.store.add(new_item("u1", "upload", 1, head), coming)
    served.stop()
    assert start(text="masked").left("uploads") == [kept]


def test_runs_that_show_texts_stay_closed_where_texts_are_withheld(start: Start) -> None:
    served = start()
    full, masked = score(served), score(served, options={**QUICK, "text": "masked"})
    served.until(served.submit(compare=[full, masked]), "done", "failed")
    served.stop()
    again = start(text="masked")
    shown = {one["id"]: one for one in again.ask("GET", "/api/runs").json["runs"]}
    assert shown[full]["figure"] == shown[masked]["figure"]
    assert "--text masked" in shown[full]["closed"]
    assert (shown[full]["opens"], shown[masked]["opens"]) == (False, True)
    for what in ("", "data", "texts?from=0&to=5", "report.html", "result.json"):
        assert again.ask("GET", f"/runs/{full}/{what}").status == 403, what
        assert again.ask("GET", f"/runs/{masked}/{what}").status in (200, 400), what
    job = again.until(again.submit(compare=[full, masked]), "done", "failed")
    assert job["state"] == "done"
    from spanscope.viewer.packing import expand

    assert expand(again.ask("GET", f"/{job['page']}data").body)["text"] == "masked"


def test_an_index_that_cannot_be_used_says_what_to_do(start: Start, tmp_path: Path) -> None:
    served = start()
    score(served)
    served.stop()
    index = served.kept / "index.sqlite"
    sound = index.read_bytes()
    with sqlite3.connect(index) as later:
        later.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(spanscope.InputError, match="another version of Spanscope") as told:
        start()
    assert "--folder OTHER" in told.value.hint
    index.write_bytes(b"nonsense" * 1000)
    with pytest.raises(spanscope.InputError, match="cannot be read"):
        start()
    index.write_bytes(sound)
    assert len(start().listed()) == 1


def test_a_run_of_a_later_version_is_listed_and_says_so(start: Start) -> None:
    served = start()
    run = score(served)
    served.held.runs[run]["form"] = 99
    (shown,) = served.ask("GET", "/api/runs").json["runs"]
    assert shown["opens"] is False
    assert "earlier one" in shown["closed"]
    done = served.ask("GET", f"/runs/{run}/data")
    assert (done.status, done.error["hint"]) == (403, "pip install --upgrade spanscope")


def test_result_files_of_other_versions(start: Start) -> None:
    """One whose counts are in a form that is not known is refused with what to do; one without them too."""
    served = start()
    result = json.loads(spanscope.evaluate(GOLD, PRED, "spans.exact", ci=False).to_json(kept=True))
    older = {**result, "spanscope": "0.0.1"}
    later = {**result, "kept": {**result["kept"], "form": 7}}
    bare = {key: value for key, value in result.items() if key != "kept"}
    states = {}
    for name, value in (("older", older), ("later", later), ("bare", bare)):
        sent = served.upload(f"{name}.json", json.dumps(value).encode())
        assert sent["looks"] == "result"
        states[name] = served.until(served.submit(result=sent["id"]), "done", "failed")
    assert {name: one["state"] for name, one in states.items()} == {
        "older": "done",
        "later": "failed",
        "bare": "failed",
    }
    assert "--keep" in states["bare"]["error"]["hint"]
    assert "score it again" in states["later"]["error"]["hint"]


def test_failures_expire_and_can_be_dismissed(start: Start) -> None:
    served = start()

    def fail() -> None:
        job = served.submit(gold="gold.jsonl", pred=served.upload("bad.jsonl", b"{}\n")["id"])
        served.until(job, "failed")

    fail()
    fail()
    assert len(served.ask("GET", "/api/runs").json["jobs"]) == 2
    assert served.ask("DELETE", "/api/jobs").status == 200
    assert served.ask("GET", "/api/runs").json["jobs"] == []
    served.stop()
    served = start(told=0.0)
    job = served.submit(gold="gold.jsonl", pred=served.upload("bad.jsonl", b"{}\n")["id"])
    while served.ask("GET", "/api/runs").json["jobs"]:
        time.sleep(0.02)
    assert served.ask("GET", f"/api/jobs/{job}").status == 404
