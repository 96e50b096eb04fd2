"""Reads older states of files from clones. The history of an index has only what was new to a repository, so it lacks
some older states of code, or does not find them; the clone has all.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import PurePosixPath
from typing import TypeVar

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.engines.history import HistoryReader
from wherefrom.model import RepositoryRecord, SkipReason
from wherefrom.options import Limits
from wherefrom.sources.history import FileChange
from wherefrom.sources.indexed import MOST_STATES, file_changes, read_blobs

SECONDS = 5.0  # how long one `States` may read
MOST_ORIGINS = 40  # code is looked for in at most this many of the files that a commit changed
PATIENCE = 5  # a file is given up after this number of states in a row without the code

T = TypeVar("T")


class States:
    """Reads states of files from the clones of an index with a history, for `SECONDS` in all."""

    def __init__(self, engine: Engine, reader: HistoryReader, analyzer: Analyzer) -> None:
        self._engine, self._reader, self._analyzer = engine, reader, analyzer
        self._end = time.monotonic() + SECONDS
        self._limits = Limits()
        self._lines: dict[str, list[str]] = {}  # of each repository, the ids of the commits by number; empty if unknown

    def before(
        self,
        key: str,
        number: int,
        paths: Collection[str],
        has_code: Callable[[int, str, bytes], T | None],
        *,
        newest: bool = False,
    ) -> Iterator[T]:
        """What `has_code` makes of the states of some files before commit `number` of a repository, without None. It
        gets the number of a commit, a path and the tokens of the file as the commit left it, the newest first.
        A file is given up after `PATIENCE` states in a row without the code; with `newest`, if its newest has none.
        """
        record, left = self._engine.repository(key), dict.fromkeys(paths, 1 if newest else PATIENCE)
        changes = self._changes(record, number - 1, paths)
        requested: deque[tuple[int, str, str]] = deque()

        def blobs() -> Iterator[str]:
            for at, own in changes:
                for change in own:
                    if change.new and change.blob and left.get(change.new) and time.monotonic() < self._end:
                        requested.append((at, change.new, change.blob))
                        yield change.blob

        for blob, content in read_blobs(record, blobs()) if record is not None else ():
            at, path, _ = next(state for state in iter(requested.popleft, None) if state[2] == blob)
            made = self._analyzer.document(path, content, self._limits) if left[path] else SkipReason.UNREADABLE
            found = None if isinstance(made, SkipReason) else has_code(at, path, made.tokens)
            left[path] = max(left[path] - 1, 0) if found is None else PATIENCE
            if found is not None:
                yield found

    def origins(self, key: str, number: int, path: str) -> set[str]:
        """The files that were there before commit `number` changed or removed them, and are of the kind of `path`."""
        changes = self._changes(self._engine.repository(key), number, most=1)
        named = [change.old for _, own in changes for change in own if change.old]
        name = PurePosixPath(path)
        alike = [old for old in map(PurePosixPath, named) if old.suffix == name.suffix]
        return {str(old) for old in sorted(alike, key=lambda old: old.name != name.name)[:MOST_ORIGINS]}

    def _changes(
        self, record: RepositoryRecord | None, number: int, paths: Collection[str] = (), *, most: int = MOST_STATES
    ) -> Sequence[tuple[int, list[FileChange]]]:
        seconds = self._end - time.monotonic()
        if record is None or seconds <= 0 or number < 0:
            return []
        line = self._line(record.key, number + 1)
        numbers = {commit: at for at, commit in enumerate(line) if commit}
        return file_changes(record, numbers, paths, revision=line[number], seconds=seconds, most=most)

    def _line(self, key: str, length: int) -> Sequence[str]:
        line = self._lines.setdefault(key, [])
        if len(line) < length:
            missing = [(key, at) for at in range(len(line), length)]
            commits = self._reader.commits(missing)
            line += [commits[at].id if at in commits else "" for at in missing]
        return line
