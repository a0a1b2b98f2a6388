"""Spark gives the figures, intervals and problems of files that are read whole, on generated corpora."""

import os
from pathlib import Path
from typing import Any

import pytest

from spanscope import Running
from spanscope.commands.evaluate import evaluate
from spanscope.engines.choice import Spark
from spanscope.settings.options import grouped
from tests.differential import agree, outcome, put_lines, table
from tests.engines.test_differential import told
from tests.generated import Corpus, corpus

pytestmark = [
    pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning", "ignore::ResourceWarning"),
    pytest.mark.xdist_group("spark"),
]
# Spark takes a second for what takes milliseconds elsewhere.
CORPORA = max(int(os.environ.get("SPANSCOPE_CORPORA", "0")) // 200, 24)


def has_ids(made: Corpus) -> bool:
    """Tell a corpus that Spark can bring together: every document has an id, and lines are JSON."""
    return "no ids" not in made.traits and "broken" not in made.traits and "odd" not in made.traits


@pytest.mark.parametrize("seed", [seed for seed in range(3 * CORPORA) if has_ids(corpus(seed))][:CORPORA])
def test_spark_gives_the_same(seed: int, spark: Any, tmp_path: Path) -> None:
    made = corpus(seed)
    lines = put_lines(made, tmp_path)
    engine = Spark(partitions=2, block=3)
    expected = outcome(
        made, "lines", lambda: evaluate(*lines, run=Running(memory="spans"), **grouped(made.options))
    )
    found = outcome(made, "lines", lambda: evaluate(*lines, run=Running(engine=engine), **grouped(made.options)))
    assert agree(made, "spark", found, expected), told(seed, "spark", found, expected)


@pytest.mark.parametrize("seed", [2, 7])
def test_frames_of_spark_keep_fragments(seed: int, spark: Any, tmp_path: Path) -> None:
    """A data frame with nested spans, read from Parquet: what was one span in pieces stays one."""
    import pyarrow.parquet as pq

    gold = [{"id": f"d{n}", "spans": [_span(n, pieces=True)]} for n in range(4)]
    pred = [{"id": f"d{n}", "spans": [_span(n, pieces=n % 2 == seed % 2)]} for n in range(4)]
    frames = []
    for side, documents in (("gold", gold), ("pred", pred)):
        path = str(tmp_path / f"{side}.parquet")
        pq.write_table(table(documents), path)
        frames.append(spark.read.parquet(path))
    assert evaluate(*frames, "spans.exact", ci=False).value("f1") == 0.5  # two of four predictions have the pieces


def _span(n: int, *, pieces: bool) -> dict[str, Any]:
    return {"start": n, "end": n + 9, "label": "A", "fragments": [[n, n + 2], [n + 5, n + 9]] if pieces else None}
