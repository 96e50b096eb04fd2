"""The parts of a git repository on the disk: where they are, and whether git may open them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from wherefrom.errors import GitError
from wherefrom.sources.command import GitFailed, complaint, run
from wherefrom.support.printable import visible

LOOKUP_SECONDS = 60.0
"""For what takes milliseconds, unless the disk is very slow or the clone is hostile."""

TEXT_BYTES = 10_000_000
"""Of a file that git reads into memory as a whole, such as `HEAD`, a branch or `config`."""

PACKED_REFS_BYTES = 1_000_000_000
"""Of `packed-refs`: more than ten million branches and tags."""

_POINTER_BYTES = 4096 + len("gitdir: ")
"""Of a file that holds a path."""

_ALTERNATES_BYTES = 1 << 16

_MOST_ALTERNATES = 100
"""Folders of other objects that are looked at."""

_MOST_CONFIGS = 100
"""Files of a configuration with all that it includes."""

_TEXTS = {
    "HEAD": TEXT_BYTES,
    "commondir": TEXT_BYTES,
    "config": TEXT_BYTES,
    "config.worktree": TEXT_BYTES,
    "info/attributes": TEXT_BYTES,
    "info/exclude": TEXT_BYTES,
    "info/grafts": TEXT_BYTES,
    "shallow": TEXT_BYTES,
    "packed-refs": PACKED_REFS_BYTES,
}
"""What git reads as a whole, with the most bytes that it may have."""

_INCLUDED = r"^include(if\..*)?\.path$"


def git_dir(folder: Path) -> Path | None:
    """The git directory of a work tree (also of a linked one or a submodule) or of a bare repository, else None.

    It is found by its looks and may turn out to be broken.
    """
    dot = folder / ".git"
    if dot.is_file():
        pointer = _begin(dot)
        is_one = pointer.startswith(b"gitdir: ") and b"\0" not in pointer
        return folder / os.fsdecode(pointer[8:].rstrip(b"\r\n")) if is_one else None
    return next((place for place in (dot, folder) if _looks_like_one(place)), None)


def existing_git_dir(folder: Path) -> Path:
    """As `git_dir`.

    Raises:
        GitError: it is not a repository.
    """
    directory = git_dir(folder)
    if directory is None:
        raise GitError(f"{visible(folder)} is no longer a git repository; check the path")
    return directory


def config_values(
    file: str, pattern: str, environment: Mapping[str, str], stdin: Iterable[bytes] = ()
) -> list[tuple[str, str]]:
    """The names and values of a configuration file whose names match a regular expression; nothing is included.

    Args:
        file: its path; `-` for `stdin`.
        pattern: as git takes it.
        environment: for commands of git.
        stdin: the content.

    Raises:
        GitFailed: the file is broken.
        GitError: as `run`.
    """
    arguments = ["config", "--file", file, "--no-includes", "-z", "--get-regexp", pattern]
    answer = run(arguments, environment, seconds=LOOKUP_SECONDS, stdin=stdin)
    if answer.returncode > 1:
        raise GitFailed(complaint(answer.stderr))
    items = (item.partition("\n") for item in os.fsdecode(answer.stdout).split("\0"))
    return [(name, value) for name, separator, value in items if separator]


def work_tree(place: Path) -> Path:
    """The work tree to which a `.git` folder belongs; anything else is given back as it is."""
    return place.parent if place.name == ".git" and git_dir(place.parent) == place else place


def is_linked(folder: Path) -> bool:
    """Whether a folder is a linked work tree (`git worktree add`) of a repository elsewhere."""
    directory = git_dir(folder)
    return directory is not None and (directory / "commondir").is_file()


def objects(folder: Path) -> Path:
    """The folder of a repository's objects, in which git may look for some.

    Raises:
        GitError: it is not a repository, or git would wait there, or read without end.
    """
    place = common_dir(existing_git_dir(folder)) / "objects"
    if not place.is_dir():
        raise GitError(f"{visible(folder)} is no longer a git repository; check the path")
    _check_objects(place)
    return place


def refuse_hostile(directory: Path, environment: Mapping[str, str]) -> None:
    """Refuses a repository with a pipe, a device or a file that is too long where git would open it. The limits on time
    and memory hold for what is elsewhere, or comes later.

    Args:
        directory: the git directory.
        environment: for commands of git.

    Raises:
        GitError: there is one.
    """
    common = common_dir(directory)
    for place in {directory, common}:
        for name, most in _TEXTS.items():
            _check_size(place / name, most)
        for folder in (place, place / "info", place / "reftable"):
            _refuse_pipes(folder)
        _check_refs(place / "refs")
    _check_objects(common / "objects")
    _check_included([common / "config", directory / "config.worktree"], environment)


def _check_refs(refs: Path) -> None:
    folders = [refs]
    while folders:
        folder = folders.pop()
        _refuse_pipes(folder)
        for item in _items(folder):
            if item.is_dir(follow_symlinks=False):
                folders.append(Path(item.path))
            else:
                _check_size(Path(item.path), TEXT_BYTES)


def _check_objects(objects: Path) -> None:
    """Looks at a folder of objects, and at those of others that it uses."""
    _check_size(objects / "info" / "alternates", _ALTERNATES_BYTES)
    for place in _all_objects(objects):
        _check_size(place / "info" / "alternates", _ALTERNATES_BYTES)
        loose = (Path(item.path) for item in _items(place) if len(item.name) == 2)
        for folder in (place / "info", place / "info" / "commit-graphs", place / "pack", *loose):
            _refuse_pipes(folder)


def _check_included(configs: list[Path], environment: Mapping[str, str]) -> None:
    """Looks at what a configuration includes, as deep as git follows it."""
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
    """Refuses what to open means to wait for another program. (A socket does not open at all.)"""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  # called for very many
    except OSError:
        return
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise GitError(f"{visible(path)} is a pipe or a device and not a file; clone it again")


def _check_size(path: Path, most: int) -> None:
    try:
        size = path.stat().st_size
    except OSError:
        return
    if size > most:
        raise GitError(f"{visible(path)} has {size:,} bytes, and git needs all of them; clone it again")


def _items(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as items:
            return list(items)
    except OSError:
        return []


def outside(folder: Path, named: Path) -> tuple[Path, ...]:
    """Where parts of a repository are that do not lie in a folder: its git directory, objects, refs, or the objects of
    others that it uses.

    Args:
        folder: the repository.
        named: the folder, without links in its path.
    """
    directory = git_dir(folder)
    if directory is None:
        return ()
    common = common_dir(directory)
    places = [directory, common, *(common / name for name in ("HEAD", "config", "packed-refs", "refs", "objects"))]
    for place in _all_objects(common / "objects"):
        places += [place, *_links(place), *_links(place / "pack")]
    found: list[Path] = []
    for place in places:
        real = Path(os.path.realpath(place))
        if os.path.lexists(real) and not any(real.is_relative_to(known) for known in (named, *found)):
            found.append(real)
    return tuple(found)


def _all_objects(objects: Path) -> list[Path]:
    """A folder of objects and those of its alternates, and of theirs, as deep as git follows them."""
    found = [objects]
    for place in found:
        lines = _begin(place / "info" / "alternates", _ALTERNATES_BYTES).split(b"\n")
        named = (line for line in lines if line and not line.startswith(b"#") and b"\0" not in line)
        others = [place / os.fsdecode(line) for line in named]
        found += [other for other in others if other not in found and os.path.isdir(other)]  # noqa: PTH112  # never raises
        if len(found) > _MOST_ALTERNATES:
            break
    return found


def _links(folder: Path) -> list[Path]:
    """The links in a folder."""
    return [Path(item.path) for item in _items(folder) if item.is_symlink()]


def _looks_like_one(place: Path) -> bool:
    if not os.path.lexists(place / "HEAD"):
        return False
    return (place / "commondir").is_file() or ((place / "objects").is_dir() and (place / "refs").is_dir())


def common_dir(directory: Path) -> Path:
    """Where the objects and the configuration of a git directory are: elsewhere for a linked work tree."""
    path = _begin(directory / "commondir").rstrip(b"\r\n")
    return directory if b"\0" in path else directory / os.fsdecode(path)


def _begin(file: Path, size: int = _POINTER_BYTES) -> bytes:
    """The beginning of a small file of git's; empty where none can be read."""
    try:
        if file.is_file():
            with file.open("rb") as opened:
                return opened.read(size)
    except OSError:
        pass
    return b""
