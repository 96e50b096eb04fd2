"""Joins the answers of several indexes to one query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import TypeVar

import numpy as np

from wherefrom.analyzers.tokens import TokenStream
from wherefrom.model import Occurrence
from wherefrom.options import SearchOptions
from wherefrom.queries.alignment.regions import explained_tokens
from wherefrom.queries.history import oldest_first
from wherefrom.results import Hit, SearchResult
from wherefrom.results.attribution import Age
from wherefrom.results.locations import Texts
from wherefrom.results.search import token_percent

_Value = TypeVar("_Value")


def joined(
    answers: Sequence[tuple[str, SearchResult]], stream: TokenStream | None, options: SearchOptions
) -> SearchResult:
    """The answers of some indexes (at least one, each with its location) as one. Hits of the same content become one
    hit. The best have the highest probability of a copy, which each index computes with its own number of files; then
    those that match most. `stream` has the tokens of the query; None if it has no code.
    """
    found: list[Hit] = []
    for location, answer in answers:
        for hit in answer.hits:
            named = replace(hit, indexes=(location,) * len(hit.occurrences))
            same = [other for other in found if _blobs(other) & _blobs(hit)]
            found = [other for other in found if other not in same]
            found.append(reduce(_one_hit, [*same, named]))
    found.sort(key=_rank)
    hits = tuple(found[: options.limit])
    if options.oldest:
        hits = oldest_first(hits)
    best = max((answer for _, answer in answers), key=lambda answer: answer.hits[0].match if answer.hits else -1.0)
    shown = sum(len(answer.hits) for _, answer in answers)
    tokens = max(answer.explained_tokens for _, answer in answers)
    if stream is not None:
        is_explained = explained_tokens(stream, (pair for hit in hits for pair in hit.regions if pair.tokens))
        tokens = max(tokens, int(np.count_nonzero(is_explained)))
    refused = [answer.refused for _, answer in answers if answer.refused is not None]
    given = Counter(warning for _, answer in answers for warning in answer.warnings)
    warnings = (
        warning if given[warning] == len(answers) else f"{location}: {warning}"
        for location, answer in answers
        for warning in answer.warnings
    )
    texts = [answer.texts for _, answer in answers]
    return replace(
        best,
        engine=" + ".join(dict.fromkeys(answer.engine for _, answer in answers)),
        total=sum(answer.total for _, answer in answers) - shown + len(found),
        truncated=any(answer.truncated for _, answer in answers) or len(found) > options.limit,
        took_ms=sum(answer.took_ms for _, answer in answers),
        hits=hits,
        explained_tokens=tokens,
        explained=max(token_percent(tokens, best.query.remaining_tokens), best.explained),
        warnings=tuple(dict.fromkeys(warnings)),
        repositories={key: record for _, answer in answers for key, record in answer.repositories.items()},
        refused=None if hits else max(refused, key=lambda copy: copy.probability, default=None),
        texts=Texts(best.texts.query, partial(_content, texts), partial(_contents, texts)),
    )


def _rank(hit: Hit) -> tuple[float, float, str]:
    """The key that sorts the best hits first. The best content need not be the first one, which may be the oldest."""
    best = max(hit.contents, key=lambda content: (content.probability or 0.0, content.match))
    return -(best.probability or 0.0), -best.match, best.blob


def _blobs(hit: Hit) -> set[str]:
    return {content.blob for content in hit.contents}


def _one_hit(one: Hit, other: Hit) -> Hit:
    second, first = sorted((other, one), key=lambda hit: (not hit.by_terms, hit.probability or 0.0))
    known = _blobs(first)
    contents = (*first.contents, *(content for content in second.contents if content.blob not in known))
    rank = {content.blob: place for place, content in enumerate(contents)}
    occurrences = (*first.occurrences, *second.occurrences)
    order = sorted(
        range(len(occurrences)),
        key=lambda at: (rank[occurrences[at].blob], occurrences[at].repository, occurrences[at].path),
    )

    def in_order(values: Sequence[_Value]) -> tuple[_Value, ...]:
        return tuple(values[at] for at in order) if values else ()

    return replace(
        first,
        contents=contents,
        occurrences=in_order(occurrences),
        attributions=in_order((*first.attributions, *second.attributions)),
        ages=in_order((*_ages(first), *_ages(second))) if first.ages or second.ages else (),
        indexes=in_order((*first.indexes, *second.indexes)),
        licenses=in_order((*first.licenses, *second.licenses)),
        repositories={**second.repositories, **first.repositories},
    )


def _ages(hit: Hit) -> Sequence[Age | None]:
    return hit.ages or (None,) * len(hit.occurrences)


def _content(texts: Sequence[Texts], occurrence: Occurrence) -> bytes | None:
    return next((content for own in texts if (content := own.at(occurrence)) is not None), None)


def _contents(texts: Sequence[Texts], occurrences: Sequence[Occurrence]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for own in texts:
        found.update(own.together([at for at in occurrences if at.blob not in found]))
    return found
