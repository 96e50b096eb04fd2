"""Which file of one corpus is where in another: many to many, with shares both ways."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.compare.pairing import covered
from wherefrom.fitted import NEARLY_ALL, PART
from wherefrom.results import Change, CorpusMap, MapEdge, MapEntry, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from wherefrom.compare.collection import Collection
    from wherefrom.compare.pairing import MatchedFiles


@dataclass(frozen=True, slots=True)
class Shared:
    """What a file of the first corpus and one of the second share.

    Attributes:
        left, right: the files.
        left_spans, right_spans: the tokens (begin, end) that match, on both sides.
        weight: what they weigh.
        is_identical: whether both files have the same bytes.
    """

    left: int
    right: int
    left_spans: tuple[tuple[int, int], ...]
    right_spans: tuple[tuple[int, int], ...]
    weight: float
    is_identical: bool

    @property
    def tokens(self) -> int:
        """How many tokens match."""
        return sum(end - begin for begin, end in self.left_spans)


def shared_files(matches: Iterable[MatchedFiles], collection: Collection) -> list[Shared]:
    """The pairs of files that share something; identical ones too, however short."""
    found = {
        (match.left, match.right): Shared(
            match.left,
            match.right,
            tuple((run.begin, run.end) for run in match.runs),
            tuple((run.begin + run.shift, run.end + run.shift) for run in match.runs),
            match.weight,
            _blob(collection, match.left) == _blob(collection, match.right),
        )
        for match in matches
    }
    by_blob: defaultdict[str, list[int]] = defaultdict(list)
    for number, file in enumerate(collection.files):
        if collection.submissions[file.submission].role is Role.WITH:
            by_blob[file.occurrence.blob].append(number)
    for left, file in enumerate(collection.files):
        if collection.submissions[file.submission].role is not Role.WITH:
            for right in by_blob.get(file.occurrence.blob, ()):
                spans = ((0, file.tokens),)
                weight = found[left, right].weight if (left, right) in found else 0.0
                found[left, right] = Shared(left, right, spans, spans, weight, is_identical=True)
    return list(found.values())


def corpus_map(
    shared: Sequence[Shared], collection: Collection, masked: Mapping[str, int], *, least: float
) -> CorpusMap:
    """The map of two corpora.

    Each file is explained by the files of the other corpus, the one that has most of it first: an edge is where a file
    explains a part that those before it do not. Small files of all kinds share a few usual lines: those that share no
    more are linked only where each is most of the other, or both have one name.

    Args:
        shared: the pairs of files that share something.
        collection: both corpora.
        masked: how many tokens of each content count for nothing, by blob.
        least: what is shared weighs so much where it is more than a few usual lines.
    """

    def remaining(file: int) -> int:
        return max(1, collection.files[file].tokens - masked.get(_blob(collection, file), 0))

    def path(file: int) -> str:
        return collection.files[file].occurrence.path

    def is_telling(each: Shared) -> bool:
        is_whole = each.is_identical or each.tokens >= NEARLY_ALL * max(remaining(each.left), remaining(each.right))
        return is_whole or each.weight >= least or _name(path(each.left)) == _name(path(each.right))

    telling = [each for each in shared if is_telling(each)]
    kept = {
        (each.left, each.right)
        for of, spans in ((_left, _left_spans), (_right, _right_spans))
        for each in _explaining(telling, of, spans, remaining, path)
    }
    edges = [each for each in shared if (each.left, each.right) in kept]
    entries = [_entry(linked, remaining, path) for linked in _linked(edges)]
    known = {file for entry in entries for file in (*entry.left, *entry.right)}
    sides: dict[bool, list[int]] = {False: [], True: []}
    for number, file in enumerate(collection.files):
        if number not in known:
            sides[collection.submissions[file.submission].role is Role.WITH].append(number)
    entries.sort(key=lambda entry: (path(entry.left[0]), entry.left))
    return CorpusMap(tuple(entries), tuple(sides[False]), tuple(sides[True]))


def _name(path: str) -> str:
    return PurePosixPath(path).name


def _left(shared: Shared) -> int:
    return shared.left


def _right(shared: Shared) -> int:
    return shared.right


def _left_spans(shared: Shared) -> tuple[tuple[int, int], ...]:
    return shared.left_spans


def _right_spans(shared: Shared) -> tuple[tuple[int, int], ...]:
    return shared.right_spans


def _blob(collection: Collection, file: int) -> str:
    return collection.files[file].occurrence.blob


def _explaining(
    shared: Sequence[Shared],
    of: Callable[[Shared], int],
    spans: Callable[[Shared], tuple[tuple[int, int], ...]],
    remaining: Callable[[int], int],
    path: Callable[[int], str],
) -> list[Shared]:
    """For each file the pairs that explain it, by the tokens that the pairs before them leave."""
    by_file: defaultdict[int, list[Shared]] = defaultdict(list)
    for each in shared:
        by_file[of(each)].append(each)
    chosen = []
    for file, pairs in by_file.items():
        tokens = max((end for each in pairs for _, end in spans(each)), default=0)
        explained = np.zeros(tokens, np.bool_)
        for each in sorted(
            pairs,
            key=lambda each: (
                not each.is_identical,
                -each.tokens,
                path(each.left) != path(each.right),
                path(each.left),
                path(each.right),
            ),
        ):
            new = sum(int(np.count_nonzero(~explained[begin:end])) for begin, end in spans(each))
            if new >= PART * remaining(file) or (each.is_identical and not explained.any()):
                chosen.append(each)
                for begin, end in spans(each):
                    explained[begin:end] = True
    return chosen


def _linked(edges: Sequence[Shared]) -> list[list[Shared]]:
    """The edges in groups that have no file in common."""
    groups: dict[tuple[bool, int], list[Shared]] = {}
    for edge in edges:
        left, right = groups.get((False, edge.left), []), groups.get((True, edge.right), [])
        joined = left if left is right else [*left, *right]
        joined.append(edge)
        for each in joined:
            groups[False, each.left] = groups[True, each.right] = joined
    return list({id(group): group for group in groups.values()}.values())


def _entry(edges: Sequence[Shared], remaining: Callable[[int], int], path: Callable[[int], str]) -> MapEntry:
    here = covered((edge.left, *span) for edge in edges for span in edge.left_spans)
    there = covered((edge.right, *span) for edge in edges for span in edge.right_spans)
    made = [
        MapEdge(
            edge.left,
            edge.right,
            round(min(1.0, edge.tokens / remaining(edge.left)), 6),
            round(min(1.0, edge.tokens / remaining(edge.right)), 6),
        )
        for edge in edges
    ]
    made.sort(key=lambda edge: (-edge.left_share - edge.right_share, edge.left, edge.right))
    left = tuple(dict.fromkeys(edge.left for edge in made))
    right = tuple(dict.fromkeys(edge.right for edge in made))
    return MapEntry(
        change=_change(edges, left, right, made, path),
        left=left,
        right=right,
        edges=tuple(made),
        left_share=round(min(1.0, here / sum(map(remaining, left))), 6),
        right_share=round(min(1.0, there / sum(map(remaining, right))), 6),
    )


def _change(
    edges: Sequence[Shared],
    left: tuple[int, ...],
    right: tuple[int, ...],
    made: Sequence[MapEdge],
    path: Callable[[int], str],
) -> Change:
    """What became of the files of one entry."""
    if len(left) == len(right) == 1:
        is_there = path(left[0]) == path(right[0])
        if edges[0].is_identical:
            return Change.SAME if is_there else Change.MOVED
        return Change.CHANGED if is_there else Change.MOVED_CHANGED
    if len(left) == 1:
        return Change.COPIED if all(edge.left_share >= NEARLY_ALL for edge in made) else Change.SPLIT
    return Change.MERGED if len(right) == 1 else Change.MIXED
