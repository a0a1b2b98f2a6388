"""Spark on two cores: the figures of the local engine, to the digit, and errors a user can act on."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import spanscope
from spanscope.engines import spark as engine
from spanscope.engines import spark_frames as frames
from spanscope.engines import spark_session as session
from spanscope.engines.choice import Spark
from spanscope.io.detect import BY_NAME
from spanscope.io.fields import KNOWN
from spanscope.settings.options import grouped
from tests.cli import refused, run, write
from tests.engines.conftest import FAMILIES, span_documents
from tests.support import needs

pytestmark = [
    pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning", "ignore::ResourceWarning"),
    pytest.mark.xdist_group("spark"),  # one process, so that sessions are started once
]
FEW = spanscope.Ci(resamples=50)


@pytest.fixture(scope="module")
def paths(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Return files of JSON Lines, by family, the predictions in another order."""
    room = tmp_path_factory.mktemp("lines")
    return {
        name: (write(room / f"{name}.g.jsonl", gold), write(room / f"{name}.p.jsonl", pred[::-1]))
        for name, (gold, pred) in FAMILIES.items()
    }


def frame(spark: Any, path: Path) -> Any:
    return spark.read.json(str(path))


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_the_local_figures(
    family: str, spark: Any, paths: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    """Lines that Spark reads, data frames, Parquet that Spark wrote: the same rows, intervals and names."""
    wanted = spanscope.evaluate(*FAMILIES[family], ci=FEW)
    lines = spanscope.evaluate(*paths[family], run=spanscope.Running(engine=Spark(partitions=3)), ci=FEW)
    assert lines.rows == wanted.rows
    frames = [frame(spark, path) for path in paths[family]]
    found = spanscope.evaluate(*frames, ci=FEW)
    assert found.rows == wanted.rows
    assert list(found.comparison.names) == list(wanted.comparison.names)
    assert found.signature() == wanted.signature()
    assert found.kept == "counts"
    assert {lines.gold_content, found.gold_content} == {wanted.gold_content}


def test_passages_are_refused_as_here(spark: Any, tmp_path: Path) -> None:
    """Of 30 queries one shares an id, and 16 have scores that fall: blocks of two queries see none of these."""
    told = {"snippets": [{"id": "a", "answer": "x"}]}
    found = {"retrieved_passages": [{"id": "b", "text": "y", "score": 1}, {"id": "c", "text": "x", "score": 2}]}
    right = {"retrieved_passages": [{"id": "a", "text": "x", "score": 2}, {"id": "c", "text": "y", "score": 1}]}
    gold = write(tmp_path / "g.jsonl", [{"id": f"q{n}", **told} for n in range(30)])
    odd = write(tmp_path / "p.jsonl", [{"id": f"q{n}", **found} for n in range(30)])
    falling = {"retrieved_passages": found["retrieved_passages"][::-1]}
    kinds = [right if n == 17 else falling if n % 2 else found for n in range(30)]
    kinds[2] = falling
    good = write(tmp_path / "r.jsonl", [{"id": f"q{n}", **own} for n, own in enumerate(kinds)])
    how: Any = {"engine": Spark(partitions=3, block=2), "ci": False}
    for options, message in (({}, "share none of them"), ({"join": "texts"}, "scores rise")):
        with pytest.raises(spanscope.InputError, match=message):
            spanscope.evaluate(gold, odd, "passages.ranking(k=1)", **grouped(options), **grouped(how))
    result = spanscope.evaluate(gold, good, "passages.ranking(k=1)", **grouped(how))
    assert result.value("recall", average="document") == pytest.approx(1 / 30)
    turned = spanscope.evaluate(
        gold,
        odd,
        "passages.ranking(k=1)",
        score=spanscope.Scoring(join="texts"),
        read=spanscope.Reading(scores="similarities"),
        **grouped(how),
    )
    assert turned.value("recall", average="document") == 1.0


def test_figures_worked_by_hand(spark: Any) -> None:
    """Of 40 documents 20 have two spans and 20 three, and the shift moves spans (n + i) % 3 == 0: 33 of 100."""
    gold, pred = FAMILIES["spans"]
    moved = sum((n + i) % 3 == 0 for n in range(40) for i in range(2 + n % 2))
    frames = [spark.createDataFrame([json.dumps(one) for one in side], "string") for side in (gold, pred)]
    frames = [spark.read.json(own.rdd.map(lambda row: row.value)) for own in frames]
    found = spanscope.evaluate(*frames, "spans.exact", ci=False)
    assert found.totals() == {"tp": 100 - moved, "pred": 100, "gold": 100}


def test_a_row_a_span(spark: Any) -> None:
    rows = [(one["id"], *(span[key] for key in ("start", "end", "label")), None) for one in FAMILIES["spans"][0]
            for span in one["spans"]]  # fmt: skip
    flat = spark.createDataFrame(rows, "doc string, start int, end int, label string, text string")
    found = spanscope.evaluate(flat, flat.where("label != 'THING'"), "spans.exact", ci=False)
    assert found.counts() == {
        "NAME": {"tp": 40, "pred": 40, "gold": 40},
        "THING": {"tp": 0, "pred": 0, "gold": 20},
        "WORD": {"tp": 40, "pred": 40, "gold": 40},
    }


def test_blocks_and_partitions_do_not_move_figures(spark: Any, paths: dict[str, tuple[Path, Path]]) -> None:
    wanted = spanscope.evaluate(*FAMILIES["spans"], ci=FEW)
    for how in (Spark(partitions=1, block=3), Spark(partitions=7)):
        found = spanscope.evaluate(*paths["spans"], run=spanscope.Running(engine=how), ci=FEW)
        assert found.rows == wanted.rows
        assert list(found.comparison.names) == list(wanted.comparison.names)
    totals = spanscope.evaluate(
        *paths["spans"], run=spanscope.Running(engine=Spark(partitions=2, block=3), memory="totals"), ci=FEW
    )
    assert totals.kept == "totals"
    assert totals.counts() == wanted.counts()
    assert totals.value("f1") == wanted.value("f1")


def test_a_comparison(spark: Any, paths: dict[str, tuple[Path, Path]]) -> None:
    gold, pred = FAMILIES["spans"]
    wanted = spanscope.compare(gold, ("a", pred), ("b", gold), measures="spans.exact", ci=FEW, trials=200)
    ours, theirs = (frame(spark, path) for path in paths["spans"])
    found = spanscope.compare(ours, ("a", theirs), ("b", ours), measures="spans.exact", ci=FEW, trials=200)
    assert found.rows == wanted.rows


def test_a_measure_of_a_package(
    spark: Any, installed: Path, lone: pytest.MonkeyPatch, paths: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    """Workers find the package by its metadata, here in an archive that they were sent."""
    lone.syspath_prepend(str(installed))  # first, so that the archive, which Spark adds to our path, leaves it too
    spark.sparkContext.addPyFile(shutil.make_archive(str(tmp_path / "example"), "zip", installed))
    found = spanscope.evaluate(*paths["spans"], "example.starts", run=spanscope.Running(engine=Spark()), ci=FEW)
    wanted = spanscope.evaluate(*FAMILIES["spans"], "example.starts", ci=FEW)
    assert found.rows == wanted.rows
    assert found.signature() == wanted.signature()
    assert "|plugin:spanscope-example/1.2.0|" in found.signature()


def test_policies(spark: Any, tmp_path: Path) -> None:
    gold, pred = span_documents(12), span_documents(12, shift=1)
    ours = write(tmp_path / "g.jsonl", gold[1:])
    theirs = write(tmp_path / "p.jsonl", pred[:-1])
    with pytest.raises(spanscope.DocumentError):
        spanscope.evaluate(ours, theirs, "spans.exact", run=spanscope.Running(engine="spark"), ci=False)
    how: dict[str, Any] = {"missing": "empty", "extra": "skip", "ci": False}
    found = spanscope.evaluate(ours, theirs, "spans.exact", run=spanscope.Running(engine="spark"), **grouped(how))
    assert found.rows == spanscope.evaluate(ours, theirs, "spans.exact", **grouped(how)).rows
    twice = write(tmp_path / "t.jsonl", [*gold, *pred])
    other = write(tmp_path / "o.jsonl", [*pred, *pred])
    with pytest.raises(spanscope.SpanscopeError, match="d0"):
        spanscope.evaluate(
            twice, other, "spans.exact", run=spanscope.Running(engine=Spark(partitions=1)), ci=False
        )
    found = spanscope.evaluate(
        twice,
        other,
        "spans.exact",
        run=spanscope.Running(engine="spark"),
        score=spanscope.Scoring(repeated="number"),
        ci=False,
    )
    assert (
        found.rows
        == spanscope.evaluate(
            twice, other, "spans.exact", score=spanscope.Scoring(repeated="number"), ci=False
        ).rows
    )


def test_nothing_at_all(spark: Any) -> None:
    kind = "id string, spans array<struct<start: int, end: int, label: string>>"
    empty = spark.createDataFrame([], kind)
    assert spanscope.evaluate(empty, empty, "spans.exact", ci=False).documents == 0


def test_the_command_line(spark: Any, paths: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    for side, path in zip("gp", paths["spans"], strict=True):
        frame(spark, path).write.parquet(str(tmp_path / f"{side}.parquet"))
    args = ("--no-ci", "-m", "spans.exact", "--format", "json")
    done = run("eval", "--engine", "spark", tmp_path / "g.parquet", tmp_path / "p.parquet", *args)
    assert done.code == 0, done.err
    wanted = spanscope.evaluate(*FAMILIES["spans"], "spans.exact", ci=False)
    assert json.loads(done.out)["rows"][0]["value"] == wanted.rows[0].value
    said = refused(run("eval", *paths["spans"], "--engine", "spark", "--memory", "spans"))
    assert "Spark gives back counts, not spans" in said
    assert "no engine is called 'sparc'" in refused(run("eval", *paths["spans"], "--engine", "sparc"))
    assert "--partitions is about Spark" in refused(run("eval", *paths["spans"], "--partitions", "3"))


# ---------------------------------------------------------------- what is refused


def test_a_bad_row_comes_back_with_its_document(spark: Any, tmp_path: Path) -> None:
    documents = span_documents(9)
    documents[7]["spans"][1]["end"] = 400
    path = write(tmp_path / "g.jsonl", documents)
    said = refused(run("eval", path, path, "--engine", "spark", "--no-ci"))
    assert said.startswith(f"{path}:d7: spans[1].end is 400, past the end of the text")
    with pytest.raises(spanscope.InputError, match=r"gold:d7: spans\[1\].end is 400"):
        spanscope.evaluate(frame(spark, path), frame(spark, path), ci=False)


def test_ids_are_needed(spark: Any, tmp_path: Path) -> None:
    documents = [{"spans": one["spans"]} for one in span_documents(3)]
    path = write(tmp_path / "g.jsonl", documents)
    with pytest.raises(spanscope.InputError, match="a document has no id"):
        spanscope.evaluate(path, path, "spans.exact", run=spanscope.Running(engine="spark"))
    with pytest.raises(spanscope.InputError, match=r"gold: there is no column of ids \(there are spans\)"):
        spanscope.evaluate(frame(spark, path), frame(spark, path), "spans.exact")
    odd = spark.createDataFrame([(1.5,)], "id double")
    with pytest.raises(spanscope.InputError, match="gold: the column id is double"):
        spanscope.evaluate(odd, odd, "spans.exact")


def test_lines_that_are_no_json(spark: Any, tmp_path: Path) -> None:
    good = "".join(json.dumps(one) + "\n" for one in span_documents(2))
    path = write(tmp_path / "g.jsonl", good + '{"id": "x", "spans": [\n')
    with pytest.raises(spanscope.InputError, match=r"g\.jsonl: the JSON ends too early"):
        spanscope.evaluate(path, path, "spans.exact", run=spanscope.Running(engine="spark"))


def test_a_schema_that_does_not_fit(spark: Any) -> None:
    odd = spark.createDataFrame([("a", "x")], "id string, marks string")
    with pytest.raises(spanscope.InputError, match=r"gold:a: a document has no spans \(it has id, marks\)"):
        spanscope.evaluate(odd, odd, "spans.exact", ci=False)


def test_files_that_are_not_there(spark: Any, tmp_path: Path) -> None:
    for name in ("none.parquet", "none.jsonl"):
        with pytest.raises(spanscope.InputError, match="there is no such file"):
            spanscope.evaluate(
                tmp_path / name, tmp_path / name, "spans.exact", run=spanscope.Running(engine="spark")
            )


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_folders_and_patterns(kind: str, spark: Any, tmp_path: Path) -> None:
    """Parts in a folder or under a pattern of this machine, with what lies beside them, are one side."""
    gold, pred = FAMILIES["spans"]
    wanted = spanscope.evaluate(gold, pred, ci=False)
    for name, rows in (("g", gold), ("p", pred[::-1])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "_SUCCESS").touch()
        for at in range(0, len(rows), 9):
            part = write(tmp_path / name / f"part-{at:03d}.jsonl", rows[at : at + 9])
            if kind == "parquet":
                pq.write_table(pa.Table.from_pylist(rows[at : at + 9]), part.with_suffix(".parquet"))
                part.unlink()
    how = spanscope.Running(engine=Spark(partitions=2))
    found = spanscope.evaluate(tmp_path / "g", f"{tmp_path}/p/part-*", run=how, ci=False)
    assert found.rows == wanted.rows
    assert [one.path for one in found.inputs] == [str(tmp_path / "g"), f"{tmp_path}/p/part-*"]


def test_folders_that_are_read_whole_are_no_parts(tmp_path: Path) -> None:
    """They are refused before a session is made."""
    gold, pred = FAMILIES["spans"]
    (tmp_path / "two").mkdir()
    for name, rows in (("anna", gold), ("ben", pred)):
        write(
            tmp_path / f"two/{name}.jsonl", [{**rows[0], "id": gold[0]["id"], "text": gold[0]["text"]}, *rows[1:]]
        )
    archive = shutil.make_archive(str(tmp_path / "a"), "zip", tmp_path / "two")
    how = spanscope.Running(engine="spark")
    for path, words in (
        (tmp_path / "two", "is a folder of files that are read whole"),
        (archive, "is an archive"),
    ):
        with pytest.raises(spanscope.InputError, match=f"{words}, which Spark cannot read"):
            spanscope.evaluate(path, path, "spans.exact", run=how)


def test_files_in_formats_that_cannot_be_cut_into_lines(tmp_path: Path) -> None:
    """They are refused in words before Spark starts: it would only say that they are no Parquet, or no JSON."""
    for name, content, kind in (
        ("a.conll", "Anna B-PER\nmet O\n", "conll"),
        ("a.txt", "Anna B-PER\nmet O\n", "conll"),
        ("a.json", '{"q1": {"d1": 1}}', "judgements"),
    ):
        path = write(tmp_path / name, content)
        said = refused(run("eval", path, path, "--engine", "spark"))
        assert f"is in the format {kind}, which is read whole, and not by Spark" in said


def test_a_worker_that_fails(spark: Any) -> None:
    """An error that is not ours ends the job: the last line of its cause is told, not the whole trace."""

    def broken(_gold: Any, _pred: Any) -> Any:
        raise ZeroDivisionError("made in a worker")

    path = spark.createDataFrame([("a", [])], "id string, spans array<struct<start: int, end: int>>")
    both = [
        frames.key_rows(side, BY_NAME["spans"], KNOWN) for side in frames.open_sides(path, path, Spark(), KNOWN)
    ]
    with pytest.raises(spanscope.EngineError) as told:
        list(engine.run(broken, both, Spark(partitions=1)))
    assert told.value.what == "Spark gave up (ZeroDivisionError: made in a worker)"


def test_without_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(spanscope.EngineError, match="apt-get install openjdk-17-jre-headless"):
        session._require_java()
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(spanscope.EngineError, match="Spark needs Java"):
        session._require_java()


def test_without_pyspark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = write(tmp_path / "g.jsonl", span_documents(2))
    for name in ("pyspark", "pyspark.sql"):
        monkeypatch.setitem(sys.modules, name, None)
    assert "pip install 'spanscope[spark]'" in refused(run("eval", path, path, "--engine", "spark"))


def test_rows_are_cut_between_documents() -> None:
    """A block ends where the next key begins, never inside one, however many rows it has."""
    pa = needs("pyarrow")
    keys = ["a"] * 3 + ["b"] * 2 + ["c"]
    batch = pa.record_batch({"key": keys, "side": [0, 1, 1, 0, 1, 0], "at": range(6), "line": list("uvwxyz")})
    found = list(engine._blocks([batch.slice(0, 2), batch.slice(2)], 1))
    assert [[[row[0] for row in side] for side in block] for block in found] == [
        [["a"], ["a", "a"]],
        [["b"], ["b"]],
        [["c"], []],
    ]
