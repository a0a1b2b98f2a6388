"""Curves of one run and of several, critical-difference diagrams, segments with colours, sizes, embedded type."""

import base64
import io
import re
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.report import figures
from tests.cli import GOLD, PRED, TRACES, refused, run
from tests.report.test_figures import FEW, marked
from tests.support import needs

matplotlib = needs("matplotlib")
RELAXED = "spans.relaxed(threshold=0.5)"


STEPS = spanscope.Scoring(thresholds=[0.3, 0.5, 1])


@pytest.fixture(scope="module")
def demo() -> spanscope.Result:
    return spanscope.evaluate(str(GOLD), str(PRED), RELAXED, ci=FEW, score=STEPS)


@pytest.fixture(scope="module")
def gold() -> spanscope.Result:
    return spanscope.evaluate(str(GOLD), str(GOLD), RELAXED, ci=False, score=STEPS)


def bands(figure: Any) -> list[Any]:
    return [one for one in figure.axes[0].collections if one.get_gid() == "band"]


def corners(band: Any) -> set[tuple[float, float]]:
    return {(round(float(x), 9), round(float(y), 9)) for x, y in band.get_paths()[0].vertices}


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_the_band_is_the_interval_at_every_step(demo: spanscope.Result, average: str) -> None:
    """Each is that of a run of the measure with that threshold."""
    (band,) = bands(figures.curve(demo, average=average))
    expected = set()
    for step in (0.3, 0.5, 1):
        alone = spanscope.evaluate(str(GOLD), str(PRED), f"spans.relaxed(threshold={step})", ci=FEW)
        row = next(row for row in alone.rows if (row.rate, row.average) == ("f1", average))
        assert row.low is not None
        assert row.high is not None
        expected |= {(step, round(row.low, 9)), (step, round(row.high, 9))}
    assert expected <= corners(band)


def test_a_macro_curve_is_the_mean_over_labels_alone(demo: spanscope.Result) -> None:
    figure = figures.curve(demo, average="macro")
    (drawn,) = [one for one in figure.axes[0].lines if one.get_label() == "F1"]
    assert drawn.get_ydata().tolist() == [point.macro for point in demo.curve()]
    assert figure.axes[0].get_ylabel() == "score (macro)"
    assert not [one for one in figure.axes[0].lines if one.get_label() in ("P", "R")]
    with pytest.raises(spanscope.MeasureError, match="average='mean'"):
        figures.curve(demo, average="mean")


def test_several_runs_have_a_line_each(demo: spanscope.Result, gold: spanscope.Result) -> None:
    figure = figures.curve({"base": demo, "perfect": gold})
    lines = marked(figure, "run")
    assert [one.get_label() for one in lines] == ["base", "perfect"]
    assert lines[0].get_ydata().tolist() == [point.value for point in demo.curve()]
    assert lines[1].get_ydata().tolist() == [1.0, 1.0, 1.0]
    assert len({(one.get_color(), one.get_linestyle()) for one in lines}) == 2
    assert {text.get_text() for text in figure.axes[0].texts} == {"base", "perfect"}
    assert len(bands(figure)) == 1  # the other was asked for no intervals
    printed = marked(figures.curve({"base": demo, "perfect": gold}, look=figures.Look("print")), "run")
    assert {one.get_color() for one in printed} == {figures.THEMES["print"].ink}
    assert len({one.get_linestyle() for one in printed}) == 2


def test_runs_of_other_measures_are_refused(demo: spanscope.Result) -> None:
    other = spanscope.evaluate(str(GOLD), str(PRED), "spans.iou", ci=False)
    with pytest.raises(spanscope.InputError, match="was not run"):
        figures.curve({"one": demo, "two": other})


def test_a_critical_difference_diagram_joins_systems_not_told_apart() -> None:
    spans = [{"start": 4 * at, "end": 4 * at + 3, "label": "A"} for at in range(4)]
    docs = [{"id": n, "spans": spans} for n in range(30)]
    kept = {"a": spans, "b": spans[:2], "c": spans[:1], "b2": spans[2:]}
    runs = [(name, [{**one, "spans": own} for one in docs]) for name, own in kept.items()]
    found = spanscope.leaderboard(docs, *runs, measures="spans.exact", ci=FEW, trials=200)
    figure = figures.critical_difference(found)
    joined = [one.get_xdata().tolist() for one in marked(figure, "not told apart")]
    both = found.standing("b").headline.value
    assert joined == [[both, both]]  # the two that find as much, and nobody else
    assert [one.get_xdata().tolist() for one in marked(figure, "member")] == [[both, both]]
    said = {text.get_text() for text in figure.axes[0].texts}
    assert said == {"a  1.000", "b  0.667", "0.667  b2", "0.400  c"}
    narrow = figures.critical_difference(found, look=figures.Look.for_paper("column"))
    assert {text.get_text() for text in narrow.axes[0].texts} == {"a", "b", "b2", "c"}


def test_segments_have_the_colours_of_their_labels() -> None:
    pairs = [[[0, 10, "x"], [10, 20, "y"], [20, 30, "x"]], [[0, 10, "y"], [10, 30, "x"]]]
    sides = [[{"id": "t", "length": 30, "segments": own}] for own in pairs]
    result = spanscope.evaluate(*sides, "segments.boundaries", ci=False)
    bars = [one for one in figures.segments(result).axes[0].patches if one.get_gid() == "segment"]
    colours = [one.get_facecolor() for one in bars]
    assert colours == [colours[at] for at in (0, 1, 0, 1, 0)]
    assert colours[0] != colours[1]
    legend = figures.segments(result).legends[0]
    assert [text.get_text() for text in legend.get_texts()][-2:] == ["x", "y"]
    printed = figures.segments(result, look=figures.Look("print")).axes[0].patches
    assert len({one.get_facecolor() for one in printed if one.get_gid() == "segment"}) == 2


def test_exact_marks_lie_above_near_ones() -> None:
    result = spanscope.panel(str(TRACES), ci=False)
    above = {one.get_gid(): one.get_zorder() for one in figures.segments(result).axes[0].lines if one.get_gid()}
    assert above["exact"] > max(above[kind] for kind in above if kind != "exact")


def test_calibration_marks_bins_of_few_predictions() -> None:
    gold = [{"id": 1, "spans": [[2 * at, 2 * at + 1, "A"] for at in range(30)]}]
    scores = [0.95] * 20 + [0.15] * 3
    spans = [{"start": 2 * at, "end": 2 * at + 1, "label": "A", "score": own} for at, own in enumerate(scores)]
    figure = figures.calibration(spanscope.evaluate(gold, [{"id": 1, "spans": spans}], "spans.exact", ci=False))
    assert [one.get_xdata().tolist() for one in marked(figure, "bins")] == [[pytest.approx(0.95)]]
    assert [one.get_xdata().tolist() for one in marked(figure, "few")] == [[pytest.approx(0.15)]]
    assert "fewer than 10 predictions" in figure.axes[1].get_xlabel()
    many = figures.calibration(spanscope.evaluate(gold, [{"id": 1, "spans": spans[:20]}], "spans.exact", ci=False))
    for one in (figure, many):  # both fill their page, whether or not some marks are hollow
        assert sum(axes.get_position().height for axes in one.axes) > 0.7


# ---------------------------------------------------------------- sizes and type


def test_sizes_for_papers(demo: spanscope.Result) -> None:
    for size, (width, points) in figures.SIZES.items():
        figure = figures.curve(demo, look=figures.Look.for_paper(size))
        assert figure.get_size_inches()[0] == width
        assert {text.get_fontsize() for text in figure.axes[0].texts} == {points}
    assert figures.Look.for_paper("column", height=2, font_size=7) == figures.Look("light", 3.35, 2, 7)
    with pytest.raises(spanscope.MeasureError, match="did you mean 'column'"):
        figures.Look.for_paper("colum")


def test_svg_has_the_letters_it_shows(demo: spanscope.Result) -> None:
    ttfont = needs("fontTools.ttLib").TTFont
    content = figures.to_bytes(figures.labels(demo), ".svg")[0].decode()
    faces = re.findall(r"font-weight:(\w+);src:url\(data:font/woff;base64,([^)]+)\)", content)
    assert [weight for weight, _ in faces] == ["normal", "bold"]
    shown = set("".join(re.findall(r"<text[^>]*>([^<]*)</text>", content)))
    for _, data in faces:
        known = set(map(chr, ttfont(io.BytesIO(base64.b64decode(data))).getBestCmap()))
        assert shown <= known
        assert len(known) < len(shown) + 20  # and no others to speak of
    assert figures.to_bytes(figures.labels(demo), ".svg")[0].decode() == content


def test_the_command_draws_several_runs_and_sizes(tmp_path: Path) -> None:
    words = ("plot", "curve", GOLD, f"base={PRED}", f"best={GOLD}", "-m", RELAXED, "--average", "macro")
    done = run(*words, "--size", "page", "-o", tmp_path / "a.svg")
    assert (done.code, done.err) == (0, f"wrote {tmp_path / 'a.svg'}\n")
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert all(f">{word}</text>" in drawn for word in ("base", "best", "F1 (macro)"))
    results = [tmp_path / "one.json", tmp_path / "two.json"]
    for pred, result in zip((PRED, GOLD), results, strict=True):
        run("eval", GOLD, pred, "-m", RELAXED, "--no-ci", "-o", result)
    assert run("plot", "curve", *results, "-o", tmp_path / "b.svg").code == 0
    drawn = (tmp_path / "b.svg").read_text(encoding="utf-8")
    assert all(f">{word}</text>" in drawn for word in ("one", "two", "F1 (micro)"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("curve", GOLD, f"a={PRED}", f"a={GOLD}"), "two runs have the same name"),
        (("labels", GOLD, PRED, "--average", "macro"), "--average is not for labels"),
        (("curve", GOLD, PRED, "--size", "page", "--width", "3"), "give only one of the two"),
        (("curve", GOLD, PRED, "--size", "pages"), "no size is called 'pages'; did you mean 'page'"),
        (("critical-difference", GOLD, f"a={PRED}"), "two runs or more"),
    ],
)
def test_what_makes_no_sense_is_refused(words: tuple[object, ...], said: str, tmp_path: Path) -> None:
    assert said in " ".join(refused(run("plot", *words, "-o", tmp_path / "c.svg")).split())


def test_the_command_draws_critical_differences(tmp_path: Path) -> None:
    words = ("plot", "critical-difference", GOLD, f"a={PRED}", f"b={GOLD}", "-m", RELAXED)
    assert run(*words, "-o", tmp_path / "c.svg").code == 0
    assert ">b  1.000</text>" in (tmp_path / "c.svg").read_text(encoding="utf-8")
