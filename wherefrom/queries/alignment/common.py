"""What a document has in common with a whole query, of which each of its windows takes its part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wherefrom import _kernel
    from wherefrom.model import Representation
    from wherefrom.queries.alignment.aligning import Document, Shared
    from wherefrom.queries.preparation.query import WindowGrams


class Common:
    """The k-grams that a document has in common with a query, by the `lookup` of any window. A document is a candidate
    of several windows, which overlap: so it is read once, and not for each of them.
    """

    def __init__(self, document: Document, lookup: WindowGrams) -> None:
        native = kernel.active()
        whole = lookup.whole or lookup
        self._native: _kernel.Common | None = None
        self._shared: dict[Representation, tuple[NDArray[np.uint32], NDArray[np.uint32]]] = {}
        if native is not None:
            self._native = native.common(document.blob.tokens, whole.sought)
            return
        for representation, (positions, numbers) in document.shared(whole).items():
            self._shared[representation] = positions.astype(np.uint32), numbers.astype(np.uint32)

    def __len__(self) -> int:
        """How many k-grams of the document these are."""
        if self._native is not None:
            return len(self._native)
        return sum(len(positions) for positions, _ in self._shared.values())

    def within(self, lookup: WindowGrams) -> Shared:
        """What the document shares with a window, as `Document.shared` gives it."""
        if self._native is not None:
            both = zip(lookup.grams, kernel.arrays(self._native.within(lookup.window)), strict=True)
            return {representation: found for representation, found in both if len(found[0])}
        parts = ((key, _part(*found, lookup.places[key])) for key, found in self._shared.items())
        return {representation: found for representation, found in parts if len(found[0])}


def _part(
    positions: NDArray[np.uint32], numbers: NDArray[np.uint32], places: NDArray[np.uint32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Those k-grams whose hash has one of these places among those of the whole query, with its number among them."""
    if not len(places):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    nearest = np.minimum(places.searchsorted(numbers), len(places) - 1)
    inside = places[nearest] == numbers
    return positions[inside].astype(np.int64), nearest[inside]
