"""A source as a page holds it: every character is seen, long lines and long files are cut around what matches."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.positions import UTF8_BOM, encoding, is_utf16
from wherefrom.support.printable import visible

LONGEST_LINE = 1000
"""Characters from which on a line is cut."""

LINE_HEAD, BEFORE, MATCH_HEAD, MATCH_TAIL, AFTER = 200, 40, 400, 100, 40
"""Characters that are kept of a long line: its first ones, those before a match, the first and the last ones of the
match, those after it.
"""

MOST_WINDOWS = 20
"""Matches that are kept of a long line."""

LEAST_CUT = 30
"""Characters that are worth a cut."""

LONG_FILE, NEAR, LEAST_LINES = 100_000, 30, 20
"""Characters from which on a file is cut, lines that are kept around its matches, lines that are worth a cut."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Characters of a text, half-open, that are shown as others."""

    start: int
    end: int
    text: str


class ShownText:
    """A text, and where the bytes of its source are in it.

    Args:
        source: in UTF-8, or in UTF-16 by its byte order mark; bytes that are neither are seen as such.
        matches: what matches in it: byte offsets, half-open.
        rewrite: gives what else is shown in place of something, such as names.

    Attributes:
        text: what is shown; its lines end with line feeds.
        segments: (line of the text, line of the source), both 0-based: where lines begin to be shown that follow each
            other in the source; the first one is that of the first line.
        lines: how many lines the source has.
    """

    __slots__ = ("_begins", "_offsets", "lines", "segments", "text")

    def __init__(
        self,
        source: bytes,
        matches: Sequence[tuple[int, int]] = (),
        rewrite: Callable[[str], Iterable[Edit]] | None = None,
    ) -> None:
        text, begins = _decoded(source)
        ends = np.flatnonzero(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4") == ord("\n")).tolist()
        line_starts = [0, *(end + 1 for end in ends)]
        self.lines = len(line_starts) - (line_starts[-1] == len(text))
        ends_of = np.asarray(matches, np.int64).reshape(-1, 2)
        characters = np.clip(ends_of, 0, len(text)) if begins is None else np.searchsorted(begins, ends_of)
        spans = [(first, last) for first, last in characters.tolist()]
        dropped = [*_unmatched_lines(text, line_starts, spans)]
        edits = _merged(
            [
                *(Edit(line_starts[first], line_starts[last], "") for first, last in dropped),
                *_cut_lines(line_starts, len(text), spans),
                *_unseen(text),
                *(rewrite(text) if rewrite is not None else ()),
            ]
        )
        self.segments = _segments(dropped, self.lines)
        self._begins = begins
        self._offsets: NDArray[np.int64] | None = None
        if not edits and text.isascii():
            self.text = text
            return
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
        widths = 1 + (codes >= 0x10000).astype(np.int64)
        parts: list[str] = []
        done = 0
        for edit in edits:
            parts += text[done : edit.start], edit.text
            widths[edit.start : edit.end] = 0
            widths[edit.start] = len(edit.text.encode("utf-16-le")) // 2
            done = edit.end
        self.text = "".join([*parts, text[done:]])
        self._offsets = np.concatenate([[0], np.cumsum(widths)])

    def offsets(self, places: Sequence[int]) -> list[int]:
        """Where bytes of the source are in the text: UTF-16 code units, as scripts count; outside of it the nearest."""
        at = np.asarray(places, np.int64)
        if self._begins is not None:
            at = np.searchsorted(self._begins, at)
        last = len(self.text) if self._offsets is None else len(self._offsets) - 1
        at = np.clip(at, 0, last)
        shown: list[int] = (at if self._offsets is None else self._offsets[at]).tolist()
        return shown


def _decoded(source: bytes) -> tuple[str, NDArray[np.int64] | None]:
    """The text of a source, and at which byte each of its characters begins; None where characters are bytes."""
    name = encoding(source)
    if is_utf16(source):
        text = source[2:].decode(name, "surrogatepass" if len(source) % 2 == 0 else "replace")
        base, small = 2, 2
    else:
        if source.isascii():
            return source.decode("ascii"), None
        text = source.decode("utf-8", "surrogateescape")
        base, small = 0, 1
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)
    if small == 2:
        widths = 2 + 2 * (codes >= 0x10000)
    else:
        widths = 1 + (codes >= 0x80) + (codes >= 0x800).astype(np.int64) + (codes >= 0x10000)
        widths[(codes >= 0xDC80) & (codes <= 0xDCFF)] = 1
    return text, np.concatenate([[0], np.cumsum(widths)]) + base


def _unseen(text: str) -> Iterator[Edit]:
    """The characters that a browser would not show, or obey, and what is shown in their place."""
    if text.translate({9: None, 10: None}).isprintable():
        return
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    for code in np.unique(codes).tolist():
        character = chr(code)
        shown = visible(character)
        if shown == character or character in "\t\n":
            continue
        for at in np.flatnonzero(codes == code).tolist():
            is_line_end = character == "\r" and text[at + 1 : at + 2] == "\n"
            is_mark = at == 0 and character == UTF8_BOM.decode()
            yield Edit(at, at + 1, "" if is_line_end or is_mark else shown)


def _unmatched_lines(
    text: str, line_starts: Sequence[int], spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The lines of a long text that are far from what matches: 0-based, half-open."""
    if len(text) < LONG_FILE:
        return
    done = 0
    last_line = len(line_starts) - 1
    for first, last in sorted(spans):
        begin = max(bisect_right(line_starts, first) - 1 - NEAR, 0)
        if begin - done >= LEAST_LINES:
            yield done, begin
        done = max(done, bisect_right(line_starts, max(last - 1, first)) - 1 + NEAR + 1)
    if last_line - done >= LEAST_LINES and done:
        yield done, last_line


def _segments(dropped: Sequence[tuple[int, int]], lines: int) -> list[tuple[int, int]]:
    """Where lines begin to be shown that follow each other in the source."""
    segments = []
    shown = at = 0
    for first, last in dropped:
        if at < first:
            segments.append((shown, at))
        shown += first - at
        at = last
    if at < lines or not segments:
        segments.append((shown, at))
    return segments


def _cut_lines(line_starts: Sequence[int], length: int, spans: Sequence[tuple[int, int]]) -> Iterator[Edit]:
    """What is left out of lines that are too long."""
    bounds = np.append(np.asarray(line_starts, np.int64), length + 1)
    for line in np.flatnonzero(np.diff(bounds) > LONGEST_LINE).tolist():
        start, end = line_starts[line], int(bounds[line + 1]) - 1
        windows = [(start, start + LINE_HEAD)]
        for first, last in [span for span in sorted(spans) if span[0] < end and start < span[1]][:MOST_WINDOWS]:
            begin, stop = max(first, start), min(last, end)
            windows += (begin - BEFORE, min(stop, begin + MATCH_HEAD)), (max(begin, stop - MATCH_TAIL), stop + AFTER)
        at = start
        for first, last in [*sorted(windows), (end, end)]:
            if first - at >= LEAST_CUT:
                yield Edit(at, first, f"⟨{first - at:,} characters left out⟩")
            at = max(at, last)


def _merged(edits: Iterable[Edit]) -> list[Edit]:
    """Edits in their order; of those that overlap the one that begins first, and of these the longest."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if edit.start < edit.end and (not kept or kept[-1].end <= edit.start):
            kept.append(edit)
    return kept
