"""The share of an indexing run that is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repositories import Repository
from wherefrom.indexer.job import Pace
from wherefrom.sources.directory import DirectorySource
from wherefrom.sources.git import GitSource


def code(lines: int, seed: int) -> bytes:
    return b"".join(b"value_%d = call_%d(%d)\n" % (seed * line, line * line, line) for line in range(lines))


def test_sources_weigh_by_their_bytes(tmp_path: Path) -> None:
    sizes = {"large": 20_000, "small": 200, "tiny": 200}
    sources = []
    for seed, (name, lines) in enumerate(sizes.items(), 1):
        made = Repository.make(tmp_path / name, {"a.py": code(lines, seed)})
        made.git("gc", "--quiet")
        sources.append(GitSource(made.folder, key=name))
    pace = Pace(sources)
    assert pace.share == 0.0
    pace.list("large", 1_000_000)
    pace.finish(500_000)
    assert 0.4 < pace.share < 0.5
    pace.finish(500_000)
    assert 0.9 < pace.share < 1.0
    pace.list("small", 0)  # nothing is new in it
    assert 0.9 < pace.share < 1.0
    pace.list("tiny", 10_000)
    pace.list("tiny", 10_000)
    pace.finish(10_000)
    assert pace.share == 1.0


def test_a_source_of_unknown_size_weighs_as_the_others(tmp_path: Path) -> None:
    pace = Pace([DirectorySource(tmp_path, key=str(number)) for number in range(4)])
    pace.list("0", 100)
    pace.finish(100)
    assert pace.share == pytest.approx(0.25)
