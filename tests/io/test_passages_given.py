"""Queries as they come: SQuAD's own files, names in another Unicode form, places alone, grades with fractions."""

import json
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

import spanscope
from spanscope.errors import SpanscopeError
from spanscope.measures.passages import legal_texts
from spanscope.settings.options import Running
from tests.support import Json

NFC, NFD = ((lambda text, form=form: normalize(form, text)) for form in ("NFC", "NFD"))

# ---------------------------------------------------------------- SQuAD's files say which protocol


def squad(version: str | None, questions: list[Json], *, last: bool = False, pad: int = 0) -> Json:
    """Return a file of SQuAD; `last` has the version at its end, as the files of 1.1 do."""
    articles = [{"title": "a", "paragraphs": [{"context": "c", "qas": questions}]}]
    articles += [{"title": "b", "paragraphs": [{"context": "x" * pad, "qas": []}]}]
    said = {} if version is None else {"version": version}
    return {"data": articles, **said} if last else {**said, "data": articles}


ASKED = {"id": "1", "question": "who", "answers": [{"text": "the cat", "answer_start": 0}]}
SURE, NEVER = ASKED | {"is_impossible": False}, {"id": "2", "answers": [], "is_impossible": True}


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (squad("1.1", [ASKED]), "squad"),
        (squad("1.1", [ASKED], last=True), "squad"),
        (squad("1.1", [ASKED], last=True, pad=5_000_000), "squad"),  # beyond what is looked at
        (squad("v2.0", [SURE, NEVER]), "squad2"),
        (squad("v2.0", [SURE, NEVER], last=True, pad=5_000_000), "squad2"),
        (squad(None, [SURE]), "squad2"),
        (squad(None, [ASKED]), "squad"),
        ({"data": [{"query": "q", "snippets": ["a"]}]}, "passages"),
    ],
)
def test_a_file_of_squad_leads_to_its_protocol(gold: Json, expected: str, tmp_path: Path) -> None:
    pred: Any = {"1": "cat", "2": ""} if expected != "passages" else [{"query": "q", "retrieved_passages": ["a"]}]
    path = tmp_path / "gold.json"
    path.write_text(json.dumps(gold))
    for source in (gold, path):
        result = spanscope.evaluate(source, pred, ci=False)
        assert result.settings.protocol.name == expected
        assert {row.value for row in result.rows if row.rate == "exact_match"} == {1.0}


def test_measures_and_protocols_that_are_named_go_first() -> None:
    gold = squad("1.1", [ASKED])
    assert spanscope.evaluate(gold, {"1": "cat"}, "passages.span_f1", ci=False).value("span_f1") == 2 / 3
    assert spanscope.evaluate(gold, {"1": "cat"}, protocol="squad2", ci=False).settings.protocol.name == "squad2"


def test_no_answer_may_be_any_number() -> None:
    """Differences of scores, as models give them: above the threshold the prediction counts as empty."""
    gold = squad("v2.0", [SURE, NEVER])
    pred = [
        {"id": "1", "prediction_text": "cat", "no_answer_probability": -7.5},
        {"id": "2", "prediction_text": "dog", "no_answer_probability": 3.25},
    ]
    for threshold, expected in ((-2.5, 1.0), (3.0, 1.0), (3.25, 0.5), (-8, 0.5), (12, 0.5)):
        result = spanscope.evaluate(gold, pred, f"passages.squad(no_answer={threshold})", ci=False)
        assert result.value("exact_match") == expected


# ---------------------------------------------------------------- names in another Unicode form

ASK = "Où est le café ?"


def sides(gold: str, pred: str) -> tuple[list[Json], list[Json]]:
    return (
        [{"query": gold, "snippets": ["here"]}, {"query": "q", "snippets": ["x"]}],
        [{"query": pred, "retrieved_passages": ["here"]}, {"query": "q", "retrieved_passages": ["x"]}],
    )


@pytest.mark.parametrize(("gold", "pred"), [(NFC(ASK), NFD(ASK)), (NFD(ASK), NFC(ASK))])
def test_queries_in_another_form_find_each_other_and_that_is_told(gold: str, pred: str) -> None:
    result = spanscope.evaluate(*sides(gold, pred), ci=False)
    assert result.value("recall", average="document") == 1.0
    assert result.problems.number == {"other form": 1}
    assert result.comparison.names[0] == gold
    assert [problem.kind for problem in spanscope.check(*sides(gold, pred))] == ["other form"]


def test_ids_in_another_form_whatever_stays_in_memory(tmp_path: Path) -> None:
    paths = []
    for name, side in zip(("gold", "pred"), sides(NFC(ASK), NFD(ASK)), strict=True):
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text("".join(json.dumps({"id": one["query"], **one}) + "\n" for one in side))
    for memory in ("spans", "counts", "totals"):
        result = spanscope.evaluate(*paths, ci=False, run=Running(memory=memory))
        assert result.value("recall") == 1.0
        assert result.problems.number["other form"] == 1


@pytest.mark.parametrize("options", [{"protocol": "legal"}, {"measures": "passages.legal"}])
def test_a_tool_compares_names_as_they_are(options: Json) -> None:
    with pytest.raises(SpanscopeError, match="has no document"):
        spanscope.evaluate(*sides(NFC(ASK), NFD(ASK)), ci=False, **options)
    qrels, run = {"q": {NFC("é"): 1}}, {"q": {NFD("é"): 1.0, "z": 2.0}}
    assert spanscope.evaluate(qrels, run, ci=False).value("recip_rank") == 0.0


def test_a_form_that_two_names_share_is_no_partner() -> None:
    """Gold asks the query in both forms, the run once in a third: which of them is meant, nobody knows."""
    gold, _ = sides(NFC(ASK), "")
    mixed = NFC("Où") + NFD(" est le café ?")
    pred = [{"query": one, "retrieved_passages": []} for one in (mixed, "q")]
    with pytest.raises(SpanscopeError, match="has no document"):
        spanscope.evaluate([*gold, {"query": NFD(ASK), "snippets": ["here"]}], pred, ci=False)


def test_ids_of_passages_in_another_form() -> None:
    gold = [{"query": "q", "snippets": [{"id": NFC("é"), "answer": "a"}]}]
    found = [{"id": "z", "text": "b"}, {"id": NFD("é"), "text": "a"}]
    result = spanscope.evaluate(
        gold, [{"query": "q", "retrieved_passages": found}], "passages.ranking(by=id)", ci=False
    )
    assert result.value("mrr") == 0.5
    qrels, run = {"q": {NFC("é"): 1}}, {"q": {NFD("é"): 1.0, "z": 2.0}}
    result = spanscope.evaluate(qrels, run, "passages.ranking", ci=False)
    assert (result.value("mrr"), result.problems.number) == (0.5, {"other form": 1})


# ---------------------------------------------------------------- places alone

PLACED = [{"query": "q", "snippets": [{"file_path": "f", "span": [0, 10], "answer": "ten characters"[:10]}]}]
FOUND = [{"query": "q", "retrieved_passages": [{"file_path": "f", "span": [2, 12]}]}]


def test_places_alone_are_scored_as_far_as_they_can_be() -> None:
    result = spanscope.evaluate(PLACED, FOUND, ci=False)
    assert [measure.name for measure in result.measures] == ["passages.ranking"]
    assert result.value("recall") == 1.0  # 8 of 10 characters
    told = result.problems.first["measure left out"]
    both = "passages.exact_match, passages.span_f1"
    assert told == [f"pred: {both} left out: 1 passage of this side has no text, which they compare"]
    assert "measure left out" in result.table()


def test_gold_without_texts_and_identifiers_alone() -> None:
    gold = [{"query": "q", "snippets": [{"file_path": "f", "span": [0, 10]}]}]
    found = [{"query": "q", "retrieved_passages": [{"file_path": "f", "span": [2, 12], "text": "x"}]}]
    result = spanscope.evaluate(gold, found, ci=False)
    (told,) = result.problems.first["measure left out"]
    assert told.startswith("gold: passages.exact_match, passages.span_f1 left out: 1 answer")
    assert spanscope.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, protocol="passages", ci=False).value("mrr") == 1


def test_what_was_asked_for_by_name_is_refused_instead() -> None:
    with pytest.raises(SpanscopeError, match="no text"):
        spanscope.evaluate(PLACED, FOUND, ["passages.ranking", "passages.exact_match"], ci=False)
    with pytest.raises(SpanscopeError, match="no text"):
        spanscope.evaluate(PLACED, FOUND, protocol="legal", ci=False)


def test_blocks_that_differ_in_their_texts_are_read_again_whole(tmp_path: Path) -> None:
    gold = [{**PLACED[0], "query": f"q{n}"} for n in range(2)]
    pred = [{**FOUND[0], "query": f"q{n}"} for n in range(2)]
    paths = []
    for name, side in (("gold", gold), ("pred", pred)):
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text("".join(json.dumps(one) + "\n" for one in side))
    result = spanscope.evaluate(*paths, ci=False, run=Running(memory="counts"))
    assert (result.value("recall"), len(result.measures)) == (1.0, 1)
    assert result.problems.number["measure left out"] == 2  # passages


# ---------------------------------------------------------------- the legal script's sentences


@pytest.mark.parametrize("there", [True, False])
def test_another_way_to_split_sentences_is_told(there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nltk")
    monkeypatch.setattr(legal_texts, "has_punkt", lambda: there)
    form = "passages.legal(punkt=no)" if there else "passages.legal"
    result = spanscope.evaluate(*sides("a", "a"), form, ci=False)
    (told,) = result.problems.first["other sentences"]
    assert "punkt_tab" in told
    assert ("not installed" in told) is not there


# ---------------------------------------------------------------- grades with fractions


def judged(tmp_path: Path, lines: str) -> Path:
    path = tmp_path / "qrels.txt"
    path.write_text(lines)
    return path


RUN = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
HALVES = {"q": {"a": 0.5, "b": 2.5, "c": 0}}


def test_our_measures_take_fractions_as_they_are(tmp_path: Path) -> None:
    """nDCG = (.5 / log2 2 + 2.5 / log2 3) / (2.5 / log2 2 + .5 / log2 3)."""
    log3 = 1.584962500721156
    want = (0.5 + 2.5 / log3) / (2.5 + 0.5 / log3)
    path = judged(tmp_path, "q 0 a 0.5\nq 0 b 2.5\nq 0 c 0\n")
    texts = [{"query": "q", "snippets": [{"answer": "x", "relevance": 0.5}, {"answer": "y", "relevance": 2.5}]}]
    found = [{"query": "q", "retrieved_passages": ["x", "y", "z"]}]
    for gold, pred in ((HALVES, RUN), (path, RUN), (texts, found)):
        result = spanscope.evaluate(gold, pred, "passages.ranking", ci=False)
        assert result.value("ndcg") == pytest.approx(want)
        assert result.value("recall") == 1.0
        assert result.problems.number == {"fractional grade": 2}
        assert [one["gold"]["grade"] for one in result.matches("found")] == [0.5, 2.5]


def test_figures_of_trec_eval_are_those_of_whole_grades(tmp_path: Path) -> None:
    """trec_eval reads a grade with atol: 0.5 is 0, 2.5 is 2, -0.5 is 0."""
    path = judged(tmp_path, "q 0 a 0.5\nq 0 b 2.5\nq 0 c -0.5\n")
    whole = spanscope.evaluate({"q": {"a": 0, "b": 2, "c": 0}}, RUN, protocol="trec", ci=False)
    for gold in ({"q": {"a": 0.5, "b": 2.5, "c": -0.5}}, path):
        result = spanscope.evaluate(gold, RUN, protocol="trec", ci=False)
        assert [row.value for row in result.rows] == [row.value for row in whole.rows]
        assert result.value("recip_rank") == 0.5


def test_whole_grades_stay_whole(tmp_path: Path) -> None:
    path = judged(tmp_path, "q 0 a 1.0\nq 0 b 2\n")
    result = spanscope.evaluate(path, RUN, "passages.ranking", ci=False)
    assert result.problems.number == {}
    assert [one["gold"]["grade"] for one in result.matches("found")] == [1, 2]
    assert all(type(one["gold"]["grade"]) is int for one in result.matches("found"))


@pytest.mark.parametrize("grade", ["x", "1,5", "nan", "inf", "1e3", "1.5.2"])
def test_grades_that_are_no_numbers_are_refused(grade: str, tmp_path: Path) -> None:
    with pytest.raises(SpanscopeError, match="the line is"):
        spanscope.evaluate(judged(tmp_path, f"q 0 a 1\nq 0 b {grade}\n"), RUN, ci=False)
