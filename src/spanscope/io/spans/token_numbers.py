"""Spans that look like numbers of tokens with the last one included, under the names of others."""

from __future__ import annotations

from typing import Any

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError
from spanscope.io.head import head_of
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import FILES


def refuse_token_numbers(source: Any, corpus: Corpus, options: ReadOptions) -> None:
    """Refuse lists of spans in a file that look like numbers of tokens: some span is empty, and none has a text.

    Whoever says what they are, or where spans end, is believed.
    """
    if options.tags.input is not None or options.ends is not None or not isinstance(source, FILES):
        return
    spans = corpus.spans
    if corpus.ids is not None or corpus.texts is not None or spans.text is not None or spans.quote is not None:
        return
    empty = spans.start == spans.end
    if not empty.any() or not all(isinstance(one.value, list) for one in head_of(source).records()):
        return
    raise InputError(
        "its spans look like token numbers with the last token included, as nervaluate and seqeval have them: "
        f"{int(empty.sum())} of {len(spans)} start where they end",
        where=corpus.name,
        expected="spans with a length",
        hint="[[input=nervaluate]]   if they are, or [[ends=exclusive]]   for characters and empty spans",
    )
