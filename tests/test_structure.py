"""The package has small modules, no import cycles, and no two classes with the same name."""

from __future__ import annotations

import ast
import re
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

import wherefrom

PACKAGE = Path(wherefrom.__file__).parent

LONGEST = 500
"""A module has at most this many lines."""

ROOMS, MODULES = 17, 9
"""The package has at most this many folders and modules at the top, without `__init__` and `__main__`."""


ONE_CLASS = {"index.py"}
"""Modules that may be longer: `Index` has all public calls on an index, and most of its lines document them."""


def test_a_module_has_at_most_500_lines() -> None:
    lengths = {
        path.relative_to(PACKAGE).as_posix(): len(path.read_text().splitlines()) for path in PACKAGE.rglob("*.py")
    }
    assert {name for name, length in lengths.items() if length > LONGEST} == ONE_CLASS


def test_the_package_has_few_folders_and_modules() -> None:
    assert len([path for path in PACKAGE.iterdir() if (path / "__init__.py").exists()]) <= ROOMS
    assert len([path for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")]) <= MODULES


@pytest.mark.thorough
def test_no_two_classes_have_one_name() -> None:
    same = PACKAGE / "support" / "system" / "windows.py"  # has the names of `posix` on purpose
    names = Counter(
        node.name
        for path in {*PACKAGE.rglob("*.py")} - {same}
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, number in names.items() if number > 1] == []


@pytest.mark.thorough
def test_a_module_gives_a_constant_one_value() -> None:
    """A linter does not notice that the second of two assignments replaces the first."""
    assigned = Counter(
        (str(path), name.id)
        for path in PACKAGE.rglob("*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store) and name.id.isupper()
    )
    assert [name for name, number in assigned.items() if number > 1] == []


@pytest.mark.thorough
def test_re_compiles_no_possessive_repeat_of_a_group() -> None:
    """`support.pattern.compiled` does, since Python misreads it before 3.11.5 (gh-106052)."""
    found = [
        f"{path.name}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.")
        if re.search(r"\)(?:[*+?]|\{[\d,]+\})\+", ast.unparse(node).replace("\\\\", "\\"))
    ]
    assert found == []


@pytest.mark.thorough
def test_no_modules_import_each_other() -> None:
    """Imports for types and inside functions count too, imports from the top package (such as the kernel) do not."""
    graph = grimp.build_graph("wherefrom", cache_dir=None)
    names = graph.modules - {"wherefrom"}  # to remove it from the graph would remove all
    imported = {name: graph.find_modules_directly_imported_by(name) & names for name in names}
    TopologicalSorter(imported).prepare()  # raises CycleError
    lower, higher = "wherefrom.model", "wherefrom.index"
    assert len(imported) > 300
    with pytest.raises(CycleError):
        TopologicalSorter({**imported, lower: imported[lower] | {higher}}).prepare()
