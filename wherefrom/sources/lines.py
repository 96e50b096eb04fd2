"""Finds the new lines of a text with git."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from wherefrom.errors import GitError
from wherefrom.sources.clones import temporary_folder
from wherefrom.sources.command import GitFailed, object_environment, records
from wherefrom.support.pattern import later

_SECONDS = 600.0

_HEADER_BYTES = 10_000
"""An upper bound on the bytes of git's headers: those of one hunk, or those before the first hunk of a text."""

_HUNK = later(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NAME = later(rb"diff --git .*/(\d+)\"?")


def added_lines(pairs: Sequence[tuple[bytes, bytes]]) -> list[list[tuple[int, int]]]:
    """For each pair of an old and a new text, the ranges of lines that only the new text has: (first, last), 1-based
    and inclusive, ascending. A line is not new if only its line end (CR LF) has changed. Raises GitError if git is not
    installed, or failed.
    """
    found: list[list[tuple[int, int]]] = [[] for _ in pairs]
    with temporary_folder("lines") as folder:
        for number, texts in enumerate(pairs):
            for side, text in zip("ab", texts, strict=True):
                (folder / side).mkdir(exist_ok=True)
                (folder / side / str(number)).write_bytes(text)
        size = sum(len(old) + len(new) for old, new in pairs)
        for number, first, last in _hunks(_diff(folder, len(pairs), size)) if pairs else ():
            found[number].append((first, last))
    return found


def _diff(folder: Path, pairs: int, size: int) -> Iterator[bytes]:
    """The lines of the diff of the folders `a` and `b`, which have `pairs` files each and `size` bytes together."""
    # The files are alone in a temporary folder, with numbers as names. So no attributes and no settings apply to them.
    options = ["--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--text", "--no-renames", "-U0"]
    with object_environment(folder, 40) as environment:
        try:
            yield from records(
                ["diff", *options, "--ignore-cr-at-eol", "--diff-algorithm=histogram", f"{folder}/a", f"{folder}/b"],
                environment,
                seconds=_SECONDS,
                most_bytes=_HEADER_BYTES * (pairs + size),
                separator=b"\n",
                success=(0, 1),
            )
        except GitFailed as error:
            raise GitError(f"git cannot compare two texts: {error}; is its installation sound?") from None


def _hunks(lines: Iterator[bytes]) -> Iterator[tuple[int, int, int]]:
    """For each hunk that adds lines: (number of the pair, first added line, last added line)."""
    number = -1
    for line in lines:
        if name := _NAME.fullmatch(line):
            number = int(name[1])
        elif hunk := read_hunk(line, lines):
            _, _, first, added = hunk
            if added:
                yield number, first, first + added - 1


def read_hunk(line: bytes, lines: Iterator[bytes]) -> tuple[int, int, int, int] | None:
    """The numbers in the header of a hunk: the first line and the number of lines, old and new; None for another line.
    Skips the lines of the hunk by their number, since they may look like headers.
    """
    if (found := _HUNK.match(line)) is None:
        return None
    old, removed, new, added = (1 if value is None else int(value) for value in found.groups())
    left = removed + added
    while left:
        left -= not next(lines, b"").startswith(b"\\")
    return old, removed, new, added
