"""Reads diffs as git writes them, and applies them to texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from wherefrom.errors import DiffError
from wherefrom.sources.history import unescaped
from wherefrom.support.paths import path_text
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field

_HUNK = re.compile(rb"@@+ ((?:-\d{1,9}(?:,\d{1,9})? )+)\+(\d{1,9}(?:,\d{1,9})?) @@+")
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_COLOR = re.compile(rb"\x1b\[[0-9;]*[mK]")
_MAIL = re.compile(rb"From [0-9a-f]{40,64} ")  # the first line of a patch in a series of mails, before its message

_COLORED = re.compile(rb"(?m)^\x1b\[[0-9;]*m(?:diff |--- |@@)")
_IDS = re.compile(rb"index ([0-9a-f]{7,64})(?:,[0-9a-f]+)*\.\.([0-9a-f]{7,64})(?: (\d{6}))?\r?$")
_MODE = re.compile(rb"(?:new file|deleted file|old|new) mode (?:\d{6},)*(\d{6})")
_MOVED = re.compile(rb"(rename|copy) (from|to) (.*)")
_SPECIAL = frozenset({b"120000", b"160000"})  # modes of links and of submodules

_PREFIXES = frozenset({b"a/", b"b/", b"i/", b"w/", b"c/", b"o/"})
"""The prefixes that git writes before names by default."""

REMEDY = "give the output of `git diff` against these very files"


@dataclass(slots=True)
class Hunk:
    """One hunk of a diff: the lines `old` of the old text are replaced by the lines `new`. They begin at line `start`
    of the old text and at line `new_start` of the new one (1-based). For a side without lines, the number is the line
    before the hunk.
    """

    start: int
    new_start: int
    old: list[bytes] = field(default_factory=list)
    new: list[bytes] = field(default_factory=list)


@dataclass(slots=True)
class FilePatch:
    """The part of a diff about one file."""

    old: str | None  # its path before the change; None if it does not exist then
    new: str | None  # its path after the change; None if it does not exist then
    hunks: list[Hunk] = field(default_factory=list)  # the changed parts, in the order of the file
    is_binary: bool = False  # whether it is not a text: binary, a link or a submodule
    is_copy: bool = False  # whether it is a copy, so that the old file stays where it is
    is_combined: bool = False  # whether it is compared with several parents, whose lines `Hunk.old` has
    old_id: str = ""  # the beginning of the blob id before; empty if the diff does not name it
    new_id: str = ""  # the same after the change


@dataclass(slots=True)
class _Section:
    """A file of a diff while the diff is read: its `diff` line without the command, its two names as the lines `---`
    and `+++` write them, and those in `rename from` and `rename to`, or `copy from` and `copy to`, by `from` and `to`.
    """

    patch: FilePatch
    head: bytes = b""
    names: tuple[bytes | None, bytes | None] | None = None
    moved: dict[bytes, bytes | None] = field(default_factory=dict)


def parse_diff(diff: bytes) -> list[FilePatch]:
    """The files that a diff changes. The diff may be unified or combined, with any prefixes before the names. Raises
    DiffError if it is not a diff, breaks off, or names a place outside of the project.
    """
    if _COLORED.search(diff):
        diff = _COLOR.sub(b"", diff)
    lines = diff.removesuffix(b"\n").split(b"\n")
    sections: list[_Section] = []
    at = 0
    is_message = has_hunks = False
    while at < len(lines):
        line = lines[at]
        at += 1
        is_header = line.startswith((b"diff --", b"--- "))
        is_message = (is_message and not is_header) or bool(_MAIL.match(line))
        if is_message:
            continue  # it may quote a hunk
        if line.startswith((b"diff --git ", b"diff --cc ", b"diff --combined ")):
            _, kind, head = line.split(b" ", 2)
            sections.append(_Section(FilePatch(None, None, is_combined=kind != b"--git"), head))
        elif line.startswith(b"--- ") and at < len(lines) and lines[at].startswith(b"+++ "):
            if not sections or sections[-1].names is not None:
                sections.append(_Section(FilePatch(None, None)))
            sections[-1].names = _written(line[4:]), _written(lines[at][4:])
            at += 1
        elif hunk := _HUNK.match(line):
            has_hunks = True
            if not sections:
                continue  # the message before a diff may quote one
            if sections[-1].names is None and not sections[-1].moved:
                raise DiffError(f"the diff does not name its file; {REMEDY}")
            at = _read_hunk(hunk, lines, at, sections[-1])
        elif sections:
            _read_header(line, sections[-1])
    if not sections and diff.strip():
        what = "the diff does not name its file" if has_hunks else "this is not a unified diff"
        raise DiffError(f"{what}; {REMEDY}")
    _name(sections)
    return [section.patch for section in sections if section.patch.old or section.patch.new]


def _read_header(line: bytes, section: _Section) -> None:
    patch = section.patch
    if moved := _MOVED.fullmatch(line):
        patch.is_copy = moved[1] == b"copy"
        section.moved[moved[2]] = _written(moved[3])
    elif ids := _IDS.match(line):
        patch.old_id, patch.new_id = (found.decode() if found.strip(b"0") else "" for found in ids.group(1, 2))
        patch.is_binary |= ids[3] in _SPECIAL
    elif mode := _MODE.match(line):
        patch.is_binary |= mode[1] in _SPECIAL
    elif line.startswith((b"GIT binary patch", b"Binary files ")):
        patch.is_binary = True


def applied(content: bytes, patch: FilePatch) -> bytes:
    """The new text of a file; DiffError if the patch was made for another text."""
    if patch.is_combined:
        raise _unfit(patch, patch.hunks[0].start if patch.hunks else 1)
    return _replaced(content, patch, [(hunk.start, hunk.old, hunk.new) for hunk in patch.hunks])


def reverted(content: bytes, patch: FilePatch) -> bytes:
    """The old text of a file; DiffError if the patch does not lead to this text. For a combined diff it has the lines
    of all parents.
    """
    return _replaced(content, patch, [(hunk.new_start, hunk.new, hunk.old) for hunk in patch.hunks])


def _replaced(content: bytes, patch: FilePatch, stretches: Iterable[tuple[int, list[bytes], list[bytes]]]) -> bytes:
    lines = _LINE.findall(content)
    made: list[bytes] = []
    done = 0
    for start, there, instead in stretches:
        first = max(start - 1, 0) if there else start
        here = lines[first : first + len(there)]
        # Git may convert line ends in a work tree.
        ours, theirs = ([line.replace(b"\r\n", b"\n") for line in side] for side in (here, there))
        if first < done or first > len(lines) or ours != theirs:
            raise _unfit(patch, first + 1)
        made += [*lines[done:first], *instead]
        done = first + len(there)
    return b"".join([*made, *lines[done:]])


def _unfit(patch: FilePatch, line: int) -> DiffError:
    return DiffError(f"the diff does not apply to {visible(patch.old or patch.new or '')} at line {line}; {REMEDY}")


def _read_hunk(header: re.Match[bytes], lines: list[bytes], at: int, section: _Section) -> int:
    """Adds the hunk whose lines begin at `lines[at]`. Returns the position of the line after it."""
    names = section.names or (section.head, section.head)
    name = visible(path_text((names[1] or names[0] or b"").removeprefix(b"b/")))  # its prefix is not known yet
    olds = [_counts(part[1:]) for part in header[1].split()]
    parents = len(olds)
    start, new = _counts(header[2])
    hunk = Hunk(olds[0][0], start)
    left = [count for _, count in olds]
    section.patch.is_combined |= parents > 1
    sides: tuple[list[bytes], ...] = ()
    while any(count > 0 for count in left) or new > 0 or (at < len(lines) and lines[at].startswith(b"\\")):
        if at == len(lines):
            raise DiffError(f"the diff breaks off in {name}; {REMEDY}")
        line = lines[at]
        at += 1
        if line.startswith(b"\\"):
            for side in filter(None, sides):
                side[-1] = side[-1].removesuffix(b"\n")
            continue
        signs, text = line[:parents].ljust(parents), line[parents:] + b"\n"
        if signs == b"\r".ljust(parents):
            signs, text = b" " * parents, b"\r\n"
        if signs.strip(b" -+"):
            raise DiffError(f"the diff breaks off in {name}; {REMEDY}")
        is_gone = b"-" in signs
        has_line = [sign == (b"-" if is_gone else b" ")[0] for sign in signs]
        left = [count - has for count, has in zip(left, has_line, strict=True)]
        new -= not is_gone
        if new < 0 or min(left) < 0:
            raise DiffError(f"a hunk for {name} is not as long as it says; {REMEDY}")
        sides = (*([hunk.old] if any(has_line) else []), *([] if is_gone else [hunk.new]))
        for side in sides:
            side.append(text)
    section.patch.hunks.append(hunk)
    return at


def _counts(written: bytes) -> tuple[int, int]:
    """Splits `3,7` into a line and a number of lines; `3` alone means one line."""
    start, _, count = written.partition(b",")
    return int(start), int(count) if count else 1


def _written(name: bytes) -> bytes | None:
    """A name from a header without its quotes; None for `/dev/null`."""
    name = name.removesuffix(b"\r")
    quoted = _QUOTED.match(name)
    path = unescaped(quoted[1]) if quoted else name.partition(b"\t")[0]
    if b".." in path.split(b"/"):
        raise _outside(path)
    return None if path == b"/dev/null" else re.sub(rb"^(?:\./)+", b"", path)


def _name(sections: Sequence[_Section]) -> None:
    """Gives every file its paths: its names without their prefixes.

    Both names of a file that stays at its path end with that path, so they show the prefixes. A new or deleted file has
    both names in its line `diff --git`. Prefixes that a file does not show are taken to be as long as in most others.
    """
    lengths: Counter[int] = Counter()
    for section in sections:
        patch = section.patch
        if section.moved:
            patch.old, patch.new = (_path(section.moved.get(key)) for key in (b"from", b"to"))
        elif section.names is not None:
            old, new = section.names
            other = _other_name(section.head, new or old or b"", is_new=new is not None)
            prefixes = _prefixes(old if old is not None else other, new if new is not None else other)
            if patch.is_combined and section.head:
                bare = _written(section.head)
                prefixes = None if bare is None else (_before(old, bare), _before(new, bare))
            if prefixes is not None:
                lengths[max(prefixes)] += 1
                patch.old = _path(None if old is None else old[prefixes[0] :])
                patch.new = _path(None if new is None else new[prefixes[1] :])
    [(most, _)] = lengths.most_common(1) or [(len(b"a/"), 0)]
    for section in sections:
        patch = section.patch
        if section.names is not None and not section.moved and patch.old is None and patch.new is None:
            patch.old, patch.new = (_path(_without_prefix(name, most)) for name in section.names)


def _prefixes(old: bytes | None, new: bytes | None) -> tuple[int, int] | None:
    if old is None or new is None:
        return None
    if old == new:
        return 0, 0
    if {old[:2], new[:2]} <= _PREFIXES and old[2:] == new[2:]:
        return 2, 2
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(reversed(old), reversed(new), strict=False)))
    slash = old.find(b"/", len(old) - shared)
    return None if slash < 0 else (slash + 1, slash + 1 + len(new) - len(old))


def _other_name(head: bytes, name: bytes, *, is_new: bool) -> bytes | None:
    """The name of the missing side of a new or deleted file, from its line `diff --git OLD NEW`."""
    head = head.removesuffix(b"\r")
    if head.startswith(b'"') or head.endswith(b'"'):
        names = [unescaped(quoted[1]) for quoted in _QUOTED.finditer(head)]
        return next((other for other in names if other != name), name if names else None)
    if is_new:
        return head[: -len(name) - 1] if head.endswith(b" " + name) else None
    return head[len(name) + 1 :] if head.startswith(name + b" ") else None


def _before(name: bytes | None, path: bytes) -> int:
    """The length of a name's prefix before this path; 0 if the name does not end with the path."""
    return len(name) - len(path) if name is not None and name.endswith(path) else 0


def _without_prefix(name: bytes | None, length: int) -> bytes | None:
    """A name without its prefix of this length. A prefix of two bytes is removed only if git writes it by default."""
    if name is None or (length == len(b"a/") and name[:2] not in _PREFIXES):
        return name
    return name[length:]


def _path(path: bytes | None) -> str | None:
    if path is None:
        return None
    if b"\0" in path or any(part.lower() in {b"", b".", b"..", b".git"} for part in path.split(b"/")):
        raise _outside(path)
    return path_text(path)


def _outside(path: bytes) -> DiffError:
    return DiffError(f"the diff names {visible(path_text(path))!r}, which is not a path in the project; {REMEDY}")
