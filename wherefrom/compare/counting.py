"""Which pairs of files share terms, counted from the postings: the rarer a term, the more it weighs.

Postings are read term by term. A term that one submission alone has gives no pair, so most of them are dropped at once.
Of the others the rarest give their pairs first, up to a budget; then memory and time are bounded whatever is compared,
and what is left out is the least telling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import are_among
from wherefrom.fitted import COMMON
from wherefrom.model import INDEXED, Hashes, Representation

if TYPE_CHECKING:
    from wherefrom.compare.members import Members
    from wherefrom.engines.engine import Postings

MOST_COUNTED = 1 << 26
"""Pairs of files that are counted, a pair once for each term that it shares: about ten seconds."""

MOST_HELD = 1 << 22
"""Different pairs of files that are held at a time; beyond them the lightest are dropped. They take 100 MB."""

_AT_ONCE = 1 << 21
"""Pairs that are made at a time."""

_DENSE = 1 << 24
"""Files times files up to which the sums of all pairs are held in one table."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """In how many submissions the terms of one representation are that at least two have.

    Attributes:
        terms: uint64, ascending.
        submissions: int64, for each.
        total: of all submissions.
    """

    terms: Hashes
    submissions: NDArray[np.int64]
    total: int

    def of(self, terms: Hashes) -> NDArray[np.int64]:
        """For each of some terms the number of submissions, 0 for a term that at most one has."""
        if not len(self.terms):
            return np.zeros(len(terms), np.int64)
        near = np.minimum(np.searchsorted(self.terms, terms), len(self.terms) - 1)
        return np.where(self.terms[near] == terms, self.submissions[near], 0)


@dataclass(frozen=True, slots=True)
class Counted:
    """The pairs of files that share terms, and what is known of the terms.

    Attributes:
        left, right: int64, the files of each pair, ascending; the left one comes first among the files.
        weights: float64, the weights of the terms that they share, summed.
        rare_weights: float64, the same of the terms that are in at most `COMMON` files.
        totals: float64, for each file the weights of all its terms, summed.
        frequencies: of the terms that several submissions have, by representation.
        common: the terms that are in too many submissions, ascending, by representation.
        common_held: int64, for each file how many of these it has.
        unused_terms: how many terms give no pairs since rarer ones gave as many as are counted.
        dropped_pairs: pairs that were dropped as the lightest ones while they were counted. A pair may be dropped
            several times.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    weights: NDArray[np.float64]
    rare_weights: NDArray[np.float64]
    totals: NDArray[np.float64]
    frequencies: Mapping[Representation, Frequencies]
    common: Mapping[Representation, Hashes]
    common_held: NDArray[np.int64]
    unused_terms: int
    dropped_pairs: int


class _Shared(NamedTuple):
    """Terms that several submissions have: the files of each, one term after the other; the number of files and the
    weight of each.
    """

    files: NDArray[np.int64]
    sizes: NDArray[np.int64]
    weights: NDArray[np.float64]


def weight_of(submissions: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    """The weight of terms that so many of all submissions have: idf, as in a search."""
    weights: NDArray[np.float64] = np.log1p((total - submissions + 0.5) / (submissions + 0.5))
    return weights


def count_pairs(
    postings: Iterable[Postings],
    members: Members,
    *,
    max_share: float,
    excluded: Mapping[Representation, Hashes],
    budget: int = MOST_COUNTED,
    most_held: int = MOST_HELD,
) -> Counted:
    """Counts what the pairs of files share.

    Args:
        postings: of `members.blobs`, by representation, then term.
        members: who is compared with whom.
        max_share: terms in more than this share of the submissions, and in more than `COMMON`, give no pairs.
        excluded: terms that count for nothing, ascending, by representation.
        budget: pairs that are counted, a pair once for each term that it shares.
        most_held: different pairs that are held at a time.
    """
    most = max(COMMON, int(max_share * members.unit_count))
    found = _Terms(members, most)
    begins, files = members.files_of_blobs()
    for part in postings:
        terms, held = _without(*_by_file(part, begins, files), excluded.get(part.representation))
        found.take(part.representation, terms, held)
    pairs = _Pairs(members.files, most_held)
    shared = _Shared(*(_joined([part[column] for part in found.shared]) for column in range(3)))
    unused = _count(shared, members, pairs, budget)
    frequencies = {}
    for representation in INDEXED:
        parts = found.held.get(representation, [_NO_TERMS])
        terms, counts = (_joined([part[column] for part in parts]) for column in range(2))
        frequencies[representation] = Frequencies(terms, counts, members.unit_count)
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


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The parts in one; int64 if there are none."""
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _by_file(part: Postings, begins: NDArray[np.int64], files: NDArray[np.int64]) -> tuple[Hashes, NDArray[np.int64]]:
    """The postings of files in place of blobs, by term, then file."""
    if len(files) == len(begins) - 1:  # one file of each blob, in the same order
        return part.terms, part.blobs
    counts = begins[part.blobs + 1] - begins[part.blobs]
    ends = np.cumsum(counts)
    within = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
    terms = np.repeat(part.terms, counts)
    held = files[np.repeat(begins[part.blobs], counts) + within]
    order = np.lexsort((held, terms))
    return terms[order], held[order]


class _Terms:
    """What is gathered while postings are read.

    Attributes:
        totals: for each file the weights of all its terms, summed.
        shared: the terms that give pairs.
        held: these terms, and in how many submissions they are, by representation.
        common: the terms that are in too many submissions.
        common_held: for each file how many of these it has.
    """

    def __init__(self, members: Members, most: int) -> None:
        self._members, self._most = members, most
        self.totals = np.zeros(members.files)
        self.shared: list[_Shared] = []
        self.held: dict[Representation, list[tuple[Hashes, NDArray[np.int64]]]] = {}
        self.common: dict[Representation, list[Hashes]] = {}
        self.common_held = np.zeros(members.files, np.int64)

    def take(self, representation: Representation, terms: Hashes, files: NDArray[np.int64]) -> None:
        """Sorts out some postings, by term, then file; no term of them comes again."""
        if not len(terms):
            return
        members = self._members
        is_first = np.ones(len(terms), np.bool_)
        is_first[1:] = terms[1:] != terms[:-1]
        begins = np.flatnonzero(is_first)
        sizes = np.diff(begins, append=len(terms))
        owners = members.units[files]
        is_new = is_first.copy()
        is_new[1:] |= owners[1:] != owners[:-1]
        submissions = np.add.reduceat(is_new.astype(np.int64), begins)
        is_common = submissions > self._most
        if is_common.any():
            self.common.setdefault(representation, []).append(terms[begins[is_common]])
            self.common_held += np.bincount(files[np.repeat(is_common, sizes)], minlength=members.files)
        weights = np.where(is_common, 0.0, weight_of(submissions, members.unit_count))
        self.totals += np.bincount(files, np.repeat(weights, sizes), members.files)
        is_shared = (submissions > 1) & ~is_common
        if is_shared.any():
            own = sizes[is_shared]
            self.held.setdefault(representation, []).append((terms[begins[is_shared]], submissions[is_shared]))
            inside = np.repeat(is_shared, sizes)
            self.shared.append(_Shared(files[inside], own, weights[is_shared]))


def _without(terms: Hashes, files: NDArray[np.int64], excluded: Hashes | None) -> tuple[Hashes, NDArray[np.int64]]:
    """The postings of other terms than these, which are ascending."""
    if excluded is None or not len(excluded):
        return terms, files
    is_left = ~are_among(terms, excluded)
    return terms[is_left], files[is_left]


def _count(shared: _Shared, members: Members, pairs: _Pairs, budget: int) -> int:
    """Counts the pairs of terms, of those in fewest files first; returns how many terms are beyond the budget."""
    begins = np.cumsum(shared.sizes) - shared.sizes
    for size in np.flatnonzero(np.bincount(shared.sizes)).tolist():  # not `np.unique`, which loads masked arrays
        terms = np.flatnonzero(shared.sizes == size)
        each = size * (size - 1) // 2
        affordable = min(len(terms), budget // each) if each <= _AT_ONCE else 0
        step = max(1, _AT_ONCE // each)
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
    """Sums of weights by pair of files: of all terms, and of those that few submissions have."""

    def __init__(self, files: int, most_held: int) -> None:
        self._files = files
        self._most_held = most_held
        self._table = np.zeros((2, files * files)) if files * files <= _DENSE else None
        self._keys = np.zeros(0, np.int64)
        self._sums = np.zeros((0, 2))
        self._waiting: list[tuple[NDArray[np.int64], NDArray[np.float64], bool]] = []
        self._waiting_length = 0
        self.dropped = 0

    def add(
        self, left: NDArray[np.int64], right: NDArray[np.int64], weights: NDArray[np.float64], *, is_rare: bool
    ) -> None:
        """Adds the weight of a term to each of these pairs."""
        self._waiting.append((left * self._files + right, weights, is_rare))
        self._waiting_length += len(left)
        if self._waiting_length >= _AT_ONCE:
            self._merge()

    def _merge(self) -> None:
        waiting, self._waiting, self._waiting_length = self._waiting, [], 0
        if not waiting:
            return
        keys = np.concatenate([keys for keys, _, _ in waiting])
        weights = np.concatenate([weights for _, weights, _ in waiting])
        rare = np.concatenate([weights if is_rare else np.zeros(len(weights)) for _, weights, is_rare in waiting])
        if self._table is not None:
            for row, added in enumerate((weights, rare)):
                self._table[row] += np.bincount(keys, added, self._table.shape[1])
            return
        keys = np.concatenate([self._keys, keys])
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        sums = np.concatenate([self._sums, np.column_stack((weights, rare))])[order]
        begins = np.flatnonzero(np.diff(keys, prepend=-1))
        self._keys, self._sums = keys[begins], np.add.reduceat(sums, begins) if len(keys) else sums
        if len(self._keys) > self._most_held:
            kept = np.argpartition(-self._sums[:, 0], self._most_held // 2)[: self._most_held // 2]
            kept.sort()
            self.dropped += len(self._keys) - len(kept)
            self._keys, self._sums = self._keys[kept], self._sums[kept]

    def all(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """The left and the right files of all pairs, by these, and both sums."""
        self._merge()
        if self._table is None:
            keys, sums = self._keys, self._sums.T
        else:
            keys = np.flatnonzero(self._table[0])
            sums = self._table[:, keys]
        return keys // max(1, self._files), keys % max(1, self._files), sums[0], sums[1]
