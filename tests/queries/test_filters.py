"""Filters: which locations an answer may have."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import wherefrom
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.embedded.engine import EmbeddedEngine
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import LanguageError
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.options import SearchOptions
from wherefrom.queries import candidates, searching
from wherefrom.queries import filters as filter_module
from wherefrom.queries.filters import AdmittedBlobs, Filters
from wherefrom.queries.grouping import copies


def at(path: str, repository: str = "github.com/owner/name", blob: str = "b0") -> Occurrence:
    return Occurrence(repository, path, blob, "r0")


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
        ("*/name", ["gitlab.com/owner/name", "github.com/owner/Name"], ["gitlab.com/owner/Name"]),
        ("GitHub.com/Owner/*", ["github.com/owner/name", "github.com/OWNER/x"], ["gitlab.com/owner/x"]),
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
    both = Filters.of(MemoryEngine(scheme_ids()), SearchOptions(repositories=["one*"], not_repositories=["*fork"]))
    assert [place for place in places if both.admits(place)] == [places[0]]


def test_languages_are_taken_by_any_of_their_names() -> None:
    assert Filters.of(MemoryEngine(scheme_ids()), SearchOptions(languages=["Python", "js", "c"])).languages == (
        "python",
        "javascript",
        "c",
    )
    with pytest.raises(LanguageError, match="klingon"):
        SearchOptions(languages=["klingon"])


def record(key: str, revision: str = "r0") -> RepositoryRecord:
    return RepositoryRecord(key, key, "git", revision, "digest", 2, 2, {}, "2026-01-01T00:00:00Z")


def test_the_blobs_that_appear_at_a_fitting_place_are_candidates() -> None:
    engine = MemoryEngine(scheme_ids())
    with engine.writer() as writer:
        writer.put_occurrences(
            [at("a.py", "one", "b1"), at("b.py", "one", "b2"), at("a.py", "two", "b3"), at("copy.c", "two", "b1")]
        )
        for key in ("one", "two"):
            writer.put_repository(record(key))
    admitted = AdmittedBlobs(engine)
    assert admitted.of(Filters()) is None
    assert admitted.of(Filters(languages=("python",))) is None
    assert admitted.of(Filters(repositories=("one",))) == {"b1", "b2"}
    assert admitted.of(Filters(paths=("*.c",))) == {"b1"}
    assert admitted.of(Filters(repositories=("t*",), paths=("a.*",))) == {"b3"}
    assert admitted.of(Filters(repositories=("three",))) == set()
    assert admitted.of(Filters(not_repositories=("o*",))) == {"b1", "b3"}
    assert admitted.of(Filters(not_repositories=("two",), not_blobs=("b2",))) == {"b1"}
    assert admitted.of(Filters(not_blobs=("b1",))) is None


class Listings(MemoryEngine):
    """Counts the listings of repositories."""

    def __init__(self) -> None:
        super().__init__(scheme_ids())
        self.listed: list[str | None] = []

    def occurrences(
        self, *, blobs: Collection[str] | None = None, repository: str | None = None
    ) -> Iterator[Occurrence]:
        self.listed.append(repository)
        return super().occurrences(blobs=blobs, repository=repository)


def test_what_filters_admit_is_kept_until_a_record_changes() -> None:
    engine = Listings()
    with engine.writer() as writer:
        writer.put_occurrences([at("a.py", "one", "b1"), at("a.py", "two", "b2")])
        for key in ("one", "two"):
            writer.put_repository(record(key))
    admitted = AdmittedBlobs(engine)
    filters = Filters(paths=("*.py",))
    first = admitted.of(filters)
    assert first == {"b1", "b2"}
    assert admitted.of(filters) is first
    assert admitted.of(Filters(paths=("*.py",), languages=("c",))) is first
    assert engine.listed == ["one", "two"]
    with engine.writer() as writer:
        writer.put_occurrences([at("b.py", "two", "b3")])
        writer.put_repository(record("two", "r1"))
    assert admitted.of(filters) == {"b1", "b2", "b3"}
    assert engine.listed == ["one", "two"] * 2
    with engine.writer() as writer:
        writer.delete_occurrences("one")
        writer.delete_repository("one")
    assert admitted.of(filters) == {"b2", "b3"}
    assert engine.listed == [*["one", "two"] * 2, "two"]


def test_a_repository_that_is_being_written_to_is_listed_each_time() -> None:
    engine = Listings()
    unfinished = replace(record("one"), settings="")
    with engine.writer() as writer:
        writer.put_occurrences([at("a.py", "one", "b1")])
        writer.put_repository(unfinished)
    admitted = AdmittedBlobs(engine)
    filters = Filters(repositories=("one",))
    assert admitted.of(filters) == {"b1"}
    with engine.writer() as writer:
        writer.put_occurrences([at("b.py", "one", "b2")])
    assert admitted.of(filters) == {"b1", "b2"}


def test_the_latest_filters_are_kept() -> None:
    engine = Listings()
    with engine.writer() as writer:
        writer.put_occurrences([at("a.py", "one", "b1"), at("b.py", "one", "b2")])
        writer.put_repository(record("one"))
    admitted = AdmittedBlobs(engine)
    first, second = Filters(paths=("*.py",)), Filters(paths=("a.*",))
    assert [admitted.of(filters) for filters in (first, first, second, second)] == [{"b1", "b2"}] * 2 + [{"b1"}] * 2
    assert len(engine.listed) == 2


SNIPPET = """
def area_of_polygon(points):
    total = 0
    for (x, y), (next_x, next_y) in zip(points, points[1:] + points[:1]):
        total += x * next_y - next_x * y
    return abs(total) / 2
"""


def index_of(tmp_path: Path, files: int) -> Path:
    """An index of copies of a function, each in a file of its own, and of one copy in another folder."""
    for number in range(files):
        path = tmp_path / "one" / ("rare/area.py" if number == files // 2 else f"many/area{number}.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"number = {number}\n{SNIPPET}")
    wherefrom.index_sources([str(tmp_path / "one")], tmp_path / "index", jobs=1)
    return tmp_path / "index"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("paths", "most", "expected"),
    [
        (("many/*",), (7, 1000), (6, [], 0, False)),
        (("rare/*",), (7, 1000), (1, [], 1, False)),
        (("*.py", "none"), (7, 1000), (7, ["no indexed path matches 'none' in the index"], 1, False)),
        (("nothing/**",), (7, 1000), (0, ["no indexed path matches 'nothing/**' in the index"], 2, False)),
        (("rare/*",), (6, 1000), (1, [], 1, False)),
        (("nothing/**",), (6, 1000), (0, ["none of 6 paths matches 'nothing/**' in the index"], 2, False)),
        (("nothing/**",), (6, 6), (0, ["none of 6 paths matches 'nothing/**' in the index"], 1, True)),
    ],
)
def test_a_filter_is_asked_about_candidates_first(
    paths: tuple[str, ...],
    most: tuple[int, int],
    expected: tuple[int, list[str], int, bool],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(candidates, "BATCH", 2)
    for module in (copies, searching):
        monkeypatch.setattr(module, "PATIENCE", 2)
    monkeypatch.setattr(candidates, "LOOKED_AT", 4)
    monkeypatch.setattr(filter_module, "MOST_LISTED", most[0])
    monkeypatch.setattr(candidates, "MOST_CANDIDATES", most[1])
    folder = index_of(tmp_path, 7)
    listings: list[str] = []
    listing = EmbeddedEngine.occurrences

    def counted(
        engine: EmbeddedEngine, *, blobs: Collection[str] | None = None, repository: str | None = None
    ) -> Iterator[Occurrence]:
        listings.extend([repository] if repository is not None else [])
        return listing(engine, blobs=blobs, repository=repository)

    monkeypatch.setattr(EmbeddedEngine, "occurrences", counted)
    with wherefrom.open_index(folder) as index:
        found = index.search(SNIPPET, paths=paths)
    places = sum(len(hit.occurrences) for hit in found.hits)
    assert (places, [*found.warnings], len(listings), found.truncated) == expected
