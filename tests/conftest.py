"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings

from tests.elasticsearch.installation import Unavailable
from tests.elasticsearch.servers import Access, shared_server

# A busy machine is no defect.
settings.register_profile("wherefrom", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("wherefrom")

NO_SERVER = "no live Elasticsearch: "


@contextmanager
def live_server() -> Iterator[None]:
    """Skips what needs a server where none can be had; where CI is set, fails."""
    try:
        yield
    except Unavailable as error:
        if os.environ.get("CI"):
            pytest.fail(f"{NO_SERVER}{error}", pytrace=False)
        pytest.skip(f"{NO_SERVER}{error}")


@pytest.fixture(scope="session")
def elasticsearch() -> Iterator[Access]:
    """A real server, one for the whole run."""
    with live_server(), shared_server() as server:
        yield server


@pytest.fixture
def elasticsearch_location(elasticsearch: Access) -> Iterator[Callable[[], str]]:
    """Makes locations, `elasticsearch://HOST:PORT/NAME`, with names that nothing else uses."""
    prefix = f"wherefrom-test-{uuid4().hex[:12]}"
    made = 0

    def location() -> str:
        nonlocal made
        made += 1
        return elasticsearch.index(f"{prefix}-{made}")

    yield location
    elasticsearch.remove(prefix)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says in plain sight how many tests had no server."""
    without = [report for report in terminalreporter.stats.get("skipped", ()) if NO_SERVER in str(report.longrepr)]
    if without:
        _, _, reason = str(without[0].longrepr).partition(NO_SERVER)
        terminalreporter.write_line(f"{len(without)} tests did not run, {NO_SERVER}{reason}", yellow=True)
