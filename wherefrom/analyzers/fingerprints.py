"""Fingerprints: the sampled k-grams of a text, and their terms, which an index stores."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import terms
from wherefrom.analyzers.representations import KGrams, kgrams
from wherefrom.analyzers.samplers import WINNOWING, open_closed
from wherefrom.analyzers.schemes import SCHEMES, Scheme
from wherefrom.analyzers.tokens import Symbols, TokenStream
from wherefrom.model import Hashes, Representation


def sampled_kgrams(stream: Symbols, scheme: Scheme) -> KGrams:
    """All k-grams of a stream under a scheme, before sampling, and the s-grams if the sampler needs them."""
    return kgrams(stream, scheme.representation, scheme.k, scheme.inner)


def sample(grams: KGrams, scheme: Scheme, window: int | None = None) -> NDArray[np.int64]:
    """The indices of the k-grams that the sampler of a scheme keeps. `grams` is the result of `sampled_kgrams`.

    Each segment is sampled separately. A query may replace the window of the scheme by `window`.
    """
    w = scheme.w if window is None else window
    if scheme.sampler == "open_closed":
        kept = [begin + open_closed(hashes, inner, w) for begin, hashes, inner in grams.parts()]
    else:
        kept = [begin + WINNOWING[scheme.sampler](hashes, w) for begin, hashes, _ in grams.parts()]
    return np.concatenate(kept) if kept else np.empty(0, np.int64)


def document_terms(
    stream: TokenStream, schemes: Mapping[Representation, Scheme] = SCHEMES
) -> dict[Representation, Hashes]:
    """The distinct terms of a text under each scheme, ascending. Leaves out schemes under which it has no k-gram."""
    result = {}
    for representation, scheme in schemes.items():
        grams = sampled_kgrams(stream, scheme)
        if len(grams.hashes):
            result[representation] = terms(grams.hashes[sample(grams, scheme)])
    return result
