"""Makes the world of the trials once for a run: real repositories, a dump of posts, a project and indexes of them."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from html import escape
from importlib import import_module
from pathlib import Path
from random import Random

from soak.inputs import SAMPLES, fuzzed
from tests import windows
from tests.posts.conftest import dump, row
from tests.repositories import Repository
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.support.system import system

MODULES = (
    *("bisect", "cmd", "copy", "fnmatch", "glob", "graphlib", "heapq", "keyword", "netrc", "opcode", "queue", "quopri"),
    *("reprlib", "sched", "shelve", "shlex", "string", "textwrap", "types", "weakref"),
)
"""Modules of the standard library: real code of about ten kilobytes each."""

LICENSE = (
    "# Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated\n"
    "# documentation files, to deal in the Software without restriction, including without limitation the rights to\n"
    "# use, copy, modify, merge, publish, distribute, sublicense, and sell copies of the Software, and to permit\n"
    "# persons to whom the Software is furnished to do so, subject to the conditions of the license.\n"
)

CLONES = 5

HOSTILE = 120
"""How many fuzzed files are indexed with the real ones, so that searches find and show them."""

STEPPING = '''\
"""The command, with a commit, a batch and a synchronized file after each small step, so that there is more to stop."""

import sys

try:
    from wherefrom.cli import main
    from wherefrom.indexer import copy, indexing
    from wherefrom.posts import importing, search
except BaseException:  # an interrupt before the command has begun, which Python makes other errors of, too
    sys.exit(130)

indexing.BATCH_BYTES, indexing.COMMIT_BYTES, copy.COMPARED = 8_000, 50_000, 5
importing.COMMIT_SECONDS = search.SYNC_SECONDS = 0.0

if __name__ == "__main__":
    sys.exit(main())
'''


def module_source(name: str) -> bytes:
    """The source of a module of the standard library."""
    return inspect.getsource(import_module(name)).encode()


@dataclass(frozen=True, slots=True)
class World:
    """The parts of the world in its folder.

    `older.wherefrom` has the clones at their first revision, `newer.wherefrom` has `hostile` and the clones at their
    last revision. `unswept.wherefrom` has contents that no repository has any more.
    """

    folder: Path

    @property
    def clones(self) -> Path:
        """The folder of the repositories."""
        return self.folder / "clones"

    @property
    def command(self) -> list[str]:
        """The command line of wherefrom for trials: a variant that works in small steps."""
        return [sys.executable, str(self.folder / "stepping.py")]

    def environment(self, home: Path) -> dict[str, str]:
        """The environment of a command with this home folder."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("WHEREFROM_", "XDG_"))}
        return {**kept, **windows.home(home), "LC_ALL": "C.UTF-8", "WHEREFROM_POSTS": "posts.sqlite"}

    def do(self, *arguments: str, index: str = "newer.wherefrom", codes: tuple[int, ...] = (0,)) -> None:
        """Runs a command of wherefrom in the folder of the world.

        Raises:
            RuntimeError: the exit code is not one of `codes`.
        """
        done = subprocess.run(
            [*self.command, *arguments],
            env={**self.environment(self.folder), "WHEREFROM_INDEX": index},
            cwd=self.folder,
            capture_output=True,
            check=False,
        )
        if done.returncode not in codes:
            raise RuntimeError(f"{arguments}: {done.returncode}\n{done.stderr.decode(errors='replace')}")


@dataclass(frozen=True, slots=True)
class Ground:
    """The folders of the trials.

    Attributes:
        shared: the folder of the world, which several runs may share.
        folder: the folder of this run.
    """

    shared: Path
    folder: Path

    def world(self) -> World:
        """The world. It is made if it does not exist yet."""
        made = World(self.shared)
        self.shared.parent.mkdir(parents=True, exist_ok=True)
        with self.shared.with_suffix(".lock").open("a") as file:
            system.lock(file.fileno(), wait=True)
            if not (self.shared / "made").exists():
                shutil.rmtree(self.shared, ignore_errors=True)
                _make(made)
        return made


def _make(made: World) -> None:
    """Makes the world."""
    folder = made.folder
    folder.mkdir(parents=True)
    (folder / "stepping.py").write_text(STEPPING)
    _make_clones(made)
    _make_project(made)
    blocks = [f"<pre><code>{escape(module_source(name).decode()[:2500])}</code></pre>" for name in MODULES]
    rows = [row(number, Tags="<python>", Body=f"<p>a</p>{block}") for number, block in enumerate(blocks * 6, 1)]
    (folder / "Posts.xml").write_bytes(dump(*rows))
    for number in range(CLONES):
        clone = str(made.clones / f"r{number}")
        made.do("index", clone, "--rev", "HEAD~1", "--keep-source", "--name", f"r{number}", index="older.wherefrom")
        made.do("index", clone, "--keep-source", "--name", f"r{number}")
    made.do("index", str(made.clones), "--rev", "HEAD~1", "--keep-source", index="paths.wherefrom")
    made.do("boilerplate", "learn", "--min-repositories", "3", "--output", "proposals.json", codes=(0, 1))
    made.do("posts", "import", "Posts.xml")
    made.do("index", "hostile", "--keep-source", "--include-data", "--include-generated", "--name", "hostile")
    made.do("boilerplate", "add", "keywords", "project/known.py")
    shutil.copytree(folder / "older.wherefrom", folder / "unswept.wherefrom")
    with closing(open_engine(folder / "unswept.wherefrom", schemes=scheme_ids())) as engine, engine.writer() as writer:
        for key in ("r0", "r1"):
            writer.delete_occurrences(key)
            writer.delete_repository(key)
        writer.commit()
    (folder / "made").touch()


def _make_clones(made: World) -> None:
    """Overlapping repositories, with two revisions each."""
    contents = {f"{name}.py": module_source(name) for name in MODULES}
    contents |= {f"{path.stem}.txt": path.read_bytes() for path in sorted(SAMPLES.iterdir())[:8]}
    for number in range(CLONES):
        dice = Random(number)
        names = dice.sample(sorted(contents), 12)
        files = {f"{dice.choice(('src', 'lib/deep'))}/{name}": contents[name] for name in names}
        files |= {f"own{number}.py": LICENSE.encode() + contents["heapq.py"] + b"\n\nOWNER = %d\n" % number}
        clone = Repository.make(made.clones / f"r{number}", files)
        for path in sorted(files)[:3]:
            (clone.folder / path).unlink()
        changed = sorted(files)[5]
        new = LICENSE.encode() + contents["shlex.py"][:4000]
        clone.commit({"new.py": new, changed: files[changed] + b"\n\nA = 1\n"})


def _make_project(made: World) -> None:
    """A project with copied functions, and files with fuzzed names and contents."""
    project = made.folder / "project"
    copied = {f"{name}.py": b"import os\n\n" + module_source(name) for name in ("heapq", "textwrap", "shlex")}
    Repository.make(project, {"known.py": module_source("keyword"), **copied})
    hostile = made.folder / "hostile"
    for number in range(HOSTILE):
        path, content = fuzzed(Random(f"hostile {number}"))
        path = path.replace("..", "dots").replace("\0", "0")
        try:
            target = hostile / f"{number % 5}" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        except (OSError, ValueError):
            folder = hostile / f"{number % 5}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{number}").write_bytes(content)
