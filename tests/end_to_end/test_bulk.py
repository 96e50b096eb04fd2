"""Indexing many sources in one run: the errors of some are reported at the end, and the others are indexed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import Wherefrom, module_source
from tests.repositories import Repository
from wherefrom import DuplicateSource, ListedSource, SourceError, index_sources

HEAPQ, TEXTWRAP, BISECT, QUOPRI = map(module_source, ("heapq", "textwrap", "bisect", "quopri"))

KEY = "github.com/Owner/Repo"


def clone(folder: Path, files: dict[str, bytes], remote: str | None = None) -> Repository:
    """A clone of a repository at this address."""
    made = Repository.make(folder, files)
    if remote is not None:
        made.git("remote", "add", "origin", f"https://{remote}.git")
    return made


def listed(wherefrom: Wherefrom) -> dict[str, tuple[str, str]]:
    """What kind of key the index holds for each location, and the key."""
    return {
        at["location"].removeprefix(f"{wherefrom.folder}/"): (at["key_kind"], at["repository"])
        for at in wherefrom.json("list")["repositories"]
    }


@pytest.fixture
def farm(wherefrom: Wherefrom) -> Wherefrom:
    """Two clones of one repository and a linked work tree, a sound clone, a broken one, half of one, and other things
    that are found among clones.
    """
    first = clone(wherefrom.folder / "farm/first", {"heap.py": HEAPQ}, KEY)
    clone(wherefrom.folder / "farm/second", {"heap.py": HEAPQ + b"\n# a fork\n"}, KEY.lower())
    first.git("worktree", "add", "--quiet", "--detach", wherefrom.folder / "farm/linked")
    clone(wherefrom.folder / "farm/sound", {"wrap.py": TEXTWRAP})
    broken = clone(wherefrom.folder / "farm/broken", {"bisect.py": BISECT})
    tree = broken.git("rev-parse", "HEAD^{tree}")
    (broken.folder / ".git/objects" / tree[:2] / tree[2:]).unlink()
    (wherefrom.folder / "farm/half/.git").mkdir(parents=True)
    (wherefrom.folder / "farm/plain").mkdir()
    (wherefrom.folder / "farm/plain/quopri.py").write_bytes(QUOPRI)
    (wherefrom.folder / "farm/old.zip").write_bytes(b"PK")
    (wherefrom.folder / "bad.tar.gz").write_bytes(b"no archive")
    (wherefrom.folder / "list").write_text("farm\nnot/there\nbad.tar.gz\nfarm/sound/wrap.py\n")
    return wherefrom


def test_a_run_over_many_sources_says_what_is_wrong_and_indexes_the_rest(farm: Wherefrom) -> None:
    code, output, errors = farm.run("index", "also/missing", "--from", "list", "--format", "json")
    assert (code, errors.count("\n")) == (2, 7)
    answer: dict[str, Any] = json.loads(output)
    assert {at["repository"].removeprefix(f"{farm.folder}/"): at["status"] for at in answer["repositories"]} == {
        KEY: "indexed",
        "farm/sound": "indexed",
        "farm/broken": "failed",
        "farm/half": "failed",
        "farm/old.zip": "failed",
        "also/missing": "failed",
        "not/there": "failed",
        "bad.tar.gz": "failed",
        "farm/sound/wrap.py": "failed",
    }
    assert {at["location"].removeprefix(f"{farm.folder}/farm/"): at["kind"] for at in answer["left_out"]} == {
        "second": "duplicate",
        "linked": "duplicate",
        "plain": "folder",
    }
    assert set(listed(farm)) == {"farm/first", "farm/sound"}
    text = farm("index", "also/missing", "--from", "list", code=2, COLUMNS="200")
    assert "9 repositories: 7 failed, 2 unchanged\n" in text
    assert (
        f"left out: {farm.folder}/farm/linked: a linked work tree; {KEY} is read from {farm.folder}/farm/first" in text
    )
    assert "failed: no such file or folder: not/there; check the path, or give a URL (https://...)\n" in text


def test_a_duplicate_alone_is_not_a_failure(farm: Wherefrom) -> None:
    report = farm.json("index", "farm/first", "farm/second", "farm/sound", code=0)
    assert [at["reason"] for at in report["left_out"]] == ["no newer commit"]
    assert set(listed(farm)) == {"farm/first", "farm/sound"}


@pytest.mark.parametrize(
    ("sources", "wrong"),
    [
        (("farm/first", "farm/second"), "have one repository key, github.com/Owner/Repo"),
        (("farm/sound", "not/there"), "no such file or folder: not/there"),
        (("farm/sound", "farm/broken"), "cannot list "),
        (("farm/sound", "bad.tar.gz"), "cannot read the archive "),
    ],
)
def test_strict_refuses_what_would_be_reported_before_anything_is_written(
    farm: Wherefrom, sources: tuple[str, ...], wrong: str
) -> None:
    assert wrong in farm("index", "--strict", *sources, code=2)
    assert not Path(farm.index).exists()


def test_where_no_source_is_left_there_is_an_error_and_no_index(farm: Wherefrom) -> None:
    missing = farm("index", "not/there", code=2)
    assert missing == (
        "wherefrom: error: no such file or folder: not/there; check the path, or give a URL (https://...)\n"
    )
    assert "2 sources cannot be used; the first one: " in farm("index", "farm/half", "not/there", code=2)
    assert not Path(farm.index).exists()


def test_a_list_gives_names_and_revisions(farm: Wherefrom) -> None:
    sound = Repository(farm.folder / "farm/sound")
    sound.git("tag", "v1")
    sound.commit({"wrap.py": QUOPRI})
    objects = [{"source": "farm/sound", "name": "newest"}, {"source": "farm/first", "rev": "main"}]
    lines = ["farm/sound\tlib 1.0\tv1", *map(json.dumps, objects), "farm/second\t\tnowhere"]
    report = farm.indexes("--from", "-", code=2, stdin="\n".join(lines).encode())
    revisions = {name: report[name]["revision"] for name in ("lib 1.0", "newest")}
    assert revisions == {"lib 1.0": sound.git("rev-parse", "v1"), "newest": sound.git("rev-parse", "main")}
    assert {at["repository"]: at["key_kind"] for at in farm.json("list")["repositories"]} == {
        "lib 1.0": "name",
        "newest": "name",
        KEY: "remote",
    }
    assert "line 2 of the list: it has more columns" in farm("index", "--from", "-", code=2, stdin=b"a\nb\tc\td\te\n")


def test_the_library_takes_named_sources(farm: Wherefrom) -> None:
    sources = [ListedSource(farm.folder / "farm/first", name="mine"), ListedSource("not/there")]
    report = index_sources(sources, farm.index, jobs=1)
    assert [(at.key, at.status) for at in report.repositories] == [("mine", "indexed"), ("not/there", "failed")]
    with pytest.raises(DuplicateSource, match=r"the index holds mine already as the name of .*farm/first"):
        index_sources([ListedSource(farm.folder / "farm/second", name="mine")], farm.index)


@pytest.mark.nightly
def test_github_keys_are_one_in_either_case(farm: Wherefrom) -> None:
    farm.indexes("farm/first")
    report = farm.json("index", "farm/second")
    assert [(at["repository"], at["status"]) for at in report["repositories"]] == [(KEY, "indexed")]
    assert listed(farm) == {"farm/second": ("remote", KEY)}
    other = clone(farm.folder / "other", {"heap.py": HEAPQ}, "gitlab.com/Owner/Repo")
    farm.indexes("other")
    other.git("remote", "set-url", "origin", "https://gitlab.com/owner/repo")
    farm.indexes("other")
    assert len(farm.json("list")["repositories"]) == 3


@pytest.mark.nightly
def test_a_name_never_takes_the_place_of_another_source(farm: Wherefrom) -> None:
    farm.indexes("farm/first")
    farm.indexes("farm/sound", "--name", "mine")
    assert farm.indexes("farm/sound", "--name", "mine")["mine"]["status"] == "unchanged"
    before = listed(farm)
    for options, contained in (
        (("farm/plain", "--name", KEY), f"{KEY} already from a remote, of {farm.folder}/farm/first"),
        (("farm/first", "--name", KEY.lower()), f"{KEY} already from a remote, of {farm.folder}/farm/first"),
        (("farm/plain", "--name", "mine"), f"mine already as the name of {farm.folder}/farm/sound"),
    ):
        refused = farm("index", *options, code=2)
        assert refused.startswith(f"wherefrom: error: the index holds {contained}, and ")
        assert "; use another name, or remove that with `wherefrom remove " in refused
    assert listed(farm) == before
    report = farm.json("index", "--from", "-", "farm/second", code=2, stdin=b"farm/plain\tmine\n")
    assert [at["status"] for at in report["repositories"]] == ["indexed", "failed"]
    farm("remove", "mine")
    farm.indexes("farm/plain", "--name", "mine")
    assert listed(farm)["farm/plain"] == ("name", "mine")


def test_a_clone_does_not_take_the_place_of_what_was_named_like_it(farm: Wherefrom) -> None:
    farm.indexes("farm/plain", "--name", KEY)
    assert f"the index holds {KEY} already as the name of " in farm("index", "farm/first", code=2)
    assert listed(farm) == {"farm/plain": ("name", KEY)}


def test_a_mirror_gets_its_key_from_its_path(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "made", {"heap.py": HEAPQ})
    made.git("clone", "--quiet", "--bare", made.folder, wherefrom.folder / "mirrors/Owner+Repo.git")
    mirror = Repository(wherefrom.folder / "mirrors/Owner+Repo.git")
    mirror.git("remote", "remove", "origin")
    wherefrom.indexes("mirrors", "--key-from", "{owner}+{name}.git=github.com/{owner}/{name}")
    assert listed(wherefrom) == {"mirrors/Owner+Repo.git": ("remote", KEY)}
    assert "--key-from is '{name}': it has no {host}" in wherefrom("index", "mirrors", "--key-from", "{name}", code=2)


def test_submodules_are_indexed_at_the_commit_that_is_recorded(wherefrom: Wherefrom) -> None:
    for name, files in (("inner", {"heap.py": HEAPQ}), ("gone", {"bisect.py": BISECT})):
        Repository.make(wherefrom.folder / "origins" / name, files)
    made = Repository.make(wherefrom.folder / "super", {"wrap.py": TEXTWRAP})
    for name in ("inner", "gone"):
        made.git("submodule", "--quiet", "add", wherefrom.folder / "origins" / name, f"lib/{name}")
    made.commit()
    inner = Repository(made.folder / "lib/inner")
    inner.git("remote", "set-url", "origin", f"https://{KEY}")
    recorded = inner.git("rev-parse", "HEAD")
    inner.commit({"quopri.py": QUOPRI})
    for left in (made.folder / "lib/gone", made.folder / ".git/modules/lib/gone"):
        shutil.rmtree(left)
    assert set(wherefrom.indexes("super").repositories) == {"super"}
    answer = wherefrom.json("index", "super", "--recurse-submodules")
    assert {at["repository"].rpartition("/")[2]: at["status"] for at in answer["repositories"]} == {
        "super": "unchanged",
        "Repo": "indexed",
    }
    assert answer["repositories"][1]["revision"] == recorded
    assert [(at["location"], at["kind"]) for at in answer["left_out"]] == [(f"{made.folder}/lib/gone", "submodule")]
    assert "a submodule: it is not checked out; run `git submodule update" in wherefrom(
        "index", "super", "--recurse-submodules", COLUMNS="200"
    )


def test_an_index_is_not_rebuilt_without_a_source_that_is_missing(farm: Wherefrom) -> None:
    with pytest.raises(SourceError, match=r"not/there.*; the index in use is as it was: repair the source, or leave"):
        index_sources([farm.folder / "farm/sound", "not/there"], farm.index, rebuild=True)


def test_a_source_of_which_nothing_is_indexed_is_a_warning(wherefrom: Wherefrom) -> None:
    Repository.make(wherefrom.folder / "sound", {"wrap.py": TEXTWRAP})
    Repository.make(wherefrom.folder / "clones/none", {})
    (wherefrom.folder / "links").mkdir()
    (wherefrom.folder / "links/etc").symlink_to("/etc")
    (wherefrom.folder / "links/none").write_bytes(b"\0")
    (wherefrom.folder / "links/program").write_bytes(b"\x7fELF" + bytes(12))
    (wherefrom.folder / "hand-ins").mkdir()
    (wherefrom.folder / "hand-ins/readme.md").write_text("the hand-ins of a course")
    for number in range(30):
        (wherefrom.folder / f"hand-ins/{number}.rar").write_bytes(b"Rar!")
    why = "all are skipped (1 binary, 1 empty, 1 symlink)"
    expected = [
        f"no file of {wherefrom.folder}/links is indexed: {why}; --skipped lists them",
        f"no file of {wherefrom.folder}/clones/none is indexed: it has none",
    ]
    few = f"only 1 of 31 files of {wherefrom.folder}/hand-ins is indexed: the others are skipped (30 archive)"
    expected.append(f"{few}; --skipped lists them; name or unpack the archives")
    for _ in range(2):  # also where nothing has changed
        done, output, errors = wherefrom.run("index", "links", "clones", "sound", "hand-ins", "--format", "json")
        assert (done, json.loads(output)["warnings"]) == (0, expected)
        assert errors == "".join(f"wherefrom: warning: {warning}\n" for warning in expected)


def test_archives_and_links_to_clones_in_a_folder_are_sources(wherefrom: Wherefrom) -> None:
    made = Repository.make(wherefrom.folder / "made", {"wrap.py": TEXTWRAP})
    folder = wherefrom.folder / "sources"
    (folder / "archives").mkdir(parents=True)
    made.git("archive", "--format=zip", "--prefix=wrap-1.0/", f"--output={folder}/archives/wrap-1.0.zip", "HEAD")
    (folder / "linked").symlink_to(made.folder)
    report = wherefrom.indexes("sources")
    assert {key: repository["files"] for key, repository in report.repositories.items()} == {
        "made": 1,
        "wrap-1.0.zip": 1,
    }
    assert [at["repository"] for at in wherefrom.json("list")["repositories"]] == [
        str(made.folder),
        f"{folder}/archives/wrap-1.0.zip",
    ]
