"""How old code is, from the history of an index (`wherefrom index --history`)."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from wherefrom.analyzers.fingerprints import terms_on
from wherefrom.analyzers.noise import weights
from wherefrom.analyzers.tokens import decode, outside, part
from wherefrom.engines.engine import Engine
from wherefrom.engines.history import HistoryReader, StoredCommit, piece_place
from wherefrom.model import Hashes, Occurrence, RepositoryRecord, Representation, StoredBlob
from wherefrom.queries.alignment.aligning import Aligned, Aligner, DocumentText
from wherefrom.queries.judging.odds import STRONG, probability
from wherefrom.queries.preparation.preparing import evidence
from wherefrom.queries.spans import Flags
from wherefrom.results import Age, Appearance, Doubt, Hit
from wherefrom.results.attribution import by_age
from wherefrom.sources.repository_urls import package_parts
from wherefrom.support.chunks import by_key, chunks
from wherefrom.support.contract import day_of

if TYPE_CHECKING:
    from wherefrom.queries.states import States

LineRanges: TypeAlias = Sequence[tuple[int, int]]  # first and last, 1-based and inclusive; none for all lines
NO_HISTORY = "the index has no history; run `wherefrom index --history` on its repositories"
PACKAGE = "pkg:"  # the beginning of the key of a package

_VENDORED = re.compile(
    r"(?:^|/)(?:vendor|vendored|_vendor|third[-_]?party|3rd[-_]?party|externals?|extern|deps|"
    r"node_modules|bower_components|[^/]+-v?\d+\.\d+[^/]*)/",
    re.IGNORECASE,
)
"""Matches a path in a folder for code of other projects: by its usual names, or by a version at the end of its name."""


MOST_PIECES = 100  # code is dated by at most this many pieces of each round: those with most of the terms

FIRST_PART, HALF = 0.25, 0.5
"""Code began with the commit that brought a quarter of it with strong evidence, or else half of it, as for code that is
too short for such evidence. It is as it is since half of it was there."""

RARITY = 10.0  # the rarity of the terms of a piece (`judging.odds`): the repository never had them before
ROUNDS = 3  # at most this many times the terms of the oldest state that was found look for older ones

_Begun: TypeAlias = tuple[tuple[int, str], tuple[int, str], tuple[int, str]]
"""The numbers of three commits, and the paths of the files there; -1 for an unknown commit."""


class Histories:
    """Reads the ages of places from the history of an index, by its `reader`; that is None if the index has none."""

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

    def ages(
        self, places: Sequence[tuple[Occurrence, LineRanges]], *, of_owner: bool = True, states: States | None = None
    ) -> list[Age | None]:
        """The age of some lines at each of these places: by the history of the index, or for a package by its release.
        None if the index has no history of the file, or one of another content of the file.

        With `of_owner`, it is the age in the repository of the same owner that had the code first
        (`Appearance.repository`): code moves between these. With `states`, older states of the code are looked for in
        the clones that are at hand.
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
        by_code = by_key(
            ((at.blob, tuple(lines)), number)
            for number, (at, lines) in enumerate(places)
            if at.repository in dated and at.blob in stored
        )
        lookups = []
        for (blob, lines), numbers in by_code.items():
            owners = {owner_of(places[number][0].repository) for number in numbers}
            lookups.append((numbers, _Dating(history, stored[blob], lines).begun(owners, states)))
        commits = ((key, *at) for _, begun in lookups for key, three in begun.items() for at in three)
        appeared = chunks(self.appearances(commits), 3)
        for numbers, begun in lookups:
            ages = {
                key: Age(first, since, newest)
                for key, (first, since, newest) in zip(begun, appeared, strict=False)
                if first is not None and since is not None
            }
            for number in numbers:
                key = places[number][0].repository
                if key in ages:
                    found[number] = _oldest_of_owner(key, ages) if of_owner else ages[key]
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
        return [_appearance(commits.get((repository, number)), path) for repository, number, path in listed]


class _Piece(NamedTuple):
    """A piece in a repository, and which tokens of the code it has."""

    number: int
    path: str
    tokens: bytes
    there: Flags
    aligned: Aligned


class _Dating:
    """Dates some lines of a stored content by the pieces of a history that can be aligned with them."""

    def __init__(self, history: Engine, stored: StoredBlob, lines: LineRanges) -> None:
        self._history = history
        stream = outside(decode(stored.tokens))
        on = np.ones(len(stream), np.bool_)
        if lines:
            on = np.logical_or.reduce(
                [(stream.end_lines >= first) & (stream.start_lines <= last) for first, last in lines]
            )
        at = np.flatnonzero(on)
        begin, end = (int(at[0]), int(at[-1]) + 1) if len(at) else (0, len(stream))
        code = part(stream, begin, end) if len(at) else stream
        # Which terms are sampled depends on the code around, and that changes when code moves.
        self._terms = [terms_on(stream, lines), terms_on(code, lines)] if len(at) else []
        # The evidence is that of the code alone, as in a search for it. Similar code in its file would make it less.
        bits = evidence(code, ~on[begin:end])
        self._aligner = Aligner(code, bits, 0, len(code))
        self._counted = bits.counted(code)
        self._weights = np.where(bits.structure > 0, weights(code), 0)
        self._pieces: dict[str, list[_Piece]] = {}
        self._known: set[str] = set()

    def begun(self, owners: Collection[str], states: States | None = None) -> dict[str, _Begun]:
        """The first, the since and the newest of the pieces of each repository of some owners (`Age`), without those
        repositories that never had half of the code.
        """
        found: dict[str, tuple[_Piece, _Piece]] = {}
        terms = self._terms
        for _ in range(ROUNDS):
            self._look_up(terms, owners)
            now = {key: two for key, own in self._pieces.items() if (two := self._first_and_since(own)) is not None}
            older = [first for key, (first, _) in now.items() if key not in found or found[key][0] is not first]
            found = now
            if not older:
                break
            terms = [_facing(piece) for piece in older]
        if states is not None:
            found = {key: self._with_states(states, key, *two) for key, two in found.items()}
        return {
            key: ((first.number, first.path), (since.number, since.path), self._newest(self._pieces[key]))
            for key, (first, since) in found.items()
        }

    def _with_states(self, states: States, key: str, first: _Piece, since: _Piece) -> tuple[_Piece, _Piece]:
        """Adds older states of files to the pieces: those of the files that had the code, then those of the files from
        which it may have come, until none is older. Returns the first and the since of all pieces.
        """

        def likely(number: int, path: str, tokens: bytes) -> _Piece | None:
            piece = _Piece(number, path, tokens, *self._aligned(tokens))
            return piece if self._is_likely(piece) else None

        read: set[str] = set()
        paths = {first.path, since.path}
        while paths:
            for state in states.before(key, first.number, paths, likely, newest=bool(read)):
                insort(self._pieces[key], state, key=lambda piece: piece[:2])
            first, since = self._first_and_since(self._pieces[key]) or (first, since)
            read |= paths
            # A file from which the code came has it just before the commit.
            paths = states.origins(key, first.number, first.path) - read
        return first, since

    def _look_up(self, terms: Iterable[Mapping[Representation, Hashes]], owners: Collection[str]) -> None:
        """Aligns the pieces in repositories of some owners that have any of some terms."""
        by_kind = by_key((kind, own) for each in terms for kind, own in each.items())
        wanted = {kind: dict.fromkeys(np.concatenate(own).tolist(), 1.0) for kind, own in by_kind.items()}
        candidates = {it.blob.blob: it.blob for it in self._history.candidates(wanted, limit=MOST_PIECES)}
        new = {blob: stored for blob, stored in candidates.items() if blob not in self._known}
        self._known.update(new)
        aligned: dict[str, tuple[Flags, Aligned]] = {}
        for at in self._history.occurrences(blobs=new) if new else ():
            place = piece_place(at)
            if place is not None and owner_of(at.repository) in owners:
                if at.blob not in aligned:
                    aligned[at.blob] = self._aligned(new[at.blob].tokens)
                piece = _Piece(*place, new[at.blob].tokens, *aligned[at.blob])
                insort(self._pieces.setdefault(at.repository, []), piece, key=lambda piece: piece[:2])

    def _aligned(self, tokens: bytes) -> tuple[Flags, Aligned]:
        """Which tokens of the code some tokens have, and the alignment with them."""
        aligned = self._aligner.align(DocumentText(tokens))
        there = np.zeros(len(self._weights), np.bool_)
        for run in aligned.runs:
            there[run.here] = True
        return there, aligned

    def _share(self, there: Flags) -> float:
        return float(self._weights[there].sum()) / max(float(self._weights.sum()), 1.0)

    def _first_and_since(self, pieces: Sequence[_Piece]) -> tuple[_Piece, _Piece] | None:
        begin = next((number for number, piece in enumerate(pieces) if self._is_likely(piece)), None)
        story = np.zeros(len(self._weights), np.bool_)
        for piece in pieces[begin or 0 :]:
            story |= piece.there
            if self._share(story) >= HALF:
                return piece if begin is None else pieces[begin], piece
        return None

    def _is_likely(self, piece: _Piece) -> bool:
        """Whether a piece has enough of the code, with strong evidence as in a search for it."""
        is_enough = self._share(piece.there) >= FIRST_PART
        return is_enough and probability(piece.aligned.bits, self._counted, RARITY) >= STRONG

    def _newest(self, pieces: Sequence[_Piece]) -> tuple[int, str]:
        """The piece with which all of the code was there."""
        story, newest = self._weights == 0, (-1, "")
        for piece in pieces:
            if (piece.there & ~story).any():
                story |= piece.there
                newest = piece[:2]
        return newest if story.all() else (-1, "")


def owner_of(key: str) -> str:
    """What the keys of repositories of one owner have in common; the key itself if it is not that of a remote."""
    host, _, path = key.partition("/")
    return key.rpartition("/")[0] if "." in host and "/" in path else key


def _oldest_of_owner(key: str, ages: Mapping[str, Age]) -> Age:
    """The oldest of the ages in a repository and the others of its owner."""
    own = ages[key]
    others = [
        Age(*(replace(at, repository=there) for at in (age.first, age.since, age.newest or own.newest) if at))
        for there, age in ages.items()
        if there != key and owner_of(there) == owner_of(key)
    ]
    return min((own, *others), key=by_age)


def _facing(piece: _Piece) -> dict[Representation, Hashes]:
    """The terms of the part of a piece that is like the code."""
    runs = piece.aligned.runs
    begin, end = min(run.there.start for run in runs), max(run.there.stop for run in runs)
    return terms_on(part(decode(piece.tokens), begin, end))


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


def _appearance(commit: StoredCommit | None, path: str) -> Appearance | None:
    """A commit as the first appearance of code at a path."""
    if commit is None:
        return None
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
