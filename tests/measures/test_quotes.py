"""spans.text compares what spans quote, whatever their offsets say; every verdict worked by hand."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

import spanscope
from spanscope import viewer
from spanscope.settings.options import Running
from spanscope.settings.reading import Reading
from tests.support import Json

TEXT = "Rome is big. Rome is old."


def one(*spans: Json, text: str | None = TEXT, name: str = "a") -> list[Json]:
    """Return a document of its own."""
    return [{"id": name, **({} if text is None else {"text": text}), "spans": list(spans)}]


def span(label: str, text: str | None, start: int | None = None, end: int | None = None) -> Json:
    given = {"label": label, "text": text, "start": start, "end": end}
    return {key: value for key, value in given.items() if value is not None}


def verdicts(result: spanscope.Result) -> list[tuple[Any, ...]]:
    """Return kind, gold text, predicted text and detail of every verdict."""
    return sorted(
        (
            r["kind"],
            *(None if r[s] is None else r[s].get("quote", r[s]["text"]) for s in ("gold", "pred")),
            r.get("detail"),
        )
        for r in result.matches()
    )


ROME = span("L", "Rome", 0, 4)


@pytest.mark.parametrize(
    "pred",
    [
        one(span("L", "Rome", 1, 5)),  # the document has "ome " there
        one(span("L", "Rome", 0, 0)),  # a model's way to say that it does not know
        one(span("L", "Rome", 1, 5), text=None),  # the text is only in gold
        one(span("L", "Rome")),
        one(span("L", "Rome"), text=None),
        one(span("L", None, 13, 17)),  # no quote: the document's own words
    ],
)
def test_a_quote_counts_wherever_its_offsets_are(pred: list[Json]) -> None:
    result = spanscope.evaluate(one(ROME), pred, "spans.text")
    assert result.value("f1") == 1.0
    assert [kind for kind, *_ in verdicts(result)] == ["correct"]


def test_gold_that_quotes_other_words_than_its_document_has() -> None:
    result = spanscope.evaluate(one(span("L", "Rome", 5, 7)), one(ROME), "spans.text")
    assert result.value("f1") == 1.0
    (found,) = result.matches()
    assert found["gold"] == {"start": 5, "end": 7, "label": "L", "text": "is", "quote": "Rome"}
    assert result.problems.number == {"text mismatch": 1}


def test_other_measures_go_on_reading_the_document_at_the_offsets() -> None:
    pred = one(span("L", "no such words", 0, 4))
    result = spanscope.evaluate(one(ROME), pred, ["spans.relaxed(threshold=1)", "spans.exact", "spans.text"])
    assert [result.value("f1", form) for form in result.measures] == [1.0, 1.0, 0.0]


def test_files_and_blocks_give_the_same(tmp_path: Path) -> None:
    gold = [one(ROME, name=f"d{i}")[0] for i in range(6)]
    pred = [one(span("L", "Rome" if i % 2 else "Roma", 2, 6), name=f"d{i}")[0] for i in range(6)]
    paths = []
    for name, side in (("gold", gold), ("pred", pred)):
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text("".join(json.dumps(document) + "\n" for document in side))
    for memory in ("spans", "counts"):
        result = spanscope.evaluate(*paths, "spans.text", ci=False, run=Running(memory=memory))
        assert result.counts() == {"L": {"tp": 3, "pred": 6, "gold": 6}}


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ([ROME], [span("L", "Rome")], [("correct", "Rome", "Rome", None)]),
        ([ROME], [span("M", "rome")], [("type", "Rome", "rome", None)]),
        ([ROME], [span("L", "big Rome")], [("boundary", "Rome", "big Rome", "longer, left")]),
        ([ROME], [span("L", "Ro")], [("boundary", "Rome", "Ro", "shorter, right")]),
        ([ROME], [span("M", "om")], [("boundary+type", "Rome", "om", "shorter, both")]),
        (
            [ROME],
            [span("L", "Rome"), span("L", "Rome")],
            [("correct", "Rome", "Rome", None), ("duplicate", None, "Rome", None)],
        ),
        ([ROME], [span("L", "old")], [("missing", "Rome", None, None), ("spurious", None, "old", None)]),
        ([ROME], [], [("missing", "Rome", None, None)]),
    ],
)  # fmt: skip
def test_errors_of_spans_without_offsets(gold: list[Json], pred: list[Json], expected: list[Any]) -> None:
    result = spanscope.evaluate(one(*gold), one(*pred), "spans.text")
    assert sorted(verdicts(result), key=str) == sorted(expected, key=str)
    assert sum(int(row["count"]) for row in result.errors().values()) == sum(
        kind != "correct" for kind, *_ in expected
    )


def test_the_same_place_and_label_with_other_words_is_an_error_of_text() -> None:
    result = spanscope.evaluate(one(ROME), one(span("L", "Roma", 0, 4)), "spans.text")
    assert verdicts(result) == [("text", "Rome", "Roma", None)]
    assert result.errors()["text"] == {"count": 1, "f1_if_fixed": 1.0, "gain": 1.0}


def test_the_json_and_the_page_of_spans_without_offsets() -> None:
    result = spanscope.evaluate(one(ROME), one(span("L", "Ro"), span("L", "Rome", 7, 11)), "spans.text")
    found = json.loads(result.to_json(matches=True))
    schema = json.loads((files("spanscope.results") / "schemas" / "result-1.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(found)
    assert [record["kind"] for record in found["matches"]] == ["duplicate", "correct"]
    assert found["matches"][0]["pred"] == {"start": None, "end": None, "label": "L", "text": "Ro"}
    assert "pred  L  Ro" in result.table(examples=3)
    assert "<html" in viewer.render(result)


def test_a_quote_is_masked_with_the_texts() -> None:
    result = spanscope.evaluate(one(ROME), one(span("L", "Roma", 0, 4)), "spans.text", text="masked")
    (found,) = result.matches()
    assert found["pred"]["quote"] == "xxxx"


def test_quotes_by_bytes_are_kept() -> None:
    gold = [{"id": "a", "text": "é Rome", "spans": [span("L", "Rome", 3, 7)]}]
    pred = [{"id": "a", "text": "é Rome", "spans": [span("L", "rome", 3, 7)]}]
    result = spanscope.evaluate(gold, pred, "spans.text(normalise=none)", read=Reading(offsets="utf8"))
    assert result.value("f1") == 0.0  # the document has "Rome", the prediction quotes "rome"
