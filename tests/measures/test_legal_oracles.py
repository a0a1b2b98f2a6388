"""The legal script's own figures, recorded from the real code: every case agrees to the last digit.

Span F1 depends on NLTK's sentence data. It is compared three times: with NLTK and no data, which the record has
too; with the recorded tokens of NLTK and its data; and with NLTK itself where the data are installed.

Left out: `gold as a bare list` of the recorded commands (the script fails on the file, before any figure), and
the direct calls in EMPTY (no gold text: the script's own evaluation never makes such a call).
"""

import json
import math
from typing import Any

import pytest

from spanscope.errors import InputError, MeasureError
from spanscope.measures.passages.answer_texts import Tokeniser, exact_match, normalise, token_f1
from spanscope.measures.passages.legal_texts import legal_query, legal_scores, legal_tokens
from tests.oracle import Json, oracle
from tests.support import needs

needs("nltk")

RECORD = oracle("legal_random")
CASES: list[Json] = RECORD["cases"]
TOKENS: list[Json] = RECORD["tokenisation"]
COMMANDS: dict[str, Json] = {command["what"]: command for command in RECORD["cli"]}
CALLS: Json = RECORD["direct_calls"]
EMPTY = {"recall_at_k([],[],10)", "recall_at_k([x],[],10)", "ndcg_at_k([],[],10)", "ndcg_at_k([x],[],10)"}
RECORDED = {row["text"]: row["tokens"] for row in TOKENS}


def without_data(text: str) -> list[str]:
    return legal_tokens(text, punkt=False)


def has_data() -> bool:
    try:
        legal_tokens("a")
    except MeasureError:
        return False
    return True


def sides(case: Json) -> tuple[list[list[str]], list[list[str]]]:
    retrieved = [row["retrieved_passages"] for row in case["predictions"]]
    return retrieved, [[snippet["answer"] for snippet in row["snippets"]] for row in case["gold"]]


def recorded(case: Json, *, data: bool) -> Json:
    other = case["out_preserve_line_tokenizer"]
    found: Json = case["out"] if data or other == "identical" else other
    return found


def per_query(case: Json, tokens: Tokeniser) -> list[list[float]]:
    return [
        list(legal_query(own, gold, case["k"], tokens).values()) for own, gold in zip(*sides(case), strict=True)
    ]


def agrees(case: Json, tokens: Tokeniser, want: Json) -> None:
    """Compare without tolerance: sums, quotients and logarithms are taken in the script's order."""
    k = case["k"]
    names = ["exact_match", "span_f1", f"recall@{k}", f"ndcg@{k}"]
    assert per_query(case, tokens) == [[row[name] for name in names] for row in want["per_query"]]
    retrieved, golds = sides(case)
    assert legal_scores(retrieved, golds, k=k, tokens=tokens) == want["aggregate"]
    assert len(want["per_query"]) == len(golds)


every_case = pytest.mark.parametrize("case", CASES, ids=[f"case {case['case']}" for case in CASES])


def test_the_record_is_whole() -> None:
    assert (len(CASES), len(TOKENS), len(COMMANDS), len(CALLS)) == (50, 485, 4, 9)


@every_case
def test_every_case_without_data(case: Json) -> None:
    agrees(case, without_data, recorded(case, data=False))


@every_case
def test_every_case_with_recorded_tokens(case: Json) -> None:
    agrees(case, RECORDED.__getitem__, recorded(case, data=True))


def test_every_case_with_data() -> None:
    if not has_data():
        pytest.skip("NLTK's data are not installed: python -m nltk.downloader punkt_tab")
    for case in CASES:
        agrees(case, legal_tokens, recorded(case, data=True))


def forms(row: Json, field: str) -> list[Any]:
    """Return the tokens that NLTK gives, of two versions where they differ."""
    found = row["tokens"] if row[field] == "identical" else row[field]
    return [found, row["tokens_nltk_3_10_4"]] if "tokens_nltk_3_10_4" in row else [found]


def test_every_tokenisation_without_data() -> None:
    wrong = [row["text"] for row in TOKENS if without_data(row["text"]) not in forms(row, "tokens_preserve_line")]
    assert wrong == []


def test_every_tokenisation_with_data() -> None:
    if not has_data():
        pytest.skip("NLTK's data are not installed: python -m nltk.downloader punkt_tab")
    assert [row["text"] for row in TOKENS if legal_tokens(row["text"]) not in forms(row, "tokens")] == []


def test_every_normalised_text() -> None:
    assert [row["text"] for row in TOKENS if normalise(row["text"]) != row["preprocessed"]] == []


# ---------------------------------------------------------------- recorded commands and calls


def test_command_with_another_k() -> None:
    command = COMMANDS['gold as {"tests": [...]}, --k 5 --output']
    retrieved, golds = sides(CASES[command["case"]])
    found = legal_scores(retrieved, golds, k=5, tokens=RECORDED.__getitem__)
    assert found == json.loads(command["res"]["output_file"])
    assert list(found) == list(json.loads(command["res"]["output_file"]))


def test_command_without_gold_texts() -> None:
    """The script writes NaN, which is no JSON but what Python reads back."""
    want = json.loads(COMMANDS["all gold empty, --output"]["res"]["output_file"])
    found = legal_scores([["x"]], [[]], tokens=without_data)
    assert list(found) == list(want)
    assert found.pop("num_examples") == want.pop("num_examples") == 1
    assert all(math.isnan(value) for value in [*found.values(), *want.values()])


def test_command_with_different_lengths() -> None:
    assert COMMANDS["length mismatch"]["res"]["returncode"] == 1
    with pytest.raises(InputError, match="1 lists of passages, 2 of gold texts"):
        legal_scores([["x"]], [["x"], ["y"]], tokens=without_data)


def test_every_direct_call() -> None:
    nothing = legal_query([], ["x"], 10, without_data)
    found = {
        "recall_at_k([],[x],10)": nothing["recall"],
        "ndcg_at_k([],[x],10)": nothing["ndcg"],
        "span_f1('','')": token_f1("", [""], tokens=without_data),
        "span_f1('','a')": token_f1("", ["a"], tokens=without_data),
        "exact_match(' A ','a')": exact_match(" A ", ["a"]),
    }
    assert found == {name: value for name, value in CALLS.items() if name not in EMPTY}
