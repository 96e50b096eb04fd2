"""Finds stretches of code and prose that many families of repositories share.

A family is the forks and copies of one repository, which count once.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import distinct, mix
from wherefrom.analyzers.references import ReferenceKind, load_references, scope
from wherefrom.analyzers.representations import KGrams, kgrams
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import Symbols, TokenStream, decode, decode_symbols, without_insides
from wherefrom.engines.engine import Engine
from wherefrom.fitted import AGREEING, FEW_LINES, NOTICE, PROSE, VARIED
from wherefrom.languages import LANGUAGES
from wherefrom.model import Hashes, Representation, StoredBlob
from wherefrom.queries.spans import Flags, Numbers, covered, stretches
from wherefrom.support.chunks import batches, by_key, linked
from wherefrom.support.values import dataclass, field

_WIDELY_HELD = 32  # a content in more repositories than this does not show that they are forks of each other

_OF_NO_LANGUAGE = (
    *("gradlew.bat", "mvnw.cmd", "make.bat", "build.gradle", "settings.gradle", "makefile.in", "cmakelists.txt"),
    "dockerfile",
)
_NAMES = frozenset((*_OF_NO_LANGUAGE, *(name for language in LANGUAGES.values() for name in language.template_names)))
"""Names that frameworks and build tools give to the files that they make."""


@dataclass(frozen=True, slots=True)
class LearnedContent:
    """A distinct content: the first repository that has it, its path there, and the families that it counts for."""

    blob: str
    repository: str
    path: str
    families: tuple[int, ...]

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]


def contents_of(engine: Engine) -> list[LearnedContent]:
    """Every content that has a location, ordered by repository and path. Each takes about 500 bytes of memory.

    A content counts for the family of its first repository only: vendored copies do not show that many people write it.
    A license, or a file with the name of a template, is alike everywhere, so it counts for every family that has it.
    """
    keys = engine.repository_keys()
    first: dict[str, tuple[int, str]] = {}
    others: dict[str, set[int]] = {}
    for number, key in enumerate(keys):
        for occurrence in engine.occurrences(repository=key):
            home, _ = first.setdefault(occurrence.blob, (number, occurrence.path))
            if home != number:
                others.setdefault(occurrence.blob, set()).add(number)
    family = _families(len(keys), first, others)
    found = []
    for blob, (home, path) in first.items():
        counted = {family[home]}
        if blob in others and is_alike_everywhere(path):
            counted |= {family[number] for number in others[blob]}
        found.append(LearnedContent(blob, keys[home], path, tuple(sorted(counted))))
    return found


def families_of(contents: Iterable[LearnedContent]) -> set[int]:
    """The families that some contents count for."""
    return {family for content in contents for family in content.families}


def is_alike_everywhere(path: str) -> bool:
    """Whether a file of this name is probably the same in unrelated repositories."""
    return scope(path) is not None or is_template_name(path.rpartition("/")[2])


def is_template_name(name: str) -> bool:
    """Whether a framework, a project generator or a build tool writes files of this name."""
    return name.lower() in _NAMES


def _families(repositories: int, first: dict[str, tuple[int, str]], others: dict[str, set[int]]) -> list[int]:
    """For each repository, the number of the first repository of its family."""
    sizes = Counter(home for home, _ in first.values())
    for holders in others.values():
        sizes.update(holders)
    shared: Counter[tuple[int, int]] = Counter()
    for blob, holders in others.items():
        home, path = first[blob]
        if len(holders) < _WIDELY_HELD and not is_alike_everywhere(path):
            shared.update(combinations(sorted({home, *holders}), 2))
    forks = (
        (one, other)
        for (one, other), count in shared.items()
        if count >= AGREEING and 2 * count > min(sizes[one], sizes[other])
    )
    family = list(range(repositories))
    for members in linked(forks):
        for number in members:
            family[number] = members[0]
    return family


LEAST_TOKENS = {Representation.EXACT: FEW_LINES, Representation.TEXT: FEW_LINES * PROSE}
"""Tokens of the shortest stretch (of prose: characters). Shorter ones that many repositories share are idioms."""

MOST_STRETCHES, MOST_KGRAMS = 200_000, 1 << 24  # the most that are compared, which take about 300 MB
BATCH = 256  # the number of contents that are read from an engine at once
_SAMPLED = 0.25  # the expected number of fingerprints of `exact` and `text` for each token, with some reserve

LEAST_BITS, MOST_BITS, _FINE_BITS = 16, 26, 25
"""`FamilyCounts` has 2^bits cells. `LEAST_BITS` is the least exponent. `MOST_BITS` is the greatest for the first count
(67 million cells, 400 MB), and `_FINE_BITS` for the second count (half of that)."""


class FamilyCounts:
    """Counts in how many families a hash occurs, in a table of cells. Hashes that share a cell are counted together, so
    a count is never too small. It is seldom too large while there are fewer distinct hashes than cells. There are at
    least twice as many cells as `expected` hashes, if `most_bits` allows it; a cell takes 6 bytes.
    """

    def __init__(self, expected: int, most_bits: int = MOST_BITS) -> None:
        bits = min(max(LEAST_BITS, (2 * expected).bit_length()), most_bits)
        self._shift = np.uint64(64 - bits)
        self._counts = np.zeros(1 << bits, np.uint16)
        self._last = np.zeros(1 << bits, np.uint32)

    def add(self, family: int, hashes: Hashes) -> None:
        """Counts some hashes of a family. All calls for one family come before those for the next."""
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
class StretchPlace:
    """A place of a stretch in a content: tokens from 0, half-open; lines from 1, inclusive."""

    content: LearnedContent
    begin: int
    end: int
    start_line: int
    end_line: int


@dataclass(slots=True)
class SharedStretch:
    """A distinct stretch and its places."""

    representation: Representation  # `exact` for code, `text` for prose
    hashes: Hashes  # its distinct k-grams, ascending
    places: list[StretchPlace] = field(default_factory=list)  # one for each content that has it
    size: int = 0  # bytes of all places together
    # the licenses that it names or is part of (an unknown one is empty), each with the number of contents
    licenses: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class StretchCluster:
    """Stretches that share most of their k-grams. The first stretch is in most families; in a tie, the longest."""

    stretches: tuple[SharedStretch, ...]

    @property
    def families(self) -> set[int]:
        """The families that have one of the stretches."""
        return families_of(at.content for stretch in self.stretches for at in stretch.places)

    @property
    def contents(self) -> dict[str, str]:
        """The contents that have one of the stretches: the path of each blob."""
        return {at.content.blob: at.content.path for stretch in self.stretches for at in stretch.places}

    @property
    def size(self) -> int:
        """Bytes of all places of all stretches."""
        return sum(stretch.size for stretch in self.stretches)


Step = Callable[[str, int], None]  # reports progress: the name of the stage, and how many contents are done in it


def shared_stretches(
    engine: Engine, contents: Sequence[LearnedContent], least: int, step: Step
) -> tuple[list[StretchCluster], bool]:
    """The clusters of stretches whose k-grams at least `least` families have, and whether all of them fitted in memory.

    Three passes over the stored tokens bound memory. The first counts families for the winnowed k-grams (at most 400 MB
    of cells), the second for all k-grams around frequent ones (at most 200 MB), and the third gathers the stretches.
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
    found, complete = _gathered(engine, [content for content in contents if content.blob in hot], fine, least, step)
    return [cluster for cluster in _joined(_clusters(found)) if len(cluster.families) >= least], complete


def read(engine: Engine, contents: Iterable[LearnedContent]) -> Iterator[tuple[LearnedContent, StoredBlob]]:
    """The contents that the index has, each with its stored blob, in the given order. What is inside of literals and
    comments is left out.
    """
    for batch in batches(contents, BATCH):
        blobs = engine.blobs([content.blob for content in batch])
        for content in batch:
            if content.blob in blobs:
                yield content, without_insides(blobs[content.blob])


def unbroken(which: Flags, grams: KGrams) -> Iterator[tuple[int, int]]:
    """The longest half-open spans of k-grams that are all true in `which` and follow each other in one segment."""
    for begin, end in stretches(which).tolist():
        cuts = [at for at in grams.bounds if begin < at < end]
        yield from zip([begin, *cuts], [*cuts, end], strict=True)


def _by_family(
    engine: Engine, contents: Sequence[LearnedContent], stage: str, step: Step
) -> Iterator[tuple[int, LearnedContent, StoredBlob]]:
    members = by_key((family, content) for content in contents for family in content.families)
    done = 0
    for family, own in sorted(members.items()):
        for content, blob in read(engine, own):
            yield family, content, blob
            done += content.families[0] == family
            step(stage, done)


def _sampled(blob: StoredBlob) -> Iterator[tuple[Representation, KGrams, Numbers]]:
    symbols = decode_symbols(blob.tokens).symbols()
    for representation in LEAST_TOKENS:
        scheme = SCHEMES[representation]
        grams = sampled_kgrams(symbols, scheme)
        if len(grams.hashes):
            yield representation, grams, sample(grams, scheme)


def _around(representation: Representation, grams: KGrams, kept: Numbers, frequent: Flags) -> Numbers:
    """The indices in `grams` that may belong to a stretch: in and next to rows of frequent fingerprints.

    All fingerprints inside a shared run are shared, except those less than w from its ends.
    """
    w = SCHEMES[representation].w
    rows = stretches(frequent)
    begins, ends = kept[rows[:, 0]] - w, kept[rows[:, 1] - 1] + w + 1
    long_enough = ends - begins + grams.k - 1 >= LEAST_TOKENS[representation]
    return np.flatnonzero(covered(begins[long_enough], ends[long_enough], len(grams.hashes)))


def _gathered(
    engine: Engine, contents: Sequence[LearnedContent], counts: FamilyCounts, least: int, step: Step
) -> tuple[list[SharedStretch], bool]:
    found: dict[bytes, SharedStretch] = {}
    kept_kgrams, complete = 0, True
    for done, (content, blob) in enumerate(read(engine, contents), 1):
        step("gathering", done)
        stream: TokenStream | None = None
        for representation, grams, begin, end in _stretches(blob, counts, least):
            stream = decode(blob.tokens) if stream is None else stream
            hashes = distinct(grams.hashes[begin:end])
            digest = hashlib.blake2b(hashes.tobytes(), digest_size=16).digest()
            stretch = found.get(digest)
            if stretch is None:
                if len(found) >= MOST_STRETCHES or kept_kgrams + len(hashes) > MOST_KGRAMS:
                    complete = False
                    continue
                kept_kgrams += len(hashes)
                stretch = found[digest] = SharedStretch(representation, hashes)
            first, last = int(grams.positions[begin]), int(grams.positions[end - 1]) + grams.k
            place = StretchPlace(content, first, last, int(stream.start_lines[first]), int(stream.end_lines[last - 1]))
            stretch.places.append(place)
            stretch.size += int(stream.ends[last - 1] - stream.starts[first])
            if representation is Representation.TEXT:
                stretch.licenses.update(_licenses(place, blob))
    return list(found.values()), complete


def _stretches(blob: StoredBlob, counts: FamilyCounts, least: int) -> Iterator[tuple[Representation, KGrams, int, int]]:
    symbols = decode_symbols(blob.tokens).symbols()
    for representation, shortest in LEAST_TOKENS.items():
        grams = kgrams(symbols, representation, SCHEMES[representation].k)
        if not len(grams.hashes):
            continue
        for begin, end in unbroken(counts.of(grams.hashes) >= least, grams):
            if end - begin + grams.k - 1 >= shortest and _is_varied(symbols, representation, grams, begin, end):
                yield representation, grams, begin, end


def _is_varied(symbols: Symbols, representation: Representation, grams: KGrams, begin: int, end: int) -> bool:
    if 2 * len(distinct(grams.hashes[begin:end])) < end - begin:
        return False
    if representation is Representation.TEXT:
        return True
    tokens = slice(int(grams.positions[begin]), int(grams.positions[end - 1]) + grams.k)
    alone = Symbols(symbols.codes[tokens], symbols.classes[tokens], np.zeros(1, np.int64))
    renamed = kgrams(alone, Representation.RENAMED, grams.k).hashes
    return len(distinct(renamed)) >= VARIED * len(renamed)


def _licenses(place: StretchPlace, blob: StoredBlob) -> set[str]:
    """The licenses that a stretch of prose names or is part of. In the file of a license, that is the first one that
    the file states, since its text names others; an empty name if that is not known.
    """
    found = [it for it in load_references(blob.references).found if it.kind is ReferenceKind.LICENSE]
    if is_license_name(place.content.path):
        return {next((it.value for it in sorted(found, key=lambda it: it.line)), "")}
    return {it.value for it in found if place.start_line - NOTICE <= it.line <= place.end_line}


def is_license_name(path: str) -> bool:
    """Whether the name of a file says that it contains a license."""
    name = path.rpartition("/")[2].lower()
    return scope(path) is not None and any(word in name for word in ("licen", "copying", "copyright", "notice"))


def _clusters(stretches: Sequence[SharedStretch]) -> list[StretchCluster]:
    """Leader clustering: each stretch joins the cluster that has most of its k-grams, or begins a new one."""
    if not stretches:
        return []
    ordered = sorted(stretches, key=_prominence)
    every = distinct(np.concatenate([stretch.hashes for stretch in ordered]))
    owner = np.full(len(every), -1, np.int64)
    clusters: list[list[SharedStretch]] = []
    for stretch in ordered:
        at = every.searchsorted(stretch.hashes)
        owners = owner[at]
        owned = owners[owners >= 0]
        number = len(clusters)
        if 2 * len(owned) >= len(owners):
            number = int(np.bincount(owned).argmax())
        else:
            clusters.append([])
        clusters[number].append(stretch)
        owner[at[owners < 0]] = number
    return [StretchCluster(tuple(members)) for members in clusters]


def _joined(clusters: Sequence[StretchCluster]) -> list[StretchCluster]:
    """Joins clusters that are mostly in the same contents, since these are pieces of one larger text."""
    ordered = sorted(
        clusters, key=lambda it: (-sum(len(stretch.hashes) for stretch in it.stretches), _prominence(it.stretches[0]))
    )
    joined: list[list[SharedStretch]] = []
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
    return [StretchCluster(tuple(members)) for members in joined]


def _prominence(stretch: SharedStretch) -> tuple[int, int, bytes]:
    families = families_of(at.content for at in stretch.places)
    return -len(families), -len(stretch.hashes), stretch.hashes.tobytes()
