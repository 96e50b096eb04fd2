"""Fixtures and hooks for all tests."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings

from tests import windows
from tests.processes import own_limits
from wherefrom.analyzers.analyzer import Analyzer

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.elasticsearch.servers import Access

# A busy machine is not a defect, so there are no deadlines.
BASE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
for profile, examples in {"quick": 8, "middle": 30, "thorough": 500}.items():  # `unit`, `test`, `soak --matrices`
    settings.register_profile(profile, BASE, max_examples=examples)
settings.load_profile("middle")

pytest_plugins = ["tests.matrices"]

TESTS = Path(__file__).parent

if sys.platform == "win32":
    windows.prepare()

with pytest.MonkeyPatch.context() as patch:
    # As in the command: with a thread of NumPy's, each index and each snippet would start a process instead of a fork.
    patch.setenv("OPENBLAS_NUM_THREADS", "1")
    import_module("numpy")


def threads() -> int:
    """How many threads this process has, on Linux."""
    return sum(1 for _ in Path("/proc/self/task").iterdir())


AT_START = threads() if sys.platform == "linux" else 0
"""In a worker of pytest-xdist there is a second one, which waits for what to do."""


def can_fork() -> bool:
    """Whether all threads but this one wait: that of pytest-xdist, and the two for each worker of a pool."""
    of_pools = 2 * sum(each.name.endswith("(_receive)") for each in threading.enumerate())
    return sys.platform == "linux" and threads() <= AT_START + of_pools


COMMAND = {"run", "indexed", "terminal", "served"}
"""The fixtures that start the installed command."""

NO_SERVER = "no live Elasticsearch: "


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Keeps files that cannot even be loaded on Windows from being loaded there."""
    name = collection_path.relative_to(TESTS.parent).as_posix()
    return True if sys.platform == "win32" and name in windows.LEFT_OUT else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Searches for no cycles while modules are loaded and tests made, which makes none and takes a fifth longer, and
    never among these objects: the tests search often, also at their end, and each process has a million of them.
    """
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests that need a server (`live`) or take long (`slow`), and puts their files first: workers get files one
    by one, and the longest must not be the last.
    """
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        fixtures = {*getattr(item, "fixturenames", ())}
        if folder == "elasticsearch" or "elasticsearch" in fixtures:
            item.add_marker("live")
        if "browser" in fixtures:
            item.add_marker("browser")
        if sys.platform == "win32" and (why := windows.reason(item)):
            item.add_marker(pytest.mark.skip(why))
        if folder == "end_to_end" or fixtures & {"browser", *COMMAND}:
            item.add_marker("slow")
    ranks: dict[Path, int] = {}
    for item in items:
        rank = 0 if item.get_closest_marker("live") else 1 if item.get_closest_marker("slow") else 2
        ranks[item.path] = min(rank, ranks.get(item.path, rank))
    items.sort(key=lambda item: ranks[item.path])


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> Iterator[None]:
    """Makes programs that tests start obey SIGINT. A shell starts background programs with SIGINT ignored, which Python
    would pass on.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def unlimited() -> Iterator[None]:
    """Fails if a test leaves a limit on this process. All programs that later tests start would have it, and a browser
    cannot load a page under one on memory.
    """
    with own_limits() as are_changed:
        yield
        assert not are_changed()


@pytest.fixture(scope="session", autouse=True)
def forking() -> Iterator[None]:
    """Lets this process fork beside threads that wait, whose locks no fork needs, though all tests are in its memory:
    to start an interpreter instead takes seven times the processor time.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wherefrom.support.workers.pool.SHARE_FORKED", 2)
        for module in ("wherefrom.analyzers.analyzer", "wherefrom.support.workers.pool"):
            patch.setattr(f"{module}.can_fork", can_fork)
        yield


@pytest.fixture(scope="session", autouse=True)
def unsynced() -> Iterator[None]:
    """Waits for no disk: a process that a test kills loses nothing that it wrote. The installed command does wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", os.fstat)
        yield


@pytest.fixture(scope="session", autouse=True)
def analyzer_process() -> Iterator[None]:
    """Keeps one analyzer process for all tests, once a first test has started it."""
    with Analyzer():
        yield


@contextmanager
def live_server() -> Iterator[None]:
    """Skips a test that needs a server if there is none; fails if CI is set."""
    from tests.elasticsearch.installation import Unavailable

    try:
        yield
    except Unavailable as error:
        if os.environ.get("CI"):
            pytest.fail(f"{NO_SERVER}{error}", pytrace=False)
        pytest.skip(f"{NO_SERVER}{error}")


@pytest.fixture(scope="session")
def elasticsearch() -> Iterator[Access]:
    """A real server for the whole run."""
    from tests.elasticsearch.servers import shared_server  # only the tests with a server load this

    with live_server(), shared_server() as server:
        yield server


@pytest.fixture
def elasticsearch_location(elasticsearch: Access) -> Iterator[Callable[[], str]]:
    """Makes locations, `elasticsearch://HOST:PORT/NAME`, with unique names."""
    prefix = f"wherefrom-test-{uuid4().hex[:12]}"
    made = 0

    def location() -> str:
        nonlocal made
        made += 1
        return elasticsearch.index(f"{prefix}-{made}")

    yield location
    elasticsearch.remove(prefix)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser for the tests of a file."""
    from tests.browsing import running_browser  # only the tests with a browser load this

    with running_browser() as running:
        yield running


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints how many tests had no server."""
    without = [report for report in terminalreporter.stats.get("skipped", ()) if NO_SERVER in str(report.longrepr)]
    if without:
        _, _, reason = str(without[0].longrepr).partition(NO_SERVER)
        terminalreporter.write_line(f"{len(without)} tests did not run, {NO_SERVER}{reason}", yellow=True)
