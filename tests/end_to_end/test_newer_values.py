"""An index with values from a newer version that this version does not know."""

from __future__ import annotations

import heapq
import inspect
from contextlib import closing
from dataclasses import replace

from tests.end_to_end.conftest import Wherefrom
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine

HEAPQ = inspect.getsource(heapq).encode()


def test_they_are_shown_as_their_text_and_stop_nothing(wherefrom: Wherefrom) -> None:
    (wherefrom.folder / "src").mkdir()
    (wherefrom.folder / "src" / "queue.py").write_bytes(HEAPQ)
    wherefrom.indexes("src")
    with closing(open_engine(wherefrom.index, schemes=scheme_ids())) as engine, engine.writer() as writer:
        [record] = engine.repositories()
        writer.put_repository(replace(record, skipped={"secret_scanned": 2}, key_kind="mirror"))
    [listed] = wherefrom.json("list")["repositories"]
    assert (listed["skipped"], listed["key_kind"]) == ({"secret_scanned": 2}, "mirror")
    assert wherefrom("stats").splitlines()[-1].split() == ["secret", "scanned", "2"]
    [hit] = wherefrom.search(HEAPQ)["hits"]
    assert [at["path"] for at in hit["occurrences"]] == ["queue.py"]
    assert wherefrom.indexes("src")["src"]["status"] == "indexed"
