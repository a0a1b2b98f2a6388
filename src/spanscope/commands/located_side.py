"""Predictions that are quotes, placed in gold's texts before they are scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from spanscope.commands.locate import corpus_of, locate, read_texts
from spanscope.data.corpus import Corpus, with_quotes_nowhere
from spanscope.data.problems import Problem
from spanscope.errors import MeasureError, plural, quoting
from spanscope.io.opening import open_source
from spanscope.io.reading import read as read_corpus
from spanscope.locating.document import STATUSES
from spanscope.results.located import Located
from spanscope.settings.options import Running, Text
from spanscope.settings.reading import Reading
from spanscope.settings.run_settings import may_quote


def check_asked(reading: Reading, running: Running, own: Mapping[str, Any]) -> None:
    """Refuse what quotes cannot be placed with."""
    if reading.repair_json and not reading.locate:
        raise MeasureError("repair_json is of quotes that are placed", expected="[[locate]] with it")
    if reading.locate and (
        running.jobs > 1 or running.memory not in (None, "spans") or running.engine is not None
    ):
        raise MeasureError(
            "quotes are placed in one process", expected="no jobs, memory or engine beside [[locate]]"
        )
    if reading.locate and own:
        raise MeasureError("quotes are read by rules of their own", expected="no options of the predictions alone")


class Placed(NamedTuple):
    """Predictions as spans of gold's texts, with the offsets they came with, and what is to be said of them."""

    located: Located
    corpus: Corpus
    as_given: Corpus | None
    problems: list[Problem]


def place_predictions(gold: Any, pred: Any, reading: Reading, text: Text) -> Placed:
    """Return the predictions as spans of gold's texts.

    Quotes that were not found stay: as predictions without a place, which match nothing.
    """
    if pred is None:
        raise MeasureError("there are no predictions to place", expected="gold, and what a model said")
    with quoting(may_quote(text)):
        texts = read_texts(gold)
    found = locate(texts, pred, repair_json=reading.repair_json, missing="empty", text=text)
    without = {*found.without}
    answered = {name: own for name, own in found.documents.items() if name not in without}
    corpus = corpus_of(answered, found.rows)
    file = open_source(pred) if isinstance(pred, (str, Path)) else None
    corpus = with_quotes_nowhere(corpus)
    corpus = replace(corpus, name=file.name if file else "pred", sha256=file.sha256 if file else None)
    said = Problem("quotes placed", corpus.name, values={"what": _in_words(found)})
    return Placed(found, corpus, _as_given(answered, found, corpus.name), [said])


def _as_given(documents: Mapping[str, str], found: Located, name: str) -> Corpus | None:
    """Return the predictions at the offsets they came with; None where some have none, or none that can be."""
    spans: dict[str, list[list[Any]]] = {one: [] for one in documents}
    for row in found.rows:
        start, end = row.given or (None, None)
        if start is None or end is None or not 0 <= start <= end <= len(documents[row.document]):
            return None
        spans[row.document].append([start, end, row.label])
    if not found.rows:
        return None
    made = [{"id": one, "text": text, "spans": spans[one]} for one, text in documents.items()]
    return read_corpus(made, name=name)


def _in_words(found: Located) -> str:
    """Return in words how many quotes were touched, by status."""
    number = found.counts()
    parts = [f"{number[name]:,} {name.replace('_', ' ')}" for name in STATUSES if number[name]]
    parts += [f"{number['ambiguous']:,} ambiguous"] * bool(number["ambiguous"])
    moved = sum(row.moved is not None for row in found.rows)
    parts += [f"{moved:,} moved from their own offsets"] * bool(moved)
    repaired = f"; JSON repaired in {plural(len(found.repaired), 'output')}" if found.repaired else ""
    return f"{plural(len(found.rows), 'quote')} placed in gold's texts: {', '.join(parts) or 'none'}{repaired}"
