"""Queries of both sides beside each other: ties, repeats, tabs, levels, nothing in common."""

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.settings.options import grouped
from tests.cli import run, write
from tests.support import Json


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_equal_scores_are_ordered_by_identifier_whatever_the_form() -> None:
    passages = [{"id": "d1", "score": 1.0}, {"id": "d2", "score": 1.0}]
    sides = [{"id": "q", "snippets": [{"id": "d2"}]}], [{"id": "q", "retrieved_passages": passages}]
    for gold, pred in (sides, ({"q": {"d2": 1}}, {"q": {"d1": 1.0, "d2": 1.0}})):
        result = spanscope.evaluate(gold, pred, "passages.ranking(k=1)", ci=False)
        assert result.value("recall", average="document") == 1.0


def test_numbered_repeats_are_nobody_else() -> None:
    """The second q is not the query that is called q#2."""
    gold = [{"query": "q", "snippets": ["a"]}, {"query": "q#2", "snippets": ["c"]}]
    pred = [{"query": "q", "retrieved_passages": ["a"]}, {"query": "q", "retrieved_passages": ["c"]}]
    with pytest.raises(spanscope.DocumentError, match="has no document"):
        spanscope.evaluate(gold, pred, ci=False)


def test_tabs_part_beirs_judgements() -> None:
    write(Path("b.tsv"), "query-id\tcorpus-id\tscore\nq one\td 1\t1\nq two\td2\t1\n")
    result = spanscope.evaluate("b.tsv", {"q one": {"d 1": 1.0}, "q two": {"x": 1.0}}, ci=False)
    assert result.value("map", "passages.trec", "document") == 0.5


def test_trec_evals_report_heeds_the_level() -> None:
    sides = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    result = spanscope.evaluate(*sides, ["passages.trec(level=2)", "passages.trec_cut(k=7, level=2)"], ci=False)
    report = result.table("trec_eval")
    assert "num_rel               \tall\t1\n" in report
    assert "P_7                   \tall\t0.1429\n" in report


def test_a_run_of_other_queries_is_told() -> None:
    result = spanscope.evaluate({"q": {"a": 1}}, {"r": {"a": 1.0}}, ci=False)
    assert result.problems.number["nothing in common"] == 1


@pytest.mark.parametrize("first", ["q Q0 d 1\n", "\ufeffq 0 d 1\n"])
def test_judgements_are_known_by_their_columns(first: str) -> None:
    write(Path("q.txt"), first)
    write(Path("r.txt"), "q 0 d 1 inf tag\nq 0 e 2 0.5 tag\n")
    assert spanscope.evaluate("q.txt", "r.txt", ci=False).value("map", "passages.trec", "document") == 1.0


def test_json_whose_first_query_has_nothing() -> None:
    write(Path("q.json"), '{"q1": {}, "q2": {"d": 1}}')
    write(Path("r.json"), '{"q1": {"d": 1.0}, "q2": {"d": 1.0}}')
    assert spanscope.evaluate("q.json", "r.json", ci=False).value("map", "passages.trec", "document") == 0.5


def test_scores_of_some_passages_are_told() -> None:
    passages = [{"text": "b", "score": 1}, {"text": "a"}]
    sides = [{"query": "q", "snippets": ["a"]}], [{"query": "q", "retrieved_passages": passages}]
    assert spanscope.evaluate(*sides, ci=False).problems.number == {"scores missing": 1}


def test_worst_first_looks_at_the_other_rates_too() -> None:
    gold = [{"query": name, "snippets": ["x"]} for name in ("near", "far")]
    pred = [
        {"query": "near", "retrieved_passages": ["x"]},
        {"query": "far", "retrieved_passages": ["a", "b", "x"]},
    ]
    ordered = spanscope.evaluate(gold, pred, ci=False).by_document(worst=True)
    assert [one["document"] for one in ordered] == ["far", "near"]


def test_beta_means_nothing_here() -> None:
    with pytest.raises(spanscope.MeasureError, match="F-beta"):
        spanscope.evaluate(
            [{"query": "q", "snippets": ["x"]}],
            [{"query": "q", "retrieved_passages": []}],
            score=spanscope.Scoring(beta=2),
            ci=False,
        )


def test_scores_beyond_single_precision_are_infinite_to_trec_eval() -> None:
    """And so equal: the last identifier comes first, and without identifiers they stay as given."""
    passages = [{"text": "b", "score": 1e300}, {"text": "a", "score": 2e300}]
    sides = [{"query": "q", "snippets": ["a"]}], [{"query": "q", "retrieved_passages": passages}]
    assert spanscope.evaluate(*sides, ci=False).value("mrr", average="document") == 0.5


def test_queries_ranked_in_parts_are_ranked_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    qrels = {f"q{n}": {f"d{n % 3}": 1, "x": 1} for n in range(9)}
    run = {f"q{n}": {f"d{k}": float(k % (n + 1)) for k in range(5)} for n in range(9)}
    whole = spanscope.evaluate(qrels, run, "passages.trec", ci=False).by_document()
    monkeypatch.setattr("spanscope.match.ranking.QUERIES_AT_ONCE", 2)
    assert spanscope.evaluate(qrels, run, "passages.trec", ci=False).by_document() == whole


# ---------------------------------------------------------------- ids that share nothing, scores that rise


def asked_of(passages: list[Json], gold: list[Json], number: int = 1) -> tuple[list[Json], list[Json]]:
    """Return so many queries with the same answers and passages."""
    names = [f"q{at}" for at in range(number)]
    sides = ("snippets", gold), ("retrieved_passages", passages)
    ours, theirs = ([{"id": name, key: own} for name in names] for key, own in sides)
    return ours, theirs


BY = "passages.ranking(k=1)"
ANSWER = {"id": "gold-7", "answer": "the answer", "file_path": "a.txt", "span": [10, 20]}
OTHER_IDS = asked_of(
    [{"id": "chunk-3", "text": "Here is the answer.", "file_path": "a.txt", "span": [0, 30]}], [ANSWER]
)
DISTANCES = asked_of(
    [{"text": "the answer", "score": 0.1}, {"text": "no", "score": 0.8}], [{"answer": "the answer"}]
)


def recall(sides: tuple[list[Json], list[Json]], **options: Any) -> float:
    return spanscope.evaluate(*sides, BY, **grouped(options)).value("recall", average="document")


def test_ids_that_share_nothing_are_refused() -> None:
    with pytest.raises(spanscope.InputError) as caught:
        spanscope.evaluate(*OTHER_IDS, ci=False)
    assert str(caught.value) == (
        "pred: gold and retrieved passages have ids, and share none of them; their texts and places can be "
        "compared too\n"
        "  expected  ids of one kind on both sides, or the word by what passages and answers are joined\n"
        "  try       --join texts   or --join ids, which finds nothing here"
    )


@pytest.mark.parametrize(
    ("join", "by", "figure"), [("ids", "id", 0.0), ("texts", "substring", 1.0), ("places", "overlap", 1.0)]
)
def test_what_passages_are_joined_by_can_be_said(join: str, by: str, figure: float) -> None:
    result = spanscope.evaluate(*OTHER_IDS, BY, score=spanscope.Scoring(join=join))
    assert result.value("recall", average="document") == figure
    assert result.value("recall", BY, average="document") == figure
    assert dict(result.measures[0].params)["by"] == by
    assert result.to_dict()["settings"]["join"] == join
    assert f"|join:{join}|" in result.signature()
    assert recall(OTHER_IDS, join=join) == spanscope.evaluate(*OTHER_IDS, f"passages.ranking(k=1, by={by})").value(
        "recall", average="document"
    )


def test_ids_alone_decide_where_there_is_nothing_else() -> None:
    assert recall(asked_of([{"id": "b"}], [{"id": "a"}])) == 0.0


def test_one_shared_id_is_enough() -> None:
    """The queries found nothing, but gold of one query was retrieved for another: the ids are of one kind."""
    gold = [
        {"id": "q", "snippets": [{"id": "a", "answer": "x"}]},
        {"id": "r", "snippets": [{"id": "b", "answer": "y"}]},
    ]
    pred = [
        {"id": "q", "retrieved_passages": [{"id": "b", "text": "y"}]},
        {"id": "r", "retrieved_passages": [{"id": "c", "text": "z"}]},
    ]
    assert recall((gold, pred)) == 0.0


def test_join_and_scores_are_checked() -> None:
    for options, message in (
        ({"join": "names"}, "join is 'names'"),
        ({"scores": "ranks"}, "scores is 'ranks'"),
        ({"join": "ids", "protocol": "legal"}, "legal copies a tool"),
        ({"scores": "distances", "protocol": "trec"}, "trec copies a tool"),
        ({"join": "ids", "measures": "passages.exact_match"}, "no measure joins passages"),
        ({"join": "ids", "measures": "passages.ranking(by=exact)"}, "says otherwise"),
        ({"scores": "distances", "join": "texts"}, "no list of passages has any"),
        ({"join": "ids", "measures": "spans.exact"}, "join is for retrieved passages"),
    ):
        with pytest.raises(spanscope.SpanscopeError, match=message):
            spanscope.evaluate(*OTHER_IDS, **grouped(options))


def test_rising_scores_are_refused() -> None:
    with pytest.raises(spanscope.InputError) as caught:
        spanscope.evaluate(*DISTANCES, ci=False)
    assert str(caught.value) == (
        "pred: scores rise down the lists of passages, as distances do, and the highest would come first\n"
        "  expected  scores that fall down the lists, or the word what they are\n"
        "  try       --scores distances   if the lowest is best, --scores similarities if the highest is"
    )


@pytest.mark.parametrize(("scores", "figure"), [("distances", 1.0), ("similarities", 0.0)])
def test_what_scores_are_can_be_said(scores: str, figure: float) -> None:
    result = spanscope.evaluate(*DISTANCES, BY, read=spanscope.Reading(scores=scores))
    assert result.value("recall", average="document") == figure
    assert result.to_dict()["settings"]["scores"] == scores
    assert f"|scores:{scores}|" in result.signature()


def test_distances_rank_for_trec_evals_figures_too() -> None:
    sides = asked_of([{"id": "a", "score": 0.1}, {"id": "b", "score": 0.8}], [{"id": "a"}])
    found = {
        scores: spanscope.evaluate(*sides, "passages.trec", read=spanscope.Reading(scores=scores), ci=False).value(
            "recip_rank", average="document"
        )
        for scores in (None, "similarities", "distances")
    }
    assert found == {None: 0.5, "similarities": 0.5, "distances": 1.0}


def test_a_list_that_falls_shows_that_scores_are_similarities() -> None:
    falling = asked_of([{"text": "no", "score": 9}, {"text": "x", "score": 1}], [{"answer": "x"}])
    rising = asked_of([{"text": "no", "score": 1}, {"text": "x", "score": 9}], [{"answer": "x"}])
    both = tuple([*one, {**other[0], "id": "r"}] for one, other in zip(falling, rising, strict=True))
    assert recall((both[0], both[1])) == 0.5
    level = asked_of([{"text": "x", "score": 1}, {"text": "no", "score": 1}], [{"answer": "x"}])
    assert recall(level) == 1.0


def test_runs_and_protocols_that_copy_a_tool_are_left_alone() -> None:
    rising = {"q": {"a": 0.1, "b": 0.8}}
    assert (
        spanscope.evaluate({"q": {"a": 1}}, rising, ci=False).value("recip_rank", "passages.trec", "document")
        == 0.5
    )
    assert spanscope.evaluate({"q": {"a": 1}}, rising, "passages.ranking(k=1)", ci=False).value("recall") == 0.0
    for name in ("legalbench-rag", "chroma"):
        spanscope.evaluate(*OTHER_IDS, protocol=name, ci=False)
    spanscope.evaluate(*DISTANCES, protocol="squad2", ci=False)
    with pytest.raises(spanscope.InputError, match="the highest score of a run is best"):
        spanscope.evaluate(
            {"q": {"a": 1}}, rising, "passages.ranking", read=spanscope.Reading(scores="distances"), ci=False
        )


def lines(path: str, documents: list[Json]) -> str:
    return str(write(Path(path), "".join(json.dumps(one) + "\n" for one in documents)))


PATHS: list[Json] = [{"memory": "counts"}, {"memory": "totals"}, {"jobs": 2}]


@pytest.mark.parametrize("options", PATHS)
def test_blocks_decide_as_the_whole(options: Json, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only one of 40 queries shares an id; and where scores fall in most lists, some blocks have none of these."""
    monkeypatch.setattr("spanscope.io.line_blocks.BYTES", 300)
    ours, theirs = asked_of(
        [{"id": "chunk", "text": "x", "score": 1}, {"id": "b", "text": "y", "score": 2}], [ANSWER], 40
    )
    files = lines("g.jsonl", ours), lines("p.jsonl", theirs)
    with pytest.raises(spanscope.InputError, match="share none of them"):
        spanscope.evaluate(*files, BY, **grouped(options))
    with pytest.raises(spanscope.InputError, match="scores rise"):
        spanscope.evaluate(*files, BY, score=spanscope.Scoring(join="texts"), **grouped(options))
    theirs[30]["retrieved_passages"] = [
        {"id": "gold-7", "text": "x", "score": 2},
        {"id": "c", "text": "y", "score": 1},
    ]
    mixed = lines("g.jsonl", ours), lines("m.jsonl", theirs)
    with pytest.raises(spanscope.InputError, match="scores rise down 39 of 40 lists"):
        spanscope.evaluate(*mixed, BY, **grouped(options))
    for one in theirs[:20]:
        one["retrieved_passages"] = one["retrieved_passages"][::-1]
    mixed = lines("g.jsonl", ours), lines("m.jsonl", theirs)
    assert spanscope.evaluate(*mixed, BY, **grouped(options)).value("recall", average="document") == 1 / 40


def test_the_command_line_asks_and_is_told() -> None:
    files = [lines("g.jsonl", DISTANCES[0]), lines("p.jsonl", DISTANCES[1])]
    asked = run("eval", *files, "-m", BY, "-f", "csv")
    assert (asked.code, "--scores distances" in asked.err) == (2, True)
    told = run("eval", *files, "-m", BY, "-f", "csv", "--scores", "distances", "--join", "texts")
    assert told.code == 0
    assert "recall,document,,1.0," in told.out
    assert run("score", files[1], files[0], "--k", "1").code == 2
    assert run("score", files[1], files[0], "--k", "1", "--scores", "distances").code == 0


def test_a_portion_without_documents_does_not_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Queries that gold lacks fall into temporary files of their own, which show nothing of ids."""
    monkeypatch.setattr("spanscope.io.line_blocks.LINES", 3)
    monkeypatch.setattr("spanscope.engines.streaming.ROOM", 100)
    ours, theirs = asked_of([{"id": "chunk", "text": "x"}], [ANSWER], 4)
    more = [{**theirs[0], "id": f"more {n}", "query": f"more {n}"} for n in range(30)]
    files = lines("g.jsonl", ours), lines("p.jsonl", [*theirs, *more])
    for memory in ("spans", "counts", "totals"):
        with pytest.raises(spanscope.InputError, match="share none of them"):
            spanscope.evaluate(*files, BY, extra="skip", run=spanscope.Running(memory=memory), ci=False)


def test_one_list_out_of_order_does_not_hide_that_scores_are_distances() -> None:
    ours, theirs = asked_of([{"text": "x", "score": 0.1}, {"text": "y", "score": 0.2}], [ANSWER], 6)
    theirs[3]["retrieved_passages"] = [{"text": t, "score": s} for t, s in (("x", 0.1), ("y", 0.3), ("z", 0.29))]
    with pytest.raises(spanscope.InputError, match="scores rise down 5 of 6 lists"):
        spanscope.evaluate(ours, theirs, BY, ci=False)
