"""The color of code: what the highlight query in the wheel of a grammar says of it."""

from __future__ import annotations

import importlib
from functools import cache
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np

from wherefrom.analyzers.guessing import guess
from wherefrom.analyzers.nodes import captured
from wherefrom.analyzers.positions import is_utf8
from wherefrom.errors import AnalysisError
from wherefrom.languages import LANGUAGES, Language

Color: TypeAlias = Literal["keyword", "string", "number", "comment"]

COLORS: tuple[Color, ...] = ("keyword", "string", "number", "comment")

MOST_BYTES = 300_000
"""Bytes of a text that is colored: a query may look at each node many times."""

_NAMES: dict[Color, str] = {
    "keyword": "conditional exception include keyword repeat storageclass type.builtin variable.builtin",
    "string": "character escape string",
    "number": "boolean constant float number",
    "comment": "comment",
}
_CAPTURES = {name: color for color, names in _NAMES.items() for name in names.split()}
"""The colors of captures, by their names or what these begin with, as far as the dots."""

_PLAIN = frozenset({"constant.macro", "embedded", "string.special.key"})
"""Captures that have no color although what they begin with has, or that end one: code in a string."""


def highlights(
    name: str, content: bytes, *, language: str | None = None, within: tuple[int, int] | None = None
) -> list[tuple[int, int, Color]]:
    """The colored stretches of a file: byte offsets (half-open), ascending, none overlapping another.

    To be called only in a process that has a limit (`workers.analyzer`): see `nodes.captured`.

    Args:
        name: of the file.
        content: all its bytes.
        language: of it, else guessed.
        within: the bytes (half-open) whose colors are wanted, None for all: others have some colors or none.

    Returns:
        Nothing where the file is long or not UTF-8, or its language has no grammar or no query that fits it.
    """
    if len(content) > MOST_BYTES or not is_utf8(content):
        return []
    known = LANGUAGES[language or guess(name, content)]
    query = _query(known)
    if not query:
        return []
    try:
        found = captured(known, content, query, within)
    except AnalysisError:
        return []
    colors = np.zeros(len(content), np.int8)
    # What is in something else counts, such as code in a string; of two names for one node the last one.
    for start, end, capture in sorted(found, key=lambda each: each[0] - each[1]):
        color = _color(capture)
        if color is not None:
            colors[start:end] = color
    return _runs(colors)


def _color(capture: str) -> int | None:
    """The number of a color, from 1; 0 to have none; None to leave what is there."""
    name = capture
    while name:
        if name in _PLAIN:
            return 0
        if name in _CAPTURES:
            return COLORS.index(_CAPTURES[name]) + 1
        name = name.rpartition(".")[0]
    return None


def _runs(colors: np.ndarray[tuple[int], np.dtype[np.int8]]) -> list[tuple[int, int, Color]]:
    edges = [0, *(np.flatnonzero(np.diff(colors)) + 1).tolist(), len(colors)]
    return [
        (start, end, COLORS[int(colors[start]) - 1]) for start, end in pairwise(edges) if start < end and colors[start]
    ]


@cache
def _query(language: Language) -> str:
    """The highlight query of a language; empty where the wheel has none."""
    if not language.grammar:
        return ""
    try:
        module = importlib.import_module(language.grammar.module)
    except ImportError:
        return ""
    own = getattr(module, "HIGHLIGHTS_QUERY", "") or ""
    base = language.grammar.base
    return "\n".join(part for part in (_query(LANGUAGES[base]) if base else "", own) if part)
