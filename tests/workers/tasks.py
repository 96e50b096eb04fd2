"""The tasks of the workers in `test_pool`, which import this file by its name."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import struct
import sys
import time
from pathlib import Path

KILL = 9  # as in `tests.processes`


class Untransportable(Exception):
    """An exception that cannot be unpickled from its `args`."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__("odd")


def act(task: str) -> object:
    """Does what the task says: `NAME` or `NAME:ARGUMENT`."""
    name, _, argument = task.partition(":")
    match name:
        case "exit":
            os._exit(int(argument))
        case "leave":
            sys.exit(argument)
        case "segfault":
            crash()
        case "kill":
            os.kill(os.getpid(), KILL)
        case "memory":
            raise MemoryError
        case "hang":
            time.sleep(600)
        case "sleep":
            time.sleep(float(argument))
        case "pid":
            return os.getpid()
        case "half":
            # Ends in the middle of a message, as if the worker were killed while sending.
            os.write(int(sys.argv[1]), struct.pack("!i", 1_000_000) + bytes(1000))
            os._exit(1)
        case "large":
            return bytes(int(argument))
        case "bug":
            raise ZeroDivisionError(argument)
        case "oserror":
            raise BrokenPipeError(argument)
        case "odd":
            raise Untransportable(1, 2)
        case "local":
            return lambda: None
        case "append":
            with Path(argument).open("a") as file:
                file.write(f"{os.getpid()}\n")
        case "hold":
            Path(argument).write_text(f"{os.getpid()}\n")
            time.sleep(600)
        case "hold_once":
            if not is_repeated(argument):
                time.sleep(600)
        case "lose":
            is_repeated(argument)
            crash()
        case "lose_to_kill":
            is_repeated(argument)
            os.kill(os.getpid(), KILL)
        case "busy":
            mark = Path(argument, str(os.getpid()))
            mark.touch()
            time.sleep(0.05)
            mark.unlink()
        case "who_is_busy":
            folder = Path(argument)
            if not is_repeated(str(folder / "tries")):
                os.kill(os.getpid(), KILL)
            time.sleep(0.5)
            return sorted(path.name for path in folder.iterdir())
        case "spend":
            spend(float(argument))
        case "take":
            take(int(argument))
        case "take_natively":
            take_natively(int(argument))
        case "take_without_limit":
            import resource  # Windows has none

            _, most = resource.getrlimit(resource.RLIMIT_DATA)
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
            is_repeated(argument)
            take(1_000_000_000)
        case "mutter":
            os.write(2, argument.encode())
            crash()
        case "spend_when_told":
            mark = Path(argument)
            mark.write_text(f"{os.getpid()}\n")
            while not mark.with_name("go").exists():
                spend(0.01)
            spend(0.3)
    return task


def is_repeated(path: str) -> bool:
    """Whether the function was called with this path before. Adds a line with the id of the process to that file."""
    with Path(path).open("a") as file:
        is_repeated = file.tell() > 0
        file.write(f"{os.getpid()}\n")
    return is_repeated


def crash() -> None:
    """Reads from no address. On Windows, `ctypes` would turn that into an exception."""
    faulthandler._sigsegv()  # type: ignore[attr-defined]  # for the tests of Python itself


def take(size: int) -> None:
    """Allocates `size` bytes of memory, little by little."""
    parts = []
    for _ in range(0, size, 10_000_000):
        parts.append(bytes([1]) * 10_000_000)
        time.sleep(0.02)


def take_natively(size: int) -> None:
    """Allocates `size` bytes with the allocator of C, and does not check for its failure."""
    library = ctypes.CDLL(None)
    library.malloc.restype = ctypes.c_void_p
    for _ in range(0, size, 10_000_000):
        ctypes.memset(ctypes.c_void_p(library.malloc(ctypes.c_size_t(10_000_000))), 1, 10_000_000)


def spend(seconds: float) -> None:
    """Uses a processor for this number of seconds."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def measure(task: bytes) -> bytes:
    return task


def fail() -> None:
    raise LookupError("no grammar")


def die() -> None:
    os._exit(7)


prepared = False


def tell(task: str) -> object:
    """Returns the task."""
    return task


def prepare() -> None:
    global prepared  # noqa: PLW0603  # what an initializer is for
    prepared = True


def is_prepared(task: int) -> bool:
    return prepared
