"""The files of a project: in its work tree, in git's index, or at a revision."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.repositories import Repository
from wherefrom.errors import GitError, NotFound, UsageError
from wherefrom.model import SkipReason
from wherefrom.sources.checkout import Checkout
from wherefrom.sources.discover import discover
from wherefrom.sources.source import Files


def contents(files: Files) -> dict[str, bytes | SkipReason]:
    """The content of every file that is not skipped."""
    entries = [entry for entry in files.entries() if entry.skip is None]
    return {entry.path: content for entry, content in files.read(entries)}


def checkout(folder: Path) -> Checkout:
    return Checkout.of([folder])[0]


def indexed_key(spec: str | Path, cache: Path) -> str:
    """The repository key that `wherefrom index SPEC` gives to a source."""
    [source] = discover([str(spec)], cache=cache)
    return source.key


@pytest.fixture
def made(tmp_path: Path) -> Repository:
    return Repository.make(tmp_path / "project", {"a.py": b"one\n", "src/b.py": b"two\n", ".gitignore": b"*.tmp\n"})


def test_each_state_has_its_own_contents(made: Repository) -> None:
    made.write({"a.py": b"staged\n", "new.py": b"new\n"})
    made.git("add", "--all")
    made.write({"a.py": b"changed\n", "untracked.py": b"untracked\n", "x.tmp": b"ignored\n"})
    (made.folder / "src/b.py").unlink()
    project = checkout(made.folder)
    ignore = {".gitignore": b"*.tmp\n"}
    assert contents(project.revision()) == {"a.py": b"one\n", "src/b.py": b"two\n", **ignore}
    assert contents(project.staged()) == {"a.py": b"staged\n", "new.py": b"new\n", "src/b.py": b"two\n", **ignore}
    there = {"a.py": b"changed\n", "new.py": b"new\n", "untracked.py": b"untracked\n", **ignore}
    assert contents(project.work_tree()) == there


def test_a_path_belongs_to_the_work_tree_around_it(made: Repository, tmp_path: Path) -> None:
    assert Checkout.of([made.folder / "src/b.py", made.folder]) == (Checkout(made.folder, True), ("src/b.py", ""))
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/a.py").write_bytes(b"x\n")
    assert Checkout.of([tmp_path / "plain"]) == (Checkout(tmp_path / "plain", False), ("",))
    assert Checkout.of([tmp_path / "plain/a.py"]) == (Checkout(tmp_path / "plain", False), ("a.py",))
    with ZipFile(made.folder / "packed.zip", "w") as archive:
        archive.writestr("inside/a.py", "a = 1\n")
    packed, inside = Checkout.of([made.folder / "packed.zip"])
    assert (packed, inside) == (Checkout(made.folder / "packed.zip", False), ("",))
    assert [entry.path for entry in packed.work_tree().entries()] == ["inside/a.py"]
    assert Checkout.of([made.folder / "packed.zip", made.folder])[0] == Checkout(made.folder, True)
    assert contents(checkout(tmp_path / "plain").work_tree()) == {"a.py": b"x\n"}
    with pytest.raises(UsageError, match="different projects"):
        Checkout.of([made.folder, tmp_path / "plain"])
    with pytest.raises(NotFound, match="check the path"):
        Checkout.of([tmp_path / "nothing"])


def test_a_linked_work_tree_and_an_empty_repository(made: Repository, tmp_path: Path) -> None:
    made.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "other")
    (tmp_path / "linked/a.py").write_bytes(b"linked\n")
    project = checkout(tmp_path / "linked")
    assert contents(project.work_tree())["a.py"] == b"linked\n"
    assert contents(project.staged())["a.py"] == b"one\n"
    empty = Repository.make(tmp_path / "empty")
    empty.write({"a.py": b"first\n"})
    empty.git("add", "a.py")
    assert contents(checkout(empty.folder).revision()) == {}
    assert contents(checkout(empty.folder).staged()) == {"a.py": b"first\n"}
    with pytest.raises(GitError, match="has no commit yet"):
        checkout(empty.folder).merge_base(None, None)


def test_the_remotes_and_the_path_are_the_keys(made: Repository) -> None:
    made.git("remote", "add", "origin", "https://user:secret@Example.org/me/fork.git")
    made.git("remote", "add", "upstream", "git@example.org:them/original.git")
    expected = {str(made.folder), "example.org/me/fork", "example.org/them/original"}
    assert checkout(made.folder).keys() == expected


@pytest.mark.thorough
@pytest.mark.parametrize("written", ["{path}", "file://{quoted}", "../{name}", "{path}/", "{stem}"])
@pytest.mark.parametrize("options", [[], ["--bare"]])
def test_a_remote_on_this_machine_gives_the_key_under_which_it_is_indexed(
    made: Repository, tmp_path: Path, written: str, options: list[str]
) -> None:
    original = tmp_path / "the original.git"
    made.git("clone", "--quiet", *options, made.folder, original)
    url = written.format(
        path=original,
        quoted=original.as_uri().removeprefix("file://"),
        name=original.name,
        stem=str(original).removesuffix(".git"),
    )
    Repository(tmp_path).git("clone", "--quiet", original, tmp_path / "clone")
    clone = Repository(tmp_path / "clone")
    clone.git("remote", "set-url", "origin", url)
    clone.git("fetch", "--quiet")
    Repository(original).git("remote", "remove", "origin")
    expected = {indexed_key(original, tmp_path), indexed_key(original.as_uri(), tmp_path)}
    assert checkout(clone.folder).keys() == {str(clone.folder), *expected}


def test_the_origin_of_a_remote_on_this_machine_is_the_project_too(made: Repository, tmp_path: Path) -> None:
    made.git("clone", "--quiet", "--mirror", made.folder, tmp_path / "mirror.git")
    mirror = Repository(tmp_path / "mirror.git")
    mirror.git("remote", "set-url", "origin", "https://example.org/them/original.git")
    made.git("remote", "add", "origin", "../mirror.git")
    assert indexed_key(mirror.folder, tmp_path) == "example.org/them/original"
    assert {"example.org/them/original", str(mirror.folder)} <= checkout(made.folder).keys()
    mirror.git("remote", "set-url", "origin", str(made.folder))
    assert {str(made.folder), str(mirror.folder)} <= checkout(made.folder).keys()


def test_a_remote_without_a_location_gives_no_key(made: Repository) -> None:
    for number, url in enumerate(
        ["ext::sh -c true", "", "file:///a%00b", "/long" * 1000, "https://[broken", "s3://bucket/project"]
    ):
        made.git("config", f"remote.r{number}.url", url)
    assert checkout(made.folder).keys() == {str(made.folder)}


def test_the_merge_base(made: Repository) -> None:
    base = made.git("rev-parse", "HEAD")
    made.git("checkout", "--quiet", "-b", "topic")
    made.commit({"a.py": b"topic\n"})
    made.git("checkout", "--quiet", "main")
    made.commit({"a.py": b"main\n"})
    project = checkout(made.folder)
    assert project.merge_base("topic", None) == base
    made.git("checkout", "--quiet", "--orphan", "alone")
    made.commit({"a.py": b"alone\n"})
    with pytest.raises(GitError, match="no commit in common"):
        project.merge_base("topic", None)
    with pytest.raises(GitError, match="has no revision"):
        project.merge_base("nothing", None)


def test_hostile_names_links_and_attributes(made: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret\n")
    made.write(
        {"-n\nb.py": b"odd\n", ".gitattributes": b"gen.py linguist-generated\na.py filter=evil\n", "gen.py": b"g\n"}
    )
    (made.folder / "link.py").symlink_to(tmp_path / "secret")
    os.mkfifo(made.folder / "pipe.py")
    made.git("add", "--", "-n\nb.py", ".gitattributes", "gen.py", "link.py")
    made.git("config", "filter.evil.clean", f"touch {tmp_path}/ran; cat")
    made.write({"a.py": b"touched\n"})
    project = checkout(made.folder)
    for files in (project.work_tree(), project.staged()):
        there = contents(files)
        assert there["-n\nb.py"] == b"odd\n"
        assert not {"gen.py", "link.py", "pipe.py"} & there.keys()
        skipped = {entry.path: entry.skip for entry in files.entries() if entry.skip}
        assert skipped == {"gen.py": SkipReason.GENERATED, "link.py": SkipReason.SYMLINK}
    assert not (tmp_path / "ran").exists()


def test_a_folder_that_became_a_link_is_not_followed(made: Repository, tmp_path: Path) -> None:
    made.commit({"inner/deep/secret.py": b"mine\n", "inner/x.py": b"x\n"})
    shutil.move(made.folder / "inner", tmp_path / "elsewhere")
    (tmp_path / "elsewhere/deep/secret.py").write_bytes(b"secret\n")
    (made.folder / "inner").symlink_to(tmp_path / "elsewhere")
    files = checkout(made.folder).work_tree()
    listed = {entry.path: entry for entry in files.entries()}
    assert not {"inner/deep/secret.py", "inner/x.py"} & listed.keys()
    assert listed["inner"].skip is SkipReason.SYMLINK
    (made.folder / "inner").unlink()
    shutil.move(tmp_path / "elsewhere", made.folder / "inner")
    listed = {entry.path: entry for entry in files.entries()}
    shutil.move(made.folder / "inner/deep", tmp_path / "deep")
    (made.folder / "inner/deep").symlink_to(tmp_path / "deep")
    [(_, content)] = files.read([listed["inner/deep/secret.py"]])
    assert content is SkipReason.UNREADABLE


def test_the_index_that_git_gives_to_a_hook(made: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made.write({"a.py": b"staged\n"})
    made.git("add", "a.py")
    (made.folder / ".git/next-index-1.lock").write_bytes((made.folder / ".git/index").read_bytes())
    made.write({"a.py": b"more\n"})
    made.git("add", "a.py")
    other = Repository.make(tmp_path / "other", {"a.py": b"other\n"})
    monkeypatch.chdir(made.folder)
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index-1.lock")
    assert contents(checkout(made.folder).staged())["a.py"] == b"staged\n"
    assert contents(checkout(other.folder).staged()) == {"a.py": b"other\n"}


def test_a_state_that_needs_git_is_an_error_without_git(tmp_path: Path, made: Repository) -> None:
    project = checkout(tmp_path)
    for call in (project.staged, project.revision, lambda: project.merge_base(None, None)):
        with pytest.raises(GitError, match="is not a git repository"):
            call()
    bare = Repository.make(tmp_path / "bare", None, "--bare")
    with pytest.raises(GitError, match="bare repository"):
        list(checkout(bare.folder).work_tree().entries())
