"""Every way of reading and counting gives the same figures, intervals and messages, on generated corpora.

A few hundred corpora here; `make differential` runs 20,000.
"""

import os
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from spanscope import Running
from spanscope.commands.evaluate import evaluate
from spanscope.engines import streaming
from spanscope.io import line_blocks as blocks
from spanscope.settings.options import grouped
from tests.differential import agree, flat, outcome, put_lines, ways, ways_of_columns, ways_of_lines
from tests.generated import TRAITS, corpus, of_family
from tests.streaming_support import put

CORPORA = int(os.environ.get("SPANSCOPE_CORPORA", "300"))
EACH = 25  # corpora of a test
FIRST = range(0, CORPORA, EACH)


@pytest.mark.parametrize("first", FIRST)
def test_every_way_gives_the_same(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + EACH):
        made = corpus(seed)
        found = ways(made, tmp_path)
        expected = found.get("strict", found["lines"])  # objects cannot hold a line that is no JSON
        for way, one in found.items():
            assert agree(made, way, one, expected), told(seed, way, one, expected)


@pytest.mark.parametrize("first", FIRST)
def test_columns_give_the_same(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + EACH):
        found = ways_of_columns(corpus(seed), tmp_path)
        for way, one in found.items():
            assert one == found["objects"], told(seed, way, one, found["objects"])


@pytest.mark.parametrize("family", ["segments", "tokens", "passages"])
@pytest.mark.parametrize("first", range(0, max(CORPORA * 4, EACH * 40) // 40, EACH))
def test_other_families_give_the_same(family: str, first: int, tmp_path: Path) -> None:
    """Documents that are missing, unknown, repeated or in another order: as objects, in blocks, as totals."""
    for seed in range(first, first + EACH):
        made = of_family(family, seed)
        lines = put(tmp_path / "gold.jsonl", made.gold), put(tmp_path / "pred.jsonl", made.pred)
        found = ways_of_lines(made, lines)
        for way, one in found.items():
            assert agree(made, way, one, found["lines"]), told(seed, way, one, found["lines"])


def is_worth_a_process(seed: int) -> bool:
    """Tell corpora of several blocks in which documents are dealt, ids are repeated or spans are in pieces."""
    made = corpus(seed)
    return len(made.gold) >= 5 and len(made.traits & {"order", "repeated", "fragments"}) >= 2


def told(seed: int, way: str, found: Any, expected: Any) -> str:
    """Return what differs between two outcomes."""
    if isinstance(found, dict) and isinstance(expected, dict):
        found, expected = ({k: v for k, v in one.items() if found[k] != expected[k]} for one in (found, expected))
    return f"corpus {seed} by way of {way}\n  gives    {str(found)[:600]}\n  expected {str(expected)[:600]}"


@pytest.mark.parametrize("seed", [seed for seed in range(200) if is_worth_a_process(seed)][:5])
def test_processes_give_the_same(seed: int, tmp_path: Path) -> None:
    """Blocks of three lines, or files of 400 bytes where documents are dealt."""
    made = corpus(seed)
    lines = put_lines(made, tmp_path)
    with patch.object(blocks, "LINES", 3), patch.object(streaming, "ROOM", 400):
        found = outcome(made, "lines", lambda: evaluate(*lines, run=Running(jobs=2), **grouped(made.options)))
    expected = outcome(
        made, "lines", lambda: evaluate(*lines, run=Running(memory="spans"), **grouped(made.options))
    )
    assert found == expected, told(seed, "processes", found, expected)


def test_corpora_have_all_kinds_of_oddities() -> None:
    """The comparison is worth something only where figures come out, and where things are odd."""
    made = [corpus(seed) for seed in range(300)]
    traits = Counter(trait for one in made for trait in one.traits)
    assert all(traits[name] >= 8 for name in TRAITS)
    assert sum(flat(one) is not None for one in made) >= 100
    plain = [one for one in made if not one.traits & {"odd", "broken", "missing", "extra", "repeated"}]
    assert sum(any(_fragmented(one, name) for name in ("gold", "pred")) for one in plain) >= 20


def _fragmented(made: Any, side: str) -> bool:
    spans = [value for one in getattr(made, side) for value in one.values() if isinstance(value, list)]
    return any(span.get("fragments") for own in spans for span in own)
