"""Ctrl-C before the program can handle it: a line in place of a traceback. Nothing is imported here but `sys`.

Python then ends the process by the signal, which shells show as 130.
"""

import sys


def say_interrupted(kind, error, trace):  # type: ignore[no-untyped-def]  # the types would have to be imported
    """Say that the program was interrupted; show every other error as Python does."""
    if issubclass(kind, KeyboardInterrupt) and sys.stderr is not None:
        sys.stderr.write("interrupted\n")
    else:
        sys.__excepthook__(kind, error, trace)


if sys.excepthook is sys.__excepthook__:  # not where a program that only imports this one has its own
    sys.excepthook = say_interrupted
