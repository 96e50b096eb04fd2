"""Computes what collections of repositories need, from measurements: the tables of docs/scale.md.

    wherefrom index --index clones.wherefrom CLONES...
    python -m benchmarks.sizing --index clones.wherefrom --seconds S --elasticsearch B

The index of real clones shows how many bytes of source a repository has, how many of them are distinct contents, and
how many postings and bytes of index a byte of source gives. `S` is the processor time of indexing them
(`/usr/bin/time`). `B` is the bytes of a posting in Elasticsearch, merged, from `benchmarks.cluster`.

All figures grow in proportion to the source. That is measured up to 10^9 postings (benchmarks/results/scale.md).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice

from benchmarks.timing import percentile, table
from wherefrom.analyzers.kernel import stored_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine

SIZES = (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)

EVERY = 10
"""Postings are counted in one blob of this many."""

AVERAGE = 32.1e12 / 104.2e6
"""The distinct bytes of a public GitHub repository, of any kind: those of The Stack v2 without near duplicates, divided
by the repositories that it was made from (Lozhkov et al., StarCoder 2 and The Stack v2, arXiv:2402.19173, 2024)."""

CORES = 16
"""Of a machine that indexes."""

SHARD_BYTES = 30e9
"""The size of a shard, within the 10 to 50 GB that Elastic advises."""

NODE_BYTES = 1.4e12
"""What a node stores: 70% of 2 TB."""

COPIES = 2
"""How often each shard is stored, so that a node may fail."""


@dataclass(frozen=True, slots=True)
class Clones:
    """Figures of real clones.

    Attributes:
        sizes: the indexed bytes of each clone.
        distinct: the bytes of their distinct contents.
        postings_per_byte: postings for each distinct byte.
        stored: the bytes of their index.
    """

    sizes: Sequence[int]
    distinct: int
    postings_per_byte: float
    stored: int

    @classmethod
    def of(cls, engine: Engine) -> Clones:
        """Reads the figures from an index of clones."""
        postings = size = 0
        for blob in islice(engine.stored_blobs(), 0, None, EVERY):
            postings += sum(map(len, stored_terms(blob.tokens).values()))
            size += blob.size
        stats = engine.stats()
        sizes = sorted(record.size for record in engine.repositories())
        return cls(sizes, stats.size, postings / size, stats.stored or 0)

    @property
    def mean(self) -> float:
        """The mean distinct bytes of a repository."""
        return self.distinct / len(self.sizes)


@dataclass(frozen=True, slots=True)
class Needs:
    """What a collection needs: its bytes of distinct source, its postings, the bytes of an embedded index, the hours of
    one core for indexing; for Elasticsearch, bytes with all copies, shards, and nodes by their disks.
    """

    source: float
    postings: float
    embedded: float
    hours: float
    elasticsearch: float
    shards: int
    nodes: int


def needs(source: float, clones: Clones, *, seconds: float, elasticsearch: float) -> Needs:
    """The needs of a collection with some bytes of distinct source; arguments as in the module."""
    postings = source * clones.postings_per_byte
    once = postings * elasticsearch
    return Needs(
        source=source,
        postings=postings,
        embedded=source * clones.stored / clones.distinct,
        hours=source * seconds / clones.distinct / 3600,
        elasticsearch=COPIES * once,
        shards=math.ceil(once / SHARD_BYTES),
        nodes=max(COPIES, math.ceil(COPIES * once / NODE_BYTES)),
    )


def rows(clones: Clones, *, seconds: float, elasticsearch: float) -> Iterator[tuple[str, ...]]:
    """A row for each of `SIZES`, for repositories of any kind and for repositories like the clones."""
    for kind, size in (("any", AVERAGE), ("like these", clones.mean)):
        for number in SIZES:
            found = needs(number * size, clones, seconds=seconds, elasticsearch=elasticsearch)
            yield (
                *(kind, f"{number:,}", f"{found.source / 1e9:,.0f}", f"{found.postings:.1e}"),
                *(f"{found.embedded / 1e9:,.0f}", f"{found.hours:,.1f}", f"{found.hours / CORES:,.1f}"),
                *(f"{found.elasticsearch / 1e9:,.0f}", f"{found.shards:,}", f"{found.nodes:,}"),
            )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sizing", description=__doc__)
    parser.add_argument("--index", required=True, help="of real clones")
    parser.add_argument("--seconds", type=float, required=True, metavar="S", help="of a processor, for indexing them")
    parser.add_argument("--elasticsearch", type=float, required=True, metavar="B", help="bytes of a posting")
    options = parser.parse_args()
    with closing(open_engine(options.index, schemes=scheme_ids())) as engine:
        clones = Clones.of(engine)
    sizes = (*(f"{percentile(clones.sizes, share) / 1e6:.1f}" for share in (0.1, 0.5, 0.9)), f"{clones.mean / 1e6:.1f}")
    per_byte = (f"{clones.postings_per_byte:.4f}", f"{clones.stored / clones.distinct:.3f}")
    head: tuple[str, ...] = ("clones", "MB p10", "p50", "p90", "mean, distinct", "postings / byte", "index / byte")
    print(table(head, [(str(len(clones.sizes)), *sizes, *per_byte)]))
    head = ("repositories", "number", "source, GB", "postings", "embedded, GB", "hours of a core", f"of {CORES}")
    head += ("Elasticsearch, GB", "shards", "nodes")
    print(table(head, list(rows(clones, seconds=options.seconds, elasticsearch=options.elasticsearch))))


if __name__ == "__main__":
    main()
