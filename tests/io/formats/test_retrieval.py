"""Retrieval as its tools write it: every sample reads to what expected.json says, and scores to the figure."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.errors import InputError, SpanscopeError
from spanscope.report import render
from tests.cli import refused, run, write
from tests.io.formats.expected import EXPECTED, SAMPLES

Json = dict[str, Any]
ASKED = {"q1": "Who hired Zoë O’Neil?", "q2": "Where did the press move?", "q3": "What was not seen?"}
ASKED |= {"q4": "من قال ذلك؟"}
CONTEXTS = EXPECTED["documents"]


def expected(name: str) -> Json:
    found: Json = EXPECTED["files"][name]["retrieval"]
    return found


def judged(documents: list[Json]) -> Json:
    """Return grades by query and document."""
    return {one["id"]: {own["id"]: own.get("relevance", 1) for own in one["snippets"]} for one in documents}


def ranked(documents: list[Json]) -> Json:
    """Return scores by query and document."""
    return {one["id"]: {own["id"]: own["score"] for own in one["retrieved_passages"]} for one in documents}


def means(*sides: Any, measures: str | None = None, **given: Any) -> dict[str, float]:
    result = spanscope.evaluate(*sides, measures=measures, ci=False, **given)
    return {row.rate: row.value for row in result.rows if row.average == "document"}


# ---------------------------------------------------------------- every sample

QRELS: list[tuple[str, str, str | None]] = [
    ("trec", "trec/qrels.txt", None),
    ("beir", "beir", None),
    ("beir", "beir/qrels/test.tsv", None),
    ("ranx", "ranx/qrels.json", "qrels"),
    ("ranx", "ranx/qrels.parquet", "qrels"),
]


@pytest.mark.parametrize(("name", "path", "said"), QRELS)
def test_judgements_are_read(name: str, path: str, said: str | None) -> None:
    given = {} if said is None else {"input": said}
    assert judged(spanscope.read(SAMPLES / path, **given).to_dicts()) == expected(name)["qrels"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "path"), [("trec", "trec/run.txt"), ("beir", "beir/run.json"), ("ranx", "ranx/run.json")]
)
def test_runs_are_read(name: str, path: str) -> None:
    assert ranked(spanscope.read(SAMPLES / path).to_dicts()) == expected(name)["run"]


def test_rounds_of_judgements_may_have_fractions(tmp_path: Path) -> None:
    """The second column of TREC-COVID's judgements is the round in which a document was judged."""
    path = write(tmp_path / "qrels.txt", "1 4.5 005b2j4b 2\n1 0.5 02q8xtfq 0\n")
    assert spanscope.read(path).to_dicts() == [
        {"id": "1", "snippets": [{"id": "005b2j4b", "relevance": 2}, {"id": "02q8xtfq", "relevance": 0}]}
    ]


@pytest.mark.parametrize("path", ["ranx/qrels.json", "ranx/qrels.parquet"])
def test_whole_numbers_alone_are_asked_about(path: str) -> None:
    with pytest.raises(InputError, match="looks like qrels or a run") as caught:
        spanscope.read(SAMPLES / path)
    assert caught.value.hint == "[[input=qrels]] or [[input=run]]   to say which"


WHOLE, SCORED = {"q": {"a": 1, "b": 0}}, {"q": {"a": 2.5, "b": 3.0}}


@pytest.mark.parametrize(("gold", "pred"), [(WHOLE, WHOLE), (SCORED, WHOLE)])
def test_whole_numbers_on_the_side_of_the_run_are_asked_about(tmp_path: Path, gold: Any, pred: Any) -> None:
    with pytest.raises(InputError, match="qrels") as caught:
        spanscope.evaluate(gold, pred)
    assert caught.value.hint.startswith("[[gold_input=qrels]] [[pred_input=run]]")
    files = [write(tmp_path / f"{at}.json", json.dumps(one)) for at, one in enumerate((gold, pred))]
    assert "--gold-input qrels --pred-input run" in refused(run("eval", *files))
    assert "--gold-input qrels --pred-input run" in refused(
        run("compare", *files, write(tmp_path / "b.json", json.dumps(SCORED)))
    )


@pytest.mark.parametrize("said", [{"gold": "qrels"}, {"pred": "run"}, {"gold": "qrels", "pred": "run"}])
def test_one_side_that_is_said_tells_the_other(said: dict[str, str]) -> None:
    gold, pred = (spanscope.source(WHOLE, input=said.get(side)) for side in ("gold", "pred"))
    assert means(gold, pred)["recip_rank"] == 1.0


def test_fractions_and_judgements_of_trec_tell_the_other_side(tmp_path: Path) -> None:
    assert means(WHOLE, SCORED)["recip_rank"] == 0.5
    qrels = write(tmp_path / "qrels.txt", "q 0 a 1\nq 0 b 0\n")
    assert means(qrels, WHOLE)["recip_rank"] == 1.0


@pytest.mark.parametrize("name", ["ragas/older.jsonl", "ragas/old.jsonl", "ragas/new.jsonl"])
def test_rows_of_ragas_hold_both_sides(name: str) -> None:
    sides = spanscope.read_sides(SAMPLES / name)
    assert list(sides) == ["gold", "pred"]
    gold, pred = sides["gold"].to_dicts(), sides["pred"].to_dicts()
    answers = {
        one["query"]: one["meta"]["reference"] if "meta" in one else one["snippets"][0]["text"] for one in gold
    }
    assert answers == expected(name)["answers"]
    numbers = {query: len(one["retrieved_passages"]) for query, one in zip(ASKED, pred, strict=True)}
    assert numbers == expected(name)["contexts"]
    assert [one["query"] for one in pred] == list(ASKED.values())
    assert [one["meta"]["response"] for one in pred] == list(expected(name)["answers"].values())


def test_new_rows_of_ragas_have_ids() -> None:
    sides = spanscope.read_sides(SAMPLES / "ragas/new.jsonl")
    assert [one["snippets"] for one in sides["gold"].to_dicts()] == [
        [{"text": CONTEXTS[name], "id": name}] for name in ("d1", "d3", "d4", "d2")
    ]
    names = [[own["id"] for own in one["retrieved_passages"]] for one in sides["pred"].to_dicts()]
    assert names == [list(own) for own in expected("beir")["run"].values()]


def test_two_sides_in_one_source_are_named() -> None:
    with pytest.raises(InputError, match=r"the source holds 2 sides \(gold: 4 queries, pred: 4"):
        spanscope.read(SAMPLES / "ragas/new.jsonl")


def places(documents: list[Json], key: str) -> Json:
    """Return file, start and end of every passage, by the name of the query."""
    names = {text: name for name, text in ASKED.items()}
    return {
        names[one["query"]]: [[own["file_path"], *own.get("span", [None, None])] for own in one[key]]
        for one in documents
    }


def test_documents_of_langchain() -> None:
    corpus = spanscope.read(SAMPLES / "langchain/retrieved.jsonl")
    assert places(corpus.to_dicts(), "retrieved_passages") == expected("langchain/retrieved.jsonl")["spans"]
    assert [(one.kind, one.number) for one in corpus.problems] == [("no place", 4)]


def test_nodes_of_llamaindex() -> None:
    found = spanscope.read(SAMPLES / "llamaindex/retrieved.jsonl").to_dicts()
    named = [{**one, "id": name} for name, one in zip(ASKED, found, strict=True)]
    assert ranked(named) == expected("llamaindex/retrieved.jsonl")["run"]
    assert found[0]["retrieved_passages"][0]["span"] == [5, 25]


def test_legalbench_rag() -> None:
    found = places(spanscope.read(SAMPLES / "legalbench/bench.json").to_dicts(), "snippets")
    assert {name: own for name, (own,) in found.items()} == expected("legalbench")["snippets"]


def test_folder_of_legalbench_rag_is_one_source(tmp_path: Path) -> None:
    """Its places are checked against the corpus, on the disk and in a zip; those retrieved are so, too."""
    folder = tmp_path / "legal"
    shutil.copytree(SAMPLES / "legalbench", folder)
    (folder / "corpus/c/d1.txt").write_bytes("Café Müller\r\nhired Zoë".encode())  # gold's place is before it
    found = [
        {
            "query": ASKED["q1"],
            "retrieved_passages": [{"file_path": "c/d1.txt", "span": [13, 18], "text": "hired"}],
        }
    ]
    sides = [folder, Path(shutil.make_archive(str(folder), "zip", tmp_path, "legal"))]
    for gold in sides:
        corpus = spanscope.read(gold)
        places_of = places(corpus.to_dicts(), "snippets")
        assert {name: own for name, (own,) in places_of.items()} == expected("legalbench")["snippets"]
        done = spanscope.evaluate(gold, found, missing="empty", ci=False)
        assert any("counts line ends as two characters" in one for one in done.problems.first["moved place"]), gold
    with pytest.raises(InputError, match="the pred side holds a benchmark"):
        spanscope.evaluate(folder, folder)
    (folder / "corpus/c/d1.txt").unlink()
    with pytest.raises(InputError, match=r"the file 'c/d1.txt' is not in .*corpus"):
        spanscope.read(folder)


def test_several_benchmarks_are_a_question(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "legalbench/corpus", tmp_path / "corpus")
    (tmp_path / "benchmarks").mkdir()
    for name in ("cuad", "maud"):
        shutil.copy(SAMPLES / "legalbench/bench.json", tmp_path / f"benchmarks/{name}.json")
    with pytest.raises(InputError, match="holds 2 benchmarks: cuad, maud") as caught:
        spanscope.read(tmp_path)
    assert caught.value.hint == "[[split=cuad]] or [[split=maud]]   to read one"
    assert spanscope.read(tmp_path, split="maud").n_documents == 4
    assert list(spanscope.read_sides(tmp_path)) == ["cuad", "maud"]
    with pytest.raises(InputError, match="has no benchmark 'x'"):
        spanscope.read(tmp_path, split="x")


@pytest.mark.parametrize("inner", ["", "beir"])
def test_beir_in_an_archive(inner: str, tmp_path: Path) -> None:
    root, base = (SAMPLES, "beir") if inner else (SAMPLES / "beir", ".")
    path = shutil.make_archive(str(tmp_path / "beir"), "zip", root, base)
    own = spanscope.read(path)
    assert judged(own.to_dicts()) == expected("beir")["qrels"]
    assert own.queries.questions is not None


@pytest.mark.parametrize("path", ["squad/squad2.json", "squad/hf_rows.jsonl"])
def test_squad_has_answers_at_their_places(path: str) -> None:
    documents = spanscope.read(SAMPLES / path).to_dicts()
    answers, found = {}, {}
    for one in documents:
        own = one["snippets"]
        texts = own[0].get("answer", [own[0].get("text")]) if own else [""]
        answers[one["id"]] = texts[0]
        if own:
            document = next(name for name, text in CONTEXTS.items() if text == one["meta"]["context"])
            found[one["id"]] = [document, *own[0]["span"]]
    assert answers == expected("squad")["answers"]
    assert found == expected("squad")["places"]


def test_squad_predictions() -> None:
    documents = spanscope.read(SAMPLES / "squad/predictions.json").to_dicts()
    assert {one["id"]: one["retrieved_passages"][0]["text"] for one in documents} == expected("squad")["answers"]


# ---------------------------------------------------------------- one command, the right figure

# The relevant document is at the ranks 1, 1 (of equal scores the last name), 1 and 1 of the four queries.
PERFECT = ["beir/qrels/test.tsv beir/run.json", "trec/qrels.txt trec/run.txt", "ranx/qrels.parquet ranx/run.json"]
PERFECT += ["beir ranx/run.json", "beir llamaindex/retrieved.jsonl", "ranx/qrels.json trec/run.txt"]


@pytest.mark.parametrize("files", PERFECT)
def test_judgements_and_runs_score(files: str) -> None:
    done = run("eval", *(SAMPLES / name for name in files.split()), "--no-ci", "-f", "csv")
    assert done.code == 0, done.err
    assert means(*(SAMPLES / name for name in files.split()))["map"] == 1


@pytest.mark.parametrize(("name", "by"), [("older", "substring"), ("old", "substring"), ("new", "id")])
def test_a_file_of_ragas_alone_scores(name: str, by: str) -> None:
    """The right context is at the ranks 1, 2, 1 and 1."""
    path = SAMPLES / f"ragas/{name}.jsonl"
    done = run("eval", path, "--no-ci", "-f", "json")
    assert done.code == 0, done.err
    rows = {row["rate"]: row for row in json.loads(done.out)["rows"] if row["average"] == "document"}
    assert f"by={by}" in rows["mrr"]["measure"]
    assert rows["mrr"]["value"] == (1 + 1 / 2 + 1 + 1) / 4
    assert rows["recall"]["value"] == 1
    assert "same file" not in done.out


def test_answers_of_squad_score() -> None:
    done = run("eval", SAMPLES / "squad/squad2.json", SAMPLES / "squad/predictions.json", "-f", "squad", "--no-ci")
    assert {key: json.loads(done.out)[key] for key in ("exact", "f1", "total")} == {
        "exact": 100.0,
        "f1": 100.0,
        "total": 5,
    }


def test_files_without_what_was_retrieved_say_so() -> None:
    message = refused(run("eval", SAMPLES / "legalbench/bench.json"))
    assert "PRED is missing" in message
    with pytest.raises(InputError, match="there are no predictions"):
        spanscope.evaluate(SAMPLES / "squad/squad2.json")


# ---------------------------------------------------------------- the RAG engineer


def chunk(text: str, source: str, start: int) -> Json:
    metadata = {"source": source, "start_index": start}
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["x", "Document"],
        "kwargs": {"page_content": text, "metadata": metadata},
    }


BENCH = {
    "tests": [
        {"query": "who?", "snippets": [{"file_path": "c/a.txt", "span": [4, 8], "answer": "Anna"}]},
        {"query": "where?", "snippets": [{"file_path": "c/b.txt", "span": [0, 5], "answer": "Paris"}]},
    ]
}
ANNA = chunk("Dr. Anna", "/data/c/a.txt", 0)
CHAIN = [
    {
        "query": "who?",
        "source_documents": [chunk("Paris", "/data/c/b.txt", 0), chunk("Dr. Anna", "/data/c/a.txt", 0)],
    },
    {"query": "where?", "source_documents": [chunk("Dr. Anna", "/data/c/a.txt", 0)]},
]


def test_documents_of_langchain_against_legalbench_rag(tmp_path: Path) -> None:
    """One answer is found at the second rank, the other is not: recall 1/2, mean reciprocal rank 1/4."""
    gold = write(tmp_path / "bench.json", json.dumps(BENCH))
    pred = write(tmp_path / "chain.jsonl", "".join(json.dumps(one) + "\n" for one in CHAIN))
    done = run("eval", gold, pred, "--no-ci", "-f", "json")
    rows = {row["rate"]: row for row in json.loads(done.out)["rows"] if row["average"] == "document"}
    assert "by=overlap" in rows["recall"]["measure"]
    assert (rows["recall"]["value"], rows["mrr"]["value"]) == (0.5, 0.25)
    assert "'/data/c/a.txt' is 'c/a.txt'" in done.out


def test_places_that_were_not_found_are_looked_for_in_the_files(tmp_path: Path) -> None:
    """The first document of each query has no start; two of these four hold more than half of the answer."""
    sides = SAMPLES / "legalbench/bench.json", SAMPLES / "langchain/retrieved.jsonl"
    read = spanscope.Reading(corpus=SAMPLES / "legalbench/corpus")
    result = spanscope.evaluate(*sides, "passages.ranking(k=1)", read=read, ci=False)
    assert result.value("recall", average="document") == 0.5
    assert "no place" not in str(result.problems)
    assert means(*sides, measures="passages.ranking(k=1)")["recall"] == 0


# ---------------------------------------------------------------- each format, besides its sample


def test_columns_of_ragas_and_csv_read_as_rows_do(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in (SAMPLES / "ragas/new.jsonl").read_text(encoding="utf-8").splitlines()]
    want = {side: corpus.to_dicts() for side, corpus in spanscope.read_sides(rows).items()}
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    for source in (columns, write(tmp_path / "c.json", json.dumps(columns)), {"data": rows}):
        assert {side: corpus.to_dicts() for side, corpus in spanscope.read_sides(source).items()} == want
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "r.csv"
    pandas.DataFrame(rows).to_csv(path, index=False)
    assert {side: corpus.to_dicts() for side, corpus in spanscope.read_sides(path).items()} == want
    assert means(path)["mrr"] == 0.875


def test_arrays_that_numpy_printed_are_refused(tmp_path: Path) -> None:
    """Python would join the two texts into one without a word."""
    path = write(tmp_path / "r.csv", "user_input,retrieved_contexts,reference\nq,\"['a b' 'c']\",c\n")
    message = refused(run("eval", path))
    assert message.startswith(f"{path}:2: retrieved_contexts is ")
    assert "tolist()" in message
    ragged = write(tmp_path / "s.csv", "user_input,retrieved_contexts,reference\nq,\"['a']\"\n")
    assert "the row has 2 cells, the header 3" in refused(run("eval", ragged))


def test_answers_without_contexts_are_scored_as_answers(tmp_path: Path) -> None:
    row = {"user_input": "q", "response": "in Paris", "reference": "Paris"}
    found = means([row], measures="passages.span_f1")
    assert found["span_f1"] == pytest.approx(2 / 3)  # one word of two, one of one
    assert spanscope.read_sides([row])["pred"].to_dicts() == [
        {"query": "q", "retrieved_passages": [{"text": "in Paris"}]}
    ]


def test_rows_of_ragas_that_do_not_fit(tmp_path: Path) -> None:
    row: Json = {"user_input": "q", "retrieved_contexts": ["a"], "reference": "a"}
    with pytest.raises(InputError, match="1 texts and 2 ids"):
        spanscope.read_sides([{**row, "retrieved_context_ids": ["x", "y"]}])
    with pytest.raises(InputError, match="the query has no gold answers, and others have"):
        spanscope.read_sides([row, {"user_input": "p", "retrieved_contexts": []}])


def test_dpr(tmp_path: Path) -> None:
    ctxs = [
        {"id": "p1", "title": "T", "text": "Nothing.", "score": "81.5", "has_answer": False},
        {"id": "p2", "title": "U", "text": "It was Paris.", "score": "80.25", "has_answer": True},
    ]
    found = spanscope.read_sides([{"question": "q", "answers": ["Paris", "Lutetia"], "ctxs": ctxs}])
    assert found["gold"].to_dicts() == [{"query": "q", "snippets": [{"answer": ["Paris", "Lutetia"]}]}]
    assert found["pred"].to_dicts()[0]["retrieved_passages"][1] == {
        "text": "It was Paris.",
        "id": "p2",
        "score": 80.25,
        "meta": {"title": "U", "has_answer": True},
    }
    assert means([{"question": "q", "answers": ["Paris", "Lutetia"], "ctxs": ctxs}])["mrr"] == 0.5
    positive = {"passage_id": "p2", "text": "It was Paris.", "title": "U"}
    gold = [{"question": "q", "answers": ["Paris"], "positive_ctxs": [positive], "hard_negative_ctxs": [positive]}]
    assert means(gold, [{"question": "q", "ctxs": ctxs}])["mrr"] == 0.5
    assert [(one.values["kinds"], one.number) for one in spanscope.read(gold).problems] == [
        ("negative contexts", 1)
    ]


MARCO = {
    "query": "q",
    "query_id": 7,
    "answers": ["No Answer Present."],
    "passages": {"is_selected": [0, 1], "passage_text": ["no", "yes"], "url": ["u", "v"]},
}


def test_ms_marco() -> None:
    (one,) = spanscope.read([MARCO]).to_dicts()
    assert one["snippets"] == [
        {"text": "no", "relevance": 0, "meta": {"url": "u"}},
        {"text": "yes", "meta": {"url": "v"}},
    ]
    assert "meta" not in one  # which would hold the answers
    rows = [
        dict(zip(MARCO["passages"], row, strict=True)) for row in zip(*MARCO["passages"].values(), strict=True)
    ]  # type: ignore[attr-defined]
    first = {key: {"0": value} for key, value in MARCO.items()} | {"passages": {"0": rows}}
    assert spanscope.read(first).to_dicts() == spanscope.read([{**MARCO, "passages": rows}]).to_dicts() == [one]
    assert means([MARCO], [{"id": 7, "retrieved_passages": ["no", "yes"]}])["mrr"] == 0.5


def test_haystack() -> None:
    meta = {"split_idx_start": 3, "file_path": "a.txt", "source_id": "s"}
    row = {"query": "q", "documents": [{"id": "h", "content": "abc", "meta": meta, "score": 0.5}]}
    assert spanscope.read([row]).to_dicts()[0]["retrieved_passages"] == [
        {"text": "abc", "file_path": "a.txt", "span": [3, 6], "id": "s", "score": 0.5, "meta": meta}
    ]


def test_objects_of_libraries_are_told_by_their_types() -> None:
    class Document:
        id, page_content, metadata = None, "abc", {"source": "a.txt", "start_index": 2}

    class TextNode:
        id_, text, metadata, start_char_idx, end_char_idx = "n", "abc", {"file_name": "a.txt"}, 2, 5

        @property
        def relationships(self) -> Json:
            return {"1": type("Related", (), {"node_id": "d"})}

    class NodeWithScore:
        node, score = TextNode(), 0.5

    Document.__module__ = "langchain_core.documents.base"
    TextNode.__module__ = NodeWithScore.__module__ = "llama_index.core.schema"
    chain = spanscope.read([{"query": "q", "documents": [(Document(), 0.25)]}]).to_dicts()
    assert chain[0]["retrieved_passages"][0] | {"meta": None} == {
        "text": "abc",
        "file_path": "a.txt",
        "span": [2, 5],
        "id": "a.txt",
        "score": 0.25,
        "meta": None,
    }
    nodes = spanscope.read([{"query": "q", "source_nodes": [NodeWithScore()]}]).to_dicts()
    assert nodes[0]["retrieved_passages"][0] | {"meta": None} == {
        "text": "abc",
        "file_path": "a.txt",
        "span": [2, 5],
        "id": "d",
        "score": 0.5,
        "meta": None,
    }


def test_a_node_whose_place_is_another_length_has_none() -> None:
    node = {"id_": "n", "text": "abc", "start_char_idx": 2, "end_char_idx": 9, "relationships": {}}
    corpus = spanscope.read([{"query": "q", "source_nodes": [{"node": node, "score": None}]}])
    assert "span" not in corpus.to_dicts()[0]["retrieved_passages"][0]
    assert [(one.kind, one.number) for one in corpus.problems] == [("no place", 1)]


@pytest.mark.parametrize("start", [-2, "5", 1.5, True])
def test_starts_that_are_none(start: Any) -> None:
    row = {"query": "q", "documents": [{"page_content": "abc", "metadata": {"start_index": start}}]}
    with pytest.raises(InputError, match="the start of a document is"):
        spanscope.read([row])


def test_lists_of_identifiers(tmp_path: Path) -> None:
    gold = write(tmp_path / "g.json", json.dumps({"q": ["d2"], "p": ["d9"]}))
    pred = write(tmp_path / "p.json", json.dumps({"q": ["d1", "d2"], "p": ["d1"]}))
    assert means(gold, pred)["map"] == 0.25
    with pytest.raises(InputError, match="looks like qrels or a run"):
        spanscope.read(gold)
    assert judged(spanscope.read(gold, input="qrels").to_dicts()) == {"q": {"d2": 1}, "p": {"d9": 1}}
    numbers = write(tmp_path / "n.json", json.dumps({"q": [2, 1]}))
    assert list(ranked(spanscope.read(numbers, input="run").to_dicts())["q"]) == ["2", "1"]
    twice = write(tmp_path / "t.json", json.dumps({"q": ["d1", "d1"]}))
    assert "a document is in the list twice" in refused(run("eval", gold, twice))


def test_what_looks_like_lists_of_identifiers_is_something_else() -> None:
    for value in ({"tokens": ["Ann"], "tags": ["B-PER"]}, {"q": ["a passage of words"]}):
        try:
            family = spanscope.read(value).family
        except SpanscopeError:
            continue
        assert family != "passages"


def test_said_sides_are_held_to(tmp_path: Path) -> None:
    whole = SAMPLES / "ranx/qrels.json"
    message = refused(run("eval", whole, SAMPLES / "ranx/run.json", "--gold-input", "run"))
    assert "the gold side is said to hold a run" in message
    done = run("eval", whole, SAMPLES / "ranx/run.json", "--gold-input", "qrels", "--pred-input", "run", "--no-ci")
    assert done.code == 0, done.err


def test_pairs_of_question_and_answer(tmp_path: Path) -> None:
    gold = write(
        tmp_path / "g.jsonl", '{"question": "q", "answer": "Paris"}\n{"question": "p", "answer": "Rome"}\n'
    )
    pred = write(
        tmp_path / "p.jsonl", '{"question": "q", "answer": "Paris"}\n{"question": "p", "answer": "Bonn"}\n'
    )
    assert means(gold, pred, measures="passages.exact_match")["exact_match"] == 0.5


def test_gold_and_retrieved_in_one_file(tmp_path: Path) -> None:
    rows = [{"query": "q", "snippets": ["Paris"], "retrieved_passages": ["Rome", "In Paris."]}]
    path = write(tmp_path / "b.jsonl", json.dumps(rows[0]) + "\n" + json.dumps({**rows[0], "query": "p"}) + "\n")
    done = run("eval", path, "--no-ci", "-f", "json")
    assert done.code == 0, done.err
    assert means(rows)["mrr"] == means(path)["mrr"] == 0.5
    assert means(path, path)["mrr"] == 0.5
    assert run("check", path).code == 0


def test_other_names_of_fields(tmp_path: Path) -> None:
    row = {"ask": "q", "right": "Paris", "found": [{"body": "Rome"}, {"body": "In Paris."}], "note": "n"}
    names = ["query=ask", "answers=right", "passages=found", "passage_text=body"]
    path = write(tmp_path / "o.jsonl", json.dumps(row) + "\n" + json.dumps({**row, "ask": "p"}) + "\n")
    given = [part for name in names for part in ("--field", name)]
    done = run("eval", path, *given, "--no-ci", "-f", "json")
    assert done.code == 0, done.err
    fields = dict(name.split("=") for name in names)
    assert means(path, read=spanscope.Reading(fields=fields))["mrr"] == 0.5
    kept = spanscope.read_sides(path, fields=fields, keep_fields=["note"])["gold"].to_dicts()
    assert [one["meta"] for one in kept] == [{"note": "n"}] * 2
    with pytest.raises(SpanscopeError, match="no field is called 'pasages'"):
        spanscope.evaluate(
            rows := [row], rows, "passages.ranking", read=spanscope.Reading(fields={"pasages": "x"})
        )


def test_a_field_of_ragas_by_another_name() -> None:
    row = {
        "user_input": "q",
        "retrieved_contexts": ["Rome", "In Paris."],
        "reference": "x",
        "gold_answer": "Paris",
    }
    assert means([row])["mrr"] == 0
    assert means([row], read=spanscope.Reading(fields={"answers": "gold_answer"}))["mrr"] == 0.5


def test_splits_of_beir(tmp_path: Path) -> None:
    for split in ("dev", "train"):
        path = tmp_path / "qrels" / f"{split}.tsv"
        path.parent.mkdir(exist_ok=True)
        write(path, f"query-id\tcorpus-id\tscore\nq1\t{split}\t1\n")
    write(tmp_path / "corpus.jsonl", '{"_id": "dev", "text": "x"}\n')
    write(tmp_path / "queries.jsonl", '{"_id": "q1", "text": "what?"}\n')
    assert "--split NAME" in refused(run("eval", tmp_path, SAMPLES / "beir/run.json"))
    corpus = spanscope.read(tmp_path, split="train")
    assert corpus.to_dicts() == [{"id": "q1", "query": "what?", "snippets": [{"id": "train", "relevance": 1}]}]
    assert [(one.kind, one.values["what"], one.number) for one in corpus.problems] == [
        ("unknown judged", "documents", 1)
    ]
    assert spanscope.read(tmp_path, split="dev").problems == []
    with pytest.raises(InputError, match="has no split 'test'"):
        spanscope.read(tmp_path, split="test")


@pytest.mark.parametrize("header", ["qid\tcid\tscore", "query-id,corpus-id,score", "query_id doc_id rel"])
def test_headers_of_judgements_are_no_judgements(tmp_path: Path, header: str) -> None:
    parted = next(one for one in "\t, " if one in header)
    path = write(tmp_path / "q.tsv", f"{header}\n{parted.join(('q1', 'd1', '2'))}\n")
    assert judged(spanscope.read(path).to_dicts()) == {"q1": {"d1": 2}}


def test_starts_that_the_context_contradicts_are_no_places() -> None:
    row = {"id": "1", "question": "q", "context": "In Paris.", "answers": {"text": ["Paris"], "answer_start": [2]}}
    corpus = spanscope.read([row])
    assert corpus.to_dicts()[0]["snippets"] == [{"text": "Paris"}]
    assert [(one.kind, one.number) for one in corpus.problems] == [("no place", 1)]


# ---------------------------------------------------------------- TREC's files as an output


def test_what_was_read_is_written_as_files_of_trec(tmp_path: Path) -> None:
    qrels, out = tmp_path / "q.txt", tmp_path / "r.txt"
    files = SAMPLES / "beir", SAMPLES / "llamaindex/retrieved.jsonl"
    assert run("eval", *files, "--no-ci", "-f", "qrels", "-o", qrels).code == 0
    assert run("eval", *files, "--no-ci", "-f", "trec-run", "-o", out).code == 0
    assert qrels.read_text(encoding="utf-8") == (SAMPLES / "trec/qrels.txt").read_text(encoding="utf-8")
    lines = [line.split() for line in (SAMPLES / "trec/run.txt").read_text(encoding="utf-8").splitlines()]
    assert sorted(
        line.split()[:3] + line.split()[4:5] for line in out.read_text(encoding="utf-8").splitlines()
    ) == (sorted([*line[:3], line[4]] for line in lines))
    assert means(qrels, out) == means(*(SAMPLES / f"trec/{name}.txt" for name in ("qrels", "run")))


def test_what_files_of_trec_cannot_hold_is_refused() -> None:
    texts = run("eval", SAMPLES / "ragas/new.jsonl", "--no-ci", "-f", "trec-run")
    assert refused(texts).startswith("the queries are known by their texts alone\n")
    blank = spanscope.evaluate({"q": {"a b": 1}}, {"q": {"a b": 0.5}}, ci=False)
    for form in ("qrels", "trec-run"):
        with pytest.raises(SpanscopeError, match="blanks between columns"):
            render(blank, form)
    spans = [{"id": 1, "spans": [[0, 1, "A"]]}]
    with pytest.raises(SpanscopeError, match="qrels is for queries and passages"):
        render(spanscope.evaluate(spans, spans, ci=False), "qrels")
