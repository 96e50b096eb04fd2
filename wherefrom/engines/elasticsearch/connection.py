"""The connection to a cluster: the official client, made safe to use, and its errors as ours.

The client is of version 9 and asks for the REST interface of version 8, which servers from 8.19 on and every 9.x speak;
by itself it asks for that of version 9, which 8.19 refuses.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from elastic_transport import ApiResponse, TlsError, Transport, TransportApiResponse
from elastic_transport.client_utils import DEFAULT, DefaultType, resolve_default
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
from wherefrom.support.printable import quoted

OLDEST = (8, 19)
"""The oldest server that is supported; tested are 8.19 and 9.5."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a request is tried again, and after how many seconds: doubled each time from `first` to `longest`."""

    retries: int
    first: float
    longest: float


SEARCH_RETRIES = 3

SEARCH_PATIENCE = Patience(retries=SEARCH_RETRIES, first=0.1, longest=1.0)
"""For requests that read, outside of a run that writes."""

PATIENCE = Patience(retries=8, first=0.5, longest=30.0)
"""For requests that write. All waits together last about a minute, in which a node can be started again."""

BUSY = (429, 502, 503, 504)
"""Answers of a server that may say otherwise in a while."""

RECOVERING = (
    "illegal_index_shard_state_exception",
    "index_shard_closed_exception",
    "index_shard_not_started_exception",
    "index_shard_recovering_exception",
    "no_shard_available_action_exception",
    "shard_not_found_exception",
    "unavailable_shards_exception",
)
"""Errors of a node that was started again and has not recovered all shards yet; some of them come with status 404."""

_BUSY, _WAIT = "it has too much to do", "wait until it has less, and run again"

_UNBLOCK = "free disk space or lift the block, and run again"

PRODUCT_HEADER = "x-elastic-product"

_COMPATIBLE = "application/vnd.elasticsearch+{}; compatible-with=8"


class TooManyClauses(UnusableIndex):
    """A query has more clauses than the server takes; never seen by a user."""


class _Transport(Transport):
    """The official transport, which also waits before it asks a busy server again: by itself it waits only where no
    answer came.
    """

    def perform_request(
        self,
        method: str,
        target: str,
        *,
        max_retries: int | DefaultType = DEFAULT,
        retry_on_status: Collection[int] | DefaultType = DEFAULT,
        retry_backoff_base: float | DefaultType = DEFAULT,
        retry_backoff_cap: float | DefaultType = DEFAULT,
        **rest: Any,
    ) -> TransportApiResponse:
        retries = resolve_default(max_retries, self.max_retries)
        busy = resolve_default(retry_on_status, self.retry_on_status)
        wait = resolve_default(retry_backoff_base, self.retry_backoff_base) / 2  # as long as it waits on average
        longest = resolve_default(retry_backoff_cap, self.retry_backoff_cap)
        while True:
            answer = super().perform_request(
                method,
                target,
                max_retries=retries,
                retry_on_status=(),
                retry_backoff_base=retry_backoff_base,
                retry_backoff_cap=retry_backoff_cap,
                **rest,
            )
            status = answer.meta.status
            if retries <= 0 or (status not in busy and not (busy and status >= 400 and _is_recovering(answer.body))):
                return answer
            retries -= 1
            time.sleep(min(longest, wait))
            wait *= 2


class _Client(Elasticsearch):
    """The official client, asking for the interface of version 8."""

    def perform_request(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **rest: Any
    ) -> ApiResponse[Any]:
        compatible = {
            name: _COMPATIBLE.format(value.removeprefix("application/"))
            if value in ("application/json", "application/x-ndjson")
            else value
            for name, value in (headers or {}).items()
        }
        return super().perform_request(method, path, headers=compatible, **rest)


class Connection:
    """A client for one address. Calls are made in a `mapped` block; safe for several threads."""

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
            max_retries=SEARCH_PATIENCE.retries,
            retry_on_status=BUSY,
            retry_on_timeout=False,
            retry_backoff_base=SEARCH_PATIENCE.first,
            retry_backoff_cap=SEARCH_PATIENCE.longest,
            http_compress=False,
            **_encryption(address, options),
        )
        self.waits = PATIENCE
        """How requests that write are tried again."""

        self.patient = self.client.options(
            max_retries=self.waits.retries,
            retry_on_timeout=True,
            retry_backoff_base=self.waits.first,
            retry_backoff_cap=self.waits.longest,
        )
        """For writing what may be written twice: waits for a server that is away for a while."""

        self._threads = threading.local()
        self._is_closed = False

    @contextmanager
    def patience(self) -> Iterator[None]:
        """While this thread writes, it also reads as patiently: a run waits for a server that is away. The thread that
        keeps the lease does not, since it must go on.
        """
        self._threads.is_writing = True
        try:
            yield
        finally:
            self._threads.is_writing = False

    @property
    def _is_writing(self) -> bool:
        """Whether this thread writes (see `patience`)."""
        return getattr(self._threads, "is_writing", False)

    @property
    def reader(self) -> Elasticsearch:
        """For reading."""
        return self.patient if self._is_writing else self.client

    def close(self) -> None:
        """Closes the connections; closing again does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self.client.close()

    @contextmanager
    def mapped(self, *, writing: bool = False) -> Iterator[None]:
        """Gives the client's errors as ours: UnusableIndex, or IndexClosed once the connections are closed."""
        if self._is_closed:
            raise closed(str(self.address))
        try:
            yield
        except (ApiError, TransportError) as error:
            raise self.failure(error, writing=writing) from error

    def failure(self, error: ApiError | TransportError, *, writing: bool = False) -> UnusableIndex:
        """Our error for one of the client."""
        if isinstance(error, ApiError):
            return self._refusal(error, writing=writing)
        if isinstance(error, TlsError):
            return self._unusable(
                f"the encryption cannot be set up ({quoted(error.message)})",
                "name the certificates to trust in WHEREFROM_ELASTICSEARCH_CA_FILE, or fix the URL",
            )
        if isinstance(error, ConnectionTimeout):
            return self._unusable(
                f"no answer within {self.options.timeout:g} seconds",
                "look at the load of the cluster, or set WHEREFROM_ELASTICSEARCH_TIMEOUT higher",
            )
        if isinstance(error, Unreachable):
            return self._unusable(
                # A run that writes reads as well: the server may go away at either.
                "no node answers"
                + (" (any longer; what was committed is safe)" if writing or self._is_writing else ""),
                "start it, or fix the URL (host, port, elasticsearch+https where it is encrypted), and run again",
            )
        if isinstance(error, SerializationError):
            return self._foreign()
        return self._unusable(quoted(error.message), "see the server's log and run again")

    def _refusal(self, error: ApiError, *, writing: bool) -> UnusableIndex:
        reason = reason_of(error.body) or f"status {error.status_code}"
        if "too_many_clauses" in str(error.body) or "too_many_nested_clauses" in str(error.body):
            return TooManyClauses(reason)
        if isinstance(error, AuthenticationException):
            return self._unusable(
                "it does not accept the user and password or the API key, or wants one",
                "set WHEREFROM_ELASTICSEARCH_USER and WHEREFROM_ELASTICSEARCH_PASSWORD, "
                "or WHEREFROM_ELASTICSEARCH_API_KEY",
            )
        if isinstance(error, AuthorizationException) and "security_exception" in str(error.body):
            return self._unusable(
                f"the user lacks a right ({reason})",
                f"give it one of the roles of docs/elasticsearch.md, for the indices {self.address.name}-*",
            )
        if isinstance(error, UnsupportedProductError) or self.is_foreign(error):
            return self._foreign()
        if "media_type_header_exception" in str(error.body):
            return self.too_old("an older version")
        remedy = "see the server's log and run again"
        if "cluster_block_exception" in str(error.body):
            remedy = _UNBLOCK
        elif error.status_code == 429:
            reason, remedy = _BUSY, _WAIT
        safe = "; what was committed is safe" if writing else ""
        return self._unusable(f"{reason}{safe}", remedy)

    def is_foreign(self, error: ApiError) -> bool:
        """Whether something else than Elasticsearch said so."""
        if error.meta.headers.get(PRODUCT_HEADER) == "Elasticsearch":
            return False
        # It does not name itself where it refuses a right, nor always where an index is blocked.
        reason = error.body.get("error") if isinstance(error.body, dict) else None
        return not (isinstance(reason, dict) and "root_cause" in reason)

    def _foreign(self) -> UnusableIndex:
        return self._unusable("what answers there is not Elasticsearch", f"fix the URL: {FORM}")

    def damaged(self, error: Exception, remedy: str) -> IndexDamaged:
        """The error for a document that cannot be decoded, as `error` says."""
        reason = quoted(str(error))
        return IndexDamaged(f"the index {self.address} is damaged (a document cannot be decoded: {reason}); {remedy}")

    def too_old(self, version: str) -> UnusableIndex:
        """The error for a server of an unsupported version."""
        return self._unusable(
            f"its server is {version}, wherefrom needs {'.'.join(map(str, OLDEST))} or newer", "upgrade the cluster"
        )

    def _unusable(self, what: str, remedy: str) -> UnusableIndex:
        return UnusableIndex(f"the index {self.address} cannot be used: {what}; {remedy}")

    def check_version(self) -> None:
        """Raises UnusableIndex if a node is too old, as far as this user may know."""
        with self.mapped():
            try:
                answer = self.client.nodes.info(filter_path="nodes.*.version")
            except AuthorizationException:
                return
        for node in answer.get("nodes", {}).values():
            version = str(node.get("version", ""))
            numbers = tuple(int(part) for part in version.split("-", maxsplit=1)[0].split(".") if part.isdecimal())
            if numbers and numbers < OLDEST:
                raise self.too_old(quoted(version))

    def search(self, **body: Any) -> dict[str, Any]:
        """The answer to a search, by every shard and in time; a part of it is waited for as a busy server is. Raises
        TooManyClauses if the query has more than the server takes.
        """

        def failures(answer: dict[str, Any]) -> list[Any]:
            shards = answer["_shards"]
            if not (answer["timed_out"] or shards["failed"]):
                return []
            return [each.get("reason") for each in shards.get("failures", [])] or [None]

        return self._whole(lambda: self.reader.search(allow_partial_search_results=False, **body).body, failures)

    def mget(self, index: str, ids: Sequence[str], **fields: Any) -> list[dict[str, Any]]:
        """Those documents of these ids that are there; a part of them is waited for as a busy server is."""
        if not ids:
            return []

        def failures(answer: dict[str, Any]) -> list[Any]:
            return [each["error"] for each in answer["docs"] if "error" in each]

        answer = self._whole(lambda: self.reader.mget(index=index, ids=ids, **fields).body, failures)
        return [each for each in answer["docs"] if each["found"]]

    def _whole(
        self, ask: Callable[[], dict[str, Any]], failures: Callable[[dict[str, Any]], Sequence[Any]]
    ) -> dict[str, Any]:
        """The first answer without failures."""
        waits = self.waits if self._is_writing else SEARCH_PATIENCE
        wait = waits.first / 2  # as the transport
        for retries in range(waits.retries, -1, -1):
            with self.mapped():
                answer = ask()
            failed = failures(answer)
            if not failed:
                break
            if not retries:
                raise self.partial(failed[0])
            time.sleep(min(waits.longest, wait))
            wait *= 2
        return answer

    def refused(self, failed: int, first: str) -> UnusableIndex:
        """The error for documents that the server did not take; `first` names one and says why."""
        remedy = "see the server's log and run again"
        if "cluster_block_exception" in first:
            remedy = _UNBLOCK
        elif "es_rejected_execution_exception" in first:
            first, remedy = f"{first.partition(':')[0]}: {_BUSY}", _WAIT
        return self._unusable(
            f"documents were refused: {failed:,}, the first {first}; what was committed is safe", remedy
        )

    def partial(self, reason: Any) -> UnusableIndex:
        """The error for an answer that not every shard gave; `reason` is what the server says of it."""
        shown = reason_of(reason)
        safe = "; what was committed is safe" if self._is_writing else ""
        return self._unusable(
            "only a part of it answered" + (f" ({shown})" if shown else "") + safe,
            "see to the cluster's health and run again",
        )


def _is_recovering(body: Any) -> bool:
    text = str(body)
    return any(name in text for name in RECOVERING)


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
    """What an error of the server says, on one line: the innermost reason."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return quoted(str(error)) if error else ""
    for inner in (*error.get("failed_shards", [])[:1], *error.get("root_cause", [])[:1]):
        if reason := reason_of(inner.get("reason") if "shard" in inner else inner):
            return reason
    return quoted(f"{error.get('type', 'error')}: {error.get('reason', '')}")
