"""The passages measures by hand, the laws they keep, and their twins in plain Python."""

import copy
import math
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.counts import merge
from spanscope.errors import MeasureError
from spanscope.measure import parse
from tests.support import KNOWN, Json
from tests.twins import passages as twins
from tests.twins.passages import Item

NAMES = sorted(name for name in KNOWN if name.startswith("passages."))
LOG3 = 1 / math.log2(3)  # what the second rank counts
RULES = ("id", "substring", "exact", "overlap")


def wrong(reason: str) -> pytest.MarkDecorator:
    """Mark what is not yet as it should be."""
    return pytest.mark.xfail(strict=True, reason=reason)


def sides(gold: list[Any], passages: list[Any], name: str = "q") -> tuple[list[Json], list[Json]]:
    return [{"query": name, "snippets": gold}], [{"query": name, "retrieved_passages": passages}]


def scored(form: str, gold: list[Any], passages: list[Any], **options: Any) -> Json:
    """Return the record of one query."""
    (record,) = spanscope.evaluate(*sides(gold, passages), form, **options).by_document()
    return record


def mean(result: spanscope.Result, rate: str) -> float:
    (value,) = [row.value for row in result.rows if row.rate == rate and row.average == "document"]
    return value


def at(start: int, end: int, file: str = "f") -> Json:
    return {"file_path": file, "span": [start, end]}


def ids(*names: str) -> list[Json]:
    return [{"id": name} for name in names]


# ---------------------------------------------------------------- exact match and span F1


@pytest.mark.parametrize(
    ("gold", "passages", "want"),
    [
        (["a", "B c"], [" b C\n"], 1),
        (["b c"], ["b  c"], 0),  # blanks inside count
        (["b"], ["a", "b"], 0),  # the first passage only
        (["b"], [], 0),
        (["b"], ["b."], 0),
    ],
)
def test_exact_match(gold: list[str], passages: list[str], want: int) -> None:
    assert scored("passages.exact_match", gold, passages)["exact_match"] == want


@pytest.mark.parametrize(
    ("gold", "passages", "one_each", "often"),
    [
        (["The fee."], ["the FEE"], 1, 1),
        (["a b c d"], ["a b"], 2 / 3, 2 / 3),
        (["x", "a b"], ["a b c d"], 2 / 3, 2 / 3),  # the best of the gold answers
        (["a a b"], ["a b b"], 1, 2 / 3),  # sets; multisets share one a and one b
        (["non-disclosure"], ["non disclosure"], 1, 1),
        (["a"], ["...", "a"], 0, 0),
        (["?"], ["!"], 1, 1),  # two texts without words
        (["a"], [], 0, 0),
    ],
)
def test_span_f1(gold: list[str], passages: list[str], one_each: float, often: float) -> None:
    assert scored("passages.span_f1", gold, passages)["span_f1"] == pytest.approx(one_each)
    assert scored("passages.span_f1(counting=multisets)", gold, passages)["span_f1"] == pytest.approx(often)


# ---------------------------------------------------------------- ranking


def test_ranking_by_hand() -> None:
    """Of three gold answers the second passage holds two, the fourth repeats one: slots 0 1 1 0 0."""
    found = scored("passages.ranking(k=3)", ["aa", "bb", "cc"], ["zz", "aa bb", "yy", "aa", "cc"])
    ideal = 1 + LOG3 + 0.5
    assert (found["recall"], found["precision"], found["hit"]) == pytest.approx((2 / 3, 1 / 3, 1))
    assert (found["mrr"], found["map"]) == pytest.approx((1 / 2, (1 / 2 + 2 / 3) / 3))
    assert found["ndcg"] == pytest.approx((LOG3 + 0.5) / ideal)
    assert found["r_precision"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("k", "recall", "precision", "ndcg"), [(1, 0, 0, 0), (2, 1, 0.5, LOG3), (4, 1, 0.25, LOG3)]
)
def test_cutoff(k: int, recall: float, precision: float, ndcg: float) -> None:
    found = scored("passages.ranking", ["aa"], ["zz", "aa"], k=k)
    assert (found["recall"], found["precision"], found["ndcg"]) == pytest.approx((recall, precision, ndcg))


def test_a_gold_answer_is_credited_once() -> None:
    assert scored("passages.ranking", ["aa"], ["aa", "aa", "aa"])["ndcg"] == 1
    assert scored("passages.ranking(k=1)", ["aa", "bb"], ["aa bb"])["ndcg"] == 1  # the cutoff counts slots


@pytest.mark.parametrize(
    ("by", "gold", "passage", "want"),
    [
        ("substring", {"answer": "The  Fee"}, {"text": "all of the fee is"}, 1),
        ("substring", {"answer": "all of the fee is"}, {"text": "THE\nFEE"}, 1),
        ("substring", {"answer": "fee"}, {"text": "f ee"}, 0),
        ("substring", {"answer": "fee"}, {"text": " "}, 0),
        ("exact", {"answer": "fee"}, {"text": " FEE "}, 1),
        ("exact", {"answer": "fee"}, {"text": "the fee"}, 0),
        ("id", {"id": "d1", "answer": "x"}, {"id": "d1", "text": "y"}, 1),
        ("id", {"id": "d1", "answer": "x"}, {"id": "D1", "text": "x"}, 0),
        ("id", {"answer": "x"}, {"text": "x"}, 0),
        ("overlap", at(0, 10), at(5, 30), 1),
        ("overlap", at(0, 10), at(6, 30), 0),
        ("overlap", at(0, 10), at(0, 10, "g"), 0),
        ("auto", {"id": "d", "answer": "x", **at(0, 4)}, {"id": "d", "text": "y", **at(6, 8)}, 1),  # ids first
        ("auto", {"answer": "x", **at(0, 4)}, {"text": "y", **at(0, 4)}, 1),  # then places
        ("auto", {"answer": "x", **at(0, 4)}, {"text": "x"}, 1),  # then texts
        ("exact", {"answer": ""}, {"text": ""}, 0),  # empty texts match nothing
    ],
)
def test_by(by: str, gold: Json, passage: Json, want: int) -> None:
    assert scored(f"passages.ranking(by={by})", [gold], [passage])["recall"] == want


@pytest.mark.parametrize(("threshold", "want"), [(0, 1), (0.3, 1), (0.31, 0), (1, 0)])
def test_threshold(threshold: float, want: int) -> None:
    form = f"passages.ranking(by=overlap, threshold={threshold})"
    assert scored(form, [at(0, 10)], [at(7, 12)])["hit"] == want
    assert scored(form, [at(0, 10)], [at(10, 12)])["hit"] == 0  # neighbours share nothing


def test_passages_are_ranked_by_score() -> None:
    passages = [{"text": "zz", "score": 1}, {"text": "aa", "score": 2}]
    assert scored("passages.ranking(k=1)", ["aa"], passages)["recall"] == 1


def test_what_is_judged_not_relevant_is_no_gold_answer() -> None:
    found = scored(
        "passages.ranking", [{"id": "d1", "relevance": 0}, {"id": "d2", "relevance": 2}], ids("d1", "d2")
    )
    assert (found["gold"], found["mrr"], found["recall"]) == (1, 0.5, 1)


# ---------------------------------------------------------------- characters


def test_characters_by_hand() -> None:
    """Gold f 0-10; retrieved f 5-15 twice and g 0-10."""
    found = scored("passages.characters", [at(0, 10)], [at(5, 15), at(5, 15), at(0, 10, "g")])
    assert (found["shared"], found["wanted"], found["retrieved"]) == (5, 10, 20)
    assert (found["precision"], found["recall"], found["f1"]) == pytest.approx((0.25, 0.5, 1 / 3))
    assert (found["iou"], found["mismatch"]) == pytest.approx((5 / 25, 1 / 3))
    first = scored("passages.characters(k=1)", [at(0, 10)], [at(5, 15), at(0, 10)])
    assert (first["retrieved"], first["passages"]) == (10, 1)


def test_legalbench_rag_counts_again() -> None:
    passages = [at(50, 200), at(100, 250)]
    assert scored("passages.legalbench_rag", [at(100, 200)], passages)["recall"] == 2
    assert scored("passages.characters", [at(100, 200)], passages)["recall"] == 1
    assert scored("passages.legalbench_rag(k=1)", [at(100, 200)], passages)["recall"] == 1


def test_characters_without_either_side() -> None:
    assert scored("passages.characters", [at(0, 4)], [])["precision"] is None
    assert scored("passages.characters", [], [at(0, 4)])["recall"] is None


# ---------------------------------------------------------------- SQuAD, TREC, legal


@pytest.mark.parametrize(
    ("version", "gold", "passages", "want"),
    [
        ("1.1", ["the cat"], ["A cat!"], (1, 1)),
        ("2.0", ["cat sat"], ["the cat"], (0, 2 / 3)),
        ("1.1", ["a"], ["the"], (1, 0)),
        ("2.0", ["a"], ["the"], (1, 1)),
        ("2.0", [], [""], (1, 1)),
        ("2.0", [], [], (1, 1)),
        ("2.0", [], ["x"], (0, 0)),
        ("1.1", [], ["x"], (None, None)),
    ],
)
def test_squad(version: str, gold: list[str], passages: list[str], want: tuple[float | None, ...]) -> None:
    found = scored(f"passages.squad(version='{version}')", gold, passages)
    assert (found["exact_match"], found["f1"]) == pytest.approx(want)


def test_trec_level() -> None:
    gold = [{"id": "d1", "relevance": 1}, {"id": "d2", "relevance": 2}]
    assert scored("passages.trec", gold, ids("d1", "d2"))["map"] == 1
    second = scored("passages.trec(level=2)", gold, ids("d1", "d2"))
    assert (second["map"], second["recip_rank"], second["success_1"]) == (0.5, 0.5, 0)
    assert second["ndcg"] == pytest.approx((1 + 2 * LOG3) / (2 + LOG3))  # takes no notice of the level


def test_trec_ties_go_by_name_the_last_first() -> None:
    passages = [{"id": "d1", "score": 1}, {"id": "d2", "score": 1.0}]
    assert scored("passages.trec", ids("d1"), passages)["recip_rank"] == 0.5
    assert scored("passages.trec", ids("d2"), passages)["recip_rank"] == 1


def test_legal_is_the_script() -> None:
    """Empty passages match all, repeats count again, the ideal is of what was retrieved."""
    pytest.importorskip("nltk")
    assert scored("passages.legal", ["aa", "bb"], [""])["recall"] == 1
    missed = scored("passages.legal", ["aa", "bb"], ["aa", "aa"])
    assert (missed["recall"], missed["ndcg"]) == (0.5, 1)


def test_punkt_without_data_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = pytest.importorskip("nltk").data
    monkeypatch.setattr(data, "path", [])
    with pytest.raises(MeasureError, match=r"^NLTK has no data for sentences \(punkt_tab\)"):
        scored("passages.legal(punkt=true)", ["One. Two."], ["One. Two."])


@pytest.mark.parametrize("form", [n for n in NAMES if n not in ("passages.squad", "passages.trec")])
def test_queries_without_gold_are_left_out(form: str) -> None:
    if form == "passages.legal":
        pytest.importorskip("nltk")
    both = {"text": "aa", "answer": "aa", **at(0, 4)}
    gold, pred = (a + b for a, b in zip(sides([both], [both]), sides([], [both], "none"), strict=True))
    result = spanscope.evaluate(gold, pred, form)
    rate = "recall" if "recall" in {row.rate for row in result.rows} else result.rows[0].rate
    assert mean(result, rate) == 1
    assert [row[rate] for row in result.by_document()] == [1, None]


def test_trec_counts_queries_without_relevant_documents_as_0() -> None:
    result = spanscope.evaluate({"q1": {"d1": 1}, "q2": {"d1": 0}}, {"q1": {"d1": 1}}, protocol="trec")
    assert mean(result, "map") == 0.5


@pytest.mark.parametrize("passage", ["", "  ", "\n"])
def test_empty_passages_hold_nothing_and_take_a_place(passage: str) -> None:
    found = scored("passages.ranking", ["aa"], [passage, "aa"])
    assert (found["mrr"], found["precision"]) == (0.5, 0.1)


@pytest.mark.parametrize("form", NAMES)
def test_what_a_measure_needs(form: str) -> None:
    if form not in ("passages.ranking", "passages.trec", "passages.characters", "passages.legalbench_rag"):
        with pytest.raises(MeasureError, match=r"^some passages have no text"):
            scored(form, ids("a"), ids("a"))
    elif form != "passages.ranking":
        with pytest.raises(MeasureError, match=r"^some passages have no (identifier|place)"):
            scored(form, ["a"], ["a"])


# ---------------------------------------------------------------- laws and twins

WORDS = st.text("ab .", max_size=4)
ITEMS = st.builds(
    lambda text, name, file, start, size: Item(text, name, file, start, start + size),
    *(WORDS, st.sampled_from("xyz"), st.sampled_from("fg"), st.integers(0, 6), st.integers(0, 5)),
)
PAIRS = st.tuples(st.lists(ITEMS, min_size=1, max_size=3), st.lists(ITEMS, max_size=5))
CORPORA = st.lists(PAIRS, min_size=1, max_size=4)
K = st.integers(1, 6)
Corpus = list[tuple[list[Item], list[Item]]]
FORMS = [
    *("passages.exact_match", "passages.span_f1", "passages.span_f1(counting=multisets)"),
    *("passages.characters(k=2)", "passages.legalbench_rag", "passages.squad", "passages.squad(version='1.1')"),
    *(f"passages.ranking(by={by}, k=3)" for by in (*RULES, "auto")),
]


def written(item: Item) -> Json:
    return {"text": item.text, "id": item.name, **at(item.start, item.end, item.file)}


def documents(corpus: Corpus) -> tuple[list[Json], list[Json]]:
    gold = [{"id": n, "snippets": [*map(written, own)]} for n, (own, _) in enumerate(corpus)]
    return gold, [{"id": n, "retrieved_passages": [*map(written, own)]} for n, (_, own) in enumerate(corpus)]


def rates(result: spanscope.Result) -> dict[tuple[str, str, str], float]:
    return {(row.measure, row.rate, row.average): row.value for row in result.rows}


def same(one: spanscope.Result, other: spanscope.Result) -> None:
    assert rates(one) == pytest.approx(rates(other), abs=1e-12, nan_ok=True)


@given(corpus=CORPORA, k=K)
def test_ranking_is_its_twin(corpus: Corpus, k: int) -> None:
    blank = any(not item.text.strip() for gold, _ in corpus for item in gold)
    rules = (twins.called, twins.inside, twins.equal, twins.covering(0.5))
    for by, rule in zip(RULES, rules, strict=True):
        if by == "exact" and blank:  # see test_by
            continue
        result = spanscope.evaluate(*documents(corpus), f"passages.ranking(by={by}, k={k})")
        for (gold, passages), row in zip(corpus, result.by_document(), strict=True):
            want = twins.ranking(gold, passages, k, rule)
            assert {name: row[name] for name in want} == pytest.approx(want, abs=1e-12)
            assert all(0 <= value <= 1 for value in want.values())


@given(corpus=CORPORA, k=K)
def test_the_other_measures_are_their_twins(corpus: Corpus, k: int) -> None:
    forms = ["passages.exact_match", "passages.span_f1", "passages.span_f1(counting=multisets)"]
    result = spanscope.evaluate(*documents(corpus), [*forms, f"passages.characters(k={k})"])
    found = [list(result.by_document(measure)) for measure in result.measures]
    for n, own in enumerate(corpus):
        assert found[0][n]["exact_match"] == twins.exact_match(*own)
        assert found[1][n]["span_f1"] == pytest.approx(twins.span_f1(*own))
        assert found[2][n]["span_f1"] == pytest.approx(twins.span_f1(*own, sets=False))
        want = twins.characters(*own, k)
        assert {name: found[3][n][name] for name in want} == want


@given(gold=st.lists(st.sampled_from("vwxyz"), min_size=1, unique=True), more=st.lists(st.just("no")), k=K)
def test_ndcg_is_1_just_for_a_perfect_ranking(gold: list[str], more: list[str], k: int) -> None:
    assert scored("passages.ranking", ids(*gold), ids(*gold[::-1], *more), k=k)["ndcg"] == 1
    assert scored("passages.ranking", ids(*gold), ids("no", *gold), k=k)["ndcg"] < 1


@given(corpus=CORPORA, k=K, by=st.sampled_from((*RULES, "auto")))
def test_an_irrelevant_passage_after_k_changes_nothing(corpus: Corpus, k: int, by: str) -> None:
    full = [(gold, (passages * k + [Item("q", "q", "q", 0, 1)] * k)[:k]) for gold, passages in corpus]
    longer = [(gold, [*passages, Item("qq", "qq", "qq", 0, 1)]) for gold, passages in full]
    forms = [f"passages.ranking(by={by}, k={k})", f"passages.characters(k={k})"]
    same(*(spanscope.evaluate(*documents(one), forms) for one in (full, longer)))


@given(corpus=CORPORA, times=st.integers(2, 3), size=st.integers(1, 3))
def test_order_duplicates_and_batches(corpus: Corpus, times: int, size: int) -> None:
    gold, pred = documents(corpus)
    whole = spanscope.evaluate(gold, pred, FORMS)
    same(whole, spanscope.evaluate(gold[::-1], pred, FORMS))
    same(whole, spanscope.evaluate(*documents(corpus * times), FORMS))
    batches = list(whole.comparison.batches(size))
    for measure, table in zip(whole.measures, whole.tables, strict=True):
        merged = merge([measure(batch).counts for batch in batches])
        assert merged.values.sum(axis=-1) == pytest.approx(table.values.sum(axis=-1))
        assert merged.documents == table.documents


@wrong("by=auto looks at one batch of queries at a time")
def test_auto_is_the_same_in_every_batch() -> None:
    gold = [{"id": 1, "snippets": [{"id": "d", "text": "x"}]}, {"id": 2, "snippets": ["x"]}]
    pred = [{"id": 1, "retrieved_passages": [{"id": "d", "text": "y"}]}, {"id": 2, "retrieved_passages": ["x"]}]
    result = spanscope.evaluate(gold, pred, "passages.ranking")
    merged = merge([result.measures[0](batch).counts for batch in result.comparison.batches(1)])
    assert merged.column("recall").sum() == result.tables[0].column("recall").sum()


@given(corpus=CORPORA)
def test_inputs_are_not_written_to(corpus: Corpus) -> None:
    given_sides = documents(corpus)
    before = copy.deepcopy(given_sides)
    spanscope.evaluate(*given_sides, [*FORMS, "passages.trec"])
    assert given_sides == before


@settings(max_examples=10)
@given(k=st.integers(1, 1_000_000), by=st.sampled_from((*RULES, "auto")), threshold=st.floats(0, 1))
def test_the_text_form_parses_back(k: int, by: str, threshold: float) -> None:
    every = [parse(name) for name in NAMES]
    numbered = [one.but(k=k) for one in every if "k" in dict(one.params)]
    ranking = parse("passages.ranking").but(k=k, by=by, threshold=threshold)
    for measure in [*every, *numbered, ranking, parse("passages.trec").but(level=k)]:
        assert parse(str(measure)) == parse(measure.short) == measure
        assert pickle.loads(pickle.dumps(measure)) == measure
