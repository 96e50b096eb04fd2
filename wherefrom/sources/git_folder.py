"""Finds the parts of a git repository on the disk, and refuses repositories that git must not open."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from wherefrom.errors import GitError
from wherefrom.sources.command import GitFailed, complaint, run
from wherefrom.support.printable import visible
from wherefrom.support.system import system

LOOKUP_SECONDS = 60.0  # limit on commands that take milliseconds, unless the disk is very slow or the clone is hostile
TEXT_BYTES = 10_000_000  # limit on a file that git reads into memory as a whole, such as `HEAD`, a branch or `config`
PACKED_REFS_BYTES = 1_000_000_000  # limit on the bytes of `packed-refs`: more than ten million branches and tags
_POINTER_BYTES = 4096 + len("gitdir: ")  # this many bytes are read of a file with just a path, such as a `.git` file
_ALTERNATES_BYTES = 1 << 16  # limit on an `alternates` file, which names the object folders of other repositories
_MOST_ALTERNATES = 100  # alternates are followed until this many object folders are found
_MOST_CONFIGS = 100  # limit on the files of a configuration, counting the files that it includes

_TEXTS = ("HEAD", "commondir", "config", "config.worktree", "info/attributes", "info/exclude", "info/grafts", "shallow")
"""Files besides `packed-refs` that git reads into memory as a whole."""

_INCLUDED = r"^include(if\..*)?\.path$"


def git_dir(folder: Path) -> Path | None:
    """The git directory of a work tree (also a linked one or a submodule) or of a bare repository; None for others.
    This only tests whether the folder looks like a repository, which may be broken.
    """
    dot = folder / ".git"
    if dot.is_file():
        pointer = _begin(dot)
        is_one = pointer.startswith(b"gitdir: ") and b"\0" not in pointer
        return folder / system.path_of(pointer[8:].rstrip(b"\r\n")) if is_one else None
    return next((place for place in (dot, folder) if _looks_like_one(place)), None)


def existing_git_dir(folder: Path) -> Path:
    """The git directory, as from `git_dir`. Raises GitError if the folder is not a repository."""
    directory = git_dir(folder)
    if directory is None:
        raise GitError(f"{visible(folder)} is no longer a git repository; check the path")
    return directory


def config_values(
    file: str, pattern: str, environment: Mapping[str, str], stdin: Iterable[bytes] = ()
) -> list[tuple[str, str]]:
    """The settings (name, value) of a configuration file, or of `stdin` for `-`, whose names match a regular
    expression; without included files. Raises GitFailed if it is broken; GitError as for `run`.
    """
    arguments = ["config", "--file", file, "--no-includes", "-z", "--get-regexp", pattern]
    answer = run(arguments, environment, seconds=LOOKUP_SECONDS, stdin=stdin)
    if answer.returncode > 1:
        raise GitFailed(complaint(answer.stderr))
    items = (item.partition("\n") for item in system.path_of(answer.stdout).split("\0"))
    return [(name, value) for name, separator, value in items if separator]


def work_tree(place: Path) -> Path:
    """The work tree of a `.git` folder; any other folder is returned unchanged."""
    return place.parent if place.name == ".git" and git_dir(place.parent) == place else place


def is_linked(folder: Path) -> bool:
    """Whether a folder is a linked work tree (`git worktree add`) of a repository elsewhere."""
    directory = git_dir(folder)
    return directory is not None and (directory / "commondir").is_file()


def objects(folder: Path) -> Path:
    """The folder of a repository's objects, after checking that git can safely read there. Raises GitError if the
    folder is not a repository, or git would wait or read without end there.
    """
    place = common_dir(existing_git_dir(folder)) / "objects"
    if not place.is_dir():
        raise GitError(f"{visible(folder)} is no longer a git repository; check the path")
    _check_objects(place)
    return place


def refuse_hostile(directory: Path, environment: Mapping[str, str]) -> None:
    """Raises GitError if git would open a pipe, a device or a very long file in a repository. For files elsewhere, and
    for files that appear later, only the limits on time and memory protect us.
    """
    common = common_dir(directory)
    for place in {directory, common}:
        for name in _TEXTS:
            _check_size(place / name, TEXT_BYTES)
        _check_size(place / "packed-refs", PACKED_REFS_BYTES)
        for folder in (place, place / "info", place / "reftable"):
            _refuse_pipes(folder)
        for refs, _, names in os.walk(place / "refs"):
            _refuse_pipes(Path(refs))
            for name in names:
                _check_size(Path(refs, name), TEXT_BYTES)
    _check_objects(common / "objects")
    _check_included([common / "config", directory / "config.worktree"], environment)


def _check_objects(objects: Path) -> None:
    """Checks a folder of objects, and the object folders of other repositories that it uses."""
    for place in _all_objects(objects):
        _check_size(place / "info" / "alternates", _ALTERNATES_BYTES)
        loose = (Path(item.path) for item in _items(place) if len(item.name) == 2)
        for folder in (place / "info", place / "info" / "commit-graphs", place / "pack", *loose):
            _refuse_pipes(folder)


def _check_included(configs: list[Path], environment: Mapping[str, str]) -> None:
    seen = {*configs}
    while configs:
        config = configs.pop()
        if b"include" not in _begin(config, TEXT_BYTES).lower():
            continue
        try:
            included = config_values(str(config), _INCLUDED, environment)
        except GitFailed as error:
            raise GitError(f"cannot read {visible(config)}: {error}; clone it again") from None
        for _, value in included:
            path = config.parent / os.path.expanduser(value)  # noqa: PTH111  # Path's raises
            if path not in seen:
                _refuse_pipe(path)
                _check_size(path, TEXT_BYTES)
                seen.add(path)
                configs.append(path)
        if len(seen) > _MOST_CONFIGS:
            raise GitError(f"{visible(config)} includes more than {_MOST_CONFIGS} files; clone it again")


def _refuse_pipes(folder: Path) -> None:
    for item in _items(folder):
        if not item.is_file(follow_symlinks=False):
            _refuse_pipe(item.path)


def _refuse_pipe(path: str | Path) -> None:
    """Refuses a pipe or a device: opening it may wait for another program. (A socket cannot be opened at all.)"""
    with suppress(OSError):
        mode = os.stat(path).st_mode  # noqa: PTH116  # faster, for many files
        if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise GitError(f"{visible(path)} is a pipe or a device and not a file; clone it again")


def _check_size(path: Path, most: int) -> None:
    with suppress(OSError):
        size = path.stat().st_size
        if size > most:
            raise GitError(f"{visible(path)} has {size:,} bytes, and git needs all of them; clone it again")


def _items(folder: Path) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as items:
        return list(items)
    return []


def outside(folder: Path, named: Path) -> tuple[Path, ...]:
    """The parts of a repository that are not in the folder `named`: its git directory, objects, refs, or the objects of
    other repositories that it uses. The path of `named` has no links.
    """
    directory = git_dir(folder)
    if directory is None:
        return ()
    common = common_dir(directory)
    places = [directory, common, *(common / name for name in ("HEAD", "config", "packed-refs", "refs", "objects"))]
    for place in _all_objects(common / "objects"):
        items = [*_items(place), *_items(place / "pack")]
        places += [place, *(Path(item.path) for item in items if item.is_symlink())]
    found: list[Path] = []
    for place in places:
        real = Path(os.path.realpath(place))
        if os.path.lexists(real) and not any(real.is_relative_to(known) for known in (named, *found)):
            found.append(real)
    return tuple(found)


def _all_objects(objects: Path) -> list[Path]:
    """A folder of objects, its alternates, and their alternates in turn."""
    found = [objects]
    for place in found:
        lines = _begin(place / "info" / "alternates", _ALTERNATES_BYTES).split(b"\n")
        named = (line for line in lines if line and not line.startswith(b"#") and b"\0" not in line)
        others = [place / system.path_of(line) for line in named]
        found += [other for other in others if other not in found and os.path.isdir(other)]  # noqa: PTH112  # never raises
        if len(found) > _MOST_ALTERNATES:
            break
    return found


def _looks_like_one(place: Path) -> bool:
    if not os.path.lexists(place / "HEAD"):
        return False
    return (place / "commondir").is_file() or ((place / "objects").is_dir() and (place / "refs").is_dir())


def common_dir(directory: Path) -> Path:
    """The folder with the objects and the configuration: the git directory itself, except for a linked work tree."""
    path = _begin(directory / "commondir").rstrip(b"\r\n")
    return directory if b"\0" in path else directory / system.path_of(path)


def _begin(file: Path, size: int = _POINTER_BYTES) -> bytes:
    """The first `size` bytes of a regular file; empty if it cannot be read."""
    with suppress(OSError):
        if file.is_file():
            with file.open("rb") as opened:
                return opened.read(size)
    return b""
