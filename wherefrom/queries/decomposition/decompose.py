"""Finds the few documents that together contain the parts of a file, and the tokens that none of them contains."""

from __future__ import annotations

import heapq
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.engines.engine import Engine
from wherefrom.fitted import AS_WELL, NEARLY_IDENTICAL
from wherefrom.model import Hashes, Representation
from wherefrom.options import SourcesOptions
from wherefrom.queries.alignment.documents import DocumentTokens
from wherefrom.queries.alignment.regions import region_pairs
from wherefrom.queries.alignment.runs import MatchedRun, inside
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.boilerplate import left_out
from wherefrom.queries.candidates import BATCH, MOST_CANDIDATES, Candidates
from wherefrom.queries.filters import Filters
from wherefrom.queries.grouping.copies import jaccard, sketch
from wherefrom.queries.judging.judging import Judge, Judged
from wherefrom.queries.judging.odds import ANSWER
from wherefrom.queries.occurrences import records_at, texts
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.preparation.query import Query, scheme_of
from wherefrom.queries.snippet import analyze_query, name_with_lines
from wherefrom.queries.spans import Flags, Floats, Numbers, parted
from wherefrom.results import Lines, Remainder, SourceDocument, SourcesResult
from wherefrom.sources.source import blob_ids
from wherefrom.support.chunks import by_key
from wherefrom.support.values import dataclass, field, replace

_UNIT = 1000  # weights are whole thousandths of an idf, so that equal sums of weights compare as equal
_UNEXPLAINED, _MASKED = -1, -2


def sources(
    engine: Engine,
    code: bytes,
    options: SourcesOptions,
    *,
    references: IndexReferences | None = None,
    analyzer: Analyzer | None = None,
) -> SourcesResult:
    """Finds few documents that contain the parts of a file (`wherefrom.Index.sources` has arguments and errors).
    `references` and `analyzer` may be kept from one call to the next.
    """
    begin = time.perf_counter()
    text = analyze_query(code, name=options.name, language=options.language, lines=options.lines, analyzer=analyzer)
    query = prepare(text.tokens, engine, boilerplate=left_out(engine, options))
    filters = Filters.of(
        engine,
        replace(options, not_repositories=(*options.not_repositories, *options.own)),
        not_blobs=blob_ids(code) if options.not_itself else (),
    )
    candidates = Candidates(engine, query.looked_up, filters, (references or IndexReferences(engine)).admitted_blobs)
    weights = token_weights(query)
    least = scheme_of(text.tokens).guarantee if options.min_tokens is None else options.min_tokens
    explaining = [
        found
        for matched in _Matching(query, candidates).documents(options.progress)
        if (found := _explaining(query, *matched, weights, least)) is not None
    ]
    # Of documents that explain equally much, the one with the most identical tokens comes first.
    firsts = {found.blob: candidates.places[found.blob][0] for found in explaining}
    explaining.sort(key=lambda found: (-found.same, firsts[found.blob].repository, firsts[found.blob].path, found.blob))
    taken = greedy_cover([found.positions for found in explaining], weights, least=least, most=options.limit + 1)
    shown, truncated = taken[: options.limit], candidates.are_cut or len(taken) > options.limit

    owners = np.where(query.masked, _MASKED, _UNEXPLAINED)
    for rank, chosen in enumerate(shown):
        owners[chosen.positions] = rank
    claims = [
        (found.positions, _same_tokens(query.stream, found.document, found.runs))
        for found in (explaining[chosen.number] for chosen in shown)
    ]
    settle(owners, claims, query.stream.start_lines)
    lines = lines_of(query.stream, owners)
    documents = [
        _document(query, candidates, group, owners == rank, lines.get(rank, ()))
        for rank, group in enumerate(_groups(explaining, shown, weights))
        if np.any(owners == rank)
    ]
    places = (at for document in documents for at in (*document.occurrences, *document.alternatives))
    repositories = records_at(engine, places)
    return SourcesResult(
        engine=engine.name,
        schemes=scheme_ids(),
        query=query.info(name_with_lines(options.name, options.lines), text.language),
        documents=tuple(replace(document, repositories=repositories) for document in documents),
        unexplained=_remainder(owners, _UNEXPLAINED, lines),
        masked=_remainder(owners, _MASKED, lines),
        truncated=truncated,
        warnings=candidates.warnings,
        took_ms=round((time.perf_counter() - begin) * 1000, 3),
        repositories=repositories,
        texts=texts(engine, code),
    )


def token_weights(query: Query) -> Numbers:
    """The weight of each token of a query, in thousandths: the mean idf of the k-grams around it, then the mean over
    the representations. It is 0 if the token is masked or in no k-gram.
    """
    sums, counts = np.zeros(len(query.stream)), np.zeros(len(query.stream))
    for grams in query.whole.values():
        weight = _windowed(grams.weight_at, grams.k)
        number = _windowed((grams.weight_at > 0).astype(np.float64), grams.k)
        sums += np.divide(weight, number, out=np.zeros_like(weight), where=number > 0)
        counts += number > 0
    mean = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
    return np.where(query.masked, 0, np.ceil(mean * _UNIT)).astype(np.int64)


def _windowed(values: Floats, k: int) -> Floats:
    before = np.concatenate((np.zeros(k), np.cumsum(values)))
    # Differences that are only rounding errors become 0.
    return np.maximum(np.round(before[k:] - before[:-k], 9), 0)


@dataclass(slots=True)
class _FoundDocument:
    """A document that is an answer to a window."""

    best: Judged  # the result for the window where it is most probable
    # the result for each window that was tried, by the window's number; None if it is not an answer there
    tried: dict[int, Judged | None] = field(default_factory=dict)


class _Matching:
    """Aligns the windows of a query with the documents that share terms with them."""

    def __init__(self, query: Query, candidates: Candidates) -> None:
        self._query, self._candidates, self._judge = query, candidates, Judge(query)
        self._found: dict[str, _FoundDocument] = {}
        self._windows: defaultdict[Representation, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))

    def documents(
        self, progress: Callable[[int, int], None] | None
    ) -> Iterator[tuple[DocumentTokens, list[MatchedRun]]]:
        """The documents that are answers to a window, each with its runs in all windows."""
        for number, part in enumerate(self._query.parts):
            if progress is not None:
                progress(number, len(self._query.parts))
            self._gather(number)
            for key, terms in part.terms.items():
                for term in terms:
                    self._windows[key][term].append(number)
        for found in self._found.values():
            self._try_other_windows(found)
            judged = [other for _, other in sorted(found.tried.items()) if other is not None]
            all_runs = self._query.runs_of(((other.part, other.aligned) for other in judged), is_once=False)
            yield found.best.document, all_runs

    def _gather(self, number: int) -> None:
        """Reads the candidates of a window in batches, until the weaker half of a batch covers no further token. Few
        candidates are answers, so locations are read last, and only for answers.
        """
        part = self._query.parts[number]
        explained = np.zeros(part.end - part.begin, np.bool_)
        read = 0
        for batch in self._candidates.batches(part.terms):
            read += len(batch)
            fresh: dict[str, _FoundDocument] = {}
            before = 0
            for rank, candidate in enumerate(batch):
                if rank == BATCH // 2:
                    before = int(np.count_nonzero(explained))
                judged = self._judge.judge(part, candidate, ANSWER)
                if judged is None:
                    continue
                known = self._found.get(candidate.blob.blob) or _FoundDocument(judged)
                if judged.probability > known.best.probability:
                    known.best = judged
                known.tried[number] = judged
                fresh[candidate.blob.blob] = known
                for run in inside(judged.aligned.runs, part.begin, part.end):
                    explained[run.begin - part.begin : run.end - part.begin] = True
            answers = [candidate for candidate in batch if candidate.blob.blob in fresh]
            for candidate in self._candidates.with_locations(answers):
                self._found[candidate.blob.blob] = fresh[candidate.blob.blob]
            if len(batch) < BATCH or np.count_nonzero(explained) == before or read >= MOST_CANDIDATES:
                return

    def _try_other_windows(self, found: _FoundDocument) -> None:
        """Tries a document in the windows that share terms with it, but did not read enough candidates to find it."""
        sharing = {
            number
            for key, terms in found.best.document.terms.items()
            for term in terms & self._windows[key].keys()
            for number in self._windows[key][term]
        }
        for number in sorted(sharing - found.tried.keys()):
            other = self._judge.beside(self._query.parts[number], found.best)
            found.tried[number] = other if other is not None and other.probability >= ANSWER else None


@dataclass(frozen=True)  # `cached_property` needs a class without slots
class _Explaining:
    """A document that contains a part of the file."""

    document: DocumentTokens
    runs: Sequence[MatchedRun]
    positions: Numbers  # of the tokens in long runs
    same: int  # how many tokens are the same in both texts

    @property
    def blob(self) -> str:
        """The document's id."""
        return self.document.blob.blob

    @cached_property
    def sketch(self) -> Hashes:
        """The document's sketch, for `jaccard`."""
        made = sketch(self.document)
        self.document.forget()
        return made


def _explaining(
    query: Query, document: DocumentTokens, runs: Sequence[MatchedRun], weights: Numbers, least: int
) -> _Explaining | None:
    """The parts of the file that a document contains in runs of at least `least` tokens; None if it contains none."""
    matched = np.concatenate([np.empty(0, np.int64), *(np.arange(run.begin, run.end) for run in runs)])
    long = long_runs(matched[weights[matched] > 0], least)
    same = int(np.count_nonzero(_same_tokens(query.stream, document, runs)))
    return _Explaining(document, runs, np.concatenate(long), same) if long else None


def _same_tokens(query: TokenStream, document: DocumentTokens, runs: Sequence[MatchedRun]) -> Flags:
    same = np.zeros(len(query), np.bool_)
    for run in runs:
        same[run.here] = query.codes[run.here] == document.symbols.codes[run.there]
    return same


_Group = tuple[_Explaining, list[str], list[str]]
"""A document of the cover, the blobs nearly identical to it (its own first), and blobs that cover nearly as much."""


def _groups(explaining: Sequence[_Explaining], taken: Sequence[Taken], weights: Numbers) -> Iterator[_Group]:
    own = {explaining[chosen.number].blob for chosen in taken}
    for chosen in taken:
        best = explaining[chosen.number]
        open_weights = np.zeros(len(weights), np.int64)
        open_weights[chosen.positions] = weights[chosen.positions]
        members, others = [best.blob], []
        for other in explaining:
            weight = open_weights[other.positions].sum()
            if other.blob in own or weight < AS_WELL / 2 * chosen.weight:
                continue
            if jaccard(best.sketch, other.sketch) >= NEARLY_IDENTICAL:
                members.append(other.blob)
            elif weight >= AS_WELL * chosen.weight:
                others.append(other.blob)
        yield best, members, others


def _document(
    query: Query, candidates: Candidates, group: _Group, own: Flags, lines: tuple[Lines, ...]
) -> SourceDocument:
    best, members, others = group
    everything = np.full(len(query.stream), _UNEXPLAINED)
    everything[best.positions] = 0
    runs = [run for run in best.runs if np.any(own[run.here])]
    return SourceDocument(
        blob=best.blob,
        language=best.document.blob.language,
        occurrences=tuple(at for blob in members for at in candidates.places[blob]),
        tokens=int(np.count_nonzero(own)),
        share=round(float(np.mean(own)), 6),
        lines=lines,
        all_tokens=len(best.positions),
        all_lines=lines_of(query.stream, everything).get(0, ()),
        regions=region_pairs(query.beside(best.document.stream), runs),
        alternatives=tuple(candidates.places[blob][0] for blob in others),
    )


def _remainder(owners: Numbers, owner: int, lines: Mapping[int, tuple[Lines, ...]]) -> Remainder:
    tokens = int(np.count_nonzero(owners == owner))
    return Remainder(tokens, round(tokens / len(owners), 6) if tokens else 0.0, lines.get(owner, ()))


NEAR = SCHEMES[Representation.EXACT].k
"""Runs with at most this many tokens between them count as one run, as long as their sum. Edits split a copied function
into runs that would be too short by themselves."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A text of the cover: its `number`, the `positions` that no earlier text covers (ascending), their `weight`."""

    number: int
    positions: Numbers
    weight: int


def long_runs(positions: Numbers, least: int) -> list[Numbers]:
    """Splits ascending positions at gaps of more than `NEAR`. Returns the runs with at least `least` positions."""
    runs = np.split(positions, np.flatnonzero(np.diff(positions) > NEAR + 1) + 1)
    return [run for run in runs if len(run) >= least]


def greedy_cover(texts: Sequence[Numbers], weights: Numbers, *, least: int = 1, most: int | None = None) -> list[Taken]:
    """Takes the text whose long runs (of `least` uncovered positions) weigh most, until no text has a long run.

    If several texts weigh the same, the text with the longest run comes first, then the text that was given first. The
    weight that a text adds can only fall while others are taken, so an earlier weight is an upper bound (Minoux 1978).
    `texts` has the ascending positions that each covers. `weights` are whole numbers, 0 for what does not count.
    """
    is_open = weights > 0
    waiting = [
        (*_worth(runs, weights), number)
        for number, text in enumerate(texts)
        if (runs := long_runs(text[is_open[text]], least))
    ]
    heapq.heapify(waiting)
    taken: list[Taken] = []
    while waiting and (most is None or len(taken) < most):
        *bound, number = heapq.heappop(waiting)
        runs = long_runs(texts[number][is_open[texts[number]]], least)
        if not runs:
            continue
        worth = _worth(runs, weights)
        if worth != tuple(bound):
            heapq.heappush(waiting, (*worth, number))
            continue
        positions = np.concatenate(runs)
        is_open[positions] = False
        taken.append(Taken(number, positions, -worth[0]))
    return taken


def _worth(runs: Sequence[Numbers], weights: Numbers) -> tuple[int, int]:
    """A sort key for the best runs first: the negative weight of all runs, the negative length of the longest run."""
    return -sum(int(weights[run].sum()) for run in runs), -max(map(len, runs))


def settle(owners: Numbers, claims: Sequence[tuple[Numbers, Flags]], start_lines: Numbers) -> None:
    """Moves the border between two documents within a stretch that both cover, so that most tokens are identical in
    their owner. The run of the first document may have grown too far, into the head of the next function. `owners` is
    changed in place. `claims` has the ascending positions that each document covers, and which tokens are identical.
    """
    is_line = np.append(np.diff(start_lines, prepend=0) > 0, True)
    for number, (positions, same) in enumerate(claims):
        both = positions[(owners[positions] >= 0) & (owners[positions] < number)]
        breaks = (np.diff(both) > 1) | (np.diff(owners[both]) != 0)
        for stretch in np.split(both, np.flatnonzero(breaks) + 1) if len(both) else ():
            first, last = int(stretch[0]), int(stretch[-1]) + 1
            theirs, ours = claims[owners[first]][1][first:last], same[first:last]
            borders = is_line[first : last + 1]
            is_after = first > 0 and owners[first - 1] == number
            is_before = last < len(owners) and owners[last] == number
            if is_before and not is_after:
                owners[first + _kept(theirs, ours, borders) : last] = number
            elif is_after and not is_before:
                owners[first : last - _kept(theirs[::-1], ours[::-1], borders[::-1])] = number
            elif is_after and np.count_nonzero(ours) > np.count_nonzero(theirs):
                owners[first:last] = number


def _kept(theirs: Flags, ours: Flags, borders: Flags) -> int:
    """How many tokens at the beginning of a stretch its first document keeps: the number at which most tokens are
    identical in their owner. In a tie, a border at the beginning of a line is preferred, then the largest number.
    """
    same = np.concatenate(([0], np.cumsum(theirs))) + np.concatenate((np.cumsum(ours[::-1])[::-1], [0]))
    return max(range(len(same)), key=lambda at: (int(same[at]), bool(borders[at]), at))


def lines_of(stream: TokenStream, owners: Numbers) -> dict[int, tuple[Lines, ...]]:
    """The lines of each owner, in ranges, ascending.

    A line belongs to the owner of most of its tokens; in a tie, to the owner that comes first in the line. A line
    without tokens is in a range if the lines around it are.
    """
    if not len(stream):
        return {}
    heights = stream.end_lines - stream.start_lines + 1
    token = np.repeat(np.arange(len(stream)), heights)
    line = stream.start_lines[token] + np.arange(len(token)) - np.repeat(np.cumsum(heights) - heights, heights)
    pairs, firsts, counts = np.unique(
        np.stack((line, owners[token]), axis=1), axis=0, return_index=True, return_counts=True
    )
    ordered = pairs[np.lexsort((firsts, -counts, pairs[:, 0]))]
    lines, owner = ordered[np.flatnonzero(np.diff(ordered[:, 0], prepend=0))].T
    found = by_key(
        (int(owner[first]), Lines(int(lines[first]), int(lines[end - 1])))
        for first, end in parted(np.diff(owner) != 0).tolist()
    )
    return {own: tuple(ranges) for own, ranges in found.items()}
