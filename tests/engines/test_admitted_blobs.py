"""The blobs that filters admit stay the same while other writers commit, on every engine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.engines.conftest import Opened, blob_id, document, occurrence, repository
from wherefrom.queries.filters import AdmittedBlobs, Filters

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from wherefrom.model import Occurrence


def test_a_commit_by_another_writer_is_seen_at_once(index: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, writing = index.engine, index.again()
    with writing.writer() as writer:
        writer.add_blobs([document(1, [1]), document(2, [2]), document(3, [3])])
        writer.put_occurrences([occurrence("one", "a.py", 1), occurrence("two", "a.py", 2)])
        for key in ("one", "two"):
            writer.put_repository(repository(key))
    listed: list[str | None] = []
    listing = engine.occurrences

    def counted(*, blobs: Collection[str] | None = None, repository: str | None = None) -> Iterator[Occurrence]:
        listed.append(repository)
        return listing(blobs=blobs, repository=repository)

    monkeypatch.setattr(engine, "occurrences", counted)
    admitted = AdmittedBlobs(engine)
    filters = Filters(paths=("*.py",))
    for _ in range(5):
        assert admitted.of(filters) == {blob_id(1), blob_id(2)}
    assert listed == ["one", "two"]
    # In place of the other file: the counts in the record stay the same.
    with writing.writer() as writer:
        writer.put_occurrences([occurrence("two", "a.py", 3, "r2")])
        writer.put_repository(replace(repository("two"), revision="e" * 40))
    for _ in range(5):
        assert admitted.of(filters) == {blob_id(1), blob_id(3)}
    assert listed == ["one", "two"] * 2
    with writing.writer() as writer:
        writer.delete_occurrences("one")
        writer.delete_repository("one")
    assert admitted.of(filters) == {blob_id(3)}
    assert listed == [*["one", "two"] * 2, "two"]
    if writing is not engine:
        writing.close()
