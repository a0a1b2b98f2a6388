"""Gates on scores of predictions and on slices: figures that stand beside the score rows."""

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import Ci, MeasureError
from spanscope.results.gate import checked_gates, missed_gates
from tests.cli import refused, run
from tests.commands.test_slices import corpus


def scored(**options: Any) -> spanscope.Result:
    """Of A both predictions are right, of B the surer one is wrong; one of four gold spans is not found."""
    gold = [{"id": 1, "spans": [[0, 2, "A"], [3, 5, "A"], [6, 8, "B"], [20, 22, "B"]]}]
    spans = [(0, 2, "A", 0.9), (3, 5, "A", 0.8), (10, 12, "B", 0.6), (6, 8, "B", 0.4)]
    pred = [{"id": 1, "spans": [dict(zip(("start", "end", "label", "score"), one, strict=True)) for one in spans]}]
    return spanscope.evaluate(gold, pred, "spans.exact", ci=False, **options)


def test_gates_on_average_precision() -> None:
    """By hand: 2/4 at precision 1, one more of 4 at 3/4: .6875; of A 1; of B one of two at 1/2: .25; mean .625."""
    names = {"average_precision": 0.6875, "average_precision[A]": 1.0, "average_precision[B]": 0.25}
    names |= {"macro_average_precision": 0.625, "spans.exact:average_precision": 0.6875}
    for name, value in names.items():
        found = checked_gates(scored(), [f"{name}={value}"])
        assert [(one.gate, one.value, one.passed) for one in found] == [(name, value, True)]
    assert [one.gate for one in missed_gates(scored(), ["average_precision=0.69"])] == ["average_precision"]


def test_gates_on_the_calibration_error() -> None:
    """By hand, a bin each: |1 - .9|, |1 - .8|, |0 - .6| and |1 - .4|, a quarter each: .375."""
    found = checked_gates(scored(), [], ["calibration_error=0.3", "calibration_error=0.4"])
    assert [round(one.value, 12) for one in found] == [0.375, 0.375]
    assert [one.passed for one in found] == [False, True]


@pytest.mark.parametrize(
    ("floors", "ceilings", "words"),
    [
        (["calibration_error=0.1"], [], "is best at 0"),
        ([], ["average_precision=0.1"], "is best at 1"),
        (["average_precision=80"], [], "can never be reached"),
        ([], ["calibration_error=10"], "can never be exceeded"),
        (["average_precision[C]=0.1"], [], "no average precision of label 'C'"),
        (["document_average_precision=0.1"], [], "there is no 'document_average_precision'"),
        ([], ["calibration_error[A]=0.1"], "there is no 'calibration_error\\[A\\]'"),
        ([], ["macro_calibration_error=0.1"], "there is no 'macro_calibration_error'"),
    ],
)
def test_gates_on_scores_that_make_no_sense_are_refused(floors: Any, ceilings: Any, words: str) -> None:
    with pytest.raises(MeasureError, match=words):
        checked_gates(scored(), floors, ceilings)


def test_gates_need_scores_that_are_shares_and_gold() -> None:
    spans = [{"start": 0, "end": 2, "label": "A", "score": 7.5}]
    found = spanscope.evaluate([[[0, 2, "A"]]], [spans], "spans.exact", ci=False)
    with pytest.raises(MeasureError, match="calibration_error is undefined: there are scores below 0 or above 1"):
        checked_gates(found, [], ["calibration_error=0.1"])
    assert checked_gates(found, ["average_precision=1"])[0].passed
    with pytest.raises(MeasureError, match="average_precision is undefined: gold has no span"):
        checked_gates(spanscope.evaluate([[]], [spans], "spans.exact", ci=False), ["average_precision=0.5"])
    plain = spanscope.evaluate([[[0, 2, "A"]]], [[[0, 2, "A"]]], "spans.exact", ci=False)
    with pytest.raises(MeasureError, match="without a score"):
        checked_gates(plain, ["average_precision=0.5"])


@pytest.fixture(scope="module")
def sliced() -> spanscope.Result:
    gold, pred = corpus()
    return spanscope.evaluate(gold, pred, "spans.exact", by=["source", "year"], ci=Ci(resamples=20))


def test_gates_on_slices(sliced: spanscope.Result) -> None:
    values = {one["name"]: one["rates"] for one in sliced.slices()}
    gates = ["f1[source=forum]=0.7", "micro_recall[source=forum]=0.5", "spans.exact:precision[year=1990]=1"]
    found = checked_gates(sliced, gates)
    names = [("forum", "f1"), ("forum", "recall"), ("1990", "precision")]
    assert [one.value for one in found] == [values[name][rate] for name, rate in names]
    assert [one.passed for one in found] == [False, True, True]
    assert str(found[0]) == "f1[source=forum] is 0.6667, below 0.7"


def test_a_gate_on_every_slice_names_those_that_missed_it(sliced: spanscope.Result) -> None:
    assert [one.gate for one in missed_gates(sliced, ["f1[source=*]=0.7"])] == ["f1[source=forum]"]
    assert {one.gate for one in checked_gates(sliced, ["f1[year=*]=0.7"])} == {"f1[year=1990]", "f1[year=1991]"}
    assert checked_gates(sliced, ["f1[year=(none)]=0.5"])[0].passed  # one document, asked for by its name


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        ("f1[source=forun]=0.7", "no slice by 'source' is called 'forun'; did you mean 'forum'"),
        ("f1[sorce=forum]=0.7", "nothing was sliced by 'sorce'; did you mean 'source'"),
        ("f1[author=me]=0.7", "nothing was sliced by 'author'"),
        ("macro_f1[source=forum]=0.7", "slices have figures of spans.exact"),
        ("f2[source=forum]=0.7", "slices have no rate 'f2'"),
        ("f1[source=forum]=70", "can never be reached"),
    ],
)
def test_gates_on_slices_that_make_no_sense_are_refused(sliced: spanscope.Result, gate: str, words: str) -> None:
    with pytest.raises(MeasureError, match=words):
        checked_gates(sliced, [gate])


def test_a_label_may_be_called_as_a_slice_is() -> None:
    gold = [{"id": n, "source": "news", "spans": [[0, 2, "source=news"]]} for n in range(3)]
    plain = spanscope.evaluate(gold, gold, "spans.exact", ci=False)
    assert checked_gates(plain, ["f1[source=news]=1"])[0].passed
    both = spanscope.evaluate(gold, gold, "spans.exact", by=["source"], ci=False)
    with pytest.raises(MeasureError, match="is a label and a slice"):
        checked_gates(both, ["f1[source=news]=1"])


def test_a_slice_without_gold_and_predictions_passes_no_gate() -> None:
    gold = [{"id": n, "source": "ab"[n % 2], "spans": [] if n % 2 else [[0, 2, "A"]]} for n in range(20)]
    found = spanscope.evaluate(gold, gold, "spans.exact", by=["source"], ci=False)
    assert [one.gate for one in checked_gates(found, ["f1[source=*]=1"])] == ["f1[source=a]"]
    with pytest.raises(MeasureError, match="f1\\[source=b\\] is undefined"):
        checked_gates(found, ["f1[source=b]=1"])


def test_the_command_ends_with_1_where_a_gate_is_missed(tmp_path: Path) -> None:
    gold, pred = corpus()
    for one in pred:
        one["spans"] = [{**span, "score": 0.5} for span in one["spans"]]
    files = [tmp_path / "gold.jsonl", tmp_path / "pred.jsonl"]
    for path, side in zip(files, (gold, pred), strict=True):
        path.write_text("\n".join(map(json.dumps, side)), encoding="utf-8")
    asked = ("eval", *files, "-m", "spans.exact", "--no-ci", "--by", "source")
    done = run(*asked, "--fail-under", "average_precision=0.9", "--fail-over", "calibration_error=0.1")
    assert done.code == 1
    assert [line.split(" is ")[0] for line in done.err.splitlines()] == [
        "missed: average_precision",
        "missed: calibration_error",
    ]
    assert run(*asked, "--fail-under", "f1[source=*]=0.5").code == 0
    told = run(*asked, "--fail-under", "f1[source=*]=0.7", "-f", "junit")
    assert told.code == 1
    assert 'name="f1[source=forum] at least 0.7"' in told.out
    said = refused(run("eval", *files, "--memory", "counts", "--fail-under", "average_precision=0.5"))
    assert "--fail-under average_precision=0.5 needs the spans, which --memory counts does not keep" in said
