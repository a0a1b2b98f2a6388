"""spaCy's documents as JSON: what `Doc.to_json` and `Example.to_dict` return, and training tuples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from spanscope.errors import InputError, fields_of, shown
from spanscope.io.spans.objects import is_pair
from spanscope.io.spans.recognise_models import PREFIX
from spanscope.io.spans.spacy_objects import Layered, Span, layers_of

ENTITIES = ("ents", "entities")


def from_json(value: Any, where: str) -> Layered:
    """Return a document of `Doc.to_json`, of `Example.to_dict`, or a training tuple."""
    if is_pair(value):
        value = {"text": value[0], **value[1]}
    if not isinstance(value, Mapping):
        expected = "a document with text and ents, or groups of spans"
        raise InputError(f"a document is {shown(value)}", where=where, expected=expected)
    if "token_annotation" in value:
        return _example(value, where)
    ents = next((value[name] for name in ENTITIES if value.get(name) is not None), None)
    groups = value.get("spans")
    if ents is None and groups is None and not is_tokenised(value):
        raise InputError(
            f"a document has no spans (it has {fields_of(value)})",
            where=where,
            expected="ents, or groups of spans",
        )
    layers = layers_of([_span(span) for span in _list(ents, "ents", where)], _groups(groups, where))
    return Layered(value.get("id"), value.get("text"), layers, _meta(value))


def is_tokenised(value: Mapping[str, Any]) -> bool:
    """Tell a document of spaCy's without entities, which still has its text and its tokens as objects."""
    tokens = value.get("tokens")
    if not isinstance(value.get("text"), str) or not isinstance(tokens, (list, tuple)):
        return False
    return all(isinstance(one, Mapping) for one in tokens)


def _groups(found: Any, where: str) -> dict[str, list[Any]]:
    """Return the spans of every group by its name."""
    if found is not None and not isinstance(found, Mapping):
        raise InputError(f"spans is {shown(found)}", where=where, expected="groups of spans by name")
    return {name: [_span(one) for one in _list(own, "a group", where)] for name, own in (found or {}).items()}


def _list(found: Any, name: str, where: str) -> list[Any]:
    if found is not None and not isinstance(found, (list, tuple)):
        raise InputError(f"{name} is {shown(found)}", where=where, expected="a list")
    return list(found or [])


def _span(span: Any) -> Any:
    """Return a span with what it links to as metadata; Examples have lists of start, end, label and that."""
    if isinstance(span, (list, tuple)) and len(span) > 3:
        span = dict(zip(("start", "end", "label", "kb_id", "id"), span, strict=False))
    if not isinstance(span, Mapping):
        return span
    own = {key: value for key, value in span.items() if key not in ("kb_id", "id")}
    meta = {key: span[key] for key in ("kb_id", "id") if span.get(key)}
    return {**own, "meta": meta} if meta else own


def _meta(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"cats": value["cats"]} if value.get("cats") else {}


# ---------------------------------------------------------------- Example.to_dict


def _example(value: Mapping[str, Any], where: str) -> Layered:
    """Return the document of an example: its text is that of its tokens, its entities are tags on them."""
    tokens, about = value["token_annotation"], value.get("doc_annotation")
    if not isinstance(tokens, Mapping) or not isinstance(about, Mapping):
        expected = "objects doc_annotation and token_annotation"
        raise InputError(f"an example has {fields_of(value)}", where=where, expected=expected)
    words = _list(tokens.get("ORTH"), "ORTH", where)
    blanks = _list(tokens.get("SPACY"), "SPACY", where) or [True] * len(words)
    tags = _list(about.get("entities"), "entities", where)
    if not all(isinstance(word, str) for word in words) or not len(words) == len(blanks) == len(tags):
        sizes = f"{len(words)} tokens, {len(blanks)} marks of blanks and {len(tags)} tags"
        raise InputError(f"an example has {sizes}", where=where, expected="as many of each, tokens as strings")
    spaced = [word + " " * bool(blank) for word, blank in zip(words, blanks, strict=True)]
    starts = accumulate(map(len, spaced), initial=0)
    places = [(start, start + len(word)) for start, word in zip(starts, words, strict=False)]
    groups = _groups(about.get("spans"), where)
    return Layered(None, "".join(spaced), layers_of(_spans_of_tags(tags, places, where), groups), _meta(about))


def _spans_of_tags(tags: Sequence[Any], places: Sequence[tuple[int, int]], where: str) -> list[Span]:
    """Return the spans of BILUO tags, in which every entity is marked from its first token to its last."""
    out: list[Span] = []
    begun = False
    for tag, (start, end) in zip(tags, places, strict=True):
        found = PREFIX.fullmatch(tag) if isinstance(tag, str) else None
        if found is None and tag not in ("O", ""):
            raise _wrong(tag, where)
        if found is None or found[1] in "BU":
            if begun:
                raise _wrong(tag, where)
            if found is not None:
                out.append({"start": start, "end": end, "label": found[2]})
        elif found[1] not in "IL" or not begun or out[-1]["label"] != found[2]:
            raise _wrong(tag, where)
        else:
            out[-1]["end"] = end
        begun = found is not None and found[1] in "BI"
    if begun:
        raise _wrong("the end of the document", where)
    return out


def _wrong(tag: Any, where: str) -> InputError:
    unknown = "a token has the tag '-': it is unknown whether it is in an entity"
    return InputError(
        unknown if tag == "-" else f"a tag is {shown(tag)}",
        where=where,
        expected="tags in BILUO that fit each other: B-, I-, L-, U- and O",
    )
