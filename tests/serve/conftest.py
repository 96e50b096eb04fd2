"""A server as a user starts it, over an index of the repositories of the library's page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.serve.running import serving
from tests.service.indexed import code_index, dated_index

__all__ = ["client", "code_index", "dated_index", "served"]


@pytest.fixture(scope="session")
def served(code_index: Path) -> Iterator[str]:
    """The address of a server that nobody changes."""
    with serving(code_index) as address:
        yield address


@pytest.fixture
def client(served: str) -> Iterator[httpx.Client]:
    """A client of this server."""
    with httpx.Client(base_url=served, timeout=120) as made:
        yield made


@pytest.fixture(scope="module")
def dated(dated_index: Path) -> Iterator[str]:
    """The address of a server of an index with history."""
    with serving(dated_index) as address:
        yield address
