"""Which files of a project a change touches, with both of their contents, or with the lines that it adds."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from wherefrom.analyzers.content import name_reason
from wherefrom.analyzers.positions import is_utf16
from wherefrom.changes.patches import FilePatch, applied, texts
from wherefrom.errors import DiffError
from wherefrom.model import SkipReason
from wherefrom.printable import visible
from wherefrom.sources import Entry
from wherefrom.sources.lines import added_lines
from wherefrom.sources.source import is_blob, refusal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from wherefrom.options import Limits
    from wherefrom.sources.checkout import Files

BATCH = 64
"""Files that are compared at a time."""

MOST_MOVED, MOST_MOVED_BYTES = 2000, 100_000_000
"""Deleted files among which that of a new one is looked for by its lines; where there are more, only by its content."""

SIMILAR = 0.5
"""Share of a file, in bytes of lines, from which on it is another one that was moved; it is that of `git diff -M`."""

_OFTEN = 50
"""Deleted files that share a line from which on it tells nothing."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A file that is to be looked at, or why not.

    Attributes:
        path: of it.
        content: all its bytes, or why they are not looked at.
        added: the lines (1-based, inclusive, ascending) that count; None: all.
    """

    path: str
    content: bytes | SkipReason
    added: Sequence[tuple[int, int]] | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A file before and after a change.

    Attributes:
        path: after the change; before it where the file is gone.
        old: all its bytes before, or those of the deleted file that it was; None for a new file.
        new: all its bytes after, or why they are not looked at; None for a file that is gone.
        old_path: before the change; None for a new file.
    """

    path: str
    old: bytes | None
    new: bytes | SkipReason | None
    old_path: str | None


class Scope:
    """Which paths are meant.

    Args:
        paths: those that are, or stand under, one of these; empty for the whole project.
        only: of these only those; None: all.
    """

    def __init__(self, paths: Collection[str], only: frozenset[str] | None = None) -> None:
        self._paths = frozenset(paths)
        self._only = only

    def holds(self, path: str) -> bool:
        """Whether a path is meant."""
        if self._only is not None and path not in self._only:
            return False
        if not self._paths or "" in self._paths or path in self._paths:
            return True
        return any(path[:at] in self._paths for at, character in enumerate(path) if character == "/")


def whole(files: Files, scope: Scope, limits: Limits) -> tuple[Iterator[Changed], list[str]]:
    """Every file that is meant, and the paths of all of these."""
    entries = [entry for entry in files.entries() if scope.holds(entry.path)]
    return _read_whole(files, entries, limits), [entry.path for entry in entries]


def _read_whole(files: Files, entries: Sequence[Entry], limits: Limits) -> Iterator[Changed]:
    reasons = {entry.path: _reason(entry, limits) for entry in entries}
    contents = files.read(entry for entry in entries if reasons[entry.path] is None)
    for entry in entries:
        reason = reasons[entry.path]
        yield Changed(entry.path, next(contents)[1] if reason is None else reason)


def _reason(entry: Entry, limits: Limits) -> SkipReason | None:
    return entry.skip or refusal(entry, limits.max_file_size) or name_reason(entry.path, limits)


def between(old: Files, new: Files, scope: Scope, limits: Limits) -> tuple[Iterator[Changed], list[str]]:
    """The files that are meant and not in the old state as they are, with the lines that are added; and the paths among
    which they are: of all that may differ, and of those that are gone.

    A file that was moved adds what its old content does not have.
    """
    comparison = _Comparison(old, new, limits.max_file_size)
    fresh = comparison.fresh(scope)
    looked_at = [entry.path for entry in fresh] + [path for path in comparison.gone if scope.holds(path)]
    return comparison.changed(fresh), looked_at


def pairs(old: Files, new: Files, limits: Limits) -> Iterator[Pair]:
    """The files that differ between two states of a project, those that are gone last; one that was moved without a
    change is left out.
    """
    comparison = _Comparison(old, new, limits.max_file_size)
    for batch in _batches(comparison.fresh(Scope(()))):
        yield from comparison.pairs(batch)
    yield from comparison.removed()


def patched_pairs(files: Files, patches: Sequence[FilePatch]) -> Iterator[Pair]:
    """The files of texts that a diff changes; the project may be as it was before the diff, or as it is after it.

    Args:
        files: the project.
        patches: what the diff does.

    Raises:
        DiffError: a file of the project is neither.
    """
    there = {entry.path: entry for entry in files.entries()}
    for patch in texts([*patches]):
        back = patch.reversed()
        if patch.old is None or patch.new is None:
            old = None if patch.old is None else applied(b"", back)
            new = None if patch.new is None else applied(b"", patch)
        else:
            old, new = _both(files, there, patch, back)
        yield Pair(patch.new or patch.old or "", old, new, patch.old)


def _both(files: Files, there: Mapping[str, Entry], patch: FilePatch, back: FilePatch) -> tuple[bytes, bytes]:
    """Both contents of a file, of which one is at hand."""
    for side in (patch, back):
        entry = there.get(side.old or "")
        content = None if entry is None else next(iter(files.read([entry])))[1]
        if isinstance(content, bytes):
            try:
                other = applied(content, side)
            except DiffError:
                continue
            return (content, other) if side is patch else (other, content)
    raise DiffError(
        f"the diff changes {visible(patch.old or '')}, which is here neither as before the diff nor as after it; "
        "check out the commit that it was made of"
    )


def _batches(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    waiting = iter(entries)
    while batch := list(islice(waiting, BATCH)):
        yield batch


def _blob(entries: dict[str, Entry], path: str) -> str | None:
    return entries[path].blob if path in entries else None


class _Comparison:
    """Two states of a project.

    Args:
        old, new: the states.
        max_size: bytes of the longest file that is compared.

    Attributes:
        gone: the paths that only the old state has.
    """

    def __init__(self, old: Files, new: Files, max_size: int) -> None:
        self._old, self._new, self._max_size = old, new, max_size
        self._before = {entry.path: entry for entry in old.entries()}
        self._after = {entry.path: entry for entry in new.entries()}
        self.gone = sorted(self._before.keys() - self._after.keys())
        self._moved = _Moved(old, [self._before[path] for path in self.gone])

    def fresh(self, scope: Scope) -> list[Entry]:
        """The files of the new state that are meant and not in the old one as they are."""
        meant = [entry for entry in self._after.values() if scope.holds(entry.path)]
        return [entry for entry in meant if entry.blob is None or _blob(self._before, entry.path) != entry.blob]

    def changed(self, fresh: Sequence[Entry]) -> Iterator[Changed]:
        """What has changed of some files of the new state."""
        for batch in _batches(fresh):
            compared: list[tuple[str, bytes, bytes]] = []
            for pair in self.pairs(batch):
                if isinstance(pair.new, bytes):
                    compared.append((pair.path, pair.old or b"", pair.new))
                elif pair.new is not None:
                    yield Changed(pair.path, pair.new)
            lines = added_lines([(_plain(old), _plain(new)) for _, old, new in compared])
            for (path, _, content), added in zip(compared, lines, strict=True):
                yield Changed(path, content, added)

    def pairs(self, batch: Sequence[Entry]) -> Iterator[Pair]:
        """Both contents of some files of the new state, those whose content is the old one left out."""
        refused = {entry.path: entry.skip or refusal(entry, self._max_size) for entry in batch}
        contents = dict(self._contents(self._new, [entry for entry in batch if refused[entry.path] is None]))
        prior = dict(self._contents(self._old, self._differing(contents)))
        for entry in batch:
            content = contents.get(entry.path, refused[entry.path])
            if isinstance(content, bytes):
                old_path, source = self._source(entry.path, content, prior)
                if (source or b"") != content:
                    yield Pair(entry.path, source, content, old_path)
            elif content is not None and entry.blob is not None:
                # That it has changed is known by its blob alone; of what cannot be read in a work tree, nothing is.
                yield Pair(entry.path, None, content, None)

    def removed(self) -> Iterator[Pair]:
        """The files that are gone, and are none of those that `pairs` gave under another path."""
        gone = [self._before[path] for path in self.gone if path not in self._moved.used]
        for entry, content in self._old.read(entry for entry in gone if entry.skip is None):
            if isinstance(content, bytes):
                yield Pair(entry.path, content, None, entry.path)

    @staticmethod
    def _contents(files: Files, entries: Sequence[Entry]) -> Iterator[tuple[str, bytes | SkipReason]]:
        return ((entry.path, content) for entry, content in files.read(entries))

    def _differing(self, contents: Mapping[str, bytes | SkipReason]) -> list[Entry]:
        """The old files of these paths whose contents may be others."""
        known = ((self._before.get(path), content) for path, content in sorted(contents.items()))
        return [
            entry
            for entry, content in known
            if entry is not None
            and entry.skip is None
            and isinstance(content, bytes)
            and not (entry.blob and is_blob(content, entry.blob))
        ]

    def _source(
        self, path: str, content: bytes, prior: Mapping[str, bytes | SkipReason]
    ) -> tuple[str | None, bytes | None]:
        """What stood there before, or in the deleted file that it was, and the path of that."""
        if path not in self._before:
            return self._moved.source_of(content)
        entry = self._before[path]
        if path not in prior and entry.skip is None:
            return path, content
        before = prior.get(path)
        return (path, before) if isinstance(before, bytes) else (None, None)


def _plain(content: bytes) -> bytes:
    """A text as git splits it into lines."""
    return content.decode("utf-16", "replace").encode("utf-8", "replace") if is_utf16(content) else content


class _Moved:
    """The deleted files of a change, to find the one that a new file was."""

    def __init__(self, old: Files, entries: Sequence[Entry]) -> None:
        self.used: set[str] = set()
        """The paths of those that a new file was."""
        self._old = old
        self._entries = [entry for entry in entries if entry.skip is None]
        self._contents: list[tuple[str, bytes]] | None = None
        self._by_line: dict[bytes, set[int]] = {}

    def source_of(self, content: bytes) -> tuple[str | None, bytes | None]:
        """The path and the content of the deleted file that a new one was, both None where it is really new."""
        if not self._entries:
            return None, None
        for entry in self._entries:
            if entry.blob is not None and is_blob(content, entry.blob):
                self.used.add(entry.path)
                return entry.path, content
        if self._contents is None:
            self._contents = self._load()
        mine = _lines(content)
        size = sum(len(line) * count for line, count in mine.items())
        near = Counter(number for line in mine for number in self._by_line.get(line, ()))
        best, source = SIMILAR, None
        for number, _ in near.most_common(20):
            theirs = _lines(self._contents[number][1])
            shared = sum(len(line) * count for line, count in (mine & theirs).items())
            share = shared / max(size, sum(len(line) * count for line, count in theirs.items()))
            if share >= best:
                best, source = share, self._contents[number]
        if source is None:
            return None, None
        self.used.add(source[0])
        return source

    def _load(self) -> list[tuple[str, bytes]]:
        if len(self._entries) > MOST_MOVED or sum(entry.size or 0 for entry in self._entries) > MOST_MOVED_BYTES:
            return []
        read = self._old.read(self._entries)
        contents = [(entry.path, content) for entry, content in read if isinstance(content, bytes)]
        by_line: defaultdict[bytes, set[int]] = defaultdict(set)
        for number, (_, content) in enumerate(contents):
            for line in _lines(content):
                by_line[line].add(number)
        self._by_line = {line: numbers for line, numbers in by_line.items() if len(numbers) <= _OFTEN}
        return contents


def _lines(content: bytes) -> Counter[bytes]:
    return Counter(line for line in map(bytes.strip, content.split(b"\n")) if line)


class Patched:
    """A project as a diff would make it.

    Args:
        files: the project as it is.
        patches: what the diff does to it.

    Raises:
        DiffError: it does not apply.
    """

    def __init__(self, files: Files, patches: Sequence[FilePatch]) -> None:
        self._files = files
        self._there = {entry.path: entry for entry in files.entries()}
        self._made: dict[str, bytes] = {}
        self._gone: set[str] = set()
        for patch in texts([*patches]):
            self._apply(patch)

    @property
    def touched(self) -> frozenset[str]:
        """The paths that the diff makes, changes or deletes."""
        return frozenset({*self._made, *self._gone})

    def entries(self) -> Iterator[Entry]:
        """The files as they would be, by path."""
        kept = {path: entry for path, entry in self._there.items() if path not in self._gone}
        made = {path: Entry(path, None, len(content), None, path) for path, content in self._made.items()}
        yield from (entry for _, entry in sorted((kept | made).items()))

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """Their contents."""
        for entry in entries:
            made = self._made.get(entry.path)
            yield (entry, made) if made is not None else next(iter(self._files.read([entry])))

    def _apply(self, patch: FilePatch) -> None:
        content = b""
        if patch.old is not None:
            entry = self._there.get(patch.old)
            read = self._made.get(patch.old) if entry is None else next(iter(self._files.read([entry])))[1]
            if not isinstance(read, bytes):
                raise DiffError(
                    f"the diff changes {visible(patch.old)}, which is not there or no plain file; "
                    "give the output of `git diff` against these very files"
                )
            content = read
        elif patch.new in self._there and patch.new not in self._gone:
            raise DiffError(
                f"the diff makes {visible(patch.new)}, which is there already; "
                "give the output of `git diff` against these very files"
            )
        if patch.new in self._made:
            raise DiffError(f"the diff changes {visible(patch.new)} twice; give one diff at a time")
        if patch.new is not None:
            self._made[patch.new] = applied(content, patch)
            self._gone.discard(patch.new)
        if patch.old is not None and patch.old != patch.new and not patch.is_copy:
            self._gone.add(patch.old)
