"""Every segment measure, with every value of its parameters, against its definition in plain Python."""

import inspect
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.measures.registry import parse
from spanscope.settings.options import grouped
from tests.segment_strategies import NUMBERS, Corpus, corpora, listed_corpora, typed_corpora
from tests.segment_support import NAMES, OWN, TYPED, combinations, same
from tests.support import KNOWN, Json
from tests.twins import rt_seg, segment_edits, segment_structure, segments
from tests.twins.segments import Doc, Figures

TWINS: dict[str, Callable[..., Figures]] = {
    f"segments.{function.__name__}": function
    for function in (
        segments.b_score,
        segments.soft,
        segments.displacement,
        segments.bias,
        segments.boundaries,
        segments.cover,
        segments.density_jsd,
        segments.pk,
        segments.window_diff,
        segments.win_pr,
        segment_structure.overlap,
        segment_structure.purity,
        segment_structure.pairs,
        segment_structure.clusters,
        segment_structure.ami,
        segment_edits.ghd,
        segment_edits.edit_distance,
        segment_edits.agreement,
        rt_seg.rt_seg,
    )
}
# Values at which something changes: nothing, a little, more than the longest text; and where sums tie.
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "tolerance": st.sampled_from([0, 1, 2, 3, 10, 1000]),
    "sigma": st.sampled_from([0.25, 1.0, 5.0, 1000.0]),
    "bins": st.sampled_from([1, 2, 3, 7, 20, 100]),
    "window": st.sampled_from([0, 0, 1, 2, 3, 7, 39, 40, 1000]),
    "slack": st.sampled_from([0, 2, 10]),
    "n_t": st.sampled_from([1, 2, 3, 5, 10]),
    "insert": st.sampled_from([0.0, 0.5, 2.0, 3.0]),
    "delete": st.sampled_from([0.0, 1.5, 2.0]),
    "shift": st.sampled_from([0.0, 0.25, 1.0, 5.0]),
}
# The columns that the definitions name; other sums may be kept in any way.
COLUMNS = {
    "segments.b_score": ("near_pred", "near_gold", "pred", "gold"),
    "segments.soft": ("pred", "gold"),
    "segments.displacement": ("infinite",),
    "segments.boundaries": ("tp", "pred", "gold"),
    "segments.win_pr": ("tp", "pred", "gold"),
    "segments.edit_distance": (
        *("additions", "transpositions", "transposed", "substitutions", "substituted", "matches", "gaps"),
        *("pred", "gold"),
    ),
}


def settings_drawn(draw: st.DataObject, name: str, **fixed: tuple[Any, ...]) -> list[Json]:
    """Return every combination of the named values, with drawn numbers; `fixed` leaves only some values."""
    numbers = {key: (draw.draw(VALUES[key], key),) for key in KNOWN[name].parameters if key in VALUES}
    limits = {key: values for key, values in fixed.items() if key in KNOWN[name].parameters}
    every = combinations(name, numbers)
    return [params for params in every if all(params[key] in values for key, values in limits.items())]


def check(name: str, docs: list[Any], sides: Any, every: list[Json], **options: Any) -> None:
    """Run a measure with all the settings at once, and compare averages, undefined ones, and every document."""
    measures = [parse(name).replace(**params) for params in every]
    result = spanscope.evaluate(*sides, measures, **grouped({"ci": False, "errors": False, **options}))
    for params, measure in zip(every, measures, strict=True):
        wanted = TWINS[name](docs, **params)
        rows = {(row.rate, row.average): row for row in result.rows if row.measure == str(measure)}
        for rate, value in wanted.document.items():
            assert same(result.value(rate, measure, average="micro"), wanted.micro[rate]), (str(measure), rate)
            assert same(result.value(rate, measure, average="document"), value), (str(measure), rate)
            left_out = sum(math.isnan(one[rate]) for one in wanted.each)
            assert rows[rate, "document"].undefined == left_out, (str(measure), rate)
        records = list(result.by_document(measure))
        assert len(records) == len(docs)
        for number, record in enumerate(records):
            for rate, value in wanted.each[number].items():
                finite = value if math.isfinite(value) else None  # as records have it
                assert same(record[rate], finite), (str(measure), rate, number)
            if wanted.counts and wanted.counts[number]:
                counts = {column: wanted.counts[number].get(column, 0) for column in COLUMNS.get(name, ())}
                assert {column: record[column] for column in counts} == pytest.approx(counts), str(measure)


@pytest.mark.parametrize("name", NAMES)
def test_every_measure_has_a_twin_with_the_same_parameters_and_defaults(name: str) -> None:
    assert name in TWINS, f"{name} has no twin in tests/twins"
    options = list(inspect.signature(TWINS[name]).parameters.values())[1:]
    own = {key: one.default for key, one in KNOWN[name].parameters.items()}
    assert {one.name: one.default for one in options} == own


@pytest.mark.parametrize("name", NAMES)
def test_every_measure_has_the_rates_of_its_twin_with_the_same_best_values(name: str) -> None:
    best = {rate.name: rate.best for rate in KNOWN[name].rate_set.rates()}
    assert set(TWINS[name]([]).micro) == set(best)
    if name in OWN:
        (perfect,) = TWINS[name]([Doc(7, frozenset(), frozenset())]).each
        assert perfect == pytest.approx(best, nan_ok=True)


@pytest.mark.parametrize("name", OWN)
@given(corpus=corpora(), draw=st.data())
def test_a_measure_gives_what_its_twin_gives(name: str, corpus: Corpus, draw: st.DataObject) -> None:
    check(name, corpus.docs, corpus.sides, settings_drawn(draw, name, types=("none", "nominal")))


@pytest.mark.parametrize("name", OWN)
@given(corpus=typed_corpora(), draw=st.data())
def test_a_measure_gives_what_its_twin_gives_where_boundaries_have_types(
    name: str, corpus: Corpus, draw: st.DataObject
) -> None:
    if name not in TYPED:  # sees places only; the same figures as above, on several boundaries at a place
        params = settings_drawn(draw, name)[:1]
    else:
        params = settings_drawn(draw, name, types=("none", "nominal"))
    check(name, corpus.docs, corpus.sides, params)


@pytest.mark.parametrize("name", ["segments.edit_distance", "segments.agreement"])
@given(corpus=typed_corpora(NUMBERS), draw=st.data())
def test_types_that_are_numbers_are_substituted_as_in_the_twin(
    name: str, corpus: Corpus, draw: st.DataObject
) -> None:
    check(name, corpus.docs, corpus.sides, settings_drawn(draw, name, types=("nominal", "ordinal")))


@given(corpus=typed_corpora(), tolerance=VALUES["tolerance"])
def test_boundaries_of_each_label_are_the_twins_of_that_label_alone(corpus: Corpus, tolerance: int) -> None:
    form = f"segments.boundaries(tolerance={tolerance}, labelled=true)"
    result = spanscope.evaluate(*corpus.sides, form, ci=False)
    labels = sorted({label for doc in corpus.docs for label in doc.types()})
    for label in labels:
        alone = [
            Doc(doc.n, *(frozenset(b for b in side if b[1] == label) for side in (doc.gold, doc.pred)))
            for doc in corpus.docs
        ]
        wanted = segments.boundaries(alone, tolerance=tolerance).micro
        assert all(same(result.value(rate, label=label), value) for rate, value in wanted.items()), label


@settings(max_examples=50)
@given(corpus=corpora(), draw=st.data())
def test_optimal_edits_cost_no_more_than_those_in_order(corpus: Corpus, draw: st.DataObject) -> None:
    n_t = draw.draw(VALUES["n_t"])
    for costs in ("scaled", "unit"):
        forms = [
            f"segments.edit_distance(n_t={n_t}, costs={costs}, edits={edits})" for edits in ("optimal", "greedy")
        ]
        result = spanscope.evaluate(*corpus.sides, forms, ci=False)
        for one, other in zip(*map(result.by_document, forms), strict=True):
            assert one["s"] >= other["s"] - 1e-12


# ---------------------------------------------------------------- RT-SEG


@given(corpus=corpora(), draw=st.data())
def test_rt_seg_gives_what_its_twin_gives(corpus: Corpus, draw: st.DataObject) -> None:
    docs = [
        rt_seg.Listed(
            doc.n, *([(p.start, p.stop) for p in segment_structure.pieces(doc.n, x)] for x in (doc.r, doc.h))
        )
        for doc in corpus.docs
    ]
    check("segments.rt_seg", docs, corpus.sides, settings_drawn(draw, "segments.rt_seg"))


@settings(max_examples=100)
@given(corpus=listed_corpora(), draw=st.data())
def test_rt_seg_gives_what_its_twin_gives_on_spans_in_any_state(corpus: Any, draw: st.DataObject) -> None:
    docs, *sides = corpus
    check("segments.rt_seg", docs, sides, settings_drawn(draw, "segments.rt_seg"), protocol="rt-seg")


def test_no_boundary_moves_into_another_document_however_far_moves_may_go() -> None:
    """One boundary too many in the first text, one too few in the second: two additions, and nothing has moved."""
    whole, halves = [[0, 2]], [[0, 1], [1, 2]]
    gold = [{"id": 1, "text": "aa", "segments": whole}, {"id": 2, "text": "aa", "segments": halves}]
    pred = [{"id": 1, "text": "aa", "segments": halves}, {"id": 2, "text": "aa", "segments": whole}]
    for n_t in (2, 10, 1000):
        form = f"segments.edit_distance(n_t={n_t})"
        found = spanscope.evaluate(gold, pred, form, ci=False).totals()
        assert (found["additions"], found["transpositions"]) == (2, 0), form
