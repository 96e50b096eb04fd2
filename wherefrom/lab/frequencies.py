"""Counts how often fingerprints occur, by rank (the paper's Figure 4: a power law)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import mix
from wherefrom.analyzers.positions import encoding
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.lab.corpus import Corpus
from wherefrom.lab.counts import HashCounts
from wherefrom.lab.figures import CommonFingerprint, Frequencies, FrequencyResult
from wherefrom.model import Representation

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
