"""The token stream: what an analysis gives, what the index stores, what a ranking reads.

The encoded form is self-contained: every k-gram, byte position and line follows from it, without the source.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from whence.model import Hashes


class TokenClass(IntEnum):
    """What kind of token it is."""

    SYMBOL = 0
    """Keywords, operators, punctuation."""
    NAME = 1
    """Identifiers, types, fields, labels: what a copier may rename."""
    STRING = 2
    NUMBER = 3
    CHARACTER = 4
    """One letter or digit of the `text` representation."""


@dataclass(frozen=True, slots=True)
class TokenStream:
    """The tokens of one text, in order.

    Attributes:
        codes: uint64, `hashing.token_code` of each token's symbol.
        classes: uint8, the `TokenClass` of each.
        starts, ends: int64, byte span in the text, 0-based, half-open.
        start_lines, end_lines: int64, 1-based: the line of the first and of the last byte.
        segments: int64, ascending, the token index at which each segment begins (a notebook cell, a fence, a script
            element; the first is 0). No k-gram crosses from one segment to the next.
        languages: the language of each segment.
    """

    codes: Hashes
    classes: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    start_lines: NDArray[np.int64]
    end_lines: NDArray[np.int64]
    segments: NDArray[np.int64]
    languages: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.codes)
