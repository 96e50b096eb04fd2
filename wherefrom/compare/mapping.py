"""Maps the files of one corpus to those of another. A file may map to several files, with shares in both directions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

import numpy as np

from wherefrom.compare.collection import Collection
from wherefrom.compare.pairing import MatchedFiles, covered
from wherefrom.fitted import COPIED, RELATED
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.results import Change, ComparedFile, CorpusMap, MapEdge, MapEntry, Role
from wherefrom.support.chunks import by_key, linked

_LEFT, _RIGHT = 0, 1


def with_identical(matches: Iterable[MatchedFiles], collection: Collection) -> list[MatchedFiles]:
    """The matching pairs of files, and all pairs of identical files, which match as a whole even if very short."""
    files = collection.files
    found = {match.files: match for match in matches}
    sides = _sides(collection, range(len(files)))
    by_blob = by_key((files[number].occurrence.blob, number) for number in sides[_RIGHT])
    for left in sides[_LEFT]:
        for right in by_blob.get(files[left].occurrence.blob, ()):
            whole = (MatchedRun(0, 0, files[left].tokens),)
            weighed = found[left, right].weighed if (left, right) in found else ()
            found[left, right] = MatchedFiles(left, right, whole, weighed, 0.0, 1.0, is_identical=True)
    return list(found.values())


def _sides(collection: Collection, numbers: Iterable[int]) -> tuple[list[int], list[int]]:
    sides: tuple[list[int], list[int]] = ([], [])
    for number in numbers:
        role = collection.submissions[collection.files[number].submission].role
        sides[_RIGHT if role is Role.WITH else _LEFT].append(number)
    return sides


def corpus_map(shared: Sequence[MatchedFiles], collection: Collection, *, least: float) -> CorpusMap:
    """The map of two corpora.

    The files that match a file are taken in order, first those that have most of it. A match is an edge if it has
    enough tokens that earlier matches lack. Unrelated small files share a few common lines, so a match that weighs less
    than `least` is an edge only if it is nearly all of both files, or both have the same name.
    """
    files = collection.files

    def is_telling(pair: MatchedFiles) -> bool:
        longer = max(_remaining(files, file) for file in pair.files)
        names = {PurePosixPath(files[file].path).name for file in pair.files}
        is_whole = pair.is_identical or pair.tokens >= COPIED * longer
        return is_whole or pair.weight >= least or len(names) == 1

    telling = [pair for pair in shared if is_telling(pair)]
    kept = {pair.files for side in (_LEFT, _RIGHT) for pair in _explaining(telling, side, files)}
    edges = [pair for pair in shared if pair.files in kept]
    group_of = {file: at for at, group in enumerate(linked(edge.files for edge in edges)) for file in group}
    entries = [_entry(own, files) for own in by_key((group_of[edge.left], edge) for edge in edges).values()]
    known = {file for entry in entries for file in (*entry.left, *entry.right)}
    only_left, only_right = _sides(collection, (file for file in range(len(files)) if file not in known))
    entries.sort(key=lambda entry: (files[entry.left[0]].path, entry.left))
    return CorpusMap(tuple(entries), tuple(only_left), tuple(only_right))


def _remaining(files: Sequence[ComparedFile], file: int) -> int:
    return max(1, files[file].remaining_tokens)


def _explaining(shared: Sequence[MatchedFiles], side: int, files: Sequence[ComparedFile]) -> list[MatchedFiles]:
    """For each file of a side, the pairs with enough matching tokens in it that earlier pairs lack."""

    def order(pair: MatchedFiles) -> tuple[bool, int, bool, list[str]]:
        left, right = (files[file].path for file in pair.files)
        return not pair.is_identical, -pair.tokens, left != right, [left, right]

    chosen = []
    for file, pairs in by_key((pair.files[side], pair) for pair in shared).items():
        explained = np.zeros(max((end for pair in pairs for _, _, end in pair.spans[side]), default=0), np.bool_)
        for pair in sorted(pairs, key=order):
            new = sum(int(np.count_nonzero(~explained[begin:end])) for _, begin, end in pair.spans[side])
            if new >= RELATED * _remaining(files, file) or (pair.is_identical and not explained.any()):
                chosen.append(pair)
                for _, begin, end in pair.spans[side]:
                    explained[begin:end] = True
    return chosen


def _entry(edges: Sequence[MatchedFiles], files: Sequence[ComparedFile]) -> MapEntry:
    made = []
    for edge in edges:
        shares = (round(min(1.0, edge.tokens / _remaining(files, file)), 6) for file in edge.files)
        made.append(MapEdge(*edge.files, *shares))
    made.sort(key=lambda edge: (-edge.left_share - edge.right_share, edge.left, edge.right))
    left = tuple(dict.fromkeys(edge.left for edge in made))
    right = tuple(dict.fromkeys(edge.right for edge in made))
    left_share, right_share = (
        round(min(1.0, covered(span for edge in edges for span in edge.spans[side]) / whole), 6)
        for side, whole in enumerate(sum(_remaining(files, file) for file in group) for group in (left, right))
    )
    if len(left) == len(right) == 1:
        is_there = files[left[0]].path == files[right[0]].path
        if edges[0].is_identical:
            change = Change.SAME if is_there else Change.MOVED
        else:
            change = Change.CHANGED if is_there else Change.MOVED_CHANGED
    elif len(left) == 1:
        change = Change.COPIED if all(edge.left_share >= COPIED for edge in made) else Change.SPLIT
    else:
        change = Change.MERGED if len(right) == 1 else Change.MIXED
    return MapEntry(change, left, right, left_share, right_share, tuple(made))
