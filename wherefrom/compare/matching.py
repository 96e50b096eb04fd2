"""Two files aligned token by token: what matches, wherever it is, and what that weighs."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.fingerprints import sample
from wherefrom.analyzers.hashing import mix
from wherefrom.analyzers.representations import kept_names
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.compare.counting import weight_of
from wherefrom.model import INDEXED, Candidate, Representation
from wherefrom.queries.alignment import Alignment, Chain, Document
from wherefrom.queries.chains import longest_runs
from wherefrom.queries.prepare import ALIGNED, boilerplate_mask
from wherefrom.queries.regions import Run, Sides, aligned_runs, ordered_runs
from wherefrom.queries.resemblance import uniform_grams

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from wherefrom.analyzers.representations import KGrams
    from wherefrom.compare.counting import Frequencies
    from wherefrom.model import BoilerplateSet, Hashes, StoredBlob
    from wherefrom.queries.chains import Grams

OFTEN = 64
"""Pairs of one k-gram beyond which they are banded: a table has thousands that are alike."""

KEPT = 512
"""Files whose k-grams are held at a time: about a megabyte each, for a file of a thousand lines."""


_NONE = np.zeros(0, np.uint64)


@dataclass(frozen=True, slots=True)
class Ignored:
    """What counts for nothing in every file.

    Attributes:
        sets: template code and boilerplate sets.
        common: terms that are in too many submissions, ascending, by representation.
    """

    sets: Sequence[BoilerplateSet]
    common: Mapping[Representation, Hashes]

    def mask(self, text: Text) -> NDArray[np.bool_]:
        """Which tokens of a file are boilerplate."""
        masked = boilerplate_mask(text.document.stream, self.sets)
        for representation in (Representation.EXACT, Representation.TEXT):
            masked |= text.stretches_of(representation, self.common.get(representation, _NONE))
        return masked


@dataclass(frozen=True, slots=True)
class _Fingerprints:
    """The sampled k-grams of a file in one representation: where they begin, ascending, and their terms."""

    k: int
    positions: NDArray[np.int64]
    terms: Hashes


class Text:
    """A file ready to be compared; what is derived from its tokens is computed once."""

    def __init__(self, stored: StoredBlob, ignored: Ignored) -> None:
        self.document = Document(Candidate(0.0, stored))
        self._ignored = ignored
        self._grams: dict[Representation, Grams] = {}

    @cached_property
    def masked(self) -> NDArray[np.bool_]:
        """Which of its tokens count for nothing."""
        return self._ignored.mask(self)

    @cached_property
    def kept_names(self) -> NDArray[np.bool_]:
        """Which of its names `renamed` keeps."""
        return kept_names(self.document.stream)

    def grams(self, representation: Representation, k: int) -> Grams:
        """Its k-grams of unmasked tokens, as the side in which others are looked up."""
        if representation not in self._grams:
            grams = uniform_grams(self.document, representation, k)
            self._grams[representation] = grams.without(self.masked) if self.masked.any() else grams
        return self._grams[representation]

    def all_grams(self, representation: Representation, k: int) -> KGrams:
        """All its k-grams, as the side that is looked up."""
        return self.document.grams(representation, k)

    @cached_property
    def fingerprints(self) -> Mapping[Representation, _Fingerprints]:
        """Its sampled k-grams, whose terms the index has."""
        found = {}
        for representation in INDEXED:
            scheme = SCHEMES[representation]
            grams = self.document.grams(representation, scheme.k)
            if len(grams.hashes):
                kept = sample(grams, scheme)
                terms = mix(grams.hashes[kept]) >> np.uint64(64 - scheme.term_bits)
                found[representation] = _Fingerprints(scheme.k, grams.positions[kept], terms)
        return found

    def stretches_of(self, representation: Representation, wanted: Hashes) -> NDArray[np.bool_]:
        """The tokens in sampled k-grams of some terms (ascending), and between two such ones that are neighbors: there
        the sampler has kept nothing else.
        """
        inside = np.zeros(len(self.document.stream), np.bool_)
        found = self.fingerprints.get(representation)
        if found is None or not len(wanted):
            return inside
        near = np.minimum(np.searchsorted(wanted, found.terms), len(wanted) - 1)
        held = wanted[near] == found.terms
        edges = np.flatnonzero(np.diff(held, prepend=False, append=False)).reshape(-1, 2)
        for first, end in edges.tolist():
            inside[found.positions[first] : found.positions[end - 1] + found.k] = True
        return inside


class Library:
    """The files of a comparison, the ones used last held ready.

    Args:
        blobs: the contents, by id.
        ignored: what counts for nothing.
        kept: files that are held.
    """

    def __init__(self, blobs: Mapping[str, StoredBlob], ignored: Ignored, kept: int = KEPT) -> None:
        self._blobs, self._ignored, self._kept = blobs, ignored, kept
        self._texts: OrderedDict[str, Text] = OrderedDict()

    def text(self, blob: str) -> Text:
        """A file by its blob."""
        if blob in self._texts:
            self._texts.move_to_end(blob)
            return self._texts[blob]
        text = self._texts[blob] = Text(self._blobs[blob], self._ignored)
        if len(self._texts) > self._kept:
            self._texts.popitem(last=False)
        return text


def matching_runs(left: Text, right: Text, *, least: int) -> list[Run]:
    """What two files share: runs of which none overlaps another on either side, in the order of the left one, wherever
    they are in the right one.

    The heaviest stretches of neighboring k-grams come first, in whatever order they are: moved code is found as well.

    Args:
        left: a file.
        right: another one.
        least: tokens of the shortest run.
    """
    chains = {}
    for representation, k in ALIGNED.items():
        grams = left.grams(representation, k)
        theirs = right.all_grams(representation, k)
        indices, numbers = grams.matches(theirs.hashes)
        if not len(indices):
            continue
        pairs = grams.pairs(numbers, theirs.positions[indices], often=OFTEN)
        weight, chosen = longest_runs(pairs, np.ones(len(pairs)))
        query = pairs.query[chosen]
        chains[representation] = Chain(grams.k, weight, query, pairs.document[chosen], len(chosen), len(chosen))
    if not chains:
        return []
    runs = ordered_runs(sides(left, right), aligned_runs(Alignment(0.0, chains)), left.masked)
    if right.masked.any():
        runs = [part for run in runs for part in _unmasked_there(run, right.masked)]
    return [run for run in runs if run.end - run.begin >= least]


def sides(left: Text, right: Text) -> Sides:
    """Two files as the sides of regions."""
    return Sides(left.document.stream, right.document.stream, left.kept_names, right.kept_names)


def _unmasked_there(run: Run, masked: NDArray[np.bool_]) -> list[Run]:
    """The parts of a run between masked tokens of the right file."""
    there = masked[run.begin + run.shift : run.end + run.shift]
    edges = np.flatnonzero(np.diff(~there, prepend=False, append=False)).reshape(-1, 2) + run.begin
    return [Run(run.shift, begin, end, run.representation) for begin, end in edges.tolist()]


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a run weighs; see `results.MatchedRegion`."""

    weight: float
    rarity: float
    submissions: int


def weigh(left: Text, run: Run, frequencies: Mapping[Representation, Frequencies]) -> Weighed:
    """What a run weighs by the terms of the left file that lie inside it and that other submissions have too.

    Args:
        left: the file.
        run: what it shares with another one.
        frequencies: of the terms that several submissions have.
    """
    counts = []
    total = 0
    for representation, found in left.fingerprints.items():
        first, end = np.searchsorted(found.positions, (run.begin, run.end - found.k + 1)).tolist()
        if first < end:
            known = frequencies[representation]
            total = known.total
            held = known.of(found.terms[first:end])
            counts.append(held[held > 0])
    submissions = np.concatenate([np.zeros(0, np.int64), *counts])
    if not len(submissions):
        return Weighed(0.0, 0.0, 0)
    weights = weight_of(submissions, total)
    rarest = float(weight_of(np.array([2]), total)[0])
    weight = float(weights.sum())
    return Weighed(weight, min(1.0, weight / len(weights) / rarest) if rarest else 0.0, int(np.median(submissions)))
