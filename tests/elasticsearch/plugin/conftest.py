"""Fixtures of the tests of the Elasticsearch plug-in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import live_server
from tests.elasticsearch.plugin.building import Built, Streams, built


@pytest.fixture(scope="session")
def plugin() -> Built:
    """The plug-in of the current sources."""
    with live_server():
        return built()


@pytest.fixture(scope="module")
def streams(plugin: Built) -> Iterator[Streams]:
    """The plug-in's analysis without a server."""
    with Streams(plugin) as process:
        yield process
