"""People with a model: what they have in hand, as their library gives it, one call or command, the right figure.

Every figure is worked by hand beside its test.
"""

import json
from pathlib import Path

import pytest

import spanscope
from tests.cli import run, write
from tests.support import needs

TEXTS = ["Angela Merkel visited Paris.", "Nothing here.", "Mail anna@example.org or call Anna."]
# What is right in these texts, in characters.
RIGHT = [[(0, 13, "PER"), (22, 27, "LOC")], [], [(5, 21, "EMAIL"), (30, 34, "PER")]]


def headline(*words: object) -> float:
    """Return the figure that `spanscope eval` leads with."""
    done = run("eval", *words, "--no-ci", "-f", "json")
    assert done.code == 0, done.err
    result = json.loads(done.out)
    name = {key: result["headline"][key] for key in ("measure", "rate", "average")}
    (row,) = (one for one in result["rows"] if one["label"] is None and name.items() <= one.items())
    return float(row["value"])


# ---------------------------------------------------------------- spaCy


def test_somebody_with_spacy(tmp_path: Path) -> None:
    """Their corpus, and their own pipeline over its texts: `spanscope.evaluate(gold, docs)`, or two .spacy files.

    A ruler that knows Merkel, Paris and Anna finds Paris and Anna as they are, Merkel without her first name, and
    no address: 2 right of 3 predictions and 4 gold spans, so that F1 is 4 / 7.
    """
    spacy = needs("spacy")
    from spacy.tokens import DocBin

    nlp = spacy.blank("en")
    gold = []
    for text, spans in zip(TEXTS, RIGHT, strict=True):
        gold.append(nlp.make_doc(text))
        gold[-1].ents = [gold[-1].char_span(start, end, label=label) for start, end, label in spans]
    ruler = nlp.add_pipe("entity_ruler")
    names = {"Merkel": "PER", "Paris": "LOC", "Anna": "PER"}
    ruler.add_patterns([{"label": label, "pattern": name} for name, label in names.items()])  # type: ignore[attr-defined]
    docs = list(nlp.pipe(TEXTS))
    result = spanscope.evaluate(gold, docs, ci=False)
    assert result.totals("spans.exact") == {"tp": 2, "pred": 3, "gold": 4}
    assert result.value() == pytest.approx(4 / 7)
    assert result.counts("spans.exact")["EMAIL"] == {"tp": 0, "pred": 0, "gold": 1}
    DocBin(docs=gold).to_disk(tmp_path / "dev.spacy")
    DocBin(docs=docs).to_disk(tmp_path / "found.spacy")
    assert headline(tmp_path / "dev.spacy", tmp_path / "found.spacy") == pytest.approx(4 / 7)


# ---------------------------------------------------------------- Hugging Face


def test_somebody_with_a_pipeline(tmp_path: Path) -> None:
    """`pipeline("token-classification")(texts)` as it is, aggregated or not, beside gold with ids and texts.

    Merkel is right, Paris is cut into PA and RIS, whose B- makes two spans of it, Anna is an ORG: 1 right of 4
    predictions and 4 gold spans where the pipeline returns pieces, so that F1 is 1 / 4. Aggregated, Paris is
    whole: 2 right of 3 predictions, F1 4 / 7.
    """
    gold = [
        {"id": f"d{n}", "text": text, "spans": [list(span) for span in spans]}
        for n, (text, spans) in enumerate(zip(TEXTS, RIGHT, strict=True))
    ]
    raw = [
        [
            {"entity": "B-PER", "score": 0.99, "index": 1, "word": "Angela", "start": 0, "end": 6},
            {"entity": "I-PER", "score": 0.98, "index": 2, "word": "Mer", "start": 7, "end": 10},
            {"entity": "I-PER", "score": 0.97, "index": 3, "word": "##kel", "start": 10, "end": 13},
            {"entity": "B-LOC", "score": 0.9, "index": 5, "word": "Pa", "start": 22, "end": 24},
            {"entity": "B-LOC", "score": 0.6, "index": 6, "word": "##ris", "start": 24, "end": 27},
        ],
        [],
        [{"entity": "B-ORG", "score": 0.5, "index": 12, "word": "Anna", "start": 30, "end": 34}],
    ]
    groups = [
        [
            {"entity_group": "PER", "score": 0.98, "word": "Angela Merkel", "start": 0, "end": 13},
            {"entity_group": "LOC", "score": 0.75, "word": "Paris", "start": 22, "end": 27},
        ],
        [],
        [{"entity_group": "ORG", "score": 0.5, "word": "anna", "start": 30, "end": 34}],
    ]
    path = write(tmp_path / "gold.jsonl", gold)
    for found, tp, number, f1 in ((raw, 1, 4, 1 / 4), (groups, 2, 3, 4 / 7)):
        result = spanscope.evaluate(gold, found, ci=False)
        assert result.totals("spans.exact") == {"tp": tp, "pred": number, "gold": 4}
        assert result.value() == pytest.approx(f1)
        assert headline(path, write(tmp_path / "found.json", json.dumps(found))) == pytest.approx(f1)
    assert "split words" in {one.kind for one in spanscope.read(raw).problems}


# ---------------------------------------------------------------- PII


def test_somebody_with_personal_data(tmp_path: Path) -> None:
    """Rows of ai4privacy as gold, and what Presidio's analyzer found in their texts, in the same order.

    The analyzer finds Merkel and the address, that too as a URL, takes Paris for a person, and misses Anna. Under
    the names of the rows, 2 of 4 predictions are right, and 2 of 4 gold spans are found: F1 is 1 / 2.
    """
    names = {"PER": "PERSON", "LOC": "CITY", "EMAIL": "EMAIL"}
    rows = [
        {
            "source_text": text,
            "masked_text": "",
            "privacy_mask": [
                {"label": names[label], "start": a, "end": b, "value": text[a:b], "label_index": 1}
                for a, b, label in spans
            ],
            "uid": 40 + n,
            "language": "en",
        }
        for n, (text, spans) in enumerate(zip(TEXTS, RIGHT, strict=True))
    ]
    about = {"analysis_explanation": None, "recognition_metadata": {"recognizer_name": "SpacyRecognizer"}}
    results = [
        [
            {"entity_type": "PERSON", "start": 0, "end": 13, "score": 0.85, **about},
            {"entity_type": "PERSON", "start": 22, "end": 27, "score": 0.85, **about},
        ],
        [],
        [
            {"entity_type": "EMAIL_ADDRESS", "start": 5, "end": 21, "score": 1.0, **about},
            {"entity_type": "URL", "start": 10, "end": 21, "score": 0.5, **about},
        ],
    ]
    gold = write(tmp_path / "test.jsonl", rows)
    pred = write(tmp_path / "analyzer.json", json.dumps(results))
    result = spanscope.evaluate(gold, pred, ci=False, read=spanscope.Reading(mapping={"EMAIL_ADDRESS": "EMAIL"}))
    assert result.totals("spans.exact") == {"tp": 2, "pred": 4, "gold": 4}
    assert result.value() == 1 / 2
    assert headline(gold, pred, "--map", "EMAIL_ADDRESS=EMAIL") == 1 / 2
    assert spanscope.evaluate(rows, results, ci=False).value() == 1 / 4  # without the names: the address is none
    assert "by their position" in " ".join(run("eval", gold, pred, "--no-ci").out.split())
