"""Aligns the words of a query with those of a document (`analyzers.words`), and tells how much evidence that is.

A word is worth more bits the fewer files have it. The bits are those of many projects in every language, counted by
`python -m benchmarks.words`, so they are the same for every index.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import kernel
from wherefrom.analyzers.hashing import distinct
from wherefrom.analyzers.token_words import TokenWords
from wherefrom.fitted import SKIPPED, TRANSLATION, TranslationOdds
from wherefrom.queries.preparation.background import UNIT
from wherefrom.queries.spans import Flags
from wherefrom.support import arrays

MOST_PAIRS = 1 << 16  # a word is left out if it makes more pairs of equal words
STEPS = 16  # bits of words are stored in units of 1/16
_BEFORE_ALL = -(1 << 31)


class WordEvidence(NamedTuple):
    """How much two texts agree in their words."""

    pairs: float  # how many different pairs of neighboring words are in both
    share: float  # the share of the query that is in both, above 0, at most 1

    def log_odds(self, odds: TranslationOdds = TRANSLATION) -> float:
        """The logarithm of the odds that one text is a translation of the other."""
        return odds.pairs * math.log1p(self.pairs) + odds.share * math.log(self.share) + odds.bias


class AlignedWords(NamedTuple):
    """An alignment."""

    bits: float  # its bits
    pairs: int  # how many different pairs of neighboring words it has
    shared: int  # the bits of its different words, in units of 1 / `UNIT`
    # for each pair of equal words, the word's place among those of the query and of the document
    here: NDArray[np.int64]
    there: NDArray[np.int64]


class WordQuery:
    """The words of a query, at least one, ready to be aligned."""

    def __init__(self, words: TokenWords, bits: NDArray[np.int32] | None = None) -> None:
        """`bits` has the bits of each word by its code, by default those of many projects."""
        self.words = words
        bits_of = bits_of_words() if bits is None else bits
        self.bits = bits_of[words.codes]
        self._all_bits = int(bits_of[distinct(words.codes)].sum())

    def align(self, document: TokenWords) -> AlignedWords:
        """The best local alignment with the words of a document."""
        native = kernel.active()
        aligned = plain_aligned if native is None else native.aligned_words
        found = aligned(self.words.codes, self.bits, SKIPPED * UNIT, MOST_PAIRS, document.codes)
        return AlignedWords(found[0] / UNIT, *found[1:])

    def evidence(self, found: AlignedWords) -> WordEvidence | None:
        """The evidence in an alignment: the share is that of the bits of different words. None without a pair."""
        return WordEvidence(found.pairs, found.shared / self._all_bits) if found.shared else None

    def resemblance(self, document: TokenWords) -> WordEvidence | None:
        """The evidence in two whole files, in any order: the share is the cosine of their pairs of words. None if they
        share no pair.
        """
        here, there = _pairs(self.words.codes), _pairs(document.codes)
        pairs = len(np.intersect1d(here, there, assume_unique=True))
        return WordEvidence(pairs, pairs / math.sqrt(len(here) * len(there))) if pairs else None


def _pairs(codes: NDArray[np.uint32], which: Flags | slice = slice(None)) -> NDArray[np.int64]:
    """The different pairs of neighboring words, or those of them that are given by `which`."""
    return distinct(codes[:-1][which].astype(np.int64) << 32 | codes[1:][which])


@cache
def bits_of_words() -> NDArray[np.int32]:
    """The bits of each word by its code, in units of 1 / `UNIT`."""
    stored = arrays.read(Path(__file__).parents[1] / "data" / "words.zst")
    found: NDArray[np.int32] = stored["bits"].astype(np.int32) * (UNIT // STEPS)
    return found


def plain_aligned(
    query: NDArray[np.uint32], bits: NDArray[np.int32], gap: int, most: int, document: NDArray[np.uint32]
) -> tuple[int, int, int, NDArray[np.int64], NDArray[np.int64]]:
    """The best local alignment of two sequences of words, which the kernel does (`kernel/src/words.rs`).

    A pair of equal words adds the bits of the query's word; each word that is skipped on either side costs `gap`. A
    word that makes more than `most` pairs is left out. Returns the fields of `AlignedWords`, with the bits as `shared`
    has them.
    """
    places: dict[int, list[int]] = {word: [] for word in query.tolist()}
    for at, word in enumerate(document.tolist()):
        if word in places:
            places[word].append(at)
    counts = Counter(query.tolist())
    best_before: list[tuple[int, int]] = [(_BEFORE_ALL, 0)] * (len(document) + 1)
    pairs: list[tuple[int, int, int]] = []
    best = last = 0
    for here, (word, own) in enumerate(zip(query.tolist(), bits.tolist(), strict=True)):
        if own <= 0 or len(places[word]) * counts[word] > most:
            continue
        waiting = []
        for there in places[word]:
            value, pair = max(_chain(best_before, there))
            before = 0 if value == _BEFORE_ALL else value - gap * (here + there - 2)
            total = own + max(before, 0)
            pairs.append((here, there, pair + 1 if before > 0 else 0))
            waiting.append((there, (total + gap * (here + there), len(pairs) - 1)))
            if total > best:
                best, last = total, len(pairs)
        for there, value_of in waiting:
            _raise(best_before, there, value_of)
    chain = []
    while last:
        here, there, last = pairs[last - 1]
        chain.append((here, there))
    ours, theirs = np.array(chain[::-1], np.int64).reshape(-1, 2).T
    neighbors = _pairs(query[ours], (np.diff(ours) == 1) & (np.diff(theirs) == 1))
    shared = dict(zip(query[ours].tolist(), bits[ours].tolist(), strict=True))
    return best, len(neighbors), sum(shared.values()), ours, theirs


def _chain(tree: list[tuple[int, int]], end: int) -> list[tuple[int, int]]:
    """The entries of a Fenwick tree that together have the greatest value below `end`."""
    found = [(_BEFORE_ALL, 0)]
    while end:
        found.append(tree[end])
        end &= end - 1
    return found


def _raise(tree: list[tuple[int, int]], place: int, value: tuple[int, int]) -> None:
    """Puts a value at a place of a Fenwick tree."""
    at = place + 1
    while at < len(tree):
        tree[at] = max(tree[at], value)
        at += at & -at
