"""Simulates how many postings a term that is in no content gets by chance, for each width of terms.

    python -m benchmarks.term_width

A posting's term and an absent term are random numbers of b bits, so a term gets N / 2^b postings by chance. 10^12
postings do not fit here; the same ratio with fewer bits does: a width of 40 bits is simulated with 40 - c bits and
N / 2^c postings.
"""

from __future__ import annotations

import numpy as np

from benchmarks.timing import table
from wherefrom.model import STORED_BITS

SIMULATED = 10_000_000
"""At most this many postings are simulated."""

ASKED = 1_000_000
"""How many absent terms are looked up."""


def chance_postings(postings: float, bits: int) -> tuple[float, float]:
    """Postings by chance of an absent term: their mean number, and the share of terms that have any."""
    cut = max(0, int(np.ceil(np.log2(postings / SIMULATED))))
    random = np.random.default_rng(bits)
    counts = np.bincount(random.integers(0, 1 << (bits - cut), int(postings / 2**cut)), minlength=1 << (bits - cut))
    found = counts[random.integers(0, 1 << (bits - cut), ASKED)]
    return float(found.mean()), float(np.mean(found > 0))


def main() -> None:
    rows = []
    for postings in (1e9, 1e10, 1e11, 1e12):
        for bits in STORED_BITS:
            if bits - np.log2(postings / SIMULATED) > 32:
                rows.append((f"{postings:.0e}", str(bits), f"{postings / 2**bits:.1e} (arithmetic)", ""))
                continue
            mean, share = chance_postings(postings, bits)
            rows.append((f"{postings:.0e}", str(bits), f"{mean:.4f}", f"{share:.4f}"))
    print(table(("postings", "bits", "chance postings of an absent term", "absent terms with one"), rows))


if __name__ == "__main__":
    main()
