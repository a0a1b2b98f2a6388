"""What agreement between annotators comes out as: figures, who disagrees on what, and views of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from spanscope.arithmetic import ratio
from spanscope.data.problems import Problem
from spanscope.errors import MeasureError, did_you_mean, plural, shown
from spanscope.families import family_of
from spanscope.jsonable import finite, listed
from spanscope.measures.agreement.coding import label_pairs as pair_rows
from spanscope.measures.agreement.positions import Positions
from spanscope.measures.agreement.sums import Block, list_figures
from spanscope.settings.settle import Input
from spanscope.stats.blocks import figures_by_document

NONE = "(none)"
MEANINGS = {
    "f1_exact": "share of spans that two annotators mark alike: same start, end and label",
    "f1_relaxed": "share of spans that find a partner with the same label at about the same place",
    "b_score": "share of boundaries that find a partner within 3 units",
    "b": "boundary similarity of Fournier: boundaries matched, near misses half",
    "cohen_kappa": "agreement on every {unit}'s label, or none, beyond each annotator's own habits",
    "cohen_kappa_inside": "agreement on {unit}s that one of the two marked, beyond each annotator's own habits",
    "fleiss_kappa": "agreement on every {unit}'s label, or none, beyond the habits of all together",
    "fleiss_kappa_inside": "agreement on {unit}s that somebody marked, beyond the habits of all together",
    "alpha": "agreement on every {unit}'s label, or none, beyond chance; corrected for small samples",
    "alpha_inside": "agreement on {unit}s that somebody marked, beyond chance; corrected for small samples",
    "alpha_u": "Krippendorff 2004: how near the ends of units of one label are, beyond chance",
    "u_alpha": "Krippendorff 2016: agreement on units and their labels, gaps included, beyond chance",
    "bar_u_alpha": "Krippendorff 2016: agreement on what is a unit and what a gap, whatever the label",
    "cu_alpha": "Krippendorff 2016: agreement on labels where two annotators both marked something",
    "gamma": "how much better units align than chance would have them, place and label together",
    "gamma_cat": "how much better the labels of aligned units agree than chance would have them",
}
OF_CUTS = {
    "cohen_kappa": "agreement on which gaps are boundaries, beyond each annotator's own habits",
    "fleiss_kappa": "agreement on which gaps are boundaries, beyond the habits of all together",
    "alpha": "agreement on which gaps are boundaries, beyond chance; corrected for small samples",
    "alpha_u": "Krippendorff 2004: how near the ends of segments are, beyond chance",
    "gamma": "how much better segments align than chance would have them",
}


@dataclass(frozen=True)
class Figure:
    """A coefficient's value: of a label or of all, of a pair of annotators or of all, with its interval."""

    coefficient: str
    label: str | None
    pair: tuple[str, str] | None
    value: float
    low: float | None
    high: float | None
    documents: int


@dataclass(repr=False)
class Agreement:
    """The figures of several annotators, and ways to look at them."""

    settings: dict[str, Any]
    names: tuple[str, ...]
    family: str
    labels: tuple[str, ...]
    rows: tuple[Figure, ...]
    inputs: tuple[Input, ...]
    problems: dict[str, int]
    noted: tuple[Problem, ...]
    documents: int
    _documents: Sequence[str]
    _blocks: tuple[Block, ...]
    _positions: Positions

    def value(self, coefficient: str, label: str | None = None, pair: tuple[str, str] | None = None) -> float:
        """Return one figure; NaN where it is undefined. The order of the two names of a pair does not matter."""
        wanted = None if pair is None else frozenset(pair)
        for row in self.rows:
            own = None if row.pair is None else frozenset(row.pair)
            if (row.coefficient, row.label, own) == (coefficient, label, wanted):
                return row.value
        names = list(dict.fromkeys(row.coefficient for row in self.rows))
        if coefficient not in names:
            near = did_you_mean(coefficient, names)
            raise MeasureError(f"no coefficient is called {shown(coefficient)}{near}", expected=", ".join(names))
        raise MeasureError(
            f"{coefficient} has no figure for label {shown(label)} and pair {shown(pair)}",
            expected="a label that was annotated, or two annotators of three and more",
        )

    def meaning(self, coefficient: str) -> str:
        """Return in one sentence what a coefficient means."""
        if family_of(self.family).partitions and coefficient in OF_CUTS:
            return OF_CUTS[coefficient]
        return MEANINGS[coefficient].format(unit=self.settings["unit"])

    def per_document(self) -> Iterator[dict[str, Any]]:
        """Return a record a document: every coefficient over all labels and annotators; None where undefined."""
        chosen = [
            (key.coefficient, number, at)
            for key, number, at in list_figures(self._blocks)
            if key[1:] == (None, None)
        ]
        tables = {
            number: figures_by_document(self._blocks[number]) for number in {number for _, number, _ in chosen}
        }
        known = {row.coefficient for row in self.rows}
        for row, name in enumerate(self._documents):
            record: dict[str, Any] = {"document": name}
            for coefficient, number, at in chosen:
                if coefficient in known:
                    record[coefficient] = finite(float(tables[number][row, at]))
            yield record

    def disagreements(self) -> list[dict[str, Any]]:
        """Return who disagrees with whom on what, most first: how many positions each label pair holds.

        `label` is what the first of the two says and `other` what the second says; `(none)` is outside. `share` is
        among all positions on which the two differ.
        """
        p, out = self._positions, []
        called = [*p.labels, _free(p.labels)]
        for a, b in combinations(range(len(self.names)), 2):
            part = pair_rows(p.cells, a, b, len(p.labels))
            differ = (part.label != part.other) & (part.weight > 0)
            met, at = np.unique(part.label[differ] * len(called) + part.other[differ], return_inverse=True)
            sums = np.zeros(len(met), dtype=np.int64)  # of what occurs: all labels with all would fill the memory
            np.add.at(sums, at, part.weight[differ])
            shares = ratio(sums, sums.sum())
            for key, number, share in zip(met.tolist(), sums.tolist(), shares.tolist(), strict=True):
                one, two = divmod(key, len(called))
                who = {"first": self.names[a], "second": self.names[b], "label": called[one], "other": called[two]}
                out.append({**who, "number": number, "share": share})
        return sorted(out, key=lambda row: (-row["number"], *list(row.values())[:4]))

    def signature(self) -> str:
        """Return the line that reproduces the figures."""
        from spanscope import __version__

        s = self.settings
        named = "" if s["method"] == "percentile" else f"{s['method']},"
        interval_ = f"bootstrap,{named}{s['resamples']},seed:{s['seed']}" if s["ci"] else "none"
        sampled = f"{s['sampler']},{s['samples']},alpha={s['alpha']:g},beta={s['beta']:g},delta={s['delta']:g}"
        labels = listed(s["labels"]) if s["labels"] else str(len(self.labels))
        return (
            f"agree(unit={s['unit']})|annotators:{len(self.names)}|labels:{labels}|docs:{self.documents}"
            f"|ci:{interval_}|gamma:{sampled}|spanscope:{__version__}"
        )

    def to_dict(self, *, documents: bool = False) -> dict[str, Any]:
        """Return the agreement as plain data, non-finite numbers as None; figures by document where asked for."""
        from spanscope import __version__

        known = dict.fromkeys(row.coefficient for row in self.rows)
        out = {
            "form": 1,
            "spanscope": __version__,
            "settings": self.settings,
            "family": self.family,
            "annotators": [
                {"name": name, **asdict(one)} for name, one in zip(self.names, self.inputs, strict=True)
            ],
            "documents": self.documents,
            "labels": list(self.labels),
            "rows": [{key: finite(value) for key, value in asdict(row).items()} for row in self.rows],
            "meanings": {name: self.meaning(name) for name in known},
            "disagreements": self.disagreements(),
            "problems": self.problems,
            "signature": self.signature(),
        }
        return out | ({"by_document": list(self.per_document())} if documents else {})

    def to_json(self, *, documents: bool = False) -> str:
        """Return the JSON form."""
        import msgspec

        return msgspec.json.format(msgspec.json.encode(self.to_dict(documents=documents)), indent=2).decode()

    def table(self, format: str = "table", **options: Any) -> str:
        """Return the report as text: table, markdown, latex, csv or json."""
        from spanscope.report import render

        return render(self, format, **options)

    def _repr_html_(self) -> str:
        from spanscope.report import render_html

        return render_html(self)

    def __repr__(self) -> str:  # one line, and nothing of the documents
        many = plural(len(self.names), "annotator")
        return f"<Agreement of {many}, {plural(self.documents, 'document')}>"

    def __str__(self) -> str:
        return self.table()


def _free(labels: Sequence[str]) -> str:
    """Return a name for outside that no label has."""
    none = NONE
    while none in labels:
        none = f"({none})"
    return none
