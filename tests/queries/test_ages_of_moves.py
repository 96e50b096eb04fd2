"""Who had code first, after it moved: a copy is never named before its origin."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.end_to_end.edits import UNRELATED
from tests.end_to_end.test_sources import module_function
from tests.repositories import Repository
from wherefrom import index_sources, open_index
from wherefrom.results import Doubt

pytestmark = pytest.mark.thorough

CODE = module_function("heapq", "nsmallest").encode()
OLD = b"\n".join(CODE.split(b"\n")[: CODE.count(b"\n") // 2 - 4])
"""The part of the code that is two years older: less than half."""

OTHER = module_function("heapq", "merge").encode()
BELOW = b"\n\n\n" + UNRELATED.encode()

Move = Callable[[Repository], object]


def into_a_file(made: Repository) -> None:
    made.commit({"utils.py": OTHER, "ical.py": OTHER + BELOW + b"\n\n\n" + CODE}, day="2019-09-16")


def with_a_rename(made: Repository) -> None:
    made.git("mv", "utils.py", "lib.py")
    made.commit(day="2019-09-16")


def with_a_changed_rename(made: Repository) -> None:
    made.git("rm", "--quiet", "utils.py")
    made.commit({"new/lib.py": UNRELATED.encode() + b"\n\n\n" + CODE}, day="2019-09-16")


def by_a_split(made: Repository) -> None:
    made.git("rm", "--quiet", "utils.py")
    made.commit({"one.py": OTHER, "two.py": CODE}, day="2019-09-16")


def by_a_merge_of_files(made: Repository) -> None:
    made.git("rm", "--quiet", "utils.py", "ical.py")
    made.commit({"all.py": UNRELATED.encode() + b"\n\n\n" + CODE + b"\n\n\n" + OTHER}, day="2019-09-16")


def away_and_back(made: Repository) -> None:
    made.commit({"utils.py": OTHER}, day="2018-09-16")
    made.commit({"again.py": CODE}, day="2024-09-16")


def in_a_merge(made: Repository) -> None:
    made.git("checkout", "--quiet", "-b", "topic")
    made.commit({"utils.py": OTHER, "moved.py": CODE}, day="2019-01-01")
    made.git("checkout", "--quiet", "main")
    dates = dict.fromkeys(("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"), "2019-09-16T00:00:00Z")
    made.git("merge", "--quiet", "--no-ff", "-m", "Merge", "topic", variables=dates)


MOVES: list[Move] = [
    *(into_a_file, with_a_rename, with_a_changed_rename, by_a_split, by_a_merge_of_files),
    *(away_and_back, in_a_merge),
]


@pytest.mark.matrix("move")
@pytest.mark.parametrize("is_indexed_again", [False, True], ids=["", "and a run without --history"])
@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.__name__)
def test_the_origin_stays_the_first(tmp_path: Path, move: Move, is_indexed_again: bool) -> None:
    clones, location = tmp_path / "clones", tmp_path / "index"
    origin = Repository.make(clones / "origin")
    origin.git("remote", "add", "origin", "https://github.com/author/origin")
    origin.commit({"ical.py": UNRELATED.encode()}, day="2014-01-01")
    origin.commit({"utils.py": OTHER + b"\n\n\n" + OLD}, day="2015-06-01")
    origin.commit({"utils.py": OTHER + b"\n\n\n" + CODE}, day="2017-06-01")
    copy = Repository.make(clones / "copy")
    copy.commit({"main.py": b"x = 1\n"}, day="2012-01-01")
    copy.commit({"events.py": b"import heapq\n\n\n" + CODE}, day="2018-06-01")
    move(origin)
    sources = sorted(clones.iterdir())
    index_sources(sources, location, history=True, jobs=1)
    if is_indexed_again:
        for made in sources:
            Repository(made).commit({"last.py": b"x = 1\n"}, day="2025-01-01")
        index_sources(sources, location, jobs=1)
    with open_index(location) as index:
        places = [place for hit in index.search(CODE, oldest=True).hits for place in hit.places]
        assert [place.occurrence.repository.rpartition("/")[2] for place in places][-1] == "copy"
        key, age = places[0].occurrence.repository, places[0].age
        assert age is not None
        assert (age.first.day, age.since.day) == ("2015-06-01", "2017-06-01")
        assert Doubt.MOVED not in age.first.doubts
        first = index.first(CODE).places[0]
        assert first.occurrence.repository.startswith("github.com/author/")
        assert (first.age and first.age.first.day) == "2015-06-01"
        findings = index.check([clones / key.rpartition("/")[2]]).findings
        assert {finding.is_older for finding in findings} == {True}


def test_code_is_as_new_as_before_it_moved_whatever_is_around_it(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "made")
    third = module_function("statistics", "quantiles").encode()
    others = [OTHER, UNRELATED.encode(), third, b"import heapq", b"def more(): pass"]
    made.commit({f"other{number}.py": other for number, other in enumerate(others)}, day="2014-01-01")
    made.commit({"utils.py": CODE + b"\n\n\n" + OTHER}, day="2015-06-01")
    made.git("rm", "--quiet", "utils.py")
    pairs = [(above, below) for above in others for below in others if above != below]
    moved = {f"{number}.py": b"\n\n\n".join((above, CODE, below)) for number, (above, below) in enumerate(pairs)}
    made.commit(moved, day="2019-09-16")
    index_sources([made.folder], tmp_path / "index", history=True, jobs=1)
    with open_index(tmp_path / "index") as index:
        places = [place for hit in index.search(CODE, limit=100).hits for place in hit.places]
        newest = {place.occurrence.path: place.age and place.age.newest and place.age.newest.day for place in places}
    assert newest == dict.fromkeys(moved, "2015-06-01")


@pytest.mark.parametrize("is_forked", [False, True], ids=["", "and a fork of the copier"])
def test_code_is_as_old_as_in_any_repository_of_its_owner(tmp_path: Path, is_forked: bool) -> None:
    app, library, copy = (Repository.make(tmp_path / name) for name in ("app", "library", "copy"))
    for made, owner in ((app, "author"), (library, "author"), (copy, "copier")):
        made.git("remote", "add", "origin", f"https://github.com/{owner}/{made.folder.name}")
        made.commit({"main.py": UNRELATED.encode()}, day="2014-01-01")
    app.commit({"utils.py": CODE}, day="2015-06-01")
    copy.commit({"events.py": OTHER + b"\n\n\n" + CODE}, day="2018-06-01")
    app.git("rm", "--quiet", "utils.py")
    app.commit(day="2019-09-16")
    library.commit({"src/lib.py": CODE + b"\n\n\nLIMIT = 3\n"}, day="2019-09-16")
    sources = [app, library, copy]
    if is_forked:
        sources.append(Repository(tmp_path / "fork"))
        app.git("clone", "--quiet", str(app.folder), str(sources[-1].folder))
        sources[-1].git("remote", "set-url", "origin", "https://github.com/copier/app")
    index_sources([made.folder for made in sources], tmp_path / "index", history=True, jobs=1)
    with open_index(tmp_path / "index") as index:
        places = [place for hit in index.search(CODE, oldest=True).hits for place in hit.places]
        ages = {place.occurrence.repository: place.age.first for place in places if place.age is not None}
        copied = ("2015-06-01", "github.com/copier/app") if is_forked else ("2018-06-01", None)
        assert {key: (first.day, first.repository) for key, first in ages.items()} == {
            "github.com/author/library": ("2015-06-01", "github.com/author/app"),
            "github.com/copier/copy": copied,
        }
        first = index.first(CODE)
        assert first.places[0].occurrence.repository == "github.com/author/app"
        if not is_forked:
            assert next(iter(ages)) == "github.com/author/library"
            assert not first.is_unsure
            findings = index.check([library.folder]).findings
            assert [finding.is_older for finding in findings if finding.path == "src/lib.py"] == [True]


def test_code_that_moved_out_of_a_vendored_folder_is_in_doubt(tmp_path: Path) -> None:
    made, copy = Repository.make(tmp_path / "made"), Repository.make(tmp_path / "copy")
    for each in (made, copy):
        each.commit({"main.py": UNRELATED.encode()}, day="2014-01-01")
    made.commit({"vendor/utils.py": CODE}, day="2015-06-01")
    copy.commit({"events.py": CODE}, day="2018-06-01")
    made.git("rm", "--quiet", "vendor/utils.py")
    made.commit({"utils.py": OTHER + b"\n\n\n" + CODE}, day="2019-09-16")
    index_sources([made.folder, copy.folder], tmp_path / "index", history=True, jobs=1)
    with open_index(tmp_path / "index") as index:
        place = next(place for hit in index.search(CODE, oldest=True).hits for place in hit.places)
        assert place.age is not None
        assert (place.age.first.day, place.age.first.doubts) == ("2015-06-01", (Doubt.VENDORED,))


def test_a_move_that_cannot_be_followed_is_in_doubt(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "made")
    made.commit({"main.py": UNRELATED.encode()}, day="2014-01-01")
    made.commit({"utils.py": OTHER}, day="2015-06-01")
    made.git("rm", "--quiet", "utils.py")
    made.commit({"rewritten.py": CODE}, day="2019-09-16")
    index_sources([made.folder], tmp_path / "index", history=True, jobs=1)
    with open_index(tmp_path / "index") as index:
        (place,) = (place for hit in index.search(CODE).hits for place in hit.places)
        assert place.age is not None
        assert (place.age.first.day, place.age.first.doubts) == ("2019-09-16", (Doubt.MOVED,))


def test_states_that_the_history_does_not_find_are_read_from_the_clone(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "made")
    fruits = ["apple", "plum", "cherry", "grape", "lemon", "melon", "peach", "quince", "olive", "fig", "date", "kiwi"]

    def code(line: str) -> bytes:
        lines = "".join(f"    {line.format(name=name, number=number)}\n" for number, name in enumerate(fruits, 11))
        return f"def basket(rows, total):\n{lines}    return total\n".encode()

    began = code('{name} = weigh(rows, "{name}", {number})')
    is_now = code('{name} = keep(rows, weigh("{name}", {number}))')
    made.commit({"main.py": UNRELATED.encode()}, day="2014-01-01")
    made.commit({"old.py": began}, day="2015-06-01")
    made.commit({"old.py": OTHER, "lib.py": is_now}, day="2017-06-01")
    index_sources([made.folder], tmp_path / "index", history=True, jobs=1)

    def first_day() -> str | None:
        with open_index(tmp_path / "index") as index:
            place = index.first(is_now).places[0]
        assert place.occurrence.path == "lib.py"
        return place.age.first.day if place.age is not None else None

    assert first_day() == "2015-06-01"
    made.folder.rename(tmp_path / "elsewhere")
    assert first_day() == "2017-06-01"


def test_a_state_that_is_gone_is_found_whole(tmp_path: Path) -> None:
    made = Repository.make(tmp_path / "made")
    made.commit({"main.py": UNRELATED.encode()}, day="2014-01-01")
    lines = CODE.split(b"\n")
    states = [b"\n".join(lines[:-1]).replace(b"result", name) + b"\n" for name in (b"found", b"chosen", b"best")]
    edited = [states[0], states[0].replace(b"elem", b"each"), states[1].replace(b"order", b"rank"), states[2]]
    for year, state in enumerate(edited, 2015):
        made.commit({"utils.py": OTHER + b"\n\n\n" + state}, day=f"{year}-06-01")
    made.git("rm", "--quiet", "utils.py")
    made.commit(day="2020-01-01")
    index_sources([made.folder], tmp_path / "index", history=True, jobs=1)
    with open_index(tmp_path / "index") as index:
        for state in edited:
            best = index.first(state).places[0]
            assert (best.is_gone, best.match, best.age and best.age.first.day) == (True, 100.0, "2015-06-01")
