"""Finds the sources that a user names."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from wherefrom.errors import DuplicateSource, NotFound, SourceError, UsageError
from wherefrom.model import KeyKind
from wherefrom.results.indexing import LeftOut
from wherefrom.sources.archive import SUFFIXES, ArchiveSource, is_archive
from wherefrom.sources.directory import DirectorySource
from wherefrom.sources.folders import Contained, broken_clone, contained_in, submodules
from wherefrom.sources.git import GitSource, commit_seconds, remote_key
from wherefrom.sources.git_folder import git_dir, is_linked, outside, work_tree
from wherefrom.sources.listed import ListedSource, check_name
from wherefrom.sources.remote import RemoteSource
from wherefrom.sources.repository_urls import (
    KeyPattern,
    comparable,
    is_at_public_host,
    is_purl,
    is_url,
    without_credentials,
)
from wherefrom.sources.source import FetchedSource, Source, local_key
from wherefrom.sources.trees import ArchiveTree, TreeSource
from wherefrom.support.chunks import by_key
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass

if TYPE_CHECKING:
    from wherefrom.sources.packages.source import Packages

Named: TypeAlias = str | os.PathLike[str] | ListedSource  # a source as a caller names it

_Rank: TypeAlias = tuple[bool, bool, bool, int]
"""For comparing sources with the same key, the highest is the best: has a commit, is not a linked work tree, is on this
machine, the time of the commit. A URL is not fetched to find this out: it always has True, True, False, 0."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A source that does not exist or cannot be used."""

    name: str  # the user's argument or its location, without credentials
    error: SourceError


@dataclass(frozen=True, slots=True)
class FoundSources:
    """The sources that the user's arguments name, in their order. Those of one folder are sorted by path, and
    submodules follow the repository that records them.
    """

    sources: list[Source]
    unusable: tuple[Unusable, ...] = ()
    left_out: tuple[LeftOut, ...] = ()  # what was found among the sources but is not indexed
    warnings: tuple[str, ...] = ()  # about sources that the user may not have meant, one line each


def discover(specs: Iterable[str | os.PathLike[str]], *, cache: Path) -> list[Source]:
    """Finds the sources that the user's arguments name. Each must exist and have a key of its own. `specs` are work
    trees, bare repositories, archives, folders of them, plain folders, repository URLs and package URLs; `cache` is the
    folder for clones of URLs.

    This neither fetches a URL nor looks up a revision. Only reading a repository shows whether it is broken. Raises
    SourceError (`NotFound`, `DuplicateSource`, `GitError`) for an argument that cannot be used, and UsageError for one
    that is not a path or a URL.
    """
    search = _Search(specs, cache)
    search.refuse_unusable()
    search.refuse_duplicates()
    return search.found().sources


def find_sources(
    specs: Iterable[Named],  # as for `discover`; a `ListedSource` can have a name and a revision of its own
    *,
    cache: Path,  # the folder for clones of URLs
    rev: str | None = None,  # the revision of all git sources that do not have a revision in `specs` (default: HEAD)
    name: str | None = None,  # the repository key, for a single source
    key_from: str | None = None,  # how the path of a repository without a remote gives its key; see `KeyPattern`
    recurse_submodules: bool = False,  # whether the submodules of clones are sources too
    versions: int = 1,  # how many versions of each package are sources: the newest or the named one, and those before
    strict: bool = False,
) -> FoundSources:
    """The sources that the user's arguments name. A problem with one of them does not stop the others.

    Of several sources with the same key, it returns the best one. It prefers a source with a commit; then one that is
    not a linked work tree; then one on this machine; then the newest commit; then the first source. It fetches no URL
    for this. With `strict`, a source that is unusable, a duplicate, or a reason for a warning is an error; to find out,
    it lists the files of every source on this machine.

    Raises SourceError if no source can be used, or `strict` finds a problem; UsageError if an argument is not a path or
    a URL, `name` has characters that do not print or is given for several sources, `rev` is given without a git source,
    or `key_from` is not a pattern.
    """
    check_name(name, "--name")
    search = _Search(specs, cache, rev, KeyPattern(key_from) if key_from is not None else None, versions)
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
    """As `discover`, but several sources may have the same key, and some may be unusable, though not all."""
    return _Search(specs, cache).found()


def find_trees(specs: Iterable[Named], *, cache: Path, committed: bool, apart: bool) -> FoundSources:
    """As `find_all`, but each folder or archive is one source with all that is in it (`TreeSource`). With `apart`, each
    clone, archive and plain folder is a source of its own in a folder that `find_all` would not take for plain.
    """
    return _TreeSearch(specs, cache, committed=committed, apart=apart).found()


class _Search:
    """Finds the sources that arguments name, as for `find_sources`. Raises SourceError if all are unusable."""

    def __init__(
        self,
        specs: Iterable[Named],
        cache: Path,
        rev: str | None = None,
        pattern: KeyPattern | None = None,
        versions: int = 1,
    ) -> None:
        self.unusable: dict[str, Unusable] = {}  # unusable sources, by name
        self._cache, self._rev, self._pattern, self._versions = cache, rev, pattern, versions
        self._is_named_by_list = False
        self._left_out: dict[LeftOut, None] = {}
        self._named: dict[str, Path] = {}
        """For the location of each repository, the folder above it that the user named, or the repository itself if a
        link led to it."""
        self._searched: set[str] = set()  # the locations of sources inside the folder that the current argument names
        self._unmatched: set[str] = set()  # locations of repositories that have no remote and do not match the pattern
        self.sources = self._named_by(specs)
        if not self.sources:
            self.refuse_unusable()

    def _named_by(self, specs: Iterable[Named]) -> list[Source]:
        """Each source once. One with a name or a revision does not come again with a folder around it."""
        found: dict[tuple[str, str | None, str | None], Source] = {}
        named_alone: set[tuple[str, str | None, str | None]] = set()
        for spec in specs:
            listed = spec if isinstance(spec, ListedSource) else ListedSource(spec)
            self._is_named_by_list |= listed.name is not None
            self._searched = set()
            try:
                sources = self._of(listed)
            except SourceError as error:
                self._refuse(without_credentials(listed.text), error)
                continue
            for source in sources:
                at = (source.location, listed.name, listed.rev)
                found.setdefault(at, source)
                if source.location not in self._searched:
                    named_alone.add(at)
        listed_too = {at[0] for at in named_alone if at[1:] != (None, None)}
        return [
            source
            for at, source in found.items()
            if at[1:] != (None, None) or at in named_alone or at[0] not in listed_too
        ]

    def give_name(self, name: str) -> None:
        """Gives the only source its key. Raises UsageError if there are several, or a list has named the source."""
        number = len(self.sources) + len(self.unusable)
        if number != 1:
            raise UsageError(f"--name names one source, and there are {number}; index them one at a time")
        if self._is_named_by_list:
            raise UsageError(f"the list names the source {visible(self.sources[0].key)}; leave --name out")
        self.sources[0].key, self.sources[0].key_kind = name, KeyKind.NAME

    def add_submodules(self) -> None:
        """Adds the submodules of clones on this machine, at any depth and recorded commit, unless they are sources."""
        known = {source.location for source in self.sources}
        seen: set[tuple[Path, str]] = set()
        found: list[Source] = []
        for source in self.sources:
            found.append(source)
            waiting = [source] if isinstance(source, GitSource) and not isinstance(source, RemoteSource) else []
            named = self._named.get(source.location)
            while waiting and named is not None:
                try:
                    at_hand, missing = submodules(waiting.pop())
                except SourceError:
                    continue  # the error is reported when the repository is read
                self._left_out.update(dict.fromkeys(missing))
                inner = [self._git(folder, named, commit) for folder, commit in at_hand if (folder, commit) not in seen]
                seen.update(at_hand)
                new = [submodule for submodule in inner if submodule.location not in known]
                found += new
                waiting += reversed(new)
        self.sources = found

    def list_all(self) -> None:
        """Lists the files of every source on this machine. A source that cannot be listed becomes unusable."""
        for source in [source for source in self.sources if not isinstance(source, FetchedSource)]:
            try:
                deque(source.entries(), maxlen=0)
            except SourceError as error:
                self._give_up(source, error)

    def refuse_unusable(self) -> None:
        if self.unusable:
            raise combined([*self.unusable.values()])

    def refuse_duplicates(self) -> None:
        for first, second, *_ in self._duplicates():
            raise DuplicateSource(
                f"{visible(first.location)} and {visible(second.location)} have one repository key, "
                f"{visible(first.key)}; leave one out, or index one on its own with --name"
            )

    def leave_out_duplicates(self) -> None:
        for sources in self._duplicates():
            if all(source.key_kind is not KeyKind.NAME for source in sources):
                self._leave_best([source for source in sources if isinstance(source, GitSource)])
                continue
            for source in sources[1:]:
                both = f"{visible(source.location)} has the same repository key as {visible(sources[0].location)}"
                why = f"{visible(source.key)}, and one of them was named so; give it another name"
                self._give_up(source, DuplicateSource(f"{both}, {why}"))

    def found(self) -> FoundSources:
        warnings = [*outside_warnings(self.sources), *self._without_key()]
        return FoundSources(self.sources, tuple(self.unusable.values()), tuple(self._left_out), tuple(warnings))

    def _of(self, listed: ListedSource) -> list[Source]:
        """The sources that one argument names. Raises SourceError if none is there, or it cannot be named so."""
        if listed.remote_only and not is_purl(listed.text) and not is_at_public_host(listed.text):
            raise SourceError(
                f"{without_credentials(listed.text)[:500]} is named by a lock file or an SBOM, and is neither a "
                "package nor the URL of a repository at a public host; if you trust it, index it by name"
            )
        found = list(self._at(listed))
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

    def _at(self, listed: ListedSource) -> Iterator[Source]:
        spec, rev = listed.text, self._rev if listed.rev is None else listed.rev
        if is_purl(spec):
            yield from self._package(spec, rev)
            return
        if is_url(spec) and (listed.remote_only or not os.path.lexists(spec)):
            yield RemoteSource(spec, cache=self._cache, rev=rev)
            return
        if not spec or "\0" in spec:
            raise NotFound("an empty path names no source; give a clone, a folder, an archive, a URL or a package")
        path = Path(os.path.realpath(os.path.expanduser(spec)))  # noqa: PTH111  # Path's raises for a user that is not there
        if not os.path.exists(path):  # noqa: PTH110  # Path's raises for a name that is too long
            raise NotFound(
                f"no such file or folder: {without_credentials(spec)}; check the path, or give a URL (https://...)"
            )
        if path.is_dir():
            yield from self._in_folder(path, rev)
        elif is_archive(path):
            yield self._archive(path)
        else:
            archives = " ".join(SUFFIXES)
            raise SourceError(f"{visible(spec)} is a single file; give its folder or an archive ({archives})")

    def _package(self, spec: str, rev: str | None) -> Sequence[Source]:
        from wherefrom.sources.packages.purl import clone_url, parsed  # noqa: PLC0415 -- takes time to load

        purl = parsed(spec)
        if (url := clone_url(purl)) is not None:
            return [RemoteSource(url, cache=self._cache, rev=purl.version or rev)]
        return self._packages.of(purl)

    @cached_property
    def _packages(self) -> Packages:
        from wherefrom.sources.packages.source import Packages  # noqa: PLC0415 -- as above

        return Packages(self._cache, self._versions)

    def _in_folder(self, folder: Path, rev: str | None) -> Iterator[Source]:
        folder = work_tree(folder)
        contained = contained_in(folder)
        self._left_out.update(dict.fromkeys(contained.left_out))
        for broken in contained.broken:
            self._refuse(local_key(broken), SourceError(broken_clone(broken)))
        found: list[Source] = [*map(ArchiveSource, contained.archives)]
        places = ((place, folder if place.is_relative_to(folder) else place) for place in contained.repositories)
        found += [self._git(place, named, rev) for place, named in places]
        if not found and not contained.broken:
            yield DirectorySource(folder)
        self._searched = {source.location for source in found} - {local_key(folder)}
        yield from sorted(found, key=lambda source: source.location)

    def _archive(self, path: Path) -> Source:
        return ArchiveSource(path)

    def _git(self, repository: Path, named: Path, rev: str | None) -> GitSource:
        key = remote_key(repository)
        if key is None and self._pattern is not None:
            key = self._pattern.key(repository)
            if key is None:
                self._unmatched.add(local_key(repository))
        kind = KeyKind.PATH if key is None else KeyKind.REMOTE
        source = GitSource(repository, key=key or "", key_kind=kind, rev=rev, outside=outside(repository, named))
        self._named[source.location] = named
        return source

    def _duplicates(self) -> list[list[Source]]:
        sharing = by_key((comparable(source.key), source) for source in self.sources)
        return [sources for sources in sharing.values() if len(sources) > 1]

    def _leave_best(self, sources: Sequence[GitSource]) -> None:
        """Keeps one of the sources that share a key: the first one with the highest rank."""
        ranked: list[tuple[GitSource, _Rank]] = []
        for source in sources:
            try:
                ranked.append((source, _rank(source)))
            except SourceError as error:
                self._give_up(source, error)
        if not ranked:
            return
        best, highest = max(ranked, key=lambda pair: pair[1])
        for source, rank in ranked:
            if source is not best:
                self.sources.remove(source)
                reason = _lesser(rank, highest)
                self._left_out[LeftOut(place_of(source), "duplicate", reason, best.key, place_of(best))] = None

    def _give_up(self, source: Source, error: SourceError) -> None:
        self.sources.remove(source)
        self._refuse(place_of(source), error)

    def _refuse(self, name: str, error: SourceError) -> None:
        self.unusable.setdefault(name, Unusable(name, error))

    def _without_key(self) -> Iterator[str]:
        by_path = (source.location for source in self.sources if source.key_kind is KeyKind.PATH)
        if paths := [path for path in by_path if path in self._unmatched]:
            more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
            yield (
                f"--key-from does not match {visible(paths[0])}{more}, and no remote gives a key; "
                "the keys of these repositories are their paths"
            )


class _TreeSearch(_Search):
    def __init__(self, specs: Iterable[Named], cache: Path, *, committed: bool, apart: bool) -> None:
        self._committed, self._apart = committed, apart
        super().__init__(specs, cache)

    def _in_folder(self, folder: Path, rev: str | None) -> Iterator[Source]:
        found = contained_in(work_tree(folder)) if self._apart else Contained()
        places = sorted({*found.repositories, *found.broken, *found.plain}, key=os.fsencode)
        for place in places if places or found.archives else [work_tree(folder)]:
            is_bare = git_dir(place) == place
            yield self._git(place, place, rev) if is_bare else TreeSource(place, committed=self._committed)
        yield from map(self._archive, found.archives)

    def _archive(self, path: Path) -> Source:
        return ArchiveTree(path)


def combined(unusable: Sequence[Unusable]) -> SourceError:
    """One error for one or more unusable sources."""
    error = unusable[0].error
    if len(unusable) == 1:
        return error
    return type(error)(f"{len(unusable):,} sources cannot be used; the first one: {error}")


def place_of(source: Source) -> str:
    """The location of a source as the user knows it: its path, its package URL, or its URL without credentials."""
    return without_credentials(source.url) if isinstance(source, FetchedSource) else source.location


def _rank(source: GitSource) -> _Rank:
    if isinstance(source, RemoteSource):
        return True, True, False, 0
    revision = source.revision
    seconds = commit_seconds(source.path, revision) if revision else 0
    return bool(revision), not is_linked(source.path), True, seconds


def _lesser(rank: _Rank, best: _Rank) -> str:
    """Why a source with `rank` is left out in favor of a source with the rank `best`."""
    reasons = ("no commit", "a linked work tree", "not on this machine", "an older commit")
    other = "no newer commit" if rank[2] else "another URL of the same repository"
    return next((reason for value, better, reason in zip(rank, best, reasons, strict=True) if value < better), other)


def outside_warnings(sources: Iterable[Source]) -> Iterator[str]:
    """A warning for each repository with parts outside of the named folder: code of another one may get its key."""
    for source in sources:
        if isinstance(source, GitSource) and source.outside:
            places = " and ".join(map(visible, source.outside[:2]))
            more = f" and {len(source.outside) - 2:,} more places" if len(source.outside) > 2 else ""
            yield (
                f"{visible(source.location)} is read from {places}{more}, outside of the named folder; "
                "leave it out unless it is a linked work tree, a submodule or a clone with --reference"
            )
