"""What a finding is known by when lines move and files are renamed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wherefrom.model import Hashes


def file_fingerprint(source: str) -> str:
    """The fingerprint of a file that is a copy: 32 hexadecimal digits over the source, a colon, and 1.

    It stays when the copy is edited, as long as it is a copy of the same content.

    Args:
        source: blob id of the content that it is a copy of.
    """
    return f"{hashlib.blake2b(b'file ' + source.encode(), digest_size=16).hexdigest()}:1"


def fingerprint(codes: Hashes, positions: NDArray[np.int64], source: str) -> str:
    """The fingerprint of a piece: 32 hexadecimal digits over matched tokens and source, a colon, and the number of the
    piece among those with the same tokens in the file, from 1.

    Args:
        codes: the token codes of the whole file.
        positions: of the matched tokens, ascending, at least one.
        source: blob id of the best document found.
    """
    stored = codes.astype("<u8")
    digest = hashlib.blake2b(digest_size=16)
    for part in (stored[positions].tobytes(), source.encode()):
        digest.update(b"%d " % len(part) + part)
    begin, end = int(positions[0]), int(positions[-1]) + 1
    return f"{digest.hexdigest()}:{1 + _earlier(stored, begin, end)}"


def _earlier(codes: NDArray[np.uint64], begin: int, end: int) -> int:
    """How often the tokens from `begin` to `end` (half-open) appear before, without overlaps."""
    wanted, text = codes[begin:end].tobytes(), codes[:begin].tobytes()
    size = codes.itemsize
    count = at = 0
    while (at := text.find(wanted, at)) >= 0:
        is_whole = at % size == 0
        count += is_whole
        at += len(wanted) if is_whole else 1
    return count
