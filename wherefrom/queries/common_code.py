"""Common code: what programs of a language have in common because everyone writes it so.

The head of a table test in Go, `equals` in Java, a module of JavaScript that defines itself in each of three ways: a
copy of nothing but that says nothing about where a program comes from. `python -m benchmarks.common_code` counts it in
many projects. Only k-grams are kept, so nobody's text is here.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.model import Representation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO

    from numpy.typing import NDArray

    from wherefrom.analyzers.tokens import Symbols
    from wherefrom.model import Hashes

REPRESENTATION = Representation.RENAMED
"""Other names of variables make no other code."""

K = SCHEMES[REPRESENTATION].k

BITS = 32
"""Leading bits of a hash that are kept. Of k-grams that are not common about one in ten thousand is taken for one."""

_SHIFT = np.uint64(64 - BITS)
_PLANES = BITS // 8
_SOURCES = "sources"


def leading(hashes: Hashes) -> NDArray[np.uint32]:
    """The leading `BITS` bits of some hashes."""
    return (hashes >> _SHIFT).astype(np.uint32)


def save(file: BinaryIO, prefixes: NDArray[np.uint32], sources: Sequence[str]) -> None:
    """Writes the file, a NumPy archive, under the id of the scheme: the differences between the k-grams, their lowest
    bytes first and then the next ones, and the sources.

    Args:
        file: opened for writing.
        prefixes: what `leading` gives of the common k-grams, ascending.
        sources: name and version of each project.
    """
    differences = np.diff(prefixes, prepend=np.uint32(0)).astype("<u4")
    planes = differences.view(np.uint8).reshape(-1, _PLANES).T.ravel()
    arrays = {SCHEMES[REPRESENTATION].id: planes, _SOURCES: np.array(sources, np.str_)}
    np.savez_compressed(file, allow_pickle=False, **arrays)


def sources() -> tuple[str, ...]:
    """Name and version of each project that was counted."""
    with files("wherefrom.queries").joinpath("data", "common.npz").open("rb") as file, np.load(file) as arrays:
        return tuple(map(str, arrays[_SOURCES]))


@cache
def _prefixes() -> NDArray[np.uint32]:
    """The common k-grams as `leading` gives them, ascending; none if they were made by another scheme."""
    with files("wherefrom.queries").joinpath("data", "common.npz").open("rb") as file, np.load(file) as arrays:
        if SCHEMES[REPRESENTATION].id not in arrays:
            return np.empty(0, np.uint32)
        planes = arrays[SCHEMES[REPRESENTATION].id].reshape(_PLANES, -1)
    return np.cumsum(np.ascontiguousarray(planes.T).view("<u4").ravel(), dtype=np.uint32)


def common_tokens(stream: Symbols) -> NDArray[np.bool_]:
    """Which tokens of a text are in a common k-gram, in any language: bool, shape (n,)."""
    grams = kgrams(stream, REPRESENTATION, K)
    known, sought = _prefixes(), leading(grams.hashes)
    if not len(known):
        return np.zeros(len(stream), np.bool_)
    is_common = known[np.minimum(known.searchsorted(sought), len(known) - 1)] == sought
    edges = np.zeros(len(stream) + 1, np.int64)
    begins = grams.positions[is_common]
    edges[begins] += 1
    edges[begins + K] -= 1
    covered: NDArray[np.bool_] = np.cumsum(edges[:-1]) > 0
    return covered
