"""BEIR's folders: judgements of a split in `qrels`, beside the texts of the queries and of the documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem, problem_at
from spanscope.errors import named, shown
from spanscope.io.folder import Folder, open_folder
from spanscope.io.json_lines import decode, lines
from spanscope.io.passages.rows import Sides, wrong
from spanscope.io.passages.trec import corpus_of_lines
from spanscope.io.read_options import ReadOptions

TEST = "test"  # the split that is read unless another is asked for
QUERIES, DOCUMENTS = "queries.jsonl", "corpus.jsonl"


def read_folder(source: Any, options: ReadOptions) -> Sides:
    """Return the judgements of a split, with the texts of their queries; what the files lack is noted."""
    folder = open_folder(source)
    if options.side == "pred":
        wrong(folder.name, "the pred side holds judgements", "gold first, then the run", "the two swapped")
    file = folder.open(_judgements(folder, options.split))
    corpus = corpus_of_lines(file, "qrels")
    texts = _texts(folder, QUERIES, "text")
    if texts:
        questions = np.empty(corpus.n_documents, dtype=object)
        questions[:] = [texts.get(name) for name in corpus.ids or []]
        corpus.queries = replace(corpus.queries, questions=questions)
    corpus.problems += _strangers(corpus, _texts(folder, DOCUMENTS, None), texts)
    corpus.sha256 = folder.sha256
    return {"gold": corpus}


def _judgements(folder: Folder, split: str | None) -> str:
    """Return the name of the judgements of a split: of the one that was asked for, of test, or the only ones."""
    names = [name for name in folder.names if name.startswith("qrels/") and name.endswith(".tsv")]
    found = {PurePosixPath(name).stem: name for name in names}
    there = ", ".join(sorted(found)) or "nothing"
    if split is not None and split not in found:
        wrong(folder.name, f"has no split {named(split)}", there)
    wanted = split or (TEST if TEST in found else next(iter(found), "") if len(found) == 1 else "")
    if not wanted:
        wrong(folder.name, f"qrels holds {there}", "qrels/test.tsv", "[[split=NAME]]   for one of them")
    return found[wanted]


def _texts(folder: Folder, name: str, key: str | None) -> dict[str, Any]:
    """Return what the lines of a file have under a key, by id; of no key nothing but the ids."""
    if name not in folder.names:
        return {}
    out: dict[str, Any] = {}
    file = folder.open(name)
    for number, line in lines(file):
        value = decode(line, file.name, number)
        if not isinstance(value, Mapping) or "_id" not in value:
            wrong(f"{file.name}:{number}", f"the line is {shown(value)}", "an object with _id and text")
        out[str(value["_id"])] = value.get(key) if key else None
    return out


def _strangers(corpus: Corpus, documents: Mapping[str, Any], queries: Mapping[str, Any]) -> list[Problem]:
    """Note judgements of documents and of queries that the files beside them do not have."""
    out = []
    judged = [name for own in corpus.queries.lists or [] for name in own]
    for what, known, names in (("documents", documents, judged), ("queries", queries, corpus.ids or [])):
        strange = [name for name in names if known and name not in known]
        if strange:
            values = {"what": what, "name": strange[0]}
            out.append(problem_at("unknown judged", corpus.name, values, number=len(strange)))
    return out
