"""Which file of one corpus is where in another: many to many, with shares both ways."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.compare.pairing import MatchedFiles, covered
from wherefrom.fitted import NEARLY_ALL, PART
from wherefrom.results import Change, ComparedFile, CorpusMap, MapEdge, MapEntry, Role

if TYPE_CHECKING:
    from wherefrom.compare.collection import Collection

_LEFT, _RIGHT = 0, 1


@dataclass(frozen=True, slots=True)
class Shared:
    """What a file of the first corpus and one of the second share.

    Attributes:
        files: the two, left and right.
        spans: the tokens (begin, end) that match, of either side.
        weight: what they weigh.
        is_identical: whether both files have the same bytes.
    """

    files: tuple[int, int]
    spans: tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]]
    weight: float
    is_identical: bool

    @property
    def tokens(self) -> int:
        """How many tokens match."""
        return sum(end - begin for begin, end in self.spans[_LEFT])


def shared_files(matches: Iterable[MatchedFiles], collection: Collection) -> list[Shared]:
    """The pairs of files that share something; identical ones too, however short."""
    files = collection.files
    found = {
        (match.left, match.right): Shared(
            (match.left, match.right),
            (
                [(run.begin, run.end) for run in match.runs],
                [(run.begin + run.shift, run.end + run.shift) for run in match.runs],
            ),
            match.weight,
            files[match.left].occurrence.blob == files[match.right].occurrence.blob,
        )
        for match in matches
    }
    sides = _sides(collection, range(len(files)))
    by_blob: defaultdict[str, list[int]] = defaultdict(list)
    for number in sides[_RIGHT]:
        by_blob[files[number].occurrence.blob].append(number)
    for left in sides[_LEFT]:
        for right in by_blob.get(files[left].occurrence.blob, ()):
            whole = [(0, files[left].tokens)]
            weight = found[left, right].weight if (left, right) in found else 0.0
            found[left, right] = Shared((left, right), (whole, whole), weight, is_identical=True)
    return list(found.values())


def _sides(collection: Collection, numbers: Iterable[int]) -> tuple[list[int], list[int]]:
    """Some files, those of the first corpus and those of the second."""
    sides: tuple[list[int], list[int]] = ([], [])
    for number in numbers:
        role = collection.submissions[collection.files[number].submission].role
        sides[_RIGHT if role is Role.WITH else _LEFT].append(number)
    return sides


def corpus_map(shared: Sequence[Shared], collection: Collection, *, least: float) -> CorpusMap:
    """The map of two corpora.

    Each file is explained by the files of the other corpus, the one that has most of it first: an edge is where a file
    explains a part that those before it do not. Small files of all kinds share a few usual lines: those that share no
    more, by the weight `least`, are linked only where each is most of the other, or both have one name.
    """
    files = collection.files

    def is_telling(each: Shared) -> bool:
        longer = max(_remaining(files, file) for file in each.files)
        names = {PurePosixPath(files[file].path).name for file in each.files}
        is_whole = each.is_identical or each.tokens >= NEARLY_ALL * longer
        return is_whole or each.weight >= least or len(names) == 1

    telling = [each for each in shared if is_telling(each)]
    kept = {each.files for side in (_LEFT, _RIGHT) for each in _explaining(telling, side, files)}
    edges = [each for each in shared if each.files in kept]
    entries = [_entry(linked, files) for linked in _linked(edges)]
    known = {file for entry in entries for file in (*entry.left, *entry.right)}
    only_left, only_right = _sides(collection, (file for file in range(len(files)) if file not in known))
    entries.sort(key=lambda entry: (files[entry.left[0]].path, entry.left))
    return CorpusMap(tuple(entries), tuple(only_left), tuple(only_right))


def _remaining(files: Sequence[ComparedFile], file: int) -> int:
    return max(1, files[file].remaining_tokens)


def _explaining(shared: Sequence[Shared], side: int, files: Sequence[ComparedFile]) -> list[Shared]:
    """For each file of a side the pairs that explain it, by the tokens that the pairs before them leave."""

    def order(each: Shared) -> tuple[bool, int, bool, list[str]]:
        left, right = (files[file].path for file in each.files)
        return not each.is_identical, -each.tokens, left != right, [left, right]

    by_file: defaultdict[int, list[Shared]] = defaultdict(list)
    for each in shared:
        by_file[each.files[side]].append(each)
    chosen = []
    for file, pairs in by_file.items():
        explained = np.zeros(max((end for each in pairs for _, end in each.spans[side]), default=0), np.bool_)
        for each in sorted(pairs, key=order):
            new = sum(int(np.count_nonzero(~explained[begin:end])) for begin, end in each.spans[side])
            if new >= PART * _remaining(files, file) or (each.is_identical and not explained.any()):
                chosen.append(each)
                for begin, end in each.spans[side]:
                    explained[begin:end] = True
    return chosen


def _linked(edges: Sequence[Shared]) -> list[list[Shared]]:
    """The edges in groups that have no file in common."""
    groups: dict[tuple[int, int], list[Shared]] = {}
    for edge in edges:
        left, right = (groups.get(file, []) for file in enumerate(edge.files))
        joined = left if left is right else [*left, *right]
        joined.append(edge)
        for each in joined:
            groups.update(dict.fromkeys(enumerate(each.files), joined))
    return list({id(group): group for group in groups.values()}.values())


def _entry(edges: Sequence[Shared], files: Sequence[ComparedFile]) -> MapEntry:
    made = []
    for edge in edges:
        shares = (round(min(1.0, edge.tokens / _remaining(files, file)), 6) for file in edge.files)
        made.append(MapEdge(*edge.files, *shares))
    made.sort(key=lambda edge: (-edge.left_share - edge.right_share, edge.left, edge.right))
    left = tuple(dict.fromkeys(edge.left for edge in made))
    right = tuple(dict.fromkeys(edge.right for edge in made))
    left_share, right_share = (
        round(min(1.0, covered((edge.files[side], *span) for edge in edges for span in edge.spans[side]) / whole), 6)
        for side, whole in enumerate(sum(_remaining(files, file) for file in group) for group in (left, right))
    )
    change = _change(edges, left, right, made, files)
    return MapEntry(change, left, right, tuple(made), left_share, right_share)


def _change(
    edges: Sequence[Shared],
    left: tuple[int, ...],
    right: tuple[int, ...],
    made: Sequence[MapEdge],
    files: Sequence[ComparedFile],
) -> Change:
    """What became of the files of one entry."""
    if len(left) == len(right) == 1:
        is_there = files[left[0]].path == files[right[0]].path
        if edges[0].is_identical:
            return Change.SAME if is_there else Change.MOVED
        return Change.CHANGED if is_there else Change.MOVED_CHANGED
    if len(left) == 1:
        return Change.COPIED if all(edge.left_share >= NEARLY_ALL for edge in made) else Change.SPLIT
    return Change.MERGED if len(right) == 1 else Change.MIXED
