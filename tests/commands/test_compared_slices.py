"""`compare --by`: the figures of slices of two runs, and the tests of their differences."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import Ci, compare
from spanscope.errors import InputError, MeasureError
from spanscope.stats.significance import holm
from tests.cli import refused, run
from tests.commands.test_slices import Documents, corpus

EXACT = "spans.exact"
CI = Ci(resamples=100)
TESTED = ("base", "value", "difference", "low", "high", "p")


def runs(number: int = 60) -> tuple[Documents, Documents, Documents]:
    """Return gold, a run that misses spans in forums, and one that misses some in news and invents some."""
    gold, weak = corpus(number)
    other = []
    for n, one in enumerate(gold):
        spans = one["spans"][:-1] if n % 6 == 0 else one["spans"]
        spans = [*spans, {"start": 30, "end": 38, "label": "A"}] if n % 2 == 0 else spans
        other.append({"id": one["id"], "spans": spans})
    return gold, weak, other


def of_slice(found: Any, name: str, run_name: str = "new") -> dict[str, Any]:
    return next(one for one in found.slices() if (one["name"], one["run"]) == (name, run_name))


@pytest.mark.parametrize(("measure", "average"), [(EXACT, "micro"), ("spans.characters", None)])
def test_a_slice_of_documents_is_compared_as_a_corpus_of_these_documents(
    measure: str, average: str | None
) -> None:
    gold, weak, other = runs()
    found = compare(gold, ("base", weak), ("new", other), measures=measure, by=["source"], ci=CI, trials=300)
    assert len(found.slices()) == 3
    for at, source in enumerate(("news", "mail", "forum")):
        parts = [side[at::3] for side in (gold, weak, other)]
        alone = compare(
            parts[0], *zip(("base", "new"), parts[1:], strict=True), measures=measure, ci=CI, trials=300
        )
        row, one = alone.value(average=average), of_slice(found, source)
        assert [one[name] for name in TESTED] == [getattr(row, name) for name in TESTED]
        assert one["documents"] == one["units"] == 20


def test_means_over_documents_are_compared_by_slice() -> None:
    gold = [{"id": str(n), "length": 9 + n, "kind": "ab"[n % 2], "masses": [3, 6 + n]} for n in range(40)]
    before = [{**one, "masses": [3, 6 + n] if n % 3 else [4, 5 + n]} for n, one in enumerate(gold)]
    after = [{**one, "masses": [3, 6 + n] if n % 2 else [5, 4 + n]} for n, one in enumerate(gold)]
    measure = "segments.boundaries"
    found = compare(gold, ("base", before), ("new", after), measures=measure, by=["kind"], ci=CI, trials=100)
    for at, kind in enumerate("ab"):
        parts = [side[at::2] for side in (gold, before, after)]
        row = compare(parts[0], *parts[1:], measures=measure, ci=CI, trials=100).value()
        one = of_slice(found, kind)
        assert [one[name] for name in TESTED] == [pytest.approx(getattr(row, name), abs=1e-12) for name in TESTED]
    assert [one["name"] for one in found.slices()] == ["a", "b"]  # what lost most comes first


def test_slices_of_spans_have_the_figures_that_eval_gives_each_run() -> None:
    gold, weak, other = runs()
    by = ["@length", "@nested"]
    found = compare(gold, ("base", weak), ("new", other), measures=EXACT, by=by, ci=CI, trials=100)
    for side, column in ((weak, "base_rates"), (other, "rates")):
        for one in spanscope.evaluate(gold, side, EXACT, by=by, ci=False).slices():
            assert of_slice(found, one["name"])[column] == one["rates"]
    assert {one["name"] for one in found.slices()} == {"3 to 5 characters", "6 to 10 characters", "not nested"}
    assert (
        of_slice(found, "6 to 10 characters")["base"] is None
    )  # the first run has nothing there, and neither gold
    assert of_slice(found, "6 to 10 characters")["reading"] == "undefined"


def test_p_is_adjusted_for_all_slices_and_runs_that_were_tested() -> None:
    gold, weak, other = runs()
    sides = [("base", weak), ("new", other), ("again", weak)]
    found = compare(gold, *sides, measures=EXACT, by=["source", "year"], ci=CI, trials=100)
    tested = [one for one in found.slices() if one["p"] is not None]
    assert len(tested) == 2 * (3 + 2)
    assert [one["adjusted"] for one in tested] == holm([one["p"] for one in tested])
    assert "adjusted by Holm's method for 10 tests: all slices and runs" in str(found)


def test_swapping_runs_flips_every_slice() -> None:
    gold, weak, other = runs()
    flipped = {"better": "worse", "worse": "better"}
    one, two = (
        compare(gold, *sides, measures=EXACT, by=["source"], ci=CI, trials=200)
        for sides in ([("old", weak), ("new", other)], [("new", other), ("old", weak)])
    )
    assert one.slices()[0]["name"] == two.slices()[-1]["name"] == "news"
    for own in one.slices():
        back = of_slice(two, own["name"], "old")
        assert (back["difference"], back["p"], back["adjusted"]) == (-own["difference"], own["p"], own["adjusted"])
        assert back["reading"] == flipped.get(own["reading"], own["reading"])


def test_slices_too_small_come_last_and_say_so() -> None:
    gold, weak, other = runs()
    found = compare(gold, weak, other, measures=EXACT, by=["year"], ci=CI, trials=100)
    last = found.slices()[-1]
    assert (last["name"], last["documents"], last["p"], last["low"]) == ("(none)", 1, None, None)
    assert "too few" in str(found)
    assert "in fewer than 6 it has no p either and is listed last" in " ".join(str(found).split())


def test_groups_are_what_is_tested() -> None:
    gold, weak, other = runs()
    for n, one in enumerate(gold):
        one["author"] = n % 15
    found = compare(gold, weak, other, measures=EXACT, by=["source"], group="author", ci=CI, trials=100)
    assert {one["units"] for one in found.slices()} == {5}
    assert all(one["p"] is None for one in found.slices())


def test_the_documents_that_all_runs_have_are_sliced() -> None:
    gold, weak, other = runs()
    options: dict[str, Any] = {"measures": EXACT, "ci": CI, "trials": 100}
    found = compare(gold, ("base", weak), ("new", other[3:]), by=["source"], missing="common", **options)
    plain = compare(gold[3:], ("base", weak[3:]), ("new", other[3:]), by=["source"], **options)
    assert found.slices() == plain.slices()
    with pytest.raises(MeasureError, match="@document-length depends on which documents there are"):
        compare(gold, weak, other[3:], by=["@document-length"], missing="common", **options)


def test_results_that_were_sliced_are_compared_by_slice() -> None:
    gold, weak, other = runs()
    results = [spanscope.evaluate(gold, side, EXACT, by=["source"], ci=False) for side in (weak, other)]
    found = compare(None, *results, ci=CI, trials=100)
    assert found.slices() == [
        {**one, "run": "run 2"}
        for one in compare(gold, weak, other, measures=EXACT, by=["source"], ci=CI, trials=100).slices()
    ]


@pytest.mark.parametrize("measure", [EXACT, "spans.characters"])
def test_saved_results_are_compared_by_slice(measure: str, files: list[str], tmp_path: Path) -> None:
    by = ["--by", "source", *(("--by", "@length", "--by", "@label-frequency") if measure == EXACT else ())]
    asked = ["-m", measure, *by]
    saved = [f"weak={tmp_path}/weak.json", f"other={tmp_path}/other.json"]
    for file, one in zip(files[1:], saved, strict=True):
        run("eval", files[0], file, *asked, "--keep", "--memory", "counts", "-o", one.partition("=")[2])
    pairs = [f"{name}={file}" for name, file in zip(("weak", "other"), files[1:], strict=True)]
    live = json.loads(run("compare", files[0], *pairs, *asked, "--trials", "100", "-f", "json").out)
    again = json.loads(run("compare", *saved, "--trials", "100", "-f", "json").out)
    assert len(live["slices"]) >= 3
    assert again["slices"] == live["slices"]
    assert again["settings"]["by"] == live["settings"]["by"]


def test_a_file_whose_slices_were_changed_is_refused(files: list[str], tmp_path: Path) -> None:
    path = tmp_path / "weak.json"
    run("eval", *files[:2], "-m", EXACT, "--by", "source", "--keep", "--no-ci", "-o", str(path))
    value = json.loads(path.read_text("utf-8"))
    value["slices"][0]["counts"] = {name: n + 1 for name, n in value["slices"][0]["counts"].items()}
    path.write_text(json.dumps(value), "utf-8")
    assert "counts something else" in refused(run("compare", str(path), str(path)))


def test_ways_that_one_of_two_results_lacks_are_left_out() -> None:
    gold, weak, other = runs()
    one = spanscope.evaluate(gold, weak, EXACT, by=["source", "@length"], ci=False)
    two = spanscope.evaluate(gold, other, EXACT, by=["@length"], ci=False)
    assert {row["by"] for row in compare(None, one, two, ci=CI, trials=50).slices()} == {"@length"}


def test_long_values_of_fields_are_masked_with_the_texts() -> None:
    gold, weak, other = runs()
    for one in gold:
        one["source"] = f"{one['source']}: a secret that is longer than forty characters"
    found = compare(gold, weak, other, measures=EXACT, by=["source"], text="masked", ci=CI, trials=100)
    assert all("secret" not in shown for shown in (str(found), found.to_json(), found.table("csv")))
    alone = spanscope.evaluate(gold, weak, EXACT, by=["source", "year"], text="masked", ci=False)
    kept = alone.to_dict(kept=True)["kept"]
    assert [*kept["slices"]] == ["year"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    out = []
    for name, side in zip(("gold", "weak", "other"), runs(), strict=True):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(map(json.dumps, side)), encoding="utf-8")
        out.append(str(path))
    return out


def test_slices_are_in_every_form_of_the_comparison(files: list[str]) -> None:
    asked = ["compare", files[0], f"base={files[1]}", f"new={files[2]}", "-m", EXACT, "--by", "source"]
    asked += ["--trials", "100", "--resamples", "50"]
    for form in ("table", "markdown", "latex"):
        shown = run(*asked, "-f", form).out
        assert "By slice: micro f1 of spans.exact, largest loss first" in shown
        assert "forum" in shown
    written = json.loads(run(*asked, "-f", "json").out)
    assert written["settings"]["by"] == ["source"]
    rows = list(csv.DictReader(io.StringIO(run(*asked, "-f", "csv").out)))
    for one in written["slices"]:
        own = {row["rate"]: row for row in rows if row["slice"] == one["name"]}
        assert float(own["f1"]["adjusted"]) == one["adjusted"]
        assert float(own["recall"]["base"]) == one["base_rates"]["recall"]
        assert own["recall"]["p"] == ""


def test_what_cannot_be_sliced_is_refused(files: list[str], tmp_path: Path) -> None:
    saved = []
    for at, file in enumerate(files[1:]):
        saved.append(str(tmp_path / f"{at}.json"))
        run("eval", files[0], file, "-m", EXACT, "--no-ci", "--keep", "-o", saved[-1])
    assert "a result has its own measures and settings" in refused(run("compare", *saved, "--by", "source"))
    assert "no slices are called" in refused(run("compare", *files, "--by", "@lenght"))
    assert "No such option" in refused(run("leaderboard", *files, "--by", "source"))
    with pytest.raises(InputError):
        compare(runs()[0], runs()[1], by=["source"])


def test_where_nothing_is_in_any_slice_there_are_none() -> None:
    """Without a single span no slice of spans has anything in it."""
    empty = [{"id": name, "text": "some words", "spans": []} for name in "ab"]
    found = compare(empty, ("a", empty), ("b", empty), by=["@length", "@nested"], trials=9)
    assert found.slices() == []
