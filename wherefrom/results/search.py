"""The answer to a query: its hits, why they are hits, and whether each location names its source."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Generic, TypeVar

from wherefrom.model import Occurrence, RepositoryRecord, Representation, Strength
from wherefrom.results.attribution import Age, Attribution, Verdict
from wherefrom.results.locations import FoundContent, Location, Texts, listed, named, to_html
from wherefrom.results.regions import Lines, Region, RegionPair, line_range
from wherefrom.support.contract import JsonDocument, JsonObject, encoded
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field

MOST_LICENSED = 200  # a search names the licenses of at most this many places of a hit


@dataclass(frozen=True, slots=True)
class TermExplanation(JsonObject):
    """A term that was looked up in the index and that the document has."""

    JSON = "kind representation term=_digits document_frequency idf"

    kind = "term"
    representation: Representation
    term: int
    document_frequency: int
    idf: float

    @property
    def _digits(self) -> str:
        return f"{self.term:016x}"


@dataclass(frozen=True, slots=True)
class ChainExplanation(JsonObject):
    """What a chain of matching k-grams adds to the score. `coverage`: its share of the query's remaining tokens."""

    JSON = "kind representation score kgrams coverage longest_run"

    kind = "chain"
    representation: Representation
    score: float
    kgrams: int
    coverage: float
    longest_run: int


@dataclass(frozen=True, slots=True)
class CopyEvidence(JsonObject):
    """The evidence that a document is a copy, from its best alignment with a window of the query
    (`queries.alignment.aligning`). A bit halves the probability of a coincidence.

    Attributes:
        bits: the evidence.
        needed: the bits that an answer of this length and rarity needs.
        tokens: the tokens of the query that count. 8 letters of prose count as one.
        rarity: the weight of the shared terms divided by ln(1 + N), the weight of a rare term among N contents.
        in_order: how many tokens of the query the document has in the same order, with any names and literals.
        same_names, other_names: how many of them are names that are the same, and that were replaced.
        same_literals, other_literals: the same of strings and numbers.
        projects: the projects in the model of the document's language. With fewer than 30, the bits are less sure.
    """

    bits: float
    needed: float
    tokens: int
    rarity: float
    in_order: int
    same_names: int
    other_names: int
    same_literals: int
    other_literals: int
    projects: int


@dataclass(frozen=True, slots=True)
class Explanation(JsonObject):
    """Explains why a hit is an answer, and its score.

    Attributes:
        score: the score that ranks the hit: the bits of the whole query, or for whole files the share of their code.
        probability: the probability of a copy, by the best window of the query; None for whole files.
        evidence: the evidence of a copy in that window; None for whole files.
        threshold: the least score of an answer; None if the probability decides.
        first_stage: the summed weight of the terms that the document shares with that window.
        blobs: the number of indexed contents, by representation.
        chains: what each representation adds to the score of whole files; else empty.
        terms: the terms that were looked up in the index and that the document has.
    """

    JSON = "score probability evidence threshold first_stage blobs"

    score: float
    probability: float | None
    evidence: CopyEvidence | None
    threshold: float | None
    first_stage: float
    blobs: Mapping[Representation, int]
    chains: tuple[ChainExplanation, ...]
    terms: tuple[TermExplanation, ...]

    def steps(self) -> list[dict[str, Any]]:
        """A list of JSON objects, each with its `kind`: first the `score`, then each `chain`, then each `term`."""
        return [
            {"kind": "score", **encoded(self)},
            *(chain.to_dict() for chain in self.chains),
            *(term.to_dict() for term in self.terms),
        ]


_Value = TypeVar("_Value")


class _OfBest(Generic[_Value]):
    """An attribute of a hit that has the value of its best content."""

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, hit: Hit, _owner: type) -> _Value:
        value: _Value = getattr(hit.contents[0], self._name)
        return value


@dataclass(frozen=True, slots=True)
class ContentMatch(JsonObject):
    """How a content matches the query.

    Attributes:
        blob: the id of the content.
        score: the score that ranks hits.
        match: percent of the query's remaining tokens in `regions`, 0 to 100, rounded down, so that 100 means all
            tokens. Tokens that formatters add or move count only a tenth.
        containment: the weighted share of the query's k-grams that the content has, in any order, 0 to 1.
        longest_run: the number of tokens of the longest region.
        regions: the matches, in the order of the query, without overlaps.
        strength: `probability` in words: weak from 0.5, fair from 0.7, strong from 0.9. None if a check compared
            whole files.
        probability: the probability that the content is a copy, 0.5 to 0.999. None if a check compared whole files.
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
        """The number of the query's tokens in `regions`."""
        return sum(pair.tokens for pair in self.regions)

    @property
    def matched_regions(self) -> tuple[Region, ...]:
        """The matches in the content."""
        return tuple(pair.document for pair in self.regions)


@dataclass(frozen=True, slots=True)
class HitPlace(JsonObject):
    """A location of a hit: how the content there matches the query, whether it names its source (None if no source was
    given), when the matched lines appeared there (None if the index does not know it), the index that has it (None if
    only one was searched), and the licenses of the matched lines, as in `Hit.licenses`.
    """

    JSON = "*location *content lines first_line licenses attribution age index"

    location: Location
    content: ContentMatch
    attribution: Attribution | None
    age: Age | None = None
    index: str | None = None
    licenses: tuple[str, ...] | None = None

    @property
    def occurrence(self) -> Occurrence:
        """The occurrence of the location."""
        return self.location.occurrence

    @property
    def lines(self) -> Lines | None:
        """From the first matched line to the last one; None if no matched regions are known."""
        return line_range(self.content.matched_regions)

    @property
    def line_ranges(self) -> list[tuple[int, int]]:
        """The first and the last line of each matched region (1-based, inclusive)."""
        return [(region.start_line, region.end_line) for region in self.content.matched_regions]

    @property
    def first_line(self) -> int | None:
        """The first matched line, from 1; None if no matched regions are known."""
        return None if self.lines is None else self.lines.first


@dataclass(frozen=True, slots=True, repr=False)
class Hit(FoundContent, JsonObject):
    """A group of (nearly) identical contents. Its score, match and other figures are those of the best content.

    Attributes:
        contents: how each content matches, the best first; with `SearchOptions.oldest`, the oldest first.
        language: the language of the best content.
        occurrences: the occurrences of all contents, in the order of `contents`; with `SearchOptions.oldest`, the
            oldest first.
        explanation: the parts of the score; None unless `SearchOptions.explain` is set.
        attributions: one for each of the `occurrences`; empty if no source was given.
        ages: one for each of the `occurrences`; empty if the index has no history.
        licenses: those of the matched lines at each of the `occurrences`, from SPDX tags around them, else from the
            file, else from the nearest license files. None for places that nobody looked at, behind the first
            `MOST_LICENSED`.
        indexes: the location of the index of each of the `occurrences`; empty if only one index was searched.
        repositories: the records of the repositories of `occurrences`, by key, for `locations`.
        by_terms: True if the index or the query has no code, so that terms alone were compared. Such a hit is less
            sure. Its regions have lines, and 0 in place of bytes and tokens.
        translated_from: the language of the code, if it is another one than the query's and has the same words in
            order; else None. `match` is the share of the query's words then, and `probability` that one of the two is a
            translation of the other.
    """

    JSON = (
        "*best_content blob swhid language occurrences=places regions attribution explanation=_steps by_terms "
        "translated_from"
    )

    contents: tuple[ContentMatch, ...]
    language: str
    occurrences: tuple[Occurrence, ...]
    explanation: Explanation | None = None
    attributions: tuple[Attribution, ...] = ()
    ages: tuple[Age | None, ...] = ()
    indexes: tuple[str, ...] = ()
    licenses: tuple[tuple[str, ...] | None, ...] = ()
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict, compare=False)
    by_terms: bool = False
    translated_from: str | None = None

    @property
    def best_content(self) -> ContentMatch:
        """The first of `contents`."""
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

    @property
    def places(self) -> tuple[HitPlace, ...]:
        """The locations of all contents, each with the match of the content there, and with its attribution."""
        return tuple(self._places())

    def _places(self) -> Iterator[HitPlace]:
        contents = {content.blob: (content, content.matched_regions) for content in self.contents}
        values = zip_longest(self.occurrences, self.attributions, self.ages, self.indexes, self.licenses)
        for at, attribution, age, index, licenses in values:
            content, regions = contents[at.blob]
            location = Location(at, self.repositories.get(at.repository), regions)
            known = attribution.licenses if licenses is None and attribution else licenses
            yield HitPlace(location, content, attribution, age, index, known)

    @property
    def locations(self) -> tuple[Location, ...]:
        """The locations of all contents, each with the matched regions of the content there."""
        return tuple(place.location for place in self.places)

    @property
    def best_place(self) -> HitPlace | None:
        """The first place of the best content; None if the index no longer has such a place."""
        return next((place for place in self._places() if place.content is self.contents[0]), None)

    @property
    def best(self) -> Occurrence | None:
        """The first occurrence of `blob`; None if the index no longer has an occurrence of `blob`."""
        return next((at for at in self.occurrences if at.blob == self.blob), None)

    @property
    def attribution(self) -> Attribution | None:
        """The least favorable of `attributions`, so `UNATTRIBUTED` if any location does not name the source."""
        order = [*Verdict]
        return min(self.attributions, key=lambda attribution: order.index(attribution.verdict), default=None)

    @property
    def _steps(self) -> list[dict[str, Any]] | None:
        return None if self.explanation is None else self.explanation.steps()

    def __str__(self) -> str:
        place = named(self.best, self.matched_regions, len(self.occurrences)) if self.best else f"blob {self.blob}"
        return f"{math.floor(self.match)}% {place}"


@dataclass(frozen=True, slots=True, repr=False)
class Refused(FoundContent, JsonObject):
    """The content that came nearest to being a hit, in the answer to a query without hits.

    Attributes:
        blob: the id of the content.
        language: the language of the content.
        occurrences: the occurrences of the content, without those that the query's filters leave out.
        regions: the matches, in the order of the query.
        probability: the probability that the content is a copy, 0 to 1.
        evidence: the evidence of a copy, and the bits that it needs.
        repositories: the records of the repositories of `occurrences`, by key, for `locations`.
    """

    JSON = "probability evidence blob language occurrences=locations regions"

    blob: str
    language: str
    occurrences: tuple[Occurrence, ...]
    regions: tuple[RegionPair, ...]
    probability: float
    evidence: CopyEvidence
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        return f"{self.probability:.2f} {named(self.occurrences[0], self.matched_regions, len(self.occurrences))}"


def token_percent(tokens: int, remaining_tokens: int) -> float:
    """Tokens in percent of a query's remaining tokens, rounded down to hundredths, so that 100 means all tokens."""
    return tokens * 10_000 // remaining_tokens / 100 if remaining_tokens else 0.0


@dataclass(frozen=True, slots=True)
class QueryInfo(JsonObject):
    """How the query was read.

    Attributes:
        name: the name of the query, such as its file.
        language: the language of the query.
        tokens: the number of all tokens.
        fingerprints: the number of fingerprints that were looked up.
        window: the window w' that the query was winnowed with.
        guarantee: every shared run of at least this many tokens is found.
        excluded: the number of k-grams that were left out, by cause.
        excluded_tokens: the number of tokens that were left out as boilerplate.
        needed: the least number of tokens that can be looked up, if fewer remain in the query; else None.
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
        """The number of tokens without boilerplate. `Hit.match` is a percentage of this number."""
        return self.tokens - self.excluded_tokens

    @property
    def _too_short(self) -> dict[str, int] | None:
        return None if self.needed is None else {"needed": self.needed}


@dataclass(frozen=True, slots=True, repr=False)
class SearchResult(JsonDocument):
    """The answer to a query.

    Attributes:
        engine: the name of the index's engine.
        schemes: the scheme of each representation.
        query: how the query was read.
        total: the number of hits that were found, even if `hits` has fewer.
        truncated: True if the search stopped before it found all hits.
        took_ms: milliseconds of the search.
        hits: groups of (nearly) identical contents, the best first.
        explained_tokens: the number of tokens of the query that match in at least one hit.
        explained: `explained_tokens` in percent of the remaining tokens, counted as in `Hit.match`.
        warnings: probable mistakes, such as a filter that matches no repository, in sentences.
        repositories: the records of the repositories in `hits`, by key.
        refused: without hits, the content that came nearest to being a hit; None if no content shares enough.
        texts: reads the query and the hits, while the index is open.
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
