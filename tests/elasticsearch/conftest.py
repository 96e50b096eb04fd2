"""Fixtures of the tests with a live Elasticsearch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.conftest import live_server
from tests.elasticsearch.runs import Paced
from tests.elasticsearch.servers import Access, Server, server
from tests.end_to_end.conftest import Wherefrom
from tests.end_to_end.runs import contents_of, overlapping_clones

NAME = "wherefrom-test"


@pytest.fixture(scope="session")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dozen overlapping repositories."""
    return overlapping_clones(tmp_path_factory.mktemp("overlapping") / "clones")


@pytest.fixture(scope="session")
def expected(clones: Path, elasticsearch: Access, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The content of their index after one undisturbed run."""
    folder = tmp_path_factory.mktemp("undisturbed")
    name = f"{NAME}-{uuid4().hex}"
    wherefrom = Wherefrom(folder, elasticsearch.index(name))
    try:
        assert len(wherefrom.indexes(clones).repositories) == 12
        yield contents_of(wherefrom.index)
    finally:
        elasticsearch.remove(name)


@pytest.fixture(scope="module")
def node() -> Iterator[Server]:
    """A server with one node, for one module."""
    with live_server(), server() as made:
        yield made


@pytest.fixture(scope="module")
def cluster() -> Iterator[Server]:
    """A server with three nodes, for one module."""
    with live_server(), server(3) as made:
        yield made


@pytest.fixture
def wherefrom_on(tmp_path: Path) -> Iterator[Callable[[Access], Paced]]:
    """The command with an index on a server, which is removed after the test."""
    used: list[Access] = []

    def on(access: Access) -> Paced:
        used.append(access)
        return Paced(tmp_path, access.index(NAME))

    yield on
    for access in used:
        access.remove(NAME)
