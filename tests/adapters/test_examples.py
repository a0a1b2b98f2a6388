"""The examples with fixed answers of models: their figures, worked by hand."""

import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def main_of(name: str) -> Any:
    return runpy.run_path(str(EXAMPLES / name))["main"]()


def test_langextract(capsys: pytest.CaptureFixture[str]) -> None:
    """Two of four extractions are exact; a third one is too short; a fourth is nowhere in the text."""
    result = main_of("langextract_documents.py")
    assert result.value("precision") == result.value("recall") == 1 / 2
    assert result.value("precision", "spans.overlap") == 3 / 4
    assert result.problems.number == {"nowhere": 1, "near place": 1}
    assert "aspirin" in capsys.readouterr().out


def test_gliner(capsys: pytest.CaptureFixture[str]) -> None:
    """Of four gold spans: four of five predictions are right, four of four, three of three."""
    assert main_of("gliner_entities.py") == pytest.approx({0.3: 8 / 9, 0.5: 1.0, 0.7: 6 / 7})
    assert capsys.readouterr().out.splitlines()[1] == "threshold 0.5: F1 1.0000"
