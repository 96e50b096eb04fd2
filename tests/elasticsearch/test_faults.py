"""Faults of a live server. After each fault a clear line or a finished run, and the same index as without it."""

from __future__ import annotations

import heapq
import socketserver
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.conftest import live_server
from tests.elasticsearch.conftest import NAME
from tests.elasticsearch.proxies import Proxy, proxy
from tests.elasticsearch.runs import LONG, SHORT, Paced, ended, finishes, start_in_steps, wait_for_writing
from tests.elasticsearch.servers import Access, Node, Server, free_port, server, wait_until
from tests.end_to_end.conftest import Wherefrom
from tests.end_to_end.edits import source_of
from tests.end_to_end.runs import contents_of
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.engines.elasticsearch.connection import SEARCH_RETRIES

SNIPPET = source_of(heapq.merge).encode()


def is_finished(wherefrom: Paced, clones: Path, expected: dict[str, Any]) -> None:
    """The next run after one with a fault completes the index."""
    wherefrom.pace(lease=5.0, patience=LONG)
    wherefrom.indexes(clones)
    assert contents_of(wherefrom.index) == expected


OnServer = Callable[[Access], Paced]


class Silent(SimpleHTTPRequestHandler):
    """Serves files, and writes nothing to the standard error of a command."""

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base class names it
        pass


class TestUnreachable:
    @pytest.mark.parametrize("command", [["index", "."], ["search", "--code", "x"], ["list"], ["stats"], ["sweep"]])
    def test_a_server_that_is_absent(self, tmp_path: Path, command: list[str]) -> None:
        location = f"elasticsearch://127.0.0.1:{free_port()}/{NAME}"
        message = Wherefrom(tmp_path, location)(*command, code=2)
        assert f"the index {location} cannot be used: no node answers; start it" in message

    @pytest.mark.parametrize("command", [["index", "."], ["search", "--code", "x"]])
    def test_a_server_that_was_never_there_is_not_waited_for(self, tmp_path: Path, command: list[str]) -> None:
        with refusing() as (port, attempts):
            assert "no node answers; start it" in Wherefrom(tmp_path, f"elasticsearch://127.0.0.1:{port}/x")(
                *command, code=2
            )
            assert 0 < len(attempts) <= SEARCH_RETRIES + 1

    def test_something_else_at_the_url(self, tmp_path: Path) -> None:
        with ThreadingHTTPServer(("127.0.0.1", 0), Silent) as other:
            threading.Thread(target=other.serve_forever, daemon=True).start()
            wherefrom = Wherefrom(tmp_path, f"elasticsearch://127.0.0.1:{other.server_port}/{NAME}")
            for command in (["index", "."], ["search", "--code", "x"]):
                assert "what answers there is not Elasticsearch; fix the URL" in wherefrom(*command, code=2)
            other.shutdown()


class TestOneNode:
    @pytest.mark.nightly
    @pytest.mark.parametrize("documents", [20, 300])
    def test_killed_in_the_middle_of_a_load_and_started_again(
        self, node: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any], documents: int
    ) -> None:
        wherefrom = wherefrom_on(node)
        wherefrom.pace(patience=LONG)
        running = start_in_steps(wherefrom, "index", clones)
        wait_for_writing(node, NAME, documents)
        node.nodes[0].kill()
        assert running.poll() is None
        node.nodes[0].start()
        finishes(running)
        node.wait_for_green()
        assert contents_of(wherefrom.index) == expected
        is_finished(wherefrom, clones, expected)

    @pytest.mark.nightly
    def test_killed_and_not_started_in_time(
        self, node: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any]
    ) -> None:
        wherefrom = wherefrom_on(node)
        wherefrom.pace(patience=SHORT)
        running = start_in_steps(wherefrom, "index", clones)
        wait_for_writing(node, NAME, 100)
        node.nodes[0].kill()
        code, message = ended(running)
        node.nodes[0].start()
        node.wait_for_green()
        assert code == 2
        assert "no node answers (any longer; what was committed is safe); start it" in message
        is_finished(wherefrom, clones, expected)

    @pytest.mark.nightly
    def test_a_writer_waits_for_documents_if_only_a_part_is_given(
        self, node: Server, wherefrom_on: OnServer, clones: Path
    ) -> None:
        wherefrom_on(node).indexes(clones / "repository00")
        with proxy(node.nodes[0].host) as between, ThreadPoolExecutor(1) as pool:
            between.awaited = b"no_shard_available_action_exception"
            location = f"elasticsearch://{between.host}/{NAME}"
            with closing(open_engine(location, schemes=scheme_ids())) as engine, engine.writer():
                blobs = {occurrence.blob for occurrence in engine.occurrences()}
                moved_away = node.nodes[0].shards()
                node.nodes[0].kill()
                for shard in moved_away:
                    shard.rename(shard.with_name("moved-away"))
                node.nodes[0].start()
                recovering = pool.submit(self.recover_when_seen, node.nodes[0], moved_away, between)
                assert engine.known(blobs) == blobs != set()
                recovering.result()

    @staticmethod
    def recover_when_seen(node: Node, moved_away: list[Path], between: Proxy) -> None:
        """Lets the shards recover after an answer has said that they are missing.

        No setting could prevent an earlier recovery: a node that starts always recovers its own primary shards.
        """
        assert between.passed.wait(120)
        node.kill()
        for shard in moved_away:
            shard.with_name("moved-away").rename(shard)
        node.start()

    @pytest.mark.nightly
    def test_a_read_only_block(
        self, node: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any]
    ) -> None:
        wherefrom = wherefrom_on(node)
        wherefrom.indexes(clones / "repository00")
        running = start_in_steps(wherefrom, "index", clones)
        wait_for_writing(node, NAME, 60)
        node("PUT", f"/{NAME}-*/_settings", {"index.blocks.read_only": True})
        assert wherefrom.search(SNIPPET)["hits"]
        code, message = ended(running)
        assert code == 2
        assert "free disk space or lift the block, and run again" in message
        node("PUT", f"/{NAME}-*/_settings", {"index.blocks.read_only": None})
        is_finished(wherefrom, clones, expected)

    @pytest.mark.nightly
    def test_the_block_of_a_full_disk_that_is_lifted_in_time(
        self, node: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any]
    ) -> None:
        """The server lifts the block when there is space again; the run has met it and goes on."""
        wherefrom = wherefrom_on(node)
        wherefrom.pace(patience=LONG)
        wherefrom.indexes(clones / "repository00")
        block = "index.blocks.read_only_allow_delete"
        with proxy(node.nodes[0].host) as between:
            between.awaited = b"cluster_block_exception"
            wherefrom.environment["WHEREFROM_INDEX"] = f"elasticsearch://{between.host}/{NAME}"
            running = start_in_steps(wherefrom, "index", clones)
            wait_for_writing(node, NAME, 60)
            node("PUT", f"/{NAME}-*/_settings", {block: True})
            assert wherefrom.search(SNIPPET)["hits"]
            assert between.passed.wait(120)
            node("PUT", f"/{NAME}-*/_settings", {block: None})
            finishes(running)
        assert contents_of(wherefrom.index) == expected

    @pytest.mark.nightly
    def test_a_full_disk(self, node: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any]) -> None:
        """The server takes its disk for full, sets the block itself and removes it when there is space again."""
        wherefrom = wherefrom_on(node)
        wherefrom.indexes(clones / "repository00")

        def blocked() -> bool:
            found = node("GET", f"/{NAME}-*/_settings?flat_settings=true").values()
            return any(index["settings"].get("index.blocks.read_only_allow_delete") == "true" for index in found)

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
            wherefrom.pace(patience=SHORT)
            message = wherefrom("index", clones, code=2)
            assert "free disk space or lift the block, and run again" in message
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

    @pytest.mark.nightly
    def test_answers_that_come_too_late(
        self, node: Server, wherefrom_on: OnServer, clones: Path, expected: dict[str, Any]
    ) -> None:
        with proxy(node.nodes[0].host) as slow:
            wherefrom = wherefrom_on(node)
            wherefrom.environment["WHEREFROM_INDEX"] = f"elasticsearch://{slow.host}/{NAME}"
            wherefrom.environment["WHEREFROM_ELASTICSEARCH_TIMEOUT"] = "2"
            running = start_in_steps(wherefrom, "index", clones)
            wait_for_writing(node, NAME, 100)
            before = slow.connections
            slow.answers.clear()
            # A request that got no answer in time is sent again on another connection.
            wait_until(lambda: slow.connections > before, "a request that is sent again", 60)
            slow.answers.set()
            finishes(running)
            slow.answers.clear()
            for command in (["search", "--code", "x = 1"], ["list"]):
                assert "no answer within 2 seconds; look at the load" in wherefrom(*command, code=2)
        assert contents_of(wherefrom.index) == expected


@contextmanager
def refusing() -> Iterator[tuple[int, list[object]]]:
    """A port that closes every connection at once, and the connections so far."""
    attempts: list[object] = []

    class Closes(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            attempts.append(self.client_address)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Closes) as made:
        serving = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
        serving.start()
        try:
            yield made.server_address[1], attempts
        finally:
            made.shutdown()
            serving.join()


@contextmanager
def cluster_settings(access: Access, settings: dict[str, object]) -> Iterator[None]:
    """A block with these settings of a cluster."""
    access("PUT", "/_cluster/settings", {"persistent": settings})
    try:
        yield
    finally:
        access("PUT", "/_cluster/settings", {"persistent": dict.fromkeys(settings)})


@pytest.mark.nightly
def test_a_write_queue_that_is_full(tmp_path: Path, clones: Path, expected: dict[str, Any]) -> None:
    settings = {"thread_pool.write.size": 1, "thread_pool.write.queue_size": 1}
    with live_server(), server(settings=settings) as made:
        wherefrom = Paced(tmp_path, made.index(NAME), patience=LONG)
        wherefrom.indexes(clones / "repository00")
        with proxy(made.nodes[0].host) as between:
            between.awaited = b"es_rejected_execution_exception"
            wherefrom.environment["WHEREFROM_INDEX"] = f"elasticsearch://{between.host}/{NAME}"
            with crowd(made):
                running = start_in_steps(wherefrom, "index", clones)
                assert between.passed.wait(120)
            finishes(running)
        assert contents_of(wherefrom.index) == expected


@pytest.mark.nightly
def test_a_write_queue_that_stays_full(tmp_path: Path, clones: Path) -> None:
    """The server takes no request, so the command waits as long as it can."""
    with live_server(), server(settings={"indexing_pressure.memory.limit": "10b"}) as made:
        wherefrom = Paced(tmp_path, made.index(NAME), patience=SHORT)
        message = wherefrom("index", clones / "repository00", code=2)
        assert "it has too much to do; wait until it has less, and run again" in message


@contextmanager
def crowd(access: Access, writers: int = 6) -> Iterator[None]:
    """Other clients, which write to a server without a pause, whatever it answers."""
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
