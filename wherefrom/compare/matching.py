"""Two files aligned token by token: what matches, wherever it is, and what that weighs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import kernel
from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import are_among, distinct, term_of
from wherefrom.analyzers.representations import kept_names
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.compare.counting import Frequencies, weight_of
from wherefrom.engines.terms import shortened
from wherefrom.fitted import MANY, PROSE
from wherefrom.model import INDEXED, TERM_BITS, BoilerplateSet, Candidate, Hashes, Representation, StoredBlob
from wherefrom.queries.alignment.aligning import Document
from wherefrom.queries.alignment.chains import BAND, Grams
from wherefrom.queries.alignment.runs import Run, Sides
from wherefrom.queries.preparation.preparing import boilerplate_mask
from wherefrom.queries.preparation.query import ALIGNED as ALIGNED_IN_SEARCH

if TYPE_CHECKING:
    from wherefrom import _kernel

ALIGNED: Mapping[Representation, int] = {
    **ALIGNED_IN_SEARCH,
    Representation.EXACT: ALIGNED_IN_SEARCH[Representation.RENAMED],
}
"""k of the k-grams whose runs are regions, as in a search; the same for `exact` and `renamed`. Those of `p_match` are
longer: unrelated modules have dozens of shapes of 12 tokens in common."""

KEPT = 256
"""Files whose k-grams are held at a time: about a megabyte each, for a file of a thousand lines."""

_NONE = np.zeros(0, np.uint64)
_NO_PLACES = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Ignored:
    """What counts for nothing in every file.

    Attributes:
        sets: template code and boilerplate sets.
        common: terms that are in too many submissions, ascending, by representation.
        holders: the blobs that have several of these.
    """

    sets: Sequence[BoilerplateSet] = ()
    common: Mapping[Representation, Hashes] = field(default_factory=dict)
    holders: Collection[str] = frozenset()

    def mask(self, text: ComparedText) -> NDArray[np.bool_]:
        """Which tokens of a file are boilerplate."""
        masked = np.zeros(len(text.document.numbered), np.bool_)
        if self.sets:
            masked |= boilerplate_mask(text.document.stream, self.sets)
        commonly = (Representation.EXACT, Representation.TEXT) if text.document.blob.blob in self.holders else ()
        for representation in commonly:
            masked |= text.stretches_of(representation, self.common.get(representation, _NONE))
        return masked


@dataclass(frozen=True, slots=True)
class _Fingerprints:
    """The sampled k-grams of a file in one representation: where they begin, ascending, and their terms."""

    k: int
    positions: NDArray[np.int64]
    terms: Hashes


@dataclass(frozen=True, slots=True)
class _SharedTerms:
    """The sampled k-grams whose terms other submissions have too: where they begin, ascending, and what those before
    each weigh (one entry more, for all).
    """

    k: int
    positions: NDArray[np.int64]
    weights_before: NDArray[np.float64]


class ComparedText:
    """A file ready to be compared; what is derived from its tokens is computed once."""

    def __init__(self, stored: StoredBlob, ignored: Ignored, term_bits: int = TERM_BITS) -> None:
        self.document = Document(Candidate(0.0, stored))
        self._term_bits = term_bits
        self._ignored = ignored
        self._grams: dict[Representation, Grams] = {}
        self._shared: dict[Representation, _SharedTerms] | None = None

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
            self._grams[representation] = self._kept_grams(representation, k)
        return self._grams[representation]

    def _kept_grams(self, representation: Representation, k: int) -> Grams:
        tokens = len(self.document.numbered)
        if representation is Representation.EXACT and not self._rows.any():
            return Grams(k, _NONE, _NO_PLACES, np.zeros(0), tokens)
        found = self.document.grams(representation, k)
        weights = np.ones(len(found.hashes))
        if representation is Representation.EXACT:
            weights[~self._rows] = 0.0
        elif representation is Representation.RENAMED:
            weights[self._rows] = 0.0
        elif representation is Representation.P_MATCH:
            weights[_is_repeated(found.hashes)] = 0.0
        if self.masked.any():
            before = np.concatenate(([0], np.cumsum(self.masked)))
            weights[before[found.positions + k] > before[found.positions]] = 0.0
        return Grams(k, found.hashes, found.positions, weights, tokens)

    @cached_property
    def _rows(self) -> NDArray[np.bool_]:
        """Which k-grams are rows of a table: there the tokens themselves have to agree. Everywhere else `renamed`
        k-grams agree wherever `exact` ones do, but for what is beside them.
        """
        return _is_repeated(self.document.grams(Representation.RENAMED, ALIGNED[Representation.RENAMED]).hashes)

    @cached_property
    def comparable(self) -> _kernel.Comparable | None:
        """It for the kernel, None where that is not used."""
        native = kernel.active()
        rules = {"repeated": MANY, "often": MANY, "band": BAND, "prose": PROSE}
        return None if native is None else native.comparable(self.document.numbered, self.masked, ALIGNED, **rules)

    @cached_property
    def fingerprints(self) -> Mapping[Representation, _Fingerprints]:
        """Its sampled k-grams, whose terms the index has."""
        native = kernel.active()
        if native is not None:
            return {
                representation: _Fingerprints(SCHEMES[representation].k, positions, shortened(terms, self._term_bits))
                for representation, (positions, terms) in native.fingerprints(self.document.numbered).items()
            }
        found = {}
        for representation in INDEXED:
            scheme = SCHEMES[representation]
            grams = sampled_kgrams(self.document.symbols, scheme)
            if len(grams.hashes):
                kept = sample(grams, scheme)
                terms = shortened(term_of(grams.hashes[kept]), self._term_bits)
                found[representation] = _Fingerprints(scheme.k, grams.positions[kept], terms)
        return found

    def shared(self, frequencies: Mapping[Representation, Frequencies]) -> Mapping[Representation, _SharedTerms]:
        """Those of its fingerprints whose terms other submissions have too."""
        if self._shared is None:
            self._shared = {}
            for representation, found in self.fingerprints.items():
                submissions = frequencies[representation].of(found.terms)
                is_shared = submissions > 0
                weights = weight_of(submissions[is_shared], frequencies[representation].total)
                self._shared[representation] = _SharedTerms(
                    found.k, found.positions[is_shared], np.concatenate(([0.0], np.cumsum(weights)))
                )
        return self._shared

    def stretches_of(self, representation: Representation, wanted: Hashes) -> NDArray[np.bool_]:
        """The tokens in sampled k-grams of some terms (ascending), and between two such ones that are neighbors: there
        the sampler has kept nothing else.
        """
        inside = np.zeros(len(self.document.numbered), np.bool_)
        found = self.fingerprints.get(representation)
        if found is None or not len(wanted):
            return inside
        near = np.minimum(np.searchsorted(wanted, found.terms), len(wanted) - 1)
        is_wanted = wanted[near] == found.terms
        edges = np.flatnonzero(np.diff(is_wanted, prepend=False, append=False)).reshape(-1, 2)
        for first, end in edges.tolist():
            inside[found.positions[first] : found.positions[end - 1] + found.k] = True
        return inside


def _is_repeated(hashes: Hashes) -> NDArray[np.bool_]:
    """Which k-grams occur more than `MANY` times among them."""
    ordered = np.sort(hashes)
    often = distinct(ordered[MANY:][ordered[MANY:] == ordered[: max(len(ordered) - MANY, 0)]])
    return are_among(hashes, often)


def matching_runs(left: ComparedText, right: ComparedText, *, least: int) -> list[Run]:
    """What two files share: runs of which none overlaps another on either side, in the order of the left one, wherever
    they are in the right one.

    K-grams that are neighbors on both sides are a stretch, whatever their representation. The longest stretches are
    taken first, in whatever order they are, so moved code is found as well (greedy string tiling: Wise 1993).

    Args:
        left: a file.
        right: another one.
        least: tokens of the shortest run of code; one of prose has `PROSE` times as many letters.
    """
    native, ours, theirs = kernel.active(), left.comparable, right.comparable
    if native is not None and ours is not None and theirs is not None:
        runs = native.matching_runs(ours, theirs, least)
        return [Run(shift, begin, end, Representation.P_MATCH) for shift, begin, end in runs]
    stretches = _joined([_stretches(left, right, representation, k) for representation, k in ALIGNED.items()])
    lengths = stretches.ends - stretches.begins
    order = np.lexsort((stretches.shifts, stretches.begins, -lengths))
    order = order[lengths[order] >= least]
    # For each token whether it can be in no run (any longer): at first those that count for nothing.
    here, there = bytearray(left.masked.tobytes()), bytearray(right.masked.tobytes())
    is_prose = left.document.stream.classes == TokenClass.CHARACTER
    found = []
    columns = (stretches.shifts[order], stretches.begins[order], stretches.ends[order])
    for shift, begin, end in zip(*(column.tolist() for column in columns), strict=True):
        if here.count(0, begin, end) < least or there.count(0, begin + shift, end + shift) < least:
            continue
        first, last = _free(here, there, shift, begin, end)
        if last - first >= least * (PROSE if is_prose[begin] else 1):
            here[first:last] = there[first + shift : last + shift] = b"\1" * (last - first)
            found.append(Run(shift, first, last, Representation.P_MATCH))
    return sorted(found, key=lambda run: run.begin)


def runs_from_lines(left: ComparedText, right: ComparedText, *, least: int) -> list[Run]:
    """The matching runs, which do not begin with the punctuation at the end of a line whose other tokens differ: a `)`
    that two statements happen to end with is not a part of what follows. A run keeps at least `least` tokens.
    """
    one, other = left.document.stream, right.document.stream
    runs = []
    for run in matching_runs(left, right, least=least):
        begin, end = run.begin, run.end
        strays = max(_strays(one, begin, end), _strays(other, begin + run.shift, end + run.shift))
        runs.append(replace(run, begin=begin + strays) if 0 < strays <= end - begin - least else run)
    return runs


def _strays(stream: TokenStream, begin: int, end: int) -> int:
    """How many tokens a run has of a line that begins before it, if these are symbols alone and the run goes on."""
    line = stream.start_lines[begin]
    if begin == 0 or stream.end_lines[begin - 1] != line:
        return 0
    at = begin
    while at < end and stream.start_lines[at] == line and stream.classes[at] == TokenClass.SYMBOL:
        at += 1
    return at - begin if at < end and stream.start_lines[at] != line else 0


def unmasked_runs(text: ComparedText) -> list[Run]:
    """What a file shares with a copy of it: all but what counts for nothing."""
    edges = np.flatnonzero(np.diff(~text.masked, prepend=False, append=False)).reshape(-1, 2)
    return [Run(0, begin, end, Representation.EXACT) for begin, end in edges.tolist()]


@dataclass(frozen=True, slots=True)
class _Stretches:
    """Stretches of two files that match: the left tokens `begins` to `ends` (half-open) match the right ones that many
    tokens further on (`shifts`); int64.
    """

    shifts: NDArray[np.int64]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]


def _stretches(left: ComparedText, right: ComparedText, representation: Representation, k: int) -> _Stretches:
    """The single k-grams that both have."""
    grams = left.grams(representation, k)
    if not len(grams.hashes):
        return _Stretches(_NO_PLACES, _NO_PLACES, _NO_PLACES)
    theirs = right.document.grams(representation, k)
    indices, numbers = grams.matches(theirs.hashes)
    pairs = grams.pairs(numbers, theirs.positions[indices], often=MANY)
    return _Stretches(pairs.document - pairs.query, pairs.query, pairs.query + k)


def _joined(parts: Sequence[_Stretches]) -> _Stretches:
    """Stretches, where those of one diagonal that overlap or touch are one."""
    shifts = np.concatenate([part.shifts for part in parts])
    begins = np.concatenate([part.begins for part in parts])
    ends = np.concatenate([part.ends for part in parts])
    order = np.lexsort((begins, shifts))
    shifts, begins, ends = shifts[order], begins[order], ends[order]
    if not len(shifts):
        return _Stretches(shifts, begins, ends)
    # All k-grams of one diagonal in order: where one begins behind all before it, a new stretch begins.
    diagonals = np.cumsum(np.diff(shifts, prepend=shifts[0]) != 0)
    offset = diagonals * (int(ends.max()) + 1)
    reached = np.maximum.accumulate(ends + offset)
    is_first = np.ones(len(shifts), np.bool_)
    is_first[1:] = begins[1:] + offset[1:] > reached[:-1]
    firsts = np.flatnonzero(is_first)
    lasts = np.append(firsts[1:], len(shifts)) - 1
    return _Stretches(shifts[firsts], begins[firsts], reached[lasts] - offset[lasts])


def _free(here: bytearray, there: bytearray, shift: int, begin: int, end: int) -> tuple[int, int]:
    """The longest part of a stretch that no token is taken of on either side; an empty one where there is none."""
    if here.find(1, begin, end) < 0 and there.find(1, begin + shift, end + shift) < 0:
        return begin, end
    taken = np.frombuffer(here, np.uint8, end - begin, begin) | np.frombuffer(
        there, np.uint8, end - begin, begin + shift
    )
    # Between two taken tokens, or an end, is a free part.
    longest = max(taken.tobytes().split(b"\1"), key=len)
    first = begin + (b"\1" + taken.tobytes() + b"\1").find(b"\1" + longest + b"\1")
    return first, first + len(longest)


def sides(left: ComparedText, right: ComparedText) -> Sides:
    """Two files as the sides of regions."""
    return Sides(left.document.stream, right.document.stream, left.kept_names, right.kept_names)


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a run weighs; see `results.MatchedRegion`."""

    weight: float
    rarity: float
    submissions: int


def weigh(
    left: ComparedText, runs: Sequence[Run], frequencies: Mapping[Representation, Frequencies]
) -> tuple[Weighed, ...]:
    """What runs weigh by the terms of the left file that lie inside them and that other submissions have too."""
    begins = np.array([run.begin for run in runs])
    ends = np.array([run.end for run in runs])
    weights, counts = np.zeros(len(runs)), np.zeros(len(runs), np.int64)
    for shared in left.shared(frequencies).values():
        first, end = np.searchsorted(shared.positions, (begins, ends - shared.k + 1))
        end = np.maximum(end, first)
        weights += shared.weights_before[end] - shared.weights_before[first]
        counts += end - first
    total = frequencies[Representation.EXACT].total
    rarest = float(weight_of(np.array([2]), total)[0])
    means = weights / np.maximum(counts, 1)
    # What the weight is of, solved for the number of submissions.
    submissions = np.where(counts > 0, np.maximum(2, np.rint((total + 1) / np.exp(means) - 0.5)), 0)
    columns = (weights, np.minimum(1.0, means / rarest), submissions)
    return tuple(
        Weighed(weight, rarity, int(number))
        for weight, rarity, number in zip(*(column.tolist() for column in columns), strict=True)
    )
