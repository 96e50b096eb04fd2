"""How probable it is that a document is a copy of the query: the one rule of all commands.

The rule needs neither the index nor a text, so it is the same for every index and query. `wherefrom.fitted` has its
numbers; `benchmarks/effectiveness/odds.py` fits them.
"""

from __future__ import annotations

import math

import numpy as np

from wherefrom.fitted import LEAST_RARITY, LONGEST, ODDS
from wherefrom.model import Strength
from wherefrom.queries.spans import Floats

ANSWER, FAIR, STRONG = 0.5, 0.7, 0.9
"""The least probabilities of an answer, of fair evidence and of strong evidence of a copy."""

LEAST_OF = {Strength.WEAK: ANSWER, Strength.FAIR: FAIR, Strength.STRONG: STRONG}
"""The least probability of each strength."""

OF_MANY = 0.999
"""The least probability of a copy for one of the many pieces of a project. The odds hold where half of the queries have
a copy. If one piece in a hundred has one, 0.999 means `STRONG` (`benchmarks/results/evidence.md`)."""


def log_odds(bits: float, tokens: float, rarity: float) -> float:
    """The logarithm of the odds that a document is a copy; arguments as in `probability`."""
    return (
        ODDS.bits * bits
        + ODDS.length * math.log(min(tokens, LONGEST))
        + ODDS.rarity * math.log(max(rarity, LEAST_RARITY))
        + ODDS.bias
    )


def all_log_odds(bits: Floats, tokens: Floats, rarity: Floats) -> Floats:
    """The logarithm of the odds that documents are copies; arguments as in `probability`, for each document."""
    found: Floats = (
        ODDS.bits * bits
        + ODDS.length * np.log(np.minimum(tokens, LONGEST))
        + ODDS.rarity * np.log(np.maximum(rarity, LEAST_RARITY))
        + ODDS.bias
    )
    return found


def probability(bits: float, tokens: float, rarity: float) -> float:
    """How probable it is that a document is a copy, 0 to 1. Without bits it is 0.

    Args:
        bits: the evidence in the best alignment (`queries.alignment.aligning`).
        tokens: the tokens of the query that count, above 0.
        rarity: the weight of the shared terms divided by ln(1 + N), which is the weight of a rare one among N contents.
    """
    return logistic(log_odds(bits, tokens, rarity)) if bits > 0 else 0.0


def logistic(odds: float) -> float:
    """The probability, 0 to 1, whose odds have this logarithm."""
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0


def stated(probability: float) -> float:
    """A probability as answers state it: rounded down to thousandths, so that it is in the band of its strength, and
    below 1, since nothing is certain.
    """
    return min(math.floor(probability * 1000), 999) / 1000


def needed(tokens: float, rarity: float) -> float:
    """The bits that make a document of this rarity an answer."""
    return -log_odds(0.0, tokens, rarity) / ODDS.bits


def strength(probability: float) -> Strength:
    """How strong the evidence is that a document with this probability is a copy."""
    if probability >= STRONG:
        return Strength.STRONG
    return Strength.FAIR if probability >= FAIR else Strength.WEAK


def is_weaker(probability: float, least: Strength) -> bool:
    """Whether a document with this probability is weaker evidence than `least`."""
    order = tuple(Strength)
    return order.index(strength(probability)) < order.index(least)
