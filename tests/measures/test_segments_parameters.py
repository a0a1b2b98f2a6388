"""What the parameters of the segment measures do, on cases worked by hand; types of boundaries; what is refused.

Texts of 20 units unless said otherwise; a segmentation is written as the places at which it cuts.
"""

from math import exp
from typing import Any

import pytest

import spanscope
from spanscope.measures.registry import parse
from tests.segment_support import NAMES, cut, same, scored
from tests.support import KNOWN, Json

EVERY = list(range(1, 20))

# ---------------------------------------------------------------- what parameters do

PARAMETERS: list[tuple[str, list[int], list[int], int, Json]] = [
    ("segments.b_score(tolerance=0)", [10], [11], 20, {"f1": 0}),
    ("segments.b_score(tolerance=1)", [10], [9, 11], 20, {"precision": 1, "recall": 1}),  # one answers for two
    ("segments.soft(sigma=2)", [10], [12], 20, {"f1": exp(-1)}),
    ("segments.boundaries(tolerance=1)", [10], [9, 11], 20, {"precision": 1 / 2, "recall": 1}),  # one for one
    # Taking 11 with 10, its nearest, would leave 8 and 14 alone; 11 with 8 and 14 with 11 are both within 3.
    ("segments.boundaries(tolerance=3)", [8, 11], [11, 14], 20, {"f1": 1, "tp": 2}),
    ("segments.boundaries(ends=true)", [10], [11], 20, {"f1": 2 / 3, "tp": 2, "pred": 3, "gold": 3}),
    ("segments.boundaries(ends=true)", [], [], 20, {"f1": 1}),
    ("segments.boundaries(tolerance=1000)", [1], [19], 20, {"tp": 1}),
    ("segments.cover(tolerance=3)", [10], EVERY, 20, {"cover": 7 / 19}),
    ("segments.density_jsd(bins=1)", [1], [19], 20, {"jsd": 0}),
    ("segments.density_jsd(bins=2)", [10], [11, 19], 20, {"jsd": 0}),  # 10 * 2 / 20 is in the second half
    ("segments.density_jsd(bins=2)", [9], [10], 20, {"jsd": 1}),
    ("segments.pk(window=1)", [10], [11], 20, {"pk": 2 / 19}),
    ("segments.pk(window=20)", [10], [], 20, {"pk": None}),
    ("segments.pk(window=20, edges=nltk)", [10], [], 20, {"pk": 1}),  # one window of all units
    ("segments.pk(window=21, edges=nltk)", [10], [], 20, {"pk": None}),
    ("segments.pk(window=2, edges=nltk)", [10], [], 20, {"pk": 2 / 19}),
    ("segments.pk(window=2, edges=lamprier)", [1], [], 20, {"pk": 2 / 22}),  # from before the text: two, not one
    ("segments.pk(window=2)", [1], [], 20, {"pk": 1 / 18}),
    ("segments.pk(window=2, edges=segeval)", [1], [], 20, {"pk": 2 / 23}),
    ("segments.pk", [1, 2], [], 3, {"pk": 1}),  # half of one unit is none, and 1 at least: 2 of 2
    ("segments.pk(auto=segeval)", [1, 2], [], 3, {"pk": 1}),  # 2 at least: 1 of 1
    ("segments.pk(auto=segeval)", [1], [], 2, {"pk": None}),
    ("segments.pk", [5], [], 10, {"pk": 2 / 8}),  # half of 5 is 2.5: to even, 2
    ("segments.pk", [7], [], 14, {"pk": 4 / 10}),  # half of 7 is 3.5: to even, 4
    ("segments.pk(auto=nltk)", [10], [], 20, {"pk": 10 / 10}),  # 19 / 2 / 1 boundary is 9.5: to even, 10
    ("segments.window_diff(weighted=true)", [10], EVERY, 20, {"window_diff": (10 * 5 + 5 * 4) / 15}),
    ("segments.window_diff(window=2, edges=lamprier)", [1], [2], 20, {"window_diff": 2 / 22}),
    ("segments.win_pr(window=1)", [10], [11], 20, {"precision": 0, "recall": 0, "f1": 0}),
    ("segments.win_pr(window=2)", [10, 15], [11, 15], 20, {"f1": 3 / 4}),
    ("segments.win_pr(auto=segeval)", [1, 2], [1], 3, {"tp": 2, "pred": 2, "gold": 4}),
    ("segments.win_pr(auto=nltk)", [1, 2], [], 3, {"gold": 2, "recall": 0}),  # 2 / 2 / 2 is none: 1
    ("segments.ghd(insert=3, delete=5)", [], [10], 20, {"ghd": 3}),
    ("segments.ghd(insert=3, delete=5)", [10], [], 20, {"ghd": 5}),
    ("segments.ghd(insert=3, delete=5)", [1], [19], 20, {"ghd": 3 + 5}),
    ("segments.ghd(shift=0.25)", [1], [9], 20, {"ghd": 2}),
    ("segments.ghd(shift=0)", [1, 2], [9], 20, {"ghd": 2}),
    ("segments.edit_distance(n_t=1)", [10], [11], 20, {"b": 0, "additions": 2}),
    ("segments.edit_distance(n_t=4)", [10], [13], 20, {"b": 1 / 4, "transposed": 3 / 4}),
    ("segments.edit_distance(n_t=3)", [10], [13], 20, {"b": 0, "transpositions": 0}),
    ("segments.edit_distance(costs=unit)", [10], [11], 20, {"b": 0, "s": 18 / 19}),
    ("segments.edit_distance(n_t=3)", [3], [1], 4, {"b": 1 / 3, "transpositions": 1}),  # at the very start
    ("segments.edit_distance(n_t=3)", [1, 4, 5], [3, 4], 6, {"b": 1 - 5 / 3 / 3}),  # 3 to 1, before 5
    # Short moves first: 4 and 3 leave 1 and 6. The cheapest is 1 to 3 and 4 to 6.
    ("segments.edit_distance(n_t=3)", [1, 4], [3, 6], 10, {"b": 1 - 7 / 3 / 3, "s": 1 - 7 / 3 / 9}),
    ("segments.edit_distance(n_t=3, edits=optimal)", [1, 4], [3, 6], 10, {"b": 1 - 4 / 3 / 2, "s": 1 - 4 / 3 / 9}),
    # Two short moves and two additions cost 2 + 2/5, three long moves 12/5; without scale three cost 3, two 4.
    ("segments.edit_distance(n_t=5, edits=optimal)", [1, 6, 11], [5, 10, 15], 20, {"s": 1 - 12 / 5 / 19}),
    ("segments.edit_distance(n_t=5, edits=optimal, costs=unit)", [1, 6, 11], [5, 10, 15], 20, {"s": 1 - 3 / 19}),
    ("segments.agreement(of=s)", [10], [11], 20, {"agreement": 37 / 38}),
    ("segments.agreement(n_t=4)", [10], [13], 20, {"agreement": 1 / 4}),
    ("segments.agreement(costs=unit)", [10], [11], 20, {"agreement": 0}),
    ("segments.rt_seg(sigma=2)", [10], [12], 20, {"Soft_Boundary_F1": exp(-1)}),
    ("segments.rt_seg(window=0)", [10], [11], 20, {"Boundary_Similarity": 0}),
    ("segments.rt_seg(slack=0)", [10], [11], 20, {"Boundary_Cover": 0}),
]


@pytest.mark.parametrize(("form", "gold", "pred", "n", "wanted"), PARAMETERS)
def test_parameter(form: str, gold: list[int], pred: list[int], n: int, wanted: Json) -> None:
    record = scored(gold, pred, form, n)
    for key, value in wanted.items():
        assert same(record[key], value), (key, record[key])


def test_every_parameter_is_tried() -> None:
    tried = {(m.name, key) for m in (parse(form) for form, *_ in [*PARAMETERS, *TYPES]) for key, _ in m.params}
    assert tried >= {(name, key) for name in NAMES for key in KNOWN[name].parameters}


def test_ami_of_three_units() -> None:
    """A unit alone on each side, not the same: of the 3 * 3 ways to choose two units a third has the same.

    So the expected value lies a third of the way from what is found to the entropy, and ami is
    (found - expected) / (entropy - expected) = (-1/3) / (2/3).
    """
    assert same(scored([1], [2], "segments.ami", 3)["ami"], -1 / 2)


# ref 2,3,6: one boundary missed, one invented, one beside, three in a row (published with segeval)
PUBLISHED = {
    (5,): (1 / 2, 0.9, 2 / 9, 2 / 9),
    (2, 5, 8): (2 / 3, 0.9, 2 / 9, 2 / 9),
    (2, 6): (3 / 4, 0.95, 2 / 9, 2 / 9),
    (2, 3, 4, 5): (1 / 2, 0.8, 1 / 9, 3 / 9),
}


@pytest.mark.parametrize("pred", PUBLISHED)
def test_published_figures(pred: tuple[int, ...]) -> None:
    forms = ["segments.edit_distance", "segments.pk(auto=segeval)", "segments.window_diff(auto=segeval)"]
    result = spanscope.evaluate([cut(2, 5, n=11)], [cut(*pred, n=11)], forms, ci=False)
    found = [record for form in forms for record in result.by_document(form)]
    values = found[0]["b"], found[0]["s"], found[1]["pk"], found[2]["window_diff"]
    assert values == pytest.approx(PUBLISHED[pred])


# ---------------------------------------------------------------- types of boundaries


def typed(written: str, n: int = 20) -> list[Json]:
    """Read `5A 10B`: where a segment ends and its label; the last segment is called Z."""
    ends = [(int(word[:-1]), word[-1]) for word in written.split()]
    starts = [0, *(end for end, _ in ends)]
    return [
        {
            "id": 1,
            "length": n,
            "segments": [[start, *end] for start, end in zip(starts, [*ends, (n, "9")], strict=True)],
        }
    ]


TYPES: list[tuple[str, str, str, Json]] = [
    ("segments.boundaries(labelled=true)", "5A 10B", "5A 10A", {"tp": 1, "pred": 2, "gold": 2}),
    ("segments.boundaries", "5A 10B", "5A 10A", {"tp": 2}),
    ("segments.boundaries(labelled=true, tolerance=1)", "5A 6B", "5B 6A", {"tp": 2}),
    ("segments.edit_distance", "5A", "5B", {"b": 1, "matches": 1, "gaps": 19}),
    ("segments.edit_distance(types=nominal)", "5A", "5B", {"b": 0, "s": 37 / 38, "substituted": 1, "gaps": 38}),
    ("segments.edit_distance(types=nominal)", "5A", "6B", {"b": 0, "additions": 2, "transpositions": 0}),
    ("segments.edit_distance(types=nominal)", "5A", "6A", {"b": 1 / 2, "transpositions": 1, "gaps": 19}),
    # 1 and 3 are 2 apart, of 3 steps from the smallest to the largest.
    ("segments.edit_distance(types=ordinal)", "51", "53", {"b": 1 / 3, "substituted": 2 / 3}),
    ("segments.edit_distance(types=ordinal)", "51 107", "53 107", {"b": 1 - 2 / 7 / 2}),
    ("segments.edit_distance(types=ordinal, costs=unit)", "51", "53", {"b": 0, "substituted": 1}),
    # Two substitutions are preferred to two moves, though these are cheaper.
    ("segments.edit_distance(types=nominal)", "5A 6B", "5B 6A", {"b": 0, "substitutions": 2, "transpositions": 0}),
    ("segments.agreement(types=nominal)", "5A 10A", "5B 10A", {"agreement": 1 / 2}),
    ("segments.agreement(types=ordinal)", "51", "53", {"agreement": 1 / 3}),
    ("segments.agreement(types=ordinal, of=s)", "51", "53", {"agreement": 1 - 2 / 3 / 38}),
]


@pytest.mark.parametrize(("form", "gold", "pred", "wanted"), TYPES)
def test_types(form: str, gold: str, pred: str, wanted: Json) -> None:
    (record,) = spanscope.evaluate(typed(gold), typed(pred), form, ci=False).by_document()
    for key, value in wanted.items():
        assert same(record[key], value), (key, record[key])


def test_boundaries_are_counted_by_label() -> None:
    result = spanscope.evaluate(typed("5A 10B"), typed("5A 10A"), "segments.boundaries(labelled=true)", ci=False)
    assert result.counts() == {"A": {"tp": 1, "pred": 2, "gold": 1}, "B": {"tp": 0, "pred": 0, "gold": 1}}
    assert result.value("recall", label="A") == 1
    assert result.value("f1", average="macro") == (2 / 3 + 0) / 2


LEVELS = {"id": 1, "length": 20, "boundaries": {"chapter": [10], "section": [5, 10]}}


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("segments.boundaries", {"tp": 1, "pred": 1, "gold": 2}),
        ("segments.boundaries(labelled=true)", {"tp": 1, "pred": 1, "gold": 3}),
        ("segments.bias", {"bias": -1 / 3}),
        ("segments.edit_distance", {"b": 1 / 2, "gaps": 19}),
        ("segments.edit_distance(types=nominal)", {"b": 1 / 3, "gaps": 38}),
    ],
)
def test_levels_are_a_set_of_places_unless_types_count(form: str, wanted: Json) -> None:
    pred = {**LEVELS, "boundaries": {"chapter": [], "section": [10]}}
    (record,) = spanscope.evaluate([LEVELS], [pred], form, ci=False).by_document()
    assert all(same(record[key], value) for key, value in wanted.items()), record


# ---------------------------------------------------------------- what is refused

WRONG = [
    *(f"segments.{name}(tolerance={value})" for name in ("b_score", "boundaries", "cover") for value in (-1, 1.5)),
    *(f"segments.soft(sigma={value})" for value in (0, -1, "0.0", "'5'")),
    *(f"segments.density_jsd(bins={value})" for value in (0, -1, 2.5)),
    *(f"segments.{name}(window={value})" for name in ("pk", "window_diff", "win_pr") for value in (-1, 2.5)),
    *(f"segments.{name}(auto=halves)" for name in ("pk", "window_diff", "win_pr")),
    *(f"segments.{name}(edges=outside)" for name in ("pk", "window_diff")),
    *(f"segments.{name}(n_t={value})" for name in ("edit_distance", "agreement") for value in (0, -1, 2.5)),
    *(f"segments.{name}(costs=free)" for name in ("edit_distance", "agreement")),
    *(f"segments.{name}(types=all)" for name in ("edit_distance", "agreement")),
    *("segments.edit_distance(edits=best)", "segments.agreement(of=f1)", "segments.boundaries(labelled=1)"),
    *("segments.boundaries(ends=yes)", "segments.window_diff(weighted=2)", "segments.rt_seg(window=1.5)"),
    *(f"segments.ghd({key}=-1)" for key in ("insert", "delete", "shift")),
    *("segments.pk(k=3)", "segments.bias(tolerance=1)", "segments.jsd"),
]


@pytest.mark.parametrize("form", WRONG)
def test_a_wrong_value_is_refused(form: str) -> None:
    with pytest.raises(spanscope.MeasureError):
        spanscope.evaluate([cut(10)], [cut(11)], form, ci=False)


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ("segments.boundaries(labelled=true, ends=true)", "ends"),
        ("segments.edit_distance(edits=optimal, types=nominal)", "optimal"),
        ("segments.edit_distance(types=ordinal)", "ordinal"),
        ("segments.agreement(types=ordinal)", "ordinal"),
    ],
)
def test_values_that_do_not_go_together_or_with_the_labels_are_refused(form: str, word: str) -> None:
    with pytest.raises(spanscope.MeasureError, match=word):
        spanscope.evaluate(typed("5A"), typed("5B"), form, ci=False)


def test_spans_are_no_segmentations() -> None:
    spans: list[Any] = [{"id": 1, "text": "abc", "spans": [{"start": 0, "end": 2, "label": "A"}]}]
    for name in NAMES:
        with pytest.raises(spanscope.SpanscopeError):
            spanscope.evaluate(spans, spans, name, ci=False)
