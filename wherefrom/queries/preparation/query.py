"""A query ready to be looked up, its windows, and the terms that were looked up in an index."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Self

import numpy as np

from wherefrom.analyzers.representations import kept_names
from wherefrom.analyzers.schemes import SCHEMES, Scheme
from wherefrom.analyzers.tokens import TokenStream, is_prose
from wherefrom.engines.engine import Engine
from wherefrom.model import Representation
from wherefrom.queries.alignment.aligning import Aligned, Aligner
from wherefrom.queries.alignment.chains import Grams
from wherefrom.queries.alignment.runs import MatchedRun, Sides, inside, unmasked, without_overlaps
from wherefrom.queries.preparation.background import Bits
from wherefrom.queries.spans import Flags, Numbers
from wherefrom.results import QueryInfo
from wherefrom.support.values import dataclass


def idf(document_frequency: int, blobs: int) -> float:
    """The weight of a term that n of N blobs have: ln(1 + (N - n + 0.5) / (n + 0.5)), which is always above 0."""
    return math.log1p((blobs - document_frequency + 0.5) / (document_frequency + 0.5))


@dataclass(frozen=True)  # `cached_property` needs a class without slots
class LookedUpTerms:
    """How many contents of an index have each of some terms (`counts`), and how many there are (`blobs`)."""

    counts: Mapping[Representation, Mapping[int, int]]
    blobs: Mapping[Representation, int]

    @classmethod
    def of(cls, engine: Engine, terms: Mapping[Representation, Collection[int]]) -> Self:
        """Looks terms up."""
        found = engine.document_frequencies({key: [*own] for key, own in terms.items()})
        counts = {key: dict(zip(own, found[key].counts, strict=True)) for key, own in terms.items()}
        return cls(counts, {key: frequencies.blobs for key, frequencies in found.items()})

    @cached_property
    def unit(self) -> float:
        """ln(1 + N) for N indexed blobs, which is about the idf of the rarest term."""
        return math.log1p(max(self.blobs.values(), default=0)) or 1.0

    def weights(self, terms: Mapping[Representation, Iterable[int]]) -> dict[Representation, dict[int, float]]:
        """The `idf` of each of these terms. One that no content has weighs as much as one in a single content."""
        return {
            key: {term: idf(self.counts[key][term] or 1, self.blobs[key]) for term in own} for key, own in terms.items()
        }


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A term of the query that is looked up. Its k-gram begins at the token `position`."""

    representation: Representation
    term: int
    position: int
    document_frequency: int
    weight: float


@dataclass(frozen=True, slots=True)
class QueryWindow:
    """A window of the query."""

    # its tokens, half-open
    begin: int
    end: int
    # how many tokens further on the query repeats the window; the first is 0, for the window itself
    distances: tuple[int, ...]
    terms: Mapping[Representation, Mapping[int, float]]  # the weighted terms, for the engine
    around: tuple[int, int]  # the tokens that documents are aligned with, half-open: the window and some on both sides
    bits: float  # the evidence in all of these tokens
    # makes the `Aligner` of the window and the tokens around it, or returns the one that was made
    aligner: Callable[[], Aligner]


@dataclass(frozen=True)  # `cached_property` needs a class without slots
class Query:
    """A snippet ready to be looked up."""

    stream: TokenStream
    masked: Flags  # which tokens are left out as boilerplate
    # int64, how much each token counts for the share that matches (`analyzers.noise.weights`); 0 if masked
    weights: Numbers
    window: int  # w', the number of k-gram hashes in a window of the sampler
    guarantee: int  # tokens of the shortest shared run that is always found
    fingerprints: tuple[Fingerprint, ...]
    parts: tuple[QueryWindow, ...]  # the windows that have terms
    weighed: Mapping[Representation, Callable[[], Grams]]  # make `whole`, which few queries need
    looked_up: LookedUpTerms  # the terms that were looked up
    excluded: Mapping[str, int]  # how many k-grams weigh nothing, by reason
    needed: int | None  # the least length in tokens that can be found, if the snippet is shorter than that; else None
    bits: Bits  # the evidence in each token
    counted: float  # how many tokens count as evidence (`Bits.counted`). The letters of code are as many as its tokens

    @property
    def is_prose(self) -> bool:
        """True if the query is prose: each token is a letter or digit."""
        return is_prose(self.stream)

    @cached_property
    def whole(self) -> Mapping[Representation, Grams]:
        """The weighted k-grams of the indexed schemes, for containment."""
        return {representation: make() for representation, make in self.weighed.items()}

    @cached_property
    def kept(self) -> Flags:
        """Which names `renamed` leaves as they are."""
        return kept_names(self.stream)

    @cached_property
    def excluded_tokens(self) -> int:
        """How many tokens are masked."""
        return int(np.count_nonzero(self.masked))

    @property
    def remaining_tokens(self) -> int:
        """How many tokens are not masked."""
        return len(self.stream) - self.excluded_tokens

    @property
    def least_matched(self) -> int:
        """The least number of tokens that a hit must match. If some tokens are masked, it is the guarantee t: a run
        that goes on into boilerplate may have only three other tokens. Otherwise it is 0, since a short snippet may be
        found as a whole.
        """
        return scheme_of(self.stream).guarantee if self.excluded_tokens else 0

    @property
    def is_too_short(self) -> bool:
        """Whether too few unmasked tokens are left to look up."""
        return 0 < self.remaining_tokens < self.least_matched

    def runs_of(self, found: Iterable[tuple[QueryWindow, Aligned]], *, is_once: bool = True) -> list[MatchedRun]:
        """The runs of a document beside some windows, and wherever the query repeats these windows: ascending, without
        overlaps in the query and, with `is_once`, in the document, outside of masked tokens.
        """
        runs = [
            run.moved(distance)
            for part, aligned in found
            for distance in part.distances
            for run in (aligned.runs if not distance else inside(aligned.runs, part.begin, part.end))
        ]
        return without_overlaps(unmasked(runs, self.masked), is_once=is_once)

    def beside(self, document: TokenStream) -> Sides:
        """The query and a document as the two sides of a comparison."""
        return Sides.of(self.stream, document, self.kept)

    def info(self, name: str, language: str) -> QueryInfo:
        """The query as an answer describes it."""
        return QueryInfo(
            name=name,
            language=language,
            tokens=len(self.stream),
            fingerprints=len(self.fingerprints),
            window=self.window,
            guarantee=self.guarantee,
            excluded=self.excluded,
            excluded_tokens=self.excluded_tokens,
            needed=self.needed,
        )


def scheme_of(stream: TokenStream) -> Scheme:
    """The scheme of prose or of code. Its `guarantee` is the length from which on a shared run is always found."""
    return SCHEMES[Representation.TEXT if is_prose(stream) else Representation.EXACT]
