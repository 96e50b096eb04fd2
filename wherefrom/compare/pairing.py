"""Joins matching pairs of files into pairs of submissions, with their shares, weights and order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby
from operator import add
from typing import TYPE_CHECKING

from wherefrom.fitted import COPIED
from wherefrom.results import Cluster, RegionPair, Review, ReviewState
from wherefrom.support.chunks import linked
from wherefrom.support.values import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wherefrom.compare.collection import Collection
    from wherefrom.compare.matching import Weighed
    from wherefrom.queries.alignment.runs import MatchedRun


@dataclass(frozen=True, slots=True)
class MatchedFiles:
    """Two files that match.

    Attributes:
        left, right: their numbers among all files.
        runs: the matching runs.
        weighed: the weight of each run.
        shared_weight: the summed weights of the terms that both have.
        probability: how probable it is that one is a copy from the other.
        is_identical: whether both files have the same bytes.
        translated: if the files are in different languages, the regions of each run, and where it ends on the right.
    """

    left: int
    right: int
    runs: tuple[MatchedRun, ...]
    weighed: tuple[Weighed, ...]
    shared_weight: float
    probability: float
    is_identical: bool
    translated: tuple[tuple[RegionPair, int], ...] = ()

    @property
    def files(self) -> tuple[int, int]:
        """The numbers of both files, the left one first."""
        return self.left, self.right

    @property
    def spans(self) -> tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]]:
        """The matching tokens of the left and of the right file: (file, begin, end) of each run."""
        ends = [end for _, end in self.translated] or [run.end + run.shift for run in self.runs]
        return (
            [(self.left, run.begin, run.end) for run in self.runs],
            [(self.right, run.begin + run.shift, end) for run, end in zip(self.runs, ends, strict=True)],
        )

    @property
    def tokens(self) -> int:
        """The number of matching tokens."""
        return sum(run.end - run.begin for run in self.runs)

    @property
    def weight(self) -> float:
        """The summed weights of the runs."""
        return total(weighed.weight for weighed in self.weighed)


@dataclass(frozen=True, slots=True)
class MatchedSubmissions:
    """Two submissions that match; `results.SubmissionPair` explains the figures."""

    left: int
    right: int
    files: tuple[MatchedFiles, ...]
    left_tokens: int
    right_tokens: int
    left_containment: float
    right_containment: float
    resemblance: float
    similarity: float
    score: float
    review: Review | None = None

    @property
    def is_dismissed(self) -> bool:
        """Whether a reader dismissed the pair."""
        return self.review is not None and self.review.state is ReviewState.DISMISSED

    @property
    def containment(self) -> float:
        """The larger containment of the two sides."""
        return max(self.left_containment, self.right_containment)

    @property
    def probability(self) -> float:
        """How probable it is that a file of one is a copy from one of the other: the greatest of all."""
        return max(files.probability for files in self.files)

    @property
    def weight(self) -> float:
        """The summed weights of all runs."""
        return total(files.weight for files in self.files)

    @property
    def longest_run(self) -> int:
        """The number of tokens of the longest run."""
        return max(run.end - run.begin for files in self.files for run in files.runs)


def paired(
    matches: Iterable[MatchedFiles], collection: Collection, totals: NDArray[np.float64]
) -> list[MatchedSubmissions]:
    """The pairs of submissions, the highest score first; `totals` has the summed weights of the terms of each file."""
    files = collection.files
    tokens = [sum(files[file].remaining_tokens for file in own.files) for own in collection.submissions]
    weights = [total(totals[list(own.files)].tolist()) for own in collection.submissions]

    def owners(match: MatchedFiles) -> tuple[int, int]:
        return files[match.left].submission, files[match.right].submission

    pairs = []
    for (left, right), found in groupby(sorted(matches, key=owners), key=owners):
        heaviest = sorted(found, key=lambda match: (-match.weight, -match.tokens, match.left, match.right))
        here, there = (covered(span for match in heaviest for span in match.spans[side]) for side in (0, 1))
        similarity = _share((here + there) / 2, max(tokens[left], tokens[right]))
        rarity = _share(total(match.shared_weight for match in heaviest), max(weights[left], weights[right]))
        pair = MatchedSubmissions(
            left,
            right,
            tuple(heaviest),
            here,
            there,
            left_containment=_share(here, tokens[left]),
            right_containment=_share(there, tokens[right]),
            resemblance=_share(here + there, tokens[left] + tokens[right]),
            similarity=similarity,
            score=(similarity + rarity) / 2,
        )
        pairs.append(pair)
    return sorted(pairs, key=lambda pair: (-pair.score, -pair.similarity, pair.left, pair.right))


def total(weights: Iterable[float]) -> float:
    """The sum of weights, added in their order as in the kernel. Python 3.12's `sum` adds floats in another way."""
    return reduce(add, weights, 0.0)


def _share(part: float, whole: float) -> float:
    """A share, 0 to 1. Rounding can make a part slightly larger than the whole."""
    return min(1.0, part / whole) if whole > 0 else 0.0


def covered(spans: Iterable[tuple[int, int, int]]) -> int:
    """The number of tokens in some spans (file, begin, end), each counted once."""
    total = 0
    last, reached = -1, 0
    for file, begin, end in sorted(spans):
        if file != last:
            last, reached = file, 0
        total += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return total


def pair_id(left: str, right: str) -> str:
    """The id of a pair of submissions with these names, in any order: 12 hexadecimal digits."""
    return hashlib.blake2b("\0".join(sorted((left, right))).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def clusters(pairs: Sequence[MatchedSubmissions], least: float, shown: int | None = None) -> Iterator[Cluster]:
    """Groups submissions that pairs link, the largest clusters first. A cluster lists only its pairs among the first
    `shown` pairs (None: all of them).
    """
    linking = _linking(pairs, least)
    groups = linked((pairs[number].left, pairs[number].right) for number in linking)
    group_of = {submission: at for at, group in enumerate(groups) for submission in group}
    own: list[list[int]] = [[] for _ in groups]
    for number in linking:
        own[group_of[pairs[number].left]].append(number)
    for group, numbers in zip(groups, own, strict=True):
        named = tuple(number for number in numbers if shown is None or number < shown)
        yield Cluster(tuple(group), named, max(pairs[number].similarity for number in numbers))


def _linking(pairs: Sequence[MatchedSubmissions], least: float) -> list[int]:
    """The pairs that link: those with at least the similarity `least`, and for a submission that has none, the first
    pair that has nearly all of it, since a small part of another is not similar to it. Dismissed pairs link nothing.
    """
    open_pairs = [(number, pair) for number, pair in enumerate(pairs) if not pair.is_dismissed]
    linking = {number for number, pair in open_pairs if pair.similarity >= least}
    placed = {side for number in linking for side in (pairs[number].left, pairs[number].right)}
    for number, pair in open_pairs:
        for side, share in ((pair.left, pair.left_containment), (pair.right, pair.right_containment)):
            if side not in placed and share >= max(least, COPIED):
                linking.add(number)
                placed.add(side)
    return sorted(linking)
