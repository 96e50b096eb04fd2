"""Frameworks: files that generators of projects write, such as those of sphinx-quickstart, or a Gradle wrapper.

They are kept as k-grams, so nobody's text is here. `python -m benchmarks.frameworks` makes the file from the packages
of the generators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import BinaryIO

import numpy as np

from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.model import BoilerplateSet, Hashes, Representation

NAME = "frameworks"
"""Of the boilerplate set that every index has."""

REPRESENTATIONS = (Representation.EXACT, Representation.TEXT)
"""What is kept of the files. Own code may well have the form of a list of settings, but hardly its names and values."""

_SOURCES = "sources"


def save(file: BinaryIO, hashes: Mapping[Representation, Hashes], sources: Sequence[str]) -> None:
    """Writes the file, a NumPy archive: the differences between the ascending k-grams of each of `REPRESENTATIONS`,
    under the ids of their schemes, and generator, package and version of each source.
    """
    arrays = {SCHEMES[each].id: np.diff(hashes[each], prepend=np.uint64(0)) for each in REPRESENTATIONS}
    np.savez_compressed(file, **arrays, **{_SOURCES: np.array(sources, np.str_)}, allow_pickle=False)


@cache
def framework_set() -> BoilerplateSet:
    """The boilerplate set, with the ids of the schemes under which it was made."""
    with files("wherefrom.queries").joinpath("data", "frameworks.npz").open("rb") as file, np.load(file) as arrays:
        made = {Representation(name.partition("-")[0]): name for name in arrays if name != _SOURCES}
        return BoilerplateSet(
            name=NAME,
            files=tuple(map(str, arrays[_SOURCES])),
            schemes={**scheme_ids(), **made},
            hashes={representation: np.cumsum(arrays[name]) for representation, name in made.items()},
        )
