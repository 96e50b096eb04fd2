"""One of three nodes is killed, and nobody notices."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.elasticsearch.conftest import NAME
from tests.elasticsearch.runs import LONG, Paced, finishes, start_in_steps, wait_for_writing
from tests.elasticsearch.servers import Access, Server
from tests.end_to_end.edits import source_of
from tests.end_to_end.runs import contents_of

SNIPPET = source_of(heapq.merge).encode()

OnServer = Callable[[Access], Paced]

pytestmark = pytest.mark.nightly


def test_one_is_killed_in_the_middle_of_a_load(
    cluster: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any]
) -> None:
    wherefrom = wherefrom_on(cluster)
    wherefrom.environment["WHEREFROM_INDEX"] = wherefrom.index = everywhere(cluster)
    wherefrom.pace(patience=LONG)
    running = start_in_steps(wherefrom, "index", clones)
    wait_for_writing(cluster, NAME, 100)
    with without(cluster, primary_of(cluster, f"{NAME}-blobs-*")):
        finishes(running)
        assert contents_of(wherefrom.index) == expected
        wherefrom.indexes(clones)
    assert contents_of(wherefrom.index) == expected


def test_each_is_killed_during_searches(
    cluster: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any]
) -> None:
    wherefrom = wherefrom_on(cluster)
    wherefrom.environment["WHEREFROM_INDEX"] = wherefrom.index = everywhere(cluster)
    wherefrom.indexes(clones)
    cluster.wait_for_green()
    with wherefrom.open() as index:

        def answer() -> dict[str, Any]:
            return {**index.search(SNIPPET).to_dict(), "took_ms": 0}

        undisturbed = answer()
        assert undisturbed["hits"]
        for number, node in enumerate(cluster.nodes):
            killing = threading.Timer(0.5, node.kill)
            killing.start()
            while killing.is_alive():
                assert answer() == undisturbed
            for _ in range(4 * len(cluster.nodes)):  # the client uses the nodes in turn
                assert answer() == undisturbed
            with without(cluster, number):
                assert wherefrom.search(SNIPPET)["hits"] == undisturbed["hits"]
                assert contents_of(wherefrom.index) == expected


def everywhere(cluster: Server) -> str:
    """The location with all hosts."""
    return f"elasticsearch://{','.join(node.host for node in cluster.nodes)}/{NAME}"


def primary_of(cluster: Server, indices: str) -> int:
    """The number of the node with the primary shard of an index."""
    (shard,) = [found for found in cluster("GET", f"/_cat/shards/{indices}?format=json") if found["prirep"] == "p"]
    return [node.folder.name for node in cluster.nodes].index(shard["node"])


@contextmanager
def without(cluster: Server, number: int) -> Iterator[None]:
    """A block with one node killed; it is started again afterwards."""
    cluster.nodes[number].kill()
    try:
        yield
    finally:
        cluster.nodes[number].start()
        cluster.wait_for_green()
