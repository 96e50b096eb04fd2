"""Filters: which places a search may answer with."""

from __future__ import annotations

import pytest

from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import LanguageError, UsageError
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.queries.filters import Filters


def at(path: str, repository: str = "github.com/owner/name", blob: str = "b0") -> Occurrence:
    return Occurrence(repository, path, blob, "r0")


@pytest.mark.parametrize(
    ("pattern", "fits", "fails"),
    [
        ("*.py", ["a.py", "src/a.py", "src/deep/.hidden.py"], ["a.pyc", "a.PY", "a.py/b"]),
        ("setup.py", ["setup.py", "deep/er/setup.py"], ["setup.pyx", "my_setup.py"]),
        ("src/*.py", ["src/a.py"], ["a.py", "src/deep/a.py", "other/src/a.py"]),
        ("src/**", ["src/a.py", "src/deep/er/a.c", "src/.hidden/a.c"], ["a.py", "lib/src/a.py"]),
        ("**/test_*.py", ["test_a.py", "x/test_a.py", "x/y/test_a.py"], ["x/a_test.py"]),
        ("src/**/a.py", ["src/a.py", "src/x/a.py", "src/x/y/a.py"], ["a.py", "src/b.py"]),
        ("*.{c,h}", ["a.c", "x/b.h"], ["a.cc"]),
        ("{src,lib}/**/*.py", ["src/a.py", "lib/x/a.py"], ["test/a.py"]),
        ("{*.md,docs/**}", ["x/README.md", "docs/a.txt"], ["a.txt"]),
        ("file?.[ch]", ["file1.c", "x/file2.h"], ["file.c", "file12.c", "file1.o"]),
    ],
)
def test_a_path_glob_fits_whole_paths_and_one_without_a_slash_the_name(
    pattern: str, fits: list[str], fails: list[str]
) -> None:
    filters = Filters(paths=(pattern,))
    assert [path for path in (*fits, *fails) if filters.admits(at(path))] == fits


def test_any_of_several_globs_suffices() -> None:
    filters = Filters(paths=("*.py", "docs/**"))
    assert [filters.admits(at(path)) for path in ("a.py", "docs/a.md", "a.md")] == [True, True, False]


def test_a_hostile_path_is_text_and_no_pattern() -> None:
    for path in ("a[1].py", "a\nb.py", "-rf.py", "~/a.py", "{a,b}.py", "%FF.py", "a\\b.py"):
        assert Filters(paths=("*.py",)).admits(at(path))
        assert not Filters(paths=("*.c",)).admits(at(path))


@pytest.mark.parametrize(
    ("pattern", "fits", "fails"),
    [
        ("github.com/owner/name", ["github.com/owner/name"], ["github.com/owner/name2", "x/github.com/owner/name"]),
        ("github.com/*", ["github.com/a/b", "github.com/a/b/c"], ["gitlab.com/a/b"]),
        ("*/name", ["github.com/owner/name"], ["github.com/owner/Name"]),
        ("github.com/?/b", ["github.com/a/b"], ["github.com/aa/b"]),
    ],
)
def test_a_repository_pattern_fits_the_whole_key(pattern: str, fits: list[str], fails: list[str]) -> None:
    filters = Filters(repositories=(pattern,))
    assert [key for key in (*fits, *fails) if filters.admits(at("a.py", key))] == fits


def test_repository_and_path_must_both_fit() -> None:
    filters = Filters(repositories=("one",), paths=("*.py",))
    assert [filters.admits(at(path, key)) for path, key in [("a.py", "one"), ("a.py", "two"), ("a.c", "one")]] == [
        True,
        False,
        False,
    ]


def test_a_repository_or_a_blob_may_be_left_out() -> None:
    places = [at("a.py", "one", "b1"), at("a.py", "one/fork", "b1"), at("b.py", "two", "b2"), at("c.py", "two", "b3")]
    filters = Filters(not_repositories=("one/*", "three"), not_blobs=("b3",))
    assert [place for place in places if filters.admits(place)] == [places[0], places[2]]
    both = Filters.of(["one*"], [], [], ["*fork"])
    assert [place for place in places if both.admits(place)] == [places[0]]


def test_languages_are_taken_by_any_of_their_names() -> None:
    assert Filters.of([], [], ["Python", "js", "c"]).languages == ("python", "javascript", "c")
    with pytest.raises(LanguageError, match="klingon"):
        Filters.of([], [], ["klingon"])


@pytest.mark.parametrize("patterns", [["{1..100000}.py"], ["{a,b}" * 12], ["{1..600}.py", "{1..600}.c"]])
def test_globs_with_more_alternatives_than_anyone_types_are_refused(patterns: list[str]) -> None:
    with pytest.raises(UsageError, match="give plainer ones"):
        Filters.of([], patterns, [])


def test_the_blobs_that_stand_at_a_fitting_place_are_candidates() -> None:
    engine = MemoryEngine(scheme_ids())
    with engine.writer() as writer:
        writer.put_occurrences(
            [at("a.py", "one", "b1"), at("b.py", "one", "b2"), at("a.py", "two", "b3"), at("copy.c", "two", "b1")]
        )
        for key in ("one", "two"):
            writer.put_repository(RepositoryRecord(key, key, "git", "r0", "", 2, 2, {}, "2026-01-01T00:00:00Z"))
    assert Filters().blobs(engine) is None
    assert Filters(languages=("python",)).blobs(engine) is None
    assert Filters(repositories=("one",)).blobs(engine) == {"b1", "b2"}
    assert Filters(paths=("*.c",)).blobs(engine) == {"b1"}
    assert Filters(repositories=("t*",), paths=("a.*",)).blobs(engine) == {"b3"}
    assert Filters(repositories=("three",)).blobs(engine) == set()
    assert Filters(not_repositories=("o*",)).blobs(engine) == {"b1", "b3"}
    assert Filters(not_repositories=("two",), not_blobs=("b2",)).blobs(engine) == {"b1"}
    assert Filters(not_blobs=("b1",)).blobs(engine) is None
