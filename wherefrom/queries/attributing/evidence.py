"""Whether what a location says names an origin, and how near to the code it says so.

A search compares the locations that it finds with the source that the user names; a check compares the user's project
with the locations where its code also appears. Both use this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from urllib.parse import urlsplit

from wherefrom.analyzers.references import (
    LICENSES,
    LINKS,
    PEOPLE,
    HostedPlace,
    Post,
    Reference,
    References,
    Snippets,
    Target,
    governs,
    is_license_file,
    is_notice,
    scope,
    target,
)
from wherefrom.fitted import NEAR
from wherefrom.model import UNKNOWN_LICENSE
from wherefrom.queries.attributing.persons import people, people_of
from wherefrom.results import DecidedBy, Evidence, Where

MOST_EVIDENCE = 10
"""Pieces of evidence, and hints, that are kept of one location; the nearest ones."""

_TALK = re.compile(
    r"(?:/-)?/(?:issues?|pulls?|discussions|wiki|actions|milestones?|labels|merge_requests|stargazers|graphs|projects)(?:/|$)"
)
"""The pages of a repository where people talk of it; they show no code of it."""

_IDENTIFIER = re.compile(r"[A-Za-z0-9.+-]+")


class Named(Enum):
    """What a reference does for an origin."""

    CERTAINLY = auto()
    PERHAPS = auto()
    IN_PASSING = auto()
    """It leads to a page of its project that shows no code, to another repository of its name, or to what a part of the
    code is about.
    """


@dataclass(frozen=True, slots=True)
class Origin:
    """Where code may come from, and all by which a file may name that.

    Attributes:
        targets: posts, gists, files, pages and repositories of which one is to be named; they are one source.
        in_passing: what the origin links to about a part of the code; a link to it is only a hint.
        addresses: host and path of its repository, lower case, without a slash at the end; any page there names it.
        authors: names of which one is to appear, as words, in an author tag or a copyright line.
        people: whom the origin names itself, as `people` writes them; a file that names one has kept its header.
        licenses: SPDX identifiers in lower case of which one is to be stated.
    """

    targets: tuple[Target, ...] = ()
    in_passing: tuple[Target, ...] = ()
    addresses: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    people: frozenset[str] = frozenset()
    licenses: frozenset[str] = frozenset()

    def naming(self, reference: Reference) -> Named | None:
        """What a reference does for it; None for nothing."""
        if reference.kind in PEOPLE:
            is_named = any(_holds(reference.value, author) for author in self.authors)
            return Named.CERTAINLY if is_named or not self.people.isdisjoint(people(reference.value)) else None
        if reference.kind in LICENSES:
            return None if self.licenses.isdisjoint(identifiers(reference)) else Named.CERTAINLY
        if reference.kind not in LINKS:
            return None
        found, page = _page(reference.value)
        if found is None:
            return None
        if any(found.names(source) for source in self.targets):
            return Named.CERTAINLY
        for address in self.addresses:
            if page.startswith((f"{address}/", f"{address}.git/")):
                return Named.IN_PASSING if _TALK.match(page[len(address) :]) else Named.CERTAINLY
        if isinstance(found, Post) and any(isinstance(post, Post) and _may_be(post, found) for post in self.targets):
            return Named.PERHAPS
        is_in_passing = any(found.names(source) for source in self.in_passing) or self._has_name_of(found)
        return Named.IN_PASSING if is_in_passing else None

    def _has_name_of(self, found: Target) -> bool:
        """Whether its repository is called like another one: it was moved, or one is a fork of the other."""
        if not isinstance(found, HostedPlace):
            return False
        name = found.repository.rpartition("/")[2].lower()
        return any(address.rpartition("/")[2] == name for address in self.addresses)


@dataclass(frozen=True, slots=True)
class Statements:
    """What is said at a location: the path of the file with the code, what that file says itself (None where it is not
    known), and path and words of the files of its repository that speak for others.
    """

    path: str
    own: References | None
    notices: Sequence[tuple[str, References]] = ()

    def speaking(self) -> list[tuple[str, References]]:
        """The notices that speak for the file, those of the nearest folder first: of license files only those up to the
        nearest folder where one states something, for a project's license is not that of what it vendors.
        """
        found = [(path, words) for path, words in self.notices if is_notice(path) and governs(path, self.path)]
        found.sort(key=lambda notice: len(scope(notice[0]) or ""), reverse=True)
        of_license = [(scope(path) or "", words) for path, words in found if is_license_file(path)]
        last = next((folder for folder, words in of_license if _states_something(words)), None)
        if last is None and of_license:
            last, _ = of_license[0]
        return [
            (path, words)
            for path, words in found
            if not is_license_file(path) or (last is not None and len(scope(path) or "") >= len(last))
        ]

    def licenses(self, matched: Sequence[tuple[int, int]] = ()) -> tuple[str, ...]:
        """The licenses that hold for the code: those of the SPDX snippet around it, else those that the file states,
        else those of the files that speak for the nearest folder above it. `matched` as in `gather`.

        Returns:
            SPDX identifiers or expressions, each once; `UNKNOWN_LICENSE` for a text that is not recognized.
        """
        if self.own is not None:
            snippets = Snippets.of(self.own.found)
            for around in (*snippets.around_all(matched), None):
                found = (reference for reference in self.own.found if snippets.around(reference.line) == around)
                if stated := _stated(found):
                    return stated
        governing = [(path, words) for path, words in self.notices if governs(path, self.path)]
        by_folder: dict[str, list[tuple[str, References]]] = {}
        for path, words in governing:
            if is_notice(path):
                by_folder.setdefault(scope(path) or "", []).append((path, words))
        is_silent = False
        for folder in sorted(by_folder, key=len, reverse=True):
            if stated := _of_folder(by_folder[folder]):
                return stated
            is_silent = is_silent or any(is_license_file(path) for path, _ in by_folder[folder])
        if is_silent:
            return (UNKNOWN_LICENSE,)
        # A README tells of many things, so it is asked last. The nearest to the root comes first.
        others = (_stated(words.found) for _, words in governing)
        return next((known for stated in others if (known := _without_unknown(stated))), ())


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a location says of an origin, each the nearest first: `evidence` names it beside the code, in the file, or
    in a notice or license file that speaks for it; `possible` may name it so; `hints` name it elsewhere in the
    repository.
    """

    evidence: tuple[Evidence, ...] = ()
    possible: tuple[Evidence, ...] = ()
    hints: tuple[Evidence, ...] = ()

    @property
    def decided_by(self) -> DecidedBy:
        """The rule by which it names the origin, or does not."""
        if self.evidence:
            return DecidedBy(str(self.evidence[0].where))
        if self.possible:
            return DecidedBy.SAME_QUESTION
        return DecidedBy.HINT if self.hints else DecidedBy.NOTHING


def gather(origin: Origin, statements: Statements, matched: Sequence[tuple[int, int]]) -> Gathered:
    """What names an origin at a location.

    Args:
        origin: where the code may come from.
        statements: what is said at the location.
        matched: lines of the code there, first and last (1-based, inclusive); empty for the file as a whole: what an
            SPDX snippet says is a hint then.
    """
    evidence: list[Evidence] = []
    possible: list[Evidence] = []
    hints: list[Evidence] = []
    for reference, path, where, named in _naming(origin, statements, matched):
        quoted = Evidence(where, reference.kind, reference.value, reference.text, path, reference.line)
        if where is Where.ELSEWHERE:
            hints.append(quoted)
        elif named is Named.PERHAPS:
            possible.append(quoted)
        else:
            evidence.append(quoted)
    return Gathered(*map(_nearest, (evidence, possible, hints)))


def people_of_notices(statements: Statements) -> frozenset[str]:
    """The authors and holders that the notices name which speak for a file."""
    return frozenset(name for _, words in statements.speaking() for name in people_of(words.found))


def identifiers(reference: Reference) -> set[str]:
    """The licenses that a reference states, in lower case; empty where it states none."""
    if reference.kind not in LICENSES:
        return set()
    return {word.lower() for word in _IDENTIFIER.findall(reference.value)} - {"and", "or", "with"}


def _naming(
    origin: Origin, statements: Statements, matched: Sequence[tuple[int, int]]
) -> Iterator[tuple[Reference, str, Where, Named]]:
    """The references that name an origin, each with the path of its file, where it is, and what it does."""
    holding = statements.licenses(matched) if origin.licenses else ()

    def speaks(reference: Reference) -> bool:
        """Of licenses only those that hold for the code say anything of it."""
        return reference.kind not in LICENSES or reference.value in holding

    if statements.own is not None:
        snippets = Snippets.of(statements.own.found)
        around_code = snippets.around_all(matched)
        for reference in statements.own.found:
            named = origin.naming(reference)
            if named is not None:
                around = snippets.around(reference.line)
                where = _in_file(reference, matched, is_in_snippet=around is not None)
                if around is not None and around not in around_code:
                    where = Where.ELSEWHERE
                is_credit = speaks(reference) and named is not Named.IN_PASSING
                yield reference, statements.path, where if is_credit else Where.ELSEWHERE, named
    speaking = statements.speaking()
    others = [notice for notice in statements.notices if notice not in speaking and notice[0] != statements.path]
    for (path, words), is_speaking in (
        *((notice, True) for notice in speaking),
        *((notice, False) for notice in others),
    ):
        for reference in words.found:
            named = origin.naming(reference)
            if named is not None:
                is_credit = is_speaking and speaks(reference) and named is not Named.IN_PASSING
                yield reference, path, Where.NOTICE if is_credit else Where.ELSEWHERE, named


def _in_file(reference: Reference, matched: Sequence[tuple[int, int]], *, is_in_snippet: bool) -> Where:
    is_near = any(first - NEAR <= reference.line <= last + NEAR for first, last in matched)
    return Where.MATCH if is_near or is_in_snippet else Where.FILE


def _nearest(found: Sequence[Evidence]) -> tuple[Evidence, ...]:
    order = list(Where)
    return tuple(sorted(found, key=lambda evidence: order.index(evidence.where))[:MOST_EVIDENCE])


def _stated(references: Iterable[Reference]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reference.value for reference in references if reference.kind in LICENSES))


def _of_folder(speakers: Sequence[tuple[str, References]]) -> tuple[str, ...]:
    """The licenses that the notices of a folder state; empty if they leave that to the folders above.

    A license file that names a holder and no license that is known is an unknown license, unless another one beside it
    is known. The folder `LICENSES` has the texts of all licenses that are used somewhere, so it speaks where nothing
    else does.
    """
    beside = [words for path, words in speakers if path.rpartition("/")[0] == (scope(path) or "")]
    stated = _stated(reference for words in beside for reference in words.found)
    stated = stated or _stated(reference for _, words in speakers for reference in words.found)
    if not stated and any(is_license_file(path) and _states_something(words) for path, words in speakers):
        return (UNKNOWN_LICENSE,)
    return stated


def _states_something(words: References) -> bool:
    """Whether a license file names a license or a holder."""
    return any(reference.kind in LICENSES or reference.kind in PEOPLE for reference in words.found)


def _without_unknown(licenses: Iterable[str]) -> tuple[str, ...]:
    return tuple(license for license in licenses if license != UNKNOWN_LICENSE)


def _holds(text: str, name: str) -> bool:
    """Whether a name is in a text, as words and whatever its case."""
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


@lru_cache(maxsize=16_384)  # the same references are compared with one location after the other
def _page(url: str) -> tuple[Target | None, str]:
    """What a URL points to, and its host and path, lower case, with a slash at the end; empty for what is not a URL."""
    found = target(url)
    if found is None:
        return None, ""
    parts = urlsplit(found.url)
    page = parts.netloc.removeprefix("www.") + parts.path
    if isinstance(found, HostedPlace):
        page = found.address + ("" if found.path is None else f"/blob/{found.path}")
    return found, f"{page.lower().rstrip('/')}/"
