"""Counts how rare each word of names and literals is (`wherefrom/queries/translation/alignment.py`) in many projects.

    python -m benchmarks.words INDEX

reads an embedded index of projects, and writes `wherefrom/queries/data/words.zst`: for each code of a word its bits,
-log2 of the share of files that have it, in steps of 1/16 bit. Every project counts the same, with at most `FILES`
files of each language, those with the least blob ids.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import numpy as np

from wherefrom.analyzers import kernel
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.token_words import WORD_MASK
from wherefrom.engines import open_engine
from wherefrom.languages import LANGUAGES
from wherefrom.queries.translation import alignment
from wherefrom.support import arrays

_DATA = Path(alignment.__file__).parents[1] / "data" / "words.zst"

FILES, LEAST_FILES = 150, 5
"""A project counts with at most `FILES` files of each language, and not with a language of fewer than `LEAST_FILES`."""

MOST_BITS = 12.0


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.words", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("index", type=Path, help="an embedded index")
    shares, projects = np.zeros(WORD_MASK + 1), 0
    with closing(open_engine(parser.parse_args().index, schemes=scheme_ids())) as engine:
        for key in engine.repository_keys():
            stored = engine.blobs({at.blob for at in engine.occurrences(repository=key)})
            by_language = defaultdict(list)
            for blob, one in sorted(stored.items()):
                if LANGUAGES[one.language].grammar and one.token_count >= 100:
                    by_language[one.language].append(blob)
            for blobs in by_language.values():
                if len(blobs) >= LEAST_FILES:
                    projects += 1
                    for blob in blobs[:FILES]:
                        words = np.unique(kernel.stored_words(stored[blob].tokens).codes)
                        shares[words] += 1 / min(len(blobs), FILES)
    shares = (shares + 0.02) / (projects + 1)
    bits = np.clip(-np.log2(shares), 0.0, MOST_BITS)
    arrays.write(_DATA, bits=np.rint(bits * alignment.STEPS).astype(np.uint8))
    print(f"{projects} languages of projects. {_DATA}: {_DATA.stat().st_size:,} bytes.")


if __name__ == "__main__":
    main()
