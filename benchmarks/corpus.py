"""The made-up corpora that the benchmarks share.

Speed depends on the shape of the data, so the data is made here, from a seed, and anyone can make it again.
How each predicted span differs from its gold span is drawn first and the span made to fit, so the right
scores follow from the counts alone: every tool is checked against them, and none is the judge of another.

Documents are drawn one after the other from one stream: a small corpus is the beginning of every larger one.
"""

from __future__ import annotations

import json
import shutil
import string
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple, TextIO

HOME = Path(__file__).resolve().parents[1] / "bench-data"
FORMAT = 2  # raise it when the generator changes, so that corpora kept from before are not used
SEED = 0
TOKENS = 30
SLOT = 3  # a document is ten slots of three tokens; a slot holds at most one gold and one predicted span
FILLED = 0.4625  # of the slots: 200,000 documents have 1.85 million spans, gold and predicted, in 200 MB
LABELS = ("DATE", "EVENT", "LAW", "LOC", "MONEY", "ORG", "PER", "WORK")
SHARES = {"exact": 0.60, "boundary": 0.15, "label": 0.10, "missing": 0.15}


class Span(NamedTuple):
    """A labelled run of tokens, end exclusive: token indices give both character offsets and IOB2 tags."""

    label: str
    start: int
    end: int


class Document(NamedTuple):
    """One document with both sides, and how each slot came out."""

    words: list[str]
    gold: list[Span]
    pred: list[Span]
    outcomes: list[str]


@dataclass(frozen=True)
class SpanCorpus:
    """A corpus on disk: gold.jsonl, pred.jsonl, and the same spans as tags in gold.iob2, pred.iob2."""

    folder: Path
    documents: int
    counts: dict[str, int]

    @property
    def spans(self) -> int:
        """Gold and predicted spans together: what "spans per second" counts."""
        return self.counts["gold"] + self.counts["pred"]

    def expected_f1(self) -> dict[str, float]:
        """Give the micro F1 the draws fix; overlaps are one to one, so no tie rule enters."""
        n = self.counts
        credit = {
            "strict": n["exact"],
            "exact": n["exact"] + n["label"],
            "partial": n["exact"] + n["label"] + 0.5 * n["boundary"],
            "type": n["exact"] + n["boundary"],
        }
        return {mode: 2 * value / self.spans for mode, value in credit.items()}


def span_corpus(documents: int) -> SpanCorpus:
    """Return the corpus of this size, made on first use and kept in `bench-data/`, which git ignores.

    It is built aside and then renamed, so that a run that is stopped leaves no half corpus for the next.
    """
    folder = HOME / f"spans-v{FORMAT}-seed{SEED}-{documents}"
    if not folder.exists():
        HOME.mkdir(exist_ok=True)
        aside = Path(tempfile.mkdtemp(dir=HOME))
        try:
            _write(aside, documents)
            aside.rename(folder)
        except OSError:
            if not folder.exists():  # otherwise another run was first, with the same corpus
                raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    counts = json.loads((folder / "counts.json").read_text(encoding="utf-8"))
    return SpanCorpus(folder, documents, counts)


def _write(folder: Path, documents: int) -> None:
    counts = Counter(dict.fromkeys(("gold", "pred", *SHARES, "spurious"), 0))
    with ExitStack() as stack:

        def create(name: str) -> TextIO:
            return stack.enter_context((folder / name).open("w", encoding="utf-8", newline="\n"))

        files = {side: (create(f"{side}.jsonl"), create(f"{side}.iob2")) for side in ("gold", "pred")}
        for number, document in enumerate(_documents(documents)):
            counts.update(document.outcomes)
            for side, spans in (("gold", document.gold), ("pred", document.pred)):
                counts[side] += len(spans)
                lines, tags = files[side]
                lines.write(_as_json(f"doc-{number}", document.words, spans) + "\n")
                tags.write(" ".join(_as_tags(spans)) + "\n")
    (folder / "counts.json").write_text(json.dumps(counts), encoding="utf-8")


def _documents(documents: int) -> Iterator[Document]:
    rng = Random(SEED)
    vocabulary = ["".join(rng.choices(string.ascii_lowercase, k=rng.randint(2, 8))) for _ in range(1000)]
    vocabulary[0] = "café"  # one document in 34 is not ASCII, so that no tool is spared the difference
    for _ in range(documents):
        document = Document(rng.choices(vocabulary, k=TOKENS), [], [], [])
        for first in range(0, TOKENS, SLOT):
            _fill_slot(rng, first, document)
        yield document


def _fill_slot(rng: Random, first: int, document: Document) -> None:
    """Fill nearly half of the slots with gold, and others with spurious spans, as many as gold ones are missed."""
    if rng.random() < FILLED:
        gold = _draw_span(rng, first)
        outcome = rng.choices(tuple(SHARES), tuple(SHARES.values()))[0]
        document.gold.append(gold)
        document.outcomes.append(outcome)
        if outcome != "missing":
            document.pred.append(_predict(rng, gold, first, outcome))
    elif rng.random() < SHARES["missing"] * FILLED / (1 - FILLED):
        document.pred.append(_draw_span(rng, first))
        document.outcomes.append("spurious")


def _draw_span(rng: Random, first: int) -> Span:
    length = rng.randint(1, 2)
    start = first + rng.randint(0, SLOT - length)
    return Span(rng.choice(LABELS), start, start + length)


def _predict(rng: Random, gold: Span, first: int, outcome: str) -> Span:
    """Copy a gold span with the drawn fault; a moved boundary stays in its slot, so that spans stay flat."""
    if outcome == "label":
        return gold._replace(label=rng.choice([label for label in LABELS if label != gold.label]))
    if outcome == "boundary":
        _, start, end = gold
        moves = [(start - 1, end), (start + 1, end), (start, end - 1), (start, end + 1)]
        start, end = rng.choice([(s, e) for s, e in moves if first <= s < e <= first + SLOT])
        return gold._replace(start=start, end=end)
    return gold


def _as_json(name: str, words: list[str], spans: list[Span]) -> str:
    text = " ".join(words)
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word) + 1)
    rows = []
    for label, first, last in spans:
        start, end = starts[first], starts[last] - 1
        rows.append({"label": label, "start": start, "end": end, "text": text[start:end]})
    return json.dumps({"id": name, "text": text, "spans": rows}, ensure_ascii=False)


def _as_tags(spans: list[Span]) -> list[str]:
    tags = ["O"] * TOKENS
    for label, start, end in spans:
        tags[start:end] = [f"B-{label}"] + [f"I-{label}"] * (end - start - 1)
    return tags
