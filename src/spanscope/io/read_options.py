"""How one source is read: what somebody said of it, and what whoever wants it needs besides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from spanscope.data.corpus import Corpus
from spanscope.io.fields import fields as accepted_names
from spanscope.io.offsets import unit_of
from spanscope.io.strict import Report, Rules
from spanscope.io.tokens.tag_rules import TagRules

if TYPE_CHECKING:
    from spanscope.io.document_texts import DocumentTexts
    from spanscope.io.passages.library import Library

LEFT_OPEN = (
    "ends",
    "annotator",
    "layer",
    "split",
    "label_names",
    "texts",
    "keep_fields",
)  # what a file may leave open
Progress = Callable[[int], None]  # called with the number of bytes that are done


def _say_nothing(_done: int) -> None:
    pass


@dataclass(frozen=True, eq=False)
class ReadOptions:
    """What the reader of any format is called with, beside the source.

    An option that a new format needs is one more field here. Which formats read it stands in their rows of the
    table (`io/detect.py`), so that it is refused beside all others.
    """

    side: str = ""  # gold, pred, or an annotator: the name in messages of what has no name of its own
    fields: Mapping[str, str] = field(default_factory=dict)  # names of fields, where they are not the usual ones
    offsets: str | None = None  # the unit of start and end, where somebody said it: else the format's own
    ends: str | None = None  # inclusive or exclusive, where somebody said it
    annotator: str | None = None  # whose annotations are wanted, where a source has those of several
    layer: str | None = None  # which layer, view, set or group of spans is wanted, where there are several
    split: str | None = None  # which split of a data set
    label_names: Mapping[str, str] = field(default_factory=dict)  # of labels that are numbers
    texts: Any = None  # the source with the texts of the documents, where spans stand in a table alone
    keep_fields: Sequence[str] = ()  # fields of documents that are kept as metadata
    tags: TagRules = field(default_factory=TagRules)  # how tags are read, and the format that somebody said
    report: Report = field(default_factory=Report)  # stops at what is wrong, or writes it down and goes on
    progress: Progress = _say_nothing
    like: Corpus | None = None  # ids and texts that are the same there are not kept twice
    both: bool = False  # tokens: gold and predictions stand in this one source
    normalise: bool = False  # segments: repair what is no partition
    as_given: bool = False  # segments: take them as they are, for the protocol of a tool that does
    hints: bool = True  # segments: messages may name `normalise`
    only: Sequence[str] | None = None  # segments: the names of those that are wanted
    library: Library | None = None  # passages: the files that they are from

    def rules(self) -> Rules:
        """Return the rules for labelled spans; names of fields that are none are refused."""
        inclusive = self.ends == "inclusive"
        return Rules(
            accepted_names(self.fields), self.unit(), self.report, inclusive, self.keep_fields, self.known_texts
        )

    def translated_rules(self, usual: str = "codepoints") -> Rules:
        """Return the rules for documents that a reader has put under our names; `usual` is the format's unit."""
        unit, inclusive = self.unit(usual), self.ends == "inclusive"
        return Rules(accepted_names(None), unit, self.report, inclusive, texts=self.known_texts)

    @cached_property
    def known_texts(self) -> DocumentTexts | None:
        """Return the texts of the documents, where they have a source of their own."""
        if self.texts is None:
            return None
        from spanscope.io.document_texts import texts_by_id  # which few tables need

        return texts_by_id(self.texts)

    def unit(self, usual: str = "codepoints") -> str:
        """Return the unit of start and end: the one that was said, else the usual one of the format."""
        return unit_of(self.offsets or usual)
