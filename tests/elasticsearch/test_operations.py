"""The work of an operator: snapshots, rebuilds."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.conftest import live_server
from tests.elasticsearch.page import requests
from tests.elasticsearch.runs import Paced, kill, start_in_steps, wait_for_writing
from tests.elasticsearch.servers import Server, configured, nodes_folder, wait_until
from tests.end_to_end.edits import source_of
from tests.end_to_end.runs import contents_of

NAME = "code"
"""A request of the documentation page."""

SNIPPET = source_of(heapq.merge).encode()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A node that may keep snapshots in a folder `backup`."""
    with live_server(), nodes_folder(uuid4().hex) as folder:
        made = Server(configured(folder, ["node"], {"path.repo": str(folder / "node" / "backup")}))
        made.nodes[0].start()
        made.wait_for_green()
        yield made


@pytest.fixture
def wherefrom(tmp_path: Path, server: Server) -> Iterator[Paced]:
    """The command, with the index `code` on it."""
    yield Paced(tmp_path, server.index(NAME))
    server.remove(NAME)


def indices(server: Server) -> dict[str, dict[str, Any]]:
    """The indices of the index, with their aliases and the settings that a load may change."""
    found = server("GET", f"/{NAME}-*?flat_settings=true")
    kept = ("index.refresh_interval", "index.auto_expand_replicas", "index.number_of_replicas")
    return {
        name: {"aliases": [*index["aliases"]], **{key: index["settings"].get(key) for key in kept}}
        for name, index in found.items()
    }


@pytest.mark.nightly
def test_a_snapshot_brings_all_back(wherefrom: Paced, server: Server, clones: Path, expected: dict[str, Any]) -> None:
    wherefrom.indexes(clones)
    before = indices(server)
    repository, snapshot, restore = requests("/_snapshot/")
    repository.body["settings"]["location"] = str(server.nodes[0].folder / "backup")
    for method, path, body in (repository, snapshot):
        assert server(method, path, body)
    server.remove(NAME)
    assert "there is no index at" in wherefrom("list", code=2)
    answer = server(*restore)
    assert answer["snapshot"]["shards"]["failed"] == 0
    assert indices(server) == before
    assert contents_of(wherefrom.index) == expected


@pytest.mark.nightly
def test_a_rebuild_is_searched_all_the_while(
    wherefrom: Paced, server: Server, clones: Path, expected: dict[str, Any]
) -> None:
    wherefrom.indexes(clones)
    answer = wherefrom.search(SNIPPET)
    before = indices(server)
    running = start_in_steps(wherefrom, "index", "--rebuild", "--quiet", clones)
    answers = 0
    while running.poll() is None:
        assert {**wherefrom.search(SNIPPET), "took_ms": 0} == {**answer, "took_ms": 0}
        answers += 1
    assert running.communicate() == (b"", b"")
    assert answers > 1
    assert [name.replace("000002", "000001") for name in indices(server)] == [*before]
    assert [*indices(server).values()] == [*before.values()]
    assert contents_of(wherefrom.index) == expected


@pytest.mark.nightly
def test_a_rebuild_that_is_killed_leaves_the_index_as_it_was(
    wherefrom: Paced, server: Server, clones: Path, expected: dict[str, Any]
) -> None:
    wherefrom.indexes(clones)
    wherefrom.pace(lease=5.0)
    before = indices(server)
    running = start_in_steps(wherefrom, "index", "--rebuild", clones)
    wait_for_writing(server, NAME, 120)
    kill(running)
    assert {name: index for name, index in indices(server).items() if name in before} == before
    assert contents_of(wherefrom.index) == expected
    wherefrom.indexes("--rebuild", clones)
    wait_until(lambda: len(indices(server)) == 2, "the end of the leftover", 10)
    assert [*indices(server).values()] == [*before.values()]
    assert contents_of(wherefrom.index) == expected
