"""Whole files that an index has already, or nearly: one look in place of a search for each function."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.tokens import TokenClass, TokenStream, encode
from wherefrom.engines.engine import Engine
from wherefrom.fitted import NEARLY_ALL, PART
from wherefrom.model import Candidate, Occurrence, Representation, StoredBlob
from wherefrom.queries.alignment.aligning import Document
from wherefrom.queries.alignment.regions import match_regions, region
from wherefrom.queries.alignment.runs import Sides
from wherefrom.queries.occurrences import current_occurrences
from wherefrom.queries.preparation.preparing import idf
from wherefrom.queries.similarity.similar_files import SHORTEST_REGION, Target, frequencies
from wherefrom.results import ContentMatch, Hit, RegionPair
from wherefrom.sources.source import blob_ids

BUDGET = 64
"""The smallest terms of each representation by which a file is looked up: a sample of all of them."""

CANDIDATES, COMPARED = 20, 3
"""Files that share most of these terms, and how many of them are compared token by token."""


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file of the index that has all of a file, or nearly: its `hit`, for each token of the file whether it is
    `matched` and counts, their `share` of the tokens that count, and whether both are `identical`.
    """

    hit: Hit
    matched: NDArray[np.bool_]
    share: float
    identical: bool


def identical_file(
    engine: Engine,
    content: bytes,
    stream: TokenStream,
    *,
    language: str,
    counted: NDArray[np.bool_],
    own: Collection[str],
) -> WholeFile | None:
    """The indexed file with the same bytes, found by its blob id; None where no file has them.

    Args:
        engine: the index.
        content: the file.
        stream: its tokens, at least one of which counts.
        language: of the file.
        counted: for each token whether it counts: those of boilerplate and prose do not.
        own: keys of repositories that are left out.
    """
    for blob in sorted(engine.known(blob_ids(content))):
        occurrences = _elsewhere(engine, [blob], own)[blob]
        if occurrences:
            whole = region(stream, 0, len(stream))
            is_text = stream.classes[0] == TokenClass.CHARACTER
            representation = Representation.TEXT if is_text else Representation.EXACT
            pair = RegionPair(whole, whole, len(stream), representation)
            return WholeFile(_hit(blob, language, occurrences, (pair,), 1.0), counted, 1.0, identical=True)
    return None


def nearest_files(
    engine: Engine,
    stream: TokenStream,
    *,
    language: str,
    counted: NDArray[np.bool_],
    own: Collection[str],
) -> tuple[list[WholeFile], int]:
    """The indexed files that have `NEARLY_ALL` of a file in the same order, found by one query; arguments as in
    `identical_file`.

    Returns:
        The best first, at most `COMPARED`, of equal ones that with more of the terms; and how many others were seen and
        not compared.
    """
    candidates = _likely(engine, stream)
    places = _elsewhere(engine, [candidate.blob.blob for candidate in candidates], own)
    elsewhere = [candidate for candidate in candidates if places[candidate.blob.blob]]
    if not elsewhere:
        return [], 0
    target = Target(StoredBlob("", language, 0, len(stream), encode(stream)))
    found: list[WholeFile] = []
    for candidate in elsewhere[:COMPARED]:
        document = Document(candidate)
        alignment = target.containment(document).alignment
        sides = Sides.of(stream, document.stream)
        regions = tuple(
            pair for pair in match_regions(sides, alignment.runs(), ~counted) if pair.tokens >= SHORTEST_REGION
        )
        document.forget()
        matched = np.zeros(len(stream), np.bool_)
        for pair in regions:
            begin = int(stream.starts.searchsorted(pair.query.start_byte))
            matched[begin : begin + pair.tokens] = True
        matched &= counted
        share = float(np.count_nonzero(matched)) / float(np.count_nonzero(counted))
        if share >= NEARLY_ALL:
            blob = candidate.blob.blob
            hit = _hit(blob, candidate.blob.language, places[blob], regions, share)
            found.append(WholeFile(hit, matched, share, identical=False))
    return sorted(found, key=lambda file: -file.share), len(elsewhere[COMPARED:])


def _likely(engine: Engine, stream: TokenStream) -> list[Candidate]:
    """The files that share most of a sample of terms, the best first."""
    terms = {representation: found[:BUDGET] for representation, found in document_terms(stream).items()}
    counted, blobs = frequencies(engine, terms)
    weights = {
        representation: {term: idf(count, blobs[representation]) for term, count in counts.items() if count}
        for representation, counts in counted.items()
    }
    held = {representation: found for representation, found in weights.items() if found}
    if not held:
        return []
    # A term that no file has weighs as much as one that one file has.
    missing = sum(
        (len(counts) - len(weights[representation])) * idf(1, blobs[representation])
        for representation, counts in counted.items()
    )
    total = missing + sum(weight for found in held.values() for weight in found.values())
    candidates = engine.candidates(held, limit=CANDIDATES)
    return [candidate for candidate in candidates if candidate.score >= PART * total]


def _elsewhere(engine: Engine, blobs: Collection[str], own: Collection[str]) -> dict[str, list[Occurrence]]:
    """The occurrences of each of these blobs, but for those in one's own repositories."""
    return {
        blob: [at for at in occurrences if at.repository not in own]
        for blob, occurrences in current_occurrences(engine, blobs).items()
    }


def _hit(
    blob: str, language: str, occurrences: Sequence[Occurrence], regions: tuple[RegionPair, ...], share: float
) -> Hit:
    content = ContentMatch(
        blob=blob,
        score=0.0,
        match=int(share * 10_000) / 100,
        containment=share,
        longest_run=max(pair.tokens for pair in regions),
        regions=regions,
    )
    return Hit((content,), language, tuple(occurrences))
