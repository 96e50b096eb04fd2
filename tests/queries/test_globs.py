"""Globs over paths."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.errors import UsageError
from wherefrom.queries.globs import Globs


@pytest.mark.parametrize(
    ("pattern", "fits", "fails"),
    [
        ("*.py", ["a.py", "src/a.py", "src/deep/.hidden.py"], ["a.pyc", "a.PY", "a.py/b"]),
        ("setup.py", ["setup.py", "deep/er/setup.py"], ["setup.pyx", "my_setup.py"]),
        ("/setup.py", ["setup.py"], ["deep/setup.py"]),
        ("src/*.py", ["src/a.py"], ["a.py", "src/deep/a.py", "other/src/a.py"]),
        ("/src/*.py", ["src/a.py"], ["a.py", "src/deep/a.py", "other/src/a.py"]),
        ("src/**", ["src/a.py", "src/deep/er/a.c", "src/.hidden/a.c"], ["a.py", "lib/src/a.py", "src"]),
        ("src/", ["src/a.py", "src/deep/er/a.c"], ["a.py", "lib/src/a.py", "src"]),
        ("**", ["a.py", "src/a.py"], []),
        ("**/*", ["a.py", "src/a.py"], []),
        ("**/test_*.py", ["test_a.py", "x/test_a.py", "x/y/test_a.py"], ["x/a_test.py"]),
        ("src/**/a.py", ["src/a.py", "src/x/a.py", "src/x/y/a.py"], ["a.py", "src/b.py"]),
        ("**/a/**/b/*.c", ["a/b/x.c", "x/a/y/a/b/z/b/x.c"], ["a/x.c", "b/a/x.c", "a/b/z/x.c"]),
        ("src/x**y.py", ["src/xy.py", "src/x1y.py"], ["src/x/y.py"]),
        ("*.{c,h}", ["a.c", "x/b.h"], ["a.cc"]),
        ("{src,lib}/**/*.py", ["src/a.py", "lib/x/a.py"], ["test/a.py"]),
        ("{*.md,docs/**}", ["x/README.md", "docs/a.txt"], ["a.txt"]),
        ("v{1..3}.{c,{h,hpp}}", ["v1.c", "v3.hpp"], ["v4.c", "v1."]),
        ("file?.[ch]", ["file1.c", "x/file2.h"], ["file.c", "file12.c", "file1.o"]),
        ("[!a]?.py", ["bc.py"], ["ab.py", "/a.py"]),
        ("src/?a.py", ["src/aa.py"], ["src/a/a.py", "src//a.py"]),
        ("[*]{.py", ["*{.py"], ["a{.py"]),
    ],
)
def test_a_glob_matches_whole_paths_and_one_without_a_slash_the_name(
    pattern: str, fits: list[str], fails: list[str]
) -> None:
    globs = Globs([pattern])
    assert [path for path in (*fits, *fails) if globs.match(path)] == fits


PARTS = st.lists(st.sampled_from(["a", "b", "ab", "*", "?", "a*", "**"]), min_size=2, max_size=6)


@given(PARTS, st.lists(st.text("ab", min_size=1, max_size=2), min_size=1, max_size=6))
def test_a_glob_matches_what_a_regular_expression_that_tries_everything_does(parts: list[str], path: list[str]) -> None:
    written = [*parts[:-1], "**", "*"] if parts[-1] == "**" else parts
    pattern = "".join("(?:[^/]+/)*" if part == "**" else _within_part(part) + "/" for part in written)
    assert Globs(["/".join(parts)]).match("/".join(path)) == bool(re.fullmatch(pattern, "/".join(path) + "/"))


def _within_part(part: str) -> str:
    return part.replace("?", "[^/]").replace("*", "[^/]*")


@pytest.mark.parametrize(
    "patterns",
    [["{1..100000}.py"], ["{a,b}" * 12], ["{1..600}.py", "{1..600}.c"], ["{" * 50_000], ["{a," * 9_000 + "}" * 9_000]],
)
def test_braces_with_more_alternatives_than_anyone_types_are_refused(patterns: list[str]) -> None:
    with pytest.raises(UsageError, match="use fewer alternatives"):
        Globs(patterns)


def test_many_stars_cost_little() -> None:
    """A backtracking matcher would take centuries for this."""
    assert not Globs(["*a" * 60 + "b", "*[ab]" * 60 + "c", "**/a/" * 60 + "b"]).match("a/" * 400 + "a" * 250)
