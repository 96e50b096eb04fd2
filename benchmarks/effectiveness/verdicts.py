"""How good a tool's answers are: chances of the true file, wrong files above it, and answers if nothing is to be found.

Files with equal scores have no order: what counts is the probability that a true file is among the first.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.effectiveness.metrics import mean
from benchmarks.effectiveness.mutation import Case
from benchmarks.peers import Scores

FIRST, SHORT_LIST = 1, 10


def chance_among(scores: Mapping[str, float], places: Collection[str], k: int) -> float:
    """The probability that one of `places` is among the first `k` files, if ties are put in a random order."""
    best = max((scores[place] for place in places if place in scores), default=None)
    if best is None:
        return 0.0
    left = k - sum(score > best for score in scores.values())
    tied = sum(score == best for score in scores.values())
    true = sum(scores.get(place) == best for place in places)
    if left <= 0:
        return 0.0
    return 1 - math.comb(tied - true, left) / math.comb(tied, left) if left < tied else 1.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """How good a tool's answer to one query is.

    Attributes:
        case: the query.
        first, short_list: the chances that a true file is the first one, and among the first ten.
        true: the score of the best true file; 0 if none is named.
        wrong: the best file that is not true; empty if none is named.
        wrong_score: the score of `wrong`; 0 if none is named.
    """

    case: Case
    first: float
    short_list: float
    true: float
    wrong: str
    wrong_score: float

    @property
    def is_stranger(self) -> bool:
        """True if none of the files has the function."""
        return not self.case.places

    @property
    def is_misled(self) -> bool:
        """True if a wrong file ranks above every true one."""
        return self.wrong_score > self.true


def judge(scores: Scores, queries: Mapping[str, Case]) -> list[Verdict]:
    """A verdict on each query. The scores must be above 0."""
    verdicts = []
    for name, case in queries.items():
        found = scores.get(name, {})
        others = {file: score for file, score in found.items() if file not in case.places}
        wrong = max(others, key=lambda file: (others[file], file), default="")
        verdicts.append(
            Verdict(
                case,
                chance_among(found, case.places, FIRST),
                chance_among(found, case.places, SHORT_LIST),
                max((found[place] for place in case.places if place in found), default=0.0),
                wrong,
                others.get(wrong, 0.0),
            )
        )
    return verdicts


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares of the planted functions, and of the strangers.

    Attributes:
        first, short_list: a true file is the first one, or among the first ten.
        certain: a true file is the first one, with a score above every answer to a stranger in the same language. This
            is what the tool finds with a threshold that keeps it silent on all strangers.
        misled: a wrong file ranks above every true one.
        silent: no file is named.
        answered: the share of the strangers for which a file is named.
    """

    first: float
    short_list: float
    certain: float
    misled: float
    silent: float
    answered: float


def figures(verdicts: Sequence[Verdict]) -> Figures:
    """The figures of verdicts on at least one planted function and one stranger."""
    planted, strangers = by_kind(verdicts)
    highest: dict[str, float] = defaultdict(float)
    for each in strangers:
        highest[each.case.language] = max(highest[each.case.language], each.wrong_score)
    return Figures(
        first=mean([each.first for each in planted]),
        short_list=mean([each.short_list for each in planted]),
        certain=mean([each.first * (each.true > highest[each.case.language]) for each in planted]),
        misled=mean([float(each.is_misled) for each in planted]),
        silent=mean([float(not each.true and not each.wrong) for each in planted]),
        answered=mean([float(bool(each.wrong)) for each in strangers]),
    )


def by_kind(verdicts: Iterable[Verdict]) -> tuple[list[Verdict], list[Verdict]]:
    """The verdicts on planted functions, and those on strangers."""
    kinds: tuple[list[Verdict], list[Verdict]] = ([], [])
    for each in verdicts:
        kinds[each.is_stranger].append(each)
    return kinds
