r"""The values of literals: what strings and numbers are written as, however they are spelled.

A formatter changes quotes, escapes, digit separators and the case of `0xFF`. So the code of a literal is that of its
value: `'a\x62'` and `"ab"` have the same. What is not known to mean the same stays as it is spelled.
"""

from __future__ import annotations

import re
from functools import lru_cache

from wherefrom.analyzers.hashing import token_code
from wherefrom.languages.language import Quote, Spelling
from wherefrom.languages.nothing import Nothing

LETTERS = b"abefnrtv", b"\a\b\x1b\f\n\r\t\v"
"""What letters mean behind a backslash. Digits, `x`, `u` and `U` begin a number, and a line feed means nothing."""

_MEANINGS = dict(zip(*LETTERS, strict=True)) | {ord("\n"): None}
_ESCAPED = re.compile(
    rb"""\\(?: x([0-9A-Fa-f]{1,2}) | u([0-9A-Fa-f]{4}) | u\{([0-9A-Fa-f]{1,6})\} | U([0-9A-Fa-f]{8}) | ([0-7]{1,3})
    | . )""",
    re.VERBOSE | re.DOTALL,
)
_LINE_START = re.compile(rb"\n[\x00-\x20]+")
_WITH_POINT = re.compile(rb"([-+]?)([0-9]*)\.([0-9]*)(.*)", re.DOTALL)


@lru_cache(100_000)
def literal_code(text: bytes, spelling: Spelling | Nothing | None) -> int | None:
    """The code of a literal; None for a piece of a string that is only a quotation mark.

    Args:
        text: as it is in the source, not empty.
        spelling: of the strings of its language; None for a number.
    """
    value = number_value(text) if spelling is None else string_value(text, spelling)
    return token_code(value) if value else None


def number_value(text: bytes) -> bytes:
    """A number in lower case without digit separators, zeros at the end of its fraction and a plus in its exponent."""
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
    """A string, or a piece of one that has code in it, in the quotation mark that all like its own are written in.

    A text with no known quotation mark at either end stays as it is. The value of a piece that is only a quotation mark
    is empty.
    """
    if not spelling:
        return text
    begin = next((at for at, byte in enumerate(text) if byte not in spelling.prefixes), len(text))
    opening = _mark_at(text, spelling, begin)
    prefix = text[:begin] if opening else b""
    begin = begin + len(opening.mark) if opening else 0
    hashes = b"#" * prefix.count(b"#")
    end = len(text) - len(hashes) if text.endswith(hashes) else len(text)
    closing = next(
        (
            quote
            for quote in ((opening,) if opening else spelling.quotes)
            if begin <= end - len(quote.mark) and text.endswith(quote.mark, 0, end)
        ),
        None,
    )
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


def _mark_at(text: bytes, spelling: Spelling, begin: int) -> Quote | None:
    return next((quote for quote in spelling.quotes if text.startswith(quote.mark, begin)), None)


def _unescaped(content: bytes, escapes: bytes) -> bytes:
    """The content with the escapes that begin with one of these bytes as what they mean."""

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
