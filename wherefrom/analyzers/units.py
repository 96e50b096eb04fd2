"""Splits a file into the units that a check looks up one by one: functions, and the code between them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import numpy as np

from wherefrom.analyzers.analysis import analyze_file
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.containers import segments
from wherefrom.analyzers.nodes import node_spans
from wherefrom.analyzers.representations import segment_spans
from wherefrom.errors import ParseTimeout
from wherefrom.fitted import CHARACTERS, LONG_QUERY
from wherefrom.languages import LANGUAGES
from wherefrom.languages.forms import words
from wherefrom.model import SkipReason
from wherefrom.options import Limits
from wherefrom.options.asking import SHORTEST_PIECE
from wherefrom.support.positions import decode
from wherefrom.support.values import dataclass

LONGEST = LONG_QUERY
"""A function with more tokens than this is not a unit if it contains functions, as the wrapper of a module does."""

STRETCH = LONG_QUERY // 2  # another unit of code has at most this many tokens. The search itself splits long functions

_PROSE_ENDINGS = words(
    ".txt .text .rst .adoc .asciidoc .org .textile .tex .bib .pod .texi .texinfo .rtf .changes .news .me .ms .mdoc "
    ".man .1 .2 .3 .4 .5 .6 .7 .8 .9"
)
"""Endings of prose; the numbers are the sections of manual pages."""

_CONFIGURATION_ENDINGS = words(
    ".cfg .cnf .conf .config .ini .inf .properties .prefs .env .reg .toml .yaml .yml .hjson .editorconfig .desktop "
    ".service .socket .timer .list .sup .supp .pc .sln .props .targets .filters .csproj .vcxproj .xcconfig"
)
"""Endings of settings and lists, which look alike in all projects that use the same program."""

_TEMPLATE_ENDINGS = (".in", ".example", ".sample", ".dist", ".template")
"""Endings of template files. They come after the ending of the file that is made from the template."""


@dataclass(frozen=True, slots=True)
class Unit:
    """The half-open token span `begin` to `end` of a file's stream. `is_text` is true if its tokens are characters."""

    begin: int
    end: int
    is_function: bool
    is_text: bool = False


def units_of_file(
    path: str, content: bytes, limits: Limits, *, least: int, is_piece: bool
) -> tuple[Analysis, list[Unit]] | SkipReason:
    """The analysis of a file and its units, or the reason why it is skipped."""
    found = analyze_file(path, content, limits, is_piece=is_piece)
    if isinstance(found, SkipReason):
        return found
    return found, units(path, content, found, least=least, seconds=limits.parse_seconds)


def functions_of_file(path: str, content: bytes, limits: Limits) -> tuple[Analysis, list[tuple[int, int]]] | SkipReason:
    """The analysis of a file and its functions, or the reason why it is skipped."""
    found = analyze_file(path, content, limits)
    return found if isinstance(found, SkipReason) else (found, functions(content, found, seconds=limits.parse_seconds))


def units(
    path: str, content: bytes, analysis: Analysis, *, least: int = SHORTEST_PIECE, seconds: float = Limits.parse_seconds
) -> list[Unit]:
    """The units of a file, in order and without overlaps. They cover all code except stretches of fewer than `least`
    tokens between functions; shorter functions belong to the code around them. Prose has no units: in a language
    without a grammar the ending of `path` tells prose from code. A part that takes longer than `seconds` to parse has
    no functions.
    """
    stream = analysis.tokens
    if not len(stream):
        return []
    chosen = list(_chosen(functions(content, analysis, seconds=seconds), least))
    found: list[Unit] = []
    for (begin, end), language in zip(segment_spans(stream), stream.languages, strict=True):
        if not LANGUAGES[language].grammar:
            if analysis.language == "text" and _is_code(path):
                found += _stretches(begin, end, least, is_text=True)
            continue
        at = begin
        for first, last in chosen:
            if begin <= first and last <= end:
                found += _stretches(at, first, least)
                found.append(Unit(first, last, is_function=True))
                at = last
        found += _stretches(at, end, least)
    return found


def _is_code(path: str) -> bool:
    """Whether a file in an unknown language is code by its name, not prose or configuration."""
    name = path.rpartition("/")[2].lower()
    for ending in _TEMPLATE_ENDINGS:
        name = name.removesuffix(ending)
    return "." in name[1:] and not name.endswith((*_PROSE_ENDINGS, *_CONFIGURATION_ENDINGS))


def functions(content: bytes, analysis: Analysis, *, seconds: float = Limits.parse_seconds) -> list[tuple[int, int]]:
    """The half-open token spans of all functions of a file; an outer function comes before its inner ones.

    A part that takes longer than `seconds` to parse has no functions.
    """
    decoded = decode(content)
    found: list[tuple[int, int]] = []
    for segment in segments(analysis.language, content if decoded is None else decoded.text):
        language = LANGUAGES[segment.language]
        if not language.grammar or language.is_left_out:
            continue
        try:
            spans = np.array(node_spans(language, segment.text, seconds, language.functions, SHORTEST_PIECE), np.int64)
        except ParseTimeout:
            continue
        edges = spans.reshape(-1, 2).T
        place = segment.place(decoded)
        begins, stops = analysis.tokens.starts.searchsorted(edges if place is None else place.spans(*edges)).tolist()
        found += zip(begins, stops, strict=True)
    return sorted(found, key=lambda span: (span[0], -span[1]))


def _chosen(spans: Sequence[tuple[int, int]], least: int) -> Iterator[tuple[int, int]]:
    """The functions that are units: the outermost ones, and those inside a function that is too long (`LONGEST`)."""
    counted = [(first, last) for first, last in spans if last - first >= least]
    at = 0
    for (first, last), (inner, _) in zip_longest(counted, counted[1:], fillvalue=(sys.maxsize, 0)):
        is_wrapper = last - first > LONGEST and inner < last
        if first >= at and not is_wrapper:
            yield first, last
            at = last


def _stretches(begin: int, end: int, least: int, *, is_text: bool = False) -> Iterator[Unit]:
    """Splits code between functions into units of about equal length. Code of fewer than `least` tokens has no unit."""
    scale = CHARACTERS if is_text else 1
    tokens = end - begin
    if tokens < least * scale:
        return
    parts = -(-tokens // (STRETCH * scale))
    for number in range(parts):
        first, last = begin + tokens * number // parts, begin + tokens * (number + 1) // parts
        yield Unit(first, last, is_function=False, is_text=is_text)
