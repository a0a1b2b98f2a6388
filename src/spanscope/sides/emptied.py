"""Comparisons whose spans are gone: they know their documents by name and key."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spanscope.arithmetic import Keys
from spanscope.data.corpus import Spans, Tokens
from spanscope.sides.comparison import Comparison


def without_spans(c: Comparison) -> Comparison:
    """Return a comparison that knows its documents by their names and keys, and nothing of what is in them."""
    kind = {"tagged": bool(c.tokens), "named_by_text": c.named_by_text}
    return empty_comparison(c.names, c.keys(), c.group_keys(), c.labels, **kind)


def empty_comparison(
    names: Sequence[str],
    keys: Keys,
    groups: Keys | None,
    labels: tuple[str, ...],
    *,
    tagged: bool,
    named_by_text: bool,
) -> Comparison:
    """Return a comparison without spans: names, labels and keys of the documents and their groups."""
    nothing = np.zeros(0, dtype=np.int64)
    spans = Spans(nothing, nothing, nothing, nothing, nothing)
    none = np.zeros(0, dtype=object)
    tokens = {side: Tokens(nothing, nothing, nothing, none) for side in ("gold", "pred")} if tagged else {}
    c = Comparison(
        names, labels, {"gold": spans, "pred": spans}, tokens=tokens, cache={"keys": keys, "groups": groups}
    )
    c.named_by_text = named_by_text
    return c
