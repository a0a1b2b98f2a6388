"""Agreement where not everyone annotated every document."""

import json
import math
import warnings
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from spanscope import Agreement, MeasureError, agree
from spanscope.errors import DocumentError
from tests.cli import run, write
from tests.commands.test_agree import document
from tests.support import Json, needs
from tests.twins import agreement as twin

metrics = needs("sklearn.metrics")
krippendorff = needs("krippendorff")
LENGTH = 12
OUTSIDE = "O"
Sides = list[dict[str, list[str]]]  # of each annotator: the labels of every character, by document
few = settings(max_examples=max(settings.default.max_examples // 3, 1))


@st.composite
def sides(draw: st.DrawFn, least: int = 0, most: int = 4) -> Sides:
    """Draw three or four annotators, who have some documents and not others; two of them share both labels."""
    size = draw(st.integers(3, 4))
    found: Sides = [{} for _ in range(size)]
    runs = st.lists(st.sampled_from(["A", "B", OUTSIDE]), min_size=3, max_size=3)
    for key in range(draw(st.integers(2, 4))):
        fewest = least if key else 2
        present = draw(st.sets(st.integers(0, size - 1), min_size=fewest, max_size=min(most, size)))
        for at in sorted(present):
            own = draw(runs) if key or at > min(present) else ["A", "B", draw(runs)[0]]
            found[at][f"d{key}"] = [label for label in own for _ in range(LENGTH // 3)]
    return found


def written(own: dict[str, list[str]]) -> list[Json]:
    """Return documents; every labelled character is a span of its own."""
    out = []
    for key, labels in own.items():
        spans = [(at, at + 1, label) for at, label in enumerate(labels) if label != OUTSIDE]
        out.append(document(key, *spans, text="abcdefghijkl"))
    return out


def agreed(found: Sides, *measures: str, **options: Any) -> Agreement:
    return agree(*map(written, found), measures=measures or None, samples=3, ci=False, **options)


def positions(found: Sides) -> list[list[str]]:
    """Return what those say of each character who have its document, where they are at least two."""
    out = []
    for key in sorted({key for own in found for key in own}):
        there = [own[key] for own in found if key in own]
        out += [list(values) for values in zip(*there, strict=True)] if len(there) > 1 else []
    return out


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-12, nan_ok=True)


# ---------------------------------------------------------------- alpha and Fleiss' kappa

PUBLISHED = [  # Krippendorff (2011), four observers of twelve units, of which the last has one value; alpha .743
    "123321412...",
    "1233224125.3",
    ".3332342251.",
    "12332441251.",
]


def test_alpha_of_the_published_table_with_gaps() -> None:
    """Every unit is a document of one character."""
    observers = [
        [document(f"u{at}", (0, 1, value), text="x") for at, value in enumerate(row) if value != "."]
        for row in PUBLISHED
    ]
    found = agree(*observers, measures=["alpha"], ci=False)
    assert round(found.value("alpha"), 3) == 0.743
    assert (found.documents, found.problems["missing document"]) == (11, 1)
    units = [[value for value in unit if value != "."] for unit in zip(*PUBLISHED, strict=True)]
    assert found.value("alpha") == close(twin.alpha([unit for unit in units if len(unit) > 1]))


@few
@given(sides())
def test_alpha_is_the_krippendorff_packages(found: Sides) -> None:
    """Documents stand beside each other as units; of those that somebody does not have, every value is missing."""
    ours = agreed(found, "alpha")
    code = {"A": 0.0, "B": 1.0, OUTSIDE: 2.0}
    keys = sorted({key for own in found for key in own})
    data = coded(found, code, keys)
    assert ours.value("alpha") == close(theirs(data))
    marked = np.nanmin(np.where(np.isnan(data), 2.0, data), axis=0) < 2
    assert ours.value("alpha_inside") == close(theirs(data[:, marked]))
    for label in ("A", "B"):
        other = np.where(np.isnan(data), np.nan, data == code[label])
        assert ours.value("alpha", label=label) == close(theirs(other))


def coded(found: Sides, code: dict[str, float], keys: list[str]) -> Any:
    """Return annotators x characters of all documents, NaN where somebody does not have the document."""
    nothing = ["."] * LENGTH
    known = {**code, ".": math.nan}
    return np.array([[known[one] for key in keys for one in own.get(key, nothing)] for own in found])


def theirs(data: Any) -> float:
    """Return the alpha of the krippendorff package, which refuses what has no alpha."""
    pairable = data[:, (~np.isnan(data)).sum(0) > 1]
    if len(np.unique(pairable[~np.isnan(pairable)])) < 2:
        return math.nan
    return float(krippendorff.alpha(reliability_data=data, level_of_measurement="nominal"))


@few
@given(sides())
def test_alpha_is_its_twin(found: Sides) -> None:
    assert agreed(found, "alpha").value("alpha") == close(twin.alpha(positions(found)))


@few
@given(sides(least=2, most=2))
def test_fleiss_of_the_same_number_of_other_annotators_is_its_twin(found: Sides) -> None:
    """As in Fleiss (1971), where every subject has six raters, and not the same ones."""
    ours = agreed(found, "kappa")
    assert ours.value("fleiss_kappa") == close(twin.fleiss(positions(found)))
    marked = [values for values in positions(found) if {*values} != {OUTSIDE}]
    assert ours.value("fleiss_kappa_inside") == close(twin.fleiss(marked) if marked else math.nan)


# Of five documents Ann has four, Bob three and Cleo three: all have x, and only Ann has v.
ANN = [
    document("x", (0, 5, "PER"), (25, 29, "LOC")),
    document("y", (0, 15, "PER")),
    document("z"),
    document("v", (0, 5, "PER")),
]
BOB = [document("w", (0, 5, "PER")), document("y", (0, 15, "PER")), document("x", (0, 5, "PER"))]
CLEO = [document("x", (25, 29, "LOC")), document("w", (0, 5, "LOC")), document("z", (6, 15, "PER"))]
NAMES = ["ann", "bob", "cleo"]


def three(*measures: str, **options: Any) -> Agreement:
    return agree(ANN, BOB, CLEO, names=NAMES, measures=measures or None, **{"ci": False, "samples": 3, **options})


def test_fleiss_is_left_out_where_numbers_differ() -> None:
    found = three()
    assert not {"fleiss_kappa", "fleiss_kappa_inside"} & {row.rate for row in found.rows}
    assert found.problems["no fleiss_kappa"] == 1
    assert "different numbers of annotators" in str(found)
    assert "no fleiss_kappa" not in three("alpha", "cohen_kappa").problems
    with pytest.raises(MeasureError, match="Fleiss' kappa is not defined where documents have different numbers"):
        three("fleiss_kappa")


# ---------------------------------------------------------------- figures of pairs


def test_f1_by_hand() -> None:
    """Ann and Bob share x and y, Ann and Cleo x and z, Bob and Cleo x and w.

    Ann and Bob: 2 of 3 and 2 spans are alike, 4/5. Ann and Cleo: 1 of 2 and 2, 1/2. Bob and Cleo: none of 2 and 2.
    """
    found = three("spans.exact")
    assert [found.value(between=pair) for pair in combinations(NAMES, 2)] == close([0.8, 0.5, 0.0])
    row = found.row()
    assert (row.value, row.average, row.documents, row.undefined) == (close(1.3 / 3), "pairs", 4, 0)
    assert found.shared() == [
        {"first": "ann", "second": "bob", "documents": 2},
        {"first": "ann", "second": "cleo", "documents": 2},
        {"first": "bob", "second": "cleo", "documents": 2},
    ]
    assert found.row(between=("bob", "cleo")).documents == 2
    assert found.row(label="LOC").documents == 2
    assert (found.problems["missing document"], found.documents) == (1, 4)
    assert found.by_document() == [
        {"document": "x", "f1": close((2 / 3 + 2 / 3 + 0) / 3)},
        {"document": "y", "f1": 1.0},
        {"document": "z", "f1": 0.0},
        {"document": "w", "f1": 0.0},
    ]


def test_an_empty_document_is_annotated_and_a_missing_one_is_not() -> None:
    """Without z Ann and Cleo share x alone: 1 of 2 and 1 spans, 2/3."""
    found = agree([one for one in ANN if one["id"] != "z"], BOB, CLEO, measures=["spans.exact"], ci=False)
    assert found.value(between=("annotator 1", "annotator 3")) == close(2 / 3)
    assert three("spans.exact").value(between=("ann", "cleo")) == close(0.5)


@few
@given(sides())
def test_cohen_is_scikit_learns_pair_by_pair(found: Sides) -> None:
    ours, values = agreed(found, "cohen_kappa"), []
    for a, b in combinations(range(len(found)), 2):
        both = [key for key in found[a] if key in found[b]]
        one, two = ([label for key in both for label in found[side][key]] for side in (a, b))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # 0/0, which is NaN on both sides
            kappa = metrics.cohen_kappa_score(one, two) if both and len({*one, *two}) > 1 else math.nan
        values.append(kappa)
        assert ours.value("cohen_kappa", between=(f"annotator {a + 1}", f"annotator {b + 1}")) == close(kappa)
    known = [value for value in values if not math.isnan(value)]
    assert ours.value("cohen_kappa") == close(sum(known) / len(known) if known else math.nan)
    assert ours.row("cohen_kappa").undefined == len(values) - len(known)


@few
@given(sides())
def test_a_pair_has_the_figures_of_two_annotators_alone(found: Sides) -> None:
    """Of gamma too, whose draws depend on the document and not on who else there is."""
    wanted = ["spans.exact", "spans.relaxed", "gamma"]
    ours = agreed(found, *wanted, labels=["A", "B"])
    for a, b in combinations(range(len(found)), 2):
        both = [
            [one for one in written(found[side]) if one["id"] in found[a] and one["id"] in found[b]]
            for side in (a, b)
        ]
        names = f"annotator {a + 1}", f"annotator {b + 1}"
        if not both[0]:
            assert all(math.isnan(row.value) and not row.documents for row in ours.rows if row.sides == names)
            continue
        alone = agree(*both, measures=wanted, labels=["A", "B"], samples=3, ci=False)
        for row in (row for row in ours.rows if row.sides == names):
            assert row.value == close(alone.value(row.rate, row.measure)), row
            assert row.documents == len(both[0])


def test_gamma_is_the_mean_over_pairs_where_there_are_gaps() -> None:
    found = three("gamma")
    values = [found.value("gamma", between=pair) for pair in combinations(NAMES, 2)]
    assert found.value("gamma") == close(sum(values) / 3)
    assert found.row("gamma").average == "pairs"


def test_a_pair_that_shares_no_document() -> None:
    apart = [one for one in CLEO if one["id"] == "z"], [one for one in BOB if one["id"] != "w"]
    found = agree(ANN, apart[1], apart[0], names=NAMES, samples=3, ci=False)
    for measure, rate in (("spans.exact", "f1"), ("agreement.kappa", "cohen_kappa"), ("agreement.gamma", "gamma")):
        assert math.isnan(found.value(rate, measure, between=("bob", "cleo"))), rate
        assert found.row(rate, measure).undefined == 1
    assert found.shared()[-1]["documents"] == 0


# ---------------------------------------------------------------- unitising alphas


def test_unitising_alphas_pool_documents_with_those_who_have_them() -> None:
    """Observed and expected disagreement of a document are those of the annotators that it has."""
    found = three("alpha_u", "u_alpha")
    whole = {side["id"]: [side] for side in ANN[:3]} | {"w": []}
    for side in (*BOB, *CLEO):
        whole[side["id"]].append(side)
    for name, rates in (
        ("agreement.alpha_u", {"": "alpha_u"}),
        ("agreement.u_alpha", {"": "u_alpha", "bar_": "bar_u_alpha"}),
    ):
        each = [
            agree(*([one] for one in there), measures=[name], labels=["LOC", "PER"], ci=False).counts()["*"]
            for there in whole.values()
        ]
        for part, rate in rates.items():
            seen, chance = (sum(one[f"{part}{what}"] for one in each) for what in ("observed", "expected"))
            assert found.value(rate) == close(1 - seen / chance)


# ---------------------------------------------------------------- what is left out, and what is compared


def test_without_gaps_nothing_is_another() -> None:
    full = [[one for one in side if one["id"] == "x"] for side in (ANN, BOB, CLEO)]
    rows = [agree(*full, missing=missing, ci=False).rows for missing in ("pairwise", "skip", "error")]
    assert str(rows[0]) == str(rows[1]) == str(rows[2])
    assert str(three(missing="skip").rows) == str(agree(*full, names=NAMES, ci=False, samples=3).rows)


def test_the_other_ways_are_still_there() -> None:
    assert three(missing="skip").documents == 1
    with pytest.raises(DocumentError, match="3 documents of ann not annotated by all; first 'y'"):
        three(missing="error")
    with pytest.raises(DocumentError, match="no document was annotated by two"):
        agree(ANN[:2], BOB[:1], CLEO[2:])
    with pytest.raises(MeasureError, match="missing is 'pairs'"):
        three(missing="pairs")


def test_disagreements_are_of_documents_that_both_have() -> None:
    """In w Bob says PER and Cleo LOC; Ann does not have it, and says nothing."""
    rows = {
        (row["first"], row["second"], row["label"], row["other"]): row["number"] for row in three().disagreements()
    }
    assert rows == {
        ("ann", "bob", "LOC", "(none)"): 4,
        ("ann", "cleo", "PER", "(none)"): 5,
        ("ann", "cleo", "(none)", "PER"): 9,
        ("bob", "cleo", "PER", "(none)"): 5,
        ("bob", "cleo", "(none)", "LOC"): 4,
        ("bob", "cleo", "PER", "LOC"): 5,
    }


def test_order_of_documents_changes_no_digit() -> None:
    rows = three(ci=True).rows
    turned = agree(ANN[::-1], BOB[::-1], CLEO[1:] + CLEO[:1], names=NAMES, samples=3)
    assert str(turned.rows) == str(rows)


def test_order_of_documents_of_three_without_gaps_changes_no_digit() -> None:
    """The pair without the first annotator has its documents in an order of its own."""
    more = [[document(key, *spans) for key in "abcd"] for spans in (((0, 5, "PER"),), ((6, 9, "PER"),), ())]
    more[1][0], more[2][0] = document("a", (0, 5, "PER")), document("a", (0, 5, "PER"))
    rows = agree(*more, names=NAMES, samples=3).rows
    assert str(agree(more[0], more[1][::-1], more[2], names=NAMES, samples=3).rows) == str(rows)


def test_texts_of_documents_that_the_first_does_not_have_are_compared() -> None:
    other = [document("w", (0, 5, "LOC"), text="Quite another text, as it seems.")]
    found = agree(ANN, BOB, other, measures=["alpha"], ci=False)
    assert found.problems["different texts"] == 1


def test_groups_of_documents_that_the_first_does_not_have() -> None:
    def grouped(side: list[Json]) -> list[Json]:
        return [{**one, "meta": {"author": "one" if one["id"] in "xy" else "two"}} for one in side]

    found = agree(*map(grouped, (ANN, BOB, CLEO)), measures=["alpha"], group="author")
    assert found.settings["groups"] == 2
    assert found.value("alpha") == three("alpha").value("alpha")


def test_documents_that_one_annotator_vouches_for_nothing_in(tmp_path: Any) -> None:
    """Prodigy's example that Ann rejected counts for Bob and Cleo."""
    text = "Ann and Bob"

    def example(key: int, answer: str, *spans: tuple[int, int, str]) -> Json:
        own = [dict(zip(("start", "end", "label"), one, strict=True)) for one in spans]
        return {"text": text[key:], "_input_hash": key, "_task_hash": key, "spans": own, "answer": answer}

    ann = [example(0, "accept", (0, 3, "P")), example(1, "reject")]
    bob = [example(0, "accept", (0, 3, "P")), example(1, "accept", (0, 2, "P"))]
    files = [write(tmp_path / f"{name}.jsonl", side) for name, side in zip(NAMES, (ann, bob, bob), strict=True)]
    found = agree(*files, measures=["spans.exact"], ci=False)
    assert [one["documents"] for one in found.shared()] == [1, 1, 2]


# ---------------------------------------------------------------- tokens and segments


def test_tokens_with_gaps() -> None:
    """Of w, which the first does not have, the tokens are the others': one of two is named alike."""

    def tagged(**tags: str) -> list[Json]:
        return [
            {"id": key, "tokens": ["Ann", "saw", "Bob"], "tags": [{"P": "B-PER", "O": "O"}[one] for one in own]}
            for key, own in tags.items()
        ]

    found = agree(
        tagged(x="POP", y="POO"), tagged(x="POP", w="POP"), tagged(y="POO", w="POO"), ci=False, samples=3
    )
    assert (found.family, found.settings["unit"], found.documents) == ("tokens", "token", 3)
    values = [
        ["P", "P"],
        ["O", "O"],
        ["P", "P"],
        ["P", "P"],
        ["O", "O"],
        ["O", "O"],
        ["P", "P"],
        ["O", "O"],
        ["P", "O"],
    ]
    assert found.value("alpha") == close(twin.alpha(values))


def test_segments_with_gaps() -> None:
    """A boundary or none in each of the three gaps of four units."""

    def cut(**ends: list[int]) -> list[Json]:
        out = []
        for key, own in ends.items():
            edges = [0, *own, 4]
            parts = [{"start": a, "end": b} for a, b in pairwise(edges)]
            out.append({"id": key, "text": "abcd", "segments": parts})
        return out

    found = agree(cut(x=[1], y=[2]), cut(x=[1], w=[1, 3]), cut(y=[2, 3], w=[3]), ci=False, samples=3)
    assert (found.family, found.documents) == ("segments", 3)
    values = [
        ["b", "b"],
        ["-", "-"],
        ["-", "-"],
        ["-", "-"],
        ["b", "b"],
        ["-", "b"],
        ["b", "-"],
        ["-", "-"],
        ["b", "b"],
    ]
    assert found.value("alpha") == close(twin.alpha(values))


# ---------------------------------------------------------------- views


def test_the_report(tmp_path: Any) -> None:
    files = [write(tmp_path / f"{name}.jsonl", side) for name, side in zip(NAMES, (ANN, BOB, CLEO), strict=True)]
    out = run("agree", *files, "--no-ci").out
    words = " ".join(out.split())
    assert "1 of 4 documents have all 3 annotators; in the others those count who have them." in words
    assert "F1, Cohen's kappa and gamma are means over pairs." in words
    assert "ann: 1 document not annotated by anybody else left out; first 'v'" in words
    assert "docs:4|missing:pairwise|" in out
    (head,) = [line for line in out.splitlines() if line.startswith("A ") and "Documents" in line]
    assert head.endswith("Documents")
    alone = run("agree", *files, "--no-ci", "-m", "alpha").out
    assert "ann   bob            2" in alone
    skipped = run("agree", *files, "--no-ci", "--missing", "skip").out
    assert "docs:1|ci:none" in skipped
    found = json.loads(run("agree", *files, "--no-ci", "-f", "json").out)
    assert found["shared"][0] == {"first": "ann", "second": "bob", "documents": 2}
    assert found["settings"]["missing"] == "pairwise"


def test_intervals_of_pairs_need_two_documents_that_both_have() -> None:
    found = agree(ANN, BOB, [one for one in CLEO if one["id"] != "w"], names=NAMES, measures=["spans.exact"])
    assert found.row(between=("bob", "cleo")).low is None
    assert found.row(between=("ann", "bob")).low is not None
    assert spanscope.agree(ANN, BOB, names=NAMES[:2]).documents == 2


def test_texts_of_nothing_and_annotators_of_nothing() -> None:
    """Two share a document without a text, a third has no document: nothing can be said, and nothing breaks."""
    empty = [document("x", text="")]
    found = agree(empty, empty, [], samples=2, ci=False)
    assert (found.documents, [one["documents"] for one in found.shared()]) == (1, [1, 0, 0])
    assert all(math.isnan(row.value) for row in found.rows)
