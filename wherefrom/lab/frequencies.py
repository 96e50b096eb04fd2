"""Counts how often fingerprints occur, by rank (the paper's Figure 4: a power law), and how many of them unrelated
repositories share.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import mix
from wherefrom.analyzers.positions import encoding
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.lab.corpus import Corpus
from wherefrom.lab.figures import CommonFingerprint, Frequencies, FrequencyResult, Noise, NoiseResult
from wherefrom.model import OF_TOKENS, Hashes, Representation

_ALL = (1 << 64) - 1


class HashCounts:
    """Counts how often each hash was added. With more than `limit` different hashes, counts only a sample of them.

    The sample has all hashes whose mixed value is at most `bound`, which is halved until the sample fits (FracMinHash).
    So each different hash has the same chance to be in the sample, and the samples of two counts can be compared.

    Attributes:
        bound: the largest mixed value that is counted.
        total: how many hashes were added, counted or not.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.bound = _ALL
        self.total = 0
        self._values: Hashes = np.empty(0, np.uint64)
        self._counts: NDArray[np.int64] = np.empty(0, np.int64)
        self._pending: list[Hashes] = []
        self._waiting = 0

    def add(self, hashes: Hashes) -> None:
        """Adds some hashes, each as often as it occurs."""
        self.total += len(hashes)
        mixed = mix(hashes)
        mixed = mixed[mixed <= np.uint64(self.bound)]
        self._pending.append(mixed)
        self._waiting += len(mixed)
        if self._waiting > self.limit // 2:
            self._merge()

    @property
    def share(self) -> float:
        """The share of the distinct hashes that are counted."""
        return (self.bound + 1) / (_ALL + 1)

    def values(self) -> tuple[Hashes, NDArray[np.int64]]:
        """The counted mixed values, ascending, and how often each was added."""
        self._merge()
        return self._values, self._counts

    def _merge(self) -> None:
        values, places = np.unique(np.concatenate([self._values, *self._pending]), return_inverse=True)
        counts = np.bincount(places, minlength=len(values))
        counts[places[: len(self._values)]] += self._counts - 1
        self._pending, self._waiting = [], 0
        while len(values) > self.limit:
            self.bound >>= 1
            values = values[: np.searchsorted(values, np.uint64(self.bound), side="right")]
        self._values, self._counts = values, counts[: len(values)]


def shared(one: HashCounts, other: HashCounts) -> float:
    """Estimates which share of the distinct hashes of `one` is also in `other`, from samples; 0 if `one` is empty."""
    bound = np.uint64(min(one.bound, other.bound))
    values = one.values()[0]
    values = values[: np.searchsorted(values, bound, side="right")]
    return float(np.isin(values, other.values()[0], assume_unique=True).mean()) if len(values) else 0.0


LIMIT = 8_000_000
"""If a representation has more different fingerprints than this, only a sample of them is counted. This many take 128
MB of memory, and twice as much while counts are merged."""

POINTS_PER_DECADE = 10

_FEWEST_POINTS = 5

COMMON = 5
"""For each representation, the code of this many of the most common fingerprints is shown."""


def measure(corpus: Corpus) -> FrequencyResult:
    """The frequencies of fingerprints, and of all k-grams from which they are selected. A fingerprint that occurs
    repeatedly in a text counts each time. Parts of the corpus are read twice, to find the code of common fingerprints.
    """
    selected = {representation: HashCounts(LIMIT) for representation in SCHEMES}
    every = {representation: HashCounts(LIMIT) for representation in SCHEMES}
    for content in corpus:
        for representation, scheme in SCHEMES.items():
            grams = sampled_kgrams(content.symbols, scheme)
            if len(grams.hashes):
                selected[representation].add(grams.hashes[sample(grams, scheme)])
                every[representation].add(grams.hashes)
    size = corpus.size
    common = {representation: _most_common(counts) for representation, counts in selected.items()}
    code = _code_of(corpus, {(name, value) for name, found in common.items() for value in found})
    return FrequencyResult(
        size,
        tuple(
            _frequencies(
                name,
                counts,
                tuple(CommonFingerprint(times, code.get((name, value))) for value, times in common[name].items()),
            )
            for name, counts in selected.items()
            if counts.total
        ),
        tuple(_frequencies(name, counts) for name, counts in every.items() if counts.total),
    )


def _most_common(counts: HashCounts) -> dict[int, int]:
    """The most common mixed hashes and their frequencies, the most frequent first."""
    values, frequency = counts.values()
    most = np.lexsort((values, -frequency))[:COMMON]
    return dict(zip(values[most].tolist(), frequency[most].tolist(), strict=True))


def _code_of(corpus: Corpus, wanted: set[tuple[Representation, int]]) -> dict[tuple[Representation, int], str]:
    """The code of the first readable place of each fingerprint, by representation and mixed hash."""
    found: dict[tuple[Representation, int], str] = {}
    for content in corpus if wanted else ():
        for representation, scheme in SCHEMES.items():
            missing = [value for name, value in wanted - found.keys() if name is representation]
            grams = sampled_kgrams(content.symbols, scheme)
            if not missing or not len(grams.hashes):
                continue
            kept = sample(grams, scheme)
            mixed = mix(grams.hashes[kept])
            for value in missing:
                for begin in grams.positions[kept][mixed == np.uint64(value)][:1].tolist():
                    if (at_hand := content.read()) is not None:
                        source, tokens = at_hand
                        code = source[tokens.starts[begin] : tokens.ends[begin + scheme.k - 1]]
                        found[representation, value] = code.decode(encoding(source), "replace")
        if len(found) == len(wanted):
            break
    return found


def _frequencies(
    representation: Representation, counts: HashCounts, common: tuple[CommonFingerprint, ...] = ()
) -> Frequencies:
    frequency = np.sort(counts.values()[1])[::-1]
    at = log_spaced(len(frequency))
    # The r-th most frequent hash of a sample has about rank r / share among all hashes.
    ranks = np.rint((at + 1) / counts.share).astype(np.int64)
    return Frequencies(
        representation=representation,
        fingerprints=counts.total,
        distinct=round(len(frequency) / counts.share),
        once=float(np.mean(frequency == 1)),
        twice=float(np.mean(frequency == 2)),
        thrice=float(np.mean(frequency == 3)),
        sampled=counts.share,
        points=tuple(zip(ranks.tolist(), frequency[at].tolist(), strict=True)),
        slope=slope(ranks, frequency[at]),
        common=common,
    )


def log_spaced(count: int) -> NDArray[np.int64]:
    """Indices below `count`, evenly spaced on a logarithmic scale, with the first and the last; without duplicates."""
    decades = np.log10(count)
    spaced = np.logspace(0, decades, max(int(decades * POINTS_PER_DECADE), 1) + 1)
    return np.unique(np.append(np.rint(spaced), count).astype(np.int64).clip(1, count)) - 1


def slope(ranks: NDArray[np.int64], frequency: NDArray[np.int64]) -> float | None:
    """The slope of the least-squares line through log frequency over log rank, for frequencies above 1. None if there
    are fewer than five of them. Frequencies of 1 form a long level tail that would bend the line.
    """
    repeated = frequency > 1
    if np.count_nonzero(repeated) < _FEWEST_POINTS:
        return None
    line = np.polynomial.Polynomial.fit(np.log(ranks[repeated]), np.log(frequency[repeated]), 1).convert()
    return float(line.coef[-1]) if len(line.coef) > 1 else 0.0


CODE_KS = (4, 6, 8, 10, 12, 16, 20, 24, 32)
TEXT_KS = (8, 16, 24, 32, 40, 48, 64)

NOISE_LIMIT = 16_384
"""At most this many different k-grams are in memory for each repository, language, representation and k. So a share of
1% is estimated from at least 64 k-grams, with an error of about an eighth."""

FEWEST = 1_000
"""A repository is compared in a language if it has at least this many different k-grams of the shortest length."""

LARGEST = 20
"""At most this many repositories of a language are compared with each other: those with the most k-grams."""

_Counts = dict[tuple[Representation, str], dict[str, dict[int, HashCounts]]]
"""Counts of k-grams, by representation and language, then by repository, then by k."""


def noise(corpus: Corpus) -> NoiseResult:
    """Compares all repositories that have code in the same language with each other.

    A content that several repositories have counts only in the first of them, since copied files are not noise. The
    user must make sure that the repositories are unrelated otherwise.
    """
    counts: _Counts = defaultdict(lambda: defaultdict(lambda: defaultdict(lambda: HashCounts(NOISE_LIMIT))))
    for content in corpus:
        for representation, piece in content.of(OF_TOKENS):
            of_repository = counts[representation, content.language][content.repository]
            for k in TEXT_KS if representation is Representation.TEXT else CODE_KS:
                if len(hashes := kgrams(piece, representation, k).hashes):
                    of_repository[k].add(hashes)
    curves = (
        _noise(representation, language, list(counts[representation, language].values()))
        for representation in OF_TOKENS
        for language in sorted(language for of, language in counts if of is representation)
    )
    return NoiseResult(corpus.size, tuple(curve for curve in curves if curve is not None))


def _noise(
    representation: Representation, language: str, repositories: Sequence[dict[int, HashCounts]]
) -> Noise | None:
    ks = TEXT_KS if representation is Representation.TEXT else CODE_KS
    enough = [of for of in repositories if _distinct(of, ks[0]) >= FEWEST]
    enough = sorted(enough, key=lambda of: -_distinct(of, ks[0]))[:LARGEST]
    if len(enough) < 2:
        return None
    shares = []
    for k in ks:
        holding = [of[k] for of in enough if k in of]
        of_pairs = [shared(one, other) for one in holding for other in holding if one is not other]
        if of_pairs:
            shares.append((k, float(np.median(of_pairs)), max(of_pairs)))
    return Noise(representation, language, len(enough), tuple(shares))


def _distinct(of: dict[int, HashCounts], k: int) -> float:
    return len(of[k].values()[0]) / of[k].share if k in of else 0.0
