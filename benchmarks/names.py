"""Names by their pattern of use, beside one constant for all of them with a longer k-gram (the paper's section 5.2).

    python -m benchmarks.names CLONE CLONE

For the `renamed` and `p_match` k-grams of two unrelated projects: how many different ones each has, how many of these
the other has as well, by chance, and how many postings an index would have. The guarantee is t = w + k - 1 tokens.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.timing import table
from wherefrom.analyzers import representations
from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.schemes import Scheme
from wherefrom.analyzers.tokens import Symbols
from wherefrom.lab.corpus import Corpus, is_prose
from wherefrom.model import Representation
from wherefrom.sources.discover import discover

TRIED: dict[Representation, Sequence[tuple[str, int, int]]] = {
    Representation.RENAMED: (
        ("pattern", 8, 8),
        ("constant", 8, 8),
        ("constant", 9, 7),
        ("constant", 9, 8),
        ("constant", 10, 8),
    ),
    Representation.P_MATCH: (
        ("pattern", 12, 13),
        ("constant", 12, 13),
        ("constant", 13, 12),
        ("constant", 13, 13),
        ("constant", 14, 13),
    ),
}
"""Names as, k, w."""

_PATTERN = representations.DISTANCES.copy()


def write_names(how: str) -> None:
    """Writes each name as its pattern of use, or all as one constant, from now on; without the kernel."""
    representations.DISTANCES[:] = _PATTERN if how == "pattern" else _PATTERN[0]
    representations._differences.cache_clear()


def kgrams_of(pieces: Sequence[Symbols], scheme: Scheme) -> tuple[set[int], int]:
    """The different k-grams of some pieces of code, and the postings."""
    different: set[int] = set()
    postings = 0
    for piece in pieces:
        grams = sampled_kgrams(piece, scheme)
        different.update(grams.hashes.tolist())
        postings += len(np.unique(grams.hashes[sample(grams, scheme)]))
    return different, postings


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.names", description=__doc__)
    parser.add_argument("clones", nargs=2, metavar="CLONE", help="a clone; the other one is of an unrelated project")
    projects = []
    for clone in parser.parse_args().clones:
        corpus = Corpus.of_sources(discover([clone], cache=Path(clone)))
        projects.append([piece for content in corpus for piece in content.pieces() if not is_prose(piece)])
    tokens = sum(len(piece) for pieces in projects for piece in pieces)
    rows = []
    for representation, settings in TRIED.items():
        for how, k, w in settings:
            write_names(how)
            scheme = Scheme(representation, k, w)
            (ours, our_postings), (theirs, their_postings) = (kgrams_of(pieces, scheme) for pieces in projects)
            shared = len(ours & theirs)
            shares = f"{shared / len(ours):.4f}", f"{shared / len(theirs):.4f}"
            postings = f"{(our_postings + their_postings) / tokens:.4f}"
            rows.append((str(representation), how, str(k), str(w), str(w + k - 1), *shares, postings))
    columns = ("k-grams", "names as", "k", "w", "t", "of the first, shared", "of the second", "postings a token")
    print(table(columns, rows))


if __name__ == "__main__":
    main()
