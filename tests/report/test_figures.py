"""Figures: what is drawn is what the result says, files are the same every time, refusals say what to do."""

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope.report import figures
from spanscope.report.figures.style import name_of, spread_out
from tests.cli import GOLD, PRED, TRACES
from tests.support import needs

matplotlib = needs("matplotlib")
FEW = spanscope.Ci(resamples=50)
LIGHT = figures.THEMES["light"]


def span(start: int, end: int, label: str) -> dict[str, Any]:
    return {"start": start, "end": end, "label": label}


def documents(*spans: list[tuple[int, int, str]]) -> list[dict[str, Any]]:
    return [
        {"id": str(n), "text": "a text of forty characters or some more.", "spans": [span(*one) for one in own]}
        for n, own in enumerate(spans)
    ]


# A: 4 gold, 4 predicted, 3 alike: F1 3/4. B: 2 gold, 1 predicted, alike: F1 2/3. All: 4 of 5 and of 6: F1 8/11.
HAND = (
    documents([(0, 5, "A"), (6, 9, "B")], [(0, 5, "A"), (10, 20, "B")], [(0, 5, "A")], [(10, 20, "A")]),
    documents([(0, 5, "A"), (6, 9, "B")], [(0, 5, "A")], [(0, 5, "A")], [(30, 35, "A")]),
)
SEGMENTED = [
    {
        "id": "t",
        "length": 40,
        "segmentations": {"Gold": {"boundaries": [10, 20, 30]}, "A": {"boundaries": [10, 22, 35]}},
    }
]


@pytest.fixture(scope="module")
def hand() -> spanscope.Result:
    return spanscope.evaluate(*HAND, "spans.exact", ci=FEW)


@pytest.fixture(scope="module")
def demo() -> spanscope.Result:
    return spanscope.evaluate(str(GOLD), str(PRED), protocol="reqflow", ci=FEW)


@pytest.fixture(scope="module")
def compared() -> spanscope.Compared:
    return spanscope.compare(str(GOLD), ("base", str(PRED)), ("gold", str(GOLD)), protocol="reqflow", trials=20)


def many(number: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return gold and predictions of so many labels, in two documents; every third span is another label's."""
    names = [f"LABEL_{n:02d}{'_of_a_name_that_is_far_too_long' * (n % 9 == 0)}" for n in range(number)]
    gold = [(2 * n, 2 * n + 1, name) for n, name in enumerate(names)]
    pred = [(at, end, names[0] if at % 3 == 0 else name) for at, end, name in gold]
    text = "x" * 2 * number
    return tuple(  # type: ignore[return-value]
        [{"id": str(n), "text": text, "spans": [span(*one) for one in own]} for n in range(2)]
        for own in (gold, pred)
    )


def marked(figure: Any, gid: str) -> list[Any]:
    return [line for line in figure.axes[0].lines if line.get_gid() == gid]


def line(figure: Any, name: str) -> Any:
    return next(one for one in figure.axes[0].lines if one.get_label() == name)


def texts(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def close(found: Any, wanted: Any) -> None:
    assert list(found) == pytest.approx(list(wanted), abs=1e-12, nan_ok=True)


# ---------------------------------------------------------------- what is drawn


def test_curve_draws_the_points(demo: spanscope.Result) -> None:
    figure = figures.curve(demo)
    for name, rate in (("P", "precision"), ("R", "recall"), ("F1", "f1")):
        drawn = line(figure, name)
        close(drawn.get_xdata(), [point.threshold for point in demo.curve()])
        close(drawn.get_ydata(), [getattr(point, rate) for point in demo.curve()])
    assert [line(figure, name).get_linestyle() for name in ("P", "R", "F1")] == ["--", "--", "-"]  # -- is any dash
    assert line(figure, "P")._dash_pattern != line(figure, "R")._dash_pattern
    asked = line(figure, "asked")
    assert (asked.get_xdata()[0], asked.get_ydata()[0]) == (0.5, demo.value("f1"))
    assert "F1 0.745 at 0.5" in texts(figure)
    assert {"P", "R", "F1"} < set(texts(figure))


def test_curve_of_another_threshold(demo: spanscope.Result) -> None:
    measure = "spans.relaxed(threshold=0.8)"
    asked = line(figures.curve(demo, measure), "asked")
    assert (asked.get_xdata()[0], asked.get_ydata()[0]) == (0.8, demo.value("f1", measure))


def test_labels_by_hand(hand: spanscope.Result) -> None:
    figure = figures.labels(hand)
    axes = figure.axes[0]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["micro", "macro", "A", "B"]
    close([bar.get_width() for bar in axes.patches], [8 / 11, (3 / 4 + 2 / 3) / 2, 3 / 4, 2 / 3])
    assert {"0.727", "0.708", "0.750", "0.667", "4", "2", "F1", "gold"} == set(texts(figure)) - {""}
    rows = {(row.average, row.label): row for row in hand.rows if row.rate == "f1"}
    wanted = [rows["micro", None], rows["macro", None], rows["label", "A"], rows["label", "B"]]
    known = [row for row in wanted if row.low is not None]
    assert len(known) >= 3
    assert [list(one.get_xdata()) for one in marked(figure, "interval")] == [[row.low, row.high] for row in known]


def test_labels_are_sorted_by_support(demo: spanscope.Result) -> None:
    names = [tick.get_text() for tick in figures.labels(demo).axes[0].get_yticklabels()][2:]
    counts = demo.counts()
    assert sorted(names) == sorted(counts)
    assert all(counts[one]["gold"] >= counts[other]["gold"] for one, other in pairwise(names))


def test_labels_of_one_document_have_no_intervals() -> None:
    result = spanscope.evaluate(HAND[0][:1], HAND[1][:1], "spans.exact")
    figure = figures.labels(result)
    assert marked(figure, "interval") == []
    assert figure.axes[0].get_xlabel() == "F1"


def test_an_undefined_label_is_a_dash() -> None:
    result = spanscope.evaluate(*HAND, "spans.exact", labels=["A", "Other"], ci=False)
    assert "–" in texts(figures.labels(result))


def test_confusion_by_hand(hand: spanscope.Result) -> None:
    figure = figures.confusion(hand)
    axes = figure.axes[0]
    names = [tick.get_text() for tick in axes.get_yticklabels()]
    assert names == [tick.get_text() for tick in axes.get_xticklabels()] == ["A", "B", "(none)"]
    drawn = axes.collections[0].get_array().reshape(3, 3).tolist()
    assert drawn == [[3, 0, 1], [0, 1, 1], [1, 0, 0]]
    assert sorted(texts(figure)) == ["1", "1", "1", "1", "3", "–"]


def test_confusion_numbers_stand_in_their_cells(demo: spanscope.Result) -> None:
    figure = figures.confusion(demo)
    names = list(demo.confusion())
    found = {text.get_position(): text.get_text() for text in figure.axes[0].texts if text.get_text() != "–"}
    wanted = {
        (names.index(pred) + 0.5, names.index(gold) + 0.5): str(n)
        for gold, row in demo.confusion().items()
        for pred, n in row.items()
    }
    assert found == wanted


def test_compare_draws_differences(compared: spanscope.Compared) -> None:
    figure = figures.compare(compared)
    names = [tick.get_text() for tick in figure.axes[0].get_yticklabels()]
    labels = sorted({str(row.label) for row in compared.rows if row.label})
    assert names == ["micro precision", "micro recall", "micro F1", "macro F1", "mean F1", *labels]
    rows = [compared.value(rate) for rate in ("precision", "recall", "f1")]
    rows += [compared.value("f1", average=average) for average in ("macro", "document")]
    rows += [compared.value("f1", label=label) for label in labels]
    close([mark.get_xdata()[0] for mark in marked(figure, "difference")], [row.difference for row in rows])
    assert [list(one.get_xdata()) for one in marked(figure, "interval")] == [[row.low, row.high] for row in rows]
    filled = [mark.get_markerfacecolor() != LIGHT.paper for mark in marked(figure, "difference")]
    assert filled == [not row.low <= 0 <= row.high for row in rows]  # type: ignore[operator]
    assert set(filled) == {True, False}


def test_compare_several_runs_by_their_marks(compared: spanscope.Compared) -> None:
    runs = [("base", str(PRED)), ("same", str(PRED)), ("gold", str(GOLD))]
    figure = figures.compare(spanscope.compare(str(GOLD), *runs, protocol="reqflow", ci=FEW, trials=20))
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["same", "gold"]
    same = [mark for mark in marked(figure, "difference") if mark.get_marker() == "o"]
    gold = [mark for mark in marked(figure, "difference") if mark.get_marker() == "s"]
    assert {mark.get_xdata()[0] for mark in same} == {0.0}
    assert gold[0].get_xdata()[0] == compared.value("precision").difference
    assert len(same) == len(gold) == 13


def test_compare_one_document() -> None:
    one = spanscope.compare(HAND[0][:1], HAND[1][:1], HAND[0][:1], measures="spans.exact")
    figure = figures.compare(one)
    assert marked(figure, "interval") == []
    assert {mark.get_markerfacecolor() for mark in marked(figure, "difference")} == {LIGHT.paper}


def test_leaderboard_draws_systems_in_order_and_joins_those_not_told_apart() -> None:
    runs = [("base", str(PRED)), ("gold", str(GOLD)), ("again", str(PRED))]
    found = spanscope.leaderboard(str(GOLD), *runs, protocol="reqflow", ci=FEW, trials=200)
    figure = figures.leaderboard(found)
    assert [tick.get_text() for tick in figure.axes[0].get_yticklabels()] == ["gold  1", "base  2", "again  2"]
    own = [one.headline for one in found.standings]
    close([mark.get_xdata()[0] for mark in marked(figure, "system")], [one.value for one in own])
    assert [list(one.get_xdata()) for one in marked(figure, "interval")] == [[one.low, one.high] for one in own]
    assert [list(bar.get_ydata()) for bar in marked(figure, "not told apart")] == [[1, 2]]


def test_segments_by_hand() -> None:
    panel = spanscope.panel(SEGMENTED, measures="segments.b_score(tolerance=3)")
    figure = figures.segments(panel)
    drawn = {kind: list(marked(figure, kind)[0].get_xdata()) for kind in ("exact", "near", "extra", "missed")}
    assert drawn == {"exact": [10], "near": [22], "extra": [35], "missed": [30]}
    patches = figure.axes[0].patches
    bars = [(bar.get_x(), bar.get_width()) for bar in patches if bar.get_gid() == "segment"]
    assert bars == [(0, 10), (10, 10), (20, 10), (30, 10), (0, 10), (10, 12), (22, 13), (35, 5)]
    halos = [(bar.get_x(), bar.get_width()) for bar in patches if bar.get_gid() == "halo"]
    assert halos == [(7, 6), (17, 6), (27, 6)]
    assert [tick.get_text() for tick in figure.axes[0].get_yticklabels()] == ["Gold", "A"]


def test_segments_agree_with_the_boundaries_within_the_tolerance() -> None:
    """The tolerance is the B-score's, the pairs are those of segments.boundaries: each boundary is used once."""
    form = "segments.boundaries(tolerance=5)"
    panel = spanscope.panel(str(TRACES), measures=["segments.b_score(tolerance=5)", form], ci=False)
    for document in ("speed", "primes", "bake"):
        figure = figures.segments(panel, document)
        rows = [
            one
            for result in panel.results.values()
            for one in result.by_document(form)
            if one["document"] == document
        ]
        number = {
            kind: sum(len(one.get_xdata()) for one in marked(figure, kind))
            for kind in ("exact", "near", "extra", "missed")
        }
        assert number["exact"] + number["near"] == sum(row["tp"] for row in rows)
        assert number["extra"] == sum(row["pred"] - row["tp"] for row in rows)
        assert number["missed"] == sum(row["gold"] - row["tp"] for row in rows)


def test_segments_without_gold_and_of_two_files() -> None:
    nameless = [{**SEGMENTED[0], "segmentations": {"A": {"boundaries": [10]}, "B": {"boundaries": [12]}}}]
    assert marked(figures.segments(spanscope.panel(nameless)), "missed") == []
    sides = [[{"id": "t", "length": 40, "boundaries": own}] for own in ([10, 20, 30], [10, 22, 35])]
    figure = figures.segments(spanscope.evaluate(*sides, "segments.b_score(tolerance=1)"))
    assert list(marked(figure, "extra")[0].get_xdata()) == [22, 35]
    assert [tick.get_text() for tick in figure.axes[0].get_yticklabels()] == ["gold", "pred"]


def queries() -> tuple[Any, Any]:
    """Return three queries whose only answer stands at rank 1, 2 and 4."""
    gold, found = [], []
    for n, rank in enumerate((1, 2, 4)):
        gold.append({"query": f"q{n}", "snippets": [{"file_path": "a", "span": [0, 9], "answer": "an answer"}]})
        passages = [{"text": f"other {at}", "file_path": "b", "span": [9 * at, 9 * at + 7]} for at in range(4)]
        passages[rank - 1] = {"text": "an answer", "file_path": "a", "span": [0, 9]}
        found.append({"query": f"q{n}", "retrieved_passages": passages})
    return {"tests": gold}, found


def test_cutoffs_by_hand() -> None:
    result = spanscope.evaluate(*queries(), score=spanscope.Scoring(k=[1, 2, 4]), ci=FEW)
    figure = figures.cutoffs(result)
    assert list(line(figure, "recall").get_xdata()) == [1, 2, 4]
    close(line(figure, "recall").get_ydata(), [1 / 3, 2 / 3, 1])
    close(line(figure, "precision").get_ydata(), [1 / 3, 1 / 3, 1 / 4])
    close(line(figure, "mrr").get_ydata(), [1 / 3, 1 / 2, (1 + 1 / 2 + 1 / 4) / 3])
    assert len(figure.axes[0].collections) == 4  # a band each


# ---------------------------------------------------------------- names and room


def words_of(figure: Any) -> list[Any]:
    """Return the words that are drawn; matplotlib also keeps ticks beyond the ends of an axis, which are not."""
    axes = figure.axes[0]
    out = [*axes.texts, axes.xaxis.label, *figure.texts]
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        places = zip(axis.get_majorticklocs(), axis.get_majorticklabels(), strict=True)
        out += [label for place, label in places if low <= place <= high]
    return [word for word in out if word.get_text()]


def overlapping(figure: Any) -> Iterator[tuple[str, str]]:
    """Return the words of a figure that lie on each other; not slanted ones, whose boxes are too large."""
    figure.draw_without_rendering()
    words = [word for word in words_of(figure) if word.get_rotation() in (0, 90)]
    boxes = [(word.get_text(), word.get_window_extent()) for word in words]
    for (one, box), (other, more) in combinations(boxes, 2):
        if min(box.x1, more.x1) - max(box.x0, more.x0) > 1 and min(box.y1, more.y1) - max(box.y0, more.y0) > 1:
            yield one, other


def outside(figure: Any) -> list[str]:
    """Return the words that leave the page."""
    page = figure.bbox
    boxes = [(word.get_text(), word.get_window_extent()) for word in words_of(figure)]
    return [
        name for name, box in boxes if box.x0 < -1 or box.y0 < -1 or box.x1 > page.x1 + 1 or box.y1 > page.y1 + 1
    ]


@pytest.mark.parametrize("number", [1, 8, 40])
def test_words_have_room(number: int) -> None:
    gold, pred = many(number)
    result = spanscope.evaluate(gold, pred, "spans.relaxed(iou_weight=1.0)", ci=FEW)
    both = spanscope.compare(gold, ("pred", pred), ("gold", gold), measures="spans.exact", ci=FEW, trials=10)
    for figure in (
        figures.curve(result),
        figures.labels(result),
        figures.confusion(result),
        figures.compare(both),
    ):
        assert list(overlapping(figure)) == []
        assert outside(figure) == []


def test_words_of_demos_have_room(demo: spanscope.Result) -> None:
    traces = spanscope.panel(str(TRACES), ci=False)
    for style in figures.THEMES:
        look = figures.Look(style, font_size=12)
        for figure in (figures.labels(demo, look=look), figures.segments(traces, look=look)):
            assert list(overlapping(figure)) == []
            assert outside(figure) == []


@given(st.lists(st.floats(0, 1), max_size=12), st.floats(0.001, 0.08))
def test_dodged_words_are_apart(wanted: list[float], gap: float) -> None:
    places = spread_out(wanted, gap, 0.0, 1.0)
    assert all(other - one >= gap * 0.999 for one, other in pairwise(sorted(places)))
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in places)
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    assert [places[at] for at in order] == sorted(places)


def test_dodged_by_hand() -> None:
    assert spread_out([0.5, 0.5], 0.1, 0, 1) == pytest.approx([0.45, 0.55])
    assert spread_out([0.2, 0.9], 0.1, 0, 1) == [0.2, 0.9]
    assert spread_out([1.0, 1.0], 0.1, 0, 1) == pytest.approx([0.9, 1.0])


def test_names_from_the_data_are_tamed() -> None:
    names = ["$x_1$", "漢字", "line\nbreak", "x" * 99]
    spans = [span(n, n + 1, name) for n, name in enumerate(names)]
    result = spanscope.evaluate(
        [{"id": "1", "text": "abcd", "spans": spans}] * 1, [{"id": "1", "spans": spans}], "spans.exact"
    )
    figure = figures.labels(result)
    svg, _ = figures.to_bytes(figure, ".svg")
    for words in ("$x_1$", "漢字", "line\\nbreak", "x" * 27 + "…"):
        assert f">{words}</text>".encode() in svg
    assert figures.to_bytes(figure, ".png")[1] == ["字", "漢"]


def test_names_are_cut() -> None:
    assert name_of("a" * 28) == "a" * 28
    assert name_of("a" * 29) == "a" * 27 + "…"
