"""The printed reports of other tools, character for character: conlleval's and seqeval's."""

from __future__ import annotations

import json
from collections.abc import Mapping

from spanscope.errors import MeasureError
from spanscope.jsonable import finite
from spanscope.measures.passages.answers import squad_official
from spanscope.measures.passages.retrieval import NUMBERS, official
from spanscope.rates import percentages
from spanscope.results.result import Result


def conlleval(result: Result) -> str:
    """Return the report of the conlleval script."""
    _exact(result, "conll2003")
    tokens, sums, by_label = result.totals("tokens.accuracy"), result.totals(), result.counts()
    out = [
        f"processed {tokens['tokens']} tokens with {sums['gold']} phrases; "
        f"found: {sums['pred']} phrases; correct: {sums['tp']}."
    ]
    if tokens["tokens"]:
        accuracy, _, _ = percentages(tokens["right"], tokens["tokens"], tokens["tokens"])
        out.append(f"accuracy: {accuracy:6.2f}%; {_figures(sums)}")
    for label in sorted(name for name in by_label if name != "*"):
        out.append(f"{label:>17}: {_figures(by_label[label])}  {by_label[label]['pred']}")
    return "\n".join(out) + "\n"


def _figures(counts: Mapping[str, int | float]) -> str:
    p, r, f = percentages(counts["tp"], counts["pred"], counts["gold"])
    return f"precision: {p:6.2f}%; recall: {r:6.2f}%; FB1: {f:6.2f}"


def seqeval(result: Result, digits: int = 2) -> str:
    """Return seqeval's classification report."""
    _exact(result, "seqeval or seqeval-strict")
    counts = result.counts()
    labels = sorted(name for name in counts if name != "*")
    width = max([len(name) for name in labels] + [len("weighted avg"), digits])
    head = f"{'':>{width}} " + "".join(f" {name:>9}" for name in ("precision", "recall", "f1-score", "support"))
    lines = [head, ""]
    for label in labels:
        figures = [result.value(rate, label=label) for rate in ("precision", "recall", "f1")]
        lines.append(_row(label, figures, int(counts[label]["gold"]), width, digits))
    lines.append("")
    support = int(result.totals()["gold"])
    first = str(result.measures[0])
    found = {
        (row.rate, row.average): row.value for row in result.rows if row.measure == first and row.label is None
    }
    for average in ("micro", "macro", "weighted"):
        figures = [found.get((rate, average), 0.0) for rate in ("precision", "recall", "f1")]
        lines.append(_row(f"{average} avg", figures, support, width, digits))
    return "\n".join(lines) + "\n"


def _row(name: str, figures: list[float], support: int, width: int, digits: int) -> str:
    return f"{name:>{width}} " + "".join(f" {value:>9.{digits}f}" for value in figures) + f" {support:>9}"


def _exact(result: Result, protocol: str) -> None:
    names = {measure.name for measure in result.measures}
    missing = protocol == "conll2003" and "tokens.accuracy" not in names
    if result.measures[0].name != "spans.exact" or not result.comparison.tokens or missing:
        raise MeasureError("this report is for tagged tokens", hint=f"[[protocol={protocol}]]")


def trec_eval(result: Result) -> str:
    """Return what trec_eval -c prints: its official figures of all queries."""
    asked = [dict(one.params) for one in result.measures if one.name.startswith("passages.trec")]
    if not asked:
        raise MeasureError("trec_eval's figures need passages.trec", hint="[[protocol=trec]]")
    result.needs("spans", "trec_eval's report")
    cutoffs = sorted({int(own["k"]) for own in asked if "k" in own})
    figures = official(result.comparison, int(asked[0]["level"]), cutoffs)
    return "".join(
        f"{name:<22}\tall\t{value:.0f}\n" if name in NUMBERS else f"{name:<22}\tall\t{value:6.4f}\n"
        for name, value in figures.items()
    )


def squad(result: Result) -> str:
    """Return what SQuAD's scripts print, as JSON: 2.0's unless the measure is of 1.1."""
    chosen = next((one for one in result.measures if one.name == "passages.squad"), None)
    if chosen is None:
        raise MeasureError("SQuAD's figures need passages.squad", hint="[[protocol=squad]] or squad2")
    result.needs("spans", "SQuAD's report")
    params = dict(chosen.params)
    found = squad_official(result.comparison, str(params["version"]), float(params["no_answer"]))
    return json.dumps({name: finite(value) for name, value in found.items()}, indent=2) + "\n"
