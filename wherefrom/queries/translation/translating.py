"""Finds translations: contents in other languages that have the words of a query in the same order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from wherefrom.analyzers import kernel
from wherefrom.analyzers.term_places import are_places
from wherefrom.analyzers.tokens import TokenStream, Words
from wherefrom.analyzers.words import word_terms
from wherefrom.engines.engine import Engine
from wherefrom.fitted import FEW_LINES, LONG_QUERY
from wherefrom.languages import LANGUAGES
from wherefrom.model import RepositoryRecord, Representation
from wherefrom.queries.alignment.documents import DocumentTokens
from wherefrom.queries.alignment.regions import all_regions
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.candidates import Candidates
from wherefrom.queries.filters import Filters
from wherefrom.queries.grouping.copies import Groups, sketch
from wherefrom.queries.grouping.hits import Finished
from wherefrom.queries.judging.odds import is_weaker, strength
from wherefrom.queries.looked_up import LookedUpTerms
from wherefrom.queries.translation.alignment import AlignedWords, WordQuery
from wherefrom.results import ContentMatch, Hit, RegionPair
from wherefrom.results.search import token_percent
from wherefrom.support.values import dataclass, replace

LEAST_WORDS = 8
"""A query with fewer words proves nothing."""

FAMILIES = (frozenset({"c", "cpp", "objc"}), frozenset({"javascript", "typescript", "tsx"}))
"""Languages that share most of their syntax, so that a search for copies finds code of one in another."""


@dataclass(frozen=True, slots=True)
class _Translation:
    """A content in another language, beside the query."""

    document: DocumentTokens
    words: Words
    aligned: AlignedWords
    probability: float


def other_languages(languages: frozenset[str]) -> frozenset[str]:
    """The languages with a grammar that are not in the family of one of these."""
    related = languages.union(*(family for family in FAMILIES if family & languages))
    return frozenset(name for name, language in LANGUAGES.items() if language.grammar) - related


def translations(
    engine: Engine, done: Finished, references: IndexReferences, *, least: float
) -> tuple[list[Hit], int, Mapping[str, RepositoryRecord]]:
    """The hits in other languages than the query, the best first, how many there are in all, and the records of their
    repositories. `done` is the search for copies of the same query; `least` is the least probability.
    """
    options, stream = done.options, done.query.stream
    words = _counted(stream, done.query.masked)
    languages = other_languages(frozenset(stream.languages)) & references.admitted_blobs.languages()
    if options.languages:
        languages &= frozenset(options.languages)
    if len(words.codes) < LEAST_WORDS or not languages or options.min_containment:
        return [], 0, {}
    terms = word_terms(words, is_query=len(words.codes) <= LONG_QUERY).tolist()
    looked_up = LookedUpTerms.of(engine, {Representation.WORDS: terms})
    weights = looked_up.weights({Representation.WORDS: [it for it in terms if looked_up.counts[Representation.WORDS][it]]})
    filters = replace(Filters.of(engine, options), languages=tuple(sorted(languages)))
    candidates = Candidates(engine, looked_up, filters, references.admitted_blobs, done.attributions.admitted)
    query = WordQuery(words)
    found: dict[str, _Translation] = {}
    groups = Groups()
    batch = next(candidates.batches(weights), [])
    judged = {candidate.blob.blob: _judged(query, DocumentTokens(candidate.blob)) for candidate in batch}
    likely = [it for it in batch if (own := judged[it.blob.blob]) and own.probability >= least]
    for candidate in candidates.with_locations(likely):
        translation = judged[candidate.blob.blob]
        if translation is not None and not is_weaker(translation.probability, options.min_strength):
            found[candidate.blob.blob] = translation
    for blob, translation in sorted(found.items(), key=lambda pair: (-pair[1].aligned.bits, pair[0])):
        groups.add(blob, sketch(translation.document))
    hits = [hit for members in groups.members.values() if (hit := _hit(done, candidates, query, [found[blob] for blob in members]))]
    return hits[: options.limit], len(hits), candidates.records


def _counted(stream: TokenStream, masked: np.ndarray) -> Words:
    """The words of the tokens that are not left out."""
    counts = ~masked[stream.words.tokens]
    return Words(stream.words.codes[counts], stream.words.tokens[counts])


def _judged(query: WordQuery, document: DocumentTokens) -> _Translation | None:
    if are_places(document.blob.tokens):
        return None
    words = kernel.stored_words(document.blob.tokens)
    aligned = query.align(words)
    if not len(aligned.here):
        return None
    return _Translation(document, words, aligned, query.evidence(aligned).probability())


def _hit(done: Finished, candidates: Candidates, query: WordQuery, found: Sequence[_Translation]) -> Hit | None:
    """The hit of nearly identical contents; None if attribution filters leave out all of its places."""
    contents = [_content(done.query.stream, query, translation) for translation in found]
    regions = {content.blob: content.regions for content in contents}
    places = [at for blob in regions for at in candidates.places[blob]]
    occurrences, attributions = done.attributions.of(places, regions)
    if not occurrences:
        return None
    language = found[0].document.blob.language
    return Hit(tuple(contents), language, tuple(occurrences), attributions=attributions, translated=True)


def _content(stream: TokenStream, query: WordQuery, found: _Translation) -> ContentMatch:
    aligned = found.aligned
    regions = tuple(_regions(stream, query.words, found))
    found.document.forget()
    return ContentMatch(
        blob=found.document.blob.blob,
        score=round(aligned.bits, 6),
        match=token_percent(int(query.bits[aligned.here].sum()), int(query.bits.sum())),
        containment=0.0,
        longest_run=max(region.tokens for region in regions),
        regions=regions,
        strength=strength(found.probability),
        probability=round(found.probability, 3),
    )


def _regions(stream: TokenStream, words: Words, found: _Translation) -> Iterator[RegionPair]:
    """The aligned parts of both texts. Between two parts, a text has at least `FEW_LINES` tokens without equal words."""
    document = found.document.stream
    here, there = words.tokens[found.aligned.here], found.words.tokens[found.aligned.there]
    is_first = np.ones(len(here), np.bool_)
    is_first[1:] = (np.diff(here) > FEW_LINES) | (np.diff(there) > FEW_LINES)
    firsts = np.flatnonzero(is_first)
    lasts = np.append(firsts[1:], len(here)) - 1
    lines = np.stack([stream.start_lines[here], document.start_lines[there]], axis=1)
    sides = (all_regions(text, at[firsts], at[lasts] + 1) for text, at in ((stream, here), (document, there)))
    for ours, theirs, first, last in zip(*sides, firsts.tolist(), lasts.tolist(), strict=True):
        facing = dict(reversed(lines[first : last + 1].tolist()))
        pairs = tuple(sorted(facing.items()))
        yield RegionPair(ours, theirs, int(here[last] - here[first]) + 1, Representation.WORDS, pairs)
