"""Runs against each other: signs, refusals, result files, seeds, what was fixed; intervals in every result."""

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import Ci, compare, evaluate, plan
from spanscope.families import FAMILIES, SPANS
from spanscope.settings.options import grouped
from tests.cli import run, write

Json = dict[str, Any]
LABELS = ("A", "B", "C")


def corpus(seed: int, documents: int = 40) -> tuple[list[Json], list[Json], list[Json]]:
    """Return gold, a run that finds three in five spans, and one that finds four in five and invents some."""
    draw = random.Random(seed)
    sides: tuple[list[Json], ...] = ([], [], [])
    for number in range(documents):
        spans = [
            {"start": 10 * n, "end": 10 * n + draw.randint(1, 9), "label": draw.choice(LABELS)} for n in range(6)
        ]
        found = [[one for one in spans if draw.random() < share] for share in (0.6, 0.8)]
        if draw.random() < 0.2:
            found[1].append({"start": 70, "end": 75, "label": "A"})
        for side, own in zip(sides, (spans, *found), strict=True):
            side.append({"id": f"d{number}", "spans": own})
    return sides[0], sides[1], sides[2]


GOLD, WEAK, STRONG = corpus(1)
EXACT = "spans.exact"


def key(row: Any) -> tuple[Any, ...]:
    return row.measure, row.rate, row.average, row.label


# ---------------------------------------------------------------- laws


def test_swapping_runs_flips_every_difference_and_leaves_p_alone() -> None:
    one = {key(row): row for row in compare(GOLD, WEAK, STRONG, measures=EXACT, trials=500).rows}
    two = {key(row): row for row in compare(GOLD, STRONG, WEAK, measures=EXACT, trials=500).rows}
    assert set(one) == set(two)
    flipped = {"better": "worse", "worse": "better"}
    for at, row in one.items():
        other = two[at]
        assert (other.difference, other.p, other.adjusted) == (-row.difference, row.p, row.adjusted)
        assert (other.base, other.value) == (row.value, row.base)
        assert other.reading == flipped.get(row.reading, row.reading)
        assert other.smallest == pytest.approx(row.smallest)


def test_identical_runs_do_not_differ() -> None:
    for row in compare(GOLD, WEAK, WEAK, measures=EXACT).rows:
        assert (row.difference, row.p, row.low, row.high) == (0.0, 1.0, None, None)
        assert (row.reading, row.smallest) == ("no clear difference", None)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_documents_changes_no_digit(seed: int) -> None:
    order = random.Random(seed).sample(range(len(GOLD)), len(GOLD))
    moved = [[side[at] for at in order] for side in (GOLD, WEAK, STRONG)]
    assert (
        compare(*moved, measures=EXACT, trials=200).rows
        == compare(GOLD, WEAK, STRONG, measures=EXACT, trials=200).rows
    )
    assert evaluate(moved[0], moved[1], EXACT).rows == evaluate(GOLD, WEAK, EXACT).rows


def test_batches_change_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = evaluate(GOLD, WEAK, EXACT).rows
    monkeypatch.setitem(FAMILIES, "spans", SPANS._replace(batch=7))
    assert evaluate(GOLD, WEAK, EXACT).rows == whole


def test_documents_without_ids_are_known_by_their_gold_content() -> None:
    """The same documents in another order have the same intervals, unless their gold is the same."""
    sides = [[{"spans": one["spans"]} for one in side] for side in (GOLD, WEAK)]
    moved = [list(reversed(side)) for side in sides]
    one, two = ({key(row): (row.low, row.high) for row in evaluate(*pair, EXACT).rows} for pair in (sides, moved))
    assert one == two


# ---------------------------------------------------------------- readings


def test_a_better_run_is_called_better() -> None:
    found = compare(GOLD, ("weak", WEAK), ("strong", STRONG), measures=EXACT)
    row = found.value("recall")
    assert row.run == "strong"
    assert row.reading == "better"
    assert row.low is not None
    assert row.high is not None
    assert 0 < row.low < row.difference < row.high
    assert row.difference == pytest.approx(
        evaluate(GOLD, STRONG, EXACT).value("recall") - evaluate(GOLD, WEAK, EXACT).value("recall")
    )


def test_a_lower_error_is_better() -> None:
    """Rates whose best value is 0 are better when they fall."""
    gold = [{"id": n, "length": 40, "boundaries": [10, 20, 30]} for n in range(30)]
    near = [{"id": n, "length": 40, "boundaries": [10, 20, 30]} for n in range(30)]
    far = [{"id": n, "length": 40, "boundaries": [5 + n % 3, 16, 26]} for n in range(30)]
    row = compare(gold, far, near, measures="segments.pk").value("pk", average="document")
    assert row.difference < 0
    assert row.reading == "better"


def test_holm_over_labels_and_runs() -> None:
    """Averages are adjusted over the runs, labels over runs and labels: never below the p-value itself."""
    found = compare(GOLD, WEAK, STRONG, WEAK, measures=EXACT, trials=300)
    for row in found.rows:
        if row.p is not None:
            assert row.adjusted is not None
            assert row.p <= row.adjusted <= 1
    smallest = min(row.p for row in found.rows if row.average == "label" and row.rate == "f1" and row.p)
    first = min(row.adjusted for row in found.rows if row.average == "label" and row.rate == "f1" and row.adjusted)
    assert first == pytest.approx(min(1.0, 6 * smallest))  # three labels, two runs


def test_a_label_of_one_run_only_is_undefined_in_the_other() -> None:
    strange = [{**one, "spans": [*one["spans"], {"start": 80, "end": 81, "label": "Z"}]} for one in WEAK]
    row = compare(GOLD, WEAK, strange, measures=EXACT, trials=50).value("f1", label="Z")
    assert (row.reading, row.p) == ("undefined", None)


# ---------------------------------------------------------------- what changed


def test_fixed_and_broken_by_hand() -> None:
    a, b, c, d = ({"start": 10 * n, "end": 10 * n + 4, "label": "A"} for n in range(4))
    gold = [{"id": 1, "text": "x" * 50, "spans": [a, b, c]}, {"id": 2, "text": "y" * 50, "spans": []}]
    first = [{"id": 1, "spans": [a, b]}, {"id": 2, "spans": [d]}]
    second = [{"id": 1, "spans": [b, c, d]}, {"id": 2, "spans": []}]
    found = compare(gold, first, second, measures=EXACT).changes
    where = {kind: [(one["document"], one["start"]) for one in own] for kind, own in found.items()}
    assert where == {
        "fixed": [("1", 20)],
        "broken": [("1", 0)],
        "spurious gone": [("2", 30)],
        "spurious new": [("1", 30)],
    }


def test_documents_that_changed() -> None:
    found = compare(GOLD, WEAK, STRONG, measures=EXACT)
    before = {one["document"]: one["f1"] for one in evaluate(GOLD, WEAK, EXACT).by_document()}
    after = {one["document"]: one["f1"] for one in evaluate(GOLD, STRONG, EXACT).by_document()}
    changed = {one["document"]: (one["base"], one["value"]) for one in found.documents_changed}
    assert changed == {name: (before[name], after[name]) for name in before if before[name] != after[name]}
    sizes = [abs(one["difference"]) for one in found.documents_changed]
    assert sizes == sorted(sizes, reverse=True)


# ---------------------------------------------------------------- several files of one system


def test_files_of_one_system_are_pooled() -> None:
    found = compare(GOLD, ("one", WEAK), ("one", STRONG), ("two", STRONG), measures=EXACT, trials=100)
    weak, strong = (evaluate(GOLD, side, EXACT) for side in (WEAK, STRONG))
    spread = next(one for one in found.spreads if (one.rate, one.average) == ("f1", "micro"))
    values = [weak.value("f1"), strong.value("f1")]
    assert (spread.files, spread.lowest, spread.highest) == (2, min(values), max(values))
    assert spread.mean == pytest.approx(sum(values) / 2)
    assert found.value("f1").base == pytest.approx(spread.mean)
    assert found.value("f1").difference == pytest.approx(strong.value("f1") - spread.mean)


def test_a_system_is_worth_the_mean_of_its_files() -> None:
    """Not of its pooled counts: a document with nothing on the gold side, invented into by one file only."""
    span = {"start": 0, "end": 4, "label": "A"}
    gold = [{"id": 1, "spans": [span]}, {"id": 2, "spans": []}, {"id": 3, "spans": [span]}, {"id": 4, "spans": []}]
    first = [{"id": n, "spans": [span] if n in (1, 2, 3) else []} for n in range(1, 5)]
    second = [{"id": n, "spans": [span] if n in (1, 3, 4) else []} for n in range(1, 5)]
    found = compare(gold, ("s", first), ("s", second), ("gold", gold), measures=EXACT, trials=50)
    row = found.value("f1", average="document")
    assert (row.base, row.value) == (0.75, 1.0)
    assert row.difference == pytest.approx(0.25)
    uneven = compare(
        gold, ("s", first), ("s", second), ("t", gold), ("t", first), ("t", second), measures=EXACT, trials=50
    )
    assert uneven.value("f1", average="document").value == pytest.approx((1 + 0.75 + 0.75) / 3)


# ---------------------------------------------------------------- result files


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, side in (("gold", GOLD), ("a", WEAK), ("b", STRONG)):
        write(Path(f"{name}.jsonl"), side)
    for name in ("a", "b"):
        assert run("eval", "gold.jsonl", f"{name}.jsonl", "-m", EXACT, "--keep", "-o", f"{name}.json").code == 0
    return tmp_path


@pytest.mark.usefixtures("files")
def test_result_files_give_the_same_as_the_runs() -> None:
    raw = compare("gold.jsonl", "a.jsonl", "b.jsonl", measures=EXACT, trials=300)
    kept = compare(None, "a.json", "b.json", trials=300)
    assert [(key(row), row.base, row.value, row.low, row.high, row.p) for row in raw.rows] == [
        (key(row), row.base, row.value, row.low, row.high, row.p) for row in kept.rows
    ]
    assert kept.changes == {}
    assert kept.documents_changed == raw.documents_changed


@pytest.mark.usefixtures("files")
def test_the_command_takes_both() -> None:
    shown = run("compare", "gold.jsonl", "base=a.jsonl", "new=b.jsonl", "-m", EXACT)
    assert "better" in shown.out
    assert "fixed" in shown.out
    files = run("compare", "a.json", "b.json")
    assert files.code == 0
    assert "Documents that changed" in files.out
    data = json.loads(run("compare", "a.json", "b.json", "-f", "json").out)
    assert {row["run"] for row in data["rows"]} == {"b.json"}
    for form in ("csv", "markdown", "latex"):
        assert "spans.exact" in run("compare", "gold.jsonl", "a.jsonl", "b.jsonl", "-m", EXACT, "-f", form).out
    rows = csv.reader(
        run("compare", "gold.jsonl", "a.jsonl", "b.jsonl", "-m", EXACT, "-f", "csv").out.splitlines()
    )
    assert not [cell for row in rows for cell in row if cell.startswith("(")]  # a cell is one number or one name


def test_refusals(files: Path) -> None:
    write(Path("other.jsonl"), [{**one, "spans": one["spans"][:2]} for one in GOLD])
    assert run("eval", "other.jsonl", "b.jsonl", "-m", EXACT, "--keep", "-o", "c.json").code == 0
    assert run("eval", "gold.jsonl", "b.jsonl", "-m", EXACT, "--beta", "2", "--keep", "-o", "d.json").code == 0
    assert run("eval", "gold.jsonl", "b.jsonl", "-m", EXACT, "-o", "e.json").code == 0
    write(Path("short.jsonl"), STRONG[:5])
    for args, said in (
        (("a.json", "c.json"), "scored against another gold file"),
        (("a.json", "d.json"), "beta is 2.0"),
        (("a.json", "e.json"), "kept no counts"),
        (("a.json",), "there is 1 run"),
        (("other.jsonl", "a.json", "b.json"), "scored against another gold"),
        (("-", "a.jsonl", "b.jsonl"), "standard input only once"),
        (("gold.jsonl", "a.jsonl"), "there is 1 run"),
        (("gold.jsonl", "a.jsonl", "short.jsonl", "-m", EXACT), "has no document"),
        (("a.json", "b.json", "-m", "spans.iou"), "its own measures"),
        (("gold.jsonl", "x=a.jsonl", "x=b.jsonl", "-m", EXACT), "all runs are called 'x'"),
    ):
        done = run("compare", *args)
        assert done.code == 2, args
        assert said in done.err, args
    Path("bad.json").write_text(Path("a.json").read_text().replace('"document": [', '"document": [999, '))
    assert "cannot be read" in run("compare", "a.json", "bad.json").err


# ---------------------------------------------------------------- intervals in every result


def test_one_document_has_no_interval() -> None:
    assert all(row.low is None and row.high is None for row in evaluate(GOLD[:1], WEAK[:1], EXACT).rows)
    assert "ci:" not in evaluate(GOLD[:1], WEAK[:1], EXACT).signature()


def test_intervals_hold_the_figure_and_can_be_left_out() -> None:
    for row in evaluate(GOLD, WEAK, EXACT).rows:
        assert row.low is not None
        assert row.high is not None
        assert row.low <= row.value <= row.high
    assert all(row.low is None for row in evaluate(GOLD, WEAK, EXACT, ci=False).rows)


def test_level_and_seed() -> None:
    both = (
        {(row.rate, row.average): row for row in evaluate(GOLD, WEAK, EXACT, ci=Ci(level=level)).rows}
        for level in (0.99, 0.5)
    )
    wide, narrow = (rows["f1", "micro"] for rows in both)
    assert wide.low < narrow.low < narrow.high < wide.high  # type: ignore[operator]
    assert evaluate(GOLD, WEAK, EXACT, ci=Ci(seed=1)).rows != evaluate(GOLD, WEAK, EXACT).rows


@pytest.mark.parametrize("ci", [Ci(resamples=1), Ci(level=1.0), Ci(level=0.0), Ci(seed="x"), Ci(method="guess")])  # type: ignore[arg-type]
def test_intervals_that_cannot_be(ci: Ci) -> None:
    with pytest.raises(spanscope.MeasureError):
        evaluate(GOLD, WEAK, EXACT, ci=ci)


# ---------------------------------------------------------------- how many documents


def test_a_plan_grows_as_the_difference_shrinks(files: Path) -> None:
    result = evaluate(GOLD, WEAK, EXACT)
    one, two = (plan(result, detect=detect).found.documents for detect in (0.04, 0.02))
    assert two == pytest.approx(4 * one, abs=4)
    assert plan("a.json", detect=0.02).found == plan(result, detect=0.02).found
    done = run("plan", "a.json", "--detect", "0.02", "--expect", "0.8")
    assert "documents to see a difference of 0.02 in micro f1" in done.out
    assert run("plan", "a.json", "--detect", "0").code == 2
    assert run("plan", "a.json", "--detect", "0.1", "--rate", "f9").code == 2


def test_a_plan_from_two_runs(files: Path) -> None:
    """Their own correlation is what makes the error of the difference of the two errors."""
    both = [evaluate(GOLD, side, EXACT) for side in (WEAK, STRONG)]
    found = plan(*both, detect=0.02).found
    assert plan("a.json", "b.json", detect=0.02).found == found
    (_, other), error = found.other or (0, 0), found.difference_error
    assert error**2 == pytest.approx(found.error**2 + other**2 - 2 * found.correlation * found.error * other)
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.documents < found.high
    done = run("plan", "a.json", "b.json", "--detect", "0.02")
    assert f"between {found.low:,} and {found.high:,}" in done.out
    assert f"have a correlation of {found.correlation:.2f} over documents" in done.out
    assert (
        "two runs have a correlation of their own"
        in run("plan", "a.json", "b.json", "--detect", "0.02", "--correlation", "0.3").err
    )
    assert run("plan", "a.json", "b.json", "a.json", "--detect", "0.02").code == 2
    other_documents = evaluate(GOLD[1:], WEAK[1:], EXACT)
    with pytest.raises(spanscope.InputError, match="is not scored"):
        plan(both[0], other_documents, detect=0.02)


def test_other_gold_in_memory_is_refused() -> None:
    """As many gold spans, but others."""
    moved = [{**one, "spans": [{**span, "label": "A"} for span in one["spans"]]} for one in GOLD]
    with pytest.raises(spanscope.InputError, match="gold spans are others"):
        compare(None, evaluate(GOLD, WEAK, EXACT), evaluate(moved, WEAK, EXACT))


def test_settings_that_move_figures_must_be_the_same() -> None:
    one = evaluate(GOLD, WEAK, EXACT)
    for options in ({"mapping": {"B": "A"}}, {"labels": ["A", "B"]}, {"undefined": 0}):
        with pytest.raises(spanscope.InputError, match="for the first run"):
            compare(None, one, evaluate(GOLD, STRONG, EXACT, **grouped(options)))


def test_problems_of_runs_are_told() -> None:
    found = compare(GOLD, WEAK[:35], STRONG[:35], measures=EXACT, missing="skip", trials=20)
    assert found.problems == {name: {"missing document": 5} for name in ("run 1", "run 2")}
    assert "5 x missing document" in found.table()
    assert "missing:skip" in found.table().splitlines()[-1]


def test_micro_figures_of_measures_without_labels() -> None:
    assert "micro f1" in compare(GOLD, WEAK, STRONG, measures="spans.unlabelled", trials=20).table()


def test_other_gold_beside_results_is_refused() -> None:
    gold = [{"id": n, "spans": [{"start": 0, "end": 4, "label": "A"}]} for n in range(3)]
    other = [{"id": n, "spans": [{"start": 0, "end": 5, "label": "A"}]} for n in range(3)]
    runs = [(name, spanscope.evaluate(gold, pred, "spans.exact")) for name, pred in (("a", gold), ("b", other))]
    with pytest.raises(spanscope.InputError, match="the run was scored against another gold"):
        spanscope.compare(other, *runs)
    for same in (None, gold, gold[::-1]):
        assert spanscope.compare(same, *runs).value("f1").run == "b"


# ---------------------------------------------------------------- documents that all runs have


def test_common_scores_what_all_runs_have_and_says_what_was_left_out() -> None:
    ours, theirs = WEAK[:38], STRONG[3:]  # all have documents 3 to 37
    found = compare(GOLD, ours, theirs, measures=EXACT, missing="common", trials=50)
    alone = compare(GOLD[3:38], WEAK[3:38], STRONG[3:38], measures=EXACT, trials=50)
    assert found.rows == alone.rows
    assert (len(found.first.documents), found.left_out) == (35, 5)
    assert found.problems == {
        "run 1": {"missing document": 2, "not in every run": 3},
        "run 2": {"missing document": 3, "not in every run": 2},
    }
    assert found.changes == alone.changes
    said = found.table()
    assert said.startswith("run 1, run 2: 35 documents that all runs have (5 left out)")
    assert "2 x missing document, 3 x not in every run" in said
    assert {"missing:common", "docs:35"} <= {*said.splitlines()[-1].split("|")}
    written = found.to_dict()
    assert (written["left_out"], written["documents"], written["settings"]["missing"]) == (5, 35, "common")


def test_common_where_nothing_lacks_is_the_comparison_as_it_was() -> None:
    found = compare(GOLD, WEAK, STRONG, measures=EXACT, missing="common", trials=50)
    assert found.rows == compare(GOLD, WEAK, STRONG, measures=EXACT, trials=50).rows
    assert (found.left_out, found.problems) == (0, {})


def test_common_of_result_files_and_of_a_run_that_is_scored_now(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", GOLD)
    runs = [write(tmp_path / f"{name}.jsonl", own) for name, own in (("a", WEAK[:38]), ("b", STRONG[3:]))]
    for path, more in zip(runs, ((), ("--no-ci",)), strict=True):
        kept = f"{path}.json"
        run("eval", gold, path, "-m", EXACT, "--missing", "skip", "--keep", "-o", kept, *more)
    results = [f"{path}.json" for path in runs]
    asked = ("--missing", "common", "--trials", "50", "-f", "json")
    from_results = json.loads(run("compare", *results, *asked).out)
    from_files = json.loads(run("compare", gold, *runs, "-m", EXACT, *asked).out)
    same = [[row | {"run": ""} for row in one["rows"]] for one in (from_results, from_files)]
    assert same[0] == same[1]
    assert from_results["left_out"] == from_files["left_out"] == 5


def test_common_refuses_runs_that_do_not_say_which_documents_they_have(tmp_path: Path) -> None:
    counted = evaluate(GOLD, WEAK[:30], EXACT, missing="empty", ci=False)
    whole = evaluate(GOLD, STRONG, EXACT, ci=False)
    with pytest.raises(spanscope.InputError, match="10 missing documents counted as nothing found"):
        compare(None, counted, whole, missing="common")
    with pytest.raises(spanscope.InputError, match="no document is in all of the runs"):
        compare(GOLD, WEAK[:20], STRONG[20:], measures=EXACT, missing="common")
    with pytest.raises(spanscope.MeasureError, match="common"):
        evaluate(GOLD, WEAK, EXACT, missing="common")  # type: ignore[arg-type]  # is what compare alone knows
    files = [write(tmp_path / f"{n}.jsonl", side) for n, side in enumerate((GOLD, WEAK, STRONG))]
    totals = spanscope.Running(memory="totals")
    with pytest.raises(spanscope.MeasureError, match="only their totals were kept"):
        compare(*files, measures=EXACT, missing="common", run=totals)


# ---------------------------------------------------------------- margins, documents won, what can be detected


def test_a_run_is_not_worse_by_more_than_a_margin_where_the_interval_says_so() -> None:
    row = compare(GOLD, WEAK, WEAK[:20] + STRONG[20:], measures=EXACT, trials=50).value()
    assert row.low is not None
    assert row.low > 0
    for base, other, margin, shown in (
        (WEAK, WEAK[:20] + STRONG[20:], 0.001, True),
        (WEAK[:20] + STRONG[20:], WEAK, 0.99 * -row.low, None),
        (WEAK[:20] + STRONG[20:], WEAK, 0.9 * (row.high or 0), False),
        (WEAK[:20] + STRONG[20:], WEAK, 1.1 * (row.high or 0), True),
    ):
        if shown is None:
            with pytest.raises(spanscope.MeasureError, match="margin is"):
                compare(GOLD, base, other, measures=EXACT, margin=margin)
            continue
        found = compare(GOLD, base, other, measures=EXACT, trials=50, margin=margin)
        assert found.not_worse == {"run 2": shown}
        assert (found.to_dict()["margin"], found.to_dict()["not_worse"]) == (margin, {"run 2": shown})
        words = "is not worse by more than" if shown else "is not shown to be not worse by more than"
        assert f"run 2 {words} {margin:g}." in " ".join(found.table().split())


def test_a_margin_of_an_error_is_above_zero() -> None:
    texts = [{"id": f"d{at}", "text": "abcdefghij" * 3} for at in range(8)]
    gold, near = ([one | {"boundaries": own} for one in texts] for own in ([10, 20], [10, 21]))
    far = [one | {"boundaries": [5, 12] if at % 2 else [5]} for at, one in enumerate(texts)]
    for base, other, shown in ((near, far, False), (far, near, True)):
        found = compare(gold, base, other, measures="segments.pk", trials=50, margin=0.05)
        assert found.not_worse == {"run 2": shown}


def test_documents_won_tied_and_lost() -> None:
    span = {"start": 0, "end": 4, "label": "A"}
    gold = [{"id": str(n), "spans": [span]} for n in range(6)]
    base, other = ([{"id": str(n), "spans": [span] * (n in own)} for n in range(6)] for own in ({0, 1}, {1, 2, 3}))
    found = compare(gold, base, other, measures=EXACT, trials=20)
    assert found.documents_won == {"run 2": {"won": 2, "tied": 3, "lost": 1}}  # 2 and 3; 1, 4 and 5; 0
    lines = found.table().splitlines()
    assert lines[lines.index("Documents: f1 of spans.exact") + 3].split() == ["run", "2", "2", "3", "1"]
    assert found.to_dict()["documents_won"] == found.documents_won


@pytest.mark.parametrize(("documents", "known"), [(5, False), (6, True)])
def test_nothing_is_detectable_where_no_p_can_be_small_enough(documents: int, known: bool) -> None:
    """With five documents the smallest p of all patterns of swaps is 2 / 2^5 = .0625."""
    found = compare(GOLD[:documents], WEAK[:documents], STRONG[:documents], measures=EXACT)
    assert (found.value().smallest is not None) == known


def test_a_difference_that_no_resample_changes_has_no_interval() -> None:
    """Runs that agree in 40 documents may differ in others: no interval of width 0, and no proof of a margin."""
    gold = [{"id": n, "spans": [{"start": 0, "end": 4, "label": "A"}]} for n in range(40)]
    run = [{**one, "spans": one["spans"] if n % 4 else []} for n, one in enumerate(gold)]
    for ci in (Ci(resamples=50), Ci(resamples=50, method="basic"), Ci(resamples=50, method="bca")):
        found = compare(gold, run, run, measures="spans.exact", ci=ci, margin=0.01)
        assert all((row.difference, row.low, row.high, row.p) == (0.0, None, None, 1.0) for row in found.rows)
        assert found.not_worse == {}
        assert "there is no interval to decide by" in str(found)
        assert "resampling cannot say" in " ".join(str(found).split())
    same = evaluate(gold, run, "spans.exact", ci=False)
    seeds = compare(None, ("a", [same, same]), ("b", same), ci=Ci(resamples=50))
    assert seeds.value().low is None
    one_more = [{**gold[0]}, *run[1:]]
    changed = compare(gold, run, one_more, measures="spans.exact", ci=Ci(resamples=200)).value()
    assert changed.low is not None
    assert changed.high is not None
    assert changed.low == 0 < changed.difference < changed.high
