"""Locks, folders, pipes and processes of Linux and macOS. `windows` has the same names."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

assert sys.platform != "win32"  # for the type checker, as in `windows`

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

ENDINGS = frozenset({-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP})
"""Exit codes of a process that was ended from outside, in contrast to one that failed or crashed."""

KILLED: int | None = -signal.SIGKILL  # the exit code of a process that was killed from outside; None: none
PIPE_ENDED = frozenset({errno.EPIPE})  # the error numbers of a write to a pipe that nobody reads any more
ENCODING: str | None = None  # the encoding of standard output; None: the one that the user has set
HAS_DRIVES = False  # whether a path may begin with a letter and a colon; otherwise that is a host of ssh
BINARY = 0  # the flag of `os.open` without which a line end may be written as two bytes
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

_LEASH = Path(__file__).with_name("leash.py")


# Files


def lock(file: int, *, shared: bool = False, wait: bool = False) -> None:
    """Locks an open file until it is closed or its process ends (flock(2)). Locks are advisory. Raises BlockingIOError
    if another process has the lock, and `wait` is False; OSError if the file system has no locks.
    """
    fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))


def unlock(file: int) -> None:
    """Releases a lock. To close the file may not be enough: a process that is just starting may have a copy of it."""
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_UN)


def check_locks(path: Path) -> None:
    """Raises OSError if a file cannot be locked in the way of SQLite."""
    with path.open("rb") as file:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


@contextmanager
def opened_folder(folder: Path) -> Iterator[int]:
    """A descriptor for the lock of a folder, which stays with it if it is renamed. Raises OSError if there is none."""
    descriptor = os.open(folder, os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        unlock(descriptor)
        os.close(descriptor)


def is_at(descriptor: int, folder: Path) -> bool:
    """Whether a folder of `opened_folder` is still the one at this path."""
    with suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), folder.stat())
    return False


def is_mine(status: os.stat_result) -> bool:
    """Whether a file belongs to the user of this process."""
    return status.st_uid == os.getuid()


def read_at(file: int, length: int, start: int) -> bytes:
    """Reads bytes of an open file from an offset. Several threads may do that."""
    return os.pread(file, length, start)


def url_path(path: str) -> str:
    """The path that the path of a `file:` URL means."""
    return path


opener = None  # the `opener` of a file that may be renamed while it is open


def replace(source: Path, target: Path) -> None:
    """Renames a file, and replaces another file of that name if there is one."""
    source.replace(target)


def remove(path: Path) -> bool:
    """Removes a file if it is there. False if it has to stay for now, since a process has it open."""
    path.unlink(missing_ok=True)
    return True


def remove_tree(folder: Path) -> None:
    """Removes a folder with all that it has, without an error if something stays."""
    shutil.rmtree(folder, ignore_errors=True)


path_of = os.fsdecode  # the path that some bytes mean, which may come from a hostile repository


def sync_folder(folder: Path) -> None:
    """Syncs a folder to the disk, so that the names of new files are durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class SafeFolder:
    """An open folder, whose items are opened without following links. Raises OSError, as its methods do."""

    def __init__(self, path: bytes, *, outer: SafeFolder | None = None) -> None:
        flags = _FOLDER & ~os.O_NOFOLLOW if outer is None else _FOLDER
        self._descriptor: int = os.open(path, flags, dir_fd=None if outer is None else outer._descriptor)

    def status(self, name: bytes) -> os.stat_result:
        """The result of `lstat` for an item."""
        return os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)

    def file(self, name: bytes) -> int:
        """A descriptor of an item, which may be a pipe or a device; this does not wait for it."""
        return os.open(name, _FILE, dir_fd=self._descriptor)

    def items(self) -> Iterator[os.DirEntry[str]]:
        """The items. The methods of an item work only until the next one is taken."""
        with os.scandir(self._descriptor) as items:
            yield from items

    def close(self) -> None:
        """Closes the folder."""
        os.close(self._descriptor)


# Processes


def readable(descriptors: Collection[int], seconds: float) -> list[int]:
    """Waits until a pipe has something to read, or has ended. Returns all that do; none after `seconds`."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return [descriptor for descriptor, _ in poll.poll(seconds * 1000)]


def has_reader(descriptor: int) -> bool:
    """Whether a pipe can still be read at its other end."""
    poll = select.poll()
    poll.register(descriptor, 0)
    return not poll.poll(0)


def takes_escapes(terminal: int) -> bool:  # noqa: ARG001 -- all terminals do, unless TERM says otherwise
    """Whether a terminal understands escape sequences."""
    return True


def start(command: Sequence[str], *, memory: int, alone: bool, **popen: Any) -> subprocess.Popen[bytes]:
    """Starts a program that may use `memory` bytes without mapped files, where the system enforces that. If `alone`, it
    has no terminal, and is the first of a group of processes, which ends with this process and has the same limit. Then
    `stdin` must be a pipe, and the program must exist. `popen` are arguments of `subprocess.Popen`.
    """
    if alone:
        command = [sys.executable, "-I", "-S", str(_LEASH), str(memory), *command]
    process: subprocess.Popen[bytes] = subprocess.Popen(command, start_new_session=alone, **popen)
    if sys.platform == "linux" and not alone:
        with suppress(OSError):  # the process has ended already
            # Popen's `preexec_fn` could set the limit in the child, but it is not safe in a process with threads.
            _, most = resource.prlimit(process.pid, resource.RLIMIT_DATA)
            limit = memory if most == resource.RLIM_INFINITY else min(memory, most)
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (limit, limit))
    return process


def end_group(process: int) -> None:
    """Kills the first process of a group (0: of ours) and all that it started. Its id must not be free yet."""
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


def group() -> Mapping[str, Any]:
    """The arguments of `Popen` for the first process of a group, for `end_group`."""
    return {"start_new_session": True}


def kill(process: int) -> None:
    """Kills a process, whose id must not be free yet."""
    os.kill(process, signal.SIGKILL)


def lower_priority(niceness: int) -> None:
    """Lets other processes go first."""
    os.nice(niceness)


def hold_back_interrupts() -> None:
    """Keeps Ctrl-C from this thread, and from the processes that it starts."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def most_descriptors() -> int | None:
    """How many files this process may have open; None: no limit."""
    return _limit(resource.RLIMIT_NOFILE)


def most_addresses() -> int | None:
    """How many bytes of address space this process may have; None: no limit."""
    return _limit(resource.RLIMIT_AS)


def _limit(kind: int) -> int | None:
    most = resource.getrlimit(kind)[0]
    return None if most == resource.RLIM_INFINITY else most


# Workers


def handed_over(connection: int, file: int) -> tuple[Sequence[str], Mapping[str, Any]]:
    """The arguments with which a worker opens a connection and a file of this process, and those of `Popen` for it."""
    return (str(connection), str(file)), {"pass_fds": (connection, file)}


def connection_of(argument: str) -> Connection:
    """In a worker: the connection."""
    from multiprocessing.connection import Connection  # noqa: PLC0415 -- a fork does not need it

    os.set_inheritable(int(argument), False)
    return Connection(int(argument))


def file_of(argument: str) -> int:
    """In a worker: a descriptor of the file."""
    return int(argument)


def wait_for_parent() -> None:
    """Waits until the parent ends or closes the standard input of this process. What it still writes is dropped."""
    with suppress(OSError):
        while os.read(0, 1):  # not `sys.stdin`, whose lock a thread would keep at the end of the process
            pass


def sleeps(status: str, worked: float) -> bool:  # noqa: ARG001 -- the status says it
    """Whether a process waits for something. Given are its status in `psutil`, and how many seconds it has worked since
    the last look.
    """
    return status == "sleeping"


def limit_memory(memory: int) -> None:
    """Makes this process fail if it uses more than `memory` bytes, if the system supports that. Linux counts writable
    memory as soon as it is reserved, and NumPy reserves some for each processor. So the memory that is reserved already
    is added to the limit. On other systems the parent measures this process.
    """
    try:
        with open("/proc/self/status") as file:  # noqa: PTH123 -- as short as it can be
            sizes = dict(line.split(":", 1) for line in file)
        data, resident = (1024 * int(sizes[name].split()[0]) for name in ("VmData", "VmRSS"))
    except (OSError, KeyError):
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = data + max(memory - resident, 0)
    resource.setrlimit(resource.RLIMIT_DATA, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))


def crash_quietly() -> None:
    """Keeps a crash of this process from writing a core file."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))
