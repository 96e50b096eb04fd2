"""From what is named to the answer of a comparison."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.hashing import terms
from wherefrom.analyzers.references import load_references
from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.analyzers.tokens import decode_symbols
from wherefrom.chunks import chunks
from wherefrom.compare.collection import collect_paths, collected
from wherefrom.compare.counting import count_pairs, weight_of
from wherefrom.compare.matching import Ignored, Library, matching_runs, sides, weigh
from wherefrom.compare.pairing import MatchedFiles, Sizes, clusters, pair_id, paired
from wherefrom.engines.engine import Postings, TermOrdered
from wherefrom.errors import UsageError
from wherefrom.model import INDEXED, Representation
from wherefrom.queries.boilerplate import SetBuilder, stored_sets
from wherefrom.queries.occurrences import texts
from wherefrom.queries.regions import Run, region, region_pairs
from wherefrom.results import (
    Cluster,
    CompareCounts,
    ComparedFile,
    CompareParameters,
    CompareProgress,
    Comparison,
    CutOff,
    Evidence,
    FilePair,
    MatchedRegion,
    Role,
    Submission,
    SubmissionPair,
    Where,
)
from wherefrom.results.comparison import BINS
from wherefrom.sources import discover
from wherefrom.throttle import Throttle
from wherefrom.workers.analyzer import Analyzer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from wherefrom.compare.collection import Collection
    from wherefrom.compare.counting import Counted
    from wherefrom.compare.matching import Text
    from wherefrom.compare.pairing import MatchedSubmissions
    from wherefrom.engines.engine import Engine
    from wherefrom.model import BoilerplateSet, Hashes
    from wherefrom.options import CompareOptions
    from wherefrom.results import IndexProgress

RARE_TERMS = 4
"""Pairs are compared token by token, and found, where they share as much as this many terms of two submissions weigh."""

LEAST_SHARED = 0.05
"""Share of the weight of the lighter file's terms that a pair of files shares to be compared token by token. On SOCO-14
the pairs with less change the average precision of the ranking by less than 0.001."""

MOST_COMPARED = 100_000
"""Pairs of files that are compared token by token: those that share most for their length."""

MOST_REGIONS = 200
"""Regions of a pair of files in the answer, the heaviest ones."""

MOST_FILES = 100
"""Pairs of files of a pair of submissions in the answer, the heaviest ones."""


class Comparer:
    """One comparison.

    Args:
        options: what is compared with what.
        progress: called a few times a second.
    """

    def __init__(self, options: CompareOptions) -> None:
        self._options = options
        self._progress: Throttle[CompareProgress] = Throttle(options.progress)
        self._begin = time.perf_counter()

    def paths(
        self, paths: Sequence[str | PathLike[str]], *, cache: Path, sets: Sequence[BoilerplateSet] = ()
    ) -> Comparison:
        """Compares what is named.

        Args:
            paths: the submissions.
            cache: the folder for clones of URLs.
            sets: boilerplate that counts for nothing.

        Raises:
            SourceError: nothing that is named can be read.
            UsageError: a path is named twice, or is none.
            BoilerplateError: there is no code in the template.
        """
        collection = collect_paths(paths, self._options, cache=cache, progress=self._reading)
        return self._compared(collection, (*sets, *self._template(cache)), tuple(map(str, paths)), None)

    def index(self, engine: Engine, *, cache: Path, sets: Sequence[BoilerplateSet] = ()) -> Comparison:
        """Compares what an index holds.

        Args:
            engine: of the index.
            cache: the folder for clones of URLs, of the template.
            sets: boilerplate that counts for nothing.

        Raises:
            UsageError: an archive or a second corpus is named: there are no paths to be compared with them.
            SourceError, BoilerplateError: the template cannot be read, or there is no code in it.
        """
        if self._options.archive or self._options.with_sources:
            raise UsageError("an archive or a second corpus is compared with paths; name what is to be compared")
        roles = {record.key: Role.SUBMISSION for record in engine.repositories()}
        collection = collected(engine, roles, self._options)
        return self._compared(collection, (*sets, *self._template(cache)), (), engine.location)

    def _reading(self, event: IndexProgress) -> None:
        self._tell("reading", event.files, event.files_total)

    def _tell(self, stage: str, done: int, total: int, *, last: bool = False) -> None:
        self._progress.report(
            lambda: CompareProgress(stage, done, total, self._progress.seconds),  # type: ignore[arg-type] # a literal
            last=last,
        )

    def _template(self, cache: Path) -> Iterator[BoilerplateSet]:
        """The k-grams of the template code."""
        if not self._options.template:
            return
        builder = SetBuilder("template", analyzer=Analyzer(self._options.parse_memory))
        for named in self._options.template:
            path = Path(named).expanduser()
            if path.is_file():
                builder.add_text(path.name, path.read_bytes())
            else:
                for source in discover([named], cache=cache):
                    builder.add_source(source)
        yield builder.made()

    def _compared(
        self, collection: Collection, sets: Sequence[BoilerplateSet], paths: tuple[str, ...], location: str | None
    ) -> Comparison:
        counted = count_pairs(
            self._with_progress(_postings(collection)),
            collection.members,
            max_share=self._options.max_share,
            excluded=_terms(sets),
        )
        library = Library(collection.blobs, Ignored(sets, counted.common))
        cut_off: Counter[CutOff] = Counter()
        chosen = _chosen(counted, cut_off)
        masked = _masked(collection, library) if sets or counted.common_terms else {}
        matches = list(self._matched(collection, counted, chosen, library, cut_off))
        pairs = paired(matches, collection, _sizes(collection, counted, masked))
        least = RARE_TERMS * float(weight_of(np.array([2]), collection.members.submissions)[0])
        found = [pair for pair in pairs if pair.containment >= self._options.min_containment and pair.weight >= least]
        possible, of_authors = collection.members.possible_pairs()
        cut_off[CutOff.COMMON_TERMS] = counted.common_terms
        cut_off[CutOff.TERMS_BEYOND_BUDGET] = counted.unused_terms
        cut_off[CutOff.LIGHT_PAIRS] += counted.dropped_pairs
        cut_off[CutOff.UNLIKELY_PAIRS] = len(pairs) - len(found)
        cut_off[CutOff.PAIRS_BEYOND_LIMIT] = max(0, len(found) - self._options.limit)
        cut_off[CutOff.SHARED_AUTHOR] = of_authors
        shown = found[: self._options.limit]
        answer = _Answer(collection, library, counted, masked)
        linked = list(clusters(found, self._options.cluster_similarity))
        comparison = Comparison(
            parameters=_parameters(self._options, paths, location),
            counts=CompareCounts(
                submissions=len(collection.submissions),
                files=len(collection.files),
                tokens=sum(file.tokens for file in collection.files),
                boilerplate_tokens=sum(masked.get(file.occurrence.blob, 0) for file in collection.files),
                size=sum(file.size for file in collection.files),
                possible_pairs=possible,
                sharing_pairs=len(counted.left),
                compared_pairs=len(chosen),
                found_pairs=len(found),
                histogram=_histogram(found),
            ),
            cut_off={reason: number for reason, number in cut_off.items() if number},
            failed=collection.failed,
            skipped=collection.skipped,
            skipped_files=collection.skipped_files,
            files=answer.files(shown),
            submissions=answer.submissions(found, len(shown), [each.submissions for each in linked]),
            pairs=tuple(answer.pair(pair) for pair in shown),
            clusters=tuple(
                Cluster(
                    each.submissions,
                    tuple(number for number in each.pairs if number < len(shown)),
                    max(found[number].similarity for number in each.pairs),
                )
                for each in linked
            ),
            warnings=collection.warnings,
            repositories=collection.records,
            seconds=round(time.perf_counter() - self._begin, 3),
            texts=texts(collection.engine),
        )
        self._tell("done", len(chosen), len(chosen), last=True)
        return comparison

    def _with_progress(self, postings: Iterable[Postings]) -> Iterator[Postings]:
        done = 0
        for part in postings:
            yield part
            done += len(part.terms)
            self._tell("counting", done, 0)

    def _matched(
        self,
        collection: Collection,
        counted: Counted,
        chosen: Sequence[int],
        library: Library,
        cut_off: Counter[CutOff],
    ) -> Iterator[MatchedFiles]:
        """The chosen pairs of files that match; those of one left file after the other."""
        order = sorted(chosen, key=lambda number: (int(counted.left[number]), int(counted.right[number])))
        for done, number in enumerate(order):
            left, right = int(counted.left[number]), int(counted.right[number])
            ours = library.text(collection.files[left].occurrence.blob)
            theirs = library.text(collection.files[right].occurrence.blob)
            runs = matching_runs(ours, theirs, least=self._options.min_tokens)
            if runs:
                weighed = weigh(ours, runs, counted.frequencies)
                yield MatchedFiles(left, right, tuple(runs), weighed, float(counted.weights[number]))
            else:
                cut_off[CutOff.SHORT_PAIRS] += 1
            self._tell("comparing", done, len(order))


class _Answer:
    """Makes the parts of the answer."""

    def __init__(self, collection: Collection, library: Library, counted: Counted, masked: Mapping[str, int]) -> None:
        self._collection, self._library, self._counted, self._masked = collection, library, counted, masked

    def files(self, shown: Sequence[MatchedSubmissions]) -> tuple[ComparedFile, ...]:
        """All files; what those in pairs say of their source is looked up."""
        named = {file for pair in shown for match in pair.files for file in (match.left, match.right)}
        statements = self._statements({self._collection.files[file].occurrence.blob for file in named})
        return tuple(
            ComparedFile(
                submission=file.submission,
                occurrence=file.occurrence,
                language=file.language,
                size=file.size,
                tokens=file.tokens,
                boilerplate_tokens=self._masked.get(file.occurrence.blob, 0),
                boilerplate=self._boilerplate(file.occurrence.blob),
                statements=tuple(
                    Evidence(Where.FILE, kind, value, text, file.occurrence.path, line)
                    for kind, value, text, line in (statements.get(file.occurrence.blob, ()) if number in named else ())
                ),
            )
            for number, file in enumerate(self._collection.files)
        )

    def _statements(self, blobs: set[str]) -> dict[str, list[tuple[str, str, str, int]]]:
        found = {}
        for batch in chunks(sorted(blobs), 256):
            for blob, dumped in self._collection.engine.references(batch).items():
                said = load_references(dumped).found
                found[blob] = [(str(each.kind), each.value, each.text, each.line) for each in said]
        return found

    def _boilerplate(self, blob: str) -> tuple:  # type: ignore[type-arg]
        if not self._masked.get(blob):
            return ()
        text = self._library.text(blob)
        edges = np.flatnonzero(np.diff(text.masked, prepend=False, append=False)).reshape(-1, 2)
        return tuple(region(text.document.stream, begin, end) for begin, end in edges.tolist())

    def submissions(
        self, found: Sequence[MatchedSubmissions], shown: int, linked: Sequence[tuple[int, ...]]
    ) -> tuple[Submission, ...]:
        """All submissions, each with its best pair and its cluster."""
        best: dict[int, int] = {}
        for number, pair in enumerate(found):
            for side in (pair.left, pair.right):
                if side not in best or found[best[side]].similarity < pair.similarity:
                    best[side] = number
        cluster_of = {submission: number for number, each in enumerate(linked) for submission in each}
        return tuple(
            Submission(
                name=submission.name,
                role=submission.role,
                author=submission.author,
                files=tuple(submission.files),
                tokens=sum(self._collection.files[file].tokens for file in submission.files),
                boilerplate_tokens=sum(
                    self._masked.get(self._collection.files[file].occurrence.blob, 0) for file in submission.files
                ),
                best_pair=best[number] if best.get(number, shown) < shown else None,
                best_similarity=round(found[best[number]].similarity, 6) if number in best else 0.0,
                cluster=cluster_of.get(number),
            )
            for number, submission in enumerate(self._collection.submissions)
        )

    def pair(self, pair: MatchedSubmissions) -> SubmissionPair:
        """One pair of submissions."""
        names = (self._collection.submissions[side].name for side in (pair.left, pair.right))
        files = tuple(self._file_pair(match) for match in pair.files[:MOST_FILES])
        return SubmissionPair(
            id=pair_id(*names),
            left=pair.left,
            right=pair.right,
            score=round(pair.score, 6),
            similarity=round(pair.similarity, 6),
            left_containment=round(pair.left_containment, 6),
            right_containment=round(pair.right_containment, 6),
            resemblance=round(pair.resemblance, 6),
            longest_run=pair.longest_run,
            left_matched_tokens=pair.left_tokens,
            right_matched_tokens=pair.right_tokens,
            left_matched_lines=self._lines(
                (match.left, run.begin, run.end) for match in pair.files for run in match.runs
            ),
            right_matched_lines=self._lines(
                (match.right, run.begin + run.shift, run.end + run.shift) for match in pair.files for run in match.runs
            ),
            files=files,
            omitted_files=max(0, len(pair.files) - MOST_FILES),
        )

    def _lines(self, spans: Iterable[tuple[int, int, int]]) -> int:
        """How many lines have a token of these spans (file, begin, end)."""
        lines: dict[int, list[np.ndarray]] = {}  # type: ignore[type-arg]
        for file, begin, end in spans:
            stream = self._text(file).document.stream
            lines.setdefault(file, []).append(stream.start_lines[begin:end])
        return sum(len(np.unique(np.concatenate(parts))) for parts in lines.values())

    def _text(self, file: int) -> Text:
        return self._library.text(self._collection.files[file].occurrence.blob)

    def _file_pair(self, match: MatchedFiles) -> FilePair:
        left, right = self._text(match.left), self._text(match.right)
        heaviest = sorted(range(len(match.runs)), key=lambda at: (-match.weighed[at].weight, at))[:MOST_REGIONS]
        kept = sorted(heaviest)
        runs = [match.runs[at] for at in kept]
        moved = _moved(runs)
        regions = tuple(
            MatchedRegion(
                left=pair.query,
                right=pair.document,
                left_span=(run.begin, run.end),
                right_span=(run.begin + run.shift, run.end + run.shift),
                representation=pair.representation,
                weight=round(match.weighed[at].weight, 3),
                rarity=round(match.weighed[at].rarity, 3),
                submissions=match.weighed[at].submissions,
                is_moved=run in moved,
                facing=pair.facing,
            )
            for at, run, pair in zip(kept, runs, region_pairs(sides(left, right), runs), strict=True)
        )
        files = self._collection.files[match.left], self._collection.files[match.right]
        remaining = [file.tokens - self._masked.get(file.occurrence.blob, 0) for file in files]
        return FilePair(
            left=match.left,
            right=match.right,
            is_identical=files[0].occurrence.blob == files[1].occurrence.blob,
            left_containment=round(match.tokens / remaining[0], 6),
            right_containment=round(match.tokens / remaining[1], 6),
            regions=regions,
            omitted_regions=len(match.runs) - len(kept),
        )


def _moved(runs: Sequence[Run]) -> set[Run]:
    """The runs that are not in the longest sequence of runs, by their tokens, that is in order on both sides."""
    best: list[tuple[int, int]] = []
    for number, run in enumerate(runs):
        before = max(
            (
                (best[other][0], other)
                for other in range(number)
                if runs[other].end + runs[other].shift <= run.begin + run.shift
            ),
            default=(0, -1),
        )
        best.append((before[0] + run.end - run.begin, before[1]))
    in_order = set()
    at = max(range(len(best)), key=lambda number: best[number][0], default=-1)
    while at >= 0:
        in_order.add(runs[at])
        at = best[at][1]
    return set(runs) - in_order


def _postings(collection: Collection) -> Iterator[Postings]:
    """The postings of everything that is compared; made from the tokens where the engine cannot give them."""
    blobs = collection.members.blobs
    if isinstance(collection.engine, TermOrdered):
        yield from collection.engine.postings(blobs)
        return
    made = [document_terms(decode_symbols(collection.blobs[blob].tokens).symbols()) for blob in blobs]
    for representation in INDEXED:
        held = [each.get(representation, np.zeros(0, np.uint64)) for each in made]
        found = np.concatenate([np.zeros(0, np.uint64), *held])
        owners = np.repeat(np.arange(len(held)), [len(each) for each in held])
        order = np.lexsort((owners, found))
        yield Postings(representation, found[order], owners[order])


def _terms(sets: Sequence[BoilerplateSet]) -> dict[Representation, Hashes]:
    """The terms of boilerplate, ascending."""
    return {
        representation: terms(
            np.concatenate(
                [
                    np.zeros(0, np.uint64),
                    *(each.hashes[representation] for each in sets if representation in each.hashes),
                ]
            ),
            scheme.term_bits,
        )
        for representation, scheme in SCHEMES.items()
        if sets
    }


def _chosen(counted: Counted, cut_off: Counter[CutOff]) -> list[int]:
    """The pairs of files that are compared token by token."""
    if not len(counted.left):
        return []
    total = counted.frequencies[Representation.EXACT].total
    lighter = np.minimum(counted.totals[counted.left], counted.totals[counted.right])
    shares = counted.weights / lighter
    is_heavy = (counted.weights >= RARE_TERMS * weight_of(np.array([2]), total)[0]) & (shares >= LEAST_SHARED)
    likely = np.flatnonzero(is_heavy)
    cut_off[CutOff.LIGHT_PAIRS] += len(shares) - len(likely)
    if len(likely) > MOST_COMPARED:
        cut_off[CutOff.PAIRS_BEYOND_BUDGET] += len(likely) - MOST_COMPARED
        likely = likely[np.argsort(-shares[likely], kind="stable")[:MOST_COMPARED]]
    chosen: list[int] = likely.tolist()
    return chosen


def _masked(collection: Collection, library: Library) -> dict[str, int]:
    """How many tokens of each content count for nothing."""
    return {blob: int(np.count_nonzero(library.text(blob).masked)) for blob in collection.members.blobs}


def _sizes(collection: Collection, counted: Counted, masked: Mapping[str, int]) -> list[Sizes]:
    """What remains of each submission."""
    return [
        Sizes(
            sum(
                collection.files[file].tokens - masked.get(collection.files[file].occurrence.blob, 0)
                for file in submission.files
            ),
            float(counted.totals[submission.files.start : submission.files.stop].sum()),
        )
        for submission in collection.submissions
    ]


def _histogram(pairs: Iterable[MatchedSubmissions]) -> tuple[int, ...]:
    """The number of pairs by similarity."""
    counts = Counter(min(BINS - 1, int(pair.similarity * BINS)) for pair in pairs)
    return tuple(counts[number] for number in range(BINS))


def _parameters(options: CompareOptions, paths: tuple[str, ...], location: str | None) -> CompareParameters:
    return CompareParameters(
        paths=paths,
        archive=tuple(map(str, options.archive)),
        with_sources=tuple(map(str, options.with_sources)),
        template=tuple(map(str, options.template)),
        without=tuple(options.without),
        by=options.by,
        author_of=options.author_of,
        max_share=options.max_share,
        min_tokens=options.min_tokens,
        min_containment=options.min_containment,
        cluster_similarity=options.cluster_similarity,
        limit=options.limit,
        index=location,
    )
