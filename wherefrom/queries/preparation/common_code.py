"""Common code: what everyone writes in a language in nearly the same words.

Examples are the head of a table test in Go, and `equals` in Java. A copy of such code alone tells nothing about where a
program comes from. `python -m benchmarks.common_code` counts it in many projects, and stores its k-grams, but no text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import are_among, packed, unpacked
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import Symbols
from wherefrom.fitted import RUN
from wherefrom.model import Hashes, Representation
from wherefrom.queries.spans import Flags, covered

REPRESENTATION = Representation.RENAMED
"""The representation of the common k-grams. It finds common code with other names, too."""

_SCHEME = replace(SCHEMES[REPRESENTATION], k=RUN).id
_SOURCES = "sources"


def leading(hashes: Hashes) -> NDArray[np.uint32]:
    """The leading 32 bits of each hash: only these are stored. One in 10,000 other k-grams equals a stored one."""
    return (hashes >> np.uint64(32)).astype(np.uint32)


def save(file: BinaryIO, prefixes: NDArray[np.uint32], projects: Sequence[str]) -> None:
    """Writes a NumPy archive: the ascending k-grams, and name and version of each project that was counted.

    The name of the array of k-grams is the id of the scheme.
    """
    arrays = {_SCHEME: packed(prefixes), _SOURCES: np.array(projects, np.str_)}
    np.savez_compressed(file, allow_pickle=False, **arrays)


def load(path: Traversable) -> NDArray[np.uint32]:
    """The k-grams of a file that `save` wrote; none if another scheme made them."""
    with path.open("rb") as file, np.load(file) as arrays:
        if _SCHEME not in arrays:
            return np.empty(0, np.uint32)
        return unpacked(arrays[_SCHEME]).astype(np.uint32, copy=False)


@cache
def known() -> NDArray[np.uint32]:
    """`leading` of the common k-grams of all languages, ascending."""
    return load(files("wherefrom.queries").joinpath("data", "common.npz"))


def common_tokens(stream: Symbols) -> Flags:
    """Which tokens of a text are in a common k-gram: bool, shape (n,)."""
    grams = kgrams(stream, REPRESENTATION, RUN)
    begins = grams.positions[are_among(leading(grams.hashes), known())]
    return covered(begins, begins + RUN, len(stream))
