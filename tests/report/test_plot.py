"""The files that figures are written to, and the command that writes them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import spanscope
from spanscope.cli import plot
from spanscope.report import figures
from spanscope.settings.options import grouped
from tests.cli import GOLD, PRED, environment, refused, run, write
from tests.report.test_figures import FEW, HAND, SEGMENTED, documents, queries
from tests.support import Json, needs

matplotlib = needs("matplotlib")


@pytest.fixture(scope="module")
def hand() -> spanscope.Result:
    return spanscope.evaluate(*HAND, "spans.exact", ci=FEW)


# ---------------------------------------------------------------- files

MAKE = """
import sys, spanscope
from spanscope.report import figures
result = spanscope.evaluate(sys.argv[1], sys.argv[2], ci=False)
figure = figures.confusion(result)
for ending in figures.ENDINGS:
    open(sys.argv[3] + ending, "wb").write(figures.to_bytes(figure, ending)[0])
print("matplotlib.pyplot" in sys.modules)
"""


def test_files_are_the_same_every_time(tmp_path: Path) -> None:
    """In another process, with other hashes, on another day by the clock that files are dated with."""
    for name, seed, day in (("one", "1", "0"), ("two", "2", "86400000")):
        settings = environment() | {"PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": day}
        command = [sys.executable, "-c", MAKE, str(GOLD), str(PRED), str(tmp_path / name)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=settings)
        assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr
    for ending in figures.ENDINGS:
        assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes(), ending


def test_what_a_file_holds(hand: spanscope.Result) -> None:
    figure = figures.labels(hand)
    svg, pdf, png = (figures.to_bytes(figure, ending)[0] for ending in (".svg", ".pdf", ".png"))
    assert b">micro</text>" in svg
    assert b"dc:date" not in svg
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf
    assert b"CreationDate" not in pdf
    signature = hand.signature().encode()
    assert signature in svg
    assert signature in png
    assert b"/Subject (" + signature.split(b"(")[0] in pdf
    assert png.startswith(b"\x89PNG")


def test_settings_of_the_caller_stay(hand: spanscope.Result) -> None:
    with matplotlib.rc_context({"font.size": 33.0, "svg.fonttype": "path"}):
        before = dict(matplotlib.rcParams)
        loud = figures.to_bytes(figures.labels(hand))[0]
        assert dict(matplotlib.rcParams) == before
    assert loud == figures.to_bytes(figures.labels(hand))[0]


def test_look(hand: spanscope.Result) -> None:
    look = figures.Look("dark", 3.5, 2.5, 7, "Mine")
    figure = figures.labels(hand, look=look)
    assert figure.get_size_inches().tolist() == [3.5, 2.5]
    assert figure.get_suptitle() == "Mine"
    assert {text.get_fontsize() for text in figure.axes[0].texts} == {7}
    assert matplotlib.colors.to_hex(figure.get_facecolor()).upper() == figures.THEMES["dark"].paper
    assert figures.labels(hand, look=figures.Look(title="")).get_suptitle() == ""


# ---------------------------------------------------------------- the command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "gold.jsonl", HAND[0])
    write(tmp_path / "pred.jsonl", HAND[1])
    write(tmp_path / "texts.jsonl", SEGMENTED)
    gold, found = queries()
    (tmp_path / "gold.json").write_text(json.dumps(gold), encoding="utf-8")
    (tmp_path / "found.json").write_text(json.dumps(found), encoding="utf-8")
    return tmp_path


SCORED = ("gold.jsonl", "pred.jsonl")


@pytest.mark.parametrize(
    "words",
    [
        ("curve", *SCORED),
        ("labels", *SCORED, "--labels", "A", "-m", "spans.exact"),
        ("confusion", *SCORED, "--style", "print", "--no-title"),
        ("compare", "gold.jsonl", "old=pred.jsonl", "new=gold.jsonl", "-m", "spans.exact"),
        ("segments", "texts.jsonl", "--document", "t"),
        ("segments", "texts.jsonl", "--gold", "A", "-m", "segments.b_score(tolerance=1)"),
        ("cutoffs", "gold.json", "found.json", "--k", "1,2,4"),
    ],
)
def test_command(words: tuple[str, ...], folder: Path) -> None:
    done = run("plot", *words, "-o", "figure.svg")
    assert (done.code, done.out, done.err) == (0, "", "wrote figure.svg\n")
    first = (folder / "figure.svg").read_bytes()
    assert b"<svg" in first
    assert run("plot", *words, "-o", "figure.svg").code == 0
    assert (folder / "figure.svg").read_bytes() == first
    assert [path.name for path in folder.iterdir() if path.suffix == ".tmp"] == []


def test_kinds_are_those_of_the_library() -> None:
    assert tuple(figures.KINDS) == plot.KINDS


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("curves", *SCORED), "no figure is called 'curves'; did you mean 'curve'?"),
        (("curve", *SCORED, "-o", "x.jpg"), "expected  .svg or .png or .pdf"),
        (("curve", *SCORED, "-o", "figure"), "'figure' does not end in the name of a figure format"),
        (
            ("curve", *SCORED, "-m", "spans.exact"),
            "spans.exact has no threshold, so it has no curve",
        ),
        (("labels", "gold.json", "found.json"), "has no figures by label"),
        (("confusion", "gold.json", "found.json"), "there are no label pairs to draw"),
        (("cutoffs", "gold.json", "found.json"), "try       --k 1,2,5,10"),
        (("segments", "texts.jsonl", "--document", "u"), "no document is called 'u'"),
        (("segments", "texts.jsonl", "--labels", "A"), "--labels is not for segments"),
        (("curve", *SCORED, "--document", "1"), "--document is not for curve"),
        (("labels", *SCORED, "--k", "3"), "--k is not for labels"),
        (("labels", *SCORED, "pred.jsonl"), "labels takes GOLD PRED, or RESULT.json; here are 3 files"),
        (("curve", *SCORED, "pred.jsonl"), "two runs have the same name: NAME=FILE names them"),
        (("compare", "gold.jsonl"), "compare takes GOLD RUN RUN..."),
        (("compare", *SCORED), "two runs or more"),
        (("curve", *SCORED, "--style", "drak"), "no style is called 'drak'; did you mean 'dark'?"),
        (("curve", *SCORED, "--width", "0"), "width is 0.0"),
        (("curve", *SCORED, "--font-size", "400"), "expected  4 to 40 points"),
        (("labels", *SCORED, "--width", "1", "--font-size", "30"), "the figure does not fit"),
        (("curve", *SCORED, "--title", "A", "--no-title"), "--title and --no-title do not go together"),
        (("curve", *SCORED, "-o", "nowhere/x.svg"), "cannot be written"),
    ],
)
def test_refusals(words: tuple[str, ...], said: str, folder: Path) -> None:
    target = () if "-o" in words else ("-o", "figure.svg")
    error = " ".join(refused(run("plot", *words, *target)).replace("│", " ").split())
    assert " ".join(said.split()) in error
    assert not (folder / "figure.svg").exists()


def test_without_matplotlib(folder: Path, monkeypatch: pytest.MonkeyPatch, hand: spanscope.Result) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'spanscope[plot]'" in refused(run("plot", "labels", *SCORED, "-o", "figure.svg"))
    with pytest.raises(ImportError, match=r"spanscope\[plot\]"):
        figures.labels(hand)


def test_boxes_are_announced(folder: Path) -> None:
    write(folder / "cjk.jsonl", documents([(0, 5, "漢")]))
    words = ("plot", "labels", "cjk.jsonl", "cjk.jsonl", "-m", "spans.exact")
    assert "the font has no glyphs for 漢" in run(*words, "-o", "x.png").err
    assert run(*words, "-o", "x.svg").err == "wrote x.svg\n"


# ---------------------------------------------------------------- results that were written


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        ("curve", {"measures": "spans.relaxed(threshold=0.33)"}),
        ("curve", {"measures": "spans.relaxed", "thresholds": [0.25, 0.5, 0.75], "beta": 2}),
        ("labels", {"measures": "spans.exact", "ci": FEW}),
        ("labels", {"labels": ["Entity", "Nobody"]}),
        ("confusion", {}),
    ],
)
def test_a_written_result_gives_the_figure_of_its_files(kind: str, asked: Json, tmp_path: Path) -> None:
    """Byte for byte: the figure needs nothing that the JSON of a result does not hold."""
    result = spanscope.evaluate(GOLD, PRED, **{"ci": False} | grouped(asked))
    written = write(tmp_path / "r.json", result.to_json())
    assert run("plot", kind, written, "-o", tmp_path / "a.svg").code == 0
    assert (tmp_path / "a.svg").read_bytes() == figures.to_bytes(figures.KINDS[kind](result), ".svg")[0]


def test_cutoffs_of_a_written_result(tmp_path: Path) -> None:
    gold, found = queries()
    result = spanscope.evaluate(gold, found, "passages.ranking", score=spanscope.Scoring(k=[1, 2, 4]), ci=FEW)
    written = write(tmp_path / "r.json", result.to_json())
    run("plot", "cutoffs", written, "-o", tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_bytes() == figures.to_bytes(figures.cutoffs(result), ".svg")[0]


def test_what_a_written_result_does_not_hold_is_refused(tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    run("eval", GOLD, PRED, "-m", "spans.exact", "--no-ci", "-f", "json", "-o", result)
    target = ("-o", tmp_path / "a.svg")
    assert "spans.exact has no threshold" in refused(run("plot", "curve", result, *target))
    assert "no segments to draw" in refused(run("plot", "segments", result, *target))
    assert "several cutoffs" in refused(run("plot", "cutoffs", result, *target))
    assert "its own measures and settings" in refused(run("plot", "labels", result, "-m", "spans.exact", *target))
    assert "its own measures and settings" in refused(run("plot", "labels", result, PRED, *target))
    value = json.loads(result.read_text(encoding="utf-8"))
    broken = write(tmp_path / "b.json", json.dumps(value | {"rows": [{"measure": 1}]}))
    assert "the result cannot be read" in refused(run("plot", "labels", broken, *target))
