r"""Computes the values of literals, so that two ways to write the same literal are equal.

Formatters change quotes, escapes, digit separators and the case of `0xFF`. So the code of a literal comes from its
value: `'a\x62'` and `"ab"` have the same code. Differences that may change the meaning are kept.
"""

from __future__ import annotations

import re
from functools import lru_cache

from wherefrom.analyzers.hashing import token_code
from wherefrom.languages.forms import Nothing
from wherefrom.languages.language import Spelling
from wherefrom.support.pattern import later

LETTERS = b"abefnrtv", b"\a\b\x1b\f\n\r\t\v"
"""Letters, and the bytes that they mean after a backslash. A line feed after a backslash means nothing; digits, `x`,
`u` and `U` begin a number."""

_MEANINGS = dict(zip(*LETTERS, strict=True)) | {ord("\n"): None}
_ESCAPED = later(
    rb"""\\(?: x([0-9A-Fa-f]{1,2}) | u([0-9A-Fa-f]{4}) | u\{([0-9A-Fa-f]{1,6})\} | U([0-9A-Fa-f]{8}) | ([0-7]{1,3})
    | . )""",
    re.VERBOSE | re.DOTALL,
)
_LINE_START = later(rb"\n[\x00-\x20]+")
_WITH_POINT = later(rb"([-+]?)([0-9]*)\.([0-9]*)(.*)", re.DOTALL)


@lru_cache(100_000)
def literal_code(text: bytes, spelling: Spelling | Nothing | None) -> int | None:
    """The code of a literal, or None for a piece of a string that is only a quotation mark.

    `spelling` describes the strings of the language; it is None for a number.
    """
    value = number_value(text) if spelling is None else string_value(text, spelling)
    return token_code(value) if value else None


def number_value(text: bytes) -> bytes:
    """A number in lower case without digit separators, trailing zeros of the fraction and a plus in the exponent."""
    text = text.translate(None, b"_'").lower()
    if text[:2] in (b"0x", b"0b", b"0o"):
        return text
    text = text.replace(b"e+", b"e")
    found = _WITH_POINT.fullmatch(text)
    if found is None:
        return text
    sign, whole, fraction, rest = found.groups()
    return b"%s%s.%s%s" % (sign, whole or b"0", fraction.rstrip(b"0"), rest)


def string_value(text: bytes, spelling: Spelling | Nothing) -> bytes:
    """The value of a string, or of a piece of a string that has code in it, in normalized quotation marks.

    A text with no known quotation mark at either end is returned unchanged. A lone quotation mark has an empty value.
    """
    if not spelling:
        return text
    begin = next((at for at, byte in enumerate(text) if byte not in spelling.prefixes), len(text))
    opening = next((quote for quote in spelling.quotes if text.startswith(quote.mark, begin)), None)
    prefix = text[:begin] if opening else b""
    begin = begin + len(opening.mark) if opening else 0
    hashes = b"#" * prefix.count(b"#")
    end = len(text) - len(hashes) if text.endswith(hashes) else len(text)
    possible = (opening,) if opening else spelling.quotes
    fitting = (quote for quote in possible if text.endswith(quote.mark, begin, end))
    closing = next(fitting, None)
    quote = opening or closing
    if quote is None:
        return text
    content = text[begin : end - len(quote.mark)] if closing else text[begin:]
    if not content and not (opening and closing):
        return b""
    is_raw = any(byte in spelling.raw for byte in prefix)
    if quote.escapes and not is_raw and b"\\" in content:
        content = _unescaped(content, quote.escapes)
    if len(quote.mark) > 1:
        content = _LINE_START.sub(b"\n", content).strip(b" \t\n")
    return prefix.translate(None, spelling.plain + spelling.raw) + quote.same + content + quote.same


def _unescaped(content: bytes, escapes: bytes) -> bytes:
    """Replaces escapes by their meaning, if the byte after the backslash is in `escapes`."""

    def meant(found: re.Match[bytes]) -> bytes:
        whole = found[0]
        if whole[1] not in escapes:
            return whole
        if found.lastindex is None:
            meaning = _MEANINGS.get(whole[1], whole[1])
            return b"" if meaning is None else bytes((meaning,))
        character = int(found[found.lastindex], 8 if found[5] else 16)
        return chr(character).encode(errors="surrogatepass") if character <= 0x10FFFF else whole

    return _ESCAPED.sub(meant, content)
