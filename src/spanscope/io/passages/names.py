"""Names under which retrieval tools keep queries, answers and passages, and what a record shows by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spanscope.io.fields import FORMS, KNOWN, PASSAGES, SEGMENTS, Fields, passage_fields
from spanscope.io.head import CUT
from spanscope.io.spans.recognise_models import is_old_spacy

CONTAINERS = ("tests", "queries", "data", "items")
IDS = ("id", "query_id", "qid")
OTHERS = ("spans", "ents", "entities", "tokens", "words", "segments", "segmentations", "boundaries", "masses")
CONTEXTS = ("retrieved_contexts", "contexts", "reference_contexts")  # lists of texts in the rows of RAGAS
SAID = "prediction_text"  # an answer alone, as evaluation libraries have it
RAGAS = {  # new names before old ones
    "query": ("user_input", "question"),
    "response": ("response", "answer"),
    "answers": ("reference", "ground_truth", "ground_truths"),
    "passages": ("retrieved_contexts", "contexts"),
    "passage_ids": ("retrieved_context_ids",),
    "gold_passages": ("reference_contexts",),
    "gold_ids": ("reference_context_ids",),
}
LISTED = ("passages", "passage_ids", "gold_passages", "gold_ids")  # which have a list in every row
POSITIVES, RETRIEVED_BY_DPR = "positive_ctxs", "ctxs"
OF_QUERIES = (  # fields of which one shows a query
    *("snippets", "answers", "retrieved_passages", "retrieved", "passages", "results", "paragraphs", SAID),
)
QUESTION = ("query", "question", "user_input", "input", "prompt")
CHUNKS = (  # where rows of LangChain, LlamaIndex and Haystack have what was retrieved
    *("documents", "source_documents", "source_nodes", "retrieved_documents", "retrieved_passages"),
    *("retrieved", "context", "contexts", "passages", "results", "nodes"),
)

FIELDS = {name for known in (KNOWN, SEGMENTS, PASSAGES) for names in known.values() for name in names} | {*FORMS}
FIELDS |= {"token", "annotation", "tokens", "words", "tags", "ner_tags", "labels", "sentences", "y_true", "y_pred"}
FIELDS |= {"pred", "user_input", "title", "schema", "items", "data", "documents", "body", "output", "meta"}
FIELDS |= {"metadata", "error", "source_text", "unmasked_text", "full_text", "privacy_mask", *QUESTION}


def first_of(record: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Return the first of some names that a record has."""
    for name in names:  # a plain loop is twice as fast as a generator
        if name in record:
            return name
    return None


def is_query(one: Any, own: Mapping[str, str]) -> bool:
    """Tell a query by its fields; `own` are other names of them."""
    if not isinstance(one, Mapping) or any(key in one for key in OTHERS) or is_old_spacy(one):
        return False
    said = [own[name] for name in ("answers", "passages") if name in own]
    return any(key in one for key in (*said, *OF_QUERIES)) or is_pair_of_texts(one)


def is_pair_of_texts(one: Any) -> bool:
    """Tell a question with its answer, and nothing else but names and metadata."""
    return (
        isinstance(one, Mapping)
        and isinstance(one.get("answer"), str)
        and isinstance(one.get("question", one.get("query")), str)
        and not any(key in one for key in ("context", "text", "contexts", *RAGAS["answers"], *OTHERS))
    )


def holds_both(one: Any, own: Mapping[str, str]) -> bool:
    """Tell a query that has gold answers and what was retrieved."""
    return has_both(one, passage_fields(own))


def has_both(one: Any, names: Fields) -> bool:
    """Tell the same by the names that fields may have."""
    if type(one) is not dict and not isinstance(one, Mapping):  # an abstract class is slow to ask
        return False
    return bool(first_of(one, names["answers"]) and first_of(one, names["passages"]))


def ragas_names(own: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return RAGAS' names, with the user's own in place of the usual ones."""
    return {**RAGAS, **{key: (name,) for key, name in own.items()}}


def is_ragas(one: Any, own: Mapping[str, str]) -> bool:
    """Tell a row of RAGAS: a question, and lists of texts under the names of contexts."""
    if not isinstance(one, Mapping):
        return False
    names = ragas_names(own)
    query = first_of(one, names["query"])
    lists = [one[key] for key in CONTEXTS if key in one]
    ids = any(key in one for name in ("passage_ids", "gold_ids") for key in RAGAS[name])
    answers = [one.get(first_of(one, names[key]) or "") for key in ("answers", "response")]
    answered = all(isinstance(answer, (str, list)) for answer in answers)
    return query is not None and bool(lists or ids or answered) and all(map(_are_texts, lists))


def _are_texts(value: Any) -> bool:
    """Tell a list of texts, or the null of a row that has none."""
    return value is None or (isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value))


def is_ragas_columns(value: Any) -> bool:
    """Tell RAGAS' rows as columns: a list of questions, and as many lists of contexts."""
    if not isinstance(value, Mapping):
        return False
    query = first_of(value, RAGAS["query"])
    listed = next((key for name in LISTED for key in RAGAS[name] if key in value), None)
    if query is None or listed is None or not isinstance(value[query], (list, tuple)):
        return False
    return isinstance(value[listed], (list, tuple)) and len(value[listed]) == len(value[query])


def is_ragas_header(line: str) -> bool:
    """Tell the header of a CSV file of RAGAS: a question, and a column that only RAGAS has."""
    names = {name.strip(' "') for name in line.split(",")}
    lists = {key for name in LISTED for key in RAGAS[name]}
    known = names & {*lists, *RAGAS["answers"]}
    return bool(names & set(RAGAS["query"])) and bool(known) and bool(names & {*lists, *RAGAS["response"]})


def is_dpr(one: Any) -> bool:
    """Tell DPR: a question with answers, and contexts under its own names."""
    return isinstance(one, Mapping) and "question" in one and any(k in one for k in (POSITIVES, RETRIEVED_BY_DPR))


def is_ms_marco(one: Any) -> bool:
    """Tell MS MARCO's rows: passages that say whether they were selected."""
    if not isinstance(one, Mapping) or first_of(one, ("query", "question")) is None:
        return False
    found = one.get("passages")
    if isinstance(found, Mapping):
        return "is_selected" in found
    return isinstance(found, (list, tuple)) and any(isinstance(p, Mapping) and "is_selected" in p for p in found)


def is_ms_marco_columns(value: Any) -> bool:
    """Tell MS MARCO's first files: columns of values by the number of their row."""
    keys = ("query", "passages")
    if not isinstance(value, Mapping) or not all(isinstance(value.get(key), Mapping) for key in keys):
        return False
    first: Any = next(iter(value["passages"].values()), None)
    return is_ms_marco({"query": "", "passages": first})


def chunks_of(one: Any, own: Mapping[str, str]) -> Any:
    """Return what a row has under the names by which chains and query engines have it; None without any."""
    if not isinstance(one, Mapping):
        return None
    names = (own["passages"],) if "passages" in own else CHUNKS
    return next((one[name] for name in names if isinstance(one.get(name), (list, tuple))), None)


def holds_answers(value: Any) -> bool:
    """Tell answers by the ids of their questions: an object of strings, none of them a field that others know."""
    if not isinstance(value, Mapping) or not value:
        return False
    texts = all(isinstance(one, str) for one in value.values() if one is not CUT)
    return texts and FIELDS.isdisjoint(map(str, value))


def is_squad_row(one: Any) -> bool:
    """Tell a question of SQuAD as a row: its answers are columns of texts and starts."""
    answers = one.get("answers") if isinstance(one, Mapping) else None
    return isinstance(answers, Mapping) and "text" in answers and not any(key in one for key in OTHERS)
