"""Whole files against whole files: more like this one."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whence.analyzers.fingerprints import document_terms
from whence.analyzers.schemes import SCHEMES, scheme_ids
from whence.errors import UnknownRepository, UsageError
from whence.model import (
    INDEXED,
    Candidate,
    ChainExplanation,
    Explanation,
    Hit,
    QueryInfo,
    Representation,
    SearchResult,
    TermExplanation,
)
from whence.queries.alignment import Alignment, Chain, Document
from whence.queries.chains import Grams, heaviest_chain
from whence.queries.places import current_occurrences, records_of
from whence.queries.prepare import idf
from whence.queries.regions import match_regions

if TYPE_CHECKING:
    from whence.engines.base import Engine
    from whence.model import Hashes, Occurrence, RegionPair

WHOLE_FILE: Mapping[Representation, int] = {
    Representation.RENAMED: 4,
    Representation.P_MATCH: 6,
    Representation.TEXT: SCHEMES[Representation.TEXT].k,
}
"""k of the k-grams that are chained: short ones, for over whole files the order of what is shared tells more than its
length."""

CANDIDATES = 50
"""Files of the first stage that are compared whole."""

FLOOR = 0.1
"""A score below which a file is not called similar."""

OFTEN = 16
"""Pairs of one k-gram beyond which they are banded: whole files repeat themselves."""

_SHORTEST_REGION = 8


@dataclass(frozen=True, slots=True)
class _Compared:
    """A document's share of the target (containment), of the larger of both (resemblance) and the chains behind it."""

    document: Document
    first_stage: float
    containment: float
    resemblance: float
    alignment: Alignment


def similar(
    engine: Engine,
    target: str,
    *,
    by: str = "containment",
    budget: int | None = None,
    limit: int = 10,
    explain: bool = False,
) -> SearchResult:
    """Finds files like an indexed one (`whence.api.Index.similar`).

    The target's terms are the query: no source is read. Every candidate is compared whole, by chains over `renamed` k
    = 4 and
    `p_match` k = 6; a chain's share is of the k-grams of the target, or of the longer of the two.

    Raises:
        UsageError, UnknownRepository: as there.
    """
    begin = time.perf_counter()
    if by not in ("containment", "resemblance"):
        raise UsageError(f"similar files are ranked by containment or resemblance, not by {by!r}")
    if limit < 1:
        raise UsageError(f"the limit is at least 1, not {limit}")
    if budget is not None and budget < 1:
        raise UsageError(f"a budget is a number of hashes, at least 1, not {budget}")
    occurrence = find_occurrence(engine, target)
    stored = engine.blobs([occurrence.blob])[occurrence.blob]
    subject = Document(Candidate(0.0, stored))
    terms = _terms(subject, budget)
    frequencies, blobs = _frequencies(engine, terms)
    weights = {
        representation: {term: idf(count, blobs[representation]) for term, count in counts.items()}
        for representation, counts in frequencies.items()
    }
    wanted = max(CANDIDATES, limit) + 1  # the target is one of them
    candidates = engine.candidates(weights, limit=wanted + 1) if weights else []
    own = {representation: _grams(subject, representation, k) for representation, k in WHOLE_FILE.items()}
    compared = [_compare(own, candidate) for candidate in candidates]
    ranked = sorted(
        (each for each in compared if getattr(each, by) >= FLOOR),
        key=lambda each: (-getattr(each, by), each.document.blob.blob),
    )
    places = current_occurrences(engine, [each.document.blob.blob for each in ranked])
    if occurrence.blob in places:  # its copies elsewhere are hits, the target itself is none
        where = (occurrence.repository, occurrence.path)
        places[occurrence.blob] = [at for at in places[occurrence.blob] if (at.repository, at.path) != where]
    standing = [each for each in ranked if places[each.document.blob.blob]]
    hits = tuple(
        Hit(
            score=round(getattr(each, by), 6),
            containment=round(each.containment, 6),
            longest_run=max((region.tokens for region in regions), default=0),
            blob=each.document.blob.blob,
            language=each.document.blob.language,
            occurrences=tuple(places[each.document.blob.blob]),
            regions=regions,
            explanation=_explanation(each, frequencies, blobs) if explain else None,
        )
        for each in standing[:limit]
        for regions in (_regions(subject, each),)
    )
    return SearchResult(
        engine=engine.name,
        schemes=scheme_ids(),
        query=QueryInfo(
            name=target,
            language=stored.language,
            tokens=len(subject.stream),
            fingerprints=sum(len(each) for each in terms.values()),
            window=SCHEMES[Representation.EXACT].w,
            guarantee=SCHEMES[Representation.EXACT].guarantee,
            excluded={"boilerplate": 0, "max_df": 0},
            needed=None if terms else SCHEMES[Representation.EXACT].k,
        ),
        total=len(standing),
        truncated=len(candidates) > wanted,
        took_ms=round((time.perf_counter() - begin) * 1000, 3),
        hits=hits,
        repositories=records_of(engine, hits),
    )


def find_occurrence(engine: Engine, target: str) -> Occurrence:
    """The occurrence that `REPOSITORY:PATH` names; a key may itself hold colons.

    Raises:
        UsageError: there is no colon.
        UnknownRepository: no such repository, or no such path in it.
    """
    if ":" not in target:
        raise UsageError(f"an indexed file is named REPOSITORY:PATH, not {target!r}; see `whence list`")
    known = None
    for at in (index for index, character in enumerate(target) if character == ":"):
        key, path = target[:at], target[at + 1 :]
        if engine.repository(key) is None:
            continue
        known = key
        for occurrence in engine.occurrences(repository=key):
            if occurrence.path == path:
                return occurrence
    if known is None:
        raise UnknownRepository(f"no repository of {target!r} is in this index; see `whence list`")
    raise UnknownRepository(f"repository {known!r} has no indexed file {target[len(known) + 1 :]!r}")


def _terms(subject: Document, budget: int | None) -> dict[Representation, Hashes]:
    """The terms to look up: all, or the `budget` smallest of each representation (section 3.2 of the winnowing paper:
    the more are
    looked up, the closer resemblance comes to containment).
    """
    return {representation: terms[:budget] for representation, terms in document_terms(subject.stream).items()}


def _frequencies(
    engine: Engine, terms: Mapping[Representation, Hashes]
) -> tuple[dict[Representation, dict[int, int]], dict[Representation, int]]:
    frequencies, blobs = {}, {}
    for representation, each in terms.items():
        counts, blobs[representation] = engine.document_frequencies(representation, each.tolist())
        frequencies[representation] = dict(zip(each.tolist(), counts, strict=True))
    return frequencies, blobs


def _grams(document: Document, representation: Representation, k: int) -> Grams:
    grams = document.grams(representation, k)
    return Grams(k, grams.hashes, grams.positions, np.ones(len(grams.hashes)), len(document.stream))


def _compare(own: Mapping[Representation, Grams], candidate: Candidate) -> _Compared:
    document = Document(candidate)
    chains = {}
    shared = ours = longer = 0.0
    for representation, grams in own.items():
        theirs = document.grams(representation, grams.k)
        ours += grams.total
        longer += max(grams.total, len(theirs.hashes))
        indices, numbers = grams.matches(theirs.hashes)
        if not len(indices):
            continue
        pairs = grams.pairs(numbers, theirs.positions[indices], often=OFTEN)
        weight, chosen = heaviest_chain(pairs, np.ones(len(pairs)))
        shared += weight
        chains[representation] = Chain(grams.k, weight, pairs.query[chosen], pairs.document[chosen], len(chosen))
    return _Compared(
        document=document,
        first_stage=candidate.score,
        containment=shared / ours if ours else 0.0,
        resemblance=shared / longer if longer else 0.0,
        alignment=Alignment(shared, chains),
    )


def _regions(subject: Document, compared: _Compared) -> tuple[RegionPair, ...]:
    nothing = np.zeros(len(subject.stream), np.bool_)
    regions = match_regions(subject.stream, compared.document.stream, [compared.alignment], nothing)
    return tuple(region for region in regions if region.tokens >= _SHORTEST_REGION)


def _explanation(
    compared: _Compared, frequencies: Mapping[Representation, Mapping[int, int]], blobs: Mapping[Representation, int]
) -> Explanation:
    held = {
        representation: set(terms.tolist())
        for representation, terms in document_terms(compared.document.stream).items()
    }
    return Explanation(
        threshold=FLOOR,
        reason="score",
        first_stage=round(compared.first_stage, 6),
        first_stage_weight=0.0,
        blobs=blobs,
        chains=tuple(
            ChainExplanation(
                representation=representation,
                score=chain.score,
                kgrams=len(chain.query),
                coverage=round(compared.containment, 6),
                longest_run=chain.longest_run,
            )
            for representation, chain in compared.alignment.chains.items()
        ),
        terms=tuple(
            TermExplanation(representation, term, count, round(idf(count, blobs[representation]), 6))
            for representation in INDEXED
            for term, count in frequencies.get(representation, {}).items()
            if term in held.get(representation, ())
        ),
    )
