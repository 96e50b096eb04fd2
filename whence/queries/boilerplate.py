"""Boilerplate sets: every k-gram of some texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whence.analyzers.analysis import analyze_snippet
from whence.analyzers.representations import kgrams
from whence.analyzers.schemes import SCHEMES, scheme_ids
from whence.errors import BoilerplateError
from whence.model import BoilerplateSet, Representation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from whence.engines.base import Engine
    from whence.model import Hashes


def make_set(name: str, texts: Sequence[tuple[str, bytes]], *, language: str | None = None) -> BoilerplateSet:
    """A set of every k-gram (w = 1) of these texts, in every representation.

    Args:
        name: of the set.
        texts: (file name, content); the file name helps to tell the language.
        language: of all of them, else told or guessed for each.

    Raises:
        BoilerplateError: none of them has a k-gram.
    """
    found: dict[Representation, list[Hashes]] = {}
    for file, content in texts:
        stream = analyze_snippet(content, name=file, language=language).tokens
        for representation, scheme in SCHEMES.items():
            hashes = kgrams(stream, representation, scheme.k).hashes
            if len(hashes):
                found.setdefault(representation, []).append(hashes)
    if not found:
        shortest = SCHEMES[Representation.EXACT].k
        raise BoilerplateError(f"boilerplate {name!r} has no text of {shortest} tokens or more; give longer files")
    return BoilerplateSet(
        name=name,
        files=tuple(file for file, _ in texts),
        schemes=scheme_ids(),
        hashes={representation: np.unique(np.concatenate(parts)) for representation, parts in found.items()},
    )


def stored_sets(engine: Engine, names: Iterable[str]) -> list[BoilerplateSet]:
    """The named sets of an index.

    Raises:
        BoilerplateError: one is not there, or was made by another scheme.
    """
    sets = []
    for name in names:
        found = engine.boilerplate(name)
        if found is None:
            there = ", ".join(engine.boilerplate_names()) or "none"
            raise BoilerplateError(f"no boilerplate set {name!r} in this index; there are: {there}")
        if dict(found.schemes) != scheme_ids():
            raise BoilerplateError(
                f"boilerplate set {name!r} was made by another scheme; add it again with `whence boilerplate add`"
            )
        sets.append(found)
    return sets
