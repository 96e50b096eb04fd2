"""Facets narrow the hits of a search by repository, language, license or verdict, and count the hits of each value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from wherefrom.errors import UnknownRepository
from wherefrom.model import Occurrence
from wherefrom.options import SearchOptions
from wherefrom.public import Index
from wherefrom.reports.hit_fields import NO_LICENSE
from wherefrom.results import Hit, SearchResult
from wherefrom.results.search import MOST_LICENSED
from wherefrom.support.printable import visible

_Value = TypeVar("_Value")

NAMES = ("repository", "language", "license", "verdict")

Chosen = tuple[tuple[str, str], ...]
"""What a reader chose: (name of a facet, shown value). A hit must have a chosen value of each facet with choices."""

COUNTED = 200  # the highest number of counted hits
PLACES = MOST_LICENSED  # the highest number of locations of a hit that are read and listed
VALUES = 50  # the highest number of listed values of a facet; those with most hits come first


class Value(NamedTuple):
    """A value of a facet as it is shown, and the number of hits with it and with the choices in the other facets."""

    text: str
    hits: int
    is_chosen: bool


class Narrowed(NamedTuple):
    """A search narrowed by choices. The `total` of the result ignores chosen licenses and verdicts. The hits are those
    that match the choices, the best first, with only the locations that match them. The facets are names and values
    over all hits without choices: `found` are there, and `counted` of them are counted. `took_ms` is for all searches.
    """

    result: SearchResult
    hits: Sequence[Hit]
    facets: Sequence[tuple[str, list[Value]]]
    found: int
    counted: int
    took_ms: float


class _FacetPlace(NamedTuple):
    """A location of a hit, and its values for each facet."""

    occurrence: Occurrence
    values: Mapping[str, tuple[str, ...]]

    def fits(self, chosen: Mapping[str, frozenset[str]], but: str = "") -> bool:
        """True if it has a chosen value of every facet, except for the facet `but`."""
        return all(
            not wanted or name == but or not wanted.isdisjoint(self.values[name]) for name, wanted in chosen.items()
        )


def search(index: Index, code: str | bytes, options: SearchOptions, chosen: Chosen) -> Narrowed:
    """Searches with these options except their limit, and once more in the chosen repositories or languages, if any."""
    options = replace(options, limit=COUNTED)
    result = everything = index.search(code, options)
    places = [_places(hit) for hit in everything.hits]
    wanted = {facet: frozenset(value for name, value in chosen if name == facet) for facet in NAMES}
    if wanted["repository"] or wanted["language"]:
        keys = {place.values["repository"][0]: place.occurrence.repository for of_hit in places for place in of_hit}
        repositories = [keys.get(value, value) for value in sorted(wanted["repository"])]
        languages = sorted(wanted["language"])
        wanted_options = replace(
            options, repositories=repositories or options.repositories, languages=languages or options.languages
        )
        try:
            result = index.search(code, wanted_options)
        except UnknownRepository:  # such as a choice in an old link
            result = replace(everything, hits=(), total=0, truncated=False)
    narrowed = [_narrowed(hit, wanted) for hit in result.hits] if chosen else result.hits
    return Narrowed(
        result,
        [hit for hit in narrowed if hit is not None],
        [*_facets(places, wanted)],
        everything.total,
        len(everything.hits),
        everything.took_ms + (0.0 if result is everything else result.took_ms),
    )


def _places(hit: Hit) -> list[_FacetPlace]:
    found = []
    for place in hit.places[:PLACES]:
        at = place.occurrence
        values: dict[str, tuple[str, ...]] = {
            "repository": (visible(at.repository),),
            "language": (hit.language,),
            "license": tuple(map(visible, place.licenses or ())) or (NO_LICENSE,),
            "verdict": (str(place.attribution.verdict),) if place.attribution else (),
        }
        found.append(_FacetPlace(at, values))
    return found


def _narrowed(hit: Hit, chosen: Mapping[str, frozenset[str]]) -> Hit | None:
    """The hit with only those of its locations that fit the choices; None if no location does."""
    places = _places(hit)
    kept = {place.occurrence for place in places if place.fits(chosen)}
    if len(kept) in {0, len(hit.occurrences)}:
        return hit if kept else None
    contents = tuple(content for content in hit.contents if any(at.blob == content.blob for at in kept))
    return replace(
        hit,
        contents=contents,
        occurrences=tuple(at for at in hit.occurrences if at in kept),
        explanation=hit.explanation if contents[0].blob == hit.blob else None,
        attributions=_of(hit.occurrences, hit.attributions, kept),
        ages=_of(hit.occurrences, hit.ages, kept),
        licenses=_of(hit.occurrences, hit.licenses, kept),
    )


def _of(
    occurrences: Sequence[Occurrence], values: Sequence[_Value], kept: Collection[Occurrence]
) -> tuple[_Value, ...]:
    """The values of the kept occurrences; empty if there are no values."""
    return tuple(value for at, value in zip(occurrences, values, strict=False) if at in kept)


def _facets(
    hits: Sequence[Sequence[_FacetPlace]], chosen: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, list[Value]]]:
    """The names of the facets, and their values with numbers of hits; `hits` has the locations of each hit."""
    for name, wanted in chosen.items():
        counts = Counter(
            value
            for places in hits
            for value in {value for place in places if place.fits(chosen, name) for value in place.values[name]}
        )
        ordered = sorted(counts, key=lambda value: (-counts[value], value))
        listed = [*ordered[:VALUES], *(value for value in sorted(wanted) if value not in ordered[:VALUES])]
        if listed:
            yield name, [Value(value, counts[value], value in wanted) for value in listed]
