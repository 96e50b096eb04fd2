"""What the hits of a search can be narrowed by: repositories, languages, licenses, verdicts, each with its hits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wherefrom.model import Occurrence
from wherefrom.support.printable import visible

if TYPE_CHECKING:
    from wherefrom.index import Index
    from wherefrom.options import SearchOptions
    from wherefrom.results import Hit, SearchResult

NAMES = ("repository", "language", "license", "verdict")

Chosen = tuple[tuple[str, str], ...]
"""What a reader has chosen: names of facets with values as they are shown. Of one facet any of them, of several all."""

COUNTED = 200
"""Hits that are counted."""

PLACES = 200
"""Places of a hit that are looked at, and listed."""

VALUES = 50
"""Values of a facet that are listed, those with most hits."""

NO_LICENSE = "no license stated"


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a facet, as it is shown, and how many hits have it besides what is chosen of the other facets."""

    text: str
    hits: int
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A search with what is chosen.

    Attributes:
        result: the search of the hits; `total` counts its hits whatever license or verdict is chosen.
        hits: those that have what is chosen, the best first; each with the places that have it.
        facets: names and values, over all that was found.
        found: hits that were found before anything was chosen.
        counted: hits among these that are counted in the facets.
        took_ms: of all that was looked up.
    """

    result: SearchResult
    hits: Sequence[Hit]
    facets: Sequence[tuple[str, list[Value]]]
    found: int
    counted: int
    took_ms: float


@dataclass(frozen=True, slots=True)
class _Place:
    """A place of a hit, and its values of each facet."""

    occurrence: Occurrence
    values: Mapping[str, tuple[str, ...]]

    def fits(self, chosen: Mapping[str, frozenset[str]], but: str = "") -> bool:
        """Whether it has one of the values that are chosen of every facet `but` one."""
        return all(
            not wanted or name == but or not wanted.isdisjoint(self.values[name]) for name, wanted in chosen.items()
        )


def search(index: Index, code: str, options: SearchOptions, chosen: Chosen) -> Narrowed:
    """Searches with these options but for their limit; where repositories or languages are chosen, searches these as
    well.
    """
    options = replace(options, limit=COUNTED)
    result = everything = index.search(code, options)
    places = [_places(index, hit) for hit in everything.hits]
    wanted = {facet: frozenset(value for name, value in chosen if name == facet) for facet in NAMES}
    if wanted["repository"] or wanted["language"]:
        keys = {place.values["repository"][0]: place.occurrence.repository for of_hit in places for place in of_hit}
        repositories = [keys.get(value, value) for value in sorted(wanted["repository"])]
        languages = sorted(wanted["language"])
        result = index.search(
            code,
            replace(
                options,
                repositories=repositories or options.repositories,
                languages=languages or options.languages,
            ),
        )
    narrowed = [_narrowed(index, hit, wanted) for hit in result.hits] if chosen else result.hits
    return Narrowed(
        result,
        [hit for hit in narrowed if hit is not None],
        [*_facets(places, wanted)],
        everything.total,
        len(everything.hits),
        everything.took_ms + (0.0 if result is everything else result.took_ms),
    )


def _places(index: Index, hit: Hit) -> list[_Place]:
    """The places of a hit, but not more than `PLACES`."""
    found = []
    for place in hit.places[:PLACES]:
        at = place.occurrence
        lines = [(region.start_line, region.end_line) for region in place.content.matched_regions]
        values: dict[str, tuple[str, ...]] = {
            "repository": (visible(at.repository),),
            "language": (hit.language,),
            "license": tuple(map(visible, index.licenses(at, lines))) or (NO_LICENSE,),
            "verdict": (str(place.attribution.verdict),) if place.attribution else (),
        }
        found.append(_Place(at, values))
    return found


def _narrowed(index: Index, hit: Hit, chosen: Mapping[str, frozenset[str]]) -> Hit | None:
    """A hit with those of its places that fit, None where none does."""
    places = _places(index, hit)
    kept = {place.occurrence for place in places if place.fits(chosen)}
    if len(kept) in {0, len(hit.occurrences)}:
        return hit if kept else None
    contents = tuple(content for content in hit.contents if any(at.blob == content.blob for at in kept))
    attributed = zip(hit.occurrences, hit.attributions, strict=False)
    return replace(
        hit,
        contents=contents,
        occurrences=tuple(at for at in hit.occurrences if at in kept),
        explanation=hit.explanation if contents[0].blob == hit.blob else None,
        attributions=tuple(attribution for at, attribution in attributed if at in kept),
    )


def _facets(
    hits: Sequence[Sequence[_Place]], chosen: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, list[Value]]]:
    """The facets of hits, of which the places are given: names, and values with their numbers of hits."""
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
