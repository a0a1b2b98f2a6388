"""Files of one format in a folder, an archive or under a pattern: parts of one corpus, or an annotator each.

Each file is read by the reader of its own format. What the readers of a family return is put together in the
order of the files' names. Where all of them hold the same documents, each file is an annotator of its name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields as columns_of
from dataclasses import replace
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Any

from spanscope.data.concatenate import concatenate
from spanscope.data.corpus import Corpus
from spanscope.data.problems import Problem
from spanscope.errors import InputError, plural
from spanscope.io.folder import Folder, hidden_in, is_folder, open_folder, sources_in
from spanscope.io.format import Format
from spanscope.io.head import head_of
from spanscope.io.opening import is_in_utf16
from spanscope.io.passages.rows import PassageRows
from spanscope.io.pipes import hold
from spanscope.io.read_options import ReadOptions
from spanscope.io.strict import Report
from spanscope.io.tokens.sentences import Sentences

PACKED = (".gz", ".bz2", ".xz", ".zst")  # second endings of names
SHOWN = 3  # names of files that are listed where there are more


def format_of_parts(source: Any, recognise: Callable[[Any], Format]) -> Format:
    """Return the one format of the files in a folder, with a reader of the folder; several are refused."""
    folder = open_folder(source)
    names = folder.data
    if not names:
        what = "holds no file of data"
        raise InputError(what, where=folder.name, expected="files of one format, or a folder of a known tool")
    found = _without_bare([(folder.source(name), recognise(folder.source(name))) for name in names])
    if len({one.name for one in found}) > 1:
        _refuse_mixed(folder, names, found)
    first = folder.source(names[0])
    return found[0]._replace(
        reader=lambda _, options: _read(folder, names, found, options),
        protocol=lambda _: found[0].protocol(head_of(first)),
    )


def _without_bare(known: Sequence[tuple[str, Format]]) -> list[Format]:
    """Return the formats of files: what has no annotations is in the one special format of the others."""
    special = {one.name: one for _, one in known if not one.general}
    if len(special) != 1:
        return [one for _, one in known]
    other = next(iter(special.values()))
    return [
        other if one.general and one.family == other.family and _is_bare(source) else one for source, one in known
    ]


def _is_bare(source: str) -> bool:
    """Tell a file whose first documents have no annotations."""
    values = [record.value for record in head_of(source).records()]
    return all(
        isinstance(one, Mapping) and not any(isinstance(v, list) and v for v in one.values()) for one in values
    )


def with_notes(known: Format, source: Any) -> Format:
    """Return a format whose reader says what is unusual about the file; folders of tools have readers that do."""
    notes = [] if is_folder(source) else notes_on(source)
    if not notes:
        return known
    return known._replace(reader=lambda given, options: _put_notes(known.reader(given, options), notes))


def notes_on(source: Any) -> list[Problem]:
    """Return what is said of a file or of a folder of parts, whatever they hold."""
    if not is_folder(source):
        return [Problem("opened", str(source), values={"encoding": "UTF-16"})] if is_in_utf16(source) else []
    inner = [note for one in sources_in(source) for note in notes_on(one)]
    return [*inner, *_notes_of_folder(open_folder(source))]


def _notes_of_folder(folder: Folder) -> list[Problem]:
    """Return which files of a folder were read, and which are no data."""
    names, hidden, out = folder.data, hidden_in(folder.given), list[Problem]()
    if aside := [*(name for name in folder.names if name not in names), *(["hidden files"] if hidden else [])]:
        number = len(folder.names) - len(names) + hidden
        out.append(Problem("opened", folder.name, values={"names": _list_names(aside)}, number=number))
    if len(names) > 1:
        values = {"first": names[0], "last": names[-1]}
        out.append(Problem("opened", folder.name, values=values, number=len(names)))
    return out


def _list_names(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join([*names[:SHOWN], *([f"and {more:,} more"] if more > 0 else [])])


def _refuse_mixed(folder: Folder, names: Sequence[str], found: Sequence[Format]) -> None:
    """Refuse files of several formats, with how many there are of each and the first of them."""
    counts = Counter(one.name for one in found)
    kinds = [one.name for one in found]
    seen = (
        f"{plural(number, 'file')} of {kind} ({names[kinds.index(kind)]}{', ...' if number > 1 else ''})"
        for kind, number in counts.most_common()
    )
    raise InputError(
        f"holds files of {len(counts)} formats: {', '.join(seen)}",
        where=folder.name,
        expected="files of one format",
        hint="a pattern that only some of them match, in quotes, such as 'FOLDER/part-*.jsonl'",
    )


def _read(folder: Folder, names: Sequence[str], formats: Sequence[Format], options: ReadOptions) -> Any:
    """Read all files, one after the other, and put together what they hold."""
    if options.texts is not None and len(names) > 1:
        what = f"holds {len(names):,} files, and texts would make all documents those of each"
        raise InputError(what, where=folder.name, expected="one table beside [[texts]]")
    found = []
    for name, own in zip(names, formats, strict=True):
        report = Report(options.report.collect)
        found.append(own.reader(hold(folder.source(name)), replace(options, report=report, like=None)))
        options.report.problems += report.problems
        folder.read(name, _hash_of(found[-1]))
    if len(found) == 1:
        return _put_notes(found[0], _notes_of_folder(folder))
    out = _put_together(found, _stems(names), folder)
    return _put_notes(out, _notes_of_folder(folder))


def _stems(names: Sequence[str]) -> list[str]:
    """Return the names without their endings, of packed files both; the whole names where these are the same.

    >>> _stems(["a/d1.json.gz", "a/d2.json"]), _stems(["d1.json", "d1.jsonl"])
    (['a/d1', 'a/d2'], ['d1.json', 'd1.jsonl'])
    """
    out = []
    for name in names:
        path = PurePosixPath(name)
        path = path.with_suffix("") if path.suffix in PACKED else path
        out.append(path.with_suffix("").as_posix())
    return out if len(set(out)) == len(out) else list(names)


def _hash_of(found: Any) -> str | None:
    digest: str | None = getattr(_first(found), "sha256", None)
    return digest


def _first(found: Any) -> Any:
    """Return the first side of what a reader returned; None where it found no side at all."""
    return next(iter(found.values()), None) if isinstance(found, Mapping) else found


def _put_together(found: Sequence[Any], stems: Sequence[str], folder: Folder) -> Any:
    """Return what all readers of a family return, for all files."""
    first = found[0]
    if isinstance(first, Mapping) and _are_queries(next(iter(first.values()), None)):
        return {side: _queries([own[side] for own in found if side in own], folder) for side in _sides_of(found)}
    if all(isinstance(one, Sentences) for one in found):
        return _sentences(found, stems, folder)
    if isinstance(first, Corpus):
        return concatenate(found, folder.name, folder.sha256)
    alone = [next(iter(sides.values())) for sides in found if len(sides) == 1]
    if len(alone) == len(found) and _same_documents(alone):
        return dict(zip(stems, alone, strict=True))
    if len(alone) == len(found) and all(one.ids is None and one.n_documents == 1 for one in alone):
        found = [{"": replace(one, ids=[stem])} for one, stem in zip(alone, stems, strict=True)]
    return {
        side: concatenate([own[side] for own in found if side in own], folder.name, folder.sha256)
        for side in _sides_of(found)
    }


def _sides_of(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the sides that any of the files has."""
    return list(dict.fromkeys(side for own in found for side in own))


def _are_queries(one: Any) -> bool:
    """Tell queries with passages, and judgements or runs."""
    return isinstance(one, PassageRows) or (isinstance(one, Corpus) and one.queries.lists is not None)


def _queries(found: Sequence[Any], folder: Folder) -> Any:
    """Return the queries of all files, one after the other."""
    if all(isinstance(one, PassageRows) for one in found):
        return _rows(found, folder)
    return concatenate(found, folder.name, folder.sha256)


def _same_documents(corpora: Sequence[Corpus]) -> bool:
    """Tell whether all corpora have the same documents: by ids, else several by their texts, in their order."""
    if all(one.ids for one in corpora):
        return len({frozenset(one.ids or ()) for one in corpora}) == 1
    if any(one.ids is not None or one.texts is None or one.n_documents < 2 for one in corpora):
        return False
    return len({tuple(() if one.texts is None else one.texts.tolist()) for one in corpora}) == 1


def _rows(found: Sequence[PassageRows], folder: Folder) -> PassageRows:
    """Return the queries of all files."""
    before = [0, *accumulate(max(one.places, default=-1) + 1 for one in found)]
    docs = [0, *accumulate(len(one.ids) for one in found)]

    def where(place: int) -> str:
        at = bisect_right(before, place) - 1
        return found[at].where(place - before[at])

    out = PassageRows(folder.name, where, library=found[0].library, sha256=folder.sha256)
    for one, places, first in zip(found, before, docs, strict=False):
        moved = replace(one, places=[p + places for p in one.places], doc=[d + first for d in one.doc])
        for column in columns_of(PassageRows):
            if isinstance(own := getattr(out, column.name), list):
                own.extend(getattr(moved, column.name))
        out.more |= {len(out.doc) - len(one.doc) + row: meta for row, meta in one.more.items()}
        out.kinds |= one.kinds
    return out


def _sentences(found: Sequence[Sentences], stems: Sequence[str], folder: Folder) -> Sentences:
    """Return the sentences of all files; they have tokens, texts and ids where all files have."""
    if all(one.ids is None and len(one.sizes) == 1 for one in found):
        found = [replace(one, ids=[stem]) for one, stem in zip(found, stems, strict=True)]
    for column in ("tokens", "starts", "texts", "ids"):
        if len({getattr(one, column) is None for one in found}) > 1:
            odd = next(one for one in found if getattr(one, column) is None)
            what, others = f"has no {column}, other files have", f"{column} in every file, or in none"
            raise InputError(what, where=odd.name, expected=others)
    before = [0, *accumulate(len(one.sizes) for one in found)]

    def where(doc: int, token: int) -> str:
        at = bisect_right(before, doc) - 1
        return found[at].where(doc - before[at], token)

    def chained(column: str) -> Any:
        parts = [getattr(one, column) for one in found]
        return None if parts[0] is None else [value for part in parts for value in part]

    return Sentences(
        folder.name,
        chained("sizes"),
        {side: [tag for one in found for tag in one.tags[side]] for side in found[0].tags},
        chained("tokens"),
        chained("starts"),
        chained("texts"),
        chained("ids"),
        where=where,
        sha256=folder.sha256,
        problems=[problem for one in found for problem in one.problems],
        meta=chained("meta"),
    )


def _put_notes(found: Any, notes: Sequence[Problem]) -> Any:
    """Put notes before the problems of what a reader returned."""
    if (first := _first(found)) is not None:
        first.problems[:0] = notes
    return found
