"""Recorded figures of the tools that score retrieval and answers, through `evaluate`: reading, joining, averaging.

Left out by name:

* three records of LegalBench-RAG (VALIDATED) only say whether it takes gold places that touch: no figure;
* spanchor's figures, which take no notice of the file;
* Chroma's code has no figure for the nine cases with gold in two files;
* SQuAD 1.1's script fails on questions without gold answers, which its recorded figures leave out, as we do;
* SQuAD 2.0's script fails on questions without prediction: its figures are without them, as those of squad2;
* its best thresholds, which are no figure of one run: see test_squad_oracles.py; torchmetrics' figures;
* the case EMPTY, whose only question has no prediction: the scripts have no figures for it;
* measures of trec_eval that `passages.trec` and `passages.trec_cut` lack (OTHERS): see test_trec_oracles.py;
* `num_rel` with -c and a level above 1, and all figures of version 10.0, which are those of 9.0.8 or see there.

trec_eval's own test files and Chroma's real questions are not part of this repository: SPANSCOPE_TREC names the
folder of the ones, SPANSCOPE_CHROMA the file of the others.
"""

import json
import math
import os
import re
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.measures.passages.legal_texts import has_punkt
from tests.oracle import Json, oracle
from tests.support import needs

LEGAL: list[Json] = oracle("legal_random")["cases"]
RANDOM: list[Json] = oracle("spanret_random100")["cases"]
PLACES: list[Json] = [*oracle("legalbenchrag_random")["cases"], *RANDOM]
VALIDATED = [case for case in PLACES if "validation" in case]  # only whether the benchmark takes the gold places
SQUAD: list[Json] = oracle("squad_random100")["cases"]
CORNERS: list[Json] = list(oracle("squad_corners"))  # type: ignore[arg-type]
TREC: list[Json] = oracle("trec_random100")["cases"]
EMPTY = 27  # the case whose only question has no prediction
ANSWERED = [case for case in SQUAD if case["id"] != EMPTY]
OTHERS = re.compile(r"gm_map|infAP|11pt_avg|set_\w+|iprec_at_recall_[\d.]+")
FOLDER, REAL = (os.environ.get(name, "") for name in ("SPANSCOPE_TREC", "SPANSCOPE_CHROMA"))
FILES: list[Json] = oracle("trec_testfiles")["cases"]
CUTS = (1, 3, 5, 10, 15, 20, 30, 100, 200, 500, 1000)


def means(result: spanscope.Result, measure: str | None = None) -> dict[str, float]:
    rows = [row for row in result.rows if row.average == "document"]
    return {row.rate: row.value for row in rows if measure is None or row.measure.startswith(measure)}


def numbered(cases: list[Json]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[f"case {n}" for n in range(len(cases))])


def test_the_records_are_whole() -> None:
    assert (len(LEGAL), len(PLACES), len(SQUAD), len(CORNERS), len(TREC)) == (50, 113, 50, 18, 50)
    assert len(VALIDATED) == 3
    assert sum("chroma" not in case for case in RANDOM) == 9
    assert [case["id"] for case in SQUAD if not case["aggregate"]] == [EMPTY]


# ---------------------------------------------------------------- the legal script


def compare_legal(case: Json, result: spanscope.Result, want: Json) -> None:
    k = case["k"]
    names = {"exact_match": "exact_match", "span_f1": "span_f1", "recall": f"recall@{k}", "ndcg": f"ndcg@{k}"}
    found = [{name: row[name] for name in names} for row in result.by_document() if row["queries"]]
    theirs = [{ours: row[name] for ours, name in names.items()} for row in want["per_query"]]
    assert found == theirs  # to the last digit
    average = means(result)
    for ours, name in names.items():
        assert average[ours] == pytest.approx(want["aggregate"][name], abs=1e-12, nan_ok=True)
    assert result.documents == want["aggregate"]["num_examples"]


@pytest.mark.parametrize("case", LEGAL, ids=lambda case: f"case {case['case']}")
def test_legal_without_data(case: Json) -> None:
    needs("nltk")
    other = case["out_preserve_line_tokenizer"]
    sides = {"tests": case["gold"]}, case["predictions"]
    result = spanscope.evaluate(*sides, f"passages.legal(k={case['k']}, punkt=no)", protocol="legal", ci=False)
    compare_legal(case, result, case["out"] if other == "identical" else other)


@pytest.mark.parametrize("case", LEGAL, ids=lambda case: f"case {case['case']}")
def test_protocol_legal(case: Json) -> None:
    """The script's own figures where NLTK's data are there, else those without; the result says which."""
    needs("nltk")
    other = case["out_preserve_line_tokenizer"]
    result = spanscope.evaluate(
        {"tests": case["gold"]}, case["predictions"], protocol="legal", score=spanscope.Scoring(k=case["k"])
    )
    compare_legal(case, result, case["out"] if has_punkt() or other == "identical" else other)
    assert f"punkt={'yes' if has_punkt() else 'no'}" in result.signature()


# ---------------------------------------------------------------- characters


def spans(places: Any) -> list[Json]:
    return [{"file_path": file, "span": [start, end]} for file, start, end in places]


def placed(case: Json, protocol: str) -> spanscope.Result:
    """Score one query with places in files."""
    gold, found = spans(case["gold"]), spans(case["retrieved"])
    sides = [{"id": 1, "snippets": gold}], [{"id": 1, "retrieved_passages": found}]
    return spanscope.evaluate(*sides, protocol=protocol, ci=False)


def agree(result: spanscope.Result, measure: str, want: Json) -> None:
    """Compare the mean, which is that of the one query; both tools write 0 where there is nothing to divide by."""
    found = means(result, measure)
    assert {name: found[name] for name in want} == pytest.approx(want, abs=1e-12)


@numbered([case for case in PLACES if case not in VALIDATED])
def test_protocol_legalbench_rag(case: Json) -> None:
    result = placed(case, "legalbench-rag")
    agree(result, "passages.legalbench_rag", case["out"] if "out" in case else case["legalbenchrag"])
    if "char_set" in case:
        agree(result, "passages.characters", case["char_set"])


@numbered(RANDOM)
def test_protocol_chroma(case: Json) -> None:
    result = placed(case, "chroma")
    agree(result, "passages.characters", case["char_set"])
    if "chroma" in case:
        agree(result, "passages.chroma", case["chroma"])


@pytest.mark.skipif(not REAL, reason="needs SPANSCOPE_CHROMA, the file of Chroma's questions with figures")
def test_real_questions() -> None:
    data = json.loads(Path(REAL).read_text("utf-8"))
    forms = [
        "passages.chroma",
        "passages.legalbench_rag",
        "passages.characters(k=1000)",
        "passages.documents(k=1000)",
    ]
    keys = ("chroma", "legalbenchrag", "char_set")
    for config in data["configs"]:
        own = config["per_query"]
        gold = [{"id": n, "snippets": spans(data["gold"][query["q"]])} for n, query in enumerate(own)]
        pred = [{"id": n, "retrieved_passages": spans(query["retrieved"])} for n, query in enumerate(own)]
        result = spanscope.evaluate(gold, pred, forms, score=spanscope.Scoring(undefined=0.0), ci=False)
        found = [result.by_document(measure) for measure in result.measures]
        assert len(own) == len(found[0]) == 472
        for n, query in enumerate(own):
            for key, rows in zip(keys, found, strict=False):
                want = query[key]
                assert {name: rows[n][name] for name in want} == pytest.approx(want, abs=1e-12)
            assert found[3][n]["mismatch"] == pytest.approx(query["drm"])


# ---------------------------------------------------------------- SQuAD


def squad_gold(case: Json) -> Json:
    """Return a case as SQuAD's own file has it."""
    asked = [{"id": one["id"], "answers": [{"text": t} for t in one["gold"]]} for one in case["questions"]]
    return {"version": "x", "data": [{"title": "t", "paragraphs": [{"qas": asked}]}]}


def with_chances(case: Json) -> list[Json]:
    """Return predictions as evaluation libraries have them."""
    return [
        {"id": name, "prediction_text": said, "no_answer_probability": case["na_probs"][name]}
        for name, said in case["predictions"].items()
    ]


def compare_squad2(rows: list[Json], want: Json, prefix: str) -> None:
    assert len(rows) == want.get(f"{prefix}total", 0)
    for ours, theirs in (("exact_match", "exact"), ("f1", "f1")):
        if rows:
            found = sum(row[ours] for row in rows) / len(rows)
            assert 100 * found == pytest.approx(want[f"{prefix}{theirs}"], abs=1e-9)


@pytest.mark.parametrize("threshold", [1.0, 0.5])
@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: f"case {case['id']}")
def test_squad2(case: Json, threshold: float) -> None:
    form = f"passages.squad(no_answer={threshold})"
    result = spanscope.evaluate(squad_gold(case), with_chances(case), form, protocol="squad2", ci=False)
    want, rows = case["aggregate"][f"v2_thresh_{threshold}"], list(result.by_document())
    average = means(result)
    assert 100 * average["exact_match"] == pytest.approx(want["exact"], abs=1e-9)
    assert 100 * average["f1"] == pytest.approx(want["f1"], abs=1e-9)
    compare_squad2(rows, want, "")
    compare_squad2([row for row in rows if row["gold"]], want, "HasAns_")
    compare_squad2([row for row in rows if not row["gold"]], want, "NoAns_")


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: f"case {case['id']}")
def test_squad2_of_answers_alone(case: Json) -> None:
    result = spanscope.evaluate(squad_gold(case), case["predictions"], protocol="squad2", ci=False)
    for row in result.by_document():
        want = case["per_question"][row["document"]]["v2"]
        assert (row["exact_match"], row["f1"], row["gold"] > 0) == (want["em"], want["f1"], want["has_ans"])
    compare_squad2(list(result.by_document()), case["aggregate"]["v2_thresh_1.0"], "")


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: f"case {case['id']}")
def test_squad1(case: Json) -> None:
    """1.1 counts a question without prediction as wrong."""
    result = spanscope.evaluate(squad_gold(case), case["predictions"], protocol="squad", ci=False)
    for row in result.by_document():
        want = case["per_question"][row["document"]]
        if want is None:  # no prediction
            assert (row["exact_match"], row["f1"]) in ((0, 0), (None, None))
        elif isinstance(want["v1"], str):  # the exception of the script: no gold answer
            assert (row["exact_match"], row["f1"]) == (None, None)
        else:
            assert (row["exact_match"], row["f1"]) == (want["v1"]["em"], want["v1"]["f1"])
    average = means(result)
    for name, value in case["aggregate"]["v1_answerable_only"].items():
        assert 100 * average[name] == pytest.approx(value, abs=1e-9, nan_ok=True)


def test_squad2_without_predictions() -> None:
    (case,) = [case for case in SQUAD if case["id"] == EMPTY]
    result = spanscope.evaluate(squad_gold(case), case["predictions"], protocol="squad2")
    assert (result.documents, [*means(result).values()]) == (0, pytest.approx([math.nan] * 2, nan_ok=True))
    assert result.problems.number["nothing in common"] == 1
    assert "NaN" not in result.to_json(documents=True)


@pytest.mark.parametrize("corner", CORNERS, ids=lambda corner: f"{corner['pred']}|{corner['gold']}")
def test_squad_corners(corner: Json) -> None:
    gold = squad_gold({"questions": [{"id": "q", "gold": [corner["gold"]]}]})
    for protocol, version in (("squad", "v1"), ("squad2", "v2")):
        (row,) = spanscope.evaluate(gold, {"q": corner["pred"]}, protocol=protocol, ci=False).by_document()
        assert (row["exact_match"], row["f1"]) == (corner[f"{version}_em"], corner[f"{version}_f1"])


# ---------------------------------------------------------------- trec_eval


def named(result: spanscope.Result, records: Any) -> dict[str, dict[str, float]]:
    """Return the figures of `records(measure)` by trec_eval's names."""
    out: dict[str, dict[str, float]] = {}
    for measure in result.measures:
        k = dict(measure.params).get("k")
        for query, figures in records(measure).items():
            own = out.setdefault(query, {})
            own.update({name if k is None else f"{name}_{k}": value for name, value in figures.items()})
    return out


def compare_trec(case: Json, *sides: Any) -> None:
    level = case["relevance_level"]
    cuts = [f"passages.trec_cut(k={k}, level={level})" for k in CUTS]
    result = spanscope.evaluate(*sides, [f"passages.trec(level={level})", *cuts], protocol="trec", ci=False)
    found = named(result, lambda measure: {row["document"]: row for row in result.by_document(measure)})
    assert set(found) == set(case["qrels"])
    for query, want in case["per_query"].items():
        known = {name: value for name, value in want.items() if not OTHERS.fullmatch(name)}
        assert len(known) == 8 + 5 * len(CUTS)
        assert {name: found[query][name] for name in known} == known  # to the last digit
    average = named(result, lambda measure: {"all": means(result, str(measure))})["all"]
    want = {name: value for name, value in case["trec_eval_9_0_8_c_all"].items() if name in average}
    assert len(want) == 5 + 5 * len(CUTS)
    assert {name: f"{average[name]:.4f}" for name in want} == want
    sums = {name: f"{sum(own[name] for own in found.values()):.0f}" for name in ("num_ret", "num_rel_ret")}
    assert sums == {name: case["trec_eval_9_0_8_c_all"][name] for name in sums}


@pytest.mark.parametrize("case", TREC, ids=lambda case: f"{case['id']}-{case['kind']}")
def test_trec(case: Json) -> None:
    compare_trec(case, case["qrels"], case["run"])


@pytest.mark.parametrize("case", TREC, ids=lambda case: f"{case['id']}-{case['kind']}")
def test_trec_files(case: Json, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The ranks are wrong, as they may be."""
    folder = tmp_path_factory.mktemp("trec")
    qrels = [f"{q} 0 {d} {grade}\n" for q, own in case["qrels"].items() for d, grade in own.items()]
    run = [f"{q} Q0 {d} 1 {score!r} t\n" for q, own in case["run"].items() for d, score in own.items()]
    for name, lines in (("qrels", qrels), ("run", run)):
        (folder / name).write_text("".join(lines), "utf-8")
    compare_trec(case, str(folder / "qrels"), str(folder / "run"))


@pytest.mark.parametrize("case", TREC, ids=lambda case: f"{case['id']}-{case['kind']}")
def test_trec_as_passages(case: Json) -> None:
    """Judgements as graded snippets, runs as passages with ids: the figures are the same."""
    gold = [
        {"id": query, "snippets": [{"id": name, "relevance": grade} for name, grade in own.items()]}
        for query, own in case["qrels"].items()
    ]
    compare_trec(case, gold, case["run"])


@pytest.mark.skipif(not FOLDER, reason="needs SPANSCOPE_TREC, the folder of trec_eval's test files")
@pytest.mark.parametrize("case", FILES, ids=[case["name"] for case in FILES])
def test_trec_evals_own_files(case: Json, tmp_path: Path) -> None:
    """Lines of results.trunc have words after the tag, which trec_eval skips and we refuse: they are cut off."""
    run = Path(FOLDER) / ("results.trunc" if "trunc" in case["name"] else "results.test")
    lines = run.read_text("latin-1").splitlines()
    (tmp_path / "run").write_text("".join(" ".join(line.split()[:6]) + "\n" for line in lines), "utf-8")
    forms = [
        f"passages.{name}level={case['relevance_level']})"
        for name in ("trec(", *(f"trec_cut(k={k}, " for k in CUTS))
    ]
    sides = str(Path(FOLDER) / case["qrels_file"]), str(tmp_path / "run")
    missing = "empty" if "-c" in case["flags"] else "skip"
    result = spanscope.evaluate(*sides, forms, protocol="trec", missing=missing, ci=False)
    found = named(result, lambda measure: {row["document"]: row for row in result.by_document(measure)})
    for query, want in case["pytrec_eval"].items():
        known = {name: value for name, value in want.items() if not OTHERS.fullmatch(name)}
        assert {name: found[query][name] for name in known} == known
    average = named(result, lambda measure: {"all": means(result, str(measure))})["all"]
    printed = {name: value for name, value in case["trec_eval_9_0_8"]["all"].items() if name in average}
    assert len(printed) > 40
    assert {name: f"{average[name]:.4f}" for name in printed} == printed
