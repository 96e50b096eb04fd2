"""The program of a worker process of `wherefrom.workers.pool`, which runs this file as a script.

It never imports the main module of the process that started it, so a script needs no `if __name__ == "__main__":`. At
its start it imports the standard library alone: where everything else is found is the first thing that it is sent.

Usage: `worker.py DESCRIPTOR`, a socket that the process inherits. Standard input is a pipe that nobody writes to: it
ends when the process at its other end does, and the worker ends with it.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_PROTOCOL = pickle.HIGHEST_PROTOCOL


def main() -> None:
    """Works until nobody listens any longer; then ends without a word, whatever it is doing."""
    # It was started with SIGINT blocked: only the process that started it decides what Ctrl-C means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    descriptor = int(sys.argv[1])
    os.set_inheritable(descriptor, False)
    with suppress(EOFError, OSError), Connection(descriptor) as connection:
        _serve(connection)


def _serve(connection: Connection) -> None:
    """Takes `(sys.path, pickled (work, initialize))`, then batches: lists of tasks.

    It sends pairs: `("up", None)` when it can begin, `("begun", index)` before each task, `("finished", None)` after
    the last one of a batch, `("done", results)` for the whole batch, and `("raised", exception)`.
    """
    path, functions = connection.recv()
    sys.path[:] = path
    try:
        work, initialize = pickle.loads(functions)  # noqa: S301  # from the process that started this one
        if initialize is not None:
            initialize()
    except Exception as error:  # the parent raises it
        connection.send_bytes(_raised(error))
        return
    connection.send(("up", None))
    while True:
        connection.send_bytes(_answer(connection, work, connection.recv()))


def _answer(connection: Connection, work: Callable[[Any], Any], tasks: Sequence[Any]) -> bytes:
    """Does a batch and returns the message about it. Making the message is not part of any task."""
    try:
        results = []
        for index, task in enumerate(tasks):
            connection.send(("begun", index))
            results.append(work(task))
        connection.send(("finished", None))
        return pickle.dumps(("done", results), _PROTOCOL)
    except MemoryError:
        os._exit(1)
    except Exception as error:  # the parent raises it
        return _raised(error)


def _raised(error: Exception) -> bytes:
    """The message that carries an exception, with its traceback as a note.

    An exception that cannot be pickled is replaced by a `RuntimeError` that names it.
    """
    trace = "".join(traceback.format_exception(error))
    error.add_note(trace)
    try:
        payload = pickle.dumps(("raised", error), _PROTOCOL)
        pickle.loads(payload)  # noqa: S301  # made in the line above
    except Exception:  # whatever its own methods for that raise
        stand_in = RuntimeError(f"{type(error).__name__} in a worker process")
        stand_in.add_note(trace)
        return pickle.dumps(("raised", stand_in), _PROTOCOL)
    return payload


def _end_with_parent() -> None:
    """Ends the process, even in the middle of a task, when the one that started it is gone."""
    with suppress(OSError):
        os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    main()
