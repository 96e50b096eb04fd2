"""The program of a worker process of `wherefrom.support.workers.pool`, which runs this file as a script.

It never imports the main module of its parent, so a user's script does not need `if __name__ == "__main__":`. At its
start it imports only the standard library and `system`: the first message tells it where to find everything else.

Usage: `worker.py CONNECTION PROGRESS`, as `system.handed_over` writes them: a connection, and a file of eight bytes
for counting its tasks. Standard input is a pipe from the parent, which never writes to it. When the parent ends, the
worker ends too.
"""

from __future__ import annotations

import gc
import mmap
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":
    sys.path.append(os.path.abspath(f"{__file__}/../../../.."))  # noqa: PTH100 -- pathlib is not loaded yet

from wherefrom.support.system import system

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

COLLECT_AFTER = 50_000  # Python looks for reference cycles after this many new objects: few objects here are in cycles
_PROTOCOL = pickle.HIGHEST_PROTOCOL


def main(handed_connection: str, handed_progress: str) -> None:
    """Works until the parent closes the connection."""
    # The parent handles Ctrl-C. SIGINT was blocked until here, so none could arrive earlier.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(COLLECT_AFTER)
    end_with_parent()
    connection, file = system.connection_of(handed_connection), system.file_of(handed_progress)
    progress = memoryview(mmap.mmap(file, 8)).cast("q")
    os.close(file)
    with suppress(EOFError, OSError), connection:
        _serve(connection, progress)


def _serve(connection: Connection, progress: memoryview) -> None:
    """Receives `(sys.path, memory, pickled (steps, initialize))`, then batches, which are lists of tasks. It
    sends pairs: `("up", None)` when it is ready, `("done", results)` for each batch, and `("raised", exception)`.
    `progress` grows by 1 at the beginning and at the end of each task, so it is odd during a task. Each step of a
    batch counts again from the batch's first number.
    """
    path, memory, functions = connection.recv()
    sys.path[:] = path
    try:
        steps, initialize = pickle.loads(functions)  # noqa: S301  # from the process that started this one
        if initialize is not None:
            initialize()
        if memory is not None:
            system.limit_memory(memory)
    except Exception as error:  # the parent raises it
        connection.send_bytes(_raised(error))
        return
    silence()
    connection.send(("up", None))
    while True:
        try:
            tasks = connection.recv()
        except MemoryError:
            os._exit(1)
        connection.send_bytes(answered(progress, steps, tasks))


def silence() -> None:
    """Keeps a crashing parser from printing anything, and from what the system does about crashes."""
    system.crash_quietly()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def answered(progress: memoryview, steps: Sequence[Callable[[Any], Any]], tasks: Sequence[Any]) -> bytes:
    """Does the steps of a batch, each for all tasks, and returns the message about it. The time for the message does
    not count for a task.
    """
    try:
        results, before = list(tasks), progress[0]
        for step in steps:
            progress[0] = before
            for at, value in enumerate(results):
                progress[0] += 1
                results[at] = step(value)
                progress[0] += 1
        return pickle.dumps(("done", results), _PROTOCOL)
    except MemoryError:
        os._exit(1)
    except Exception as error:  # the parent raises it
        return _raised(error)


def _raised(error: Exception) -> bytes:
    """The message for an exception, with its traceback as a note; a `RuntimeError` if pickling fails."""
    trace = "".join(traceback.format_exception(error))
    error.add_note(trace)
    try:
        payload = pickle.dumps(("raised", error), _PROTOCOL)
        pickle.loads(payload)  # noqa: S301  # made in the line above
    except Exception:  # an exception class may define pickling, which may raise anything
        stand_in = RuntimeError(f"{type(error).__name__} in a worker process")
        stand_in.add_note(trace)
        return pickle.dumps(("raised", stand_in), _PROTOCOL)
    return payload


def end_with_parent() -> None:
    """Ends the process when its parent ends, even in the middle of a task."""
    try:
        threading.Thread(target=_wait_for_end, daemon=True).start()
    except RuntimeError:  # there is no memory for its stack; the parent tells the user
        os._exit(1)


def _wait_for_end() -> None:
    system.wait_for_parent()
    os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
