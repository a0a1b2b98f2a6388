"""Tags as seqeval's functions take them: y_true and y_pred in one object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spanscope.errors import InputError, shown
from spanscope.io.documents import documents_of
from spanscope.io.read_options import ReadOptions
from spanscope.io.strict import Report
from spanscope.io.surrogates import refuse_halves
from spanscope.io.tokens.recognise import SEQEVAL, as_lists, is_seqeval
from spanscope.io.tokens.sentences import Sentences
from spanscope.io.tokens.tag_numbers import Names


def from_seqeval(source: Any, options: ReadOptions) -> Sentences:
    """Return lists of tags of both sides, or of the one that is asked for."""
    found = documents_of(source, options.side, lambda value, _: [value], (), Report())
    value = found.values[0] if len(found.values) == 1 else {}
    if not is_seqeval(value):
        expected = "one object with y_true and y_pred"
        raise InputError(f"the input is {shown(value)}", where=found.name, expected=expected)
    sides = {side: _lists(value[key], key, found.where(0)) for side, key in SEQEVAL.items()}
    for number, (ours, theirs) in enumerate(zip(*sides.values(), strict=False)):
        if len(ours) != len(theirs):
            what = f"y_true[{number}] has {len(ours)} tags, y_pred[{number}] has {len(theirs)}"
            raise InputError(what, where=found.where(0), expected="a prediction for every tag")
    if len(sides["gold"]) != len(sides["pred"]):
        what = f"y_true has {len(sides['gold'])} sentences, y_pred has {len(sides['pred'])}"
        raise InputError(what, where=found.where(0), expected="as many on both sides")
    names = Names(options)
    flat = {side: _flat(lists, SEQEVAL[side], found.where(0), names) for side, lists in sides.items()}
    tags = flat if options.both else {"gold": flat["pred" if options.side == "pred" else "gold"]}
    sizes = list(map(len, sides["gold"]))
    return Sentences(found.name, sizes, tags, where=lambda doc, _: f"{found.where(0)}[{doc}]", sha256=found.sha256)


def _lists(value: Any, key: str, where: str) -> Sequence[Any]:
    found = as_lists(value)
    lists = [as_lists(one) for one in found] if isinstance(found, (list, tuple)) else None
    if lists is None or not all(isinstance(one, (list, tuple)) for one in lists):
        raise InputError(f"{key} is {shown(value)}", where=where, expected="a list of lists of tags")
    return lists


def _flat(lists: Sequence[Sequence[Any]], key: str, where: str, names: Names) -> list[str]:
    tags = names.tags([tag for own in lists for tag in own], where)
    refuse_halves(tags, key, where)
    return tags
