"""The answer to a query: hits, what matches in them and why, and what each place says of its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from wherefrom.model import Occurrence, RepositoryRecord, Representation


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a text: bytes 0-based and half-open, lines 1-based and inclusive."""

    start_byte: int
    end_byte: int
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class RegionPair:
    """A stretch of the query and the stretch of the document that matches it, `tokens` long on the query's side."""

    query: Region
    document: Region
    tokens: int
    representation: Representation


@dataclass(frozen=True, slots=True)
class TermExplanation:
    """One term of the first stage that the document holds."""

    representation: Representation
    term: int
    document_frequency: int
    idf: float


@dataclass(frozen=True, slots=True)
class ChainExplanation:
    """What one representation's chain added to the score; `coverage` is the share of the query's unmasked tokens."""

    representation: Representation
    score: float
    kgrams: int
    coverage: float
    longest_run: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit has its score: `score` = the chains' scores + `first_stage_weight` * `first_stage`; found because the
    score reached `threshold` or because a chain covered enough (`reason` is `score` or `coverage`).
    """

    threshold: float
    reason: str
    first_stage: float
    first_stage_weight: float
    blobs: Mapping[Representation, int]
    chains: tuple[ChainExplanation, ...]
    terms: tuple[TermExplanation, ...]


class Verdict(StrEnum):
    """Whether a place says where its code came from: evidence for a person, no judgement."""

    ATTRIBUTED = "attributed"
    UNATTRIBUTED = "unattributed"
    SOURCE = "source"
    """The place is the source itself."""
    UNKNOWN = "unknown"


class Where(StrEnum):
    """Where a place says it; the nearest first."""

    MATCH = "match"
    """Within the matched lines or a few lines of them."""
    FILE = "file"
    REPOSITORY = "repository"
    """In a file that speaks for others: a license, a notice, a README."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a place says: `kind` and `value` are those of a reference (`analyzers.references.Kind`), `text` is the line
    as it stands in `path` at `line` (1-based).
    """

    where: Where
    kind: str
    value: str
    text: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Attribution:
    """What one occurrence says of its source.

    Attributes:
        verdict: see `Verdict`; UNKNOWN where no source was asked for.
        evidence: what names the source, or may; the nearest first.
        licenses: SPDX identifiers or expressions that hold for the place: those of the file, else those of the nearest
            license files.
        first_seen: the day (UTC, ISO 8601) on which the file was first committed, None where it is not known.
        is_older: whether that was before the source was written; None where either day is not known.
    """

    verdict: Verdict
    evidence: tuple[Evidence, ...] = ()
    licenses: tuple[str, ...] = ()
    first_seen: str | None = None
    is_older: bool | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A group of (nearly) identical blobs; `blob` is its best one, `longest_run` is in tokens of the query.
    `attributions` has one for each of the `occurrences`, or is empty where they were not asked for.
    """

    score: float
    containment: float
    longest_run: int
    blob: str
    language: str
    occurrences: tuple[Occurrence, ...]
    regions: tuple[RegionPair, ...]
    explanation: Explanation | None = None
    attributions: tuple[Attribution, ...] = ()

    @property
    def attribution(self) -> Attribution | None:
        """That of the occurrence that says least: a place that does not name the source comes before one that does."""
        order = (Verdict.UNATTRIBUTED, Verdict.UNKNOWN, Verdict.ATTRIBUTED, Verdict.SOURCE)
        return min(self.attributions, key=lambda each: order.index(each.verdict), default=None)


@dataclass(frozen=True, slots=True)
class QueryInfo:
    """What became of the query: `window` is w', `guarantee` the length in tokens from which a shared run is always
    seen, `excluded` counts k-grams left out by cause, `needed` the length in tokens when it is too short.
    """

    name: str
    language: str
    tokens: int
    fingerprints: int
    window: int
    guarantee: int
    excluded: Mapping[str, int]
    needed: int | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to one query; `total` counts groups, `truncated` says that the search stopped before the last one.

    `repositories` holds the record of every repository named in the hits: the way to the source of a hit.
    """

    engine: str
    schemes: Mapping[Representation, str]
    query: QueryInfo
    total: int
    truncated: bool
    took_ms: float
    hits: tuple[Hit, ...]
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict)
