"""The protocol that every kind of source keeps."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from whence.model import SkipReason


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a source.

    `path` as in `model`; `blob` is its blob id where the source knows it without reading (git), `size` its length in
    bytes where known; `skip` says why it is not to be read (symlink, submodule, vendored, generated, unreadable,
    encrypted), else None. `handle` is the source's own way to find the content again.
    """

    path: str
    blob: str | None
    size: int | None
    skip: SkipReason | None
    handle: bytes | str


class Source(Protocol):
    """One repository, folder or archive, at one revision.

    `key` is the normalised remote URL without credentials, else the absolute path, or the name that the user gave;
    `location` is where it can be read again (an absolute path); `kind` is `git`, `directory` or `archive`; `revision` a
    commit id, or for the others a digest that changes when a path, a size or a modification time does.
    """

    @property
    def key(self) -> str: ...
    @property
    def location(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def revision(self) -> str: ...

    def entries(self) -> Iterator[Entry]:
        """Every file, by path (bytewise order of the path)."""

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents in the order asked for, one after the other; a reason where a content cannot be had."""


def blob_id(content: bytes) -> str:
    """The git blob id (SHA-1) of a content: SHA-1 over `blob SIZE NUL CONTENT`."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
