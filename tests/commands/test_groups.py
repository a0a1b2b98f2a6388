"""Documents of one author, patient or article are drawn together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spanscope
from spanscope import Ci, Running
from spanscope.data.problems import Problem
from spanscope.engines.load import load_both
from spanscope.errors import InputError, MeasureError
from spanscope.report.tables.sure import interval_note
from spanscope.settings.settle import settle
from spanscope.sides.groups import groups_of
from spanscope.viewer.compare import payload as compared_payload
from spanscope.viewer.payload import payload
from tests.cli import refused, run

Documents = list[dict[str, Any]]
SIZE = 10  # spans of a document


def corpus(authors: int, each: int) -> tuple[Documents, Documents]:
    """Return documents of several authors; of some authors everything is found, of the others next to nothing."""
    gold, pred = [], []
    for n in range(authors * each):
        author = n % authors
        spans = [{"start": 5 * at, "end": 5 * at + 4, "label": "AB"[at % 2]} for at in range(1 + n % SIZE)]
        gold.append({"id": f"d{n}", "author": f"a{author}", "spans": spans})
        pred.append({"id": f"d{n}", "spans": spans if author % 3 else spans[:1]})
    return gold, pred


def joined(documents: Documents, authors: Sequence[str]) -> Documents:
    """Return one document for each author, with the spans of all that are theirs, one behind the other."""
    out: dict[str, list[dict[str, Any]]] = {}
    for n, (one, author) in enumerate(zip(documents, authors, strict=True)):
        far = 1000 * n
        moved = [{**own, "start": own["start"] + far, "end": own["end"] + far} for own in one["spans"]]
        out.setdefault(author, []).extend(moved)
    return [{"id": author, "spans": spans} for author, spans in out.items()]


def rows(result: Any, *averages: str) -> list[str]:
    return [repr(replace(row, documents=0)) for row in result.rows if row.average in averages]


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_groups_are_drawn_as_documents_that_hold_them_would_be(method: Any) -> None:
    """Sums do not show whether spans stood in one document or in several: the same bounds, to the digit."""
    gold, pred = corpus(25, 4)
    authors = [one["author"] for one in gold]
    ci = Ci(resamples=200, method=method)
    whole = [joined(side, authors) for side in (gold, pred)]
    found = spanscope.evaluate(gold, pred, "spans.exact", group="author", ci=ci)
    expected = spanscope.evaluate(*whole, "spans.exact", ci=ci)
    sums = ("micro", "macro", "weighted", "label")
    assert rows(found, *sums) == rows(expected, *sums)
    alone = spanscope.evaluate(gold, pred, "spans.exact", ci=ci)
    width = [row.high - row.low for one in (found, alone) for row in one.rows if row.average == "micro"]
    assert width[1] > 1.5 * width[4]  # recall of authors varies far more than that of documents


def test_a_comparison_and_a_plan_by_group(tmp_path: Path) -> None:
    """From runs and from results that kept their counts: p, bounds and a pilot's error are those of groups."""
    gold, pred = corpus(25, 4)
    authors = [one["author"] for one in gold]
    whole, part = (joined(side, authors) for side in (gold, pred))
    ci = Ci(resamples=100)
    found = spanscope.compare(
        gold, ("a", gold), ("b", pred), measures="spans.exact", group="author", ci=ci, trials=99
    )
    expected = spanscope.compare(whole, ("a", whole), ("b", part), measures="spans.exact", ci=ci, trials=99)
    ours, theirs = (one.value("recall", average="micro") for one in (found, expected))
    assert (ours.low, ours.high, ours.p) == (theirs.low, theirs.high, theirs.p)
    paths = []
    for name, side in (("a", gold), ("b", pred)):
        kept = spanscope.evaluate(gold, side, "spans.exact", group="author", ci=False)
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(kept.to_json(kept=True))
    again = spanscope.compare(None, *((path.stem, str(path)) for path in paths), ci=ci, trials=99)
    assert again.rows == found.rows
    pilots = [spanscope.plan(str(paths[1]), detect=0.05, rate="recall")]
    pilots.append(
        spanscope.plan(spanscope.evaluate(whole, part, "spans.exact", ci=False), detect=0.05, rate="recall")
    )
    assert pilots[0].found.error == pilots[1].found.error
    assert [one.found.pilot for one in pilots] == [100, 25]


def test_methods_of_a_panel_in_totals_are_compared() -> None:
    masses = [{"Gold": [10, 20], "A": [10 + n % 3, 20 - n % 3], "B": [15, 15]} for n in range(12)]
    texts = [
        {"id": n, "length": 30, "segmentations": {name: {"masses": own} for name, own in each.items()}}
        for n, each in enumerate(masses)
    ]
    found = [
        spanscope.compare(
            spanscope.panel(texts, run=Running(memory=memory), ci=False), ci=Ci(resamples=50), trials=50
        )
        for memory in ("spans", "totals")
    ]
    assert repr(found[0].rows) == repr(found[1].rows)
    assert found[1].documents_changed == []


def test_agreement_by_group() -> None:
    gold, pred = corpus(25, 4)
    authors = [one["author"] for one in gold]
    told = [{**one, "author": author} for one, author in zip(pred, authors, strict=True)]
    ci = Ci(resamples=100)
    found = spanscope.agree(gold, told, measures=["spans.exact"], group="author", ci=ci)
    expected = spanscope.agree(joined(gold, authors), joined(pred, authors), measures=["spans.exact"], ci=ci)
    ours, theirs = ([(row.low, row.high) for row in one.rows] for one in (found, expected))
    assert ours == theirs
    assert "25 groups of documents by 'author'" in str(found)


@pytest.mark.parametrize("who", [0, 1, 2])
def test_one_annotator_knows_the_groups(who: int) -> None:
    """The others need not have the field, with gaps neither; who lacks a document may know its author or not."""
    gold, pred = corpus(25, 4)
    plain = [{name: own for name, own in one.items() if name != "author"} for one in gold]
    sides = [plain[:90], pred[10:], plain]
    full: list[Documents] = [
        [one | {"author": gold[int(one["id"][1:])]["author"]} for one in side] for side in sides
    ]
    sides[who] = full[who]
    asked: dict[str, Any] = {
        "measures": ["spans.exact"],
        "group": "author",
        "missing": "pairwise",
        "ci": Ci(resamples=50),
    }
    expected = spanscope.agree(*full, **asked)
    if who < 2:
        lacked = "d90" if who == 0 else "d0"
        with pytest.raises(InputError, match=f"{lacked}.* has no field 'author'"):
            spanscope.agree(*sides, **asked)
        return
    found = spanscope.agree(*sides, **asked)
    assert found.settings["groups"] == 25
    assert [(row.low, row.high) for row in found.rows] == [(row.low, row.high) for row in expected.rows]


# ---------------------------------------------------------------- what is said


def test_groups_are_in_the_report_and_the_signature() -> None:
    gold, pred = corpus(25, 4)
    found = spanscope.evaluate(gold, pred, "spans.exact", group="author")
    assert "|group:author|" in found.signature()
    assert "Intervals and tests resample 25 groups of documents by 'author'." in str(found)
    assert found.to_dict()["settings"]["group"] == "author"


def test_few_groups_are_said_wherever_an_interval_is(tmp_path: Path) -> None:
    gold, pred = corpus(19, 4)
    few = "19 groups of documents by 'author'; fewer than 20 groups: intervals are unreliable."
    found = spanscope.evaluate(gold, pred, "spans.exact", group="author")
    assert few in " ".join(str(found).split())
    compared = spanscope.compare(gold, gold, pred, measures="spans.exact", group="author", trials=9)
    assert few in " ".join(str(compared).split())
    assert few not in str(spanscope.evaluate(gold, pred, "spans.exact", group="author", ci=False))
    planned = spanscope.plan(found, detect=0.05)
    assert few[:-1] in " ".join(str(planned).split())
    assert few in " ".join(planned.table().split())
    assert "groups" not in str(spanscope.plan(spanscope.evaluate(gold, pred, "spans.exact"), detect=0.05))


def test_outputs_without_notes_say_few_groups_too(tmp_path: Path) -> None:
    """JSON in `resampled`, CSV and all others on the side, pages in their verdict, figures at their axis."""
    from spanscope.report import figures

    gold, pred = corpus(19, 4)
    both = [one | {"author": gold[at]["author"]} for at, one in enumerate(pred)]
    paths = []
    for name, side in (("g", gold), ("p", both)):
        paths.append(str(tmp_path / f"{name}.jsonl"))
        Path(paths[-1]).write_text("".join(json.dumps(one) + "\n" for one in side))
    few = "Intervals and tests resample 19 groups of documents by 'author'; fewer than 20 groups"
    told = {"what": "groups", "number": 19, "few": True}
    for command in (["eval", *paths], ["compare", paths[0], *paths], ["leaderboard", paths[0], *paths]):
        done = run(*command, "--group", "author", "-f", "json", "-m", "spans.exact")
        assert json.loads(done.out)["resampled"] == told
        assert f"warning: {few}" in done.err
        assert few in run(*command, "--group", "author", "-f", "csv", "-m", "spans.exact").err
        assert few not in run(*command, "-f", "csv", "-m", "spans.exact").err
    agreed = run("agree", *paths, "--group", "author", "-f", "json")
    assert json.loads(agreed.out)["resampled"] == told
    assert few in agreed.err

    found = spanscope.evaluate(*paths, "spans.exact", group="author")
    compared = spanscope.compare(paths[0], *paths, measures="spans.exact", group="author", trials=9)
    ranked = spanscope.leaderboard(paths[0], *paths, measures="spans.exact", group="author", trials=9)
    assert payload(found)["sure"].startswith(few)
    assert compared_payload(compared, 2, None, 1e6)["sure"].startswith(few)
    drawn = [
        figures.KINDS["labels"](found),
        figures.KINDS["compare"](compared),
        figures.KINDS["leaderboard"](ranked),
    ]
    for figure in drawn:
        assert "interval (of only 19 groups)" in figure.axes[0].get_xlabel()
    (tmp_path / "r.json").write_text(found.to_json())
    written = spanscope.load(tmp_path / "r.json")
    assert "interval (of only 19 groups)" in figures.KINDS["labels"](written).axes[0].get_xlabel()
    assert interval_note(written).startswith(few)


@pytest.mark.parametrize(("groups", "few"), [(19, True), (20, False)])
def test_what_is_resampled(groups: int, few: bool) -> None:
    gold, pred = corpus(groups, 4)
    asked: dict[str, Any] = {"measures": "spans.exact", "group": "author"}
    assert spanscope.evaluate(gold, pred, **asked).to_dict()["resampled"] == {
        "what": "groups",
        "number": groups,
        "few": few,
    }
    alone = spanscope.evaluate(gold, pred, "spans.exact").to_dict()["resampled"]
    assert alone == {"what": "documents", "number": 4 * groups, "few": False}
    assert "resampled" not in spanscope.evaluate(gold, pred, **asked, ci=False).to_dict()


def test_a_field_that_a_document_lacks(tmp_path: Path) -> None:
    gold, pred = corpus(3, 2)
    del gold[4]["author"]
    paths = []
    for name, side in (("g", gold), ("p", pred)):
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text("".join(json.dumps(one) + "\n" for one in side))
    with pytest.raises(InputError, match=r"document d4 has no field 'author'|document 'd4' has no field 'author'"):
        spanscope.evaluate(gold, pred, "spans.exact", group="author")
    said = refused(run("eval", *paths, "--group", "author"))
    assert "g.jsonl:5" in said
    assert "--group NAME" in said
    with pytest.raises(MeasureError, match="group is 7"):
        spanscope.evaluate(gold, pred, group=7)  # type: ignore[arg-type]


def test_under_meta_and_of_any_type() -> None:
    gold, pred = corpus(25, 4)
    numbered = [{"id": one["id"], "spans": one["spans"], "meta": {"author": n % 25}} for n, one in enumerate(gold)]
    found = spanscope.evaluate(numbered, pred, "spans.exact", group="author", ci=Ci(resamples=20))
    assert found.counted.units == 25


# ---------------------------------------------------------------- groups that a file marks


@pytest.mark.parametrize(("articles", "drawn"), [(20, True), (19, False), (1, False)])
def test_marked_articles_are_drawn_from_twenty_on(articles: int, drawn: bool) -> None:
    gold, pred = corpus(articles, 3)
    ours, theirs, _ = load_both(gold, pred, settle("spans.exact", None), lambda *_: None)
    ours.groups = [one["author"] for one in gold]
    noted: list[Problem] = []
    found = groups_of(ours, None, np.arange(len(gold)), noted)
    assert (found is not None) == drawn
    assert [one.values["groups"] for one in noted] == ([] if drawn or articles == 1 else [articles])
    result = spanscope.evaluate(ours, theirs, "spans.exact", ci=Ci(resamples=20))
    assert (result.settings.group == "marked") == drawn
    assert ("|group:marked|" in result.signature()) == drawn
    assert ("groups of documents that the file marks" in str(result)) == drawn
    assert ("few marked groups" in result.problems.number) == (articles == 19)
