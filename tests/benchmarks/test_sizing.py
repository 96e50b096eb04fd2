from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.sizing import EVERY, Clones, needs
from tests.repositories import Repository
from wherefrom import index_sources
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import decode
from wherefrom.analyzers.words import index_terms
from wherefrom.engines import open_engine

CLONES = Clones(sizes=(1_000_000, 3_000_000), distinct=2_000_000, postings_per_byte=0.05, stored=1_000_000)


def test_needs_grow_with_the_source() -> None:
    found = needs(1e12, CLONES, seconds=1, elasticsearch=20)
    assert found.postings == pytest.approx(5e10)
    assert found.embedded == pytest.approx(5e11)
    assert found.hours == pytest.approx(1e12 / 2e6 / 3600)
    # 1 TB in 30 GB each; two copies, 1.4 TB a node
    assert found.elasticsearch == pytest.approx(2e12)
    assert (found.shards, found.nodes) == (34, 2)
    assert needs(1e13, CLONES, seconds=1, elasticsearch=20).nodes == 15


def test_a_replica_needs_a_second_node() -> None:
    found = needs(1e6, CLONES, seconds=1, elasticsearch=20)
    assert (found.shards, found.nodes) == (1, 2)


@pytest.mark.slow
def test_clones_are_read_from_their_index(tmp_path: Path) -> None:
    shared = b"def shared(value):\n    return [each + 1 for each in value]\n"
    files = {f"{name}.py": f"{name} = compute({name}, {name} + 1, other, {name})\n".encode() * 9 for name in "abcdef"}
    Repository.make(tmp_path / "one", {**files, "shared.py": shared})
    Repository.make(tmp_path / "two", {"again.py": shared})
    index_sources([str(tmp_path)], tmp_path / "index", jobs=1)
    engine = open_engine(tmp_path / "index", schemes=scheme_ids())
    first = next(engine.stored_blobs())
    clones = Clones.of(engine)
    engine.close()
    total = sum(map(len, files.values())) + len(shared)
    assert len(files) < EVERY
    assert clones.sizes == [len(shared), total]
    assert clones.distinct == total
    assert clones.stored > 0
    postings = sum(map(len, index_terms(decode(first.tokens)).values()))
    assert clones.postings_per_byte == pytest.approx(postings / first.size)
