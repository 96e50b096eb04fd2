"""Fingerprints: the sampled k-grams of a text, and the terms that an index holds of them."""

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
    """The k-grams of a scheme, with all that its sampler looks at."""
    return kgrams(stream, scheme.representation, scheme.k, scheme.inner)


def sample(grams: KGrams, scheme: Scheme, window: int | None = None) -> NDArray[np.int64]:
    """Which k-grams the scheme's sampler keeps (indices into `grams`), segment by segment.

    Args:
        grams: as `sampled_kgrams` makes them for the scheme.
        scheme: says the sampler, and w unless `window` is given.
        window: w' for a query.
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
    """The distinct terms of a text under each scheme that it has k-grams for, ascending."""
    result = {}
    for representation, scheme in schemes.items():
        grams = sampled_kgrams(stream, scheme)
        if len(grams.hashes):
            result[representation] = terms(grams.hashes[sample(grams, scheme)])
    return result
