"""Slices of a corpus that was counted: by fields of its documents, and by what its spans are like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, replace
from typing import Any

from spanscope.counts import Counts
from spanscope.data.corpus import with_labels
from spanscope.engines.load import load_sides
from spanscope.errors import InputError, MeasureError, shown
from spanscope.findings import slices as found_by
from spanscope.findings.findings import Findings
from spanscope.findings.slices import BUILT_IN, OF_SPANS, Forms
from spanscope.io.reading import the_only
from spanscope.jsonable import as_shown
from spanscope.rates import Rate
from spanscope.results.saved_counts import SavedSlicing
from spanscope.settings.run_settings import Settings
from spanscope.sides.comparison import Comparison
from spanscope.sides.groups import refuse_absent
from spanscope.sides.texts import texts_of
from spanscope.stats.counted import Counted, How
from spanscope.stats.slices import Slice, Sure, how_of_means, measure_slices, values_as_counts
from spanscope.stats.slicings import Sliced, Slicing, names_of, rename, slice_documents, sums_of

MOST_SLICES = 1_000  # values of a field: more are no slices, and nobody reads so many
LONGEST = 40  # characters of a value that is shown although texts are not


def forms_in(train: Any, settings: Settings) -> Forms:
    """Return the texts of the spans in training data, with their labels; it is read as gold is."""
    own = settings.of("gold")
    said = {key: one for key, one in own.left_open.items() if key != "texts"}  # which are those of gold
    own = replace(own, left_open=said)
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
    """Return the counts of the headline measure in all slices that were asked for, as far as some documents tell.

    They may be a portion of all: what depends on the others is left open, until `settle_slices` is given the
    counts of every portion.
    """
    if not c.documents or not settings.by:
        return []
    counts = found.counts[0]
    read = _read_from(counts, settings)
    slicings = []
    for by in settings.by:
        if by in OF_SPANS:
            slicings.append(_of_spans(by, c, settings, found, forms))
            continue
        names, code = found_by.by_document_length(c) if by.startswith("@") else found_by.by_values(c.fields[by])
        slicings.append(slice_documents(by, counts, read, names, code))
    return slicings


def _read_from(counts: Counts, settings: Settings) -> Counts:
    """Return the table that figures of documents are read from: where means lead, the values of every document."""
    return values_as_counts(counts, settings.how(settings.measures[0])) if _over_documents(settings) else counts


def slice_again(by: str, own: SavedSlicing, counts: Counts, settings: Settings) -> Slicing:
    """Return slices as a result file kept them, beside the counts of its headline measure."""
    if isinstance(own.held, Counts):
        return Slicing(by, own.held, own.held)
    return slice_documents(by, counts, _read_from(counts, settings), own.names, own.held)


def settle_slices(slicings: Sequence[Sliced], gold: str) -> list[Sliced]:
    """Return slices with what only all documents tell: thirds of lengths, which labels are rare, all values."""
    return [_settle(own, gold) for own in slicings]


def _settle(own: Sliced, gold: str) -> Sliced:
    if own.by in BUILT_IN:
        return found_by.settle(own) if isinstance(own, Slicing) else own
    marked = names_of(own)
    if set(marked) == {""}:
        refuse_absent(own.by, gold)
    refuse_many(own.by, marked)
    return rename(own, found_by.names_of_values(marked))


def slice_all(slicings: Sequence[Sliced], counted: Counted, settings: Settings) -> list[Slice]:
    """Return the figures of the headline measure in all slices, the worst first."""
    if not slicings:
        return []
    how, rate = how_of_slices(settings)
    sure = None if settings.ci is None else Sure(*astuple(settings.ci))
    out = measure_slices([sums_of(own, how, counted) for own in slicings], how, rate, sure)
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


def refuse_many(by: str, names: Sequence[str]) -> None:
    """Refuse a field with so many values that these are no slices."""
    if len(names) > MOST_SLICES:
        raise MeasureError(
            f"the documents have {len(names):,} values of {shown(by)}",
            expected=f"at most {MOST_SLICES:,}: a field that documents have in common, such as their source",
        )


def name_shown(by: str, name: str, settings: Settings) -> str:
    """Return the name of a slice, hidden where it is a value of a field so long that it may be a text."""
    hidden = not settings.quotes and by not in BUILT_IN and len(name) > LONGEST
    return as_shown(name, "masked") or "" if hidden else name
