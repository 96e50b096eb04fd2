"""The search: candidates from the engine, aligned, judged, grouped, explained."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from wherefrom.analyzers.analyzed import Analysis, Reading
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.guessing import guess
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.engines.engine import Engine
from wherefrom.errors import AnalysisError
from wherefrom.fitted import NEARLY_THE_SAME
from wherefrom.languages import LANGUAGES
from wherefrom.model import Occurrence, Representation
from wherefrom.options import SearchOptions
from wherefrom.queries.alignment.regions import explained_tokens
from wherefrom.queries.alignment.runs import Run, match_runs
from wherefrom.queries.attributing.attribution import AttributionCriteria, Attributions
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.boilerplate import left_out, make_set
from wherefrom.queries.candidates import Candidates
from wherefrom.queries.filters import Filters, own_keys
from wherefrom.queries.grouping.copies import Copies, gather
from wherefrom.queries.grouping.hits import Finished, hits_of, refused
from wherefrom.queries.judging.judging import Judge
from wherefrom.queries.judging.rule import ANSWER
from wherefrom.queries.occurrences import records_at, texts, with_records
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.repository_names import unmatched
from wherefrom.queries.snippet import analyze_query, is_scrambled, name_with_lines
from wherefrom.results import Refused, SearchResult
from wherefrom.results.search import token_percent

MOST_READ_AGAIN = 20_000
"""Bytes of a query that is read in another way: what a longer one is, is told by so much of it."""


def search(
    engine: Engine,
    code: bytes,
    options: SearchOptions,
    *,
    references: IndexReferences | None = None,
    analyzer: Analyzer | None = None,
) -> SearchResult:
    """Finds where a snippet appears (`wherefrom.Index.search` has arguments and errors). What is learned of the
    index (`references`) and the analyzer are kept from one search to the next.
    """
    begin = time.perf_counter()
    analyzer = analyzer or Analyzer()
    read = partial(analyze_query, code, name=options.name, lines=options.lines, analyzer=analyzer)
    snippet = read(language=options.language)
    if options.without_texts:
        made = make_set("files given with the query", options.without_texts, analyzer=analyzer)
        options = replace(options, without_texts=(), without_sets=(*options.without_sets, made))
    if options.progress is not None:
        options.progress(len(snippet.tokens))
    records = engine.repositories() if options.own else []
    own = own_keys(records, (), options.own)

    looked_up: list[Finished] = []
    answers: list[tuple[TokenStream, int | None, Finished, SearchResult]] = []

    def look_up(snippet: Analysis, window: int | None) -> SearchResult:
        for stream, earlier_window, done, earlier in answers:
            # Several languages may read a snippet alike.
            if earlier_window == window and _are_same(stream, snippet.tokens):
                looked_up.append(done)
                return replace(earlier, query=replace(earlier.query, language=snippet.language))
        done = finished(
            engine,
            snippet.tokens,
            replace(options, window=window),
            own=own,
            least=ANSWER,
            references=references,
        )
        looked_up.append(done)
        answer = _answer(engine, done, name=name_with_lines(options.name, options.lines), language=snippet.language)
        answers.append((snippet.tokens, window, done, answer))
        return answer

    def as_well(language: str) -> SearchResult:
        return look_up(read(language=language), options.window)

    found = look_up(snippet, options.window)
    if options.language is None and LANGUAGES[snippet.language].grammar:
        for language in snippet.rivals:
            found = _stronger(found, as_well(language))
        shared = _language_of_candidates(looked_up)
        tried = {snippet.language, *snippet.rivals}
        for language in dict.fromkeys((shared, *snippet.unlikely) if shared is not None else snippet.unlikely):
            if not found.hits and language not in tried:
                found = _stronger(found, as_well(language))
        named = guess(options.name, code)
        if named == snippet.language != found.query.language:
            found = replace(found, warnings=(*found.warnings, _instead_of_named(named, found.query.language)))
    if _is_little(found) and is_scrambled(code):
        plain = read(language=options.language, reading="unscrambled")
        found = _with_larger_match(found, look_up(plain, options.window))
    if options.language is None and _is_little(found) and len(code) <= MOST_READ_AGAIN:
        try:
            other = read(reading=_other_reading(snippet))
        except AnalysisError:  # the parser does not survive it as code, say
            other = None
        if other is not None:
            # A window that is wide enough for code may not be for prose.
            is_enough = options.window is not None and options.window >= SCHEMES[Representation.TEXT].w
            found = _better(found, look_up(other, options.window if is_enough else None))
    return replace(
        found,
        took_ms=round((time.perf_counter() - begin) * 1000, 3),
        warnings=(*found.warnings, *unmatched(options.own, [record.key for record in records])),
        refused=None if found.total else _nearest(engine, looked_up),
        texts=texts(engine, code),
    )


def _are_same(one: TokenStream, other: TokenStream) -> bool:
    """Whether two readings of a text have the same tokens at the same places, whatever language they are read as."""
    columns = ("codes", "classes", "segments", "starts", "ends")
    return all(np.array_equal(getattr(one, column), getattr(other, column)) for column in columns)


def _language_of_candidates(searches: Iterable[Finished]) -> str | None:
    """The language in which most is that shares terms with a snippet: a short one is easily mistaken for another."""
    shared: Counter[str] = Counter()
    for done in searches:
        shared.update(done.candidates.languages)
    parsed = (name for name in shared if LANGUAGES[name].grammar and not LANGUAGES[name].is_left_out)
    return max(parsed, key=shared.__getitem__, default=None)


def _other_reading(snippet: Analysis) -> Reading:
    """What a snippet may be instead. Documents are indexed letter by letter, and hold sessions, tables and code; their
    fences are indexed as code, and hold comments: a piece of either may look like the other.
    """
    return "prose" if LANGUAGES[snippet.language].grammar else "code"


def _stronger(found: SearchResult, again: SearchResult) -> SearchResult:
    """The answer whose best hit scores more, of two languages in which a snippet may be; of equal ones the first."""
    return max(found, again, key=lambda result: result.hits[0].score if result.hits else 0.0)


def _instead_of_named(named: str, language: str) -> str:
    """The warning that a snippet was found in another language than its name says."""
    return (
        f"nothing was found of the query as {named}, which its name says, so it is read as {language}; "
        f"--language {named} keeps to its name"
    )


def _with_larger_match(found: SearchResult, again: SearchResult) -> SearchResult:
    """The answer that matches more of the query, of two readings; where both do as much, the first."""
    return max(found, again, key=lambda result: result.hits[0].match if result.hits else 0.0)


def _better(found: SearchResult, again: SearchResult) -> SearchResult:
    """`_with_larger_match` for readings in two languages, with a warning that names both."""
    if not found.hits or _with_larger_match(found, again) is found:
        return _with_larger_match(found, again)
    instead = (
        f"the query matches more when it is read as {again.query.language} than as {found.query.language}; "
        "name the language to see what else is found"
    )
    return replace(again, warnings=(*again.warnings, instead))


def _is_little(found: SearchResult) -> bool:
    """Whether a search found nothing, or nothing that matches nearly all of the query."""
    return not found.hits or found.hits[0].match < 100 * NEARLY_THE_SAME


def search_tokens(
    engine: Engine,
    stream: TokenStream,
    options: SearchOptions,
    *,
    name: str,
    language: str,
    own: frozenset[str] = frozenset(),
    least: float = ANSWER,
    references: IndexReferences | None = None,
) -> SearchResult:
    """Finds where the tokens of a text, or of a part of one, appear; regions are those of the text.

    Args:
        engine: the index.
        stream: the tokens.
        options: how to search; their name, language, lines, `own` and `without_texts` have no effect.
        name: of the text.
        language: of the text.
        own: keys of repositories that are left out; unlike with a filter, the index is not listed.
        least: take only what is a copy with this probability.
        references: as in `search`.

    Raises:
        UsageError, BoilerplateError: as there.
    """
    begin = time.perf_counter()
    done = finished(engine, stream, options, own=own, least=least, references=references)
    answer = _answer(engine, done, name=name, language=language)
    return replace(answer, took_ms=round((time.perf_counter() - begin) * 1000, 3))


def _answer(engine: Engine, done: Finished, *, name: str, language: str) -> SearchResult:
    """What a search found of the query of that name and language, in no time."""
    query = done.query
    kept, left_out = hits_of(done)
    hits, repositories = with_records(engine, kept, done.candidates.records)
    info = query.info(name, language)
    is_explained = explained_tokens(query.stream, (pair for hit in hits for pair in hit.regions))
    return SearchResult(
        engine=engine.name,
        schemes=scheme_ids(),
        query=replace(info, needed=query.least_matched) if query.is_too_short else info,
        total=len(done.copies.groups) - left_out,
        truncated=done.copies.truncated,
        took_ms=0.0,
        hits=hits,
        explained_tokens=int(np.count_nonzero(is_explained)),
        explained=token_percent(int(query.weights[is_explained].sum()), int(query.weights.sum())),
        warnings=(*done.candidates.warnings, *(() if hits else _missing_languages(engine, done.options.languages))),
        repositories=repositories,
    )


@dataclass(frozen=True, slots=True)
class Holder:
    """A blob that holds some tokens, or most of them, by itself and not as one of a group; `runs` are what matches,
    none overlapping another on the query's side.
    """

    blob: str
    language: str
    stream: TokenStream
    occurrences: tuple[Occurrence, ...]
    runs: tuple[Run, ...]
    probability: float = 1.0

    @property
    def matched_tokens(self) -> int:
        """The query's tokens in `runs`."""
        return sum(run.end - run.begin for run in self.runs)


def holders(
    engine: Engine,
    stream: TokenStream,
    options: SearchOptions,
    *,
    own: frozenset[str] = frozenset(),
    references: IndexReferences | None = None,
) -> tuple[list[Holder], bool]:
    """Every blob that holds some tokens (at most `fitted.LONG_QUERY`), one by one and by their ids, where a hit is a
    group of nearly identical ones; and whether the search stopped before the last one. Arguments and errors as in
    `search_tokens`.
    """
    done = finished(engine, stream, options, own=own, least=ANSWER, references=references)
    query = done.query
    held = []
    for blob, found in sorted(done.copies.best.items()):
        document = found.document
        runs = match_runs(query.beside(document.stream), found.alignment.runs(found.part.distances), query.masked)
        places = tuple(done.candidates.places[blob])
        held.append(Holder(blob, document.blob.language, document.stream, places, tuple(runs), found.probability))
        document.forget()
    return held, done.copies.truncated


def finished(
    engine: Engine,
    stream: TokenStream,
    options: SearchOptions,
    *,
    own: frozenset[str],
    least: float,
    references: IndexReferences | None,
) -> Finished:
    """The steps of a search, one after the other; arguments as in `search_tokens`."""
    sets = [*left_out(engine, options), *options.without_sets]
    query = prepare(stream, engine, window=options.window, boilerplate=sets, max_df=options.max_df)
    references = references or IndexReferences(engine)
    references.refresh()
    attributions = Attributions(AttributionCriteria.of(options), references)

    def admitted(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
        return attributions.admitted([occurrence for occurrence in occurrences if occurrence.repository not in own])

    candidates = Candidates(engine, query, Filters.of(engine, options), references.admitted_blobs, admitted)
    judge = Judge(query)
    copies = Copies({}, {}, {})
    if not query.is_too_short:
        copies = gather(
            query, candidates, judge, least=least, limit=options.limit, min_containment=options.min_containment
        )
    return Finished(options, query, candidates, judge, copies, attributions)


def _missing_languages(engine: Engine, names: Sequence[str]) -> list[str]:
    """What is wrong with a filter of languages: no indexed file is in one of them."""
    indexed = engine.stats().languages if names else {}
    return [f"no indexed file is in the language {name!r}" for name in names if not indexed.get(name)]


def _nearest(engine: Engine, searches: Iterable[Finished]) -> Refused | None:
    """The most probable copy that is no answer to any of some readings of a query."""
    readings = [found for done in searches if (found := refused(done)) is not None]
    nearest = max(readings, key=lambda found: found.probability, default=None)
    return nearest and replace(nearest, repositories=records_at(engine, nearest.occurrences))
