"""Live comparison with seqeval 1.2.2: how tags are read, well-formed or not, by default and in strict mode."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanscope.errors import InputError
from spanscope.io.tokens.schemes import chunks
from tests.support import needs

labeling = needs("seqeval.metrics.sequence_labeling")
schemes = needs("seqeval.scheme")
PREFIXES = {"IOB1": "IOB", "IOB2": "IOB", "IOE1": "IOE", "IOE2": "IOE", "IOBES": "IOBES", "BILOU": "BILOU"}
TYPES = ("-X", "-X", "-X", "-Y", "-Y", "", "-", "-X-Y", "-X-", "--X", "X", "_")
Sentences = list[list[str]]
Rows = list[tuple[int, str, int, int]]


def soups(prefixes: str) -> st.SearchStrategy[Sentences]:
    tags = st.builds(lambda prefix, kind: prefix + kind, st.sampled_from(prefixes), st.sampled_from(TYPES))
    return st.lists(st.lists(st.one_of(tags, tags, tags, st.just("O")), max_size=10), max_size=6)


def ours(sentences: Sentences, scheme: str, rule: str) -> Rows:
    tags = [tag for sentence in sentences for tag in sentence]
    found, _ = chunks(tags, [len(sentence) for sentence in sentences], scheme, rule)
    columns = (found.doc, found.label, found.first, found.last)
    return [(d, found.labels[c], a, b) for d, c, a, b in zip(*(col.tolist() for col in columns), strict=True)]


def default(sentences: Sentences) -> Rows:
    """Return what seqeval finds in each sentence; its ends are the last token inside."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a tag seems not to be one, for each
        found = [labeling.get_entities(sentence) for sentence in sentences]
    return [(doc, label, a, b + 1) for doc, each in enumerate(found) for label, a, b in each]


def strict(sentences: Sentences, scheme: str) -> Rows:
    entities = schemes.Entities(sentences, getattr(schemes, scheme)).entities
    return [(e.sent_id, e.tag, e.start, e.end) for each in entities for e in each]


@given(sentences=soups("BIESOLUMQ."))
def test_default(sentences: Sentences) -> None:
    assert ours(sentences, "IOB2", "seqeval") == default(sentences)


@given(sentences=soups("BIESO"))
def test_default_of_a_whole_corpus(sentences: Sentences) -> None:
    """With the prefixes it knows, seqeval finds the same in sentences one by one and one after the other."""
    places = [0]
    for sentence in sentences:
        places.append(places[-1] + len(sentence) + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = labeling.get_entities(sentences)
    mine = ours(sentences, "IOBES", "seqeval")
    assert [(label, places[doc] + a, places[doc] + b - 1) for doc, label, a, b in mine] == found


@pytest.mark.parametrize("scheme", PREFIXES)
@given(data=st.data())
def test_strict(scheme: str, data: st.DataObject) -> None:
    sentences = data.draw(soups(PREFIXES[scheme]))
    assert ours(sentences, scheme, "strict") == strict(sentences, scheme)


@pytest.mark.parametrize("scheme", PREFIXES)
@given(data=st.data())
def test_strict_refuses_what_seqeval_refuses(scheme: str, data: st.DataObject) -> None:
    sentences = data.draw(soups(PREFIXES[scheme] * 4 + "BIESOLUMQ"))
    try:
        wanted = strict(sentences, scheme)
    except (KeyError, ValueError):
        with pytest.raises(InputError, match=f"is not one of {scheme}"):
            ours(sentences, scheme, "strict")
    else:
        assert ours(sentences, scheme, "strict") == wanted


@given(sentences=soups("BIESO"))
def test_repair_is_seqevals_default(sentences: Sentences) -> None:
    """But a prefix is what is before the first hyphen, so tags such as BX are not tags here."""
    typed = [[tag for tag in sentence if tag[1:2] in ("", "-")] for sentence in sentences]
    assert ours(typed, "IOBES", "conlleval") == default(typed)
