"""The history of an index: the same whatever the number of runs, and never that of another line of commits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import replace
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.indexer import dying
from tests.repositories import Repository
from wherefrom import UsageError, copy_index, index_sources, open_index
from wherefrom.analyzers.pieces import piece, piece_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine
from wherefrom.engines.history import HistoryReader, StoredCommit, piece_place
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import CopyError, IndexDamaged
from wherefrom.indexer import history as histories
from wherefrom.indexer import indexing
from wherefrom.indexer.copy import Copy, Union
from wherefrom.indexer.history import HistoryRun
from wherefrom.indexer.removing import remove, sweep
from wherefrom.model import RepositoryRecord
from wherefrom.options import CopyOptions, IndexOptions
from wherefrom.results import Doubt, HistoryReport, IndexProgress
from wherefrom.sources.directory import DirectorySource
from wherefrom.sources.git import GitSource
from wherefrom.support import throttle
from wherefrom.support.workers.pool import Pool

MakeClone = Callable[..., Repository]


def code(number: int, *, size: int = 3) -> bytes:
    """Functions whose operators no other number has: names and numbers alone make no new code."""

    def functions() -> Iterator[str]:
        for each in range(size):
            digits = np.random.default_rng([number, each]).integers(0, 8, 24).tolist()
            first, second, third = (
                "".join(f" {'+-*/%&|^'[digit]} item" for digit in digits[begin : begin + 8]) for begin in (0, 8, 16)
            )
            yield f"def compute_{number}_{each}(item, total):\n    total = item{first}\n    for item in total:\n"
            yield f"        if item{second}:\n            total -= item\n    return total{third}\n\n\n"

    return "".join(functions()).encode()


@pytest.fixture(scope="module")
def workers() -> Iterator[Pool[Any, Any]]:
    """Keeps the worker for all tests."""
    with Pool(piece, jobs=1) as pool:
        yield pool


@pytest.fixture(autouse=True)
def _keep_workers(workers: Pool[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histories, "Pool", lambda *_, **__: nullcontext(workers))


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads one file at a time, and commits after each."""
    for module, name, value in (
        (indexing, "BATCH_FILES", 1),
        (histories, "COMMIT_BYTES", 1),
        (throttle, "SECONDS", 0.0),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.fixture
def clone(tmp_path: Path) -> MakeClone:
    def make(name: str = "clone", files: dict[str, bytes] | None = None) -> Repository:
        return Repository.make(tmp_path / name, files)

    return make


LIVE = pytest.param("elasticsearch", marks=pytest.mark.live)


@pytest.fixture(params=["memory", "embedded", LIVE])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "memory":
        yield MemoryEngine(scheme_ids())
        return
    live = request.param == "elasticsearch"
    location = request.getfixturevalue("elasticsearch_location")() if live else tmp_path / "index"
    with closing(open_engine(location, schemes=scheme_ids(), create=True)) as opened:
        yield opened


def source(repository: Repository, rev: str | None = None) -> GitSource:
    return GitSource(repository.folder, key=repository.folder.name, rev=rev)


def note(engine: Engine, *keys: str) -> None:
    """Notes that these repositories are indexed."""
    with engine.writer() as writer:
        for key in keys:
            writer.put_repository(RepositoryRecord(key, "/x", "git", "r", "s", 1, 1, {}, "2026-01-01T00:00:00Z"))


def run(engine: Engine, *sources: GitSource, **options: Any) -> list[HistoryReport]:
    note(engine, *(each.key for each in sources))
    running = HistoryRun(engine, sources, IndexOptions(history=True, jobs=1, **options))
    running.run()
    return running.reports


def run_whole(*repositories: Repository, **options: Any) -> MemoryEngine:
    engine = MemoryEngine(scheme_ids())
    run(engine, *map(source, repositories), **options)
    return engine


def past(engine: Engine) -> Engine:
    found = engine.history()
    assert found is not None
    return found


def stored(engine: Engine) -> dict[str, object]:
    """Everything that a history has, by repository."""
    history = past(engine)
    found: dict[str, object] = {}
    for record in history.repositories():
        places = list(history.occurrences(repository=record.key))
        blobs = history.blobs({place.blob for place in places})
        found[record.key] = replace(record, indexed_at=""), places, blobs
    return found


def pieces(engine: Engine, key: str = "clone") -> list[tuple[int, str]]:
    places = map(piece_place, past(engine).occurrences(repository=key))
    return [place for place in places if place is not None]


def commits(engine: Engine, *numbers: int, key: str = "clone") -> list[StoredCommit]:
    found = HistoryReader(past(engine)).commits((key, number) for number in numbers)
    return [found[key, number] for number in numbers]


def long_story(repository: Repository) -> list[str]:
    """Commits of every kind."""
    rows = code(1).splitlines(keepends=True)
    repository.commit({"a.py": code(1), "b.py": code(2), "d.py": "a = 'ü'\r\n".encode("utf-16"), "e.py": b""})
    repository.commit({"a.py": b"".join(rows[:9] + rows[12:])})
    repository.commit()
    repository.git("mv", "b.py", "folder b.py")
    repository.commit({"folder b.py": code(2).replace(b"compute_2_1", b"renamed") + code(3)})
    (repository.folder / "a.py").chmod(0o755)
    repository.commit({"e.py": code(4), "d.py": code(5)})
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit({"side.py": code(6)})
    repository.commit({"side.py": code(6) + code(7)})
    repository.git("checkout", "--quiet", "main")
    repository.commit({"a.py": code(1)})
    repository.git("merge", "--quiet", "--no-ff", "-m", "Merge", "side")
    repository.commit({"copy.py": code(2), "vendor.min.js": b"var a=1;", "data.csv": b"1,2\n"})
    (repository.folder / "e.py").unlink()
    (repository.folder / "e.py").symlink_to("a.py")
    repository.commit({"d.py": code(5).replace(b"total", b"sum"), "side.py": code(7)})
    (repository.folder / "e.py").unlink()
    repository.commit({"e.py": code(4)})
    (repository.folder / "copy.py").unlink()
    repository.git("mv", "d.py", "d.txt")
    repository.commit({"side.py": code(7) + code(6)})
    return repository.git("rev-list", "--first-parent", "--reverse", "HEAD").splitlines()


@pytest.mark.thorough
def test_a_run_after_each_commit_stores_what_one_run_stores(engine: Engine, clone: MakeClone) -> None:
    repository = clone()
    line = long_story(repository)
    for number, commit in enumerate(line):
        (report,) = run(engine, source(repository, commit))
        assert (report.status, report.commits, report.error) == ("indexed", 1, None), number
    whole = run_whole(repository)
    assert stored(engine) == stored(whole)
    assert len(pieces(whole)) > len(line) // 2
    (again,) = run(engine, source(repository))
    assert (again.status, again.commits, again.pieces) == ("unchanged", 0, len(pieces(whole)))
    assert stored(engine) == stored(whole)
    for blob in past(engine).stored_blobs():
        for kind, terms in piece_terms(blob).items():
            assert 0 not in past(engine).document_frequencies({kind: terms.tolist()})[kind].counts
    past(engine).verify()


@pytest.mark.slow
@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("is_rewritten", [False, True])
def test_a_stopped_run_goes_on(engine: Engine, clone: MakeClone, is_rewritten: bool) -> None:
    repository = clone()
    line = long_story(repository)
    if is_rewritten:
        run(engine, source(repository))
        repository.git("reset", "--quiet", "--hard", line[7])
        repository.commit({"other.py": code(8)})
        repository.commit({"other.py": code(9)})
    whole = stored(run_whole(repository))
    states = []
    for steps in (0, 9, 20):
        left = count(steps, -1)

        def stop(_: IndexProgress, left: Iterator[int] = left) -> None:
            if next(left) <= 0:
                raise KeyboardInterrupt

        try:
            run(engine, source(repository), progress=stop)
        except KeyboardInterrupt:
            states.append(stored(engine) if past(engine).repository("clone") else {})
    assert states
    assert states[0] != whole
    run(engine, source(repository))
    assert stored(engine) == whole


@pytest.mark.thorough
def test_after_a_force_push_only_what_follows_the_fork_is_new(engine: Engine, clone: MakeClone) -> None:
    repository = clone()
    line = long_story(repository)
    run(engine, source(repository))
    before = pieces(engine)
    repository.git("reset", "--quiet", "--hard", line[6])
    (shorter,) = run(engine, source(repository))
    assert shorter.status == "rewritten"
    assert stored(engine) == stored(run_whole(repository))
    assert pieces(engine) == [place for place in before if place[0] <= 6]
    repository.commit({"new.py": code(20), "side.py": code(21)})
    run(engine, source(repository))
    repository.git("commit", "--quiet", "--amend", "-m", "Amended")
    (amended,) = run(engine, source(repository))
    assert (amended.status, amended.files) == ("rewritten", 2)
    assert stored(engine) == stored(run_whole(repository))
    repository.git("checkout", "--quiet", "--orphan", "fresh")
    repository.commit({"a.py": code(30)})
    (other,) = run(engine, source(repository))
    assert other.status == "rewritten"
    assert stored(engine) == stored(run_whole(repository))


@pytest.mark.thorough
def test_a_clone_that_got_its_older_commits_is_read_again(engine: Engine, clone: MakeClone, tmp_path: Path) -> None:
    repository = clone("origin", {"a.py": code(1)})
    repository.commit({"a.py": code(1) + code(2)})
    repository.commit({"b.py": code(3)})
    repository.git("clone", "--quiet", "--depth=2", f"file://{repository.folder}", "../clone")
    shallow = Repository(tmp_path / "clone")
    (report,) = run(engine, source(shallow))
    assert "shallow" in report.warnings[0]
    assert [commit.doubts for commit in commits(engine, 0, 1)] == [(Doubt.BASE,), ()]
    shallow.git("fetch", "--quiet", "--unshallow")
    (report,) = run(engine, source(shallow))
    assert (report.status, report.warnings) == ("indexed", ())
    assert stored(engine) == stored(run_whole(shallow))
    assert commits(engine, 0)[0].doubts == ()


@pytest.mark.thorough
def test_other_options_begin_anew(engine: Engine, clone: MakeClone) -> None:
    repository = clone(files={"a.py": code(1)})
    repository.commit({"b.py": code(2)})
    repository.git("tag", "v1")
    repository.git("branch", "side")
    repository.commit({"c.py": code(3)})
    for options in ({"branch": "side"}, {"tags_only": True}, {"include_data": True}, {}):
        (report,) = run(engine, source(repository), **options)
        assert report.status == "indexed"
        assert stored(engine) == stored(run_whole(repository, **options)), options


def test_only_commits_from_a_day_on(clone: MakeClone) -> None:
    repository = clone(files={"a.py": code(1)})
    for number in (2, 3):
        repository.write({f"{number}.py": code(number)})
        repository.git("add", "--all")
        tree = repository.git("write-tree")
        commit = f"tree {tree}\nparent {repository.git('rev-parse', 'HEAD')}\n"
        commit += f"author A <a> 1 +0000\ncommitter A <a> {1_750_000_000 + number} +0000\n\nText\n"
        made = repository.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=commit.encode())
        repository.git("update-ref", "refs/heads/main", made)
    engine = run_whole(repository, since=date(2025, 1, 1))
    assert pieces(engine) == [(1, "2.py"), (1, "a.py"), (2, "3.py")]
    assert [commit.doubts for commit in commits(engine, 1, 2)] == [(Doubt.BASE,), ()]
    engine = MemoryEngine(scheme_ids())
    for _ in range(2):
        (report,) = run(engine, source(repository), since=date(2040, 1, 1))
        assert (report.status, report.pieces, report.error) == ("indexed", 0, None)


@pytest.mark.thorough
def test_newer_and_older_tags_are_noted(engine: Engine, clone: MakeClone) -> None:
    repository = clone(files={"a.py": code(1)})
    repository.commit({"a.py": b"# only a comment\n" + code(1)})
    repository.commit({"b.py": code(2)})
    repository.commit({"c.py": code(3)})
    run(engine, source(repository))
    repository.git("tag", "v2", "HEAD~1")
    (report,) = run(engine, source(repository))
    assert (report.status, report.commits) == ("indexed", 0)
    assert [commit.tag for commit in commits(engine, 0, 1, 2, 3)] == ["v2", "v2", "v2", None]
    repository.git("tag", "older", "HEAD~2")  # of the same day, and first by name
    run(engine, source(repository))
    assert [commit.tag for commit in commits(engine, 0, 1, 2, 3)] == ["older", "older", "v2", None]
    assert stored(engine) == stored(run_whole(repository))
    repository.git("tag", "--delete", "v2", "older")
    run(engine, source(repository))
    assert stored(engine) == stored(run_whole(repository))
    assert run(engine, source(repository))[0].status == "unchanged"


@pytest.mark.thorough
def test_forks_share_their_pieces(engine: Engine, clone: MakeClone, tmp_path: Path) -> None:
    repository = clone(files={"a.py": code(1)})
    repository.commit({"a.py": code(1) + code(2)})
    repository.git("clone", "--quiet", str(repository.folder), "../fork")
    fork = Repository(tmp_path / "fork")
    fork.commit({"a.py": code(1) + code(2) + code(3)})
    run(engine, source(repository), source(fork))
    assert pieces(engine) == [(0, "a.py"), (1, "a.py")]
    assert pieces(engine, "fork") == [*pieces(engine), (2, "a.py")]
    blobs = [blob for blob in past(engine).stored_blobs() if blob.token_count]
    assert len(blobs) == 3


def test_moved_and_reverted_code_is_not_new(clone: MakeClone) -> None:
    repository = clone(files={"a.py": code(1) + code(2)})
    repository.commit({"a.py": code(1), "b.py": code(2)})
    repository.git("mv", "b.py", "c.py")
    repository.commit({"a.py": b""})
    repository.git("revert", "--no-edit", "HEAD")
    engine = run_whole(repository)
    assert [number for number, _ in pieces(engine) if number > 1] == []


@pytest.mark.thorough
def test_skipped_files_have_no_pieces_until_they_get_another_name(engine: Engine, clone: MakeClone) -> None:
    repository = clone(files={"a.min.js": code(1), "b.csv": code(2), "big.py": code(3, size=30), "d.txt": code(4)})
    small = {"max_file_size": 3_000}
    run(engine, source(repository), **small)
    assert pieces(engine) == [(0, "d.txt")]
    for old, new in (("a.min.js", "a.py"), ("b.csv", "b.py"), ("d.txt", "d.py")):
        repository.git("mv", old, new)
    repository.commit({"big.py": code(3)})
    run(engine, source(repository), **small)
    assert pieces(engine)[1:] == [(1, "a.py"), (1, "b.py"), (1, "big.py"), (1, "d.py")]
    assert stored(engine) == stored(run_whole(repository, **small))


def test_files_that_are_binary_for_git(clone: MakeClone) -> None:
    repository = clone(files={"a.py": code(1).decode().encode("utf-16"), "empty.py": b""})
    repository.commit({"a.py": (code(1) + code(2)).decode().encode("utf-16"), "empty.py": b"a\n"})
    assert pieces(run_whole(repository)) == [(0, "a.py"), (1, "a.py")]


@pytest.mark.slow
def test_a_worker_that_dies_costs_only_its_file(clone: MakeClone, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = MemoryEngine(scheme_ids())
    repository = clone(files={"a.py": code(1), "b.py": b"deadly = 1\n" + code(2)})
    repository.commit({"c.py": code(3)})
    with Pool(dying.piece, jobs=1) as pool:
        monkeypatch.setattr(histories, "Pool", lambda *_, **__: nullcontext(pool))
        (report,) = run(engine, source(repository))
    assert (report.status, report.files, report.error) == ("indexed", 3, None)
    assert pieces(engine) == [(0, "a.py"), (1, "c.py")]


@pytest.mark.thorough
def test_a_repository_that_cannot_be_read_stops_no_other_and_keeps_its_history(
    engine: Engine, clone: MakeClone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wherefrom.sources.history.MOST_LACKING", 0)
    broken, sound = clone("broken", {"a.py": code(1)}), clone("sound", {"b.py": code(2)})
    run(engine, source(broken))
    before = stored(engine)
    gone = broken.git("rev-parse", "HEAD:a.py")
    broken.commit({"a.py": code(3)})
    (broken.folder / ".git" / "objects" / gone[:2] / gone[2:]).unlink()
    failed, indexed = run(engine, source(broken), source(sound), include_data=True)
    assert failed.status == "failed"
    assert "git fsck" in str(failed.error)
    assert indexed.status == "indexed"
    assert stored(engine)["broken"] == before["broken"]
    (unknown,) = run(engine, source(sound), branch="none")
    assert "no revision 'none'" in str(unknown.error)


def test_what_is_no_repository_has_no_history(engine: Engine, clone: MakeClone, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    empty = clone("empty")
    folder = DirectorySource(tmp_path / "folder")
    note(engine, "empty", folder.key)
    running = HistoryRun(engine, [source(empty), folder], IndexOptions(history=True, jobs=1))
    running.run()
    assert [(report.key, report.status) for report in running.reports] == [("empty", "unchanged")]
    assert stored(engine) == {}
    unindexed = HistoryRun(engine, [source(clone("unindexed", {"a.py": code(1)}))], IndexOptions(history=True, jobs=1))
    unindexed.run()
    assert unindexed.reports == []


def test_doubts_about_dates(clone: MakeClone) -> None:
    repository = clone(files={f"{number}.py": code(number, size=1) for number in range(20)})
    for seconds in (1_000_000_000, 900_000_000, 5, 99_999_999_999):
        parent = repository.git("rev-parse", "HEAD")
        repository.write({f"at{seconds}.py": code(seconds, size=1)})
        repository.git("add", "--all")
        tree = repository.git("write-tree")
        text = f"tree {tree}\nparent {parent}\nauthor A <a> 1 +0000\ncommitter A <a> {seconds} +0000\n\nText\n"
        made = repository.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=text.encode())
        repository.git("update-ref", "refs/heads/main", made)
    engine = run_whole(repository)
    assert [commit.doubts for commit in commits(engine, 0, 1, 2, 3, 4)] == [
        (Doubt.IMPORT,),
        (Doubt.OUT_OF_ORDER,),
        (Doubt.OUT_OF_ORDER,),
        (Doubt.OUT_OF_ORDER, Doubt.OUT_OF_RANGE),
        (Doubt.OUT_OF_RANGE,),
    ]


@pytest.mark.slow
def test_more_commits_than_are_stored_together(clone: MakeClone) -> None:
    repository = clone(files={"a.py": code(1)})
    stream = ["reset refs/heads/main\n", f"from {repository.git('rev-parse', 'HEAD')}\n\n"]
    for number in range(700):
        text = f"x = {number}\n"
        stream.append(
            f"commit refs/heads/main\ncommitter A <a@example.org> {1_700_000_000 + number} +0000\ndata 1\nx\n"
        )
        stream.append(f"M 644 inline x.py\ndata {len(text)}\n{text}\n")
    repository.git("fast-import", "--quiet", "--force", stdin="".join(stream).encode())
    engine = MemoryEngine(scheme_ids())
    for revision in ("main~150", "main~50", "main"):
        run(engine, source(repository, revision))
    assert stored(engine) == stored(run_whole(repository))
    assert [commit.number for commit in commits(engine, 0, 511, 512, 700)] == [0, 511, 512, 700]
    repository.git("tag", "v1", "main~100")
    run(engine, source(repository))
    assert [commit.tag for commit in commits(engine, 0, 512, 600, 601)] == ["v1", "v1", "v1", None]


@pytest.mark.thorough
def test_removing_and_sweeping(engine: Engine, clone: MakeClone) -> None:
    repository, other = clone(files={"a.py": code(1)}), clone("other", {"a.py": code(1), "b.py": code(2)})
    run(engine, source(repository), source(other))
    assert remove(engine, ["other"]) == {"other": 0}
    assert stored(engine) == stored(run_whole(repository))
    assert {blob.blob for blob in past(engine).stored_blobs()} == {at.blob for at in past(engine).occurrences()}
    with past(engine).writer() as writer:
        writer.delete_occurrences("clone")
    assert sweep(engine) == 2
    past(engine).verify()


@pytest.mark.thorough
def test_copying_and_copying_again(engine: Engine, clone: MakeClone) -> None:
    repository = clone(files={"a.py": code(1)})
    read = MemoryEngine(scheme_ids())
    run(read, source(repository))

    def copy(**options: Any) -> None:
        sources = Union([past(read)], replace=bool(options.get("replace")))
        Copy(sources, engine.make_history(), CopyOptions(jobs=1, **options), is_history=True).run()

    copy()
    assert stored(engine) == stored(read)
    repository.commit({"a.py": code(1) + code(2)})
    run(read, source(repository))
    with pytest.raises(CopyError, match="--replace"):
        copy()
    copy(replace=True)
    assert stored(engine) == stored(read)
    run(engine, source(repository))
    assert stored(engine) == stored(read)


@pytest.mark.slow
def test_an_index_with_a_history(tmp_path: Path, clone: MakeClone) -> None:
    repository = clone(files={"a.py": code(1)})
    repository.commit({"a.py": code(1) + code(2)})
    location, target = tmp_path / "index", tmp_path / "copy"
    with pytest.raises(UsageError, match="--since says which commits to read"):
        index_sources([repository.folder], location, since=date(2020, 1, 1), jobs=1)
    assert index_sources([repository.folder], location, jobs=1).history == ()
    with open_index(location) as index:
        assert index.stats().history is None
        before = index.stats().stored
    (report,) = index_sources([repository.folder], location, history=True, jobs=1).history
    assert (report.status, report.commits, report.pieces) == ("indexed", 2, 2)
    with open_index(location) as index:
        stats = index.stats(verify=True)
        assert stats.history is not None
        assert (stats.history.repositories, stats.history.pieces, stats.stored) == (1, 2, before)
        assert stats.history.stored
    assert copy_index(location, target, jobs=1).history == 1
    assert copy_index(location, target, jobs=1).history == 1
    with open_index(target) as index:
        copied = index.stats(verify=True).history
        assert copied is not None
        assert (copied.repositories, copied.pieces) == (1, 2)
    damage(location)
    with open_index(location) as index, pytest.raises(IndexDamaged):
        index.stats(verify=True)
    _prunes(target, repository)


def damage(location: Path) -> None:
    """Changes a byte of the postings of a history."""
    run_file = max((path for path in (location / "history" / "runs").rglob("*") if path.is_file()), key=_size)
    content = bytearray(run_file.read_bytes())
    content[len(content) // 2] ^= 1
    run_file.chmod(0o644)
    run_file.write_bytes(content)


def _size(path: Path) -> int:
    return path.stat().st_size


def _prunes(location: Path, repository: Repository) -> None:
    repository.folder.rename(repository.folder.with_name("moved"))
    with open_index(location) as index:
        (gone,) = index.prune()
        assert gone.removed
        stats = index.stats().history
        assert stats is not None
        assert (stats.repositories, stats.pieces) == (0, 0)
