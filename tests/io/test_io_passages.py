"""Reading queries, gold answers and passages: every form, joined by query. Bad input: test_bad_passages.py."""

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import SpanscopeError
from spanscope.io.passages.reading import read_one_side
from spanscope.io.read_options import ReadOptions
from spanscope.settings.options import grouped
from tests.cli import refused, run, write
from tests.support import Json, needs

GOLD = {
    "tests": [
        {"query": "a?", "snippets": [{"file_path": "f.txt", "span": [0, 8], "answer": "The gold"}]},
        {"query": "b?", "snippets": [{"file_path": "f.txt", "span": [10, 18], "answer": "a clause"}]},
    ]
}
FOUND = [
    {"query": "b?", "retrieved_passages": ["x y z", "A clause."]},
    {"query": "a?", "retrieved_passages": ["the gold"]},
]
BEST = {"exact_match": 0.5, "span_f1": 0.5, "recall": 1.0, "mrr": 0.75}  # of GOLD and FOUND
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n"
RUN = "q1 Q0 d1 1 0.8 t\nq1 Q0 d2 2 0.9 t\nq2 Q0 d3 1 1.5 t\n"  # by score, d2 is before d1
JUDGED = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
SCORES = {"q1": {"d1": 0.8, "d2": 0.9}, "q2": {"d3": 1.5}}
MAP = 0.75  # of the two
CUTOFF = "  expected  a number of passages, or several: at least 1\n"
RULE = "=" * 50


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with good files, so that messages name short paths."""
    monkeypatch.chdir(tmp_path)
    write(Path("g.json"), json.dumps(GOLD, indent=1))
    write(Path("p.json"), json.dumps(FOUND))
    write(Path("a.qrels"), QRELS)
    write(Path("a.run"), RUN)


def means(gold: Any, pred: Any, *measures: str, **options: Any) -> dict[str, float]:
    result = spanscope.evaluate(gold, pred, list(measures) or None, **grouped(options))
    return {row.rate: row.value for row in result.rows if row.average == "document"}


def holds(found: dict[str, float], want: dict[str, float] = BEST) -> None:
    assert {name: found[name] for name in want} == pytest.approx(want)


def said(gold: Any, pred: Any = "p.json", *measures: str, **options: Any) -> str:
    with pytest.raises(SpanscopeError) as caught:
        means(gold, pred, *measures, **options)
    return f"{caught.value}\n"


def one(gold: Any = "x", passages: Any = "x", **fields: Any) -> tuple[list[Json], list[Json]]:
    return [{"query": "a", "snippets": [gold], **fields}], [{"query": "a", "retrieved_passages": [passages]}]


# ---------------------------------------------------------------- forms


def test_the_seeds_files() -> None:
    holds(means("g.json", "p.json"))
    holds(means(GOLD, FOUND))
    holds(means(GOLD["tests"], FOUND))


def test_json_lines() -> None:
    holds(means(str(write(Path("g.jsonl"), GOLD["tests"])), str(write(Path("p.jsonl"), FOUND))))


def test_json_lines_of_one_query() -> None:
    gold, pred = one()
    found = means(str(write(Path("g.jsonl"), gold)), str(write(Path("p.jsonl"), pred)))
    assert found["recall"] == 1


def test_passages_as_objects() -> None:
    objects = [
        {**query, "retrieved_passages": [{"text": text} for text in query["retrieved_passages"]]}
        for query in FOUND
    ]
    holds(means(GOLD, objects))
    placed = {"file_path": "f.txt", "span": [0, 8], "text": "The gold", "score": 0.5, "id": "c1"}
    assert means(*one(placed, placed), "passages.characters")["recall"] == 1


@pytest.mark.parametrize("gold", ["a.qrels", JUDGED])
@pytest.mark.parametrize("pred", ["a.run", SCORES])
def test_trec(gold: Any, pred: Any) -> None:
    assert means(gold, pred, protocol="trec")["map"] == MAP
    assert means(gold, pred, "passages.ranking")["map"] == MAP


@pytest.mark.parametrize(
    ("qrels", "found"),
    [
        (QRELS.replace("\n", "\r\n"), RUN.replace("\n", "\r\n")),
        (QRELS.replace(" ", "\t"), RUN.replace(" ", "\t")),
        (QRELS.strip(), RUN.strip()),
        ("\ufeff" + QRELS, "\ufeff" + RUN),
        (QRELS, RUN.replace("0.9 t", "0.9")),
        pytest.param(QRELS, RUN.replace(" t\n", "\n")),
        pytest.param("\n" + QRELS, RUN),
        pytest.param(QRELS.replace(" 0 ", " 1 ", 1), RUN),
        pytest.param("  " + QRELS, RUN),
    ],
)
def test_trec_files_as_they_come(qrels: str, found: str) -> None:
    write(Path("a.qrels"), qrels)
    write(Path("a.run"), found)
    assert means("a.qrels", "a.run", protocol="trec")["map"] == MAP


def test_trec_of_one_line() -> None:
    gold, pred = write(Path("1.qrels"), "q1 0 d1 1"), write(Path("1.run"), "q1 Q0 d1 1 1 t")
    assert means(str(gold), str(pred), protocol="trec")["map"] == 1


def test_beir_folder() -> None:
    Path("beir/qrels").mkdir(parents=True)
    write(Path("beir/qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td3\t2\n")
    run_file = write(Path("run.json"), json.dumps(SCORES))
    for pred in (SCORES, str(run_file), "a.run"):
        assert means("beir", pred, protocol="trec")["map"] == MAP
    assert means("beir", SCORES)["map"] == MAP  # recognised
    Path("beir/qrels/test.tsv").rename("beir/qrels/dev.tsv")
    assert means("beir", SCORES)["map"] == MAP  # the only judgements there are
    write(Path("beir/qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    assert means("beir", SCORES)["map"] == 0.5  # those of the test part


def squad(*questions: Json) -> Json:
    return {"version": "v2.0", "data": [{"title": "t", "paragraphs": [{"context": "c", "qas": list(questions)}]}]}


def test_squad() -> None:
    cat = {"id": "1", "question": "who?", "answers": [{"text": "The cat", "answer_start": 0}]}
    none = {"id": "2", "question": "why?", "answers": [], "is_impossible": True}
    gold, pred = squad(cat, none), {"2": "because", "1": "cat"}
    files = [str(write(Path(name), json.dumps(side))) for name, side in (("s.json", gold), ("t.json", pred))]
    for sides in ((gold, pred), files):
        assert means(*sides, protocol="squad") == {"exact_match": 1, "f1": 1}
        assert means(*sides, protocol="squad2") == {"exact_match": 0.5, "f1": 0.5}


def test_answers_as_data_set_libraries_have_them() -> None:
    gold = [{"id": "1", "answers": {"text": ["The cat", "a dog"], "answer_start": [0, 9]}}]
    gold += [{"id": "2", "answers": {"text": [], "answer_start": []}}]
    pred = [
        {"id": "2", "prediction_text": "", "no_answer_probability": 0.9},
        {"id": "1", "prediction_text": "dog"},
    ]
    assert means(gold, pred, protocol="squad2") == {"exact_match": 1, "f1": 1}
    assert means(gold, pred, protocol="squad") == {"exact_match": 1, "f1": 1}
    lists = [{"id": "1", "answers": ["The cat", "a dog"]}, {"id": "2", "answers": []}]
    assert means(lists, pred, protocol="squad2") == {"exact_match": 1, "f1": 1}


def test_questions_without_prediction() -> None:
    """1.1 counts them as wrong, 2.0 leaves them out; beside no protocol they are an error."""
    gold = squad(*({"id": name, "answers": [{"text": "x"}]} for name in "ab"))
    assert means(gold, {"a": "x"}, protocol="squad")["f1"] == 0.5
    assert means(gold, {"a": "x", "c": "x"}, protocol="squad2")["f1"] == 1
    assert said(gold, {"a": "x"}, "passages.squad").startswith("pred has no document 'b'\n")


def test_wordings_of_an_answer() -> None:
    result = spanscope.evaluate(*one({"answer": ["x", "y"]}, "y"), "passages.ranking(k=1)")
    assert (result.value("recall"), result.value("precision")) == (1, 1)
    assert [row["gold"] for row in result.by_document()] == [1]


# ---------------------------------------------------------------- joined by query


def test_a_missing_and_an_unknown_query_are_named() -> None:
    assert said(GOLD, FOUND[:1]).startswith("pred has no document 'a?'\n")
    assert said({"tests": GOLD["tests"][:1]}, FOUND).startswith("gold has no document 'b?', pred has\n")
    assert means(GOLD, FOUND[:1], missing="empty")["exact_match"] == 0
    assert means({"tests": GOLD["tests"][:1]}, FOUND, extra="skip")["exact_match"] == 1


def test_repeated_queries_are_paired_in_order_and_reported() -> None:
    gold = [{"query": "a", "snippets": [text]} for text in ("x", "y")]
    pred = [{"query": "a", "retrieved_passages": [text]} for text in ("x", "y")]
    result = spanscope.evaluate(gold, pred)
    assert [row["exact_match"] for row in result.by_document("passages.exact_match")] == [1, 1]
    assert result.problems.number == {"repeated query": 2}
    assert means(gold, pred[::-1])["exact_match"] == 0
    assert "repeated" in said(gold, pred, strict=True)


def test_repeated_queries_with_a_measure() -> None:
    gold, pred = one()
    assert means(gold * 2, pred * 2, "passages.ranking")["recall"] == 1


def test_repeated_queries_are_refused_on_request() -> None:
    gold, pred = one()
    assert "repeated" in said(gold * 2, pred * 2, repeated="error")


def test_an_id_on_one_side_only() -> None:
    """Then the sides are joined by the text of the query."""
    gold, pred = one(id="7")
    assert means(gold, pred)["recall"] == 1
    assert means(pred=[{**pred[0], "id": "8"}], gold=one()[0])["recall"] == 1


def test_ids_go_before_texts() -> None:
    gold = [{"id": n, "query": "same", "snippets": [text]} for n, text in ((1, "x"), (2, "y"))]
    pred = [{"id": n, "query": "other", "retrieved_passages": [text]} for n, text in (("2", "y"), ("1", "x"))]
    assert means(gold, pred)["exact_match"] == 1  # numbers and their texts are the same ids


def test_judgements_beside_queries_with_ids() -> None:
    pred = [
        {"id": q, "retrieved_passages": [{"id": d, "score": s} for d, s in own.items()]}
        for q, own in SCORES.items()
    ]
    assert means(JUDGED, pred, protocol="trec")["map"] == MAP
    gold = [
        {"id": q, "snippets": [{"id": d, "relevance": s} for d, s in own.items()]} for q, own in JUDGED.items()
    ]
    assert means(gold, SCORES, "passages.ranking")["map"] == MAP
    assert means(gold, "a.run", protocol="trec")["map"] == MAP


def test_one_side_alone() -> None:
    gold, pred = read_one_side(GOLD, ReadOptions("gold")), read_one_side("p.json", ReadOptions("pred"))
    assert (gold.ids, pred.ids) == (["a?", "b?"], ["b?", "a?"])
    assert (gold.size, pred.size) == (2, 3)
    judged = read_one_side("a.qrels", ReadOptions("gold"))
    assert (judged.ids, judged.queries.lists, judged.size) == (["q1", "q2"], [{"d1": 1, "d2": 0}, {"d3": 2}], 3)
    assert read_one_side([{"id": 3, "query": "x", "snippets": []}], ReadOptions("gold")).ids == ["3"]


# ---------------------------------------------------------------- recognised, and not


@pytest.mark.parametrize("files", [("g.json", "p.json"), ("a.qrels", "a.run")])
def test_eval_recognises_files(files: tuple[str, str]) -> None:
    done = run("eval", *files, "-f", "json")
    assert done.code == 0, done.err
    assert {row["rate"] for row in json.loads(done.out)["rows"]} >= {"ndcg", "map"}


@pytest.mark.parametrize("field", ["snippets", "answers"])
def test_large_files_are_recognised_by_their_beginning(field: str) -> None:
    gold = [{"id": n, field: ["x"], "note": "y" * 200} for n in range(2000)]
    pred = [{"id": n, "retrieved_passages": ["x"]} for n in range(2000)]
    files = [str(write(Path(name), json.dumps(side))) for name, side in (("big.json", gold), ("found.json", pred))]
    assert means(*files)["recall"] == 1


def test_evaluate_recognises_judgements() -> None:
    assert means(JUDGED, SCORES)["map"] == MAP


def test_tagged_tokens_are_no_passages() -> None:
    document = {"tokens": ["a", "b"], "gold": ["B-X", "O"], "pred": ["B-X", "O"]}
    assert spanscope.evaluate([document]).value("f1") == 1


def test_spans_with_other_fields_are_no_passages() -> None:
    own: Json = {"text": "ab", "spans": [{"start": 0, "end": 1, "label": "A"}], "meta": {"tests": 3}}
    documents = [{"id": n, **own} for n in (1, 2)]
    assert spanscope.evaluate(documents, documents).value("f1") == 1
    path = str(write(Path("s.jsonl"), documents))
    assert spanscope.evaluate(path, path).value("f1") == 1


# ---------------------------------------------------------------- the commands


def test_several_cutoffs() -> None:
    done = run("eval", "g.json", "p.json", "--k", "1,5", "-f", "json")
    rows = json.loads(done.out)["rows"]
    found = {row["measure"]: row["value"] for row in rows if row["rate"] == "recall" and row["average"] == "micro"}
    assert list(found.values()) == [0.5, 1.0]
    assert all(f"k={k}," in name for k, name in zip((1, 5), found, strict=True))


def test_documents_by_query() -> None:
    done = run("eval", "g.json", "p.json", "-m", "passages.ranking", "-f", "json", "--documents")
    (rows,) = json.loads(done.out)["by_document"].values()
    assert [(row["document"], row["mrr"]) for row in rows] == [("a?", 1.0), ("b?", 0.5)]


@pytest.mark.parametrize("options", [(), ("--protocol", "legal")])
def test_score_writes_the_figures(options: tuple[str, ...]) -> None:
    if options:
        needs("nltk")
    done = run("score", "p.json", "g.json", "--k", "5", "--output", "o.json", *options)
    assert (done.code, done.err) == (0, "wrote o.json\n")
    found = json.loads(Path("o.json").read_text())
    assert list(found) == ["exact_match", "span_f1", "recall@5", "ndcg@5", "num_examples"]
    assert list(found.values()) == pytest.approx([0.5, 0.5, 1, (1 + 0.6309297535714575) / 2, 2])


def test_score_prints_the_block_of_the_script() -> None:
    want = f"Evaluation Results:\n{RULE}\nexact_match: 0.5000\nspan_f1: 0.5000\nrecall@10: 1.0000\n"
    assert want + "ndcg@10: 0.8155\nnum_examples: 2\n" in run("score", "p.json", "g.json").out


def test_score_without_gold_answers_writes_no_nan() -> None:
    write(Path("none.json"), json.dumps({"tests": [{"query": q, "snippets": []} for q in ("a?", "b?")]}))
    done = run("score", "p.json", "none.json", "-o", "o.json")
    assert "span_f1: undefined\n" in done.out
    text = Path("o.json").read_text()
    assert "NaN" not in text
    assert json.loads(text) == {
        **dict.fromkeys(("exact_match", "span_f1", "recall@10", "ndcg@10")),
        "num_examples": 2,
    }
    assert "NaN" not in run("eval", "none.json", "p.json", "-f", "json", "--documents").out


def test_worst_queries_first() -> None:
    done = run("eval", "g.json", "p.json", "-m", "passages.exact_match", "-f", "json", "--worst", "1")
    assert done.code == 0, done.err
    (rows,) = json.loads(done.out)["by_document"].values()
    assert [row["document"] for row in rows] == ["b?"]


@pytest.mark.parametrize("k", ["0", "-1"])
def test_score_refuses_cutoffs(k: str) -> None:
    assert refused(run("score", "p.json", "g.json", "--k", k)) == f"k is {k}\n{CUTOFF}"


def test_score_has_two_protocols() -> None:
    assert "score has no protocol 'trec'" in refused(run("score", "p.json", "g.json", "--protocol", "trec"))


def test_score_writes_to_standard_output() -> None:
    assert '"recall@10": 1.0' in run("score", "p.json", "g.json", "-o", "-").out


def test_the_report_speaks_of_passages() -> None:
    assert "boundaries" not in run("eval", "g.json", "p.json").out


def test_words_after_the_tag_of_a_run_are_let_be() -> None:
    """As trec_eval does, whose own test files have such lines."""
    write(Path("a.qrels"), "q 0 d 1\n")
    write(Path("a.run"), "q Q0 d 1 2.5 tag and more\n")
    assert spanscope.evaluate("a.qrels", "a.run").value("map", "passages.trec", "document") == 1.0


def test_runs_as_json() -> None:
    write(Path("q.json"), json.dumps({"q1": {"d": 1, "e": 0}}))
    write(Path("r.json"), json.dumps({"q1": {"d": 0.5, "e": 0.7}}))
    assert spanscope.evaluate("q.json", "r.json").value("recip_rank", "passages.trec", "document") == 0.5


def test_wordings_at_places_of_their_own_keep_them() -> None:
    """The second wording was said to stand where the first one does."""
    for places in ([[0, 8], [4, 8]], [[0, 8], None], [None, [4, 8]]):
        own = {"answer": ["New York", "York"], "file_path": "a.txt", "spans": places}
        documents = [{"id": "q", "snippets": [own, {"answer": ["x", "y"], "span": [3, 4]}]}]
        assert spanscope.read(documents).to_dicts() == documents
