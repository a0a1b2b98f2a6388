"""What tagged tokens are known by; whoever reads them is loaded for their own files only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from spanscope.io.arrow import is_array
from spanscope.io.column_names import first_named, squashed
from spanscope.io.head import Head
from spanscope.io.spans.objects import is_pair
from spanscope.io.tokens.conll import TAG, columns, is_conll, is_document, is_json
from spanscope.io.tokens.tag_rules import TagRules

TOKENS = ("tokens", "words")
TAGS = {
    "gold": ("tags", "ner_tags", "gold", "annotation", "labels"),
    "pred": ("predicted_tags", "pred_tags", "predictions", "pred", "prediction"),
}
SEQEVAL = {"gold": "y_true", "pred": "y_pred"}
INFO, STATE, SPLITS = "dataset_info.json", "state.json", "dataset_dict.json"  # files of a saved data set
NAMES = {  # of columns, each before those that count less
    "sentence": ("sentence_id", "sentence #", "sentence", "sentence_no", "sentence_number", "sent_id", "doc_id"),
    "token": ("token", "word", "form"),
    "gold": ("annotation", "tag", "ner_tag", "ner", "gold", "iob", "bio", "label"),
    "pred": ("prediction", "pred", "predicted_tag", "predicted"),
    "start": ("start_indices", "start", "start_index"),
}
SPANS = ("end", "stop", "length", "end_offset", "end_char", "end_pos")  # columns of rows that are spans


def claims_lines(head: bytes, rules: TagRules) -> bool:
    """Tell a CoNLL file: because somebody said so, or by its tags. Columns can be named beside a file of JSON."""
    if not rules.said:
        return bool(head) and is_conll(head)
    asked = columns(rules.columns)
    at = [*tag_columns(asked, both="pred" in asked).values()]
    return not is_json(head) or is_conll(head, at) or (rules.input == "conll" and not is_document(head))


def tag_columns(asked: Mapping[str, int], *, both: bool) -> dict[str, int]:
    """Return the columns of tags: the last, or gold in the one before and predictions in the last."""
    gold = {"gold": asked.get("gold", asked.get("tag", -2 if both else -1))}
    return gold | ({"pred": asked.get("pred", -1)} if both else {})


def is_seqeval(value: Any) -> bool:
    """Tell the two arguments of seqeval's functions in one object."""
    return isinstance(value, Mapping) and all(key in value for key in SEQEVAL.values())


def as_lists(value: Any) -> Any:
    """Return arrays as lists, and a list of arrays as one of lists; anything else as it is."""
    return value.tolist() if is_array(value) else value


def is_tagged(document: Any) -> bool:
    """Tell a document with tokens and tags."""
    if not isinstance(document, Mapping) or not any(document.get(key) is not None for key in TOKENS):
        return False
    keys = [key for keys in TAGS.values() for key in keys if document.get(key) is not None]
    return any(key != "labels" for key in keys) or (bool(keys) and _are_tags(document["labels"], document))


def _are_tags(labels: Any, document: Mapping[str, Any]) -> bool:
    """Tell labels that are tags: one a token; what other tools call labels are spans, or classes of the text."""
    tokens = next(document[key] for key in TOKENS if document.get(key) is not None)
    if not isinstance(labels, (list, tuple)) or not isinstance(tokens, (list, tuple)):
        return False
    return len(labels) == len(tokens) and all(isinstance(one, (str, int)) for one in labels)


def is_tags(one: Any, rules: TagRules) -> bool:
    """Tell a list of tags: one of its words is O or has the prefix of a scheme, unless the scheme was named.

    Numbers are tags where these have names; anything may be one that stands beside tags.
    """
    one = as_lists(one)
    if not isinstance(one, (list, tuple)) or not one or is_pair(one):
        return False
    known = rules.names is not None or rules.lent is not None
    if isinstance(one[0], str):
        said = known or rules.scheme is not None
        return said or any(isinstance(tag, str) and TAG.fullmatch(tag) is not None for tag in one)
    return known and not isinstance(one[0], bool) and isinstance(one[0], int | np.integer)


def is_saved(names: Sequence[str]) -> bool:
    """Tell the folder of a saved data set, or of its splits, by the names in it."""
    return SPLITS in names or {INFO, STATE} <= {*names}


@lru_cache(256)  # every row of a table has the same columns
def _columns(header: tuple[Any, ...]) -> Mapping[str, str]:
    present = {squashed(str(name)): name for name in header}
    found = {field: first_named(names, present) for field, names in NAMES.items()}
    return {field: name for field, name in found.items() if name is not None}


def columns_of_tokens(header: Sequence[Any]) -> dict[str, str]:
    """Return the column of every field that a table with one row per token has.

    >>> columns_of_tokens(["Sentence #", "Word", "POS", "Tag"])
    {'sentence': 'Sentence #', 'token': 'Word', 'gold': 'Tag'}
    """
    return dict(_columns(tuple(header)))


def is_row_a_token(header: Sequence[Any]) -> bool:
    """Tell a table of tokens by its columns: a row with a start and an end is a span, unless it says token."""
    return _is_row_a_token(tuple(header))


@lru_cache(256)
def _is_row_a_token(header: tuple[Any, ...]) -> bool:
    found = _columns(header)
    spans = {squashed(str(name)) for name in header} & {*map(squashed, SPANS)}
    return {"token", "gold"} <= found.keys() and (not spans or "token" in {squashed(str(one)) for one in header})


def is_frame(source: Any) -> bool:
    """Tell columns in memory with one row per token."""
    keys = getattr(source, "columns", None)
    if keys is None and isinstance(source, Mapping):
        keys = source.keys()
    return keys is not None and is_row_a_token(list(keys)) and not is_one_document(source)


def is_one_document(source: Any) -> bool:
    """Tell an object that is one token with its tag, or a document: its values are no columns."""
    return isinstance(source, Mapping) and any(isinstance(value, (str, Mapping)) for value in source.values())


def is_token(one: Any) -> bool:
    """Tell a row of a table that is a token."""
    if not isinstance(one, Mapping) or not is_row_a_token(list(one)):
        return False
    found = columns_of_tokens(list(one))
    return isinstance(one[found["token"]], str) and isinstance(one[found["gold"]], (str, int))


def is_delimited_tokens(head: Head) -> bool:
    """Tell CSV and TSV with one row per token by the header row."""
    begun = head.delimited if head.is_file else None
    return begun is not None and is_row_a_token(begun.header)
