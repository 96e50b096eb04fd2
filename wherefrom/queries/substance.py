"""Whether what a document shares with a query says enough to be an answer.

Unrelated programs share loops, signatures and checks. What they share is little of the query, repeats itself, scores
little, has hardly a rare name in the same place, and is in many other documents, most of all in long ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from string import ascii_letters
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.representations import skeletons
from wherefrom.analyzers.tokens import NumberedSymbols, TokenClass
from wherefrom.queries.idioms import idiom_literals, idiomatic

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.model import Hashes
    from wherefrom.queries.regions import Run

K = 4
"""Tokens of the k-grams that are counted, once however often they occur; all names are alike in them."""

MOST = 65
"""Different k-grams of a window that may be asked for: of a longer one it is enough if so many are shared."""

SHARE, POWER, NAME, MUCH, LEAST_SCORE = 2.42, 2 / 3, 4, 1.3, 0.5
"""In a small index, and of a short window, a document has at least `SHARE` n^`POWER` - `K` + 1 of its n different
k-grams: 12 of 14, 24 of 35, 37 of `MOST`; a rare name that both sides have in the same place counts as `NAME` of them.
Where nothing else says that it is an answer, `MUCH` times as many and `LEAST_SCORE` of T(N) are asked for.
"""

LONG, DENSE = 160, 1.4
"""In a window of more than `LONG` tokens it is enough there as well if the score is `DENSE` times T(N), divided by the
share of tokens that match between the first and the last of them: one function of a longer text may be copied alone.
"""

SHORT = 60
"""Tokens of a window that is not short, of which the signs alone tell in a large index."""

OTHERS, LESS = 5, 0.8
"""A document stands out by what it scores in the first stage, beside the candidate at this place among those that score
less than `LESS` of it, for there may be many copies: one shares many times as many terms with a query as what is like
it by chance, of which there are always some.
"""

FEW = 8
"""Different k-grams that are added to those of a window: all of ten say less than all of fifty."""

LENGTH = 10
"""Tokens that are added to the length of a document, so that tiny ones are alike."""

_FAINT_OTHERS, _FAINT_FIRST_STAGE, _FAINT_SCORE = 0.1, 1e-3, 0.05
"""Shares of T(N) that a score counts as at least: of that candidate, of the document in the first stage, in the end."""


class Signs(NamedTuple):
    """What says that a document is a copy; all but `same` are logarithms.

    Attributes:
        same: the different k-grams that it shares, by `FEW` and those of the window, of which at most `MOST` count.
        stands_out: its score in the first stage, by what others score there by chance.
        names: 1 and the rare names that are the same.
        length: `LENGTH` and the tokens of the document: the longer it is, the more of it is like anything.
        score: its score.
    """

    same: float
    stands_out: float
    names: float
    length: float
    score: float


WEIGHTS = Signs(same=9.5, stands_out=2.9, names=1.4, length=-1.0, score=0.5)
"""What each sign weighs. Fitted by `benchmarks/effectiveness/signs.py` on whole programs, functions, edited copies and
functions in other files (`docs/defaults.md`).
"""

ENOUGH, ENOUGH_SHORT = 1.4, 0.0
"""The sum of the weighed signs from which on a document is an answer, and what it has at least in a short window."""

_COMMON_NAMES = """
String str string int Integer float double bool Boolean char number Number Object object Any List list ArrayList Map
map HashMap dict Set set tuple array Array Arrays vector std size_t NULL None Math max min abs length len size count
sum total num n1 n2 i1 i2 name names value values val key keys data item items element elements index idx pos start
end begin first last left right current cur prev next node root head tail temp tmp result results res ret out output
input expected actual err error errors msg message text line lines word words file path type types kind id self cls
this other args kwargs argv argc params options opts config flags mode state status code get put add append push pop
remove insert delete clear contains indexOf find sort reverse copy format replace split join trim toString equals
hashCode isEmpty print println printf fprintf stderr stdout System Test test assertEquals assertTrue assertThat
Override range enumerate isinstance open read write close readLine call apply prototype exports module require define
amd function fn callback cb event e1 e2 main run buf buffer ptr struct static Exception ValueError TypeError
IOException IllegalArgumentException InterruptedException getMessage printStackTrace StringBuilder Thread __init__
__name__ java util io lang org com net numpy junit hasOwnProperty arguments slice undefined
"""
_COMMON = np.array(
    [token_code(name.encode()) for name in (*_COMMON_NAMES.split(), *ascii_letters, "_", "$")], np.uint64
)
"""Names that programs share by chance: all of one letter, and the most frequent ones of five languages."""

_NONE = -1


@dataclass(frozen=True, slots=True)
class Match:
    """A document beside a window of a query; scores are shares of T(N).

    Attributes:
        runs: what matches, none overlapping another on the query's side.
        window: the half-open token span of the window.
        score: of the document.
        first_stage: of the document, by the engine.
        others: as `chance_score` gives it, None in a small index, where that says nothing.
        much: whether nothing else says that it is an answer.
    """

    runs: Sequence[Run]
    window: tuple[int, int]
    score: float
    first_stage: float
    others: float | None
    much: bool


def chance_score(scores: Sequence[float], own: float, most: int) -> float:
    """What a document scores in the first stage by chance, next to one that scores `own`.

    Args:
        scores: of the first candidates of a window, the highest first.
        own: of the document.
        most: how many candidates are asked for: if there are as many, others are not known.
    """
    less = [score for score in scores if score < LESS * own]
    if len(less) >= OTHERS:
        return less[OTHERS - 1]
    return own if len(scores) >= most else 0.0


class Substance:
    """What of a query says something: its different k-grams of code, and its names.

    Args:
        stream: the query's tokens.
        masked: which of them are boilerplate. Idioms say as little.
        declared: which of them declare imports or a package. What is imported is named alike by every program that uses
            it, so these names do not count, there or elsewhere.

    Attributes:
        idiom_literals: which tokens are literals of an idiom in the query that idioms have as they are.
    """

    def __init__(self, stream: TokenStream, masked: NDArray[np.bool_], declared: NDArray[np.bool_]) -> None:
        quiet = masked | idiomatic(stream)
        numbers = np.arange(len(stream), dtype=np.uint32)
        grams = skeletons(NumberedSymbols(stream.codes, stream.classes, numbers, stream.segments), K)
        before = np.concatenate(([0], np.cumsum(quiet | declared)))
        loud = before[grams.positions + K] == before[grams.positions]
        is_name = stream.classes == TokenClass.NAME
        imported = np.unique(stream.codes[declared & is_name])
        self._stream, self._masked = stream, quiet
        self._is_idiom = quiet & ~masked & ~declared
        self.idiom_literals = self._is_idiom & idiom_literals(stream)
        self._number_at = np.full(len(stream), _NONE)
        self._number_at[grams.positions[loud]] = np.unique(grams.hashes[loud], return_inverse=True)[1]
        self._is_name = is_name & ~quiet & ~np.isin(stream.codes, _COMMON) & ~np.isin(stream.codes, imported)

    def is_shared(self, document: TokenStream, match: Match) -> bool:
        """Whether a document shares enough of a window of the query to be an answer. Where there is no code, nothing
        tells; where there are idioms alone, the names and literals have to be the same; where there is more, idioms are
        not enough.
        """
        begin, end = match.window
        different = min(_different(self._number_at[begin:end]), MOST)
        if not different:
            is_idiom = match.others is not None and self._is_idiom[begin:end].any()
            return not match.much and (not is_idiom or self._is_same(document, match))
        has, names = self._shared(document, match)
        if not has and not names:
            return False
        if match.others is not None:
            signs = self._signs(document, match, has, names, different)
            evidence = sum(weight * sign for weight, sign in zip(WEIGHTS, signs, strict=True))
            if evidence >= ENOUGH:
                return True
            if end - begin >= SHORT or evidence < ENOUGH_SHORT:
                return False
        if match.much and match.score < LEAST_SCORE:
            return False
        if has + K - 1 + NAME * names >= (MUCH if match.much else 1) * SHARE * math.pow(different, POWER):
            return True
        tokens = _count(~self._masked, match.runs)
        span = max((run.end for run in match.runs), default=0) - min((run.begin for run in match.runs), default=0)
        return end - begin > LONG and match.score * tokens >= DENSE * span

    def signs(self, document: TokenStream, match: Match) -> Signs | None:
        """The signs of a match; None where there is no code."""
        begin, end = match.window
        different = min(_different(self._number_at[begin:end]), MOST)
        return self._signs(document, match, *self._shared(document, match), different) if different else None

    def _signs(self, document: TokenStream, match: Match, has: int, names: int, different: int) -> Signs:
        first_stage = max(match.first_stage, _FAINT_FIRST_STAGE)
        others = max(match.others or 0.0, _FAINT_OTHERS)
        return Signs(
            same=has / (different + FEW),
            stands_out=min(max(math.log(first_stage / others), -1), 3),
            names=math.log1p(names),
            length=math.log(LENGTH + len(document)),
            score=math.log(max(match.score, _FAINT_SCORE)),
        )

    def _shared(self, document: TokenStream, match: Match) -> tuple[int, int]:
        """How many different k-grams a document shares, and how many rare names."""
        shared = [self._number_at[run.begin : max(run.begin, run.end - K + 1)] for run in match.runs]
        return _different(np.concatenate(shared)) if shared else 0, self._same_names(document, match.runs)

    def _is_same(self, document: TokenStream, match: Match) -> bool:
        """Whether a document has every token of the window as it is.

        Where rows repeat themselves what matches may be some rows off, so the window is looked for as a whole too.
        """
        begin, end = match.window
        if _contains(document.codes, self._stream.codes[begin:end]):
            return True
        same = 0
        for run in match.runs:
            theirs = document.codes[run.begin + run.shift : run.end + run.shift]
            same += int(np.count_nonzero(self._stream.codes[run.begin : run.end] == theirs))
        return same >= end - begin

    def _same_names(self, document: TokenStream, runs: Iterable[Run]) -> int:
        """How many different names are in the same place."""
        same = [np.empty(0, np.uint64)]
        for run in runs:
            codes = self._stream.codes[run.begin : run.end]
            is_same = codes == document.codes[run.begin + run.shift : run.end + run.shift]
            same.append(codes[is_same & self._is_name[run.begin : run.end]])
        return len(np.unique(np.concatenate(same)))


def _contains(codes: Hashes, wanted: Hashes) -> bool:
    """Whether some codes follow each other in others."""
    if not len(wanted):
        return True
    places = np.flatnonzero(codes[: max(0, len(codes) - len(wanted) + 1)] == wanted[0])
    return any(np.array_equal(codes[place : place + len(wanted)], wanted) for place in places.tolist())


def _count(counted: NDArray[np.bool_], runs: Iterable[Run]) -> int:
    """How many of these tokens match."""
    return sum(int(np.count_nonzero(counted[run.begin : run.end])) for run in runs)


def _different(numbers: NDArray[np.int64]) -> int:
    """How many different k-grams these are."""
    return len(np.unique(numbers[numbers != _NONE]))
