"""The edits that people make to copied code, made to real Python functions."""

from __future__ import annotations

import ast
import inspect
import io
import keyword
import random
import textwrap
import tokenize
from collections.abc import Callable
from typing import Any


def source_of(function: Callable[..., Any]) -> str:
    """A function without the indentation of its class."""
    return textwrap.dedent(inspect.getsource(function))


def reformatted(code: str) -> str:
    """The code in a standard layout, without its comments."""
    return ast.unparse(ast.parse(code))


def renamed(code: str) -> str:
    """The code with every name replaced, except the names of members and of called functions."""
    tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    names: dict[str, str] = {}
    result = []
    for index, token in enumerate(tokens):
        text = token.string
        is_name = token.type == tokenize.NAME and not keyword.iskeyword(text)
        if is_name and tokens[index - 1].string != "." and tokens[index + 1].string != "(":
            text = names.setdefault(text, f"other{len(names)}")
        result.append((token.type, text))
    return tokenize.untokenize(result)


def with_insertions(code: str) -> str:
    """With a new statement after the second of every block."""
    return _blocks(code, lambda block: [*block[:2], *ast.parse('log.debug("so far", 42)').body, *block[2:]])


def with_deletions(code: str) -> str:
    """Without the second statement of every block of three or more."""
    return _blocks(code, lambda block: [block[0], *block[2:]] if len(block) > 2 else block)


def halved(code: str) -> str:
    """The first half of its lines, after the documentation."""
    lines = code.splitlines(keepends=True)
    first = ast.parse(code).body[0]
    assert isinstance(first, ast.FunctionDef)
    if ast.get_docstring(first):
        del lines[first.body[0].lineno - 1 : first.body[0].end_lineno]
    return "".join(lines[: (len(lines) + 1) // 2])


def embedded(code: str) -> str:
    """In the middle of somebody else's code."""
    return f"{BEFORE}\n{code}\n{AFTER}"


def _blocks(code: str, change: Callable[[list[ast.stmt]], list[ast.stmt]]) -> str:
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.For | ast.While | ast.If | ast.With):
            node.body = change(node.body)
    return ast.unparse(ast.fix_missing_locations(tree))


def script(number: int) -> str:
    """A JavaScript function. Each number gives a function with a different structure."""
    dice = random.Random(number)

    def expression(depth: int) -> str:
        if not depth:
            return dice.choice(("rows[3]", "limit", f"total{number}", "7", "'x'", "rows.length"))
        one, two = expression(depth - 1), expression(dice.randrange(depth))
        forms = (f"({one} + {two})", f"{one} * {two}", f"[{one}, {two}]", f"!{one}", f"{two} ? {one} : {two}")
        return dice.choice((*forms, f"rate{number}({one}, {two})", f"(({one}) - {two}).size", f"{two} < {one}"))

    lines = "".join(f"  total{number} = {expression(3)};\n" for _ in range(10))
    return f"export function work{number}(rows, limit) {{\n  let total{number};\n{lines}  return total{number};\n}}\n"


BEFORE = '''\
class Greenhouse:
    """Keeps plants at the right temperature."""

    def __init__(self, beds, heater, valve):
        self.beds = {bed.label: bed for bed in beds}
        self.heater, self.valve = heater, valve
        self.readings = []

    def water(self, label, litres):
        bed = self.beds[label]
        self.valve.open(bed.pipe)
        while bed.moisture() < bed.wanted and litres > 0:
            litres -= self.valve.drip()
        self.valve.close(bed.pipe)
        return litres
'''

AFTER = """\
def heating_plan(house, forecast, price):
    plan = {}
    for hour, degrees in forecast.items():
        missing = house.wanted - degrees
        if missing <= 0 or price[hour] > house.limit:
            plan[hour] = 0.0
        else:
            plan[hour] = round(missing * house.volume / house.heater.power, 2)
    return plan
"""
UNRELATED = BEFORE + "\n\n" + AFTER
