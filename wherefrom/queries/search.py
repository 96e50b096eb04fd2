"""The search: candidates from the engine, aligned, judged, grouped, explained."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.model import INDEXED, Representation
from wherefrom.queries.alignment import FIRST_STAGE_WEIGHT
from wherefrom.queries.attribution import AttributionCriteria, admitted, attributions
from wherefrom.queries.boilerplate import make_set, stored_sets
from wherefrom.queries.candidates import BATCH, MOST_CANDIDATES, Candidates, Found
from wherefrom.queries.filters import AdmittedBlobs, Filters, own_keys
from wherefrom.queries.groups import Groups
from wherefrom.queries.index_references import IndexReferences
from wherefrom.queries.occurrences import records_of, texts
from wherefrom.queries.prepare import prepare
from wherefrom.queries.regions import Sides, aligned_runs, match_regions, matched_tokens
from wherefrom.queries.snippet import analyze_query, name_with_lines
from wherefrom.results import ChainExplanation, Explanation, Hit, SearchResult, TermExplanation, match_percent
from wherefrom.workers.analyzer import Analyzer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.engines.engine import Engine
    from wherefrom.model import Candidate, Occurrence
    from wherefrom.options import SearchOptions
    from wherefrom.queries.alignment import Document
    from wherefrom.queries.prepare import Fingerprint, Part, Query
    from wherefrom.queries.regions import Run

CERTAIN_FIRST_STAGE = 0.4
"""Share of T(N) that the engine's score of a candidate has to be, where only what scores T(N) is asked for. Of 18,405
candidates in checks of three projects it leaves out 81 in 100; each of the 22 found had 1.1 T(N) or more.
"""


@dataclass(slots=True)
class _Search:
    """One search under way; `certain` as in `search_tokens`."""

    references: IndexReferences
    query: Query
    options: SearchOptions
    criteria: AttributionCriteria
    candidates: Candidates
    certain: bool
    found: dict[str, Found] = field(default_factory=dict)
    groups: Groups = field(default_factory=Groups)
    truncated: bool = False


def search(
    engine: Engine,
    code: bytes,
    options: SearchOptions,
    *,
    references: IndexReferences | None = None,
    admitted_blobs: AdmittedBlobs | None = None,
    analyzer: Analyzer | None = None,
) -> SearchResult:
    """Finds where a snippet appears (`wherefrom.Index.search` tells it all).

    Args:
        engine: the index.
        code: the snippet.
        options: how to search.
        references: what the locations of the index say of their source, kept from one search to the next.
        admitted_blobs: the blobs that filters admit, kept likewise.
        analyzer: what analyzes the snippet, kept likewise.

    Raises:
        UsageError, BoilerplateError, AnalysisError: as there.
    """
    begin = time.perf_counter()
    analyzer = analyzer or Analyzer()
    snippet = analyze_query(code, name=options.name, language=options.language, lines=options.lines, analyzer=analyzer)
    if options.without_texts:
        made = make_set("files given with the query", options.without_texts, analyzer=analyzer)
        options = replace(options, without_texts=(), without_sets=(*options.without_sets, made))
    if options.progress is not None:
        options.progress(len(snippet.tokens))
    found = search_tokens(
        engine,
        snippet.tokens,
        options,
        name=name_with_lines(options.name, options.lines),
        language=snippet.language,
        own=own_keys(engine.repositories(), (), options.own) if options.own else frozenset(),
        references=references,
        admitted_blobs=admitted_blobs,
    )
    return replace(found, took_ms=round((time.perf_counter() - begin) * 1000, 3), texts=texts(engine, code))


def search_tokens(
    engine: Engine,
    stream: TokenStream,
    options: SearchOptions,
    *,
    name: str,
    language: str,
    own: frozenset[str] = frozenset(),
    certain: bool = False,
    references: IndexReferences | None = None,
    admitted_blobs: AdmittedBlobs | None = None,
) -> SearchResult:
    """Finds where the tokens of a text, or of a part of one, stand; regions are those of the text.

    Args:
        engine: the index.
        stream: the tokens.
        options: how to search; their name, language, lines, `own` and `without_texts` have no effect.
        name: of the text.
        language: of the text.
        own: keys of repositories that are left out; unlike with a filter, the index is not listed.
        certain: take only what scores T(N): nobody looks at each answer of thousands of searches.
        references: what the locations of the index say of their source, kept from one search to the next.
        admitted_blobs: the blobs that filters admit, kept likewise.

    Raises:
        UsageError, BoilerplateError: as `search`.
    """
    begin = time.perf_counter()
    left_out = [*stored_sets(engine, options.without), *options.without_sets]
    query = prepare(stream, engine, window=options.window, boilerplate=left_out, max_df=options.max_df)
    references = references or IndexReferences(engine)
    references.refresh()
    admitted_blobs = admitted_blobs or AdmittedBlobs(engine)
    criteria = AttributionCriteria.of(options)
    candidates = Candidates(
        engine, query, Filters.of(options), admitted_blobs, partial(_admitted, criteria, own, references)
    )
    running = _Search(references, query, options, criteria, candidates, certain)
    is_too_short = 0 < query.remaining_tokens < query.least_matched
    if not is_too_short:
        _gather(running)
    ordered = sorted(running.groups.members, key=lambda leader: (-_best(running, leader).score, leader))
    shown = [(leader, _best(running, leader)) for leader in ordered[: options.limit]]
    aligned = _all_runs(running, [best for _, best in shown])
    hits = tuple(_hit(running, *each, runs) for each, runs in zip(shown, aligned, strict=True))
    info = query.info(name, language)
    return SearchResult(
        engine=engine.name,
        schemes=scheme_ids(),
        query=replace(info, needed=query.least_matched) if is_too_short else info,
        total=len(running.groups),
        truncated=running.truncated,
        took_ms=round((time.perf_counter() - begin) * 1000, 3),
        hits=hits,
        repositories=records_of(engine, hits),
    )


def _admitted(
    criteria: AttributionCriteria, own: Collection[str], references: IndexReferences, occurrences: Sequence[Occurrence]
) -> list[Occurrence]:
    """The occurrences that may be in the answer."""
    others = [occurrence for occurrence in occurrences if occurrence.repository not in own]
    return admitted(criteria, references, others)


def _gather(running: _Search) -> None:
    """Asks for candidates in batches until the weaker half of one adds nothing that is found, enough groups stand or
    nothing is left.
    """
    offsets = dict.fromkeys(range(len(running.query.parts)), 0)
    while offsets:
        late = 0
        for number in list(offsets):
            part = running.query.parts[number]
            candidates = running.candidates.batch(part, offsets[number])
            offsets[number] += len(candidates)
            late += _judge(running, part, candidates)
            if len(candidates) < BATCH:
                del offsets[number]
        if not late:
            return
        if len(running.groups) >= running.options.limit or any(n >= MOST_CANDIDATES for n in offsets.values()):
            running.truncated = bool(offsets)
            return


def _judge(running: _Search, part: Part, candidates: Sequence[Candidate]) -> int:
    """Aligns candidates and keeps those that count as found and stand somewhere that fits. Few do, so where they stand
    is asked last. Gives how many of the weaker half count as found that did not before, wherever they stand.
    """
    better: dict[str, Found] = {}
    floor = CERTAIN_FIRST_STAGE * running.candidates.threshold if running.certain else 0.0
    for candidate in candidates:
        if candidate.score < floor:
            continue
        blob = candidate.blob.blob
        known = running.found.get(blob)
        document = known.document if known else running.candidates.document(candidate)
        found = running.candidates.judge(part, document, candidate.score)
        if found is None or (known and known.score >= found.score):
            continue
        if running.certain and found.reason != "score":
            continue
        if not _is_evidence(running.query, found):
            continue
        least = running.options.min_containment
        if known is None and least and containment(running.query, document) < least:
            continue
        better[blob] = found
    weaker = (candidate.blob.blob for candidate in candidates[BATCH // 2 :])
    late = sum(blob in better and blob not in running.found for blob in weaker)
    for candidate in running.candidates.standing([each for each in candidates if each.blob.blob in better]):
        found = better[candidate.blob.blob]
        if candidate.blob.blob not in running.found:
            running.groups.add(found.document)
        running.found[candidate.blob.blob] = found
    return late


def _is_evidence(query: Query, found: Found) -> bool:
    """Whether what a document has of the remaining tokens is as long as a run that is always seen."""
    if not query.least_matched:
        return True
    sides = Sides.of(query.stream, found.document.stream, query.kept)
    return matched_tokens(sides, aligned_runs(found.alignment), query.masked) >= query.least_matched


def containment(query: Query, document: Document) -> float:
    """The idf-weighted share of the query's k-grams that the document holds, the larger over the representations."""
    return max(
        (
            grams.shared_weight(document.grams(representation, grams.k).hashes) / grams.total
            for representation, grams in query.whole.items()
            if grams.total
        ),
        default=0.0,
    )


def _best(running: _Search, leader: str) -> Found:
    return min(
        (running.found[blob] for blob in running.groups.members[leader]),
        key=lambda each: (-each.score, each.document.blob.blob),
    )


def _hit(running: _Search, leader: str, best: Found, aligned: Sequence[Run]) -> Hit:
    query = running.query
    regions = match_regions(Sides.of(query.stream, best.document.stream, query.kept), aligned, query.masked)
    members = [best.document.blob.blob, *sorted(set(running.groups.members[leader]) - {best.document.blob.blob})]
    occurrences = tuple(occurrence for blob in members for occurrence in running.candidates.places[blob])
    hit = Hit(
        score=round(best.score, 6),
        match=match_percent(regions, query.remaining_tokens),
        containment=round(min(containment(query, best.document), 1.0), 6),
        longest_run=max((region.tokens for region in regions), default=0),
        blob=best.document.blob.blob,
        language=best.document.blob.language,
        occurrences=occurrences,
        regions=regions,
        explanation=_explanation(running, best) if running.options.explain else None,
        attributions=attributions(running.criteria, running.references, occurrences, regions),
    )
    best.document.forget()
    return hit


def _all_runs(running: _Search, best: Sequence[Found]) -> list[list[Run]]:
    """For each document the aligned runs of its best window, and of the query's other windows that count as found by
    themselves.
    """
    aligned = [aligned_runs(found.alignment) for found in best]
    # One window after the other, and not one document after the other: what a window is looked up by is made once.
    for part in running.query.parts:
        for found, runs in zip(best, aligned, strict=True):
            if part is found.part and len(part.distances) == 1:
                continue
            other = running.candidates.judge(part, found.document, 0.0)
            if other is not None:
                runs.extend(aligned_runs(other.alignment, part.distances))
    return aligned


def _explanation(running: _Search, best: Found) -> Explanation:
    held = document_terms(best.document.stream)
    terms = tuple(
        TermExplanation(each.representation, each.term, each.document_frequency, round(each.weight, 6))
        for representation in INDEXED
        for each in _distinct(running.query, representation, best.part)
        if representation in held and np.isin(np.uint64(each.term), held[representation])
    )
    chains = tuple(
        ChainExplanation(
            representation=representation,
            score=round(chain.score, 6),
            kgrams=len(chain.query),
            coverage=round(chain.covered / best.part.tokens, 6) if best.part.tokens else 0.0,
            longest_run=chain.longest_run,
        )
        for representation, chain in best.alignment.chains.items()
    )
    return Explanation(
        score=round(best.score, 6),
        threshold=round(running.candidates.threshold, 6),
        reason=best.reason,
        first_stage=round(best.first_stage, 6),
        first_stage_weight=FIRST_STAGE_WEIGHT,
        blobs=running.query.blobs,
        chains=chains,
        terms=terms,
    )


def _distinct(query: Query, representation: Representation, part: Part) -> Iterator[Fingerprint]:
    """The looked-up terms of a part, each once."""
    by_term = {each.term: each for each in query.fingerprints if each.representation is representation}
    for term in sorted(part.terms.get(representation, ())):
        yield by_term[term]
