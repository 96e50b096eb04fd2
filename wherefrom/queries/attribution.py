"""Whether a place says where its code came from: what it says, held against the source that is asked for.

This is evidence, no judgement: it cannot tell who copied from whom, nor whether both took it from a third place.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from wherefrom.analyzers.references import (
    LICENSES,
    LINKS,
    PEOPLE,
    GitHubPlace,
    Kind,
    Post,
    Reference,
    References,
    Target,
    load_references,
    names,
    scope,
    source,
    target,
)
from wherefrom.errors import UsageError
from wherefrom.results import Attribution, Evidence, Verdict, Where
from wherefrom.sources.history import first_committed

if TYPE_CHECKING:
    from wherefrom.engines.engine import Engine
    from wherefrom.model import Notice, Occurrence, RepositoryRecord
    from wherefrom.options import SearchOptions
    from wherefrom.results import RegionPair

NEAR = 8
"""Lines before and after a matched region in which what is said is said of it: a comment above a function."""

MOST_EVIDENCE = 10
"""Pieces of evidence of one place; the nearest ones."""

MOST_DATED = 3
"""Occurrences of a hit whose history is asked for: a walk through all commits each."""

DATED_SECONDS = 10.0
"""What all of these may take in one search; the days that are not found until then stay unknown."""

_IDENTIFIER = re.compile(r"[A-Za-z0-9.+-]+")

_KEPT = 20_000
"""Blobs whose references are kept in memory."""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Asked:
    """Which source a place is to name.

    Attributes:
        sources: of which one is to be named; they are one source.
        authors: names of which one is to be named instead.
        licenses: SPDX identifiers; without sources and authors, one of them is to be stated.
        unattributed: leave out the places that name it, or are it.
        written: the day on which the source was written.
    """

    sources: tuple[Target, ...] = ()
    authors: tuple[str, ...] = ()
    licenses: tuple[str, ...] = ()
    unattributed: bool = False
    written: date | None = None

    @staticmethod
    def of(options: SearchOptions) -> Asked:
        """What the options of a search ask for.

        Raises:
            UsageError: a source is not a URL, a name is empty, a license is not an SPDX identifier, or `unattributed`
                or `written` is given alone.
        """
        sources, authors, licenses = options.sources, options.authors, options.licenses
        if not all(re.search(r"\w", name) for name in (*authors, *licenses)):
            raise UsageError("an author or license without a letter names nobody; use a name, or leave it out")
        for license in licenses:
            if not _IDENTIFIER.fullmatch(license):
                raise UsageError(
                    f"{license[:100]!a} is not an SPDX identifier of one license; use one such as Apache-2.0"
                )
        if options.unattributed and not (sources or authors or licenses):
            raise UsageError("--unattributed needs --source, --author or --license")
        if options.written is not None and not (sources or authors or licenses):
            raise UsageError("--written needs --source, --author or --license")
        return Asked(
            _joined([source(url) for url in sources]),
            tuple(authors),
            tuple(licenses),
            options.unattributed,
            options.written,
        )

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return bool(self.sources or self.authors or self.licenses)

    def is_named_by(self, reference: Reference) -> bool:
        """Whether this names the source."""
        if reference.kind in LINKS:
            return any(names(reference, each) for each in self.sources)
        if reference.kind in PEOPLE:
            return any(_holds(reference.value, author) for author in self.authors)
        wanted = {license.lower() for license in self.licenses}
        return not (self.sources or self.authors) and not wanted.isdisjoint(identifiers(reference))

    def may_be_named_by(self, reference: Reference) -> bool:
        """Whether this names a question, one of whose answers the source may be, or the other way round."""
        found = target(reference.value) if reference.kind is Kind.POST else None
        return isinstance(found, Post) and any(isinstance(each, Post) and _may_be(each, found) for each in self.sources)

    def is_of(self, repository: RepositoryRecord | None) -> bool:
        """Whether this repository is the source itself, or holds it, by its remote."""
        remote = repository.remote if repository else None
        place = target(f"https://{remote}") if remote else None
        if isinstance(place, GitHubPlace):
            place = GitHubPlace(place.repository)
        return place is not None and any(place.names(each) for each in self.sources)


NOTHING_ASKED = Asked()


def _joined(sources: Sequence[Target]) -> tuple[Target, ...]:
    """The sources, where an answer of which only the id is known takes the one question of its site that stands beside
    it: they are one source.
    """
    posts = [each for each in sources if isinstance(each, Post)]
    questions = {each.site: {other.question for other in posts if other.site == each.site} - {None} for each in posts}
    joined: list[Target] = []
    for each in sources:
        if isinstance(each, Post) and each.question is None and len(questions[each.site]) == 1:
            joined.append(Post(each.site, each.answer, next(iter(questions[each.site]))))
        else:
            joined.append(each)
    answered = {(each.site, each.question) for each in joined if isinstance(each, Post) and each.answer is not None}
    return tuple(
        each
        for each in joined
        if not (isinstance(each, Post) and each.answer is None and (each.site, each.question) in answered)
    )


def identifiers(reference: Reference) -> set[str]:
    """The licenses that a reference states, in lower case; empty where it states none."""
    if reference.kind not in LICENSES:
        return set()
    return {each.lower() for each in _IDENTIFIER.findall(reference.value)} - {"and", "or", "with"}


def _holds(text: str, name: str) -> bool:
    """Whether a name stands in a text, as words and whatever its case."""
    return re.search(rf"(?<!\w){re.escape(name.strip())}(?!\w)", text, re.IGNORECASE) is not None


def _may_be(one: Post, other: Post) -> bool:
    """Whether one is an answer whose question is not known, and the other a question that is older: a site counts its
    posts in one sequence.
    """
    if one.site != other.site or one.names(other):
        return False
    return any(
        answer.answer is not None
        and answer.question is None
        and question.answer is None
        and question.question is not None
        and question.question < answer.answer
        for answer, question in ((one, other), (other, one))
    )


class Places:
    """What the places of an index say; remembers what it has read, from one search to the next what never changes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._said: dict[str, References | None] = {}
        self._records: dict[str, RepositoryRecord | None] = {}
        self._days: dict[tuple[str, str, str], date | None] = {}
        self._dated = 0.0

    def refresh(self) -> None:
        """Begins a search: what another commit to the index may have changed is forgotten."""
        self._dated = 0.0
        self._records.clear()
        self._said = {blob: said for blob, said in self._said.items() if said is not None}

    def load(self, blobs: Iterable[str]) -> None:
        """Reads what these blobs say, all at once."""
        missing = {blob for blob in blobs if blob not in self._said}
        if missing:
            found = self._engine.references(missing)
            _make_room(self._said, _KEPT)
            for blob in missing:
                self._said[blob] = load_references(found[blob]) if blob in found else None

    def references_of(self, blob: str) -> References | None:
        """What a blob says; None where the index does not hold it."""
        self.load([blob])
        return self._said[blob]

    def notices_of(self, repository: str) -> list[tuple[Notice, References]]:
        """The files of a repository that speak for others and say something, those nearest to its root first."""
        record = self.record(repository)
        notices = record.notices if record else ()
        self.load(notice.blob for notice in notices)
        said = ((notice, self.references_of(notice.blob)) for notice in notices)
        return [(notice, each) for notice, each in said if each is not None and each.found]

    def licenses_of(self, occurrence: Occurrence) -> tuple[str, ...]:
        """The licenses that hold for a place: those that its file states, else those of the files that speak for the
        nearest folder above it.
        """
        notices = ((notice.path, said) for notice, said in self.notices_of(occurrence.repository))
        return licenses_at(occurrence.path, self.references_of(occurrence.blob), notices)

    def first_seen(self, occurrence: Occurrence) -> date | None:
        """The day of the first commit of its file, see `sources.history` and `DATED_SECONDS`."""
        record = self.record(occurrence.repository)
        if record is None:
            return None
        key = record.key, record.revision, occurrence.path
        left = DATED_SECONDS - self._dated
        if key in self._days or left <= 0:
            return self._days.get(key)
        begin = time.monotonic()
        found = first_committed(record, occurrence.path, seconds=left)
        spent = time.monotonic() - begin
        self._dated += spent
        if spent < left:  # else it was cut short
            _make_room(self._days, _KEPT)
            self._days[key] = found
        return found

    def record(self, repository: str) -> RepositoryRecord | None:
        """The record of a repository."""
        return _remembered(self._records, repository, lambda: self._engine.repository(repository))


def licenses_at(path: str, own: References | None, notices: Iterable[tuple[str, References]]) -> tuple[str, ...]:
    """The licenses that hold for a file: those that it states, else those of the files that speak for the nearest
    folder above it.

    Args:
        path: of the file.
        own: what it says, None where that is not known.
        notices: path and words of the files that speak for others, in its repository.
    """
    if own is not None and (stated := _stated([own])):
        return stated
    by_folder: dict[str, list[References]] = {}
    for notice, said in notices:
        folder = scope(notice)
        if folder is not None and (not folder or path.startswith(f"{folder}/")):
            by_folder.setdefault(folder, []).append(said)
    nearest = sorted(by_folder, key=len, reverse=True)
    return next((stated for folder in nearest if (stated := _stated(by_folder[folder]))), ())


def _stated(said: Iterable[References]) -> tuple[str, ...]:
    found = (each.value for references in said for each in references.found if each.kind in LICENSES)
    return tuple(dict.fromkeys(found))


def _remembered(kept: dict[_Key, _Value], key: _Key, ask: Callable[[], _Value]) -> _Value:
    if key not in kept:
        _make_room(kept, _KEPT)
        kept[key] = ask()
    return kept[key]


def _make_room(kept: dict[_Key, _Value], most: int) -> None:
    if len(kept) > most:
        kept.clear()


def admitted(asked: Asked, places: Places, occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """Those that `asked.unattributed` lets through."""
    if not asked.unattributed:
        return list(occurrences)
    places.load(occurrence.blob for occurrence in occurrences)
    out = {Verdict.ATTRIBUTED, Verdict.SOURCE}
    return [
        each for each in occurrences if _verdict(asked, places, each, _evidence(asked, places, each, ())) not in out
    ]


def attributions(
    asked: Asked, places: Places, occurrences: Sequence[Occurrence], regions: Sequence[RegionPair]
) -> tuple[Attribution, ...]:
    """What each occurrence of a hit says of the source; nothing where nothing is asked.

    Args:
        asked: the source.
        places: of the index.
        occurrences: of one hit.
        regions: of its best blob; the lines of the others, which are nearly identical, are taken for the same.
    """
    if not asked:
        return ()
    places.load(occurrence.blob for occurrence in occurrences)
    return tuple(_attribution(asked, places, each, regions, at < MOST_DATED) for at, each in enumerate(occurrences))


def _attribution(
    asked: Asked, places: Places, occurrence: Occurrence, regions: Sequence[RegionPair], is_dated: bool
) -> Attribution:
    evidence = _evidence(asked, places, occurrence, regions)
    first_seen = places.first_seen(occurrence) if is_dated else None
    return Attribution(
        verdict=_verdict(asked, places, occurrence, evidence),
        evidence=tuple(each for each, _ in evidence[:MOST_EVIDENCE]),
        licenses=places.licenses_of(occurrence),
        first_seen=first_seen.isoformat() if first_seen else None,
        is_older=first_seen < asked.written if first_seen and asked.written else None,
    )


_Said = tuple[Evidence, bool]
"""A piece of evidence, and whether it names the source for certain."""


def _verdict(asked: Asked, places: Places, occurrence: Occurrence, evidence: Sequence[_Said]) -> Verdict:
    if asked.is_of(places.record(occurrence.repository)):
        return Verdict.SOURCE
    if any(is_certain for _, is_certain in evidence):
        return Verdict.ATTRIBUTED
    own = places.references_of(occurrence.blob)
    return Verdict.UNKNOWN if evidence or own is None or own.omitted else Verdict.UNATTRIBUTED


def _evidence(asked: Asked, places: Places, occurrence: Occurrence, regions: Sequence[RegionPair]) -> list[_Said]:
    """What names the source, or may; what is certain first, then by distance."""
    said = [*_in_file(asked, places, occurrence, regions), *_in_repository(asked, places, occurrence)]
    order = list(Where)
    return sorted(said, key=lambda each: (not each[1], order.index(each[0].where)))


def _in_file(asked: Asked, places: Places, occurrence: Occurrence, regions: Sequence[RegionPair]) -> Iterator[_Said]:
    own = places.references_of(occurrence.blob)
    lines = [(pair.document.start_line - NEAR, pair.document.end_line + NEAR) for pair in regions]
    for reference in own.found if own else ():
        is_near = any(first <= reference.line <= last for first, last in lines)
        yield from _told(asked, reference, Where.MATCH if is_near else Where.FILE, occurrence.path)


def _in_repository(asked: Asked, places: Places, occurrence: Occurrence) -> Iterator[_Said]:
    for notice, said in places.notices_of(occurrence.repository):
        if notice.path != occurrence.path:
            for reference in said.found:
                yield from _told(asked, reference, Where.REPOSITORY, notice.path)


def _told(asked: Asked, reference: Reference, where: Where, path: str) -> Iterator[_Said]:
    is_certain = asked.is_named_by(reference)
    if is_certain or asked.may_be_named_by(reference):
        yield Evidence(where, reference.kind, reference.value, reference.text, path, reference.line), is_certain
