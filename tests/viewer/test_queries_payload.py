"""What the page of queries is given: strips, matches and what is withheld, worked by hand and from oracles."""

import json
import struct
from itertools import pairwise
from typing import Any

import pytest

import spanscope
from spanscope import viewer
from spanscope.settings.options import grouped
from tests.oracle import oracle
from tests.support import needs
from tests.viewer import payload

NOTHING, NEW, AGAIN, JUDGED = range(4)
HEBREW = "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd"
SCRIPT = "</script><script>alert(1)</script>"

GOLD: Any = {
    "tests": [
        {"query": "alpha", "snippets": [{"answer": "red fox jumps"}, {"answer": "blue whale"}]},
        {"query": "beta", "snippets": [{"answer": f"green tea {SCRIPT}"}]},
        {"query": "gamma", "snippets": []},
        {"query": "delta", "snippets": [{"answer": "a rare orchid"}]},
        {"query": "epsilon", "snippets": [{"answer": f"{HEBREW} \U0001f375 oolong tea"}]},
        {"query": f"{HEBREW} {SCRIPT}", "snippets": [{"answer": "third"}]},
    ]
}
FOUND: Any = [
    {
        "query": "alpha",
        "retrieved_passages": [
            "Nothing of it.",
            "\U0001f98a The RED \n fox jumps over.",
            "A blue whale sings",
            "red fox jumps",
        ],
    },
    {"query": "beta", "retrieved_passages": [SCRIPT.replace("1", "2"), "black tea", ""]},
    {"query": "gamma", "retrieved_passages": ["whatever"]},
    {"query": "delta", "retrieved_passages": []},
    {"query": "epsilon", "retrieved_passages": ["cocoa", f"{HEBREW} \U0001f375"]},
    {"query": f"{HEBREW} {SCRIPT}", "retrieved_passages": ["one", "two", "the third"]},
]
# By hand: what each passage brings, and the rank of the first that holds an answer.
STATES = [[NOTHING, NEW, NEW, AGAIN], [NOTHING] * 3, [NOTHING], [], [NOTHING, NEW], [NOTHING, NOTHING, NEW]]
FIRST = [2, 0, 0, 0, 2, 3]


def small(**options: Any) -> spanscope.Result:
    return spanscope.evaluate(
        GOLD, FOUND, score=spanscope.Scoring(k=[1, 2, 3]), **grouped({"ci": False, **options})
    )


def states(found: Any) -> list[list[int]]:
    edges, column = found["passages"]["edges"], found["passages"]["state"]
    return [column[low:high] for low, high in pairwise(edges)]


def marked(found: Any) -> list[tuple[str, str, int, str]]:
    """Return every match: the query, why, which gold answer, and what is marked of the passage, in UTF-16."""
    out = []
    p, links = found["passages"], found["links"]
    for query, name in enumerate(found["names"]):
        for at in range(p["edges"][query], p["edges"][query + 1]):
            for link in range(links["edges"][at], links["edges"][at + 1]):
                text = found["strings"][p["text"][at]].encode("utf-16-le") if p["text"][at] >= 0 else b""
                part = text[2 * links["start"][link] : 2 * links["end"][link]].decode("utf-16-le")
                out.append((name, found["hows"][links["how"][link]], links["gold"][link], part))
    return out


def test_strips_worked_by_hand() -> None:
    found = payload(small())["queries"]
    assert states(found) == STATES
    assert found["first"] == FIRST
    assert found["due"] == [1, 1, 0, 1, 1, 1]
    assert found["gold_number"] == [2, 1, 0, 1, 1, 1]
    assert found["firsts"] == [[1, 1, 0], [2, 2, 2], [3, 3, 1], [0, 0, 2]]
    assert marked(found) == [
        ("alpha", "holds the answer", 0, "RED \n fox jumps"),
        ("alpha", "holds the answer", 1, "blue whale"),
        ("alpha", "holds the answer", 0, "red fox jumps"),
        ("epsilon", "part of the answer", 0, f"{HEBREW} \U0001f375"),
        (f"{HEBREW} {SCRIPT}", "holds the answer", 0, "third"),
    ]


def test_the_other_rules() -> None:
    """By place, by identifier, by equal texts, by the script of the legal scorer: by hand."""
    gold = [{"id": "q", "snippets": [{"id": "a", "file_path": "f", "span": [10, 20], "answer": "0123456789"}]}]
    passages = [
        {"id": "b", "file_path": "g", "span": [0, 4], "text": "\U0001f98a"},
        {"id": "c", "file_path": "f", "span": [14, 22], "text": "456789\U0001f98a!"},
        {"id": "a", "file_path": "f", "span": [0, 3], "text": "0123456789 "},
    ]
    pred = [{"id": "q", "retrieved_passages": passages}]
    whole, place = "0123456789", "456789"
    for form, want, how in (
        ("passages.ranking(by=overlap)", [NOTHING, NEW, NOTHING], ("overlaps in the file", place)),
        ("passages.ranking(by=overlap, coverage=0.7)", [NOTHING] * 3, None),
        ("passages.ranking(by=id)", [NOTHING, NOTHING, NEW], ("same identifier", whole)),
        ("passages.ranking(by=exact)", [NOTHING, NOTHING, NEW], ("same text", f"{whole} ")),
        ("passages.characters", [NOTHING, NEW, NOTHING], ("overlaps in the file", place)),
        ("passages.documents", [NOTHING, NEW, AGAIN], ("from the same file", "")),
    ):
        found = payload(spanscope.evaluate(gold, pred, form, ci=False))["queries"]
        assert states(found) == [want], form
        assert (marked(found)[0][1::2] if how else marked(found)) == (how or []), form
    parts = {name: found["passages"][name] for name in ("shared", "wanted", "size")}
    assert parts == {"shared": [0, 0, 0], "wanted": [0, 0, 0], "size": [0, 0, 0]}  # files alone: no characters
    p = payload(spanscope.evaluate(gold, pred, "passages.characters", ci=False))["queries"]["passages"]
    assert (p["shared"], p["wanted"], p["size"]) == ([0, 6, 0], [10, 10, 10], [4, 8, 3])
    assert [p[rate]["values"][p[rate]["at"][1]] for rate in ("precision", "recall")] == [6 / 8, 6 / 10]


def test_legal_script_lets_empty_passages_match() -> None:
    needs("nltk")
    result = spanscope.evaluate(GOLD, FOUND, protocol="legal", ci=False)
    found = payload(result)["queries"]
    assert states(found)[1] == [NOTHING, NOTHING, NEW]
    assert ("beta", "empty, which the script lets match", 0, "") in marked(found)


@pytest.mark.parametrize("number", range(0, 50, 5))
def test_trec_strips_are_pytrec_evals(number: int) -> None:
    """Ranks from scores and names without the library; first rank and hits as pytrec_eval recorded them."""
    case = oracle("trec_random100")["cases"][number]
    qrels, run, level = case["qrels"], case["run"], case["relevance_level"]
    result = spanscope.evaluate(qrels, run, f"passages.trec(level={level})", protocol="trec", ci=False)
    found = payload(result)["queries"]
    p = found["passages"]
    for query, name in enumerate(found["names"]):
        own, low, high = run.get(name, {}), *p["edges"][query : query + 2]
        single = {one: struct.unpack("f", struct.pack("f", score))[0] for one, score in own.items()}
        order = sorted(own, key=lambda one: (single[one], one), reverse=True)
        assert [found["strings"][at] for at in p["name"][low:high]] == order
        grades = [qrels[name].get(one) for one in order]
        want = [NOTHING if one is None else NEW if one >= level else JUDGED for one in grades]
        assert p["state"][low:high] == want
        theirs = case["per_query"].get(name)
        if theirs:
            assert sum(state == NEW for state in p["state"][low:high]) == theirs["num_rel_ret"]
            assert (1 / found["first"][query] if found["first"][query] else 0.0) == theirs["recip_rank"]


def test_many_and_long_passages_are_cut_and_what_is_cut_is_told() -> None:
    long = "x " * 5000 + "THE NEEDLE" + " y" * 5000
    texts = [f"passage {n}" for n in range(1, 1001)]
    texts[2], texts[499] = long, "here is the needle"
    gold = [{"id": "q", "snippets": ["the needle"]}]
    result = spanscope.evaluate(
        gold, [{"id": "q", "retrieved_passages": texts}], ci=False, score=spanscope.Scoring(k=[10])
    )
    found = payload(result)["queries"]
    p = found["passages"]
    assert p["rank"] == [*range(1, 101), 500]
    assert found["pred_number"] == [1000]
    shown = found["strings"][p["text"][2]]
    assert (len(shown), p["from"][2] + len(shown) + p["left"][2]) == (2000, len(long))
    assert [one[3] for one in marked(found)] == ["THE NEEDLE", "the needle"]


@pytest.mark.parametrize("text", ["none", "masked", "context"])
@pytest.mark.parametrize("late", [False, True])
def test_withheld_texts_are_nowhere_in_the_file(text: str, late: bool) -> None:
    secret, far = "Zanzibarqua 77 Mortwhistle", "Quillfeather"
    gold = [{"id": "q1", "snippets": [{"answer": [secret, "Ombrefallow"]}]}]
    said = f"It is {secret} here. {'and so on ' * 20} {far}"
    pred = [{"id": "q1", "retrieved_passages": [{"text": said, "id": "p1"}, {"text": "z" * 70 + far, "id": "p2"}]}]
    for protocol in ("passages", "squad"):
        whole = json.dumps(payload(spanscope.evaluate(gold, pred, protocol=protocol, ci=False)))
        assert secret in whole
        assert far in whole
        options: Any = {} if late else {"text": text}
        page = viewer.render(
            spanscope.evaluate(gold, pred, protocol=protocol, ci=False, **grouped(options)), text=text
        )
        found = json.dumps(viewer.unpack(page)).lower()
        words = [far] if text == "context" else ["Zanzibarqua", "Mortwhistle", "Ombrefallow", far]
        assert [word for word in words if word.lower() in found or word.lower() in page.lower()] == []
        strings = viewer.unpack(page)["queries"]["strings"]
        if text == "none":
            assert set(strings) <= {"p1", "p2"}
        if text == "masked":
            assert "xxxxxxxxxxx xx xxxxxxxxxxx" in strings
        if text == "context":
            assert secret in strings


@pytest.mark.parametrize("text", ["none", "masked"])
def test_queries_named_by_what_they_ask_are_withheld(text: Any) -> None:
    """In the page, in the page of a comparison, in the exports and in kept counts."""
    result = spanscope.evaluate(GOLD, FOUND, ci=False, text=text)
    both = spanscope.compare(GOLD, ("a", FOUND), ("b", FOUND), text=text)
    for page in (viewer.render(result), viewer.render(both)):
        assert "epsilon" not in page + json.dumps(viewer.unpack(page))
    assert "epsilon" not in result.to_json(kept=True, documents=True)
    assert len(set(result.names)) == 6


def test_what_queries_with_ids_ask_is_shown() -> None:
    gold = [{"id": 7, "query": "Who knows?", "snippets": ["me"]}]
    pred = [{"id": 7, "retrieved_passages": ["not me"]}]
    shown = {text: payload(spanscope.evaluate(gold, pred, ci=False, text=text))["queries"] for text in TEXTS}
    assert [shown[text]["names"] for text in TEXTS] == [["7"]] * 4
    assert [shown[text]["asked"] for text in TEXTS] == [["Who knows?"], ["Who knows?"], ["xxx xxxxx?"], None]


TEXTS: tuple[Any, ...] = ("full", "context", "masked", "none")
