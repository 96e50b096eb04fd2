"""The boilerplate set of frameworks: files that project generators write, such as sphinx-quickstart or Gradle.

`python -m benchmarks.frameworks` makes it from the packages of the generators. It has k-grams and no text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import BinaryIO

import numpy as np

from wherefrom.analyzers.hashing import packed, unpacked
from wherefrom.analyzers.schemes import SCHEMES, token_scheme_ids
from wherefrom.model import BoilerplateSet, Hashes, Representation

NAME = "frameworks"
"""The name of the set, which every index has."""

REPRESENTATIONS = (Representation.EXACT, Representation.TEXT)
"""The representations of the set. The others are left out: a user's own code often has the form of a list of settings,
but seldom the same names and values."""

_SOURCES = "sources"


def save(file: BinaryIO, hashes: Mapping[Representation, Hashes], sources: Sequence[str]) -> None:
    """Writes a NumPy archive: for each of `REPRESENTATIONS` its ascending k-grams, named by the id of the scheme; and
    generator, package and version of each source.
    """
    arrays: dict[str, np.ndarray] = {_SOURCES: np.array(sources, np.str_)}
    arrays |= {SCHEMES[key].id: packed(hashes[key]) for key in REPRESENTATIONS}
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # its flag `allow_pickle` is newer than our oldest NumPy


@cache
def framework_set() -> BoilerplateSet:
    """The boilerplate set, with the ids of the schemes that made it."""
    with np.load(Path(__file__).with_name("data") / "frameworks.npz") as arrays:
        made = {Representation(name.partition("-")[0]): name for name in arrays if name != _SOURCES}
        return BoilerplateSet(
            name=NAME,
            files=tuple(map(str, arrays[_SOURCES])),
            schemes={**token_scheme_ids(), **made},
            hashes={
                representation: unpacked(arrays[name]).astype(np.uint64, copy=False)
                for representation, name in made.items()
            },
        )
