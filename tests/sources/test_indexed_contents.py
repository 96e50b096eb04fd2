"""A content can be read again only while it is the same as in the index."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.sources.conftest import MakeRepository
from wherefrom.model import RepositoryRecord
from wherefrom.sources.discover import discover
from wherefrom.sources.indexed import read_blob, read_blobs
from wherefrom.sources.source import blob_id


def record(location: str, kind: str) -> RepositoryRecord:
    return RepositoryRecord("key", location, kind, "", "", 0, 0, {}, "")


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)])
def test_git_blobs_are_found_by_id_even_if_the_path_is_gone(
    repository: MakeRepository, options: tuple[str, ...]
) -> None:
    made = repository("clone", {"f": b"1\r\n"}, *options)
    blob = made.git("rev-parse", "HEAD:f")
    tree = made.git("rev-parse", "HEAD^{tree}")
    made.commit({"f": b"2"})
    given = record(str(made.folder), "git")
    assert read_blob(given, "f", blob) == b"1\r\n"
    assert read_blob(given, "anything", blob) == b"1\r\n"
    for other in (tree, "0" * len(blob), "HEAD:f", "--help", "", "f" * 39, blob.upper()):
        assert read_blob(given, "f", other) is None
    shutil.rmtree(made.folder / ".git")
    assert read_blob(given, "f", blob) is None


def test_a_broken_object_is_not_given(repository: MakeRepository) -> None:
    made = repository("clone", {"f": b"1", "g": b"2"})
    places = [made.folder / ".git" / "objects" / name[:2] / name[2:] for name in (blob_id(b"1"), blob_id(b"2"))]
    places[0].chmod(0o644)
    shutil.copy(places[1], places[0])
    given = replace(record(str(made.folder), "git"), revision=made.git("rev-parse", "HEAD"))
    assert read_blob(given, "f", blob_id(b"1")) is None
    assert [*read_blobs(given, [blob_id(b"1"), blob_id(b"2")])] == [(blob_id(b"2"), b"2")]


def test_files_of_a_folder_are_read_only_while_they_are_unchanged(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    folder.mkdir()
    (folder / "f").write_bytes(b"1")
    (folder / os.fsdecode(b"caf\xe9%")).write_bytes(b"2")
    (folder / "100%41").write_bytes(b"3")
    (folder / "link").symlink_to("f")
    (tmp_path / "outside").write_bytes(b"4")
    given = record(str(folder), "directory")
    assert read_blob(given, "f", blob_id(b"1")) == b"1"
    assert read_blob(given, "caf%E9%25", blob_id(b"2")) == b"2"
    assert read_blob(given, "100%41", blob_id(b"3")) == b"3"
    assert read_blob(given, "link", blob_id(b"1")) is None
    assert read_blob(given, "../outside", blob_id(b"4")) is None
    assert read_blob(given, str(tmp_path / "outside"), blob_id(b"4")) is None
    assert read_blob(given, "gone", blob_id(b"1")) is None
    assert read_blob(given, "", blob_id(b"1")) is None
    assert read_blob(given, "a\0b", blob_id(b"1")) is None
    (folder / "f").write_bytes(b"changed")
    assert read_blob(given, "f", blob_id(b"1")) is None


@pytest.mark.parametrize("suffix", [".zip", ".tar", ".tar.gz"])
def test_members_of_an_archive_are_read_only_while_they_are_unchanged(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"

    def pack(content: bytes) -> None:
        if suffix == ".zip":
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("top/f", content)
            return
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode="w") as tar:
            info = tarfile.TarInfo("top/f")
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
        path.write_bytes(gzip.compress(stream.getvalue()) if suffix == ".tar.gz" else stream.getvalue())

    pack(b"1")
    given = record(str(path), "archive")
    assert read_blob(given, "top/f", blob_id(b"1")) == b"1"
    assert read_blob(given, "f", blob_id(b"1")) is None
    pack(b"2")
    assert read_blob(given, "top/f", blob_id(b"1")) is None
    path.write_bytes(b"no archive")
    assert read_blob(given, "top/f", blob_id(b"1")) is None
    path.unlink()
    assert read_blob(given, "top/f", blob_id(b"1")) is None


def test_a_location_that_is_not_utf8_is_found_again(repository: MakeRepository, tmp_path: Path) -> None:
    made = repository(os.fsdecode(b"clone\xe9"), {"f": b"1"})
    (source,) = discover([str(made.folder)], cache=tmp_path)
    assert read_blob(record(source.location, source.kind), "f", blob_id(b"1")) == b"1"


def test_without_git_nothing_is_given(
    repository: MakeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository("clone", {"f": b"1"})
    monkeypatch.setenv("PATH", str(tmp_path))
    assert read_blob(record(str(made.folder), "git"), "f", blob_id(b"1")) is None


def test_an_unknown_kind_gives_nothing(tmp_path: Path) -> None:
    assert read_blob(record(str(tmp_path), "other"), "f", blob_id(b"1")) is None
