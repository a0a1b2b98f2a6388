"""Gold is compared by what it holds: other spans are other gold, another file or order of the same is not."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope import Result, compare, evaluate
from spanscope.settings.options import grouped
from tests.cli import run, write
from tests.support import Json

EXACT = "spans.exact"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def made(shift: int = 0, number: int = 40, **more: Any) -> list[Json]:
    """Return documents with two spans each, all moved by some characters."""
    return [
        {"id": f"d{n}", "spans": [[n + shift, n + shift + 3, "A"], [n + shift + 5, n + shift + 9, "B"]], **more}
        for n in range(number)
    ]


GOLD, MOVED = made(), made(1)


def lines(name: str, documents: list[Json]) -> str:
    return str(write(Path(name), "".join(json.dumps(one) + "\n" for one in documents)))


def content(gold: Any, pred: Any = None, measures: str = EXACT, **options: Any) -> str:
    return evaluate(gold, gold if pred is None else pred, measures, ci=False, **grouped(options)).gold_content


# ---------------------------------------------------------------- compare


def test_other_places_in_memory_are_another_gold() -> None:
    """As many gold spans of every label in every document, one character farther on."""
    with pytest.raises(spanscope.InputError, match="the gold spans are others"):
        compare(None, evaluate(GOLD, GOLD, EXACT), evaluate(MOVED, GOLD, EXACT))


@pytest.mark.parametrize("memory", ["spans", "counts"])
def test_other_places_are_another_gold_where_counts_were_kept(memory: str) -> None:
    one, other = evaluate(GOLD, GOLD, EXACT, run=spanscope.Running(memory=memory)), evaluate(MOVED, GOLD, EXACT)
    paths = []
    for at, result in enumerate((one, other)):
        paths.append(str(write(Path(f"{at}.json"), result.to_json(kept=True))))
    with pytest.raises(spanscope.InputError, match="the gold spans are others"):
        compare(None, *paths, trials=10)


def test_the_same_gold_in_another_file_is_the_same() -> None:
    lines("a.jsonl", GOLD)
    write(Path("b.json"), json.dumps([{**one, "text": " " * 60} for one in GOLD]))
    for name in ("a.jsonl", "b.json"):
        assert run("eval", name, "a.jsonl", "-m", EXACT, "--keep", "-o", f"{name}.out.json").code == 0
    done = run("compare", "a.jsonl.out.json", "b.json.out.json")
    assert (done.code, done.err) == (0, "")


def test_older_results_are_compared_as_they_were() -> None:
    lines("gold.jsonl", GOLD)
    lines("moved.jsonl", MOVED)
    for name in ("gold", "moved"):
        assert run("eval", f"{name}.jsonl", "gold.jsonl", "-m", EXACT, "--keep", "-o", f"{name}.json").code == 0
        data = json.loads(Path(f"{name}.json").read_text())
        del data["kept"]["gold"]
        Path(f"{name}.old.json").write_text(json.dumps(data))
    assert "another gold file" in run("compare", "gold.old.json", "moved.json").err
    assert run("compare", "gold.old.json", "gold.json").code == 0


def test_a_damaged_fingerprint_is_refused() -> None:
    data = evaluate(GOLD, GOLD, EXACT).to_dict(kept=True)
    for wrong in ("x", "1", 5, "g" * 16):
        write(Path("bad.json"), json.dumps({**data, "kept": {**data["kept"], "gold": wrong}}))
        with pytest.raises(spanscope.InputError, match="cannot be read"):
            compare(None, "bad.json", "bad.json")


# ---------------------------------------------------------------- what it depends on, and what not


def test_it_does_not_depend_on_order_container_texts_or_predictions() -> None:
    known = content(GOLD)
    shuffled = [{**one, "spans": one["spans"][::-1]} for one in random.Random(5).sample(GOLD, len(GOLD))]
    columns = [(one["id"], *span) for one in GOLD for span in one["spans"]]
    table = dict(zip(("doc", "start", "end", "label"), zip(*columns, strict=True), strict=True))
    assert content(shuffled, GOLD) == known
    assert content({key: list(own) for key, own in table.items()}) == known
    assert content(made(text=" " * 80)) == known
    assert content(GOLD, [{**one, "text": " " * 80, "spans": []} for one in GOLD]) == known
    assert content(GOLD, made(7)) == known


@pytest.mark.parametrize("options", [{"memory": "counts"}, {"memory": "totals"}, {"jobs": 2}])
@pytest.mark.parametrize("named", [True, False])
def test_blocks_add_up_to_the_whole(options: Json, named: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spanscope.io.line_blocks.LINES", 7)
    documents = GOLD if named else [{"spans": one["spans"]} for one in GOLD]
    path = lines("g.jsonl", documents)
    assert content(path, path, **options) == content(documents)
    if named:
        turned = lines("t.jsonl", GOLD[::-1])
        assert content(turned, path, **options) == content(documents)


def differs(one: Any, other: Any, **options: Any) -> bool:
    return content(one, **options) != content(other, **options)


def test_what_gold_is_moves_it() -> None:
    def spans(*own: Any) -> list[Json]:
        return [{"id": 1, "spans": list(own)}]

    plain = spans([0, 9, "A"])
    assert differs(plain, spans([0, 9, "B"]))
    assert differs(plain, spans([0, 8, "A"]))
    assert differs(plain, spans([0, 9, "A"], [0, 9, "A"]))
    assert differs(plain, spans({"label": "A", "fragments": [[0, 3], [6, 9]]}))
    assert not differs(plain, spans({"label": "A", "fragments": [[0, 9]]}))
    assert differs(plain, [{"id": 2, "spans": [[0, 9, "A"]]}])
    assert differs([{"spans": [[0, 1, "A"]]}, {"spans": []}], [{"spans": []}, {"spans": [[0, 1, "A"]]}])
    words = [[{"id": 1, "spans": [{"label": "A", "text": text}]}] for text in ("x", "y")]
    assert differs(*words, measures="spans.text")


def test_tags_judgements_and_answers_move_it() -> None:
    tags = [
        [{"id": 1, "tokens": ["a", "b"], "tags": own}] for own in (["B-X", "I-X"], ["B-X", "B-X"], ["O", "B-X"])
    ]
    assert len({content(one, measures="tokens.accuracy") for one in tags}) == 3
    judged: list[Any] = [{"q": {"a": 1}}, {"q": {"a": 2}}, {"q": {"b": 1}}, {"r": {"a": 1}}]
    assert (
        len({content(one, {"q": {"a": 0.5}}, "passages.trec", missing="empty", extra="skip") for one in judged})
        == 4
    )
    told: list[Json] = [
        {"answer": "x"},
        {"answer": "y"},
        {"answer": "x", "id": "a"},
        {"answer": "x", "relevance": 2},
    ]
    found = [{"query": "q", "retrieved_passages": ["x"]}]
    asked = [content([{"query": "q", "snippets": [one]}], found, "passages.exact_match") for one in told]
    assert len(set(asked)) == 4


def test_gold_on_other_tokens_of_the_predictions_stays_the_same() -> None:
    gold = [{"id": 1, "tokens": ["New", "York"], "tags": ["B-X", "I-X"]}]
    others = [gold, [{"id": 1, "tokens": ["New", "Yo", "rk"], "tags": ["B-X", "I-X", "I-X"]}]]
    results: list[Result] = [evaluate(gold, one, EXACT, ci=False) for one in others]
    assert results[0].gold_content == results[1].gold_content
