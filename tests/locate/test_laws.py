"""Laws of placing: what was cut from a text is found in it, rows are the text's own words, work grows linearly."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

import spanscope
from spanscope.locating.distances import WORK, breaks, distance, distances
from spanscope.locating.document import FOUND, place
from spanscope.locating.edges import is_edge
from spanscope.locating.folding import fold_quote, fold_text
from spanscope.locating.fuzzy import _settle_ends

WORDS = [
    "the",
    "pump",
    "Pump",
    "shall",
    "not",
    "stop",
    "5",
    "12.5",
    "café",
    "cafe\u0301",
    "Straße",
    "ﬁre",
    "本製品",
    "防水",
]
WORDS += [
    "קרא",
    "👍🏽",
    "&amp;",
    "-20",
    "C++",
    "don’t",
    "a_b",
    "x²",
    "İzmir",
    "(see",
    "3)",
    "“quoted”",
    "end.",
    "…",
    "\n",
    "\u00a0",
]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=30).map(" ".join)


@given(TEXTS, st.data())
def test_what_was_cut_at_word_edges_is_found(text: str, data) -> None:
    edges = [at for at in range(len(text) + 1) if is_edge(text, at)]
    start, end = sorted((data.draw(st.sampled_from(edges)), data.draw(st.sampled_from(edges))))
    quote = text[start:end].strip()
    (row,) = place(text, [{"quote": quote, "label": "A"}])
    if not fold_quote(quote):
        assert row.status == "empty"
        return
    assert row.status in FOUND
    assert fold_quote(text[row.start : row.end]) == fold_quote(quote)


@given(TEXTS, st.lists(st.tuples(TEXTS, st.sampled_from("AB"), st.none() | st.integers(-3, 200)), max_size=6))
def test_placed_rows_are_the_words_of_the_text_and_share_no_place(text: str, said) -> None:
    items = [{"quote": quote, "label": label, "start": start} for quote, label, start in said]
    found = spanscope.locate({"d": text}, [{"id": "d", "spans": items}])
    taken = set()
    for row in found.rows:
        assert (row.start is not None) == (row.status in FOUND)
        if row.start is not None:
            assert row.text == text[row.start : row.end]
            assert 0 <= row.start < row.end <= len(text)
            key = ((row.quote or "").strip(), row.label, row.start, row.end)
            assert key not in taken
            taken.add(key)
    assert sum(found.counts()[name] for name in found.counts() if name != "ambiguous") == len(items)
    assert found.corpus.size == len(items)


@settings(max_examples=25)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.randoms())
def test_order_of_documents_changes_nothing(texts: list[str], shuffled) -> None:
    documents = [{"id": str(at), "text": text} for at, text in enumerate(texts)]
    outputs = [{"id": str(at), "spans": [{"quote": text[:9], "label": "A"}] * 2} for at, text in enumerate(texts)]
    first = {(row.document, row.item): row[4:16] for row in spanscope.locate(documents, outputs).rows}
    shuffled.shuffle(documents)
    shuffled.shuffle(outputs)
    assert {(row.document, row.item): row[4:16] for row in spanscope.locate(documents, outputs).rows} == first


@given(TEXTS)
def test_the_map_of_a_skeleton_leads_back(text: str) -> None:
    folded = fold_text(text)
    assert folded.skeleton == fold_quote(text)
    assert all(0 <= a < b <= len(text) for a, b in zip(folded.start.tolist(), folded.end.tolist(), strict=True))


def plain_distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


SHORT = st.text("abc", max_size=14)


@given(SHORT, SHORT)
def test_distances_are_levenshtein(a: str, b: str) -> None:
    assert distance(a, b) == plain_distance(a, b)


@given(SHORT, SHORT, st.integers(0, 14))
def test_distances_to_every_stretch(pattern: str, text: str, most: int) -> None:
    """From the start to every end, and from anywhere; those beyond a bound may only be said to be beyond it."""
    for anywhere in (False, True):
        starts = [range(end + 1) if anywhere else (0,) for end in range(len(text) + 1)]
        wanted = [min(plain_distance(pattern, text[at:end]) for at in own) for end, own in enumerate(starts)]
        assert distances(pattern, text, anywhere=anywhere) == wanted
        bounded = distances(pattern, text, anywhere=anywhere, most=most)
        assert [min(own, most + 1) for own in bounded] == [min(own, most + 1) for own in wanted]


@given(SHORT, SHORT, st.integers(0, 5))
def test_broken_pieces_are_no_more_than_edits(pattern: str, text: str, most: int) -> None:
    least = min(distances(pattern, text, anywhere=True))
    assert breaks(pattern, text, most) <= min(least, most + 1)
    assert breaks(pattern, pattern + text, most) == 0


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join), st.data())
def test_a_place_that_stands_alone_needs_no_second_search(text: str, data) -> None:
    """The end of the first place with the fewest edits is the best end, where it ends a word."""
    folded = fold_text(text)
    quote = data.draw(st.text("abcdenopstu5 ", min_size=3, max_size=20))
    skeleton = fold_quote(quote)
    if not skeleton or not folded.skeleton:
        return
    scores = distances(skeleton, folded.skeleton, anywhere=True)
    least = min(scores)
    end = scores.index(least)
    if 2 * least < min(end, len(folded.skeleton) - end):
        settled = [
            _settle_ends(
                folded, skeleton, end, len(skeleton) // 4, ("", skeleton[-2:]), known, alone=known is not None
            )
            for known in (None, least)
        ]
        assert settled[0] == settled[1]


def test_a_quote_of_symbols_has_no_words() -> None:
    (row,) = place("Total: ∑∏∐ ≈ ∞", [{"quote": "∑∏∐∑∏∐∑∏", "label": "A"}])
    assert row.status == "not_found"


def test_digits_of_other_scripts_are_the_same_numbers() -> None:
    quotes = ("within ３０ days", "within ３１ days")
    rows = place("within 30 days of notice", [{"quote": quote, "label": "A"} for quote in quotes])
    assert [row.status for row in rows] == ["normalised", "not_found"]


def work(text: str, quote: str) -> int:
    WORK[0] = 0
    (row,) = place(text, [{"quote": quote, "label": "A"}])
    assert row.status == "fuzzy", row
    return WORK[0]


def prose(words: int, seed: int) -> list[str]:
    draw = random.Random(seed)
    return ["".join(draw.choices("etaoinshrdlu", k=draw.randint(2, 9))) for _ in range(words)]


def test_work_grows_linearly_with_text_and_quote() -> None:
    """Ten times the text is about ten times the work; a quote four times as long about four times the work."""
    long = prose(150_000, 1)
    tenth, whole = " ".join(long[:15_000]), " ".join(long)

    def slip(words: list[str]) -> str:
        return " ".join(
            word[:-1] + "z" if at % 40 == 20 and len(word) > 5 else word for at, word in enumerate(words)
        )

    assert len(whole) > 900_000
    short = slip(long[5000:5060])
    assert work(whole, short) <= 12 * work(tenth, short)
    quarter, full = slip(long[5000:5500]), slip(long[5000:7000])
    assert len(full) > 12_000
    assert work(tenth, full) <= 5 * work(tenth, quarter)


ODD = st.sampled_from(
    [
        "a",
        "é",
        "e\u0301",
        "\u0327",
        "\u200d",
        "ﬁ",
        "ß",
        "Ǆ",
        "İ",
        "👩",
        "🏽",
        "&amp;",
        "&fjlig;",
        "&",
        ";",
        " ",
        "قً",
        "本",
    ]
)


@given(st.lists(ODD, max_size=30).map("".join))
def test_texts_and_quotes_are_folded_alike(text: str) -> None:
    """Documents are folded by columns and quotes one by one: a quote of the whole text must find it."""
    folded = fold_text(text)
    assert folded.skeleton == fold_quote(text)
    assert len(folded.start) == len(folded.end) == len(folded.skeleton)
    assert all(0 <= start < end <= len(text) for start, end in zip(folded.start, folded.end, strict=True))
