"""If a reader closes the pipe early (`| head -1`), the command still writes and removes all that it should."""

from __future__ import annotations

import os
import shutil
import subprocess
from html import escape
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Wherefrom, module_source
from tests.end_to_end.edits import renamed
from tests.posts.conftest import dump, row
from tests.processes import HANGS
from tests.repositories import Repository

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """An index of three repositories that share code, and a project, posts and hand-ins with it."""
    wherefrom = Wherefrom(tmp_path_factory.mktemp("pipes"))
    folder, shared = wherefrom.folder, module_source("heapq")
    for number, own in enumerate(("graphlib", "shlex", "bisect")):
        files = {"lib/shared.py": shared + b"NUMBER = %d\n" % number, f"{own}.py": module_source(own)}
        Repository.make(folder / "clones" / own, files)
    wherefrom.indexes("clones")
    Repository.make(folder / "project", {"maps.py": shared})
    body = f"<pre><code>{escape(shared.decode())}</code></pre>"
    (folder / "Posts.xml").write_bytes(dump(row(1, Tags="<python>", Body=body)))
    wherefrom.environment["WHEREFROM_POSTS"] = str(folder / "posts.sqlite")
    wherefrom("posts", "import", "Posts.xml")
    (folder / "hand-ins").mkdir()
    (folder / "hand-ins" / "one.py").write_bytes(shared)
    (folder / "hand-ins" / "two.py").write_text(renamed(shared.decode()))
    return wherefrom


def run_unread(wherefrom: Wherefrom, *arguments: str) -> str:
    """Runs a command whose standard output is a pipe that nobody reads; gives what it says on standard error."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*wherefrom.command, *arguments],
            env=wherefrom.environment,
            cwd=wherefrom.folder,
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=HANGS,
            check=False,
        )
    finally:
        os.close(writing)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (("compare", "hand-ins", "--html", "page.html", "--anonymize", "key.csv"), ("page.html", "key.csv")),
        (("check", "project", "--baseline", "known.json", "--update-baseline"), ("known.json",)),
        (("posts", "search", "--format", "csv", "--output", "rows.csv"), ("rows.csv",)),
        (("boilerplate", "learn", "--min-repositories", "3", "--output", "sets.json"), ("sets.json",)),
        (("lab", "samplers", "clones", "--random-text", "1000", "--plot", "samplers.svg"), ("samplers.svg",)),
        (("lab", "frequencies", "clones", "--plot", "frequencies.svg"), ("frequencies.svg",)),
        (("lab", "noise", "clones", "--plot", "noise.svg"), ("noise.svg",)),
    ],
    ids=lambda value: " ".join(value[:2]) if len(value) > 2 else "",
)
def test_files_are_written_though_nobody_reads_the_answer(
    indexed: Wherefrom, command: tuple[str, ...], written: tuple[str, ...]
) -> None:
    run_unread(indexed, *command)
    for name in written:
        assert (indexed.folder / name).stat().st_size > 0


def test_a_baseline_is_pruned_though_nobody_reads_the_answer(indexed: Wherefrom) -> None:
    baseline = indexed.folder / "project" / "pruned.json"
    copied = indexed.folder / "project" / "copied.py"
    copied.write_bytes(module_source("graphlib"))
    run_unread(indexed, "check", "project", "--baseline", str(baseline), "--update-baseline")
    before = baseline.read_text()
    copied.unlink()
    run_unread(indexed, "check", "project", "--baseline", str(baseline), "--prune-baseline")
    assert "copied.py" in before
    assert "copied.py" not in baseline.read_text()
    assert "maps.py" in baseline.read_text()


def test_repositories_are_removed_though_nobody_reads_their_names(tmp_path: Path) -> None:
    wherefrom = Wherefrom(tmp_path)
    for name in ("gone", "kept"):
        Repository.make(tmp_path / "clones" / name, {"a.py": module_source("bisect")})
    wherefrom.indexes("clones")
    shutil.rmtree(tmp_path / "clones" / "gone")
    run_unread(wherefrom, "prune", "--yes")
    assert [item["repository"] for item in wherefrom.json("list")["repositories"]] == [str(tmp_path / "clones/kept")]
