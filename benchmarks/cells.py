"""How wide intervals are where cells are drawn instead of documents, by the number of cells.

    python benchmarks/cells.py                       # 40 corpora of 20,000 documents; a minute on one core
    python benchmarks/cells.py --corpora 5 --documents 10000

The corpora are those of `populations.py`. Errors are those of the jackknife, which has no luck of its own:
of leaving out cells, divided by those of leaving out documents. The last column divides the widths of percentile
intervals from 1,000 resamples likewise; how far 1,000 resamples alone move a width shows in the last row, where
documents are drawn with another seed.
"""

from __future__ import annotations

import argparse

import numpy as np
from populations import RATES, corpus

from spanscope.arithmetic import Floats, Keys, keys_of
from spanscope.counts import Counts
from spanscope.rates import COUNTED
from spanscope.stats.averages import Policy
from spanscope.stats.bootstrap import intervals_of_table
from spanscope.stats.cells import deal, fold
from spanscope.stats.jackknife import jackknife
from spanscope.stats.table import Row, table_of

CELLS = (256, 1_024, 4_096, 16_384)
SHOWN = (
    ("micro F1", Row("f1", "micro", None)),
    ("macro F1", Row("f1", "macro", None)),
    ("mean over documents of F1", Row("f1", "document", None)),
    ("F1 of a label with 3 % of the spans", Row("f1", "label", "E")),
)
HOW = (RATES, COUNTED, Policy())


def measured(counts: Counts, keys: Keys, cells: int, seed: int) -> tuple[Floats, Floats]:
    """Return the standard error and the width of the interval of every figure that is shown."""
    held = table_of([fold(counts, *HOW, deal(keys, cells))], *HOW)
    rows = held.rows()
    places = [rows.index(row) for _, row in SHOWN]
    found = intervals_of_table(held, 1_000, 0.95, seed, "percentile")
    return jackknife(held).error[places], np.array([found[at].high - found[at].low for at in places])


def main() -> None:
    """Print a table of ratios of widths."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--corpora", type=int, default=40)
    parser.add_argument("--documents", type=int, default=20_000)
    given = parser.parse_args()
    draw, keys = np.random.default_rng(0), keys_of([str(row) for row in range(given.documents)])
    runs = [(f"{number:,} cells", number, 0) for number in CELLS]
    runs.append(("documents, another seed", given.documents, 1))
    ratios: dict[str, list[tuple[Floats, Floats]]] = {name: [] for name, _, _ in runs}
    for _ in range(given.corpora):
        counts = corpus(draw, given.documents)
        error, width = measured(counts, keys, given.documents, 0)
        for name, number, seed in runs:
            own = measured(counts, keys, number, seed)
            ratios[name].append((own[0] / error, own[1] / width))
    print("| drawn | " + " | ".join(name for name, _ in SHOWN) + " | all | width, all |")
    print("| --- |" + " --: |" * (len(SHOWN) + 2))
    for name, each in ratios.items():
        errors, widths = (np.array(part) for part in zip(*each, strict=True))
        columns = [*errors.T, errors.ravel(), widths.ravel()]
        print(f"| {name} | " + " | ".join(f"{one.mean():.4f} ± {one.std(ddof=1):.3f}" for one in columns) + " |")


if __name__ == "__main__":
    main()
