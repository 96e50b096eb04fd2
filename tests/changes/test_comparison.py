"""The lines that a change adds between two states of a project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wherefrom.errors import DiffError
from wherefrom.model import SkipReason
from wherefrom.options import Limits
from wherefrom.projects.changes.comparison import Changed, Patched, Scope, between, whole
from wherefrom.projects.changes.patches import parse_diff
from wherefrom.sources.source import Entry, blob_id

TEXT = b"".join(b"the line number %d\n" % number for number in range(20))


class MemoryFiles:
    """A project in memory. Blob ids are known if `is_git` is true."""

    def __init__(self, files: dict[str, bytes], *, is_git: bool = True) -> None:
        self.files = files
        self.is_git = is_git

    def entries(self) -> Iterator[Entry]:
        for path, content in sorted(self.files.items()):
            yield Entry(path, blob_id(content) if self.is_git else None, len(content), None, path)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | SkipReason]]:
        for entry in entries:
            yield entry, self.files[entry.path]


def changes(old: dict[str, bytes], new: dict[str, bytes], *paths: str, is_git: bool = True) -> dict[str, Changed]:
    found, _ = between(MemoryFiles(old), MemoryFiles(new, is_git=is_git), Scope(paths), Limits())
    return {each.path: each for each in found}


def added(old: dict[str, bytes], new: dict[str, bytes]) -> dict[str, list[tuple[int, int]]]:
    """The added lines of each file that has some. They must be the same with and without known blob ids."""
    both = [
        {path: [*each.added] for path, each in changes(old, new, is_git=is_git).items() if each.added}
        for is_git in (True, False)
    ]
    assert both[0] == both[1]
    return both[0]


def test_what_is_added() -> None:
    old = {"a.py": TEXT, "b.py": b"x\n", "gone.py": b"y\n"}
    assert added(old, old) == {}
    assert added(old, {**old, "a.py": b"new\n" + TEXT, "c.py": b"z\n"}) == {"a.py": [(1, 1)], "c.py": [(1, 1)]}
    assert added(old, {"a.py": TEXT.replace(b"\n", b"\r\n"), "b.py": b""}) == {}
    assert added(old, {"a.py": TEXT.decode().encode("utf-16")}) == {}


def test_a_file_that_was_moved_adds_only_what_is_new() -> None:
    old = {"a.py": TEXT, "b.py": b"".join(b"other %d\n" % number for number in range(20))}
    assert added(old, {"new/a.py": TEXT, "b.py": old["b.py"]}) == {}
    edited = TEXT.replace(b"number 3\n", b"number three\n")
    assert added(old, {"new/a.py": edited, "new/b.py": old["b.py"]}) == {"new/a.py": [(4, 4)]}
    # A copy is new if the old file stays, or if it has less than half of it.
    assert added(old, {**old, "copy.py": TEXT}) == {"copy.py": [(1, 20)]}
    half = b"".join(TEXT.splitlines(keepends=True)[:6]) + b"".join(b"really new %d\n" % number for number in range(14))
    assert added(old, {"new.py": half, "b.py": old["b.py"]}) == {"new.py": [(1, 20)]}


def test_only_what_is_meant_is_looked_at() -> None:
    new = {"a.py": TEXT, "src/b.py": TEXT, "src2/c.py": TEXT}
    assert changes({}, new, "src").keys() == {"src/b.py"}
    assert changes({}, new, "src2/c.py", "a.py").keys() == {"a.py", "src2/c.py"}
    assert changes({}, new, "").keys() == new.keys()
    files, paths = whole(MemoryFiles({**new, "src/data.json": b"{}"}), Scope(["src"]), Limits())
    assert {each.path: each.content for each in files} == {"src/b.py": TEXT, "src/data.json": SkipReason.DATA_FILE}
    assert paths == ["src/b.py", "src/data.json"]


def test_paths_that_are_gone_are_among_those_looked_at() -> None:
    _, paths = between(
        MemoryFiles({"a.py": b"1", "b.py": b"2"}), MemoryFiles({"b.py": b"2", "c.py": b"3"}), Scope([]), Limits()
    )
    assert sorted(paths) == ["a.py", "c.py"]


LINES = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=8).map(
    lambda each: "".join(f"{x}\n" for x in each).encode()
)
FILES = st.dictionaries(st.sampled_from(["a.py", "b.py", "c.py", "d/e.py"]), LINES, max_size=4)


@given(FILES, FILES)
def test_added_lines_are_in_their_files(old: dict[str, bytes], new: dict[str, bytes]) -> None:
    for path, ranges in added(old, new).items():
        assert new[path] != old.get(path)
        assert all(1 <= first <= last <= new[path].count(b"\n") for first, last in ranges)


def test_a_project_as_a_diff_would_make_it() -> None:
    files = MemoryFiles({"a.py": b"x\ny\n", "b.py": b"z\n"})
    diff = b"--- a/a.py\n+++ b/a.py\n@@ -2 +2 @@\n-y\n+new\n--- a/b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n"
    diff += b"--- /dev/null\n+++ b/c.py\n@@ -0,0 +1 @@\n+c\n"
    patched = Patched(files, parse_diff(diff))
    assert {entry.path: text for entry, text in patched.after.read(patched.after.entries())} == {
        "a.py": b"x\nnew\n",
        "c.py": b"c\n",
    }
    assert patched.touched == {"a.py", "b.py", "c.py"}
    diff += b"--- /dev/null\n+++ b/b.py\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n"
    replaced = Patched(files, parse_diff(diff))  # a file becomes a link
    assert {entry.path: text for entry, text in replaced.after.read(replaced.after.entries())}["b.py"] == b"target"
    for wrong, message in (
        (b"--- a/q.py\n+++ b/q.py\n@@ -1 +1 @@\n-y\n+new\n", "changes q.py, which is not there"),
        (diff + b"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+new\n", "changes a.py twice"),
    ):
        with pytest.raises(DiffError, match=message):
            Patched(files, parse_diff(wrong))
