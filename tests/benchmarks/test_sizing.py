from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.sizing import EVERY, HOT, Clones, Figures, needs
from tests.repositories import Repository
from wherefrom import index_sources
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import decode
from wherefrom.engines import open_engine

CLONES = Clones(sizes=(1_000_000, 3_000_000), distinct=2_000_000, postings_per_byte=0.05)
FIGURES = Figures(bytes_per_posting=20, terms_per_second=100_000, queries=((10**6, 2.0), (10**8, 20.0)))


def test_latency_goes_on_in_a_straight_line() -> None:
    assert FIGURES.query_ms(10**6) == pytest.approx(2)
    assert FIGURES.query_ms(10**8) == pytest.approx(20)
    assert FIGURES.query_ms(199 * 10**6) == pytest.approx(38)


def test_a_small_collection_stands_on_one_node_without_a_copy() -> None:
    found = needs(1000, 2e6, CLONES, FIGURES)
    # 2 GB of source, half of it distinct, 0.05 postings a byte, 20 bytes each.
    assert found.postings == pytest.approx(5e7)
    assert found.disk == pytest.approx(1e9)
    assert found.memory == pytest.approx(HOT * 1e9)
    assert (found.shards, found.disk_nodes, found.memory_nodes) == (1, 1, 1)
    assert found.loading == pytest.approx(500 / 3600)
    assert found.query_ms == found.work_ms == pytest.approx(FIGURES.query_ms(5e7))


def test_a_large_collection_has_copies_and_every_shard_works_at_a_query() -> None:
    found = needs(10_000_000, 2e6, CLONES, FIGURES)
    assert found.disk == pytest.approx(2e13)
    assert (found.shards, found.disk_nodes, found.memory_nodes) == (334, 15, 207)
    assert found.work_ms == pytest.approx(334 * found.query_ms)
    assert found.query_ms == pytest.approx(FIGURES.query_ms(5e11 / 334))


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
    assert clones.distinct_share == pytest.approx(total / (total + len(shared)))
    postings = sum(map(len, document_terms(decode(first.tokens)).values()))
    assert clones.postings_per_byte == pytest.approx(postings / first.size)
