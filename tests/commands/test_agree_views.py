"""Agreement on the way in and out: every kind of source, what is refused, every view."""

import csv
import io
import json
import math
from pathlib import Path

import pandas as pd
import pytest

import spanscope
from spanscope import Agreement, agree
from spanscope.errors import DocumentError, InputError, MeasureError
from spanscope.settings.options import grouped
from tests.cli import GOLD, PRED, TRACES, refused, run, write
from tests.commands.test_agree import ANN, BOB, CLEO, TEXT, close, document
from tests.support import Json, needs

metrics = needs("sklearn.metrics")


@pytest.fixture(name="three", scope="module")
def _three() -> Agreement:
    return agree(ANN, BOB, CLEO, names=["ann", "bob", "cleo"])


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, side in (("ann", ANN), ("bob", BOB), ("cleo", CLEO)):
        write(Path(f"{name}.jsonl"), side)


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
    assert found.value("f1", "spans.exact") == close(1 / 3)
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


def test_tokens_beside_spans() -> None:
    """Spans on the tokens of the one who has some: Ann's chunks and Bob's characters are the same place."""
    ann = [{"id": 1, "tokens": ["Peter", "Blackburn", "lives"], "tags": ["B-PER", "I-PER", "O"]}]
    bob = [document("1", (0, 9, "PER"), text="Peter Blackburn lives")]
    for sides in ((ann, bob), (bob, ann)):
        found = agree(*sides, unit="token", measures=["f1", "kappa"])
        assert found.family == "spans"
        assert found.value("cohen_kappa") == 1.0  # both reach into the second token
        assert found.value("f1", "spans.exact") == 0.0


def test_standard_input() -> None:
    done = run("agree", "-", "bob.jsonl", "-m", "f1", "-f", "csv", stdin=Path("ann.jsonl").read_bytes())
    assert done.code == 0, done.err
    assert "spans.exact(duplicates=list),f1,micro,,0.5," in done.out
    assert "only one source" in refused(run("agree", "-", "-"))


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
    assert found.value("f1", "spans.exact") == 0.5
    want = agree(ANN[:1], [document("x", (0, 5, "PER"), (25, 29, "LOC"))])
    for name in ("cohen_kappa", "alpha_inside", "u_alpha", "alpha_u"):
        assert found.value(name) == close(want.value(name))


def test_columns_cannot_show_empty_documents() -> None:
    ann = pd.DataFrame({"doc": ["x", "x", "y"], "start": [0, 6, 0], "end": [4, 9, 3], "label": ["A", "B", "A"]})
    bob = pd.DataFrame({"doc": ["x", "w"], "start": [0, 2], "end": [4, 5], "label": ["A", "B"]})
    found = agree(ann, bob, measures=["f1"])
    assert found.documents == 3
    assert found.value("f1", "spans.exact") == close(2 * 1 / 5)


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
    assert "alpha_u" not in {row.rate for row in found.rows}
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
        ({"ci": spanscope.Ci(resamples=1)}, "resamples is 1"),
        ({"ci": spanscope.Ci(level=95)}, "level is 95"),
        ({"alpha": -1}, "alpha is -1"),
        ({"delta": 0}, "delta is 0"),
        ({"labels": []}, "labels are"),
        ({"labels": ["PER"], "measures": ["gamma_cat"]}, "gamma_cat says nothing here"),
    ],
)
def test_bad_settings(options: Json, said: str) -> None:
    with pytest.raises(MeasureError, match=said):
        agree(ANN, BOB, **grouped(options))


def test_bad_sources() -> None:
    with pytest.raises(InputError, match="there is nothing to compare"):
        agree()
    with pytest.raises(InputError, match="there is only 1 annotator"):
        agree(ANN)
    with pytest.raises(InputError, match="there are no documents"):
        agree([], [])
    with pytest.raises(DocumentError, match=r"annotator 2\[1\]: the id 'x' is repeated"):
        agree(ANN[:1], BOB[:1] * 2)
    with pytest.raises(InputError, match="names are"):
        agree(ANN, BOB, names=["a", "a"])
    with pytest.raises(InputError, match="agreement is about spans"):
        agree([{"query": "q", "retrieved_passages": [{"text": "x"}]}], ANN)
    with pytest.raises(MeasureError, match="1 span of annotator 2 without offsets"):
        agree(ANN[:1], [{"id": "x", "text": TEXT, "spans": [{"text": "Bern", "label": "LOC"}]}])


def test_unknown_figures(three: Agreement) -> None:
    with pytest.raises(MeasureError, match="no coefficient is called 'kappa'"):
        three.value("kappa")
    with pytest.raises(MeasureError, match="cohen_kappa has no figure for label 'X'"):
        three.value("cohen_kappa", label="X")


# ---------------------------------------------------------------- views


def test_every_coefficient_has_a_meaning(three: Agreement) -> None:
    for row in three.rows:
        assert len(three.meaning(row.rate, row.measure)) > 20
        assert "{" not in three.meaning(row.rate, row.measure)


def test_table() -> None:
    done = run("agree", "ann.jsonl", "bob.jsonl")
    assert done.code == 0
    assert "Cohen's kappa" in done.out
    assert "agreement on the label of each character" in done.out
    assert "Intervals from 3 documents are unreliable" in " ".join(done.out.split())
    assert "agree(unit=character)|annotators:2|labels:3|docs:3|ci:bootstrap,1000,seed:0" in done.out
    assert max(map(len, done.out.splitlines()[:-1])) <= 110


def test_json() -> None:
    done = run("agree", "ann.jsonl", "bob.jsonl", "cleo.jsonl", "--format", "json", "--documents", "--seed", 4)
    found = json.loads(done.out)
    direct = agree("ann.jsonl", "bob.jsonl", "cleo.jsonl", seed=4)
    assert found == json.loads(direct.to_json(documents=True))
    assert [one["name"] for one in found["annotators"]] == ["ann", "bob", "cleo"]
    assert {len(own) for own in found["by_document"].values()} == {3}
    rows = [(row["measure"], row["rate"], row["label"], row["sides"]) for row in found["rows"]]
    assert len(set(map(str, rows))) == len(rows)
    assert {(form, rate) for form, own in found["meanings"].items() for rate in own} == {row[:2] for row in rows}


def test_csv() -> None:
    done = run("agree", "ann.jsonl", "bob.jsonl", "cleo.jsonl", "-f", "csv", "--no-ci", "-m", "kappa")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    found = agree("ann.jsonl", "bob.jsonl", "cleo.jsonl", ci=False, measures=["kappa"])
    assert len(rows) == len(found.rows)
    for got, row in zip(rows, found.rows, strict=True):
        assert got["value"] == ("" if math.isnan(row.value) else str(row.value))
        assert (got["first"], got["second"]) == (row.sides or ("", ""))
        assert got["low"] == ""


def test_markdown_and_output(tmp_path: Path) -> None:
    done = run("agree", "ann.jsonl", "bob.jsonl", "-o", "report.md", "--names", "A,B")
    assert (done.code, done.out) == (0, "")
    written = (tmp_path / "report.md").read_text("utf-8")
    assert written.startswith("# Agreement\n")
    assert "| Krippendorff's alpha |" in written
    assert "| A | PER | B | (none) | 10 | 71.4 % |" in written


def test_latex_and_html(three: Agreement) -> None:
    """The forms that every result has: a table each, with the same figures."""
    latex = three.table("latex")
    tables = latex.count(r"\begin{table}")
    assert tables == three.table("markdown").count("\n## ")
    assert three._repr_html_().count("<table>") == tables
    value = f"{three.value('alpha'):.4f}"
    assert f"Krippendorff's alpha & {value} & " in latex
    assert f">{value}</td>" in three._repr_html_()
    done = run("agree", "ann.jsonl", "bob.jsonl", "-f", "latex", "--digits", "2", "--no-ci")
    assert done.code == 0
    assert "F1, exact & 0.50 & -- &" in done.out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("-f", "seqeval"), "no format is called 'seqeval'"),
        (("--documents",), "--documents adds figures to the JSON"),
        (("--missing", "empty"), "skip or error"),
        (("-f", "json", "--digits", "2"), "--digits is for tables"),
        (("-o", "x.png"), "does not name a format"),
        (("-m", "kapa"), "did you mean 'kappa'"),
        (("--unit", "token"), "there are no tokens"),
    ],
)
def test_bad_usage(args: tuple[str, ...], said: str) -> None:
    assert said in refused(run("agree", "ann.jsonl", "bob.jsonl", *args))


def test_the_examples_agree_with_each_other() -> None:
    """Gold and predictions of the example corpus: exact F1 as evaluate gives it, and no figure out of range."""
    found = agree(str(GOLD), str(PRED))
    assert found.value("f1", "spans.exact") == spanscope.evaluate(str(GOLD), str(PRED), "spans.exact").value("f1")
    for row in found.rows:
        assert math.isnan(row.value) or -1 <= row.value <= 1
        if row.low is not None:
            assert row.low <= row.high


# ---------------------------------------------------------------- rows and measures like everybody's


def test_rows_are_score_rows(three: Agreement) -> None:
    """The names of a result's rows, and the pair of annotators as one more."""
    scored = spanscope.evaluate(ANN, BOB, "spans.exact", ci=False)
    names = list(scored.to_dict()["rows"][0])
    assert all(isinstance(row, spanscope.Score) for row in three.rows)
    assert list(three.to_dict()["rows"][0]) == [*names, "sides"]
    assert list(three.to_pandas().columns) == [*scored.to_pandas().columns, "sides"]
    header = run("agree", "ann.jsonl", "bob.jsonl", "-m", "f1", "--no-ci", "-f", "csv").out.splitlines()[0]
    assert header == ",".join([*names[:-1], "first", "second"])  # without the deviation, as in the CSV of scores
    assert {row.average for row in three.rows} == {"micro", "label", "pairs"}
    f1 = [row for row in three.rows if row.measure.startswith("spans.exact") and row.label is None]
    assert [(row.average, row.sides) for row in f1] == [
        ("pairs", None),
        ("micro", ("ann", "bob")),
        ("micro", ("ann", "cleo")),
        ("micro", ("bob", "cleo")),
    ]


def test_undefined_pairs_are_counted() -> None:
    """Ann and Bob mark nothing in w: their pair has no F1, the other two have 0."""
    ann, bob, cleo = ([document("w", *spans)] for spans in ((), (), ((0, 5, "PER"),)))
    row = agree(ann, bob, cleo, measures=["spans.exact"], ci=False).row("f1")
    assert (row.value, row.average, row.undefined) == (0.0, "pairs", 1)


def test_counts_are_those_of_everybody(three: Agreement) -> None:
    two = agree(ANN, BOB, measures=["spans.exact", "kappa", "u_alpha"], ci=False)
    assert two.counts("spans.exact") == spanscope.evaluate(ANN, BOB, "spans.exact", ci=False).counts()
    kappa = two.counts("agreement.kappa")  # x: Ann 15 + 4, Bob 5 + 4; y: both 5 and 4; 90 characters in all
    assert {name: kappa[name]["first"] for name in kappa} == {"PER": 20, "LOC": 8, "ORG": 0, "(none)": 62}
    assert {name: kappa[name]["second"] for name in kappa} == {"PER": 10, "LOC": 4, "ORG": 4, "(none)": 72}
    assert {name: kappa[name]["both"] for name in kappa} == {"PER": 10, "LOC": 4, "ORG": 0, "(none)": 62}
    assert {name: kappa[name]["silent"] for name in kappa} == {"PER": 0, "LOC": 0, "ORG": 0, "(none)": 62}
    sums = two.counts("agreement.u_alpha")["*"]
    assert two.value("u_alpha") == close(1 - sums["observed"] / sums["expected"])
    assert three.to_dict()["counts"][str(three.measures[0])] == three.counts()
    assert "tp[ann, bob]" in three.counts()["PER"]


def test_any_measure_of_two_sides() -> None:
    form = "spans.iou(threshold=0.3)"
    found = agree(ANN, BOB, measures=[form], ci=False)
    assert found.value("f1", form) == spanscope.evaluate(ANN, BOB, form, ci=False).value("f1", form)
    with pytest.raises(MeasureError, match="was not run"):
        found.value("f1", "spans.exact")
    with pytest.raises(MeasureError, match=r"no measure is called 'spans\.exakt'; did you mean"):
        agree(ANN, BOB, measures=["spans.exakt"])


def test_parameters_of_a_measure_in_its_text_form() -> None:
    found = agree(ANN, BOB, measures=["agreement.gamma(samples=5)"], ci=False)
    same = agree(ANN, BOB, measures=["gamma"], samples=5, ci=False)
    assert str(found.rows) == str(same.rows)
    assert "samples=5" in found.rows[0].measure
    with pytest.raises(MeasureError, match="unit=gap is for segmentations"):
        agree(ANN, BOB, measures=["agreement.kappa(unit=gap)"])


def test_measures_are_explained() -> None:
    listed = run("measures").out
    for name in ("kappa", "alpha", "alpha_u", "u_alpha", "gamma"):
        assert f"agreement.{name} " in listed
    assert "Source     Cohen (1960)" in run("measures", "agreement.kappa").out
    said = refused(run("eval", "ann.jsonl", "bob.jsonl", "-m", "agreement.kappa"))
    assert "agreement.kappa is about annotators" in said
    assert "spanscope agree A B -m kappa" in said


def test_names_of_boundary_figures_are_those_of_eval() -> None:
    """One name for one figure: B-score is the F1 within a tolerance, Boundary F1 that of exact places."""
    table = run("agree", TRACES, "--no-ci", "-m", "f1", "-m", "kappa").out
    assert "B-score" in table
    assert "Boundary F1" not in table
    scored = run("eval", TRACES).out
    assert "Boundary kappa" in scored
    assert " Kappa" not in scored + table


@pytest.mark.parametrize(
    ("gate", "code", "said"),
    [
        ("spans.exact:f1=0.5", 0, ""),
        ("spans.exact:f1=0.51", 1, "missed: spans.exact:f1 is 0.5, below 0.51"),
        ("spans.exact:f1[ORG]=0.1", 1, "missed: spans.exact:f1[ORG] is 0.0, below 0.1"),
        ("cohen_kappa=0.99", 1, "missed: cohen_kappa is "),
        ("cohen_kappa=90", 2, "can never be reached"),
        ("micro_f1=0.5", 2, "names an average"),
        ("kapa=0.5", 2, "no coefficient is called 'kapa'"),
    ],
)
def test_gates(gate: str, code: int, said: str) -> None:
    """Two of four spans are alike on either side, none of ORG."""
    done = run("agree", "ann.jsonl", "bob.jsonl", "--no-ci", "-m", "f1", "-m", "kappa", "--fail-under", gate)
    assert done.code == code
    assert said in done.err
