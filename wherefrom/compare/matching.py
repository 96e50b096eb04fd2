"""Finds the matching runs of two files, wherever they are, and weighs them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import are_among, distinct, term_of
from wherefrom.analyzers.representations import kept_names, kgrams
from wherefrom.analyzers.schemes import SCHEMES, token_scheme_ids
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.compare.counting import TermFrequencies, rarest_weight, weight_of
from wherefrom.engines.terms import shortened
from wherefrom.fitted import LONG_RUN, PROSE, RUN, TABLE
from wherefrom.model import OF_TOKENS, TERM_BITS, BoilerplateSet, Hashes, Representation, StoredBlob
from wherefrom.queries.alignment.aligning import Aligner
from wherefrom.queries.alignment.chains import Grams
from wherefrom.queries.alignment.documents import DocumentTokens
from wherefrom.queries.alignment.runs import MatchedRun, Sides
from wherefrom.queries.judging.odds import probability
from wherefrom.queries.preparation.background import Bits, background
from wherefrom.queries.preparation.preparing import boilerplate_mask
from wherefrom.queries.spans import covered, number_inside, stretches
from wherefrom.support.values import dataclass

ALIGNED: Mapping[Representation, int] = {
    Representation.EXACT: RUN,
    Representation.RENAMED: RUN,
    Representation.P_MATCH: LONG_RUN,
    Representation.TEXT: SCHEMES[Representation.TEXT].k,
}
"""k of the k-grams whose runs are regions. `p_match` has longer k-grams, because unrelated modules share dozens of
shapes of 12 tokens."""

KEPT = 256  # the k-grams of at most this many files are in memory. Those of a thousand lines take about a megabyte

_NONE = np.zeros(0, np.uint64)
_NO_PLACES = np.zeros(0, np.int64)


class ComparedText:
    """A file ready to be compared. Everything derived from its tokens is computed once."""

    def __init__(self, stored: StoredBlob, ignored: Sequence[BoilerplateSet] = (), term_bits: int = TERM_BITS) -> None:
        self.document = DocumentTokens(stored)
        self._term_bits = term_bits
        self._ignored = ignored
        self._shared: list[tuple[int, NDArray[np.int64], NDArray[np.float64]]] | None = None

    @cached_property
    def masked(self) -> NDArray[np.bool_]:
        """Marks its ignored tokens."""
        return boilerplate_mask(self.document.stream, self._ignored)

    @cached_property
    def bits(self) -> Bits:
        """The evidence in its tokens. Ignored tokens carry none."""
        return background().bits(self.document.stream, self.masked)

    @cached_property
    def aligner(self) -> Aligner:
        """All of its tokens, ready to be weighed."""
        return Aligner(self.document.stream, self.bits, 0, len(self.document.stream))

    @cached_property
    def kept_names(self) -> NDArray[np.bool_]:
        """Marks the names that `renamed` keeps."""
        return kept_names(self.document.stream)

    @cached_property
    def grams(self) -> Mapping[Representation, Grams]:
        """Its k-grams; the k-grams of another file are looked up in them."""
        grams: dict[Representation, Grams] = {}
        tokens = len(self.document.numbered)
        for representation, k in ALIGNED.items():
            if representation is Representation.EXACT and not self._rows.any():
                grams[representation] = Grams(k, _NONE, _NO_PLACES, np.zeros(0), tokens)
                continue
            found = self.document.grams(representation, k)
            weights = np.ones(len(found.hashes))
            if representation is Representation.EXACT:
                weights[~self._rows] = 0.0
            elif representation is Representation.RENAMED:
                weights[self._rows] = 0.0
            elif representation is Representation.P_MATCH:
                weights[_is_repeated(found.hashes)] = 0.0
            grams[representation] = Grams(k, found.hashes, found.positions, weights, tokens)
        return grams

    @cached_property
    def _rows(self) -> NDArray[np.bool_]:
        """Marks the k-grams whose `renamed` form is repeated often, as in rows of a table. Only these are compared as
        `exact` k-grams, the others as `renamed` ones, which match wherever `exact` ones do.
        """
        return _is_repeated(self.document.grams(Representation.RENAMED, ALIGNED[Representation.RENAMED]).hashes)

    @cached_property
    def fingerprints(self) -> Mapping[Representation, tuple[NDArray[np.int64], Hashes]]:
        """The positions of its sampled k-grams, ascending, and their terms as the index stores them."""
        found = {}
        for representation in OF_TOKENS:
            scheme = SCHEMES[representation]
            grams = sampled_kgrams(self.document.symbols, scheme)
            if len(grams.hashes):
                kept = sample(grams, scheme)
                terms = shortened(term_of(grams.hashes[kept]), self._term_bits)
                found[representation] = grams.positions[kept], terms
        return found

    def shared(
        self, frequencies: Mapping[Representation, TermFrequencies]
    ) -> list[tuple[int, NDArray[np.int64], NDArray[np.float64]]]:
        """Its fingerprints whose terms other submissions have too, by representation: k, ascending positions, and for
        each k-gram the summed weights of those before it, with a last entry for the sum of all.
        """
        if self._shared is None:
            self._shared = []
            for representation, (positions, terms) in self.fingerprints.items():
                submissions = frequencies[representation].of(terms)
                is_shared = submissions > 0
                weights = weight_of(submissions[is_shared], frequencies[representation].total)
                before = np.concatenate(([0.0], np.cumsum(weights)))
                self._shared.append((SCHEMES[representation].k, positions[is_shared], before))
        return self._shared

    def stretches_of(self, representation: Representation, wanted: Hashes) -> NDArray[np.bool_]:
        """Marks the tokens in sampled k-grams with some terms (ascending), and those between two such k-grams if the
        sampler kept nothing in between.
        """
        tokens = len(self.document.numbered)
        positions, terms = self.fingerprints.get(representation, (_NO_PLACES, _NONE))
        firsts, ends = stretches(are_among(terms, wanted)).T
        return covered(positions[firsts], positions[ends - 1] + SCHEMES[representation].k, tokens)


def common_code(texts: Iterable[ComparedText], common: Mapping[Representation, Hashes]) -> BoilerplateSet:
    """The code of some files that has `common` terms (ascending): all k-grams that are wholly in it. So a copy with
    other names is ignored as well as the code itself.
    """
    found: dict[Representation, list[Hashes]] = {representation: [_NONE] for representation in OF_TOKENS}
    for text in texts:
        stream = text.document.stream
        inside = np.zeros(len(stream), np.bool_)
        for representation in (Representation.EXACT, Representation.TEXT):
            inside |= text.stretches_of(representation, common.get(representation, _NONE))
        for representation, parts in found.items():
            grams = kgrams(stream, representation, SCHEMES[representation].k)
            parts.append(grams.hashes[number_inside(inside, grams.positions, grams.k) == grams.k])
    hashes = {representation: distinct(np.concatenate(parts)) for representation, parts in found.items()}
    return BoilerplateSet("common", (), token_scheme_ids(), hashes)


def _is_repeated(hashes: Hashes) -> NDArray[np.bool_]:
    ordered = np.sort(hashes)
    often = distinct(ordered[TABLE:][ordered[TABLE:] == ordered[: max(len(ordered) - TABLE, 0)]])
    return are_among(hashes, often)


def matching_runs(left: ComparedText, right: ComparedText, *, least: int) -> list[MatchedRun]:
    """The matching runs of two files, in the order of the left one. They do not overlap on either side.

    Matching k-grams that are neighbors on both sides form a stretch. K-grams of all representations count. The longest
    stretches are taken first, wherever they are, so moved code is found too (greedy string tiling: Wise 1993). The runs
    of a stretch are its parts without an ignored token. The longest of them has at least `least` tokens, or if it is
    prose, at least `PROSE` times as many letters; the others only lie between the same ignored code.
    """
    shared = _joined([_stretches(left, right, representation) for representation in ALIGNED])
    shifts, begins, ends = shared
    lengths = ends - begins
    order = np.lexsort((shifts, begins, -lengths))
    order = order[lengths[order] >= least]
    here, there = bytearray(len(left.masked)), bytearray(len(right.masked))  # a 1 marks a token of an earlier stretch
    is_prose = left.document.stream.classes == TokenClass.CHARACTER
    found = []
    for shift, begin, end in zip(*(column[order].tolist() for column in shared), strict=True):
        if here.count(0, begin, end) < least or there.count(0, begin + shift, end + shift) < least:
            continue
        first, last = _free(here, there, shift, begin, end)
        parts = first + stretches(~(left.masked[first:last] | right.masked[first + shift : last + shift]))
        longest = int((parts[:, 1] - parts[:, 0]).max(initial=0))
        if longest >= least * (PROSE if is_prose[begin] else 1):
            here[first:last] = there[first + shift : last + shift] = b"\1" * (last - first)
            found += [MatchedRun(shift, start, stop) for start, stop in parts.tolist()]
    return sorted(found, key=lambda run: run.begin)


def runs_from_lines(left: ComparedText, right: ComparedText, *, least: int) -> list[MatchedRun]:
    """The matching runs, without stray punctuation at their begin: a `)` that ends two different statements does not
    belong to the equal lines below them. A run keeps at least `least` tokens.
    """
    one, other = left.document.stream, right.document.stream
    runs = []
    for run in matching_runs(left, right, least=least):
        begin, end = run.begin, run.end
        strays = max(_strays(one, begin, end), _strays(other, begin + run.shift, end + run.shift))
        runs.append(run._replace(begin=begin + strays) if 0 < strays <= end - begin - least else run)
    return runs


def _strays(stream: TokenStream, begin: int, end: int) -> int:
    """The number of symbols that begin a run and end a line; 0 if the run has all of the line or other tokens of it."""
    line = stream.start_lines[begin]
    if begin == 0 or stream.end_lines[begin - 1] != line:
        return 0
    at = begin
    while at < end and stream.start_lines[at] == line and stream.classes[at] == TokenClass.SYMBOL:
        at += 1
    return at - begin if at < end and stream.start_lines[at] != line else 0


def probability_of(left: ComparedText, right: ComparedText, runs: Sequence[MatchedRun], rarity: float) -> float:
    """How probable the runs make it that the file with fewer tokens is a copy from the other one.

    The rule is that of a search (`queries.judging.odds`). `rarity` is the weight of the shared terms divided by
    ln(1 + N), for N submissions, or files of two corpora.
    """
    tokens, others = (text.bits.counted(text.document.stream) for text in (left, right))
    if tokens > others:
        left, right, tokens = right, left, others
        runs = [MatchedRun(-run.shift, run.begin + run.shift, run.end + run.shift) for run in runs]
    return probability(left.aligner.weigh(right.document.text, runs), tokens, rarity)


def unmasked_runs(text: ComparedText) -> list[MatchedRun]:
    """The runs that a file shares with a copy of itself: all tokens that are not ignored."""
    return [MatchedRun(0, begin, end) for begin, end in stretches(~text.masked).tolist()]


_Stretches: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Matching stretches of two files: shifts, begins and ends. The left tokens from begin to end (half-open) match the
right tokens that are the shift further on.
"""


def _stretches(left: ComparedText, right: ComparedText, representation: Representation) -> _Stretches:
    grams = left.grams[representation]
    if not len(grams.hashes):
        return _NO_PLACES, _NO_PLACES, _NO_PLACES
    theirs = right.document.grams(representation, grams.k)
    indices, numbers = grams.matches(theirs.hashes)
    begins, document = grams.pairs(numbers, theirs.positions[indices], often=TABLE)
    return document - begins, begins, begins + grams.k


def _joined(parts: Sequence[_Stretches]) -> _Stretches:
    shifts, begins, ends = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((begins, shifts))
    shifts, begins, ends = shifts[order], begins[order], ends[order]
    if not len(shifts):
        return shifts, begins, ends
    # Of the k-grams with the same shift, one begins a new stretch if all earlier ones end before it begins.
    diagonals = np.cumsum(np.diff(shifts, prepend=shifts[0]) != 0)
    offset = diagonals * (int(ends.max()) + 1)
    reached = np.maximum.accumulate(ends + offset)
    is_first = np.ones(len(shifts), np.bool_)
    is_first[1:] = begins[1:] + offset[1:] > reached[:-1]
    firsts = np.flatnonzero(is_first)
    lasts = np.append(firsts[1:], len(shifts)) - 1
    return shifts[firsts], begins[firsts], reached[lasts] - offset[lasts]


def _free(here: bytearray, there: bytearray, shift: int, begin: int, end: int) -> tuple[int, int]:
    """The longest part of a stretch without a taken token on either side. It may be empty."""
    if here.find(1, begin, end) < 0 and there.find(1, begin + shift, end + shift) < 0:
        return begin, end
    sides = (np.frombuffer(taken, np.uint8, end - begin, at) for taken, at in ((here, begin), (there, begin + shift)))
    taken = np.bitwise_or(*sides).tobytes()
    longest = max(taken.split(b"\1"), key=len)  # the free parts are between the taken tokens
    first = begin + (b"\1" + taken + b"\1").find(b"\1" + longest + b"\1")
    return first, first + len(longest)


def sides(left: ComparedText, right: ComparedText) -> Sides:
    """Two files as the sides of regions."""
    return Sides(left.document.stream, right.document.stream, left.kept_names, right.kept_names)


@dataclass(frozen=True, slots=True)
class Weighed:
    """The weight of a run; the fields are the same as in `results.MatchedRegion`."""

    weight: float
    rarity: float
    submissions: int


def weigh(
    left: ComparedText, runs: Sequence[MatchedRun], frequencies: Mapping[Representation, TermFrequencies]
) -> tuple[Weighed, ...]:
    """Weighs each run by the terms that the left file has inside it and that other submissions have too."""
    begins = np.array([run.begin for run in runs])
    ends = np.array([run.end for run in runs])
    weights, counts = np.zeros(len(runs)), np.zeros(len(runs), np.int64)
    for k, positions, before in left.shared(frequencies):
        first, end = np.searchsorted(positions, (begins, ends - k + 1))
        end = np.maximum(end, first)
        weights += before[end] - before[first]
        counts += end - first
    total = frequencies[Representation.EXACT].total
    means = weights / np.maximum(counts, 1)
    # The inverse of `weight_of`: the number of submissions for a weight.
    submissions = np.where(counts > 0, np.maximum(2, np.rint((total + 1) / np.exp(means) - 0.5)), 0)
    rarities = np.minimum(1.0, means / rarest_weight(total))
    columns = (weights.tolist(), rarities.tolist(), submissions.astype(np.int64).tolist())
    return tuple(map(Weighed, *columns))
