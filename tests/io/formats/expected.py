"""What a reader must give for every sample: tests/samples/expected.json, per document as multisets of spans."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parents[2] / "samples"
EXPECTED = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
Spans = Counter[tuple[Any, ...]]


def sides_of(name: str) -> dict[str, dict[str, Spans]]:
    """Return the spans of a sample by side and document, the latter as the sample calls it."""
    about = EXPECTED["files"][name]
    ids = about.get("ids")
    own = {to: at for at, to in ids.items()} if isinstance(ids, dict) else {}
    return {
        side: {own.get(key, key): Counter(map(_padded, spans)) for key, spans in EXPECTED["sets"][of].items()}
        for side, of in about["spans"].items()
    }


def spans_in(corpus: Any) -> dict[str, Spans]:
    """Return the spans of a corpus by document; a document without an id stands under an empty name."""
    return {one.get("id", ""): Counter(map(_from_dict, one["spans"])) for one in corpus.to_dicts()}


def _padded(span: list[Any]) -> tuple[Any, ...]:
    start, end, label, score, pieces = [*span, None, None][:5]
    return start, end, label, score, None if pieces is None else tuple(map(tuple, pieces))


def _from_dict(span: dict[str, Any]) -> tuple[Any, ...]:
    pieces = span.get("fragments")
    own = None if pieces is None else tuple(map(tuple, pieces))
    return span["start"], span["end"], span["label"], span.get("score"), own
