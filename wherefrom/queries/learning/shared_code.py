"""Stretches of code and prose that many families of repositories hold."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import distinct, mix
from wherefrom.analyzers.references import Kind, load_references, scope
from wherefrom.analyzers.representations import KGrams, kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import Symbols, TokenStream, decode, decode_symbols
from wherefrom.engines.engine import Engine
from wherefrom.fitted import FEW_LINES, NOTICE, PART, PROSE
from wherefrom.model import Hashes, Representation, StoredBlob
from wherefrom.queries.learning.families import LearnedContent
from wherefrom.queries.spans import covered, stretches

LEAST_TOKENS = {Representation.EXACT: FEW_LINES, Representation.TEXT: FEW_LINES * PROSE}
"""The shortest stretch, in tokens (of prose: characters). Below that, what many repositories share is idiom."""

MOST_STRETCHES, MOST_KGRAMS = 200_000, 1 << 24
"""Distinct stretches, and k-grams in them, that are kept to be compared: about 300 MB."""

BATCH = 256
"""Contents that are asked of an engine at once."""

_SAMPLED = 0.25
"""Fingerprints of `exact` and `text` for each token, and a little more."""

LEAST_BITS, MOST_BITS = 16, 26
"""Of the number of cells: at most 67 million, 400 MB."""

_FINE_BITS = 25


class FamilyCounts:
    """Counts families by cells, 6 bytes each, twice as many as hashes are `expected`. Hashes of one cell are counted
    together: a count is never too small, and seldom too large while there are fewer distinct hashes than cells.
    """

    def __init__(self, expected: int, most_bits: int = MOST_BITS) -> None:
        bits = min(max(LEAST_BITS, (2 * expected).bit_length()), most_bits)
        self._shift = np.uint64(64 - bits)
        self._counts = np.zeros(1 << bits, np.uint16)
        self._last = np.zeros(1 << bits, np.uint32)

    def add(self, family: int, hashes: Hashes) -> None:
        """Hashes of a family, in any number of calls; all of one family before those of the next."""
        cells = distinct(self._cells(hashes))
        cells = cells[self._last[cells] != family + 1]
        self._last[cells] = family + 1
        self._counts[cells] += self._counts[cells] < np.iinfo(np.uint16).max

    def of(self, hashes: Hashes) -> NDArray[np.uint16]:
        """The count of each hash."""
        return self._counts[self._cells(hashes)]

    def _cells(self, hashes: Hashes) -> Hashes:
        return mix(hashes) >> self._shift


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stretch is in a content: tokens half-open, 0-based; lines inclusive, 1-based."""

    content: LearnedContent
    begin: int
    end: int
    start_line: int
    end_line: int


@dataclass(slots=True)
class Stretch:
    """A distinct stretch and what is known of its places.

    Attributes:
        representation: `exact` for code, `text` for prose.
        hashes: its distinct k-grams, ascending.
        places: one for each of the contents that hold it; `size` bytes in all.
        licenses: those that are named in it or of whose file it is part, each with the number of contents.
    """

    representation: Representation
    hashes: Hashes
    places: list[Place] = field(default_factory=list)
    size: int = 0
    licenses: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Stretches that share most of their k-grams; the first is the one in most families, then the longest."""

    stretches: tuple[Stretch, ...]

    @property
    def families(self) -> set[int]:
        """The families that hold one of them."""
        return {family for each in self.stretches for at in each.places for family in at.content.families}

    @property
    def contents(self) -> dict[str, LearnedContent]:
        """The contents that hold one of them, by blob."""
        return {at.content.blob: at.content for each in self.stretches for at in each.places}


@dataclass(frozen=True, slots=True)
class Stretches:
    """What was found, and whether everything fitted in memory."""

    clusters: list[Cluster]
    complete: bool


Step = Callable[[str, int], None]
"""Told the stage and how many contents are done in it."""


def shared_stretches(engine: Engine, contents: Sequence[LearnedContent], least: int, step: Step) -> Stretches:
    """The stretches all of whose k-grams at least so many families hold, and what belongs together of them.

    Three passes over the stored tokens bound memory: families are counted for the winnowed k-grams (at most 400 MB of
    cells), then for all k-grams around those that many have (at most 200 MB), then the stretches are gathered.
    """
    coarse = FamilyCounts(int(engine.stats().tokens * _SAMPLED))
    for family, _, blob in _by_family(engine, contents, "counting", step):
        for _, grams, kept in _sampled(blob):
            coarse.add(family, grams.hashes[kept])
    fine = FamilyCounts(engine.stats().tokens, _FINE_BITS)
    hot: set[str] = set()
    for family, content, blob in _by_family(engine, contents, "narrowing", step):
        for representation, grams, kept in _sampled(blob):
            around = _around(representation, grams, kept, coarse.of(grams.hashes[kept]) >= least)
            if len(around):
                fine.add(family, grams.hashes[around])
                hot.add(content.blob)
    del coarse
    found, complete = _gathered(engine, [each for each in contents if each.blob in hot], fine, least, step)
    clusters = [each for each in _joined(_clusters(found)) if len(each.families) >= least]
    return Stretches(clusters, complete)


def read(engine: Engine, contents: Iterable[LearnedContent]) -> Iterator[tuple[LearnedContent, StoredBlob]]:
    """The contents with what the index holds of them, in this order."""
    left = iter(contents)
    while batch := list(islice(left, BATCH)):
        blobs = engine.blobs([each.blob for each in batch])
        for each in batch:
            if each.blob in blobs:
                yield each, blobs[each.blob]


def unbroken(which: NDArray[np.bool_], grams: KGrams) -> Iterator[tuple[int, int]]:
    """Stretches of k-grams that follow each other and all are `which`: half-open, places in `grams`."""
    for begin, end in stretches(which).tolist():
        cuts = [at for at in grams.bounds if begin < at < end]
        yield from zip([begin, *cuts], [*cuts, end], strict=True)


def _by_family(
    engine: Engine, contents: Sequence[LearnedContent], stage: str, step: Step
) -> Iterator[tuple[int, LearnedContent, StoredBlob]]:
    members: dict[int, list[LearnedContent]] = {}
    for each in contents:
        for family in each.families:
            members.setdefault(family, []).append(each)
    done = 0
    for family, own in sorted(members.items()):
        for content, blob in read(engine, own):
            yield family, content, blob
            done += content.families[0] == family
            step(stage, done)


def _sampled(blob: StoredBlob) -> Iterator[tuple[Representation, KGrams, NDArray[np.int64]]]:
    """The k-grams that are compared, and which of them are fingerprints."""
    symbols = decode_symbols(blob.tokens).symbols()
    for representation in LEAST_TOKENS:
        scheme = SCHEMES[representation]
        grams = sampled_kgrams(symbols, scheme)
        if len(grams.hashes):
            yield representation, grams, sample(grams, scheme)


def _around(
    representation: Representation, grams: KGrams, kept: NDArray[np.int64], frequent: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """The k-grams (places in `grams`) in and next to rows of frequent fingerprints that may belong to a stretch.

    All fingerprints inside a shared run are shared, but for those less than w from its ends.
    """
    w = SCHEMES[representation].w
    rows = stretches(frequent)
    begins, ends = kept[rows[:, 0]] - w, kept[rows[:, 1] - 1] + w + 1
    long_enough = ends - begins + grams.k - 1 >= LEAST_TOKENS[representation]
    return np.flatnonzero(covered(begins[long_enough], ends[long_enough], len(grams.hashes)))


def _gathered(
    engine: Engine, contents: Sequence[LearnedContent], counts: FamilyCounts, least: int, step: Step
) -> tuple[list[Stretch], bool]:
    """The distinct stretches of these contents, and whether that is all of them."""
    found: dict[bytes, Stretch] = {}
    kgrams_held, complete = 0, True
    for done, (content, blob) in enumerate(read(engine, contents), 1):
        step("gathering", done)
        stream: TokenStream | None = None
        for representation, grams, begin, end in _stretches(blob, counts, least):
            stream = decode(blob.tokens) if stream is None else stream
            hashes = distinct(grams.hashes[begin:end])
            digest = hashlib.blake2b(hashes.tobytes(), digest_size=16).digest()
            stretch = found.get(digest)
            if stretch is None:
                if len(found) >= MOST_STRETCHES or kgrams_held + len(hashes) > MOST_KGRAMS:
                    complete = False
                    continue
                kgrams_held += len(hashes)
                stretch = found[digest] = Stretch(representation, hashes)
            first, last = int(grams.positions[begin]), int(grams.positions[end - 1]) + grams.k
            place = Place(content, first, last, int(stream.start_lines[first]), int(stream.end_lines[last - 1]))
            stretch.places.append(place)
            stretch.size += int(stream.ends[last - 1] - stream.starts[first])
            if representation is Representation.TEXT:
                stretch.licenses.update(_licenses(place, blob))
    return list(found.values()), complete


def _stretches(blob: StoredBlob, counts: FamilyCounts, least: int) -> Iterator[tuple[Representation, KGrams, int, int]]:
    """The representation, its k-grams and the half-open places in them of each stretch."""
    symbols = decode_symbols(blob.tokens).symbols()
    for representation, shortest in LEAST_TOKENS.items():
        grams = kgrams(symbols, representation, SCHEMES[representation].k)
        if not len(grams.hashes):
            continue
        for begin, end in unbroken(counts.of(grams.hashes) >= least, grams):
            if end - begin + grams.k - 1 >= shortest and _is_varied(symbols, representation, grams, begin, end):
                yield representation, grams, begin, end


def _is_varied(symbols: Symbols, representation: Representation, grams: KGrams, begin: int, end: int) -> bool:
    """Whether enough k-grams of a stretch are distinct, in code also when names and literals are forgotten."""

    def is_so(key: Representation, hashes: Hashes) -> bool:
        return len(distinct(hashes)) >= (PART if key is Representation.RENAMED else 1 / 2) * len(hashes)

    if not is_so(representation, grams.hashes[begin:end]):
        return False
    if representation is Representation.TEXT:
        return True
    tokens = slice(int(grams.positions[begin]), int(grams.positions[end - 1]) + grams.k)
    alone = Symbols(symbols.codes[tokens], symbols.classes[tokens], np.zeros(1, np.int64))
    return is_so(Representation.RENAMED, kgrams(alone, Representation.RENAMED, grams.k).hashes)


def _licenses(place: Place, blob: StoredBlob) -> set[str]:
    """The licenses that a stretch of prose is a part of, or empty text where only its file is named as one."""
    licenses = {
        each.value
        for each in load_references(blob.references).found
        if each.kind is Kind.LICENSE and place.start_line - NOTICE <= each.line <= place.end_line
    }
    return licenses or ({""} if is_license_name(place.content.path) else set())


def is_license_name(path: str) -> bool:
    """Whether a file of this name holds a license."""
    name = path.rpartition("/")[2].lower()
    return scope(path) is not None and any(word in name for word in ("licen", "copying", "copyright", "notice"))


def _clusters(stretches: Sequence[Stretch]) -> list[Cluster]:
    """Leader clustering: each stretch joins the cluster that holds most of its k-grams, or begins one."""
    if not stretches:
        return []
    ordered = sorted(stretches, key=_prominence)
    every = distinct(np.concatenate([each.hashes for each in ordered]))
    owner = np.full(len(every), -1, np.int64)
    clusters: list[list[Stretch]] = []
    for each in ordered:
        at = every.searchsorted(each.hashes)
        held = owner[at]
        owned = held[held >= 0]
        number = len(clusters)
        if 2 * len(owned) >= len(held):
            number = int(np.bincount(owned).argmax())
        if number == len(clusters):
            clusters.append([])
        clusters[number].append(each)
        owner[at[held < 0]] = number
    return [Cluster(tuple(each)) for each in clusters]


def _joined(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Clusters that are mostly in the same contents are pieces of one thing: each joins the first such one."""
    ordered = sorted(
        clusters, key=lambda it: (-sum(len(each.hashes) for each in it.stretches), _prominence(it.stretches[0]))
    )
    joined: list[list[Stretch]] = []
    contents: list[frozenset[str]] = []
    holding: dict[str, list[int]] = {}
    for cluster in ordered:
        own = frozenset(cluster.contents)
        common = Counter(number for blob in own for number in holding.get(blob, ()))
        numbers = [
            number
            for number, count in sorted(common.items())
            if 2 * count >= len(own | contents[number])
            and joined[number][0].representation is cluster.stretches[0].representation
        ]
        if numbers:
            joined[numbers[0]] += cluster.stretches
            continue
        for blob in own:
            holding.setdefault(blob, []).append(len(joined))
        joined.append([*cluster.stretches])
        contents.append(own)
    return [Cluster(tuple(each)) for each in joined]


def _prominence(stretch: Stretch) -> tuple[int, int, bytes]:
    families = {family for at in stretch.places for family in at.content.families}
    return -len(families), -len(stretch.hashes), stretch.hashes.tobytes()
