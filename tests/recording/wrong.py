"""Wrong inputs and wrong arguments: what is said about them, and the exit codes."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.recording.run import Case

TEXT = "Anna met Bob."
SPAN = {"start": 0, "end": 4, "label": "PER"}
LINE = json.dumps({"id": 1, "text": TEXT, "spans": [SPAN]}) + "\n"
GOOD = "Anna B-PER\nmet O\nBob B-PER\n\nYork B-LOC\n"


def every(place: Path) -> Iterator[Case]:
    """Return all cases; the files they need are written into the folder `bad`."""
    folder = place / "bad"
    folder.mkdir()
    (folder / "good.jsonl").write_text(LINE, encoding="utf-8")
    (folder / "good.conll").write_text(GOOD, encoding="utf-8")
    for at, (name, content) in enumerate((FIELDS | OFFSETS | FILES | TAGS).items()):
        ending = ".conll" if name.startswith("conll") else ".json" if name.startswith("json") else ".jsonl"
        path = folder / f"{at:03}{ending}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        good = "bad/good.conll" if ending == ".conll" else "bad/good.jsonl"
        title = re.sub(r"\W+", "-", name)
        yield Case(f"wrong-{title}", ("eval", f"bad/{path.name}", good, "--no-ci"))
        yield Case(f"wrong-{title}-check", ("check", f"bad/{path.name}"))
        if ending == ".jsonl":
            yield Case(
                f"wrong-{title}-counts", ("eval", good, f"bad/{path.name}", "--memory", "counts", "--no-ci")
            )
    yield from _passages(folder)
    yield from _rankings(folder)
    for at, words in enumerate(ARGUMENTS.strip().splitlines()):
        args = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", words)]
        yield Case(f"usage-{at:03}-{re.sub(r'[^A-Za-z0-9]+', '-', words)[:60].strip('-')}", args)
    yield from _streams()


def _document(**fields: Any) -> str:
    return json.dumps({"id": 1, "text": TEXT, "spans": [SPAN], **fields}) + "\n"


def _spanned(**fields: Any) -> str:
    return _document(spans=[{**SPAN, **fields}])


def _raw(value: str) -> str:
    return _spanned(end=0).replace('"end": 0', f'"end": {value}')


OTHER = LINE.replace('"id": 1', '"id": 0')
FIELDS: dict[str, str | bytes] = {
    "text a number": OTHER + _document(text=5),
    "spans null": OTHER + _document(spans=None),
    "spans a string": OTHER + _document(spans="x"),
    "no spans": '{"id": 1, "text": "x"}\n',
    "nothing": "{}\n{}\n",
    "id true": OTHER + _document(id=True),
    "id a fraction": OTHER + _document(id=1.5),
    "a span a string": _document(spans=["x"]),
    "a span a pair": _document(spans=[SPAN, [0, 1]]),
    "start a string": _spanned(start="0"),
    "no start": _document(spans=[{"end": 1, "label": "A"}]),
    "end null": _spanned(end=None),
    "label a number": _spanned(label=3),
    "label null": _spanned(label=None),
    "label a star": _spanned(label="*"),
    "no label": _document(spans=[{"start": 0, "end": 1}]),
    "span text a number": _spanned(text=4),
    "span text another": _spanned(text="Otto"),
    "spans one span": _document(spans=SPAN),
    "a long label": _spanned(label="k" * 10_000, end=99),
    "fragments empty": _document(spans=[{"label": "A", "fragments": []}]),
    "fragments short": _document(spans=[{"label": "A", "fragments": [[0, 2], [1]]}]),
    "fragments overlap": _document(spans=[{"label": "A", "fragments": [[2, 5], [0, 3]]}]),
    "no id in the second": LINE + '{"spans": []}\n',
    "an id repeated": LINE + "\n" + LINE,
    "score a string": _spanned(score="x"),
    "duplicates": _document(spans=[SPAN, SPAN]),
    "an empty span": _spanned(end=0),
    "another text": _document(text="Otto met Bob."),
    "rejected": _document(answer="reject", _task_hash=1),
    "a text alone": _document(spans=[{"text": "Anna", "label": "PER"}]),
    "another document": _document(id=2),
}


OFFSETS: dict[str, str | bytes] = {
    "negative": _spanned(start=-3),
    "reversed": _spanned(start=5),
    "end too large": _spanned(end=14),
    "start too large": _spanned(start=20, end=30),
    "NaN": _raw("NaN"),
    "Infinity": _raw("Infinity"),
    "a fraction": _spanned(end=4.5),
    "a whole float": _spanned(end=4.0),
    "true": _spanned(end=True),
    "past 64 bits": _spanned(end=2**64),
    "no text, past 64 bits": _document(text=None, spans=[[0, 2**64, "A"]]),
    "5000 digits": _raw("9" * 5000),
    "1e400": _raw("1e400"),
    "reversed, no text": _document(text=None, spans=[[5, 4, "A"]]),
}


PACKED = gzip.compress(LINE.encode() * 50, mtime=0)
FILES: dict[str, str | bytes] = {
    "cut after a comma": LINE + '{"id": 2,',
    "cut in a text": LINE + LINE[:25],
    "first line cut": LINE[:-3] + "\n" + LINE,
    "json cut in a list": f'[\n{LINE},\n{{"id": 2',
    "json a comma too many": f"[\n{LINE},\n]",
    "two on a line": LINE + LINE.rstrip() + LINE,
    "Python": "{'id': 1, 'spans': []}\n",
    "CSV": "doc,start,end\n",
    "CSV of rows": "doc,start,end\n1,0,4\n",
    "json a string": '"hello"',
    "json a number": "3",
    "json null": "null",
    "json numbers": '{"a": 1, "b": 2}',
    "json an empty object": "{}",
    "json a list of numbers": "[1, 2]",
    "json an empty list": "[]",
    "half a character": LINE + LINE.replace("Anna", "An\\ud83d"),
    "deep": '{"id": 1, "spans": ' + "[" * 5000 + "]" * 5000 + "}",
    "empty": "",
    "blank": " \n\n\t\r\n",
    "a byte order mark": b"\xef\xbb\xbf",
    "a mark and lines": b"\xef\xbb\xbf" + LINE.encode(),
    "gzip of nothing": gzip.compress(b"", mtime=0),
    "binary": b"\x89PNG\r\n\x1a\n\0\0\0",
    "UTF-16": LINE.encode("utf-16"),
    "UTF-16 without a mark": LINE.encode("utf-16-le"),
    "Latin-1": (LINE + LINE.replace("Anna", "René")).encode("latin-1"),
    "gzip cut off": PACKED[:-12],
    "gzip of nonsense": b"\x1f\x8bhello world",
    "Parquet of nonsense": b"PAR1" + b"\0" * 40 + b"PAR1",
    "passages": '{"query": "q", "retrieved_passages": [{"text": "x"}]}\n' * 2,
}


TAGS: dict[str, str | bytes] = {
    "conll a column too few": "a O\nb\n",
    "conll a column too many": "\na\tO\n\nb\tx\tO",
    "conll tabs and blanks": "a\tO\nb O\n",
    "conll Latin 1": b"a O\nK\xf6ln O\n",
    "conll too few sentences": "Anna B-PER\nmet O\nBob B-PER\n",
    "conll another word": GOOD.replace("met", "saw"),
    "conll no tags": "Anna\nmet\n",
    "conll an empty tag": "a\tO\nb\t\n",
    "conll a comment": "# x = y\n",
    "tags too few": '{"tokens": ["a", "b"], "tags": ["O"]}\n',
    "tags numbers": '{"tokens": ["a", "b"], "tags": [1, 0]}\n',
    "tags a text": '{"tokens": ["a", "b"], "tags": "B-X O"}\n',
    "a token a number": '{"tokens": ["a", 5], "tags": ["O", "O"]}\n',
    "starts short": '{"tokens": ["a", "b"], "tags": ["O", "O"], "start_indices": [0]}\n',
    "tokens not in the text": '{"text": "b a", "tokens": ["a", "b"], "tags": ["O", "O"]}\n',
    "segments a gap": '{"id": 1, "text": "abcdef", "segments": [[0, 2], [3, 6]]}\n',
    "segments overlap": '{"id": 1, "text": "abcdef", "segments": [[0, 3], [2, 6]]}\n',
    "segments too long": '{"id": 1, "text": "abcdef", "segments": [[0, 3], [3, 9]]}\n',
    "segments numbers": '{"id": 1, "length": 6, "segmentations": {"A": [2, 4]}}\n',
    "masses negative": '{"id": 1, "masses": [2, -1]}\n',
    "masses other length": '{"id": 1, "length": 9, "masses": [2, 1]}\n',
    "a string of twos": '{"id": 1, "string": "0120"}\n',
    "boundaries out of order": '{"id": 1, "length": 9, "boundaries": [5, 2]}\n',
    "boundaries past the end": '{"id": 1, "length": 9, "boundaries": [12]}\n',
    "two forms at once": '{"id": 1, "length": 9, "boundaries": [2], "segmentations": {}}\n',
}


GOLD, FOUND = [{"query": "a", "snippets": ["x"]}], [{"query": "a", "retrieved_passages": ["x"]}]
ITEMS: list[Any] = [3, None, ["x"], {"answer": 3}, {"file_path": "f"}, {"span": [5, 2]}, {"span": [-1, 2]}]
ITEMS += [{"span": "0-2"}, {"id": "d", "relevance": "1"}]
GOLDS: list[Any] = [
    *([{"query": "a", "snippets": [item]}] for item in ITEMS),
    [{"query": "a"}],
    [{"query": True, "snippets": []}],
    [{"snippets": []}],
    [{"query": "b", "snippets": ["x"]}],
    FOUND,
]
PREDS: list[Any] = [
    [{"query": "a", "retrieved_passages": "x"}],
    [{"query": "a", "retrieved_passages": [{"text": "x", "score": "3"}]}],
    [{"query": "a", "retrieved_passages": [{"text": ["x"]}]}],
    [{"query": "a", "prediction_text": 3}],
    GOLD,
]
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\n"
RUN = "q1 Q0 d1 1 0.8 t\nq1 Q0 d2 2 0.9 t\nq2 Q0 d3 1 1.5 t\n"
JUDGED = ("q2 d3", "q2 0 d4 x", "q2 0 d4 1.5", "q2 Q0 d4 1 0.3 t", "q2 0 d3 0")
RANKED = ("q2 0 d4 1", "q2 Q0 d9 2 nan t", "q2 Q0 d9 2 high t", "q2", "q2 Q0 d3 2 0.1 t")


def _passages(folder: Path) -> Iterator[Case]:
    """Return wrong queries and passages against good ones."""
    for name, value in (("q", GOLD), ("r", FOUND)):
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    for at, value in enumerate(GOLDS):
        (folder / f"q{at}.json").write_text(json.dumps(value), encoding="utf-8")
        yield Case(f"wrong-gold-passages-{at}", ("eval", f"bad/q{at}.json", "bad/r.json", "-p", "passages"))
    for at, value in enumerate(PREDS):
        (folder / f"r{at}.json").write_text(json.dumps(value), encoding="utf-8")
        yield Case(f"wrong-pred-passages-{at}", ("eval", "bad/q.json", f"bad/r{at}.json", "-p", "passages"))


def _rankings(folder: Path) -> Iterator[Case]:
    """Return wrong judgements and runs against good ones."""
    (folder / "a.qrels").write_text(QRELS, encoding="utf-8")
    (folder / "a.run").write_text(RUN, encoding="utf-8")
    for at, line in enumerate(JUDGED):
        (folder / f"{at}.qrels").write_text(f"{QRELS}{line}\n", encoding="utf-8")
        yield Case(f"wrong-qrels-{at}", ("eval", f"bad/{at}.qrels", "bad/a.run", "-p", "trec"))
    for at, line in enumerate(RANKED):
        (folder / f"{at}.run").write_text(f"{RUN}{line}\n", encoding="utf-8")
        yield Case(f"wrong-run-{at}", ("eval", "bad/a.qrels", f"bad/{at}.run", "-p", "trec"))
    yield Case("wrong-trec-swapped", ("eval", "bad/a.run", "bad/a.qrels", "-p", "trec"))


def _streams() -> Iterator[Case]:
    """Return cases that read standard input."""
    for name, content in {"good": LINE, "cut": LINE[:20], "empty": "", "bad": "{]\n" * 2}.items():
        yield Case(f"stdin-{name}", ("eval", "-", "bad/good.jsonl", "--no-ci"), stdin=content.encode())
        yield Case(f"stdin-{name}-pred", ("eval", "bad/good.jsonl", "-", "--no-ci"), stdin=content.encode())
    yield Case("stdin-twice", ("eval", "-", "-"), stdin=LINE.encode())
    yield Case("stdin-conll", ("eval", "-", "bad/good.conll"), stdin=GOOD.encode())
    yield Case("stdin-check", ("check", "-"), stdin=LINE[:20].encode())
    long = "x" * 10_000
    for option in ("-m", "-p", "-f", "--missing", "--undefined", "--fail-under"):
        yield Case(f"usage-endless{option}", ("eval", "bad/good.jsonl", "bad/good.jsonl", option, long))


ARGUMENTS = """
eval
evl
check
agree
compare
plan
plot
report
protocols x
--nope
measures spans.exat
measures 'spans.relaxed(zzz'
measures 'spans.relaxed(treshold=1)'
eval bad/good.jsonl
eval nowhere.jsonl bad/good.jsonl
eval bad/good.jsnl bad/good.jsonl
eval bad bad/good.jsonl
eval bad/good.jsonl/x bad/good.jsonl
eval '' bad/good.jsonl
eval bad/good.jsonl bad/good.jsonl -m spans.exat
eval bad/good.jsonl bad/good.jsonl -m exact
eval bad/good.jsonl bad/good.jsonl -m tokens.f1
eval bad/good.jsonl bad/good.jsonl -m 'spans.relaxed(treshold=0.5)'
eval bad/good.jsonl bad/good.jsonl -m 'spans.exact(x=1)'
eval bad/good.jsonl bad/good.jsonl -m 'spans.relaxed(threshold=2)'
eval bad/good.jsonl bad/good.jsonl -m 'spans.relaxed(threshold=high)'
eval bad/good.jsonl bad/good.jsonl -m 'spans.exact(duplicates=st)'
eval bad/good.jsonl bad/good.jsonl -m 'spans.relaxed(0.5)'
eval bad/good.jsonl bad/good.jsonl -m 'spans.relaxed('
eval bad/good.jsonl bad/good.jsonl -m ''
eval bad/good.jsonl bad/good.jsonl -m segments.pk
eval bad/good.jsonl bad/good.jsonl -m passages.ranking
eval bad/good.jsonl bad/good.jsonl -m tokens.accuracy
eval bad/good.jsonl bad/good.jsonl -p reqflw
eval bad/good.jsonl bad/good.jsonl -p ''
eval bad/good.jsonl bad/good.jsonl -f tabel
eval bad/good.jsonl bad/good.jsonl -f xml
eval bad/good.jsonl bad/good.jsonl -f reqflow-csv
eval bad/good.jsonl bad/good.jsonl -f conlleval
eval bad/good.jsonl bad/good.jsonl -f trec_eval
eval bad/good.jsonl bad/good.jsonl -f squad
eval bad/good.jsonl bad/good.jsonl --field lable=x
eval bad/good.jsonl bad/good.jsonl --field label
eval bad/good.jsonl bad/good.jsonl --field =x
eval bad/good.jsonl bad/good.jsonl --meta x
eval bad/good.jsonl bad/good.jsonl --missing skp
eval bad/good.jsonl bad/good.jsonl --extra empty
eval bad/good.jsonl bad/good.jsonl --repeated skip
eval bad/good.jsonl bad/good.jsonl --undefined 2
eval bad/good.jsonl bad/good.jsonl --offsets bytes
eval bad/good.jsonl bad/good.jsonl --beta 0
eval bad/good.jsonl bad/good.jsonl --beta nan
eval bad/good.jsonl bad/good.jsonl --beta x
eval bad/good.jsonl bad/good.jsonl --labels PER,PER
eval bad/good.jsonl bad/good.jsonl --labels ''
eval bad/good.jsonl bad/good.jsonl --labels '*'
eval bad/good.jsonl bad/good.jsonl --labels NONE
eval bad/good.jsonl bad/good.jsonl --digits 99
eval bad/good.jsonl bad/good.jsonl --digits -1
eval bad/good.jsonl bad/good.jsonl --examples -1
eval bad/good.jsonl bad/good.jsonl --matches
eval bad/good.jsonl bad/good.jsonl --documents
eval bad/good.jsonl bad/good.jsonl --keep
eval bad/good.jsonl bad/good.jsonl -o nowhere/x.json
eval bad/good.jsonl bad/good.jsonl -o .
eval bad/good.jsonl bad/good.jsonl -o bad/good.jsonl
eval bad/good.jsonl bad/good.jsonl -o out/x.json --html out/x.json
eval bad/good.jsonl bad/good.jsonl --nope
eval bad/good.jsonl bad/good.jsonl --fail-under f1
eval bad/good.jsonl bad/good.jsonl --fail-under nope=0.5
eval bad/good.jsonl bad/good.jsonl --fail-under 'recall[NONE]=0.5'
eval bad/good.jsonl bad/good.jsonl --fail-over micro_f1=0.5
eval bad/good.jsonl bad/good.jsonl --no-ci --seed 3
eval bad/good.jsonl bad/good.jsonl --level 2
eval bad/good.jsonl bad/good.jsonl --resamples 0
eval bad/good.jsonl bad/good.jsonl --text some
eval bad/good.jsonl bad/good.jsonl --memory little
eval bad/good.jsonl bad/good.jsonl --memory totals --matches -f json
eval bad/good.jsonl bad/good.jsonl --memory counts --examples 3
eval bad/good.jsonl bad/good.jsonl --jobs 0
eval bad/good.jsonl bad/good.jsonl --engine dask
eval bad/good.jsonl bad/good.jsonl --partitions 3
eval bad/good.jsonl bad/good.jsonl --scheme IOB2
eval bad/good.jsonl bad/good.jsonl --k 3
eval bad/good.jsonl bad/good.jsonl --join ids
eval bad/good.jsonl bad/good.jsonl --gold Gold
eval bad/good.jsonl bad/good.jsonl --thresholds 2
eval bad/good.jsonl bad/good.jsonl --normalise
eval bad/good.jsonl bad/good.conll
eval bad/good.conll
eval both.conll --scheme IOB
eval both.conll --repair fix
eval both.conll --columns word=1
eval both.conll --columns tag=x
eval both.conll --columns pred=3
eval both.conll --map PER
eval both.conll --tag-names O,B-PER
eval both.conll -p seqeval --repair discard
eval both.conll --offsets utf16
eval ill.conll --scheme IOB2 --strict
eval traces.jsonl --gold Nobody
eval traces.jsonl --only Gold
eval traces.jsonl --labels A
eval traces.jsonl --fail-under micro_f1=0.5
eval traces.jsonl --matches -f json
eval traces.jsonl -m 'segments.pk(window=0)'
eval bad/q.json bad/r.json --matches -f json
eval bad/q.json bad/r.json --examples 2
eval bad/q.json bad/r.json --k 0
eval bad/q.json bad/r.json --join nothing
eval bad/q.json bad/r.json --corpus nowhere
eval bad/r.json bad/q.json
eval bad/good.jsonl bad/r.json
report bad/good.jsonl bad/good.jsonl --no-ci --level 0.9
report bad/good.jsonl bad/good.jsonl -o nowhere/x.html
report bad/good.jsonl bad/good.jsonl --text some -o out/x.html
agree bad/good.jsonl
agree bad/good.jsonl bad/good.jsonl --no-ci --resamples 9
agree bad/good.jsonl bad/good.jsonl -m f1 --samples 9
agree bad/good.jsonl bad/good.jsonl -m delta
agree bad/good.jsonl bad/good.jsonl --names A
agree bad/good.jsonl bad/good.jsonl --unit word
compare bad/good.jsonl
compare bad/good.jsonl bad/good.jsonl
compare bad/good.jsonl a=bad/good.jsonl a=bad/good.jsonl --resamples 20
compare bad/good.jsonl a=bad/good.jsonl b=nowhere.jsonl
plot pie bad/good.jsonl bad/good.jsonl -o out/x.svg
plot labels bad/good.jsonl bad/good.jsonl -o out/x.gif
plot labels bad/good.jsonl bad/good.jsonl
plot labels bad/good.jsonl bad/good.jsonl -o out/x.svg --style neon
plot curve bad/good.jsonl bad/good.jsonl -o out/x.svg -m spans.exact
plot segments bad/good.jsonl -o out/x.svg
plot segments traces.jsonl -o out/x.svg --document nobody
score bad/r.json bad/q.json --k 0
score bad/q.json bad/r.json
score bad/r.json bad/q.json -p reqflow
demo tokens
serve nowhere --no-open --port 0
serve . --no-open --port 99999
"""
