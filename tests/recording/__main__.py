"""The command: record a folder of outputs, or compare two such folders."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.recording import compare


def main() -> int:
    """Do what the arguments ask for and return the exit code."""
    parser = argparse.ArgumentParser(prog="tests.recording", description="Record outputs, or compare two records.")
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser("record", help="run all cases and write what they print and return")
    record.add_argument("folder", type=Path)
    record.add_argument("--data", type=Path, default=Path("../shared"), help="the folder with data and oracles")
    record.add_argument("--only", default="", metavar="WORD", help="only cases whose names hold this")
    record.add_argument("--slow", type=int, default=0, metavar="N", help="name the N slowest cases")
    both = commands.add_parser("compare", help="tell how two records differ")
    both.add_argument("old", type=Path)
    both.add_argument("new", type=Path)
    both.add_argument("--skip", action="append", default=[], metavar="WORD", help="leave out names that hold this")
    both.add_argument("--lines", type=int, default=12, help="of the difference of a file, at the most")
    given = parser.parse_args()
    if given.command == "compare":
        return compare.compare(given.old, given.new, skip=given.skip, most=given.lines)
    from tests.recording import record as recording

    return recording.record(given.folder, given.data, only=given.only, slow=given.slow)


if __name__ == "__main__":
    sys.exit(main())
