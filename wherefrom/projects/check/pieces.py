"""From the hits of a unit to the pieces of it that appear elsewhere, and what these are known by when lines move."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.references import References
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.model import Hashes
from wherefrom.queries.decomposition.cover import long_runs
from wherefrom.results import Hit, RegionPair

if TYPE_CHECKING:
    from wherefrom.analyzers.units import Unit


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that is looked up.

    Attributes:
        path, content, analysis, units: the file, its tokens and what is looked up one by one.
        own: what it says of its sources.
        added: for each token whether it is on an added line.
        masked: for each token whether it is boilerplate.
    """

    path: str
    content: bytes
    analysis: Analysis
    units: Sequence[Unit]
    own: References
    added: NDArray[np.bool_]
    masked: NDArray[np.bool_]

    @property
    def stream(self) -> TokenStream:
        """Its tokens."""
        return self.analysis.tokens


@dataclass(frozen=True, slots=True)
class PieceMatch:
    """What a hit holds of a piece: the matched tokens' `positions` in the file, and the regions that they are of."""

    hit: Hit
    positions: NDArray[np.int64]
    regions: tuple[RegionPair, ...]


@dataclass(slots=True)
class CheckedPiece:
    """Consecutive tokens of a unit, with short gaps, that appear elsewhere; `positions` are those of the best hit,
    ascending; `matches` are those of all hits, the best first.
    """

    unit: Unit
    positions: NDArray[np.int64]
    matches: list[PieceMatch] = field(default_factory=list)

    @property
    def span(self) -> tuple[int, int]:
        """From its first token to its last, half-open."""
        return int(self.positions[0]), int(self.positions[-1]) + 1


def pieces(stream: TokenStream, unit: Unit, hits: Sequence[Hit], least: int) -> list[CheckedPiece]:
    """The pieces of a unit, by place.

    Each hit, the best first, makes a piece of every long run of its tokens that no better hit has; and is one of the
    places of the pieces that were made before, where it has enough of them.

    Args:
        stream: of the whole file.
        unit: of that file.
        hits: of the unit, the best first, with regions in the file.
        least: tokens that a piece, or a place of it, has at least.
    """
    made: list[CheckedPiece] = []
    taken = np.zeros(len(stream), np.bool_)
    for hit in hits:
        spans = [_span(stream, pair) for pair in hit.regions]
        shared = np.zeros(len(stream), np.bool_)
        for begin, end in spans:
            shared[begin:end] = True
        fresh = [CheckedPiece(unit, run) for run in long_runs(np.flatnonzero(shared & ~taken), least)]
        for piece in [*made, *fresh]:
            first, end_of_piece = piece.span
            positions = first + np.flatnonzero(shared[first:end_of_piece])
            if len(positions) >= least:
                regions = (
                    pair
                    for pair, (begin, end) in zip(hit.regions, spans, strict=True)
                    if begin < end_of_piece and first < end
                )
                piece.matches.append(PieceMatch(hit, positions, tuple(regions)))
        for piece in fresh:
            taken[slice(*piece.span)] = True
        made += fresh
    return sorted(made, key=lambda piece: int(piece.positions[0]))


def tokens_on(stream: TokenStream, lines: Sequence[tuple[int, int]] | None) -> NDArray[np.bool_]:
    """Which tokens have a part on one of these lines (first and last, 1-based, inclusive, ascending; None: all)."""
    if lines is None:
        return np.ones(len(stream), np.bool_)
    firsts = np.array([first for first, _ in lines], np.int64)
    lasts = np.array([last for _, last in lines], np.int64)
    # The first range that does not end before the token begins is the only one that can begin soon enough.
    near = lasts.searchsorted(stream.start_lines)
    inside = near < len(lines)
    on = np.zeros(len(stream), np.bool_)
    on[inside] = firsts[near[inside]] <= stream.end_lines[inside]
    return on


def added_runs(piece: CheckedPiece, added: NDArray[np.bool_], least: int) -> list[tuple[int, int]]:
    """The half-open spans of consecutive added tokens in a piece that hold enough of its matched tokens; the longest
    where none does but all together do; none where these are too few.
    """
    begin, end = piece.span
    matched = np.zeros(end - begin, np.int64)
    matched[piece.positions - begin] = 1
    matched *= added[begin:end]
    if int(matched.sum()) < least:
        return []
    edges = np.flatnonzero(np.diff(added[begin:end].astype(np.int8), prepend=0, append=0)).reshape(-1, 2)
    counted = [(int(matched[first:last].sum()), begin + int(first), begin + int(last)) for first, last in edges]
    long = [(first, last) for count, first, last in counted if count >= least]
    return long or [max(counted)[1:]]


def _span(stream: TokenStream, pair: RegionPair) -> tuple[int, int]:
    begin = int(stream.starts.searchsorted(pair.query.start_byte))
    return begin, begin + pair.tokens


def file_fingerprint(source: str) -> str:
    """The fingerprint of a file that is a copy: 32 hexadecimal digits over the source, a colon, and 1.

    It stays when the copy is edited, as long as it is a copy of the same content.

    Args:
        source: blob id of the content that it is a copy of.
    """
    return f"{hashlib.blake2b(b'file ' + source.encode(), digest_size=16).hexdigest()}:1"


def fingerprint(codes: Hashes, positions: NDArray[np.int64], source: str) -> str:
    """The fingerprint of a piece: 32 hexadecimal digits over matched tokens and source, a colon, and the number of the
    piece among those with the same tokens in the file, from 1.

    Args:
        codes: the token codes of the whole file.
        positions: of the matched tokens, ascending, at least one.
        source: blob id of the best document found.
    """
    stored = codes.astype("<u8")
    digest = hashlib.blake2b(digest_size=16)
    for part in (stored[positions].tobytes(), source.encode()):
        digest.update(b"%d " % len(part) + part)
    begin, end = int(positions[0]), int(positions[-1]) + 1
    return f"{digest.hexdigest()}:{1 + _earlier(stored, begin, end)}"


def _earlier(codes: NDArray[np.uint64], begin: int, end: int) -> int:
    """How often the tokens from `begin` to `end` (half-open) appear before, without overlaps."""
    wanted, text = codes[begin:end].tobytes(), codes[:begin].tobytes()
    size = codes.itemsize
    count = at = 0
    while (at := text.find(wanted, at)) >= 0:
        is_whole = at % size == 0
        count += is_whole
        at += len(wanted) if is_whole else 1
    return count
