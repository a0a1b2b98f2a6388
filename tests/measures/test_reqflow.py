"""ReqFlow's own figures, to the digit: the oracle first, then by hand every rule the oracle does not reach.

The oracle holds inputs and outputs of the real tool (its versions are named in the file). Left out of it:
max_variant_relaxed, head_gui: versions of ReqFlow that no protocol copies. head_cli is text-only matching on
sets, which spans.text does; it is compared without a protocol, its tag list and aliases applied here.
"""

import csv
import json
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from spanscope import Result, Scoring, evaluate

Json = dict[str, Any]
Figures = tuple[int, int, int, float, float, float]
ORACLE: Json = json.loads((Path(__file__).parents[1] / "oracles" / "reqflow_random.json").read_text("utf-8"))
META: Json = ORACLE["meta"]
CASES: list[Json] = ORACLE["cases"]
TAGS: list[str] = META["tags_v1_v2"]
SETS, LISTS = "spans.exact(duplicates=set)", "spans.exact(duplicates=list)"
RATES = ("precision", "recall", "f1")
DROPPED = "dropped, as ReqFlow does"
every_case = pytest.mark.parametrize("case", CASES, ids=[f"{case['case']}-{case['kind']}" for case in CASES])


def relaxed(threshold: float | str) -> str:
    return f"spans.relaxed(threshold={threshold})"


# ---------------------------------------------------------------- the oracle


@cache
def scored(number: int) -> Result:
    """Run every threshold of the oracle and both exact measures on a case, under the rules of v2."""
    case = next(case for case in CASES if case["case"] == number)
    measures = [*(relaxed(threshold) for threshold in META["thresholds"]), SETS, LISTS]
    return evaluate(case["gold"], case["pred"], measures, protocol="reqflow-v2", ci=False)


def figures(result: Result, measure: str | None, tag: str | None = None) -> Figures:
    """Return tp, fp, fn, precision, recall and f1 of a tag, or of all of them."""
    n = result.totals(measure) if tag is None else result.counts(measure)[tag]
    p, r, f = (result.value(rate, measure, label=tag) for rate in RATES)
    return n["tp"], n["pred"] - n["tp"], n["gold"] - n["tp"], p, r, f


def same_as_cli(result: Result, measure: str, theirs: Json) -> None:
    want = theirs["summary"]
    assert figures(result, measure) == pytest.approx(
        tuple(want[key] for key in ("tp", "fp", "fn", "precision", "recall", "micro_f1")), abs=1e-12
    )
    assert result.value("f1", measure, "macro") == pytest.approx(want["macro_f1"], abs=1e-12)
    assert [row["tag"] for row in theirs["rows"]] == list(result.counts(measure)) == TAGS
    for row in theirs["rows"]:
        expected = tuple(row[key] for key in ("tp", "fp", "fn", *RATES))
        assert figures(result, measure, row["tag"]) == pytest.approx(expected, abs=1e-12), row["tag"]


def rounded(values: Figures) -> tuple[float, ...]:
    return (*values[:3], *(round(value, 4) for value in values[3:]))


@every_case
def test_command_line(case: Json) -> None:
    """Exact on sets and relaxed: counts exactly, rates and macro to 1e-12; by threshold, by protocol."""
    out, gold, pred = case["out"], case["gold"], case["pred"]
    for result, thresholds in (
        (scored(case["case"]), [str(threshold) for threshold in META["thresholds"]]),
        (evaluate(gold, pred, protocol="reqflow-v1", ci=False), ["0.8"]),
        (evaluate(gold, pred, protocol="reqflow-v2", ci=False), ["0.5", "0.8"]),
    ):
        assert len(result.measures) == len(thresholds) + 2  # and exact on sets, exact on lists
        same_as_cli(result, SETS, out["cli_v2_exact"])
        for threshold in thresholds:
            same_as_cli(result, relaxed(threshold), out["cli_v2_relaxed"][threshold])
        assert figures(result, LISTS) == figures(scored(case["case"]), LISTS)
        assert sorted(map(int, result.comparison.names)) == out["common_ids_cli"]


@every_case
def test_window_of_v1_and_v2(case: Json) -> None:
    """The window counts lists, rounds to four places, and shows v1's rows in v2 too (meta.note)."""
    result = scored(case["case"])
    for mode, ours in (("Exact@1.0", LISTS), *((f"Relaxed@{t}", relaxed(t)) for t in META["thresholds"])):
        v1, v2 = (case["out"][version][mode]["summary"] for version in ("gui_v1", "gui_v2"))
        total = rounded(figures(result, ours))
        for summary in (v1, v2):
            assert summary["common_requirements"] == result.documents
            assert total == tuple(summary[key] for key in ("TP", "FP", "FN", *RATES)), mode
        assert (v2["micro_f1"], v2["macro_f1"]) == (total[5], round(result.value("f1", ours, "macro"), 4))
        rows = case["out"]["gui_v1"][mode]["rows_in_display_order"]
        theirs = {row["tag"]: tuple(row[key] for key in ("TP", "FP", "FN", *RATES)) for row in rows}
        assert theirs == {tag: rounded(figures(result, ours, tag)) for tag in TAGS}, mode


@every_case
@pytest.mark.parametrize("measure", [None, relaxed(0.8)], ids=["headline", "another"])
def test_curve_of_the_window(case: Json, measure: str | None) -> None:
    """21 thresholds from 0.00 to 1.00, read from one matching; whichever threshold the measure itself has."""
    theirs, points = case["out"]["gui_v1"]["curve"], scored(case["case"]).curve(measure)
    ours = {f"{point.threshold:.2f}|{r}": round(getattr(point, r), 4) for point in points for r in RATES}
    assert (len(points), ours) == (21, theirs)


@every_case
def test_files_of_the_command_line(case: Json) -> None:
    """The three CSV files, to the last character."""
    out = case["out"]
    for protocol, measures, expected in (
        ("reqflow-v1", None, out["cli_v1_exact_csv"]),
        ("reqflow-v2", [SETS], out["cli_v2_exact_csv"]),
        ("reqflow-v2", None, out["cli_v2_relaxed_csv"]["0.5"]),
        ("reqflow-v2", [relaxed(0.5), SETS], out["cli_v2_relaxed_csv"]["0.5"]),
    ):
        result = evaluate(case["gold"], case["pred"], measures, protocol=protocol, ci=False)
        assert result.table("reqflow-csv") == expected, (protocol, measures)


def kept(items: list[Json], keep: Callable[[Json], bool], alias: Json | None = None) -> list[Json]:
    """Return documents for our own reader: no document text, so that spans keep the text they came with."""
    names = {tag: tag for tag in TAGS} | (alias or {})
    spans = [[{**span, "tag": names[span["tag"]]} for span in item["spans"] if keep(span)] for item in items]
    return [{"id": item["id"], "spans": found} for item, found in zip(items, spans, strict=True)]


@every_case
def test_most_matches(case: Json) -> None:
    """The oracle's own optimum is what assignment=optimal finds.

    Not comparable, and so left out: threshold 0 (here a pair must overlap) and empty spans (identical ones
    have IoU 1 here and 0 in ReqFlow, which never matches them above 0). Reversed spans are not accepted.
    """
    gold, pred = (kept(case[side], lambda span: span["start"] < span["end"]) for side in ("gold", "pred"))
    for threshold, most in case["out"]["max_cardinality_tp"].items():
        if float(threshold) > 0:
            ours = f"spans.relaxed(threshold={threshold}, assignment=optimal, text=difflib)"
            assert evaluate(gold, pred, ours, ci=False).totals()["tp"] == most, threshold


def test_scores_of_pairs() -> None:
    """Every overlapping pair of one tag, each as a document of its own: IoU, text ratio, blend."""
    theirs: dict[str, Json] = {}
    sides: dict[str, list[Json]] = {"gold": [], "pred": []}
    for case in CASES:
        for n, pair in enumerate(case["out"]["pair_scores"]):
            theirs[name := f"{case['case']}/{n}"] = pair
            for side, documents in sides.items():
                spans = next(item["spans"] for item in case[side] if item["id"] == pair["id"])
                accepted = [span for span in spans if span["start"] <= span["end"]]
                documents.append({"id": name, "spans": [accepted[pair[side]]]})
    form = "spans.relaxed(threshold=0, text=difflib, iou_weight={})"
    for key, weight in (("iou", 1.0), ("text_sim", 0.0), ("score", 0.65)):
        result = evaluate(sides["gold"], sides["pred"], form.format(weight), ci=False)
        ours = {match["document"]: match["score"] for match in result.matches(["correct"])}
        assert ours == pytest.approx({name: pair[key] for name, pair in theirs.items()}, abs=1e-15)


@every_case
def test_text_only_matching_of_the_head_version(case: Json) -> None:
    """head_cli: sets of (tag, lower-cased text); spans with blank texts do not count there.

    No text of the oracle folds otherwise than it lowers, so nothing had to be excluded.
    """
    sides, alias = (case["gold"], case["pred"]), META["tag_aliases_head"]
    gold, pred = (kept(side, lambda span: bool(span["text"].strip()), alias) for side in sides)
    measure = "spans.text(normalise=lower, duplicates=set)"
    result = evaluate(gold, pred, measure, labels=META["tags_head_cli"], score=Scoring(undefined=0), ci=False)
    _, *rows = csv.reader(case["out"]["head_cli_csv"].splitlines())
    assert [row[0] for row in rows] == [*META["tags_head_cli"], "MACRO_AVG", "MICRO_AVG"]
    assert rows.pop(-2)[-1] == f"{result.value('f1', average='macro'):.4f}"
    for tag, *row in rows:
        n = figures(result, measure, None if tag == "MICRO_AVG" else tag)
        assert row == [*map(str, n[:3]), *(f"{value:.4f}" for value in n[3:])], tag


# ---------------------------------------------------------------- rules worked by hand


def span(start: Any, end: Any, text: Any = "text", tag: Any = "Action") -> Json:
    return {"tag": tag, "start": start, "end": end, "text": text}


def item(*spans: Any, id: Any = 1, **more: Any) -> Json:
    return {"id": id, "spans": list(spans), **more}


HIT = item(span(0, 4))
HITS = [HIT]


def run(gold: Any, pred: Any, *measures: str) -> Result:
    return evaluate(gold, pred, measures or None, protocol="reqflow-v2", ci=False)


def counts(result: Result, measure: str | None = None) -> tuple[int, int, int]:
    return figures(result, measure)[:3]


NO_TEXT, EMPTY, NULL = {"tag": "Action", "start": 0, "end": 4}, span(3, 3, ""), span(0, 4, None)
TIDE, DIET = span(0, 4, "tide"), span(0, 4, "diet")
FOUR, NEXT, NINE, ONE = span(0, 4, "aaaa"), span(5, 9, "aaaa"), span(0, 9, "a" * 9), span(0, 1, "a")
SPAN_RULES: dict[str, tuple[list[Json], list[Json], str, tuple[int, int, int]]] = {
    "booleans are ints": ([span(0, 1)], [span(False, True)], relaxed(1.0), (1, 0, 0)),
    'a missing text is ""': ([NO_TEXT], [span(0, 4, "")], relaxed(1.0), (1, 0, 0)),
    'a null text is "None"': ([NULL], [span(0, 4, "None")], relaxed(1.0), (1, 0, 0)),
    "a missing text is not a null one": ([NO_TEXT], [NULL], relaxed(1.0), (0, 1, 1)),
    "equal offsets alone score .65": ([NO_TEXT], [NULL], relaxed(0.65), (1, 0, 0)),
    "exact ignores texts": ([NO_TEXT], [NULL], SETS, (1, 0, 0)),
    "case counts: .65 + .35 * .75 is .9125": ([span(0, 4, "Text")], [span(0, 4)], relaxed(0.9125), (1, 0, 0)),
    "case counts: .9125 is below .92": ([span(0, 4, "Text")], [span(0, 4)], relaxed(0.92), (0, 1, 1)),
    "ratio, prediction first: .65 + .35 * .50 is .8250": ([TIDE], [DIET], relaxed(0.8), (1, 0, 0)),
    "ratio, prediction first: .65 + .35 * .25 is .7375": ([DIET], [TIDE], relaxed(0.8), (0, 1, 1)),
    "exact sets match empty spans": ([EMPTY], [EMPTY], SETS, (1, 0, 0)),
    "exact lists match empty spans": ([EMPTY], [EMPTY], LISTS, (1, 0, 0)),
    "relaxed does not: their IoU is 0": ([EMPTY], [EMPTY], relaxed(0.05), (0, 1, 1)),
    "relaxed does at threshold 0": ([EMPTY], [EMPTY], relaxed(0), (1, 0, 0)),
    "threshold 0 matches what does not touch": ([span(0, 4)], [span(90, 99)], relaxed(0), (1, 0, 0)),
    "threshold .01 does not": ([span(0, 4)], [span(90, 99)], relaxed(0.01), (0, 1, 1)),
    "threshold 0 minds the tag": ([span(0, 4)], [span(0, 4, tag="Entity")], relaxed(0), (0, 1, 1)),
    "ties fall to list order: one match": ([FOUR, NEXT], [NINE, ONE], relaxed(0.3), (1, 1, 1)),
    "ties fall to list order: two matches": ([NEXT, FOUR], [NINE, ONE], relaxed(0.3), (2, 0, 0)),
    "threshold 1 asks for equal texts": ([TIDE], [DIET], relaxed(1.0), (0, 1, 1)),
    "exact does not": ([TIDE], [DIET], SETS, (1, 0, 0)),
    "identical spans score exactly 1": ([TIDE], [TIDE], relaxed(1.0), (1, 0, 0)),
}


@pytest.mark.parametrize("rule", SPAN_RULES)
def test_rules_on_the_spans_of_one_item(rule: str) -> None:
    """The rule named, worked by hand: tp, fp and fn of an item's spans."""
    gold, pred, measure, expected = SPAN_RULES[rule]
    assert counts(run([item(*gold, text="None")], [item(*pred, text="None")], measure)) == expected
    if rule.startswith("ratio"):  # not symmetric: this is what the real difflib says
        assert SequenceMatcher(None, pred[0]["text"], gold[0]["text"]).ratio() == (0.25, 0.5)[expected[0]]


@pytest.mark.parametrize("id", ["1", " 1 ", 1.9, True])
def test_ids_are_cast_to_int(id: Any) -> None:
    """Ids go through int(): strings work, and 1.9 is 1."""
    result = run(HITS, [item(span(0, 4), id=id)])
    assert (counts(result), list(result.comparison.names), result.problems.number) == ((1, 0, 0), ["1"], {})


@pytest.mark.parametrize("bad", [item(id="req-1"), item(id=None), item(id=[1]), {"spans": []}, 3, None, "x"])
def test_items_that_cannot_be_cast_are_dropped(bad: Any) -> None:
    """Items that are no objects, have no id or one that int() refuses are dropped, and reported."""
    result = run([HIT, bad], [bad, item(span(0, 4))])
    assert (counts(result), result.documents, result.problems.number) == ((1, 0, 0), 1, {DROPPED: 2})
    assert [where.partition(":")[0] for where in result.problems.first[DROPPED]] == ["gold[1]", "pred[0]"]


def test_last_of_repeated_ids_wins() -> None:
    """Of several items with one id the last is scored, and the loss of the others is reported."""
    result = run(HITS, [item(span(5, 9)), item(span(0, 4), id="1")])
    assert (counts(result, SETS), result.problems.number) == ((1, 0, 0), {DROPPED: 1})
    assert counts(run(HITS, [item(span(0, 4)), item(span(5, 9))]), SETS) == (0, 1, 1)


SHAPES: list[Json] = [{"items": HITS}, {"data": HITS}, {"7": HIT}, {"1": {"spans": [span(0, 4)]}}]


@pytest.mark.parametrize("gold", SHAPES, ids=["items", "data", "keyed, inner id wins", "keyed, no inner id"])
def test_shapes_of_files(gold: Json) -> None:
    """A file is a list, {"items": list}, {"data": list}, or an object of items (without id the key is it)."""
    result = run(gold, HITS)
    assert (counts(result), list(result.comparison.names)) == ((1, 0, 0), ["1"])


def test_files_as_reqflow_wrote_them(tmp_path: Path) -> None:
    """A gold file named with a leading space, clauses, failed calls (all FN); gold without spans."""
    gold, pred = tmp_path / " gold.json", tmp_path / "baseline_spans.json"
    gold.write_text(json.dumps({"schema": TAGS, "items": [HIT, item(span(0, 4), id=2)]}), "utf-8")
    failed = item(id=2, error="Ollama generate failed after 3 attempts: timed out")
    found = item(span(0, 4), clauses=[{"clause_id": 1, "start": 0, "end": 4, "text": "text", "cue": None}])
    pred.write_text(json.dumps([found, failed]), "utf-8")
    assert counts(run(gold, pred)) == (1, 0, 1)
    assert counts(run([{"id": "1", "actor": "Student", "preconditions": []}], HITS)) == (0, 1, 0)


def test_only_common_ids_are_scored() -> None:
    """Missing predictions cost no recall, unknown ones no precision; both are reported."""
    result = run([HIT, item(span(0, 4), id=2)], [HIT, item(span(0, 4), id=3), item(id=4)])
    assert (counts(result), result.documents) == ((1, 0, 0), 1)
    assert result.problems.number == {"missing document": 1, "extra document": 2}


def test_no_common_ids() -> None:
    """No id on both sides: every figure is 0 (as in the window; the command line stops), and we say so."""
    result = run(HITS, [item(span(0, 4), id=2)])
    assert {result.value(rate, average=how) for rate in RATES for how in ("micro", "macro")} == {0.0}
    assert (result.documents, result.problems.number["nothing in common"]) == (0, 1)


BAD_SPANS = [
    *(span(5, 6, tag=tag) for tag in ("Purpose", "action", "Action ", "", None, 3, ["Action"])),
    *(span(*ends) for bad in (4.0, "4", None, [4]) for ends in ((0, bad), (bad, 9))),
    *("Action", None, [0, 4]),
]


@pytest.mark.parametrize("bad", BAD_SPANS, ids=repr)
def test_bad_spans_are_dropped_on_their_side(bad: Any) -> None:
    """Unknown tags, offsets that are no ints, spans that are no objects: no FP, no FN, and reported.

    (On spans that are no objects ReqFlow's relaxed code crashes, which is not copied.)
    """
    for gold, pred in (([item(span(0, 4), bad)], HITS), (HITS, [item(bad, span(0, 4))])):
        result = run(gold, pred)
        assert {counts(result, measure) for measure in (relaxed(0.5), SETS, LISTS)} == {(1, 0, 0)}
        assert result.problems.number == {DROPPED: 1}


def test_reversed_spans_count_for_exact_sets_only() -> None:
    """A span with end < start counts in sets; lists, relaxed scores and curves never see it."""
    both = [item(span(5, 3), span(0, 4))]
    result = run(both, both)
    assert counts(result, SETS) == (2, 0, 0)
    assert {counts(result, measure) for measure in (LISTS, relaxed(0.5), relaxed(0.8))} == {(1, 0, 0)}
    for measure in (relaxed(0.5), relaxed(0.8)):
        assert {(point.tp, point.pred) for point in result.curve(measure)} == {(1, 1)}


def test_reversed_spans_are_reported() -> None:
    """Most figures leave a reversed span out, so the result has to say so."""
    assert run(HITS, [item(span(0, 4), span(5, 3))]).problems


@pytest.mark.parametrize("start", [-1, -5])
def test_nothing_checks_that_offsets_are_inside(start: int) -> None:
    """Starts below 0 (-1 is what str.find gives) and ends past the text are scored like any other."""
    both = [item(span(start, 400), text="short")]
    result = run(both, both)
    assert [counts(result, measure) for measure in (relaxed(0.5), SETS, LISTS)] == [(1, 0, 0)] * 3


@pytest.mark.parametrize("start", [0, -3])
def test_spans_of_two_items_never_meet(start: int) -> None:
    """Not even at threshold 0, nor with a start below 0."""
    gold, pred = [item(span(0, 100)), item(id=2)], [item(), item(span(start, 100), id=2)]
    assert counts(run(gold, pred, relaxed(0))) == (0, 1, 1)


def test_texts_of_items_are_never_compared() -> None:
    """Another text under the same id changes no figure; here it is reported."""
    result = run([{**HIT, "text": "text and"}], [{**HIT, "text": "other text"}])
    assert (counts(result), result.problems.number) == ((1, 0, 0), {"text mismatch": 1, "different texts": 1})


@pytest.mark.parametrize(("length", "matches"), [(199, 1), (200, 0)])
def test_difflib_ignores_frequent_characters_of_long_texts(length: int, matches: int) -> None:
    """Autojunk stays on: from 200 characters of gold on, frequent ones are ignored, a match is lost."""
    text = ("ab" * 100)[:length]
    ratios = [SequenceMatcher(None, f"x{text}", text, autojunk=on).ratio() for on in (True, False)]
    scores = [0.65 * length / (length + 1) + 0.35 * ratio for ratio in ratios]
    assert [score >= 0.8 for score in scores] == [bool(matches), True]
    gold, pred = [item(span(1, length + 1, text))], [item(span(0, length + 1, f"x{text}"))]
    assert counts(run(gold, pred), relaxed(0.8)) == (matches, 1 - matches, 1 - matches)
    assert evaluate(gold, pred, relaxed(0.8), ci=False).totals()["tp"] == 1  # our own measure does without


@pytest.mark.parametrize(("gold", "pred", "in_lists"), [(1, 2, (1, 1, 0)), (3, 2, (2, 0, 1))])
def test_duplicates(gold: int, pred: int, in_lists: tuple[int, int, int]) -> None:
    """Exact on the command line works on sets, everything else on lists, where duplicates are FP and FN."""
    result = run([item(*[span(0, 4)] * gold)], [item(*[span(0, 4)] * pred)])
    assert (counts(result, SETS), counts(result, LISTS), counts(result)) == ((1, 0, 0), in_lists, in_lists)
    assert result.problems.number == {"duplicate": gold + pred - 2}


def test_macro_runs_over_all_eight_tags() -> None:
    """Tags that occur nowhere count as 0: one perfect tag of eight is 1/8."""
    result = run(HITS, HITS)
    assert [result.value("f1", measure, "macro") for measure in (relaxed(0.5), SETS)] == [0.125, 0.125]
    assert [result.value("f1", label=tag) for tag in TAGS] == [float(tag == "Action") for tag in TAGS]


@pytest.mark.parametrize("gold", [[item()], [], HITS, [item(span(5, 3))]])
@pytest.mark.parametrize("pred", [[item()], [], [item(span(7, 9))]])
def test_nothing_to_find_or_nothing_found_is_zero(gold: list[Json], pred: list[Json]) -> None:
    """0.0 on any zero denominator; both sides empty is 0.0 too, not 1.0."""
    result = run(gold, pred)
    for measure in (relaxed(0.5), SETS, LISTS):
        assert {result.value(rate, measure, how) for rate in RATES for how in ("micro", "macro")} == {0.0}


def test_files_round_the_harmonic_mean() -> None:
    """27 of 37 found, no FP: 2pr/(p+r) is 0.84374..., printed 0.8437; 2tp/(2tp+fn) would be 0.84375."""
    p, r = 1.0, 27 / 37
    assert (f"{2 * p * r / (p + r):.4f}", f"{2 * 27 / (2 * 27 + 10):.4f}") == ("0.8437", "0.8438")
    spans = [span(10 * n, 10 * n + 4) for n in range(37)]
    text = evaluate([item(*spans)], [item(*spans[:27])], protocol="reqflow-v1", ci=False).table("reqflow-csv")
    assert "Action,27,0,10,1.0000,0.7297,0.8437" in text.splitlines()
