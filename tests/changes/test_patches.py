"""Diffs are applied as git applies them, or refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.repositories import ENVIRONMENT, Repository
from wherefrom.changes.patches import applied, parse
from wherefrom.errors import DiffError

TEXTS = st.lists(
    st.sampled_from(["a", "b", "+++ b/x", "--- a/x", "@@ -1 +1 @@", "\\ x", "diff --git", "", "\r"]), max_size=9
)


def diff(folder: Path, old: bytes, new: bytes, context: int) -> bytes:
    """What git says of two texts."""
    for name, text in (("old", old), ("new", new)):
        (folder / name).write_bytes(text)
    arguments = ["git", "diff", "--no-index", "--text", f"-U{context}", "old", "new"]
    return subprocess.run(arguments, cwd=folder, env=ENVIRONMENT, capture_output=True, check=False).stdout


@settings(max_examples=60)
@given(st.tuples(TEXTS, TEXTS), st.tuples(st.booleans(), st.booleans()), st.integers(0, 3))
def test_the_diff_of_git_makes_the_new_text_of_the_old_one(
    tmp_path_factory: pytest.TempPathFactory, lines: tuple[list[str], list[str]], ends: tuple[bool, bool], context: int
) -> None:
    old, new = (("\n".join(each) + "\n" * is_ended).encode() for each, is_ended in zip(lines, ends, strict=True))
    patches = parse(diff(tmp_path_factory.mktemp("diff"), old, new, context))
    assert bool(patches) == (old != new)
    for patch in patches:
        assert (patch.old, patch.new) == ("old", "new")
        assert applied(old, patch) == new
        assert applied(new, patch.reversed()) == old
        if any(hunk.old for hunk in patch.hunks):
            with pytest.raises(DiffError, match="does not apply to old at line"):
                applied(b"another\ntext\n" * 20, patch)


def test_names_renames_and_binaries(tmp_path: Path) -> None:
    text = b"".join(b"line %d\n" % number for number in range(30))
    made = Repository.make(tmp_path / "made", {"a.py": text, "gone.py": b"x\n", "c.bin": b"\0\1", "same.py": b"y\n"})
    made.git("mv", "a.py", 'gr\u00fc\u00dfe "q"\t.py')
    made.git("mv", "same.py", "moved.py")
    made.git("rm", "--quiet", "gone.py")
    made.write({'gr\u00fc\u00dfe "q"\t.py': text.replace(b"line 7\n", b"seven\n"), "c.bin": b"\0\2", "new.py": b"z"})
    made.git("add", "--all")
    found = {(each.old, each.new): each for each in parse(made.git("diff", "--cached", "-M").encode())}
    odd = 'gr\u00fc\u00dfe "q"\t.py'
    assert found.keys() == {("a.py", odd), ("gone.py", None), (None, "new.py"), ("same.py", "moved.py")}
    assert applied(b"", found[None, "new.py"]) == b"z"
    assert applied(text, found["a.py", 'gr\u00fc\u00dfe "q"\t.py']) == text.replace(b"line 7\n", b"seven\n")
    assert applied(b"x\n", found["gone.py", None]) == b""


def test_a_plain_unified_diff() -> None:
    [patch] = parse(b"--- a.py\t2024-01-01\n+++ a.py\t2024-01-02\n@@ -1,2 +1,2 @@ def f\n x\n-y\n+z\n")
    assert (patch.old, patch.new) == ("a.py", "a.py")
    assert applied(b"x\ny\n", patch) == b"x\nz\n"
    assert parse(b"") == parse(b"\n") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"words\n", "this is not a unified diff"),
        (b"@@ -1 +1 @@\n-a\n+b\n", "does not say of which file"),
        (b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n", "breaks off in x"),
        (b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n*b\n", "breaks off in x"),
        (b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n-b\n+c\n", "not as long as it says"),
        (b"--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n", "not a path in the project"),
        (b"--- /etc/x\n+++ /etc/x\n@@ -1 +1 @@\n-a\n+b\n", "not a path in the project"),
        (b"--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-a\n+b\n", "not a path in the project"),
        (b'--- "a/\\056\\056/x"\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n', "not a path in the project"),
    ],
)
def test_what_is_no_diff_is_told(text: bytes, said: str) -> None:
    with pytest.raises(DiffError, match=said) as caught:
        parse(text)
    assert "\n" not in str(caught.value)


@given(
    st.lists(
        st.sampled_from(
            [b"--- a/x", b"+++ b/x", b"@@ -1,2 +1 @@", b"-a", b"+b", b" c", b"\\", b"", b"diff --git a/x b/x"]
        )
    )
)
def test_no_diff_does_anything_but_be_refused(lines: list[bytes]) -> None:
    try:
        patches = parse(b"\n".join(lines))
        for patch in patches:
            applied(b"a\nc\n", patch)
    except DiffError:
        return
