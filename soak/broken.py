"""Breaks rules of the package one at a time, and tells which of them no test notices.

`python -m soak.broken --seed 1 --rules 60` draws comparisons and conditions of all rooms of the package by a seed,
turns each around in a copy of the project, and runs the tests that need neither a server nor a minute. It prints a line
for each rule. Its exit code is 1 if more than one in twelve survives.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]

PARTS = "wherefrom", "tests", "soak", "docs", "benchmarks", "release", "page", "action", "examples", "editors", "kernel"
"""The folders of the project that tests read."""

OPPOSITE = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
"""How an operator is written, and what takes its place."""

TESTS = ("-m", "not slow and not live", "--hypothesis-profile", "quick", "-n", "2", "--dist", "loadfile")


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that is turned around: a line of a file of the package before and after it."""

    path: str
    line: int
    before: str
    after: str


def broken(path: str, source: str) -> Iterator[Broken]:
    """All rules of a source that can be turned around: operators that are between two operands on one line."""
    lines = source.split("\n")
    for node in ast.walk(ast.parse(source)):
        operands: list[ast.expr] = []
        operators: list[ast.AST] = []
        if isinstance(node, ast.Compare):
            operands, operators = [node.left, *node.comparators], [*node.ops]
        elif isinstance(node, ast.BoolOp):
            operands, operators = node.values, [node.op for _ in node.values]
        for left, right, operator in zip(operands, operands[1:], operators, strict=False):
            written, other = OPPOSITE[type(operator)]
            at, line = right.lineno, lines[right.lineno - 1].encode()
            between = line[left.end_col_offset : right.col_offset].decode() if left.end_lineno == at else ""
            if between.count(f" {written} ") == 1:
                begin, end = line[: left.end_col_offset].decode(), line[right.col_offset :].decode()
                yield Broken(path, at, line.decode(), begin + between.replace(f" {written} ", f" {other} ") + end)


def drawn(folder: Path, seed: str, rules: int) -> list[Broken]:
    """Some rules, by a seed, about as many of each room as of any other."""
    rooms: defaultdict[str, list[Broken]] = defaultdict(list)
    for path in sorted((folder / "wherefrom").rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        rooms[name.split("/")[1]] += broken(name, path.read_text())
    dice = Random(seed)
    for found in rooms.values():
        dice.shuffle(found)
    order = sorted(rooms)
    dice.shuffle(order)
    return [it for it in chain(*zip_longest(*(rooms[room] for room in order))) if it is not None][:rules]


def is_noticed(folder: Path, rule: Broken, tests: Sequence[str]) -> bool:
    """Whether a test fails in a copy of the project with a broken rule."""
    path = folder / rule.path
    source = path.read_text()
    lines = source.split("\n")
    lines[rule.line - 1] = rule.after
    path.write_text("\n".join(lines))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *TESTS, *tests]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)}, capture_output=True, check=False
    )
    path.write_text(source)
    return done.returncode != 0


def main() -> int:
    """Parses the command line and breaks the rules."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1", help="of the draw (1)")
    parser.add_argument("--rules", type=int, default=60, help="how many are broken (60)")
    parser.add_argument("--after", type=int, default=0, help="go on after this many (0)")
    parser.add_argument("tests", nargs="*", help="the tests to run (all that need neither a server nor a minute)")
    options = parser.parse_args()
    survived = 0
    with TemporaryDirectory(prefix="broken-") as temporary:
        folder = Path(temporary)
        for part in PARTS:
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("target", "__pycache__"))
        for path in filter(Path.is_file, ROOT.iterdir()):
            shutil.copy2(path, folder)
        rules = drawn(folder, options.seed, options.rules)[options.after :]
        for number, rule in enumerate(rules, options.after + 1):
            noticed = is_noticed(folder, rule, options.tests)
            survived += not noticed
            verdict = "noticed " if noticed else "SURVIVED"
            print(f"{number:3} {verdict} {rule.path}:{rule.line}: {rule.after.strip()}", flush=True)
    print(f"{len(rules) - survived} of {len(rules)} noticed")
    return int(12 * survived > len(rules))


if __name__ == "__main__":
    sys.exit(main())
