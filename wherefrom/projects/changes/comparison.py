"""Which files of a project a change touches, with both of their contents, or with the lines that it adds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wherefrom.analyzers.content import name_reason
from wherefrom.analyzers.positions import is_utf16
from wherefrom.errors import DiffError
from wherefrom.model import SkipReason
from wherefrom.options import Limits
from wherefrom.projects.changes.patches import FilePatch, applied, reverted
from wherefrom.sources.lines import added_lines
from wherefrom.sources.source import Entry, Files, blob_id, blob_ids, is_blob, refusal
from wherefrom.support.chunks import chunks
from wherefrom.support.printable import visible

BATCH = 64
"""Files that are compared at a time."""

MOST_MOVED, MOST_MOVED_BYTES = 2000, 100_000_000
"""Deleted files among which that of a new one is looked for by its lines; if there are more, only by its content."""

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
        paths: those that are, or are under, one of these; empty for the whole project.
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


def pairs(old: Files, new: Files, limits: Limits, *, only: frozenset[str] | None = None) -> Iterator[Pair]:
    """The files that differ between two states of a project (of the paths `only`, None: all), those that are gone last;
    one that was moved without a change is left out.
    """
    comparison = _Comparison(old, new, limits.max_file_size)
    for batch in chunks(comparison.fresh(Scope((), only)), BATCH):
        yield from comparison.pairs(batch)
    yield from comparison.removed()


class _Comparison:
    """Two states of a project.

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
        meant = (entry for entry in self._after.values() if scope.holds(entry.path))
        return [
            entry
            for entry in meant
            if entry.blob is None or entry.path not in self._before or self._before[entry.path].blob != entry.blob
        ]

    def changed(self, fresh: Sequence[Entry]) -> Iterator[Changed]:
        """What has changed of some files of the new state."""
        for batch in chunks(fresh, BATCH):
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
        """Both contents of some files of the new state that differ."""
        refused = {entry.path: entry.skip or refusal(entry, self._max_size) for entry in batch}
        read = self._new.read([entry for entry in batch if refused[entry.path] is None])
        contents = {entry.path: content for entry, content in read}
        prior = {entry.path: content for entry, content in self._old.read(list(self._differing(contents)))}
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
        """The files that are gone, without those that `pairs` gave under another path."""
        gone = [self._before[path] for path in self.gone if path not in self._moved.used]
        for entry, content in self._old.read(entry for entry in gone if entry.skip is None):
            if isinstance(content, bytes):
                yield Pair(entry.path, content, None, entry.path)

    def _differing(self, contents: Mapping[str, bytes | SkipReason]) -> Iterator[Entry]:
        """The old files of these paths whose contents may be others."""
        for path, content in sorted(contents.items()):
            entry = self._before.get(path)
            if entry is None or entry.skip is not None or not isinstance(content, bytes):
                continue
            if not entry.blob or not is_blob(content, entry.blob):
                yield entry

    def _source(
        self, path: str, content: bytes, prior: Mapping[str, bytes | SkipReason]
    ) -> tuple[str | None, bytes | None]:
        """What was there before, or in the deleted file that it was, and the path of that."""
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
        near = Counter(number for line in mine for number in self._by_line.get(line, ()))
        best, source = SIMILAR, None
        for number, _ in near.most_common(20):
            theirs = _lines(self._contents[number][1])
            share = _size(mine & theirs) / max(_size(mine), _size(theirs))
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


def _size(lines: Counter[bytes]) -> int:
    return sum(len(line) * count for line, count in lines.items())


class Patched:
    """A project before and after a diff, which may be applied to its files already, or not yet: each file tells.

    Args:
        files: the project as it is.
        patches: what the diff does to it.

    Attributes:
        before: the project without the diff.
        after: the project with it.

    Raises:
        DiffError: the diff is neither applied to a file nor applies to it.
    """

    def __init__(self, files: Files, patches: Sequence[FilePatch]) -> None:
        self._files = files
        self._there = {entry.path: entry for entry in files.entries()}
        self._before: dict[str, bytes | None] = {}
        self._after: dict[str, bytes | None] = {}
        self._named: set[str] = set()
        for patch in patches:
            if not patch.is_binary:
                self._take(patch)
        self.before: Files = Overlaid(self._before, files, self._there.values())
        self.after: Files = Overlaid(self._after, files, self._there.values())

    @property
    def touched(self) -> frozenset[str]:
        """The paths that the diff makes, changes or deletes."""
        return frozenset(self._named)

    def _take(self, patch: FilePatch) -> None:
        """Takes what a diff does to one file."""
        if patch.new is not None and self._after.get(patch.new) is not None:
            raise DiffError(f"the diff changes {visible(patch.new)} twice; give one diff at a time")
        is_gone = patch.new in self._after
        self._named.update(path for path in (patch.old, patch.new) if path is not None)
        if not is_gone and self._is_applied(patch):
            self._revert(patch)
        else:
            self._apply(patch)

    def _is_applied(self, patch: FilePatch) -> bool:
        """Whether a file is as the diff makes it. The ids of its contents tell, else its lines."""
        if patch.new is None:
            return patch.old is not None and self._content(patch.old) is None
        content = self._content(patch.new)
        if content is None or (patch.old != patch.new and not patch.is_copy and patch.old in self._there):
            return False
        if _has_id(content, patch.new_id):
            return True
        if patch.old == patch.new and _has_id(content, patch.old_id):
            return False
        try:
            before = reverted(content, patch)
        except DiffError:
            return False
        return patch.old is not None or not before

    def _revert(self, patch: FilePatch) -> None:
        content = self._content(patch.new) if patch.new is not None else b""
        if patch.new is not None:
            self._after[patch.new] = content
            if patch.old != patch.new:
                self._before[patch.new] = None
        if patch.old is not None and not patch.is_copy:
            self._before[patch.old] = reverted(content or b"", patch)

    def _apply(self, patch: FilePatch) -> None:
        content: bytes | None = b""
        if patch.old is not None:
            content = self._content(patch.old)
            if content is None:
                raise DiffError(
                    f"the diff changes {visible(patch.old)}, which is not there or is not a plain file; "
                    "give the output of `git diff` against these very files"
                )
        if patch.new is not None:
            if patch.old != patch.new and patch.new in self._there and patch.new not in self._after:
                # It is new by what the diff says, whatever it holds by now.
                self._before[patch.new] = None
            self._after[patch.new] = applied(content or b"", patch)
        if patch.old is not None and patch.old != patch.new and not patch.is_copy:
            self._after[patch.old] = None

    def _content(self, path: str) -> bytes | None:
        """What a file holds, or held before another part of the diff; None where it is not a plain file."""
        entry = self._there.get(path)
        if entry is None:
            return self._after.get(path)
        [(_, read)] = self._files.read([entry])
        return read if isinstance(read, bytes) else None


class Overlaid:
    """A project in which some files have other contents, or are not there (None).

    Args:
        contents: of these files.
        files: the project without them; None for nothing.
        there: its files.
    """

    def __init__(
        self, contents: Mapping[str, bytes | None], files: Files | None = None, there: Collection[Entry] = ()
    ) -> None:
        self._contents, self._files, self._there = contents, files, there

    def entries(self) -> Iterator[Entry]:
        """The files, by path."""
        made = (
            Entry(path, blob_id(text), len(text), None, path)
            for path, text in self._contents.items()
            if text is not None
        )
        kept = (entry for entry in self._there if entry.path not in self._contents)
        yield from sorted((*made, *kept), key=lambda entry: entry.path)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """Their contents."""
        for entry in entries:
            made = self._contents.get(entry.path)
            if made is not None:
                yield entry, made
            elif self._files is not None:
                yield from self._files.read([entry])


def _has_id(content: bytes, beginning: str) -> bool:
    """Whether the blob id of a content begins like this."""
    return bool(beginning) and any(blob.startswith(beginning) for blob in blob_ids(content))
