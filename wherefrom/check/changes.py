"""What is to be looked at: every file of a project, or those of a change with the lines that it adds."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from wherefrom.analyzers.content import name_reason
from wherefrom.analyzers.positions import is_utf16
from wherefrom.check.patches import FilePatch, applied, reverted
from wherefrom.errors import DiffError
from wherefrom.model import SkipReason
from wherefrom.printable import visible
from wherefrom.sources import Entry
from wherefrom.sources.lines import added_lines
from wherefrom.sources.source import blob_ids, is_blob, refusal

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
    before = {entry.path: entry for entry in old.entries()}
    after = {entry.path: entry for entry in new.entries()}
    meant = [entry for entry in after.values() if scope.holds(entry.path)]
    fresh = [entry for entry in meant if entry.blob is None or _blob(before, entry.path) != entry.blob]
    gone = sorted(before.keys() - after.keys())
    looked_at = [entry.path for entry in fresh] + [path for path in gone if scope.holds(path)]
    comparison = _Comparison(old, new, before, _Moved(old, [before[path] for path in gone]), limits.max_file_size)
    return comparison.changed(fresh), looked_at


def _blob(entries: dict[str, Entry], path: str) -> str | None:
    return entries[path].blob if path in entries else None


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Two states of a project; `before` are the files of the old one by path."""

    old: Files
    new: Files
    before: dict[str, Entry]
    moved: _Moved
    max_size: int

    def changed(self, fresh: Sequence[Entry]) -> Iterator[Changed]:
        """What has changed of some files of the new state."""
        waiting = iter(fresh)
        while batch := list(islice(waiting, BATCH)):
            yield from self._batch(batch)

    def _batch(self, batch: Sequence[Entry]) -> Iterator[Changed]:
        refused = {entry.path: entry.skip or refusal(entry, self.max_size) for entry in batch}
        contents = dict(self._contents(self.new, [entry for entry in batch if refused[entry.path] is None]))
        prior = dict(self._contents(self.old, self._differing(contents)))
        pairs: list[tuple[str, bytes, bytes]] = []
        for entry in batch:
            content = contents.get(entry.path, refused[entry.path])
            if isinstance(content, bytes):
                source = self._source(entry.path, content, prior)
                if source != content:
                    pairs.append((entry.path, source, content))
            elif content is not None and entry.blob is not None:
                # That it has changed is known by its blob alone; of what cannot be read in a work tree, nothing is.
                yield Changed(entry.path, content)
        lines = added_lines([(_plain(source), _plain(content)) for _, source, content in pairs])
        for (path, _, content), added in zip(pairs, lines, strict=True):
            yield Changed(path, content, added)

    @staticmethod
    def _contents(files: Files, entries: Sequence[Entry]) -> Iterator[tuple[str, bytes | SkipReason]]:
        return ((entry.path, content) for entry, content in files.read(entries))

    def _differing(self, contents: Mapping[str, bytes | SkipReason]) -> list[Entry]:
        """The old files of these paths whose contents may be others."""
        known = ((self.before.get(path), content) for path, content in sorted(contents.items()))
        return [
            entry
            for entry, content in known
            if entry is not None
            and entry.skip is None
            and isinstance(content, bytes)
            and not (entry.blob and is_blob(content, entry.blob))
        ]

    def _source(self, path: str, content: bytes, prior: Mapping[str, bytes | SkipReason]) -> bytes:
        """What stood there before, or in the deleted file that it was."""
        if path not in self.before:
            return self.moved.source_of(content)
        entry = self.before[path]
        if path not in prior and entry.skip is None:
            return content
        before = prior.get(path)
        return before if isinstance(before, bytes) else b""


def _plain(content: bytes) -> bytes:
    """A text as git splits it into lines."""
    return content.decode("utf-16", "replace").encode("utf-8", "replace") if is_utf16(content) else content


class _Moved:
    """The deleted files of a change, to find the one that a new file was."""

    def __init__(self, old: Files, entries: Sequence[Entry]) -> None:
        self._old = old
        self._entries = [entry for entry in entries if entry.skip is None]
        self._contents: list[bytes] | None = None
        self._by_line: dict[bytes, set[int]] = {}

    def source_of(self, content: bytes) -> bytes:
        """The content of the deleted file that a new one was, empty where it is really new."""
        if not self._entries:
            return b""
        if any(entry.blob is not None and is_blob(content, entry.blob) for entry in self._entries):
            return content
        if self._contents is None:
            self._contents = self._load()
        mine = _lines(content)
        size = sum(len(line) * count for line, count in mine.items())
        near = Counter(number for line in mine for number in self._by_line.get(line, ()))
        best, text = SIMILAR, b""
        for number, _ in near.most_common(20):
            theirs = _lines(self._contents[number])
            shared = sum(len(line) * count for line, count in (mine & theirs).items())
            share = shared / max(size, sum(len(line) * count for line, count in theirs.items()))
            if share >= best:
                best, text = share, self._contents[number]
        return text

    def _load(self) -> list[bytes]:
        if len(self._entries) > MOST_MOVED or sum(entry.size or 0 for entry in self._entries) > MOST_MOVED_BYTES:
            return []
        contents = [content for _, content in self._old.read(self._entries) if isinstance(content, bytes)]
        by_line: defaultdict[bytes, set[int]] = defaultdict(set)
        for number, content in enumerate(contents):
            for line in _lines(content):
                by_line[line].add(number)
        self._by_line = {line: numbers for line, numbers in by_line.items() if len(numbers) <= _OFTEN}
        return contents


def _lines(content: bytes) -> Counter[bytes]:
    return Counter(line for line in map(bytes.strip, content.split(b"\n")) if line)


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
        self.before: Files = _Overlaid(files, self._there, self._before)
        self.after: Files = _Overlaid(files, self._there, self._after)

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
        elif patch.new in self._there and patch.new not in self._after:
            # It is new by what the diff says, whatever it holds by now.
            self._before[patch.new] = None
        if patch.new is not None:
            self._after[patch.new] = applied(content or b"", patch)
        if patch.old is not None and patch.old != patch.new and not patch.is_copy:
            self._after[patch.old] = None

    def _content(self, path: str) -> bytes | None:
        """What a file holds, or held before another part of the diff; None where it is no plain file."""
        entry = self._there.get(path)
        if entry is None:
            return self._after.get(path)
        [(_, read)] = self._files.read([entry])
        return read if isinstance(read, bytes) else None


class _Overlaid:
    """A project in which some files have other contents, or are not there (None)."""

    def __init__(self, files: Files, there: Mapping[str, Entry], contents: Mapping[str, bytes | None]) -> None:
        self._files, self._there, self._contents = files, there, contents

    def entries(self) -> Iterator[Entry]:
        """The files, by path."""
        made = {
            path: Entry(path, None, len(text), None, path) for path, text in self._contents.items() if text is not None
        }
        kept = {path: entry for path, entry in self._there.items() if path not in self._contents}
        yield from (entry for _, entry in sorted((kept | made).items()))

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """Their contents."""
        for entry in entries:
            made = self._contents.get(entry.path)
            yield (entry, made) if made is not None else next(iter(self._files.read([entry])))


def _has_id(content: bytes, beginning: str) -> bool:
    """Whether the blob id of a content begins like this."""
    return bool(beginning) and any(blob.startswith(beginning) for blob in blob_ids(content))
