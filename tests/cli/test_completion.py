"""What the shell offers behind options, by Click's own interface, and by the variable that a shell sets."""

import os
from pathlib import Path
from unittest import mock

import pytest
import typer
from typer._completion_classes import BashComplete

from spanscope.cli import program
from tests.cli import GOLD, run, write


def offered(*words: str) -> list[str]:
    """Return what is offered for the last word."""
    shell = BashComplete(typer.main.get_command(program()), {}, "spanscope", "_SPANSCOPE_COMPLETE")
    return [one.value for one in shell.get_completions([*words[:-1]], words[-1])]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("eval", "-p", "reqflow-"), ["reqflow-v1", "reqflow-v2"]),
        (("compare", "--protocol", "conll"), ["conll2003"]),
        (("eval", "-m", "spans.ex"), ["spans.exact"]),
        (("eval", "--input", "pub"), ["pubtator"]),
        (("convert", "a", "b", "--to", "label"), ["label-studio"]),
        (("eval", "-f", "j"), ["json", "junit"]),
        (("eval", "--missing", ""), ["error", "empty", "skip"]),
        (("eval", "--text", "m"), ["masked"]),
        (("formats", "prod"), ["prodigy"]),
        (("measures", "segments.pk"), ["segments.pk"]),
        (("eval", "--jobs", ""), []),
        (("eval", "--labels", ""), []),
        (("eval", "no such file", "--labels", ""), []),
        (("conv",), ["convert"]),
    ],
)
def test_names_are_offered(words: tuple[str, ...], wanted: list[str]) -> None:
    assert offered(*words) == wanted


def test_labels_are_those_of_gold(tmp_path: Path) -> None:
    assert offered("eval", str(GOLD), "--labels", "Con") == ["Condition", "Constraint"]
    assert offered("eval", str(GOLD), "pred", "--labels", "Condition,Con") == ["Condition,Constraint"]
    assert offered("check", str(GOLD), "--labels", "Action,Ex") == ["Action,Exception"]
    assert offered("eval", str(write(tmp_path / "bad.jsonl", "{")), "--labels", "") == []


def test_a_shell_is_answered() -> None:
    asked = {"_SPANSCOPE_COMPLETE": "complete_bash", "COMP_WORDS": "spanscope eval -p reqflow-", "COMP_CWORD": "3"}
    with mock.patch.dict(os.environ, asked):
        assert run().out.split() == ["reqflow-v1", "reqflow-v2"]
