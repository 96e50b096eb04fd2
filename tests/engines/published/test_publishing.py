"""Publishing: the same index gives the same files, a killed publication does no harm, other files are left alone."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import wherefrom
from tests.end_to_end.conftest import module_source
from tests.engines.conftest import SCHEMES, document, occurrence, repository
from tests.engines.published.conftest import TERMS, answers, filled, publish
from tests.processes import HANGS, KILL
from tests.repositories import Repository
from wherefrom.engines.embedded.contents import Contents
from wherefrom.engines.embedded.folder import LOCK
from wherefrom.engines.embedded.listings import Listings
from wherefrom.engines.engine import Engine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.engines.published.address import MANIFEST
from wherefrom.engines.published.blocks import ContentBlock
from wherefrom.engines.published.engine import PublishedEngine
from wherefrom.engines.published.layout import ROOT, TREES
from wherefrom.engines.published.pages import FolderPlace
from wherefrom.engines.published.publication import Publication
from wherefrom.engines.published.publishing import Publisher
from wherefrom.engines.published.tree import Leaf
from wherefrom.errors import IndexBusy, IndexDamaged, IndexMissing, UnusableIndex, UsageError
from wherefrom.model import Occurrence, StoredBlob
from wherefrom.options import PublishOptions


def read(folder: Path) -> list[Any]:
    with closing(PublishedEngine(FolderPlace(folder), SCHEMES)) as engine:
        engine.verify()
        return answers(engine)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.thorough
def test_the_answers_are_those_of_the_index(published: Path) -> None:
    index = filled()
    found = answers(index)
    found[5] = list(read(published)[5])  # the locations of the clones are not published
    assert read(published) == found
    assert [record.key for record in found[5]] == [record.key for record in index.repositories()]


@pytest.mark.thorough
def test_the_same_index_gives_the_same_files(published: Path, tmp_path: Path) -> None:
    index = filled()
    first, again = publish(index, tmp_path / "one"), publish(index, tmp_path / "one")
    assert first == again == publish(index, tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two") == contents(published)


def test_only_changed_files_are_written_again(tmp_path: Path) -> None:
    index = filled(20)
    first = Publisher(index, tmp_path / "made", PublishOptions()).run()
    assert (first.files, first.written) == (7, 7)
    assert Publisher(index, tmp_path / "made", PublishOptions()).run().written == 0
    with index.writer() as writer:
        writer.put_repository(repository("another"))
    changed = Publisher(index, tmp_path / "made", PublishOptions()).run()
    assert changed.written == 2  # the records and the root
    assert changed.sha256 != first.sha256


def test_files_of_the_publication_before_the_last_are_removed(tmp_path: Path) -> None:
    names = []
    for seed in (1, 2, 3):
        publish(filled(20, seed=seed), tmp_path / "made")
        names.append(
            {file["name"] for file in json.loads((tmp_path / "made" / MANIFEST).read_bytes())["files"].values()}
        )
    assert {path.name for path in (tmp_path / "made").iterdir()} == {MANIFEST, LOCK, *names[1], *names[2]}


def written(path: Path) -> tuple[int, int, int]:
    """What changes if a file is written. The time of the last access changes also if it is read."""
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def test_publishing_what_did_not_change_writes_and_removes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    publish(filled(20), folder)
    with closing(PublishedEngine(FolderPlace(folder), SCHEMES)) as reader:
        expected = answers(reader)
    with closing(PublishedEngine(FolderPlace(folder), SCHEMES)) as reader:
        publish(filled(20, seed=2), folder)
        before = {path.name: written(path) for path in folder.iterdir()}
        for _ in range(2):
            publish(filled(20, seed=2), folder)
        assert {path.name: written(path) for path in folder.iterdir()} == before
        assert answers(reader) == expected


def test_a_damaged_file_is_written_again(tmp_path: Path) -> None:
    publish(filled(20), tmp_path)
    before = contents(tmp_path)
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:-1] + b"x")
    publish(filled(20), tmp_path)
    assert contents(tmp_path) == {**before, LOCK: b"x"}


OTHERS = [
    "notes.txt",
    "history",
    ".git",
    "records-of-2024.txt",
    "records-0123456789abcde",
    "records-0123456789abcdef0",
    "records-0123456789ABCDEF",
    "copies-0123456789abcdef",
    ".wherefrom-notes",
    ".wherefrom-root-0123456",
    "wherefrom-published.json~",
]


@pytest.mark.parametrize("name", OTHERS)
def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, name: str) -> None:
    publish(filled(2), tmp_path)
    (tmp_path / name).write_text("mine")
    before = contents(tmp_path)
    with pytest.raises(UsageError, match="has other files"):
        publish(filled(3), tmp_path)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["root-0123456789abcdef", ".wherefrom-root-01234567", MANIFEST, LOCK])
def test_a_folder_or_a_link_is_never_taken_for_a_published_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "mine").write_text("mine")
    for place, make in (("one", Path.mkdir), ("two", lambda path: path.symlink_to(tmp_path / "mine"))):
        (tmp_path / place).mkdir()
        make(tmp_path / place / name)
        with pytest.raises(UsageError, match="has other files"):
            publish(filled(2), tmp_path / place)
        assert [path.name for path in (tmp_path / place).iterdir()] == [name]
    assert (tmp_path / "mine").read_text() == "mine"


def test_files_that_a_killed_publication_left_are_removed(tmp_path: Path) -> None:
    publish(filled(2), tmp_path)
    names = [".wherefrom-root-01234567", ".wherefrom-history-01234567", ".wherefrom-0123456789abcdef"]
    for name in names:
        (tmp_path / name).write_text("half")
    (tmp_path / "root-0123456789abcdef").write_text("of no publication")
    publish(filled(3), tmp_path)
    assert not {*names, "root-0123456789abcdef"} & {path.name for path in tmp_path.iterdir()}


def test_two_cannot_publish_into_one_folder_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "made"

    class Second(MemoryEngine):
        """An index that is published a second time while it is being published."""

        def boilerplate_names(self) -> list[str]:
            with pytest.raises(IndexBusy, match="is being written already"):
                publish(filled(2), folder)
            return super().boilerplate_names()

    publish(Second(SCHEMES), folder)
    publish(filled(2), folder)


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UnusableIndex, match="cannot be written"):
        publish(filled(2), tmp_path / "file" / "below")


def test_a_home_that_nobody_has_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="absolute path"):
        wherefrom.publish_index(tmp_path, "~no-such-user/made")


def test_an_index_that_changes_meanwhile_is_not_published(tmp_path: Path) -> None:
    class Changing(MemoryEngine):
        @property
        def version(self) -> object:
            return object()

    with pytest.raises(IndexBusy, match="changed meanwhile"):
        publish(Changing(SCHEMES), tmp_path / "made")
    with pytest.raises(IndexMissing):
        read(tmp_path / "made")


KILLED = textwrap.dedent(
    """
    import os, sys
    from pathlib import Path
    from tests.engines.published.conftest import filled, publish
    from tests.processes import KILL

    step = int(sys.argv[2])
    def traced(event, arguments):
        global step
        if event == "os.rename" or (event == "open" and str(arguments[0]).replace("\\\\", "/").startswith(sys.argv[1])):
            step -= 1
            if step == 0:
                os.kill(os.getpid(), KILL)

    index = filled(60, seed=2)
    sys.addaudithook(traced)
    publish(index, Path(sys.argv[1]))
    """
)


@pytest.mark.thorough
@pytest.mark.parametrize("step", [2, 4, 7, 9, 11, 13, 15])
def test_a_killed_publication_leaves_the_last_one(tmp_path: Path, step: int) -> None:
    folder = tmp_path / "made"
    publish(filled(60), folder)
    before = read(folder)
    command = [sys.executable, "-c", KILLED, str(folder), str(step)]
    done = subprocess.run(command, timeout=HANGS, check=False, capture_output=True)
    assert done.returncode in {KILL, -KILL}, done.stderr
    assert read(folder) == before
    digest = publish(filled(60, seed=2), folder)
    assert digest == publish(filled(60, seed=2), tmp_path / "whole")
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]
    assert read(folder) == read(tmp_path / "whole")


def with_history() -> MemoryEngine:
    index = filled(20)
    with index.make_history().writer() as writer:
        writer.add_blobs([document("old", [1], source=b"ages")])
        writer.put_occurrences([occurrence("r1", "old.py", "old")])
    return index


def test_each_content_is_read_once_and_places_are_read_by_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: Counter[str] = Counter()
    asked: list[str | None] = []
    blobs, located = Contents.blobs, Listings.occurrences

    def reading(contents: Contents, names: Collection[str], *fields: Any) -> Any:
        read.update(names)
        return blobs(contents, names, *fields)

    def locating(listings: Listings, names: Collection[str] | None, repository: str | None) -> list[Occurrence]:
        asked.append(repository if names is None else "")
        return located(listings, names, repository)

    clones = [Repository.make(tmp_path / name, {f"{name}.py": module_source(name)}) for name in ("csv", "heapq")]
    wherefrom.index_sources([clone.folder for clone in clones], tmp_path / "index", jobs=1)
    monkeypatch.setattr(Contents, "blobs", reading)
    monkeypatch.setattr(Listings, "occurrences", locating)
    wherefrom.publish_index(tmp_path / "index", tmp_path / "www")
    assert {*read.values()} == {1}
    assert None not in asked


def test_a_filter_reads_only_the_contents_that_are_returned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(filled(400), tmp_path)
    blocks, read = PublishedEngine._blocks, 0

    def counting(engine: PublishedEngine, opened: Publication, leaves: Sequence[Leaf]) -> dict[Leaf, ContentBlock]:
        nonlocal read
        read += len({*leaves} - opened.blocks.keys())
        return blocks(engine, opened, leaves)

    with closing(PublishedEngine(FolderPlace(tmp_path), SCHEMES)) as engine:
        found = [candidate.blob.blob for candidate in engine.candidates(TERMS, limit=1000)]
        for wanted in (found[::2], found[50:52], found):
            engine._current.blocks.clear()
            engine._current.leaf_of.clear()
            with monkeypatch.context() as patch:
                patch.setattr(PublishedEngine, "_blocks", counting)
                read = 0
                got = [candidate.blob.blob for candidate in engine.candidates(TERMS, limit=2, blobs=frozenset(wanted))]
            assert got == wanted[: len(got)]
            assert 2 <= len(got) < 20
            assert read <= len(got)


def test_a_history_is_published_too(tmp_path: Path) -> None:
    index = with_history()
    publish(index, tmp_path / "made")
    with closing(PublishedEngine(FolderPlace(tmp_path / "made"), SCHEMES)) as engine:
        history, expected = engine.history(), index.history()
        assert history is not None
        assert expected is not None
        blobs = [stored.blob for stored in expected.stored_blobs()]
        assert history.blobs(blobs) == expected.blobs(blobs)
        engine.verify()
    (manifest,) = (tmp_path / "made").glob("history-*")
    manifest.write_bytes(manifest.read_bytes().replace(b"r", b"R"))
    changed = PublishedEngine(FolderPlace(tmp_path / "made"), SCHEMES)
    with closing(changed), pytest.raises(IndexDamaged, match="does not match"):
        changed.history()


def test_index_and_history_are_of_one_publication(tmp_path: Path) -> None:
    index = with_history()
    publish(index, tmp_path)
    with closing(PublishedEngine(FolderPlace(tmp_path), SCHEMES)) as reader:
        past = index.make_history()
        before = list(past.occurrences())
        with past.writer() as writer:
            writer.put_occurrences([occurrence("r1", "new.py", "old")])
        publish(index, tmp_path)
        assert not [path for path in tmp_path.iterdir() if path.is_dir()]
        history = reader.history()
        assert history is not None
        assert list(history.occurrences()) == before
        history.verify()
    with closing(PublishedEngine(FolderPlace(tmp_path), SCHEMES)) as reader:
        history = reader.history()
        assert history is not None
        assert list(history.occurrences()) == list(past.occurrences())


def test_no_path_of_this_machine_is_published(tmp_path: Path) -> None:
    publish(filled(20), tmp_path / "made")
    with closing(PublishedEngine(FolderPlace(tmp_path / "made"), SCHEMES)) as engine:
        assert {record.location for record in engine.repositories()} == {""}
    assert filled(20).repositories()[0].location.startswith("/clones/")


def test_what_is_published_without_code(tmp_path: Path) -> None:
    def without(tokens: bytes) -> bytes:
        return b"P" + tokens[:1]

    index = with_history()
    publish(index, tmp_path / "made")
    Publisher(index, tmp_path / "made", PublishOptions(), without).run()
    assert {path.name.partition("-")[0] for path in (tmp_path / "made").iterdir()} == {"wherefrom", LOCK, ROOT, *TREES}
    assert len(list((tmp_path / "made").iterdir())) == 9
    with closing(PublishedEngine(FolderPlace(tmp_path / "made"), SCHEMES)) as engine:
        stored = list(engine.stored_blobs())
        assert {(len(each.tokens), each.tokens[:1], each.source) for each in stored} == {(2, b"P", None)}
        assert engine.history() is None


def test_it_cannot_be_changed(published: Path) -> None:
    with closing(PublishedEngine(FolderPlace(published), SCHEMES)) as engine:
        for call in (engine.writer, engine.make_history):
            with pytest.raises(UsageError, match="publish it again"):
                call()


def every_byte(folder: Path) -> Iterator[tuple[Path, int]]:
    """Some bytes of each file."""
    for path in sorted(folder.iterdir()):
        size = path.stat().st_size
        yield from ((path, at) for at in range(0, size, max(1, size // 9)))


@pytest.mark.thorough
def test_a_changed_byte_is_an_error_or_is_not_read(folder: Path, expected: list[Any]) -> None:
    failed = 0
    for path, at in every_byte(folder):
        content = path.read_bytes()
        path.write_bytes(content[:at] + bytes([content[at] ^ 8]) + content[at + 1 :])
        try:
            assert read_only(folder) == expected
        except UnusableIndex:
            failed += 1
        path.write_bytes(content)
    assert failed > 20
    assert read_only(folder) == expected


def read_only(folder: Path) -> list[Any]:
    with closing(PublishedEngine(FolderPlace(folder), SCHEMES)) as engine:
        return answers(engine)


def test_a_closed_index_says_so(published: Path) -> None:
    engine: Engine = PublishedEngine(FolderPlace(published), SCHEMES)
    engine.close()
    with pytest.raises(UnusableIndex, match="closed"):
        engine.candidates(TERMS, limit=1)


@pytest.mark.thorough
def test_several_threads_may_read(published: Path, expected: list[Any]) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with closing(PublishedEngine(FolderPlace(published), SCHEMES)) as engine, ThreadPoolExecutor(4) as pool:
        for found in pool.map(answers, [engine] * 8):
            assert found == expected


def test_contents_of_every_size_are_read_back(tmp_path: Path) -> None:
    index = MemoryEngine(SCHEMES)
    sizes = (0, 1, 1023, 1024, 1025, 4096, 70_000, 300_000)
    with index.writer() as writer:
        writer.add_blobs(document(size, [size], tokens=bytes(size), source=b"x" * size) for size in sizes)
    publish(index, tmp_path / "made")
    with closing(PublishedEngine(FolderPlace(tmp_path / "made"), SCHEMES)) as engine:
        expected: list[StoredBlob] = sorted(index.stored_blobs(), key=lambda stored: stored.blob)
        assert list(engine.stored_blobs()) == expected


def test_an_index_on_elasticsearch_is_published_through_a_copy(
    elasticsearch_location: Callable[[], str], tmp_path: Path
) -> None:
    Repository.make(tmp_path / "clone", {f"{name}.py": module_source(name) for name in ("heapq", "csv")})
    location = elasticsearch_location()
    for place in (location, tmp_path / "index"):
        wherefrom.index_sources([tmp_path / "clone"], place, jobs=1)
    wherefrom.publish_index(location, tmp_path / "made")
    snippet = b"\n".join(module_source("heapq").split(b"\n")[250:290])
    with wherefrom.open_index(tmp_path / "index") as one, wherefrom.open_index(tmp_path / "made") as other:
        found = one.search(snippet).hits
        assert found
        assert other.search(snippet).hits == found
