"""Git does not compare the content of an object with its id, so a clone can give a content a wrong id."""

from __future__ import annotations

import zlib
from pathlib import Path

from tests.repositories import Repository
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.indexer.indexing import IndexingRun
from wherefrom.model import SkipReason
from wherefrom.options import IndexOptions
from wherefrom.sources.discover import discover
from wherefrom.sources.source import blob_id

ADD = b"def add(first, second):\n    total = first + second\n    return total * 2 - first\n"
SUB = ADD.replace(b"+", b"-")


def test_a_content_with_the_id_of_another_one_is_not_indexed(tmp_path: Path) -> None:
    clone = Repository.make(tmp_path / "clone", {"add.py": ADD, "sub.py": SUB}).folder
    blob = blob_id(ADD)
    file = clone / ".git" / "objects" / blob[:2] / blob[2:]
    file.chmod(0o600)
    file.write_bytes(zlib.compress(b"blob %d\0" % len(SUB) + SUB))
    engine = MemoryEngine(scheme_ids())
    report = IndexingRun(engine, discover([str(clone)], cache=tmp_path / "cache"), IndexOptions(jobs=1)).run()
    assert [repository.skipped for repository in report.repositories] == [{SkipReason.UNREADABLE: 1}]
    assert [at.path for at in engine.occurrences()] == ["sub.py"]
    assert engine.known([blob]) == set()
