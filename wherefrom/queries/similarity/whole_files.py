"""Finds indexed files that have all or nearly all of a file, by one query instead of a search for each function."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from wherefrom.analyzers.tokens import TokenClass, TokenStream, encode
from wherefrom.engines.engine import Engine
from wherefrom.fitted import COPIED, RELATED
from wherefrom.model import Candidate, Occurrence, Representation, StoredBlob
from wherefrom.queries.alignment.documents import DocumentTokens
from wherefrom.queries.alignment.regions import explained_tokens, region
from wherefrom.queries.filters import OwnPlaces
from wherefrom.queries.judging.odds import STRONG, probability
from wherefrom.queries.occurrences import current_occurrences
from wherefrom.queries.preparation.preparing import evidence
from wherefrom.queries.preparation.query import LookedUpTerms
from wherefrom.queries.similarity.similar_files import Target, look_up
from wherefrom.queries.spans import Flags
from wherefrom.results import ContentMatch, Hit, RegionPair
from wherefrom.sources.source import blob_ids
from wherefrom.support.values import dataclass

BUDGET = 64  # this many terms of each representation are looked up: the smallest ones, which are a sample of all
CANDIDATES, COMPARED = 20, 3  # how many files with most shared terms are read, and compared token by token


@dataclass(frozen=True, slots=True)
class WholeFileMatch:
    """An indexed file that has all, or nearly all, of a given file."""

    hit: Hit
    matched: Flags  # which of the given file's tokens that count are matched
    share: float  # what share of them that is
    identical: bool  # whether both files are


def identical_file(
    engine: Engine, content: bytes, stream: TokenStream, *, language: str, counted: Flags, own: OwnPlaces
) -> WholeFileMatch | None:
    """The indexed file with the same bytes, found by its blob id; None if there is none outside of the `own` places, or
    if the file has only what everyone writes. At least one token of the file is `counted`; those of boilerplate and
    prose are not.
    """
    bits = evidence(stream, ~counted)
    if probability(bits.total(0, len(stream)), bits.counted(stream), 1.0) < STRONG:
        return None
    for blob in sorted(engine.known(blob_ids(content))):
        occurrences = _elsewhere(engine, [blob], own)[blob]
        if occurrences:
            whole = region(stream, 0, len(stream))
            is_text = stream.classes[0] == TokenClass.CHARACTER
            pair = RegionPair(whole, whole, len(stream), Representation.TEXT if is_text else Representation.EXACT)
            return WholeFileMatch(_hit(blob, language, occurrences, (pair,), 1.0), counted, 1.0, identical=True)
    return None


def nearest_files(
    engine: Engine, stream: TokenStream, *, language: str, counted: Flags, own: OwnPlaces
) -> tuple[list[WholeFileMatch], int]:
    """The indexed files that have `COPIED` of a file in the same order, found by one query (arguments as in
    `identical_file`): at most `COMPARED` files, the best first, in a tie the file with more of the terms; and how many
    other candidates were not compared.
    """
    terms = look_up(engine, stream, BUDGET)
    candidates = _likely(engine, terms)
    places = _elsewhere(engine, [candidate.blob.blob for candidate in candidates], own)
    elsewhere = [candidate for candidate in candidates if places[candidate.blob.blob]]
    if not elsewhere:
        return [], 0
    target = Target(StoredBlob("", language, 0, len(stream), encode(stream)), ~counted)
    found: list[WholeFileMatch] = []
    for candidate in elsewhere[:COMPARED]:
        document = DocumentTokens(candidate.blob)
        aligned = target.align(document)
        likely = target.probability(document, aligned, candidate.score / terms.unit)
        regions = target.regions(document, aligned, ~counted)
        document.forget()
        matched = explained_tokens(stream, regions) & counted
        share = float(np.count_nonzero(matched)) / float(np.count_nonzero(counted))
        if share >= COPIED and likely >= STRONG:
            blob = candidate.blob.blob
            hit = _hit(blob, candidate.blob.language, places[blob], regions, share)
            found.append(WholeFileMatch(hit, matched, share, identical=False))
    return sorted(found, key=lambda file: -file.share), len(elsewhere[COMPARED:])


def _likely(engine: Engine, terms: LookedUpTerms) -> list[Candidate]:
    weights, counts = terms.weights(terms.counts), terms.counts
    known = {key: {term: own[term] for term, count in counts[key].items() if count} for key, own in weights.items()}
    indexed = {key: own for key, own in known.items() if own}
    total = sum(weight for own in weights.values() for weight in own.values())
    candidates = engine.candidates(indexed, limit=CANDIDATES) if indexed else []
    return [candidate for candidate in candidates if candidate.score >= RELATED * total]


def _elsewhere(engine: Engine, blobs: Collection[str], own: OwnPlaces) -> dict[str, list[Occurrence]]:
    return {
        blob: [at for at in occurrences if at not in own]
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
