"""The formats of tagged tokens, in the order in which they are tried."""

from __future__ import annotations

from spanscope.io.format import Format, when_called
from spanscope.io.head import Head
from spanscope.io.hugging_face import is_dataset_dict
from spanscope.io.passages.judged import is_run
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.recognise import is_marked_text
from spanscope.io.tokens.recognise import (
    SEQEVAL,
    TOKENS,
    claims_lines,
    is_delimited_tokens,
    is_frame,
    is_row_a_token,
    is_saved,
    is_seqeval,
    is_tagged,
    is_tags,
    is_token,
)

LINES = ("columns", "scheme")  # options that tagged tokens in lines read
TAGS = (*LINES, "label_names")  # and those whose tags can be numbers


_is_conllu = when_called("tokens.conllu", "is_conllu")


def _are_tagged_lines(head: Head, options: ReadOptions) -> bool:
    """Tell CoNLL; the name of a system at the end of a run, such as B-25, is no tag unless somebody says so."""
    tags = options.tags
    if not head.is_file or head.is_folder or head.is_lined or not claims_lines(head.data, tags):
        return False
    return tags.said or not (is_run(head.data) or is_marked_text(head))


def _are_words(head: Head, options: ReadOptions) -> bool:
    """Tell CoNLL-U, unless its last column has tags alone, as that of CoNLL has."""
    return not _are_tagged_lines(head, options) and head.is_path and bool(head.lines) and _is_conllu(head.lines)


def _are_rows(head: Head, options: ReadOptions) -> bool:
    """Tell a table with one row per token; lines separated by tabs that only have tokens and tags are CoNLL."""
    if not head.is_file:
        return is_frame(head.source)
    return not _are_tagged_lines(head, options) and is_delimited_tokens(head)


FORMATS = (
    Format(
        "conll",
        "tokens",
        "lines of tokens and tags",
        when_called("tokens.lines", "from_lines"),
        _are_tagged_lines,
        reads=LINES,
    ),
    Format(
        "conllu",
        "tokens",
        "CoNLL-U, with tags in its last column, such as NER=B-LOC",
        when_called("tokens.conllu", "from_conllu"),
        _are_words,
        reads=("scheme", "layer"),
    ),
    Format(
        "datasets",
        "tokens",
        "a data set of Hugging Face, saved by save_to_disk: a folder, or several splits",
        when_called("tokens.saved", "from_saved"),
        lambda head, _: is_saved(head.names) or is_dataset_dict(head.source),
        reads=(*TAGS, "split", "keep_fields"),
        splits=when_called("tokens.saved", "splits_of"),
    ),
    Format(
        "seqeval",
        "tokens",
        "seqeval's y_true and y_pred in one object",
        when_called("tokens.seqeval", "from_seqeval"),
        lambda head, _: is_seqeval(head.value),
        lambda one, *_: is_seqeval(one),
        keys=SEQEVAL.values(),
        reads=TAGS,
    ),
    Format(
        "tags",
        "tokens",
        "lists of tags",
        when_called("tokens.sentences", "from_documents"),
        lambda head, options: head.is_file and is_tags(head.value, options.tags),
        lambda one, _, options: is_tags(one, options.tags),
        keys=(),
        reads=TAGS,
        in_blocks=True,
    ),
    Format(
        "tokens",
        "tokens",
        "documents with tokens and tags",
        when_called("tokens.sentences", "from_documents"),
        record=lambda one, *_: is_tagged(one),
        keys=TOKENS,
        reads=(*TAGS, "keep_fields"),
        in_blocks=True,
    ),
    Format(
        "token-rows",
        "tokens",
        "one row per token: columns token and annotation, or word and tag",
        when_called("tokens.token_rows", "from_rows"),
        _are_rows,
        lambda one, *_: is_token(one),
        keys=is_row_a_token,
        reads=TAGS,
    ),
)
