"""Unrelated files in the index do not change which other files a query finds."""

from __future__ import annotations

import random

import pytest

from tests.queries.indexes import add_files
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.options import SearchOptions
from wherefrom.queries.judging.odds import ANSWER
from wherefrom.queries.searching import search

COPIED = 4
"""How many files the queries are made of."""

OPERATORS = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", ">", "==", "!=", "&&", "||")


def function(number: int, lines: int = 10) -> str:
    """A function of random statements; two such functions share code only by chance."""
    chance = random.Random(number)

    def name() -> str:
        return f"{chance.choice(('read', 'sum', 'node', 'left', 'size', 'mark'))}{chance.randrange(10_000)}"

    def value(depth: int) -> str:
        kind = chance.randrange(8 if depth else 3)
        if kind < 2:
            return name()
        if kind == 2:
            return chance.choice((f"{chance.randrange(10_000)}", f'"{name()}"'))
        if kind == 3:
            return f"{name()}({', '.join(value(depth - 1) for _ in range(chance.randrange(4)))})"
        if kind == 4:
            return f"{name()}[{value(depth - 1)}]"
        if kind == 5:
            return f"{name()}{chance.choice(('.', '->'))}{name()}"
        if kind == 6:
            return f"{chance.choice('-!~*&')}({value(depth - 1)})"
        return f"({value(depth - 1)} {chance.choice(OPERATORS)} {value(depth - 1)})"

    def line() -> str:
        heads = (
            "{} = {};",
            "if ({}) {{ {}; }}",
            "while ({}) {{ {}; }}",
            "{} ? {} : 0;",
            "return {} + {};",
            "{} -= {};",
        )
        return chance.choice(heads).format(value(2), value(3))

    return "\n".join((f"int {name()}(int {name()}) {{", *(line() for _ in range(lines)), "}\n"))


def renamed(code: str) -> str:
    """The function with other names."""
    for prefix in ("read", "sum", "node", "left", "size", "mark"):
        code = code.replace(prefix, f"{prefix}ed")
    return code


def partly(code: str, number: int) -> str:
    """Some lines of a function between unrelated lines."""
    lines, others = code.splitlines(keepends=True), function(10_000 + number, 20).splitlines(keepends=True)
    return "".join((*others[:8], *lines[3 : 6 + number % 4], *others[8:]))


def answers(unrelated: int) -> dict[str, dict[str, float]]:
    """For each query the probability of each copied file that it finds, in an index with unrelated files."""
    copied = [function(number) + function(1000 + number) for number in range(COPIED)]
    others = [function(100_000 + number) + function(200_000 + number) for number in range(unrelated)]
    engine = MemoryEngine(scheme_ids())
    add_files(engine, [code.encode() for code in (*copied, *others)])
    queries = {
        f"{name} {number}": made
        for number in range(COPIED)
        for name, made in (
            ("same", function(number)),
            ("renamed", renamed(function(number))),
            ("partly", partly(function(number), number)),
            ("unrelated", function(50_000 + number)),
        )
    }
    return {
        name: {
            hit.blob: hit.probability or 0.0
            for hit in search(engine, query.encode(), SearchOptions(language="c", limit=100)).hits
        }
        for name, query in queries.items()
    }


@pytest.mark.slow
def test_unrelated_files_do_not_change_which_others_are_found() -> None:
    few, many = (answers(number) for number in (20, 600))
    own = {f"b{number}" for number in range(COPIED)}
    for name in few:
        for blob in own & (few[name].keys() ^ many[name].keys()):
            # Only an answer near the limit may appear in one index and not in the other.
            assert max(few[name].get(blob, 0.0), many[name].get(blob, 0.0)) < ANSWER + 0.05, name
    for number in range(COPIED):
        for made in ("same", "renamed"):
            assert f"b{number}" in few[f"{made} {number}"]
    assert not any(answered for name, answered in many.items() if name.startswith("unrelated"))
