"""Why a document is a hit, and why it has its score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wherefrom.model import Representation
from wherefrom.support.contract import JsonObject, encoded


@dataclass(frozen=True, slots=True)
class TermExplanation(JsonObject):
    """One term of the first stage that the document holds."""

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
    """What one representation's chain added to the score; `coverage` is the share of the query's unmasked tokens."""

    JSON = "kind representation score kgrams coverage longest_run"

    kind = "chain"
    representation: Representation
    score: float
    kgrams: int
    coverage: float
    longest_run: int


@dataclass(frozen=True, slots=True)
class Signs(JsonObject):
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
        return {**encoded(self), "terms": round(self.terms, 6), "chance": round(self.chance, 6)}


@dataclass(frozen=True, slots=True)
class Explanation(JsonObject):
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

    JSON = "score probability signs threshold log_odds first_stage literal_share agreement windows blobs"

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
            {"kind": "score", **encoded(self)},
            *(chain.to_dict() for chain in self.chains),
            *(term.to_dict() for term in self.terms),
        ]
