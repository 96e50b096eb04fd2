"""Whether a place says where its code came from: what it says, compared with the source that a search names.

This is evidence, no judgement: it cannot tell who copied from whom, nor whether both took it from a third place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from wherefrom.analyzers.references import (
    LICENSES,
    LINKS,
    PEOPLE,
    GitHubPlace,
    Kind,
    Post,
    Reference,
    Target,
    names,
    source,
    target,
)
from wherefrom.errors import UsageError
from wherefrom.queries.index_references import IndexReferences
from wherefrom.results import Attribution, Evidence, Verdict, Where

if TYPE_CHECKING:
    from wherefrom.model import Occurrence, RepositoryRecord
    from wherefrom.options import SearchOptions
    from wherefrom.results import RegionPair

NEAR = 8
"""Lines before and after a matched region whose comments are about it: a comment above a function."""

MOST_EVIDENCE = 10
"""Pieces of evidence of one place; the nearest ones."""

MOST_DATED = 3
"""Occurrences of a hit whose history is read: a walk through all commits each."""

_IDENTIFIER = re.compile(r"[A-Za-z0-9.+-]+")


@dataclass(frozen=True, slots=True)
class AttributionCriteria:
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
    def of(options: SearchOptions) -> AttributionCriteria:
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
        return AttributionCriteria(
            _joined([source(url) for url in sources]),
            tuple(authors),
            tuple(licenses),
            options.unattributed,
            options.written,
        )

    def __bool__(self) -> bool:
        """Whether there is any source to look for."""
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


def admitted(
    criteria: AttributionCriteria, references: IndexReferences, occurrences: Sequence[Occurrence]
) -> list[Occurrence]:
    """Those that `criteria.unattributed` lets through."""
    if not criteria.unattributed:
        return list(occurrences)
    references.load(occurrence.blob for occurrence in occurrences)
    out = {Verdict.ATTRIBUTED, Verdict.SOURCE}
    return [
        each
        for each in occurrences
        if _verdict(criteria, references, each, _evidence(criteria, references, each, ())) not in out
    ]


def attributions(
    criteria: AttributionCriteria,
    references: IndexReferences,
    occurrences: Sequence[Occurrence],
    regions: Sequence[RegionPair],
) -> tuple[Attribution, ...]:
    """What each occurrence of a hit says of the source; nothing if no source is given.

    Args:
        criteria: the source.
        references: of the index.
        occurrences: of one hit.
        regions: of its best blob; the lines of the others, which are nearly identical, are taken for the same.
    """
    if not criteria:
        return ()
    references.load(occurrence.blob for occurrence in occurrences)
    return tuple(
        _attribution(criteria, references, occurrence, regions, number < MOST_DATED)
        for number, occurrence in enumerate(occurrences)
    )


def _attribution(
    criteria: AttributionCriteria,
    references: IndexReferences,
    occurrence: Occurrence,
    regions: Sequence[RegionPair],
    is_dated: bool,
) -> Attribution:
    evidence = _evidence(criteria, references, occurrence, regions)
    first_seen = references.first_seen(occurrence) if is_dated else None
    return Attribution(
        verdict=_verdict(criteria, references, occurrence, evidence),
        evidence=tuple(each for each, _ in evidence[:MOST_EVIDENCE]),
        licenses=references.licenses_of(occurrence),
        first_seen=first_seen.isoformat() if first_seen else None,
        is_older=first_seen < criteria.written if first_seen and criteria.written else None,
    )


_Found = tuple[Evidence, bool]
"""A piece of evidence, and whether it names the source for certain."""


def _verdict(
    criteria: AttributionCriteria, references: IndexReferences, occurrence: Occurrence, evidence: Sequence[_Found]
) -> Verdict:
    if criteria.is_of(references.record(occurrence.repository)):
        return Verdict.SOURCE
    if any(is_certain for _, is_certain in evidence):
        return Verdict.ATTRIBUTED
    own = references.references_of(occurrence.blob)
    return Verdict.UNKNOWN if evidence or own is None or own.omitted else Verdict.UNATTRIBUTED


def _evidence(
    criteria: AttributionCriteria, references: IndexReferences, occurrence: Occurrence, regions: Sequence[RegionPair]
) -> list[_Found]:
    """What names the source, or may; what is certain first, then by distance."""
    found = [*_in_file(criteria, references, occurrence, regions), *_in_repository(criteria, references, occurrence)]
    order = list(Where)
    return sorted(found, key=lambda each: (not each[1], order.index(each[0].where)))


def _in_file(
    criteria: AttributionCriteria, references: IndexReferences, occurrence: Occurrence, regions: Sequence[RegionPair]
) -> Iterator[_Found]:
    own = references.references_of(occurrence.blob)
    lines = [(pair.document.start_line - NEAR, pair.document.end_line + NEAR) for pair in regions]
    for reference in own.found if own else ():
        is_near = any(first <= reference.line <= last for first, last in lines)
        yield from _matching(criteria, reference, Where.MATCH if is_near else Where.FILE, occurrence.path)


def _in_repository(
    criteria: AttributionCriteria, references: IndexReferences, occurrence: Occurrence
) -> Iterator[_Found]:
    for notice, stated in references.notices_of(occurrence.repository):
        if notice.path != occurrence.path:
            for reference in stated.found:
                yield from _matching(criteria, reference, Where.REPOSITORY, notice.path)


def _matching(criteria: AttributionCriteria, reference: Reference, where: Where, path: str) -> Iterator[_Found]:
    is_certain = criteria.is_named_by(reference)
    if is_certain or criteria.may_be_named_by(reference):
        yield Evidence(where, reference.kind, reference.value, reference.text, path, reference.line), is_certain
