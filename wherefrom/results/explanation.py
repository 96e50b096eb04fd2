"""Explains why a document is a hit, and its score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wherefrom.model import Representation
from wherefrom.support.contract import JsonObject, encoded


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
class Signs(JsonObject):
    """The signs that a document is a copy of a window of the query (`queries.judging.rule`).

    A pattern is 4 tokens with any names and literals. Common patterns do not count. In prose, 8 k-grams of letters
    count as one pattern.

    Attributes:
        shared: the number of different patterns of the window that the document has.
        patterns: the number of all different patterns of the window.
        literals: the number of different literals of more than one character that the document has in the same places.
            In prose, 40 letters count as one literal.
        terms: the weight of the shared terms divided by ln(1 + N), the weight of a rare term among N contents.
        chance: the weight that other documents share by chance, divided by ln(1 + N) as well.
        tokens: tokens of the document.
    """

    shared: int
    patterns: int
    literals: int
    terms: float
    chance: float
    tokens: int

    def to_dict(self) -> dict[str, Any]:
        """The JSON values, with rounded numbers."""
        return {**encoded(self), "terms": round(self.terms, 6), "chance": round(self.chance, 6)}


@dataclass(frozen=True, slots=True)
class Explanation(JsonObject):
    """Explains why a hit is an answer, and its score.

    Attributes:
        score: the chains' scores, times 1 + `literal_share`, times `agreement`.
        probability: the probability of a copy, by the best window of the query; None for whole files.
        signs: the signs of a copy in that window; None for whole files.
        threshold: the least score of an answer; None if the probability decides.
        log_odds: the summands of the log odds of `probability`: one for each sign (`same`, `stands_out`, `literals`,
            `length`), a constant (`bias`), and one for the `windows`. Empty for whole files.
        first_stage: the summed weight of the terms that the document shares with that window.
        literal_share: the share of the query that the document has with the same literals, whatever the names, 0 to 1;
            0 for a query of several windows.
        agreement: the share of the query's tokens that the document has in the same places, 0 to 1. Names and literals
            count twice. It is 1 for prose, and for a query of several windows.
        windows: the number of windows in the query. The odds are divided by this number.
        blobs: the number of indexed contents, by representation.
        chains: what each representation adds to the score, over all windows. Each k-gram counts once.
        terms: the terms that were looked up in the index and that the document has.
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
        """A list of JSON objects, each with its `kind`: first the `score`, then each `chain`, then each `term`."""
        return [
            {"kind": "score", **encoded(self)},
            *(chain.to_dict() for chain in self.chains),
            *(term.to_dict() for term in self.terms),
        ]
