"""Data sets of tagged tokens that Hugging Face's library has saved: a folder of Arrow files, or one a split."""

from __future__ import annotations

from typing import Any

import msgspec

from spanscope.errors import InputError, shown
from spanscope.io.arrow import as_rows, named_table
from spanscope.io.folder import Folder, open_folder
from spanscope.io.hugging_face import chosen_split, describe, is_dataset_dict
from spanscope.io.read_options import ReadOptions
from spanscope.io.source import Source
from spanscope.io.tables import arrow, table_of
from spanscope.io.tokens.recognise import INFO, SPLITS, STATE
from spanscope.io.tokens.sentences import Sentences, from_documents


def from_saved(source: Any, options: ReadOptions) -> Sentences:
    """Return the tagged tokens of a saved data set, or of one split of several in a folder or in memory."""
    if is_dataset_dict(source):
        split = chosen_split(list(source), options.split, options.side or "the data set")
        return from_documents(as_rows(source[split], f"{options.side}[{split}]"), options)
    return from_documents(open_saved(source, options.split), options)


def splits_of(source: Any) -> list[str]:
    """Return the names of the splits of a data set in a folder or in memory; none of one without splits."""
    if is_dataset_dict(source):
        return [str(one) for one in source]
    folder = open_folder(source)
    return _splits(folder) if SPLITS in folder.names else []


def _splits(folder: Folder) -> list[str]:
    return [str(one) for one in _json(folder, SPLITS).get("splits") or []]


def open_saved(path: Any, split: str | None) -> Source:
    """Return the table of a saved data set, or of one of its splits."""
    folder = open_folder(path)
    before = ""
    if SPLITS in folder.names:
        before = chosen_split(_splits(folder), split, folder.name) + "/"
    elif split is not None:
        raise InputError("holds one data set, without splits", where=folder.name, hint="no [[split=NAME]]")
    files = _json(folder, before + STATE).get("_data_files") or []
    tables = []
    for one in files:
        name = before + str(one.get("filename") if isinstance(one, dict) else one)
        if name not in folder.names:
            raise InputError(f"names the file {shown(name)}", where=f"{folder.name}/{before}{STATE}")
        tables.append(table_of(folder.open(name, text=False).data, f"{folder.name}/{name}"))
    called = f"{folder.name}/{before}".rstrip("/")
    if not tables:
        raise InputError("names no files of data", where=f"{called}/{STATE}", expected="_data_files")
    info = _json(folder, before + INFO) if before + INFO in folder.names else {}
    table = describe(arrow(called).concat_tables(tables), {"info": info})
    return named_table(table, called, folder.sha256)


def _json(folder: Folder, name: str) -> dict[str, Any]:
    where = f"{folder.name}/{name}"
    if name not in folder.names:
        raise InputError("is not there", where=where, expected="a folder that save_to_disk has written")
    try:
        found = msgspec.json.decode(folder.open(name).data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is not JSON ({error})", where=where) from None
    if not isinstance(found, dict):
        raise InputError(f"holds {shown(found)}", where=where, expected="an object")
    return found
