"""Quotes placed before they are scored: `--locate` in eval, compare and report. Figures are worked by hand."""

import json
from pathlib import Path

import pytest

import spanscope
from spanscope.errors import MeasureError
from tests.cli import run

TEXT = "The fee is due in 30 days. Bob met Ann."
GOLD = [
    {"id": "a", "text": TEXT, "spans": [[0, 7, "Duty"], [15, 25, "Term"], [27, 30, "P"]]},
    {"id": "b", "text": "Nothing here.", "spans": []},
]
SAID = [
    {
        "id": "a",
        "spans": [
            {"text": "the fee", "label": "Duty", "start": 1, "end": 8},
            {"text": "in 45 days", "label": "Term", "start": 15, "end": 25},
            {"text": "Bob", "label": "P", "start": 25, "end": 28},
        ],
    },
    {"id": "b", "spans": []},
]
LOCATE = spanscope.Reading(locate=True)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "gold.jsonl", tmp_path / "said.jsonl"
    for path, documents in zip(paths, (GOLD, SAID), strict=True):
        path.write_text("".join(json.dumps(one) + "\n" for one in documents), encoding="utf-8")
    return paths


@pytest.mark.parametrize(
    "measure", ["spans.exact", "spans.relaxed", "spans.iou", "spans.overlap", "spans.unlabelled"]
)
def test_invented_quotes_are_spurious_predictions(measure: str) -> None:
    """Two of three are placed where gold has them; the third is a prediction all the same."""
    result = spanscope.evaluate(GOLD, SAID, measure, read=LOCATE, ci=False)
    assert result.value("precision") == pytest.approx(2 / 3)
    assert result.value("recall") == pytest.approx(2 / 3)


def test_the_result_says_what_was_touched_and_the_figure_as_given() -> None:
    """As given only the place of the invented quote is gold's: 1 of 3, so F1 is 1/3."""
    result = spanscope.evaluate(GOLD, SAID, "spans.exact", read=LOCATE, ci=False)
    (placed,) = result.problems.first["quotes placed"]
    assert "3 quotes placed in gold's texts: 1 exact, 1 normalised, 1 not found, 2 moved" in placed
    assert result.as_given == pytest.approx(1 / 3)
    assert "micro f1 of spans.exact: 0.6667 as located, 0.3333 with the offsets as given." in " ".join(
        result.table().split()
    )
    assert "|located:" in result.signature()
    plain = spanscope.evaluate(
        GOLD, SAID, "spans.exact", ci=False, score=spanscope.Scoring(allow_different_texts=True)
    )
    assert plain.value("f1") == pytest.approx(1 / 3)


def test_errors_are_named() -> None:
    result = spanscope.evaluate(GOLD, SAID, "spans.exact", read=LOCATE, ci=False)
    assert {kind: row["count"] for kind, row in result.errors().items() if row["count"]} == {
        "missing": 1,
        "spurious": 1,
    }


def test_quotes_without_offsets_have_no_figure_as_given() -> None:
    said = [{"id": "a", "A": ["Bob"]}, {"id": "b", "output": "[]"}]
    result = spanscope.evaluate(GOLD, [{"id": "a", "P": ["Bob"]}, said[1]], "spans.exact", read=LOCATE, ci=False)
    assert result.as_given is None
    assert (result.value("precision"), result.value("recall")) == (1.0, pytest.approx(1 / 3))


def test_missing_documents_stay_missing() -> None:
    with pytest.raises(spanscope.DocumentError):
        spanscope.evaluate(GOLD, SAID[:1], "spans.exact", read=LOCATE, ci=False)
    result = spanscope.evaluate(GOLD, SAID[:1], "spans.exact", missing="empty", read=LOCATE, ci=False)
    assert result.documents == 2


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(MeasureError, match="repair_json is of quotes that are placed"):
        spanscope.evaluate(GOLD, SAID, read=spanscope.Reading(repair_json=True))
    with pytest.raises(MeasureError, match="one process"):
        spanscope.evaluate(GOLD, SAID, read=LOCATE, run=spanscope.Running(jobs=2))
    with pytest.raises(MeasureError, match="locate places quotes of labelled spans"):
        spanscope.evaluate(GOLD, SAID, "segments.pk", read=LOCATE)


def test_eval_compare_and_report_take_quotes(files, tmp_path: Path) -> None:
    done = run("eval", *files, "--locate", "--no-ci", "-m", "spans.exact", "-f", "csv")
    assert done.code == 0, done.err
    assert "1 not found" in done.noted
    assert "spans.exact(duplicates=list),f1,micro,,0.6666" in done.out
    compared = run("compare", files[0], f"a={files[1]}", f"b={files[1]}", "--locate", "-m", "spans.exact")
    assert compared.code == 0, compared.err
    page = run("report", *files, "--locate", "-o", tmp_path / "page.html")
    assert page.code == 0, page.err
    assert (tmp_path / "page.html").stat().st_size > 1000


def test_reqflow_files_with_wrong_offsets(tmp_path: Path) -> None:
    """ReqFlow's protocol scores what was located; one of two quotes is gold's, and none as given."""
    text = "The system shall log in users."
    gold = [{"id": 1, "text": text, "spans": [{"start": 4, "end": 10, "tag": "Entity", "text": "system"}]}]
    pred = [
        {
            "id": 1,
            "text": text,
            "spans": [
                {"start": 5, "end": 11, "tag": "Entity", "text": "system"},
                {"start": 17, "end": 20, "tag": "Action", "text": "delete"},
            ],
        }
    ]
    result = spanscope.evaluate(gold, pred, "spans.exact", read=LOCATE, ci=False)
    assert (result.value("precision"), result.value("recall")) == (0.5, 1.0)
    assert result.as_given == 0.0
    copied = spanscope.evaluate(gold, pred, protocol="reqflow", read=LOCATE, ci=False)
    assert copied.counts("spans.exact")["Entity"]["tp"] == 1


def test_gates_on_invented_quotes(files) -> None:
    """One of three quotes is not in the text, and the only one of Term."""
    eval_ = ("eval", *files, "--locate", "--no-ci")
    assert run(*eval_, "--fail-over", "not_found=0.34", "--fail-under", "grounded=0.6").code == 0
    missed = run(*eval_, "--fail-over", "not_found=0.02", "--fail-over", "not_found[Term]=0.5")
    assert missed.code == 1
    assert f"missed: not_found is {1 / 3:.4f}, above 0.02\n" in missed.err
    assert "missed: not_found[Term] is 1.0, above 0.5\n" in missed.err
    without = run("eval", *files, "--allow-different-texts", "--fail-over", "not_found=0.02")
    assert without.code == 2
    assert "--locate" in without.err


def test_the_report_and_its_json_list_invented_quotes(files) -> None:
    printed = run("eval", *files, "--locate", "--no-ci").out
    assert "Not found, by label" in printed
    assert "a number differs" in printed
    made = json.loads(run("eval", *files, "--locate", "--no-ci", "-f", "json").out)["located"]
    assert (made["as_given"], made["counts"]["not_found"]) == (pytest.approx(1 / 3), 1)
    assert made["items"][1] == {
        **{"document": "a", "item": 1, "start": None, "end": None, "label": "Term", "text": "in 45 days"},
        "locate": {
            **{"status": "not_found", "score": made["items"][1]["locate"]["score"], "candidates": 0},
            **{"reason": "number", "nearest": [15, 25], "nearest_text": "in 30 days"},
        },
    }
    hidden = run("eval", *files, "--locate", "--no-ci", "--text", "masked", "-f", "json").out
    assert not any(word in hidden for word in ("days", "fee", "Bob"))
