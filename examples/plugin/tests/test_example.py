"""The tests of the package itself: what it adds, used as its users would."""

from pathlib import Path

import pytest

import spanscope

GOLD = r"""#inline 1
d1	[Anna](PER) met [Bob](PER) in [New \[York\]](LOC)
d2	nobody\nat home
"""
PRED = r"""#inline 1
d1	A[nna](PER) met [Bob](PER) in [New](LOC) \[York\]
d2	[nobody](PER)\nat home
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "gold.inline").write_text(GOLD, encoding="utf-8")
    (tmp_path / "pred.inline").write_text(PRED, encoding="utf-8")
    return tmp_path / "gold.inline", tmp_path / "pred.inline"


def test_texts_and_spans_are_read_without_their_marks(files: tuple[Path, Path]) -> None:
    first, second = spanscope.read(files[0]).to_dicts()
    assert first["text"] == "Anna met Bob in New [York]"
    assert [first["text"][one["start"] : one["end"]] for one in first["spans"]] == ["Anna", "Bob", "New [York]"]
    assert (second["text"], second["spans"]) == ("nobody\nat home", [])


def test_starts_are_counted(files: tuple[Path, Path]) -> None:
    """Bob and New start where gold does, Anna a character later: 2 of 3, and 3 of 3 within one character."""
    found = spanscope.evaluate(*files, ["example.starts", "example.starts(within=1)"], ci=False)
    assert found.value("recall", "example.starts(within=0)", "micro") == pytest.approx(2 / 3)
    assert found.value("precision", "example.starts(within=0)", "micro") == pytest.approx(2 / 4)
    assert found.value("recall", "example.starts(within=1)", "micro") == 1


def test_what_is_written_is_read_back(files: tuple[Path, Path], tmp_path: Path) -> None:
    done = spanscope.convert(files[0], tmp_path / "again.inline")
    assert (done.form, done.losses) == ("inline", ())
    assert spanscope.read(tmp_path / "again.inline").to_dicts() == spanscope.read(files[0]).to_dicts()


@pytest.mark.parametrize("line", ["no tab", "d1\tends](X)", "d1\t[begins"])
def test_a_line_that_cannot_be_read_is_named(line: str, tmp_path: Path) -> None:
    (tmp_path / "bad.inline").write_text(f"#inline 1\n{line}\n", encoding="utf-8")
    with pytest.raises(spanscope.InputError, match=r"bad\.inline:2"):
        spanscope.read(tmp_path / "bad.inline")
