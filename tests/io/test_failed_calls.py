"""Documents that carry the error of a failed model call, and undeclared labels, are told in every view."""

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.settings.options import Running
from tests.cli import run

SPAN = {"start": 0, "end": 3, "label": "A"}
GOLD = [{"id": str(n), "text": "abc def", "spans": [SPAN]} for n in range(3)]
FAILED = {"id": "1", "text": "abc def", "spans": [], "error": "generate failed after 3 attempts"}
PRED = [GOLD[0], FAILED, GOLD[2] | {"error": None}]
TOLD = "the document has an error field, 'generate failed after 3 attempts', and is scored as it is"


def lines(folder: Path, name: str, documents: list[dict[str, Any]]) -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(one) + "\n" for one in documents))
    return path


@pytest.mark.parametrize("memory", ["spans", "counts", "totals"])
def test_a_failed_call_is_a_problem_with_its_line(memory: str, tmp_path: Path) -> None:
    gold, pred = lines(tmp_path, "gold.jsonl", GOLD), lines(tmp_path, "pred.jsonl", PRED)
    found = spanscope.evaluate(gold, pred, ci=False, run=Running(memory=memory))
    assert found.problems.number == {"failed call": 1}
    assert found.problems.first["failed call"] == [f"{pred}:2: {TOLD}"]
    assert found.value("recall") == pytest.approx(2 / 3)  # what the model did not find is missed


@pytest.mark.parametrize("error", [None, "", [], False])
def test_no_error_is_no_problem(error: Any) -> None:
    pred = [GOLD[0], GOLD[1] | {"error": error}, GOLD[2]]
    assert not spanscope.evaluate(GOLD, pred, ci=False).problems


def test_objects_tables_and_other_protocols_tell_it() -> None:
    assert spanscope.evaluate(GOLD, PRED, ci=False).problems.number == {"failed call": 1}
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pylist([{"error": None, **one} for one in PRED])
    assert spanscope.evaluate(GOLD, table, ci=False).problems.number == {"failed call": 1}
    span = {"start": 0, "end": 3, "tag": "Action", "text": "abc"}
    gold = [{"id": n, "text": "abc def", "spans": [span]} for n in range(2)]
    found = spanscope.evaluate(gold, [gold[0], FAILED], protocol="reqflow-v1", ci=False)
    assert found.problems.number == {"failed call": 1}
    queries = [{"id": "q", "query": "who?", "snippets": [{"text": "Ann"}]}]
    answers = [{"id": "q", "query": "who?", "retrieved_passages": [{"text": "Ann"}], "error": "timeout"}]
    assert spanscope.evaluate(queries, answers, ci=False).problems.number == {"failed call": 1}


def test_every_view_tells_it(tmp_path: Path) -> None:
    gold, pred = lines(tmp_path, "gold.jsonl", GOLD), lines(tmp_path, "pred.jsonl", PRED)
    table = run("eval", gold, pred, "--no-ci").out
    assert table.index("1 x failed call") < table.index("F1")
    assert "1 x failed call" in run("eval", gold, pred, "--no-ci", "-f", "markdown").out
    saved = json.loads(run("eval", gold, pred, "--no-ci", "-f", "json").out)
    assert saved["problems"]["number"] == {"failed call": 1}
    assert "1 x failed call" in run("eval", gold, pred, "--no-ci", "-f", "csv").noted
    assert f"pred.jsonl:2: {TOLD}" in run("check", gold, pred).out
    masked = run("eval", gold, pred, "--no-ci", "--text", "masked").out
    assert "1 x failed call" in masked
    assert "attempts" not in masked
    strict = run("eval", gold, pred, "--no-ci", "--strict")
    assert strict.code == 2


def declared(*labels: str, schema: tuple[str, ...] | None = None) -> dict[str, Any]:
    spans = [{"start": at, "end": at + 1, "label": label} for at, label in enumerate(labels)]
    return {"items": [{"id": "x", "text": "abcdef", "spans": spans}]} | (
        {"schema": list(schema)} if schema else {}
    )


def test_labels_that_gold_does_not_declare_are_problems_of_eval(tmp_path: Path) -> None:
    gold, pred = tmp_path / "gold.json", tmp_path / "pred.json"
    gold.write_text(json.dumps(declared("PER", "ORG", schema=("PER", "LOC"))))
    pred.write_text(json.dumps(declared("PER", "MISC", "LOC")))
    found = spanscope.evaluate(gold, pred, ci=False)
    assert found.problems.number["unknown label"] == 2  # ORG of gold itself, MISC of the predictions
    told = found.problems.first["unknown label"]
    assert [one.split(": ", 1)[1] for one in told] == [
        "spans[1].label is 'ORG', not one of PER, LOC",
        "spans[1].label is 'MISC', not one of PER, LOC",
    ]
    assert "2 x unknown label" in run("eval", gold, pred, "--no-ci").out
    mapped = spanscope.evaluate(
        gold, pred, ci=False, read=spanscope.Reading(mapping={"MISC": "LOC", "ORG": "LOC"})
    )
    assert "unknown label" not in mapped.problems.number
    assert "unknown label" not in spanscope.evaluate(gold, pred, labels=["PER", "LOC"], ci=False).problems.number
