"""The text of a source in a page: every character is visible, long lines and long files are cut around matches."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from wherefrom.support.positions import UTF8_BOM, encoding, is_wide, mark_length, unit
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass

LONGEST_LINE = 1000  # a line with more characters than this is cut

LINE_HEAD, BEFORE, MATCH_HEAD, MATCH_TAIL, AFTER = 200, 40, 400, 100, 40
"""The numbers of characters that a long line keeps: at its beginning, before a match, at the beginning of the match, at
its end, and after it."""

MOST_WINDOWS = 20  # at most this many matches of a long line stay
LEAST_CUT = 30  # parts of a line with fewer characters are not cut

LONG_FILE, NEAR, LEAST_LINES = 100_000, 30, 20
"""A file with at least `LONG_FILE` characters is cut. `NEAR` lines stay before and after each match, and fewer than
`LEAST_LINES` lines in a row are not cut."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """A replacement of characters (half-open) by a text."""

    start: int
    end: int
    text: str


class ShownText:
    """The shown text of a source, and the offsets of the source's bytes in it.

    Args:
        source: a text in UTF-8, or in UTF-16 with a byte order mark. Invalid bytes are shown as such.
        matches: the byte offsets of matches, half-open.
        rewrite: returns further replacements in the text, such as those of names.

    Attributes:
        text: the shown text, with line feeds as line ends.
        segments: for each run of lines that follow each other in the source, its first line: (line of the text, line
            of the source), both 0-based.
        lines: the number of lines of the source.
    """

    def __init__(
        self,
        source: bytes,
        matches: Sequence[tuple[int, int]] = (),
        rewrite: Callable[[str], Iterable[Edit]] | None = None,
    ) -> None:
        text, begins = _decoded(source)
        codes = _codes(text)
        line_starts = [0, *(end + 1 for end in np.flatnonzero(codes == ord("\n")).tolist())]
        self.lines = len(line_starts) - (line_starts[-1] == len(text))
        ends_of = np.asarray(matches, np.int64).reshape(-1, 2)
        characters = np.clip(ends_of, 0, len(text)) if begins is None else np.searchsorted(begins, ends_of)
        spans = [(first, last) for first, last in characters.tolist()]
        dropped = [*_unmatched_lines(text, line_starts, spans)]
        removed = (Edit(line_starts[first], line_starts[last], "") for first, last in dropped)
        rewritten = rewrite(text) if rewrite is not None else ()
        edits = merged([*removed, *_cut_lines(line_starts, len(text), spans), *_unseen(text), *rewritten])
        self.segments = _segments(dropped, self.lines)
        self._begins = begins
        self._offsets: NDArray[np.int64] | None = None
        if not edits and text.isascii():
            self.text = text
            return
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
        """Converts byte offsets in the source to offsets in the text, in UTF-16 units; the nearest for hidden bytes."""
        at = np.asarray(places, np.int64)
        if self._begins is not None:
            at = np.searchsorted(self._begins, at)
        last = len(self.text) if self._offsets is None else len(self._offsets) - 1
        at = np.clip(at, 0, last)
        shown: list[int] = (at if self._offsets is None else self._offsets[at]).tolist()
        return shown


def _decoded(source: bytes) -> tuple[str, NDArray[np.int64] | None]:
    """The text of a source, and the offset of the first byte of each character (None if all of them are one byte)."""
    if source.isascii():
        return source.decode("ascii"), None
    if is_wide(source):
        mark, width = mark_length(source), unit(source)
        is_whole = width == 2 and len(source) % 2 == 0
        text = source[mark:].decode(encoding(source), "surrogatepass" if is_whole else "replace")
        widths = np.where(_codes(text) >= 0x10000, 4, width)
        return text, np.concatenate([[mark], mark + np.cumsum(widths)])
    text = source.decode("utf-8", "surrogateescape")
    codes = _codes(text)
    widths = 1 + (codes >= 0x80) + (codes >= 0x800).astype(np.int64) + (codes >= 0x10000)
    widths[(codes >= 0xDC80) & (codes <= 0xDCFF)] = 1
    return text, np.concatenate([[0], np.cumsum(widths)])


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


def _unseen(text: str) -> Iterator[Edit]:
    """Replaces characters that a browser would not show, or would act on."""
    if text.translate({9: None, 10: None}).isprintable():
        return
    codes = _codes(text)
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
    """The lines of a long text that are far from every match: 0-based, half-open."""
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
    """The attribute `segments` of `ShownText`, from the lines that are not shown."""
    segments = []
    shown = at = 0
    for first, last in [*dropped, (lines, lines)]:
        if at < first:
            segments.append((shown, at))
        shown += first - at
        at = last
    return segments or [(0, 0)]


def _cut_lines(line_starts: Sequence[int], length: int, spans: Sequence[tuple[int, int]]) -> Iterator[Edit]:
    """Shortens lines that are too long: notes replace the parts far from matches."""
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


def merged(edits: Iterable[Edit]) -> list[Edit]:
    """Sorts edits. If some overlap, only the one that begins first stays, or the longest of those that begin there."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if edit.start < edit.end and (not kept or kept[-1].end <= edit.start):
            kept.append(edit)
    return kept
