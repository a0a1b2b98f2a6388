"""How fast labelled spans are scored: Spanscope beside nervaluate, seqeval and merely reading the files.

    python benchmarks/spans.py                                     # 200,000 documents, some minutes
    python benchmarks/spans.py --documents 5000 --only nervaluate --only spanscope

In memory, every tool starts from the Python objects its users hold, and its own conversion is timed. From
files, the floor is decoding both into typed spans and dropping them: what is left when nothing is scored.
The exit code is 1 when a tool failed, or when its figures are not those the corpus was made to have.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from clock import Job, Row, Tool, add_ratios, better, environment, load_average, record, run, show_rows
from corpus import LABELS, SpanCorpus, span_corpus

from spanscope import Scoring

NERVALUATE = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
SEMEVAL = {mode: f"spans.semeval(mode={mode})" for mode in NERVALUATE}
EXACT, IOU, RELAXED = "spans.exact", "spans.iou", "spans.relaxed"


def read_spans(path: Path, shift: int = 0) -> list[list[dict[str, Any]]]:
    """Read lists of span dicts as `json` makes them, ends moved by `shift`."""
    with path.open(encoding="utf-8") as lines:
        documents = [json.loads(line)["spans"] for line in lines]
    for spans in documents:
        for span in spans:
            span["end"] += shift
    return documents


def read_tags(path: Path) -> list[list[str]]:
    """Read lists of tags; equal tags are one object, as they are when a model's label table makes them."""
    with path.open(encoding="utf-8") as lines:
        return [[sys.intern(tag) for tag in line.split()] for line in lines]


def nervaluate(folder: Path) -> Job:
    """Give inclusive ends, because with exclusive ones nervaluate takes touching spans for overlapping."""
    from nervaluate import Evaluator

    gold, pred = (read_spans(folder / f"{side}.jsonl", shift=-1) for side in ("gold", "pred"))
    return Job(
        lambda: Evaluator(gold, pred, tags=list(LABELS), loader="dict").evaluate(),
        lambda result: {mode: result["overall"][name].f1 for mode, name in NERVALUATE.items()},
    )


def seqeval(folder: Path) -> Job:
    """Ask for the report as a dict, because the printed one rounds."""
    from seqeval.metrics import classification_report

    gold, pred = (read_tags(folder / f"{side}.iob2") for side in ("gold", "pred"))
    return Job(
        lambda: classification_report(gold, pred, output_dict=True),
        lambda report: {"strict": float(report["micro avg"]["f1-score"])},
    )


def spanscope(folder: Path) -> Job:
    """Do the work of nervaluate and more, from the same lists with exclusive ends."""
    from spanscope import evaluate

    gold, pred = (read_spans(folder / f"{side}.jsonl") for side in ("gold", "pred"))

    def figures(result: Any) -> dict[str, float]:
        f1 = {mode: result.value(rate="f1", measure=name, average="micro") for mode, name in SEMEVAL.items()}
        return f1 | {EXACT: exact_f1(result)["strict"]}

    return Job(
        lambda: evaluate(gold, pred, [EXACT, RELAXED, *SEMEVAL.values()], score=Scoring(errors=False), ci=False),
        figures,
    )


def spanscope_modes(folder: Path) -> Job:
    """Do the work of nervaluate and no more."""
    from spanscope import evaluate

    gold, pred = (read_spans(folder / f"{side}.jsonl") for side in ("gold", "pred"))
    return Job(
        lambda: evaluate(gold, pred, [*SEMEVAL.values()], score=Scoring(errors=False), ci=False),
        lambda result: {
            mode: result.value(rate="f1", measure=name, average="micro") for mode, name in SEMEVAL.items()
        },
    )


def spanscope_exact(folder: Path) -> Job:
    """Do what seqeval's report does, from lists of dicts."""
    from spanscope import evaluate

    gold, pred = (read_spans(folder / f"{side}.jsonl") for side in ("gold", "pred"))
    return Job(lambda: evaluate(gold, pred, [EXACT], score=Scoring(errors=False), ci=False), exact_f1)


def floor(folder: Path) -> Job:
    """Decode line by line; ids and document text are skipped, though a scorer needs them."""
    import msgspec

    span = msgspec.defstruct("Span", [("label", str), ("start", int), ("end", int), ("text", str)])
    document = msgspec.defstruct("Document", [("spans", list[span])])  # type: ignore[valid-type]
    decode = msgspec.json.Decoder(document).decode

    def work() -> None:
        for side in ("gold", "pred"):
            with (folder / f"{side}.jsonl").open("rb") as lines:
                for line in lines:
                    decode(line)

    return Job(work, lambda _: {})


def spanscope_files(folder: Path) -> Job:
    """Compute the figures most people ask for, and nothing else."""
    from spanscope import evaluate

    files = folder / "gold.jsonl", folder / "pred.jsonl"
    return Job(lambda: evaluate(*files, [EXACT, RELAXED], score=Scoring(errors=False), ci=False), exact_f1)


def spanscope_iou(folder: Path) -> Job:
    """Compute what needs offsets only."""
    from spanscope import evaluate

    files = folder / "gold.jsonl", folder / "pred.jsonl"
    return Job(lambda: evaluate(*files, [EXACT, IOU], score=Scoring(errors=False), ci=False), exact_f1)


def spanscope_report(folder: Path) -> Job:
    """Do what a user gets who gives two files and no options."""
    from spanscope import evaluate

    return Job(lambda: evaluate(folder / "gold.jsonl", folder / "pred.jsonl", ci=False), exact_f1)


def exact_f1(result: Any) -> dict[str, float]:
    """Read strict F1 from a Spanscope result; on flat spans `spans.exact` is the strict mode."""
    return {"strict": result.value(rate="f1", measure=EXACT, average="micro")}


TOOLS = [
    Tool("nervaluate", "nervaluate", "lists of dicts: 4 modes, by label", nervaluate, "spanscope", peer=True),
    Tool("seqeval", "seqeval", "IOB2 lists: report, by label", seqeval, "spanscope", peer=True),
    Tool("spanscope", "spanscope", "lists of dicts: exact, relaxed, 4 modes, by label", spanscope, "spanscope"),
    Tool("spanscope-modes", "spanscope", "lists of dicts: 4 modes, by label", spanscope_modes, "spanscope"),
    Tool("spanscope-exact", "spanscope", "lists of dicts: exact, by label", spanscope_exact, "spanscope"),
    Tool("floor", "msgspec", "files: decode typed spans and drop them", floor, "floor"),
    Tool("spanscope-iou", "spanscope", "files: exact, IoU, by label", spanscope_iou, "floor"),
    Tool("spanscope-files", "spanscope", "files: exact, relaxed, by label", spanscope_files, "floor"),
    Tool("spanscope-report", "spanscope", "files: full default report, no intervals", spanscope_report, "floor"),
]


def show(records: list[dict[str, Any]], base: str, title: str) -> None:
    """Print the rows that share a base; notes go below, where there is room for them."""
    chosen = [facts for facts in records if facts["base"] == base]
    header = ["tool", "what it did", "seconds", "CPU s", "spans/s", f"time / {base}", "strict F1"]
    rows = []
    for facts in chosen:
        cells = ["-"] * 5
        if "seconds" in facts:
            ratio, f1 = facts["ratio"], facts["figures"].get("strict")
            cells = [f"{facts['seconds']:.3f}" + "*" * facts["extrapolated"], f"{facts['cpu_seconds']:.3f}"]
            cells += [f"{facts['per_second']:,.0f}", f"{ratio:.2f}" if ratio else "-"]
            cells += ["-" if f1 is None else f"{f1:.9f}"]
        rows.append([facts["tool"], facts["did"], *cells])
    show_rows(title, header, rows, chosen)


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    names = [tool.name for tool in TOOLS]
    parser.add_argument("--documents", type=int, default=200_000, metavar="N")
    parser.add_argument("--peer-documents", type=int, metavar="N", help="run peers on the first N, extrapolate")
    parser.add_argument("--repeat", type=int, default=2, metavar="N", help="the best of N runs counts (2)")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="go round all tools N times (1)")
    parser.add_argument("--only", action="append", choices=names, metavar="TOOL", help=", ".join(names))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured to FILE")
    args = parser.parse_args()
    if min(args.documents, args.repeat, args.rounds, args.peer_documents or 1) < 1:
        parser.error("numbers must be 1 or more")
    return args


def measured(args: argparse.Namespace, whole: SpanCorpus, part: SpanCorpus) -> list[Row]:
    """Run the chosen tools in turn, as often as asked, so that a busy minute falls on all of them."""
    found: dict[str, Row] = {}
    for _ in range(args.rounds):
        for tool in TOOLS:
            if not args.only or tool.name in args.only:
                corpus = part if tool.peer else whole
                expected = corpus.expected_f1()
                row = run(tool, corpus.folder, expected | {EXACT: expected["strict"]}, args.repeat)
                found[tool.name] = better(found.get(tool.name), row)
    return list(found.values())


def main() -> int:
    """Run the chosen tools one after the other, then print."""
    args = options()
    whole = span_corpus(args.documents)
    part = span_corpus(min(args.peer_documents or args.documents, args.documents))
    facts = environment(dict.fromkeys([*(tool.package for tool in TOOLS), "numpy"]))
    n = whole.counts
    print(f"{args.documents:,} documents, {n['gold']:,} gold and {n['pred']:,} predicted spans")
    rounds = f" in each of {args.rounds} rounds" if args.rounds > 1 else ""
    print(f"best of {args.repeat} runs, or of as many as fit into a second{rounds}")
    print(", ".join(f"{name} {value}" for name, value in facts.items()), flush=True)
    records = []
    for row in measured(args, whole, part):
        corpus = part if row.tool.peer else whole
        records.append(record(row, corpus.documents, corpus.spans, whole.spans))
    add_ratios(records)
    show(records, "spanscope", "In memory, from lists loaded before the clock starts")
    show(records, "floor", "From two JSONL files on disk")
    facts["load after"] = load_average()
    failed = any(row["failed"] for row in records)
    checked = sum(bool(row.get("figures")) for row in records)
    verdict = "FAILURES, see the notes" if failed else "all as the corpus was made, to 1e-9"
    print(f"\nload after {facts['load after']}; F1 of {checked} tools checked: {verdict}")
    if args.json:
        written = {"environment": facts, "documents": args.documents, "corpus": n, "rows": records}
        args.json.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
