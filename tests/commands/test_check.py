"""Every kind of problem that `spanscope check` finds, with its file and line."""

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from tests.cli import GOLD, PRED, Done, refused, run, write
from tests.support import Json

TEXT = "Anna met Bob."
A = {"start": 0, "end": 4, "label": "PER"}
B = {"start": 9, "end": 12, "label": "PER"}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def document(key: object, *spans: Any, **fields: Any) -> Json:
    return {"id": key, "text": TEXT, "spans": list(spans), **fields}


def checked(gold: Any, pred: Any = None, *options: str, name: str = "gold.jsonl") -> Done:
    """Write the files and run `spanscope check` on them."""
    files = [write(Path(name), gold)] + ([] if pred is None else [write(Path("pred.jsonl"), pred)])
    return run("check", *files, *options)


def found(gold: Any, pred: Any = None, *options: str, name: str = "gold.jsonl") -> list[str]:
    """Return the problems, a line each, after checking that the exit code says whether there are some."""
    done = checked(gold, pred, *options, name=name)
    assert done.code == (1 if done.out else 0)
    return done.out.splitlines()


# ---------------------------------------------------------------- kinds

KINDS: dict[str, tuple[Any, str]] = {
    "bad line": ("{]\n", "not JSON at column 2: Expecting property name enclosed in double quotes, at ']'"),
    "bad document": ([document("x", **{"text": 5})], "text is 5"),
    "bad span": (
        [document("x", {**A, "end": 99})],
        "spans[0].end is 99, past the end of the text (13 characters)",
    ),
    "text mismatch": (
        [document("x", {**A, "text": "Anne"})],
        "spans[0].text is 'Anne', the document has 'Anna' at 0..4",
    ),
    "empty span": ([document("x", {**A, "end": 0})], "spans[0] is empty: it starts and ends at 0"),
    "duplicate": ([document("x", A, B, A)], "spans[2] repeats another span: PER 0..4"),
    "no offsets": ([document("x", {"label": "PER", "text": "Bob"})], "spans[0] has a text, but no start and end"),
    "unknown label": ([document("x", {**A, "label": "ORG"})], "spans[0].label is 'ORG', not one of PER, LOC"),
    "repeated id": ([document("first")], "the id 'first' is repeated (first at gold.jsonl:1)"),
    "not accepted": ([document("x", answer="reject", _task_hash=1)], "the answer is 'reject'"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_in_one_file(kind: str) -> None:
    second, message = KINDS[kind]
    good = json.dumps(document("first", A)) + "\n"
    tail = second if isinstance(second, str) else json.dumps(second[0]) + "\n"
    done = checked(f"{good}\n{tail}", None, "--labels", "PER,LOC")
    assert done == Done(1, f"gold.jsonl:3: {message}\n", f"1 problem: 1 x {kind}\n")
    if kind != "bad line":
        done = checked(f"[\n{good},\n{tail}]", None, "--labels", "PER,LOC", name="gold.json")
        where = message.replace("gold.jsonl:1", "gold.json:2")
        assert done == Done(1, f"gold.json:4: {where}\n", f"1 problem: 1 x {kind}\n")


BAD_SPANS = {
    "reversed": ({**A, "start": 5}, "spans[0] ends at 4, before it starts at 5"),
    "negative": ({**A, "start": -2}, "spans[0].start is -2, before the start of the text"),
    "a fraction": ({**A, "start": 0.5}, "spans[0].start is 0.5"),
    "no label": ({"start": 0, "end": 1}, "spans[0] has no label (it has start, end)"),
    "no object": ("x", "spans[0] is 'x'"),
}


@pytest.mark.parametrize("name", BAD_SPANS)
def test_bad_spans(name: str) -> None:
    span, message = BAD_SPANS[name]
    assert found([document(1, A), document(2, span, B)]) == [f"gold.jsonl:2: {message}"]


def test_between_two_files() -> None:
    gold = [document("a"), document("b"), document("c", text=None)]
    pred = [document("z"), document("c"), document("a", text="Other.")]
    assert sorted(found(gold, pred)) == [
        "gold.jsonl:2: the document 'b' is not in pred.jsonl",
        "pred.jsonl:1: the document 'z' is not in gold.jsonl",
        "pred.jsonl:3: the text differs from the text of the same document at gold.jsonl:1",
    ]


def test_several_predictions_are_compared_with_gold() -> None:
    for name, documents in (("gold", "ab"), ("one", "ab"), ("two", "abc"), ("three", "a")):
        write(Path(f"{name}.jsonl"), [document(key) for key in documents])
    done = run("check", "gold.jsonl", "one.jsonl", "two.jsonl", "three.jsonl")
    assert done.code == 1
    assert sorted(done.out.splitlines()) == [
        "gold.jsonl:2: the document 'b' is not in three.jsonl",
        "two.jsonl:3: the document 'c' is not in gold.jsonl",
    ]


def test_ids_on_one_side_only() -> None:
    pred = [{"text": TEXT + " And more.", "spans": []}]
    assert found([document("a")], pred) == ["pred.jsonl: pred.jsonl has no document ids, gold.jsonl has"]


def test_documents_paired_by_their_texts_lack_nothing() -> None:
    assert found([document("a")], [{"text": TEXT, "spans": []}]) == []
    assert found([document("a")], [document("7")]) == []


def test_labels_that_gold_declares() -> None:
    """The schema of the gold file holds for predictions too; --labels comes before it."""
    write(Path("gold.json"), json.dumps({"schema": ["PER"], "items": [document(1, A)]}))
    write(Path("pred.jsonl"), [document(1, {**A, "label": "ORG"})])
    assert run("check", "gold.json", "pred.jsonl").out == (
        "pred.jsonl:1: spans[0].label is 'ORG', not one of PER\n"
    )
    assert run("check", "gold.json", "pred.jsonl", "--labels", "ORG").out == (
        "gold.json:1: spans[0].label is 'PER', not one of ORG\n"
    )


# ---------------------------------------------------------------- several problems at once


def test_all_problems_of_a_line() -> None:
    """One bad span does not hide the others of its document."""
    spans = [{**A, "end": 99}, {**A, "label": 3}, B, {**B, "start": 13}]
    assert found([document(1, *spans)]) == [
        "gold.jsonl:1: spans[0].end is 99, past the end of the text (13 characters)",
        "gold.jsonl:1: spans[1].label is 3",
        "gold.jsonl:1: spans[3] ends at 12, before it starts at 13",
    ]


@pytest.mark.parametrize(
    ("span", "message"),
    [
        ({**A, "text": "Anne"}, "spans[1].text is 'Anne', the document has 'Anna' at 0..4"),
        ({**A, "end": 0}, "spans[1] is empty: it starts and ends at 0"),
        ({"label": "PER", "text": "Bob"}, "spans[1] has a text, but no start and end"),
        ({**A, "label": "ORG"}, "spans[1].label is 'ORG', not one of PER"),
    ],
)
def test_spans_keep_their_numbers_after_a_bad_one(span: Json, message: str) -> None:
    lines = found([document(1, {**A, "end": 99}, span)], None, "--labels", "PER")
    assert lines[1:] == [f"gold.jsonl:1: {message}"]


def test_documents_keep_their_lines_after_a_bad_one() -> None:
    text = f"[\n{json.dumps({'id': 1})},\n{json.dumps(document(2, A, A))}\n]"
    assert found(text, name="gold.json")[1:] == ["gold.json:3: spans[1] repeats another span: PER 0..4"]
    lines = f"{json.dumps({'id': 1})}\n{{]\n{json.dumps(document(2, A, A))}\n"
    assert found(lines)[-1] == "gold.jsonl:3: spans[1] repeats another span: PER 0..4"


def test_problems_come_in_the_order_of_lines() -> None:
    gold = [document(1, {**A, "end": 0}), document(2, {**A, "end": 99}), document(3, A, A), document(4, "x")]
    assert [line.partition(": ")[0] for line in found(gold)] == [f"gold.jsonl:{n}" for n in (1, 2, 3, 4)]


def test_summary_counts_kinds() -> None:
    done = checked([document(1, A, A, {**A, "end": 99}), document(1)])
    assert done.err == "3 problems: 1 x bad span, 1 x duplicate, 1 x repeated id\n"


# ---------------------------------------------------------------- nothing wrong, nothing to read


def test_a_clean_corpus() -> None:
    gold = [document("a", A, B), document("b", {**A, "text": "Anna"})]
    assert checked(gold, gold[::-1]) == Done(0, "", "no problems\n")
    assert checked(gold) == Done(0, "", "no problems\n")


def test_the_example_corpus() -> None:
    assert run("check", GOLD) == Done(0, "", "no problems\n")
    done = run("check", GOLD, PRED)
    assert done.code == 1
    assert done.err == "3 problems: 3 x duplicate\n"


def test_files_that_cannot_be_read() -> None:
    write(Path("gold.jsonl"), [document(1)])
    assert refused(run("check", "gold.jsonl", "nowhere.jsonl")).startswith(
        "nowhere.jsonl: there is no such file\n"
    )
    write(Path("broken.json"), "[\n{")
    assert refused(run("check", "broken.json")).startswith("broken.json:2: the JSON ends too early\n")
    write(Path("empty.jsonl"), "")
    assert refused(run("check", "gold.jsonl", "empty.jsonl")).startswith("empty.jsonl: is empty\n")


def test_other_units_and_names() -> None:
    line = [{"id": 1, "text": "a😀z", "marks": [{"start": 3, "end": 4, "kind": "X"}]}]
    options = ("--offsets", "utf16", "--field", "spans=marks", "--field", "label=kind")
    assert found(line, None, *options) == []
    assert found(line, None, *options[2:]) == [
        "gold.jsonl:1: spans[0].end is 4, past the end of the text (3 characters)"
    ]


def test_python() -> None:
    gold = [document(1, A, A)]
    assert [(p.kind, str(p)) for p in spanscope.check(gold, [document(2, text=f"{TEXT} More.")])] == [
        ("duplicate", "gold[0]: spans[1] repeats another span: PER 0..4"),
        ("missing document", "gold[0]: the document '1' is not in pred"),
        ("extra document", "pred[0]: the document '2' is not in gold"),
    ]
    assert spanscope.check() == []
    columns = {"doc": [1, 1], "start": [0, 0], "end": [4, 4], "label": ["PER", "PER"]}
    assert [p.kind for p in spanscope.check(columns)] == ["duplicate"]


def test_repeated_passages(tmp_path: Path) -> None:
    """What eval and score count, check lists: a passage retrieved twice; wordings of one answer are none."""
    place = {"text": "abc", "file_path": "f", "span": [0, 3]}
    others = [{**place, "span": [5, 8]}, place, {"text": "of no file"}, {"text": "of no file"}]
    found = {"0": [place], "1": [place, *others]}
    gold = write(tmp_path / "g.jsonl", [{"id": one, "query": "q", "snippets": [place, place]} for one in found])
    retrieved = [{"id": one, "query": "q", "retrieved_passages": own} for one, own in found.items()]
    pred = write(tmp_path / "p.jsonl", retrieved)
    assert run("eval", gold, pred, "-f", "csv").noted == (
        "data problems: 1 x duplicate; spanscope check GOLD PRED lists them all\n"
    )
    done = run("check", gold, pred)
    assert (done.code, done.out) == (1, f"{pred}:2: passage 3 repeats another one: 'f' 0..3\n")
    assert done.err == "1 problem: 1 x duplicate\n"


def test_documents_that_share_a_line_are_told_apart(tmp_path: Path) -> None:
    """JSON without line ends: the document's number, from 0, stands behind the line."""
    documents = [
        {"id": "a", "text": "hello", "spans": [{"start": 0, "end": 5, "label": "X"}]},
        {"id": "b", "text": "hello", "spans": [{"start": 0, "end": 9, "label": "X"}]},
        {"id": "a", "text": "hello", "spans": []},
    ]
    path = write(tmp_path / "one.json", json.dumps(documents))
    problems = spanscope.check(path)
    assert [(one.kind, one.line, one.item) for one in problems] == [("bad span", 1, 1), ("repeated id", 1, 2)]
    assert problems[0].where == f"{path}:1[1]"
    assert str(problems[1]).endswith(f"one.json:1[2]: the id 'a' is repeated (first at {path}:1[0])")
    parts = {"a": {"text": "hello", "segments": [[0, 5]]}, "b": {"text": "hello", "segments": [[0, 3], [4, 5]]}}
    (gap,) = spanscope.check(write(tmp_path / "parts.json", json.dumps(parts)))
    assert (gap.line, gap.item) == (1, 1)
