"""Fingerprints: the sampled k-grams of a text, and their terms, which an index stores."""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import zstandard
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import are_among, packed, term_of, terms, unpacked
from wherefrom.analyzers.representations import KGrams, kgrams
from wherefrom.analyzers.samplers import WINNOWING, open_closed
from wherefrom.analyzers.schemes import SCHEMES, Scheme
from wherefrom.analyzers.tokens import PLACES, Symbols, TokenStream, decode, reading
from wherefrom.fitted import WIDER
from wherefrom.model import Hashes, Representation
from wherefrom.support import zstd
from wherefrom.support.values import dataclass

DATING = (Representation.RENAMED, Representation.P_MATCH, Representation.TEXT)
"""The representations that date code. `p_match` finds code as it is and with other names, `renamed` also shorter runs
of it, so that states that differ are found. Each about doubles the postings, so `exact` is left out."""


def sampled_kgrams(stream: Symbols, scheme: Scheme) -> KGrams:
    """All k-grams of a stream under a scheme, before sampling, and the s-grams if the sampler needs them."""
    return kgrams(stream, scheme.representation, scheme.k, scheme.inner)


def sample(grams: KGrams, scheme: Scheme, window: int | None = None) -> NDArray[np.int64]:
    """The indices of the k-grams that the sampler of a scheme keeps. `grams` is the result of `sampled_kgrams`.

    Each segment is sampled separately. A query may replace the window of the scheme by `window`.
    """
    w = scheme.w if window is None else window
    if scheme.sampler == "open_closed":
        kept = [begin + open_closed(hashes, inner, w) for begin, hashes, inner in grams.parts()]
    else:
        kept = [begin + WINNOWING[scheme.sampler](hashes, w) for begin, hashes, _ in grams.parts()]
    return np.concatenate(kept) if kept else np.empty(0, np.int64)


class QueryKGrams(NamedTuple):
    """The k-grams of a query in one representation, and those that are looked up, the `kept` ones."""

    grams: KGrams
    kept: NDArray[np.int64]
    terms: Hashes  # the distinct terms of the kept k-grams, ascending
    numbers: NDArray[np.int64]  # of each kept k-gram the index of its term in `terms`
    # whether the sampler keeps it with w'. Then every document that has the text around it has its term. Only the terms
    # of such k-grams give weight to the k-grams near them
    is_common: NDArray[np.bool_]


def query_windows(scheme: Scheme, window: int) -> tuple[int, int, int]:
    """How a query's k-grams are sampled, given w' (`preparing.query_window`): the window by which they are kept, the
    one by which they are common, and the least number of them; of fewer, all are kept.
    """
    common = max(window, scheme.w)
    if scheme.representation is Representation.TEXT:
        return common // WIDER, common, 0
    # With fewer than w k-grams, the query is shorter than t, the guaranteed length. All are looked up, because the text
    # around them decides which ones a document keeps.
    return common, common, scheme.w


def query_kgrams(stream: Symbols, window: int) -> dict[Representation, QueryKGrams]:
    """The k-grams of a query in each representation that has some of it, sampled with w', the `window`."""
    found = {}
    for representation, scheme in SCHEMES.items():
        grams = sampled_kgrams(stream, scheme)
        if len(grams.hashes):
            window_kept, window_common, least = query_windows(scheme, window)
            kept = sample(grams, scheme, window_kept) if len(grams.hashes) >= least else np.arange(len(grams.hashes))
            common = np.sort(grams.hashes[sample(grams, scheme, window_common)])
            hashes = grams.hashes[kept]
            terms, numbers = np.unique(term_of(hashes), return_inverse=True)
            found[representation] = QueryKGrams(grams, kept, terms, numbers, are_among(hashes, common))
    return found


def terms_on(stream: TokenStream, ranges: Sequence[tuple[int, int]] = ()) -> dict[Representation, Hashes]:
    """The terms of the k-grams on some lines of a text (first and last, 1-based, inclusive; none for all lines), by
    each representation that dates code. If no k-gram is within the lines, those that reach into them.
    """
    found = {}
    for kind in DATING:
        scheme = SCHEMES[kind]
        grams = sampled_kgrams(stream, scheme)
        begins = grams.positions[chosen := sample(grams, scheme)]
        hashes = grams.hashes[chosen]
        if ranges and len(begins):
            sides = stream.start_lines[begins], stream.end_lines[begins + scheme.k - 1]
            within = np.any([(sides[0] >= first) & (sides[1] <= last) for first, last in ranges], axis=0)
            reaching = np.any([(sides[1] >= first) & (sides[0] <= last) for first, last in ranges], axis=0)
            hashes = hashes[within if within.any() else reaching]
        if len(hashes):
            found[kind] = terms(hashes)
    return found


def document_terms(stream: Symbols, schemes: Mapping[Representation, Scheme] = SCHEMES) -> dict[Representation, Hashes]:
    """The distinct terms of a text under each scheme, ascending. Leaves out schemes under which it has no k-gram."""
    result = {}
    for representation, scheme in schemes.items():
        grams = sampled_kgrams(stream, scheme)
        if len(grams.hashes):
            result[representation] = terms(grams.hashes[sample(grams, scheme)])
    return result


PLACED = (Representation.RENAMED, Representation.TEXT)  # the representations whose places are stored
_HEADER = struct.Struct("<cI")  # `PLACES`, and the number of places
_LEVEL = 12
_MOST = 1 << 26  # the highest number of places of a text
_BITS = 16


@dataclass(frozen=True, slots=True)
class TermPlaces:
    """The places of the fingerprints of a text, in its order."""

    bits: NDArray[np.uint16]  # uint16, the leading bits of the term of each place
    lines: NDArray[np.int64]  # int64, the line at which its k-gram begins, from 1

    def lines_of(self, terms: Mapping[Representation, Collection[int]], bits: int) -> dict[int, NDArray[np.int64]]:
        """The lines of each of these terms (which have this number of bits) that the text may have."""
        every = (term for representation in PLACED for term in terms.get(representation, ()))
        found = ((term, self.lines[self.bits == np.uint16(term >> (bits - _BITS))]) for term in every)
        return {term: lines for term, lines in found if len(lines)}


def are_places(stored: bytes) -> bool:
    """Whether the stored form of a text has places in place of tokens."""
    return stored[:1] == PLACES


def places_of(stored: bytes) -> bytes:
    """The places of a text as bytes, from its stored token stream. Places stay as they are. Raises IndexDamaged if the
    stream cannot be read.
    """
    if are_places(stored):
        return stored
    stream = decode(stored)
    found = [(np.zeros(0, np.int64), np.zeros(0, np.uint64))]
    for representation in PLACED:
        grams = sampled_kgrams(stream, SCHEMES[representation])
        kept = sample(grams, SCHEMES[representation])
        found.append((grams.positions[kept], term_of(grams.hashes[kept])))
    positions, terms = map(np.concatenate, zip(*found, strict=True))
    order = np.argsort(positions, kind="stable")
    bits = (terms[order] >> np.uint64(48 - _BITS)).astype("<u2")
    planes = bits.tobytes() + packed(stream.start_lines[positions[order]].astype(np.uint32)).tobytes()
    return _HEADER.pack(PLACES, len(bits)) + zstd.compress(planes, _LEVEL)


def load(stored: bytes) -> TermPlaces:
    """The places of a text, from its places as bytes or from its stored token stream. Raises IndexDamaged if these
    bytes cannot be read.
    """
    data = places_of(stored)
    with reading():
        _, count = _HEADER.unpack_from(data)
        if count > _MOST:
            raise ValueError("too many places")
        planes = zstandard.ZstdDecompressor().decompress(data[_HEADER.size :], max_output_size=6 * count + 1)
        if len(planes) != 6 * count:
            raise ValueError("a place is missing")
        bits = np.frombuffer(planes, "<u2", count)
        lines = unpacked(np.frombuffer(planes, np.uint8, 4 * count, 2 * count).reshape(4, count))
    return TermPlaces(bits, lines.astype(np.int64))
