"""Undoes what happens to code on its way through web pages, chats, terminals and reviews, keeping exact positions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from wherefrom.analyzers.positions import Mapped, decode
from wherefrom.analyzers.wrapping import Around, Block, lines_of, unwrap
from wherefrom.fitted import FEW, NEARLY_ALL
from wherefrom.languages import LANGUAGES

_SPACES = re.compile(rb"\xc2\xa0|\xe2\x80[\x87\xaf]")  # no-break, figure and narrow no-break space
_INVISIBLE = re.compile(
    rb"\xe2\x80[\x8b-\x8f]|\xe2\x81\xa0|\xef\xbb\xbf|\xc2\xad"
)  # zero-width characters, soft hyphen
_DOUBLE_QUOTES = re.compile("“|”|„|‟".encode())
_SINGLE_QUOTES = re.compile("‘|’|‚|‛".encode())

_ENTITY = re.compile(rb"&(?:(lt|gt|amp|quot|apos|nbsp)|#(?:0*(\d{2,7})|[xX]0*([0-9a-fA-F]{2,6})));")
_ENTITIES = {b"lt": b"<", b"gt": b">", b"amp": b"&", b"quot": b'"', b"apos": b"'", b"nbsp": b" "}
_UNESCAPED = re.compile(rb"[<>]|&(?!(?:lt|gt|amp|quot|apos|nbsp|#\d{2,7}|#[xX][0-9a-fA-F]{2,6});)")

_PROMPTS = [(prompt, language) for language in LANGUAGES.values() for prompt in language.prompts]

_HUNK = re.compile(rb"@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@")

_LINE_NUMBER = re.compile(rb"[ \t]*(\d{1,7})(?:[:.|)\]]|[ \t]*\xe2\x94\x82)?(?=[ \t\n]|$)[ \t]?")

_DOC_QUOTES = (b'"""', b"'''")


def clean(content: bytes, around: Around = "prose", *, is_prose: bool = False) -> list[Block]:
    """Undoes encodings, odd spaces, wrapping, HTML entities, line numbers, diffs, prompts and smart quotes.

    Each is undone only where it is clearly there, in that order.

    Args:
        content: the snippet.
        around: what may be around code that is wrapped (`wrapping.unwrap`).
        is_prose: it is a document: a session in it is kept with its prompts and its output.

    Returns:
        The blocks of code, at least one, in their order.
    """
    decoded, done = decode(content)
    mapped = Mapped.identity(content) if decoded is None else decoded
    spaced = _without_odd_spaces(mapped)
    steps = [*done, *(["spaces"] if spaced.text != mapped.text else [])]
    return [_cleaned(block, steps, is_prose=is_prose) for block in unwrap(spaced, around)]


def _cleaned(block: Block, done: Sequence[str], *, is_prose: bool) -> Block:
    """A block without its dirt; the steps that are `done` come before."""
    mapped, language, steps = block.mapped, block.language, [*done, *block.steps]

    def apply(step: str, cleaned: Mapped | None) -> None:
        nonlocal mapped
        if cleaned is not None and cleaned.text != mapped.text:
            mapped = cleaned
            steps.append(step)

    if block.is_unescaped:
        apply("spaces", _without_odd_spaces(mapped))  # those that were entities
    else:
        apply("entities", _without_entities(mapped))
    apply("line numbers", _without_line_numbers(mapped))
    apply("diff", _without_diff(mapped))
    prompted = None if is_prose else _without_prompts(mapped)
    if prompted is not None:
        apply("prompts", prompted[0])
        language = prompted[1]
    apply("quotes", _without_smart_quotes(mapped))
    return replace(block, mapped=mapped, language=language, steps=tuple(steps))


def _without_odd_spaces(mapped: Mapped) -> Mapped:
    if mapped.text.isascii():
        return mapped
    return mapped.substitute(_SPACES, lambda _: b" ").substitute(_INVISIBLE, lambda _: b"")


def _without_smart_quotes(mapped: Mapped) -> Mapped:
    """Typographic quotes are undone where there is no straight one of their kind: then a word processor did them."""
    if mapped.text.isascii():
        return mapped
    if b'"' not in mapped.text:
        mapped = mapped.substitute(_DOUBLE_QUOTES, lambda _: b'"')
    if b"'" not in mapped.text:
        mapped = mapped.substitute(_SINGLE_QUOTES, lambda _: b"'")
    return mapped


def _without_entities(mapped: Mapped) -> Mapped:
    """HTML entities are undone where nothing is left that escaping would have changed."""
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


def _without_line_numbers(mapped: Mapped) -> Mapped | None:
    """Cuts a column of numbers that rise by one on (nearly) all lines."""
    lines = lines_of(mapped.text)
    matches = [_LINE_NUMBER.match(line) for _, _, line in lines]
    written = sum(1 for _, _, line in lines if line.strip())
    numbers = [int(match[1]) for match in matches if match]
    risen = sum(1 for first, second in pairwise(numbers) if second == first + 1)
    if written < FEW or len(numbers) < NEARLY_ALL * written or risen < NEARLY_ALL * (len(numbers) - 1):
        return None
    return mapped.keep(
        (start + (match.end() if match else 0), end) for (start, end, _), match in zip(lines, matches, strict=True)
    )


def _without_diff(mapped: Mapped) -> Mapped | None:
    """Keeps the new side of a unified diff, with or without its headers."""
    lines = lines_of(mapped.text)
    has_header = any(_HUNK.match(line) or line.startswith(b"diff --git ") for _, _, line in lines)
    marks = [line[:1] for _, _, line in lines if line.strip()]
    if not has_header and (marks.count(b"+") < 2 or set(marks) - {b"+", b"-", b" "}):
        return None
    kept = []
    in_hunk = not any(_HUNK.match(line) for _, _, line in lines)
    for start, end, line in lines:
        if _HUNK.match(line):
            in_hunk = True
        elif line.startswith((b"diff --git ", b"index ")):
            in_hunk = False
        elif in_hunk and line[:1] in (b"+", b" ") and not line.startswith(b"+++ "):
            kept.append((start + 1, end))
        elif in_hunk and line == b"\n":
            kept.append((start, end))
    return mapped.keep(kept)


def _without_prompts(mapped: Mapped) -> tuple[Mapped, str] | None:
    """Keeps what was typed, where the first line that is not blank is a prompt; anything else is output.

    Where a docstring ends in what would be output, the prompts are its examples, and the code follows.
    """
    lines = lines_of(mapped.text)
    first = next((line for _, _, line in lines if line.strip()), b"")
    for prompt, language in _PROMPTS:
        if prompt.first.match(first.rstrip(b"\n")):
            matches = [(start, end, prompt.further.match(line.rstrip(b"\n"))) for start, end, line in lines]
            output = b"".join(mapped.text[start:end] for start, end, match in matches if not match)
            if any(output.count(quotes) % 2 for quotes in _DOC_QUOTES):
                return None
            kept = [(start + match.end(), end) for start, end, match in matches if match]
            return mapped.keep(kept), language.name
    return None
