"""Hand-worked cases of what presidio-evaluator 0.3.2 counts, scenario by scenario."""

import pickle
import random
from collections import Counter

import pytest

import spanscope
from spanscope import InputError
from spanscope.measures.tools.presidio_rules import (
    GENERIC,
    Document,
    Tally,
    default_skip_words,
    score_document,
    score_tokens,
)

NONE: frozenset[str] = frozenset()
TAGS = {"P": "PERSON", "L": "LOCATION", "X": "ORG", "O": "O", "_": ""}


def made(text: str, gold: str, pred: str, starts: list[int] | None = None) -> Document:
    """Return a document of words with one blank between them, one letter per tag."""
    tokens = text.split(" ")
    at = [sum(len(word) + 1 for word in tokens[:n]) for n in range(len(tokens))]
    return Document(tokens, starts or at, [TAGS[tag] for tag in gold], [TAGS[tag] for tag in pred])


def spans(
    text: str,
    gold: str,
    pred: str,
    threshold: float = 0.5,
    *,
    char: bool = True,
    skip: frozenset[str] = NONE,
    starts: list[int] | None = None,
) -> Tally:
    document = made(text, gold, pred, starts)
    return score_document(document, threshold=threshold, char_based=char, skip_words=skip)


def hit(number: int = 1) -> list[int]:
    return [number, 0, 0, number, number]


# ---------------------------------------------------------------- no or one prediction


def test_nothing() -> None:
    assert spans("a b", "OO", "OO") == Tally({}, [0] * 5, Counter(), [])
    assert score_document(Document([], [], [], []), threshold=0.9, char_based=True, skip_words=NONE) == Tally()


@pytest.mark.parametrize("char", [True, False])
def test_exact(char: bool) -> None:
    tally = spans("Ann Lee left", "PPO", "PPO", 1.0, char=char)
    assert tally == Tally({"PERSON": hit()}, hit(), Counter({("PERSON", "PERSON"): 1}), [])


def test_missed() -> None:
    tally = spans("Ann left", "PO", "OO")
    assert tally.per_type == {"PERSON": [0, 0, 1, 0, 1]}
    assert tally.pii == [0, 0, 1, 0, 1]
    assert tally.results == {("PERSON", "O"): 1}
    assert tally.errors == [("FN", "PERSON", "O")]


def test_stray_is_told_twice() -> None:
    """A prediction that meets nothing leaves a cell and an error in the PII pass too."""
    tally = spans("Ann left", "OO", "PO")
    assert tally.per_type == {"PERSON": [0, 1, 0, 1, 0]}
    assert tally.pii == [0, 1, 0, 1, 0]
    assert tally.results == {("O", "PERSON"): 1, ("O", "PII"): 1}
    assert tally.errors == [("FP", "O", "PERSON"), ("FP", "O", "PII")]


def test_wrong_type() -> None:
    tally = spans("Paris shines", "LO", "PO")
    assert tally.per_type == {"LOCATION": [0, 0, 1, 0, 1], "PERSON": [0, 1, 0, 1, 0]}
    assert tally.pii == hit()
    assert tally.results == {("LOCATION", "PERSON"): 1}
    assert Counter(kind for kind, _, _ in tally.errors) == {"WrongEntity": 1, "FN": 1, "FP": 1}


@pytest.mark.parametrize("found", ["P", "L"])
def test_too_little_is_a_miss_and_a_false_alarm(found: str) -> None:
    """3 of 11 characters, one of three tokens."""
    tally = spans("Ann Lee Poe", "PPP", f"{found}OO")
    assert tally.results == {("PERSON", "O"): 1, ("O", TAGS[found]): 1}
    assert tally.pii == [0, 1, 1, 1, 1]
    assert tally.per_type["PERSON"][2] == tally.per_type[TAGS[found]][1] == 1
    assert sorted(tally.errors) == [("FN", "PERSON", "O"), ("FP", "O", TAGS[found])]


@pytest.mark.parametrize(
    ("threshold", "char", "hits"), [(5 / 7, True, 1), (0.75, True, 0), (0.75, False, 1), (0.76, False, 0)]
)
def test_threshold_is_inclusive(threshold: float, char: bool, hits: int) -> None:
    """Three of four tokens of one letter are 5 of 7 characters."""
    assert spans("a b c d", "PPPP", "PPPO", threshold, char=char).pii[0] == hits


def test_touching_is_not_meeting() -> None:
    tally = spans("ab cd", "PO", "OP", 0.0, starts=[0, 2])
    assert tally.pii == [0, 1, 1, 1, 1]


def test_empty_token_meets_itself_by_tokens_only() -> None:
    document = Document(["A", "", "B"], [0, 2, 3], ["O", "PERSON", "O"], ["O", "PERSON", "O"])
    by_char, by_token = (
        score_document(document, threshold=0.5, char_based=char, skip_words=NONE) for char in (True, False)
    )
    assert by_char.pii == [0, 1, 1, 1, 1]
    assert by_token.pii == hit()


def test_same_word_elsewhere_is_another_token() -> None:
    assert spans("Ann met Ann", "POO", "OOP", char=False).pii == [0, 1, 1, 1, 1]


# ---------------------------------------------------------------- several predictions or gold spans


def test_predictions_of_one_type_count_together() -> None:
    """Characters {0..3} and {8..12} of {0..13}, as the tool has it: 9 of 14; tokens: 2 of 3."""
    text, gold, pred = "New York Mets", "XXX", "XOX"
    assert spans(text, gold, pred, 9 / 14).per_type == {"ORG": hit()}
    assert spans(text, gold, pred, 2 / 3, char=False).per_type == {"ORG": hit()}
    low = spans(text, gold, pred, 0.9)
    assert low.per_type == {"ORG": [0, 1, 1, 1, 1]}
    assert low.results == {("ORG", "O"): 1, ("O", "ORG"): 1}


def test_combined_share_is_one_character_off() -> None:
    """ "abcd" of "abcd efgh" is 4/9, but 5/10 for the tool as soon as another prediction meets the gold span."""
    assert spans("abcd efgh", "PP", "PO", 0.5).per_type["PERSON"][0] == 0
    assert spans("abcd efgh", "PP", "PL", 0.5).per_type["PERSON"][0] == 1
    assert spans("abcd efgh", "PP", "PL", 0.51).per_type["PERSON"][0] == 0


def test_further_predictions_are_shifted() -> None:
    """Gold {0..13}; {0..2} and, shifted to the left, {8..12} are predicted: 8 of 14 characters, not 6 of 13."""
    text, gold, pred = "ab cdefg hijk", "PPP", "POP"
    assert spans(text, gold, pred, 8 / 14).pii == hit()
    assert spans(text, gold, pred, 8 / 14 + 0.01).pii == [0, 1, 1, 1, 1]


def test_miss_stays_when_the_right_type_follows() -> None:
    """The gold span is a miss for the type on the left and a hit for its own."""
    tally = spans("Bob John Smith Johnson", "PPPP", "LPPP")
    assert tally.per_type == {"PERSON": [1, 0, 1, 1, 1], "LOCATION": [0, 1, 0, 1, 0]}
    assert tally.results == {("PERSON", "O"): 1, ("O", "LOCATION"): 1, ("PERSON", "PERSON"): 1}
    assert sorted(tally.errors) == [("FN", "PERSON", "O"), ("FP", "O", "LOCATION")]
    assert tally.pii == hit()


def test_another_type_after_a_hit_is_a_cell_but_no_miss() -> None:
    tally = spans("John Smith Johnson Bob", "PPPP", "PPPL")
    assert tally.per_type == {"PERSON": hit(), "LOCATION": [0, 1, 0, 1, 0]}
    assert tally.results == {("PERSON", "PERSON"): 1, ("PERSON", "O"): 1, ("O", "LOCATION"): 1}
    assert tally.errors == [("FP", "O", "LOCATION")]


def test_another_type_that_covers_enough() -> None:
    tally = spans("Al Johannesburg", "PP", "PL", 0.7)
    assert tally.per_type == {"PERSON": [0, 1, 1, 1, 1], "LOCATION": [0, 1, 0, 1, 0]}
    assert tally.results == {("PERSON", "O"): 1, ("O", "PERSON"): 1, ("PERSON", "LOCATION"): 1}
    assert Counter(kind for kind, _, _ in tally.errors) == {"FN": 1, "FP": 2, "WrongEntity": 1}


def test_one_prediction_over_two_gold_spans_counts_twice() -> None:
    text, gold, pred = "John met Mary", "POP", "PPP"
    assert spans(text, gold, pred, 0.3).per_type == {"PERSON": hit(2)}
    assert spans(text, gold, pred, 0.5).per_type == {"PERSON": [0, 2, 2, 2, 2]}
    mixed = spans("Jonathan Smith x Al", "PPOP", "PPPP", 0.7)
    assert mixed.per_type == {"PERSON": [1, 1, 1, 2, 2]}


# ---------------------------------------------------------------- spans


def test_neighbours_of_other_types_are_one_for_pii() -> None:
    tally = spans("Acme Paris x", "XLO", "XOO")
    assert tally.per_type == {"ORG": hit(), "LOCATION": [0, 0, 1, 0, 1]}
    assert tally.pii == [0, 1, 1, 1, 1]  # 4 of 10 characters


def test_skip_words_are_trimmed() -> None:
    assert spans("The John", "PP", "OP", 1.0, skip=frozenset({"the"})).pii == hit()


def test_span_of_skip_words_does_not_exist() -> None:
    tally = spans("The Who", "PP", "OL", skip=default_skip_words())
    assert tally == Tally()


def test_spans_join_over_skip_words() -> None:
    """ "John and Mary" is one gold span, of which John is too little."""
    tally = spans("John and Mary", "POP", "POO", 0.5, skip=default_skip_words())
    assert tally.per_type == {"PERSON": [0, 1, 1, 1, 1]}
    assert spans("John of Smith", "PLP", "PPP", 1.0, skip=frozenset({"of"})).per_type == {"PERSON": hit()}
    assert spans("John met Mary", "POP", "POP", 1.0, skip=default_skip_words()).per_type == {"PERSON": hit(2)}


def test_blanks_are_stripped_between_spans_but_not_inside() -> None:
    document = Document(["John", " of ", "Lee"], [0, 5, 10], ["P", "O", "P"], ["P", "P", "P"])
    tally = score_document(document, threshold=1.0, char_based=False, skip_words=frozenset({"of"}))
    assert tally.per_type == {"P": [0, 1, 1, 1, 1]}  # joined: 2 tokens of 3
    assert tally.per_type != score_document(document, threshold=1.0, char_based=False, skip_words=NONE).per_type


def test_skip_words_in_capitals_never_match() -> None:
    assert spans("Of John", "PP", "OP", 1.0, skip=frozenset({"Of"})).pii == [0, 1, 1, 1, 1]


def test_prefixes_are_part_of_types() -> None:
    document = Document(["Ann", "Lee"], [0, 4], ["B-PER", "I-PER"], ["B-PER", "I-PER"])
    tally = score_document(document, threshold=0.9, char_based=True, skip_words=NONE)
    assert tally.per_type == {"B-PER": hit(), "I-PER": hit()}
    assert tally.pii == hit()


def test_empty_tag_is_pii_only() -> None:
    tally = spans("Ann Lee", "P_", "P_")
    assert tally.per_type == {"PERSON": hit()}
    assert tally.pii == hit()
    assert spans("Ann Lee x", "P_O", "POO").pii == [0, 1, 1, 1, 1]


def test_capitals_that_grow() -> None:
    """The lower case of a Turkish capital has two characters, and so the span 9."""
    assert spans("İstanbul x", "LO", "LO", 1.0).pii == hit()
    assert spans("İstanbul x", "LL", "LO", 9 / 10, starts=[0, 9]).pii == hit()


def test_starts_that_jump() -> None:
    """Places that do not grow are taken as they are: all at 0 they meet."""
    tally = spans("Ann Bob", "PO", "OP", starts=[0, 0])
    assert tally.per_type == {"PERSON": hit()}
    assert spans("Ann met Bob", "POL", "POL", 1.0, starts=[20, 10, 0]).pii == hit(1)


# ---------------------------------------------------------------- tokens


def cells(
    text: str,
    gold: list[str],
    pred: list[str],
    *,
    skip: frozenset[str] = NONE,
    generic: frozenset[str] = GENERIC,
    keep: frozenset[str] | None = None,
) -> dict[tuple[str, str], int]:
    tokens = text.split(" ")
    document = Document(tokens, list(range(len(tokens))), gold, pred)
    return dict(score_tokens(document, skip_words=skip, generic=generic, keep=keep))


def test_skip_word_counts_when_right_not_when_wrong() -> None:
    found = cells("the John of Of", ["P", "P", "O", "P"], ["P", "P", "P", "O"], skip=frozenset({"the", "of"}))
    assert found == {("P", "P"): 2}
    assert cells("of of x", ["P", "P", "P"], ["O", "O", "O"], skip=frozenset({"of"})) == {("P", "O"): 1}


def test_generic_tags_agree_with_all_but_outside() -> None:
    found = cells("a b c d", ["PER", "ID", "O", "PII"], ["PII", "SSN", "PII", "O"])
    assert found == {("PER", "PER"): 1, ("SSN", "SSN"): 1, ("O", "PII"): 1, ("PII", "O"): 1}
    assert cells("a", ["ID"], ["NUM"]) == {("ID", "ID"): 1}
    assert cells("the the x", ["P"] * 3, ["PII"] * 3, skip=frozenset({"the"})) == {("P", "P"): 3}
    assert cells("a", ["PER"], ["PII"], generic=NONE) == {("PER", "PII"): 1}


def test_tags_that_are_not_kept_are_outside() -> None:
    found = cells("a b c", ["PER", "LOC", "PER"], ["PER", "PER", "PII"], keep=frozenset({"PER"}))
    assert found == {("PER", "PER"): 1, ("O", "PER"): 1, ("PER", "O"): 1}


def test_agreement_everywhere() -> None:
    assert cells("a b", ["O", "PER"], ["O", "PER"]) == {("O", "O"): 1, ("PER", "PER"): 1}


# ---------------------------------------------------------------- laws and manners


def test_lengths_differ() -> None:
    with pytest.raises(InputError, match="2 tokens have 1 starts, 2 gold, 3 pred"):
        Document(["a", "b"], [0], ["O", "O"], ["O", "O", "O"])


def test_tally_can_be_sent() -> None:
    tally = spans("Ann Lee", "PL", "PP")
    assert pickle.loads(pickle.dumps(tally)) == tally


@pytest.mark.parametrize("char", [True, False])
def test_what_is_found_adds_up(char: bool) -> None:
    """TP and FP are all that is predicted, for every type and for PII, and no cell is empty."""
    dice = random.Random(7)
    for _ in range(500):
        size = dice.randint(1, 12)
        text = " ".join(dice.choice(["Ann", "of", "Wilhelmina", "x"]) for _ in range(size))
        gold, pred = ("".join(dice.choice("OOPPL") for _ in range(size)) for _ in range(2))
        tally = spans(text, gold, pred, dice.random(), char=char, skip=dice.choice([NONE, frozenset({"of"})]))
        for counts in (*tally.per_type.values(), tally.pii):
            assert counts[0] + counts[1] == counts[3]
            assert counts[0] + counts[2] >= counts[4]
        assert all(count > 0 for count in tally.results.values())
        assert spans(text, gold, gold, 1.0, char=char).pii[1:3] == [0, 0]


# ---------------------------------------------------------------- labels and skip words of one's own

WORDS = ["Ann", "Lee", "GmbH", "met", "Bonn"]
DOCUMENT = {
    "tokens": WORDS,
    "start_indices": [0, 4, 8, 13, 17],
    "tags": ["PERSON", "PERSON", "O", "O", "LOCATION"],
    "predicted_tags": ["PERSON", "PERSON", "PERSON", "O", "ORG"],
}


def tool(form: str, **options: object) -> dict[str, dict[str, int | float]]:
    return spanscope.evaluate([DOCUMENT], None, form, protocol="presidio", **options).counts()  # type: ignore[arg-type]


def five(*counts: int) -> dict[str, int]:
    return dict(zip(("tp", "fp", "fn", "pred", "gold"), counts, strict=True))


def test_only_some_labels_are_scored_by_the_rules_of_the_tool() -> None:
    """Ann Lee in Ann Lee GmbH: 7 of 12 characters, below 0.9. Without LOCATION and ORG there is no other PII."""
    counts = tool("tokens.presidio_evaluator(skip_words=none)")
    assert counts["*"] == five(1, 1, 1, 2, 2)  # Bonn is found as PII
    counts = tool("tokens.presidio_evaluator(skip_words=none)", labels=["PERSON"])
    assert counts == {"PERSON": five(0, 1, 1, 1, 1), "*": five(0, 1, 1, 1, 1)}
    counts = tool("tokens.presidio_tokens", labels=["PERSON"])
    assert counts == {"PERSON": five(2, 1, 0, 3, 2), "*": five(2, 1, 0, 3, 2)}


def test_a_label_that_is_renamed_is_a_type_by_its_new_name() -> None:
    read = spanscope.Reading(mapping={"ORG": "LOCATION", "PERSON": ""})
    counts = tool("tokens.presidio_evaluator(skip_words=none)", read=read)
    assert counts == {"LOCATION": five(1, 0, 0, 1, 1), "*": five(1, 0, 0, 1, 1)}


def test_skip_words_of_ones_own_are_skipped_as_the_tool_does() -> None:
    """Without gmbh the prediction is Ann Lee. The tool lowers the tokens, and not the words of the list."""
    assert tool("tokens.presidio_evaluator(extra_skip_words='gmbh met')")["PERSON"] == five(1, 0, 0, 1, 1)
    assert tool("tokens.presidio_evaluator(extra_skip_words='GmbH')")["PERSON"] == five(0, 1, 1, 1, 1)
    assert tool("tokens.presidio_tokens(extra_skip_words='gmbh')")["PERSON"] == five(2, 0, 0, 2, 2)


def test_skip_words_of_ones_own_are_left_out_of_what_we_count() -> None:
    """Ours takes words in any case: 2 of 2 tokens instead of 2 of 3."""
    for words, found in (("", 0), ("GmbH x", 1), ("gmbh", 1)):
        form = f"tokens.presidio(extra_skip_words={words!r})"
        assert spanscope.evaluate([DOCUMENT], None, form).counts()["PERSON"]["tp_gold"] == found


def test_tags_with_prefixes_are_refused_beside_labels_without() -> None:
    tags = {"tags": ["B-PER", "O", "O", "O", "O"], "predicted_tags": ["O"] * 5}
    with pytest.raises(spanscope.MeasureError, match="the tag 'B-PER' is a type to presidio-evaluator"):
        spanscope.evaluate([DOCUMENT | tags], None, protocol="presidio", labels=["PER"])
