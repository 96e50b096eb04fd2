"""A problem with one source does not stop the others, and nothing is skipped silently."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.sources.conftest import MakeRepository, Repository
from wherefrom.errors import DuplicateSource, NotFound, SourceError, UsageError
from wherefrom.model import SkipReason
from wherefrom.results import LeftOut
from wherefrom.sources.discover import FoundSources, discover, find_sources
from wherefrom.sources.folders import broken_clone
from wherefrom.sources.git import GitSource
from wherefrom.sources.listed import ListedSource
from wherefrom.sources.remote import RemoteSource
from wherefrom.sources.source import Source


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def keys(sources: Iterable[Source], root: Path) -> dict[str, str]:
    """The key of each source by its location."""
    return {Path(source.location).relative_to(root).as_posix(): source.key for source in sources}


def left_out(found: FoundSources, root: Path) -> dict[str, tuple[str, str]]:
    """The kind and reason of each source that is left out, by its location."""
    return {Path(left.location).relative_to(root).as_posix(): (left.kind, left.reason) for left in found.left_out}


def postpone(made: Repository, seconds: int) -> str:
    """Changes the date of a repository's last commit to `seconds` later; returns the commit's new id."""
    commit = made.git("cat-file", "commit", "HEAD").replace(" 1704067200 ", f" {1704067200 + seconds} ")
    later = made.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=f"{commit}\n".encode())
    made.git("reset", "--quiet", "--hard", later)
    return later


def test_unusable_sources_are_reported_and_the_rest_is_found(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    repository("farm/good", {"f": b"1"})
    (tmp_path / "farm/half/.git").mkdir(parents=True)
    (tmp_path / "farm/half/f").write_text("1")
    (tmp_path / "single.py").write_text("1")
    specs = [str(tmp_path / name) for name in ("gone", "farm", "single.py", "farm/half", "gone")]
    found = find_sources(specs, cache=cache)
    assert [*keys(found.sources, tmp_path)] == ["farm/good"]
    assert [unusable.name for unusable in found.unusable] == [specs[0], str(tmp_path / "farm/half"), specs[2]]
    for unusable, wrong in zip(found.unusable, ("no such file", "not a repository", "a single file"), strict=True):
        assert wrong in str(unusable.error)
    for strictly in (lambda: find_sources(specs, cache=cache, strict=True), lambda: discover(specs, cache=cache)):
        with pytest.raises(NotFound, match=r"^3 sources cannot be used; the first one: no such file"):
            strictly()


def test_no_usable_source_is_an_error(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(NotFound, match=r"^no such file or folder: .*gone; check the path"):
        find_sources([str(tmp_path / "gone")], cache=cache)
    with pytest.raises(NotFound, match=r"^2 sources cannot be used; the first one: "):
        find_sources([str(tmp_path / "gone"), str(tmp_path / "too")], cache=cache)


def test_of_two_clones_with_one_key_the_one_with_the_newer_commit_is_indexed(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    for name, url in {"a": "https://github.com/Owner/Repo", "b": "git@GitHub.com:owner/repo.git"}.items():
        repository(f"farm/{name}", {"f": b"1"}).git("remote", "add", "origin", url)
    postpone(Repository(tmp_path / "farm/b"), 60)
    found = find_sources([str(tmp_path / "farm")], cache=cache)
    assert keys(found.sources, tmp_path) == {"farm/b": "github.com/owner/repo"}
    assert found.left_out == (
        LeftOut(f"{tmp_path}/farm/a", "duplicate", "an older commit", "github.com/owner/repo", f"{tmp_path}/farm/b"),
    )
    assert found.unusable == ()
    for strictly in (
        lambda: find_sources([tmp_path / "farm"], cache=cache, strict=True),
        lambda: discover([tmp_path / "farm"], cache=cache),
    ):
        with pytest.raises(
            DuplicateSource, match=r"farm/a and .*farm/b have one repository key, github.com/Owner/Repo"
        ):
            strictly()


def test_of_equally_new_clones_the_first_is_indexed(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    for name in ("a", "b", "empty"):
        made = repository(name, None if name == "empty" else {"f": b"1"})
        made.git("remote", "add", "origin", "https://example.org/x/y")
    found = find_sources([str(tmp_path / name) for name in ("empty", "b", "a")], cache=cache)
    assert keys(found.sources, tmp_path) == {"b": "example.org/x/y"}
    assert left_out(found, tmp_path) == {"empty": ("duplicate", "no commit"), "a": ("duplicate", "no newer commit")}


def test_a_linked_work_tree_gives_way_to_its_repository(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    made = repository("farm/z", {"f": b"1"})
    made.git("remote", "add", "origin", "https://example.org/x/y")
    made.git("worktree", "add", "--quiet", "--detach", tmp_path / "farm/linked")
    postpone(Repository(tmp_path / "farm/linked"), 60)
    found = find_sources([str(tmp_path / "farm")], cache=cache)
    assert keys(found.sources, tmp_path) == {"farm/z": "example.org/x/y"}
    assert left_out(found, tmp_path) == {"farm/linked": ("duplicate", "a linked work tree")}
    assert keys(find_sources([tmp_path / "farm/linked"], cache=cache).sources, tmp_path) == {
        "farm/linked": "example.org/x/y"
    }


def test_a_broken_clone_gives_way_to_a_sound_one(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    for name in ("a", "b"):
        repository(f"farm/{name}", {"f": b"1"}).git("remote", "add", "origin", "https://example.org/x/y")
    (tmp_path / "farm/a/.git/refs/heads/main").write_text("nonsense\n")
    found = find_sources([str(tmp_path / "farm")], cache=cache)
    assert keys(found.sources, tmp_path) == {"farm/b": "example.org/x/y"}
    assert [unusable.name for unusable in found.unusable] == [f"{tmp_path}/farm/a"]
    shutil.rmtree(tmp_path / "farm/b")
    assert keys(find_sources([str(tmp_path / "farm")], cache=cache).sources, tmp_path) == {"farm/a": "example.org/x/y"}


def test_a_clone_is_preferred_to_its_url_and_nothing_is_fetched(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    repository("clone", {"f": b"1"}).git("remote", "add", "origin", "https://example.invalid/x/y")
    repository("empty").git("remote", "add", "origin", "https://example.invalid/x/y")
    urls = ["https://alice:SECRET@example.invalid/x/y", "ssh://git@example.invalid/x/y.git"]
    key, clone = "example.invalid/x/y", f"{tmp_path}/clone"
    found = find_sources([*urls, tmp_path / "clone"], cache=cache)
    assert [source.location for source in found.sources] == [clone]
    assert found.left_out == (
        LeftOut("https://example.invalid/x/y", "duplicate", "not on this machine", key, clone),
        LeftOut("ssh://example.invalid/x/y.git", "duplicate", "not on this machine", key, clone),
    )
    found = find_sources([tmp_path / "empty", *urls], cache=cache)
    assert [source.url for source in found.sources if isinstance(source, RemoteSource)] == urls[:1]
    assert [(left.location, left.reason) for left in found.left_out] == [
        (f"{tmp_path}/empty", "no commit"),
        ("ssh://example.invalid/x/y.git", "another URL of the same repository"),
    ]
    assert (found.unusable, cache.exists()) == ((), False)


def test_nothing_is_fetched_if_all_keys_differ(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    url = f"file://{repository('remote', {'f': b'1'}).folder}"
    found = find_sources([repository("clone", {"f": b"2"}).folder, url], cache=cache)
    assert [type(source) for source in found.sources] == [GitSource, RemoteSource]
    assert not cache.exists()


def test_one_name_for_two_sources_is_not_a_duplicate_but_a_mistake(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    for name in ("a", "b"):
        repository(name, {"f": b"1"})
    found = find_sources([ListedSource(tmp_path / name, "same") for name in ("a", "b")], cache=cache)
    assert keys(found.sources, tmp_path) == {"a": "same"}
    [unusable] = found.unusable
    assert unusable.name == f"{tmp_path}/b"
    assert str(unusable.error).endswith("give it another name")


def test_a_listed_source_has_its_own_name_and_revision(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    made = repository("farm/a", {"f": b"1"})
    made.git("tag", "v1")
    made.commit({"f": b"2"})
    repository("farm/b", {"f": b"1"}).git("tag", "v0")
    listed = [
        ListedSource(tmp_path / "farm"),
        ListedSource(tmp_path / "farm/a", "first", "v1"),
        ListedSource(tmp_path / "farm/a", "second"),
    ]
    found = find_sources(listed, cache=cache, rev="main")
    assert [(source.key, source.key_kind, source.revision) for source in found.sources] == [
        (f"{tmp_path}/farm/b", "path", Repository(tmp_path / "farm/b").git("rev-parse", "main")),
        ("first", "name", made.git("rev-parse", "v1")),
        ("second", "name", made.git("rev-parse", "main")),
    ]


def test_a_url_is_listed_with_a_name_beside_its_own_key(tmp_path: Path, cache: Path) -> None:
    url = "https://example.org/a/b"
    found = find_sources([url, ListedSource(url, "mine", "v1")], cache=cache)
    assert [source.key for source in found.sources] == ["example.org/a/b", "mine"]


def test_an_impossible_name_or_revision_makes_only_that_source_unusable(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    for name in ("farm/a", "farm/b"):
        repository(name, {"f": b"1"})
    (tmp_path / "plain").mkdir()
    listed = [ListedSource(tmp_path / "farm", "both"), ListedSource(tmp_path / "plain", rev="v1")]
    found = find_sources([*listed, tmp_path / "farm/a"], cache=cache)
    assert [*keys(found.sources, tmp_path)] == ["farm/a"]
    assert ["2 repositories, and the name both is for one" in str(it.error) for it in found.unusable] == [True, False]
    assert "is not a git repository" in str(found.unusable[1].error)
    with pytest.raises(UsageError, match=r"the list names the source one; leave --name out"):
        find_sources([ListedSource(tmp_path / "plain", "one")], name="two", cache=cache)


def zipped(path: Path, *names: str) -> Path:
    """Makes an archive of small files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "x = 1\n")
    return path


def written(folder: Path, *names: str) -> Path:
    """Makes small files in a folder."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x = 1\n")
    return folder


def test_plain_folders_among_clones_are_named_and_archives_are_sources(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    repository("farm/deep/clone", {"inside/f": b"1"})
    farm = written(tmp_path / "farm", "plain/below/f.py", "deep/other/f.py", "README", "plain/a.zip")
    (farm / "empty/below").mkdir(parents=True)
    zipped(farm / "deep/b.zip")
    zipped(farm / "arch/1.zip")
    zipped(farm / "arch/older/0.tgz")
    written(farm, "arch/SHA256SUMS")
    os.mkfifo(farm / "deep/pipe.zip")
    found = find_sources([farm], cache=cache)
    assert [*keys(found.sources, farm)] == ["arch/1.zip", "arch/older/0.tgz", "deep/b.zip", "deep/clone"]
    folder = ("folder", "a plain folder among clones or archives; name it to index it")
    assert left_out(found, farm) == {"deep/other": folder, "plain": folder}


def test_a_folder_of_archives_alone_is_not_a_plain_folder(tmp_path: Path, cache: Path) -> None:
    arch = written(tmp_path / "arch", "SHA256SUMS", "README.md", ".hidden.py")
    zipped(arch / "a.zip")
    zipped(arch / "older/b.jar")
    zipped(tmp_path / "elsewhere/c.zip")
    (arch / "c").symlink_to(tmp_path / "elsewhere")
    (arch / "c.zip").symlink_to(tmp_path / "elsewhere/c.zip")
    (arch / "again.zip").symlink_to("a.zip")
    (arch / "older/c.zip").symlink_to(tmp_path / "elsewhere/c.zip")
    found = find_sources([arch], cache=cache)
    assert [*keys(found.sources, tmp_path)] == ["arch/a.zip", "arch/older/b.jar", "elsewhere/c.zip"]
    assert {source.kind for source in found.sources} == {"archive"}
    reason = ("archive", "a link to an archive; name it to index it")
    assert left_out(found, tmp_path) == {"arch/older/c.zip": reason}
    listed = find_sources([arch, ListedSource(arch / "a.zip", "mine")], cache=cache)
    assert {"mine", str(arch / "older/b.jar")} < {source.key for source in listed.sources}
    assert str(arch / "a.zip") not in {source.key for source in listed.sources}


def test_a_project_with_archives_among_its_files_is_one_source(tmp_path: Path, cache: Path) -> None:
    project = written(tmp_path / "project", "src/main/App.java", "pom.xml")
    for number in range(9):
        zipped(project / f"lib/{number}.jar")
    zipped(project / "data.zip")
    found = find_sources([project], cache=cache)
    assert [(source.kind, source.location) for source in found.sources] == [("directory", str(project))]
    assert left_out(found, project) == {"data.zip": ("archive", "an archive in a plain folder; name it to index it")}


def test_a_project_whose_test_data_hold_repositories_is_one_source(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    made = repository("made", {"f.py": b"1"})
    project = written(tmp_path / "project", "setup.py", "README", "LICENSE", "src/a.py", "tests/test_a.py")
    made.git("clone", "--quiet", "--bare", made.folder, project / "tests/data/bare.git")
    made.git("clone", "--quiet", made.folder, project / "tests/data/tree")
    written(project, "tests/broken/.git")
    found = find_sources([project], name="project", cache=cache)
    (source,) = found.sources
    assert (source.kind, source.location, found.unusable) == ("directory", str(project), ())
    paths = {entry.path: entry.skip for entry in source.entries()}
    assert paths == {
        **dict.fromkeys(("LICENSE", "README", "setup.py", "src/a.py", "tests/test_a.py", "tests/data/tree/f.py")),
        "tests/broken/.git": None,
        "tests/data/bare.git": SkipReason.SUBMODULE,
    }
    reason = ("folder", "a repository in a plain folder; name it to index it on its own")
    assert left_out(found, project) == {"tests/data/bare.git": reason, "tests/data/tree": reason}
    # If the same project is next to a clone, it is a plain folder, and its repositories are not sources.
    (tmp_path / "farm").mkdir()
    project.rename(tmp_path / "farm/project")
    made.folder.rename(tmp_path / "farm/made")
    beside = find_sources([tmp_path / "farm"], cache=cache)
    assert [*keys(beside.sources, tmp_path)] == ["farm/made"]
    assert [*left_out(beside, tmp_path)] == ["farm/project"]


def test_a_link_to_a_clone_is_followed_in_the_folder_that_is_named(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    repository("farm/clone", {"f": b"1"})
    other = repository("other", {"f": b"1"})
    farm = tmp_path / "farm"
    (farm / "link").symlink_to(other.folder)
    (farm / "again").symlink_to(other.folder / ".git")
    (farm / "here").symlink_to("clone")
    (farm / "gone").symlink_to(tmp_path / "nothing")
    (farm / "loop").symlink_to("loop")
    (farm / "up").symlink_to("..")
    repository("farm/deep/own", {"f": b"1"})
    (farm / "deep/link").symlink_to(other.folder)
    found = find_sources([farm], cache=cache)
    assert [*keys(found.sources, tmp_path)] == ["farm/clone", "farm/deep/own", "other"]
    assert found.warnings == ()
    assert left_out(found, tmp_path) == {"farm/deep/link": ("folder", "a link to a clone; name it to index it")}
    (tmp_path / "links").mkdir()
    (tmp_path / "links/one").symlink_to(other.folder)
    assert [*keys(find_sources([tmp_path / "links"], cache=cache).sources, tmp_path)] == ["other"]
    listed = find_sources([tmp_path / "links", ListedSource(other.folder, "mine")], cache=cache)
    assert [source.key for source in listed.sources] == ["mine"]
    (other.folder / ".git/objects/info/alternates").write_text(f"{farm}/clone/.git/objects\n")
    (warning,) = find_sources([tmp_path / "links"], cache=cache).warnings
    assert f"other is read from {farm}/clone/.git/objects, outside of the named folder" in warning


def test_a_git_directory_that_cannot_be_read_is_not_called_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "clone/.git").mkdir(parents=True)
    assert "clone it again" in broken_clone(tmp_path / "clone")
    monkeypatch.setattr("os.access", lambda *_: False)  # as if there were no permission, even for root
    assert broken_clone(tmp_path / "clone") == f"{tmp_path}/clone/.git cannot be read; check its permissions"


def test_a_mirror_without_a_remote_has_the_key_of_its_path(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    repository("github.com/owner/mirror.git", None, "--bare")
    repository("github.com/owner/clone.git", None, "--bare").git("remote", "add", "origin", "https://example.org/x/y")
    repository("other", {"f": b"1"})
    found = find_sources([tmp_path], key_from="{host}/{owner}/{name}.git", cache=cache)
    assert [(source.key, source.key_kind) for source in found.sources] == [
        ("example.org/x/y", "remote"),
        ("github.com/owner/mirror", "remote"),
        (f"{tmp_path}/other", "path"),
    ]
    [warning] = found.warnings
    assert warning.startswith(f"--key-from does not match {tmp_path}/other, and no remote gives a key")
    with pytest.raises(UsageError, match=r"^--key-from is '\{name\}'"):
        find_sources([tmp_path], key_from="{name}", cache=cache)


def with_submodules(repository: MakeRepository, tmp_path: Path) -> Repository:
    """A repository with a submodule that has a submodule too. Both have a newer commit than the recorded one."""
    inner = repository("origins/inner", {"inner.py": b"1"})
    middle = repository("origins/middle", {"middle.py": b"1"})
    middle.git("submodule", "--quiet", "add", inner.folder, "in")
    middle.commit()
    made = repository("super", {"super.py": b"1"})
    made.git("submodule", "--quiet", "add", "--name", "a/name", middle.folder, "lib/mid dle")
    made.git("submodule", "--quiet", "update", "--init", "--recursive")
    made.commit()
    for name in ("lib/mid dle/in", "lib/mid dle"):
        Repository(tmp_path / "super" / name).commit({"later.py": b"1"})
    shutil.rmtree(tmp_path / "origins")
    return made


def paths(found: FoundSources) -> dict[str, list[str]]:
    """The paths that each source lists, by the last part of its location."""
    return {
        source.location.rpartition("/")[2]: [entry.path for entry in source.entries() if entry.skip is None]
        for source in found.sources
    }


@pytest.mark.slow
def test_submodules_are_sources_at_the_recorded_commit(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    made = with_submodules(repository, tmp_path)
    Repository(tmp_path / "super/lib/mid dle").git("remote", "set-url", "origin", "https://example.org/x/middle")
    assert [*paths(find_sources([made.folder], cache=cache))] == ["super"]
    found = find_sources([made.folder], recurse_submodules=True, cache=cache)
    assert paths(found) == {
        "super": [".gitmodules", "super.py"],
        "mid dle": [".gitmodules", "middle.py"],
        "in": ["inner.py"],
    }
    assert keys(found.sources, tmp_path)["super/lib/mid dle"] == "example.org/x/middle"
    assert (found.left_out, found.warnings, found.unusable) == ((), (), ())
    named = find_sources([made.folder, made.folder / "lib/mid dle"], recurse_submodules=True, cache=cache)
    assert paths(named)["mid dle"] == [".gitmodules", "later.py", "middle.py"]


@pytest.mark.slow
def test_a_submodule_that_is_not_checked_out_is_read_from_the_git_directory(
    repository: MakeRepository, tmp_path: Path, cache: Path
) -> None:
    made = with_submodules(repository, tmp_path)
    Repository(tmp_path / "super/lib/mid dle").git("remote", "set-url", "origin", "https://example.org/x/middle")
    shutil.rmtree(made.folder / "lib")
    found = find_sources([made.folder], recurse_submodules=True, cache=cache)
    assert paths(found) == {
        "super": [".gitmodules", "super.py"],
        "name": [".gitmodules", "middle.py"],
        "in": ["inner.py"],
    }
    assert found.sources[1].key == "example.org/x/middle"
    bare = tmp_path / "bare.git"
    shutil.move(made.folder / ".git", bare)
    Repository(bare).git("config", "core.bare", "true")
    assert [*paths(find_sources([bare], recurse_submodules=True, cache=cache))] == ["bare.git", "name", "in"]


@pytest.mark.slow
def test_a_missing_submodule_is_left_out_with_a_reason(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    made = with_submodules(repository, tmp_path)
    shutil.rmtree(made.folder / "lib/mid dle/in")
    shutil.rmtree(made.folder / ".git/modules/a/name/modules")
    found = find_sources([made.folder], recurse_submodules=True, cache=cache)
    assert [*paths(found)] == ["super", "mid dle"]
    [missing] = found.left_out
    assert (missing.location, missing.kind) == (f"{made.folder}/lib/mid dle/in", "submodule")
    assert missing.reason.startswith("a submodule: it is not checked out; run `git submodule update --init` in ")
    made.git("update-index", "--cacheinfo", f"160000,{'1' * 40},lib/mid dle")
    made.git("commit", "--quiet", "-m", "a commit that is nowhere")
    found = find_sources([made.folder], recurse_submodules=True, cache=cache)
    assert [*paths(found)] == ["super"]
    assert "commit 111111111111 is not in its clone" in found.left_out[0].reason


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("../../../victim", "lib"),
        ("/VICTIM", "lib"),
        ("link", "lib"),
        ("..", "lib"),
        ("", "lib"),
        ("lib", "link"),
        ("lib", "link/lib"),
        ("\x1b[2J", "\x1b[2J"),
        ("x" * 5_000, "x" * 300),
    ],
)
def test_hostile_submodules_are_not_followed(
    repository: MakeRepository, tmp_path: Path, cache: Path, name: str, path: str
) -> None:
    victim = repository("victim", {"secret.py": b"1"})
    commit = victim.git("rev-parse", "HEAD")
    made = repository("farm/super", {"super.py": b"1"})
    (made.folder / ".git/modules").mkdir()
    (made.folder / ".git/modules/link").symlink_to(victim.folder)
    quoted = name.replace("VICTIM", str(victim.folder)).replace("\x1b", "\\x1b")
    urls = f"url = ext::sh -c touch% {tmp_path}/touched\n\tupdate = !touch {tmp_path}/touched\n"
    modules = f'[include]\n\tpath = {tmp_path}/more\n[submodule "{quoted}"]\n\tpath = {path}\n\t{urls}'
    made.write({".gitmodules": modules.encode()})
    (made.folder / "link").symlink_to(victim.folder if path == "link" else tmp_path)
    made.git("add", ".gitmodules")
    made.git("update-index", "--add", "--cacheinfo", f"160000,{commit},{path}")
    made.git("commit", "--quiet", "-m", "Change")
    found = find_sources([tmp_path / "farm"], recurse_submodules=True, cache=cache)
    assert paths(found) == {"super": [".gitmodules", "super.py"]}
    [missing] = found.left_out
    assert missing.location == f"{made.folder}/{path}"
    assert not (tmp_path / "touched").exists()


def test_strict_lists_every_source_first(repository: MakeRepository, tmp_path: Path, cache: Path) -> None:
    repository("farm/good", {"f": b"1"})
    found = find_sources([tmp_path / "farm", "https://example.invalid/a/b"], cache=cache, strict=True)
    assert len(found.sources) == 2
    assert not cache.exists()
    (tmp_path / "bad.zip").write_bytes(b"PK")
    assert len(find_sources([tmp_path / "farm", tmp_path / "bad.zip"], cache=cache).sources) == 2
    with pytest.raises(SourceError, match=r"cannot read the archive .*bad.zip"):
        find_sources([tmp_path / "farm", tmp_path / "bad.zip"], cache=cache, strict=True)
    broken = repository("farm/broken", {"f": b"1"})
    tree = broken.git("rev-parse", "HEAD^{tree}")
    (broken.folder / ".git/objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(SourceError, match=r"cannot list .*farm/broken"):
        find_sources([tmp_path / "farm"], cache=cache, strict=True)
