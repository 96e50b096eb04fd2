"""Plain folders are listed and read. Files that could hang and links that lead elsewhere are never opened."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.sources.conftest import without_privileges
from wherefrom.errors import SourceError
from wherefrom.model import SkipReason
from wherefrom.sources.directory import Beneath, DirectorySource


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def contents(source: DirectorySource) -> dict[str, bytes | SkipReason]:
    return {entry.path: content for entry, content in source.read(source.entries())}


def test_files_are_listed_by_path_and_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", {"b": b"2", "a/z": b"1", "a.c": b"", "é/f": b"3", "C": b"4"})
    source = DirectorySource(folder, key="key")
    assert [(entry.path, entry.size) for entry in source.entries()] == [
        ("C", 1),
        ("a.c", 0),
        ("a/z", 1),
        ("b", 1),
        ("é/f", 1),
    ]
    assert contents(source) == {"C": b"4", "a.c": b"", "a/z": b"1", "b": b"2", "é/f": b"3"}
    assert (source.kind, source.location, source.key) == ("directory", str(folder), "key")


def test_version_control_folders_are_left_out(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", {".git/config": b"", "x/.hg/a": b"", ".svn/b": b"", ".github/c": b"", "git/d": b""})
    assert [entry.path for entry in DirectorySource(folder, key="key").entries()] == [".github/c", "git/d"]


def test_links_and_special_files_are_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = write(tmp_path / "outside", {"secret": b"secret"})
    folder = write(tmp_path / "d", {"f": b"1"})
    (folder / "file-link").symlink_to(outside / "secret")
    (folder / "folder-link").symlink_to(outside)
    (folder / "loop").symlink_to(".")
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        monkeypatch.chdir(folder)  # the path of a socket must be short
        listener.bind("socket")
    source = DirectorySource(folder, key="key")
    assert contents(source) == {
        "f": b"1",
        "file-link": SkipReason.SYMLINK,
        "folder-link": SkipReason.SYMLINK,
        "loop": SkipReason.SYMLINK,
        "pipe": SkipReason.UNREADABLE,
        "socket": SkipReason.UNREADABLE,
    }


def test_a_file_that_turned_into_something_else_is_not_followed(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", {"link": b"1", "pipe": b"2", "gone": b"3", "grown": b"4"})
    source = DirectorySource(folder, key="key", max_bytes=10)
    listed = list(source.entries())
    for name in ("link", "pipe", "gone"):
        (folder / name).unlink()
    (folder / "link").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe")
    (folder / "grown").write_bytes(b"x" * 11)
    assert [content for _, content in source.read(listed)] == [
        SkipReason.UNREADABLE,
        SkipReason.TOO_LARGE,
        SkipReason.UNREADABLE,
        SkipReason.UNREADABLE,
    ]


def test_a_folder_that_turned_into_a_link_is_not_followed(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", {"a/b/f": b"1", "a/b/g": b"2", "a/h": b"3", "i": b"4"})
    (tmp_path / "named").symlink_to(folder)
    source = DirectorySource(tmp_path / "named", key="key")
    listed = list(source.entries())
    reading = source.read(listed)
    assert [next(reading)[1] for _ in range(2)] == [b"1", b"2"]
    shutil.move(folder / "a", tmp_path / "elsewhere")
    (folder / "a").symlink_to(tmp_path / "elsewhere")
    assert [content for _, content in reading] == [SkipReason.UNREADABLE, b"4"]
    again = [content for _, content in source.read(listed)]
    assert again == [SkipReason.UNREADABLE, SkipReason.UNREADABLE, SkipReason.UNREADABLE, b"4"]


@pytest.mark.parametrize("path", [b"../f", b"a/../../f", b"/f", b"a//f", b"", b"a/", b".", b"x/" * 2048 + b"f"])
def test_no_path_leads_out_of_a_folder(tmp_path: Path, path: bytes) -> None:
    write(tmp_path, {"f": b"1", "d/a/f": b"2"})
    with Beneath(os.fsencode(tmp_path / "d")) as beneath:
        assert beneath.read(path, 10) is SkipReason.UNREADABLE
        with pytest.raises(OSError):  # noqa: PT011  # the system chooses its subclass
            beneath.status(path)
        assert beneath.read(b"a/f", 10) == b"2"


def test_a_file_that_has_become_a_folder_is_unreadable(tmp_path: Path) -> None:
    source = DirectorySource(write(tmp_path / "d", {"a": b"1", "b": b"2"}))
    listed = list(source.entries())
    (tmp_path / "d" / "a").unlink()
    (tmp_path / "d" / "a").mkdir()
    assert [content for _, content in source.read(listed)] == [SkipReason.UNREADABLE, b"2"]


def test_names_that_are_not_utf8_are_percent_encoded_and_read(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"d\xff")
    folder.mkdir()
    (folder / os.fsdecode(b"caf\xe9%")).write_bytes(b"1")
    (folder / "100%").write_bytes(b"2")
    source = DirectorySource(folder, key="key")
    assert contents(source) == {"caf%E9%25": b"1", "100%": b"2"}
    assert source.location.endswith("/d%FF")


def test_the_revision_changes_with_path_size_and_time_only(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", {"a": b"1", "b/c": b"2"})
    for path in (folder / "a", folder / "b" / "c"):
        os.utime(path, ns=(10**18, 10**18))

    def revision() -> str:
        return DirectorySource(folder, key="key").revision

    seen = [revision()]
    assert revision() == seen[0]
    os.utime(folder / "a", ns=(10**18, 10**18 + 100))  # the smallest step on Windows
    seen.append(revision())
    (folder / "a").write_bytes(b"12")
    os.utime(folder / "a", ns=(10**18, 10**18))
    seen.append(revision())
    (folder / "a").rename(folder / "z")
    seen.append(revision())
    (folder / "z").unlink()
    seen.append(revision())
    assert len(set(seen)) == 5


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", {"a": b"x" * 11, "b": b"x" * 10})
    assert contents(DirectorySource(folder, key="key", max_bytes=10)) == {"a": SkipReason.TOO_LARGE, "b": b"x" * 10}


def test_a_folder_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cannot read .*[Ff]ile.*; check"):
        list(DirectorySource(tmp_path / "gone", key="key").entries())


def test_a_file_without_permission_to_read_has_its_reason() -> None:
    with TemporaryDirectory() as place:  # other users may not enter the temporary folders of pytest
        folder = write(Path(place), {"f": b"1", "closed": b"2", "shut/g": b"3"})
        folder.chmod(0o755)
        (folder / "closed").chmod(0)
        (folder / "shut").chmod(0)
        with without_privileges():
            read = contents(DirectorySource(folder, key="key"))
        (folder / "shut").chmod(0o755)
    assert read == {"f": b"1", "closed": SkipReason.UNREADABLE, "shut": SkipReason.UNREADABLE}
