"""Full disks, which are real ones in memory: an error of one line names the disk, and the index is as it was."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Wherefrom, module_source
from tests.repositories import Repository

ALONE = ["unshare", "--user", "--map-root-user", "--mount"]
"""Runs another command, which may mount file systems that no other process sees."""

pytestmark = pytest.mark.skipif(
    shutil.which("unshare") is None or subprocess.run([*ALONE, "true"], check=False).returncode != 0,
    reason="the system does not let a user mount anything",
)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """The command, and an index of one of two clones."""
    wherefrom = Wherefrom(tmp_path_factory.mktemp("disks"))
    for clone, modules in (("first", ("argparse", "ast")), ("second", ("doctest", "inspect", "tarfile"))):
        Repository.make(wherefrom.folder / clone, {f"{name}.py": module_source(name) for name in modules})
    wherefrom.indexes(wherefrom.folder / "first", "--name", "first", "--keep-source")
    return wherefrom


def ended(wherefrom: Wherefrom, prepare: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command after a script has prepared disks."""
    return subprocess.run(
        [*ALONE, "sh", "-ec", f'{prepare}\nexec "$@"', "sh", *wherefrom.command, *arguments],
        env=wherefrom.environment,
        cwd=wherefrom.folder,
        capture_output=True,
        text=True,
        check=False,
    )


def failed(wherefrom: Wherefrom, prepare: str, *arguments: str) -> str:
    """The single line that such a command prints."""
    done = ended(wherefrom, prepare, *arguments)
    assert done.returncode == 2, done.stderr
    [line] = [line for line in done.stderr.splitlines() if "error" in line]
    return line.removeprefix("wherefrom: error: ")


@pytest.mark.parametrize("free", [4, 40, 100, 200])
def test_an_index_on_a_full_disk_is_named(indexed: Wherefrom, free: int) -> None:
    """`free` kB are free for an update."""
    disk = indexed.folder / f"disk{free}"
    disk.mkdir()
    prepare = f"""mount -t tmpfs -o size=20m tmpfs {disk}
    cp -r {indexed.index} {disk}/index
    used=$(df -k --output=used {disk} | tail -1)
    mount -o remount,size=$((used + {free}))k {disk}"""
    line = failed(indexed, prepare, "index", "--index", f"{disk}/index", "second", "--keep-source")
    reported = f"the disk of the index {disk}/index is full; what was committed is safe; make room on it and run again"
    assert line == reported


def test_no_room_for_temporary_files_is_named(indexed: Wherefrom) -> None:
    """Every folder for temporary files is on a full disk, the working directory too."""
    full = indexed.folder / "full"
    full.mkdir()
    # What is below /tmp is hidden then.
    line = failed(indexed, every_disk_full(full), "compare", str(Path(__file__).parent))
    assert_every_disk_is_named(line)


def test_a_full_disk_without_a_name_is_an_error_of_one_line(indexed: Wherefrom) -> None:
    """An error of a write has no file name, and there is no folder for temporary files either."""
    full = indexed.folder / "unnamed"
    full.mkdir()
    script = """import sys; from wherefrom.cli import app, console
try:
    open("/tmp/new", "wb", buffering=0).write(bytes(9_000))
except OSError as error:
    console.fail(app._no_room(error))"""
    done = subprocess.run(
        [*ALONE, "sh", "-ec", f'{every_disk_full(full)}\nexec "$@"', "sh", sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
    )
    assert_every_disk_is_named(done.stderr.removeprefix("wherefrom: error: ").rstrip())


def every_disk_full(full: Path) -> str:
    """A script after which every folder for temporary files, and the working directory, is on one full disk."""
    return f"""mount -t tmpfs -o size=4k tmpfs {full}
    cat /dev/zero > {full}/zeros 2>/dev/null || true
    for folder in /var/tmp /usr/tmp /tmp; do
      if [ -d $folder ]; then mount --rbind {full} $folder; fi
    done
    cd /tmp"""


def assert_every_disk_is_named(line: str) -> None:
    assert line.startswith("every disk for temporary files is full or cannot be written: No usable temporary directory")
    assert line.endswith("; make room, or name another folder for temporary files in TMPDIR")
    assert "'/var/tmp'" in line


@pytest.mark.nightly
@pytest.mark.slow
def test_an_index_needs_no_room_for_temporary_files(indexed: Wherefrom) -> None:
    many, full = indexed.folder / "many", indexed.folder / "temporary"
    many.mkdir()
    full.mkdir()
    dice = random.Random(1)
    for number in range(4_000):
        code = f"def made_{number}(a, b):\n    return [a * {dice.randrange(10**9)} + b, {dice.randrange(10**9)}]\n"
        (many / f"made_{number}_{dice.randrange(10**9)}.py").write_text(code)
    location = str(indexed.folder / "many.wherefrom")
    indexed.indexes(many, "--name", "many", "--index", location)
    prepare = f"""mount -t tmpfs -o size=4k tmpfs {full}
    cat /dev/zero > {full}/zeros 2>/dev/null || true
    export TMPDIR={full}"""
    done = ended(indexed, prepare, "copy", location, str(indexed.folder / "copied.wherefrom"))
    assert done.returncode == 0, done.stderr
