# ruff: noqa: D102, D103 - `posix` has the same names, and says what they are for
"""Locks, folders, pipes and processes of Windows."""

from __future__ import annotations

import _winapi
import ctypes
import errno
import msvcrt
import os
import shutil
import signal
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from ctypes import wintypes
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

assert sys.platform == "win32"  # for the type checker, which otherwise reads this as on the machine that it runs on

if TYPE_CHECKING:
    from multiprocessing.connection import PipeConnection

ENDINGS: frozenset[int] = frozenset()
KILLED: int | None = None

PIPE_ENDED = frozenset({errno.EPIPE, errno.EINVAL})
ENCODING: str | None = "utf-8"  # as all programs read JSON, and consoles take it
HAS_DRIVES = True

BINARY = os.O_BINARY

_FILE = os.O_RDONLY | os.O_BINARY | os.O_NOINHERIT
_PATIENCE = 2.0  # longest wait in seconds until other processes, such as a scanner for viruses, have closed a file
_TICK = 0.005

_system = ctypes.WinDLL("kernel32", use_last_error=True)


_LOCK_NOW, _LOCK_ALONE = 1, 2

_LOCKED_BYTE = (1 << 62) + 1
"""Locks of Windows keep others from reading what is locked. So this byte, which no file has, is locked."""

_ERROR_LOCK_VIOLATION, _ERROR_HANDLE_EOF = 33, 38


def _checked(result: int) -> None:
    if not result:
        raise ctypes.WinError(ctypes.get_last_error())


def _handle(file: int) -> wintypes.HANDLE:
    return wintypes.HANDLE(msvcrt.get_osfhandle(file))


def _at(offset: int) -> ctypes.Array[ctypes.c_char]:
    """OVERLAPPED of minwinbase.h, with the offset in a file."""
    return ctypes.create_string_buffer(struct.pack("16xQ8x", offset), 32)


# What Windows does not have

sync_folder = hold_back_interrupts = lambda *_: None  # names are in a journal; Ctrl-C reaches no other group
is_mine = lambda _: True  # noqa: E731 -- temporary folders are the user's own
most_descriptors = most_addresses = lambda: None  # there is no limit


# Files


def lock(file: int, *, shared: bool = False, wait: bool = False) -> None:
    flags = (0 if shared else _LOCK_ALONE) | (0 if wait else _LOCK_NOW)
    if not _system.LockFileEx(_handle(file), flags, 0, 1, 0, _at(_LOCKED_BYTE)):
        code = ctypes.get_last_error()
        if code == _ERROR_LOCK_VIOLATION:
            raise BlockingIOError(errno.EAGAIN, "another process has the lock")
        raise ctypes.WinError(code)


def unlock(file: int) -> None:
    _system.UnlockFileEx(_handle(file), 0, 1, 0, _at(_LOCKED_BYTE))


def check_locks(path: Path) -> None:
    with path.open("rb") as file:
        lock(file.fileno(), shared=True)


@contextmanager
def opened_folder(folder: Path) -> Iterator[int]:
    """A descriptor of a file beside the folder: a folder has no lock, and is not renamed while a file in it is open."""
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    path = folder.with_name(f"{folder.name}.lock")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOINHERIT)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
        with suppress(OSError):  # another process has it open
            path.unlink()


def is_at(descriptor: int, folder: Path) -> bool:  # noqa: ARG001 -- a lock belongs to a name here
    return folder.is_dir()


def read_at(file: int, length: int, start: int) -> bytes:
    buffer, read = ctypes.create_string_buffer(length), wintypes.DWORD()
    if not _system.ReadFile(_handle(file), buffer, length, ctypes.byref(read), _at(start)):
        code = ctypes.get_last_error()
        if code != _ERROR_HANDLE_EOF:
            raise ctypes.WinError(code)
    return buffer.raw[: read.value]


def url_path(path: str) -> str:
    return path[1:] if path[2:4] == ":/" else path


_SHARE_ALL, _WRITABLE, _READABLE = 7, 0x4000_0000, 0x8000_0000
_CREATE_NEW, _OPEN_ALWAYS, _NORMAL = 1, 4, 0x80


def opener(path: str, flags: int) -> int:
    """Opens or makes a file so that it may be renamed while it is open (CreateFileW)."""
    how = _CREATE_NEW if flags & os.O_EXCL else _OPEN_ALWAYS
    _system.CreateFileW.restype = wintypes.HANDLE
    handle = _system.CreateFileW(os.fspath(path), _READABLE | _WRITABLE, _SHARE_ALL, None, how, _NORMAL, None)
    if handle == wintypes.HANDLE(-1).value:
        raise ctypes.WinError(ctypes.get_last_error())
    return msvcrt.open_osfhandle(handle, flags)


def replace(source: Path, target: Path) -> None:
    """Renames a file; waits a little while another process has one of them open."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            source.replace(target)
        except PermissionError:
            if time.monotonic() > end:
                raise
            time.sleep(_TICK)
        else:
            return


def remove(path: Path) -> bool:
    try:
        path.unlink(missing_ok=True)
    except PermissionError:
        return False
    return True


def remove_tree(folder: Path) -> None:
    def retry(function: Callable[[str], object], path: str, _: object) -> None:
        with suppress(OSError):  # git makes its files read-only, and these cannot be removed
            Path(path).chmod(stat.S_IWRITE)
            function(path)

    shutil.rmtree(folder, onerror=retry)


def path_of(path: str | bytes) -> str:
    return path if isinstance(path, str) else path.decode("utf-8", "replace")  # others than Unicode name nothing here


class SafeFolder:
    """A folder by its path, whose items are opened only if they are not links (reparse points)."""

    def __init__(self, path: bytes, *, outer: SafeFolder | None = None) -> None:
        if outer is None:
            self._path = extended(path_of(path))
        else:
            if _is_link(outer.status(path)):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            self._path = outer._place(path)
        if not stat.S_ISDIR(Path(self._path).stat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))

    def status(self, name: bytes) -> os.stat_result:
        return os.lstat(self._place(name))

    def file(self, name: bytes) -> int:
        status = self.status(name)
        if _is_link(status) or not stat.S_ISREG(status.st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return os.open(self._place(name), _FILE)

    def items(self) -> Iterator[os.DirEntry[str]]:
        with os.scandir(self._path) as items:
            yield from items

    def close(self) -> None:
        """Does nothing."""

    def _place(self, name: bytes) -> str:
        if set(name) & set(b'\\/:*?"<>|'):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return f"{self._path}\\{path_of(name)}"


def extended(path: str) -> str:
    """The form of a path that may be long, where neither names of devices nor dots at the end are special."""
    path = os.path.abspath(path)  # noqa: PTH100 -- Path has no such thing without following links
    if path.startswith("\\\\"):
        return path if path[2:4] in {"?\\", ".\\"} else f"\\\\?\\UNC{path[1:]}"
    return f"\\\\?\\{path}"


def _is_link(status: os.stat_result) -> bool:
    return bool(status.st_file_attributes & stat.FILE_ATTRIBUTE_REPARSE_POINT)


# Processes


def readable(descriptors: Collection[int], seconds: float) -> list[int]:
    """Looks again and again which pipes have something to read: Windows cannot wait for that."""
    end, pause = time.monotonic() + seconds, 0.0
    while not (ready := [descriptor for descriptor in descriptors if _is_readable(descriptor)]):
        if time.monotonic() >= end:
            return []
        time.sleep(pause)
        pause = min(pause + 0.0002, _TICK)
    return ready


def _is_readable(descriptor: int) -> bool:
    try:
        return bool(_winapi.PeekNamedPipe(msvcrt.get_osfhandle(descriptor), 0)[0])
    except OSError:  # the pipe has ended
        return True


def has_reader(descriptor: int) -> bool:
    return bool(_system.WriteFile(_handle(descriptor), None, 0, ctypes.byref(wintypes.DWORD()), None))


_ESCAPES = 0x0004  # ENABLE_VIRTUAL_TERMINAL_PROCESSING


def takes_escapes(terminal: int) -> bool:
    """Whether a console understands escape sequences, which have to be switched on (SetConsoleMode)."""
    mode = wintypes.DWORD()
    handle = _handle(terminal)
    return bool(
        _system.GetConsoleMode(handle, ctypes.byref(mode)) and _system.SetConsoleMode(handle, mode.value | _ESCAPES)
    )


_EXTENDED_LIMITS = 9
_LIMIT_MEMORY, _END_WITH_HANDLE = 0x100, 0x2000


@cache
def _job(memory: int) -> int:
    """A job object whose processes may use this much memory each. They end with this process, its only owner."""
    _system.CreateJobObjectW.restype = wintypes.HANDLE
    job = _system.CreateJobObjectW(None, None)
    _checked(job)
    # JOBOBJECT_EXTENDED_LIMIT_INFORMATION of winnt.h
    limits = struct.pack("16xI92xQ24x", _LIMIT_MEMORY | _END_WITH_HANDLE, memory)
    _checked(_system.SetInformationJobObject(wintypes.HANDLE(job), _EXTENDED_LIMITS, limits, len(limits)))
    return int(job)


def _join(process: int, memory: int) -> None:
    """Puts a process, given by its handle, into the job with this limit."""
    _checked(_system.AssignProcessToJobObject(wintypes.HANDLE(_job(memory)), wintypes.HANDLE(process)))


def start(command: Sequence[str], *, memory: int, alone: bool, **popen: Any) -> subprocess.Popen[bytes]:
    """Starts a program in a job object, so that it ends with this process, as all that it starts does."""
    del alone  # no program has the terminal
    process: subprocess.Popen[bytes] = subprocess.Popen(command, **group(), **popen)
    with suppress(OSError):  # the process has ended already
        _join(int(process._handle), memory)  # type: ignore[attr-defined]  # the standard library has no public one
    return process


def end_group(process: int) -> None:
    """Kills a process and all that it started; 0 is this process."""
    import psutil  # noqa: PLC0415 -- a worker cannot find it before it begins

    with suppress(psutil.Error):
        first = psutil.Process(process or None)
        started = first.children(recursive=True)
        for each in [*started, first] if process else started:
            with suppress(psutil.Error):
                each.kill()
    if not process:
        os._exit(1)


def group() -> Mapping[str, Any]:
    return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}


def kill(process: int) -> None:
    with suppress(PermissionError):  # it has ended already
        os.kill(process, signal.SIGTERM)  # which Windows does not send: it ends the process


def lower_priority(niceness: int) -> None:
    del niceness
    _system.SetPriorityClass(wintypes.HANDLE(-1), subprocess.BELOW_NORMAL_PRIORITY_CLASS)  # -1: this process


# Workers


def handed_over(connection: int, file: int) -> tuple[Sequence[str], Mapping[str, Any]]:
    """The handles as arguments, which the worker inherits."""
    handles = connection, msvcrt.get_osfhandle(file)
    for handle in handles:
        os.set_handle_inheritable(handle, True)
    startup = subprocess.STARTUPINFO(lpAttributeList={"handle_list": list(handles)})
    return [str(handle) for handle in handles], {"startupinfo": startup, **group()}


def connection_of(argument: str) -> PipeConnection:
    from multiprocessing.connection import PipeConnection  # noqa: PLC0415 -- as late as in `posix`

    return PipeConnection(int(argument))


def file_of(argument: str) -> int:
    return msvcrt.open_osfhandle(int(argument), os.O_RDWR)


_SYNCHRONIZE, _FOREVER = 0x0010_0000, 0xFFFF_FFFF


def wait_for_parent() -> None:
    """Waits until the parent ends. A read of standard input would keep libraries that look at it from being loaded."""
    _system.OpenProcess.restype = wintypes.HANDLE
    _system.WaitForSingleObject(wintypes.HANDLE(_system.OpenProcess(_SYNCHRONIZE, False, os.getppid())), _FOREVER)


def sleeps(status: str, worked: float) -> bool:
    return status == "running" and not worked  # all that are not stopped have this status


def limit_memory(memory: int) -> None:
    with suppress(OSError):
        _join(-1, memory)


_NO_BOXES = 0x0001 | 0x0002 | 0x8000  # SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX, SEM_NOOPENFILEERRORBOX


def crash_quietly() -> None:
    """Keeps a crash of this process from opening a window."""
    _system.SetErrorMode(_NO_BOXES)
