"""Comparisons as release gates, and what their files are."""

import csv
import io
from pathlib import Path

import pytest

from tests.cli import GOLD, PRED, run

# Gold itself scores 1; the demo's predictions match 157 of 246 predicted and 259 gold spans: F1 = 314 / 505.
BETTER, WORSE = ("compare", GOLD, f"base={PRED}", f"new={GOLD}"), ("compare", GOLD, f"base={GOLD}", f"new={PRED}")
HOW = ("-m", "spans.exact", "--trials", "200", "-f", "csv")
F1 = 314 / 505


@pytest.mark.parametrize(
    ("files", "gate", "code"),
    [
        (BETTER, ["--fail-if-worse"], 0),
        (BETTER, ["--fail-if-not-better"], 0),
        (BETTER, ["--fail-if-worse", "--fail-if-not-better"], 0),
        (WORSE, ["--fail-if-worse"], 1),
        (WORSE, ["--fail-if-worse", "0"], 1),
        (WORSE, ["--fail-if-worse=0.37"], 1),  # 1 - 314/505 is 0.378...
        (WORSE, ["--fail-if-worse", "0.38"], 0),
        (WORSE, ["--fail-if-not-better"], 1),
        (WORSE, ["--fail-if-worse", "-0.1"], 2),
        (WORSE, ["--fail-if-worse", "nan"], 2),
    ],
)
def test_gates_of_comparisons(files: tuple[object, ...], gate: list[str], code: int) -> None:
    assert run(*files, *HOW, *gate).code == code


def test_a_run_that_is_not_told_apart_is_not_better(tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(PRED.read_bytes())
    files = ("compare", GOLD, f"base={PRED}", f"new={copy}")
    assert run(*files, *HOW, "--fail-if-worse").code == 0
    done = run(*files, *HOW, "--fail-if-not-better")
    assert done.code == 1
    assert f"missed: f1 of new is {F1:.4f}, which is not shown to be better than {F1:.4f} of base" in done.err


def test_what_was_missed_is_said(tmp_path: Path) -> None:
    done = run(*WORSE, *HOW, "--fail-if-worse", "0.1")
    assert f"missed: f1 of new is {F1:.4f}, which is worse than 1.0 of base by more than 0.1\n" in done.err


def test_an_option_that_stands_alone_takes_no_file_for_its_value() -> None:
    """The first file follows the option."""
    assert run("compare", "--fail-if-worse", *WORSE[1:], *HOW).code == 1


def test_documents_have_two_columns() -> None:
    rows = list(csv.DictReader(io.StringIO(run(*WORSE, *HOW).out)))
    assert {(row["base_documents"], row["documents"]) for row in rows if row["average"] == "micro"} == {
        ("50", "50")
    }


def test_a_name_that_ends_in_html_means_the_page(tmp_path: Path) -> None:
    for name, asked in (("a.html", ("eval", GOLD, PRED, "--no-ci")), ("b.htm", (*WORSE, "--trials", "5"))):
        page = tmp_path / name
        done = run(*asked, "-m", "spans.exact", "-o", page)
        assert done.code == 0
        assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
        assert "spans.exact" in done.out  # the table is printed, as without -o
    done = run("eval", GOLD, PRED, "-o", tmp_path / "a.html", "--html", tmp_path / "c.html")
    assert done.code == 2
    assert "-o and --html both name the page" in " ".join(done.err.split())
