"""Reads archives in place, without ever extracting one to the disk."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import re
import stat
import struct
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Self, cast

import zstandard

from wherefrom.errors import SourceError
from wherefrom.model import SkipReason
from wherefrom.sources.source import Entry, Source, limited, refusal
from wherefrom.support.paths import path_text
from wherefrom.support.pattern import later
from wherefrom.support.printable import visible

_ZIPS = (".zip", ".whl", ".jar")

SUFFIXES = (*_ZIPS, ".tar", *(tar + kind for kind in ("gz", "bz2", "xz", "zst") for tar in (".tar.", ".t")))
"""Endings of archive names, in upper or lower case. How a tar is compressed is read from its first bytes."""

XZ_MEMORY = 256_000_000  # limit on the memory for an xz stream, in bytes: `xz -9` needs 65 MiB, a hostile one 4 GiB
HEADER_BYTES = 1_000_000  # limit on the bytes of all headers of one member of a tar
_DEEPEST = 64  # for a path, this many folders are checked for being a git repository: a hostile path can have 100,000
GLOBAL_RECORDS = 100  # limit on the records in the global headers of a tar, which `tarfile` copies for each member
DIRECTORY_BYTES = 100_000_000  # limit on a zip's central directory, which `zipfile` reads whole: about 700,000 members
UNPACKED_BYTES = 100_000_000_000  # limit on what one reading of an archive unpacks: a megabyte can become terabytes
_CHUNK = 1 << 16
_BLOCK = 512
_STEP = 64  # `zipfile` gets this many packed bytes at a time if it cannot limit their size: 45 bytes can become 46 MB
_EXTENDED = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
_LONG_NUMBER = later(rb"[0-9]{100}")
_BROKEN = (
    EOFError,
    IndexError,
    MemoryError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    zstandard.ZstdError,
)
"""Exceptions that the readers of archives raise for a damaged or hostile archive."""


def is_archive(path: Path) -> bool:
    """Whether a file is an archive, by its name."""
    return is_archive_name(path.name)


def is_archive_name(name: str) -> bool:
    """Whether a file with this name is an archive."""
    return name.lower().endswith(SUFFIXES)


class ArchiveSource(Source):
    """The files in a zip or tar archive. If all of them are in one folder, their paths still begin with that folder. An
    archive in another one has its `content`, and a `path` for messages.
    """

    kind = "archive"
    content: bytes | None = None

    @cached_property
    def revision(self) -> str:
        """A digest over the archive's size and modification time. Raises SourceError if the archive is gone."""
        with self._errors():
            status = self.path.stat()
        return hashlib.sha256(f"{status.st_size} {status.st_mtime_ns}".encode()).hexdigest()[:40]

    def entries(self) -> Iterator[Entry]:
        """Every file: in a zip sorted by path, in a tar in its order. If several files have the same path, only the
        last counts, as after an extraction. A git repository is one entry, since its files are git's data, not code.
        """
        listed: dict[str, Entry] = {}
        with self._errors():
            for _, entry in limited(self._in_zip() if self._is_zip else self._in_tar(), visible(self.location)):
                if entry is not None:
                    listed.pop(entry.path, None)
                    listed[entry.path] = entry
        repositories = _repositories(listed.keys())
        for path in sorted(repositories):
            yield Entry(path, None, None, SkipReason.SUBMODULE, "")
        for entry in sorted(listed.values(), key=lambda entry: entry.path) if self._is_zip else listed.values():
            if not repositories or repositories.isdisjoint(_folders(entry.path)):
                yield entry

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents. A tar is read in one pass if the entries come in the order of `entries()`."""
        return self._read_zip(entries) if self._is_zip else self._read_tar(entries)

    @cached_property
    def _is_zip(self) -> bool:
        return self.path.name.lower().endswith(_ZIPS)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except _BROKEN as error:
            strerror = error.strerror if isinstance(error, OSError) else None
            reason = visible(strerror or str(error) or type(error).__name__)
            raise SourceError(
                f"cannot read the archive {visible(self.location)}: {reason}; fetch or pack it again"
            ) from None

    def _in_zip(self) -> Iterator[tuple[str, Entry | None]]:
        with self._open_zip() as archive:
            entries = (_zip_entry(info, str(at)) for at, info in enumerate(archive.infolist()) if not info.is_dir())
            yield from ((entry.path, entry) for entry in entries)

    def _read_zip(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        with ExitStack() as stack:
            with self._errors():
                archive = stack.enter_context(self._open_zip())
            members = archive.infolist()
            size = 0
            for entry in entries:
                content = refusal(entry, self.max_bytes) or self._read_member(archive, members[int(entry.handle)])
                size += len(content) if isinstance(content, bytes) else 0
                with self._errors():
                    _check_unpacked(size)
                yield entry, content

    def _read_member(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes | SkipReason:
        parts, left = [], self.max_bytes
        try:
            with archive.open(member) as opened:
                file, step = cast(zipfile.ZipExtFile, opened), _CHUNK
                if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                    file.MIN_READ_SIZE = step = _STEP
                while part := file.read(step):
                    parts.append(part)
                    left -= len(part)
                    if left < 0:
                        return SkipReason.TOO_LARGE
        except _BROKEN:
            return SkipReason.UNREADABLE
        return b"".join(parts)

    @contextmanager
    def _open_zip(self) -> Iterator[zipfile.ZipFile]:
        with _ZipFile(self._raw()) as file, zipfile.ZipFile(file) as archive:
            yield archive

    def _raw(self) -> io.RawIOBase:
        return io.FileIO(self.path) if self.content is None else cast(io.RawIOBase, io.BytesIO(self.content))

    def _in_tar(self) -> Iterator[tuple[str, Entry | None]]:
        """The name and the entry of each member; a folder has no entry."""
        with closing(self._members()) as members:
            for number, (member, _) in enumerate(members):
                yield member.name, None if member.isdir() else _tar_entry(member, str(number))

    def _read_tar(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        with ExitStack() as stack:
            position = sys.maxsize
            members: Iterable[tuple[int, tuple[tarfile.TarInfo, tarfile.TarFile]]] = ()
            for entry in entries:
                content: bytes | SkipReason | None = refusal(entry, self.max_bytes)
                if content is None:
                    wanted = int(entry.handle)
                    with self._errors():
                        if wanted <= position:
                            stack.close()
                            members = enumerate(stack.enter_context(closing(self._members())))
                        for position, (member, reader) in members:
                            if position == wanted:
                                content = _bounded(reader, member, self.max_bytes)
                                break
                yield entry, SkipReason.UNREADABLE if content is None else content

    def _members(self) -> Generator[tuple[tarfile.TarInfo, tarfile.TarFile]]:
        """Each member of a tar, with the open tar, which can read a member only until the next one is taken."""
        with ExitStack() as stack:
            stream = _Forward(stack, stack.enter_context(io.BufferedReader(self._raw())))
            archive = stack.enter_context(
                tarfile.open(fileobj=stream, mode="r:", encoding="utf-8", errors="surrogateescape", tarinfo=_Header)
            )
            while (member := archive.next()) is not None:
                yield member, archive
                stream.left = HEADER_BYTES
                archive.members.clear()  # type: ignore[attr-defined]  # otherwise every header stays in memory
            if stream.last.strip(b"\0"):
                raise tarfile.ReadError("it ends in something that is not a tar header")


class _ZipFile(io.BufferedReader):
    """The file of a zip. It refuses to read more than `DIRECTORY_BYTES` at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > DIRECTORY_BYTES:
            raise zipfile.BadZipFile("it has too many members")
        return super().read(size)


class _Forward(io.RawIOBase):
    """A packed or plain tar that can only be read forwards, with the methods that `tarfile` needs. `left` limits the
    bytes that `read` may still return, so that no header takes gigabytes; it is set again for each member.
    """

    def __init__(self, stack: ExitStack, file: BinaryIO) -> None:
        super().__init__()
        self.left = HEADER_BYTES
        self.position = 0
        self.last = b""
        self.ahead = b""
        self.unpacked = 0
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
        if not 0 <= size <= self.left:
            raise tarfile.ReadError("a header is too long")
        self.left -= size
        self.last = self._take(size)
        return self.last

    def peek(self, size: int) -> bytes:
        """The next `size` bytes, or fewer at the end of the tar; the next `read` returns the same bytes."""
        self.ahead += self._unpack(size - len(self.ahead))
        return self.ahead[:size]

    def _take(self, size: int) -> bytes:
        taken, self.ahead = self.ahead[:size], self.ahead[size:]
        if missing := size - len(taken):
            taken += self._unpack(missing)
        self.position += len(taken)
        return taken

    def _unpack(self, size: int) -> bytes:
        parts = []
        while size > 0 and (part := self.fill(size)):
            parts.append(part)
            size -= len(part)
            self.unpacked += len(part)
            _check_unpacked(self.unpacked)
        return b"".join(parts)

    def tell(self) -> int:
        return self.position

    def seekable(self) -> bool:
        return True

    def seek(self, position: int, whence: int = os.SEEK_SET, /) -> int:
        if whence != os.SEEK_SET or position < self.position:
            raise tarfile.ReadError("a member has a negative size")
        if self.plain:
            self.position = self.file.seek(position)
            self.ahead = b""
        while self.position < position:
            if not self._take(min(position - self.position, _CHUNK)):
                raise tarfile.ReadError("unexpected end of data")
        return self.position


class _Header(tarfile.TarInfo):
    """A header of a tar. It is checked before `tarfile` parses it, because the regular expressions of `tarfile` for
    extended headers take quadratic time in CPython before 3.11.10 and 3.12.6.
    """

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
        """The next header; raises ReadError if it is an extended header that is too long or malformed."""
        stream = cast(_Forward, archive.fileobj)
        block = stream.peek(_BLOCK)
        if block[156:157] in _EXTENDED:
            size = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape").size
            if not 0 <= size <= HEADER_BYTES:
                raise tarfile.ReadError("a header is too long")
            _check_records(stream.peek(_BLOCK + size)[_BLOCK:])
        header = super().fromtarfile(archive)
        if len(archive.pax_headers) > GLOBAL_RECORDS:
            raise tarfile.ReadError("it has too many global headers")
        return header


def _check_records(header: bytes) -> None:
    """Refuses an extended header if a record is not `LENGTH KEYWORD=VALUE` and a line end, or has a huge number."""
    position = 0
    while position < len(header) and header[position]:
        space = header.find(b" ", position, position + 20)
        length = header[position:space] if space > position else b""
        end = position + int(length) if length.isdigit() else position
        if header[end - 1 : end] != b"\n" or header.find(b"=", space, end) < 0:
            raise tarfile.ReadError("an extended header is broken")
        position = end
    if _LONG_NUMBER.search(header):
        raise tarfile.ReadError("an extended header has a number of a hundred digits")


def _repositories(paths: Collection[str]) -> set[str]:
    """The folders above these files that are git repositories: bare repositories, or the `.git` of a work tree."""
    with_head = (path.removesuffix("/HEAD") for path in paths if path.endswith("/HEAD"))
    likely = {folder for folder in with_head if f"{folder}/config" in paths}
    if not likely:
        return likely
    return likely & {
        folder for path in paths for folder in _folders(path) if path.startswith("objects/", len(folder) + 1)
    }


def _folders(path: str) -> Iterator[str]:
    """The folders above a file, the outermost first, at most `_DEEPEST`."""
    for end in islice(re.finditer("/", path), _DEEPEST):
        yield path[: end.start()]


def _check_unpacked(size: int) -> None:
    if size > UNPACKED_BYTES:
        raise tarfile.ReadError(f"it unpacks to more than {UNPACKED_BYTES:,} bytes")


class _Xz:
    """Unpacks an xz stream with a limit on memory, which `lzma.LZMAFile` does not offer."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.unpack = lzma.LZMADecompressor(memlimit=XZ_MEMORY)

    def read(self, size: int) -> bytes:
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


def _bounded(archive: tarfile.TarFile, member: tarfile.TarInfo, max_bytes: int) -> bytes | SkipReason:
    if not member.isreg():
        return SkipReason.UNREADABLE
    if member.size > max_bytes:
        return SkipReason.TOO_LARGE
    file = archive.extractfile(member)
    assert file is not None, "a regular member has content"
    cast(_Forward, archive.fileobj).left = max_bytes
    with file:
        return file.read(max_bytes)


def _tar_entry(member: tarfile.TarInfo, handle: str) -> Entry:
    path = _relative(member.name.encode("utf-8", "surrogateescape"))
    if member.isreg():
        return Entry(path, None, member.size, None, handle)
    is_link = member.issym() or member.islnk()
    return Entry(path, None, None, SkipReason.SYMLINK if is_link else SkipReason.UNREADABLE, handle)


def _zip_entry(info: zipfile.ZipInfo, handle: str) -> Entry:
    # `zipfile` decodes a name without the UTF-8 flag as code page 437. Encoding it again gives the bytes in the zip.
    coding = "utf-8" if info.flag_bits & 0x800 else "cp437"
    path = _relative(info.orig_filename.encode(coding, "surrogateescape"))
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return Entry(path, None, None, SkipReason.SYMLINK, handle)
    if kind not in {0, stat.S_IFREG}:
        return Entry(path, None, None, SkipReason.UNREADABLE, handle)
    return Entry(path, None, info.file_size, SkipReason.ENCRYPTED if info.flag_bits & 1 else None, handle)


def _relative(name: bytes) -> str:
    """A member's name as a path, without a leading `/`, empty parts and `.`. A `..` may stay: nothing is extracted."""
    return path_text(b"/".join(part for part in name.split(b"/") if part not in {b"", b"."}))
