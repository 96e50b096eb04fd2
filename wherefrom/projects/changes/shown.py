"""A project that is not at hand: as much of it as a diff shows."""

from __future__ import annotations

from collections.abc import Sequence

from wherefrom.errors import DiffError
from wherefrom.projects.changes.comparison import Overlaid
from wherefrom.projects.changes.patches import FilePatch
from wherefrom.support.printable import visible

MOST_LINES = 1_000_000
"""Lines of a file at most: a diff may say of a line that it has any number."""


class ShownProject(Overlaid):
    """The files of a project before a diff, as far as the diff shows them: the other lines are empty.

    Raises:
        DiffError: a line number is beyond `MOST_LINES`, or the diff is combined.
    """

    key = "a diff"

    def __init__(self, patches: Sequence[FilePatch]) -> None:
        texts = [patch for patch in patches if patch.old is not None and not patch.is_binary]
        super().__init__({str(patch.old): _shown(patch) for patch in texts})

    def keys(self) -> frozenset[str]:
        """None: nothing says where the project is."""
        return frozenset()

    def work_tree(self) -> ShownProject:
        """The files."""
        return self


def _shown(patch: FilePatch) -> bytes:
    """The old text of a file, with empty lines where the diff does not show it."""
    name = visible(patch.old or "")
    if patch.is_combined:
        raise DiffError(
            f"the diff compares {name} with several parents, which needs the project; give a diff of two states"
        )
    lines: list[bytes] = []
    for hunk in patch.hunks:
        first = max(hunk.start - 1, 0) if hunk.old else hunk.start
        if first > MOST_LINES:
            raise DiffError(f"the diff names line {first + 1:,} of {name}; files of code are shorter")
        lines += [b"\n"] * (first - len(lines))
        lines += hunk.old
    return b"".join(lines)
