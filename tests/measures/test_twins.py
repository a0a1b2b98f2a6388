"""Every registered measure, with every value of its parameters, against its definition in plain Python."""

import inspect
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.measures.registry import parse
from tests.strategies import LONG_TEXTS, corpora, documents
from tests.support import KNOWN, NAMES, Json, choices, fragmented_corpora, refused, rows, settings_of
from tests.twins import spans as twins
from tests.twins.spans import Rows, Span

Sides = tuple[list[Json], list[Json]]
THIRDS = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.65, 2 / 3, 0.8, 1.0])  # where small spans really score
NUMBERS = THIRDS | st.floats(0, 1)


def twin_of(name: str) -> Callable[..., Rows] | None:
    return getattr(twins, name.removeprefix("spans."), None)


def read(document: Json) -> list[Span]:
    return [Span(**span) for span in document["spans"]]


def lengthened(side: list[Span]) -> list[Span]:
    return [span._replace(end=span.end + 1) for span in side]


def expected(name: str, gold: list[Span], pred: list[Span], params: Json) -> Rows:
    """Ask the twin; ends=inclusive with matching=best is, by definition, the same on spans one longer."""
    twin = twin_of(name)
    assert twin is not None
    if params.get("matching") == "best" and params.get("ends") == "inclusive":
        return twin(lengthened(gold), lengthened(pred), **{**params, "ends": "exclusive"})
    return twin(gold, pred, **params)


def expected_rows(name: str, sides: Sides, params: Json) -> list[Any]:
    return sorted(
        (number, label, tuple(row.items()))
        for number, (gold, pred) in enumerate(zip(*sides, strict=True))
        for label, row in expected(name, read(gold), read(pred), params).items()
        if any(row.values())
    )


def check(name: str, sides: Sides, numbers: dict[str, tuple[float, ...]]) -> None:
    """Run the measure with all its named values at once and compare every row."""
    every = settings_of(KNOWN[name], numbers)
    measures = [parse(name).replace(**params) for params in every]
    result = spanscope.evaluate(*sides, measures, score=spanscope.Scoring(errors=False), ci=False)
    for params, measure in zip(every, measures, strict=True):
        table = result.tables[result.measures.index(measure)]
        found = [(doc, label, tuple(sorted(row))) for doc, label, row in rows(table)]
        wanted = [(doc, label, tuple(sorted(row))) for doc, label, row in expected_rows(name, sides, params)]
        assert found == wanted, str(measure)


def drawn_numbers(draw: st.DataObject, name: str) -> dict[str, tuple[float, ...]]:
    return {key: (draw.draw(NUMBERS, key),) for key, values in choices(KNOWN[name]).items() if not values}


@pytest.mark.parametrize("name", NAMES)
def test_every_measure_has_a_twin_with_the_same_parameters_and_defaults(name: str) -> None:
    twin = twin_of(name)
    assert twin is not None, f"{name} has no twin in tests/twins"
    options = list(inspect.signature(twin).parameters.values())[2:]
    own = {key: one.default for key, one in KNOWN[name].parameters.items()}
    assert {one.name: one.default for one in options} == own


@pytest.mark.parametrize("name", NAMES)
@given(sides=corpora(), draw=st.data())
def test_a_measure_counts_what_its_twin_counts(name: str, sides: Sides, draw: st.DataObject) -> None:
    check(name, sides, drawn_numbers(draw, name))


@pytest.mark.parametrize("name", NAMES)
@given(document=documents(text="abcdefghijkl"), draw=st.data())
def test_a_measure_agrees_with_its_twin_where_many_spans_meet_in_a_short_text(
    name: str, document: tuple[list[Span], list[Span]], draw: st.DataObject
) -> None:
    sides = tuple(
        [{"id": "d", "text": "abcdefghijkl", "spans": [span._asdict() for span in side]}] for side in document
    )
    check(name, sides, drawn_numbers(draw, name))  # type: ignore[arg-type]


@settings(max_examples=8)
@given(sides=corpora(LONG_TEXTS), threshold=THIRDS)
def test_relaxed_agrees_with_its_twin_on_texts_long_enough_for_autojunk(sides: Sides, threshold: float) -> None:
    check("spans.relaxed", sides, {"threshold": (threshold,), "iou_weight": (0.65,)})


def test_measure_and_twin_refuse_the_same_combinations() -> None:
    span = Span("A", 0, 1, "a")
    sides = ([{"id": 1, "text": "a", "spans": [span._asdict()]}],) * 2
    for text in ("gestalt", "difflib"):
        params = {"rules": "reqflow", "assignment": "optimal", "text": text}
        assert refused(params)
        with pytest.raises(ValueError):
            twins.relaxed([span], [span], **params)
        with pytest.raises(spanscope.MeasureError, match="ReqFlow has no other"):
            spanscope.evaluate(*sides, parse("spans.relaxed").replace(**params), ci=False)


# ---------------------------------------------------------------- spans of several fragments


def places(span: Json) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted(map(tuple, span.get("fragments", [[span.get("start"), span.get("end")]]))))


def covered(span: Json) -> set[int]:
    return {position for start, end in places(span) for position in range(start, end)}


def alike(g: Json, p: Json) -> float:
    """Give the IoU of two spans by the positions they cover; 0 if they do not overlap."""
    both, all_ = covered(g) & covered(p), covered(g) | covered(p)
    if not all_:
        return float(places(g) == places(p))
    return len(both) / len(all_)


def most_pairs(gold: list[Json], pred: list[Json], threshold: float) -> int:
    scores = {(j, i): alike(g, p) for j, g in enumerate(gold) for i, p in enumerate(pred)}
    return len(twins.optimal({pair: score for pair, score in scores.items() if score and score >= threshold}))


def fragment_rows(form: str, gold: list[Json], pred: list[Json]) -> dict[str, int]:
    """Count the spans of one label (or of all, for spans.unlabelled)."""
    match form:
        case "spans.exact" | "spans.unlabelled":
            return twins.common([places(s) for s in gold], [places(s) for s in pred], "list")
        case "spans.characters":
            sides = [{position for span in side for position in covered(span)} for side in (gold, pred)]
            return {"tp": len(sides[0] & sides[1]), "pred": len(sides[1]), "gold": len(sides[0])}
    threshold = 0.5 if form.startswith("spans.iou") else 0.0
    return {"tp": most_pairs(gold, pred, threshold), "pred": len(pred), "gold": len(gold)}


FRAGMENTED = ["spans.exact", "spans.unlabelled", "spans.characters"]
FRAGMENTED += ["spans.iou(assignment=optimal)", "spans.overlap(assignment=optimal)"]


@pytest.mark.parametrize("form", FRAGMENTED)
@given(sides=fragmented_corpora())
def test_spans_of_several_fragments_are_compared_by_the_positions_they_cover(form: str, sides: Sides) -> None:
    wanted = []
    for number, (g, p) in enumerate(zip(*sides, strict=True)):
        spans = g["spans"], p["spans"]
        labels = sorted({span["label"] for side in spans for span in side})
        if form == "spans.unlabelled":
            parts = {"*": fragment_rows(form, *spans)}
        else:
            parts = {
                label: fragment_rows(form, *([s for s in side if s["label"] == label] for side in spans))
                for label in labels
            }
        wanted += [(number, label, row) for label, row in parts.items() if any(row.values())]
    result = spanscope.evaluate(*sides, form, score=spanscope.Scoring(errors=False), ci=False)
    assert [(doc, label, dict(row)) for doc, label, row in rows(result.tables[0])] == wanted


# ---------------------------------------------------------------- from counts to rates, in plain Python


def twin_prf(name: str, row: Json, beta: float = 1.0) -> tuple[float | None, ...]:
    if name == "spans.semeval":
        return twins.semeval_prf(**row, mode="partial")  # without PAR the half credit is nothing
    return twins.prf(**row, beta=beta)


def add(parts: list[Json]) -> Json:
    return {key: sum(part[key] for part in parts) for key in parts[0]} if parts else {}


def overall(rows_of_document: Rows) -> list[Json]:
    return [rows_of_document["*"]] if "*" in rows_of_document else list(rows_of_document.values())


def mean(values: list[float | None], weights: list[float] | None = None) -> tuple[float | None, int]:
    """Give the mean of the defined values, and how many are undefined."""
    pairs = [(v, w) for v, w in zip(values, weights or [1.0] * len(values), strict=True) if v is not None]
    total = sum(w for _, w in pairs)
    left_out = values.count(None)
    return (sum(v * w for v, w in pairs) / total if total else None), left_out


def same(value: float, wanted: float | None) -> bool:
    return math.isnan(value) if wanted is None else math.isclose(value, wanted, rel_tol=1e-12, abs_tol=1e-15)


def gold_of(name: str, row: Json) -> int:
    return row["cor"] + row["inc"] + row["par"] + row["mis"] if name == "spans.semeval" else row["gold"]


@pytest.mark.parametrize("name", NAMES)
@given(sides=corpora())
def test_rates_by_label_and_document_and_their_averages_are_the_twins(name: str, sides: Sides) -> None:
    by_document = [expected(name, read(g), read(p), {}) for g, p in zip(*sides, strict=True)]
    labels = sorted({label for one in by_document for label in one if label != "*"})
    sums = {label: add([one[label] for one in by_document if label in one]) for label in labels}
    micro = add([row for one in by_document for row in overall(one)])
    result = spanscope.evaluate(*sides, name, score=spanscope.Scoring(errors=False), ci=False)
    for place, rate in enumerate(("precision", "recall", "f1")):
        by_label = [twin_prf(name, sums[label])[place] for label in labels]
        support = [float(gold_of(name, sums[label])) for label in labels]
        wanted = {
            "micro": mean([twin_prf(name, micro)[place] if micro else None]),
            "document": mean([document_rate(name, one, place) for one in by_document]),
            **({"macro": mean(by_label), "weighted": mean(by_label, support)} if labels else {}),
        }
        found = {r.average: r for r in result.rows if r.rate == rate and r.label is None}
        assert set(found) == set(wanted)
        for average, (value, left_out) in wanted.items():
            assert same(found[average].value, value), (rate, average)
            assert found[average].undefined == left_out, (rate, average)
        for label, value in zip(labels, by_label, strict=True):
            assert same(result.value(rate, label=label), value), (rate, label)
    for record, one, document in zip(result.by_document(), by_document, sides[0], strict=True):
        rates = {rate: document_rate(name, one, n) for n, rate in enumerate(("precision", "recall", "f1"))}
        counts = add(overall(one)) or dict.fromkeys(result.tables[0].columns, 0)
        assert record.pop("document") == document["id"]
        assert record == pytest.approx({**counts, **rates}, abs=1e-12)


def document_rate(name: str, one: Rows, place: int) -> float | None:
    """Give the rate of one document; 1 where both sides are empty."""
    parts = add(overall(one))
    empty = not any(parts.values())
    return 1.0 if empty else twin_prf(name, parts)[place]


# ---------------------------------------------------------------- kinds of error


def in_step(gold: list[Span], pred: list[Span], key: Callable[[Span], Any]) -> twins.Pairs:
    """Pair spans with equal keys, the first with the first, in content order."""
    free = sorted(range(len(pred)), key=lambda i: twins.content(pred[i]))
    pairs = []
    for j in sorted(range(len(gold)), key=lambda j: twins.content(gold[j])):
        partner = next((i for i in free if key(pred[i]) == key(gold[j])), None)
        if partner is not None:
            free.remove(partner)
            pairs.append((j, partner))
    return pairs


def distinct(side: list[Span], key: Callable[[Span], Any]) -> list[Span]:
    """Keep the first span of each key, in content order."""
    return list({key(span): span for span in sorted(side, key=twins.content, reverse=True)}.values())


Keys = dict[str, Callable[[Span], Any]]
KEYS: Keys = {
    "spans.exact": lambda s: (s.label, s.start, s.end),
    "spans.unlabelled": lambda s: (s.start, s.end),
    "spans.text": lambda s: (s.label, twins.normalised(s.text, "lower")),
}
SCORES = {
    "spans.iou": (twins.jaccard, 0.5),
    "spans.iou(threshold=0.8)": (twins.jaccard, 0.8),
    "spans.overlap": (twins.jaccard, 0.0),
    "spans.relaxed": (twins.relaxed_score(), 0.5),
}


def verdicts_of_twin(gold: list[Span], pred: list[Span], matched: twins.Pairs) -> list[Any]:
    gold_kinds, pred_kinds, partner = twins.taxonomy(gold, pred, matched)
    taken = set(partner.values())
    return sorted(
        [(gold_kinds[j], gold[j][:3], pred[partner[j]][:3] if j in partner else ()) for j in range(len(gold))]
        + [(pred_kinds[i], (), pred[i][:3]) for i in range(len(pred)) if i not in taken]
    )


def verdicts_by_document(result: spanscope.Result) -> dict[str, list[Any]]:
    out: dict[str, list[Any]] = {name: [] for name in result.comparison.names}
    for record in result.matches():
        place = [
            () if span is None else (span["label"], span["start"], span["end"])
            for span in (record["gold"], record["pred"])
        ]
        out[record["document"]].append((record["kind"], *place))
    return {name: sorted(records) for name, records in out.items()}


@pytest.mark.parametrize("form", SCORES)
@given(sides=corpora())
def test_kinds_of_error_are_the_twins_for_measures_with_a_score(form: str, sides: Sides) -> None:
    score, threshold = SCORES[form]
    found = verdicts_by_document(spanscope.evaluate(*sides, form, ci=False))
    for g, p in zip(*sides, strict=True):
        gold, pred = read(g), read(p)
        matched = twins.assign(gold, pred, score, threshold=threshold, assignment="greedy")
        assert found[g["id"]] == verdicts_of_twin(gold, pred, matched)


@pytest.mark.parametrize("duplicates", ["list", "set"])
@pytest.mark.parametrize("name", KEYS)
@given(sides=corpora())
def test_kinds_of_error_are_the_twins_for_measures_with_a_key(name: str, duplicates: str, sides: Sides) -> None:
    key = KEYS[name]
    found = verdicts_by_document(spanscope.evaluate(*sides, f"{name}(duplicates={duplicates})", ci=False))
    for g, p in zip(*sides, strict=True):
        gold, pred = read(g), read(p)
        if duplicates == "set":
            gold, pred = distinct(gold, key), distinct(pred, key)
        assert found[g["id"]] == verdicts_of_twin(gold, pred, paired(gold, pred, name, duplicates))


def paired(gold: list[Any], pred: list[Any], name: str, duplicates: str) -> list[tuple[int, int]]:
    """Pair spans with equal keys; spans.text, as lists, those at the same place with the same label first."""
    key = KEYS[name]
    if duplicates == "set" or name != "spans.text":
        return in_step(gold, pred, key)
    first = [(j, i) for j, i in in_step(gold, pred, lambda span: span[:3]) if key(gold[j]) == key(pred[i])]
    left_gold = [j for j in range(len(gold)) if j not in {j for j, _ in first}]
    left_pred = [i for i in range(len(pred)) if i not in {i for _, i in first}]
    rest = in_step([gold[j] for j in left_gold], [pred[i] for i in left_pred], key)
    return first + [(left_gold[j], left_pred[i]) for j, i in rest]


@given(sides=corpora())
def test_kinds_of_error_are_the_twins_for_the_matching_that_optimal_assignment_chose(sides: Sides) -> None:
    found = verdicts_by_document(spanscope.evaluate(*sides, "spans.overlap(assignment=optimal)", ci=False))
    for g, p in zip(*sides, strict=True):
        gold, pred = read(g), read(p)
        chosen = [record[1:] for record in found[g["id"]] if record[0] == "correct"]
        assert found[g["id"]] == verdicts_of_twin(gold, pred, indexed(gold, pred, chosen))


def indexed(gold: list[Span], pred: list[Span], chosen: list[Any]) -> twins.Pairs:
    """Turn pairs of spans back into pairs of places in the lists, equal spans one after the other."""
    free = [list(enumerate(gold)), list(enumerate(pred))]
    pairs = []
    for pair in chosen:
        row = []
        for side, place in zip(free, pair, strict=True):
            item = next(item for item in side if item[1][:3] == place)
            side.remove(item)
            row.append(item[0])
        pairs.append((row[0], row[1]))
    return pairs
