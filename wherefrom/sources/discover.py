"""From what the user names to sources."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from wherefrom.errors import DuplicateSource, NotFound, SourceError, UsageError
from wherefrom.model import KeyKind
from wherefrom.results.indexing import LeftOut
from wherefrom.sources.archive import SUFFIXES, ArchiveSource, is_archive
from wherefrom.sources.directory import DirectorySource
from wherefrom.sources.folders import broken_clone, contained_in
from wherefrom.sources.git import GitSource, commit_seconds, remote_key
from wherefrom.sources.git_folder import is_linked, outside, work_tree
from wherefrom.sources.key_patterns import KeyPattern
from wherefrom.sources.listed import ListedSource, check_name
from wherefrom.sources.remote import RemoteSource
from wherefrom.sources.repository_urls import comparable, is_url, without_credentials
from wherefrom.sources.source import local_key
from wherefrom.sources.submodules import submodules
from wherefrom.support.printable import visible

FoundSource: TypeAlias = GitSource | DirectorySource | ArchiveSource
"""A source whose key may still be changed."""

Named: TypeAlias = str | os.PathLike[str] | ListedSource
"""A source as a caller names it."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A source that is not there, or cannot be used.

    Attributes:
        name: what the user named, or where it was found; without credentials.
        error: what is wrong, and the remedy.
    """

    name: str
    error: SourceError


@dataclass(frozen=True, slots=True)
class FoundSources:
    """What the user's arguments name.

    Attributes:
        sources: in the order of the arguments; those found in one folder by path, submodules behind the repository that
            records them.
        unusable: what is not there, or cannot be used.
        left_out: what was found among the sources and is not indexed.
        warnings: what may not be meant, one line each.
    """

    sources: list[FoundSource]
    unusable: tuple[Unusable, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[str, ...] = ()


def discover(specs: Iterable[str | os.PathLike[str]], *, cache: Path) -> list[FoundSource]:
    """The sources that all of the user's arguments name, where each has to be there.

    Nothing is fetched and no revision is looked up yet: a broken repository among hundreds shows when it is read.

    Args:
        specs: work trees, bare repositories, archives, folders of them, plain folders, repository URLs.
        cache: the folder for clones of URLs.

    Raises:
        NotFound: nothing is there.
        SourceError: a file that is not an archive, or a clone without a repository.
        DuplicateSource: two sources have one key.
        UsageError: something that is not a path or a URL.
        GitError: git is not installed.
    """
    search = _Search(cache)
    search.add(specs)
    search.refuse_unusable()
    search.refuse_duplicates()
    return search.found().sources


def find_sources(
    specs: Iterable[Named],
    *,
    cache: Path,
    rev: str | None = None,
    name: str | None = None,
    key_from: str | None = None,
    recurse_submodules: bool = False,
    strict: bool = False,
) -> FoundSources:
    """The sources that the user's arguments name; what is wrong with some of them does not stop the others.

    If two sources have the same key, the one that is not a linked work tree is indexed; otherwise a source on this
    machine rather than a URL, the one with the newer commit, the first one. Nothing is fetched to find that out.

    Args:
        specs: as `discover` takes them; or with a name and a revision of their own.
        cache: the folder for clones of URLs.
        rev: the revision of git sources that have none of their own (default: HEAD of each).
        name: the repository key, for a single source.
        key_from: how the path of a repository without a remote gives its key; see `KeyPattern`.
        recurse_submodules: whether the submodules of clones are sources of their own.
        strict: whether what would be unusable, left out for its key or a warning is an error. Every source on this
            machine is listed for that; a URL is not fetched.

    Raises:
        SourceError: there is nothing else; or `strict`, and there is something.
        UsageError: something that is not a path or a URL, `name` with several sources or with characters that do not
            print, `rev` without a git source, a `key_from` that is not a pattern.
    """
    check_name(name, "--name")
    search = _Search(cache, rev, KeyPattern(key_from) if key_from is not None else None)
    search.add(specs)
    if not search.sources and search.unusable:
        search.refuse_unusable()
    if name is not None:
        search.give_name(name)
    if rev is not None and search.sources and not any(isinstance(source, GitSource) for source in search.sources):
        raise UsageError("--rev chooses a revision of git repositories, and there is none; leave it out")
    if recurse_submodules:
        search.add_submodules()
    if strict:
        search.list_all()
        search.refuse_unusable()
        search.refuse_duplicates()
        if warnings := search.found().warnings:
            raise SourceError(f"{warnings[0]}, and index without --strict")
    search.leave_out_duplicates()
    if not search.sources:
        search.refuse_unusable()
    return search.found()


def find_all(specs: Iterable[Named], *, cache: Path) -> FoundSources:
    """The sources that the user's arguments name, two of one key both; the caller tells them apart.

    Args:
        specs: as `discover` takes them.
        cache: the folder for clones of URLs.

    Raises:
        SourceError: there is nothing else than what is unusable.
        UsageError: something that is not a path or a URL.
    """
    search = _Search(cache)
    search.add(specs)
    if not search.sources:
        search.refuse_unusable()
    return search.found()


class _Rank(NamedTuple):
    """Which of several sources with one key is indexed: the one with the highest rank.

    Attributes:
        has_commit: whether it has one; taken for granted of a URL.
        is_main: whether it is not a linked work tree.
        is_local: whether it is on this machine.
        seconds: the time of its commit; 0 for a URL.
    """

    has_commit: bool
    is_main: bool
    is_local: bool
    seconds: int


class _Search:
    """Sources as they are found.

    Args:
        cache: the folder for clones of URLs.
        rev: the revision of git sources that have none of their own.
        pattern: for the keys of repositories without a remote.
    """

    def __init__(self, cache: Path, rev: str | None = None, pattern: KeyPattern | None = None) -> None:
        self.sources: list[FoundSource] = []
        self.unusable: dict[str, Unusable] = {}
        """By name."""
        self._cache, self._rev, self._pattern = cache, rev, pattern
        self._is_named_by_list = False
        self._left_out: dict[LeftOut, None] = {}
        self._named: dict[str, Path] = {}
        """The folder that was named, for the location of each repository that was found in it; the repository itself
        where a link there leads to it.
        """
        self._searched: set[str] = set()
        """The locations of sources that were found in a folder, where they were not named themselves since."""
        self._unmatched: dict[str, None] = {}
        """The locations of repositories whose keys neither a remote nor the pattern gives."""

    def add(self, specs: Iterable[Named]) -> None:
        """Finds what these name, each once. A repository in a folder that is also listed on its own with a name or a
        revision is that source alone.
        """
        found: dict[tuple[str, str | None, str | None], FoundSource] = {}
        only_searched: dict[tuple[str, str | None, str | None], bool] = {}
        for spec in specs:
            listed = spec if isinstance(spec, ListedSource) else ListedSource(spec)
            self._is_named_by_list |= listed.name is not None
            try:
                sources = self._of(listed)
            except SourceError as error:
                self._refuse(without_credentials(listed.text), error)
                continue
            for source in sources:
                at = (source.location, listed.name, listed.rev)
                found.setdefault(at, source)
                only_searched[at] = only_searched.get(at, True) and source.location in self._searched
        listed_too = {at[0] for at in found if at[1:] != (None, None) and not only_searched[at]}
        self.sources = [
            source
            for at, source in found.items()
            if at[1:] != (None, None) or not only_searched[at] or at[0] not in listed_too
        ]

    def give_name(self, name: str) -> None:
        """Gives the only source its key.

        Raises:
            UsageError: there is not one source, or it has a name of its own.
        """
        number = len(self.sources) + len(self.unusable)
        if number != 1:
            raise UsageError(f"--name names one source, and there are {number}; index them one at a time")
        if self._is_named_by_list:
            raise UsageError(f"the list names the source {visible(self.sources[0].key)}; leave --name out")
        self.sources[0].key, self.sources[0].key_kind = name, KeyKind.NAME

    def add_submodules(self) -> None:
        """Finds the submodules of clones on this machine, and theirs, each at the commit that is recorded. One that is
        a source already stays what it is.
        """
        known = {source.location for source in self.sources}
        seen: set[tuple[Path, str]] = set()
        found: list[FoundSource] = []
        for source in self.sources:
            found.append(source)
            waiting = [source] if isinstance(source, GitSource) and not isinstance(source, RemoteSource) else []
            named = self._named.get(source.location)
            while waiting and named is not None:
                try:
                    at_hand, missing = submodules(waiting.pop())
                except SourceError:
                    continue  # the run finds out as well
                self._left_out.update(dict.fromkeys(missing))
                inner = [self._git(folder, named, commit) for folder, commit in at_hand if (folder, commit) not in seen]
                seen.update(at_hand)
                new = [submodule for submodule in inner if submodule.location not in known]
                found += new
                waiting += reversed(new)
        self.sources = found

    def list_all(self) -> None:
        """Finds out which sources on this machine cannot be listed."""
        for source in list(self.sources):
            if isinstance(source, RemoteSource):
                continue
            try:
                for _ in source.entries():
                    pass
            except SourceError as error:
                self._give_up(source, error)

    def refuse_unusable(self) -> None:
        """Raises what is wrong with sources.

        Raises:
            SourceError: something is.
        """
        if self.unusable:
            raise combined([*self.unusable.values()])

    def refuse_duplicates(self) -> None:
        """Refuses two sources with one key.

        Raises:
            DuplicateSource: there are two.
        """
        for first, second, *_ in self._duplicates():
            raise DuplicateSource(
                f"{visible(first.location)} and {visible(second.location)} have one repository key, "
                f"{visible(first.key)}; leave one out, or index one on its own with --name"
            )

    def leave_out_duplicates(self) -> None:
        """Of sources with one key leaves one."""
        for sources in self._duplicates():
            if any(source.key_kind is KeyKind.NAME for source in sources):
                for source in sources[1:]:
                    self._give_up(source, _same_name(source, sources[0]))
            else:
                self._leave_best([source for source in sources if isinstance(source, GitSource)])

    def found(self) -> FoundSources:
        """Everything so far."""
        warnings = [*_outside(self.sources), *self._without_key()]
        return FoundSources(self.sources, tuple(self.unusable.values()), tuple(self._left_out), tuple(warnings))

    def _of(self, listed: ListedSource) -> list[FoundSource]:
        """The sources that one argument names.

        Raises:
            SourceError: nothing is there, or it cannot have this name or revision.
        """
        found = list(self._at(listed.text, self._rev if listed.rev is None else listed.rev))
        if found and listed.rev is not None and not any(isinstance(source, GitSource) for source in found):
            raise SourceError(
                f"{visible(listed.text)} is not a git repository and has no revisions; leave the revision out"
            )
        if listed.name is not None:
            if len(found) != 1:
                number = f"{len(found):,} repositories" if found else "no repository"
                raise SourceError(
                    f"{visible(listed.text)} has {number}, and the name {visible(listed.name)} is for one; "
                    "list them one by one"
                )
            found[0].key, found[0].key_kind = listed.name, KeyKind.NAME
        return found

    def _at(self, spec: str, rev: str | None) -> Iterator[FoundSource]:
        if is_url(spec) and not os.path.lexists(spec):
            yield RemoteSource(spec, cache=self._cache, rev=rev)
            return
        if not spec or "\0" in spec:
            raise NotFound("an empty path names no source; give a clone, a folder, an archive or a URL")
        path = Path(os.path.realpath(os.path.expanduser(spec)))  # noqa: PTH111  # Path's raises for a user that is not there
        if not os.path.exists(path):  # noqa: PTH110  # Path's raises for a name that is too long
            raise NotFound(
                f"no such file or folder: {without_credentials(spec)}; check the path, or give a URL (https://...)"
            )
        if path.is_dir():
            yield from self._in_folder(path, rev)
        elif is_archive(path):
            source = _archive(path)
            self._searched.discard(source.location)
            yield source
        else:
            archives = " ".join(SUFFIXES)
            raise SourceError(f"{visible(spec)} is a single file; give its folder or an archive ({archives})")

    def _in_folder(self, folder: Path, rev: str | None) -> Iterator[FoundSource]:
        folder = work_tree(folder)
        contained = contained_in(folder)
        self._left_out.update(dict.fromkeys(contained.left_out))
        for broken in contained.broken:
            self._refuse(local_key(broken), SourceError(broken_clone(broken)))
        found: list[FoundSource] = [_archive(place) for place in contained.archives]
        found += [
            self._git(place, folder if place.is_relative_to(folder) else place, rev) for place in contained.repositories
        ]
        if not found and not contained.broken:
            yield DirectorySource(folder, key=local_key(folder), key_kind=KeyKind.PATH)
        for source in sorted(found, key=lambda source: source.location):
            if source.location == local_key(folder):
                self._searched.discard(source.location)
            else:
                self._searched.add(source.location)
            yield source

    def _git(self, repository: Path, named: Path, rev: str | None) -> GitSource:
        key = remote_key(repository)
        kind = KeyKind.REMOTE
        if key is None and self._pattern is not None:
            key = self._pattern.key(repository)
            if key is None:
                self._unmatched[local_key(repository)] = None
        if key is None:
            key, kind = local_key(repository), KeyKind.PATH
        source = GitSource(repository, key=key, key_kind=kind, rev=rev)
        source.outside = outside(repository, named)
        self._named[source.location] = named
        return source

    def _duplicates(self) -> list[list[FoundSource]]:
        """The sources that have a key in common, in the order of the first of them."""
        by_key: dict[str, list[FoundSource]] = {}
        for source in self.sources:
            by_key.setdefault(comparable(source.key), []).append(source)
        return [sources for sources in by_key.values() if len(sources) > 1]

    def _leave_best(self, sources: Sequence[GitSource]) -> None:
        """Leaves one of the sources that have a key in common: in this order the one that has a commit, is not a linked
        work tree, is on this machine, has the newest commit, comes first. Nothing is fetched to find that out.
        """
        ranks: dict[GitSource, _Rank] = {}
        for source in sources:
            if isinstance(source, RemoteSource):
                ranks[source] = _Rank(has_commit=True, is_main=True, is_local=False, seconds=0)
                continue
            try:
                revision = source.revision
                seconds = commit_seconds(source.folder, revision) if revision else 0
                ranks[source] = _Rank(bool(revision), not is_linked(source.folder), is_local=True, seconds=seconds)
            except SourceError as error:
                self._give_up(source, error)
        if not ranks:
            return
        best = max(ranks, key=lambda source: ranks[source])
        for source, rank in ranks.items():
            if source is not best:
                self.sources.remove(source)
                reason = _lesser(rank, ranks[best])
                self._left_out[LeftOut(place_of(source), "duplicate", reason, best.key, place_of(best))] = None

    def _give_up(self, source: FoundSource, error: SourceError) -> None:
        self.sources.remove(source)
        self._refuse(place_of(source), error)

    def _refuse(self, name: str, error: SourceError) -> None:
        self.unusable.setdefault(name, Unusable(name, error))

    def _without_key(self) -> Iterator[str]:
        paths = [
            source.location
            for source in self.sources
            if source.location in self._unmatched and source.key_kind is KeyKind.PATH
        ]
        if paths:
            more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
            yield (
                f"--key-from does not match {visible(paths[0])}{more}, and no remote gives a key; "
                "the keys of these repositories are their paths"
            )


def combined(unusable: Sequence[Unusable]) -> SourceError:
    """One error for several sources, of which there is at least one."""
    error = unusable[0].error
    if len(unusable) == 1:
        return error
    return type(error)(f"{len(unusable):,} sources cannot be used; the first one: {error}")


def place_of(source: FoundSource) -> str:
    """Where a source is, as its user knows it."""
    return without_credentials(source.url) if isinstance(source, RemoteSource) else source.location


def _archive(path: Path) -> ArchiveSource:
    return ArchiveSource(path, key=local_key(path), key_kind=KeyKind.PATH)


def _same_name(source: FoundSource, other: FoundSource) -> DuplicateSource:
    return DuplicateSource(
        f"{visible(source.location)} has the same repository key as {visible(other.location)}, {visible(source.key)}, "
        "and one of them was named so; give it another name"
    )


def _lesser(rank: _Rank, best: _Rank) -> str:
    """Why the one source is left out for the other."""
    reasons = ("no commit", "a linked work tree", "not on this machine", "an older commit")
    for value, better, reason in zip(rank, best, reasons, strict=True):
        if value < better:
            return reason
    return "no newer commit" if rank.is_local else "another URL of the same repository"


def _outside(sources: Iterable[FoundSource]) -> Iterator[str]:
    """A warning for each repository with parts outside of what was named: the code of another repository may be
    indexed under its key.
    """
    for source in sources:
        if isinstance(source, GitSource) and source.outside:
            yield (
                f"{visible(source.location)} is read from {_places(source.outside)}, outside of what was named; "
                "leave it out unless it is a linked work tree, a submodule or a clone with --reference"
            )


def _places(paths: Sequence[Path]) -> str:
    shown = " and ".join(map(visible, paths[:2]))
    return shown if len(paths) <= 2 else f"{shown} and {len(paths) - 2:,} more places"
