"""Letters of systems, held to a twin that tries all sets; ranks, held to one that counts."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope import MeasureError
from spanscope.stats import letters as under_test
from spanscope.stats.letters import alike_sets, letters
from spanscope.stats.ranks import rank_intervals, ranks
from tests.twins import letters as twin


@st.composite
def differing(draw: Any) -> tuple[int, list[tuple[int, int]]]:
    systems = draw(st.integers(1, 7))
    pairs = list(combinations(range(systems), 2))
    return systems, draw(st.permutations(pairs).map(lambda own: own[: draw(st.integers(0, len(pairs)))]))


@given(differing())
def test_letters_are_those_of_all_largest_sets(case: tuple[int, list[tuple[int, int]]]) -> None:
    systems, different = case
    found = alike_sets(systems, different)
    assert found == twin.alike_sets(systems, different)
    shown = letters(systems, found)
    for one, other in combinations(range(systems), 2):
        assert bool({*shown[one]} & {*shown[other]}) == ((one, other) not in different)


def test_a_case_worked_by_hand() -> None:
    """Of four systems in order the first differs from the last two, and the second from the last.

    1 and 2, 2 and 3, 3 and 4 are alike, and no three of them: three sets, and each inner system is in two.
    """
    sets = alike_sets(4, [(0, 2), (0, 3), (1, 3)])
    assert sets == [(0, 1), (1, 2), (2, 3)]
    assert letters(4, sets) == ["a", "ab", "bc", "c"]


def test_all_alike_and_all_different() -> None:
    assert letters(3, alike_sets(3, [])) == ["a", "a", "a"]
    assert letters(3, alike_sets(3, [(0, 1), (0, 2), (1, 2)])) == ["a", "b", "c"]
    assert alike_sets(0, []) == []


def test_letters_go_on_after_the_alphabet() -> None:
    shown = letters(54, [(at,) for at in range(54)])
    assert (shown[25], shown[26], shown[51], shown[52], shown[53]) == ("z", "A", "Z", "a2", "b2")


def test_so_many_sets_that_nobody_could_read_them_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "MOST_SETS", 3)
    with pytest.raises(MeasureError, match="more than 3 sets"):
        alike_sets(6, [(0, 1), (2, 3), (4, 5)])  # eight sets of three


VALUES = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0, None])


@given(
    st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(VALUES, min_size=n, max_size=n), min_size=1, max_size=5))
)
def test_ranks_and_their_intervals(draws: list[list[float | None]]) -> None:
    values = np.array([[np.nan if one is None else one for one in own] for own in draws])
    for best in (0.0, 1.0):
        found = ranks(values, best)
        for at in range(values.shape[1]):
            column = [own[at] for own in draws]
            assert found[:, at].tolist() == [twin.rank(column, system, best) for system in range(len(draws))]
        for level in (0.5, 0.95):
            assert rank_intervals(values, best, level) == [
                twin.rank_interval(draws, system, best, level) for system in range(len(draws))
            ]


def test_a_rate_without_a_best_value_is_ranked_from_the_highest() -> None:
    assert ranks(np.array([[-1.0], [2.0], [np.nan]]), float("nan")).ravel().tolist() == [2, 1, 3]
