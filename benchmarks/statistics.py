"""What intervals and tests cost, beside the figures themselves; and gamma, beside pygamma-agreement.

    python benchmarks/statistics.py                  # 100,000 documents x 8 labels, 1,000 resamples
    python benchmarks/statistics.py --documents 10000 --gamma 50

The point estimate (spans.exact, by label, all averages) is computed from two JSONL files. The intervals are 1,000
resamples for every rate of every average and label, from the counts that this gave; the comparison is a paired
interval and a randomisation test with 10,000 trials for the same rows. With --gamma N, gamma of two annotators on
N documents of 20 spans each (benchmarks/agreement.py; --pygamma names a Python that has pygamma-agreement). Best
of several runs; compare the ratios, not the seconds.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clock import environment
from corpus import span_corpus

from spanscope import Scoring


def best(work: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    """Return the least disturbed time, and the result."""
    times, out = [], None
    for _ in range(repeat):
        start = time.perf_counter()
        out = work()
        times.append(time.perf_counter() - start)
    return min(times), out


def intervals(documents: int, repeat: int) -> None:
    """Time the figure, its intervals, and the comparison with a second run."""
    from spanscope import evaluate
    from spanscope.stats.bootstrap import intervals as bounds
    from spanscope.stats.significance import paired_intervals, randomisation

    corpus = span_corpus(documents)
    gold, pred = (str(corpus.folder / f"{side}.jsonl") for side in ("gold", "pred"))
    point, result = best(
        lambda: evaluate(gold, pred, "spans.exact", score=Scoring(errors=False), ci=False), repeat
    )
    counts, settings = result.tables[0], result.settings
    how = (settings.rates(result.measures[0]), result.measures[0].definition.rate_set, settings.policy)
    named, keys = best(lambda: _fresh_keys(result), repeat)
    sure, _ = best(lambda: bounds(counts, *how, keys), repeat)
    paired, _ = best(lambda: paired_intervals(counts, counts, *how, keys), repeat)
    tested, _ = best(lambda: randomisation(counts, _other(counts), *how, keys), 1)
    labels = len(counts.labels)
    print(f"{documents:,} documents, {labels} labels, {len(result.rows)} rows; best of {repeat}")
    for name, seconds in (
        ("point estimate, from files", point),
        ("keys of the documents", named),
        ("intervals, 1,000 resamples", sure),
        ("paired intervals, 1,000 resamples", paired),
        ("randomisation, 10,000 trials", tested),
    ):
        print(f"{name:<36}{seconds:8.3f} s   {seconds / point:6.2f} x the point estimate")


def _fresh_keys(result: Any) -> Any:
    result.comparison.cache.pop("keys", None)
    return result.comparison.keys()


def _other(counts: Any) -> Any:
    """Return a run that found other spans: the counts of each document are those of the one before."""
    import numpy as np

    from spanscope.counts import Counts

    doc = (counts.doc + 1) % counts.documents
    order = np.lexsort((counts.label, doc))
    return Counts(
        counts.documents, counts.labels, counts.columns, doc[order], counts.label[order], counts.values[:, order]
    )


def main() -> int:
    """Run both parts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=100_000, metavar="N")
    parser.add_argument("--repeat", type=int, default=3, metavar="N")
    parser.add_argument("--gamma", type=int, default=0, metavar="N", help="documents for gamma; 0: leave it out")
    parser.add_argument("--pygamma", metavar="PYTHON", help="a Python that has pygamma-agreement")
    args = parser.parse_args()
    facts = environment(dict.fromkeys(["spanscope", "numpy"]))
    print(", ".join(f"{name} {value}" for name, value in facts.items()), flush=True)
    intervals(args.documents, args.repeat)
    if args.gamma:
        script = Path(__file__).parent / "agreement.py"
        command = [sys.executable, str(script), "--documents", str(args.gamma)]
        command += ["--pygamma", args.pygamma] if args.pygamma else []
        return subprocess.run(command, check=False).returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
