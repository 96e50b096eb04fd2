"""Whole files against whole files: more like this one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from wherefrom.analyzers.analyzed import Reading
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.engines.engine import Engine
from wherefrom.errors import UnknownRepository, UsageError
from wherefrom.fitted import LONG, MANY, PART, SHORT_RUN, SLIGHT
from wherefrom.model import INDEXED, Candidate, Hashes, Occurrence, Representation, StoredBlob
from wherefrom.options import SimilarOptions
from wherefrom.queries.alignment.aligning import Alignment, Chain, Document
from wherefrom.queries.alignment.chains import heaviest_chain
from wherefrom.queries.alignment.regions import explained_tokens, match_regions
from wherefrom.queries.alignment.runs import Sides
from wherefrom.queries.occurrences import content_at, current_occurrences, texts, with_records
from wherefrom.queries.preparation.preparing import idf
from wherefrom.queries.repository_names import keys_of, unmatched
from wherefrom.queries.similarity.subsequences import InCommon, Original, dice, uniform_grams
from wherefrom.queries.snippet import analyze_query, is_scrambled, name_with_lines, stored_text
from wherefrom.results import (
    ChainExplanation,
    ContentMatch,
    Explanation,
    Hit,
    QueryInfo,
    RegionPair,
    SearchResult,
    TermExplanation,
)
from wherefrom.results.search import match_percent, token_percent

CONTAINED: Mapping[Representation, int] = {
    Representation.RENAMED: SHORT_RUN,
    Representation.P_MATCH: SHORT_RUN,
    Representation.TEXT: SCHEMES[Representation.TEXT].k,
}
"""k of the k-grams that are chained for containment and regions: long enough that a large file does not hold a small
one by chance, short enough that the order of what is shared tells more than its length."""

CANDIDATES = 50
"""Files of the first stage that are compared whole."""

LOOKED_AT = 8
"""Files of the first stage, for each that is compared, of which those are chosen that share most for their length."""

SHORTEST_REGION = SCHEMES[Representation.EXACT].k
"""Tokens of the shortest region that is shown of whole files."""


def floor(by: str, tokens: int) -> float:
    """The score below which a file is not called similar to one of so many tokens.

    A tiny one needs twice that of a long one, for more of it is in any other.
    """
    return SLIGHT if by == "containment" else PART * (2 - min(1.0, tokens / LONG))


@dataclass(frozen=True, slots=True)
class Containment:
    """The share of the target's k-grams (`total`) that a document holds in the same order, and the chains behind it."""

    share: float
    total: float
    alignment: Alignment


@dataclass(frozen=True, slots=True)
class Compared:
    """A document beside the target: `containment` where it is ranked by that, `shared`, what its resemblance is made
    of, where it is ranked by that; both where the larger one counts.
    """

    document: Document
    first_stage: float
    score: float
    shared: tuple[InCommon, ...] = ()
    containment: Containment | None = None


class Target:
    """A file that others are compared with."""

    def __init__(self, stored: StoredBlob) -> None:
        self.document = Document(Candidate(0.0, stored))
        self._original = Original(self.document)
        self._grams = {r: uniform_grams(self.document, r, k) for r, k in CONTAINED.items()}

    def compare(self, candidate: Candidate, by: str) -> Compared:
        """A candidate beside it, by `containment`, by `resemblance` or by `either`, the larger of both."""
        document = Document(candidate)
        held = None if by == "resemblance" else self.containment(document)
        shared = () if by == "containment" else self._original.shared(document)
        score = max(0.0 if held is None else held.share, dice(shared))
        document.forget()
        return Compared(document, candidate.score, score, shared=shared, containment=held)

    def containment(self, document: Document) -> Containment:
        """How much of it a document holds."""
        chains = {}
        held = 0.0
        for representation, grams in self._grams.items():
            theirs = document.grams(representation, grams.k)
            indices, numbers = grams.matches(theirs.hashes)
            if not len(indices):
                continue
            pairs = grams.pairs(numbers, theirs.positions[indices], often=MANY)
            weight, chosen = heaviest_chain(pairs, np.ones(len(pairs)))
            held += weight
            chains[representation] = Chain(grams.k, weight, pairs.query[chosen], pairs.document[chosen])
        total = sum(grams.total for grams in self._grams.values())
        return Containment(held / total if total else 0.0, total, Alignment(held, chains))


@dataclass(frozen=True, slots=True)
class Ranking:
    """The files of the first stage by their score; `looked_up` and `blobs` are df of each term and N.

    `truncated` says that there may have been more.
    """

    target: Target
    compared: tuple[Compared, ...]
    looked_up: Mapping[Representation, Mapping[int, int]]
    blobs: Mapping[Representation, int]
    truncated: bool


def rank(engine: Engine, stored: StoredBlob, *, by: str, wanted: int, budget: int | None = None) -> Ranking:
    """Compares a file with the `wanted` files, itself among them, that share most terms with it for their length."""
    target = Target(stored)
    # The smallest terms are a sample of all: the more, the closer resemblance comes to containment (paper, 3.2).
    terms = {key: found[:budget] for key, found in document_terms(target.document.stream).items()}
    looked_up, blobs = frequencies(engine, terms)
    weights = {
        representation: {term: idf(count, blobs[representation]) for term, count in counts.items()}
        for representation, counts in looked_up.items()
    }
    candidates = engine.candidates(weights, limit=LOOKED_AT * wanted) if weights else []
    chosen = sorted(candidates, key=_shared_for_its_length, reverse=True)[:wanted]
    compared = sorted(
        (target.compare(candidate, by) for candidate in chosen),
        key=lambda each: (-each.score, each.document.blob.blob),
    )
    return Ranking(target, tuple(compared), looked_up, blobs, len(candidates) > len(chosen))


def _shared_for_its_length(candidate: Candidate) -> float:
    """What a file shares, by the root of its length: a long one shares many terms with any other."""
    return candidate.score / math.sqrt(candidate.blob.token_count)


def similar(engine: Engine, target: str, options: SimilarOptions) -> SearchResult:
    """Finds files like an indexed one (`wherefrom.Index.similar` has arguments and errors).

    The target's terms are the query: no source is read. Every candidate is compared whole: by containment, the share of
    the target's k-grams that chains hold, by `resemblance`, or by the larger of both.
    """
    if options.language is not None or options.lines is not None:
        raise UsageError("an indexed file is compared whole and in its own language; leave language and lines out")
    occurrence = find_occurrence(engine, target)
    stored = engine.blobs([occurrence.blob])[occurrence.blob]
    place = (occurrence.repository, occurrence.path)
    return _similar(engine, stored, options, target, lambda: content_at(engine, *place, occurrence.blob), itself=place)


def similar_to(
    engine: Engine, code: bytes, options: SimilarOptions, *, analyzer: Analyzer | None = None
) -> SearchResult:
    """Finds files like one that is given, as `similar` does.

    Raises:
        UsageError, AnalysisError: as `wherefrom.Index.similar_to`.
    """
    name, language, lines = options.name, options.language, options.lines
    readings: list[Reading] = ["likely", "unscrambled"] if is_scrambled(code) else ["likely"]
    read = partial(analyze_query, code, name=name, language=language, lines=lines, analyzer=analyzer)
    found = [
        _similar(engine, stored_text(code, read(reading=reading)), options, name_with_lines(name, lines), code)
        for reading in readings
    ]
    return max(found, key=lambda result: result.hits[0].score if result.hits else 0.0)


def _similar(
    engine: Engine,
    stored: StoredBlob,
    options: SimilarOptions,
    name: str,
    source: bytes | Callable[[], bytes | None],
    *,
    itself: tuple[str, str] | None = None,
) -> SearchResult:
    """The files like one of that name, but for the one at `itself`: repository and path."""
    begin = time.perf_counter()
    by, limit, least = options.by, options.limit, floor(options.by, stored.token_count)
    ranking = rank(engine, stored, by=by, wanted=max(CANDIDATES, limit) + 1, budget=options.budget)
    alike = [each for each in ranking.compared if each.score >= least]
    places = current_occurrences(engine, [each.document.blob.blob for each in alike])
    if stored.blob in places:  # its copies elsewhere are hits, the target itself is not
        places[stored.blob] = [at for at in places[stored.blob] if (at.repository, at.path) != itself]
    standing = [each for each in alike if places[each.document.blob.blob]]
    made = (
        _hit(ranking, each, places[each.document.blob.blob], least if options.explain else None)
        for each in standing[:limit]
    )
    hits, repositories = with_records(engine, made)
    subject = ranking.target.document.stream
    explained = int(np.count_nonzero(explained_tokens(subject, (pair for hit in hits for pair in hit.regions))))
    return SearchResult(
        engine=engine.name,
        schemes=scheme_ids(),
        query=QueryInfo(
            name=name,
            language=stored.language,
            tokens=len(subject),
            fingerprints=sum(len(each) for each in ranking.looked_up.values()),
            window=SCHEMES[Representation.EXACT].w,
            guarantee=SCHEMES[Representation.EXACT].guarantee,
            excluded={"boilerplate": 0, "max_df": 0},
            needed=None if ranking.looked_up else SCHEMES[Representation.EXACT].k,
        ),
        total=len(standing),
        truncated=ranking.truncated,
        took_ms=round((time.perf_counter() - begin) * 1000, 3),
        hits=hits,
        explained_tokens=explained,
        explained=token_percent(explained, len(subject)),
        repositories=repositories,
        texts=texts(engine, source),
    )


def find_occurrence(engine: Engine, target: str) -> Occurrence:
    """The occurrence that `REPOSITORY:PATH` names; a key may itself hold colons.

    Raises:
        UsageError: there is no colon, or several repositories are meant.
        UnknownRepository: no such repository, or no such path in it.
    """
    if ":" not in target:
        raise UsageError(
            f"{target!r} is neither a file nor an indexed one, which is named REPOSITORY:PATH; check the path, or see "
            "`wherefrom list`"
        )
    keys = [record.key for record in engine.repositories()]
    splits = [(target[:at], target[at + 1 :]) for at, character in enumerate(target) if character == ":"]
    splits = [split for split in splits if split[0] in keys] or splits
    named = [(key, path) for name, path in splits for key in keys_of(name, keys)]
    if not named:
        [problem] = unmatched([target.rpartition(":")[0]], keys)
        raise UnknownRepository(problem)
    found = [
        occurrence
        for key, path in named
        for occurrence in engine.occurrences(repository=key)
        if occurrence.path == path
    ]
    if not found:
        raise UnknownRepository(f"repository {named[0][0]!r} has no indexed file {named[0][1]!r}")
    if len(found) > 1:
        raise UsageError(f"{target!r} means a file in each of {len(found):,} repositories; give the key of one")
    return found[0]


def frequencies(
    engine: Engine, terms: Mapping[Representation, Hashes]
) -> tuple[dict[Representation, dict[int, int]], dict[Representation, int]]:
    """How many contents have each of some terms, and N."""
    sought = {representation: each.tolist() for representation, each in terms.items()}
    counted = engine.document_frequencies(sought)
    frequencies = {
        representation: dict(zip(each, counted[representation].counts, strict=True))
        for representation, each in sought.items()
    }
    return frequencies, {representation: each.blobs for representation, each in counted.items()}


def _hit(ranking: Ranking, compared: Compared, places: Sequence[Occurrence], least: float | None) -> Hit:
    """The hit of a compared file, explained where the `least` score is given."""
    target = ranking.target
    containment = compared.containment or target.containment(compared.document)
    regions = _regions(target.document, compared.document, containment.alignment)
    content = ContentMatch(
        blob=compared.document.blob.blob,
        score=round(compared.score, 6),
        match=match_percent(regions, len(target.document.stream)),
        containment=round(containment.share, 6),
        longest_run=max((region.tokens for region in regions), default=0),
        regions=regions,
    )
    hit = Hit(
        contents=(content,),
        language=compared.document.blob.language,
        occurrences=tuple(places),
        explanation=None if least is None else _explanation(ranking, compared, containment, least),
    )
    compared.document.forget()
    return hit


def _regions(subject: Document, document: Document, alignment: Alignment) -> tuple[RegionPair, ...]:
    nothing = np.zeros(len(subject.stream), np.bool_)
    regions = match_regions(Sides.of(subject.stream, document.stream), alignment.runs(), nothing)
    return tuple(region for region in regions if region.tokens >= SHORTEST_REGION)


def _explanation(ranking: Ranking, compared: Compared, containment: Containment, least: float) -> Explanation:
    is_contained = not compared.shared or (compared.containment is not None and containment.share == compared.score)
    parts = _parts_of_containment(containment) if is_contained else _parts_of_resemblance(compared)
    return Explanation(
        score=round(compared.score, 6),
        probability=None,
        signs=None,
        threshold=round(least, 6),
        log_odds={},
        first_stage=round(compared.first_stage, 6),
        literal_share=0.0,
        agreement=1.0,
        windows=1,
        blobs=ranking.blobs,
        chains=tuple(parts),
        terms=tuple(
            TermExplanation(representation, term, count, round(idf(count, ranking.blobs[representation]), 6))
            for representation in INDEXED
            for term, count in ranking.looked_up.get(representation, {}).items()
            if term in compared.document.terms[representation]
        ),
    )


def _parts_of_containment(containment: Containment) -> Iterable[ChainExplanation]:
    for representation, chain in containment.alignment.chains.items():
        yield ChainExplanation(
            representation=representation,
            score=round(chain.score / containment.total, 6),
            kgrams=len(chain.query),
            coverage=round(containment.share, 6),
            longest_run=chain.longest_run,
        )


def _parts_of_resemblance(compared: Compared) -> Iterable[ChainExplanation]:
    """A line for each measure; where nothing is chained, the longest run is that of one k-gram."""
    both = sum(each.measure.weight * (each.own + each.other) for each in compared.shared)
    for each in compared.shared:
        if each.common:
            yield ChainExplanation(
                representation=each.measure.representation,
                score=round(2 * each.measure.weight * each.common / both, 6),
                kgrams=each.common,
                coverage=round(each.common / each.own, 6),
                longest_run=each.measure.k,
            )
