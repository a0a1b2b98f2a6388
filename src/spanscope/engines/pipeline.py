"""From two sides that were read to counts: join, settle what depends on the data, count, merge."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import and_
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from spanscope.counts import merge, merge_tables
from spanscope.data.corpus import Corpus
from spanscope.data.problem_kinds import kind_of
from spanscope.data.problems import Problem, words_of
from spanscope.engines import local
from spanscope.engines.left_out import leave_out
from spanscope.engines.load import Progress
from spanscope.errors import InputError, MeasureError, did_you_mean, plural
from spanscope.findings import signs, taxonomy
from spanscope.findings.findings import Findings
from spanscope.findings.slices import BUILT_IN
from spanscope.match.verdicts import Confusion, Verdicts
from spanscope.measures.registry import Measure, Outcome
from spanscope.rates import COUNTED
from spanscope.results.problems import Tally
from spanscope.settings.run_settings import Input, Settings
from spanscope.sides.comparison import Comparison
from spanscope.sides.groups import MARKED
from spanscope.sides.join import join
from spanscope.sides.schema import labels_outside
from spanscope.sides.scored import score_at_least
from spanscope.sides.texts import refuse_different_texts, refuse_misplaced
from spanscope.stats.averages import Ladder, Score, merge_ladders

if TYPE_CHECKING:
    from spanscope.measures.passages.evidence import Evidence  # loaded where there are passages


GOLD = {"gold", "reference", "references", "truth", "golden"}  # words in the names of files
PREDICTED = {"pred", "preds", "predicted", "prediction", "predictions", "output", "outputs", "system"}


def join_sides(
    gold: Corpus, pred: Corpus, settings: Settings, *, strict: bool, whole: bool = True
) -> tuple[Comparison, list[Problem]]:
    """Join the two sides, and refuse what cannot or shall not be scored.

    `whole` says that these are all documents: some of them cannot be paired by what they hold, because the same
    text may come again in others.
    """
    pred, low = (pred, []) if settings.min_score is None else score_at_least(pred, settings.min_score)
    comparison, noticed = join(
        gold,
        pred,
        labels=settings.policy.labels,
        missing=settings.missing,
        extra=settings.extra,
        repeated=settings.repeated,
        group=settings.group,
        by=[name for name in settings.by if name not in BUILT_IN],
        whole=whole,
        forms=_tries_forms(settings),
        by_content=whole and settings.family.labelled and not settings.protocol.copies,
    )
    if not comparison.documents:
        noticed.append(Problem("nothing in common", pred.name))
    problems = [
        *gold.problems,
        *pred.problems,
        *noticed,
        *low,
        *labels_outside(gold, gold.schema, settings.policy.labels),
        *labels_outside(pred, pred.schema or gold.schema, settings.policy.labels),
        *note_unseen_labels(settings, {*gold.labels, *pred.labels}, gold.renamed | pred.renamed, gold.name),
    ]
    if strict:
        refuse_problems(problems, quotes=settings.quotes)
    check_needs(comparison, settings.measures)
    return comparison, problems


def _tries_forms(settings: Settings) -> bool:
    """Tell whether names may be paired in another Unicode form: of queries, where nothing copies a tool."""
    if not settings.family.retrieves:
        return False
    from spanscope.measures.passages import evidence

    return evidence.copies_no_tool([*settings.protocol.measures, *settings.measures])


def note_unseen_labels(
    settings: Settings, known: Collection[str], renamed: Collection[str], where: str
) -> list[Problem]:
    """Note labels that were asked for and that no span has, or to be renamed and that none had: often a slip."""
    asked = () if settings.protocol.labels is not None else settings.policy.labels or ()
    before = {*known, *renamed}
    return [
        *(_problem_of_unseen("unseen label", name, known, where) for name in asked if name not in known),
        *(
            _problem_of_unseen("unseen name", name, before, where)
            for name in settings.tags.mapping
            if name not in renamed
        ),
    ]


def _problem_of_unseen(kind: str, name: str, known: Collection[str], where: str) -> Problem:
    return Problem(kind, where, values={"label": name, "hint": did_you_mean(name, known)})


def note_odd_inputs(gold: tuple[str | None, str | None], pred: tuple[str | None, str | None]) -> list[Problem]:
    """Note one file on both sides, and files whose names say that the sides are swapped: path and hash of each."""
    (ours, our_hash), (theirs, their_hash) = gold, pred
    if ours is None or theirs is None:
        return []
    if ours == theirs or (our_hash is not None and our_hash == their_hash):
        return [Problem("same file", theirs, side="pred")]
    words = [{*re.split(r"[^a-z]+", PurePath(path).name.lower())} for path in (ours, theirs)]
    if PREDICTED & words[0] and GOLD & words[1]:
        return [Problem("swapped sides", theirs, side="pred", values={"gold": ours, "pred": theirs})]
    return []


def look_for_signs(c: Comparison, settings: Settings, rows: Sequence[Score]) -> list[Problem]:
    """Look for reasons where labelled spans hardly match: other offsets or names of labels, an empty side."""
    if not settings.family.labelled or not c.documents:
        return []
    main = _lead_score(settings, rows)
    if main is None or not (_is_low(main) or signs.labels_differ(c)):
        return []
    return signs.find_signs(c)


def signs_where_spans_are_gone(
    settings: Settings, rows: Sequence[Score], inputs: Sequence[Input], looked: signs.Looked | None
) -> list[Problem]:
    """Return the signs of wrong reading where documents were counted part by part and their spans are not kept."""
    main = _lead_score(settings, rows)
    if not settings.family.labelled or main is None or looked is None or not looked.documents:
        return []
    ours, theirs = looked.labels
    if not (_is_low(main) or (ours - theirs and theirs - ours)):
        return []
    empty = [(side, one) for side, one in zip(("gold", "pred"), inputs, strict=True) if not one.spans]
    if not empty:
        return signs.signs_of_parts(looked)
    ((side, one),) = empty[:1]
    return [Problem("no spans", side=side, values={"documents": one.documents})] if len(empty) == 1 else []


def note_missing_curve(settings: Settings, found: Findings) -> list[Problem]:
    """Note a curve that was asked for and cannot be drawn once the spans are gone."""
    measure = settings.measures[settings.curved]
    if settings.thresholds is None or measure.threshold is None or found.ladder is not None:
        return []
    return [Problem("no curve", "thresholds", values={"measure": measure.name, "option": "[[memory=spans]]"})]


def _lead_score(settings: Settings, rows: Sequence[Score]) -> Score | None:
    """Return the figure that leads."""
    lead = tuple(settings.headline.plain().values())
    return next((row for row in rows if (row.measure, row.rate, row.average) == lead), None)


def _is_low(main: Score) -> bool:
    return math.isnan(main.value) or main.value < signs.LOW


def refuse_problems(problems: Sequence[Problem], *, quotes: bool) -> None:
    """Refuse data with problems, naming the first; what the caller asked for is none.

    `quotes` lets the message quote the text.
    """
    bad = [problem for problem in problems if not kind_of(problem.kind).asked]
    if bad:
        first = bad[0]
        more = f" (and {len(bad) - 1:,} more problems)" if len(bad) > 1 else ""
        raise InputError(
            f"{words_of(first) if quotes else first.kind}{more}",
            where=first.where,
            expected="no data problems, as [[strict]] asks",
            hint="spanscope check   to list them all",
        )


def refuse_wrong_texts(found: Tally, settings: Settings, shared: int, spans: int, whose: str = "gold") -> None:
    """Refuse predictions that were made for other texts than gold's, and spans that are not at their offsets.

    The protocols of tools only report them. `shared` is how many documents both sides have, `spans` how many
    spans there are on both, and `whose` texts are those that count.
    """
    if settings.allow_different_texts or settings.protocol.copies:
        return
    if (kind := "different texts") in found.number:
        refuse_different_texts(found.first[kind][0], found.number[kind], shared, whose)
    placed = settings.family.labelled and any("offsets" in one.definition.needs for one in settings.measures)
    if placed and (kind := "text mismatch") in found.number:
        refuse_misplaced(found.first[kind], found.number[kind], spans)


def check_needs(c: Comparison, measures: Sequence[Measure]) -> None:
    """Refuse measures that need offsets where spans came without."""
    for side, spans in c.sides.items():
        told = side == "pred" and "unplaced" in spans.extra  # quotes that stand nowhere: they match nothing
        nowhere = 0 if told else int((~spans.located).sum())
        for measure in measures:
            if nowhere and "offsets" in measure.definition.needs:
                placed = "[[locate]] to find the places of quotes in gold's texts, or " if side == "pred" else ""
                raise MeasureError(
                    f"{plural(nowhere, f'{side} span')} without offsets, and {measure.name} needs them",
                    expected="start and end in every span",
                    hint=f"{placed}-m spans.text   which compares label and text only",
                )


def settle_on_data(c: Comparison, settings: Settings) -> tuple[Settings, Evidence | None, list[Problem]]:
    """Return the settings with what depends on the data decided, what passages show, and what was left out."""
    settings, noted = leave_out(c, settings)
    if c.groups is not None and settings.group is None:
        settings = replace(settings, group=MARKED)
    known = replace(settings, measures=tuple(one.settle(c) for one in settings.measures))
    if not settings.family.retrieves:
        return known, None, noted
    from spanscope.measures.passages import evidence

    if not evidence.copies_no_tool(settings.protocol.measures):  # a tool's rules leave nothing open
        return known, None, noted
    by_ids = [dict(one.params).get("by") == "id" for one in known.measures]
    asked = [dict(one.params).get("by") == "auto" for one in settings.measures]
    return known, evidence.gather(c, ids=any(map(and_, by_ids, asked))), noted


def note_sentences(settings: Settings) -> list[Problem]:
    """Note where figures of the legal script are made without its way to split sentences."""
    notes = []
    for one in settings.measures:
        if one.name == "passages.legal" and dict(one.params)["punkt"] == "no":
            from spanscope.measures.passages.legal_texts import has_punkt

            missing = "" if has_punkt() else ", which is not installed (python -m nltk.downloader punkt_tab)"
            notes.append(Problem("other sentences", one.short, values={"missing": missing}))
    return notes


def refuse_unclear(shown: Evidence | None, settings: Settings, where: str) -> None:
    """Refuse passages whose ids or scores could be read in two ways."""
    if shown is None:
        return
    from spanscope.measures.passages import evidence

    mine = any(evidence.copies_no_tool([one]) for one in settings.measures)
    evidence.refuse_ambiguous(shown, settings.scores, where, ordered=mine)


def count_all(c: Comparison, settings: Settings, errors: bool, progress: Progress) -> Iterator[Findings]:
    """Count all documents, a batch at a time."""
    done, size = 0, settings.family.batch

    def tick() -> None:
        nonlocal done
        done = min(done + size, c.documents)
        progress("scoring", done, c.documents)

    return local.run(partial(count, settings, errors), c.batches(size), tick)


def count(settings: Settings, errors: bool, c: Comparison) -> Findings:
    """Count one batch of documents: every measure, the curve, and the errors of one."""
    views = [settings.protocol.view(measure, c) for measure in settings.measures]
    outcomes = [measure(view) for measure, view in zip(settings.measures, views, strict=True)]
    counts = tuple(outcome.counts for outcome in outcomes)
    head = settings.explained
    view, outcome = views[head], outcomes[head]
    ladder, steps = None, outcomes[settings.curved].ladder
    if steps is not None:
        ladder = Ladder(views[settings.curved].gold.label[steps.gold], steps.score)
    own = outcome.verdicts
    matched = explains(settings.measures[head], view, outcome)
    if not errors or (own is None and not matched):
        return Findings(counts, ladder, None, outcome.confused if errors else None, None)
    verdicts = taxonomy.classify(view, outcome) if own is None else own
    confused = outcome.confused if outcome.confused is not None else taxonomy.confusion(view, verdicts)
    return Findings(
        counts, ladder, taxonomy.count_kinds(view, verdicts), confused, _number_in_whole(verdicts, view, c)
    )


def explains(measure: Measure, c: Comparison, outcome: Outcome) -> bool:
    """Tell whether errors can be named: the measure matches spans, by texts unless all of them have offsets."""
    matches = measure.definition.rate_set is COUNTED and measure.definition.matches
    return matches and outcome.match is not None and (outcome.near is not None or c.placed)


def _number_in_whole(verdicts: Verdicts, view: Comparison, c: Comparison) -> Verdicts:
    """Number the rows of a batch as in the whole comparison."""
    out = {}
    for side, rows in (("gold", verdicts.gold), ("pred", verdicts.pred)):
        known = rows.copy()
        here = rows >= 0
        known[here] = view.origin[side][rows[here]] if side in view.origin else rows[here]
        known[here] += c.rows.get(side, 0)
        out[side] = known
    return replace(verdicts, gold=out["gold"], pred=out["pred"])


def _concat_verdicts(parts: Sequence[Verdicts]) -> Verdicts:
    return Verdicts(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("kind", "gold", "pred", "score"))
    )


def merge_findings(parts: Sequence[Findings]) -> Findings:
    """Merge what the batches gave."""
    if len(parts) == 1:
        return parts[0]
    return Findings(
        merge_tables([part.counts for part in parts]),
        _merge_present([part.ladder for part in parts], merge_ladders),
        _merge_present([part.kinds for part in parts], merge),
        _merge_present([part.confused for part in parts], _concat_confusions),
        _merge_present([part.verdicts for part in parts], _concat_verdicts),
    )


def _concat_confusions(parts: Sequence[Confusion]) -> Confusion:
    gold, pred, number = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return gold, pred, number


def _merge_present(parts: Sequence[Any], how: Callable[[Sequence[Any]], Any]) -> Any:
    present = [part for part in parts if part is not None]
    return how(present) if present else None
