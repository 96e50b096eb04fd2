"""Functions rewritten as an assistant would that is asked to write the same code in other words.

Python is rewritten in its syntax tree, scripts by rules on text, other languages by `variants.all_at_once`.
"""

from __future__ import annotations

import ast
import builtins
import random
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace

from benchmarks.effectiveness.variants import Function, all_at_once, renamed, reordered, text

_WORDS = (
    *("result", "item", "value", "entry", "current", "target", "data", "output", "element", "index", "buffer"),
    *("source", "name", "key", "options", "count", "node", "record", "payload", "text", "info", "handler", "content"),
    *("collected", "position", "candidate", "temp", "original", "settings", "field", "part", "response", "config"),
)
_TYPES = ("str", "int", "Any", "dict[str, Any]", "list[Any]", "bool")

OFTEN, SELDOM = 0.7, 0.4
"""The probability of an edit at each place that allows it: for edits of every rewriting, and for the other edits."""


def rewritten(function: Function, chance: random.Random) -> str:
    """Changes names of variables, order of statements, loops, temporaries, type hints and quotes."""
    if function.language == "python":
        made = python(textwrap.dedent(function.source), chance)
        if made is not None:
            return made
    if function.language in ("javascript", "typescript"):
        return script(function, chance)
    return text(all_at_once(function, chance))


def python(source: str, chance: random.Random) -> str | None:
    """A piece of Python rewritten; None if it does not parse by itself."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return None
    _Names(tree, chance).visit(tree)
    tree = _Statements(chance).visit(tree)
    made = ast.unparse(ast.fix_missing_locations(tree))
    return made.replace("'", '"') if "'" in made and '"' not in made and chance.random() < 0.5 else made


class _Names(ast.NodeTransformer):
    """Renames parameters and variables that the piece binds. Removes type hints, or adds them if there are none."""

    def __init__(self, tree: ast.AST, chance: random.Random) -> None:
        nodes = list(ast.walk(tree))
        kept = {name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
        kept |= {"self", "cls", "_", "mcs", *dir(builtins)}
        bound = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        bound += [node.arg for node in nodes if isinstance(node, ast.arg)]
        taken = {node.id for node in nodes if isinstance(node, ast.Name)}
        free = [word for word in _WORDS if word not in taken]
        chance.shuffle(free)
        self._new: dict[str, str] = {}
        for name in bound:
            if name not in kept and name not in self._new:
                self._new[name] = free.pop() if free else f"{chance.choice(_WORDS)}_{len(self._new)}"
        self._has_hints = any(isinstance(node, ast.arg) and node.annotation for node in nodes)
        self._chance = chance

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._new.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self._new.get(node.arg, node.arg)
        if self._has_hints:
            node.annotation = None
        elif node.arg not in ("self", "cls") and self._chance.random() < OFTEN:
            node.annotation = ast.parse(self._chance.choice(_TYPES), mode="eval").body
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = self._new.get(node.name, node.name) if node.name else None
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if self._has_hints:
            node.returns = None
        return self.generic_visit(node)


class _Statements(ast.NodeTransformer):
    """Changes loops, comprehensions, conditions, temporaries and the order of statements."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._number = 0

    def _often(self) -> bool:
        return self._chance.random() < OFTEN

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, field, self._block(block))
        return node

    def _block(self, block: list[ast.stmt]) -> list[ast.stmt]:
        if len(block) > 1 and _is_docstring(block[0]) and self._often():
            block = block[1:]
        made: list[ast.stmt] = []
        for statement in _joined(block) if self._often() else block:
            made += self._changed(statement)
        for at in range(len(made) - 1):
            if _are_independent(made[at], made[at + 1]) and self._often():
                made[at : at + 2] = made[at + 1], made[at]
        return made

    def _changed(self, statement: ast.stmt) -> list[ast.stmt]:
        match statement:
            case ast.Return(value=ast.Call() | ast.BinOp() | ast.BoolOp() | ast.Dict() as value) if (
                self._chance.random() < SELDOM
            ):
                name = self._temporary("final")
                return [_assigned(name, value), ast.Return(ast.Name(name, ast.Load()))]
            case ast.Assign(targets=[ast.Name() as name], value=ast.ListComp(generators=[part], elt=element)) if (
                not part.is_async and self._often()
            ):
                append = ast.Attribute(ast.Name(name.id, ast.Load()), "append", ast.Load())
                body: list[ast.stmt] = [ast.Expr(ast.Call(append, [element], []))]
                for test in reversed(part.ifs):
                    body = [ast.If(test, body, [])]
                return [_assigned(name.id, ast.List([], ast.Load())), ast.For(part.target, part.iter, body, [])]
            case ast.For(
                target=ast.Name() as name, iter=ast.Call(func=ast.Name(id="range"), args=[stop]), orelse=[]
            ) if not _has_jump(statement) and self._often():
                test = ast.Compare(ast.Name(name.id, ast.Load()), [ast.Lt()], [stop])
                step = ast.AugAssign(ast.Name(name.id, ast.Store()), ast.Add(), ast.Constant(1))
                return [_assigned(name.id, ast.Constant(0)), ast.While(test, [*statement.body, step], [])]
            case ast.If(test=test, body=body, orelse=[_, *_] as other) if (
                not isinstance(other[0], ast.If) and self._chance.random() < SELDOM
            ):
                return [ast.If(_negated(test), other, body)]
            case ast.AugAssign(target=ast.Name() as name, op=sign, value=value) if self._often():
                return [_assigned(name.id, ast.BinOp(ast.Name(name.id, ast.Load()), sign, value))]
            case ast.AnnAssign(target=ast.Name() as name, value=ast.expr() as value) if self._often():
                return [_assigned(name.id, value)]
            case ast.Expr(value=ast.Call(args=[ast.Call() as inner, *_]) as call) if self._chance.random() < SELDOM:
                name_of = self._temporary("prepared")
                call.args[0] = ast.Name(name_of, ast.Load())
                return [_assigned(name_of, inner), statement]
        return [statement]

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        super().generic_visit(node)
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq) and self._chance.random() < SELDOM:
            node.left, node.comparators = node.comparators[0], [node.left]
        return node

    def _temporary(self, name: str) -> str:
        self._number += 1
        return f"{name}_{self._number}" if self._number > 1 else name


def _assigned(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _has_jump(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Continue) for node in ast.walk(statement))


def _negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)


def _joined(block: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Makes one comprehension of an empty list and a loop that fills it."""
    made: list[ast.stmt] = []
    for statement in block:
        match made[-1] if made else None, statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])),
                ast.For(
                    target=target,
                    iter=over,
                    orelse=[],
                    body=[
                        ast.Expr(
                            value=ast.Call(func=ast.Attribute(value=ast.Name(id=filled), attr="append"), args=[element])
                        )
                    ],
                ),
            ) if name == filled:
                made[-1] = _assigned(name, ast.ListComp(element, [ast.comprehension(target, over, [], 0)]))
            case _:
                made.append(statement)
    return made


def _are_independent(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether two assignments of simple values can change places."""
    if not (isinstance(one, ast.Assign) and isinstance(other, ast.Assign)):
        return False
    names = [{node.id for node in ast.walk(each) if isinstance(node, ast.Name)} for each in (one, other)]
    stored = [
        {node.id for node in ast.walk(each) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        for each in (one, other)
    ]
    return all(stored) and not (stored[0] & names[1] or stored[1] & names[0])


_Replacement = str | Callable[[re.Match[str]], str]

_RULES: tuple[tuple[str, _Replacement], ...] = (
    (r"\bfunction\s*\(([\w\s,$]*)\)\s*\{", r"(\1) => {"),
    (r"\(([\w$]+)\) => ", r"\1 => "),
    (r"\bvar\b", "let"),
    (r"\bconst\b", "let"),
    (r"\blet\b", "const"),
    (r"'((?:[^'\"\\\n`])*)'", r'"\1"'),
    (r'"((?:[^\'"\\\n`])*)"', r"'\1'"),
    (r"([\w$]+)\+\+", r"\1 += 1"),
    (r"([\w$.]+) \+= ([^;\n]+);", r"\1 = \1 + \2;"),
    (r"(?m)^(\s*)return ([^;\n{]*[(+][^;\n{]*);$", r"\1const output = \2;\n\1return output;"),
    (r"(?m)^(\s*)if \((.*)\) (return\b[^;{}\n]*;)$", r"\1if (\2) {\n\1  \3\n\1}"),
    (r"([\w$.]+) === ([\w$.'\"]+)", r"\2 === \1"),
    (r"([\w$.]+)\.length > 0", r"\1.length"),
    (r"for \((?:var|let|const) ([\w$]+) of ([\w$.]+)\) \{", r"for (let i = 0; i < \2.length; i++) { const \1 = \2[i];"),
    (r"(?m)[ \t]*//[^\n'\"]*$", ""),
)


def script(function: Function, chance: random.Random) -> str:
    """A piece of JavaScript or TypeScript rewritten."""
    other = replace(function, tokens=tuple(renamed(function, chance)))
    names: dict[str, str] = {}
    for old, new in zip(function.tokens, other.tokens, strict=True):
        if old.text != new.text and new.text not in names:
            taken = {token.text for token in function.tokens} | set(names.values())
            free = [word for word in _WORDS if word not in taken]
            names[new.text] = chance.choice(free) if free else f"{chance.choice(_WORDS)}{len(names)}"
    tokens = tuple(replace(token, text=names.get(token.text, token.text)) for token in other.tokens)
    code = text(reordered(replace(function, tokens=tokens), chance))
    for pattern, replacement in _RULES:
        if chance.random() < OFTEN:
            code = re.sub(pattern, replacement, code)
    return code
