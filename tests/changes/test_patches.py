"""Diffs are applied as git applies them, or refused."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repositories import ENVIRONMENT, Repository
from wherefrom.errors import DiffError
from wherefrom.options import Limits
from wherefrom.projects.changes.comparison import Patched, Scope, ShownProject, between
from wherefrom.projects.changes.patches import applied, parse_diff, reverted
from wherefrom.sources.checkout import Checkout

TEXTS = st.lists(
    st.sampled_from(["a", "b", "+++ b/x", "--- a/x", "@@ -1 +1 @@", "\\ x", "diff --git", "", "\r"]), max_size=9
)


def diff(folder: Path, old: bytes, new: bytes, context: int) -> bytes:
    """The diff that git writes for two texts."""
    for name, text in (("old", old), ("new", new)):
        (folder / name).write_bytes(text)
    arguments = ["git", "diff", "--no-index", "--text", f"-U{context}", "old", "new"]
    return subprocess.run(arguments, cwd=folder, env=ENVIRONMENT, capture_output=True, check=False).stdout


@given(st.tuples(TEXTS, TEXTS), st.tuples(st.booleans(), st.booleans()), st.integers(0, 3))
def test_the_diff_of_git_makes_the_new_text_of_the_old_one(
    tmp_path_factory: pytest.TempPathFactory, lines: tuple[list[str], list[str]], ends: tuple[bool, bool], context: int
) -> None:
    old, new = (("\n".join(each) + "\n" * is_ended).encode() for each, is_ended in zip(lines, ends, strict=True))
    patches = parse_diff(diff(tmp_path_factory.mktemp("diff"), old, new, context))
    assert bool(patches) == (old != new)
    for patch in patches:
        assert (patch.old, patch.new) == ("old", "new")
        assert applied(old, patch) == new
        assert reverted(new, patch) == old
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
    found = {(each.old, each.new): each for each in parse_diff(made.git("diff", "--cached", "-M").encode())}
    odd = 'gr\u00fc\u00dfe "q"\t.py'
    assert found.keys() == {("a.py", odd), ("gone.py", None), (None, "new.py"), ("same.py", "moved.py")}
    assert applied(b"", found[None, "new.py"]) == b"z"
    assert applied(text, found["a.py", 'gr\u00fc\u00dfe "q"\t.py']) == text.replace(b"line 7\n", b"seven\n")
    assert applied(b"x\n", found["gone.py", None]) == b""


def test_a_plain_unified_diff() -> None:
    [patch] = parse_diff(b"--- a.py\t2024-01-01\n+++ a.py\t2024-01-02\n@@ -1,2 +1,2 @@ def f\n x\n-y\n+z\n")
    assert (patch.old, patch.new) == ("a.py", "a.py")
    assert applied(b"x\ny\n", patch) == b"x\nz\n"
    assert parse_diff(b"") == parse_diff(b"\n") == []


MAIL = b"""From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001
Subject: [PATCH] Repair f

The old hunk was
@@ -5,3 +5,3 @@
of another file.
---
 a.py | 2 +-

diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1 +1 @@
-x
+y
-- \n2.40.0

"""
DOTTED = b"--- ./a.py\n+++ ./a.py\n@@ -1 +1 @@\n-x\n+y\n"


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        (MAIL, ["a.py"]),
        (MAIL.partition(b"\n")[2], ["a.py"]),
        (MAIL + MAIL, ["a.py", "a.py"]),
        (DOTTED, ["a.py"]),
        (DOTTED.replace(b"--- ./", b"--- ././"), ["a.py"]),
        (DOTTED.replace(b"./a", b'"./a').replace(b"y\n", b'y"\n', 2), ["a.py"]),
    ],
)
def test_mails_and_dots(text: bytes, paths: list[str]) -> None:
    found = parse_diff(text)
    assert [(patch.old, patch.new) for patch in found] == [(path, path) for path in paths]
    assert all(applied(b"x\n", patch) == b"y\n" for patch in found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"words\n", "this is not a unified diff"),
        (b"@@ -1 +1 @@\n-a\n+b\n", "does not name its file"),
        (b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n", "breaks off in x"),
        (b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n*b\n", "breaks off in x"),
        (b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n-b\n+c\n", "not as long as it says"),
        (b"--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n", "not a path in the project"),
        (b"--- /etc/x\n+++ /etc/x\n@@ -1 +1 @@\n-a\n+b\n", "not a path in the project"),
        (b"--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-a\n+b\n", "not a path in the project"),
        (b'--- "a/\\056\\056/x"\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n', "not a path in the project"),
    ],
)
def test_what_is_no_diff_is_told(text: bytes, message: str) -> None:
    with pytest.raises(DiffError, match=message) as caught:
        parse_diff(text)
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
        patches = parse_diff(b"\n".join(lines))
        for patch in patches:
            applied(b"a\nc\n", patch)
    except DiffError:
        return


LINES = b"".join(b"line %d\n" % number for number in range(30))

FORMS: tuple[tuple[str, ...], ...] = (
    ("diff", "HEAD"),
    ("diff", "HEAD", "-M"),
    ("diff", "HEAD", "-C", "--find-copies-harder"),
    ("diff", "HEAD", "--no-prefix"),
    ("diff", "HEAD", "--src-prefix=old/", "--dst-prefix=new/"),
    ("diff", "HEAD", "--src-prefix=x y/", "--dst-prefix=/z/"),
    ("-c", "diff.mnemonicPrefix=true", "diff", "HEAD"),
    ("-c", "core.quotePath=false", "diff", "HEAD"),
    ("diff", "HEAD", "--binary", "--full-index"),
    ("diff", "HEAD", "--stat", "--summary", "--raw", "--patch"),
    ("diff", "HEAD", "--irreversible-delete"),
    ("diff", "HEAD", "--color=always"),
    ("diff", "HEAD", "--function-context"),
    ("diff", "HEAD", "--unified=0"),
)
"""The options by which git writes the same change differently."""


@pytest.mark.thorough
@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_every_form_of_a_diff_says_the_same_applied_or_not(tmp_path: Path, form: tuple[str, ...]) -> None:
    made = Repository.make(
        tmp_path / "made",
        {
            "a.py": LINES,
            'b dir/gr\u00fc\u00dfe "q".py': LINES.replace(b"line", b"word"),
            "b/x.py": b"bx\n" * 5,
            "gone.py": b"x\ny\n",
            "bin.dat": bytes(range(256)),
            "mode.sh": b"echo\n" * 9,
            "crlf.py": LINES.replace(b"\n", b"\r\n"),
            "becomes-a-link.py": b"x\n",
        },
    )
    (made.folder / "a.py").rename(made.folder / "moved.py")
    made.write(
        {
            "moved.py": LINES.replace(b"line 7\n", b"seven\n"),
            'b dir/gr\u00fc\u00dfe "q".py': LINES.replace(b"line", b"word") + b"more",
            "b/x.py": b"bx\n" * 5 + b"--- a/x\n+++ b/x\n",
            "bin.dat": b"\0new",
            "crlf.py": LINES.replace(b"\n", b"\r\n").replace(b"line 3\r\n", b"three\r\nmore\r\n"),
            "new file.py": b"n\n",
            "empty.py": b"",
        }
    )
    (made.folder / "gone.py").unlink()
    (made.folder / "mode.sh").chmod(0o755)
    (made.folder / "becomes-a-link.py").unlink()
    (made.folder / "becomes-a-link.py").symlink_to("mode.sh")
    made.git("add", "--all")
    arguments = ["git", *form]
    diff = subprocess.run(arguments, cwd=made.folder, env=ENVIRONMENT, capture_output=True, check=True).stdout
    expected = {
        'b dir/gr\u00fc\u00dfe "q".py': [(31, 31)],
        "b/x.py": [(6, 7)],
        "crlf.py": [(4, 5)],
        "moved.py": [(8, 8)],
        "new file.py": [(1, 1)],
    }
    assert added_by(diff, made) == added_by(diff, None) == expected
    made.git("reset", "--quiet", "--hard")
    assert added_by(diff, made) == expected


def added_by(diff: bytes, project: Repository | None) -> dict[str, list[tuple[int, int]]]:
    """The lines that a diff adds to the work tree, or has already added; None if only the diff is at hand."""
    if project is None:
        shown = ShownProject(parse_diff(diff))
        patched = Patched(shown, shown.patches)
    else:
        patched = Patched(Checkout.of([project.folder])[0].work_tree(), parse_diff(diff))
    changed, _ = between(patched.before, patched.after, Scope((), patched.touched), Limits())
    return {each.path: [*each.added] for each in changed if each.added}


def test_a_combined_diff_adds_the_lines_that_no_parent_has(tmp_path: Path) -> None:
    merged = Repository.make(tmp_path / "merged", {"a.py": LINES})
    merged.git("checkout", "--quiet", "-b", "topic")
    merged.commit({"a.py": LINES.replace(b"line 5\n", b"five of topic\n"), "theirs.py": b"theirs\n"})
    merged.git("checkout", "--quiet", "main")
    merged.commit({"a.py": LINES.replace(b"line 5\n", b"five of main\n")})
    arguments = ["git", "merge", "topic"]
    assert subprocess.run(arguments, cwd=merged.folder, env=ENVIRONMENT, capture_output=True, check=False).returncode
    merged.write({"a.py": LINES.replace(b"line 5\n", b"five of main\nfive of both\nand more\n")})
    before = merged.git("diff")
    assert before.startswith("diff --cc a.py")
    merged.git("commit", "--all", "--quiet", "-m", "merged")
    for diff in (before, merged.git("show", "--cc"), merged.git("show", "-c")):
        assert added_by(diff.encode() + b"\n", merged) == {"a.py": [(7, 8)]}
        assert added_by(diff.encode() + b"\n", None) == {"a.py": [(7, 8)]}, "without the project"
    merged.git("reset", "--quiet", "--hard", "HEAD~1")
    with pytest.raises(DiffError, match=r"does not apply to a\.py at line"):
        added_by(before.encode() + b"\n", merged)


def test_line_ends_that_git_has_changed_do_not_count(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "made", {"a.py": LINES})
    made.write({"a.py": LINES + b"more\n"})
    diff = made.git("diff").encode() + b"\n"
    made.write({"a.py": LINES.replace(b"\n", b"\r\n")})
    assert added_by(diff, made) == {"a.py": [(31, 31)]}
    assert added_by(diff.replace(b"\n", b"\r\n"), made) == {"a.py": [(31, 31)]}
    made.write({"a.py": LINES.replace(b"\n", b"\r\n") + b"more\r\n"})
    assert added_by(diff, made) == {"a.py": [(31, 31)]}


def test_a_file_that_a_diff_adds_may_be_there_with_other_lines(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "made", {"a.py": LINES})
    made.write({"new.py": b"one\ntwo\n"})
    made.git("add", "new.py")
    diff = made.git("diff", "--cached").encode() + b"\n"
    assert added_by(diff, made) == {"new.py": [(1, 2)]}
    made.write({"new.py": b"one\ntwo\nthree\n"})
    assert added_by(diff, made) == {"new.py": [(1, 2)]}
