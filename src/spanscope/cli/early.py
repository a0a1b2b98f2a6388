"""What cannot wait for modules to be loaded. Nothing is imported here that Python has not got ready itself.

Ctrl-C before the program can handle it is a line in place of a traceback; Python then ends the process by the
signal, which shells show as 130. And modules make many objects, which all stay: looking for garbage among them
after every 700, as Python does, takes longer than loading some of them.
"""

import gc
import sys

OBJECTS = 100_000  # new ones after which Python looks for garbage


def say_interrupted(kind, error, trace):  # type: ignore[no-untyped-def]  # the types would have to be imported
    """Say that the program was interrupted; show every other error as Python does."""
    if issubclass(kind, KeyboardInterrupt) and sys.stderr is not None:
        sys.stderr.write("interrupted\n")
    else:
        sys.__excepthook__(kind, error, trace)


if sys.excepthook is sys.__excepthook__:  # not where a program that only imports this one has its own
    sys.excepthook = say_interrupted
    gc.set_threshold(OBJECTS)
