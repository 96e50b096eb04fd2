"""The search: candidates from the engine, aligned, judged, grouped, explained."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from wherefrom.analyzers.analyzed import UNPARSED_PARTS
from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.guessing import guess
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.stamps import is_unparsed
from wherefrom.analyzers.tokens import NO_CODE, TokenStream
from wherefrom.engines.engine import Engine
from wherefrom.errors import NoCode
from wherefrom.fitted import PATIENCE, WELL_READ
from wherefrom.languages import LANGUAGES, read_as_text
from wherefrom.model import Occurrence
from wherefrom.options import SearchOptions
from wherefrom.queries.alignment.regions import explained_tokens
from wherefrom.queries.alignment.runs import MatchedRun
from wherefrom.queries.attributing.attribution import Attributions
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.boilerplate import left_out, make_set
from wherefrom.queries.by_terms import search_by_terms, with_hits_by_terms
from wherefrom.queries.candidates import Candidates
from wherefrom.queries.filters import NOTHING_OWN, Filters, OwnPlaces, indexed_languages
from wherefrom.queries.fingerprinted import FingerprintedQuery, fingerprints_of
from wherefrom.queries.grouping.copies import Copies, gather
from wherefrom.queries.grouping.hits import Finished, refused
from wherefrom.queries.history import NO_HISTORY, oldest_first
from wherefrom.queries.judging.judging import Judge
from wherefrom.queries.judging.odds import ANSWER, LEAST_OF
from wherefrom.queries.occurrences import records_at, texts, with_records
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.preparation.query import Query
from wherefrom.queries.snippet import Reading, Readings, name_with_lines
from wherefrom.queries.translation.translating import Translations, with_copies
from wherefrom.results import Hit, SearchResult
from wherefrom.results.indexing import unparsed_warning
from wherefrom.results.search import token_percent
from wherefrom.support.values import dataclass, replace

NO_TRANSLATIONS = "code in other languages is not found where an index has fingerprints alone"

NOT_LEFT_OUT = "the boilerplate sets in the setting `without` are not left out, since fingerprints have no code"


def search(
    engine: Engine,
    code: bytes,
    options: SearchOptions,
    *,
    references: IndexReferences | None = None,
    analyzer: Analyzer | None = None,
) -> SearchResult:
    """Finds where a snippet appears (`wherefrom.Index.search` has arguments and errors). `references` and the analyzer
    may be kept from one search to the next.
    """
    begin = time.perf_counter()
    analyzer = analyzer or Analyzer()
    references = references or IndexReferences(engine)
    readings = Readings(code, options, analyzer)
    snippet = readings.likely.snippet
    if options.without_texts:
        made = make_set("files given with the query", options.without_texts, analyzer=analyzer)
        options = replace(options, without_texts=(), without_sets=(*options.without_sets, made))
    if options.progress is not None:
        options.progress(len(snippet.tokens))
    own = OwnPlaces.named(engine, options.own)

    looked_up: list[_LookedUp] = []

    def look_up(reading: Reading) -> _LookedUp:
        snippet, as_code = reading
        for known in looked_up:
            if _are_same(known.tokens, snippet.tokens):  # as read in two similar languages
                return replace(known, language=snippet.language)
        done = finished(engine, snippet.tokens, options, own=own, least=ANSWER, references=references, as_code=as_code)
        looked_up.append(_LookedUp(snippet.language, snippet.tokens, done))
        return looked_up[-1]

    best = look_up(readings.likely)
    for reading in readings.rivals():
        best = max(best, look_up(reading), key=_match)
    unlikely = readings.unlikely(_language_of_candidates(looked_up))
    while not best.done.match and (other := next(unlikely, None)) is not None:
        best = max(best, look_up(other), key=_match)
    instead = []
    named = guess(options.name, code)
    if readings.is_guessed_code and named == snippet.language != best.language:
        kept = f"--language {named} keeps to its name"
        instead = [f"nothing was found of it as {named}, which its name says, so it is read as {best.language}; {kept}"]
    for reading in readings.of_other_kind() if best.done.match < 100 * WELL_READ else ():
        other_kind = look_up(reading)
        if other_kind.done.match > best.done.match:
            instead = [_instead(best, other_kind)] if best.done.match else []
            best = other_kind
    name = name_with_lines(options.name, options.lines)
    found = _answer(engine, best.done, name=name, language=best.language)
    found = replace(found, warnings=(*found.warnings, *instead))
    if any(read.done.copies.has_places for read in looked_up):
        # The reading of the snippet is the one that found most; if none found anything, the one whose terms find most.
        likely = [best] if found.hits else looked_up
        fingerprinted = tuple(fingerprints_of(read.done.query, name, read.language) for read in likely)
        known = {content.blob for hit in found.hits for content in hit.contents}
        by_terms = search_by_terms(engine, FingerprintedQuery(fingerprinted), options, references, known)
        found = with_hits_by_terms(found, by_terms, options.limit)
    found = _with_translations(engine, found, best.done, references, least=ANSWER)
    hits, undated = _dated(found.hits, references, options)
    is_file = options.name and options.lines is None and best.language == snippet.language
    is_unparsed_file = is_file and UNPARSED_PARTS * snippet.unparsed > len(code)
    not_found = [] if found.total else [refused(read.done) for read in looked_up]
    nearest = max(filter(None, not_found), key=lambda copy: copy.probability, default=None)
    return replace(
        found,
        took_ms=round((time.perf_counter() - begin) * 1000, 3),
        hits=hits,
        warnings=(
            *unparsed_warning([("", options.name)] * bool(is_unparsed_file)),
            *read_as_text(snippet.left_out),
            *found.warnings,
            *undated,
            *own.warnings,
        ),
        refused=nearest and replace(nearest, repositories=records_at(engine, nearest.occurrences)),
        texts=texts(engine, code, None if options.lines else best.tokens, best.done.copies.stored(hits)),
    )


def search_fingerprinted(
    engine: Engine,
    query: FingerprintedQuery,
    options: SearchOptions,
    *,
    references: IndexReferences | None = None,
) -> SearchResult:
    """Finds where the snippet of some fingerprints appears; arguments as in `search`. Raises UsageError if an option
    needs the code of the snippet.
    """
    begin = time.perf_counter()
    options.check_without_code()
    if options.progress is not None:
        options.progress(query.readings[0].info.tokens)
    references = references or IndexReferences(engine)
    found = search_by_terms(engine, query, options, references)
    hits, undated = _dated(found.hits, references, options)
    not_left_out = [NOT_LEFT_OUT] if options.without else []
    return replace(
        found,
        took_ms=round((time.perf_counter() - begin) * 1000, 3),
        hits=hits,
        warnings=(*found.warnings, *undated, *not_left_out),
    )


def _dated(
    hits: Sequence[Hit], references: IndexReferences, options: SearchOptions
) -> tuple[tuple[Hit, ...], list[str]]:
    """Hits with the ages of their places, in the order of the options, and a warning if that needs a history."""
    histories = references.histories
    dated = histories.with_ages(hits)
    if not options.oldest:
        return dated, []
    return oldest_first(dated), [NO_HISTORY] if dated and histories.reader is None else []


def _with_translations(
    engine: Engine, found: SearchResult, done: Finished, references: IndexReferences, *, least: float
) -> SearchResult:
    """Adds to an answer the hits in other languages than the query."""
    options, query = done.options, done.query
    if options.min_containment:
        return found
    least = max(least, LEAST_OF[options.min_strength])
    made = Translations(
        engine,
        query.stream,
        query.masked,
        done.candidates.filters,
        references.admitted_blobs,
        done.attributions.admitted,
        least=least,
    )
    translated = [*made.hits(done.attributions, limit=options.limit)]
    if not translated:
        is_silent = made.lacks_code and not found.hits
        return replace(found, warnings=(*found.warnings, NO_TRANSLATIONS)) if is_silent else found
    copies, others = with_copies(found.hits, translated)
    shown = (*copies, *others)[: options.limit]
    hits, repositories = with_records(engine, shown, {**found.repositories, **made.candidates.records})
    return replace(
        found,
        hits=hits,
        total=found.total + len(made.groups) - (len(translated) - len(others)),
        **_explained(query, hits),
        repositories=repositories,
        refused=None,
    )


def _are_same(one: TokenStream, other: TokenStream) -> bool:
    """Whether two readings of a text have the same tokens at the same places."""
    columns = ("codes", "classes", "segments", "starts", "ends")
    return all(np.array_equal(getattr(one, column), getattr(other, column)) for column in columns)


@dataclass(frozen=True, slots=True)
class _LookedUp:
    """A reading of a snippet, and the results of the steps of its search."""

    language: str
    tokens: TokenStream
    done: Finished


_match = attrgetter("done.match")


def _language_of_candidates(searches: Iterable[_LookedUp]) -> str | None:
    """The language whose candidates share most with a snippet. A short snippet's language is easily guessed wrong."""
    shared: Counter[str] = Counter()
    for read in searches:
        shared.update(read.done.candidates.languages)
    parsed = (name for name in shared if LANGUAGES[name].grammar and not LANGUAGES[name].is_left_out)
    return max(parsed, key=shared.__getitem__, default=None)


def _instead(found: _LookedUp, other: _LookedUp) -> str:
    return (
        f"the query matches more when it is read as {other.language} than as {found.language}; "
        "name the language to see what else is found"
    )


def search_tokens(
    engine: Engine,
    stream: TokenStream,
    options: SearchOptions,
    *,
    name: str,
    language: str,
    own: OwnPlaces = NOTHING_OWN,
    least: float = ANSWER,
    references: IndexReferences | None = None,
) -> SearchResult:
    """Finds where the tokens of a text, or of a part of it, appear. Regions refer to the text. The name, language,
    lines, `own` and `without_texts` of the options have no effect: `name` and `language` are those of the text, and the
    places in `own` are left out, which needs no listing of the index. `least` is the least probability of a copy.
    Raises UsageError or BoilerplateError as `search`; NoCode if the index has no code: terms alone are too unsure where
    nobody looks at each hit.
    """
    _need_code(engine)
    begin = time.perf_counter()
    done = finished(engine, stream, options, own=own, least=least, references=references)
    answer = _answer(engine, done, name=name, language=language)
    answer = _with_translations(engine, answer, done, references or IndexReferences(engine), least=least)
    return replace(answer, took_ms=round((time.perf_counter() - begin) * 1000, 3))


def _answer(engine: Engine, done: Finished, *, name: str, language: str) -> SearchResult:
    """The answer of a search. Its `took_ms` is 0: the caller sets it."""
    query = done.query
    kept, total, is_rough = done.hits
    hits, repositories = with_records(engine, kept, done.candidates.records)
    info = query.info(name, language)
    names = () if hits else done.options.languages
    indexed = indexed_languages(engine) if names else ()
    missing = [f"no indexed file is in the language {named!r}" for named in names if named not in indexed]
    first = {at.blob: at for hit in hits for at in reversed(hit.occurrences)}
    unparsed = [
        (at.repository, at.path)
        for blob, at in first.items()
        if blob in done.copies.best and is_unparsed(done.copies.best[blob].document.blob.analysis)
    ]
    return SearchResult(
        engine=engine.name,
        schemes=scheme_ids(),
        query=replace(info, needed=query.least_matched) if query.is_too_short else info,
        total=total,
        truncated=done.copies.truncated or is_rough,
        took_ms=0.0,
        hits=hits,
        **_explained(query, hits),
        warnings=(*done.candidates.warnings, *missing, *unparsed_warning(unparsed)),
        repositories=repositories,
    )


def _explained(query: Query, hits: Iterable[Hit]) -> dict[str, Any]:
    """How much of a query is in any of some hits: the fields of an answer. A hit by terms alone has no tokens."""
    pairs = (pair for hit in hits for pair in hit.regions if pair.tokens)
    is_explained = explained_tokens(query.stream, pairs)
    return {
        "explained_tokens": int(np.count_nonzero(is_explained)),
        "explained": token_percent(int(query.weights[is_explained].sum()), int(query.weights.sum())),
    }


@dataclass(frozen=True, slots=True)
class Holder:
    """A blob that contains the looked-up tokens, or most of them. Its `runs` do not overlap in the query."""

    blob: str
    language: str
    stream: TokenStream
    occurrences: tuple[Occurrence, ...]
    runs: tuple[MatchedRun, ...]
    probability: float = 1.0

    @property
    def matched_tokens(self) -> int:
        """The query's tokens in `runs`."""
        return sum(run.tokens for run in self.runs)


def holders(
    engine: Engine,
    stream: TokenStream,
    options: SearchOptions,
    *,
    own: OwnPlaces = NOTHING_OWN,
    least: float = ANSWER,
    references: IndexReferences | None = None,
) -> tuple[list[Holder], bool]:
    """Every blob that contains the tokens of `stream` (at most `fitted.LONG_QUERY`), by id, and whether there may be
    more. Unlike in `search_tokens`, which has the same arguments and errors, nearly identical blobs are not grouped.
    """
    _need_code(engine)
    done = finished(engine, stream, options, own=own, least=least, references=references)
    query = done.query
    holding = []
    for blob, found in sorted(done.copies.best.items()):
        document = found.document
        runs = query.runs_of([(found.part, found.aligned)])
        places = tuple(done.candidates.places[blob])
        holding.append(Holder(blob, document.blob.language, document.stream, places, tuple(runs), found.probability))
        document.forget()
    return holding, done.copies.truncated


def _need_code(engine: Engine) -> None:
    if not engine.has_code:
        raise NoCode(NO_CODE)


def finished(
    engine: Engine,
    stream: TokenStream,
    options: SearchOptions,
    *,
    own: OwnPlaces,
    least: float,
    references: IndexReferences | None,
    as_code: TokenStream | None = None,
) -> Finished:
    """Runs the steps of a search, and returns their results; arguments as in `search_tokens`, `as_code` as in
    `prepare`.
    """
    sets = [*left_out(engine, options), *options.without_sets]
    query = prepare(stream, engine, boilerplate=sets, max_df=options.max_df, as_code=as_code)
    references = references or IndexReferences(engine)
    references.refresh()
    attributions = Attributions(options, references, own)
    filters = Filters.of(engine, options)
    candidates = Candidates(
        engine, query.looked_up, filters, references.admitted_blobs, attributions.admitted, at_once=PATIENCE
    )
    judge = Judge(query)
    copies = Copies({}, {}, {})
    if not query.is_too_short:
        copies = gather(
            query, candidates, judge, least=least, limit=options.limit, min_containment=options.min_containment
        )
    return Finished(options, query, candidates, judge, copies, attributions)
