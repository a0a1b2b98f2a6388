"""SQuAD's own figures, 1.1 and 2.0, recorded from the real scripts: every case agrees to the last digit.

Left out: torchmetrics' figures, which are those of neither script (2.0's rule for empty texts under the name of
1.1, in single precision). Where 1.1's script fails for want of a gold answer, a message says so here. Questions
without prediction make 2.0's script fail; its figures were recorded without them, and we leave them out ourselves.
"""

import math
from typing import Any

import pytest

from spanscope.errors import InputError
from spanscope.measures.passages.squad_texts import (
    Question,
    squad1_scores,
    squad2_scores,
    squad_exact,
    squad_f1,
    squad_normalise,
    squad_tokens,
)
from tests.oracle import Json, oracle

CASES: list[Json] = oracle("squad_random100")["cases"]
CORNERS: Any = oracle("squad_corners")  # a list
EMPTY = 27  # the case whose only question has no prediction: the scripts have no figures for it
every_case = pytest.mark.parametrize("case", CASES, ids=[f"case {case['id']}" for case in CASES])


def questions(case: Json, *, answerable: bool = False) -> list[Question]:
    return [
        Question(asked["gold"], case["predictions"].get(asked["id"]), case["na_probs"].get(asked["id"]))
        for asked in case["questions"]
        if asked["gold"] or not answerable
    ]


def test_the_record_is_whole() -> None:
    assert (len(CASES), len(CORNERS)) == (50, 18)
    assert [case["id"] for case in CASES if not case["aggregate"]] == [EMPTY]


@every_case
def test_every_question(case: Json) -> None:
    for asked in case["questions"]:
        want = case["per_question"][asked["id"]]
        if want is None:
            assert asked["id"] not in case["predictions"]
            continue
        prediction, golds = case["predictions"][asked["id"]], asked["gold"]
        assert squad_normalise(prediction) == want["normalised_prediction"]
        assert [squad_normalise(gold) for gold in golds] == want["normalised_gold"]
        assert squad_exact(prediction, golds) == want["v2"]["em"]
        assert squad_f1(prediction, golds) == want["v2"]["f1"]
        assert bool(golds) == want["v2"]["has_ans"]
        if isinstance(want["v1"], str):  # the exception of its script
            assert want["v1"].startswith("ValueError: max()")
            with pytest.raises(InputError, match="no gold answer"):
                squad_f1(prediction, golds, version="1.1")
        else:
            assert squad_exact(prediction, golds, version="1.1") == want["v1"]["em"]
            assert squad_f1(prediction, golds, version="1.1") == want["v1"]["f1"]


@pytest.mark.parametrize("case", [c for c in CASES if c["id"] != EMPTY], ids=lambda case: f"case {case['id']}")
def test_every_aggregate(case: Json) -> None:
    want = case["aggregate"]
    assert squad1_scores(questions(case, answerable=True)) == want["v1_answerable_only"]
    for threshold in (1.0, 0.5):
        found = squad2_scores(questions(case), threshold=threshold)
        assert found == want[f"v2_thresh_{threshold}"]
        assert list(found) == list(want[f"v2_thresh_{threshold}"])


def test_the_case_without_predictions() -> None:
    found = squad2_scores(questions(CASES[EMPTY]))
    assert found.pop("total") == 0
    assert list(found) == ["exact", "f1"]
    assert all(map(math.isnan, found.values()))


@pytest.mark.parametrize("corner", CORNERS, ids=lambda corner: f"{corner['pred']}|{corner['gold']}")
def test_every_corner(corner: Json) -> None:
    prediction, golds = corner["pred"], [corner["gold"]]
    assert squad_normalise(prediction) == " ".join(squad_tokens(prediction)) == corner["norm_pred"]
    assert squad_normalise(golds[0]) == corner["norm_gold"]
    assert squad_exact(prediction, golds, version="1.1") == corner["v1_em"]
    assert squad_f1(prediction, golds, version="1.1") == corner["v1_f1"]
    assert squad_exact(prediction, golds) == corner["v2_em"]
    assert squad_f1(prediction, golds) == corner["v2_f1"]
