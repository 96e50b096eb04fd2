"""Folders above files, here and there."""

from __future__ import annotations

from collections.abc import Iterator

from wherefrom.fitted import FEW


def folders_above(path: str) -> Iterator[str]:
    """The folders that hold a file or a folder, the root (empty) first; nothing for the root itself."""
    if path:
        yield ""
        yield from (path[:at] for at, character in enumerate(path) if character == "/")


def depth(folder: str) -> int:
    """How many folders down a folder is; the root is 0."""
    return folder.count("/") + 1 if folder else 0


def facing_folders(path: str, there: str) -> Iterator[tuple[str, str]]:
    """The pairs of folders, here and there, below which both files have the same path."""
    ours, theirs = path.split("/"), there.split("/")
    for size in range(1, min(len(ours), len(theirs)) + 1):
        if ours[-size] != theirs[-size]:
            return
        yield "/".join(ours[:-size]), "/".join(theirs[:-size])


def is_mostly_copied(copied: int, files: int) -> bool:
    """Whether a folder is a copy of which so many files are copies: `FEW` at least, and more than half."""
    return copied >= FEW and 2 * copied > files
