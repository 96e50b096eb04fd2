"""The fixes that are measured, and the states of their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import fixed
from benchmarks.fixed import EARLIER, STATES, Clone, Project, renamed, write_states
from tests.repositories import Repository

OLD = "def total(items):\n    found = items.first()\n    return add(found, items)\n"
NEW = OLD.replace("return add", "check(found)\n    return add")


def test_all_names_are_replaced_but_those_of_members_and_of_what_is_called() -> None:
    assert renamed("a.py", OLD.encode()) == (b"def total(v0):\n    v1 = v0.first()\n    return add(v1, v0)\n")
    assert renamed("a.php", b"<?php function f($x) { return g($x); }") == b"<?php function f($v0) { return g($v0); }"


@pytest.mark.slow
def test_small_commits_that_say_that_they_fix_something_are_chosen(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "made", {"a.py": OLD.encode(), "test_a.py": b"x = 1\n"})
    for number in range(EARLIER):
        made.git("commit", "--quiet", "--allow-empty", "-m", f"Step {number}")
    made.write({"a.py": NEW.encode()})
    made.git("commit", "--quiet", "--all", "-m", "Fix the total")
    fix = made.git("rev-parse", "HEAD")
    made.write({"test_a.py": b"x = 2\n"})
    made.git("commit", "--quiet", "--all", "-m", "Fix a test")
    made.write({"a.py": "".join(f"x_{number} = 1\n" for number in range(fixed.MOST_LINES)).encode()})
    made.git("commit", "--quiet", "--all", "-m", "Fix everything")
    head = made.git("rev-parse", "HEAD")
    made.git("clone", "--quiet", "--bare", ".", str(tmp_path / "me+made"))
    clone = Clone(Project("me/made", head, "python", 9), tmp_path)
    assert list(clone.fixes()) == [(fix, ["a.py"])]
    write_states(clone, fix, ["a.py"], tmp_path / "states")
    texts = {state.name: (tmp_path / "states" / state.name / "me+made" / fix / "a.py").read_text() for state in STATES}
    assert (texts["before"], texts["after"], texts["earlier"]) == (OLD, NEW, OLD)
    assert "v1 = v0.first()" in texts["after-renamed"]
    assert texts["end"].startswith("x_0 = 1\n")
