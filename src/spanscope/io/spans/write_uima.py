"""Labelled spans as UIMA's CAS, in XMI and in JSON: DKPro's named entities, which INCEpTION imports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from spanscope.io.losses import Document
from spanscope.io.offsets import units_before
from spanscope.io.spans.write_xml import HEAD, escape
from spanscope.io.writer import json_value

PACKAGE = "de.tudarmstadt.ukp.dkpro.core.api.ner.type"
KIND = f"{PACKAGE}.NamedEntity"
BASE = "uima.tcas.Annotation"
RANGES = {"value": "uima.cas.String", "identifier": "uima.cas.String", "score": "uima.cas.Double"}
SOFA = {"sofaNum": 1, "sofaID": "_InitialView", "mimeType": "text/plain"}
NAMESPACES = (
    f'xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
    f'xmlns:type="http:///{PACKAGE.replace(".", "/")}.ecore" xmi:version="2.0"'
)


def write_xmi(documents: Sequence[Document]) -> dict[str, bytes]:
    """Return a file for each document, and the description of types that UIMA reads them with."""
    return {"TypeSystem.xml": _types().encode(), **{f"{one['id']}.xmi": _xmi(one).encode() for one in documents}}


def write_cas_json(documents: Sequence[Document]) -> dict[str, bytes]:
    """Return a file for each document."""
    return {f"{one['id']}.json": json_value(_cas(one)) for one in documents}


def _annotations(document: Document) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return the number and the features of every annotation; the text has number 1, offsets are UTF-16 units."""
    before = units_before(document["text"], "utf16")
    for number, span in enumerate(document["spans"], start=2):
        place = {"begin": before(span["start"]), "end": before(span["end"])}
        score = {"score": span["score"]} if "score" in span else {}
        yield number, {**place, "value": span["label"], **span.get("meta", {}), **score}


def _xmi(document: Document) -> str:
    marks = [
        f'<type:NamedEntity xmi:id="{number}" sofa="1"{_attributes(own)}/>\n'
        for number, own in _annotations(document)
    ]
    members = " ".join(str(number) for number in range(2, len(marks) + 2))
    sofa = _attributes({**SOFA, "sofaString": document["text"]})
    return (
        f'{HEAD}<xmi:XMI {NAMESPACES}><cas:NULL xmi:id="0"/>\n{"".join(marks)}'
        f'<cas:Sofa xmi:id="1"{sofa}/>\n<cas:View sofa="1" members="{members}"/></xmi:XMI>\n'
    )


def _attributes(values: dict[str, Any]) -> str:
    return "".join(f' {key}="{escape(str(own))}"' for key, own in values.items())


def _types() -> str:
    features = "".join(
        f"<featureDescription><name>{name}</name><description/><rangeTypeName>{own}</rangeTypeName>"
        "</featureDescription>"
        for name, own in RANGES.items()
    )
    return (
        f'{HEAD}<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types><typeDescription>'
        f"<name>{KIND}</name><description/><supertypeName>{BASE}</supertypeName>"
        f"<features>{features}</features></typeDescription></types></typeSystemDescription>\n"
    )


def _cas(document: Document) -> dict[str, Any]:
    ranges = {name: {"%NAME": name, "%RANGE": own} for name, own in RANGES.items()}
    marks = [{"%ID": number, "%TYPE": KIND, "@sofa": 1, **own} for number, own in _annotations(document)]
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", **SOFA, "sofaString": document["text"]}
    return {
        "%TYPES": {KIND: {"%NAME": KIND, "%SUPER_TYPE": BASE, **ranges}},
        "%FEATURE_STRUCTURES": [sofa, *marks],
        "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": [one["%ID"] for one in marks]}},
    }
