"""From a snippet's tokens to what is looked up: windows, weighted terms, weighted k-grams."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import term_of
from wherefrom.analyzers.noise import weights as weights_of
from wherefrom.analyzers.representations import KGrams, kept_names, kgrams, skeletons
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import NumberedSymbols, TokenStream
from wherefrom.engines.engine import Engine
from wherefrom.errors import UsageError, WindowError
from wherefrom.fitted import CHARACTERS, LONG_QUERY, SHORT_QUERY, WIDER
from wherefrom.model import INDEXED, BoilerplateSet, Hashes, Representation
from wherefrom.queries.alignment.chains import Grams
from wherefrom.queries.preparation.alphabets import sequences
from wherefrom.queries.preparation.imports import declarations
from wherefrom.queries.preparation.patterns import Patterns
from wherefrom.queries.preparation.query import (
    ALIGNED,
    LITERAL_K,
    SKELETON,
    Fingerprint,
    Query,
    QueryWindow,
    WindowGrams,
    is_prose,
    scheme_of,
    symbol_hashes,
)
from wherefrom.queries.spans import covered, number_inside

MOST_QUIET = 0.5
"""A k-gram of `renamed` or `p_match` is not chained of whose tokens a larger share declares imports or a package, or is
an alphabet or counts (see `sequences`): these are alike everywhere. What is said exactly is chained all the same.
"""

WINDOW, STRIDE = LONG_QUERY // 2, LONG_QUERY // 4
"""Tokens of the windows that a long query is cut into, and from the beginning of one to the next."""

READY = 64
"""Windows of a query whose `WindowGrams` is kept: it takes 0.4 MB, and making it again a hundredth of the time that the
candidates of the window take."""

_NONE: Hashes = np.empty(0, np.uint64)


class _LookedUp(NamedTuple):
    """What is looked up in one representation: which of the `grams` the sampler `kept`, the `distinct` terms of
    these, for each kept k-gram the `number` of its term among them, and whether it is `common`: kept with w' itself,
    and so by every document that has the text around it, too. How many documents hold a term is known of these alone.
    """

    grams: KGrams
    kept: NDArray[np.intp]
    distinct: Hashes
    number: NDArray[np.intp]
    common: NDArray[np.bool_]


def idf(document_frequency: int, blobs: int) -> float:
    """ln(1 + (N - n + 0.5) / (n + 0.5)), above 0 for every n up to N."""
    return math.log1p((blobs - document_frequency + 0.5) / (document_frequency + 0.5))


def boilerplate_mask(stream: TokenStream, sets: Iterable[BoilerplateSet]) -> NDArray[np.bool_]:
    """Which tokens are covered by a k-gram, in any representation, that one of the sets holds.

    A single k-gram of `p_match` is the shape of a line or two that any code may have, so there a stretch as long as the
    scheme's guarantee has to be made of them: a set knows its k-grams and not their order.
    """
    masked = np.zeros(len(stream), np.bool_)
    named = list(sets)
    for representation in INDEXED if named else ():
        grams = kgrams(stream, representation, SCHEMES[representation].k)
        for each in named:
            begins = grams.positions[_is_in(grams.hashes, each.hashes.get(representation, _NONE))]
            if representation is Representation.P_MATCH:
                begins = _in_runs(begins, SCHEMES[representation].w)
            masked |= covered(begins, begins + grams.k, len(stream))
    return masked


def _in_runs(positions: NDArray[np.int64], least: int) -> NDArray[np.int64]:
    """Those of some positions, ascending, that are among so many or more without a gap."""
    begins = np.flatnonzero(np.diff(positions, prepend=-2) != 1)
    lengths = np.diff(begins, append=len(positions))
    return positions[np.repeat(lengths >= least, lengths)]


def _is_in(hashes: Hashes, ascending: Hashes) -> NDArray[np.bool_]:
    """Which of the hashes are among the ascending ones, of which there may be millions."""
    if not len(ascending):
        return np.zeros(len(hashes), np.bool_)
    nearest = ascending.searchsorted(hashes)
    found: NDArray[np.bool_] = ascending[np.minimum(nearest, len(ascending) - 1)] == hashes
    return found


def query_window(tokens: int, window: int | None, *, text: bool) -> int:
    """The window w' for a query of so many tokens: as asked for, else 2 w; always w for a short one of code, of which a
    wider window would keep a term or two.

    Raises:
        WindowError: smaller than the index's w.
    """
    w = SCHEMES[Representation.TEXT if text else Representation.EXACT].w
    if window is not None and window < w:
        raise WindowError(
            f"the window {window} is smaller than the index's {w}: terms would be looked up that the true document "
            f"did not keep; give {w} or more"
        )
    if tokens < SHORT_QUERY and not text:
        return w
    return window or (w if text else WIDER * w)


def prepare(
    stream: TokenStream,
    engine: Engine,
    *,
    window: int | None = None,
    boilerplate: Iterable[BoilerplateSet] = (),
    max_df: float | None = None,
) -> Query:
    """Fingerprints a query with w', masks what is boilerplate and weighs the rest.

    Args:
        stream: the snippet's tokens.
        engine: answers how many blobs hold a term.
        window: w', or None for the default.
        boilerplate: sets whose k-grams weigh nothing.
        max_df: terms in more than this share of the blobs weigh nothing, above 0 and at most 1.

    Raises:
        WindowError: the window is smaller than the index's w.
        UsageError: `max_df` is out of range.
    """
    if max_df is not None and not 0 < max_df <= 1:
        raise UsageError(f"max-df is a share of the blobs, above 0 and at most 1, not {max_df}")
    text = is_prose(stream)
    used = query_window(len(stream), window, text=text)
    masked = boilerplate_mask(stream, boilerplate)

    fingerprints: dict[Representation, list[Fingerprint]] = {}
    weighted: dict[Representation, tuple[KGrams, NDArray[np.float64]]] = {}
    aligned: dict[Representation, tuple[KGrams, NDArray[np.float64]]] = {}
    blobs: dict[Representation, int] = {}
    excluded = {"boilerplate": 0, "max_df": 0}
    looked_up = _looked_up(stream, used, denser=WIDER if window is None else 1)
    in_order = sequences(stream)
    quiet = in_order | declarations(stream)
    frequencies = engine.document_frequencies({key: each.distinct.tolist() for key, each in looked_up.items()})
    for representation, (grams, kept, distinct, number, common) in looked_up.items():
        scheme = SCHEMES[representation]
        counts, total = frequencies[representation]
        blobs[representation] = total
        weights = np.array([idf(count, total) for count in counts])
        if max_df is not None:
            weights[np.array(counts) > max_df * total] = 0
        at_fingerprint, where = weights[number], grams.positions[kept]

        each = _nearest(where[common], at_fingerprint[common], grams.positions)
        free = _unmasked(grams, masked)
        excluded["boilerplate"] += int(np.count_nonzero(~free))
        excluded["max_df"] += int(np.count_nonzero(free & (each == 0)))
        weighted[representation] = (grams, np.where(free, each, 0))
        fingerprints[representation] = [
            Fingerprint(representation, term, position, counts[index], weight)
            for term, position, index, weight, usable in zip(
                distinct[number].tolist(),
                where.tolist(),
                number.tolist(),
                at_fingerprint.tolist(),
                free[kept].tolist(),
                strict=True,
            )
            if weight and usable
        ]
        chained = (
            grams if ALIGNED[representation] == scheme.k else kgrams(stream, representation, ALIGNED[representation])
        )
        near = _nearest(where[common], at_fingerprint[common], chained.positions)
        counted = _unmasked(chained, masked)
        if representation in (Representation.RENAMED, Representation.P_MATCH):
            counted &= number_inside(quiet, chained.positions, chained.k) <= MOST_QUIET * chained.k
        aligned[representation] = (chained, np.where(counted, near / _repetitions(chained), 0))

    lookups = _Lookups(aligned, skeletons(_numbered(stream), SKELETON), symbol_hashes(stream.codes))
    spans = windows(len(stream), CHARACTERS if text else 1)
    return Query(
        stream=stream,
        kept=kept_names(stream),
        masked=masked,
        weights=np.where(masked, 0, weights_of(stream)),
        window=used,
        guarantee=used + (scheme_of(stream).k - 1),
        fingerprints=tuple(chain.from_iterable(fingerprints.values())),
        parts=tuple(_parts(spans, fingerprints, lookups, masked)),
        whole={r: Grams(g.k, g.hashes, g.positions, w, len(stream)) for r, (g, w) in weighted.items()},
        literal_grams=_literal_grams(stream, masked),
        blobs=blobs,
        excluded=excluded,
        needed=None if weighted else scheme_of(stream).k,
        # Where nothing else is said, imports are what is looked up, as they are.
        patterns=Patterns(stream, masked | (in_order if np.all(masked | quiet) else quiet)),
    )


def _literal_grams(stream: TokenStream, masked: NDArray[np.bool_]) -> Hashes:
    """See `Query`."""
    grams = skeletons(_numbered(stream), LITERAL_K, literals=True)
    return np.unique(grams.hashes[_unmasked(grams, masked)])


def _looked_up(stream: TokenStream, window: int, *, denser: int) -> dict[Representation, _LookedUp]:
    """The terms of each representation in which the query has a k-gram; those of prose so many times `denser`."""
    found = {}
    for representation in INDEXED:
        scheme = SCHEMES[representation]
        grams = sampled_kgrams(stream, scheme)
        if len(grams.hashes):
            kept = common = sample(grams, scheme, max(window, scheme.w))
            if representation is Representation.TEXT and denser > 1:
                kept = sample(grams, scheme, max(window, scheme.w) // denser)
            elif len(grams.hashes) < scheme.w:
                # Less than t: which of these a document keeps depends on what is beside them there.
                kept = np.arange(len(grams.hashes))
            terms = term_of(grams.hashes[kept])
            distinct, number = np.unique(terms, return_inverse=True)
            is_common = np.isin(grams.hashes[kept], grams.hashes[common])
            found[representation] = _LookedUp(grams, kept, distinct, number, is_common)
    return found


def windows(tokens: int, scale: int = 1) -> list[tuple[int, int]]:
    """The half-open token spans in which a query of so many tokens is looked up; `scale` times as long for prose."""
    if tokens <= LONG_QUERY * scale:
        return [(0, tokens)]
    stride = STRIDE * scale
    return [(begin, min(begin + WINDOW * scale, tokens)) for begin in range(0, tokens - stride, stride)]


def _unmasked(grams: KGrams, masked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which k-grams have a token that is not masked."""
    return number_inside(masked, grams.positions, grams.k) < grams.k


def _repetitions(grams: KGrams) -> NDArray[np.int64]:
    """How often the hash of each k-gram occurs among them. By these its weight is divided, so that all of its
    occurrences weigh as much as one: tables and chains of cases are alike everywhere, and long.
    """
    _, numbers, counts = np.unique(grams.hashes, return_inverse=True, return_counts=True)
    return counts[numbers]


def _nearest(
    where: NDArray[np.int64], values: NDArray[np.float64], positions: NDArray[np.int64]
) -> NDArray[np.float64]:
    """For each position the value of the nearest of the ascending `where` (at least one), of two the left one."""
    right = np.minimum(np.searchsorted(where, positions), len(where) - 1)
    left = np.maximum(right - 1, 0)
    closer = np.abs(where[left] - positions) <= np.abs(where[right] - positions)
    return values[np.where(closer, left, right)]


def _parts(
    spans: Iterable[tuple[int, int]],
    fingerprints: Mapping[Representation, list[Fingerprint]],
    lookups: _Lookups,
    masked: NDArray[np.bool_],
) -> Iterator[QueryWindow]:
    """The windows that have terms, each once however often it is repeated."""
    lookup = lru_cache(READY)(lookups.of)
    same: dict[bytes, list[tuple[int, int]]] = {}
    for begin, end in spans:
        digest = blake2b(repr(_terms(fingerprints, begin, end)).encode(), digest_size=16)
        for values in (masked[begin:end], *lookups.values(begin, end)):
            digest.update(b"%d " % len(values) + values.tobytes())
        same.setdefault(digest.digest(), []).append((begin, end))
    for (begin, end), *repeated in same.values():
        terms = _terms(fingerprints, begin, end)
        if terms:
            distances = (0, *(other - begin for other, _ in repeated))
            tokens = int(np.count_nonzero(~masked[begin:end]))
            yield QueryWindow(begin, end, distances, tokens, terms, partial(lookup, begin, end))


def _terms(
    fingerprints: Mapping[Representation, list[Fingerprint]], begin: int, end: int
) -> dict[Representation, dict[int, float]]:
    """The weighted terms of the fingerprints, ascending by position, that lie wholly inside a token span."""
    terms = {}
    for representation, ordered in fingerprints.items():
        low = bisect_left(ordered, begin, key=attrgetter("position"))
        high = bisect_right(ordered, end - SCHEMES[representation].k, low, key=attrgetter("position"))
        if low < high:
            terms[representation] = {each.term: each.weight for each in ordered[low:high]}
    return terms


class _Lookups:
    """The k-grams of a whole query, from which the `WindowGrams` of a window is made."""

    def __init__(
        self, aligned: Mapping[Representation, tuple[KGrams, NDArray[np.float64]]], skeletons: KGrams, symbols: Hashes
    ) -> None:
        self._aligned, self._skeletons, self._symbols = aligned, skeletons, symbols

    def values(self, begin: int, end: int) -> Iterator[NDArray[np.generic]]:
        """What tells the k-grams of a token span from those of another one."""
        for whole, weights in self._aligned.values():
            inside = _within(whole, begin, end)
            yield from (whole.hashes[inside], whole.positions[inside] - begin, weights[inside])

    def of(self, begin: int, end: int) -> WindowGrams:
        """The `WindowGrams` of a token span."""
        grams = {}
        for representation, (whole, weights) in self._aligned.items():
            inside = _within(whole, begin, end)
            grams[representation] = Grams(
                whole.k, whole.hashes[inside], whole.positions[inside], weights[inside], end - begin, begin=begin
            )
        of_skeletons = self._skeletons.hashes[_within(self._skeletons, begin, end)]
        is_whole = (begin, end) == (0, len(self._symbols))
        return WindowGrams(grams, of_skeletons, self._symbols[begin:end], None if is_whole else self._whole)

    @cached_property
    def _whole(self) -> WindowGrams:
        return self.of(0, len(self._symbols))


def _numbered(stream: TokenStream) -> NumberedSymbols:
    return NumberedSymbols(stream.codes, stream.classes, np.arange(len(stream), dtype=np.uint32), stream.segments)


def _within(grams: KGrams, begin: int, end: int) -> slice:
    """Which k-grams lie wholly inside a token span."""
    low, high = np.searchsorted(grams.positions, (begin, end - grams.k + 1)).tolist()
    return slice(low, max(low, high))
