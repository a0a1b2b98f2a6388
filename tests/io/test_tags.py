"""Tags and chunks: every rule against its plain twin, every scheme by hand, and there and back again."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from spanscope.errors import InputError
from spanscope.io.tokens.found_scheme import detect
from spanscope.io.tokens.schemes import RULES, SCHEMES, Chunks, Fault, chunks, tags_of_chunks
from tests.twins import tags as twin

PREFIXED = SCHEMES[1:]
Sentences = list[list[str]]
TYPES = ("", "-", "-X", "-Y", "-X-Y", "-_", "-X-", "--X")


def joined(sentences: Sentences) -> tuple[list[str], list[int]]:
    return [tag for sentence in sentences for tag in sentence], [len(sentence) for sentence in sentences]


def rows(found: Chunks) -> list[tuple[int, str, int, int]]:
    columns = (found.doc, found.label, found.first, found.last)
    return [(d, found.labels[c], a, b) for d, c, a, b in zip(*(col.tolist() for col in columns), strict=True)]


def read(sentences: Sentences, scheme: str, rule: str) -> tuple[list[twin.Found], list[Fault]]:
    """Return the chunks of each sentence, and the faults."""
    found, faults = chunks(*joined(sentences), scheme, rule)
    assert all(column.dtype == np.int64 for column in (found.doc, found.label, found.first, found.last))
    assert list(found.labels) == sorted({label for _, label, _, _ in rows(found)})
    out: list[twin.Found] = [[] for _ in sentences]
    for doc, *row in rows(found):
        out[doc].append((str(row[0]), int(row[1]), int(row[2])))
    return out, faults


def soups(prefixes: str, types: tuple[str, ...] = TYPES) -> st.SearchStrategy[Sentences]:
    """Draw sentences of tags in any order, with many that go together."""
    tags = st.builds(lambda prefix, kind: prefix + kind, st.sampled_from(prefixes), st.sampled_from(types))
    few = st.builds(lambda prefix, kind: prefix + kind, st.sampled_from(prefixes), st.sampled_from(("-X", "-Y")))
    return st.lists(st.lists(st.one_of(few, few, tags, st.just("O")), max_size=8), max_size=5)


@st.composite
def flat(draw: DrawFn, labels: tuple[str, ...] = ("X", "Y", "A-B", "_")) -> tuple[list[twin.Found], list[int]]:
    """Draw chunks that share no token, for some sentences, and the sizes of those."""
    found: list[twin.Found] = []
    sizes = draw(st.lists(st.integers(0, 9), max_size=5))
    for size in sizes:
        found.append([])
        at = 0
        while (at := at + draw(st.integers(0, 2))) < size:
            last = min(size, at + draw(st.integers(1, 3)))
            found[-1].append((draw(st.sampled_from(labels)), at, last))
            at = last
    return found, sizes


def as_chunks(found: list[twin.Found]) -> Chunks:
    labels = tuple(sorted({label for sentence in found for label, _, _ in sentence}))
    table = [(d, a, b, labels.index(name)) for d, sentence in enumerate(found) for name, a, b in sentence]
    return Chunks(*np.array(table, dtype=np.int64).reshape(-1, 4).T, labels)


def places(faults: list[Fault]) -> list[tuple[int, int]]:
    return [(fault.doc, fault.token) for fault in faults]


# ---------------------------------------------------------------- the rules against their twins

any_scheme = pytest.mark.parametrize("scheme", PREFIXED)


@given(sentences=soups("BIESLUMOXN.?"), scheme=st.sampled_from(SCHEMES))
@example(sentences=[["B-X"], ["X", "B-Y"], ["O", "X", "O-Y"], ["E-X", "N-X"]], scheme="IOB2")
def test_rule_seqeval(sentences: Sentences, scheme: str) -> None:
    found, faults = read(sentences, scheme, "seqeval")
    assert found == [twin.seqeval(sentence) for sentence in sentences]
    assert faults == []


@any_scheme
@given(data=st.data())
def test_rule_strict(scheme: str, data: st.DataObject) -> None:
    sentences = data.draw(soups("O" + "".join(twin.LETTERS[scheme]) * 3))
    found, faults = read(sentences, scheme, "strict")
    assert found == [twin.strict(sentence, scheme) for sentence in sentences]
    covered = {(d, i) for d, sentence in enumerate(found) for _, a, b in sentence for i in range(a, b)}
    lost = {(d, i) for d, s in enumerate(sentences) for i, tag in enumerate(s) if tag[0] != "O"} - covered
    assert set(places(faults)) <= lost
    assert places(faults) == sorted(set(places(faults)))
    assert bool(faults) == bool(lost)


@any_scheme
@given(sentences=soups("BIESLUMOX"))
def test_rule_conlleval(scheme: str, sentences: Sentences) -> None:
    found, faults = read(sentences, scheme, "conlleval")
    assert found == [twin.conlleval(sentence, scheme) for sentence in sentences]
    assert places(faults) == [(d, i) for d, s in enumerate(sentences) for i in twin.repaired(s, scheme)]
    assert all(fault.tag == sentences[fault.doc][fault.token] for fault in faults)


@given(sentences=soups("BIESO"))
def test_rule_conlleval_is_seqevals_default_on_its_own_prefixes(sentences: Sentences) -> None:
    assert read(sentences, "IOBES", "conlleval")[0] == read(sentences, "IOBES", "seqeval")[0]


@any_scheme
@given(sentences=soups("BIESLUMOX"))
def test_rule_discard(scheme: str, sentences: Sentences) -> None:
    found, faults = read(sentences, scheme, "discard")
    wanted = [twin.discard(sentence, scheme) for sentence in sentences]
    assert found == [kept for kept, _ in wanted]
    assert places(faults) == [(d, i) for d, (_, wrong) in enumerate(wanted) for i in wrong]


@pytest.mark.parametrize("rule", ["conlleval", "discard", "strict"])
@given(sentences=soups("BIOX"))
def test_scheme_io(rule: str, sentences: Sentences) -> None:
    assert read(sentences, "IO", rule) == ([twin.io(sentence) for sentence in sentences], [])


# ---------------------------------------------------------------- there and back


@any_scheme
@given(drawn=flat())
def test_well_formed_tags_survive_every_rule(scheme: str, drawn: tuple[list[twin.Found], list[int]]) -> None:
    found, sizes = drawn
    tags = tags_of_chunks(as_chunks(found), sizes, scheme)
    by_hand = [twin.written(sentence, size, scheme) for sentence, size in zip(found, sizes, strict=True)]
    assert tags == joined(by_hand)[0]
    for rule in ("conlleval", "discard"):
        assert read(by_hand, scheme, rule) == (found, [])
        assert tags_of_chunks(chunks(tags, sizes, scheme, rule)[0], sizes, scheme) == tags
    if scheme != "IOE1":  # seqeval does not read all of it
        assert read(by_hand, scheme, "strict") == (found, [])


@given(drawn=flat(("X", "Y", "B-X", "_")))
def test_io_there_and_back(drawn: tuple[list[twin.Found], list[int]]) -> None:
    found, sizes = drawn
    tags = tags_of_chunks(as_chunks(found), sizes, "IO")
    once = chunks(tags, sizes, "IO")[0]
    assert tags_of_chunks(once, sizes, "IO") == tags
    if not any(a[0] == b[0] and a[2] == b[1] for s in found for a, b in pairwise(s)):
        assert rows(once) == rows(as_chunks(found))


@any_scheme
@given(drawn=flat(("X", "Y", "A-B")))
def test_detect(scheme: str, drawn: tuple[list[twin.Found], list[int]]) -> None:
    found, sizes = drawn
    tags = tags_of_chunks(as_chunks(found), sizes, scheme)
    prefixes = {tag[0] for tag in tags}
    wanted = scheme
    if prefixes <= {"O"}:
        wanted = "IO"
    elif prefixes <= {"I", "O"}:
        wanted = "IOB1"
    elif scheme == "BMES" and "M" not in prefixes:
        wanted = "IOBES"
    assert detect(tags, sizes) == wanted
    assert rows(chunks(tags, sizes, wanted)[0]) == rows(as_chunks(found))


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        ("", "IO"),
        ("O O", "IO"),
        ("PERSON O", "IO"),
        ("B I O", "IO"),
        ("DATE-TIME O PERSON", "IO"),
        ("I-X O", "IOB1"),
        ("B-X O", "IOB2"),
        ("E-X O", "IOE2"),
        ("S-X O", "IOBES"),
        ("U-X O", "BILOU"),
        ("B-X M-X E-X", "BMES"),
        ("I-X E-X I-X", "IOE1"),
        ("I-X B-X I-X", "IOB1"),
        ("B-X I-X O B-X O I-X", "IOB2"),  # the fewest faults
    ],
)
def test_detect_by_hand(tags: str, scheme: str) -> None:
    assert detect(tags.split(), [len(tags.split())]) == scheme


# ---------------------------------------------------------------- by hand

WHERE = "at the start of a sentence"
ENDING = "at the end of a sentence"
IOB1_RIGHT = "a chunk starts with I- in IOB1, and with B- right after one of its type"
IOE1_RIGHT = "a chunk ends with I- in IOE1, and with E- right before one of its type"
CASES = [
    ("IOB2", "conlleval", "O I-PER I-PER", "PER 1 3", "1 I-PER after O: a chunk starts with B- in IOB2"),
    ("IOB2", "conlleval", "I-PER", "PER 0 1", f"0 I-PER {WHERE}: a chunk starts with B- in IOB2"),
    ("IOB2", "conlleval", "B-X I-Y", "X 0 1,Y 1 2", "1 I-Y after B-X: a chunk starts with B- in IOB2"),
    ("IOB2", "discard", "B-X I-Y I-Y", "X 0 1", "1 I-Y after B-X: a chunk starts with B- in IOB2"),
    ("IOB2", "strict", "B-X I-Y I-Y", "X 0 1", "1 I-Y after B-X: a chunk starts with B- in IOB2"),
    ("IOB2", "conlleval", "B-X E-X", "X 0 2", "1 E-X: a tag starts with B- or I- in IOB2, or is O"),
    ("IOB2", "conlleval", "PERSON O", "_ 0 1", "0 PERSON: a tag starts with B- or I- in IOB2, or is O"),
    (
        "IOB2",
        "discard",
        "B-X Q-X O-X B-Y",
        "Y 3 4",
        "1 Q-X: a tag starts with B- or I- in IOB2, or is O;2 O-X: O has no type",
    ),
    ("IOB1", "conlleval", "O B-X I-X B-X", "X 1 3,X 3 4", f"1 B-X after O: {IOB1_RIGHT}"),
    ("IOB1", "discard", "B-X I-X O I-X", "X 3 4", f"0 B-X {WHERE}: {IOB1_RIGHT}"),
    ("IOB1", "strict", "B-X I-X", "X 1 2", f"0 B-X {WHERE}: {IOB1_RIGHT}"),
    (
        "IOB1",
        "strict",
        "I-X B-X B-Y",
        "X 0 1",
        f"1 B-X after I-X: seqeval's strict IOB1 finds no chunk here;2 B-Y after B-X: {IOB1_RIGHT}",
    ),
    ("IOE1", "conlleval", "I-X E-X O", "X 0 2", f"1 E-X before O: {IOE1_RIGHT}"),
    ("IOE1", "conlleval", "I-X E-X I-X", "X 0 2,X 2 3", ""),
    ("IOE1", "discard", "I-X E-X I-Y", "Y 2 3", f"1 E-X before I-Y: {IOE1_RIGHT}"),
    ("IOE1", "strict", "E-X I-X", "X 1 2", f"0 E-X {WHERE}: seqeval's strict IOE1 finds no chunk here"),
    ("IOE2", "conlleval", "I-X I-X", "X 0 2", f"1 I-X {ENDING}: a chunk ends with E- in IOE2"),
    ("IOE2", "strict", "I-X E-Y", "Y 1 2", "0 I-X before E-Y: a chunk ends with E- in IOE2"),
    ("IOE2", "discard", "I-X E-Y", "Y 1 2", "0 I-X before E-Y: a chunk ends with E- in IOE2"),
    ("IOBES", "conlleval", "B-X O", "X 0 1", f"0 B-X {WHERE} and before O: a chunk of one token is S- in IOBES"),
    ("IOBES", "conlleval", "O I-X E-X", "X 1 3", "1 I-X after O: a chunk starts with B- in IOBES"),
    ("IOBES", "strict", "B-X I-X O", "", "1 I-X before O: a chunk ends with E- in IOBES"),
    ("IOBES", "discard", "I-X I-X S-Y", "Y 2 3", f"0 I-X {WHERE}: a chunk starts with B- in IOBES"),
    ("BILOU", "conlleval", "B-X L-X U-X U-X", "X 0 2,X 2 3,X 3 4", ""),
    ("BILOU", "conlleval", "O L-X O", "X 1 2", "1 L-X after O and before O: a chunk of one token is U- in BILOU"),
    ("BILOU", "conlleval", "B-X E-X", "X 0 2", "1 E-X: a tag starts with B-, I-, L- or U- in BILOU, or is O"),
    ("BMES", "conlleval", "M-X E-X", "X 0 2", f"0 M-X {WHERE}: a chunk starts with B- in BMES"),
    (
        "BMES",
        "strict",
        "B-X M-X E-X S-X M-X",
        "X 0 3,X 3 4",
        f"4 M-X after S-X and {ENDING}: a chunk of one token is S- in BMES",
    ),
    ("IO", "conlleval", "PERSON PERSON B-PERSON O O-X", "PERSON 0 2,B-PERSON 2 3,O-X 4 5", ""),
    ("IOB2", "strict", "B-PER- I-PER", "PER 0 2", ""),  # seqeval strips hyphens at both ends here
    ("IOB2", "seqeval", "B-PER- I-PER", "PER- 0 1,PER 1 2", ""),
    ("IOB2", "conlleval", "B-A-B I-A-B B I B-", "A-B 0 2,_ 2 4,_ 4 5", ""),
]


@pytest.mark.parametrize(("scheme", "rule", "tags", "wanted", "faults"), CASES)
def test_by_hand(scheme: str, rule: str, tags: str, wanted: str, faults: str) -> None:
    found, said = chunks(tags.split(), [len(tags.split())], scheme, rule)
    assert ",".join(f"{label} {a} {b}" for _, label, a, b in rows(found)) == wanted
    assert ";".join(f"{fault.token} {fault.what}" for fault in said) == faults


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("rule", RULES)
def test_nothing(scheme: str, rule: str) -> None:
    for sizes in ([], [0], [0, 0], np.zeros(0, dtype=np.int64)):
        found, faults = chunks([], sizes, scheme, rule)
        assert (rows(found), found.labels, faults) == ([], (), [])
        assert tags_of_chunks(found, sizes, scheme) == []
        assert detect([], sizes) == "IO"
    found, _ = chunks(["O", "O"], [0, 2, 0], scheme, rule)
    assert tags_of_chunks(found, [0, 2, 0], scheme) == ["O", "O"]


def test_chunks_end_with_their_sentence() -> None:
    found, faults = chunks(["B-X", "I-X", "I-X"], [0, 2, 0, 1], "IOB2")
    assert rows(found) == [(1, "X", 0, 2), (3, "X", 0, 1)]
    assert places(faults) == [(3, 0)]


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("tags", "sizes", "scheme", "rule", "what", "expected"),
    [
        (["B-X", "Q-X"], [2], "IOB2", "strict", "the tag 'Q-X' is not one of IOB2", "B- or I-, or O"),
        (["E-X"], [1], "BILOU", "strict", "the tag 'E-X' is not one of BILOU", "B-, I-, L- or U-, or O"),
        (["B-X", ""], [2], "IOB2", "conlleval", "a tag is ''", "a tag such as B-PER"),
        ([None], [1], "IO", "conlleval", "a tag is None", "a tag such as B-PER"),
        (["O"], [1, 1], "IOB2", "conlleval", "there are 1 tag for 2 tokens", "a tag for every token"),
        (["O"], [2, -1], "IOB2", "conlleval", "a sentence has -1 tokens", "sizes of 0 and more"),
        (
            [],
            [],
            "IOB",
            "strict",
            "there is no scheme 'IOB'; did you mean 'IOB2'?",
            f"one of {', '.join(SCHEMES)}",
        ),
        (
            [],
            [],
            "IO",
            "strikt",
            "there is no rule 'strikt'; did you mean 'strict'?",
            f"one of {', '.join(RULES)}",
        ),
    ],
)
def test_refused(tags: list[str], sizes: list[int], scheme: str, rule: str, what: str, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        chunks(tags, sizes, scheme, rule)
    assert (caught.value.what, caught.value.expected) == (what, expected)


@pytest.mark.parametrize(
    ("found", "scheme", "what"),
    [
        ([[("X", 0, 2), ("Y", 1, 3)]], "IOB2", "chunks share token 1 of sentence 0"),
        ([[("X", 0, 2), ("X", 0, 2)]], "IO", "chunks share token 0 of sentence 0"),
        ([[("X", 1, 1)]], "IOB2", "a chunk is at tokens 1 to 1 of sentence 0, which has 3"),
        ([[("X", 1, 4)]], "IOBES", "a chunk is at tokens 1 to 4 of sentence 0, which has 3"),
        ([[], [("X", 0, 1)]], "IOB1", "a chunk is at tokens 0 to 1 of sentence 1, which has 0"),
        ([[("O", 0, 1)]], "IO", "the label 'O' cannot be a tag of IO"),
        ([], "BIO", "there is no scheme 'BIO'; did you mean 'IO'?"),
    ],
)
def test_tagged_refuses(found: list[twin.Found], scheme: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        tags_of_chunks(as_chunks(found), [3], scheme)
    assert caught.value.what == what


def test_tagged_sorts() -> None:
    table = Chunks(*(np.array(column) for column in ([1, 0, 0], [0, 2, 0], [1, 3, 1], [0, 0, 1])), ("X", "Y"))
    assert tags_of_chunks(table, [3, 1], "IOBES") == ["S-Y", "O", "S-X", "S-X"]
