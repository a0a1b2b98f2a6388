"""What stays readable, worked by hand: characters and spans that no prediction covers, of any type."""

import pytest

import spanscope
from tests.support import Json

TEXT = "Maria del Carmen Lopez met Zebulon Pike now, in Bonn (D)."
#       0     6   10     17    23  27      35   40   45 48  53


def marked(*spans: tuple[str, str], text: str = TEXT) -> list[Json]:
    """Return a document whose spans are the first places of these words."""
    found = [
        {"start": text.index(words), "end": text.index(words) + len(words), "label": label}
        for label, words in spans
    ]
    return [{"id": 1, "text": text, "spans": found}]


def counted(gold: list[Json], pred: list[Json], label: str = "*", **options: object) -> dict[str, int | float]:
    """Return the counts that are not 0."""
    result = spanscope.evaluate(gold, pred, "tokens.leaks", **options)  # type: ignore[arg-type]
    return {name: n for name, n in result.counts().get(label, {}).items() if n}


NAME = ("P", "Maria del Carmen Lopez")


def test_nothing_is_predicted() -> None:
    """22 and 4 characters, and (D) counts as D: what would leak is what counts below the line."""
    gold = marked(NAME, ("L", "Bonn"), ("L", "(D)"))
    assert counted(gold, marked()) == {"leaked": 27, "characters": 27, "uncovered": 3, "gold": 3}
    assert counted(gold, marked(), "L") == {"leaked": 5, "characters": 5, "uncovered": 2, "gold": 2}


def test_a_part_is_left() -> None:
    """Of the name the blank before Lopez is no leak: 5 of 22 characters."""
    found = counted(marked(NAME), marked(("P", "Maria del Carmen")))
    assert found == {"leaked": 5, "characters": 22, "partly": 1, "gold": 1, "redacted": 16, "pred": 1}


def test_the_inside_of_a_piece_counts_in_full() -> None:
    """Without Carmen: `Maria del` has 9 characters with its blank, `Lopez` 5."""
    assert counted(marked(NAME), marked(("P", "Carmen")))["leaked"] == 14


def test_punctuation_and_white_space_alone_are_no_leak() -> None:
    text = "Dr. A-B , C."
    gold = marked(("P", "A-B , C."), text=text)
    assert "leaked" not in counted(gold, [{**gold[0], "spans": [span(4, 5), span(6, 7), span(10, 11)]}])
    assert counted(gold, [{**gold[0], "spans": [span(4, 7)]}])["leaked"] == 1  # C
    assert counted([{**gold[0], "spans": [span(7, 10)]}], [{**gold[0], "spans": []}]) == {
        "gold": 1
    }  # " , " cannot leak


def span(start: int, end: int, label: str = "P") -> Json:
    return {"start": start, "end": end, "label": label}


@pytest.mark.parametrize("sign", ["€", "+", "5", "é", "ु", "😀"])
def test_signs_digits_and_marks_are_read(sign: str) -> None:
    gold = [{"id": 1, "text": sign, "spans": [span(0, 1)]}]
    assert counted(gold, [{**gold[0], "spans": []}])["leaked"] == 1


def test_predictions_of_any_type_hide_together() -> None:
    """Three types cover all of the name but its blanks."""
    pred = marked(("L", "Maria"), ("X", "del"), ("P", "Carmen"), ("Y", "Lopez"))
    assert counted(marked(NAME), pred) == {"characters": 22, "gold": 1, "redacted": 19, "pred": 4}
    assert counted(marked(NAME), pred, "P") == {"characters": 22, "gold": 1, "redacted": 6, "pred": 1}


def test_what_is_redacted_beyond_pii_is_counted_apart() -> None:
    """`now` of 16 characters is no PII; `in`, which is beside any PII, is not over-wide but wrong altogether."""
    pred = marked(("X", "Zebulon Pike now"), ("P", "in"))
    found = counted(marked(("P", "Zebulon Pike")), pred)
    assert found == {"characters": 12, "gold": 1, "over": 5, "redacted": 18, "over_wide": 1, "pred": 2}
    assert counted(marked(("P", "Zebulon Pike")), pred, "X") == {
        "over": 3,
        "redacted": 16,
        "over_wide": 1,
        "pred": 1,
    }


def test_a_character_counts_once_overall_and_once_for_each_type() -> None:
    """Carmen is in two spans of P and one of L: 22 overall, 22 of P, 6 of L."""
    gold = marked(NAME, ("P", "Carmen"), ("L", "Carmen"), ("L", "Carmen"))
    pred = marked()
    assert counted(gold, pred) == {"leaked": 22, "characters": 22, "uncovered": 4, "gold": 4}
    assert counted(gold, pred, "P") == {"leaked": 22, "characters": 22, "uncovered": 2, "gold": 2}
    assert counted(gold, pred, "L") == {"leaked": 6, "characters": 6, "uncovered": 2, "gold": 2}
    half = counted(gold, marked(("X", "Carmen Lopez")))
    assert half == {"leaked": 9, "characters": 22, "partly": 1, "gold": 4, "redacted": 12, "pred": 1}


def test_fragments_leak_one_by_one() -> None:
    """Maria … Lopez as one span in two pieces: what is between them is no PII."""
    gold = [{"id": 1, "text": TEXT, "spans": [{"label": "P", "fragments": [[0, 5], [17, 22]]}]}]
    found = counted(gold, marked(("P", "del Carmen Lopez")))
    assert found == {
        "leaked": 5,
        "characters": 10,
        "partly": 1,
        "gold": 1,
        "over": 10,
        "redacted": 16,
        "over_wide": 1,
        "pred": 1,
    }


def test_rates() -> None:
    """5 of 26 characters, one of two spans, none of them whole; `now` of 16 + 3 + 4 redacted characters."""
    gold, pred = marked(NAME, ("L", "Bonn")), marked(("P", "Maria del Carmen"), ("L", "Bonn"), ("L", "now"))
    result = spanscope.evaluate(gold, pred, "tokens.leaks")
    found = {rate: result.value(rate) for rate in ("leaked", "leaked_spans", "uncovered_spans", "over_redacted")}
    assert found == {"leaked": 5 / 26, "leaked_spans": 1 / 2, "uncovered_spans": 0.0, "over_redacted": 3 / 23}
    assert result.value("leaked", label="P") == 5 / 22


def test_without_texts_all_characters_count() -> None:
    gold, pred = ([{"id": 1, "spans": spans}] for spans in ([span(0, 10)], [span(0, 4)]))
    assert counted(gold, pred)["leaked"] == 6


def test_leaks_are_bounded_with_intervals_by_label() -> None:
    gold = [{**marked(NAME)[0], "id": n} for n in range(4)]
    pred = [{**marked(*([NAME] if n % 2 else []))[0], "id": n} for n in range(4)]
    for method, within in (("percentile", (0.0, 1.0)), ("wilson", (0.02, 0.98))):
        rows = spanscope.evaluate(gold, pred, protocol="pii", ci=spanscope.Ci(method=method)).rows
        (row,) = [one for one in rows if (one.rate, one.label) == ("leaked", "P")]
        assert row.value == 0.5
        assert (row.low, row.high) == pytest.approx(within, abs=0.005)
