"""What the page is given: the library's own figures at every step."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.commands import slider as stepping
from spanscope.settings.options import grouped
from tests.cli import GOLD, PRED, run, write
from tests.support import documents, scored
from tests.viewer import Json, at_step, payload

STEPS = (0.0, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.0)
FORMS = (
    "spans.relaxed(threshold={})",
    "spans.relaxed(threshold={}, assignment=optimal)",
    "spans.relaxed(threshold={}, rules=reqflow)",
    "spans.iou(threshold={})",
    "tokens.presidio(threshold={})",
)


def evaluated(form: str | None = None, **options: Any) -> spanscope.Result:
    named = {} if form else {"protocol": "reqflow"}
    return spanscope.evaluate(GOLD, PRED, form, ci=False, **grouped(named | options))


def recorded(result: spanscope.Result) -> Counter[tuple[Any, ...]]:
    """Return the verdicts of an evaluation in the form of `at_step`."""

    def span(one: Json | None) -> tuple[int, int, str] | None:
        return None if one is None else (one["start"], one["end"], one["label"])

    return Counter(
        (one["document"], one["kind"], span(one["gold"]), span(one["pred"])) for one in result.matches()
    )


# ---------------------------------------------------------------- figures


@pytest.mark.parametrize("form", FORMS)
def test_every_step_is_an_evaluation_at_that_threshold(form: str) -> None:
    found = payload(evaluated(form.format(0.5), thresholds=STEPS))
    corpus = found["corpus"]
    assert corpus["steps"] == list(STEPS)
    assert corpus["steps"][corpus["at"]] == 0.5
    for step, threshold in enumerate(STEPS):
        there = evaluated(form.format(threshold))
        whole, counts, totals = corpus["whole"][step], there.counts(), there.totals()
        assert at_step(found, step) == recorded(there)
        assert [whole[side] for side in ("pred", "gold")] == [totals["pred"], totals["gold"]]
        assert whole["tp"] == totals.get("tp", totals.get("tp_gold"))
        assert [whole[key] for key in ("precision", "recall", "value")] == [
            there.value(rate) for rate in ("precision", "recall", "f1")
        ]
        assert whole["macro"] == pytest.approx(there.value("f1", average="macro"), abs=1e-15)
        kinds = dict(zip(found["kinds"], whole["kinds"], strict=True))
        assert {kind: row["count"] for kind, row in there.errors().items()} == {
            kind: n for kind, n in kinds.items() if kind != "correct"
        }
        for label, line in zip(found["labels"], corpus["by_label"][step], strict=True):
            own = counts[label]
            assert line[:3] == [own.get("tp", own.get("tp_gold")), own["pred"], own["gold"]]
            assert line[3:6] == [there.value(rate, label=label) for rate in ("precision", "recall", "f1")]
            assert line[6:] == [own["pred"] - own.get("tp", own.get("tp_pred")), own["gold"] - line[0]]


def test_the_slider_ends_at_the_exact_match() -> None:
    """By default spans.exact leads; the steps before it are spans.relaxed at that threshold."""
    found = payload(spanscope.evaluate(GOLD, PRED, ci=False, score=spanscope.Scoring(thresholds=STEPS)))
    corpus = found["corpus"]
    assert (corpus["steps"], corpus["at"]) == ([*STEPS], len(STEPS) - 1)
    assert (corpus["moved"], corpus["exact"]) == ("spans.relaxed", True)
    for step, threshold in enumerate(STEPS):
        exact = step == corpus["at"]
        there = evaluated("spans.exact" if exact else f"spans.relaxed(threshold={threshold})")
        assert at_step(found, step) == recorded(there)
        assert corpus["whole"][step]["value"] == there.value()


def test_the_slider_needs_a_measure_that_goes_on_to_its_end() -> None:
    """spans.text matches other spans than spans.relaxed at 1, so nothing is moved."""
    both = spanscope.evaluate(GOLD, PRED, ["spans.text", "spans.relaxed"], ci=False)
    corpus = payload(both)["corpus"]
    assert (corpus["steps"], corpus["moved"], corpus["exact"]) == ([1.0], None, False)


def test_whole_is_the_curve() -> None:
    result = evaluated()
    corpus = payload(result)["corpus"]
    assert len(corpus["steps"]) == 21
    for step, whole in zip(corpus["steps"], corpus["whole"], strict=True):
        (point,) = result.curve(grid=[step])
        assert {key: value for key, value in whole.items() if key != "kinds"} == vars(point)


def test_by_hand() -> None:
    """Half of a gold span is found: IoU 0.5. Below and at 0.5 it is a match, above it a boundary error."""
    result = scored(
        "A[0,4] B[6,9]", "A[0,2] C[20,21]", "spans.iou(threshold=0.6)", thresholds=(0.4, 0.5), ci=False
    )
    corpus = payload(result)["corpus"]
    assert corpus["steps"] == [0.4, 0.5, 0.6]
    assert corpus["at"] == 2
    assert [one["tp"] for one in corpus["whole"]] == [1, 1, 0]
    assert [one["f1"] for one in corpus["whole"]] == [0.5, 0.5, 0.0]
    first = [[1, 1, 1, 1.0, 1.0, 1.0, 0, 0], [0, 0, 1, None, 0.0, 0.0, 0, 1], [0, 1, 0, 0.0, None, 0.0, 1, 0]]
    assert corpus["by_label"][0] == first
    assert corpus["pred"]["score"] is None
    alike = {"iou": [5000, 5000, -1], "text": [-1, -1, -1], "score": [5000, 5000, -1]}  # there are no texts
    runs = {"first": [0, 2, 3], "from": [0, 2, 0], "kind": [0, 1, 8], "pred": [0, 0, -1]}
    assert corpus["gold_runs"] == runs | alike
    assert corpus["pred_runs"] == {"first": [0, 1, 2], "from": [0, 0], "kind": [-1, 7]}


def test_confidences_of_a_file_are_in_the_order_of_the_page(tmp_path: Path) -> None:
    gold = [{"id": 1, "spans": [{"start": 0, "end": 4, "label": "A", "score": 0.1}]}]
    spans = [
        {"start": 9, "end": 12, "label": "A", "score": 0.25},
        {"start": 5, "end": 6, "label": "B"},
        {"start": 0, "end": 4, "label": "A", "score": 1},
    ]
    files = [write(tmp_path / "gold.jsonl", gold), write(tmp_path / "pred.jsonl", [{"id": 1, "spans": spans}])]
    corpus = payload(spanscope.evaluate(*files, "spans.exact", ci=False))["corpus"]
    assert corpus["pred"]["start"] == [0, 5, 9]
    assert corpus["pred"]["score"] == [1.0, None, 0.25]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("method", ["wilson", "percentile", "basic", "bca"])
def test_the_band_is_the_interval_of_an_evaluation(form: str, method: Any) -> None:
    """At every step what an evaluation at that threshold says of its F1, to the last digit."""
    ci = spanscope.Ci(resamples=200, seed=3, level=0.9, method=method)
    band = payload(
        spanscope.evaluate(GOLD, PRED, form.format(0.5), ci=ci, score=spanscope.Scoring(thresholds=STEPS))
    )["corpus"]["band"]
    assert band["at"] == list(range(len(STEPS)))
    for step, threshold in enumerate(STEPS):
        rows = spanscope.evaluate(GOLD, PRED, form.format(threshold), ci=ci).rows
        row = next(one for one in rows if (one.rate, one.average) == ("f1", "micro"))
        assert (band["low"][step], band["high"][step]) == (row.low, row.high)


def test_the_band_of_many_documents_has_fewer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one asked for is always among them."""
    result = spanscope.evaluate(GOLD, PRED, "spans.iou(threshold=0.35)", ci=spanscope.Ci(resamples=50))
    whole = payload(result)["corpus"]
    assert whole["band"]["at"] == list(range(21))
    monkeypatch.setattr(stepping, "BANDED", 50 * 7)
    some = payload(result)["corpus"]["band"]
    assert some["at"] == [1, 4, 7, 10, 13, 16, 19]
    assert whole["at"] == 7
    for at, low, high in zip(some["at"], some["low"], some["high"], strict=True):
        assert (low, high) == (whole["band"]["low"][at], whole["band"]["high"][at])


def test_no_band_without_intervals() -> None:
    assert payload(evaluated())["corpus"]["band"] is None
    one = documents("A[0,4]")
    assert payload(spanscope.evaluate(one, one, "spans.iou"))["corpus"]["band"] is None  # one document has none
    assert payload(spanscope.evaluate(GOLD, PRED, "spans.exact"))["corpus"]["band"] is None  # nor has one step


def test_spans_stand_in_reading_order() -> None:
    """The page relies on it: each side by document, start and end."""
    corpus = payload(evaluated())["corpus"]
    for side in ("gold", "pred"):
        places = list(zip(*(corpus[side][name] for name in ("doc", "start", "end")), strict=True))
        assert places == sorted(places)
        assert len(places) > 200


def test_a_measure_without_threshold_has_one_step() -> None:
    """With duplicates=set the second of two equal spans is not counted, and has no verdict."""
    result = scored("A[0,4] A[0,4]", "A[0,4]", "spans.exact(duplicates=set)", ci=False)
    corpus = payload(result)["corpus"]
    assert (corpus["steps"], corpus["at"]) == ([1.0], 0)
    assert corpus["whole"][0]["kinds"] == [1, *[0] * 9]
    assert sorted(corpus["gold_runs"]["kind"]) == [-1, 0]


def test_without_figures_by_label() -> None:
    corpus = payload(evaluated("spans.unlabelled"))["corpus"]
    assert corpus["by_label"] == [[]]
    assert corpus["whole"][0]["macro_f1"] is None


@pytest.mark.parametrize("form", FORMS)
def test_batches_change_nothing(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result = evaluated(form.format(0.5))
    whole = payload(result)["corpus"]
    monkeypatch.setattr(stepping, "BATCH", 7)
    assert payload(result)["corpus"] == whole


def test_spans_hidden_from_the_measure_have_no_verdict() -> None:
    """ReqFlow's relaxed figures leave out spans that end before they start."""
    spans = [{"tag": "Action", "start": 9, "end": 16}, {"tag": "Action", "start": 8, "end": 4}]
    gold = [{"id": 1, "text": "The user logs in", "spans": spans}]
    found = payload(spanscope.evaluate(gold, gold, protocol="reqflow-v2", ci=False))
    corpus = found["corpus"]
    assert len(corpus["gold"]["start"]) == 2
    assert corpus["whole"][corpus["at"]]["tp"] == 1
    hidden = corpus["gold"]["start"].index(8)
    runs = corpus["gold_runs"]
    assert runs["kind"][runs["first"][hidden] : runs["first"][hidden + 1]] == [-1]


def test_rows_errors_and_confusion_are_those_of_the_result() -> None:
    result = spanscope.evaluate(GOLD, PRED, meta={"model": "m"})
    found = payload(result)
    assert len(found["rows"]) == len(result.rows)
    for line, row in zip(found["rows"], result.rows, strict=True):
        forms = [found["measures"][line[0]]["form"], *line[1:]]
        want = [row.measure, row.rate, row.average, row.label, row.value, row.low, row.high]
        assert forms == [*want, row.documents, row.undefined]
    assert {one["kind"]: one["count"] for one in found["errors"]} == {
        kind: row["count"] for kind, row in result.errors().items()
    }
    names = found["confusion"]["names"]
    cells = {(names[gold], names[pred]): n for gold, pred, n in found["confusion"]["cells"]}
    assert cells == {(g, p): n for g, row in result.confusion().items() for p, n in row.items()}
    assert found["signatures"] == [result.signature(measure) for measure in result.measures]
    assert found["ci"] == {"resamples": 1000, "level": 0.95, "seed": 0, "method": "wilson"}
    assert (found["meta"], found["documents"], found["form"]) == ({"model": "m"}, 50, 2)
    assert found["title"] == "requirements.pred.jsonl against requirements.gold.jsonl"


@pytest.mark.parametrize("form", FORMS)
def test_cells_of_the_matrix_count_findings(form: str) -> None:
    found = payload(evaluated(form.format(0.5)))
    names = found["confusion"]["names"]
    want: Counter[tuple[str, str]] = Counter()
    for (_, _, gold, pred), n in at_step(found, found["corpus"]["at"]).items():
        want["(none)" if gold is None else gold[2], "(none)" if pred is None else pred[2]] += n
    assert {(names[gold], names[pred]): n for gold, pred, n in found["confusion"]["cells"]} == want


def test_exports_are_what_the_command_line_writes() -> None:
    exports = payload(spanscope.evaluate(GOLD, PRED))["exports"]
    for name, form in (("csv", "csv"), ("md", "markdown"), ("tex", "latex")):
        assert exports[name].strip("\n") == run("eval", GOLD, PRED, "-f", form).out.strip("\n")
    ours, theirs = json.loads(exports["json"]), json.loads(run("eval", GOLD, PRED, "-f", "json").out)
    assert {**ours, "timings": 0} == {**theirs, "timings": 0}


@pytest.mark.parametrize("form", ["spans.characters", "spans.semeval"])
def test_measures_without_verdicts_have_no_corpus(form: str) -> None:
    found = payload(evaluated(form))
    assert found["corpus"] is None
    assert found["rows"]


def test_other_families() -> None:
    gold = [{"id": 1, "text": "abcdef", "segments": [[0, 3], [3, 6]]}]
    found = payload(spanscope.evaluate(gold, gold, protocol="segments"))
    assert found["family"] == "segments"
    assert found["corpus"]["sides"]["0"]["at"] == found["corpus"]["sides"]["1"]["at"] == [3]
    assert found["corpus"]["marks"]["1"]["whole"][0] == [1, 0, 0, 0]
    assert json.dumps(found, allow_nan=False)


def test_leaks_are_for_pii() -> None:
    assert payload(evaluated())["leaks"] is None
    result = evaluated(protocol="pii")
    found = payload(result)["leaks"]
    leaks = {(one["document"], one["start"]): one for one in result.leaks()}
    assert len(found["lines"]) == len(leaks) > 0
    gold = payload(result)["corpus"]["gold"]
    names = payload(result)["corpus"]["names"]
    for line in found["lines"]:  # each knows its span
        one = leaks[line["document"], gold["start"][line["span"]]]
        assert names[gold["doc"][line["span"]]] == line["document"]
        assert (line["label"], line["kind"], line["text"]) == (one["label"], one["kind"], one["text"])
        assert line["characters"] == one["characters"]
    assert found["whole"][0] == result.counts("tokens.leaks")["*"]["leaked"]
    assert {line["document"] for line in found["over_wide"]} == {one["document"] for one in result.over_wide()}


def test_nothing_at_all() -> None:
    found = payload(spanscope.evaluate([], [], "spans.exact"))
    assert (found["corpus"]["embedded"], found["corpus"]["total"]) == (0, 0)
    assert found["corpus"]["whole"][0]["f1"] is None


# ---------------------------------------------------------------- places and texts


def test_utf16() -> None:
    """An emoji is one code point and two units of UTF-16; masked, it is one letter."""
    gold = documents("A[0,1] A[1,3] A[3,4]", text="😀ab😀")
    result = spanscope.evaluate(gold, gold, "spans.exact", ci=False)
    side = payload(result)["corpus"]["gold"]
    assert (side["start"], side["end"]) == ([0, 1, 3], [1, 3, 4])
    assert (side["start16"], side["end16"]) == ([0, 2, 4], [2, 4, 6])
    masked = payload(spanscope.evaluate(gold, gold, "spans.exact", ci=False, text="masked"))["corpus"]
    assert masked["texts"] == ["xxxx"]
    assert masked["gold"]["end16"] == [1, 3, 4]


def test_context_keeps_what_is_near_an_error() -> None:
    text = "".join(chr(ord("a") + at % 26) for at in range(300))
    gold, pred = documents("A[100,102] B[250,260]", text=text), documents("B[250,260]", text=text)
    result = spanscope.evaluate(gold, pred, "spans.exact", ci=False, text="context")
    assert payload(result)["corpus"]["texts"] == ["·" * 40 + text[40:162] + "·" * 138]
