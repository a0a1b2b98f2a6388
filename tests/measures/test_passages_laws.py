"""Laws of the passages measures for every input, through `evaluate`, and their twins in plain Python.

Kept out of the laws, by name: `passages.legalbench_rag`, whose figures are the benchmark's own and pass 1 where
places overlap, and NLTK's tokens in `passages.legal`, which are tested against its record.
"""

import copy
import math
import pickle
from statistics import mean
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.counts import merge
from spanscope.measures.registry import parse
from tests.support import KNOWN, Json, needs
from tests.twins import passages as twins
from tests.twins.passages import Item

NAMES = sorted(name for name in KNOWN if name.startswith("passages."))
RULES = ("id", "substring", "exact", "fuzzy", "overlap")
TWINS = (twins.called, twins.inside, twins.equal, twins.alike(0.8), twins.covering(0.5))
RANKS = ("passages.ranking", "passages.trec_cut", "passages.f1")
ALL_K = tuple(f"passages.{name}" for name in ("characters", "chroma", "legalbench_rag", "documents"))
Corpus = list[tuple[list[Item], list[Item]]]  # of each query gold answers, passages

needs("rapidfuzz")

WORDS = st.text("abA .", max_size=5)
GRADES = st.sampled_from([1, 1, 1, 0, 2, 3, -1])


def items(**more: st.SearchStrategy[Any]) -> st.SearchStrategy[Item]:
    return st.builds(
        lambda text, name, file, start, size, **own: Item(text, name, file, start, start + size, **own),
        *(WORDS, st.sampled_from("xyz"), st.sampled_from("fg"), st.integers(0, 6), st.integers(0, 5)),
        **more,
    )


GOLD = items(grade=GRADES, also=st.lists(WORDS, max_size=2).map(tuple))


@st.composite
def beside(draw: st.DrawFn, item: Item) -> list[Item]:
    """Draw what stands beside an item: itself again, its place under another name, a place within or across it."""
    at = draw(st.integers(item.start, item.end))
    own = {
        "nothing": [],
        "again": [item] * draw(st.integers(1, 2)),
        "its place": [item._replace(text=draw(WORDS), name=draw(st.sampled_from("xyz")))],
        "its text": [item._replace(file="g", start=at, end=at + 2)],
        "within": [item._replace(start=at)],
        "across": [item._replace(start=at, end=item.end + 2)],
        "empty": [item._replace(start=at, end=at)],
    }
    return own[draw(st.sampled_from(sorted(own)))]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[Item], list[Item]]:
    """Draw the gold answers and the passages of a query; on either side some repeat, nest or cross."""
    gold, found = draw(st.lists(GOLD, max_size=2)), draw(st.lists(items(), max_size=3))
    found += [one._replace(grade=1, also=()) for one in gold if draw(st.booleans())]
    sides = [[*side, *(more for one in side[:2] for more in draw(beside(one)))] for side in (gold, found)]
    return sides[0][:4], draw(st.permutations(sides[1]))[:6]


PAIRS = pairs()


def meet(corpus: Corpus) -> bool:
    """Tell whether the ids of the two sides decide: where they share none, what decides has to be said."""
    gold, pred = ({item.name for own in corpus for item in own[side]} for side in (0, 1))
    return not (gold and pred) or not gold.isdisjoint(pred)


CORPORA = st.lists(PAIRS, min_size=1, max_size=4).filter(meet)
K = st.integers(1, 6)


def forms(k: int) -> list[str]:
    """Return the measures with their settings, at one cutoff."""
    return [
        *("passages.exact_match", "passages.span_f1", "passages.span_f1(counting=multisets)"),
        *("passages.squad", "passages.squad(version='1.1')", "passages.squad(no_answer=0.5)"),
        *(f"{name}(k={k})" for name in ALL_K),
        *(f"passages.ranking(by={by}, k={k})" for by in (*RULES, "auto")),
        f"passages.ranking(k={k}, gain=exponential)",
        *(f"passages.{name}(k={k})" for name in ("f1", "judged", "rbp")),
        *("passages.trec", f"passages.trec_cut(k={k})", f"passages.trec_cut(k={k}, level=2, gain=exponential)"),
    ]


def gold_item(item: Item) -> Json:
    text = [*item.wordings] if item.also else item.text
    return {**passage(item), "text": None, "answer": text, "relevance": item.grade}


def passage(item: Item) -> Json:
    return {"text": item.text, "id": item.name, "file_path": item.file, "span": [item.start, item.end]}


def documents(corpus: Corpus) -> tuple[list[Json], list[Json]]:
    gold = [{"id": n, "snippets": [*map(gold_item, own)]} for n, (own, _) in enumerate(corpus)]
    return gold, [{"id": n, "retrieved_passages": [*map(passage, own)]} for n, (_, own) in enumerate(corpus)]


def scored(corpus: Corpus, *measures: str) -> spanscope.Result:
    return evaluated(*documents(corpus), list(measures))


def evaluated(gold: Any, pred: Any, measures: list[str], **options: Any) -> spanscope.Result:
    return spanscope.evaluate(gold, pred, measures, ci=False, **options)


def rates(result: spanscope.Result) -> dict[tuple[str, str, str], float]:
    return {(row.measure, row.rate, row.average): row.value for row in result.rows}


def same(one: spanscope.Result, other: spanscope.Result) -> None:
    assert rates(one) == pytest.approx(rates(other), abs=1e-12, nan_ok=True)


def bests(result: spanscope.Result) -> dict[tuple[str, str], float]:
    """Return the best value of every rate that has one."""
    return {
        (str(measure), rate.name): rate.best
        for measure in result.measures
        for rate in measure.definition.rate_set.rates()
        if not math.isnan(rate.best)
    }


# ---------------------------------------------------------------- 0 to 1, for whatever comes

PARTS = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from(["x", "y", 3]),
        "span": st.tuples(st.integers(0, 5), st.integers(5, 9)).map(list),
        "file_path": st.sampled_from(["f", "g", "é", "e\u0301"]),
        "score": st.floats(-2, 2),
    },
).map(lambda own: {"file_path": "f", **own} if "span" in own else own)  # a place needs a file
TEXTS = st.one_of(st.sampled_from(["", " ", "a", "the b", "ß", "İ"]), st.text(max_size=3))
ANY = st.one_of(TEXTS, st.builds(lambda own, text: {**own, "text": text}, PARTS, TEXTS))
ANY_GOLD = st.one_of(
    TEXTS,
    st.builds(lambda own, text, grade: {**own, "answer": text, "relevance": grade}, PARTS, TEXTS, GRADES),
    st.lists(TEXTS, min_size=1, max_size=2).map(lambda texts: {"answer": texts}),
)
ANY_QUERIES = st.lists(st.tuples(st.lists(ANY_GOLD, max_size=4), st.lists(ANY, max_size=5)), max_size=3)
BY_TEXT = ["passages.exact_match", "passages.span_f1", "passages.squad"]


def falling(passages: list[Any]) -> list[Any]:
    """Put scores in order: lists down which they rise are refused."""
    scored = sorted((one["score"] for one in passages if isinstance(one, dict) and "score" in one), reverse=True)
    left = iter(scored)
    return [{**one, "score": next(left)} if isinstance(one, dict) and "score" in one else one for one in passages]


@given(queries=ANY_QUERIES, k=K)
def test_default_figures_of_whatever_comes_are_in_0_to_1(
    queries: list[tuple[list[Any], list[Any]]], k: int
) -> None:
    gold = [{"query": str(n // 2), "snippets": own} for n, (own, _) in enumerate(queries)]  # some repeated
    pred = [{"query": str(n // 2), "retrieved_passages": falling(own)} for n, (_, own) in enumerate(queries)]
    rankings = [f"passages.ranking(by={by}, k={k})" for by in ("auto", "substring", "exact", "fuzzy")]
    result = evaluated(gold, pred, [*BY_TEXT, *rankings])
    known = bests(result)
    for row in result.rows:
        assert math.isnan(row.value) or 0 <= row.value <= 1, row
    for measure in result.measures:
        for record in result.by_document(measure):
            values = [record[rate] for form, rate in known if form == str(measure)]
            assert all(value is None or 0 <= value <= 1 for value in values)
    text = result.to_json(documents=True)
    assert "NaN" not in text
    assert "Infinity" not in text


@given(corpus=CORPORA, k=K)
def test_every_rate_with_a_best_value_is_in_0_to_1(corpus: Corpus, k: int) -> None:
    result = scored(corpus, *forms(k))
    known = bests(result)
    assert len(known) > 60
    for row in result.rows:
        if (row.measure, row.rate) in known and not row.measure.startswith("passages.legalbench_rag"):
            assert math.isnan(row.value) or 0 <= row.value <= 1 + 1e-12, row


# ---------------------------------------------------------------- perfect rankings, and what comes after k


@given(gold=st.lists(st.sampled_from("vwxyz"), min_size=1, unique=True), more=st.integers(0, 3), k=K)
def test_ndcg_is_1_just_for_a_perfect_ranking(gold: list[str], more: int, k: int) -> None:
    items = {name: Item(name, name, name, 0, 1) for name in [*gold, "no"]}
    golds, none = [items[name] for name in gold], [items["no"]] * more
    for by in ("id", "substring", "exact", "fuzzy", "overlap"):
        form = f"passages.ranking(by={by}, k={k})"
        (perfect,) = scored([(golds, [*golds[::-1], *none])], form).by_document()
        (late,) = scored([(golds, [items["no"], *golds])], form).by_document()
        assert perfect["ndcg"] == 1
        assert late["ndcg"] < 1


@given(grades=st.lists(st.integers(1, 5), min_size=1, max_size=4), k=K, draw=st.data())
def test_ndcg_of_grades_is_1_just_where_they_fall(grades: list[int], k: int, draw: st.DataObject) -> None:
    order = draw.draw(st.permutations(grades))
    for gain in ("linear", "exponential"):
        golds = [Item(str(n), str(n), "f", n, n + 1, grade) for n, grade in enumerate(grades)]
        left = list(golds)
        found = [left.pop(next(n for n, one in enumerate(left) if one.grade == grade)) for grade in order]
        (row,) = scored([(golds, found)], f"passages.ranking(k={k}, gain={gain})").by_document()
        best = sorted(grades, reverse=True)[:k] == order[:k]
        assert (row["ndcg"] > 1 - 1e-12) == best
        assert row["ndcg"] <= 1


@given(corpus=CORPORA, k=K)
def test_an_irrelevant_passage_after_k_changes_nothing(corpus: Corpus, k: int) -> None:
    full = [(gold, (passages * k + [Item("q", "q", "q", 0, 1)] * k)[:k]) for gold, passages in corpus]
    assume(meet(full))
    longer = [(gold, [*passages, Item("qq", "qq", "qq", 0, 1)]) for gold, passages in full]
    kept = [form for form in forms(k) if form != "passages.trec"]  # which has no cutoff
    same(*(scored(one, *kept) for one in (full, longer)))


@st.composite
def crowded(draw: st.DrawFn) -> list[Item]:
    """Draw gold answers with a text and characters, some of them twice, within or across each other."""
    first = draw(st.lists(items(), min_size=1, max_size=3))
    every = [*first, *(more for one in first for more in draw(beside(one)))]
    return [one._replace(text=f"x{one.text}", end=one.end + 1) for one in every][:6]  # SQuAD leaves out "a"


@given(queries=st.lists(crowded(), min_size=1, max_size=3))
def test_gold_answers_that_repeat_or_overlap_are_all_found_by_themselves(queries: list[list[Item]]) -> None:
    """In whatever counts an answer or a character once; Chroma's and LegalBench-RAG's figures count them again.

    A passage that brings nothing new, as the second of two alike, is a rank lost to nDCG, MAP and R-precision.
    """
    corpus = [(own, own) for own in queries]
    kept = [form for form in forms(6) if not form.startswith(("passages.legalbench_rag", "passages.chroma"))]
    result = scored(corpus, *(form for form in kept if "level=2" not in form))
    found = {(row.measure, row.rate): row.value for row in result.rows if row.average == "document"}
    lost = ("precision", "P", "ndcg", "map", "r_precision", "f1")  # F1 by its precision
    want = {
        pair: best for pair, best in bests(result).items() if not (pair[0].startswith(RANKS) and pair[1] in lost)
    }
    assert len(want) > 30
    assert {pair: found[pair] for pair in want} == pytest.approx(want)


PLACED = st.lists(st.sampled_from("vwxyz"), min_size=1, max_size=4, unique=True)


@given(queries=st.lists(PLACED, min_size=1, max_size=3))
def test_a_perfect_prediction_has_the_best_of_every_rate(queries: list[str]) -> None:
    """But for precision at k, and F1 of it, which divides by k however few gold answers there are."""
    corpus = [([Item(name, name, name, 0, 4) for name in own],) * 2 for own in queries]
    result = scored(corpus, *(form for form in forms(6) if "level=2" not in form))
    found = {(row.measure, row.rate): row.value for row in result.rows if row.average == "document"}
    known = bests(result)
    short = {(form, rate) for form, rate in known if form.startswith(RANKS) and rate in ("precision", "P")}
    assert len(short) == 7
    share = sum(map(len, queries)) / len(queries) / 6
    want = known | dict.fromkeys(short, share)
    want[str(parse("passages.f1(k=6, by=id)")), "f1"] = mean(2 * len(own) / (6 + len(own)) for own in queries)
    assert {pair: found[pair] for pair in want} == pytest.approx(want)


# ---------------------------------------------------------------- order, duplicates, batches, inputs


@given(corpus=CORPORA, times=st.integers(2, 3), k=K)
def test_order_and_duplicates_of_queries_change_nothing(corpus: Corpus, times: int, k: int) -> None:
    gold, pred = documents(corpus)
    whole = evaluated(gold, pred, forms(k))
    same(whole, evaluated(gold[::-1], pred, forms(k)))
    same(whole, scored(corpus * times, *forms(k)))


@given(corpus=CORPORA, k=K)
def test_batches_together_are_the_whole(corpus: Corpus, k: int) -> None:
    whole = scored(corpus, *forms(k))
    batches = list(whole.comparison.batches(1))
    assert len(batches) == len(corpus)
    for measure, table in zip(whole.measures, whole.tables, strict=True):
        merged = merge([measure(batch).counts for batch in batches])
        assert merged.values.sum(axis=-1) == pytest.approx(table.values.sum(axis=-1))
        assert merged.documents == table.documents


def test_auto_is_settled_once_for_all_queries_and_told() -> None:
    gold = [{"id": 1, "snippets": [{"id": "d", "text": "x"}]}, {"id": 2, "snippets": ["x"]}]
    pred = [{"id": 1, "retrieved_passages": [{"id": "d", "text": "y"}]}, {"id": 2, "retrieved_passages": ["x"]}]
    result = spanscope.evaluate(gold, pred, "passages.ranking")
    assert "by=substring" in str(result.measures[0])
    assert "by=substring" in result.signature()
    merged = merge([result.measures[0](batch).counts for batch in result.comparison.batches(1)])
    assert merged.column("recall").sum() == result.tables[0].column("recall").sum() == 1


@given(corpus=CORPORA, k=K)
def test_inputs_are_not_written_to(corpus: Corpus, k: int) -> None:
    given_sides = documents(corpus)
    before = copy.deepcopy(given_sides)
    spanscope.evaluate(*given_sides, forms(k), ci=spanscope.Ci(20))  # intervals read what was counted, too
    assert given_sides == before


@given(
    qrels=st.dictionaries(st.sampled_from("pq"), st.dictionaries(st.sampled_from("xyz"), GRADES), min_size=1),
    run=st.dictionaries(st.sampled_from("pqr"), st.dictionaries(st.sampled_from("xyz"), st.floats(-9, 9))),
)
def test_judgements_and_runs_are_not_written_to(qrels: Any, run: Any) -> None:
    before = copy.deepcopy((qrels, run))
    evaluated(qrels, run, ["passages.trec", "passages.ranking", "passages.trec_cut"], protocol="trec")
    assert (qrels, run) == before


@settings(max_examples=10)
@given(
    k=st.integers(1, 1_000_000),
    by=st.sampled_from((*RULES, "auto")),
    share=st.floats(0, 1),
    gain=st.sampled_from(["linear", "exponential"]),
)
def test_the_text_form_parses_back(k: int, by: str, share: float, gain: str) -> None:
    every = [parse(name) for name in NAMES]
    numbered = [one.replace(k=k) for one in every if "k" in dict(one.params)]
    chosen = [
        parse("passages.ranking").replace(k=k, by=by, coverage=share, similarity=share, gain=gain),
        *(parse("passages.legal").replace(punkt=punkt) for punkt in ("auto", "yes", "no")),
        *(parse(f"passages.{name}").replace(level=k) for name in ("trec", "trec_cut")),
        parse("passages.squad").replace(version="1.1", no_answer=share),
    ]
    for measure in [*every, *numbered, *chosen]:
        assert parse(str(measure)) == parse(measure.short) == measure
        assert pickle.loads(pickle.dumps(measure)) == measure


# ---------------------------------------------------------------- twins


def agrees(row: Json, want: dict[str, Any]) -> None:
    assert {name: row[name] for name in want} == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize(("by", "rule"), list(zip(RULES, TWINS, strict=True)))
@given(corpus=CORPORA, k=K)
def test_ranking_is_its_twin(by: str, rule: twins.Rule, corpus: Corpus, k: int) -> None:
    for gain in ("linear", "exponential"):
        result = scored(corpus, f"passages.ranking(by={by}, k={k}, gain={gain})")
        for own, row in zip(corpus, result.by_document(), strict=True):
            agrees(row, twins.ranking(*own, k, rule, exponential=gain == "exponential"))


@pytest.mark.parametrize(("by", "rule"), list(zip(RULES, TWINS, strict=True)))
@given(corpus=CORPORA, k=K, p=st.sampled_from([0.0, 0.5, 0.8, 1.0]))
def test_what_is_looked_through_is_its_twin(by: str, rule: twins.Rule, corpus: Corpus, k: int, p: float) -> None:
    more = f"by={by}, k={k}"
    result = scored(corpus, f"passages.f1({more})", f"passages.rbp({more}, p={p})", f"passages.judged({more})")
    found = [result.by_document(measure) for measure in result.measures]
    for own, *rows in zip(corpus, *found, strict=True):
        wants = (twins.f1_at(*own, k, rule), twins.rbp(*own, k, p, rule), twins.judged(*own, k, rule))
        for row, want in zip(rows, wants, strict=True):
            agrees(row, want)


SHARES = st.sampled_from([0.0, 0.2, 0.25, 0.5, 0.75, 1.0])


@given(corpus=CORPORA, share=SHARES)
def test_thresholds_are_those_of_the_twins(corpus: Corpus, share: float) -> None:
    for by, rule in (("overlap", twins.covering(share)), ("fuzzy", twins.alike(share))):
        result = scored(corpus, f"passages.ranking(by={by}, coverage={share}, similarity={share})")
        for own, row in zip(corpus, result.by_document(), strict=True):
            agrees(row, twins.ranking(*own, 10, rule))


@given(corpus=CORPORA)
def test_the_first_passage_is_scored_as_its_twin(corpus: Corpus) -> None:
    result = scored(corpus, *forms(1)[:3])
    found = [list(result.by_document(measure)) for measure in result.measures]
    for own, exact, once, often in zip(corpus, *found, strict=True):
        agrees(exact, {"exact_match": twins.exact_match(*own)})
        agrees(once, {"span_f1": twins.span_f1(*own)})
        agrees(often, {"span_f1": twins.span_f1(*own, sets=False)})


@pytest.mark.parametrize("name", ["characters", "chroma", "legalbench_rag", "documents"])
@given(corpus=CORPORA, k=K)
def test_places_are_counted_as_their_twins(name: str, corpus: Corpus, k: int) -> None:
    result = scored(corpus, f"passages.{name}(k={k})")
    for own, row in zip(corpus, result.by_document(), strict=True):
        want = getattr(twins, name)(*own, k)
        assert {key: row[key] for key in want} == want
