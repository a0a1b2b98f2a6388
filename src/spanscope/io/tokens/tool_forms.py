"""Tags as other libraries keep them: seqeval's y_true and y_pred in one object, spaCy's Example.to_dict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from spanscope.data.problems import Problem
from spanscope.errors import InputError, fields_of, shown
from spanscope.io.documents import Documents, documents_of
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.objects import CONTAINERS
from spanscope.io.strict import Report
from spanscope.io.surrogates import refuse_halves
from spanscope.io.tokens.sentences import Sentences, as_lists
from spanscope.io.tokens.tag_numbers import IGNORED, Names

SEQEVAL = {"gold": "y_true", "pred": "y_pred"}
MISSING = ("-", "")  # what spaCy says of a token that nobody has annotated


def is_seqeval(value: Any) -> bool:
    """Tell the two arguments of seqeval's functions in one object."""
    return isinstance(value, Mapping) and all(key in value for key in SEQEVAL.values())


def is_spacy_example(one: Any) -> bool:
    """Tell what spaCy's Example.to_dict returns, by its keys."""
    return isinstance(one, Mapping) and "doc_annotation" in one and "token_annotation" in one


def from_seqeval(source: Any, options: ReadOptions) -> Sentences:
    """Return lists of tags of both sides, or of the one that is asked for."""
    found = documents_of(source, options.side, lambda value, _: [value], (), Report())
    value = found.values[0] if len(found.values) == 1 else None
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


def from_spacy_examples(source: Any, options: ReadOptions) -> Sentences:
    """Return what Example.to_dict writes: a BILUO tag for every token, and whether a blank follows it.

    What nobody has annotated is not scored; other groups of spans are left aside.
    """
    found = documents_of(source, options.side, _listed, CONTAINERS, Report())
    out = Sentences(found.name, [], {"gold": []}, [], [], [], where=lambda doc, _: found.where(doc))
    aside = 0
    for row, value in enumerate(found.values):
        aside += _add_example(out, value, found.where(row))
    if options.both:
        raise InputError("has no column of predictions", where=found.name, expected="predictions in a second file")
    kinds = {"kinds": "spans of groups beside the entities"}
    problems = [Problem("left aside", found.name, values=kinds, number=aside)] if aside else []
    return replace(out, sha256=found.sha256, problems=problems, ids=_ids(found))


def _ids(found: Documents) -> list[str] | None:
    """Return ids that somebody has put beside the two parts of an example, where all have one."""
    ids = [value.get("id") for value in found.values]
    return [str(one) for one in ids] if ids and all(isinstance(one, (str, int)) for one in ids) else None


def _add_example(out: Sentences, value: Any, where: str) -> int:
    """Take one example in; return how many spans of other groups it has."""
    if not is_spacy_example(value):
        raise InputError(f"a document has {fields_of(value)}", where, "doc_annotation and token_annotation")
    words, tokens = value["doc_annotation"], value["token_annotation"]
    tags, forms = words.get("entities"), tokens.get("ORTH")
    blanks = tokens.get("SPACY", [True] * len(forms or ()))
    if not all(isinstance(one, list) for one in (tags, forms, blanks)):
        raise InputError("an example has no lists", where, "doc_annotation.entities and token_annotation.ORTH")
    if not len(tags) == len(forms) == len(blanks):
        what = f"an example has {len(forms)} tokens, {len(tags)} tags and {len(blanks)} values of SPACY"
        raise InputError(what, where=where, expected="as many of each")
    refuse_halves(forms, "ORTH", where)
    text = ""
    for form, blank in zip(forms, blanks, strict=True):
        if not isinstance(form, str):
            raise InputError(f"a token is {shown(form)}", where=where, expected="strings")
        (out.tokens if out.tokens is not None else []).append(form)
        (out.starts if out.starts is not None else []).append(len(text))
        text += form + (" " if blank else "")
    out.tags["gold"].extend(IGNORED if tag in MISSING else tag for tag in tags)
    out.sizes.append(len(forms))
    (out.texts if out.texts is not None else []).append(text)
    groups = words.get("spans") or {}
    return sum(map(len, groups.values())) if isinstance(groups, Mapping) else 0


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


def _listed(value: Any, _where: str) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]
