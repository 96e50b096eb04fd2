"""Pairs submissions whose files have the same words in the same order in different languages (`queries.translation`).

A word counts less the more submissions have it: those of one task share its words. The files of the most common
language are not looked up, since those of all others are looked up among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import kernel
from wherefrom.analyzers.hashing import distinct
from wherefrom.analyzers.token_words import NO_WORDS, WORD_BYTES, WORD_MASK, TokenWords
from wherefrom.analyzers.words import word_terms
from wherefrom.compare.answer import AnswerMaker
from wherefrom.compare.collection import Collection
from wherefrom.compare.comparing import Outcome
from wherefrom.compare.counting import weight_of
from wherefrom.compare.matching import KEPT, ComparedText, Weighed
from wherefrom.compare.pairing import MatchedFiles, pair_id, paired
from wherefrom.fitted import COMMON
from wherefrom.languages import LANGUAGES
from wherefrom.options import CompareOptions
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.preparation.background import UNIT
from wherefrom.queries.translation.alignment import WordQuery, bits_of_words
from wherefrom.queries.translation.translating import MOST_ALIGNED, other_languages, parts, region_pair
from wherefrom.results import ComparedFile, CutOff
from wherefrom.results.comparison import BINS
from wherefrom.support.values import replace


def with_translations(found: Outcome, collection: Collection, options: CompareOptions) -> Outcome:
    """Adds the pairs of files in different languages: to a pair of submissions that has copies, or as new pairs after
    all others.
    """
    languages = Counter(file.language for file in found.files if LANGUAGES[file.language].grammar)
    others = {name: other_languages(frozenset({name})) & languages.keys() for name in languages}
    if not any(others.values()):
        return found
    collection = replace(collection, files=found.files)
    words = _Words(collection, others, options)
    most_common = languages.most_common(1)[0][0]
    wanted = [at for at, file in enumerate(found.files) if file.language in languages and file.language != most_common]
    matches = {match.files: match for match in chain.from_iterable(map(words.matches, wanted))}
    answer = AnswerMaker(collection, lru_cache(KEPT)(lambda blob: ComparedText(collection.blobs[blob])))
    reviews, names = options.reviews or {}, [submission.name for submission in collection.submissions]
    made = {}
    for pair in paired(matches.values(), collection, words.totals):
        if pair.containment >= options.min_containment:
            review = reviews.get(pair_id(names[pair.left], names[pair.right]))
            made[pair.left, pair.right] = answer.pair(replace(pair, review=review))
    pairs = []
    for pair in found.pairs:
        both = made.pop((pair.left, pair.right), None)
        pairs.append(pair if both is None else replace(pair, files=(*pair.files, *both.files)))
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
    cut_off = Counter(found.cut_off) + Counter({CutOff.PAIRS_BEYOND_LIMIT: len(counting[room:])})
    counts = replace(
        found.counts,
        found_pairs=found.counts.found_pairs + len(counting),
        dismissed_pairs=found.counts.dismissed_pairs + len(dismissed),
        histogram=tuple(number + bins[place] for place, number in enumerate(found.counts.histogram)),
    )
    named = found.named.union(side for pair in pairs for files in pair.files for side in (files.left, files.right))
    changed = {"submissions": tuple(submissions), "pairs": tuple(pairs)}
    return replace(found, counts=counts, cut_off=dict(cut_off), named=named, **changed)


_NO_FILES = np.zeros(0, np.int64)


class _Words:
    """The words of all files. `totals` has for each file the summed weights of the terms of its words."""

    def __init__(self, collection: Collection, others: Mapping[str, frozenset[str]], options: CompareOptions) -> None:
        self._collection, self._others, self._options = collection, others, options
        files, members = collection.files, collection.members
        self._words = [self._of(file) if file.language in others else NO_WORDS for file in files]
        self._bits = _bits(self._words, members.units, members.unit_count)
        of_each = [*map(word_terms, self._words)]
        joined = np.concatenate(of_each)
        order = np.argsort(joined, kind="stable")
        self._terms, self._holders = joined[order], np.repeat(np.arange(len(files)), [*map(len, of_each)])[order]
        held = np.diff(np.searchsorted(self._terms, distinct(joined)), append=len(joined))
        self.totals: NDArray[np.float64] = np.bincount(
            self._holders, np.repeat(weight_of(held, len(files)), held), len(files)
        )
        self._languages = np.array([file.language for file in files])
        self._lengths = np.sqrt([max(1, file.tokens) for file in files])

    def _of(self, file: ComparedFile) -> TokenWords:
        """The words of a file outside of its boilerplate."""
        stored = self._collection.blobs[file.occurrence.blob]
        words = kernel.stored_words(stored.tokens)
        if file.boilerplate:
            at = ComparedText(stored).document.stream.starts[words.tokens]
            begins, ends = np.array([(part.start_byte, part.end_byte) for part in file.boilerplate]).T
            is_left = np.searchsorted(begins, at, "right") == np.searchsorted(ends, at, "right")
            words = TokenWords(words.codes[is_left], words.tokens[is_left])
        return words

    def matches(self, file: int) -> Iterator[MatchedFiles]:
        """The translations of a file among those that share most words for their length."""
        members, files = self._collection.members, self._collection.files
        own = word_terms(self._words[file], is_query=True)
        begins, ends = (np.searchsorted(self._terms, own, side) for side in ("left", "right"))
        holders = [_NO_FILES, *map(self._holders.__getitem__, map(slice, begins.tolist(), ends.tolist()))]
        weights = np.repeat(weight_of(ends - begins, len(files)), ends - begins)
        shared = np.bincount(np.concatenate(holders), weights, len(files))
        owners = members.submission_of
        shared[~members.may_meet(np.full(len(files), owners[file]), owners)] = 0.0
        shared[~np.isin(self._languages, [*self._others[files[file].language]])] = 0.0
        best = np.argsort(-shared / self._lengths, kind="stable")[:MOST_ALIGNED]
        found = (
            self._matched(min(file, it), max(file, it), float(shared[it])) for it in best[shared[best] > 0].tolist()
        )
        yield from filter(None, found)

    def _matched(self, left: int, right: int, weight: float) -> MatchedFiles | None:
        words = self._words[left], self._words[right]
        shorter = int(len(words[1].codes) < len(words[0].codes))
        query = WordQuery(words[shorter], self._bits)
        found = query.align(words[1 - shorter])
        if not len(found.here):
            return None
        likely = query.evidence(found).probability()
        if likely < self._options.min_probability:
            return None
        places = (found.there, found.here) if shorter else (found.here, found.there)
        here, there = (own.tokens[place] for own, place in zip(words, places, strict=True))
        bits = query.bits[found.here] / UNIT
        blobs = (self._collection.files[side].occurrence.blob for side in (left, right))
        one, other = (ComparedText(self._collection.blobs[blob]).document.stream for blob in blobs)
        runs, weighed, regions = [], [], []
        for part in parts(here, there):
            begin, end, begin_there, end_there = (int(side[part][at]) for side in (here, there) for at in (0, -1))
            if end - begin + 1 >= self._options.min_tokens:
                runs.append(MatchedRun(begin_there - begin, begin, end + 1))
                weighed.append(Weighed(float(bits[part].sum()), 0.0, 0))
                regions.append((region_pair(one, other, here[part], there[part]), end_there + 1))
        made = MatchedFiles(left, right, tuple(runs), tuple(weighed), weight, likely, False, tuple(regions))
        return made if runs else None


def _bits(words: Sequence[TokenWords], units: NDArray[np.int64], count: int) -> NDArray[np.int32]:
    """The bits of each word by its code: those of many projects, or fewer if many units other than the two of a pair
    have the word. The many projects count as `COMMON` units.
    """
    own = [unit << (8 * WORD_BYTES) | it.codes.astype(np.int64) for unit, it in zip(units.tolist(), words, strict=True)]
    held = np.bincount(distinct(np.concatenate(own)) & WORD_MASK, minlength=WORD_MASK + 1)
    usual = bits_of_words()
    share = (np.maximum(held - 2, 0) + COMMON * np.exp2(-usual / UNIT)) / (max(count - 2, 0) + COMMON)
    bits: NDArray[np.int32] = np.minimum(usual, (-np.log2(share) * UNIT).astype(np.int32))
    return bits
