"""The figures of presidio-evaluator 0.3.2 itself, defects included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from operator import itemgetter

import numpy as np

from spanscope.arithmetic import Floats, Ints, ratio
from spanscope.counts import STAR, Counts, make
from spanscope.errors import MeasureError, shown
from spanscope.match.verdicts import Confusion
from spanscope.measures.registry import Outcome, measure
from spanscope.measures.tokens.units import ANY_PII, SkipWords, Unit, skip_list
from spanscope.measures.tools.presidio_rules import (
    GENERIC,
    Document,
    score_document,
    score_tokens,
)
from spanscope.rates import NamedRates, Rate, Sums, both_sides, share
from spanscope.sides.comparison import Comparison

OUTSIDE = "O"


def _f(beta: float) -> Rate:
    """Return F as the tool has it: undefined where precision or recall is, or both are 0."""
    square = beta * beta

    def of(s: Sums) -> Floats:
        p, r = ratio(s["tp"], s["pred"]), ratio(s["tp"], s["gold"])
        return ratio((1 + square) * p * r, square * p + r)

    return Rate(f"f{beta:g}", of, trials=both_sides(square, *map(itemgetter, ("tp", "gold", "pred"))))


TOOL = NamedRates((share("precision", "tp", "pred"), share("recall", "tp", "gold")), perfect=False, f=_f)
ODD = "a prediction counts once for each gold span it touches, and spans of skip words do not exist"

GENERIC_TYPES = "some names, such as PII and ID, match any type"


@measure("tokens.presidio_evaluator", TOOL, matches=False, breaks={"perfect": ODD, "counts": ODD}, overall=ANY_PII)
def presidio_evaluator(
    c: Comparison,
    *,
    threshold: float = 0.9,
    unit: Unit = "character",
    skip_words: SkipWords = "presidio",
    extra_skip_words: str = "",
) -> Outcome:
    """Give the figures of presidio-evaluator 0.3.2's span evaluator itself.

    Spans are runs of equal tags (whole tags: B-PERSON and I-PERSON are two types), trimmed of skip words, joined
    over them, and gone where nothing else is left. These are the tool's 417 or none (`skip_words`), and those
    that `extra_skip_words` lists with blanks between them, in lower case as the tool needs them. Where only some
    labels are scored, tags of others are O on both sides, as the tool's `entities` had it up to 0.2.5.

    A gold span with one overlapping prediction is matched by IoU >= threshold; with several, by the IoU of all
    predictions of one type together, which with unit=character is off by a character. A prediction counts again
    for every gold span it overlaps. The overall row, `*`, is the tool's PII: the same with all types taken as one,
    so that neighbours fuse.

    Counts     tp, fp, fn, pred, gold, by document and type, and under `*`.
    Undefined  precision without predictions, recall without gold; F where either is, or both are 0.
    Source     presidio-evaluator 0.3.2, SpanEvaluator.
    Differs    from our own measure, tokens.presidio; docs/differences.md has the list.
    Checked    tests/oracles/presidio_random.json, presidio_edge_cases.json, presidio_seed_examples.json.
    """
    words = skip_list(skip_words, extra_skip_words)
    score = partial(score_document, threshold=threshold, char_based=unit == "character", skip_words=words)
    rows: list[tuple[int, str, list[int]]] = []
    cells: Counter[tuple[str, str]] = Counter()
    for doc, document in _documents(c):
        tally = score(document)
        rows += [(doc, label, counts) for label, counts in tally.per_type.items()]
        if any(tally.pii):
            rows.append((doc, "*", tally.pii))
        cells.update(tally.results)
    return Outcome(_counts(c, rows), confused=_count_confusion(c, cells))


@measure(
    "tokens.presidio_tokens",
    TOOL,
    matches=False,
    breaks={"rename": GENERIC_TYPES, "counts": ODD},
    overall=ANY_PII,
)
def presidio_tokens(c: Comparison, *, skip_words: SkipWords = "presidio", extra_skip_words: str = "") -> Outcome:
    """Give the figures of presidio-evaluator 0.3.2's token evaluator itself.

    Tags are compared token by token. A skip word counts when it is right and not when it is wrong; a generic
    type (PII, ID, ...) counts as any other. The overall row, `*`, is the tool's PII. `skip_words`,
    `extra_skip_words` and labels are as in tokens.presidio_evaluator; to leave tags of other labels out is the
    tool's `entities_to_keep`.

    Counts     tp, fp, fn, pred, gold in tokens, by document and type, and under `*`.
    Undefined  as in tokens.presidio_evaluator.
    Source     presidio-evaluator 0.3.2, TokenEvaluator.
    Differs    from our own measure, tokens.tags, which leaves skip words out, right or wrong.
    Checked    tests/oracles/presidio_random.json, presidio_edge_cases.json, presidio_seed_examples.json.
    """
    words = skip_list(skip_words, extra_skip_words)
    rows: list[tuple[int, str, list[int]]] = []
    total: Counter[tuple[str, str]] = Counter()
    for doc, document in _documents(c):
        cells = score_tokens(document, skip_words=words, generic=GENERIC, keep=None)
        total += cells
        rows += [
            (doc, label, _five(cells, label)) for label in sorted({t for cell in cells for t in cell} - {OUTSIDE})
        ]
        rows.append((doc, "*", _any(cells)))
    return Outcome(_counts(c, rows), confused=_count_confusion(c, total))


def _five(cells: Counter[tuple[str, str]], label: str) -> list[int]:
    """Return tp, fp, fn, predicted, annotated of one type."""
    gold = sum(n for (a, _), n in cells.items() if a == label)
    pred = sum(n for (_, b), n in cells.items() if b == label)
    tp = cells[label, label]
    return [tp, pred - tp, gold - tp, pred, gold]


def _any(cells: Counter[tuple[str, str]]) -> list[int]:
    gold = sum(n for (a, _), n in cells.items() if a != OUTSIDE)
    pred = sum(n for (_, b), n in cells.items() if b != OUTSIDE)
    tp = sum(n for (a, b), n in cells.items() if OUTSIDE not in (a, b))
    return [tp, pred - tp, gold - tp, pred, gold]


def _documents(c: Comparison) -> Iterator[tuple[int, Document]]:
    """Return the documents with their tags as given."""
    gold, pred = (c.tokens.get(side) for side in ("gold", "pred"))
    if gold is None or pred is None or gold.text is None or not np.array_equal(gold.first, pred.first):
        raise MeasureError(
            "presidio-evaluator needs the same tokens on both sides",
            expected="tokens with gold and predicted tags",
            hint="tokens.presidio   which compares places in the text",
        )
    first = gold.first.tolist()
    words, starts = gold.text.tolist(), gold.start.tolist()
    tags, guesses = (_keep_labels(side.tag.tolist(), c.labels) for side in (gold, pred))
    for doc in range(c.documents):
        a, b = first[doc], first[doc + 1]
        if a < b:
            yield doc, Document(words[a:b], starts[a:b], tags[a:b], guesses[a:b])


def _keep_labels(tags: list[str], labels: Sequence[str]) -> list[str]:
    """Return tags with those that are no labels as O: only some labels are scored.

    Whole tags are types here, so one whose label is known without its prefix was read in another way: refused.
    """
    others = set(tags) - {*labels, OUTSIDE}
    if not others:
        return tags
    strange = min((tag for tag in others if tag.partition("-")[2] in labels), default=None)
    if strange is not None:
        raise MeasureError(
            f"the tag {shown(strange)} is a type to presidio-evaluator, and none of the labels here",
            expected="tags read as they are, and labels that are whole tags",
            hint="[[protocol=presidio]]",
        )
    return [OUTSIDE if tag in others else tag for tag in tags]


def _counts(c: Comparison, rows: list[tuple[int, str, list[int]]]) -> Counts:
    """Return the counts by document and type."""
    code = {name: at for at, name in enumerate(c.labels)} | {"*": STAR}
    known = [(doc, code[label], counts) for doc, label, counts in rows if label in code]
    doc, label = (np.array([row[at] for row in known], dtype=np.int64) for at in (0, 1))
    table: Ints = np.array([row[2] for row in known], dtype=np.int64).reshape(-1, 5)
    columns = dict(zip(("tp", "fp", "fn", "pred", "gold"), table.T, strict=True))
    return make(c.documents, c.labels, doc, label, columns)


def _count_confusion(c: Comparison, cells: Counter[tuple[str, str]]) -> Confusion:
    """Return the tool's confusion matrix over our labels; its stray cell (O, PII) is left out."""
    none = len(c.labels)
    code = {name: at for at, name in enumerate(c.labels)} | {OUTSIDE: none}
    known = [(code[a], code[b], n) for (a, b), n in sorted(cells.items()) if a in code and b in code]
    rows = np.array(known, dtype=np.int64).reshape(-1, 3)
    return rows[:, 0], rows[:, 1], rows[:, 2]
