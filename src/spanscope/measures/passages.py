"""Retrieved passages and answers: a query is a document; gold answers and ranked passages are its sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from spanscope import ranking as ranks
from spanscope.arithmetic import Floats, ratio
from spanscope.counts import STAR, make
from spanscope.data import NOWHERE, Spans
from spanscope.errors import MeasureError
from spanscope.join import Comparison
from spanscope.measure import Outcome, Range, Share, measure
from spanscope.measures import answers, charspans
from spanscope.measures.charspans import Place
from spanscope.rates import Named, Rate, Sums, share

Cutoff = Annotated[int, Range(1, 1_000_000)]
By = Literal["auto", "id", "substring", "exact", "overlap"]
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Item:
    """One gold answer or one passage."""

    text: str | None
    place: Place | None
    name: str | None
    score: float
    grade: int


@dataclass(frozen=True)
class Query:
    """What was wanted, and what was retrieved, best first."""

    gold: list[Item]  # what is relevant
    passages: list[Item]
    judged: list[Item]  # and what was judged not to be


def queries(c: Comparison) -> list[Query]:
    """Return every query of a comparison."""
    return c.cached("queries", lambda: _queries(c))


def _queries(c: Comparison) -> list[Query]:
    gold, pred = (_items(c, c.sides[side]) for side in ("gold", "pred"))
    return [Query([one for one in a if one.grade > 0], b, a) for a, b in zip(gold, pred, strict=True)]


def _items(c: Comparison, spans: Spans) -> list[list[Item]]:
    """Return the rows of each query in the order of retrieval: by score where all have one, else as given."""
    out: list[list[Item]] = [[] for _ in range(c.documents)]
    score = spans.extra["score"]
    lacking = np.zeros(c.documents, dtype=bool)
    lacking[spans.doc[np.isnan(score)]] = True
    order = np.lexsort((spans.extra["rank"], np.where(lacking[spans.doc], 0.0, -score), spans.doc))
    texts = [None] * len(spans) if spans.text is None else spans.text.tolist()
    for row in order.tolist():
        located = spans.start[row] != NOWHERE
        place = Place(c.labels[spans.label[row]], int(spans.start[row]), int(spans.end[row])) if located else None
        out[spans.doc[row]].append(
            Item(
                texts[row],
                place,
                spans.extra["name"][row],
                float(spans.extra["score"][row]),
                int(spans.extra["grade"][row]),
            )
        )
    return out


def per_query(c: Comparison, columns: Mapping[str, Sequence[float]]) -> Outcome:
    """Return one row a query."""
    own: dict[str, Any] = {name: np.asarray(values, dtype=np.float64) for name, values in columns.items()}
    found = queries(c)
    own["gold"] = np.array([len(query.gold) for query in found], dtype=np.float64)
    own["pred"] = np.array([len(query.passages) for query in found], dtype=np.float64)
    return Outcome(make(c.documents, c.labels, np.arange(c.documents), np.full(c.documents, STAR), own))


def _means(*names: str, best: float = 1.0) -> Named:
    return Named(tuple(share(name, name, "queries", best=best) for name in names), perfect=False)


def _asked(c: Comparison) -> list[float]:
    """Return 1 for every query that has gold: the others are left out of means."""
    return [float(bool(query.gold)) for query in queries(c)]


@measure("passages.exact_match", _means("exact_match"), needs=NOTHING, matches=False)
def exact_match(c: Comparison) -> Outcome:
    """Tell whether the first passage is one of the gold answers.

        exact_match = 1 if strip(lower(first passage)) is that of a gold answer, else 0;   mean over queries

    Counts     exact_match, queries (with gold).
    Undefined  for queries without gold, which are left out.
    Source     the seed document of the legal scorer; Rajpurkar et al. (2016).
    Checked    tests/oracles/legal_random.json; tests/test_passages.py.
    """
    values = [
        float(bool(q.gold) and bool(q.passages) and answers.exact_match(_text(q.passages[0]), map(_text, q.gold)))
        for q in queries(c)
    ]
    return per_query(c, {"exact_match": values, "queries": _asked(c)})


@measure("passages.span_f1", _means("span_f1"), needs=NOTHING, matches=False)
def span_f1(c: Comparison, *, counting: Literal["sets", "multisets"] = "sets") -> Outcome:
    """Compare the words of the first passage with those of the gold answers.

        F1 of the two sets of words, the largest over gold answers;   mean over queries

    Words are runs of letters and digits, whatever their case. counting=multisets counts a word as often as it
    occurs, as SQuAD does.

    Counts     span_f1, queries (with gold).
    Undefined  for queries without gold, which are left out.
    Source     the seed document of the legal scorer.
    Differs    the script itself (passages.legal) uses NLTK's tokens and drops all that are not alphanumeric.
    Checked    tests/test_answers.py; tests/test_passages.py.
    """
    multiset = counting == "multisets"
    values = [
        answers.token_f1(_text(q.passages[0]), [_text(one) for one in q.gold], multiset=multiset)
        if q.gold and q.passages
        else 0.0
        for q in queries(c)
    ]
    return per_query(c, {"span_f1": values, "queries": _asked(c)})


RANKING = _means("recall", "precision", "hit", "mrr", "map", "ndcg", "r_precision")


@measure("passages.ranking", RANKING, needs=NOTHING, matches=False)
def ranking(c: Comparison, *, k: Cutoff = 10, by: By = "auto", threshold: Share = 0.5) -> Outcome:
    """Score the first k passages by the gold answers they hold.

        recall = share of gold answers held by one of the first k passages,   hit = 1 if any is
        precision = passages that hold some / k,   mrr = 1 / rank of the first that does
        ndcg, map, r_precision on slots: a passage that newly holds m gold answers gives m relevant slots, one
        that brings nothing new a slot that is not relevant; the cutoff counts slots

    So each gold answer is credited once, nothing exceeds 1, and nDCG is 1 just when all gold answers come first.
    by=substring: one text is inside the other, case and white space aside; exact: the texts are equal; id: the
    identifiers are; overlap: the places in one file cover `threshold` of the gold answer. auto takes id, else
    overlap, else substring, by what both sides have. Empty texts match nothing.

    Counts     a sum each, and queries (with gold).
    Undefined  for queries without gold, which are left out.
    Source     the seed document of the legal scorer; Järvelin and Kekäläinen (2002); Manning et al. (2008).
    Differs    the seed's script takes the ideal from what was retrieved and credits repeats again
               (passages.legal); on identifiers the figures are trec_eval's.
    Checked    tests/test_ranking.py; tests/test_passages.py.
    """
    columns: dict[str, list[float]] = {name: [] for name in (rate.name for rate in RANKING.named)}
    rule = _rule(c, by, threshold)
    for q in queries(c):
        matched = [[n for n, one in enumerate(q.gold) if rule(passage, one)] for passage in q.passages]
        golds = len(q.gold)
        slots = ranks.slots(matched, golds)
        figures = {
            "recall": ranks.recall_at(matched, golds, k),
            "precision": ranks.precision_at(matched, k),
            "hit": ranks.hit_at(matched, k),
            "mrr": ranks.reciprocal_rank(matched, k),
            "map": ranks.average_precision_slots(slots, golds, k),
            "ndcg": ranks.ndcg_slots(slots, golds, k),
            "r_precision": ranks.r_precision_slots(slots, golds),
        }
        for name, value in figures.items():
            columns[name].append(value if golds else 0.0)
    return per_query(c, {**columns, "queries": _asked(c)})


def _f1(s: Sums) -> Floats:
    return np.asarray(ratio(2 * s["shared"], s["wanted"] + s["retrieved"]))


def _iou(s: Sums) -> Floats:
    return np.asarray(ratio(s["shared"], s["wanted"] + s["retrieved"] - s["shared"]))


CHARACTERS = Named(
    (
        share("precision", "shared", "retrieved"),
        share("recall", "shared", "wanted"),
        Rate("f1", _f1),
        Rate("iou", _iou),
        share("mismatch", "elsewhere", "passages", best=0.0),
    ),
    perfect=False,
)


@measure("passages.characters", CHARACTERS, needs=NOTHING, matches=False)
def characters(c: Comparison, *, k: Cutoff = 10) -> Outcome:
    """Count the characters of the gold answers that the first k passages cover, file by file.

        precision = shared / retrieved,   recall = shared / wanted,   iou = shared / (both together)
        mismatch  = passages from files that hold no gold answer / passages

    Passages that overlap are merged, so that no character counts twice and recall never exceeds 1.

    Counts     shared, wanted, retrieved (characters), elsewhere, passages, by query.
    Undefined  precision without passages, recall without gold answers.
    Source     LegalBench-RAG (2024), with overlaps merged.
    Differs    the benchmark's code does not merge (passages.legalbench_rag); its recall reaches 2.
    Checked    tests/oracles/spanret_random100.json; tests/test_charspans.py; tests/test_passages.py.
    """
    return _characters(c, k, charspans.characters)


@measure("passages.legalbench_rag", CHARACTERS, needs=NOTHING, matches=False)
def legalbench_rag(c: Comparison, *, k: Cutoff = 1_000_000) -> Outcome:
    """Give LegalBench-RAG's own figures: characters of overlapping passages count again.

        precision = sum of overlaps / sum of passage lengths,   recall = sum of overlaps / sum of gold lengths

    over the first k passages.

    Counts     shared, wanted, retrieved (characters), elsewhere, passages, by query.
    Undefined  precision without passages, recall without gold answers.
    Source     LegalBench-RAG (2024), its code.
    Checked    tests/oracles/legalbenchrag_random.json.
    """
    return _characters(c, k, charspans.legalbench_rag)


Counter = Callable[[list[Place], list[Place]], tuple[int, int, int]]


def _characters(c: Comparison, k: int, count: Counter) -> Outcome:
    rows = []
    for q in queries(c):
        gold, found = [_place(one) for one in q.gold], [_place(one) for one in q.passages[:k]]
        rows.append((*count(gold, found), *charspans.document_mismatch(gold, found)))
    names = ("shared", "wanted", "retrieved", "elsewhere", "passages")
    return per_query(c, dict(zip(names, np.array(rows, dtype=np.float64).reshape(-1, 5).T, strict=True)))


@measure("passages.squad", _means("exact_match", "f1"), needs=NOTHING, matches=False)
def squad(c: Comparison, *, version: Literal["1.1", "2.0"] = "2.0") -> Outcome:
    """Compare the first passage with the gold answers by SQuAD's rules.

    Lower case, no punctuation, no articles; exact match, and F1 over multisets of words, the largest over gold
    answers. In version 2.0 a question without gold answers is right when the prediction is empty; in 1.1 such
    questions are left out.

    Counts     exact_match, f1, queries.
    Undefined  without questions.
    Source     Rajpurkar et al. (2016, 2018), evaluate-v1.1.py and evaluate-v2.0.py.
    Checked    tests/oracles/squad_random100.json; tests/oracles/squad_corners.json.
    """
    asked = _asked(c) if version == "1.1" else [1.0] * c.documents
    em, f1 = [], []
    for q, counted in zip(queries(c), asked, strict=True):
        first = _text(q.passages[0]) if q.passages else ""
        golds = [_text(one) for one in q.gold]
        em.append(float(answers.squad_exact(first, golds, version=version)) if counted else 0.0)
        f1.append(answers.squad_f1(first, golds, version=version) if counted else 0.0)
    return per_query(c, {"exact_match": em, "f1": f1, "queries": asked})


TREC = (
    *("map", "ndcg", "ndcg_cut_10", "recip_rank", "Rprec", "bpref", "P_5", "P_10"),
    *("recall_10", "recall_100", "success_1", "success_5", "success_10"),
)


@measure("passages.trec", _means(*TREC), needs=NOTHING, matches=False)
def trec(c: Comparison, *, level: Cutoff = 1) -> Outcome:
    """Give trec_eval's figures for identifiers with scores: bit-identical to trec_eval 9.0.8.

    Passages are ordered by score, equal ones by identifier, the last first; where none has a score, as they are
    given. `level` is the lowest grade that is relevant (nDCG takes no notice of it). The mean is over all queries
    of gold, those without relevant documents as 0, as trec_eval -c has it.

    Counts     a sum each, and queries.
    Undefined  without queries.
    Source     trec_eval 9.0.8.
    Checked    tests/oracles/trec_random100.json; pytrec_eval live.
    """
    columns: dict[str, list[float]] = {name: [] for name in TREC}
    for q in queries(c):
        qrels = {_name(one): one.grade for one in q.judged}
        size = len(q.passages)
        run = {_name(one): size - at if np.isnan(one.score) else one.score for at, one in enumerate(q.passages)}
        figures = ranks.trec(qrels, run, TREC, level)
        for name in TREC:
            columns[name].append(figures[name])
    return per_query(c, {**columns, "queries": [1.0] * c.documents})


def _name(item: Item) -> str:
    if item.name is None:
        raise MeasureError(
            "some passages have no identifier", expected="ids on both sides", hint="-m passages.ranking"
        )
    return item.name


LEGAL = _means("exact_match", "span_f1", "recall", "ndcg")


@measure("passages.legal", LEGAL, needs=NOTHING, matches=False)
def legal(c: Comparison, *, k: Cutoff = 10, punkt: bool = False) -> Outcome:
    """Give the figures of the legal retrieval script `score.py` itself.

    NLTK's tokens; recall and nDCG at k by substrings in either direction, empty passages matching everything,
    repeats credited again, the ideal taken from what was retrieved. punkt=true splits sentences first, which
    needs NLTK's data.

    Counts     exact_match, span_f1, recall, ndcg, queries (with gold).
    Undefined  for queries without gold, which are left out.
    Source     score.py; `pip install 'spanscope[legal]'` for NLTK.
    Differs    from passages.exact_match, span_f1 and ranking, which follow its document.
    Checked    tests/oracles/legal_random.json.
    """
    columns: dict[str, list[float]] = {rate.name: [] for rate in LEGAL.named}
    for q in queries(c):
        golds = [_text(one) for one in q.gold]
        figures = dict.fromkeys(columns, 0.0)
        if golds and q.passages:
            texts = [_text(one) for one in q.passages]
            figures = answers.legal_query(texts, golds, k, lambda text: answers.legal_tokens(text, punkt=punkt))
        for name in columns:
            columns[name].append(figures[name])
    return per_query(c, {**columns, "queries": _asked(c)})


def _text(item: Item) -> str:
    if item.text is None:
        raise MeasureError(
            "some passages have no text", expected="texts on both sides", hint="-m passages.ranking(by=id)"
        )
    return item.text


def _place(item: Item) -> Place:
    if item.place is None:
        raise MeasureError(
            "some passages have no place", expected="file_path and span on both sides", hint="-m passages.ranking"
        )
    return item.place


def _rule(c: Comparison, by: By, threshold: float) -> Callable[[Item, Item], bool]:
    """Return how a passage is held against a gold answer."""
    chosen = _automatic(c) if by == "auto" else by
    if chosen == "id":
        return lambda passage, gold: passage.name is not None and passage.name == gold.name and gold.grade > 0
    if chosen == "overlap":
        return lambda passage, gold: _covers(_place(passage), _place(gold), threshold)
    if chosen == "exact":
        return lambda passage, gold: (
            bool(_text(gold).strip()) and answers.exact_match(_text(passage), [_text(gold)])
        )
    return lambda passage, gold: answers.substring_match(_text(passage), _text(gold))


def _automatic(c: Comparison) -> By:
    def all_have(what: str) -> bool:
        items = [item for query in queries(c) for item in (*query.gold, *query.passages)]
        return bool(items) and all(getattr(item, what) is not None for item in items)

    return "id" if all_have("name") else "overlap" if all_have("place") else "substring"


def _covers(passage: Place, gold: Place, threshold: float) -> bool:
    if passage.file != gold.file:
        return False
    shared = min(passage.end, gold.end) - max(passage.start, gold.start)
    return shared > 0 and shared >= threshold * (gold.end - gold.start)
