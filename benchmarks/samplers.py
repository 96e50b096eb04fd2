"""Samplers beyond winnowing at one guarantee, t = w + k - 1: density, terms, finding power, nesting, time.

What a scheme selects in a window of t tokens depends on those tokens alone, so a shared run of t tokens always shares a
fingerprint. Schemes differ in how many k-grams they select, in how many shorter runs they find, and in whether a query
may take a larger window w' > w.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from benchmarks.timing import interleaved, table
from wherefrom.analyzers.hashing import CODE_BITS, mix
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.samplers import open_closed, robust_winnow
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import Symbols, TokenClass
from wherefrom.engines import open_engine
from wherefrom.lab.corpus import Corpus, is_prose
from wherefrom.model import Representation

if TYPE_CHECKING:
    from wherefrom.engines.embedded.packing import Positions
    from wherefrom.model import Hashes

RUNS = (8, 9, 10, 11, 12, 13, 14, 15, 20)
"""Lengths of shared runs in tokens, for which finding power is measured."""

_KIND_BITS = np.uint64(62)
_REPEATS = 200


@dataclass(frozen=True, slots=True)
class Text:
    """A text, and the hashes of its k-grams, which are computed for any k."""

    symbols: Symbols
    representation: Representation

    def grams(self, k: int) -> Hashes:
        """The hashes of the k-grams in the order of the text, mixed."""
        return mix(kgrams(self.symbols, self.representation, k).hashes)


@dataclass(frozen=True, slots=True)
class Scheme:
    """A sampler with its k and w; `keep` takes a text and a window, and returns the positions that are selected."""

    name: str
    k: int
    w: int
    keep: Callable[[Text, int], Positions]
    exact_only: bool = False

    @property
    def label(self) -> str:
        """The name of the scheme in the tables."""
        return f"{self.name}, k={self.k}, w={self.w}"


def winnowing(text: Text, w: int, *, k: int) -> Positions:
    return robust_winnow(text.grams(k), w)


def open_closed_of(text: Text, w: int, *, k: int, s: int) -> Positions:
    return open_closed(text.grams(k), text.grams(s), w)


def closed(text: Text, w: int, *, k: int, s: int) -> Positions:
    """The miniception (Zheng, Kingsford, Marçais 2020), which prefers closed k-grams."""
    hashes, inner = text.grams(k), text.grams(s)
    least = np.argmin(sliding_window_view(inner, k - s + 1), axis=1)
    return _by_kind(np.where((least == 0) | (least == k - s), 0, 1), hashes, w)


def double_decycling(text: Text, w: int, *, k: int) -> Positions:
    """Pellow et al. 2023: first the k-grams of a minimum decycling set, then those of its mirror image, then the rest.

    A k-gram is in the set if the sum of its tokens, as weights on the k-th roots of unity, lies above the real axis and
    that of its rotation does not. This needs a fixed number for each token. In `renamed` the number of a name depends
    on where the k-gram begins.
    """
    weights = text.symbols.codes.astype(np.float64) / (1 << CODE_BITS)
    roots = np.exp(2j * np.pi * np.arange(k) / k)
    sums = sliding_window_view(weights, k) @ roots
    here, rotated = sums.imag, (sums * roots[1]).imag
    least = 1e-12  # if all tokens are equal, the sums are 0 except for rounding
    kind = np.where((here > least) & (rotated <= least), 0, np.where((here < -least) & (rotated >= -least), 1, 2))
    return _by_kind(kind, text.grams(k), w)


def mod_minimizer(text: Text, w: int, *, k: int, t: int) -> Positions:
    """Groot Koerkamp, Pibiri 2024: with the least t-gram of the window at x, it takes the k-gram at x mod w."""
    inner = text.grams(t)
    if len(inner) < w + k - t:
        return np.empty(0, np.int64)
    least = np.argmin(sliding_window_view(inner, w + k - t), axis=1)
    return np.unique(np.arange(len(least)) + least % w)


def _by_kind(kind: NDArray[np.int64], hashes: Hashes, w: int) -> Positions:
    return robust_winnow((kind.astype(np.uint64) << _KIND_BITS) | (hashes >> np.uint64(2)), w)


def schemes(t: int) -> list[Scheme]:
    """All schemes that are compared, each with the guarantee t."""
    found = []
    for k in range(t // 2 - 1, t // 2 + 4):
        w = t - k + 1
        found.append(Scheme("winnowing", k, w, partial(winnowing, k=k)))
        found += [Scheme(f"open-closed s={s}", k, w, partial(open_closed_of, k=k, s=s)) for s in (1, 2, 3, 4)]
        found.append(Scheme("miniception s=2", k, w, partial(closed, k=k, s=2)))
        found.append(Scheme("double decycling", k, w, partial(double_decycling, k=k), exact_only=True))
        found.append(Scheme(f"mod-minimizer t={(k - 1) % w + 1}", k, w, partial(mod_minimizer, k=k, t=(k - 1) % w + 1)))
    return found


def lower_bound(k: int, w: int) -> float:
    """The least density of any forward scheme, with any alphabet (Kille et al., Bioinformatics 2024, Theorem 1).

    The bound of the next k' >= k with k' = 1 modulo w holds for k as well, since a longer k-gram can only do better.
    """
    longer = w * math.ceil((k - 1) / w) + 1
    return max(math.ceil((w + each) / w) / (w + each) for each in (k, longer))


def random_text(count: int) -> Text:
    codes = np.random.default_rng(1).integers(0, 1 << CODE_BITS, count, np.uint64)
    return Text(
        Symbols(codes, np.full(count, TokenClass.SYMBOL, np.uint8), np.zeros(1, np.int64)), Representation.EXACT
    )


def pieces(corpus: Iterable[Symbols], representation: Representation, least: int) -> Iterator[Text]:
    for piece in corpus:
        if len(piece) >= least:
            yield Text(piece, representation)


def density(texts: Iterable[Text], tried: Sequence[Scheme]) -> dict[str, tuple[float, float]]:
    """For each scheme and token: the selected k-grams, and the different ones of these in a text (its postings)."""
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for text in texts:
        for scheme in tried:
            hashes = text.grams(scheme.k)
            kept = scheme.keep(text, scheme.w)
            of = sums[scheme.label]
            of[0] += len(text.symbols)
            of[1] += len(kept)
            of[2] += len(np.unique(hashes[kept]))
    return {label: (kept / tokens, different / tokens) for label, (tokens, kept, different) in sums.items()}


def transplanted(one: Symbols, other: Symbols, length: int, random: np.random.Generator) -> tuple[Symbols, int, int]:
    """`other` with a run of `one` inside, the position of the run in it, and the position in `one`."""
    begin = int(random.integers(0, len(one) - length))
    at = int(random.integers(0, len(other)))
    run = slice(begin, begin + length)
    codes = np.concatenate((other.codes[:at], one.codes[run], other.codes[at:]))
    classes = np.concatenate((other.classes[:at], one.classes[run], other.classes[at:]))
    return Symbols(codes, classes, np.zeros(1, np.int64)), at, begin


def power(texts: Sequence[Text], tried: Sequence[Scheme], wider: int, trials: int) -> dict[str, dict[int, float]]:
    """The share of shared runs of each length that share a fingerprint. The document is sampled with w. The query is
    another text that contains the run, and is sampled with `wider` times w.
    """
    random = np.random.default_rng(2)
    found: dict[str, dict[int, float]] = {scheme.label: {} for scheme in tried}
    for length in RUNS:
        hits: defaultdict[str, int] = defaultdict(int)
        for _ in range(trials):
            one, other = (texts[int(each)] for each in random.choice(len(texts), 2, replace=False))
            query, at, begin = transplanted(one.symbols, other.symbols, length, random)
            asked = Text(query, one.representation)
            for scheme in tried:
                of_document = _inside(one, scheme, scheme.w, begin, length)
                of_query = _inside(asked, scheme, wider * scheme.w, at, length)
                hits[scheme.label] += bool(of_document & of_query)
        for label, number in hits.items():
            found[label][length] = number / trials
    return found


def _inside(text: Text, scheme: Scheme, w: int, begin: int, length: int) -> set[int]:
    """The selected hashes of the k-grams that lie in a run."""
    # Whether a k-gram is selected depends only on a window around it, so tokens farther away are cut off.
    first = max(begin - 3 * w, 0)
    near = slice(first, begin + length + 3 * w)
    around = Text(
        Symbols(text.symbols.codes[near], text.symbols.classes[near], text.symbols.segments), text.representation
    )
    kept = scheme.keep(around, w)
    inside = kept[(kept >= begin - first) & (kept + scheme.k <= begin - first + length)]
    return set(around.grams(scheme.k)[inside].tolist())


def nesting(texts: Iterable[Text], tried: Sequence[Scheme], wider: int) -> dict[str, tuple[float, float]]:
    """For queries with `wider` times w: terms for each token, and the share of them that the document does not have."""
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for text in texts:
        for scheme in tried:
            hashes = text.grams(scheme.k)
            document, query = (np.unique(hashes[scheme.keep(text, each * scheme.w)]) for each in (1, wider))
            of = sums[scheme.label]
            of[0] += len(text.symbols)
            of[1] += len(query)
            of[2] += len(np.setdiff1d(query, document, assume_unique=True))
    return {label: (terms / tokens, lost / max(terms, 1)) for label, (tokens, terms, lost) in sums.items()}


def times(text: Text) -> Mapping[str, float]:
    """Nanoseconds for each k-gram of a text as long as a file. The time to hash the s-grams is included."""
    hashes = text.grams(8)
    runs = {
        "winnowing": lambda: [robust_winnow(hashes, 8) for _ in range(_REPEATS)],
        "open-closed s=2": lambda: [
            open_closed(hashes, kgrams(text.symbols, text.representation, 2).hashes, 8) for _ in range(_REPEATS)
        ],
        "hashing (renamed), for comparison": lambda: [
            kgrams(text.symbols, Representation.RENAMED, 8) for _ in range(_REPEATS)
        ],
    }
    seconds = interleaved(runs, 7)
    return {name: statistics.median(each) / _REPEATS / len(hashes) * 1e9 for name, each in seconds.items()}


def sampled_pieces(index: str, share: float) -> list[Symbols]:
    """The code of a share of an index's contents, drawn evenly."""
    random = np.random.default_rng(3)
    with closing(open_engine(index, schemes=scheme_ids())) as engine:
        return [
            piece
            for content in Corpus.of_engine(engine)
            if random.random() < share
            for piece in content.pieces()
            if not is_prose(piece)
        ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.samplers", description=__doc__)
    parser.add_argument("index", help="an index of real code")
    parser.add_argument("--share", type=float, default=0.02, help="of its contents (default: %(default)g)")
    parser.add_argument("--t", type=int, default=15, help="the guarantee, in tokens (default: %(default)d)")
    parser.add_argument("--trials", type=int, default=1000, help="shared runs of each length (default: %(default)d)")
    options = parser.parse_args()
    every = schemes(options.t)

    print(f"Random tokens, t = {options.t}\n")
    measured = density([random_text(1_000_000)], every)
    print(
        table(
            ("k, w", "2 / (w + 1)", "lower bound", *(scheme.name for scheme in every[:7]), "mod-minimizer"),
            [
                (
                    f"{group[0].k}, {group[0].w}",
                    f"{2 / (group[0].w + 1):.4f}",
                    f"{lower_bound(group[0].k, group[0].w):.4f}",
                    *(f"{measured[scheme.label][0]:.4f}" for scheme in group),
                )
                for group in (every[at : at + 8] for at in range(0, len(every), 8))
            ],
        )
    )

    code = sampled_pieces(options.index, options.share)
    print(f"\nReal code: {len(code)} pieces, {sum(map(len, code)):,} tokens")
    for representation in (Representation.EXACT, Representation.RENAMED):
        of = [each for each in every if not (each.exact_only and representation is Representation.RENAMED)]
        dense = density(pieces(code, representation, 2 * options.t), of)
        print(f"\n{representation}\n")
        print(
            table(
                ("scheme", "density", "postings a token"),
                [
                    (name, f"{d:.4f}", f"{terms:.4f}")
                    for name, (d, terms) in sorted(dense.items(), key=lambda it: it[1][1])
                ],
            )
        )
        half = options.t // 2 + 1
        chosen = [
            each
            for each in of
            if (each.k == half and each.name in {"winnowing", "open-closed s=2", "double decycling"})
            or (each.k == half - 1 and each.name in {"winnowing", "open-closed s=2"})
            or (each.k == half + 1 and each.name.startswith(("winnowing", "mod-minimizer")))
        ]
        long_ones = list(pieces(code, representation, 200))
        for wider in (1, 2):
            print(f"\n{representation}: shared runs that share a fingerprint, query with w' = {wider} w\n")
            powers = power(long_ones, chosen, wider, options.trials)
            print(
                table(
                    ("scheme", *(f"{length} tokens" for length in RUNS)),
                    [(label, *(f"{of_length[each]:.3f}" for each in RUNS)) for label, of_length in powers.items()],
                )
            )
        print(f"\n{representation}: queries with w' = 2 w\n")
        nested = nesting(long_ones, chosen, 2)
        print(
            table(
                ("scheme", "terms a token", "of them not in the document"),
                [(label, f"{terms:.4f}", f"{lost:.1%}") for label, (terms, lost) in nested.items()],
            )
        )
    print()
    print(table(("sampler", "ns a k-gram"), [(name, f"{ns:.0f}") for name, ns in times(random_text(3_000)).items()]))


if __name__ == "__main__":
    main()
