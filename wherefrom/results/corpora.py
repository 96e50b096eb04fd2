"""Maps the files and folders of one corpus to another."""

from __future__ import annotations

from enum import StrEnum

from wherefrom.support.contract import JsonObject
from wherefrom.support.values import dataclass


class Change(StrEnum):
    """How files of the first corpus changed in the second."""

    SAME = "same"
    """One file that has the same bytes and the same path in both corpora."""
    MOVED = "moved"
    """One file that has the same bytes in both corpora, but different paths."""
    CHANGED = "changed"
    """One file that was changed but not moved."""
    MOVED_CHANGED = "moved-changed"
    """One file that was changed and moved."""
    COPIED = "copied"
    """One file that is now several files, each with nearly all of the code."""
    SPLIT = "split"
    """One file whose parts are now in several files."""
    MERGED = "merged"
    """Several files that are now one file."""
    MIXED = "mixed"
    """Several files that share parts with several files."""


@dataclass(frozen=True, slots=True)
class MapEdge(JsonObject):
    """A file of the first corpus and a file of the second that share code.

    Attributes:
        left, right: the positions of the two files in `Comparison.files`.
        left_share: the share of the left file's remaining tokens that match the right file, 0 to 1.
        right_share: the same for the right file.
    """

    left: int
    right: int
    left_share: float
    right_share: float


@dataclass(frozen=True, slots=True)
class MapEntry(JsonObject):
    """Some files of the first corpus and the files of the second corpus that have the same code.

    Attributes:
        change: how the files changed.
        left: positions in `Comparison.files` of the files of the first corpus, in the order of `edges`.
        right: positions of the files of the second corpus.
        left_share: the share of the remaining tokens of all files in `left` that match files in `right`, 0 to 1.
        right_share: the same for the files in `right`.
        edges: pairs of these files that share code, the largest shares first.
    """

    change: Change
    left: tuple[int, ...]
    right: tuple[int, ...]
    left_share: float
    right_share: float
    edges: tuple[MapEdge, ...]


@dataclass(frozen=True, slots=True)
class CorpusMap(JsonObject):
    """Maps files of the first corpus to files of the second, many to many.

    Attributes:
        entries: groups of files that share code, by the path of the group's first file. No file is in two entries.
        only_left: positions in `Comparison.files` of files that are only in the first corpus.
        only_right: positions of files that are only in the second corpus.
    """

    entries: tuple[MapEntry, ...]
    only_left: tuple[int, ...]
    only_right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VendoredFolder(JsonObject):
    """A folder of the first corpus that is a copy of a folder of the second, perhaps with changes.

    Attributes:
        repository: the repository in the first corpus.
        folder: the path of the copy in `repository`, without a final slash; empty for the root.
        origin: the repository in the second corpus.
        origin_folder: the path of the original folder in `origin`.
        revision: the commit of `origin` that is most like the copy; empty if `origin` has no history.
        tag: the tag of `origin` that is most like the copy; None if `origin` has no tags.
        files: compared files of the copy.
        identical: files of the copy that have the same bytes in the origin at `revision`.
        changed: paths under `folder` of files that differ from the origin.
        added: paths under `folder` of files that the origin does not have.
        missing: paths under `origin_folder` of files that the copy lacks, although it has other files of their folder.
        containment: the share of the copy's remaining tokens that are also in the origin, 0 to 1.
    """

    repository: str
    folder: str
    origin: str
    origin_folder: str
    revision: str
    tag: str | None
    files: int
    identical: int
    changed: tuple[str, ...]
    added: tuple[str, ...]
    missing: tuple[str, ...]
    containment: float
