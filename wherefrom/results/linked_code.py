"""The code that a permalink names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class LinkedCode:
    """The file that a permalink names, read from an index or from a clone that it knows.

    Attributes:
        name: `REPOSITORY:PATH`.
        content: all bytes of the file.
        lines: the lines that the permalink names: first and last, from 1, inclusive; None where it names none.
        sources: URLs that name it as a source, for `SearchOptions.sources`.
        revision: the commit that it was read at.
        asked: the revision that the permalink names.
        is_as_asked: it was read at that revision; else at the indexed one, which may have other lines.
        written: the day before which none of the lines was written, for `SearchOptions.written`; None where it is not
            asked for, or not known: the clone is gone or shallow, or its history too long.
    """

    name: str
    content: bytes
    lines: tuple[int, int] | None
    sources: tuple[str, ...]
    revision: str
    asked: str
    is_as_asked: bool
    written: date | None = None
