"""Cuts a unit into the pieces that appear elsewhere, and computes fingerprints that stay the same when lines move."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.references import References
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.analyzers.units import Unit
from wherefrom.model import Hashes
from wherefrom.queries.alignment.regions import explained_tokens
from wherefrom.queries.decomposition.cover import long_runs
from wherefrom.queries.spans import stretches
from wherefrom.results import Hit, RegionPair


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that is looked up.

    Attributes:
        path, content, analysis: the file and its tokens.
        units: the functions, and the stretches between them, that are looked up one by one.
        own: the references in the file to its sources.
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
        """The tokens of the file."""
        return self.analysis.tokens


@dataclass(frozen=True, slots=True)
class PieceMatch:
    """The part of a piece that a hit has: the `positions` of its tokens in the file, and the regions they belong to."""

    hit: Hit
    positions: NDArray[np.int64]
    regions: tuple[RegionPair, ...]


@dataclass(slots=True)
class CheckedPiece:
    """Consecutive tokens of a unit, with short gaps, that appear elsewhere. `positions` are the tokens that the best
    hit has, ascending. `matches` are the matches of all hits, the best first.
    """

    unit: Unit
    positions: NDArray[np.int64]
    matches: list[PieceMatch] = field(default_factory=list)

    @property
    def span(self) -> tuple[int, int]:
        """The half-open span from its first token to its last one."""
        return int(self.positions[0]), int(self.positions[-1]) + 1


def pieces(stream: TokenStream, unit: Unit, hits: Sequence[Hit], least: int) -> list[CheckedPiece]:
    """The pieces of a unit, in order.

    The hits are taken in order. Each long run of a hit's tokens that no better hit has becomes a piece. Earlier pieces
    that share at least `least` tokens with the hit get it as a further match.

    Args:
        stream: the tokens of the whole file.
        unit: a unit of the file.
        hits: the hits of the unit, the best first, with regions in the file.
        least: the lowest number of tokens of a piece, and of a match of a piece.
    """
    made: list[CheckedPiece] = []
    taken = np.zeros(len(stream), np.bool_)
    for hit in hits:
        spans = [_span(stream, pair) for pair in hit.regions]
        shared = explained_tokens(stream, hit.regions)
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
    """Marks the tokens that touch some ranges of lines (first and last, 1-based, inclusive, ascending). None: all."""
    if lines is None:
        return np.ones(len(stream), np.bool_)
    firsts = np.array([first for first, _ in lines], np.int64)
    lasts = np.array([last for _, last in lines], np.int64)
    # For each token, the first range that does not end before it. If this range does not touch the token, none does.
    near = lasts.searchsorted(stream.start_lines)
    inside = near < len(lines)
    on = np.zeros(len(stream), np.bool_)
    on[inside] = firsts[near[inside]] <= stream.end_lines[inside]
    return on


def added_runs(piece: CheckedPiece, added: NDArray[np.bool_], least: int) -> list[tuple[int, int]]:
    """The half-open spans of consecutive added tokens in a piece that each have at least `least` matched tokens. If no
    span has as many but all together do, the span with the most is returned. If all together have fewer, none is.
    """
    begin, end = piece.span
    matched = np.zeros(end - begin, np.int64)
    matched[piece.positions - begin] = 1
    matched *= added[begin:end]
    if int(matched.sum()) < least:
        return []
    spans = stretches(added[begin:end]).tolist()
    counted = [(int(matched[first:last].sum()), begin + first, begin + last) for first, last in spans]
    long = [(first, last) for count, first, last in counted if count >= least]
    return long or [max(counted)[1:]]


def _span(stream: TokenStream, pair: RegionPair) -> tuple[int, int]:
    begin = int(stream.starts.searchsorted(pair.query.start_byte))
    return begin, begin + pair.tokens


def file_fingerprint(source: str) -> str:
    """The fingerprint of a copied file: 32 hexadecimal digits of a hash of `source`, a colon, and 1. An edit of the
    copy does not change it, as long as `source` stays the blob id of its origin.
    """
    return f"{hashlib.blake2b(b'file ' + source.encode(), digest_size=16).hexdigest()}:1"


def fingerprint(codes: Hashes, positions: NDArray[np.int64], source: str) -> str:
    """The fingerprint of a piece: 32 hexadecimal digits of a hash of its matched tokens and its source, a colon, and
    its number among the pieces of the file with the same tokens, from 1.

    Args:
        codes: the token codes of the whole file.
        positions: the positions of the matched tokens, ascending, at least one.
        source: the blob id of the best match.
    """
    stored = codes.astype("<u8")
    digest = hashlib.blake2b(digest_size=16)
    for part in (stored[positions].tobytes(), source.encode()):
        digest.update(b"%d " % len(part) + part)
    begin, end = int(positions[0]), int(positions[-1]) + 1
    return f"{digest.hexdigest()}:{1 + _earlier(stored, begin, end)}"


def _earlier(codes: NDArray[np.uint64], begin: int, end: int) -> int:
    """How often the tokens `begin` to `end` (half-open) occur before `begin`, without overlaps."""
    wanted, text = codes[begin:end].tobytes(), codes[:begin].tobytes()
    size = codes.itemsize
    count = at = 0
    while (at := text.find(wanted, at)) >= 0:
        is_whole = at % size == 0
        count += is_whole
        at += len(wanted) if is_whole else 1
    return count
