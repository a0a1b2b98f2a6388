"""The formats of labelled spans, in the order in which they are tried."""

from __future__ import annotations

from spanscope.io.fields import KNOWN
from spanscope.io.format import NAMED, Format
from spanscope.io.head import Head
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.columns import is_columns
from spanscope.io.spans.objects import is_labelled, is_without_spans
from spanscope.io.spans.reading import read_frame, read_plain
from spanscope.io.tokens.sentences import is_frame, is_tagged


def _are_columns(head: Head, options: ReadOptions) -> bool:
    names = KNOWN | {key: (own,) for key, own in options.fields.items()}
    return not head.is_file and is_columns(head.source, names) and not is_frame(head.source)


FORMATS = (
    Format(
        "columns",
        "spans",
        "columns doc, start, end and label",
        read_frame,
        _are_columns,
        reads=NAMED,
        in_files=False,
        in_blocks=True,
    ),
    Format(
        "spans",
        "spans",
        "documents with spans, ents or entities",
        read_plain,
        lambda head, options: is_without_spans(head.value) and not _are_columns(head, options),
        lambda one, _, options: is_labelled(one, options.fields) and not is_tagged(one),
        reads=NAMED,
        in_blocks=True,
        general=True,
    ),
)
