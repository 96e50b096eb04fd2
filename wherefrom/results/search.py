"""The answer to a query: hits, what matches in them and why, and what each place says of its source."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Generic, TypeVar

from wherefrom.model import Occurrence, RepositoryRecord, Representation, Strength
from wherefrom.results.attribution import Attribution, Verdict
from wherefrom.results.display import to_html
from wherefrom.results.explanation import Explanation, Signs
from wherefrom.results.locations import FoundContent, Location
from wherefrom.results.naming import listed, named
from wherefrom.results.regions import Lines, Region, RegionPair, line_range
from wherefrom.results.texts import Texts
from wherefrom.support.contract import JsonDocument, JsonObject
from wherefrom.support.printable import visible

_Value = TypeVar("_Value")


class _OfBest(Generic[_Value]):
    """An attribute of a hit that is the one of that name of its best content."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, hit: Hit, _owner: type) -> _Value:
        value: _Value = getattr(hit.contents[0], self._name)
        return value


@dataclass(frozen=True, slots=True)
class ContentMatch(JsonObject):
    """How one content matches the query.

    Attributes:
        blob: the content.
        score: what hits are ranked by.
        match: percent of the query's remaining tokens that lie in `regions`, 0 to 100 (100: every one); those that
            formatters add or move count a tenth, and the size of the index has no part in it.
        containment: the weighted share of the query's k-grams that the content holds, 0 to 1, in any order.
        longest_run: tokens of the longest region.
        regions: what matches, in the order of the query; they do not overlap.
        strength: the band of `probability`: weak from 0.5, fair from 0.7, strong from 0.9; None where whole files were
            compared, since `score` says it then.
        probability: how probable it is that this is a copy, 0.5 to 1; None likewise.
    """

    JSON = "score match strength probability containment longest_run matched_tokens"

    blob: str
    score: float
    match: float
    containment: float
    longest_run: int
    regions: tuple[RegionPair, ...]
    strength: Strength | None = None
    probability: float | None = None

    @property
    def matched_tokens(self) -> int:
        """The query's tokens in `regions`."""
        return sum(pair.tokens for pair in self.regions)

    @property
    def matched_regions(self) -> tuple[Region, ...]:
        """What matches in the content."""
        return tuple(pair.document for pair in self.regions)


@dataclass(frozen=True, slots=True)
class HitPlace(JsonObject):
    """A location of a hit.

    Attributes:
        location: where it is.
        content: how what is there matches the query.
        attribution: what it says of its source; None where no source was given.
    """

    JSON = "*location *content lines first_line attribution"

    location: Location
    content: ContentMatch
    attribution: Attribution | None

    @property
    def occurrence(self) -> Occurrence:
        """That of the location."""
        return self.location.occurrence

    @property
    def lines(self) -> Lines | None:
        """From the first line that matches to the last one; None where no region is known."""
        return line_range(self.content.matched_regions)

    @property
    def first_line(self) -> int | None:
        """The first line that matches, from 1; None where no region is known."""
        return None if self.lines is None else self.lines.first


@dataclass(frozen=True, slots=True, repr=False)
class Hit(FoundContent, JsonObject):
    """A group of (nearly) identical contents. Its figures are those of the best one.

    Attributes:
        contents: how each of them matches, the best first.
        language: of the best one.
        occurrences: of all contents, in their order.
        explanation: how the score came about, where that was asked for.
        attributions: one for each of the `occurrences`, none where no source was given.
        repositories: the records of the repositories of `occurrences`, by key, for `locations`.
    """

    JSON = "*best_content blob swhid language occurrences=places regions attribution explanation=_steps"

    contents: tuple[ContentMatch, ...]
    language: str
    occurrences: tuple[Occurrence, ...]
    explanation: Explanation | None = None
    attributions: tuple[Attribution, ...] = ()
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict, compare=False)

    @property
    def best_content(self) -> ContentMatch:
        """The first of `contents`, whose figures are those of the hit."""
        return self.contents[0]

    score = _OfBest[float]()
    match = _OfBest[float]()
    containment = _OfBest[float]()
    longest_run = _OfBest[int]()
    blob = _OfBest[str]()
    regions = _OfBest[tuple[RegionPair, ...]]()
    strength = _OfBest[Strength | None]()
    probability = _OfBest[float | None]()
    matched_tokens = _OfBest[int]()
    matched_regions = _OfBest[tuple[Region, ...]]()

    @property
    def places(self) -> tuple[HitPlace, ...]:
        """Its locations, each with what matches in its own content and what it says of its source."""
        return tuple(self._places())

    def _places(self) -> Iterator[HitPlace]:
        contents = {content.blob: (content, content.matched_regions) for content in self.contents}
        for at, attribution in zip_longest(self.occurrences, self.attributions):
            content, regions = contents[at.blob]
            yield HitPlace(Location(at, self.repositories.get(at.repository), regions), content, attribution)

    @property
    def locations(self) -> tuple[Location, ...]:
        """See `FoundContent`; each with what matches in its own content."""
        return tuple(place.location for place in self.places)

    @property
    def best_place(self) -> HitPlace | None:
        """The first place of the best content, None if it has been removed since."""
        return next((place for place in self._places() if place.content is self.contents[0]), None)

    @property
    def best(self) -> Occurrence | None:
        """The first occurrence of `blob`, None if it has been removed since."""
        return next((at for at in self.occurrences if at.blob == self.blob), None)

    @property
    def attribution(self) -> Attribution | None:
        """That of the occurrence that says least: a place that does not name the source comes before one that does."""
        order = (Verdict.UNATTRIBUTED, Verdict.UNKNOWN, Verdict.EARLIER, Verdict.ATTRIBUTED, Verdict.SOURCE)
        return min(self.attributions, key=lambda attribution: order.index(attribution.verdict), default=None)

    @property
    def _steps(self) -> list[dict[str, Any]] | None:
        return None if self.explanation is None else self.explanation.steps()

    def __str__(self) -> str:
        place = named(self.best, self.matched_regions, len(self.occurrences)) if self.best else f"blob {self.blob}"
        return f"{math.floor(self.match)}% {place}"

    def __repr__(self) -> str:
        return f"<Hit {self}>"


@dataclass(frozen=True, slots=True, repr=False)
class Refused(FoundContent, JsonObject):
    """The content that came nearest to being a hit where there is none.

    Attributes:
        blob: the content.
        language: of it.
        occurrences: where it is; only those that may be in a hit.
        regions: what matches, in the order of the query.
        probability: how probable it is that this is a copy, 0 to 1.
        signs: what tells it.
        log_odds: as in `Explanation`.
        missing: the one of `log_odds` that falls furthest short of what copies mostly have.
        usual: what copies mostly have of it: for `same` a share of the patterns, 0 to 1; for `stands_out` a factor; for
            `names` and `literals` how many; for `length` tokens; for `windows` 1.
        repositories: the records of the repositories of `occurrences`, by key, for `locations`.
    """

    JSON = "probability missing usual signs log_odds blob language occurrences=locations regions"

    blob: str
    language: str
    occurrences: tuple[Occurrence, ...]
    regions: tuple[RegionPair, ...]
    probability: float
    signs: Signs
    log_odds: Mapping[str, float]
    missing: str
    usual: float
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict, compare=False)

    @property
    def matched_regions(self) -> tuple[Region, ...]:
        """See `FoundContent`."""
        return tuple(pair.document for pair in self.regions)

    def __repr__(self) -> str:
        place = named(self.occurrences[0], self.matched_regions, len(self.occurrences))
        return f"<Refused {self.probability:.2f} {place}>"


def match_percent(regions: Iterable[RegionPair], remaining_tokens: int) -> float:
    """The percent of the remaining tokens of a query that lie in regions, rounded down to hundredths: only the whole is
    100.
    """
    return token_percent(sum(pair.tokens for pair in regions), remaining_tokens)


def token_percent(tokens: int, remaining_tokens: int) -> float:
    """The percent that some tokens are of the remaining ones of a query, rounded down to hundredths."""
    return tokens * 10_000 // remaining_tokens / 100 if remaining_tokens else 0.0


@dataclass(frozen=True, slots=True)
class QueryInfo(JsonObject):
    """What became of the query.

    Attributes:
        name, language: of the query.
        tokens: all of them.
        fingerprints: that were looked up.
        window: w'.
        guarantee: the length in tokens from which a shared run is always seen.
        excluded: k-grams that were left out, by cause.
        excluded_tokens: tokens that were left out as boilerplate.
        needed: the least length in tokens where the query, or what remains of it, is too short; else None.
    """

    JSON = (
        "name language tokens remaining_tokens excluded_tokens fingerprints window guarantee excluded "
        "too_short=_too_short"
    )

    name: str
    language: str
    tokens: int
    fingerprints: int
    window: int
    guarantee: int
    excluded: Mapping[str, int]
    excluded_tokens: int = 0
    needed: int | None = None

    @property
    def remaining_tokens(self) -> int:
        """The tokens that were not left out: what `Hit.match` is a share of."""
        return self.tokens - self.excluded_tokens

    @property
    def _too_short(self) -> dict[str, int] | None:
        return None if self.needed is None else {"needed": self.needed}


@dataclass(frozen=True, slots=True, repr=False)
class SearchResult(JsonDocument):
    """The answer to one query; `total` counts groups, `truncated` says that the search stopped before the last one;
    `explained_tokens` are the tokens of the query that match in at least one of the hits, and `explained` is their
    percent of its remaining tokens, as `Hit.match` counts them; `warnings` name what can hardly be meant, such as a
    filter that matches no repository, in sentences. `refused` is what came nearest to a hit; None where there is a hit,
    or nothing that shares enough to be looked at.

    `repositories` holds the record of every repository named in the hits: the way to the source of a hit. `texts` reads
    the query and the hits, while the index is open.
    """

    JSON = "engine schemes query total truncated took_ms warnings explained explained_tokens refused hits"

    engine: str
    schemes: Mapping[Representation, str]
    query: QueryInfo
    total: int
    truncated: bool
    took_ms: float
    hits: tuple[Hit, ...]
    explained_tokens: int = 0
    explained: float = 0.0
    warnings: tuple[str, ...] = ()
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict)
    refused: Refused | None = None
    texts: Texts = field(default_factory=Texts, compare=False)

    def __repr__(self) -> str:
        name = repr(visible(self.query.name))
        if self.query.needed is not None:
            remaining = f" remaining={self.query.remaining_tokens}" if self.query.excluded_tokens else ""
            return f"<SearchResult {name} tokens={self.query.tokens}{remaining} needed={self.query.needed}>"
        return f"<SearchResult {name} hits={self.total}{listed(self.hits, self.total)}>"

    def _repr_html_(self) -> str | None:
        return to_html(self)
