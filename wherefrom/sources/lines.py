"""Which lines of a text are new, as git tells it."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from wherefrom.errors import GitError
from wherefrom.sources.command import complaint, object_environment, run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SECONDS = 600.0

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NAME = re.compile(rb"diff --git .*/(\d+)\"?")


def added_lines(pairs: Sequence[tuple[bytes, bytes]]) -> list[list[tuple[int, int]]]:
    """For each (old, new) text the lines of the new one that are not in the old one: first and last, 1-based,
    inclusive, ascending. A line that only ends otherwise (CR LF) is none.

    Raises:
        GitError: git is not installed, or failed.
    """
    found: list[list[tuple[int, int]]] = [[] for _ in pairs]
    with TemporaryDirectory(prefix="wherefrom-lines-") as folder:
        for number, texts in enumerate(pairs):
            for side, text in zip("ab", texts, strict=True):
                (Path(folder) / side).mkdir(exist_ok=True)
                (Path(folder) / side / str(number)).write_bytes(text)
        for number, first, last in _hunks(_diff(folder)) if pairs else ():
            found[number].append((first, last))
    return found


def _diff(folder: str) -> bytes:
    # Both sides stand under numbers in a folder of their own: no name, attribute or configuration has any effect.
    options = ["--no-index", "--no-color", "--no-ext-diff", "--no-textconv", "--text", "--no-renames", "-U0"]
    with object_environment(Path(folder), 40) as environment:
        answer = run(
            ["diff", *options, "--ignore-cr-at-eol", "--diff-algorithm=histogram", f"{folder}/a", f"{folder}/b"],
            environment,
            seconds=_SECONDS,
        )
    if answer.returncode > 1:
        raise GitError(f"git cannot compare two texts: {complaint(answer.stderr)}; is its installation sound?")
    return answer.stdout


def _hunks(diff: bytes) -> Iterator[tuple[int, int, int]]:
    """(number of the pair, first added line, last added line) of each hunk that adds lines."""
    lines = iter(diff.split(b"\n"))
    number = -1
    for line in lines:
        if name := _NAME.fullmatch(line):
            number = int(name[1])
        elif hunk := _HUNK.match(line):
            removed, first, added = (int(group or 1) for group in hunk.groups())
            # What a hunk holds is passed over by its count: its lines may look like anything.
            left = removed + added
            while left:
                left -= not next(lines).startswith(b"\\")
            if added:
                yield number, first, first + added - 1
