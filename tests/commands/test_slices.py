"""`--by`: figures of slices in every form of a result, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import spanscope
from spanscope import Ci
from spanscope.errors import InputError, MeasureError
from tests.cli import refused, run

Documents = list[dict[str, Any]]
SCHEMA = Path(spanscope.__file__).parent / "results" / "schemas" / "result-1.json"


def corpus(number: int = 60) -> tuple[Documents, Documents]:
    """Return documents of three sources, of which one is hard: half of its spans are not found."""
    gold, pred = [], []
    for n in range(number):
        spans = [{"start": 6 * at, "end": 6 * at + 3 + at % 2, "label": "AB"[at % 2]} for at in range(2 + n % 3)]
        source = ("news", "mail", "forum")[n % 3]
        about = {"meta": {"year": 1990 + n % 2}} if n else {}
        gold.append({"id": f"d{n}", "text": "x" * 40, "source": source, "spans": spans, **about})
        pred.append({"id": f"d{n}", "spans": spans[: len(spans) // 2] if source == "forum" else spans})
    return gold, pred


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    out = []
    for name, side in zip(("gold", "pred"), corpus(), strict=True):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(map(json.dumps, side)), encoding="utf-8")
        out.append(str(path))
    return out


def test_the_worst_slice_comes_first_and_has_the_figures_of_its_documents() -> None:
    gold, pred = corpus()
    ci = Ci(resamples=100, method="percentile")  # wilson looks at all slices for how documents vary
    found = spanscope.evaluate(gold, pred, "spans.exact", by=["source", "year"], ci=ci)
    first = found.slices()[0]
    assert (first["by"], first["name"], first["documents"]) == ("source", "forum", 20)
    hard = [at for at in range(60) if at % 3 == 2]
    alone = spanscope.evaluate([gold[at] for at in hard], [pred[at] for at in hard], "spans.exact", ci=ci)
    row = next(row for row in alone.rows if (row.rate, row.average) == ("f1", "micro"))
    assert (first["value"], first["low"], first["high"]) == (row.value, row.low, row.high)
    assert first["rest"] == 1.0
    assert first["adjusted"] < 0.01
    years = {one["name"]: one["documents"] for one in found.slices() if one["by"] == "year"}
    assert years == {"(none)": 1, "1990": 29, "1991": 30}


def test_slices_are_in_the_report_the_json_and_the_csv(files: list[str]) -> None:
    asked = ["--by", "source", "--by", "@length", "--resamples", "50"]
    shown = run("eval", *files, *asked).out
    table = shown[shown.index("Slices: spans.exact, micro, the worst first") :]
    assert table.splitlines()[3].split()[:3] == ["source", "forum", "20"]
    assert "adjusted by Holm's method for 3 tests" in shown
    written = json.loads(run("eval", *files, *asked, "-f", "json").out)
    jsonschema.validate(written, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert written["settings"]["by"] == ["source", "@length"]
    assert written["slices"][0]["name"] == "forum"
    rows = list(csv.DictReader(io.StringIO(run("eval", *files, *asked, "-f", "csv").out)))
    own = next(row for row in rows if (row["slice"], row["rate"]) == ("forum", "f1"))
    assert (own["by"], own["average"]) == ("source", "slice")
    assert float(own["value"]) == written["slices"][0]["value"]
    assert float(own["adjusted"]) == written["slices"][0]["adjusted"]
    assert "Slices: spans.exact" in run("eval", *files, *asked, "-f", "markdown").out


def test_without_intervals_there_are_no_tests(files: list[str]) -> None:
    shown = run("eval", *files, "--by", "source", "--no-ci").out
    assert "Slices: spans.exact" in shown
    assert "Holm" not in shown
    gold, pred = corpus()
    for one in spanscope.evaluate(gold, pred, "spans.exact", by="source", ci=False).slices():
        assert one["low"] is one["p"] is one["adjusted"] is None


def test_slices_too_small_say_so() -> None:
    gold, pred = corpus(30)
    found = spanscope.evaluate(gold, pred, "spans.exact", by=["source"], ci=Ci(resamples=50))
    assert "too few" in str(found)
    assert "A slice in fewer than 20 documents has no interval; in fewer than 6 it has no p" in " ".join(
        str(found).split()
    )
    assert all(one["low"] is None and one["p"] is not None for one in found.slices())


def test_groups_are_what_is_drawn() -> None:
    gold, pred = corpus()
    for n, one in enumerate(gold):
        one["author"] = n % 15
    found = spanscope.evaluate(gold, pred, "spans.exact", by=["source"], group="author", ci=Ci(resamples=50))
    assert {one["units"] for one in found.slices()} == {5}
    assert "fewer than 20 groups of documents by author" in " ".join(str(found).split())


def test_segmentations_and_passages_are_sliced_by_document() -> None:
    gold = [{"id": str(n), "length": 9 + n, "kind": "ab"[n % 2], "masses": [3, 6 + n]} for n in range(40)]
    pred = [{**one, "masses": [3, 6 + n] if n % 2 else [4, 5 + n]} for n, one in enumerate(gold)]
    by = ["kind", "@document-length"]
    found = spanscope.evaluate(gold, pred, "segments.boundaries", by=by, ci=Ci(resamples=50))
    named = {one["name"]: one for one in found.slices()}
    assert (named["a"]["value"], named["b"]["value"]) == (0.0, 1.0)
    assert named["up to 22 units"]["documents"] == 14
    queries = [{"query": f"q{n}", "topic": "xy"[n % 2], "snippets": [{"text": f"t{n}"}]} for n in range(12)]
    runs = [{"query": f"q{n}", "retrieved": [f"t{n}" if n % 2 else "no"]} for n in range(12)]
    found = spanscope.evaluate(queries, runs, "passages.ranking(k=1)", by=["topic"], ci=Ci(resamples=50))
    assert [(one["name"], one["value"]) for one in found.slices()] == [("x", 0.0), ("y", 1.0)]


def test_what_cannot_be_sliced_is_refused(files: list[str]) -> None:
    assert "no document has the field 'sorce'" in refused(run("eval", *files, "--by", "sorce"))
    assert "did you mean '@seen'?" in refused(run("eval", *files, "--by", "@sen"))
    assert "--train FILE" in refused(run("eval", *files, "--by", "@seen"))
    assert "--by @seen" in refused(run("eval", *files, "--train", files[0]))
    assert "--memory counts" in refused(run("eval", *files, "--by", "@document-length", "--memory", "totals"))
    assert "matched" in refused(run("eval", *files, "--by", "@length", "-m", "spans.characters"))
    assert "matched" in refused(run("eval", *files, "--by", "@length", "--no-errors"))
    gold, pred = corpus()
    with pytest.raises(MeasureError, match="by is 7"):
        spanscope.evaluate(gold, pred, by=[7])  # type: ignore[list-item]
    plain = [{key: own for key, own in one.items() if key != "text"} for one in gold]
    with pytest.raises(MeasureError, match="@document-length needs the texts"):
        spanscope.evaluate(plain, pred, "spans.exact", by=["@document-length"], ci=False)
    many = [{"id": str(n), "key": str(n), "spans": []} for n in range(1001)]
    with pytest.raises(MeasureError, match="1,001 values of 'key'"):
        spanscope.evaluate(many, many, "spans.exact", by=["key"], ci=False)
    bare = [{"id": 1, "spans": [{"start": 0, "end": 1, "label": "A"}]}]
    with pytest.raises(InputError, match="no texts"):
        spanscope.evaluate(gold, pred, "spans.exact", by=["@seen"], train=bare, ci=False)


def test_large_files_are_sliced_without_their_spans(monkeypatch: pytest.MonkeyPatch, files: list[str]) -> None:
    expected = spanscope.evaluate(*files, "spans.exact", by=["source"], ci=False)
    monkeypatch.setattr("spanscope.engines.sizes.LARGE", 1)
    found = spanscope.evaluate(*files, "spans.exact", by=["source"], ci=False)
    assert (expected.kept, found.kept) == ("spans", "counts")
    assert found.slices() == expected.slices()


def test_long_values_are_masked_with_the_texts() -> None:
    gold, pred = corpus()
    for n, one in enumerate(gold):
        one["note"] = "a sentence that somebody wrote about the patient" if n % 2 else "short"
    found = spanscope.evaluate(gold, pred, "spans.exact", by=["note"], text="none", ci=False)
    assert "patient" not in str(found) + found.to_json()
    assert {one["name"][:5] for one in found.slices()} == {"x xxx", "short"}
    assert "patient" in str(spanscope.evaluate(gold, pred, "spans.exact", by=["note"], ci=False).slices())


def test_queries_are_not_sliced_by_what_was_seen() -> None:
    gold = [{"id": "q", "query": "?", "snippets": [{"text": "x"}]}]
    found = [{"id": "q", "query": "?", "retrieved_passages": [{"text": "x"}]}]
    with pytest.raises(MeasureError, match="@seen slices labelled spans"):
        spanscope.evaluate(gold, found, by=["@seen"], train=gold)
