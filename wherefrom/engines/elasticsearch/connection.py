"""The connection to a cluster: the official client with retries, and with its errors turned into errors of wherefrom.

The client has version 9 and requests the REST interface of version 8, which servers from 8.19 on and all 9.x servers
have. By default it would request the interface of version 9, which 8.19 refuses.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from elastic_transport import ApiResponse, TlsError, Transport, TransportApiResponse
from elastic_transport.client_utils import DEFAULT, resolve_default
from elasticsearch import (
    ApiError,
    AuthenticationException,
    AuthorizationException,
    ConnectionTimeout,
    Elasticsearch,
    TransportError,
    UnsupportedProductError,
)
from elasticsearch import ConnectionError as Unreachable
from elasticsearch.exceptions import SerializationError

from wherefrom.engines.elasticsearch.address import ENCRYPTED, FORM, Address, ElasticsearchOptions
from wherefrom.engines.engine import closed
from wherefrom.errors import IndexDamaged, UnusableIndex, UsageError
from wherefrom.mappings.elasticsearch import RecordKind
from wherefrom.support.chunks import chunks
from wherefrom.support.printable import quoted

OLDEST = (8, 19)  # the oldest server that is supported; 8.19 and 9.5 are tested


class RetryWaits(NamedTuple):
    """How often a request is tried again, and after how many seconds, by the names of the client's options."""

    max_retries: int
    retry_backoff_base: float  # the first wait; each other one is twice as long
    retry_backoff_cap: float  # the longest wait


SEARCH_RETRIES = 3

SEARCH_PATIENCE = RetryWaits(SEARCH_RETRIES, retry_backoff_base=0.1, retry_backoff_cap=1.0)
"""For requests that read outside of a writing run, such as a search, and should fail soon."""

PATIENCE = RetryWaits(max_retries=8, retry_backoff_base=0.5, retry_backoff_cap=30.0)
"""For requests that write. All waits together last about a minute, long enough to start a node again."""

BUSY = (429, 502, 503, 504)  # the statuses of a server that may be able to answer after a while

RECOVERING = (
    "connect_transport_exception",
    "illegal_index_shard_state_exception",
    "index_shard_closed_exception",
    "index_shard_not_started_exception",
    "index_shard_recovering_exception",
    "no_shard_available_action_exception",
    "node_closed_exception",
    "node_disconnected_exception",
    "node_not_connected_exception",
    "shard_not_found_exception",
    "unavailable_shards_exception",
)
"""Errors of a node that was started again and has not recovered all shards yet, or of one that has just lost another
node; some come with status 404 or 500.
"""

_BUSY, _WAIT = "it has too much to do", "wait until it has less, and run again"

_UNBLOCK = "free disk space or lift the block, and run again"

_SEE_LOG = "see the server's log and run again"

_SAFE = "; what was committed is safe"


class TooManyClauses(UnusableIndex):
    """A query has more clauses than the server takes; users never see this, since `Ranking` divides the query."""


class _Transport(Transport):
    """Also waits before it tries again if the server is busy. The official transport waits only if no answer comes."""

    def perform_request(self, method: str, target: str, **options: Any) -> TransportApiResponse:
        def option(name: str) -> Any:
            return resolve_default(options.get(name, DEFAULT), getattr(self, name))

        retries, busy = option("max_retries"), option("retry_on_status")
        wait = option("retry_backoff_base") / 2  # the official transport's random waits are as long on average
        longest = option("retry_backoff_cap")
        while True:
            options |= {"max_retries": retries, "retry_on_status": ()}
            answer = super().perform_request(method, target, **options)
            status = answer.meta.status
            is_recovering = busy and status >= 400 and _names(RECOVERING, answer.body)
            if retries <= 0 or (status not in busy and not is_recovering):
                return answer
            retries -= 1
            time.sleep(min(longest, wait))
            wait *= 2


class _Client(Elasticsearch):
    """The official client, requesting the interface of version 8."""

    def perform_request(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **rest: Any
    ) -> ApiResponse[Any]:
        compatible = {
            name: f"application/vnd.elasticsearch+{value.removeprefix('application/')}; compatible-with=8"
            if value in ("application/json", "application/x-ndjson")
            else value
            for name, value in (headers or {}).items()
        }
        return super().perform_request(method, path, headers=compatible, **rest)


class _Thread(threading.local):
    is_writing = False


class ClusterConnection:
    """A client for one address, safe for several threads. Call its clients only in a `mapped` block. `client` fails
    soon if the server does not answer. `patient` is for writes that may be repeated: it tries again as `waits` says.
    """

    def __init__(self, address: Address, options: ElasticsearchOptions) -> None:
        """Sends nothing yet. Raises UsageError if the file of certificates cannot be used."""
        self.address = address
        self.options = options
        self.client: Elasticsearch = _Client(
            address.nodes,
            transport_class=_Transport,
            basic_auth=(options.user, options.password) if options.user and options.password else None,
            api_key=options.api_key or None,
            request_timeout=options.timeout,
            retry_on_status=BUSY,
            retry_on_timeout=len(address.hosts) > 1,  # a host that hangs must not fail what another one can answer
            http_compress=False,
            **SEARCH_PATIENCE._asdict(),
            **_encryption(address, options),
        )
        self.waits = PATIENCE
        self.patient = self.client.options(retry_on_timeout=True, **self.waits._asdict())
        self._thread = _Thread()
        self._is_closed = False

    @contextmanager
    def patience(self) -> Iterator[None]:
        """A block in a thread that writes: in it, reads also wait for a server that is away for a while. The thread
        that keeps the lease does not use this block, since it must not wait.
        """
        self._thread.is_writing = True
        try:
            yield
        finally:
            self._thread.is_writing = False

    @property
    def reader(self) -> Elasticsearch:
        """The client for reads: `patient` in a `patience` block, else `client`."""
        return self.patient if self._thread.is_writing else self.client

    def close(self) -> None:
        """Closes the connections; closing again does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self.client.close()

    @contextmanager
    def mapped(self, *, writing: bool = False) -> Iterator[None]:
        """A block that turns the client's errors into UnusableIndex. Raises IndexClosed after `close`."""
        if self._is_closed:
            raise closed(str(self.address))
        try:
            yield
        except ApiError as error:
            raise self._refusal(error, safe=_SAFE if writing else "") from error
        except TransportError as error:
            # If a read fails in a run that writes, the message also says that commits are safe.
            raise self._unusable(*self._trouble(error, is_writing=writing or self._thread.is_writing)) from error

    def _trouble(self, error: TransportError, *, is_writing: bool) -> tuple[str, str]:
        if isinstance(error, TlsError):
            return (
                f"the encryption cannot be set up ({quoted(error.message)})",
                "name the certificates to trust in WHEREFROM_ELASTICSEARCH_CA_FILE, or fix the URL",
            )
        if isinstance(error, ConnectionTimeout):
            return (
                f"no answer within {self.options.timeout:g} seconds",
                "look at the load of the cluster, or set WHEREFROM_ELASTICSEARCH_TIMEOUT higher",
            )
        if isinstance(error, Unreachable):
            return (
                "no node answers" + (" (any longer; what was committed is safe)" if is_writing else ""),
                "start it, or fix the URL (host, port, elasticsearch+https where it is encrypted), and run again",
            )
        if isinstance(error, SerializationError):
            return _FOREIGN
        return quoted(error.message), _SEE_LOG

    def _refusal(self, error: ApiError, safe: str) -> UnusableIndex:
        reason = reason_of(error.body) or f"status {error.status_code}"
        if _names(("too_many_clauses", "too_many_nested_clauses"), error.body):
            return TooManyClauses(reason)
        if isinstance(error, AuthenticationException):
            return self._unusable(
                "it does not accept the user and password or the API key, or wants one",
                "set WHEREFROM_ELASTICSEARCH_USER and WHEREFROM_ELASTICSEARCH_PASSWORD, "
                "or WHEREFROM_ELASTICSEARCH_API_KEY",
            )
        if isinstance(error, AuthorizationException) and _names(("security_exception",), error.body):
            return self._unusable(
                f"the user lacks a right ({reason})",
                f"give it one of the roles of docs/how-to/elasticsearch.md, for the indices {self.address.name}-*",
            )
        if isinstance(error, UnsupportedProductError) or self.is_foreign(error):
            return self._unusable(*(_OPENSEARCH if _is_opensearch(error) else _FOREIGN))
        if _names(("media_type_header_exception",), error.body):
            return self._too_old("an older version")
        remedy = _SEE_LOG
        if _names(("cluster_block_exception",), error.body):
            remedy = _UNBLOCK
        elif error.status_code == 429:
            reason, remedy = _BUSY, _WAIT
        return self._unusable(f"{reason}{safe}", remedy)

    def is_foreign(self, error: ApiError) -> bool:
        """True if the error comes from a server that is not Elasticsearch."""
        if error.meta.headers.get("x-elastic-product") == "Elasticsearch":
            return False
        if _is_opensearch(error):
            return True
        # Elasticsearch omits this header if the user lacks a right, and sometimes if an index is blocked.
        reason = error.body.get("error") if isinstance(error.body, dict) else None
        return not (isinstance(reason, dict) and "root_cause" in reason)

    def damaged(self, error: Exception, remedy: str) -> IndexDamaged:
        """The error for a document that cannot be decoded because of `error`."""
        reason = quoted(str(error))
        return IndexDamaged(f"the index {self.address} is damaged (a document cannot be decoded: {reason}); {remedy}")

    def _too_old(self, version: str) -> UnusableIndex:
        return self._unusable(
            f"its server is {version}, wherefrom needs {'.'.join(map(str, OLDEST))} or newer", "upgrade the cluster"
        )

    def _unusable(self, trouble: str, remedy: str) -> UnusableIndex:
        return UnusableIndex(f"the index {self.address} cannot be used: {trouble}; {remedy}")

    def check_version(self) -> None:
        """Raises UnusableIndex if a node is too old. Passes if the user may not see the versions of nodes."""
        with self.mapped():
            try:
                answer = self.client.nodes.info(filter_path="nodes.*.version")
            except AuthorizationException:
                return
        for node in answer.get("nodes", {}).values():
            version = str(node.get("version", ""))
            numbers = tuple(int(part) for part in version.split("-", maxsplit=1)[0].split(".") if part.isdecimal())
            if numbers and numbers < OLDEST:
                raise self._too_old(quoted(version))

    def search(self, **body: Any) -> dict[str, Any]:
        """The complete answer to a search; sends the search again if shards failed or the time ran out, as on a busy
        server. Raises TooManyClauses if the query has more clauses than the server takes.
        """

        def failures(answer: dict[str, Any]) -> list[Any]:
            shards = answer["_shards"]
            if not (answer["timed_out"] or shards["failed"]):
                return []
            return [failure.get("reason") for failure in shards.get("failures", [])] or [None]

        return self._whole(lambda: self.reader.search(allow_partial_search_results=False, **body).body, failures)

    def mget(self, index: str, ids: Sequence[str], **fields: Any) -> list[dict[str, Any]]:
        """The documents with these ids that exist; sends the request again if some could not be read (busy server)."""
        if not ids:
            return []

        def failures(answer: dict[str, Any]) -> list[Any]:
            return [document["error"] for document in answer["docs"] if "error" in document]

        answer = self._whole(lambda: self.reader.mget(index=index, ids=ids, **fields).body, failures)
        return [document for document in answer["docs"] if document["found"]]

    def _whole(
        self, ask: Callable[[], dict[str, Any]], failures: Callable[[dict[str, Any]], Sequence[Any]]
    ) -> dict[str, Any]:
        """Calls `ask` until an answer has no failures; returns that answer. Raises UnusableIndex if retries run out."""
        waits = self.waits if self._thread.is_writing else SEARCH_PATIENCE
        wait = waits.retry_backoff_base / 2  # as `_Transport` waits
        for retries in range(waits.max_retries, -1, -1):
            with self.mapped():
                answer = ask()
            failed = failures(answer)
            if not failed:
                break
            if not retries:
                reason = reason_of(failed[0])
                shown = f" ({reason})" if reason else ""
                safe = _SAFE if self._thread.is_writing else ""
                raise self._unusable(
                    f"only a part of it answered{shown}{safe}", "see to the cluster's health and run again"
                )
            time.sleep(min(waits.retry_backoff_cap, wait))
            wait *= 2
        return answer

    def refused(self, failed: int, first: str) -> UnusableIndex:
        """The error for `failed` documents that the server refused; `first` has the id and the reason of the first."""
        remedy = _SEE_LOG
        if "cluster_block_exception" in first:
            remedy = _UNBLOCK
        elif "es_rejected_execution_exception" in first:
            first, remedy = f"{first.partition(':')[0]}: {_BUSY}", _WAIT
        return self._unusable(f"documents were refused: {failed:,}, the first {first}{_SAFE}", remedy)


_FOREIGN = ("what answers there is not Elasticsearch", f"fix the URL: {FORM}")

_OPENSEARCH = (
    "what answers there is OpenSearch, whose protocol differs",
    "take an Elasticsearch server, or an index in a folder",
)


def _is_opensearch(error: ApiError) -> bool:
    """True if the error comes from OpenSearch; the answers of version 3.6 say so."""
    return "x-opensearch-version" in error.meta.headers


def _names(errors: Collection[str], body: Any) -> bool:
    text = str(body)
    return any(name in text for name in errors)


def _encryption(address: Address, options: ElasticsearchOptions) -> dict[str, Any]:
    if address.scheme != ENCRYPTED:
        if options.ca_file:
            raise UsageError(f"a file of certificates is given, but {address} is not encrypted; use {ENCRYPTED}://")
        return {}
    try:
        context = ssl.create_default_context(cafile=options.ca_file)
    except (OSError, ssl.SSLError):
        raise UsageError(f"{str(options.ca_file)!r} holds no certificates (PEM); name another file") from None
    return {"ssl_context": context}


def reason_of(body: Any) -> str:
    """The innermost reason in an error of the server, on one line."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return quoted(str(error)) if error else ""
    for inner in (*error.get("failed_shards", [])[:1], *error.get("root_cause", [])[:1]):
        if reason := reason_of(inner.get("reason") if "shard" in inner else inner):
            return reason
    return quoted(f"{error.get('type', 'error')}: {error.get('reason', '')}")


PAGE = 5_000
KEEP_ALIVE = "5m"  # how long the server keeps a view (a point in time) open between two pages

NOTHING_STORED: Mapping[str, Any] = {"stored_fields": "_none_", "source": False}
"""Arguments of a search that reads only doc values: the server need not decompress stored fields, such as the id."""

MOST_TERMS = 65_536  # the highest number of values that Elasticsearch takes in one `terms` query by default


def filter_terms(field: str, values: Collection[str]) -> dict[str, Any]:
    """A filter for documents that have any of these values in a field."""
    terms = [{"terms": {field: chunk}} for chunk in chunks(sorted(values), MOST_TERMS)]
    return {"bool": {"should": terms}} if terms else {"match_none": {}}


def of_kind(kind: RecordKind, *filters: Mapping[str, Any]) -> dict[str, Any]:
    """A query for the records of a kind that pass these filters."""
    return {"bool": {"filter": [{"term": {"kind": kind}}, *filters]}}


def listing(
    connection: ClusterConnection,
    index: str,
    query: Mapping[str, Any],
    sort: Sequence[Any],
    *,
    size: int = PAGE,
    **fields: Any,
) -> Iterator[dict[str, Any]]:
    """All hits in the order `sort`. A single page takes one request; several pages are read from one point in time. If
    the node that keeps it is lost, the rest is read from a new one, unless `sort` is `_doc`.
    """
    body = {"query": query, "sort": sort, "size": size, "track_total_hits": False, **fields}
    page = connection.search(index=index, **body)["hits"]["hits"]
    if len(page) < size:
        yield from page
        return

    def opened() -> str:
        with connection.mapped():
            view: str = connection.reader.open_point_in_time(index=index, keep_alive=KEEP_ALIVE)["id"]
        return view

    view, is_new = opened(), True
    try:
        after: Sequence[Any] | None = None
        while True:
            try:
                answer = connection.search(pit={"id": view, "keep_alive": KEEP_ALIVE}, search_after=after, **body)
            except UnusableIndex:
                if is_new or sort == ["_doc"]:
                    raise
                # Elasticsearch adds a number to the values of `sort` that is valid for one view alone.
                view, is_new, after = opened(), True, after and after[: len(sort)]
                continue
            view, is_new = answer.get("pit_id", view), False
            page = answer["hits"]["hits"]
            yield from page
            if len(page) < size:
                return
            after = page[-1]["sort"]
    finally:
        with suppress(ApiError, TransportError):  # on failure the server drops the view itself, after `KEEP_ALIVE`
            connection.client.close_point_in_time(id=view)
