"""The command line: it parses the arguments, calls the library, renders the answer and sets the exit code.

There is one file for each group of commands. Only this package imports typer. No command loads the library before it
runs.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

# Not imported from `typing`: loading that module takes long, and Ctrl-C meanwhile would show a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

# At exit Python would search all objects for cycles, which takes a tenth of a cold search. It skips frozen objects.
atexit.register(gc.freeze)

COLLECT_AFTER = 100_000
"""Python searches for cycles after this many new objects, more than a search makes: its answer has no cycles."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        arguments: without the program's name; by default the arguments of the process.

    Returns:
        The exit code: 0 found or done, 1 nothing found, 2 error, 130 interrupted. If the reader of standard output has
        gone away, that is not an error.
    """
    # NumPy would start a thread for each processor. That takes a tenth of a cold search, and nothing uses the threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(COLLECT_AFTER)
    for descriptor in range(3):  # otherwise a file would get the number of a closed stream
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if given[:1] == ["--version"] and {*given[1:]} <= {"--verbose"}:
            from wherefrom.cli import version  # noqa: PLC0415 -- without all that other commands need

            return version.show(is_verbose="--verbose" in given)
        from wherefrom.cli import app  # noqa: PLC0415 -- so that Ctrl-C is caught while it loads

        return app.run(given)
    except (KeyboardInterrupt, RuntimeError) as error:
        # Python 3.11 turns an interrupt into a RuntimeError while a class is being made.
        if isinstance(error, RuntimeError) and not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        # After an interrupt inside `exec`, which dataclasses use, CPython believes that nobody caught the interrupt and
        # would end itself with the signal. Another `exec` resets that.
        exec("")  # noqa: S102 -- nothing is executed
        if sys.stderr is not None:  # `console.say` may not be loaded yet
            try:
                sys.stderr.write("wherefrom: interrupted\n")
                sys.stderr.flush()
            except OSError:
                pass
        return 130
