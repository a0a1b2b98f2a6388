"""What has to be said of a sample, so that it can be read: the one option of each that needs one."""

from typing import Any

from tests.io.formats.expected import EXPECTED

_NAMES = EXPECTED["files"]["huggingface/rows.jsonl"]["tag_names"]
TOLD: dict[str, dict[str, Any]] = {
    "doccano/import.jsonl": {"offsets": "codepoints"},
    "tags/seqeval_entities.json": {"input": "seqeval-entities"},
    "tags/nervaluate.json": {"input": "nervaluate"},
    **{f"spacy/{side}.{end}": {"layer": "sc"} for side in ("gold", "pred") for end in ("spacy", "json", "jsonl")},
    "huggingface/rows.jsonl": {"tag_names": _NAMES},
    "huggingface/tokenised.jsonl": {"tag_names": _NAMES},
    "csv/inclusive.csv": {"ends": "inclusive"},
    "ranx/qrels.json": {"input": "qrels"},
    "ranx/qrels.parquet": {"input": "qrels"},
    "segmentation/nltk.txt": {"input": "nltk-gap-pairs"},
}


def flags(name: str) -> list[str]:
    """Return the same as flags of the command line."""
    out = []
    for key, value in TOLD.get(name, {}).items():
        out += [f"--{key.replace('_', '-')}", ",".join(value) if isinstance(value, list) else value]
    return out
