"""Git repositories are read from their objects, even if they are broken or hostile."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Generator, Iterator
from contextlib import chdir, closing
from pathlib import Path
from typing import cast

import pytest

from tests.processes import children
from tests.sources.conftest import MakeRepository, Repository
from wherefrom.errors import GitError, SourceError
from wherefrom.model import SkipReason
from wherefrom.sources.cat_file import BLOB_SECONDS
from wherefrom.sources.command import object_environment
from wherefrom.sources.git import GitSource, remote_key
from wherefrom.sources.git_folder import objects
from wherefrom.sources.source import MAX_BYTES, Entry, blob_id


def source(repository: Repository, rev: str | None = None, max_bytes: int = MAX_BYTES) -> GitSource:
    return GitSource(repository.folder, key="key", rev=rev, max_bytes=max_bytes)


def contents(given: GitSource) -> dict[str, bytes | SkipReason]:
    return {entry.path: content for entry, content in given.read(given.entries())}


def skips(given: GitSource) -> dict[str, SkipReason | None]:
    return {entry.path: entry.skip for entry in given.entries()}


def snapshot(folder: Path) -> dict[Path, tuple[int, int]]:
    return {path: (path.lstat().st_size, path.lstat().st_mtime_ns) for path in folder.rglob("*")}


def test_the_revision_is_read_and_not_the_work_tree(repository: MakeRepository) -> None:
    made = repository("clone", {"src/a.py": b"one\n", "b.c": b"two\r\n", "empty": b""})
    made.write({"src/a.py": b"changed, not committed\n", "new.py": b"not added\n"})
    (made.folder / "b.c").unlink()
    given = source(made)
    assert given.revision == made.git("rev-parse", "HEAD")
    assert contents(given) == {"b.c": b"two\r\n", "empty": b"", "src/a.py": b"one\n"}
    assert [(entry.blob, entry.size) for entry in given.entries()] == [
        (blob_id(b"two\r\n"), 5),
        (blob_id(b""), 0),
        (blob_id(b"one\n"), 4),
    ]


def test_reading_writes_nothing_into_the_clone(repository: MakeRepository) -> None:
    made = repository("clone", {"a.py": b"a\n", ".gitattributes": b"*.py linguist-vendored\n"})
    before = snapshot(made.folder)
    given = source(made)
    assert skips(given)["a.py"] is SkipReason.VENDORED
    assert contents(given)["a.py"] == b"a\n"
    assert snapshot(made.folder) == before


def test_entries_are_sorted_by_path_bytewise(repository: MakeRepository) -> None:
    names = ["a/b", "a.b", "a-b", "B", "é", "z", "a0"]
    given = source(repository("clone", dict.fromkeys(names, b"x")))
    paths = [entry.path for entry in given.entries()]
    assert paths == sorted(paths, key=str.encode)
    assert set(paths) == set(names)


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)])
def test_branches_tags_and_ids_choose_the_revision(repository: MakeRepository, options: tuple[str, ...]) -> None:
    made = repository("clone", None, *options)
    first = made.commit({"f": b"1"})
    made.git("tag", "-a", "v1", "-m", "tag")
    made.git("branch", "old")
    second = made.commit({"f": b"2"})
    for rev in ("v1", "old", "refs/heads/old", first, first[:10], "main~1"):
        given = source(made, rev)
        assert given.revision == first
        assert contents(given) == {"f": b"1"}
    assert source(made).revision == second
    assert len({len(entry.blob or "") for entry in source(made).entries()} | {len(second)}) == 1
    for rev in ("nothing", "-h", "--all", "", "v1:f", "a\nb"):
        with pytest.raises(GitError, match=r"has no revision .*; name a branch, a tag or a commit id"):
            _ = source(made, rev).revision


def test_the_revision_is_looked_up_once(repository: MakeRepository) -> None:
    made = repository("clone", {"f": b"1"})
    given = source(made)
    first = given.revision
    made.commit({"f": b"2"})
    assert given.revision == first
    assert contents(given) == {"f": b"1"}


def test_bare_packed_detached_and_linked_repositories(repository: MakeRepository, tmp_path: Path) -> None:
    made = repository("clone", {"f": b"1"})
    made.git("clone", "--quiet", "--bare", made.folder, tmp_path / "bare.git")
    made.git("worktree", "add", "--quiet", "--detach", tmp_path / "linked")
    made.git("gc", "--quiet")
    made.git("pack-refs", "--all")
    made.git("checkout", "--quiet", "--detach")
    for folder in (made.folder, tmp_path / "bare.git", tmp_path / "linked"):
        assert contents(GitSource(folder, key="key")) == {"f": b"1"}


def test_alternates_are_followed(repository: MakeRepository, tmp_path: Path) -> None:
    made = repository("clone", {"f": b"1"})
    made.git("clone", "--quiet", "--shared", "--bare", made.folder, tmp_path / "shared.git")
    assert contents(GitSource(tmp_path / "shared.git", key="key")) == {"f": b"1"}


def test_links_and_submodules_are_recorded_and_not_followed(repository: MakeRepository) -> None:
    inner = repository("inner", {"inside.py": b"inside"})
    made = repository("clone", {"f": b"1"})
    (made.folder / "link").symlink_to("/etc/passwd")
    made.git("submodule", "--quiet", "add", inner.folder, "sub")
    made.commit()
    given = source(made)
    expected = {"link": SkipReason.SYMLINK, "sub": SkipReason.SUBMODULE, "f": None, ".gitmodules": None}
    assert skips(given) == expected
    read = contents(given)
    assert (read["link"], read["sub"], read["f"]) == (SkipReason.SYMLINK, SkipReason.SUBMODULE, b"1")
    assert contents(GitSource(made.folder / "sub", key="key")) == {"inside.py": b"inside"}


def test_every_file_name_that_git_allows(repository: MakeRepository) -> None:
    made = repository("clone", {"f": b"1"})
    names = [
        b"new\nline",
        b"tab\tstop",
        b'quote"d\\',
        b"escape\x1b[31m",
        b"100%",
        b"caf\xc3\xa9",
        b"caf\xe9",
        b"50%\xff",
        b" blanks ",
        b"-rf",
        b"d\xe9p/\xc3\xa9",
    ]
    for name in names:
        path = made.folder / os.fsdecode(name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(name)
    made.commit()
    read = contents(source(made))
    texts = {
        "new\nline",
        "tab\tstop",
        'quote"d\\',
        "escape\x1b[31m",
        "100%",
        "café",
        "caf%E9",
        "50%25%FF",
        " blanks ",
        "-rf",
        "d%E9p/é",
    }
    assert set(read) == texts | {"f"}
    assert read["caf%E9"] == b"caf\xe9"
    assert read["50%25%FF"] == b"50%\xff"
    assert read["new\nline"] == b"new\nline"


def test_a_repository_without_a_commit_has_no_entries(repository: MakeRepository) -> None:
    given = source(repository("clone"))
    assert given.revision == ""
    assert list(given.entries()) == []
    assert list(given.read(given.entries())) == []
    with pytest.raises(GitError, match=r"has no revision 'main'"):
        _ = source(repository("other"), "main").revision


def test_an_empty_tree_has_no_entries(repository: MakeRepository) -> None:
    made = repository("clone")
    assert source(made).revision == ""
    made.commit()
    given = source(made)
    assert given.revision
    assert list(given.entries()) == []


def test_a_head_without_its_branch_is_an_error_if_there_are_others(repository: MakeRepository) -> None:
    made = repository("clone", {"f": b"1"})
    made.git("symbolic-ref", "HEAD", "refs/heads/gone")
    with pytest.raises(GitError, match=r"HEAD of .* names no commit.*--rev"):
        _ = source(made).revision
    assert contents(source(made, "main")) == {"f": b"1"}


ATTRIBUTES = {
    ".gitattributes": b"""[attr]made linguist-generated=true
*.pb.go made
vendor/** linguist-vendored
vendor/own.go -linguist-vendored
lib/* linguist-vendored=true linguist-generated
docs/* linguist-vendored=false
*.md linguist-documentation
text/* text eol=crlf
""",
    "a.pb.go": b"a",
    "vendor/x/b.go": b"b",
    "vendor/own.go": b"own",
    "lib/c.go": b"c",
    "docs/d.go": b"d",
    "sub/.gitattributes": b"e.go linguist-generated\nf.pb.go linguist-generated=false\ng.pb.go !linguist-generated\n",
    "sub/e.go": b"e",
    "sub/f.pb.go": b"f",
    "sub/g.pb.go": b"g",
    "README.md": b"r",
    "text/t": b"one\n",
    "new\nline.pb.go": b"n",
}


@pytest.mark.parametrize("options", [(), ("--bare",), ("--bare", "--object-format=sha256")])
def test_linguist_attributes_are_respected(
    repository: MakeRepository, tmp_path: Path, options: tuple[str, ...]
) -> None:
    made = repository("clone", ATTRIBUTES, *(option for option in options if option != "--bare"))
    if "--bare" in options:
        made.git("clone", "--quiet", "--bare", made.folder, tmp_path / "bare.git")
        made = Repository(tmp_path / "bare.git")
    given = source(made)
    assert {path: reason for path, reason in skips(given).items() if reason} == {
        "a.pb.go": SkipReason.GENERATED,
        "new\nline.pb.go": SkipReason.GENERATED,
        "vendor/x/b.go": SkipReason.VENDORED,
        "lib/c.go": SkipReason.GENERATED,
        "sub/e.go": SkipReason.GENERATED,
    }
    assert {entry.path for entry in given.entries() if entry.authored} == {"vendor/own.go", "docs/d.go", "sub/f.pb.go"}
    assert contents(given)["a.pb.go"] == b"a"
    assert contents(given)["text/t"] == b"one\n"


def test_attributes_are_those_of_the_revision(repository: MakeRepository) -> None:
    made = repository("clone", {"a.py": b"a"})
    first = made.git("rev-parse", "HEAD")
    second = made.commit({".gitattributes": b"a.py linguist-generated\n"})
    made.write({".gitattributes": b"a.py linguist-vendored\n"})
    (made.folder / ".git" / "info").mkdir(exist_ok=True)
    (made.folder / ".git" / "info" / "attributes").write_text("a.py linguist-vendored\n")
    assert skips(source(made, first))["a.py"] is None
    assert skips(source(made, second))["a.py"] is SkipReason.GENERATED


def tree(made: Repository, items: list[tuple[str, str, bytes]]) -> str:
    """Writes a tree object that the commands of git would refuse; returns its id."""
    raw = b"".join(b"%s %s\0%s" % (mode.encode(), name, bytes.fromhex(item)) for mode, item, name in items)
    return made.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=raw)


def test_a_tree_with_forbidden_names_is_read_as_text(repository: MakeRepository) -> None:
    made = repository("clone", {"f": b"1"})
    blob = made.git("hash-object", "-w", "--stdin", stdin=b"content")
    rules = made.git("hash-object", "-w", "--stdin", stdin=b"* linguist-generated\n")
    bad = tree(made, [("100644", rules, b".gitattributes"), ("100644", blob, b"config")])
    root = tree(
        made,
        [("40000", bad, b".."), ("40000", bad, b".git"), ("100644", rules, b".gitattributes"), ("100644", blob, b"ok")],
    )
    made.git("update-ref", "refs/heads/evil", made.git("commit-tree", root, "-m", "evil"))
    given = source(made, "evil")
    assert contents(given)["../config"] == b"content"
    assert contents(given)[".git/config"] == b"content"
    assert skips(given) == {
        "../.gitattributes": None,
        "../config": None,
        ".git/.gitattributes": None,
        ".git/config": None,
        ".gitattributes": SkipReason.GENERATED,
        "ok": SkipReason.GENERATED,
    }


@pytest.mark.slow
def test_thousands_of_blobs_and_large_ones_neither_block_nor_mix(repository: MakeRepository) -> None:
    made = repository("clone")
    expected = {f"small/{number:05}": b"%d\n" % number for number in range(3000)}
    expected.update({f"large/{number}": bytes([65 + number]) * (3_000_000 + number) for number in range(8)})
    stream = b"".join(
        b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(content), content)
        for path, content in expected.items()
    )
    head = b"commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata 1\nm\n"
    made.git("fast-import", "--quiet", stdin=head + stream)
    given = source(made)
    assert contents(given) == expected
    listed = list(given.entries())
    assert [entry for entry, _ in given.read(reversed(listed))] == listed[::-1]


def test_entries_are_pulled_only_a_little_ahead(repository: MakeRepository) -> None:
    given = source(repository("clone", {f"{number:03}": b"x" for number in range(200)}))
    pulled = 0

    def pull() -> Iterator[Entry]:
        nonlocal pulled
        for entry in given.entries():
            pulled += 1
            yield entry

    with closing(cast("Generator[object]", given.read(pull()))) as reading:
        next(reading)
        assert 1 <= pulled <= 64


def test_a_blob_over_the_limit_is_not_read(repository: MakeRepository) -> None:
    made = repository("clone", {"a": b"x" * 101, "b": b"x" * 100})
    assert contents(source(made, max_bytes=100)) == {"a": SkipReason.TOO_LARGE, "b": b"x" * 100}


def object_file(made: Repository, name: str) -> Path:
    return made.folder / ".git" / "objects" / name[:2] / name[2:]


def loose(made: Repository, content: bytes) -> Path:
    return object_file(made, blob_id(content))


def killed_after(given: GitSource, kills: int, by: signal.Signals = signal.SIGKILL) -> dict[str, bytes | SkipReason]:
    """The contents that are read while another process kills git after each of the first `kills` of them."""
    before, read = set(children(os.getpid())), {}
    for entry, content in given.read(given.entries()):
        read[entry.path] = content
        if len(read) <= kills:
            for process in set(children(os.getpid())) - before:
                os.kill(process, by)
    return read


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_no_content_is_lost_if_git_is_killed(repository: MakeRepository, by: signal.Signals) -> None:
    files = {f"{number:02}": b"%d " % number * 100_000 for number in range(40)}
    assert killed_after(source(repository("clone", files)), 2, by) == files


@pytest.mark.thorough
def test_a_git_that_is_killed_again_and_again_is_an_error(repository: MakeRepository) -> None:
    files = {f"{number:02}": b"%d " % number * 100_000 for number in range(40)}
    with pytest.raises(GitError, match="something kills git; free some memory, and run again"):
        killed_after(source(repository("clone", files)), kills=40)


def test_only_missing_and_broken_blobs_are_unreadable(repository: MakeRepository) -> None:
    made = repository("clone", {f"{number:02}": b"content %d" % number * 50 for number in range(40)})
    loose(made, b"content 3" * 50).unlink()
    for number in (7, 8, 20):
        broken = loose(made, b"content %d" % number * 50)
        broken.chmod(0o644)
        packed = zlib.compress(b"blob %d\0" % len(b"content %d" % number * 50) + b"other")
        broken.write_bytes(packed[:-4] + b"\0\0\0\0")
    read = contents(source(made))
    lost = {path for path, content in read.items() if content is SkipReason.UNREADABLE}
    assert lost == {"03", "07", "08", "20"}
    assert all(
        read[f"{number:02}"] == b"content %d" % number * 50 for number in range(40) if f"{number:02}" not in lost
    )


@pytest.mark.parametrize("missing", [1, 10, 1_000_000])
def test_an_object_that_is_shorter_than_its_header_says_is_not_waited_for(
    repository: MakeRepository, missing: int
) -> None:
    files = {f"{number:02}": b"content %d" % number * 50 for number in range(40)}
    made = repository("clone", files)
    for number in (3, 4, 20, 39):
        short = loose(made, b"content %d" % number * 50)
        header, _, content = zlib.decompress(short.read_bytes()).partition(b"\0")
        short.chmod(0o644)
        short.write_bytes(zlib.compress(b"blob %d\0" % (int(header.split()[1]) + missing) + content))
    start = time.monotonic()
    lost = dict.fromkeys(("03", "04", "20", "39"), SkipReason.UNREADABLE)
    assert contents(source(made)) == {**files, **lost}
    assert time.monotonic() - start < BLOB_SECONDS


def test_a_partial_clone_is_read_without_fetching(repository: MakeRepository, tmp_path: Path) -> None:
    made = repository("clone", {"f": b"1", "g": b"2"})
    made.git("config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial.git"
    made.git("clone", "--quiet", "--bare", "--filter=blob:none", f"file://{made.folder}", partial)
    before = snapshot(partial)
    given = GitSource(partial, key="key")
    assert skips(given) == {"f": SkipReason.UNREADABLE, "g": SkipReason.UNREADABLE}
    assert contents(given) == {"f": SkipReason.UNREADABLE, "g": SkipReason.UNREADABLE}
    assert snapshot(partial) == before


def test_a_corrupt_repository_is_an_error_of_one_line(repository: MakeRepository) -> None:
    made = repository("clone", {"f": b"1"})
    (made.folder / ".git" / "refs" / "heads" / "main").write_text("garbage\n")
    with pytest.raises(GitError, match=r"names no commit") as caught:
        _ = source(made).revision
    assert "\n" not in str(caught.value)
    other = repository("other", {"f": b"1"})
    name = other.git("rev-parse", "HEAD^{tree}")
    (other.folder / ".git" / "objects" / name[:2] / name[2:]).unlink()
    with pytest.raises(GitError, match=r"cannot list .*git fsck") as caught:
        list(source(other).entries())
    assert "\n" not in str(caught.value)
    third = repository("third", {"f": b"1"})
    (third.folder / ".git" / "config").write_text("[core\n")
    with pytest.raises(GitError) as caught:
        _ = source(third, "main").revision
    assert "\n" not in str(caught.value)
    shutil.rmtree(third.folder / ".git")
    with pytest.raises(GitError, match=r"is no longer a git repository"):
        _ = source(third).revision


def test_a_linked_work_tree_without_its_repository_is_an_error(repository: MakeRepository, tmp_path: Path) -> None:
    made = repository("clone", {"f": b"1"})
    made.git("worktree", "add", "--quiet", "--detach", tmp_path / "linked")
    shutil.rmtree(made.folder)
    with pytest.raises(GitError) as caught:
        _ = GitSource(tmp_path / "linked", key="key").revision
    assert "\n" not in str(caught.value)


PLACES = [
    "HEAD",
    "commondir",
    "config",
    "info/grafts",
    "objects/info/alternates",
    "objects/info/commit-graph",
    "objects/info/commit-graphs/commit-graph-chain",
    "objects/pack/multi-pack-index",
    "packed-refs",
    "refs/heads/main",
    "shallow",
]


@pytest.mark.parametrize("place", PLACES)
def test_a_pipe_in_place_of_a_file_is_an_error_at_once(repository: MakeRepository, place: str) -> None:
    made = repository("clone", {"f": b"1"})
    pipe = made.folder / ".git" / place
    pipe.parent.mkdir(exist_ok=True)
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    assert remote_key(made.folder) is None
    with pytest.raises(GitError, match=rf"/\.git/{place} is a pipe or a device and not a file; clone it again"):
        _ = source(made).revision


@pytest.mark.parametrize("is_deep", [False, True])
def test_a_pipe_that_the_configuration_includes_is_an_error_at_once(
    repository: MakeRepository, *, is_deep: bool
) -> None:
    made = repository("clone", {"f": b"1"})
    os.mkfifo(made.folder / "pipe")
    (made.folder / "included").write_text("[Include]\npath = pipe\n")
    (made.folder / "harmless").write_text("[include]\npath = nowhere\n")
    made.git("config", "include.path", "../harmless")
    assert source(made).revision
    made.git("config", "includeIf.gitdir:/**.path", "../included" if is_deep else "../pipe")
    with pytest.raises(GitError, match=r"/pipe is a pipe or a device and not a file; clone it again"):
        _ = source(made).revision


def test_a_pipe_among_the_objects_of_another_repository_is_an_error_at_once(
    repository: MakeRepository, tmp_path: Path
) -> None:
    made, other = repository("clone", {"f": b"1"}), repository("other", {"f": b"2"})
    (made.folder / ".git/objects/info/alternates").write_text(f"{other.folder}/.git/objects\n")
    hide_as_pipe(other, tmp_path / "elsewhere", blob_id(b"2"))
    with pytest.raises(GitError, match=r"/other/\.git/objects/.* is a pipe or a device and not a file; clone it again"):
        _ = source(made).revision


@pytest.mark.parametrize("place", ["HEAD", "config", "objects/info/alternates"])
def test_a_device_in_place_of_a_file_is_never_read(repository: MakeRepository, place: str) -> None:
    made = repository("clone", {"f": b"1"})
    (made.folder / ".git" / place).unlink(missing_ok=True)
    (made.folder / ".git" / place).symlink_to("/dev/zero")
    assert remote_key(made.folder) is None
    with pytest.raises(GitError, match=rf"/\.git/{place} is a pipe or a device and not a file; clone it again"):
        _ = source(made).revision


def sparse(file: Path, size: int = 1 << 32) -> None:
    """Makes a file longer without taking space on the disk."""
    with file.open("ab") as opened:
        opened.truncate(size)


@pytest.mark.parametrize(
    "place", sorted({*PLACES} - {place for place in PLACES if "graph" in place or "pack/" in place})
)
def test_a_file_that_would_fill_the_memory_of_git_is_never_read(repository: MakeRepository, place: str) -> None:
    made = repository("clone", {"f": b"1"})
    (made.folder / ".git" / place).parent.mkdir(exist_ok=True)
    sparse(made.folder / ".git" / place)
    assert remote_key(made.folder) is None
    path = rf"/\.git/{place}".replace("/", r"[/\\]")
    with pytest.raises(GitError, match=rf"{path} has 4,294,967,\d+ bytes, and git needs all of them; clone"):
        _ = source(made).revision


def test_a_file_that_grows_while_git_reads_it_is_an_error(
    repository: MakeRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository("clone", {"f": b"1"})
    monkeypatch.setattr("wherefrom.sources.command.MEMORY_BYTES", 20_000_000)
    assert contents(source(made)) == {"f": b"1"}
    monkeypatch.setattr("wherefrom.sources.git.refuse_hostile", lambda *_: None)  # as if HEAD grew afterwards
    sparse(made.folder / ".git/HEAD")
    with pytest.raises(
        GitError, match=r"^git rev-parse needs more than 20,000,000 bytes of memory; is this repository"
    ):
        _ = source(made).revision


@pytest.mark.parametrize("name", ["HEAD:f", "HEAD^{tree}"])
def test_a_pipe_in_place_of_an_object_is_an_error_at_once(repository: MakeRepository, name: str) -> None:
    made = repository("clone", {"f": b"1"})
    place = object_file(made, made.git("rev-parse", name))
    place.unlink()
    os.mkfifo(place)
    given = source(made)
    with pytest.raises(GitError, match=rf"/{place.name} is a pipe or a device and not a file; clone it again"):
        list(given.entries())
    with pytest.raises(GitError, match=r"is a pipe or a device and not a file; clone it again"):
        list(given.read([]))


def test_a_socket_next_to_the_objects_is_ignored(repository: MakeRepository) -> None:
    made = repository("clone", {"f": b"1"})
    with closing(socket.socket(socket.AF_UNIX)) as listening, chdir(made.folder / ".git"):
        listening.bind("fsmonitor--daemon.ipc")
        assert contents(source(made)) == {"f": b"1"}


def hide_as_pipe(made: Repository, elsewhere: Path, name: str) -> None:
    """Moves an object into a folder behind a link, and puts a pipe in its place."""
    folder = object_file(made, name).parent
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)
    (elsewhere / name[2:]).unlink()
    os.mkfifo(elsewhere / name[2:])


@pytest.mark.slow
def test_only_a_blob_that_git_waits_for_is_unreadable(
    repository: MakeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wherefrom.sources.git_folder._check_objects", lambda _: None)  # as if the pipe came later
    files = {"a": b"1", "b": b"waits", "c": b"3", "d": b"4"}
    made = repository("clone", files)
    hide_as_pipe(made, tmp_path / "elsewhere", blob_id(b"waits"))
    listed = [Entry(name, blob_id(content), None, None, name) for name, content in files.items()]
    monkeypatch.setattr("wherefrom.sources.cat_file.BLOB_SECONDS", 0.5)
    read = {entry.path: content for entry, content in source(made).read(listed)}
    assert read == {"a": b"1", "b": SkipReason.UNREADABLE, "c": b"3", "d": b"4"}
    with pytest.raises(GitError, match=r"^git takes too long to read objects; run `git fsck` there$"):
        list(source(made).read([listed[1]] * 3))


@pytest.mark.slow
def test_a_tree_that_git_waits_for_is_an_error(
    repository: MakeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository("clone", {"f": b"1"})
    given = source(made)
    assert given.revision
    monkeypatch.setattr("wherefrom.sources.git_folder._check_objects", lambda _: None)  # as if the pipe came later
    hide_as_pipe(made, tmp_path / "elsewhere", made.git("rev-parse", "HEAD^{tree}"))
    monkeypatch.setattr("wherefrom.sources.git.LISTING_SECONDS", 0.5)
    with pytest.raises(GitError, match=r"^git ls-tree took longer than 0.5 seconds; is this repository sound\?$"):
        list(given.entries())


def nested_trees(made: Repository, width: int, depth: int) -> None:
    """Commits a few objects that name `width ** depth` files with the same blob."""
    name, mode, kind = made.git("hash-object", "-w", "--stdin", stdin=b"x"), "100644", "blob"
    for _ in range(depth):
        lines = "".join(f"{mode} {kind} {name}\t{number}\n" for number in range(width))
        name, mode, kind = made.git("mktree", stdin=lines.encode()), "040000", "tree"
    made.git("update-ref", "HEAD", made.git("commit-tree", "-m", "x", name))


def test_trees_that_name_billions_of_files_are_an_error(
    repository: MakeRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository("clone", {})
    nested_trees(made, width=10, depth=9)
    monkeypatch.setattr("wherefrom.sources.source.MOST_FILES", 10_000)
    with pytest.raises(SourceError, match=r"/clone lists more than 10,000 files, or paths .*; leave it out, or index"):
        next(source(made).entries())


def test_paths_that_do_not_fit_into_memory_are_an_error(
    repository: MakeRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository("clone", {f"{number}{'x' * 200}": b"" for number in range(10)})
    assert len(list(source(made).entries())) == 10
    monkeypatch.setattr("wherefrom.sources.source.MOST_PATHS", 2_000)
    with pytest.raises(SourceError, match=r"lists more than .* files, or paths of more than 2,000 bytes together"):
        next(source(made).entries())


def test_attributes_without_end_are_an_error(repository: MakeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    made = repository("clone", {f"{number}/.gitattributes": b"#%d" % number * 100 for number in range(8)})
    assert len(list(source(made).entries())) == 8
    monkeypatch.setattr("wherefrom.sources.git._ATTRIBUTES_TOTAL", 1_000)
    with pytest.raises(GitError, match=r"its \.gitattributes have more than 1,000 bytes; leave it out"):
        next(source(made).entries())


def test_a_hostile_clone_runs_nothing(repository: MakeRepository, tmp_path: Path) -> None:
    made = repository(
        "clone", {"f": b"1", "g": b"2", ".gitattributes": b"* linguist-generated filter=evil diff=evil\n"}
    )
    marker = tmp_path / "marker"
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\necho run >> '{marker}'\n")
    script.chmod(0o755)
    hooks = made.folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-index-change", "post-checkout", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman"):
        shutil.copy(script, hooks / hook)
    settings = {
        "core.fsmonitor": str(script),
        "core.hooksPath": str(hooks),
        "core.sshCommand": str(script),
        "core.pager": str(script),
        "core.editor": str(script),
        "core.alternateRefsCommand": str(script),
        "core.gitProxy": str(script),
        "core.repositoryformatversion": "1",
        "core.worktree": str(tmp_path),
        "diff.external": str(script),
        "diff.evil.textconv": str(script),
        "filter.evil.smudge": str(script),
        "filter.evil.clean": str(script),
        "filter.evil.process": str(script),
        "filter.evil.required": "true",
        "credential.helper": str(script),
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::{script} %S",
        "remote.origin.uploadpack": str(script),
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
        "alias.ls-tree": f"!{script}",
        "alias.cat-file": f"!{script}",
        "gpg.program": str(script),
        "uploadpack.packObjectsHook": str(script),
    }
    lines = [f"[{key.rpartition('.')[0].replace('.', chr(32) + chr(34), 1)}" for key in settings]
    text = "".join(
        f"{line}{chr(34) if chr(34) in line else ''}]\n{key.rpartition('.')[2]} = {value}\n"
        for line, (key, value) in zip(lines, settings.items(), strict=True)
    )
    (made.folder / ".git" / "config").write_text(text)
    loose(made, b"2").unlink()
    given = source(made)
    assert contents(given) == {
        ".gitattributes": b"* linguist-generated filter=evil diff=evil\n",
        "f": b"1",
        "g": SkipReason.UNREADABLE,
    }
    assert skips(given)["f"] is SkipReason.GENERATED
    assert remote_key(made.folder) is None
    with pytest.raises(GitError):
        _ = source(made, "f" * 40).revision
    assert not marker.exists()
    # The trap works: it catches git when git runs in that clone.
    subprocess.run(["git", "status"], cwd=made.folder, capture_output=True, check=False)
    assert marker.exists()


def test_variables_of_another_repository_do_not_count(
    repository: MakeRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository("clone", {"f": b"1", ".gitattributes": b"* linguist-vendored\n"})
    other = repository("other", {"wrong": b"2"})
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.folder / ".git" / "index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.folder / ".git" / "objects"))
    monkeypatch.setenv("GIT_ATTR_SOURCE", "HEAD")
    given = source(made)
    assert contents(given)["f"] == b"1"
    assert skips(given)["f"] is SkipReason.VENDORED


def test_replaced_objects_are_read_as_they_were(repository: MakeRepository) -> None:
    made = repository("clone", {"f": b"1"})
    other = made.git("hash-object", "-w", "--stdin", stdin=b"replaced")
    made.git("replace", blob_id(b"1"), other)
    assert contents(source(made)) == {"f": b"1"}


def test_the_error_without_git_names_it(
    repository: MakeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository("clone", {"f": b"1"})
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match=r"git is not installed.*; install it"):
        _ = source(made).revision
    with pytest.raises(GitError, match=r"git is not installed"):
        list(GitSource(made.folder, key="key").read(iter(())))


def test_reading_no_file_starts_no_git(
    repository: MakeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = source(repository("clone", {"f": b"1"}))
    assert given.revision
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(given.read(iter(()))) == []


def test_no_process_is_left_after_reading_ends_early(repository: MakeRepository) -> None:
    made = repository("clone", {f"{number}": b"x" * 100_000 for number in range(50)})
    script = """
import os, sys
from pathlib import Path
from wherefrom.sources.git import GitSource
source = GitSource(Path(sys.argv[1]), key="key")
reading = source.read(source.entries())
next(reading)
reading.close()
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no child")
"""
    answer = subprocess.run(
        [sys.executable, "-c", script, str(made.folder)], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "no child\n"


def test_the_temporary_repository_is_removed(repository: MakeRepository) -> None:
    made = repository("clone", {"f": b"1"})
    with object_environment(objects(made.folder), 40) as environment:
        folder = Path(environment["GIT_DIR"])
        assert folder.is_dir()
    assert not folder.exists()
