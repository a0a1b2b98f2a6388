"""Figures, intervals and p values are the same bytes whatever is kept, and wherever documents are counted."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from spanscope import Ci, Running
from spanscope.commands.compare import compare
from spanscope.commands.evaluate import evaluate
from spanscope.commands.leaderboard import leaderboard
from spanscope.engines.choice import Spark
from spanscope.errors import MeasureError
from spanscope.report import render
from tests.streaming_support import documents, put

pytestmark = [
    pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning", "ignore::ResourceWarning"),
    pytest.mark.xdist_group("spark"),
]
DOCUMENTS = 4200  # more than there are cells: several documents are in one
MEASURES = ["spans.exact", "spans.characters"]


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Write gold and two runs, every document with an author; the second run finds less."""
    folder = tmp_path_factory.mktemp("everywhere")
    gold, pred = documents("spans", DOCUMENTS)
    draw = random.Random(5)
    gold = [{**one, "author": f"a{n % 67}", "source": "xyz"[n % 3]} for n, one in enumerate(gold)]
    for one in gold[:200]:  # a whole block has no source, and others have
        del one["source"]
    worse = [{**one, "spans": [span for span in one["spans"] if draw.random() < 0.95]} for one in pred]
    put(folder / "train.jsonl", [one for one in gold if one["spans"]][::40])
    named = {"gold": gold, "pred": pred, "worse": worse}
    return [put(folder / f"{name}.jsonl", rows) for name, rows in named.items()]


def eval_csv(paths: list[str], run: Running, **options: Any) -> str:
    found = evaluate(*paths[:2], MEASURES, run=run, ci=Ci(resamples=60), **options)
    return render(found, "csv")


def compare_csv(paths: list[str], run: Running, method: Any = "percentile", **options: Any) -> str:
    gold, *runs = paths
    ci = Ci(resamples=60, method=method)
    pairs = zip(("a", "b"), runs, strict=True)
    return render(compare(gold, *pairs, measures=MEASURES, run=run, ci=ci, trials=60, **options), "csv")


def leaderboard_csv(paths: list[str], run: Running, **options: Any) -> str:
    """Return the standings, pairs and ranks of three systems, of which one has two files."""
    gold, *runs = paths
    systems = [("a", runs[0]), ("b", runs[1]), ("both", runs)]
    found = leaderboard(gold, *systems, measures=MEASURES, run=run, ci=Ci(resamples=60), trials=60, **options)
    return render(found, "csv") + render(found, "json")


LOCAL = {
    "totals": Running(memory="totals"),
    "two processes": Running(jobs=2),
    "totals of two processes": Running(jobs=2, memory="totals"),
}
SPARK = {
    "Spark": Running(engine=Spark(partitions=3)),
    "totals of Spark": Running(engine=Spark(partitions=3), memory="totals"),
}


@pytest.mark.parametrize("group", [None, "author"])
def test_the_same_bytes_on_one_machine(group: str | None, paths: list[str]) -> None:
    expected = eval_csv(paths, Running(memory="spans"), group=group)
    assert expected.count(",") > 100
    differences = compare_csv(paths, Running(memory="spans"), group=group)
    for name, run in LOCAL.items():
        assert eval_csv(paths, run, group=group) == expected, name
        assert compare_csv(paths, run, group=group) == differences, name


@pytest.mark.parametrize("run", [LOCAL["totals of two processes"], *SPARK.values()], ids=["totals", *SPARK])
def test_bca(run: Running, spark: Any, paths: list[str]) -> None:
    """The one method that needs more than resamples; `spark` is there for the last two."""

    def of(own: Running) -> str:
        alone = evaluate(*paths[:2], MEASURES, run=own, ci=Ci(resamples=60, method="bca"), group="author")
        return render(alone, "csv") + compare_csv(paths, own, "bca", group="author")

    assert of(run) == of(Running())


@pytest.mark.parametrize("run", [LOCAL["totals of two processes"], *SPARK.values()], ids=["totals", *SPARK])
def test_leaderboards(run: Running, spark: Any, paths: list[str]) -> None:
    assert leaderboard_csv(paths, run, group="author") == leaderboard_csv(paths, Running(), group="author")


@pytest.mark.parametrize("group", [None, "author"])
@pytest.mark.parametrize("name", SPARK)
def test_the_same_bytes_on_spark(name: str, group: str | None, spark: Any, paths: list[str]) -> None:
    assert eval_csv(paths, SPARK[name], group=group) == eval_csv(paths, Running(), group=group)
    assert compare_csv(paths, SPARK[name], group=group) == compare_csv(paths, Running(), group=group)


@pytest.mark.parametrize("run", [*LOCAL.values(), *SPARK.values()], ids=[*LOCAL, *SPARK])
def test_several_files_of_a_system(run: Running, spark: Any, paths: list[str]) -> None:
    """Both parts of the variance, with groups; `spark` is there for the last two."""
    gold, *runs = paths

    def of(own: Running) -> str:
        pairs = (("a", runs), ("b", runs[1]))
        found = compare(gold, *pairs, measures="spans.exact", group="author", run=own, ci=Ci(resamples=60))
        assert found.value("f1").files_error is not None
        return render(found, "csv")

    assert of(run) == of(Running())


def test_groups_from_parquet_on_spark(spark: Any, paths: list[str], tmp_path: Path) -> None:
    """A data frame with a column of authors."""
    frames = [spark.read.json(path) for path in paths[:2]]
    found = evaluate(*frames, "spans.exact", group="author", ci=Ci(resamples=60))
    expected = evaluate(*paths[:2], "spans.exact", group="author", ci=Ci(resamples=60))
    assert repr(found.rows) == repr(expected.rows)


WAYS = ["source", "@length", "@nested", "@seen"]  # nothing but sums
WAYS_OF_ALL = ["@document-length", "@label-frequency"]  # those that depend on which documents there are


def slices_csv(paths: list[str], run: Running, by: list[str], group: str | None = None) -> str:
    """Return the slices of an evaluation and of a comparison."""
    options: dict[str, Any] = {"measures": "spans.exact", "by": by, "group": group, "run": run}
    options |= {"train": Path(paths[0]).with_name("train.jsonl")} if "@seen" in by else {}
    ci = Ci(resamples=40)
    alone = evaluate(*paths[:2], ci=ci, **options)
    assert {one["by"] for one in alone.slices()} == {*by}
    both = compare(paths[0], *zip("ab", paths[1:], strict=True), ci=ci, trials=40, **options)
    return render(alone, "csv") + render(both, "csv")


@pytest.mark.parametrize("group", [None, "author"])
def test_slices_are_the_same_bytes_on_one_machine(group: str | None, paths: list[str]) -> None:
    expected = slices_csv(paths, Running(memory="spans"), WAYS, group)
    for name, run in LOCAL.items():
        assert slices_csv(paths, run, WAYS, group) == expected, name


@pytest.mark.parametrize(("name", "group"), [("Spark", "author"), ("totals of Spark", None)])
def test_slices_are_the_same_bytes_on_spark(name: str, group: str | None, spark: Any, paths: list[str]) -> None:
    assert slices_csv(paths, SPARK[name], WAYS, group) == slices_csv(paths, Running(), WAYS, group)


KEPT = {"counts": Running(memory="counts"), "two processes": LOCAL["two processes"], "Spark": SPARK["Spark"]}


@pytest.mark.parametrize("run", KEPT.values(), ids=KEPT)
def test_slices_that_depend_on_all_documents(run: Running, spark: Any, paths: list[str]) -> None:
    assert slices_csv(paths, run, WAYS_OF_ALL) == slices_csv(paths, Running(memory="spans"), WAYS_OF_ALL)


@pytest.mark.parametrize("by", WAYS_OF_ALL)
def test_totals_refuse_slices_that_depend_on_all_documents(by: str, paths: list[str]) -> None:
    with pytest.raises(MeasureError, match=f"{by} needs the counts of every document"):
        evaluate(*paths[:2], "spans.exact", by=[by], run=Running(memory="totals"))
