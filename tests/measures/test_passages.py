"""The passages measures worked by hand; their laws and twins are in test_passages_laws.py."""

import math
from typing import Any

import pytest

import spanscope
from spanscope.errors import MeasureError
from spanscope.settings.options import grouped
from tests.support import KNOWN, Json, needs

NAMES = sorted(name for name in KNOWN if name.startswith("passages."))
LOG3 = 1 / math.log2(3)  # what the second rank counts
BY_ID = ("passages.ranking", "passages.trec", "passages.trec_cut")
BY_PLACE = ("passages.characters", "passages.legalbench_rag", "passages.chroma", "passages.documents")


def sides(gold: list[Any], passages: list[Any], name: str = "q") -> tuple[list[Json], list[Json]]:
    return [{"query": name, "snippets": gold}], [{"query": name, "retrieved_passages": passages}]


def scored(form: str, gold: list[Any], passages: list[Any], **options: Any) -> Json:
    """Return the record of one query."""
    (record,) = spanscope.evaluate(*sides(gold, passages), form, ci=False, **grouped(options)).by_document()
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
        ("overlap", at(0, 10), at(5, 30), 1),
        ("overlap", at(0, 10), at(6, 30), 0),
        ("overlap", at(0, 10), at(0, 10, "g"), 0),
        ("auto", {"id": "d", "answer": "x", **at(0, 4)}, {"id": "d", "text": "y", **at(6, 8)}, 1),  # ids first
        ("auto", {"answer": "x", **at(0, 4)}, {"text": "y", **at(0, 4)}, 1),  # then places
        ("auto", {"answer": "x", **at(0, 4)}, {"text": "x"}, 1),  # then texts
        ("exact", {"answer": ""}, {"text": ""}, 0),  # empty texts match nothing
        ("fuzzy", {"answer": "the fee is due"}, {"text": "zz THE FEE WAS DUE zz"}, 1),
        ("fuzzy", {"answer": "abcdef"}, {"text": "uvwxyz"}, 0),
        ("fuzzy", {"answer": " "}, {"text": " "}, 0),
    ],
)
def test_by(by: str, gold: Json, passage: Json, want: int) -> None:
    if by == "fuzzy":
        needs("rapidfuzz")
    assert scored(f"passages.ranking(by={by})", [gold], [passage])["recall"] == want


@pytest.mark.parametrize(("coverage", "want"), [(0, 1), (0.3, 1), (0.31, 0), (1, 0)])
def test_coverage(coverage: float, want: int) -> None:
    form = f"passages.ranking(by=overlap, coverage={coverage})"
    assert scored(form, [at(0, 10)], [at(7, 12)])["hit"] == want
    assert scored(form, [at(0, 10)], [at(10, 12)])["hit"] == 0  # neighbours share nothing


@pytest.mark.parametrize(("similarity", "want"), [(0, 1), (0.75, 1), (0.76, 0), (1, 0)])
def test_similarity(similarity: float, want: int) -> None:
    """Of abcd the part abXd of the longer text has three letters in order: 2 * 3 / (4 + 4)."""
    needs("rapidfuzz")
    form = f"passages.ranking(by=fuzzy, similarity={similarity})"
    assert scored(form, ["abcd"], ["zzzz abXd zzzz"])["hit"] == want
    assert scored(form, ["abcd"], ["zzzz"])["hit"] == 0  # nothing in common is no match, whatever was asked for


def test_wordings_are_one_gold_answer() -> None:
    """Of two gold answers one has two wordings: each is found once."""
    gold = [{"answer": ["aa", "bb"]}, {"answer": "cc"}]
    found = scored("passages.ranking(k=2)", gold, ["bb", "aa"])
    assert (found["gold"], found["recall"], found["precision"]) == (2, 0.5, 1)
    assert found["ndcg"] == pytest.approx(1 / (1 + LOG3))
    assert scored("passages.exact_match", gold, ["BB"])["exact_match"] == 1
    assert scored("passages.span_f1", gold, ["bb x"])["span_f1"] == pytest.approx(2 / 3)
    placed = [{"answer": ["aa", "bb"], **at(0, 10)}]
    for name in ("characters", "legalbench_rag", "chroma"):
        assert scored(f"passages.{name}", placed, [at(0, 10)])["wanted"] == 10


@pytest.mark.parametrize(("gain", "first", "second"), [("linear", 1, 3), ("exponential", 1, 7)])
def test_grades_are_gains(gain: str, first: float, second: float) -> None:
    gold = [{"id": "a", "relevance": 1}, {"id": "b", "relevance": 3}]
    found = scored(f"passages.ranking(gain={gain})", gold, ids("a", "b"))
    assert found["ndcg"] == pytest.approx((first + second * LOG3) / (second + first * LOG3))
    assert (found["recall"], found["map"]) == (1, 1)
    cut = scored(f"passages.trec_cut(k=2, gain={gain})", gold, ids("a", "b"))
    assert cut["ndcg_cut"] == pytest.approx(found["ndcg"])
    assert scored(f"passages.trec_cut(k=1, gain={gain})", gold, ids("a", "b"))["ndcg_cut"] == first / second


def test_auto_is_told() -> None:
    result = spanscope.evaluate(*sides(ids("d1"), ids("d1")), "passages.ranking", ci=False)
    assert "by=id" in str(result.measures[0])
    assert "by=overlap" in str(
        spanscope.evaluate(*sides([at(0, 1)], [at(0, 1)]), "passages.ranking", ci=False).measures[0]
    )


def test_passages_are_ranked_by_score() -> None:
    passages = [{"text": "zz", "score": 1}, {"text": "aa", "score": 2}, {"text": "mm", "score": 0}]
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


def test_chroma_by_hand() -> None:
    """Gold f 0-10; retrieved f 5-15 twice and g 0-10: 5 characters shared, 30 retrieved, 5 gold ones missed."""
    found = scored("passages.chroma", [at(0, 10)], [at(5, 15), at(5, 15), at(0, 10, "g")])
    assert (found["precision"], found["recall"], found["iou"]) == pytest.approx((5 / 30, 0.5, 5 / 35))


def test_documents_by_hand() -> None:
    """Gold in f and g; the first passage has g's text in g, the second f's in h, the third no gold text in f."""
    gold = [{"file_path": "f", "answer": "aa"}, {"file_path": "g", "answer": "bb"}]
    texts = (("g", "a BB b"), ("h", "aa"), ("f", "zz"))
    passages = [{"file_path": file, "text": text} for file, text in texts]
    found = scored("passages.documents", gold, passages)
    assert (found["recall"], found["mismatch"], found["misplaced"]) == pytest.approx((1, 1 / 3, 1 / 2))
    second = scored("passages.documents(k=2)", gold, passages)
    assert (second["recall"], second["mismatch"], second["misplaced"]) == pytest.approx((1 / 2, 1 / 2, 1 / 2))
    assert scored("passages.documents", [at(0, 4)], [at(0, 4)])["misplaced"] is None  # no texts


def test_the_same_text_in_two_files_is_well_placed_in_either() -> None:
    gold = [{"file_path": file, "answer": "aa"} for file in ("f", "g")]
    found = scored("passages.documents", gold, [{"file_path": "g", "text": "aa"}])
    assert (found["recall"], found["misplaced"]) == (0.5, 0)


# ---------------------------------------------------------------- SQuAD, TREC, legal


@pytest.mark.parametrize(
    ("version", "gold", "passages", "want"),
    [
        ("1.1", ["the cat"], ["A cat!"], (1, 1)),
        ("2.0", ["cat sat"], ["the cat"], (0, 2 / 3)),
        ("1.1", ["a"], ["the"], (1, 0)),
        ("2.0", ["a"], ["the"], (1, 1)),
        ("2.0", [], [""], (1, 1)),
        ("2.0", [], [], (0, 0)),  # a question without prediction is wrong
        ("2.0", ["x"], [], (0, 0)),
        ("1.1", [""], [], (0, 0)),
        ("2.0", [], ["x"], (0, 0)),
        ("1.1", [], ["x"], (None, None)),
    ],
)
def test_squad(version: str, gold: list[str], passages: list[str], want: tuple[float | None, ...]) -> None:
    found = scored(f"passages.squad(version='{version}')", gold, passages)
    assert (found["exact_match"], found["f1"]) == pytest.approx(want)


@pytest.mark.parametrize(
    ("chance", "gold", "want"),
    [(0.4, ["x"], 1), (0.5, ["x"], 1), (0.6, ["x"], 0), (0.6, [], 1), (0.4, [], 0), (None, ["x"], 1)],
)
def test_squad_no_answer(chance: float | None, gold: list[str], want: int) -> None:
    """Above the threshold the prediction, an x, counts as the empty one."""
    ours = [{"id": 1, "answers": {"text": gold}}]
    theirs = [{"id": 1, "prediction_text": "x", "no_answer_probability": chance}]
    (found,) = spanscope.evaluate(ours, theirs, "passages.squad(no_answer=0.5)", ci=False).by_document()
    assert (found["exact_match"], found["f1"]) == (want, want)
    (plain,) = spanscope.evaluate(ours, theirs, "passages.squad", ci=False).by_document()
    assert plain["exact_match"] == bool(gold)


def test_trec_level() -> None:
    gold = [{"id": "d1", "relevance": 1}, {"id": "d2", "relevance": 2}]
    assert scored("passages.trec", gold, ids("d1", "d2"))["map"] == 1
    second = scored("passages.trec(level=2)", gold, ids("d1", "d2"))
    assert (second["map"], second["recip_rank"]) == (0.5, 0.5)
    first = scored("passages.trec_cut(k=1, level=2)", gold, ids("d1", "d2"))
    assert (first["success"], first["P"], first["map_cut"]) == (0, 0, 0)
    assert second["ndcg"] == pytest.approx((1 + 2 * LOG3) / (2 + LOG3))  # takes no notice of the level


def test_trec_ties_go_by_name_the_last_first() -> None:
    passages = [{"id": "d1", "score": 1}, {"id": "d2", "score": 1.0}]
    assert scored("passages.trec", ids("d1"), passages)["recip_rank"] == 0.5
    assert scored("passages.trec", ids("d2"), passages)["recip_rank"] == 1


def test_legal_is_the_script() -> None:
    """Empty passages match all, repeats count again, the ideal is of what was retrieved."""
    needs("nltk")
    assert scored("passages.legal", ["aa", "bb"], [""])["recall"] == 1
    missed = scored("passages.legal", ["aa", "bb"], ["aa", "aa"])
    assert (missed["recall"], missed["ndcg"]) == (0.5, 1)


def test_punkt_without_data_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = needs("nltk.data")
    monkeypatch.setattr(data, "path", [])
    with pytest.raises(MeasureError, match=r"^NLTK has no data for sentences \(punkt_tab\)"):
        scored("passages.legal(punkt=yes)", ["One. Two."], ["One. Two."])


@pytest.mark.parametrize("form", [name for name in NAMES if "squad" not in name and "trec" not in name])
def test_queries_without_gold_are_left_out(form: str) -> None:
    if form == "passages.legal":
        needs("nltk")
    both = {"text": "aa", "answer": "aa", **at(0, 4)}
    gold, pred = (a + b for a, b in zip(sides([both], [both]), sides([], [both], "none"), strict=True))
    result = spanscope.evaluate(gold, pred, form, ci=False)
    rate = "recall" if "recall" in {row.rate for row in result.rows} else result.rows[0].rate
    one = {"passages.f1": 2 * 0.1 / 1.1, "passages.rbp": 0.2}.get(form, 1)  # the most that one passage can bring
    assert mean(result, rate) == pytest.approx(one)
    assert [row[rate] for row in result.by_document()] == [pytest.approx(one), None]


def test_trec_counts_queries_without_relevant_documents_as_0() -> None:
    result = spanscope.evaluate({"q1": {"d1": 1}, "q2": {"d1": 0}}, {"q1": {"d1": 1.0}}, protocol="trec", ci=False)
    assert mean(result, "map") == 0.5


@pytest.mark.parametrize("passage", ["", "  ", "\n"])
def test_empty_passages_hold_nothing_and_take_a_place(passage: str) -> None:
    found = scored("passages.ranking", ["aa"], [passage, "aa"])
    assert (found["mrr"], found["precision"]) == (0.5, 0.1)


@pytest.mark.parametrize("form", NAMES)
def test_what_a_measure_needs(form: str) -> None:
    """Each measure says what the passages lack; those that can be joined by anything take what there is."""
    lacking = "identifier" if form in BY_ID else "place" if form in BY_PLACE else "text"
    ranked = "by" in spanscope.known()[form].parameters
    asked = f"{form}(by=overlap)" if ranked else form
    given = ["a"] if form in BY_ID or form in BY_PLACE else ids("a")
    words = "name no file" if form == "passages.documents" else f"have no {'place' if ranked else lacking}"
    with pytest.raises(MeasureError, match=rf"^some passages {words}\n"):
        scored(asked, given, given)
