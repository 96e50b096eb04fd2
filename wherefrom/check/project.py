"""What a project says of its sources, compared with the locations where its code also exists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wherefrom.analyzers.references import (
    LINKS,
    PEOPLE,
    GitHubPlace,
    Kind,
    Reference,
    References,
    Target,
    notices,
    of_file,
    scope,
    target,
)
from wherefrom.model import SkipReason
from wherefrom.queries.attribution import MOST_EVIDENCE, NEAR
from wherefrom.queries.index_references import licenses_at
from wherefrom.results import Evidence, Where

if TYPE_CHECKING:
    from wherefrom.model import RepositoryRecord
    from wherefrom.options import Limits
    from wherefrom.sources.checkout import Files
    from wherefrom.workers.analyzer import Analyzer

_EXACT_LINKS = LINKS - {Kind.URL}
_NO_NAME = re.compile(r"[\W\d_]+")
_SHORTEST_NAME = 4


@dataclass(frozen=True, slots=True)
class Names:
    """By what a place may be named.

    Attributes:
        address: host and path of its repository, lower case, without a slash at the end; empty where it has none.
        sources: the posts, gists and permalinks that it names itself near the code.
        people: the authors and holders that its file names, as `person` writes them.
    """

    address: str
    sources: tuple[Target, ...] = ()
    people: frozenset[str] = frozenset()

    def are_in(self, reference: Reference, *, is_in_file: bool) -> bool:
        """Whether a reference of the project names the place. Only the file that holds the code, not its repository,
        speaks by naming people: a license's own copyright line is the same everywhere.
        """
        if reference.kind in PEOPLE:
            return is_in_file and person(reference.value) in self.people
        if reference.kind not in LINKS:
            return False
        found, page = _page(reference.value)
        if self.address and page.startswith((f"{self.address}/", f"{self.address}.git/")):
            return True
        return found is not None and any(found.names(each) for each in self.sources)


@lru_cache(maxsize=16_384)  # the same references are compared with one location after the other
def _page(url: str) -> tuple[Target | None, str]:
    """What a URL points to, and its host and path, lower case, with a slash at the end; empty where it is no URL."""
    found = target(url)
    if found is None:
        return None, ""
    if isinstance(found, GitHubPlace):
        named = f"github.com/{found.repository}"
    else:
        parts = urlsplit(found.url)
        named = parts.netloc.removeprefix("www.") + parts.path
    return found, f"{named.lower().rstrip('/')}/"


def person(text: str) -> str:
    """A name as it is compared: its words in lower case, without years; empty where it is too short to tell."""
    name = " ".join(_NO_NAME.sub(" ", text).lower().split())
    return name if len(name) >= _SHORTEST_NAME else ""


def names_of(repository: RepositoryRecord | None, stated: References | None, lines: Sequence[tuple[int, int]]) -> Names:
    """By what a place may be named.

    Args:
        repository: its record, None if it is not known.
        stated: what its file says, None where that is not known.
        lines: of the matched code there, first and last, inclusive.
    """
    remote = repository.remote if repository else None
    address = remote.lower().rstrip("/") if remote else ""
    near = [(first - NEAR, last + NEAR) for first, last in lines]
    sources = []
    people = set()
    for reference in stated.found if stated else ():
        if reference.kind in _EXACT_LINKS and any(first <= reference.line <= last for first, last in near):
            found = target(reference.value)
            if found is not None:
                sources.append(found)
        elif reference.kind in PEOPLE:
            people.add(person(reference.value))
    return Names(address, tuple(sources), frozenset(people - {""}))


class Project:
    """What the files of a project that speak for others say.

    Args:
        notices: path and words of each.
    """

    def __init__(self, notices: Sequence[tuple[str, References]]) -> None:
        self._notices = notices

    @classmethod
    def of(cls, files: Files, limits: Limits, analyzer: Analyzer) -> Project:
        """Reads them."""
        entries = {entry.path: entry for entry in files.entries() if entry.skip is None}
        found = []
        for entry, content in files.read(entries[path] for path in sorted(notices(entries))):
            if isinstance(content, bytes):
                analysis = analyzer.file(entry.path, content, limits)
                if not isinstance(analysis, SkipReason):
                    found.append((entry.path, of_file(content, analysis)))
        return cls(found)

    def licenses(self, path: str, own: References) -> tuple[str, ...]:
        """The licenses that hold for a file that says this."""
        return licenses_at(path, own, self._notices)

    def evidence(self, path: str, own: References, lines: tuple[int, int], names: Names) -> tuple[Evidence, ...]:
        """What names a place, the nearest first.

        Args:
            path: of the file with the code.
            own: what it says.
            lines: of the code, first and last, inclusive.
            names: by what the place may be named.
        """
        found = [*self._in_file(path, own, lines, names), *self._in_notices(path, names)]
        order = list(Where)
        return tuple(sorted(found, key=lambda each: order.index(each.where))[:MOST_EVIDENCE])

    @staticmethod
    def _in_file(path: str, own: References, lines: tuple[int, int], names: Names) -> Iterator[Evidence]:
        for reference in own.found:
            if names.are_in(reference, is_in_file=True):
                is_near = lines[0] - NEAR <= reference.line <= lines[1] + NEAR
                yield _evidence(Where.MATCH if is_near else Where.FILE, reference, path)

    def _in_notices(self, path: str, names: Names) -> Iterable[Evidence]:
        for notice, stated in self._notices:
            folder = scope(notice)
            if notice != path and folder is not None and (not folder or path.startswith(f"{folder}/")):
                for reference in stated.found:
                    if names.are_in(reference, is_in_file=False):
                        yield _evidence(Where.REPOSITORY, reference, notice)


def _evidence(where: Where, reference: Reference, path: str) -> Evidence:
    return Evidence(where, reference.kind, reference.value, reference.text, path, reference.line)
