"""Makes the parts of the answer of a comparison."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from wherefrom.analyzers.references import Reference, load_references
from wherefrom.analyzers.references.extract import of_places
from wherefrom.compare.collection import Collection
from wherefrom.compare.matching import ComparedText, sides
from wherefrom.compare.pairing import MatchedFiles, MatchedSubmissions, pair_id
from wherefrom.queries.alignment.regions import all_regions, region_pairs
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.spans import stretches
from wherefrom.results import (
    Cluster,
    ComparedFile,
    Evidence,
    FilePair,
    MatchedRegion,
    Region,
    Submission,
    SubmissionPair,
    Where,
)
from wherefrom.support.chunks import chunks

MOST_REGIONS = 200  # for a pair of files, the answer has at most this many regions: the heaviest ones
MOST_FILES = 100  # for a pair of submissions, the answer has at most this many pairs of files: the heaviest ones

_SHARES = ("score", "similarity", "probability", "left_containment", "right_containment", "resemblance")

_BATCH = 256  # references are read from an engine for this many contents at a time


def with_statements(collection: Collection, named: frozenset[int]) -> tuple[ComparedFile, ...]:
    """All files. The `named` ones (positions) come with their references to sources."""
    files, engine = collection.files, collection.engine
    statements: dict[str, tuple[Reference, ...]] = {}
    for batch in chunks(sorted({files[number].occurrence.blob for number in named}), _BATCH):
        if collection.has_only_places:
            for blob, stored in engine.blobs(batch).items():
                statements[blob] = of_places(stored.source or b"", stored.references).found
        else:
            for blob, dumped in engine.references(batch).items():
                statements[blob] = load_references(dumped).found

    def evidence(file: ComparedFile) -> tuple[Evidence, ...]:
        return tuple(
            Evidence(Where.FILE, str(found.kind), found.value, found.text, file.path, found.line)
            for found in statements.get(file.occurrence.blob, ())
        )

    return tuple(
        replace(file, statements=evidence(file)) if number in named else file for number, file in enumerate(files)
    )


class AnswerMaker:
    """Makes the parts of an answer about a collection; `library` returns the file of a blob, ready to be compared."""

    def __init__(self, collection: Collection, library: Callable[[str], ComparedText]) -> None:
        self._collection, self._library = collection, library

    def files(self) -> tuple[ComparedFile, ...]:
        """All files, with the regions that are ignored."""
        return tuple(
            replace(file, boilerplate=self._boilerplate(file)) if file.boilerplate_tokens else file
            for file in self._collection.files
        )

    def _boilerplate(self, file: ComparedFile) -> tuple[Region, ...]:
        text = self._library(file.occurrence.blob)
        return tuple(all_regions(text.document.stream, *stretches(text.masked).T))

    def submissions(
        self, found: Sequence[MatchedSubmissions], shown: int, linked: Sequence[Cluster]
    ) -> tuple[Submission, ...]:
        """All submissions, each with its best pair and its cluster."""
        best: dict[int, int] = {}
        for number, pair in enumerate(found):
            for side in () if pair.is_dismissed else (pair.left, pair.right):
                if side not in best or found[best[side]].similarity < pair.similarity:
                    best[side] = number
        cluster_of = {submission: number for number, cluster in enumerate(linked) for submission in cluster.submissions}
        return tuple(
            replace(
                submission,
                boilerplate_tokens=self._boilerplate_tokens(number),
                best_pair=best[number] if best.get(number, shown) < shown else None,
                best_similarity=round(found[best[number]].similarity, 6) if number in best else 0.0,
                cluster=cluster_of.get(number),
            )
            for number, submission in enumerate(self._collection.submissions)
        )

    def pair(self, pair: MatchedSubmissions) -> SubmissionPair:
        """Makes a pair of submissions for the answer, with its heaviest pairs of files."""
        names = (self._collection.submissions[side].name for side in (pair.left, pair.right))
        return SubmissionPair(
            id=pair_id(*names),
            left=pair.left,
            right=pair.right,
            **{name: round(getattr(pair, name), 6) for name in _SHARES},
            longest_run=pair.longest_run,
            left_matched_tokens=pair.left_tokens,
            right_matched_tokens=pair.right_tokens,
            left_matched_lines=self._lines(span for match in pair.files for span in match.spans[0]),
            right_matched_lines=self._lines(span for match in pair.files for span in match.spans[1]),
            left_boilerplate_tokens=self._boilerplate_tokens(pair.left),
            right_boilerplate_tokens=self._boilerplate_tokens(pair.right),
            files=tuple(self._file_pair(match) for match in pair.files[:MOST_FILES]),
            omitted_files=max(0, len(pair.files) - MOST_FILES),
            review=pair.review,
        )

    def _boilerplate_tokens(self, submission: int) -> int:
        files = self._collection.submissions[submission].files
        return sum(self._collection.files[file].boilerplate_tokens for file in files)

    def _lines(self, spans: Iterable[tuple[int, int, int]]) -> int:
        """The number of lines with a token of these spans (file, begin, end)."""
        lines: defaultdict[int, set[int]] = defaultdict(set)
        for file, begin, end in spans:
            lines[file].update(self._text(file).document.stream.start_lines[begin:end].tolist())
        return sum(map(len, lines.values()))

    def _text(self, file: int) -> ComparedText:
        return self._library(self._collection.files[file].occurrence.blob)

    def _file_pair(self, match: MatchedFiles) -> FilePair:
        left, right = self._text(match.left), self._text(match.right)
        heaviest = sorted(range(len(match.runs)), key=lambda at: (-match.weighed[at].weight, at))[:MOST_REGIONS]
        kept = sorted(heaviest)
        runs = [match.runs[at] for at in kept]
        moved = _moved(runs)
        translated = [pair for pair, _ in match.translated]
        pairs = [translated[at] for at in kept] if translated else region_pairs(sides(left, right), runs)
        ends = [match.spans[1][at][2] for at in kept]
        regions = tuple(
            MatchedRegion(
                left=pair.query,
                right=pair.document,
                left_span=(run.begin, run.end),
                right_span=(run.begin + run.shift, end),
                representation=pair.representation,
                weight=round(match.weighed[at].weight, 3),
                rarity=round(match.weighed[at].rarity, 3),
                submissions=match.weighed[at].submissions,
                is_moved=run in moved,
                facing=pair.facing,
            )
            for at, run, end, pair in zip(kept, runs, ends, pairs, strict=True)
        )
        ours, theirs = (self._collection.files[file].remaining_tokens for file in match.files)
        here, there = (sum(end - begin for _, begin, end in spans) for spans in match.spans)
        return FilePair(
            left=match.left,
            right=match.right,
            is_identical=match.is_identical,
            left_containment=round(here / ours, 6),
            right_containment=round(there / theirs, 6),
            regions=regions,
            omitted_regions=len(match.runs) - len(kept),
        )


def _moved(runs: Sequence[MatchedRun]) -> set[MatchedRun]:
    """The moved runs: all except the longest sequence (by its tokens) of runs in the same order on both sides."""
    best: list[tuple[int, int]] = []  # the tokens of the longest sequence up to each run, and the run before it
    for number, run in enumerate(runs):
        before = (at for at in range(number) if runs[at].begin + runs[at].shift < run.begin + run.shift)
        weight, last = max(((best[at][0], at) for at in before), default=(0, -1))
        best.append((weight + run.end - run.begin, last))
    moved = set(runs)
    at = max(range(len(best)), key=lambda number: best[number][0], default=-1)
    while at >= 0:
        moved.remove(runs[at])
        at = best[at][1]
    return moved
