"""A filter that matches nothing says so, for an empty answer looks like code that appears nowhere."""

from __future__ import annotations

import json
from collections.abc import Collection

import pytest

from tests.end_to_end.conftest import Wherefrom
from tests.repositories import Repository
from wherefrom.engines.embedded.engine import EmbeddedEngine
from wherefrom.errors import UnknownRepository
from wherefrom.model import RepositoryRecord
from wherefrom.options import SearchOptions

CODE = b"""\
def shortest(graph, origin):
    distances = {origin: 0}
    for place, length in graph.edges(origin):
        distances[place] = min(distances.get(place, length), length)
    return distances
"""


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    folder = tmp_path_factory.mktemp("filters")
    for name in ("one", "two"):
        Repository.make(folder / "clones" / name, {f"src/{name}.py": CODE})
    (folder / "mine.py").write_bytes(CODE)
    made = Wherefrom(folder)
    made.indexes("clones")
    return made


LIST = "; see `wherefrom list`"


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        (["--repository", "*/three"], [f"no repository in the index matches '*/three'{LIST}"]),
        (["--path", "lib/**"], ["no indexed path matches 'lib/**' in the index"]),
        (
            ["--repository", "*/one", "--path", "two.py"],
            ["no indexed path matches 'two.py' in the repositories that are looked at"],
        ),
        (["--not-repository", "*"], ["no repository is left in the repositories that are looked at"]),
        (["--repository", "*/one", "--path", "one.py"], []),
        ([], []),
    ],
)
@pytest.mark.parametrize("command", ["search", "sources"])
def test_a_filter_that_matches_nothing_says_so(
    indexed: Wherefrom, command: str, options: list[str], printed: list[str]
) -> None:
    for form in ("text", "json"):
        code, output, errors = indexed.run(command, "mine.py", *options, "--format", form)
        assert (code, errors.splitlines()) == (1 if printed else 0, [f"wherefrom: warning: {line}" for line in printed])
        if form == "json":
            assert json.loads(output)["warnings"] == printed


def test_one_of_several_patterns_that_matches_nothing_is_named(indexed: Wherefrom) -> None:
    code, _, errors = indexed.run(
        "search",
        "mine.py",
        "mine.py",
        "--repository",
        "*/one",
        "--repository",
        "*/oen",
        "--path",
        "*.py",
        "--path",
        "*.c",
    )
    assert (code, errors.splitlines()) == (
        0,
        [
            f"wherefrom: warning: no repository in the index matches '*/oen'{LIST}",
            "wherefrom: warning: no indexed path matches '*.c' in the repositories that are looked at",
        ],
    )


def test_a_language_that_no_indexed_file_has_is_named(indexed: Wherefrom) -> None:
    code, _, errors = indexed.run("search", "mine.py", "--only-language", "c", "--only-language", "python")
    assert (code, errors) == (0, "")
    code, _, errors = indexed.run("search", "mine.py", "--only-language", "c")
    assert (code, errors) == (1, "wherefrom: warning: no indexed file is in the language 'c'\n")


def test_what_is_kept_of_filters_warns_each_time(indexed: Wherefrom) -> None:
    with indexed.open() as index:
        results = [index.search(CODE, repositories=["*/three"]) for _ in range(2)]
        assert index.search(CODE).warnings == ()
    assert [result.warnings for result in results] == [(f"no repository in the index matches '*/three'{LIST}",)] * 2


def test_a_repository_to_leave_out_that_is_not_there_is_named(indexed: Wherefrom) -> None:
    printed = f"no repository in the index matches '*/oen'{LIST}"
    with indexed.open() as index:
        for _ in range(2):
            assert index.search(CODE, not_repositories=["*/oen"]).warnings == (printed,)
            assert index.search(CODE, own=["*/oen", "*/one"]).warnings == (printed,)
            assert index.sources(CODE, not_repositories=["*/oen"]).warnings == (printed,)
        assert index.search(CODE, not_repositories=["*/one"], own=["*/two"]).warnings == ()


@pytest.mark.parametrize("name", ["thre", "project:thre"])
def test_a_repository_to_look_at_that_is_not_there_is_refused(indexed: Wherefrom, name: str) -> None:
    (indexed.folder / "fix.diff").write_bytes(b"--- a.py\n+++ a.py\n@@ -1 +1 @@\n-a\n+b\n")
    calls = ("search", "mine.py"), ("first", "mine.py"), ("sources", "mine.py"), ("fixed", "--diff", "fix.diff")
    for call in calls:
        error = indexed(*call, "--repository", "one", "--repository", name, code=2)
        assert f"no repository in the index matches '{name}'" in error


def test_each_of_several_indexes_need_not_have_the_repositories(indexed: Wherefrom) -> None:
    other = indexed.folder / "other"
    Repository.make(indexed.folder / "others" / "three", {"src/three.py": CODE})
    assert indexed.run("index", "others", WHEREFROM_INDEX=str(other))[0] == 0
    options = ("--index", indexed.index, "--index", other, "--repository", "one", "--repository", "three")
    code, output, errors = indexed.run("search", "mine.py", *options, "--format", "json")
    assert (code, errors.count("no repository in the index matches")) == (0, 2)
    found = json.loads(output)
    assert {at["path"] for hit in found["hits"] for at in hit["occurrences"]} == {"src/one.py", "src/three.py"}
    assert "matches 'four'" in indexed("search", "mine.py", *options, "--repository", "four", code=2)


def test_a_call_about_some_repositories_does_not_read_the_records_of_all(
    indexed: Wherefrom, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = EmbeddedEngine.repositories

    def refusing(engine: EmbeddedEngine, keys: Collection[str] | None = None) -> list[RepositoryRecord]:
        assert keys is not None
        return read(engine, keys)

    monkeypatch.setattr(EmbeddedEngine, "repositories", refusing)
    with indexed.open() as index:
        assert index.search(CODE, repositories=["one"], own=["two"]).hits
        assert index.search(CODE, not_repositories=["one"]).hits
        assert index.similar("one:src/one.py").hits
        with pytest.raises(UnknownRepository):
            index.linked_code("https://github.com/a/b/blob/main/c.py")
        assert [key.rpartition("/")[2] for key in index.repository_keys()] == ["one", "two"]


def test_on_github_the_case_of_letters_does_not_count(wherefrom: Wherefrom) -> None:
    for name in ("Me/Tools", "you/copy"):
        clone = Repository.make(wherefrom.folder / "clones" / name.replace("/", "-"), {"src/a.py": CODE})
        clone.git("remote", "add", "origin", f"https://github.com/{name}")
    wherefrom.indexes("clones")
    with wherefrom.open() as index:
        for options, keys in (
            (SearchOptions(repositories=["github.com/me/*"]), {"github.com/Me/Tools"}),
            (SearchOptions(not_repositories=["github.com/me/tools"]), {"github.com/you/copy"}),
            (SearchOptions(own=["GitHub.com/me/tools"]), {"github.com/you/copy"}),
        ):
            found = index.search(CODE, options)
            assert {at.repository for hit in found.hits for at in hit.occurrences} == keys
            assert found.warnings == ()
        assert index.similar("github.com/me/tools:src/a.py").hits
        with pytest.raises(UnknownRepository, match=r"'github.com/Me/Tools' has no indexed file 'src/b.py'"):
            index.similar("github.com/me/tools:src/b.py")


def test_a_filter_takes_the_last_part_of_a_key(indexed: Wherefrom) -> None:
    with indexed.open() as index:
        for options, names in (
            (SearchOptions(repositories=["one"]), {"one"}),
            (SearchOptions(not_repositories=["one"]), {"two"}),
            (SearchOptions(own=["clones/one"]), {"two"}),
        ):
            found = index.search(CODE, options)
            assert {at.repository.rpartition("/")[2] for hit in found.hits for at in hit.occurrences} == names
            assert found.warnings == ()
        [document] = index.sources(CODE, own=["two"]).documents
        assert [at.repository.rpartition("/")[2] for at in document.occurrences] == ["one"]


def test_the_last_part_of_several_keys_is_no_filter(wherefrom: Wherefrom) -> None:
    for name in ("a/redis", "b/redis"):
        Repository.make(wherefrom.folder / name, {"a.py": CODE})
        wherefrom("index", "--name", f"github.com/{name}", name)
    (wherefrom.folder / "mine.py").write_bytes(CODE)
    for flag in ("--repository", "--not-repository", "--own"):
        for command in ("search", "sources"):
            code, _, errors = wherefrom.run(command, "mine.py", flag, "redis")
            assert code == 2
            assert errors == (
                "wherefrom: error: 'redis' may be github.com/a/redis or github.com/b/redis; give one of these keys, or "
                "the pattern '*/redis'\n"
            )
        assert wherefrom.run("search", "mine.py", flag, "b/redis")[0] == 0


def test_a_key_with_brackets_is_that_key(wherefrom: Wherefrom) -> None:
    for name in ("[t]wo", "two"):
        Repository.make(wherefrom.folder / name, {"a.py": CODE})
        wherefrom("index", "--name", f"x/{name}", name)
    with wherefrom.open() as index:
        [hit] = index.search(CODE, repositories=["x/[t]wo"]).hits
        assert [at.repository for at in hit.occurrences] == ["x/[t]wo"]
