"""Text that was decoded, unescaped or cut out of other bytes, with the exact position of each byte in the original."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from wherefrom.support.values import dataclass, replace

UTF8_BOM = b"\xef\xbb\xbf"
_MARKS = {
    b"\xff\xfe\0\0": "utf-32-le",
    b"\0\0\xfe\xff": "utf-32-be",
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
}
_ALL_MARKS = tuple(_MARKS)
_UNITS = {"utf-32-le": "<u4", "utf-32-be": ">u4", "utf-16-le": "<u2", "utf-16-be": ">u2", "utf-8": "<u1"}
_LAST_POINT = 0x10FFFF
_HEAD = 1_024  # this many bytes tell the encoding of a content without a byte order mark


@dataclass(frozen=True, slots=True)
class Mapped:
    """Bytes that come from other bytes, the original. Positions are 0-based and half-open."""

    text: bytes  # the bytes
    # int64, the position in the original at which each byte of the text begins, and one more entry: the end of the text
    # in the original. Bytes that were cut out of the original belong to no byte of the text
    offsets: NDArray[np.int64]
    # int64, the position in the original at which each byte of the text ends. If several bytes come from one escape or
    # character, each has the span of the whole escape or character
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

    `encoding` tells UTF-16 and UTF-32. Each byte that is not UTF-8 is read as Latin-1, and a NUL as a space. So one
    stray byte does not change how the other bytes are read, and the result does not depend on the machine. Returns the
    text, or None if `content` is such text already.
    """
    if is_wide(content):
        mapped = _from_wide(content)
    elif not is_utf8(content):
        points, widths = code_points(content)
        points[(points >= 0xDC80) & (points < 0xDD00)] -= 0xDC00
        mapped = _from_points(points, widths)
    elif b"\r" in content or b"\0" in content or content.startswith(UTF8_BOM):
        mapped = Mapped.identity(content)
    else:
        return None
    if mapped.text.startswith(UTF8_BOM):
        mapped = mapped.cut(len(UTF8_BOM), len(mapped.text))
    if b"\0" in mapped.text:
        mapped = replace(mapped, text=mapped.text.replace(b"\0", b" "))
    return _without_returns(mapped) if b"\r" in mapped.text else mapped


def newlines(content: bytes) -> NDArray[np.int64]:
    """The byte position of each line feed of a content, in any encoding that `decode` reads. If there is none, those of
    its returns.
    """
    size = unit(content)
    units = np.frombuffer(content, _UNITS[encoding(content)], len(content) // size)
    found = np.flatnonzero(units == ord("\n"))
    return (found if len(found) else np.flatnonzero(units == ord("\r"))) * size


def has_own_newlines(content: bytes) -> bool:
    """Whether the lines of a content do not end at the bytes of line feeds."""
    return is_wide(content) or (b"\r" in content and b"\n" not in content)


def count_lines(content: bytes) -> int:
    """The number of lines of a content, including a last one without a line feed."""
    ends = newlines(content)
    return len(ends) + (len(content) > (int(ends[-1]) + unit(content) if len(ends) else 0))


def unit(content: bytes) -> int:
    """The number of bytes of a unit of the encoding of a content: 1, 2 or 4."""
    return int(_UNITS[encoding(content)][-1])


def is_wide(content: bytes) -> bool:
    """Whether a content is UTF-16 or UTF-32."""
    return encoding(content) != "utf-8"


def mark_length(content: bytes) -> int:
    """The number of bytes of the byte order mark of UTF-16 or UTF-32 at the beginning of a content."""
    return next((len(mark) for mark in _MARKS if content.startswith(mark)), 0)


def encoding(content: bytes) -> str:
    """Python's name of the encoding of a content: UTF-16 or UTF-32 by its byte order mark, or because more than half of
    the bytes in some places of each unit are 0; else `utf-8`.
    """
    head = content[:_HEAD]
    if content.startswith(_ALL_MARKS):
        return _MARKS[content[: mark_length(content)]]
    if b"\0" not in head:
        return "utf-8"
    zeros = tuple(8 * head[place::4].count(0) > len(head) for place in range(4))
    if zeros[2:] == (True, True) and not zeros[0]:
        return "utf-32-le"
    if zeros[:2] == (True, True) and not zeros[3]:
        return "utf-32-be"
    shapes: dict[tuple[bool, ...], str] = {(False, True) * 2: "utf-16-le", (True, False) * 2: "utf-16-be"}
    return shapes.get(zeros, "utf-8")


def is_utf8(content: bytes) -> bool:
    """Whether a content is valid UTF-8."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _from_wide(content: bytes) -> Mapped:
    name, size = encoding(content), unit(content)
    whole = len(content) // size * size  # a part of a character at the end is left out
    if size == 4:
        points = np.frombuffer(content, _UNITS[name], whole // 4).astype(np.uint32)
        widths = np.full(len(points), 4)
    else:
        points = _code_points(content[:whole].decode(name, "surrogatepass"))
        widths = np.where(points >= 0x10000, 4, 2)
    points[((points >= 0xD800) & (points < 0xE000)) | (points > _LAST_POINT)] = 0xFFFD
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


def joined_spans(
    text: bytes, spans: Iterable[tuple[int, int]], is_one: Callable[[bytes], bool] = lambda _: False
) -> list[tuple[int, int]]:
    """Joins ascending spans of a text that overlap or touch, or that `is_one` joins by the bytes between them."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and (start <= found[-1][1] or is_one(text[found[-1][1] : start])):
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
