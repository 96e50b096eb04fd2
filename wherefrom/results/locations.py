"""The locations of an answer, how a `repr` and other tools identify them (by URL, SWHID and package URL), and the texts
of both sides of its matches.

SWHID 1.2 (ISO/IEC 18670): https://www.swhid.org/specification/v1.2/. Package URL:
https://github.com/package-url/purl-spec, with the types in `wherefrom.support.hosts`, and `git` for other remotes.
"""

from __future__ import annotations

import posixpath
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import singledispatch
from importlib import import_module
from itertools import islice
from typing import TypeAlias
from urllib.parse import quote

from wherefrom.model import KeyKind, Occurrence, RepositoryRecord
from wherefrom.results.regions import Lines, Region, RegionPair, line_range
from wherefrom.support.contract import JsonObject
from wherefrom.support.hosts import HOSTS
from wherefrom.support.paths import likely_path
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass

SHOWN = 3  # at most this many hits, documents or findings are listed


def named(occurrence: Occurrence, regions: Sequence[Region], places: int) -> str:
    """`REPOSITORY PATH:12-30, 4 more`: a location, its matched lines, and how many of `places` locations remain."""
    found = line_range(regions)
    lines = f":{found}" if found else ""
    more = f", {places - 1} more" if places > 1 else ""
    return f"{visible(occurrence.repository)} {visible(occurrence.path)}{lines}{more}"


def listed(values: Sequence[object], total: int) -> str:
    """`: A; B; C; ...`: the first `SHOWN` of `total` values, or an empty text if there are no values."""
    shown = [*map(str, values[:SHOWN]), *(["..."] if total > min(len(values), SHOWN) else [])]
    return f": {'; '.join(shown)}" if values else ""


_SAFE = "/:@~!$&'()*+,;="
_SHA1_DIGITS = 40


class Identified(ABC):
    """Base of answers about one location, with its URL, SWHID and package URL. The record of the repository is None if
    the index does not have it (any longer).
    """

    __slots__ = ()

    occurrence: Occurrence
    record: RepositoryRecord | None

    @property
    @abstractmethod
    def matched_regions(self) -> Sequence[Region]:
        """The matches in the location's content. Empty if only a nearly identical content was compared."""

    @property
    def origin(self) -> str | None:
        """The URL of its repository, or None if the repository's key is not a remote."""
        remote = None if self.record is None else self.record.remote
        return None if remote is None else f"https://{_quoted(remote)}"

    @property
    def url(self) -> str | None:
        """The URL of the file's page at a known code host, of the repository at another host, or of a local file; for a
        package that of the repository that its metadata names. None if only the name of the repository is known.
        """
        at, record = self.occurrence, self.record
        if record is None:
            return None
        if record.key_kind == KeyKind.PATH:
            if record.key.startswith("file://"):
                return _quoted(record.key)
            path = posixpath.normpath(record.key)
            before = "" if path.startswith("//") else "//" if path.startswith("/") else "///"  # as in `C:/code`
            return f"file:{before}{_quoted(path)}/{_quoted(at.path)}"
        if record.package is not None:
            stated = record.package.repository.removeprefix("git+")
            is_page = stated.startswith(("https://", "http://"))
            return quote(stated, safe=f"{_SAFE}%?#", errors="surrogatepass") if is_page else None
        origin, host = self.origin, HOSTS.get(record.key.partition("/")[0])
        if origin is None or host is None or not at.revision:
            return origin
        lines = line_range(self.matched_regions) or Lines(1, 1)
        return origin + host.software.page(_quoted(at.revision), _quoted(at.path), (lines.first, lines.last))

    @property
    def swhid(self) -> str | None:
        """Its SWHID in ASCII, with qualifiers in canonical order; None for a SHA-256 blob id. The qualifier `origin` is
        only there if the repository has a remote, and `anchor` only if the location has a commit.
        """
        content = content_swhid(self.occurrence.blob)
        if content is None:
            return None
        origin, revision = self.origin, self.revision_swhid
        if origin:
            content += f";origin={origin.replace(';', '%3B')}"
        if revision:
            content += f";anchor={revision}"
        return f"{content};path=/{quote(likely_path(self.occurrence.path))}{_lines(self.matched_regions)}"

    @property
    def revision_swhid(self) -> str | None:
        """The SWHID of its commit, or None if it has no commit."""
        revision = self.occurrence.revision
        is_commit = self.record is not None and self.record.is_git and len(revision) == _SHA1_DIGITS
        return f"swh:1:rev:{revision}" if is_commit else None

    @property
    def purl(self) -> str | None:
        """Its package URL. None if its repository has no package URL, or if a package URL cannot express its path."""
        return self._purl(self.occurrence.path or None)

    @property
    def repository_purl(self) -> str | None:
        """The package URL of its repository, or None if it is neither a package nor a git repository with a remote."""
        return self._purl(None)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {named(self.occurrence, self.matched_regions, 1)}>"

    def _purl(self, path: str | None) -> str | None:
        record = self.record
        if record is None:
            return None
        from packageurl import PackageURL  # noqa: PLC0415 - takes 30 ms, and text does not need it

        try:
            if record.is_package:
                made = PackageURL(**{**PackageURL.from_string(record.key).to_dict(), "subpath": path})
            else:
                parts = _repository_parts(record)
                if parts is None:
                    return None
                made = PackageURL(*parts, self.occurrence.revision or None, subpath=path)
            # PackageURL drops parts such as `..`, and blanks at both ends. The URL would then name another file.
            return made.to_string() if made.subpath == path else None
        except ValueError:  # PackageURL cannot encode a lone surrogate
            return None


def _repository_parts(record: RepositoryRecord) -> tuple[str, str, str] | None:
    """Type, namespace and name of the package URL of a git repository; None if it has no such URL."""
    if record.remote is None or not record.is_git:
        return None
    host, *parts = record.key.split("/")
    if not parts or not all(part.strip() for part in (host, *parts)):
        return None
    *owners, name = parts
    known = HOSTS.get(host.lower())
    kind = known.purl if known and len(owners) == 1 else None
    return kind or "git", "/".join(owners if kind else [host, *owners]), name


def content_swhid(blob: str, regions: Sequence[Region] = ()) -> str | None:
    """The SWHID of a content by its git blob id, whatever its location, with the first and the last matched line. None
    for a SHA-256 blob id, which SWHID 1 cannot express.
    """
    return f"swh:1:cnt:{blob}{_lines(regions)}" if len(blob) == _SHA1_DIGITS else None


def _quoted(text: str) -> str:
    return quote(text, safe=_SAFE, errors="surrogatepass")


def _lines(regions: Sequence[Region]) -> str:
    lines = line_range(regions)
    return f";lines={lines}" if lines else ""


@dataclass(frozen=True, slots=True, repr=False)
class Location(Identified, JsonObject):
    """A location of a hit, of a document that explains a file, or of a form of fixed code."""

    JSON = "*occurrence swhid purl"

    occurrence: Occurrence
    record: RepositoryRecord | None = None
    matched_regions: tuple[Region, ...] = ()


class FoundContent:
    """Base of answers about a content that was found, with its locations: its blob id, all its occurrences (in some
    answers also those of nearly identical contents), the matches in it, and the records of the repositories, by key.
    """

    __slots__ = ()

    blob: str
    occurrences: tuple[Occurrence, ...]
    regions: tuple[RegionPair, ...]
    repositories: Mapping[str, RepositoryRecord]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    @property
    def matched_regions(self) -> tuple[Region, ...]:
        """The matches in the content."""
        return tuple(pair.document for pair in self.regions)

    @property
    def locations(self) -> tuple[Location, ...]:
        """The `occurrences`, each with its URL, SWHID and package URL."""
        regions = self.matched_regions
        return tuple(
            Location(at, self.repositories.get(at.repository), regions if at.blob == self.blob else ())
            for at in self.occurrences
        )

    @property
    def swhid(self) -> str | None:
        """The SWHID of `blob` with the lines that match, or None for a SHA-256 blob id."""
        return content_swhid(self.blob, self.matched_regions)


AHEAD = 30  # `Texts.each` reads the contents of this many blobs together


Colors: TypeAlias = list[tuple[int, int, str]]


class Texts:
    """Reads the text of the query and the contents of an answer when they are used.

    It reads from the index and from clones. If the index cannot be read or is closed, the methods raise
    `WherefromError`. A pickled copy reads nothing: its methods return None.

    Args:
        query: the query, or a function that reads it; None if it is not known.
        at: reads the content of an occurrence; None if there are no contents.
        together: reads the contents of many occurrences faster than `at`, by blob id. It may leave some out.
        colors: see the method.
    """

    __slots__ = ("_at", "_colors", "_query", "_together")

    def __init__(
        self,
        query: bytes | Callable[[], bytes | None] | None = None,
        at: Callable[[Occurrence], bytes | None] | None = None,
        together: Callable[[Sequence[Occurrence]], Mapping[str, bytes]] = lambda _: {},
        colors: Callable[[bytes, str | None, tuple[int, int] | None], Colors] = lambda *_: [],
    ) -> None:
        self._query = query
        self._at = at
        self._together = together
        self._colors = colors

    def query(self) -> bytes | None:
        """The text of the query, or None if it cannot be read."""
        return self._query() if callable(self._query) else self._query

    def at(self, occurrence: Occurrence) -> bytes | None:
        """The content of an occurrence, or None if it cannot be read."""
        return None if self._at is None else self._at(occurrence)

    def of(self, blob: str, occurrences: Iterable[Occurrence]) -> bytes | None:
        """The content of a blob, from its first readable occurrence; None if no occurrence can be read."""
        own = (occurrence for occurrence in occurrences if occurrence.blob == blob)
        return next((content for occurrence in own if (content := self.at(occurrence)) is not None), None)

    def each(self, blobs: Iterable[tuple[str, Sequence[Occurrence]]]) -> Iterator[bytes | None]:
        """Yields the content of each blob as `of` does, but runs git once for many contents of a clone."""
        waiting = iter(blobs)
        while batch := [*islice(waiting, AHEAD)]:
            found = self.together([at for blob, occurrences in batch for at in occurrences if at.blob == blob])
            for blob, occurrences in batch:
                yield found[blob] if blob in found else self.of(blob, occurrences)

    def together(self, occurrences: Sequence[Occurrence]) -> Mapping[str, bytes]:
        """The contents of those occurrences that can be read together, by blob id."""
        return self._together(occurrences)

    def colors(self, text: bytes, blob: str | None = None, within: tuple[int, int] | None = None) -> Colors:
        """The colored stretches of the query, or of the text of an indexed blob: (start, end, color) in byte offsets,
        half-open, ascending. A color is `keyword`, `string`, `number` or `comment`. `within` is the range of bytes that
        is shown; None for all. Empty if the tokens of the text are not known.
        """
        return self._colors(text, blob, within)

    def __reduce__(self) -> tuple[type[Texts], tuple[()]]:
        return Texts, ()


_modules: set[str] = set()


def rendered_by(module: str) -> None:
    """Tells which module to import before a result is shown. It registers functions with `to_html_by_type`."""
    _modules.add(module)


def to_html(result: object) -> str | None:
    """A result as HTML. None if no function is registered for its type; a notebook then shows the `repr`."""
    for module in _modules:
        import_module(module)
    return to_html_by_type(result)


@singledispatch
def to_html_by_type(_result: object) -> str | None:
    """Renders a result as HTML. `register` adds a function for a type; for other types the answer is None."""
    return None
