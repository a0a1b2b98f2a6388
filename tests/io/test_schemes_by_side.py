"""Gold and predictions may be tagged in different schemes: the same spans score the same."""

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.io.tokens.found_scheme import detect_both
from tests.cli import run
from tests.support import Json
from tests.token_strategies import SCHEMES, Chunk, chunks, written

# Chunks of one, two and three tokens; two of one type touch, and two of different types.
SENTENCES: list[tuple[int, list[Chunk]]] = [
    (6, [("PER", 0, 2), ("LOC", 2, 3), ("PER", 4, 5)]),
    (7, [("ORG", 0, 3), ("ORG", 3, 4), ("LOC", 5, 7)]),
    (5, [("PER", 1, 4)]),
    (8, [("LOC", 0, 1), ("PER", 2, 4), ("PER", 4, 6), ("ORG", 6, 8)]),
]
WRONG: list[tuple[int, list[Chunk]]] = [*SENTENCES[:3], (8, [("LOC", 0, 1), ("ORG", 2, 4), ("PER", 6, 8)])]
MANY = 4
TAGGED = tuple(scheme for scheme in SCHEMES if scheme != "IO")
# Gold has 11 spans, the predictions 10: of the last sentence only LOC is right, so 8 of 10 and 8 of 11.
RIGHT = {"tp": 8 * MANY, "pred": 10 * MANY, "gold": 11 * MANY}


def side(sentences: list[tuple[int, list[Chunk]]], scheme: str) -> list[Json]:
    found = [(size, written(own, size, scheme)) for size, own in sentences * MANY]
    return [{"tokens": [f"w{n}" for n in range(size)], "tags": tags} for size, tags in found]


@pytest.mark.parametrize(("gold", "pred"), list(permutations(TAGGED, 2)))
def test_schemes_are_found_by_side(gold: str, pred: str) -> None:
    result = spanscope.evaluate(side(SENTENCES, gold), side(WRONG, pred), "spans.exact", ci=False)
    assert result.totals() == RIGHT
    assert result.problems.number == {}
    assert f"|gold_scheme:{gold}|pred_scheme:{pred}|" in result.signature()
    assert (result.settings.plain()["scheme"], result.settings.plain()["pred_scheme"]) == (gold, pred)


@pytest.mark.parametrize("scheme", TAGGED)
def test_one_scheme_is_said_once(scheme: str) -> None:
    result = spanscope.evaluate(side(SENTENCES, scheme), side(WRONG, scheme), "spans.exact", ci=False)
    assert result.totals() == RIGHT
    assert f"|scheme:{scheme}|" in result.signature()
    assert "pred_scheme" not in result.settings.plain()


def test_plain_types_stand_beside_prefixes() -> None:
    """IO cannot tell two chunks of one type apart that touch, so there are none here."""
    apart = [(6, [("PER", 0, 2), ("LOC", 2, 3), ("PER", 4, 5)])]
    result = spanscope.evaluate(side(apart, "IO"), side(apart, "IOB2"), "spans.exact", ci=False)
    assert result.totals() == {"tp": 12, "pred": 12, "gold": 12}
    assert "|gold_scheme:IO|pred_scheme:IOB2|" in result.signature()


def test_ill_formed_tags_of_a_system_are_no_scheme_of_their_own() -> None:
    """I- after O, in IOB2: reported, and not read as IOB1."""
    gold, pred = side(SENTENCES, "IOB2"), side(SENTENCES, "IOB2")
    pred[0]["tags"] = [tag.replace("B-", "I-") for tag in pred[0]["tags"]]
    result = spanscope.evaluate(gold, pred, "spans.exact", ci=False)
    assert "|scheme:IOB2|" in result.signature()
    assert result.problems.number == {"ill-formed tag": 3}
    assert detect_both((["B-PER"], [1]), (["O"], [1])) == ("IOB2", "IOB2")
    assert detect_both((["O"], [1]), (["U-PER"], [1])) == ("BILOU", "BILOU")


SAID: list[tuple[Any, ...]] = [
    (lambda own: own(scheme="IOB2"), lambda own: own(scheme="BILOU")),
    (lambda own: own(), lambda own: own(scheme="BILOU")),
    (lambda own: own(scheme="BIO"), lambda own: own()),
]


@pytest.mark.parametrize(("gold", "pred"), SAID)
def test_a_scheme_can_be_said_of_one_side(gold: Any, pred: Any) -> None:
    ours = gold(lambda **given: spanscope.source(side(SENTENCES, "IOB2"), **given))
    theirs = pred(lambda **given: spanscope.source(side(WRONG, "BILOU"), **given))
    result = spanscope.evaluate(ours, theirs, "spans.exact", ci=False)
    assert result.totals() == RIGHT
    assert result.signature().count("pred_scheme:BILOU") == 1
    assert result.signature().count("gold_scheme:IOB2") == 1


@settings(max_examples=max(settings.default.max_examples // 2, 1))
@given(draw=st.data(), schemes=st.permutations(TAGGED))
def test_the_same_chunks_are_the_same_spans_in_any_two_schemes(draw: st.DataObject, schemes: list[str]) -> None:
    sizes = draw.draw(st.lists(st.integers(0, 8), min_size=1, max_size=3))
    sentences = [(size, draw.draw(chunks(size))) for size in sizes]
    gold, pred = (spanscope.source(side(sentences, one), scheme=one) for one in schemes[:2])
    result = spanscope.evaluate(gold, pred, "spans.exact", ci=False)
    number = MANY * sum(len(own) for _, own in sentences)
    assert result.totals() == {"tp": number, "pred": number, "gold": number}
    assert result.problems.number == {}


def put(path: Path, sentences: list[tuple[int, list[Chunk]]], scheme: str) -> str:
    lines = [
        "".join(f"{word} {tag}\n" for word, tag in zip(doc["tokens"], doc["tags"], strict=True))
        for doc in side(sentences, scheme)
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def test_the_command_line(tmp_path: Path) -> None:
    gold, pred = put(tmp_path / "g.conll", SENTENCES, "IOB2"), put(tmp_path / "p.conll", WRONG, "BILOU")
    for options in ((), ("--gold-scheme", "BIO"), ("--gold-scheme", "iob2", "--pred-scheme", "BILOU")):
        done = run("eval", gold, pred, *options, "-m", "spans.exact", "--no-ci", "-f", "json")
        assert done.code == 0, done.err
        assert "|gold_scheme:IOB2|pred_scheme:BILOU|" in done.out
        assert "ill-formed" not in done.out + done.err


@pytest.mark.parametrize(
    ("name", "scheme"), [("BIO", "IOB2"), ("bio", "IOB2"), ("BIOES", "IOBES"), ("BILUO", "BILOU")]
)
def test_schemes_have_other_names(name: str, scheme: str, tmp_path: Path) -> None:
    path = put(tmp_path / "g.conll", SENTENCES, scheme)
    result = spanscope.evaluate(path, path, "spans.exact", ci=False, read=spanscope.Reading(scheme=name))
    assert f"|scheme:{scheme}|" in result.signature()
    assert run("check", path, "--scheme", name).code == 0


def test_a_scheme_of_one_side_is_refused_where_nothing_would_read_it() -> None:
    tags, spans = side(SENTENCES, "IOB2"), [{"id": 1, "spans": [[0, 1, "A"]]}]
    with pytest.raises(spanscope.MeasureError, match="scheme of pred has no effect on data without tagged tokens"):
        spanscope.evaluate(spans, spanscope.source(spans, scheme="IOB2"), "spans.exact")
    with pytest.raises(spanscope.MeasureError, match="seqeval-strict reads tags by the rules of the tool"):
        spanscope.evaluate(tags, spanscope.source(tags, scheme="IOB2"), protocol="seqeval-strict")
    with pytest.raises(spanscope.SpanscopeError, match="no scheme is called 'IOB3'"):
        spanscope.evaluate(tags, spanscope.source(tags, scheme="IOB3"), "spans.exact")


def test_a_protocol_that_copies_a_tool_has_one_scheme() -> None:
    """seqeval's strict mode takes one scheme for both sides, and IOB2 is what fits most tags here."""
    result = spanscope.evaluate(side(SENTENCES, "IOB2"), side(WRONG, "IOB1"), protocol="seqeval-strict", ci=False)
    assert "pred_scheme" not in result.signature()


# ---------------------------------------------------------------- -100

NAMES = ["O", "B-PER", "I-PER"]
READ = spanscope.Reading(tag_names=NAMES)
# [CLS] Jo ##hn Smith left [SEP]: the special tokens and the further part of a word are not scored.
PIECES = ["[CLS]", "Jo", "##hn", "Smith", "left", "[SEP]"]
IDS = [-100, 1, -100, 2, 0, -100]
ARGMAX = [0, 1, 2, 2, 1, 2]  # a model says something everywhere; `left` is wrong


@pytest.mark.parametrize("told", [ARGMAX, [-100, 1, -100, 2, 1, -100]])
def test_tokens_with_minus_100_are_not_scored(told: list[int]) -> None:
    """As in Hugging Face's compute_metrics: positions where gold is -100 are left out of both sides."""
    gold, pred = [{"tokens": PIECES, "ner_tags": IDS}], [{"tokens": PIECES, "ner_tags": told}]
    result = spanscope.evaluate(gold, pred, "spans.exact", read=READ)
    assert result.totals() == {"tp": 1, "pred": 2, "gold": 1}
    assert [(one["gold"]["start"], one["gold"]["end"]) for one in result.matches("correct")] == [(0, 2)]
    lists = spanscope.evaluate([IDS], [told], "spans.exact", read=READ)
    assert lists.totals() == result.totals()


def test_both_columns_of_a_document_lose_the_token() -> None:
    starts = [0, 0, 2, 5, 11, 15]
    text = "John Smith left"
    document = {"text": text, "tokens": ["", "Jo", "hn", "Smith", "left", ""], "start_indices": starts}
    both = [{**document, "tags": IDS, "predicted_tags": ARGMAX}]
    result = spanscope.evaluate(both, None, ["spans.exact", "tokens.accuracy"], read=READ)
    assert result.totals() == {"tp": 1, "pred": 2, "gold": 1}
    assert [(one["gold"]["start"], one["gold"]["end"]) for one in result.matches("correct")] == [(0, 10)]
    assert result.totals("tokens.accuracy") == {"right": 2, "tokens": 3, "gold": 3, "pred": 3}


def test_a_prediction_of_minus_100_where_gold_has_a_tag_is_refused() -> None:
    gold, pred = [{"tokens": PIECES, "tags": IDS}], [{"tokens": PIECES, "tags": [0, -100, 0, 0, 0, 0]}]
    with pytest.raises(spanscope.InputError, match="a prediction is -100 where gold has a tag"):
        spanscope.evaluate(gold, pred, "spans.exact", read=READ)


def test_other_numbers_without_a_name_are_refused() -> None:
    gold = [{"tokens": ["a"], "tags": [-1]}]
    with pytest.raises(spanscope.InputError, match="the tag -1 has no name"):
        spanscope.evaluate(gold, gold, "spans.exact", read=READ)
