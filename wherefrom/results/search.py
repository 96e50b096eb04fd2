"""The answer to a query: hits, what matches in them and why, and what each place says of its source."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import zip_longest
from typing import Any

from wherefrom.model import Occurrence, RepositoryRecord, Representation, Strength
from wherefrom.results.display import to_html
from wherefrom.results.locations import FoundContent, Location
from wherefrom.results.naming import listed, named
from wherefrom.results.texts import Texts
from wherefrom.support.contract import FORMAT, plain_keys
from wherefrom.support.printable import visible


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a text: bytes 0-based and half-open, lines 1-based and inclusive.

    Attributes:
        start_byte, end_byte: from its first to its last token.
        start_line, end_line: the lines of these.
        gaps: bytes (start, end) between two of its tokens where a comment may be, ascending: spaces, line breaks and
            comments are not among what matches. Prose has none.
    """

    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    gaps: tuple[tuple[int, int], ...] = ()

    def to_dict(self) -> dict[str, int]:
        """As JSON values, without the gaps: they can be seen in the text."""
        return {
            "start_byte": self.start_byte,
            "end_byte": self.end_byte,
            "start_line": self.start_line,
            "end_line": self.end_line,
        }


@dataclass(frozen=True, slots=True)
class RegionPair:
    """A stretch of the query and the stretch of the document that matches it, token by token.

    Attributes:
        query, document: the two stretches.
        tokens: how many each of them has.
        representation: the strictest one that holds all along it.
        facing: which lines face each other: (line of the query, line of the document), 1-based, for each token with
            which a line begins on either side, in their order. For showing both sides; not among the JSON values.
    """

    query: Region
    document: Region
    tokens: int
    representation: Representation
    facing: tuple[tuple[int, int], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "query": self.query.to_dict(),
            "document": self.document.to_dict(),
            "tokens": self.tokens,
            "representation": str(self.representation),
        }


@dataclass(frozen=True, slots=True)
class TermExplanation:
    """One term of the first stage that the document holds."""

    representation: Representation
    term: int
    document_frequency: int
    idf: float

    def to_dict(self) -> dict[str, Any]:
        """As JSON values: a step of the kind `term`."""
        return {
            "kind": "term",
            "representation": str(self.representation),
            "term": f"{self.term:016x}",
            "document_frequency": self.document_frequency,
            "idf": self.idf,
        }


@dataclass(frozen=True, slots=True)
class ChainExplanation:
    """What one representation's chain added to the score; `coverage` is the share of the query's unmasked tokens."""

    representation: Representation
    score: float
    kgrams: int
    coverage: float
    longest_run: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON values: a step of the kind `chain`."""
        return {
            "kind": "chain",
            "representation": str(self.representation),
            "score": self.score,
            "kgrams": self.kgrams,
            "coverage": self.coverage,
            "longest_run": self.longest_run,
        }


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells whether a document is a copy of a window of the query (`queries.judging.rule`).

    Attributes:
        shared: the different patterns of the window that it shares: 4 tokens with names and literals left open, but for
            what everyone writes; or 16 letters of prose, of which 8 count as one.
        patterns: those that the window has.
        literals: the different literals of more than one character that are the same in the same place (of prose: one
            for 40 letters).
        terms: what the terms weigh that it shares, in units of ln(1 + N): about how many rare terms these are.
        chance: what others share by chance, in the same units.
        tokens: of the document.
    """

    shared: int
    patterns: int
    literals: int
    terms: float
    chance: float
    tokens: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "shared": self.shared,
            "patterns": self.patterns,
            "literals": self.literals,
            "terms": round(self.terms, 6),
            "chance": round(self.chance, 6),
            "tokens": self.tokens,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit is an answer, and why it has its score.

    Attributes:
        score: the chains' scores, times 1 + `literal_share`, times `agreement`.
        probability: how probable a copy is, by the window of the query that tells it best; None for whole files.
        signs: of that window; None likewise.
        threshold: the least score of an answer; None where the probability decides.
        log_odds: what adds up to the logarithm of the odds of that probability: a number for each sign (`same`,
            `stands_out`, `literals`, `length`), for every document alike (`bias`), and for the `windows`; empty for
            whole files.
        first_stage: the engine's score for that window.
        literal_share: how much of the query is there with its literals, whatever the names, 0 to 1.
        agreement: how many of its tokens are there in their places, names and literals counted twice, 0 to 1. For a
            query of several windows it is 1 and `literal_share` is 0; for prose `agreement` is 1.
        windows: of the query. The odds are divided by their number.
        blobs: indexed contents, by representation.
        chains: what each representation adds to the score, over all windows, each k-gram counted once.
        terms: of the first stage that the document holds.
    """

    score: float
    probability: float | None
    signs: Signs | None
    threshold: float | None
    log_odds: Mapping[str, float]
    first_stage: float
    literal_share: float
    agreement: float
    windows: int
    blobs: Mapping[Representation, int]
    chains: tuple[ChainExplanation, ...]
    terms: tuple[TermExplanation, ...]

    def steps(self) -> list[dict[str, Any]]:
        """As JSON values: a list of steps, each with its `kind`: one `score`, then the `chain`s, then the `term`s."""
        return [
            {
                "kind": "score",
                "score": self.score,
                "probability": self.probability,
                "signs": None if self.signs is None else self.signs.to_dict(),
                "threshold": self.threshold,
                "log_odds": dict(self.log_odds),
                "first_stage": self.first_stage,
                "literal_share": self.literal_share,
                "agreement": self.agreement,
                "windows": self.windows,
                "blobs": {str(key): number for key, number in self.blobs.items()},
            },
            *(chain.to_dict() for chain in self.chains),
            *(term.to_dict() for term in self.terms),
        ]


class Verdict(StrEnum):
    """Whether a place says where its code came from: evidence for a person, no judgement."""

    ATTRIBUTED = "attributed"
    UNATTRIBUTED = "unattributed"
    EARLIER = "earlier"
    """The place does not name the source, and all that matches was in its file before: it cannot be a copy."""
    SOURCE = "source"
    """The place is the source itself."""
    UNKNOWN = "unknown"


class Where(StrEnum):
    """Where a place says it; the nearest first."""

    MATCH = "match"
    """Within the matched lines or a few lines of them."""
    FILE = "file"
    NOTICE = "notice"
    """In a notice or license file that speaks for the folder of the file."""
    ELSEWHERE = "elsewhere"
    """In a README, in the notice of another folder, in an SPDX snippet beside the match: a hint, no attribution."""


class DecidedBy(StrEnum):
    """The rule by which a verdict was reached."""

    MATCH = "match"
    """Beside the match the source is named."""
    FILE = "file"
    """The file names the source, or has the header of its author or copyright holder."""
    NOTICE = "notice"
    """A notice or license file that speaks for the folder names the source."""
    HINT = "hint"
    """The source is named, but only where nothing speaks for this code: it is not attributed."""
    NOTHING = "nothing"
    """The source is not named at all."""
    DATE = "date"
    """The matched lines are older than the source."""
    REMOTE = "remote"
    """The repository is the source, by its remote."""
    SAME_QUESTION = "same-question"
    """A question or an answer is named that may belong to the source."""
    INCOMPLETE = "incomplete"
    """Not all that the file says is in the index."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a place says: `kind` and `value` are those of a reference (`analyzers.references.Kind`), `text` is the line
    as it is in `path` at `line` (1-based).
    """

    where: Where
    kind: str
    value: str
    text: str
    path: str
    line: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "kind": str(self.kind),
            "text": self.text,
            "path": self.path,
            "line": self.line,
            "where": str(self.where),
            "value": self.value,
        }


@dataclass(frozen=True, slots=True)
class Attribution:
    """What one occurrence says of its source.

    Attributes:
        verdict: see `Verdict`; UNKNOWN if no source was given.
        evidence: what names the source and speaks for this code, or may name it; the nearest first.
        licenses: SPDX identifiers or expressions that hold for the place: those of the SPDX snippet around it, else
            those of the file, else those of the nearest license files. `LicenseRef-unknown` is written for a text of a
            license that is not recognized.
        first_seen: the day (UTC, ISO 8601) on which the file was first committed, None where it is not known.
        is_older: whether that was before the source was written; None where either day is not known.
        decided_by: the rule by which the verdict was reached; where one line decided, it is the first of `evidence`, or
            where that is empty, of `hints`.
        hints: what names the source without speaking for this code: a link in a README, the notice of another folder.
    """

    verdict: Verdict
    evidence: tuple[Evidence, ...] = ()
    licenses: tuple[str, ...] = ()
    first_seen: str | None = None
    is_older: bool | None = None
    decided_by: DecidedBy = DecidedBy.NOTHING
    hints: tuple[Evidence, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "verdict": str(self.verdict),
            "decided_by": str(self.decided_by),
            "evidence": [evidence.to_dict() for evidence in self.evidence],
            "hints": [hint.to_dict() for hint in self.hints],
            "licenses": list(self.licenses),
            "first_seen": self.first_seen,
            "is_older": self.is_older,
        }


@dataclass(frozen=True, slots=True)
class ContentMatch:
    """How one content matches the query: one of the (nearly) identical ones of a hit.

    Attributes:
        blob: the content.
        score, match, containment, longest_run, regions, strength, probability: as in `Hit`, but of this content.
    """

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

    def figures(self) -> dict[str, Any]:
        """Its figures as JSON values."""
        return {
            "score": self.score,
            "match": self.match,
            "strength": None if self.strength is None else str(self.strength),
            "probability": self.probability,
            "containment": self.containment,
            "longest_run": self.longest_run,
            "matched_tokens": self.matched_tokens,
        }

    def lines(self) -> dict[str, int] | None:
        """The first and the last line that match, as JSON values; None where no region is known."""
        if not self.regions:
            return None
        regions = self.matched_regions
        return {
            "start_line": min(region.start_line for region in regions),
            "end_line": max(region.end_line for region in regions),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Hit(FoundContent):
    """A group of (nearly) identical blobs. Its figures are those of the best one; each location has its own ones in
    `contents`.

    Attributes:
        score: what hits are ranked by.
        match: percent of the query's remaining tokens that lie in `regions`, 0 to 100 (100: every one); those that
            formatters add or move count a tenth, and the size of the index has no part in it.
        containment: the weighted share of the query's k-grams that the document holds, 0 to 1, in any order.
        longest_run: tokens of the longest region.
        blob: the best one of the group.
        language: of that blob.
        occurrences: of all blobs of the group, in the order of `contents`.
        regions: what matches, in the order of the query; they do not overlap.
        explanation: how the score came about, where that was asked for.
        attributions: one for each of the `occurrences`, none where no source was given.
        strength: the band of `probability`: weak from 0.5, fair from 0.7, strong from 0.9; None where whole files were
            compared, since `score` says it then.
        probability: how probable it is that this is a copy, 0.5 to 1; None likewise.
        others: how the other blobs match, the best first.
        repositories: the records of the repositories of `occurrences`, by key, for `locations`.
    """

    score: float
    match: float
    containment: float
    longest_run: int
    blob: str
    language: str
    occurrences: tuple[Occurrence, ...]
    regions: tuple[RegionPair, ...]
    explanation: Explanation | None = None
    attributions: tuple[Attribution, ...] = ()
    strength: Strength | None = None
    probability: float | None = None
    others: tuple[ContentMatch, ...] = ()
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict, compare=False)

    @property
    def contents(self) -> Mapping[str, ContentMatch]:
        """How each of its blobs matches, the best first."""
        own = ContentMatch(
            self.blob,
            self.score,
            self.match,
            self.containment,
            self.longest_run,
            self.regions,
            self.strength,
            self.probability,
        )
        return {content.blob: content for content in (own, *self.others)}

    @property
    def locations(self) -> tuple[Location, ...]:
        """See `FoundContent`; each with what matches in its own content."""
        contents = self.contents
        return tuple(
            Location(at, self.repositories.get(at.repository), contents[at.blob].matched_regions)
            for at in self.occurrences
        )

    @property
    def matched_regions(self) -> tuple[Region, ...]:
        """See `FoundContent`."""
        return tuple(pair.document for pair in self.regions)

    @property
    def matched_tokens(self) -> int:
        """The query's tokens in `regions`."""
        return sum(pair.tokens for pair in self.regions)

    @property
    def best(self) -> Occurrence | None:
        """The first occurrence of `blob`, None if it has been removed since."""
        return next((occurrence for occurrence in self.occurrences if occurrence.blob == self.blob), None)

    @property
    def attribution(self) -> Attribution | None:
        """That of the occurrence that says least: a place that does not name the source comes before one that does."""
        order = (Verdict.UNATTRIBUTED, Verdict.UNKNOWN, Verdict.EARLIER, Verdict.ATTRIBUTED, Verdict.SOURCE)
        return min(self.attributions, key=lambda attribution: order.index(attribution.verdict), default=None)

    def to_dict(self) -> dict[str, Any]:
        """As JSON values: an entry of `hits`."""
        contents = self.contents
        return {
            **contents[self.blob].figures(),
            "blob": self.blob,
            "swhid": self.swhid,
            "language": self.language,
            "occurrences": [
                {
                    **location.to_dict(),
                    **contents[location.occurrence.blob].figures(),
                    "lines": contents[location.occurrence.blob].lines(),
                    "attribution": None if attribution is None else attribution.to_dict(),
                }
                for location, attribution in zip_longest(self.locations, self.attributions)
            ],
            "regions": [pair.to_dict() for pair in self.regions],
            "attribution": None if self.attribution is None else self.attribution.to_dict(),
            "explanation": None if self.explanation is None else self.explanation.steps(),
        }

    def __str__(self) -> str:
        place = named(self.best, self.matched_regions, len(self.occurrences)) if self.best else f"blob {self.blob}"
        return f"{math.floor(self.match)}% {place}"

    def __repr__(self) -> str:
        return f"<Hit {self}>"


@dataclass(frozen=True, slots=True, repr=False)
class Refused(FoundContent):
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

    def to_dict(self) -> dict[str, Any]:
        """As JSON values: `refused`."""
        return {
            "probability": self.probability,
            "missing": self.missing,
            "usual": self.usual,
            "signs": self.signs.to_dict(),
            "log_odds": dict(self.log_odds),
            "blob": self.blob,
            "language": self.language,
            "occurrences": [location.to_dict() for location in self.locations],
            "regions": [pair.to_dict() for pair in self.regions],
        }

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
class QueryInfo:
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

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "name": self.name,
            "language": self.language,
            "tokens": self.tokens,
            "remaining_tokens": self.remaining_tokens,
            "excluded_tokens": self.excluded_tokens,
            "fingerprints": self.fingerprints,
            "window": self.window,
            "guarantee": self.guarantee,
            "excluded": {"boilerplate": 0, "max_df": 0, **self.excluded},
            "too_short": None if self.needed is None else {"needed": self.needed},
        }


@dataclass(frozen=True, slots=True, repr=False)
class SearchResult:
    """The answer to one query; `total` counts groups, `truncated` says that the search stopped before the last one;
    `explained_tokens` are the tokens of the query that match in at least one of the hits, and `explained` is their
    percent of its remaining tokens, as `Hit.match` counts them; `warnings` name what can hardly be meant, such as a
    filter that matches no repository, in sentences. `refused` is what came nearest to a hit; None where there is a hit,
    or nothing that shares enough to be looked at.

    `repositories` holds the record of every repository named in the hits: the way to the source of a hit. `texts` reads
    the query and the hits, while the index is open.
    """

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

    def to_dict(self) -> dict[str, Any]:
        """As JSON values, as `docs/search-result.schema.json` says."""
        return {
            "format": FORMAT,
            "engine": self.engine,
            "schemes": plain_keys(self.schemes),
            "query": self.query.to_dict(),
            "total": self.total,
            "truncated": self.truncated,
            "took_ms": self.took_ms,
            "warnings": list(self.warnings),
            "explained": self.explained,
            "explained_tokens": self.explained_tokens,
            "refused": None if self.refused is None else self.refused.to_dict(),
            "hits": [hit.to_dict() for hit in self.hits],
        }

    def __repr__(self) -> str:
        name = repr(visible(self.query.name))
        if self.query.needed is not None:
            remaining = f" remaining={self.query.remaining_tokens}" if self.query.excluded_tokens else ""
            return f"<SearchResult {name} tokens={self.query.tokens}{remaining} needed={self.query.needed}>"
        return f"<SearchResult {name} hits={self.total}{listed(self.hits, self.total)}>"

    def _repr_html_(self) -> str | None:
        return to_html(self)
