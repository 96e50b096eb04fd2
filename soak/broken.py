"""Breaks rules of the package one at a time, and tells which of them no test notices.

`python -m soak.broken --seed 1 --rules 60` draws comparisons and conditions of all rooms of the package by a seed,
turns each around in a clone of the last commit, and runs the tests that need neither a server nor a minute. It runs
them all once to learn which functions each test runs; a rule then gets the tests that run its function, the most
particular ones first, and after them the others of their files, until one fails. It prints each rule with the test that
noticed it. Its exit code is 1 if more than one in twelve survives.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, pairwise, zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).resolve().parents[1]

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

PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb", "no")

TESTS = ("-m", "not slow and not live", "--hypothesis-profile", "quick")

PARTS_OF_TESTS = (30, 300)
"""Where the tests of a rule are split. pytest first reads the files of all tests that it gets, and most rules are
noticed by the most particular tests.
"""

HANGS_AFTER = 600
"""Seconds. A rule whose tests do not end is noticed."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that is turned around: a line of a file of the package before and after it."""

    path: str
    line: int
    before: str
    after: str
    function: str
    """Its qualified name, as Python has it; empty for what runs when the module is loaded."""


def broken(path: str, source: str) -> Iterator[Broken]:
    """All rules of a source that can be turned around: operators that are between two operands on one line."""
    lines, tree = source.split("\n"), ast.parse(source)
    functions = [*_functions(tree)]
    for node in ast.walk(tree):
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
                after = begin + between.replace(f" {written} ", f" {other} ") + end
                yield Broken(path, at, line.decode(), after, _function(functions, at))


def _functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[int, int, str]]:
    """The first line, the last line and the qualified name of each function; outer ones come first."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child.lineno, child.end_lineno or 0, prefix + child.name
            yield from _functions(child, f"{prefix}{child.name}.<locals>.")
        else:
            yield from _functions(child, f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else prefix)


def _function(functions: Sequence[tuple[int, int, str]], line: int) -> str:
    """The innermost function that has a line."""
    return next((name for first, last, name in reversed(functions) if first <= line <= last), "")


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


def copy_of_the_project(folder: Path) -> None:
    """Clones the last commit, and copies the kernel."""
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
    for path in (ROOT / "wherefrom").glob("_kernel.*"):
        shutil.copy2(path, folder / "wherefrom")


@dataclass(slots=True)
class Ran:
    """Which functions each test ran, as `soak.ran` recorded it. Tests that fail without a broken rule are left out."""

    functions: dict[str, set[str]]
    """By test. A function is its module, a tab and its qualified name."""

    @staticmethod
    def read(records: Iterable[Path]) -> Ran:
        """Reads the records of all processes."""
        ran: dict[str, set[str]] = {}
        failed: set[str] = set()
        for path in records:
            test = ""
            for line in path.read_text(errors="replace").splitlines():
                if line.startswith("= "):
                    test = line[2:]
                    ran.setdefault(test, set())
                elif line.startswith("! "):
                    failed.add(test)
                elif test:
                    ran[test].add(sys.intern(line))
        return Ran({test: functions for test, functions in ran.items() if test not in failed})

    def tests_of(self, rule: Broken) -> list[str]:
        """The tests that may notice a broken rule, the most particular ones first: those that ran its function. If no
        test did, those that ran any function of its module. The other tests of their files follow, since they share
        fixtures with them.
        """
        module = rule.path.removeprefix("wherefrom/")
        wanted = f"{module}\t{rule.function}"
        near = [test for test, functions in self.functions.items() if wanted in functions]
        if not near:
            near = [
                it for it, functions in self.functions.items() if any(f.split("\t")[0] == module for f in functions)
            ]
        near.sort(key=lambda test: len(self.functions[test]))
        files = {test.split("::")[0] for test in near}
        chosen = {*near}
        return near + [test for test in self.functions if test.split("::")[0] in files and test not in chosen]


def record(folder: Path, records: Path, jobs: int, tests: Sequence[str]) -> None:
    """Runs all tests in a copy of the project, and records which functions each runs."""
    records.mkdir(parents=True)
    many = ("-n", str(jobs), "--dist", "loadfile", "-p", "soak.ran")
    environment = {**os.environ, "PYTHONPATH": str(folder), "RAN": str(records)}
    subprocess.run([*PYTEST, *TESTS, *many, *tests], cwd=folder, env=environment, stdout=sys.stderr, check=False)


def noticing(folder: Path, rule: Broken, tests: Sequence[str]) -> str:
    """The test that fails in a copy of the project with a broken rule; empty if all pass."""
    path = folder / rule.path
    source = path.read_text()
    lines = source.split("\n")
    lines[rule.line - 1] = rule.after
    path.write_text("\n".join(lines))
    try:
        ends = (0, *PARTS_OF_TESTS, len(tests))
        return next(filter(None, (_failing(folder, tests[begin:end]) for begin, end in pairwise(ends))), "")
    except subprocess.TimeoutExpired:
        return "(tests that do not end)"
    finally:
        path.write_text(source)


def _failing(folder: Path, tests: Sequence[str]) -> str:
    """The first test of some that fails, or the file of it; empty if all pass."""
    if not tests:
        return ""
    (folder / "chosen").write_text("\n".join(tests))
    command = [*PYTEST, *TESTS, "-x", "@chosen"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            output, _ = process.communicate(timeout=HANGS_AFTER)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    if process.returncode in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
        return ""
    failed = [line for line in output.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return failed[0].split(" ", 1)[1].split(" - ")[0] if failed else f"(pytest ends with {process.returncode})"


def main() -> int:
    """Parses the command line and breaks the rules."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1", help="of the draw (1)")
    parser.add_argument("--rules", type=int, default=60, help="how many are broken (60)")
    parser.add_argument("--after", type=int, default=0, help="go on after this many (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="rules at once (one for each core)")
    parser.add_argument("--ran", type=Path, help="a folder that keeps what each test ran, for the next time")
    parser.add_argument("tests", nargs="*", help="the tests to run (all that need neither a server nor a minute)")
    options = parser.parse_args()
    with TemporaryDirectory(prefix="broken-") as temporary:
        folders = [Path(temporary) / str(number) for number in range(options.jobs)]
        for folder in folders:
            copy_of_the_project(folder)
        records = options.ran or Path(temporary) / "ran"
        if not records.exists():
            record(folders[0], records, options.jobs, options.tests)
        ran = Ran.read(records.iterdir())
        if not ran.functions:
            parser.error("no test ran")
        rules = drawn(folders[0], options.seed, options.rules)[options.after :]

        def noticed(rule: Broken) -> str:
            folder = folders.pop()
            try:
                return noticing(folder, rule, ran.tests_of(rule))
            finally:
                folders.append(folder)

        survived = 0
        with ThreadPoolExecutor(options.jobs) as pool:
            for number, (rule, test) in enumerate(zip(rules, pool.map(noticed, rules), strict=True), options.after + 1):
                survived += not test
                verdict = f"noticed by {test}" if test else "SURVIVED"
                print(f"{number:3} {rule.path}:{rule.line}: {rule.after.strip()}\n    {verdict}", flush=True)
    print(f"{len(rules) - survived} of {len(rules)} noticed")
    return int(12 * survived > len(rules))


if __name__ == "__main__":
    sys.exit(main())
