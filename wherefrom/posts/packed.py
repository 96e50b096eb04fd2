"""Opens a file that may be packed."""

from __future__ import annotations

import bz2
import gzip
import zlib
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from wherefrom.errors import NotFound, SourceError

UNREADABLE = (EOFError, OSError, zlib.error, zstandard.ZstdError)
"""The errors that reading a damaged file may raise."""

_7Z, _GZIP, _BZIP2, _ZSTD = b"7z\xbc\xaf\x27\x1c", b"\x1f\x8b", b"BZh", b"\x28\xb5\x2f\xfd"


def open_dump(path: Path) -> BinaryIO:
    """Opens a file for reading. Unpacks gzip, bzip2 and zstd, which it recognizes by the first bytes of the file.

    Raises:
        NotFound: the file does not exist.
        SourceError: the file cannot be read, or is a 7z archive.
    """
    name = ascii(str(path))[1:-1]
    try:
        with path.open("rb") as file:
            start = file.read(6)
        if start.startswith(_GZIP):
            return cast(BinaryIO, gzip.open(path))
        if start.startswith(_BZIP2):
            return cast(BinaryIO, bz2.open(path))
        if start.startswith(_ZSTD):
            return cast(BinaryIO, zstandard.ZstdDecompressor().stream_reader(path.open("rb"), read_across_frames=True))
        if start.startswith(_7Z):
            raise SourceError(f"{name} is a 7z archive, which is not read; unpack it first: 7z x {name}")
        return path.open("rb")
    except FileNotFoundError:
        raise NotFound(f"no such file: {name}; check the path") from None
    except OSError as error:
        raise SourceError(f"cannot read {name}: {error.strerror}; give a file that you may read") from None
