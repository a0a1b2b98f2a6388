"""Retrieved passages and answers by their texts and ranks: a query is a document."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Literal

from spanscope.match import gold_ranking
from spanscope.match.gold_ranking import Held, PassageMatch
from spanscope.match.ranking import Gain
from spanscope.measures.passages import answer_texts, legal_texts, squad_texts
from spanscope.measures.passages.queries import (
    By,
    Item,
    Query,
    decide_by,
    has_gold,
    match_all,
    match_lazily,
    means_over_queries,
    per_query,
    queries,
    remember,
    settle_by,
    text,
)
from spanscope.measures.registry import Outcome, Range, Share, measure
from spanscope.sides.comparison import Comparison

Cutoff = Annotated[int, Range(1, 1_000_000)]
NOTHING: frozenset[str] = frozenset()
TEXT = frozenset({"text"})


@measure("passages.exact_match", means_over_queries("exact_match"), needs=TEXT)
def exact_match(c: Comparison) -> Outcome:
    """Check whether the first passage is one of the gold answers.

        exact_match = 1 if strip(lower(first passage)) is that of a gold answer, else 0;   mean over queries

    Counts     exact_match, queries (with gold).
    Undefined  for queries without gold, which are left out.
    Source     the seed document of the legal scorer; Rajpurkar et al. (2016).
    Checked    tests/oracles/legal_random.json; tests/measures/test_passages.py.
    """
    values = [
        float(bool(q.gold and q.passages) and answer_texts.exact_match(text(q.passages[0]), map(text, q.wordings)))
        for q in queries(c)
    ]
    match = match_lazily(c, "exact", _exact_matches)
    return per_query(c, {"exact_match": values, "queries": has_gold(c)}, match)


def _exact_matches(q: Query) -> Held:
    golds = [list(map(text, group)) for group in q.gold]
    each = [[answer_texts.exact_match(text(one), group) for group in golds] for one in q.passages]
    return [[at for at, same in enumerate(own) if same] for own in each]


@measure("passages.span_f1", means_over_queries("span_f1"), needs=TEXT, matches=False)
def span_f1(c: Comparison, *, counting: Literal["sets", "multisets"] = "sets") -> Outcome:
    """Compare the words of the first passage with those of the gold answers.

        F1 of the two sets of words, the largest over gold answers;   mean over queries

    Words are runs of letters and digits, whatever their case. counting=multisets counts a word as often as it
    occurs, as SQuAD does.

    Counts     span_f1, queries (with gold).
    Undefined  for queries without gold, which are left out.
    Source     the seed document of the legal scorer.
    Differs    the script itself (passages.legal) uses NLTK's tokens and drops all that are not alphanumeric.
    Checked    tests/measures/test_answers.py; tests/measures/test_passages.py.
    """
    multiset = counting == "multisets"
    words = remember(c, "words", answer_texts.words)
    values = [
        answer_texts.token_f1(text(q.passages[0]), list(map(text, q.wordings)), multiset=multiset, tokens=words)
        if q.gold and q.passages
        else 0.0
        for q in queries(c)
    ]
    return per_query(c, {"span_f1": values, "queries": has_gold(c)})


RANKING = means_over_queries("recall", "precision", "hit", "mrr", "map", "ndcg", "r_precision")


@measure("passages.ranking", RANKING, needs=NOTHING, settle=settle_by)
def ranking(
    c: Comparison,
    *,
    k: Cutoff = 10,
    by: By = "auto",
    gain: Gain = "linear",
    coverage: Share = 0.5,
    similarity: Share = 0.8,
) -> Outcome:
    """Score the first k passages by the gold answers that they contain.

        recall = share of gold answers held by one of the first k passages,   hit = 1 if any is
        precision = passages that hold some / k,   mrr = 1 / rank of the first that does
        ndcg, map, r_precision on slots: a passage that newly holds m gold answers gives m relevant slots, one
        that brings nothing new a slot that is not relevant; the cutoff counts slots

    r_precision looks at as many slots as there are gold answers, whatever k. In recall, nDCG and MAP each gold
    answer is credited once, nothing exceeds 1, and nDCG is 1 just when all gold answers come first.
    by=substring: one text is inside the other, case and white space aside; exact: the texts are equal; fuzzy: the
    shorter text is like a part of the longer, at least `similarity` (RapidFuzz's partial_ratio / 100); id: the
    identifiers are equal; overlap: the places in one file share at least `coverage` of the gold answer. auto
    takes id, else overlap, else substring, by what all passages and answers have, and the result says which; ids
    that share nothing, where texts or places could be compared, are refused until `join` says which.
    Empty texts match nothing. Gold answers may have a `relevance`, any number: above 0 relevant, and the gain of
    nDCG, as it is (gain=linear) or 2^relevance - 1 (gain=exponential).

    Counts     a sum each, and queries (with gold).
    Undefined  for queries without gold, which are left out.
    Source     the seed document of the legal scorer; Järvelin and Kekäläinen (2002); Manning et al. (2008).
    Differs    the seed's script takes the ideal from what was retrieved and credits repeats again
               (passages.legal); on identifiers the figures are trec_eval's.
    Checked    tests/match/test_ranking.py; tests/measures/test_passages.py; pytrec_eval live
               (tests/peers/test_pytrec_eval.py).
    """
    columns: dict[str, list[float]] = {rate.name: [] for rate in RANKING.named}
    found = match_all(c, by, coverage, similarity)
    for q, own in zip(queries(c), found, strict=True):
        golds = len(q.gold)
        grades = [group[0].grade for group in q.gold]
        graded = grades if any(grade != 1 for grade in grades) else None
        order = gold_ranking.slots(own, golds, grades=graded)
        figures = {
            "recall": gold_ranking.recall_at(own, golds, k),
            "precision": gold_ranking.precision_at(own, k),
            "hit": gold_ranking.hit_at(own, k),
            "mrr": gold_ranking.reciprocal_rank(own, k),
            "map": gold_ranking.average_precision_slots(order, golds, k),
            "ndcg": gold_ranking.ndcg_slots(order, golds, k, grades=graded, gain=gain),
            "r_precision": gold_ranking.r_precision_slots(order, golds),
        }
        for name, value in figures.items():
            columns[name].append(value)
    match = PassageMatch(decide_by(c, by), c.documents, found.__getitem__)
    return per_query(c, {**columns, "queries": has_gold(c)}, match)


SQUAD = means_over_queries("exact_match", "f1")


@measure("passages.squad", SQUAD, needs=NOTHING)
def squad(c: Comparison, *, version: Literal["1.1", "2.0"] = "2.0", no_answer: float = 1.0) -> Outcome:
    """Compare the first passage with the gold answers by SQuAD's rules.

    Lower case, no punctuation, no articles; exact match, and F1 over multisets of words, the largest over gold
    answers. In version 2.0 a question without gold answers is right when the prediction is empty; in 1.1 such
    questions are left out. A question without a prediction is wrong. Where predictions come with a probability
    of no answer (no_answer_probability), one above `no_answer` makes the prediction empty (2.0); both may be any
    numbers, such as differences of scores.

    Counts     exact_match, f1, queries.
    Undefined  without questions.
    Source     Rajpurkar et al. (2016, 2018), evaluate-v1.1.py and evaluate-v2.0.py.
    Differs    2.0's script leaves questions without prediction out, and so does the protocol squad2.
    Checked    tests/oracles/squad_random100.json; tests/oracles/squad_corners.json.
    """
    counted = has_gold(c) if version == "1.1" else [1.0] * c.documents
    em, f1 = [], []
    empty = taken_for_empty(c, version, no_answer)
    for q, counts, gone in zip(queries(c), counted, empty, strict=True):
        golds = list(map(text, q.wordings))
        said = text(q.passages[0]) if q.passages else None
        found = (0.0, 0.0) if said is None or not counts else squad_texts.squad(said, golds, version)
        if said is not None and gone:
            found = (float(not golds), float(not golds))
        em.append(float(found[0]))
        f1.append(found[1])
    match = PassageMatch("squad", c.documents, lambda doc: _squad_matches(queries(c)[doc], version, empty[doc]))
    return per_query(c, {"exact_match": em, "f1": f1, "queries": counted}, match)


def taken_for_empty(c: Comparison, version: str, no_answer: float) -> list[bool]:
    """Tell which predictions SQuAD 2.0 takes for empty ones, because they are so unsure of an answer."""
    if c.no_answer is None or version == "1.1":
        return [False] * c.documents
    return [bool(chance > no_answer) for chance in c.no_answer.tolist()]


def _squad_matches(q: Query, version: Literal["1.1", "2.0"], empty: bool) -> Held:
    """Return what the first passage answers: SQuAD looks at no other, and at none that counts as empty."""
    out: Held = [[] for _ in q.passages]
    if not q.gold or not q.passages or empty:
        return out

    def right(golds: Sequence[Item]) -> bool:
        return squad_texts.squad(text(q.passages[0]), list(map(text, golds)), version)[0]

    if right(q.wordings):  # else an empty wording, which counts only where all are, could be right by itself
        out[0] = [at for at, golds in enumerate(q.gold) if right(golds)]
    return out


def squad_official(c: Comparison, version: str, no_answer: float) -> dict[str, float]:
    """Return the figures of SQuAD's scripts under their names, in per cent, best thresholds included."""
    sure = [None] * c.documents if c.no_answer is None else c.no_answer.tolist()
    questions = [
        squad_texts.Question(
            list(map(text, q.wordings)),
            text(q.passages[0]) if q.passages else None,
            None if chance is None or math.isnan(chance) else chance,
        )
        for q, chance in zip(queries(c), sure, strict=True)
    ]
    if version == "1.1":
        return squad_texts.squad1_scores([one for one in questions if one.golds])
    return squad_texts.squad2_scores(questions, threshold=no_answer)


LEGAL = means_over_queries("exact_match", "span_f1", "recall", "ndcg")


def _tokens(_: Comparison, punkt: str) -> dict[str, str]:
    return {"punkt": punkt if punkt != "auto" else "yes" if legal_texts.has_punkt() else "no"}


@measure("passages.legal", LEGAL, needs=NOTHING, settle=_tokens)
def legal(c: Comparison, *, k: Cutoff = 10, punkt: Literal["auto", "yes", "no"] = "auto") -> Outcome:
    """Give the figures of the legal retrieval script `score.py` itself.

    NLTK's tokens; recall and nDCG at k by substrings in either direction, empty passages matching everything,
    repeats credited again, the ideal taken from what was retrieved. punkt=yes splits sentences first, which
    needs NLTK's data (punkt_tab); auto does where they are installed, and the result says which.

    Counts     exact_match, span_f1, recall, ndcg, queries (with gold).
    Undefined  for queries without gold, which are left out.
    Source     score.py; `pip install 'spanscope[legal]'` for NLTK.
    Differs    from passages.exact_match, span_f1 and ranking, which follow its document.
    Checked    tests/oracles/legal_random.json.
    """
    columns: dict[str, list[float]] = {rate.name: [] for rate in LEGAL.named}
    split = _tokens(c, punkt)["punkt"] == "yes"
    tokens = remember(c, f"legal {split}", lambda own: frozenset(legal_texts.legal_tokens(own, punkt=split)))
    for q in queries(c):
        golds = list(map(text, q.wordings))
        figures = dict.fromkeys(columns, 0.0)
        if golds and q.passages:
            figures = legal_texts.legal_query(list(map(text, q.passages)), golds, k, tokens)
        for name in columns:
            columns[name].append(figures[name])
    return per_query(c, {**columns, "queries": has_gold(c)}, match_lazily(c, "legal", _legal_matches))


def _legal_matches(q: Query) -> Held:
    groups = [at for at, golds in enumerate(q.gold) for _ in golds]
    passages, golds = ([answer_texts.normalise(one.text or "") for one in own] for own in (q.passages, q.wordings))
    return [sorted({groups[at] for at in own}) for own in legal_texts.legal_matches(passages, golds)]
