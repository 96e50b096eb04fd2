"""Filters: the blobs and occurrences that a search may answer with."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from wherefrom.engines.engine import Engine
from wherefrom.errors import UnknownRepository
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.options import SearchOptions, SourcesOptions
from wherefrom.queries.folders import Folder, folders_above
from wherefrom.queries.globs import Globs
from wherefrom.queries.projects import expanded
from wherefrom.queries.repository_names import keys_of, patterns_of, repositories, unmatched
from wherefrom.sources.repository_urls import is_key_pattern, key_fits
from wherefrom.support.values import dataclass, replace

KEPT_BLOBS = 1_000_000
"""The highest number of blob ids that `AdmittedBlobs` keeps, about 150 MB. Those of the latest filters always stay."""


@dataclass(frozen=True, slots=True)
class Filters:
    """The conditions that an occurrence must meet. Empty `repositories` and `folders`, `paths` and `languages` admit
    everything.

    Attributes:
        repositories: patterns over keys (`*`, `?`).
        folders: folders of other repositories that are admitted too.
        paths: globs as in `Globs`.
        languages: names of languages.
        not_repositories: patterns over keys; repositories that match one are left out.
        not_folders: folders that are left out.
        not_blobs: blobs that are left out.
    """

    repositories: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    not_repositories: tuple[str, ...] = ()
    folders: frozenset[Folder] = frozenset()
    not_folders: frozenset[Folder] = frozenset()
    not_blobs: tuple[str, ...] = ()

    @staticmethod
    def of(engine: Engine, options: SearchOptions | SourcesOptions, *, not_blobs: Sequence[str] = ()) -> Filters:
        """The filters of a call's options, and blobs to leave out.

        Raises:
            UsageError: the braces of the globs expand to too many patterns, or a name means several repositories or
                projects.
        """
        paths = tuple(options.paths)
        _globs(paths)
        wanted, unwanted = expanded(engine, options.repositories), expanded(engine, options.not_repositories)
        return Filters(
            repositories=patterns_of(engine, wanted.names),
            paths=paths,
            languages=tuple(options.languages) if isinstance(options, SearchOptions) else (),
            not_repositories=patterns_of(engine, unwanted.names),
            folders=wanted.folders,
            not_folders=unwanted.folders,
            not_blobs=tuple(not_blobs),
        )

    def admits(self, at: Occurrence) -> bool:
        """Whether the repository, path and blob of an occurrence fit."""
        is_wanted = not self.repositories or _fits(at.repository, self.repositories) or is_below(at, self.folders)
        is_left_out = _fits(at.repository, self.not_repositories) or is_below(at, self.not_folders)
        is_admitted = is_wanted and not is_left_out and at.blob not in self.not_blobs
        return is_admitted and (not self.paths or _globs(self.paths).match(at.path))

    def admits_repository(self, key: str) -> bool:
        """Whether the repository with a key, or a folder of it, fits."""
        is_wanted = not self.repositories or _fits(key, self.repositories)
        is_wanted = is_wanted or any(folder.repository == key for folder in self.folders)
        return is_wanted and not _fits(key, self.not_repositories)

    @property
    def admit_every_place(self) -> bool:
        """Whether every repository and path fits."""
        return not (self.repositories or self.paths or self.not_repositories or self.folders or self.not_folders)


@lru_cache(maxsize=8)
def _globs(patterns: tuple[str, ...]) -> Globs:
    return Globs(patterns)


def _fits(key: str, patterns: Sequence[str]) -> bool:
    return any(key_fits(key, pattern) for pattern in patterns)


def is_below(at: Occurrence, folders: Collection[Folder]) -> bool:
    """Whether an occurrence is below one of some folders."""
    return bool(folders) and any(Folder(at.repository, above) in folders for above in folders_above(at.path))


def unknown_names(engine: Engine, names: Sequence[str]) -> dict[str, UnknownRepository]:
    """The names, but not the patterns, that mean no repository and no project of an index, each with an error.

    Raises:
        UsageError: a name means several repositories or projects.
    """
    found: dict[str, UnknownRepository] = {}
    for name in names:
        try:
            if not is_key_pattern(name):
                repositories(engine, expanded(engine, [name]).names)
        except UnknownRepository as error:
            found[name] = error
    return found


@dataclass(frozen=True, slots=True)
class OwnPlaces:
    """The user's own repositories in an index, and vendored copies of them in others.

    Attributes:
        keys: the keys of the repositories.
        folders: the copies.
        warnings: a warning for each name that means nothing.
    """

    keys: frozenset[str] = frozenset()
    folders: frozenset[Folder] = frozenset()
    warnings: tuple[str, ...] = ()

    @staticmethod
    def named(engine: Engine, names: Sequence[str], keys: Collection[str] = ()) -> OwnPlaces:
        """The places that some names mean (keys, last parts of keys, patterns, `project:NAME`), and the repositories
        with the `keys` (or locations) of the user's project, in any case, since most hosts ignore case.

        Raises:
            UsageError: a name means several repositories or projects.
        """
        if not names and not keys:
            return OwnPlaces()
        meant, indexed = expanded(engine, names), engine.repository_keys()
        mine = {key.lower() for key in keys}
        own = {key for name in meant.names for key in keys_of(name, indexed)}
        own |= {key for key in indexed if key.lower() in mine}
        own |= {record.key for record in engine.repositories() if record.location in keys} if keys else set()
        return OwnPlaces(frozenset(own), meant.folders, unmatched(meant.names, indexed))

    def __contains__(self, at: Occurrence) -> bool:
        return at.repository in self.keys or is_below(at, self.folders)

    def shown(self) -> tuple[str, ...]:
        """The places by name: the keys, and folders as `KEY FOLDER/`."""
        return tuple(sorted({*self.keys, *(f"{key} {folder}/" for key, folder in self.folders)}))


NOTHING_OWN = OwnPlaces()
"""No place is the user's own."""


class _AdmittedRepository(NamedTuple):
    """A repository that some filters admit: its record, the admitted blobs, and the path globs that match there."""

    record: RepositoryRecord
    blobs: AbstractSet[str]
    paths: AbstractSet[str]


@dataclass(frozen=True, slots=True)
class _Listing:
    """What some filters admit. `unmatched` has a warning for each pattern that matches no repository."""

    filters: Filters
    repositories: Mapping[str, _AdmittedRepository]
    blobs: AbstractSet[str]
    unmatched: tuple[str, ...]

    def warnings(self) -> tuple[str, ...]:
        """A warning for each pattern that matches nothing."""
        filters = self.filters
        is_part = filters.repositories or filters.not_repositories
        looked_at = "the repositories that are looked at" if is_part else "the index"
        if self.repositories:
            matched = frozenset().union(*(listed.paths for listed in self.repositories.values()))
            missed = [pattern for pattern in filters.paths if pattern not in matched]
            return (*self.unmatched, *(f"no indexed path matches {pattern!r} in {looked_at}" for pattern in missed))
        return self.unmatched or (f"no repository is left in {looked_at}",)


class AdmittedBlobs:
    """The blobs that filters admit, kept from one search to the next.

    Every search reads the records of the repositories. It lists occurrences only of repositories with a new record,
    since every change writes a new record. A repository that is being written to (its `settings` are empty) is always
    listed.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        # The latest comes first. The tuple is replaced as a whole, so several threads may search.
        self._kept: tuple[_Listing, ...] = ()

    def of(self, filters: Filters) -> AbstractSet[str] | None:
        """The blobs with an admitted occurrence; None if the filters admit every repository and path."""
        if filters.admit_every_place:
            return None
        kept = self._find(filters)
        listing = self._listed(replace(filters, languages=()), kept)
        if listing is not kept:
            self._keep(listing)
        return listing.blobs

    def warnings(self, filters: Filters) -> tuple[str, ...]:
        """A warning for each pattern that matched nothing in the latest call of `of`."""
        kept = self._find(filters)
        return kept.warnings() if kept else ()

    def _find(self, filters: Filters) -> _Listing | None:
        # Listings do not depend on languages: the engine filters by language.
        sought = replace(filters, languages=())
        return next((listing for listing in self._kept if listing.filters == sought), None)

    def _listed(self, filters: Filters, kept: _Listing | None) -> _Listing:
        """The current listing, which is `kept` if nothing has changed."""
        before = kept.repositories if kept else {}
        now: dict[str, _AdmittedRepository] = {}
        # The records are read before the occurrences: a commit in between writes a new record, which is seen next time.
        keys = self._engine.repository_keys()
        missed = unmatched((*filters.repositories, *filters.not_repositories), keys)
        admitted = [*filter(filters.admits_repository, keys)]
        for record in self._engine.repositories(None if admitted == keys else admitted):
            known = before.get(record.key)
            if known is None or not record.settings or known.record != record:
                known = self._listed_repository(filters, record)
            now[record.key] = known
        if kept and now == before and kept.unmatched == missed:
            return kept
        return _Listing(filters, now, frozenset().union(*(listed.blobs for listed in now.values())), missed)

    def _listed_repository(self, filters: Filters, record: RepositoryRecord) -> _AdmittedRepository:
        blobs: set[str] = set()
        missing = {pattern: Globs((pattern,)) for pattern in filters.paths}
        for found in self._engine.occurrences(repository=record.key):
            if filters.admits(found):
                blobs.add(found.blob)
            for pattern in [pattern for pattern, globs in missing.items() if globs.match(found.path)]:
                del missing[pattern]
        return _AdmittedRepository(record, frozenset(blobs), frozenset(filters.paths) - missing.keys())

    def _keep(self, listing: _Listing) -> None:
        kept, room = [listing], KEPT_BLOBS - len(listing.blobs)
        for other in self._kept:
            room -= len(other.blobs)
            if other.filters != listing.filters and room >= 0:
                kept.append(other)
        self._kept = tuple(kept)
