"""Regions of a file as lines and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.analyzers.positions import is_utf16, newlines
from wherefrom.reports.sarif import Span

if TYPE_CHECKING:
    from wherefrom.results import Region


def span(content: bytes, region: Region) -> Span:
    """A region's lines with its columns, as SARIF counts them.

    Args:
        content: all bytes of the file, in UTF-8 or, with its byte order mark, in UTF-16.
        region: of that content.
    """
    return Span(
        region.start_line,
        _column(content, region.start_line, region.start_byte),
        region.end_line,
        _column(content, region.end_line, region.end_byte),
    )


def _column(content: bytes, line: int, position: int) -> int:
    """The column, from 1 and in UTF-16 code units, of a byte (0-based) in a line (1-based)."""
    unit = 2 if is_utf16(content) else 1
    start = int(newlines(content)[line - 2]) + unit if line > 1 else 0
    before = content[start:position]
    units = len(before) // 2 if unit == 2 else len(before.decode("utf-8", "replace").encode("utf-16-le")) // 2
    return units + 1
