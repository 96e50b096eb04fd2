"""Finds the files that a change to a project touches, each with its old and new content or with its added lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property

from wherefrom.analyzers.content import most_bytes, name_reason
from wherefrom.errors import DiffError
from wherefrom.model import SkipReason
from wherefrom.options import Limits
from wherefrom.projects.changes.patches import REMEDY, FilePatch, applied, reverted
from wherefrom.queries.folders import folders_above
from wherefrom.sources.history import added_lines
from wherefrom.sources.source import Entry, Files, blob_id, blob_ids, is_blob, refusal
from wherefrom.support.chunks import chunks
from wherefrom.support.pattern import later
from wherefrom.support.positions import encoding, is_wide, mark_length
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, replace

BATCH = 64  # the number of files that are compared at a time

MOST_MOVED, MOST_MOVED_BYTES = 2000, 100_000_000
"""To find moved files, deleted files are compared with new ones line by line. If more files than this were deleted, or
more bytes, only an identical content shows that a file was moved."""

SIMILAR = 0.5
"""A new file counts as moved from a deleted one if their common lines have at least this share of the bytes of the
larger file. `git diff -M` uses the same share."""

MOST_LINES = 1_000_000
"""The highest line number that is accepted in a diff without its project, since a diff can name any number."""

_INSTALLED = later(r"(?:^|/)(?:node_modules|bower_components|jspm_packages|site-packages|\.?venv|\.tox|\.nox)/")

_OFTEN = 50  # a line that more than this many deleted files have is ignored in the search for moved files


@dataclass(frozen=True, slots=True)
class Changed:
    """A file to look at, with its bytes or why it is skipped. Only findings on its `added` lines (1-based, inclusive,
    ascending; None for all) count. If it `is_whole`, all lines are looked up, not only the added ones.
    """

    path: str
    content: bytes | SkipReason
    added: Sequence[tuple[int, int]] | None = None
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """A file before and after a change: its path after it, its bytes before it (or those of the deleted file that it
    was moved from) and after it (or why it is skipped), and its path before it. A new file has no `old` and no
    `old_path`; a deleted one has no `new`, and both paths are the old one.
    """

    path: str
    old: bytes | None
    new: bytes | SkipReason | None
    old_path: str | None


@dataclass(frozen=True, slots=True)
class Scope:
    """The paths to look at: these files, and everything below these folders; without paths, the whole project. If there
    is `only`, no path outside of it is in the scope.
    """

    paths: Collection[str]
    only: Collection[str] | None = None

    def holds(self, path: str) -> bool:
        """Whether a path is in the scope."""
        is_meant = self.only is None or path in self.only
        return is_meant and (not self.paths or any(place in self.paths for place in (path, *folders_above(path))))


def is_installed_copy(path: str) -> bool:
    """Whether a file is in a folder of installed packages, which are not the project's own code."""
    return _INSTALLED.search(path) is not None


def whole(files: Files, scope: Scope, limits: Limits) -> tuple[Iterator[Changed], list[str]]:
    """Every file in the scope, and the paths of these files."""
    entries = [entry for entry in files.entries() if scope.holds(entry.path)]
    return _read_whole(files, entries, limits), [entry.path for entry in entries]


def _read_whole(files: Files, entries: Sequence[Entry], limits: Limits) -> Iterator[Changed]:
    reasons = {
        entry.path: entry.skip
        or (SkipReason.VENDORED if is_installed_copy(entry.path) else None)
        or refusal(entry, most_bytes(entry.path, limits))
        or name_reason(entry.path, limits)
        for entry in entries
    }
    contents = files.read(entry for entry in entries if reasons[entry.path] is None)
    for entry in entries:
        reason = reasons[entry.path]
        yield Changed(entry.path, next(contents)[1] if reason is None else reason)


def between(old: Files, new: Files, scope: Scope, limits: Limits) -> tuple[Iterator[Changed], list[str]]:
    """Compares two states. Returns the files in the scope that differ, each with its added lines, and the paths of all
    files that may differ or are deleted. In a moved file, only lines that its origin does not have are added lines.
    """
    comparison = _Comparison(old, new, limits.max_file_size)
    fresh = comparison.fresh(scope)
    return comparison.changed(fresh), [*(entry.path for entry in fresh), *filter(scope.holds, comparison.gone)]


def pairs(old: Files, new: Files, limits: Limits, *, only: Collection[str] | None = None) -> Iterator[Pair]:
    """The files that differ between two states of a project, deleted ones last. `only` limits them to these paths. A
    file that was moved without a change is left out.
    """
    comparison = _Comparison(old, new, limits.max_file_size)
    for batch in chunks(comparison.fresh(Scope((), only)), BATCH):
        yield from comparison.pairs(batch)
    yield from comparison.removed()


class _Comparison:
    """Two states of a project; `gone` are the paths that only the old one has."""

    def __init__(self, old: Files, new: Files, max_size: int) -> None:
        self._old, self._new, self._max_size = old, new, max_size
        self._before = {entry.path: entry for entry in old.entries()}
        self._after = {entry.path: entry for entry in new.entries()}
        self.gone = sorted(self._before.keys() - self._after.keys())
        self._moved = _Moved(old, [self._before[path] for path in self.gone])

    def fresh(self, scope: Scope) -> list[Entry]:
        """The files of the new state in the scope, except those whose blob id shows that they are unchanged."""
        return [
            entry
            for entry in self._after.values()
            if scope.holds(entry.path)
            and (entry.blob is None or entry.path not in self._before or self._before[entry.path].blob != entry.blob)
        ]

    def changed(self, fresh: Sequence[Entry]) -> Iterator[Changed]:
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
        """The files of a batch whose contents differ."""
        refused = {entry.path: entry.skip or refusal(entry, self._max_size) for entry in batch}
        read = self._new.read([entry for entry in batch if refused[entry.path] is None])
        contents = {**refused, **{entry.path: content for entry, content in read}}
        prior = {entry.path: content for entry, content in self._old.read(list(self._differing(contents)))}
        for entry in batch:
            content = contents[entry.path]
            if isinstance(content, bytes):
                old_path, source = self._source(entry.path, content, prior)
                if (source or b"") != content:
                    yield Pair(entry.path, source, content, old_path)
            elif content is not None and entry.blob is not None:
                # Its blob id shows that it has changed. Unreadable files of a work tree have no blob id.
                yield Pair(entry.path, None, content, None)

    def removed(self) -> Iterator[Pair]:
        """The deleted files, except those that `pairs` gave as the origins of moved ones."""
        gone = [self._before[path] for path in self.gone if path not in self._moved.used]
        for entry, content in self._old.read(entry for entry in gone if entry.skip is None):
            if isinstance(content, bytes):
                yield Pair(entry.path, content, None, entry.path)

    def _differing(self, contents: Mapping[str, bytes | SkipReason | None]) -> Iterator[Entry]:
        for path, content in sorted(contents.items()):
            entry = self._before.get(path)
            if entry is None or entry.skip is not None or not isinstance(content, bytes):
                continue
            if not entry.blob or not is_blob(content, entry.blob):
                yield entry

    def _source(
        self, path: str, content: bytes, prior: Mapping[str, bytes | SkipReason]
    ) -> tuple[str | None, bytes | None]:
        if path not in self._before:
            return self._moved.source_of(content)
        before = prior.get(path, content if self._before[path].skip is None else None)
        return (path, before) if isinstance(before, bytes) else (None, None)


def _plain(content: bytes) -> bytes:
    """A text, converted to UTF-8 if it is UTF-16 or UTF-32, which git does not split into lines."""
    if not is_wide(content):
        return content
    return content[mark_length(content) :].decode(encoding(content), "replace").encode("utf-8", "replace")


class _Moved:
    """Finds the deleted file that a new file was moved from; `used` has the paths of the deleted files found so far."""

    def __init__(self, old: Files, entries: Sequence[Entry]) -> None:
        self.used: set[str] = set()
        self._old = old
        self._entries = [entry for entry in entries if entry.skip is None]

    def source_of(self, content: bytes) -> tuple[str | None, bytes | None]:
        """The path and content of the deleted file that a new file was moved from; both None for a really new file."""
        if not self._entries:
            return None, None
        same = (entry.path for entry in self._entries if entry.blob is not None and is_blob(content, entry.blob))
        path, source = next(same, None), content
        if path is None:
            contents, by_line = self._loaded
            mine = _lines(content)
            near = Counter(number for line in mine for number in by_line.get(line, ()))
            best = SIMILAR
            for number, _ in near.most_common(20):
                theirs = _lines(contents[number][1])
                share = _size(mine & theirs) / max(_size(mine), _size(theirs))
                if share >= best:
                    best, (path, source) = share, contents[number]
        if path is None:
            return None, None
        self.used.add(path)
        return path, source

    @cached_property
    def _loaded(self) -> tuple[list[tuple[str, bytes]], Mapping[bytes, set[int]]]:
        """The deleted files (path, content), and for each line that is not too common the positions of its files."""
        if len(self._entries) > MOST_MOVED or sum(entry.size or 0 for entry in self._entries) > MOST_MOVED_BYTES:
            return [], {}
        read = self._old.read(self._entries)
        contents = [(entry.path, content) for entry, content in read if isinstance(content, bytes)]
        by_line: defaultdict[bytes, set[int]] = defaultdict(set)
        for number, (_, content) in enumerate(contents):
            for line in _lines(content):
                by_line[line].add(number)
        return contents, {line: numbers for line, numbers in by_line.items() if len(numbers) <= _OFTEN}


def _lines(content: bytes) -> Counter[bytes]:
    return Counter(line for line in map(bytes.strip, content.split(b"\n")) if line)


def _size(lines: Counter[bytes]) -> int:
    return sum(len(line) * count for line, count in lines.items())


class Patched:
    """A project `before` and `after` a diff, and the paths that it creates, changes or deletes (`touched`). The content
    of each file decides whether the diff is already applied to it; DiffError if it is not, and cannot be applied.
    """

    def __init__(self, files: Files, patches: Sequence[FilePatch]) -> None:
        self._files = files
        self._there = {entry.path: entry for entry in files.entries()}
        self._before: dict[str, bytes | None] = {}
        self._after: dict[str, bytes | None] = {}
        self.touched: set[str] = set()
        for patch in patches:
            if not patch.is_binary:
                self._take(patch)
        self.before: Files = Overlaid(self._before, files, self._there.values())
        self.after: Files = Overlaid(self._after, files, self._there.values())

    def _take(self, patch: FilePatch) -> None:
        if patch.new is not None and self._after.get(patch.new) is not None:
            raise DiffError(f"the diff changes {visible(patch.new)} twice; give one diff at a time")
        is_gone = patch.new in self._after
        self.touched.update(path for path in (patch.old, patch.new) if path is not None)
        if is_gone or not self._is_applied(patch):
            self._apply(patch)
            return
        content: bytes | None = b""
        if patch.new is not None:
            content = self._after[patch.new] = self._content(patch.new)
            if patch.old != patch.new:
                self._before[patch.new] = None
        if patch.old is not None and not patch.is_copy:
            self._before[patch.old] = reverted(content or b"", patch)

    def _is_applied(self, patch: FilePatch) -> bool:
        """Whether the diff is already applied to a file, by the blob ids in the diff, or without them by the lines."""
        if patch.new is None:
            return patch.old is not None and self._content(patch.old) is None
        content = self._content(patch.new)
        if content is None or (patch.old != patch.new and not patch.is_copy and patch.old in self._there):
            return False
        if _has_id(content, patch.new_id):
            return True
        if patch.old == patch.new and _has_id(content, patch.old_id):
            return False
        with suppress(DiffError):
            before = reverted(content, patch)
            return patch.old is not None or not before
        return False

    def _apply(self, patch: FilePatch) -> None:
        content: bytes | None = b""
        if patch.old is not None:
            content = self._content(patch.old)
            if content is None:
                path = visible(patch.old)
                raise DiffError(f"the diff changes {path}, which is not there or is not a plain file; {REMEDY}")
        if patch.new is not None:
            if patch.old != patch.new and patch.new in self._there and patch.new not in self._after:
                # The diff creates the file, so it did not exist before, even if it is there now.
                self._before[patch.new] = None
            self._after[patch.new] = applied(content or b"", patch)
        if patch.old is not None and patch.old != patch.new and not patch.is_copy:
            self._after[patch.old] = None

    def _content(self, path: str) -> bytes | None:
        """The content of a file of the project, or of a file that the diff has created; None if it is not plain."""
        entry = self._there.get(path)
        if entry is None:
            return self._after.get(path)
        [(_, read)] = self._files.read([entry])
        return read if isinstance(read, bytes) else None


@dataclass(frozen=True)
class Overlaid:
    """A project with some files replaced: `contents` has the new ones by path, None for a deleted one. `there` are all
    files of the project; without one, there are only the new files.
    """

    contents: Mapping[str, bytes | None]
    files: Files | None = None
    there: Collection[Entry] = ()

    def entries(self) -> Iterator[Entry]:
        """The files, by path."""
        replaced = [(path, text) for path, text in self.contents.items() if text is not None]
        made = [Entry(path, blob_id(text), len(text), None, path) for path, text in replaced]
        kept = [entry for entry in self.there if entry.path not in self.contents]
        yield from sorted(made + kept, key=lambda entry: entry.path)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        """The contents of some of these files."""
        for entry in entries:
            made = self.contents.get(entry.path)
            if made is not None:
                yield entry, made
            elif self.files is not None:
                yield from self.files.read([entry])


class ShownProject(Overlaid):
    """The files of a project before a diff, made from the diff alone. Lines that the diff does not show are empty. A
    file of a combined diff, which has several old states, is as it is after the diff. The `patches` have each moved
    file under its new path alone: its few lines may not show that it was moved. Raises DiffError if a line number is
    beyond `MOST_LINES`.
    """

    key = "a diff"

    def __init__(self, patches: Sequence[FilePatch]) -> None:
        self.patches = [
            replace(patch, old=patch.new) if patch.old and patch.new and not patch.is_copy else patch
            for patch in patches
        ]
        shown = [
            (patch.new if patch.is_combined else patch.old, patch) for patch in self.patches if not patch.is_binary
        ]
        super().__init__({path: _shown(path, patch) for path, patch in shown if path})

    def keys(self) -> frozenset[str]:
        """Empty, because a diff does not tell which repository it is for."""
        return frozenset()

    def work_tree(self) -> ShownProject:
        """The same files, because a diff shows only one state."""
        return self


def _shown(path: str, patch: FilePatch) -> bytes:
    lines: list[bytes] = []
    for hunk in patch.hunks:
        start, there = (hunk.new_start, hunk.new) if patch.is_combined else (hunk.start, hunk.old)
        first = max(start - 1, 0) if there else start
        if first > MOST_LINES:
            raise DiffError(f"the diff names line {first + 1:,} of {visible(path)}; files of code are shorter")
        lines += [b"\n"] * (first - len(lines))
        lines += there
    return b"".join(lines)


def _has_id(content: bytes, beginning: str) -> bool:
    return bool(beginning) and any(blob.startswith(beginning) for blob in blob_ids(content))
