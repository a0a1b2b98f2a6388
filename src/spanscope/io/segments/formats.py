"""The formats of segmentations, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable

from spanscope.io.fields import FORMS
from spanscope.io.format import DOCUMENTS, NAMED, Format, when_called
from spanscope.io.head import Head
from spanscope.io.label_studio import TASK, is_task
from spanscope.io.segments.recognise import (
    SENTENCES,
    is_choi,
    is_reasoning_flow,
    is_segeval,
    is_segeval_table,
    is_segmented,
    is_sentences,
    is_strings,
    is_wiki,
)


def _named_format(name: str, cue: str, reader: str, test: Callable[[Head], bool] | None = None) -> Format:
    """Return a format that its beginning shows, or that somebody must name."""
    read = when_called(*f"segments.{reader}".rsplit(".", 1))
    if test is None:
        return Format(name, "segments", cue, read)
    return Format(name, "segments", cue, read, lambda head, _: head.is_file and test(head))


FORMATS = (
    _named_format("choi", "Choi's files: ten = alone on a line between segments", "unit_files.read_choi", is_choi),
    _named_format("wiki-727k", "wiki-727k: headings such as ========,1,preface.", "unit_files.read_wiki", is_wiki),
    Format(
        "segeval",
        "segments",
        "segeval's JSON: items by document and coder, segmentation_type",
        when_called("segments.segeval", "read_segeval"),
        lambda head, _: is_segeval(head.value),
    ),
    _named_format(
        "segeval-table", "segeval's tables: Coder and Masses", "segeval.read_segeval_table", is_segeval_table
    ),
    _named_format("nltk", "lines of 0 and 1 alone", "strings.ask_which", is_strings),
    _named_format(
        "nltk-gaps", "NLTK's strings, one character per gap, one line per document", "strings.read_gaps"
    ),
    _named_format(
        "nltk-units", "NLTK's strings, one character per unit, one line per document", "strings.read_units"
    ),
    _named_format(
        "nltk-gap-pairs", "NLTK's strings of gaps, gold and predictions in turn", "strings.read_gap_pairs"
    ),
    _named_format(
        "nltk-unit-pairs", "NLTK's strings of units, gold and predictions in turn", "strings.read_unit_pairs"
    ),
    Format(
        "sentences",
        "segments",
        "sentences with a label each",
        when_called("segments.sentences", "read_sentences"),
        record=lambda one, *_: is_sentences(one),
        keys=SENTENCES,
        containers=(*DOCUMENTS, "traces"),
        reads=("keep_fields",),
    ),
    _named_format("sentences-last", "sentences with 1 for the last of a segment", "sentences.read_last"),
    _named_format("sentences-first", "sentences with 1 for the first of a segment", "sentences.read_first"),
    _named_format("sentences-sections", "sentences with the number of a section", "sentences.read_sections"),
    Format(
        "reasoning-flow",
        "segments",
        "ReasoningFlow's traces: raw_text with a response, and nodes in it",
        when_called("segments.reasoning_flow", "read_reasoning_flow"),
        record=lambda one, *_: is_reasoning_flow(one),
        keys=("nodes",),
        containers=(*DOCUMENTS, "traces"),
    ),
    Format(
        "labelstudio-segments",
        "segments",
        "tasks of Label Studio (data and annotations) whose labels cover the text",
        when_called("segments.reading", "read_tasks"),
        record=lambda one, head, _: is_task(one, head.data),
        keys=TASK,
        containers=(*DOCUMENTS, "traces"),
        reads=NAMED,
        in_blocks=True,
        also=("label-studio",),
        fits=when_called("coverage", "may_be_segments"),
    ),
    Format(
        "segments",
        "segments",
        "documents with segmentations, segments, boundaries, masses or string",
        when_called("segments.reading", "read_segmented"),
        record=lambda one, _, options: is_segmented(one, options.fields),
        keys=FORMS,
        containers=(*DOCUMENTS, "traces"),
        reads=NAMED,
        in_blocks=True,
    ),
)
