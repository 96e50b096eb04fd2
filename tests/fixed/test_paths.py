"""Files that are tests, by their paths."""

from __future__ import annotations

import pytest

from wherefrom.projects.fixed.finder import is_test


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "src/test/java/A.java",
        "pkg/x_test.go",
        "x.spec.ts",
        "a/__tests__/b.js",
        "test_x.py",
        "conftest.py",
        "src/FooTest.java",
        "spec/models/user.rb",
        "t/0001-init.sh",
        "lib/x-test.c",
    ],
)
def test_tests(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize(
    "path", ["src/attest.c", "contest/a.py", "latest.js", "src/spec.c", "testing.go", "src/protest.py", "x/at/y.c"]
)
def test_other_files(path: str) -> None:
    assert not is_test(path)
