"""How fast retrieval is scored: Spanscope beside pytrec_eval and ranx by identifier, and a plain script by text.

    python benchmarks/passages.py                    # 10,000 queries x 100 identifiers; 6,889 queries x 10 texts
    python benchmarks/passages.py --only pytrec_eval --only spanscope-four

By identifier, from the same dicts of dicts in memory, about five relevant documents a query, some scores equal:
pytrec_eval makes its evaluator, evaluates and averages; ranx (37 packages, so it is no dependency: pip install
ranx) makes its Qrels and Run and evaluates, once warmed up. `spanscope-four` gives the figures they are asked for,
`spanscope-trec` all twenty of the protocol trec. By text: passages of about 500 characters, one to three gold
answers; the plain script looks for every answer in every passage, as people write it, and `script-all` computes
the F1 of every passage with every answer as well. The exit code is 1 when tools that must agree do not.
"""

from __future__ import annotations

import math
import random
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from clock import Case, Job, Tool, environment, finish, options, run_all, show_documents

from spanscope import Scoring

SEED = 20261116
RETRIEVED, RELEVANT, K = 100, 5, 10
TEXTS = 6_889 / 10_000  # queries by text for every query by identifier: as many as LegalBench-RAG has
PASSAGES, WORDS = 10, 82
Judged = dict[str, dict[str, Any]]


def rankings(queries: int) -> tuple[Judged, Judged]:
    """Make judgements and a run: three of five relevant documents are retrieved, one score in twenty rounded."""
    draw = random.Random(SEED)
    names = [f"d{number}" for number in range(50_000)]
    qrels, run = {}, {}
    for number in range(queries):
        own = draw.sample(names, RETRIEVED)
        scores = [draw.random() for _ in own]
        run[f"q{number}"] = {
            name: round(score, 2) if draw.random() < 0.05 else score
            for name, score in zip(own, scores, strict=True)
        }
        wanted = draw.sample(own, 3) + draw.sample(names, RELEVANT - 3)
        qrels[f"q{number}"] = dict.fromkeys(wanted, 1)
    return qrels, run


def pytrec_eval(number: int, _: Path) -> Job:
    """Evaluate and average, as its documentation does."""
    import pytrec_eval

    qrels, run = rankings(number)
    names = ("map", "recip_rank", "ndcg_cut_10", "recall_10")

    def work() -> dict[str, float]:
        asked = {"map", "recip_rank", "ndcg_cut.10", "recall.10"}
        found = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)
        return {name: sum(one[name] for one in found.values()) / len(found) for name in names}

    return Job(work, dict)


def ranx(number: int, _: Path) -> Job:
    """Make its objects and evaluate; the first call, which compiles, is over before the clock starts."""
    from ranx import Qrels, Run, evaluate

    qrels, run = rankings(number)
    asked = ["map", "mrr", f"ndcg@{K}", f"recall@{K}"]

    def work() -> dict[str, float]:
        found = evaluate(Qrels(qrels), Run(run), asked)
        return {name: float(value) for name, value in found.items()}

    work()
    return Job(work, lambda _: {})  # equal scores in another order: its figures differ in the fifth digit


def spanscope_ids(measures: list[str] | None, number: int, _: Path) -> Job:
    """Give the same figures, or all of the protocol, from the same dicts."""
    from spanscope import evaluate

    qrels, run = rankings(number)

    def figures(result: Any) -> dict[str, float]:
        at_k, mean = f"passages.trec_cut(k={K})", "document"
        return {
            "map": result.value("map", "passages.trec", mean),
            "recip_rank": result.value("recip_rank", "passages.trec", mean),
            "ndcg_cut_10": result.value("ndcg_cut", at_k, mean),
            "recall_10": result.value("recall", at_k, mean),
        }

    protocol = "trec" if measures is None else None
    return Job(
        lambda: evaluate(qrels, run, measures, protocol=protocol, score=Scoring(errors=False), ci=False), figures
    )


def texts(queries: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Make queries with gold answers and passages, some of which hold an answer; passages come back."""
    draw = random.Random(SEED)
    words = [
        "".join(draw.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(draw.randint(2, 9))) for _ in range(4000)
    ]
    chunks = [" ".join(draw.choices(words, k=WORDS)) + "." for _ in range(max(queries, 20))]
    gold, pred = [], []
    for number in range(queries):
        own = draw.sample(chunks, PASSAGES)
        answers = []
        for _ in range(draw.randint(1, 3)):
            inside = draw.choice(own).split()
            first = draw.randrange(len(inside) - 12)
            found = " ".join(inside[first : first + 12]).upper()
            answers.append(found if draw.random() < 0.7 else " ".join(draw.choices(words, k=12)))
        gold.append({"query": f"question {number}", "snippets": [{"answer": one} for one in answers]})
        pred.append({"query": f"question {number}", "retrieved_passages": own})
    return gold, pred


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.lower()).strip()


def _f1(one: str, other: str) -> float:
    first, second = (set(re.findall(r"[a-z0-9]+", text.lower())) for text in (one, other))
    shared = len(first & second)
    if not shared:
        return 0.0
    precision, recall = shared / len(first), shared / len(second)
    return 2 * precision * recall / (precision + recall)


def _of_query(passages: list[str], golds: list[str], every: bool) -> tuple[float, float, float, float]:
    """Return exact match, span F1, recall and nDCG, every passage held against every gold answer.

    With `every`, F1 is computed for every pair too, and that of the first passage kept.
    """
    exact = float(any(passages[0].strip().lower() == gold.strip().lower() for gold in golds))
    best = [max(_f1(passage, gold) for gold in golds) for passage in (passages if every else passages[:1])]
    f1 = best[0]
    slots: list[int] = []
    met: set[int] = set()
    for passage in passages[:K]:
        new = set()
        for at, gold in enumerate(golds):
            one, other = _plain(passage), _plain(gold)
            if at not in met and (other in one or one in other):
                new.add(at)
        slots += [1] * len(new) or [0]
        met |= new
    gain = sum(one / math.log2(at + 2) for at, one in enumerate(slots[:K]))
    return exact, f1, len(met) / len(golds), gain / sum(1 / math.log2(at + 2) for at in range(min(len(golds), K)))


def script(every: bool, number: int, _: Path) -> Job:
    """Score as people's scripts do: a loop over queries, passages and answers."""
    gold, pred = texts(round(number * TEXTS))

    def work() -> dict[str, float]:
        rows = [
            _of_query(found["retrieved_passages"], [one["answer"] for one in asked["snippets"]], every)
            for asked, found in zip(gold, pred, strict=True)
        ]
        means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        return dict(zip(("exact_match", "span_f1", "recall", "ndcg"), means, strict=True))

    return Job(work, dict)


def spanscope_texts(number: int, _: Path) -> Job:
    """Give the same four figures and the rest of the protocol passages, reading included."""
    from spanscope import evaluate

    gold, pred = texts(round(number * TEXTS))

    def figures(result: Any) -> dict[str, float]:
        measures = {"exact_match": "passages.exact_match", "span_f1": "passages.span_f1"}
        return {
            rate: result.value(rate, measures.get(rate, f"passages.ranking(k={K})"), "document")
            for rate in ("exact_match", "span_f1", "recall", "ndcg")
        }

    return Job(lambda: evaluate(gold, pred, protocol="passages", score=Scoring(errors=False), ci=False), figures)


def _case(name: str, package: str, did: str, prepare: Callable[[int, Path], Job], base: str) -> Case:
    peer = not name.startswith("spanscope")
    return Case(Tool(name, package, did, prepare, base, peer=peer))  # type: ignore[arg-type]


IDS, TEXT = "spanscope-four", "spanscope-texts"
FOUR = ["passages.trec", f"passages.trec_cut(k={K})"]
CASES = [
    _case("pytrec_eval", "pytrec_eval", "dicts: MAP, MRR, nDCG and recall at 10", pytrec_eval, IDS),
    _case("ranx", "ranx", "dicts: the same, compiled before", ranx, IDS),
    _case("spanscope-four", "spanscope", "dicts: the same and six more", partial(spanscope_ids, FOUR), IDS),
    _case("spanscope-trec", "spanscope", "dicts: the protocol trec", partial(spanscope_ids, None), IDS),
    _case("script", "spanscope", "texts: the four figures", partial(script, False), TEXT),
    _case("script-all", "spanscope", "texts: the same, F1 of every passage", partial(script, True), TEXT),
    _case("spanscope-texts", "spanscope", "texts: the protocol passages", spanscope_texts, TEXT),
]


def agree(records: list[dict[str, Any]]) -> str:
    """Hold figures that must be the same against each other."""
    wrong = [facts["tool"] for facts in records if facts["failed"]]
    figures = {facts["tool"]: facts["figures"] for facts in records if facts.get("figures")}
    for peer, ours in (("pytrec_eval", IDS), ("pytrec_eval", "spanscope-trec"), ("script", TEXT)):
        if peer in figures and ours in figures:
            theirs = figures[peer]
            if any(abs(theirs[name] - value) > 1e-12 for name, value in figures[ours].items()):
                wrong.append(f"{peer} and {ours}")
    return f"FAILURES: {', '.join(wrong)}" if wrong else "the same to 1e-12 where tools must agree"


def main() -> int:
    """Run the chosen tools one after the other, then print."""
    args = options(__doc__, CASES)
    print(f"{args.documents:,} queries by identifier, {round(args.documents * TEXTS):,} by text", flush=True)
    facts = environment(dict.fromkeys([*(case.tool.package for case in CASES), "numpy"]))
    print(", ".join(f"{name} {value}" for name, value in facts.items()), flush=True)
    records = run_all(CASES, args)
    show_documents(records, IDS, "By identifier, from dicts in memory")
    show_documents(records, TEXT, "By text, from lists of dicts")
    return finish(args, facts, records, agree(records))


if __name__ == "__main__":
    sys.exit(main())
