"""The formats of passages and answers, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanscope.io.format import Format, when_called
from spanscope.io.head import Head
from spanscope.io.passages.judged import QUERY, is_judged, is_judged_frame, is_judged_row, is_trec
from spanscope.io.passages.names import (
    CHUNKS,
    CONTAINERS,
    IDS,
    OF_QUERIES,
    RAGAS,
    chunks_of,
    holds_answers,
    holds_both,
    is_dpr,
    is_ms_marco,
    is_ms_marco_columns,
    is_query,
    is_ragas,
    is_ragas_columns,
    is_ragas_header,
    is_squad_row,
)
from spanscope.io.read_options import ReadOptions
from spanscope.io.spans.recognise import is_bioc
from spanscope.io.spans.recognise_models import is_old_spacy

JUDGED = "qrels/"  # the folder of judgements in a folder of BEIR
CORPUS = "corpus/"  # the folder of the files in a folder of LegalBench-RAG
QUERIES = ("fields", "keep_fields")  # options that queries read
LISTS = (*CONTAINERS, "documents", "examples")


def _has_chunks(kind: str) -> Any:
    """Return a test for queries whose documents are of a library."""
    test = when_called("passages.chunks", f"is_{kind}")

    def claims(one: Any, _: Head, options: ReadOptions) -> bool:
        found = chunks_of(one, options.fields)
        return bool(found) and bool(test(found[0]))

    return claims


def _squad_protocol(head: Head) -> str | None:
    """Return the protocol of SQuAD's own JSON; its module is loaded for that alone."""
    value = head.value
    if not (isinstance(value, Mapping) and isinstance(value.get("data"), (list, tuple))):
        return None
    found: str | None = when_called("passages.squad", "squad_protocol")(value)
    return found


def _is_article(one: Any) -> bool:
    return isinstance(one, Mapping) and "paragraphs" in one and not is_old_spacy(one)


def _chunks(name: str, cue: str, kind: str) -> Format:
    reader = when_called("passages.chunks", f"read_{kind}")
    return Format(
        name, "passages", cue, reader, record=_has_chunks(kind), keys=CHUNKS, containers=LISTS, reads=QUERIES
    )


FORMATS = (
    Format(
        "trec",
        "passages",
        "lines of judgements or of a run",
        when_called("passages.trec", "read_trec"),
        lambda head, _: head.is_path and is_trec(head),
        protocol=lambda _: "trec",
    ),
    Format(
        "beir",
        "passages",
        "a folder of BEIR: judgements in qrels, beside queries.jsonl and corpus.jsonl",
        when_called("passages.beir", "read_folder"),
        lambda head, _: JUDGED in head.names,
        reads=("split",),
        protocol=lambda _: "trec",
    ),
    Format(
        "legalbench",
        "passages",
        "a folder of LegalBench-RAG: benchmarks in JSON beside the files in corpus",
        when_called("passages.legalbench", "read_folder"),
        lambda head, _: (
            CORPUS in head.names and when_called("passages.legalbench", "is_folder_of_benchmarks")(head)
        ),
        reads=(*QUERIES, "split"),
        splits=when_called("passages.legalbench", "benchmarks_in"),
        library=when_called("passages.legalbench", "library_in"),
    ),
    Format(
        "judgements",
        "passages",
        "numbers or identifiers by query and document",
        when_called("passages.lists", "read_judged"),
        lambda head, _: is_judged(head.value) or is_judged_frame(head),
        record=lambda one, *_: is_judged_row(one),
        keys=QUERY,
        protocol=lambda _: "trec",
    ),
    Format(
        "qrels",
        "passages",
        "judgements, when --input qrels says so",
        when_called("passages.lists", "read_qrels"),
        of_objects=True,
        protocol=lambda _: "trec",
    ),
    Format(
        "run",
        "passages",
        "a run, when --input run says so",
        when_called("passages.lists", "read_run"),
        of_objects=True,
    ),
    Format(
        "ragas",
        "passages",
        "RAGAS' rows or columns: a question with contexts or a reference",
        when_called("passages.ragas", "read_ragas"),
        lambda head, _: is_ragas_columns(head.value),
        lambda one, _, options: is_ragas(one, options.fields),
        keys=RAGAS["query"],
        containers=LISTS,
        reads=QUERIES,
        both=lambda one, own: is_ragas_columns(one) or is_ragas(one, own),
    ),
    Format(
        "ragas-csv",
        "passages",
        "RAGAS' rows as CSV, with lists as literals",
        when_called("passages.ragas", "read_ragas_csv"),
        lambda head, _: head.is_file and is_ragas_header(head.lines[0] if head.lines else ""),
        reads=QUERIES,
        both=lambda *_: True,
    ),
    Format(
        "dpr",
        "passages",
        "DPR's questions with ctxs or positive_ctxs",
        when_called("passages.dpr", "read_dpr"),
        record=lambda one, *_: is_dpr(one),
        keys=("question",),
        containers=LISTS,
        reads=QUERIES,
        both=lambda one, _: is_dpr(one),
    ),
    Format(
        "ms-marco",
        "passages",
        "MS MARCO's queries with passages that were selected or not",
        when_called("passages.dpr", "read_ms_marco"),
        lambda head, _: is_ms_marco_columns(head.value),
        lambda one, *_: is_ms_marco(one),
        keys=("passages",),
        containers=LISTS,
        reads=QUERIES,
    ),
    _chunks("langchain", "queries with LangChain's documents: page_content", "langchain"),
    _chunks("llamaindex", "queries with LlamaIndex's nodes: start_char_idx or relationships", "llamaindex"),
    _chunks("haystack", "queries with Haystack's documents: split_idx_start", "haystack"),
    Format(
        "squad",
        "passages",
        "SQuAD's articles with paragraphs",
        when_called("passages.squad", "read_squad"),
        record=lambda one, *_: _is_article(one),
        keys=("paragraphs",),
        containers=CONTAINERS,
        reads=("keep_fields",),
        protocol=_squad_protocol,
    ),
    Format(
        "squad-rows",
        "passages",
        "SQuAD's questions as rows, with answers as columns",
        when_called("passages.squad", "read_squad_rows"),
        record=lambda one, *_: is_squad_row(one),
        keys=("answers",),
        containers=LISTS,
        reads=("keep_fields",),
    ),
    Format(
        "answers",
        "passages",
        "answers by the ids of questions",
        when_called("passages.squad", "read_answers"),
        lambda head, _: holds_answers(head.value),
    ),
    Format(
        "passages",
        "passages",
        "queries with snippets, answers or retrieved_passages",
        when_called("passages.queries", "read_queries"),
        record=lambda one, _, options: is_query(one, options.fields) and not is_bioc(one),
        keys=(*OF_QUERIES, "answer"),
        containers=CONTAINERS,
        reads=QUERIES,
        in_blocks=True,
        ids=IDS,
        general=True,
        both=holds_both,
    ),
)
