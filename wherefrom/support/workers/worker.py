"""The program of a worker process of `wherefrom.support.workers.pool`, which runs this file as a script.

It never imports the main module of the process that started it, so a script needs no `if __name__ == "__main__":`. At
its start it imports the standard library alone: where everything else is found is the first thing that it is sent.

Usage: `worker.py SOCKET PROGRESS`, descriptors that the process inherits: a socket, and a file of eight bytes in which
it counts its tasks. Standard input is a pipe that nobody writes to: it ends when the process at its other end does, and
the worker ends with it.
"""

from __future__ import annotations

import gc
import mmap
import os
import pickle
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

COLLECT_AFTER = 50_000
"""Objects that are made before Python looks for cycles: most of what is imported and answered is in none."""

_PROTOCOL = pickle.HIGHEST_PROTOCOL


def main() -> None:
    """Works until nobody listens any longer; then ends without a word, whatever it is doing."""
    # It was started with SIGINT blocked: only the process that started it decides what Ctrl-C means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(COLLECT_AFTER)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    descriptor, file = map(int, sys.argv[1:3])
    os.set_inheritable(descriptor, False)
    progress = memoryview(mmap.mmap(file, 8)).cast("q")
    os.close(file)
    with suppress(EOFError, OSError), Connection(descriptor) as connection:
        _serve(connection, progress)


def _serve(connection: Connection, progress: memoryview) -> None:
    """Takes `(sys.path, memory, pickled (work, initialize))`, then batches: lists of tasks.

    It sends pairs: `("up", None)` when it can begin, `("done", results)` for each batch, and `("raised", exception)`.
    `progress` counts: each task adds 1 when it begins and 1 when it is finished, so that it is odd during a task.
    """
    path, memory, functions = connection.recv()
    sys.path[:] = path
    try:
        work, initialize = pickle.loads(functions)  # noqa: S301  # from the process that started this one
        if initialize is not None:
            initialize()
        if memory is not None:
            _limit_memory(memory)
    except Exception as error:  # the parent raises it
        connection.send_bytes(_raised(error))
        return
    _silence()
    connection.send(("up", None))
    while True:
        try:
            tasks = connection.recv()
        except MemoryError:
            os._exit(1)
        connection.send_bytes(_answer(progress, work, tasks))


def _limit_memory(memory: int) -> None:
    """Makes the process fail rather than use more memory than that, in bytes, where the system can do so.

    Linux counts all that a process can write to, be it used or only reserved, as NumPy does for each processor. What is
    reserved by now is therefore left out. Elsewhere the process that started this one looks at it.
    """
    try:
        with open("/proc/self/status") as file:  # noqa: PTH123  # pathlib is not loaded yet
            sizes = dict(line.split(":", 1) for line in file)
        data, resident = (1024 * int(sizes[name].split()[0]) for name in ("VmData", "VmRSS"))
    except (OSError, KeyError):
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = data + max(memory - resident, 0)
    resource.setrlimit(resource.RLIMIT_DATA, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))


def _silence() -> None:
    """What a parser that crashes leaves behind is not for the user: neither words nor a core file."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)


def _answer(progress: memoryview, work: Callable[[Any], Any], tasks: Sequence[Any]) -> bytes:
    """Does a batch and returns the message about it. Making the message is not part of any task."""
    try:
        results = []
        for task in tasks:
            progress[0] += 1
            results.append(work(task))
            progress[0] += 1
        return pickle.dumps(("done", results), _PROTOCOL)
    except MemoryError:
        os._exit(1)
    except Exception as error:  # the parent raises it
        return _raised(error)


def _raised(error: Exception) -> bytes:
    """The message that carries an exception, with its traceback as a note, or a `RuntimeError` that names one that
    cannot be pickled.
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
