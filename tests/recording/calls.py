"""Calls of what `import spanscope` gives: lists, columns, frames, tables, and inputs recorded from other tools."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import spanscope
from tests.recording import inputs
from tests.recording.run import OUT, Case

Json = dict[str, Any]
FEW = spanscope.Ci(resamples=40)
SOME = 10  # cases of an oracle
RATES = ("precision", "recall", "f1")


def keywords(options: dict[str, Any]) -> dict[str, Any]:
    """Return options as keywords of the tree that is recorded: flat, or in groups."""
    try:
        from spanscope.settings.options import grouped
    except ImportError:
        return options
    return grouped({"fields" if name == "field" else name: value for name, value in options.items()})


def _few_resamples() -> dict[str, Any]:
    """Return how agreement is told to draw 30 resamples."""
    flat = "resamples" in inspect.signature(spanscope.agree).parameters
    return {"resamples": 30} if flat else {"ci": spanscope.Ci(resamples=30)}


def every(place: Path, data: Path) -> Iterator[Case]:
    """Return all cases in Python."""
    for name, call in _forms().items():
        yield Case(f"python-{name}", call=call)
    for name, call in (
        *_oracles(data / "oracles"),
        *_segmentations(data / "oracles"),
        *_agreements(data / "oracles"),
    ):
        yield Case(f"oracle-{name}", call=call)


def shown(result: Any, **options: Any) -> str:
    """Return all that a result says: its JSON, its table, its words."""
    parts = [result.to_json(**options), result.table(), repr(result)]
    return "\n".join(part if part.endswith("\n") else part + "\n" for part in parts)


def scored(gold: Any, pred: Any = None, measures: Any = None, **options: Any) -> str:
    """Evaluate, and return all that the result says."""
    result = spanscope.evaluate(gold, pred, measures, **keywords({"ci": FEW, **options}))
    return shown(result, documents=True, matches=not str(result.measures[0]).startswith(("passages", "segments")))


def documents(name: str) -> Any:
    """Return the documents of a file among the inputs."""
    path = Path(name)
    return inputs.read_lines(path) if name.endswith("jsonl") else json.loads(path.read_text("utf-8"))


# ---------------------------------------------------------------- forms of input


def columns(name: str) -> dict[str, list[Any]]:
    """Return spans as columns."""
    rows = [(one["id"], s["start"], s["end"], s["label"]) for one in documents(name) for s in one["spans"]]
    return dict(zip(("doc", "start", "end", "label"), map(list, zip(*rows, strict=True)), strict=True))


def frame(name: str) -> Any:
    """Return spans as a data frame of pandas."""
    import pandas

    return pandas.DataFrame(columns(name))


def table(name: str) -> Any:
    """Return documents as a table of Arrow."""
    import pyarrow

    return pyarrow.Table.from_pylist(documents(name))


def lists(name: str) -> list[Any]:
    """Return spans as nervaluate's lists."""
    return [one["spans"] for one in documents(name)]


def tags(name: str) -> list[list[str]]:
    """Return the tags of documents as seqeval takes them."""
    return [one["tags"] for one in documents(name)]


def presidio_frame() -> Any:
    """Return tagged tokens as presidio-evaluator's data frame."""
    import pandas

    sides = zip(documents("pii.gold.jsonl")[:40], documents("pii.noisy.jsonl")[:40], strict=True)
    rows = [
        {"sentence_id": a["id"], "token": token, "annotation": x, "prediction": y, "start_indices": start}
        for a, b in sides
        for token, start, x, y in zip(a["tokens"], a["start_indices"], a["tags"], b["tags"], strict=True)
    ]
    return pandas.DataFrame(rows)


def _forms() -> dict[str, Callable[[], str]]:
    """Return calls with every form of input, and every view of a result."""

    def both(make: Callable[[str], Any], **options: Any) -> Callable[[], str]:
        return lambda: scored(make("req.plain.jsonl"), make("req.new.jsonl"), **options)

    out = {
        "lists": both(documents),
        "lists-exact": both(documents, measures="spans.exact", ci=True),
        "objects": both(lambda name: {str(one["id"]): one for one in documents(name)}),
        "columns": both(columns, measures=["spans.iou(threshold=0.7)", "spans.exact"]),
        "pandas": both(frame, measures=["spans.iou", "spans.exact"]),
        "arrow": both(table),
        "parquet": lambda: scored("req.plain.parquet", "req.new.parquet"),
        "paths": lambda: scored(Path("req.plain.jsonl"), Path("req.new.jsonl")),
        "nervaluate": both(lists, protocol="semeval2013"),
        "tags": lambda: scored(tags("pii.gold.jsonl")[:60], tags("pii.noisy.jsonl")[:60]),
        "presidio-frame": lambda: scored(presidio_frame(), protocol="presidio"),
        "trec-dicts": lambda: scored(documents("trec.qrels.json"), documents("trec.run.json"), protocol="trec"),
        "no-ci": both(documents, ci=False),
        "beta": both(documents, beta=2.0, undefined=0.0, labels=["Action", "Purpose"]),
        "ci": both(documents, ci=spanscope.Ci(resamples=100, level=0.9, seed=3)),
    }
    return out | _views()


def _views() -> dict[str, Callable[[], str]]:
    """Return calls of every other public name, and every view of a result."""
    return {
        "values": values,
        "curve": curve,
        "views": views_of,
        "pandas-rows": pandas_rows,
        "check": checked,
        "parse": parsed,
        "known": known,
        "names": names,
        "compare": compared,
        "agree": agreed,
        "panel": panelled,
        "plan": planned,
        "write": written,
        "read": read,
        "rows": rows,
        "errors": errors,
    }


def req() -> Any:
    """Return the result of the example corpus."""
    return spanscope.evaluate("req.gold.jsonl", "req.pred.jsonl", ci=FEW)


def values() -> str:
    """Return single figures."""
    result, out = req(), []
    for measure in map(str, result.measures):
        for average in ("micro", "macro", "weighted", "document"):
            out += [f"{measure} {average} {rate} {result.value(rate, measure, average)!r}" for rate in RATES]
        for label in result.counts(measure):
            out += [f"{measure} {label} {rate} {result.value(rate, measure, label=label)!r}" for rate in RATES]
        out.append(f"{result.counts(measure)} {result.totals(measure)} {result.signature(measure)}")
    return "\n".join(out) + "\n"


def curve() -> str:
    """Return curves over thresholds."""
    result = req()
    grids: tuple[Any, ...] = (None, [0.25, 0.5, 0.75], "exact")
    return "\n".join(repr(point) for grid in grids for point in result.curve(None, grid)) + "\n"


def views_of() -> str:
    """Return the views of a result that are no report."""
    result = req()
    parts = [
        result.confusion(),
        result.errors(),
        list(result.matches(["boundary", "type"])),
        result.leaks(),
        result.by_document("spans.exact"),
        result.problems.number,
        result.problems.first,
        result.documents,
        list(result.names),
        str(result),
    ]
    return "\n".join(map(str, parts)) + "\n"


def pandas_rows() -> str:
    """Return the rows as a data frame prints them."""
    return str(req().to_pandas().to_csv(index=False))


def rows() -> str:
    """Return the rows of a result."""
    return "\n".join(map(repr, req().rows)) + "\n"


def checked() -> str:
    """Return the problems of a corpus."""
    found = spanscope.check("req.gold.jsonl", "req.pred.jsonl", labels=["Action"])
    return "\n".join(map(str, found)) + "\n"


def parsed() -> str:
    """Return measures as values."""
    texts = ("spans.iou(threshold=0.7)", "spans.exact", "passages.ranking(k=3)", "segments.pk")
    return "\n".join(f"{spanscope.parse(text)} {spanscope.parse(text)!r}" for text in texts) + "\n"


def known() -> str:
    """Return the measures there are and the protocols."""
    return "\n".join([*sorted(spanscope.known()), *(repr(one) for one in spanscope.PROTOCOLS.values())]) + "\n"


def names() -> str:
    """Return the public names."""
    return "\n".join([*spanscope.__all__, *dir(spanscope)]) + "\n"


def compared() -> str:
    """Return a comparison of runs."""
    runs = [("old", "req.pred.jsonl"), ("new", "req.new.jsonl")]
    found = spanscope.compare("req.gold.jsonl", *runs, measures="spans.exact", ci=FEW, trials=200)
    more = [found.changes, found.documents_changed, found.problems, found.names]
    return shown(found) + "\n".join(map(str, more)) + "\n"


def agreed() -> str:
    """Return agreement between annotators."""
    found = spanscope.agree("req.gold.jsonl", "req.pred.jsonl", **_few_resamples(), samples=4)
    return shown(found, documents=True) + "\n".join(map(str, (found.disagreements(), found.signature()))) + "\n"


def panelled() -> str:
    """Return several segmentations against each other."""
    found = spanscope.panel("traces.jsonl", ci=FEW)
    rate = list(found.by_document("f1", "segments.b_score"))
    return shown(found) + "\n".join(map(str, (found.rows, found.problems, rate))) + "\n"


def planned() -> str:
    """Return plans."""
    result = req()
    made = [spanscope.plan(result, detect=detect, rate=rate) for detect in (0.01, 0.05) for rate in RATES]
    return "\n".join(map(str, made)) + "\n"


def written() -> str:
    """Write pages by the function."""
    from spanscope import viewer

    viewer.write(req(), Path(OUT, "page.html"), title="By hand", text="context")
    viewer.write(spanscope.panel("traces.jsonl", ci=FEW), Path(OUT, "panel.html"))
    return "written\n"


def read() -> str:
    """Return what can be seen of a corpus as it is read, and that evaluate takes it."""
    sides = [
        spanscope.read(name, name=side) for side, name in (("gold", "req.plain.jsonl"), ("pred", "req.new.jsonl"))
    ]
    return f"{[type(side).__name__ for side in sides]}\n" + scored(*sides, "spans.exact")


def errors() -> str:
    """Return how errors are made: their classes and parts."""
    out = []
    for gold, pred, options in (
        ("nowhere.jsonl", "req.new.jsonl", {}),
        ("req.plain.jsonl", "req.some.jsonl", {}),
        ("req.plain.jsonl", "req.new.jsonl", {"measures": "spans.exat"}),
        ("req.plain.jsonl", "req.new.jsonl", {"protocol": "nope"}),
        (3, None, {}),
        ([{"id": 1, "spans": [{"start": 0}]}], [], {}),
    ):
        try:
            spanscope.evaluate(gold, pred, **keywords(options))
        except Exception as error:
            classes = [one.__name__ for one in type(error).__mro__[:-1]]
            out.append(f"{classes} {error}")
    return "\n".join(out) + "\n"


# ---------------------------------------------------------------- inputs of other tools

Named = tuple[str, Callable[[], str]]


def _sample(folder: Path, name: str, most: int = SOME) -> Iterator[tuple[int, Json]]:
    """Return some cases of an oracle, from all over it."""
    cases = inputs.oracle(folder, name)["cases"]
    step = max(1, len(cases) // most)
    yield from [(n, case) for n, case in enumerate(cases) if n % step == 0][:most]


def _oracles(folder: Path) -> Iterator[Named]:
    """Return calls on spans, tokens and passages."""
    for n, case in _sample(folder, "reqflow_random"):
        for protocol in ("reqflow", "reqflow-v1", "reqflow-v2", "semeval", "semeval2013"):
            yield f"reqflow-{n}-{protocol}", partial(scored, case["gold"], case["pred"], protocol=protocol)
    for n, case in _sample(folder, "presidio_random"):
        sides = [
            [
                {"id": at, "tokens": one["tokens"], "start_indices": one["starts"], "tags": one[side]}
                for at, one in enumerate(case["documents"])
            ]
            for side in ("gold", "pred")
        ]
        for protocol in ("presidio", "pii", "tokens"):
            yield f"presidio-{n}-{protocol}", partial(scored, *sides, protocol=protocol)
    for n, case in _sample(folder, "legal_random"):
        for protocol in ("legal", "passages"):
            gold, found = case["gold"], case["predictions"]
            yield f"legal-{n}-{protocol}", partial(scored, gold, found, protocol=protocol, k=case["k"])
    for name in ("legalbenchrag_random", "spanret_random100"):
        for n, case in _sample(folder, name):
            gold = [{"id": 1, "snippets": inputs.places(case["gold"])}]
            found = [{"id": 1, "retrieved_passages": inputs.places(case.get("retrieved", []))}]
            for protocol in ("legalbench-rag", "chroma"):
                yield f"{name}-{n}-{protocol}", partial(scored, gold, found, protocol=protocol)
    for n, case in _sample(folder, "squad_random100"):
        qas = [{"id": q["id"], "answers": [{"text": text} for text in q["gold"]]} for q in case["questions"]]
        data = {"version": "x", "data": [{"title": "t", "paragraphs": [{"qas": qas}]}]}
        for protocol in ("squad", "squad2"):
            yield f"squad-{n}-{protocol}", partial(scored, data, case["predictions"], protocol=protocol)
    for n, case in _sample(folder, "trec_random100"):
        form = f"passages.trec(level={case['relevance_level']})"
        yield f"trec-{n}", partial(scored, case["qrels"], case["run"], protocol="trec")
        yield f"trec-{n}-level", partial(scored, case["qrels"], case["run"], form, missing="empty", extra="skip")


def _segmentations(folder: Path) -> Iterator[Named]:
    """Return calls on segmentations."""
    every_measure = [name for name in sorted(spanscope.known()) if name.startswith("segments.")]
    alone = [name for name in every_measure if name not in ("segments.agreement",)]
    for n, case in _sample(folder, "segeval_random200"):
        sides = [[{"id": n, "masses": case[key]}] for key in ("ref", "hyp")]
        yield f"segeval-{n}", partial(scored, *sides, alone)
    for n, case in _sample(folder, "rtseg_random"):
        yield f"rtseg-{n}", partial(_tables, case, **case["runs"][0]["params"])
        named = {"id": n, "text": case["trace"], "segmentations": case["segmentations"]}
        yield f"rtseg-{n}-panel", partial(_panel, [named], case["gold_key"])
    cases = [case for _, case in _sample(folder, "rtseg_random", 30)]
    yield "rtseg-aggregate", partial(_aggregate, cases)
    multiple = inputs.oracle(folder, "segeval_multitype")["cases"][:5]
    for case in multiple:
        yield f"segeval-types-{case['id']}", partial(_typed, case)


def _tables(case: Json, **options: Any) -> str:
    cuts = {name: [tuple(span) for span in own] for name, own in case["segmentations"].items()}
    found = spanscope.evaluate_segmentations(case["trace"], cuts, case["gold_key"], **options)
    return "".join(f"{group}\n{frame.to_csv()}" for group, frame in found.items())


def _panel(source: Any, gold: str | None) -> str:
    return shown(spanscope.panel(source, gold, ci=FEW))


def _aggregate(cases: list[Json]) -> str:
    cuts = [{name: [tuple(s) for s in own] for name, own in case["segmentations"].items()} for case in cases]
    found = spanscope.evaluate_aggregate_segmentations([case["trace"] for case in cases], cuts, "Gold")
    return json.dumps(spanscope.aggregated_results_to_json(found), indent=1, default=str) + "\n"


def _typed(case: Json) -> str:
    """Score boundaries of several types, each a level."""

    def levels(side: list[list[int]]) -> Json:
        names = sorted({kind for own in side for kind in own})
        places = {str(k): [n for n, own in enumerate(side, 1) if k in own] for k in names}
        return {"id": 1, "length": len(side) + 1, "boundaries": places}

    return scored([levels(case["a"])], [levels(case["b"])], "segments.edit_distance(n_t=2)")


def _agreements(folder: Path) -> Iterator[Named]:
    """Return calls on units of several annotators."""
    for n, case in _sample(folder, "pygamma_best_disorder", 5):
        units = case["units(annotator,start,end,label)"]
        sides = {name: [u for u in units if u[0] == name] for name in sorted({u[0] for u in units})}
        corpora = [
            [
                {
                    "id": 1,
                    "text": "x" * 1 + "y" * int(max(u[2] for u in units) + 1),
                    "spans": [{"start": int(u[1]), "end": int(u[2]), "label": u[3]} for u in own],
                }
            ]
            for own in sides.values()
        ]
        yield f"gamma-{n}", partial(_agree, corpora)


def _agree(corpora: list[Any]) -> str:
    return shown(spanscope.agree(*corpora, samples=5, ci=False), documents=True)
