"""Laws that hold for every token measure, with every value of its parameters.

As in test_laws.py: a measure may say that it breaks a law, and then an example has to show it.
"""

import copy
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.counts import merge
from spanscope.measures.registry import Measure, parse
from spanscope.settings.options import grouped
from tests.support import KNOWN, Json, Table, assert_parses_back, counted_rows, documents, figures_of, rows
from tests.token_strategies import WORDS, Corpus, characters, tagged
from tests.twins.tokens import Token, skipped

LAWS = ("perfect", "order", "rename", "merge", "duplicate", "counts", "parse", "inputs")
NAMES = sorted(name for name in KNOWN if name.startswith("tokens."))
GENERIC = ("", "PII")
SKIPS = ("none", "presidio")
THRESHOLDS = (0.0, 0.5, 0.75, 1.0)
NONE = "(none)"
every_measure = pytest.mark.parametrize("name", NAMES)
half_as_many = settings(max_examples=max(settings.default.max_examples // 2, 1))  # each runs all settings
either = tagged() | characters()


def measures_of(name: str, *, tokens: bool = True) -> list[Measure]:
    """Return a measure with every combination of its named values, of those that go together."""
    own = KNOWN[name].parameters
    values = {
        "threshold": THRESHOLDS,
        "unit": ("token", "character"),
        "counting": ("groups", "two_sided"),
        "skip_words": SKIPS,
        "generic": GENERIC,
    }
    every: list[Json] = [{}]
    for key in (key for key in values if key in own):
        every = [{**one, key: value} for one in every for value in values[key]]
    if name == "tokens.presidio":
        every = [one for one in every if (one["unit"], one["skip_words"]) != ("character", "presidio")]
    if not tokens:
        every = [one for one in every if one["skip_words"] == "none"]
    return [parse(name).replace(**params) for params in every]


WHOLE_TAGS = ("tokens.presidio_evaluator", "tokens.presidio_tokens")  # to these a tag is a type, prefix and all


def bound(name: str, law: str) -> list[Measure]:
    """Return the settings under which a measure must keep a law: all, or none where it says that it breaks it."""
    return [] if law in KNOWN[name].breaks else measures_of(name)


def bound_on(corpus: Corpus, name: str, law: str) -> list[Measure]:
    """Return the settings bound by a law on a corpus; of spans without tokens there is one measure."""
    return bound(name, law) if "scheme" in corpus.options else measures_of("tokens.presidio", tokens=False)


def evaluated(corpus: Corpus, measures: list[Measure], **options: Any) -> spanscope.Result:
    own = dict(corpus.options)
    if "scheme" in own and any(measure.name in WHOLE_TAGS for measure in measures):
        own["scheme"] = "IO"
    return spanscope.evaluate(*corpus.sides, measures, **grouped({"ci": False, "errors": False, **own, **options}))


def tables(corpus: Corpus, measures: list[Measure]) -> dict[Measure, Table]:
    if not measures:
        return {}
    comparison = evaluated(corpus, measures[:1]).comparison  # rates are not the point
    return counted_rows(comparison.names, {measure: measure(comparison).counts for measure in measures})


def alike(one: dict[Any, float], other: dict[Any, float]) -> bool:
    return set(one) == set(other) and all(
        (math.isnan(value) and math.isnan(other[key])) or math.isclose(value, other[key], rel_tol=1e-12)
        for key, value in one.items()
    )


def but(corpus: Corpus, gold: list[Json], pred: list[Json]) -> Corpus:
    return Corpus(gold, pred, corpus.docs, corpus.options)


# ---------------------------------------------------------------- spans are counted once on either side


@half_as_many
@given(corpus=either)
def test_every_span_counts_once_on_its_side(corpus: Corpus) -> None:
    """tp_gold + fn are the gold spans, tp_pred + fp the predicted ones or their groups, for types and for PII."""
    measures = measures_of("tokens.presidio", tokens="scheme" in corpus.options)
    result = evaluated(corpus, measures)
    sides = {
        side: Counter(span.label for doc in corpus.docs for span in getattr(doc, side))
        for side in ("gold", "pred")
    }
    for measure in measures:
        counts = result.counts(measure)
        for side, labels in sides.items():
            wanted = {**labels, "*": labels.total()} if counts else {}
            if side == "gold" or dict(measure.params)["counting"] == "two_sided":
                assert {label: row[side] for label, row in counts.items() if row[side]} == {
                    label: n for label, n in wanted.items() if n
                }
            assert all(0 <= row[side] <= wanted.get(label, 0) for label, row in counts.items()), str(measure)
            assert all(0 <= row[f"tp_{side}"] <= row[side] for row in counts.values()), str(measure)


@half_as_many
@given(corpus=either)
def test_a_group_that_is_right_is_a_gold_span_that_is_found(corpus: Corpus) -> None:
    measures = measures_of("tokens.presidio", tokens="scheme" in corpus.options)
    measures = [one for one in measures if "counting=groups" in str(one) and "generic=''" in str(one)]
    result = evaluated(corpus, measures)
    for measure in measures:
        assert all(row["tp_gold"] == row["tp_pred"] for row in result.counts(measure).values()), str(measure)


@given(corpus=characters())
def test_pieces_of_a_prediction_cost_nothing(corpus: Corpus) -> None:
    """Gold itself as predictions, and the same cut in two everywhere, count the same in groups."""
    gold = [{**doc, "spans": apart(doc["spans"])} for doc in corpus.gold]
    whole = copy.deepcopy(gold)
    pieces = [{**doc, "spans": cut(doc["spans"])} for doc in gold]
    measure = parse("tokens.presidio(threshold=1.0)")
    one, other = (evaluated(but(corpus, gold, side), [measure]).counts() for side in (whole, pieces))
    assert one == other


def apart(spans: list[Json]) -> list[Json]:
    """Return spans of one piece that share no character: the first, the next behind it, and so on."""
    out: list[Json] = []
    for span in sorted((one for one in spans if "start" in one), key=lambda one: (one["start"], one["end"])):
        if span["end"] > span["start"] >= (out[-1]["end"] if out else 0):
            out.append(span)
    return out


def cut(spans: list[Json]) -> list[Json]:
    out: list[Json] = []
    for span in apart(spans):
        middle = (span["start"] + span["end"]) // 2
        out += [{**span, "end": middle}] if middle > span["start"] else []
        out += [{**span, "start": middle}]
    return out


@given(corpus=either, draw=st.data())
def test_kinds_and_confusion_account_for_every_gold_span(corpus: Corpus, draw: st.DataObject) -> None:
    measure = draw.draw(st.sampled_from(measures_of("tokens.presidio", tokens="scheme" in corpus.options)))
    result = evaluated(corpus, [measure], errors=True)
    gold = Counter(span.label for doc in corpus.docs for span in doc.gold)
    n_pred = sum(len(doc.pred) for doc in corpus.docs)
    kinds = Counter(record["kind"] for record in result.matches())
    of_gold = Counter(record["gold"]["label"] for record in result.matches() if record["gold"])
    errors = {kind: row["count"] for kind, row in result.errors().items()}
    found = sum(row["tp_gold"] for label, row in result.counts().items() if label != "*")
    right = sum(row["tp_pred"] for label, row in result.counts().items() if label != "*")
    assert of_gold == gold
    assert kinds["correct"] == found
    assert {kind: n for kind, n in errors.items() if n} == {k: n for k, n in kinds.items() if k != "correct"}
    assert sum(n for kind, n in errors.items() if kind != "spurious") + found == gold.total()
    assert kinds["spurious"] <= n_pred - right
    confusion = result.confusion()
    assert {label: sum(row.values()) for label, row in confusion.items() if row and label != NONE} == gold
    assert sum(confusion[NONE].values()) <= n_pred - right


# ---------------------------------------------------------------- perfect prediction is best


def check_perfect(corpus: Corpus, measures: list[Measure]) -> None:
    gold = corpus.gold
    for row in evaluated(but(corpus, gold, copy.deepcopy(gold)), measures).rows if measures else ():
        best = {rate.name: rate.best for rate in parse(row.measure).definition.rate_set.rates()}
        assert math.isnan(row.value) or row.value == best[row.rate], row
        if row.average == "label" and row.measure.startswith("tokens.presidio("):
            assert row.value == 1.0, row  # a label is listed because gold has spans of it


@every_measure
@half_as_many
@given(corpus=tagged())
def test_perfect_prediction_gives_every_defined_rate_its_best_value(name: str, corpus: Corpus) -> None:
    check_perfect(corpus, bound(name, "perfect"))


@half_as_many
@given(corpus=characters())
def test_perfect_prediction_of_characters_is_best_whatever_nests_or_overlaps(corpus: Corpus) -> None:
    check_perfect(corpus, measures_of("tokens.presidio", tokens=False))


@pytest.mark.parametrize("spans", ["A[0,4] A[0,10]", "A[0,4] B[0,10]", "A[0,4] A[3,7]", "A[0,4] B[3,7] A[0,10]"])
def test_spans_that_nest_or_overlap_are_all_found_by_themselves(spans: str) -> None:
    gold = documents(spans, text="Main Street")
    counts = evaluated(Corpus(gold, gold, []), [parse("tokens.presidio")]).counts()
    number = len(spans.split())
    assert counts["*"] == {"tp_gold": number, "gold": number, "tp_pred": number, "pred": number}


def test_a_prediction_that_reaches_the_threshold_alone_counts_alone() -> None:
    """Together 10 of 30 characters; the first alone 9 of 10. The second helped nobody and is spurious."""
    text = "x" * 30
    corpus = Corpus(documents("A[0,10]", text=text), documents("A[0,9] A[9,30]", text=text), [])
    result = evaluated(corpus, [parse("tokens.presidio")], errors=True)
    want = {"tp_gold": 1, "gold": 1, "tp_pred": 1, "pred": 2}
    assert result.counts() == {"A": want, "*": want}
    told = [(one["kind"], one["pred"]["start"], one["score"]) for one in result.matches()]
    assert told == [("correct", 0, 0.9), ("spurious", 9, None)]
    assert result.confusion()[NONE] == {"A": 1}


# ---------------------------------------------------------------- order is immaterial


@every_measure
@half_as_many
@given(corpus=either, draw=st.data())
def test_order_of_documents_and_spans_is_immaterial(name: str, corpus: Corpus, draw: st.DataObject) -> None:
    tokens = "scheme" in corpus.options
    measures = bound_on(corpus, name, "order")
    other = [draw.draw(st.permutations(side)) for side in corpus.sides]
    if not tokens:
        other = [[{**doc, "spans": draw.draw(st.permutations(doc["spans"]))} for doc in side] for side in other]
    moved = but(corpus, other[0], other[1])
    assert tables(corpus, measures) == tables(moved, measures)
    one, two = (evaluated(each, measures[:1], errors=True) for each in (corpus, moved))
    assert Counter(map(repr, one.matches())) == Counter(map(repr, two.matches()))
    assert one.confusion() == two.confusion()


# ---------------------------------------------------------------- renaming labels renames rows


def tag(old: str, names: dict[str, str]) -> str:
    prefix, hyphen, label = old.rpartition("-")
    return f"{prefix}{hyphen}{names.get(label, label)}"


def renamed(corpus: Corpus, names: dict[str, str]) -> Corpus:
    """Return the corpus with other labels, in the same scheme."""

    def own(doc: Json) -> Json:
        if "tags" in doc:
            return {"tags": [tag(one, names) for one in doc["tags"]]}
        return {"spans": [{**one, "label": names.get(one["label"], one["label"])} for one in doc["spans"]]}

    gold, pred = ([{**doc, **own(doc)} for doc in side] for side in corpus.sides)
    return but(corpus, gold, pred)


@every_measure
@half_as_many
@given(corpus=either, names=st.permutations(["A", "B", "C"]) | st.just(["ü", "A", "b c"]))
def test_renaming_labels_renames_rows(name: str, corpus: Corpus, names: list[str]) -> None:
    measures = bound_on(corpus, name, "rename")
    table = dict(zip("ABC", names, strict=True))
    after = tables(renamed(corpus, table), measures)
    for measure, before in tables(corpus, measures).items():
        wanted = Counter((doc, tag(label, table), row) for doc, label, row in before.elements())
        assert after[measure] == wanted, str(measure)


# ---------------------------------------------------------------- parts and the whole


@every_measure
@half_as_many
@given(corpus=either, size=st.integers(1, 3))
def test_merging_batches_equals_the_whole(name: str, corpus: Corpus, size: int) -> None:
    measures = bound_on(corpus, name, "merge")
    whole = evaluated(corpus, measures).comparison
    batches = list(whole.batches(size))
    for measure in measures:
        parts = [measure(batch).counts for batch in batches]
        assert rows(merge(parts)) == rows(measure(whole).counts), str(measure)


@every_measure
@half_as_many
@given(corpus=either, times=st.integers(2, 3))
def test_repeating_every_document_leaves_rates_alone(name: str, corpus: Corpus, times: int) -> None:
    measures = bound_on(corpus, name, "duplicate")
    gold, pred = (
        [{**doc, "id": f"{doc['id']}/{n}"} for n in range(times) for doc in side] for side in corpus.sides
    )
    once, more = (evaluated(one, measures, beta=2) for one in (corpus, but(corpus, gold, pred)))
    assert alike(figures_of(once), figures_of(more))


# ---------------------------------------------------------------- text form, inputs


@every_measure
@given(share=st.floats(0, 1), generic=st.text("PIDé_,' \"\\1-", max_size=8))
def test_the_text_form_parses_back(name: str, share: float, generic: str) -> None:
    own = KNOWN[name].parameters
    drawn = {key: value for key, value in (("threshold", share), ("generic", generic)) if key in own}
    for measure in [*measures_of(name), parse(name).replace(**drawn)]:
        assert_parses_back(measure)


@pytest.mark.parametrize("generic", ["if", "ﬁ"])  # a keyword of Python; a letter that Python takes for two
def test_the_text_form_of_an_odd_name_parses_back(generic: str) -> None:
    measure = parse("tokens.tags").replace(generic=generic)
    assert parse(str(measure)) == measure


@every_measure
@half_as_many
@given(corpus=either)
def test_inputs_are_not_written_to(name: str, corpus: Corpus) -> None:
    before = copy.deepcopy(corpus.sides)
    few = spanscope.Ci(20)  # intervals read what was counted, too
    list(evaluated(corpus, bound_on(corpus, name, "inputs"), errors=True, ci=few).matches())
    assert corpus.sides == before


@half_as_many
@given(corpus=tagged(tuple(w for w in WORDS if not skipped(Token(w, 0, 0)))))
def test_skip_words_change_nothing_where_there_are_none(corpus: Corpus) -> None:
    for name in ("tokens.presidio", "tokens.tags"):
        one, other = (parse(name).replace(skip_words=skip) for skip in SKIPS)
        found = tables(corpus, [one, other])
        assert found[one] == found[other]


def test_a_label_called_as_the_overall_row_is_refused_or_kept_apart() -> None:
    try:
        counts = evaluated(sides("Ann Lee", "* O", "* O"), [parse("tokens.presidio_evaluator")]).counts()
    except spanscope.SpanscopeError:
        return  # as documents with spans are
    assert counts["*"]["gold"] == 1


def test_measures_that_compare_tokens_refuse_other_tokens() -> None:
    gold, pred = (
        [{"id": 1, "tokens": ["Ann", "Lee"], "tags": ["A", "A"]}],
        [{"id": 1, "tokens": ["AnnLee"], "tags": ["A"]}],
    )
    for name in ("tokens.tags", "tokens.accuracy"):
        with pytest.raises(spanscope.MeasureError, match="the same tokens on both sides"):
            spanscope.evaluate(gold, pred, name, read=spanscope.Reading(scheme="IO"), ci=False)


@pytest.mark.parametrize(
    "form",
    [
        "tokens.presidio(skip_words=presidio)",
        "tokens.presidio(skip_words=presidio, unit=character)",
        "tokens.presidio(extra_skip_words='gmbh')",
    ],
)
def test_skip_words_need_tokens(form: str) -> None:
    with pytest.raises(spanscope.MeasureError, match="skip words"):
        spanscope.evaluate(documents("A[0,3]"), documents("A[0,3]"), form, ci=False)


# ---------------------------------------------------------------- laws that are broken on purpose


def sides(words: str, gold: str, pred: str) -> Corpus:
    both = [[{"id": 1, "tokens": words.split(), "tags": tags.split()}] for tags in (gold, pred)]
    return Corpus(both[0], both[1], [], {"scheme": "IO"})


def perfect_is_not_best(form: str, corpus: Corpus) -> bool:
    assert corpus.gold == corpus.pred
    return evaluated(corpus, [parse(form)]).value("recall") != 1.0


def renaming_moves_counts(form: str, corpus: Corpus) -> bool:
    found = (evaluated(each, [parse(form)]).counts() for each in (corpus, renamed(corpus, {"A": "ID"})))
    one, other = (sum(row["tp"] for row in counts.values()) for counts in found)
    return one != other


def counts_are_not_what_there_is(form: str, corpus: Corpus) -> bool:
    """Tell whether the tool counts more or less than the runs of tags, or the tagged tokens, on some side."""
    totals = evaluated(corpus, [parse(form)]).totals()
    found = {}
    for side, own in (("gold", corpus.gold), ("pred", corpus.pred)):
        tags = own[0]["tags"]
        runs = [t for before, t in zip(["O", *tags], tags, strict=False) if t not in ("O", before)]
        found[side] = len(runs) if "evaluator" in form else sum(t != "O" for t in tags)
    return any(totals[side] != n for side, n in found.items())


BROKEN: dict[tuple[str, str], tuple[Callable[[str, Corpus], bool], Corpus]] = {
    # A span of skip words alone does not exist, so finding it is worth nothing.
    ("tokens.presidio_evaluator", "perfect"): (perfect_is_not_best, sides("The Who", "A A", "A A")),
    # One prediction on two gold spans is two predictions.
    ("tokens.presidio_evaluator", "counts"): (
        counts_are_not_what_there_is,
        sides("Ann met Lee", "A O A", "A A A"),
    ),
    # ID is generic: it agrees with every type.
    ("tokens.presidio_tokens", "rename"): (renaming_moves_counts, sides("Ann Lee", "A O", "B O")),
    # A skip word is counted only where it is right.
    ("tokens.presidio_tokens", "counts"): (counts_are_not_what_there_is, sides("of Ann", "A B", "O B")),
}
DECLARED = [(name, law) for name in NAMES for law in KNOWN[name].breaks]


@pytest.mark.parametrize(("name", "law"), DECLARED)
def test_a_law_said_to_be_broken_is_broken(name: str, law: str) -> None:
    assert law in LAWS
    assert (name, law) in BROKEN, f"give an example that shows how {name} breaks the law {law!r}"
    breaks, corpus = BROKEN[name, law]
    assert breaks(name, corpus)


def test_laws_are_broken_only_where_that_is_said() -> None:
    assert set(BROKEN) == set(DECLARED)
