"""Laws that hold for every registered measure, with every value of its parameters.

A measure may say in its definition that it breaks a law (`breaks`), under which parameter and why; then the
test is that a known example really breaks it, so that nobody is excused for longer than needed.
"""

import copy
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.counts import merge
from spanscope.data.corpus import Corpus
from spanscope.measures.registry import Measure, parse
from tests.strategies import corpora, partitions
from tests.support import (
    KNOWN,
    NAMES,
    Json,
    assert_parses_back,
    compared,
    counted_rows,
    documents,
    figures_of,
    fragmented_corpora,
    measures_of,
    rows,
)

Sides = tuple[list[Json], list[Json]]
Keyed = Counter[tuple[str, str, tuple[tuple[str, int], ...]]]
Sums = Counter[tuple[str, str]]
LAWS = ("perfect", "order", "rename", "merge", "duplicate", "counts", "parse", "inputs")
FEW = spanscope.Ci(20)
every_measure = pytest.mark.parametrize("name", NAMES)
half_as_many = settings(max_examples=max(settings.default.max_examples // 2, 1))  # each runs all settings


def sides(gold: str, pred: str, text: str | None = None) -> Sides:
    return documents(gold, text=text), documents(pred, text=text)


def excused(measure: Measure, law: str) -> bool:
    """Say whether the definition says that it breaks the law under these parameters (`key=value: reason`)."""
    setting, colon, _ = measure.definition.breaks.get(law, "").partition(": ")
    key, _, value = setting.partition("=")
    return str(dict(measure.params)[key]) == value if colon else bool(setting)


def bound(name: str, law: str) -> list[Measure]:
    """Return the settings of a measure under which it must keep a law."""
    return [measure for measure in measures_of(name) if not excused(measure, law)]


def tables(corpus: Sides, measures: list[Measure]) -> dict[Measure, Keyed]:
    """Return for each measure the rows that are not all zero, by document name and label."""
    if not measures:
        return {}
    comparison = compared(*corpus)
    return counted_rows(comparison.names, {measure: measure(comparison).counts for measure in measures})


def close(one: float, other: float) -> bool:
    return (math.isnan(one) and math.isnan(other)) or math.isclose(one, other, rel_tol=1e-12)


# ---------------------------------------------------------------- perfect prediction is best


@every_measure
@half_as_many
@given(corpus=corpora() | fragmented_corpora())
@example(corpus=sides("A[3,3]", "", text="abcdef"))
def test_perfect_prediction_gives_every_defined_rate_its_best_value(name: str, corpus: Sides) -> None:
    gold = corpus[0]
    measures = bound(name, "perfect")
    best = {rate.name: rate.best for rate in KNOWN[name].rate_set.rates()}
    result = spanscope.evaluate(
        gold, copy.deepcopy(gold), measures, score=spanscope.Scoring(errors=False), ci=False
    )
    empty = {measure: nothing_to_find(result, measure) for measure in measures}
    for row in result.rows:
        nothing = empty[parse(row.measure)]
        if row.average == "document":
            undefined = not gold
        else:
            undefined = nothing["*"] if row.label is None else nothing[row.label]
        assert math.isnan(row.value) if undefined else row.value == best[row.rate], row


def nothing_to_find(result: spanscope.Result, measure: Measure) -> dict[str, bool]:
    """Say for each label, and for all of them (`*`), whether gold has anything that the measure counts."""
    counts = {label: any(row.values()) for label, row in result.counts(measure).items()}
    return {label: not some for label, some in counts.items()} | {"*": not any(counts.values())}


# ---------------------------------------------------------------- order is immaterial


@every_measure
@half_as_many
@given(corpus=corpora() | fragmented_corpora(), draw=st.data())
def test_order_of_documents_and_spans_is_immaterial(name: str, corpus: Sides, draw: st.DataObject) -> None:
    measures = bound(name, "order")
    other = [
        [{**doc, "spans": draw.draw(st.permutations(doc["spans"]))} for doc in draw.draw(st.permutations(side))]
        for side in corpus
    ]
    assert tables(corpus, measures) == tables((other[0], other[1]), measures)


@every_measure
@half_as_many
@given(corpus=corpora(), draw=st.data())
def test_order_of_the_input_moves_no_rate_and_no_verdict(name: str, corpus: Sides, draw: st.DataObject) -> None:
    if excused(parse(name), "order"):
        return
    one = spanscope.evaluate(*corpus, name, ci=False)
    other = spanscope.evaluate(
        draw.draw(st.permutations(corpus[0])),
        [{**doc, "spans": doc["spans"][::-1]} for doc in corpus[1]],
        name,
        ci=False,
    )
    found = figures_of(other)
    assert all(close(value, found[key]) for key, value in figures_of(one).items())
    assert Counter(map(repr, one.matches())) == Counter(map(repr, other.matches()))


# Both predictions reach from 0 to 10 and have IoU 2/5 with A[0,4]; only the second overlaps A[2,3] (1/3).
SAME_HULL = sides("A[0,4] A[2,3]", "A[0,2]+[9,10] A[0,1]+[2,3]+[9,10]")


@pytest.mark.parametrize("name", [name for name in NAMES if "text" not in KNOWN[name].needs])
def test_order_of_spans_that_differ_only_in_their_gaps_is_immaterial(name: str) -> None:
    measures = bound(name, "order")
    if name == "spans.iou":
        measures.append(parse("spans.iou(threshold=0.3)"))
    assert tables(SAME_HULL, measures) == tables(reversed_spans(SAME_HULL), measures)


# ---------------------------------------------------------------- renaming labels renames rows


def renamed(corpus: Sides, names: dict[str, str]) -> Sides:
    gold, pred = (
        [{**doc, "spans": [{**span, "label": names[span["label"]]} for span in doc["spans"]]} for doc in side]
        for side in corpus
    )
    return gold, pred


# Two predictions at one place tie for X[2,5]; which of them is left over decides what happens to B[4,8].
TIED = sides("X[2,5] X[0,4] B[4,8]", "A[2,6] B[2,6] Z[0,1]", text="abcdefgh")
# The same with two predictions that differ in their gaps; only the second overlaps X[2,3].
TIED_BY_HULL = sides("X[0,4] X[2,3]", "A[0,2]+[9,10] B[0,1]+[2,3]+[9,10]", text="abcdefghij")
SWAPPED = {"A": "B", "B": "A", "C": "C", "X": "X", "Z": "Z"}


@every_measure
@half_as_many
@given(corpus=corpora(), names=st.permutations(["A", "B", "C"]) | st.just(["ü", "A", " "]))
@example(corpus=TIED, names=["B", "A", "C"])
@example(corpus=TIED_BY_HULL, names=["B", "A", "C"])
def test_renaming_labels_renames_rows(name: str, corpus: Sides, names: list[str]) -> None:
    measures = bound(name, "rename")
    table = SWAPPED | dict(zip("ABC", names, strict=True))
    after = tables(renamed(corpus, table), measures)
    for measure, before in tables(corpus, measures).items():
        wanted = Counter((doc, table.get(label, label), row) for doc, label, row in before.elements())
        assert after[measure] == wanted, str(measure)


@every_measure
@half_as_many
@given(corpus=corpora())
@example(corpus=TIED)
def test_new_names_in_the_same_order_rename_rows_under_every_setting(name: str, corpus: Sides) -> None:
    table = {label: f"{label.lower()}'s" for label in "ABCXZ"}
    after = tables(renamed(corpus, table), measures_of(name))
    for measure, before in tables(corpus, measures_of(name)).items():
        wanted = Counter((doc, table.get(label, label), row) for doc, label, row in before.elements())
        assert after[measure] == wanted, str(measure)


@every_measure
def test_the_order_in_which_labels_are_asked_for_is_immaterial(name: str) -> None:
    for measure in bound(name, "order"):
        one, other = (
            spanscope.evaluate(
                *TIED, measure, labels=labels, score=spanscope.Scoring(errors=False), ci=False
            ).counts()
            for labels in (["A", "B", "X", "Z"], ["B", "A", "Z", "X"])
        )
        assert one == other, str(measure)


# ---------------------------------------------------------------- merging any split equals the whole


@every_measure
@half_as_many
@given(corpus=corpora() | fragmented_corpora(), size=st.integers(1, 3))
def test_merging_batches_equals_the_whole(name: str, corpus: Sides, size: int) -> None:
    whole = compared(*corpus)
    batches = list(whole.batches(size))
    for measure in bound(name, "merge"):
        parts = [measure(batch).counts for batch in batches]
        assert rows(merge(parts)) == rows(measure(whole).counts), str(measure)
        assert merge(parts).documents == whole.documents


@every_measure
@half_as_many
@given(corpus=corpora(), draw=st.data())
def test_counts_of_any_partition_add_up_to_those_of_the_whole(
    name: str, corpus: Sides, draw: st.DataObject
) -> None:
    measures = bound(name, "merge")
    pairs = list(zip(*corpus, strict=True))
    total: dict[Measure, Sums] = {measure: Counter() for measure in measures}
    for part in draw.draw(partitions(pairs)):
        for measure, found in tables(([g for g, _ in part], [p for _, p in part]), measures).items():
            total[measure] += summed(found)
    for measure, found in tables(corpus, measures).items():
        assert total[measure] == summed(found), str(measure)


def summed(found: Keyed) -> Sums:
    """Return the sums by label and column of rows."""
    out: Sums = Counter()
    for (_, label, row), times in found.items():
        out.update({(label, column): n * times for column, n in row})
    return +out


@every_measure
@half_as_many
@given(corpus=corpora(), draw=st.data())
def test_documents_are_scored_apart_from_each_other(name: str, corpus: Sides, draw: st.DataObject) -> None:
    if not corpus[0]:
        return
    row = draw.draw(st.integers(0, len(corpus[0]) - 1))
    alone = tables(([corpus[0][row]], [corpus[1][row]]), measures_of(name))
    for measure, found in tables(corpus, measures_of(name)).items():
        mine = Counter({key: n for key, n in found.items() if key[0] == corpus[0][row]["id"]})
        assert mine == alone[measure], str(measure)


# ---------------------------------------------------------------- duplicating every document


@every_measure
@half_as_many
@given(corpus=corpora(), times=st.integers(2, 3))
def test_repeating_every_document_leaves_rates_alone(name: str, corpus: Sides, times: int) -> None:
    measures = bound(name, "duplicate")
    again = [[{**doc, "id": f"{doc['id']}/{copy}"} for copy in range(times) for doc in side] for side in corpus]
    once = spanscope.evaluate(*corpus, measures, score=spanscope.Scoring(beta=2, errors=False), ci=False)
    more = figures_of(
        spanscope.evaluate(*again, measures, score=spanscope.Scoring(beta=2, errors=False), ci=False)
    )
    for key, value in figures_of(once).items():
        assert close(value, more[key]), key


# ---------------------------------------------------------------- counts, text form, inputs


@every_measure
@half_as_many
@given(corpus=corpora())
def test_counts_are_whole_numbers_not_negative_and_find_no_more_than_there_is(name: str, corpus: Sides) -> None:
    comparison = compared(*corpus)
    for measure in bound(name, "counts"):
        counts = measure(comparison).counts
        assert counts.values.dtype == np.int64
        assert (counts.values >= 0).all(), str(measure)
        assert len(set(zip(counts.doc.tolist(), counts.label.tolist(), strict=True))) == len(counts.doc)
        if "tp" in counts.columns:
            limit = np.minimum(counts.column("pred"), counts.column("gold"))
            assert (counts.column("tp") <= limit).all(), str(measure)


@every_measure
@half_as_many
@given(share=st.floats(0, 1))
def test_the_text_form_parses_back(name: str, share: float) -> None:
    numbers = {"threshold": (share, 0, 1), "iou_weight": (share,)}
    for measure in measures_of(name, numbers):
        assert_parses_back(measure)


@every_measure
@half_as_many
@given(corpus=corpora())
def test_inputs_are_not_written_to(name: str, corpus: Sides) -> None:
    before = copy.deepcopy(corpus)
    list(spanscope.evaluate(*corpus, measures_of(name), ci=False).matches())
    assert corpus == before
    read = [spanscope.read(side) for side in corpus]
    columns = [contents(one) for one in read]
    spanscope.evaluate(*read, measures_of(name), ci=FEW)  # intervals read what was counted, too
    assert [contents(one) for one in read] == columns


def contents(corpus: Corpus) -> list[Any]:
    spans = corpus.spans
    columns = (spans.doc, spans.start, spans.end, spans.label, spans.position, spans.text, corpus.texts)
    lists = [None if column is None else column.tolist() for column in columns]
    return [corpus.ids, corpus.labels, [str(problem) for problem in corpus.problems], *lists]


@every_measure
@half_as_many
@given(corpus=corpora())
def test_a_measure_gives_the_same_alone_and_beside_others(name: str, corpus: Sides) -> None:
    beside = compared(*corpus)
    for other in NAMES:
        parse(other)(beside)
    for measure in measures_of(name, {"threshold": (0.5,)}):
        assert rows(measure(beside).counts) == rows(measure(compared(*corpus)).counts), str(measure)


# ---------------------------------------------------------------- laws that are broken on purpose


def reversed_spans(corpus: Sides) -> Sides:
    gold, pred = ([{**doc, "spans": doc["spans"][::-1]} for doc in side] for side in corpus)
    return gold, pred


def order_matters(form: str, corpus: Sides) -> bool:
    measures = [parse(form)]
    return tables(corpus, measures) != tables(reversed_spans(corpus), measures)


def perfect_is_not_best(form: str, corpus: Sides) -> bool:
    return spanscope.evaluate(corpus[0], corpus[0], form, ci=False).value("f1") != 1.0


BROKEN: dict[tuple[str, str], tuple[Callable[[str, Sides], bool], str, Sides]] = {
    # A[2,6] scores the same with both golds. Given A[0,4] it leaves nothing for A[3,4]; given A[4,8] it does.
    ("spans.relaxed", "order"): (
        order_matters,
        "spans.relaxed(rules=reqflow, threshold=0.3)",
        sides("A[0,4] A[4,8]", "A[2,6] A[3,4]", text="aaaaaaaa"),
    ),
    # ReqFlow scores a span without characters 0, even against itself.
    ("spans.relaxed", "perfect"): (
        perfect_is_not_best,
        "spans.relaxed(rules=reqflow)",
        sides("A[3,3]", "A[3,3]", text="abcdef"),
    ),
    # The first prediction takes the gold span that the second one has exactly.
    ("spans.semeval", "order"): (
        order_matters,
        "spans.semeval(matching=nervaluate)",
        sides("A[5,9]", "A[4,9] A[5,9]"),
    ),
}
DECLARED = [(name, law) for name in NAMES for law in KNOWN[name].breaks]


@pytest.mark.parametrize(("name", "law"), DECLARED)
def test_a_law_said_to_be_broken_is_broken(name: str, law: str) -> None:
    assert law in LAWS
    assert (name, law) in BROKEN, f"give an example that shows how {name} breaks the law {law!r}"
    breaks, form, corpus = BROKEN[name, law]
    assert excused(parse(form), law), "the example is not among the settings said to break the law"
    assert breaks(form, corpus)


@pytest.mark.parametrize(("name", "law"), DECLARED)
def test_a_broken_law_has_a_reason_and_says_under_which_parameter(name: str, law: str) -> None:
    setting, colon, reason = KNOWN[name].breaks[law].partition(": ")
    if not colon:
        assert setting, "a reason alone excuses every setting"
        return
    key, _, value = setting.partition("=")
    assert reason
    assert str(dict(parse(name).replace(**{key: value}).params)[key]) == value
    assert bound(name, law), "no setting keeps the law: leave the parameter out"


def test_laws_are_broken_only_where_that_is_said() -> None:
    for (_, law), (breaks, form, corpus) in BROKEN.items():
        assert breaks(form, corpus) == excused(parse(form), law), (form, law)
