"""Every format has a sample by which it is known, and says what it cannot hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from spanscope.commands.formats import explain, formats
from spanscope.errors import MeasureError
from spanscope.io.detect import FORMATS, recognise
from spanscope.io.samples import ABOUT


def test_every_format_is_described() -> None:
    lacking = [one.name for one in FORMATS if one.name not in ABOUT or not all(ABOUT[one.name][:2])]
    assert not lacking, f"io/samples.py lacks a sample, or what it cannot hold, of {', '.join(lacking)}"


@pytest.mark.parametrize("name", [one.name for one in FORMATS if one.name in ABOUT and ABOUT[one.name].suffix])
def test_a_sample_is_known_as_what_it_is(name: str, tmp_path: Path) -> None:
    own = ABOUT[name]
    path = tmp_path / f"sample{own.suffix}"
    path.write_text(own.sample + "\n", encoding="utf-8")
    assert recognise(path).name == name


def test_the_table_has_every_format_once() -> None:
    rows = formats()
    assert [row["name"] for row in rows].count("brat") == 1
    assert {one.name for one in FORMATS} <= {row["name"] for row in rows}
    assert next(row["written"] for row in rows if row["name"] == "brat") == ["brat"]


def test_one_format_is_explained_by_its_name_or_that_of_its_form() -> None:
    assert explain("pubtator")["sample"] == ABOUT["pubtator"].sample
    assert explain("csv")["name"] == "spans-tsv"
    assert "scores of spans" in explain("brat")["lost_when_written"]["brat"]
    with pytest.raises(MeasureError, match="no format is called 'brrat'; did you mean 'brat'"):
        explain("brrat")
