"""Where code appeared first: in real repositories with true dates, in one that imports code, and in none at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.end_to_end.conftest import Wherefrom
from tests.end_to_end.edits import UNRELATED
from tests.end_to_end.test_sources import module_function
from tests.repositories import Repository
from tests.schemas import schema

FIRST, SEARCH = schema("first"), schema("search")

CODE = module_function("heapq", "nsmallest")
LOST = module_function("heapq", "merge")
EDITED = CODE.replace("elem", "each")


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    """An index with history. `origin` has `CODE` since 2017, and had `LOST` for a year; `copy` has an edited `CODE` and
    `LOST` since 2019.
    """
    made = Wherefrom(tmp_path_factory.mktemp("dated"))
    origin = Repository.make(made.folder / "clones/origin")
    origin.commit({"README": b"Queues.\n"}, day="2016-01-01")
    origin.commit({"lib/queue.py": CODE.encode()}, day="2017-11-20", written="2017-10-01")
    origin.git("tag", "v1.0")
    origin.commit({"lib/lost.py": LOST.encode()}, day="2018-02-01")
    origin.git("tag", "v1.1")
    (origin.folder / "lib/lost.py").unlink()
    origin.commit(day="2019-01-01")
    copy = Repository.make(made.folder / "clones/copy")
    copy.commit({"README": b"Copies.\n"}, day="2018-06-01")
    copy.commit({"src/copied.py": f"{EDITED}\n\n{LOST}".encode()}, day="2019-03-02")
    made("index", "--history", "clones")
    return made


def first(world: Wherefrom, code: str, *options: str, code_of: int = 0) -> dict[str, Any]:
    answer: dict[str, Any] = world.json("first", "-", *options, stdin=code.encode(), code=code_of)
    jsonschema_rs.Draft202012Validator(FIRST).validate(answer)
    return answer


def days(answer: dict[str, Any]) -> list[tuple[str, str | None, bool]]:
    """The last part of the repository, the day and whether the code is gone, for each place."""
    return [
        (Path(place["repository"]).name, place["age"] and place["age"]["first"]["day"], place["gone"])
        for place in answer["places"]
    ]


@pytest.mark.parametrize("code", [CODE, EDITED], ids=["same", "edited"])
def test_the_oldest_place_comes_first(dated: Wherefrom, code: str) -> None:
    answer = first(dated, code)
    assert days(answer) == [("origin", "2017-11-20", False), ("copy", "2019-03-02", False)]
    assert not answer["unsure"]
    origin, copy = answer["places"]
    clone = Repository(dated.folder / "clones/origin")
    assert origin["age"]["first"]["commit"] == clone.git("rev-parse", "v1.0^{commit}")
    assert (origin["age"]["first"]["written"], origin["age"]["first"]["tag"]) == ("2017-10-01", "v1.0")
    assert copy["lines"] == {"start_line": 1, "end_line": code.count("\n") + 1}


def test_code_that_is_gone_is_found_in_the_past(dated: Wherefrom) -> None:
    answer = first(dated, LOST)
    assert days(answer) == [("origin", "2018-02-01", True), ("copy", "2019-03-02", False)]
    gone = answer["places"][0]
    assert (gone["path"], gone["blob"], gone["url"], gone["swhid"]) == ("lib/lost.py", "", None, None)
    assert gone["revision"] == gone["age"]["first"]["commit"]
    shown = dated("first", "-", stdin=LOST.encode()).splitlines()
    assert shown[0].endswith("2 places; the oldest place known here is of 2018-02-01")
    assert shown[2].startswith("1. 2018-02-01  ")
    assert shown[2].endswith(f"origin  lib/lost.py:1-{LOST.count(chr(10)) + 1}")
    assert shown[4] == "   gone from the indexed revision"


def test_lines_of_files_and_several_snippets(dated: Wherefrom) -> None:
    (dated.folder / "both.py").write_text(f"{CODE}\n\n{LOST}\n")
    last = CODE.count("\n") + 1
    for name in (f"both.py:1-{last}", f"both.py#L1-L{last}"):
        assert days(dated.json("first", name))[0] == ("origin", "2017-11-20", False)
    one, other = dated.json("first", f"both.py:1-{last}", f"both.py:{last + 3}-{last + 2 + LOST.count(chr(10))}")
    assert (days(one)[0][1], days(other)[0][1]) == ("2017-11-20", "2018-02-01")
    assert days(dated.json("first", "--code", CODE))[0] == ("origin", "2017-11-20", False)


def test_filters_and_the_limit(dated: Wherefrom) -> None:
    assert days(first(dated, CODE, "--repository", "*/copy")) == [("copy", "2019-03-02", False)]
    assert days(first(dated, LOST, "--own", "*/origin")) == [("copy", "2019-03-02", False)]
    answer = first(dated, CODE, "--limit", "1")
    assert (len(answer["places"]), answer["total"]) == (1, 2)
    assert first(dated, UNRELATED, code_of=1)["places"] == []


def test_an_import_is_said_to_be_one(dated: Wherefrom, wherefrom: Wherefrom) -> None:
    imported = Repository.make(wherefrom.folder / "imported")
    files = {f"part{number}/a.py": f"number = {number}\n".encode() for number in range(30)}
    imported.commit({**files, "vendor/queue.py": CODE.encode()}, day="2015-05-06")
    wherefrom("index", "--history", "imported", dated.folder / "clones")
    answer = first(wherefrom, CODE)
    assert days(answer)[0] == ("imported", "2015-05-06", False)
    assert answer["places"][0]["age"]["first"]["doubts"] == ["import", "vendored"]
    assert answer["unsure"]
    shown = wherefrom("first", "-", stdin=CODE.encode()).splitlines()
    assert shown[1] == "Another repository may be the oldest: that date is in doubt."
    assert "   most files of that commit are new, so the code may be older" in shown


def test_a_search_shows_the_days_and_ranks_by_them(dated: Wherefrom) -> None:
    answer = dated.search(EDITED.encode(), "--oldest")
    jsonschema_rs.Draft202012Validator(SEARCH).validate(answer)
    places = [at for hit in answer["hits"] for at in hit["occurrences"]]
    assert [at["age"]["first"]["day"] for at in places] == ["2017-11-20", "2019-03-02"]
    best = dated.search(EDITED.encode())
    assert sorted(at["path"] for hit in best["hits"] for at in hit["occurrences"]) == ["lib/queue.py", "src/copied.py"]
    assert best["hits"][0]["score"] == max(hit["score"] for hit in answer["hits"])
    assert "   here since 2017-11-20 (v1.0)\n" in dated("search", "-", stdin=CODE.encode())
    brief = dated("search", "--oldest", "--brief", "-", stdin=EDITED.encode()).splitlines()
    assert "lib/queue.py" in brief[0]
    assert "since 2017-11-20" in brief[0]


def test_what_is_boilerplate_is_left_out_of_the_past_too(dated: Wherefrom) -> None:
    dated("boilerplate", "add", "lost", "-", stdin=LOST.encode())
    assert any(place["gone"] for place in first(dated, LOST)["places"])
    assert first(dated, LOST, "--without", "lost", code_of=1)["places"] == []
    printed = dated("first", "-", "--without", "lost", code=1, stdin=LOST.encode())
    assert "as boilerplate; nothing was left to look up" in printed
    dated("boilerplate", "remove", "lost")


def test_an_index_without_history_says_what_to_do(wherefrom: Wherefrom) -> None:
    Repository.make(wherefrom.folder / "clone", {"queue.py": CODE.encode()})
    wherefrom("index", "clone")
    done, output, errors = wherefrom.run("first", "-", stdin=CODE.encode())
    assert (done, errors.count("\n")) == (0, 1)
    assert "the index has no history; run `wherefrom index --history`" in errors
    assert "1. age not known  " in output
    done, _, errors = wherefrom.run("search", "--oldest", "--brief", "-", stdin=CODE.encode())
    assert (done, "the index has no history" in errors) == (0, True)
    assert wherefrom.run("search", "--brief", "-", stdin=CODE.encode())[2] == ""
    wherefrom("index", "--history", "clone")
    assert days(first(wherefrom, CODE)) == [("clone", "2024-01-01", False)]


def test_an_open_index_sees_what_a_later_run_adds(wherefrom: Wherefrom) -> None:
    clone = Repository.make(wherefrom.folder / "clone", {"queue.py": CODE.encode()})
    wherefrom("index", "--history", "clone")
    with wherefrom.open() as index:
        tags = []
        for _ in range(2):
            age = index.search(CODE).hits[0].places[0].age
            tags.append(age and age.first.tag)
            clone.git("tag", "--force", "v1.0")
            wherefrom("index", "--history", "clone")
    assert tags == [None, "v1.0"]


def test_hostile_tags_and_paths_do_not_reach_the_terminal(wherefrom: Wherefrom) -> None:
    clone = Repository.make(wherefrom.folder / "clone", {"a\x1b]0;x\x07\n.py": CODE.encode()})
    clone.git("tag", "v\u202e1")
    wherefrom("index", "--history", "clone")
    assert "v<U+202E>1" in wherefrom("first", "-", stdin=CODE.encode())
    assert "(v<U+202E>1)" in wherefrom("search", "-", stdin=CODE.encode())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing.py",), "missing.py is not there"),
        (("--code", " "), "--code is empty"),
        (("--code", "x", "a.py"), "both files and --code are given"),
        (("-", "--limit", "0"), "limit"),
        (("-", "--repository", "unknown"), "unknown"),
        (("-", "--format", "csv"), "csv"),
        (("-", "--index", "nowhere.wherefrom"), "nowhere.wherefrom"),
    ],
)
def test_what_cannot_be_is_one_clear_line(dated: Wherefrom, arguments: tuple[str, ...], message: str) -> None:
    printed = dated("first", *arguments, code=2, stdin=CODE.encode())
    assert message in printed
    assert "Traceback" not in printed


def test_a_history_that_fails_gives_exit_code_2(wherefrom: Wherefrom) -> None:
    Repository.make(wherefrom.folder / "clone", {"queue.py": CODE.encode()})
    printed = wherefrom("index", "--history", "--branch", "nowhere", "clone", code=2)
    assert "history failed: " in printed
    assert "nowhere" in printed
    done, output, errors = wherefrom.run("index", "--history", "--branch", "nowhere", "--quiet", "clone")
    assert (done, output) == (2, "")
    assert errors.startswith("wherefrom: error: history of ")
