"""Finds the parts of a file that may have references: comments and doc strings, or everything if it is prose."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.tokens import TokenClass, TokenStream
from wherefrom.languages import LANGUAGES
from wherefrom.support.positions import UTF8_BOM, encoding, is_wide, joined_spans, mark_length, newlines

BLANKS = b" \t\r\n\f\v\0"  # the bytes that may be between two comments that are read as one text

CONTINUED = tuple(character.encode() for character in "([{,=+-*/%&|<>\\")
"""If a line ends with one of these, its expression continues, and a string on the next line is not a doc string."""

_LATIN_1 = {0xDC00 + byte: byte for byte in range(0x80, 0x100)}


def stretches(content: bytes, analysis: Analysis) -> Iterator[tuple[int, int, int]]:
    """The parts of a file that may have references, in order: half-open byte span and first line (1-based) of each.

    Comments with only blanks between them are one text, so that a notice in several line comments is whole.
    """
    if is_prose(analysis.language):
        yield 0, len(content), 1
        return
    spans = [*analysis.comments, *_doc_strings(content, analysis.tokens), *_prose(content, analysis.tokens)]
    joined = joined_spans(content, sorted(spans), lambda between: not between.strip(BLANKS))
    lines = newlines(content).searchsorted([start for start, _ in joined]) + 1
    for (start, end), line in zip(joined, lines.tolist(), strict=True):
        yield start, end, line


def is_prose(language: str) -> bool:
    """Whether all of a file in this language may have references, and not only its comments."""
    return not LANGUAGES[language].grammar and language != "jupyter"


def _doc_strings(content: bytes, tokens: TokenStream) -> Iterator[tuple[int, int]]:
    """The spans of strings that begin a line and do not continue an expression from the line before."""
    lines_before = np.append(0, tokens.end_lines[:-1])
    is_string = tokens.classes == TokenClass.STRING
    candidates = np.flatnonzero(is_string & (tokens.start_lines > lines_before))
    segments = tokens.segments.searchsorted(candidates, side="right") - 1
    for at, segment in zip(candidates.tolist(), segments.tolist(), strict=True):
        if not LANGUAGES[tokens.languages[segment]].has_doc_strings:
            continue
        before = content[int(tokens.starts[at - 1]) : int(tokens.ends[at - 1])] if at else b""
        is_continued = before.rstrip(b"\0").endswith(CONTINUED)  # a token in UTF-16 may end in NUL
        if not at or not (is_string[at - 1] or is_continued):
            yield int(tokens.starts[at]), int(tokens.ends[at])


def _prose(content: bytes, tokens: TokenStream) -> Iterator[tuple[int, int]]:
    """The spans of a notebook's cells that are not code, each up to the end of the last line in the cell."""
    for at, language in enumerate(tokens.languages):
        if not LANGUAGES[language].grammar:
            last = int(tokens.segments[at + 1] if at + 1 < len(tokens.segments) else len(tokens)) - 1
            end = content.find(b"\n", int(tokens.ends[last]))
            yield int(tokens.starts[tokens.segments[at]]), len(content) if end < 0 else end


def text_of(content: bytes, start: int, end: int) -> str:
    """Decodes a part of a content, as UTF-16 or UTF-32 if the content is, else as UTF-8. Bytes that are not UTF-8 are
    read as Latin-1.
    """
    if is_wide(content):
        return content[max(start, mark_length(content)) : end].decode(encoding(content), "replace")
    part = content[start:end].removeprefix(UTF8_BOM)
    try:
        return part.decode()
    except UnicodeDecodeError:
        return part.decode("utf-8", "surrogateescape").translate(_LATIN_1)
