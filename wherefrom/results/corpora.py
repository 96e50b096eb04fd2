"""Which files and folders of one corpus are in another."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from wherefrom.support.contract import JsonObject


class Change(StrEnum):
    """What became of the files of one corpus in the other."""

    SAME = "same"
    """One file, the same bytes, the same path."""
    MOVED = "moved"
    """One file, the same bytes, another path."""
    CHANGED = "changed"
    """One file, changed where it was."""
    MOVED_CHANGED = "moved-changed"
    """One file, changed and under another path."""
    COPIED = "copied"
    """One file that is now there several times, nearly whole each time."""
    SPLIT = "split"
    """One file whose parts are now in several."""
    MERGED = "merged"
    """Several files that are now one."""
    MIXED = "mixed"
    """Several files that share parts with several others."""


@dataclass(frozen=True, slots=True)
class MapEdge(JsonObject):
    """What a file of the first corpus and a file of the second share.

    Attributes:
        left, right: their positions in `Comparison.files`.
        left_share: the share of the left file's remaining tokens that is in the right one, 0 to 1.
        right_share: the share of the right file's remaining tokens that is from the left one, 0 to 1.
    """

    left: int
    right: int
    left_share: float
    right_share: float


@dataclass(frozen=True, slots=True)
class MapEntry(JsonObject):
    """Files of the first corpus and the files of the second in which they appear.

    Attributes:
        change: what became of them.
        left: files of the first corpus, by their positions in `Comparison.files`, in the order of `edges`.
        right: files of the second corpus.
        edges: which of them share how much, the largest shares first.
        left_share: the share of the remaining tokens of all of `left` that is in `right`, 0 to 1.
        right_share: the share of the remaining tokens of all of `right` that is from `left`, 0 to 1.
    """

    JSON = "change left right left_share right_share edges"

    change: Change
    left: tuple[int, ...]
    right: tuple[int, ...]
    edges: tuple[MapEdge, ...]
    left_share: float
    right_share: float


@dataclass(frozen=True, slots=True)
class CorpusMap(JsonObject):
    """Which files of one corpus appear in which files of another, many to many.

    Attributes:
        entries: what appears in both, by the path of their first file; no file is in two of them.
        only_left: files of the first corpus that appear nowhere in the second, by their positions in
            `Comparison.files`.
        only_right: files of the second corpus that appear nowhere in the first.
    """

    entries: tuple[MapEntry, ...]
    only_left: tuple[int, ...]
    only_right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VendoredFolder(JsonObject):
    """A folder of the first corpus that is a copy, perhaps a changed one, of a folder of the second.

    Attributes:
        repository: of the first corpus.
        folder: its path there, without a final slash; empty for the root.
        origin: the repository of the second corpus.
        origin_folder: the path there.
        revision: the commit of `origin` that the copy is nearest to; empty where it has no history at hand.
        tag: the tag whose files the copy is nearest to, None where there is no clone with tags at hand.
        files: files of the folder that were compared.
        identical: those with the bytes of the origin at `revision`.
        changed: paths under the folder of files that differ from it.
        added: paths under the folder of files that the origin does not have.
        missing: paths under `origin_folder` of files that the folder lacks, though it has others beside them.
        containment: the share of the folder's remaining tokens that is in the origin, 0 to 1.
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
