"""Several files of one system: how they are given, and what the reports say of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from spanscope import Ci, compare, evaluate, leaderboard, source
from spanscope.errors import MeasureError
from tests.cli import run, write
from tests.commands.test_compare import EXACT, GOLD, STRONG, WEAK
from tests.commands.test_leaderboard import VALID

QUICK = Ci(60)
OTHER = [one | {"spans": one["spans"][:2]} for one in STRONG]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, side in (("gold", GOLD), ("a1", WEAK), ("a2", OTHER), ("b1", STRONG), ("b2", GOLD)):
        write(Path(f"{name}.jsonl"), side)
    return tmp_path


def compared(*runs: str, form: str = "json") -> Any:
    done = run("compare", "gold.jsonl", *runs, "-m", EXACT, "--resamples", "60", "-f", form)
    assert done.code == 0, done.err
    return json.loads(done.out) if form == "json" else done.out


@pytest.mark.usefixtures("folder")
def test_commas_names_and_lists_are_the_same() -> None:
    typed = compared("base=a1.jsonl,a2.jsonl", "new=b1.jsonl,b2.jsonl")
    apart = compared("base=a1.jsonl", "new=b1.jsonl", "base=a2.jsonl", "new=b2.jsonl")
    assert typed == apart
    assert typed["runs"] == {"base": ["a1.jsonl", "a2.jsonl"], "new": ["b1.jsonl", "b2.jsonl"]}
    lists = ("base", ["a1.jsonl", Path("a2.jsonl")]), ("new", ("b1.jsonl", source("b2.jsonl")))
    given = compare("gold.jsonl", *lists, measures=EXACT, ci=QUICK)
    assert json.loads(given.to_json())["rows"] == typed["rows"]


def test_documents_in_memory_are_never_files() -> None:
    found = compare(GOLD, ("weak", WEAK), ("strong", STRONG), measures=EXACT, ci=QUICK, trials=50)
    assert [len(own) for own in found.runs.values()] == [1, 1]


@pytest.mark.usefixtures("folder")
def test_a_file_with_a_comma_in_its_name() -> None:
    Path("a1.jsonl").rename("a,1.jsonl")
    assert compared("base=a,1.jsonl", "new=b1.jsonl")["runs"]["base"] == ["a,1.jsonl"]


@pytest.mark.usefixtures("folder")
def test_an_empty_name_between_commas_is_refused() -> None:
    done = run("compare", "gold.jsonl", "base=a1.jsonl,,a2.jsonl", "new=b1.jsonl")
    assert done.code == 2
    assert "there is an empty file name between two commas" in done.err


@pytest.mark.usefixtures("folder")
def test_eval_says_where_several_files_are_taken() -> None:
    done = run("eval", "gold.jsonl", "a1.jsonl,a2.jsonl")
    assert (done.code, "leaderboard GOLD NAME=a1.jsonl,a2.jsonl" in done.err) == (2, True)


def test_files_move_a_difference() -> None:
    """Both parts are told, the difference is that of the means, and p covers both."""
    several = (("base", WEAK), ("base", OTHER), ("new", STRONG), ("new", GOLD))
    row = compare(GOLD, *several, measures=EXACT, ci=QUICK).value("f1")
    values = [evaluate(GOLD, side, EXACT, ci=False).value("f1") for side in (WEAK, OTHER, STRONG, GOLD)]
    assert row.difference == pytest.approx((values[2] + values[3] - values[0] - values[1]) / 2)
    assert row.documents_error is not None
    assert row.files_error is not None
    assert row.files_error > 0
    assert row.degrees is not None
    assert row.degrees >= 1
    alone = compare(GOLD, ("base", WEAK), ("new", STRONG), measures=EXACT, ci=QUICK, trials=100).value("f1")
    assert (alone.files_error, alone.degrees) == (None, None)
    assert alone.documents_error is not None


def test_what_is_not_covered_is_said() -> None:
    one = compare(GOLD, ("base", WEAK), ("new", STRONG), measures=EXACT, ci=QUICK, trials=50)
    assert "Not covered: variation from training or running a system again" in one.table(width=300)
    assert "t,satterthwaite" not in one.table(width=300)
    some = compare(GOLD, ("base", WEAK), ("new", STRONG), ("new", OTHER), measures=EXACT, ci=QUICK)
    said = some.table(width=300)
    assert "Not covered: variation between files of base" in said
    assert "Two files are too few to estimate how much files vary: new." in said
    assert "|t,satterthwaite,documents+files|" in said
    assert "randomisation" not in said


def test_both_kinds_of_tests_in_one_comparison() -> None:
    runs = (("base", WEAK), ("one", STRONG), ("two", STRONG), ("two", OTHER))
    found = compare(GOLD, *runs, measures=EXACT, ci=QUICK, trials=100)
    assert "|randomisation,trials:100|t,satterthwaite,documents+files|" in found.table(width=300)
    alone = compare(GOLD, *runs[:2], measures=EXACT, ci=QUICK, trials=100)
    assert found.value("f1", run="one").p == alone.value("f1").p


def test_a_method_that_knows_documents_alone_is_refused() -> None:
    several = (("base", WEAK), ("base", OTHER), ("new", STRONG))
    for command in (compare, leaderboard):
        with pytest.raises(MeasureError, match="'base' has several files"):
            command(GOLD, *several, measures=EXACT, ci=Ci(60, method="bca"))  # type: ignore[operator]


@pytest.mark.usefixtures("folder")
def test_one_system_of_several_files_has_a_row() -> None:
    done = run(
        "leaderboard", "gold.jsonl", "base=a1.jsonl,a2.jsonl", "-m", EXACT, "--resamples", "60", "-f", "json"
    )
    assert done.code == 0, done.err
    found = json.loads(done.out)
    VALID.validate(found)
    (system,), spreads = found["systems"], found["spreads"]
    values = [evaluate(GOLD, side, EXACT, ci=False).value("f1") for side in (WEAK, OTHER)]
    assert system["figures"][0]["value"] == pytest.approx(sum(values) / 2)
    own = next(one for one in spreads if (one["rate"], one["average"]) == ("f1", "micro"))
    assert (own["low"], own["high"]) == (system["figures"][0]["low"], system["figures"][0]["high"])
    assert own["deviation"] == pytest.approx(abs(values[0] - values[1]) / 2**0.5)
    assert (found["pairs"], found["trials"]) == ([], 0)
    assert run("compare", "gold.jsonl", "base=a1.jsonl,a2.jsonl").code == 2


def test_ranks_are_less_sure_where_files_vary() -> None:
    """The means are apart in every resample, but the files of one system are farther apart than that."""
    near = [one | {"spans": one["spans"][:3]} for one in GOLD]
    runs = (("near", near), ("wide", GOLD), ("wide", [one | {"spans": []} for one in GOLD]))
    found = leaderboard(GOLD, *runs, measures=EXACT, ci=Ci(300))
    assert [one.ranks for one in found.standings] == [(1, 2), (1, 2)]
    assert not found.told_apart("near", "wide")
