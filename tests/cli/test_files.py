from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from wherefrom.cli import files, snippets
from wherefrom.errors import SourceError, UsageError
from wherefrom.support.system import system

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_means_its_regular_files_by_path(tmp_path: Path) -> None:
    (tmp_path / "b" / "deep").mkdir(parents=True)
    for name in ("b/deep/z.py", "a.py", "b/c.py"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "link.py").symlink_to("a.py")
    os.mkfifo(tmp_path / "fifo")
    found = list(files.read_files(str(tmp_path), pytest.fail))
    assert found == [(f"{tmp_path}/{name}", name.encode()) for name in ("a.py", "b/c.py", "b/deep/z.py")]


def test_a_file_or_folder_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "good").write_bytes(b"x")
    (tmp_path / "empty").mkdir()
    assert list(files.read_files(str(tmp_path / "good"), pytest.fail)) == [(str(tmp_path / "good"), b"x")]
    for name, message in (("missing", "is not there; check the path"), ("empty", "holds no files; name another")):
        with pytest.raises(SourceError, match=message):
            list(files.read_files(str(tmp_path / name), pytest.fail))


def test_single_files_are_separated_from_corpora(tmp_path: Path) -> None:
    (tmp_path / "file.py").write_bytes(b"x")
    (tmp_path / "packed.zip").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    names = [str(tmp_path / name) for name in ("folder", "file.py", "packed.zip")]
    url = "https://example.org/a/b.git"
    assert files.texts_and_corpora([*names, url]) == ([(names[1], b"x")], [names[0], names[2], url])
    with pytest.raises(SourceError, match="is not there"):
        files.texts_and_corpora([str(tmp_path / "missing")])


def test_a_list_of_sources(tmp_path: Path) -> None:
    listed = tmp_path / "sources"
    listed.write_bytes(b"# mine\n/one\n\n  /two with space \r\ncaf\xe9\n")
    texts = [source.text for source in files.source_list(str(listed))]
    assert texts == ["/one", "/two with space", os.fsdecode(b"caf\xe9")]
    listed.write_bytes(b"/new\nline\0#2\0")
    assert [source.text for source in files.source_list(str(listed))] == ["/new\nline", "#2"]


def test_several_names_and_folders_are_a_batch(tmp_path: Path) -> None:
    assert not snippets.is_batch(["-"])
    assert not snippets.is_batch([str(tmp_path / "file")])
    assert snippets.is_batch([str(tmp_path)])
    assert snippets.is_batch(["a", "b"])


def test_lines_are_named_by_any_path_of_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / ("a 1" if sys.platform == "win32" else "a:1") / "b.py"
    path.parent.mkdir()
    path.write_bytes(b"x\n" * 30)
    monkeypatch.chdir(path.parent)
    names = ["b.py", "./b.py", str(path)]
    if sys.platform == "win32":
        names += [".\\b.py", system.extended(str(path)), str(path).replace("/", "\\")]
    for name in names:
        for lines in (":10-20", "#L10-L20"):
            found = snippets.read_plain(name + lines)
            assert (found.name, found.lines) == (name, (10, 20))
            assert found.text == path.read_bytes()


def test_standard_input_is_read_once() -> None:
    files.check_standard_input(["-", "a"])
    with pytest.raises(UsageError, match="once"):
        files.check_standard_input(["-", "a", "-"])


def test_names_are_shown_as_text() -> None:
    assert files.display_name("é.py") == "é.py"
    assert files.display_name(os.fsdecode(b"\xe9.py")) == "%E9.py"


def test_an_unwritable_file_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "to_nowhere").symlink_to(tmp_path / "missing" / "file")
    for name, message in [("", "is a folder"), ("missing/x", "no file can be made in"), ("loop", "name another file")]:
        with pytest.raises(UsageError, match=message):
            files.check_writable(str(tmp_path / name))
    with pytest.raises(UsageError, match="missing; check the path"):
        files.check_writable(str(tmp_path / "to_nowhere"))


def test_a_writable_file_is_not_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "new")
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path / "new", tmp_path / "link", tmp_path / "pipe", "/dev/stdout", "/dev/null"):
        files.check_writable(str(name))
