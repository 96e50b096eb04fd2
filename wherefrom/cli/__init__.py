"""The command line: parse, call the library, render, exit code.

One file for each command group; only this package imports typer, and no command loads the library before it runs.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

# Not from `typing`, which takes longer to load than all else here, and cannot be interrupted quietly.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

# Python would look through all objects for cycles as it ends, a tenth of a cold search, to free what ends anyway.
atexit.register(gc.freeze)

COLLECT_AFTER = 50_000
"""Objects that are made before Python looks for cycles: an answer has hundreds of thousands that are in none."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        arguments: without the program's name; those of the process unless given.

    Returns:
        The exit code: 0 found or done, 1 nothing found, 2 error, 130 interrupted. A reader
        who has gone away is not an error.
    """
    # NumPy would start a thread for each processor, which takes a tenth of a cold search, and nothing here uses them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(COLLECT_AFTER)
    try:
        from wherefrom.cli import app  # noqa: PLC0415 -- Ctrl-C while the command line is being loaded is caught too

        return app.run(sys.argv[1:] if arguments is None else list(arguments))
    except (KeyboardInterrupt, RuntimeError) as error:
        # Python 3.11 makes a RuntimeError of an interrupt that comes while a class is being made.
        if isinstance(error, RuntimeError) and not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        # CPython takes an interrupt inside `exec` of a text, as data classes do it, for one that nobody caught, and
        # would end itself by the signal: the next `exec` makes it forget that.
        exec("")  # noqa: S102 -- nothing is executed
        _say_interrupted()
        return 130


def _say_interrupted() -> None:
    # Not `console.say`: it may not be loaded yet.
    if sys.stderr is not None:
        try:
            sys.stderr.write("wherefrom: interrupted\n")
            sys.stderr.flush()
        except OSError:
            pass
