"""A query made ready, and its windows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import kernel
from wherefrom.analyzers.hashing import CODE_BITS
from wherefrom.analyzers.schemes import SCHEMES, Scheme
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.fitted import LONG_RUN, RUN
from wherefrom.model import Hashes, Representation
from wherefrom.queries.alignment.chains import Grams, Sieve
from wherefrom.queries.alignment.runs import Sides
from wherefrom.queries.preparation.patterns import Patterns
from wherefrom.results import QueryInfo

if TYPE_CHECKING:
    from wherefrom import _kernel

ALIGNED: Mapping[Representation, int] = {
    Representation.EXACT: SCHEMES[Representation.EXACT].k,
    Representation.RENAMED: RUN,
    Representation.P_MATCH: LONG_RUN,
    Representation.TEXT: SCHEMES[Representation.TEXT].k,
}
"""k of the k-grams that are chained. The more a representation forgets, the longer a chance match gets."""

SKELETON = min(ALIGNED[Representation.RENAMED], ALIGNED[Representation.P_MATCH])
"""Tokens of the skeleton k-grams that sieve those of `renamed` and `p_match`."""

LITERAL_K = SCHEMES[Representation.EXACT].k
"""Tokens of the k-grams that compare literals."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A looked-up term of the query."""

    representation: Representation
    term: int
    position: int
    document_frequency: int
    weight: float


@dataclass(frozen=True)  # without slots: what is made of it is kept
class WindowGrams:
    """What documents are compared with.

    Attributes:
        grams: the weighted k-grams of a window for the chains; positions count from the beginning of the whole query.
        skeletons: the hashes of its skeleton k-grams.
        symbols: as `symbol_hashes` gives them.
        whole: that of the whole query; None where this is it.
    """

    grams: Mapping[Representation, Grams]
    skeletons: Hashes
    symbols: Hashes
    whole: WindowGrams | None = None

    @cached_property
    def skeleton_sieve(self) -> Sieve:
        """Tells which skeleton k-grams of a document the window may have."""
        return Sieve(self.skeletons)

    @cached_property
    def symbol_sieve(self) -> Sieve:
        """Tells which symbols of a document the window may have."""
        return Sieve(self.symbols)

    @cached_property
    def places(self) -> Mapping[Representation, NDArray[np.uint32]]:
        """For each distinct hash of its k-grams the place among those of the whole query."""
        whole = (self.whole or self).grams
        return {key: whole[key].hashes.searchsorted(each.hashes).astype(np.uint32) for key, each in self.grams.items()}

    @cached_property
    def sought(self) -> _kernel.Sought:
        """The same as the kernel takes it, which has to be there."""
        native = kernel.active()
        assert native is not None, "the kernel asks for it"
        grams = {representation: (each.k, each.hashes) for representation, each in self.grams.items()}
        return native.sought(grams, SKELETON, self.skeletons, self.symbols)

    @cached_property
    def window(self) -> _kernel.Window:
        """Its part of the whole query as the kernel takes it, which has to be there."""
        native = kernel.active()
        assert native is not None, "the kernel asks for it"
        return native.window(self.places.values())

    @cached_property
    def chained(self) -> _kernel.Chained:
        """Its k-grams as the kernel takes them for chains, which has to be there."""
        native = kernel.active()
        assert native is not None, "the kernel asks for it"
        return native.chained(each.occurrences() for each in self.grams.values())


@dataclass(frozen=True, slots=True)
class QueryWindow:
    """A window of the query: the half-open token span `begin` to `end`.

    Where the query repeats itself, windows that nothing tells from this one are not looked up again: `distances` says
    how many tokens further on each begins, 0 for this one. `terms` are for the engine, `tokens` counts those that are
    not masked, `lookup` gives the rest, which is made when it is asked for. Of a window of which some tokens are left
    out, `left` says which are not.
    """

    begin: int
    end: int
    distances: tuple[int, ...]
    tokens: int
    terms: Mapping[Representation, Mapping[int, float]]
    lookup: Callable[[], WindowGrams]
    left: NDArray[np.bool_] | None = None

    def without(self, matched: NDArray[np.bool_]) -> QueryWindow:
        """The same window, but for the k-grams that hold one of these tokens of the window."""
        lookup = self.lookup()
        grams = {representation: each.without(matched) for representation, each in lookup.grams.items()}
        remaining = replace(lookup, grams=grams, whole=lookup.whole or lookup)
        left = ~matched if self.left is None else self.left & ~matched
        return replace(self, lookup=lambda: remaining, left=left)


@dataclass(frozen=True)  # without slots: what is made of it is kept
class Query:
    """A snippet made ready.

    Attributes:
        kept: which tokens `renamed` keeps where they are names.
        masked: which tokens are left out as boilerplate.
        weights: int64, what each token counts for the share that matches (`analyzers.noise.weights`), 0 where masked.
        window: w'; `guarantee` tokens of a run are always seen.
        parts: the windows that have terms.
        whole: the weighted k-grams of the indexed schemes, for containment.
        literal_grams: the distinct k-grams of its code with names alike and literals as their text, ascending.
        blobs: N of each representation.
        excluded: k-grams that weigh nothing, by reason.
        needed: tokens from which on anything can be found, where the snippet is shorter.
    """

    stream: TokenStream
    kept: NDArray[np.bool_]
    masked: NDArray[np.bool_]
    weights: NDArray[np.int64]
    window: int
    guarantee: int
    fingerprints: tuple[Fingerprint, ...]
    parts: tuple[QueryWindow, ...]
    whole: Mapping[Representation, Grams]
    literal_grams: Hashes
    blobs: Mapping[Representation, int]
    excluded: Mapping[str, int]
    needed: int | None
    patterns: Patterns

    @property
    def is_prose(self) -> bool:
        """Whether its tokens are the letters of a text."""
        return is_prose(self.stream)

    @cached_property
    def excluded_tokens(self) -> int:
        """Tokens that are masked."""
        return int(np.count_nonzero(self.masked))

    @property
    def remaining_tokens(self) -> int:
        """Tokens that are not masked."""
        return len(self.stream) - self.excluded_tokens

    @property
    def least_matched(self) -> int:
        """The tokens that a hit matches at least: t where some are masked, for what remains of a run that goes on into
        boilerplate may be three tokens; 0 where none is, for a short snippet may be found whole.
        """
        return least_tokens(self.stream) if self.excluded_tokens else 0

    @property
    def is_too_short(self) -> bool:
        """Whether too few tokens are left to be looked up."""
        return 0 < self.remaining_tokens < self.least_matched

    @cached_property
    def unit(self) -> float:
        """ln(1 + N), which the idf of a rare term grows with."""
        return math.log1p(max(self.blobs.values(), default=0)) or 1.0

    @cached_property
    def windows(self) -> int:
        """How many windows it has."""
        return sum(len(part.distances) for part in self.parts)

    @cached_property
    def held_terms(self) -> frozenset[tuple[Representation, int]]:
        """Those of its terms that the index has."""
        return frozenset((each.representation, each.term) for each in self.fingerprints if each.document_frequency)

    def beside(self, document: TokenStream) -> Sides:
        """It and a document."""
        return Sides.of(self.stream, document, self.kept)

    def info(self, name: str, language: str) -> QueryInfo:
        """What became of the snippet of that name."""
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


def is_prose(stream: TokenStream) -> bool:
    """Whether the tokens are the letters of a text."""
    return bool(len(stream)) and bool(np.all(stream.classes == TokenClass.CHARACTER))


def scheme_of(stream: TokenStream) -> Scheme:
    """The scheme that says from which length on a shared run is always seen: that of prose, or of code."""
    return SCHEMES[Representation.TEXT if is_prose(stream) else Representation.EXACT]


def least_tokens(stream: TokenStream) -> int:
    """The length from which a shared run is always seen, t = w + k - 1 of the index (in prose, characters)."""
    return scheme_of(stream).guarantee


def symbol_hashes(codes: Hashes) -> Hashes:
    """Token codes as a `Sieve` takes them: their bits leading."""
    return codes << np.uint64(64 - CODE_BITS)
