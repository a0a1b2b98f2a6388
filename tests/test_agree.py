"""Agreement from files and documents: figures by hand and by other tools, every source, every view, laws."""

import csv
import io
import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import spanscope
from spanscope import Agreement, agree
from spanscope.arithmetic import draws, keys_of, poisson
from spanscope.errors import DocumentError, InputError, MeasureError
from tests.cli import GOLD, PRED, TRACES, refused, run, write
from tests.support import Json, needs

metrics = needs("sklearn.metrics")
TEXT = "Peter Blackburn lives in Bern."  # 30 characters


def document(key: str, *spans: tuple[int, int, str], text: str = TEXT) -> Json:
    return {
        "id": key,
        "text": text,
        "spans": [dict(zip(("start", "end", "label"), s, strict=True)) for s in spans],
    }


# In x the two differ in the end of the name and the label of the town; y and z are marked alike, z by nobody.
ANN = [
    document("x", (0, 15, "PER"), (25, 29, "LOC")),
    document("y", (0, 5, "PER"), (25, 29, "LOC")),
    document("z"),
]
BOB = [
    document("x", (0, 5, "PER"), (25, 29, "ORG")),
    document("y", (0, 5, "PER"), (25, 29, "LOC")),
    document("z"),
]
CLEO = [document("x", (0, 15, "PER")), document("y", (6, 15, "PER")), document("z", (0, 5, "LOC"))]


def characters(side: list[Json]) -> list[str]:
    """Return the label of every character of all documents, one by one."""
    out = []
    for one in side:
        for at in range(len(one["text"])):
            over = [s["label"] for s in one["spans"] if s["start"] <= at < s["end"]]
            out.append(over[0] if over else "O")
    return out


@pytest.fixture(name="two", scope="module")
def _two() -> Agreement:
    return agree(ANN, BOB, names=["ann", "bob"])


@pytest.fixture(name="three", scope="module")
def _three() -> Agreement:
    return agree(ANN, BOB, CLEO, names=["ann", "bob", "cleo"])


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, side in (("ann", ANN), ("bob", BOB), ("cleo", CLEO)):
        write(Path(f"{name}.jsonl"), side)


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-12, nan_ok=True)


# ---------------------------------------------------------------- figures


def test_f1(two: Agreement) -> None:
    """Two of four spans on either side are the same, PER of y and LOC of y."""
    assert two.value("f1_exact") == 0.5
    assert two.value("f1_exact", "PER") == 0.5
    assert two.value("f1_exact", "LOC") == close(2 / 3)
    assert two.value("f1_exact", "ORG") == 0.0
    want = spanscope.evaluate(ANN, BOB, ["spans.exact", "spans.relaxed"], errors=False)
    assert two.value("f1_exact") == want.value("f1")
    assert two.value("f1_relaxed") == want.value("f1", "spans.relaxed")


def test_without_text_relaxed_is_by_place() -> None:
    sides = [[{key: one[key] for key in ("id", "spans")} for one in side] for side in (ANN, BOB)]
    found = agree(*sides)
    want = spanscope.evaluate(*sides, "spans.iou", errors=False)
    assert found.value("f1_relaxed") == want.value("f1")
    assert found.problems["no text"] == 1


def test_kappa_is_scikit_learns_on_characters(two: Agreement) -> None:
    first, second = characters(ANN), characters(BOB)
    assert two.value("cohen_kappa") == close(metrics.cohen_kappa_score(first, second))
    marked = [(a, b) for a, b in zip(first, second, strict=True) if (a, b) != ("O", "O")]
    inside = metrics.cohen_kappa_score(*zip(*marked, strict=True))
    assert two.value("cohen_kappa_inside") == close(inside)
    for label in ("PER", "LOC", "ORG"):
        ours = two.value("cohen_kappa", label)
        assert ours == close(metrics.cohen_kappa_score([a == label for a in first], [b == label for b in second]))
        ours = two.value("cohen_kappa_inside", label)
        assert ours == close(
            metrics.cohen_kappa_score(*zip(*((a == label, b == label) for a, b in marked), strict=True))
        )


def test_three_annotators(three: Agreement) -> None:
    krippendorff = needs("krippendorff")
    sides = {"ann": characters(ANN), "bob": characters(BOB), "cleo": characters(CLEO)}
    kappas = []
    for pair in combinations(sides, 2):
        want = metrics.cohen_kappa_score(sides[pair[0]], sides[pair[1]])
        assert three.value("cohen_kappa", pair=pair) == close(want)
        assert three.value("cohen_kappa", pair=(pair[1], pair[0])) == close(want)
        kappas.append(want)
    assert three.value("cohen_kappa") == close(np.mean(kappas))
    codes = [["O", "PER", "LOC", "ORG"].index(one) for side in sides.values() for one in side]
    data = np.array(codes).reshape(3, -1)
    assert three.value("alpha") == close(krippendorff.alpha(data, level_of_measurement="nominal"))
    some = data[:, data.max(0) > 0]
    assert three.value("alpha_inside") == close(krippendorff.alpha(some, level_of_measurement="nominal"))
    own = krippendorff.alpha((data == 1).astype(int), level_of_measurement="nominal")
    assert three.value("alpha", "PER") == close(own)
    own = krippendorff.alpha((some == 1).astype(int), level_of_measurement="nominal")
    assert three.value("alpha_inside", "PER") == close(own)
    exact = [spanscope.evaluate(a, b, "spans.exact").value("f1") for a, b in combinations((ANN, BOB, CLEO), 2)]
    assert three.value("f1_exact") == close(np.mean(exact))


def test_nested_spans_of_a_label_count_for_it_also_under_another() -> None:
    """Ann marks a LOC inside an ORG: of ORG she covers all ten characters, in the table over all labels six."""
    ann = [document("x", (0, 10, "ORG"), (2, 6, "LOC"), text="x" * 20)]
    bob = [document("x", (0, 10, "ORG"), text="x" * 20)]
    found = agree(ann, bob)
    assert found.value("cohen_kappa", "ORG") == 1.0
    assert found.problems["several labels"] == 4
    assert [(row["label"], row["other"], row["number"]) for row in found.disagreements()] == [("LOC", "ORG", 4)]
    want = metrics.cohen_kappa_score(list("OOLLLLOOOO" + "-" * 10), list("O" * 10 + "-" * 10))
    assert found.value("cohen_kappa") == close(want)


def test_identical_annotators_agree_in_everything() -> None:
    found = agree(ANN, ANN, ANN)
    overall = {row.coefficient: row.value for row in found.rows if row.label is None and row.pair is None}
    assert len(overall) == 14
    assert overall == close(dict.fromkeys(overall, 1.0))
    assert found.disagreements() == []


def test_disagreements(two: Agreement) -> None:
    """Ten characters of the surname, four of the town."""
    assert two.disagreements() == [
        {"first": "ann", "second": "bob", "label": "PER", "other": "(none)", "number": 10, "share": 10 / 14},
        {"first": "ann", "second": "bob", "label": "LOC", "other": "ORG", "number": 4, "share": 4 / 14},
    ]


def test_by_document(two: Agreement) -> None:
    """A document alone has the figures that agreement of it alone has, gamma among them: draws are keyed."""
    records = {record["document"]: record for record in two.per_document()}
    assert list(records) == ["x", "y", "z"]
    for at, key in ((0, "x"), (1, "y")):
        alone = agree([ANN[at]], [BOB[at]], labels=["LOC", "ORG", "PER"])
        for name, value in records[key].items():
            if name != "document":
                assert (math.nan if value is None else value) == close(alone.value(name)), name
    assert records["y"]["gamma"] == 1.0
    assert records["z"]["gamma"] is None


def test_labels() -> None:
    found = agree(ANN, BOB, labels=["PER"])
    assert found.labels == ("PER",)
    assert found.value("f1_exact") == 0.5
    assert found.problems["other label"] == 4
    assert {row.label for row in found.rows} == {None, "PER"}
    assert "gamma_cat" not in {row.coefficient for row in found.rows}  # one label says nothing about labels


def test_segments() -> None:
    found = agree(str(TRACES), measures=["f1", "kappa", "alpha"])
    want = spanscope.panel(str(TRACES)).pairs["Gold", "Sentences"]
    pair = ("Gold", "Sentences")
    assert found.value("b_score", pair=pair) == close(want.value("f1", "segments.b_score", "micro"))
    assert found.value("b", pair=pair) == close(want.value("b", "segments.edit_distance(n_t=2)", "micro"))
    documents = [json.loads(line) for line in TRACES.read_text("utf-8").splitlines()]
    cuts: dict[str, list[bool]] = {name: [] for name in pair}
    for one in documents:
        for name in pair:
            ends = {segment_end(segment) for segment in one["segmentations"][name]}
            cuts[name] += [at in ends for at in range(1, len(one["text"]))]
    assert found.value("cohen_kappa", pair=pair) == close(
        metrics.cohen_kappa_score(cuts["Gold"], cuts["Sentences"])
    )


def segment_end(segment: Any) -> int:
    return int(segment["end"] if isinstance(segment, dict) else segment[1])


# ---------------------------------------------------------------- intervals


def test_intervals_are_a_plain_bootstrap() -> None:
    """Weights one by one, documents repeated so often, scikit-learn's kappa: the same quantiles."""
    ann, bob = ([{**one, "id": f"{one['id']}{i}"} for i in range(4) for one in side] for side in (ANN, BOB))
    found = agree(ann, bob, measures=["kappa"], resamples=40, seed=3)
    row = next(row for row in found.rows if (row.coefficient, row.label) == ("cohen_kappa", None))
    weights = poisson(draws(3, keys_of([one["id"] for one in ann]), 40))
    values = []
    for resample in range(40):
        times = weights[:, resample].tolist()
        sides = [
            [label for one, n in zip(side, times, strict=True) for label in characters([one]) * n]
            for side in (ann, bob)
        ]
        values.append(metrics.cohen_kappa_score(*sides))
    assert (row.low, row.high) == close(tuple(np.quantile(values, [0.025, 0.975])))


def test_intervals_need_two_documents_and_may_be_left_out() -> None:
    assert all(row.low is None for row in agree(ANN, BOB, ci=False).rows)
    one = agree(ANN[:1], BOB[:1])
    assert all(row.low is None for row in one.rows)
    assert one.settings["ci"] is False


def test_order_of_documents_changes_no_digit(two: Agreement) -> None:
    other = agree(ANN[::-1], BOB[1:] + BOB[:1], names=["ann", "bob"])
    assert other.rows == two.rows


def test_order_of_annotators(three: Agreement) -> None:
    """What is not sampled is the same; names of the pairs turn around."""
    other = agree(CLEO, BOB, ANN, names=["cleo", "bob", "ann"])
    for row in three.rows:
        if row.coefficient not in ("gamma", "gamma_cat"):
            assert other.value(row.coefficient, row.label, row.pair) == close(row.value), row


def test_seed() -> None:
    here, there = (agree(ANN, BOB, seed=seed).value("gamma") for seed in (1, 2))
    assert here == agree(ANN, BOB, seed=1).value("gamma")
    assert here != there
    assert abs(here - there) < 0.2


# ---------------------------------------------------------------- sources


def test_files_have_the_names_of_annotators(three: Agreement) -> None:
    found = agree("ann.jsonl", "bob.jsonl", Path("cleo.jsonl"))
    assert found.names == ("ann", "bob", "cleo")
    assert found.rows == three.rows
    assert [one.path for one in found.inputs] == ["ann.jsonl", "bob.jsonl", "cleo.jsonl"]
    assert len({*agree("ann.jsonl", "ann.jsonl", measures=["f1"]).names}) == 2


def test_tokens() -> None:
    """Six tokens, two kinds: on tokens by default, on characters where asked for."""
    first = [["B-PER", "I-PER", "O", "O", "B-LOC"], ["B-ORG"]]
    second = [["B-PER", "O", "O", "O", "B-ORG"], ["B-ORG"]]
    found = agree(first, second, measures=["kappa", "f1"])
    assert found.settings["unit"] == "token"
    flat = [["PER", "PER", "O", "O", "LOC", "ORG"], ["PER", "O", "O", "O", "ORG", "ORG"]]
    assert found.value("cohen_kappa") == close(metrics.cohen_kappa_score(*flat))
    assert found.value("f1_exact") == close(1 / 3)
    words = ["Peter", "Blackburn", "lives", "in", "Bern"]
    tagged = [[{"id": 1, "tokens": words, "tags": tags[0]}] for tags in (first, second)]
    on_characters = agree(*tagged, unit="character", measures=["kappa"])
    # with the blank between the two words of the name, which the span covers
    chars = [
        ["PER"] * 15 + ["O"] * 10 + ["LOC"] * 4,
        ["PER"] * 5 + ["O"] * 20 + ["ORG"] * 4,
    ]
    assert on_characters.value("cohen_kappa") == close(metrics.cohen_kappa_score(*chars))
    assert agree(*tagged, measures=["kappa"]).value("cohen_kappa") == close(
        metrics.cohen_kappa_score(flat[0][:5], flat[1][:5])
    )


def test_one_file_of_tokens_with_two_columns() -> None:
    write(Path("both.conll"), "Peter B-PER B-PER\nspoke O B-PER\n")
    found = agree("both.conll", measures=["kappa"])
    assert found.names == ("first", "second")
    assert found.value("cohen_kappa") == close(metrics.cohen_kappa_score(["P", "O"], ["P", "P"]))


def test_label_studio_spans() -> None:
    def region(start: int, end: int, label: str) -> Json:
        return {"type": "labels", "value": {"start": start, "end": end, "labels": [label]}}

    task = {
        "id": 1,
        "data": {"text": TEXT},
        "annotations": [
            {"completed_by": "ann@x", "result": [region(0, 15, "PER"), region(25, 29, "LOC")]},
            {"completed_by": "bob@x", "result": [region(0, 5, "PER"), region(25, 29, "LOC")]},
        ],
    }
    found = agree([task])
    assert found.family == "spans"
    assert found.names == ("ann@x", "bob@x")
    assert found.value("f1_exact") == 0.5
    want = agree(ANN[:1], [document("x", (0, 5, "PER"), (25, 29, "LOC"))])
    for name in ("cohen_kappa", "alpha_inside", "u_alpha", "alpha_u"):
        assert found.value(name) == close(want.value(name))


def test_columns_cannot_show_empty_documents() -> None:
    ann = pd.DataFrame({"doc": ["x", "x", "y"], "start": [0, 6, 0], "end": [4, 9, 3], "label": ["A", "B", "A"]})
    bob = pd.DataFrame({"doc": ["x", "w"], "start": [0, 2], "end": [4, 5], "label": ["A", "B"]})
    found = agree(ann, bob, measures=["f1"])
    assert found.documents == 3
    assert found.value("f1_exact") == close(2 * 1 / 5)


def test_documents_that_not_all_annotated() -> None:
    found = agree(ANN, BOB[:2])
    assert found.documents == 2
    assert found.problems["missing document"] == 1
    assert found.rows == agree(ANN[:2], BOB[:2]).rows
    with pytest.raises(DocumentError, match="1 document of annotator 1 not annotated by all; first 'z'"):
        agree(ANN, BOB[:2], missing="error")
    with pytest.raises(DocumentError, match="no document was annotated by all"):
        agree(ANN[:1], BOB[1:])


# ---------------------------------------------------------------- refusals

OVERLAP = [document("x", (0, 15, "PER"), (3, 8, "PER"), (25, 29, "LOC"))]


def test_alpha_u_of_overlaps_is_refused_where_it_was_asked_for() -> None:
    found = agree(OVERLAP, OVERLAP)
    assert "alpha_u" not in {row.coefficient for row in found.rows}
    assert found.problems["no alpha_u"] == 1
    with pytest.raises(MeasureError, match=r"document 'x': alpha_U .* label 'PER' has 0..15 and 3..8"):
        agree(OVERLAP, OVERLAP, measures=["alpha_u"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"measures": ["gama"]}, "no coefficient is called 'gama'; did you mean 'gamma'"),
        ({"measures": []}, "no coefficient was asked for"),
        ({"unit": "token"}, "there are no tokens"),
        ({"unit": "word"}, "unit is 'word'"),
        ({"sampler": "x"}, "no sampler is called 'x'"),
        ({"samples": 0}, "samples is 0"),
        ({"resamples": 1}, "resamples is 1"),
        ({"level": 95}, "level is 95"),
        ({"alpha": -1}, "alpha is -1"),
        ({"delta": 0}, "delta is 0"),
        ({"labels": []}, "labels are"),
        ({"labels": ["PER"], "measures": ["gamma_cat"]}, "gamma_cat says nothing here"),
    ],
)
def test_bad_settings(options: Json, said: str) -> None:
    with pytest.raises(MeasureError, match=said):
        agree(ANN, BOB, **options)


def test_bad_sources() -> None:
    with pytest.raises(InputError, match="there is nothing to compare"):
        agree()
    with pytest.raises(InputError, match="there is only 1 annotator"):
        agree(ANN)
    with pytest.raises(InputError, match="names are"):
        agree(ANN, BOB, names=["a", "a"])
    with pytest.raises(InputError, match="agreement is about spans"):
        agree([{"query": "q", "retrieved_passages": [{"text": "x"}]}], ANN)
    with pytest.raises(MeasureError, match="1 span of annotator 2 without offsets"):
        agree(ANN[:1], [{"id": "x", "text": TEXT, "spans": [{"text": "Bern", "label": "LOC"}]}])


def test_unknown_figures(two: Agreement) -> None:
    with pytest.raises(MeasureError, match="no coefficient is called 'kappa'"):
        two.value("kappa")
    with pytest.raises(MeasureError, match="cohen_kappa has no figure for label 'X'"):
        two.value("cohen_kappa", "X")


# ---------------------------------------------------------------- views


def test_every_coefficient_has_a_meaning(three: Agreement) -> None:
    for name in {row.coefficient for row in three.rows}:
        assert len(three.meaning(name)) > 20
        assert "{" not in three.meaning(name)


def test_table() -> None:
    done = run("agree", "ann.jsonl", "bob.jsonl")
    assert done.code == 0
    assert "Cohen's kappa" in done.out
    assert "agreement on every character's label" in done.out
    assert "Intervals from 3 documents say little" in " ".join(done.out.split())
    assert "agree(unit=character)|annotators:2|labels:3|docs:3|ci:bootstrap,1000,seed:0" in done.out
    assert max(map(len, done.out.splitlines()[:-1])) <= 110


def test_json() -> None:
    done = run("agree", "ann.jsonl", "bob.jsonl", "cleo.jsonl", "--format", "json", "--documents", "--seed", 4)
    found = json.loads(done.out)
    direct = agree("ann.jsonl", "bob.jsonl", "cleo.jsonl", seed=4)
    assert found == json.loads(direct.to_json(documents=True))
    assert [one["name"] for one in found["annotators"]] == ["ann", "bob", "cleo"]
    assert len(found["by_document"]) == 3
    rows = [(row["coefficient"], row["label"], row["pair"]) for row in found["rows"]]
    assert len(set(map(str, rows))) == len(rows)
    assert set(found["meanings"]) == {row["coefficient"] for row in found["rows"]}


def test_csv() -> None:
    done = run("agree", "ann.jsonl", "bob.jsonl", "cleo.jsonl", "-f", "csv", "--no-ci", "-m", "kappa")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    found = agree("ann.jsonl", "bob.jsonl", "cleo.jsonl", ci=False, measures=["kappa"])
    assert len(rows) == len(found.rows)
    for got, row in zip(rows, found.rows, strict=True):
        assert got["value"] == ("" if math.isnan(row.value) else str(row.value))
        assert (got["first"], got["second"]) == (row.pair or ("", ""))
        assert got["low"] == ""


def test_markdown_and_output(tmp_path: Path) -> None:
    done = run("agree", "ann.jsonl", "bob.jsonl", "-o", "report.md", "--names", "A,B")
    assert (done.code, done.out) == (0, "")
    written = (tmp_path / "report.md").read_text("utf-8")
    assert written.startswith("# Agreement\n")
    assert "| Krippendorff's alpha |" in written
    assert "| A | PER | B | (none) | 10 | 71.4 % |" in written


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("-f", "latex"), "no format is called 'latex'"),
        (("--documents",), "--documents go into the JSON"),
        (("--missing", "empty"), "skip or error"),
        (("-f", "json", "--digits", "2"), "--digits is for tables"),
        (("-o", "x.png"), "does not show"),
        (("-m", "kapa"), "did you mean 'kappa'"),
        (("--unit", "token"), "there are no tokens"),
    ],
)
def test_bad_usage(args: tuple[str, ...], said: str) -> None:
    assert said in refused(run("agree", "ann.jsonl", "bob.jsonl", *args))


def test_the_examples_agree_with_each_other() -> None:
    """Gold and predictions of the example corpus: exact F1 as evaluate gives it, and no figure out of range."""
    found = agree(str(GOLD), str(PRED))
    assert found.value("f1_exact") == spanscope.evaluate(str(GOLD), str(PRED), "spans.exact").value("f1")
    for row in found.rows:
        assert math.isnan(row.value) or -1 <= row.value <= 1
        if row.low is not None:
            assert row.low <= row.high
