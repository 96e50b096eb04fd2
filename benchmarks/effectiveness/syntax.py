"""Syntax trees for the benchmarks: where functions and statements are, in every language by one small table."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import tree_sitter

from wherefrom.languages import LANGUAGES


@dataclass(frozen=True, slots=True)
class Shape:
    """How a language writes functions.

    Attributes:
        functions: the node kinds of functions with a name and a body.
        blocks: the node kinds whose named children are statements.
        statements: statements to insert; `{n}` is a number.
        comment: what begins a comment to the end of the line.
        literal_string: a string literal that replaces another.
    """

    functions: frozenset[str]
    blocks: frozenset[str]
    statements: tuple[str, ...]
    comment: str = "//"
    literal_string: str = '"other{n}"'


_C_STATEMENTS = (
    "int extra_{n} = {n} * 3;",
    "if (ready_{n} > 0) {{ note_{n}(ready_{n}); }}",
    "trace_step({n}, level_{n});",
    "count_{n} += 1;",
)
_JAVASCRIPT_STATEMENTS = (
    "const extra{n} = {n} * 3;",
    "if (ready{n} > 0) {{ note{n}(ready{n}); }}",
    "tracer.step({n}, level{n});",
    "count{n} += 1;",
)

SHAPES: Mapping[str, Shape] = {
    "python": Shape(
        functions=frozenset({"function_definition"}),
        blocks=frozenset({"block"}),
        statements=(
            "extra_{n} = {n} * 3",
            "note_{n}(ready_{n}, {n})",
            "tracer.step({n}, level_{n})",
            "assert count_{n} is not None",
        ),
        comment="#",
        literal_string="'other{n}'",
    ),
    "java": Shape(
        functions=frozenset({"method_declaration", "constructor_declaration"}),
        blocks=frozenset({"block", "constructor_body"}),
        statements=(
            "int extra{n} = {n} * 3;",
            "if (ready{n} > 0) {{ note{n}(ready{n}); }}",
            "tracer.step({n}, level{n});",
            "count{n} += 1;",
        ),
    ),
    "c": Shape(frozenset({"function_definition"}), frozenset({"compound_statement"}), _C_STATEMENTS),
    "cpp": Shape(frozenset({"function_definition"}), frozenset({"compound_statement"}), _C_STATEMENTS),
    "javascript": Shape(
        functions=frozenset({"function_declaration", "method_definition", "generator_function_declaration"}),
        blocks=frozenset({"statement_block"}),
        statements=_JAVASCRIPT_STATEMENTS,
    ),
    "typescript": Shape(
        functions=frozenset({"function_declaration", "method_definition", "generator_function_declaration"}),
        blocks=frozenset({"statement_block"}),
        statements=_JAVASCRIPT_STATEMENTS,
    ),
    "go": Shape(
        functions=frozenset({"function_declaration", "method_declaration"}),
        blocks=frozenset({"statement_list"}),
        statements=(
            "extra{n} := {n} * 3",
            "if ready{n} > 0 {{ note{n}(ready{n}) }}",
            "tracer.Step({n}, level{n})",
            "count{n} += 1",
        ),
    ),
    "rust": Shape(
        functions=frozenset({"function_item"}),
        blocks=frozenset({"block"}),
        statements=(
            "let extra_{n} = {n} * 3;",
            "if ready_{n} > 0 {{ note_{n}(ready_{n}); }}",
            "tracer.step({n}, level_{n});",
            "count_{n} += 1;",
        ),
    ),
    "ruby": Shape(
        functions=frozenset({"method", "singleton_method"}),
        blocks=frozenset({"body_statement", "then", "do"}),
        statements=("extra_{n} = {n} * 3", "note_{n}(ready_{n}, {n})", "tracer.step({n}, level_{n})", "count_{n} += 1"),
        comment="#",
    ),
    "php": Shape(
        functions=frozenset({"function_definition", "method_declaration"}),
        blocks=frozenset({"compound_statement"}),
        statements=(
            "$extra{n} = {n} * 3;",
            "if ($ready{n} > 0) {{ note{n}($ready{n}); }}",
            "$tracer->step({n}, $level{n});",
            "$count{n} += 1;",
        ),
        literal_string="'other{n}'",
    ),
}
"""The languages of the mutation benchmark."""

EVERY_SHAPE: Mapping[str, Shape] = {
    **SHAPES,
    "bash": Shape(
        functions=frozenset({"function_definition"}),
        blocks=frozenset({"compound_statement", "do_group"}),
        statements=("extra_{n}={n}", 'note_{n} "$ready_{n}"', "trace_step {n}", "count_{n}=$((count_{n} + 1))"),
        comment="#",
    ),
    "csharp": Shape(
        functions=frozenset({"method_declaration", "constructor_declaration", "local_function_statement"}),
        blocks=frozenset({"block"}),
        statements=SHAPES["java"].statements,
    ),
    "kotlin": Shape(
        functions=frozenset({"function_declaration"}),
        blocks=frozenset({"block"}),
        statements=(
            "val extra{n} = {n} * 3",
            "if (ready{n} > 0) {{ note{n}(ready{n}) }}",
            "tracer.step({n}, level{n})",
            "count{n} += 1",
        ),
    ),
}
"""The languages of the draws."""


@cache
def _grammar(language: str) -> tree_sitter.Language:
    grammar = LANGUAGES[language].grammar
    assert grammar
    return tree_sitter.Language(getattr(importlib.import_module(grammar.module), grammar.function)())


def root(language: str, source: bytes) -> tree_sitter.Node:
    """The root node of a source."""
    return tree_sitter.Parser(_grammar(language)).parse(source).root_node


def nodes(top: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The node and all nodes below it, in the order of the text, without recursion."""
    waiting = [top]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))
