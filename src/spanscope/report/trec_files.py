"""What was judged and what was retrieved as files of TREC: qrels and a run, which other tools read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from spanscope.errors import MeasureError, named, shown
from spanscope.match.ranking import trec_order
from spanscope.measures.passages.queries import lists
from spanscope.results.result import Result

TAG = "spanscope"  # the name of the system in the last column of a run


def qrels(result: Result) -> str:
    """Return the judgements that were read, as lines of query, 0, document and grade."""
    out = []
    for query, own in _by_query(result, "gold", "qrels"):
        for document, grade in own.items():
            if not float(grade).is_integer():
                what = f"the grade of {named(document)} is {shown(grade)}"
                raise MeasureError(what, expected="whole numbers: TREC's qrels have no others")
            out.append(f"{query} 0 {_word(document, 'a document')} {int(grade)}\n")
    return "".join(out)


def run(result: Result) -> str:
    """Return what was retrieved, as lines of query, Q0, document, rank, score and a tag; best first.

    Passages without scores get numbers that keep their order.
    """
    out = []
    for query, own in _by_query(result, "pred", "trec-run"):
        for rank, document in enumerate(trec_order(own), start=1):
            out.append(f"{query} Q0 {_word(document, 'a document')} {rank} {float(own[document])!r} {TAG}\n")
    return "".join(out)


def _by_query(result: Result, side: str, form: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not result.settings.family.retrieves:
        raise MeasureError(f"{form} is for queries and passages", expected="passages measures")
    result.needs("spans", f"--format {form}")
    comparison = result.comparison
    names: Sequence[str] = comparison.names
    if comparison.named_by_text:
        raise MeasureError("the queries are known by their texts alone", expected="an id in every query")
    for query, own in zip(names, lists(comparison, side), strict=True):
        yield _word(query, "a query"), own


def _word(name: str, what: str) -> str:
    """Return a name that can stand in a column; one with a blank in it cannot."""
    if not name or any(map(str.isspace, name)):
        raise MeasureError(
            f"{what} is called {named(name)}, and TREC's files have blanks between columns",
            expected="ids without blanks on both sides",
        )
    return name
