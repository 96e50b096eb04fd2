"""What the experiments give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wherefrom.model import Representation
from wherefrom.support.contract import JsonObject, encoded


@dataclass(frozen=True, slots=True)
class CorpusProgress:
    """How far the reading of a corpus has come: `contents` were analysed so far, `tokens` long in all."""

    repository: str
    repositories: int
    repositories_total: int
    contents: int
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class CorpusSize(JsonObject):
    """What was read: distinct contents, their tokens, and for each repository that could not be read one line why."""

    repositories: int
    contents: int
    tokens: int
    failed: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"contents={self.contents} tokens={self.tokens}"


@dataclass(frozen=True, slots=True)
class SamplerFigures(JsonObject):
    """One sampler on one set of texts.

    Attributes:
        data: what the texts are.
        sampler: its name.
        parameters: its numbers, as `w=8`.
        kgrams: how many there were.
        kept: how many of them it kept.
        expected: the density that theory gives for random hashes; None where there is no formula.
        longest_gap: the most k-grams in a row of which none is kept.
        windows: how many windows of w k-grams there were.
        uncovered: how many of them hold nothing that is kept.
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
        """The share of the k-grams that is kept."""
        return self.kept / self.kgrams if self.kgrams else 0.0


@dataclass(frozen=True, slots=True, repr=False)
class SamplerResult(JsonObject):
    """Every sampler on every set of texts."""

    JSON = "corpus samplers=figures"

    corpus: CorpusSize
    figures: tuple[SamplerFigures, ...]

    def __repr__(self) -> str:
        return f"<SamplerResult {self.corpus} figures={len(self.figures)}>"


@dataclass(frozen=True, slots=True)
class CommonFingerprint(JsonObject):
    """A fingerprint that occurs often: how often, and the code of one place, None if its content is not at hand.

    Which place that is depends on the order of reading, so it is not compared.
    """

    frequency: int
    code: str | None = field(compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class Frequencies(JsonObject):
    """How often the fingerprints, or all k-grams, of one representation occur.

    Attributes:
        representation: of the k-grams.
        fingerprints: how many there were, repeated ones counted each time.
        distinct: different ones; an estimate where `sampled` is below 1.
        once, twice, thrice: the shares of the different ones that occur once, twice and three times.
        sampled: the share of the different ones that was counted: below 1 where they did not fit into memory.
        points: (rank, frequency), at ranks that are evenly spaced on a logarithmic scale, rank 1 the most frequent.
        slope: of the straight line through log frequency over log rank; None where there are too few points.
        common: the most common ones of those counted, the most frequent first; none of all k-grams.
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
        """As JSON values."""
        return {**encoded(self), "points": [{"rank": rank, "frequency": frequency} for rank, frequency in self.points]}

    def __repr__(self) -> str:
        slope = "unknown" if self.slope is None else f"{self.slope:.2f}"
        return f"<Frequencies {self.representation} distinct={self.distinct} once={self.once:.2f} slope={slope}>"


@dataclass(frozen=True, slots=True, repr=False)
class FrequencyResult(JsonObject):
    """The frequencies in each representation that occurs: of the fingerprints, and of all k-grams that they were
    selected from.
    """

    corpus: CorpusSize
    frequencies: tuple[Frequencies, ...]
    kgrams: tuple[Frequencies, ...] = ()

    def __repr__(self) -> str:
        return f"<FrequencyResult {self.corpus} frequencies={len(self.frequencies)}>"


@dataclass(frozen=True, slots=True)
class Noise(JsonObject):
    """How much of one repository's code of a language another one has too, by chance or custom.

    Attributes:
        representation: of the k-grams.
        language: only code in it is compared.
        repositories: how many were compared, each with each.
        shares: (k, median share, greatest share) of a repository's distinct k-grams that another one also has.
    """

    representation: Representation
    language: str
    repositories: int
    shares: tuple[tuple[int, float, float], ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        shares = [{"k": k, "median": median, "greatest": greatest} for k, median, greatest in self.shares]
        return {**encoded(self), "shares": shares}


@dataclass(frozen=True, slots=True, repr=False)
class NoiseResult(JsonObject):
    """The curves of each representation and language that at least two repositories have."""

    JSON = "corpus noise=curves"

    corpus: CorpusSize
    curves: tuple[Noise, ...]

    def __repr__(self) -> str:
        return f"<NoiseResult {self.corpus} curves={len(self.curves)}>"
