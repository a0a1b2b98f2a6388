"""The table of the kinds of error."""

import spanscope

GOLD = [{"id": "a", "text": "Maria called Oslo.", "spans": [[0, 5, "PER"], [13, 17, "LOC"]]}]
PRED = [{"id": "a", "spans": [[0, 5, "PER"]]}]


def test_columns_of_gains_stand_only_where_a_figure_can_gain() -> None:
    """Fixing the one missing span brings F1 from 2/3 to 1; a measure of tokens has no such figure."""
    text = spanscope.evaluate(GOLD, PRED, "spans.exact", ci=False).table("markdown")
    assert "| Kind | Number | Share | F1 if fixed | Gain |" in text
    assert "| missing | 1 | 100.0 % | 1.0000 | +0.3333 |" in text
    text = spanscope.evaluate(GOLD, PRED, protocol="pii", ci=False).table("markdown")
    assert "| Kind | Number | Share |\n" in text
    assert "| missing | 1 | 100.0 % |\n" in text
