"""What people see when tagged tokens are not what they should be: a sentence with a place, never a traceback."""

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.settings.options import grouped
from tests.cli import Done, refused, run, write
from tests.support import Json

GOOD = "Anna B-PER\nmet O\nBob B-PER\n\nYork B-LOC\n"
BOTH = "Anna B-PER B-PER\nmet O O\nBob B-PER O\n\nYork B-LOC B-LOC\n"
COUNTS = {"LOC": {"tp": 1, "pred": 1, "gold": 1}, "PER": {"tp": 1, "pred": 1, "gold": 2}}
SCHEMES = "  expected  IO, IOB1, IOB2, IOE1, IOE2, IOBES, BILOU, BMES\n"
COLUMNS = "  expected  token, tag, gold, pred with a number each\n  try       --columns token=0,gold=-2,pred=-1\n"
UNTAGGED = (
    "is neither JSON nor CoNLL: this line has no tag\n"
    "  expected  JSON, or a tag at the end of every line: O, or a prefix and a type such as B-PER\n"
    "  try       --input conll, or --columns token=0,tag=-1, for tokens with other tags or a header row\n"
)
RAGGED = "  expected  as many columns on every line, a blank line between sentences\n"
NUMBERS = (
    "a tag is the number 1, and nothing says which tag that is\n"
    "  expected  tags such as B-PER, or the names of the numbers\n"
    "  try       --tag-names O,B-PER,I-PER   with the names of all tags, in the order of their numbers from 0"
)
NO_PREDICTIONS = (
    "has no column of predictions\n"
    "  expected  token, gold tag and predicted tag on every line, or predictions in a second file\n"
)
TAGS = (
    "tags or ner_tags or gold or annotation or labels"
    " or predicted_tags or pred_tags or predictions or pred or prediction"
)
SAME_TEXT = "  expected  the same text cut into tokens, or the text or start_indices in every document\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with good files, so that messages name short paths."""
    monkeypatch.chdir(tmp_path)
    write(Path("good.conll"), GOOD)
    write(Path("both.conll"), BOTH)


def said(content: str | bytes | list[Any], *options: str, name: str = "bad.conll") -> str:
    """Return what `spanscope eval` says about gold in a bad file."""
    return refused(run("eval", write(Path(name), content), "good.conll", *options))


def documents(**fields: Any) -> list[Json]:
    return [{"tokens": ["a", "b"], "tags": ["B-X", "O"], **fields}]


def counts(gold: Any, pred: Any = None, measure: str = "spans.exact", **options: Any) -> Json:
    return spanscope.evaluate(gold, pred, measure, **grouped(options)).counts()


def figures(done: Done) -> Any:
    assert (done.code, done.err) == (0, "")
    return next(iter(json.loads(done.out)["counts"].values()))


# ---------------------------------------------------------------- files

FILES: dict[str, tuple[str | bytes, str]] = {
    "a column too few": ("a O\nb\n", f"bad.conll:2: {UNTAGGED}"),
    "a column too many": (
        "\na\tO\n\nb\tx\tO",
        f"bad.conll:4: a token has 3 columns, those before have 2\n{RAGGED}",
    ),
    "tabs and blanks": ("a\tO\nb O\n", f"bad.conll:2: {UNTAGGED}"),
    "Latin 1": (b"a O\nK\xf6ln O\n", "bad.conll:2: byte 0xf6 is not UTF-8\n  expected  UTF-8\n"),
    "too few sentences": (
        "Anna B-PER\nmet O\nBob B-PER\n",
        "bad.conll has 1 documents, good.conll has 2, and neither has ids\n"
        "  expected  as many documents on both sides, in the same order, or an id on each\n"
        "  try       --field id=NAME   if the ids stand under another name\n",
    ),
    "another word": (
        GOOD.replace("met", "saw"),
        f"good.conll:1: the tokens read 'Anna met Bob', those of gold 'Anna saw Bob'\n{SAME_TEXT}",
    ),
    "another word in the second sentence": (
        GOOD.replace("York", "Rome"),
        f"good.conll:5: the tokens read 'York', those of gold 'Rome'\n{SAME_TEXT}",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_files(name: str) -> None:
    content, message = FILES[name]
    assert said(content) == message


NO_TAGS = ["Anna\nmet\n", "# x = y\n"]


@pytest.mark.parametrize("content", ["-DOCSTART- -X- O O\n\n", *NO_TAGS])
def test_a_file_without_tags_says_so(content: str) -> None:
    """One column, comments, -DOCSTART- alone, nothing: no `from 0 to -1`."""
    message = said(content)
    assert message.startswith("bad.conll")
    assert ("has no tag\n" in message) == (content in NO_TAGS)
    assert "from 0 to -1" not in message
    assert "from 0 to -1" not in said(content, "--input", "conll")


HASH = "#hash\nAnna O\n"


@pytest.mark.parametrize("content", ["-DOCSTART-\n\nAnna O\n", HASH, "# a comment\nAnna B-PER\n"])
def test_first_lines_of_other_width(content: str) -> None:
    """A lone -DOCSTART- is a boundary, and a comment is one without = too, where no tag stands at its end."""
    assert counts(write(Path("a.conll"), content), "a.conll", scheme="IOB2") is not None


@pytest.mark.parametrize("content", ["a\tO\nb\t\n", "a\tB-X\t\nb\tO\t\n"])
def test_an_empty_tag_has_a_place(content: str) -> None:
    """A tab too many at the end of lines, or a tag that was forgotten: which line?"""
    assert said(content).startswith(f"bad.conll:{1 if content[2] == 'B' else 2}: ")


def test_a_tag_outside_the_scheme_has_a_place() -> None:
    message = said("a O\nb E-X\n", "--scheme", "IOB2", "--repair", "strict")
    assert message.startswith("bad.conll:2: the tag 'E-X' is not one of IOB2\n")


@pytest.mark.parametrize("files", [("-", "good.conll"), ("good.conll", "-"), ("-",)])
def test_standard_input(files: tuple[str, ...]) -> None:
    assert run("eval", *files, stdin=(GOOD if len(files) == 2 else BOTH).encode()).code == 0


def test_a_first_document_longer_than_what_is_looked_at() -> None:
    """Tags behind 65,536 characters of text are tags all the same."""
    one = {"text": "x" * 70_000, "tokens": ["x" * 70_000], "tags": ["B-X"]}
    assert counts(write(Path("long.jsonl"), [one]), "long.jsonl") == {"X": {"tp": 1, "pred": 1, "gold": 1}}


# ---------------------------------------------------------------- options

OPTIONS: dict[tuple[str, ...], str] = {
    ("--scheme", "IOB"): f"no scheme is called 'IOB'; did you mean 'IOB2'?\n{SCHEMES}",
    ("--repair", "fix"): "no rule of repair is called 'fix'\n  expected  conlleval, discard, strict, seqeval\n",
    ("--columns", "word=1"): f"the column 'word' is '1'\n{COLUMNS}",
    ("--columns", "tag=x"): f"the column 'tag' is 'x'\n{COLUMNS}",
    ("--columns", "pred=3"): (
        "both.conll: there is no column 3 for pred: the lines have 3\n"
        "  expected  a number from 0 to 2, or from -3 to -1\n"
        "  try       --columns token=0,tag=-1\n"
    ),
    ("-p", "seqeval", "--repair", "discard"): (
        "seqeval reads tags by the rules of the tool it copies\n  expected  no repair with it\n"
    ),
}


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_options_that_are_none(options: tuple[str, ...]) -> None:
    assert refused(run("eval", "both.conll", *options)) == OPTIONS[options]


@pytest.mark.parametrize("option", ["--map", "--columns"])
def test_options_without_a_value(option: str) -> None:
    assert f"{option} 'PER' is not of the form key=value" in refused(run("eval", "both.conll", option, "PER"))


def test_options_that_are_some() -> None:
    """Each moves the figures as it should: the columns swapped, labels renamed and left out, tags dropped."""
    form = ("-m", "spans.exact", "-f", "json")
    swapped = figures(run("eval", "both.conll", "--columns", "gold=2,pred=1", *form))
    assert swapped["PER"] == {"tp": 1, "pred": 2, "gold": 1}
    mapped = figures(run("eval", "both.conll", "--map", "PER=PERSON", "--map", "LOC=", *form))
    assert mapped == {"PERSON": COUNTS["PER"]}
    write(Path("n.json"), json.dumps([{"tokens": ["a", "b"], "ner_tags": [1, 0], "pred": [1, 1]}]))
    named = figures(run("eval", "n.json", "--tag-names", "O,B-X", *form))
    assert named == {"X": {"tp": 1, "pred": 2, "gold": 1}}
    in_runs = figures(run("eval", "both.conll", "--scheme", "IO", *form))
    assert set(in_runs) == {"B-PER", "B-LOC"}


ILL = "Anna I-PER B-PER\nmet O O\nBob B-PER O\n\nYork I-LOC I-LOC\n"


@pytest.mark.parametrize(("repair", "tp", "gold"), [("conlleval", 2, 3), ("discard", 0, 1), ("strict", 0, 1)])
def test_ill_formed_tags_are_reported_with_their_line(repair: str, tp: int, gold: int) -> None:
    """The gold column has two of them, on lines 1 and 5; the predictions one, on line 5."""
    path = write(Path("ill.conll"), ILL)
    result = spanscope.evaluate(
        str(path), None, "spans.exact", read=spanscope.Reading(scheme="IOB2", repair=repair)
    )
    start = "at the start of a sentence: a chunk starts with B- in IOB2"
    found = [f"ill.conll:1: I-PER {start}", f"ill.conll:5: I-LOC {start}", f"ill.conll:5: I-LOC {start}"]
    assert result.problems.first == {"ill-formed tag": found}
    assert (result.totals()["tp"], result.totals()["gold"]) == (tp, gold)


def test_strict_refuses_ill_formed_tags() -> None:
    write(Path("ill.conll"), ILL)
    message = refused(run("eval", "ill.conll", "--scheme", "IOB2", "--strict"))
    assert message.startswith(
        "ill.conll:1: I-PER at the start of a sentence: a chunk starts with B- in IOB2 (and 2"
    )


def test_one_file_needs_predictions() -> None:
    assert refused(run("eval", "good.conll")) == f"good.conll: {NO_PREDICTIONS}"


@pytest.mark.parametrize("gold", [[["B-X"]], {"token": ["a"], "annotation": ["X"]}])
def test_lists_and_frames_need_predictions(gold: Any) -> None:
    """Not a KeyError."""
    with pytest.raises(spanscope.InputError, match=r"^(there are no predictions|gold: has no column prediction)"):
        spanscope.evaluate(gold)


# ---------------------------------------------------------------- documents

DOCUMENTS: dict[str, tuple[list[Json], str]] = {
    "a tag too few": (documents(tags=["O"]), "2 tokens and 1 tags\n  expected  a tag for every token"),
    "no tags": (
        documents(tags=None, text="a b"),
        f"a document has no tags (it has tokens, tags, text)\n  expected  {TAGS}",
    ),
    "tags a text": (
        documents(tags="B-X O"),
        f"a document has no tags (it has tokens, tags)\n  expected  {TAGS}",
    ),
    "numbers": (documents(tags=[1, 0]), NUMBERS),
    "a token a number": (documents(tokens=["a", 5]), "a token is 5\n  expected  strings"),
    "start_indices short": (
        documents(start_indices=[0]),
        "start_indices is [0]\n  expected  a whole number for every token, growing",
    ),
    "tokens not in the text": (
        documents(text="b a"),
        "the token 'b' is not in the text after the one before\n"
        "  expected  tokens that occur in the text, in order, or start_indices",
    ),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name: str) -> None:
    bad, message = DOCUMENTS[name]
    write(Path("good.jsonl"), documents())
    done = run("eval", write(Path("bad.jsonl"), documents(text="a b") + bad), "good.jsonl")
    assert refused(done).rstrip() == f"bad.jsonl:2: {message}"


def test_documents_in_memory_are_named_by_number() -> None:
    with pytest.raises(spanscope.InputError) as error:
        spanscope.evaluate(documents(tags=["O"]), documents())
    assert str(error.value) == "gold[0]: 2 tokens and 1 tags\n  expected  a tag for every token"


def test_a_document_without_text_among_others_with_text() -> None:
    with pytest.raises(spanscope.InputError, match=r"^gold\[1\]: .*no text"):
        spanscope.evaluate(documents(text="a b") + documents(), documents() * 2)


@pytest.mark.parametrize("names", [["O", "B-X"], None])
def test_numbers_need_their_names(names: list[str] | None) -> None:
    with pytest.raises(spanscope.InputError, match="the tag 2 has no name" if names else "a tag is the number 2"):
        spanscope.evaluate(documents(tags=[2, 0]), documents(), read=spanscope.Reading(tag_names=names))


def test_ids_on_all_documents_and_both_sides() -> None:
    with pytest.raises(spanscope.InputError, match=r"^gold\[1\]: has no id, other documents have\n"):
        spanscope.evaluate(documents(id=1) + documents(), documents())
    with pytest.raises(spanscope.DocumentError, match="^pred has no document ids, gold has\n"):  # noqa: RUF043
        spanscope.evaluate(documents(id=1), documents())


def test_texts_that_differ_are_reported() -> None:
    result = spanscope.evaluate(documents(text="a b c"), documents(text="a b d"), "spans.exact")
    assert list(result.problems.number) == ["different texts"]


@pytest.mark.parametrize("starts", [5, [-1, 2], [0, 7], [2, 0], [1, 2], [True, 2]])
def test_start_indices_must_be_those_of_the_text(starts: Any) -> None:
    """No list, before the text, past its end, out of order, at other characters."""
    bad = documents(text="a b", start_indices=starts)
    with pytest.raises(spanscope.InputError, match=r"^gold\[0\]"):
        spanscope.evaluate(bad, bad, "spans.exact")


def test_start_indices_in_some_documents_only() -> None:
    """Not dropped without a word, which would move the span from 5..6 to 0..1."""
    some = documents(start_indices=[5, 7]) + documents()
    with pytest.raises(spanscope.InputError, match=r"^gold: some documents have start_indices and others"):
        spanscope.evaluate(some, some, "spans.exact")


@pytest.mark.parametrize("column", ["sentence_id", "token", "annotation", "prediction", "start_indices"])
def test_columns_of_unlike_length(column: str) -> None:
    frame = {"sentence_id": [0, 0], "token": ["a", "b"], "annotation": ["X", "O"], "prediction": ["X", "O"],
             "start_indices": [0, 2]}  # fmt: skip
    with pytest.raises(spanscope.InputError):
        spanscope.evaluate({**frame, column: frame[column][:1]})


@pytest.mark.parametrize("start", [float("nan"), "x", None])
def test_start_indices_of_a_frame(start: Any) -> None:
    with pytest.raises(spanscope.InputError, match="start_indices"):
        spanscope.evaluate({"token": ["a"], "annotation": ["X"], "prediction": ["X"], "start_indices": [start]})


# ---------------------------------------------------------------- odd tags

ODD = {"B-": "_", "-PER": "PER", "o": "_", " ": "_", "B-PER X": "PER X", "b-per": "per", "B_PER": "_", "I": "_"}


@pytest.mark.parametrize("tag", ODD)
def test_odd_tags(tag: str) -> None:
    """Beside tags of a scheme no tag but O is outside; what the scheme does not have is reported."""
    side = [[tag, "O", "B-X"]]
    result = spanscope.evaluate(side, side, "spans.exact")
    assert set(result.counts()) == {ODD[tag], "X"}
    assert bool(result.problems) == (tag not in ("B-", "B-PER X"))


def test_a_type_on_o_is_outside_and_reported() -> None:
    result = spanscope.evaluate([["O-PER", "B-X"]], [["O", "B-X"]], "spans.exact")
    assert set(result.counts()) == {"X"}
    assert result.problems.first == {"ill-formed tag": ["gold[0]: O-PER: O has no type"]}


@pytest.mark.parametrize("mapping", [{}, {"X": "*"}])
def test_a_label_cannot_be_the_star(mapping: dict[str, str]) -> None:
    """`*` stands for all labels together, and is refused in spans."""
    tags = [["B-X" if mapping else "B-*"]]
    with pytest.raises(spanscope.SpanscopeError, match="stands for all labels"):
        spanscope.evaluate(tags, tags, "spans.exact", read=spanscope.Reading(mapping=mapping))


# ---------------------------------------------------------------- two sides that do not fit

TAGGED = [{"text": "Anna b", "tokens": ["Anna", "b"], "tags": ["B-X", "O"]}]
SPANS = [{"text": "Anna b", "spans": [{"start": 0, "end": 4, "label": "X"}]}]


@pytest.mark.parametrize("swapped", [False, True])
def test_tags_on_one_side_and_spans_on_the_other(swapped: bool) -> None:
    """Both are places in the text. What needs tags on both sides is refused."""
    sides = (SPANS, TAGGED) if swapped else (TAGGED, SPANS)
    assert counts(*sides) == {"X": {"tp": 1, "pred": 1, "gold": 1}}
    with pytest.raises(spanscope.MeasureError, match="^tokens.accuracy needs tags on both sides"):  # noqa: RUF043
        counts(*sides, "tokens.accuracy")


@pytest.mark.parametrize("sides", [(TAGGED, SPANS), (SPANS, SPANS)])
def test_labels_by_other_names_are_so_on_both_sides(sides: tuple[Any, Any]) -> None:
    """A mapping is for both sides, and in the signature: it cannot be left out on one."""
    assert counts(*sides, mapping={"X": "Y"}) == {"Y": {"tp": 1, "pred": 1, "gold": 1}}


@pytest.mark.parametrize("pred", [[["B-X"]], [{"tokens": ["a"], "tags": ["B-X"]}]])
def test_lists_of_tags_beside_what_has_not_as_many(pred: Any) -> None:
    """Nothing can be said about spans in sentences of unlike length."""
    with pytest.raises(spanscope.InputError, match=r"^pred\[0\]: the sentence has 1 tags, that of gold has 2\n"):
        counts([["O", "B-X"]], pred)


@pytest.mark.parametrize("swapped", [False, True])
def test_lists_of_tags_take_the_tokens_of_the_other_side(swapped: bool) -> None:
    """Not token numbers beside places in a text: both are places."""
    sides: list[Any] = [[["O", "B-X"]], [{"tokens": ["Anna", "b"], "tags": ["O", "B-X"]}]]
    result = spanscope.evaluate(*(sides[::-1] if swapped else sides), "spans.exact")
    span = {"start": 5, "end": 6, "label": "X", "text": "b"}
    assert [(one["gold"], one["pred"]) for one in result.matches()] == [(span, span)]


def test_a_refusal_names_the_measure() -> None:
    with pytest.raises(spanscope.MeasureError, match="^tokens.accuracy needs"):  # noqa: RUF043
        counts(documents(), [{"tokens": ["ab"], "tags": ["B-X"]}], "tokens.accuracy")


# ---------------------------------------------------------------- spanscope check


def test_check_lists_ill_formed_tags() -> None:
    done = run("check", write(Path("ill.conll"), "a B-X\nb O\nc I-X\nd B-Y\ne B-X\n"))
    assert (done.code, done.out) == (1, "ill.conll:3: I-X after O: a chunk starts with B- in IOB2\n")
    assert done.err == "1 problem: 1 x ill-formed tag\n"
    done = run("check", write(Path("bad.conll"), "a O\nb x O\n"))
    assert (done.code, done.out) == (1, "bad.conll:2: a token has 3 columns, those before have 2\n")
    assert run("check", "good.conll", "good.conll").code == 0


def test_check_looks_at_both_columns_of_one_file() -> None:
    """The gold column is the one before the last."""
    done = run("check", write(Path("ill.conll"), "a B-X O\nb O O\nc I-X O\nd B-Y B-X\ne B-X B-X\n"))
    assert "ill.conll:3: I-X after O" in done.out


def test_check_knows_labels_of_tags() -> None:
    done = run("check", "good.conll", "--labels", "PER")
    assert "LOC" in done.out
