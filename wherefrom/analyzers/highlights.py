"""Colors code by the highlight query in the wheel of its grammar."""

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
"""The longest text that is colored, in bytes: a query may visit each node many times."""

BEYOND = 2_000
"""So many bytes behind the range that is colored are parsed, since a parser reads what is cut off otherwise."""

_NAMES: dict[Color, str] = {
    "keyword": "conditional exception include keyword repeat storageclass type.builtin variable.builtin",
    "string": "character escape string",
    "number": "boolean constant float number",
    "comment": "comment",
}
_CAPTURES = {name: color for color, names in _NAMES.items() for name in names.split()}
"""The color of each capture by its name; `string.special` has the color of `string`."""

_PLAIN = frozenset({"constant.macro", "embedded", "string.special.key"})
"""Captures without a color, even if a prefix of the name has one. Code in a string (`embedded`) ends its color."""


def highlights(
    name: str, content: bytes, *, language: str | None = None, within: tuple[int, int] | None = None
) -> list[tuple[int, int, Color]]:
    """The colored stretches of a file: half-open byte offsets, ascending, without overlaps.

    Call it only in a process with limits (`analyzer.Analyzer`), see `nodes.captured`. If no language is given, it is
    guessed. Outside `within`, a half-open byte range, colors may be missing.

    Returns:
        An empty list if the file is too long or not UTF-8, or its language has no grammar or no query that fits.
    """
    if within is not None and (end := content.find(b"\n", within[1] + BEYOND)) >= 0:
        content = content[:end]
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
    # An inner node, such as code in a string, overrides the outer one. Of two captures of a node, the last one counts.
    for start, end, capture in sorted(found, key=lambda span: span[0] - span[1]):
        color = _color(capture)
        if color is not None:
            colors[start:end] = color
    edges = [0, *(np.flatnonzero(np.diff(colors)) + 1).tolist(), len(colors)]
    return [
        (start, end, COLORS[int(colors[start]) - 1]) for start, end in pairwise(edges) if start < end and colors[start]
    ]


def _color(capture: str) -> int | None:
    """The number of a color, from 1; 0 for no color; None to keep the color around the capture."""
    if not capture or capture in _PLAIN:
        return 0 if capture else None
    color = _CAPTURES.get(capture)
    return _color(capture.rpartition(".")[0]) if color is None else COLORS.index(color) + 1


@cache
def _query(language: Language) -> str:
    if not language.grammar:
        return ""
    try:
        module = importlib.import_module(language.grammar.module)
    except ImportError:
        return ""
    own = getattr(module, "HIGHLIGHTS_QUERY", "") or ""
    base = language.grammar.base
    return "\n".join(part for part in (_query(LANGUAGES[base]) if base else "", own) if part)
