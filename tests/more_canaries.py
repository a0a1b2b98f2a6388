"""Further files whose every text holds a canary, as annotation tools, retrievers and segmenters write them."""

import json
from typing import Any

from tests.canaries import CANARY, GOLD_TAGS, SPANS, TEXT, TOKENS, Sides

QUOTES = [TEXT[one["start"] : one["end"]] for one in SPANS]
GOLD, PRED = SPANS, [{"start": 8, "end": 15, "label": "NAME"}]


def _lines(*rows: Any) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _quote(span: dict[str, Any]) -> str:
    return TEXT[span["start"] : span["end"]]


def _columns(spans: list[dict[str, Any]], parted: str = ",") -> bytes:
    rows = [("doc", "start", "end", "label", "text", "note")]
    rows += [("d0", str(one["start"]), str(one["end"]), one["label"], _quote(one), CANARY) for one in spans]
    return "".join(parted.join(row) + "\n" for row in rows).encode()


def _cells(spans: list[dict[str, Any]]) -> bytes:
    cell = json.dumps(spans).replace('"', '""')
    return f'id,text,spans,note\nd0,{TEXT},"{cell}",{CANARY}\n'.encode()


def brat(spans: list[dict[str, Any]]) -> bytes:
    """Return a file of annotations, with a note that quotes."""
    lines = [f"T{n}\t{one['label']} {one['start']} {one['end']}\t{_quote(one)}\n" for n, one in enumerate(spans)]
    return "".join([*lines, f"#1\tAnnotatorNotes T0\t{TEXT}\n"]).encode()


def _pubtator(spans: list[dict[str, Any]]) -> bytes:
    lines = [f"7\t{one['start']}\t{one['end']}\t{_quote(one)}\t{one['label']}\n" for one in spans]
    return "".join([f"7|t|{TEXT}\n", f"7|a|{TEXT}\n", *lines]).encode()


def _bioc(spans: list[dict[str, Any]]) -> bytes:
    annotations = [
        {
            "id": str(n),
            "infons": {"type": one["label"], "said": CANARY},
            "text": _quote(one),
            "locations": [{"offset": one["start"], "length": one["end"] - one["start"]}],
        }
        for n, one in enumerate(spans)
    ]
    passages = [{"offset": 0, "text": TEXT, "annotations": annotations}]
    return json.dumps({"documents": [{"id": "d0", "passages": passages}]}).encode()


def _bioc_xml(spans: list[dict[str, Any]]) -> bytes:
    own = "".join(
        f'<annotation id="{n}"><infon key="type">{one["label"]}</infon><location offset="{one["start"]}" '
        f'length="{one["end"] - one["start"]}"/><text>{_quote(one)}</text></annotation>'
        for n, one in enumerate(spans)
    )
    inner = f"<passage><offset>0</offset><text>{TEXT}</text>{own}</passage>"
    return f"<?xml version='1.0'?><collection><document><id>d0</id>{inner}</document></collection>".encode()


def webanno(tags: list[str]) -> bytes:
    """Return a file of WebAnno TSV 3."""
    out, at = ["#FORMAT=WebAnno TSV 3.3", "#T_SP=a.NamedEntity|value", "", "", f"#Text={TEXT}"], 0
    for number, (token, tag) in enumerate(zip(TOKENS, tags, strict=True), start=1):
        at = TEXT.index(token, at)
        label = "_" if tag == "O" else f"{tag[2:]}[{1 if tag.endswith('NAME') else 2}]"
        out.append(f"1-{number}\t{at}-{at + len(token)}\t{token}\t{label}\t")
        at += len(token)
    return ("\n".join(out) + "\n").encode()


def uima(spans: list[dict[str, Any]]) -> bytes:
    """Return a document of UIMA in JSON."""
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView", "sofaString": TEXT}
    marks = [
        {
            "%ID": n,
            "%TYPE": "a.NamedEntity",
            "@sofa": 1,
            "begin": one["start"],
            "end": one["end"],
            "value": one["label"],
        }
        for n, one in enumerate(spans, start=2)
    ]
    views = {"_InitialView": {"%SOFA": 1, "%MEMBERS": [one["%ID"] for one in marks]}}
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": [sofa, *marks], "%VIEWS": views}).encode()


def xmi(spans: list[dict[str, Any]]) -> bytes:
    """Return a document of UIMA; TEXT has no sign that XML would write otherwise."""
    marks = "".join(
        f'<t:NamedEntity xmi:id="{n}" sofa="1" begin="{one["start"]}" end="{one["end"]}" value="{one["label"]}" '
        f'said="{CANARY}"/>'
        for n, one in enumerate(spans, start=2)
    )
    sofa = f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{TEXT}"/>'
    names = 'xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:t="http:///a.ecore"'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<xmi:XMI {names}>\n{sofa}\n{marks}\n</xmi:XMI>\n'.encode()


def gate(spans: list[dict[str, Any]]) -> bytes:
    """Return a document of GATE in XML."""
    edges = sorted({0, len(TEXT), *(one[key] for one in spans for key in ("start", "end"))})
    nodes = "".join(
        f'<Node id="{at}"/>{TEXT[at:to]}' for at, to in zip(edges, [*edges[1:], len(TEXT)], strict=True)
    )
    marks = "".join(
        f'<Annotation Id="{n}" Type="{one["label"]}" StartNode="{one["start"]}" EndNode="{one["end"]}"/>'
        for n, one in enumerate(spans)
    )
    whole = f"<TextWithNodes>{nodes}</TextWithNodes><AnnotationSet>{marks}</AnnotationSet>"
    return f'<?xml version="1.0"?><GateDocument version="3">{whole}</GateDocument>'.encode()


def bdoc(spans: list[dict[str, Any]]) -> bytes:
    """Return a document of GATE in JSON."""
    marks = [
        {"type": one["label"], "start": one["start"], "end": one["end"], "id": n, "features": {"said": CANARY}}
        for n, one in enumerate(spans)
    ]
    sets = {"": {"name": "detached-from", "annotations": marks}}
    return json.dumps({"text": TEXT, "offset_type": "p", "features": {}, "annotation_sets": sets}).encode()


def _retrieved(key: str, documents: list[Any]) -> bytes:
    return _lines(*({"query": f"Who is {CANARY} {n}?", key: documents} for n in range(2)))


QUERIES = _lines(*({"query": f"Who is {CANARY} {n}?", "snippets": [{"answer": TEXT[:20]}]} for n in range(2)))
RAGAS = [
    {
        "user_input": f"Who is {CANARY} {n}?",
        "retrieved_contexts": [TEXT, TEXT[8:]],
        "response": QUOTES[0],
        "reference": QUOTES[0],
    }
    for n in range(2)
]
DPR = [
    {
        "question": f"Who is {CANARY} {n}?",
        "answers": [QUOTES[0]],
        "ctxs": [{"id": "1", "title": CANARY, "text": TEXT, "score": "0.5"}],
    }
    for n in range(2)
]
MARCO = [
    {
        "query_id": n,
        "query": f"Who is {CANARY} {n}?",
        "passages": [{"is_selected": 1, "passage_text": TEXT, "url": CANARY}],
        "answers": [QUOTES[0]],
    }
    for n in range(2)
]
LANGCHAIN = {"page_content": TEXT[8:20], "metadata": {"source": "a.txt", "start_index": 8}, "type": "Document"}
NODE = {"id_": "n", "text": TEXT[8:20], "start_char_idx": 8, "end_char_idx": 20}
LLAMA = {"node": {**NODE, "relationships": {"1": {"node_id": "d"}}}, "score": 0.5}
SENTENCES = {"id": "a", "sentences": [TEXT, CANARY, TEXT, CANARY, TEXT], "labels": [0, 1, 0, 0, 1]}
LINE = "=" * 10
ROWS: dict[str, Any] = {"tokenized_text": TOKENS, "ner": [[1, 2, "NAME"], [6, 6, "PLACE"]]}

MORE: dict[str, Sides] = {
    "csv of spans": (_columns(GOLD), _columns(PRED)),
    "tsv of spans": (_columns(GOLD, "\t"), _columns(PRED, "\t")),
    "csv of documents": (_cells(GOLD), _cells(PRED)),
    "brat": (brat(GOLD), brat(PRED)),
    "pubtator": (_pubtator(GOLD), _pubtator(PRED)),
    "bioc": (_bioc(GOLD), _bioc(PRED)),
    "bioc xml": (_bioc_xml(GOLD), _bioc_xml(PRED)),
    "webanno": (webanno(GOLD_TAGS), webanno(["O"] * 8)),
    "uima": (uima(GOLD), uima(PRED)),
    "uima xmi": (xmi(GOLD), xmi(PRED)),
    "gate": (gate(GOLD), gate(PRED)),
    "bdoc": (bdoc(GOLD), bdoc(PRED)),
    "gliner": (_lines(ROWS), _lines({**ROWS, "ner": ROWS["ner"][:1]})),
    "rows of tokens": (
        _lines({"id": "a", "tokens": TOKENS, "ner_tags": GOLD_TAGS}),
        _lines({"id": "a", "tokens": TOKENS, "ner_tags": ["O"] * 8}),
    ),
    "ragas": (_lines(*RAGAS), None),
    "dpr": (_lines(*DPR), None),
    "ms marco": (_lines(*MARCO), _retrieved("retrieved_passages", [TEXT])),
    "langchain": (QUERIES, _retrieved("documents", [LANGCHAIN])),
    "llamaindex": (QUERIES, _retrieved("source_nodes", [LLAMA])),
    "choi": (
        f"{LINE}\n{TEXT}\n{CANARY}\n{LINE}\n{TEXT}\n{LINE}\n".encode(),
        f"{LINE}\n{TEXT}\n{LINE}\n{CANARY}\n{TEXT}\n{LINE}\n".encode(),
    ),
    "wiki-727k": (
        f"========,1,preface.\n{TEXT}\n{CANARY}\n========,1,Later.\n{TEXT}\n".encode(),
        f"========,1,preface.\n{TEXT}\n========,1,Later.\n{CANARY}\n{TEXT}\n".encode(),
    ),
    "sentences": (_lines(SENTENCES), _lines({**SENTENCES, "labels": [0, 0, 1, 0, 1]})),
}
