"""The words of the tokens of a text, and their stored form; `words` makes them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wherefrom.model import Hashes

WORD_BYTES = 2
WORD_MASK = (1 << 8 * WORD_BYTES) - 1  # the code of a word is these last bits of its token code


class TokenWords(NamedTuple):
    """The words of a text (`analyzers.words`), in order."""

    codes: NDArray[np.uint32]  # uint32, the code of each word, which has at most `WORD_MASK`
    tokens: NDArray[np.int64]  # int64, the token that each word is in, ascending

    def part(self, begin: int, end: int) -> TokenWords:
        """The words of the tokens `begin` to `end` (half-open), which are numbered from 0 then."""
        first, last = self.tokens.searchsorted([begin, end]).tolist()
        return TokenWords(self.codes[first:last], self.tokens[first:last] - begin)


NO_WORDS = TokenWords(np.empty(0, np.uint32), np.empty(0, np.int64))

_STORED = f"<u{WORD_BYTES}"

_OWN = 255


def stored_words(words: TokenWords, symbols: NDArray[np.int64], symbol_codes: Hashes) -> bytes:
    """The words of symbols, each given by a token and its code: a byte for each with how many words it has, `_OWN` for
    a symbol whose one word has the last bits of its own code; and the codes of all other words, which compress better
    than planes of them. Empty if no symbol has words.
    """
    if not len(words.codes):
        return b""
    begins, ends = (words.tokens.searchsorted(symbols, side) for side in ("left", "right"))
    counts = ends - begins
    first = words.codes[np.minimum(begins, len(words.codes) - 1)]
    is_own = (counts == 1) & (first == (symbol_codes & np.uint64(WORD_MASK)))
    codes = words.codes[_ranges(begins[~is_own], counts[~is_own])]
    return np.where(is_own, _OWN, counts).astype(np.uint8).tobytes() + codes.astype(_STORED).tobytes()


def _ranges(begins: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(begins - ends + counts, counts)


def opened_words(stored: bytes, symbols: Hashes, numbers: NDArray[np.unsignedinteger[Any]]) -> TokenWords:
    """The words of a stored stream, from the bytes of `stored_words`, the codes of its symbols and the number of each
    token's symbol. Raises ValueError if the bytes are damaged.
    """
    if not stored:
        return NO_WORDS
    count = len(symbols)
    counts = np.frombuffer(stored, np.uint8, count)
    is_own = counts == _OWN
    each = np.where(is_own, 1, counts).astype(np.int64)
    codes = np.empty(each.sum(), np.uint32)
    is_symbol = np.repeat(is_own, each)
    codes[is_symbol] = (symbols[is_own] & np.uint64(WORD_MASK)).astype(np.uint32)
    codes[~is_symbol] = np.frombuffer(stored, _STORED, offset=count)
    number = each[numbers]
    words = codes[_ranges((np.cumsum(each) - each)[numbers], number)]
    return TokenWords(words, np.repeat(np.arange(len(numbers)), number))
