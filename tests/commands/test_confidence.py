"""Predictions with scores: a lowest score, one that is found on other documents, and every view of their worth."""

import csv
import io
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

import spanscope
from spanscope import Running, Scoring
from spanscope.io.results import read_result
from spanscope.report import figures
from spanscope.results.written import restore_result
from tests.cli import jsonl, refused, run, write
from tests.support import needs

Corpus = list[dict[str, Any]]
SCHEMA = json.loads((files("spanscope.results") / "schemas/result-1.json").read_text("utf-8"))


def corpus(first: int, *each: list[tuple[int, str, float | None]]) -> Corpus:
    """Return documents with spans of five characters, with a score where one is given."""
    return [
        {
            "id": str(first + number),
            "spans": [
                {"start": at, "end": at + 5, "label": label} | ({} if score is None else {"score": score})
                for at, label, score in own
            ],
        }
        for number, own in enumerate(each)
    ]


# Four gold spans. From .9 on one of one is right, from .6 two of three, from .3 three of five, then three of six:
# F1 is 2/5, 4/7, 6/9 and 6/10. So .3 is best.
DEV_GOLD = corpus(0, [(0, "A", None), (10, "A", None)], [(0, "B", None), (10, "B", None)])
DEV = corpus(0, [(0, "A", 0.9), (10, "A", 0.6), (20, "A", 0.6)], [(0, "B", 0.3), (30, "B", 0.3), (40, "B", 0.1)])
# Of two predictions from .3 on, which is the edge, one is right; of two gold spans one is found.
GOLD = corpus(10, [(0, "A", None)], [(0, "B", None)])
PRED = corpus(10, [(0, "A", 0.3), (20, "A", 0.8)], [(0, "B", 0.29)])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, own in {"dev.gold": DEV_GOLD, "dev": DEV, "gold": GOLD, "pred": PRED}.items():
        write(tmp_path / f"{name}.jsonl", jsonl(own))
    write(tmp_path / "all.jsonl", jsonl([*DEV_GOLD, *GOLD]))
    return tmp_path


# ---------------------------------------------------------------- a lowest score


@pytest.mark.parametrize("memory", ["spans", "counts", "totals"])
def test_predictions_below_a_score_are_left_out_and_counted(memory: Any, folder: Path) -> None:
    score = Scoring(min_score=0.3)
    found = spanscope.evaluate(
        folder / "gold.jsonl",
        folder / "pred.jsonl",
        "spans.exact",
        ci=False,
        score=score,
        run=Running(memory=memory),
    )
    assert found.totals() == {"tp": 1, "pred": 2, "gold": 2}
    assert found.problems.number == {"low score": 1}
    assert found.problems.first["low score"][0].endswith("1 prediction with a score below 0.3 left out")
    assert "|min_score:0.3|" in found.signature()
    assert found.settings.plain()["min_score"] == 0.3


def test_a_lowest_score_is_no_reason_for_strict_to_refuse() -> None:
    assert spanscope.evaluate(GOLD, PRED, ci=False, score=Scoring(min_score=0.3, strict=True)).value() == 0.5


@pytest.mark.parametrize(
    ("pred", "asked", "words"),
    [
        (GOLD, {"score": Scoring(min_score=0.5)}, "2 of 2 predictions without a score"),
        (PRED, {"score": Scoring(min_score="high")}, "min_score is 'high'"),  # type: ignore[arg-type]
        (PRED, {"score": Scoring(min_score=0.5), "measures": "segments.pk"}, "min_score is of labelled spans"),
        (PRED, {"score": Scoring(min_score=0.5, tune=DEV)}, "tune finds the lowest score, and min_score says one"),
        (PRED, {"score": Scoring(tune_gold=DEV_GOLD)}, "tune_gold is the gold of predictions to tune on"),
        (PRED, {"score": Scoring(tune=DEV, tune_gold=DEV_GOLD), "measures": "spans.characters"}, "one by one"),
        (PRED, {"score": Scoring(tune=DEV_GOLD, tune_gold=DEV_GOLD)}, "4 of 4 predictions without a score"),
        (
            PRED,
            {"score": Scoring(tune=DEV, tune_gold=corpus(0, [(50, "A", None)], []))},
            "no prediction to tune on",
        ),
    ],
)
def test_refused(pred: Corpus, asked: dict[str, Any], words: str) -> None:
    with pytest.raises(spanscope.SpanscopeError, match=words):
        spanscope.evaluate(GOLD, pred, **{"measures": "spans.exact", "ci": False} | asked)


def test_a_comparison_takes_a_lowest_score_and_does_not_tune() -> None:
    compared = spanscope.compare(GOLD, ("a", PRED), ("b", PRED), score=Scoring(min_score=0.3), trials=10)
    assert [run.problems["low score"] for own in compared.runs.values() for run in own] == [1, 1]
    with pytest.raises(
        spanscope.MeasureError, match="tune is for predictions that are scored against gold, one run"
    ):
        spanscope.compare(GOLD, ("a", PRED), ("b", PRED), score=Scoring(tune=DEV, tune_gold=DEV_GOLD))


# ---------------------------------------------------------------- tuned on other documents


def test_the_best_score_of_other_documents_is_the_lowest_score_here() -> None:
    found = spanscope.evaluate(GOLD, PRED, "spans.exact", ci=False, score=Scoring(tune=DEV, tune_gold=DEV_GOLD))
    assert found.settings.min_score == 0.3
    assert found.settings.tune is not None
    assert (found.settings.tune.documents, found.settings.tune.value) == (2, pytest.approx(6 / 9))
    assert found.totals() == {"tp": 1, "pred": 2, "gold": 2}
    assert found.problems.number == {"low score": 1}
    assert "|min_score:0.3|tune:memory,memory|" in found.signature()


def test_on_the_command_line(folder: Path) -> None:
    """Both the report and the signature say it; gold may hold both sets of documents."""
    two = ("--tune", "dev.jsonl", "--tune-gold", "dev.gold.jsonl")
    done = run("eval", "gold.jsonl", "pred.jsonl", "-m", "spans.exact", "--no-ci", *two)
    assert done.code == 0
    assert "from 0.3 on   tuned on dev.jsonl: f1 0.6667 of 2 documents" in done.out
    assert "|min_score:0.3|tune:" in done.out
    shared = ("--missing", "skip", "--tune", "dev.jsonl")
    again = run("eval", "all.jsonl", "pred.jsonl", "-m", "spans.exact", "--no-ci", *shared, "--format", "json")
    data = json.loads(again.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(data)
    assert (data["settings"]["min_score"], data["settings"]["tune"]["pred"]) == (0.3, "dev.jsonl")
    assert data["counts"]["spans.exact(duplicates=list)"]["A"] == {"tp": 1, "pred": 2, "gold": 1}


@pytest.mark.parametrize("memory", ["spans", "totals"])
def test_documents_that_chose_the_score_themselves_are_named(memory: Any, folder: Path) -> None:
    score = Scoring(tune=folder / "dev.jsonl", tune_gold=folder / "dev.gold.jsonl")
    gold, pred = folder / "dev.gold.jsonl", folder / "dev.jsonl"
    found = spanscope.evaluate(gold, pred, "spans.exact", ci=False, score=score, run=Running(memory=memory))
    assert found.problems.number["tuned on itself"] == 2
    assert found.value() == pytest.approx(6 / 9)


def test_what_is_tuned_on_is_not_written_over(folder: Path) -> None:
    done = run("eval", "gold.jsonl", "pred.jsonl", "--tune", "dev.jsonl", "-o", "dev.jsonl", "--format", "json")
    assert "is an input" in refused(done)


# ---------------------------------------------------------------- views


def test_report_and_csv_have_the_figures(folder: Path) -> None:
    words = ("eval", "dev.gold.jsonl", "dev.jsonl", "-m", "spans.exact", "--no-ci")
    report = run(*words).out
    assert "By confidence: spans.exact" in report
    assert "Best F1 0.6667 from a score of 0.3" in report
    # A: right from .9, then one of two of .6 is right: 1/2 + 1/2 x 2/3. B: one of two of .3: 1/2 x 1/2.
    assert [line.split()[:2] for line in report.splitlines() if line.startswith(("A ", "B "))][-2:] == [
        *(["A", "0.8333"], ["B", "0.2500"])
    ]
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").out)))
    found = {(row["average"], row["label"]): row["value"] for row in rows if row["rate"] == "average_precision"}
    assert float(found["macro", ""]) == pytest.approx((5 / 6 + 1 / 4) / 2)
    assert float(found["micro", ""]) == pytest.approx(1 / 4 * 1 + 1 / 4 * 2 / 3 + 1 / 4 * 3 / 5)


def test_a_saved_result_holds_the_same(folder: Path) -> None:
    result = spanscope.evaluate(DEV_GOLD, DEV, "spans.exact")
    write(folder / "r.json", result.to_json())
    jsonschema.Draft202012Validator(SCHEMA).validate(result.to_dict())
    back = restore_result(*read_result("r.json")).confidence()
    own = result.confidence()
    assert back.rows == own.rows
    assert (back.points(), back.best, back.error) == (own.points(), own.best, own.error)
    assert repr(back.bins) == repr(own.bins)


def test_of_many_scores_some_points_are_written_the_best_among_them() -> None:
    spans = [(10 * at, "A", at / 2000) for at in range(1, 1500)]
    gold = corpus(0, [(at, label, None) for at, label, _ in spans[700:]])
    found = spanscope.evaluate(gold, corpus(0, spans), "spans.exact", ci=False).confidence()
    chosen = found.points(500)
    assert found.best in chosen
    assert 500 <= len(chosen) <= 501
    assert (chosen[0], chosen[-1]) == (found.points()[0], found.points()[-1])


@pytest.mark.parametrize("kind", ["confidence", "calibration"])
def test_figures(kind: str, folder: Path) -> None:
    needs("matplotlib")
    done = run("plot", kind, "dev.gold.jsonl", "dev.jsonl", "-m", "spans.exact", "-o", "a.svg")
    assert (done.code, done.err) == (0, "wrote a.svg\n")
    result = spanscope.evaluate("dev.gold.jsonl", "dev.jsonl", "spans.exact", ci=False)
    write(folder / "r.json", result.to_json())
    assert run("plot", kind, "r.json", "-o", "b.svg").code == 0
    assert (folder / "b.svg").read_bytes() == figures.to_bytes(figures.KINDS[kind](result))[0]


def test_figures_draw_what_the_result_says() -> None:
    needs("matplotlib")
    result = spanscope.evaluate(DEV_GOLD, DEV, "spans.exact", ci=False)
    (axes,) = figures.confidence(result).axes
    (curve,) = [line for line in axes.lines if line.get_gid() == "curve"]
    assert curve.get_xydata().tolist() == [  # type: ignore[union-attr]
        [0.0, 1.0],
        *([one.recall, one.precision] for one in result.confidence().points()),
    ]
    above, below = figures.calibration(result).axes
    drawn = [
        (line.get_gid(), *point)
        for line in above.lines
        if line.get_gid() in ("bins", "few")
        for point in line.get_xydata().tolist()  # type: ignore[union-attr]
    ]
    own = [one for one in result.confidence().bins if one.pred]
    assert sorted(drawn) == sorted(("few" if one.pred < 10 else "bins", one.mean, one.accuracy) for one in own)
    assert [bar.get_height() for bar in below.patches] == [one.pred for one in result.confidence().bins]  # type: ignore[attr-defined]


def test_figures_are_refused_without_scores(folder: Path) -> None:
    needs("matplotlib")
    done = run("plot", "confidence", "gold.jsonl", "gold.jsonl", "-o", "a.svg")
    assert "2 of 2 predictions without a score" in refused(done)
    odd = corpus(10, [(0, "A", 7.0)], [(0, "B", 1.0)])
    with pytest.raises(spanscope.MeasureError, match="cannot be calibrated"):
        figures.calibration(spanscope.evaluate(GOLD, odd, "spans.exact", ci=False))
