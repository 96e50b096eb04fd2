"""What a file is made of: the few documents that explain it, and what is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.engines.engine import Engine
from wherefrom.fitted import NEARLY_ALL, NEARLY_THE_SAME
from wherefrom.model import Hashes, Occurrence, Representation
from wherefrom.options import SourcesOptions
from wherefrom.queries.alignment.aligning import Alignment, Document
from wherefrom.queries.alignment.regions import region_pairs
from wherefrom.queries.alignment.runs import Run, match_runs
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.boilerplate import left_out
from wherefrom.queries.candidates import BATCH, MOST_CANDIDATES, Candidates
from wherefrom.queries.decomposition.cover import Taken, greedy_cover, long_runs
from wherefrom.queries.decomposition.ownership import Claim, lines_of, settle
from wherefrom.queries.filters import Filters
from wherefrom.queries.grouping.groups import jaccard, sketch
from wherefrom.queries.judging.judging import Judge, Judged
from wherefrom.queries.judging.rule import ANSWER
from wherefrom.queries.occurrences import records_at, texts
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.preparation.query import Query, QueryWindow, least_tokens
from wherefrom.queries.snippet import analyze_query, name_with_lines
from wherefrom.queries.spans import covered
from wherefrom.results import Lines, Remainder, SourceDocument, SourcesResult
from wherefrom.sources.source import blob_ids

PASSES = 4
"""How often a document is aligned with one window: what an earlier pass matched is left out of the next one, so that
functions elsewhere in the document are found as well."""

_UNIT = 1000
"""Weights are whole numbers of this fraction of an idf, so that sums of them are equal or are not."""

_UNEXPLAINED, _MASKED = -1, -2

_NOWHERE = np.empty(0, np.int64)


def sources(
    engine: Engine,
    code: bytes,
    options: SourcesOptions,
    *,
    references: IndexReferences | None = None,
    analyzer: Analyzer | None = None,
) -> SourcesResult:
    """Explains a file by few documents (`wherefrom.Index.sources` has arguments and errors). What is learned of
    the index and the analyzer are kept from one call to the next.
    """
    begin = time.perf_counter()
    stream = analyze_query(code, name=options.name, language=options.language, lines=options.lines, analyzer=analyzer)
    query = prepare(stream.tokens, engine, boilerplate=left_out(engine, options))
    filters = Filters.of(
        engine,
        replace(options, not_repositories=(*options.not_repositories, *options.own)),
        not_blobs=blob_ids(code) if options.not_itself else (),
    )
    candidates = Candidates(engine, query, filters, (references or IndexReferences(engine)).admitted_blobs)
    weights = token_weights(query)
    least = least_tokens(stream.tokens) if options.min_tokens is None else options.min_tokens
    explained = [
        found
        for document in _matched(query, candidates, options.progress)
        if (found := _explain(query, document, weights, least)) is not None
    ]
    # Of documents that explain as much, the one that is nearest to the file comes first.
    explained.sort(key=lambda each: (-each.same, _place(candidates, each), each.blob))
    taken = greedy_cover([each.positions for each in explained], weights, least=least, most=options.limit + 1)
    shown, truncated = taken[: options.limit], len(taken) > options.limit

    owners = np.where(query.masked, _MASKED, _UNEXPLAINED)
    for rank, each in enumerate(shown):
        owners[each.positions] = rank
    settle(owners, [explained[each.number].claim() for each in shown], query.stream.start_lines)
    lines = lines_of(query.stream, owners)
    documents = tuple(
        _document(query, candidates, group, owners == rank, lines.get(rank, ()))
        for rank, group in enumerate(_groups(explained, shown, weights))
        if np.any(owners == rank)
    )
    places = (at for document in documents for at in (*document.occurrences, *document.alternatives))
    repositories = records_at(engine, places)
    return SourcesResult(
        engine=engine.name,
        schemes=scheme_ids(),
        query=query.info(name_with_lines(options.name, options.lines), stream.language),
        documents=tuple(replace(document, repositories=repositories) for document in documents),
        unexplained=_remainder(owners, _UNEXPLAINED, lines),
        masked=_remainder(owners, _MASKED, lines),
        truncated=truncated,
        warnings=candidates.warnings,
        took_ms=round((time.perf_counter() - begin) * 1000, 3),
        repositories=repositories,
        texts=texts(engine, code),
    )


def token_weights(query: Query) -> NDArray[np.int64]:
    """What each token of a query weighs: the mean idf of the k-grams that hold it, in thousandths, then the mean over
    the representations; 0 where it is masked or in none.
    """
    sums, counts = np.zeros(len(query.stream)), np.zeros(len(query.stream))
    for grams in query.whole.values():
        weight = _windowed(grams.weight_at, grams.k)
        number = _windowed((grams.weight_at > 0).astype(np.float64), grams.k)
        sums += np.divide(weight, number, out=np.zeros_like(weight), where=number > 0)
        counts += number > 0
    mean = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
    return np.where(query.masked, 0, np.ceil(mean * _UNIT)).astype(np.int64)


def _windowed(values: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """For each position the sum of the values at it and at the k - 1 before it."""
    before = np.concatenate((np.zeros(k), np.cumsum(values)))
    # What differs by rounding alone is no weight.
    summed: NDArray[np.float64] = np.maximum(np.round(before[k:] - before[:-k], 9), 0)
    return summed


@dataclass(slots=True)
class _Matched:
    """A document that is found in some window of the query: `best` is the most probable one, `tried` has what came of
    each window.
    """

    best: Judged
    tried: dict[int, _Pass | None] = field(default_factory=dict)


class _Pass(NamedTuple):
    """What is kept of one alignment of a document with a window: the runs, and which tokens of the window it covers."""

    runs: list[Run]
    covered: NDArray[np.bool_]

    @staticmethod
    def of(found: Judged | None) -> _Pass | None:
        """Of a window by which a document is found; None if it is not."""
        if found is None or found.probability < ANSWER:
            return None
        return _Pass(found.alignment.runs(found.part.distances), _covered(found.alignment, found.part))


@dataclass(slots=True)
class _Matching:
    """The windows of a query beside the documents that share terms with them."""

    query: Query
    candidates: Candidates
    judge: Judge
    documents: dict[str, _Matched]

    def gather(self, number: int) -> None:
        """Asks for the candidates of a window in batches, until the lesser half of one explains nothing of it that no
        better one did. Few count as found, so their locations are asked last.
        """
        part = self.query.parts[number]
        explained = np.zeros(part.end - part.begin, np.bool_)
        offset = 0
        while offset < MOST_CANDIDATES:
            batch = self.candidates.batch(part, offset)
            if not offset:
                scores = [candidate.score for candidate in batch]
            offset += len(batch)
            fresh: dict[str, _Matched] = {}
            before = 0
            for rank, candidate in enumerate(batch):
                if rank == BATCH // 2:
                    before = int(np.count_nonzero(explained))
                found = self.judge.judge(part, candidate, scores, ANSWER)
                first = _Pass.of(found)
                if found is None or first is None:
                    continue
                known = self.documents.get(candidate.blob.blob) or _Matched(found)
                if found.probability > known.best.probability:
                    known.best = found
                known.tried[number] = first
                fresh[candidate.blob.blob] = known
                explained |= first.covered
            for candidate in self.candidates.with_locations([each for each in batch if each.blob.blob in fresh]):
                self.documents[candidate.blob.blob] = fresh[candidate.blob.blob]
            if len(batch) < BATCH or np.count_nonzero(explained) == before:
                return

    def complete(self, matched: _Matched, terms: _Terms) -> None:
        """Tries a document in the windows that it was no candidate of, for others came before it."""
        for number in terms.windows(matched.best.document):
            if number not in matched.tried:
                part = self.query.parts[number]
                matched.tried[number] = _Pass.of(self.judge.beside(part, matched.best))

    def runs(self, matched: _Matched) -> Iterator[Run]:
        """All that is matched of a document, window by window."""
        for number, first in sorted(matched.tried.items()):
            part, found = self.query.parts[number], first
            for _ in range(PASSES - 1):
                if found is None:
                    break
                yield from found.runs
                part = part.without(found.covered)
                found = _Pass.of(self.judge.beside(part, matched.best))
            if found is not None:
                yield from found.runs


def _covered(alignment: Alignment, part: QueryWindow) -> NDArray[np.bool_]:
    """Which tokens of a window an alignment with it covers."""
    found = np.zeros(part.end - part.begin, np.bool_)
    for chain in alignment.chains.values():
        begins = chain.query - part.begin
        found |= covered(begins, begins + chain.k, len(found))
    return found


class _Terms:
    """The looked-up terms of all windows, to tell at once which of them a document shares terms with: a row for each
    term of each window, by term, so that a document costs what it shares with the query.
    """

    def __init__(self, parts: Sequence[QueryWindow]) -> None:
        self._by_term: dict[Representation, tuple[Hashes, NDArray[np.int64]]] = {}
        for representation in {each for part in parts for each in part.terms}:
            rows = [(term, number) for number, part in enumerate(parts) for term in part.terms.get(representation, {})]
            terms, numbers = zip(*rows, strict=True)
            order = np.argsort(np.array(terms, np.uint64), kind="stable")
            self._by_term[representation] = np.array(terms, np.uint64)[order], np.array(numbers)[order]

    def windows(self, document: Document) -> list[int]:
        """The windows that a document shares terms with, ascending."""
        held = document_terms(document.stream)
        found: set[int] = set()
        for representation, (terms, numbers) in self._by_term.items():
            theirs = held.get(representation, np.empty(0, np.uint64))
            begins, ends = terms.searchsorted(theirs, "left"), terms.searchsorted(theirs, "right")
            there = begins < ends
            for begin, end in zip(begins[there].tolist(), ends[there].tolist(), strict=True):
                found.update(numbers[begin:end].tolist())
        return sorted(found)


def _matched(
    query: Query, candidates: Candidates, progress: Callable[[int, int], None] | None
) -> Iterator[tuple[Document, list[Run]]]:
    """The documents that count as found, each with all that is matched of it."""
    matching = _Matching(query, candidates, Judge(query), {})
    for number in range(len(query.parts)):
        if progress is not None:
            progress(number, len(query.parts))
        matching.gather(number)
    terms = _Terms(query.parts)
    for matched in matching.documents.values():
        matching.complete(matched, terms)
        yield matched.best.document, list(matching.runs(matched))


class _Explained:
    """What a document explains: its `runs` beside the query, the `positions` of the tokens that count, and how many
    tokens are the very `same`.
    """

    def __init__(
        self, query: TokenStream, document: Document, runs: Sequence[Run], positions: NDArray[np.int64]
    ) -> None:
        self.document, self.runs, self.positions = document, runs, positions
        self._query = query
        self.same = sum(int(np.count_nonzero(self._same(run))) for run in runs)

    def claim(self) -> Claim:
        """What it explains, and which tokens are the very same in it, where a run lays them beside each other."""
        same = np.zeros(len(self._query), np.bool_)
        for run in self.runs:
            same[run.begin : run.end] = self._same(run)
        return Claim(self.positions, same)

    def _same(self, run: Run) -> NDArray[np.bool_]:
        theirs = self.document.symbols.codes[run.begin + run.shift : run.end + run.shift]
        same: NDArray[np.bool_] = self._query.codes[run.begin : run.end] == theirs
        return same

    @property
    def blob(self) -> str:
        return self.document.blob.blob

    @cached_property
    def sketch(self) -> Hashes:
        made = sketch(self.document)
        self.document.forget()
        return made


def _explain(
    query: Query, matched: tuple[Document, list[Run]], weights: NDArray[np.int64], least: int
) -> _Explained | None:
    """What a document explains in runs of at least so many tokens; None where it is nothing."""
    document, aligned = matched
    runs = match_runs(query.beside(document.stream), aligned, query.masked)
    held = np.concatenate([_NOWHERE, *(np.arange(run.begin, run.end) for run in runs)])
    long = long_runs(held[weights[held] > 0], least)
    return _Explained(query.stream, document, runs, np.concatenate(long)) if long else None


def _place(candidates: Candidates, explained: _Explained) -> tuple[str, str]:
    first = candidates.places[explained.blob][0]
    return first.repository, first.path


@dataclass(slots=True)
class _Group:
    """The `best` of some blobs that are (nearly) identical, all of these, and others that explain nearly as much of the
    same.
    """

    best: _Explained
    members: list[str]
    others: list[_Explained]


def _groups(explained: Sequence[_Explained], taken: Sequence[Taken], weights: NDArray[np.int64]) -> list[_Group]:
    own = {explained[each.number].blob for each in taken}
    groups = []
    for each in taken:
        best = explained[each.number]
        open_weights = np.zeros(len(weights), np.int64)
        open_weights[each.positions] = weights[each.positions]
        group = _Group(best, [best.blob], [])
        for other in explained:
            if other.blob in own or open_weights[other.positions].sum() < NEARLY_ALL / 2 * each.weight:
                continue
            if jaccard(best.sketch, other.sketch) >= NEARLY_THE_SAME:
                group.members.append(other.blob)
            elif open_weights[other.positions].sum() >= NEARLY_ALL * each.weight:
                group.others.append(other)
        groups.append(group)
    return groups


def _document(
    query: Query, candidates: Candidates, group: _Group, own: NDArray[np.bool_], lines: tuple[Lines, ...]
) -> SourceDocument:
    explained = group.best
    everything = np.full(len(query.stream), _UNEXPLAINED)
    everything[explained.positions] = 0
    stored = explained.document.blob
    runs = [run for run in explained.runs if np.any(own[run.begin : run.end])]
    return SourceDocument(
        blob=stored.blob,
        language=stored.language,
        occurrences=tuple(at for blob in group.members for at in candidates.places[blob]),
        tokens=int(np.count_nonzero(own)),
        share=round(float(np.mean(own)), 6),
        lines=lines,
        all_tokens=len(explained.positions),
        all_lines=lines_of(query.stream, everything).get(0, ()),
        regions=region_pairs(query.beside(explained.document.stream), runs),
        alternatives=tuple(_firsts(candidates, group.others)),
    )


def _firsts(candidates: Candidates, others: Iterable[_Explained]) -> Iterator[Occurrence]:
    for each in others:
        yield candidates.places[each.blob][0]


def _remainder(owners: NDArray[np.int64], owner: int, lines: Mapping[int, tuple[Lines, ...]]) -> Remainder:
    tokens = int(np.count_nonzero(owners == owner))
    return Remainder(tokens, round(tokens / len(owners), 6) if tokens else 0.0, lines.get(owner, ()))
