"""The posts of a data dump's `Posts.xml`.

Rows are in the order of their ids, so an answer follows its question. An answer gets the tags of its question if the
question is at most 128 MiB before the answer. So a resumed run begins to read 128 MiB earlier, to give the same tags.
"""

from __future__ import annotations

import bz2
import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, cast
from xml.parsers import expat

import zstandard

from wherefrom.errors import NotFound, SourceError
from wherefrom.posts.post import Post, license, tags
from wherefrom.support.values import dataclass

WINDOW = 128 << 20  # an answer gets its question's tags if it is at most this many bytes of XML after the question
LARGEST = (1 << 63) - 1  # the largest id that SQLite can store
QUESTIONS = 1 << 18  # the tags of at most this many questions are kept in memory


class RowSkip(StrEnum):
    """Why a row gives no post."""

    OTHER_TYPE = "other_type"
    """The row is neither question nor answer, such as a tag's wiki page, a nomination or a help page."""
    INCOMPLETE = "incomplete"
    """The row has no valid id, no day, no body, or is an answer and does not name its question."""


class Dump:
    """The questions and answers of a dump, in the order of the dump. It can be iterated once, since the XML is read
    forwards only. `start` is the `position` at which an earlier run stopped: the offset in bytes of the XML after the
    last row that was read. `skipped` has the number of rows without a post, by reason.
    """

    def __init__(self, file: BinaryIO, *, name: str, site: str, start: int = 0) -> None:
        self.position = start
        self.skipped: Counter[RowSkip] = Counter()
        self._file = file
        self._name = name
        self._site = site
        self._start = start
        self._questions: dict[int, tuple[int, str]] = {}

    def __iter__(self) -> Iterator[Post]:
        """Yields the posts after `start`. Raises the errors of `read_rows`."""
        for row in read_rows(self._file, self._name, max(0, self._start - WINDOW)):
            self._forget(row.start - WINDOW)
            post = self._post(row)
            if row.start < self._start:
                continue
            self.position = row.end
            if isinstance(post, Post):
                yield post
            else:
                self.skipped[post] += 1

    def _post(self, row: DumpRow) -> Post | RowSkip:
        values = row.attributes
        if values.get("PostTypeId") not in {"1", "2"}:
            return RowSkip.OTHER_TYPE
        try:
            own = int(values["Id"])
            question = own if values["PostTypeId"] == "1" else int(values["ParentId"])
            created = date.fromisoformat(values["CreationDate"][:10])
            body = values["Body"]
        except (KeyError, ValueError):
            return RowSkip.INCOMPLETE
        if not (0 <= own <= LARGEST and 0 <= question <= LARGEST):
            return RowSkip.INCOMPLETE
        if question == own:
            self._questions.pop(own, None)  # makes it the last key of the dictionary
            self._questions[own] = row.start, values.get("Tags", "")
            if len(self._questions) > QUESTIONS:
                del self._questions[next(iter(self._questions))]
        _, written = self._questions.get(question, (0, ""))
        stated = values.get("ContentLicense")
        return Post(self._site, own, question, created, license(created, stated), tags(written), body)

    def _forget(self, before: int) -> None:
        """Drops the questions whose rows begin before an offset."""
        while self._questions and self._questions[oldest := next(iter(self._questions))][0] < before:
            del self._questions[oldest]


UNREADABLE = (EOFError, OSError, zlib.error, zstandard.ZstdError)  # the errors that reading a damaged file may raise

_7Z, _GZIP, _BZIP2, _ZSTD = b"7z\xbc\xaf\x27\x1c", b"\x1f\x8b", b"BZh", b"\x28\xb5\x2f\xfd"


def open_dump(path: Path) -> BinaryIO:
    """Opens a file for reading. Unpacks gzip, bzip2 and zstd, which it recognizes by the first bytes of the file.
    Raises NotFound if it does not exist, and SourceError if it cannot be read, or is a 7z archive.
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


LONGEST_ROW = 4 << 20
"""A row has at most this many bytes; bodies have at most 30,000 characters of Markdown. A longer row is an error."""

CHUNK = 1 << 16  # how many bytes are read at a time

_ROOT = b"<posts>"
_ROW = b"<row "  # the beginning of a row. These bytes occur nowhere else, since attributes escape `<`

_ILLEGAL = re.compile(
    rb"&#(?:x0{0,6}(?:[0-8bcef]|1[0-9a-f]|d[89a-f][0-9a-f]{2}|fff[ef])|0{0,6}(?:[0-8]|1[124-9]|2[0-9]|3[01]));",
    re.IGNORECASE,
)
"""References to characters that XML forbids. Real dumps contain some, such as `&#x0E;`."""
_LONGEST_REFERENCE = 16


@dataclass(frozen=True, slots=True)
class DumpRow:
    """A row: its attributes, and where it starts and ends in bytes of the XML (half-open)."""

    attributes: Mapping[str, str]
    start: int
    end: int


def read_rows(file: BinaryIO, name: str, start: int = 0) -> Iterator[DumpRow]:
    """Yields the rows of the XML (UTF-8) that begin at `start` (in bytes) or later. It is read forwards only. Raises
    SourceError if it is cut off, is damaged, or is not a `Posts.xml`. Rows before the damage were yielded.
    """
    try:
        parser = _Parser(file, start)
        yield from parser.rows()
    except _NoDumpError as error:
        raise SourceError(
            f"{name} is not a Posts.xml dump: {error}; "
            "give the site's Posts.xml, plain or packed with gzip, bzip2 or zstd"
        ) from None
    except EOFError:
        raise SourceError(f"{name} ends in the middle, behind {parser.place()}; fetch or unpack it again") from None
    except (expat.ExpatError, *UNREADABLE) as error:
        reason = expat.ErrorString(error.code) if isinstance(error, expat.ExpatError) else error
        raise SourceError(f"{name} is damaged behind {parser.place()}: {reason}; fetch or unpack it again") from None


class _NoDumpError(Exception):
    """The file is not a `Posts.xml`."""


class _Parser:
    """Gives the XML to expat chunk by chunk, and yields after each chunk the rows that expat found in it."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        self.file = file
        self.start = start
        self.base = 0
        self.depth = 0
        self.has_root = False
        self.begun: tuple[dict[str, str], int] = ({}, 0)
        self.found: list[DumpRow] = []
        self.last: DumpRow | None = None
        self.expat = expat.ParserCreate("utf-8")
        self.expat.StartElementHandler = self.begin
        self.expat.EndElementHandler = self.end
        self.expat.StartDoctypeDeclHandler = self.refuse

    def rows(self) -> Iterator[DumpRow]:
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
            raise (EOFError if self.has_root else _NoDumpError(expat.ErrorString(error.code))) from None

    def place(self) -> str:
        if self.last is None:
            return "its beginning"
        return f"post {ascii(self.last.attributes.get('Id', '?')[:20])[1:-1]} (byte {self.last.end:,})"

    def chunks(self) -> Iterator[bytes]:
        """Yields the XML from the first row at `start` on, without illegal references."""
        pending = self.skipped()
        while chunk := self.file.read(CHUNK):
            pending += chunk
            # The end of a chunk may cut a reference in two, so a possible beginning waits for the next chunk.
            cut = pending.rfind(b"&", len(pending) - _LONGEST_REFERENCE)
            ready, pending = (pending, b"") if cut < 0 else (pending[:cut], pending[cut:])
            yield _ILLEGAL.sub(_blank, ready)
        yield _ILLEGAL.sub(_blank, pending)

    def skipped(self) -> bytes:
        """Skips to the first row at `start` or later. Returns a start tag of the root and the row's first bytes."""
        if not self.start:
            return b""
        at = 0
        while at < self.start:
            part = self.file.read(min(CHUNK, self.start - at))
            if not part:
                raise EOFError
            at += len(part)
        pending = b""
        while (row := pending.find(_ROW)) < 0:
            part = self.file.read(CHUNK)
            if not part:
                return _ROOT + pending  # `start` is after the last row
            at += len(pending) - len(pending[-_LONGEST_REFERENCE:])
            pending = pending[-_LONGEST_REFERENCE:] + part
        self.base = at + row - len(_ROOT)
        return _ROOT + pending[row:]

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if self.depth == 0 and name != "posts":
            raise _NoDumpError(f"its root is {name[:40]!a}, not 'posts'")
        if self.depth > 1 or (self.depth == 1 and name != "row"):
            raise _NoDumpError(f"it holds {name[:40]!a} where rows are expected")
        self.has_root = True
        self.depth += 1
        self.begun = attributes, self.base + self.expat.CurrentByteIndex

    def end(self, name: str) -> None:  # noqa: ARG002  # expat passes it
        self.depth -= 1
        if self.depth:
            self.found.append(DumpRow(*self.begun, self.base + self.expat.CurrentByteIndex))

    def refuse(self, *_: object) -> None:
        # A document type declaration could define entities that expand to much text.
        raise _NoDumpError("it has a document type declaration")


def _blank(reference: re.Match[bytes]) -> bytes:
    """Replaces an illegal reference by an equally long reference to a blank or a tab, so that offsets stay right."""
    digits = len(reference[0]) - len(b"&#;")
    return b"&#%s;" % (b"9" if digits == 1 else b"32".rjust(digits, b"0"))
