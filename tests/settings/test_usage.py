"""What using the program turned up, each as the smallest case."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import spanscope
from spanscope.results.gate import missed_gates
from spanscope.settings.options import grouped

TEXT = "The user shall log in to the system."


def test_only_spurious_spans_and_no_gold_are_shown() -> None:
    """Fixing the only error leaves nothing: that F1 is undefined, and shown as a dash."""
    gold = [{"id": 1, "text": TEXT, "spans": []}]
    pred = [{"id": 1, "text": TEXT, "spans": [[0, 3, "A"]]}]
    assert "spurious" in spanscope.evaluate(gold, pred).table()


def test_a_terminal_without_unicode(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps([{"id": 1, "text": TEXT, "spans": [[0, 3, "A"]]}]))
    command = [sys.executable, "-c", "from spanscope.cli import main; main()", "eval", "a.json", "a.json"]
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False)
    assert (done.returncode, b"spans.exact" in done.stdout) == (0, True)


GOLD = [{"id": 1, "text": TEXT, "spans": [[4, 8, "A"]]}]


def test_spans_are_held_against_the_text_that_only_gold_has() -> None:
    """LLM output has no document text: its spans are checked against gold's, and scored by it."""
    pred = [{"id": 1, "spans": [{"start": 4, "end": 8, "label": "A", "text": "XXXX"}]}]
    result = spanscope.evaluate(GOLD, pred)
    assert result.problems.number == {"text mismatch": 1}
    assert result.value("f1") == 1.0
    assert [problem.kind for problem in spanscope.check(GOLD, pred)] == ["text mismatch"]
    with pytest.raises(spanscope.InputError, match=r"spans\[0\].text is 'XXXX', the document has 'user'"):
        spanscope.evaluate(GOLD, pred, score=spanscope.Scoring(strict=True))


def test_offsets_past_the_text_that_only_gold_has_are_refused() -> None:
    pred = [{"id": 1, "spans": [[4, 8, "A"], [4, 99, "A"]]}]
    with pytest.raises(spanscope.InputError, match=r"spans\[1\].end is 99, past the end of the text"):
        spanscope.evaluate(GOLD, pred)
    assert [problem.kind for problem in spanscope.check(GOLD, pred)] == ["bad span"]


def test_texts_may_stand_on_either_side_document_by_document() -> None:
    one, other = {"id": 1, "text": TEXT, "spans": [[4, 8, "A"]]}, {"id": 2, "spans": [[4, 8, "A"]]}
    third, fourth = {"id": 1, "spans": [[4, 8, "A"]]}, {"id": 2, "text": TEXT, "spans": [[4, 8, "A"]]}
    assert spanscope.evaluate([one, other], [third, fourth], "spans.relaxed").value("f1") == 1.0


def test_which_label_counts_does_not_depend_on_the_order_of_documents(tmp_path: Path) -> None:
    lines = [
        {"id": 1, "spans": [{"start": 0, "end": 3, "label": "PER", "type": "ner"}]},
        {"id": 2, "spans": [{"start": 0, "end": 3, "type": "ner"}]},
    ]
    for name, documents in (("a.jsonl", lines), ("b.jsonl", lines[::-1])):
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in documents))
    paths = [str(tmp_path / name) for name in ("a.jsonl", "b.jsonl")]
    for sides in (paths, (lines, lines[::-1])):
        result = spanscope.evaluate(*sides, "spans.exact")
        assert (result.value("f1"), sorted(result.counts())) == (1.0, ["PER", "ner"])


def test_entities_beside_spans_are_refused_not_lost() -> None:
    document = {
        "id": 1,
        "text": TEXT,
        "ents": [{"start": 0, "end": 3, "label": "A"}],
        "spans": {"sc": [[4, 8, "B"]]},
    }
    with pytest.raises(spanscope.InputError, match=r"holds ents [(]1[)] and spans 'sc' [(]1[)]"):
        spanscope.evaluate([document], [document])
    assert (
        spanscope.evaluate([document], [document], read=spanscope.Reading(fields={"spans": "ents"})).value("f1")
        == 1.0
    )


def test_a_run_that_found_no_document_at_all() -> None:
    with pytest.raises(spanscope.DocumentError, match="pred has no document '1'"):
        spanscope.evaluate(GOLD, [], "spans.exact")
    assert spanscope.evaluate(GOLD, [], "spans.exact", missing="empty").value("recall") == 0.0
    empty = {"doc": [], "start": [], "end": [], "label": []}
    columns = {"doc": [1.0], "start": [4], "end": [8], "label": ["A"]}
    assert spanscope.evaluate(columns, empty, "spans.exact").value("recall") == 0.0
    assert spanscope.evaluate(columns, GOLD, "spans.exact").value("f1") == 1.0


@pytest.mark.parametrize(
    "change",
    [{"doc": [None]}, {"doc": [float("nan")]}, {"start": [True]}, {"label": [1]}, {"text": [3]}, {"start": 4}],
)
def test_columns_are_as_strict_as_lists(change: dict[str, object]) -> None:
    columns = {"doc": ["a"], "start": [4], "end": [8], "label": ["A"], "text": ["user"], **change}
    with pytest.raises(spanscope.InputError):
        spanscope.evaluate(columns, columns, "spans.exact")


def test_columns_obey_missing_and_extra() -> None:
    one = {"doc": ["a", "b"], "start": [0, 0], "end": [1, 1], "label": ["A", "A"]}
    two = {"doc": ["b", "c"], "start": [0, 0], "end": [1, 1], "label": ["A", "A"]}
    assert spanscope.evaluate(one, two, "spans.exact").totals() == {"tp": 1, "pred": 2, "gold": 2}
    both = spanscope.evaluate(one, two, "spans.exact", missing="skip", extra="skip")
    assert both.totals() == {"tp": 1, "pred": 1, "gold": 1}


@pytest.mark.parametrize("option", [{"offsets": "utf16"}, {"fields": {"label": "x"}}, {"repeated": "number"}])
def test_a_tools_protocol_refuses_options_it_cannot_obey(option: dict[str, object]) -> None:
    with pytest.raises(spanscope.MeasureError, match="reads by the rules of the tool it copies"):
        spanscope.evaluate(GOLD, GOLD, protocol="reqflow-v1", **grouped(option))  # type: ignore[arg-type]


def test_a_tools_protocol_refuses_what_is_no_item() -> None:
    for source in (None, 5, {"doc": [1], "start": [0], "end": [1], "label": ["A"]}):
        with pytest.raises(spanscope.InputError):
            spanscope.evaluate(source, source, protocol="reqflow-v2")


@pytest.mark.parametrize(
    ("measures", "options"),
    [
        (["spans.iou", "spans.exact(duplicates=set)"], {}),
        (["spans.exact(duplicates=list)", "spans.exact(duplicates=set)"], {}),
        (None, {"labels": ["Entity"]}),
        (None, {"undefined": "null"}),
    ],
)
def test_reqflow_csv_is_what_the_tool_could_have_written(measures: object, options: dict[str, object]) -> None:
    result = spanscope.evaluate(GOLD, GOLD, measures, protocol="reqflow-v2", **grouped(options))  # type: ignore[arg-type]
    with pytest.raises(spanscope.MeasureError):
        result.table("reqflow-csv")


def test_signatures_differ_where_figures_may() -> None:
    first, second = (spanscope.evaluate(GOLD, GOLD, "spans.exact", labels=[name]).signature() for name in "AB")
    assert first != second
    many = [f"label-{n}" for n in range(30)]
    assert "labels:30,crc32:" in spanscope.evaluate(GOLD, GOLD, "spans.exact", labels=many).signature()


def test_spans_without_offsets_are_no_duplicates() -> None:
    pred = [{"id": 1, "spans": [{"text": "the", "label": "A"}, {"text": "user", "label": "A"}]}]
    assert spanscope.evaluate(GOLD, pred, "spans.text").problems.number == {}


def test_errors_are_of_the_first_measure_that_matches_spans() -> None:
    result = spanscope.evaluate(GOLD, GOLD, ["spans.characters", "spans.exact"])
    assert result.errors()["missing"]["count"] == 0


@pytest.mark.parametrize("grid", [np.linspace(0, 1, 3), (0.0, 0.5, 1.0)])
def test_grids_of_any_kind(grid: object) -> None:
    points = spanscope.evaluate(GOLD, GOLD, "spans.iou").curve(grid=grid)  # type: ignore[arg-type]
    assert [point.threshold for point in points] == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("grid", ["foo", 0.5, [None], [2], [float("nan")]])
@pytest.mark.parametrize("assignment", ["greedy", "optimal"])
def test_grids_that_are_none(grid: object, assignment: str) -> None:
    result = spanscope.evaluate(GOLD, GOLD, f"spans.iou(assignment={assignment})")
    with pytest.raises(spanscope.MeasureError, match="thresholds are"):
        result.curve(grid=grid)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        {"measures": [1]},
        {"beta": "2"},
        {"labels": [1, 2]},
        {"protocol": 5},
        {"fields": {"label": 5}},
        {"fields": "x"},
        {"undefined": "x"},
    ],
)
def test_wrong_arguments_end_in_a_sentence(wrong: dict[str, object]) -> None:
    with pytest.raises(spanscope.SpanscopeError):
        spanscope.evaluate(GOLD, GOLD, **grouped({"measures": "spans.exact", **wrong}))  # type: ignore[arg-type]


def test_numpy_ids_tuples_and_numbers_in_meta() -> None:
    gold = [{"id": np.int64(1), "text": TEXT, "spans": ((4, 8, "A"),)}]
    assert "Runs" in spanscope.evaluate(gold, GOLD, "spans.exact", meta={"runs": 3}).table()  # type: ignore[dict-item]


def test_a_label_that_nothing_has_is_named() -> None:
    result = spanscope.evaluate(
        [{"id": 1, "spans": [[0, 4, "Action"]]}], [{"id": 1, "spans": []}], labels=["Acton"]
    )
    assert "no span has the label 'Acton'; did you mean 'Action'?" in result.problems.first["unseen label"][0]


def test_equal_texts_are_paired_where_they_stand_first() -> None:
    text = "abc and then abc"
    gold = [{"id": 1, "text": text, "spans": [[0, 3, "A"], [13, 16, "A"]]}]
    pred = [{"id": 1, "text": text, "spans": [[13, 16, "A"]]}]
    kinds = [(m["kind"], m["gold"]["start"]) for m in spanscope.evaluate(gold, pred, "spans.text").matches()]
    assert kinds == [("missing", 0), ("correct", 13)]


def test_characters_before_the_text_count_under_a_tools_rules() -> None:
    item = [{"id": 1, "spans": [{"tag": "Entity", "start": -3, "end": 2, "text": "x"}]}]
    result = spanscope.evaluate(item, item, "spans.characters", protocol="reqflow-v2")
    assert result.totals() == {"tp": 5, "pred": 5, "gold": 5}


def test_an_average_beside_a_label_is_refused() -> None:
    with pytest.raises(spanscope.MeasureError, match="average='macro' is over all labels"):
        spanscope.evaluate(GOLD, GOLD, "spans.exact").value("f1", average="macro", label="A")


def test_one_kind_of_error_may_be_asked_for_by_its_name() -> None:
    assert len(list(spanscope.evaluate(GOLD, GOLD, "spans.exact").matches("correct"))) == 1


def test_lines_of_items_that_look_like_something_before_them(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"meta": {},\n"items": [\n{},\n{"id": 1, "spans": []}\n]}')
    with pytest.raises(spanscope.InputError) as refusal:
        spanscope.evaluate(str(path), str(path))
    assert str(refusal.value).startswith(f"{path}:3: ")


def test_characters_before_the_text_do_not_run_into_another_document() -> None:
    long = {"id": 1, "spans": [{"tag": "Entity", "start": 0, "end": 100, "text": "x"}]}
    early = {"id": 2, "spans": [{"tag": "Entity", "start": -3, "end": 2, "text": "x"}]}
    result = spanscope.evaluate([long, early], [long, early], "spans.characters", protocol="reqflow-v2")
    assert result.totals() == {"tp": 105, "pred": 105, "gold": 105}


def test_fragments_are_cut_from_the_text_that_only_gold_has() -> None:
    """'The' and 'shall', joined by a space, and not the seven words between them."""
    pieces = {"label": "A", "fragments": [[0, 3], [9, 14]]}
    gold = [{"id": 1, "text": TEXT, "spans": [pieces]}]
    result = spanscope.evaluate(gold, [{"id": 1, "spans": [pieces]}], "spans.relaxed(threshold=1)")
    assert [match["pred"]["text"] for match in result.matches()] == ["The shall"]
    wrong = spanscope.evaluate(gold, [{"id": 1, "spans": [{**pieces, "text": "The user shall"}]}], "spans.exact")
    assert wrong.problems.number == {"text mismatch": 1}


def test_a_gate_missed_by_the_last_digit_says_so() -> None:
    spans = [[n, n + 1, "A"] for n in range(3)]
    result = spanscope.evaluate([{"id": 1, "spans": spans}], [{"id": 1, "spans": spans[:2]}], "spans.exact")
    assert [str(one) for one in missed_gates(result, ["recall=0.66666667"])] == [
        "recall is 0.666666667, below 0.66666667"
    ]
