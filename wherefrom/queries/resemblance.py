"""How alike two whole files are: what they share in the same order, of both of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.model import Representation
from wherefrom.queries.chains import Grams, heaviest_chain

if TYPE_CHECKING:
    from wherefrom.queries.alignment import Document

LONG = 400
"""Tokens from which a file counts as long: see `measures`."""

OFTEN = 16
"""Pairs of one k-gram beyond which chains are banded: whole files repeat themselves."""

_LARGEST = 1 << 32
"""K-grams of one file times those of the other beyond which a chain costs less than comparing bits."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A representation and k, and how much it counts."""

    representation: Representation
    k: int
    weight: float


@dataclass(frozen=True, slots=True)
class Shared:
    """How many k-grams two files share in the same order (`common`), of how many that each of them has."""

    measure: Measure
    common: int
    own: int
    other: int


def measures(tokens: int) -> tuple[Measure, ...]:
    """What a file of so many tokens is compared by.

    Pairs of `renamed` for every file; runs of six for a long one, for they tell copies from programs that do the same;
    pairs of `p_match` for a short one, in which a compiler and a decompiler leave hardly a run of six alone. Chosen on
    OCD and SOCO-14 by `benchmarks/effectiveness/sweep.py` (`docs/effectiveness.md`): weighing by idf is no better, and
    `LONG` from 200 to 600 comes to the same.
    """
    length = min(1.0, tokens / LONG)
    possible = (
        Measure(Representation.RENAMED, 2, 1.0),
        Measure(Representation.RENAMED, 6, length),
        Measure(Representation.P_MATCH, 2, 1.0 - length),
        Measure(Representation.TEXT, SCHEMES[Representation.TEXT].k, 1.0),
    )
    return tuple(measure for measure in possible if measure.weight)


def resemblance(shared: Iterable[Shared]) -> float:
    """Twice what is shared by what both have, weighed, 0 to 1 (Dice): a file that is contained in one of three times
    its length has 0.5.
    """
    parts = list(shared)
    both = sum(part.measure.weight * (part.own + part.other) for part in parts)
    return sum(part.measure.weight * 2 * part.common for part in parts) / both if both else 0.0


class Original:
    """A file made ready to be compared with many."""

    def __init__(self, document: Document, chosen: Sequence[Measure] | None = None) -> None:
        self._document = document
        self._measures = measures(len(document.numbered)) if chosen is None else chosen
        self._places: dict[Measure, Mapping[int, int]] = {}

    def shared(self, other: Document) -> tuple[Shared, ...]:
        """What it shares with another, by each measure."""
        return tuple(self._shared(measure, other) for measure in self._measures)

    def _shared(self, measure: Measure, other: Document) -> Shared:
        own = self._document.grams(measure.representation, measure.k)
        theirs = other.grams(measure.representation, measure.k)
        sizes = len(own.hashes), len(theirs.hashes)
        if sizes[0] * sizes[1] > _LARGEST:
            grams = uniform_grams(self._document, measure.representation, measure.k)
            indices, numbers = grams.matches(theirs.hashes)
            pairs = grams.pairs(numbers, theirs.positions[indices], often=OFTEN)
            weight, _ = heaviest_chain(pairs, np.ones(len(pairs)))
            return Shared(measure, int(weight), *sizes)
        if measure not in self._places:
            self._places[measure] = places(own.hashes.tolist())
        return Shared(measure, common_subsequence(self._places[measure], sizes[0], theirs.hashes.tolist()), *sizes)


def uniform_grams(document: Document, representation: Representation, k: int) -> Grams:
    """The k-grams of a document, each of weight 1."""
    grams = document.grams(representation, k)
    return Grams(k, grams.hashes, grams.positions, np.ones(len(grams.hashes)), len(document.numbered))


def places(sequence: Sequence[int]) -> Mapping[int, int]:
    """For each element of a sequence the positions at which it stands, as the bits of a number."""
    found: defaultdict[int, int] = defaultdict(int)
    for position, element in enumerate(sequence):
        found[element] |= 1 << position
    return found


def common_subsequence(held: Mapping[int, int], length: int, other: Iterable[int]) -> int:
    """The length of the longest common subsequence, all of a column of the table in one long addition.

    Hyyro, "Bit-parallel LCS-length computation revisited", 2004: a bit is 0 where the table's row grows by one.

    Args:
        held: the `places` of one sequence.
        length: its length.
        other: the other sequence.
    """
    everything = (1 << length) - 1
    row = everything
    for element in other:
        if element in held:
            matched = row & held[element]
            row = ((row + matched) | (row - matched)) & everything
    return length - row.bit_count()
