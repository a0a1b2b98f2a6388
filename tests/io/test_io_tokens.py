"""Tagged tokens: every shape people have gives the same spans, at the same places."""

import gzip
import json
from pathlib import Path
from typing import Any

import pandas
import pytest

import spanscope
from spanscope.settings.options import grouped
from tests.cli import run, write
from tests.support import NAMES, Json

# Two sentences: PER at 0..10 and 15..18 in the first, LOC at 3..7 in the second; predictions miss the second PER.
TEXTS = ["Anna Smith met Bob", "In Köln"]
WORDS = [text.split() for text in TEXTS]
GOLD = [["B-PER", "I-PER", "O", "B-PER"], ["O", "B-LOC"]]
PRED = [["B-PER", "I-PER", "O", "O"], ["O", "B-LOC"]]
STARTS = [[0, 5, 11, 15], [0, 3]]
COUNTS = {"LOC": {"tp": 1, "pred": 1, "gold": 1}, "PER": {"tp": 1, "pred": 1, "gold": 2}}
PLACES = [("PER", 0, 10, "Anna Smith"), ("PER", 15, 18, "Bob"), ("LOC", 3, 7, "Köln")]
NAMED = ["O", "B-PER", "I-PER", "B-LOC"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of its own, so that places are short."""
    monkeypatch.chdir(tmp_path)


def conll(*columns: list[list[str]], between: str = " ") -> str:
    """Return a CoNLL file: the words, then the columns."""
    sentences = zip(WORDS, *columns, strict=True)
    return "\n".join("".join(between.join(row) + "\n" for row in zip(*one, strict=True)) for one in sentences)


def documents(tags: Any, name: str = "tags", **more: list[Any]) -> list[Json]:
    rows = zip(WORDS, tags, *more.values(), strict=True)
    return [{"tokens": words, name: own, **dict(zip(more, rest, strict=True))} for words, own, *rest in rows]


def places(gold: Any, pred: Any = None, **options: Any) -> list[tuple[str, int, int, str | None]]:
    """Return label, offsets and text of the gold spans."""
    result = spanscope.evaluate(gold, pred, "spans.exact", **grouped(options))
    assert result.counts() == COUNTS
    spans = [record["gold"] for record in result.matches() if record["gold"]]
    return [(span["label"], span["start"], span["end"], span["text"]) for span in spans]


def counts(gold: Any, pred: Any = None, measure: str = "spans.exact", **options: Any) -> Json:
    return spanscope.evaluate(gold, pred, measure, **grouped(options)).counts()


# ---------------------------------------------------------------- CoNLL files

NOISE = [["x"] * len(words) for words in WORDS]
FILES: dict[str, str | bytes] = {
    "spaces": conll(GOLD),
    "several spaces": conll(GOLD, between="   "),
    "tabs": conll(GOLD, between="\t"),
    "four columns": conll(NOISE, NOISE, GOLD),
    "an empty column": conll([[""] * len(words) for words in WORDS], GOLD, between="\t"),
    "CRLF": conll(GOLD).replace("\n", "\r\n"),
    "no newline at the end": conll(GOLD).rstrip(),
    "blank lines at the ends": f"\n\n{conll(GOLD)}\n \n\n",
    "several blank lines between": conll(GOLD).replace("\n\n", "\n\n\n \n"),
    "-DOCSTART-": f"-DOCSTART- -X- O O\n\n{conll(GOLD)}",
    "-DOCSTART- between": conll(GOLD).replace("\n\n", "\n\n-DOCSTART- O\n\n"),
    "comments": f"# sent_id = 1\n# text = Anna Smith met Bob\n{conll(GOLD)}",
    "a mark of byte order": b"\xef\xbb\xbf" + conll(GOLD).encode(),
    "gzip": gzip.compress(conll(GOLD).encode()),
}


@pytest.mark.parametrize("name", FILES)
def test_two_files(name: str) -> None:
    write(Path("pred.conll"), conll(PRED))
    assert places(write(Path("gold.conll"), FILES[name]), "pred.conll") == PLACES


@pytest.mark.parametrize("between", [" ", "\t"])
@pytest.mark.parametrize("before", [(), (NOISE,), (NOISE, NOISE)])
def test_one_file_with_two_columns(between: str, before: tuple[Any, ...]) -> None:
    assert places(write(Path("both.conll"), conll(*before, GOLD, PRED, between=between))) == PLACES


@pytest.mark.parametrize(
    "columns", [{"gold": 1, "pred": 2}, {"gold": "1", "pred": "-2"}, {"pred": 2, "gold": -3, "token": 0}]
)
def test_columns_by_number(columns: dict[str, Any]) -> None:
    assert places(write(Path("a.conll"), conll(GOLD, PRED, NOISE)), columns=columns) == PLACES


def test_one_column_of_each_of_two_files() -> None:
    gold, pred = (write(Path(f"{i}.conll"), conll(tags, NOISE)) for i, tags in enumerate((GOLD, PRED)))
    assert places(gold, pred, columns={"tag": 1}) == PLACES


def test_a_token_may_be_a_hash_or_have_a_rare_blank() -> None:
    """Only blanks, tabs and newlines are between tokens: U+2028 is not, nor is every # a comment."""
    text = "#\tO\tO\nAn\u2028na\tB-X\tB-X\n"
    assert counts(write(Path("a.conll"), text)) == {"X": {"tp": 1, "pred": 1, "gold": 1}}


def test_a_no_break_space_is_inside_a_token() -> None:
    """CoNLL's own separator is a blank; numbers such as 10 000 have a no-break space in them."""
    text = "10\u00a0000 B-X B-X\nin O O\n"
    assert counts(write(Path("a.conll"), text)) == {"X": {"tp": 1, "pred": 1, "gold": 1}}


# ---------------------------------------------------------------- documents and lists

SAMPLES = [
    {"full_text": text, "masked": None, "spans": [], "template_id": 1, "metadata": {}, "start_indices": starts}
    for text, starts in zip(TEXTS, STARTS, strict=True)
]
IDS = {"id": ["a", "b"]}
SHAPES: dict[str, tuple[Any, Any]] = {
    "tags": (documents(GOLD), documents(PRED)),
    "ids": (documents(GOLD, **IDS), documents(PRED, **IDS)[::-1]),
    "ner_tags": (documents(GOLD, "ner_tags"), documents(PRED, "ner_tags")),
    "texts": (documents(GOLD, text=TEXTS), documents(PRED, text=TEXTS)),
    "start_indices": (
        documents(GOLD, text=TEXTS, start_indices=STARTS),
        documents(PRED, text=TEXTS, start_indices=STARTS),
    ),
    "Presidio's samples": (
        [{**sample, **own} for sample, own in zip(SAMPLES, documents(GOLD), strict=True)],
        [{**sample, **own} for sample, own in zip(SAMPLES, documents(PRED), strict=True)],
    ),
    "under data": ({"data": documents(GOLD)}, {"data": documents(PRED)}),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("how", ["memory", "json", "indented", "jsonl", "gzip"])
def test_documents(name: str, how: str) -> None:
    gold, pred = SHAPES[name]
    if how == "jsonl" and isinstance(gold, list):
        gold, pred = write(Path("g.jsonl"), gold), write(Path("p.jsonl"), pred)
    elif how != "memory":
        texts = [json.dumps(side, indent=2 if how == "indented" else None).encode() for side in (gold, pred)]
        texts = [gzip.compress(text) for text in texts] if how == "gzip" else texts
        gold, pred = write(Path("g.json"), texts[0]), write(Path("p.json"), texts[1])
    assert places(gold, pred) == PLACES


def test_predictions_by_their_own_name() -> None:
    assert places(documents(GOLD), documents(PRED, "predicted_tags")) == PLACES


@pytest.mark.parametrize(("gold", "pred"), [("tags", "predicted_tags"), ("gold", "pred")])
def test_tags_by_other_names_in_files(gold: str, pred: str) -> None:
    write(Path("g.jsonl"), documents(GOLD, gold))
    assert places("g.jsonl", write(Path("p.jsonl"), documents(PRED, pred))) == PLACES


def test_both_columns_in_one_document() -> None:
    both = documents(GOLD, predicted_tags=PRED)
    assert places(both) == PLACES
    assert places(write(Path("a.jsonl"), both)) == PLACES


@pytest.mark.parametrize("frame", [False, True])
def test_predictions_are_predictions_where_their_file_repeats_gold(frame: bool) -> None:
    """Else a model that finds nothing scores 1."""
    gold = {"token": ["a"], "annotation": ["X"]} if frame else [{"tokens": ["a"], "tags": ["B-X"]}]
    pred = {**gold, "prediction": ["O"]} if frame else [{**gold[0], "predicted_tags": ["O"]}]  # type: ignore[dict-item,index]
    assert counts(gold, pred) == {"X": {"tp": 0, "pred": 0, "gold": 1}}


def test_text_may_have_more_than_the_tokens() -> None:
    """Tokens are looked for from left to right: the second `a` is not the first one."""
    both = [{"text": "(a)  a", "tokens": ["(", "a", ")", "a"], "tags": ["O", "O", "O", "B-X"]}]
    result = spanscope.evaluate(both, both, "spans.exact")
    assert [record["gold"] for record in result.matches()] == [{"start": 5, "end": 6, "label": "X", "text": "a"}]


def test_lists_of_tags_have_token_numbers_as_offsets() -> None:
    assert places(GOLD, PRED) == [("PER", 0, 2, None), ("PER", 3, 4, None), ("LOC", 1, 2, None)]
    assert places(tuple(map(tuple, GOLD)), PRED)[0] == ("PER", 0, 2, None)


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_lists_of_tags_in_files(suffix: str) -> None:
    files = [write(Path(f"{i}.{suffix}"), tags if suffix == "jsonl" else json.dumps(tags)) for i, tags in
             enumerate((GOLD, PRED))]  # fmt: skip
    assert places(*files)[0] == ("PER", 0, 2, None)


# ---------------------------------------------------------------- tags that are numbers


def numbered(tags: list[list[str]]) -> list[list[int]]:
    return [[NAMED.index(tag) for tag in sentence] for sentence in tags]


def test_numbers_with_names() -> None:
    sides = [documents(numbered(tags), "ner_tags") for tags in (GOLD, PRED)]
    assert places(*sides, tag_names=NAMED) == PLACES
    assert places(*({"names": NAMED, "data": side} for side in sides)) == PLACES


def test_names_in_a_file() -> None:
    files = [
        write(Path(f"{i}.json"), json.dumps({"names": NAMED, "data": documents(numbered(tags), "ner_tags")}))
        for i, tags in enumerate((GOLD, PRED))
    ]
    assert places(*files) == PLACES


def test_lists_of_numbers_with_names() -> None:
    assert places(numbered(GOLD), numbered(PRED), tag_names=NAMED)[0] == ("PER", 0, 2, None)


# ---------------------------------------------------------------- Presidio's data frame

FRAME: dict[str, list[Any]] = {
    "sentence_id": [0, 0, 0, 0, 1, 1],
    "token": [word for words in WORDS for word in words],
    "annotation": ["PER", "PER", "O", "PER", "O", "LOC"],
    "prediction": ["PER", "PER", "O", "O", "O", "LOC"],
    "start_indices": [0, 5, 11, 15, 0, 3],
}


@pytest.mark.parametrize("make", [dict, pandas.DataFrame])
def test_a_row_a_token(make: Any) -> None:
    """A run of equal labels is a span; rows of one sentence may stand apart. There is no text to show."""
    wanted = [(label, start, end, None) for label, start, end, _ in PLACES]
    assert places(make(FRAME)) == wanted
    order = [4, 0, 1, 5, 2, 3]
    assert sorted(places(make({key: [own[i] for i in order] for key, own in FRAME.items()}))) == sorted(wanted)


def test_two_frames() -> None:
    pred = {**FRAME, "annotation": FRAME["prediction"]}
    assert (
        counts(*({key: own for key, own in side.items() if key != "prediction"} for side in (FRAME, pred)))
        == COUNTS
    )


# ---------------------------------------------------------------- other tokens of the same text

PIECES = [
    {"tokens": ["Anna", "Smi", "th", "met", "Bob"], "tags": ["B-PER", "I-PER", "I-PER", "O", "O"]},
    {"tokens": ["In", "Kö", "ln"], "tags": ["O", "B-LOC", "I-LOC"]},
]


def with_(side: list[Json], key: str, values: list[Any]) -> list[Json]:
    return [{**one, key: value} for one, value in zip(side, values, strict=True)]


def test_other_tokens_of_the_same_text() -> None:
    assert places(documents(GOLD), PIECES) == PLACES
    assert places(documents(GOLD, text=TEXTS), with_(PIECES, "text", TEXTS)) == PLACES
    joined = [{"tokens": ["Anna", "Smith", "metBob"], "tags": PRED[0][:3]}, documents(PRED)[1]]
    assert places(documents(GOLD), joined) == PLACES


def test_other_tokens_of_the_same_text_with_ids() -> None:
    assert places(documents(GOLD, **IDS), with_(PIECES, "id", IDS["id"])) == PLACES


def test_other_tokens_under_the_usual_protocol() -> None:
    result = spanscope.evaluate(documents(GOLD), PIECES)
    assert result.totals("spans.exact") == {"tp": 2, "pred": 2, "gold": 3}


# ---------------------------------------------------------------- labels by other names, schemes


def test_labels_by_other_names() -> None:
    found = counts(GOLD, PRED, mapping={"PER": "PERSON", "LOC": ""})
    assert found == {"PERSON": COUNTS["PER"]}
    assert counts(GOLD, PRED, mapping={"PER": "O", "LOC": "PLACE", "ORG": "X"}) == {"PLACE": COUNTS["LOC"]}
    assert counts(FRAME, mapping={"PER": "LOC"}) == {"LOC": {"tp": 2, "pred": 2, "gold": 3}}


WELL_FORMED = {  # X at 0..2, X at 2..3, Y at 4..5
    "IOB1": "I-X I-X B-X O I-Y",
    "IOB2": "B-X I-X B-X O B-Y",
    "IOE1": "I-X E-X I-X O I-Y",
    "IOE2": "I-X E-X E-X O E-Y",
    "IOBES": "B-X E-X S-X O S-Y",
    "BILOU": "B-X L-X U-X O U-Y",
    "BMES": "B-X E-X S-X O B-Y M-Y E-Y",
    "IO": "X X Y O Y",
}


@pytest.mark.parametrize("scheme", WELL_FORMED)
@pytest.mark.parametrize("given", [True, False])
def test_schemes(scheme: str, given: bool) -> None:
    tags = [WELL_FORMED[scheme].split()]
    result = spanscope.evaluate(
        tags, tags, "spans.exact", read=spanscope.Reading(scheme=scheme if given else None)
    )
    assert result.settings.tags.scheme == scheme
    assert not result.problems
    spans = [record["gold"] for record in result.matches()]
    found = [(span["label"], span["start"], span["end"]) for span in spans]
    last = ("Y", 4, 7 if scheme == "BMES" else 5)
    assert found == [("X", 0, 2), ("Y" if scheme == "IO" else "X", 2, 3), last]
    assert f"|scheme:{scheme}|" in result.signature()


# ---------------------------------------------------------------- measures and the command


@pytest.mark.parametrize("measure", NAMES)
def test_every_measure_of_spans_runs_on_tags(measure: str) -> None:
    """And gives what it gives on the spans themselves."""
    spans = [
        [{"id": i, "text": text, "spans": [s for s in own if s["end"] <= limit]} for i, (text, own, limit) in rows]
        for rows in (list(enumerate(zip(TEXTS, SPANS, limits, strict=True))) for limits in ((99, 99), (10, 99)))
    ]
    tags = (documents(GOLD, text=TEXTS), documents(PRED, text=TEXTS))
    assert counts(*tags, measure) == counts(*spans, measure)


SPANS = [
    [{"start": 0, "end": 10, "label": "PER"}, {"start": 15, "end": 18, "label": "PER"}],
    [{"start": 3, "end": 7, "label": "LOC"}],
]


@pytest.mark.parametrize(
    "protocol", ["spans", "pii", "presidio", "conll2003", "seqeval", "seqeval-strict", "semeval2013", "semeval"]
)
def test_every_protocol_runs_on_one_file(protocol: str) -> None:
    done = run("eval", write(Path("a.conll"), conll(GOLD, PRED)), "-p", protocol, "-f", "json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["settings"]["protocol"] == protocol
