"""Texts of answers: cases worked out by hand, and laws."""

import math
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.errors import InputError, MeasureError
from spanscope.measures.passages.answer_texts import (
    bag_f1,
    exact_match,
    normalise,
    one_contains_other,
    set_f1,
    substring_match,
    token_f1,
    words,
)
from spanscope.measures.passages.legal_texts import has_punkt, legal_query, legal_scores, legal_tokens
from spanscope.measures.passages.squad_texts import (
    Question,
    squad1_scores,
    squad2_scores,
    squad_exact,
    squad_f1,
    squad_tokens,
)
from tests.support import needs

# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t\u00a0", []),
        ("... — !", []),
        ("The Party's fee is $5,000.00.", ["the", "party", "s", "fee", "is", "5", "000", "00"]),
        ("opt-out a/b snake_case _x_", ["opt", "out", "a", "b", "snake", "case", "x"]),
        ("Émile_ÉMILE", ["émile", "émile"]),
        ("cafe\u0301 CAFÉ", ["café", "café"]),
        ("straße STRASSE", ["strasse", "strasse"]),
        ("ΣΊΣΥΦΟΣ σίσυφος", ["σίσυφοσ", "σίσυφοσ"]),
        ("\u0390 " + "\u0390".upper(), ["\u0390", "\u0390"]),
        ("§ 12 x² ½ ٣", ["12", "x²", "½", "٣"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("東京 대한", ["東京", "대한"]),
        ("1\ufe0f\u20e3 ❤\ufe0f é", ["1", "é"]),
        ("\u0301é \u0301", ["é"]),
        ("don’t", ["don", "t"]),
        ("a\u200bb", ["a", "b"]),
        ("\ud800é", ["é"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_thirty_marks_are_enough() -> None:
    """More in a row end the word; sorting all of them would take quadratic time."""
    assert words("x" + "\u0301" * 30 + "y") == ["x" + "\u0301" * 30 + "y"]
    assert words("x" + "\u0301" * 31 + "y") == ["x" + "\u0301" * 30, "y"]


# ---------------------------------------------------------------- F1


def test_sets_against_multisets() -> None:
    """As sets both are a, b, c; as multisets all 4 words of the one are among the 6 of the other."""
    one, other = "a b a c", "a b c c b a"
    assert token_f1(one, [other]) == 1.0
    assert token_f1(one, [other], multiset=True) == pytest.approx(2 * 4 / (4 + 6))
    assert set_f1({"a", "b"}, {"b", "c", "d"}) == pytest.approx(2 * 1 / (2 + 3))
    assert bag_f1(Counter("aab"), Counter("abbb")) == pytest.approx(2 * 2 / (3 + 4))


def test_best_gold_text() -> None:
    assert token_f1("the red cat", ["dog", "red cat", "a red dog"]) == pytest.approx(0.8)
    assert math.isnan(token_f1("cat", []))
    assert math.isnan(token_f1("cat", [], multiset=True))


@pytest.mark.parametrize("multiset", [False, True])
@pytest.mark.parametrize(
    ("one", "other", "expected"), [("", "", 1.0), ("...", " ", 1.0), ("", "cat", 0.0), ("cat", "—", 0.0)]
)
def test_texts_without_words(one: str, other: str, multiset: bool, expected: float) -> None:
    assert token_f1(one, [other], multiset=multiset) == expected


def test_other_tokens() -> None:
    assert token_f1("a-b c", ["a-b"], tokens=str.split) == pytest.approx(2 / 3)


texts = st.lists(st.sampled_from(["a", "B", "the", "É", "e\u0301", "5.00", "-", "_", "हिन्दी", "ß"])).map(" ".join)
texts |= st.text(max_size=30)


@given(texts, texts, st.booleans())
def test_f1_is_a_share_and_symmetric(one: str, other: str, multiset: bool) -> None:
    found = token_f1(one, [other], multiset=multiset)
    assert 0.0 <= found <= 1.0
    assert found == token_f1(other, [one], multiset=multiset)
    assert (found > 0) == (not set(words(one)).isdisjoint(words(other)) or not (words(one) or words(other)))


@given(texts, st.booleans())
def test_f1_of_equal_texts(text: str, multiset: bool) -> None:
    assert token_f1(text, [text], multiset=multiset) == 1.0
    assert token_f1(text, ["zebra zebra", text], multiset=multiset) == 1.0


@given(texts, texts)
def test_equal_sets_of_words_are_what_one_means(one: str, other: str) -> None:
    assert (token_f1(one, [other]) == 1.0) == (set(words(one)) == set(words(other)))
    assert (token_f1(one, [other], multiset=True) == 1.0) == (Counter(words(one)) == Counter(words(other)))


@given(texts)
def test_words_have_letters_and_digits_and_no_case(text: str) -> None:
    found = words(text)
    assert all(word[0].isalnum() and "_" not in word and not any(map(str.isspace, word)) for word in found)
    assert words(" ".join(found)) == found


@given(texts, st.lists(texts, min_size=1, max_size=3), st.sampled_from(["1.1", "2.0"]))
def test_squad_is_a_share(prediction: str, golds: list[str], version: Any) -> None:
    assert 0.0 <= squad_f1(prediction, golds, version=version) <= 1.0
    assert squad_exact(prediction, [prediction, *golds], version="1.1")
    assert squad_f1(prediction, [prediction, *golds], version=version) == 1.0 or not squad_tokens(prediction)
    if len(golds) == 1:
        assert squad_f1(golds[0], [prediction], version=version) == squad_f1(prediction, golds, version=version)


# ---------------------------------------------------------------- equality and substrings


def test_exact_match() -> None:
    assert exact_match(" The Cat\n", ["dog", "the cat"])
    assert not exact_match("the  cat", ["the cat"])  # blanks inside count
    assert not exact_match("the cat", [])
    assert exact_match("", [" "])


def test_normalised() -> None:
    assert normalise("  A\u00a0B\t\n c\u2003\x1fd ") == "a b c d"
    assert normalise(" \n") == ""


@pytest.mark.parametrize(
    ("passage", "gold", "expected"),
    [
        ("The Party\n shall", "party SHALL", True),
        ("shall", "The Party shall", True),
        ("same", "Same ", True),
        ("cat", "dog", False),
        ("cat", "cut", False),
        ("", "cat", False),
        ("cat", "", False),
        (" \n", "a cat", False),
        ("", "", False),
    ],
)
def test_substring_match(passage: str, gold: str, expected: bool) -> None:
    assert substring_match(passage, gold) is expected
    assert substring_match(gold, passage) is expected
    assert one_contains_other(normalise(passage), normalise(gold)) is expected


# ---------------------------------------------------------------- SQuAD beyond the recorded cases


def test_squad_without_answer() -> None:
    assert squad_exact("", [])
    assert squad_exact("The.", [])
    assert not squad_exact("cat", [])
    assert (squad_f1("", []), squad_f1("cat", [])) == (1.0, 0.0)
    assert squad_f1("", ["the", "cat"]) == 0.0  # an answer of which nothing is left is none beside another


def test_squad_refuses() -> None:
    version: Any = "3"
    with pytest.raises(MeasureError, match="SQuAD's version is '3'"):
        squad_f1("a", ["a"], version=version)
    with pytest.raises(InputError, match="no gold answer"):
        squad_exact("a", [], version="1.1")
    with pytest.raises(InputError, match="2 questions have 1 probabilities"):
        squad2_scores([Question(["x"], "x", 0.5), Question(["x"], "x")])


def test_squad_scores_by_hand() -> None:
    """Two right, one of them empty; one half right; one not answered."""
    asked = [Question(["red cat"], "cat"), Question([], ""), Question(["dog"], "Dog."), Question(["x"], None)]
    assert squad2_scores(asked) == {
        "exact": pytest.approx(200 / 3),
        "f1": pytest.approx(100 * (2 / 3 + 2) / 3),
        "total": 3,
        "HasAns_exact": 50.0,
        "HasAns_f1": pytest.approx(100 * (2 / 3 + 1) / 2),
        "HasAns_total": 2,
        "NoAns_exact": 100.0,
        "NoAns_f1": 100.0,
        "NoAns_total": 1,
    }
    found = squad1_scores(question for question in asked if question.golds)
    assert found == {"exact_match": pytest.approx(100 / 3), "f1": pytest.approx(100 * (2 / 3 + 1) / 3)}
    assert all(map(math.isnan, squad1_scores([]).values()))


def test_squad_threshold() -> None:
    """At 0.5 the second prediction counts as empty, which is right; with 0.2 the first does too, which is not."""
    asked = [Question(["cat"], "cat", 0.3), Question([], "dog", 0.9)]
    assert [squad2_scores(asked, threshold=at)["exact"] for at in (1.0, 0.5, 0.2)] == [50.0, 100.0, 50.0]
    found = squad2_scores(asked)
    assert (found["best_exact"], found["best_exact_thresh"]) == (100.0, 0.3)
    assert (found["best_f1"], found["best_f1_thresh"]) == (100.0, 0.3)


# ---------------------------------------------------------------- the legal script beyond the recorded cases


def test_legal_query_by_hand() -> None:
    """Matches at ranks 2 and 3, one of two gold texts: recall 1/2, nDCG over the two matches."""
    found = legal_query(["no", "the cat sat", "cat", "x"], ["Cat sat", "zebra"], 3, words)
    gain = 1 / math.log2(3) + 1 / 2
    assert found == {
        "exact_match": 0.0,
        "span_f1": 0.0,
        "recall": 0.5,
        "ndcg": pytest.approx(gain / (1 + 1 / math.log2(3))),
    }


def test_legal_oddities() -> None:
    """The script's own: an empty passage matches everything, missed gold texts do not lower nDCG, k may be odd."""
    blank = legal_query([" \n"], ["cat", "dog"], 10, words)
    assert blank == {"exact_match": 0.0, "span_f1": 0.0, "recall": 1.0, "ndcg": 1.0}
    assert legal_query(["cat"], ["cat", "dog"], 10, words)["ndcg"] == 1.0
    none, negative = (legal_query(["cat", "dog"], ["cat"], k, words) for k in (0, -1))
    assert (none["recall"], none["ndcg"]) == (0.0, 0.0)
    assert (negative["recall"], negative["ndcg"]) == (1.0, 0.0)
    assert all(map(math.isnan, legal_query(["cat"], [], 10, words).values()))


def test_legal_scores_leave_out_queries_without_gold_texts() -> None:
    found = legal_scores([["cat"], ["dog"], []], [["cat"], [], ["x"]], k=3, tokens=words)
    assert found == {"exact_match": 0.5, "span_f1": 0.5, "recall@3": 0.5, "ndcg@3": 0.5, "num_examples": 3}
    assert legal_scores([], [], tokens=words)["num_examples"] == 0


def test_legal_scores_tokenise_once() -> None:
    asked: list[str] = []

    def counting(text: str) -> list[str]:
        asked.append(text)
        return words(text)

    legal_scores([["cat"], ["cat"], ["cat"]], [["cat", "dog"], ["dog"], ["dog"]], tokens=counting)
    assert sorted(asked) == ["cat", "dog"]


def test_legal_tokens_sentence_by_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """With sentences every last full stop is split off; without, only that of the text."""
    needs("nltk")
    monkeypatch.setattr("nltk.tokenize.sent_tokenize", lambda text, _: text.split("| "))
    assert legal_tokens("It ends.| So  it\ndoes.") == ["it", "ends", "so", "it", "does"]
    assert legal_tokens("It ends. So  it\ndoes.", punkt=False) == ["it", "so", "it", "does"]


def test_legal_tokens_without_data(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("nltk")

    def missing(text: str, language: str) -> list[str]:
        raise LookupError("thirty lines")

    monkeypatch.setattr("nltk.tokenize.sent_tokenize", missing)
    with pytest.raises(MeasureError, match=r"punkt_tab\)\n  try       python -m nltk.downloader punkt_tab"):
        legal_tokens("It ends.")


def test_data_are_looked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = needs("nltk.data")
    monkeypatch.setattr(data, "path", [str(tmp_path)])
    assert not has_punkt()
    (tmp_path / "tokenizers/punkt_tab/english").mkdir(parents=True)
    assert has_punkt()
    monkeypatch.setitem(sys.modules, "nltk.data", None)
    assert not has_punkt()


def test_legal_tokens_without_nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk.tokenize", None)
    with pytest.raises(ImportError, match=r"pip install 'spanscope\[legal\]'"):
        legal_tokens("It ends.")


# ---------------------------------------------------------------- very long texts


def test_ten_megabytes() -> None:
    """Time grows with length, not with its square: texts that repeat, one word, blanks, heaps of accents."""
    started = time.process_time()
    size = 10_000_000
    passage = "The Receiving Party shall  not disclose\n any Information. " * (size // 57)
    gold = "party shall not disclose any information! " * 10
    assert not substring_match(passage, gold)
    assert substring_match(passage, gold.replace("!", ". the receiving")[:70].rstrip())
    assert token_f1(passage, [gold]) == pytest.approx(2 * 6 / (8 + 6), abs=0.05)
    assert squad_f1(passage, [gold]) < 0.001
    assert not exact_match(passage, [gold])
    one = "a" * size
    assert not substring_match(one, "a" * (size // 2) + "b")
    assert not substring_match(" " * size, "a")
    assert words("a" + "\u0301\u0316" * (size // 2)) == words("a" + "\u0301\u0316" * 15)
    assert time.process_time() - started < 60  # a square would take days
