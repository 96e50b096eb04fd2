"""Bulk requests: several at a time, limited by actions and bytes, and sent again while the cluster is busy."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from elasticsearch import helpers

from wherefrom.engines.elasticsearch.connection import BUSY, ClusterConnection, reason_of

CHUNK_ACTIONS = 1_000

CHUNK_BYTES = 8_000_000

THREADS = 4
"""The highest number of requests at a time. At most as many chunks wait for their turn, so memory is bounded."""

DONE = {"create": 409, "delete": 404}
"""For each operation, the status that means that the document exists already, or is deleted already."""


class Action(NamedTuple):
    """An operation (`create`, `index` or `delete`) on one document; `body` is its JSON, None for `delete`."""

    operation: str
    id: str
    body: bytes | None = None


def body(document: dict[str, Any]) -> bytes:
    """A document as JSON."""
    return json.dumps(document, separators=(",", ":")).encode()


def put(identity: str, document: dict[str, Any]) -> Action:
    """The action that writes a document, or replaces it."""
    return Action("index", identity, body(document))


def send(connection: ClusterConnection, index: str, actions: Iterable[Action]) -> int:
    """Sends actions in their order; returns how many changed a document. Raises UnusableIndex if one was refused."""
    changed = failed = 0
    first = ""
    waits = connection.waits
    with connection.mapped(writing=True):
        for done, result in helpers.streaming_bulk(
            connection.patient.options(retry_on_status=()),  # `streaming_bulk` itself sends refused actions again
            map(_expanded, actions),
            index=index,
            chunk_size=CHUNK_ACTIONS,
            max_chunk_bytes=CHUNK_BYTES,
            raise_on_error=False,
            max_retries=waits.max_retries,
            initial_backoff=waits.retry_backoff_base,
            max_backoff=waits.retry_backoff_cap,
            retry_on_status=BUSY,
            require_alias=True,
        ):
            ((operation, item),) = result.items()
            if done:
                changed += 1
            elif item["status"] != DONE.get(operation):
                failed += 1
                first = first or f"{item['_id']}: {reason_of(item.get('error'))}"
    if failed:
        raise connection.refused(failed, first)
    return changed


def _expanded(action: Action) -> dict[str, Any]:
    """The action in the form that the client's helpers take."""
    header = {"_op_type": action.operation, "_id": action.id}
    return header if action.body is None else {**header, "_source": action.body}


class Loader:
    """Sends actions in the background, in any order. If that fails, a later call raises the error."""

    def __init__(self, connection: ClusterConnection, index: str) -> None:
        self._connection, self._index = connection, index
        self._threads = ThreadPoolExecutor(THREADS, "wherefrom-bulk")
        self._under_way: deque[Future[int]] = deque()
        self._chunk: list[Action] = []
        self._bytes = 0

    def add(self, action: Action) -> None:
        """Adds an action; waits if too many requests are under way."""
        self._chunk.append(action)
        self._bytes += len(action.body or b"")
        if self._bytes >= CHUNK_BYTES or len(self._chunk) >= CHUNK_ACTIONS:
            self._submit()

    def _submit(self) -> None:
        while len(self._under_way) >= 2 * THREADS:
            self._under_way.popleft().result()
        self._under_way.append(self._threads.submit(send, self._connection, self._index, self._chunk))
        self._chunk, self._bytes = [], 0

    def finish(self) -> None:
        """Sends the rest and waits until all actions are done."""
        if self._chunk:
            self._submit()
        while self._under_way:
            self._under_way.popleft().result()

    def close(self) -> None:
        """Drops the actions that were not sent; waits for those under way."""
        self._threads.shutdown(cancel_futures=True)
