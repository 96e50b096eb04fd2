"""The search: candidates from the engine, aligned, judged, grouped, explained."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.guessing import guess
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids
from wherefrom.errors import AnalysisError
from wherefrom.fitted import NEARLY_THE_SAME
from wherefrom.languages import LANGUAGES
from wherefrom.model import INDEXED, Candidate, Representation, Strength
from wherefrom.queries.alignment.regions import explained_tokens, region_pairs
from wherefrom.queries.alignment.runs import Sides, match_runs, matched_weight
from wherefrom.queries.attributing.attribution import AttributionCriteria, Attributions
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.boilerplate import left_out, make_set
from wherefrom.queries.candidates import BATCH, MOST_CANDIDATES, Candidates, Found
from wherefrom.queries.filters import AdmittedBlobs, Filters, own_keys
from wherefrom.queries.grouping.groups import Groups
from wherefrom.queries.grouping.moved import all_runs
from wherefrom.queries.grouping.windows import AllWindows
from wherefrom.queries.judging.literals import agreement
from wherefrom.queries.judging.rule import ANSWER, furthest_short, parts, strength
from wherefrom.queries.occurrences import records_at, texts, with_records
from wherefrom.queries.preparation.preparing import prepare
from wherefrom.queries.repository_names import unmatched
from wherefrom.queries.snippet import analyze_query, name_with_lines, unscrambled_query
from wherefrom.results import ContentMatch, Explanation, Hit, Refused, SearchResult, TermExplanation, token_percent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from wherefrom.analyzers.analyzed import Analysis, Reading
    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.engines.engine import Engine
    from wherefrom.model import Occurrence
    from wherefrom.options import SearchOptions
    from wherefrom.queries.alignment.aligning import Document
    from wherefrom.queries.alignment.runs import Run
    from wherefrom.queries.preparation.preparing import Fingerprint, Part, Query

MOST_READ_AGAIN = 20_000
"""Bytes of a query that is read in another way: what a longer one is, is told by so much of it."""

RANKED, MOST_RANKED = 2, 200
"""Groups that are laid beside every window of a long query, for each that is shown, and at most where fewer are shown:
the windows of which they were candidates say nearly as well how they rank.
"""

_STRENGTHS = tuple(Strength)

_TOGETHER = 32
"""Groups that are laid beside one window after the other together; each takes 3 bytes for each token of the query."""


@dataclass(slots=True)
class _Search:
    """One search under way. Of each blob that is found, `found` is the most probable window, and `scores` sums the
    windows by which it was found. By the first token of each window, `first_scores` has the scores of its first
    candidates.
    """

    query: Query
    options: SearchOptions
    attributions: Attributions
    candidates: Candidates
    least: float
    found: dict[str, Found] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    first_scores: dict[int, list[float]] = field(default_factory=dict)
    groups: Groups = field(default_factory=Groups)
    truncated: bool = False

    def score(self, blob: str) -> float:
        """What is known of the score of a blob that is found, before every window is looked at."""
        return self.scores[blob]


def search(
    engine: Engine,
    code: bytes,
    options: SearchOptions,
    *,
    references: IndexReferences | None = None,
    admitted_blobs: AdmittedBlobs | None = None,
    analyzer: Analyzer | None = None,
) -> SearchResult:
    """Finds where a snippet appears (`wherefrom.Index.search` has arguments and errors). What the locations of the
    index say of their source, the blobs that filters admit and the analyzer are kept from one search to the next.
    """
    begin = time.perf_counter()
    analyzer = analyzer or Analyzer()
    snippet = analyze_query(code, name=options.name, language=options.language, lines=options.lines, analyzer=analyzer)
    if options.without_texts:
        made = make_set("files given with the query", options.without_texts, analyzer=analyzer)
        options = replace(options, without_texts=(), without_sets=(*options.without_sets, made))
    if options.progress is not None:
        options.progress(len(snippet.tokens))
    records = engine.repositories() if options.own else []
    own = own_keys(records, (), options.own)

    looked_up: list[_Search] = []
    answers: list[tuple[TokenStream, int | None, _Search, SearchResult]] = []

    def look_up(snippet: Analysis, window: int | None) -> SearchResult:
        for stream, earlier_window, running, earlier in answers:
            # Several languages may read a snippet alike.
            if earlier_window == window and _are_same(stream, snippet.tokens):
                looked_up.append(running)
                return replace(earlier, query=replace(earlier.query, language=snippet.language))
        running = _finished(
            engine,
            snippet.tokens,
            replace(options, window=window),
            own=own,
            least=ANSWER,
            references=references,
            admitted_blobs=admitted_blobs,
        )
        looked_up.append(running)
        answer = _answer(engine, running, name=name_with_lines(options.name, options.lines), language=snippet.language)
        answers.append((snippet.tokens, window, running, answer))
        return answer

    def as_well(language: str) -> SearchResult:
        rival = analyze_query(code, name=options.name, language=language, lines=options.lines, analyzer=analyzer)
        return look_up(rival, options.window)

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
    if _is_little(found):
        plain = unscrambled_query(
            code, name=options.name, language=options.language, lines=options.lines, analyzer=analyzer
        )
        if plain is not None:
            found = _with_larger_match(found, look_up(plain, options.window))
    if options.language is None and _is_little(found) and len(code) <= MOST_READ_AGAIN:
        try:
            other = analyze_query(
                code, name=options.name, lines=options.lines, analyzer=analyzer, reading=_other_reading(snippet)
            )
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


def _language_of_candidates(searches: Iterable[_Search]) -> str | None:
    """The language in which most is that shares terms with a snippet: a short one is easily mistaken for another."""
    shared: Counter[str] = Counter()
    for running in searches:
        shared.update(running.candidates.languages)
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
    admitted_blobs: AdmittedBlobs | None = None,
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
        admitted_blobs: as there.

    Raises:
        UsageError, BoilerplateError: as there.
    """
    begin = time.perf_counter()
    running = _finished(
        engine, stream, options, own=own, least=least, references=references, admitted_blobs=admitted_blobs
    )
    answer = _answer(engine, running, name=name, language=language)
    return replace(answer, took_ms=round((time.perf_counter() - begin) * 1000, 3))


def _answer(engine: Engine, running: _Search, *, name: str, language: str) -> SearchResult:
    """What a search found of the query of that name and language, in no time."""
    query, stream = running.query, running.query.stream
    kept, left_out = _hits(running)
    hits, repositories = with_records(engine, kept, running.candidates.records)
    info = query.info(name, language)
    is_explained = explained_tokens(stream, (pair for hit in hits for pair in hit.regions))
    return SearchResult(
        engine=engine.name,
        schemes=scheme_ids(),
        query=replace(info, needed=query.least_matched) if _is_too_short(query) else info,
        total=len(running.groups) - left_out,
        truncated=running.truncated,
        took_ms=0.0,
        hits=hits,
        explained_tokens=int(np.count_nonzero(is_explained)),
        explained=token_percent(int(query.weights[is_explained].sum()), int(query.weights.sum())),
        warnings=(
            *running.candidates.warnings,
            *(() if hits else _missing_languages(engine, running.options.languages)),
        ),
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
    admitted_blobs: AdmittedBlobs | None = None,
) -> tuple[list[Holder], bool]:
    """Every blob that holds some tokens (at most `fitted.LONG_QUERY`), one by one, where a hit is a group of nearly
    identical ones; arguments and errors as in `search_tokens`.

    Returns:
        The blobs by their ids, and whether the search stopped before the last one.
    """
    running = _finished(
        engine, stream, options, own=own, least=ANSWER, references=references, admitted_blobs=admitted_blobs
    )
    query = running.query
    held = []
    for blob, found in sorted(running.found.items()):
        document = found.document
        sides = Sides.of(query.stream, document.stream, query.kept)
        runs = match_runs(sides, found.alignment.runs(found.part.distances), query.masked)
        places = tuple(running.candidates.places[blob])
        held.append(Holder(blob, document.blob.language, document.stream, places, tuple(runs), found.probability))
        document.forget()
    return held, running.truncated


def _finished(
    engine: Engine,
    stream: TokenStream,
    options: SearchOptions,
    *,
    own: frozenset[str],
    least: float,
    references: IndexReferences | None,
    admitted_blobs: AdmittedBlobs | None,
) -> _Search:
    """A search with all that it finds, as `search_tokens` is asked for it."""
    sets = [*left_out(engine, options), *options.without_sets]
    query = prepare(stream, engine, window=options.window, boilerplate=sets, max_df=options.max_df)
    references = references or IndexReferences(engine)
    references.refresh()
    admitted_blobs = admitted_blobs or AdmittedBlobs(engine)
    attributions = Attributions(AttributionCriteria.of(options), references)
    candidates = Candidates(
        engine, query, Filters.of(engine, options), admitted_blobs, partial(_admitted, attributions, own)
    )
    running = _Search(query, options, attributions, candidates, least)
    if not _is_too_short(query):
        _gather(running)
    return running


def _is_too_short(query: Query) -> bool:
    """Whether too few tokens are left to be looked up."""
    return 0 < query.remaining_tokens < query.least_matched


def _missing_languages(engine: Engine, names: Sequence[str]) -> list[str]:
    """What is wrong with a filter of languages: no indexed file is in one of them."""
    indexed = engine.stats().languages if names else {}
    return [f"no indexed file is in the language {name!r}" for name in names if not indexed.get(name)]


def _admitted(attributions: Attributions, own: Collection[str], occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """The occurrences that may be in the answer."""
    return attributions.admitted([occurrence for occurrence in occurrences if occurrence.repository not in own])


def _gather(running: _Search) -> None:
    """Asks for candidates in batches until the weaker half of one adds nothing that is found, there are enough groups,
    or nothing is left.
    """
    offsets = dict.fromkeys(range(len(running.query.parts)), 0)
    while offsets:
        late = 0
        for number in list(offsets):
            part = running.query.parts[number]
            candidates = running.candidates.batch(part, offsets[number])
            if not offsets[number]:
                running.first_scores[part.begin] = [candidate.score for candidate in candidates]
            offsets[number] += len(candidates)
            late += _judge(running, part, candidates)
            if len(candidates) < BATCH:
                del offsets[number]
        if not late:
            return
        if len(running.groups) >= running.options.limit or any(n >= MOST_CANDIDATES for n in offsets.values()):
            running.truncated = bool(offsets)
            return


def _judge(running: _Search, part: Part, candidates: Sequence[Candidate]) -> int:
    """Keeps the candidates that are probably copies and appear somewhere that fits. Few are, so where they appear is
    asked last. Gives how many of the weaker half are answers that were not before, at any rank.
    """
    query, scores = running.query, running.first_scores[part.begin]
    judged: dict[str, Found] = {}
    for candidate in candidates:
        blob = candidate.blob.blob
        found = running.candidates.judge(part, candidate, scores, running.least)
        if found is None:
            continue
        wanted = running.options.min_containment
        if blob not in running.found and wanted and containment(query, found.document) < wanted:
            continue
        if len(query.parts) == 1 and not query.is_prose:
            found.agreement = agreement(query, part, found.document, found.runs)
        judged[blob] = found
    weaker = (candidate.blob.blob for candidate in candidates[BATCH // 2 :])
    late = sum(blob in judged and blob not in running.found for blob in weaker)
    for candidate in running.candidates.with_locations([each for each in candidates if each.blob.blob in judged]):
        blob, found = candidate.blob.blob, judged[candidate.blob.blob]
        known = running.found.get(blob)
        if known is None:
            running.groups.add(found.document)
        if known is None or found.probability > known.probability:
            running.found[blob] = found
        running.scores[blob] = running.scores.get(blob, 0.0) + found.score * len(part.distances)
    return late


def containment(query: Query, document: Document) -> float:
    """The idf-weighted share of the query's k-grams that the document holds, the larger over the representations."""
    return max(
        (
            grams.shared_weight(document.grams(representation, grams.k).hashes) / grams.total
            for representation, grams in query.whole.items()
            if grams.total
        ),
        default=0.0,
    )


def _ranked(running: _Search) -> list[tuple[str, AllWindows]]:
    """The groups that are shown, the best first: each leader, and its best blob beside the whole query."""
    limit = running.options.limit
    if running.options.min_strength is not Strength.WEAK:
        # Which of them are left out is known once their regions are.
        limit = max(limit, MOST_RANKED)
    leaders = sorted(running.groups.members, key=lambda leader: (-running.score(_best(running, leader)), leader))
    chosen = leaders[: limit if len(running.query.parts) == 1 else max(limit, min(RANKED * limit, MOST_RANKED))]
    ranked = zip(chosen, _beside_all(running, [_best(running, leader) for leader in chosen]), strict=True)
    return sorted(ranked, key=lambda each: (-each[1].score, each[0]))[:limit]


def _beside_all(running: _Search, blobs: Sequence[str]) -> Iterator[AllWindows]:
    """Some of the blobs that were found beside every window of the query."""
    for begin in range(0, len(blobs), _TOGETHER):
        some = [AllWindows(running.query, running.found[blob]) for blob in blobs[begin : begin + _TOGETHER]]
        # One window after the other, and not one document after the other: what a window is looked up by is made once.
        for part in running.query.parts:
            for beside in some:
                if part is not beside.best.part:
                    other = running.candidates.beside(part, beside.best)
                    if other is not None and other.probability >= ANSWER:
                        beside.add(part, other.alignment)
        for beside in some:
            beside.finish()
        yield from some


def _best(running: _Search, leader: str) -> str:
    """The blob of a group that holds most of the query."""
    return min(running.groups.members[leader], key=lambda blob: (-running.score(blob), blob))


def _hits(running: _Search) -> tuple[list[Hit], int]:
    """The hits that are shown, the best first, and how many groups were left out before the last of them."""
    hits: list[Hit] = []
    left_out = 0
    for leader, beside in _ranked(running):
        hit = _hit(running, leader, beside) if len(hits) < running.options.limit else None
        if hit is not None:
            hits.append(hit)
        elif len(hits) < running.options.limit:
            left_out += 1
    return hits, left_out


def _hit(running: _Search, leader: str, beside: AllWindows) -> Hit | None:
    """The hit of a group; None if it is weaker than what is asked for, or if its lines show that the source is named at
    all of its places.
    """
    if _is_too_weak(running, beside.best):
        return None
    first = _content_match(running, beside)
    blobs = [blob for blob in running.groups.members[leader] if blob != first.blob]
    found = [(first, beside), *((_content_match(running, other), other) for other in _beside_all(running, blobs))]
    found.sort(key=lambda each: (-each[0].score, each[0].blob))
    _, beside = found[0]
    regions = {content.blob: content.regions for content, _ in found}
    places = [occurrence for blob in regions for occurrence in running.candidates.places[blob]]
    occurrences, attributions = running.attributions.of(places, regions)
    if not occurrences:
        return None
    return Hit(
        contents=tuple(content for content, _ in found),
        language=beside.best.document.blob.language,
        occurrences=tuple(occurrences),
        explanation=_explanation(running, beside) if running.options.explain else None,
        attributions=attributions,
    )


def _nearest(engine: Engine, searches: Sequence[_Search]) -> Refused | None:
    """The most probable copy that is no answer to any of some readings of a query."""
    readings = [refused for running in searches if (refused := _refused(running)) is not None]
    nearest = max(readings, key=lambda refused: refused.probability, default=None)
    return nearest and replace(nearest, repositories=records_at(engine, nearest.occurrences))


def _refused(running: _Search) -> Refused | None:
    """The most probable copy that is no answer, with the places that a hit may have."""
    candidates, query = running.candidates, running.query
    too_weak = [found for found in running.found.values() if _is_too_weak(running, found)]
    for found in sorted((*too_weak, *candidates.refused.values()), key=lambda each: -each.probability):
        document, runs = found.document, found.runs
        candidates.with_locations([Candidate(0.0, document.blob)])
        regions = region_pairs(Sides.of(query.stream, document.stream, query.kept), runs)
        document.forget()
        places, _ = running.attributions.of(candidates.places[document.blob.blob], {document.blob.blob: regions})
        if places:
            missing, usual = furthest_short(found.signs, candidates.windows)
            return Refused(
                blob=document.blob.blob,
                language=document.blob.language,
                occurrences=tuple(places),
                regions=regions,
                probability=round(found.probability, 6),
                signs=found.signs,
                log_odds=_log_odds(running, found),
                missing=missing,
                usual=round(usual, 6),
            )
    return None


def _is_too_weak(running: _Search, found: Found) -> bool:
    """Whether it is weaker evidence than what is asked for."""
    return _STRENGTHS.index(strength(found.probability)) < _STRENGTHS.index(running.options.min_strength)


def _log_odds(running: _Search, found: Found) -> dict[str, float]:
    return {name: round(part, 6) for name, part in parts(found.signs, running.candidates.windows).items()}


def _content_match(running: _Search, beside: AllWindows) -> ContentMatch:
    """What a blob matches."""
    query, document = running.query, beside.best.document
    sides = Sides.of(query.stream, document.stream, query.kept)
    runs = all_runs(query, sides, beside)
    regions = region_pairs(sides, runs)
    match = ContentMatch(
        blob=document.blob.blob,
        score=round(beside.score, 6),
        match=token_percent(matched_weight(runs, query.weights), int(query.weights.sum())),
        containment=round(min(containment(query, document), 1.0), 6),
        longest_run=max((region.tokens for region in regions), default=0),
        regions=regions,
        strength=strength(beside.best.probability),
        probability=round(beside.best.probability, 3),
    )
    document.forget()
    return match


def _explanation(running: _Search, beside: AllWindows) -> Explanation:
    best = beside.best
    held = document_terms(best.document.stream)
    terms = tuple(
        TermExplanation(each.representation, each.term, each.document_frequency, round(each.weight, 6))
        for representation in INDEXED
        for each in _distinct(running.query, representation, best.part)
        if representation in held and np.isin(np.uint64(each.term), held[representation])
    )
    return Explanation(
        score=round(beside.score, 6),
        probability=round(best.probability, 6),
        signs=best.signs,
        threshold=None,
        log_odds=_log_odds(running, best),
        first_stage=round(best.first_stage, 6),
        literal_share=round(best.literal_share, 6),
        agreement=round(best.agreement, 6),
        windows=running.candidates.windows,
        blobs=running.query.blobs,
        chains=beside.chains,
        terms=terms,
    )


def _distinct(query: Query, representation: Representation, part: Part) -> Iterator[Fingerprint]:
    """The looked-up terms of a part, each once."""
    by_term = {each.term: each for each in query.fingerprints if each.representation is representation}
    for term in sorted(part.terms.get(representation, ())):
        yield by_term[term]
