"""Common code: what everyone writes in a language in nearly the same words.

The head of a table test in Go, `equals` in Java, a JavaScript module that defines itself in each of three ways: a copy
of nothing else says nothing about where a program comes from. `python -m benchmarks.common_code` counts such code in
many projects. It is kept as k-grams, so nobody's text is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import Symbols
from wherefrom.fitted import RUN
from wherefrom.model import Hashes, Representation
from wherefrom.queries.spans import covered

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


REPRESENTATION = Representation.RENAMED
"""Variables of other names make no other code."""

_SCHEME = replace(SCHEMES[REPRESENTATION], k=RUN).id
_SHIFT = np.uint64(32)
_BYTES = 4
_SOURCES = "sources"


def leading(hashes: Hashes) -> NDArray[np.uint32]:
    """What is kept of k-grams: the leading 32 bits of each hash. One other k-gram in ten thousand has those of one."""
    return (hashes >> _SHIFT).astype(np.uint32)


def save(file: BinaryIO, prefixes: NDArray[np.uint32], projects: Sequence[str]) -> None:
    """Writes the ascending k-grams and name and version of each project that was counted, as a NumPy archive: under the
    id of the scheme the differences between the k-grams, first the lowest bytes of all, then the next ones.
    """
    differences = np.diff(prefixes, prepend=np.uint32(0)).astype("<u4")
    arrays = {
        _SCHEME: differences.view(np.uint8).reshape(-1, _BYTES).T.copy(),
        _SOURCES: np.array(projects, np.str_),
    }
    np.savez_compressed(file, allow_pickle=False, **arrays)


def load(path: Traversable) -> NDArray[np.uint32]:
    """The k-grams of a file that `save` wrote; none if they were made by another scheme."""
    with path.open("rb") as file, np.load(file) as arrays:
        if _SCHEME not in arrays:
            return np.empty(0, np.uint32)
        planes = arrays[_SCHEME]
    return np.cumsum(np.ascontiguousarray(planes.T).view("<u4").ravel(), dtype=np.uint32)


def sources() -> tuple[str, ...]:
    """Name and version of each project that was counted."""
    with _data().open("rb") as file, np.load(file) as arrays:
        return tuple(map(str, arrays[_SOURCES]))


@cache
def known() -> NDArray[np.uint32]:
    """What is kept of the common k-grams of all languages, ascending."""
    return load(_data())


def common_tokens(stream: Symbols) -> NDArray[np.bool_]:
    """Which tokens of a text are in a common k-gram: bool, shape (n,)."""
    grams = kgrams(stream, REPRESENTATION, RUN)
    table, sought = known(), leading(grams.hashes)
    if not len(table):
        return np.zeros(len(stream), np.bool_)
    begins = grams.positions[table[np.minimum(table.searchsorted(sought), len(table) - 1)] == sought]
    return covered(begins, begins + RUN, len(stream))


def _data() -> Traversable:
    return files("wherefrom.queries").joinpath("data", "common.npz")
