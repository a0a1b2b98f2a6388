"""Labels outside those that a file declares."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem, problem_at


def labels_outside(
    corpus: Corpus, declared: Sequence[str] | None, asked: Collection[str] | None = None
) -> Iterator[Problem]:
    """Note every span whose label is none of those declared; of the labels that are asked for, where some are."""
    if declared is None:
        return
    spans = corpus.spans
    odd = [name not in declared and (asked is None or name in asked) for name in corpus.labels]
    if not any(odd):
        return
    number = number_in_document(corpus)
    for row in np.flatnonzero(np.array(odd)[spans.label]).tolist():
        doc = int(spans.doc[row])
        values = {"at": f"spans[{number[row]}]", "label": corpus.labels[spans.label[row]]}
        yield problem_at("unknown label", corpus.where(doc), {**values, "labels": tuple(declared)}, row=doc)


def number_in_document(corpus: Corpus) -> Ints:
    """Return the number of every span in its document, as the file counts them."""
    spans = corpus.spans
    first = np.searchsorted(spans.doc, np.arange(corpus.n_documents))
    numbers: Ints = spans.extra.get("number", np.arange(len(spans)) - first[spans.doc])
    return numbers
