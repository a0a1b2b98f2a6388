"""Confidences of spans: every reader keeps them, and no figure depends on them."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spanscope
from spanscope.data.corpus import Corpus, with_labels
from spanscope.errors import InputError
from spanscope.io.reading import Report, read
from spanscope.io.spans import lines as reader
from spanscope.sides.join import join
from tests.cli import run, write
from tests.support import Json, needs

TEXT = "Anna met Bob in Rome."
PLACES = ((0, 4, "PER"), (9, 12, "PER"), (16, 20, "LOC"))
HINT = "  try       --field span_score=NAME   if the confidence stands under another name"
Scores = list[float | None]


def spans(*scores: Any, name: str = "score") -> list[Json]:
    """Return spans with these confidences; ... stands for none."""
    made: list[Json] = [{"start": a, "end": b, "label": label} for a, b, label in PLACES[: len(scores)]]
    return [span if score is ... else span | {name: score} for span, score in zip(made, scores, strict=True)]


def document(key: object, *scores: Any, name: str = "score", **more: Any) -> Json:
    return {"id": key, "text": TEXT, "spans": spans(*scores, name=name), **more}


def scores(corpus: Corpus) -> Scores | None:
    """Return the confidences, None for NaN; None where there is no such column."""
    found = corpus.spans.extra.get("score")
    if found is None:
        return None
    assert found.dtype == np.float64
    return [None if math.isnan(score) else score for score in found.tolist()]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing reach the careful reader."""

    def stop(*_: object) -> None:
        raise AssertionError("this went to the careful reader")

    monkeypatch.setattr("spanscope.io.spans.lines.read_documents", stop)
    monkeypatch.setattr("spanscope.io.spans.objects.read_documents", stop)


CASES: dict[str, tuple[list[Json], Scores | None]] = {
    "all": ([document(1, 0.5, 1, 0)], [0.5, 1.0, 0.0]),
    "some": ([document(1, 0.5, ..., None), document(2, ...)], [0.5, None, None, None]),
    "none": ([document(1, ..., ...)], None),
    "null only": ([document(1, None, ...)], None),
    "confidence": ([document(1, 0.25, ..., name="confidence")], [0.25, None]),
    "late": ([*(document(n, ...) for n in range(30)), document(99, ..., 0.75)], [*[None] * 31, 0.75]),
    "two names": ([document(1, 0.5), document(2, 0.25, name="confidence")], [0.5, 0.25]),
    "two names late": ([document(1, 0.25, name="confidence"), document(2, 0.5)], [0.25, 0.5]),
    "both names": ([{"id": 1, "spans": [spans(0.5)[0] | {"confidence": 0.1}]}], [0.5]),
    "the first that is not null": ([{"id": 1, "spans": [spans(None)[0] | {"confidence": 0.1}]}], [0.1]),
    "beyond 0 and 1": ([document(1, -3.5, 1e300)], [-3.5, 1e300]),
    "no spans": ([{"id": 1, "spans": []}], None),
}
cases = pytest.mark.parametrize("name", CASES)


# ---------------------------------------------------------------- the fast ways and the careful one


@cases
@pytest.mark.usefixtures("quick")
def test_lines(name: str, tmp_path: Path) -> None:
    documents, expected = CASES[name]
    assert scores(read(write(tmp_path / "a.jsonl", documents))) == expected


@cases
@pytest.mark.usefixtures("quick")
def test_objects_and_json(name: str, tmp_path: Path) -> None:
    documents, expected = CASES[name]
    assert scores(read(documents)) == expected
    assert scores(read(write(tmp_path / "a.json", json.dumps({"items": documents})))) == expected


@cases
def test_careful(name: str, tmp_path: Path) -> None:
    """A last document with a triple, which the fast ways leave to the careful one."""
    documents, expected = CASES[name]
    odd = [*documents, {"id": "odd", "spans": [[0, 1, "A"]]}]
    all_of_it = None if expected is None else [*expected, None]
    assert scores(read(odd)) == all_of_it
    assert scores(read(write(tmp_path / "a.jsonl", odd))) == all_of_it


@pytest.mark.parametrize("chunk", [1, 300, 1 << 18])
def test_mixed_chunks(chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain, scored and odd lines, each a chunk of its own or all in one."""
    monkeypatch.setattr(reader, "CHUNK", chunk)
    fragments = {"label": "A", "fragments": [[0, 1], [3, 4]], "score": 0.125}
    documents = [
        document(1, ..., ...),
        document(2, 0.5, ...),
        {"id": 3, "spans": [[0, 1, "A"], [2, 3, "NEW"]]},
        document(4, 0.25, name="confidence"),
        {"id": 5, "spans": [fragments]},
        {"id": 6, "spans": [{"label": "A", "text": "Anna", "score": 1}]},
        document(7, ...),
        document(8, ..., ..., 0.75),
    ]
    expected = [None, None, 0.5, None, None, None, 0.25, 0.125, 1.0, None, None, None, 0.75]
    corpus = read(write(tmp_path / "a.jsonl", documents))
    assert scores(corpus) == expected
    assert np.bincount(corpus.spans.doc).tolist() == [2, 2, 2, 1, 1, 1, 1, 3]


def test_a_late_confidence_is_learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks after the first that has one are decoded with it, and those of labels that are new besides."""
    monkeypatch.setattr(reader, "CHUNK", 1)
    seen: list[int] = []
    fast = reader._fast

    def counted(chunk: memoryview, decoder: Any, builder: Any) -> Any:
        batch = fast(chunk, decoder, builder)
        seen.append(len(decoder.scores))
        return batch

    monkeypatch.setattr(reader, "_fast", counted)
    documents = [document(1, ...), document(2, 0.5), document(3, ...), document(4, ..., ..., 0.25)]
    assert scores(read(write(tmp_path / "a.jsonl", documents))) == [None, 0.5, None, None, None, 0.25]
    assert seen == [0, 2, 2, 2]


def test_objects_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanscope.io.spans.objects.BATCH", 1)
    documents = [
        document(1, ...),
        {"id": 2, "spans": [[0, 1, "A"]]},
        document(3, 0.5),
        document(4, np.float32(0.25)),
    ]
    assert scores(read(documents)) == [None, None, 0.5, 0.25]


def test_a_span_that_is_left_out_takes_its_confidence_along() -> None:
    report = Report(collect=True)
    bad = [{"start": 3, "end": 1, "label": "A", "score": 0.1}, *spans(0.5, "high", 0.75)]
    corpus = read([{"id": 1, "spans": bad}], report=report)
    assert scores(corpus) == [0.5, 0.75]
    assert corpus.spans.extra["number"].tolist() == [1, 3]
    assert [(one.kind, one.what) for one in corpus.problems] == [
        ("bad span", "spans[0] ends at 1, before it starts at 3"),
        ("bad span", "spans[2].score is 'high'"),
    ]


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize("value", ["high", "0.9", True, False, [1], {}, math.nan, math.inf, 10**400])
@pytest.mark.parametrize("name", ["score", "confidence"])
def test_refused_in_memory(value: Any, name: str) -> None:
    with pytest.raises(InputError) as caught:
        read([document(1, 0.5), document(2, ..., value, name=name)], name="pred")
    said = str(caught.value).splitlines()
    assert said[0].startswith(f"pred[1]: spans[1].{name} is {repr(value)[:50]}")
    assert said[1:] == ["  expected  a number", HINT]


@pytest.mark.parametrize("first", [..., 0.5])
@pytest.mark.parametrize("value", ["high", "0.9", True, False, [1], {}, 10**400])
def test_refused_in_a_file(first: Any, value: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", [document(1, first), document(2, 0.5, value)])
    with pytest.raises(InputError) as caught:
        read(path)
    said = str(caught.value).splitlines()
    assert said[0].startswith(f"{path}:2: spans[1].score is {repr(value)[:50]}")
    assert said[1:] == ["  expected  a number", HINT]


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_json_has_no_number_for(value: str, tmp_path: Path) -> None:
    line = json.dumps(document(2, 0.5)).replace("0.5", value)
    path = write(tmp_path / "p.jsonl", json.dumps(document(1, 0.5)) + "\n" + line + "\n")
    with pytest.raises(InputError, match="number") as caught:
        read(path)
    assert caught.value.where == f"{path}:2"


def test_a_word_under_the_second_name_does_not_matter_where_the_first_has_a_number(tmp_path: Path) -> None:
    documents = [{"id": 1, "spans": [spans(0.5)[0] | {"confidence": "high"}]}]
    assert scores(read(documents)) == [0.5]
    assert scores(read(write(tmp_path / "a.jsonl", documents))) == [0.5]


# ---------------------------------------------------------------- other names


def test_field(tmp_path: Path) -> None:
    documents = [document(1, 0.5, ..., name="p"), document(2, ..., 0.25, name="p")]
    other = [document(1, 0.5, "high"), document(2, "low")]
    path = write(tmp_path / "a.jsonl", documents)
    for source in (documents, path):
        assert scores(read(source)) is None
        assert scores(read(source, field={"span_score": "p"})) == [0.5, None, None, 0.25]
    for source in (other, write(tmp_path / "b.jsonl", other)):
        assert scores(read(source, field={"span_score": "p"})) is None
    done = run("eval", path, path, "--field", "span_score=p", "--format", "json", "--no-ci")
    assert done.code == 0
    assert json.loads(done.out)["settings"]["field"] == {"span_score": "p"}


def test_a_label_under_score_is_no_confidence(tmp_path: Path) -> None:
    documents = [{"id": 1, "spans": [{"start": 0, "end": 4, "score": "good", "confidence": 0.5}]}]
    for source in (documents, write(tmp_path / "a.jsonl", documents)):
        corpus = read(source, field={"label": "score"})
        assert corpus.labels == ("good",)
        assert scores(corpus) == [0.5]
        assert scores(read(source, field={"label": "score", "span_text": "confidence_text"})) == [0.5]


def test_two_fields_under_one_name(tmp_path: Path) -> None:
    documents = [{"id": 1, "spans": [{"start": 0, "end": 4, "label": "A"}]}]
    for source in (documents, write(tmp_path / "a.jsonl", documents)):
        assert scores(read(source, field={"span_score": "end"})) == [4.0]


# ---------------------------------------------------------------- columns

COLUMNS: dict[str, list[Any]] = {
    "doc": [1, 2, 1],
    "start": [0, 0, 9],
    "end": [4, 4, 12],
    "label": ["PER", "PER", "PER"],
}


def test_columns() -> None:
    assert scores(read(COLUMNS)) is None
    assert scores(read({**COLUMNS, "score": [0.5, 0.25, 1]})) == [0.5, 1.0, 0.25]  # by document
    assert scores(read({**COLUMNS, "score": np.array([0.5, math.nan, 1])})) == [0.5, 1.0, None]
    assert scores(read({**COLUMNS, "confidence": [None, 0.25, None]})) == [None, None, 0.25]
    both = {"score": [0.5, None, None], "confidence": [0.1, 0.25, None]}
    assert scores(read({**COLUMNS, **both})) == [0.5, None, 0.25]
    assert scores(read({**COLUMNS, "p": [0.5, 0.25, 1]}, field={"span_score": "p"})) == [0.5, 1.0, 0.25]
    assert scores(read({**COLUMNS, "score": [math.nan] * 3})) is None


@pytest.mark.parametrize("value", ["high", True, math.inf])
def test_columns_refused(value: Any) -> None:
    with pytest.raises(InputError) as caught:
        read({**COLUMNS, "score": [0.5, 0.25, value]}, name="pred")
    assert str(caught.value).splitlines()[:2] == [
        f"pred document '1': spans[1].score is {value!r}",
        "  expected  a number",
    ]
    with pytest.raises(InputError, match="not equally long"):
        read({**COLUMNS, "score": [0.5]})


def test_data_frames() -> None:
    pandas = needs("pandas")
    for kind in ("float64", "Float64"):
        frame = pandas.DataFrame({**COLUMNS, "score": pandas.Series([0.5, None, 1], dtype=kind)})
        assert scores(read(frame)) == [0.5, 1.0, None]


def test_arrow() -> None:
    pa = needs("pyarrow")
    for name in ("all", "some", "none", "late", "the first that is not null"):
        documents, expected = CASES[name]
        assert scores(read(pa.Table.from_pylist(documents))) == expected
    flat = pa.table({**COLUMNS, "score": [0.5, math.nan, 1.0], "confidence": [None, None, 0.1]})
    assert scores(read(flat)) == [0.5, 1.0, None]
    with pytest.raises(InputError, match=r"spans\[0\]\.score is nan"):
        read(pa.Table.from_pylist([document(1, math.nan)]))
    with pytest.raises(InputError, match=r"spans\[0\]\.score is True"):
        read(pa.Table.from_pylist([document(1, True)]))


def test_arrow_columns_of_other_types() -> None:
    """A score of a document is nobody's business; that of a span must be a number."""
    pa = needs("pyarrow")
    when = pa.array([0], type=pa.timestamp("s"))
    nested = pa.Table.from_pylist([document(1, 0.5)])
    assert scores(read(nested.append_column("score", when))) == [0.5]
    flat = pa.table({key: values[:1] for key, values in COLUMNS.items()})
    with pytest.raises(InputError, match="the column score is timestamp"):
        read(flat.append_column("score", when))


# ---------------------------------------------------------------- afterwards


def test_joined_by_id_in_the_order_of_the_text() -> None:
    gold = [document("a", 0.1), document("b", ..., ...)]
    pred = [document("b", 0.2, 0.4, 0.6), document("a", 0.8)]
    pred[0]["spans"].reverse()
    c = join(read(gold), read(pred))[0]
    assert c.gold.extra["score"].tolist()[:1] == [0.1]
    assert np.isnan(c.gold.extra["score"]).tolist() == [False, True, True]
    assert c.pred.start.tolist() == [0, 0, 9, 16]
    assert c.pred.extra["score"].tolist() == [0.8, 0.2, 0.4, 0.6]
    kept = join(read(gold), read(pred), labels=["LOC"])[0]
    assert kept.pred.extra["score"].tolist() == [0.6]
    (first, second) = join(read(gold), read(pred))[0].batches(1)
    assert [part.pred.extra["score"].tolist() for part in (first, second)] == [[0.8], [0.2, 0.4, 0.6]]


def test_renamed() -> None:
    corpus = with_labels(read([document(1, 0.5, 0.25, 0.75)]), {"PER": "O", "LOC": "PLACE"})
    assert (corpus.labels, scores(corpus)) == (("PLACE",), [0.75])
    assert scores(with_labels(read([document(1, 0.5, 0.25, 0.75)]), {"PER": "X"})) == [0.5, 0.25, 0.75]


@pytest.mark.parametrize("form", ["spans.exact", "spans.relaxed(threshold=0.3)", "spans.iou", "spans.text"])
def test_no_figure_depends_on_them(form: str) -> None:
    """Duplicates and ties among them: the confidence decides nothing."""
    same = {"start": 0, "end": 4, "label": "PER"}
    near = {"start": 1, "end": 5, "label": "PER"}
    gold = [{"text": TEXT, "spans": [same, near, same]}, {"text": TEXT, "spans": [near]}]
    plain: list[Json] = [{"text": TEXT, "spans": [near, same, near, same]}, {"text": TEXT, "spans": [same, same]}]
    told = [doc | {"spans": [span | {"score": n / 7} for n, span in enumerate(doc["spans"])]} for doc in plain]
    results = [spanscope.evaluate(gold, pred, form) for pred in (plain, told, told[:1] + plain[1:])]
    for other in results[1:]:
        assert other.rows == results[0].rows
        assert list(other.matches()) == list(results[0].matches())
        assert other.comparison.keys().tolist() == results[0].comparison.keys().tolist()
        assert other.comparison.pred.position.tolist() == results[0].comparison.pred.position.tolist()
    assert "score" not in results[0].comparison.pred.extra
    assert "score" in results[1].comparison.pred.extra
