"""Folders and archives with all that is in them: archives at any depth are read as folders, clones as their files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

from wherefrom.errors import SourceError
from wherefrom.model import SkipReason
from wherefrom.sources.archive import SUFFIXES, UNPACKED_BYTES, ArchiveSource
from wherefrom.sources.directory import DirectorySource
from wherefrom.sources.git import GitSource
from wherefrom.sources.git_folder import git_dir, outside
from wherefrom.sources.source import Entry, Source, limited
from wherefrom.support.paths import path_text
from wherefrom.support.pattern import later
from wherefrom.support.printable import visible
from wherefrom.support.system import system

DEEPEST = 3  # an archive is opened if at most this many archives are around it: one can be packed to contain itself
LIBRARIES = (".jar", ".whl")  # archives that are opened if at most one folder is around them: deeper ones are libraries

_HIDDEN = later(r"(?:^|/)(?:\.git|\.hg|\.svn)(?:/|$)|(?:^|/)\.DS_Store$|^__MACOSX/(?:.*/)?\._[^/]*$", re.DOTALL)
"""What version control and macOS add to folders and archives."""

_Chain: TypeAlias = tuple[Entry, ...]  # the entries that lead to a file: of the archives around it, and at last its own


class TreeSource(Source):
    """A folder, and everything in it. The path of a file in an inner archive begins with that of the archive. The files
    of a clone are those on the disk, or with `committed`, as for a bare repository, those of its commit. `broken` has
    what cannot be read in it, by path; `repositories` has those that are read as committed.
    """

    kind = "directory"

    def __init__(self, path: Path, *, committed: bool = False) -> None:
        super().__init__(path)
        self.broken: dict[str, SourceError] = {}
        self.repositories: list[GitSource] = []
        self._committed = committed
        self._own: Source = ArchiveSource(path) if path.is_file() else DirectorySource(path)
        self._mounts: dict[Entry, Source] = {}
        self._unpacked = 0

    @property
    def revision(self) -> str:
        """That of the folder or the archive."""
        return self._own.revision

    def entries(self) -> Iterator[Entry]:
        """Every file once. Those of an inner archive are in the place of the archive."""
        for entry, _ in self._listed.values():
            yield entry

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents. Each archive is read in one pass if the entries come in the order of `entries()`."""
        chains = {path: chain for path, (_, chain) in self._listed.items()}
        return self._read(self._own, [(entry, chains[entry.path]) for entry in entries])

    @cached_property
    def _listed(self) -> dict[str, tuple[Entry, _Chain]]:
        found: dict[str, tuple[Entry, _Chain]] = {}
        everything = self._in(self._own, self._entries(), "", ())
        for path, entry, chain in limited(
            ((one.path, one, chain) for one, chain in everything), visible(self.location)
        ):
            found.setdefault(path, (entry, chain))
        return found

    def _entries(self) -> Iterable[Entry]:
        """The entries of the folder or the archive itself, once `_mounts` has what is read in another way."""
        if not isinstance(self._own, DirectorySource):
            return self._own.entries()
        entries = [*self._own.entries()]
        clones = sorted(map(path_text, self._own.clones))
        committed = {path for path in clones if self._committed and _is_repository(self.path / path)}
        if committed:
            entries = [entry for entry in entries if committed.isdisjoint(_above(entry.path))]
        filled = {folder for entry in entries for folder in _above(entry.path)} if clones else set()
        for path in clones:
            if path not in filled:
                skip = None if path in committed else SkipReason.EMPTY
                entries.append(Entry(path, None, None, skip, os.fsencode(path)))
        for entry in entries:
            at = self.path / system.path_of(entry.handle)
            if entry.path in committed or (entry.skip is SkipReason.SUBMODULE and git_dir(at) == at):
                self._mounts[entry] = source = GitSource(at, outside=outside(at, self.path))
                self.repositories.append(source)
            elif entry.skip is None and is_opened(entry.path):
                self._mounts[entry] = ArchiveSource(at)
        return sorted(entries, key=lambda entry: entry.path)

    def _in(self, part: Source, entries: Iterable[Entry], above: str, around: _Chain) -> Iterator[tuple[Entry, _Chain]]:
        """The files in a part, with the path `above` before theirs, in their order."""
        shown = [entry for entry in entries if not _HIDDEN.search(entry.path)]
        inner = {entry for entry in shown if entry.skip is None and is_opened(above + entry.path)}
        is_full = len(around) >= DEEPEST
        contents = part.read(entry for entry in shown if entry in inner and not (entry in self._mounts or is_full))
        for entry in shown:
            path, chain, skip = above + entry.path, (*around, entry), entry.skip
            source = self._mounts.get(entry)
            if source is None and entry in inner:
                _, content = (entry, SkipReason.ARCHIVE) if is_full else next(contents)
                self._unpacked += len(content)
                if isinstance(content, bytes) and self._unpacked <= UNPACKED_BYTES:
                    source = _inner(part.path / entry.path, content)
                else:
                    skip = content if isinstance(content, SkipReason) else SkipReason.ARCHIVE
            if source is None:
                is_same = path == entry.path and skip is entry.skip
                yield entry if is_same else replace(entry, path=path, skip=skip), chain
            else:
                yield from self._opened(source, path, chain)

    def _opened(self, source: Source, path: str, chain: _Chain) -> Iterator[tuple[Entry, _Chain]]:
        reason: SkipReason | None = SkipReason.EMPTY
        try:
            for found in self._in(source, source.entries(), f"{path}/" if path else "", chain):
                yield found
                reason = None
        except SourceError as error:
            self.broken[path], reason = error, SkipReason.UNREADABLE
        if reason is not None:
            yield replace(chain[-1], path=path, skip=reason), chain

    def _read(self, part: Source, wanted: Sequence[tuple[Entry, _Chain]]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents of files in a part, each given with its entry of this source and the chain from the part on."""
        groups = [(first, [*group]) for first, group in groupby(wanted, key=lambda pair: pair[1][0])]
        contents = part.read(first for first, _ in groups if first not in self._mounts)
        for first, group in groups:
            source = self._mounts.get(first)
            content: bytes | SkipReason = SkipReason.UNREADABLE
            if source is None:
                _, content = next(contents)
                if isinstance(content, bytes) and len(group[0][1]) > 1:
                    source = _inner(part.path / first.path, content)
            if source is None or len(group[0][1]) == 1:
                yield from ((entry, content) for entry, _ in group)
            else:
                yield from self._read(source, [(entry, chain[1:]) for entry, chain in group])


class ArchiveTree(TreeSource):
    """An archive, and everything in it."""

    kind = "archive"


def _inner(path: Path, content: bytes) -> ArchiveSource:
    made = ArchiveSource(path)
    made.content = content
    return made


def is_opened(path: str) -> bool:
    """Whether an archive at a path in a tree is opened, by its name."""
    name = path.rpartition("/")[2].lower()
    return name.endswith(SUFFIXES) and (not name.endswith(LIBRARIES) or path.count("/") <= 1)


def _is_repository(folder: Path) -> bool:
    """Whether a folder with a `.git` is a clone. A `.git` can also be empty, or a file that leads nowhere."""
    directory = git_dir(folder)
    return directory is not None and (directory / "HEAD").is_file()


def _above(path: str) -> Iterator[str]:
    """The folders around a file, and the empty path."""
    yield ""
    yield from (path[:at] for at, letter in enumerate(path) if letter == "/")
