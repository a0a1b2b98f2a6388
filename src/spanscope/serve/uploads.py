"""Files that a browser sends: kept in the folder of the store, under names of our making."""

from __future__ import annotations

import asyncio
import re
import secrets
import shutil
import time
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from spanscope.io.file_names import guess_side
from spanscope.io.results import is_result
from spanscope.jsonable import JsonObject
from spanscope.serve import room
from spanscope.serve.durable import flush_tree, new_file
from spanscope.serve.folder import File, list_files
from spanscope.serve.limits import Refused, size_in_words
from spanscope.serve.state import State
from spanscope.serve.store import new_item


def plain_name(given: str) -> str:
    """Return a name under which an upload can be kept and shown: no path, nothing invisible, not too long.

    >>> plain_name("../../etc/pass\\nwd.jsonl"), plain_name("C:\\\\gold.jsonl"), plain_name("..")
    ('pass_wd.jsonl', 'gold.jsonl', 'file')
    """
    last = re.split(r"[/\\]", given)[-1]
    clean = "".join("_" if unicodedata.category(sign)[0] == "C" else sign for sign in last).strip(". ")
    while len(clean.encode()) > 120:  # from the middle: the ending tells the format
        clean = clean[: len(clean) // 2 - 1] + clean[len(clean) // 2 + 1 :]
    return f"_{clean[1:]}" if clean.startswith("-") else clean or "file"


async def take(state: State, name: str, body: AsyncIterator[bytes], length: int | None) -> File:
    """Take in an upload, whole or not at all; one that is too large is refused as soon as that shows."""
    limit = state.limits.upload
    large = Refused(
        413,
        f"the file has more than {size_in_words(limit)}",
        where=plain_name(name),
        hint="spanscope serve --limit 2GB",
    )
    if length is not None and length > limit:
        raise large
    own = "u" + secrets.token_hex(8)
    folder = state.folder("coming", own)
    folder.mkdir(mode=0o700)
    path = folder.joinpath(plain_name(name))
    try:
        size = await _write(path, body, limit, large)
        if length is not None and size != length:
            raise Refused(400, "the upload was cut off", where=path.name)
        await asyncio.to_thread(flush_tree, folder)
        room.make(state, size)
        head: JsonObject = {"name": path.name, "size": size, "modified": time.time(), "looks": _looks(path)}
        passing = {} if state.limits.keeps_texts else {"passing": True}  # texts that may not stay
        state.store.add(new_item(own, "upload", size, head | passing), folder)
    except OSError as error:
        what = f"the file cannot be kept ({error.strerror or error})"
        raise Refused(507, what, where=path.name, hint="room on the disk, or --folder OTHER") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    state.uploads[own] = File(own, path.name, size, head["modified"], head["looks"])
    room.tidy(state)
    return state.uploads[own]


async def _write(path: Path, body: AsyncIterator[bytes], limit: int, large: Refused) -> int:
    """Write what comes to a file, no more than the limit; return how much came."""
    size = 0
    with new_file(path) as file:
        async for part in body:
            size += len(part)
            if size > limit:
                raise large
            file.write(part)
    return size


def _looks(path: Path) -> str:
    return "result" if is_result(path) else guess_side(path.name)


def source(state: State, asked: Any) -> JsonObject:
    """Return where an input is, by its id or name in the listing: what a client says is only looked up."""
    if isinstance(asked, str):
        if (own := state.uploads.get(asked)) is not None:
            most = state.limits.upload
            return {
                "root": str(state.folder("uploads", own.id)),
                "file": own.name,
                "name": own.name,
                "id": own.id,
                "most": most,
            }
        for file in list_files(state.root, state.limits)[0]:
            if asked in (file.id, file.name):
                return {"root": str(state.root), "file": file.name, "name": file.name, "id": file.id}
    raise Refused(404, "there is no such file", where=repr(asked)[:80], expected="one of those listed")
