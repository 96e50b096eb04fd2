"""Pairs of files that match, put together to pairs of submissions: their shares, what they weigh, and their order."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from wherefrom.results import Cluster, Review, ReviewState

if TYPE_CHECKING:
    from wherefrom.compare.collection import Collection
    from wherefrom.compare.matching import Weighed
    from wherefrom.queries.alignment.runs import Run


@dataclass(frozen=True, slots=True)
class MatchedFiles:
    """Two files that match.

    Attributes:
        left, right: their positions.
        runs: what matches.
        weighed: what each run weighs.
        shared_weight: the weights of the terms that both have.
    """

    left: int
    right: int
    runs: tuple[Run, ...]
    weighed: tuple[Weighed, ...]
    shared_weight: float

    @property
    def tokens(self) -> int:
        """Tokens of the runs."""
        return sum(run.end - run.begin for run in self.runs)

    @property
    def weight(self) -> float:
        """What the runs weigh."""
        return sum(weighed.weight for weighed in self.weighed)


class Sizes(NamedTuple):
    """What remains of a submission: tokens that are not boilerplate, and the weights of its terms."""

    tokens: int
    weight: float


@dataclass(frozen=True, slots=True)
class MatchedSubmissions:
    """Two submissions that match; the figures are those of `results.SubmissionPair`."""

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
        """Whether a reader dismissed it."""
        return self.review is not None and self.review.state is ReviewState.DISMISSED

    @property
    def containment(self) -> float:
        """The larger one."""
        return max(self.left_containment, self.right_containment)

    @property
    def weight(self) -> float:
        """What all runs weigh."""
        return sum(files.weight for files in self.files)

    @property
    def longest_run(self) -> int:
        """Tokens of the longest run."""
        return max(run.end - run.begin for files in self.files for run in files.runs)


def paired(matches: Iterable[MatchedFiles], collection: Collection, sizes: Sequence[Sizes]) -> list[MatchedSubmissions]:
    """The pairs of submissions, the highest score first."""

    def owners(match: MatchedFiles) -> tuple[int, int]:
        return collection.files[match.left].submission, collection.files[match.right].submission

    pairs = []
    for (left, right), files in groupby(sorted(matches, key=owners), key=owners):
        heaviest = sorted(files, key=lambda each: (-each.weight, -each.tokens, each.left, each.right))
        pairs.append(_pair(left, right, tuple(heaviest), sizes[left], sizes[right]))
    return sorted(pairs, key=lambda pair: (-pair.score, -pair.similarity, pair.left, pair.right))


def _pair(left: int, right: int, files: tuple[MatchedFiles, ...], ours: Sizes, theirs: Sizes) -> MatchedSubmissions:
    here = covered((match.left, run.begin, run.end) for match in files for run in match.runs)
    there = covered((match.right, run.begin + run.shift, run.end + run.shift) for match in files for run in match.runs)
    left_containment, right_containment = _share(here, ours.tokens), _share(there, theirs.tokens)
    similarity = _share((here + there) / 2, max(ours.tokens, theirs.tokens))
    shared = sum(match.shared_weight for match in files)
    rarity = _share(shared, max(ours.weight, theirs.weight))
    return MatchedSubmissions(
        left,
        right,
        files,
        here,
        there,
        left_containment,
        right_containment,
        resemblance=_share(here + there, ours.tokens + theirs.tokens),
        similarity=similarity,
        score=(similarity + rarity) / 2,
    )


def _share(part: float, whole: float) -> float:
    """A share, 0 to 1; what is summed in another order may be a little more than the whole."""
    return min(1.0, part / whole) if whole > 0 else 0.0


def covered(spans: Iterable[tuple[int, int, int]]) -> int:
    """How many positions some spans (file, begin, end) have together, each counted once."""
    total = 0
    last, reached = -1, 0
    for file, begin, end in sorted(spans):
        if file != last:
            last, reached = file, 0
        total += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return total


def pair_id(left: str, right: str) -> str:
    """What names a pair of submissions, by their names: 12 hexadecimal digits."""
    return hashlib.blake2b("\0".join(sorted((left, right))).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def clusters(pairs: Sequence[MatchedSubmissions], least: float, shown: int | None = None) -> Iterator[Cluster]:
    """The submissions that pairs of at least this similarity link, the largest clusters first; dismissed pairs link
    nothing. Only the first `shown` pairs (None: all) are named.
    """
    leaders: dict[int, int] = {}

    def leader(submission: int) -> int:
        while leaders.setdefault(submission, submission) != submission:
            leaders[submission] = submission = leaders[leaders[submission]]
        return submission

    linking = [number for number, pair in enumerate(pairs) if pair.similarity >= least and not pair.is_dismissed]
    for number in linking:
        one, other = sorted((leader(pairs[number].left), leader(pairs[number].right)))
        leaders[other] = one
    members: dict[int, list[int]] = {}
    for submission in sorted(leaders):
        members.setdefault(leader(submission), []).append(submission)
    by_leader: dict[int, list[int]] = {first: [] for first in members}
    for number in linking:
        by_leader[leader(pairs[number].left)].append(number)
    for first, linked in sorted(members.items(), key=lambda item: (-len(item[1]), item[0])):
        named = tuple(number for number in by_leader[first] if shown is None or number < shown)
        yield Cluster(tuple(linked), named, max(pairs[number].similarity for number in by_leader[first]))
