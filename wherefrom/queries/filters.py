"""Filters: which blobs and occurrences a search may answer with."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from wherefrom.engines.engine import Engine
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.options import SearchOptions, SourcesOptions
from wherefrom.queries.globs import Globs
from wherefrom.queries.repository_names import keys_of, patterns_of, unmatched
from wherefrom.sources.repository_urls import key_fits

KEPT_BLOBS = 1_000_000
"""Blob ids that `AdmittedBlobs` keeps, about 150 MB; those of the latest filters are kept however many they are."""


@dataclass(frozen=True, slots=True)
class Filters:
    """`repositories` are patterns over keys (`*`, `?`), `paths` globs as in `Globs`, `languages` names; empty ones let
    everything through. `not_repositories` (patterns over keys) and `not_blobs` let nothing through.
    """

    repositories: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    not_repositories: tuple[str, ...] = ()
    not_blobs: tuple[str, ...] = ()

    @staticmethod
    def of(engine: Engine, options: SearchOptions | SourcesOptions, *, not_blobs: Sequence[str] = ()) -> Filters:
        """The filters of a call's options, beside blobs that are left out.

        Raises:
            UsageError: the braces of the globs expand to too many patterns, or the name of a repository is the last
                part of several keys.
        """
        paths = tuple(options.paths)
        _globs(paths)
        languages = tuple(options.languages) if isinstance(options, SearchOptions) else ()
        repositories = patterns_of(engine, options.repositories)
        not_repositories = patterns_of(engine, options.not_repositories)
        return Filters(repositories, paths, languages, not_repositories, tuple(not_blobs))

    def admits(self, occurrence: Occurrence) -> bool:
        """Whether repository, path and blob fit."""
        return (
            occurrence.blob not in self.not_blobs
            and self.admits_repository(occurrence.repository)
            and (not self.paths or _globs(self.paths).match(occurrence.path))
        )

    def admits_repository(self, key: str) -> bool:
        """Whether a repository fits."""
        return (not self.repositories or _fits(key, self.repositories)) and not _fits(key, self.not_repositories)

    @property
    def admit_every_place(self) -> bool:
        """Whether repository and path do not matter."""
        return not self.repositories and not self.paths and not self.not_repositories


@lru_cache(maxsize=8)
def _globs(patterns: tuple[str, ...]) -> Globs:
    return Globs(patterns)


def _fits(key: str, patterns: Sequence[str]) -> bool:
    return any(key_fits(key, pattern) for pattern in patterns)


def own_keys(records: Sequence[RepositoryRecord], keys: Collection[str], names: Sequence[str]) -> frozenset[str]:
    """The keys of the repositories of an index that are the user's own: of a project of the user's (in any case, for
    the hosts of most take them so), and what `names` mean, as `keys_of` reads them.

    Raises:
        UsageError: a name is the last part of several keys.
    """
    mine = {key.lower() for key in keys}
    there = [record.key for record in records]
    named = {key for name in names for key in keys_of(name, there)}
    return frozenset(
        record.key for record in records if record.key.lower() in mine or record.location in keys or record.key in named
    )


class _Listed(NamedTuple):
    """What some filters admit of a repository: its record, the blobs, and which of the path globs match one there."""

    record: RepositoryRecord
    blobs: AbstractSet[str]
    paths: AbstractSet[str]


@dataclass(frozen=True, slots=True)
class _Listing:
    """What some filters admit: of each repository, and the blobs of all of them; and `unmatched` says which of their
    patterns match no repository.
    """

    filters: Filters
    repositories: Mapping[str, _Listed]
    blobs: AbstractSet[str]
    unmatched: tuple[str, ...]

    def warnings(self) -> tuple[str, ...]:
        """Which patterns match nothing."""
        warnings = list(self.unmatched)
        if self.repositories:
            matched = frozenset().union(*(listed.paths for listed in self.repositories.values()))
            warnings += [
                f"no indexed path matches {pattern!r} in {_those(self.filters)}"
                for pattern in self.filters.paths
                if pattern not in matched
            ]
        elif not warnings:
            warnings.append(f"no repository is left in {_those(self.filters)}")
        return tuple(warnings)


def _those(filters: Filters) -> str:
    is_part = filters.repositories or filters.not_repositories
    return "the repositories that are looked at" if is_part else "the index"


class AdmittedBlobs:
    """The blobs that filters admit, kept from one search to the next.

    Every search asks for the repository records and lists the occurrences of those repositories alone whose record is
    new: whoever changes them writes a new record. A repository that is being written to (its `settings` are empty) is
    listed each time.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        # The latest first. It is replaced as a whole, so that several threads may search.
        self._kept: tuple[_Listing, ...] = ()

    def of(self, filters: Filters) -> AbstractSet[str] | None:
        """The blobs with an occurrence that fits; None where every place fits, but for those of `not_blobs`."""
        if filters.admit_every_place:
            return None
        # Language is up to the engine.
        filters = replace(filters, languages=())
        kept = next((listing for listing in self._kept if listing.filters == filters), None)
        listing = self._listed(filters, kept)
        if listing is not kept:
            self._keep(listing)
        return listing.blobs

    def warnings(self, filters: Filters) -> tuple[str, ...]:
        """Which patterns of filters match nothing, as it was when `of` was last asked for their blobs."""
        filters = replace(filters, languages=())
        kept = next((listing for listing in self._kept if listing.filters == filters), None)
        return kept.warnings() if kept else ()

    def _listed(self, filters: Filters, kept: _Listing | None) -> _Listing:
        """The listing as of now, which is the one that was kept where nothing changed."""
        before = kept.repositories if kept else {}
        now: dict[str, _Listed] = {}
        # The records come first: what is committed between the two calls is listed again by its new record.
        records = self._engine.repositories()
        missed = unmatched((*filters.repositories, *filters.not_repositories), [record.key for record in records])
        for record in records:
            if not filters.admits_repository(record.key):
                continue
            known = before.get(record.key)
            if known is not None and record.settings and known.record == record:
                now[record.key] = known
                continue
            now[record.key] = self._listed_repository(filters, record)
        is_same = now.keys() == before.keys() and all(now[key] is before[key] for key in now)
        if kept and is_same and kept.unmatched == missed:
            return kept
        return _Listing(filters, now, frozenset().union(*(listed.blobs for listed in now.values())), missed)

    def _listed_repository(self, filters: Filters, record: RepositoryRecord) -> _Listed:
        blobs: set[str] = set()
        missing = {pattern: Globs((pattern,)) for pattern in filters.paths}
        for found in self._engine.occurrences(repository=record.key):
            if filters.admits(found):
                blobs.add(found.blob)
            for pattern in [pattern for pattern, globs in missing.items() if globs.match(found.path)]:
                del missing[pattern]
        return _Listed(record, frozenset(blobs), frozenset(filters.paths) - missing.keys())

    def _keep(self, listing: _Listing) -> None:
        kept, room = [listing], KEPT_BLOBS - len(listing.blobs)
        for other in self._kept:
            room -= len(other.blobs)
            if other.filters != listing.filters and room >= 0:
                kept.append(other)
        self._kept = tuple(kept)
