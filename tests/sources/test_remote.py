"""URLs are cloned shallowly into a cache and updated later. The tests use local `file://` remotes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.sources.conftest import MakeRepository, Repository
from wherefrom.errors import GitError, SourceError
from wherefrom.model import RepositoryRecord, SkipReason
from wherefrom.sources.clones import clone_name
from wherefrom.sources.fetching import Fetches
from wherefrom.sources.git import GitSource
from wherefrom.sources.indexed import read_blob
from wherefrom.sources.remote import RemoteSource


def contents(source: GitSource) -> dict[str, bytes | SkipReason]:
    return {entry.path: content for entry, content in source.read(source.entries())}


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes the waits between tries."""
    monkeypatch.setattr("wherefrom.sources.remote.RETRY_SECONDS", (0.0, 0.0, 0.0))


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "cache"


def url_of(made: Repository) -> str:
    return f"file://{made.folder}"


def test_a_clone_is_shallow_bare_and_follows_the_remote(repository: MakeRepository, cache: Path) -> None:
    made = repository("remote", {"f": b"1"})
    made.commit({"f": b"2"})
    first = RemoteSource(url_of(made), cache=cache)
    assert first.revision == made.git("rev-parse", "HEAD")
    assert contents(first) == {"f": b"2"}
    assert first.kind == "git"
    clone = Repository(Path(first.location))
    assert clone.folder.parent == cache
    assert clone.git("rev-list", "--count", first.revision) == "1"
    assert clone.git("rev-parse", "--is-bare-repository") == "true"

    tip = made.commit({"f": b"3", "g": b"4"})
    second = RemoteSource(url_of(made), cache=cache)
    assert (second.location, second.key) == (first.location, first.key)
    assert second.revision == tip
    assert contents(second) == {"f": b"3", "g": b"4"}
    # The content that was indexed before can still be read.
    assert contents(first) == {"f": b"2"}
    assert len(list(cache.iterdir())) == 1


def test_a_rewritten_branch_is_followed(repository: MakeRepository, cache: Path) -> None:
    made = repository("remote", {"f": b"1"})
    assert RemoteSource(url_of(made), cache=cache).revision == made.git("rev-parse", "HEAD")
    made.git("commit", "--quiet", "--amend", "-m", "rewritten")
    assert RemoteSource(url_of(made), cache=cache).revision == made.git("rev-parse", "HEAD")


@pytest.mark.slow
def test_branches_tags_and_full_ids_choose_the_revision(repository: MakeRepository, cache: Path) -> None:
    made = repository("remote", {"f": b"1"})
    first = made.git("rev-parse", "HEAD")
    made.git("tag", "-a", "v1", "-m", "tag")
    made.git("branch", "topic/one")
    made.commit({"f": b"2"})
    for rev in ("v1", "topic/one", "refs/tags/v1", first):
        source = RemoteSource(url_of(made), cache=cache, rev=rev)
        assert source.revision == first
        assert contents(source) == {"f": b"1"}
    for rev in ("nothing", "--upload-pack=evil", "+main:main", "a b", "", "main~1", "0" * 40):
        with pytest.raises(GitError, match=r"has no revision .*name a branch, a tag or a full commit id"):
            _ = RemoteSource(url_of(made), cache=cache, rev=rev).revision


def test_an_unknown_revision_leaves_no_clone(repository: MakeRepository, cache: Path) -> None:
    made = repository("remote", {"f": b"1"})
    with pytest.raises(GitError, match=r"has no revision 'nothing'"):
        _ = RemoteSource(url_of(made), cache=cache, rev="nothing").revision
    assert list(cache.iterdir()) == []


def test_a_remote_with_sha256(repository: MakeRepository, cache: Path) -> None:
    made = repository("remote", {"f": b"1"}, "--object-format=sha256")
    source = RemoteSource(url_of(made), cache=cache)
    assert len(source.revision) == 64
    assert contents(source) == {"f": b"1"}


def test_an_empty_remote_has_no_entries_until_it_has_a_commit(repository: MakeRepository, cache: Path) -> None:
    made = repository("remote")
    source = RemoteSource(url_of(made), cache=cache)
    assert source.revision == ""
    assert list(source.entries()) == []
    made.commit({"f": b"1"})
    assert contents(RemoteSource(url_of(made), cache=cache)) == {"f": b"1"}


def test_a_remote_whose_head_names_no_branch_is_an_error(repository: MakeRepository, cache: Path) -> None:
    made = repository("remote", {"f": b"1"})
    made.git("symbolic-ref", "HEAD", "refs/heads/gone")
    with pytest.raises(GitError, match=r"HEAD of .* names no commit; name a revision with --rev"):
        _ = RemoteSource(url_of(made), cache=cache).revision
    assert contents(RemoteSource(url_of(made), cache=cache, rev="main")) == {"f": b"1"}


def test_a_missing_remote_is_an_error_of_one_line_and_leaves_nothing(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(GitError, match=r"cannot fetch file://.*; check the URL") as caught:
        _ = RemoteSource(f"file://{tmp_path}/nothing", cache=cache).revision
    assert "\n" not in str(caught.value)
    assert list(cache.iterdir()) == []


def test_credentials_are_in_no_message_key_location_or_file(cache: Path) -> None:
    url = "http://alice:SECRET@127.0.0.1:9/owner/repo.git"  # nobody answers at port 9
    source = RemoteSource(url, cache=cache)
    assert source.key == "127.0.0.1:9/owner/repo"
    with pytest.raises(GitError) as caught:
        _ = source.revision
    shown = f"{caught.value} {source.key} {source.location} {source!r}"
    assert "SECRET" not in shown
    assert "alice" not in shown
    assert "http://127.0.0.1:9/owner/repo.git" in str(caught.value)


def test_the_clone_does_not_keep_the_url(repository: MakeRepository, cache: Path) -> None:
    made = repository("remote", {"f": b"1"})
    source = RemoteSource(url_of(made), cache=cache)
    assert source.revision
    files = [path for path in Path(source.location).rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if os.fsencode(made.folder) in path.read_bytes()]


def test_one_folder_for_each_url_whatever_the_credentials() -> None:
    names = [clone_name(f"https://{user}github.com/Owner/Repo.git") for user in ("", "a@", "a:b@")]
    assert len(set(names)) == 1
    assert names[0].endswith("-Repo")
    assert clone_name("https://github.com/Owner/Other") != names[0]
    assert clone_name("https://example.org/..") != clone_name("https://example.org/.")
    assert "/" not in clone_name("file:///a/b\x1b/../..")


def test_one_source_whatever_the_case_of_the_protocol(repository: MakeRepository, cache: Path) -> None:
    made = repository("remote", {"f": b"1"})
    upper = RemoteSource(f"FILE://{made.folder}", cache=cache)
    lower = RemoteSource(url_of(made), cache=cache)
    assert (upper.key, upper.location, upper.url) == (lower.key, lower.location, lower.url)
    assert upper.revision == made.git("rev-parse", "HEAD")


def test_protocols_that_run_programs_are_refused(cache: Path, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    with pytest.raises(GitError):
        _ = RemoteSource(f"ext::touch {marker}", cache=cache).revision
    with pytest.raises(GitError):
        _ = RemoteSource(f"ssh://-oProxyCommand=touch%20{marker}/a", cache=cache).revision
    with pytest.raises(GitError):
        _ = RemoteSource(f"--upload-pack=touch {marker}", cache=cache).revision
    assert not marker.exists()


@pytest.mark.slow
def test_a_killed_clone_does_not_count_as_a_clone(repository: MakeRepository, cache: Path, tmp_path: Path) -> None:
    made = repository("remote", {f"{number}": os.urandom(100_000) for number in range(50)})
    script = """
import sys
from pathlib import Path
from wherefrom.sources.remote import RemoteSource
print(RemoteSource(sys.argv[1], cache=Path(sys.argv[2])).revision)
"""
    command = [sys.executable, "-c", script, url_of(made), str(cache)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while not (cache.is_dir() and list(cache.iterdir())):
            time.sleep(0.001)
        process.kill()
    source = RemoteSource(url_of(made), cache=cache)
    assert len(contents(source)) == 50
    # The next run removes the leftovers of a clone that was killed long ago.
    for left in cache.glob(".*"):
        os.utime(left, (0, 0))
    stale = cache / f".{Path(source.location).name}.old"
    (stale / "objects").mkdir(parents=True)
    os.utime(stale, (0, 0))
    with Fetches([source], threads=1) as fetches:
        while not fetches.is_ready(source):
            pass
    assert [path.name for path in cache.iterdir()] == [Path(source.location).name]


def test_a_cache_that_cannot_be_written_is_an_error(repository: MakeRepository, tmp_path: Path) -> None:
    made = repository("remote", {"f": b"1"})
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SourceError, match=r"cannot write the clone of .*; make room or give another cache folder"):
        _ = RemoteSource(url_of(made), cache=tmp_path / "file" / "cache").revision


def test_a_blob_of_a_clone_is_read_again(repository: MakeRepository, cache: Path) -> None:
    made = repository("remote", {"f": b"1"})
    source = RemoteSource(url_of(made), cache=cache)
    entry = next(source.entries())
    record = RepositoryRecord(source.key, source.location, source.kind, source.revision, "", 1, 1, {}, "")
    made.commit({"f": b"2"})
    assert RemoteSource(url_of(made), cache=cache).revision != source.revision
    assert read_blob(record, "f", str(entry.blob)) == b"1"


def test_a_remote_that_sends_too_much_leaves_nothing(
    repository: MakeRepository, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository("remote", {"f": os.urandom(100_000)})
    monkeypatch.setattr("wherefrom.sources.remote.FETCH_BYTES", 90_000)
    with pytest.raises(GitError, match=r"^file://.*/remote sends more than 90,000 bytes; leave it out$"):
        _ = RemoteSource(url_of(made), cache=cache).revision
    assert list(cache.iterdir()) == []


@pytest.mark.slow
def test_a_remote_that_does_not_answer_is_an_error(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wherefrom.sources.remote.FETCH_SECONDS", 0.5)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with socket.create_server(("127.0.0.1", 0)) as server:
        source = RemoteSource(f"http://127.0.0.1:{server.getsockname()[1]}/x", cache=cache)
        with pytest.raises(GitError, match=r"^git fetch took longer than 0.5 seconds; is this repository sound\?$"):
            _ = source.revision
        accepted, _ = server.accept()
        with accepted:
            accepted.settimeout(60)
            while accepted.recv(1 << 16):  # until the program that git started for it has ended too
                pass
    assert list(cache.iterdir()) == []


@pytest.mark.thorough
def test_a_clone_gets_all_commits_and_tags_once_these_are_wanted(repository: MakeRepository, cache: Path) -> None:
    made = repository("remote", {"f": b"1"})
    made.git("tag", "v1")
    made.commit({"f": b"2"})

    def fetched(*, is_whole: bool) -> tuple[int, list[str]]:
        source = RemoteSource(url_of(made), cache=cache)
        source.is_whole = is_whole
        assert source.revision == made.git("rev-parse", "HEAD")
        clone = Repository(source.path)
        return int(clone.git("rev-list", "--count", source.revision)), clone.git("tag").split()

    assert fetched(is_whole=False) == (1, [])
    assert fetched(is_whole=True) == (2, ["v1"])
    made.git("tag", "v2")  # of the commit that the clone has
    assert fetched(is_whole=True) == (2, ["v1", "v2"])
    made.commit({"f": b"3"})
    made.git("tag", "v3")
    assert fetched(is_whole=False) == (3, ["v1", "v2"])
    made.git("tag", "--force", "v1", "HEAD")
    assert fetched(is_whole=True) == (3, ["v1", "v2", "v3"])
