"""How much two files have in common in the same order: the longest common subsequence of their k-grams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from wherefrom.analyzers.representations import KGrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.fitted import LONG_FILE, TABLE
from wherefrom.model import Representation
from wherefrom.queries.alignment.chains import Chain, Grams, heaviest_chain
from wherefrom.queries.alignment.documents import DocumentTokens
from wherefrom.support.chunks import by_key
from wherefrom.support.values import dataclass

_LARGEST = 1 << 32  # if two files have more pairs of k-grams than this, a chain costs less than comparing bits
_KEPT = 1 << 16  # `Places` are kept for sequences of at most this many k-grams, the root of `_LARGEST`

_SHORT, _FREQUENT = 1 << 13, 8
"""A sequence of at most `_SHORT` elements has bits for each element, which takes 4 MB. In a longer sequence, only
elements with at least `_FREQUENT` occurrences have bits, which takes up to 67 MB instead of 270."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The representation and k of some k-grams, and the weight of each."""

    representation: Representation
    k: int
    weight: float


@dataclass(frozen=True, slots=True)
class InCommon:
    """How many k-grams two files share in the same order (`common`), and how many each of them has."""

    measure: Measure
    common: int
    own: int
    other: int


def measures(tokens: int) -> tuple[Measure, ...]:
    """The measures that compare a file of `tokens` tokens: pairs of neighboring tokens.

    The pairs of `exact` and `renamed` together tell copies of a long file from programs that do the same. In a short
    file the pairs of `p_match` count more: compilers and decompilers leave little else
    (benchmarks/notes/effectiveness.md).
    """
    length = min(1.0, tokens / LONG_FILE)
    possible = (
        Measure(Representation.RENAMED, 2, length),
        Measure(Representation.EXACT, 2, length),
        Measure(Representation.P_MATCH, 2, 1.0 - length),
        Measure(Representation.TEXT, SCHEMES[Representation.TEXT].k, 1.0),
    )
    return tuple(measure for measure in possible if measure.weight)


def dice(shared: Iterable[InCommon]) -> float:
    """Twice the shared weight divided by the weight of both files, 0 to 1 (Dice). If one file contains the other and is
    three times as long, the result is 0.5.
    """
    parts = list(shared)
    both = sum(part.measure.weight * (part.own + part.other) for part in parts)
    return sum(part.measure.weight * 2 * part.common for part in parts) / both if both else 0.0


class Original:
    """A file that is compared with many others."""

    def __init__(self, document: DocumentTokens, chosen: Sequence[Measure] | None = None) -> None:
        self._document = document
        self._measures = measures(len(document.numbered)) if chosen is None else chosen
        self._places: dict[Measure, Places] = {}

    def shared(self, other: DocumentTokens) -> tuple[InCommon, ...]:
        """What the file has in common with another file, by each measure."""
        return tuple(self._shared(measure, other) for measure in self._measures)

    def _shared(self, measure: Measure, other: DocumentTokens) -> InCommon:
        own = self._document.grams(measure.representation, measure.k)
        theirs = other.grams(measure.representation, measure.k)
        sizes = len(own.hashes), len(theirs.hashes)
        if sizes[0] * sizes[1] > _LARGEST:
            grams = uniform_grams(self._document, measure.representation, measure.k)
            common = int(uniform_chain(grams, theirs).score)
        elif sizes[0] > _KEPT:
            # `Places` is made of the other document, which is shorter. The result is the same for both choices.
            common = common_subsequence(Places(theirs.hashes.tolist()), own.hashes.tolist())
        else:
            if measure not in self._places:
                self._places[measure] = Places(own.hashes.tolist())
            common = common_subsequence(self._places[measure], theirs.hashes.tolist())
        return InCommon(measure, common, *sizes)


def uniform_grams(document: DocumentTokens, representation: Representation, k: int) -> Grams:
    """The k-grams of a document, each of weight 1."""
    grams = document.grams(representation, k)
    return Grams(k, grams.hashes, grams.positions, np.ones(len(grams.hashes)), len(document.numbered))


def uniform_chain(grams: Grams, theirs: KGrams) -> Chain:
    """The longest chain of a file's `uniform_grams` and the k-grams of another file."""
    indices, numbers = grams.matches(theirs.hashes)
    query, document = grams.pairs(numbers, theirs.positions[indices], often=TABLE)
    weight, chosen = heaviest_chain(query, np.ones(len(query)))
    return Chain(grams.k, weight, query[chosen], document[chosen])


class Places:
    """The positions of each element of a sequence, stored as bits of one number per element. In a long sequence, the
    positions of `rare` elements are lists instead.
    """

    def __init__(self, sequence: Sequence[int]) -> None:
        self.length = len(sequence)
        self.rare = by_key((element, position) for position, element in enumerate(sequence))
        least = 1 if self.length <= _SHORT else _FREQUENT
        kept = [element for element, positions in self.rare.items() if len(positions) >= least]
        self.bits = {element: bits(self.rare.pop(element)) for element in kept}


def bits(positions: Iterable[int]) -> int:
    """A number with a bit at each of these positions."""
    number = 0
    for position in positions:
        number |= 1 << position
    return number


def common_subsequence(places: Places, other: Iterable[int]) -> int:
    """The length of the longest common subsequence, with one addition of long numbers for each element of `other`.

    Hyyro, "Bit-parallel LCS-length computation revisited", 2004: a bit is 0 if the table's row grows by one there.
    """
    everything = (1 << places.length) - 1
    row = everything
    for element in other:
        at = places.bits.get(element)
        if at is None:
            if element not in places.rare:
                continue
            at = bits(places.rare[element])
        matched = row & at
        row = ((row + matched) | (row - matched)) & everything
    return places.length - row.bit_count()
