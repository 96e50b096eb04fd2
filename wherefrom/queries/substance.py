"""Whether what a document shares with a query says enough to be an answer.

Unrelated programs share loops, signatures and checks. What they share is little of the query, says the same again, and
has hardly a name in the same place that few programs have.
"""

from __future__ import annotations

from string import ascii_letters
from typing import TYPE_CHECKING

import numpy as np

from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.representations import skeletons
from wherefrom.analyzers.tokens import NumberedSymbols, TokenClass
from wherefrom.queries.idioms import idiomatic

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from wherefrom.analyzers.tokens import TokenStream
    from wherefrom.queries.regions import Run

K = 4
"""Tokens of the k-grams that are counted, once however often they occur; all names are alike in them."""

NAME = 4
"""How many k-grams a name counts as that both sides have in the same place, unless it is a common one."""

SHARE, POWER, MOST = 2.42, 2 / 3, 65
"""A document has at least `SHARE` n^`POWER` - `K` + 1 of the n different k-grams of a window: 12 of 14, 24 of 35, 37
of `MOST`, and of more. docs/defaults.md has the sweep.
"""

MUCH = 1.3
"""How many times as much a document has that nothing else says is an answer."""

LONG, DENSE = 160, 1.4
"""In a window of more than `LONG` tokens it is enough as well if the score is `DENSE` times T(N), divided by the share
of tokens that match between the first and the last of them: one function of a longer text may be copied alone.
"""

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


class Substance:
    """What of a query says something: its different k-grams of code, and its names.

    Args:
        stream: the query's tokens.
        masked: which of them are boilerplate. Idioms say as little.
        declared: which of them declare imports or a package: of these only names count.
    """

    def __init__(self, stream: TokenStream, masked: NDArray[np.bool_], declared: NDArray[np.bool_]) -> None:
        masked = masked | idiomatic(stream)
        numbers = np.arange(len(stream), dtype=np.uint32)
        grams = skeletons(NumberedSymbols(stream.codes, stream.classes, numbers, stream.segments), K)
        before = np.concatenate(([0], np.cumsum(masked | declared)))
        loud = before[grams.positions + K] == before[grams.positions]
        self._stream, self._masked = stream, masked
        self._number_at = np.full(len(stream), _NONE)
        self._number_at[grams.positions[loud]] = np.unique(grams.hashes[loud], return_inverse=True)[1]
        self._is_name = (stream.classes == TokenClass.NAME) & ~masked & ~np.isin(stream.codes, _COMMON)

    def is_shared(
        self, document: TokenStream, runs: Sequence[Run], window: tuple[int, int], score: float, *, much: bool
    ) -> bool:
        """Whether a document shares enough of a window of the query to be an answer. Where there is no code, nothing
        tells.

        Args:
            document: its tokens.
            runs: what matches, none overlapping another on the query's side.
            window: the half-open token span of the window.
            score: of the document, as a share of T(N).
            much: ask for `MUCH` times as many, for nothing else says that it is an answer.
        """
        begin, end = window
        different = _different(self._number_at[begin:end])
        if not different:
            return not much
        shared = [self._number_at[run.begin : max(run.begin, run.end - K + 1)] for run in runs]
        has = _different(np.concatenate(shared)) + K - 1 if shared else 0
        if (
            has + NAME * self._same_names(document, runs)
            >= (MUCH if much else 1) * SHARE * min(different, MOST) ** POWER
        ):
            return True
        tokens = sum(int(np.count_nonzero(~self._masked[run.begin : run.end])) for run in runs)
        span = max((run.end for run in runs), default=0) - min((run.begin for run in runs), default=0)
        return end - begin > LONG and score * tokens >= DENSE * span

    def _same_names(self, document: TokenStream, runs: Iterable[Run]) -> int:
        """How many different names are in the same place."""
        same = [np.empty(0, np.uint64)]
        for run in runs:
            codes = self._stream.codes[run.begin : run.end]
            is_same = codes == document.codes[run.begin + run.shift : run.end + run.shift]
            same.append(codes[is_same & self._is_name[run.begin : run.end]])
        return len(np.unique(np.concatenate(same)))


def _different(numbers: NDArray[np.int64]) -> int:
    """How many different k-grams these are."""
    return len(np.unique(numbers[numbers != _NONE]))
