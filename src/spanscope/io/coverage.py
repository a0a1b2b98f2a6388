"""Labelled spans told from a segmentation, in tasks of Label Studio: by how much of the texts the labels cover."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from spanscope.arguments import as_whole
from spanscope.io.head import FEW, TEXT, Head
from spanscope.io.json_lines import HEAD
from spanscope.io.label_studio import MADE, OLD, is_export, label_key, place_of, text_key
from spanscope.io.offsets import places

GAPPY = 0.8  # of the characters: labels that cover less are no segmentation, not even one with gaps
BLANKS = " \t\r\n"


class Cover(NamedTuple):
    """How labels cover the texts of some tasks: characters that are no blanks, once for each annotation."""

    labels: int = 0
    covered: int = 0
    characters: int = 0
    overlap: bool = False
    clauses: bool = False  # a page with the offsets of its clauses, as RT-SEG makes them

    @property
    def is_full(self) -> bool:
        """Tell whether labels leave out nothing but blanks."""
        return self.labels > 0 and self.covered == self.characters

    @property
    def is_gappy(self) -> bool:
        """Tell whether labels leave out more than anybody would who cuts a text into segments."""
        return self.covered < GAPPY * self.characters or not self.labels

    def plus(self, other: Cover) -> Cover:
        """Return both together."""
        labels, covered, characters = (a + b for a, b in zip(self[:3], other[:3], strict=True))
        return Cover(labels, covered, characters, self.overlap or other.overlap, self.clauses or other.clauses)


def may_be_spans(head: Head) -> bool:
    """Tell tasks whose labels leave gaps, or overlap."""
    own = _cover_of(head)
    return not own.clauses and (not own.is_full or own.overlap)


def may_be_segments(head: Head) -> bool:
    """Tell tasks whose labels cover the texts, or all but a little; or whose beginning does not show it."""
    own = _cover_of(head)
    if own.clauses or (not own.labels and head.is_cut):
        return True
    return own.is_full or not (own.is_gappy or own.overlap)


def _cover_of(head: Head) -> Cover:
    out = Cover()
    for task in _tasks(head):
        if is_export([task]):
            out = out.plus(_cover(task))
    return out


def _tasks(head: Head) -> Iterator[Any]:
    """Yield the first tasks of a source, as far as its beginning holds them whole."""
    if not head.is_cut:
        yield from (record.value for record in head.records())
        return
    from json import JSONDecoder  # which few files need

    text, decoder = head.data[:HEAD].decode("utf-8", "ignore"), JSONDecoder()
    at = text.find("[") + 1
    for _ in range(FEW):
        at += len(text[at : at + TEXT]) - len(text[at : at + TEXT].lstrip(BLANKS + ","))
        try:
            task, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield task


def _cover(task: Mapping[str, Any]) -> Cover:
    data, out = task["data"], Cover()
    if data.get("offsets"):
        return Cover(clauses=True)
    for kind in (*MADE, OLD):
        made = task.get(kind)
        for one in made if isinstance(made, list) else ():
            results = one.get("result") if isinstance(one, Mapping) and not one.get("was_cancelled") else None
            if isinstance(results, list):
                out = out.plus(_coverage_of(data, [one for one in results if isinstance(one, Mapping)]))
    return out


def _coverage_of(data: Mapping[str, Any], results: list[Mapping[str, Any]]) -> Cover:
    """Return how the labels of one annotation cover its text; nothing of one without labels."""
    labelled = [one for one in results if label_key(one)]
    key = text_key(data, labelled)
    if not labelled or key is None:
        return Cover()
    text = data[key]
    if key == "html" or any(label_key(one) == "hypertextlabels" for one in labelled):
        from spanscope.io.segments.hypertext import page_text  # for which few files have a use

        text = page_text(text, "")
    place = places(text, "utf16")
    there = bytearray(0 if one.isspace() else 1 for one in text)
    seen, overlap = bytearray(len(text)), False
    for start, end in (place_of(one.get("value")) for one in labelled):
        ends = [place(whole) for one in (start, end) if (whole := as_whole(one)) is not None]
        if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
            own = slice(ends[0], ends[1])
            overlap = overlap or any(seen[own])
            seen[own] = b"\1" * len(seen[own])
    covered = sum(a & b for a, b in zip(there, seen, strict=True))
    return Cover(len(labelled), covered, sum(there), overlap)


def gaps_alone(tasks: Iterator[Any]) -> bool:
    """Tell tasks that are labelled spans by nothing but their gaps: labels never overlap."""
    covers = [_cover(task) for task in islice(tasks, FEW) if is_export([task])]
    return any(one.labels for one in covers) and not any(one.overlap or one.clauses for one in covers)
