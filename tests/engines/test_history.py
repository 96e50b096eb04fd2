"""The history of an index is an index beside it, and its texts are what was put into them."""

from __future__ import annotations

import pytest

from tests.engines.conftest import Opened, document, occurrence
from wherefrom.engines.engine import Engine
from wherefrom.engines.history import (
    HistoryReader,
    StoredCommit,
    commits_blob,
    dump_commits,
    load_commits,
    piece_path,
    piece_place,
)
from wherefrom.errors import IndexClosed, IndexDamaged
from wherefrom.model import Occurrence


def test_a_history_is_made_once_and_is_an_index_of_its_own(index: Opened) -> None:
    engine = index.engine
    assert engine.history() is None
    made = engine.make_history()
    assert engine.history() is made is engine.make_history()
    with engine.writer() as writer:
        writer.add_blobs([document("a", [1])])
    with made.writer() as writer:
        writer.add_blobs([document("b", [2])])
        writer.put_occurrences([occurrence("r", "x", "b")])
    assert [blob.blob for blob in engine.stored_blobs()] == [document("a", [1]).stored.blob]
    assert list(engine.occurrences()) == []
    assert (made.schemes, made.term_bits) == (engine.schemes, engine.term_bits)
    engine.close()
    with pytest.raises(IndexClosed):
        made.repositories()


@pytest.mark.parametrize(
    "index", ["embedded", pytest.param("elasticsearch, 1 shard", marks=pytest.mark.live)], indirect=True
)
def test_a_history_is_there_after_the_index_is_opened_again(index: Opened) -> None:
    with index.engine.make_history().writer() as writer:
        writer.put_occurrences([occurrence("r", "x", "b")])
    found = index.reopen().history()
    assert found is not None
    assert [at.path for at in found.occurrences()] == ["x"]


def test_commits_are_read_as_they_were_written() -> None:
    commits = [
        StoredCommit(0, "a" * 40, 0, 10**20, None, is_merge=False),
        StoredCommit(7, "b" * 64, -5, 1_700_000_000, 'v"1\u00fc', is_merge=True, doubts=("import", "base")),
    ]
    assert load_commits(dump_commits(commits)) == commits
    assert load_commits(dump_commits([])) == []


@pytest.mark.parametrize("path", ["a.py", "0000001/a.py", "commits/0", "/x"])
def test_the_place_of_a_piece_is_that_of_its_path(path: str) -> None:
    assert piece_place(Occurrence("r", piece_path(7, path), "b", "c")) == (7, path)
    assert piece_place(Occurrence("r", f"commits/{path}", "b", "c")) is None


def test_a_reader_finds_what_was_written_and_nothing_else(engine: Engine) -> None:
    commit = StoredCommit(600, "c" * 40, 1, 2, "v1", is_merge=False)
    texts = {
        commits_blob("r", 600): dump_commits([commit]),
        commits_blob("lacking", 0): None,
    }
    with engine.writer() as writer:
        writer.add_blobs(
            document(blob, [], blob=blob, size=len(text or b""), source=text) for blob, text in texts.items()
        )
    reader = HistoryReader(engine)
    assert reader.commits([("r", 600), ("r", 601), ("r", 1), ("other", 600)]) == {("r", 600): commit}
    newer = StoredCommit(601, "d" * 40, 1, 2, None, is_merge=True)
    with engine.writer() as writer:
        blob, text = commits_blob("r", 600), dump_commits([commit, newer])
        writer.replace_blobs([document(blob, [], blob=blob, size=len(text), source=text)])
    reader.refresh()
    assert reader.commits([("r", 601)]) == {("r", 601): newer}
    with pytest.raises(IndexDamaged, match="index again with --history"):
        reader.commits([("lacking", 0)])
