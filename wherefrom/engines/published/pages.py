# ruff: noqa: D102 - the methods are documented in the protocols
"""Pages with checksums: a reader that gets some bytes of a file can tell whether they are those that were written.

The data of a file is cut into pages of `PAGE` bytes. `SHARED` pages share a page of checksums, which precedes them.
The checksums of these pages are in the root, whose SHA-256 is in the manifest. So one SHA-256 decides what a reader
accepts, although it reads only small parts of large files (Merkle 1987).
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from wherefrom.engines.published.kept import PageFile
from wherefrom.errors import UnusableIndex

PAGE = 1024  # the number of bytes that share a checksum
SUM = 8  # the number of bytes of a checksum (BLAKE2b)
SHARED = PAGE // SUM  # the number of pages whose checksums fill a page
NEAR = 4  # pages with at most this many other pages between them are read together
WHOLE = -1  # the number under which a whole file is kept
KEPT = 1 << 25  # a reader keeps about this many bytes of pages in memory


def _sum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=SUM).digest()


class PageWriter:
    """Writes data as pages into a file. `size` is the number of bytes of data so far; `sums` has the checksums of all
    pages of checksums, once `finish` is called.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self.size = 0
        self.sums = b""
        self._file = file
        self._waiting = bytearray()
        self._digest = hashlib.sha256()

    def append(self, data: bytes) -> int:
        """Adds data; returns the offset at which it begins."""
        begin = self.size
        self.size += len(data)
        self._waiting += data
        while len(self._waiting) >= SHARED * PAGE:
            self._write(bytes(self._waiting[: SHARED * PAGE]))
            del self._waiting[: SHARED * PAGE]
        return begin

    def _write(self, data: bytes) -> None:
        sums = b"".join(_sum(data[begin : begin + PAGE]) for begin in range(0, len(data), PAGE)).ljust(PAGE, b"\0")
        self.sums += _sum(sums)
        for part in (sums, data):
            self._digest.update(part)
            self._file.write(part)

    def finish(self) -> str:
        """Writes the last pages; returns the SHA-256 of the file."""
        if self._waiting:
            self._write(bytes(self._waiting))
            self._waiting.clear()
        return self._digest.hexdigest()


class Span(NamedTuple):
    """The bytes of a file from `begin` to `end` (exclusive)."""

    file: str
    begin: int
    end: int


class PublishedFiles(Protocol):
    """Where the files of a published index are."""

    location: str

    def whole(self, name: str, most: int) -> bytes:
        """A whole file. Raises FileNotFoundError; ValueError if it has more than `most` bytes; UnusableIndex."""

    def read(self, spans: Sequence[Span]) -> Sequence[bytes]:
        """The bytes of some spans, perhaps fewer or others: the caller compares them with their checksums. Raises
        FileNotFoundError, or UnusableIndex if a file cannot be read.
        """

    def close(self) -> None:
        """Frees connections and files."""


class FolderPlace(PublishedFiles):
    """The files of a published index in a folder of this machine."""

    def __init__(self, folder: Path) -> None:
        self.location = str(folder)
        self._folder = folder

    def whole(self, name: str, most: int) -> bytes:
        with self._open(name) as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise ValueError(f"{name} has more than {most:,} bytes")
        return data

    def read(self, spans: Sequence[Span]) -> Sequence[bytes]:
        found = []
        for name, own in groupby(spans, key=lambda span: span.file):
            with self._open(name) as file:
                for span in own:
                    file.seek(span.begin)
                    found.append(file.read(span.end - span.begin))
        return found

    @contextmanager
    def _open(self, name: str) -> Iterator[IO[bytes]]:
        try:
            with (self._folder / name).open("rb") as file:
                yield file
        except FileNotFoundError:
            raise
        except OSError as error:
            raise UnusableIndex(f"{self.location} cannot be read: {error.strerror}; fix that and run again") from error

    def close(self) -> None:
        """Does nothing: no file stays open."""


class PagedFile(NamedTuple):
    """A file in pages: its size with checksums, and in `sums` the checksums of its pages of checksums."""

    name: str
    size: int
    sha256: str
    sums: bytes

    @property
    def data_size(self) -> int:
        """The number of bytes of data."""
        return self.size - PAGE * -(-self.size // ((SHARED + 1) * PAGE))

    def end_of(self, page: int) -> int:
        """The end of the page with this number (0-based, counting pages of checksums)."""
        return min((page + 1) * PAGE, self.size)


class WrongPage(ValueError):
    """A page does not match its checksum."""


class Pages:
    """Reads data of paged files. Several threads may read at once if the place and the kept pages allow that."""

    def __init__(self, place: PublishedFiles, files: Iterable[PagedFile], kept: PageFile | None = None) -> None:
        self._place = place
        self._files = {file.name: file for file in files}
        self._kept = kept
        self._pages: OrderedDict[tuple[str, int], bytes] = OrderedDict()

    def size(self, file: str) -> int:
        """The number of bytes of data of a file."""
        return self._files[file].data_size

    def read(self, spans: Sequence[Span]) -> list[bytes]:
        """The data of some spans, in one round of requests. Raises ValueError if a span is not inside of its file, or a
        page does not match its checksum; else the errors of `PublishedFiles.read`.
        """
        wanted: dict[tuple[str, int], None] = {}
        for file, begin, end in spans:
            if not 0 <= begin <= end <= self._files[file].data_size:
                raise WrongPage(f"{file} has no bytes {begin} to {end}")
            for page in _pages_of(begin, end):
                wanted[file, page - page % (SHARED + 1)] = None
                wanted[file, page] = None
        found = self._found(list(wanted))
        return [_cut(found, span) for span in spans]

    def _found(self, wanted: Sequence[tuple[str, int]]) -> dict[tuple[str, int], bytes]:
        """These pages. Pages of checksums must precede the pages that they are about."""
        found = {key: self._pages[key] for key in wanted if key in self._pages}
        missing = [key for key in wanted if key not in found]
        if missing and self._kept is not None:
            stored = self._kept.get([(self._files[file].sha256, page) for file, page in missing])
            for file, page in missing:
                data = stored.get((self._files[file].sha256, page))
                if data is not None and self._is_right(file, page, data, found):
                    found[file, page] = data
            missing = [key for key in missing if key not in found]
        if missing:
            fetched = self._fetched(missing)
            for key in missing:
                if not self._is_right(*key, fetched[key], found):
                    raise WrongPage(f"{key[0]} does not match its checksums")
                found[key] = fetched[key]
            if self._kept is not None:
                self._kept.put({(self._files[file].sha256, page): fetched[file, page] for file, page in missing})
        self._pages.update(found)
        while len(self._pages) * PAGE > KEPT:
            self._pages.popitem(last=False)
        return found

    def _is_right(self, file: str, page: int, data: bytes, found: Mapping[tuple[str, int], bytes]) -> bool:
        described = self._files[file]
        if len(data) != described.end_of(page) - page * PAGE:
            return False
        chunk, place = divmod(page, SHARED + 1)
        # A kept page of checksums may be damaged; then nothing tells whether a kept page is right.
        sums = described.sums if place == 0 else found.get((file, page - place), b"")
        at = (chunk if place == 0 else place - 1) * SUM
        return _sum(data) == sums[at : at + SUM]

    def _fetched(self, missing: Sequence[tuple[str, int]]) -> dict[tuple[str, int], bytes]:
        """Reads pages from the place, neighbors together. A page may be cut off or wrong."""
        runs = list(_runs(sorted(missing)))
        spans = [Span(file, first * PAGE, self._files[file].end_of(last)) for file, first, last in runs]
        fetched = {}
        for (file, first, last), data in zip(runs, self._place.read(spans), strict=True):
            for page in range(first, last + 1):
                begin = (page - first) * PAGE
                fetched[file, page] = data[begin : begin + self._files[file].end_of(page) - page * PAGE]
        return fetched


def _pages_of(begin: int, end: int) -> Iterator[int]:
    return (number + number // SHARED + 1 for number in range(begin // PAGE, -(-end // PAGE)))


def _runs(pages: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int, int]]:
    """Joins pages (ascending) that are near each other to runs: the file, the first and the last page."""
    first = last = -1
    current = ""
    for file, page in pages:
        if file == current and page - last <= NEAR + 1:
            last = page
            continue
        if first >= 0:
            yield current, first, last
        current, first, last = file, page, page
    if first >= 0:
        yield current, first, last


def _cut(pages: Mapping[tuple[str, int], bytes], span: Span) -> bytes:
    file, begin, end = span
    data = b"".join(pages[file, page] for page in _pages_of(begin, end))
    first = begin - begin // PAGE * PAGE
    return data[first : first + end - begin]
