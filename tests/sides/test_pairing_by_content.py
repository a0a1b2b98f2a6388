"""Documents whose ids pair none: by their texts, or by position where one side is lists of spans alone."""

from __future__ import annotations

from typing import Any

import pytest

import spanscope
from spanscope.errors import DocumentError

GOLD: list[dict[str, Any]] = [
    {"id": "a", "text": "Ann left.", "spans": [{"start": 0, "end": 3, "label": "P"}]},
    {"id": "b", "text": "Bob came.", "spans": [{"start": 0, "end": 3, "label": "P"}]},
    {"id": "c", "text": "Nobody.", "spans": []},
]


def test_by_texts_where_a_tool_gave_its_own_numbers() -> None:
    pred = [{**one, "id": number} for number, one in enumerate(reversed(GOLD), start=1)]
    found = spanscope.evaluate(GOLD, pred, "spans.exact", ci=False)
    assert found.value() == 1
    assert found.problems.first["paired by"] == ["pred: documents are paired with gold by their texts"]
    bare = [{key: one[key] for key in ("text", "spans")} for one in reversed(GOLD)]
    assert spanscope.evaluate(GOLD, bare, "spans.exact", ci=False).value() == 1
    assert spanscope.evaluate(bare, GOLD, "spans.exact", ci=False).value() == 1


def test_by_position_where_a_model_gave_lists_alone() -> None:
    pred = [one["spans"] for one in GOLD]
    found = spanscope.evaluate(GOLD, pred, "spans.exact", ci=False)
    assert found.value() == 1
    assert "paired by" in found.problems.number
    with pytest.raises(DocumentError, match="pred: has lists of spans for 2 texts, and gold has 3 documents"):
        spanscope.evaluate(GOLD, pred[:2], "spans.exact", ci=False)


def test_texts_that_differ_or_repeat_pair_nothing() -> None:
    other = [{**one, "id": f"x{one['id']}", "text": one["text"] + " More."} for one in GOLD]
    twice = [{**one, "id": f"x{one['id']}", "text": "Ann left."} for one in GOLD]
    for pred in (other, twice):
        with pytest.raises(DocumentError, match="none of the 3 documents"):
            spanscope.evaluate(GOLD, pred, "spans.exact", ci=False)


def test_agreement_pairs_exports_by_their_texts() -> None:
    other = [{**one, "id": number} for number, one in enumerate(reversed(GOLD), start=1)]
    found = spanscope.agree(GOLD, other)
    assert [row.value for row in found.rows] == [1] * len(found.rows)
    assert "paired by" in found.problems
