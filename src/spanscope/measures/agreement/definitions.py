"""The coefficients of agreement as measures: of any number of annotators, the sides of one comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from spanscope.arithmetic import Floats, keys_of
from spanscope.counts import STAR, Counts, concat
from spanscope.errors import MeasureError, shown
from spanscope.measures.agreement import gamma as gammas
from spanscope.measures.agreement import unitising
from spanscope.measures.agreement.alignment import Units, Weights
from spanscope.measures.agreement.coded import COLUMNS, by_number, code_positions, cohen_kappa, of_all, of_numbers
from spanscope.measures.agreement.coefficients import alpha as alpha_of
from spanscope.measures.agreement.coefficients import fleiss
from spanscope.measures.agreement.positions import Position, Unit, positions, settled_unit, text_lengths
from spanscope.measures.agreement.reading import Coefficient, Together
from spanscope.measures.registry import Outcome, Range, Value, measure
from spanscope.rates import Rate, Sums
from spanscope.sides.comparison import Comparison

Weight = Annotated[float, Range(0, 1e9)]
Lonely = Annotated[float, Range(1e-9, 1e9)]
Samples = Annotated[int, Range(1, 10_000)]  # 30 are usual, and the time grows with them
Seed = Annotated[int, Range(0, 2**63 - 1)]


def _unit(c: Comparison, unit: str) -> Mapping[str, Value]:
    return {"unit": settled_unit(c, unit)}


KAPPA = Together(
    COLUMNS,
    (
        Coefficient(Rate("cohen_kappa", cohen_kappa), pairwise=True),
        Coefficient(Rate("cohen_kappa_inside", lambda s: cohen_kappa(s, inside=True)), pairwise=True),
        Coefficient(Rate("fleiss_kappa", lambda s: of_all(fleiss, s))),
        Coefficient(Rate("fleiss_kappa_inside", lambda s: of_all(fleiss, s, inside=True))),
    ),
    by="pair",
)
ALPHA = Together(
    COLUMNS,
    (
        Coefficient(Rate("alpha", lambda s: of_numbers(alpha_of, s))),
        Coefficient(Rate("alpha_inside", lambda s: of_numbers(alpha_of, s, inside=True))),
    ),
    by="number",
)


@measure("agreement.kappa", KAPPA, matches=False, settle=_unit)
def kappa(c: Comparison, *, unit: Position = "auto") -> Outcome:
    """Compare the labels that annotators give to every position, beyond chance (Cohen, Fleiss).

        kappa = 1 - (1 - p_o) / (1 - p_e)

    Every character, token or gap between units has one label from each annotator, or is outside. p_o is the share
    of positions on which two agree. cohen_kappa takes p_e from each annotator's own shares of labels, and is of
    pairs: of several annotators the mean over them. fleiss_kappa takes it from the shares of all together (for two
    it is Scott's pi), and is of all at once. ..._inside leaves out the positions that nobody marked (of a pair:
    neither of the two). By label it is the label against all the rest.

    unit=auto counts in tokens where all annotators came as tagged tokens, in characters otherwise; unit=gap in the
    gaps between the units of segmentations, which are boundaries or not (`spanscope agree` chooses it for them).
    Where spans of one annotator overlap, a position has the label of the span that started last; by label every
    span counts.

    Counts     of each pair of annotators, by label and for outside: both, first, second (positions that both, the
               first or the second call so), label_both, label_first, label_second (the same where any span of the
               label counts, also under another one), silent (positions that nobody at all marked).
    Undefined  without positions, and where one and the same category is all that is used.
    Source     Cohen (1960); Fleiss (1971); Scott (1955).
    Differs    other tools mostly count with outside only.
    Checked    scikit-learn live; Fleiss's published table; tests/measures/test_coefficients.py.
    """
    return Outcome(code_positions(c, unit))


@measure("agreement.alpha", ALPHA, matches=False, settle=_unit)
def alpha(c: Comparison, *, unit: Position = "auto") -> Outcome:
    """Compare the labels that annotators give to every position, beyond chance (Krippendorff).

        alpha = 1 - D_o / D_e,   D_e = 1 - sum over k of n_k(n_k - 1) / (n(n - 1))

    n_k is how often all annotators together use category k, and n how often they use any: as Fleiss' kappa, with
    chance drawn without putting a value back, which matters in small samples. alpha_inside leaves out the
    positions that nobody marked. Positions, `unit` and figures by label are those of agreement.kappa.

    Not everyone need have every document: n_k counts the values that there are in documents of two annotators and
    more, and pairs of values weigh 1/(m - 1) in a document of m annotators.

    Counts     those of agreement.kappa, summed over all pairs, by how many annotators have the document.
    Undefined  with at most one value, and where one category is all that is used.
    Source     Krippendorff (2011), Computing Krippendorff's alpha-reliability.
    Differs    the `krippendorff` package refuses a single category.
    Checked    the krippendorff package live; published tables; tests/measures/test_coefficients.py.
    """
    return Outcome(by_number(c, unit))


def pooled_alpha(name: str, part: str = "", *, labelled: bool = True) -> Coefficient:
    """Return the coefficient 1 - sum(observed) / sum(expected) of two columns."""

    def of(s: Sums) -> Floats:
        return unitising.alpha_of_sums(s[f"{part}observed"], s[f"{part}expected"])

    return Coefficient(Rate(name, of), labelled=labelled)


@measure(
    "agreement.alpha_u",
    Together(("observed", "expected"), (pooled_alpha("alpha_u"),)),
    matches=False,
    settle=_unit,
)
def alpha_u(c: Comparison, *, unit: Unit = "auto") -> Outcome:
    """Compare where the units of each label begin and end, beyond chance (Krippendorff 2004).

        alpha_U = 1 - D_o / D_e

    Of every pair of annotators, two units of one label that intersect differ by (b1 - b2)^2 + (e1 - e2)^2, b and e
    being where they begin and end; a unit that meets none differs by its length squared. With R annotators, a
    continuum of length L, N units of the label and l the length of a unit

        D_o = 2 * sum of differences / (R(R - 1)L^2)
        D_e = 2/L * sum over units of [(N - 1)(2l^3 - 3l^2 + l)/3 + l^2 * sum over gaps g >= l of (g - l + 1)]
              / (RL(RL - 1) - sum of l(l - 1))

    Over labels and documents both are added up. It is not monotone: moving a unit by one position can raise it.
    Units of one label and annotator that overlap are refused.

    Counts     observed, expected (disagreement), by label.
    Undefined  where no disagreement could be expected.
    Source     Krippendorff (1995; 2004, p. 254), as in DKPro Statistics.
    Differs    superseded by agreement.u_alpha, whose author is the same.
    Checked    the published example and DKPro's: tests/oracles/agreement_unitizing.json.
    """
    p = positions(c, unit)
    found = unitising.alpha_u(p.marks, p.lengths, max(len(c.labels), 1), c.names, c.labels)
    return Outcome(
        _disagreements(
            c,
            {"observed": found.observed.sum(1), "expected": found.expected.sum(1)},
            {"observed": found.observed, "expected": found.expected},
        )
    )


@measure(
    "agreement.u_alpha",
    Together(
        tuple(f"{part}{what}" for part in ("", "bar_", "coded_") for what in ("observed", "expected")),
        (
            pooled_alpha("u_alpha", labelled=False),
            pooled_alpha("bar_u_alpha", "bar_", labelled=False),
            pooled_alpha("cu_alpha", "coded_"),
        ),
    ),
    matches=False,
    settle=_unit,
)
def u_alpha(c: Comparison, *, unit: Unit = "auto") -> Outcome:
    """Compare units and gaps by the length of their overlap, beyond chance (Krippendorff 2016).

    l_ck is how long values c and k meet over all ordered pairs of m annotators, divided by m - 1; a gap is the
    value 0. q_c is the sum of squared lengths of the units of value c, for gaps the sum of lengths. With l.. = mL

        e_ck = l..(l_c l_k - [c = k] q_c) / (l..^2 - sum of q)
        u-alpha = 1 - (l.. - sum of l_cc) / (l.. - sum of e_cc)

    bar_u_alpha (|u-alpha) takes all labels for one: units against gaps. cu_alpha looks only at where two
    annotators both marked something, with q from the lengths of units that are met so, squared, for each other
    annotator; by label it is (k)u-alpha, (l_k - l_kk)/l_k against (e_k - e_kk)/e_k. Where spans of one annotator
    overlap, a position has the label of the span that started last, so that an interrupted span counts as several
    units.

    Counts     observed, expected; bar_observed, bar_expected; coded_observed, coded_expected, these by label too.
    Undefined  where no disagreement could be expected; cu_alpha where nothing was marked by two, and with one
               label only.
    Source     Krippendorff, Mathet, Bouvry and Widlöcher (2016), On the reliability of unitizing textual continua:
               further developments.
    Differs    lindanna/unitized_alpha stops where a label never meets another; quallmer takes, of three and more,
               the union of all others for cu_alpha.
    Checked    tests/oracles/agreement_unitizing.json, 52 of 60 cases by another tool; position by position.
    """
    p = positions(c, unit)
    u, bar, coding, by_label = unitising.u_alphas(p.flat, p.cells, len(p.lengths), max(len(c.labels), 1))
    whole = {
        f"{part}{what}": getattr(one, what)
        for part, one in (("", u), ("bar_", bar), ("coded_", coding))
        for what in ("observed", "expected")
    }
    each = {f"coded_{what}": getattr(by_label, what) for what in ("observed", "expected")}
    return Outcome(_disagreements(c, whole, each))


@measure(
    "agreement.gamma",
    Together(
        ("observed", "expected", "labels_observed", "labels_expected"),
        (pooled_alpha("gamma", labelled=False), pooled_alpha("gamma_cat", "labels_")),
    ),
    matches=False,
    settle=_unit,
)
def gamma(
    c: Comparison,
    *,
    unit: Unit = "auto",
    samples: Samples = 30,
    sampler: gammas.Sampler = "shuffle",
    alpha: Weight = 1.0,
    beta: Weight = 1.0,
    delta: Lonely = 1.0,
    seed: Seed = 0,
) -> Outcome:
    """Align the units of all annotators, and compare the disorder with that of chance.

        gamma = 1 - disorder of the best alignment / mean disorder of the best alignments of sampled continua

    Two units that are put together cost `alpha` times their distance in place and `beta` where their labels
    differ, a unit that stays alone costs `delta`. Chance is drawn inside each document, `samples` times:
    sampler=shuffle moves real annotators' units along the text, statistical draws units as pygamma does. Over
    documents disorders are added up, each with the document's number of units. gamma_cat compares the labels of
    the units that were put together; by label it is gamma-k. A unit runs from the start of a span's first fragment
    to the end of its last. The draws of a document depend on `seed` and its id alone.

    Counts     observed, expected (disorder); labels_observed, labels_expected (label differences), by label too.
    Undefined  where no disorder was to be expected.
    Source     Mathet, Widlöcher and Métivier (2015); Mathet (2017), The agreement measure gamma-cat.
    Differs    pygamma takes the stretch from the first to the last unit for the text, here the text is taken where
               its length is known; pygamma gives 1 wherever nothing was observed.
    Checked    pygamma-agreement: tests/oracles; all alignments tried one by one.
    """
    p, (_, known) = positions(c, unit), text_lengths(c)
    documents, labels = len(p.lengths), max(len(c.labels), 1)
    edges = [np.searchsorted(own.doc, np.arange(documents + 1)) for own in p.spans]
    starts, ends = ([getattr(own, what).astype(np.float64) for own in p.spans] for what in ("start", "end"))
    weights, keys = Weights(alpha, beta, delta), keys_of(list(c.names))
    plain = np.zeros((2, documents))
    by_label: Floats = np.zeros((2, documents, labels + 1))
    for doc in range(documents):
        own = [
            Units(start[e[doc] : e[doc + 1]], end[e[doc] : e[doc + 1]], spans.label[e[doc] : e[doc + 1]])
            for start, end, spans, e in zip(starts, ends, p.spans, edges, strict=True)
        ]
        bounds = (0.0, float(p.lengths[doc])) if known else None
        try:
            found = gammas.document_parts(
                own, bounds, labels, int(keys[doc]), samples=samples, seed=seed, sampler=sampler, weights=weights
            )
        except MeasureError as error:
            where = f"document {shown(c.names[doc])}"
            raise MeasureError(error.what, where=where, expected=error.expected, hint=error.hint) from None
        plain[:, doc] = found[:2]
        by_label[:, doc] = found.by_label, found.by_label_expected
    whole = {"observed": plain[0], "expected": plain[1]}
    names = ("labels_observed", "labels_expected")
    whole |= {name: columns[:, -1] for name, columns in zip(names, by_label, strict=True)}
    each = {name: columns[:, :-1] for name, columns in zip(names, by_label, strict=True)}
    return Outcome(_disagreements(c, whole, each))


def _disagreements(c: Comparison, whole: Mapping[str, Floats], by_label: Mapping[str, Floats]) -> Counts:
    """Return counts from columns of documents, and from those of documents x labels."""
    every = np.arange(c.documents)
    overall = Counts(
        c.documents, c.labels, tuple(whole), every, np.full(len(every), STAR), np.stack([*whole.values()])
    )
    if not c.labels:
        return overall
    nothing = np.zeros((c.documents, len(c.labels)))
    table = np.stack([by_label.get(name, nothing) for name in whole])
    doc, label = np.nonzero(table.any(axis=0))
    return concat(overall, Counts(c.documents, c.labels, tuple(whole), doc, label, table[:, doc, label]))
