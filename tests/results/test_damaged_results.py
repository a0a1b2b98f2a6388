"""Result files that were cut, changed or mixed up: read as they were written, or refused."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spanscope import InputError, SpanscopeError, compare, plan
from spanscope.report import render
from tests.cli import GOLD, PRED, refused, run, write

VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    0.5,
    1e308,
    2**63,
    2**70,
    10**400,
    "",
    "x",
    "ffff",
    [],
    {},
    [[]],
    [None],
]
VALUES += [{"a": 1}, [1, 2], "spans.exact", "spans.exact(", "error"]
CHANGES = 400


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a result file that kept its counts, of twelve documents and two measures."""
    gold, pred = ("".join(path.read_text().splitlines(keepends=True)[:12]) for path in (GOLD, PRED))
    ids = {json.loads(line)["id"] for line in gold.splitlines()}
    assert ids == {json.loads(line)["id"] for line in pred.splitlines()}
    folder = tmp_path_factory.mktemp("kept")
    files = [write(folder / name, text) for name, text in (("g.jsonl", gold), ("p.jsonl", pred))]
    done = run("eval", *files, "-m", "spans.exact", "-m", "spans.iou", "--keep", "-f", "json")
    assert done.code == 0
    return done.out


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return where something stands in a tree; of long lists the first places and the last."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for at in {*range(min(len(value), 3)), len(value) - 1} - {-1}:
            yield from places(value[at], (*path, at))


def changed(kept: str, draw: random.Random) -> bytes:
    """Return the file with bytes cut off, lost or replaced, or with a value taken out or put in."""
    if draw.random() < 0.3:
        data = bytearray(kept.encode())
        at = draw.randrange(len(data))
        how = draw.randrange(4)
        if how == 0:
            del data[at:]
        elif how == 1:
            del data[at : at + draw.randrange(1, 40)]
        else:
            data[at] = draw.randrange(256) if how == 2 else draw.choice(b'0123456789-e."[]{},:')
        return bytes(data)
    tree = json.loads(kept)
    for _ in range(draw.choice((1, 1, 2))):
        own = [
            path
            for path in places(tree)
            if path[0] in ("kept", "settings", "inputs", "problems", "signatures", "rows")
        ]
        *way, last = draw.choice(own)
        inner = tree
        for key in way:
            inner = inner[key]
        if draw.random() < 0.3:
            del inner[last]
        else:
            inner[last] = draw.choice(VALUES)
    return json.dumps(tree).encode()


def figures(compared: Any) -> list[Any]:
    return [(row.measure, row.rate, row.average, row.label, row.base, row.value) for row in compared.rows]


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_are_refused_or_read_as_they_were(kept: str, tmp_path: Path, seed: int) -> None:
    """Whatever is accepted gives the figures of the whole file."""
    good = write(tmp_path / "good.json", kept)
    wanted = figures(compare(None, ("a", good), ("b", good), trials=5))
    draw, path, refusals = random.Random(seed), tmp_path / "bad.json", 0
    for _ in range(CHANGES // 4):
        write(path, changed(kept, draw))
        for work in _works(path, good):
            try:
                found = work()
            except SpanscopeError:
                refusals += 1
            else:
                assert found is None or figures(found) == wanted
                assert found is None or render(found, "json", digits=4)
    assert refusals > CHANGES // 4


def _works(path: Path, good: Path) -> list[Callable[[], Any]]:
    return [
        lambda: compare(None, ("a", path), ("b", path), trials=5),
        lambda: compare(None, ("a", good), ("b", path), trials=5),
        lambda: str(plan(path, detect=0.1)) and None,
    ]


def damage(kept: str, change: Callable[[Any], Any]) -> str:
    tree = copy.deepcopy(json.loads(kept))
    change(tree)
    return json.dumps(tree)


def table(tree: Any) -> Any:
    return tree["kept"]["tables"]["spans.exact(duplicates=list)"]


DAMAGES: dict[str, Callable[[Any], Any]] = {
    "a column is called otherwise": lambda tree: table(tree)["columns"].__setitem__(0, "x"),
    "a label is no text": lambda tree: table(tree)["labels"].__setitem__(0, ["x"]),
    "a label occurs twice": lambda tree: table(tree)["labels"].__setitem__(0, table(tree)["labels"][1]),
    "a row is of another document": lambda tree: table(tree)["document"].__setitem__(0, 11),
    "a document is a number beyond all": lambda tree: table(tree)["document"].__setitem__(0, 2**63),
    "a count is another": lambda tree: table(tree)["values"][0].__setitem__(0, 0),
    "a count is beyond all": lambda tree: table(tree)["values"][0].__setitem__(0, 1e300),
    "a table is gone": lambda tree: tree["kept"]["tables"].popitem(),
    "a figure is another": lambda tree: tree["rows"][0].__setitem__("value", 0.25),
    "the figures are gone": lambda tree: tree.pop("rows"),
    "beta is another": lambda tree: tree["settings"].__setitem__("beta", 2.0),
    "labels are a number": lambda tree: tree["settings"].__setitem__("labels", 5),
    "the hash of gold is a list": lambda tree: tree["inputs"]["gold"].__setitem__("sha256", []),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_every_damage_is_named(kept: str, tmp_path: Path, name: str) -> None:
    path = write(tmp_path / "bad.json", damage(kept, DAMAGES[name]))
    with pytest.raises(InputError, match=r"the kept counts cannot be read: .*\n.*a file as it was written"):
        plan(path, detect=0.1)
    assert "the kept counts cannot be read" in refused(run("compare", path, f"b={path}"))


def test_a_file_that_was_cut(kept: str, tmp_path: Path) -> None:
    path = write(tmp_path / "cut.json", kept[: len(kept) // 2])
    assert "the JSON ends too early" in refused(run("compare", path, f"b={path}"))
    assert "the JSON ends too early" in refused(run("plan", path, "--detect", "0.1"))
    assert refused(run("report", path, "-o", tmp_path / "x.html"))
