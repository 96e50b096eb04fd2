"""What is left out where the tests run on Windows, with the reasons."""

from __future__ import annotations

import inspect
import os
import signal
import sys
from functools import partialmethod
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest

from tests.processes import KILL

SIGNALS = "Windows has no such signals between processes"
LIMITS = "no process of Windows sets itself a limit on files or memory"
TERMINALS = "Windows has no pseudo terminals"
PIPES = "Windows has no named pipes in folders"
MODES = "Windows has neither a umask nor permissions of files for a group"
BROWSERS = "on Windows, no browser is driven"
BUILDS = "on Windows, the page for browsers is not built"

LEFT_OUT = {
    "tests/engines/published/test_hostile_servers.py::test_credentials_are_not": "openssl makes the certificate",
    "tests/engines/published/test_hostile_servers.py::test_errors_are_in_plain": "openssl makes the certificate",
    "tests/engines/published/test_real_servers.py": "the servers in question run on POSIX",
    "tests/workers/test_fork.py": "Windows has no fork",
    "tests/cli/test_completion.py": "the shells that are completed are bash, zsh and fish",
    "tests/compare/test_submissions.py": BUILDS,
    "tests/compare/test_translated.py": BROWSERS,
    "tests/compare/test_wasm.py": BUILDS,
    "tests/workers/test_pool.py::test_a_worker_killed_once_from_outside_loses_nothing": "a kill has no signal there",
}
"""Tests and files of tests by the beginning of their names, each with the reason."""

NAMES = {
    "os.mkfifo": PIPES,
    "os.fork(": "Windows has no fork",
    "os.killpg": SIGNALS,
    "pthread_": SIGNALS,
    "SIGALRM": SIGNALS,
    "SIGHUP": SIGNALS,
    "SIGINT": SIGNALS,
    "SIGSTOP": SIGNALS,
    "RLIMIT_": LIMITS,
    "openpty": TERMINALS,
    "pty.fork": TERMINALS,
    "umask": MODES,
    "os.geteuid": MODES,
    "S_IMODE": MODES,
    "~no-such-user": "Windows guesses the home of a user, by any name",
    "/dev/stdout": "Windows has no /dev/stdout",
}
"""What only POSIX has, each with the reason why tests are left out that name it."""

MODULES = "fcntl", "pty", "resource", "termios"
"""Modules that only POSIX has, and that modules with other tests import."""


def reason(test: pytest.Item) -> str | None:
    """Why a test is left out; None if it runs."""
    for begin, why in LEFT_OUT.items():
        if test.nodeid.startswith(begin):
            return why
    source = inspect.getsource(test.function) if isinstance(test, pytest.Function) else ""
    return next((why for name, why in NAMES.items() if name in source), None)


def prepare() -> None:
    """Lets modules with tests be loaded on Windows, and files be written with the bytes that a test gives."""

    make = Path.symlink_to

    def link(path: Path, target: str | Path, target_is_directory: bool = False) -> None:
        try:
            make(path, target, target_is_directory or (path.parent / target).is_dir())
        except OSError:
            pytest.skip("this user may not make symbolic links")
        if not os.path.lexists(path):
            pytest.skip("Wine makes no symbolic links")

    Path.write_text = partialmethod(Path.write_text, newline="\n")  # type: ignore[method-assign,assignment]
    Path.symlink_to = link  # type: ignore[method-assign,assignment]
    signal.SIGKILL = KILL  # type: ignore[attr-defined]
    for name in MODULES:
        sys.modules[name] = _Missing(name)


class _Missing(ModuleType):
    """Skips a test that uses it."""

    def __getattr__(self, name: str) -> Any:
        return _missing(f"{self.__name__}.{name}") if not name.startswith("__") else super().__getattribute__(name)


def _missing(name: str) -> NoReturn:
    pytest.skip(f"Windows has no {name}")
