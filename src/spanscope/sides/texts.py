"""The texts of documents and of their spans, held against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from spanscope.arithmetic import Ints
from spanscope.data.corpus import NOWHERE, Corpus, Spans, Texts
from spanscope.data.problems import Problem, problem_at, words_of
from spanscope.data.unicode_forms import differs_in_form, forms_of
from spanscope.errors import InputError, MeasureError, may_quote_now, plural
from spanscope.io.offsets import option_of_reading
from spanscope.io.spans.texts import Quoting, problem_of

FEWEST, TENTH = 2, 10  # documents with other texts that are refused: so many at least, and more than one in ten
CASES = 20  # spans that are tried by other readings of their offsets: no more are shown
LONGEST = 2_000_000_000  # characters of spans that are cut out of their documents at once: 2 GB and more


def document_texts(
    gold: Corpus, pred: Corpus, rows_gold: Ints, rows_pred: Ints, problems: list[Problem]
) -> Texts | None:
    """Return the text of every document (gold's, else pred's), and note where the two differ.

    A byte order mark, line ends and white space at the end make no difference where they move no span.
    """
    sides = [
        _texts_at(corpus, rows)
        for corpus, rows in ((gold, rows_gold), (pred, rows_pred))
        if corpus.texts is not None
    ]
    if not sides:
        return None
    texts = sides[0]
    if len(sides) == 2 and len(differ := np.flatnonzero(texts != (other := sides[1]))):
        texts = texts.copy()  # it may be gold's own
        for row in differ.tolist():
            if texts[row] is None:
                texts[row] = other[row]
            elif other[row] is not None and not _same_places(
                texts[row], other[row], _last_end(gold, rows_gold[row]), _last_end(pred, rows_pred[row])
            ):
                there, here = gold.where(int(rows_gold[row])), pred.where(int(rows_pred[row]))
                own = forms_of(other[row], texts[row]) if differs_in_form(texts[row], other[row]) else {}
                problems.append(problem_at("different texts", here, {"there": there, **own}, side="pred"))
    return texts


def _last_end(corpus: Corpus, row: int) -> int:
    """Return where the last span of a document ends."""
    own = slice(*np.searchsorted(corpus.spans.doc, [row, row + 1]).tolist())
    return int(corpus.spans.end[own].max(initial=0))


def _same_places(one: str, other: str, *ends: int) -> bool:
    """Tell whether two texts differ only in a byte order mark, line ends and white space after the last span.

    Offsets are compared as they are, so a character more or less counts unless every span ends before it.
    """
    if _bare(one) != _bare(other):
        return False
    last = max(ends)
    return one[:last].replace("\r", "\n") == other[:last].replace("\r", "\n")


def _bare(text: str) -> str:
    """Return a text without byte order mark and white space at the end, its lines ended by one character."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").rstrip()


def refuse_different_texts(first: Problem, number: int, shared: int, whose: str = "gold") -> None:
    """Refuse predictions for other texts than gold's, which is the wrong gold; a few slips are only reported."""
    if number < FEWEST or TENTH * number <= shared:
        return
    how, hint = "", "[[allow_different_texts]]   to score them by their offsets all the same"
    if form := first.values.get("form"):
        how = f", this one in the Unicode form {form} instead of {first.values['other']}"
        hint = f'unicodedata.normalize("NFC", text)   on both sides, before spans are made; {hint}'
    raise InputError(
        f"{number:,} of {plural(shared, 'document')} have another text than {whose} has{how} "
        f"(this one at {first.values['there']})",
        where=first.where,
        expected="gold and predictions for the same texts" if whose == "gold" else "the same texts on all sides",
        hint=hint,
    )


def refuse_misplaced(cases: Sequence[Problem], number: int, spans: int) -> None:
    """Refuse spans that mostly have other texts than their documents at their offsets; a few are only reported."""
    if number < FEWEST or TENTH * number <= spans:
        return
    option = option_that_fits(cases)
    raise InputError(
        f"{number:,} of {plural(spans, 'span')} have another text than their document has at their offsets "
        f"(this one: {words_of(cases[0], may_quote_now())})",
        where=cases[0].where,
        expected="offsets that fit the texts of the spans",
        hint=f"[[{option}]]   with which they fit"
        if option
        else "[[allow_different_texts]]   to score them by their offsets all the same",
    )


def option_that_fits(cases: Sequence[Problem]) -> str:
    """Return the option with which the texts of misplaced spans would all fit, or nothing."""
    found = {option_of_reading(str(case.values.get("fits", ""))) for case in cases}
    return found.pop() if len(found) == 1 else ""


def check_span_texts(spans: Spans, corpus: Corpus, rows: Ints, texts: Texts, problems: list[Problem]) -> Spans:
    """Hold spans against the text that only the other side has of their document: the reader could not.

    Offsets past its end are refused; a text that is not the document's is noted, and kept as the span's quote.
    """
    if corpus.all_texts and (rows >= 0).all():
        return spans
    own = np.full(len(rows), None, dtype=object) if corpus.texts is None else _texts_at(corpus, rows)
    lent = np.asarray(own == None)  # noqa: E711  elementwise on objects
    if not lent.any():
        return spans
    lent &= np.asarray(texts != None)  # noqa: E711
    todo = np.flatnonzero(lent[spans.doc] & spans.located)
    if not len(todo):
        return spans
    if len(todo) == len(spans) and _fit(spans, texts):
        return replace(spans, text=None, all_text=True)
    _refuse_too_much(spans, todo)
    text, quoted = (
        np.full(len(spans), None, dtype=object) if own is None else own.copy() for own in (spans.text, spans.quote)
    )
    number = spans.extra.get("number", spans.position - np.searchsorted(corpus.spans.doc, rows[spans.doc]))
    for row in todo.tolist():
        whole, start, end = texts[spans.doc[row]], int(spans.start[row]), int(spans.end[row])
        where, at = corpus.where(int(rows[spans.doc[row]])), f"spans[{number[row]}]"
        if end > len(whole):
            raise InputError(
                f"{at}.end is {end}, past the end of the text ({plural(len(whole), 'character')})",
                where=where,
                expected=f"0 <= start <= end <= {len(whole)}",
            )
        there = spans.cut(row, whole)
        if text[row] is not None and there != text[row]:
            span = Quoting(at, start, end, text[row], there)
            problems.append(problem_of(span, whole if len(problems) < CASES else None, where))
            quoted[row] = None if differs_in_form(text[row], there) else text[row]
        text[row] = there
    extra = {**spans.extra, "quote": quoted} if any(own is not None for own in quoted.tolist()) else spans.extra
    return replace(spans, text=text, extra=extra, all_text=False)


def _fit(spans: Spans, texts: Texts) -> bool:
    """Tell whether all spans lie in their documents, and came with no text or with the document's."""
    if spans.pieces is not None:
        return False
    whole = texts[spans.doc].tolist()
    if spans.text is not None:
        cut = (text[a:b] for text, a, b in zip(whole, spans.start.tolist(), spans.end.tolist(), strict=True))
        if not all(own is None or own == there for own, there in zip(spans.text.tolist(), cut, strict=True)):
            return False
    return bool((spans.end <= np.fromiter(map(len, whole), np.int64, len(whole))).all())


def own_texts(spans: Spans, corpus: Corpus, rows: Ints) -> Spans:
    """Give spans the texts of their side's own documents, where those differ from the ones that are compared."""
    return spans if corpus.texts is None else replace(spans, text=texts_of(spans, _texts_at(corpus, rows)))


def _texts_at(corpus: Corpus, rows: Ints) -> Texts:
    assert corpus.texts is not None
    if len(rows) == len(corpus.texts) and np.array_equal(rows, np.arange(len(rows))):
        return corpus.texts
    out = corpus.texts[rows] if len(corpus.texts) else np.full(len(rows), None, dtype=object)
    out[rows < 0] = None
    return out


def texts_of(spans: Spans, texts: Texts | None) -> Texts | None:
    """Return the text of every span: its own, else cut from its document; None without any."""
    if not len(spans):
        return np.zeros(0, dtype=object)
    if texts is None or (spans.text is not None and spans.all_text):
        return spans.text
    _refuse_too_much(spans, np.flatnonzero(spans.located))
    own = [None] * len(spans) if spans.text is None else spans.text.tolist()
    places = zip(own, texts[spans.doc].tolist(), spans.start.tolist(), spans.end.tolist(), strict=True)
    out = np.empty(len(spans), dtype=object)
    if spans.pieces is not None:
        out[:] = [
            text if text is not None or whole is None or a == NOWHERE else spans.cut(row, whole)
            for row, (text, whole, a, _) in enumerate(places)
        ]
        return out
    out[:] = [
        text if text is not None or whole is None or a == NOWHERE else whole[a:b] for text, whole, a, b in places
    ]
    return out


def text_at(spans: Spans, texts: Texts | None, row: int) -> str | None:
    """Return the same of one span, so that a list of spans in each other need not hold all their texts."""
    own: str | None = None if spans.text is None else spans.text[row]
    whole = None if texts is None or spans.start[row] == NOWHERE else texts[spans.doc[row]]
    return own if own is not None or whole is None else spans.cut(row, whole)


def quoted_at(spans: Spans, texts: Texts | None, row: int) -> str | None:
    """Return the text that a span came with, else the one that it has in its document."""
    quote: str | None = None if spans.quote is None else spans.quote[row]
    return text_at(spans, texts, row) if quote is None else quote


def _refuse_too_much(spans: Spans, rows: Ints) -> None:
    """Refuse to cut more than memory should be spent on: spans in each other are the same text many times over."""
    total = int((spans.end - spans.start)[rows].sum())
    if total > LONGEST:
        raise MeasureError(
            f"{plural(len(rows), 'span')} have {total:,} characters of text together",
            expected=f"at most {LONGEST:,} in a document, or in documents counted together",
            hint="[[measures=spans.exact]] [[errors=False]]   which compares offsets only",
        )
