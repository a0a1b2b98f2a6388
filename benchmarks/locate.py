"""Placing quotes: right decisions by kind and quotes a second, ours beside langextract's aligner and RapidFuzz.

    python benchmarks/locate.py                     ours, str.find, str.find with RapidFuzz
    python benchmarks/locate.py --langextract       and langextract's aligner, which takes minutes

Prints the tables of docs/locate.md. The quotes are those of tests/oracles/align.json; langextract and RapidFuzz
have to be installed. All run in this process, one after the other, so that ratios of speeds are of one run.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from spanscope.locating.document import place

ORACLE = Path(__file__).resolve().parent.parent / "tests" / "oracles" / "align.json"
ABSENT: tuple[str, ...] = (
    "paraphrase",
    "invented",
    "invented_short",
    "swap_number",
    "swap_name",
    "swap_negation",
    "swap_mixed",
)
ABSENT += ("trap_absent", "too_long", "label_only", "empty", "surplus")
HARD = ("swap_number", "swap_name", "swap_negation", "swap_mixed", "trap_absent")
FOLDED: tuple[str, ...] = (
    "exact",
    "word_boundary",
    "overlap",
    "two_labels",
    "offset_wrong",
    "case",
    "space",
    "typography",
    "ends",
)
FOLDED += ("linebreak", "hyphenation", "html")
Place = tuple[int | None, int | None]
Locator = Callable[[str, Sequence[dict[str, Any]]], list[Place]]


def ours(text: str, items: Sequence[dict[str, Any]]) -> list[Place]:
    return [(one.start, one.end) for one in place(text, items)]


def first_find(text: str, items: Sequence[dict[str, Any]]) -> list[Place]:
    found = [text.find(item["quote"]) if item.get("quote") else -1 for item in items]
    return [
        (at, at + len(item["quote"])) if at >= 0 else (None, None) for at, item in zip(found, items, strict=True)
    ]


def rapidfuzz(text: str, items: Sequence[dict[str, Any]]) -> list[Place]:
    from rapidfuzz import fuzz

    low = text.lower()
    out: list[Place] = first_find(text, items)
    for row, item in enumerate(items):
        quote = item.get("quote")
        if out[row][0] is None and quote and len(low) == len(text):
            found = fuzz.partial_ratio_alignment(quote.lower(), low, score_cutoff=90)
            if found is not None and len(quote) <= len(text):
                out[row] = (found.dest_start, found.dest_end)
    return out


def langextract(text: str, items: Sequence[dict[str, Any]]) -> list[Place]:
    from langextract.core import data
    from langextract.resolver import WordAligner

    aligner: Any = WordAligner  # its constructor has no types
    rows = [at for at, item in enumerate(items) if item.get("quote")]
    made = [data.Extraction(str(items[at].get("label")), items[at]["quote"]) for at in rows]
    out: list[Place] = [(None, None)] * len(items)
    try:
        groups = aligner().align_extractions([made], text)
    except ValueError:  # a quote without a token
        return out
    for at, one in zip(rows, groups[0], strict=True):
        if one.char_interval is not None:
            out[at] = (one.char_interval.start_pos, one.char_interval.end_pos)
    return out


def score(
    documents: Sequence[dict[str, Any]], placed: Sequence[Sequence[Place]]
) -> tuple[Counter[str], Counter[str]]:
    """Return how many quotes there are of each kind, and how many were decided rightly."""
    number: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for document, rows in zip(documents, placed, strict=True):
        left: dict[tuple[str, str], Counter[Place]] = defaultdict(Counter)
        for item, truth in zip(document["items"], document["truth"], strict=True):
            if _shared(item):
                left[item["quote"], item["label"]][truth["start"], truth["end"]] += 1
        for item, truth, found in zip(document["items"], document["truth"], rows, strict=True):
            number[truth["kind"]] += 1
            if truth.get("any"):
                good = list(found) in truth["any"]
            elif _shared(item):  # equal quotes without offsets are interchangeable
                own = left[item["quote"], item["label"]]
                good = own[found] > 0
                own[found] -= good
            else:
                good = found == (truth["start"], truth["end"])
            right[truth["kind"]] += good
    return number, right


def _shared(item: dict[str, Any]) -> bool:
    return item.get("start") is None and bool(item.get("quote"))


def share(number: Counter[str], right: Counter[str], kinds: Sequence[str]) -> float:
    return sum(right[kind] for kind in kinds) / max(sum(number[kind] for kind in kinds), 1)


def only(documents: Sequence[dict[str, Any]], kinds: Sequence[str]) -> list[dict[str, Any]]:
    """Return the documents with only the quotes of some kinds."""
    out = []
    for document in documents:
        keep = [at for at, truth in enumerate(document["truth"]) if truth["kind"] in kinds]
        own = {"items": [document["items"][at] for at in keep], "truth": [document["truth"][at] for at in keep]}
        out.append({**document, **own})
    return out


def forget() -> None:
    """Empty the caches of quotes, so that a second run over the same quotes is no faster than the first."""
    for name, module in list(sys.modules.items()):
        if name.startswith("spanscope.locating"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def timed(locate: Locator, documents: Sequence[dict[str, Any]]) -> tuple[list[list[Place]], float]:
    forget()
    gc.collect()
    start = time.process_time()
    placed = [locate(document["text"], document["items"]) for document in documents]
    return placed, time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--langextract", action="store_true", help="run langextract's aligner too, for minutes")
    asked = parser.parse_args()
    documents = json.loads(ORACLE.read_text(encoding="utf-8"))["documents"]
    tools: dict[str, Locator] = {"Spanscope": ours, "str.find": first_find, "find + RapidFuzz 90": rapidfuzz}
    if asked.langextract:
        tools["langextract"] = langextract
    folded, quotes = only(documents, FOLDED), sum(len(document["items"]) for document in documents)
    few = sum(len(document["items"]) for document in folded)
    timed(ours, documents[:20])
    found, seconds, parts = {}, {}, {}
    print("| tool | exact | hard negatives placed | all | quotes/s | quotes/s, exact or normalised |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, locate in tools.items():
        placed, seconds[name] = timed(locate, documents)
        number, right = score(documents, placed)
        found[name] = right
        kinds = [kind for kind in number if kind not in ABSENT]
        part = parts[name] = min(timed(locate, folded)[1] for _ in range(5 if name != "langextract" else 1))
        print(
            f"| {name} | {share(number, right, kinds):.3f} | {1 - share(number, right, HARD):.3f} "
            f"| {share(number, right, list(number)):.3f} | {quotes / seconds[name]:,.0f} | {few / part:,.0f} |",
            flush=True,
        )
    rival = parts["find + RapidFuzz 90"] / parts["Spanscope"]
    print(f"\nSpeed where all quotes are exact or normalised, beside find + RapidFuzz 90: {rival:.2f}")
    if asked.langextract:
        print(
            f"Speed over the whole file, beside langextract: {seconds['langextract'] / seconds['Spanscope']:.1f}"
        )
    print("\n| kind | quotes | ", " | ".join(tools), " |\n|---|--:|", "--:|" * len(tools), sep="")
    for kind in sorted(number, key=lambda kind: (kind in ABSENT, kind)):
        cells = (f"{100 * found[name][kind] / number[kind]:.0f}" for name in tools)
        print(f"| {kind} | {number[kind]} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
