"""The best blobs by the sum of weights, however many terms and filtered blobs a query has."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from wherefrom.engines.elasticsearch import documents
from wherefrom.engines.elasticsearch.connection import Connection, TooManyClauses
from wherefrom.engines.elasticsearch.listing import NOTHING_STORED, filter_terms
from wherefrom.mappings.elasticsearch import terms_field
from wherefrom.model import INDEXED, Representation
from wherefrom.support.chunks import chunks

CLAUSES = 1_000
"""Terms of a query that every server takes at once; its limit grows with the heap from 1,024 on."""

MOST_FILTERED = 500_000
"""Blobs that a filter sends along, 20 MB of JSON; a larger one is applied to the ranked blobs as they come."""

PAGE = 2_000

SPARE = 30
"""Blobs that `Ranking.first` asks for beyond those that are wanted: of 100 batches of 50, 86 have fewer ties."""


class Ranked(NamedTuple):
    """A blob with its score, a whole number of the query's units."""

    score: float
    blob: str


class Ranking:
    """One query's ranking: by score (greatest first), then by blob id."""

    def __init__(
        self,
        connection: Connection,
        index: str,
        scaled: Sequence[tuple[Representation, int, float]],
        languages: Collection[str] | None,
        blobs: Collection[str] | None,
    ) -> None:
        """Asks nothing yet; `scaled` are the weights as `scale` gives them, `blobs` and `languages` filter."""
        self._connection, self._index = connection, index
        self._clauses = list(_clauses(scaled))
        self._filters = [] if languages is None else [filter_terms("language", languages)]
        self._only: frozenset[str] | None = None
        if blobs is not None and len(blobs) <= MOST_FILTERED:
            self._filters.append(filter_terms("blob", blobs))
        elif blobs is not None:
            self._only = frozenset(blobs)
        self._is_too_long = False

    def first(self, limit: int, fields: Sequence[str]) -> list[tuple[float, str, dict[str, Any]]] | None:
        """The score, id and hit of the best so many blobs and of all that tie with the last one, in their order, with
        these fields, by one request; None where it does not tell.

        The server sorts by the score alone, in half the time that it takes with ids. So among equals the request tells
        which come first only if it reaches the end of them.
        """
        if self._only is not None:
            return None
        size = limit + SPARE
        try:
            hits = self._connection.search(
                index=self._index,
                query=_any_of(self._clauses, self._filters),
                size=size,
                docvalue_fields=fields,
                track_total_hits=False,
                **NOTHING_STORED,
            )["hits"]["hits"]
        except TooManyClauses:
            self._is_too_long = True
            return None
        if len(hits) == size and hits[-1]["_score"] == hits[limit - 1]["_score"]:
            return None
        return sorted(((hit["_score"], hit["fields"]["blob"][0], hit) for hit in hits), key=_order)

    def best(self, wanted: int) -> list[Ranked]:
        """The best so many, fewer where there are no more."""
        if not self._is_too_long:
            with suppress(TooManyClauses):
                return self._take(self._pages(self._clauses, self._filters, wanted), wanted)
        return self._merged(wanted)

    def _merged(self, wanted: int) -> list[Ranked]:
        """The same by several queries of fewer terms (Fagin's threshold algorithm).

        Each gives its best blobs, whose whole scores are then asked for. A blob that none of them gave scores at most
        the sum of what the last that each gave scored there: once that is below the last one wanted, no other can
        come before it; until then each is asked for twice as many.
        """
        parts = list(chunks(self._clauses, CLAUSES))
        depth = wanted
        while True:
            seen: set[str] = set()
            unseen = 0.0
            for part in parts:
                given = self._take(self._pages(part, self._filters, depth), depth)
                seen.update(each.blob for each in given)
                unseen += given[-1].score if len(given) == depth else 0.0
            scores = dict.fromkeys(seen, 0.0)
            for part in parts:
                for each in self._pages(part, [filter_terms("blob", seen)], len(seen)):
                    scores[each.blob] += each.score
            ranked = sorted(map(Ranked, scores.values(), scores.keys()), key=_order)[:wanted]
            if not unseen or (len(ranked) == wanted and ranked[-1].score > unseen):
                return ranked
            depth *= 2

    def _take(self, ranked: Iterator[Ranked], wanted: int) -> list[Ranked]:
        chosen = (each for each in ranked if self._only is None or each.blob in self._only)
        return list(islice(chosen, wanted))  # and not one more, which may be on another page

    def _pages(
        self, clauses: Sequence[Mapping[str, Any]], filters: Sequence[Mapping[str, Any]], wanted: int
    ) -> Iterator[Ranked]:
        """The whole ranking by these clauses, read page by page as far as it is looked at."""
        size = max(1, min(PAGE, wanted))
        after: Sequence[Any] | None = None
        while True:
            hits = self._connection.search(
                index=self._index,
                query=_any_of(clauses, filters),
                sort=[{"_score": "desc"}, {"blob": "asc"}],
                size=size,
                search_after=after,
                track_total_hits=False,
                **NOTHING_STORED,
            )["hits"]["hits"]
            yield from (Ranked(*hit["sort"]) for hit in hits)
            if len(hits) < size:
                return
            after = hits[-1]["sort"]


def _any_of(clauses: Sequence[Mapping[str, Any]], filters: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"bool": {"should": clauses, "minimum_should_match": 1, "filter": filters}}


def _order(ranked: tuple[Any, ...]) -> tuple[float, str]:
    """By score (greatest first), then by blob id, which every entry begins with."""
    score, blob, *_ = ranked
    return -score, blob


def _clauses(scaled: Sequence[tuple[Representation, int, float]]) -> Iterator[dict[str, Any]]:
    for representation in INDEXED:
        weights = {term: weight for key, term, weight in scaled if key is representation}
        encoded = documents.encode_terms(np.fromiter(weights, np.uint64, len(weights)))
        field = terms_field(representation)
        for text, weight in zip(encoded, weights.values(), strict=True):
            yield {"constant_score": {"filter": {"term": {field: text}}, "boost": weight}}
