"""The arguments of a user become sources, always in the same order."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.sources.conftest import MakeRepository, Repository
from wherefrom.errors import DuplicateSource, NotFound, SourceError, UsageError
from wherefrom.sources.archive import ArchiveSource
from wherefrom.sources.directory import DirectorySource
from wherefrom.sources.discover import discover, find_sources
from wherefrom.sources.git import GitSource
from wherefrom.sources.remote import RemoteSource
from wherefrom.sources.source import Source
from wherefrom.support.system import system


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def places(sources: Sequence[Source], root: Path) -> list[str]:
    return [Path(source.location).relative_to(root).as_posix() for source in sources]


def test_clones_are_found_at_any_depth_and_not_searched_further(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    for name in ("farm/b", "farm/a", "farm/x/y/z/deep", "farm/b/nested", "farm/.hidden", "farm/b/.git/inside"):
        repository(name, {"f": b"1"})
    repository("farm/bare.git", None, "--bare")
    repository("farm/x/bare", None, "--bare")
    repository("outside", {"f": b"1"})
    (tmp_path / "farm" / "x" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "farm" / "loop").symlink_to(tmp_path / "farm")
    (tmp_path / "farm" / "empty").mkdir()
    (tmp_path / "farm" / "notes.txt").write_text("loose files beside clones are not a source")
    found = discover([str(tmp_path / "farm")], cache=cache)
    assert places(found, tmp_path / "farm") == [".hidden", "a", "b", "bare.git", "x/bare", "x/y/z/deep"]
    assert all(isinstance(source, GitSource) for source in found)
    assert not cache.exists()


@pytest.mark.slow
def test_hundreds_of_clones(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    made = repository("farm/000", {"f": b"1"})
    for number in range(1, 120):
        folder = tmp_path / "farm" / f"{number:03}"
        (folder / "refs").mkdir(parents=True)
        (folder / "objects").symlink_to(made.folder / ".git" / "objects")
        (folder / "HEAD").write_text(made.git("rev-parse", "HEAD"))
    found = discover([str(tmp_path / "farm")], cache=cache)
    assert places(found, tmp_path / "farm") == [f"{number:03}" for number in range(120)]
    assert {source.revision for source in found} == {made.git("rev-parse", "HEAD")}


def test_every_kind_of_argument_in_the_order_given(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    repository("clone", {"f": b"1"})
    (tmp_path / "plain" / "sub").mkdir(parents=True)
    (tmp_path / "plain" / "sub" / "f").write_bytes(b"1")
    with zipfile.ZipFile(tmp_path / "a.ZIP", "w") as archive:
        archive.writestr("f", b"1")
    specs = [str(tmp_path / "plain"), "https://Example.org/a/b.git", str(tmp_path / "clone"), str(tmp_path / "a.ZIP")]
    found = discover(specs, cache=cache)
    assert [type(source) for source in found] == [DirectorySource, RemoteSource, GitSource, ArchiveSource]
    assert [source.kind for source in found] == ["directory", "git", "git", "archive"]
    assert [source.key for source in found] == [
        str(tmp_path / "plain"),
        "example.org/a/b",
        str(tmp_path / "clone"),
        str(tmp_path / "a.ZIP"),
    ]
    assert [source.key_kind for source in found] == ["path", "remote", "path", "path"]
    assert not cache.exists()


def test_a_folder_inside_a_work_tree_is_a_plain_folder(repository: MakeRepository, cache: Path) -> None:
    made = repository("clone", {"src/f": b"1"})
    found = discover([str(made.folder / "src")], cache=cache)
    assert [type(source) for source in found] == [DirectorySource]


def test_linked_work_trees_and_submodules_are_clones(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    made = repository("clone", {"f": b"1"})
    made.git("worktree", "add", "--quiet", "--detach", tmp_path / "linked")
    made.git("remote", "add", "origin", "git@example.org:a/b")
    linked = discover([str(tmp_path / "linked")], cache=cache)
    assert [(source.kind, source.key) for source in linked] == [("git", "example.org/a/b")]
    with pytest.raises(DuplicateSource):
        discover([str(tmp_path / "linked"), str(made.folder)], cache=cache)


def git_file(made: Repository, tmp_path: Path) -> Path:
    made.git("worktree", "add", "--quiet", "--detach", tmp_path / "named/it")
    return made.folder / ".git/worktrees/it"


def git_link(made: Repository, tmp_path: Path) -> Path:
    (tmp_path / "named/it/").mkdir(parents=True)
    (tmp_path / "named/it/.git").symlink_to(made.folder / ".git")
    return made.folder / ".git"


def common_folder(made: Repository, tmp_path: Path) -> Path:
    bare = tmp_path / "named/it"
    bare.mkdir(parents=True)
    shutil.copy(made.folder / ".git/HEAD", bare)
    (bare / "commondir").write_text(f"{made.folder}/.git\n")
    return made.folder / ".git"


def alternates(made: Repository, tmp_path: Path) -> Path:
    made.git("clone", "--quiet", "--shared", made.folder, tmp_path / "named/it")
    return made.folder / ".git/objects"


def alternates_of_alternates(made: Repository, tmp_path: Path) -> Path:
    made.git("clone", "--quiet", "--shared", made.folder, tmp_path / "named/other")
    made.git("clone", "--quiet", "--shared", tmp_path / "named/other", tmp_path / "named/it")
    (tmp_path / "named/other").rename(tmp_path / "named/it/hidden")
    pointer = tmp_path / "named/it/.git/objects/info/alternates"
    pointer.write_text("# a comment\n\n../../hidden/.git/objects\n/not/there\n")
    return made.folder / ".git/objects"


def linked_pack(made: Repository, tmp_path: Path) -> Path:
    made.git("gc", "--quiet")
    shutil.copytree(made.folder, tmp_path / "named/it")
    packs = tmp_path / "named/it/.git/objects/pack"
    for pack in packs.glob("*.pack"):
        pack.unlink()
        pack.symlink_to(made.folder / ".git/objects/pack" / pack.name)
    return next((made.folder / ".git/objects/pack").glob("*.pack"))


@pytest.mark.thorough
@pytest.mark.parametrize("lead", [git_file, git_link, common_folder, alternates, alternates_of_alternates, linked_pack])
def test_a_repository_with_parts_outside_of_the_named_folder_is_a_warning(
    repository: MakeRepository, tmp_path: Path, cache: Path, lead: Callable[[Repository, Path], Path]
) -> None:
    made = repository("elsewhere", {"f": b"1"})
    target = lead(made, tmp_path)
    clone = tmp_path / "named/it"
    for named in (clone, tmp_path / "named"):
        found = find_sources([str(named)], cache=cache)
        assert [[entry.path for entry in source.entries()] for source in found.sources] == [["f"]]
        [warning] = found.warnings
        assert warning.replace("\\", "/").startswith(f"{clone} is read from {target}")
        assert warning.endswith("leave it out unless it is a linked work tree, a submodule or a clone with --reference")
        with pytest.raises(SourceError, match=r"is read from .*, and index without --strict$"):
            find_sources([str(named)], cache=cache, strict=True)
    found = find_sources([str(tmp_path)], cache=cache, strict=True)
    assert {source.location for source in found.sources} == {str(made.folder), str(clone)}
    assert found.warnings == ()


def test_impossible_paths_in_a_repository_are_ignored(repository: MakeRepository, cache: Path) -> None:
    made = repository("clone", {"f": b"1"})
    for content in (b"\0", b"x" * 5_000, b"\xff\n" * 10, b"../objects\n"):
        (made.folder / ".git/objects/info/alternates").write_bytes(content)
        assert find_sources([str(made.folder)], cache=cache).warnings == ()
    (made.folder / ".git/objects/info/alternates").unlink()
    (made.folder / ".git/commondir").write_bytes(b"\0")
    assert find_sources([str(made.folder)], cache=cache).warnings == ()
    system.remove_tree(made.folder / ".git")
    (made.folder / ".git").write_bytes(b"gitdir: git\0x")
    with pytest.raises(SourceError, match=r"has a .git that is not a repository; clone it again, or remove"):
        discover([str(made.folder)], cache=cache)


@pytest.mark.parametrize(
    ("remotes", "key"),
    [
        ({"origin": "https://user:pw@GitHub.com/Owner/Repo.git"}, "github.com/Owner/Repo"),
        ({"upstream": "git@github.com:Owner/Repo"}, "github.com/Owner/Repo"),
        ({"fork": "git@github.com:Fork/Repo", "origin": "ssh://git@github.com:22/Owner/Repo"}, "github.com/Owner/Repo"),
        ({"a": "git@github.com:A/Repo", "b": "git@github.com:B/Repo"}, None),
        ({"origin": "/srv/git/repo.git"}, None),
        ({"origin": "file:///srv/git/repo.git"}, None),
        ({"origin": "../other"}, None),
        ({"with.dots": "https://example.org/a/b"}, "example.org/a/b"),
        ({}, None),
    ],
)
def test_the_key_is_the_remote_or_else_the_path(
    repository: MakeRepository, cache: Path, remotes: dict[str, str], key: str | None
) -> None:
    made = repository("clone", {"f": b"1"})
    for name, url in remotes.items():
        made.git("config", f"remote.{name}.url", url)
    found = discover([str(made.folder)], cache=cache)
    assert [source.key for source in found] == [key or str(made.folder)]
    assert [source.key_kind for source in found] == ["remote" if key else "path"]


def test_other_files_are_not_included_from_the_configuration(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    made = repository("clone", {"f": b"1"})
    (tmp_path / "more").write_text('[remote "origin"]\nurl = https://example.org/a/b\n')
    made.git("config", "include.path", str(tmp_path / "more"))
    assert [source.key for source in discover([str(made.folder)], cache=cache)] == [str(made.folder)]


def test_a_broken_repository_among_others_does_not_stop_the_search(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    repository("farm/good", {"f": b"1"})
    broken = repository("farm/broken", {"f": b"1"})
    (broken.folder / ".git" / "config").write_text("[core\n")
    (tmp_path / "farm" / "moved").mkdir()
    (tmp_path / "farm" / "moved" / ".git").write_text("gitdir: /nowhere\n")
    found = discover([str(tmp_path / "farm")], cache=cache)
    assert places(found, tmp_path / "farm") == ["broken", "good", "moved"]


def test_one_location_is_one_source(
    repository: MakeRepository, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repository("farm/clone", {"f": b"1"})
    (tmp_path / "link").symlink_to(made.folder)
    monkeypatch.chdir(tmp_path)
    specs = ["farm", str(made.folder), "farm/clone/", "farm/../farm/clone", "link", "farm/clone/.git"]
    assert places(discover(specs, cache=cache), tmp_path) == ["farm/clone"]
    urls = ["https://example.org/a", "https://user@example.org/a.git/"]
    assert len(discover(urls, cache=cache)) == 1


def test_two_sources_with_one_key_are_an_error_that_names_both(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    for name in ("farm/one", "farm/two"):
        repository(name, {"f": b"1"}).git("remote", "add", "origin", "https://example.org/a/b")
    with pytest.raises(DuplicateSource) as caught:
        discover([str(tmp_path / "farm")], cache=cache)
    for part in (str(tmp_path / "farm" / "one"), str(tmp_path / "farm" / "two"), "example.org/a/b", "--name"):
        assert part in str(caught.value)
    with pytest.raises(DuplicateSource):
        discover([str(tmp_path / "farm" / "one"), "ssh://example.org/a/b"], cache=cache)


def test_a_name_is_for_one_source(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    one = repository("farm/one", {"f": b"1"})
    repository("farm/two", {"f": b"1"})
    (tmp_path / "plain").mkdir()
    for spec in (str(one.folder), str(tmp_path / "plain"), "https://example.org/a"):
        [source] = find_sources([spec], name="mine", cache=cache).sources
        assert (source.key, source.key_kind) == ("mine", "name")
    for specs in ([str(tmp_path / "farm")], []):
        with pytest.raises(UsageError, match=r"--name names one source"):
            find_sources(specs, name="mine", cache=cache)


def test_a_revision_is_for_git_sources(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    made = repository("clone", {"f": b"1"})
    first = made.git("rev-parse", "HEAD")
    made.commit({"f": b"2"})
    found = find_sources([str(made.folder)], rev="main~1", cache=cache)
    assert [source.revision for source in found.sources] == [first]
    (tmp_path / "plain").mkdir()
    with pytest.raises(UsageError, match=r"--rev .* leave it out"):
        find_sources([str(tmp_path / "plain")], rev="main", cache=cache)


def test_a_path_that_does_not_exist_is_an_error(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for spec in ("nothing", "~nobody-of-that-name/x", "x" * 5000, "", "a\0b", "a\nb", "ftp://u:SECRET@example.org/a"):
        with pytest.raises(NotFound, match=r";") as caught:
            discover([spec], cache=cache)
        assert "\n" not in str(caught.value)
        assert "SECRET" not in str(caught.value)
    (tmp_path / "file.py").write_text("1")
    with pytest.raises(SourceError, match=r"is a single file; give its folder or an archive"):
        discover(["file.py"], cache=cache)


def test_the_home_folder_is_expanded(
    repository: MakeRepository, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository("clone", {"f": b"1"})
    monkeypatch.setenv("HOME", str(tmp_path))
    assert places(discover(["~/clone"], cache=cache), tmp_path) == ["clone"]


def test_a_file_that_looks_like_a_url_is_a_file(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "git@host:path").mkdir()
    assert [source.kind for source in discover(["git@host:path"], cache=cache)] == ["directory"]
    assert [type(source) for source in discover(["git@host:other"], cache=cache)] == [RemoteSource]


def test_folders_whose_names_are_not_utf8(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    made = repository(os.fsdecode(b"clone\xe9"), {"f": b"1"})
    (source,) = discover([str(made.folder)], cache=cache)
    assert source.location == source.key == f"{tmp_path}/clone%E9"
    assert [content for _, content in source.read(source.entries())] == [b"1"]
