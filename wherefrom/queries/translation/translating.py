"""Finds translations: contents in other languages that have the words of a query in the same order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import compress

import numpy as np

from wherefrom.analyzers import kernel
from wherefrom.analyzers.fingerprints import are_places
from wherefrom.analyzers.hashing import distinct
from wherefrom.analyzers.token_words import TokenWords
from wherefrom.analyzers.tokens import TokenStream, language_at
from wherefrom.engines.engine import Engine
from wherefrom.fitted import FEW_LINES, LONG_QUERY, TRANSLATED_FILE, TRANSLATION, WORDS_FOR_TERMS
from wherefrom.languages import LANGUAGES
from wherefrom.model import Candidate, Occurrence, Representation
from wherefrom.queries.alignment.documents import DocumentTokens
from wherefrom.queries.attributing.attribution import Attributions
from wherefrom.queries.candidates import BATCH, Candidates, for_length
from wherefrom.queries.filters import AdmittedBlobs, Filters
from wherefrom.queries.grouping.copies import Groups, sketch
from wherefrom.queries.judging.odds import logistic, stated, strength
from wherefrom.queries.preparation.query import LookedUpTerms
from wherefrom.queries.spans import Flags, Numbers
from wherefrom.queries.translation.alignment import AlignedWords, WordEvidence, WordQuery
from wherefrom.results import Attribution, ContentMatch, Hit, Region, RegionPair
from wherefrom.results.search import token_percent
from wherefrom.support.values import dataclass, replace

LEAST_WORDS = 5  # a query with fewer words proves nothing
MOST_ALIGNED = 20  # at most this many contents are aligned, those that share most of the words

FAMILIES = (frozenset({"c", "cpp", "objc"}), frozenset({"javascript", "typescript", "tsx"}))
"""Languages that share most of their syntax, so that a search for copies finds code of one in another."""

_WORDS = Representation.WORDS


@dataclass(frozen=True, slots=True)
class _Translation:
    """A content in another language, beside the query."""

    document: DocumentTokens
    words: TokenWords
    aligned: AlignedWords
    language: str  # the language of the aligned words: that of the script in a page, for example
    probability: float
    rank: float  # the logarithm of the odds and of the weight of the shared terms, added


def other_languages(languages: frozenset[str]) -> frozenset[str]:
    """The languages with a grammar that are not in the family of one of these."""
    related = languages.union(*(family for family in FAMILIES if family & languages))
    return frozenset(name for name, language in LANGUAGES.items() if language.grammar) - related


class Translations:
    """The translations of a text in an index, without its `masked` tokens, at places that the filters and `admitted`
    let through. `groups` are those with at least the probability `least`, the best first; contents that are nearly
    identical are one group. `lacks_code` tells whether the index has only fingerprints of a possible one.
    """

    def __init__(  # noqa: PLR0917 -- as `Candidates`
        self,
        engine: Engine,
        stream: TokenStream,
        masked: Flags,
        filters: Filters,
        admitted_blobs: AdmittedBlobs,
        admitted: Callable[[Sequence[Occurrence]], list[Occurrence]] = list,
        *,
        least: float,
        is_file: bool = False,
    ) -> None:
        self._stream, self.lacks_code, self._is_file = stream, False, is_file
        self._odds = TRANSLATED_FILE if is_file else TRANSLATION
        self.groups: list[list[_Translation]] = []
        is_counted = ~masked[stream.words.tokens]
        words = TokenWords(stream.words.codes[is_counted], stream.words.tokens[is_counted])
        self._others = other_languages(frozenset(stream.languages))
        languages = self._others & admitted_blobs.languages()
        if filters.languages:
            languages &= frozenset(filters.languages)
        if len(words.codes) < LEAST_WORDS or not languages:
            return

        def promising(facts: Sequence[tuple[float, int]], whole: float) -> list[bool]:
            shares = (min(1.0, WORDS_FOR_TERMS * score / whole) for score, _ in facts)
            most = (WordEvidence(share * len(words.codes), share ** (0.5 if is_file else 1)) for share in shares)
            return [logistic(it.log_odds(self._odds)) >= least for it in most]

        if not promising([(1.0, 0)], 1.0)[0]:  # most pieces of code are too short to prove a translation
            return
        terms = kernel.word_terms(words, is_query=len(words.codes) <= LONG_QUERY).tolist()
        looked_up = LookedUpTerms.of(engine, {_WORDS: terms})
        weights = looked_up.weights({_WORDS: [term for term in terms if looked_up.counts[_WORDS][term]]})
        whole = sum(looked_up.weights({_WORDS: terms})[_WORDS].values())
        # An engine rounds weights, by much less than a hundredth of their sum.
        most = 1.01 * sum(weights[_WORDS].values())
        if not most or not promising([(most, 0)], whole)[0]:
            return
        filters = replace(filters, languages=tuple(sorted(languages)))
        # The score of a file is not yet divided by its length.
        at_once = BATCH if is_file else MOST_ALIGNED
        self.candidates = Candidates(engine, looked_up, filters, admitted_blobs, admitted, at_once=at_once)
        self._query = WordQuery(words)
        batch = next(self.candidates.batches(weights, partial(promising, whole=whole)), [])
        if is_file:
            batch.sort(key=for_length, reverse=True)
        batch = [*compress(batch, promising([(it.score, it.blob.token_count) for it in batch], whole))][:MOST_ALIGNED]
        coded = [it for it in batch if not are_places(it.blob.tokens)]
        self.lacks_code = len(coded) < len(batch)
        judged = {it.blob.blob: own for it in coded if (own := self._judged(it, least))}
        placed = self.candidates.with_locations([it for it in coded if it.blob.blob in judged])
        groups = Groups()
        for blob in sorted((it.blob.blob for it in placed), key=lambda blob: (-judged[blob].rank, blob)):
            groups.add(blob, sketch(judged[blob].document))
        self.groups = [[judged[blob] for blob in blobs] for blobs in groups.members.values()]

    def _judged(self, candidate: Candidate, least: float) -> _Translation | None:
        document = DocumentTokens(candidate.blob)
        words = document.words
        aligned = self._query.align(words)
        compare_whole = self._is_file and aligned.shared  # nothing can be shown of a file without an aligned word
        evidence = self._query.resemblance(words) if compare_whole else self._query.evidence(aligned)
        if evidence is None:
            return None
        likely = evidence.log_odds(self._odds)
        if logistic(likely) < least:
            return None
        language = language_at(document.stream, int(words.tokens[aligned.there[len(aligned.there) // 2]]))
        if language not in self._others:  # a script in a page, which a search for copies finds
            return None
        rank = likely + math.log(candidate.score)
        return _Translation(document, words, aligned, language, logistic(likely), rank)

    def hits(self, attributions: Attributions | None, *, limit: int) -> Iterator[Hit]:
        """A hit for each of the first `limit` groups, without those whose places the attribution filters leave out."""
        for group in self.groups[:limit]:
            contents = tuple(self._content(found) for found in group)
            regions = {content.blob: content.regions for content in contents}
            occurrences = [at for blob in regions for at in self.candidates.places[blob]]
            named: tuple[Attribution, ...] = ()
            if attributions is not None:
                occurrences, named = attributions.of(occurrences, regions)
            if occurrences:
                best, places = group[0], tuple(occurrences)
                language = best.document.blob.language
                yield Hit(contents, language, places, attributions=named, translated_from=best.language)

    def _content(self, found: _Translation) -> ContentMatch:
        here, there = self._query.words.tokens[found.aligned.here], found.words.tokens[found.aligned.there]
        sides = self._stream, found.document.stream
        regions = tuple(region_pair(*sides, here[part], there[part]) for part in parts(here, there))
        found.document.forget()
        return ContentMatch(
            blob=found.document.blob.blob,
            score=round(found.aligned.bits, 6),
            match=token_percent(int(self._query.bits[found.aligned.here].sum()), int(self._query.bits.sum())),
            containment=0.0,
            longest_run=max(region.tokens for region in regions),
            regions=regions,
            strength=strength(found.probability),
            probability=stated(found.probability),
        )


def parts(here: Numbers, there: Numbers) -> Iterator[slice]:
    """The parts of an alignment, given the token of each aligned word in both texts. Between two parts, one text has
    more than `FEW_LINES` tokens.
    """
    is_first = np.ones(len(here), np.bool_)
    is_first[1:] = (np.diff(here) > FEW_LINES) | (np.diff(there) > FEW_LINES)
    firsts = np.flatnonzero(is_first).tolist()
    return map(slice, firsts, [*firsts[1:], len(here)])


def region_pair(one: TokenStream, other: TokenStream, here: Numbers, there: Numbers) -> RegionPair:
    """The regions of a part of an alignment, given the token of each aligned word in both texts."""
    lines = np.stack([one.start_lines[here], other.start_lines[there]], axis=1)
    facing = dict(lines[::-1].tolist())
    tokens = int(here[-1] - here[0]) + 1
    return RegionPair(_region(one, here), _region(other, there), tokens, _WORDS, tuple(sorted(facing.items())))


def with_copies(copies: Sequence[Hit], translated: Sequence[Hit]) -> tuple[list[Hit], list[Hit]]:
    """The copies, and the translations that are not among them. A hit that is both has the larger match of the two."""
    by_blob = {content.blob: hit for hit in translated for content in hit.contents}
    known = {content.blob for hit in copies for content in hit.contents}
    joined = []
    for hit in copies:
        other = by_blob.get(hit.blob, hit)
        joined.append(other if other.matched_tokens > hit.matched_tokens else hit)
        if other is not hit:
            joined[-1] = replace(joined[-1], translated_from=other.translated_from)
    return joined, [hit for hit in translated if hit.blob not in known]


def _region(text: TokenStream, tokens: Numbers) -> Region:
    """The part of a text from the first to the last of some tokens, ascending. What is between them is not matched."""
    own = distinct(tokens)
    first, last = own[0], own[-1]
    lines = int(text.start_lines[first]), int(text.end_lines[last])
    gaps = zip(text.ends[own[:-1]].tolist(), text.starts[own[1:]].tolist(), strict=True)
    return Region(int(text.starts[first]), int(text.ends[last]), *lines, tuple(gaps))
