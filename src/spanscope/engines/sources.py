"""Any number of sources that stand beside each other: how each is read, and the format that it is in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from spanscope.data.corpus import Corpus
from spanscope.families import FAMILIES, Family
from spanscope.io.arrow import as_rows
from spanscope.io.detect import check_said, recognise
from spanscope.io.fields import own_names
from spanscope.io.format import ALL, Format
from spanscope.io.metadata import refuse_unmet
from spanscope.io.offsets import unit_of
from spanscope.io.pipes import hold_all
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import Source as Piece
from spanscope.io.strict import Report
from spanscope.settings.by_side import reading_of, refuse_unread_of_source, split_source
from spanscope.settings.left_open import left_open
from spanscope.settings.reading import Reading
from spanscope.settings.settle import tag_rules


@dataclass(frozen=True)
class Source:
    """A source, how it is read, and the format that it is in."""

    source: Any
    options: ReadOptions
    format: Format
    lacking: bool = False  # whether it may lack fields that are to be kept: others may have them

    @property
    def family(self) -> Family:
        """Return what it holds."""
        return FAMILIES[self.format.family]

    def read(self, **other: Any) -> dict[str, Corpus]:
        """Return what a source of spans or segments holds, by annotator; `other` options go before its own."""
        if isinstance(self.source, Corpus):
            return {"": self.source}
        found: dict[str, Corpus] = self.format.reader(self.source, replace(self.options, **other))
        may_lack = self.lacking or isinstance(self.source, Piece)  # a part may, where others have it
        if not may_lack:
            refuse_unmet(found.values(), self.options.keep_fields, str(self.options.side))
        return found


def open_sources(given: Sequence[Any], names: Sequence[str], shared: Reading, *, collect: bool) -> list[Source]:
    """Return sources with their formats: the family of the first decides for all.

    `names` are what they are called in messages. What is wrong with them is collected, or stops the reading.
    Options of one source that its format does not read are refused.
    """
    parts = [split_source(one) for one in given]
    held = hold_all(*(source for source, _ in parts))
    sources = [as_rows(source, name) for source, name in zip(held, names, strict=True)]
    check_said(tag_rules(shared), sources)
    out: list[Source] = []
    for source, name, (_, own) in zip(sources, names, parts, strict=True):
        read = reading_of(shared, own)
        fields, tags = own_names(read.fields), tag_rules(read)
        unit = None if read.offsets is None else unit_of(read.offsets)
        options = ReadOptions(
            name, fields, unit, tags=tags, report=Report(collect), normalise=read.normalise, **left_open(read)
        )
        known = recognise(source, fields, tags, out[0].family.sources if out else ALL)
        if own:
            refuse_unread_of_source(name, source, known, own, tags)
        out.append(Source(source, options, known))
    return out
