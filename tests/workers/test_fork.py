"""A fork does one task, and nothing that the task does reaches the process that forked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processes import HANGS, children
from wherefrom.support.workers import Died
from wherefrom.support.workers.fork import forked

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux only")

MEMORY = 10**9


def endless() -> None:
    while True:
        pass


def test_the_result_comes_back_however_long_it_is() -> None:
    before = children(os.getpid())
    assert forked(lambda: b"x" * 3_000_000, MEMORY, 60) == b"x" * 3_000_000
    assert children(os.getpid()) == before


def test_an_error_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        forked(lambda: 1 // 0, MEMORY, 60)


@pytest.mark.parametrize(
    "end", [lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: os._exit(0), lambda: bytearray(2 * MEMORY)]
)
def test_a_crash_is_a_result(end: object) -> None:
    assert forked(end, MEMORY, 60) == Died("died")  # type: ignore[arg-type]  # it takes nothing


@pytest.mark.thorough
def test_an_endless_task_is_ended() -> None:
    unlimited = 1 << 40  # a fork of a process that has run many tests is large from its start
    assert forked(endless, unlimited, 0.1) == Died("timeout")


ALONE = """
import os, signal, sys, time
from tests.processes import children
from wherefrom.support.workers.fork import can_fork, forked

assert can_fork()
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    forked(lambda: time.sleep(1000), 10**9, 1000)
except KeyboardInterrupt:
    print(children(os.getpid()), forked(lambda: 1, 10**9, 60), flush=True)
forked(lambda: print(os.getpid(), file=open(sys.argv[1], "w"), flush=True) or time.sleep(1000), 10**9, 1000)
"""


@pytest.mark.slow
def test_it_ends_with_an_interrupt_and_with_its_parent(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ALONE, tmp_path / "child"], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "[] 1\n"
        until = time.monotonic() + HANGS
        while not (text := (tmp_path / "child").read_text() if (tmp_path / "child").exists() else ""):
            assert time.monotonic() < until
        parent.kill()
    while Path(f"/proc/{int(text)}").exists():
        assert time.monotonic() < until
        time.sleep(0.01)
