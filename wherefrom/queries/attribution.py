"""Whether a location says where its code came from: what it says, compared with the source that a search names.

This is evidence, not a judgment: it cannot tell who copied from whom, nor whether both took it from a third place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from wherefrom.analyzers.references import GitHubPlace, Post, Target, source, target
from wherefrom.errors import UsageError
from wherefrom.queries.evidence import (
    Gathered,
    Origin,
    Statements,
    gather,
    people_of,
    people_of_address,
    people_of_notices,
)
from wherefrom.results import Attribution, DecidedBy, Verdict

if TYPE_CHECKING:
    from wherefrom.model import Occurrence, RepositoryRecord
    from wherefrom.options import SearchOptions
    from wherefrom.queries.index_references import IndexReferences
    from wherefrom.results import RegionPair

MOST_DATED = 3
"""Occurrences of a hit whose history is read: a walk through all commits each."""

_IDENTIFIER = re.compile(r"[A-Za-z0-9.+-]+")


@dataclass(frozen=True, slots=True)
class AttributionCriteria:
    """Which source a location is to name.

    Attributes:
        sources: of which one is to be named; they are one source.
        authors: names of which one is to be named instead.
        licenses: SPDX identifiers; without sources and authors, one of them is to be stated.
        unattributed: leave out the locations that name it, are it, or are older than it.
        earlier: keep those that are older.
        written: the day on which the source was written.
    """

    sources: tuple[Target, ...] = ()
    authors: tuple[str, ...] = ()
    licenses: tuple[str, ...] = ()
    unattributed: bool = False
    earlier: bool = False
    written: date | None = None

    @staticmethod
    def of(options: SearchOptions) -> AttributionCriteria:
        """What the options of a search ask for.

        Raises:
            UsageError: a source is not a URL, a name is empty, a license is not an SPDX identifier, or `unattributed`,
                `earlier` or `written` is given alone.
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
        if options.earlier and not options.unattributed:
            raise UsageError("--earlier keeps locations that --unattributed leaves out; use both, or neither")
        return AttributionCriteria(
            _joined([source(url) for url in sources]),
            tuple(authors),
            tuple(licenses),
            options.unattributed,
            options.earlier,
            options.written,
        )

    def __bool__(self) -> bool:
        """Whether there is any source to look for."""
        return bool(self.sources or self.authors or self.licenses)

    def origin(self) -> Origin:
        """By what the source may be named."""
        repositories = [each for each in self.sources if isinstance(each, GitHubPlace) and each.path is None]
        has_name = self.sources or self.authors
        return Origin(
            targets=self.sources,
            addresses=tuple(f"github.com/{each.repository}".lower() for each in repositories),
            authors=self.authors,
            licenses=frozenset() if has_name else frozenset(license.lower() for license in self.licenses),
        )

    def is_of(self, repository: RepositoryRecord | None) -> bool:
        """Whether this repository is the source itself, or holds it, by its remote."""
        remote = repository.remote if repository else None
        place = target(f"https://{remote}") if remote else None
        if isinstance(place, GitHubPlace):
            place = GitHubPlace(place.repository)
        return place is not None and any(place.names(each) for each in self.sources)


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


class Attributions:
    """Says of the locations of one search whether they name the source.

    Args:
        criteria: the source.
        references: what the locations of the index say.
    """

    def __init__(self, criteria: AttributionCriteria, references: IndexReferences) -> None:
        self._criteria = criteria
        self._references = references
        self._origin = criteria.origin()
        for named in criteria.sources:
            self._add_repository(named)

    def admitted(self, occurrences: Sequence[Occurrence]) -> list[Occurrence]:
        """Those that `AttributionCriteria.unattributed` lets through, before it is known which lines match."""
        self._add_people(occurrences)
        return self._kept(occurrences, ())

    def of(
        self, occurrences: Sequence[Occurrence], regions: Sequence[RegionPair]
    ) -> tuple[list[Occurrence], tuple[Attribution, ...]]:
        """The occurrences of a hit that `AttributionCriteria.unattributed` lets through, and what each says of the
        source; nothing if no source is given.

        Args:
            occurrences: of one hit.
            regions: of its best blob; the lines of the others, which are nearly identical, are taken for the same.
        """
        if not self._criteria:
            return list(occurrences), ()
        kept = self._kept(occurrences, regions)
        self._references.load(occurrence.blob for occurrence in kept)
        said = (self._attribution(each, regions, is_dated=number < MOST_DATED) for number, each in enumerate(kept))
        return kept, tuple(said)

    def _kept(self, occurrences: Sequence[Occurrence], regions: Sequence[RegionPair]) -> list[Occurrence]:
        criteria = self._criteria
        if not criteria.unattributed:
            return list(occurrences)
        self._references.load(occurrence.blob for occurrence in occurrences)
        out = {Verdict.ATTRIBUTED, Verdict.SOURCE} | (set() if criteria.earlier else {Verdict.EARLIER})
        dated: Counter[str] = Counter()
        kept = []
        for occurrence in occurrences:
            said = self._gathered(occurrence, regions)
            verdict, _ = self._verdict(occurrence, said, None)
            if verdict not in out and criteria.written is not None and not criteria.earlier:
                first_seen = self._references.first_seen(occurrence, if_known=dated[occurrence.blob] >= MOST_DATED)
                dated[occurrence.blob] += 1
                verdict, _ = self._verdict(occurrence, said, first_seen)
            if verdict not in out:
                kept.append(occurrence)
        return kept

    def _attribution(self, occurrence: Occurrence, regions: Sequence[RegionPair], *, is_dated: bool) -> Attribution:
        said = self._gathered(occurrence, regions)
        first_seen = self._references.first_seen(occurrence, if_known=not is_dated)
        verdict, decided_by = self._verdict(occurrence, said, first_seen)
        written = self._criteria.written
        return Attribution(
            verdict=verdict,
            evidence=said.evidence or said.possible,
            licenses=self._references.statements(occurrence).licenses(_lines(regions)),
            first_seen=first_seen.isoformat() if first_seen else None,
            is_older=first_seen < written if first_seen and written else None,
            decided_by=decided_by,
            hints=said.hints,
        )

    def _gathered(self, occurrence: Occurrence, regions: Sequence[RegionPair]) -> Gathered:
        return gather(self._origin, self._references.statements(occurrence), _lines(regions))

    def _verdict(self, occurrence: Occurrence, said: Gathered, first_seen: date | None) -> tuple[Verdict, DecidedBy]:
        written = self._criteria.written
        if self._criteria.is_of(self._references.record(occurrence.repository)):
            return Verdict.SOURCE, DecidedBy.REMOTE
        if said.evidence:
            return Verdict.ATTRIBUTED, said.decided_by
        if first_seen is not None and written is not None and first_seen < written:
            return Verdict.EARLIER, DecidedBy.DATE
        if said.possible:
            return Verdict.UNKNOWN, said.decided_by
        own = self._references.references_of(occurrence.blob)
        if own is None or own.omitted:
            return Verdict.UNKNOWN, DecidedBy.INCOMPLETE
        return Verdict.UNATTRIBUTED, said.decided_by

    def _add_repository(self, named: Target) -> None:
        """Takes what the index knows of a repository that is the source, or of the file in it."""
        if isinstance(named, Post):
            return
        parts = urlsplit(named.url)
        is_file = isinstance(named, GitHubPlace) and named.path is not None
        page = f"github.com/{named.repository}" if isinstance(named, GitHubPlace) else parts.netloc + parts.path
        address = page.lower().removeprefix("www.").rstrip("/").removesuffix(".git")
        if isinstance(named, GitHubPlace):
            self._add(people_of_address(address))
        record = self._references.repository_at(address)
        if record is None:
            return
        if not is_file and address not in self._origin.addresses:
            self._origin = replace(self._origin, addresses=(*self._origin.addresses, address))
        path = unquote(named.path) if isinstance(named, GitHubPlace) and named.path is not None else ""
        notices = self._references.notices_of(record.key)
        blob = self._references.blob_at(record.key, path) if is_file else None
        stated = Statements(path, self._references.references_of(blob) if blob else None, notices)
        self._add_said(stated)
        if not is_file and not people_of_notices(stated):
            # Some projects have no license file: their license is in a header at the root, as that of Lua in `lua.h`.
            for said in self._references.at_the_root(record.key):
                self._add(people_of(said.found))

    def _add_people(self, occurrences: Iterable[Occurrence]) -> None:
        """Takes the authors and holders that the source names where it holds the code."""
        for occurrence in occurrences:
            if self._criteria.sources and self._criteria.is_of(self._references.record(occurrence.repository)):
                self._add_said(self._references.statements(occurrence))

    def _add_said(self, source: Statements) -> None:
        self._add(people_of_notices(source) | (people_of(source.own.found) if source.own else frozenset()))

    def _add(self, people: frozenset[str]) -> None:
        if not people <= self._origin.people:
            self._origin = replace(self._origin, people=self._origin.people | people)


def _lines(regions: Sequence[RegionPair]) -> list[tuple[int, int]]:
    return [(pair.document.start_line, pair.document.end_line) for pair in regions]
