"""The formats of tagged tokens, in the order in which they are tried."""

from __future__ import annotations

from spanscope.io.format import Format
from spanscope.io.head import Head
from spanscope.io.passages.trec import is_run
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.recognise import is_marked_text
from spanscope.io.tokens.sentences import (
    claims_lines,
    from_documents,
    from_lines,
    from_rows,
    is_frame,
    is_tagged,
    is_tags,
)

TAGS = ("columns", "scheme")  # options that tagged tokens read


def _are_tagged_lines(head: Head, options: ReadOptions) -> bool:
    """Tell CoNLL; the name of a system at the end of a run, such as B-25, is no tag unless somebody says so."""
    tags = options.tags
    if not head.is_file or head.is_folder or head.is_lined or not claims_lines(head.data, tags):
        return False
    return tags.said or not (is_run(head.data) or is_marked_text(head))


FORMATS = (
    Format(
        "conll",
        "tokens",
        "lines of tokens and tags",
        from_lines,
        _are_tagged_lines,
        reads=TAGS,
    ),
    Format(
        "tags",
        "tokens",
        "lists of tags",
        from_documents,
        lambda head, options: head.is_file and is_tags(head.value, options.tags),
        lambda one, _, options: is_tags(one, options.tags),
        reads=TAGS,
        in_blocks=True,
    ),
    Format(
        "tokens",
        "tokens",
        "documents with tokens and tags",
        from_documents,
        record=lambda one, *_: is_tagged(one),
        reads=(*TAGS, "keep_fields"),
        in_blocks=True,
    ),
    Format(
        "token-rows",
        "tokens",
        "columns token and annotation",
        from_rows,
        lambda head, _: not head.is_file and is_frame(head.source),
        reads=TAGS,
        in_files=False,
    ),
)
