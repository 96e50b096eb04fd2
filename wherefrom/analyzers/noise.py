"""Finds the tokens that formatters add, remove or move.

Trailing commas, semicolons that a language does not need and parentheses that only group are left out of a stream, so
that a text has the same tokens before and after formatting. Other such tokens stay but weigh little (`weights`): braces
around one statement, semicolons without which short pieces would look alike, modifiers (their order varies), and
strings that are joined. The rules look only at neighboring tokens, so they also work in code that does not parse.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from wherefrom.analyzers.hashing import are_among, token_code
from wherefrom.analyzers.representations import segment_spans
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.fitted import WEIGHT
from wherefrom.languages import LANGUAGES, Language
from wherefrom.languages.language import FormatterNoise
from wherefrom.model import Hashes

LIGHT = 1  # the weight of a token that a formatter may have added or moved; all other tokens weigh `WEIGHT`
CLOSING = ")", "]", "}", ">"  # `FormatterNoise.before_closing` is left out directly before one of these brackets
OPEN, CLOSE = token_code(b"("), token_code(b")")  # the codes of the parentheses, which are left out if they only group


@cache
def codes_of(symbols: tuple[str, ...]) -> Hashes:
    """The codes of symbols, uint64, ascending."""
    return np.array(sorted(token_code(symbol.encode()) for symbol in symbols), np.uint64)


def codes_of_calls(noise: FormatterNoise) -> Hashes:
    """The codes of the symbols after which parentheses do not only group, such as in calls; uint64, ascending."""
    return codes_of((*CLOSING[:3], *noise.calls))


def is_noise(codes: Hashes, classes: NDArray[np.uint8], language: Language) -> NDArray[np.bool_]:
    """Which tokens of a text are left out of its stream. `codes` and `classes` are those of its tokens, in order."""
    noise = language.noise
    if not noise or not len(codes):
        return np.zeros(len(codes), np.bool_)
    symbols = classes == TokenClass.SYMBOL
    found = are_among(codes, codes_of(noise.anywhere))
    for code in codes_of(noise.before_closing):
        places = np.flatnonzero(codes[:-1] == code)
        found[places] |= are_among(codes[places + 1], codes_of(CLOSING)) & symbols[places + 1]
    if noise.has_groups:
        found[_groups(codes, symbols, codes_of_calls(noise))] = True
    found &= symbols
    return found


def _groups(codes: Hashes, symbols: NDArray[np.bool_], calls: Hashes) -> list[int]:
    """The positions of parentheses that only group: pairs that are not empty, after a symbol that is not in `calls`.

    A pair at the beginning of the text does not count. It may belong to a call if the text is a piece of a file.
    """
    places = np.flatnonzero(((codes == OPEN) | (codes == CLOSE)) & symbols)
    opens = codes[places] == OPEN
    before = places - 1
    groups = opens & (before >= 0) & symbols[before] & ~are_among(codes[before], calls)
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
    """The weight of each token of a text, int64: `WEIGHT` or `LIGHT`."""
    found = np.full(len(stream), WEIGHT)
    for language, (begin, end) in zip(stream.languages, segment_spans(stream), strict=True):
        if noise := LANGUAGES[language].noise:
            span = slice(begin, end)
            found[span][_is_light(stream.codes[span], stream.classes[span], noise)] = LIGHT
    return found


def _is_light(codes: Hashes, classes: NDArray[np.uint8], noise: FormatterNoise) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = are_among(codes, codes_of(noise.light)) & (classes == TokenClass.SYMBOL)
    is_string = classes == TokenClass.STRING
    for join in noise.string_joins:
        if not join:
            found[1:] |= is_string[1:] & is_string[:-1]
        else:
            joins = np.flatnonzero(is_string[:-2] & (codes[1:-1] == token_code(join.encode())) & is_string[2:])
            found[joins + 1] = found[joins + 2] = True
    if noise.empty_behind:
        empty = np.flatnonzero((codes[2:-1] == OPEN) & (codes[3:] == CLOSE) & (classes[1:-2] == TokenClass.NAME))
        empty = empty[are_among(codes[empty], codes_of(noise.empty_behind))] + 2
        found[empty] = found[empty + 1] = True
    return found
