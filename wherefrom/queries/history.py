"""How old code is, from the history of an index (`wherefrom index --history`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import distinct
from wherefrom.analyzers.kernel import stored_terms
from wherefrom.analyzers.pieces import terms_on
from wherefrom.engines.engine import Engine
from wherefrom.engines.history import HistoryReader, StoredCommit, piece_place
from wherefrom.model import Hashes, Occurrence, RepositoryRecord, Representation
from wherefrom.results import Age, Appearance, Doubt, Hit
from wherefrom.sources.repository_urls import package_parts
from wherefrom.support.chunks import by_key, chunks
from wherefrom.support.contract import day_of

LineRanges: TypeAlias = Sequence[tuple[int, int]]
"""Ranges of lines: first and last, 1-based and inclusive. An empty sequence means all lines."""

NO_HISTORY = "the index has no history; run `wherefrom index --history` on its repositories"

PACKAGE = "pkg:"
"""The beginning of the key of a package."""

_VENDORED = re.compile(
    r"(?:^|/)(?:vendor|vendored|_vendor|third[-_]?party|3rd[-_]?party|externals?|extern|deps|"
    r"node_modules|bower_components|[^/]+-v?\d+\.\d+[^/]*)/",
    re.IGNORECASE,
)
"""Matches a path in a folder for code of other projects: by its usual names, or by a version at the end of its name."""


MOST_PIECES = 300
"""Code is dated by at most this many pieces: those with most of its terms."""

FIRST_PART = 4
"""Code began with the commit that brought one of this many parts of it at one place."""

_Begun: TypeAlias = tuple[tuple[int, str], tuple[int, str], tuple[int, str]]
"""The numbers of three commits, and the paths of the files there; -1 for an unknown commit."""


class _Holding(NamedTuple):
    """A piece in a repository, and which of some terms it has."""

    number: int
    path: str
    has: NDArray[np.bool_]


class Histories:
    """Reads the ages of places from the history of an index.

    Attributes:
        reader: reads the history; None if the index has none.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.reader: HistoryReader | None = None

    def refresh(self) -> None:
        """Begins a search: looks whether there is a history now, and forgets what may have changed."""
        history = self._engine.history()
        if history is None:
            self.reader = None
        elif self.reader is None or self.reader.engine is not history:
            self.reader = HistoryReader(history)
        elif history.version is None:
            self.reader.refresh()

    def ages(self, places: Sequence[tuple[Occurrence, LineRanges]]) -> list[Age | None]:
        """The age of some lines at each of these places: by the history of the index, or for a package by its release.
        None if the index has no history of the file, or one of another content of the file.
        """
        packages = {at.repository for at, _ in places if at.repository.startswith(PACKAGE)}
        records = self._engine.repositories(packages) if packages else []
        releases = {record.key: age for record in records if (age := _release(record)) is not None}
        found = [releases.get(at.repository) for at, _ in places]
        if self.reader is None or not places:
            return found
        history = self.reader.engine
        dated = {record.key for record in history.repositories({at.repository for at, _ in places})}
        stored = self._engine.blobs({at.blob for at, _ in places if at.repository in dated})
        wanted = {
            number: terms
            for number, (at, lines) in enumerate(places)
            if at.repository in dated and at.blob in stored and (terms := terms_on(stored[at.blob], lines))
        }
        by_kind = by_key((kind, own) for terms in wanted.values() for kind, own in terms.items())
        every = {kind: distinct(np.concatenate(own)) for kind, own in by_kind.items()}
        holdings = _holdings(history, every)
        begun = []
        for number, terms in wanted.items():
            is_wanted = np.concatenate([np.isin(own, terms.get(kind, ())) for kind, own in every.items()])
            key = places[number][0].repository
            if (three := _begun(holdings.get(key, ()), is_wanted)) is not None:
                begun.append((number, key, three))
        appeared = self.appearances((key, *at) for _, key, three in begun for at in three)
        for (number, *_), (first, since, newest) in zip(begun, chunks(appeared, 3), strict=True):
            if first is not None and since is not None:
                found[number] = Age(first, since, newest)
        return found

    def with_ages(self, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """Adds to hits the ages of their places, if the age of any place is known."""
        found = self.ages([(place.occurrence, place.line_ranges) for hit in hits for place in hit.places])
        if not any(found):
            return tuple(hits)
        ages = iter(found)
        return tuple(replace(hit, ages=tuple(islice(ages, len(hit.occurrences)))) for hit in hits)

    def appearances(self, places: Iterable[tuple[str, int, str]]) -> list[Appearance | None]:
        """The commits with these numbers, each given as repository, number and path of a file."""
        if self.reader is None:
            return []
        listed = list(places)
        commits = self.reader.commits((repository, number) for repository, number, _ in listed)
        found = [commits.get((repository, number)) for repository, number, _ in listed]
        pairs = zip(found, listed, strict=True)
        return [None if commit is None else appearance(commit, path) for commit, (_, _, path) in pairs]


def _holdings(history: Engine, terms: Mapping[Representation, Hashes]) -> dict[str, list[_Holding]]:
    """The pieces that have any of some terms, by repository, the oldest first. `has` is in the order of the terms, one
    representation behind the other.
    """
    weights = {kind: dict.fromkeys(own.tolist(), 1.0) for kind, own in terms.items()}
    has = {}
    for piece in history.candidates(weights, limit=MOST_PIECES):
        theirs = stored_terms(piece.blob.tokens)
        has[piece.blob.blob] = np.concatenate([np.isin(own, theirs.get(kind, ())) for kind, own in terms.items()])
    found: dict[str, list[_Holding]] = {}
    for at in history.occurrences(blobs=has) if has else ():
        if (place := piece_place(at)) is not None:
            found.setdefault(at.repository, []).append(_Holding(*place, has[at.blob]))
    return {key: sorted(pieces, key=lambda it: it[:2]) for key, pieces in found.items()}


def _begun(holdings: Sequence[_Holding], is_wanted: NDArray[np.bool_]) -> _Begun | None:
    """The first, the since and the newest of the pieces of a repository (`Age`) for those of its terms that `is_wanted`
    marks; None if it had fewer than half of them.
    """
    if not holdings:
        return None
    has = np.stack([holding.has[is_wanted] for holding in holdings])
    total = has.shape[1]
    earliest = np.sort(has.argmax(axis=0)[has.any(axis=0)])  # of each term that was there, the oldest piece
    missing = total - len(earliest)
    if 2 * missing > total:
        return None
    since = int(earliest[(total - 1) // 2])
    parts = np.flatnonzero(FIRST_PART * has.sum(axis=1) >= total)
    first = min(int(parts[0]), since) if len(parts) else since
    places = [holding[:2] for holding in holdings]
    return places[first], places[since], places[int(earliest[-1])] if not missing else (-1, "")


def by_age(age: Age | None) -> tuple[bool, str, str]:
    """A key that sorts the oldest first, by the day of the beginning, then by the day since which the code is as it
    is. Unknown ages come last.
    """
    return (True, "", "") if age is None else (False, age.first.day or "~", age.since.day or "~")


def oldest_first(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Orders hits, and the contents and the places of each, by age."""
    return tuple(sorted(map(_oldest_first, hits), key=lambda hit: by_age(hit.ages[0] if hit.ages else None)))


def _oldest_first(hit: Hit) -> Hit:
    places = sorted(hit.places, key=lambda place: by_age(place.age))
    contents = {place.content.blob: place.content for place in places}
    return replace(
        hit,
        contents=tuple(contents.values()),
        occurrences=tuple(place.occurrence for place in places),
        attributions=tuple(place.attribution for place in places if place.attribution is not None),
        ages=tuple(place.age for place in places),
        indexes=tuple(place.index for place in places if place.index is not None),
        # It is that of the content that was the first.
        explanation=hit.explanation if places[0].content.blob == hit.blob else None,
    )


def appearance(commit: StoredCommit, path: str) -> Appearance:
    """A commit as the first appearance of code at a path."""
    doubts = [*map(Doubt, commit.doubts), *([Doubt.VENDORED] if is_vendored(path) else [])]
    return Appearance(
        commit=commit.id,
        day=day_of(commit.committed),
        written=day_of(commit.authored),
        tag=commit.tag,
        is_merge=commit.is_merge,
        doubts=tuple(doubts),
        is_root=commit.number == 0,
    )


def _release(record: RepositoryRecord) -> Age | None:
    """The age of all code of a package: the day of its release. None for other repositories."""
    day = record.package.released if record.package is not None else ""
    try:
        date.fromisoformat(day)
    except ValueError:
        return None
    released = Appearance(None, day, day, package_parts(record.key)[1], doubts=(Doubt.RELEASE,))
    return Age(released, released, released)


def is_vendored(path: str) -> bool:
    """Whether a file is in a folder for code of other projects."""
    return _VENDORED.search(path) is not None
