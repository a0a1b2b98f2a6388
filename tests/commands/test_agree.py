"""Agreement from documents: figures by hand and by other tools, intervals, laws."""

import json
import math
import sys
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import spanscope
from spanscope import Agreement, Ci, agree
from spanscope.arithmetic import draws, keys_of, poisson
from spanscope.measures.agreement import gamma
from spanscope.measures.agreement.alignment import Units
from spanscope.stats import agreement as stats
from tests.cli import TRACES, refused, run
from tests.io.formats.expected import SAMPLES
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


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-12, nan_ok=True)


# ---------------------------------------------------------------- figures


def test_f1(two: Agreement) -> None:
    """Two of four spans on either side are the same, PER of y and LOC of y."""
    assert two.value("f1", "spans.exact") == 0.5
    assert two.value("f1", "spans.exact", "PER") == 0.5
    assert two.value("f1", "spans.exact", "LOC") == close(2 / 3)
    assert two.value("f1", "spans.exact", "ORG") == 0.0
    want = spanscope.evaluate(ANN, BOB, ["spans.exact", "spans.relaxed"], score=spanscope.Scoring(errors=False))
    assert two.value("f1", "spans.exact") == want.value("f1")
    assert two.value("f1", "spans.relaxed") == want.value("f1", "spans.relaxed")


def test_without_text_relaxed_is_by_place() -> None:
    sides = [[{key: one[key] for key in ("id", "spans")} for one in side] for side in (ANN, BOB)]
    found = agree(*sides)
    want = spanscope.evaluate(*sides, "spans.iou", score=spanscope.Scoring(errors=False))
    assert found.value("f1", "spans.iou") == want.value("f1")
    assert found.problems["no text"] == 1


def test_kappa_is_scikit_learns_on_characters(two: Agreement) -> None:
    first, second = characters(ANN), characters(BOB)
    assert two.value("cohen_kappa") == close(metrics.cohen_kappa_score(first, second))
    marked = [(a, b) for a, b in zip(first, second, strict=True) if (a, b) != ("O", "O")]
    inside = metrics.cohen_kappa_score(*zip(*marked, strict=True))
    assert two.value("cohen_kappa_inside") == close(inside)
    for label in ("PER", "LOC", "ORG"):
        ours = two.value("cohen_kappa", label=label)
        assert ours == close(metrics.cohen_kappa_score([a == label for a in first], [b == label for b in second]))
        ours = two.value("cohen_kappa_inside", label=label)
        assert ours == close(
            metrics.cohen_kappa_score(*zip(*((a == label, b == label) for a, b in marked), strict=True))
        )


def test_three_annotators(three: Agreement) -> None:
    krippendorff = needs("krippendorff")
    sides = {"ann": characters(ANN), "bob": characters(BOB), "cleo": characters(CLEO)}
    kappas = []
    for pair in combinations(sides, 2):
        want = metrics.cohen_kappa_score(sides[pair[0]], sides[pair[1]])
        assert three.value("cohen_kappa", between=pair) == close(want)
        assert three.value("cohen_kappa", between=(pair[1], pair[0])) == close(want)
        kappas.append(want)
    assert three.value("cohen_kappa") == close(np.mean(kappas))
    codes = [["O", "PER", "LOC", "ORG"].index(one) for side in sides.values() for one in side]
    data = np.array(codes).reshape(3, -1)
    assert three.value("alpha") == close(krippendorff.alpha(data, level_of_measurement="nominal"))
    some = data[:, data.max(0) > 0]
    assert three.value("alpha_inside") == close(krippendorff.alpha(some, level_of_measurement="nominal"))
    own = krippendorff.alpha((data == 1).astype(int), level_of_measurement="nominal")
    assert three.value("alpha", label="PER") == close(own)
    own = krippendorff.alpha((some == 1).astype(int), level_of_measurement="nominal")
    assert three.value("alpha_inside", label="PER") == close(own)
    exact = [spanscope.evaluate(a, b, "spans.exact").value("f1") for a, b in combinations((ANN, BOB, CLEO), 2)]
    assert three.value("f1", "spans.exact") == close(np.mean(exact))


def test_three_annotators_by_label_without_outside(three: Agreement) -> None:
    """The mean over pairs, each on the characters that one of its two marked; undefined pairs left out."""
    sides = [characters(side) for side in (ANN, BOB, CLEO)]
    for label in ("PER", "LOC"):
        kappas = []
        for one, two in combinations(sides, 2):
            marked = [(a == label, b == label) for a, b in zip(one, two, strict=True) if {a, b} != {"O"}]
            kappas.append(metrics.cohen_kappa_score(*zip(*marked, strict=True)))
        assert three.value("cohen_kappa_inside", label=label) == close(np.mean(kappas))


def test_documents_of_a_label(two: Agreement) -> None:
    number = {row.label: row.documents for row in two.rows if row.measure.startswith("spans.exact")}
    assert number == {None: 3, "PER": 2, "LOC": 2, "ORG": 1}


@pytest.mark.parametrize("length", [30, 3000])
def test_gamma_takes_the_text_for_the_continuum(length: int) -> None:
    """Chance moves units through all of the text, so a longer one leaves less of the agreement to chance."""
    ann = [document("x", (0, 5, "PER"), (9, 12, "LOC"), text="x" * length)]
    bob = [document("x", (1, 5, "PER"), (9, 14, "LOC"), text="x" * length)]
    units = [
        Units(np.array([0.0, 9]), np.array([5.0, 12]), np.array([1, 0])),
        Units(np.array([1.0, 9]), np.array([5.0, 14]), np.array([1, 0])),
    ]
    parts = gamma.document_parts(units, (0.0, float(length)), 2, int(keys_of(["x"])[0]))
    assert agree(ann, bob, measures=["gamma"]).value("gamma") == close(1 - parts.observed / parts.expected)


def test_work_in_parts_changes_nothing(three: Agreement, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stats, "NUMBERS_AT_ONCE", 20)
    counting = sys.modules["spanscope.commands.agree.counting"]
    monkeypatch.setattr(counting, "DENSE", 20)
    monkeypatch.setattr(counting, "FEW", 1)
    other = agree(ANN, BOB, CLEO, names=["ann", "bob", "cleo"])
    for row, same in zip(three.rows, other.rows, strict=True):
        assert (row.value, row.low, row.high) == close((same.value, same.low, same.high)), row
    for measure in three.measures:
        assert other.by_document(measure) == three.by_document(measure)


def test_nested_spans_of_a_label_count_for_it_also_under_another() -> None:
    """Ann marks a LOC inside an ORG: of ORG she covers all ten characters, in the table over all labels six."""
    ann = [document("x", (0, 10, "ORG"), (2, 6, "LOC"), text="x" * 20)]
    bob = [document("x", (0, 10, "ORG"), text="x" * 20)]
    found = agree(ann, bob)
    assert found.value("cohen_kappa", label="ORG") == 1.0
    assert found.problems["several labels"] == 4
    assert [(row["label"], row["other"], row["number"]) for row in found.disagreements()] == [("LOC", "ORG", 4)]
    want = metrics.cohen_kappa_score(list("OOLLLLOOOO" + "-" * 10), list("O" * 10 + "-" * 10))
    assert found.value("cohen_kappa") == close(want)


def test_identical_annotators_agree_in_everything() -> None:
    found = agree(ANN, ANN, ANN)
    overall = {(row.measure, row.rate): row.value for row in found.rows if row.label is None and row.sides is None}
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
    for measure in two.measures:
        records = {record.pop("document"): record for record in two.by_document(measure)}
        assert list(records) == ["x", "y", "z"]
        for at, key in ((0, "x"), (1, "y")):
            alone = agree([ANN[at]], [BOB[at]], labels=["LOC", "ORG", "PER"])
            for name, value in records[key].items():
                assert (math.nan if value is None else value) == close(alone.value(name, measure)), name
    assert records["y"]["gamma"] == 1.0
    assert records["z"]["gamma"] is None


def test_labels() -> None:
    found = agree(ANN, BOB, labels=["PER"])
    assert found.labels == ("PER",)
    assert found.value("f1", "spans.exact") == 0.5
    assert found.problems["other label"] == 4
    assert {row.label for row in found.rows} == {None, "PER"}
    assert "gamma_cat" not in {row.rate for row in found.rows}  # one label says nothing about labels


def test_segments() -> None:
    found = agree(str(TRACES), measures=["f1", "kappa", "alpha"])
    want = spanscope.panel(str(TRACES)).pairs["Gold", "Sentences"]
    pair = ("Gold", "Sentences")
    for rate, measure in (("f1", "segments.b_score"), ("b", "segments.edit_distance(n_t=2)")):
        assert found.value(rate, measure, between=pair) == close(want.value(rate, measure, "micro"))
    documents = [json.loads(line) for line in TRACES.read_text("utf-8").splitlines()]
    cuts: dict[str, list[bool]] = {name: [] for name in pair}
    for one in documents:
        for name in pair:
            ends = {segment_end(segment) for segment in one["segmentations"][name]}
            cuts[name] += [at in ends for at in range(1, len(one["text"]))]
    assert found.value("cohen_kappa", between=pair) == close(
        metrics.cohen_kappa_score(cuts["Gold"], cuts["Sentences"])
    )


def segment_end(segment: Any) -> int:
    return int(segment["end"] if isinstance(segment, dict) else segment[1])


# ---------------------------------------------------------------- intervals


def test_intervals_are_a_plain_bootstrap() -> None:
    """Weights one by one, documents repeated so often, scikit-learn's kappa: the same quantiles."""
    ann, bob = ([{**one, "id": f"{one['id']}{i}"} for i in range(4) for one in side] for side in (ANN, BOB))
    found = agree(ann, bob, measures=["kappa"], ci=Ci(resamples=40, seed=3))
    row = next(row for row in found.rows if (row.rate, row.label) == ("cohen_kappa", None))
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


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_intervals_are_those_of_scores(method: Any) -> None:
    """F1 of two annotators has the interval that evaluate gives it, by every method: there is one bootstrap."""
    ann, bob = ([{**one, "id": f"{one['id']}{i}"} for i in range(4) for one in side] for side in (ANN, BOB))
    how = Ci(resamples=60, seed=5, method=method)
    found = agree(ann, bob, measures=["f1"], ci=how)
    scored = spanscope.evaluate(ann, bob, "spans.exact", ci=how)
    pairs = {row.label: (row.low, row.high) for row in found.rows if row.measure.startswith("spans.exact")}
    for row in scored.rows:
        if row.rate == "f1" and row.average in ("micro", "label"):
            expected = (row.low, row.high) if row.low is not None else (None, None)
            assert pairs[row.label] == close(expected), row
    assert any(low is not None for low, _ in pairs.values())


def test_bca_of_other_coefficients_is_a_jackknife() -> None:
    """The acceleration of kappa, worked from agreement without each document."""
    ann, bob = ([{**one, "id": f"{one['id']}{i}"} for i in range(3) for one in side] for side in (ANN, BOB))
    found = agree(ann, bob, measures=["kappa"], ci=Ci(resamples=200, method="bca"))
    (figures,) = found._figures
    without = [
        agree([*ann[:at], *ann[at + 1 :]], [*bob[:at], *bob[at + 1 :]], measures=["kappa"], ci=False)
        for at in range(len(ann))
    ]
    away = np.array([one.value("cohen_kappa") for one in without])
    away = away.mean() - away
    assert figures.acceleration()[0] == close((away**3).sum() / (6 * (away**2).sum() ** 1.5))


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
        if row.rate not in ("gamma", "gamma_cat"):
            assert other.value(row.rate, row.measure, row.label, row.sides) == close(row.value), row


def test_seed() -> None:
    here, there = (agree(ANN, BOB, seed=seed).value("gamma") for seed in (1, 2))
    assert here == agree(ANN, BOB, seed=1).value("gamma")
    assert here != there
    assert abs(here - there) < 0.2


def test_what_files_leave_open_can_be_said() -> None:
    """A refusal that names an option would be a dead end if the command had none."""
    pair = (SAMPLES / "spacy/gold.json", SAMPLES / "spacy/pred.json")
    for command in (("agree", *pair), ("check", pair[0])):
        assert "--layer ents or --layer sc" in refused(run(*command))
    assert run("agree", *pair, "--layer", "sc", "-m", "f1").code == 0
    assert spanscope.agree(*pair, measures=["f1"], read=spanscope.Reading(layer="sc"), ci=False).value("f1") > 0
    assert not any("holds ents" in str(one) for one in spanscope.check(*pair, read=spanscope.Reading(layer="sc")))
    with pytest.raises(spanscope.MeasureError, match="split means nothing"):
        spanscope.check(*pair, read=spanscope.Reading(split="a"))
