"""Retrieved passages by their places in files, and by their identifiers alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from operator import itemgetter

from spanscope.arithmetic import Floats, ratio
from spanscope.data.dicts import PLAIN
from spanscope.errors import MeasureError
from spanscope.match import ranking as ranks
from spanscope.match.gold_ranking import Held, PassageMatch
from spanscope.match.ranking import Gain
from spanscope.measures.passages import answer_texts, places
from spanscope.measures.passages.answers import NOTHING, Cutoff
from spanscope.measures.passages.places import Place
from spanscope.measures.passages.queries import (
    Item,
    Query,
    drop_repeats,
    lists,
    match_lazily,
    means_over_queries,
    per_query,
    place,
    queries,
    queries_at,
    remember,
    text,
)
from spanscope.measures.registry import Outcome, measure
from spanscope.rates import NamedRates, Rate, Sums, both_sides, mean, share
from spanscope.sides.comparison import Comparison

ALL = 1_000_000  # more passages than any query has


def _f1(s: Sums) -> Floats:
    return ratio(2 * s["shared"], s["wanted"] + s["retrieved"])


def _iou(s: Sums) -> Floats:
    return ratio(s["shared"], s["wanted"] + s["retrieved"] - s["shared"])


CHARACTERS = NamedRates(
    (
        share("precision", "shared", "retrieved"),
        share("recall", "shared", "wanted"),
        Rate("f1", _f1, trials=both_sides(1.0, *map(itemgetter, ("shared", "wanted", "retrieved")))),
        Rate("iou", _iou, trials=lambda s: s["wanted"] + s["retrieved"] - s["shared"]),
        share("mismatch", "elsewhere", "passages", best=0.0),
        mean("characters", "retrieved", "queries", best=float("nan")),
    ),
    perfect=False,
)


@measure("passages.characters", CHARACTERS, needs=NOTHING)
def characters(c: Comparison, *, k: Cutoff = 10) -> Outcome:
    """Count the characters of the gold answers that the first k passages cover, file by file.

        precision  = shared / retrieved,   recall = shared / wanted,   iou = shared / (both together)
        mismatch   = passages from files that hold no gold answer / passages
        characters = characters retrieved in a query: what so much recall costs to read

    Passages that overlap are merged, so that no character counts twice and recall never exceeds 1.

    Counts     shared, wanted, retrieved (characters), elsewhere, passages, by query.
    Undefined  precision without passages, recall without gold answers.
    Source     LegalBench-RAG (2024), with overlaps merged.
    Differs    the benchmark's code does not merge (passages.legalbench_rag); its recall reaches 2. Chroma's counts
               what overlaps again in precision (passages.chroma).
    Checked    tests/oracles/spanret_random100.json; tests/measures/test_charspans.py;
               tests/measures/test_passages.py.
    """
    return _count_places(c, k, places.characters)


LEGALBENCH_RAG = NamedRates(
    (mean("precision", "shared", "retrieved"), mean("recall", "shared", "wanted")),
    perfect=False,
)


@measure("passages.legalbench_rag", LEGALBENCH_RAG, needs=NOTHING)
def legalbench_rag(c: Comparison, *, k: Cutoff = ALL) -> Outcome:
    """Give LegalBench-RAG's own figures: characters of overlapping passages count again.

        precision = sum of overlaps / sum of passage lengths,   recall = sum of overlaps / sum of gold lengths

    over the first k passages.

    Counts     shared, wanted, retrieved (characters), elsewhere, passages, by query.
    Undefined  precision without passages, recall without gold answers; the benchmark says 0.
    Source     LegalBench-RAG (2024), its code.
    Differs    gold answers that touch are refused there, and counted here.
    Checked    tests/oracles/legalbenchrag_random.json; tests/oracles/spanret_random100.json.
    """
    return _count_places(c, k, places.legalbench_rag)


Counter = Callable[[list[Place], list[Place]], tuple[int, ...]]
PARTS = ("shared", "wanted", "retrieved", "uncovered")


def _count_places(c: Comparison, k: int, count: Counter) -> Outcome:
    rows = []
    for q in queries(c):
        gold, found = [place(group[0]) for group in q.gold], list(map(place, q.passages[:k]))
        parts = dict(zip(PARTS, count(gold, found), strict=False))
        elsewhere, passages = places.document_mismatch(gold, found)
        rows.append({**parts, "elsewhere": elsewhere, "passages": passages})
    names = rows[0] if rows else dict.fromkeys((*PARTS, "elsewhere", "passages"))
    columns: dict[str, list[float]] = {name: [row[name] for row in rows] for name in names}
    return per_query(c, {**columns, "queries": [1.0] * c.documents}, match_lazily(c, "touch", _place_matches))


def _place_matches(q: Query) -> Held:
    """Return the gold answers that each passage shares characters with."""
    gold = [place(group[0]) for group in q.gold]
    return [
        [at for at, one in enumerate(gold) if places.shared_characters(found, one)]
        for found in map(place, q.passages)
    ]


CHROMA = NamedRates(
    (
        share("precision", "shared", "retrieved"),
        share("recall", "shared", "wanted"),
        Rate("iou", lambda s: ratio(s["shared"], s["retrieved"] + s["uncovered"])),
    ),
    perfect=False,
)


@measure("passages.chroma", CHROMA, needs=NOTHING)
def chroma(c: Comparison, *, k: Cutoff = ALL) -> Outcome:
    """Give the figures of Chroma's chunking evaluation: overlapping passages count again.

        precision = shared / sum of passage lengths,   recall = shared / sum of gold lengths
        iou       = shared / (sum of passage lengths + gold characters that no passage covers)

    over the first k passages; shared is the number of different characters that both sides have.

    Counts     shared, wanted, retrieved, uncovered (characters), elsewhere, passages, by query.
    Undefined  precision without passages, recall without gold answers.
    Source     chunking_evaluation (Chroma, 2024).
    Differs    passages that overlap lower its precision and IoU; passages.characters merges them.
    Checked    tests/oracles/spanret_random100.json; tests/measures/test_charspans.py.
    """
    return _count_places(c, k, places.chroma)


DOCUMENTS = NamedRates(
    (
        share("recall", "found", "files"),
        share("mismatch", "elsewhere", "passages", best=0.0),
        share("misplaced", "wrong", "matches", best=0.0),
    ),
    perfect=False,
)


@measure("passages.documents", DOCUMENTS, needs=NOTHING)
def documents(c: Comparison, *, k: Cutoff = 10) -> Outcome:
    """Check whether the first k passages are from the right files.

        recall    = files of gold answers that a passage is from / files of gold answers
        mismatch  = passages from files that hold no gold answer / passages
        misplaced = passages with the text of a gold answer from another file / passages with such a text

    Texts are compared as by=substring of passages.ranking does; without texts, misplaced is undefined.

    Counts     found, files, elsewhere, passages, wrong, matches, by query.
    Undefined  recall without gold, mismatch without passages, misplaced without a passage that matches.
    Source     document-level retrieval mismatch (arXiv 2510.06999).
    Checked    tests/measures/test_passages.py, worked by hand.
    """
    flat = remember(c, "normalised", answer_texts.normalise)
    rows = []
    for q in queries(c):
        golds, found = q.wordings, q.passages[:k]
        wanted, seen = ({_file(one) for one in side} for side in (golds, found))
        same = [one for one in found if any(_same_text(flat, one, gold) for gold in golds)]
        wrong = sum(
            not any(gold.file == one.file and _same_text(flat, one, gold) for gold in golds) for one in same
        )
        away = sum(one.file not in wanted for one in found)
        rows.append((len(wanted & seen), len(wanted), away, len(found), wrong, len(same)))
    names = ("found", "files", "elsewhere", "passages", "wrong", "matches")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else dict.fromkeys(names, ())
    return per_query(c, columns, match_lazily(c, "file", _file_matches))


def _file_matches(q: Query) -> Held:
    files = [{one.file for one in group} for group in q.gold]
    return [[at for at, own in enumerate(files) if one.file in own] for one in q.passages]


def _file(item: Item) -> str:
    if item.file == PLAIN:
        raise MeasureError("some passages name no file", expected="file_path on both sides")
    return str(item.file)


def _same_text(flat: Callable[[str], str], one: Item, other: Item) -> bool:
    if one.text is None or other.text is None:
        return False
    return answer_texts.one_contains_other(flat(text(one)), flat(text(other)))


NUMBERS = ("num_q", "num_ret", "num_rel", "num_rel_ret")
OFFICIAL = (
    *NUMBERS,
    *("map", "gm_map", "Rprec", "bpref", "recip_rank"),
    *(f"iprec_at_recall_{recall:.2f}" for recall in ranks.RECALLS),
    *(f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
)
WHOLE = ("map", "ndcg", "recip_rank", "Rprec", "bpref", "num_rel", "num_rel_ret", "num_ret")
FIGURES = ("map", "ndcg", "recip_rank", "Rprec", "bpref")
AT_K = ("P", "recall", "success", "map_cut", "ndcg_cut")


@measure("passages.trec", means_over_queries(*FIGURES), needs=NOTHING)
def trec(c: Comparison, *, level: Cutoff = 1) -> Outcome:
    """Give trec_eval's figures of whole rankings of identifiers.

    Bit-identical to trec_eval 9.0.8. Passages are ordered by score, equal ones by identifier, the last first;
    where none has a score, as they are given. `level` is the lowest grade that is relevant (nDCG takes no notice
    of it). The mean is over all queries of gold, those without relevant documents as 0, as trec_eval -c has it.
    Of a grade with a fraction the whole number before the point counts, as trec_eval reads it, and that is noted.

    Counts     a sum each, queries; num_rel, num_rel_ret and num_ret.
    Undefined  without queries.
    Source     trec_eval 9.0.8.
    Checked    tests/oracles/trec_random100.json; tests/peers/test_pytrec_eval.py (pytrec_eval live).
    """
    columns = {name: list(map(ranks.figure(name), judged_lists(c, level))) for name in WHOLE}
    return per_query(c, {**columns, "queries": [1.0] * c.documents}, _relevant(c, level))


@measure("passages.trec_cut", means_over_queries(*AT_K), needs=NOTHING)
def trec_cut(c: Comparison, *, k: Cutoff = 10, level: Cutoff = 1, gain: Gain = "linear") -> Outcome:
    """Give trec_eval's figures of the first k identifiers, such as P_k and ndcg_cut_k.

    Order, `level` and means are those of passages.trec; precision divides by k however short the list is.
    gain=exponential takes 2^grade - 1 for the gain of nDCG, as gdeval does, which trec_eval has not.

    Counts     a sum each, and queries.
    Undefined  without queries.
    Source     trec_eval 9.0.8; Burges et al. (2005) for the exponential gain.
    Checked    tests/oracles/trec_random100.json; tests/peers/test_pytrec_eval.py (pytrec_eval live).
    """
    own = judged_lists(c, level)
    columns = {name: list(map(ranks.figure(f"{name}_{k}"), own)) for name in AT_K}
    if gain != "linear":
        columns["ndcg_cut"] = [ranks.ndcg(one.seen, one.ideal, k, gain) for one in own]
    return per_query(c, {**columns, "queries": [1.0] * c.documents}, _relevant(c, level))


def judged_lists(c: Comparison, level: int) -> list[ranks.Judged]:
    """Return where the judged documents of every query stand: ranked once for all measures and cutoffs."""
    return c.cached(("judged", level), lambda: ranks.judge_all(_grades(c), lists(c, "pred"), level))


def _grades(c: Comparison) -> list[Mapping[str, float]]:
    """Return the grades of every query as trec_eval reads them: what stands behind a point is not looked at."""
    own = c.cached("grades", lambda: lists(c, "gold"))
    if float not in set(map(type, chain.from_iterable(known.values() for known in own))):
        return own
    return [{name: int(grade) for name, grade in known.items()} for known in own]


def _relevant(c: Comparison, level: int) -> PassageMatch:
    """Return which documents of every run, each once, were judged relevant."""

    def held(doc: int) -> Held:
        query, grades = drop_repeats(next(queries_at(c, [doc]))), c.cached("whole grades", lambda: _grades(c))[doc]
        names = {number: str(group[0].name) for number, group in enumerate(query.gold)}
        at: dict[str | None, int] = {name: number for number, name in names.items() if grades[name] >= level}
        return [[at[one.name]] if one.name in at else [] for one in query.passages]

    def first() -> list[int]:
        return [one.hits[0] if one.hits else 0 for one in judged_lists(c, level)]

    return PassageMatch("judged", c.documents, held, first)


def official(c: Comparison, level: int = 1, cutoffs: Sequence[int] = ()) -> dict[str, float]:
    """Return the figures that trec_eval prints unless told otherwise, over all queries, and P at cutoffs."""
    names = dict.fromkeys((*OFFICIAL, *(f"P_{k}" for k in cutoffs)))
    own = judged_lists(c, level)
    return ranks.trec_average([{name: ranks.figure(name)(one) for name in names} for one in own])
