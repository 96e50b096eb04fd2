"""All commands that write, each with its input, its result and the way to finish it after a fault."""

from __future__ import annotations

import gc
import hashlib
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil

from soak.contents import index_contents, store_contents
from soak.world import World
from wherefrom.support.system import system

Result = Mapping[str, object]

INDEX = "index.wherefrom"


@dataclass(frozen=True, slots=True)
class Command:
    """A command that writes.

    Attributes:
        arguments: its arguments; `{clones}` and `{world}` are replaced by folders.
        begins: the parts of the world that are copied into the folder of the trial, by their names there.
        result: reads the result of the command from the folder of the trial.
        codes: the exit codes that it may end with if nothing disturbs it.
        ending: a command that must run at the end. A command that is stopped before it sweeps leaves contents that no
            repository has any more. When it runs again, it has nothing to do and does not sweep.
        folder: its working directory.
        has_workers: whether it starts worker processes.
        again: the exit code if it refuses to do the same again.
    """

    arguments: tuple[str, ...]
    begins: Mapping[str, str]
    result: Callable[[Path], Result]
    codes: tuple[int, ...] = (0,)
    ending: tuple[str, ...] = ()
    folder: str = "."
    has_workers: bool = False
    again: int = 0


def _index(folder: Path) -> Result:
    return index_contents(folder / INDEX)


def _file(name: str, folder: Path) -> Result:
    path = folder / name
    return {name: hashlib.blake2b(path.read_bytes(), digest_size=12).hexdigest() if path.exists() else None}


def _store(folder: Path) -> Result:
    return store_contents(folder / "posts.sqlite")


_SEARCHED = {INDEX: "newer.wherefrom", "posts.sqlite": "posts.sqlite"}

COMMANDS: Mapping[str, Command] = {
    "index": Command(("index", "{clones}", "--keep-source", "--jobs", "2"), {}, _index, has_workers=True),
    "re-index": Command(
        ("index", "{clones}", "--keep-source", "--jobs", "2"),
        {INDEX: "paths.wherefrom"},
        _index,
        ending=("sweep",),
        has_workers=True,
    ),
    "remove": Command(("remove", "r1"), {INDEX: "newer.wherefrom"}, _index, ending=("sweep",), again=2),
    "sweep": Command(("sweep",), {INDEX: "unswept.wherefrom"}, _index),
    "copy": Command(("copy", "{world}/newer.wherefrom", INDEX, "--jobs", "2"), {}, _index, has_workers=True),
    "copy --replace": Command(
        ("copy", "{world}/newer.wherefrom", INDEX, "--replace", "--jobs", "2"),
        {INDEX: "older.wherefrom"},
        _index,
        ending=("sweep",),
        has_workers=True,
    ),
    "boilerplate add": Command(("boilerplate", "add", "mine", "{world}/project"), {INDEX: "newer.wherefrom"}, _index),
    "boilerplate learn": Command(
        ("boilerplate", "learn", "--min-repositories", "3", "--output", "learned.json"),
        {INDEX: "newer.wherefrom"},
        partial(_file, "learned.json"),
    ),
    "boilerplate accept": Command(
        ("boilerplate", "accept", "{world}/proposals.json"), {INDEX: "newer.wherefrom"}, _index
    ),
    "posts import": Command(("posts", "import", "{world}/Posts.xml"), {}, _store),
    "posts search": Command(
        ("posts", "search", "--output", "rows.csv", "--format", "csv"),
        _SEARCHED,
        partial(_file, "rows.csv"),
        has_workers=True,
        again=2,
    ),
    "check --update-baseline": Command(
        ("check", "--update-baseline", "--baseline", "known.json"),
        {INDEX: "newer.wherefrom", "project": "project"},
        partial(_file, "project/known.json"),
        codes=(0, 1),
        folder="project",
    ),
}


@dataclass(frozen=True, slots=True)
class Stage:
    """A command, and a folder of its own where it runs."""

    command: Command
    folder: Path
    world: World

    @classmethod
    def prepared(cls, command: Command, folder: Path, world: World) -> Stage:
        """Empties the folder and copies the input of the command into it."""
        gc.collect()  # on Windows, no file can be removed that is open
        system.remove_tree(folder)
        (folder / "home").mkdir(parents=True)
        for name, source in command.begins.items():
            begin = world.folder / source
            if begin.is_dir():
                shutil.copytree(begin, folder / name, symlinks=True)
            else:
                shutil.copy(begin, folder / name)
        return cls(command, folder, world)

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Starts the command, or `arguments` in its place, in a new process group."""
        chosen = arguments or self.command.arguments
        filled = [argument.format(clones=self.world.clones, world=self.world.folder) for argument in chosen]
        environment = self.world.environment(self.folder / "home")
        with (self.folder / "errors").open("wb") as errors:
            return subprocess.Popen(
                [*self.world.command, *filled],
                env={**environment, "WHEREFROM_INDEX": str(self.folder / INDEX)}
                | {"WHEREFROM_POSTS": str(self.folder / "posts.sqlite")},
                cwd=self.folder / self.command.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                **system.group(),
            )

    def errors(self) -> str:
        """The standard error of the last command."""
        return (self.folder / "errors").read_bytes().decode("utf-8", "replace")

    def result(self) -> Result:
        """The result of the command."""
        return self.command.result(self.folder)


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """A command that nothing stopped: its result, its exit code and its duration in seconds."""

    result: Result
    code: int
    seconds: float

    @classmethod
    def measured(cls, command: Command, folder: Path, world: World) -> Undisturbed:
        """Runs the command twice. Both results must be the same.

        Raises:
            RuntimeError: the command fails, or its results differ.
        """
        made: list[Undisturbed] = []
        for _ in range(2):
            stage = Stage.prepared(command, folder, world)
            begin = time.monotonic()
            running = stage.start()
            code = running.wait()
            seconds = time.monotonic() - begin
            if code not in command.codes:
                raise RuntimeError(f"{command.arguments} ends with {code}: {stage.errors()}")
            for ending in command.ending:
                stage.start(ending).wait()
            made.append(cls(stage.result(), code, seconds))
        if made[0].result != made[1].result:
            raise RuntimeError(f"{command.arguments} makes {made[0].result}, then {made[1].result}")
        return cls(made[0].result, made[0].code, min(run.seconds for run in made))


def group_members(group: int) -> list[int]:
    """The processes of a group that have not ended. On Windows, those that the first one has started."""
    if sys.platform == "win32":
        parents = {process.pid: process.info["ppid"] for process in psutil.process_iter(["ppid"])}
        found = [group]
        for member in found:
            found += [process for process, parent in parents.items() if parent == member and process not in found]
        return [member for member in found if member in parents]
    listed = subprocess.run(["ps", "-A", "-o", "pid=,pgid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return [int(pid) for pid, its_group, state in rows if int(its_group) == group and not state.startswith("Z")]
