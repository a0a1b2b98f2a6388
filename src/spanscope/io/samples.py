# ruff: noqa: E501  samples are lines of files, which nobody breaks
"""Of every format a sample, as small as one can be, and what it cannot hold; a test asks for both of every row."""

from __future__ import annotations

from typing import NamedTuple


class About(NamedTuple):
    """What is said of a format: a sample, the ending of a file that holds it, and what it cannot hold.

    Where a format is a folder, a binary file or an object in memory, `suffix` is empty and the sample shows its parts.
    """

    sample: str
    cannot_hold: str
    suffix: str = ""


NO_PIECES = "spans in several pieces"
CODED = "labels of segments, texts"
IN_UNITS = "places in characters; times that a method took, levels of segments"
CHUNKS = "judgements, answers, snippets"
NO_TEXTS = "texts of documents, documents without spans"
OVERLAPS = "spans that overlap, or that begin or end inside a token; scores"
PLACED = "places in texts, texts of passages"
OF_FAMILY = {
    "spans": About("", "what is not a labelled span of a text"),
    "tokens": About("", OVERLAPS),
    "segments": About("", "what does not cover the text"),
    "passages": About("", "spans with labels"),
}
ABOUT = {
    "spans": About(
        '{"id": "d1", "text": "Anna met Bob", "spans": [{"start": 0, "end": 4, "label": "PER"}]}',
        "relations and attributes, but as metadata",
        ".jsonl",
    ),
    "columns": About('{"doc": ["d1"], "start": [0], "end": [4], "label": ["PER"]}', NO_TEXTS),
    "brat": About(
        "d1.txt   Anna met Bob\nd1.ann   T1\tPER 0 4\tAnna", "scores, metadata, spans without a character"
    ),
    "pubtator": About("7|t|Anna met Bob\n7|a|\n7\t0\t4\tAnna\tPER", f"{NO_PIECES}, scores, line ends", ".txt"),
    "bioc-xml": About(
        "<?xml version='1.0' encoding='UTF-8'?><collection><source/><date/><key/><document><id>d1</id><passage>"
        '<offset>0</offset><text>Anna met Bob</text><annotation id="1"><infon key="type">PER</infon>'
        '<location offset="0" length="4"/><text>Anna</text></annotation></passage></document></collection>',
        "documents without an id",
        ".xml",
    ),
    "bioc-json": About(
        '{"documents": [{"id": "d1", "passages": [{"offset": 0, "text": "Anna met Bob", "annotations": [{"id": "1", '
        '"infons": {"type": "PER"}, "text": "Anna", "locations": [{"offset": 0, "length": 4}]}]}]}]}',
        "documents without an id",
        ".json",
    ),
    "webanno": About(
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value\n\n\n"
        "#Text=Anna met Bob\n1-1\t0-4\tAnna\tPER\t\n1-2\t5-8\tmet\t_\t\n1-3\t9-12\tBob\t_\t",
        f"{NO_PIECES}, scores, spans that begin or end with a blank",
        ".tsv",
    ),
    "uima-xmi": About(
        '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" ...>: a sofa with the text, an element an annotation',
        f"{NO_PIECES}, documents without a text",
    ),
    "uima-json": About(
        '{"%FEATURE_STRUCTURES": [{"%TYPE": "uima.cas.Sofa", "sofaString": "Anna met Bob", ...}, ...], "%VIEWS": ...}',
        f"{NO_PIECES}, documents without a text",
    ),
    "gate": About(
        '<GateDocument>: <TextWithNodes> with a <Node id="0"/> at every edge, then <AnnotationSet>',
        f"{NO_PIECES}, scores but as features",
    ),
    "bdoc": About(
        '{"text": "Anna met Bob", "offset_type": "p", "features": {}, "annotation_sets": {"": {"name": "detached-from", '
        '"annotations": [{"type": "PER", "start": 0, "end": 4, "id": 0, "features": {}}]}}}',
        f"{NO_PIECES}, scores but as features",
        ".json",
    ),
    "spans-tsv": About("doc,start,end,label,text\nd1,0,4,PER,Anna\nd1,9,12,PER,Bob", NO_TEXTS, ".csv"),
    "documents-tsv": About(
        'id,text,spans\nd1,Anna met Bob,"[{""start"": 0, ""end"": 4, ""label"": ""PER""}]"',
        "documents without an id or a text",
        ".csv",
    ),
    "spacy": About(
        '{"text": "Anna met Bob", "ents": [], "spans": {"sc": [{"start": 0, "end": 4, "label": "PER"}]}}; a DocBin; Doc',
        f"{NO_PIECES}, spans without a character, scores",
    ),
    "pipeline": About(
        '[[{"entity_group": "PER", "score": 0.9, "word": "Anna", "start": 0, "end": 4}]]',
        "texts and ids of documents",
        ".json",
    ),
    "presidio": About(
        '[[{"entity_type": "PERSON", "start": 0, "end": 4, "score": 0.85, "analysis_explanation": null, '
        '"recognition_metadata": {}}]]',
        f"ids of documents, {NO_PIECES}",
    ),
    "gliner2": About(
        '{"entities": {"person": [{"text": "Anna", "confidence": 0.9, "start": 0, "end": 4}]}}',
        f"ids of documents, {NO_PIECES}",
    ),
    "langextract": About(
        '{"extractions": [{"extraction_class": "PER", "extraction_text": "Anna", "char_interval": {"start_pos": 0, '
        '"end_pos": 4}}], "text": "Anna met Bob", "document_id": "d1"}',
        f"{NO_PIECES}, scores",
        ".jsonl",
    ),
    "ai4privacy": About(
        '{"source_text": "Anna met Bob", "privacy_mask": [{"value": "Anna", "start": 0, "end": 4, "label": "FIRSTNAME"}]}',
        f"{NO_PIECES}, scores",
        ".jsonl",
    ),
    "gliner-train": About(
        '{"tokenized_text": ["Anna", "met", "Bob"], "ner": [[0, 0, "PER"]]}',
        f"{NO_PIECES}, scores, the text between tokens, ids of documents",
        ".jsonl",
    ),
    "nervaluate": About(
        '[[{"label": "PER", "start": 0, "end": 0}]] with --input nervaluate',
        f"texts and ids of documents, {NO_PIECES}",
    ),
    "seqeval-entities": About(
        '[["PER", 0, 0]] with --input seqeval-entities', f"texts and ids of documents, {NO_PIECES}"
    ),
    "doccano": About(
        '{"id": 1, "text": "Anna met Bob", "label": [[0, 4, "PER"]]}',
        f"{NO_PIECES}, scores, metadata of spans",
        ".jsonl",
    ),
    "prodigy": About(
        '{"text": "Anna met Bob", "_input_hash": 1, "_task_hash": 2, "spans": [{"start": 0, "end": 4, "label": "PER"}], '
        '"answer": "accept"}',
        NO_PIECES,
        ".jsonl",
    ),
    "labelstudio-spans": About(
        '[{"id": 1, "data": {"text": "Anna met Bob"}, "annotations": [{"id": 1, "completed_by": 1, "result": [{"type": '
        '"labels", "from_name": "label", "to_name": "text", "value": {"start": 0, "end": 4, "text": "Anna", "labels": '
        '["PER"]}}]}]}]',
        NO_PIECES,
        ".json",
    ),
    "conll": About("Anna B-PER\nmet O\nBob B-PER", f"{OVERLAPS}; ids of documents", ".conll"),
    "tags": About('["B-PER", "O", "B-PER"]', f"{OVERLAPS}; tokens", ".jsonl"),
    "tokens": About(
        '{"id": "d1", "tokens": ["Anna", "met", "Bob"], "tags": ["B-PER", "O", "B-PER"]}', OVERLAPS, ".jsonl"
    ),
    "conllu": About(
        "1\tAnna\tAnna\tPROPN\t_\t_\t0\troot\t_\tNER=B-PER\n2\tleft\tleave\tVERB\t_\t_\t1\tdep\t_\tNER=O",
        OVERLAPS,
        ".conllu",
    ),
    "datasets": About("a folder with dataset_info.json, state.json and data-00000-of-00001.arrow", OVERLAPS),
    "seqeval": About(
        '{"y_true": [["B-PER", "O"]], "y_pred": [["B-PER", "O"]]}',
        f"{OVERLAPS}; tokens, ids of documents",
        ".json",
    ),
    "token-rows": About(
        '{"sentence_id": [1, 1], "token": ["Anna", "met"], "annotation": ["B-PER", "O"]}', OVERLAPS
    ),
    "segments": About(
        '{"id": "d1", "text": "One. Two.", "segments": [[0, 5], [5, 9]]}', "gaps in a text", ".jsonl"
    ),
    "label-studio": About("", "times that a method took, levels of segments"),
    "labelstudio-segments": About(
        '[{"id": 1, "data": {"text": "One. Two."}, "annotations": [{"id": 1, "completed_by": 1, "result": [{"type": '
        '"labels", "value": {"start": 0, "end": 5, "labels": ["A"]}}, {"type": "labels", "value": {"start": 5, "end": '
        '9, "labels": ["B"]}}]}]}]',
        "times that a method took, levels of segments",
        ".json",
    ),
    "passages": About('{"query": "Who?", "snippets": [{"answer": "Anna"}]}', "labels of passages", ".jsonl"),
    "judgements": About('{"q1": {"d1": 1, "d2": 0}}', f"{PLACED}, questions", ".json"),
    "trec": About("q1 0 d1 1\nq1 0 d2 0", f"{PLACED}, questions", ".qrels"),
    "beir": About(
        'corpus.jsonl    {"_id": "d1", "text": "Anna met Bob"}\n'
        'queries.jsonl   {"_id": "q1", "text": "Who?"}\n'
        "qrels/test.tsv  query-id\tcorpus-id\tscore",
        "places in texts, what was retrieved",
    ),
    "legalbench": About(
        'bench.json     {"tests": [{"query": "Who?", "snippets": [{"file_path": "d1.txt", "span": [0, 4], "answer": "Anna"}]}]}\n'
        "corpus/d1.txt  Anna met Bob",
        "what was retrieved, grades",
    ),
    "qrels": About('{"q1": {"d1": 1, "d2": 0}} with --input qrels', f"{PLACED}, questions, what was retrieved"),
    "run": About('{"q1": {"d1": 3, "d2": 1}} with --input run', f"{PLACED}, questions, judgements"),
    "ragas": About(
        '{"user_input": "Who?", "retrieved_contexts": ["Anna met Bob"], "response": "Anna", "reference": "Anna"}',
        "places in texts, scores of passages",
        ".jsonl",
    ),
    "ragas-csv": About(
        "user_input,retrieved_contexts,response,reference\nWho?,\"['Anna met Bob']\",Anna,Anna",
        "places in texts, scores of passages",
        ".csv",
    ),
    "dpr": About(
        '{"question": "Who?", "answers": ["Anna"], "ctxs": [{"id": "d1", "title": "", "text": "Anna met Bob", '
        '"score": 0.9}]}',
        "places in texts, judgements in several grades",
        ".jsonl",
    ),
    "ms-marco": About(
        '{"query_id": 1, "query": "Who?", "passages": [{"is_selected": 1, "passage_text": "Anna met Bob"}], '
        '"answers": ["Anna"]}',
        "places in texts, scores of passages, judgements in several grades",
        ".jsonl",
    ),
    "langchain": About(
        '{"query": "Who?", "documents": [{"page_content": "Anna", "metadata": {"source": "d1.txt", "start_index": 0}, '
        '"type": "Document"}]}',
        CHUNKS,
        ".jsonl",
    ),
    "llamaindex": About(
        '{"query": "Who?", "source_nodes": [{"node": {"id_": "n1", "text": "Anna", "start_char_idx": 0, "end_char_idx": '
        '4, "relationships": {"1": {"node_id": "d1"}}}, "score": 0.5}]}',
        CHUNKS,
        ".jsonl",
    ),
    "haystack": About(
        '{"query": "Who?", "documents": [{"content": "Anna", "meta": {"source_id": "d1", "split_idx_start": 0}, '
        '"score": 0.5}]}',
        CHUNKS,
        ".jsonl",
    ),
    "squad": About(
        '{"version": "v2.0", "data": [{"title": "t", "paragraphs": [{"context": "Anna met Bob", "qas": [{"id": "q1", '
        '"question": "Who?", "answers": [{"text": "Anna", "answer_start": 0}], "is_impossible": false}]}]}]}',
        "what was retrieved, scores",
        ".json",
    ),
    "squad-rows": About(
        '{"id": "q1", "context": "Anna met Bob", "question": "Who?", "answers": {"text": ["Anna"], "answer_start": [0]}}',
        "what was retrieved, scores",
        ".jsonl",
    ),
    "answers": About(
        '{"q1": "Anna", "q2": ""}', "questions, places in texts, several answers to a question", ".json"
    ),
    "choi": About(
        "==========\nOne.\nTwo.\n==========\nThree.\n==========", f"labels of segments; {IN_UNITS}", ".ref"
    ),
    "wiki-727k": About("========,1,preface.\nOne.\nTwo.\n========,2,Rome.\nThree.", IN_UNITS, ".txt"),
    "segeval": About(
        '{"items": {"d1": {"ann": [2, 1], "ben": [1, 2]}}, "segmentation_type": "linear"}',
        f"{CODED}; {IN_UNITS}",
        ".json",
    ),
    "segeval-table": About(
        "Coder\tMasses\nann\t2\t1\nben\t1\t2", f"several documents in a file; {CODED}; {IN_UNITS}", ".tsv"
    ),
    "nltk": About("0100", f"{CODED}, ids of documents; {IN_UNITS}", ".txt"),
    **{
        f"nltk-{kind}": About(f"{sample} with --input nltk-{kind}", f"{CODED}, ids of documents; {IN_UNITS}")
        for kind, sample in (
            ("gaps", "0100"),
            ("units", "01001"),
            ("gap-pairs", "0100\n0010"),
            ("unit-pairs", "01001\n00101"),
        )
    },
    "sentences": About(
        '{"id": "d1", "sentences": ["One.", "Two.", "Three."], "labels": [0, 1, 1]}', IN_UNITS, ".jsonl"
    ),
    **{
        f"sentences-{kind}": About(
            f'{{"id": "d1", "sentences": ["One.", "Two.", "Three."], "labels": {labels}}} with --input sentences-{kind}',
            IN_UNITS,
        )
        for kind, labels in (("last", "[0, 1, 0]"), ("first", "[0, 0, 1]"), ("sections", "[0, 0, 1]"))
    },
    "reasoning-flow": About(
        '{"doc_id": "d1", "raw_text": {"question": "?", "response": "One. Two."}, "nodes": [{"start": 0, "end": 5, '
        '"label": "plan", "source": "response"}, {"start": 5, "end": 9, "label": "fact", "source": "response"}]}',
        "times that a method took, levels of segments, edges between segments",
        ".jsonl",
    ),
}
ABOUT["label-studio"] = ABOUT["labelstudio-segments"]


def about_format(name: str, family: str) -> About:
    """Return what is said of a format; of one that nobody has described, what is true of its family."""
    return ABOUT.get(name, OF_FAMILY[family])
