"""Score what LangExtract extracted: its documents are read as they are, from memory or from its JSON Lines.

With the library, DOCUMENTS is what `langextract.extract(...)` returns, or the file that
`langextract.io.save_annotated_documents` writes. Here it is a fixed answer, so that no model is needed.
Extractions whose words were not found in the text have no interval: they are predictions without a place, count as
spurious, and are named under the data problems. Run ``python examples/langextract_documents.py``.
"""

from typing import Any

import spanscope

TEXT = "Take 200 mg ibuprofen twice a day, and paracetamol at night."
GOLD: list[dict[str, Any]] = [
    {
        "id": "note-1",
        "text": TEXT,
        "spans": [
            {"start": 5, "end": 11, "label": "dosage"},
            {"start": 12, "end": 21, "label": "medication"},
            {"start": 22, "end": 33, "label": "frequency"},
            {"start": 39, "end": 50, "label": "medication"},
        ],
    }
]


def extraction(label: str, words: str, interval: tuple[int, int] | None, status: str | None) -> dict[str, Any]:
    """Return an extraction as LangExtract writes it."""
    place = None if interval is None else {"start_pos": interval[0], "end_pos": interval[1]}
    return {
        "extraction_class": label,
        "extraction_text": words,
        "char_interval": place,
        "alignment_status": status,
    }


DOCUMENTS: list[dict[str, Any]] = [
    {
        "document_id": "note-1",
        "text": TEXT,
        "extractions": [
            extraction("dosage", "200 mg", (5, 11), "match_exact"),
            extraction("medication", "ibuprofen", (12, 21), "match_exact"),
            extraction("frequency", "2x daily", (22, 27), "match_fuzzy"),
            extraction("medication", "aspirin", None, None),
        ],
    }
]


def main() -> spanscope.Result:
    """Print the report with its errors, and return the result."""
    result = spanscope.evaluate(GOLD, DOCUMENTS, ["spans.exact", "spans.overlap"], ci=False)
    print(result.table(examples=5))
    return result


if __name__ == "__main__":
    main()
