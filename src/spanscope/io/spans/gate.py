"""GATE's documents, in XML and as bdoc in JSON: a text, and sets of annotations over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, named, shown
from spanscope.io.documents import Documents, documents_of
from spanscope.io.folder import is_folder
from spanscope.io.json_lines import decode
from spanscope.io.offsets import OFFSETS, places
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.one_file_each import note_left_aside, open_files
from spanscope.io.spans.reading import ALONE, Sides, translate_documents
from spanscope.io.spans.recognise import is_bdoc
from spanscope.io.xml_tree import parse_xml, refuse_text_between

ELEMENTS = ("GateDocument", "GateDocumentFeatures", "AnnotationSet", "Annotation", "Feature")  # without a text
MARKUP = "Original markups"  # GATE's set of the HTML or XML that a text was made of
SCORES = ("score", "confidence", "prob", "probability")
ROLES = {"Key": "gold", "Response": "pred"}  # what GATE calls the sets that it compares
UNITS = {"p": "codepoints", "j": "utf16"}  # of bdoc: as Python counts, as Java does
Span = dict[str, Any]


class Gate(NamedTuple):
    """A document: its id, its text, its features, and the spans of each set, in code points."""

    id: str | None
    text: str
    meta: dict[str, Any]
    sets: dict[str, list[Span]]


# ---------------------------------------------------------------- XML


def read_gate(source: Any, options: ReadOptions) -> Sides:
    """Return the corpora of a file or of a folder of files, by the names of the sets of annotations."""
    files = open_files(source, (".xml",))
    found = Documents(files.found, lambda row: files.found[row].name, files.name, files.sha256)
    documents = [_from_xml(file.data, file.name, file.id or None) for file in files.found]
    return _sides(found._replace(values=documents), options, files.others)


def _from_xml(data: bytes, name: str, own: str | None) -> Gate:
    root = parse_xml(data, name).root
    if root.tag != "GateDocument":
        raise InputError(f"the root element is {shown(root.tag)}", where=name, expected="GateDocument")
    refuse_text_between(root, ELEMENTS, name)
    content = root.find("TextWithNodes")
    if content is None:
        raise InputError("has no TextWithNodes", where=name, expected="a document of GATE with its text")
    text, nodes = _text(content)
    sets: dict[str, list[Span]] = {}
    for group in root.iter("AnnotationSet"):
        spans = [_annotation(one, nodes, name) for one in group.iter("Annotation")]
        sets.setdefault(group.get("Name", ""), []).extend(spans)
    return Gate(own, text, _features(root.find("GateDocumentFeatures")), sets)


def _text(content: Element) -> tuple[str, dict[str, int]]:
    """Return the text of a document, and where in it each node stands, in code points.

    The number of a node is its offset in UTF-16 units, but its place is what counts, for GATE too.
    """
    parts, nodes, length = [content.text or ""], dict[str, int](), len(content.text or "")
    for node in content:
        nodes[node.get("id", "")] = length
        parts.append(node.tail or "")
        length += len(parts[-1])
    return "".join(parts), nodes


def _annotation(one: Element, nodes: Mapping[str, int], where: str) -> Span:
    ends = [one.get(name, "") for name in ("StartNode", "EndNode")]
    for end in ends:
        if end not in nodes:
            what = f"the annotation {named(one.get('Id'))} has the node {named(end)},which is not in the text"
            raise InputError(what, where=where, expected="nodes of TextWithNodes")
    return _span(one.get("Type"), nodes[ends[0]], nodes[ends[1]], _features(one))


def _features(parent: Element | None) -> dict[str, Any]:
    """Return the features of a document or of an annotation: text, or a number where GATE says so."""
    out: dict[str, Any] = {}
    for feature in parent.findall("Feature") if parent is not None else ():
        name, value = feature.find("Name"), feature.find("Value")
        if name is not None and value is not None and name.text:
            number = value.get("className", "").rpartition(".")[2] in ("Double", "Float", "Integer", "Long")
            out[name.text] = _number(value.text) if number else value.text or ""
    return out


def _number(text: str | None) -> float | str | None:
    try:
        return float(text or "")
    except ValueError:
        return text


# ---------------------------------------------------------------- JSON


def read_bdoc(source: Any, options: ReadOptions) -> Sides:
    """Return the corpora of a file, a folder of files or documents in memory, by the names of the sets."""
    if is_folder(source):
        files = open_files(source, (".bdocjs", ".bdoc", ".json"))
        values = [(decode(file.data, file.name), file.id) for file in files.found]
        found = Documents(values, lambda row: files.found[row].name, files.name, files.sha256)
        others = files.others
    else:
        found = documents_of(source, options.side or "documents", _unwrap, (), options.report)
        several = len(found.values) > 1
        found = found._replace(values=[(one, _name(one) if several else None) for one in found.values])
        others = {}
    documents = [
        _from_json(value, found.where(row), own, options) for row, (value, own) in enumerate(found.values)
    ]
    return _sides(found._replace(values=documents), options, others)


def _unwrap(value: Any, _: str) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _name(value: Any) -> Any:
    return value.get("name") if isinstance(value, Mapping) else None


def _from_json(value: Any, where: str, own: Any, options: ReadOptions) -> Gate:
    if not is_bdoc(value):
        expected = "a document with annotation_sets and offset_type"
        raise InputError(f"a document is {shown(value)}", where=where, expected=expected)
    text, kind, groups = value.get("text"), value["offset_type"], value["annotation_sets"]
    if not isinstance(text, str):
        raise InputError(f"text is {shown(text)}", where=where, expected="a string")
    if kind not in UNITS:
        raise InputError(f"offset_type is {shown(kind)}", where=where, expected="p (Python) or j (Java)")
    if not isinstance(groups, Mapping):
        raise InputError(f"annotation_sets is {shown(groups)}", where=where, expected="sets by name")
    place = _places(text, options.unit(UNITS[kind]), where)
    sets = {
        str(group): [_from_object(one, place, where) for one in _list_in(own_set, where)]
        for group, own_set in groups.items()
    }
    meta = value.get("features")
    return Gate(own, text, dict(meta) if isinstance(meta, Mapping) else {}, sets)


def _list_in(group: Any, where: str) -> Sequence[Any]:
    found = group.get("annotations") if isinstance(group, Mapping) else None
    if not isinstance(found, (list, tuple)):
        raise InputError(f"a set is {shown(group)}", where=where, expected="an object with annotations")
    return found


def _from_object(one: Any, place: Any, where: str) -> Span:
    if not isinstance(one, Mapping):
        expected = "an object with type, start and end"
        raise InputError(f"an annotation is {shown(one)}", where=where, expected=expected)
    features = one.get("features")
    own = dict(features) if isinstance(features, Mapping) else {}
    return _span(one.get("type"), place(one.get("start")), place(one.get("end")), own)


def _places(text: str, unit: str, where: str) -> Any:
    """Return a function from offsets in the document's own unit to code points: documents may differ in it."""
    table = places(text, unit)

    def place(offset: Any) -> Any:
        found = table(offset) if isinstance(offset, int) else offset
        if found is None:
            what = f"an offset is {shown(offset)}, inside a character or past the end of the text"
            raise InputError(what, where=where, expected=f"offsets in {OFFSETS[unit]}")
        return found

    return place


# ---------------------------------------------------------------- both


def _span(label: Any, start: Any, end: Any, features: dict[str, Any]) -> Span:
    key = next((key for key in SCORES if isinstance(features.get(key), (int, float))), None)
    meta = {name: own for name, own in features.items() if name != key}
    out = {"start": start, "end": end, "label": label, "meta": meta}
    return out if key is None else out | {"score": features[key]}


def _sides(found: Documents, options: ReadOptions, others: Mapping[str, int]) -> Sides:
    """Return a corpus of each set that has annotations; a document without a set has none of its spans."""
    documents: Sequence[Gate] = found.values
    numbers: dict[str, int] = {}
    for document in documents:
        for name, spans in document.sets.items():
            numbers[name] = numbers.get(name, 0) + len(spans)
    wanted = _sets_wanted(numbers, options, found.name)
    out = {name: _corpus(found, name, options) for name in wanted}
    markup = 0 if MARKUP in out else numbers.get(MARKUP, 0)
    note_left_aside(next(iter(out.values())), {**others, "annotations of the original mark-up": markup}, options)
    return {ALONE: next(iter(out.values()))} if len(out) == 1 else out


def _sets_wanted(numbers: Mapping[str, int], options: ReadOptions, where: str) -> list[str]:
    if options.layer is None:
        found = [name for name, number in numbers.items() if number and name != MARKUP]
        return sorted(found) or [ALONE]
    if options.layer not in numbers:
        expected = "one of the sets " + ", ".join(named(name) for name in sorted(numbers))
        raise InputError(
            f"has no set of annotations called {named(options.layer)}", where=where, expected=expected
        )
    return [options.layer]


def _corpus(found: Documents, name: str, options: ReadOptions) -> Corpus:
    def translate(one: Gate, _: str) -> dict[str, Any]:
        return {"id": one.id, "text": one.text, "spans": one.sets.get(name, []), "meta": one.meta}

    corpus = translate_documents(found, translate, replace(options, offsets=None))  # they are moved
    return replace(corpus, role=ROLES.get(name, ""))
