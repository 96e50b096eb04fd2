"""Text that was decoded, unescaped or cut out of other bytes, with the exact position of each byte in the original."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

UTF8_BOM = b"\xef\xbb\xbf"
_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


@dataclass(frozen=True, slots=True)
class Mapped:
    """Bytes that come from other bytes, the original. Positions are 0-based and half-open.

    Attributes:
        text: the bytes.
        offsets: int64, the position in the original at which each byte of the text begins, and one more entry: the end
            of the text in the original. Bytes that were cut out of the original belong to no byte of the text.
        stops: int64, the position in the original at which each byte of the text ends. If several bytes come from one
            escape or character, each has the span of the whole escape or character.
    """

    text: bytes
    offsets: NDArray[np.int64]
    stops: NDArray[np.int64]

    @classmethod
    def identity(cls, content: bytes) -> Mapped:
        """A content that is mapped to itself: each byte keeps its position."""
        offsets = np.arange(len(content) + 1)
        return cls(content, offsets, offsets[1:])

    def cut(self, start: int, end: int) -> Mapped:
        """The part `text[start:end]`."""
        return Mapped(self.text[start:end], self.offsets[start : end + 1], self.stops[start:end])

    def keep(self, spans: Iterable[tuple[int, int]]) -> Mapped:
        """Joins these spans (ascending, not overlapping) and cuts out the rest."""
        spans = list(spans)
        pieces = [self.text[start:end] for start, end in spans]
        index = np.concatenate([np.empty(0, np.int64), *(np.arange(start, end) for start, end in spans)])
        offsets = np.append(self.offsets[index], self.offsets[-1:])
        return Mapped(b"".join(pieces), offsets, self.stops[index])

    def substitute(self, pattern: re.Pattern[bytes], replace: Callable[[re.Match[bytes]], bytes]) -> Mapped:
        """Like `re.sub`; each byte of a replacement gets the position of the whole match."""
        return self.edited((*match.span(), replace(match)) for match in pattern.finditer(self.text))

    def edited(self, edits: Iterable[tuple[int, int, bytes]]) -> Mapped:
        """Replaces spans of the text by other bytes. No span may be empty. Each new byte gets the position of the whole
        span. If spans overlap, only the first of them is replaced.
        """
        pieces: list[bytes] = []
        offsets: list[NDArray[np.int64]] = []
        stops: list[NDArray[np.int64]] = []
        done = 0
        for start, end, new in sorted(edits):
            if start < done:
                continue
            pieces += self.text[done:start], new
            offsets += self.offsets[done:start], np.full(len(new), self.offsets[start])
            stops += self.stops[done:start], np.full(len(new), self.stops[end - 1])
            done = end
        if not pieces:
            return self
        pieces.append(self.text[done:])
        offsets.append(self.offsets[done:])
        stops.append(self.stops[done:])
        return Mapped(b"".join(pieces), np.concatenate(offsets), np.concatenate(stops))

    def after(self, earlier: Mapped | None) -> Mapped:
        """The same text, with its positions in the original of `earlier`. The original of `self` is `earlier.text`."""
        if earlier is None:
            return self
        stops = np.append(earlier.stops, earlier.offsets[-1:])
        return Mapped(self.text, earlier.offsets[self.offsets], stops[self.stops - 1])

    def spans(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Maps spans in the text to spans in the original. No span may be empty."""
        return self.offsets[starts], self.stops[ends - 1]


def concatenate(parts: list[Mapped]) -> Mapped:
    """Joins parts of one original, in order. At least one part is needed."""
    offsets = [part.offsets[:-1] for part in parts]
    return Mapped(
        b"".join(part.text for part in parts),
        np.concatenate([*offsets, parts[-1].offsets[-1:]]),
        np.concatenate([part.stops for part in parts]),
    )


def decode(content: bytes) -> Mapped | None:
    """Decodes any text to UTF-8 without a byte order mark. Its lines then end with a line feed alone.

    UTF-16 is recognized by its byte order mark. Each byte that is not UTF-8 is read as Latin-1. So one stray byte does
    not change how the other bytes are read, and the result does not depend on the machine.

    Returns:
        The text, or None if `content` is such text already.
    """
    if is_utf16(content):
        mapped = _from_utf16(content)
    elif not is_utf8(content):
        mapped = _from_mixed(content)
    elif b"\r" in content or content.startswith(UTF8_BOM):
        mapped = Mapped.identity(content)
    else:
        return None
    if mapped.text.startswith(UTF8_BOM):
        mapped = mapped.cut(len(UTF8_BOM), len(mapped.text))
    return _without_returns(mapped) if b"\r" in mapped.text else mapped


def newlines(content: bytes) -> NDArray[np.int64]:
    """The byte position of each line feed of a content, in any encoding that `decode` reads."""
    if not is_utf16(content):
        return np.flatnonzero(np.frombuffer(content, np.uint8) == ord("\n"))
    units = np.frombuffer(content, "<u2" if encoding(content) == "utf-16-le" else ">u2", len(content) // 2)
    return np.flatnonzero(units == ord("\n")) * 2


def count_lines(content: bytes) -> int:
    """The number of lines of a content, including a last one without a line feed."""
    ends = newlines(content)
    width = 2 if is_utf16(content) else 1
    return len(ends) + (len(content) > (int(ends[-1]) + width if len(ends) else 0))


def is_utf16(content: bytes) -> bool:
    """Whether a content begins with a byte order mark of UTF-16."""
    return content[:2] in _UTF16


def encoding(content: bytes) -> str:
    """Python's name of the encoding of a content: UTF-16 if it has the byte order mark, else `utf-8`."""
    return _UTF16.get(content[:2], "utf-8")


def is_utf8(content: bytes) -> bool:
    """Whether a content is valid UTF-8."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _from_utf16(content: bytes) -> Mapped:
    whole = len(content) // 2 * 2  # half a character at the end is left out
    points = _code_points(content[:whole].decode(encoding(content), "surrogatepass"))
    widths = np.where(points >= 0x10000, 4, 2)
    points[(points >= 0xD800) & (points < 0xE000)] = 0xFFFD
    return _from_points(points, widths)


def _from_mixed(content: bytes) -> Mapped:
    points, widths = code_points(content)
    points[(points >= 0xDC80) & (points < 0xDD00)] -= 0xDC00
    return _from_points(points, widths)


def code_points(text: bytes) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The code points of a text in UTF-8 and the number of bytes of each. A byte that is not UTF-8 is a surrogate."""
    points = _code_points(text.decode(errors="surrogateescape"))
    return points, np.where((points >= 0xDC80) & (points < 0xDD00), 1, utf8_lengths(points))


def _code_points(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint32)


def utf8_lengths(points: NDArray[np.uint32]) -> NDArray[np.int64]:
    """The number of bytes of each code point in UTF-8."""
    return 1 + (points >= 0x80).astype(np.int64) + (points >= 0x800) + (points >= 0x10000)


def _from_points(points: NDArray[np.uint32], widths: NDArray[np.int64]) -> Mapped:
    """Encodes code points as UTF-8. `widths` has the number of bytes of each code point in the original."""
    ends = np.cumsum(widths)
    lengths = utf8_lengths(points)
    text = points.astype("<u4").tobytes().decode("utf-32-le").encode()
    total = ends[-1:] if len(ends) else np.zeros(1, np.int64)
    return Mapped(text, np.append(np.repeat(ends - widths, lengths), total), np.repeat(ends, lengths))


def _without_returns(mapped: Mapped) -> Mapped:
    content = np.frombuffer(mapped.text, np.uint8)
    if b"\n" not in mapped.text:  # lines end in a return alone, as on the first Macintosh
        return Mapped(mapped.text.replace(b"\r", b"\n"), mapped.offsets, mapped.stops)
    dropped = np.zeros(len(content), np.bool_)
    dropped[:-1] = (content[:-1] == ord("\r")) & (content[1:] == ord("\n"))
    kept = np.flatnonzero(~dropped)
    return Mapped(content[kept].tobytes(), np.append(mapped.offsets[kept], mapped.offsets[-1:]), mapped.stops[kept])
