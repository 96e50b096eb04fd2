"""Where code appeared first: the oldest place is right, and the answer gives every reason to doubt it."""

from __future__ import annotations

import calendar
import heapq
import shlex
import statistics
import tarfile
import textwrap
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from tests.end_to_end.edits import renamed, source_of
from tests.repositories import Repository
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.engines import open_engine
from wherefrom.engines.engine import Engine
from wherefrom.indexer.history import HistoryRun
from wherefrom.indexer.indexing import IndexingRun
from wherefrom.options import FirstOptions, IndexOptions
from wherefrom.queries.first import first
from wherefrom.results import Doubt, FirstPlace, FirstResult
from wherefrom.sources.git import GitSource

MERGE = source_of(heapq.merge)
WRAP = source_of(textwrap.TextWrapper._wrap_chunks)
TOKEN = source_of(shlex.shlex.read_token)
EXTRACT = source_of(tarfile.TarFile._extract_member)
DIRECTORY = source_of(zipfile.ZipFile.writestr)
QUANTILES = source_of(statistics.quantiles)
CUT = source_of(textwrap.dedent)

FILLER = "\n\ndef other(value):\n    return value\n"

Story = Sequence[tuple[str, Mapping[str, str | None]]]
"""Commits: the day, and the files that changed; None for a removed file."""

STORIES: dict[str, Story] = {
    "original": [
        ("2015-01-01", {"readme.txt": "a\n"}),
        ("2015-02-01", {"lib.py": MERGE}),
        ("2016-01-01", {"lib.py": MERGE + FILLER}),
        ("2016-02-01", {"lib.py": None, "heap.py": MERGE + FILLER}),
    ],
    "edited": [
        ("2014-01-01", {"readme.txt": "b\n"}),
        ("2018-01-01", {"src/merge.py": renamed(MERGE)}),
        ("2019-01-01", {"src/merge.py": renamed(MERGE).replace("None", "False")}),
    ],
    "was-first": [("2010-01-01", {"a.py": WRAP}), ("2017-01-01", {"a.py": "x = 1\n"})],
    "has-it-now": [("2013-01-01", {"b.py": WRAP})],
    "moving": [
        ("2009-01-01", {"old.py": TOKEN + FILLER, "new.py": FILLER}),
        ("2012-01-01", {"old.py": FILLER, "new.py": FILLER + TOKEN}),
    ],
    "vendoring": [("2008-01-01", {"x.txt": "a\n"}), ("2008-02-01", {"vendor/zip/z.py": DIRECTORY})],
    "zipper": [("2008-01-01", {"x.txt": "b\n"}), ("2011-01-01", {"z.py": DIRECTORY})],
    "imported": [
        ("2007-01-01", {"q.py": QUANTILES, **{f"{number}.py": f"number = {number}\n" for number in range(20)}})
    ],
    "quantiles": [("2007-01-01", {"x.txt": "c\n"}), ("2012-01-01", {"q.py": QUANTILES})],
    "clock": [
        ("2016-01-01", {"x.txt": "d\n"}),
        ("2003-01-01", {"t.py": EXTRACT}),
        ("1971-01-01", {"d.py": CUT}),
    ],
    "without": [("2001-01-01", {"merge.py": MERGE})],
}


def tell(folder: Path, story: Story) -> Repository:
    """A repository with these commits."""
    repository = Repository.make(folder)
    stream = []
    for day, files in story:
        seconds = calendar.timegm(date.fromisoformat(day).timetuple())
        stream.append(f"commit refs/heads/main\ncommitter A <a@example.org> {seconds} +0000\ndata 1\nx\n")
        for path, text in files.items():
            size = len((text or "").encode())
            stream.append(f"D {path}\n" if text is None else f"M 644 inline {path}\ndata {size}\n{text}\n")
    repository.git("fast-import", "--quiet", stdin="".join(stream).encode())
    return repository


def source(folder: Path) -> GitSource:
    return GitSource(folder, key=folder.name)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An index of all stories, with the history of all but one."""
    folder = tmp_path_factory.mktemp("stories")
    for name, story in STORIES.items():
        tell(folder / name, story)
    deep = tell(folder / "deep", [("2004-01-01", {"x.txt": "e\n"}), ("2005-01-01", {"e.py": EXTRACT})])
    deep.git("clone", "--quiet", "--bare", "--depth=1", f"file://{deep.folder}", "../shallow")
    sources = [source(folder / name) for name in (*STORIES, "shallow")]
    with closing(open_engine(folder / "index", schemes=scheme_ids(), create=True)) as opened:
        IndexingRun(opened, sources, IndexOptions(jobs=1)).run()
        HistoryRun(opened, [each for each in sources if each.key != "without"], IndexOptions(jobs=1)).run()
        yield opened


def found(engine: Engine, code: str, **options: object) -> FirstResult:
    return first(engine, code.encode(), FirstOptions(**options))  # type: ignore[arg-type]


def place(result: FirstResult, repository: str) -> FirstPlace:
    (one,) = (each for each in result.places if each.occurrence.repository == repository)
    return one


def days(result: FirstResult) -> list[tuple[str, str, str | None, bool]]:
    return [
        (each.occurrence.repository, each.occurrence.path, each.age.first.day if each.age else None, each.is_gone)
        for each in result.places
    ]


@pytest.mark.thorough
def test_copies_come_in_the_order_in_which_they_appeared(engine: Engine) -> None:
    result = found(engine, MERGE)
    assert days(result) == [
        ("original", "heap.py", "2015-02-01", False),
        ("edited", "src/merge.py", "2018-01-01", False),
        ("without", "merge.py", None, False),
    ]
    assert result.total == 3
    assert not result.is_unsure
    assert result.oldest is result.places[0]
    assert result.places[1].match < 100
    original = result.places[0].age
    assert original is not None
    assert (original.first.doubts, original.since.day, original.first.tag) == ((), "2015-02-01", None)
    assert result.warnings == (
        "the history of 1 of 3 places is not known; run `wherefrom index --history` on their repositories",
    )


@pytest.mark.thorough
def test_code_that_is_gone_is_found_with_its_path_and_commit(engine: Engine) -> None:
    result = found(engine, WRAP)
    assert days(result) == [("was-first", "a.py", "2010-01-01", True), ("has-it-now", "b.py", "2013-01-01", False)]
    gone = result.places[0]
    assert gone.age is not None
    assert gone.occurrence.revision == gone.age.first.commit
    assert gone.record is not None
    assert gone.lines is not None


def test_code_that_moved_between_files_began_in_the_first_of_them(engine: Engine) -> None:
    assert days(found(engine, TOKEN)) == [("moving", "new.py", "2009-01-01", False)]


@pytest.mark.parametrize(
    ("code", "repository", "day", "doubts"),
    [
        (DIRECTORY, "vendoring", "2008-02-01", (Doubt.VENDORED,)),
        (QUANTILES, "imported", "2007-01-01", (Doubt.IMPORT,)),
        (EXTRACT, "clock", "2003-01-01", (Doubt.OUT_OF_ORDER,)),
        (EXTRACT, "shallow", "2005-01-01", (Doubt.BASE,)),
        (CUT, "clock", "1971-01-01", (Doubt.OUT_OF_ORDER, Doubt.OUT_OF_RANGE)),
    ],
)
def test_doubts_are_told(engine: Engine, code: str, repository: str, day: str, doubts: tuple[Doubt, ...]) -> None:
    result = found(engine, code)
    age = place(result, repository).age
    assert age is not None
    assert (age.first.day, age.first.doubts) == (day, doubts)
    others = {each.occurrence.repository for each in result.places} - {repository}
    assert result.is_unsure == bool(others)


@pytest.mark.slow
def test_who_became_as_it_is_only_later_is_unsure(engine: Engine, tmp_path: Path) -> None:
    lines = MERGE.splitlines(keepends=True)
    draft = "".join(f"# {number}\n" if number % 3 else line for number, line in enumerate(lines))
    tell(tmp_path / "draft", [("2002-01-01", {"m.py": draft}), ("2020-01-01", {"m.py": MERGE})])
    tell(tmp_path / "whole", [("2010-01-01", {"m.py": MERGE})])
    sources = [source(tmp_path / name) for name in ("draft", "whole")]
    with closing(open_engine(tmp_path / "index", schemes=scheme_ids(), create=True)) as opened:
        IndexingRun(opened, sources, IndexOptions(jobs=1)).run()
        without = found(opened, MERGE)
        assert without.oldest is None
        assert not without.is_unsure
        assert without.warnings == ("the index has no history; run `wherefrom index --history` on its repositories",)
        HistoryRun(opened, sources, IndexOptions(jobs=1)).run()
        result = found(opened, MERGE)
    assert [(repository, day) for repository, _, day, _ in days(result)] == [
        ("draft", "2002-01-01"),
        ("whole", "2010-01-01"),
    ]
    assert result.is_unsure


def test_the_limit_counts_places_and_the_total_all(engine: Engine) -> None:
    result = found(engine, MERGE, limit=1)
    assert (len(result.places), result.total) == (1, 3)
    assert [repository for repository, *_ in days(result)] == ["original"]


def test_filters_hold_for_code_that_is_gone_too(engine: Engine) -> None:
    assert [each[0] for each in days(found(engine, WRAP, repositories=("was-first",)))] == ["was-first"]
    assert [each[0] for each in days(found(engine, WRAP, paths=("b.*",)))] == ["has-it-now"]
    assert [each[0] for each in days(found(engine, WRAP, paths=("a.*",)))] == ["was-first"]


def test_code_that_nobody_has(engine: Engine) -> None:
    result = found(engine, source_of(heapq.nsmallest))
    assert (result.places, result.total, result.oldest, result.is_unsure) == ((), 0, None, False)
