"""Hidden copies: functions of real Python files, turned into what a copier makes of them."""

from __future__ import annotations

import ast
import io
import keyword
import random
import textwrap
import token as token_kinds
import tokenize
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

LINES = (10, 40)
"""A function has this many lines of code, from and to; blank lines, comments and its docstring do not count."""

EVERY = 4
"""One statement in this many is deleted, or gets a new one before it."""

_NEW_STATEMENTS = (
    "checked_{n} = {n} > 3",
    "log.debug('step %d', {n})",
    "total_{n} = sum(range({n}))",
    "if not ready_{n}: ready_{n} = True",
    "assert level_{n} is not None",
)


_LAYOUT = (token_kinds.INDENT, token_kinds.DEDENT, token_kinds.ENDMARKER)
_NO_CODE = (*_LAYOUT, token_kinds.COMMENT, token_kinds.NL, token_kinds.NEWLINE)


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a file: its source without the indentation that it had."""

    name: str
    source: str


def functions(source: str) -> list[Function]:
    """The functions of `LINES` lines in a Python source; empty if this Python cannot parse the source."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    lines = source.splitlines(keepends=True)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            text = textwrap.dedent("".join(lines[node.lineno - 1 : node.end_lineno]))
            if LINES[0] <= _lines_of_code(text) <= LINES[1]:
                found.append(Function(node.name, text))
    return found


def _lines_of_code(text: str) -> int:
    """How many lines of a function have code, or 0 if the function does not parse by itself."""
    try:
        (function,) = ast.parse(text).body
    except (SyntaxError, ValueError):
        return 0
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    rows = {row for each in tokens if each.type not in _NO_CODE for row in range(each.start[0], each.end[0] + 1)}
    if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(function) is not None:
        rows -= set(range(function.body[0].lineno, (function.body[0].end_lineno or 0) + 1))
    return len(rows)


def exact(source: str, _chance: random.Random) -> str:
    """Changes nothing."""
    return source


def reformatted(source: str, _chance: random.Random) -> str:
    """Removes comments, and writes every line and quote as `ast.unparse` does."""
    return ast.unparse(ast.parse(source))


def renamed(source: str, chance: random.Random) -> str:
    """Gives every name (variables, parameters, members, called functions) a new one throughout; literals stay."""
    names: dict[str, str] = {}
    lines = source.splitlines(keepends=True)
    depth = 0
    spots = []
    for each in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = token_kinds.tok_name[each.type]
        depth += (kind == "FSTRING_START") - (kind == "FSTRING_END")
        if each.type == token_kinds.NAME and not depth and not keyword.iskeyword(each.string):
            spots.append(each)
            if each.string not in names:
                names[each.string] = f"{chance.choice('bcdfghkmnprst')}{chance.choice('aeiou')}_{len(names)}"
    for each in reversed(spots):
        row = each.start[0] - 1
        lines[row] = lines[row][: each.start[1]] + names[each.string] + lines[row][each.end[1] :]
    return "".join(lines)


def inserted(source: str, chance: random.Random) -> str:
    """Inserts a new statement before one statement in `EVERY`."""
    lines = source.splitlines()
    starts = [statement.lineno - 1 for statement in _simple(ast.parse(source))]
    chosen = chance.sample(starts, -(-len(starts) // EVERY))
    for number, line in enumerate(sorted(chosen, reverse=True)):
        indentation = lines[line][: len(lines[line]) - len(lines[line].lstrip())]
        lines.insert(line, indentation + chance.choice(_NEW_STATEMENTS).format(n=number + 4))
    return "\n".join(lines)


def deleted(source: str, chance: random.Random) -> str:
    """Deletes one statement in `EVERY`."""
    lines = source.splitlines()
    statements = list(_simple(ast.parse(source)))
    chosen = chance.sample(statements, -(-len(statements) // EVERY))
    for statement in sorted(chosen, key=lambda each: -each.lineno):
        assert statement.end_lineno is not None
        del lines[statement.lineno - 1 : statement.end_lineno]
    return "\n".join(lines)


def _simple(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements without a body. Of several statements on one line only the first is yielded."""
    taken: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and node.end_lineno is not None:
            rows = set(range(node.lineno, node.end_lineno + 1))
            if not rows & taken:
                taken |= rows
                yield node


def halved(source: str, chance: random.Random) -> str:
    """Keeps the first or the second half of the lines."""
    lines = source.splitlines()
    middle = len(lines) // 2
    return "\n".join(lines[:middle] if chance.random() < 0.5 else lines[middle:])


def embedded(source: str, host: str, chance: random.Random) -> str:
    """Pastes a function between two top-level statements of another file."""
    lines = host.splitlines()
    body = ast.parse(host).body
    places = [
        min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))]) - 1 for node in body[1:]
    ]
    place = chance.choice(places)
    return "\n".join([*lines[:place], "", "", source.rstrip(), "", "", *lines[place:]])


VARIANTS: dict[str, Callable[[str, random.Random], str]] = {
    "exact": exact,
    "reformatted": reformatted,
    "renamed": renamed,
    "inserted": inserted,
    "deleted": deleted,
    "halved": halved,
}
"""The edits of a function, by name. `embedded` is not among them, because it also needs a host."""


def is_host(source: str, lines: Sequence[int]) -> bool:
    """True if a function can be embedded: the source parses, has several statements, and `lines` (from, to) lines."""
    if not lines[0] <= source.count("\n") <= lines[1]:
        return False
    try:
        return len(ast.parse(source).body) > 3
    except (SyntaxError, ValueError, RecursionError):
        return False
