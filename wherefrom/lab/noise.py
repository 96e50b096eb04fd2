"""Measures the noise threshold: how much code unrelated repositories share, by k."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from wherefrom.analyzers.representations import kgrams
from wherefrom.lab.corpus import Corpus
from wherefrom.lab.counts import HashCounts, shared
from wherefrom.lab.figures import Noise, NoiseResult
from wherefrom.model import OF_TOKENS, Representation

CODE_KS = (4, 6, 8, 10, 12, 16, 20, 24, 32)
TEXT_KS = (8, 16, 24, 32, 40, 48, 64)

LIMIT = 16_384
"""At most this many different k-grams are in memory for each repository, language, representation and k. So a share of
1% is estimated from at least 64 k-grams, with an error of about an eighth."""

FEWEST = 1_000
"""A repository is compared in a language if it has at least this many different k-grams of the shortest length."""

LARGEST = 20
"""At most this many repositories of a language are compared with each other: those with the most k-grams."""

_Counts = dict[tuple[Representation, str], dict[str, dict[int, HashCounts]]]
"""Counts of k-grams, by representation and language, then by repository, then by k."""


def measure(corpus: Corpus) -> NoiseResult:
    """Compares all repositories that have code in the same language with each other.

    A content that several repositories have counts only in the first of them, since copied files are not noise. The
    user must make sure that the repositories are unrelated otherwise.
    """
    counts: _Counts = defaultdict(lambda: defaultdict(lambda: defaultdict(lambda: HashCounts(LIMIT))))
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
    """The curve over the repositories; None if fewer than two are large enough."""
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
