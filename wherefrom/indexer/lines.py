"""The ages of the lines of all files of a repository, carried from one commit to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from wherefrom.engines.history import LineAges
from wherefrom.sources.history import FileChange

_NO_LINES = np.empty(0, np.int32)

ALL_LINES = 1 << 31
"""`LineChange.removed` of a hunk that replaces all lines of a file."""


class FileLines:
    """The ages of the lines of all files at one commit.

    Args:
        stored: reads the ages of a file's lines as an earlier run stored them; None if it stored none.

    Attributes:
        paths: the paths of all files.
    """

    def __init__(self, stored: Callable[[str], LineAges | None]) -> None:
        self.paths: set[str] = set()
        self._stored = stored
        self._ages: dict[str, LineAges] = {}
        self._changed: set[str] = set()

    def apply(self, number: int, changes: Sequence[FileChange]) -> None:
        """Carries the ages over commit `number`, which made these changes."""
        made: dict[str, LineAges] = {}
        for change in changes:
            if change.new is not None and change.blob is not None:
                made[change.new] = _aged(change, change.blob, self._of(change.old), number)
        for change in changes:
            if change.old is not None and change.old not in made:
                self._ages.pop(change.old, None)
                self.paths.discard(change.old)
                self._changed.add(change.old)
        self._ages |= made
        self.paths.update(made)
        self._changed.update(made)

    def changed(self) -> Iterator[tuple[str, LineAges]]:
        """The ages of the files that have changed since `forget_changes`, by path."""
        return ((path, self._ages[path]) for path in sorted(self._changed & self.paths))

    def gone(self) -> list[str]:
        """The paths of the files that were removed since `forget_changes`."""
        return sorted(self._changed - self.paths)

    def forget_changes(self) -> None:
        """Notes that all changes are stored."""
        self._changed.clear()

    def _of(self, path: str | None) -> LineAges | None:
        if path is None or path not in self.paths:
            return None
        if path not in self._ages and (stored := self._stored(path)) is not None:
            self._ages[path] = stored
        return self._ages.get(path)


def _aged(change: FileChange, blob: str, before: LineAges | None, number: int) -> LineAges:
    """The ages of the lines of a file after a change. A binary file whose lines nobody counted has one."""
    firsts, lasts = (_NO_LINES, _NO_LINES) if before is None else (before.firsts, before.lasts)
    if change.is_changed and not change.hunks:
        begun = int(firsts.min()) if len(firsts) else number
        return LineAges(blob, np.array([begun], np.int32), np.array([number], np.int32))
    parts_of_firsts, parts_of_lasts = [], []
    at = 0
    for hunk in change.hunks:
        end = hunk.before + hunk.removed
        replaced = firsts[hunk.before : end]
        begun = int(replaced.min()) if len(replaced) else number
        parts_of_firsts += [firsts[at : hunk.before], np.full(hunk.added, begun, np.int32)]
        parts_of_lasts += [lasts[at : hunk.before], np.full(hunk.added, number, np.int32)]
        at = end
    return LineAges(
        blob, np.concatenate([*parts_of_firsts, firsts[at:]]), np.concatenate([*parts_of_lasts, lasts[at:]])
    )
