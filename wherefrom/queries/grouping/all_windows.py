"""A document beside every window of a long query: one score, one set of runs, one explanation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wherefrom.model import Representation
from wherefrom.queries.alignment.aligning import Alignment, covered_tokens
from wherefrom.queries.alignment.runs import Run
from wherefrom.queries.judging.judging import Judged
from wherefrom.queries.preparation.query import ALIGNED, Query, QueryWindow
from wherefrom.results import ChainExplanation


class AllWindows:
    """A document beside all windows of the query: what their chains hold together, with each k-gram counted once, for
    windows overlap. It is found best by `best`, and by all `parts`; `chains` say what each representation adds to the
    score.
    """

    def __init__(self, query: Query, best: Judged) -> None:
        self.best = best
        self.runs: list[Run] = []
        self.parts: list[QueryWindow] = []
        self.chains: tuple[ChainExplanation, ...] = ()
        self._longest_run: dict[Representation, int] = {}
        self._query = query
        self._scores: dict[Representation, float] = {}
        self._chained: dict[Representation, NDArray[np.bool_]] = {}
        self.add(best.part, best.alignment)

    def add(self, part: QueryWindow, alignment: Alignment) -> None:
        """Takes a window by which it is found too."""
        self.parts.append(part)
        self.runs += alignment.runs(part.distances)
        grams = part.lookup().grams
        for representation, chain in alignment.chains.items():
            if representation not in self._chained:
                self._chained[representation] = np.zeros(len(self._query.stream), np.bool_)
            chained = self._chained[representation]
            weights = grams[representation].weights(chain.query)
            for distance in part.distances:
                places = chain.query + distance
                fresh = float(weights[~chained[places]].sum()) / chain.k
                self._scores[representation] = self._scores.get(representation, 0.0) + fresh
                chained[places] = True
            self._longest_run[representation] = max(self._longest_run.get(representation, 0), chain.longest_run)

    def finish(self) -> None:
        """Frees what tells which k-grams were counted; no window is added any more."""
        remaining = self._query.remaining_tokens
        explained = []
        for representation, score in self._scores.items():
            places = np.flatnonzero(self._chained[representation])
            covered = covered_tokens(places, ALIGNED[representation], self._query.masked)
            explained.append(
                ChainExplanation(
                    representation=representation,
                    score=round(score, 6),
                    kgrams=len(places),
                    coverage=round(covered / remaining, 6) if remaining else 0.0,
                    longest_run=self._longest_run[representation],
                )
            )
        self.chains = tuple(explained)
        self._chained.clear()

    @property
    def score(self) -> float:
        """The chains' scores, up to twice that for the literals, and less for what does not agree."""
        return sum(self._scores.values()) * (1 + self.best.literal_share) * self.best.agreement
