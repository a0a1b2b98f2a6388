"""How alike the spans of a pair are: against plain Python that looks at every character."""

import math
from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import given

import spanscope
from spanscope.findings.similarities import similarities
from spanscope.match.overlaps import pairs_of_rows
from spanscope.measures.registry import parse
from spanscope.sides.comparison import Comparison
from tests.strategies import corpora
from tests.support import Json, compared, fragmented_corpora

Corpora = tuple[list[Json], list[Json]]


def twin(c: Comparison, g: int, p: int) -> float:
    """Return the intersection over union of two spans from the sets of their characters."""
    sides = []
    for side, row in ((c.gold, g), (c.pred, p)):
        pieces = side.fragments()
        own = np.flatnonzero(pieces.span == row)
        sides.append({at for one in own for at in range(int(pieces.start[one]), int(pieces.end[one]))})
    if not sides[0] and not sides[1]:
        return float(bool(c.gold.start[g] == c.pred.start[p]))
    return len(sides[0] & sides[1]) / len(sides[0] | sides[1])


def every_pair(c: Comparison) -> tuple[np.ndarray, np.ndarray]:
    pairs = [(g, p) for g in range(len(c.gold)) for p in range(len(c.pred)) if c.gold.doc[g] == c.pred.doc[p]]
    rows = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return rows[:, 0], rows[:, 1]


@given(corpora())
def test_every_pair_is_as_alike_as_by_hand(drawn: Corpora) -> None:
    c = compared(*drawn)
    gold, pred = every_pair(c)
    found = similarities(c, gold, pred, parse("spans.relaxed(iou_weight=0.25)"))
    texts = {side: c.text(side) for side in ("gold", "pred")}
    for at, (g, p) in enumerate(zip(gold.tolist(), pred.tolist(), strict=True)):
        assert found.iou[at] == twin(c, g, p)
        assert texts["gold"] is not None
        assert texts["pred"] is not None
        ratio = SequenceMatcher(None, texts["pred"][p], texts["gold"][g], autojunk=False).ratio()
        assert found.text[at] == pytest.approx(ratio, abs=1e-12)
        assert found.score[at] == pytest.approx(0.25 * found.iou[at] + 0.75 * ratio, abs=1e-12)


@given(fragmented_corpora())
def test_fragments_count_by_their_characters(drawn: Corpora) -> None:
    c = compared(*drawn)
    gold, pred = every_pair(c)
    assert pairs_of_rows(c, gold, pred).iou.tolist() == [
        twin(c, g, p) for g, p in zip(gold.tolist(), pred.tolist(), strict=True)
    ]


def test_a_pair_that_was_matched_has_the_score_of_the_match() -> None:
    text = "Anna Lee met Bob in Rome"
    gold = [{"id": 1, "text": text, "spans": [[0, 8, "PER"], [20, 24, "LOC"]]}]
    pred = [{"id": 1, "text": text, "spans": [[0, 4, "PER"], [13, 16, "LOC"]]}]
    result = spanscope.evaluate(gold, pred, "spans.relaxed(threshold=0.3)", ci=False)
    (score,) = [one["score"] for one in result.matches("correct")]
    found = similarities(result.comparison, np.array([0, 1]), np.array([0, 1]), result.measures[0])
    assert found.iou.tolist() == [0.5, 0.0]
    assert found.text[0] == 2 * 4 / 12
    assert found.score[0] == score


@pytest.mark.parametrize(("form", "scored"), [("spans.iou", True), ("tokens.presidio", False), (None, False)])
def test_only_what_scores_pairs_has_a_score(form: str | None, scored: bool) -> None:
    c = compared([{"id": 1, "spans": [[0, 8, "A"]]}], [{"id": 1, "spans": [[0, 4, "A"]]}])
    rows = np.array([0])
    found = similarities(c, rows, rows, None if form is None else parse(form))
    assert found.iou.tolist() == [0.5]
    assert math.isnan(found.text[0])  # there is no text
    assert found.score.tolist() == [0.5] if scored else math.isnan(found.score[0])
