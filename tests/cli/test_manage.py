"""Shows what an index contains, and removes repositories from it: `list`, `remove`, `prune`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.terminal import Ended, on_terminal
from tests.processes import HANGS

Run = Callable[..., "subprocess.CompletedProcess[str]"]
OnTerminal = Callable[..., Ended]

ESCAPE, SHOWN = ("", "") if sys.platform == "win32" else ("\x1b", "␛")  # no name of Windows has one

CODE = "def {name}(first, *others):\n    return [{name} + other for other in others if other > first]\n"


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    """A folder with three plain folders of code in it: `one`, `two` and `three`; and one that is never indexed."""
    for name in ("one", "two", "three", "other"):
        (tmp_path / "code" / name).mkdir(parents=True)
        (tmp_path / "code" / name / "a.py").write_text(CODE.format(name=name))
    (tmp_path / "code" / "one" / "sub folder").mkdir()
    (tmp_path / "code" / "one" / "sub folder" / f"b{ESCAPE}.py").write_text(CODE.format(name="b"))
    return tmp_path / "code"


@pytest.fixture
def indexed(run: Run, folders: Path) -> Run:
    """Runs the command with an index of the three folders."""
    done = run("index", *(str(folders / name) for name in ("one", "two", "three")))
    assert (done.returncode, done.stderr) == (0, "")
    return run


@pytest.fixture
def terminal(indexed: Run, environment: dict[str, str], tmp_path: Path) -> OnTerminal:
    """Runs the command on a terminal, with that index."""

    def call(*arguments: str, typed: str = "") -> Ended:
        return on_terminal(["-m", "wherefrom", *arguments], environment, tmp_path, typed=typed)

    return call


def listed(run: Run) -> list[str]:
    """The last parts of the keys in the index."""
    records = json.loads(run("list", "--format", "json").stdout)["repositories"]
    return [record["repository"].rpartition("/")[2] for record in records]


def test_the_files_of_a_repository_are_listed_one_on_each_line(indexed: Run, folders: Path) -> None:
    done = indexed("list", str(folders / "one"))
    assert (done.returncode, done.stderr, done.stdout) == (0, "", f"a.py\nsub folder/b{SHOWN}.py\n")
    files = json.loads(indexed("list", str(folders / "one"), "--format", "json").stdout)["files"]
    assert [file["path"] for file in files] == ["a.py", f"sub folder/b{ESCAPE}.py"]
    assert {file["repository"] for file in files} == {str(folders / "one")}
    assert all(len(file["blob"]) == 40 and file["revision"] for file in files)


def test_a_repository_that_is_not_indexed_has_no_files_to_list(indexed: Run) -> None:
    done = indexed("list", "github.com/no/such")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "wherefrom: error: no repository in the index matches 'github.com/no/such'; see `wherefrom list`\n"
    )


def test_the_repositories_of_one_project_are_listed_below_it(run: Run, folders: Path) -> None:
    for name in ("b", "c", "d"):
        (folders / "one" / f"{name}.py").write_text("".join(CODE.format(name=name + str(at)) for at in range(3)))
    shutil.copytree(folders / "one", folders / "fork")
    (folders / "fork" / "own.py").write_text(CODE.format(name="own"))
    for name in ("one", "fork", "two"):
        assert run("index", "--name", f"github.com/{name}/tool", str(folders / name)).returncode == 0
    done = run("list", "--projects")
    assert (done.returncode, done.stderr) == (0, "")
    header, *lines = [line.split() for line in done.stdout.splitlines()]
    assert header == ["project", "same", "as", "because", "same", "files"]
    assert lines == [
        ["github.com/fork/tool"],
        ["github.com/one/tool", "github.com/fork/tool", "fork", "5", "of", "6"],
        ["github.com/two/tool"],
    ]
    listed = json.loads(run("list", "--projects", "--format", "json", "github.com/one/tool").stdout)["projects"]
    assert [(project["project"], len(project["names"])) for project in listed] == [("github.com/fork/tool", 2)]
    own = "--own", "project:github.com/one/tool"

    def places(*options: str) -> set[str]:
        code = (folders / "one" / "b.py").read_text()
        found = json.loads(run("search", "-", "--format", "json", *options, input=code).stdout)
        assert found["warnings"] == []
        return {at["repository"] for hit in found["hits"] for at in hit["occurrences"]}

    project = {"github.com/fork/tool", "github.com/one/tool"}
    assert project <= places()
    assert not project & places(*own)


@pytest.fixture
def forks(run: Run, folders: Path) -> Run:
    """Runs the command with an index of two repositories of one name, and a third one."""
    keys = {"one": "github.com/Redis/Redis", "two": "gitlab.com/fork/redis", "three": "github.com/x/zlib"}
    for name, key in keys.items():
        assert run("index", "--name", key, str(folders / name)).returncode == 0
    return run


@pytest.mark.nightly
def test_the_last_part_of_a_key_names_a_repository(forks: Run) -> None:
    for name in ("zlib", "x/zlib", "X/Zlib", "github.com/x/zlib"):
        assert forks("list", name).stdout == "a.py\n"
    assert forks("list", "fork/redis").stdout == "a.py\n"
    assert [line.split()[0] for line in forks("list", "github.com/*").stdout.splitlines()[1:]] == [
        "github.com/Redis/Redis",
        "github.com/x/zlib",
    ]
    assert forks("similar", "redis/redis:a.py", "--locations").stdout
    assert forks("boilerplate", "add", "common", "--repository", "zlib").returncode == 0
    assert forks("remove", "zlib").stdout == "removed github.com/x/zlib: 1 file\n"


@pytest.mark.parametrize("command", ["list redis", "remove --yes zlib redis", "similar redis:a.py"])
def test_the_last_part_of_several_keys_is_an_error_that_names_them(forks: Run, command: str) -> None:
    done = forks(*command.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "wherefrom: error: 'redis' may be github.com/Redis/Redis or gitlab.com/fork/redis; give one of these keys, or "
        "the pattern '*/redis'\n"
    )
    assert len(listed(forks)) == 3


@pytest.mark.parametrize("command", ["list zlb", "remove zlb", "similar zlb:a.py"])
def test_an_unknown_name_says_which_keys_are_spelled_like_it(forks: Run, command: str) -> None:
    done = forks(*command.split())
    assert done.returncode == 2
    assert done.stderr == (
        "wherefrom: error: no repository in the index matches 'zlb'; did you mean github.com/x/zlib? `wherefrom list` "
        "shows all\n"
    )


def test_several_patterns_remove_what_they_match(indexed: Run, folders: Path) -> None:
    done = indexed("remove", "--yes", "*/t[hw]*", str(folders / "one"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"removed {folders / 'one'}: 2 files",
        f"removed {folders / 'three'}: 1 file",
        f"removed {folders / 'two'}: 1 file",
    ]
    assert listed(indexed) == []


def test_a_pattern_that_matches_nothing_is_an_error_and_nothing_is_removed(indexed: Run) -> None:
    done = indexed("remove", "*/one", "*/nothing")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "wherefrom: error: no repository in the index matches '*/nothing'; see `wherefrom list`\n"
    assert listed(indexed) == ["one", "three", "two"]


def test_a_key_with_characters_of_patterns_names_itself(run: Run, folders: Path) -> None:
    for name in ("[t]wo", "two"):
        assert run("index", "--name", f"x/{name}", str(folders / "two")).returncode == 0
    assert run("remove", "x/[t]wo").stdout == "removed x/[t]wo: 1 file\n"
    assert listed(run) == ["two"]


def test_on_github_the_case_of_letters_does_not_count(run: Run, folders: Path) -> None:
    for name in ("One/Tools", "two/tools"):
        assert run("index", "--name", f"github.com/{name}", str(folders / "two")).returncode == 0
    assert run("list", "GitHub.com/one/tools").stdout == "a.py\n"
    assert run("remove", "--yes", "github.com/ONE/*", "*/two/*").stdout.splitlines() == [
        "removed github.com/One/Tools: 1 file",
        "removed github.com/two/tools: 1 file",
    ]


@pytest.mark.nightly
def test_without_a_terminal_a_pattern_removes_several_with_yes_alone(indexed: Run, folders: Path) -> None:
    done = indexed("remove", "*/t[hw]*")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        f"{folders / 'three'}: 1 file",
        f"{folders / 'two'}: 1 file",
        "wherefrom: nothing was removed; to remove these repositories, give --yes",
    ]
    assert listed(indexed) == ["one", "three", "two"]
    assert indexed("remove", str(folders / "one")).returncode == 0
    assert indexed("remove", "*/two").returncode == 0
    assert listed(indexed) == ["three"]


@pytest.mark.nightly
@pytest.mark.parametrize(("typed", "left"), [("y\n", ["one"]), ("\n", ["one", "three", "two"])])
def test_on_a_terminal_several_are_asked_about(
    terminal: OnTerminal, indexed: Run, folders: Path, typed: str, left: list[str]
) -> None:
    ended = terminal("remove", "*/t[hw]*", typed=typed)
    assert ended.code == (0 if left == ["one"] else 1)
    assert f"{folders / 'three'}: 1 file\n{folders / 'two'}: 1 file\n" in ended.terminal
    assert "Remove these 2 repositories from the index? [y/N]" in ended.terminal
    assert listed(indexed) == left
    assert len(ended.output.splitlines()) == 3 - len(left)


def test_without_a_question(terminal: OnTerminal, indexed: Run) -> None:
    assert "?" not in terminal("remove", "*/one").terminal
    ended = terminal("remove", "--yes", "*/t[hw]*")
    assert (ended.code, ended.terminal, len(ended.output.splitlines())) == (0, "", 2)
    assert listed(indexed) == []


def test_nothing_is_pruned_while_every_source_is_there(indexed: Run) -> None:
    done = indexed("prune", "--yes")
    assert (done.returncode, done.stdout, done.stderr) == (0, "the source of every repository is where it was\n", "")


def test_without_a_terminal_what_is_gone_is_listed_and_stays(indexed: Run, folders: Path) -> None:
    shutil.rmtree(folders / "two")
    done = indexed("prune")
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "the source is gone:"
    assert done.stdout.splitlines()[2].split() == [str(folders / "two"), "1", str(folders / "two")]
    assert done.stderr == "wherefrom: not removed; to remove what is gone, run `wherefrom prune --yes`\n"
    assert listed(indexed) == ["one", "three", "two"]


def test_with_yes_what_is_gone_is_removed(indexed: Run, folders: Path) -> None:
    shutil.rmtree(folders / "two")
    done = indexed("prune", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == f"removed {folders / 'two'}: 1 file"
    assert listed(indexed) == ["one", "three"]


@pytest.mark.parametrize(("typed", "left"), [("yes\n", ["one", "three"]), ("no\n", ["one", "three", "two"])])
def test_on_a_terminal_the_user_decides(
    terminal: OnTerminal, indexed: Run, folders: Path, typed: str, left: list[str]
) -> None:
    shutil.rmtree(folders / "two")
    ended = terminal("prune", typed=typed)
    assert "Remove 1 repository whose source is gone from the index? [y/N]" in ended.terminal
    assert ended.code == (0 if typed == "yes\n" else 1)
    assert listed(indexed) == left


def test_data_on_a_terminal_asks_nothing(terminal: OnTerminal, indexed: Run, folders: Path) -> None:
    shutil.rmtree(folders / "two")
    ended = terminal("prune", "--format", "json", typed="y\n")
    assert ended.code == 1
    assert "?" not in ended.terminal
    assert "run `wherefrom prune --yes`" in ended.terminal
    assert [missing["removed"] for missing in json.loads(ended.output)["missing"]] == [False]
    assert listed(indexed) == ["one", "three", "two"]


def test_what_may_be_on_a_disk_that_is_not_mounted_stays(indexed: Run, folders: Path, tmp_path: Path) -> None:
    shutil.move(folders, tmp_path / "elsewhere")
    folders.mkdir()  # a mount point
    done = indexed("prune", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "not there, but perhaps not gone:"
    assert done.stdout.count("its folder is empty, as if a disk is not mounted") == 3
    folders.rmdir()
    assert indexed("prune", "--yes").stdout.count("its folder is not there either") == 3
    assert listed(indexed) == ["one", "three", "two"]


def test_the_discarded_clone_of_a_url_is_not_gone(run: Run, folders: Path, tmp_path: Path) -> None:
    origin = tmp_path / "origin"
    shutil.copytree(folders / "one", origin)
    for arguments in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"],
    ):
        subprocess.run(["git", "-C", str(origin), *arguments], check=True, timeout=HANGS)
    cache = tmp_path / "cache"
    assert run("index", origin.as_uri(), WHEREFROM_CACHE=str(cache)).returncode == 0
    (cache / "something").touch()
    [clone] = [path for path in cache.iterdir() if path.is_dir()]
    shutil.rmtree(clone)
    done = run("prune", "--yes", "--format", "json")
    [missing] = json.loads(done.stdout)["missing"]
    assert (done.returncode, missing["gone"], missing["removed"]) == (0, False, False)
    assert missing["doubt"] == "it was fetched from a URL, and can be fetched again"


def test_prune_as_data_says_what_was_removed(indexed: Run, folders: Path) -> None:
    shutil.rmtree(folders / "two")
    for arguments, code, removed in (((), 1, False), (("--yes",), 0, True)):
        done = indexed("prune", "--format", "json", *arguments)
        [missing] = json.loads(done.stdout)["missing"]
        assert (done.returncode, missing["repository"], missing["removed"]) == (code, str(folders / "two"), removed)
