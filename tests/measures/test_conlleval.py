"""Protocol conll2003 and the report of the conlleval script, against a twin of the script and by hand."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import spanscope
from tests.cli import run, write
from tests.twins import conll

Sides = tuple[list[list[str]], list[list[str]]]
FILES = {"IOB": "BBII", "IOE": "IIEE", "IO": "I"}  # IOB1 and IOB2 are the same letters, well-formed or not
TYPES = ("PER", "LOC", "MISC-2", "a type of more than 17")


@st.composite
def sides_of(draw: DrawFn, prefixes: str) -> Sides:
    """Draw tags in any order, well-formed or not; half of the predictions are gold's tags again."""
    tag = st.sampled_from(["O", "O", *(f"{prefix}-{name}" for prefix in prefixes for name in TYPES)])
    gold = draw(st.lists(st.lists(tag, min_size=1, max_size=8), min_size=1, max_size=5))
    pred = [[draw(st.one_of(st.just(own), tag)) for own in sentence] for sentence in gold]
    return gold, pred


def written(sides: Sides) -> str:
    """Return one file with both columns, tabs between them because a type may have blanks."""
    sentences = zip(*sides, strict=True)
    return "\n".join("".join(f"w\t{a}\t{b}\n" for a, b in zip(*pair, strict=True)) for pair in sentences)


def scored(sides: Sides) -> spanscope.Result:
    return spanscope.evaluate(*sides, protocol="conll2003", ci=False)


# ---------------------------------------------------------------- the same figures


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=60)
@given(data=st.data())
def test_counts_and_percentages(name: str, data: st.DataObject) -> None:
    sides = data.draw(sides_of(FILES[name]))
    wanted, result = conll.conlleval(*sides), scored(sides)
    counts = result.counts()
    assert set(counts) == {kind for kind in TYPES if wanted.gold[kind] or wanted.found[kind]}
    for kind, row in counts.items():
        assert row == {"tp": wanted.correct[kind], "pred": wanted.found[kind], "gold": wanted.gold[kind]}
        figures = [100 * result.value(rate, label=kind) for rate in ("precision", "recall", "f1")]
        assert figures == pytest.approx(conll.rates(row["tp"], row["pred"], row["gold"]), abs=1e-10)
    sums = result.totals()
    figures = [100 * result.value(rate) for rate in ("precision", "recall", "f1")]
    assert figures == pytest.approx(conll.rates(sums["tp"], sums["pred"], sums["gold"]), abs=1e-10)
    assert result.totals("tokens.accuracy")["right"] == wanted.right
    assert result.totals("tokens.accuracy")["tokens"] == wanted.tokens


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=60)
@given(data=st.data())
def test_the_report(name: str, data: st.DataObject) -> None:
    sides = data.draw(sides_of(FILES[name]))
    assert scored(sides).table("conlleval") == conll.report(conll.conlleval(*sides))


@settings(max_examples=15)
@given(sides=sides_of("BI"))
def test_the_command(sides: Sides, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = write(tmp_path_factory.mktemp("conll") / "both.conll", written(sides))
    done = run("eval", path, "-p", "conll2003", "--format", "conlleval")
    assert (done.code, done.err) == (0, "")
    assert done.out == conll.report(conll.conlleval(*sides))


# One phrase of three found, one made up; an I-LOC that continues nothing starts a phrase.
FILE = """\
-DOCSTART- -X- O O

Anna NNP B-PER B-PER
Smith NNP I-PER I-PER
met VBD O B-LOC

Bob NNP B-PER O
in IN O O
York NNP I-LOC I-PER
"""
REPORT = """\
processed 6 tokens with 3 phrases; found: 3 phrases; correct: 1.
accuracy:  50.00%; precision:  33.33%; recall:  33.33%; FB1:  33.33
              LOC: precision:   0.00%; recall:   0.00%; FB1:   0.00  1
              PER: precision:  50.00%; recall:  50.00%; FB1:  50.00  2
"""


def test_a_report_by_hand(tmp_path: Path) -> None:
    """6 tokens, 3 of them right: 1, 2 and 5."""
    path = write(tmp_path / "a.conll", FILE.split("\n\n", 1)[1])
    assert run("eval", path, "-p", "conll2003", "-f", "conlleval").out == REPORT


def test_without_phrases_everything_is_0() -> None:
    report = "processed 1 tokens with 0 phrases; found: 0 phrases; correct: 0.\n"
    report += "accuracy: 100.00%; precision:   0.00%; recall:   0.00%; FB1:   0.00\n"
    sides: Sides = ([["O"]], [["O"]])
    assert conll.report(conll.conlleval(*sides)) == report
    assert scored(sides).table("conlleval") == report


def test_the_last_digit_is_that_of_the_script() -> None:
    """The script computes 100 * correct / found, which is exactly between two digits here."""
    sides: Sides = ([["B-X"] * 23 + ["B-Y"] * 137], [["B-X"] * 23 + ["B-Z"] * 137])
    wanted = conll.report(conll.conlleval(*sides))
    assert "accuracy:  14.38%; precision:  14.38%; recall:  14.38%; FB1:  14.38\n" in wanted
    assert scored(sides).table("conlleval") == wanted


def test_docstart_is_a_token_of_the_script(tmp_path: Path) -> None:
    """Only an empty line and a first field -X- are boundaries to it."""
    done = run("eval", write(tmp_path / "a.conll", FILE), "-p", "conll2003", "-f", "conlleval")
    assert done.out.startswith(
        "processed 7 tokens with 3 phrases; found: 3 phrases; correct: 1.\naccuracy:  57.14%"
    )


# ---------------------------------------------------------------- where the two differ, and why


@pytest.mark.parametrize(
    ("gold", "phrases"), [("B-X E-X B-X E-X", 2), ("S-X S-X", 2), ("B-X E-X S-X", 2)], ids=["BE BE", "S S", "BE S"]
)
def test_iobes_is_not_for_the_script(gold: str, phrases: int) -> None:
    """It has no rule for a B after an E, nor for S, so that phrases of one type that touch become one to it."""
    sides: Sides = ([gold.split()], [gold.split()])
    assert sum(conll.conlleval(*sides).gold.values()) == 1
    assert scored(sides).totals() == {"tp": phrases, "pred": phrases, "gold": phrases}


def test_iobes_can_be_right_for_the_script_at_half_the_tags() -> None:
    sides: Sides = ([["B-X", "E-X", "B-X", "E-X"]], [["B-X", "I-X", "I-X", "E-X"]])
    assert "FB1: 100.00" in conll.report(conll.conlleval(*sides))
    assert scored(sides).value("f1") == 0


@pytest.mark.parametrize("tag", ["B-", "B", "B-0"])
def test_a_phrase_without_a_type_has_a_name(tag: str) -> None:
    """The script prints a row without a name for it, twice; here it is _, and a type 0 is a type."""
    sides: Sides = ([[tag, "O", "B-X"]], [[tag, "O", "B-X"]])
    assert conll.conlleval(*sides).gold == {"": 1, "X": 1}
    assert set(scored(sides).counts()) == {"0" if tag == "B-0" else "_", "X"}


def test_the_report_is_for_tags() -> None:
    spans = [{"id": 1, "spans": [{"start": 0, "end": 1, "label": "X"}]}]
    with pytest.raises(spanscope.MeasureError, match=r"^this report is for tagged tokens\n"):
        spanscope.evaluate(spans, spans, protocol="conll2003", measures="spans.exact", ci=False).table("conlleval")


def test_without_the_protocol_the_report_names_it() -> None:
    """The first measure is the right one, but accuracy is missing, and only the protocol has both."""
    with pytest.raises(spanscope.MeasureError, match="conll2003"):
        spanscope.evaluate([["B-X"]], [["B-X"]], ci=False).table("conlleval")
