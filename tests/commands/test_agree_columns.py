"""Agreement of tagged tokens with spans in columns, where one side has documents that the other has not."""

from pathlib import Path
from typing import Any

import pytest

import spanscope
from tests.cli import refused, run, write
from tests.support import needs

TOKENS = [{"id": "a", "tokens": ["Ann", "went", "home"], "tags": ["B-PER", "O", "O"]}]
COLUMNS: dict[str, Any] = {"doc": ["a", "b"], "start": [0, 9], "end": [3, 13], "label": ["PER", "LOC"]}


@pytest.mark.parametrize("turned", [False, True])
def test_a_document_that_only_the_columns_have(turned: bool) -> None:
    """Ann is marked by both; the second document by one: one of 1 and one of 2 spans, so F1 is 2/3."""
    sides = [TOKENS, COLUMNS][:: -1 if turned else 1]
    found = spanscope.agree(*sides, measures=["f1"], ci=False)
    assert found.documents == 2
    assert found.value("f1") == pytest.approx(2 / 3)


def test_a_document_that_only_the_tokens_have() -> None:
    """Columns do not show documents without spans: the second one is empty there, and in the tokens too."""
    more = [*TOKENS, {"id": "c", "tokens": ["x"], "tags": ["O"]}]
    one = {name: values[:1] for name, values in COLUMNS.items()}
    found = spanscope.agree(more, one, measures=["f1"], unit="token", ci=False)
    assert (found.documents, found.value("f1")) == (2, 1.0)


def test_spans_in_a_document_without_tokens_cannot_be_counted_in_tokens() -> None:
    with pytest.raises(spanscope.MeasureError, match=r"^the document 'b' has spans, but no tokens"):
        spanscope.agree(TOKENS, COLUMNS, unit="token")


def test_with_flat_parquet(tmp_path: Path) -> None:
    pa, pq = needs("pyarrow"), needs("pyarrow.parquet")
    flat = tmp_path / "flat.parquet"
    pq.write_table(pa.table(COLUMNS), flat)
    tokens = write(tmp_path / "tokens.jsonl", TOKENS)
    assert run("agree", tokens, flat, "--no-ci").code == 0
    assert "no tokens" in refused(run("agree", flat, tokens, "--no-ci", "--unit", "token"))
