"""The page: what it is given, and what it shows in a real browser."""

from collections import Counter
from typing import Any

import spanscope
from spanscope.viewer import packing
from spanscope.viewer import payload as payloads

Json = dict[str, Any]


def payload(result: spanscope.Result, *args: Any, **options: Any) -> Any:
    """Return what the page of a result is given, as the page gets it: out of the bytes."""
    return packing.expand(packing.compress(payloads.payload(result, *args, **options)))


def at_step(payload: Json, step: int) -> Counter[tuple[Any, ...]]:
    """Return the verdicts at a step as (document, kind, gold span, predicted span), read from the runs."""
    corpus, names = payload["corpus"], payload["labels"]
    out: Counter[tuple[Any, ...]] = Counter()

    def span(side: str, row: int) -> tuple[int, int, str] | None:
        own = corpus[side]
        return None if row < 0 else (own["start"][row], own["end"][row], names[own["label"][row]])

    def last(runs: Json, row: int) -> int:
        first, end = runs["first"][row], runs["first"][row + 1]
        return max(run for run in range(first, end) if runs["from"][run] <= step)

    for row, doc in enumerate(corpus["gold"]["doc"]):
        run = last(corpus["gold_runs"], row)
        kind = corpus["gold_runs"]["kind"][run]
        if kind >= 0:
            pred = corpus["gold_runs"]["pred"][run]
            out[corpus["names"][doc], payload["kinds"][kind], span("gold", row), span("pred", pred)] += 1
    for row, doc in enumerate(corpus["pred"]["doc"]):
        kind = corpus["pred_runs"]["kind"][last(corpus["pred_runs"], row)]
        if kind >= 0:
            out[corpus["names"][doc], payload["kinds"][kind], None, span("pred", row)] += 1
    return out
