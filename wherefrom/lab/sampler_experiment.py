"""Density and gaps of every sampler (the paper's sections 4.1 and 5.1), on random text and on the corpus."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers import samplers
from wherefrom.analyzers.hashing import kgram_hashes, token_code
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, inner_length
from wherefrom.lab.figures import SamplerFigures, SamplerResult
from wherefrom.model import Hashes, Representation

if TYPE_CHECKING:
    from wherefrom.engines.embedded.packing import Positions
    from wherefrom.lab.corpus import Corpus

RANDOM_TEXT = 8_000_000
"""Characters of random text, as in the paper."""

RANDOM_K, RANDOM_W = 50, 100
"""k and w on random text; winnowing then keeps 2 in 101, and 0 mod 50 as good as the same."""

BOTTOM = 64
"""What `bottom_n` keeps of each text."""

LOW_ENTROPY = 0.1
"""A text is also measured as one of low entropy where at least this share of its k-grams comes again within a window:
ties, which is where robust winnowing differs.
"""

_TEXT_LENGTH = 1_000_000
_LETTERS = np.array([token_code(bytes([letter])) for letter in range(ord("a"), ord("z") + 1)], np.uint64)
_SEED = 20030609


@dataclass(frozen=True, slots=True)
class _Sampler:
    name: str
    parameters: str
    expected: float | None
    keep: Callable[[Hashes, Hashes], Positions]
    """From the hashes of the k-grams and those of the s-grams."""


def _samplers(w: int, s: int) -> list[_Sampler]:
    p = max((w + 1) // 2, 1)  # the density of winnowing, as nearly as a whole number gives it
    best = max(round(w / math.log(w)), 1) if w > 1 else 1  # the p at which `safe_mod_p` keeps least (section 3.1.2)
    return [
        *(_winnowing(name, w) for name in samplers.WINNOWING),
        _Sampler("open_closed", f"w={w} s={s}", None, lambda hashes, inner: samplers.open_closed(hashes, inner, w)),
        _Sampler("mod_p", f"p={p}", 1 / p, lambda hashes, _: samplers.mod_p(hashes, p)),
        *(_safe_mod_p(w, modulus) for modulus in sorted({best, p})),
        _Sampler("bottom_n", f"n={BOTTOM}", None, lambda hashes, _: samplers.bottom_n(hashes, BOTTOM)),
    ]


def _winnowing(name: str, w: int) -> _Sampler:
    """One of those that an index may be made with: each keeps a minimum of every window, 2 of w + 1 random hashes."""
    keep = samplers.WINNOWING[name]
    return _Sampler(name, f"w={w}", 2 / (w + 1), lambda hashes, _: keep(hashes, w))


def _safe_mod_p(w: int, p: int) -> _Sampler:
    """0 mod p, and the end of each window without such a hash."""
    expected = 1 / p + (1 - 1 / p) ** w
    return _Sampler("safe_mod_p", f"w={w} p={p}", expected, lambda hashes, _: samplers.safe_mod_p(hashes, w, p))


class _Table:
    """Sums over the texts of one set."""

    def __init__(self, data: str, w: int, s: int) -> None:
        self.data, self.w = data, w
        self.samplers = _samplers(w, s)
        self.kgrams = self.windows = 0
        self.kept, self.longest, self.uncovered = ([0] * len(self.samplers) for _ in range(3))

    def add(self, hashes: Hashes, kept: list[Positions]) -> None:
        """Adds a text, given what each sampler keeps of it."""
        self.kgrams += len(hashes)
        self.windows += max(len(hashes) - self.w + 1, 0)
        for at, positions in enumerate(kept):
            gaps = np.diff(positions, prepend=-1, append=len(hashes)) - 1
            self.kept[at] += len(positions)
            self.longest[at] = max(self.longest[at], int(gaps.max()))
            self.uncovered[at] += int(np.maximum(gaps - self.w + 1, 0).sum())

    def sample(self, hashes: Hashes, inner: Hashes) -> list[Positions]:
        """What each sampler keeps of a text."""
        return [each.keep(hashes, inner) for each in self.samplers]

    def figures(self) -> Iterator[SamplerFigures]:
        for at, each in enumerate(self.samplers if self.kgrams else ()):
            yield SamplerFigures(
                data=self.data,
                sampler=each.name,
                parameters=each.parameters,
                kgrams=self.kgrams,
                kept=self.kept[at],
                expected=each.expected,
                longest_gap=self.longest[at],
                windows=self.windows,
                uncovered=self.uncovered[at],
            )


def measure(
    corpus: Corpus, *, k: int | None = None, window: int | None = None, random_text: int = RANDOM_TEXT
) -> SamplerResult:
    """Every sampler on random text, on a text of one letter, on the corpus, and on its texts of low entropy.

    Args:
        corpus: the code.
        k: tokens in a k-gram of the corpus (default: that of each scheme).
        window: w on the corpus (default: that of each scheme).
        random_text: characters of random text; 0 for none.
    """
    tables = [_on_letters("random text", texts) for texts in [_random_texts(random_text)] if random_text]
    tables.append(_on_letters("one letter", iter([np.full(_TEXT_LENGTH // 10, _LETTERS[0], np.uint64)])))
    whole, low_entropy = {}, {}
    for representation, scheme in SCHEMES.items():
        length = k or scheme.k
        w, s = window or scheme.w, inner_length(representation, length)
        whole[representation] = _Table(f"{representation}", w, s)
        low_entropy[representation] = _Table(f"{representation}, low entropy", w, s)
    for content in corpus:
        for representation, piece in content.of(whole):
            table, length = whole[representation], k or SCHEMES[representation].k
            hashes = kgrams(piece, representation, length).hashes
            if len(hashes):
                inner = kgrams(piece, representation, inner_length(representation, length)).hashes
                kept = table.sample(hashes, inner)
                table.add(hashes, kept)
                if ties(hashes, table.w) >= LOW_ENTROPY:
                    low_entropy[representation].add(hashes, kept)
    for representation in SCHEMES:
        tables += [whole[representation], low_entropy[representation]]
    return SamplerResult(corpus.size, tuple(figures for table in tables for figures in table.figures()))


def ties(hashes: Hashes, w: int) -> float:
    """The share of the hashes that come again less than w positions later."""
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    again = (ordered[1:] == ordered[:-1]) & (np.diff(order) < w)
    return float(again.sum()) / len(hashes) if len(hashes) else 0.0


def _on_letters(data: str, texts: Iterator[Hashes]) -> _Table:
    s = inner_length(Representation.TEXT, RANDOM_K)
    table = _Table(f"{data}, k={RANDOM_K}", RANDOM_W, s)
    for codes in texts:
        hashes = kgram_hashes(codes, RANDOM_K)
        if len(hashes):
            table.add(hashes, table.sample(hashes, kgram_hashes(codes, s)))
    return table


def _random_texts(length: int) -> Iterator[Hashes]:
    """So many random letters, in texts of a million at most."""
    random = np.random.default_rng(_SEED)
    for begin in range(0, length, _TEXT_LENGTH):
        yield _LETTERS[random.integers(0, len(_LETTERS), min(_TEXT_LENGTH, length - begin))]
