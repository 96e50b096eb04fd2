"""Of the names that a content has in a source, those of code decide its language."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repositories import Repository
from wherefrom.analyzers import stamps
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.indexer.indexing import IndexingRun
from wherefrom.options import IndexOptions
from wherefrom.sources.discover import discover
from wherefrom.sources.source import blob_id

CODE = b"def add(first, second):\n    total = first + second\n    return total * 2 - first\n"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "names", [["a.txt", "b.py"], ["a.py", "b.txt"], ["a.py.orig", "z.py"], ["z.txt", "b.css", "c.py"]]
)
@pytest.mark.parametrize("is_clone", [True, False])
def test_code_comes_before_prose(tmp_path: Path, names: list[str], *, is_clone: bool) -> None:
    folder = tmp_path / "source"
    if is_clone:
        Repository.make(folder, dict.fromkeys(names, CODE))
    else:
        folder.mkdir()
        for name in names:
            (folder / name).write_bytes(CODE)
    engine = MemoryEngine(scheme_ids())
    IndexingRun(engine, discover([str(folder)], cache=tmp_path / "cache"), IndexOptions(jobs=1)).run()
    blob = blob_id(CODE)
    stored = engine.blobs([blob])[blob]
    assert stored.language == "python"
    assert {*stamps.named(stored.analysis)} == {"python", *(["css"] * ("b.css" in names))}
    assert sorted(at.path for at in engine.occurrences()) == sorted(names)
