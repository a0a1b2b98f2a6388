"""Every worked example of the two documents Spanscope's span measures come from, recomputed.

old: "Old Evaluation System Report" (ReqFlow v1). new: "Evaluation Metrics for ReqFlow Span Annotation".
Where a document prints a wrong figure the right one is asserted, and the docstring names the wrong one.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest

from spanscope import PROTOCOLS, Result, evaluate
from spanscope.rates import COUNTED

Json = dict[str, Any]
Place = tuple[str, int, int]
RELAXED, STRICTER, EXACT = "spans.relaxed(threshold=0.5)", "spans.relaxed(threshold=0.8)", "spans.exact"
FREQUENCY = {
    "Action": 150,
    "Entity": 120,
    "Main_actor": 80,
    "System_response": 60,
    "Condition": 40,
    "Constraint": 25,
    "Precondition": 15,
    "Exception": 10,
}
TAG_F1 = dict(zip(FREQUENCY, (0.85, 0.80, 0.75, 0.70, 0.60, 0.50, 0.40, 0.30), strict=True))
REPORT = {  # precision, recall and F1 as the example report prints them
    "Action": (0.82, 0.79, 0.80),
    "Entity": (0.80, 0.75, 0.77),
    "Main_actor": (0.85, 0.80, 0.82),
    "System_response": (0.75, 0.70, 0.72),
    "Condition": (0.70, 0.65, 0.67),
    "Precondition": (0.60, 0.55, 0.57),
    "Constraint": (0.65, 0.60, 0.62),
    "Exception": (0.50, 0.45, 0.47),
}


def document(text: str, *places: Place) -> list[Json]:
    return [{"id": 1, "text": text, "spans": [{"tag": t, "start": a, "end": b} for t, a, b in places]}]


def report(text: str, gold: list[Place], pred: list[Place]) -> Result:
    """Run what the new document recommends: relaxed at 0.5, at 0.8, and exact."""
    return evaluate(document(text, *gold), document(text, *pred), protocol="reqflow")


def counts(result: Result, measure: str, tag: str | None = None) -> tuple[int, int, int]:
    """Return tp, fp, fn."""
    n = result.totals(measure) if tag is None else result.counts(measure)[tag]
    return n["tp"], n["pred"] - n["tp"], n["gold"] - n["tp"]


def score(gold: tuple[int, int, str], pred: tuple[int, int, str], iou_weight: float = 0.65) -> float:
    """Return the score of one pair of spans, each with the text it came with."""
    sides = (
        [[{"label": "Action", "start": start, "end": end, "text": text}]] for start, end, text in (gold, pred)
    )
    result = evaluate(next(sides), next(sides), f"spans.relaxed(threshold=0, iou_weight={iou_weight})")
    (match,) = result.matches(["correct"])
    return float(match["score"])


def iou(gold: tuple[int, int], pred: tuple[int, int]) -> float:
    (match,) = evaluate(
        [[{"label": "Action", "start": gold[0], "end": gold[1]}]],
        [[{"label": "Action", "start": pred[0], "end": pred[1]}]],
        "spans.iou(threshold=0)",
    ).matches(["correct"])
    return float(match["score"])


def corpus(found: dict[str, tuple[int, int, int]]) -> Result:
    """Score a corpus with the given tp, pred and gold of each tag: spans of one character, 2 apart."""
    gold: list[Json] = []
    pred: list[Json] = []
    for tag, (tp, n_pred, n_gold) in found.items():
        for side, first, number in ((gold, 0, n_gold), (pred, n_gold - tp, n_pred)):
            places = range(2 * first, 2 * (first + number), 2)
            side.append({"id": tag, "spans": [{"tag": tag, "start": at, "end": at + 1} for at in places]})
    result = evaluate(gold, pred, EXACT)
    assert {tag: (n["tp"], n["pred"], n["gold"]) for tag, n in result.counts().items()} == found
    return result


# ---------------------------------------------------------------- the old document


def test_old_exact_example() -> None:
    """Main_actor agrees; Action starts at 22 instead of 20: one FP and one FN."""
    gold, pred = [("Main_actor", 0, 8), ("Action", 20, 30)], [("Main_actor", 0, 8), ("Action", 22, 30)]
    result = evaluate(document("x" * 30, *gold), document("x" * 30, *pred), "spans.exact(duplicates=set)")
    assert result.counts() == {
        "Action": {"tp": 0, "pred": 1, "gold": 1},
        "Main_actor": {"tp": 1, "pred": 1, "gold": 1},
    }


def test_old_iou_example() -> None:
    """[10, 26] against [14, 26]: 12/16 = 0.75; the score of the pair, not printed there, is .7875."""
    assert iou((10, 26), (14, 26)) == 0.75
    assert score((10, 26, "the system shall"), (14, 26, "system shall")) == pytest.approx(0.7875, abs=1e-12)


def test_old_rates() -> None:
    """P = TP/(TP+FP), R = TP/(TP+FN), F1 = 2PR/(P+R): 2 of 3 and 2 of 4 give 4/7."""
    result = corpus({"Action": (2, 3, 4)})
    values = [result.value(rate) for rate in ("precision", "recall", "f1")]
    assert values == pytest.approx([2 / 3, 1 / 2, 4 / 7])


def test_old_zero_denominators() -> None:
    """The document says 0.0 for 0/0 and its protocol too; our own measures leave it undefined."""
    empty = document("nothing here")
    own, theirs = evaluate(empty, empty), evaluate(empty, empty, protocol="reqflow-v1")
    for rate in ("precision", "recall", "f1"):
        assert np.isnan(own.value(rate))
        assert theirs.value(rate) == theirs.value(rate, average="macro") == 0.0


def test_old_aggregation() -> None:
    """Micro sums counts over tags first, macro averages the tags' F1: (1 + 1/3) / 2."""
    result = corpus({"Action": (1, 1, 1), "Entity": (1, 3, 3)})
    assert result.value("f1") == 2 * 2 / (4 + 4)
    assert result.value("f1", average="macro") == pytest.approx((1 + 1 / 3) / 2)


def test_old_one_to_one_matching() -> None:
    """Best score first, each span once: the second prediction for one gold span is an FP."""
    result = report("the system shall", [("Action", 4, 10)], [("Action", 0, 10), ("Action", 4, 10)])
    assert counts(result, RELAXED) == (1, 1, 0)
    assert [match["pred"]["start"] for match in result.matches(["correct"])] == [4]


def test_old_threshold_curve() -> None:
    """Relaxed sweeps 0.00 to 1.00 in steps of 0.05; exact is a single point at 1.0."""
    result = report("the system shall", [("Action", 0, 16)], [("Action", 4, 16)])
    assert [point.threshold for point in result.curve(RELAXED)] == [round(i / 20, 2) for i in range(21)]
    assert [point.tp for point in result.curve(RELAXED)] == [1] * 16 + [0] * 5  # the score is .7875
    assert [point.threshold for point in result.curve(EXACT)] == [1.0]


def test_old_default_threshold() -> None:
    """v1 scores at 0.80, so the protocol named after it does."""
    assert PROTOCOLS["reqflow-v1"].measures[0] == STRICTER


def test_old_limitations() -> None:
    """Named there as limits: exact ignores texts, weights are fixed (not here), greedy is not optimal."""
    same = {"label": "Action", "start": 0, "end": 4}
    assert evaluate([[{**same, "text": "text"}]], [[{**same, "text": "else"}]], EXACT).totals()["tp"] == 1
    assert score((0, 4, "text"), (0, 4, "else"), iou_weight=1.0) == 1.0
    # The first prediction has IoU 2/8 and 5/8, the second 3/6 with the second gold span only: best first
    # takes 5/8 and leaves the second prediction without a partner.
    gold, pred = (
        document("a" * 9, ("Action", 0, 3), ("Action", 3, 9)),
        document("a" * 9, ("Action", 1, 8), ("Action", 6, 9)),
    )
    assert evaluate(gold, pred, "spans.iou(threshold=0.2)").totals()["tp"] == 1
    assert evaluate(gold, pred, "spans.iou(threshold=0.2, assignment=optimal)").totals()["tp"] == 2


# ---------------------------------------------------------------- the new document: single pairs


def test_new_iou_example() -> None:
    """11/15 = .733 is right for [10, 25], but "the system shall" is [10, 26] (16 characters): .75."""
    assert iou((10, 25), (14, 25)) == 11 / 15
    assert (len("the system shall"), iou((10, 26), (14, 26))) == (16, 0.75)


def test_new_boundary_variance() -> None:
    """[4, 17] against [0, 17]: IoU .7647 (.76 there); wrong when exact, right when relaxed."""
    text = "The administrator shall be able to delete users"
    result = report(text, [("Main_actor", 4, 17)], [("Main_actor", 0, 17)])
    assert (text[4:17], text[0:17]) == ("administrator", "The administrator")
    assert iou((4, 17), (0, 17)) == 13 / 17 == pytest.approx(0.7647, abs=5e-5)
    assert (counts(result, EXACT), counts(result, RELAXED)) == ((0, 1, 1), (1, 0, 0))


def test_new_combined_score() -> None:
    """ "user" and "user data": text .6154 (wrong there: 0.67), combined .5043 (wrong there: 0.52)."""
    gold, pred = (10, 14, "user"), (10, 19, "user data")
    assert score(gold, pred, iou_weight=1.0) == iou((10, 14), (10, 19)) == 4 / 9
    assert score(gold, pred, iou_weight=0.0) == 8 / 13 == pytest.approx(0.6154, abs=5e-5)
    assert score(gold, pred) == pytest.approx(0.5043, abs=5e-5)
    assert round(0.65 * 0.44 + 0.35 * 0.67, 4) == 0.5205  # its own arithmetic, which it rounds to 0.52


# ---------------------------------------------------------------- the new document: averages


def test_new_tag_distribution() -> None:
    """500 spans, and shares of 30, 24, 16, 12, 8, 5, 3 and 2 percent."""
    assert sum(FREQUENCY.values()) == 500
    assert [n / 5 for n in FREQUENCY.values()] == [30, 24, 16, 12, 8, 5, 3, 2]


def equal_errors(tag: str) -> tuple[int, int, int]:
    """Return tp, pred and gold of a tag twice as frequent as there, with P = R = F1."""
    n = 2 * FREQUENCY[tag]
    return round(TAG_F1[tag] * n), n, n


def test_new_macro_example() -> None:
    """The mean of the eight F1 is .6125."""
    result = corpus({tag: equal_errors(tag) for tag in FREQUENCY})
    assert {tag: result.value("f1", label=tag) for tag in FREQUENCY} == pytest.approx(TAG_F1)
    assert result.value("f1", average="macro") == pytest.approx(0.6125, abs=1e-12)


def test_new_micro_is_not_determined() -> None:
    """Micro is "≈ 0.76" there; the data leave it open: .742 with P = R by tag, .6839 to .7670 at all."""
    even = {tag: equal_errors(tag) for tag in FREQUENCY}
    assert corpus(even).value("f1") == pytest.approx(0.742, abs=1e-12)
    more = corpus({**even, "Action": (272, 340, 300)})  # 2 * 272 / 640 is .85 too
    assert more.value("f1", label="Action") == pytest.approx(0.85)
    assert more.value("f1", average="macro") == pytest.approx(0.6125, abs=1e-12)
    assert more.value("f1") == pytest.approx(1518 / 2040) != pytest.approx(0.742)
    # Micro F1 is the mean of the tags' F1 weighted by gold + pred, which tp <= gold and tp <= pred bound.
    f1 = np.array(list(TAG_F1.values()))
    gold = np.array(list(FREQUENCY.values()))
    bounds = zip(2 * gold / (2 - f1), 2 * gold / f1, strict=True)
    attainable = [float(f1 @ weights / np.sum(weights)) for weights in product(*bounds)]
    assert (min(attainable), max(attainable)) == pytest.approx((0.6839, 0.7670), abs=5e-5)


# ---------------------------------------------------------------- the new document: examples 1 to 3


def test_new_example_1() -> None:
    """Perfect prediction: 3 TP, everything 1.0, exact or relaxed."""
    text = "The user shall login to the system."
    gold = [("Main_actor", 4, 8), ("Action", 15, 20), ("Entity", 28, 34)]
    result = report(text, gold, gold)
    assert [text[start:end] for _, start, end in gold] == ["user", "login", "system"]
    for measure in (RELAXED, STRICTER, EXACT):
        assert counts(result, measure) == (3, 0, 0)
        assert [result.value(rate, measure) for rate in ("precision", "recall", "f1")] == [1.0] * 3
        assert result.value("f1", measure, "macro") == 1.0


def test_new_example_2() -> None:
    """Relaxed 3 TP; Entity is .64 alike (wrong there: .67) and scores .5299 (wrong: .54). Exact F1 is 1/3."""
    text = "The administrator can delete inactive accounts."
    gold = [("Main_actor", 4, 17), ("Action", 22, 28), ("Entity", 29, 46)]
    result = report(text, gold, [("Main_actor", 0, 17), ("Action", 22, 28), ("Entity", 38, 46)])
    assert {match["gold"]["label"]: match["score"] for match in result.matches(["correct"])} == pytest.approx(
        {"Main_actor": 0.8004, "Action": 1.0, "Entity": 0.5299}, abs=5e-5
    )
    actor = (4, 17, "administrator"), (0, 17, "The administrator")
    entity = (29, 46, "inactive accounts"), (38, 46, "accounts")
    assert [score(*actor, 1.0), score(*actor, 0.0)] == pytest.approx([0.7647, 0.8667], abs=5e-5)
    assert [score(*entity, 1.0), score(*entity, 0.0)] == pytest.approx([8 / 17, 0.64], abs=1e-12)
    assert (counts(result, RELAXED), result.value("f1", RELAXED)) == ((3, 0, 0), 1.0)
    assert (counts(result, EXACT), counts(result, EXACT, "Action")) == ((1, 2, 2), (1, 0, 0))
    assert result.value("f1", EXACT) == 1 / 3


def test_new_example_3() -> None:
    """Condition scores .7270 (wrong there: .62), still a TP; Action .46 is FP and FN; F1 4/7."""
    text = "If the session expires, the system shall notify the user."
    gold = [("Condition", 0, 22), ("Main_actor", 28, 34), ("Action", 41, 47), ("Entity", 52, 56)]
    result = report(text, gold, [("Condition", 7, 22), ("Main_actor", 28, 34), ("Action", 41, 56)])
    words = ["If the session expires", "system", "notify", "user"]
    assert [text[start:end] for _, start, end in gold] == words
    condition = (0, 22, "If the session expires"), (7, 22, "session expires")
    action = (41, 47, "notify"), (41, 56, "notify the user")
    assert [score(*condition, w) for w in (1.0, 0.0)] == pytest.approx([0.6818, 0.8108], abs=5e-5)
    assert score(*condition) == pytest.approx(0.7270, abs=5e-5)
    assert [score(*action, w) for w in (1.0, 0.0, 0.65)] == pytest.approx([0.40, 0.5714, 0.46], abs=5e-5)
    assert {tag: counts(result, RELAXED, tag) for tag, _, _ in gold} == {
        "Condition": (1, 0, 0),
        "Main_actor": (1, 0, 0),
        "Action": (0, 1, 1),
        "Entity": (0, 0, 1),
    }
    assert counts(result, RELAXED) == (2, 1, 2)
    assert result.value("precision") == pytest.approx(2 / 3)
    assert [result.value("recall"), result.value("f1")] == pytest.approx([1 / 2, 4 / 7])


# ---------------------------------------------------------------- the new document: thresholds, claims


def test_new_threshold_guide() -> None:
    """From lax to strict: what example 2 finds falls from 3 to 1; 0.8004 passes at 0.8."""
    gold = [("Main_actor", 4, 17), ("Action", 22, 28), ("Entity", 29, 46)]
    result = report(
        "The administrator can delete inactive accounts.",
        gold,
        [("Main_actor", 0, 17), ("Action", 22, 28), ("Entity", 38, 46)],
    )
    assert [point.tp for point in result.curve(RELAXED, [0.3, 0.5, 0.7, 0.8, 1.0])] == [3, 3, 2, 2, 1]


def test_new_threshold_1_is_not_exact() -> None:
    """ "1.0 = same as exact match mode" is wrong: equal offsets with another text match only when exact."""
    gold, pred = ([[{"label": "Entity", "start": 0, "end": 4, "text": text}]] for text in ("user", "User"))
    result = evaluate(gold, pred, ["spans.relaxed(threshold=1.0)", EXACT])
    assert (counts(result, "spans.relaxed(threshold=1.0)"), counts(result, EXACT)) == ((0, 1, 1), (1, 0, 0))


def test_new_recommended_setup() -> None:
    """Relaxed at 0.5, then 0.8 and exact; micro, macro, by tag, curve, confusion: our default."""
    result = report("The user", [("Entity", 4, 8)], [("Action", 4, 8)])
    assert PROTOCOLS["reqflow"].measures == (RELAXED, STRICTER, EXACT)
    assert {row.average for row in result.rows} >= {"micro", "macro", "label"}
    assert (len(result.curve()), result.confusion()["Entity"]["Action"]) == (21, 1)


def test_new_example_report() -> None:
    """Micro .75 and macro .68 follow from what is printed; with its own frequencies micro is .758."""
    p, r, f1 = np.array([REPORT[tag] for tag in FREQUENCY]).T
    gold = np.array(list(FREQUENCY.values()), dtype=float)
    tags = {"tp": gold * r, "pred": gold * r / p, "gold": gold}
    precision, recall, f = COUNTED.rates()
    assert f(tags).round(2).tolist() == f1.tolist()
    assert (float(f1.mean()), float(f(tags).mean())) == pytest.approx((0.68, 0.6841), abs=5e-5)
    printed = {"tp": np.array(0.78 * 0.72), "pred": np.array(0.72), "gold": np.array(0.78)}
    assert [float(rate(printed)) for rate in (precision, recall, f)] == pytest.approx([0.78, 0.72, 0.7488])
    micro = {name: column.sum() for name, column in tags.items()}
    assert [float(recall(micro)), float(f(micro))] == pytest.approx([0.7365, 0.758], abs=5e-4)


def test_new_semeval_is_not_iou() -> None:
    """SemEval is "partial (IoU)" there, which is wrong: any overlap is half a match; CoNLL is exact."""
    sides = [[{"label": "Action", "start": 0, "end": 20}]], [[{"label": "Action", "start": 19, "end": 40}]]
    result = evaluate(*sides, ["spans.semeval(mode=partial)", "spans.iou(threshold=0.5)", EXACT])
    assert iou((0, 20), (19, 40)) == 1 / 40
    assert [result.value("f1", measure) for measure in result.measures] == [0.5, 0.0, 0.0]
