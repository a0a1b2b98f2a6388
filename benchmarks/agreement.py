"""How fast gamma is: Spanscope beside pygamma-agreement, and all of `agree` on a corpus.

    python benchmarks/agreement.py --pygamma /path/to/venv/bin/python
    python benchmarks/agreement.py --documents 200 --annotators 3

Documents of 2,000 characters with 20 spans an annotator, 30 samples of chance each, shuffled as in the paper, one
process each; of three runs over a document the fastest counts, because noise only ever adds time.
pygamma-agreement brings numba and many packages, so it is run by the Python of an environment of its own
(python -m venv X; X/bin/pip install pygamma-agreement), on the first documents only, after a first call that
compiles. The exit code is 1 when it failed, when the observed disorders of a document are not the same to 1e-4
(pygamma counts with 32 bits), or when the mean gammas differ by more than sampling can explain (.02).
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from clock import environment, load_average, table

from spanscope import agree
from spanscope.measures.agreement.alignment import Units
from spanscope.measures.agreement.gamma import document_parts

LENGTH, SPANS, SAMPLES, LABELS, SEED, REPEAT = 2_000, 20, 30, "ABC", 20261116, 3
Span = tuple[int, int, str]
Document = list[list[Span]]  # the spans of each annotator

THEIRS = """
import json, sys, time, warnings, logging
warnings.filterwarnings("ignore"); logging.disable(logging.WARNING)
import numpy as np, pygamma_agreement as pa
from pyannote.core import Segment
documents, samples, repeat = json.load(sys.stdin)
def made(document):
    out = pa.Continuum()
    for number, spans in enumerate(document):
        for start, end, label in spans: out.add(str(number), Segment(start, end), label)
    return out
unlike = pa.CombinedCategoricalDissimilarity(alpha=1, beta=1, delta_empty=1.0)
made(documents[0]).compute_gamma(unlike, n_samples=2, sampler=pa.ShuffleContinuumSampler())
np.random.seed(1)
rows = []
for document in documents:
    one, best = made(document), (9e9, 9e9)
    for _ in range(repeat):
        wall, cpu = time.perf_counter(), time.process_time()
        found = one.compute_gamma(unlike, n_samples=samples, sampler=pa.ShuffleContinuumSampler())
        best = min(best, (time.perf_counter() - wall, time.process_time() - cpu))
    rows.append([*best, float(found.observed_disorder), float(found.gamma)])
from importlib.metadata import version
print(json.dumps({"version": version("pygamma-agreement"), "rows": rows}))
"""


def corpus(documents: int, annotators: int) -> list[Document]:
    """Make spans that annotators mark, move a little, relabel, miss or add."""
    draw = random.Random(SEED)
    out = []
    for _ in range(documents):
        base = [(start, start + draw.randint(3, 25)) for start in draw.sample(range(LENGTH - 30), SPANS)]
        labels = [draw.choice(LABELS) for _ in base]
        sides = []
        for _ in range(annotators):
            spans: set[Span] = set()
            for place, label in zip(base, labels, strict=True):
                other = draw.randrange(LENGTH - 30)
                start, end = place if draw.random() < 0.85 else (other, other + draw.randint(3, 25))
                first = max(0, start + draw.choice((-2, 0, 0, 0, 3)))
                own = label if draw.random() < 0.9 else draw.choice(LABELS)
                spans.add((first, max(first + 1, end + draw.choice((-2, 0, 0, 0, 3))), own))
            sides.append(sorted(spans))
        out.append(sides)
    return out


def units(document_: Document) -> list[Units]:
    """Return a document as the columns that are aligned."""
    return [
        Units(
            np.array([s for s, _, _ in spans], dtype=float),
            np.array([e for _, e, _ in spans], dtype=float),
            np.array([LABELS.index(label) for _, _, label in spans]),
        )
        for spans in document_
    ]


def ours(documents: list[Document]) -> list[list[float]]:
    """Return wall and CPU seconds, observed disorder and gamma of every document; bounds as pygamma has them."""
    document_parts(units(documents[0]), None, len(LABELS), 0, samples=2)  # imports
    rows = []
    for number, one in enumerate(documents):
        best = (9e9, 9e9)
        for _ in range(REPEAT):
            wall, cpu = time.perf_counter(), time.process_time()
            own = units(one)
            found = document_parts(own, None, len(LABELS), number, samples=SAMPLES)
            best = min(best, (time.perf_counter() - wall, time.process_time() - cpu))
        mean = sum(len(side.start) for side in own) / len(own)
        rows.append([*best, found.observed / mean, 1 - found.observed / found.expected])
    return rows


def theirs(python: str, documents: list[Document]) -> dict[str, Any]:
    """Run pygamma-agreement by its own Python."""
    given = json.dumps([documents, SAMPLES, REPEAT])
    done = subprocess.run([python, "-c", THEIRS], input=given, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def whole(documents: list[Document]) -> float:
    """Return the seconds of agree() with every coefficient and 1,000 resamples, reading included."""
    text = "x" * (LENGTH + 30)
    sides = [
        [
            {"id": str(n), "text": text, "spans": [{"start": s, "end": e, "label": k} for s, e, k in one[side]]}
            for n, one in enumerate(documents)
        ]
        for side in range(len(documents[0]))
    ]
    start = time.perf_counter()
    agree(*sides)
    return time.perf_counter() - start


def main() -> int:
    """Measure, print the table, and say whether the figures agree."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=500, metavar="N")
    parser.add_argument("--annotators", type=int, default=2, metavar="N")
    parser.add_argument("--most", type=int, default=30, metavar="N", help="documents that pygamma gets (30)")
    parser.add_argument("--pygamma", metavar="PYTHON", help="the Python that has pygamma-agreement")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything measured to FILE")
    args = parser.parse_args()
    facts = environment(["spanscope", "numpy", "scipy"])
    print(", ".join(f"{key} {value}" for key, value in facts.items()))
    documents = corpus(args.documents, args.annotators)
    found = {"spanscope": ours(documents)}
    verdict = "pygamma-agreement was not run (--pygamma PYTHON)"
    if args.pygamma:
        got = theirs(args.pygamma, documents[: args.most])
        found[f"pygamma-agreement {got['version']}"] = got["rows"]
        verdict = compared(found["spanscope"], got["rows"])
    seconds = {name: [float(np.median(column)) for column in np.array(rows).T[:2]] for name, rows in found.items()}
    first = seconds["spanscope"]
    rows = [
        [name, f"{len(found[name]):,}", *(f"{one * 1e3:.2f}" for one in own)]
        + [f"{one / base:.0f}" for one, base in zip(own, first, strict=True)]
        for name, own in seconds.items()
    ]
    heads = ["tool", "documents", "wall ms/document", "CPU ms/document", "wall x", "CPU x"]
    print(f"\ngamma of {args.annotators} x {SPANS} spans, {SAMPLES} samples (median)\n{table(heads, rows, 1)}")
    print(f"\nagree(), every coefficient, {args.documents:,} documents: {whole(documents):.2f} s")
    print(f"load after {load_average()}; figures: {verdict}")
    if args.json:
        args.json.write_text(json.dumps({"environment": facts, "rows": found, "verdict": verdict}) + "\n", "utf-8")
    return int(verdict.startswith("FAILURES"))


def compared(own: list[list[float]], other: list[list[float]]) -> str:
    """Say whether both tools found the same."""
    here, there = np.array(own)[: len(other)], np.array(other)
    apart = float(np.abs(here[:, 2] - there[:, 2]).max())
    mean = float(abs(here[:, 3].mean() - there[:, 3].mean()))
    said = f"observed disorders differ by {apart:.1e} at most, mean gammas by {mean:.4f}"
    return said if apart < 1e-4 and mean < 0.02 else f"FAILURES: {said}"


if __name__ == "__main__":
    sys.exit(main())
