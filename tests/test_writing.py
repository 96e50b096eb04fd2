"""A file is written completely or not at all, with the permissions that its user expects."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from wherefrom.support.writing import make_folder, write_whole

WRITERS = {
    "write_whole": "from wherefrom.support.writing import write_whole; write_whole(Path('new'), b'all')",
    "the command line": "from wherefrom.cli.files import write; write('new', b'all')",
    "the baseline": "from wherefrom.projects.check.baseline import write_baseline; write_baseline(Path('new'), [])",
}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def python(code: str, folder: Path, **options: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", f"from pathlib import Path; {code}"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False, **options)  # type: ignore[call-overload,no-any-return]  # passed on


@pytest.mark.thorough
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize(("umask", "expected"), [(0o022, 0o644), (0o027, 0o640), (0o077, 0o600)])
def test_a_new_file_has_the_permissions_that_the_umask_leaves(
    tmp_path: Path, writer: str, umask: int, expected: int
) -> None:
    done = python(WRITERS[writer], tmp_path, umask=umask)
    assert (done.returncode, done.stderr) == (0, b"")
    assert mode(tmp_path / "new") == expected
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


@pytest.mark.thorough
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("kept", [0o600, 0o664, 0o755])
def test_an_existing_file_keeps_its_permissions(tmp_path: Path, writer: str, kept: int) -> None:
    path = tmp_path / "new"
    path.write_bytes(b"before")
    path.chmod(kept)
    done = python(WRITERS[writer], tmp_path, umask=0o027)
    assert (done.returncode, done.stderr) == (0, b"")
    assert path.read_bytes() != b"before"
    assert mode(path) == kept


def test_the_umask_of_the_process_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("other threads see it"))
    write_whole(tmp_path / "new", b"all")


def test_the_target_of_a_link_is_replaced(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_bytes(b"before")
    (tmp_path / "link").symlink_to(kept / "file")
    (tmp_path / "to_nothing").symlink_to(kept / "new")
    for name, written in (("link", "file"), ("to_nothing", "new")):
        write_whole(tmp_path / name, b"all")
        assert (tmp_path / name).is_symlink()
        assert (kept / written).read_bytes() == b"all"
    assert sorted(path.name for path in kept.iterdir()) == ["file", "new"]


def test_a_reader_sees_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a" * 100_000)
    with path.open("rb") as reader:
        write_whole(path, b"b" * 100_000)
        assert reader.read() == b"a" * 100_000
    assert path.read_bytes() == b"b" * 100_000


@pytest.mark.parametrize("is_there", [False, True])
def test_after_an_error_nothing_is_left_and_nothing_lost(tmp_path: Path, is_there: bool) -> None:
    path = tmp_path / "file"
    if is_there:
        path.write_bytes(b"before")
    limit = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); "
    )
    done = python(
        f"{limit}from wherefrom.support.writing import write_whole; write_whole(Path('file'), bytes(5000))", tmp_path
    )
    assert b"File too large" in done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == ({"file": b"before"} if is_there else {})


@pytest.mark.parametrize("name", ["missing/file", "folder", "loop", "file/below"])
def test_a_place_where_no_file_can_be_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(OSError, match="Errno"):
        write_whole(tmp_path / name, b"all")
    assert sorted(tmp_path.iterdir()) == before


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"all" * 100_000)
    reader.join()
    assert read == [b"all" * 100_000]
    assert pipe.is_fifo()


WRITE_OUT = "import sys; from wherefrom.support.writing import write_whole; write_whole(Path('/dev/stdout'), b'all')"


def test_standard_output_is_written_to(tmp_path: Path) -> None:
    done = python(WRITE_OUT, tmp_path)
    assert (done.stdout, done.stderr) == (b"all", b"")


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/stdout opens the file again on Linux")
def test_standard_output_that_is_a_file_keeps_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"before ")
    with path.open("ab") as log:
        subprocess.run(
            [sys.executable, "-c", f"from pathlib import Path; {WRITE_OUT}"], stdout=log, cwd=tmp_path, check=True
        )
        log.write(b" after")
    assert path.read_bytes() == b"before all after"


def test_a_device_that_is_full_is_an_error() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with pytest.raises(OSError, match="No space left"):
        write_whole(Path("/dev/full"), b"all")


DEFAULTS = {
    "the index": "wherefrom.index_sources(['source'], Settings.index, jobs=1)",
    "the posts": "wherefrom.import_posts('Posts.xml')",
}


@pytest.mark.slow
@pytest.mark.parametrize("kept", DEFAULTS)
@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_the_default_folder_is_for_the_user_alone(tmp_path: Path, kept: str, umask: int) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source/a.py").write_text("print(1)\n")
    (tmp_path / "Posts.xml").write_text("<posts></posts>")
    code = f"from wherefrom.cli.settings import load; import wherefrom; Settings = load().settings(); {DEFAULTS[kept]}"
    home = {**os.environ, "HOME": str(tmp_path / "home"), "XDG_DATA_HOME": str(tmp_path / "data")}
    done = python(code, tmp_path, umask=umask, env=home)
    assert (done.returncode, done.stderr) == (0, b"")
    folder = tmp_path / "data/wherefrom"
    assert mode(tmp_path / "data") == 0o777 & ~umask
    assert mode(folder) == 0o700
    if kept == "the index":
        assert mode(folder / "index") == 0o700


@pytest.mark.thorough
@pytest.mark.parametrize("umask", [0o002, 0o027])
def test_a_folder_that_the_user_names_has_the_permissions_that_the_umask_leaves(tmp_path: Path, umask: int) -> None:
    code = """
from wherefrom.engines import open_engine; from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.posts.store import PostStore
open_engine('new/index', schemes=scheme_ids(), create=True).close()
PostStore(Path('other/posts.sqlite'), create=True).close()
"""
    done = python(code, tmp_path, umask=umask)
    assert (done.returncode, done.stderr) == (0, b"")
    for name in ("new", "new/index", "new/index/runs", "other"):
        assert mode(tmp_path / name) == 0o777 & ~umask


def test_an_existing_folder_keeps_its_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "wherefrom").mkdir(mode=0o750)
    make_folder(tmp_path / "wherefrom/index")
    assert (mode(tmp_path / "wherefrom"), mode(tmp_path / "wherefrom/index")) == (0o750, 0o700)
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        make_folder(tmp_path / "file/index")
