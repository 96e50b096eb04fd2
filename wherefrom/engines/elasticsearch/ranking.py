"""Finds the blobs with the greatest sums of weights, for any number of terms and of blobs in a filter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from wherefrom.engines.elasticsearch import documents
from wherefrom.engines.elasticsearch.connection import NOTHING_STORED, ClusterConnection, TooManyClauses, filter_terms
from wherefrom.engines.terms import ScaledWeights
from wherefrom.mappings.elasticsearch import terms_field
from wherefrom.model import INDEXED
from wherefrom.support.chunks import chunks

CLAUSES = 1_000  # every server takes this many terms in one query: the limit is 1,024 or more, depending on its heap
MOST_FILTERED = 500_000  # a filter of at most this many blobs (20 MB) is sent to the server, a larger one applied here
PAGE = 2_000
SPARE = 30  # `Ranking.first` requests this many more blobs, for ties. Of 100 batches of 50 blobs, 86 have fewer


_Queries = Sequence[Mapping[str, Any]]


class Scored(NamedTuple):
    """A blob with its score, a whole number in the query's unit."""

    score: float
    blob: str


class Ranking:
    """One query's ranking: by score (greatest first), then by blob id."""

    def __init__(
        self,
        connection: ClusterConnection,
        index: str,
        scaled: ScaledWeights,
        languages: Collection[str] | None,
        blobs: Collection[str] | None,
    ) -> None:
        """Sends nothing yet. `scaled` are the weights that `scale` returns; `blobs` and `languages` are filters."""
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
        """Gets, in one request, the best `limit` blobs, all that tie with the last one, and perhaps more, in the order
        of the ranking: the score, id and hit (with these fields) of each. Returns None if one request is not enough.
        The server sorts by the score alone, which takes half the time of sorting by ids as well. Blobs with equal
        scores are sorted by id here, so the request must get all blobs that tie with the last one.
        """
        if self._only is not None:
            return None
        size = limit + SPARE
        try:
            hits = self._hits(self._clauses, self._filters, size=size, docvalue_fields=fields)
        except TooManyClauses:
            self._is_too_long = True
            return None
        if len(hits) == size and hits[-1]["_score"] == hits[limit - 1]["_score"]:
            return None
        return sorted(((hit["_score"], hit["fields"]["blob"][0], hit) for hit in hits), key=_order)

    def best(self, wanted: int) -> list[Scored]:
        """The best `wanted` blobs, or all if there are fewer."""
        if not self._is_too_long:
            with suppress(TooManyClauses):
                return self._take(self._pages(self._clauses, self._filters, wanted), wanted)
        return self._merged(wanted)

    def _merged(self, wanted: int) -> list[Scored]:
        """Implements `best` by several queries of fewer terms (Fagin's threshold algorithm). Each query returns its
        best blobs. Then the whole scores of all these blobs are queried. A blob that no query returned has at most the
        sum of the last scores of all queries. If this sum is below the score of the last wanted blob, the ranking is
        complete; if not, each query is sent again for twice as many blobs.
        """
        parts = list(chunks(self._clauses, CLAUSES))
        depth = wanted
        while True:
            seen: set[str] = set()
            unseen = 0.0
            for part in parts:
                given = self._take(self._pages(part, self._filters, depth), depth)
                seen.update(ranked.blob for ranked in given)
                unseen += given[-1].score if len(given) == depth else 0.0
            scores = dict.fromkeys(seen, 0.0)
            for part in parts:
                for score, blob in self._pages(part, [filter_terms("blob", seen)], len(seen)):
                    scores[blob] += score
            best = sorted(map(Scored, scores.values(), scores.keys()), key=_order)[:wanted]
            if not unseen or (len(best) == wanted and best[-1].score > unseen):
                return best
            depth *= 2

    def _take(self, ranked: Iterator[Scored], wanted: int) -> list[Scored]:
        chosen = (blob for blob in ranked if self._only is None or blob.blob in self._only)
        return list(islice(chosen, wanted))  # takes no further hit, which might request another page

    def _pages(self, clauses: _Queries, filters: _Queries, wanted: int) -> Iterator[Scored]:
        """The whole ranking by these clauses; each page is read when it is needed."""
        size = max(1, min(PAGE, wanted))
        after: Sequence[Any] | None = None
        while True:
            order = [{"_score": "desc"}, {"blob": "asc"}]
            hits = self._hits(clauses, filters, size=size, sort=order, search_after=after)
            yield from (Scored(*hit["sort"]) for hit in hits)
            if len(hits) < size:
                return
            after = hits[-1]["sort"]

    def _hits(self, clauses: _Queries, filters: _Queries, **body: Any) -> list[dict[str, Any]]:
        query = {"bool": {"should": clauses, "minimum_should_match": 1, "filter": filters}}
        answer = self._connection.search(
            index=self._index, query=query, track_total_hits=False, **NOTHING_STORED, **body
        )
        hits: list[dict[str, Any]] = answer["hits"]["hits"]
        return hits


def _order(ranked: tuple[Any, ...]) -> tuple[float, str]:
    """The key that sorts entries by score (greatest first), then by blob id. An entry begins with these two."""
    score, blob, *_ = ranked
    return -score, blob


def _clauses(scaled: ScaledWeights) -> Iterator[dict[str, Any]]:
    for representation in INDEXED:
        weights = {term: weight for key, term, weight in scaled if key is representation}
        encoded = documents.encode_terms(np.fromiter(weights, np.uint64, len(weights)))
        field = terms_field(representation)
        for text, weight in zip(encoded, weights.values(), strict=True):
            yield {"constant_score": {"filter": {"term": {field: text}}, "boost": weight}}
