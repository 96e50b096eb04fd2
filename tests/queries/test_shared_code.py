"""Who shares code with an indexed repository, how much, and whether one of both sides names the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

import wherefrom
from tests.polygons import AGO, AREA, FEET, PERIMETER
from tests.repositories import Repository
from tests.service.indexed import dated_index, make_clones
from wherefrom import Index, SharedCode, index_sources, open_index
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.model import RepositoryRecord
from wherefrom.projects import shared as module
from wherefrom.results import Lines

__all__ = ["dated_index"]

GEOMETRY, MAPS, GAMES, MIRROR = (f"github.com/example/{name}" for name in ("geometry", "maps", "games", "mirror"))

NOTICE = "lib/ is from https://github.com/example/tools\n"


@pytest.fixture(scope="module")
def location(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the clones, and of one that has the files of `tools` and says so."""
    folder = tmp_path_factory.mktemp("shared")
    files = {"lib/measure.py": FEET, "lib/Ago.cs": AGO, "lib/NOTICE": NOTICE, "LICENSE": "", "README.md": "# Mirror\n"}
    mirror = Repository.make(folder / "mirror", {path: text.encode() for path, text in files.items()})
    mirror.git("remote", "add", "origin", "https://github.com/example/mirror.git")
    index_sources([*make_clones(folder / "clones"), mirror.folder], folder / "code.wherefrom", jobs=1)
    return folder / "code.wherefrom"


@pytest.fixture
def index(location: Path) -> Iterator[Index]:
    with open_index(location) as opened:
        yield opened


def amounts(found: SharedCode) -> dict[str, tuple[int, int]]:
    """The number of files and of lines by the name of the repository."""
    return {each.repository.rpartition("/")[2]: (each.same, each.lines) for each in found.repositories}


@pytest.mark.thorough
def test_parts_are_found_with_the_line_that_names_the_other_side(index: Index) -> None:
    found = index.shared(GEOMETRY)
    assert (found.record.key, found.files, found.same, found.others, found.unread) == (GEOMETRY, 1, 0, 1, 0)
    assert amounts(found) == {"games": (0, 5), "maps": (0, 5)}
    by_name = {each.repository: each.examples for each in found.repositories}
    [games], [maps] = by_name[GAMES], by_name[MAPS]
    assert (games.here.path, games.there.path, games.lines) == ("geometry.py", "board.py", (Lines(2, 6),))
    assert (games.is_credited, maps.is_credited) == (False, True)
    assert maps.credit_here is None
    assert maps.credit_there is not None
    assert (maps.credit_there.path, maps.credit_there.line) == ("maps/shapes.py", 1)
    [back] = (each.examples for each in index.shared(MAPS).repositories if each.repository == GEOMETRY)
    assert [pair.credit_here and pair.credit_here.text for pair in back] == [maps.credit_there.text]


@pytest.mark.thorough
def test_files_with_the_same_content_are_found_and_other_files_than_code_do_not_count(index: Index) -> None:
    found = index.shared("mirror")
    assert (found.files, found.same, found.others, found.begin, found.end) == (2, 2, 0, 0, 0)
    [tools] = found.repositories
    assert (tools.repository, tools.same, tools.lines) == ("github.com/example/tools", 2, 0)
    assert [(pair.here.path, pair.there.path) for pair in tools.examples] == [
        ("lib/Ago.cs", "Ago.cs"),
        ("lib/measure.py", "measure.py"),
    ]
    assert {pair.credit_here and pair.credit_here.path for pair in tools.examples} == {"lib/NOTICE"}
    assert {pair.credit_there for pair in tools.examples} == {None}


def test_a_repository_has_a_highest_number_of_examples(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_EXAMPLES", 1)
    [tools] = index.shared("mirror").repositories
    assert (tools.same, len(tools.examples)) == (2, 1)


def test_only_a_folder_is_looked_up(index: Index) -> None:
    assert amounts(index.shared("mirror", "lib/")) == {"tools": (2, 0)}
    assert amounts(index.shared("mirror", "lib/m")) == {"tools": (1, 0)}
    found = index.shared("mirror", "nothing/")
    assert (found.files, found.repositories) == (0, ())


@pytest.mark.thorough
def test_the_largest_files_come_first_and_the_next_call_goes_on(tmp_path: Path) -> None:
    files = {"a.py": f"{AREA}\n# mine\n", "b.py": f"{AREA}\n\n{PERIMETER}\n# mine\n", "c.py": f"{FEET}\n# mine\n"}
    large = Repository.make(tmp_path / "large", {path: text.encode() for path, text in files.items()})
    index_sources([*make_clones(tmp_path / "clones"), large.folder], tmp_path / "index", jobs=1)
    with open_index(tmp_path / "index") as index:
        first = index.shared(str(large.folder), seconds=0)
        assert (first.others, first.begin, first.end) == (3, 0, 1)
        assert {pair.here.path for each in first.repositories for pair in each.examples} == {"b.py"}
        second = index.shared(str(large.folder), begin=first.end)
        assert (second.begin, second.end) == (1, 3)
        assert {pair.here.path for each in second.repositories for pair in each.examples} == {"a.py", "c.py"}
        after = index.shared(str(large.folder), begin=9)
        assert (after.begin, after.end, after.repositories) == (9, 9, ())


def test_parts_of_too_large_files_are_not_looked_up(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_TOKENS", 20)
    found = index.shared(GEOMETRY)
    assert (found.others, found.fitting, found.end, found.repositories) == (1, 0, 0, ())


def test_only_the_repositories_that_share_most_are_named(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_REPOSITORIES", 1)
    found = index.shared(GEOMETRY)
    assert (found.total, [each.repository for each in found.repositories]) == (2, [GAMES])


@pytest.mark.parametrize("fingerprints_only", [False, True])
def test_a_published_index_has_the_same_files(location: Path, tmp_path: Path, fingerprints_only: bool) -> None:
    wherefrom.publish_index(location, tmp_path / "published", fingerprints_only=fingerprints_only)
    with open_index(tmp_path / "published") as index:
        assert amounts(index.shared("mirror")) == {"tools": (2, 0)}
        # Clones are not read in place of a published index, so there is no text whose parts could be looked up.
        found = index.shared(GEOMETRY)
        assert (found.end, found.unread, found.repositories) == ((0, 0, ()) if fingerprints_only else (1, 1, ()))


def test_an_address_is_split_at_the_longest_key(index: Index) -> None:
    def split(address: str) -> tuple[str, str] | None:
        found = index.repository_at(address)
        return None if found is None else (found[0].key, found[1])

    assert split(f"{GEOMETRY}/a/b.py") == (GEOMETRY, "a/b.py")
    assert split(f"{GEOMETRY}/") == split(GEOMETRY) == (GEOMETRY, "")
    for address in ("", "/", "github.com/example", f"{GEOMETRY}s/a.py", "github.com/example/*", "/" * 50_000):
        assert split(address) is None, address[:100]
    engine = MemoryEngine(scheme_ids())
    with engine.writer() as writer:
        for key in ("a", "a/b", "/a/b"):
            writer.put_repository(RepositoryRecord(key, "", "git", "", "", 0, 0, {}, ""))
    index = Index(engine)  # `split` asks this one now
    assert [split(address) for address in ("a/b/c", "a/c/b", "/a/b/c", "a/bc")] == [
        ("a/b", "c"),
        ("a", "c/b"),
        ("/a/b", "c"),
        ("a", "bc"),
    ]


def test_a_key_is_found_without_reading_all_records(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, asked = index._engine, list[Collection[str] | None]()
    repositories = engine.repositories

    def spy(keys: Collection[str] | None = None) -> list[RepositoryRecord]:
        asked.append(keys)
        return repositories(keys)

    monkeypatch.setattr(engine, "repositories", spy)
    assert [record.key for record in index.repositories(MAPS, GAMES)] == [GAMES, MAPS]
    assert [at.path for at in index.files(MAPS)] == ["maps/shapes.py"]
    assert None not in asked
    assert [record.key for record in index.repositories("maps", GAMES)] == [GAMES, MAPS]
    assert None not in asked


@pytest.mark.thorough
def test_ages_are_those_of_the_history(dated_index: Path) -> None:
    with open_index(dated_index) as index:
        files = [at for name in ("geometry", "maps") for at in index.files(name)]
        ages = index.ages([(at, ()) for at in files])
        assert [age and age.first.day for age in ages] == ["2017-11-20", "2019-03-02"]


def test_ages_are_not_known_without_history(index: Index) -> None:
    assert index.ages([(at, [(1, 2)]) for at in index.files(GEOMETRY)]) == [None, None]
