"""`assert_spans`: floors and ceilings, the message with the worst errors, and the section of pytest's plugin."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from spanscope import Scoring
from spanscope.adapters.testing import assert_spans
from spanscope.errors import MeasureError
from tests.cli import environment

GOLD = [
    {"id": "r1", "text": "Anna met Bob", "spans": [[0, 4, "PER"], [9, 12, "PER"]]},
    {"id": "r2", "text": "in old Rome today", "spans": [[7, 11, "LOC"]]},
]
PRED = [
    {"id": "r1", "spans": [[0, 4, "PER"]]},
    {"id": "r2", "spans": [[3, 11, "LOC"], [12, 17, "PER"]]},
]
ODD = {"start": 9, "end": 12, "label": "PER", "text": "Bab"}
BAD = [GOLD[0] | {"spans": [ODD]}, GOLD[1]]


def message(*args: Any, **options: Any) -> str:
    with pytest.raises(AssertionError) as failed:
        assert_spans(*args, **options)
    return str(failed.value)


def test_good_enough() -> None:
    """One of three gold spans and of three predictions is right."""
    result = assert_spans(GOLD, PRED, micro_f1=0.33, recall=1 / 3, fail_under={"recall[PER]": 0.5})
    assert result.value() == pytest.approx(1 / 3)
    assert all(row.low is None for row in result.rows)


def test_the_message_shows_the_worst_errors_first() -> None:
    said = message(GOLD, PRED, micro_f1=0.8, fail_under=["recall[PER]=0.5"], protocol="spans")
    assert said.splitlines()[:-1] == [
        "missed: micro_f1 is 0.3333, below 0.8",
        "passed: recall[PER] is 0.5, at least 0.5",
        "",
        "  r2  boundary (longer, left)",  # the same end, and more to the left of the gold span
        "      gold  LOC  7..11  Rome",
        "      pred  LOC  3..11  old Rome",
        "  r2  spurious",
        "      pred  PER  12..17  today",
        "  r1  missing",
        "      gold  PER  9..12  Bob",
        "",
    ]
    assert said.splitlines()[-1].startswith("spans.exact(duplicates=list)|avg:micro|")


def test_errors_beyond_those_asked_for_are_counted() -> None:
    assert "  and 2 errors more" in message(GOLD, PRED, "spans.exact", f1=0.8, examples=1)
    assert "Rome" not in message(GOLD, PRED, "spans.exact", f1=0.8, examples=0)


@pytest.mark.parametrize(("text", "words"), [("masked", "xxx xxxx"), ("none", "")])
def test_texts_stay_private(text: str, words: str) -> None:
    said = message(GOLD, PRED, f1=0.8, text=text)
    assert not any(word in said for word in ("Anna", "Bob", "Rome", "today"))
    assert f"      pred  LOC  3..11  {words}" in said.splitlines()
    assert not any(word in message(BAD, PRED, f1=0.8, text=text) for word in ("Anna", "Bab"))


def test_other_families() -> None:
    text = "one. two. three."
    gold = [{"id": 1, "text": text, "segments": [[0, 5], [5, 10], [10, 16]]}]
    pred = [{"id": 1, "text": text, "segments": [[0, 9], [9, 16]]}]
    said = message(gold, pred, "segments.boundaries", recall=0.9)
    assert "  1  missed\n      gold  at 5" in said
    said = message(gold, pred, ["segments.displacement"], fail_over={"displacement": 0.5})
    assert "displacement is" in said
    assert ", above 0.5" in said
    answers = [{"id": "q", "query": "Who?", "snippets": [{"text": "Ann", "id": "a"}]}]
    found = [{"id": "q", "query": "Who?", "retrieved_passages": [{"text": "Bob", "id": "b"}]}]
    said = message(answers, found, "passages.exact_match", exact_match=1)
    assert "q  nothing\n      pred  rank 1  b  Bob" in said


def test_what_is_no_assertion_is_refused() -> None:
    with pytest.raises(MeasureError, match="nothing is asserted"):
        assert_spans(GOLD, PRED)
    with pytest.raises(MeasureError, match="did you mean 'protocol'"):
        assert_spans(GOLD, PRED, protocl="pii", f1=0.2)
    with pytest.raises(MeasureError, match="has no rate 'f7'"):
        assert_spans(GOLD, PRED, f7=0.2)
    with pytest.raises(MeasureError, match="so 'f1=80' can never be reached"):
        assert_spans(GOLD, PRED, f1=80)
    assert_spans(GOLD, PRED, f2=0.3, score=Scoring(beta=2))


TESTS = f"""
from spanscope.adapters.testing import assert_spans

GOLD, PRED = {json.dumps(GOLD)}, {json.dumps(PRED)}

def test_good():
    assert_spans(GOLD, PRED, "spans.exact", micro_f1=0.3)
    assert_spans(GOLD, GOLD, "spans.exact", recall=1)

def test_bad():
    assert_spans(GOLD, PRED, "spans.exact", micro_f1=0.8)

def test_other():
    assert 1 + 1 == 2
"""
PLUGIN = "spanscope.adapters.pytest_plugin"
PLAIN = "def test_other():\n    import sys\n    assert 'numpy' not in sys.modules\n"


def session(folder: Path, text: str, *more: str) -> list[str]:
    (folder / "test_spans.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:spanscope", "-p", PLUGIN, *more, "test_spans.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment())
    return done.stdout.splitlines()


@pytest.mark.parametrize("more", [(), ("-p", "xdist", "-n", "2")])
def test_the_section_of_figures(tmp_path: Path, more: tuple[str, ...]) -> None:
    lines = session(tmp_path, TESTS, "-p", "no:cacheprovider", "--junit-xml", "out.xml", *more)
    at = next(number for number, line in enumerate(lines) if line.strip("= ") == "spans")
    figure = "spans.exact: micro_f1 is 0.3333, "
    assert sorted(lines[at + 1 : at + 4]) == [
        f"test_spans.py::test_bad  {figure}below 0.8",
        f"test_spans.py::test_good  {figure}at least 0.3",
        "test_spans.py::test_good  spans.exact: recall is 1.0, at least 1",
    ]
    assert any(line.startswith("E     ") and "missed: micro_f1" in line for line in lines)
    assert f'<property name="spanscope" value="{figure}below 0.8"' in (tmp_path / "out.xml").read_text("utf-8")


def test_a_run_without_spans_shows_and_loads_nothing(tmp_path: Path) -> None:
    lines = session(tmp_path, PLAIN, "-p", "no:cacheprovider")
    assert "1 passed" in lines[-1]
    assert not any(line.strip("= ") == "spans" for line in lines)
