"""Leaderboards: ranks, letters, names and columns; figures are those of eval, and tests those of compare."""

import csv
import json
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

import spanscope
from spanscope import Ci, compare, evaluate, leaderboard
from tests.cli import run, write
from tests.commands.test_compare import EXACT, GOLD, STRONG, WEAK

Json = dict[str, Any]
SCHEMAS = {
    name: json.loads((files("spanscope.results") / "schemas" / f"{name}-1.json").read_text())
    for name in ("result", "leaderboard")
}
KNOWN: Any = Registry().with_resources(  # type: ignore[var-annotated]
    [(schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()]
)
VALID = jsonschema.Draft202012Validator(SCHEMAS["leaderboard"], registry=KNOWN)
QUICK = Ci(50)


def found_in(number: int, documents: int = 12) -> list[Json]:
    """Return documents with a span each, of which the first ones are found."""
    span = {"start": 0, "end": 4, "label": "A"}
    return [{"id": f"d{at}", "spans": [span] if at < number else []} for at in range(documents)]


ALL, FOUR, THREE = found_in(12), found_in(4), found_in(3)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder with gold and three runs, a folder each."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "gold.jsonl", ALL)
    for name, own in (("all", ALL), ("four", FOUR), ("three", THREE)):
        (tmp_path / "runs" / name).mkdir(parents=True)
        write(tmp_path / "runs" / name / "dev.jsonl", own)
    return tmp_path


def board(*args: object) -> Json:
    done = run("leaderboard", *args, "-m", EXACT, "--resamples", "50", "-f", "json")
    assert done.code == 0, done.err
    found: Json = json.loads(done.out)
    VALID.validate(found)
    return found


def results(folder: Path, **meta: dict[str, str]) -> list[str]:
    """Write results of the runs with these metadata, and return their paths."""
    out = []
    for name, own in meta.items():
        out.append(f"{name}.json")
        given = [part for key, value in own.items() for part in ("--meta", f"{key}={value}")]
        path = folder / "runs" / name / "dev.jsonl"
        run("eval", "gold.jsonl", path, "-m", EXACT, "--no-ci", "--keep", "-o", out[-1], *given)
    return out


# ---------------------------------------------------------------- figures and tests


def test_a_case_worked_by_hand() -> None:
    """Twelve documents with a span each; one system finds all, one four, one three of these four.

    F1 is 1, 2 x 4 / 16 = .5 and 2 x 3 / 15 = .4. The first differs from the second in 8 documents: of 2^8 patterns
    of swaps only that of all and that of none reach the difference, so p = 2/256; from the third in 9: p = 2/512.
    The others differ in one document, where both patterns do: p = 1. By Holm: 3 x 2/512, 2 x 2/256, 1.
    """
    found = leaderboard(ALL, ("three", THREE), ("all", ALL), ("four", FOUR), measures=EXACT, ci=QUICK)
    assert [(one.name, one.rank, one.letters, one.headline.value) for one in found.standings] == [
        ("all", 1, "a", 1.0),
        ("four", 2, "b", 0.5),
        ("three", 3, "b", 0.4),
    ]
    tested = [(one.first, one.second, one.p, one.adjusted, one.told_apart) for one in found.pairs]
    assert tested == [
        ("all", "four", 2 / 256, 4 / 256, True),
        ("all", "three", 2 / 512, 6 / 512, True),
        ("four", "three", 1.0, 1.0, False),
    ]
    assert [round(one.difference, 12) for one in found.pairs] == [0.5, 0.6, 0.1]
    assert found.alike == [("all",), ("four", "three")]
    assert (found.exact, found.trials) == (True, 512)
    assert found.standing("all").ranks == (1, 1)
    assert found.told_apart("three", "all")
    assert not found.told_apart("three", "four")
    assert not found.told_apart("all", "all")


def test_figures_and_intervals_are_those_of_eval_and_p_that_of_compare() -> None:
    measures = [EXACT, "spans.iou", "spans.overlap"]
    found = leaderboard(GOLD, ("weak", WEAK), ("strong", STRONG), measures=measures, trials=200, ci=Ci(100))
    for name, own in (("weak", WEAK), ("strong", STRONG)):
        rows = {
            (row.measure, row.rate, row.average, row.label): row
            for row in evaluate(GOLD, own, measures, ci=Ci(100)).rows
        }
        for figure in found.standing(name).figures:
            row = rows[figure.measure, figure.rate, figure.average, None]
            assert (figure.value, figure.low, figure.high) == (row.value, row.low, row.high)
    tested = compare(GOLD, ("weak", WEAK), ("strong", STRONG), measures=measures, trials=200, ci=Ci(100)).value()
    assert [one[:5] for one in found.pairs] == [("strong", "weak", tested.difference, tested.p, tested.p)]
    assert found.figure("weak", "f1", "spans.overlap").value == evaluate(
        GOLD, WEAK, "spans.overlap", ci=False
    ).value("f1")


def test_files_of_one_system_are_pooled_as_in_compare() -> None:
    seeds = [("two", WEAK), ("two", STRONG)]
    found = leaderboard(GOLD, *seeds, ("all", GOLD), measures=EXACT, trials=100, ci=QUICK)
    each = [evaluate(GOLD, own, EXACT, ci=False).value("f1") for _, own in seeds]
    assert found.figure("two").value == sum(each) / 2
    row = compare(GOLD, *seeds, ("all", GOLD), measures=EXACT, trials=100, ci=QUICK).value("f1")
    assert (found.pairs[0].difference, found.pairs[0].p) == (row.difference, row.p)
    assert "Means of several files: two (2)." in found.table()


def test_totals_rank_as_documents_do(folder: Path) -> None:
    plain = board("gold.jsonl", "runs")
    totals = board("gold.jsonl", "runs", "--memory", "totals")
    assert (totals["systems"], totals["pairs"]) == (plain["systems"], plain["pairs"])


def test_a_figure_where_less_is_better_leads_with_the_least() -> None:
    texts = [{"id": f"d{at}", "text": "abcdefghij" * 3} for at in range(8)]
    gold, near, far = ([one | {"boundaries": own} for one in texts] for own in ([10, 20], [10, 21], [5]))
    found = leaderboard(gold, ("far", far), ("near", near), measures="segments.pk", trials=50, ci=QUICK)
    assert found.names == ("near", "far")
    assert found.figure("near").value < found.figure("far").value


def test_documents_that_all_runs_have() -> None:
    named = [("weak", WEAK[:38]), ("strong", STRONG[3:])]
    found = leaderboard(GOLD, *named, measures=EXACT, missing="common", trials=50, ci=QUICK)
    alone = leaderboard(
        GOLD[3:38],
        *((n, WEAK[3:38] if n == "weak" else STRONG[3:38]) for n, _ in named),
        measures=EXACT,
        trials=50,
        ci=QUICK,
    )
    assert (found.standings, found.pairs, found.left_out) == (alone.standings, alone.pairs, 5)
    assert "2 systems, 35 documents that all runs have (5 left out)" in found.table()
    VALID.validate(found.to_dict())


# ---------------------------------------------------------------- names, files, columns


@pytest.mark.parametrize(
    "given", [("runs",), ("runs/*",), ("runs/*/dev.jsonl",), ("runs/all", "runs/four", "runs/three")]
)
def test_folders_and_patterns_stand_for_runs_named_by_what_differs(folder: Path, given: tuple[str, ...]) -> None:
    found = board("gold.jsonl", *given)
    assert [one["name"] for one in found["systems"]] == ["all", "four", "three"]
    assert [one["letters"] for one in found["systems"]] == ["a", "b", "b"]


def test_names_can_be_given(folder: Path) -> None:
    named = board("gold.jsonl", "runs", "--name", "x", "--name", "y", "--name", "z")
    assert [one["name"] for one in named["systems"]] == ["x", "y", "z"]
    pooled = board("gold.jsonl", "found=runs/all", "rest=runs/[ft]*")
    assert [(one["name"], len(one["files"])) for one in pooled["systems"]] == [("found", 1), ("rest", 2)]
    assert pooled["systems"][1]["figures"][0]["value"] == pytest.approx(0.45)  # of .5 and .4
    done = run("leaderboard", "gold.jsonl", "runs", "--name", "x")
    assert (done.code, "1 name for 3 runs" in done.err) == (2, True)


def test_folders_that_a_format_claims_are_a_run_each(folder: Path) -> None:
    for name, spans in (("one", "T1\tA 0 4\tabcd\n"), ("two", "")):
        (folder / "brat" / name).mkdir(parents=True)
        for at in range(3):
            (folder / "brat" / name / f"d{at}.txt").write_text("abcd efgh")
            (folder / "brat" / name / f"d{at}.ann").write_text(spans)
    found = board("brat/one", "brat/*")
    assert [(one["name"], one["figures"][0]["value"]) for one in found["systems"]] == [("one", 1.0), ("two", 0.0)]


def test_result_files_alone_with_names_and_columns_from_their_meta(folder: Path) -> None:
    paths = results(
        folder,
        all={"model": "m", "cost": "3", "by": "x"},
        four={"model": "n", "cost": "1"},
        three={"model": "n", "cost": "2"},
    )
    done = run("leaderboard", *paths, "--name-by", "model", "--show", "cost", "--show", "by", "--resamples", "50")
    lines = done.out.splitlines()
    first, second = lines[lines.index("Leaderboard: spans.exact") + 3 :][:2]
    assert [first.split()[at] for at in (1, 6, 7)] == ["m", "3", "x"]
    assert second.split()[1] == "n"
    assert "1.5" in second.split()  # the mean of 1 and 2
    assert "–" in second.split()  # what no file of it has
    refused = run("leaderboard", *paths, "--show", "hours")
    assert (refused.code, "no run has 'hours' in its meta" in refused.err) == (2, True)
    refused = run("leaderboard", *paths, "--name-by", "by")
    assert (refused.code, "the run has no 'by' in its meta" in refused.err) == (2, True)


def test_what_is_refused(folder: Path) -> None:
    for args, words in (
        (("gold.jsonl", "nothing/*.jsonl"), "no file matches"),
        (("gold.jsonl", "runs/all/dev.jsonl"), "there is 1 run"),
        (("gold.jsonl", "runs", "--format", "trec_eval"), "no format is called"),
    ):
        done = run("leaderboard", *args)
        assert (done.code, words in done.err) == (2, True), done.err
    (folder / "empty").mkdir()
    assert "the folder is empty" in run("leaderboard", "gold.jsonl", "empty").err
    with pytest.raises(spanscope.MeasureError, match="a leaderboard always has intervals"):
        leaderboard(ALL, ALL, FOUR, ci=False)  # type: ignore[arg-type]
    with pytest.raises(spanscope.MeasureError, match="no system is called 'five'"):
        leaderboard(ALL, ("all", ALL), ("four", FOUR), measures=EXACT, trials=10, ci=QUICK).standing("five")


# ---------------------------------------------------------------- forms


def test_eight_systems_fit_a_hundred_columns() -> None:
    names = [f"a-model-named-{at}" for at in range(8)]
    named = [(name, found_in(12 - at)) for at, name in enumerate(names)]
    found = leaderboard(ALL, *named, measures=EXACT, trials=100, ci=QUICK)
    lines = found.table().splitlines()
    table = lines[lines.index("Leaderboard: spans.exact") + 1 :][:10]
    assert max(map(len, table)) <= 100
    assert table[0].split() == ["Rank", "System", "f1", "Interval", "Letters", "Ranks", "precision", "recall"]
    assert [line.split()[1] for line in table[2:]] == names


def test_few_trials_for_many_pairs_are_told_of() -> None:
    named = [(f"s{at}", STRONG if at % 2 else WEAK) for at in range(4)]
    said = leaderboard(GOLD, *named, measures=EXACT, trials=50, ci=QUICK).table()
    assert (
        "With 50 trials no p of 6 pairs can be below 0.05: no pair can be significant without more --trials."
    ) in said


def test_every_form_has_every_system(folder: Path) -> None:
    for ending in ("csv", "md", "tex", "html", "json", "txt"):
        assert run("leaderboard", "gold.jsonl", "runs", "--resamples", "50", "-o", f"out.{ending}").code == 0
        written = (folder / f"out.{ending}").read_text()
        assert all(name in written for name in ("all", "four", "three", "overlap"))
    rows = list(csv.DictReader(StringIO((folder / "out.csv").read_text())))
    assert {(row["system"], row["rank"], row["letters"]) for row in rows} == {
        ("all", "1", "a"),
        ("four", "2", "b"),
        ("three", "3", "b"),
    }
    assert "Systems that share a letter do not differ significantly" in (folder / "out.html").read_text()
