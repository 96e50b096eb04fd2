"""Computes the needs of a collection of repositories from measurements.

    wherefrom index --index clones.wherefrom CLONES...
    python -m benchmarks.sizing --index clones.wherefrom --bytes-per-posting B --terms-per-second T --query N:MS N:MS

The index of real clones shows how many bytes of source a repository has, how many of them are distinct contents, and
how many postings a byte gives. `benchmarks.scale` measures the rest. A collection is split into shards of
`SHARD_BYTES`, which all process a query at the same time. The time in a shard is extrapolated linearly from two
measured sizes: a fixed part, and a part in proportion to the postings, which is the worst case of an inverted index.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice

from benchmarks.timing import percentile, table
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import decode
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine

SIZES = (1_000, 100_000, 10_000_000)

EVERY = 10
"""Postings are counted in one blob of this many."""

SHARD_BYTES = 30e9
"""The size of a shard, within the 10 to 50 GB that Elastic advises."""

NODE_DISK, FILLED = 2e12, 0.7
"""Bytes of a node's disk, and the share that is used."""

NODE_CACHE = 64e9 / 2
"""Bytes of a node's memory that cache files: half of the memory, because the heap gets the other half."""

HOT = 0.66
"""The share of an index that every query reads: postings and term dictionary. The rest is read for candidates only.
From benchmarks/notes/benchmarks.md, with 40-bit terms: (0.074 + 0.389) / 0.706.
"""

COPIES = 2
"""How often every shard is stored, so that a node may fail; a single node stores it once."""


@dataclass(frozen=True, slots=True)
class Clones:
    """Figures of real clones: indexed bytes of each, the share of distinct contents, and postings per distinct byte."""

    sizes: Sequence[int]
    distinct: int
    postings_per_byte: float

    @classmethod
    def of(cls, engine: Engine) -> Clones:
        """Reads the figures from an index of clones."""
        postings = size = 0
        for blob in islice(engine.stored_blobs(), 0, None, EVERY):
            postings += sum(map(len, document_terms(decode(blob.tokens)).values()))
            size += blob.size
        sizes = sorted(record.size for record in engine.repositories())
        return cls(sizes, engine.stats().size, postings / size)

    @property
    def mean(self) -> float:
        """The mean bytes of a repository."""
        return sum(self.sizes) / len(self.sizes)

    @property
    def distinct_share(self) -> float:
        """The share of distinct contents in the bytes of all repositories."""
        return self.distinct / sum(self.sizes)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one engine needs: `queries` are (postings, ms) of a typical query at two sizes, the larger size last."""

    bytes_per_posting: float
    terms_per_second: float
    queries: tuple[tuple[float, float], tuple[float, float]]

    def query_ms(self, postings: float) -> float:
        """The time of a query in a shard with `postings` postings."""
        (small, before), (large, after) = self.queries
        return before + (after - before) * (postings - small) / (large - small)


@dataclass(frozen=True, slots=True)
class Needs:
    """What a collection needs: `disk` in bytes with all copies, `memory` in bytes for one copy of the `HOT` part,
    `shards`, nodes with enough disk or enough memory for these, and `loading` in hours at the speed of one node.
    `query_ms` is the time until all shards have answered, `work_ms` the sum of their times.
    """

    postings: float
    disk: float
    memory: float
    shards: int
    disk_nodes: int
    memory_nodes: int
    loading: float
    query_ms: float
    work_ms: float


def needs(repositories: int, size: float, clones: Clones, figures: Figures) -> Needs:
    """The needs of `repositories` repositories of `size` bytes each."""
    postings = repositories * size * clones.distinct_share * clones.postings_per_byte
    once = postings * figures.bytes_per_posting
    shards = math.ceil(once / SHARD_BYTES)
    copies = 1 if once <= NODE_DISK * FILLED else COPIES
    query = figures.query_ms(postings / shards)
    return Needs(
        postings=postings,
        disk=copies * once,
        memory=HOT * once,
        shards=shards,
        disk_nodes=math.ceil(copies * once / (NODE_DISK * FILLED)),
        memory_nodes=math.ceil(HOT * once / NODE_CACHE),
        loading=postings / figures.terms_per_second / 3600,
        query_ms=query,
        work_ms=query * shards,
    )


def clones_report(clones: Clones) -> str:
    """A table of the clones' figures."""
    megabytes = [f"{percentile(clones.sizes, share) / 1e6:.1f}" for share in (0.1, 0.5, 0.9)]
    head = ("clones", "MB p10", "p50", "p90", "mean", "distinct", "postings / byte")
    row = (str(len(clones.sizes)), *megabytes, f"{clones.mean / 1e6:.1f}", f"{clones.distinct_share:.1%}")
    return table(head, [(*row, f"{clones.postings_per_byte:.4f}")])


def needs_report(clones: Clones, figures: Figures) -> str:
    """A table of what `SIZES` need, by the mean and by the median size of a clone."""
    rows = []
    for repositories in SIZES:
        for name, size in (("mean", clones.mean), ("median", percentile(clones.sizes, 0.5))):
            found = needs(repositories, size, clones, figures)
            rows.append(
                (
                    *(f"{repositories:,}", name, f"{repositories * size / 1e9:,.0f}", f"{found.postings:.1e}"),
                    *(f"{found.disk / 1e9:,.0f}", f"{found.memory / 1e9:,.0f}", f"{found.shards:,}"),
                    *(f"{found.disk_nodes:,}", f"{found.memory_nodes:,}", f"{found.loading:,.1f}"),
                    *(f"{found.query_ms:,.0f}", f"{found.work_ms / 1000:,.2f}"),
                )
            )
    head = (
        *("repositories", "each of", "source, GB", "postings", "disk, GB", "memory, GB", "shards"),
        *("nodes by disk", "nodes by memory", "loading, h", "query, ms", "work of a query, s"),
    )
    return table(head, rows)


def _point(text: str) -> tuple[float, float]:
    postings, ms = text.split(":")
    return float(postings), float(ms)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sizing", description=__doc__)
    parser.add_argument("--index", required=True, help="of real clones")
    parser.add_argument("--bytes-per-posting", type=float, required=True, metavar="B")
    parser.add_argument("--terms-per-second", type=float, required=True, metavar="T")
    parser.add_argument(
        "--query", type=_point, nargs=2, required=True, metavar="POSTINGS:MS", help="at two sizes, the larger one last"
    )
    options = parser.parse_args()
    with closing(open_engine(options.index, schemes=scheme_ids())) as engine:
        clones = Clones.of(engine)
    figures = Figures(options.bytes_per_posting, options.terms_per_second, tuple(options.query))
    print(clones_report(clones), needs_report(clones, figures), sep="\n\n")


if __name__ == "__main__":
    main()
