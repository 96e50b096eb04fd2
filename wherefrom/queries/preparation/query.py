"""A query ready to be looked up, and its windows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import kernel
from wherefrom.analyzers.hashing import CODE_BITS
from wherefrom.analyzers.schemes import SCHEMES, Scheme
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.fitted import LONG_RUN, RUN
from wherefrom.model import Hashes, Representation
from wherefrom.queries.alignment.chains import Grams, Sieve
from wherefrom.queries.alignment.runs import Sides
from wherefrom.queries.looked_up import LookedUpTerms
from wherefrom.queries.preparation.patterns import Patterns, is_prose
from wherefrom.queries.spans import Flags, Numbers
from wherefrom.results import QueryInfo

if TYPE_CHECKING:
    from wherefrom import _kernel

ALIGNED: Mapping[Representation, int] = {
    Representation.EXACT: SCHEMES[Representation.EXACT].k,
    Representation.RENAMED: RUN,
    Representation.P_MATCH: LONG_RUN,
    Representation.TEXT: SCHEMES[Representation.TEXT].k,
}
"""k of the k-grams that are chained. It is larger for representations that keep less of a token, since matches by
chance are longer there."""

SKELETON = min(ALIGNED[Representation.RENAMED], ALIGNED[Representation.P_MATCH])
"""k of the skeleton k-grams, a sieve for the k-grams of `renamed` and `p_match`."""

LITERAL_K = SCHEMES[Representation.EXACT].k
"""k of the k-grams that compare literals."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A term of the query that is looked up. Its k-gram begins at the token `position`."""

    representation: Representation
    term: int
    position: int
    document_frequency: int
    weight: float


@dataclass(frozen=True)  # `cached_property` needs a class without slots
class WindowGrams:
    """The k-grams of a window that documents are compared with.

    Attributes:
        grams: the weighted k-grams for the chains; their positions refer to the whole query.
        skeletons: the hashes of the skeleton k-grams.
        symbols: the tokens, as `symbol_hashes` gives them.
        whole: the k-grams of the whole query; None if the window is the whole query.
    """

    grams: Mapping[Representation, Grams]
    skeletons: Hashes
    symbols: Hashes
    whole: WindowGrams | None = None

    @cached_property
    def skeleton_sieve(self) -> Sieve:
        """Finds the skeleton k-grams of a document that the window may have."""
        return Sieve(self.skeletons)

    @cached_property
    def symbol_sieve(self) -> Sieve:
        """Finds the symbols of a document that the window may have."""
        return Sieve(self.symbols)

    @cached_property
    def places(self) -> Mapping[Representation, NDArray[np.uint32]]:
        """For each distinct hash of the window, its index among the distinct hashes of the whole query."""
        whole = (self.whole or self).grams
        return {key: whole[key].hashes.searchsorted(own.hashes).astype(np.uint32) for key, own in self.grams.items()}

    @cached_property
    def sought(self) -> _kernel.Sought:
        """The k-grams in the kernel's form for comparing documents; the kernel must be active."""
        grams = [(representation.value, own.k, own.hashes) for representation, own in self.grams.items()]
        return _active_kernel().sought(grams, SKELETON, self.skeletons, self.symbols)

    @cached_property
    def window(self) -> _kernel.Window:
        """The window's part of the whole query in the kernel's form; the kernel must be active."""
        return _active_kernel().window([*self.places.values()])

    @cached_property
    def chained(self) -> _kernel.Chained:
        """The k-grams in the kernel's form for making chains; the kernel must be active."""
        return _active_kernel().chained([own.occurrences() for own in self.grams.values()])


def _active_kernel() -> kernel.Kernel:
    native = kernel.active()
    assert native is not None, "only the kernel needs this"
    return native


@dataclass(frozen=True, slots=True)
class QueryWindow:
    """A window of the query.

    Attributes:
        begin, end: its tokens, half-open.
        distances: how many tokens further on the query repeats the window; the first is 0, for the window itself.
        terms: the weighted terms, for the engine.
        lookup: makes its `WindowGrams`, or returns those that were made.
        left: which of its tokens remain after `without`; None if all do.
    """

    begin: int
    end: int
    distances: tuple[int, ...]
    terms: Mapping[Representation, Mapping[int, float]]
    lookup: Callable[[], WindowGrams]
    left: Flags | None = None

    def without(self, matched: Flags) -> QueryWindow:
        """The same window without the k-grams that have one of the `matched` tokens of the window."""
        lookup = self.lookup()
        grams = {representation: own.without(matched) for representation, own in lookup.grams.items()}
        remaining = replace(lookup, grams=grams, whole=lookup.whole or lookup)
        left = ~matched if self.left is None else self.left & ~matched
        return replace(self, lookup=lambda: remaining, left=left)


@dataclass(frozen=True)  # `cached_property` needs a class without slots
class Query:
    """A snippet ready to be looked up.

    Attributes:
        kept: which names `renamed` leaves as they are.
        masked: which tokens are left out as boilerplate.
        weights: int64, how much each token counts for the share that matches (`analyzers.noise.weights`); 0 if masked.
        window: w', the number of k-gram hashes in a window of the sampler.
        guarantee: tokens of the shortest shared run that is always found.
        parts: the windows that have terms.
        whole: the weighted k-grams of the indexed schemes, for containment.
        literal_grams: the distinct k-grams of its code, with names alike and literals as their text, ascending.
        looked_up: the terms that were looked up.
        excluded: how many k-grams weigh nothing, by reason.
        needed: the least length in tokens that can be found, if the snippet is shorter than that; else None.
        patterns: its patterns and literals, which the rule counts.
    """

    stream: TokenStream
    kept: Flags
    masked: Flags
    weights: Numbers
    window: int
    guarantee: int
    fingerprints: tuple[Fingerprint, ...]
    parts: tuple[QueryWindow, ...]
    whole: Mapping[Representation, Grams]
    literal_grams: Hashes
    looked_up: LookedUpTerms
    excluded: Mapping[str, int]
    needed: int | None
    patterns: Patterns

    @property
    def is_prose(self) -> bool:
        """True if the query is prose: each token is a letter or digit."""
        return is_prose(self.stream)

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

    @cached_property
    def windows(self) -> int:
        """How many windows the query has, repeated ones included."""
        return sum(len(part.distances) for part in self.parts)

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


def symbol_hashes(codes: Hashes) -> Hashes:
    """Token codes as hashes for a `Sieve`: shifted left, since it looks only at the leading bits."""
    return codes << np.uint64(64 - CODE_BITS)
