"""Infinite distances are counted in JSON and CSV: their mean is nothing that a number could say."""

import csv
import io
import json
from importlib.resources import files
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

import spanscope

CUT, HALVES, WHOLE = [[0, 4], [4, 10]], [[0, 5], [5, 10]], [[0, 10]]
# of three documents: one boundary off by one; none predicted; one predicted where there is none
SIDES = [(HALVES, CUT), (HALVES, WHOLE), (WHOLE, HALVES)]
DOCUMENTS = [
    {"id": n, "text": "abcdefghij", "segmentations": {"Gold": gold, "A": pred}}
    for n, (gold, pred) in enumerate(SIDES)
]
RATES = [("segments.displacement", "displacement"), ("segments.rt_seg", "Boundary_Displacement")]


def parted() -> tuple[list[Any], list[Any]]:
    own = [
        [{"id": one["id"], "text": one["text"], "segments": one["segmentations"][name]} for one in DOCUMENTS]  # type: ignore[index]
        for name in ("Gold", "A")
    ]
    return own[0], own[1]


@pytest.mark.parametrize(("form", "rate"), RATES)
def test_a_result(form: str, rate: str) -> None:
    result = spanscope.evaluate(*parted(), form, ci=False)
    data = json.loads(result.to_json())
    schema = json.loads((files("spanscope.results") / "schemas" / "result-1.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(data)
    rows = [row for row in data["rows"] if row["rate"] == rate]
    assert [row["infinite"] for row in rows] == [2, 2]
    written = csv.DictReader(io.StringIO(result.table("csv")))
    assert [row["infinite"] for row in written if row["rate"] == rate] == ["2", "2"]


@pytest.mark.parametrize(("form", "rate"), RATES)
def test_a_panel(form: str, rate: str) -> None:
    panel = spanscope.panel(DOCUMENTS, "Gold", form, ci=False)
    rows = json.loads(panel.to_json())["methods"]["A"]["rows"]
    assert {row["infinite"] for row in rows if row["rate"] == rate} == {2}
    written = csv.DictReader(io.StringIO(panel.table("csv")))
    assert {row["infinite"] for row in written if (row["gold"], row["rate"]) == ("Gold", rate)} == {"2"}


def test_measures_that_count_none_say_nothing_of_it() -> None:
    result = spanscope.evaluate(*parted(), "segments.bias", ci=False)
    assert all("infinite" not in row for row in result.to_dict()["rows"])
    assert "infinite" not in result.table("csv")
