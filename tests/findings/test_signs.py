"""What is off about two sides that hardly match is noticed, with evidence, and nothing is changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

import spanscope
from spanscope.data.problems import Problem
from spanscope.errors import speaking_to
from spanscope.findings.signs import Looked, add_looks, signs_of_parts
from tests.cli import GOLD, PRED, run, write

TEXT = "Dr. Ångström 😀 met Ms. O'Neil at Zürich on Monday, 😀 and went to Köln later in the year."
SPANS = ((4, 12, "PER"), (23, 29, "PER"), (33, 39, "LOC"), (43, 49, "DATE"), (66, 70, "LOC"))
Change = Callable[[int, int, str], tuple[int, int, str]]


def side(change: Change, number: int = 4, lacks: int = 0) -> list[dict[str, object]]:
    """Return documents whose spans are changed, without the last of some documents."""
    out = []
    for doc in range(number):
        kept = SPANS[:-1] if doc < lacks else SPANS
        spans = [dict(zip(("start", "end", "label"), change(*span), strict=True)) for span in kept]
        out.append({"id": f"d{doc}", "text": TEXT, "spans": spans})
    return out


def same(start: int, end: int, label: str) -> tuple[int, int, str]:
    return start, end, label


def utf16(start: int, end: int, label: str) -> tuple[int, int, str]:
    return (*(len(TEXT[:at].encode("utf-16-le")) >> 1 for at in (start, end)), label)  # type: ignore[return-value]


def utf8(start: int, end: int, label: str) -> tuple[int, int, str]:
    return (*(len(TEXT[:at].encode()) for at in (start, end)), label)  # type: ignore[return-value]


GOLD_SIDE = side(same)
# Gold has 20 spans, the predictions lack one of them: read in the right way, F1 is 2 * 19 / 39.
THEN = "0.9744"
OTHERWISE: dict[str, tuple[Change, str, str]] = {
    "inclusive ends": (
        lambda s, e, n: (s, e - 1, n),
        "other offsets",
        "has inclusive ends: with --pred-ends inclusive exact F1",
    ),
    "from 1": (lambda s, e, n: (s + 1, e + 1, n), "other offsets", "counts offsets from 1: read that way"),
    "from 1, inclusive": (
        lambda s, e, n: (s + 1, e, n),
        "other offsets",
        "counts starts from 1 and has inclusive ends: read that way",
    ),
    "UTF-16": (utf16, "other unit", "UTF-16 units: with --pred-offsets utf16"),
    "UTF-8": (utf8, "other unit", "UTF-8 bytes: with --pred-offsets utf8"),
    "case": (
        lambda s, e, n: (s, e, n.lower()),
        "other label names",
        "with --map date=DATE --map loc=LOC --map per=PER",
    ),
    "prefixes": (
        lambda s, e, n: (s, e, f"B-{n}"),
        "other label names",
        "with --map B-DATE=DATE --map B-LOC=LOC --map B-PER=PER",
    ),
    "longer names": (
        lambda s, e, n: (s, e, {"PER": "PERSON", "LOC": "LOCATION"}.get(n, n)),
        "other label names",
        "with --map LOCATION=LOC --map PERSON=PER",
    ),
    "other names": (
        lambda s, e, n: (s, e, {"LOC": "GPE"}.get(n, n)),
        "other label names",
        "with --map GPE=LOC",
    ),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_a_side_of_another_convention_is_noticed(name: str) -> None:
    change, kind, words = OTHERWISE[name]
    found = spanscope.evaluate(GOLD_SIDE, side(change, lacks=1), "spans.exact", ci=False)
    assert found.problems.number == {kind: 1}
    told = found.problems.first[kind][0]
    assert told.startswith("pred: ")
    assert words in told
    assert f"exact F1 would be {THEN} instead of " in told
    assert str(found).startswith(f"The figures are in doubt\n  1 x {kind} (4 documents scored)\n      {told[:40]}")


def test_gold_of_another_convention_is_noticed() -> None:
    inclusive = side(OTHERWISE["inclusive ends"][0])
    found = spanscope.evaluate(inclusive, GOLD_SIDE, "spans.exact", ci=False)
    assert found.problems.first["other offsets"][0].startswith("gold: this side probably has inclusive ends")


def test_the_figure_is_not_changed() -> None:
    found = spanscope.evaluate(GOLD_SIDE, side(OTHERWISE["inclusive ends"][0]), "spans.exact", ci=False)
    assert found.value("f1") == 0.0


@pytest.mark.parametrize("policy", ["masked", "none"])
def test_signs_quote_no_text_and_are_said_under_every_policy(policy: str) -> None:
    found = spanscope.evaluate(GOLD_SIDE, side(OTHERWISE["case"][0]), "spans.exact", ci=False, text=policy)  # type: ignore[arg-type]
    assert "--map per=PER" in found.problems.first["other label names"][0]


def test_a_side_without_spans_is_noticed() -> None:
    nothing = [row | {"spans": []} for row in GOLD_SIDE]
    found = spanscope.evaluate(GOLD_SIDE, nothing, "spans.exact", ci=False)
    assert found.problems.first == {"no spans": ["pred: 4 documents without any span"]}
    assert spanscope.evaluate(nothing, nothing, "spans.exact", ci=False).problems.number == {}


def test_a_poor_run_is_no_sign() -> None:
    """Every second span is missed and no other reading explains it."""
    half = [row | {"spans": row["spans"][::3]} for row in GOLD_SIDE]  # type: ignore[index]
    assert spanscope.evaluate(GOLD_SIDE, half, "spans.exact", ci=False).problems.number == {}


def test_tags_are_looked_into_too(tmp_path: Path) -> None:
    """Predicted types in lower case: the same spans, no match."""
    rows = [("Ann", "B-PER", "B-per"), ("met", "O", "O"), ("Bob", "B-PER", "B-per"), ("in", "O", "O")]
    path = tmp_path / "tags.conll"
    path.write_text("".join(" ".join(row) + "\n" for row in rows * 3), encoding="utf-8")
    found = spanscope.evaluate(str(path), ci=False)
    assert (
        "--map per=PER exact F1 would be 1.0000 instead of 0.0000" in found.problems.first["other label names"][0]
    )


def test_one_file_on_both_sides_is_noticed(tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(GOLD.read_bytes())
    for pred in (GOLD, copy):
        done = run("eval", GOLD, pred, "-m", "spans.exact", "--no-ci")
        assert done.out.startswith("The figures are in doubt\n  1 x same file (50 documents scored)\n")
        assert "gold and predictions are the same file" in " ".join(done.out.split())
        done = run("eval", GOLD, pred, "-m", "spans.exact", "--no-ci", "--memory", "totals")
        assert "1 x same file" in done.out


def test_swapped_sides_are_noticed() -> None:
    done = run("eval", PRED, GOLD, "-m", "spans.exact", "--no-ci")
    assert "1 x swapped sides" in done.out
    assert "swapped sides" not in run("eval", GOLD, PRED, "-m", "spans.exact", "--no-ci").out


def test_no_shared_id_is_said_with_an_example_of_each(tmp_path: Path) -> None:
    gold = write(tmp_path / "g.jsonl", GOLD_SIDE)
    pred = write(tmp_path / "p.jsonl", [row | {"id": f"{row['id']}.txt"} for row in GOLD_SIDE])
    done = run("eval", gold, pred)
    assert done.code == 2
    assert done.err.startswith(f"{pred} has none of the 4 documents of {gold}\n")
    assert "the first here is 'd0.txt', in" in done.err
    assert f"{gold} 'd0'" in done.err


def test_options_are_said_in_the_language_of_the_caller() -> None:
    for name, words in (
        ("inclusive ends", 'with pred=source(..., ends="inclusive") exact F1'),
        ("UTF-16", 'with pred=source(..., offsets="utf16") exact F1'),
        ("case", 'with read=Reading(mapping={"date": "DATE", "loc": "LOC", "per": "PER"}) exact F1'),
    ):
        change, kind, _ = OTHERWISE[name]
        with speaking_to("python"):
            found = spanscope.evaluate(GOLD_SIDE, side(change, lacks=1), "spans.exact", ci=False)
        assert words in found.problems.first[kind][0]


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("inclusive ends", ("--pred-ends", "inclusive")),
        ("UTF-16", ("--pred-offsets", "utf16")),
        ("case", ("--map", "date=DATE", "--map", "loc=LOC", "--map", "per=PER")),
    ],
)
def test_the_option_that_is_named_gives_the_figure_that_is_promised(
    name: str, option: tuple[str, ...], tmp_path: Path
) -> None:
    gold = write(tmp_path / "g.jsonl", GOLD_SIDE)
    pred = write(tmp_path / "p.jsonl", side(OTHERWISE[name][0], lacks=1))
    asked = ("eval", gold, pred, "-m", "spans.exact", "--no-ci")
    assert f"with {' '.join(option)} exact F1 would be {THEN}" in " ".join(run(*asked).out.split())
    assert THEN in run(*asked, *option).out
    assert "in doubt" not in run(*asked, *option).out


def test_labels_that_no_option_can_name_are_said_in_words() -> None:
    gold = [{"id": "1", "spans": [[0, 4, "a,b"], [6, 9, "a,b"]]}]
    pred = [{"id": "1", "spans": [[0, 4, "A,B"], [6, 9, "A,B"]]}]
    found = spanscope.evaluate(gold, pred, "spans.exact", ci=False)
    assert "with 'A,B' called 'a,b' exact F1 would be 1.0000" in found.problems.first["other label names"][0]


@pytest.mark.parametrize("name", OTHERWISE)
@pytest.mark.parametrize("memory", ["counts", "totals"])
def test_signs_are_the_same_where_spans_are_gone(memory: str, name: str, tmp_path: Path) -> None:
    gold = write(tmp_path / "g.jsonl", GOLD_SIDE)
    pred = write(tmp_path / "p.jsonl", side(OTHERWISE[name][0], lacks=1))
    asked = ("eval", gold, pred, "-m", "spans.exact", "--no-ci")
    told = [" ".join(run(*asked, *more).out.split()).partition(" Gold ")[0] for more in ((), ("--memory", memory))]
    assert f"exact F1 would be {THEN}" in told[0]
    assert told[0] == told[1]


@pytest.mark.parametrize("memory", ["counts", "totals"])
def test_an_empty_side_shows_where_spans_are_gone(memory: str, tmp_path: Path) -> None:
    gold = write(tmp_path / "g.jsonl", GOLD_SIDE)
    nothing = write(tmp_path / "n.jsonl", [row | {"spans": []} for row in GOLD_SIDE])
    asked = ("-m", "spans.exact", "--no-ci", "--memory", memory)
    assert "pred: 4 documents without any span" in run("eval", gold, nothing, *asked).out
    assert "in doubt" not in run("eval", gold, write(tmp_path / "p.jsonl", side(same, lacks=1)), *asked).out


def test_signs_of_a_part_say_what_they_are_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where only the first documents are looked at, the figures are of these, and that is said."""
    monkeypatch.setattr("spanscope.findings.signs.MOST_SPANS", 10)
    monkeypatch.setattr("spanscope.findings.signs.MOST_IN_PART", 10)
    change = OTHERWISE["inclusive ends"][0]
    gold, pred = side(same, number=8), [*side(change, number=2), *side(same, number=8)[2:4], *side(change, 8)[4:]]
    # Of the first two documents nothing matches, and everything would; of all eight 10 of 40 spans do match.
    said = "exact F1 of the 2 documents looked at would be 1.0000 instead of 0.0000"
    found = spanscope.evaluate(gold, pred, "spans.exact", ci=False)
    assert said in found.problems.first["other offsets"][0]
    assert found.value("f1") == 0.25
    files = write(tmp_path / "g.jsonl", gold), write(tmp_path / "p.jsonl", pred)
    for memory in ("counts", "totals"):
        done = run("eval", *files, "-m", "spans.exact", "--no-ci", "--memory", memory)
        assert said in " ".join(done.out.split())


def test_a_label_that_another_part_has_on_both_sides_is_no_other_name() -> None:
    ours, theirs = frozenset({"PER", "LOC"}), frozenset({"PERSON", "PER", "LOC"})
    sign = Problem("other label names", side="pred", values={"names": "x", "now": 0.0, "then": 1.0})
    parts = [
        Looked(9, 3, 3, (frozenset({"PER"}), frozenset({"PERSON"})), (sign,), frozenset({("PERSON", "PER")})),
        Looked(5, 2, 2, (frozenset({"LOC"}), frozenset({"PER", "LOC"}))),
    ]
    both = add_looks(parts)
    assert both is not None
    assert both.labels == (ours, theirs)
    assert signs_of_parts(both) == []  # PER is a label of both sides
    alone = add_looks(parts[:1])
    assert alone is not None
    assert [one.kind for one in signs_of_parts(alone)] == ["other label names"]


@pytest.mark.parametrize("memory", ["spans", "counts", "totals"])
def test_a_renamed_label_that_nobody_has_is_named(memory: str, tmp_path: Path) -> None:
    gold = write(tmp_path / "g.jsonl", GOLD_SIDE)
    pred = write(tmp_path / "p.jsonl", side(OTHERWISE["longer names"][0]))
    names = ("--map", "PERSON=PER", "--map", "LOCATON=LOC")
    done = run("eval", gold, pred, "-m", "spans.exact", "--no-ci", "--memory", memory, *names)
    told = " ".join(done.out.split())
    assert "1 x unseen name" in told
    assert "no span has the label 'LOCATON', which was to be renamed; did you mean 'LOCATION'?" in told


def test_a_renamed_label_that_no_tag_has_is_named() -> None:
    tags = [["B-PER", "O", "B-LOC"]]
    how = spanscope.Reading(mapping={"PER": "PERSON", "LOK": "PLACE", "LOC": ""})
    found = spanscope.evaluate(tags, tags, "spans.exact", ci=False, read=how)
    assert found.problems.first["unseen name"] == [
        "gold: no span has the label 'LOK', which was to be renamed; did you mean 'LOC'?"
    ]
