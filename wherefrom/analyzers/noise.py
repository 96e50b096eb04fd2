"""What formatters add, take away or move.

Trailing commas, semicolons that a language does not need and parentheses around one thing are no tokens of a stream, so
that a text has the same tokens before and after. The rest counts next to nothing (`weights`): braces around one
statement, semicolons that tell short pieces apart, modifiers, which are in any order, strings that are joined. The
rules look at the tokens beside each other alone, so they also hold in code that does not parse.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import token_code
from wherefrom.analyzers.representations import segment_spans
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.fitted import WEIGHT
from wherefrom.languages import LANGUAGES, Language
from wherefrom.model import Hashes

LIGHT = 1
"""What a token counts that a formatter may have added or moved; another one counts `WEIGHT`."""

_CLOSING = ")", "]", "}", ">"
_OPEN, _CLOSE = token_code(b"("), token_code(b")")


@dataclass(frozen=True, slots=True)
class Rules:
    """`Language.noise` by token codes.

    Attributes:
        anywhere: symbols that are never tokens, ascending.
        before_closing: symbols that are not tokens directly before one of `closing`, ascending.
        closing: ascending.
        grouping: an opening and a closing parenthesis; None if none of them groups.
        calls: symbols behind which a parenthesis does not group, ascending.
        light: symbols that count next to nothing.
        string_joins: symbols between two strings that may be one; None where nothing is between them.
        empty_behind: keywords behind which, and a name, empty parentheses count next to nothing, ascending.
    """

    anywhere: Hashes
    before_closing: Hashes
    closing: Hashes
    grouping: tuple[int, int] | None
    calls: Hashes
    light: Hashes
    string_joins: tuple[int | None, ...]
    empty_behind: Hashes


@cache
def rules(language: Language) -> Rules | None:
    """The rules of a language, None if formatters change none of its tokens."""
    noise = language.noise
    if not noise:
        return None
    return Rules(
        anywhere=_codes(noise.anywhere),
        before_closing=_codes(noise.before_closing),
        closing=_codes(_CLOSING),
        grouping=(_OPEN, _CLOSE) if noise.has_groups else None,
        calls=_codes((*_CLOSING[:3], *noise.calls)),
        light=_codes(noise.light),
        string_joins=tuple(token_code(join.encode()) if join else None for join in noise.string_joins),
        empty_behind=_codes(noise.empty_behind),
    )


def _codes(symbols: Iterable[str]) -> Hashes:
    return np.array(sorted(token_code(symbol.encode()) for symbol in symbols), np.uint64)


def is_noise(codes: Hashes, classes: NDArray[np.uint8], language: Language) -> NDArray[np.bool_]:
    """Which tokens of a text are noise.

    Args:
        codes: of all tokens in order, in one language.
        classes: of them.
        language: that they are in.
    """
    found = np.zeros(len(codes), np.bool_)
    known = rules(language)
    if known is None or not len(codes):
        return found
    symbols = classes == TokenClass.SYMBOL
    for code in known.anywhere:
        found |= codes == code
    for code in known.before_closing:
        places = np.flatnonzero(codes[:-1] == code)
        found[places] |= np.isin(codes[places + 1], known.closing) & symbols[places + 1]
    if known.grouping is not None:
        found[_groups(codes, symbols, known)] = True
    found &= symbols
    return found


def _groups(codes: Hashes, symbols: NDArray[np.bool_], known: Rules) -> list[int]:
    """The parentheses that only group: each pair behind a symbol that calls nothing, unless nothing is in it.

    One at the beginning may be that of a call, for a piece of a file begins anywhere.
    """
    is_open = codes == _OPEN
    places = np.flatnonzero((is_open | (codes == _CLOSE)) & symbols)
    opens = is_open[places]
    groups = opens.copy()
    before = places - 1
    groups &= (before >= 0) & symbols[before] & ~np.isin(codes[before], known.calls)
    groups[:-1] &= opens[1:] | (places[1:] > places[:-1] + 1)
    found: list[int] = []
    waiting: list[tuple[int, bool]] = []
    for place, opening, group in zip(places.tolist(), opens.tolist(), groups.tolist(), strict=True):
        if opening:
            waiting.append((place, group))
        elif waiting:
            begin, is_group = waiting.pop()
            if is_group:
                found += begin, place
    return found


def weights(stream: TokenStream) -> NDArray[np.int64]:
    """int64, what each token of a text counts: `WEIGHT` or `LIGHT`."""
    found = np.full(len(stream), WEIGHT)
    for language, (begin, end) in zip(stream.languages, segment_spans(stream), strict=True):
        known = rules(LANGUAGES[language])
        if known is not None:
            span = slice(begin, end)
            found[span][_is_light(stream.codes[span], stream.classes[span], known)] = LIGHT
    return found


def _is_light(codes: Hashes, classes: NDArray[np.uint8], known: Rules) -> NDArray[np.bool_]:
    """Which tokens of a text in one language are light."""
    found = np.zeros(len(codes), np.bool_)
    for code in known.light:
        found |= codes == code
    found &= classes == TokenClass.SYMBOL
    is_string = classes == TokenClass.STRING
    for join in known.string_joins:
        if join is None:
            found[1:] |= is_string[1:] & is_string[:-1]
        else:
            joins = np.flatnonzero(is_string[:-2] & (codes[1:-1] == join) & is_string[2:])
            found[joins + 1] = found[joins + 2] = True
    if len(known.empty_behind):
        empty = np.flatnonzero((codes[2:-1] == _OPEN) & (codes[3:] == _CLOSE) & (classes[1:-2] == TokenClass.NAME))
        empty = empty[np.isin(codes[empty], known.empty_behind)] + 2
        found[empty] = found[empty + 1] = True
    return found
