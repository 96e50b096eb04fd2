"""What counts as found."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wherefrom.analyzers.schemes import SCHEMES
from wherefrom.model import Representation, Strength

if TYPE_CHECKING:
    from wherefrom.queries.alignment import Alignment

_COMPARED = (Representation.EXACT, Representation.RENAMED)
"""What still tells something where it covers a whole query, however short."""

_NEARLY_ALL = 0.8
"""Share of a query of prose that is hardly longer than t."""


@dataclass(frozen=True, slots=True)
class Rule:
    """From when on a document is an answer and not chance; the values are chosen in docs/defaults.md.

    Attributes:
        slope: T(N) = slope * ln(1 + N) is the score from which it is: an idf grows as ln N, so what chance scores does.
        covered: a chain that covers this share of the query's unmasked tokens, and t of them, is, whatever it scores.
            Of repeated k-grams, which cover much and say little, one counts.
        partly_covered, partly_scored: so is a chain that covers the one share, where the score is the other share of
            T(N): short functions with moved, new and deleted statements score 1 to 3 ln(1 + N).
        partly_scored_renamed: that share of T(N) for a chain of `renamed`, for short loops are alike in many files.
        covered_unnamed: the share that a chain of `p_match` has to cover instead. What is renamed throughout is covered
            nearly whole, and half of a short function is covered by chance where no name counts.
        prose_covered: in place of `partly_covered` for runs of prose, of which t letters are covered as well, or
            nearly all of a shorter query: chance shares a phrase, not a fifth of a passage.
        whole: so is a chain of `exact` or `renamed` that covers every token of the query, fewer than t of them too.
        stretch, prose_stretch: tokens of a query, or letters of prose, in which a copy may be: of a longer one its best
            stretch of that length says how much of it matches.
        fair, strong: the worth (see `strength`) from which a hit is fair or strong evidence of a copy.
        likely: a document that scores this share of T(N) may be an answer as well, if it shares much of what the query
            says: see `queries.substance`.
    """

    slope: float = 2.5
    covered: float = 0.5
    partly_covered: float = 0.4
    partly_scored: float = 0.3
    partly_scored_renamed: float = 0.4
    covered_unnamed: float = 0.8
    prose_covered: float = 0.2
    whole: bool = True
    stretch: int = 250
    prose_stretch: int = 1250
    fair: float = 0.3
    strong: float = 0.6
    likely: float = 0.3

    def threshold(self, blobs: int) -> float:
        """T(N) of an index of N blobs."""
        return self.slope * math.log1p(blobs)

    def reason(self, score: float, alignment: Alignment, tokens: int, threshold: float) -> str | None:
        """Why a document counts as found, `score` or `coverage`; None where it does not.

        Args:
            score: of the document.
            alignment: with a window of the query.
            tokens: the window's, but for masked ones.
            threshold: T(N).
        """
        if score >= threshold:
            return "score"
        for representation, chain in alignment.chains.items():
            is_prose = representation is Representation.TEXT
            # t of the chain's own k: the more a representation forgets, the more has to be covered.
            is_unnamed = representation is Representation.P_MATCH
            t = SCHEMES[Representation.TEXT if is_prose else Representation.EXACT].w + chain.k - 1
            if chain.covered >= t and chain.said >= (self.covered_unnamed if is_unnamed else self.covered) * tokens:
                return "coverage"
            if self.whole and chain.covered == tokens and representation in _COMPARED:
                return "coverage"
            least = (self.covered_unnamed if is_unnamed else self.partly_covered) * tokens
            if is_prose:
                least = max(self.prose_covered * tokens, min(t, _NEARLY_ALL * tokens))
            is_renamed = representation is Representation.RENAMED
            partly_scored = self.partly_scored_renamed if is_renamed else self.partly_scored
            if score >= partly_scored * threshold and chain.covered >= least:
                return "coverage"
        return None

    def strength(self, score: float, share: float, literals: float, threshold: float) -> Strength:
        """How good a hit is as evidence of a copy, by its worth: score / T(N), times the fifth power of the share
        that matches, times the root of the share of the literals that are the same.

        Of two hits with the same score the one that leaves out less is the likelier copy; and what was written in the
        same way for another case, as tests are, differs in its literals.

        Args:
            score: of the document, without what is added for literals.
            share: of the query, or of the best stretch of a longer one, that matches, 0 to 1.
            literals: the share of the literals that match which are the same, 0 to 1.
            threshold: T(N), or T(N W).
        """
        worth = score / threshold * share**5 * math.sqrt(literals) if threshold else 0.0
        if worth >= self.strong:
            return Strength.STRONG
        return Strength.FAIR if worth >= self.fair else Strength.WEAK

    def is_whole(self, alignment: Alignment, tokens: int) -> bool:
        """Whether a chain covers every token of the query: so do tables of the same shape, so it is not enough."""
        return self.whole and any(chain.covered == tokens for chain in alignment.chains.values())


FOUND = Rule()
"""The rule of every search."""
