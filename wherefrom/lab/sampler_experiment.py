"""Measures density and gaps of every sampler (the paper's sections 4.1 and 5.1), on random text and on a corpus."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers import samplers
from wherefrom.analyzers.hashing import kgram_hashes, token_code
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, inner_length
from wherefrom.lab.corpus import Corpus
from wherefrom.lab.figures import SamplerFigures, SamplerResult
from wherefrom.model import Hashes, Representation

RANDOM_K, RANDOM_W = 50, 100
"""The k and w for random text. Winnowing then keeps 2 of 101 hashes, nearly as many as `mod_p` with p = 50."""

BOTTOM = 64
"""The number of k-grams that `bottom_n` keeps of each text."""

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
    """The figures of all samplers on one set of texts."""

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


def measure(corpus: Corpus, *, k: int | None, window: int | None, random_text: int) -> SamplerResult:
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
