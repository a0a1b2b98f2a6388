"""Files whose every text holds a canary, and the ways in which files are damaged."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

CANARY = "Zebulon"  # a word of every text, and of no id, label or name of a file
TEXT = f"Patient {CANARY} Pike was seen in {CANARY}ville."
TOKENS = ["Patient", CANARY, "Pike", "was", "seen", "in", f"{CANARY}ville", "."]
SPANS = [{"start": 8, "end": 20, "label": "NAME"}, {"start": 33, "end": 44, "label": "PLACE"}]
Sides = tuple[bytes, bytes | None]


def _lines(rows: list[Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _spans(text: str = TEXT, **more: Any) -> list[dict[str, Any]]:
    quoted = [span | {"text": text[span["start"] : span["end"]]} for span in SPANS]
    return [{"id": f"d{n}", "text": text, "spans": quoted, **more} for n in range(3)]


def _shorter(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return predictions with an error of every kind that quotes a text: shorter, of another type, spurious."""
    rows = deepcopy(rows)
    rows[0]["spans"][0] |= {"end": 15, "text": CANARY}
    rows[1]["spans"][0]["label"] = "PLACE"
    rows[2]["spans"] = [{"start": 8, "end": 15, "label": "NAME", "text": CANARY}]
    return rows


def _tagged(tags: list[str]) -> list[dict[str, Any]]:
    return [{"id": f"d{n}", "tokens": TOKENS, "tags": tags} for n in range(2)]


def _conll(gold: list[str], pred: list[str]) -> bytes:
    return ("".join(" ".join(row) + "\n" for row in zip(TOKENS, gold, pred, strict=True)) + "\n").encode() * 2


def _conllu(tags: list[str]) -> bytes:
    words = enumerate(zip(TOKENS, tags, strict=True), start=1)
    rows = [f"{n}\t{token}" + 7 * "\t_" + f"\tNER={tag}\n" for n, (token, tag) in words]
    return ("".join([f"# text = {' '.join(TOKENS)}\n", *rows]) + "\n").encode() * 2


def _token_rows(gold: list[str], pred: list[str]) -> bytes:
    rows = zip(TOKENS, gold, pred, strict=True)
    return b"sentence_id,token,tag,prediction\n" + "".join(f"1,{','.join(row)}\n" for row in rows).encode()


GOLD_TAGS = ["O", "B-NAME", "I-NAME", "O", "O", "O", "B-PLACE", "O"]
PRED_TAGS = ["O", "B-NAME", "O", "O", "O", "O", "B-NAME", "O"]
CUT = [{"start": 0, "end": 16}, {"start": 16, "end": len(TEXT)}]
WHOLE = [{"start": 0, "end": len(TEXT)}]
SNIPPETS = [{"file_path": "a.txt", "span": [0, 20], "answer": TEXT[:20], "text": TEXT[:20]}]
QUERIES = [{"id": f"q{n}", "query": f"Who is {CANARY} {n}?", "snippets": SNIPPETS} for n in range(2)]
FOUND = [
    {
        "id": f"q{n}",
        "query": f"Who is {CANARY} {n}?",
        "retrieved_passages": [
            {"file_path": "a.txt", "span": [0, 9], "text": TEXT[:9]},
            {"text": TEXT, "score": 0.5},
        ],
    }
    for n in range(2)
]
SQUAD = {
    "version": "1.1",
    "data": [
        {
            "title": "t",
            "paragraphs": [
                {
                    "context": TEXT,
                    "qas": [
                        {"id": "q", "question": f"{CANARY}?", "answers": [{"text": CANARY, "answer_start": 8}]}
                    ],
                }
            ],
        }
    ],
}
STUDIO = [
    {
        "id": 1,
        "data": {"text": TEXT},
        "annotations": [
            {
                "id": 1,
                "completed_by": 1,
                "result": [
                    {
                        "type": "labels",
                        "from_name": "s",
                        "to_name": "t",
                        "value": {**span, "labels": ["A"], "text": TEXT[span["start"] : span["end"]]},
                    }
                    for span in CUT
                ],
            }
        ],
    }
]


def _prodigy(rows: list[dict[str, Any]]) -> bytes:
    more = {"_task_hash": 7, "_view_id": "ner_manual", "_annotator_id": "ner-ann", "answer": "accept"}
    return _lines(
        [
            {**row, "text": f"{row['text']} {n}", "_input_hash": n, "meta": {"note": CANARY}, **more}
            for n, row in enumerate(rows)
        ]
    )


def _doccano(rows: list[dict[str, Any]]) -> bytes:
    spans = [[[one["start"], one["end"], one["label"]] for one in row["spans"]] for row in rows]
    return _lines(
        [
            {"id": n, "text": row["text"], "label": own, "Comments": [CANARY]}
            for n, (row, own) in enumerate(zip(rows, spans, strict=True))
        ]
    )


def _studio(rows: list[dict[str, Any]]) -> bytes:
    """Regions that leave gaps, so that they are no segmentation."""
    out = []
    for n, row in enumerate(rows):
        values = [
            {key: one[key] for key in ("start", "end", "text")} | {"labels": [one["label"]]}
            for one in row["spans"]
        ]
        results = [{"type": "labels", "to_name": "text", "value": value} for value in values]
        made = [{"id": n, "completed_by": 1, "result": results}]
        out.append({"id": n, "data": {"text": row["text"], "note": CANARY}, "annotations": made})
    return json.dumps(out).encode()


def _groups(spans: list[Any]) -> list[Any]:
    """Return documents as spaCy writes them."""
    return [{"text": TEXT, "ents": [], "tokens": [], "spans": {"sc": spans}, "cats": {"a": 1.0}} for _ in range(2)]


def _entities() -> list[Any]:
    return [{"entity_group": "NAME", "score": 0.5, "word": CANARY, "start": 8, "end": 15}]


def _extracted() -> list[Any]:
    """Return LangExtract's documents: an extraction that stands there, and one that does not."""
    places = ({"start_pos": 8, "end_pos": 20}, None)
    found = [
        {
            "extraction_class": "NAME",
            "extraction_text": f"{CANARY} Pike",
            "char_interval": place,
            "alignment_status": "match_exact",
            "attributes": {"said": TEXT},
        }
        for place in places
    ]
    return [{"extractions": found, "text": TEXT, "document_id": f"d{n}"} for n in range(3)]


def _by_label() -> dict[str, Any]:
    """Return a result of GLiNER2: entities by label, with their texts and places."""
    found = [
        {"text": TEXT[one["start"] : one["end"]], "confidence": 0.5, "start": one["start"], "end": one["end"]}
        for one in SPANS
    ]
    return {"entities": {"NAME": found, "DATE": []}}


def _masked() -> list[Any]:
    """Return rows of ai4privacy, of the first edition and of later ones."""
    masks = [{**span, "value": TEXT[span["start"] : span["end"]]} for span in SPANS]
    literal = repr([[span["start"], span["end"], span["label"]] for span in SPANS])
    return [
        {"source_text": TEXT, "privacy_mask": masks, "uid": 1},
        {"unmasked_text": TEXT, "privacy_mask": repr({"[NAME]": CANARY}), "span_labels": literal, "uid": 2},
    ]


# Gold and predictions of every format that holds texts; one file where it holds both sides.
FORMATS: dict[str, Sides] = {
    "spans": (_lines(_spans()), _lines(_shorter(_spans()))),
    "spans in a list": (json.dumps(_spans()).encode(), json.dumps(_shorter(_spans())).encode()),
    "prodigy": (_prodigy(_spans()), _prodigy(_shorter(_spans()))),
    "doccano": (_doccano(_spans()), _doccano(_shorter(_spans()))),
    "label studio spans": (_studio(_spans()), _studio(_shorter(_spans()))),
    "tokens": (_lines(_tagged(GOLD_TAGS)), _lines(_tagged(PRED_TAGS))),
    "conll": (_conll(GOLD_TAGS, PRED_TAGS), None),
    "conllu": (_conllu(GOLD_TAGS), _conllu(PRED_TAGS)),
    "token rows": (_token_rows(GOLD_TAGS, PRED_TAGS), None),
    "segments": (
        _lines(
            [
                {
                    "id": "a",
                    "text": TEXT,
                    "segments": [one | {"text": TEXT[one["start"] : one["end"]]} for one in CUT],
                }
            ]
        ),
        _lines([{"id": "a", "text": TEXT, "segments": WHOLE}]),
    ),
    "segmentations": (
        _lines(
            [
                {
                    "id": "a",
                    "text": TEXT,
                    "segmentations": {"Gold": CUT, "A": WHOLE, "B": {"masses": [10, len(TEXT) - 10]}},
                }
            ]
        ),
        None,
    ),
    "label studio": (json.dumps(STUDIO).encode(), json.dumps(STUDIO).encode()),
    "spacy": (_lines(_groups(SPANS)), _lines(_groups(SPANS[:1]))),
    "pipeline": (_lines(_spans()), json.dumps([_entities()] * 3).encode()),
    "gliner2": (_lines(_spans()), _lines([_by_label()] * 3)),
    "langextract": (_lines(_spans()), _lines(_extracted())),
    "ai4privacy": (_lines(_masked()), _lines(_masked()[::-1])),
    "passages": (_lines(QUERIES), _lines(FOUND)),
    "squad": (json.dumps(SQUAD).encode(), json.dumps({"q": f"{CANARY} Pike"}).encode()),
}

PUT: tuple[Any, ...] = (CANARY, [CANARY], {CANARY: CANARY}, None, -1, 10**30, True, {"of": [TEXT]}, [[TEXT, 1]])


def _paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return the way to every value inside a JSON value, of a list only its first and its last."""
    if at:
        yield at
    if isinstance(value, dict):
        for key in value:
            yield from _paths(value[key], (*at, key))
    elif isinstance(value, list):
        for key in sorted({0, len(value) - 1} if value else ()):
            yield from _paths(value[key], (*at, key))


def _changed(value: Any, path: tuple[Any, ...], change: Callable[[Any, Any], None]) -> Any:
    value = deepcopy(value)
    owner = value
    for key in path[:-1]:
        owner = owner[key]
    change(owner, path[-1])
    return value


def _rename(owner: Any, key: Any) -> None:
    if isinstance(owner, dict):
        owner[CANARY] = owner.pop(key)
    else:
        owner.append(owner[key])


LABELS = ("ner", "label", "labels", "tags", "entity_group", "entity_type", "extraction_class", "span_labels")
TYPES = ("type", "%TYPE")  # the label of an annotation of BioC, the layer of one of UIMA
PEOPLE = ("_annotator_id", "completed_by", "model_version")
IDS = ("id", "uid", "document_id", "doc_id", "sofaID")
PRINTED = (*IDS, *LABELS, *TYPES, *PEOPLE)  # which are printed by design, so that no canary stands there
NAMED = ("segmentations", "annotation_sets", "documents")  # objects whose names are printed by design


def _is_printed(rows: Any, path: tuple[Any, ...], new: Any) -> bool:
    """Tell whether a value would be printed by design: a name as a name, or any value in the place of several."""
    if path[-1] in NAMED and isinstance(new, dict):
        return True
    if not any(name in path for name in PRINTED) or CANARY not in json.dumps(new):
        return False
    for key in path:
        rows = rows[key]
    return isinstance(new, str) or isinstance(rows, (list, dict)) or any(name in path for name in (*IDS, *LABELS))


def _put(new: Any) -> Callable[[Any, Any], None]:
    return lambda owner, key: owner.__setitem__(key, new)


def damaged_values(data: bytes) -> Iterator[bytes]:
    """Return JSON in which a value is of another kind, under another name or gone."""
    try:
        rows, lined = json.loads(data), False
    except ValueError:
        rows, lined = [json.loads(line) for line in data.splitlines()], True

    def written(value: Any) -> bytes:
        return _lines(value) if lined else json.dumps(value).encode()

    for number, path in enumerate(_paths(rows)):
        for new in (PUT[number % len(PUT)], PUT[(number * 5 + 3) % len(PUT)]):
            if not _is_printed(rows, path, new):
                yield written(_changed(rows, path, _put(new)))
        yield written(_changed(rows, path, lambda owner, key: owner.__delitem__(key)))
        if not any(name in path for name in NAMED):
            yield written(_changed(rows, path, _rename))


def damaged_bytes(data: bytes) -> Iterator[bytes]:
    """Return data that is cut off, written twice, not UTF-8, in other bytes, or has a foreign line."""
    for share in (3, 5, 7, 9):
        yield data[: len(data) * share // 10]
    word = CANARY.encode()
    yield data + data
    yield data.replace(word, word[:3] + b"\xff" + word[3:], 1)
    yield data.replace(b'"', b"'", 4)
    yield data.replace(b":", b" ", 2).replace(b" O", b"", 1)
    yield data + TEXT.encode()
    yield TEXT.encode() + b"\n" + data
    yield data.decode().encode("utf-16")
    yield b"\xef\xbb\xbf" + data
    yield data.replace(word, word.upper(), 1)
    yield data.replace(b"\n", b"\r\n")
