"""Archives, read in place: nothing is ever extracted."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO, Final

import zstandard

from wherefrom.errors import SourceError
from wherefrom.model import KeyKind, SkipReason
from wherefrom.printable import visible
from wherefrom.sources.base import MAX_BYTES, Entry, path_text, refusal

if TYPE_CHECKING:
    from pathlib import Path

SUFFIXES = (
    ".zip",
    ".whl",
    ".jar",
    ".tar",
    ".tar.gz",
    ".tgz",
    ".tar.bz2",
    ".tbz2",
    ".tar.xz",
    ".txz",
    ".tar.zst",
    ".tzst",
)
"""The names of archives, in either case of letters; how a tar is compressed is read from its first bytes."""

XZ_MEMORY = 256_000_000
"""Bytes that an xz stream may claim for its dictionary; `xz -9` claims 65 MiB, a hostile one up to 4 GiB."""

_CHUNK = 1 << 16
_BLOCK = 512
_BROKEN = (
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RecursionError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    zstandard.ZstdError,
)
"""What the readers of the standard library raise on damaged or hostile archives."""


def is_archive(path: Path) -> bool:
    """Whether a file's name is that of an archive."""
    return path.name.lower().endswith(SUFFIXES)


class ArchiveSource:
    """The files in a zip or tar archive. A folder that holds all of them is kept in their paths.

    Args:
        path: the archive, absolute.
        key: the repository key.
        key_kind: what the key is.
        max_bytes: longer members are not read, however small they are when packed.
    """

    kind: Final = "archive"

    def __init__(self, path: Path, *, key: str, key_kind: KeyKind = KeyKind.NAME, max_bytes: int = MAX_BYTES) -> None:
        self.path = path
        self.key = key
        self.key_kind = key_kind
        self.location = path_text(os.fsencode(path))
        self.max_bytes = max_bytes

    def __repr__(self) -> str:
        return f"ArchiveSource({self.location!r}, key={self.key!r})"

    @cached_property
    def revision(self) -> str:
        """A digest over the archive's size and modification time.

        Raises:
            SourceError: it is gone.
        """
        try:
            status = self.path.stat()
        except OSError as error:
            raise self._error(error) from None
        return hashlib.sha256(f"{status.st_size} {status.st_mtime_ns}".encode()).hexdigest()[:40]

    def entries(self) -> Iterator[Entry]:
        """Every file, a zip's by path, a tar's as they stand there; of several at one path the last (as extracted)."""
        try:
            listed = self._list_zip() if self._is_zip else self._list_tar()
        except _BROKEN as error:
            raise self._error(error) from None
        yield from listed

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents. A tar is read in one pass if they are asked for in the order of `entries()`."""
        return self._read_zip(entries) if self._is_zip else self._read_tar(entries)

    @cached_property
    def _is_zip(self) -> bool:
        return self.path.name.lower().endswith((".zip", ".whl", ".jar"))

    def _error(self, error: Exception) -> SourceError:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
        return SourceError(
            f"cannot read the archive {visible(self.location)}: {visible(reason)}; fetch or pack it again"
        )

    def _list_zip(self) -> list[Entry]:
        with zipfile.ZipFile(self.path) as archive:
            entries = (
                _zip_entry(info, str(number)) for number, info in enumerate(archive.infolist()) if not info.is_dir()
            )
            return sorted({entry.path: entry for entry in entries}.values(), key=lambda entry: entry.path)

    def _read_zip(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        with ExitStack() as stack:
            try:
                archive = stack.enter_context(zipfile.ZipFile(self.path))
            except _BROKEN as error:
                raise self._error(error) from None
            members = archive.infolist()
            for entry in entries:
                yield entry, refusal(entry, self.max_bytes) or self._read_member(archive, members[int(entry.handle)])

    def _read_member(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes | SkipReason:
        try:
            with archive.open(member) as file:
                content = file.read(self.max_bytes + 1)
        except _BROKEN:
            return SkipReason.UNREADABLE
        return content if len(content) <= self.max_bytes else SkipReason.TOO_LARGE

    def _list_tar(self) -> list[Entry]:
        listed: dict[str, Entry] = {}
        with self._open_tar() as members:
            for number, (member, _) in enumerate(members):
                if not member.isdir():
                    entry = _tar_entry(member, str(number))
                    listed.pop(entry.path, None)
                    listed[entry.path] = entry
        return list(listed.values())

    def _read_tar(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        with ExitStack() as stack:
            position = -1
            members: _Members = iter(())
            for entry in entries:
                content: bytes | SkipReason | None = refusal(entry, self.max_bytes)
                if content is None:
                    wanted = int(entry.handle)
                    try:
                        if position < 0 or wanted <= position:
                            stack.close()
                            members = stack.enter_context(self._open_tar())
                            position = -1
                        for member, reader in members:
                            position += 1
                            if position == wanted:
                                content = _bounded(reader, member, self.max_bytes)
                                break
                    except _BROKEN as error:
                        raise self._error(error) from None
                yield entry, SkipReason.UNREADABLE if content is None else content

    @contextmanager
    def _open_tar(self) -> Iterator[_Members]:
        with ExitStack() as stack:
            file = stack.enter_context(self.path.open("rb"))
            stream = _Forward(stack, file, self.max_bytes)
            archive = stack.enter_context(
                tarfile.open(fileobj=stream, mode="r:", encoding="utf-8", errors="surrogateescape")
            )
            yield _members(archive, stream)


_Members = Iterator[tuple[tarfile.TarInfo, tarfile.TarFile]]


class _Forward(io.RawIOBase):
    """A file, unpacked on the way, that is read forwards only: what `tarfile` needs, with a bound on every read.

    The bound keeps a header that claims to be gigabytes long from being read into memory.
    """

    def __init__(self, stack: ExitStack, file: BinaryIO, max_bytes: int) -> None:
        super().__init__()
        self.limit = max_bytes + _BLOCK
        self.position = 0
        self.last = b""
        start = file.read(6)
        file.seek(0)
        self.file = file
        self.plain = False
        if start.startswith(b"\x1f\x8b"):
            self.fill: Callable[[int], bytes] = stack.enter_context(gzip.GzipFile(fileobj=file)).read
        elif start.startswith(b"BZh"):
            self.fill = stack.enter_context(bz2.BZ2File(file)).read
        elif start == b"\xfd7zXZ\0":
            self.fill = _Xz(file).read
        elif start.startswith(b"\x28\xb5\x2f\xfd"):
            reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True, closefd=False)
            self.fill = stack.enter_context(reader).read
        else:
            self.fill = file.read
            self.plain = True

    def read(self, size: int = -1, /) -> bytes:
        if not 0 <= size <= self.limit:
            raise tarfile.ReadError("a header is too long")
        parts = []
        missing = size
        while missing and (part := self.fill(missing)):
            parts.append(part)
            missing -= len(part)
        self.position += size - missing
        self.last = b"".join(parts)
        return self.last

    def tell(self) -> int:
        return self.position

    def seekable(self) -> bool:
        return True

    def seek(self, position: int, whence: int = os.SEEK_SET, /) -> int:
        if whence != os.SEEK_SET or position < self.position:
            raise tarfile.ReadError("a member has a negative size")
        if self.plain:
            self.position = self.file.seek(position)
        while self.position < position:
            if not self.read(min(position - self.position, _CHUNK)):
                raise tarfile.ReadError("unexpected end of data")
        return self.position


class _Xz:
    """An xz stream unpacked with a limit on its memory, which `lzma.LZMAFile` does not offer."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.unpack = lzma.LZMADecompressor(memlimit=XZ_MEMORY)

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; none at the end."""
        while True:
            rest = b""
            if self.unpack.eof:
                rest = (self.unpack.unused_data or self.file.read(_CHUNK)).lstrip(b"\0")
                if not rest:
                    return b""
                self.unpack = lzma.LZMADecompressor(memlimit=XZ_MEMORY)
            elif self.unpack.needs_input and not (rest := self.file.read(_CHUNK)):
                raise EOFError("the compressed data ends too early")
            if content := self.unpack.decompress(rest, size):
                return content


def _members(archive: tarfile.TarFile, stream: _Forward) -> _Members:
    """The members one after the other.

    Raises:
        tarfile.ReadError: the archive ends in the middle, or in something that is no header.
    """
    while (member := archive.next()) is not None:
        yield member, archive
        archive.members.clear()  # type: ignore[attr-defined]  # else it keeps every header that it has read
    if stream.last.strip(b"\0"):
        raise tarfile.ReadError("it ends in something that is not a tar header")


def _bounded(archive: tarfile.TarFile, member: tarfile.TarInfo, max_bytes: int) -> bytes | SkipReason:
    if not member.isreg():
        return SkipReason.UNREADABLE
    if member.size > max_bytes:
        return SkipReason.TOO_LARGE
    file = archive.extractfile(member)
    assert file is not None, "a regular member has a content"
    with file:
        return file.read(max_bytes)


def _tar_entry(member: tarfile.TarInfo, handle: str) -> Entry:
    path = _relative(member.name.encode("utf-8", "surrogateescape"))
    if member.isreg():
        return Entry(path, None, member.size, None, handle)
    is_link = member.issym() or member.islnk()
    return Entry(path, None, None, SkipReason.SYMLINK if is_link else SkipReason.UNREADABLE, handle)


def _zip_entry(info: zipfile.ZipInfo, handle: str) -> Entry:
    # Without the flag for UTF-8 `zipfile` decodes a name as code page 437, which loses no byte.
    coding = "utf-8" if info.flag_bits & 0x800 else "cp437"
    path = _relative(info.orig_filename.encode(coding, "surrogateescape"))
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return Entry(path, None, None, SkipReason.SYMLINK, handle)
    if kind not in {0, stat.S_IFREG}:
        return Entry(path, None, None, SkipReason.UNREADABLE, handle)
    return Entry(path, None, info.file_size, SkipReason.ENCRYPTED if info.flag_bits & 1 else None, handle)


def _relative(name: bytes) -> str:
    """A member's name as a path: without a leading `/`, empty parts and `.`; `..` stays, for nothing is extracted."""
    return path_text(b"/".join(part for part in name.split(b"/") if part not in {b"", b"."}))
