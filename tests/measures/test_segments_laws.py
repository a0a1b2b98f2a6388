"""Laws that hold for every segment measure, with every value of its parameters.

As in test_laws.py: a measure may say that it breaks a law, and then an example has to show it.
"""

import copy
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import spanscope
from spanscope.counts import merge
from spanscope.measures.registry import Measure, parse
from spanscope.settings.options import grouped
from tests.segment_strategies import NUMBERS, Corpus, corpora, typed_corpora
from tests.segment_support import NAMES, cut, measures_of, same
from tests.support import KNOWN, Json, assert_parses_back, watched

Sides = tuple[list[Json], list[Json]]
LAWS = ("perfect", "order", "rename", "merge", "duplicate", "counts", "parse", "inputs")
GROUPS: dict[str, list[str]] = {}  # measures that are defined beside each other
for one in NAMES:
    GROUPS.setdefault(KNOWN[one].function.__module__.rpartition(".")[2], []).append(one)
BEST = {(name, rate.name): rate.best for name in NAMES for rate in KNOWN[name].rate_set.rates()}
every_measure = pytest.mark.parametrize("group", GROUPS)
half_as_many = settings(max_examples=max(settings.default.max_examples // 2, 1))
# Figures that may be below 0, whose sums are kept: the difference of two counts, and what is adjusted for chance.
SIGNED = {("segments.bias", "more"), ("segments.rt_seg", "Segmentation_Bias")}
SIGNED |= {("segments.clusters", "ari"), ("segments.ami", "ami")}
# Where even a perfect prediction has no value: no window or no pair of units, or nothing left to chance.
UNDEFINED = ("segments.pk", "segments.window_diff", "segments.win_pr", "segments.pairs", "segments.agreement")


def corpora_of(group: str, **options: Any) -> SearchStrategy[Corpus]:
    """Draw corpora that every setting of the measures can score: types=ordinal asks for numbers."""
    ordinal = any("types" in KNOWN[name].parameters for name in GROUPS[group])
    return typed_corpora(NUMBERS, **options) if ordinal else corpora(**options) | typed_corpora(**options)


def excused(measure: Measure, law: str) -> bool:
    """Say whether the definition says that it breaks the law under these parameters (`key=value: reason`)."""
    setting, colon, _ = measure.definition.breaks.get(law, "").partition(": ")
    key, _, value = setting.partition("=")
    return str(dict(measure.params)[key]) == value if colon else bool(setting)


@st.composite
def bound(draw: st.DrawFn, group: str, law: str = "") -> list[Measure]:
    """Draw some measures, under settings under which they must keep a law."""
    names = draw(st.permutations(GROUPS[group]))
    every = [[m for m in measures_of(name) if not excused(m, law)] for name in names]
    return [draw(st.sampled_from(own)) for own in every if own for _ in range(2 if len(own) > 3 else 1)]


def evaluated(sides: Sides, measures: list[Measure], **options: Any) -> spanscope.Result:
    settings = {"ci": False, "errors": False, **options}
    return spanscope.evaluate(*sides, measures, **grouped(settings))


def rates(result: spanscope.Result) -> dict[tuple[str, ...], float]:
    return {(row.measure, row.rate, row.average, str(row.label)): row.value for row in result.rows}


def records(result: spanscope.Result) -> dict[tuple[str, str], Json]:
    """Return the record of every measure and document."""
    return {(str(m), record["document"]): record for m in result.measures for record in result.by_document(m)}


def alike(one: dict[Any, Any], other: dict[Any, Any]) -> None:
    assert set(one) == set(other)
    for key, value in one.items():
        if isinstance(value, dict):
            alike(value, other[key])
        else:
            assert value == other[key] if isinstance(value, str) else same(value, other[key], 1e-12), key


# ---------------------------------------------------------------- perfect prediction is best


@every_measure
@half_as_many
@given(draw=st.data())
def test_perfect_prediction_gives_every_defined_rate_its_best_value(group: str, draw: st.DataObject) -> None:
    gold, measures = draw.draw(corpora_of(group)).gold, draw.draw(bound(group, "perfect"))
    for row in evaluated((gold, copy.deepcopy(gold)), measures).rows if measures else ():
        name = row.measure.partition("(")[0]
        best = BEST[name, row.rate]
        assert math.isnan(best) or math.isnan(row.value) or same(row.value, best, 1e-12), row
        if gold and name not in UNDEFINED and row.average == "document" and not math.isnan(best):
            assert not math.isnan(row.value), row


@every_measure
@given(draw=st.data())
def test_no_prediction_is_better_than_the_best(group: str, draw: st.DataObject) -> None:
    sides, measures = draw.draw(corpora_of(group)).sides, draw.draw(bound(group, "perfect"))
    for row in evaluated(sides, measures).rows if measures else ():
        best = BEST[row.measure.partition("(")[0], row.rate]
        if row.rate != "bias" and not math.isnan(row.value):  # which is above and below 0
            assert row.value <= 1 + 1e-12 if best == 1 else row.value >= -1e-12, row


# ---------------------------------------------------------------- order is immaterial


@st.composite
def shuffled(draw: st.DrawFn, side: list[Json]) -> list[Json]:
    """Draw another order of the documents, and of the segments of each."""
    out = []
    for doc in draw(st.permutations(side)):
        own = doc.get("segments")
        if isinstance(own, list):
            own = draw(st.permutations(own))
        elif own is not None:
            own = {level: draw(st.permutations(segments)) for level, segments in own.items()}
        out.append(doc if own is None else {**doc, "segments": own})
    return out


@every_measure
@half_as_many
@given(draw=st.data())
def test_order_of_documents_and_segments_is_immaterial(group: str, draw: st.DataObject) -> None:
    sides, measures = draw.draw(corpora_of(group)).sides, draw.draw(bound(group, "order"))
    if not measures:
        return
    other = [draw.draw(shuffled(side)) for side in sides]
    one = evaluated(sides, measures)
    found = evaluated((other[0], other[1]), measures, normalise=True)
    alike(rates(one), rates(found))
    alike(records(one), records(found))


@every_measure
@given(draw=st.data())
def test_order_of_documents_is_immaterial_under_every_setting(group: str, draw: st.DataObject) -> None:
    (gold, pred), measures = draw.draw(corpora_of(group)).sides, draw.draw(bound(group))
    one, other = evaluated((gold, pred), measures), evaluated((gold[::-1], pred), measures)
    alike(records(one), records(other))


# ---------------------------------------------------------------- labels


def renamed(side: list[Json], names: dict[str, str]) -> list[Json]:
    """Give labels other names."""

    def segment(one: Any) -> Any:
        if isinstance(one, dict):
            return {**one, **({"label": names[one["label"]]} if "label" in one else {})}
        return [*one[:2], *(names[label] for label in one[2:])]

    out = []
    for doc in side:
        forms = {key: doc[key] for key in ("segments", "boundaries", "masses") if key in doc}
        for key, form in forms.items():
            if isinstance(form, dict):
                forms[key] = {names[level]: own for level, own in form.items()}
            elif key == "segments":
                forms[key] = [segment(one) for one in form]
        out.append({**doc, **forms})
    return out


@every_measure
@half_as_many
@given(draw=st.data(), names=st.permutations(["1", "2", "5"]) | st.just(["ü", "1", " "]))
def test_renaming_labels_renames_rows(group: str, draw: st.DataObject, names: list[str]) -> None:
    measures = draw.draw(bound(group, "rename"))
    table = dict(zip(["1", "2", "5"], names, strict=True))
    gold, pred = draw.draw(typed_corpora(NUMBERS)).sides
    one, other = (
        evaluated((gold, pred), measures),
        evaluated((renamed(gold, table), renamed(pred, table)), measures),
    )
    for (form, rate, average, label), value in rates(one).items():
        assert same(value, rates(other)[form, rate, average, table.get(label, label)], 1e-12), (form, rate, label)


# ---------------------------------------------------------------- merging any split equals the whole


def table_of(counts: Any) -> dict[Any, float]:
    """Return the numbers of all rows that are not all zero, by document, label and column."""
    rows = zip(counts.doc.tolist(), counts.label.tolist(), counts.values.T.tolist(), strict=True)
    named = (
        (doc, label, dict(zip(counts.columns, values, strict=True))) for doc, label, values in rows if any(values)
    )
    return {(doc, label, column): float(n) for doc, label, own in named for column, n in own.items()}


@every_measure
@half_as_many
@given(draw=st.data(), size=st.integers(1, 3))
def test_merging_batches_equals_the_whole(group: str, draw: st.DataObject, size: int) -> None:
    measures = draw.draw(bound(group, "merge"))
    result = evaluated(draw.draw(corpora_of(group)).sides, measures)
    measures = list(result.measures)  # each once
    batches = list(result.comparison.batches(size))
    for measure, whole in zip(measures, result.tables, strict=True):
        merged = merge([measure(batch).counts for batch in batches])
        alike(table_of(merged), table_of(whole))
        assert merged.documents == whole.documents


@every_measure
@half_as_many
@given(draw=st.data())
def test_documents_are_scored_apart_from_each_other(group: str, draw: st.DataObject) -> None:
    corpus, measures = draw.draw(corpora_of(group, least=1)), draw.draw(bound(group))
    row = draw.draw(st.integers(0, len(corpus.docs) - 1))
    alone = records(evaluated(([corpus.gold[row]], [corpus.pred[row]]), measures))
    whole = records(evaluated(corpus.sides, measures))
    alike(alone, {key: record for key, record in whole.items() if key[1] == corpus.gold[row]["id"]})


@every_measure
@half_as_many
@given(draw=st.data(), times=st.integers(2, 3))
def test_repeating_every_document_leaves_rates_alone(group: str, draw: st.DataObject, times: int) -> None:
    (gold, pred), measures = draw.draw(corpora_of(group)).sides, draw.draw(bound(group, "duplicate"))
    again = [[{**doc, "id": f"{doc['id']}/{n}"} for n in range(times) for doc in side] for side in (gold, pred)]
    alike(rates(evaluated((gold, pred), measures)), rates(evaluated((again[0], again[1]), measures)))


# ---------------------------------------------------------------- counts, text form, inputs


@every_measure
@half_as_many
@given(draw=st.data())
def test_counts_are_finite_not_negative_and_find_no_more_than_there_is(group: str, draw: st.DataObject) -> None:
    sides, measures = draw.draw(corpora_of(group)).sides, draw.draw(bound(group, "counts"))
    result = evaluated(sides, measures)
    for measure, table in zip(result.measures, result.tables, strict=True):
        for column in table.columns:
            values = table.column(column)
            assert all(map(math.isfinite, values.tolist())), column
            assert (measure.name, column) in SIGNED or (values >= -1e-12).all(), column
        if "tp" in table.columns:
            assert (table.column("tp") <= table.column("pred")).all()
            assert (table.column("tp") <= table.column("gold")).all()


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=5)
@given(number=st.integers(1, 1000), share=st.floats(0.001, 1000))
def test_the_text_form_parses_back(name: str, number: int, share: float) -> None:
    whole = dict.fromkeys(("tolerance", "bins", "window", "n_t", "slack"), (number,))
    for measure in measures_of(name, {**whole, **dict.fromkeys(("sigma", "insert", "delete", "shift"), (share,))}):
        assert_parses_back(measure)


@every_measure
@half_as_many
@given(draw=st.data())
def test_inputs_are_not_written_to(group: str, draw: st.DataObject) -> None:
    sides, measures = draw.draw(corpora_of(group)).sides, draw.draw(bound(group))
    shuffled_sides = tuple(draw.draw(shuffled(side)) for side in sides)
    before = copy.deepcopy((sides, shuffled_sides))
    evaluated(sides, measures, ci=spanscope.Ci(20))  # intervals read what was counted, too
    evaluated(shuffled_sides, measures, normalise=True)  # type: ignore[arg-type]
    assert (sides, shuffled_sides) == before


@every_measure
@half_as_many
@given(corpus=typed_corpora(NUMBERS), draw=st.data())
def test_a_measure_gives_the_same_alone_and_beside_others(group: str, corpus: Corpus, draw: st.DataObject) -> None:
    measures = draw.draw(bound(group))
    beside = evaluated(corpus.sides, [*map(parse, NAMES), *measures])
    alone = {key: value for m in measures for key, value in rates(evaluated(corpus.sides, [m])).items()}
    alike({key: value for key, value in rates(beside).items() if key in alone}, alone)


# ---------------------------------------------------------------- cost follows the boundaries, not the text


GOLD, PRED = (
    list(range(50, 2000, 50)),
    [place + (-1) ** place * (place // 50 % 4) for place in range(50, 2000, 100)],
)
SHORT, LONG = 2_000, 20_000_000
LONGER: dict[str, Callable[[int], int]] = {
    "the same places": lambda place: place,
    "places as far apart as the text is longer": lambda place: place * (LONG // SHORT),
}


def work(name: str, n: int, at: Callable[[int], int]) -> dict[str, int]:
    sides = [{"id": 1, "length": n, "boundaries": {"1": [*map(at, places)]}} for places in (GOLD, PRED)]
    with watched() as seen:
        spanscope.evaluate([sides[0]], [sides[1]], measures_of(name), ci=False)
    return seen


@pytest.mark.parametrize("places", LONGER)
@pytest.mark.parametrize("name", [name for name in NAMES if name != "segments.ami"])  # whose cost is said to grow
def test_a_text_ten_thousand_times_as_long_with_as_many_boundaries_is_no_more_work(name: str, places: str) -> None:
    work(name, SHORT, int)  # whatever is loaded or made once
    short, long = work(name, SHORT, int), work(name, LONG, LONGER[places])
    assert long["lines"] <= 1.1 * short["lines"]
    assert long["bytes"] <= 1.1 * short["bytes"] + 20_000


# ---------------------------------------------------------------- laws that are broken on purpose


def order_matters(form: str) -> bool:
    doc: Json = {"id": "d", "length": 9, "segments": [[0, 3], [3, 6], [6, 9]]}
    other = {**doc, "segments": doc["segments"][::-1]}
    values = [rates(spanscope.evaluate([doc], [one], form, protocol="rt-seg", ci=False)) for one in (doc, other)]
    return any(not same(value, values[1][key]) for key, value in values[0].items())


def perfect_is_not_best(form: str) -> bool:
    gold = [cut(n=5, name="none"), cut(3, n=99, name="few"), cut(1, 2, 3, 5, 8, n=9, name="many")]
    best = {rate.name: rate.best for rate in parse(form).definition.rate_set.rates()}
    return any(not same(row.value, best[row.rate]) for row in spanscope.evaluate(gold, gold, form, ci=False).rows)


def names_matter(form: str) -> bool:
    gold, pred = ([{"id": "d", "length": 9, "segments": [[0, 3, label], [3, 9, "1"]]}] for label in "12")
    before = rates(spanscope.evaluate(gold, pred, form, ci=False))
    table = {"1": "1", "2": "5"}
    after = rates(spanscope.evaluate(renamed(gold, table), renamed(pred, table), form, ci=False))
    return any(not same(value, after[key]) for key, value in before.items())


BROKEN: dict[tuple[str, str], tuple[Callable[[str], bool], str]] = {
    # The boundaries 3 and 6 become 9 and 6, and the segments 1, 2, 3 are written 3, 2, 1.
    ("segments.rt_seg", "order"): (order_matters, "segments.rt_seg"),
    # A text without boundaries, cut just so, has F1 0 and an infinite displacement.
    ("segments.rt_seg", "perfect"): (perfect_is_not_best, "segments.rt_seg"),
    # One text has few boundaries, another many: the mean of their shares is not the share of all.
    ("segments.agreement", "perfect"): (perfect_is_not_best, "segments.agreement"),
    # 1 against 2 costs 1/2, 1 against 5 costs 4/5.
    ("segments.edit_distance", "rename"): (names_matter, "segments.edit_distance(types=ordinal)"),
    ("segments.agreement", "rename"): (names_matter, "segments.agreement(types=ordinal)"),
}
DECLARED = [(name, law) for name in NAMES for law in KNOWN[name].breaks]


@pytest.mark.parametrize(("name", "law"), DECLARED)
def test_a_law_said_to_be_broken_is_broken(name: str, law: str) -> None:
    assert law in LAWS
    assert (name, law) in BROKEN, f"give an example that shows how {name} breaks the law {law!r}"
    breaks, form = BROKEN[name, law]
    assert excused(parse(form), law), "the example is not among the settings said to break the law"
    assert breaks(form)


def test_laws_are_broken_only_where_that_is_said() -> None:
    for (_, law), (breaks, form) in BROKEN.items():
        assert breaks(form) == excused(parse(form), law), (form, law)
