"""Looks up parts of a syntax tree other than its tokens: nodes of some kinds, and broken code."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from wherefrom.analyzers.grammars import CODE_IN_STRING, COMMENT, ERROR, LITERAL, STRING_ACTION, WHOLE, load, tree_of
from wherefrom.analyzers.tokens import TokenClass
from wherefrom.languages import Language

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
