"""All cases: commands on all inputs, in all forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import spanscope
from tests.recording import calls, wrong
from tests.recording.run import Case

FEW = ("--resamples", "40")
REQ, NEW = ("req.gold.jsonl", "req.pred.jsonl"), ("req.plain.jsonl", "req.new.jsonl")
HAND = ("hand.gold.jsonl", "hand.pred.jsonl")
INPUTS: dict[str, tuple[tuple[str, ...], ...]] = {  # by family: what every measure of it is run on
    "spans": (REQ, NEW, HAND, ("pii.gold.jsonl", "pii.noisy.jsonl"), ("pii.conll",)),
    "tokens": (
        ("pii.gold.jsonl", "pii.noisy.jsonl"),
        ("pii.gold.jsonl", "pii.patterns.jsonl"),
        ("pii.conll",),
        REQ,
    ),
    "segments": (
        ("traces.jsonl",),
        ("ls.ha.jsonl", "ls.ve.jsonl"),
        ("masses.gold.jsonl", "masses.pred.jsonl"),
        ("hand.levels.jsonl", "hand.levels.pred.jsonl"),
        ("hand.strings.jsonl", "hand.strings.pred.jsonl"),
    ),
    "passages": (
        ("legal.gold.json", "legal.pred.json"),
        ("chroma.gold.json", "chroma.pred.json"),
        ("squad.gold.json", "squad.pred.json"),
        ("trec.qrels.json", "trec.run.json"),
        ("trec/qrels.test", "trec/results.test"),
    ),
}
MAIN = {"spans": REQ, "tokens": ("pii.conll",), "segments": ("traces.jsonl",), "passages": INPUTS["passages"][0]}
SUITED = {  # measures that need other inputs than the main ones of their family
    **dict.fromkeys(("tokens.presidio_evaluator", "tokens.presidio_tokens"), INPUTS["tokens"][0]),
    **dict.fromkeys(
        ("passages.characters", "passages.chroma", "passages.documents", "passages.legalbench_rag"),
        INPUTS["passages"][1],
    ),
    **dict.fromkeys(("passages.trec", "passages.trec_cut"), INPUTS["passages"][4]),
}
VARIANTS = """
spans.exact(duplicates=set) spans.iou(threshold=0.7) spans.iou(threshold=0)
spans.iou(threshold=0.3,assignment=optimal)
spans.relaxed(threshold=0.8) spans.relaxed(threshold=0.5,assignment=optimal) spans.relaxed(iou_weight=0.2)
spans.relaxed(text=difflib) spans.relaxed(rules=reqflow) spans.relaxed(threshold=0,rules=reqflow)
spans.semeval(mode=strict) spans.semeval(mode=exact) spans.semeval(mode=partial) spans.semeval(mode=type)
spans.semeval(matching=nervaluate) spans.semeval(ends=inclusive) spans.text(normalise=none)
spans.text(duplicates=set)
tokens.presidio(threshold=0.5) tokens.presidio(unit=character) tokens.presidio(skip_words=presidio)
tokens.presidio(generic='PERSON') tokens.tags(skip_words=presidio) tokens.presidio_evaluator(threshold=0.5)
tokens.presidio_evaluator(unit=character) tokens.presidio_tokens(skip_words=none)
passages.ranking(k=3) passages.ranking(by=exact) passages.ranking(by=fuzzy) passages.ranking(gain=exponential)
passages.span_f1(counting=multisets) passages.squad(version='1.1') passages.legal(k=3) passages.characters(k=2)
passages.documents(k=2) passages.trec(level=2) passages.trec_cut(k=3)
segments.b_score(tolerance=10) segments.soft(sigma=20.0) segments.boundaries(tolerance=5)
segments.cover(tolerance=3)
segments.pk(window=5) segments.pk(auto=segeval) segments.pk(auto=nltk) segments.pk(edges=nltk)
segments.pk(edges=lamprier) segments.pk(edges=segeval) segments.window_diff(weighted=true)
segments.window_diff(edges=lamprier) segments.win_pr(window=4) segments.ghd(shift=0.5) segments.ghd(insert=3.0)
segments.agreement(of=s) segments.edit_distance(n_t=5) segments.density_jsd(bins=5) segments.rt_seg(window=10)
"""
FORMATS = ("table", "json", "csv", "markdown", "latex")
TOOLS = {
    "reqflow-csv": (*REQ, "-p", "reqflow-v2"),
    "reqflow-csv-v1": (*REQ, "-p", "reqflow-v1"),
    "conlleval": ("pii.conll", "-p", "conll2003"),
    "seqeval": ("pii.conll", "-p", "seqeval"),
    "trec_eval": ("trec/qrels.test", "trec/results.test"),
    "squad": ("squad.gold.json", "squad.pred.json", "-p", "squad2"),
}
WIDTHS = ("80", "100", "140")
COMMANDS = (
    "check",
    "measures",
    "protocols",
    "agree",
    "compare",
    "plan",
    "plot",
    "report",
    "view",
    "eval",
    "demo",
    "score",
    "serve",
)


def every(place: Path, data: Path) -> Iterator[Case]:
    """Return all cases that have their inputs."""
    made = (
        *_lists(),
        *_measures(),
        *_protocols(),
        *_forms(),
        *_options(),
        *_panels(),
        *_comparisons(),
        *_agreements(),
        *_checks(),
        *_pages(),
        *_plots(),
        *_plans(place),
        *_formats(place),
        *_large(),
    )
    yield from made
    yield from calls.every(place, data)
    yield from wrong.every(place)


def short(*words: str) -> str:
    """Return words as part of a name.

    >>> short("spans.iou(threshold=0.5)", "a/b.json")
    'spans.iou_threshold_0.5-a_b.json'
    """
    return "-".join(re.sub(r"[^\w.+-]+", "_", word).strip("_") for word in words if word)[:120]


def _lists() -> Iterator[Case]:
    yield Case("version", ("--version",))
    yield Case("help-top", ("--help",))
    yield Case("help-top-narrow", ("--help",), env={"COLUMNS": "60"})
    for name in COMMANDS:
        yield Case(f"help-{name}", (name, "--help"))
        yield Case(f"help-{name}-wide", (name, "--help"), env={"COLUMNS": "140"})
    yield Case("measures", ("measures",))
    yield Case("measures-narrow", ("measures",), env={"COLUMNS": "80"})
    for name in sorted(spanscope.known()):
        yield Case(f"measures-{name}", ("measures", name))
    yield Case("protocols", ("protocols",))
    yield Case("protocols-narrow", ("protocols",), env={"COLUMNS": "80"})
    for which in ((), ("spans",), ("segments",)):
        for form in ("table", "json"):
            yield Case(f"demo-{short(*which, form)}", ("demo", *which, "-f", form, "-n", "5"))


def _measures() -> Iterator[Case]:
    """Run every measure with its defaults on all inputs of its family, and some with other parameters."""
    own = [name for name in sorted(spanscope.known()) if name.partition(".")[0] in MAIN]  # others are of `agree`
    for name in own:
        family = name.partition(".")[0]
        for files in INPUTS[family]:
            yield Case(f"measure-{name}-{short(*files)}-json", _as_json(family, files, name))
        yield Case(f"measure-{name}-table", ("eval", *SUITED.get(name, MAIN[family]), "-m", name))
    for text in VARIANTS.split():
        name, family = text.partition("(")[0], text.partition(".")[0]
        files = SUITED.get(name, MAIN[family])
        files = INPUTS["segments"][1] if family == "segments" else files
        yield Case(f"variant-{short(text)}", _as_json(family, files, text))


def _as_json(family: str, files: tuple[str, ...], measure: str) -> tuple[str, ...]:
    """Return the command that gives all there is of a measure."""
    several = family == "segments" and len(files) == 1
    matches = ("--matches",) if family in ("spans", "tokens") and len(files) == 2 and files != REQ else ()
    told = () if several else ("--documents", *matches)
    missing = ("--missing", "empty") if family == "passages" else ()
    return ("eval", *files, "-m", measure, *FEW, "-f", "json", *told, *missing)


def _protocols() -> Iterator[Case]:
    """Run every protocol on all inputs of all families: those of others are refused."""
    for name, protocol in spanscope.PROTOCOLS.items():
        own = {str(measure).partition(".")[0] for measure in protocol.measures}
        own |= {"spans", "tokens"} if own & {"spans", "tokens"} else set()
        for family, all_files in INPUTS.items():
            for files in all_files if family in own else all_files[:1]:
                args = ("eval", *files, "-p", name, *FEW)
                yield Case(f"protocol-{name}-{family}-{short(*files)}", args)
                if family in own:
                    yield Case(f"protocol-{name}-{family}-{short(*files)}-csv", (*args, "-f", "csv"))
                    yield Case(f"protocol-{name}-{family}-{short(*files)}-json", (*args, "-f", "json"))
        main = min(own)
        for form in ("markdown", "latex"):
            yield Case(f"protocol-{name}-{form}", ("eval", *MAIN[main], "-p", name, *FEW, "-f", form))


def _forms() -> Iterator[Case]:
    """Print every family in every form and width, with its default intervals."""
    for family, files in MAIN.items():
        for form in FORMATS:
            yield Case(f"form-{family}-{form}", ("eval", *files, "-f", form))
            if form not in ("json", "csv") or family == "spans":  # where digits are refused
                yield Case(f"form-{family}-{form}-digits", ("eval", *files, "-f", form, "--digits", "2", *FEW))
        for width in WIDTHS:
            yield Case(f"form-{family}-columns-{width}", ("eval", *files, *FEW), env={"COLUMNS": width})
        for columns in (60, 100):
            yield Case(f"form-{family}-terminal-{columns}", ("eval", *files, *FEW), terminal=columns)
        for ending in ("json", "csv", "md", "tex", "txt"):
            yield Case(f"form-{family}-to-{ending}", ("eval", *files, *FEW, "-o", f"out/r.{ending}"))
    for name, args in TOOLS.items():
        yield Case(f"form-tool-{name}", ("eval", *args, *FEW, "-f", name.replace("-v1", "")))
    for files in (REQ, HAND, ("pii.gold.jsonl", "pii.noisy.jsonl"), ("pii.gold.conll", "pii.pred.conll")):
        for width in ("60", *WIDTHS):
            yield Case(f"wide-{short(*files)}-{width}", ("eval", *files, *FEW, "-n", "6"), env={"COLUMNS": width})


OPTIONS: dict[str, str] = {
    "examples": "-n 20",
    "worst": "--worst 7",
    "labels": "--labels Action,Purpose",
    "beta": "--beta 2",
    "undefined-0": "--undefined 0",
    "undefined-1": "--undefined 1",
    "no-ci": "--no-ci",
    "level": "--level 0.9",
    "seed": "--seed 7",
    "no-errors": "--no-errors",
    "masked": "--text masked -n 5",
    "none": "--text none -n 5",
    "thresholds": "--thresholds 0.3,0.5,0.8",
    "map": "--map Action=Deed --map Purpose=",
    "meta": "--meta model=x",
    "iou": "-m spans.iou(threshold=0.7,assignment=optimal)",
    "relaxed": "-m spans.relaxed(threshold=0.8,text=difflib)",
    "two": "-m spans.exact -m spans.overlap",
    "under": "--fail-under micro_f1=0.99",
    "met": "--fail-under micro_f1=0.1",
    "under-label": "--fail-under recall[Action]=0.6",
    "over": "--fail-over spans.exact:micro_f1=0.3",
    "strict": "--strict",
    "missing": "--missing empty --extra skip",
    "repeated": "--repeated number",
    "counts": "--memory counts",
    "totals": "--memory totals",
    "spans": "--memory spans",
    "jobs": "--jobs 2",
    "jobs-counts": "--jobs 2 --memory counts",
    "jobs-totals": "--jobs 2 --memory totals",
}


def _options() -> Iterator[Case]:
    """Run every option on spans, as a table and as JSON."""
    for name, words in OPTIONS.items():
        args = ("eval", *REQ, *words.split(" "))
        yield Case(f"option-{name}", args)
        if "fail" in words:
            yield Case(f"option-{name}-csv", (*args, "-f", "csv"))
            continue
        told = () if "totals" in words else ("--documents",)
        plain = [word for word in args if word not in ("-n", "5", "20")]  # examples are for tables
        yield Case(f"option-{name}-json", (*plain, "-f", "json", *told))
    json = ("-f", "json")
    yield Case("option-exact-curve", ("eval", *REQ, "--thresholds", "exact", *FEW, *json))
    yield Case("option-matches", ("eval", *REQ, "--matches", *FEW, *json))
    yield Case("option-keep", ("eval", *REQ, "--keep", *FEW, *json))
    yield Case("option-default-json", ("eval", *NEW, *json, "--matches", "--documents"))
    yield Case("option-scored", ("eval", "req.plain.jsonl", "req.scored.jsonl", "--matches", *FEW, *json))
    yield Case("option-texts", ("eval", "req.plain.jsonl", "req.texts.jsonl", "-m", "spans.text", *FEW, *json))
    yield Case("option-gzip", ("eval", "req.gold.json", "req.new.jsonl.gz", *FEW))
    yield Case("option-keyed", ("eval", "req.keyed.json", "req.new.jsonl", *FEW))
    yield Case("option-utf16", ("eval", "req.utf16.jsonl", "req.utf16.jsonl", "--offsets", "utf16", *FEW))
    yield Case("option-some-empty", ("eval", "req.plain.jsonl", "req.some.jsonl", "--missing", "empty", *FEW))
    yield Case("option-some-skip", ("eval", "req.plain.jsonl", "req.some.jsonl", "--missing", "skip", *FEW))
    yield Case("option-extra-skip", ("eval", "req.some.jsonl", "req.plain.jsonl", "--extra", "skip", *FEW))
    fields = [
        word
        for pair in ("id=key", "text=body", "spans=marks", "start=from", "end=to", "label=kind")
        for word in ("--field", pair)
    ]
    yield Case("option-fields", ("eval", "req.renamed.jsonl", "req.renamed.jsonl", *fields, *FEW))
    yield from _token_options()
    yield from _passage_options()


def _token_options() -> Iterator[Case]:
    for repair in ("conlleval", "discard", "strict", "seqeval"):
        yield Case(f"tokens-repair-{repair}", ("eval", "ill.conll", "--scheme", "IOB2", "--repair", repair))
    for scheme in ("IO", "IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU", "BMES"):
        yield Case(f"tokens-scheme-{scheme}", ("eval", "pii.conll", "--scheme", scheme, *FEW))
    yield Case("tokens-columns", ("eval", "both.conll", "--columns", "gold=2,pred=1", *FEW))
    yield Case("tokens-map", ("eval", "both.conll", "--map", "PER=PERSON", "--map", "LOC=", *FEW))
    for text in ("full", "masked", "none"):
        yield Case(
            f"tokens-pii-{text}",
            ("eval", "pii.gold.jsonl", "pii.noisy.jsonl", "-p", "pii", "--text", text, "-n", "5", *FEW),
        )
    for memory in ("counts", "totals"):
        args = ("eval", "pii.gold.jsonl", "pii.noisy.jsonl", "--memory", memory, *FEW)
        yield Case(f"tokens-memory-{memory}", args)
        yield Case(f"tokens-memory-{memory}-jobs", (*args, "--jobs", "2", "-f", "json"))


def _passage_options() -> Iterator[Case]:
    legal = ("legal.gold.json", "legal.pred.json")
    yield Case("passages-cutoffs", ("eval", *legal, "--k", "1,5,10", *FEW))
    yield Case("passages-cutoffs-json", ("eval", *legal, "--k", "1,5,10", *FEW, "-f", "json", "--documents"))
    yield Case("passages-worst", ("eval", *legal, "--worst", "8", *FEW))
    for join in ("ids", "texts", "places"):
        yield Case(f"passages-join-{join}", ("eval", *legal, "--join", join, *FEW))
    for scores in ("similarities", "distances"):
        yield Case(f"passages-scores-{scores}", ("eval", legal[0], "legal.scored.json", "--scores", scores, *FEW))
    yield Case("passages-scores-rising", ("eval", legal[0], "legal.scored.json", *FEW))
    bench = ("bench.gold.json", "bench.pred.json", "--corpus", "formats/legalbench/corpus", *FEW)
    yield Case("passages-corpus", ("eval", *bench))
    yield Case(
        "passages-corpus-characters", ("eval", *bench, "-m", "passages.characters", "-f", "json", "--documents")
    )
    yield Case("passages-corpus-page", ("report", *bench, "-o", "out/page.html"))
    for protocol in ((), ("-p", "legal"), ("-p", "passages")):
        args = ("score", "legal.pred.json", "legal.gold.json", *protocol)
        yield Case(f"score-{short(*protocol) or 'plain'}", args)
        yield Case(f"score-{short(*protocol) or 'plain'}-file", (*args, "--k", "3", "-o", "out/score.json"))
    yield Case("trec-levels", ("eval", "trec/qrels.rel_level", "trec/results.test", "-p", "trec", *FEW))
    yield Case("trec-truncated", ("eval", "trec/qrels.test", "trec/results.trunc", "-p", "trec", *FEW))
    yield Case(
        "trec-all",
        ("eval", "trec/qrels.test", "trec/results.test", "-f", "json", "--documents", "-m", "passages.trec"),
    )
    yield Case("beir", ("eval", "formats/beir", "formats/beir/run.json", *FEW))


def _panels() -> Iterator[Case]:
    """Score several segmentations of one file against each other."""
    for name in ("traces.jsonl", "ls.jsonl"):
        gold = ("--gold", "ha") if name == "ls.jsonl" else ()
        for form in FORMATS:
            yield Case(f"panel-{name}-{form}", ("eval", name, *gold, "-f", form, *FEW))
        for width in WIDTHS:
            yield Case(f"panel-{name}-columns-{width}", ("eval", name, *gold, *FEW), env={"COLUMNS": width})
        yield Case(f"panel-{name}-rt-seg", ("eval", name, *gold, "-p", "rt-seg", *FEW))
        yield Case(f"panel-{name}-rt-seg-json", ("eval", name, *gold, "-p", "rt-seg", "-f", "json", *FEW))
    yield Case("panel-no-gold", ("eval", "ls.jsonl", "--only", "ha,ve", *FEW))
    yield Case("panel-sentences", ("eval", "traces.jsonl", "--gold", "Sentences", *FEW))
    yield Case("panel-only", ("eval", "traces.jsonl", "--only", "Gold,Lines", *FEW))
    yield Case(
        "panel-two", ("eval", "traces.jsonl", "-m", "segments.b_score(tolerance=10)", "-m", "segments.pk", *FEW)
    )
    yield Case("panel-raw", ("eval", "ls.raw.jsonl", "--gold", "ha", *FEW))
    yield Case("panel-normalised", ("eval", "ls.raw.jsonl", "--normalise", "--gold", "ha", *FEW))
    yield Case("panel-corrected", ("eval", "ls.corrected.jsonl", "--normalise", *FEW))
    yield Case(
        "segments-gate", ("eval", "ls.ha.jsonl", "ls.ve.jsonl", "--fail-over", "segments.pk:document_pk=0.1", *FEW)
    )
    yield Case("segments-worst", ("eval", "ls.ha.jsonl", "ls.ve.jsonl", "--worst", "3", *FEW))
    for memory in ("counts", "totals"):
        yield Case(
            f"segments-memory-{memory}",
            ("eval", "masses.gold.jsonl", "masses.pred.jsonl", "--memory", memory, *FEW),
        )


def _comparisons() -> Iterator[Case]:
    few = (*FEW, "--trials", "200")
    two = ("req.gold.jsonl", "base=req.pred.jsonl", "new=req.new.jsonl")
    for form in FORMATS:
        yield Case(f"compare-{form}", ("compare", *two, "-f", form, *few))
    yield Case("compare-default", ("compare", *two))
    yield Case("compare-default-json", ("compare", *two, "-f", "json"))
    for width in WIDTHS:
        yield Case(f"compare-columns-{width}", ("compare", *two, *few), env={"COLUMNS": width})
    yield Case("compare-three", ("compare", *two, "req.old.jsonl", "-m", "spans.exact", "-m", "spans.iou", *few))
    yield Case("compare-seeds", ("compare", *two, "new=req.old.jsonl", *few))
    yield Case(
        "compare-tokens", ("compare", "pii.gold.jsonl", "pii.patterns.jsonl", "pii.noisy.jsonl", "-p", "pii", *few)
    )
    yield Case(
        "compare-passages",
        ("compare", "chroma.gold.json", "chroma.pred.json", "chroma.new.json", "-p", "chroma", *few),
    )
    yield Case("compare-segments", ("compare", "ls.ha.jsonl", "a=ls.ve.jsonl", "b=ls.ha.jsonl", *few))
    yield Case("compare-page", ("compare", *two, *few, "--html", "out/page.html"))
    yield Case("compare-page-masked", ("compare", *two, *few, "--html", "out/page.html", "--text", "masked"))
    yield Case("compare-memory", ("compare", *two, *few, "--memory", "counts", "--jobs", "2"))


def _agreements() -> Iterator[Case]:
    two = ("req.gold.jsonl", "req.pred.jsonl")
    few = ("--resamples", "30", "--samples", "5")
    yield Case("agree-default", ("agree", *two, "--samples", "5"))
    for form in ("json", "csv", "markdown"):
        yield Case(f"agree-{form}", ("agree", *two, "-f", form, *few))
    for width in WIDTHS:
        yield Case(f"agree-columns-{width}", ("agree", *two, *few), env={"COLUMNS": width})
    for name in ("f1", "kappa", "alpha", "alpha_u", "u_alpha", "gamma"):
        samples = few if name == "gamma" else FEW
        files = ("pii.gold.jsonl", "pii.noisy.jsonl") if name == "alpha_u" else two
        yield Case(f"agree-{name}", ("agree", *files, "-m", name, *samples, "-f", "json", "--documents"))
    three = ("req.plain.jsonl", "req.new.jsonl", "req.old.jsonl")
    yield Case("agree-three", ("agree", *three, "--names", "ANN,BOB,CLEO", *few))
    yield Case("agree-labels", ("agree", *two, "--labels", "Action,Purpose", "-m", "f1", "-m", "kappa", *FEW))
    yield Case("agree-token-none", ("agree", *two, "--unit", "token", "--no-ci", "-m", "f1"))
    yield Case(
        "agree-token",
        ("agree", "pii.gold.conll", "pii.pred.conll", "--unit", "token", "--no-ci", "--samples", "5"),
    )
    yield Case("agree-statistical", ("agree", *two, "-m", "gamma", "--sampler", "statistical", *few))
    yield Case("agree-segments", ("agree", "traces.jsonl", *few))
    yield Case("agree-segments-json", ("agree", "ls.jsonl", "-m", "kappa", "-m", "f1", *FEW, "-f", "json"))
    yield Case("agree-some", ("agree", "req.plain.jsonl", "req.some.jsonl", "-m", "f1", *FEW))
    yield Case(
        "agree-some-error", ("agree", "req.plain.jsonl", "req.some.jsonl", "-m", "f1", "--missing", "error")
    )
    yield Case("agree-conll", ("agree", "pii.gold.conll", "pii.pred.conll", "-m", "f1", "-m", "alpha", *FEW))


def _checks() -> Iterator[Case]:
    for name, files in (
        ("req", REQ),
        ("new", NEW),
        ("hand", HAND),
        ("some", ("req.plain.jsonl", "req.some.jsonl")),
        ("traces", ("traces.jsonl",)),
        ("raw", ("ls.raw.jsonl",)),
        ("conll", ("ill.conll",)),
        ("pii", ("pii.conll",)),
        ("legal", ("legal.gold.json", "legal.pred.json")),
        ("trec", ("trec/qrels.test", "trec/results.test")),
        ("labels", (*REQ, "--labels", "Action")),
        ("masked", (*REQ, "--text", "masked")),
        ("utf16", (*REQ, "--offsets", "utf16")),
        ("parquet", ("req.plain.parquet", "req.new.parquet")),
        ("corpus", ("formats/legalbench/bench.json", "--corpus", "formats/legalbench/corpus")),
    ):
        yield Case(f"check-{name}", ("check", *files))


def _pages() -> Iterator[Case]:
    """Write the page of every family, and with less and less of the texts."""
    for family, all_files in INPUTS.items():
        for files in all_files:
            missing = ("--missing", "empty") if "squad" in files[0] else ()
            yield Case(f"page-{family}-{short(*files)}", ("report", *files, *FEW, *missing, "-o", "out/page.html"))
    for text in ("context", "masked", "none"):
        yield Case(f"page-text-{text}", ("report", *REQ, *FEW, "--text", text, "-o", "out/page.html"))
    yield Case("page-default", ("report", *REQ, "-o", "out/page.html", "--title", "A title", "--meta", "model=x"))
    yield Case("page-scored", ("report", "req.plain.jsonl", "req.scored.jsonl", *FEW, "-o", "out/page.html"))
    yield Case("page-panel", ("report", "ls.jsonl", "--gold", "ha", *FEW, "-o", "out/page.html"))
    yield Case("page-different", ("report", "req.gold.jsonl", "req.utf16.jsonl", *FEW, "-o", "out/page.html"))
    yield Case("page-eval", ("eval", *REQ, *FEW, "--html", "out/page.html", "-o", "out/report.md"))
    yield Case("page-view", ("view", *REQ, *FEW))
    yield Case("page-view-panel", ("view", "traces.jsonl", *FEW))


def _plots() -> Iterator[Case]:
    plots = {
        "curve": ("curve", *REQ),
        "labels": ("labels", *REQ),
        "confusion": ("confusion", *REQ),
        "compare": ("compare", "req.gold.jsonl", "old=req.pred.jsonl", "new=req.new.jsonl", "-m", "spans.exact"),
        "segments": ("segments", "traces.jsonl"),
        "segments-one": ("segments", "traces.jsonl", "--document", "primes"),
        "cutoffs": ("cutoffs", "legal.gold.json", "legal.pred.json", "--k", "1,2,5"),
        "dark": (
            "labels",
            *REQ,
            "--style",
            "dark",
            "--width",
            "4",
            "--height",
            "3",
            "--font-size",
            "7",
            "--title",
            "T",
        ),
        "print": ("confusion", *REQ, "--style", "print", "--no-title"),
        "tokens": ("labels", "pii.conll"),
    }
    for name, words in plots.items():
        yield Case(f"plot-{name}", ("plot", *words, "-o", "out/figure.svg"))
    for ending in ("png", "pdf"):
        yield Case(f"plot-{ending}", ("plot", "labels", *HAND, "-o", f"out/figure.{ending}"))


def _plans(place: Path) -> Iterator[Case]:
    """Plan from results that kept their counts, which are made here by the command itself."""
    kept = place / "kept"
    kept.mkdir()
    yield Case("plan-keep", ("eval", *REQ, *FEW, "--keep", "-f", "json", "-o", "kept/a.json"), needed=True)
    yield Case(
        "plan-keep-new",
        ("eval", "req.gold.jsonl", "req.new.jsonl", *FEW, "--keep", "-o", "kept/b.json"),
        needed=True,
    )
    yield Case("plan-keep-not", ("eval", *REQ, *FEW, "-f", "json", "-o", "kept/c.json"), needed=True)
    for name, words in {
        "plain": (),
        "expect": ("--expect", "0.8"),
        "rate": ("--rate", "recall"),
        "macro": ("--average", "macro"),
        "label": ("--label", "Action"),
        "measure": ("-m", "spans.exact"),
        "power": ("--power", "0.9"),
        "correlation": ("--correlation", "0.8"),
        "document": ("--average", "document"),
    }.items():
        yield Case(f"plan-{name}", ("plan", "kept/a.json", "--detect", "0.02", *words))
    yield Case("plan-without-counts", ("plan", "kept/c.json", "--detect", "0.02"))
    yield Case("plan-negative", ("plan", "kept/a.json", "--detect", "-1"))
    yield Case("plan-no-file", ("plan", "kept/z.json", "--detect", "0.02"))
    yield Case("plan-gold-as-result", ("plan", "req.gold.jsonl", "--detect", "0.02"))
    yield Case("compare-kept", ("compare", "kept/a.json", "kept/b.json", *FEW, "--trials", "200"))
    yield Case("compare-kept-not", ("compare", "kept/a.json", "kept/c.json", *FEW))


PAIRS = (
    ("squad/squad2.json", "squad/predictions.json"),
    ("trec/qrels.txt", "trec/run.txt"),
    ("ranx/qrels.json", "ranx/run.json"),
    ("plain/gold.jsonl", "plain/pred.jsonl"),
    ("plain/gold.jsonl", "frames/documents.parquet"),
    ("plain/gold.jsonl", "frames/documents.arrow"),
    ("spacy/tuples.json", "prodigy/gold.jsonl"),
    ("spacy/gold.jsonl", "spacy/pred.jsonl", "--field", "spans=ents"),
    ("plain/gold.jsonl", "compressed/gold.jsonl.gz"),
    ("labelstudio/full.json", "--normalise"),
    ("labelstudio/two_annotators.json", "--normalise"),
    ("conll/both.conll",),
    ("conll/conll2003.txt", "conll/conll2003.txt", "--columns", "token=0,tag=3"),
    ("conll/header.bio", "conll/header.bio", "--input", "conll"),
    ("huggingface/rows.jsonl", "huggingface/rows.jsonl", "--tag-names", ",".join(f"B-{n}" for n in range(40))),
    ("llm/quotes.jsonl", "llm/quotes.jsonl", "-m", "spans.text"),
)


def _formats(place: Path) -> Iterator[Case]:
    """Read the collection of formats: each file against itself, and checked; many are refused.

    Of folders that hold one file per document, the first is enough.
    """
    root = place / "formats"
    if not root.exists():
        return
    every_name = sorted(path.relative_to(place).as_posix() for path in root.rglob("*"))
    for name in every_name:
        if re.search(r"README|/[ds][2-9]\b|/part-0000[1-9]", name):
            continue
        yield Case(f"format-{short(name)}", ("eval", name, name, *FEW))
        yield Case(f"format-{short(name)}-check", ("check", name))
    for words in PAIRS:
        args = [f"formats/{word}" if (root / word).is_file() else word for word in words]
        yield Case(f"format-both-{short(*words)}", ("eval", *args, *FEW))
        yield Case(f"format-both-{short(*words)}-json", ("eval", *args, *FEW, "-f", "json"))
    yield Case("format-labelstudio-agree", ("agree", "formats/labelstudio/full.json", "--no-ci", "--samples", "3"))


def _large() -> Iterator[Case]:
    """Read tables and blocks, with all kinds of memory."""
    for gold, pred in (
        ("req.plain.parquet", "req.new.parquet"),
        ("req.plain.rows.parquet", "req.new.rows.feather"),
    ):
        args = ("eval", gold, pred, *FEW, *(("-m", "spans.exact", "-m", "spans.iou") if "rows" in gold else ()))
        yield Case(f"table-{short(gold)}", args)
        yield Case(f"table-{short(gold)}-json", (*args, "-f", "json", "--documents"))
        for memory in ("counts", "totals"):
            yield Case(f"table-{short(gold)}-{memory}", (*args, "--memory", memory))
    yield Case("table-rows-no-text", ("eval", "req.plain.rows.parquet", "req.new.rows.feather", *FEW))
    for memory in ("spans", "counts", "totals"):
        for jobs in ("1", "2"):
            args = ("eval", *NEW, *FEW, "--memory", memory, "--jobs", jobs)
            yield Case(f"memory-{memory}-{jobs}", args)
            yield Case(f"memory-{memory}-{jobs}-json", (*args, "-f", "json"))
