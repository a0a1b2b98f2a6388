"""Pipelines, Presidio, LangExtract and ai4privacy: pieces, objects, shapes, and what is refused."""

import json
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spanscope
from spanscope.errors import InputError
from spanscope.io import detect
from tests.cli import refused, run, write
from tests.support import Json

TEXT = "Ann Lee met Bob in Bonn"
DOCUMENTS = [{"id": "a", "text": TEXT, "spans": []}, {"id": "b", "text": "Nothing", "spans": []}]


def spans(source: Any, **given: Any) -> list[list[tuple[int, int, str]]]:
    found = spanscope.read(source, **given).to_dicts()
    return [[(one["start"], one["end"], one["label"]) for one in document["spans"]] for document in found]


def kinds(source: Any) -> dict[str, int]:
    return {one.kind: one.number for one in spanscope.read(source).problems}


# ---------------------------------------------------------------- pipelines


def entity(start: Any, end: Any, label: str, score: Any = 0.9, **more: Any) -> dict[str, Any]:
    return {"entity_group": label, "score": score, "word": "##x", "start": start, "end": end, **more}


def pieces(*rows: tuple[int, int, int, str]) -> list[dict[str, Any]]:
    return [
        {"entity": tag, "score": 0.5, "index": index, "word": "x", "start": start, "end": end}
        for index, start, end, tag in rows
    ]


def test_shapes_of_a_pipelines_output(tmp_path: Path) -> None:
    one, two = [entity(0, 7, "PER")], [entity(12, 15, "PER")]
    expected = [[(0, 7, "PER")], [(12, 15, "PER")]]
    lines = write(tmp_path / "a.jsonl", "".join(json.dumps(own) + "\n" for own in (one, two)))
    for source in ([one, two], (one, two), lines, write(tmp_path / "b.json", json.dumps([one, two]))):
        assert spans(source) == expected
    assert spans([[], one, []]) == [[], expected[0], []]
    assert spans(one) == spans({"items": [one]}) == expected[:1]  # one call for one text
    by_id = {"a": one, "b": two}
    assert spanscope.read(by_id).ids == ["a", "b"]
    assert spans(by_id) == expected
    wrapped = [{"id": "a", "text": TEXT, "spans": one}, {"id": "b", "text": "", "entities": []}]
    assert spans(wrapped) == [expected[0], []]
    assert spanscope.read(wrapped).ids == ["a", "b"]


def test_numbers_of_numpy_as_a_pipeline_has_them() -> None:
    own = [[entity(np.int64(0), np.int32(7), "PER", np.float32(0.5))]]
    assert spanscope.read(own).to_dicts()[0]["spans"] == [{"start": 0, "end": 7, "label": "PER", "score": 0.5}]
    raw = pieces((1, 0, 3, "B-PER"), (2, 4, 7, "I-PER"))
    assert spans([[{**row, "index": np.int64(row["index"])} for row in raw]]) == [[(0, 7, "PER")]]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # by hand: neighbours by number, of one label, until the next B
        ([(1, 0, 3, "B-PER"), (2, 4, 7, "I-PER"), (4, 12, 15, "B-PER")], [(0, 7, "PER"), (12, 15, "PER")]),
        ([(1, 0, 3, "B-PER"), (2, 4, 7, "B-PER")], [(0, 3, "PER"), (4, 7, "PER")]),
        ([(1, 0, 3, "B-PER"), (3, 8, 11, "I-PER")], [(0, 3, "PER"), (8, 11, "PER")]),  # O between them
        ([(1, 0, 3, "I-PER"), (2, 4, 7, "I-PER"), (3, 8, 11, "B-LOC")], [(0, 7, "PER"), (8, 11, "LOC")]),
        ([(1, 0, 3, "B-PER"), (2, 4, 7, "I-LOC")], [(0, 3, "PER"), (4, 7, "LOC")]),
        ([(1, 0, 3, "B-PER"), (2, 4, 7, "L-PER"), (3, 8, 11, "U-PER")], [(0, 7, "PER"), (8, 11, "PER")]),
        ([(1, 0, 3, "B-PER"), (2, 4, 7, "E-PER"), (3, 8, 11, "I-PER")], [(0, 7, "PER"), (8, 11, "PER")]),
        # labels without prefixes: neighbours are one, and E-MAIL is a label
        ([(1, 0, 3, "PER"), (2, 4, 7, "PER"), (3, 8, 11, "LOC")], [(0, 7, "PER"), (8, 11, "LOC")]),
        ([(1, 0, 3, "E-MAIL"), (2, 3, 7, "E-MAIL"), (3, 8, 11, "PER")], [(0, 7, "E-MAIL"), (8, 11, "PER")]),
        ([(1, 0, 3, "E-MAIL"), (2, 3, 7, "E-MAIL")], [(0, 7, "E-MAIL")]),
        ([(1, 0, 3, "O"), (2, 4, 7, "B-O"), (3, 8, 11, "O")], [(4, 7, "O")]),
    ],
)
def test_word_pieces_are_joined(rows: Any, expected: Any) -> None:
    assert spans([pieces(*rows)]) == [expected]


def test_every_piece_called_a_beginning_is_told(tmp_path: Path) -> None:
    own = [pieces((1, 0, 2, "B-PER"), (2, 2, 3, "B-PER"), (3, 4, 7, "B-PER"), (4, 7, 9, "B-LOC"))]
    assert kinds(own) == {"split words": 1, "left aside": 4}
    files = write(tmp_path / "gold.json", [DOCUMENTS[0]]), write(tmp_path / "pred.json", json.dumps(own))
    done = run("eval", *files, "--no-ci")
    assert "1 span starts inside a word, right after another one of the same label" in " ".join(done.out.split())


def test_what_is_outside_of_entities_is_counted() -> None:
    assert spans([[entity(0, 3, "O"), entity(4, 7, "PER")]]) == [[(4, 7, "PER")]]
    assert kinds([[entity(0, 3, "O"), entity(4, 7, "PER")]]) == {"left aside": 1}


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([entity(None, None, "PER")], "spans[0].start is null: this pipeline's tokenizer keeps no offsets"),
        ([{"entity": "B-PER", "index": 1, "word": "x", "score": 1}], "spans[0].start is null"),
        ([entity(0, 3, "PER"), {"label": "PER"}], "spans[1] has label, and not what entity_group, score"),
        ([entity(0, 3, "PER"), *pieces((1, 0, 3, "B-PER"))], "holds entities beside word pieces"),
        ([entity(0, 99, "PER")], "past the end of the text"),
        ([entity(0, 3, 5)], "label is 5"),  # type: ignore[arg-type]
        ([entity(0, 3, "PER", "high")], "score is 'high'"),
        ([{**pieces((1, 0, 3, "B-PER"))[0], "entity": 7}], "spans[0].entity is 7"),
    ],
)
def test_rows_that_are_none(rows: Any, what: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", json.dumps([{"text": TEXT, "spans": rows}]))
    assert what in refused(run("eval", path, path))


def test_a_line_a_span_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", "".join(json.dumps(entity(n, n + 1, "A")) + "\n" for n in range(2)))
    assert f"{path}:1: is a span on a line of its own\n" in refused(run("eval", path, path))


# ---------------------------------------------------------------- Presidio


class RecognizerResult:
    """As presidio_analyzer has it."""

    def __init__(self, entity_type: str, start: int, end: int, score: float) -> None:
        self.entity_type, self.start, self.end, self.score = entity_type, start, end, score
        self.analysis_explanation = None
        self.recognition_metadata = {"recognizer_name": "SpacyRecognizer"}


class PatternResult(RecognizerResult):
    """Of a kind of its own."""


class SampleSpan:
    def __init__(self, kind: str, value: str, start: int, end: int) -> None:
        self.entity_type, self.entity_value, self.start_position, self.end_position = kind, value, start, end


class InputSample:
    """As presidio_evaluator has it."""

    def __init__(self, text: str, found: list[SampleSpan]) -> None:
        self.full_text, self.spans, self.template_id = text, found, 1


def test_results_of_an_analyzer() -> None:
    one, two = RecognizerResult("PERSON", 0, 7, 0.85), PatternResult("URL", 3, 7, 0.5)
    expected = [(0, 7, "PERSON"), (3, 7, "URL")]
    assert spans([[one, two], []]) == [expected, []]
    assert spans([one, two]) == [expected]  # of one text
    assert spanscope.read([[one]]).to_dicts()[0]["spans"][0]["score"] == 0.85
    wrapped = [{"id": "a", "text": TEXT, "spans": [one, two]}, {"id": "b", "text": "x", "spans": []}]
    assert spans(wrapped) == [expected, []]
    assert spans({"a": [one], "b": [two]}) == [expected[:1], expected[1:]]
    gold = [InputSample(TEXT, [SampleSpan("PERSON", "Ann Lee", 0, 7)]), InputSample("Nothing", [])]
    assert spanscope.evaluate(gold, [[one, two], []], "spans.exact", ci=False).totals() == {
        "tp": 1,
        "pred": 2,
        "gold": 1,
    }
    with pytest.raises(InputError, match=r"spans\[1\] is 'x'"):
        spanscope.read([[one, "x"]])


def test_templates_are_no_ids() -> None:
    row = {"full_text": TEXT, "masked": None, "spans": [], "template_id": 3, "metadata": {}}
    assert spanscope.read([row, row]).ids is None


# ---------------------------------------------------------------- LangExtract


class AlignmentStatus(Enum):
    MATCH_EXACT = "match_exact"
    MATCH_FUZZY = "match_fuzzy"


class CharInterval:
    def __init__(self, start: Any, end: Any) -> None:
        self.start_pos, self.end_pos = start, end


class Extraction:
    def __init__(self, kind: str, quote: str, place: Any = None, status: Any = None) -> None:
        self.extraction_class, self.extraction_text, self.char_interval = kind, quote, place
        self.alignment_status, self.attributes = status, {"certainty": "high"} if kind == "PER" else None


class AnnotatedDocument:
    """As langextract.data has it."""

    def __init__(self, name: str, text: str, extractions: Any) -> None:
        self.document_id, self.text, self.extractions = name, text, extractions


AnnotatedDocument.__module__ = "langextract.core.data"


def extraction(
    quote: str, start: Any = None, end: Any = None, status: str | None = "match_exact"
) -> dict[str, Any]:
    place = None if start is None else {"start_pos": start, "end_pos": end}
    own = {"extraction_class": "PER", "extraction_text": quote, "char_interval": place, "alignment_status": status}
    return own | {"attributes": {}}


def extracted(*found: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"extractions": list(found), "text": TEXT, "document_id": "a", **more}


def test_annotated_documents_in_memory() -> None:
    found = [
        Extraction("PER", "Ann Lee", CharInterval(0, 7), AlignmentStatus.MATCH_EXACT),
        Extraction("PER", "Robert", CharInterval(12, 15), AlignmentStatus.MATCH_FUZZY),
        Extraction("LOC", "Paris", CharInterval(None, None)),
        Extraction("LOC", "Bern"),
    ]
    documents = [AnnotatedDocument("a", TEXT, found), AnnotatedDocument("b", "Nothing", None)]
    assert [one["spans"] for one in spanscope.read(documents).to_dicts()] == [
        [
            {"start": 0, "end": 7, "label": "PER", "meta": {"certainty": "high"}},
            {"start": 12, "end": 15, "label": "PER", "meta": {"certainty": "high"}},
            {"label": "LOC", "text": "Paris"},
            {"label": "LOC", "text": "Bern"},
        ],
        [],
    ]
    assert kinds(documents) == {"nowhere": 2, "near place": 1}
    assert spanscope.read(documents[0]).ids == ["a"]
    gold = [{"id": "a", "spans": [{"start": 0, "end": 7, "label": "PER"}]}, {"id": "b", "spans": []}]
    # By hand: Ann Lee is right; Bob is nobody's, and two places in no text are spurious all the same.
    assert spanscope.evaluate(gold, documents, "spans.exact", ci=False).totals() == {"tp": 1, "pred": 4, "gold": 1}


def test_random_ids_are_paired_by_texts() -> None:
    gold = [{"id": "x", "text": TEXT, "spans": [{"start": 0, "end": 7, "label": "PER"}]}]
    pred = [extracted(extraction("Ann Lee", 0, 7), document_id="doc_1f2e3d4c")]
    assert spanscope.evaluate(gold, pred, "spans.exact", ci=False).value() == 1


def test_words_are_held_against_the_text(tmp_path: Path) -> None:
    """In any case and with any white space; where they were found otherwise, they are others by design."""
    alike = extracted(extraction("ann  LEE", 0, 7), extraction("Robert", 12, 15, "match_fuzzy"))
    assert kinds([alike]) == {"near place": 1}
    assert kinds([extracted(extraction("Bob", 0, 7))]) == {"text mismatch": 1}
    shifted = "😀😀 Ann Lee met Bob"
    two = {**extracted(extraction("Ann Lee", 5, 12), extraction("Bob", 17, 20)), "text": shifted}
    path = write(tmp_path / "a.jsonl", json.dumps(two) + "\n")
    assert "--offsets utf16" in refused(run("eval", path, path))
    assert spans([two], offsets="utf16") == [[(3, 10, "PER"), (15, 18, "PER")]]


@pytest.mark.parametrize(
    ("document", "what"),
    [
        (extracted(extraction("Ann", 0, 99)), "past the end of the text"),
        (extracted(extraction("Ann", "x", 9)), "start is 'x'"),
        (extracted({**extraction("Ann", 0, 3), "extraction_text": 5}), "extractions[0].extraction_text is 5"),
        (
            extracted(extraction("Ann", 0, 3), extractions=[{"extraction_class": 7, "extraction_text": "Ann"}]),
            "is 7",
        ),
    ],
)
def test_extractions_that_are_none(document: Any, what: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [document])
    assert what in refused(run("eval", path, path))
    assert run("check", path).code == 1


# ---------------------------------------------------------------- ai4privacy


def row(**more: Any) -> dict[str, Any]:
    mask = [{"label": "NAME", "start": 0, "end": 7, "value": "Ann Lee", "label_index": 1}]
    return {"source_text": TEXT, "masked_text": "[NAME_1] met", "privacy_mask": mask, **more}


def test_rows_of_every_edition() -> None:
    first = {
        "unmasked_text": TEXT,
        "privacy_mask": "{'[NAME_1]': 'Ann Lee', '[NAME_2]': 'Bob'}",
        "span_labels": "[[0, 7, 'NAME_1'], [7, 12, 'O'], [12, 15, 'NAME_2'], [15, 23, 'O']]",
    }
    assert spans([first]) == [[(0, 7, "NAME"), (12, 15, "NAME")]]
    assert spans([row(uid=1)]) == spans([row(id="x", span_labels=[[0, 7, "NAME"]])]) == [[(0, 7, "NAME")]]
    assert spans(row()) == spans([row(privacy_mask=repr(row()["privacy_mask"]))]) == [[(0, 7, "NAME")]]
    assert spanscope.read([row(uid=7, id="x")]).ids == ["7"]


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"privacy_mask": "__import__('os').getcwd()"}, "privacy_mask is"),  # a literal is read, never run
        ({"privacy_mask": "[" * 5000}, "privacy_mask is"),
        ({"privacy_mask": "{}", "span_labels": "[[0, 7]]"}, "privacy_mask has no offsets, and span_labels is"),
        ({"privacy_mask": {}, "span_labels": None}, "privacy_mask has no offsets, and span_labels is"),
        ({"source_text": None}, "a row has"),
        ({"privacy_mask": [{"label": "A", "start": 0, "end": 99}]}, "past the end of the text"),
    ],
)
def test_rows_that_cannot_be_read(changed: Any, what: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [{**row(), **changed}])
    assert what in refused(run("eval", path, path))


def test_masks_are_held_against_the_text(tmp_path: Path) -> None:
    wrong = row(privacy_mask=[{"label": "NAME", "start": 1, "end": 8, "value": "Ann Lee"}])
    path = write(tmp_path / "a.jsonl", [wrong])
    assert "another text than their document" in refused(run("eval", path, path))


# ---------------------------------------------------------------- GLiNER2


def by_label(end: int = 3) -> list[Json]:
    """Return results for two texts, as `extract_entities(..., include_spans=True)` does."""
    bob = {"text": "Bob", "confidence": 0.5, "start": 8, "end": 8 + end}
    ann = {"text": "Ann", "confidence": 0.75, "start": 0, "end": end}
    rome = {"text": "Rome", "confidence": 1.0, "start": 3, "end": 4 + end}
    return [{"entities": {"person": [ann, bob], "city": []}}, {"entities": {"person": [], "city": [rome]}}]


GOLD_OF_LABELS = [
    {"id": "a", "text": "Ann met Bob", "spans": [{"start": 0, "end": 3, "label": "person"}]},
    {"id": "b", "text": "in Rome", "spans": [{"start": 3, "end": 7, "label": "city"}]},
]


@pytest.mark.parametrize("as_lines", [True, False])
def test_entities_by_label(as_lines: bool, tmp_path: Path) -> None:
    found = by_label()
    path = write(tmp_path / "p.json", found if as_lines else json.dumps(found))
    assert detect.recognise(path).name == "gliner2"
    corpus = spanscope.read(path)
    assert corpus.to_dicts() == [
        {
            "spans": [
                {"start": 0, "end": 3, "label": "person", "text": "Ann", "score": 0.75},
                {"start": 8, "end": 11, "label": "person", "text": "Bob", "score": 0.5},
            ]
        },
        {"spans": [{"start": 3, "end": 7, "label": "city", "text": "Rome", "score": 1.0}]},
    ]
    result = spanscope.evaluate(GOLD_OF_LABELS, path, ci=False)
    assert (result.value("precision"), result.value("recall")) == (pytest.approx(2 / 3), 1)


def test_ends_of_entities_by_label_are_held_against_the_text(tmp_path: Path) -> None:
    """Some releases return the last character as the end."""
    gold = write(tmp_path / "g.jsonl", GOLD_OF_LABELS)
    path = write(tmp_path / "p.jsonl", by_label(end=2))
    assert "--ends inclusive   with which they fit" in refused(run("eval", gold, path))
    assert run("eval", gold, path, "--pred-ends", "inclusive", "--no-ci").code == 0


def test_quotes_by_label_have_no_place() -> None:
    with pytest.raises(InputError, match=r"entities\.person\[0\] is 'Ann': it has no place"):
        spanscope.read([by_label()[0], {"entities": {"person": ["Ann"]}}])
    with pytest.raises(InputError, match="entities has groups of spans"):
        spanscope.read([{"entities": {"person": ["Ann"]}}])
