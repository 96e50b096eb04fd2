"""Counts how often fingerprints occur, by rank (the paper's Figure 4: a power law), and how many of them unrelated
repositories share. Measures density and gaps of every sampler (sections 4.1 and 5.1), on random text and on a corpus.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import samplers
from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import kgram_hashes, mix, token_code
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, inner_length
from wherefrom.lab.corpus import Corpus
from wherefrom.lab.figures import (
    CommonFingerprint,
    Frequencies,
    FrequencyResult,
    Noise,
    NoiseResult,
    SamplerFigures,
    SamplerResult,
)
from wherefrom.model import OF_TOKENS, Hashes, Representation
from wherefrom.support.positions import encoding

_ALL = (1 << 64) - 1


class HashCounts:
    """Counts how often each hash was added. With more than `limit` different hashes, counts only a sample of them.

    The sample has all hashes whose mixed value is at most `bound`, which is halved until the sample fits (FracMinHash).
    So each different hash has the same chance to be in the sample, and the samples of two counts can be compared.
    `total` counts all hashes that were added.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.bound = _ALL
        self.total = 0
        self._values: Hashes = np.empty(0, np.uint64)
        self._counts: NDArray[np.int64] = np.empty(0, np.int64)
        self._pending: list[Hashes] = []
        self._waiting = 0

    def add(self, hashes: Hashes) -> None:
        """Adds some hashes, each as often as it occurs."""
        self.total += len(hashes)
        mixed = mix(hashes)
        mixed = mixed[mixed <= np.uint64(self.bound)]
        self._pending.append(mixed)
        self._waiting += len(mixed)
        if self._waiting > self.limit // 2:
            self._merge()

    @property
    def share(self) -> float:
        """The share of the distinct hashes that are counted."""
        return (self.bound + 1) / (_ALL + 1)

    def values(self) -> tuple[Hashes, NDArray[np.int64]]:
        """The counted mixed values, ascending, and how often each was added."""
        self._merge()
        return self._values, self._counts

    def _merge(self) -> None:
        values, places = np.unique(np.concatenate([self._values, *self._pending]), return_inverse=True)
        counts = np.bincount(places, minlength=len(values))
        counts[places[: len(self._values)]] += self._counts - 1
        self._pending, self._waiting = [], 0
        while len(values) > self.limit:
            self.bound >>= 1
            values = values[: np.searchsorted(values, np.uint64(self.bound), side="right")]
        self._values, self._counts = values, counts[: len(values)]


def shared(one: HashCounts, other: HashCounts) -> float:
    """Estimates which share of the distinct hashes of `one` is also in `other`, from samples; 0 if `one` is empty."""
    bound = np.uint64(min(one.bound, other.bound))
    values = one.values()[0]
    values = values[: np.searchsorted(values, bound, side="right")]
    return float(np.isin(values, other.values()[0], assume_unique=True).mean()) if len(values) else 0.0


LIMIT = 8_000_000
"""If a representation has more different fingerprints than this, only a sample of them is counted. This many take 128
MB of memory, and twice as much while counts are merged."""

POINTS_PER_DECADE = 10

_FEWEST_POINTS = 5

COMMON = 5  # for each representation, the code of this many of the most common fingerprints is shown


def frequencies(corpus: Corpus) -> FrequencyResult:
    """The frequencies of fingerprints, and of all k-grams from which they are selected. A fingerprint that occurs
    repeatedly in a text counts each time. Parts of the corpus are read twice, to find the code of common fingerprints.
    """
    selected = {representation: HashCounts(LIMIT) for representation in SCHEMES}
    every = {representation: HashCounts(LIMIT) for representation in SCHEMES}
    for content in corpus:
        for representation, scheme in SCHEMES.items():
            grams = sampled_kgrams(content.symbols, scheme)
            if len(grams.hashes):
                selected[representation].add(grams.hashes[sample(grams, scheme)])
                every[representation].add(grams.hashes)
    size = corpus.size
    common = {representation: _most_common(counts) for representation, counts in selected.items()}
    code = _code_of(corpus, {(name, value) for name, found in common.items() for value in found})
    return FrequencyResult(
        size,
        tuple(
            _frequencies(
                name,
                counts,
                tuple(CommonFingerprint(times, code.get((name, value))) for value, times in common[name].items()),
            )
            for name, counts in selected.items()
            if counts.total
        ),
        tuple(_frequencies(name, counts) for name, counts in every.items() if counts.total),
    )


def _most_common(counts: HashCounts) -> dict[int, int]:
    values, frequency = counts.values()
    most = np.lexsort((values, -frequency))[:COMMON]
    return dict(zip(values[most].tolist(), frequency[most].tolist(), strict=True))


def _code_of(corpus: Corpus, wanted: set[tuple[Representation, int]]) -> dict[tuple[Representation, int], str]:
    """The code of the first readable place of each fingerprint, by representation and mixed hash."""
    found: dict[tuple[Representation, int], str] = {}
    for content in corpus if wanted else ():
        for representation, scheme in SCHEMES.items():
            missing = [value for name, value in wanted - found.keys() if name is representation]
            grams = sampled_kgrams(content.symbols, scheme)
            if not missing or not len(grams.hashes):
                continue
            kept = sample(grams, scheme)
            mixed = mix(grams.hashes[kept])
            for value in missing:
                for begin in grams.positions[kept][mixed == np.uint64(value)][:1].tolist():
                    if (at_hand := content.read()) is not None:
                        source, tokens = at_hand
                        code = source[tokens.starts[begin] : tokens.ends[begin + scheme.k - 1]]
                        found[representation, value] = code.decode(encoding(source), "replace")
        if len(found) == len(wanted):
            break
    return found


def _frequencies(
    representation: Representation, counts: HashCounts, common: tuple[CommonFingerprint, ...] = ()
) -> Frequencies:
    frequency = np.sort(counts.values()[1])[::-1]
    at = log_spaced(len(frequency))
    # The r-th most frequent hash of a sample has about rank r / share among all hashes.
    ranks = np.rint((at + 1) / counts.share).astype(np.int64)
    return Frequencies(
        representation=representation,
        fingerprints=counts.total,
        distinct=round(len(frequency) / counts.share),
        once=float(np.mean(frequency == 1)),
        twice=float(np.mean(frequency == 2)),
        thrice=float(np.mean(frequency == 3)),
        sampled=counts.share,
        points=tuple(zip(ranks.tolist(), frequency[at].tolist(), strict=True)),
        slope=slope(ranks, frequency[at]),
        common=common,
    )


def log_spaced(count: int) -> NDArray[np.int64]:
    """Indices below `count`, evenly spaced on a logarithmic scale, with the first and the last; without duplicates."""
    decades = np.log10(count)
    spaced = np.logspace(0, decades, max(int(decades * POINTS_PER_DECADE), 1) + 1)
    return np.unique(np.append(np.rint(spaced), count).astype(np.int64).clip(1, count)) - 1


def slope(ranks: NDArray[np.int64], frequency: NDArray[np.int64]) -> float | None:
    """The slope of the least-squares line through log frequency over log rank, for frequencies above 1. None if there
    are fewer than five of them. Frequencies of 1 form a long level tail that would bend the line.
    """
    repeated = frequency > 1
    if np.count_nonzero(repeated) < _FEWEST_POINTS:
        return None
    line = np.polynomial.Polynomial.fit(np.log(ranks[repeated]), np.log(frequency[repeated]), 1).convert()
    return float(line.coef[-1]) if len(line.coef) > 1 else 0.0


CODE_KS = (4, 6, 8, 10, 12, 16, 20, 24, 32)
TEXT_KS = (8, 16, 24, 32, 40, 48, 64)

NOISE_LIMIT = 16_384
"""At most this many different k-grams are in memory for each repository, language, representation and k. So a share of
1% is estimated from at least 64 k-grams, with an error of about an eighth."""

FEWEST = 1_000
"""A repository is compared in a language if it has at least this many different k-grams of the shortest length."""

LARGEST = 20  # at most this many repositories of a language are compared with each other: those with the most k-grams

_Counts = dict[tuple[Representation, str], dict[str, dict[int, HashCounts]]]
"""Counts of k-grams, by representation and language, then by repository, then by k."""


def noise(corpus: Corpus) -> NoiseResult:
    """Compares all repositories that have code in the same language with each other.

    A content that several repositories have counts only in the first of them, since copied files are not noise. The
    user must make sure that the repositories are unrelated otherwise.
    """
    counts: _Counts = defaultdict(lambda: defaultdict(lambda: defaultdict(lambda: HashCounts(NOISE_LIMIT))))
    for content in corpus:
        for representation, piece in content.of(OF_TOKENS):
            of_repository = counts[representation, content.language][content.repository]
            for k in TEXT_KS if representation is Representation.TEXT else CODE_KS:
                if len(hashes := kgrams(piece, representation, k).hashes):
                    of_repository[k].add(hashes)
    curves = (
        _noise(representation, language, list(counts[representation, language].values()))
        for representation in OF_TOKENS
        for language in sorted(language for of, language in counts if of is representation)
    )
    return NoiseResult(corpus.size, tuple(curve for curve in curves if curve is not None))


def _noise(
    representation: Representation, language: str, repositories: Sequence[dict[int, HashCounts]]
) -> Noise | None:
    ks = TEXT_KS if representation is Representation.TEXT else CODE_KS
    enough = [of for of in repositories if _distinct(of, ks[0]) >= FEWEST]
    enough = sorted(enough, key=lambda of: -_distinct(of, ks[0]))[:LARGEST]
    if len(enough) < 2:
        return None
    shares = []
    for k in ks:
        holding = [of[k] for of in enough if k in of]
        of_pairs = [shared(one, other) for one in holding for other in holding if one is not other]
        if of_pairs:
            shares.append((k, float(np.median(of_pairs)), max(of_pairs)))
    return Noise(representation, language, len(enough), tuple(shares))


def _distinct(of: dict[int, HashCounts], k: int) -> float:
    return len(of[k].values()[0]) / of[k].share if k in of else 0.0


RANDOM_K, RANDOM_W = 50, 100
"""The k and w for random text. Winnowing then keeps 2 of 101 hashes, nearly as many as `mod_p` with p = 50."""

BOTTOM = 64  # the number of k-grams that `bottom_n` keeps of each text

LOW_ENTROPY = 0.1
"""A text has low entropy if at least this share of its k-grams is repeated within a window. Such texts are also
measured separately, since robust winnowing and winnowing choose differently only among equal hashes of a window."""

_TEXT_LENGTH = 1_000_000
_LETTERS = np.array([token_code(bytes([letter])) for letter in range(ord("a"), ord("z") + 1)], np.uint64)
_SEED = 20030609


class _Sampler(NamedTuple):
    """A sampler: `name`, `parameters` and `expected` as in `SamplerFigures`. `keep` takes the hashes of the k-grams and
    of the s-grams, and returns the positions of the k-grams that the sampler keeps.
    """

    name: str
    parameters: str
    expected: float | None
    keep: Callable[..., NDArray[np.int64]]


def _samplers(w: int, s: int) -> Iterator[_Sampler]:
    for name, winnowing in samplers.WINNOWING.items():  # a minimum of every window: on average 2 of w + 1 random hashes
        yield _Sampler(name, f"w={w}", 2 / (w + 1), lambda hashes, _, keep=winnowing: keep(hashes, w))
    yield _Sampler("open_closed", f"w={w} s={s}", None, lambda hashes, inner: samplers.open_closed(hashes, inner, w))
    half = max((w + 1) // 2, 1)  # keeps nearly as many hashes as winnowing
    yield _Sampler("mod_p", f"p={half}", 1 / half, lambda hashes, _: samplers.mod_p(hashes, half))
    best = max(round(w / math.log(w)), 1) if w > 1 else 1  # the p at which `safe_mod_p` keeps fewest (section 3.1.2)
    for p in sorted({best, half}):
        expected = 1 / p + (1 - 1 / p) ** w
        yield _Sampler("safe_mod_p", f"w={w} p={p}", expected, lambda hashes, _, p=p: samplers.safe_mod_p(hashes, w, p))
    yield _Sampler("bottom_n", f"n={BOTTOM}", None, lambda hashes, _: samplers.bottom_n(hashes, BOTTOM))


class _Table:
    def __init__(self, data: str, w: int, s: int) -> None:
        self.w = w
        self.samplers = list(_samplers(w, s))
        self.figures = [
            SamplerFigures(data, name, parameters, 0, 0, expected, 0, 0, 0)
            for name, parameters, expected, _ in self.samplers
        ]

    def add(self, hashes: Hashes, kept: Iterable[NDArray[np.int64]]) -> None:
        for number, (before, positions) in enumerate(zip(self.figures, kept, strict=True)):
            gaps = np.diff(positions, prepend=-1, append=len(hashes)) - 1
            self.figures[number] = replace(
                before,
                kgrams=before.kgrams + len(hashes),
                kept=before.kept + len(positions),
                longest_gap=max(before.longest_gap, int(gaps.max())),
                windows=before.windows + max(len(hashes) - self.w + 1, 0),
                uncovered=before.uncovered + int(np.maximum(gaps - self.w + 1, 0).sum()),
            )

    def sample(self, hashes: Hashes, inner: Hashes) -> list[NDArray[np.int64]]:
        return [sampler.keep(hashes, inner) for sampler in self.samplers]


def sampler_figures(corpus: Corpus, *, k: int | None, window: int | None, random_text: int) -> SamplerResult:
    """Measures every sampler on random text, on a text of one letter, on the corpus, and on its texts of low entropy.
    `k` and `window` are for the corpus; None for those of each scheme. `random_text` counts characters.
    """
    tables = [_on_letters("random text", _random_texts(random_text))]
    tables.append(_on_letters("one letter", [np.full(_TEXT_LENGTH // 10, _LETTERS[0], np.uint64)]))
    tables_of = {}
    for representation, scheme in SCHEMES.items():
        length = k or scheme.k
        w, s = window or scheme.w, inner_length(representation, length)
        tables_of[representation] = _Table(f"{representation}", w, s), _Table(f"{representation}, low entropy", w, s)
    for content in corpus:
        for representation, piece in content.of(tables_of):
            (whole, low_entropy), length = tables_of[representation], k or SCHEMES[representation].k
            hashes = kgrams(piece, representation, length).hashes
            if len(hashes):
                inner = kgrams(piece, representation, inner_length(representation, length)).hashes
                kept = whole.sample(hashes, inner)
                whole.add(hashes, kept)
                if ties(hashes, whole.w) >= LOW_ENTROPY:
                    low_entropy.add(hashes, kept)
    tables += chain.from_iterable(tables_of.values())
    every = (figures for table in tables for figures in table.figures)
    return SamplerResult(corpus.size, tuple(figures for figures in every if figures.kgrams))


def ties(hashes: Hashes, w: int) -> float:
    """The share of the hashes that occur again less than w positions later."""
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    again = (ordered[1:] == ordered[:-1]) & (np.diff(order) < w)
    return float(again.sum()) / len(hashes) if len(hashes) else 0.0


def _on_letters(data: str, texts: Iterable[Hashes]) -> _Table:
    s = inner_length(Representation.TEXT, RANDOM_K)
    table = _Table(f"{data}, k={RANDOM_K}", RANDOM_W, s)
    for codes in texts:
        hashes = kgram_hashes(codes, RANDOM_K)
        if len(hashes):
            table.add(hashes, table.sample(hashes, kgram_hashes(codes, s)))
    return table


def _random_texts(length: int) -> Iterator[Hashes]:
    """`length` random letters, split into texts of at most a million."""
    random = np.random.default_rng(_SEED)
    for begin in range(0, length, _TEXT_LENGTH):
        yield _LETTERS[random.integers(0, len(_LETTERS), min(_TEXT_LENGTH, length - begin))]
