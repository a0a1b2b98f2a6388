"""How fast tagged tokens are scored: Spanscope beside seqeval and, where it is installed, presidio-evaluator.

    python benchmarks/tokens.py                              # 10,000 documents x 40 tokens x about 4 entities
    python benchmarks/tokens.py --documents 2000 --only seqeval --only spanscope-seqeval

From tag lists: seqeval's classification report against the protocol `seqeval`, conversion included. From tokens
and tags: presidio-evaluator's span evaluator (its data frame made before the clock starts; it needs 77 packages,
so it is no dependency: pip install presidio-evaluator) against `tokens.presidio`, and against the protocol
`presidio` that gives its own figures. The exit code is 1 when a tool failed or two that must agree do not.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clock import Case, Job, Tool, environment, finish, options, run_all, show_documents

from spanscope import Scoring
from spanscope.settings.options import grouped

TOKENS = 40
TYPES = ("PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME")
WORDS = ("Boston", "the", "report", "John", "Smith", "visited", "of", "New", "York", "Friday", "Acme", "Inc.")
SEED = 20261116


@dataclass(frozen=True)
class Document:
    """Tokens with gold and predicted types; neighbours of one type never touch."""

    tokens: list[str]
    gold: list[str]
    pred: list[str]


def corpus(documents: int) -> list[Document]:
    """Make documents with about four entities: most found, some cut short, of another type, missed or new."""
    draw = random.Random(SEED)
    out = []
    for _ in range(documents):
        tokens = [draw.choice(WORDS) for _ in range(TOKENS)]
        gold, pred = ["O"] * TOKENS, ["O"] * TOKENS
        at = draw.randint(0, 8)
        while at < TOKENS - 4:
            size, kind, fate = draw.randint(1, 3), draw.choice(TYPES), draw.random()
            if fate < 0.95:
                gold[at : at + size] = [kind] * size
            if fate > 0.1:
                found = kind if draw.random() < 0.9 else draw.choice(TYPES)
                cut = size if draw.random() < 0.85 else 1
                pred[at : at + cut] = [found] * cut
            at += size + draw.randint(2, 12)
        out.append(Document(tokens, gold, pred))
    return out


def bio(types: list[str]) -> list[str]:
    """Return the tags of IOB2."""
    before = ["O", *types[:-1]]
    return [t if t == "O" else f"{'I' if t == b else 'B'}-{t}" for t, b in zip(types, before, strict=True)]


def seqeval(number: int, _: Path) -> Job:
    """Ask for the report as a dict, because the printed one rounds."""
    from seqeval.metrics import classification_report

    made = corpus(number)
    gold, pred = ([bio(getattr(one, side)) for one in made] for side in ("gold", "pred"))
    return Job(
        lambda: classification_report(gold, pred, output_dict=True),
        lambda report: {"f1": float(report["micro avg"]["f1-score"])},
    )


def spanscope_seqeval(number: int, _: Path) -> Job:
    """Give the same report from the same lists of tags."""
    from spanscope import evaluate

    made = corpus(number)
    gold, pred = ([bio(getattr(one, side)) for one in made] for side in ("gold", "pred"))
    return Job(
        lambda: evaluate(gold, pred, protocol="seqeval", score=Scoring(errors=False), ci=False),
        lambda result: {"f1": result.value("f1")},
    )


def presidio(number: int, _: Path) -> Job:
    """Give it the data frame its users make, ready."""
    import pandas
    from presidio_evaluator.evaluation import SpanEvaluator

    rows = []
    for key, one in enumerate(corpus(number)):
        at = 0
        for token, gold, pred in zip(one.tokens, one.gold, one.pred, strict=True):
            rows.append((key, token, gold, pred, at))
            at += len(token) + 1
    frame = pandas.DataFrame(rows, columns=["sentence_id", "token", "annotation", "prediction", "start_indices"])
    return Job(
        lambda: SpanEvaluator().calculate_score_on_df(frame, beta=2, level="both"),
        lambda result: {"pii_f2": float(result.pii_f)},
    )


def documents_of(number: int) -> list[dict[str, Any]]:
    """Return documents with tokens and both columns of tags."""
    return [
        {"id": key, "tokens": one.tokens, "tags": one.gold, "predicted_tags": one.pred}
        for key, one in enumerate(corpus(number))
    ]


def spanscope_presidio(number: int, _: Path) -> Job:
    """Give the tool's own figures, and those of its token evaluator, from documents with tokens and tags."""
    from spanscope import evaluate

    made = documents_of(number)
    return Job(
        lambda: evaluate(
            made, protocol="presidio", measures="tokens.presidio_evaluator", score=Scoring(errors=False), ci=False
        ),
        lambda result: {"pii_f2": result.value("f2")},
    )


def spanscope_pii(number: int, _: Path) -> Job:
    """Run our own span evaluation from the same documents, reading included."""
    from spanscope import evaluate

    made = documents_of(number)
    asked: dict[str, Any] = {"measures": "tokens.presidio", "beta": 2, "scheme": "IO", "errors": False}
    return Job(lambda: evaluate(made, **grouped(asked), ci=False), lambda _: {})


def spanscope_columns(number: int, _: Path) -> Job:
    """Run our own span evaluation on columns that have been read: what presidio-evaluator starts from, too."""
    from spanscope.commands.evaluate import score_sides
    from spanscope.io.read_options import ReadOptions
    from spanscope.io.tokens.reading import read_both
    from spanscope.io.tokens.tag_rules import TagRules
    from spanscope.settings.run_settings import Input
    from spanscope.settings.settle import settle

    settings = settle("tokens.presidio", None, score=Scoring(beta=2.0))
    gold, pred, _scheme = read_both(documents_of(number), None, ReadOptions(tags=TagRules("IO")))
    about = (Input.of(None, gold), Input.of(None, pred))
    return Job(lambda: score_sides(gold, pred, settings, about, errors=False), lambda _: {})


def _case(
    name: str, package: str, did: str, prepare: Callable[[int, Path], Job], base: str, most: int = 10**9
) -> Case:
    return Case(Tool(name, package, did, prepare, base, peer=most < 10**9), most)  # type: ignore[arg-type]


TAGS, SPANS = "spanscope-seqeval", "spanscope-columns"
CASES = [
    _case("seqeval", "seqeval", "tag lists: report, by type", seqeval, TAGS),
    _case("spanscope-seqeval", "spanscope", "tag lists: the same report", spanscope_seqeval, TAGS),
    _case("presidio-evaluator", "presidio_evaluator", "data frame: span evaluator", presidio, SPANS, 200),
    _case("spanscope-presidio", "spanscope", "documents: the tool's own figures", spanscope_presidio, SPANS),
    _case("spanscope-pii", "spanscope", "documents: tokens.presidio", spanscope_pii, SPANS),
    _case("spanscope-columns", "spanscope", "columns: tokens.presidio", spanscope_columns, SPANS),
]


def agree(records: list[dict[str, Any]], documents: int) -> str:
    """Hold figures that must be the same against each other; peers that ran on a part, against ours on it."""
    figures = {facts["tool"]: facts for facts in records if facts.get("figures")}
    wrong = [facts["tool"] for facts in records if facts["failed"]]
    for tool, ours, prepare in (
        ("seqeval", "f1", spanscope_seqeval),
        ("presidio-evaluator", "pii_f2", spanscope_presidio),
    ):
        if tool in figures:
            job = prepare(min(documents, figures[tool]["documents"]), Path())
            if abs(job.figures(job.work())[ours] - figures[tool]["figures"][ours]) > 1e-12:
                wrong.append(tool)
    return f"FAILURES: {', '.join(wrong)}" if wrong else "the same to 1e-12 where tools must agree"


def main() -> int:
    """Run the chosen tools one after the other, then print."""
    args = options(__doc__, CASES)
    print(
        f"{args.documents:,} documents of {TOKENS} tokens; best of {args.repeat} runs, or as many as fit a second"
    )
    facts = environment(dict.fromkeys([*(case.tool.package for case in CASES), "numpy"]))
    print(", ".join(f"{name} {value}" for name, value in facts.items()), flush=True)
    records = run_all(CASES, args)
    show_documents(records, TAGS, "From lists of tags")
    show_documents(records, SPANS, "From tokens with tags")
    return finish(args, facts, records, agree(records, args.documents))


if __name__ == "__main__":
    sys.exit(main())
