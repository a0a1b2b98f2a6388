"""Span texts held against their documents: other units and ends are refused with the option that mends it."""

from __future__ import annotations

from typing import Any

import pytest

import spanscope
from spanscope import Reading, Running, Scoring
from spanscope.errors import InputError

TEXT = "😀 Ann saw Bob in Zürich, then Cem in Łódź, and so on."
NAMES = ("Ann", "Bob", "Zürich", "Cem", "Łódź")


def document(start: Any, end: Any) -> list[dict[str, Any]]:
    """Return a document whose spans are counted by somebody else's rule."""
    places = [(TEXT.index(name), TEXT.index(name) + len(name), name) for name in NAMES]
    return [
        {
            "id": "d",
            "text": TEXT,
            "spans": [{"start": start(a), "end": end(b), "label": "A", "text": name} for a, b, name in places],
        }
    ]


def utf16(at: int) -> int:
    """Return an offset in UTF-16 units."""
    return len(TEXT[:at].encode("utf-16-le")) // 2


def utf8(at: int) -> int:
    """Return an offset in bytes."""
    return len(TEXT[:at].encode())


def same(at: int) -> int:
    """Return an offset in code points."""
    return at


GOLD = document(same, same)


@pytest.mark.parametrize(
    ("start", "end", "how"),
    [
        (utf16, utf16, {"offsets": "utf16"}),
        (utf8, utf8, {"offsets": "utf8"}),
        (same, lambda at: at - 1, {"ends": "inclusive"}),
    ],
)
def test_the_option_that_mends_it_is_named(start: Any, end: Any, how: dict[str, str]) -> None:
    pred = document(start, end)
    (name, value) = next(iter(how.items()))
    for memory in ("spans", "totals"):
        with pytest.raises(InputError, match="another text than their document") as refused:
            spanscope.evaluate(GOLD, pred, "spans.exact", ci=False, run=Running(memory=memory))
        assert f"--{name} {value}" in str(refused.value)
    mended = spanscope.evaluate(GOLD, spanscope.source(pred, **how), "spans.exact", ci=False)
    assert mended.value() == 1
    assert spanscope.evaluate(pred, pred, "spans.exact", ci=False, read=Reading(**how)).value() == 1


def test_texts_that_fit_nowhere_are_refused_unless_somebody_wants_them() -> None:
    pred = document(lambda at: at + 3, lambda at: at + 3)
    with pytest.raises(InputError, match="5 of 10 spans have another text") as refused:
        spanscope.evaluate(GOLD, pred, "spans.exact", ci=False)
    assert "--allow-different-texts" in str(refused.value)
    anyway = spanscope.evaluate(GOLD, pred, "spans.exact", ci=False, score=Scoring(allow_different_texts=True))
    assert anyway.value() == 0
    assert anyway.problems.number["text mismatch"] == 5


def test_a_scattered_mismatch_is_only_counted() -> None:
    pred = document(same, same)
    pred[0]["spans"][0]["text"] = "Anna"
    found = spanscope.evaluate(GOLD, pred, "spans.exact", ci=False)
    assert found.value() == 1
    assert found.problems.number == {"text mismatch": 1}


def test_no_word_of_the_text_is_in_the_refusal_where_it_may_not_be_quoted() -> None:
    with pytest.raises(InputError) as refused:
        spanscope.evaluate(GOLD, document(utf16, utf16), "spans.exact", ci=False, text="none")
    assert not any(name in str(refused.value) for name in NAMES)
