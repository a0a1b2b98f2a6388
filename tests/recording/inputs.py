"""The files that cases read: shipped examples, shared data and what is derived from them by fixed rules."""

from __future__ import annotations

import gzip
import json
import shutil
import zlib
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

Json = dict[str, Any]
PII, TRACES, QUERIES = 300, 10, 100  # so many of the shared documents


def prepare(folder: Path, data: Path) -> None:
    """Write all inputs into a folder; what is not in the shared data is left out."""
    for name in ("requirements.gold.jsonl", "requirements.pred.jsonl", "traces.jsonl"):
        content = files("spanscope").joinpath("examples", name).read_bytes()
        (folder / name.replace("requirements", "req")).write_bytes(content)
    _derive_requirements(folder)
    own = data / "data"
    if (own / "presidio_synth1500.json").exists():
        _pii(folder, json.loads((own / "presidio_synth1500.json").read_text("utf-8"))["documents"][:PII])
    if (own / "rtseg_labelstudio.json").exists():
        _traces(folder, json.loads((own / "rtseg_labelstudio.json").read_text("utf-8"))["traces"][:TRACES])
        _corrected(folder, json.loads((own / "rtseg_labelstudio_corrected.json").read_text("utf-8"))["traces"])
    if (own / "spanret_chroma_general.json").exists():
        _chroma(folder, json.loads((own / "spanret_chroma_general.json").read_text("utf-8")))
    for name in ("trec", "formats"):
        if (own / name).exists():
            shutil.copytree(own / name, folder / name, copy_function=shutil.copyfile)
            for path in (folder / name).rglob("*"):
                path.chmod(0o755 if path.is_dir() else 0o644)
            (folder / name).chmod(0o755)
    _bench(folder)
    _oracles(folder, data / "oracles")
    _tables(folder)
    _by_hand(folder)


def lines(path: Path, documents: Iterable[Any]) -> None:
    """Write documents as JSON Lines."""
    path.write_text("".join(json.dumps(one) + "\n" for one in documents), encoding="utf-8")


def read_lines(path: Path) -> list[Any]:
    """Read documents of JSON Lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def whole(path: Path, value: Any) -> None:
    """Write JSON."""
    path.write_text(json.dumps(value), encoding="utf-8")


def drawn(*key: object, of: int) -> int:
    """Return a number below `of` that depends on the key alone."""
    return zlib.crc32("|".join(map(str, key)).encode()) % of


# ---------------------------------------------------------------- spans


def worse(documents: list[Json], salt: str) -> list[Json]:
    """Return documents with spans dropped, moved, given another label, doubled: one in eight each."""
    labels = sorted({span["label"] for one in documents for span in one["spans"]})
    return [{**one, "spans": [*_worse(one, labels, salt)]} for one in documents]


def _worse(document: Json, labels: list[str], salt: str) -> Iterator[Json]:
    length = len(document["text"])
    for n, span in enumerate(document["spans"]):
        made = {key: span[key] for key in ("start", "end", "label")}
        what, by = drawn(salt, document["id"], n, of=8), 1 + drawn(salt, n, document["id"], of=6)
        if what == 0:
            continue
        if what == 1:
            made["end"] = min(length, made["end"] + by)
        elif what == 2:
            made["start"] = min(made["end"], made["start"] + by)
        elif what == 3:
            made["label"] = labels[(labels.index(made["label"]) + by) % len(labels)]
        elif what == 4:
            yield {**made, "start": max(0, made["start"] - by)}
        yield made


def _derive_requirements(folder: Path) -> None:
    """Write more runs on the requirements."""
    gold = read_lines(folder / "req.gold.jsonl")
    plain = [{"id": one["id"], "text": one["text"], "spans": [_span(s) for s in one["spans"]]} for one in gold]
    lines(folder / "req.plain.jsonl", plain)
    for name in ("new", "old", "bob"):
        lines(folder / f"req.{name}.jsonl", worse(plain, name))
    scored = [
        {**one, "spans": [{**s, "score": drawn(one["id"], n, of=100) / 100} for n, s in enumerate(one["spans"])]}
        for one in worse(plain, "scored")
    ]
    lines(folder / "req.scored.jsonl", scored)
    lines(folder / "req.some.jsonl", worse(plain, "some")[:40])
    texts = [{**one, "spans": [_quote(one["text"], s) for s in one["spans"]]} for one in worse(plain, "texts")]
    lines(folder / "req.texts.jsonl", texts)
    _other_forms(folder, plain)


def _other_forms(folder: Path, plain: list[Json]) -> None:
    """Write the same gold in other forms."""
    whole(
        folder / "req.gold.json",
        {"schema": sorted({s["label"] for o in plain for s in o["spans"]}), "items": plain},
    )
    whole(folder / "req.keyed.json", {str(one["id"]): one for one in plain})
    packed = gzip.compress((folder / "req.new.jsonl").read_bytes(), mtime=0)
    (folder / "req.new.jsonl.gz").write_bytes(packed)
    renamed = [
        {
            "key": o["id"],
            "body": o["text"],
            "marks": [{"from": s["start"], "to": s["end"], "kind": s["label"]} for s in o["spans"]],
        }
        for o in plain
    ]
    lines(folder / "req.renamed.jsonl", renamed)
    emoji = [
        {
            **one,
            "text": "\U0001f600" + one["text"],
            "spans": [{**s, "start": s["start"] + 2, "end": s["end"] + 2} for s in one["spans"]],
        }
        for one in plain
    ]
    lines(folder / "req.utf16.jsonl", emoji)


def _span(span: Json) -> Json:
    return {"start": span["start"], "end": span["end"], "label": span.get("label", span.get("tag"))}


def _quote(text: str, span: Json) -> Json:
    return {"text": text[span["start"] : span["end"]], "label": span["label"]}


# ---------------------------------------------------------------- tokens


def _pii(folder: Path, documents: list[Json]) -> None:
    """Write tagged tokens of gold and two systems, and the same as one frame and as CoNLL."""

    def side(name: str) -> list[Json]:
        return [
            {
                "id": n,
                "text": one["text"],
                "tokens": one["tokens"],
                "start_indices": one["starts"],
                "tags": one[name],
            }
            for n, one in enumerate(documents)
        ]

    for name, key in (("gold", "gold"), ("patterns", "pred_patterns"), ("noisy", "pred_noisy")):
        lines(folder / f"pii.{name}.jsonl", side(key))
    rows = []
    for one in documents[:60]:
        tags = zip(_bio(one["gold"]), _bio(one["pred_noisy"]), strict=True)
        rows += [f"{token.strip() or '_'}\t{a}\t{b}\n" for token, (a, b) in zip(one["tokens"], tags, strict=True)]
        rows.append("\n")
    (folder / "pii.conll").write_text("".join(rows).replace(" ", "_"), encoding="utf-8")
    for name, at in (("gold", 1), ("pred", 2)):
        kept = [
            "\t".join((row.split("\t")[0], row.rstrip("\n").split("\t")[at])) + "\n" if row != "\n" else row
            for row in "".join(rows).replace(" ", "_").splitlines(keepends=True)
        ]
        (folder / f"pii.{name}.conll").write_text("".join(kept), encoding="utf-8")


def _bio(tags: list[str]) -> list[str]:
    pairs = zip(["O", *tags], tags, strict=False)
    return ["O" if tag == "O" else f"{'I' if tag == before else 'B'}-{tag}" for before, tag in pairs]


# ---------------------------------------------------------------- segments


def _traces(folder: Path, traces: list[Json]) -> None:
    """Write real traces with several segmentations, and two of them as files of their own."""
    documents = [{"id": t["id"], "text": t["trace"], "segmentations": t["segmentations"]} for t in traces]
    lines(folder / "ls.jsonl", documents)
    for name in ("ha", "ve"):
        lines(
            folder / f"ls.{name}.jsonl",
            ({"id": d["id"], "text": d["text"], "segments": d["segmentations"][name]} for d in documents),
        )
    raw = [
        {
            "id": t["id"],
            "text": t["trace"],
            "segmentations": {name: t["raw_annotations"][name] for name in ("ha", "ve")},
        }
        for t in traces
    ]
    lines(folder / "ls.raw.jsonl", raw)


def _corrected(folder: Path, traces: Json) -> None:
    documents = [
        {"id": key, "length": one["len"], "segmentations": {name: one[name] for name in ("ha", "ve")}}
        for key, one in [*traces.items()][:TRACES]
    ]
    lines(folder / "ls.corrected.jsonl", documents)


# ---------------------------------------------------------------- passages


def places(found: Iterable[Any]) -> list[Json]:
    """Return places in files as passages."""
    return [{"file_path": name, "span": [start, end]} for name, start, end in found]


def _chroma(folder: Path, data: Json) -> None:
    queries = data["configs"][0]["per_query"][:QUERIES]
    whole(
        folder / "chroma.gold.json",
        [{"id": n, "snippets": places(data["gold"][q["q"]])} for n, q in enumerate(queries)],
    )
    for at, name in enumerate(("pred", "new")):
        own = data["configs"][at]["per_query"][:QUERIES]
        whole(
            folder / f"chroma.{name}.json",
            [{"id": n, "retrieved_passages": places(q["retrieved"])} for n, q in enumerate(own)],
        )


def _bench(folder: Path) -> None:
    """Write passages for the questions of the small benchmark: the gold places, moved, and the file's start."""
    path = folder / "formats" / "legalbench" / "bench.json"
    if not path.exists():
        return
    tests = json.loads(path.read_text("utf-8"))["tests"]
    whole(folder / "bench.gold.json", {"tests": tests})
    found = []
    for n, one in enumerate(tests):
        moved = [(s["file_path"], max(0, s["span"][0] - n), max(1, s["span"][1] - n)) for s in one["snippets"]]
        found.append({"query": one["query"], "retrieved_passages": places([*moved, ("c/d1.txt", 0, 9)])})
    whole(folder / "bench.pred.json", found)


def oracle(folder: Path, name: str) -> Any:
    """Return a recorded file of other tools; nothing where it is missing."""
    path = folder / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {"cases": []}


def _oracles(folder: Path, source: Path) -> None:
    """Write some of the oracles' inputs as files: masses, legal queries, SQuAD, judgements."""
    cases = oracle(source, "segeval_random200")["cases"]
    for name, key in (("gold", "ref"), ("pred", "hyp")):
        lines(folder / f"masses.{name}.jsonl", ({"id": one["id"], "masses": one[key]} for one in cases))
    cases = oracle(source, "legal_random")["cases"][:12]
    for name, key in (("gold", "gold"), ("pred", "predictions")):
        rows = [
            {**row, "query": f"{one['case']} {n} {row['query']}"}
            for one in cases
            for n, row in enumerate(one[key])
        ]
        whole(folder / f"legal.{name}.json", {"tests": rows} if name == "gold" else rows)
    scored = [
        {
            **row,
            "retrieved_passages": [
                {"text": text, "score": n / 8} for n, text in enumerate(row["retrieved_passages"])
            ],
        }
        for row in rows
    ]
    whole(folder / "legal.scored.json", scored)
    cases = oracle(source, "squad_random100")["cases"][:20]
    asked = [q for one in cases for q in one["questions"]]
    qas = [{"id": q["id"], "question": "?", "answers": [{"text": t} for t in q["gold"]]} for q in asked]
    whole(folder / "squad.gold.json", {"version": "x", "data": [{"title": "t", "paragraphs": [{"qas": qas}]}]})
    whole(folder / "squad.pred.json", {key: said for one in cases for key, said in one["predictions"].items()})
    cases = oracle(source, "trec_random100")["cases"][:10]
    for key in ("qrels", "run"):
        whole(
            folder / f"trec.{key}.json", {f"{one['id']}-{q}": own for one in cases for q, own in one[key].items()}
        )


# ---------------------------------------------------------------- tables, and documents by hand


def _tables(folder: Path) -> None:
    """Write the requirements as Parquet and Arrow, one row per document and one row per span."""
    try:
        import pyarrow as pa
        from pyarrow import feather, parquet
    except ImportError:
        return
    for name in ("plain", "new"):
        documents = read_lines(folder / f"req.{name}.jsonl")
        parquet.write_table(pa.Table.from_pylist(documents), folder / f"req.{name}.parquet")
        rows = [{"doc": one["id"], **span} for one in documents for span in one["spans"]]
        feather.write_feather(pa.Table.from_pylist(rows), str(folder / f"req.{name}.rows.feather"))
        parquet.write_table(pa.Table.from_pylist(rows), folder / f"req.{name}.rows.parquet")


TEXT = "Peter Blackburn lives in Bern, not in Basel."
HAND = {
    "hand.gold.jsonl": [
        {
            "id": "a",
            "text": TEXT,
            "spans": [{"start": 0, "end": 15, "label": "PER"}, {"start": 25, "end": 29, "label": "LOC"}],
        },
        {"id": "b", "text": TEXT, "spans": []},
        {
            "id": "c",
            "text": TEXT,
            "spans": [{"start": 0, "end": 15, "label": "PER"}, {"start": 0, "end": 5, "label": "GIVEN"}],
        },
        {
            "id": "d",
            "text": TEXT,
            "spans": [{"label": "LOC", "fragments": [[25, 29], [38, 43]]}, {"start": 3, "end": 3, "label": "PER"}],
        },
    ],
    "hand.pred.jsonl": [
        {
            "id": "a",
            "text": TEXT,
            "spans": [
                {"start": 0, "end": 5, "label": "PER"},
                {"start": 6, "end": 15, "label": "PER"},
                {"start": 25, "end": 29, "label": "ORG"},
            ],
        },
        {"id": "b", "text": TEXT, "spans": [{"start": 0, "end": 5, "label": "PER"}]},
        {
            "id": "c",
            "text": TEXT,
            "spans": [{"start": 0, "end": 15, "label": "PER"}, {"start": 0, "end": 15, "label": "PER"}],
        },
        {"id": "d", "text": TEXT, "spans": [{"start": 25, "end": 43, "label": "LOC"}]},
    ],
    "hand.none.jsonl": [{"id": key, "text": TEXT, "spans": []} for key in "abcd"],
    "hand.levels.jsonl": [{"id": 1, "length": 9, "boundaries": {"chapter": [6], "section": [3, 6]}}],
    "hand.levels.pred.jsonl": [{"id": 1, "length": 9, "boundaries": {"chapter": [5], "section": [3, 6, 8]}}],
    "hand.strings.jsonl": [{"id": 1, "string": "00100100"}, {"id": 2, "string": "10000000"}],
    "hand.strings.pred.jsonl": [{"id": 1, "string": "00010100"}, {"id": 2, "string": "00000000"}],
}


def _by_hand(folder: Path) -> None:
    for name, documents in HAND.items():
        lines(folder / name, documents)
    (folder / "both.conll").write_text(
        "Anna B-PER B-PER\nmet O O\nBob B-PER O\n\nYork B-LOC B-LOC\n", encoding="utf-8"
    )
    (folder / "ill.conll").write_text(
        "Anna I-PER B-PER\nmet O O\nBob B-PER O\n\nYork I-LOC I-LOC\n", encoding="utf-8"
    )
    (folder / "empty").mkdir()
