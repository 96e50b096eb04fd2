"""Facets narrow the hits, and count them by value."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.polygons import AREA
from tests.repositories import Repository
from tests.service.indexed import LICENSED, RENAMED
from wherefrom import Index, SearchOptions, index_sources, open_index
from wherefrom.reports.hit_fields import NO_LICENSE
from wherefrom.serve.web import facets

GEOMETRY, MAPS = "github.com/example/geometry", "github.com/example/maps"

OPTIONS = SearchOptions(sources=[f"https://{GEOMETRY}"])


@pytest.fixture
def index(code_index: Path) -> Iterator[Index]:
    with open_index(code_index) as opened:
        yield opened


def values(narrowed: facets.Narrowed, name: str) -> list[tuple[str, int, bool]]:
    found = dict(narrowed.facets)
    return [(value.text, value.hits, value.is_chosen) for value in found[name]]


def repositories(narrowed: facets.Narrowed) -> list[str]:
    return sorted(at.repository for hit in narrowed.hits for at in hit.occurrences)


@pytest.mark.thorough
def test_all_that_is_found_is_counted(index: Index) -> None:
    found = facets.search(index, RENAMED, OPTIONS, ())
    assert (found.found, found.counted, len(found.hits)) == (3, 3, 3)
    assert values(found, "license") == [(NO_LICENSE, 2, False), ("MIT", 1, False)]
    assert values(found, "language") == [("python", 3, False)]
    assert {(text, hits) for text, hits, _ in values(found, "verdict")} == {
        ("attributed", 1),
        ("source", 1),
        ("unattributed", 1),
    }


@pytest.mark.thorough
def test_of_one_facet_any_value_counts_and_of_several_all(index: Index) -> None:
    one = facets.search(index, RENAMED, OPTIONS, (("license", NO_LICENSE),))
    assert len(one.hits) == 2
    # The counts of licenses ignore the chosen license; those of repositories do not.
    assert values(one, "license") == [(NO_LICENSE, 2, True), ("MIT", 1, False)]
    assert GEOMETRY not in {text for text, _, _ in values(one, "repository")}
    both = facets.search(index, RENAMED, OPTIONS, (("license", NO_LICENSE), ("license", "MIT")))
    assert len(both.hits) == 3
    kept = facets.search(index, RENAMED, OPTIONS, (("repository", MAPS), ("verdict", "attributed")))
    assert repositories(kept) == [MAPS]
    none = facets.search(index, RENAMED, OPTIONS, (("repository", MAPS), ("license", "MIT")))
    assert not none.hits
    assert none.found == 3
    assert values(none, "license") == [(NO_LICENSE, 1, False), ("MIT", 0, True)]


@pytest.mark.slow
def test_a_hit_keeps_the_places_that_have_what_is_chosen(tmp_path: Path) -> None:
    contents = {"licensed": LICENSED.encode() + AREA.encode(), "bare": AREA.encode(), "same": AREA.encode()}
    clones = [Repository.make(tmp_path / name, {"area.py": content}).folder for name, content in contents.items()]
    index_sources(clones, tmp_path / "made.wherefrom", jobs=1)
    with open_index(tmp_path / "made.wherefrom") as index:
        found = facets.search(index, AREA, SearchOptions(), ())
        [hit] = found.hits
        assert len(hit.occurrences) == 3
        for name, folders in (("MIT", ["licensed"]), (NO_LICENSE, ["bare", "same"])):
            [kept] = facets.search(index, AREA, SearchOptions(), (("license", name),)).hits
            assert sorted(Path(at.repository).name for at in kept.occurrences) == folders
            assert {at.blob for at in kept.occurrences} == {kept.blob}
            # The lines are those of the remaining content: the licensed content has a line before the function.
            assert kept.regions[0].document.start_line == (2 if name == "MIT" else 1)
            assert len(kept.locations) == len(folders)
        [kept] = facets.search(index, AREA, SearchOptions(), (("repository", str(clones[2])),)).hits
        assert [at.repository for at in kept.occurrences] == [str(clones[2])]


@pytest.mark.thorough
def test_a_narrowed_hit_keeps_the_ages_of_its_places(dated_index: Path) -> None:
    with open_index(dated_index) as index:
        [kept] = facets.search(index, AREA, SearchOptions(), (("repository", "github.com/roads/maps"),)).hits
    [place] = kept.places
    assert place.age is not None
    assert (place.occurrence.repository, place.age.first.day) == ("github.com/roads/maps", "2019-03-02")


@pytest.mark.slow
def test_a_repository_is_searched_for_what_is_below_the_best_of_all(tmp_path: Path) -> None:
    def file(number: int, own: str) -> bytes:
        others = "\n".join(f"    row_{number}_{at} = fetch_{number + at}({at}, {number} * {at})" for at in range(12))
        return f"{own}\n\ndef other_{number}():\n{others}\n".encode()

    best = {f"best/{number}.py": file(number, AREA) for number in range(facets.COUNTED + 5)}
    worse = {"worse.py": file(9999, AREA.replace("    return abs(total) / 2\n", "    return total\n"))}
    clones = [Repository.make(tmp_path / name, files).folder for name, files in (("first", best), ("second", worse))]
    index_sources(clones, tmp_path / "made.wherefrom", jobs=1)
    with open_index(tmp_path / "made.wherefrom") as index:
        found = facets.search(index, AREA, SearchOptions(), ())
        assert (found.found > found.counted, found.counted) == (True, facets.COUNTED)
        assert str(clones[1]) not in repositories(found)
        assert repositories(facets.search(index, AREA, SearchOptions(), (("repository", str(clones[1])),))) == [
            str(clones[1])
        ]
