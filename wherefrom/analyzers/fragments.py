"""Splits a fragment of code into the tokens that it has in its file.

An index contains whole files. A fragment may begin and end between any two tokens of a file, or inside a literal or a
comment. The grammar then expects other tokens: it may take a reserved word for a name, split an operator, read code as
a literal, or give up and leave out the rest.

A fragment that parses without errors needs nothing else. Any other fragment is read in two steps:

1. A fragment may begin inside a literal or comment, end inside one, or both. The possible readings are compared, and
   the one with the most code that parsed, minus the code that did not, is chosen.
2. The chosen reading is merged with one by the lexical forms of its language (`mending`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from operator import itemgetter

import numpy as np

from wherefrom.analyzers import kernel
from wherefrom.analyzers.guessing import is_prose, lead
from wherefrom.analyzers.lexing import lexer
from wherefrom.analyzers.mending import gives_up
from wherefrom.analyzers.nodes import Broken
from wherefrom.analyzers.parsing import Parsed, coded
from wherefrom.analyzers.representations import MEMBER_MARKS
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.errors import ParseTimeout
from wherefrom.fitted import SENTENCE
from wherefrom.languages import Language
from wherefrom.support.values import dataclass, replace

MOST_BYTES = 4_000
"""If most of a text parses, its errors are repaired only if it has at most this many bytes. In a longer text, code with
errors probably does not parse in the indexed file either."""

_CUT_BYTES = 50_000  # a snippet with more bytes is assumed to begin and end outside literals
TAG, CODE = re.compile(rb"</?[A-Za-z]"), re.compile(rb"[$(;]")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A parsed part of a fragment. Positions in it count from `begin`."""

    begin: int
    end: int
    parsed: Parsed
    broken: Sequence[Broken]  # `nodes.broken_spans`
    mended: Parsed | None = None  # the tokens if the grammar gave up

    def worth(self, text: bytes) -> int:
        """The bytes of code that parsed, minus twice those that did not. Literals and comments do not count. Code that
        the lexical forms read counts nothing.
        """
        if self.mended is not None:
            return replace(self, parsed=self.mended, broken=(), mended=None).worth(text) - self.mended.unparsed // 2
        parsed = self.parsed
        lengths = parsed.ends - parsed.starts
        is_sound = ~np.isin(parsed.starts, [start for start, *_ in self.broken])
        is_code = is_sound & (parsed.classes != TokenClass.STRING)
        silent = [
            *parsed.comments,
            *zip(parsed.starts[is_sound & ~is_code].tolist(), parsed.ends[is_sound & ~is_code].tolist(), strict=True),
        ]
        part = text[self.begin : self.end]
        code = int(lengths[is_code].sum())
        solid = _solid(part) - sum(_solid(part[start:end]) for start, end in silent)
        return 3 * code - 2 * max(solid, code)


def read(language: Language, text: bytes, seconds: float) -> Parsed:
    """The tokens that a fragment has in a file that parses. The language must have a grammar.

    `seconds` is the limit on each parse, and on each reading by the lexical forms. If the first parse takes longer, the
    lexical forms alone are read. Raises ParseTimeout if a parse or the lexical forms took longer; GrammarError as
    `parsing.parse`.
    """
    try:
        parsed, broken = parse_fragment(language, text, seconds)
    except ParseTimeout:
        if not language.lexical:
            raise
        return kernel.merged(language, text, coded(language, text, (), ()), (), seconds)
    if not language.lexical:
        return parsed
    whole = _Reading(0, len(text), parsed, broken)
    is_lost = gives_up(language, text, parsed, whole.broken)
    if not is_lost and not parsed.errors:
        return _with_last_word(language, text, parsed)
    if not is_lost and len(text) > _CUT_BYTES and 2 * parsed.errors < len(text):
        return parsed
    if is_lost:
        whole = replace(whole, mended=read_part(language, text, seconds))
    reading = _likeliest(language, text, whole, seconds) if len(text) <= _CUT_BYTES else whole
    part, parsed = text[reading.begin : reading.end], reading.parsed
    is_given_up = 2 * parsed.errors >= len(part) or gives_up(language, part, parsed, reading.broken)
    if reading.mended is not None:
        parsed = reading.mended
    elif len(part) <= MOST_BYTES or is_given_up:
        parsed = kernel.merged(language, part, parsed, reading.broken, seconds)
    return _shifted(parsed, reading.begin)


def parse_fragment(language: Language, text: bytes, seconds: float) -> tuple[Parsed, list[Broken]]:
    """The tokens of a fragment that may lack the opening that the grammar requires, and what did not parse. Errors as
    of `parsing.parse`.
    """
    before = opening(language, text, seconds)
    parsed, broken = kernel.parse(language, before + text, seconds)
    by = -len(before)
    return _without_opening(parsed, before), [(start + by, end + by, is_raw) for start, end, is_raw in broken]


def read_part(language: Language, text: bytes, seconds: float) -> Parsed:
    """Reads a whole part of a file, such as a fence or a cell, which may lack the opening that the grammar requires.
    Errors as of `parsing.parse`.
    """
    before = opening(language, text, seconds)
    return _without_opening(kernel.read(language, before + text, seconds), before)


def _without_opening(parsed: Parsed, before: bytes) -> Parsed:
    if not before:
        return parsed
    own = slice(int(parsed.starts.searchsorted(len(before))), None)
    return _shifted(parsed.only(own), -len(before))


def opening(language: Language, fragment: bytes, seconds: float) -> bytes:
    """The opening that the grammar requires and the fragment lacks; empty if nothing is missing. A mark in a literal or
    comment of code opens nothing. Raises ParseTimeout if looking for literals took longer than `seconds`.
    """
    wanted = language.opening
    if not wanted:
        return b""
    first = fragment.find(wanted.mark)
    if first < 0:
        return wanted.text
    if not CODE.search(fragment, 0, first):
        return b""
    outside = bytearray(fragment)
    tokens, comments = lexer(language).split(fragment, seconds)
    for start, end in (*comments, *((start, end) for start, end, kind in tokens if kind == TokenClass.STRING)):
        outside[start:end] = bytes(end - start)
    return b"" if wanted.mark in outside or TAG.search(outside, 0, first) else wanted.text


def _shifted(parsed: Parsed, by: int) -> Parsed:
    if not by:
        return parsed
    comments = tuple((first + by, last + by) for first, last in parsed.comments)
    return replace(parsed, starts=parsed.starts + by, ends=parsed.ends + by, comments=comments)


def _solid(text: bytes) -> int:
    return sum(map(len, text.split()))


def _with_last_word(language: Language, text: bytes, parsed: Parsed) -> Parsed:
    """Corrects the last token of a fragment that parses: the grammar may take a reserved word (`await`) for a name."""
    if not len(parsed.codes) or parsed.classes[-1] != TokenClass.NAME:
        return parsed
    is_member = len(parsed.codes) > 1 and parsed.codes[-2] in MEMBER_MARKS
    if is_member or text[parsed.starts[-1] : parsed.ends[-1]] not in lexer(language).keywords:
        return parsed
    return replace(parsed, classes=np.append(parsed.classes[:-1], np.uint8(TokenClass.SYMBOL)))


def _likeliest(language: Language, text: bytes, whole: _Reading, seconds: float) -> _Reading:
    """The likeliest reading of a fragment: `whole`, or a part of it. A part that leaves out only prose is preferred."""
    best, key = whole, (False, whole.worth(text))
    for begin, end, left_out in dict.fromkeys(_spans(language, text, seconds)):
        part = text[begin:end]
        reading = _Reading(begin, end, *parse_fragment(language, part, seconds))
        worth = reading.worth(text)
        if worth > 0:
            is_text = len(left_out.split()) >= SENTENCE and is_prose(left_out.decode(errors="replace"))
            best, key = max((best, key), (reading, (is_text, worth)), key=itemgetter(1))
    return best


def _spans(language: Language, text: bytes, seconds: float) -> Iterator[tuple[int, int, bytes]]:
    """Cuts the rest of a literal or comment off the beginning of a fragment, its end, or both. Yields (begin, end, text
    left out) for each way to cut it.

    If a fragment begins inside a docstring, the closing quotes seem to open a literal that contains all code after
    them. A fragment may also end inside a docstring. Marks inside complete literals and comments, or inside those of
    one line, are ignored.
    """
    size = len(text)
    # The tokens take much longer than these searches.
    if not any(form.search(text) for forms in _enclosing(language) for form in forms):
        return
    tokens, comments = lexer(language).split(text, seconds)
    literals = [(start, end) for start, end, kind in tokens if kind == TokenClass.STRING]
    for opening_form, closing_form in _enclosing(language):
        is_quote = opening_form.pattern == closing_form.pattern
        whole = [(start, end) for start, end in comments if is_quote or closing_form.search(text, start, end)]
        enclosed = sorted([*literals, *whole])
        openings, closings = (
            [match for match in form.finditer(text) if _is_free(match, enclosed, is_quote=is_quote)]
            for form in (opening_form, closing_form)
        )
        if is_quote:
            is_ended = is_begun = len(closings) % 2 == 1
        else:
            is_ended = bool(closings) and not (openings and openings[0].start() < closings[0].start())
            is_begun = bool(openings) and not (closings and closings[-1].start() > openings[-1].start())
        if is_ended:
            yield closings[0].end(), size, text[: closings[0].start()]
        if is_begun:
            yield 0, openings[-1].start(), text[openings[-1].end() :]
        is_between = is_quote and len(closings) > 1 and not is_ended and len(closings[0].group()) > 1
        if (is_ended and is_begun and not is_quote) or (is_between and _is_between(language, text, closings)):
            begin, end = closings[0].end(), openings[-1].start()
            if begin < end:
                yield begin, end, text[: closings[0].start()] + b"\n" + text[openings[-1].end() :]


def _is_between(language: Language, text: bytes, quotes: list[re.Match[bytes]]) -> bool:
    first, last = quotes[0], quotes[-1]
    around = (text[: first.start()] + text[last.end() :]).decode(errors="replace")
    inside = text[first.end() : last.start()].decode(errors="replace")
    return is_prose(around) or lead(inside, language.name) > lead(around, language.name)


@cache
def _enclosing(language: Language) -> list[tuple[re.Pattern[bytes], re.Pattern[bytes]]]:
    comments = [(re.escape(opening_mark), re.escape(closing)) for opening_mark, closing in language.long_comments]
    return [
        (re.compile(opening_form, re.MULTILINE), re.compile(closing_form, re.MULTILINE))
        for opening_form, closing_form in [*language.long_literals, *comments]
    ]


def _is_free(match: re.Match[bytes], enclosed: list[tuple[int, int]], *, is_quote: bool) -> bool:
    """Whether a mark is outside all literals and comments (`enclosed`, ascending), or is the quotes of a literal."""
    mark = match.group()
    place = bisect_right(enclosed, match.start(), key=itemgetter(0)) - 1
    if place < 0 or match.start() >= enclosed[place][1]:
        return True
    start, end = enclosed[place]
    head = match.string[start : start + len(mark) + 2]  # a literal may have a prefix before its quotes
    return is_quote and mark in head and (match.end() >= end - 2 or match.start() < start + 3)
