"""Score what GLiNER finds, and choose the threshold of its scores.

With the library, ENTITIES is `[model.predict_entities(text, labels, threshold=0.3) for text in texts]`: a low
threshold at first, because spans that are not returned cannot be looked at. Here it is a fixed answer, so that no
model is needed. Run ``python examples/gliner_entities.py``.
"""

from typing import Any

import spanscope

TEXTS = ("Ada Lovelace met Charles Babbage in London.", "Babbage's engine was never built.")
GOLD: list[dict[str, Any]] = [
    {"id": 0, "text": TEXTS[0], "spans": [[0, 12, "person"], [17, 32, "person"], [36, 42, "place"]]},
    {"id": 1, "text": TEXTS[1], "spans": [[0, 7, "person"]]},
]
ENTITIES: list[list[dict[str, Any]]] = [
    [
        {"start": 0, "end": 12, "text": "Ada Lovelace", "label": "person", "score": 0.98},
        {"start": 17, "end": 32, "text": "Charles Babbage", "label": "person", "score": 0.95},
        {"start": 36, "end": 42, "text": "London", "label": "place", "score": 0.91},
    ],
    [
        {"start": 0, "end": 7, "text": "Babbage", "label": "person", "score": 0.55},
        {"start": 10, "end": 16, "text": "engine", "label": "place", "score": 0.34},
    ],
]


def documents(threshold: float) -> list[dict[str, Any]]:
    """Return what GLiNER found with at least this score, beside the ids of the texts."""
    return [
        {"id": number, "spans": [one for one in found if one["score"] >= threshold]}
        for number, found in enumerate(ENTITIES)
    ]


def main() -> dict[float, float]:
    """Print and return exact micro F1 by threshold."""
    figures = {
        at: spanscope.evaluate(GOLD, documents(at), "spans.exact", ci=False).value("f1") for at in (0.3, 0.5, 0.7)
    }
    for at, figure in figures.items():
        print(f"threshold {at}: F1 {figure:.4f}")
    return figures


if __name__ == "__main__":
    main()
