"""Every kind of result as a data frame, and as a notebook shows it; results that are loaded again."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import Ci, InputError, MeasureError
from spanscope.report.html import compact
from spanscope.report.table import Report, Table, row_name
from spanscope.results.frames import flat
from tests.cli import GOLD, PRED, TRACES
from tests.commands.test_slices import corpus
from tests.support import needs

FEW = Ci(resamples=20)
OF_RUNS = ("compared", "compared slices", "leaderboard")
KINDS = ("result", "slices", *OF_RUNS, "agreement", "panel", "check", "located")


def made(kind: str) -> Any:
    gold, pred = corpus(24)
    exact: dict[str, Any] = {"measures": "spans.exact", "ci": FEW}
    if kind in ("result", "slices"):
        found = spanscope.evaluate(gold, pred, by=["source"], **exact)
        return found if kind == "result" else found.slices()
    if kind in ("compared", "compared slices"):
        both = spanscope.compare(gold, ("old", pred), ("new", gold), by=["source"], trials=20, **exact)
        return both if kind == "compared" else both.slices()
    if kind == "leaderboard":
        return spanscope.leaderboard(gold, ("old", pred), ("new", gold), trials=20, **exact)
    if kind == "agreement":
        return spanscope.agree(str(GOLD), str(PRED), measures=["spans.exact"], ci=FEW)
    if kind == "panel":
        return spanscope.panel(str(TRACES), ci=False)
    if kind == "check":
        return spanscope.check([{"id": 1, "text": "abc", "spans": [[0, 9, "A"], [2, 1, "A"]]}])
    return spanscope.locate(
        [{"id": 1, "text": "a cat sat"}], [{"id": 1, "spans": [{"text": "cat", "label": "A"}]}]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_result_becomes_a_data_frame(kind: str) -> None:
    """The frames of both libraries have the same columns, and a row for each record with its values."""
    needs("pandas")
    needs("polars")
    found = made(kind)
    records = [flat(one) for one in (found if isinstance(found, list) and kind != "check" else found.records())]
    one, two = found.to_pandas(), found.to_polars()
    assert list(one.columns) == list(two.columns) == list(records[0])
    assert len(one) == len(two) == len(records) > 0
    for name in records[0]:
        values = [record[name] for record in records]
        if all(isinstance(value, str) for value in values):
            assert one[name].tolist() == two[name].to_list() == values
        if all(type(value) in (int, float) and not math.isnan(value) for value in values):
            assert one[name].tolist() == two[name].to_list() == values


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_result_has_a_compact_table_for_notebooks(kind: str) -> None:
    html = made(kind)._repr_html_()
    assert html.count("<table>") >= 1
    assert html.count("<table>") == html.count("</table>")
    if kind == "result":
        before, link, after = html.partition("<details><summary")
        assert before.count("<table>") == 1
        assert link
        assert after.count("<table>") >= 3


def test_a_long_table_is_cut_and_stands_whole_below_the_link() -> None:
    table = Table("Long", (row_name("Row"),), [(f"row {at}",) for at in range(30)], "A note.")
    before, _, after = compact(Report("Title", [table], "signature")).partition("<details>")
    assert (before.count("<tr>"), after.count("<tr>")) == (21, 31)
    assert "The first 20 of 30 rows. A note." in before
    assert "signature" in after


def test_a_check_is_a_list_still() -> None:
    assert spanscope.check([[[0, 1, "A"]]]) == []
    assert "<table>" not in spanscope.check([[[0, 1, "A"]]])._repr_html_()
    found = spanscope.check([{"id": 1, "text": "abc", "spans": [[0, 9, "A"]]}])
    assert [one.kind for one in found] == [found[0].kind]


# ---------------------------------------------------------------- load


@pytest.fixture(scope="module")
def result() -> spanscope.Result:
    gold, pred = corpus(24)
    pred = [{**one, "spans": [{**span, "score": 0.5} for span in one["spans"]]} for one in pred]
    return spanscope.evaluate(gold, pred, by=["source"], ci=FEW, meta={"model": "m"})


def test_a_result_that_was_written_is_loaded(result: spanscope.Result, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(result.to_json(), encoding="utf-8")
    found = spanscope.load(path)
    assert found.rows == result.rows
    assert found.value() == result.value()
    assert found.value("recall", "spans.relaxed(threshold=0.5)", label="A") == result.value(
        "recall", "spans.relaxed(threshold=0.5)", label="A"
    )
    assert found.slices() == result.slices()
    assert found.errors() == result.errors()
    assert found.confusion() == result.confusion()
    assert found.confidence().value() == result.confidence().value()
    assert found.curve() == result.curve()
    assert found.to_json() == result.to_json()
    assert found.to_pandas().equals(result.to_pandas())
    there = [table for table in result.table("markdown").split("\n## ") if not table.startswith("By confidence")]
    for title in ("Overall", "By label", "Slices", "Errors", "Confusion"):
        own = next(table for table in there if table.startswith(title))
        assert own.split("\n`")[0].strip() in found.table("markdown")
    assert repr(found) == repr(result).replace("<Result", "<WrittenResult")


def test_segments_and_passages_are_loaded(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    masses = [{"id": str(n), "masses": [3, 4 + n]} for n in range(3)]
    queries = [{"query": f"q{n}", "snippets": [{"text": f"t{n}"}]} for n in range(3)]
    runs = [{"query": f"q{n}", "retrieved": ["t1"]} for n in range(3)]
    for made_ in (
        spanscope.evaluate(masses, masses, protocol="segments", ci=False),
        spanscope.evaluate(queries, runs, "passages.ranking", ci=False),
    ):
        path.write_text(made_.to_json(), encoding="utf-8")
        found = spanscope.load(str(path))
        assert found.value() == made_.value()
        assert f"{made_.value():.4f}" in str(found)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("leaderboard", "a leaderboard"), ("compared", "a comparison of runs"), ("agreement", "the agreement"),
     ("panel", "several segmentations")],
)  # fmt: skip
def test_other_kinds_are_loaded_as_records(name: str, kind: str, tmp_path: Path) -> None:
    path, whole = tmp_path / "written.json", made(name)
    path.write_text(whole.to_json(), encoding="utf-8")
    found = spanscope.load(path)
    assert repr(found).startswith(f"<WrittenRecords of {kind}")
    assert found.to_json() == whole.to_json()
    own = json.loads(whole.to_json())
    members = own.get("systems") or [*own.get("methods", {}).values()]
    rows = own.get("rows") or [row for one in members for row in one.get("figures", one.get("rows"))]
    assert [row["value"] for row in found.rows] == [row["value"] for row in rows]
    assert len(found.to_pandas()) == len(rows) > 0
    if name in ("leaderboard", "panel"):
        named = "system" if name == "leaderboard" else "method"
        assert {row[named] for row in found.rows} == {
            *(own["methods"] if name == "panel" else [one["name"] for one in own["systems"]])
        }
    del own["settings"]
    broken = {**own, **({"rows": 3} if "rows" in own else {"systems": 3} if "systems" in own else {"methods": 3})}
    path.write_text(json.dumps({"form": 1, "spanscope": "0.1.0", **broken}), encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        spanscope.load(path)


def test_what_is_not_there_is_refused(result: spanscope.Result, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(result.to_json(), encoding="utf-8")
    found = spanscope.load(path)
    with pytest.raises(MeasureError, match="did you mean 'recall'"):
        found.value("recal")
    with pytest.raises(MeasureError, match=r"spans\.iou.* was not run"):
        found.value("f1", "spans.iou")
    path.write_text(json.dumps({"a": 1}), encoding="utf-8")
    with pytest.raises(InputError, match="is not a result file"):
        spanscope.load(path)
