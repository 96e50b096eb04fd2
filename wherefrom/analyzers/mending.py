"""Reads a source whose grammar gives up on a part of it, by the lexical forms of its language.

A line that the grammar does not know, or a quotation mark that nothing closes, may make it take code for the text of a
string, leave code as one raw leaf, or stop. Then it is read without the one mark that is too many (`marks`). If the
grammar still gives up, the source is read twice, by the grammar and by the lexical forms alone (`lexing`), which ignore
what is around a token. Where the tokens differ, those of the grammar are taken if they are under nodes that parsed,
else the lexical ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from wherefrom.analyzers import marks
from wherefrom.analyzers.grammars import COMMENT
from wherefrom.analyzers.lexing import MOST_DOUBTED, QUOTES, Token, lexer
from wherefrom.analyzers.nodes import Broken
from wherefrom.analyzers.parsing import Parsed, coded
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.errors import ParseTimeout
from wherefrom.languages import Language

_BLANKS = bytes(range(0x21)) + b"\\"
_PREFIX = 4  # the most bytes of a string up to its first quotation mark and with it


def read(language: Language, source: bytes, seconds: float) -> Parsed:
    """The tokens of a file, even where its grammar gives up.

    `seconds` limits the parse, and the reading by the lexical forms. Some grammars hardly end after an error, so a
    source whose parse takes longer is read by the lexical forms alone. Raises ParseTimeout if reading by the lexical
    forms took longer; GrammarError as `parsing.parse`.
    """
    try:
        found = marks.parse(language, source, seconds)
    except ParseTimeout:
        if not language.lexical:
            raise
        return merged(language, source, coded(language, source, (), ()), (), seconds)
    if language.lexical:
        is_lost = gives_up(language, *found)
        without = marks.without_one(language, found, seconds, is_lost=is_lost)
        if without is not None and not gives_up(language, *without):
            found = without
        elif is_lost:
            return merged(language, *found, seconds)
    return replace(found.parsed, unparsed=sum(end - start for start, end, _ in found.broken))


def _skips(text: bytes, parsed: Parsed) -> bool:
    """Whether the grammar left out text without an error at the end, or with an error anywhere. Some grammars stop at
    code that they do not know.
    """
    spans = sorted([*zip(parsed.starts.tolist(), parsed.ends.tolist(), strict=True), *parsed.comments])
    at = max((end for _, end in spans), default=0)
    if text[at:].strip(_BLANKS):
        return True
    pairs = pairwise([(0, 0), *spans]) if parsed.errors else ()
    return any(text[end:start].strip(_BLANKS) for (_, end), (start, _) in pairs)


def gives_up(language: Language, source: bytes, parsed: Parsed, broken: Sequence[Broken]) -> bool:
    """Whether the grammar may have lost code: it failed in more than half of a file, left raw text, skipped text, or
    has a string or comment that may not end in time.
    """
    if 2 * parsed.errors > len(source) or any(is_raw for *_, is_raw in broken) or _skips(source, parsed):
        return True
    is_string = parsed.classes == TokenClass.STRING
    strings = zip(parsed.starts[is_string].tolist(), parsed.ends[is_string].tolist(), strict=True)
    long = [span for span in strings if b"\n" in source[slice(*span)]]
    if long and parsed.errors:
        return True
    split = lexer(language)
    last = [*long[-1:], *parsed.comments[-1:]]
    looks = iter(range(MOST_DOUBTED))
    return any(split.is_open(source, *span, looks) for span in long) or any(
        b"\n" in source[start:end] and not source[end:].strip(_BLANKS) and split.end_of(source, start) < end
        for start, end in last
    )


def merged(language: Language, text: bytes, parsed: Parsed, broken: Sequence[Broken], seconds: float) -> Parsed:
    """Merges tokens from the grammar with tokens from the lexical forms; `broken` is `nodes.broken_spans` of the text.
    Raises ParseTimeout if reading took longer than `seconds`.
    """
    split = lexer(language)
    tokens, comments = split.split(text, seconds)
    lexical = sorted([*tokens, *((start, end, COMMENT) for start, end in comments)])
    has_fixed_operators = bool(language.lexical and not language.lexical.operators)
    grammatical, unsound = _grammatical(parsed, broken)
    found: list[Token] = []
    unparsed = 0
    is_swallowing = False
    for own, lexed in _stretches(grammatical, lexical):
        is_swallowing = _swallows(text, own, lexed, is_swallowing=is_swallowing)
        is_sound = bool(own) and unsound.isdisjoint(start for start, *_ in own)
        if is_sound and len(own) == len(lexed) == 1 and own[0][:2] == lexed[0][:2]:
            # The grammar is right, unless it takes a reserved word for a name.
            is_word = own[0][2] == TokenClass.NAME and lexed[0][2] == TokenClass.SYMBOL
            found += lexed if is_word and text[slice(*own[0][:2])] in split.keywords else own
        elif not lexed or (
            is_sound
            and not (
                is_swallowing
                and any(kind in (TokenClass.STRING, COMMENT) or text[at:end] in QUOTES for at, end, kind in own)
            )
            and not (has_fixed_operators and _is_operator(text, own, lexed))
        ):
            found += own
        else:
            found += lexed
            is_sound = False
        unparsed += (
            0 if is_sound else max(end for _, end, _ in (*own, *lexed)) - min(start for start, *_ in (*own, *lexed))
        )
    mended = coded(
        language,
        text,
        [token for token in found if token[2] != COMMENT],
        [(start, end) for start, end, kind in found if kind == COMMENT],
    )
    return replace(mended, errors=parsed.errors, unparsed=unparsed)


def _swallows(text: bytes, own: Sequence[Token], lexed: Sequence[Token], *, is_swallowing: bool) -> bool:
    """Whether the last string of several lines that the grammar found begins at a mark that does not begin such a
    string by the lexical forms or is in another string, or is a string or comment that only the end of the text ends.
    A string without a mark, as behind the code in another string, is like the last one. So a mark counts that closes
    nothing by the lexical forms, if the grammar left it out or has a string there that ends at code.
    """
    alone = [(at, end) for at, end, kind in lexed if kind == TokenClass.SYMBOL and text[end - 1 : end] in QUOTES]
    if alone and not own:
        return True
    for begin, stop, kind in own:
        marks = (text[end - 1 : end] for at, end in alone if at == begin and kind == TokenClass.STRING)
        if any(begin + 1 == stop or not text.endswith(mark, begin, stop) for mark in marks):
            return True
        if kind not in (TokenClass.STRING, COMMENT) or b"\n" not in text[begin:stop]:
            continue
        if not text[stop:].strip(_BLANKS):
            is_ended = any(other in (TokenClass.STRING, COMMENT) and end >= stop for _, end, other in lexed)
            # A here-document ends with a word of the line before it.
            word = text[begin:stop].split()[-1]
            return not is_ended and not (word.isalnum() and word in text[:begin].rstrip().rpartition(b"\n")[2])
        if kind == COMMENT:
            continue
        for start, end, other in lexed:
            is_string = other == TokenClass.STRING
            if is_string and start < begin < end and text[begin : begin + 1] in QUOTES:
                is_swallowing = True
                break
            is_near = begin <= start < begin + _PREFIX and not text[begin:start].count(b" ")
            if is_near and (is_string or text[start:end] in (b"%", b"/") or text[end - 1 : end] in QUOTES):
                is_swallowing = not is_string or b"\n" not in text[start:end]
                break
        if is_swallowing:
            break
    return is_swallowing


def _is_operator(text: bytes, own: Sequence[Token], lexed: Sequence[Token]) -> bool:
    """Whether the grammar split an operator that is one token. False for `>>`, which may be two brackets of types."""
    is_apart = len(lexed) == 1 and len(own) > 1 and own[-1][1] == lexed[0][1]
    is_closing = text.startswith(b">", lexed[0][0])
    return is_apart and not is_closing and all(kind == TokenClass.SYMBOL for *_, kind in (*own, *lexed))


def _grammatical(parsed: Parsed, broken: Sequence[Broken]) -> tuple[list[Token], set[int]]:
    """The tokens and comments that the grammar found, in order, except those in text that it left as one raw leaf; and
    where those begin that did not parse.
    """
    found = [
        *zip(parsed.starts.tolist(), parsed.ends.tolist(), parsed.classes.tolist(), strict=True),
        *((start, end, COMMENT) for start, end in parsed.comments),
    ]
    spans = np.array([(-1, -1, 0), *broken], np.int64)
    starts = np.array([start for start, *_ in found], np.int64)
    owners = spans[spans[:, 0].searchsorted(starts, side="right") - 1]
    is_unsound = starts < owners[:, 1]
    is_raw = is_unsound & (owners[:, 2] == 1)
    kept = [token for token, raw in zip(found, is_raw.tolist(), strict=True) if not raw]
    return sorted(kept), set(starts[is_unsound].tolist())


def _stretches(first: Sequence[Token], second: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
    at = other = 0
    while at < len(first) or other < len(second):
        begin, other_begin = at, other
        end = 1 + min(start for start, *_ in (*first[at : at + 1], *second[other : other + 1]))
        while True:
            if at < len(first) and first[at][0] < end:
                end = max(end, first[at][1])
                at += 1
            elif other < len(second) and second[other][0] < end:
                end = max(end, second[other][1])
                other += 1
            else:
                break
        yield first[begin:at], second[other_begin:other]
