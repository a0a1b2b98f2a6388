"""What was matched is decided once: the pairs that made a figure are those of the page, the ribbons and lists."""

import json
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanscope
from spanscope import viewer
from spanscope.commands.window_slider import match_within
from spanscope.jsonable import finite
from spanscope.match.boundary_pairs import KINDS
from spanscope.measures.registry import parse
from tests import segment_strategies as segmented
from tests.cli import run
from tests.measures import test_passages_laws as asked
from tests.segment_support import cut
from tests.support import Json, needs
from tests.viewer.test_segments_payload import kinds_at

TOLERANCES = st.integers(0, 8)


def counted(record: Json) -> Json:
    """Return the numbers of marks that the counts of segments.boundaries ask for."""
    tp, pred, gold = (record[name] for name in ("tp", "pred", "gold"))
    return {"paired": tp, "extra": pred - tp, "missed": gold - tp}


def marks(number: Counter[str]) -> Json:
    return {"paired": number["exact"] + number["near"], "extra": number["extra"], "missed": number["missed"]}


# ---------------------------------------------------------------- boundaries


@given(segmented.corpora(least=1), TOLERANCES)
def test_page_ribbons_and_list_mark_what_the_measure_counts(corpus: segmented.Corpus, tolerance: int) -> None:
    needs("matplotlib")
    from spanscope.report.figures import ribbons

    headline = f"segments.b_score(tolerance={tolerance})"  # lenient: marks follow the strict form all the same
    form = f"segments.boundaries(tolerance={tolerance})"
    result = spanscope.evaluate(*corpus.sides, [headline, form], ci=False)
    page = viewer.unpack(viewer.render(result))["corpus"]
    own, step = page["marks"]["1"], page["at"]
    assert page["windows"][step] == tolerance
    records = list(result.matches())
    for doc, record in enumerate(result.by_document(form)):
        rows = [range(*page["sides"][side]["first"][doc : doc + 2]) for side in ("0", "1")]
        kinds = [KINDS[kinds_at(own["pred"], row, step)] for row in rows[1]]
        kinds += [kind for row in rows[0] if (kind := KINDS[kinds_at(own["gold"], row, step)]) == "missed"]
        drawn = {kind: len(at) for kind, at in ribbons.marks(result.comparison, doc, tolerance).items()}
        listed = Counter(one["kind"] for one in records if one["document"] == record["document"])
        assert marks(Counter(kinds)) == counted(record)
        assert Counter(kinds) == Counter(drawn) == listed
    assert marks(Counter(dict(zip(KINDS, own["whole"][step], strict=True)))) == counted(result.totals(form))
    want = [finite(result.value(rate, form, "micro")) for rate in ("precision", "recall", "f1")]
    assert own["figures"][step][:3] == want


def test_the_case_that_page_and_figure_told_differently() -> None:
    """Two predicted boundaries crowd about a gold one: one is near, the other extra, wherever one looks."""
    needs("matplotlib")
    from spanscope.report.figures import ribbons

    result = spanscope.evaluate([cut(10)], [cut(8, 11)], "segments.b_score(tolerance=3)", ci=False)
    assert result.value("precision") == 1.0
    assert ribbons.marks(result.comparison, 0, 3) == {"exact": [], "near": [11], "extra": [8], "missed": []}
    page = viewer.unpack(viewer.render(result))["corpus"]
    assert page["marks"]["1"]["whole"][page["at"]] == [0, 1, 1, 0]


@given(segmented.typed_corpora(least=1), TOLERANCES, st.sampled_from(["", ", labelled=true", ", ends=true"]))
def test_pairs_are_one_to_one_and_as_many_as_are_counted(
    corpus: segmented.Corpus, tolerance: int, more: str
) -> None:
    form = f"segments.boundaries(tolerance={tolerance}{more})"
    result = spanscope.evaluate(*corpus.sides, form, ci=False)
    outcome = result.outcome(parse(form))
    match = outcome.boundaries
    assert match is not None
    gold, pred = match.pairs
    assert len({*gold.tolist()}) == len({*pred.tolist()}) == len(gold) == len(match.found)
    assert (match.gold.doc[gold] == match.pred.doc[pred]).all()
    assert (abs(match.distance) <= tolerance).all()
    if "labelled" in more:
        assert (match.gold.label[gold] == match.pred.label[pred]).all()
    for found in (gold, match.found):
        own = Counter(match.gold.doc[found].tolist())
        assert [record["tp"] for record in result.by_document()] == [own[doc] for doc in range(result.documents)]


@given(st.sets(st.integers(1, 14), max_size=4), st.sets(st.integers(1, 14), max_size=4), st.integers(0, 5))
def test_of_the_ways_to_have_most_pairs_the_nearest_is_taken(ours: set[int], theirs: set[int], reach: int) -> None:
    result = spanscope.evaluate([cut(*sorted(ours))], [cut(*sorted(theirs))], "segments.boundaries", ci=False)
    match = match_within(result.comparison, reach)
    ways = [
        (-size, sum(abs(g - p) for g, p in zip(one, other, strict=True)))
        for size in range(min(len(ours), len(theirs)) + 1)
        for one in combinations(sorted(ours), size)
        for other in permutations(sorted(theirs), size)
        if all(abs(g - p) <= reach for g, p in zip(one, other, strict=True))
    ]
    assert (-len(match.pairs[0]), int(abs(match.distance).sum())) == min(ways)


def test_records_of_boundaries() -> None:
    result = spanscope.evaluate([cut(5, 15)], [cut(4, 8)], "segments.boundaries(tolerance=1)", ci=False)
    assert list(result.matches()) == [
        {"document": "d", "kind": "near", "gold": {"at": 5}, "pred": {"at": 4}, "distance": -1},
        {"document": "d", "kind": "extra", "gold": None, "pred": {"at": 8}, "distance": None},
        {"document": "d", "kind": "missed", "gold": {"at": 15}, "pred": None, "distance": None},
    ]
    assert [one["kind"] for one in result.matches(["missed", "extra"])] == ["extra", "missed"]
    assert (list(result.matches([])), result.leaks()) == ([], [])
    with pytest.raises(spanscope.MeasureError, match="no kind of error is called 'spurious'"):
        list(result.matches("spurious"))
    typed = {"id": "d", "length": 9, "segments": [[0, 4, "A"], [4, 9, "B"]]}
    labelled = spanscope.evaluate([typed], [typed], "segments.boundaries(labelled=true)", ci=False)
    assert [one["gold"] for one in labelled.matches()] == [{"at": 4, "label": "A"}]
    assert list(spanscope.evaluate([typed], [typed], "segments.pk", ci=False).matches()) == []


# ---------------------------------------------------------------- passages

FORMS = [form for form in asked.forms(1000) if "legal" not in form]


@given(asked.CORPORA)
def test_figures_of_passages_follow_from_what_they_hold(corpus: asked.Corpus) -> None:
    """Where a figure says that the first passage, or any, holds an answer, the match says so too."""
    result = asked.scored(corpus, *FORMS)
    for measure in result.measures:
        match = result.outcome(measure).passages
        assert (match is not None) == measure.definition.matches
        if match is None:
            continue
        for doc, record in enumerate(result.by_document(measure)):
            held = match.held(doc)
            found = {at for own in held for at in own}
            rank = next((rank for rank, own in enumerate(held, 1) if own), 0)
            assert match.first[doc] == rank
            if record["gold"]:
                for got, wanted in told(measure.name, record, len(found), rank):
                    assert got == pytest.approx(wanted), measure


def told(name: str, record: Json, found: int, rank: int) -> list[tuple[float, float]]:
    """Return figures beside what they must be where so many answers are held, and the first at this rank."""
    if name == "passages.ranking":
        return [(record["recall"], found / record["gold"]), (record["mrr"], 1 / rank if rank else 0.0)]
    if name in ("passages.exact_match", "passages.squad"):
        return [(record["exact_match"], float(rank == 1))]
    if name == "passages.trec":
        return [(record["recip_rank"], 1 / rank if rank else 0.0)]
    if name in ("passages.characters", "passages.chroma"):
        return [(record["shared"] > 0, rank > 0)]
    return [(record["found"] > 0, rank > 0)] if name == "passages.documents" else []


def test_a_repeated_identifier_keeps_its_first_rank() -> None:
    """As trec_eval counts: x first, y second; the page had them the other way round."""
    gold = [{"id": "q", "snippets": [{"id": "x", "answer": "a"}]}]
    pred = [{"id": "q", "retrieved_passages": [{"id": name, "text": name} for name in "xyx"]}]
    result = spanscope.evaluate(gold, pred, "passages.trec", ci=False)
    assert result.value("recip_rank") == 1.0
    found = viewer.unpack(viewer.render(result))["queries"]
    assert [found["strings"][at] for at in found["passages"]["name"]] == ["x", "y"]
    assert (found["first"], found["passages"]["state"]) == ([1], [1, 0])


def test_what_is_exact_in_the_figure_is_exact_on_the_page() -> None:
    """An empty prediction that equals an empty answer is exact, and the page says so."""
    gold, pred = [{"id": "q", "snippets": [" "]}], [{"id": "q", "retrieved_passages": [""]}]
    result = spanscope.evaluate(gold, pred, "passages.exact_match", ci=False)
    assert result.value("exact_match") == 1.0
    assert viewer.unpack(viewer.render(result))["queries"]["first"] == [1]


def test_records_of_passages() -> None:
    gold = [{"id": "q", "snippets": [{"answer": "red fox"}, {"answer": "blue whale"}]}]
    pred = [{"id": "q", "retrieved_passages": ["nothing", "a red fox", "the red fox"]}]
    result = spanscope.evaluate(gold, pred, ci=False)
    got = [
        (one["kind"], one["gold"] and one["gold"]["number"], one["pred"] and one["pred"]["rank"])
        for one in result.matches()
    ]
    assert got == [("nothing", None, 1), ("found", 0, 2), ("again", 0, 3), ("missed", 1, None)]
    (missed,) = result.matches("missed")
    place: Json = {"file": None, "start": None, "end": None}
    answer = {"number": 1, "text": "blue whale", "id": None, **place, "grade": 1}
    assert missed == {"document": "q", "kind": "missed", "gold": answer, "pred": None}
    hidden = spanscope.evaluate(gold, pred, ci=False, text="none")
    assert {side["text"] for one in hidden.matches() for side in (one["gold"], one["pred"]) if side} == {None}
    assert len(result.to_dict(matches=True)["matches"]) == 4


def test_answers_below_the_level_are_not_missed() -> None:
    result = spanscope.evaluate({"q": {"a": 1, "b": 2}}, {"q": {"c": 1.0}}, "passages.trec(level=2)", ci=False)
    assert [one["gold"]["id"] for one in result.matches("missed")] == ["b"]


def test_the_command_line_lists_boundaries_and_passages(tmp_path: Path) -> None:
    """What was matched can be had as JSON for every family."""
    gold, pred = tmp_path / "g.jsonl", tmp_path / "p.jsonl"
    gold.write_text('{"id": "a", "masses": [3, 4, 3]}\n', encoding="utf-8")
    pred.write_text('{"id": "a", "masses": [3, 3, 4]}\n', encoding="utf-8")
    found = json.loads(
        run("eval", gold, pred, "-m", "segments.boundaries(tolerance=1)", "--matches", "-f", "json").out
    )
    assert [one["kind"] for one in found["matches"]] == ["exact", "near"]
    asked = '{"query": "q", "snippets": ["an answer"]}\n'
    gold.write_text(asked, encoding="utf-8")
    pred.write_text('{"query": "q", "retrieved_passages": ["none", "an answer"]}\n', encoding="utf-8")
    found = json.loads(run("eval", gold, pred, "-m", "passages.ranking", "--matches", "-f", "json").out)
    assert len(found["matches"]) == 2
    assert run("eval", gold, pred, "-m", "passages.ranking", "--examples", "2").code == 2
