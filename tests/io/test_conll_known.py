"""A file is CoNLL when every token has a tag, or when somebody says so; nothing else is scored as tags."""

import json
from pathlib import Path
from typing import Any

import pytest

import spanscope
from spanscope.io.detect import NAMES
from spanscope.io.tokens.found_scheme import detect
from spanscope.settings.options import grouped
from tests.cli import refused, run, write
from tests.support import Json

# Files of other kinds, with the first line that has no tag.
OTHERS: dict[str, tuple[str, int]] = {
    "prose.txt": ("Barack Obama was born in Hawaii.\nHe was a senator.\n", 1),
    "train.py": ('TRAIN = [\n    "Obama spoke",\n    [(0, 5, "PER")],\n]\n', 1),
    "grades.txt": ("q1 - d1 0.5\nq1 - d2 1.0\n", 1),  # no qrels: a number stands before the document there
    "plain.conll": ("Obama PERSON\nspoke O\n", 1),
    "plain.iob": ("spoke O\nObama PERSON\n", 2),
    "bare.bio": ("Obama B\nspoke O\n", 1),
    "words.conll": ("Obama\nspoke\n", 1),
    "lower.txt": ("Obama b-per\nspoke o\n", 1),
}
SAY = "try       --input conll, or --columns token=0,tag=-1, for tokens with other tags or a header row\n"
PERSON = {"PERSON": {"tp": 1, "pred": 1, "gold": 1}}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of its own, so that messages name short paths."""
    monkeypatch.chdir(tmp_path)


def counts(gold: Any, pred: Any = None, measure: str = "spans.exact", **options: Any) -> Json:
    return spanscope.evaluate(gold, pred, measure, ci=False, **grouped(options)).counts()


def written(name: str, text: str) -> str:
    return str(write(Path(name), text))


# ---------------------------------------------------------------- what is not CoNLL


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(
    "command",
    [
        "eval {0} {0}",
        "eval {0} {0} -m spans.exact",
        "eval {0} {0} -p conll2003",
        "eval {0} {0} -p pii",
        "compare {0} a={0} b={0} -m spans.exact",
        "check {0}",
        "check {0} {0}",
        "agree {0} {0}",
        "report {0} {0} -m spans.exact",
    ],
)
def test_files_that_are_not_scored_as_tags(name: str, command: str) -> None:
    text, line = OTHERS[name]
    path = written(name, text)
    message = refused(run(*command.format(path).split()))
    assert message.startswith(f"{name}:{line}: is neither JSON nor CoNLL: this line has no tag\n")
    assert message.endswith(SAY)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("command", ["eval", "report"])
def test_one_file_alone(name: str, command: str) -> None:
    message = refused(run(command, written(name, OTHERS[name][0])))
    assert "PRED is missing" in message
    assert "--input conll" in message.replace("│", " ")


@pytest.mark.parametrize("name", OTHERS)
def test_in_python(name: str) -> None:
    path = written(name, OTHERS[name][0])
    for call in (
        lambda: spanscope.evaluate(path, path),
        lambda: spanscope.evaluate(Path(path), Path(path), "tokens.accuracy"),
        lambda: spanscope.check(path, path),
        lambda: spanscope.agree(path, path),
        lambda: spanscope.compare(path, path, path),
        lambda: spanscope.panel(path),
    ):
        with pytest.raises(spanscope.InputError, match="is neither JSON nor CoNLL"):
            call()


def test_brat_offsets_are_not_lost() -> None:
    """Both sides quote the same text, at other places: once F1 was 1."""
    gold, pred = (written(f"{at}.ann", f"T1\tPER {at} {at + 12}\tBarack Obama\n") for at in (0, 50))
    assert counts(gold, pred) == {"PER": {"tp": 0, "pred": 1, "gold": 1}}


def test_a_scheme_without_tags_says_how_to_read_them() -> None:
    path = written("plain.conll", OTHERS["plain.conll"][0])
    assert refused(run("eval", path, path, "--scheme", "IO")).endswith(SAY)
    with pytest.raises(spanscope.InputError, match="--input conll"):
        spanscope.evaluate(path)


# ---------------------------------------------------------------- what is


@pytest.mark.parametrize("prefix", "BILUSEM")
@pytest.mark.parametrize("name", ["a.conll", "a.txt", "a.tsv", "a"])
def test_tags_are_enough_whatever_the_name(prefix: str, name: str) -> None:
    path = written(name, f"Anna {prefix}-PER-x\nmet O\n")
    assert counts(path, path) == {"PER-x": {"tp": 1, "pred": 1, "gold": 1}}
    assert run("check", path).err in ("no problems\n", "1 problem: 1 x ill-formed tag\n")


def test_ill_formed_tags_are_reported() -> None:
    done = run("check", written("a.txt", "Anna B-X\nmet O\nBob I-X\nthe O-X\n"))
    assert done.out.splitlines() == [
        "a.txt:3: I-X after O: a chunk starts with B- in IOB2",
        "a.txt:4: O-X: O has no type",
    ]


@pytest.mark.parametrize("bracket", ["[", "{"])
def test_the_first_token_may_be_a_bracket(bracket: str) -> None:
    path = written("a.conll", f"{bracket} O\nAnna B-X\n")
    assert counts(path, path) == {"X": {"tp": 1, "pred": 1, "gold": 1}}


@pytest.mark.parametrize("indent", [None, 1])
def test_json_that_ends_with_what_looks_like_a_tag(indent: int | None) -> None:
    """The interstate I-95 is no tag."""
    text = json.dumps([{"spans": [{"start": 3, "end": 7, "label": "ROAD"}], "text": "on I-95"}], indent=indent)
    path = written("a.json", text)
    assert counts(path, path) == {"ROAD": {"tp": 1, "pred": 1, "gold": 1}}
    one = written("b.jsonl", '{"id": 1, "spans": [], "text": "on I-95"}\n')
    assert spanscope.evaluate(one, one, "spans.exact", ci=False).totals()["gold"] == 0


def test_one_file_needs_two_columns_of_tags() -> None:
    """A part of speech is no gold tag: once this scored NNP against B-PER."""
    path = written("pos.conll", "Anna NNP B-PER\nmet VBD O\n")
    assert refused(run("eval", path)).startswith("pos.conll: has no column of predictions\n")
    assert run("check", path).err == "no problems\n"
    assert counts(path, path) == {"PER": {"tp": 1, "pred": 1, "gold": 1}}


LONG = "word O\n" * 20_000  # 140,000 bytes, more than is looked at to tell what a file is


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("Total 17", "has no tag"),
        ("Anna PERSON", "has no tag"),
        ("Total", "a token has 1 columns, those before have 2"),
        ("Anna NNP B-PER", "a token has 3 columns, those before have 2"),
    ],
)
@pytest.mark.parametrize("more", ["", "\n", "\nlast O\n"])
def test_a_later_line_without_a_tag(line: str, what: str, more: str) -> None:
    path = written("a.txt", LONG + line + more)
    assert refused(run("eval", path, path)).startswith(f"a.txt:20001: {what}\n")
    done = run("check", path)
    assert (done.code, done.out) == (1, f"a.txt:20001: {what}\n")


def test_a_later_empty_tag() -> None:
    path = written("a.txt", LONG.replace(" ", "\t") + "Anna\t\n")
    assert refused(run("eval", path, path)).startswith("a.txt:20001: has no tag\n")


def test_a_later_line_without_a_predicted_tag() -> None:
    path = written("a.txt", LONG.replace("O", "O O") + "Anna PERSON O\n")
    assert refused(run("eval", path)).startswith("a.txt:20001: has no tag\n")


# ---------------------------------------------------------------- what somebody says is CoNLL

PLAIN = "Anna PERSON\nSmith PERSON\nmet O\n\nrome CITY\n"
WANTED = {"PERSON": {"tp": 1, "pred": 1, "gold": 1}, "CITY": {"tp": 1, "pred": 1, "gold": 1}}
SAID: list[Json] = [
    {"input": "conll"},
    {"columns": {"token": 0, "tag": 1}},
    {"columns": {"tag": "-1"}, "input": "conll"},
]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("name", ["a.conll", "a.txt"])
def test_plain_types(said: Json, name: str) -> None:
    """A run of equal types is a span."""
    path = written(name, PLAIN)
    result = spanscope.evaluate(path, path, "spans.exact", ci=False, **grouped(said))
    assert (result.counts(), result.settings.tags.scheme) == (WANTED, "IO")
    assert spanscope.evaluate(path, path, ci=False, **grouped(said)).settings.protocol.name == "spans"
    assert spanscope.check(path, path, **grouped(said)) == []
    assert spanscope.agree(path, path, measures=["f1"], **grouped(said)).value("f1") == 1
    assert (
        spanscope.compare(path, ("a", path), ("b", path), measures="spans.exact", **grouped(said))
        .value("f1")
        .value
        == 1
    )


@pytest.mark.parametrize("said", ["--input conll", "--columns token=0,tag=-1"])
def test_plain_types_at_the_command_line(said: str) -> None:
    path, options = written("a.txt", PLAIN), said.split()
    done = run("eval", path, path, *options, "-m", "spans.exact", "-f", "json", "--no-ci")
    assert json.loads(done.out)["counts"]["spans.exact(duplicates=list)"] == WANTED
    assert json.loads(done.out)["settings"]["input"] == ("conll" if "input" in said else None)
    assert run("check", path, path, *options).err == "no problems\n"
    assert run("compare", path, f"a={path}", f"b={path}", *options).code == 0
    assert run("agree", path, path, *options, "-m", "f1").code == 0
    assert run("report", path, path, *options, "-o", "r.html").code == 0
    assert run("plot", "labels", path, path, *options, "-o", "r.svg").code == 0
    assert run("plot", "compare", path, f"a={path}", f"b={path}", *options, "-o", "r.svg").code == 0


@pytest.mark.parametrize("protocol", ["tokens", "pii", "presidio", "conll2003", "semeval2013"])
def test_one_file_of_plain_types(protocol: str) -> None:
    path = written("both.txt", "Anna PERSON PERSON\nmet O O\n")
    done = run("eval", path, "--input", "conll", "-p", protocol, "-f", "json", "--no-ci")
    assert (done.code, done.err) == (0, "")
    assert run("agree", path, "--input", "conll", "-m", "f1").code == 0


def test_plain_types_beside_spans_in_json() -> None:
    """Columns are those of the CoNLL file; the other side is JSON, and is read as such."""
    gold = written("a.txt", "Anna PERSON\nmet O\n")
    pred = str(
        write(Path("p.jsonl"), [{"text": "Anna met", "spans": [{"start": 0, "end": 4, "label": "PERSON"}]}])
    )
    assert counts(gold, pred, columns={"tag": 1}) == PERSON
    assert counts(pred, gold, columns={"tag": 1}) == PERSON


def test_what_is_said_goes_before_what_it_looks_like() -> None:
    """Numbers in the second and the last of four columns are judgements of TREC, unless columns are named."""
    path = written("a.txt", "Anna 1 PER 7\nmet 2 O 8\n")
    result = spanscope.evaluate(path, path, read=spanscope.Reading(columns={"tag": 2}), ci=False)
    assert (result.settings.protocol.name, result.counts("spans.exact")) == ("spans", {"PER": PERSON["PERSON"]})
    assert spanscope.check(path, read=spanscope.Reading(columns={"tag": 2})) == []
    assert (
        spanscope.agree(path, path, measures=["f1"], read=spanscope.Reading(columns={"tag": 2})).value("f1") == 1
    )


def test_inputs_that_nothing_reads() -> None:
    path = written("a.conll", "Anna B-PER\n")
    listed = f"one of the {len(NAMES)} formats that `spanscope formats` lists"
    want = f"no input is called 'conl'; did you mean 'conll'?\n  expected  {listed}\n"
    for command in (["eval", path, path], ["check", path], ["agree", path, path], ["compare", path, path, path]):
        assert refused(run(*command, "--input", "conl")) == want
    with pytest.raises(spanscope.MeasureError, match=r"^no input is called 'nothing'\n  expected  one of"):
        spanscope.evaluate(path, path, read=spanscope.Reading(input="nothing"))


def test_results_of_the_same_gold_can_be_compared_however_it_was_told() -> None:
    path = written("a.conll", "Anna B-PER\nmet O\n")
    for name, options in (("a.json", []), ("b.json", ["--input", "conll"])):
        assert run("eval", path, path, *options, "-m", "spans.exact", "--keep", "-o", name).code == 0
    assert run("compare", "a.json", "b.json").code == 0


def test_an_input_that_would_not_be_heeded() -> None:
    path = written("a.conll", "Anna B-PER\n")
    tags = [["B-PER"]]
    for call in (spanscope.evaluate, spanscope.check, spanscope.agree):
        with pytest.raises(spanscope.MeasureError, match=r"^input says what a file is, and there is none"):
            call(tags, tags, read=spanscope.Reading(input="conll"))
    with pytest.raises(spanscope.MeasureError, match=r"^input is for tagged tokens, and there are none"):
        spanscope.evaluate(path, path, protocol="segments", read=spanscope.Reading(input="conll"))
    spans = str(write(Path("s.jsonl"), [{"id": 1, "spans": []}]))
    with pytest.raises(spanscope.MeasureError, match=r"^columns has no effect on spans"):
        spanscope.check(spans, read=spanscope.Reading(columns={"tag": 1}))
    with pytest.raises(spanscope.MeasureError, match="there are none"):
        spanscope.agree(spans, spans, read=spanscope.Reading(columns={"tag": 1}))


# ---------------------------------------------------------------- header rows

ONE = {"PER": {"tp": 1, "pred": 1, "gold": 1}}


@pytest.mark.parametrize("said", ["--input conll", "--columns token=0,tag=1"])
@pytest.mark.parametrize("header", ["token\ttag", "Word\tLabel", "TOKEN\tNER"])
def test_a_header_row_is_no_token(said: str, header: str) -> None:
    path = written("a.bio", f"{header}\nAnna\tB-PER\nmet\tO\n")
    done = run("eval", path, path, *said.split(), "-m", "spans.exact", "-f", "json", "--no-ci")
    assert (done.code, done.noted) == (
        0,
        "data problems: 1 x same file (1 document scored): a.bio: gold and predictions are the same file\n",
    )
    found = json.loads(done.out)
    assert (found["counts"]["spans.exact(duplicates=list)"], [*found["problems"]["number"]]) == (
        ONE,
        ["same file"],
    )


def test_a_header_row_over_two_columns_of_tags_and_over_plain_types() -> None:
    both = written("both.tsv", "token\tgold\tpred\nAnna\tB-PER\tB-PER\nmet\tO\tO\n")
    assert counts(both, input="conll") == ONE
    plain = written("plain.tsv", "word\ttag\nAnna\tPERSON\nmet\tO\n")
    assert counts(plain, plain, input="conll") == PERSON
    more = written("more.tsv", "Sentence\tWord\tPOS\tTag\n1\tAnna\tNNP\tB-PER\n1\tmet\tVBD\tO\n")
    assert counts(more, more, columns={"token": 1, "tag": 3}) == ONE


def test_a_first_line_that_alone_has_no_tag_is_refused() -> None:
    """It may be a header row with other names, or a mistake."""
    path = written("a.bio", "Wort\tNE\nAnna\tB-PER\nmet\tO\n")
    message = refused(run("eval", path, path, "--input", "conll"))
    assert message.startswith(
        "a.bio:1: only the first line has no tag, and it does not have the names of a header"
    )


@pytest.mark.parametrize("text", ["Anna PERSON\nmet O\n", "word tag\nlast tag\n", "token label\n"])
def test_a_first_line_that_may_be_a_token_is_one(text: str) -> None:
    """Types without a prefix, a name that is a type elsewhere, a file of one line."""
    path = written("a.txt", text)
    assert sum(row["gold"] for row in counts(path, path, input="conll").values()) == 1


# ---------------------------------------------------------------- a type that looks like a prefix and a type


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        ("E-MAIL E-MAIL O PERSON", "IO"),
        ("E-MAIL PERSON IP-ADDRESS S-BAHN", "IO"),
        ("E-MAIL O-X PERSON", "IO"),
        ("E-MAIL O", "IOE2"),  # nothing says that it is none
        ("E-PER PER", "IOE2"),  # a prefix was forgotten
        ("B-PER PERSON", "IOB2"),
        ("U-PER O", "BILOU"),
        ("B E-X", "IOB2"),  # a type was forgotten
    ],
)
def test_the_scheme_of_plain_types(tags: str, scheme: str) -> None:
    found = detect(tags.split(), [len(tags.split())])
    assert found == scheme


def test_e_mail_among_plain_types() -> None:
    """Two words of one address are one span of E-MAIL, not two of MAIL."""
    path = written("a.txt", "anna E-MAIL\n@x.org E-MAIL\nmet O\nBob PERSON\n")
    assert counts(path, path, input="conll") == {"E-MAIL": PERSON["PERSON"], **PERSON}


# ---------------------------------------------------------------- tokens that start with #


@pytest.mark.parametrize("tab", [" ", "\t"])
@pytest.mark.parametrize("first", [False, True])
def test_a_hash_with_the_columns_and_tags_of_a_token_is_one(tab: str, first: bool) -> None:
    """Gold has two LOC, of which one is found: recall is 0.5."""
    lines = ["Rome NNP B-LOC B-LOC", "# x=y B-LOC O"]
    text = "\n\n".join(lines[::-1] if first else lines) + "\n"
    path = written("a.conll", text.replace(" ", tab))
    result = spanscope.evaluate(path, None, "spans.exact", ci=False)
    assert (result.value("recall"), result.counts()) == (0.5, {"LOC": {"tp": 1, "pred": 1, "gold": 2}})


COMMENTS = ["# text = Rome", "# newdoc", "#", "# sent_id = 1", "#hash", "# id = d1 O O O", "# B-LOC O", "# a b c"]


@pytest.mark.parametrize("tab", [" ", "\t"])
@pytest.mark.parametrize("comment", COMMENTS)
@pytest.mark.parametrize("where", [0, 1])
def test_other_lines_with_a_hash_are_comments(tab: str, comment: str, where: int) -> None:
    """Three columns, or no tags in the last two of four: `# text = Rome` has four, and `=` is no tag."""
    lines = ["Rome NNP B-LOC B-LOC".replace(" ", tab)]
    lines.insert(where, comment)
    assert counts(written("a.conll", "\n".join(lines) + "\n")) == {"LOC": {"tp": 1, "pred": 1, "gold": 1}}


def test_hashes_alone() -> None:
    """Tokens where every line has the columns and tags of one; else comments, of a script about the I-95."""
    path = written("a.conll", "#Rome B-LOC\n# O\n")
    assert counts(path, path) == {"LOC": {"tp": 1, "pred": 1, "gold": 1}}
    path = written("a.py", "# Roads.\n# The longest is I-95\n")
    assert refused(run("eval", path, path)).startswith("a.py:1: is neither JSON nor CoNLL")


def test_a_hash_with_a_plain_type() -> None:
    """A type that other lines have is a tag; another word is not, and the line is a comment."""
    path = written("a.txt", "Rome CITY\nmet O\n#one CITY\n# newdoc\n#two O\n")
    result = spanscope.evaluate(path, path, "spans.exact", read=spanscope.Reading(input="conll"), ci=False)
    assert result.counts() == {"CITY": {"tp": 2, "pred": 2, "gold": 2}}


def test_a_tab_in_a_comment_does_not_part_the_columns() -> None:
    path = written("a.conll", "# text =\tRome\nRome B-LOC\n")
    assert counts(path, path) == {"LOC": {"tp": 1, "pred": 1, "gold": 1}}


def test_json_is_not_read_as_conll_because_somebody_said_so(tmp_path: Path) -> None:
    """The option is for all files of a run, and one of them may be JSON."""
    path = tmp_path / "g.jsonl"
    path.write_text('{"id": 1, "spans": [{"start": 0, "end": 1, "label": "B"}]}\n', encoding="utf-8")
    with pytest.raises(spanscope.MeasureError, match="input is for tagged tokens, and there are none"):
        spanscope.evaluate(path, path, read=spanscope.Reading(input="conll"))


def test_chunks_and_names_of_one_file_are_no_gold_and_predictions(tmp_path: Path) -> None:
    """CoNLL-2003 has phrases in its third column, and no predictions."""
    path = tmp_path / "conll2003.txt"
    path.write_text("EU NNP B-NP B-ORG\nrejects VBZ B-VP O\n", encoding="utf-8")
    with pytest.raises(spanscope.InputError, match="have no type in common"):
        spanscope.evaluate(path)
    found = spanscope.evaluate(
        path, measures="spans.exact", read=spanscope.Reading(columns={"gold": -2, "pred": -1}), ci=False
    )
    assert found.totals() == {"tp": 0, "pred": 1, "gold": 2}  # EU and rejects are phrases, EU alone is a name
    both = tmp_path / "both.txt"
    both.write_text("EU NNP B-NP B-ORG B-ORG\nrejects VBZ B-VP O O\n", encoding="utf-8")
    assert spanscope.evaluate(both, ci=False).value("f1") == 1.0


def test_named_columns_have_no_header_that_is_missing_names(tmp_path: Path) -> None:
    """The first token has a plain type, all others have what could be tags."""
    path = tmp_path / "plain.txt"
    path.write_text("EU ORG\nrejects O\nx E-MAIL\n", encoding="utf-8")
    with pytest.raises(spanscope.InputError, match="only the first line has no tag"):
        spanscope.evaluate(path, path, read=spanscope.Reading(input="conll"))
    found = spanscope.evaluate(
        path, path, read=spanscope.Reading(columns={"token": 0, "tag": -1}, scheme="IO"), ci=False
    )
    assert set(found.counts()) >= {"ORG", "E-MAIL"}
