"""How much code a small run goes through: calls of Spanscope's functions and files crossed by `eval` of the demo.

    python benchmarks/calls.py
    PYTHONPATH=../other/src python benchmarks/calls.py    # of another tree

Counted are calls of functions with a name, from the first line of the command to its end. What modules do while
they are loaded is counted apart, and so are lambdas, comprehensions (frames of their own up to Python 3.11) and
every entry into a generator: these say how something is written rather than how far a figure travels.
"""

from __future__ import annotations

import argparse
import inspect
import io
import sys
from collections import Counter
from contextlib import redirect_stdout, suppress
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>")
NAMED, LOADING = "functions with a name", "made while modules are loaded"


class Place(NamedTuple):
    """A function, by its file and its name."""

    file: str
    name: str


class Calls:
    """Counts calls of functions in a folder by kind, modules loaded from it, and how often a file is opened."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.kinds: dict[str, Counter[Place]] = {}
        self.modules: set[str] = set()
        self.opened: Counter[str] = Counter()

    def profile(self, frame: FrameType, event: str, _: Any) -> None:
        """Take down a call; for `sys.setprofile`."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(self.folder):
            return
        if code.co_name == "<module>":
            self.modules.add(code.co_filename)
            return
        kind = NAMED
        if self._is_loading(frame):
            kind = LOADING
        elif code.co_flags & inspect.CO_GENERATOR:
            kind = "entries into generators"
        elif code.co_name in COMPREHENSIONS:
            kind = "comprehensions"
        elif code.co_name == "<lambda>":
            kind = "lambdas"
        place = Place(code.co_filename.removeprefix(self.folder).lstrip("/"), code.co_qualname)
        self.kinds.setdefault(kind, Counter())[place] += 1

    def audit(self, event: str, given: tuple[Any, ...]) -> None:
        """Take down a file that is opened; for `sys.addaudithook`."""
        if event == "open" and isinstance(given[0], str):
            self.opened[given[0]] += 1

    def _is_loading(self, frame: FrameType | None) -> bool:
        """Tell whether a module of the folder, or a class of its, is being made."""
        while frame is not None:
            if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(self.folder):
                return True
            frame = frame.f_back
        return False


def run(folder: Path, options: list[str]) -> Calls:
    """Score the demo in this process, which has loaded nothing of Spanscope, and return what was called."""
    files = [str(folder / "examples" / f"requirements.{side}.jsonl") for side in ("gold", "pred")]
    found = Calls(str(folder))
    sys.argv = ["spanscope", "eval", *files, *options]
    sys.addaudithook(found.audit)
    with redirect_stdout(io.StringIO()), suppress(SystemExit):
        sys.setprofile(found.profile)
        try:
            from spanscope.cli import main

            main()
        finally:
            sys.setprofile(None)
    return found


def main() -> int:
    """Print how many calls there were of each kind, in how many files, and which functions were called most."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--most", type=int, default=20, metavar="N", help="list the N functions called most (20)")
    args, options = parser.parse_known_args()
    spec = find_spec("spanscope")
    folder = Path(str(spec and spec.origin)).parent
    found = run(folder, options)
    print(f"{folder}, Python {sys.version.split()[0]}: spanscope eval of the demo {' '.join(options)}".rstrip())
    print(f"{len(found.modules):>7,} own modules loaded")
    for kind, calls in sorted(found.kinds.items(), key=lambda one: one[0] != NAMED):
        files = len({place.file for place in calls})
        print(f"{calls.total():>7,} calls in {files} files: {kind}")
    for name, number in found.opened.items():
        if name.endswith(".jsonl"):
            print(f"{number:>7,} x opened: {Path(name).name}")
    for place, number in found.kinds[NAMED].most_common(args.most):
        print(f"{number:>7,}   {place.file} {place.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
