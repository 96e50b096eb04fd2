"""The functions that a change touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixed.code import NUMBERS, file, function, side
from wherefrom.analyzers.units import functions_of_file
from wherefrom.options import Limits
from wherefrom.projects.fixed.functions import ChangedFunction, changed_functions
from wherefrom.projects.fixed.sites import FileSide, TokenSpan


def changed(old: str | None, new: str | None, path: str = "code.py") -> list[ChangedFunction]:
    """The functions that the change of one file touched."""
    return changed_functions([(None if old is None else side(old, path), None if new is None else side(new, path))])


def text(span: TokenSpan | None) -> str | None:
    """The source of a span."""
    if span is None:
        return None
    stream = span.side.stream
    return span.side.content[int(stream.starts[span.begin]) : int(stream.ends[span.end - 1])].decode()


def differing(found: ChangedFunction) -> list[tuple[str, str]]:
    """The source of each difference on both sides."""
    return [
        tuple(
            "" if begin == end or span is None else str(text(TokenSpan(span.side, begin, end)))
            for span, (begin, end) in ((found.old, difference.old), (found.new, difference.new))
        )  # type: ignore[misc]  # of two
        for difference in found.differences
    ]


@given(NUMBERS, st.data())
def test_functions_that_only_moved_are_left_out(numbers: list[int], data: st.DataObject) -> None:
    moved = data.draw(st.permutations(numbers))
    assert changed(file(*numbers), file(*moved)) == []
    half = len(numbers) // 2
    files = [(side(file(*numbers)), side(file(*numbers[half:]))), (None, side(file(*numbers[:half]), "other.py"))]
    assert changed_functions(files) == []


@given(NUMBERS, st.data())
def test_a_function_that_is_added_or_removed_is_one_of_one_side(numbers: list[int], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(numbers))
    rest = [number for number in numbers if number != gone]
    [removed] = changed(file(*numbers), file(*rest))
    assert (text(removed.old), removed.new) == (function(gone).rstrip(), None)
    [added] = changed(file(*rest), file(*numbers))
    assert (added.old, text(added.new)) == (None, function(gone).rstrip())
    assert {removed.name, added.name} == {f"work_{gone}"}


@given(NUMBERS, st.data())
def test_a_change_is_in_its_function(numbers: list[int], data: st.DataObject) -> None:
    fixed = data.draw(st.sampled_from(numbers))
    before = function(fixed)
    after = before.replace(f"limit_{fixed}:", f"limit_{fixed} and item.is_open:")
    old = file(*numbers)
    [found] = changed(old, old.replace(before, after))
    assert (text(found.old), text(found.new)) == (before.rstrip(), after.rstrip())
    assert differing(found) == [("", "and item.is_open")]
    assert found.is_function


@pytest.mark.parametrize(
    "new",
    [
        file(1, 2).replace("    ", "\t"),
        file(1, 2).replace("\n    for", "\n\n    # each of them\n    for"),
        file(1, 2).replace("import os", "import os\nfrom sys import path"),
    ],
    ids=["white space", "a comment", "an import"],
)
def test_what_is_no_change(new: str) -> None:
    assert changed(file(1, 2), new) == []


@pytest.mark.parametrize(
    ("path", "imports"),
    [
        ("a.py", "from os import (\n    path,\n    sep,WHAT\n)\n"),
        ("a.py", "from os import path, \\\n    sep, \\\n    nameWHAT\n"),
        ("a.go", 'package a\n\nimport (\n\t"fmt"WHAT\n\t"os"\n)\n'),
        ("a.ts", "import {\n  path,WHAT\n  sep\n} from 'os'\n"),
        ("a.rs", "use std::{\n    fs,WHAT\n    io,\n};\n"),
    ],
)
def test_a_longer_import_is_no_change(path: str, imports: str) -> None:
    more = {"a.go": '\n\t"strings"'}.get(path, ", more" if "nameWHAT" in imports else "\n    more,")
    assert changed(imports.replace("WHAT", ""), imports.replace("WHAT", more), path) == []
    assert changed(imports.replace("WHAT", more), imports.replace("WHAT", ""), path) == []
    [found] = changed(
        f"{imports.replace('WHAT', '')}\nrun(1, [\n 2])", f"{imports.replace('WHAT', '')}\nrun(1, [\n 3])", path
    )
    assert differing(found) == [("2", "3")]


def test_a_renamed_function_keeps_its_old_form() -> None:
    old = file(1, 2, 3)
    new = old.replace("def work_2(", "def weigh(")
    [found] = changed(old, new)
    assert differing(found) == [("work_2", "weigh")]
    # Moved to another file, and changed there.
    files = [(side(file(1, 2)), side(file(1))), (None, side(file(2).replace("limit_2", "most"), "other.py"))]
    [found] = changed_functions(files)
    assert found.old is not None
    assert found.new is not None
    assert (found.old.side.path, found.new.side.path, differing(found)) == (
        "code.py",
        "other.py",
        [("limit_2", "most")],
    )


def test_an_added_statement_begins_a_line() -> None:
    old = "def run(items):\n    check(items)\n    first(items)\n    last(items)\n    return items.total(1)\n"
    new = old.replace("    first(items)\n", "    first(items)\n    first(items)\n")
    [found] = changed(old, new)
    assert differing(found) == [("", "first(items)")]


def test_an_added_function_begins_between_functions() -> None:
    getter = (
        "def get_{0}(self):\n    self.check()\n    value = self.load('{0}', self.path)\n"
        "    return self.done(value)\n\n\n"
    )
    names = ("first", "second", "third")
    old, new = ("".join(getter.format(name) for name in chosen) for chosen in (names[::2], names))
    [found] = changed(old, new)
    assert (found.old, found.name) == (None, "get_second")


def test_a_change_across_functions_is_one_of_each() -> None:
    old, new = file(1, 2), file(1, 2)
    cut = old[old.index("        total = item.weigh_1") : old.index("    for item in items.of_2")]
    found = changed(old, new.replace(cut, "    stop(items)\n\n\ndef work_2(items, token):\n    go(items)\n"))
    assert [each.name for each in found] == ["work_1", "work_2"]


def test_code_outside_of_functions_has_a_heading() -> None:
    entries = [f'    "name_{number}": ({number * 7}, "unit_{number % 3}"),\n' for number in range(60)]
    old = "LIMITS = {\n" + "".join(entries) + "}\n"
    [found] = changed(old, old.replace('"name_30": (210,', '"name_30": (211,'))
    assert (found.is_function, found.name, differing(found)) == (False, "LIMITS = {", [("210", "211")])


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        (
            "a.c",
            "int ZEXPORT inflate(strm, flush)\nz_streamp strm;\nint flush;\n{\nout:\n    WHAT\n",
            "int ZEXPORT inflate(strm, flush)",
        ),
        ("a.py", "import os\n\n\nclass Limits:\n    first = 1\n    WHAT\n", "class Limits:"),
        ("a.py", "WHAT\n", ""),
        ("a.js", "const first = {\n  a: 1,\n};\nWHAT\n", "const first = {"),
    ],
)
def test_a_heading_is_above_what_was_changed(path: str, text: str, name: str) -> None:
    file = side(text.replace("WHAT", "(changed = [4, 5]);"), path)
    at = int(file.stream.starts.searchsorted(file.content.index(b"(changed")))
    assert file.heading_of(at) == name


def test_a_file_in_utf_16_has_names_too() -> None:
    old, new = (side(file(1).replace("limit_1", name), encoding="utf-16") for name in ("limit_1", "most"))
    [found] = changed_functions([(old, new)])
    assert found.name == "work_1"


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("a.py", "class A:\n    @cached(1)\n    async def go(self):\n        await f()\n", ["go"]),
        ("a.c", "static int\nfoo(int x)\n{\n  return bar(x);\n}\n", ["foo"]),
        ("a.go", "package m\n\nfunc (s *Server) Handle(w int) int { return f(w) }\n", ["Handle"]),
        ("A.java", 'class A {\n  @Override\n  int a() { f(); }\n  @B("") void k() { h(); }\n}\n', ["a", "@B("]),
        ("a.rb", "def bare\n  puts(1)\nend\n", ["def bare"]),
        ("a.js", "const f = (x) =>\n  g(x, 1);\na.b = function (y) { h(y); };\n", ["const f = (x)", "a.b = fun"]),
    ],
)
def test_a_function_is_named_as_in_its_declaration_and_else_by_a_line(path: str, text: str, names: list[str]) -> None:
    analyzed = functions_of_file(path, text.encode(), Limits())
    assert isinstance(analyzed, tuple)
    made = FileSide(path, text.encode(), analyzed[0].tokens, analyzed[0].language, analyzed[1])
    found = [made.name_of_function(*span) for span in made.functions]
    assert [name[: len(wanted)] for name, wanted in zip(found, names, strict=True)] == names
