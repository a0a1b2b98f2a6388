"""Live comparison with difflib (how alike texts are) and SciPy (optimal assignment), and where we differ."""

import math
from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from spanscope import evaluate
from spanscope.match.one_to_one import optimal
from spanscope.match.similarity import text_ratio
from tests.strategies import ALPHABET, LONG_TEXTS, TEXTS
from tests.support import counted, needs

scipy_optimize = needs("scipy.optimize")
scipy_distance = needs("scipy.spatial.distance")
NAN = float("nan")
Text = st.one_of(TEXTS, st.text(max_size=30), st.text("ab", max_size=40))
LONG = st.one_of(
    LONG_TEXTS, st.text(ALPHABET, min_size=190, max_size=260), st.text("ab", min_size=198, max_size=230)
)
both_ways = pytest.mark.parametrize("autojunk", [False, True])


def ours(pairs: list[tuple[str, str]], autojunk: bool) -> list[float]:
    first, second = (np.array([pair[side] for pair in pairs] + [None], dtype=object)[:-1] for side in (0, 1))
    found: list[float] = text_ratio(first, second, autojunk=autojunk).tolist()
    return found


def theirs(pairs: list[tuple[str, str]], autojunk: bool) -> list[float]:
    return [SequenceMatcher(None, a, b, autojunk=autojunk).ratio() for a, b in pairs]


# ---------------------------------------------------------------- difflib


@both_ways
@given(pairs=st.lists(st.tuples(Text, Text), max_size=8))
@example(pairs=[("", ""), ("", "a"), ("a", ""), ("diet", "tide"), ("tide", "diet")])
def test_text_ratio_is_difflibs_to_the_last_digit(autojunk: bool, pairs: list[tuple[str, str]]) -> None:
    assert ours(pairs, autojunk) == theirs(pairs, autojunk)


@both_ways
@settings(max_examples=25)
@given(first=LONG, second=LONG)
def test_text_ratio_is_difflibs_on_texts_of_200_characters_and_more(
    autojunk: bool, first: str, second: str
) -> None:
    pairs = [(first, second), (second, first), (first, first[5:]), (second[3:90], second)]
    pairs += [(first[:-7] + "x", first), (first[1:-7] + "x", first)]
    assert ours(pairs, autojunk) == theirs(pairs, autojunk)


@both_ways
@given(text=Text, draw=st.data())
def test_text_ratio_is_difflibs_where_one_text_contains_the_other(
    autojunk: bool, text: str, draw: st.DataObject
) -> None:
    start, end = sorted(draw.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    pairs = [(text, text[start:end]), (text[start:end], text)]
    assert ours(pairs, autojunk) == theirs(pairs, autojunk)


@both_ways
@pytest.mark.parametrize("length", [198, 199, 200, 201])
def test_autojunk_begins_where_difflibs_does(autojunk: bool, length: int) -> None:
    text = ("the pump shall start " * 20)[:length]
    pairs = [(text[1:], text), (text, text[1:]), (text[::-1], text)]
    assert ours(pairs, autojunk) == theirs(pairs, autojunk)


def test_the_same_pair_twice_and_equal_texts() -> None:
    pairs = [("ab", "ba"), ("ab", "ba"), ("ab", "ab"), ("ba", "ab")]
    assert ours(pairs, False) == theirs(pairs, False) == [0.5, 0.5, 1.0, 0.5]


SENTENCES = "the system shall report the state of the pump to the operator " * 4


def test_texts_that_difflib_calls_unlike_are_alike_without_its_heuristic() -> None:
    """difflib ignores characters frequent in a second text of 200 and more: in ordinary sentences, nearly all.

    So spans.relaxed leaves the heuristic out, unless text=difflib copies a tool.
    """
    pair = (SENTENCES[1:-8] + "!", SENTENCES)
    assert SequenceMatcher(None, *pair).ratio() < 0.1
    assert SequenceMatcher(None, *pair, autojunk=False).ratio() > 0.95
    assert ours([pair], True)[0] < 0.1
    assert ours([pair], False)[0] > 0.95


def test_relaxed_loses_a_long_span_only_when_it_copies_the_heuristic() -> None:
    """The same span but for ten characters of 252 has IoU 0.96; with the heuristic it falls below 0.8."""
    case = (f"A[0,{len(SENTENCES)}]", f"A[1,{len(SENTENCES) - 9}]")
    for text, tp in (("gestalt", 1), ("difflib", 0)):
        form = f"spans.relaxed(threshold=0.8, text={text})"
        assert counted(*case, form, text=SENTENCES)["A"]["tp"] == tp


# ---------------------------------------------------------------- SciPy

scores = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    elements=st.sampled_from([NAN, NAN, 0.1, 0.25, 0.5, 1.0]) | st.floats(0, 1),
)


def solved(table: np.ndarray) -> tuple[int, float]:
    """Let SciPy assign; a pair is worth 100 and its score, no pair (NaN) nothing."""
    worth = np.where(np.isnan(table), 0.0, 100.0 + table)
    rows, columns = scipy_optimize.linear_sum_assignment(worth, maximize=True)
    taken = [table[r, c] for r, c in zip(rows, columns, strict=True) if not math.isnan(table[r, c])]
    return len(taken), math.fsum(taken)


@given(table=scores)
def test_optimal_is_scipys_assignment_of_the_whole_table(table: np.ndarray) -> None:
    gold, pred = np.nonzero(~np.isnan(table))
    score = table[gold, pred]
    taken = optimal(gold, pred, score)
    number, total = solved(table)
    assert int(taken.sum()) == number
    assert math.fsum(score[taken]) == pytest.approx(total, abs=1e-12)


@given(table=scores, threshold=st.sampled_from([0.2, 0.5]))
def test_most_pairs_come_before_the_largest_total_unlike_in_scipy(table: np.ndarray, threshold: float) -> None:
    """SciPy alone maximises the total; a measure counts matches, so their number comes first here."""
    gold, pred = np.nonzero(table >= threshold)
    score = table[gold, pred]
    plain = np.where(table >= threshold, table, 0.0)
    rows, columns = scipy_optimize.linear_sum_assignment(plain, maximize=True)
    assert int(optimal(gold, pred, score).sum()) >= int((plain[rows, columns] > 0).sum())


def test_one_large_score_against_two_small_ones() -> None:
    """The largest total is 1.0 from one pair; two pairs of 0.25 are two matches."""
    table = np.array([[1.0, 0.25], [0.25, NAN]])
    rows, columns = scipy_optimize.linear_sum_assignment(np.nan_to_num(table), maximize=True)
    assert int((np.nan_to_num(table)[rows, columns] > 0).sum()) == 1
    gold, pred = np.nonzero(~np.isnan(table))
    taken = optimal(gold, pred, table[gold, pred])
    assert sorted(zip(gold[taken].tolist(), pred[taken].tolist(), strict=True)) == [(0, 1), (1, 0)]


# ---------------------------------------------------------------- peers that are not there


def test_a_missing_peer_is_skipped_with_a_sentence_but_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = r"^no_such_peer is not installed: pip install 'spanscope\[test\]'$"
    for ci, outcome in (("", pytest.skip.Exception), ("true", pytest.fail.Exception)):
        monkeypatch.setenv("CI", ci)
        with pytest.raises(outcome, match=sentence):
            needs("no_such_peer")


# ---------------------------------------------------------------- where boundaries lie


@given(
    gold=st.lists(st.integers(1, 99), min_size=1, unique=True),
    pred=st.lists(st.integers(1, 99), min_size=1, unique=True),
    bins=st.integers(1, 40),
)
def test_density_jsd_is_the_square_of_scipys_distance(gold: list[int], pred: list[int], bins: int) -> None:
    sides = [[{"id": 1, "length": 100, "boundaries": sorted(side)}] for side in (gold, pred)]
    found = evaluate(sides[0], sides[1], f"segments.density_jsd(bins={bins})", ci=False).value(
        "jsd", average="document"
    )
    p, q = (np.bincount([at * bins // 100 for at in side], minlength=bins) for side in (gold, pred))
    with np.errstate(invalid="ignore"):
        wanted = scipy_distance.jensenshannon(p, q, base=2) ** 2
    assert found == pytest.approx(0.0 if math.isnan(wanted) else wanted, abs=1e-9)
