"""The rows of a Stack Exchange data dump's XML, one after the other, in constant memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO
from xml.parsers import expat

from wherefrom.errors import SourceError
from wherefrom.posts.packed import UNREADABLE

LONGEST_ROW = 4 << 20
"""Bytes of a row; a body has at most 30,000 characters of Markdown."""

CHUNK = 1 << 16
"""Bytes that are read at a time."""

_ROOT = b"<posts>"
_ROW = b"<row "
"""Stands nowhere but at the beginning of a row: in an attribute `<` is escaped."""

_ILLEGAL = re.compile(
    rb"&#(?:x0{0,6}(?:[0-8bcef]|1[0-9a-f]|d[89a-f][0-9a-f]{2}|fff[ef])|0{0,6}(?:[0-8]|1[124-9]|2[0-9]|3[01]));",
    re.IGNORECASE,
)
"""References to characters that XML does not allow. Real dumps have some, such as `&#x0E;`."""
_LONGEST_REFERENCE = 16


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its attributes, the byte of the XML at which it begins, and the one behind it (0-based)."""

    attributes: Mapping[str, str]
    start: int
    end: int


def read_rows(file: BinaryIO, name: str, start: int = 0) -> Iterator[Row]:
    """The rows that begin at `start` or behind it.

    Args:
        file: the XML (UTF-8), from its beginning; it is read forwards only.
        name: what errors call it.
        start: a byte of the XML.

    Raises:
        SourceError: it ends in the middle, is damaged, or is not a `Posts.xml`; every whole row before that place has
            been given.
    """
    try:
        parser = _Parser(file, start)
        yield from parser.rows()
    except _NoDumpError as error:
        raise SourceError(
            f"{name} is not a Posts.xml dump: {error}; "
            "give the site's Posts.xml, plain or packed with gzip, bzip2 or zstd"
        ) from None
    except (_CutError, EOFError):
        raise SourceError(f"{name} ends in the middle, behind {parser.place()}; fetch or unpack it again") from None
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise SourceError(f"{name} is damaged behind {parser.place()}: {reason}; fetch or unpack it again") from None
    except UNREADABLE as error:
        raise SourceError(f"{name} is damaged behind {parser.place()}: {error}; fetch or unpack it again") from None


class _NoDumpError(Exception):
    """It is something else."""


class _CutError(Exception):
    """The XML ends too early."""


class _Parser:
    """expat, fed chunk by chunk; what it found is handed out between two chunks."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        self.file = file
        self.start = start
        self.base = 0
        self.depth = 0
        self.has_root = False
        self.begun: tuple[dict[str, str], int] = ({}, 0)
        self.found: list[Row] = []
        self.last: Row | None = None
        self.expat = expat.ParserCreate("utf-8")
        self.expat.StartElementHandler = self.begin
        self.expat.EndElementHandler = self.end
        self.expat.StartDoctypeDeclHandler = self.refuse

    def rows(self) -> Iterator[Row]:
        """The rows."""
        fed = 0
        for chunk in self.chunks():
            refused: Exception | None = None
            try:
                self.expat.Parse(chunk)
            except expat.ExpatError as error:
                refused = error if self.has_root else _NoDumpError(expat.ErrorString(error.code))
            except _NoDumpError as error:
                refused = error
            fed += len(chunk)
            for row in self.found:
                self.last = row
                yield row
            self.found.clear()
            if refused is not None:
                raise refused
            if self.base + fed - (self.last.end if self.last else self.base) > LONGEST_ROW:
                raise _NoDumpError(f"a row has more than {LONGEST_ROW:,} bytes")
        try:
            self.expat.Parse(b"", True)
        except expat.ExpatError as error:
            raise (_CutError if self.has_root else _NoDumpError(expat.ErrorString(error.code))) from None

    def place(self) -> str:
        """The last whole row."""
        if self.last is None:
            return "its beginning"
        return f"post {ascii(self.last.attributes.get('Id', '?')[:20])[1:-1]} (byte {self.last.end:,})"

    def chunks(self) -> Iterator[bytes]:
        """The XML as it is fed: from the first row at `start` on, without illegal references."""
        pending = self.skipped()
        while chunk := self.file.read(CHUNK):
            pending += chunk
            # A reference may be cut in two.
            cut = pending.rfind(b"&", len(pending) - _LONGEST_REFERENCE)
            ready, pending = (pending, b"") if cut < 0 else (pending[:cut], pending[cut:])
            yield _ILLEGAL.sub(_blank, ready)
        yield _ILLEGAL.sub(_blank, pending)

    def skipped(self) -> bytes:
        """Reads up to the first row at `start`; gives a root element for it, and what was read of it."""
        if not self.start:
            return b""
        at = 0
        while at < self.start:
            part = self.file.read(min(CHUNK, self.start - at))
            if not part:
                raise _CutError
            at += len(part)
        pending = b""
        while (row := pending.find(_ROW)) < 0:
            part = self.file.read(CHUNK)
            if not part:
                return _ROOT + pending  # behind the last row
            at += len(pending) - len(pending[-_LONGEST_REFERENCE:])
            pending = pending[-_LONGEST_REFERENCE:] + part
        self.base = at + row - len(_ROOT)
        return _ROOT + pending[row:]

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        """Takes the beginning of an element."""
        if self.depth == 0 and name != "posts":
            raise _NoDumpError(f"its root is {name[:40]!a}, not 'posts'")
        if self.depth > 1 or (self.depth == 1 and name != "row"):
            raise _NoDumpError(f"it holds {name[:40]!a} where rows are expected")
        self.has_root = True
        self.depth += 1
        self.begun = attributes, self.base + self.expat.CurrentByteIndex

    def end(self, name: str) -> None:  # noqa: ARG002  # expat gives it
        """Takes the end of an element."""
        self.depth -= 1
        if self.depth:
            self.found.append(Row(*self.begun, self.base + self.expat.CurrentByteIndex))

    def refuse(self, *_: object) -> None:
        """Takes a document type declaration: without one there are no entities to expand."""
        raise _NoDumpError("it has a document type declaration")


def _blank(reference: re.Match[bytes]) -> bytes:
    """A reference to a blank, or a tab, of the same length, so that positions stay."""
    digits = len(reference[0]) - len(b"&#;")
    return b"&#%s;" % (b"9" if digits == 1 else b"32".rjust(digits, b"0"))
