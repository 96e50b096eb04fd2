"""The line of commits of real repositories, and what each commit changed."""

from __future__ import annotations

import os
import subprocess
import time
from datetime import date
from pathlib import Path

import pytest

from tests.repositories import ENVIRONMENT, Repository
from tests.sources.conftest import MakeRepository
from wherefrom.errors import GitError
from wherefrom.sources.git import GitSource, resolve
from wherefrom.sources.history import FileChange, History

NOTHING = "0" * 40
PROSE = b"".join(b"line %d\n" % number for number in range(12))


def history(repository: Repository, *, is_tags: bool = False) -> History:
    return History(repository.folder, resolve(repository.folder, None), is_tags=is_tags)


def ids(line: History) -> list[str]:
    return [line.id(number) for number in range(len(line))]


def changes(repository: Repository, first: int = 0) -> dict[int, list[FileChange]]:
    return dict(history(repository).changes(first, is_whole=not first))


def last(repository: Repository) -> list[FileChange]:
    """What the last commit changed."""
    line = history(repository)
    number = len(line) - 1
    return dict(line.changes(number, is_whole=not number)).get(number, [])


def made(repository: Repository, content: str, *parents: str) -> str:
    """A commit object of this text behind its tree and parents, with nothing added by git."""
    tree = repository.git("mktree")
    text = "".join([f"tree {tree}\n", *(f"parent {parent}\n" for parent in parents), content, "\n\nText\n"])
    return repository.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=text.encode())


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_the_line_is_that_of_the_first_parents_and_numbered_from_its_root(
    repository: MakeRepository, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr("wherefrom.sources.history.AT_ONCE", at_once)
    clone = repository(files={"a.py": b"a\n"})
    clone.git("checkout", "--quiet", "-b", "side")
    clone.commit({"b.py": b"b\n"})
    clone.git("checkout", "--quiet", "main")
    clone.commit({"c.py": b"c\n"})
    clone.git("merge", "--quiet", "--no-ff", "-m", "Merge", "side")
    line = history(clone)
    assert ids(line) == clone.git("rev-list", "--first-parent", "--reverse", "HEAD").splitlines()
    found = dict(line.changes(0, is_whole=True))
    assert {number: [change.new for change in of_each] for number, of_each in found.items()} == {
        0: ["a.py"],
        1: ["c.py"],
        2: ["b.py"],
    }
    assert [line.commit(number).is_merge for number in range(3)] == [False, False, True]
    assert [line.number(commit) for commit in (line.id(1), NOTHING)] == [1, -1]
    assert dict(line.changes(2, is_whole=False)) == {2: found[2]}
    whole = dict(line.changes(2, is_whole=True))
    assert [change.new for change in whole[2]] == ["a.py", "b.py", "c.py"]
    assert dict(line.changes(3, is_whole=False)) == {}


def test_an_octopus_merge_is_one_change_with_several_parents(repository: MakeRepository) -> None:
    clone = repository(files={"a.py": b"a\n"})
    for name in ("one", "two", "three"):
        clone.git("checkout", "--quiet", "-b", name, "main")
        clone.commit({f"{name}.py": name.encode()})
    clone.git("checkout", "--quiet", "main")
    clone.git("merge", "--quiet", "--no-ff", "-m", "Merge", "one", "two", "three")
    assert sorted(change.new or "" for change in last(clone)) == ["one.py", "three.py", "two.py"]
    assert history(clone).commit(1).is_merge


def test_another_root_that_is_merged_is_not_on_the_line(repository: MakeRepository) -> None:
    clone = repository(files={"a.py": b"a\n"})
    root = history(clone).id(0)
    clone.git("checkout", "--quiet", "--orphan", "other")
    clone.git("rm", "--quiet", "-r", "--cached", ".")
    (clone.folder / "a.py").unlink()
    clone.commit({"b.py": b"b\n"})
    clone.git("checkout", "--quiet", "main")
    clone.git("merge", "--quiet", "--allow-unrelated-histories", "-m", "Merge", "other")
    assert history(clone).id(0) == root
    assert [change.new for change in last(clone)] == ["b.py"]


def test_renames_with_and_without_edits(repository: MakeRepository) -> None:
    clone = repository(files={"a.py": PROSE, "b.py": PROSE.replace(b"line", b"row")})
    clone.git("mv", "a.py", "moved a.py")
    clone.git("mv", "b.py", "b2.py")
    clone.commit({"b2.py": PROSE.replace(b"line", b"row").replace(b"row 3\n", b"row three\nrow 3b\n")})
    edited, moved = last(clone)
    assert (moved.old, moved.new, moved.is_changed, moved.hunks) == ("a.py", "moved a.py", False, [])
    assert (edited.old, edited.new, edited.is_changed) == ("b.py", "b2.py", True)
    assert edited.hunks == [(4, 5)]


def test_two_files_that_swap_their_names(repository: MakeRepository) -> None:
    clone = repository(files={"a.py": PROSE, "b.py": b"other\n" * 9})
    clone.commit({"a.py": b"other\n" * 9, "b.py": PROSE})
    assert {(change.old, change.new) for change in last(clone)} >= {("a.py", "a.py"), ("b.py", "b.py")}


def test_modes_types_links_and_submodules(repository: MakeRepository) -> None:
    clone = repository(files={"run": PROSE, "a.py": b"a\nb\n", "kept.py": b"k\n"})
    blob = clone.git("rev-parse", "HEAD:run")
    (clone.folder / "run").chmod(0o755)
    clone.commit()
    assert last(clone) == [FileChange("run", "run", blob, False)]
    (clone.folder / "a.py").unlink()
    (clone.folder / "a.py").symlink_to("run")
    clone.commit({"kept.py": b"k\nk2\n"})
    to_link, kept = last(clone)
    assert (to_link.old, to_link.new, to_link.blob) == ("a.py", None, None)
    assert kept.hunks == [(2, 2)]
    (clone.folder / "a.py").unlink()
    clone.commit({"a.py": b"x\ny\nz\n", "kept.py": b"k\n"})
    from_link, kept = last(clone)
    assert (from_link.old, from_link.new) == (None, "a.py")
    assert from_link.hunks[-1] == (1, 3)
    assert kept.hunks == [(2, 1)]
    clone.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    clone.git("commit", "--quiet", "-m", "Submodule")
    clone.git("update-index", "--cacheinfo", f"160000,{'2' * 40},sub")
    clone.write({"kept.py": b"k\nk3\n"})
    clone.git("commit", "--quiet", "-m", "Submodule", "kept.py", "sub")
    kept, sub = last(clone)
    assert (kept.new, kept.hunks, sub.old, sub.new, sub.blob) == ("kept.py", [(2, 2)], None, None, None)


def test_contents_without_lines_in_git(repository: MakeRepository) -> None:
    utf16 = "a = 1\nb = 2\n".encode("utf-16")
    clone = repository(files={"binary": b"\0\1", "utf16.py": utf16, "empty.py": b"", "open.py": b"a\nb"})
    assert {change.new: change.hunks for change in last(clone)} == {
        "binary": [],
        "empty.py": [],
        "open.py": [(1, 2)],
        "utf16.py": [],
    }
    assert all(change.is_changed for change in last(clone))
    clone.commit({"empty.py": b"a\n", "open.py": b"a\nb\nc", "utf16.py": b"a = 1\n"})
    assert {change.new: change.hunks for change in last(clone)} == {
        "empty.py": [(1, 1)],
        "open.py": [(2, 3)],
        "utf16.py": [],
    }
    clone.commit({"empty.py": b""})
    assert last(clone)[0].hunks == [(1, 0)]


NAMES = [
    b"with space.py",
    b'quote".py',
    b"back\\slash.py",
    b"tab\t.py",
    b"new\nline.py",
    b"-dash.py",
    b":100644 100644.py",
    "ü.py".encode(),
    b"latin\xfc.py",
    b"\x01\x7f.py",
    b"folder/a b/c.py",
]


def test_any_path(repository: MakeRepository) -> None:
    clone = repository(files={})
    for name in NAMES:
        path = Path(str(clone.folder).encode().decode(), name.decode("utf-8", "surrogateescape"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name + b"\n")
    clone.commit()
    listed = last(clone)
    assert len(listed) == len(NAMES)
    assert sorted(change.new or "" for change in listed) == [entry.path for entry in GitSource(clone.folder).entries()]
    assert all(change.hunks for change in listed)


LOOKALIKES = [
    b"diff --git a/x b/x",
    b"@@ -1 +1 @@",
    b"-- a/x",
    b"++ b/x",
    b":100644 100644 " + b"1" * 40 + b" " + b"2" * 40 + b" M\tx.py",
    b"a" * 40,
    b"a" * 64,
    b"\\ No newline at end of file",
    b"Binary files a/x and b/x differ",
    b"",
    b"\r",
]


def test_contents_that_look_like_lines_of_git(repository: MakeRepository) -> None:
    clone = repository(files={"a.py": b"\n".join(LOOKALIKES), "b.py": b"b\n"})
    own = history(clone).id(0).encode()
    clone.commit({"a.py": b"\n".join([b"first", own, *reversed(LOOKALIKES), b"end"]), "b.py": b"b\nb\n"})
    first, second = changes(clone).values()
    assert first[0].hunks == [(1, len(LOOKALIKES))]
    assert [change.new for change in first] == [change.new for change in second] == ["a.py", "b.py"]
    assert second[1].hunks == [(2, 2)]


def test_a_repository_with_sha256(repository: MakeRepository) -> None:
    clone = repository("new", {"a.py": b"a\n"}, "--object-format=sha256")
    clone.commit({"a.py": b"a\nb\n"})
    found = changes(clone)
    assert [(number, change.new, len(change.blob or "")) for number, (change,) in found.items()] == [
        (0, "a.py", 64),
        (1, "a.py", 64),
    ]


def dated(clone: Repository, day: str, files: dict[str, bytes]) -> str:
    """Commits with a date."""
    clone.write(files)
    clone.git("add", "--all")
    tree = clone.git("write-tree")
    parent = ["-p", "HEAD"] if clone.git("rev-list", "--all", "--max-count=1") else []
    environment = {**ENVIRONMENT, "GIT_COMMITTER_DATE": day, "GIT_AUTHOR_DATE": day}
    answer = subprocess.run(
        ["git", "commit-tree", tree, *parent, "-m", "FileChange"],
        cwd=clone.folder,
        env={**os.environ, **environment},
        capture_output=True,
        check=True,
    )
    commit = answer.stdout.decode().strip()
    clone.git("update-ref", "refs/heads/main", commit)
    return commit


def test_a_day_is_one_of_utc(repository: MakeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    time.tzset()
    try:
        clone = repository()
        for number, day in enumerate(("2020-01-01T23:59:59Z", "2020-01-02T00:00:00Z", "2020-01-03T00:00:00Z")):
            dated(clone, day, {"a.py": b"%d\n" % number})
        line = history(clone)
        days = [date(2019, 1, 1), date(2020, 1, 2), date(2020, 1, 3), date(2021, 1, 1)]
        assert [line.start(day) for day in [None, *days]] == [0, 0, 1, 2, 3]
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("facts", "authored", "committed"),
    [
        ("author A <a> -5 +0000\ncommitter A <a> 253402300800 +0000", 0, 253_402_300_800),
        ("author A <a>\ncommitter A <a> +0000", 0, 0),
        ("committer A <a> 7 +0000", 0, 7),
        ("author A <a> 18446744073709551616 +0000", 2**63 - 1, 0),
        (f"author A <a> {'9' * 5000} +0000\ncommitter A <a> 8 +0000", 2**63 - 1, 8),
        ("", 0, 0),
    ],
)
def test_any_date(repository: MakeRepository, facts: str, authored: int, committed: int) -> None:
    clone = repository(files={"a.py": b"a\n"})
    root = clone.git("rev-parse", "HEAD")
    clone.git("update-ref", "refs/heads/main", made(clone, facts, root))
    commit = history(clone).commit(1)
    assert (commit.authored, commit.committed, commit.is_merge) == (authored, committed, False)
    assert len(changes(clone)) == 2


def test_the_tag_of_a_commit_is_the_oldest_that_contains_it(repository: MakeRepository) -> None:
    clone = repository()
    for number in range(6):
        dated(clone, f"2020-01-0{number + 1}T00:00:00Z", {"a.py": b"%d\n" % number})
    clone.git("tag", "plain", "HEAD~4")
    clone.git("-c", "user.name=A", "tag", "-a", "-m", "Two", "annotated", "HEAD~2")
    clone.git("tag", "-a", "-m", "Three", "nested", "annotated")
    clone.git("tag", "of-a-file", "HEAD:a.py")
    clone.git("tag", "of-a-tree", "HEAD^{tree}")
    clone.git("tag", "-a", "-m", "Tree", "of-a-tagged-tree", "HEAD^{tree}")
    line = history(clone)
    assert [line.commit(number).tag for number in range(6)] == [
        "plain",
        "plain",
        "annotated",
        "annotated",
        None,
        None,
    ]
    clone.git("tag", "--delete", "annotated")
    assert [history(clone).commit(number).tag for number in (2, 3, 4)] == ["nested", "nested", None]


def test_a_tag_on_another_branch_contains_the_line_up_to_its_fork(repository: MakeRepository) -> None:
    clone = repository(files={"a.py": b"a\n"})
    clone.commit({"a.py": b"b\n"})
    clone.git("checkout", "--quiet", "-b", "stable")
    clone.commit({"a.py": b"c\n"})
    clone.git("tag", "v1")
    clone.git("checkout", "--quiet", "main")
    clone.commit({"a.py": b"d\n"})
    line = history(clone)
    assert [line.commit(number).tag for number in range(3)] == ["v1", "v1", None]


def test_the_line_of_tags_has_only_these_and_the_revision(repository: MakeRepository) -> None:
    clone = repository()
    commits = [dated(clone, f"2020-01-0{day}T00:00:00Z", {"a.py": b"%d\n" % day}) for day in range(1, 6)]
    clone.git("tag", "v1", commits[1])
    clone.git("tag", "same", commits[1])
    clone.git("tag", "v2", commits[3])
    line = history(clone, is_tags=True)
    assert ids(line) == [commits[1], commits[3], commits[4]]
    assert [line.commit(number).tag for number in range(3)] == ["same", "v2", None]
    assert [[change.old for change in of_each] for of_each in dict(line.changes(0, is_whole=True)).values()] == [
        [None],
        ["a.py"],
        ["a.py"],
    ]


def test_replaced_and_grafted_commits_are_ignored(repository: MakeRepository) -> None:
    clone = repository(files={"a.py": b"a\n"})
    clone.commit({"a.py": b"b\n"})
    clone.commit({"a.py": b"c\n"})
    line = ids(history(clone))
    clone.git("replace", line[1], line[0])
    clone.git("replace", "--graft", line[2])
    (clone.folder / ".git" / "info").mkdir(exist_ok=True)
    (clone.folder / ".git" / "info" / "grafts").write_text(f"{line[2]}\n")
    assert ids(history(clone)) == line
    assert list(changes(clone)) == [0, 1, 2]


@pytest.mark.thorough
@pytest.mark.parametrize("is_linked", [False, True])
def test_a_shallow_clone_begins_at_its_oldest_commit(
    repository: MakeRepository, tmp_path: Path, is_linked: bool
) -> None:
    clone = repository(files={"a.py": b"a\n"})
    for text in (b"b\n", b"c\n"):
        clone.commit({"a.py": text})
    assert not history(clone).is_shallow
    clone.git("clone", "--quiet", "--depth=2", f"file://{clone.folder}", "../shallow")
    shallow = Repository(tmp_path / "shallow")
    if is_linked:
        shallow.git("worktree", "add", "--quiet", "../linked", "-b", "linked")
        shallow = Repository(tmp_path / "linked")
    line = history(shallow)
    assert line.is_shallow
    assert ids(line) == ids(history(clone))[1:]
    assert [len(of_each) for of_each in changes(shallow).values()] == [1, 1]


def test_a_partial_clone_says_what_it_lacks(repository: MakeRepository, tmp_path: Path) -> None:
    clone = repository(files={"a.py": PROSE})
    clone.commit({"a.py": PROSE + b"more\n"})
    clone.git("config", "uploadpack.allowFilter", "true")
    clone.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", f"file://{clone.folder}", "../partial")
    partial = Repository(tmp_path / "partial")
    line = history(partial)
    found = dict(line.changes(0, is_whole=True))
    assert {number: [change.new for change in of_commit] for number, of_commit in found.items()} == {
        0: ["a.py"],
        1: ["a.py"],
    }
    assert not any(change.hunks for of_commit in found.values() for change in of_commit)
    assert line.lacking == 2


def test_a_clone_that_lacks_too_much_is_refused(
    repository: MakeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = repository(files={"a.py": PROSE})
    clone.commit({"a.py": PROSE + b"more\n"})
    clone.git("config", "uploadpack.allowFilter", "true")
    clone.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", f"file://{clone.folder}", "../partial")
    monkeypatch.setattr("wherefrom.sources.history.MOST_LACKING", 1)
    with pytest.raises(GitError, match=r"cannot read the history of .*partial: .*git fetch --refetch"):
        changes(Repository(tmp_path / "partial"))


def test_a_commit_that_is_missing_is_named(repository: MakeRepository) -> None:
    clone = repository(files={"a.py": b"a\n"})
    tree = clone.git("rev-parse", "HEAD^{tree}")
    (clone.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(GitError, match="lacks the files of commit"):
        changes(clone)
    (clone.folder / ".git" / "refs" / "tags" / "gone").write_text("1" * 40 + "\n")
    with pytest.raises(GitError, match="cannot read the history of"):
        history(clone)


@pytest.mark.thorough
def test_thousands_of_empty_commits(repository: MakeRepository) -> None:
    clone = repository(files={"a.py": b"a\n"})
    root = clone.git("rev-parse", "HEAD")
    stream = ["reset refs/heads/main\n", f"from {root}\n\n"]
    stream += ["commit refs/heads/main\ncommitter A <a@example.org> 1 +0000\ndata 1\nx\n"] * 5000
    clone.git("fast-import", "--quiet", "--force", stdin="".join(stream).encode())
    clone.git("reset", "--quiet", "--hard")
    clone.commit({"a.py": b"b\n"})
    assert len(history(clone)) == 5002
    assert list(changes(clone)) == [0, 5001]
