"""How time and memory grow in documents with very many spans: overlapping in a window, flat, all over each other.

    python benchmarks/dense.py                              # some minutes, up to 2 GB
    python benchmarks/dense.py --most 30000 --only window   # smaller documents, one kind of them

Each row is one document per side, in a process of its own. `window`: spans of about 40 characters, each of which
overlaps so many of the other side. `flat`: spans beside each other, from files of JSON Lines, from lists of
documents and from columns. `nested` and `empty`: every span overlaps every other, which is refused above a number
of pairs. Time a million pairs (for flat documents: a million spans of both sides) should stay about the same.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from clock import Job, environment, load_average, table, timed_in_child

SEED = 20261116
LENGTH = 40  # of the spans of a window, on average
LABELS = "ABC"
REQFLOW, IOU = "protocol reqflow", "spans.exact, spans.iou"
Document = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A row: the kind of document, spans a side, spans of the other side that each overlaps, what is asked for."""

    kind: str
    spans: int
    over: int
    source: str
    measures: str


def window(draw: random.Random, number: int, over: int) -> tuple[list[tuple[int, int]], int]:
    """Return spans anywhere in a text so short that each overlaps about so many of the other side."""
    size = max(2 * LENGTH * number // over, 2 * LENGTH)
    starts = [draw.randrange(size - LENGTH) for _ in range(number)]
    return [(start, start + LENGTH + draw.randint(-10, 10)) for start in starts], size + 10


def flat(draw: random.Random, number: int, _: int) -> tuple[list[tuple[int, int]], int]:
    """Return spans beside each other, a fifth of them a character shorter than on the other side."""
    return [(10 * at, 10 * at + 7 - (draw.random() < 0.1)) for at in range(number)], 10 * number


def nested(draw: random.Random, number: int, _: int) -> tuple[list[tuple[int, int]], int]:
    """Return spans that lie in each other."""
    return [(at, 4 * number - at - draw.randrange(2)) for at in range(number)], 4 * number


def empty(_draw: random.Random, number: int, _: int) -> tuple[list[tuple[int, int]], int]:
    """Return spans without a character, all at one place."""
    return [(5, 5)] * number, 10


KINDS: dict[str, Callable[[random.Random, int, int], tuple[list[tuple[int, int]], int]]] = {
    "window": window,
    "flat": flat,
    "nested": nested,
    "empty": empty,
}


def sides(case: Case) -> list[Document]:
    """Return one document per side."""
    out = []
    for side in range(2):
        draw = random.Random(SEED + side)
        places, size = KINDS[case.kind](draw, case.spans, case.over)
        spans = [{"start": a, "end": b, "label": draw.choice(LABELS)} for a, b in places]
        text = "".join(random.Random(SEED).choices("etaoin shrdlu", k=size))
        out.append({"id": "d", "text": text, "spans": spans})
    return out


def prepare(case: Case, folder: Path) -> Job:
    """Make the data, in the form that they are read from."""
    from spanscope import SpanscopeError, evaluate

    given: list[Any] = [[document] for document in sides(case)]
    if case.source == "files":
        for name, documents in zip(("gold", "pred"), given, strict=True):
            (folder / f"{name}.jsonl").write_text(json.dumps(documents[0]) + "\n", encoding="utf-8")
        given = [str(folder / "gold.jsonl"), str(folder / "pred.jsonl")]
    elif case.source == "columns":
        given = [
            {key: [span[key] for span in documents[0]["spans"]] for key in ("start", "end", "label")}
            | {"doc": ["d"] * case.spans}
            for documents in given
        ]
    measures, protocol = (None, "reqflow") if case.measures == REQFLOW else (case.measures.split(", "), None)

    def work() -> Any:
        try:
            return evaluate(given[0], given[1], measures, protocol=protocol, ci=False)
        except SpanscopeError as refusal:
            return refusal

    return Job(work, _pairs)


def _pairs(found: Any) -> dict[str, float]:
    """Return how many pairs overlap; nothing where the document was refused."""
    from spanscope import Result
    from spanscope.match.overlaps import overlapping_pairs

    return {"pairs": len(overlapping_pairs(found.comparison))} if isinstance(found, Result) else {}


def cases(most: int) -> list[Case]:
    """Return the rows, with documents of at most so many spans."""
    out = [
        Case("window", number, over, "lists", measures)
        for measures in (REQFLOW, IOU)
        for over in (10, 30, 100)
        for number in (10_000, 30_000, 100_000)
    ]
    out += [
        Case("flat", number, 1, source, IOU if source == "columns" else REQFLOW)
        for source in ("files", "lists", "columns")
        for number in (100_000, 300_000, 1_000_000)
    ]
    out += [
        Case(kind, number, number, "lists", measures)
        for kind, number in (("nested", 2_000), ("nested", 100_000), ("empty", 2_000), ("empty", 100_000))
        for measures in (REQFLOW, IOU)
    ]
    return [case for case in out if case.spans <= most]


def row(case: Case, repeat: int) -> list[str]:
    """Run a case and return its cells."""
    print(f"{case} ...", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        timing = timed_in_child(partial(prepare, case), Path(folder), repeat)
    number = timing.figures.get("pairs")
    cells = [
        case.kind,
        case.source,
        case.measures,
        f"{case.spans:,}",
        "refused" if number is None else f"{number:,}",
    ]
    million = None if number is None else (2 * case.spans if case.kind == "flat" else number) / 1e6
    per = "-" if million is None else f"{timing.best / million:.2f}"
    return [*cells, f"{timing.best:.2f}", f"{timing.peak_mb:,.0f}", per]


def main() -> int:
    """Run the rows one after the other, then print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--most", type=int, default=1_000_000, metavar="N", help="spans a side (1,000,000)")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="the best of N runs counts (1)")
    parser.add_argument("--only", action="append", choices=list(KINDS), metavar="KIND", help=", ".join(KINDS))
    args = parser.parse_args()
    facts = environment(["spanscope", "numpy"])
    print(", ".join(f"{name} {value}" for name, value in facts.items()), flush=True)
    rows = [row(case, args.repeat) for case in cases(args.most) if not args.only or case.kind in args.only]
    header = ["document", "from", "measures", "spans a side", "pairs", "seconds", "peak MB", "s / million"]
    print(f"\n{table(header, rows, words=3)}")
    print(f"\nload after {load_average()}; peak memory is that of the process, with the data it made")
    return 0


if __name__ == "__main__":
    sys.exit(main())
