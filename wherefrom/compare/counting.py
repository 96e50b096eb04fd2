"""Counts the terms that pairs of files share, from the postings: the rarer a term, the more it weighs.

Postings are read term by term. Most terms are dropped at once, since only one submission has them. The others are
counted from the rarest to the most common until a budget of pairs is used up, so only the most common are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import are_among, ascending
from wherefrom.compare.collection import Members
from wherefrom.engines.engine import Postings
from wherefrom.fitted import COMMON
from wherefrom.model import OF_TOKENS, Hashes, Representation
from wherefrom.support.values import dataclass

MOST_COUNTED = 1 << 26
"""The budget: at most this many pairs are counted, each once for every shared term. This takes about ten seconds."""

MOST_HELD = 1 << 22
"""At most this many different pairs of files are in memory (100 MB). If there are more, the lightest are dropped."""

AT_ONCE = 1 << 21  # the number of pairs that are made at a time

DENSE = 1 << 24
"""If the number of files, squared, is at most this, no pair is dropped: the kernel sums for one file at a time."""


@dataclass(frozen=True, slots=True)
class TermFrequencies:
    """How many submissions have a term, for each term of one representation that at least two submissions have."""

    terms: Hashes  # uint64, ascending
    submissions: NDArray[np.int64]  # int64, for each term
    total: int  # the number of all submissions

    def of(self, terms: Hashes) -> NDArray[np.int64]:
        """The number of submissions for each of some terms; 0 for a term that at most one submission has."""
        counts = np.append(self.submissions, 0)
        return np.where(are_among(terms, self.terms), counts[np.searchsorted(self.terms, terms)], 0)


@dataclass(frozen=True, slots=True)
class Counted:
    """The pairs of files that share terms, and the frequencies of the terms.

    Attributes:
        left, right: int64, the files of each pair, ascending; left is less than right.
        weights: float64, the summed weights of the terms that both share.
        rare_weights: float64, the summed weights of those shared terms that at most `COMMON` files have.
        totals: float64, for each file the summed weights of all its terms.
        frequencies: the frequencies of terms that several submissions have, by representation.
        common: the terms in too many submissions, which give no pairs; ascending, by representation.
        common_held: int64, for each file the number of `common` terms that it has.
        unused_terms: the number of terms that were beyond the budget.
        dropped_pairs: how often a pair was dropped as one of the lightest.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    weights: NDArray[np.float64]
    rare_weights: NDArray[np.float64]
    totals: NDArray[np.float64]
    frequencies: Mapping[Representation, TermFrequencies]
    common: Mapping[Representation, Hashes]
    common_held: NDArray[np.int64]
    unused_terms: int
    dropped_pairs: int


class _FilesOfTerms(NamedTuple):
    """Terms that several submissions have: their files, term by term, and the number of files and weight of each."""

    files: NDArray[np.int64]
    sizes: NDArray[np.int64]
    weights: NDArray[np.float64]


def weight_of(submissions: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    """The weights of terms (idf, as in a search), given how many of the `total` submissions have each term."""
    weights: NDArray[np.float64] = np.log1p((total - submissions + 0.5) / (submissions + 0.5))
    return weights


def rarest_weight(total: int) -> float:
    """The weight of a term that only two of the `total` submissions have."""
    return float(weight_of(np.array([2]), total)[0])


def count_pairs(
    postings: Iterable[Postings], members: Members, *, max_share: float, excluded: Mapping[Representation, Hashes]
) -> Counted:
    """Counts the terms that pairs of files share.

    `postings` has the postings of `members.blobs`, by representation, then term. Terms in more than the share
    `max_share` of the submissions, and in more than `COMMON`, give no pairs. `excluded` terms (ascending, by
    representation) are ignored.
    """
    most = max(COMMON, int(max_share * members.unit_count))
    found = _Terms(members, most)
    begins, files = members.files_of_blobs()
    for part in postings:
        terms, owners = _by_file(part, begins, files)
        is_left = ~are_among(terms, excluded.get(part.representation, _NO_TERMS[0]))
        found.take(part.representation, terms[is_left], owners[is_left])
    pairs = _Pairs(members.files)
    shared = _FilesOfTerms(*map(np.concatenate, zip(*found.shared, strict=True)))
    unused = _count(shared, members, pairs)
    frequencies = {}
    for representation in OF_TOKENS:
        terms, counts = map(np.concatenate, zip(*found.submissions[representation], strict=True))
        frequencies[representation] = TermFrequencies(terms, counts, members.unit_count)
    common = {representation: np.concatenate(many) for representation, many in found.common.items()}
    return Counted(
        *pairs.all(),
        found.totals,
        frequencies,
        common,
        found.common_held,
        unused_terms=unused,
        dropped_pairs=pairs.dropped,
    )


_NO_TERMS = np.zeros(0, np.uint64), np.zeros(0, np.int64)


def _by_file(part: Postings, begins: NDArray[np.int64], files: NDArray[np.int64]) -> tuple[Hashes, NDArray[np.int64]]:
    if len(files) == len(begins) - 1:  # each blob has one file, in the same order
        return part.terms, part.blobs
    counts = begins[part.blobs + 1] - begins[part.blobs]
    ends = np.cumsum(counts)
    within = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
    terms = np.repeat(part.terms, counts)
    owners = files[np.repeat(begins[part.blobs], counts) + within]
    order = np.lexsort((owners, terms))
    return terms[order], owners[order]


class _Terms:
    """Reads postings and finds the terms that give pairs (`shared`; `submissions` by representation). The other
    attributes are as in `Counted`.
    """

    def __init__(self, members: Members, most: int) -> None:
        self._members, self._most = members, most
        self.totals = np.zeros(members.files)
        self.shared = [_FilesOfTerms(_NO_TERMS[1], _NO_TERMS[1], np.zeros(0))]
        self.submissions = defaultdict[Representation, list[tuple[Hashes, NDArray[np.int64]]]](lambda: [_NO_TERMS])
        self.common = defaultdict[Representation, list[Hashes]](list)
        self.common_held = np.zeros(members.files, np.int64)

    def take(self, representation: Representation, terms: Hashes, files: NDArray[np.int64]) -> None:
        """Takes some postings, by term, then file. All postings of a term must be in the same call."""
        if not len(terms):
            return
        members = self._members
        is_first = np.append(True, terms[1:] != terms[:-1])
        begins = np.flatnonzero(is_first)
        sizes = np.diff(begins, append=len(terms))
        owners = members.units[files]
        is_new = is_first.copy()
        is_new[1:] |= owners[1:] != owners[:-1]
        submissions = np.add.reduceat(is_new.astype(np.int64), begins)
        is_common = submissions > self._most
        if is_common.any():
            self.common[representation].append(terms[begins[is_common]])
            self.common_held += np.bincount(files[np.repeat(is_common, sizes)], minlength=members.files)
        weights = np.where(is_common, 0.0, weight_of(submissions, members.unit_count))
        # Each sum adds up in the order of the postings, as in the kernel, so that the last digits are the same.
        np.add.at(self.totals, files, np.repeat(weights, sizes))
        is_shared = (submissions > 1) & ~is_common
        if is_shared.any():
            own = sizes[is_shared]
            self.submissions[representation].append((terms[begins[is_shared]], submissions[is_shared]))
            inside = np.repeat(is_shared, sizes)
            self.shared.append(_FilesOfTerms(files[inside], own, weights[is_shared]))


def _count(shared: _FilesOfTerms, members: Members, pairs: _Pairs) -> int:
    """Adds the pairs of each term, terms in the fewest files first. Returns the number of terms beyond the budget."""
    begins = np.cumsum(shared.sizes) - shared.sizes
    budget = MOST_COUNTED
    for size in np.flatnonzero(np.bincount(shared.sizes)).tolist():  # `np.unique` would load masked arrays
        terms = np.flatnonzero(shared.sizes == size)
        each = size * (size - 1) // 2
        affordable = min(len(terms), budget // each) if each <= AT_ONCE else 0
        step = max(1, AT_ONCE // each)
        for begin in range(0, affordable, step):
            chosen = terms[begin : min(begin + step, affordable)]
            first, second = np.triu_indices(size, 1)
            groups = shared.files[begins[chosen][:, np.newaxis] + np.arange(size)]
            left, right = groups[:, first].ravel(), groups[:, second].ravel()
            weights = np.repeat(shared.weights[chosen], each)
            meet = members.may_meet(members.submission_of[left], members.submission_of[right])
            pairs.add(left[meet], right[meet], weights[meet], is_rare=size <= COMMON)
        budget -= each * affordable
        if affordable < len(terms):
            return len(terms) - affordable + int(np.count_nonzero(shared.sizes > size))
    return 0


class _Pairs:
    """Sums the weights of the shared terms for each pair of files: of all terms, and of the rare ones."""

    def __init__(self, files: int) -> None:
        self._files = max(1, files)
        self._most_held = MOST_HELD if files * files > DENSE else files * files
        self._waiting = [(_NO_TERMS[1], np.zeros((2, 0)))]
        self._added = self.dropped = 0

    def add(
        self, left: NDArray[np.int64], right: NDArray[np.int64], weights: NDArray[np.float64], *, is_rare: bool
    ) -> None:
        self._waiting.append((left * self._files + right, np.stack((weights, weights * is_rare))))
        self._added += len(left)
        if self._added >= AT_ONCE:
            self._merged()

    def _merged(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        keys = np.concatenate([keys for keys, _ in self._waiting])
        sums = np.concatenate([sums for _, sums in self._waiting], axis=1)
        order = ascending(keys)
        keys = keys[order]
        is_first = np.diff(keys, prepend=-1) != 0
        numbers, keys = np.cumsum(is_first) - 1, keys[is_first]
        sums = np.array([np.bincount(numbers, column[order], len(keys)) for column in sums])
        if len(keys) > self._most_held:
            kept = np.sort(np.argsort(-sums[0], kind="stable")[: self._most_held // 2])
            self.dropped += len(keys) - len(kept)
            keys, sums = keys[kept], sums[:, kept]
        self._waiting, self._added = [(keys, sums)], 0
        return keys, sums

    def all(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """All pairs, ascending: their left files, their right files, the sums of all terms, and those of rare ones."""
        keys, sums = self._merged()
        return keys // self._files, keys % self._files, sums[0], sums[1]
