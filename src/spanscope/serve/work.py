"""One job in a process of its own: `python -P -m spanscope.serve.work`, started by the server.

The first line of standard input is the job as JSON. Standard output tells how it goes, a line of JSON each. When
the server goes away standard input ends, and so does this process: nothing is left behind to work for nobody.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sys
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spanscope.errors import InputError, MeasureError, SpanscopeError, quoting
from spanscope.jsonable import JsonObject
from spanscope.serve.limits import LONE, TEXTS, error_as_json, size_in_words
from spanscope.system.child_process import can_watch, fork_watched, is_arrow

if TYPE_CHECKING:  # a job imports only what it needs
    from spanscope.results.compared import Compared
    from spanscope.results.panel import Panel
    from spanscope.results.result import Result

NUMBERS = ("value", "low", "high")
MORE = "spanscope serve --limit 2GB"
READING = 120  # seconds of the processor that the table in a file may take to be read
OFTEN = 0.05  # seconds between two lines about progress
Tell = Callable[[JsonObject], None]


def main() -> int:
    """Do the job in a process of its own, and tell how it ended, also where that one crashed over a file."""
    try:
        code = fork_watched() if can_watch() else None
    except SpanscopeError as error:
        print(json.dumps({"error": error_as_json(error)}), flush=True)
        return 1
    return _work() if code is None else code


def _work() -> int:
    sys.stdout, channel = sys.stderr, sys.stdout  # whatever prints by accident does not get between the lines
    job = json.loads(sys.stdin.buffer.readline())
    os.umask(0o077)  # what it writes is kept for its owner alone
    threading.Thread(target=_end_with_server, daemon=True).start()
    with suppress(OSError):  # where memory runs out, this process goes and the server stays
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")

    def tell(line: JsonObject) -> None:
        print(json.dumps(line), file=channel, flush=True)

    try:
        done = KINDS[job["kind"]](job, _progress(tell))
    except Exception as error:
        if os.environ.get("SPANSCOPE_DEBUG"):
            raise
        tell({"error": error_as_json(error, _names_by_side(job))})
        return 1
    tell({"done": done})
    return 0


def _names_by_side(job: JsonObject) -> dict[str, str]:
    """Return what the files of gold and predictions are called, where they are two."""
    found = {side: str(job[side]["name"]) for side in ("gold", "pred") if job.get(side)}
    return found if len({*found.values()}) == 2 else {}


def _end_with_server() -> None:
    while os.read(0, 1):  # not through the buffer, whose lock would be held when Python ends
        pass
    os._exit(1)


def _progress(tell: Tell) -> Callable[[str, int, int], None]:
    last = ("", 0.0)

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if stage != last[0] or done >= total or now - last[1] >= OFTEN:
            last = (stage, now)
            tell({"stage": stage, "at": done, "of": total})

    return progress


def fetch(source: JsonObject, inside: Path, apart: str = "") -> str:
    """Copy an input into the job's own folder, so that it cannot change meanwhile; return its path from there.

    A table is read here first, with limits of memory and time: a damaged one is refused by its name.
    """
    from spanscope.io.tables import table_of
    from spanscope.serve.folder import open_inside

    name = apart + LONE.sub("_", source["name"])
    target = inside.joinpath(name)
    if target.exists():
        return fetch(source, inside, f"{apart}pred/")
    target.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(open_inside(Path(source["root"]), source["file"]), "rb") as file, target.open("wb") as copy:
        shutil.copyfileobj(file, copy, 1 << 20)
    with target.open("rb") as file:
        head = file.read(8)
    if is_arrow(name, head):
        most = source.get("most")  # of an upload
        table_of(target.read_bytes(), name, most, hint=MORE if most else "", seconds=READING)
    elif head[:2] == b"\x1f\x8b" and "most" in source:
        _check_unpacked_size(target, name, source["most"])
    return f"./{name}" if name.startswith("-") else name


def _check_unpacked_size(path: Path, name: str, most: int) -> None:
    """Refuse a gzip file that unpacks to more than an upload may have."""
    size = 0
    with suppress(OSError, EOFError, zlib.error), gzip.open(path) as file:  # a broken one is told when it is read
        while part := file.read(1 << 20):
            size += len(part)
            if size > most:
                raise InputError(f"unpacks to more than {size_in_words(most)}", where=name, hint=MORE)


def score(job: JsonObject, progress: Callable[[str, int, int], None]) -> JsonObject:
    """Score predictions against gold, and write all that shows and compares the run."""
    from spanscope.commands.runs import of_result
    from spanscope.results.panel import Panel
    from spanscope.serve import job_files
    from spanscope.serve.durable import size_of_tree

    inside, out = Path(job["folder"], "in"), Path(job["folder"], "out")
    progress("reading", 0, 1)
    gold = fetch(job["gold"], inside)
    pred = fetch(job["pred"], inside) if job["pred"] else None
    os.chdir(inside)  # messages and the page then name files as the folder does
    found = _evaluate(gold, pred, job["options"], progress)
    progress("page", 0, 1)
    head: JsonObject = {"name": job["name"], "inputs": [gold, pred], "text": job["options"].get("text", "full")}
    if isinstance(found, Panel):
        head |= job_files.put_page(_render(found, job["name"], head["text"]), out)
        head |= {
            "family": "segments",
            "figure": None,
            "documents": found.source.documents,
            "line": "",
            "gold": None,
            "figures": [],
            "alike": None,
        }
        job_files.put_head(head, out)
        return {}
    if found.settings.family.labelled and found.drawable:
        head |= job_files.put_spans(found, job["name"], out)
    else:
        head |= job_files.put_page(_render(found, job["name"], head["text"]), out)
    out.joinpath("kept.json").write_text(found.to_json(kept=True), encoding="utf-8")
    asked = {"options": job["options"], "files": [job[side] and job[side]["id"] for side in ("gold", "pred")]}
    job_files.put_head(head | asked | job_files.summary_of(of_result(found), found.rows), out)
    if not job["keep"] or size_of_tree(inside) > job["most"]:
        shutil.rmtree(inside)  # comparisons then work from the kept counts
    progress("page", 1, 1)
    return {}


def _render(found: Result | Compared | Panel, title: str, text: str) -> str:
    from spanscope import viewer

    return viewer.render(found, title=title, text=text)


def _evaluate(
    gold: str, pred: str | None, options: JsonObject, progress: Callable[[str, int, int], None]
) -> Result | Panel:
    """Evaluate; a file of segmentations alone is a panel of them."""
    from spanscope.commands.evaluate import evaluate
    from spanscope.commands.panel import READ_BY_PANEL, panel
    from spanscope.families import SEGMENTS, TOKENS
    from spanscope.io.detect import recognise
    from spanscope.io.tokens.tag_rules import TagRules
    from spanscope.settings.options import grouped
    from spanscope.settings.run_settings import may_quote

    rules = TagRules(input=options.get("gold_input", options.get("input")))
    fields = options.get("gold_fields", options.get("fields"))
    with quoting(may_quote(options.get("text", "full"))):
        known = None if pred is not None else recognise(gold, fields, rules)
    kind = None if known is None else known.family
    if known is None or kind == TOKENS.name or known.several:
        return evaluate(*_sides(gold, pred, options), progress=progress, **_shared_options(options))
    if kind != SEGMENTS.name:
        what = "there are no predictions, and a file of this format holds only gold"
        raise InputError(what, where=gold, expected="a second file with predictions")
    if odd := options.keys() - {*READ_BY_PANEL}:
        raise MeasureError(
            f"{min(odd)} is not for segmentations of one file", expected="gold and predictions in two files"
        )
    return panel(gold, **grouped(options), progress=progress)


def _sides(gold: str, pred: str | None, options: JsonObject) -> tuple[Any, Any]:
    """Return gold and predictions with the options that are their own."""
    from spanscope.serve.offered import OF_SIDES
    from spanscope.settings.by_side import join_source

    own: dict[str, JsonObject] = {"gold": {}, "pred": {}}
    for key, (side, name) in OF_SIDES.items():
        if key in options:
            own[side][name] = options[key]
    if pred is None:
        return join_source(gold, own["gold"]), None
    return join_source(gold, own["gold"]), join_source(pred, own["pred"])


def _shared_options(options: JsonObject) -> JsonObject:
    """Return the options of both sides as keywords of `evaluate`; the page shows spans, so they are kept."""
    from spanscope.serve.offered import OF_SIDES
    from spanscope.settings.options import grouped

    return grouped({key: value for key, value in options.items() if key not in OF_SIDES} | {"memory": "spans"})


def result(job: JsonObject, progress: Callable[[str, int, int], None]) -> JsonObject:
    """Take in a result file that kept its counts: it has no page, but it can be compared."""
    from spanscope.commands.runs import of_file
    from spanscope.io.results import is_result, read_result
    from spanscope.serve import job_files
    from spanscope.stats.averages import Score

    inside, out = Path(job["folder"], "in"), Path(job["folder"], "out")
    path = fetch(job["gold"], inside)
    os.chdir(inside)
    if not is_result(path):
        raise InputError("is not a result file", where=path, expected="JSON as spanscope eval --keep -o writes it")
    data, name = read_result(path)
    try:
        run = of_file(data, name)
        rows = [Score(**{**row, **{key: _number(row[key]) for key in NUMBERS}}) for row in data["rows"]]
        head = {"name": job["name"], "inputs": [data["inputs"][side]["path"] for side in ("gold", "pred")]}
        head |= {"text": "none", "opens": False, "options": {}, "files": [], **job_files.summary_of(run, rows)}
    except (KeyError, TypeError, ValueError, OverflowError):
        raise InputError("the result cannot be read", where=name, expected="a file as it was written") from None
    shutil.copyfile(path, out.joinpath("kept.json"))
    job_files.put_head(head, out)
    shutil.rmtree(inside)
    progress("reading", 1, 1)
    return {}


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def compare(job: JsonObject, progress: Callable[[str, int, int], None]) -> JsonObject:
    """Compare runs: from their files where all are still there, which shows what was fixed; else from counts."""
    from spanscope.commands.compare import compare as compare_
    from spanscope.commands.evaluate import evaluate
    from spanscope.serve import job_files

    runs = [Path(folder) for folder in job["runs"]]
    asked = [json.loads(run.joinpath("asked.json").read_text(encoding="utf-8")) for run in runs]
    heads = [json.loads(run.joinpath("out", "head.json").read_text(encoding="utf-8")) for run in runs]
    text = min((job["text"], *(one["text"] for one in heads)), key=TEXTS.index)
    there = all(run.joinpath("in").is_dir() for run in runs)
    sources: list[Result | str] = []
    for run, one, head in zip(runs, asked, heads, strict=True):
        if there:
            os.chdir(run.joinpath("in"))
            own = {**one["options"], "text": text, "ci": False}
            sources.append(evaluate(*_sides(head["inputs"][0], head["inputs"][1], own), **_shared_options(own)))
            progress("scoring runs", len(sources), len(runs))
        else:
            sources.append(str(run.joinpath("out", "kept.json")))
    found = compare_(None, *zip(_names(heads), sources, strict=True), progress=progress)
    progress("page", 0, 1)
    title = job["name"] or " · ".join(_names(heads))
    out = Path(job["folder"], "out")
    head = {
        "name": title,
        "family": heads[0]["family"],
        "text": text,
        **job_files.put_page(_render(found, title, text), out),
    }
    job_files.put_head(head, out)
    return {}


def report(job: JsonObject, progress: Callable[[str, int, int], None]) -> JsonObject:
    """Make the one file of a run whose corpus is large."""
    run, out = Path(job["run"]), Path(job["folder"], "out")
    asked, head = (
        json.loads(run.joinpath(*at).read_text(encoding="utf-8")) for at in (("asked.json",), ("out", "head.json"))
    )
    if not run.joinpath("in").is_dir():
        what = "no copies of the inputs were kept, so the report cannot be made here"
        raise InputError(what, where=head["name"], hint="spanscope report GOLD PRED")
    os.chdir(run.joinpath("in"))
    gold, pred = head["inputs"]
    found = _evaluate(gold, pred, asked["options"], progress)
    progress("page", 0, 1)
    out.joinpath("report.html").write_text(_render(found, head["name"], head["text"]), encoding="utf-8")
    return {}


def _names(heads: list[JsonObject]) -> list[str]:
    """Return the names of runs, numbered where two are called alike: else they would be files of one system."""
    out: list[str] = []
    for head in heads:
        name, number = str(head["name"]), 2
        while name in out:
            name, number = f"{head['name']} ({number})", number + 1
        out.append(name)
    return out


KINDS = {"score": score, "result": result, "compare": compare, "report": report}

if __name__ == "__main__":
    sys.exit(main())
