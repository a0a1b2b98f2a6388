"""The formats of passages and answers, in the order in which they are tried."""

from __future__ import annotations

from spanscope.io.format import Format
from spanscope.io.passages.queries import CONTAINERS, IDS, is_query, read_queries, squad_protocol
from spanscope.io.passages.trec import is_judged, is_trec, read_judged, read_trec
from spanscope.io.spans.recognise import is_bioc

FORMATS = (
    Format(
        "trec",
        "passages",
        "lines of judgements or of a run",
        read_trec,
        lambda head, _: head.is_path and is_trec(head),
        protocol=lambda _: "trec",
    ),
    Format(
        "judgements",
        "passages",
        "numbers by query and document",
        read_judged,
        lambda head, _: is_judged(head.value),
        protocol=lambda _: "trec",
    ),
    Format(
        "passages",
        "passages",
        "queries with snippets, answers or retrieved_passages",
        read_queries,
        record=lambda one, *_: is_query(one) and not is_bioc(one),
        containers=CONTAINERS,
        reads=("keep_fields",),
        in_blocks=True,
        ids=IDS,
        protocol=lambda head: squad_protocol(head.value),
    ),
)
