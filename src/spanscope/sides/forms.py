"""Names that are the same but for their Unicode form: é as one character, or as e and an accent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Literal
from unicodedata import normalize

import numpy as np

from spanscope.data.corpus import Spans
from spanscope.data.problems import Problem, problem_at

FORM: Literal["NFC"] = "NFC"


def other_forms(gold: Collection[str], pred: Collection[str]) -> dict[str, str]:
    """Return the gold name for each predicted one that has no partner, and that is the same in the form NFC.

    Only where no other name of either side is the same: what could be meant is then one thing.

    >>> other_forms(["caf\\u00e9"], ["cafe\\u0301"]) == {"cafe\\u0301": "caf\\u00e9"}
    True
    """
    if all(map(str.isascii, pred)):
        return {}
    ours, theirs = _by_form(gold), _by_form(pred)
    return {
        names[0]: ours[form][0]
        for form, names in theirs.items()
        if len(names) == 1 and len(ours.get(form, ())) == 1 and names[0] != ours[form][0]
    }


def _by_form(names: Iterable[str]) -> Mapping[str, list[str]]:
    out: dict[str, list[str]] = defaultdict(list)
    for name in dict.fromkeys(names):
        out[name if name.isascii() else normalize(FORM, name)].append(name)
    return out


def alike_passages(
    sides: dict[str, Spans], lists: dict[str, list[Mapping[str, float]]], where: Callable[[int], str]
) -> list[Problem]:
    """Give passages gold's identifiers where theirs are the same but for their form, query by query; note which.

    Both mappings are by side, and those of the predictions are replaced.
    """
    ours, theirs = (_identifiers(sides[side], lists.get(side)) for side in ("gold", "pred"))
    if all(name.isascii() for own in theirs.values() for name in own):
        return []
    alike = {doc: other_forms(ours.get(doc, ()), own) for doc, own in theirs.items()}
    if "pred" in lists:
        lists["pred"] = [
            {alike.get(doc, {}).get(name, name): score for name, score in own.items()}
            for doc, own in enumerate(lists["pred"])
        ]
    else:
        spans = sides["pred"]
        rows = zip(spans.doc.tolist(), spans.extra["name"].tolist(), strict=True)
        column = np.fromiter((alike.get(doc, {}).get(name, name) for doc, name in rows), object, len(spans))
        sides["pred"] = replace(spans, extra={**spans.extra, "name": column})
    return [
        problem_at("other form", where(doc), {"name": name}, side="pred")
        for doc, own in alike.items()
        for name in own
    ]


def _identifiers(spans: Spans, own: list[Mapping[str, float]] | None) -> dict[int, list[str]]:
    """Return the identifiers that the passages of each query have."""
    if own is not None:
        return {doc: list(known) for doc, known in enumerate(own)}
    out: dict[int, list[str]] = defaultdict(list)
    if "name" in spans.extra:
        for doc, name in zip(spans.doc.tolist(), spans.extra["name"].tolist(), strict=True):
            if name is not None:
                out[doc].append(name)
    return out
