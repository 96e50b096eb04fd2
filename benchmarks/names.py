"""Compares two ways to hash names: by pattern of use, or as one constant with a longer k-gram (paper, section 5.2).

    python -m benchmarks.names CLONE CLONE

For the `renamed` and `p_match` k-grams of two unrelated projects, with every k that is used somewhere:

- how many of the different k-grams of each project the other project has as well, by chance;
- how many postings an index would have;
- how many stretches of code, with other names and without one token in `DELETED_EVERY`, find their file first by the
  inverse document frequency of the shared terms; a tie counts as lost;
- how long hashing takes in Python, where a constant allows a rolling hash.

The guarantee is t = w + k - 1 tokens. If w is 1, all k-grams are compared.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.timing import table
from wherefrom.analyzers import representations
from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.representations import kept_names, kgrams
from wherefrom.analyzers.schemes import Scheme
from wherefrom.analyzers.tokens import Symbols, TokenClass
from wherefrom.lab.corpus import Corpus, is_prose
from wherefrom.model import Representation
from wherefrom.sources.discover import discover

if TYPE_CHECKING:
    from wherefrom.model import Hashes

TRIED: Mapping[Representation, Sequence[tuple[str, int, int]]] = {
    Representation.RENAMED: (
        *(("pattern", 2, 1), ("constant", 2, 1), ("constant", 3, 1)),
        *(("pattern", 4, 1), ("constant", 4, 1), ("constant", 5, 1)),
        *(("pattern", 8, 8), ("constant", 8, 8), ("constant", 9, 7), ("constant", 9, 8), ("constant", 10, 8)),
        *(("pattern", 12, 1), ("constant", 12, 1), ("constant", 13, 1)),
    ),
    Representation.P_MATCH: (
        *(("pattern", 2, 1), ("constant", 2, 1), ("constant", 3, 1)),
        *(("pattern", 6, 1), ("constant", 6, 1), ("constant", 7, 1)),
        *(("pattern", 12, 13), ("constant", 12, 13), ("constant", 13, 12), ("constant", 13, 13), ("constant", 14, 13)),
        *(("pattern", 16, 1), ("constant", 16, 1), ("constant", 17, 1)),
    ),
}
"""How names are hashed, k, and w."""

STRETCHES, STRETCH = 400, 60
"""The number of stretches of code that are looked up, and their tokens."""

DELETED_EVERY = 15

_PATTERN = representations.DISTANCES.copy()


def write_names(how: str) -> None:
    """From now on hashes each name by its pattern of use, or all names as one constant; only without the kernel."""
    representations.DISTANCES[:] = _PATTERN if how == "pattern" else _PATTERN[0]
    representations._differences.cache_clear()


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a piece with new names; `piece` is the number of the piece."""

    piece: int
    symbols: Symbols


def stretches(pieces: Sequence[Symbols], representation: Representation, chance: random.Random) -> list[Stretch]:
    """Takes at most one stretch of a piece; names that `renamed` keeps are not changed."""
    long = [number for number, piece in enumerate(pieces) if len(piece) >= STRETCH]
    found = []
    for number in chance.sample(long, min(STRETCHES, len(long))):
        piece = pieces[number]
        is_new = piece.classes == TokenClass.NAME
        if representation is Representation.RENAMED:
            is_new &= ~kept_names(piece)
        begin = chance.randrange(len(piece) - STRETCH + 1)
        kept = [at for at in range(begin, begin + STRETCH) if chance.randrange(DELETED_EVERY)]
        codes = np.where(is_new, piece.codes ^ np.uint64(0x5A5A5A5A5A), piece.codes)
        found.append(Stretch(number, Symbols(codes[kept], piece.classes[kept], np.zeros(1, np.int64))))
    return found


def terms_of(piece: Symbols, scheme: Scheme) -> Hashes:
    """The different hashes that the scheme selects."""
    grams = sampled_kgrams(piece, scheme)
    return np.unique(grams.hashes[sample(grams, scheme)])


def found_first(pieces: Sequence[Hashes], wanted: Sequence[tuple[int, Hashes]]) -> int:
    """How many of the stretches (number of the piece, hashes) rank their piece before all others."""
    hashes = np.concatenate(pieces)
    owners = np.repeat(np.arange(len(pieces)), [len(piece) for piece in pieces])
    order = np.argsort(hashes, kind="stable")
    hashes, owners = hashes[order], owners[order]
    found = 0
    for number, asked in wanted:
        scores = np.zeros(len(pieces))
        begins, ends = np.searchsorted(hashes, asked), np.searchsorted(hashes, asked, side="right")
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
            if begin < end:
                scores[owners[begin:end]] += np.log(1 + len(pieces) / (end - begin))
        own, scores[number] = scores[number], 0.0
        found += own > scores.max()
    return found


def nanoseconds(pieces: Sequence[Symbols], representation: Representation, k: int) -> float:
    """Nanoseconds of processor time that hashing takes for each token; the least of three runs."""
    runs = []
    for _ in range(3):
        begin = time.process_time()
        for piece in pieces:
            kgrams(piece, representation, k)
        runs.append(time.process_time() - begin)
    return min(runs) * 1e9 / sum(map(len, pieces))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.names", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("clones", nargs=2, metavar="CLONE", help="a clone; the other one is of an unrelated project")
    projects = []
    for clone in parser.parse_args().clones:
        corpus = Corpus.of_sources(discover([clone], cache=Path(clone)))
        projects.append([piece for content in corpus for piece in content.pieces() if not is_prose(piece)])
    every = [piece for pieces in projects for piece in pieces]
    rows = []
    for representation, settings in TRIED.items():
        wanted = stretches(every, representation, random.Random(5))
        for how, k, w in settings:
            write_names(how)
            scheme = Scheme(representation, k, w)
            terms = [terms_of(piece, scheme) for piece in every]
            if w > 1:
                grams = [kgrams(piece, representation, k).hashes for piece in every]
                postings = f"{sum(map(len, terms)) / sum(map(len, every)):.4f}"
            else:
                grams, postings = terms, ""
            ours, theirs = (
                set(np.concatenate(part).tolist()) for part in (grams[: len(projects[0])], grams[len(projects[0]) :])
            )
            shared = len(ours & theirs)
            first = found_first(terms, [(each.piece, terms_of(each.symbols, scheme)) for each in wanted])
            hashed = Representation.EXACT if how == "constant" else representation
            rows.append(
                (
                    *(str(representation), how, str(k), str(w), str(w + k - 1)),
                    *(f"{shared / len(ours):.4f}", f"{shared / len(theirs):.4f}", postings),
                    *(f"{first} of {len(wanted)}", f"{nanoseconds(every, hashed, k):.0f}"),
                )
            )
    columns = ("k-grams", "names as", "k", "w", "t", "of the first, shared", "of the second", "postings a token")
    print(table((*columns, "found first", "ns a token"), rows))


if __name__ == "__main__":
    main()
