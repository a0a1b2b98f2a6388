"""Totals: nothing is kept that grows with the number of documents, and the figures are the same."""

import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanscope import Ci, Result, Running, Scoring
from spanscope.commands.compare import compare
from spanscope.commands.evaluate import evaluate
from spanscope.engines import sizes, streaming
from spanscope.engines.partial_sums import Keeper, total_portion
from spanscope.errors import MeasureError
from spanscope.io import line_blocks as blocks
from spanscope.settings.options import grouped
from tests.cli import environment
from tests.streaming_support import FAMILIES, documents, files, put, refusal, told, whole


def fewer_cells(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let there be so few cells that small corpora have several documents in one."""
    for module in ("sides.comparison", "stats.cells", "engines.partial_sums"):
        monkeypatch.setattr(f"spanscope.{module}.CELLS", number)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make blocks so small that there are several."""
    monkeypatch.setattr(blocks, "LINES", 7)
    monkeypatch.setattr(streaming, "ROOM", 2000)


# ---------------------------------------------------------------- the same figures


def same(expected: Result, found: Result) -> None:
    """Hold the rows of two results to be the same to the last digit."""
    assert repr(found.rows) == repr(expected.rows)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("method", ["wilson", "percentile", "basic", "bca"])
@pytest.mark.usefixtures("small")
def test_totals_are_those_of_all_documents(family: str, method: Any, tmp_path: Path) -> None:
    """Figures, standard deviations and intervals, to the last digit."""
    gold, pred = files(tmp_path, family)
    ci = Ci(method=method, resamples=200)
    found = evaluate(gold, pred, run=Running(memory="totals"), ci=ci)
    assert found.kept == "totals"
    same(whole(gold, pred, ci=ci), found)
    assert any(row.low is not None and row.low < row.value for row in found.rows)


@pytest.mark.parametrize("family", FAMILIES)
def test_totals_do_not_depend_on_blocks(family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for ids in (True, False):
        gold, pred = files(tmp_path, family, ids=ids)
        found = []
        for lines in (1, 7, 1000):
            monkeypatch.setattr(blocks, "LINES", lines)
            found.append(told(evaluate(gold, pred, run=Running(memory="totals"))))
        assert found[0] == found[1] == found[2]


@pytest.mark.usefixtures("small")
def test_totals_of_several_processes_and_another_order(tmp_path: Path) -> None:
    gold, theirs = documents("spans")
    ours = put(tmp_path / "gold.jsonl", gold)
    pred = put(tmp_path / "pred.jsonl", random.Random(1).sample(theirs, len(theirs)))
    expected = whole(ours, pred)
    for jobs in (1, 2):
        same(expected, evaluate(ours, pred, run=Running(memory="totals", jobs=jobs)))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("few", [True, False], ids=["a cell each", "several in a cell"])
@pytest.mark.parametrize("family", ["spans", "segments"])
def test_totals_of_documents_without_ids(
    few: bool, family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How often a content came before, or where in the file it stands, is known in portions too."""
    if not few:
        fewer_cells(monkeypatch, 16)
    gold, pred = files(tmp_path, family, ids=False)
    same(whole(gold, pred), evaluate(gold, pred, run=Running(memory="totals")))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_several_documents_in_a_cell(
    family: str, method: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More documents than cells: the same digits whatever is kept, and other ones than with a cell each."""
    gold, pred = files(tmp_path, family)
    ci = Ci(method=method, resamples=200)
    alone = whole(gold, pred, ci=ci)
    fewer_cells(monkeypatch, 16)
    expected = whole(gold, pred, ci=ci)
    assert repr(expected.rows) != repr(alone.rows)
    assert [row.value for row in expected.rows if row.value == row.value] == [
        row.value for row in alone.rows if row.value == row.value
    ]
    for memory in ("counts", "totals"):
        same(expected, evaluate(gold, pred, run=Running(memory=memory), ci=ci))


@pytest.mark.parametrize(
    ("options", "labels"),
    [
        ({"labels": ["Late", "A"]}, True),
        ({"undefined": 0}, False),
        ({"ci": False}, False),
        ({"beta": 2.0}, False),
        ({"thresholds": [0.1, 0.55, 0.9]}, False),
        ({"errors": False}, False),
    ],
)
@pytest.mark.usefixtures("small")
def test_settings_of_totals(options: Any, labels: bool, tmp_path: Path) -> None:
    gold, pred = files(tmp_path, "spans")
    found = evaluate(gold, pred, run=Running(memory="totals"), **grouped(options))
    same(whole(gold, pred, **options), found)
    assert ({row.label for row in found.rows} - {None} == {"Late", "A"}) == labels


def test_hand_worked_totals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two documents in two blocks: 1 of 2 found, then 2 of 2 and a wrong one."""
    monkeypatch.setattr(blocks, "LINES", 1)

    def span(start: int, label: str) -> dict[str, Any]:
        return {"start": start, "end": start + 1, "label": label}

    gold = [{"id": 1, "spans": [span(0, "A"), span(2, "A")]}, {"id": 2, "spans": [span(0, "A"), span(2, "B")]}]
    pred = [{"id": 1, "spans": [span(0, "A")]}, {"id": 2, "spans": [span(0, "A"), span(2, "B"), span(4, "B")]}]
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred)
    found = evaluate(ours, theirs, "spans.exact", run=Running(memory="totals"))
    assert found.counts() == {"A": {"tp": 2, "pred": 2, "gold": 3}, "B": {"tp": 1, "pred": 2, "gold": 1}}
    assert found.value("recall") == pytest.approx(3 / 4)
    assert found.value("precision") == pytest.approx(3 / 4)
    assert found.value("recall", average="macro") == pytest.approx((2 / 3 + 1) / 2)
    by_document = next(row for row in found.rows if row.rate == "recall" and row.average == "document")
    assert by_document.value == pytest.approx((1 / 2 + 1) / 2)
    assert by_document.std == pytest.approx(math.sqrt(2 * 0.25**2))  # each is 0.25 away from the mean
    documents_of = {row.label: row.documents for row in found.rows if row.average == "label"}
    assert documents_of == {"A": 2, "B": 1}


@given(
    number=st.integers(1, 12),
    lines=st.integers(1, 5),
    seed=st.integers(0, 10**6),
    family=st.sampled_from(FAMILIES),
    shuffled=st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_whatever_the_blocks(number: int, lines: int, seed: int, family: str, shuffled: bool) -> None:
    gold, pred = documents(family, number, seed)
    if shuffled:
        pred = random.Random(seed).sample(pred, len(pred))
    protocol = {"spans": "reqflow"}.get(family, family)
    with tempfile.TemporaryDirectory() as room, pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "LINES", lines)
        patch.setattr(streaming, "ROOM", 500)
        ours, theirs = put(Path(room, "g.jsonl"), gold), put(Path(room, "p.jsonl"), pred)
        options: Any = {"ci": Ci(resamples=20), "protocol": protocol}
        expected, found = (
            whole(ours, theirs, **options),
            evaluate(ours, theirs, run=Running(memory="totals"), **grouped(options)),
        )
    same(expected, found)


# ---------------------------------------------------------------- from counts to totals


def test_many_documents_are_kept_as_totals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the stated number counts become totals, unless counts were asked for or are needed."""
    monkeypatch.setattr(blocks, "LINES", 7)
    monkeypatch.setattr(sizes, "LARGE", 0)
    gold, pred = files(tmp_path, "spans")
    assert evaluate(gold, pred).kept == "counts"
    monkeypatch.setattr(sizes, "MOST_COUNTED", 59)
    found = evaluate(gold, pred)
    assert found.kept == "totals"
    same(whole(gold, pred), found)
    monkeypatch.setattr(sizes, "MOST_COUNTED", 20)
    assert told(evaluate(gold, pred)) == told(found)
    assert evaluate(gold, pred, run=Running(memory="counts")).kept == "counts"
    assert evaluate(gold, pred, score=Scoring(thresholds="exact")).kept == "counts"
    assert evaluate(gold, pred, ci=Ci(method="bca", resamples=20)).kept == "totals"
    assert not compare(gold, pred, gold).by_documents
    assert compare(gold, pred, gold, run=Running(memory="counts")).by_documents
    monkeypatch.setattr(sizes, "MOST_COUNTED", 60)
    assert evaluate(gold, pred).kept == "counts"


def test_a_keeper_holds_one_portion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "LINES", 7)
    held = []
    real = Keeper.add

    def look(self: Keeper, part: Any) -> None:
        real(self, part)
        held.append((len(self.parts), len(self.parts[0].names), len(self.parts[0].keys)))

    monkeypatch.setattr(Keeper, "add", look)
    evaluate(*files(tmp_path, "spans"), run=Running(memory="totals"))
    assert held == [(1, 0, 0)] * 9
    assert total_portion.__doc__


# ---------------------------------------------------------------- what totals cannot tell


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"thresholds": "exact"}, "exact thresholds need every score"),
    ],
)
def test_refused_before_the_work(
    options: Any, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold, pred = files(tmp_path, "spans", 3)
    monkeypatch.setattr(streaming, "_stream", None)  # nothing may be read
    kind, said = refusal(gold, pred, memory="totals", **options)
    assert kind is MeasureError
    assert words in said
    assert "--memory counts" in said


@pytest.mark.usefixtures("small")
def test_what_totals_cannot_tell(tmp_path: Path) -> None:
    gold, pred = files(tmp_path, "spans")
    found = evaluate(gold, pred, run=Running(memory="totals"))
    for ask, words in (
        (found.by_document, "the list of documents needs the counts of documents"),
        (lambda: next(found.matches()), "the list of matches needs the spans"),
        (lambda: found.to_dict(kept=True), "keeping the counts needs the counts of documents"),
        (lambda: found.curve(grid="exact"), "a curve with other thresholds"),
        (lambda: found.curve(grid=[0.123]), "a curve with other thresholds"),
    ):
        with pytest.raises(MeasureError, match=words):
            ask()
    assert found.curve() == whole(gold, pred).curve()
    assert "totals of all documents were kept" in str(found)
    assert json.loads(found.to_json())["memory"] == "totals"


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("row", [3, 50])
def test_repeated_ids_are_noticed(row: int, tmp_path: Path) -> None:
    """In the same block and in another one, though no names are kept; numbered, they are drawn as ever."""
    gold, pred = documents("spans")
    for side in (gold, pred):
        side[row]["id"] = "d2"
    ours, theirs = put(tmp_path / "g.jsonl", gold), put(tmp_path / "p.jsonl", pred)
    assert refusal(ours, theirs, memory="totals") == refusal(ours, theirs, memory="spans")
    found = evaluate(ours, theirs, run=Running(memory="totals"), score=Scoring(repeated="number"))
    same(found, whole(ours, theirs, repeated="number"))


def test_repeated_keys_are_found_in_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever part of the keys is looked at at once, a key that comes again is found, and no other."""
    monkeypatch.setattr(streaming, "KEYS", 7)
    for again in (None, 0, 499):
        seen = streaming.Seen()
        for first in range(0, 500, 50):
            seen.add(np.arange(first, first + 50, dtype=np.uint64) * np.uint64(977))
        if again is not None:
            seen.add(np.array([again * 977], dtype=np.uint64))
        assert seen.repeats() is (again is not None)
        seen.close()


# ---------------------------------------------------------------- memory


SCALE = Path(__file__).parents[2] / "docs" / "scale.md"
PEAK = """
import sys
from spanscope import Ci, Running
from spanscope.commands.evaluate import evaluate
gold, pred, memory, measures = sys.argv[1:]
evaluate(gold, pred, measures.split(), run=Running(memory=memory), ci=Ci(resamples=50))
print(int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) * 1024)
"""


def corpus(folder: Path, number: int, *, ids: bool) -> tuple[str, str]:
    """Write documents with two gold spans of two labels and one predicted span each; ids have 12 characters."""
    paths = folder / f"g{number}{ids}.jsonl", folder / f"p{number}{ids}.jsonl"
    with paths[0].open("w") as gold, paths[1].open("w") as pred:
        for row in range(number):
            name = f'"id": "doc-{row:08d}", ' if ids else ""
            one = f'{{"start": {row % 50}, "end": {row % 50 + 4}, "label": "{"BC"[row % 2]}"}}'
            gold.write(f'{{{name}"spans": [{one}, {{"start": 60, "end": 69, "label": "A"}}]}}\n')
            pred.write(f'{{{name}"spans": [{one}]}}\n')
    return str(paths[0]), str(paths[1])


def peak(gold: str, pred: str, memory: str, measures: str = "spans.exact") -> int:
    """Return the most memory that an evaluation takes in a process of its own, in bytes."""
    args = [sys.executable, "-c", PEAK, gold, pred, memory, measures]
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}
    done = subprocess.run(args, capture_output=True, text=True, check=True, env=environment() | threads)
    return int(done.stdout)


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of one process by itself")


@LINUX
def test_totals_do_not_grow_with_the_documents(tmp_path: Path) -> None:
    """Ten times the documents, less than 1.3 times the memory."""
    few, many = (peak(*corpus(tmp_path, number, ids=True), "totals") for number in (20_000, 200_000))
    assert many < 1.3 * few


@LINUX
@pytest.mark.parametrize(
    ("documents", "measures"),
    [
        ("with ids", "spans.exact"),
        ("without ids", "spans.exact"),
        ("with ids, three such measures", "spans.exact spans.iou spans.unlabelled"),
    ],
)
def test_counts_grow_as_the_documentation_says(documents: str, measures: str, tmp_path: Path) -> None:
    """Documents with two rows of counts each: what docs/scale.md states is an upper bound, and not a wild one."""
    line = next(one for one in SCALE.read_text().splitlines() if one.startswith(f"| {documents} |"))
    stated = int(line.split("|")[2].strip().replace(",", "").removesuffix(" bytes"))
    ids = documents.startswith("with ids")
    few, many = (peak(*corpus(tmp_path, number, ids=ids), "counts", measures) for number in (40_000, 160_000))
    growth = (many - few) / 120_000
    assert stated / 3 < growth <= stated


@pytest.mark.parametrize(("measure", "said"), [("tokens.presidio", 1), ("spans.relaxed", 0)])
def test_a_curve_that_needs_the_spans_is_said_to_be_missing(tmp_path: Path, measure: str, said: int) -> None:
    document = {"id": "a", "text": "Anna met Bob", "spans": [{"start": 0, "end": 4, "label": "PER"}]}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")
    for thresholds, number in (((0.5, 0.9), said), (None, 0)):
        result = evaluate(
            str(path),
            str(path),
            measure,
            ci=False,
            score=Scoring(thresholds=thresholds),
            run=Running(memory="totals"),
        )
        assert result.problems.number.get("no curve", 0) == number
