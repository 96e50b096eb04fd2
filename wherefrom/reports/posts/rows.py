"""Writes the rows of a search for posts as CSV and as JSON Lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from wherefrom.reports.cells import cell, row
from wherefrom.reports.hit_fields import FIELDS, FoundPlace
from wherefrom.reports.json import dumps
from wherefrom.reports.look import Look
from wherefrom.results import Hit, HitPlace
from wherefrom.support.contract import FORMAT

if TYPE_CHECKING:
    from wherefrom.posts.search.answers import PostAnswer

_POST: Mapping[str, Callable[[PostAnswer], Any]] = {
    "post": lambda answer: answer.block.post.url,
    "question": lambda answer: answer.block.post.question_url,
    "block": lambda answer: answer.block.block.number,
    "created": lambda answer: answer.block.post.created.isoformat(),
    "post_license": lambda answer: answer.block.post.license,
    "language": lambda answer: answer.result and answer.result.query.language,
    "tokens": lambda answer: answer.result and answer.result.query.tokens,
}
"""The fields of the post, which come before the fields of the hit."""

_HIT = [field for field in FIELDS if field.posts]

COLUMNS = (*_POST, *(field.name for field in _HIT))
"""The columns of CSV, and the keys of a line of JSON; `docs/how-to/posts.md` says what each of them is."""


def values(answer: PostAnswer) -> Iterator[dict[str, Any]]:
    """The rows of a block, one for each hit, the best first: values by column."""
    if answer.result is not None:
        post = {name: value(answer) for name, value in _POST.items()}
        for rank, hit in enumerate(answer.result.hits, 1):
            found = FoundPlace(answer.result, rank, hit, least_attributed(hit))
            yield post | {field.name: field.value(found) for field in _HIT}


def least_attributed(hit: Hit) -> HitPlace:
    """The place of a hit that gives the least credit to the source."""
    return next(place for place in hit.places if place.attribution == hit.attribution)


HEADER = row(COLUMNS)
"""The first line of CSV."""


def write_csv(answer: PostAnswer, _look: Look) -> Iterator[str]:
    """The rows of a block as CSV."""
    for found in values(answer):
        yield row(map(cell, found.values()))


def write_lines(answer: PostAnswer, _look: Look) -> Iterator[str]:
    """The rows of a block as JSON Lines."""
    for found in values(answer):
        quotes = {key: None if found[key] is None else asdict(found[key]) for key in ("evidence", "hint")}
        yield dumps({"format": FORMAT, **found, **quotes}, is_one_line=True)
