"""Live comparison with seqeval 1.2.2: its classification report, the figures and the printed text, on tags."""

import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import spanscope
from spanscope.errors import InputError
from tests.cli import run, write
from tests.peers.test_seqeval import RATES, assert_figures
from tests.support import needs

metrics = needs("seqeval.metrics")
schemes = needs("seqeval.scheme")
Sentences = list[list[str]]
Sides = tuple[Sentences, Sentences]
PREFIXES = {"IOB1": "IB", "IOB2": "IB", "IOE1": "IE", "IOE2": "IE", "IOBES": "BIES", "BILOU": "BILU"}
TYPES = ("-PER", "-PER", "-LOC", "-a label longer than weighted avg", "-", "", "-X-Y", "-_")


@st.composite
def sides_of(draw: DrawFn, prefixes: str) -> Sides:
    """Draw tags in any order, well-formed or not; half of the predictions are gold's tags again."""
    tag = st.one_of(
        st.just("O"), st.builds(str.__add__, st.sampled_from(prefixes), st.sampled_from(TYPES)), st.just("O")
    )
    gold = draw(st.lists(st.lists(tag, min_size=1, max_size=8), min_size=1, max_size=5))
    pred = [[draw(st.one_of(st.just(own), tag)) for own in sentence] for sentence in gold]
    return gold, pred


def theirs(sides: Sides, **options: Any) -> Any:
    """Return seqeval's report; where it finds no entity on either side it raises, and there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a tag seems not to be one, for each
        try:
            return metrics.classification_report(*sides, zero_division=0, **options)
        except ValueError as error:
            if "max()" not in str(error):
                raise
            return None


def same(sides: Sides, result: spanscope.Result, **options: Any) -> None:
    """Compare figures to 1e-12, and the text to the character."""
    text = theirs(sides, **options)
    if text is None:
        assert result.counts() == {}
        return
    assert result.table("seqeval") == text
    assert_figures(result, theirs(sides, output_dict=True, **options))


# ---------------------------------------------------------------- the same report


@settings(max_examples=150)
@given(sides=sides_of("BIES"))
def test_default(sides: Sides) -> None:
    same(sides, spanscope.evaluate(*sides, protocol="seqeval", ci=False))


def typed(sides: Sides) -> bool:
    """Say whether every L and U has a type (see below)."""
    return not any(tag in UNTYPED for side in sides for sentence in side for tag in sentence)


UNTYPED = {f"{prefix}{kind}" for prefix in "LU" for kind in ("", "-", "-_")}


@given(sides=sides_of("BILU").filter(typed))
def test_default_reads_bilou_as_seqeval_does(sides: Sides) -> None:
    """It does not know L and U, which end and start only by a change of type: its figures, not good ones."""
    same(sides, spanscope.evaluate(*sides, protocol="seqeval", ci=False))


def test_a_chunk_never_starts_in_the_sentence_before() -> None:
    """O has the type _ to seqeval, so that L- behind it starts nothing, but ends: in another sentence's chunk.

    seqeval then has ('_', 0, 3) in gold and ('_', 1, 3) in the predictions, over both sentences; here a chunk
    starts in its own sentence, and the two are the same.
    """
    sides = ([["O", "O"], ["L-", "B-X"]], [["O", "B-X"], ["L-", "B-X"]])
    assert spanscope.evaluate(*sides, protocol="seqeval", ci=False).counts()["_"] == {
        "tp": 1,
        "pred": 1,
        "gold": 1,
    }


@pytest.mark.parametrize("scheme", PREFIXES)
@settings(max_examples=50)
@given(data=st.data())
def test_strict(scheme: str, data: st.DataObject) -> None:
    sides = data.draw(sides_of(PREFIXES[scheme]))
    result = spanscope.evaluate(*sides, protocol="seqeval-strict", read=spanscope.Reading(scheme=scheme), ci=False)
    same(sides, result, mode="strict", scheme=getattr(schemes, scheme))


@pytest.mark.parametrize("scheme", ["IOB2", "IOE2", "IOBES", "BILOU"])
def test_strict_finds_the_scheme_out_where_seqeval_does(scheme: str) -> None:
    """Every prefix of the scheme in well-formed gold, which is what seqeval needs to know a scheme."""
    chunks = {
        "IOB2": "B-X I-X O B-Y",
        "IOE2": "I-X E-X O E-Y",
        "IOBES": "B-X I-X E-X O S-Y",
        "BILOU": "B-X I-X L-X O U-Y",
    }
    gold = [chunks[scheme].split()]
    sides = (gold, [gold[0][:2] + ["O"] * (len(gold[0]) - 2)])
    same(sides, spanscope.evaluate(*sides, protocol="seqeval-strict", ci=False), mode="strict")


@settings(max_examples=100)
@given(sides=sides_of("BIESLUQ"))
@example(sides=([["O"]], [["O"]]))
def test_accuracy(sides: Sides) -> None:
    result = spanscope.evaluate(*sides, "tokens.accuracy", read=spanscope.Reading(scheme="IOB2"), ci=False)
    assert result.value("accuracy") == pytest.approx(metrics.accuracy_score(*sides), abs=1e-12)


@pytest.mark.parametrize(("protocol", "option"), [("seqeval", None), ("seqeval-strict", "strict")])
def test_the_command_prints_the_text(protocol: str, option: str | None, tmp_path: Path) -> None:
    gold = [["B-PER", "I-PER", "O"], ["B-LOC", "O", "I-LOC"]]
    pred = [["B-PER", "I-PER", "B-LOC"], ["B-LOC", "O", "B-LOC"]]
    lines = ["".join(f"w {a} {b}\n" for a, b in zip(*pair, strict=True)) for pair in zip(gold, pred, strict=True)]
    done = run("eval", write(tmp_path / "a.conll", "\n".join(lines)), "-p", protocol, "--format", "seqeval")
    assert (done.code, done.out) == (0, theirs((gold, pred), mode=option, scheme=option and schemes.IOB2))


# ---------------------------------------------------------------- where seqeval has no report

NOTHING: Sides = ([["O", "O"]], [["O", "O"]])
STRAY: Sides = ([["O", "I-X"]], [["I-X", "O"]])


@pytest.mark.parametrize(
    ("sides", "protocol", "mode"), [(NOTHING, "seqeval", None), (STRAY, "seqeval-strict", "strict")]
)
def test_a_corpus_without_entities_has_figures(sides: Sides, protocol: str, mode: str | None) -> None:
    """seqeval takes the longest name of no names, and fails; here everything is 0, the protocol's 0/0."""
    with pytest.raises(ValueError, match="max"):
        metrics.classification_report(*sides, mode=mode, scheme=mode and schemes.IOB2)
    result = spanscope.evaluate(*sides, protocol=protocol, read=spanscope.Reading(scheme="IOB2"), ci=False)
    assert [result.value(rate) for rate in RATES] == [0, 0, 0]
    assert result.totals() == {"tp": 0, "pred": 0, "gold": 0}


def test_a_corpus_without_entities_has_a_report() -> None:
    """The rows of averages are left, as scikit-learn prints them."""
    assert "micro avg" in spanscope.evaluate(*NOTHING, protocol="seqeval", ci=False).table("seqeval")


def test_a_tag_outside_the_scheme_is_refused_by_both() -> None:
    sides = ([["B-X", "E-X"]], [["B-X", "E-X"]])
    with pytest.raises(ValueError, match="Invalid token"):
        metrics.classification_report(*sides, mode="strict", scheme=schemes.IOB2)
    with pytest.raises(InputError, match=r"^gold\[0\]: the tag 'E-X' is not one of IOB2\n"):
        spanscope.evaluate(*sides, protocol="seqeval-strict", read=spanscope.Reading(scheme="IOB2"), ci=False)


def test_sentences_of_unlike_length_are_refused_by_both() -> None:
    sides = ([["O", "B-X"]], [["B-X"]])
    with pytest.raises(ValueError, match="inconsistent numbers"):
        metrics.classification_report(*sides)
    with pytest.raises(spanscope.SpanscopeError):
        spanscope.evaluate(*sides, protocol="seqeval", ci=False)
