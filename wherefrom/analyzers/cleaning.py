"""Restores code that web pages, chats, terminals or reviews have changed, and keeps its exact positions."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from wherefrom.analyzers.guessing import guess_snippet
from wherefrom.analyzers.positions import Mapped, decode
from wherefrom.analyzers.wrapping import Around, Block, lines_of, unwrap
from wherefrom.fitted import FEW, NEARLY_ALL
from wherefrom.languages import LANGUAGES
from wherefrom.support.pattern import later

_SPACES = later(rb"\xc2\xa0|\xe2\x80[\x87\xaf]")  # no-break, figure and narrow no-break space
_INVISIBLE = later(rb"\xe2\x80[\x8b-\x8f]|\xe2\x81\xa0|\xef\xbb\xbf|\xc2\xad")  # zero-width characters, soft hyphen
_DOUBLE_QUOTES = later("“|”|„|‟".encode())
_SINGLE_QUOTES = later("‘|’|‚|‛".encode())

_ENTITY = later(rb"&(?:(lt|gt|amp|quot|apos|nbsp)|#(?:0*(\d{2,7})|[xX]0*([0-9a-fA-F]{2,6})));")
_ENTITIES = {b"lt": b"<", b"gt": b">", b"amp": b"&", b"quot": b'"', b"apos": b"'", b"nbsp": b" "}
_UNESCAPED = later(rb"[<>]|&(?!(?:lt|gt|amp|quot|apos|nbsp|#\d{2,7}|#[xX][0-9a-fA-F]{2,6});)")

_PROMPTS = [(prompt, language) for language in LANGUAGES.values() for prompt in language.prompts]

_HUNK = later(rb"@@+ ((?:-\d+(?:,\d+)? )+)\+\d+(?:,\d+)? @@+")

_LINE_NUMBER = later(rb"[ \t]*(\d{1,7})(?:[:.|)\]]|[ \t]*\xe2\x94\x82)?(?=[ \t\n]|$)[ \t]?")

_DOC_QUOTES = (b'"""', b"'''")


def clean(content: bytes, around: Around = "prose", *, is_prose: bool = False) -> list[Block]:
    """Undoes encodings, odd spaces, wrapping, HTML entities, line numbers, diffs, prompts and smart quotes.

    They are undone in that order, each only if it is clearly there. `around` says what may be around wrapped code (see
    `wrapping.unwrap`). A document (`is_prose`) keeps the prompts and the output of interactive sessions.

    Returns:
        The blocks of code, at least one, in their order.
    """
    mapped = _without_odd_spaces(decode(content) or Mapped.identity(content))
    return [_cleaned(block, is_prose=is_prose) for block in unwrap(mapped, around)]


def _cleaned(block: Block, *, is_prose: bool) -> Block:
    # Entities such as `&nbsp;` have become odd spaces in a block that is unescaped.
    mapped = _without_odd_spaces(block.mapped) if block.is_unescaped else _without_entities(block.mapped)
    mapped, language = _without_diff(_without_line_numbers(mapped)), block.language
    if not is_prose:
        mapped, language = _without_prompts(mapped, language)
    return replace(block, mapped=_without_smart_quotes(mapped), language=language)


def _without_odd_spaces(mapped: Mapped) -> Mapped:
    return mapped.substitute(_SPACES, lambda _: b" ").substitute(_INVISIBLE, lambda _: b"")


def _without_smart_quotes(mapped: Mapped) -> Mapped:
    """Makes quotes straight if all double, or all single, quotes are typographic: then a word processor wrote them."""
    if b'"' not in mapped.text:
        mapped = mapped.substitute(_DOUBLE_QUOTES, lambda _: b'"')
    if b"'" not in mapped.text:
        mapped = mapped.substitute(_SINGLE_QUOTES, lambda _: b"'")
    return mapped


def _without_entities(mapped: Mapped) -> Mapped:
    """Undoes HTML entities unless the text has a character that escaping would have replaced, such as `<`."""
    if not _ENTITY.search(mapped.text) or _UNESCAPED.search(mapped.text):
        return mapped
    return mapped.substitute(_ENTITY, _entity)


def _entity(match: re.Match[bytes]) -> bytes:
    name, decimal, hexadecimal = match.groups()
    if name:
        return _ENTITIES[name]
    point = int(decimal) if decimal else int(hexadecimal, 16)
    if point == 0xA0:
        return b" "
    return match.group() if point > 0x10FFFF or 0xD800 <= point < 0xE000 else chr(point).encode()


def _without_line_numbers(mapped: Mapped) -> Mapped:
    """Cuts a column of numbers that rise by one on nearly all lines."""
    lines = lines_of(mapped.text)
    matches = [_LINE_NUMBER.match(line) for _, _, line in lines]
    written = sum(1 for _, _, line in lines if line.strip())
    numbers = [int(match[1]) for match in matches if match]
    risen = sum(second == first + 1 for first, second in pairwise(numbers))
    if written < FEW or len(numbers) < NEARLY_ALL * written or risen < NEARLY_ALL * (len(numbers) - 1):
        return mapped
    return mapped.keep(
        (start + (match.end() if match else 0), end) for (start, end, _), match in zip(lines, matches, strict=True)
    )


def _without_diff(mapped: Mapped) -> Mapped:
    """Keeps the new side of a unified or combined diff, with or without its headers."""
    lines = lines_of(mapped.text)
    has_header = any(_HUNK.match(line) or line.startswith(b"diff --git ") for _, _, line in lines)
    marks = [line[:1] for _, _, line in lines if line.strip()]
    if not has_header and (marks.count(b"+") < 2 or set(marks) - {b"+", b"-", b" "}):
        return mapped
    kept, other = [], []
    in_hunk, parents = not any(_HUNK.match(line) for _, _, line in lines), 1
    for start, end, line in lines:
        if hunk := _HUNK.match(line):
            in_hunk, parents = True, hunk[1].count(b"-")
        elif line.startswith((b"diff --", b"index ")):
            in_hunk = False
        elif in_hunk and not line[:parents].strip(b"+ ") and (parents > 1 or not line.startswith(b"+++ ")):
            kept.append((start + parents, end))
        elif in_hunk and line == b"\n":
            kept.append((start, end))
        elif not line.startswith((b"-", b"+", b"\\")) and line.strip():
            other.append(line)
    return mapped if _is_code(b"".join(other)) else mapped.keep(kept)


def _is_code(other: bytes) -> bool:
    """Whether what a diff or a session has beside its own lines is code. Then it is code with one line of them."""
    return guess_snippet(other) != "text"


def _without_prompts(mapped: Mapped, language: str | None) -> tuple[Mapped, str | None]:
    """Keeps only the lines that somebody typed in an interactive session: those with a prompt, without the prompt. The
    other lines are output. Returns these lines and the language of the prompt.

    Returns the text and `language` unchanged if the first line that is not blank has no prompt, if nearly all of it is
    output that is code, or if a docstring begins or ends in the output: the text is then source code with examples in
    its docstrings.
    """
    lines = lines_of(mapped.text)
    first = next((line for _, _, line in lines if line.strip()), b"")
    for prompt, of_prompt in _PROMPTS:
        if prompt.first.match(first.rstrip(b"\n")):
            matches = [(start, end, prompt.further.match(line.rstrip(b"\n"))) for start, end, line in lines]
            output = b"".join(mapped.text[start:end] for start, end, match in matches if not match)
            is_most = len(output) > NEARLY_ALL * len(mapped.text)
            if any(output.count(quotes) % 2 for quotes in _DOC_QUOTES) or (is_most and _is_code(output)):
                break
            kept = [(start + match.end(), end) for start, end, match in matches if match]
            return mapped.keep(kept), of_prompt.name
    return mapped, language
