"""Unified diffs: what they say, and the texts that they make."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wherefrom.errors import DiffError
from wherefrom.printable import visible
from wherefrom.sources.source import path_text

if TYPE_CHECKING:
    from collections.abc import Iterator

_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_REMEDY = "give the output of `git diff` against these very files"


@dataclass(slots=True)
class Hunk:
    """A stretch of the old text, from line `start` (1-based; 0 for one without lines), and what stands there then."""

    start: int
    old: list[bytes] = field(default_factory=list)
    new: list[bytes] = field(default_factory=list)


@dataclass(slots=True)
class FilePatch:
    """What a diff does to a file: `old` and `new` are its paths before and after, None where there is none. The old one
    stays where it is copied.
    """

    old: str | None
    new: str | None
    hunks: list[Hunk] = field(default_factory=list)
    is_binary: bool = False
    is_copy: bool = False

    def reversed(self) -> FilePatch:
        """What takes the change back."""
        hunks = []
        moved = 0
        for hunk in self.hunks:
            first = (hunk.start - 1 if hunk.old else hunk.start) + moved
            hunks.append(Hunk(first + 1 if hunk.new else first, hunk.new, hunk.old))
            moved += len(hunk.new) - len(hunk.old)
        return FilePatch(self.new, self.old, hunks, self.is_binary)


def parse(diff: bytes) -> list[FilePatch]:
    """The files that a unified diff changes, with `a/` and `b/` before their names taken away.

    Raises:
        DiffError: it is none, breaks off, or names a place outside of the project.
    """
    lines = diff.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    patches: list[FilePatch] = []
    is_named = False
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith(b"diff --git "):
            patches.append(FilePatch(None, None))
            is_named = True
        elif line.startswith(b"--- ") and at < len(lines) and lines[at].startswith(b"+++ "):
            if not is_named:
                patches.append(FilePatch(None, None))
            is_named = False
            patches[-1].old, patches[-1].new = _path(line[4:]), _path(lines[at][4:])
            at += 1
        elif patches and (moved := re.fullmatch(rb"(rename|copy) (from|to) (.*)", line)):
            patches[-1].is_copy = moved[1] == b"copy"
            if moved[2] == b"from":
                patches[-1].old = _path(moved[3], is_bare=True)
            else:
                patches[-1].new = _path(moved[3], is_bare=True)
        elif patches and line.startswith((b"GIT binary patch", b"Binary files ")):
            patches[-1].is_binary = True
        elif hunk := _HUNK.match(line):
            if not patches:
                raise DiffError(f"the diff does not say of which file it is; {_REMEDY}")
            at = _read_hunk(hunk, lines, at, patches[-1])
    if not patches and diff.strip():
        raise DiffError(f"this is not a unified diff; {_REMEDY}")
    return [each for each in patches if each.old or each.new]


def applied(content: bytes, patch: FilePatch) -> bytes:
    """The new text of a file.

    Raises:
        DiffError: the old text is another one.
    """
    lines = content.splitlines(keepends=True) if b"\r" not in content else content.split(b"\n")
    if b"\r" in content:  # only a line feed ends a line in a diff
        lines = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    made: list[bytes] = []
    done = 0
    for hunk in patch.hunks:
        first = max(hunk.start - 1, 0) if hunk.old else hunk.start
        here = lines[first : first + len(hunk.old)]
        if first < done or first > len(lines) or here != hunk.old:
            name = visible(patch.old or patch.new or "")
            raise DiffError(f"the diff does not apply to {name} at line {first + 1}; {_REMEDY}")
        made += [*lines[done:first], *hunk.new]
        done = first + len(hunk.old)
    return b"".join([*made, *lines[done:]])


def _read_hunk(header: re.Match[bytes], lines: list[bytes], at: int, patch: FilePatch) -> int:
    """Adds a hunk; gives the number of the line behind it."""
    start, old, _, new = (1 if group is None else int(group) for group in header.groups())
    hunk = Hunk(start)
    while len(hunk.old) < old or len(hunk.new) < new or (at < len(lines) and lines[at].startswith(b"\\")):
        if at == len(lines):
            raise DiffError(f"the diff breaks off in {visible(patch.new or patch.old or '')}; {_REMEDY}")
        sign, text = lines[at][:1], lines[at][1:] + b"\n"
        at += 1
        if sign == b"\\":
            _without_line_feed(hunk, lines[at - 2][:1])
            continue
        if sign not in {b" ", b"-", b"+", b""}:
            raise DiffError(f"the diff breaks off in {visible(patch.new or patch.old or '')}; {_REMEDY}")
        if sign != b"+":
            hunk.old.append(text)
        if sign != b"-":
            hunk.new.append(text)
    if len(hunk.old) != old or len(hunk.new) != new:
        raise DiffError(f"a hunk for {visible(patch.new or patch.old or '')} is not as long as it says; {_REMEDY}")
    patch.hunks.append(hunk)
    return at


def _without_line_feed(hunk: Hunk, sign: bytes) -> None:
    """The line before the remark that there is no newline has none."""
    for side in ([hunk.old] if sign != b"+" else []) + ([hunk.new] if sign != b"-" else []):
        if side:
            side[-1] = side[-1].removesuffix(b"\n")


def _path(written: bytes, *, is_bare: bool = False) -> str | None:
    """The path that a header names; `is_bare` says that nothing stands before it."""
    written = written.removesuffix(b"\r")
    quoted = _QUOTED.match(written)
    path = _ESCAPE.sub(_unescaped, quoted[1]) if quoted else written.partition(b"\t")[0]
    if path == b"/dev/null":
        return None
    if not is_bare and path[:2] in {b"a/", b"b/", b"i/", b"w/", b"c/", b"o/"}:
        path = path[2:]
    if not path or path.startswith(b"/") or b"\0" in path or _leads_out(path):
        raise DiffError(f"the diff names {visible(path_text(path))!r}, which is not a path in the project; {_REMEDY}")
    return path_text(path)


def _leads_out(path: bytes) -> bool:
    return any(part.lower() in {b"", b".", b"..", b".git"} for part in path.split(b"/"))


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8) & 0xFF]) if len(code) == 3 else _ESCAPES.get(code, code)


def texts(patches: list[FilePatch]) -> Iterator[FilePatch]:
    """The patches of texts; what they do to a binary file is not looked at."""
    return (each for each in patches if not each.is_binary)
