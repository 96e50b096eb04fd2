"""The references of a project to its sources, and the names by which they may credit a location of its code."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from packageurl import PackageURL

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.references import (
    LINKS,
    MOST,
    Reference,
    ReferenceKind,
    References,
    Target,
    dump_references,
    notices,
    of_project_file,
    package_name,
    target,
)
from wherefrom.model import RepositoryRecord, SkipReason
from wherefrom.options import Limits
from wherefrom.queries.attributing.evidence import Origin, Statements, people_of, people_of_address, people_of_notices
from wherefrom.queries.decomposition.decompose import NEAR
from wherefrom.sources.packages.manifests import kind_of, stated_in
from wherefrom.sources.packages.registry import full_name
from wherefrom.sources.repository_urls import normalised
from wherefrom.sources.source import Files
from wherefrom.support.values import dataclass

_LONGEST_LINE = 200


def declared(path: str, content: bytes) -> References:
    """The packages that a manifest declares, and the project's own, each at the first line that has its name as a
    word; none if it cannot be read.
    """
    names = [*dict.fromkeys(stated.name for stated in stated_in(path, content))]
    lines = content.decode("utf-8", "replace").splitlines() or [""]
    kind = kind_of(path) or ""
    found = []
    for name in names[:MOST]:
        written = name.rpartition("/")[2] if kind == "maven" else name  # its group is on a line of its own
        word = re.compile(rf"(?<![\w@/-]){re.escape(written)}(?![\w/-])", re.IGNORECASE)
        at = next((number for number, line in enumerate(lines) if word.search(line)), 0)
        text = lines[at].strip()[:_LONGEST_LINE]
        found.append(Reference(ReferenceKind.PACKAGE, package_name(name, kind), at + 1, text))
    return References(tuple(found), max(0, len(names) - MOST))


_EXACT_LINKS = LINKS - {ReferenceKind.URL}


def origin_of(
    repository: RepositoryRecord | None,
    statements: Statements,
    matched: Sequence[tuple[int, int]],
    *,
    is_file: bool = False,
) -> Origin:
    """The names by which a project may credit a location: the address of its repository (if the record is known), the
    name of its package and the addresses in the package's metadata, the posts, gists and permalinks that its file links
    near the code, and the authors and copyright holders of its file and notices (`statements`).

    `matched` are the lines of the code in that file. If the code is a whole file of several functions, links in its
    header count; those further down are about a part of it, and are only hints.
    """
    remote = repository.remote if repository else None
    own = statements.own.found if statements.own else ()
    near = _linked(own, [(first - NEAR, last + NEAR) for first, last in matched])
    header = _linked(own, [(1, min(matched)[0] + NEAR)]) if is_file and matched else near
    address = remote.lower().rstrip("/") if remote else ""
    people = people_of(own) | people_of_notices(statements)
    names, pages = _names_of_package(repository) if repository else (frozenset[str](), ())
    return Origin(
        targets=tuple(header),
        in_passing=tuple(link for link in near if link not in header),
        addresses=(address,) if address else pages,
        people=people | people_of_address(address),
        packages=names,
    )


def _names_of_package(record: RepositoryRecord) -> tuple[frozenset[str], tuple[str, ...]]:
    if not record.is_package:
        return frozenset(), ()
    purl = PackageURL.from_string(record.key)
    name = full_name(purl)
    stated = (record.package.repository, record.package.upstream) if record.package else ()
    pages = (normalised(url.removeprefix("git+")) for url in stated)
    written = {package_name(name), package_name(name, purl.type)}
    if purl.type == "maven":
        written |= {package_name(f"{purl.namespace}:{purl.name}"), package_name(purl.name)}
    return frozenset(written), tuple(dict.fromkeys(page.lower() for page in pages if page))


def _linked(own: Sequence[Reference], ranges: Sequence[tuple[int, int]]) -> list[Target]:
    near = (
        reference
        for reference in own
        if reference.kind in _EXACT_LINKS and any(first <= reference.line <= last for first, last in ranges)
    )
    return [found for reference in near if (found := target(reference.value)) is not None]


@dataclass(frozen=True, slots=True)
class Project:
    """What a project says about its files elsewhere than in them: path and references of its licenses, READMEs and
    the like, and path and packages of the files that declare what it uses.
    """

    notices: Sequence[tuple[str, References]]
    manifests: Sequence[tuple[str, References]] = ()

    @classmethod
    def of(cls, files: Files, limits: Limits, analyzer: Analyzer) -> Project:
        """Reads the notices and the manifests of a project."""
        entries = {entry.path: entry for entry in files.entries() if entry.skip is None}
        found = []
        for entry, content in files.read(entries[path] for path in sorted(notices(entries))):
            if isinstance(content, bytes):
                analysis = analyzer.file(entry.path, content, limits)
                if not isinstance(analysis, SkipReason):
                    found.append((entry.path, of_project_file(content, analysis)))
        manifests = files.read(entries[path] for path in sorted(filter(kind_of, entries)))
        stated = [(at.path, declared(at.path, content)) for at, content in manifests if isinstance(content, bytes)]
        return cls(found, stated)

    def digest(self) -> str:
        """A digest of the references in the notices and manifests: 64 hexadecimal digits."""
        digest = hashlib.sha256()
        for path, references in (*self.notices, *self.manifests):
            for part in (path.encode(), dump_references(references)):
                digest.update(b"%d " % len(part) + part)
        return digest.hexdigest()

    def statements(self, path: str, own: References) -> Statements:
        """All references that may name the sources of a file: those in the file (`own`), the notices and manifests."""
        return Statements(path, own, self.notices, manifests=self.manifests)
