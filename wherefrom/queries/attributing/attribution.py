"""Tells whether a location names the source of its code, compared with the source that the user of a search names.

This is evidence, not a judgment: it cannot tell who copied from whom, nor whether both copied from a third place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from urllib.parse import unquote, urlsplit

from wherefrom.analyzers.references import HostedPlace, PostLink, Target, source, target
from wherefrom.errors import UsageError
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.options import SearchOptions
from wherefrom.queries.attributing.evidence import (
    IDENTIFIER,
    Gathered,
    Origin,
    Statements,
    gather,
    people_of,
    people_of_address,
    people_of_notices,
)
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.filters import NOTHING_OWN, OwnPlaces
from wherefrom.results import Attribution, DecidedBy, RegionPair, Verdict

MOST_DATED = 3  # git reads the history of at most this many occurrences of a hit, since it walks through all commits


def origin_of(options: SearchOptions) -> Origin:
    """The source that each location must name, by the options of a search. If neither sources nor authors are given, a
    location must state one of the licenses. Raises UsageError if a source is not a URL, a name is empty, a license is
    not an SPDX identifier, or `unattributed`, `earlier` or `written` is given alone.
    """
    sources, authors, licenses = options.sources, options.authors, options.licenses
    if not all(re.search(r"\w", name) for name in (*authors, *licenses)):
        raise UsageError("an author or license without a letter names nobody; use a name, or leave it out")
    for license in licenses:
        if not IDENTIFIER.fullmatch(license):
            raise UsageError(f"{license[:100]!a} is not an SPDX identifier of one license; use one such as Apache-2.0")
    for flag, is_given in (("unattributed", options.unattributed), ("written", options.written is not None)):
        if is_given and not (sources or authors or licenses):
            raise UsageError(f"--{flag} needs --source, --author or --license")
    if options.earlier and not options.unattributed:
        raise UsageError("--earlier keeps locations that --unattributed leaves out; use both, or neither")
    targets = _joined([source(url) for url in sources])
    return Origin(
        targets=targets,
        addresses=tuple(it.address.lower() for it in targets if isinstance(it, HostedPlace) and it.path is None),
        authors=tuple(authors),
        licenses=frozenset() if sources or authors else frozenset(license.lower() for license in licenses),
    )


def is_of(repository: RepositoryRecord | None, sources: Sequence[Target]) -> bool:
    """True if the repository's remote is one of the sources, or the repository that a source is in."""
    remote = repository.remote if repository else None
    place = target(f"https://{remote}") if remote else None
    if isinstance(place, HostedPlace):
        place = HostedPlace(place.host, place.repository)
    return place is not None and any(place.names(source) for source in sources)


def _joined(sources: Sequence[Target]) -> tuple[Target, ...]:
    """Joins answers with their questions. An answer whose question is unknown gets the question that is given for the
    same site, if there is only one. A question is left out if one of its answers is given.
    """
    posts = [found for found in sources if isinstance(found, PostLink)]
    questions = {post.site: {other.question for other in posts if other.site == post.site} - {None} for post in posts}
    joined: list[Target] = []
    for found in sources:
        if isinstance(found, PostLink) and found.question is None and len(questions[found.site]) == 1:
            joined.append(replace(found, question=next(iter(questions[found.site]))))
        else:
            joined.append(found)
    answered = {
        (found.site, found.question) for found in joined if isinstance(found, PostLink) and found.answer is not None
    }
    return tuple(
        found
        for found in joined
        if not (isinstance(found, PostLink) and found.answer is None and (found.site, found.question) in answered)
    )


class Attributions:
    """Tells whether the locations of one search name the source. Places of the user's `own` are left out."""

    def __init__(self, options: SearchOptions, references: IndexReferences, own: OwnPlaces = NOTHING_OWN) -> None:
        self._options, self._references, self._own = options, references, own
        self._origin = origin_of(options)
        self._is_asked = bool(options.sources or options.authors or options.licenses)
        for named in self._origin.targets:
            self._add_repository(named)

    def admitted(self, occurrences: Sequence[Occurrence]) -> list[Occurrence]:
        """The occurrences that `SearchOptions.unattributed` admits before the matched lines are known. Also learns
        which people the source's own files name: from now on, their names count as the source.
        """
        others = [occurrence for occurrence in occurrences if occurrence not in self._own]
        for occurrence in others if self._origin.targets else ():
            if self._is_source(occurrence):
                self._add_people_of(self._references.statements(occurrence))
        return self._kept(others, {})

    def _is_source(self, occurrence: Occurrence) -> bool:
        return is_of(self._references.record(occurrence.repository), self._origin.targets)

    def of(
        self, occurrences: Sequence[Occurrence], regions: Mapping[str, Sequence[RegionPair]], *, is_shown: bool = True
    ) -> tuple[list[Occurrence], tuple[Attribution, ...]]:
        """The occurrences of a hit that `SearchOptions.unattributed` lets through, and the attribution of each.
        Attributes nothing if no source is given or the hit is not shown. `regions` has the regions of each blob.
        """
        if not self._is_asked:
            return list(occurrences), ()
        kept = self._kept(occurrences, regions)
        if not is_shown:
            return kept, ()
        self._references.load(occurrence.blob for occurrence in kept)
        self._references.load_ages((at, _lines(regions[at.blob])) for at in kept)
        return kept, tuple(
            self._attribution(occurrence, regions[occurrence.blob], is_dated=number < MOST_DATED)
            for number, occurrence in enumerate(kept)
        )

    def _kept(self, occurrences: Sequence[Occurrence], regions: Mapping[str, Sequence[RegionPair]]) -> list[Occurrence]:
        options = self._options
        if not options.unattributed:
            return list(occurrences)
        self._references.load(occurrence.blob for occurrence in occurrences)
        if options.written is not None and not options.earlier:
            self._references.load_ages((at, _lines(found)) for at in occurrences if (found := regions.get(at.blob)))
        out = {Verdict.ATTRIBUTED, Verdict.SOURCE} | (set() if options.earlier else {Verdict.EARLIER})
        dated: Counter[str] = Counter()
        kept = []
        for occurrence in occurrences:
            matched = regions.get(occurrence.blob, ())
            gathered = self._gathered(occurrence, matched)
            verdict, _ = self._verdict(occurrence, gathered, is_earlier=False)
            if verdict not in out and matched and options.written is not None and not options.earlier:
                is_dated = dated[occurrence.blob] < MOST_DATED
                first_seen = self._references.first_seen(occurrence, _lines(matched), if_known=not is_dated)
                dated[occurrence.blob] += 1
                is_earlier = self._is_earlier(occurrence, first_seen, matched)
                verdict, _ = self._verdict(occurrence, gathered, is_earlier=is_earlier)
            if verdict not in out:
                kept.append(occurrence)
        return kept

    def _attribution(self, occurrence: Occurrence, regions: Sequence[RegionPair], *, is_dated: bool) -> Attribution:
        gathered = self._gathered(occurrence, regions)
        first_seen = self._references.first_seen(occurrence, _lines(regions), if_known=not is_dated)
        is_earlier = self._is_earlier(occurrence, first_seen, regions)
        verdict, decided_by = self._verdict(occurrence, gathered, is_earlier=is_earlier)
        if self._origin.licenses:  # a license is not a credit
            stated = {Verdict.ATTRIBUTED: Verdict.STATED, Verdict.UNATTRIBUTED: Verdict.UNSTATED}
            verdict = stated.get(verdict, verdict)
        written = self._options.written
        return Attribution(
            verdict=verdict,
            evidence=gathered.evidence or gathered.possible,
            licenses=self._references.statements(occurrence).licenses(_lines(regions)),
            first_seen=first_seen.isoformat() if first_seen else None,
            is_older=first_seen < written if first_seen and written else None,
            decided_by=decided_by,
            hints=gathered.hints,
        )

    def _gathered(self, occurrence: Occurrence, regions: Sequence[RegionPair]) -> Gathered:
        return gather(self._origin, self._references.statements(occurrence), _lines(regions))

    def _is_earlier(self, occurrence: Occurrence, first_seen: date | None, regions: Sequence[RegionPair]) -> bool:
        """Whether the file had all matched lines before the source was written. The day of its first commit is not
        enough: if a copy is kept up to date, its lines are younger than the file.
        """
        written = self._options.written
        if written is None or first_seen is None or first_seen >= written:
            return False
        newest = self._references.newest_line(occurrence, _lines(regions))
        return newest is not None and newest < written

    def _verdict(self, occurrence: Occurrence, gathered: Gathered, *, is_earlier: bool) -> tuple[Verdict, DecidedBy]:
        if self._is_source(occurrence):
            return Verdict.SOURCE, DecidedBy.REMOTE
        if gathered.evidence:
            return Verdict.ATTRIBUTED, gathered.decided_by
        if is_earlier:
            return Verdict.EARLIER, DecidedBy.DATE
        if gathered.possible:
            return Verdict.UNKNOWN, gathered.decided_by
        own = self._references.references_of(occurrence.blob)
        if own is None or own.omitted:
            return Verdict.UNKNOWN, DecidedBy.INCOMPLETE
        return Verdict.UNATTRIBUTED, gathered.decided_by

    def _add_repository(self, named: Target) -> None:
        if isinstance(named, PostLink):
            return
        parts = urlsplit(named.url)
        page = named.address if isinstance(named, HostedPlace) else parts.netloc + parts.path
        key = page.removeprefix("www.").rstrip("/").removesuffix(".git")
        record = self._references.repository_at(key)
        if record is not None or isinstance(named, HostedPlace):
            self._add(people_of_address(key.lower()))
        if record is None:
            return
        if isinstance(named, HostedPlace) and named.path is not None:
            path = unquote(named.path)
            blob = self._references.blob_at(record, path)
            own = self._references.references_of(blob) if blob else None
            self._add_people_of(Statements(path, own, self._references.notices_of(record.key)))
            return
        if key.lower() not in self._origin.addresses:
            self._origin = replace(self._origin, addresses=(*self._origin.addresses, key.lower()))
        stated = Statements("", None, self._references.notices_of(record.key))
        self._add_people_of(stated)
        if not people_of_notices(stated):
            # Some projects have no license file. Their license is in the header of a file at the root, such as `lua.h`.
            for references in self._references.at_the_root(record):
                self._add(people_of(references.found))

    def _add_people_of(self, source: Statements) -> None:
        self._add(people_of_notices(source) | (people_of(source.own.found) if source.own else frozenset()))

    def _add(self, people: frozenset[str]) -> None:
        if not people <= self._origin.people:
            self._origin = replace(self._origin, people=self._origin.people | people)


def _lines(regions: Sequence[RegionPair]) -> list[tuple[int, int]]:
    return [(pair.document.start_line, pair.document.end_line) for pair in regions]
