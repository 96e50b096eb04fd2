"""What is asked of a syntax tree beside its tokens: nodes of some kinds, captures of a query, what did not parse."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

import tree_sitter

from wherefrom.analyzers.grammars import COMMENT, ERROR, LITERAL, WHOLE, load, tree_of
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.errors import GrammarError
from wherefrom.languages import Language

_NO_WORDS = (TokenClass.STRING, *range(COMMENT, LITERAL + 1))


def broken_spans(language: Language, source: bytes, seconds: float) -> list[tuple[int, int, bool]]:
    """The byte spans of the leaves that the grammar has no place for, in order: those directly under an ERROR node, and
    ERROR nodes without children. What is under an ERROR node by way of another node parsed as that.

    Returns:
        (start, end, whether it is text that the grammar did not take apart), half-open.

    Raises:
        ParseTimeout: parsing took longer.
        GrammarError: as `grammars.load`.
    """
    grammar = load(language)
    found: list[tuple[int, int, bool]] = []
    waiting = [(tree_of(language, source, seconds).root_node, False)]
    while waiting:
        node, is_in_error = waiting.pop()
        kind = node.kind_id
        is_error = kind == ERROR
        if grammar.actions[kind] != WHOLE and node.child_count:
            if node.has_error:
                waiting += [(child, is_error) for child in reversed(node.children)]
        elif is_in_error or is_error:
            start, end = node.start_byte, min(node.end_byte, len(source))
            is_word = not is_error and grammar.classes[kind] not in _NO_WORDS
            found.append((start, end, is_error or (is_word and len(source[start:end].split()) > 1)))
    return found


def node_spans(
    language: Language, source: bytes, seconds: float, kinds: Collection[str], shortest: int
) -> list[tuple[int, int]]:
    """The byte spans of the nodes of some kinds, in the order in which they begin, an outer one before those in it.

    Args:
        language: of the source; one with a grammar.
        source: UTF-8.
        seconds: the limit on parsing.
        kinds: names of node kinds; those that the grammar does not have are passed over.
        shortest: nodes of fewer bytes are left out, with all that is in them.

    Raises:
        ParseTimeout: parsing took longer.
        GrammarError: as `grammars.load`.
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
    """What a query of Tree-sitter captures in a source: byte spans with the names of the captures, in no order.

    Nothing stops it, neither the parse nor the query, so it is called only in a process that has a limit.

    Args:
        language: of the source; one with a grammar.
        source: UTF-8.
        query: as the wheels of grammars have them.
        within: the bytes (half-open) with which a node must share some, None for all of the source.

    Raises:
        GrammarError: the grammar is not installed, or in a version that is not supported; or the query is for another.
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
    """A query, made once and kept: py-tree-sitter 0.26.1 crashes some time after one was freed.

    Raises:
        GrammarError: as `captured`.
    """
    try:
        return tree_sitter.Query(load(language).language, query)
    except (tree_sitter.QueryError, ValueError) as error:
        raise GrammarError(f"the query does not fit the grammar of {language.name}: {error}; leave it out") from error
