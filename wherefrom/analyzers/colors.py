"""The colors of code, from its tokens: no text is parsed to be shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from wherefrom.analyzers.grammars import load
from wherefrom.analyzers.tokens import TokenClass, TokenStream, outside
from wherefrom.errors import GrammarError
from wherefrom.languages import LANGUAGES
from wherefrom.support.pattern import later
from wherefrom.support.positions import is_utf8

_WORD = later(rb"[#@]?_*[A-Za-z]\w*")
_CONSTANT = later(rb"(?i:true|false|null|none|nil|undefined)")

_MARKUP = {"jsx_text", "text", "xml_text"}
"""Kinds of text between code. Its words are symbols, too, so only those that the language has are keywords."""

_QUOTES = rb"(?P<string>[\w$@]{0,3}[\"'`]+)"
"""The end of a string beside code in it, which is not a token if it has nothing else."""


def colors(content: bytes, tokens: TokenStream, within: tuple[int, int] | None = None) -> list[tuple[int, int, str]]:
    """The colored stretches of a text from its tokens (`Texts.colors`), without overlaps. Outside `within`, a half-open
    byte range, colors may be missing. Empty if the text is not UTF-8, or has parts, such as the scripts of a page.
    """
    code = outside(tokens)
    if len(code.languages) != 1 or not is_utf8(content):
        return []
    return [*_colored(content, code, *(within or (0, len(content))))]


def _colored(content: bytes, tokens: TokenStream, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    # With the token behind the range, which may have a comment before it.
    first, last = int(tokens.ends.searchsorted(start, "right")), int(tokens.starts.searchsorted(end)) + 1
    columns = (tokens.starts, tokens.ends, tokens.classes)
    at, [language] = int(tokens.ends[first - 1]) if first else 0, tokens.languages
    keywords = _keywords(language)
    for begin, behind, kind in zip(*(column[first:last].tolist() for column in columns), strict=True):
        if at < begin and content[at:begin].strip():  # most gaps are blank
            yield from _between(content, at, begin, language)
        at = behind
        if kind == TokenClass.STRING:
            yield begin, behind, "string"
        elif kind == TokenClass.NUMBER:
            yield begin, behind, "number"
        elif kind == TokenClass.SYMBOL and behind - begin > 1 and _WORD.fullmatch(word := content[begin:behind]):
            if _CONSTANT.fullmatch(word):
                yield begin, behind, "number"
            elif keywords is None or word in keywords:
                yield begin, behind, "keyword"
    if last > len(tokens):
        yield from _between(content, at, len(content), language)


def _between(content: bytes, start: int, end: int, language: str) -> Iterator[tuple[int, int, str]]:
    """The comments and quotation marks between two tokens, up to a comment that does not end."""
    if LANGUAGES[language].grammar:
        for found in _gaps(language).finditer(content, start, end):
            if found["open"] is not None:  # to look for the end of each would take quadratic time
                return
            yield *found.span(), "comment" if found["string"] is None else "string"


@cache
def _gaps(language: str) -> re.Pattern[bytes]:
    known = LANGUAGES[language]
    marks = [(re.escape(opening), re.escape(closing)) for opening, closing in known.long_comments]
    comments = known.lexical.comments if known.lexical else [rb"%b.*?%b" % both for both in marks]
    opening = b"|".join(mark for mark, _ in marks) or rb"(?!)"
    forms = [*comments, rb"(?P<open>%b)" % opening, _QUOTES]
    return re.compile(b"|".join(forms), re.VERBOSE | re.DOTALL | re.MULTILINE)


@cache
def _keywords(language: str) -> frozenset[bytes] | None:
    """The words that are keywords; None if all words among the symbols are."""
    if not _MARKUP & {*LANGUAGES[language].prose}:
        return None
    try:
        return load(LANGUAGES[language]).keywords | {b"this", b"super"}
    except GrammarError:
        return frozenset()
