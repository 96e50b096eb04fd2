"""The classes and rules that every kind of source shares: entries, limits, blob ids, and paths as text."""

from __future__ import annotations

import hashlib
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from threading import Event
from typing import Any, ClassVar, Protocol, TypeVar
from urllib.parse import unquote_to_bytes

from wherefrom.errors import SourceError
from wherefrom.model import KeyKind, Package, SkipReason
from wherefrom.support.paths import path_text
from wherefrom.support.system import system
from wherefrom.support.values import KW_ONLY, dataclass

MAX_BYTES = 50_000_000  # default limit on a file that a source reads into memory; a longer one is `TOO_LARGE`

MOST_FILES = 1_000_000
"""Limit on the files that a git repository or an archive lists: a hostile one of a megabyte can name billions. The
largest public repositories have half a million files. A listing of this size takes about a gigabyte of memory."""

MOST_PATHS = 250_000_000  # limit on the bytes of all paths of one listing together
TRIES = 4  # how often a fetch is tried if the cause of a failure may pass

_Listed = TypeVar("_Listed", bound=bytes | tuple[Any, ...])

UNWANTED = frozenset({SkipReason.GENERATED, SkipReason.VENDORED})
"""Skip reasons that a caller may ignore to read the entry anyway. An entry with another skip reason is never read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a source."""

    path: str  # relative to the source, as in `model`
    blob: str | None  # its blob id if the source knows it without reading the file (git)
    size: int | None  # its length in bytes if that is known
    skip: SkipReason | None  # why it should not be read, or None
    # identifies the content for `Source.read`: an object id, a path, or the number of a member of an archive
    handle: bytes | str
    # whether a `.gitattributes` declares the file not generated or not vendored (`-linguist-generated`). Such a file is
    # not skipped because it looks generated or vendored
    authored: bool = False


def limited(listed: Iterable[_Listed], name: str) -> Iterator[_Listed]:
    """The files that a source with this name lists, each a path or a tuple that begins with it. Raises SourceError
    after `MOST_FILES` files, or `MOST_PATHS` bytes of paths, which would not fit into memory.
    """
    size = 0
    for number, file in enumerate(listed, 1):
        size += len(file if isinstance(file, bytes) else file[0])
        if number > MOST_FILES or size > MOST_PATHS:
            too_many = f"more than {MOST_FILES:,} files, or paths of more than {MOST_PATHS:,} bytes together"
            raise SourceError(f"{name} lists {too_many}; leave it out, or index a folder of its files")
        yield file


class Files(Protocol):
    """Some files that can be listed and read."""

    def entries(self) -> Iterator[Entry]:
        """Every file once, by path; those of a tar in its order. Raises SourceError if the whole cannot be read."""

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """Yields each of `entries` in their order, with its content or the reason why the content cannot be read. Call
        it once, with all wanted entries in the order of `entries()`: each call reads a compressed tar from its
        beginning. It takes the entries lazily, a few ahead of the contents that it yields.
        """


@dataclass(eq=False)
class Source(Files, ABC):
    """One repository, folder or archive on this machine, at one revision."""

    kind: ClassVar[str]  # `git`, `directory`, `archive` or `package`
    path: Path  # the absolute path of the source
    _: KW_ONLY
    key: str = ""  # the repository key: the path (the default), the normalised remote URL, or a name that the user gave
    key_kind: KeyKind = KeyKind.PATH  # which of these the key is
    max_bytes: int = MAX_BYTES  # the size of the largest content that is read, in bytes and before any compression
    package: Package | None = None  # what the metadata of a package says, once that was read; None for other sources
    warnings: tuple[str, ...] = ()  # what the user should know of it once it was read, one line each

    def __post_init__(self) -> None:
        self.key = self.key or self.location

    @property
    def location(self) -> str:
        """`path` as text; a path that is not UTF-8 is percent-encoded."""
        return local_key(self.path)

    @property
    @abstractmethod
    def revision(self) -> str:
        """Identifies the state of the source. For git it is the commit id, or empty if there is no commit. For other
        sources it is a digest that changes when a path, a size or a modification time changes. Raises SourceError if
        the source as a whole cannot be read.
        """


class FetchedSource(Source):
    """A source that is fetched from a server into a folder of a cache, with its own lock (`sources.clones`). Its
    address may have credentials. If the indexed revision `known` is current, nothing is fetched, even without `path`.
    """

    url: str
    known: str | None = None

    @property
    @abstractmethod
    def host(self) -> str:
        """The host to fetch it from; empty for none."""

    @cached_property
    def revision(self) -> str:
        """The revision that the server has now. It is fetched if that is necessary, and SourceError if that fails."""
        return self._fetched(Event(), TRIES)

    def fetch(self, stop: Event, *, tries: int = TRIES) -> None:
        """Fetches the source into `path`, unless it is there or `known` is current. Then `revision` is known. Raises
        SourceError if it cannot be fetched: `Unreachable` or `PassingFailure` if the host does not answer. Setting
        `stop` ends the fetch, or the wait for another try; `tries` is how often to try if the cause of a failure may
        pass.
        """
        # Sets the cached property by hand: in Python 3.11, all objects share one lock, and only one thread could fetch.
        self.revision = self._fetched(stop, tries)

    @abstractmethod
    def _fetched(self, stop: Event, tries: int) -> str:
        """As `fetch`; returns the revision."""


class Unreachable(SourceError):
    """The host of a source does not answer at all."""


def blob_id(content: bytes) -> str:
    """The git blob id (SHA-1) of a content: SHA-1 over `blob SIZE NUL CONTENT`."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def blob_ids(content: bytes) -> tuple[str, str]:
    """Both git blob ids of a content: SHA-1 (40 digits) and SHA-256 (64 digits)."""
    return blob_id(content), _sha256_id(content)


def _sha256_id(content: bytes) -> str:
    return hashlib.sha256(b"blob %d\0" % len(content) + content).hexdigest()


def is_blob(content: bytes, blob: str) -> bool:
    """Whether `blob` is the git blob id of `content`, in SHA-1 (40 digits) or SHA-256 (64 digits)."""
    return blob == (blob_id(content) if len(blob) == 40 else _sha256_id(content))


def is_object_id(text: str) -> bool:
    """Whether a text has the form of a git object id: 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits."""
    return len(text) in {40, 64} and set(text) <= set("0123456789abcdef")


def refusal(entry: Entry, max_bytes: int) -> SkipReason | None:
    """Why a source refuses to read an entry; None if it tries to read the entry. Reasons in `UNWANTED` do not count."""
    if entry.skip is not None and entry.skip not in UNWANTED:
        return entry.skip
    return SkipReason.TOO_LARGE if entry.size is not None and entry.size > max_bytes else None


def local_key(path: Path) -> str:
    """A path on this machine as text: the key of a repository that has no other key."""
    return path_text(os.fsencode(path.as_posix()))


def path_bytes(text: str) -> tuple[bytes, ...]:
    """The paths that `path_text` turns into `text`, the likelier one first."""
    plain = os.fsencode(text)
    return (plain, unquote_to_bytes(text)) if "%" in text else (plain,)


def found_path(text: str) -> Path | None:
    """The existing path on this machine that `path_text` turns into `text`; None if nothing exists there now."""
    return next((Path(system.path_of(path)) for path in path_bytes(text) if os.path.lexists(path)), None)
