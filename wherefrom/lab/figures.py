"""The results of the experiments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wherefrom.model import Representation
from wherefrom.support.contract import JsonObject, encoded
from wherefrom.support.values import dataclass, field


@dataclass(frozen=True, slots=True)
class CorpusProgress:
    """The progress of reading a corpus: so far `contents` distinct contents, with `tokens` tokens."""

    repository: str
    repositories: int
    repositories_total: int
    contents: int
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CorpusSize(JsonObject):
    """The size of a corpus in distinct contents and tokens. `failed` has the error of each unreadable repository."""

    repositories: int
    contents: int
    tokens: int
    failed: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"contents={self.contents} tokens={self.tokens}"


@dataclass(frozen=True, slots=True)
class SamplerFigures(JsonObject):
    """The results of one sampler, with parameters such as `w=8`, on one set of texts: how many of the k-grams it kept,
    and how many of the windows of w k-grams have none of these. `expected` is the density in theory for random hashes;
    None if there is no formula. `longest_gap` is the largest number of neighboring k-grams that the sampler left out.
    """

    JSON = "data sampler parameters kgrams kept density expected longest_gap windows uncovered"

    data: str
    sampler: str
    parameters: str
    kgrams: int
    kept: int
    expected: float | None
    longest_gap: int
    windows: int
    uncovered: int

    @property
    def density(self) -> float:
        """The share of the k-grams that were kept."""
        return self.kept / self.kgrams if self.kgrams else 0.0


@dataclass(frozen=True, slots=True, repr=False)
class SamplerResult(JsonObject):
    """The results of every sampler on every set of texts."""

    JSON = "corpus samplers=figures"

    corpus: CorpusSize
    figures: tuple[SamplerFigures, ...]

    def __repr__(self) -> str:
        return f"<SamplerResult {self.corpus} figures={len(self.figures)}>"


@dataclass(frozen=True, slots=True)
class CommonFingerprint(JsonObject):
    """A fingerprint that occurs often. `code` is its code at one place; None if no content with it could be read. The
    place depends on the order of reading, so comparisons ignore `code`.
    """

    frequency: int
    code: str | None = field(compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class Frequencies(JsonObject):
    """How often the fingerprints, or all k-grams, of one representation occur.

    Attributes:
        representation: the representation.
        fingerprints: the number of fingerprints (or k-grams), counting repeated ones each time.
        distinct: the number of different fingerprints; an estimate if `sampled` is below 1.
        once, twice, thrice: the shares of the different fingerprints that occur once, twice and three times.
        sampled: the share of the different fingerprints that were counted; below 1 if they did not fit into memory.
        points: (rank, frequency) at ranks evenly spaced on a logarithmic scale. Rank 1 is the most frequent.
        slope: the slope of the line through log frequency over log rank; None if there are too few points.
        common: the most common fingerprints, the most frequent first; empty for all k-grams.
    """

    JSON = "representation fingerprints distinct once twice thrice sampled slope points common"

    representation: Representation
    fingerprints: int
    distinct: int
    once: float
    twice: float
    thrice: float
    sampled: float
    points: tuple[tuple[int, int], ...]
    slope: float | None
    common: tuple[CommonFingerprint, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON values, with the points as objects."""
        return {**encoded(self), "points": [{"rank": rank, "frequency": frequency} for rank, frequency in self.points]}

    def __repr__(self) -> str:
        slope = "unknown" if self.slope is None else f"{self.slope:.2f}"
        return f"<Frequencies {self.representation} distinct={self.distinct} once={self.once:.2f} slope={slope}>"


@dataclass(frozen=True, slots=True, repr=False)
class FrequencyResult(JsonObject):
    """The frequencies of fingerprints, and of all k-grams, in each representation that occurs in the corpus."""

    corpus: CorpusSize
    frequencies: tuple[Frequencies, ...]
    kgrams: tuple[Frequencies, ...] = ()

    def __repr__(self) -> str:
        return f"<FrequencyResult {self.corpus} frequencies={len(self.frequencies)}>"


@dataclass(frozen=True, slots=True)
class Noise(JsonObject):
    """The share of a repository's code in one language that another repository also has, by chance or by convention.
    `shares` has tuples of k, and the median and greatest share of a repository's distinct k-grams that another of the
    compared repositories has.
    """

    representation: Representation
    language: str
    repositories: int
    shares: tuple[tuple[int, float, float], ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON values, with the shares as objects."""
        shares = [{"k": k, "median": median, "greatest": greatest} for k, median, greatest in self.shares]
        return {**encoded(self), "shares": shares}


@dataclass(frozen=True, slots=True, repr=False)
class NoiseResult(JsonObject):
    """One curve for each representation and language that at least two repositories have."""

    JSON = "corpus noise=curves"

    corpus: CorpusSize
    curves: tuple[Noise, ...]

    def __repr__(self) -> str:
        return f"<NoiseResult {self.corpus} curves={len(self.curves)}>"
