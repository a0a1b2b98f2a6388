"""Every token measure of our own, with every value of its parameters, against its definition in plain Python."""

import inspect
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.measures.registry import parse
from spanscope.settings.options import grouped
from tests.support import KNOWN, Json, rows
from tests.token_strategies import (
    SCHEMES,
    WORDS,
    Corpus,
    characters,
    chunks,
    joined,
    spans_of,
    tagged,
    written,
)
from tests.twins import tags as twin_tags
from tests.twins import tokens as twins
from tests.twins.tokens import STAR, Doc, Found, Row, Span, Token, added, rates

TWINS: dict[str, Callable[..., Found]] = {
    "tokens.presidio": twins.presidio,
    "tokens.tags": twins.tags,
    "tokens.accuracy": twins.accuracy,
    "tokens.leaks": twins.leaks,
}
NOTHING = {
    "tokens.accuracy": {"right": 0, "tokens": 0},
    "tokens.leaks": dict.fromkeys(("leaked", "characters", "uncovered", "partly", "gold", "over", "redacted"), 0),
}
GENERIC = ("", "PII", " A , PII,, nobody")
# Where the IoU of a few tokens really falls; above and below each.
THRESHOLDS = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.9, 1.0]) | st.floats(0, 1)
ONE_TOKEN = tuple(word for word in WORDS if not twins.skipped(Token(word, 0, 0)))
NONE = "(none)"


def settings_of(name: str, threshold: float, *, tokens: bool = True) -> list[Json]:
    """Return every combination of the named values that go together."""
    if name in NOTHING:
        return [{}]
    skips = [("none", "")]
    if tokens:
        skips += [("presidio", ""), ("none", "BONN lee x"), ("presidio", "Zoë")]
    both = [
        {"skip_words": skip, "extra_skip_words": extra, "generic": generic}
        for skip, extra in skips
        for generic in GENERIC
    ]
    if name == "tokens.tags":
        return both
    units = [
        {"unit": unit, "counting": counting, "threshold": threshold, **one}
        for unit in ("token", "character")
        for counting in ("groups", "two_sided")
        for one in both
    ]
    skipping = [one["skip_words"] != "none" or one["extra_skip_words"] != "" for one in units]
    return [one for one, skips in zip(units, skipping, strict=True) if one["unit"] == "token" or not skips]


def same(one: float | None, other: float | None) -> bool:
    a, b = (math.nan if x is None else x for x in (one, other))
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-15)


def of_document(row: Row, name: str) -> dict[str, float]:
    """Return the rates of a document: the best where there is nothing, but for accuracy, which is undefined."""
    found = rates(row or NOTHING.get(name, {}))
    empty = name != "tokens.accuracy" and not row.get("gold") and not row.get("pred")
    best = 0.0 if name == "tokens.leaks" else 1.0
    return {rate: best if empty else value for rate, value in found.items()}


def mean(values: list[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


def check(name: str, corpus: Corpus, every: list[Json]) -> None:
    """Run a measure with all the settings at once; compare all counts, and the rates of three averages."""
    measures = [parse(name).replace(**params) for params in every]
    result = spanscope.evaluate(
        *corpus.sides, measures, ci=False, score=spanscope.Scoring(beta=2, errors=False), **grouped(corpus.options)
    )
    for params, measure in zip(every, measures, strict=True):
        found = [TWINS[name](doc, **params).rows for doc in corpus.docs]
        counted = [
            (doc, label, tuple(sorted(row))) for doc, label, row in rows(result.tables[result.index(measure)])
        ]
        wanted = [
            (doc, label, tuple(sorted(row.items())))
            for doc, one in enumerate(found)
            for label, row in one.items()
            if any(row.values())
        ]
        assert counted == sorted(wanted), str(measure)
        by_label = {label: added(one.get(label, {}) for one in found) for one in found for label in one}
        empty = NOTHING.get(name, {})
        for rate, value in rates(by_label.pop(STAR, empty)).items():
            assert same(result.value(rate, measure), value), (str(measure), rate)
        for label, row in by_label.items():
            for rate, value in rates(row).items():
                assert same(result.value(rate, measure, label=label), value), (str(measure), rate, label)
        each = [of_document(one.get(STAR, {}), name) for one in found]
        for rate in rates(empty):
            value = mean([one[rate] for one in each])
            assert same(result.value(rate, measure, average="document"), value), (str(measure), rate)


@pytest.mark.parametrize("name", TWINS)
def test_every_measure_has_a_twin_with_the_same_parameters_and_defaults(name: str) -> None:
    options = list(inspect.signature(TWINS[name]).parameters.values())[1:]
    own = {key: one.default for key, one in KNOWN[name].parameters.items()}
    assert {one.name: one.default for one in options} == own


def test_only_the_copies_of_tools_have_no_twin() -> None:
    tools = {"tokens.presidio_evaluator", "tokens.presidio_tokens"}
    assert {name for name in KNOWN if name.startswith("tokens.")} == {*TWINS, *tools}


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("scheme", SCHEMES)
@settings(max_examples=max(settings.default.max_examples // 5, 1))  # for each of eight schemes
@given(draw=st.data())
def test_a_measure_gives_what_its_twin_gives_on_tagged_tokens(name: str, scheme: str, draw: st.DataObject) -> None:
    corpus = draw.draw(tagged(ONE_TOKEN, scheme))
    check(name, corpus, settings_of(name, draw.draw(THRESHOLDS)))


@pytest.mark.parametrize("name", ["tokens.tags", "tokens.accuracy"])
@given(corpus=tagged())
def test_tokens_among_skip_words_are_counted_as_in_the_twin(name: str, corpus: Corpus) -> None:
    check(name, corpus, settings_of(name, 0.5))


@given(corpus=tagged(), threshold=THRESHOLDS)
def test_spans_among_skip_words_are_counted_as_in_the_twin(corpus: Corpus, threshold: float) -> None:
    check("tokens.presidio", corpus, settings_of("tokens.presidio", threshold))


@given(corpus=characters())
def test_leaks_of_characters_are_counted_as_in_the_twin(corpus: Corpus) -> None:
    check("tokens.leaks", corpus, [{}])


@given(corpus=characters(), threshold=THRESHOLDS)
def test_spans_of_characters_are_counted_as_in_the_twin(corpus: Corpus, threshold: float) -> None:
    check("tokens.presidio", corpus, settings_of("tokens.presidio", threshold, tokens=False))


@st.composite
def cut_otherwise(draw: st.DrawFn) -> Corpus:
    """Draw tagged tokens whose predictions are on tokens of one letter each: they count in gold's tokens."""
    corpus, placed = draw(tagged(ONE_TOKEN, "IO")), draw(st.booleans())
    for n, doc in enumerate(corpus.docs):
        letters = [
            Token(letter, token.start + at, token.start + at + 1)
            for token in doc.tokens or []
            for at, letter in enumerate(token.text)
        ]
        found = joined(draw(chunks(len(letters))))
        tags = written(found, len(letters), "IO")
        corpus.pred[n] |= {"tokens": [t.text for t in letters], "tags": tags}
        if placed:
            corpus.gold[n]["start_indices"] = [token.start for token in doc.tokens or []]
            corpus.pred[n]["start_indices"] = [token.start for token in letters]
        corpus.docs[n] = doc._replace(pred=spans_of(found, letters))
    return corpus


@given(corpus=cut_otherwise(), threshold=THRESHOLDS)
def test_predictions_on_other_tokens_are_counted_as_in_the_twin(corpus: Corpus, threshold: float) -> None:
    check("tokens.presidio", corpus, settings_of("tokens.presidio", threshold))


# ---------------------------------------------------------------- verdicts and confusion


def shown(span: Span | None) -> tuple[Any, ...] | None:
    return None if span is None else (*span.hull, span.label)


def place(span: Json | None) -> tuple[Any, ...] | None:
    return None if span is None else (span["start"], span["end"], span["label"])


def rounded(score: float | None) -> float | None:
    return None if score is None or math.isnan(score) else round(score, 12)


def evaluated(corpus: Corpus, params: Json) -> tuple[spanscope.Result, list[Found]]:
    result = spanscope.evaluate(
        *corpus.sides, parse("tokens.presidio").replace(**params), ci=False, **grouped(corpus.options)
    )
    return result, [twins.presidio(doc, **params) for doc in corpus.docs]


def check_verdicts(corpus: Corpus, params: Json) -> None:
    """Compare kind, spans and score of every gold span, and the rows of the confusion matrix."""
    result, found = evaluated(corpus, params)
    got = Counter(
        (m["kind"], place(m["gold"]), place(m["pred"]), rounded(m["score"])) for m in result.matches() if m["gold"]
    )
    wanted = Counter(
        (v.kind, shown(v.gold), shown(v.preds[0] if v.preds else None), rounded(v.score))
        for one in found
        for v in one.verdicts
    )
    assert got == wanted, params
    cells = sum((one.confusion for one in found), Counter[tuple[str | None, str | None]]())
    confusion = result.confusion()
    for label in {span.label for doc in corpus.docs for span in doc.gold}:
        mine = {b or NONE: n for (a, b), n in cells.items() if a == label}
        assert confusion[label] == mine, params


def check_alone(corpus: Corpus, params: Json) -> None:
    """Compare the predictions that are neither right nor part of an error, and the last row of the matrix."""
    result, found = evaluated(corpus, params)
    got = Counter(place(m["pred"]) for m in result.matches("spurious"))
    assert got == Counter(shown(span) for one in found for span in one.spurious), params
    cells = sum((one.confusion for one in found), Counter[tuple[str | None, str | None]]())
    assert result.confusion()[NONE] == {b: n for (a, b), n in cells.items() if a is None}, params


def some_settings(corpus: Corpus) -> st.SearchStrategy[Json]:
    tokens = "scheme" in corpus.options
    return THRESHOLDS.flatmap(lambda t: st.sampled_from(settings_of("tokens.presidio", t, tokens=tokens)))


@given(corpus=tagged(ONE_TOKEN) | characters(), draw=st.data())
def test_gold_spans_are_judged_as_in_the_twin(corpus: Corpus, draw: st.DataObject) -> None:
    check_verdicts(corpus, draw.draw(some_settings(corpus)))


@given(corpus=tagged(ONE_TOKEN) | characters(), draw=st.data())
def test_predictions_left_over_are_those_of_the_twin(corpus: Corpus, draw: st.DataObject) -> None:
    check_alone(corpus, draw.draw(some_settings(corpus)))


def by_hand(words: str, gold: str, pred: str) -> Corpus:
    """Return one document from its words and its tags, IO."""
    tokens, at = [], 0
    for text, *tags in zip(words.split(), gold.split(), pred.split(), strict=True):
        tokens.append(Token(text, at, at + len(text), *tags))
        at += len(text) + 1
    sides = [[{"tokens": words.split(), "tags": tags.split()}] for tags in (gold, pred)]
    found = [twin_tags.io(tags.split()) for tags in (gold, pred)]
    doc = Doc(*(spans_of(side, tokens) for side in found), tokens)
    return Corpus(sides[0], sides[1], [doc], {"scheme": "IO"})


SEVERAL = {
    "boundary": by_hand("New York Mets", "A A A", "A O A"),
    "type": by_hand("John Paul Smith Lee", "A A A A", "B B O B"),  # 3 of 4
}


@pytest.mark.parametrize("kind", SEVERAL)
def test_all_predictions_of_an_error_are_part_of_it(kind: str) -> None:
    params = {"threshold": 0.75}
    assert [v.kind for doc in SEVERAL[kind].docs for v in twins.presidio(doc, **params).verdicts] == [kind]
    check_alone(SEVERAL[kind], params)


def test_neighbouring_spans_of_skip_words_do_not_overlap() -> None:
    check("tokens.presidio", by_hand("Ann of the Lee", "O A O O", "O O A O"), [{"skip_words": "presidio"}])


@given(corpus=tagged(), generic=st.sampled_from(GENERIC), skip=st.sampled_from(["none", "presidio"]))
def test_tokens_are_confused_as_in_the_twin(corpus: Corpus, generic: str, skip: str) -> None:
    result = spanscope.evaluate(
        *corpus.sides,
        parse("tokens.tags").replace(skip_words=skip, generic=generic),
        ci=False,
        **grouped(corpus.options),
    )
    cells: Counter[tuple[str, str]] = Counter()
    for doc in corpus.docs:
        for (a, b), n in twins.tags(doc, skip_words=skip, generic=generic).confusion.items():
            cells[a or NONE, b or NONE] += n
    assert cells == {(a, b): n for a, row in result.confusion().items() for b, n in row.items()}
