"""Looks new contents up among what an index is watched for, before they are written.

The screen finds the few contents that may have watched code. Each is judged beside the tokens of that code, as a search
would do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.hashing import are_among
from wherefrom.analyzers.tokens import decode
from wherefrom.engines.engine import DocumentFrequencies, Engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import BlobDocument, Candidate, Hashes, Occurrence, Representation
from wherefrom.projects.watch.lookup import WatchLookup, lines_of, now
from wherefrom.projects.watch.screen import Screen
from wherefrom.projects.watch.watches import WatchedCode, WatchedPair
from wherefrom.queries.judging.judging import Judge, Judged
from wherefrom.queries.judging.rule import STRONG
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.preparation.query import QueryWindow

KEPT = 2_000
"""The most searches that are kept prepared. One takes about 0.1 MB, and preparing it again some milliseconds."""

_NO_TERMS: Hashes = np.empty(0, np.uint64)


class Lookout:
    """Finds which new contents have watched code. Call `found` with contents before they are written."""

    def __init__(self, engine: Engine, watches: Sequence[WatchedCode], analyzer: Analyzer) -> None:
        self._engine, self._watches = engine, watches
        self._weighed = _NewContents(engine, ())
        self._lookup = WatchLookup(analyzer)
        self._screen = Screen([watch.windows for watch in watches])
        self._judge = lru_cache(KEPT)(self._prepared)

    def found(self, documents: Sequence[BlobDocument]) -> Iterator[WatchedPair]:
        """The pairs of some new contents."""
        changes: dict[tuple[int, int], dict[int, BlobDocument]] = {}
        for at, watch, part, search in self._screen.suspects(documents):
            document = documents[at]
            judged = self._judged(document, watch, part, search)
            if judged is not None and self._watches[watch].parts[part].change:
                changes.setdefault((watch, part), {})[at] = document
            elif judged is not None:
                stored, stream = document.stored, judged.document.stream
                lines = lines_of(judged.runs, stream)
                yield WatchedPair(
                    self._watches[watch].name, part, stored.blob, lines, round(judged.probability, 4), now()
                )
        for (watch, part), own in changes.items():
            engine = _NewContents(self._engine, list(own.values()))
            yield from self._lookup.pairs(engine, self._watches[watch], part)

    def _judged(self, document: BlobDocument, watch: int, part: int, search: int) -> Judged | None:
        """A content beside the tokens of a search; None if it does not have them."""
        judge = self._judge(watch, part, search)
        scores = ((window, _score(window, document)) for window in judge.query.parts)
        found = (
            judge.judge(window, Candidate(score, document.stored), (), STRONG) for window, score in scores if score > 0
        )
        return max(filter(None, found), key=lambda judged: judged.probability, default=None)

    def _prepared(self, watch: int, part: int, search: int) -> Judge:
        return Judge(prepare(decode(self._watches[watch].parts[part].searches[search]), self._weighed), refused=0)


def _score(window: QueryWindow, document: BlobDocument) -> float:
    """The score of a content that is not in the index yet, as `Engine.candidates` would give it."""
    score = 0.0
    for key, weighted in window.terms.items():
        is_there = are_among(np.fromiter(weighted, np.uint64, len(weighted)), document.terms.get(key, _NO_TERMS))
        score += float(np.fromiter(weighted.values(), float, len(weighted))[is_there].sum())
    return score


class _NewContents(MemoryEngine):
    """Contents that are not in an index yet, weighed as if they were."""

    def __init__(self, index: Engine, documents: Sequence[BlobDocument]) -> None:
        super().__init__(index.schemes)
        self._of = index
        with self.writer() as writer:
            writer.add_blobs(replace(found, stored=replace(found.stored, source=None)) for found in documents)
            blobs = (found.stored.blob for found in documents)
            writer.put_occurrences(Occurrence("", blob, blob, "") for blob in blobs)

    def document_frequencies(
        self, terms: Mapping[Representation, Sequence[int]]
    ) -> dict[Representation, DocumentFrequencies]:
        """As in the index with one more content, which has all terms that count."""
        found = self._of.document_frequencies(terms)
        return {
            key: DocumentFrequencies([count + 1 for count in counts], blobs + 1)
            for key, (counts, blobs) in found.items()
        }
