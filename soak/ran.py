"""A plug-in of pytest that records which functions of the package each test runs, also in processes that it forks.

The variable RAN names the folder for the records: one file for each process of pytest. A line `= TEST` begins a test,
`! ` says that it failed, and each other line is a module and a function of it.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator
from functools import cache
from pathlib import Path
from types import CodeType, FrameType

import pytest

PACKAGE = str(Path(__file__).resolve().parents[1] / "wherefrom") + os.sep

_seen: set[CodeType] = set()


@cache
def _record() -> int:
    """The open file of this process."""
    return os.open(Path(os.environ["RAN"]) / str(os.getpid()), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def _say(line: str) -> None:
    # A forked process writes to the same file, and may be killed at any time.
    os.write(_record(), line.encode() + b"\n")


def _called(frame: FrameType, _event: str, _argument: object) -> None:
    code = frame.f_code
    if code not in _seen:
        _seen.add(code)
        if code.co_filename.startswith(PACKAGE):
            _say(f"{code.co_filename[len(PACKAGE) :]}\t{code.co_qualname}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Records the functions of a test and of the fixtures that it is the first to use."""
    _say(f"= {item.nodeid}")
    _seen.clear()
    threading.settrace(_called)
    sys.settrace(_called)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        threading.settrace(None)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Records a failure."""
    if report.failed:
        _say("! ")
