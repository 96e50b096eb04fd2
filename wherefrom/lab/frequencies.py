"""How often fingerprints occur, by rank (the paper's Figure 4: a power law)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.lab.counts import HashCounts
from wherefrom.lab.figures import Frequencies, FrequencyResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wherefrom.lab.corpus import Corpus
    from wherefrom.model import Representation

LIMIT = 8_000_000
"""Different fingerprints counted exactly: 128 MB for each representation, and as much again while they are merged."""

POINTS_PER_DECADE = 10

_FEWEST_POINTS = 5


def measure_frequencies(corpus: Corpus, *, limit: int = LIMIT) -> FrequencyResult:
    """The frequencies of the fingerprints that an index is made of, before equal ones of a text are put together.

    Args:
        corpus: the code.
        limit: different fingerprints of a representation that are counted; of more a uniform sample is.
    """
    counts = {representation: HashCounts(limit) for representation in SCHEMES}
    for content in corpus:
        for representation, scheme in SCHEMES.items():
            grams = sampled_kgrams(content.symbols, scheme)
            if len(grams.hashes):
                counts[representation].add(grams.hashes[sample(grams, scheme)])
    found = (_frequencies(representation, count) for representation, count in counts.items() if count.total)
    return FrequencyResult(corpus.size, tuple(found))


def _frequencies(representation: Representation, counts: HashCounts) -> Frequencies:
    frequency = np.sort(counts.values()[1])[::-1]
    at = log_spaced(len(frequency))
    # With a sample, the r-th of those counted is about the r / share-th of all.
    ranks = np.rint((at + 1) / counts.share).astype(np.int64)
    return Frequencies(
        representation=representation,
        fingerprints=counts.total,
        distinct=round(len(frequency) / counts.share),
        once=float(np.mean(frequency == 1)),
        sampled=counts.share,
        points=tuple(zip(ranks.tolist(), frequency[at].tolist(), strict=True)),
        slope=slope(ranks, frequency[at]),
    )


def log_spaced(count: int) -> NDArray[np.int64]:
    """Different indices below `count`, the first and the last among them, evenly spaced on a logarithmic scale."""
    decades = np.log10(count)
    spaced = np.logspace(0, decades, max(int(decades * POINTS_PER_DECADE), 1) + 1)
    return np.unique(np.append(np.rint(spaced), count).astype(np.int64).clip(1, count)) - 1


def slope(ranks: NDArray[np.int64], frequency: NDArray[np.int64]) -> float | None:
    """That of the straight line of least squares through log frequency over log rank, where the frequency is above 1.

    What occurs once makes a long level tail, which would bend any line; None for fewer than five points before it.
    """
    repeated = frequency > 1
    if np.count_nonzero(repeated) < _FEWEST_POINTS:
        return None
    line = np.polynomial.Polynomial.fit(np.log(ranks[repeated]), np.log(frequency[repeated]), 1).convert()
    return float(line.coef[-1]) if len(line.coef) > 1 else 0.0
