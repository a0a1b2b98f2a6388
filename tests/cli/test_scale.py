"""--jobs and --memory on the command line."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from spanscope import Running
from spanscope.cli import progress
from spanscope.engines import sizes, streaming
from spanscope.io import line_blocks as blocks
from tests.cli import Done, refused, run
from tests.streaming_support import documents, files, put


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make blocks so small that there are several."""
    monkeypatch.setattr(blocks, "LINES", 7)


def data(done: Done) -> dict[str, Any]:
    assert done.code == 0, done.err
    out: dict[str, Any] = json.loads(done.out)
    return out


def test_eval(tmp_path: Path) -> None:
    paths = files(tmp_path, "spans")
    expected = data(run("eval", *paths, "-f", "json"))
    assert expected.pop("memory") == "spans"
    for options, kept in (
        (("--jobs", 2, "--memory", "counts"), "counts"),
        (("--memory", "counts"), "counts"),
        (("-j", 2), "counts"),
        (("--memory", "spans"), "spans"),
    ):
        found = data(run("eval", *paths, *options, "-f", "json"))
        assert found.pop("memory") == kept
        assert found | {"timings": 0} == expected | {"timings": 0}
    assert "Memory" not in run("eval", *paths).out
    assert "totals of all documents were kept, no spans" in run("eval", *paths, "--memory", "totals").out


REFUSED = [
    (("--matches", "-f", "json", "--memory", "counts"), "--matches needs the spans"),
    (("--examples", 3, "--memory", "totals"), "--examples needs the spans"),
    (("--html", "page.html", "--memory", "counts"), "--html needs the spans"),
    (("--html", "page.html", "--jobs", 2), "--html needs the spans"),
    (("--matches", "-f", "json", "--jobs", 2), "--matches needs the spans"),
    (("--keep", "-f", "json", "--memory", "totals"), "--keep needs the counts of every document"),
    (("--documents", "-f", "json", "--memory", "totals"), "--documents needs the counts of every document"),
    (("--worst", 3, "--memory", "totals"), "--worst needs the counts of every document"),
    (("--worst", 3, "--examples", 3, "--memory", "counts"), "--examples needs the spans"),
    (("-f", "squad", "--memory", "counts"), "--format squad needs the spans"),
    (("--memory", "all"), "memory is 'all'"),
    (("--thresholds", "exact", "--memory", "totals"), "exact thresholds need every score"),
    (("--jobs", 0), "--jobs"),
]


@pytest.mark.parametrize(("options", "words"), REFUSED)
def test_refused_before_the_work(
    options: Any, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = files(tmp_path, "spans", 3)
    monkeypatch.setattr(streaming, "open_stream", None)  # nothing may be read
    done = run("eval", *paths, *options)
    assert done.code == 2
    assert words in " ".join(done.err.replace("│", " ").split())
    assert not Path("page.html").exists()


def test_keep_with_counts(tmp_path: Path) -> None:
    gold, pred = files(tmp_path, "spans")
    for name, run_of in (("a", pred), ("b", gold)):
        done = run("eval", gold, run_of, "--keep", "--memory", "counts", "-o", tmp_path / f"{name}.json")
        assert done.code == 0, done.err
    found = data(run("compare", tmp_path / "a.json", tmp_path / "b.json", "-f", "json"))
    expected = data(run("compare", gold, f"{tmp_path}/a.json={pred}", f"{tmp_path}/b.json={gold}", "-f", "json"))
    assert found["rows"] == expected["rows"]


def test_views_decide_what_large_files_keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is said about memory, views get what they need however large the files are."""
    paths = files(tmp_path, "spans")
    monkeypatch.setattr(sizes, "LARGE", 0)
    monkeypatch.setattr(sizes, "MOST_COUNTED", 20)
    assert data(run("eval", *paths, "-f", "json"))["memory"] == "totals"
    assert data(run("eval", *paths, "-f", "json", "--keep"))["memory"] == "counts"
    assert data(run("eval", *paths, "-f", "json", "--matches"))["memory"] == "spans"
    assert run("report", *paths, "-o", tmp_path / "page.html").code == 0


def test_compare(tmp_path: Path) -> None:
    gold, pred = files(tmp_path, "spans")
    theirs = documents("spans")[1]
    shuffled = put(tmp_path / "other.jsonl", random.Random(3).sample(theirs[:-1], 59))
    runs = (gold, f"a={pred}", f"b={shuffled}", "--missing", "empty", "-f", "json")
    expected = data(run("compare", *runs))
    assert data(run("compare", *runs, "--jobs", 2))["rows"] == expected["rows"]
    assert data(run("compare", *runs, "--memory", "totals"))["rows"] == expected["rows"]


def test_standard_input(tmp_path: Path) -> None:
    gold, pred = files(tmp_path, "spans")
    expected = data(run("eval", gold, pred, "-f", "json"))
    lines = Path(pred).read_bytes()
    found = data(run("eval", gold, "-", "--memory", "counts", "-f", "json", stdin=lines))
    assert found["rows"] == expected["rows"]
    assert found["inputs"]["pred"]["sha256"] == expected["inputs"]["pred"]["sha256"]
    found = data(run("eval", "-", pred, "--memory", "totals", "-f", "json", stdin=Path(gold).read_bytes()))
    assert found["counts"] == expected["counts"]
    backwards = b"\n".join(reversed(lines.splitlines())) + b"\n"
    said = refused(run("eval", gold, "-", "--memory", "counts", stdin=backwards))
    assert said.startswith(f"<stdin>: the documents are not in the order of {gold}, and cannot be read again")


def test_one_file_of_segmentations_is_read_whole() -> None:
    from tests.cli import TRACES

    assert "--jobs needs GOLD and PRED" in refused(run("eval", TRACES, "--jobs", "2"))
    assert run("eval", TRACES, "--memory", "counts").out == run("eval", TRACES).out


def test_the_bar_shows_bytes() -> None:
    assert progress._amount("reading and scoring", 1_500_000, 3_000_000_000) == "1.5 MB of 3.0 GB"
    assert progress._amount("dealing", 0, 999) == "0 bytes of 999 bytes"
    assert progress._amount("scoring", 5, 10) == ""


def test_progress_is_told_in_bytes(tmp_path: Path) -> None:
    from spanscope.commands.evaluate import evaluate

    gold, pred = files(tmp_path, "spans")
    told: list[tuple[str, int, int]] = []
    evaluate(gold, pred, run=Running(memory="counts"), progress=lambda *one: told.append(one))
    size = Path(gold).stat().st_size + Path(pred).stat().st_size
    assert ("reading and scoring", size, size) in told
    told.clear()
    backwards = put(tmp_path / "other.jsonl", documents("spans")[1][::-1])
    evaluate(gold, backwards, run=Running(memory="counts"), progress=lambda *one: told.append(one))
    assert ("dealing", size, size) in told
