"""Several segmentations in one file: figures by hand, and every view of them."""

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import DocumentError, InputError, MeasureError
from tests.cli import TRACES, jsonl, refused, run, write
from tests.support import Json

B_SCORE, EDITS = "segments.b_score", "segments.edit_distance(n_t=2)"


def document(key: str | None, /, **cuts: list[int]) -> Json:
    """Return a document of 20 units, cut at places by several."""
    named = {name: {"boundaries": places} for name, places in cuts.items()}
    return ({} if key is None else {"id": key}) | {"length": 20, "segmentations": named}


# A is off by one in x and exact in y; B never cuts in x, and cuts far off (5 away) in y.
DOCUMENTS = [
    document("x", Gold=[10], A=[11], B=[]) | {"ptime": {"A": 1.0, "B": 0.5}},
    document("y", Gold=[5], A=[5], B=[10]) | {"ptime": {"A": 3.0}},
]
NAMES = ("Gold", "A", "B")


@pytest.fixture(name="panel", scope="module")
def _panel() -> spanscope.Panel:
    return spanscope.panel(DOCUMENTS)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("f.jsonl"), DOCUMENTS)


def ev(*args: object) -> Any:
    return run("eval", "f.jsonl", *args)


# ---------------------------------------------------------------- figures


def test_results(panel: spanscope.Panel) -> None:
    assert panel.gold == "Gold"
    assert panel.names == NAMES
    assert list(panel.results) == ["A", "B"]
    a, b = panel.results["A"], panel.results["B"]
    assert a.value("f1", B_SCORE, "document") == 1.0  # one off is within 3
    assert b.value("f1", B_SCORE, "document") == 0.0
    assert a.value("f1", "segments.boundaries", "document") == 0.5
    assert a.value("displacement", "segments.displacement", "document") == 0.5  # 1 and 0
    assert b.value("displacement", "segments.displacement", "document") == 5.0  # infinite in x, and left out
    assert b.value("bias", "segments.bias", "document") == -0.25  # (1 - 2) / 2, and 0
    assert a.value("b", EDITS, "document") == 0.75  # a near miss costs half with n_t=2


def test_pairs(panel: spanscope.Panel) -> None:
    assert set(panel.pairs) == {(a, b) for a in NAMES for b in NAMES if a != b}
    assert panel.pairs["A", "Gold"].value("b", EDITS, "document") == 0.75
    swapped = panel.pairs["B", "Gold"]  # B as gold has no boundary in x: no recall there, and 0 in y
    assert swapped.value("recall", B_SCORE, "document") == 0.0
    (row,) = (r for r in swapped.rows if (r.rate, r.average) == ("recall", "document"))
    assert (row.documents, row.undefined) == (2, 1)


def test_matrix_and_consensus(panel: spanscope.Panel) -> None:
    assert panel.matrix("b", EDITS) == {
        "Gold": {"A": 0.75, "B": 0.0},
        "A": {"Gold": 0.75, "B": 0.0},
        "B": {"Gold": 0.0, "A": 0.0},
    }
    assert panel.consensus("b", EDITS) == {"Gold": 0.375, "A": 0.375, "B": 0.0}


def test_by_document(panel: spanscope.Panel) -> None:
    assert list(panel.by_document("b", EDITS)) == [
        {"document": "x", "pairs": {"Gold vs A": 0.5, "Gold vs B": 0.0, "A vs B": 0.0}, "consensus": 0.5 / 3},
        {"document": "y", "pairs": {"Gold vs A": 1.0, "Gold vs B": 0.0, "A vs B": 0.0}, "consensus": 1 / 3},
    ]


def test_by_document_of_an_unknown_rate(panel: spanscope.Panel) -> None:
    with pytest.raises(MeasureError):
        list(panel.by_document("f2", B_SCORE))


def test_unknown_rate_and_measure(panel: spanscope.Panel) -> None:
    with pytest.raises(MeasureError, match="has no rate 'f2'"):
        panel.matrix("f2", B_SCORE)
    with pytest.raises(MeasureError):
        panel.consensus("f1", "segments.pk")


def test_agreement(panel: spanscope.Panel) -> None:
    """Costs over edits and matches of all pairs: x .5 + 1 + 1 of 1 + 1 + 1; y 0 + 2 + 2 of 1 + 2 + 2."""
    found = {(row.measure.count("of=b"), row.rate, row.average): row.value for row in panel.agreement}
    assert found[1, "agreement", "micro"] == pytest.approx(1 - 6.5 / 8)
    assert found[1, "agreement", "document"] == pytest.approx(((1 - 2.5 / 3) + (1 - 4 / 5)) / 2)
    assert found[0, "agreement", "micro"] == pytest.approx(1 - 6.5 / (2 * 3 * 19))  # S: of all gaps of all pairs
    assert found[1, "pi", "micro"] < found[1, "agreement", "micro"]


def test_runtimes(panel: spanscope.Panel) -> None:
    a, b = panel.runtimes["A"], panel.runtimes["B"]
    assert (a.documents, a.mean, a.p50) == (2, 2.0, 2.0)
    assert a.p95 == pytest.approx(2.9)  # 95 hundredths of the way from 1 to 3
    assert (b.documents, b.mean, b.p50, b.p95) == (1, 0.5, 0.5, 0.5)
    assert "Gold" not in panel.runtimes


def test_infinite_time() -> None:
    with pytest.raises(InputError, match="ptime of 'A' is inf"):
        spanscope.panel([{**DOCUMENTS[0], "ptime": {"A": math.inf}}])


def test_agreement_with_the_matrix_of_two_sides(panel: spanscope.Panel) -> None:
    """A method of a panel has the figures that two files with the same segmentations have."""
    gold, pred = (
        [{"id": d["id"], "length": 20, **d["segmentations"][name]} for d in DOCUMENTS] for name in ("Gold", "B")
    )
    alone = spanscope.evaluate(gold, pred, ci=False)
    assert [(r.measure, r.rate, r.average, str(r.value)) for r in alone.rows] == [
        (r.measure, r.rate, r.average, str(r.value)) for r in panel.results["B"].rows
    ]


# ---------------------------------------------------------------- gold


@pytest.mark.parametrize("name", ["Gold", "gold", "GOLD", "Reference", "ground_truth", "gold_standard"])
def test_gold_by_its_name(name: str) -> None:
    found = spanscope.panel([document("x", A=[3], **{name: [4]})])
    assert found.gold == name
    assert list(found.results) == ["A"]


@pytest.mark.parametrize("other", ["Reference", "reference", "GROUND_TRUTH", "gold_standard"])
def test_the_name_that_help_promises_wins(other: str) -> None:
    for cuts in ({other: [3], "Gold": [4]}, {"Gold": [4], other: [3]}):
        assert spanscope.panel([document("x", **cuts)]).gold == "Gold"


@pytest.mark.parametrize("names", [("gold", "reference"), ("Gold", "gold"), ("Reference", "Ground_truth", "GOLD")])
def test_several_names_of_gold_are_refused(names: tuple[str, ...]) -> None:
    texts = [document("x", A=[2], **{name: [4] for name in names})]
    with pytest.raises(InputError) as caught:
        spanscope.panel(texts)
    listed = ", ".join(repr(name) for name in names)
    assert str(caught.value).startswith(f"{len(names)} segmentations could be gold by their names: {listed}\n")
    assert f"--gold {names[0]} " in str(caught.value)
    assert spanscope.panel(texts, gold=names[1]).gold == names[1]
    assert spanscope.panel(texts, only=["A", names[1]]).gold == names[1]


def test_without_gold() -> None:
    found = spanscope.panel([document("x", A=[3], B=[4])])
    assert found.gold is None
    assert found.results == {}
    assert found.matrix("f1", B_SCORE) == {"A": {"B": 1.0}, "B": {"A": 1.0}}
    assert "none: pairs only (--gold NAME)" in found.table()


def test_gold_as_asked() -> None:
    assert list(spanscope.panel(DOCUMENTS, gold="B").results) == ["Gold", "A"]
    with pytest.raises(InputError) as caught:
        spanscope.panel(DOCUMENTS, gold="Glod")
    assert str(caught.value) == "no segmentation is called 'Glod'; did you mean 'Gold'?\n  expected  Gold, A, B"


def test_gold_is_no_name() -> None:
    with pytest.raises(InputError):
        spanscope.panel(DOCUMENTS, gold=5)  # type: ignore[arg-type]


def test_one_segmentation_is_no_panel() -> None:
    with pytest.raises(InputError, match="there is only 1 segmentation: A"):
        spanscope.panel([document("x", A=[3])])


def test_one_segmentation_without_a_name() -> None:
    with pytest.raises(InputError) as caught:
        spanscope.panel([{"id": 1, "masses": [3, 4]}])
    assert "none" not in str(caught.value)


# ---------------------------------------------------------------- documents that do not fit

LACKING = [document("x", Gold=[10], A=[10]), document("y", Gold=[5])]


def test_missing_documents_are_an_error() -> None:
    with pytest.raises(DocumentError) as caught:
        spanscope.panel(LACKING)
    assert str(caught.value).startswith("documents:A has no document 'y'\n")


@pytest.mark.parametrize(("missing", "expected", "number"), [("skip", 1.0, 1), ("empty", 0.5, 2)])
def test_missing_documents(missing: Any, expected: float, number: int) -> None:
    """In y A has nothing: left out, or one segment, which scores 0 against a boundary."""
    result = spanscope.panel(LACKING, missing=missing, extra="skip").results["A"]
    assert (result.value("f1", B_SCORE, "document"), result.documents) == (expected, number)


@pytest.mark.parametrize("missing", ["skip", "empty"])
def test_missing_alone_is_enough(missing: Any) -> None:
    assert spanscope.panel(LACKING, missing=missing).results["A"].documents


def test_nothing_in_common() -> None:
    spanscope.panel([document("x", Gold=[3]), document("y", A=[3])], missing="skip", extra="skip")


def test_documents_without_ids() -> None:
    bare = [document(None, Gold=[10], A=[11]), document(None, Gold=[5])]
    found = spanscope.panel(bare, missing="skip", extra="skip")
    assert [record["document"] for record in found.by_document("f1", B_SCORE)] == ["#1"]
    with pytest.raises(DocumentError, match="documents:A has no document '#2'"):
        spanscope.panel(bare)


def test_lengths_that_differ() -> None:
    gold, pred = [{"id": 1, "masses": [3, 4]}], [{"id": 1, "masses": [4, 4]}]
    with pytest.raises(InputError) as caught:
        spanscope.evaluate(gold, pred, ci=False)
    assert str(caught.value) == (
        "pred[0]: the segments cover 8 units, those of the same document at gold[0] cover 7\n"
        "  expected  the same text on both sides\n"
        "  try       --normalise   if segments stop short of the text; give text or length in every document"
    )


def test_problems_of_all_are_counted() -> None:
    gap = {"id": 1, "length": 9, "segmentations": {name: [[0, 3], [4, 9]] for name in ("A", "B", "C")}}
    assert spanscope.panel([gap], read=spanscope.Reading(normalise=True)).problems == {"closed gap": 3}


# ---------------------------------------------------------------- views


def no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def test_json(panel: spanscope.Panel) -> None:
    found = json.loads(panel.to_json(), parse_constant=no_constant)
    assert found["segmentations"] == list(NAMES)
    assert set(found["methods"]) == {"A", "B"}
    assert len(found["pairs"]) == 6
    assert found["runtime"]["A"]["mean"] == 2.0
    assert json.loads(panel.table("json"), parse_constant=no_constant) == found
    assert json.loads(json.dumps(panel.to_dict(), allow_nan=False)) == found


def test_pairs_keep_apart_in_json() -> None:
    cuts = {"a": [3], "a vs a": [4]}
    assert len(spanscope.panel([document("x", **cuts)]).to_dict()["pairs"]) == 2


def test_text_names_every_parameter(panel: spanscope.Panel) -> None:
    words = " ".join(panel.table().split())
    for measure in panel.settings.measures:
        assert str(measure) in words
    assert "5.0000 (n=1)" in words  # the displacement of B, undefined in x
    assert "Headline against Gold, 2 documents" in words


def test_agreement_names_every_parameter(panel: spanscope.Panel) -> None:
    assert "segments.agreement(costs=scaled, n_t=2, of=b, types=none)" in " ".join(panel.table().split())


def test_markdown_and_latex(panel: spanscope.Panel) -> None:
    marked, tex = panel.table("markdown"), panel.table("latex", digits=2)
    assert "| A | B | B-score | JSD↓ | Fournier B | Documents |" in marked
    assert "| Gold | A | 1.0000 | 0.5000 | 0.7500 | 2 |" in marked
    assert "Gold & A & 1.00 & 0.50 & 0.75 & 2 \\\\" in tex
    assert tex.count("\\begin{table}") == tex.count("\\caption{") == marked.count("\n## ")


def test_csv(panel: spanscope.Panel) -> None:
    rows = list(csv.DictReader(io.StringIO(panel.table("csv"))))
    assert {(row["gold"], row["pred"]) for row in rows} >= set(panel.pairs)
    key = ("Gold", "B", "segments.displacement", "displacement", "document")
    found = [r for r in rows if tuple(r[k] for k in ("gold", "pred", "measure", "rate", "average")) == key]
    assert [(row["value"], row["documents"], row["undefined"]) for row in found] == [("5.0", "2", "1")]


def test_unknown_format(panel: spanscope.Panel) -> None:
    with pytest.raises(MeasureError) as caught:
        panel.table("html")
    known = "table, json, csv, markdown, latex, github, junit"
    assert str(caught.value) == f"no format is called 'html'\n  expected  {known}"


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "csv", "json"])
def test_odd_names_and_many_of_them(form: str) -> None:
    names = ["é/ü 😀", "a|b & c_d%", "x" * 300, "[/red]", "\x1b[31m", *(f"m{i}" for i in range(25))]
    found = spanscope.panel([document("x/y", **{name: [3] for name in names})], measures=B_SCORE).table(form)
    assert "\x1b" not in found or form == "csv"
    assert "m24" in found


# ---------------------------------------------------------------- command line


def test_eval_of_a_file() -> None:
    done = ev()
    assert (done.code, done.err) == (0, "")
    assert "Input     f.jsonl   2 documents, 3 segmentations\nGold      Gold\nProtocol  segments\n" in done.out
    assert (
        run("eval", "-", stdin=jsonl(DOCUMENTS).encode()).out.replace("Input     -  ", "Input     f.jsonl  ")
        == done.out
    )


def test_eval_options() -> None:
    assert "Methods against B, 2 documents" in " ".join(ev("--gold", "B", "-m", B_SCORE).out.split())
    assert "Boundary_Similarity" in ev("-p", "rt-seg").out
    assert "segments.pk(auto=half, edges=inside, window=2)" in " ".join(
        ev("-m", "segments.pk(window=2)").out.split()
    )
    assert refused(ev("--gold", "C")) == "no segmentation is called 'C'\n  expected  Gold, A, B\n"
    assert json.loads(ev("-f", "json").out, parse_constant=no_constant)["gold"] == "Gold"
    assert json.loads(ev("-f", "json", "-p", "rt-seg").out, parse_constant=no_constant)["gold"] == "Gold"


def test_eval_normalise() -> None:
    gap = [{"id": 1, "length": 9, "segmentations": {"Gold": [[0, 3], [4, 9]], "A": [[0, 9]]}}]
    write(Path("f.jsonl"), gap)
    assert refused(ev()).startswith(
        "f.jsonl:1: segmentations.Gold[1] starts at 4, segmentations.Gold[0] ends at 3"
    )
    assert "Data problems: 1 x closed gap" in ev("--normalise").out
    assert ev("-p", "rt-seg").code == 0  # takes segments as they are


@pytest.mark.parametrize("form", ["markdown", "latex", "csv"])
def test_eval_tells_repairs_in_every_format(form: str) -> None:
    write(Path("f.jsonl"), [{"id": 1, "length": 9, "segmentations": {"Gold": [[0, 3], [4, 9]], "A": [[0, 9]]}}])
    done = ev("--normalise", "-f", form)
    assert "closed gap" in done.out + done.noted


UNFIT = ["--labels=A", "--thresholds=0.5", "--matches", "--examples=2", "--strict", "--jobs=2"]
UNFIT += ["--scheme=IO", "--repair=strict", "--columns=tag=1", "--tag-names=O,A", "--map=A=B"]


@pytest.mark.parametrize("option", [*UNFIT, "--k=5"])
def test_options_that_need_two_files(option: str) -> None:
    assert "needs GOLD and PRED, and does not apply to several segmentations" in " ".join(
        refused(ev(option)).split()
    )


def test_digits_are_for_tables() -> None:
    assert ev("-f", "csv", "--digits", "2").code == 2


GATES = [
    (("--fail-under", f"{B_SCORE}:document_f1=1.0"), 0),
    (("--fail-under", "segments.boundaries:document_f1=0.1"), 1),
    (("--fail-over", "segments.displacement:document_displacement=1"), 0),
    (("--fail-over", "segments.displacement:document_displacement=0.9"), 1),
    (("--fail-under", "segments.pk:document_pk=0.1"), 2),
    (("--fail-over", "segments.pk:document_pk=x"), 2),
    (("--fail-over", "segments.win_pr:document_f1=1"), 2),
]


@pytest.mark.parametrize(("gate", "code"), GATES)
def test_gates(gate: tuple[str, ...], code: int) -> None:
    """The one boundary is off by one: B-score 1, exact 0, displacement 1."""
    gold, pred = (write(Path(f"{m}.jsonl"), [{"id": 1, "masses": [m, 9 - m]}]) for m in (3, 4))
    done = run("eval", gold, pred, *gate)
    assert done.code == code
    assert ("missed: " in done.err) == (code == 1)


def test_a_floor_under_an_error_rate() -> None:
    gold = write(Path("g.jsonl"), [{"id": 1, "masses": [3, 6]}])
    done = run("eval", gold, gold, "--fail-under", "segments.pk:document_pk=0.1")
    assert done.err == (
        "pk is best at 0, so 'segments.pk:document_pk=0.1' cannot be a floor\n"
        "  try       --fail-over segments.pk:document_pk=0.1   for a ceiling\n"
    )


def test_the_example_has_gold() -> None:
    assert "Gold      Gold" in run("eval", TRACES).out


def test_pairs_keep_apart_by_document() -> None:
    cuts: dict[str, list[int]] = {name: [3] for name in ("a", "b vs c", "a vs b", "c")}
    (record,) = spanscope.panel([document("x", **cuts)]).by_document("f1", B_SCORE)
    assert len(record["pairs"]) == 6


@pytest.mark.parametrize("asked", [("-m", "spans.exact"), ("-p", "reqflow-v1")])
def test_measures_of_spans_are_refused(asked: tuple[str, str]) -> None:
    assert "measures whose names start with segments." in refused(ev(*asked))


def test_nothing_in_common_is_said() -> None:
    found = spanscope.panel([document("x", Gold=[3]), document("y", A=[3])], missing="skip")
    assert found.problems == {"missing document": 2, "nothing in common": 1}
    assert found.agreement == ()
    assert "1 x nothing in common" in found.table()


# ---------------------------------------------------------------- which leads, and what is left out


def test_methods_are_ranked_by_the_headline() -> None:
    """B stands first in the file; A is nearer to gold (B-score 1 against 0)."""
    turned = [
        document("x", Gold=[10], B=[], A=[11]),
        document("y", Gold=[5], B=[10], A=[5]),
    ]
    found = spanscope.panel(turned)
    assert found.ranking() == ["A", "B"]
    assert found.ranking("bias", "segments.bias") == ["A", "B"]  # 0 and -.25: the nearer to 0
    assert found.to_dict()["ranking"] == ["A", "B"]
    table = found.table()
    first = table[table.index("Headline") :]
    assert first.index("\nA ") < first.index("\nB ")
    assert "ranked by B-score" in " ".join(table.split())


def test_a_figure_of_fewer_documents_does_not_lead() -> None:
    """B cuts in y only, and there in place: displacement 0 on one document, A's is 0.5 on both."""
    texts = [document("x", Gold=[10], B=[], A=[11]), document("y", Gold=[5], B=[5], A=[5])]
    found = spanscope.panel(texts, measures="segments.displacement")
    assert found.results["B"].value("displacement", average="document") == 0.0
    assert found.ranking() == ["A", "B"]
    rows = [line.split() for line in found.table().splitlines()]
    assert rows.index(["A", "0.5000", "±0.7071"]) < rows.index(["B", "0.0000", "(n=1)"])
    assert ["c", "A", "0.5000", "0.0000", "(n=1)", "–", "0.2500", "(n=1)"] in rows  # in the matrix too


def test_a_method_without_a_figure_comes_last() -> None:
    texts = [document("x", Gold=[10], B=[], A=[19])]
    assert spanscope.panel(texts, measures="segments.displacement").ranking() == ["A", "B"]


def test_captions_promise_what_is_shown(panel: spanscope.Panel) -> None:
    """Only the first table has standard deviations; n is explained where it stands."""
    for table in panel.table("markdown").split("\n## ")[1:]:
        assert ("± standard deviation" in table) == (" ±" in table.replace("± standard", "")), table
        assert ("(n: " in table) == ("(n=" in table), table


def many(number: int) -> spanscope.Panel:
    cuts = {f"m{at}": [3 + at % 5] for at in range(number)}
    return spanscope.panel([document("x", Gold=[5], **cuts)], measures=B_SCORE)


def test_pairs_that_are_left_out_are_said() -> None:
    four, five = (" ".join(many(number).table().split()) for number in (3, 4))
    assert "Pairs A B B-score" in four
    assert "left out" not in four
    assert "Pairs A B" not in five
    assert "the table of 10 pairs is left out above 4 segmentations: --only A,B,C shows some of it" in five
    assert "All pairs" in five


def test_a_matrix_that_is_left_out_is_said() -> None:
    found = " ".join(many(12).table().split())
    assert "All pairs" not in found
    assert "Consensus: B-score Segmentation Consensus" in found
    assert "the matrix of 13 x 13 is left out above 12 segmentations" in found
    assert "the table of 78 pairs is left out" in found
