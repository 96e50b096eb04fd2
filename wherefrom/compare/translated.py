"""Pairs submissions whose files have the same words in the same order in different languages (`queries.translation`).

A word counts less the more submissions have it: those of one task share its words. The files of the most common
language are not looked up, since those of all others are looked up among them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import kernel
from wherefrom.analyzers.hashing import distinct
from wherefrom.analyzers.token_words import NO_WORDS, WORD_BYTES, WORD_MASK, TokenWords
from wherefrom.compare.answer import AnswerMaker
from wherefrom.compare.collection import Collection
from wherefrom.compare.comparing import Outcome
from wherefrom.compare.counting import weight_of
from wherefrom.compare.matching import KEPT, ComparedText, Weighed
from wherefrom.compare.pairing import MatchedFiles, pair_id, paired
from wherefrom.fitted import COMMON, TRANSLATION
from wherefrom.languages import LANGUAGES
from wherefrom.options import CompareOptions
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.judging.odds import logistic
from wherefrom.queries.preparation.background import UNIT
from wherefrom.queries.spans import Flags
from wherefrom.queries.translation.alignment import WordQuery, bits_of_words
from wherefrom.queries.translation.translating import MOST_ALIGNED, other_languages, parts, region_pair
from wherefrom.results import ComparedFile, CutOff
from wherefrom.results.comparison import BINS
from wherefrom.support.values import replace

if TYPE_CHECKING:
    from wherefrom._kernel import Translations

_ROUNDED = 1e-6  # the kernel's logarithms may differ from Python's by less
_SURE = 0.999999  # the kernel sorts out nothing by a greater probability


def with_translations(found: Outcome, collection: Collection, options: CompareOptions) -> Outcome:
    """Adds the pairs of files in different languages: to the pairs of submissions, or as new pairs after all others."""
    languages = Counter(file.language for file in found.files if LANGUAGES[file.language].grammar)
    if not any(other_languages(frozenset({name})) & languages.keys() for name in languages):
        return found
    collection = replace(collection, files=found.files)
    words = _Words(collection, options)
    rarer = languages.keys() - {languages.most_common(1)[0][0]}
    wanted = [number for number, file in enumerate(found.files) if file.language in rarer]
    matches = {match.files: match for number in wanted for match in words.matches(number)}
    answer = AnswerMaker(collection, words.text)
    reviews, names = options.reviews or {}, [submission.name for submission in collection.submissions]
    made = {}
    for both in paired(matches.values(), collection, words.totals):
        if both.containment >= options.min_containment:
            review = reviews.get(pair_id(names[both.left], names[both.right]))
            made[both.left, both.right] = answer.pair(replace(both, review=review))
    pairs = []
    for pair in found.pairs:
        other = made.pop((pair.left, pair.right), None)
        pairs.append(pair if other is None else replace(pair, files=(*pair.files, *other.files)))
    counting = [pair for pair in made.values() if not pair.is_dismissed]
    dismissed = [pair for pair in made.values() if pair.is_dismissed]
    room = max(0, options.limit - sum(not pair.is_dismissed for pair in pairs))
    submissions = [*found.submissions]
    for number, pair in enumerate(counting[:room], len(pairs)):
        for side in (pair.left, pair.right):
            if submissions[side].best_similarity < pair.similarity:
                submissions[side] = replace(submissions[side], best_pair=number, best_similarity=pair.similarity)
    pairs += [*counting[:room], *dismissed]
    bins = Counter(min(BINS - 1, int(pair.similarity * BINS)) for pair in counting)
    counts = replace(
        found.counts,
        found_pairs=found.counts.found_pairs + len(counting),
        dismissed_pairs=found.counts.dismissed_pairs + len(dismissed),
        histogram=tuple(number + bins[place] for place, number in enumerate(found.counts.histogram)),
    )
    return replace(
        found,
        counts=counts,
        cut_off=dict(Counter(found.cut_off) + Counter({CutOff.PAIRS_BEYOND_LIMIT: len(counting[room:])})),
        named=found.named.union(side for pair in pairs for files in pair.files for side in (files.left, files.right)),
        submissions=tuple(submissions),
        pairs=tuple(pairs),
    )


class _Words:
    """The words of all files; `totals` sums the weights of the terms of each, `text` reads a content."""

    def __init__(self, collection: Collection, options: CompareOptions) -> None:
        self._collection, self._options, self._files = collection, options, collection.files
        self.text = lru_cache(KEPT)(lambda blob: ComparedText(collection.blobs[blob]))
        self._query = cache(lambda file: WordQuery(self._words[file], self._bits))
        names = [file.language for file in self._files]
        others = {name: other_languages(frozenset({name})) for name in set(names)}
        self._others = {name: np.array([it in own for it in names]) for name, own in others.items()}
        self._lengths = np.sqrt([max(1, file.tokens) for file in self._files])
        self._words = [*map(self._of, self._files)]
        of_each = [*map(kernel.word_terms, self._words)]
        joined = np.concatenate(of_each)
        order = np.argsort(joined, kind="stable")
        self._terms = joined[order]
        self._holders = np.repeat(np.arange(len(of_each)), [*map(len, of_each)])[order]
        files = np.diff(np.searchsorted(self._terms, distinct(joined)), append=len(joined))
        self.totals = np.bincount(self._holders, self._weights(files), len(of_each)).astype(np.float64)
        # The bits of a word are those of many projects, which count as `COMMON` submissions, or fewer if many
        # submissions other than the two of a pair have it.
        members, usual = collection.members, bits_of_words()
        keys = [
            it.codes.astype(np.int64) | unit << 8 * WORD_BYTES
            for it, unit in zip(self._words, members.units.tolist(), strict=True)
        ]
        having = np.bincount(distinct(np.concatenate(keys)) & WORD_MASK, minlength=WORD_MASK + 1)
        share = np.maximum(having - 2, 0) + COMMON * np.exp2(-usual / UNIT)
        own = -np.log2(share / (max(members.unit_count - 2, 0) + COMMON)) * UNIT
        self._bits: NDArray[np.int32] = np.minimum(usual, own.astype(np.int32))
        native = kernel.active()
        self._native = None if native is None else self._made(native)

    def _made(self, native: kernel.Kernel) -> Translations:
        # A pair that is probable enough has at least these log odds. The kernel drops pairs below them, so they may be
        # too low, but never too high.
        least = min(self._options.min_probability, _SURE)
        return native.translations(
            words=[own.codes for own in self._words],
            bits=self._bits,
            terms=self._terms,
            holders=self._holders.astype(np.uint32),
            weights=weight_of(np.arange(len(self._files) + 1), len(self._files)),
            lengths=self._lengths,
            most=MOST_ALIGNED,
            odds=(
                TRANSLATION.pairs,
                TRANSLATION.share,
                math.log(least / (1 - least)) - TRANSLATION.bias - _ROUNDED if least else -math.inf,
            ),
        )

    def _weights(self, files: NDArray[np.int64]) -> NDArray[np.float64]:
        """The weight of each term, once for each of the `files` that have it."""
        return np.repeat(weight_of(files, len(self._files)), files)

    def _of(self, file: ComparedFile) -> TokenWords:
        if not LANGUAGES[file.language].grammar:
            return NO_WORDS
        words = kernel.stored_words(self._collection.blobs[file.occurrence.blob].tokens)
        if file.boilerplate:
            at = self.text(file.occurrence.blob).document.stream.starts[words.tokens]
            begins, ends = np.array([(part.start_byte, part.end_byte) for part in file.boilerplate]).T
            is_left = np.searchsorted(begins, at, "right") == np.searchsorted(ends, at, "right")
            words = TokenWords(words.codes[is_left], words.tokens[is_left])
        return words

    def matches(self, file: int) -> Iterator[MatchedFiles]:
        """The translations of a file among those that share most words for their length."""
        members = self._collection.members
        owners = members.submission_of
        allowed = self._others[self._files[file].language] & members.may_meet(owners[file], owners)
        native = self._native
        best = self._best(file, allowed) if native is None else native.likely(file, allowed.view(np.uint8))
        for other, shared in best:
            yield from self._matched(min(file, other), max(file, other), shared)

    def _best(self, file: int, allowed: Flags) -> list[tuple[int, float]]:
        """The files that share most words with a file for their length, each with the weight of their terms."""
        own = kernel.word_terms(self._words[file], is_query=True)
        begins, ends = (np.searchsorted(self._terms, own, side) for side in ("left", "right"))
        holders = map(self._holders.__getitem__, map(slice, begins.tolist(), ends.tolist()))
        joined = np.concatenate([np.zeros(0, np.int64), *holders])
        shared = np.bincount(joined, self._weights(ends - begins), len(self._files))
        likely = np.flatnonzero(allowed & (shared > 0))
        best = likely[np.argsort(-shared[likely] / self._lengths[likely], kind="stable")[:MOST_ALIGNED]]
        return [*zip(best.tolist(), shared[best].tolist(), strict=True)]

    def _matched(self, left: int, right: int, weight: float) -> Iterator[MatchedFiles]:
        words = self._words[left], self._words[right]
        shorter = int(len(words[1].codes) < len(words[0].codes))
        query = self._query((left, right)[shorter])
        found = query.align(words[1 - shorter])
        evidence = query.evidence(found)
        if evidence is None or (likely := logistic(evidence.log_odds())) < self._options.min_probability:
            return
        places = (found.there, found.here) if shorter else (found.here, found.there)
        here, there = (own.tokens[place] for own, place in zip(words, places, strict=True))
        bits = query.bits[found.here] / UNIT
        one, other = (self.text(self._files[side].occurrence.blob).document.stream for side in (left, right))
        runs, weighed, regions = [], [], []
        for part in parts(here, there):
            begin, end, begin_there, end_there = (int(side[part][at]) for side in (here, there) for at in (0, -1))
            if end - begin + 1 >= self._options.min_tokens:
                runs.append(MatchedRun(begin_there - begin, begin, end + 1))
                weighed.append(Weighed(float(bits[part].sum()), 0.0, 0))
                regions.append((region_pair(one, other, here[part], there[part]), end_there + 1))
        if runs:
            yield MatchedFiles(left, right, tuple(runs), tuple(weighed), weight, likely, False, tuple(regions))
