"""Recorded figures of the tools that score retrieval and answers, through `evaluate`: reading, joining, averaging.

Left out by name:

* three records of LegalBench-RAG (VALIDATED) only say whether it takes gold places that touch: no figure;
* SQuAD 1.1's script fails on questions without gold answers, which its recorded figures leave out, as we do;
* SQuAD 2.0's script fails on questions without prediction: its figures are without them (missing="skip");
* figures of trec_eval that `passages.trec` does not have, and version 10.0's, which rounds in another way.

LegalBench-RAG writes 0 where there is nothing to divide by; we leave the figure undefined.
"""

import pytest

import spanscope
from tests.oracle import Json, oracle

pytest.importorskip("nltk")

LEGAL: list[Json] = oracle("legal_random")["cases"]
PLACES: list[Json] = [*oracle("legalbenchrag_random")["cases"], *oracle("spanret_random100")["cases"]]
VALIDATED = [case for case in PLACES if "validation" in case]  # only whether the benchmark takes the gold places
SQUAD: list[Json] = oracle("squad_random100")["cases"]
CORNERS: list[Json] = list(oracle("squad_corners"))  # type: ignore[arg-type]
TREC: list[Json] = oracle("trec_random100")["cases"]
UNANSWERED = 15  # a question without prediction whose gold answer is "" once normalised
EMPTY = 27  # the case whose only question has no prediction: the scripts have no figures for it
ANSWERED = [case for case in SQUAD if case["id"] != EMPTY]
FIGURES = (
    *("map", "ndcg", "ndcg_cut_10", "recip_rank", "Rprec", "bpref", "P_5", "P_10"),
    *("recall_10", "recall_100", "success_1", "success_5", "success_10"),
)


def records(result: spanscope.Result) -> list[Json]:
    return list(result.by_document())


def means(result: spanscope.Result) -> dict[str, float]:
    return {row.rate: row.value for row in result.rows if row.average == "document"}


# ---------------------------------------------------------------- the legal script


@pytest.mark.parametrize("case", LEGAL, ids=lambda case: f"case {case['case']}")
def test_legal(case: Json) -> None:
    other, k = case["out_preserve_line_tokenizer"], case["k"]
    want = case["out"] if other == "identical" else other
    result = spanscope.evaluate({"tests": case["gold"]}, case["predictions"], protocol="legal", k=k)
    names = {"exact_match": "exact_match", "span_f1": "span_f1", "recall": f"recall@{k}", "ndcg": f"ndcg@{k}"}
    found = [{name: row[name] for name in names} for row in records(result) if row["queries"]]
    theirs = [{ours: row[name] for ours, name in names.items()} for row in want["per_query"]]
    assert found == theirs  # to the last digit
    average = means(result)
    for ours, name in names.items():
        assert average[ours] == pytest.approx(want["aggregate"][name], abs=1e-12, nan_ok=True)
    assert result.documents == want["aggregate"]["num_examples"]


# ---------------------------------------------------------------- characters


def placed(case: Json, form: str) -> Json:
    """Return the record of one query with places in files."""
    gold, found = (
        [{"file_path": file, "span": [a, b]} for file, a, b in case[side]] for side in ("gold", "retrieved")
    )
    sides = [{"id": 1, "snippets": gold}], [{"id": 1, "retrieved_passages": found}]
    (record,) = spanscope.evaluate(*sides, form, k=1000).by_document()
    return record


def zero(value: float | None) -> float:
    return 0.0 if value is None else value


def numbered(cases: list[Json]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[f"case {n}" for n in range(len(cases))])


@numbered([case for case in PLACES if case not in VALIDATED])
def test_legalbench_rag(case: Json) -> None:
    want = case["out"] if "out" in case else case["legalbenchrag"]
    found = placed(case, "passages.legalbench_rag")
    for name in ("precision", "recall"):
        assert zero(found[name]) == pytest.approx(want[name], abs=1e-12), name


@numbered(oracle("spanret_random100")["cases"])
def test_characters(case: Json) -> None:
    found = placed(case, "passages.characters")
    for name, want in case["char_set"].items():
        assert zero(found[name]) == pytest.approx(want, abs=1e-12), name


@numbered(PLACES)
def test_protocol_legalbench_rag_has_both(case: Json) -> None:
    gold, found = (
        [{"file_path": file, "span": [a, b]} for file, a, b in case[side]] for side in ("gold", "retrieved")
    )
    sides = [{"id": 1, "snippets": gold}], [{"id": 1, "retrieved_passages": found}]
    result = spanscope.evaluate(*sides, protocol="legalbench-rag")
    for name in ("passages.legalbench_rag", "passages.characters"):
        (measure,) = [one for one in result.measures if one.name == name]
        assert list(result.by_document(measure)) == [placed(case, name)]


# ---------------------------------------------------------------- SQuAD


def squad_sides(case: Json) -> tuple[Json, dict[str, str]]:
    """Return a case as SQuAD's own files have it."""
    asked = [{"id": one["id"], "answers": [{"text": t} for t in one["gold"]]} for one in case["questions"]]
    return {"version": "x", "data": [{"title": "t", "paragraphs": [{"qas": asked}]}]}, case["predictions"]


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: f"case {case['id']}")
def test_squad2(case: Json) -> None:
    result = spanscope.evaluate(*squad_sides(case), protocol="squad2", missing="skip")
    for row in records(result):
        want = case["per_question"][row["document"]]["v2"]
        assert (row["exact_match"], row["f1"]) == (want["em"], want["f1"])
    want, average = case["aggregate"]["v2_thresh_1.0"], means(result)
    assert result.documents == want["total"]
    assert 100 * average["exact_match"] == pytest.approx(want["exact"], abs=1e-9)
    assert 100 * average["f1"] == pytest.approx(want["f1"], abs=1e-9)


def squad1_case(case: Json) -> object:
    reason = "a question without prediction is scored as if it were answered by an empty text"
    marks = [pytest.mark.xfail(strict=True, reason=reason)] if case["id"] == UNANSWERED else []
    return pytest.param(case, id=f"case {case['id']}", marks=marks)


@pytest.mark.parametrize("case", [squad1_case(case) for case in ANSWERED])
def test_squad1(case: Json) -> None:
    """1.1 counts a question without prediction as wrong."""
    result = spanscope.evaluate(*squad_sides(case), protocol="squad", missing="empty")
    for row in records(result):
        want = case["per_question"][row["document"]]
        if want is None or isinstance(want["v1"], str):  # no prediction, or the exception of the script
            continue
        assert (row["exact_match"], row["f1"]) == (want["v1"]["em"], want["v1"]["f1"])
    average = means(result)
    for name, value in case["aggregate"]["v1_answerable_only"].items():
        assert 100 * average[name] == pytest.approx(value, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("corner", CORNERS, ids=lambda corner: f"{corner['pred']}|{corner['gold']}")
def test_squad_corners(corner: Json) -> None:
    case = {"questions": [{"id": "q", "gold": [corner["gold"]]}], "predictions": {"q": corner["pred"]}}
    for protocol, version in (("squad", "v1"), ("squad2", "v2")):
        (row,) = records(spanscope.evaluate(*squad_sides(case), protocol=protocol))
        assert (row["exact_match"], row["f1"]) == (corner[f"{version}_em"], corner[f"{version}_f1"])


# ---------------------------------------------------------------- trec_eval


def as_files(case: Json) -> tuple[str, str]:
    """Return judgements and run as trec_eval reads them; the ranks are wrong, as they may be."""
    qrels = [f"{q} 0 {d} {grade}\n" for q, own in case["qrels"].items() for d, grade in own.items()]
    run = [f"{q} Q0 {d} 1 {score!r} t\n" for q, own in case["run"].items() for d, score in own.items()]
    return "".join(qrels), "".join(run)


def compare_trec(case: Json, result: spanscope.Result) -> None:
    rows = {row["document"]: row for row in records(result)}
    assert set(rows) == set(case["qrels"])
    for query, want in case["per_query"].items():
        known = {name for name in FIGURES if name in want}
        assert {name: rows[query][name] for name in known} == {name: want[name] for name in known}
        assert len(known) == len(FIGURES)
    average, want = means(result), case["trec_eval_9_0_8_c_all"]
    assert {name: f"{average[name]:.4f}" for name in FIGURES} == {name: want[name] for name in FIGURES}


@pytest.mark.parametrize("case", TREC, ids=lambda case: f"{case['id']}-{case['kind']}")
def test_trec(case: Json) -> None:
    form = f"passages.trec(level={case['relevance_level']})"
    compare_trec(case, spanscope.evaluate(case["qrels"], case["run"], form, protocol="trec"))


@pytest.mark.parametrize("case", TREC, ids=lambda case: f"{case['id']}-{case['kind']}")
def test_trec_files(case: Json, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("trec")
    for name, content in zip(("qrels", "run"), as_files(case), strict=True):
        (folder / name).write_text(content, "utf-8")
    form = f"passages.trec(level={case['relevance_level']})"
    compare_trec(case, spanscope.evaluate(str(folder / "qrels"), str(folder / "run"), form, protocol="trec"))


def test_the_records_are_whole() -> None:
    assert (len(LEGAL), len(PLACES), len(SQUAD), len(CORNERS), len(TREC)) == (50, 113, 50, 18, 50)
    assert len(VALIDATED) == 3
