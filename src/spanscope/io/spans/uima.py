"""UIMA's CAS, in XMI and in JSON: texts, and annotations over them that are of many types."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from spanscope.data.corpus import Corpus
from spanscope.errors import InputError, shown
from spanscope.io.documents import Documents, documents_of
from spanscope.io.folder import is_folder
from spanscope.io.json_lines import decode
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.layers import LABEL, SCORES, Layer, choose_layer
from spanscope.io.spans.one_file_each import File, Files, each_side, open_files
from spanscope.io.spans.reading import ALONE, Sides, translate_documents
from spanscope.io.spans.recognise import CAS_KEY, is_cas
from spanscope.io.xml_tree import local, parse_xml, refuse_text_between

XMI = "{http://www.omg.org/XMI}"
CAS = "{http:///uima/cas.ecore}"
NAMESPACE = re.compile(r"\{http:///(.*)\.ecore\}(.*)")
SOFA = "uima.cas.Sofa"
ABOUT = ("DocumentAnnotation", "DocumentMetaData")  # annotations of the whole document
KEYS = ("begin", "end", "sofa", "@sofa", f"{XMI}id", "%ID", "%TYPE", "%FLAGS")  # which are no features
NO_WORD = re.compile(r"[\d\s.eE+-]*|true|false")  # numbers, and references to other annotations
UNIT = "utf16"


class Annotation(NamedTuple):
    """An annotation: its type, the view that it is on, its offsets and its features."""

    kind: str
    view: str
    begin: Any
    end: Any
    features: dict[str, Any]

    def labels(self) -> list[str]:
        """Return the features that can be a label: words, and whatever stands under the usual name."""
        words = [key for key, own in self.features.items() if isinstance(own, str) and not NO_WORD.fullmatch(own)]
        return list(dict.fromkeys([*words, *([LABEL] if LABEL in self.features else [])]))


class Cas(NamedTuple):
    """A document: its id, its text in each view, its annotations, and what is known of it."""

    id: str | None
    texts: dict[str, str]
    annotations: list[Annotation]
    meta: dict[str, Any]


# ---------------------------------------------------------------- XMI


def read_xmi(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of a file or a folder of files, by annotator where a folder has several."""
    return _sides(open_files(source, (".xmi",)), _from_xmi, options)


def _from_xmi(file: File) -> Cas:
    root = parse_xml(file.data, file.name).root
    if local(root.tag) != "XMI":
        raise InputError(f"the root element is {shown(local(root.tag))}", where=file.name, expected="xmi:XMI")
    refuse_text_between(root, ("XMI",), file.name)
    sofas = root.findall(f"{CAS}Sofa")
    names = {one.get(f"{XMI}id", ""): one.get("sofaID", "") for one in sofas}
    texts = {one.get("sofaID", ""): one.get("sofaString", "") for one in sofas if "sofaString" in one.attrib}
    found = []
    for one in root:
        if "begin" in one.attrib and "end" in one.attrib:
            features: dict[str, Any] = {key: own for key, own in one.attrib.items() if key not in KEYS}
            place = (_number(one.attrib["begin"]), _number(one.attrib["end"]))
            found.append(Annotation(_kind(one.tag), names.get(one.get("sofa", ""), ""), *place, features))
    return _cas(file, texts, found)


def _kind(tag: str) -> str:
    """Return the type of an element, as UIMA writes it.

    >>> _kind("{http:///uima/tcas.ecore}Annotation")
    'uima.tcas.Annotation'
    """
    found = NAMESPACE.fullmatch(tag)
    return local(tag) if found is None else ".".join([*found[1].split("/"), found[2]]).replace("noNamespace.", "")


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


# ---------------------------------------------------------------- JSON


def read_cas_json(source: Any, options: ReadOptions) -> Sides:
    """Return the corpus of a file or a folder of files, or of values in memory."""
    if is_folder(source):
        files = open_files(source, (".json",))
        return _sides(files, lambda file: _from_json(decode(file.data, file.name), file), options)
    found = documents_of(source, options.side or "documents", _unwrap, (), options.report)
    several = len(found.values) > 1
    named = [File(str(row) if several else None, ALONE, found.where(row), b"") for row in range(len(found.values))]
    values = dict(zip(named, found.values, strict=True))
    files = Files(named, found.name, found.sha256 or "", {})
    return _sides(files, lambda file: _from_json(values[file], file), options)


def _unwrap(value: Any, _: str) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _from_json(value: Any, file: File) -> Cas:
    found = value[CAS_KEY] if is_cas(value) else None
    if isinstance(found, Mapping):  # structures by their ids, as the format also allows
        found = [{"%ID": key, **own} for key, own in found.items()]
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        expected = f"an object with {CAS_KEY}, a list of objects"
        raise InputError(f"the value is {shown(value)}", where=file.name, expected=expected)
    odd = next((one["%TYPE"] for one in found if not isinstance(one.get("%TYPE", ""), str)), None)
    if odd is not None:
        raise InputError(f"%TYPE is {shown(odd)}", where=file.name, expected="the name of a type")
    sofas = [one for one in found if one.get("%TYPE") == SOFA]
    names = {str(one.get("%ID")): str(one.get("sofaID", "")) for one in sofas}
    texts = {str(one.get("sofaID", "")): one["sofaString"] for one in sofas if "sofaString" in one}
    annotations = [
        Annotation(
            str(one.get("%TYPE")),
            names.get(str(one.get("@sofa")), ""),
            one["begin"],
            one["end"],
            {key: own for key, own in one.items() if key not in KEYS and not key.startswith(("@", "^", "#"))},
        )
        for one in found
        if "begin" in one and "end" in one
    ]
    return _cas(file, texts, annotations)


# ---------------------------------------------------------------- both


def _cas(file: File, texts: dict[str, str], annotations: Sequence[Annotation]) -> Cas:
    """Return a document; annotations of all of it are what is known about it."""
    if not texts:
        raise InputError(
            "has no text (no Sofa with a sofaString)", where=file.name, expected="a CAS with its text"
        )
    about = [one for one in annotations if one.kind.rpartition(".")[2] in ABOUT]
    meta = {key: own for one in about for key, own in one.features.items()}
    return Cas(file.id, texts, [one for one in annotations if one not in about], meta)


def _sides(files: Files, read: Callable[[File], Cas], options: ReadOptions) -> Sides:
    """Return the corpus of every annotator, all of one layer."""
    documents = [read(file) for file in files.found]
    found = _layers(documents)
    layer = choose_layer(found, options.layer, files.name)
    aside: Counter[str] = Counter()
    for one in {one._replace(feature="") for one in found if found[one]}:
        if layer is None or one != layer._replace(feature=""):
            aside[f"annotations of the layer {one.name}"] += max(found[x] for x in found if x[:2] == one[:2])

    def corpus(rows: Sequence[int]) -> Corpus:
        own = [documents[row] for row in rows]
        values = Documents(own, lambda row: files.found[rows[row]].name, files.name, files.sha256)
        return translate_documents(
            values, lambda one, _: _document(one, layer, aside), replace(options, offsets=options.unit(UNIT))
        )

    return each_side(files, corpus, options, aside)


def _layers(documents: Sequence[Cas]) -> dict[Layer, int]:
    """Return the number of annotations of every layer, once for each feature that can be a label."""
    numbers: Counter[tuple[str, str]] = Counter()
    features: dict[tuple[str, str], dict[str, None]] = {}
    for one in (one for document in documents for one in document.annotations):
        numbers[one.view, one.kind] += 1
        features.setdefault((one.view, one.kind), {}).update(dict.fromkeys(one.labels()))
    return {
        Layer(*place, feature): number
        for place, number in numbers.items()
        for feature in [name for name in features[place] if name not in SCORES] or [""]
    }


def _document(cas: Cas, layer: Layer | None, aside: Counter[str]) -> dict[str, Any]:
    """Return a document with the spans of a layer; annotations without a label are counted."""
    text = next(iter(cas.texts.values())) if layer is None else cas.texts.get(layer.view)
    own = [one for one in cas.annotations if layer is not None and one[:2] == (layer.kind, layer.view)]
    spans = []
    for one in own:
        label = one.features.get(layer.feature) if layer and layer.feature else layer.name if layer else None
        if label is None:
            aside["annotations without a label"] += 1
            continue
        spans.append(_span(one, label, layer.feature if layer else ""))
    return {"id": cas.id, "text": text, "spans": spans, "meta": cas.meta}


def _span(one: Annotation, label: Any, feature: str) -> dict[str, Any]:
    meta = {key: own for key, own in one.features.items() if key != feature}
    out = {"start": one.begin, "end": one.end, "label": label, "meta": meta}
    for key in SCORES:
        try:
            return out | {"score": float(meta[key]), "meta": {name: meta[name] for name in meta if name != key}}
        except (KeyError, TypeError, ValueError):
            continue
    return out
