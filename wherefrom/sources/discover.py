"""From what the user names to sources."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from wherefrom.errors import DuplicateSource, NotFound, SourceError, UsageError
from wherefrom.model import KeyKind
from wherefrom.printable import visible
from wherefrom.sources.archive import SUFFIXES, ArchiveSource, is_archive
from wherefrom.sources.directory import VERSION_CONTROL, DirectorySource
from wherefrom.sources.git import GitSource, git_dir, outside, remote_key
from wherefrom.sources.remote import RemoteSource
from wherefrom.sources.repository_urls import is_url, without_credentials
from wherefrom.sources.source import Source, path_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    _Found = GitSource | DirectorySource | ArchiveSource


def discover(
    specs: Iterable[str | os.PathLike[str]],
    *,
    rev: str | None = None,
    name: str | None = None,
    cache: Path,
    strict: bool = False,
) -> list[Source]:
    """The sources that the user's arguments name, in their order; those found in one folder by path.

    Repositories are found by their looks, at any depth, bare ones too; found ones are not searched further, links to
    folders are not followed, folders that may not be read are passed over. Nothing is fetched and no revision is
    looked up yet: a broken repository among hundreds shows when it is read.

    Args:
        specs: work trees, bare repositories, folders of them, plain folders, archives, repository URLs.
        rev: the revision of every git source (default: HEAD of each).
        name: the repository key, for a single source.
        cache: the folder for clones of URLs.
        strict: whether what `warnings` would say is an error.

    Raises:
        NotFound: nothing is there.
        SourceError: a file that is no archive, or a folder that cannot be read; with `strict` also a repository with
            parts outside of what was named.
        DuplicateSource: two sources have one key.
        UsageError: something that is not a path or a URL, `name` with several sources or with characters that do not
            print, `rev` without a git source.
        GitError: git is not installed.
    """
    sources: dict[str, _Found] = {}
    for spec in specs:
        for source in _sources(_text(spec), rev, cache):
            sources.setdefault(source.location, source)
    found = list(sources.values())
    if rev is not None and found and not any(isinstance(source, GitSource) for source in found):
        raise UsageError("--rev chooses a revision of git repositories, and there is none; leave it out")
    if name is not None:
        if len(found) != 1:
            raise UsageError(f"--name names one source, and there are {len(found)}; index them one at a time")
        if not name.isprintable():
            raise UsageError(f"--name is {name!a}, which has characters that do not print; leave them out")
        found[0].key, found[0].key_kind = name, KeyKind.NAME
    _refuse_duplicates(found)
    if strict and (found_outside := warnings(found)):
        raise SourceError(f"{found_outside[0]}, and index without --strict")
    return [*found]


def warnings(sources: Iterable[Source]) -> tuple[str, ...]:
    """What may not be meant, a line for each source: that a repository has parts outside of what was named, which may
    make another repository stand in the index under this one's name.
    """
    return tuple(
        f"{visible(source.location)} is read from {_places(source.outside)}, outside of what was named; "
        "leave it out unless it is a linked work tree, a submodule or a clone with --reference"
        for source in sources
        if isinstance(source, GitSource) and source.outside
    )


def _places(paths: Sequence[Path]) -> str:
    shown = " and ".join(map(visible, paths[:2]))
    return shown if len(paths) <= 2 else f"{shown} and {len(paths) - 2:,} more places"


def read_list(lines: Iterable[str]) -> list[str]:
    """A list of arguments: one in a line, without blank lines and those that begin with `#`; or all separated by NUL,
    and then taken as they are.
    """
    given = list(lines)
    if any("\0" in line for line in given):
        return [item for item in "".join(given).split("\0") if item]
    return [item for line in given if (item := line.strip()) and not item.startswith("#")]


def _text(spec: object) -> str:
    """A source as it is written; a caller without types may give anything."""
    text = os.fspath(spec) if isinstance(spec, str | os.PathLike) else None
    if not isinstance(text, str):
        raise UsageError(f"the source {spec!a} is not a path or a URL; give a text or a Path")
    return text


def _sources(spec: str, rev: str | None, cache: Path) -> Iterator[_Found]:
    if is_url(spec) and not os.path.lexists(spec):
        yield RemoteSource(spec, cache=cache, rev=rev)
        return
    if not spec or "\0" in spec:
        raise NotFound("an empty path names no source; give a clone, a folder, an archive or a URL")
    path = Path(os.path.realpath(os.path.expanduser(spec)))  # noqa: PTH111  # Path's raises for a user that is not there
    if not os.path.exists(path):  # noqa: PTH110  # Path's raises for a name that is too long
        raise NotFound(
            f"no such file or folder: {without_credentials(spec)}; check the path, or give a URL (https://...)"
        )
    if path.is_dir():
        yield from _in_folder(path, rev)
    elif is_archive(path):
        yield ArchiveSource(path, key=path_text(os.fsencode(path)), key_kind=KeyKind.PATH)
    else:
        archives = " ".join(SUFFIXES)
        raise SourceError(f"{visible(spec)} is a single file; give its folder or an archive ({archives})")


def _in_folder(folder: Path, rev: str | None) -> Iterator[_Found]:
    if folder.name == ".git" and git_dir(folder.parent) == folder:
        folder = folder.parent
    repositories = sorted(_repositories(folder), key=os.fsencode)
    if not repositories:
        yield DirectorySource(folder, key=path_text(os.fsencode(folder)), key_kind=KeyKind.PATH)
    for repository in repositories:
        remote = remote_key(repository)
        key, kind = (remote, KeyKind.REMOTE) if remote else (path_text(os.fsencode(repository)), KeyKind.PATH)
        source = GitSource(repository, key=key, key_kind=kind, rev=rev)
        source.outside = outside(repository, folder)
        yield source


def _repositories(folder: Path) -> Iterator[Path]:
    folders = [folder]
    while folders:
        place = folders.pop()
        if git_dir(place) is not None:
            yield place
            continue
        try:
            with os.scandir(place) as found:
                folders.extend(
                    Path(item.path)
                    for item in found
                    if item.is_dir(follow_symlinks=False) and os.fsencode(item.name) not in VERSION_CONTROL
                )
        except OSError:
            continue


def _refuse_duplicates(sources: Iterable[Source]) -> None:
    locations: dict[str, str] = {}
    for source in sources:
        other = locations.setdefault(source.key, source.location)
        if other != source.location:
            raise DuplicateSource(
                f"{visible(other)} and {visible(source.location)} have one repository key, {visible(source.key)}; "
                "leave one out, or index one on its own with --name"
            )
