"""Slices of a corpus that was counted: by fields of its documents, and by what its spans are like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, replace
from typing import Any

from spanscope.data.corpus import with_labels
from spanscope.engines.load import load_sides
from spanscope.errors import InputError, MeasureError, shown
from spanscope.findings import slices as found_by
from spanscope.findings.findings import Findings
from spanscope.findings.slices import BUILT_IN, OF_SPANS, Forms
from spanscope.io.reading import the_only
from spanscope.jsonable import as_shown
from spanscope.rates import Rate
from spanscope.settings.run_settings import Settings
from spanscope.sides.comparison import Comparison
from spanscope.sides.texts import texts_of
from spanscope.stats.cells import deal
from spanscope.stats.counted import How
from spanscope.stats.slices import (
    Slice,
    Slicing,
    Sure,
    how_of_means,
    measure_slices,
    slice_documents,
    values_as_counts,
)

MOST_SLICES = 1_000  # values of a field: more are no slices, and nobody reads so many
LONGEST = 40  # characters of a value that is shown although texts are not


def forms_in(train: Any, settings: Settings) -> Forms:
    """Return the texts of the spans in training data, with their labels; it is read as gold is."""
    own = settings.of("gold")
    read, annotator = load_sides(train, "train", own), own.left_open.get("annotator")
    corpus = with_labels(the_only(read, "the training data", annotator=annotator), settings.tags.mapping)
    texts = texts_of(corpus.spans, corpus.texts)
    if texts is None and len(corpus.spans):
        raise InputError(
            "the spans of the training data have no texts, and neither have its documents",
            where=corpus.name,
            expected="a text in every document, or in every span",
        )
    return found_by.forms_of(corpus.spans, corpus.labels, [] if texts is None else texts.tolist())


def slice_counts(c: Comparison, settings: Settings, found: Findings, forms: Forms | None) -> list[Slicing]:
    """Return the counts of the headline measure in all slices that were asked for."""
    if not c.documents or not settings.by:
        return []
    counts = found.counts[0]
    read = values_as_counts(counts, settings.how(settings.measures[0])) if _over_documents(settings) else counts
    slicings = []
    for by in settings.by:
        if by in OF_SPANS:
            slicings.append(_of_spans(by, c, settings, found, forms))
            continue
        names, code = found_by.by_document_length(c) if by.startswith("@") else found_by.by_values(c.fields[by])
        _refuse_many(by, names)
        slicings.append(slice_documents(by, counts, read, names, code))
    return slicings


def slice_all(slicings: Sequence[Slicing], c: Comparison, settings: Settings) -> list[Slice]:
    """Return the figures of the headline measure in all slices, the worst first."""
    how, rate = how_of_slices(settings)
    sure = None if settings.ci is None else Sure(*astuple(settings.ci))
    out = measure_slices(slicings, how, rate, deal(c.drawn_keys()), sure) if slicings else []
    return [replace(one, name=name_shown(one.by, one.name, settings)) for one in out]


def how_of_slices(settings: Settings) -> tuple[How, Rate]:
    """Return how the figures of slices are read from their counts, and the rate that leads."""
    lead = settings.headline
    how = settings.how(lead.measure)
    how = how_of_means(how) if _over_documents(settings) else how
    return how, next(one for one in how[0] if one.name == lead.rate.name)


def _over_documents(settings: Settings) -> bool:
    return settings.headline.average == "document"


def _of_spans(by: str, c: Comparison, settings: Settings, found: Findings, forms: Forms | None) -> Slicing:
    """Return what a way to slice spans counts, from what the headline measure matched."""
    measure = settings.measures[0]
    if found.verdicts is None or settings.explained != 0:
        raise MeasureError(
            f"{by} slices spans, and of those under {measure.short} nobody knows which were matched",
            expected="a measure that matches spans in the first place, and errors that are named",
            hint="-m spans.exact",
        )
    own = OF_SPANS[by](c, forms)
    counts = found_by.recount(c, found.verdicts, own)
    return Slicing(by, counts, counts, (own.gold, own.pred))


def _refuse_many(by: str, names: Sequence[str]) -> None:
    if len(names) > MOST_SLICES:
        raise MeasureError(
            f"the documents have {len(names):,} values of {shown(by)}",
            expected=f"at most {MOST_SLICES:,}: a field that documents have in common, such as their source",
        )


def name_shown(by: str, name: str, settings: Settings) -> str:
    """Return the name of a slice, hidden where it is a value of a field so long that it may be a text."""
    hidden = not settings.quotes and by not in BUILT_IN and len(name) > LONGEST
    return as_shown(name, "masked") or "" if hidden else name
