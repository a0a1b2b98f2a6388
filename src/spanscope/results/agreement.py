"""What agreement between annotators comes out as: figures, who disagrees on what, and views of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from spanscope import counts as tables
from spanscope.arithmetic import ratio
from spanscope.data.problems import Problem
from spanscope.errors import MeasureError, did_you_mean, plural, shown
from spanscope.families import family_of
from spanscope.jsonable import JsonObject, finite, json_text, list_or_hash, plain
from spanscope.measures.agreement.coded import outside_name
from spanscope.measures.agreement.coding import label_pairs as pair_rows
from spanscope.measures.agreement.positions import Positions
from spanscope.measures.registry import Measure, parse
from spanscope.results.rendering import Rendered
from spanscope.results.resampled import resampled
from spanscope.results.score_rows import plain_rows
from spanscope.settings.run_settings import Input
from spanscope.stats.agreement import Figures, SidedScore

MEANINGS = {
    "spans.exact f1": "share of spans that two annotators mark with the same start, end and label",
    "spans.relaxed f1": "share of spans that match a span with the same label at about the same place",
    "spans.iou f1": "share of spans that match a span with the same label at about the same place",
    "segments.b_score f1": "share of boundaries that match a boundary at most 3 units away",
    "segments.edit_distance b": "boundary similarity of Fournier: boundaries matched, near misses half",
    "cohen_kappa": "agreement on the label of each {unit}; chance from each annotator's own label frequencies",
    "cohen_kappa_inside": "the same, only for {unit}s that one of the two marked",
    "fleiss_kappa": "agreement on the label of each {unit}; chance from the label frequencies of all annotators",
    "fleiss_kappa_inside": "the same, only for {unit}s that anyone marked",
    "alpha": "agreement on the label of each {unit}; as Fleiss' kappa, corrected for small samples",
    "alpha_inside": "the same, only for {unit}s that anyone marked; corrected for small samples",
    "alpha_u": "Krippendorff 2004: how close the ends of units of the same label are, beyond chance",
    "u_alpha": "Krippendorff 2016: agreement on units and their labels, gaps included, beyond chance",
    "bar_u_alpha": "Krippendorff 2016: agreement on what is a unit and what is a gap, ignoring labels",
    "cu_alpha": "Krippendorff 2016: agreement on labels where two annotators both marked a unit",
    "gamma": "how much better units align than by chance, in place and label",
    "gamma_cat": "how much better the labels of aligned units agree than by chance",
}
OF_CUTS = {
    "cohen_kappa": "agreement on which gaps are boundaries; chance from each annotator's own frequency",
    "fleiss_kappa": "agreement on which gaps are boundaries; chance from the frequency of all annotators",
    "alpha": "agreement on which gaps are boundaries; as Fleiss' kappa, corrected for small samples",
    "alpha_u": "Krippendorff 2004: how close the ends of segments are, beyond chance",
    "gamma": "how much better segments align than by chance",
}


@dataclass(repr=False)
class Agreement(Rendered):
    """The figures of several annotators, and ways to look at them."""

    settings: JsonObject
    names: tuple[str, ...]
    family: str
    labels: tuple[str, ...]
    rows: tuple[SidedScore, ...]
    inputs: tuple[Input, ...]
    problems: dict[str, int]
    noted: tuple[Problem, ...]
    documents: int
    _documents: Sequence[str]
    _figures: tuple[Figures, ...]
    _positions: Positions

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """Return the measures, those of two sides first."""
        return tuple(parse(one.measure) for one in self._figures)

    def value(
        self,
        rate: str | None = None,
        measure: str | Measure | None = None,
        label: str | None = None,
        between: tuple[str, str] | None = None,
    ) -> float:
        """Return one figure; NaN where it is undefined. The first there is, where nothing is said.

        A label asks for its own figure, `between` for that of two annotators, in whatever order.
        """
        return self.row(rate, measure, label, between).value

    def row(
        self,
        rate: str | None = None,
        measure: str | Measure | None = None,
        label: str | None = None,
        between: tuple[str, str] | None = None,
    ) -> SidedScore:
        """Return the score row of one figure."""
        form = None if measure is None else self._form(measure)
        own = [row for row in self.rows if form is None or row.measure == form]
        names = list(dict.fromkeys(row.rate for row in own))
        if rate is not None and rate not in names:
            near = did_you_mean(rate, names)
            raise MeasureError(f"no coefficient is called {shown(rate)}{near}", expected=", ".join(names))
        if between is not None and len(self.names) == 2 and {*between} == {*self.names}:
            between = None  # the only pair has the figures of all
        sides = None if between is None else frozenset(between)
        for row in own:
            found = None if row.sides is None else frozenset(row.sides)
            if (rate is None or row.rate == rate) and (row.label, found) == (label, sides):
                return row
        raise MeasureError(
            f"{rate or own[0].rate} has no figure for label {shown(label)} between {shown(between)}",
            expected="a label that was annotated, or two of the annotators where figures are of pairs",
        )

    def _form(self, measure: str | Measure) -> str:
        """Return the text form of one of the measures: without parameters that of whatever was run."""
        wanted = parse(measure)
        for one in self.measures:
            if one.fits(wanted) or measure == one.name:
                return str(one)
        names = ", ".join(one.short for one in self.measures)
        raise MeasureError(f"{wanted.short} was not run", expected=names)

    def meaning(self, rate: str, measure: str) -> str:
        """Return in one sentence what a coefficient means."""
        if family_of(self.family).partitions and rate in OF_CUTS:
            return OF_CUTS[rate]
        own = MEANINGS.get(f"{parse(measure).name} {rate}") or MEANINGS.get(rate)
        return (own or f"{rate} of {parse(measure).short}").format(unit=self.settings["unit"])

    def counts(self, measure: str | Measure | None = None) -> dict[str, dict[str, int | float]]:
        """Return the sums by label that figures are read from; `*` holds what is not the sum over the labels."""
        form = self._figures[0].measure if measure is None else self._form(measure)
        table = next(one.counts for one in self._figures if one.measure == form)
        codes, sums = table.label_sums
        return {
            tables.name_of(table, int(code)): {
                column: plain(number) for column, number in zip(table.columns, row, strict=True)
            }
            for code, row in zip(codes, sums, strict=True)
        }

    def by_document(self, measure: str | Measure | None = None) -> list[JsonObject]:
        """Return one record per document: its name and the rates over all labels; None where undefined."""
        form = self._figures[0].measure if measure is None else self._form(measure)
        found = next(one for one in self._figures if one.measure == form)
        chosen = [(at, key.rate.name) for at, key in enumerate(found.keys) if key[1:] == (None, None)]
        return [
            {"document": name, **{rate: finite(float(values[at])) for at, rate in chosen}}
            for name, values in zip(self._documents, found.by_document(), strict=True)
        ]

    @property
    def has_gaps(self) -> bool:
        """Tell whether some annotators do not have every document."""
        return not bool(self._positions.present.all())

    @property
    def complete(self) -> int:
        """Return how many documents all annotators have."""
        return int(self._positions.present.all(axis=0).sum())

    def shared(self) -> list[JsonObject]:
        """Return how many documents every pair of annotators shares."""
        there = self._positions.present
        return [
            {"first": self.names[a], "second": self.names[b], "documents": int((there[a] & there[b]).sum())}
            for a, b in combinations(range(len(self.names)), 2)
        ]

    def disagreements(self) -> list[JsonObject]:
        """Return who disagrees with whom on what, most first: how many positions each label pair holds.

        `label` is what the first of the two says and `other` what the second says; `(none)` is outside. `share` is
        among all positions on which the two differ.
        """
        p, out = self._positions, []
        called = [*p.labels, outside_name(p.labels)]
        for a, b in combinations(range(len(self.names)), 2):
            both = p.present[a] & p.present[b]
            part = pair_rows(p.cells.of(both), a, b, len(p.labels))
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
        named = "" if s["method"] in ("wilson", "percentile") else f"{s['method']},"
        interval_ = f"bootstrap,{named}{s['resamples']},seed:{s['seed']}" if s["ci"] else "none"
        sampled = f"{s['sampler']},{s['samples']},alpha={s['alpha']:g},beta={s['beta']:g},delta={s['delta']:g}"
        labels = list_or_hash(s["labels"]) if s["labels"] else str(len(self.labels))
        gaps = "|missing:pairwise" if self.has_gaps else ""
        packages = "".join(f"|plugin:{one}" for one in s.get("plugins", ()))
        return (
            f"agree(unit={s['unit']})|annotators:{len(self.names)}|labels:{labels}|docs:{self.documents}"
            f"{gaps}|ci:{interval_}|gamma:{sampled}{packages}|spanscope:{__version__}"
        )

    def to_dict(self, *, documents: bool = False) -> JsonObject:
        """Return the agreement as plain data, non-finite numbers as None; figures by document where asked for."""
        from spanscope import __version__

        meanings: dict[str, dict[str, str]] = {}
        for row in self.rows:
            meanings.setdefault(row.measure, {})[row.rate] = self.meaning(row.rate, row.measure)
        out = {
            "form": 1,
            "spanscope": __version__,
            "settings": self.settings,
            "family": self.family,
            "annotators": [
                {"name": name, **asdict(one)} for name, one in zip(self.names, self.inputs, strict=True)
            ],
            "documents": self.documents,
            "shared": self.shared(),
            "labels": list(self.labels),
            "rows": plain_rows(self.rows),
            "counts": {one.measure: self.counts(one.measure) for one in self._figures},
            "meanings": meanings,
            "disagreements": self.disagreements(),
            "problems": self.problems,
            "signature": self.signature(),
        }
        if self.settings["ci"]:
            units = self.settings.get("groups", self.documents)
            out["resampled"] = resampled(self.settings.get("group"), units)
        if documents:
            out["by_document"] = {one.measure: self.by_document(one.measure) for one in self._figures}
        return out

    def to_json(self, *, documents: bool = False) -> str:
        """Return the JSON form."""
        return json_text(self.to_dict(documents=documents))

    def records(self) -> list[JsonObject]:
        """Return the score rows as plain records."""
        return [asdict(row) for row in self.rows]

    def __repr__(self) -> str:  # one line, and nothing of the documents
        many = plural(len(self.names), "annotator")
        return f"<Agreement of {many}, {plural(self.documents, 'document')}>"
