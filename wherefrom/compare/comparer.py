"""Runs a comparison."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from itertools import accumulate
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.hashing import terms
from wherefrom.analyzers.tokens import decode
from wherefrom.compare.answer import AnswerMaker
from wherefrom.compare.collection import Collection, collect_paths, collect_texts, collected, plain_file
from wherefrom.compare.counting import Counted, count_pairs, weight_of
from wherefrom.compare.mapping import corpus_map, with_identical
from wherefrom.compare.matching import KEPT, ComparedText, Ignored, runs_from_lines, unmasked_runs, weigh
from wherefrom.compare.pairing import MatchedFiles, MatchedSubmissions, clusters, pair_id, paired
from wherefrom.compare.vendored import vendored_folders
from wherefrom.engines.engine import Engine, Postings, TermOrdered
from wherefrom.engines.postings import in_term_order
from wherefrom.engines.terms import narrowed
from wherefrom.errors import UsageError
from wherefrom.fitted import MANY, RARE_TERMS, SLIGHT
from wherefrom.model import INDEXED, BoilerplateSet, Hashes, Representation
from wherefrom.options import CompareOptions
from wherefrom.queries.boilerplate import SetBuilder
from wherefrom.queries.occurrences import texts
from wherefrom.queries.snippet import analyze_query
from wherefrom.results import CompareCounts, CompareParameters, CompareProgress, Comparison, CutOff, Role
from wherefrom.results.comparison import BINS
from wherefrom.sources.directory import FilesSource
from wherefrom.sources.discover import discover
from wherefrom.support.throttle import Throttle

MOST_COMPARED = 50_000
"""At most this many pairs of files are compared token by token: those that share the most for their length."""


class Comparer:
    """One comparison."""

    def __init__(self, options: CompareOptions) -> None:
        self._options = options
        self._progress: Throttle[CompareProgress] = Throttle(options.progress)
        self._begin = time.perf_counter()

    def paths(
        self, paths: Sequence[str | PathLike[str]], *, cache: Path, sets: Sequence[BoilerplateSet] = ()
    ) -> Comparison:
        """Compares the sources at some paths.

        Raises:
            SourceError: none of the sources can be read.
            UsageError: a path is given twice, or is not a path.
            BoilerplateError: the template has no code.
        """
        collection = collect_paths(
            paths,
            self._options,
            cache=cache,
            progress=lambda event: self._tell("reading", event.files, event.files_total),
        )
        return self._compared(collection, (*sets, *self._template(cache)), tuple(map(str, paths)), None)

    def index(self, engine: Engine, *, cache: Path, sets: Sequence[BoilerplateSet] = ()) -> Comparison:
        """Compares everything in an index.

        Raises:
            UsageError: the options name an archive or a second corpus, which need paths.
            SourceError, BoilerplateError: the template cannot be read, or has no code.
        """
        if self._options.archive or self._options.with_sources:
            raise UsageError("an archive or a second corpus is compared with paths; name what is to be compared")
        roles = {record.key: Role.SUBMISSION for record in engine.repositories()}
        collection = collected(engine, roles, self._options)
        return self._compared(collection, (*sets, *self._template(cache)), (), engine.location)

    def texts(
        self,
        texts: Sequence[tuple[str, bytes]],
        *,
        language: str | None = None,
        analyzer: Analyzer,
        sets: Sequence[BoilerplateSet] = (),
    ) -> Comparison:
        """Compares two texts (name, content). The first one is on the left.

        Raises:
            AnalysisError: a text cannot be analyzed.
        """
        analyzed = [
            (name, content, analyze_query(content, name=name, language=language, analyzer=analyzer))
            for name, content in texts
        ]
        collection = collect_texts(analyzed, self._options)
        return self._compared(collection, sets, tuple(name for name, _ in texts), None)

    def _tell(self, stage: str, done: int, total: int, *, last: bool = False) -> None:
        self._progress.report(
            lambda: CompareProgress(stage, done, total, self._progress.seconds),  # type: ignore[arg-type] # a literal
            last=last,
        )

    def _template(self, cache: Path) -> Iterator[BoilerplateSet]:
        if not self._options.template:
            return
        builder = SetBuilder("template", analyzer=Analyzer(self._options.parse_memory))
        for named in self._options.template:
            file = plain_file(named)
            sources = discover([named], cache=cache) if file is None else [FilesSource(file.parent, [file.name])]
            for source in sources:
                builder.add_source(source)
        yield builder.made()

    def _compared(
        self, collection: Collection, sets: Sequence[BoilerplateSet], paths: tuple[str, ...], location: str | None
    ) -> Comparison:
        counted = count_pairs(
            self._with_progress(_postings(collection)),
            collection.members,
            max_share=self._options.max_share,
            excluded=_terms(sets, collection.engine.term_bits),
        )
        # In a file with only one common term, the term is not ignored, since it may be a coincidence.
        with_common = np.flatnonzero(counted.common_held > 1).tolist()
        holders = frozenset(collection.files[file].occurrence.blob for file in with_common)
        ignored, blobs = Ignored(sets, counted.common, holders), collection.blobs

        @lru_cache(KEPT)
        def library(blob: str) -> ComparedText:
            return ComparedText(blobs[blob], ignored, collection.engine.term_bits)

        cut_off: Counter[CutOff] = Counter()
        chosen = _chosen(counted, cut_off)
        masked = {blob: int(np.count_nonzero(library(blob).masked)) for blob in (blobs if sets else holders)}
        marked = [replace(file, boilerplate_tokens=masked.get(file.occurrence.blob, 0)) for file in collection.files]
        collection = replace(collection, files=marked)
        matches = list(self._matched(collection, counted, chosen, library, cut_off))
        pairs = paired(matches, collection, counted.totals)
        rarest = float(weight_of(np.array([2]), collection.members.unit_count)[0])
        reviews, names = self._options.reviews or {}, [submission.name for submission in collection.submissions]
        likely = [
            replace(pair, review=reviews.get(pair_id(names[pair.left], names[pair.right]))) if reviews else pair
            for pair in pairs
            if pair.containment >= self._options.min_containment and pair.weight >= RARE_TERMS * rarest
        ]
        shown, beyond = self._limited(likely)
        found = [*shown, *beyond]
        counting = [pair for pair in found if not pair.is_dismissed]
        histogram = Counter(min(BINS - 1, int(pair.similarity * BINS)) for pair in counting)
        possible, of_authors = collection.members.possible_pairs()
        cut_off[CutOff.COMMON_TERMS] = sum(map(len, counted.common.values()))
        cut_off[CutOff.TERMS_BEYOND_BUDGET] = counted.unused_terms
        cut_off[CutOff.LIGHT_PAIRS] += counted.dropped_pairs
        cut_off[CutOff.UNLIKELY_PAIRS] = len(pairs) - len(found)
        cut_off[CutOff.PAIRS_BEYOND_LIMIT] = len(beyond)
        cut_off[CutOff.SHARED_AUTHOR] = of_authors
        answer = AnswerMaker(collection, library)
        has_map = collection.members.has_two_sides
        shared = with_identical(matches, collection) if has_map else []
        linked = tuple(clusters(found, self._options.cluster_similarity, len(shown)))
        comparison = Comparison(
            parameters=_parameters(self._options, paths, location),
            counts=CompareCounts(
                submissions=len(collection.submissions),
                files=len(collection.files),
                tokens=sum(file.tokens for file in collection.files),
                boilerplate_tokens=sum(file.boilerplate_tokens for file in collection.files),
                size=sum(file.size for file in collection.files),
                possible_pairs=possible,
                sharing_pairs=len(counted.left),
                compared_pairs=len(chosen),
                found_pairs=len(counting),
                dismissed_pairs=len(found) - len(counting),
                histogram=tuple(histogram[number] for number in range(BINS)),
            ),
            cut_off={reason: number for reason, number in cut_off.items() if number},
            failed=collection.failed,
            skipped=collection.skipped,
            skipped_files=collection.skipped_files,
            files=answer.files(shown),
            submissions=answer.submissions(found, len(shown), linked),
            pairs=tuple(answer.pair(pair) for pair in shown),
            clusters=linked,
            map=corpus_map(shared, collection, least=MANY * rarest) if has_map else None,
            vendored=vendored_folders(shared, collection) if has_map else (),
            warnings=collection.warnings,
            repositories=collection.records,
            seconds=round(time.perf_counter() - self._begin, 3),
            texts=texts(collection.engine),
        )
        self._tell("done", len(chosen), len(chosen), last=True)
        return comparison

    def _limited(
        self, found: Sequence[MatchedSubmissions]
    ) -> tuple[list[MatchedSubmissions], list[MatchedSubmissions]]:
        """The pairs of the answer, and those beyond the limit. Dismissed pairs do not count towards the limit."""
        places = accumulate(not pair.is_dismissed for pair in found)
        parts: tuple[list[MatchedSubmissions], list[MatchedSubmissions]] = [], []
        for pair, place in zip(found, places, strict=True):
            parts[place > self._options.limit and not pair.is_dismissed].append(pair)
        return parts

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
        library: Callable[[str], ComparedText],
        cut_off: Counter[CutOff],
    ) -> Iterator[MatchedFiles]:
        """Compares the chosen pairs of files token by token, and yields those that match."""
        for done, number in enumerate(chosen):
            left, right = int(counted.left[number]), int(counted.right[number])
            ours = library(collection.files[left].occurrence.blob)
            theirs = library(collection.files[right].occurrence.blob)
            runs = (
                unmasked_runs(ours) if ours is theirs else runs_from_lines(ours, theirs, least=self._options.min_tokens)
            )
            if runs:
                weighed, weight = weigh(ours, runs, counted.frequencies), float(counted.weights[number])
                yield MatchedFiles(left, right, tuple(runs), weighed, weight, is_identical=ours is theirs)
            else:
                cut_off[CutOff.SHORT_PAIRS] += 1
            self._tell("comparing", done, len(chosen))


def _postings(collection: Collection) -> Iterator[Postings]:
    """The postings of all blobs. They are made from the tokens if the engine cannot give them."""
    blobs, engine = collection.members.blobs, collection.engine
    if isinstance(engine, TermOrdered):
        yield from engine.postings(blobs)
        return
    nothing = np.zeros(0, np.uint64)
    made = [document_terms(decode(collection.blobs[blob].tokens)) for blob in blobs]
    for representation in INDEXED:
        found_terms = [narrowed(of_blob.get(representation, nothing), engine.term_bits) for of_blob in made]
        yield from in_term_order(representation, found_terms)


def _terms(sets: Sequence[BoilerplateSet], term_bits: int) -> dict[Representation, Hashes]:
    terms_of = {}
    for representation in INDEXED if sets else ():
        hashes = [found.hashes[representation] for found in sets if representation in found.hashes]
        terms_of[representation] = narrowed(terms(np.concatenate([np.zeros(0, np.uint64), *hashes])), term_bits)
    return terms_of


def _chosen(counted: Counted, cut_off: Counter[CutOff]) -> list[int]:
    if not len(counted.left):
        return []
    total = counted.frequencies[Representation.EXACT].total
    lighter = np.minimum(counted.totals[counted.left], counted.totals[counted.right])
    shares = counted.weights / lighter
    rarest = weight_of(np.array([2]), total)[0]
    is_heavy = (counted.weights >= RARE_TERMS * rarest) & (shares >= SLIGHT)
    likely = np.flatnonzero(is_heavy | (counted.rare_weights >= MANY * rarest))
    cut_off[CutOff.LIGHT_PAIRS] += len(shares) - len(likely)
    if len(likely) > MOST_COMPARED:
        cut_off[CutOff.PAIRS_BEYOND_BUDGET] += len(likely) - MOST_COMPARED
        likely = np.sort(likely[np.argsort(-shares[likely], kind="stable")[:MOST_COMPARED]])
    chosen: list[int] = likely.tolist()
    return chosen


def _parameters(options: CompareOptions, paths: tuple[str, ...], location: str | None) -> CompareParameters:
    values: dict[str, Any] = {field.name: getattr(options, field.name, None) for field in fields(CompareParameters)}
    for name in ("archive", "with_sources", "template", "without"):
        values[name] = tuple(map(str, values[name]))
    return CompareParameters(**{**values, "paths": paths, "index": location})
