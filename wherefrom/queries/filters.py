"""Filters: the blobs and occurrences that a search may answer with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from wherefrom.analyzers import stamps
from wherefrom.engines.engine import Engine
from wherefrom.errors import UnknownRepository, UsageError
from wherefrom.languages import LANGUAGES
from wherefrom.model import Occurrence
from wherefrom.options import SearchOptions, SourcesOptions
from wherefrom.queries.folders import Folder, folders_above
from wherefrom.queries.globs import Globs
from wherefrom.queries.repository_names import PREFIX, keys_at, keys_of, patterns_of, repositories, some, unmatched
from wherefrom.sources.repository_urls import is_key_pattern, key_fits
from wherefrom.support.values import dataclass, replace

LISTED_REPOSITORIES, LISTED_FILES = 100, 10_000
"""What filters admit of at most this many repositories and files is listed at once; a file takes 9 microseconds."""

MOST_LISTED = 50_000  # more files are never listed: that would take long, and over 5 MB of a published index


class Expanded(NamedTuple):
    """Names of repositories without `project:`, and the vendored folders of the named projects."""

    names: tuple[str, ...]
    folders: frozenset[Folder] = frozenset()


def expanded(engine: Engine, names: Sequence[str]) -> Expanded:
    """Replaces each name `project:NAME` by the keys of the project. A name that means no project stays as it is. Raises
    UsageError if a name that is not a pattern means several projects.
    """
    if not any(name.startswith(PREFIX) for name in names):
        return Expanded(tuple(names))
    from wherefrom.queries.projects import Projects  # noqa: PLC0415 -- few searches name a project

    projects = Projects(engine)
    found: dict[str, None] = {}
    folders: set[Folder] = set()
    for name in names:
        meant = projects.called(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else []
        if len(meant) > 1 and not is_key_pattern(name):
            raise UsageError(f"{name!r} may be {some([project.project for project in meant])}; give one of these")
        found |= dict.fromkeys([key for project in meant for key in project.keys] or [name])
        folders |= {Folder(copy.repository, copy.folder) for project in meant for copy in project.names if copy.folder}
    return Expanded(tuple(found), frozenset(folders))


@dataclass(frozen=True, slots=True)
class Filters:
    """The conditions that an occurrence must meet. Empty `repositories` and `folders`, `paths` and `languages` admit
    everything.
    """

    repositories: tuple[str, ...] = ()  # patterns over keys (`*`, `?`)
    paths: tuple[str, ...] = ()  # globs as in `Globs`
    languages: tuple[str, ...] = ()  # names of languages
    not_repositories: tuple[str, ...] = ()  # patterns over keys; repositories that match one are left out
    folders: frozenset[Folder] = frozenset()  # folders of other repositories that are admitted too
    not_folders: frozenset[Folder] = frozenset()  # folders that are left out
    not_blobs: tuple[str, ...] = ()  # blobs that are left out

    @staticmethod
    def of(engine: Engine, options: SearchOptions | SourcesOptions, *, not_blobs: Sequence[str] = ()) -> Filters:
        """The filters of a call's options, and blobs to leave out. Raises UsageError if the braces of the globs expand
        to too many patterns, or a name means several repositories or projects.
        """
        paths = tuple(options.paths)
        if paths:
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
    """The user's own repositories in an index, and vendored copies of them in others."""

    keys: frozenset[str] = frozenset()  # the keys of the repositories
    folders: frozenset[Folder] = frozenset()  # the copies
    warnings: tuple[str, ...] = ()  # a warning for each name that means nothing

    @staticmethod
    def named(engine: Engine, names: Sequence[str], keys: Collection[str] = ()) -> OwnPlaces:
        """The places that some names mean (keys, last parts of keys, patterns, `project:NAME`), and the repositories
        with the `keys` (or locations) of the user's project, in any case, since most hosts ignore case. Raises
        UsageError if a name means several repositories or projects.
        """
        if not names and not keys:
            return OwnPlaces()
        meant, indexed = expanded(engine, names), engine.repository_keys()
        own = {key for name in meant.names for key in keys_of(name, indexed)} | keys_at(engine, keys)
        return OwnPlaces(frozenset(own), meant.folders, unmatched(meant.names, indexed))

    def __contains__(self, at: Occurrence) -> bool:
        return at.repository in self.keys or is_below(at, self.folders)

    def shown(self) -> tuple[str, ...]:
        """The places by name: the keys, and folders as `KEY FOLDER/`."""
        return tuple(sorted({*self.keys, *(f"{key} {folder}/" for key, folder in self.folders)}))


NOTHING_OWN = OwnPlaces()  # no place is the user's own


def indexed_languages(engine: Engine) -> frozenset[str]:
    """The languages of the indexed contents. `Engine.stats` would read the record of each repository for them."""
    return frozenset(map(stamps.language, engine.count_analyses()))


class AdmittedBlobs:
    """The blobs that the latest filters admit, kept for the next search as long as the index stays as it is."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        # Each is replaced as a whole, so several threads may search.
        self._listed: tuple[object, AbstractSet[str] | None] | None = None
        self._warned: tuple[object, tuple[str, ...]] | None = None
        self._languages: tuple[object, frozenset[str]] | None = None

    def languages(self) -> frozenset[str]:
        """The languages of the indexed contents; all languages if the engine cannot tell whether they changed."""
        version, known = self._engine.version, self._languages
        if version is None:
            return frozenset(LANGUAGES)
        if known is None or known[0] != version:
            self._languages = known = version, indexed_languages(self._engine)
        return known[1]

    def of(self, filters: Filters) -> AbstractSet[str] | None:
        """The blobs with an admitted occurrence; None if the filters admit every repository and path, or if more than
        `MOST_LISTED` files would have to be listed.
        """
        if filters.admit_every_place:
            return None
        keys = [*filter(filters.admits_repository, self._engine.repository_keys())]
        question = replace(filters, languages=()), self._state(keys)  # the engine filters by language
        listed = self._listed
        if listed is None or listed[0] != question:
            places = chain.from_iterable(self._engine.occurrences(repository=key) for key in keys)
            blobs = frozenset(at.blob for at in islice(places, MOST_LISTED) if filters.admits(at))
            self._listed = listed = question, blobs if next(places, None) is None else None
        return listed[1]

    def _state(self, keys: Sequence[str]) -> object:
        """What changes if other blobs may be in some repositories. Every change writes a new record, and a repository
        that is being written to has no `settings`.
        """
        if self._engine.version is not None:
            return self._engine.version
        records = self._engine.repositories(keys)
        return records if all(record.settings for record in records) else object()

    def few(self, filters: Filters) -> AbstractSet[str] | None:
        """As `of`, but None if a listing would take long: if the admitted repositories have many files."""
        if not (filters.repositories or filters.folders):
            return None
        keys = [*filter(filters.admits_repository, self._engine.repository_keys())]
        if len(keys) > LISTED_REPOSITORIES:
            return None
        files = sum(record.files for record in self._engine.repositories(keys))
        return self.of(filters) if files <= LISTED_FILES else None

    def warnings(self, filters: Filters, seen: Iterable[Occurrence]) -> tuple[str, ...]:
        """A warning for each pattern that matches nothing; `seen` has some occurrences, which are looked at first."""
        if filters.admit_every_place:
            return ()
        keys = self._engine.repository_keys()
        question, warned = (replace(filters, languages=()), self._engine.version), self._warned
        if warned is None or question[1] is None or warned[0] != question:
            self._warned = warned = question, tuple(self._missed(filters, seen, keys))
        return warned[1]

    def _missed(self, filters: Filters, seen: Iterable[Occurrence], keys: Sequence[str]) -> Iterator[str]:
        is_part = filters.repositories or filters.not_repositories
        looked_at = "the repositories that are looked at" if is_part else "the index"
        missed = unmatched((*filters.repositories, *filters.not_repositories), keys)
        yield from missed
        admitted = [*filter(filters.admits_repository, keys)]
        if not admitted and not missed:
            yield f"no repository is left in {looked_at}"
        missing = {pattern: Globs((pattern,)) for pattern in filters.paths if admitted}
        places = chain.from_iterable(self._engine.occurrences(repository=key) for key in admitted)
        for at in chain(seen, islice(places, MOST_LISTED)) if missing else ():
            if filters.admits_repository(at.repository):
                missing = {pattern: globs for pattern, globs in missing.items() if not globs.match(at.path)}
            if not missing:
                break
        none = "no indexed path" if missing and next(places, None) is None else f"none of {MOST_LISTED:,} paths"
        yield from (f"{none} matches {pattern!r} in {looked_at}" for pattern in missing)
