"""Bad queries, passages, judgements and runs: a sentence with the place and what was expected, or a figure."""

import json
import math
import re
import time
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import SpanscopeError
from spanscope.settings.options import grouped
from tests.cli import refused, run, write
from tests.support import Json

FOUND = [{"query": "a", "retrieved_passages": ["x"]}]
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n"
RUN = "q1 Q0 d1 1 0.8 t\nq1 Q0 d2 2 0.9 t\nq2 Q0 d3 1 1.5 t\n"
JUDGED: Json = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
SCORES: Json = {"q1": {"d1": 0.8, "d2": 0.9}, "q2": {"d3": 1.5}}
ITEM = "  expected  a text, or an object with text, file_path, span or id\n"
SPAN = "  expected  [start, end], 0 <= start <= end\n"
CUTOFF = "  expected  a number of passages, or several: at least 1\n"
JUDGEMENT, RANKED = "query 0 document grade", "query Q0 document rank score tag"
SQUAD = "  expected  SQuAD's data: paragraphs, qas, id, answers, text\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with good files, so that messages name short paths."""
    monkeypatch.chdir(tmp_path)
    write(Path("a.qrels"), QRELS)
    write(Path("a.run"), RUN)
    write(Path("p.json"), json.dumps(FOUND))


def scored(gold: Any, pred: Any, *measures: str, **options: Any) -> spanscope.Result:
    result = spanscope.evaluate(gold, pred, list(measures) or None, **grouped(options))
    written = result.to_json(documents=True)
    assert not re.search("NaN|Infinity", written)
    return result


def means(gold: Any, pred: Any, *measures: str, **options: Any) -> dict[str, float]:
    rows = scored(gold, pred, *measures, **options).rows
    return {row.rate: row.value for row in rows if row.average == "document"}


def said(gold: Any, pred: Any, *measures: str, **options: Any) -> str:
    with pytest.raises(SpanscopeError) as caught:
        scored(gold, pred, *measures, **options)
    return f"{caught.value}\n"


def one(gold: Any = "x", passages: Any = "x") -> tuple[list[Json], list[Json]]:
    return [{"query": "a", "snippets": [gold]}], [{"query": "a", "retrieved_passages": [passages]}]


# ---------------------------------------------------------------- queries


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ([{"query": "a"}], "gold[0]: a query has no passages (it has query)\n"),
        (
            [{"query": "a", "snippets": None}],
            "gold[0]: a query has no passages (it has query, snippets)\n"
            "  expected  snippets or retrieved_passages, an empty list if none\n",
        ),
        ([{"query": "a", "snippets": "x"}], "gold[0]: snippets is 'x'\n  expected  a list\n"),
        ([{"query": "a", "snippets": {"answer": "x"}}], "gold[0]: snippets is {'answer': 'x'}\n"),
        ([{"query": True, "snippets": []}], "gold[0]: query is True\n  expected  a string\n"),
        ([{"query": ["a"], "snippets": []}], "gold[0]: query is ['a']\n  expected  a string\n"),
        ([{"id": 1.5, "snippets": []}], "gold[0]: id is 1.5\n  expected  a string\n"),
        (
            [{"snippets": []}],
            "gold[0]: a query has no name\n  expected  a string under query, or an id\n",
        ),
        ([{"query": "a", "snippets": []}, 3], "gold[1]: a query is 3\n"),
        ([[{"query": "a", "snippets": []}]], "gold[0]: a query is [{'query': 'a', 'snippets': []}]\n"),
        (one(3)[0], f"gold[0]: snippets[0] is 3\n{ITEM}"),
        (one(None)[0], f"gold[0]: snippets[0] is None\n{ITEM}"),
        (one(["x"])[0], f"gold[0]: snippets[0] is ['x']\n{ITEM}"),
        (one({"answer": 3})[0], "gold[0]: snippets[0].text is 3\n  expected  a string\n"),
        (one({"answer": []})[0], "gold[0]: snippets[0].text is []\n  expected  a string\n"),
        (one({"answer": ["x", ["y"]]})[0], "gold[0]: snippets[0].text is ['x', ['y']]\n  expected  a string\n"),
        (
            one({"file_path": "f"})[0],
            "gold[0]: snippets[0] has neither text, span nor id\n"
            "  expected  answer or text, file_path with span, or id\n",
        ),
        (one({"span": [5, 2]})[0], f"gold[0]: snippets[0].span is [5, 2]\n{SPAN}"),
        (one({"span": [-1, 2]})[0], f"gold[0]: snippets[0].span is [-1, 2]\n{SPAN}"),
        (one({"span": [0, 2.0]})[0], f"gold[0]: snippets[0].span is [0, 2.0]\n{SPAN}"),
        (one({"span": [0, True]})[0], f"gold[0]: snippets[0].span is [0, True]\n{SPAN}"),
        (one({"span": [1, 2, 3]})[0], f"gold[0]: snippets[0].span is [1, 2, 3]\n{SPAN}"),
        (one({"span": "0-2"})[0], f"gold[0]: snippets[0].span is '0-2'\n{SPAN}"),
        (one({"span": [0, 10**30]})[0], "gold[0]: snippets[0].span is [0, 1000"),
        (one({"id": "d", "relevance": "1"})[0], "gold[0]: snippets[0].relevance is '1'\n  expected  a number"),
        (one({"id": "d", "relevance": True})[0], "gold[0]: snippets[0].relevance is True\n"),
        (one({"id": "d", "relevance": 1e10})[0], "gold[0]: snippets[0].relevance is 10000000000.0\n"),
        (one({"id": "d", "relevance": 10**30})[0], "gold[0]: snippets[0].relevance is 1000"),
    ],
)
def test_bad_gold(gold: Any, message: str) -> None:
    assert said(gold, FOUND, protocol="passages").startswith(message)


@pytest.mark.parametrize(
    ("pred", "message"),
    [
        ([{"query": "a", "retrieved_passages": None}], "pred[0]: a query has no passages (it has query, retr"),
        ([{"query": "a", "retrieved_passages": "x"}], "pred[0]: retrieved_passages is 'x'\n  expected  a list\n"),
        (one(passages=None)[1], f"pred[0]: retrieved_passages[0] is None\n{ITEM}"),
        (one(passages=["x"])[1], f"pred[0]: retrieved_passages[0] is ['x']\n{ITEM}"),
        (one(passages={"text": ["x"]})[1], "pred[0]: retrieved_passages[0].text is ['x']\n  expected  a string\n"),
        ([{"query": "a", "prediction_text": 3}], "pred[0]: prediction_text is 3\n  expected  a string\n"),
        (
            [{"query": "a", "prediction_text": "x", "no_answer_probability": "0.5"}],
            "pred[0]: no_answer_probability is '0.5'\n  expected  a number\n",
        ),
    ],
)
def test_bad_predictions(pred: Any, message: str) -> None:
    assert said(one()[0], pred, protocol="passages").startswith(message)


@pytest.mark.parametrize("score", ["3", "nan", True, [1], {}, math.nan, math.inf, -math.inf, 10**400])
def test_bad_scores(score: Any) -> None:
    message = said(*one("x", {"text": "x", "score": score}))
    assert message.startswith(
        f"pred[0]: retrieved_passages[0].score is {str(score)[:9] if isinstance(score, float) else ''}"
    )
    assert message.endswith("\n  expected  a number\n")


def test_files_name_the_line() -> None:
    bad = '{"tests": [\n{"query": "a", "snippets": []},\n{"query": "b", "snippets": [{"span": [3, 1]}]}\n]}'
    assert refused(run("eval", write(Path("bad.json"), bad), "p.json")).startswith(
        "bad.json:3: snippets[0].span is [3, 1]\n"
    )
    lines = '{"query": "a", "snippets": []}\n\n{"query": "b"}\n'
    assert refused(run("eval", write(Path("bad.jsonl"), lines), "p.json")).startswith(
        "bad.jsonl:3: a query has no passages (it has query)\n"
    )


@pytest.mark.parametrize("text", ['[{"query": "a", "snippets": [NaN]}]', '[{"query": "a", "snippets": ['])
def test_files_that_are_no_json(text: str) -> None:
    assert refused(run("eval", write(Path("bad.json"), text), "p.json")).startswith("bad.json")


# ---------------------------------------------------------------- sides that do not go together


def test_predictions_for_other_queries() -> None:
    other = [{"query": "b", "retrieved_passages": ["x"]}]
    assert said(one()[0], other).startswith("pred has no document 'a'\n  expected  every document of gold, with")
    assert said(one()[0], [*FOUND, *other]).startswith("gold has no document 'b', pred has\n")
    assert means(one()[0], other, missing="empty", extra="skip")["recall"] == 0


@pytest.mark.parametrize("wrap", [lambda side: side, lambda side: {"tests": side}, lambda side: {"data": side}])
def test_swapped_sides(wrap: Any) -> None:
    gold, pred = one()
    want = "gold: the gold side holds what was retrieved\n  expected  gold first, then what was retrieved\n"
    assert said(wrap(pred), wrap(gold)) == want + "  try       the two swapped\n"
    assert said(gold, gold).startswith("pred: the pred side holds gold answers\n")


def test_mixed_names() -> None:
    """Either all queries of both sides have ids, or all have texts."""
    gold = [{"id": 1, "snippets": ["x"]}, {"query": "b", "snippets": ["x"]}]
    pred = [{"id": 1, "retrieved_passages": ["x"]}, {"id": 2, "query": "b", "retrieved_passages": ["x"]}]
    want = "  expected  an id in every query of both sides, or the text of the query in every one\n"
    assert said(gold, pred) == f"gold[0]: the query has no text\n{want}"
    assert said(JUDGED, FOUND, protocol="trec") == f"pred[0]: the query has no id\n{want}"


@pytest.mark.parametrize("k", [0, -1, [], [5, 0], True, "3", 1.5, math.nan])
def test_bad_cutoffs(k: Any) -> None:
    assert said(*one(), k=k) == f"k is {k!r}\n{CUTOFF}"


@pytest.mark.parametrize("form", ["passages.ranking(k=0)", "passages.trec_cut(k=-1)", "passages.documents(k=1.5)"])
def test_bad_cutoffs_in_a_form(form: str) -> None:
    assert re.match(r"k of passages\.\w+ is .*\n  expected  a whole number from 1 to", said(*one(), form))


# ---------------------------------------------------------------- nothing there


def test_gold_without_snippets() -> None:
    found = scored([{"query": "a", "snippets": []}], FOUND)
    assert all(math.isnan(row.value) for row in found.rows if row.average == "document")
    assert [row["recall"] for row in found.by_document("passages.ranking")] == [None]


def test_no_queries() -> None:
    assert scored([], [], protocol="passages").problems.number == {"nothing in common": 1}
    assert scored({}, {}, protocol="trec").problems.number == {"nothing in common": 1}


def test_a_run_without_queries_is_all_0() -> None:
    assert set(means(JUDGED, {}, protocol="trec").values()) == {0}
    assert set(means(JUDGED, {"q1": {}, "q2": {}}, protocol="trec").values()) == {0}


@pytest.mark.parametrize("name", ["a.qrels", "a.run"])
@pytest.mark.parametrize("content", ["", "\n \n"])
def test_empty_files(name: str, content: str) -> None:
    write(Path(name), content)
    assert said("a.qrels", "a.run", protocol="trec").startswith(f"{name}: is empty\n  expected  ")


@pytest.mark.parametrize("passage", ["", " \n", {"text": "", "score": 1}])
def test_empty_passages_match_nothing(passage: Any) -> None:
    forms = ["passages.ranking(by=substring)", "passages.ranking(by=exact)", "passages.span_f1"]
    for form in forms:
        assert set(means(*one("x", passage), form).values()) == {0}
        assert max(means(*one("", passage), "passages.ranking").values()) == 0


BIG = "word " * 2_000_000  # 10 million characters


@pytest.mark.parametrize("form", ["exact_match", "span_f1", "ranking", "squad", "documents"])
def test_a_passage_of_10_megabytes(form: str) -> None:
    gold, pred = one({"answer": "the end", "file_path": "f"}, {"text": BIG + "The End", "file_path": "f"})
    start = time.process_time()
    result = scored(gold, pred, f"passages.{form}")
    assert time.process_time() - start < 30  # less than one: with the square of the length it would be hours
    assert len(result.to_json(documents=True)) < 10_000
    assert result.by_document()[0].get("recall", 1) == 1


# ---------------------------------------------------------------- judgements and runs


@pytest.mark.parametrize(
    "line",
    ["q2 d3", "q2 0 d4 x", "q2", "q2 0 d4 1.5.5", "q2 0 d4 99999999999", "q2 Q0 d4 1 0.3 t", "q2 Q0 d4 1 3"],
)
def test_bad_lines_of_judgements(line: str) -> None:
    write(Path("a.qrels"), QRELS + line + "\n")
    want = f"a.qrels:4: the line is {line!r}\n  expected  {JUDGEMENT}\n"
    assert said("a.qrels", "a.run", protocol="trec") == want


@pytest.mark.parametrize("line", ["q2 0 d4 1", "q2 Q0 d9 2 nan t", "q2 Q0 d9 2 high t", "q2"])
def test_bad_lines_of_runs(line: str) -> None:
    write(Path("a.run"), RUN + line + "\r\n")
    assert said("a.qrels", "a.run", protocol="trec") == f"a.run:4: the line is {line!r}\n  expected  {RANKED}\n"


def test_swapped_files() -> None:
    both = f"  expected  gold first ({JUDGEMENT}), then the run ({RANKED})\n  try       the two swapped\n"
    for options in ({}, {"protocol": "trec"}):
        assert said("a.run", "a.qrels", **options) == f"a.run: the gold side holds a run\n{both}"
    assert said("a.qrels", "a.qrels") == f"a.qrels: the pred side holds judgements\n{both}"


@pytest.mark.parametrize(("name", "line"), [("a.run", "q2 Q0 d3 2 0.1 t\n"), ("a.qrels", "q2 0 d3 0\n")])
def test_repeated_documents_are_reported(name: str, line: str) -> None:
    write(Path(name), Path(name).read_text() + line)
    result = spanscope.evaluate("a.qrels", "a.run", protocol="trec")
    assert result.problems.number == {"repeated document": 1}
    assert "repeated" in said("a.qrels", "a.run", protocol="trec", strict=True)


WRONG = "  expected  queries with snippets, or with retrieved_passages, or numbers by query and document\n"


@pytest.mark.parametrize(
    ("gold", "pred", "message"),
    [
        ({"q1": {"d": 1}, "q2": {"d": "x"}}, SCORES, "gold['q2']: the value of 'd' is 'x'\n"),
        ({"q1": {"d": 1}, "q2": {"d": True}}, SCORES, "gold['q2']: the value of 'd' is True\n"),
        ({"q": {"d": "x"}}, SCORES, f"gold: the input is {{'q': {{'d': 'x'}}}}\n{WRONG}"),
        (
            {"q": {"d": math.inf}},
            SCORES,
            "gold['q']: the grade of 'd' is inf\n  expected  a number that is",
        ),
        ({"q": {"d": math.nan}}, SCORES, "gold['q']: the value of 'd' is nan\n  expected  a grade or a score\n"),
        (JUDGED, {"q1": {"d": math.nan}}, "pred['q1']: the value of 'd' is nan\n  expected  a grade or a score\n"),
        (JUDGED, {"q1": {"d": 1.0}, "q2": {"d": "1"}}, "pred['q2']: the value of 'd' is '1'\n"),
        (JUDGED, {"q1": {"d": 1.0}, "q2": {"d": None}}, "pred['q2']: the value of 'd' is None\n"),
        (JUDGED, {"q1": {"d": 1.0, 2: 1.0, "2": 1.0}}, "pred['q1']: two documents are '2' as text\n"),
        (JUDGED, {1: {"d": 1.0}, "1": {"d": 1.0}}, "pred['1']: another query has the same name as text\n"),
        (JUDGED, {"q1": {"d": 10**400}}, "pred['q1']: the value of 'd' is 1000"),
        ({"q1": {"d": -(10**400)}}, SCORES, "gold['q1']: the value of 'd' is -1000"),
        (JUDGED, 3, f"pred: the input is 3\n{WRONG}"),
        (JUDGED, [[1]], "pred[0]: a query is [1]\n"),
    ],
)
def test_bad_dicts(gold: Any, pred: Any, message: str) -> None:
    assert said(gold, pred, protocol="trec").startswith(message)


def test_names_that_are_numbers_are_texts() -> None:
    assert means({1: {2: 1}}, {"1": {"2": 0.5}}, protocol="trec")["map"] == 1
    assert means({"1": {"2": 1}}, {"1": {"d": 0.5, 2: 0.7}}, protocol="trec")["map"] == 1
    assert means({"1": {"2": 1}}, {"1": {"d": 0.5, 2: 0.5}}, protocol="trec")["map"] == 0.5  # a tie


def test_infinite_scores_are_first_and_last() -> None:
    run = {"q1": {"d1": math.inf, "d2": -math.inf, "d4": 1e300}, "q2": {"d3": 1}}
    assert means(JUDGED, run, protocol="trec")["recip_rank"] == (1 / 2 + 1) / 2  # 1e300 is infinite to trec_eval


def test_beir_folders() -> None:
    folder = Path("beir/qrels")
    folder.mkdir(parents=True)
    end = "\n  expected  qrels/test.tsv\n  try       --split NAME   for one of them\n"
    assert said("beir", SCORES) == f"beir: qrels holds nothing{end}"
    for name in ("dev", "train"):
        write(folder / f"{name}.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    assert said("beir", SCORES) == f"beir: qrels holds dev, train{end}"
    write(folder / "test.tsv", "")
    assert said("beir", SCORES).startswith("beir/qrels/test.tsv: is empty\n")
    write(folder / "test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\n")
    assert said("beir", SCORES).startswith("beir/qrels/test.tsv:2: the line is 'q1\\td1'\n")
    Path("plain").mkdir()
    assert said("plain", SCORES, protocol="trec").startswith("plain: holds no file of data\n")


# ---------------------------------------------------------------- SQuAD


def paragraphs(*questions: Any) -> Json:
    return {"paragraphs": [{"qas": list(questions)}]}


@pytest.mark.parametrize(
    ("article", "what"),
    [
        (3, "is 3"),
        (None, "is None"),
        ({"title": "x"}, "lacks 'paragraphs'"),
        ({"paragraphs": 3}, "is {'paragraphs': 3}"),
        ({"paragraphs": None}, "is {'paragraphs': None}"),
        ({"paragraphs": {"a": 1}}, "is {'paragraphs': {'a': 1}}"),
        ({"paragraphs": [3]}, "is {'paragraphs': [3]}"),
        ({"paragraphs": [{}]}, "lacks 'qas'"),
        ({"paragraphs": [{"qas": 3}]}, "is {'paragraphs': [{'qas': 3}]}"),
        (paragraphs(3), "is {'paragraphs': [{'qas': [3]}]}"),
        (paragraphs({"answers": []}), "lacks 'id'"),
        (paragraphs({"id": "1"}), "lacks 'answers'"),
        (paragraphs({"id": "1", "answers": 3}), "is {'paragraphs': [{'qas': [{'id': '1', 'answers': 3}]}]}"),
        (paragraphs({"id": "1", "answers": [{}]}), "lacks 'text'"),
        (
            paragraphs({"id": "1", "answers": ["x"]}),
            "is {'paragraphs': [{'qas': [{'id': '1', 'answers': ['x']}]}]}",
        ),
    ],
)
def test_squad_of_wrong_types(article: Any, what: str) -> None:
    good = paragraphs({"id": "0", "answers": []})
    assert said({"data": [good, article]}, {"0": ""}, protocol="squad2") == f"gold: data[1] {what}\n{SQUAD}"


@pytest.mark.parametrize("text", [3, None, ["x"]])
def test_squad_answers_that_are_no_texts(text: Any) -> None:
    message = said({"data": [paragraphs({"id": "0", "answers": [{"text": text}]})]}, {"0": ""}, protocol="squad2")
    assert message == f"gold: answers.text is {[text]!r}\n  expected  a list of texts\n"


def test_squad_predictions_that_are_no_texts() -> None:
    gold = {"data": [paragraphs({"id": "0", "answers": []})]}
    for said_ in (3, None, [3]):
        message = said(gold, {"0": said_}, protocol="squad2")
        assert message == f"pred: the input is {{'0': {said_!r}}}\n{WRONG}"


def test_identifiers_that_are_not_there_are_asked_for() -> None:
    """Nothing but zeros would come of it."""
    sides = [{"query": "q", "snippets": ["a"]}], [{"query": "q", "retrieved_passages": ["a"]}]
    assert "some passages have no identifier" in said(*sides, "passages.ranking(by=id)")


def test_a_place_needs_a_file_where_others_have_one() -> None:
    gold = [{"query": "q", "snippets": [{"file_path": "a.txt", "span": [0, 10], "answer": "The answer"}]}]
    found = [{"query": "q", "retrieved_passages": [{"text": "The answer", "span": [0, 10]}]}]
    assert said(gold, found).startswith("pred[0]: a passage has a span, but no file_path\n")
