"""How alike two whole files are: what they share in the same order, of both of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.fitted import LONG, MANY
from wherefrom.model import Representation
from wherefrom.queries.alignment.aligning import Document
from wherefrom.queries.alignment.chains import Grams, heaviest_chain

_LARGEST = 1 << 32
"""K-grams of one file times those of the other beyond which a chain costs less than comparing bits."""

_HELD = 1 << 16
"""K-grams of a sequence that is held at most, the root of `_LARGEST`."""

_SHORT, _FREQUENT = 1 << 13, 8
"""Length up to which the bits of all elements are kept, 4 MB, and occurrences from which on they are kept of a longer
sequence: all of them would take up to 270 MB, and these 67."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A representation and k, and how much it counts."""

    representation: Representation
    k: int
    weight: float


@dataclass(frozen=True, slots=True)
class InCommon:
    """How many k-grams two files share in the same order (`common`), of how many that each of them has."""

    measure: Measure
    common: int
    own: int
    other: int


def measures(tokens: int) -> tuple[Measure, ...]:
    """What a file of so many tokens is compared by: pairs of neighboring tokens. A long file by those of `exact` and
    `renamed`, which together tell copies from programs that do the same; the shorter a file is, the more by those of
    `p_match`: a compiler and a decompiler leave little else of a method (`benchmarks/effectiveness/sweep.py`).
    """
    length = min(1.0, tokens / LONG)
    possible = (
        Measure(Representation.RENAMED, 2, length),
        Measure(Representation.EXACT, 2, length),
        Measure(Representation.P_MATCH, 2, 1.0 - length),
        Measure(Representation.TEXT, SCHEMES[Representation.TEXT].k, 1.0),
    )
    return tuple(measure for measure in possible if measure.weight)


def dice(shared: Iterable[InCommon]) -> float:
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
        self._places: dict[Measure, Places] = {}

    def shared(self, other: Document) -> tuple[InCommon, ...]:
        """What it shares with another, by each measure."""
        return tuple(self._shared(measure, other) for measure in self._measures)

    def _shared(self, measure: Measure, other: Document) -> InCommon:
        own = self._document.grams(measure.representation, measure.k)
        theirs = other.grams(measure.representation, measure.k)
        sizes = len(own.hashes), len(theirs.hashes)
        if sizes[0] * sizes[1] > _LARGEST:
            grams = uniform_grams(self._document, measure.representation, measure.k)
            indices, numbers = grams.matches(theirs.hashes)
            pairs = grams.pairs(numbers, theirs.positions[indices], often=MANY)
            weight, _ = heaviest_chain(pairs, np.ones(len(pairs)))
            return InCommon(measure, int(weight), *sizes)
        if sizes[0] > _HELD:
            # Either sequence may be the one that is held; of these two the other one is not as long.
            return InCommon(measure, common_subsequence(Places(theirs.hashes.tolist()), own.hashes.tolist()), *sizes)
        if measure not in self._places:
            self._places[measure] = Places(own.hashes.tolist())
        return InCommon(measure, common_subsequence(self._places[measure], theirs.hashes.tolist()), *sizes)


def uniform_grams(document: Document, representation: Representation, k: int) -> Grams:
    """The k-grams of a document, each of weight 1."""
    grams = document.grams(representation, k)
    return Grams(k, grams.hashes, grams.positions, np.ones(len(grams.hashes)), len(document.numbered))


class Places:
    """For each element of a sequence its positions, as the `bits` of a number as long as the sequence. Of a long
    sequence those of frequent elements alone are kept so; `rare` has the positions of the others.
    """

    def __init__(self, sequence: Sequence[int]) -> None:
        self.length = len(sequence)
        self.rare: defaultdict[int, list[int]] = defaultdict(list)
        for position, element in enumerate(sequence):
            self.rare[element].append(position)
        least = 1 if self.length <= _SHORT else _FREQUENT
        kept = [element for element, positions in self.rare.items() if len(positions) >= least]
        self.bits = {element: bits(self.rare.pop(element)) for element in kept}


def bits(positions: Iterable[int]) -> int:
    """A number with a bit at each of these positions."""
    number = 0
    for position in positions:
        number |= 1 << position
    return number


def common_subsequence(held: Places, other: Iterable[int]) -> int:
    """The length of the longest common subsequence, all of a column of the table in one long addition.

    Hyyro, "Bit-parallel LCS-length computation revisited", 2004: a bit is 0 where the table's row grows by one.
    """
    everything = (1 << held.length) - 1
    row = everything
    for element in other:
        places = held.bits.get(element)
        if places is None:
            if element not in held.rare:
                continue
            places = bits(held.rare[element])
        matched = row & places
        row = ((row + matched) | (row - matched)) & everything
    return held.length - row.bit_count()
