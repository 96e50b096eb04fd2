"""Exhaustive listings: every hit once, in order, with one page at a time in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from elasticsearch import ApiError, TransportError

from wherefrom.engines.elasticsearch.connection import ClusterConnection
from wherefrom.errors import UnusableIndex
from wherefrom.mappings.elasticsearch import RecordKind
from wherefrom.support.chunks import chunks

PAGE = 5_000

KEEP_ALIVE = "5m"
"""How long the server keeps a view (a point in time) open between two pages."""

NOTHING_STORED: Mapping[str, Any] = {"stored_fields": "_none_", "source": False}
"""Arguments of a search that reads only doc values: the server need not decompress stored fields, such as the id."""

MOST_TERMS = 65_536
"""The highest number of values that Elasticsearch takes in one `terms` query by default."""


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
