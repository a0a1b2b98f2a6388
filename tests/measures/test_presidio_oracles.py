"""The figures of presidio-evaluator 0.3.2, recorded from the real package: every run of every case agrees.

No case is left out: that version raises in none of them. Not compared are the texts of errors and the dicts that
repeat counts. A corpus of several documents is compared as the sum over its documents.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from spanscope.measures.tools.presidio_rules import (
    GENERIC,
    OUTSIDE,
    Cell,
    Document,
    Tally,
    default_skip_words,
    score_document,
    score_tokens,
)
from tests.oracle import Json, number, oracle

FILES = ("presidio_seed_examples", "presidio_test_scenarios", "presidio_random", "presidio_edge_cases")
RUNS = {
    "presidio_seed_examples": 182,
    "presidio_test_scenarios": 96,
    "presidio_random": 450,
    "presidio_edge_cases": 105,
}
FIELDS = ("true_positives", "false_positives", "false_negatives", "num_predicted", "num_annotated")
PII_FIELDS = ("true_positives", "false_positives", "false_negatives", "predicted", "annotated")
Counts = list[int]  # TP, FP, FN, predicted, annotated


# ---------------------------------------------------------------- ours


def documents(case: Json) -> list[Document]:
    return [Document(*(item[key] for key in ("tokens", "starts", "gold", "pred"))) for item in case["documents"]]


def skipped(words: Any) -> frozenset[str]:
    return default_skip_words() if words == "default" else frozenset(words)


def summed(tallies: Iterable[Tally]) -> Tally:
    """Return the tally of a corpus: the sum over its documents."""
    out = Tally()
    for tally in tallies:
        for label, counts in tally.per_type.items():
            before = out.per_type.get(label, [0] * 5)
            out.per_type[label] = [a + b for a, b in zip(before, counts, strict=True)]
        out.pii = [a + b for a, b in zip(out.pii, tally.pii, strict=True)]
        out.results.update(tally.results)
        out.errors += tally.errors
    return out


def of_tokens(cells: Counter[Cell]) -> Tally:
    """Return the counts that follow from pairs of tags: for PII every tag but O is the same."""

    def counts(hit: int, annotated: int, predicted: int) -> Counts:
        return [hit, predicted - hit, annotated - hit, predicted, annotated]

    rows, columns, pii = Counter[str](), Counter[str](), Counter[str]()
    for (a, b), count in cells.items():
        rows[a] += count
        columns[b] += count
        pii["annotated"] += count * (a != OUTSIDE)
        pii["predicted"] += count * (b != OUTSIDE)
        pii["hit"] += count * (OUTSIDE not in (a, b))
    types = (rows.keys() | columns.keys()) - {OUTSIDE}
    errors: list[tuple[str, str, str]] = []
    for (a, b), count in cells.items():
        if a != b:
            kind = "FN" if b == OUTSIDE else "FP" if a == OUTSIDE else "WrongEntity"
            errors += [(kind, a, b)] * count
    return Tally(
        {label: counts(cells[label, label], rows[label], columns[label]) for label in types},
        counts(pii["hit"], pii["annotated"], pii["predicted"]),
        cells,
        errors,
    )


def scored(found: list[Document], params: Json) -> Tally:
    skip = skipped(params["skip_words"])
    if params["evaluator"] == "span":
        threshold, char_based = params["iou_threshold"], params["char_based"]
        return summed(
            score_document(d, threshold=threshold, char_based=char_based, skip_words=skip) for d in found
        )
    cells = Counter[Cell]()
    for document in found:
        cells.update(score_tokens(document, skip_words=skip, generic=GENERIC, keep=None))
    return of_tokens(cells)


# ---------------------------------------------------------------- theirs


def rates(counts: Counts, beta: float) -> tuple[float, float, float]:
    """Return precision, recall and F as the tool does: NaN without a denominator, F also if both are 0."""
    hit, predicted, annotated = counts[0], counts[3], counts[4]
    precision = hit / predicted if predicted else math.nan
    recall = hit / annotated if annotated else math.nan
    if math.isnan(precision) or math.isnan(recall) or precision == recall == 0:
        return precision, recall, math.nan
    return precision, recall, (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def differences(ours: Tally, theirs: Json, beta: float) -> Iterator[str]:
    """Return a line for everything that differs."""
    groups = [(label, item, FIELDS, "f_beta") for label, item in theirs["per_type"].items()]
    groups.append(("all PII", theirs["pii"], PII_FIELDS, "f"))
    if set(ours.per_type) != set(theirs["per_type"]):
        yield f"types {sorted(ours.per_type)}, theirs {sorted(theirs['per_type'])}"
    for label, item, fields, f in groups:
        counts = ours.pii if fields is PII_FIELDS else ours.per_type.get(label, [0] * 5)
        wanted = [item[name] for name in fields]
        if counts != wanted:
            yield f"{label}: {counts}, theirs {wanted}"
        wanted = [number(item[name]) for name in ("precision", "recall", f)]
        if list(rates(counts, beta)) != pytest.approx(wanted, abs=1e-15, nan_ok=True):
            yield f"{label}: {rates(counts, beta)}, theirs {wanted}"
    if theirs["n"] is not None and theirs["n"] != sum(counts[4] for counts in ours.per_type.values()):
        yield f"n is {theirs['n']}"
    cells = {(a, b): count for a, b, count in theirs["results"]}
    if ours.results != cells:
        yield f"cells {ours.results}, theirs {cells}"
    errors = Counter(map(tuple, theirs["model_errors"]))
    if Counter(ours.errors) != errors:
        yield f"errors {Counter(ours.errors)}, theirs {errors}"


@pytest.mark.parametrize("name", FILES)
def test_every_run(name: str) -> None:
    wrong, runs = [], 0
    for case in oracle(name)["cases"]:
        found = documents(case)
        for run in case["runs"]:
            params = run["params"]
            runs += 1
            wrong += [
                f"{case['id']} {params}: {line}"
                for line in differences(scored(found, params), run["output"], params["beta"])
            ]
    assert wrong == []
    assert runs == RUNS[name]


def test_every_threshold() -> None:
    """The random documents at thresholds 0.1 to 1.0, by characters and by tokens: 3,000 runs."""
    cases = {case["id"]: documents(case) for case in oracle("presidio_random")["cases"]}
    wrong, runs = [], 0
    for case in oracle("presidio_random_sweep")["cases"]:
        for run in case["runs"]:
            ours = scored(cases[case["id"]], {"evaluator": "span", "skip_words": case["skip_words"]} | run)
            runs += 1
            if {"per_type": ours.per_type, "pii": ours.pii} != run["output"]:
                wrong.append(f"{case['id']} {run}: {ours}")
    assert wrong == []
    assert runs == 3000


def test_documents_are_independent() -> None:
    """Cases of several documents are among those that agree as sums, in both evaluators."""
    several = [case for name in FILES for case in oracle(name)["cases"] if len(case["documents"]) > 1]
    kinds = Counter(run["params"]["evaluator"] for case in several for run in case["runs"])
    assert kinds["span"] >= 200
    assert kinds["token"] >= 100


def test_default_skip_words() -> None:
    recorded = oracle("presidio_default_skip_words")
    assert default_skip_words() == frozenset(recorded["skip_words"])
    assert len(default_skip_words()) == recorded["n"] == 417
