"""The protocol that every kind of source keeps."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote_to_bytes

from wherefrom.errors import SourceError
from wherefrom.model import KeyKind, SkipReason

MAX_BYTES = 50_000_000
"""No source reads more than this of one file into memory; longer ones are `TOO_LARGE`."""

MOST_FILES = 1_000_000
"""Files that a git repository or an archive may list: ten tree objects, or a megabyte of an archive, name billions. The
largest public repositories have half as many; a listing of so many takes about a gigabyte.
"""

MOST_PATHS = 250_000_000
"""Bytes that the paths of one listing may have together."""

UNWANTED = frozenset({SkipReason.GENERATED, SkipReason.VENDORED})
"""Reasons that only advise: such an entry is read where it is asked for. An entry with another reason never is."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a source.

    `path` as in `model`; `blob` is its blob id where the source knows it without reading (git), `size` its length in
    bytes where known; `skip` says why it is not to be read (symlink, submodule, vendored, generated, unreadable,
    encrypted), else None. `handle` is the source's own way to find the content again. `authored` says that the
    repository itself declares the file neither generated nor vendored (`-linguist-generated`): no guess overrules it.
    """

    path: str
    blob: str | None
    size: int | None
    skip: SkipReason | None
    handle: bytes | str
    authored: bool = False


class LocalSource:
    """What the sources at a path on this machine have in common.

    Args:
        path: of the source, absolute.
        key: the repository key.
        key_kind: what the key is.
        max_bytes: longer contents are not read, however small they are when packed.
    """

    def __init__(self, path: Path, *, key: str, key_kind: KeyKind = KeyKind.NAME, max_bytes: int = MAX_BYTES) -> None:
        self.key = key
        self.key_kind = key_kind
        self.location = local_key(path)
        self.max_bytes = max_bytes

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.location!r}, key={self.key!r})"


class Listing:
    """Counts what a source lists, and ends a listing that memory would not hold.

    Args:
        name: of the source, as it is to be shown.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._files = self._bytes = 0

    def count(self, path: bytes | str) -> None:
        """Counts one more file.

        Raises:
            SourceError: there are too many, or their paths are too long.
        """
        self._files += 1
        self._bytes += len(path)
        if self._files > MOST_FILES or self._bytes > MOST_PATHS:
            too_many = f"more than {MOST_FILES:,} files, or paths of more than {MOST_PATHS:,} bytes together"
            raise SourceError(f"{self._name} lists {too_many}; leave it out, or index a folder of its files")


class Files(Protocol):
    """Some files that can be listed and read."""

    def entries(self) -> Iterator[Entry]:
        """Every file once, by path (bytewise order of the path); those of a tar in its own order.

        Raises:
            SourceError: the source as a whole cannot be read.
        """

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents in the order asked for, one after the other; a reason where a content cannot be had.

        Call it once with all entries that are wanted, in the order of `entries()`: a compressed tar is read from its
        beginning by every call. `entries` is pulled as the contents are taken (a little ahead of them).
        """


class Source(Files, Protocol):
    """One repository, folder or archive, at one revision.

    `key` is the normalised remote URL without credentials, else the absolute path, or the name that the user gave;
    `location` is where it can be read again (an absolute path); `kind` is `git`, `directory` or `archive`; `revision` a
    commit id, or for the others a digest that changes when a path, a size or a modification time does.
    """

    @property
    def key(self) -> str:
        """The repository key."""

    @property
    def key_kind(self) -> KeyKind:
        """What the key is."""

    @property
    def location(self) -> str:
        """Where it can be read again; a path that is not UTF-8 is percent-encoded."""

    @property
    def kind(self) -> str:
        """`git`, `directory` or `archive`."""

    @property
    def revision(self) -> str:
        """What was read; empty for a git repository without a commit.

        Raises:
            SourceError: the source as a whole cannot be read.
        """


def blob_id(content: bytes) -> str:
    """The git blob id (SHA-1) of a content: SHA-1 over `blob SIZE NUL CONTENT`."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def blob_ids(content: bytes) -> tuple[str, str]:
    """The git blob ids of a content: SHA-1 (40 digits) and SHA-256 (64 digits)."""
    return blob_id(content), _sha256_id(content)


def _sha256_id(content: bytes) -> str:
    return hashlib.sha256(b"blob %d\0" % len(content) + content).hexdigest()


def is_blob(content: bytes, blob: str) -> bool:
    """Whether a content has this blob id, be it SHA-1 (40 digits) or SHA-256 (64 digits)."""
    return blob == (blob_id(content) if len(blob) == 40 else _sha256_id(content))


def is_object_id(text: str) -> bool:
    """Whether a text is an id of git's, SHA-1 (40 digits) or SHA-256 (64 digits); an index may say anything."""
    return len(text) in {40, 64} and set(text) <= set("0123456789abcdef")


def refusal(entry: Entry, max_bytes: int) -> SkipReason | None:
    """Why an entry is not even tried, or None."""
    if entry.skip is not None and entry.skip not in UNWANTED:
        return entry.skip
    return SkipReason.TOO_LARGE if entry.size is not None and entry.size > max_bytes else None


def path_text(path: bytes) -> str:
    """A path as text: UTF-8 as it is; in any other the bytes that are no UTF-8, and `%`, are percent-encoded."""
    try:
        return path.decode()
    except UnicodeDecodeError:
        text = path.replace(b"%", b"%25").decode("utf-8", "surrogateescape")
        return re.sub("[\udc80-\udcff]", lambda byte: f"%{ord(byte[0]) - 0xDC00:02X}", text)


def local_key(path: Path) -> str:
    """A path on this machine as text; it is the key of a repository without another one."""
    return path_text(os.fsencode(path))


def path_bytes(text: str) -> tuple[bytes, ...]:
    """The paths that `path_text` may have been given, the likelier first."""
    plain = os.fsencode(text)
    return (plain, unquote_to_bytes(text)) if "%" in text else (plain,)


def found_path(text: str) -> Path | None:
    """The path on this machine that `path_text` made this text of; None where nothing is there any longer."""
    return next((Path(os.fsdecode(path)) for path in path_bytes(text) if os.path.lexists(path)), None)
