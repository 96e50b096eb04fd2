"""What a project says of its sources, compared with the locations where its code also exists."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.references import (
    LINKS,
    Kind,
    Reference,
    References,
    Target,
    dump_references,
    notices,
    of_file,
    target,
)
from wherefrom.model import RepositoryRecord, SkipReason
from wherefrom.options import Limits
from wherefrom.queries.attributing.evidence import Gathered, Origin, Statements, gather, people_of_notices
from wherefrom.queries.attributing.persons import people_of, people_of_address
from wherefrom.queries.decomposition.cover import NEAR
from wherefrom.sources.source import Files

_EXACT_LINKS = LINKS - {Kind.URL}


def origin_of(
    repository: RepositoryRecord | None,
    statements: Statements,
    matched: Sequence[tuple[int, int]],
    *,
    is_file: bool = False,
) -> Origin:
    """By what a project may name a location: the address of its repository; the posts, gists and permalinks that it
    names itself near the code; the authors and copyright holders of its file, and of the notices that speak for it.

    Args:
        repository: its record, None if it is not known.
        statements: what is said there.
        matched: lines of the code there, first and last (1-based, inclusive).
        is_file: the code is a whole file of several functions: links in its header name it, and those further down,
            which are about a part of it, only in passing.
    """
    remote = repository.remote if repository else None
    own = statements.own.found if statements.own else ()
    near = _linked(own, [(first - NEAR, last + NEAR) for first, last in matched])
    header = _linked(own, [(1, min(matched)[0] + NEAR)]) if is_file and matched else near
    address = remote.lower().rstrip("/") if remote else ""
    people = people_of(own) | people_of_notices(statements)
    return Origin(
        targets=tuple(header),
        in_passing=tuple(link for link in near if link not in header),
        addresses=(address,) if address else (),
        people=people | people_of_address(address),
    )


def _linked(own: Sequence[Reference], ranges: Sequence[tuple[int, int]]) -> list[Target]:
    """What the links of a file lead to that are in some lines (inclusive), but for mere pages."""
    near = (
        reference
        for reference in own
        if reference.kind in _EXACT_LINKS and any(first <= reference.line <= last for first, last in ranges)
    )
    return [found for reference in near if (found := target(reference.value)) is not None]


class Project:
    """What the files of a project that speak for others say."""

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

    def digest(self) -> str:
        """A digest of what these files say: 64 hexadecimal digits."""
        digest = hashlib.sha256()
        for path, said in self._notices:
            for part in (path.encode(), dump_references(said)):
                digest.update(b"%d " % len(part) + part)
        return digest.hexdigest()

    def licenses(self, path: str, own: References, lines: tuple[int, int]) -> tuple[str, ...]:
        """The licenses that hold for lines (first and last, 1-based, inclusive) of a file that says this."""
        return Statements(path, own, self._notices).licenses([lines])

    def says_of(self, origin: Origin, path: str, own: References, lines: tuple[int, int]) -> Gathered:
        """What names a location where code of the project also exists."""
        return gather(origin, Statements(path, own, self._notices), [lines])
