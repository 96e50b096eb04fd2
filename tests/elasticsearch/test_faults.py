"""Faults of a live server. After each: a clear line, or a finished run, and the index of a run without it."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.conftest import live_server
from tests.elasticsearch.conftest import NAME
from tests.elasticsearch.proxies import proxy
from tests.elasticsearch.runs import ended, finishes, start_in_steps, wait_for_writing
from tests.elasticsearch.servers import Access, Server, free_port, server, wait_until
from tests.end_to_end.conftest import Wherefrom
from tests.end_to_end.edits import source_of
from tests.end_to_end.runs import contents_of

SNIPPET = source_of(heapq.merge).encode()


def is_finished(wherefrom: Wherefrom, clones: Path, expected: dict[str, Any]) -> None:
    """A run, the next one after one with a fault, makes the index what it is to be."""
    wherefrom.indexes(clones)
    assert contents_of(wherefrom.index) == expected


OnServer = Callable[[Access], Wherefrom]


class TestUnreachable:
    @pytest.mark.parametrize("command", [["index", "."], ["search", "--code", "x"], ["list"], ["stats"], ["sweep"]])
    def test_a_server_that_is_absent(self, tmp_path: Path, command: list[str]) -> None:
        begin = time.monotonic()
        location = f"elasticsearch://127.0.0.1:{free_port()}/{NAME}"
        said = Wherefrom(tmp_path, location)(*command, code=2)
        assert f"the index {location} cannot be used: no node answers; start it" in said
        assert time.monotonic() - begin < 30

    def test_something_else_at_the_url(self, tmp_path: Path) -> None:
        with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as other:
            threading.Thread(target=other.serve_forever, daemon=True).start()
            wherefrom = Wherefrom(tmp_path, f"elasticsearch://127.0.0.1:{other.server_port}/{NAME}")
            for command in (["index", "."], ["search", "--code", "x"]):
                assert "what answers there is not Elasticsearch; mend the URL" in wherefrom(*command, code=2)
            other.shutdown()


class TestOneNode:
    @pytest.mark.parametrize("documents", [20, 300])
    def test_killed_in_the_middle_of_a_load_and_started_again(
        self, node: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any], documents: int
    ) -> None:
        wherefrom = wherefrom_on(node)
        running = start_in_steps(wherefrom, "index", clones)
        wait_for_writing(node, NAME, documents)
        node.nodes[0].kill()
        assert running.poll() is None
        node.nodes[0].start()
        node.wait_for_green()
        finishes(running)
        assert contents_of(wherefrom.index) == expected
        is_finished(wherefrom, clones, expected)

    def test_killed_and_not_started_in_time(
        self, node: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any]
    ) -> None:
        wherefrom = wherefrom_on(node)
        running = start_in_steps(wherefrom, "index", clones)
        wait_for_writing(node, NAME, 100)
        node.nodes[0].kill()
        code, said = ended(running)
        node.nodes[0].start()
        node.wait_for_green()
        assert code == 2
        assert "no node answers (any longer; what was committed is safe); start it" in said
        is_finished(wherefrom, clones, expected)

    @pytest.mark.parametrize("block", ["index.blocks.read_only", "index.blocks.read_only_allow_delete"])
    def test_a_read_only_block(
        self, node: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any], block: str
    ) -> None:
        """The second is the one of a full disk, which the server takes off by itself: then the run goes on."""
        wherefrom = wherefrom_on(node)
        wherefrom.indexes(clones / "repository00")
        running = start_in_steps(wherefrom, "index", clones)
        wait_for_writing(node, NAME, 60)
        node("PUT", f"/{NAME}-*/_settings", {block: True})
        assert wherefrom.search(SNIPPET)["hits"]
        code, said = ended(running)
        if block == "index.blocks.read_only" or code:
            assert code == 2
            assert "free disk space or lift the block, and run again" in said
        node("PUT", f"/{NAME}-*/_settings", {block: None})
        is_finished(wherefrom, clones, expected)

    def test_a_full_disk(self, node: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any]) -> None:
        """The server believes its disk full, puts the block on by itself and takes it off when there is space again."""
        wherefrom = wherefrom_on(node)
        wherefrom.indexes(clones / "repository00")

        def blocked() -> bool:
            found = node("GET", f"/{NAME}-*/_settings?flat_settings=true").values()
            return any(each["settings"].get("index.blocks.read_only_allow_delete") == "true" for each in found)

        limits = dict.fromkeys(("low", "high", "flood_stage"), "1pb")
        with cluster_settings(
            node,
            {
                "cluster.routing.allocation.disk.threshold_enabled": True,
                "cluster.info.update.interval": "10s",
                **{f"cluster.routing.allocation.disk.watermark.{name}": limit for name, limit in limits.items()},
            },
        ):
            wait_until(blocked, "the block of a full disk", 90)
            said = wherefrom("index", clones, code=2)
            assert "free disk space or lift the block, and run again" in said
            assert wherefrom.search(SNIPPET)["hits"]
        with cluster_settings(
            node,
            {
                "cluster.routing.allocation.disk.threshold_enabled": True,
                "cluster.info.update.interval": "10s",
                **{f"cluster.routing.allocation.disk.watermark.{name}": "1b" for name in limits},
            },
        ):
            wait_until(lambda: not blocked(), "the end of the block", 90)
        is_finished(wherefrom, clones, expected)

    def test_answers_that_come_too_late(
        self, node: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any]
    ) -> None:
        with proxy(node.nodes[0].host) as slow:
            wherefrom = wherefrom_on(node)
            wherefrom.environment["WHEREFROM_INDEX"] = f"elasticsearch://{slow.host}/{NAME}"
            wherefrom.environment["WHEREFROM_ELASTICSEARCH_TIMEOUT"] = "2"
            running = start_in_steps(wherefrom, "index", clones)
            wait_for_writing(node, NAME, 100)
            slow.answers.clear()
            time.sleep(5)
            slow.answers.set()
            finishes(running)
            slow.answers.clear()
            for command in (["search", "--code", "x = 1"], ["list"]):
                assert "no answer within 2 seconds; look at the load" in wherefrom(*command, code=2)
        assert contents_of(wherefrom.index) == expected


@contextmanager
def cluster_settings(access: Access, settings: dict[str, object]) -> Iterator[None]:
    """Settings of a cluster while the block lasts."""
    access("PUT", "/_cluster/settings", {"persistent": settings})
    try:
        yield
    finally:
        access("PUT", "/_cluster/settings", {"persistent": dict.fromkeys(settings)})


def test_a_write_queue_that_is_full(tmp_path: Path, clones: Path, expected: dict[str, Any]) -> None:
    settings = {"thread_pool.write.size": 1, "thread_pool.write.queue_size": 1}
    with live_server(), server(settings=settings) as made:
        wherefrom = Wherefrom(tmp_path, made.index(NAME))
        with crowd(made):
            running = start_in_steps(wherefrom, "index", clones)
            wait_until(lambda: rejected(made) > 200, "a full queue", 60)
            time.sleep(15)
        code, said = ended(running)
        assert code == 0 or "it has too much to do; wait until it has less, and run again" in said
        is_finished(wherefrom, clones, expected)


def test_a_write_queue_that_stays_full(tmp_path: Path, clones: Path) -> None:
    """No request is ever taken, so that the whole of the waiting is done."""
    with live_server(), server(settings={"indexing_pressure.memory.limit": "10b"}) as made:
        said = Wherefrom(tmp_path, made.index(NAME))("index", clones / "repository00", code=2)
        assert "it has too much to do; wait until it has less, and run again" in said


def rejected(access: Access) -> int:
    """How many requests to write a server of one node has turned away."""
    (stats,) = access("GET", "/_nodes/stats/thread_pool")["nodes"].values()
    count: int = stats["thread_pool"]["write"]["rejected"]
    return count


@contextmanager
def crowd(access: Access, writers: int = 6) -> Iterator[None]:
    """Others who write to a server without a pause, and without regard to what it says."""
    done = threading.Event()
    lines = "".join(f'{{"index":{{}}}}\n{{"text":"{number} {"word " * 50}"}}\n' for number in range(500)).encode()

    def write() -> None:
        while not done.is_set():
            with suppress(HTTPError):
                access.send("POST", "/crowd/_bulk", lines)

    threads = [threading.Thread(target=write) for _ in range(writers)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()
