"""Finds where code appeared first: at the places that have it now, and where it is gone."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from wherefrom.analyzers.analyzer import Analyzer
from wherefrom.engines.engine import Engine
from wherefrom.engines.history import piece_place
from wherefrom.model import Occurrence
from wherefrom.options import FirstOptions, SearchOptions
from wherefrom.options.fields import fields_of
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.boilerplate import left_out
from wherefrom.queries.globs import Globs
from wherefrom.queries.history import NO_HISTORY, Histories
from wherefrom.queries.judging.odds import STRONG
from wherefrom.queries.occurrences import records_at
from wherefrom.queries.searching import search
from wherefrom.queries.states import States
from wherefrom.results import Age, FirstPlace, FirstResult, Hit, HitPlace, SearchResult
from wherefrom.results.attribution import by_age
from wherefrom.sources.indexed import brought_by
from wherefrom.support.chunks import chunks

MOST_HITS = 50  # the ages of the places of this many hits are looked up, and of this many pieces of the past
MUCH = 10.0  # a place of the past is shown beside an older present one if its match is this many points higher
MERGES_SECONDS = 2.0  # how long git may look for the commits below merges


def first(
    engine: Engine,
    code: bytes,
    options: FirstOptions,
    *,
    references: IndexReferences | None = None,
    analyzer: Analyzer | None = None,
    reads_clones: bool = True,
) -> FirstResult:
    """Finds where a snippet appeared first (`wherefrom.Index.first` has arguments and errors). With `reads_clones`, the
    oldest places are also dated by `States`. The other arguments are as in `searching.search`.
    """
    begin = time.perf_counter()
    analyzer = analyzer or Analyzer()
    references = references or IndexReferences(engine)
    same = {field.name: getattr(options, field.name) for field in fields_of(FirstOptions)}
    wanted = SearchOptions(**{**same, "limit": max(MOST_HITS, options.limit)})
    now = search(engine, code, wanted, references=references, analyzer=analyzer)
    found = [(hit, place, place.age) for hit in now.hits for place in hit.places]
    warnings = [*now.warnings]
    past = None
    histories = references.histories
    if histories.reader is not None and reads_clones:
        found.sort(key=lambda it: by_age(it[2]))
        read = [(place.occurrence, place.line_ranges) for _, place, _ in found[: options.limit]]
        ages = histories.ages(read, states=States(engine, histories.reader, analyzer))
        found[: options.limit] = [(*it[:2], age) for it, age in zip(found, ages, strict=False)]
    places = [_place(hit, place, place.occurrence, age=age, is_gone=False) for hit, place, age in found]
    if histories.reader is None:
        warnings.append(NO_HISTORY)
    else:
        # The history has no sets of its own.
        sets = left_out(engine, options)
        of_past = replace(wanted, paths=(), without=(), without_sets=sets)
        past = search(histories.reader.engine, code, of_past, analyzer=analyzer)
        places += _gone(past, histories, places, paths=Globs(tuple(options.paths) or ("**",)))
    # The oldest first; of the same days, what is there before what is gone.
    places.sort(key=lambda it: (by_age(it.age), it.is_gone, it.occurrence.repository, it.occurrence.path))
    unknown = sum(place.age is None for place in places)
    if unknown and histories.reader is not None:
        warnings.append(
            f"the history of {unknown:,} of {len(places):,} places is not known; run `wherefrom index --history` on "
            "their repositories"
        )
    shown = places[: options.limit]
    records = records_at(engine, [place.occurrence for place in shown])
    shown = [replace(place, record=records.get(place.occurrence.repository)) for place in shown]
    if past is not None:
        shown = list(_with_origins(shown, past))
    return FirstResult(
        query=now.query,
        places=tuple(shown),
        total=len(places),
        took_ms=round((time.perf_counter() - begin) * 1000, 3),
        warnings=tuple(warnings),
        repositories=records,
    )


def _gone(
    past: SearchResult, histories: Histories, present: Sequence[FirstPlace], *, paths: Globs
) -> Iterator[FirstPlace]:
    """For each repository the piece of its history that has most of the code, if one is older than all present places
    there, or has much more of the code.
    """
    found: defaultdict[str, list[tuple[int, str, Hit, HitPlace]]] = defaultdict(list)
    for hit in past.hits:
        for place in hit.places:
            piece = piece_place(place.occurrence)
            if piece is not None and (place.content.probability or 0.0) >= STRONG and paths.match(piece[1]):
                found[place.occurrence.repository].append((*piece, hit, place))
    begun: dict[str, str] = {}  # the first day of any present place of the repository; empty if one is not known
    nearest: dict[str, float] = {}
    for it in present:
        key, day = it.occurrence.repository, (it.age.first.day if it.age is not None else None) or ""
        begun[key], nearest[key] = min(begun.get(key, day), day), max(nearest.get(key, 0.0), it.match)
    there_now = {(place.occurrence.repository, place.occurrence.path) for place in present}
    for pieces in found.values():
        pieces.sort(key=lambda it: it[:2])
    # The oldest of equal ones is the best.
    chosen = {key: (pieces[0], max(pieces, key=lambda it: it[3].content.match)) for key, pieces in found.items()}
    appeared = histories.appearances((key, *piece[:2]) for key, two in chosen.items() for piece in two)
    for (key, (_, best)), (first, since) in zip(chosen.items(), chunks(appeared, 2), strict=True):
        _, path, hit, place = best
        if first is None or since is None:
            continue
        if key in begun and begun[key] <= (first.day or "") and place.content.match <= nearest[key] + MUCH:
            continue
        at = Occurrence(key, path, "", since.commit or "")
        yield _place(hit, place, at, age=Age(first, since), is_gone=(key, path) not in there_now)


def _with_origins(places: Iterable[FirstPlace], past: SearchResult) -> Iterator[FirstPlace]:
    """Adds to places that a merge brought the commit that wrote the code, if the clone is at hand."""
    pieces = {(it.occurrence.repository, it.occurrence.revision): it for hit in past.hits for it in hit.places}
    left = MERGES_SECONDS
    for place in places:
        age = place.age
        merge = age.first.commit if age is not None and age.first.is_merge else None
        piece = pieces.get((place.occurrence.repository, merge or ""))
        at = piece_place(piece.occurrence) if piece is not None else None
        if age and place.record and piece and at and merge is not None and left > 0:
            begin = time.monotonic()
            found = brought_by(place.record, at[1], piece.line_ranges, merge=merge, seconds=left)
            left -= time.monotonic() - begin
            place = replace(place, age=replace(age, first=replace(age.first, brought_by=found)))  # noqa: PLW2901
        yield place


def _place(hit: Hit, place: HitPlace, at: Occurrence, *, age: Age | None, is_gone: bool) -> FirstPlace:
    return FirstPlace(
        occurrence=at,
        record=None,
        age=age,
        is_gone=is_gone,
        match=place.content.match,
        probability=place.content.probability or hit.probability or 0.0,
        matched_regions=place.content.matched_regions,
    )
