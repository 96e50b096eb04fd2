"""Looks up parts of a syntax tree other than its tokens: nodes of some kinds, broken code, and the colors of code."""

from __future__ import annotations

import importlib
from collections.abc import Collection
from functools import cache
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
import tree_sitter

from wherefrom.analyzers.grammars import (
    CODE_IN_STRING,
    COMMENT,
    ERROR,
    LITERAL,
    STRING_ACTION,
    WHOLE,
    load,
    tree_of,
)
from wherefrom.analyzers.guessing import guess
from wherefrom.analyzers.positions import is_utf8
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.errors import AnalysisError, GrammarError
from wherefrom.languages import LANGUAGES, Language

_NO_WORDS = (TokenClass.STRING, *range(COMMENT, LITERAL + 1))


Broken: TypeAlias = tuple[int, int, bool]
"""The half-open byte span of a leaf that did not parse, and whether it is raw text that the grammar did not split."""


def broken_spans(language: Language, source: bytes, seconds: float) -> list[Broken]:
    """The half-open byte spans of the leaves that did not parse, in order.

    These are leaves directly under an ERROR node, and ERROR nodes without children. A leaf under any other node inside
    an ERROR node did parse, and so did the text of a string with code in it. Errors as of `grammars.tree_of`.
    """
    grammar = load(language)
    found: list[Broken] = []
    waiting = [(tree_of(language, source, seconds).root_node, False)]
    while waiting:
        node, is_in_error = waiting.pop()
        kind = node.kind_id
        is_error = kind == ERROR
        action = grammar.actions[kind] & ~CODE_IN_STRING
        if action != WHOLE and node.child_count:
            if node.has_error:
                waiting += [
                    (child, is_error)
                    for child in reversed(node.children)
                    if action != STRING_ACTION or grammar.actions[child.kind_id] & CODE_IN_STRING
                ]
        elif is_in_error or is_error:
            start, end = node.start_byte, min(node.end_byte, len(source))
            is_word = not is_error and grammar.classes[kind] not in _NO_WORDS
            if start < end:
                found.append((start, end, is_error or (is_word and len(source[start:end].split()) > 1)))
    return found


def node_spans(
    language: Language, source: bytes, seconds: float, kinds: Collection[str], shortest: int
) -> list[tuple[int, int]]:
    """The half-open byte spans of the nodes of some kinds in a source, in order, an outer node before those in it.

    Kinds that the grammar does not have are ignored. Nodes of fewer bytes than `shortest` are left out, and so are the
    nodes in them. The language must have a grammar; `seconds` is the limit on parsing. Errors as of `grammars.tree_of`.
    """
    found: list[tuple[int, int]] = []
    waiting = [tree_of(language, source, seconds).root_node]
    while waiting:
        node = waiting.pop()
        start, end = node.start_byte, min(node.end_byte, len(source))
        if end - start >= shortest:
            if node.is_named and node.type in kinds:
                found.append((start, end))
            waiting += reversed(node.children)
    return found


def captured(
    language: Language, source: bytes, query: str, within: tuple[int, int] | None = None
) -> list[tuple[int, int, str]]:
    """What a query of Tree-sitter captures in a source: half-open byte spans with the names of the captures, unordered.

    Neither the parse nor the query has a time limit, so call it only in a process that has one. With `within`, a
    half-open byte range, only nodes that overlap it are captured.

    Raises:
        GrammarError: as `grammars.load`, or the query does not fit the grammar.
    """
    compiled = _compiled(language, query)
    tree = tree_sitter.Parser(load(language).language).parse(source)
    cursor = tree_sitter.QueryCursor(compiled)
    if within is not None:
        cursor.set_byte_range(*within)
    found = cursor.captures(tree.root_node)
    size = len(source)
    return [(node.start_byte, min(node.end_byte, size), name) for name, nodes in found.items() for node in nodes]


@cache
def _compiled(language: Language, query: str) -> tree_sitter.Query:
    """Compiles a query and keeps it forever: py-tree-sitter 0.26.1 crashes some time after a query was freed."""
    try:
        return tree_sitter.Query(load(language).language, query)
    except (tree_sitter.QueryError, ValueError) as error:
        raise GrammarError(f"the query does not fit the grammar of {language.name}: {error}; leave it out") from error


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

    Call it only in a process with limits (`analyzer.Analyzer`), see `captured`. If no language is given, it is
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
