"""How probable it is that a document is a copy of the query: the one rule of `search`, `check` and `fixed`.

The rule is a logistic function of four signs. It needs neither the index nor a text, so it is the same for every index
and query. `wherefrom.fitted` has its numbers; `benchmarks/effectiveness/rule.py` fits them.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wherefrom.fitted import CHANCE, CHANCE_POWER, ENOUGH, TINY, WEIGHTS, Weights
from wherefrom.model import Strength
from wherefrom.queries.spans import Floats
from wherefrom.results import Signs

Values: TypeAlias = "NDArray[np.number[Any]]"
"""An array with a value for each of some documents."""

ANSWER, FAIR, STRONG = 0.5, 0.7, 0.9
"""The least probabilities of an answer, of fair evidence and of strong evidence of a copy."""

TYPICAL = Weights(same=5.9, stands_out=7.4, literals=3.9, length=-4.3, bias=WEIGHTS.bias)
"""What each sign of a true copy adds on average, as `benchmarks/effectiveness/rule.py` counts it. These numbers decide
nothing. They only serve to tell what a refused document lacks."""


def values(signs: Signs) -> tuple[float, ...]:
    """The number by which each weight is multiplied, in the order of `Weights`, without the bias."""
    return (
        min(signs.shared, ENOUGH) / (min(signs.patterns, ENOUGH) + TINY),
        math.log(signs.terms / signs.chance),
        math.log1p(signs.literals),
        math.log(TINY + signs.tokens),
    )


def log_odds(signs: Signs) -> tuple[float, ...]:
    """What each sign adds to the logarithm of the odds, and the bias: one for each of `Weights`, in that order."""
    return tuple(weight * value for weight, value in zip(WEIGHTS, (*values(signs), 1.0), strict=True))


def probability(signs: Signs, windows: int = 1) -> float:
    """How probable it is that a document is a copy, 0 to 1, by its signs beside a window of the query. Each of the
    query's `windows` is another chance for a coincidence, so the odds are divided by their number.
    """
    if not signs.shared:
        return 0.0
    return 1 / (1 + math.exp(-(sum(log_odds(signs)) - math.log(windows))))


def odds_of(
    *, shared: Values, patterns: Values, literals: Values, stands_out: Values, tokens: Values, windows: Values
) -> Floats:
    """The logarithm of the odds of `probability` for arrays of signs. `stands_out` is `terms` divided by `chance`."""
    by_sign = (
        np.minimum(shared, ENOUGH) / (np.minimum(patterns, ENOUGH) + TINY),
        np.log(stands_out),
        np.log1p(literals),
        np.log(TINY + tokens),
        1.0,
    )
    odds: Floats = sum(weight * value for weight, value in zip(WEIGHTS, by_sign, strict=True))
    return odds - np.log(windows)


def parts(signs: Signs, windows: int = 1) -> dict[str, float]:
    """The summands of the logarithm of the odds of `probability`: each of `Weights` by its name, and `windows`."""
    return {**Weights(*log_odds(signs))._asdict(), "windows": -math.log(windows)}


def furthest_short(signs: Signs, windows: int = 1) -> tuple[str, float]:
    """The sign that falls furthest short of its value in typical copies.

    Returns:
        Its name in `parts`, and the amount of it in typical copies: for `same` a share of the patterns, for
        `stands_out` a factor, else a number.
    """
    usual = {**TYPICAL._asdict(), "windows": 0.0}
    short = {name: usual[name] - part for name, part in parts(signs, windows).items() if name != "bias"}
    name = max(short, key=short.__getitem__)
    return name, _amount(name, signs)


def _amount(name: str, signs: Signs) -> float:
    """The amount of a sign that adds as much to the logarithm of the odds as in a typical copy (`TYPICAL`)."""
    if name == "windows":
        return 1.0
    amount: float = getattr(TYPICAL, name) / getattr(WEIGHTS, name)
    if name == "same":
        patterns = max(min(signs.patterns, ENOUGH), 1)
        return min(amount * (patterns + TINY) / patterns, 1.0)
    if name == "stands_out":
        return math.exp(amount)
    return math.exp(amount) - TINY if name == "length" else math.expm1(amount)


def strength(probability: float) -> Strength:
    """How strong the evidence is that a document with this probability is a copy."""
    if probability >= STRONG:
        return Strength.STRONG
    return Strength.FAIR if probability >= FAIR else Strength.WEAK


def is_weaker(probability: float, least: Strength) -> bool:
    """Whether a document with this probability is weaker evidence than `least`."""
    order = tuple(Strength)
    return order.index(strength(probability)) < order.index(least)


def chance(terms: int) -> float:
    """The weight of `terms` terms that a document shares by chance in a large index, in units of ln(1 + N)."""
    return CHANCE * math.pow(max(terms, 1), CHANCE_POWER)
