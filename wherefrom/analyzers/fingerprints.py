"""Fingerprints: the sampled k-grams of a text, and the terms that an index holds of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import terms
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.samplers import WINNOWING
from wherefrom.analyzers.schemes import SCHEMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from wherefrom.analyzers.representations import KGrams
    from wherefrom.analyzers.schemes import Scheme
    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.model import Hashes, Representation


def sample(grams: KGrams, scheme: Scheme, window: int | None = None) -> NDArray[np.int64]:
    """Which k-grams the scheme's sampler keeps (indices into `grams`), segment by segment.

    Args:
        grams: k-grams of the scheme's representation and k.
        scheme: says the sampler, and w unless `window` is given.
        window: w' for a query.
    """
    keep = WINNOWING[scheme.sampler]
    w = scheme.w if window is None else window
    if len(grams.bounds) == 2:
        return keep(grams.hashes, w)
    kept = [begin + keep(part, w) for begin, part in grams.parts()]
    return np.concatenate(kept) if kept else np.empty(0, np.int64)


def document_terms(
    stream: TokenStream, schemes: Mapping[Representation, Scheme] = SCHEMES
) -> dict[Representation, Hashes]:
    """The distinct terms of a text under each scheme that it has k-grams for, ascending."""
    result = {}
    for representation, scheme in schemes.items():
        grams = kgrams(stream, representation, scheme.k)
        if len(grams.hashes):
            result[representation] = terms(grams.hashes[sample(grams, scheme)], scheme.term_bits)
    return result
