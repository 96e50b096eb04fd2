"""Finds references at a location that name an origin, and tells how near to the code they are.

A search compares the locations that it finds with the source that the user names. A check compares the user's project
with the locations where its code also appears. Both use this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto
from functools import lru_cache
from itertools import groupby
from urllib.parse import urlsplit

from wherefrom.analyzers.references import (
    LICENSES,
    LINKS,
    PEOPLE,
    HostedPlace,
    PostLink,
    Reference,
    ReferenceKind,
    References,
    Snippets,
    Target,
    governs,
    is_license_file,
    is_notice,
    scope,
    target,
)
from wherefrom.fitted import BESIDE
from wherefrom.model import UNKNOWN_LICENSE
from wherefrom.results import DecidedBy, Evidence, Where
from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass

MOST_EVIDENCE = 10  # at most this many pieces of evidence and of hints are kept for one location, the nearest ones

_TALK = later(
    r"(?:/-)?/(?:issues?|pulls?|discussions|wiki|actions|milestones?|labels|merge_requests|stargazers|graphs|projects)(?:/|$)"
)
"""The pages of a repository where people discuss it; they show no code."""

IDENTIFIER = later(r"[A-Za-z0-9.+-]+")  # an SPDX identifier of a license


class Named(Enum):
    """How certainly a reference names an origin."""

    CERTAINLY = auto()
    PERHAPS = auto()
    IN_PASSING = auto()
    """The reference leads to a page of the origin's project that shows no code, to another repository with the origin's
    name, or to a page that the origin links to."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where code may come from, and everything that names it in a file."""

    # posts, gists, files, pages and repositories of the origin. A link to any of them names the origin
    targets: tuple[Target, ...] = ()
    in_passing: tuple[Target, ...] = ()  # targets that the origin itself links to; a link to one of them is only a hint
    addresses: tuple[str, ...] = ()  # host and path of the origin's repository, lower case, without a slash at the end
    authors: tuple[str, ...] = ()  # names; one of them must appear, as words, in an author tag or a copyright line
    # the people that the origin names, as `people` writes them. A file that names one has kept its header
    people: frozenset[str] = frozenset()
    licenses: frozenset[str] = frozenset()  # SPDX identifiers in lower case; one of them must be stated
    packages: frozenset[str] = frozenset()  # names of the origin's package, as `package_name` writes them

    def naming(self, reference: Reference) -> Named | None:
        """Whether a reference names the origin certainly, perhaps or in passing; None if it does not."""
        if reference.kind in PEOPLE:
            is_named = any(_holds(reference.value, author) for author in self.authors)
            return Named.CERTAINLY if is_named or not self.people.isdisjoint(people(reference.value)) else None
        if reference.kind in LICENSES:
            return None if self.licenses.isdisjoint(identifiers(reference)) else Named.CERTAINLY
        if reference.kind == ReferenceKind.PACKAGE:
            return Named.CERTAINLY if reference.value in self.packages else None
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
        if isinstance(found, PostLink) and any(
            isinstance(post, PostLink) and _may_be(post, found) for post in self.targets
        ):
            return Named.PERHAPS
        is_in_passing = any(found.names(source) for source in self.in_passing) or self._has_name_of(found)
        return Named.IN_PASSING if is_in_passing else None

    def _has_name_of(self, found: Target) -> bool:
        """Whether a target's repository has the origin's name: the repository was moved, or one is the other's fork."""
        if not isinstance(found, HostedPlace):
            return False
        name = found.repository.rpartition("/")[2].lower()
        return any(address.rpartition("/")[2] == name for address in self.addresses)


@dataclass(frozen=True, slots=True)
class Statements:
    """The references at a location."""

    path: str  # the file with the code
    own: References | None  # the references in that file; None if unknown
    # path and references of other files of the repository that may apply to it: licenses, notices, READMEs
    notices: Sequence[tuple[str, References]] = ()
    # the license that the registry has for the package (`expressions.declared`); empty if it is unknown
    declared: str = ""
    # path and references of files that declare the packages that the code of their folder uses
    manifests: Sequence[tuple[str, References]] = ()

    def speaking(self) -> list[tuple[str, References]]:
        """The notices that apply to the file, from the nearest folder upwards.

        License files apply only up to the nearest folder where one of them states something: the license of a project
        is not the license of code vendored in it.
        """
        found = self._nearest_notices()
        of_license = [notice for notice in found if is_license_file(notice[0])]
        stating = [notice for notice in of_license if _states_something(notice[1])]
        least = max(map(_scope_length, stating or of_license), default=0)
        return [notice for notice in found if not is_license_file(notice[0]) or _scope_length(notice) >= least]

    def _nearest_notices(self) -> list[tuple[str, References]]:
        found = (notice for notice in self.notices if is_notice(notice[0]) and governs(notice[0], self.path))
        return sorted(found, key=_scope_length, reverse=True)

    def licenses(self, matched: Sequence[tuple[int, int]] = ()) -> tuple[str, ...]:
        """The licenses that apply to the code: those of the SPDX snippet around it, else those that the file states,
        else those of the notices of the nearest folder above it, else that of the package. `matched` as in `gather`.
        Returns SPDX identifiers or expressions, each once; `UNKNOWN_LICENSE` for a text that is not recognized.
        """
        if self.own is not None:
            snippets = Snippets.of(self.own.found)
            for around in (*snippets.around_all(matched), None):
                found = (reference for reference in self.own.found if snippets.around(reference.line) == around)
                if stated := _stated(found):
                    return stated
        notices = self._nearest_notices()
        for _, speakers in groupby(notices, key=_scope_length):
            if stated := _of_folder(list(speakers)):
                return stated
        if self.declared:
            return (self.declared,)
        if any(is_license_file(path) for path, _ in notices):
            return (UNKNOWN_LICENSE,)
        # Last come other files such as READMEs, which mention many things. Those nearest to the root come first.
        others = (_stated(words.found) for path, words in self.notices if governs(path, self.path))
        known = (tuple(license for license in stated if license != UNKNOWN_LICENSE) for stated in others)
        return next(filter(None, known), ())


@dataclass(frozen=True, slots=True)
class Gathered:
    """The references at a location that name an origin, the nearest first."""

    # references beside the code, in the file, or in a notice that applies to the file
    evidence: tuple[Evidence, ...] = ()
    possible: tuple[Evidence, ...] = ()  # references in the same places that perhaps name the origin
    # references elsewhere in the repository, and references that name the origin only in passing
    hints: tuple[Evidence, ...] = ()

    @property
    def decided_by(self) -> DecidedBy:
        """The rule that tells whether the location names the origin."""
        if self.evidence:
            return DecidedBy(str(self.evidence[0].where))
        if self.possible:
            return DecidedBy.SAME_QUESTION
        return DecidedBy.HINT if self.hints else DecidedBy.NOTHING


def gather(origin: Origin, statements: Statements, matched: Sequence[tuple[int, int]]) -> Gathered:
    """Finds the references at a location that name an origin. `matched` has the lines of the code there: first and last
    of each range (1-based, inclusive). It is empty for the whole file; then one in an SPDX snippet is only a hint.
    """
    licenses = statements.licenses(matched) if origin.licenses else ()
    evidence: list[Evidence] = []
    possible: list[Evidence] = []
    hints: list[Evidence] = []

    def add(words: References, path: str, where_of: Callable[[Reference], Where]) -> None:
        for reference in words.found:
            named = origin.naming(reference)
            if named is None:
                continue
            # A license is evidence only if it applies to the code.
            is_credit = reference.kind not in LICENSES or reference.value in licenses
            where = where_of(reference) if is_credit and named is not Named.IN_PASSING else Where.ELSEWHERE
            kept = hints if where is Where.ELSEWHERE else possible if named is Named.PERHAPS else evidence
            kept.append(Evidence(where, reference.kind, reference.value, reference.text, path, reference.line))

    if statements.own is not None:
        snippets = Snippets.of(statements.own.found)
        around_code = snippets.around_all(matched)

        def in_file(reference: Reference) -> Where:
            around = snippets.around(reference.line)
            if around is not None:
                return Where.MATCH if around in around_code else Where.ELSEWHERE
            is_near = any(first - BESIDE <= reference.line <= last + BESIDE for first, last in matched)
            return Where.MATCH if is_near else Where.FILE

        add(statements.own, statements.path, in_file)
    speaking = statements.speaking()
    for path, words in speaking:
        add(words, path, lambda _: Where.NOTICE)
    for path, words in statements.manifests:
        folder = path.rpartition("/")[0]
        if not folder or statements.path.startswith(f"{folder}/"):
            add(words, path, lambda _: Where.NOTICE)
    for path, words in statements.notices:
        if (path, words) not in speaking and path != statements.path:
            add(words, path, lambda _: Where.ELSEWHERE)
    order = list(Where)
    for found in (evidence, possible, hints):
        found.sort(key=lambda quoted: order.index(quoted.where))
    return Gathered(*(tuple(found[:MOST_EVIDENCE]) for found in (evidence, possible, hints)))


def people_of_notices(statements: Statements) -> frozenset[str]:
    """The authors and copyright holders in the notices that apply to a file."""
    return frozenset(name for _, words in statements.speaking() for name in people_of(words.found))


def identifiers(reference: Reference) -> set[str]:
    """The licenses that a reference states, in lower case; empty if it states none."""
    if reference.kind not in LICENSES:
        return set()
    return {word.lower() for word in IDENTIFIER.findall(reference.value)} - {"and", "or", "with"}


def _scope_length(notice: tuple[str, References]) -> int:
    return len(scope(notice[0]) or "")


def _stated(references: Iterable[Reference]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reference.value for reference in references if reference.kind in LICENSES))


def _of_folder(speakers: Sequence[tuple[str, References]]) -> tuple[str, ...]:
    """The licenses that the notices of a folder state; empty if the licenses of the folders above apply.

    A license file that names a holder but no known license states an unknown license, unless another file of the folder
    states a known one. The folder `LICENSES` has the texts of all licenses that the project uses anywhere, so it counts
    only if no other file states a license.
    """
    beside = [words for path, words in speakers if path.rpartition("/")[0] == (scope(path) or "")]
    stated = _stated(reference for words in beside for reference in words.found)
    stated = stated or _stated(reference for _, words in speakers for reference in words.found)
    if not stated and any(is_license_file(path) and _states_something(words) for path, words in speakers):
        return (UNKNOWN_LICENSE,)
    return stated


def _states_something(words: References) -> bool:
    return any(reference.kind in LICENSES or reference.kind in PEOPLE for reference in words.found)


def _holds(text: str, name: str) -> bool:
    """Whether a text contains a name, as whole words and in any case."""
    return re.search(rf"(?<!\w){re.escape(name.strip())}(?!\w)", text, re.IGNORECASE) is not None


def _may_be(one: PostLink, other: PostLink) -> bool:
    """Whether one post may be an answer to the other: the question of the answer is unknown, and the other post is an
    older question of the same site.
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
    """The target of a URL, and its host and path in lower case with a slash at the end; (None, "") for other URLs."""
    found = target(url)
    if found is None:
        return None, ""
    parts = urlsplit(found.url)
    page = parts.netloc.removeprefix("www.") + parts.path
    if isinstance(found, HostedPlace):
        page = found.address + ("" if found.path is None else f"/blob/{found.path}")
    return found, f"{page.lower().rstrip('/')}/"


_SHORTEST_NAME = 4
_WORDS_OF_A_PART = 2  # in a list of names, those of fewer words do not count: a surname alone may be anybody's
_ADDRESS = later(r"<[^>]*>|\([^)]*@[^)]*\)|\S+@\S+|https?://\S+")
_YEARS = later(r"\b(?:19|20)[0-9]{2}(?:\s?[-–]\s?(?:[0-9]{2,4}\b|present\b)?)?", re.IGNORECASE)
_BETWEEN = later(r"[,;/&+]|\band\b|\.\s", re.IGNORECASE)
_NO_LETTERS = later(r"[\W\d_]+")
_DIGIT = later(r"[0-9]")

_NO_PART_OF_A_NAME = frozenset({"copyright", "present", "all", "rights", "reserved", "by", "the"})
_ENDS = frozenset(
    {
        *("inc", "ltd", "llc", "gmbh", "corp", "corporation", "foundation"),
        *("authors", "contributors", "developers", "team", "project", "and", "other", "others", "individual"),
    }
)
"""Words at the end of a holder's name that are dropped, since many holders' names end with them."""

_NOBODY = frozenset(
    {"author", "authors", "file", "fullname", "holders", "license", "licensed", "listed", "owner", "see"}
)
"""A text with one of these words names nobody. Licenses contain `[name of copyright owner]`, and headers contain `the
original author or authors` and `see the AUTHORS file`."""

_FREE_SOFTWARE_FOUNDATION = "free software foundation"  # does not count: its licenses name it everywhere


@lru_cache(maxsize=16_384)  # the same lines are compared with one location after the other
def people(text: str) -> frozenset[str]:
    """The people that an author tag or a copyright line names: the whole line, and each part of two words or more, so
    that a longer list of holders still matches. In lower case, without years, addresses and words such as `Inc.`.
    """
    text = _YEARS.sub(" ", _ADDRESS.sub(" ", text))
    if " ".join(_words(text)).startswith(_FREE_SOFTWARE_FOUNDATION):
        return frozenset()
    found = {_name(text)}
    for part in _BETWEEN.split(text):
        if _DIGIT.search(part):  # the number of a house, so the rest is an address
            break
        name = _name(part)
        if len(name.split()) >= _WORDS_OF_A_PART:
            found.add(name)
    return frozenset(found - {""})


def people_of(references: Iterable[Reference]) -> frozenset[str]:
    """The authors and copyright holders among some references, as `people` writes them."""
    return frozenset(name for reference in references if reference.kind in PEOPLE for name in people(reference.value))


def people_of_address(address: str) -> frozenset[str]:
    """The owner and the name of a repository, by its address, as `people` writes them. Many projects write `Copyright
    OWNER, Inc.` or `Copyright the PROJECT authors`.
    """
    return frozenset(_name(part) for part in address.split("/")[-2:]) - {""}


def _words(text: str) -> list[str]:
    return [word for word in _NO_LETTERS.sub(" ", text).lower().split() if word not in _NO_PART_OF_A_NAME]


def _name(text: str) -> str:
    """A name for comparisons; empty if it is too short, or names nobody."""
    words = _words(text)
    while words and words[-1] in _ENDS:
        is_foundation = words.pop() == "foundation"
        if is_foundation and words and words[-1] == "software":
            words.pop()
    name = " ".join(words)
    return "" if len(name) < _SHORTEST_NAME or not _NOBODY.isdisjoint(words) else name
